"""Situations made by hand, anywhere in a round: a hand, a floor, what is gone, the place in the round."""

import random
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from basra_sim.cards import JACK, SEVEN_OF_DIAMONDS, card_name, card_names, card_set, parse_cards, rank_of
from basra_sim.plans import Plan
from basra_sim.policies import Advice, Policy
from basra_sim.policies.advice import Form
from basra_sim.policies.custom import Play, View
from basra_sim.reference import Round
from basra_sim.variants import setting
from tests.scoring import Scorer, scored_by

_FILLERS = parse_cards("KS QH 9S 8H 7S 6H 5S 4H KH QS 9H 8S 7H 6S 5H 4S KC QC 9C 8D 7C 6C 5C 4C KD QD 9D 8C 6D 5D 4D")
_SCRIPT = Form("script", 1e5, 0.0, "plays what is written, whatever else is said")


class Stage:
    """
    A situation of two players: by a script everything else is played before, a jack clears the floor, and it is laid.

    Parameters
    ----------
    hand, floor, gone : names of cards; gone are at least these, and others of ranks that do not matter here
    deal : number of the deal, from 1
    seat : who is to play
    """

    def __init__(
        self,
        hand: str,
        floor: str,
        gone: str = "",
        *,
        deal: int = 2,
        seat: int = 0,
        variant: str = "bastra",
        changes: Mapping[str, object] | None = None,
    ) -> None:
        self.table = setting(variant, 2, False, {"deal": "packet", **(changes or {})})
        self.hand, self.floor = parse_cards(hand), parse_cards(floor)
        size = self.table.hand_sizes[0]
        self.turn = 2 * size * (deal - 1) + 2 * (size - len(self.hand)) + seat
        draw = random.Random(1)
        for _ in range(60):
            seen = self._before(parse_cards(gone), draw)
            self.script = seen[4:]
            self.pack = self._pack(seen, size, seat)
            self.round = Round(self.table, self.pack)
            for card in self.script:
                self.round.play(card, self.round.legal(card)[0].taken)
            if set(self.round.floor) == set(self.floor):
                break
            # Else the jack that was to clear the floor found it empty, and lies there.
        assert set(self.round.floor) == set(self.floor), card_names(self.round.floor)
        assert set(self.round.hands[seat]) == set(self.hand)
        assert set(parse_cards(gone)) <= {card for pile in self.round.piles for card in pile}

    def _before(self, gone: list[int], draw: random.Random) -> list[int]:
        """The opening floor, then the cards played before, in their order."""
        number = 4 + self.turn - len(self.floor)
        if not number:
            return self.floor
        possible = [card for card in range(4 * JACK + 3, 4 * JACK - 1, -1) if card not in (*self.hand, *self.floor)]
        sweeper = next((card for card in gone if rank_of(card) == JACK), possible[0])
        ranks = {rank_of(card) for card in (*self.hand, *gone)}
        rest = [card for card in range(self.table.rules.pack) if rank_of(card) != JACK]
        fillers = (
            [card for card in draw.sample(_FILLERS, len(_FILLERS)) if rank_of(card) not in ranks] + rest + possible
        )
        given = dict.fromkeys([*gone, *(card for card in fillers if card not in (*self.hand, *self.floor, sweeper))])
        others = [card for card in given if card != sweeper][: number - 1]
        others = draw.sample(others, len(others))
        opening = [card for card in others if rank_of(card) != JACK and card != SEVEN_OF_DIAMONDS][:4]
        laid = sorted(self.floor, key=lambda card: (rank_of(card) != JACK, -rank_of(card)))
        return [*opening, *(card for card in others if card not in opening), sweeper, *laid]

    def _pack(self, seen: Sequence[int], size: int, seat: int) -> list[int]:
        """Pack in which the script can be played."""
        hands = [self.script[each::2] for each in range(2)]
        hands[seat] = [*hands[seat], *self.hand]
        hidden = [card for card in range(self.table.rules.pack) if card not in (*seen, *self.hand)]
        for held in hands:
            while len(held) < len(self.table.hand_sizes) * size:
                held.append(hidden.pop())
        deals = [[*hands[0][at : at + size], *hands[1][at : at + size]] for at in range(0, len(hands[0]), size)]
        return [*deals[0], *seen[:4], *(card for each in deals[1:] for card in each)]

    def _says(self, view: View, play: Play) -> float:
        """Advice to play what the script has, while it lasts."""
        size = self.table.hand_sizes[0]
        turn = 2 * size * view.deal + 2 * (size - view.cards_left) + view.seat
        if turn >= self.turn:
            return 0.0
        return 1.0 if play.card == self.script[turn] else -1.0

    def played(self, policy: Policy) -> str:
        """What a policy plays here."""
        script = Advice("script", function=Scorer(self._says))
        chosen = policy.following(script, _SCRIPT)
        plan = Plan(self.table, (chosen,), ((0, 0),), 17)
        (part,) = plan.play(0, 1, logged=True, decks=np.array([self.pack], np.uint8))
        logs = part.logs[0]
        assert logs[: self.turn, 0].tolist() == self.script
        card, taken = (int(number) for number in logs[self.turn, :2])
        return self.named(card, [each for each in range(52) if taken >> each & 1])

    def named(self, card: int, taken: Sequence[int]) -> str:
        """A play in words: the card, and what it takes where there is a choice."""
        several = len(self.round.legal(card)) > 1
        return f"{card_name(card)}:{'+'.join(card_names(sorted(taken)))}" if several else card_name(card)

    def legal(self) -> list[str]:
        """All plays."""
        return [self.named(card, choice.taken) for card in sorted(self.hand) for choice in self.round.legal(card)]

    def sides(self, piece: str, degree: str) -> tuple[set[str], set[str]]:
        """Plays that follow a piece of advice and plays against it: those that players who love them will not make."""
        follow, against = set(), set()
        for play in self.legal():
            loves = scored_by(partial(self._loves, play)).remembering(degree)
            if self.played(loves.following(piece, "reversed")) != play:
                follow.add(play)
            if self.played(loves.following(piece)) != play:
                against.add(play)
        return follow, against

    def _loves(self, play: str, view: View, made: Play) -> float:
        """Score of a player who wants to make one play, in words, and has no other wish."""
        if made.card not in self.hand or view.hand != card_set(self.hand):
            return 0.0
        return float(self.named(made.card, [each for each in range(52) if made.taken >> each & 1]) == play)
