"""Frequencies as data frames: cells put together and compared, against sums and resampling over units."""

from itertools import product
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest

from analyses.clusters import Clustered, share_of_occasions
from analyses.frames import estimates
from analyses.frequencies import MOST_DANGEROUS, SAFEST, Cells, contrast, counted, extreme_floors, frame, portion
from analyses.scenes import Scene
from basra_sim.frequencies import TABLES, Counts, count
from basra_sim.plans import plan
from basra_sim.stats import Estimate
from basra_sim.tracing import trace
from tests.intervals import critical, share_interval
from tests.naive_frequencies import Occasion, occasions

ROUNDS = 400


@pytest.fixture(scope="module")
def counts() -> Counts:
    return counted(Scene("bastra"), ROUNDS, seed=6, threads=1)


@pytest.fixture(scope="module")
def units() -> list[list[Occasion]]:
    setting = plan("bastra").setting
    return [list(occasions(setting, record)) for record in trace("bastra", rounds=ROUNDS, seed=6)]


def sizes(units: list[list[Occasion]], table: str, first: set[str], second: str = "") -> npt.NDArray[np.float64]:
    """Occasions and hits of each unit, (units, 2), for some values of the first axis, and one of the second."""
    found = np.zeros((len(units), 2))
    for unit, row in zip(units, found, strict=True):
        for name, where, hits in unit:
            if name == table and where[0] in first and second in ("", where[-1]):
                row += [1, hits]
    return found


def check(found: Estimate, value: float, error: float) -> None:
    assert found.value == pytest.approx(value)
    assert found.half_width == pytest.approx(critical(ROUNDS) * error)


def ratio_error(rows: npt.NDArray[np.float64]) -> tuple[float, float]:
    """A ratio and its standard error from the spread of the units."""
    value = rows[:, 1].sum() / rows[:, 0].sum()
    pull = (rows[:, 1] - value * rows[:, 0]) / rows[:, 0].sum()
    return value, sqrt(len(rows) * pull.var(ddof=1))


def test_frames_have_a_row_a_cell(counts: Counts, units: list[list[Occasion]]) -> None:
    for table in TABLES:
        made = frame(counts, table.name)
        names = [axis.name for axis in table.axes]
        assert not {*names} & {"estimate", "low", "high", "units", "unit", "events", "hits"}
        assert list(made) == [*names, "estimate", "low", "high", "units", "unit", "events", "hits"]
        cells = list(product(*(axis.values for axis in table.axes)))
        assert list(made[names].itertuples(index=False, name=None)) == cells
        assert set(made["units"]) == {ROUNDS}
        seen = made["events"] > 0
        assert made.loc[~seen, "estimate"].isna().all()
        assert made.loc[seen, "estimate"].tolist() == pytest.approx((made["hits"] / made["events"])[seen].tolist())
        if table.is_share:
            assert made.loc[seen, "low"].min() >= 0
            assert made.loc[seen, "high"].max() <= 1
        total = sum(name == table.name for unit in units for name, _, _ in unit)
        assert made["events"].sum() == total


def test_cells_are_put_together_with_their_products(counts: Counts, units: list[list[Occasion]]) -> None:
    made = frame(counts, "answer_kind", by=["laid"])
    assert list(made["laid"]) == ["numeral", "jack", "queen or king"]
    for laid, found in zip(made["laid"], estimates(made), strict=True):
        value, error = ratio_error(sizes(units, "answer_kind", {laid}))
        if laid == "jack":
            assert value == found.value == found.low == 0
            continue
        assert found.value == pytest.approx(value)
        low, high = share_interval(value, critical(ROUNDS) * error, ROUNDS)
        assert (found.low, found.high) == pytest.approx((low, high))
    value, error = ratio_error(sizes(units, "numeral_cards", {"9", "10"}))
    check(portion(counts, "numeral_cards", {"rank": ("9", "10")}), value, error)


def test_parts_are_compared_as_wholes(counts: Counts, units: list[list[Occasion]]) -> None:
    plus = sizes(units, "numeral_sums", {"8", "9", "10"})
    minus = sizes(units, "numeral_sums", {"2", "3"})
    rates = [part[:, 1].sum() / part[:, 0].sum() for part in (plus, minus)]
    pulls = [
        (part[:, 1] - rate * part[:, 0]) / part[:, 0].sum() for part, rate in zip((plus, minus), rates, strict=True)
    ]
    found = contrast(counts, "numeral_sums", {"rank": ("8", "9", "10")}, {"rank": ("2", "3")})
    check(found, rates[0] - rates[1], sqrt(ROUNDS * (pulls[0] - pulls[1]).var(ddof=1)))


def common(parts: npt.NDArray[np.float64]) -> float:
    """Difference within strata, (units, strata, two parts, two numbers), averaged by Mantel and Haenszel's weights."""
    sums = parts.sum(axis=0)
    sums = sums[(sums[:, :, 0] > 0).all(axis=1)]
    rates = sums[:, :, 1] / sums[:, :, 0]
    return float(np.average(rates[:, 0] - rates[:, 1], weights=1 / (1 / sums[:, :, 0]).sum(axis=1)))


def test_parts_are_compared_within_strata(counts: Counts, units: list[list[Occasion]]) -> None:
    strata = ("1", "2", "3", "4", "5", "6+")
    pairs = [[sizes(units, "answer_kind", {laid}, size) for laid in ("queen or king", "numeral")] for size in strata]
    parts = np.array(pairs).transpose(2, 0, 1, 3)
    found = contrast(counts, "answer_kind", {"laid": ("queen or king",)}, {"laid": ("numeral",)}, within="size")
    assert found.value == pytest.approx(common(parts))
    without = np.array([common(np.delete(parts, k, axis=0)) for k in range(ROUNDS)])
    error = sqrt((ROUNDS - 1) / ROUNDS * ((without - without.mean()) ** 2).sum())
    assert found.half_width == pytest.approx(critical(ROUNDS) * error, rel=0.03)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    cells: dict[str, Cells] = {"plus": {"unseen": ("1",)}, "minus": {"unseen": ("3",)}}
    planned, batches, size = plan("bastra", seed=9), 250, 120
    whole = count(planned, 100_000, first=10**6)
    truths = [portion(whole, "board").value, contrast(whole, "safe_deal", **cells, within="deal").value]
    covered = np.zeros(2)
    for batch in range(batches):
        part = count(planned, size, first=batch * size, threads=1)
        made = [portion(part, "board"), contrast(part, "safe_deal", **cells, within="deal")]
        for k, (found, truth) in enumerate(zip(made, truths, strict=True)):
            assert found.low is not None
            assert found.high is not None
            assert truth is not None
            covered[k] += found.low <= truth <= found.high
    assert (0.91 * batches <= covered).all()
    assert (covered <= 0.985 * batches).all()


def test_few_occasions_alike_say_little() -> None:
    always = share_of_occasions(Clustered(3, 3, 3, 3, 3), 10_000)
    assert (always.value, always.high, always.units) == (1, 1, 10_000)
    assert always.low is not None
    assert always.low < 0.4
    assert share_of_occasions(Clustered(1, 1, 0, 0, 0), 10_000) == Estimate(0, 0, 1, 10_000)
    assert share_of_occasions(Clustered(0, 0, 0, 0, 0), 10_000).value is None


def test_what_has_no_occasion_has_no_estimate(counts: Counts) -> None:
    nothing = portion(counts, "point_card_lost", {"left": ("5",)})
    assert (nothing.value, nothing.low, nothing.units) == (None, None, ROUNDS)
    assert contrast(counts, "fishing", {"kept": ("4",)}, {"kept": ("1",)}).value is None
    alone = count(plan("bastra"), 1, threads=1)
    assert contrast(alone, "numeral_cards", {"rank": ("9",)}, {"rank": ("3",)}).low is None


def test_cells_that_are_none_are_refused(counts: Counts) -> None:
    with pytest.raises(ValueError, match="board has no colour red"):
        portion(counts, "board", {"colour": ("red",)})
    with pytest.raises(ValueError, match="board has no size 0"):
        portion(counts, "board", {"size": ("0",)})
    with pytest.raises(ValueError, match="floors keeps no products"):
        portion(counts, "floors")


def test_extreme_floors_are_ordered_by_what_is_sure() -> None:
    counts = counted(Scene(), 20_000, seed=1)
    floors = frame(counts, "floors").set_index("floor")
    for cards in (1, 2, 3):
        found = extreme_floors(counts, cards, 3)
        assert found["end"].tolist() == [SAFEST] * 3 + [MOST_DANGEROUS] * 3
        assert {len(str(floor).split()) for floor in found["floor"]} == {cards}
        safe, dangerous = found[found["end"] == SAFEST], found[found["end"] == MOST_DANGEROUS]
        assert safe["high"].is_monotonic_increasing
        assert dangerous["low"].is_monotonic_decreasing
        assert safe["high"].iloc[0] < dangerous["low"].iloc[0]
        assert floors.loc[found["floor"], "estimate"].tolist() == found["estimate"].tolist()
    assert "Q" in "".join(extreme_floors(counts, 2)["floor"].head(3))
