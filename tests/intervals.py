"""Half-widths of intervals, for tests that work them out by another way."""

import numpy as np
from scipy import stats

from basra_sim.stats import MANY


def critical(units: int) -> float:
    """Quantile that an interval from the spread of so many units takes."""
    return float(stats.norm.ppf(0.975) if units >= MANY else stats.t.ppf(0.975, units - 1))


def share_interval(value: float, half: float, units: int) -> tuple[float, float]:
    """Wilson's interval with the sample size that a plain interval of some half-width amounts to, by its roots."""
    if half == 0 and 0 < value < 1:
        return value, value
    z = critical(units)
    size = units if value in (0, 1) else value * (1 - value) / (half / z) ** 2
    low, high = sorted(np.roots([1 + z * z / size, -(2 * value + z * z / size), value * value]).real)
    return float(low), float(high)
