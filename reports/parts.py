"""What a page is put together from: sections, figures, tables, and the data behind them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from analyses.claims import observations
from analyses.claims.verdict import COSTS, GAINS, NOTHING, UNKNOWN
from analyses.frames import estimates, rows_of
from basra_sim.stats import Estimate
from reports.numbers import estimated, shown_unit
from reports.said import plain
from reports.style import png, styled, svg

WIDTH = 5.2
"""Width of all figures in inches: a telephone shows them at about this size, so that their text can be read there."""


NOTED = (COSTS, GAINS, NOTHING, UNKNOWN, observations.AS_PREDICTED, observations.OTHER_WAY)
"""Outcomes of tests that stand below an estimate."""


@dataclass(frozen=True)
class Figure:
    """
    A picture in a page, drawn when it is asked for.

    Attributes
    ----------
    name : id in the page
    caption : what is drawn, in which units, from how much
    alt : what a person should know who does not see it
    data : name of the data behind it, empty if there is no file of it
    paint : draws it
    """

    name: str
    caption: str
    alt: str
    data: str
    paint: Callable[[], Canvas] = field(repr=False, compare=False)

    @cached_property
    def svg(self) -> str:
        """The picture as an element of a page."""
        with styled():
            return svg(self.paint(), self.name, self.alt)

    def png(self) -> bytes:
        """The picture as a PNG on white paper."""
        with styled():
            return png(self.paint())


@dataclass(frozen=True)
class Cell:
    """
    A cell of a table: what is shown, and the number behind it.

    Attributes
    ----------
    text : what is shown
    interval : its interval, if any
    value : the number that is shown, as it stands in the data; None for words
    note : a word or two below it
    link : where it leads to, if anywhere
    badge : the verdict that it shows, if any
    """

    text: str
    interval: str = ""
    value: float | None = None
    note: str = ""
    link: str = ""
    badge: "Badge | None" = None


@dataclass(frozen=True)
class Badge:
    """
    A verdict to be seen at a glance, by its words, a sign and a colour.

    Attributes
    ----------
    name : key of its colour in the style sheet
    sign : one character
    words : the verdict
    """

    name: str
    sign: str
    words: str


@dataclass(frozen=True)
class Heading:
    """
    Heading of a column.

    Attributes
    ----------
    title, unit : what stands there
    key : name of the column or measure in the data
    """

    title: str
    unit: str = ""
    key: str = ""


@dataclass(frozen=True)
class Table:
    """
    A table in a page.

    Attributes
    ----------
    name : id in the page
    caption : what it shows
    headings : of the columns
    names : columns at the left that name a row
    rows : cells
    data : name of the data behind it, empty if there is no file of it
    words : whether its cells are words, which may be broken into lines
    """

    name: str
    caption: str
    headings: Sequence[Heading]
    names: int
    rows: Sequence[Sequence[Cell]]
    data: str
    words: bool = False

    def is_numeric(self, column: int) -> bool:
        """Whether a column holds numbers."""
        return any(row[column].value is not None for row in self.rows)


@dataclass
class Detail:
    """
    Something of a section that is folded away until a reader asks for it.

    Attributes
    ----------
    title : what stands there to be opened
    text : paragraphs
    tables : in their order
    """

    title: str
    text: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass
class Section:
    """
    A part of a page.

    Attributes
    ----------
    name : id in the page
    title : its heading
    badge : verdict
    lead : the sentence to remember
    brief : the same for a list of all sections
    text : paragraphs before figures and tables
    findings : sentences to be listed, under headings
    figures, tables : in their order
    details : what is folded away
    foot : how much was played, and where
    code : commands that bring the results back
    data : data behind figures and tables, by name; a CSV file each
    """

    name: str
    title: str
    badge: Badge | None = None
    lead: str = ""
    brief: str = ""
    text: list[str] = field(default_factory=list)
    findings: list[tuple[str, list[str]]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    details: list[Detail] = field(default_factory=list)
    foot: str = ""
    code: str = ""
    data: dict[str, pd.DataFrame] = field(default_factory=dict)


@dataclass
class Chapter:
    """
    A chapter of a report.

    Attributes
    ----------
    name : id in the page
    title : its heading
    text : what stands before its sections
    sections : in their order
    listed : whether contents name its sections, too
    """

    name: str
    title: str
    text: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    listed: bool = False


def drawn(draw: Callable[[Axes], object], *, name: str, caption: str, alt: str, data: str, height: float) -> Figure:
    """Figure of one pair of axes that a function draws on."""
    return stacked([draw], name=name, caption=caption, alt=alt, data=data, heights=[height])


def stacked(
    draws: Sequence[Callable[[Axes], object]], *, name: str, caption: str, alt: str, data: str, heights: Sequence[float]
) -> Figure:
    """Figure of pairs of axes below one another, each with a function that draws on it and a height."""

    def paint() -> Canvas:
        figure = Canvas(figsize=(WIDTH, sum(heights)), layout="constrained")
        grid = figure.subplots(len(draws), 1, squeeze=False, gridspec_kw={"height_ratios": list(heights)})
        for ax, draw in zip(grid.flat, draws, strict=True):
            draw(ax)
        return figure

    return Figure(name, caption, plain(alt), data, paint)


def panels(
    draw: Callable[[Axes, pd.DataFrame], object],
    parts: Sequence[pd.DataFrame],
    *,
    name: str,
    caption: str,
    alt: str,
    data: str,
    height: float,
    labels: tuple[str, str],
) -> Figure:
    """Figure of small panels, three in a row, with the same scales; `labels` stand at the two axes."""
    lines = -(-len(parts) // 3)

    def paint() -> Canvas:
        figure = Canvas(figsize=(WIDTH, height), layout="constrained")
        grid = figure.subplots(lines, 3, sharex=True, sharey=True, squeeze=False)
        for ax, part in zip(grid.flat, parts, strict=False):
            draw(ax, part)
        for ax in grid.flat[len(parts) :]:
            ax.set_axis_off()
        for ax in grid.flat[max(len(parts) - 3, 0) : len(parts)]:
            ax.tick_params(labelbottom=True)
        handles, names = grid[0, 0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, names, loc="outside upper left", ncols=4)
        figure.supxlabel(labels[0])
        figure.supylabel(labels[1])
        return figure

    return Figure(name, caption, plain(alt), data, paint)


def estimate_cell(found: Estimate, unit: str, *, signed: bool = False, note: str = "") -> Cell:
    """Cell of an estimate with its interval."""
    text, interval = estimated(found, unit, signed=signed)
    if interval and not interval.startswith("±"):
        interval = f"({interval})"
    return Cell(text, interval, found.value, note)


def count_cell(number: float) -> Cell:
    """Cell of a whole number."""
    return Cell("–") if isnan(number) else Cell(f"{int(number):,}", value=float(number))


def by_player(
    frame: pd.DataFrame,
    *,
    name: str,
    caption: str,
    titles: Mapping[str, str],
    data: str,
    signed: bool = True,
    shown: Mapping[str, Callable[[Mapping[str, Any]], str]] | None = None,
    words: bool = False,
) -> Table:
    """
    Table of estimates: a row for each distinct mix of some columns, a column for each player.

    Parameters
    ----------
    frame : DataFrame
        policy, estimate, low, high, unit, units, outcome (shown below the estimate), and the columns of `titles`, which
        with policy must tell the rows apart
    titles : names of the columns that name a row, with their titles
    signed : whether points are shown with their sign
    shown : how a column is put in words, from the row; else as it is
    words : whether it is put in words so long that they must be broken into lines
    """
    policies = list(dict.fromkeys(frame["policy"]))
    lines: dict[tuple[str, ...], dict[str, Cell]] = {}
    units: dict[tuple[str, ...], dict[str, float]] = {}
    for row, found in zip(rows_of(frame), estimates(frame), strict=True):
        named = tuple((shown or {}).get(key, lambda row, key=key: str(row[key]))(row) for key in titles)
        place = (*named, shown_unit(row["unit"]))
        note = str(row["outcome"]) if row["outcome"] in NOTED else ""
        cell = estimate_cell(found, row["unit"], signed=signed and row["unit"].startswith("points"), note=note)
        cells = lines.setdefault(place, {})
        if row["policy"] in cells:
            raise ValueError(f"rows of {name} are not told apart by {', '.join(titles)}")
        cells[row["policy"]] = cell
        units.setdefault(place, {})[row["policy"]] = row["units"]
    rows = [
        [
            *map(Cell, place),
            *(cells.get(policy, Cell("–")) for policy in policies),
            Cell(" / ".join(f"{units[place].get(policy, 0):,}" for policy in policies)),
        ]
        for place, cells in lines.items()
    ]
    headings = [
        *(Heading(title, key=key) for key, title in titles.items()),
        Heading("unit", key="unit"),
        *(Heading(policy, key=policy) for policy in policies),
        Heading("units", " / ".join(policies), "units"),
    ]
    return Table(name, caption, headings, len(titles), rows, data, words)
