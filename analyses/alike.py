"""Play whose truth is known: policies that play differently and are worth the same, and bonuses of a known size."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from basra_sim import kernel, turns
from basra_sim.deals import SEED_LIMIT
from basra_sim.decisions import decisions
from basra_sim.executors import JOIN, Arrays, Progress
from basra_sim.experiment import Design, design
from basra_sim.plans import Played
from basra_sim.policies import Advice
from basra_sim.policies.advice import ADVICE
from basra_sim.variants import setting

Values = npt.NDArray[np.int64]
"""(units, quantities): what is measured of each unit."""

_GOLDEN, _MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


ALIKE = ("greedy+placebo", "greedy+placebo:reversed")
"""
Policies that are worth the same though they play differently: a coin is thrown for each card, one of them plays only
heads and the other only tails where it can.
"""

DECKS_A_SEED = 20_000
"""Deals of one seed whose decisions are held in memory at a time."""


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
        return design(*ALIKE, table, self.opponent, seed, self.matches)

    def play(self, units: int, seed: int, threads: int | None = None, progress: Progress | None = None) -> Values:
        """Values of the units from number 0 on; of matches also the rounds won, times 12, and the rounds."""
        the = self.design(seed)
        measure = partial(_with_rounds if self.matches else _values, the)
        found = the.plan.map(measure, (JOIN,), units, threads=threads, progress=progress)
        return np.concatenate([part for (part,) in found])

    def planted(self, values: Values, size: float) -> Values:
        """Values with a bonus of an expected size for the first policy in every round, by the number of the unit."""
        teams = 2 if self.pairs else self.players
        given = values.copy()
        given[:, :teams] += (teams - 1) * bonus(len(values), size)[:, None]
        return given


@dataclass(frozen=True, kw_only=True)
class Asked(Source):
    """Decisions of greedy players at two, each with the advice to play heads when the floor is empty."""

    def play(self, units: int, seed: int, threads: int | None = None, progress: Progress | None = None) -> Values:
        """Sum of the values of a deal's decisions, and their number; deals of one seed after another."""
        coin = ADVICE["placebo"]
        advice = Advice("placebo on an empty floor", coin.text, {"floor_size": (0, 0)}, coin.follow, coin.against)
        found = np.zeros((units, 2), np.int64)
        for number, first in enumerate(range(0, units, DECKS_A_SEED)):
            deals = min(DECKS_A_SEED, units - first)
            made = decisions(advice, deals=deals, seed=(seed + number) % SEED_LIMIT, threads=threads)
            place = first + made.column("deal_index")
            np.add.at(found[:, 0], place, made.gain.astype(np.int64))
            np.add.at(found[:, 1], place, 1)
            if progress:
                progress(first + deals, units)
        return found

    def planted(self, values: Values, size: float) -> Values:
        """Values with a bonus of an expected size in every decision, by the number of the deal."""
        given = values.copy()
        given[:, 0] += given[:, 1] * bonus(len(values), size)
        return given


def _values(the: Design, played: Played) -> Arrays:
    """What is measured of each unit of a part."""
    return (the.values(played),)


def _with_rounds(the: Design, played: Played) -> Arrays:
    """The same of matches at two players, with their rounds behind all else."""
    points = played.rows[:, :2, turns.ACES : turns.BASRAS + 1].sum(axis=2, dtype=np.int64)
    seating = (played.facts[:, kernel.ROUND] == 0).cumsum() - 1
    tried = seating % 2
    rounds = np.arange(len(points))
    gap = points[rounds, tried] - points[rounds, 1 - tried]
    found = np.zeros((played.units, 2), np.int64)
    np.add.at(found[:, 0], seating // 2, 6 + 6 * np.sign(gap))
    np.add.at(found[:, 1], seating // 2, 1)
    return (np.concatenate([the.values(played), found], axis=1),)


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


def thinned(values: Values, the: Design, share: float) -> Values:
    """Values of policies that differ only in a share of the units, drawn by the number of the unit."""
    kept = chance(len(values), 2) < share
    given = values.copy()
    given[:, : len(the.signs)] *= kept[:, None]
    return given
