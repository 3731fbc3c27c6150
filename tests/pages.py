"""A small report, reading its page, and holding its tables against the data behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from analyses.claims import match_value
from analyses.claims.model import MAIN
from analyses.claims.registry import claim
from reports import document, scope
from reports.cli import report
from reports.folder import DATA, JSON, MARKDOWN, PAGE
from reports.formats import FORMATS
from reports.said import plain
from reports.wording import NO_BREAK

REPORTED = (
    claim("memory").at(MAIN),
    claim("points-late-last").at(MAIN),
    claim("ace-early"),
    claim("jack-hold"),
    claim("low-empty").at(MAIN),
    claim("jack-empty-defence").at(MAIN),
)
"""Claims of the small report: every kind, and everything that a card may show."""

SIZE = ("--rounds", "1000", "--seed", "5")

EVERY_FORMAT = [part for name in FORMATS for part in ("--format", name)]


def read(sentence: str) -> str:
    """A sentence as it is read: without what is behind its numbers, its spaces all alike."""
    return plain(sentence).replace(NO_BREAK, " ")


def make_report(place: Path, *options: str) -> Path:
    """Make a small report."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scope, "CLAIMS", REPORTED)
        patched.setattr(document, "LARGER", ("pairs",))
        patched.setattr(match_value, "ROUNDS", 2000)
        match_value.match_value.cache_clear()
        result = CliRunner().invoke(report, ["--output", str(place), *SIZE, *EVERY_FORMAT, *options])
        match_value.match_value.cache_clear()
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [f"{place}/{name}" for name in (PAGE, MARKDOWN, JSON)]
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == [
        "Playing the variants",
        "Playing single rules",
        "Playing the players",
        "Playing those who know them",
        "Playing the advice",
    ]
    return place


def data(folder: Path, name: str) -> pd.DataFrame:
    """Data that stand behind a figure or table."""
    return pd.read_csv(folder / DATA / f"{name}.csv", keep_default_na=True)


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
        self.notes: list[str] = []
        self._table: Shown | None = None
        self._cell: list[str] | None = None
        self._value: str | None = None
        self._interval = ""
        self._numeric = False
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
            self.files[given["id"]] = given.get("data-file", "")
        elif self._table and tag == "tr":
            self._table.rows.append([])
        elif self._table and tag in ("td", "th"):
            if "data-key" in given:
                self._table.keys.append(given["data-key"])
            self._cell, self._value, self._interval = [], None, ""
            self._numeric = "num" in given.get("class", "").split()
        elif tag == "data" and self._numeric:
            self._value = given["value"]
        self._within = given.get("class", "")

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            if self._within == "interval":
                self._interval += data
            elif self._within == "note":
                self.notes.append(data)
            elif self._within != "sign":
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
    shown, value, interval = cell[0], cell[1], cell[2].strip("()")
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
