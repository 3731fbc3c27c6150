"""Half-widths of intervals, for tests that work them out by another way."""

from scipy import stats

from basra_sim.stats import MANY


def critical(units: int) -> float:
    """Quantile that an interval from the spread of so many units takes."""
    return float(stats.norm.ppf(0.975) if units >= MANY else stats.t.ppf(0.975, units - 1))
