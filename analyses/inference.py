"""Tests on estimates: for a difference, for equivalence, corrected within a family; and how many units a test needs."""

from collections.abc import Sequence
from math import ceil, floor, isfinite, log, log1p, log10, sqrt

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import norm, t
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import normal_sample_size_one_tail

from basra_sim.sequential import sequence_pvalue, sequence_quantile
from basra_sim.stats import LARGEST_MARGIN, LEVEL, MANY, Estimate, quantile

POWER = 0.9
"""Chance that a test of the size that `units_needed` names comes to a finding."""


def standard_error(estimate: Estimate, *, sequential: bool = False) -> float:
    """Standard error that the interval of a mean or ratio was made from; nan where there is no interval."""
    half, width = estimate.half_width, sequence_quantile if sequential else quantile
    return float("nan") if half is None else half / width(estimate.units)


def difference(estimate: Estimate, null: float = 0.0, *, sequential: bool = False) -> float:
    """
    Two-sided p-value of the test that the truth is the null value.

    `sequential` says that the interval is that of a confidence sequence; then the p-value, too, holds at any look.
    Where all units gave the same number there is no doubt left: 1 if it is the null value, else 0.
    """
    value, error = _known(estimate, sequential)
    if error == 0:
        return float(value == null)
    errors = abs(value - null) / error
    return sequence_pvalue(errors, estimate.units) if sequential else 2 * _tail(errors, estimate.units)


def share_difference(estimate: Estimate, bound: float) -> float:
    """
    Two-sided p-value of the test that a share is a bound, in keeping with its interval (Wilson's, `stats.as_share`).

    The score test with as many yes-or-no units as the interval's width stands for; 1 where it stands for none.
    """
    value, half = estimate.value, estimate.half_width
    if value is None or half is None:
        return float("nan")
    spread = value * (1 - value)
    a, b, c = half * half - 0.25, 2 * half * half - spread, half * half
    root = max(b * b - 4 * a * c, 0.0)
    pull = (-b - root**0.5) / (2 * a) if a else float("inf")
    if not 0 < pull < float("inf"):
        return 1.0
    errors = abs(value - bound) / (bound * (1 - bound) * pull) ** 0.5 * quantile(estimate.units)
    return 2 * _tail(errors, estimate.units)


def equivalence(estimate: Estimate, smallest: float, null: float = 0.0, *, sequential: bool = False) -> float:
    """
    P-value of the two one-sided tests against an effect that matters: the smallest such, or a larger one.

    `sequential` says that the interval is that of a confidence sequence, as for `difference`.
    Where all units gave the same number, their spread tells nothing. For an effect that matters, some share of the
    units must differ, by `LARGEST_MARGIN` at most each; the p-value is the chance that none of them would be seen.

    Notes
    -----
    Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach".
    """
    value, error = _known(estimate, sequential)
    inside = smallest - abs(value - null)
    if error == 0:
        return 1.0 if inside <= 0 else (1 - min(inside / LARGEST_MARGIN, 1.0)) ** estimate.units
    if sequential:
        return sequence_pvalue(inside / error, estimate.units) if inside > 0 else 1.0
    return _tail(inside / error, estimate.units)


def _tail(errors: float, units: int) -> float:
    """Chance to be so many standard errors or more above the truth, as `stats.quantile` has it."""
    return float(norm.sf(errors) if units >= MANY else t.sf(errors, max(units - 1, 1)))


def _known(estimate: Estimate, sequential: bool = False) -> tuple[float, float]:
    """Value and standard error; nan where there is none."""
    error = standard_error(estimate, sequential=sequential)
    return float("nan") if estimate.value is None else estimate.value, error


def holm(pvalues: Sequence[float]) -> npt.NDArray[np.float64]:
    """
    P-values corrected so that the chance of any wrong finding in the family keeps to its level.

    Notes
    -----
    Holm (1979), "A simple sequentially rejective multiple test procedure".
    """
    return _corrected(pvalues, "holm")


def benjamini_hochberg(pvalues: Sequence[float]) -> npt.NDArray[np.float64]:
    """P-values corrected so that the share of wrong findings among all findings keeps to its level."""
    return _corrected(pvalues, "fdr_bh")


def _corrected(pvalues: Sequence[float], method: str) -> npt.NDArray[np.float64]:
    """P-values corrected by a method of statsmodels."""
    return np.asarray(multipletests(np.asarray(pvalues, float), method=method)[1] if len(pvalues) else [], float)


def units_needed(estimate: Estimate, smallest: float, tests: int = 1) -> int | None:
    """
    Units with which a test would probably decide, if the truth is what is estimated and units scatter as they did.

    Either of two tests may decide: that there is a difference, or that there is none that matters. The power is
    `POWER`, the level that of the strictest of a family of so many tests; two digits, rounded up. None if there is
    nothing to go by. Where all units gave the same number, what `equivalence` asks for.
    """
    value, error = _known(estimate)
    if not (isfinite(error) and estimate.units):
        return None
    if error == 0:
        inside = min(max(smallest - abs(value), 0.0) / LARGEST_MARGIN, 1.0)
        needed = log(LEVEL / tests) / log1p(-inside) if 0 < inside < 1 and value == 0 else 1.0
    else:
        level, away = LEVEL / tests, abs(value)
        ways = [_to_differ(away, error, level), _to_be_alike(away, smallest, error, level)]
        known = [way for way in ways if way is not None]
        if not known:
            return None
        needed = min(known) * estimate.units
    if needed < 1:
        return 1
    digits = 10 ** max(floor(log10(needed)) - 1, 0)
    return int(ceil(needed / digits) * digits)


def _to_differ(value: float, error: float, level: float) -> float | None:
    """How many times as many units the two-sided test for a difference needs."""
    return float(normal_sample_size_one_tail(value, POWER, level / 2, std_null=error)) if value > 0 else None


def _to_be_alike(value: float, smallest: float, error: float, level: float) -> float | None:
    """How many times as many units the two one-sided tests for equivalence need; both must come out."""
    if value >= smallest:
        return None

    def missing(times: float) -> float:
        """Power that is missing with so many times as many units."""
        width, critical = error / sqrt(times), norm.isf(level)
        below, above = norm.sf((smallest - value) / width - critical), norm.sf((smallest + value) / width - critical)
        return float(POWER - 1 + below + above)

    # No less than the nearer of the two needs by itself, and no more than if the truth stood in the middle.
    least, most = (
        float(normal_sample_size_one_tail(smallest - value, power, level, std_null=error))
        for power in (POWER, (1 + POWER) / 2)
    )
    return float(brentq(missing, 0.99 * least, 1.01 * most))
