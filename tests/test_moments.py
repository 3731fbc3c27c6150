"""Moments are exact, add up in any order, and give what least squares gives."""

import numpy as np
import pytest
from scipy import stats

from basra_sim.moments import GROUPS, Groups, Moments
from basra_sim.stats import Estimate
from tests.intervals import critical


def values(units: int = 400) -> np.ndarray:
    """Two outcomes and two covariates, related and not."""
    draw = np.random.default_rng(5)
    x = draw.integers(-5, 9, (units, 2))
    y = 3 * x[:, :1] + draw.integers(-20, 20, (units, 2))
    return np.concatenate([y, x], axis=1)


def test_parts_add_up_to_the_whole() -> None:
    every = values()
    whole = Moments.of(every)
    parts = Moments.of(every[:7]) + Moments.of(every[7:300]) + Moments.of(every[300:])
    assert parts.units == whole.units == 400
    assert (parts.sums == whole.sums).all()
    assert (parts.products == whole.products).all()
    assert all(type(each) is int for each in parts.products.ravel())


def test_means_and_variances() -> None:
    every = values()
    found = Moments.of(every)
    combined = every[:, 0] - 2 * every[:, 1]
    mean = found.mean([1, -2])
    assert mean.value == combined.mean()
    assert mean.half_width == pytest.approx(critical(400) * combined.std(ddof=1) / 20)
    assert found.variance([1, -2]) == pytest.approx(combined.var(ddof=1))
    assert np.isnan(Moments.of(every[:1]).variance([1]))


@pytest.mark.parametrize("twice", [False, True])
def test_adjusted_as_least_squares_has_it(twice: bool) -> None:
    every = values()
    expected = np.array([2.0, 1.5])
    if twice:
        every, expected = np.column_stack([every, every[:, 2]]), np.array([2.0, 1.5, 2.0])
    found = Moments.of(every)
    places = range(2, every.shape[1])
    y = every[:, 0] + every[:, 1]
    design = np.column_stack([np.ones(400), every[:, 2:4] - expected[:2]])
    slope = np.linalg.lstsq(design, y)[0]
    left = y - design @ slope
    adjusted = found.adjusted([1, 1], places, expected)
    assert adjusted.value == pytest.approx(slope[0])
    spread = left @ left / (399 - len(places))
    assert found.residual([1, 1], places) == pytest.approx(spread)
    assert adjusted.half_width == pytest.approx(critical(400 - len(places)) * (spread / 400) ** 0.5)
    assert spread < 0.9 * y.var()


def test_nothing_is_adjusted_by_few_units() -> None:
    found = Moments.of(values(59))
    assert found.adjusted([1], range(2, 4), np.zeros(2)) == Estimate(None, None, None, 59)
    assert np.isnan(found.residual([1], range(2, 4)))


def test_large_numbers_stay_exact() -> None:
    large = np.full((1000, 1), 10**7 + 1)
    found = Moments.of(large) + Moments.of(large)
    assert found.products[0, 0] == 2000 * (10**7 + 1) ** 2
    assert found.variance([1]) == 0


def test_groups_go_by_the_number_of_a_unit() -> None:
    every = values()
    whole = Groups.of(every, 5)
    parts = Groups.of(every[:1], 5) + Groups.of(every[1:111], 6) + Groups.of(every[111:], 116)
    assert (whole.units == parts.units).all()
    assert (whole.products == parts.products).all()
    numbers = np.arange(5, 405) % GROUPS
    for group in range(GROUPS):
        assert (whole.sums[group] == every[numbers == group].sum(axis=0)).all()
    assert whole.total.units == 400


def test_interval_of_a_ratio_of_variances() -> None:
    draw = np.random.default_rng(2)
    held = 0
    for trial in range(300):
        every = np.rint(draw.normal(size=(640, 2)) * [30, 10]).astype(np.int64)
        found = Groups.of(every, trial).ratio(lambda given: given.variance([1]) / given.variance([0, 1]))
        assert found.value == pytest.approx(every[:, 0].var() / every[:, 1].var())
        assert found.low is not None
        assert found.high is not None
        held += found.low < 9 < found.high
    low, high = stats.binom.interval(0.998, 300, 0.95)
    assert low <= held <= high


def test_ratio_of_few_units_has_no_interval() -> None:
    few = Groups.of(values(40), 0)
    assert few.ratio(lambda given: None) == Estimate(None, None, None, 40)
    assert few.ratio(lambda given: 2.0) == Estimate(2.0, None, None, 40)
    assert Groups.of(values(64), 0).ratio(lambda given: 2.0) == Estimate(2.0, 2.0, 2.0, 64)
