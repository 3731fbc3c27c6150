"""Calibration: the truth that it plants is the truth, faulty tests are caught, and sound ones pass."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyses import calibration
from analyses.alike import ALIKE, Asked, Source, Values, bonus, chance, thinned
from analyses.calibration import (
    COVERAGE,
    EDGE,
    FALSE_ALARMS,
    FOUND,
    KINDS,
    MARGIN,
    PATH,
    SOURCES,
    Laboratory,
    calibrate,
    clustered,
    coverage,
    false_alarms,
    steps,
)
from analyses.cli import DEFAULT_EXPERIMENTS
from analyses.inference import difference
from basra_sim import tables
from basra_sim.decisions import decisions
from basra_sim.experiment import Design, duel
from basra_sim.moments import Moments
from basra_sim.policies import Advice
from basra_sim.stats import Estimate
from tests.commands import output, refusal

UNITS = 400


@pytest.fixture(scope="module")
def found() -> pd.DataFrame:
    return calibrate(20, seed=5, threads=1)


def test_policies_are_alike_but_play_differently() -> None:
    result = duel(*ALIKE, deals=4000, threads=1)
    assert difference(result.margin) > 0.001
    assert result.margin.half_width is not None
    assert result.margin.half_width > 0.1
    assert result.gains.exchange.value is not None


DUELS = [name for name, source in SOURCES.items() if not isinstance(source, Asked)]


@pytest.mark.parametrize("name", DUELS)
def test_units_are_those_of_a_duel(name: str) -> None:
    source = SOURCES[name]
    values = source.play(60, seed=3, threads=2)
    the = source.design(3)
    counted: dict[str, Any] = {"matches" if source.matches else "deals": 60}
    same = duel(
        *ALIKE,
        players=source.players,
        pairs=source.pairs,
        opponent=source.opponent,
        seed=3,
        threads=1,
        **counted,
    )
    assert the.margin(Moments.of(values)) == same.margin
    assert len(values) == 60


def test_rounds_of_matches() -> None:
    values = Source(units=1, matches=True).play(30, seed=3, threads=1)
    won, rounds = np.zeros(30), np.zeros(30)
    for tried, names in enumerate((ALIKE, ALIKE[::-1])):
        frame = tables.rounds(matches=30, seed=3, policies=list(names), threads=1)
        table = frame.pivot(index=["match", "round"], columns="team", values="total").reset_index()
        gap = table[tried] - table[1 - tried]
        np.add.at(won, table["match"], np.sign(gap) / 2 + 0.5)
        np.add.at(rounds, table["match"], 1)
    np.testing.assert_array_equal(values[:, -2], 12 * won)
    np.testing.assert_array_equal(values[:, -1], rounds)


def test_a_planted_bonus_is_as_large_as_it_says() -> None:
    given = bonus(100_000, 1.3)
    assert set(given.tolist()) == {1, 2}
    assert given.mean() == pytest.approx(1.3, abs=0.005)
    assert (bonus(10, 2.0) == 2).all()
    for name, source in ((name, SOURCES[name]) for name in DUELS):
        if not source.matches:
            values, the = source.play(40, seed=1, threads=1), source.design(1)
            before, after = (the.margin(Moments.of(each)).value or 0 for each in (values, source.planted(values, 1.3)))
            assert after - before == pytest.approx(given[:40].mean()), name


def test_decisions_are_summed_up_by_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyses.alike.DECKS_A_SEED", 30)
    source = SOURCES["decisions"]
    told: list[tuple[int, int]] = []
    values = source.play(50, seed=3, threads=1, progress=lambda *units: told.append(units))
    assert told == [(30, 50), (50, 50)]
    advice = Advice("heads on empty", "", {"floor_size": (0, 0)}, {"coin": (1, 1)}, {"coin": (0, 0)})
    for first, seed in ((0, 3), (30, 4)):
        frame = decisions(advice, deals=30, seed=seed, threads=1).frame()
        by_deal = frame.groupby("deal_index")["gain"].agg(["sum", "size"]).reindex(range(30), fill_value=0)
        expected = by_deal.to_numpy()[: len(values[first : first + 30])]
        np.testing.assert_array_equal(values[first : first + 30], expected)
    assert values[:, 1].min() < 2 < values[:, 1].max()
    more = source.planted(values, 1.3)
    assert (more[:, 0] - values[:, 0] == bonus(50, 1.3) * values[:, 1]).all()
    assert (more[:, 1] == values[:, 1]).all()


def test_chance_is_even_and_each_salt_has_its_own() -> None:
    one, other = chance(50_000, 1), chance(50_000, 2)
    assert (one >= 0).all()
    assert (one < 1).all()
    counts = np.histogram(one, 20, (0, 1))[0]
    assert abs(counts - 2500).max() < 250
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.02
    assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 0.02
    values, the = np.ones((50_000, 3), np.int64), SOURCES["deals"].design(1)
    thin = thinned(values, the, 0.1)
    assert thin[:, 0].mean() == pytest.approx(0.1, abs=0.01)
    assert (thin[:, 0] == thin[:, 1]).all()


def test_ratio_of_clusters() -> None:
    draw = np.random.default_rng(4)
    number = draw.integers(0, 4, 500)
    total = draw.integers(-9, 10, 500) * number
    found = clustered(np.column_stack([total, number]))
    value = total.sum() / number.sum()
    assert found.value == pytest.approx(value)
    error = np.std(total - value * number, ddof=1) / number.mean() / np.sqrt(500)
    assert found.half_width == pytest.approx(1.9647 * error, rel=1e-3)


def test_table(found: pd.DataFrame) -> None:
    checks = found.groupby("check", sort=False).size().to_dict()
    covering = sum(kind.covers for kind in KINDS)
    assert checks == {FALSE_ALARMS: len(KINDS) + 1, COVERAGE: covering + 2, EDGE: 1, PATH: 3, FOUND: 2}
    assert set(found["seed"]) == {5}
    assert (found["experiments"] > 15).all()
    assert ((found["low"] <= found["rate"]) & (found["rate"] <= found["high"])).all()
    room = np.maximum(0.014, 1.96 * np.sqrt(found["target"] * (1 - found["target"]) / found["experiments"]))
    away = found["rate"] - found["target"]
    assert (found["passed"] == (np.where(found["at_most"], away, away.abs()) <= room)).all()


def test_result_hangs_on_nothing_but_experiments_and_seed(found: pd.DataFrame) -> None:
    told: list[tuple[int, int]] = []
    within: list[tuple[int, int]] = []
    again = calibrate(
        20, seed=5, threads=2, progress=lambda *done: told.append(done), within=lambda *units: within.append(units)
    )
    pd.testing.assert_frame_equal(again, found)
    assert told == [(step, steps()) for step in range(1, steps() + 1)]
    assert all(0 < units <= of for units, of in within)
    assert sum(units == of for units, of in within) == len(SOURCES)


def test_a_faulty_test_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Laboratory(UNITS, 2, {"deals": SOURCES["deals"].play(UNITS * 250, 2)})
    assert 0.02 < float(str(false_alarms(lab, MARGIN)["rate"])) < 0.09
    assert 0.91 < float(str(coverage(lab, MARGIN)["rate"])) < 0.98
    monkeypatch.setattr(calibration, "difference", lambda estimate, null: difference(estimate, null) / 2)
    assert not false_alarms(lab, MARGIN)["passed"]

    def narrow(the: Design, values: Values) -> Estimate:
        wide = MARGIN.estimate(the, values)
        assert wide.value is not None
        assert wide.half_width is not None
        return Estimate(wide.value, wide.value - 0.7 * wide.half_width, wide.value + 0.7 * wide.half_width, wide.units)

    assert not coverage(lab, calibration.Kind("narrow", "deals", narrow))["passed"]


def test_command(found: pd.DataFrame) -> None:
    records = json.loads(output("calibrate", "--experiments", 20, "--seed", 5, "--json"))
    assert records == json.loads(json.dumps(found.to_dict(orient="records")))
    text = output("calibrate", "--experiments", 20, "--seed", 5)
    assert text.startswith("Calibration, seed 5; rates in %, with intervals at 95% confidence\n\n")
    assert "Finds what is not there (should be 5)" in text
    assert "Stops at a wrong decision (should be at most 5)" in text
    assert f" {len(found)} rates " in text
    told = refusal("calibrate", "--experiments", 5)
    assert told.endswith("5 is not possible: it takes a whole number from 20 to 100000")
    assert calibration.EXPERIMENTS == DEFAULT_EXPERIMENTS


@pytest.mark.slow
def test_result_in_the_documents(root: Path) -> None:
    """``basra-sim calibrate > docs/calibration.txt`` makes it anew."""
    text = (root / "docs" / "calibration.txt").read_text(encoding="utf-8")
    assert output("calibrate") == text
    assert " no\n" not in text


@pytest.mark.slow
def test_all_kinds_of_test_are_calibrated() -> None:
    """On another seed, with the room that chance leaves 9,999 rates in 10,000."""
    table = calibrate(1000, seed=11)
    for row in table.to_dict(orient="records"):
        room = 3.9 * (row["target"] * (1 - row["target"]) / row["experiments"]) ** 0.5
        away = row["rate"] - row["target"]
        assert (away if row["at_most"] else abs(away)) < room, row
