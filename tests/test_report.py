"""The report as a whole: the page, the data beside it, and where it is written to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from analyses.claims.registry import CLAIMS, claim
from analyses.claims.verdict import DEPENDS, NO_DIFFERENCE, REFUTED, SUPPORTED, UNDECIDED, Verdict
from basra_sim.errors import InputError
from basra_sim.stats import Estimate, share
from basra_sim.variants import variant, variant_names
from reports.cli import report
from reports.folder import DATA, PAGE
from reports.numbers import estimated, figure, shown_unit
from reports.verdicts import headline

SIZE = ["--rounds", "2000", "--seed", "5"]

COLUMNS = {
    "points": {"variant", "policy", "measure", "whose", "estimate", "low", "high", "units", "unit", "rounds", "seed"},
    "match-length-shares": {"variant", "policy", "length", "estimate", "low", "high", "units", "unit", "seed"},
    "jack-hold": {"claim", "role", "variant", "policy", "form", "opponent", "measure", "estimate", "low", "high"}
    | {
        "units",
        "unit",
        "seed",
        "pairing_gain",
        "p_difference_corrected",
        "p_equivalence_corrected",
        "outcome",
        "needed",
    },
    "jack-hold-repeated": {"variant", "policy", "form", "estimate", "estimate_again", "difference", "agrees"},
    "jack-hold-registered": {"claim", "advice", "predicts", "smallest", "verdict", "depends_on", "deals_needed"},
}

MEASURED = ("points", "first-move", "ties", "match-length", "basras")
"""Data of the comparison with a row for each variant, policy and measure."""

Row = list[tuple[str, str | None, str]]
"""Cells of a row: what is shown, the value behind it, the interval shown."""


@dataclass
class Shown:
    """A table of the page."""

    keys: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, Shown] = {}
        self.files: dict[str, str] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self._table: Shown | None = None
        self._cell: list[str] | None = None
        self._value: str | None = None
        self._interval = ""
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.loads += [given[name] for name in ("src", "srcset", "action", "poster") if name in given]
        if tag == "table":
            self._table = self.tables[given["id"]] = Shown()
            self.files[given["id"]] = given["data-file"]
        elif self._table and tag == "tr":
            self._table.rows.append([])
        elif self._table and tag in ("td", "th"):
            if "data-key" in given:
                self._table.keys.append(given["data-key"])
            self._cell, self._value, self._interval = [], None, ""
        elif tag == "data":
            self._value = given["value"]
        self._within = given.get("class", "")

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            if self._within == "interval":
                self._interval += data
            else:
                self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._table and self._cell is not None:
            self._table.rows[-1].append(("".join(self._cell).strip(), self._value, self._interval))
            self._cell = None
        elif tag == "table":
            assert self._table
            self._table.rows = [row for row in self._table.rows if row]
            self._table.rows = self._table.rows[1:] if self._table.keys else self._table.rows
            self._table = None
        elif tag == "span":
            self._within = ""


def made(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(report, ["--output", str(folder), *SIZE, *options])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reports") / "report"
    result = made(place, "--threads", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{place}/index.html\n"
    assert result.stderr.splitlines() == ["Playing the variants: 24 batches", "Playing jack-hold: 68 batches"]
    return place


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def data(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / DATA / f"{name}.csv")


def test_same_bytes_on_two_threads(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "elsewhere" / "again"
    assert made(again, "--threads", "2").exit_code == 0
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert [name for name in files if (folder / name).read_bytes() != (again / name).read_bytes()] == []


def test_page_asks_for_nothing(page: Page, text: str, folder: Path) -> None:
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", text)
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert not page.loads
    for link in page.links:
        assert link[1:] in page.ids if link.startswith("#") else (folder / link).is_file(), link


def test_ids_are_unique(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))


def test_every_file_is_linked(page: Page, folder: Path) -> None:
    assert {f"{DATA}/{path.name}" for path in (folder / DATA).iterdir()} <= set(page.links)


def test_every_figure_says_what_it_shows(text: str) -> None:
    pictures = re.findall(r"<svg [^>]*>", text)
    assert len(pictures) == 13
    assert all('role="img"' in each and re.search(r'aria-label="[^"]{30,}"', each) for each in pictures)
    assert text.count("<figcaption>") == len(pictures)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text, re.DOTALL)
    assert all("95 % intervals" in each and "seed 5" in each and re.search(r"\d+ (by|or)", each) for each in captions)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_the_data(folder: Path, name: str) -> None:
    assert COLUMNS[name] <= set(data(folder, name).columns)


@pytest.mark.parametrize("name", MEASURED)
def test_every_variant_is_there(page: Page, folder: Path, name: str) -> None:
    assert list(data(folder, name)["variant"].unique()) == list(variant_names())
    assert {row[0][0] for row in page.tables[f"table-{name}"].rows} == set(variant_names())
    assert {row[1][0] for row in page.tables[f"table-{name}"].rows} == {"greedy", "counter"}


def test_what_was_settled_is_told(text: str) -> None:
    for name in variant_names():
        assert f'id="variant-{name}"' in text
        assert variant(name).notes[0].split(".")[0].replace("'", "&#39;") in text


def number(shown: str) -> float:
    return float(re.sub(r"[^\d.]", "", shown)) * (-1 if "−" in shown else 1)


def digits(shown: str) -> int:
    return len(re.sub(r"[^\d.]", "", shown).partition(".")[2])


def agrees(shown: str, value: float) -> bool:
    """Whether a number is shown rightly rounded."""
    return abs(number(shown) - value) <= 0.5000001 * 10.0 ** -digits(shown)


def numbers(page: Page, name: str) -> Iterator[tuple[dict[str, str], str, tuple[str, str | None, str]]]:
    """Cells of a table with a value: what names the row, the key of the column, the cell."""
    table = page.tables[f"table-{name}"]
    assert table.rows
    for row in table.rows:
        names = {key: cell[0] for key, cell in zip(table.keys, row, strict=True) if cell[1] is None}
        for key, cell in zip(table.keys, row, strict=True):
            if cell[1] is not None:
                yield names, key, cell


def looked_up(frame: pd.DataFrame, **names: str) -> pd.Series:
    for key, value in names.items():
        frame = frame[frame[key].astype(str) == value]
    assert len(frame) == 1, names
    return frame.iloc[0]


def check_estimate(cell: tuple[str, str | None, str], row: pd.Series, share_in_percent: bool) -> None:
    """A cell shows the estimate and the interval of a row."""
    shown, value, interval = cell
    factor = 100 if share_in_percent else 1
    assert float(value or "nan") == pytest.approx(row["estimate"], rel=1e-12, abs=1e-15)
    assert agrees(shown, row["estimate"] * factor), (shown, row["estimate"])
    low, high = row["low"] * factor, row["high"] * factor
    if interval.startswith("±"):
        assert agrees(interval, (high - low) / 2)
    elif interval.startswith("up to"):
        assert agrees(interval, high)
    elif " to " in interval:
        ends = interval.split(" to ")
        assert agrees(ends[0], low)
        assert agrees(ends[1], high)
    else:
        assert low == high


@pytest.mark.parametrize("name", MEASURED)
def test_tables_of_measures_equal_the_data(page: Page, folder: Path, name: str) -> None:
    frame = data(folder, name)
    checked = 0
    for names, key, cell in numbers(page, name):
        if key == "units":
            assert {number(cell[0])} == set(frame.loc[frame["policy"] == names["policy"], "units"])
            continue
        row = looked_up(frame, variant=names["variant"], policy=names["policy"], measure=key)
        check_estimate(cell, row, row["unit"].startswith("of "))
        checked += 1
    assert checked == len(frame)


def test_table_of_lengths_equals_the_data(page: Page, folder: Path) -> None:
    frame = data(folder, "match-length-shares")
    checked = 0
    for names, key, cell in numbers(page, "match-length-shares"):
        if key != "units":
            row = looked_up(frame, variant=names["variant"], policy=names["policy"], length=key)
            check_estimate(cell, row, True)
            checked += 1
    assert checked == len(frame)
    assert np.allclose(frame.groupby(["variant", "policy"])["estimate"].sum(), 1)


def test_table_of_duels_equals_the_data(page: Page, folder: Path) -> None:
    frame = data(folder, "jack-hold")
    margins = frame[(frame["measure"] == "margin") & frame["role"].isin(["primary", "exploration"])]
    won = frame[frame["measure"] == "match_won"]
    checked = 0
    for names, key, cell in numbers(page, "jack-hold"):
        keys = {each: names[each] for each in ("variant", "form", "policy")}
        row, wins = looked_up(margins, **keys), looked_up(won, **keys)
        assert names["outcome"] == row["outcome"]
        if key == "estimate":
            check_estimate(cell, row, False)
        elif key == "won":
            check_estimate(cell, wins, True)
        elif key == "won_units":
            assert number(cell[0]) == wins["units"]
        else:
            assert float(cell[1] or "nan") == pytest.approx(row[key], rel=1e-12)
            assert row[key] < 0.0001 if cell[0].startswith("<") else agrees(cell[0], row[key])
        checked += 1
    assert checked >= 24 * 6


def test_table_of_checks_equals_the_data(page: Page, folder: Path) -> None:
    frame = data(folder, "jack-hold")
    frame = frame[frame["role"].isin(["control", "cross-check"])]
    checked = 0
    for names, key, cell in numbers(page, "jack-hold-checks"):
        row = looked_up(frame, **{each: names[each] for each in ("role", "variant", "form", "policy", "opponent")})
        assert names["outcome"] == row["outcome"]
        if key == "estimate":
            check_estimate(cell, row, False)
        else:
            assert number(cell[0]) == row["units"]
        checked += 1
    assert checked == 2 * len(frame)


def test_table_of_two_seeds_equals_the_data(page: Page, folder: Path) -> None:
    frame = data(folder, "jack-hold-repeated")
    ends = {"estimate": "", "estimate_again": "_again", "difference": None}
    for names, key, cell in numbers(page, "jack-hold-repeated"):
        row = looked_up(frame, **{each: names[each] for each in ("variant", "form", "policy")})
        if key == "units":
            assert number(cell[0]) == row["units"]
            continue
        low, high = (
            ("difference_low", "difference_high") if ends[key] is None else (f"low{ends[key]}", f"high{ends[key]}")
        )
        check_estimate(cell, pd.Series({"estimate": row[key], "low": row[low], "high": row[high]}), False)


def test_verdict_stands_on_the_page(text: str, folder: Path) -> None:
    for each in CLAIMS:
        row = data(folder, f"{each.name}-registered").iloc[0]
        on = tuple(str(row["depends_on"]).split(" and ")) if row["verdict"] == DEPENDS else ()
        needed = None if pd.isna(row["deals_needed"]) else int(row["deals_needed"])
        assert f'<p class="lead">{headline(each, Verdict(row["verdict"], on, needed))}</p>' in text


def test_report_can_be_played_again(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "basra-sim report --seed 5 --rounds 2000" in text
    (code,) = re.findall(r"<code>(from basra_sim import duel.*?)</code>", text, re.DOTALL)
    exec(code.replace("&#34;", '"').replace("&quot;", '"'), {})
    frame = data(folder, "jack-hold")
    first = frame[frame["role"] == "primary"].iloc[0]
    assert f"value={first['estimate']}" in capsys.readouterr().out


def test_headline_of_each_verdict() -> None:
    the = claim("jack-hold")
    lines = {name: headline(the, Verdict(name)) for name in (SUPPORTED, REFUTED, NO_DIFFERENCE, UNDECIDED)}
    assert all(the.subject in line and line.endswith(".") for line in lines.values())
    assert lines[SUPPORTED].startswith("Yes")
    assert lines[REFUTED].startswith("No:")
    assert "no difference" in lines[NO_DIFFERENCE]
    assert headline(the, Verdict(UNDECIDED, needed=120_000)) == (
        f"Undecided: the deals played do not tell whether {the.subject} pays; some 120,000 deals a duel would."
    )
    assert headline(the, Verdict(DEPENDS, ("form",))).endswith("turns on how strictly one does it.")
    assert headline(the, Verdict(DEPENDS, ("form", "policy"))).endswith("and how one plays otherwise.")


@pytest.mark.parametrize(
    ("found", "unit", "shown"),
    [
        (Estimate(0.86123, 0.84, 0.88246, 9), "points/round", ("0.861", "± 0.021")),
        (Estimate(-12.3, -14.3, -10.3, 9), "points/round", ("−12.3", "± 2.0")),
        (Estimate(1234.5, 1000.0, 1469.0, 9), "points/round", ("1,234", "± 234")),
        (Estimate(4.0, 4.0, 4.0, 9), "points/round", ("4", "")),
        (Estimate(4.0, None, None, 1), "points/round", ("4.00", "")),
        (Estimate(None, None, None, 0), "points/round", ("–", "")),
        (Estimate(0.5, 0.48, 0.52, 9), "of matches", ("50.0", "± 2.0")),
        (share(0, 1000), "of matches", ("0", "up to 0.38")),
        (share(2, 1000), "of matches", ("0.20", "0.05 to 0.73")),
    ],
)
def test_numbers_have_the_digits_that_their_interval_bears(found: Estimate, unit: str, shown: tuple[str, str]) -> None:
    assert estimated(found, unit) == shown


def test_signs() -> None:
    assert figure(0.004, 2, signed=True) == "0.00"
    assert figure(-0.004, 2) == "0.00"
    assert figure(0.2, 1, signed=True) == "+0.2"
    assert shown_unit("of rounds") == "% of rounds"


@pytest.mark.parametrize("options", [["--rounds", "10"], ["--threads", "0"], ["--seed", "x"], ["--rounds", "1e5"]])
def test_impossible_options(tmp_path: Path, options: list[str]) -> None:
    result = CliRunner().invoke(report, ["--output", str(tmp_path / "new"), *options])
    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_help() -> None:
    text = CliRunner().invoke(report, ["--help"]).output
    assert "\n    basra-sim report --output quick --rounds 20k\n" in text
    assert "400k" in text


def test_impossible_seed(tmp_path: Path) -> None:
    result = CliRunner().invoke(report, ["--output", str(tmp_path / "new"), "--seed", "-1"])
    assert isinstance(result.exception, InputError)
    assert not list(tmp_path.iterdir())
