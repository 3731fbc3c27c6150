"""Analyses: batches and their effort, estimates in frames, and tests on estimates."""

from math import isnan

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from analyses.frames import by_key
from analyses.inference import (
    benjamini_hochberg,
    difference,
    equivalence,
    holm,
    standard_error,
    units_needed,
)
from analyses.jobs import Effort, Job, run
from basra_sim.sequential import UNTIL_DECIDED, Stopping
from basra_sim.stats import LARGEST_MARGIN, Estimate, mean


def test_effort_shares_out_rounds() -> None:
    effort = Effort(1000)
    assert effort.units(1, "greedy") == 1000
    assert effort.units(1, "counter") == 250
    assert effort.units(1 / 5, "greedy") == 200
    assert Effort(1).units(1 / 5, "counter") == 2


def test_jobs_are_watched() -> None:
    told: list[tuple[str, int, int]] = []

    def work(progress: object) -> list[dict[str, object]]:
        assert callable(progress)
        progress(1, 1)
        return [{"a": 1}]

    frame = run([Job("x", 1.0, work), Job("y", 1.0, work)], lambda job: lambda *units: told.append((job.label, *units)))
    assert told == [("x", 1, 1), ("x", 1, 1), ("y", 1, 1), ("y", 1, 1)]  # what it says itself, and that it is done
    assert list(frame["a"]) == [1, 1]


def test_estimates_are_told_apart_by_their_keys() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "estimate": [1.0, None], "low": 0.5, "high": 1.5, "units": 9})
    assert by_key(frame, "a") == {("x",): Estimate(1.0, 0.5, 1.5, 9), ("y",): Estimate(None, 0.5, 1.5, 9)}
    with pytest.raises(ValueError, match="not told apart"):
        by_key(frame, "low")


def found(value: float, error: float = 0.01, units: int = 10_000) -> Estimate:
    """An estimate with a standard error."""
    half = error * float(norm.ppf(0.975))
    return Estimate(value, value - half, value + half, units)


def test_standard_error_is_that_of_the_mean() -> None:
    values = np.random.default_rng(1).normal(3, 2, 500)
    estimate = mean(values.sum(), (values**2).sum(), len(values))
    assert standard_error(estimate) == pytest.approx(values.std(ddof=1) / np.sqrt(500))
    assert isnan(standard_error(Estimate(1.0, None, None, 1)))


def test_difference() -> None:
    assert difference(found(0.0196)) == pytest.approx(0.05, abs=1e-4)
    assert difference(found(-0.0196)) == pytest.approx(difference(found(0.0196)))
    assert difference(found(0.52, 0.02), 0.5) == pytest.approx(difference(found(0.02, 0.02)))
    assert difference(found(0.0, 0.0)) == 1
    assert difference(found(0.1, 0.0)) == 0


def test_difference_agrees_with_the_interval_of_few_units() -> None:
    few = mean(8.0, 31.0, 7)
    assert few.low is not None
    assert difference(few, few.low) == pytest.approx(0.05)
    assert equivalence(few, 1.0, (few.value or 0) - 1.0) == pytest.approx(0.5)


def test_pvalues_of_a_confidence_sequence_agree_with_it() -> None:
    plain = found(0.1, 0.01)
    wide = Stopping(UNTIL_DECIDED, 10_000).interval(plain)
    assert standard_error(wide, sequential=True) == pytest.approx(0.01)
    half = wide.half_width or 0.0
    assert difference(wide, 0.1 - half, sequential=True) == pytest.approx(0.05)
    assert equivalence(wide, half, 0.1, sequential=True) == pytest.approx(0.05)
    assert difference(wide, sequential=True) > difference(plain)
    assert equivalence(wide, 0.05, sequential=True) == 1


def test_equivalence() -> None:
    assert equivalence(found(0.0), 0.05) == pytest.approx(norm.sf(5))
    assert equivalence(found(-0.05), 0.05) == pytest.approx(0.5)
    assert equivalence(found(0.1), 0.05) == pytest.approx(norm.cdf(5))
    same = found(0.0, 0.0)
    assert equivalence(same, 0.05) == pytest.approx((1 - 0.05 / LARGEST_MARGIN) ** same.units)
    assert equivalence(Estimate(0.0, 0.0, 0.0, 250), 0.05) > 0.8
    assert equivalence(found(0.05, 0.0), 0.05) == 1


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])


def test_benjamini_hochberg() -> None:
    assert benjamini_hochberg([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert len(benjamini_hochberg([])) == 0


@pytest.mark.parametrize("value", [0.0, 0.01, 0.03, -0.03, 0.05, 0.2])
def test_as_many_units_as_needed_would_decide(value: float) -> None:
    before = found(value, 0.08, 1000)
    needed = units_needed(before, 0.05, tests=4)
    assert needed is not None
    error = 0.08 * np.sqrt(1000 / needed)
    drawn = np.random.default_rng(3).normal(value, error, 100_000)
    differ = (np.abs(drawn) / error > norm.isf(0.025 / 4)).mean()
    alike = ((0.05 - np.abs(drawn)) / error > norm.isf(0.05 / 4)).mean()
    assert 0.897 <= max(differ, alike) < 0.95
    assert len(str(needed).rstrip("0")) <= 2


def test_units_that_all_gave_the_same_number_need_more_to_show_that_nothing_differs() -> None:
    needed = units_needed(found(0.0, 0.0, 200), 0.05, tests=2)
    assert needed is not None
    for units, decided in ((needed, True), (int(needed * 0.95), False)):
        assert (2 * equivalence(Estimate(0.0, 0.0, 0.0, units), 0.05) < 0.05) == decided
    assert units_needed(found(0.2, 0.0, 200), 0.05) == 1


def test_nobody_knows_how_many_units_nothing_needs() -> None:
    assert units_needed(Estimate(None, None, None, 0), 0.05) is None
