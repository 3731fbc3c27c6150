"""
Endings with open hands solved by trying everything, on the readable engine and the written rules alone.

Every position is worth the points that each team gets from there on; the team on turn takes the play that is best for
its margin; of equals that with the lower card, then that which takes the lower set: the highest card that one of them
takes alone decides.
"""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from basra_sim.reference import Round
from basra_sim.reference.choices import Choice, choices_of
from basra_sim.reference.rounds import card_points
from basra_sim.rules import Rules, Setting
from basra_sim.search.open_hands import OpenRound

Points = tuple[int, ...]
Play = tuple[int, Choice]


class Position(NamedTuple):
    """What matters for the rest of a round: the stock and the rules besides."""

    hands: tuple[frozenset[int], ...]
    dealt: int
    """Hands of the stock that have been dealt."""
    turn: int
    floor: frozenset[int]
    lone_before: bool
    captor: int | None
    """Team that captured last."""
    cards: tuple[int, ...]
    """Cards captured by each team."""


class Solver:
    """
    Values of the positions of one round, each worked out once.

    Parameters
    ----------
    at : the round where it stands
    beyond : what is played in a position of the deals to come, if not the best
    """

    def __init__(self, at: Round, beyond: Callable[["Solver", Position], Play] | None = None) -> None:
        self.beyond = beyond
        self.rules, self.teams, self.carry = at.rules, at.teams, at.carry_in
        self.players, self.plays, self.count = len(at.hands), at.plays, len(at.piles)
        self.later: list[tuple[frozenset[int], ...]] = []
        self.known: dict[Position, Points] = {}
        stock, left, sizes = list(at.stock), len(at.stock), at.setting.hand_sizes
        for size in reversed(sizes):
            if left == 0:
                break
            left -= size * self.players
            cards = stock[left : left + size * self.players]
            if self.rules.deal == "packet":
                hands = [cards[seat * size : (seat + 1) * size] for seat in range(self.players)]
            else:
                hands = [cards[seat :: self.players] for seat in range(self.players)]
            self.later.insert(0, tuple(map(frozenset, hands)))
        self.start = Position(
            tuple(map(frozenset, at.hands)),
            0,
            at.turn,
            frozenset(at.floor),
            at.lone_before,
            None if at.last_capture is None else self.teams[at.last_capture],
            tuple(map(len, at.piles)),
        )

    def value(self, at: Position) -> Points:
        """Points of each team from a position on."""
        if at.turn == self.plays:
            return self._counted(at)
        if at not in self.known:
            if self.beyond and at.dealt:
                self.known[at] = self.outcome(at, *self.beyond(self, at))
            else:
                team = self.teams[at.turn % self.players]
                outcomes = [self.outcome(at, *play) for play in self.legal(at)]
                self.known[at] = max(outcomes, key=lambda points: self.count * points[team] - sum(points))
        return self.known[at]

    def legal(self, at: Position) -> list[Play]:
        """Legal plays of whoever is on turn."""
        return [
            (card, choice)
            for card in sorted(at.hands[at.turn % self.players])
            for choice in in_order(self.rules, at.floor, card, at.lone_before, at.turn == self.plays - 1)
        ]

    def outcome(self, at: Position, card: int, choice: Choice) -> Points:
        """Points of each team from a position on, once a play is made there."""
        seat = at.turn % self.players
        after = list(self.value(self._after(at, seat, card, choice.taken)))
        if choice.taken:
            after[self.teams[seat]] += sum(card_points(self.rules, (card, *choice.taken))) + choice.basra
        return tuple(after)

    def _after(self, at: Position, seat: int, card: int, taken: Sequence[int]) -> Position:
        """Position after a play."""
        team = self.teams[seat]
        hands = tuple(hand - {card} if each == seat else hand for each, hand in enumerate(at.hands))
        dealt, captor, cards = at.dealt, at.captor, list(at.cards)
        if not any(hands) and dealt < len(self.later):
            hands, dealt = self.later[dealt], dealt + 1
        if taken:
            floor, captor = at.floor - set(taken), team
            cards[team] += 1 + len(taken)
        else:
            floor = at.floor | {card}
        lone = not taken and len(at.floor) == 1
        return Position(hands, dealt, at.turn + 1, floor, lone, captor, tuple(cards))

    def _counted(self, at: Position) -> Points:
        """Points for what is left on the floor, and for most cards."""
        assert at.captor is not None
        points, cards = [0] * self.count, list(at.cards)
        points[at.captor] += sum(card_points(self.rules, at.floor))
        cards[at.captor] += len(at.floor)
        leaders = [team for team in range(self.count) if cards[team] == max(cards)]
        if len(leaders) == 1 or self.rules.majority_tie == "each":
            for team in leaders:
                points[team] += self.rules.majority_points + self.carry
        return tuple(points)


def margin(points: Sequence[int], team: int) -> float:
    """Points of a team less the mean of the others'."""
    return points[team] - (sum(points) - points[team]) / (len(points) - 1)


@lru_cache(maxsize=200_000)
def in_order(rules: Rules, floor: frozenset[int], card: int, lone_before: bool, last_card: bool) -> list[Choice]:
    """Choices of a card, lower sets first."""
    found = choices_of(rules, sorted(floor), card, lone_before, last_card)
    return sorted(found, key=lambda choice: sorted(choice.taken, reverse=True))


def margins(
    at: Round, beyond: Callable[[Solver, Position], Play] | None = None
) -> dict[tuple[int, tuple[int, ...]], float]:
    """Margin at the end of the round of each legal play of the seat on turn: by card and set taken."""
    solver = Solver(at, beyond)
    so_far = [score.total for score in at.scores()]
    found = {}
    for card, choice in solver.legal(solver.start):
        points = solver.outcome(solver.start, card, choice)
        totals = [before + after for before, after in zip(so_far, points, strict=True)]
        found[card, choice.taken] = margin(totals, at.teams[at.seat])
    return found


def random_ending(draw: random.Random, start: Round, left: int) -> Round:
    """A round played at random until so many plays are left."""
    while start.plays - start.turn > left:
        card = draw.choice(start.hands[start.seat])
        start.play(card, draw.choice(start.legal(card)).taken)
    return start


def start(table: Setting, draw: random.Random) -> Round:
    """A round dealt at random, with or without points carried in."""
    pack = draw.sample(range(table.rules.pack), table.rules.pack)
    carry = draw.choice([0, table.rules.majority_points]) if table.rules.majority_tie == "carry" else 0
    return Round(table, pack, carry_in=carry)


def opened(at: Round) -> OpenRound:
    """A round as the search takes it."""
    basras = [sum(points) for points in at.basras]
    return OpenRound(at.hands, at.floor, at.piles, basras, at.last_capture, at.stock, at.lone_before, at.carry_in)
