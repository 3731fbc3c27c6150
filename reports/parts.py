"""What a page is put together from: sections, figures, tables, and the data behind them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import isnan

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from analyses.frames import by_key
from basra_sim.simulation import Measure
from basra_sim.stats import Estimate
from reports.numbers import estimated, shown_unit
from reports.style import styled, svg

WIDTH = 5.2
"""Width of all figures in inches: a telephone shows them at about this size, so that their text can be read there."""


@dataclass(frozen=True)
class Figure:
    """
    A picture in a page.

    Attributes
    ----------
    name : id in the page
    svg : the picture
    caption : what is drawn, in which units, from how much
    data : name of the data behind it
    """

    name: str
    svg: str
    caption: str
    data: str


@dataclass(frozen=True)
class Cell:
    """
    A cell of a table: what is shown, and the number behind it.

    Attributes
    ----------
    text : what is shown
    interval : its interval, if any
    value : the number that is shown, as it stands in the data; None for words
    """

    text: str
    interval: str = ""
    value: float | None = None


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
    data : name of the data behind it
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
class Section:
    """
    A part of a page.

    Attributes
    ----------
    name : id in the page
    title : its heading
    lead : the sentence to remember
    brief : the same for a list of all sections
    text : paragraphs before figures and tables
    findings : sentences to be listed, under headings
    figures, tables : in their order
    after : paragraphs after them
    code : lines that reproduce a result
    data : data behind figures and tables, by name; a CSV file each
    """

    name: str
    title: str
    lead: str = ""
    brief: str = ""
    text: list[str] = field(default_factory=list)
    findings: list[tuple[str, list[str]]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    code: str = ""
    data: dict[str, pd.DataFrame] = field(default_factory=dict)


def drawn(draw: Callable[[Axes], object], *, name: str, caption: str, alt: str, data: str, height: float) -> Figure:
    """Figure of one pair of axes that a function draws on."""
    with styled():
        figure = Canvas(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        picture = svg(figure, name, alt)
    return Figure(name, picture, caption, data)


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
    with styled():
        figure = Canvas(figsize=(WIDTH, height), layout="constrained")
        grid = figure.subplots(lines, 3, sharex=True, sharey=True, squeeze=False)
        for ax, part in zip(grid.flat, parts, strict=False):
            draw(ax, part)
        for ax in grid.flat[len(parts) :]:
            ax.set_axis_off()
        for ax in grid.flat[max(len(parts) - 3, 0) : len(parts)]:
            ax.tick_params(labelbottom=True)
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=4)
        figure.supxlabel(labels[0])
        figure.supylabel(labels[1])
        picture = svg(figure, name, alt)
    return Figure(name, picture, caption, data)


def estimate_cell(found: Estimate, unit: str, *, signed: bool = False) -> Cell:
    """Cell of an estimate with its interval."""
    text, interval = estimated(found, unit, signed=signed)
    return Cell(text, interval, found.value)


def count_cell(number: float) -> Cell:
    """Cell of a whole number."""
    return Cell("–") if isnan(number) else Cell(f"{int(number):,}", value=float(number))


def measure_heading(measure: Measure, title: str) -> Heading:
    """Heading of the column of a measure."""
    return Heading(title, shown_unit(measure.unit), measure.name)


def by_variant(
    frame: pd.DataFrame, *, name: str, caption: str, titles: Iterable[tuple[Measure, str]], signed: Iterable[str] = ()
) -> Table:
    """
    Table of measures: a row for each variant and strength of play, a column for each measure.

    Parameters
    ----------
    frame : DataFrame
        variant, policy, measure, estimate, low, high, unit, units; it is the data behind the table, under its name
    titles : measures with the titles of their columns
    signed : names of measures that are shown with their sign
    """
    columns = list(titles)
    found = by_key(frame, "variant", "policy", "measure")
    rows = []
    for variant, policy in product(frame["variant"].unique(), frame["policy"].unique()):
        cells = [(found[variant, policy, measure.name], measure) for measure, _ in columns]
        row = [estimate_cell(cell, measure.unit, signed=measure.name in signed) for cell, measure in cells]
        rows.append([Cell(variant), Cell(policy), *row, count_cell(cells[0][0].units)])
    headings = [
        Heading("variant", key="variant"),
        Heading("players", key="policy"),
        *(measure_heading(measure, title) for measure, title in columns),
        Heading("matches", key="units"),
    ]
    return Table(name, caption, headings, 2, rows, name)
