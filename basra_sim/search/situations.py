"""What a player on turn knows of a round, and what comes of his plays in ways of the rest, for callers in Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.captures import tables
from basra_sim.cards import Card, CardSet, card_set
from basra_sim.deals import stream
from basra_sim.errors import BasraError
from basra_sim.game import codes
from basra_sim.legal import legal
from basra_sim.policies import Policy
from basra_sim.policies.features import chances
from basra_sim.rules import FLOOR_CARDS, Setting
from basra_sim.search.desk import NO_SEARCH_DESK, make_search_desk
from basra_sim.search.roll_outs import Beyond, roll_out_address
from basra_sim.search.trials import OUTCOME, try_ways
from basra_sim.turns import NO_CAPTOR, OK, Scratch, Standing, make_scratch
from basra_sim.variants import setting


class Stray(NamedTuple):
    """
    A card that somebody captured.

    Attributes
    ----------
    card : Card
    never : team that surely did not capture it, or None
    """

    card: Card
    never: int | None = None


class Move(NamedTuple):
    """
    A legal play.

    Attributes
    ----------
    card : Card
    taken : cards it takes; none where it is laid
    basra : points of the basra that it makes
    """

    card: Card
    taken: tuple[Card, ...]
    basra: int


class Past(NamedTuple):
    """
    What lay open before each play of the round so far; sets of cards.

    Attributes
    ----------
    seen : cards that had been face up
    floors : the floor
    """

    seen: Sequence[CardSet]
    floors: Sequence[CardSet]


@dataclass(frozen=True)
class Situation:
    """
    A round as the player on turn knows it; whatever is not told here lies he knows not where.

    Attributes
    ----------
    setting : Setting
    plays : plays made so far; they tell the deal, the seat, and how many cards each seat holds
    hand : cards of the player on turn
    floor : cards, in any order
    piles : cards that each team is known to have captured
    basras : points of each team's basras so far
    last : seat that captured last, or None
    strays : captured cards of which the team is not known
    bottom : cards known to lie at the bottom of the stock, the lowest last
    held : cards that each seat is known to hold, besides the player on turn
    lone_before : whether the floor is two cards of which the earlier lay alone just before the later was laid on it
    carry : points for most cards held over from rounds before
    past : Past or None
    """

    setting: Setting
    plays: int
    hand: tuple[Card, ...]
    floor: tuple[Card, ...]
    piles: tuple[tuple[Card, ...], ...]
    basras: tuple[int, ...]
    last: int | None = None
    strays: tuple[Stray, ...] = ()
    bottom: tuple[Card, ...] = ()
    held: tuple[tuple[Card, ...], ...] = ((), (), (), ())
    lone_before: bool = False
    carry: int = 0
    past: Past | None = None

    @property
    def place(self) -> tuple[int, int, int]:
        """Number of the deal, plays made in it, and cards of its hands."""
        before = self.plays
        for deal, size in enumerate(self.setting.hand_sizes):
            if before < size * self.setting.players:
                return deal, before, size
            before -= size * self.setting.players
        raise BasraError("the round is over")

    @property
    def seat(self) -> int:
        """Seat on turn."""
        return self.place[1] % self.setting.players

    @property
    def team(self) -> int:
        """Team of the player on turn."""
        return self.setting.teams[self.seat]

    @property
    def hand_counts(self) -> list[int]:
        """Cards that each seat holds."""
        _, before, size = self.place
        rounds, turn = divmod(before, self.setting.players)
        return [size - rounds - (seat < turn) for seat in range(self.setting.players)]

    @property
    def last_card(self) -> bool:
        """Whether the next play is the last of the round."""
        return self.plays == self.setting.plays - 1

    @cached_property
    def captured(self) -> tuple[Card, ...]:
        """Cards known to be captured."""
        return tuple(card for pile in self.piles for card in pile) + tuple(stray.card for stray in self.strays)

    @cached_property
    def hidden(self) -> tuple[Card, ...]:
        """Cards that may lie in other hands, in the stock, or in a pile that nobody looked at."""
        shown = {*self.hand, *self.floor, *self.captured, *self.bottom, *(card for hand in self.held for card in hand)}
        return tuple(card for card in range(self.setting.rules.pack) if card not in shown)

    @property
    def hidden_in_hands(self) -> list[int]:
        """How many hidden cards each seat holds."""
        counts = [count - len(self.held[seat]) for seat, count in enumerate(self.hand_counts)]
        counts[self.seat] = 0
        return counts

    @property
    def hidden_in_stock(self) -> int:
        """How many hidden cards are in the stock."""
        dealt = sum(self.setting.hand_sizes[: self.place[0] + 1]) * self.setting.players
        return self.setting.plays - dealt - len(self.bottom)

    @property
    def lost(self) -> int:
        """How many hidden cards have been captured."""
        return len(self.hidden) - sum(self.hidden_in_hands) - self.hidden_in_stock

    @property
    def all_known(self) -> bool:
        """Whether it is certain where each card lies that is still to be played."""
        one_hand = sum(count > 0 for count in self.hidden_in_hands) <= 1
        return one_hand and len(self.hidden) == sum(self.hidden_in_hands)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Legal plays: by card, then as their choices are found."""
        return tuple(
            Move(card, tuple(sorted(taken)), basra)
            for card in sorted(self.hand)
            for taken, basra in legal(
                self.setting.rules, self.floor, card, lone_before=self.lone_before, last_card=self.last_card
            )
        )


class Outcomes(NamedTuple):
    """
    What comes of each legal play in ways of the hidden cards.

    Attributes
    ----------
    points : (ways, plays, teams) int64
        Points of each team in the whole round.
    earlier : (ways, teams) int64
        Points of each team so far, those for most cards left out.
    replies : (ways, plays) int64
        Points of the basra that the next player makes at once; 0 if he makes none.
    """

    points: npt.NDArray[np.int64]
    earlier: npt.NDArray[np.int64]
    replies: npt.NDArray[np.int64]


class Trial:
    """
    A situation to be played out again and again by players who weigh features.

    Parameters
    ----------
    situation : Situation
    policy : Policy
        By which all play on; it weighs features.
    seed, number : seed, and number of the stream, of the ways
    doubt : chance, as the player thinks, that another's play of this deal was not the one he would expect of him; with
        1 he takes nothing from how they have played
    moves : plays to try; all legal ones by default
    """

    def __init__(
        self,
        situation: Situation,
        policy: Policy,
        seed: int,
        number: int = 0,
        doubt: float = 1.0,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Write the situation down in numbers."""
        self.situation = situation
        self.moves = tuple(situation.moves if moves is None else moves)
        self._rows = np.stack([policy.parameters(situation.setting)] * 4)
        start, gamma = stream(seed, number)
        self._source = np.uint64(start), np.uint64(gamma)
        self._doubt = doubt if situation.past is not None else 1.0
        self._codes = codes(situation.setting)

    def run(self, first: int, count: int) -> Outcomes:
        """
        What comes of the plays in so many ways, from a number on.

        Raises
        ------
        BasraError
            If a card has too many choices, or nobody captures.
        """
        at, teams = self.situation, self.situation.setting.team_count
        scratch = self._scratch()
        outcomes = np.zeros((count, len(self.moves), OUTCOME), np.int64)
        earlier = np.zeros((count, 4), np.int64)
        floor, stock = card_set(at.floor), self._stock
        before = floor & -floor if at.lone_before else 0
        gone = ~((1 << at.setting.rules.pack) - 1) | card_set(at.captured)
        in_hands = at.hidden_in_hands
        known = card_set(at.bottom) | card_set(card for hand in at.held for card in hand)
        hidden = len(at.hidden), sum(in_hands), sum(each > 0 for each in in_hands), known, at.hidden_in_stock
        strays = np.array([(card, -1 if never is None else never) for card, never in at.strays], np.int64)
        status = try_ways(
            self._codes, tables(), Beyond(_chances(), self._rows, _address()), scratch, scratch.search,
            Standing(floor, before, gone, -1 if at.last is None else at.last), (at.plays, *stock), hidden,
            strays.reshape(-1, 2), at.carry, self._doubt, self._source, len(self.moves), first, outcomes, earlier,
        )  # fmt: skip
        if status != OK:
            raise BasraError("nobody captures" if status == NO_CAPTOR else "a card has too many choices")
        return Outcomes(outcomes[:, :, :teams], earlier[:, :teams], outcomes[:, :, 4])

    @property
    def _stock(self) -> tuple[int, int]:
        """Places in the pack of the stock once the floor lay, and of its first hidden card."""
        at, sizes = self.situation, self.situation.setting.hand_sizes
        dealt, players = at.place[0], at.setting.players
        top = players * sizes[0] + FLOOR_CARDS + self._buried
        return top, top + players * sum(sizes[1 : dealt + 1])

    @property
    def _buried(self) -> int:
        """How many cards lie behind the pack: those known to have been put to its bottom."""
        return len(self.situation.bottom) + sum(map(len, self.situation.held))

    def _scratch(self) -> Scratch:
        """Arrays with the situation in them; hidden cards stand anywhere they may."""
        at, scratch = self.situation, make_scratch(make_search_desk())
        found = scratch.search
        found.rows[:] = self._rows
        found.hidden[: len(at.hidden)] = at.hidden
        rest = list(at.hidden)
        for seat, count in enumerate(at.hidden_in_hands):
            scratch.hands[seat] = card_set([*at.held[seat], *(rest.pop() for _ in range(count))])
        scratch.hands[at.seat] = card_set(at.hand)
        scratch.seat_team[: at.setting.players] = at.setting.teams
        for team, pile in enumerate(at.piles):
            scratch.piles[team], scratch.basras[team] = card_set(pile), at.basras[team]
        top, _ = self._stock
        end = top + at.setting.plays - at.setting.players * at.setting.hand_sizes[0]
        scratch.top[0] = top
        if at.bottom:
            scratch.deck[end - len(at.bottom) : end] = at.bottom
        if at.past is not None:
            scratch.seen[: at.plays], scratch.floors[: at.plays] = at.past.seen, at.past.floors
        for number, move in enumerate(self.moves):
            scratch.options[number] = move.card, card_set(move.taken)
        return scratch


@cache
def _chances() -> npt.NDArray[np.float64]:
    """The table of `features.chances`."""
    return chances()


@cache
def _address() -> int:
    """Address of the compiled roll-out: the same for all settings."""
    some = codes(setting("bastra"))
    return roll_out_address(some, tables(), make_scratch(NO_SEARCH_DESK))
