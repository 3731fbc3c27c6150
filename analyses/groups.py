"""Intervals for what is no mean or ratio, from sums over groups of units: the jackknife that leaves groups out."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from basra_sim.stats import CONFIDENCE, Estimate

GROUPS, BLOCK = 64, 32
"""Groups that units are put into, by their numbers: so many of a group behind one another."""

Sums = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


def group_of(units: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Group of each unit, from its number alone."""
    return np.asarray(units // BLOCK % GROUPS)


def jackknife(sums: Sums, units: int, statistic: Callable[[Sums], npt.NDArray[np.float64]]) -> list[Estimate]:
    """
    Estimates of some statistics, with intervals from how they change when one group after another is left out.

    Parameters
    ----------
    sums : (groups, ...) int64
        Sums over the units of each group; all 0 for a group that has none.
    units : number of units in all
    statistic : function
        From sums over units, several such behind one another, (n, ...), to the statistics of each, (n, k).

    Notes
    -----
    Tukey (1958), "Bias and confidence in not quite large samples". With the quantile of Student's distribution.
    """
    whole = sums.sum(axis=0)
    kept = sums[sums.reshape(len(sums), -1).any(axis=1)]
    number = len(kept)
    if number < 2:
        return [Estimate(float(value), None, None, units) for value in statistic(whole[None])[0]]
    values, without = statistic(whole[None]), statistic(whole - kept)
    return [spread_estimate(each, units) for each in np.concatenate([values, without]).T]


def spread_estimate(values: Values, units: int) -> Estimate:
    """Estimate of a statistic from its value, and its values without each of the groups: (1 + groups,)."""
    value, without, number = float(values[0]), values[1:], len(values) - 1
    spread = ((without - without.mean()) ** 2).sum() * (number - 1) / number
    half = float(t.ppf((1 + CONFIDENCE) / 2, number - 1) * np.sqrt(spread))
    return Estimate(value, value - half, value + half, units)
