"""Measures of a game from what was played, with intervals; and by how much two games differ on the same deals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from analyses.balance.measures import MEASURES, is_share
from analyses.groups import Values, spread_estimate
from basra_sim.rules import Setting
from basra_sim.stats import Estimate, as_share

Key = tuple[str, str]
"""A measure and its part, which may be empty."""

CHANCE = 0.95
"""Chance with which the better player is to be ahead after `rounds_to_tell`."""

AHEAD = NormalDist().inv_cdf(CHANCE)
"""Standard deviations of a sum by which it is above 0 with that chance."""


@dataclass(frozen=True)
class Precision:
    """
    What half-widths intervals must come to.

    Attributes
    ----------
    points : of measures in points a round
    shares : of shares
    """

    points: float = 0.05
    shares: float = 0.005

    def excess(self, found: "Evaluation") -> float:
        """How many times too wide the widest interval is; infinite where one has none."""
        return max((self._excess(found, key) for key in found.values), default=0.0)

    def _excess(self, found: "Evaluation", key: Key) -> float:
        """How many times too wide an interval is; 0 for measures that no precision is stated for."""
        unit = MEASURES[key[0]].unit
        goal = self.points if unit == "points/round" else self.shares if unit.startswith("of ") else None
        half = found.estimate(*key).half_width
        return 0.0 if goal is None else inf if half is None else half / goal


@dataclass(frozen=True)
class Evaluation:
    """
    Measures of one table at which some players play, each from all groups of deals and from all but one.

    Attributes
    ----------
    table : Setting
    policies : names of the players' policies; of two, the better first
    lots : deals of each group, of each lot
    rounds : rounds played
    seed : seed of the deals
    values : for each measure and part, (1 + groups,): from all groups; without each of them
    """

    table: Setting
    policies: tuple[str, ...]
    lots: tuple[int, ...]
    rounds: int
    seed: int
    values: Mapping[Key, Values]

    @property
    def deals(self) -> int:
        """Deals, each played in all its versions."""
        groups = len(next(iter(self.values.values()))) - 1
        return groups * sum(self.lots)

    def replicates(self, measure: str, part: str = "") -> Values:
        """
        Values of a measure: from all groups, then without each of them, (1 + groups,).

        Raises
        ------
        KeyError
            If it has none such.
        """
        return self.values[measure, part]

    def estimate(self, measure: str, part: str = "") -> Estimate:
        """
        Estimate of a measure.

        Raises
        ------
        KeyError
            If it has none such.
        """
        if measure == "rounds_to_tell":
            return rounds_to_tell(self.estimate("effect"))
        found = spread_estimate(self.replicates(measure, part), self.deals)
        return as_share(found) if is_share(measure) else found

    def gap(self, measure: str, other: str) -> Estimate:
        """By how much another measure of the same table is larger than one."""
        return spread_estimate(self.replicates(other) - self.replicates(measure), self.deals)

    def rows(self) -> Iterator[dict[str, Any]]:
        """
        A row a measure and part.

        Rows have the columns variant, players, pairs, policy, measure, part, estimate, low, high, unit, units (deals),
        rounds, seed.
        """
        table = self.table
        named = {"variant": table.label, "players": table.players, "pairs": table.pairs}
        for measure, part in self.values:
            row = named | {"policy": ", ".join(self.policies), "measure": measure, "part": part}
            row |= self.estimate(measure, part).to_dict() | {"unit": MEASURES[measure].unit}
            yield row | {"rounds": self.rounds, "seed": self.seed}


def rounds_to_tell(effect: Estimate) -> Estimate:
    """
    Rounds after which a sum is above 0 with 95 %, from the mean of a round over its standard deviation.

    By the normal approximation to the sum of many rounds. Empty where the mean may not be above 0.
    """
    ends = (effect.value, effect.high, effect.low)
    value, low, high = ((AHEAD / each) ** 2 if each is not None and each > 0 else None for each in ends)
    return Estimate(value, low, high, effect.units)


def difference(one: Evaluation, other: Evaluation, measure: str, part: str = "") -> Estimate:
    """
    By how much a measure is larger in the other evaluation, both on the same deals.

    Raises
    ------
    ValueError
        If they do not rest on the same deals.
    """
    if (one.lots, one.seed) != (other.lots, other.seed):
        raise ValueError("only what was played on the same deals can be compared")
    return spread_estimate(other.replicates(measure, part) - one.replicates(measure, part), one.deals)


def unpaired(one: Estimate, other: Estimate) -> Estimate:
    """By how much another estimate, from deals of its own, is larger than one; empty where either has no interval."""
    wide, wider = one.half_width, other.half_width
    if one.value is None or other.value is None or wide is None or wider is None:
        return Estimate(None, None, None, min(one.units, other.units))
    value, half = other.value - one.value, float(np.hypot(wide, wider))
    return Estimate(value, value - half, value + half, min(one.units, other.units))


def leave_one_out(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Sums over all groups, then over all but one: (1 + groups, ...) from (groups, ...)."""
    whole = sums.sum(axis=0, keepdims=True)
    return np.concatenate([whole, whole - sums])
