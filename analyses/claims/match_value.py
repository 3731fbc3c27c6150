"""What a score is worth: the chance to win the match from it, worked out from how single rounds end."""

from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from analyses.claims.model import Table
from basra_sim import turns
from basra_sim.errors import InputError
from basra_sim.executors import JOIN, Arrays
from basra_sim.plans import Plan, Played, plan

ROUNDS = 50_000
"""Rounds that the distribution of results is taken from."""

NEAR = (20, 15, 10, 5)
"""Points still wanted by either side, at which a match is near its end."""

Values = npt.NDArray[np.float64]

Shares = dict[tuple[int, int], float]
"""Shares of rounds by the points of one side and of the other."""


def results(table: Table, policies: tuple[str, str], seed: int, threads: int | None) -> Shares:
    """Shares of rounds by the points of the first mover's side and of the other's, each of one policy."""
    planned = plan(table.variant, players=table.players, pairs=table.pairs, policies=policies, seed=seed)
    return shares_of(planned, ROUNDS, threads)


def shares_of(planned: Plan, rounds: int, threads: int | None) -> Shares:
    """Shares of so many rounds of a plan by the points of the first mover's side and of the other's."""
    counts: dict[tuple[int, int], int] = {}
    for (part,) in planned.map(_totals, (JOIN,), rounds, threads=threads):
        pairs, numbers = np.unique(part, axis=0, return_counts=True)
        for (first, other), number in zip(pairs.tolist(), numbers.tolist(), strict=True):
            counts[first, other] = counts.get((first, other), 0) + number
    return {pair: number / rounds for pair, number in counts.items()}


def _totals(played: Played) -> Arrays:
    """Points of both sides in each round, (rounds, 2)."""
    return (played.rows[:, :2, turns.ACES : turns.BASRAS + 1].sum(axis=2, dtype=np.int64),)


def turned(shares: Shares) -> Shares:
    """The same rounds as the other side sees them."""
    return {(other, own): share for (own, other), share in shares.items()}


def values(moving: Shares, waiting: Shares, target: int) -> tuple[Values, Values]:
    """
    Chance of one side to win the match, if it moves first in the next round and if the other does.

    Parameters
    ----------
    moving, waiting : share of rounds by its points and the other's, of those it moves first in, and of the rest
    target : points that end the match

    Returns
    -------
    two (target, target) float64
        By its score and the other's.

    Notes
    -----
    Players do not look at the score, so rounds are alike, and the chance follows by recursion from the end. A tie at
    the top is played off; points carried over from one round to the next are left out.
    """
    ties = played_off(moving, waiting)
    found = np.zeros((target, target)), np.zeros((target, target))
    rounds = [(np.array(list(shares), np.int64), np.array(list(shares.values()))) for shares in (moving, waiting)]
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            for at, (points, weights) in enumerate(rounds):
                after = _after(found[1 - at], points[:, 0] + own, points[:, 1] + other, target, ties[1 - at])
                found[at][own, other] = weights @ after
    return found


def played_off(moving: Shares, waiting: Shares) -> tuple[float, float]:
    """Chance of one side to win a tie that is played off, if it moves first and if the other does."""
    (ahead, level), (other_ahead, other_level) = (
        (sum(share for pair, share in shares.items() if pair[0] > pair[1]), _level(shares))
        for shares in (moving, waiting)
    )
    first = (ahead + level * other_ahead) / (1 - level * other_level)
    return first, other_ahead + other_level * first


def _level(shares: Shares) -> float:
    """Share of rounds that end level."""
    return sum(share for (own, other), share in shares.items() if own == other)


def _after(found: Values, own: npt.NDArray[np.int64], other: npt.NDArray[np.int64], target: int, tie: float) -> Values:
    """Chance to win after a round that ended with these scores, from the chances in the next round and in a tie."""
    inside = np.maximum(own, other) < target
    ended = np.where(own > other, 1.0, np.where(own < other, 0.0, tie))
    return np.where(inside, found[np.where(inside, own, 0), np.where(inside, other, 0)], ended)


class Chances:
    """
    Chance of a side to win a match, from how rounds end.

    Parameters
    ----------
    target : points that end the match
    moving, waiting : share of rounds by the side's points and the other's, of those it moves first in, and of the rest
    """

    def __init__(self, target: int, moving: Shares, waiting: Shares) -> None:
        """Work the chances out."""
        self.target = target
        self.ties = played_off(moving, waiting)
        self.found = values(moving, waiting, target)

    def won(
        self, team: npt.NDArray[np.int64], own: npt.NDArray[np.int64], other: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Chance of the side as each team (0 moved first in the round just ended) to win with these scores."""
        moves, waits = (_after(self.found[at], own, other, self.target, self.ties[at]) for at in (0, 1))
        return np.where(team == 0, waits, moves)


class MatchValue(Chances):
    """
    Chance of a side to win a match at a table of two sides.

    Parameters
    ----------
    table, policy, opponent, seed, threads : what is played to find out how rounds end; the opponent plays alike if None
    """

    def __init__(
        self, table: Table, policy: str, seed: int, threads: int | None = None, opponent: str | None = None
    ) -> None:
        """Play rounds and work the chances out."""
        seated = plan(table.variant, players=table.players, pairs=table.pairs).setting
        if seated.team_count > 2:
            raise InputError(f"chances to win a match are worked out for two sides, not for {table.label}")
        moving = results(table, (policy, opponent or policy), seed, threads)
        waiting = turned(moving if opponent is None else results(table, (opponent, policy), seed, threads))
        super().__init__(seated.rules.target, moving, waiting)

    @property
    def near(self) -> list[tuple[int, int]]:
        """Scores of both sides near the end of a match."""
        return [(self.target - own, self.target - other) for own, other in product(NEAR, NEAR)]


@lru_cache(maxsize=32)
def match_value(
    table: Table, policy: str, seed: int, threads: int | None = None, opponent: str | None = None
) -> MatchValue:
    """The chances at a table, worked out once."""
    return MatchValue(table, policy, seed, threads, opponent)
