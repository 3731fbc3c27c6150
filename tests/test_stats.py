"""Estimates and their intervals: against scipy, and against how often they hold what they should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from basra_sim.stats import CONFIDENCE, Estimate, mean, ratio, share
from tests.intervals import critical

Z = stats.norm.ppf(0.975)
numbers = st.lists(st.integers(-1000, 1000), min_size=2, max_size=60)


def mean_of(values: np.ndarray) -> Estimate:
    return mean(values.sum(), (values * values).sum(), len(values))


def ratio_of(values: np.ndarray, sizes: np.ndarray) -> Estimate:
    sums = (values.sum(), (values**2).sum(), sizes.sum(), (sizes**2).sum(), (values * sizes).sum())
    return ratio(*sums, len(values))


@given(numbers)
def test_mean_is_that_of_scipy(values):
    found, values = mean_of(np.array(values)), np.array(values)
    assert found.value == pytest.approx(values.mean(), abs=1e-9)
    assert found.units == len(values)
    if values.std() > 0:
        low, high = stats.t.interval(0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values))
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


@given(st.lists(st.tuples(st.integers(-100, 100), st.integers(1, 30)), min_size=2, max_size=60))
def test_ratio_by_the_spread_of_the_residuals(pairs):
    values, sizes = np.array(pairs, float).T
    found = ratio_of(values, sizes)
    value = values.sum() / sizes.sum()
    residuals = values - value * sizes
    half = critical(len(values)) * np.sqrt(residuals.var(ddof=1) / len(values)) / sizes.mean()
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx((value - half, value + half), rel=1e-6, abs=1e-5)


def test_ratio_by_the_jackknife():
    draw = np.random.default_rng(3)
    sizes = draw.integers(5, 15, 4000)
    values = draw.poisson(7.0 * sizes + draw.normal(0, 8, 4000).clip(-30))
    found = ratio_of(values, sizes)
    left_out = (values.sum() - values) / (sizes.sum() - sizes)
    spread = np.sqrt((len(values) - 1) * ((left_out - left_out.mean()) ** 2).mean())
    assert found.half_width == pytest.approx(Z * spread, rel=2e-3)


@given(st.integers(1, 5000).flatmap(lambda units: st.tuples(st.integers(0, units), st.just(units))))
def test_share_is_that_of_scipy(counts):
    count, units = counts
    found = share(count, units)
    interval = stats.binomtest(count, units).proportion_ci(0.95, method="wilson")
    assert found.value == count / units
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= count / units <= found.high <= 1


def holds(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def check_rate(hits: int, trials: int) -> None:
    """The rate differs from the stated one no more than chance, and a little skewness, would have it."""
    assert stats.binomtest(hits, trials, CONFIDENCE).pvalue > 0.005 or abs(hits / trials - CONFIDENCE) < 0.01


def test_means_are_held_at_the_stated_rate():
    draw = np.random.default_rng(1)
    hits = sum(holds(mean_of(draw.exponential(2.0, 400)), 2.0) for _ in range(4000))
    check_rate(hits, 4000)


def test_ratios_are_held_at_the_stated_rate():
    draw = np.random.default_rng(2)
    hits = 0
    for _ in range(4000):
        sizes = draw.integers(3, 12, 300).astype(float)
        # Long matches are close ones: value and size hang together, which a plain mean of quotients would miss.
        values = 9 * sizes + draw.normal(0, 3, 300) * np.sqrt(sizes) + 0.5 * (sizes - 7) ** 2
        truth = (9 * 7 + 0.5 * np.mean((np.arange(3, 12) - 7) ** 2)) / 7
        hits += holds(ratio_of(values, sizes), float(truth))
    check_rate(hits, 4000)


@pytest.mark.parametrize("truth", [0.03, 0.5, 0.9])
def test_shares_are_held_at_the_stated_rate(truth):
    units = 250
    counts = np.arange(units + 1)
    held = [holds(share(int(count), units), truth) for count in counts]
    rate = stats.binom.pmf(counts, units, truth)[held].sum()
    assert 0.93 < rate < 0.975


def test_nothing_to_estimate_from():
    for found in (mean(0, 0, 0), ratio(0, 0, 0, 0, 0, 0), ratio(0, 0, 0, 0, 0, 5), share(0, 0)):
        assert (found.value, found.low, found.high, found.half_width) == (None, None, None, None)
    assert ratio(0, 0, 0, 0, 0, 5).units == 5


def test_one_unit_says_nothing_of_the_spread():
    assert mean(7, 49, 1) == Estimate(7.0, None, None, 1)
    assert ratio(12, 144, 4, 16, 48, 1) == Estimate(3.0, None, None, 1)
    assert mean(7, 49, 1).half_width is None
    one = share(1, 1)
    assert (one.value, one.high) == (1.0, 1.0)
    assert one.low == pytest.approx(1 / (1 + Z * Z))


def test_units_all_alike():
    assert mean(0, 0, 40) == Estimate(0.0, 0.0, 0.0, 40)
    assert mean(200, 1000, 40) == Estimate(5.0, 5.0, 5.0, 40)
    assert share(0, 30).low == 0.0
    assert share(30, 30).high == 1.0
    # Rounding must not make a negative spread.
    found = ratio(0.3, 0.03, 3, 3, 0.3, 3)
    assert found.half_width == pytest.approx(0, abs=1e-6)


def test_large_sums_stay_exact():
    units = 10**12
    total, squares = 3 * units, 9 * units + 2 * units
    found = mean(total, squares, units)
    assert found.value == 3
    assert found.half_width == pytest.approx(Z * 2**0.5 / 1e6, rel=1e-6)


def test_another_unit():
    found = Estimate(2.0, 1.0, 4.0, 9).scaled(0.5)
    assert found == Estimate(1.0, 0.5, 2.0, 9)
    assert found.half_width == 0.75
    assert Estimate(None, None, None, 0).scaled(2) == Estimate(None, None, None, 0)
    assert Estimate(3.0, None, None, 1).scaled(2) == Estimate(6.0, None, None, 1)
    assert found.to_dict() == {"estimate": 1.0, "low": 0.5, "high": 2.0, "units": 9}
