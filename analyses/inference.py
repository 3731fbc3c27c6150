"""Tests on estimates: for a difference, for equivalence, corrected within a family; and how many units a test needs."""

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

import numpy as np
import numpy.typing as npt
from scipy.stats import false_discovery_control, norm

from basra_sim.stats import LARGEST_MARGIN, LEVEL, Estimate, quantile

POWER = 0.9
"""Chance that a test of the size that `units_needed` names comes to a finding."""


def standard_error(estimate: Estimate) -> float:
    """Standard error that the interval of a mean or ratio was made from; nan where there is no interval."""
    half = estimate.half_width
    return float("nan") if half is None else half / quantile(estimate.units)


def difference(estimate: Estimate, null: float = 0.0) -> float:
    """
    Two-sided p-value of the test that the truth is the null value.

    Where all units gave the same number there is no doubt left: 1 if it is the null value, else 0.
    """
    value, error = _known(estimate)
    if error == 0:
        return float(value == null)
    return float(2 * norm.sf(abs(value - null) / error))


def equivalence(estimate: Estimate, smallest: float, null: float = 0.0) -> float:
    """
    P-value of the two one-sided tests against an effect that matters: the smallest such, or a larger one.

    Where all units gave the same number, their spread tells nothing. For an effect that matters, some share of the
    units must differ, by `LARGEST_MARGIN` at most each; the p-value is the chance that none of them would be seen.

    Notes
    -----
    Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach".
    """
    value, error = _known(estimate)
    inside = smallest - abs(value - null)
    if error == 0:
        return 1.0 if inside <= 0 else (1 - min(inside / LARGEST_MARGIN, 1.0)) ** estimate.units
    return float(norm.sf(inside / error))


def _known(estimate: Estimate) -> tuple[float, float]:
    """Value and standard error; nan where there is none."""
    return float("nan") if estimate.value is None else estimate.value, standard_error(estimate)


def holm(pvalues: Sequence[float]) -> npt.NDArray[np.float64]:
    """
    P-values corrected so that the chance of any wrong finding in the family keeps to its level.

    Notes
    -----
    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    values = np.asarray(pvalues, float)
    order = np.argsort(values, kind="stable")
    steps = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def benjamini_hochberg(pvalues: Sequence[float]) -> npt.NDArray[np.float64]:
    """P-values corrected so that the share of wrong findings among all findings keeps to its level."""
    return np.asarray(false_discovery_control(np.asarray(pvalues, float))) if len(pvalues) else np.zeros(0)


def units_needed(estimate: Estimate, smallest: float, tests: int = 1) -> int | None:
    """
    Units with which a test would probably decide, if the truth is what is estimated and units scatter as they did.

    Either of two tests may decide: that there is a difference, or that there is none that matters. The power is
    `POWER`, the level that of the strictest of a family of so many tests; two digits, rounded up. None if there is
    nothing to go by.
    """
    value, error = _known(estimate)
    if not (isfinite(error) and estimate.units):
        return None
    power = float(norm.ppf(POWER))
    ways = [
        (float(norm.isf(LEVEL / tests / 2)) + power, abs(value)),
        (float(norm.isf(LEVEL / tests)) + power, smallest - abs(value)),
    ]
    needed = min(((factor * error / gap) ** 2 for factor, gap in ways if gap > 0), default=0.0) * estimate.units
    if needed < 1:
        return 1
    digits = 10 ** max(floor(log10(needed)) - 1, 0)
    return int(ceil(needed / digits) * digits)
