"""What a score is worth: the chance to win the match from it, worked out from how single rounds end."""

from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from analyses.claims.model import Table
from basra_sim import kernel
from basra_sim.errors import InputError
from basra_sim.simulation import Played, plan

ROUNDS = 200_000
"""Rounds that the distribution of results is taken from."""

NEAR = (20, 15, 10, 5)
"""Points still wanted by either side, at which a match is near its end."""

Values = npt.NDArray[np.float64]


def results(table: Table, policy: str, seed: int, threads: int | None) -> dict[tuple[int, int], float]:
    """Shares of rounds by the points of the first mover's side and of the other's, among players of one policy."""
    planned = plan(table.variant, players=table.players, pairs=table.pairs, policies=policy, seed=seed)
    counts: dict[tuple[int, int], int] = {}

    def totals(played: Played) -> npt.NDArray[np.int64]:
        return np.asarray(played.rows[:, :2, kernel.ACES : kernel.BASRAS + 1].sum(axis=2, dtype=np.int64))

    for part in planned.map(totals, ROUNDS, threads=threads):
        pairs, numbers = np.unique(part, axis=0, return_counts=True)
        for (first, other), number in zip(pairs.tolist(), numbers.tolist(), strict=True):
            counts[first, other] = counts.get((first, other), 0) + number
    return {pair: number / ROUNDS for pair, number in counts.items()}


def values(shares: dict[tuple[int, int], float], target: int) -> Values:
    """
    Chance to win the match for the side that moves first in the next round, by its score and the other's.

    Parameters
    ----------
    shares : share of rounds by points of first mover and other
    target : points that end the match

    Returns
    -------
    (target, target) float64

    Notes
    -----
    Players do not look at the score, so rounds are alike, and the chance follows by recursion from the end. A tie at
    the top is played off; points carried over from one round to the next are left out.
    """
    points = np.array(list(shares), np.int64)
    weights = np.array(list(shares.values()))
    found = np.zeros((target, target))
    tie = played_off(shares)
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            after = _after(found, points[:, 0] + own, points[:, 1] + other, target, tie)
            found[own, other] = weights @ after
    return found


def played_off(shares: dict[tuple[int, int], float]) -> float:
    """Chance to win a tie that is played off, for the side that moves first."""
    ahead = sum(share for (first, other), share in shares.items() if first > other)
    level = sum(share for (first, other), share in shares.items() if first == other)
    return (ahead + level) / (1 + level)


def _after(found: Values, own: npt.NDArray[np.int64], other: npt.NDArray[np.int64], target: int, tie: float) -> Values:
    """Chance to win for the side that moved first, after a round that ended with these scores."""
    best = np.maximum(own, other)
    inside = best < target
    going_on = 1 - found[np.where(inside, other, 0), np.where(inside, own, 0)]
    ended = np.where(own > other, 1.0, np.where(own < other, 0.0, 1 - tie))
    return np.where(inside, going_on, ended)


class MatchValue:
    """
    Chance to win a match, for players of one policy at a table of two sides.

    Parameters
    ----------
    table, policy, seed, threads : what is played to find out how rounds end
    """

    def __init__(self, table: Table, policy: str, seed: int, threads: int | None = None) -> None:
        """Play rounds and work the chances out."""
        seated = plan(table.variant, players=table.players, pairs=table.pairs).setting
        if seated.team_count > 2:
            raise InputError(f"chances to win a match are worked out for two sides, not for {table.label}")
        rules = seated.rules
        shares = results(table, policy, seed, threads)
        self.target = rules.target
        self.tie = played_off(shares)
        self.found = values(shares, self.target)

    @property
    def near(self) -> list[tuple[int, int]]:
        """Scores of both sides near the end of a match."""
        return [(self.target - own, self.target - other) for own, other in product(NEAR, NEAR)]

    def won(
        self, team: npt.NDArray[np.int64], own: npt.NDArray[np.int64], other: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Chance of each team (0 moved first in the round just ended) to win with its score against the other's."""
        first, second = np.where(team == 0, own, other), np.where(team == 0, other, own)
        chance = _after(self.found, first, second, self.target, self.tie)
        return np.where(team == 0, chance, 1 - chance)


@lru_cache(maxsize=32)
def match_value(table: Table, policy: str, seed: int, threads: int | None = None) -> MatchValue:
    """The chances at a table, worked out once."""
    return MatchValue(table, policy, seed, threads)
