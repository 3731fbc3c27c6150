"""
Endings with hidden cards, gone through way by way: on the readable engine, with players who reckon features anew.

Every way in which the hidden cards may lie is played out once; nothing is drawn, and nothing compiled is asked but in
what order choices that are worth the same stand.
"""

import copy
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

from basra_sim.cards import card_set
from basra_sim.legal import legal
from basra_sim.policies import Policy
from basra_sim.reference import Choice, Round, choice_key
from basra_sim.search.situations import Past, Situation, Stray
from tests.naive_rounds import best_plays

Key = tuple[int, tuple[str, ...]]


@dataclass(frozen=True)
class Ending:
    """The end of a round as one who forgot some captured cards, and whose some are, knows it."""

    start: Round
    """The round before the first play of the deal."""
    made: tuple[tuple[int, tuple[int, ...]], ...]
    """Plays of the deal so far: card, cards taken."""
    at: Round
    """The round as it really is."""
    forgotten: frozenset[int]
    """Captured cards that he does not remember at all."""
    strays: tuple[Stray, ...]
    past: Past

    def situation(self) -> Situation:
        """What the player on turn knows."""
        at, unsure = self.at, self.forgotten | {stray.card for stray in self.strays}
        return Situation(
            at.setting,
            at.turn,
            tuple(at.hands[at.seat]),
            tuple(at.floor),
            tuple(tuple(card for card in pile if card not in unsure) for pile in at.piles),
            tuple(map(sum, at.basras)),
            at.last_capture,
            self.strays,
            lone_before=at.lone_before,
            carry=at.carry_in,
            past=self.past,
        )


def copied(game: Round) -> Round:
    """A round that can be played on without touching the other."""
    found = copy.copy(game)
    found.hands, found.piles = [list(hand) for hand in game.hands], [list(pile) for pile in game.piles]
    found.basras, found.floor, found.stock = [list(each) for each in game.basras], list(game.floor), list(game.stock)
    found._answer, found._next_deals = None, list(game._next_deals)
    return found


def drawn_ending(
    start: Round, draw: random.Random, left: int, forgotten: int = 0, strays: int = 0, player: Policy | None = None
) -> Ending:
    """A round played until so many plays are left, at random or half of it by a policy, with cards forgotten."""
    at, before = start, copied(start)
    seen: list[int] = []
    floors: list[int] = []
    outside = ~((1 << at.setting.rules.pack) - 1)
    made: list[tuple[int, tuple[int, ...]]] = []
    while at.plays - at.turn > left:
        floors.append(card_set(at.floor))
        seen.append(outside | card_set(card for pile in (*at.piles, at.floor) for card in pile))
        card, stock = draw.choice(at.hands[at.seat]), len(at.stock)
        choice = draw.choice(at.legal(card))
        if player is not None and draw.random() < 0.5:
            card, choice = favourite(at, player)
        at.play(card, choice.taken)
        made.append((card, choice.taken))
        if len(at.stock) < stock:
            before, made = copied(at), []
    captured = [(team, card) for team, pile in enumerate(at.piles) for card in pile]
    draw.shuffle(captured)
    lost = frozenset(card for _, card in captured[:forgotten])
    own, unsure = at.teams[at.seat], []
    for team, card in captured[forgotten : forgotten + strays]:
        unsure.append(Stray(card, own if len(at.piles) > 2 and team != own and draw.random() < 0.5 else None))
    return Ending(before, tuple(made), at, lost, tuple(unsure), Past(tuple(seen), tuple(floors)))


def places(ending: Ending) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Hands that the others may hold, and stocks that may lie there; what is left over is captured."""
    at = ending.at
    hidden = [card for seat, hand in enumerate(at.hands) if seat != at.seat for card in hand]
    hidden = sorted([*hidden, *at.stock, *ending.forgotten])
    deals, dealt = list(at.setting.hand_sizes), len(at.stock)
    while dealt:
        dealt -= deals.pop() * len(at.hands)
    later = at.setting.hand_sizes[len(deals) :]
    sizes = [0 if seat == at.seat else len(hand) for seat, hand in enumerate(at.hands)]
    sizes += [size for size in later for _ in at.hands]

    def handed(sizes: Sequence[int], rest: list[int]) -> Iterator[list[list[int]]]:
        if not sizes:
            yield []
            return
        for hand in combinations(rest, sizes[0]):
            for more in handed(sizes[1:], [card for card in rest if card not in hand]):
                yield [list(hand), *more]

    for hands in handed(sizes, hidden):
        now, seats = hands[: len(at.hands)], len(at.hands)
        now[at.seat] = list(at.hands[at.seat])
        stock: list[int] = []
        for deal in range(len(later)):
            new = hands[seats * (deal + 1) : seats * (deal + 2)]
            packet = at.rules.deal == "packet"
            stock += (
                [card for hand in new for card in hand]
                if packet
                else [hand[k] for k in range(later[deal]) for hand in new]
            )
        yield now, stock


def assigned(ending: Ending, held: Collection[int]) -> Iterator[list[list[int]]]:
    """Piles that there may be if some of the hidden cards are not captured; all are alike."""
    at, situation = ending.at, ending.situation()
    unsure = [(card, None) for card in situation.hidden if card not in held] + [
        (s.card, s.never) for s in ending.strays
    ]
    allowed = [[team for team in range(len(at.piles)) if team != never] for _, never in unsure]
    for teams in product(*allowed):
        piles = [list(pile) for pile in situation.piles]
        for (card, _), team in zip(unsure, teams, strict=True):
            piles[team].append(card)
        yield piles


def favourite(game: Round, player: Policy) -> tuple[int, Choice]:
    """What a policy plays: of plays that are worth the same the lower card, then as the compiled engine has them."""
    best = best_plays(game, player)
    if len(best) == 1:
        return best[0]
    rules, card = game.rules, best[0][0]
    found = legal(rules, game.floor, card, lone_before=game.lone_before, last_card=game.last_card)
    order = [choice_key(rules, taken) for taken, _ in found]
    return min(
        ((each, choice) for each, choice in best if each == card),
        key=lambda play: order.index(choice_key(rules, play[1].taken)),
    )


def surprise(ending: Ending, hands: Sequence[Sequence[int]], stock: Sequence[int], player: Policy) -> int:
    """How many of the others' plays of the deal a policy would not have made with such hands."""
    game, seats = copied(ending.start), len(hands)
    game.stock = list(stock)
    game.hands = [
        [*hands[seat], *(card for k, (card, _) in enumerate(ending.made) if k % seats == seat)] for seat in range(seats)
    ]
    count = 0
    for card, taken in ending.made:
        if game.seat != ending.at.seat and len(game.hands[game.seat]) > 1:
            chosen, choice = favourite(game, player)
            wanted = choice_key(game.rules, choice.taken)
            count += chosen != card or wanted != choice_key(game.rules, taken)
        game.play(card, taken)
    return count


class Fate(NamedTuple):
    """What comes of a play in one way."""

    gained: tuple[int, ...]
    """Points of each team from now on."""
    totals: tuple[int, ...]
    """Points of each team in the whole round."""
    reply: int
    """Points of the basra that the next player makes at once."""


class Way(NamedTuple):
    """A way in which the hidden cards may lie."""

    weight: float
    fates: dict[Key, Fate]


def enumerate_ways(ending: Ending, player: Policy, doubt: float = 1.0) -> list[Way]:
    """Every way with its weight, and what comes of each legal play of the seat on turn."""
    ways = []
    for hands, stock in places(ending):
        weight = 1.0 if doubt == 1 else doubt ** min(surprise(ending, hands, stock, player), 3)
        for piles in assigned(ending, {*stock, *(card for hand in hands for card in hand)}):
            game = copied(ending.at)
            game.hands, game.piles, game.stock = [list(hand) for hand in hands], piles, list(stock)
            fates = {
                (card, choice_key(game.rules, choice.taken)): fate(game, card, choice, player)
                for card in game.hands[game.seat]
                for choice in game.legal(card)
            }
            ways.append(Way(weight, fates))
    return ways


def fate(game: Round, card: int, choice: Choice, player: Policy) -> Fate:
    """What comes of a play if all play on by a policy."""
    before = [score.total for score in game.scores()]
    played, replies = copied(game), []
    played.play(card, choice.taken)
    while not played.over:
        other, made = favourite(played, player)
        replies.append(made.basra)
        played.play(other, made.taken)
    after = [score.total for score in played.scores()]
    gained = tuple(end - begin for end, begin in zip(after, before, strict=True))
    return Fate(gained, tuple(after), replies[0] if replies else 0)


def margin(points: Sequence[int], team: int) -> float:
    """Points of a team less the mean of the others'."""
    return points[team] - (sum(points) - points[team]) / (len(points) - 1)


def expected(ways: Sequence[Way], value: Callable[[Fate], float]) -> dict[Key, float]:
    """Expected value of each play."""
    whole = sum(way.weight for way in ways)
    return {key: sum(way.weight * value(way.fates[key]) for way in ways) / whole for key in ways[0].fates}
