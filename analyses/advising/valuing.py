"""What the legal plays of a situation come to: by playing out, or solved where nothing is hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.executors import Progress, chunks, in_order, thread_count
from basra_sim.policies import Policy
from basra_sim.reference.rounds import card_points
from basra_sim.rules import Setting
from basra_sim.search.open_hands import OpenRound, open_plays
from basra_sim.search.situations import Move, Outcomes, Situation, Trial
from basra_sim.search.tree import Tree, make_tree
from basra_sim.stats import LEVEL, MANY, Estimate, mean

WAYS_A_CHUNK = 1024
"""Ways that are played out at once. What comes out does not depend on it."""

Floats = npt.NDArray[np.float64]


class Valued(NamedTuple):
    """
    What each legal play comes to, way by way.

    Attributes
    ----------
    moves : legal plays
    margins : (ways, plays) float64
        Points of the player's team from now on less the mean of the others', those for most cards among them.
    totals : (ways, plays, teams) int64
        Points of each team in the whole round.
    replies : (ways, plays) int64
        Points of the basra that the next player makes at once; 0 if he makes none.
    solved : whether the play that follows is perfect; else all play on as a policy does
    sure : whether there is one way alone
    """

    moves: tuple[Move, ...]
    margins: Floats
    totals: npt.NDArray[np.int64]
    replies: npt.NDArray[np.int64]
    solved: bool
    sure: bool


class Lead(NamedTuple):
    """
    How much better one play is than another, in the same ways.

    Attributes
    ----------
    estimate : Estimate
        Its interval holds for all comparisons of the plays together.
    comparisons : number of these
    """

    estimate: Estimate
    comparisons: int

    @property
    def real(self) -> bool:
        """Whether it is more than chance."""
        low = self.estimate.low if self.estimate.low is not None else self.estimate.value
        return low is not None and low > 0


def can_solve(situation: Situation) -> bool:
    """Whether it is certain where all cards lie, in the last deal of two sides."""
    at = situation
    return at.setting.team_count == 2 and at.all_known and not at.strays


def value_plays(
    situation: Situation,
    policy: Policy,
    *,
    ways: int,
    seed: int,
    number: int = 0,
    doubt: float = 1.0,
    moves: Sequence[Move] | None = None,
    threads: int | None = None,
    solve: bool = True,
    progress: Progress | None = None,
) -> Valued:
    """
    What the legal plays come to: solved where nothing is hidden from two sides, else played out.

    Parameters
    ----------
    situation : Situation
    policy : by which all play on
    ways : ways in which the hidden cards are laid
    seed, number : seed, and number of the stream, of the ways
    doubt : as `Trial` has it
    moves : plays to value; all legal ones by default
    threads : how many threads; the result does not depend on it
    solve : whether what can be solved is solved, and not played out
    progress : called with the ways that are played out and all of them

    Raises
    ------
    BasraError
        If a card has too many choices.
    """
    if solve and can_solve(situation):
        return _solved(situation, tuple(situation.moves if moves is None else moves))
    trial = Trial(situation, policy, seed, number, doubt, moves)
    sure = situation.all_known and not situation.strays
    parts = chunks(0, 1 if sure else ways, WAYS_A_CHUNK)
    at_once = thread_count(threads) if ways > WAYS_A_CHUNK else 1
    if at_once > 1:
        trial.run(0, 1)  # what is yet to be compiled is compiled in this thread
    found = []
    for part in in_order(trial.run, parts, at_once):
        found.append(part)
        if progress is not None:
            progress(min(len(found) * WAYS_A_CHUNK, ways), ways)
    whole = Outcomes(*(np.concatenate(part) for part in zip(*found, strict=True)))
    gained = whole.points - whole.earlier[:, None, :]
    return Valued(trial.moves, _margins(gained, situation.team), whole.points, whole.replies, False, sure)


def _margins(points: npt.NDArray[np.int64], team: int) -> Floats:
    """Points of a team less the mean of the others'; the last axis is of teams."""
    teams = points.shape[-1]
    return np.asarray((teams * points[..., team] - points.sum(axis=-1)) / (teams - 1), np.float64)


def estimate(values: Floats, quantile: float | None = None) -> Estimate:
    """Mean of independent values with its interval, by another quantile if one is given."""
    found = mean(float(values.sum()), float((values * values).sum()), len(values))
    if quantile is None or found.value is None or found.half_width is None:
        return found
    half = quantile * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(found.value, found.value - half, found.value + half, found.units)


def corrected_quantile(comparisons: int, units: int) -> float:
    """Quantile with which the intervals of so many comparisons hold together (Bonferroni)."""
    tail = LEVEL / (2 * comparisons)
    if units >= MANY:
        return NormalDist().inv_cdf(1 - tail)
    from scipy.special import stdtrit

    return float(stdtrit(units - 1, 1 - tail))


def lead(margins: Floats, best: int, other: int) -> Lead:
    """Lead of one play over another, among all comparisons of two plays."""
    plays = margins.shape[1]
    comparisons = plays * (plays - 1) // 2
    apart = margins[:, best] - margins[:, other]
    if len(apart) == 1:
        return Lead(estimate(apart), comparisons)
    return Lead(estimate(apart, corrected_quantile(comparisons, len(apart))), comparisons)


@dataclass(frozen=True)
class _Table:
    """A round with open hands somewhere in its last deal."""

    setting: Setting
    open: OpenRound
    plays: int

    @property
    def seat(self) -> int:
        """Seat on turn; the last deal begins with seat 0."""
        return self.plays % self.setting.players

    def after(self, move: Move) -> "_Table":
        """The round after a play of the seat on turn."""
        at, seat = self.open, self.seat
        team = self.setting.teams[seat]
        hands = [[card for card in hand if card != move.card] if each == seat else hand
                 for each, hand in enumerate(at.hands)]  # fmt: skip
        captured, basras = [list(pile) for pile in at.captured], list(at.basras)
        if move.taken:
            captured[team] += [move.card, *move.taken]
            basras[team] += move.basra
            floor = [card for card in at.floor if card not in move.taken]
        else:
            floor = [*at.floor, move.card]
        lone = not move.taken and len(at.floor) == 1
        last = seat if move.taken else at.last_capture
        return replace(
            self,
            open=at._replace(
                hands=hands, floor=floor, captured=captured, basras=basras, lone_before=lone, last_capture=last
            ),
            plays=self.plays + 1,
        )

    def moves(self) -> tuple[Move, ...]:
        """Legal plays."""
        at = self.open
        return Situation(
            self.setting, self.plays, tuple(at.hands[self.seat]), tuple(at.floor), (), (), lone_before=at.lone_before
        ).moves

    def totals(self) -> list[int]:
        """Points of each team, the round being over."""
        at, rules = self.open, self.setting.rules
        piles = [list(pile) for pile in at.captured]
        if at.last_capture is not None:
            piles[self.setting.teams[at.last_capture]] += at.floor
        most = max(map(len, piles))
        leaders = [team for team, pile in enumerate(piles) if len(pile) == most]
        bonus = rules.majority_points + at.carry_in if len(leaders) == 1 or rules.majority_tie == "each" else 0
        return [
            sum(card_points(rules, pile)) + basras + bonus * (team in leaders)
            for team, (pile, basras) in enumerate(zip(piles, at.basras, strict=True))
        ]


def _solved(situation: Situation, moves: tuple[Move, ...]) -> Valued:
    """Plays valued by perfect play of both sides."""
    at, setting = situation, situation.setting
    hands: list[Any] = [list(hand) for hand in at.held[: setting.players]]
    rest = list(at.hidden)
    for seat, count in enumerate(at.hidden_in_hands):
        hands[seat] += [rest.pop() for _ in range(count)]
    hands[at.seat] = list(at.hand)
    start = _Table(
        setting, OpenRound(hands, at.floor, at.piles, at.basras, at.last, (), at.lone_before, at.carry), at.plays
    )
    earlier = np.array(
        [sum(card_points(setting.rules, pile)) + points for pile, points in zip(at.piles, at.basras, strict=True)]
    )
    tree = make_tree()
    totals, replies = np.zeros((1, len(moves), 2), np.int64), np.zeros((1, len(moves)), np.int64)
    for number, move in enumerate(moves):
        end = start.after(move)
        while end.plays < setting.plays:
            reply = _best(end, tree)
            if end.plays == start.plays + 1:
                replies[0, number] = reply.basra
            end = end.after(reply)
        totals[0, number] = end.totals()
    return Valued(moves, _margins(totals - earlier, at.team), totals, replies, True, True)


def _best(table: _Table, tree: Tree) -> Move:
    """Best play of the seat on turn, the first of equals."""
    found = open_plays(table.setting, table.open, tree=tree)
    best = max(found, key=lambda play: play.margin)
    return next(move for move in table.moves() if (move.card, move.taken) == (best.card, best.taken))
