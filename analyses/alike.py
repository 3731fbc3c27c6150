"""Play whose truth is known: policies that play differently and are worth the same, and bonuses of a known size."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.experiment import Design, design
from basra_sim.policies import Policy, policy
from basra_sim.simulation import Played, Progress
from basra_sim.variants import setting

Values = npt.NDArray[np.int64]
"""(units, quantities): what is measured of each unit."""

_SALTS = (1.0, 2.0)

_GOLDEN, _MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@cache
def alike() -> tuple[Policy, Policy]:
    """Two policies that play any play at random, each by chances of its own: neither can be better."""
    from math import floor, sin

    def salted(salt: float) -> Policy:
        def any_play(view, play):  # type: ignore[no-untyped-def]
            x = view.noise % 999983 * 12.9898 + play.card * 78.233 + play.taken % 10007 * 37.719 + salt * 4.1414
            y = sin(x) * 43758.5453
            return y - floor(y)

        named: Policy = policy(any_play, name=f"any play, {salt:g}", summary="any play, all alike")
        return named

    first, second = map(salted, _SALTS)
    return first, second


@dataclass(frozen=True, kw_only=True)
class Source:
    """
    Where the units of experiments come from: a duel of policies that are alike.

    Attributes
    ----------
    units : deals or matches of each experiment
    players, pairs, opponent, matches : as for `experiment.duel`
    """

    units: int
    players: int = 2
    pairs: bool = False
    opponent: str | None = None
    matches: bool = False

    def design(self, seed: int) -> Design:
        """What is measured of each unit."""
        table = setting("bastra", self.players, self.pairs)
        return design(*alike(), table, self.opponent, seed, self.matches)

    def play(self, units: int, seed: int, threads: int | None = None, progress: Progress | None = None) -> Values:
        """Values of the units from number 0 on; of matches also the rounds won, times 12, and the rounds."""
        the = self.design(seed)
        measure: Callable[[Played], Values] = _with_rounds(the) if self.matches else the.values
        return np.concatenate(list(the.plan.map(measure, units, threads=threads, progress=progress)))


def _with_rounds(the: Design) -> Callable[[Played], Values]:
    """Measure of matches at two players that has their rounds behind all else."""

    def measure(played: Played) -> Values:
        points = played.rows[:, :2, kernel.ACES : kernel.BASRAS + 1].sum(axis=2, dtype=np.int64)
        seating = (played.facts[:, kernel.ROUND] == 0).cumsum() - 1
        tried = seating % 2
        rounds = np.arange(len(points))
        gap = points[rounds, tried] - points[rounds, 1 - tried]
        found = np.zeros((played.units, 2), np.int64)
        np.add.at(found[:, 0], seating // 2, 6 + 6 * np.sign(gap))
        np.add.at(found[:, 1], seating // 2, 1)
        return np.concatenate([the.values(played), found], axis=1)

    return measure


def chance(units: int, salt: int) -> npt.NDArray[np.float64]:
    """A number from 0 to 1 for each unit, by a hash of its number: independent of all play."""
    with np.errstate(over="ignore"):
        bits = np.arange(1, units + 1, dtype=np.uint64) * _GOLDEN + np.uint64(salt) * _MIX_1
        bits = (bits ^ bits >> np.uint64(30)) * _MIX_1
        bits = (bits ^ bits >> np.uint64(27)) * _MIX_2
        bits ^= bits >> np.uint64(31)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def bonus(units: int, size: float) -> npt.NDArray[np.int64]:
    """Whole points for each unit whose expectation is some size: those below it, and one more in a share of units."""
    least = int(np.floor(size))
    return least + (chance(units, 1) < size - least).astype(np.int64)


def planted(values: Values, the: Design, size: float) -> Values:
    """Values with a bonus of an expected size for the first policy in every round, by the number of the unit."""
    given = values.copy()
    given[:, : the.places] += (the.places - 1) * bonus(len(values), size)[:, None]
    return given


def thinned(values: Values, the: Design, share: float) -> Values:
    """Values of policies that differ only in a share of the units, drawn by the number of the unit."""
    kept = chance(len(values), 2) < share
    given = values.copy()
    given[:, : len(the.signs)] *= kept[:, None]
    return given
