"""Estimates with intervals, from sums over independent units."""

from dataclasses import dataclass
from math import floor, log10, sqrt
from statistics import NormalDist
from typing import Any

CONFIDENCE = 0.95
"""Confidence of every interval that is printed."""

LEVEL = 1 - CONFIDENCE
"""Chance of a wrong finding that a test, or a family of tests, is allowed."""

LARGEST_MARGIN = 100.0
"""Points by which one unit may differ from another: more than nearly any deal brings."""

MANY = 1000
"""Number of units from which on Student's distribution and the normal one are taken for one."""

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Estimate:
    """
    An estimate, its interval at 95 % confidence, and the number of independent units it rests on.

    `value` is None where there is nothing to estimate it from; `low` and `high` where one unit alone says nothing of
    the spread.
    """

    value: float | None
    low: float | None
    high: float | None
    units: int

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def texts(self) -> tuple[str, str, str]:
        """Value and the ends of the interval, with as many digits as the interval bears; a dash where there is none."""
        digits = decimals(self.half_width)
        value, low, high = ("-" if part is None else f"{part:.{digits}f}" for part in (self.value, self.low, self.high))
        return value, low, high

    def __str__(self) -> str:
        """Value with its interval, such as ``0.12 (0.10 to 0.14)``."""
        value, low, high = self.texts
        return value if self.half_width is None else f"{value} ({low} to {high})"

    def scaled(self, factor: float) -> "Estimate":
        """Estimate in another unit: all of it times a positive factor."""
        value, low, high = (None if part is None else part * factor for part in (self.value, self.low, self.high))
        return Estimate(value, low, high, self.units)

    def to_dict(self) -> dict[str, Any]:
        """Fields by name, for JSON."""
        return {"estimate": self.value, "low": self.low, "high": self.high, "units": self.units}


def decimals(half_width: float | None) -> int:
    """Decimals with which a figure and its interval are shown: two digits of half the interval."""
    if half_width is None or half_width <= 0:
        return 2
    return min(max(1 - floor(log10(half_width)), 0), 6)


def mean(total: float, squares: float, units: int) -> Estimate:
    """
    Mean of independent units, with the interval of the central limit theorem.

    Parameters
    ----------
    total, squares : sum of the units' values and of their squares
    """
    return ratio(total, squares, units, units, total, units)


def ratio(total: float, squares: float, size: float, size_squares: float, products: float, units: int) -> Estimate:
    """
    Ratio of two sums over independent units, such as points in all a match over its rounds, by the delta method.

    Parameters
    ----------
    total, squares : sum of the units' values and of their squares
    size, size_squares : the same of the units' sizes
    products : sum of value times size
    units : number of units

    Notes
    -----
    The variance is that of value - ratio * size over the units (Cochran, *Sampling Techniques*, 3rd ed., section 2.11);
    with fewer than `MANY` units the interval takes the quantile of Student's distribution. From sums that are whole
    numbers the variance is worked out in whole numbers, so that none of its digits cancel out, however large they are.
    """
    if not units or not size:
        return Estimate(None, None, None, units)
    value = total / size
    if units == 1:
        return Estimate(value, None, None, units)
    if all(isinstance(each, int) for each in (total, squares, size, size_squares, products)):
        whole = size * (squares * size - 2 * total * products) + total * total * size_squares
        spread = max(whole, 0) / (size * size * (units - 1))
    else:
        spread = max(squares - 2 * value * products + value * value * size_squares, 0.0) / (units - 1)
    half = quantile(units) * sqrt(spread * units) / size
    return Estimate(value, value - half, value + half, units)


def quantile(units: int) -> float:
    """Quantile for an interval from the spread of so many units: Student's where they are few, else the normal one."""
    if units >= MANY:
        return _Z
    from scipy.special import stdtrit

    return float(stdtrit(units - 1, (1 + CONFIDENCE) / 2))


def as_share(found: Estimate) -> Estimate:
    """
    Estimate of a share from units that may each have a part of it, its interval kept between 0 and 1.

    Notes
    -----
    Wilson's interval for as many independent yes-or-no units as would give the same standard error (Kish's effective
    sample size); as many as there are units where all have it, or none.
    """
    value, half = found.value, found.half_width
    if value is None or half is None:
        return found
    value = min(max(value, 0.0), 1.0)
    if 0 < value < 1:
        if half == 0:
            return found
        size = value * (1 - value) * (quantile(found.units) / half) ** 2
    else:
        size = float(found.units)
    low, high = _wilson(value, size, quantile(found.units))
    return Estimate(value, low, high, found.units)


def share(count: int, units: int) -> Estimate:
    """
    Share of independent units that have a property, with Wilson's score interval.

    Notes
    -----
    Wilson (1927), "Probable inference, the law of succession, and statistical inference".
    """
    if not units:
        return Estimate(None, None, None, units)
    low, high = _wilson(count / units, units, _Z)
    return Estimate(count / units, low, high, units)


def _wilson(value: float, size: float, z: float) -> tuple[float, float]:
    """Wilson's score interval of a share among so many independent units."""
    pull = z * z / size
    middle = (value + pull / 2) / (1 + pull)
    half = z * sqrt(value * (1 - value) / size + pull / (4 * size)) / (1 + pull)
    return 0.0 if value == 0 else max(middle - half, 0.0), 1.0 if value == 1 else min(middle + half, 1.0)
