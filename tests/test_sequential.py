"""Stopping: when it is looked, how wide a confidence sequence is, and how often it is wrong anywhere on its path."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import stats

from basra_sim import sequential
from basra_sim.sequential import (
    ALIKE,
    DIFFERENT,
    FIRST_LOOK,
    FIXED,
    LIMIT,
    PLAYED,
    PRECISE,
    PRECISION,
    UNTIL_DECIDED,
    Ending,
    Stopping,
    looks,
    sequence_pvalue,
    sequence_quantile,
    unseen,
)
from basra_sim.stats import Estimate


def found(value: float, half: float, units: int = 5000) -> Estimate:
    return Estimate(value, value - half, value + half, units)


def test_looks() -> None:
    assert list(looks(5000)) == [2000, 2500, 3125, 3906, 4882, 5000]
    assert list(looks(2000)) == [2000]
    assert list(looks(7)) == [7]
    assert list(Stopping(FIXED, 9000).looks()) == [9000]
    assert len(list(looks(10**9))) < 70


def test_width_of_the_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    rho, units, level = 0.01, 30_000, 0.05
    width = sqrt(2 * (units * rho**2 + 1) / (units**2 * rho**2) * log(sqrt(units * rho**2 + 1) / level))
    monkeypatch.setattr(sequential, "TUNED_FOR", (-2 * log(level) + log(1 - 2 * log(level))) / rho**2)
    assert sequence_quantile(units) == pytest.approx(width * sqrt(units))


def test_the_sequence_is_narrowest_where_it_is_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    here = sequential.TUNED_FOR
    best = sequence_quantile(here)
    assert stats.norm.ppf(0.975) < best < 3.1
    for other in (here // 2, here * 2):
        monkeypatch.setattr(sequential, "TUNED_FOR", other)
        assert sequence_quantile(here) > best


@pytest.mark.parametrize("units", [2000, 30_000, 10**7])
def test_pvalue_is_the_level_of_the_sequence_that_ends_there(units: int) -> None:
    assert sequence_pvalue(sequence_quantile(units), units) == pytest.approx(0.05)
    assert sequence_pvalue(sequence_quantile(units) + 1, units) < 0.02
    assert sequence_pvalue(0.0, units) == 1


def test_the_sequence_is_seldom_left_anywhere_on_the_path() -> None:
    draw = np.random.default_rng(11)
    times = np.array(list(looks(10**6)))
    steps = draw.normal(size=(2000, len(times))) * np.sqrt(np.diff(times, prepend=0))
    away = np.abs(steps.cumsum(axis=1)) / np.sqrt(times)
    limits = np.array([sequence_quantile(int(units)) for units in times])
    ever = (away > limits).any(axis=1).mean()
    assert 0.005 < ever < 0.05
    assert (away > stats.norm.ppf(0.975)).any(axis=1).mean() > 0.3, "what stopping by ordinary intervals comes to"


def test_what_may_stay_unseen() -> None:
    assert unseen(1) == pytest.approx(95)
    assert unseen(5990) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize(
    ("stopping", "estimate", "how"),
    [
        (Stopping(FIXED, 10), found(0, 1, 10), PLAYED),
        (Stopping(PRECISION, 9000, 0.1), found(1, 0.09), PRECISE),
        (Stopping(PRECISION, 9000, 0.1), found(1, 0.11), None),
        (Stopping(PRECISION, 5000, 0.1), found(1, 0.11), LIMIT),
        (Stopping(PRECISION, 9000, 0.1), found(1, 0.01, FIRST_LOOK - 1), None),
        (Stopping(PRECISION, 9000, 0.1), found(0, 0.0), PRECISE),
        (Stopping(PRECISION, 9000, 0.01), found(0, 0.0), None),
        (Stopping(UNTIL_DECIDED, 9000), found(-1, 0.9), DIFFERENT),
        (Stopping(UNTIL_DECIDED, 9000), found(1, 1.1), None),
        (Stopping(UNTIL_DECIDED, 9000), found(0.01, 0.03), ALIKE),
        (Stopping(UNTIL_DECIDED, 9000), found(0.03, 0.02), DIFFERENT),
        (Stopping(UNTIL_DECIDED, 9000), found(0.03, 0.031), None),
        (Stopping(UNTIL_DECIDED, 9000), found(0.0, 0.0), None),
        (Stopping(UNTIL_DECIDED, 9000), found(0.0, 0.0, 6000), ALIKE),
        (Stopping(UNTIL_DECIDED, 100), found(5, 0.1, 100), LIMIT),
        (Stopping(UNTIL_DECIDED, 1), Estimate(1.0, None, None, 1), LIMIT),
    ],
)
def test_how_it_ends(stopping: Stopping, estimate: Estimate, how: str | None) -> None:
    assert stopping.ended(estimate) == how


def test_intervals() -> None:
    plain = found(2.0, 0.5)
    assert Stopping(FIXED, 10).interval(plain) == plain
    assert Stopping(PRECISION, 10, 0.1).interval(plain) == plain
    wide = Stopping(UNTIL_DECIDED, 10).interval(plain)
    assert (wide.value, wide.units) == (2.0, 5000)
    assert wide.half_width == pytest.approx(0.5 * sequence_quantile(5000) / stats.norm.ppf(0.975))
    empty = Estimate(1.0, None, None, 1)
    assert Stopping(UNTIL_DECIDED, 10).interval(empty) == empty


def test_ending_by_name() -> None:
    assert Ending(Stopping(UNTIL_DECIDED, 10, smallest=0.1), LIMIT, 3).to_dict() == {
        "rule": "until decided",
        "ended": "limit",
        "looks": 3,
        "smallest": 0.1,
        "most": 10,
        "intervals": "confidence sequence",
    }
