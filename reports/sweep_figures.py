"""Plots of sweeps and fits: each takes a documented data frame and draws it, nothing more."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analyses.balance.fitting import Fit
from analyses.balance.measures import SIGNED
from analyses.balance.sweeps import Sweep
from analyses.balance.trials import HEAD_START
from basra_sim.rules import OPTIONS
from basra_sim.stats import decimals
from reports.marks import BAR, axes, errors
from reports.numbers import figure as number_text
from reports.numbers import is_share, shown_unit
from reports.style import BAND, INK, OKABE_ITO

MOST_TEXTS = 15
"""Columns of a heat map up to which values stand in its cells."""

_AROUND_NOTHING = (*SIGNED, "first_seat_advantage", "last_seat_advantage", "better_margin")
"""Measures whose 0 means something: colours go two ways from it."""


def options_of(frame: pd.DataFrame) -> list[str]:
    """Options that are varied in a frame: the columns named by them."""
    return [str(name) for name in frame.columns if name in OPTIONS or name == HEAD_START]


def plot_sweep(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw one measure by one option, as a line with intervals, or by two, as a heat map.

    Parameters
    ----------
    frame : DataFrame
        A column for each option, the first across; measure and part (one), estimate, low, high, unit, own (the
        variant's own rules are marked); difference_low, difference_high (values in bold are clear of the own rules)
    """
    ax = axes(ax)
    options = options_of(frame)
    unit = frame["unit"].iloc[0]
    measure, part = frame["measure"].iloc[0], frame["part"].iloc[0]
    name = f"{measure}, {part}" if part else measure
    ax.set_title(f"{name} ({shown_unit(unit)})".replace("_", " "))
    if len(options) == 1:
        return _line(ax, frame, options[0], 100.0 if is_share(unit) else 1.0)
    return _heat(ax, frame, options[0], options[1], 100.0 if is_share(unit) else 1.0)


def _line(ax: Axes, frame: pd.DataFrame, option: str, factor: float) -> Axes:
    """Draw estimates with intervals by one option."""
    numbers = type(frame[option].iloc[0]) is not str and frame[option].dtype != bool
    places = frame[option].to_numpy(float) if numbers else np.arange(len(frame), dtype=float)
    look: dict[str, Any] = {"marker": "o", "markersize": 4, "color": OKABE_ITO["blue"], **BAR}
    ax.errorbar(
        places, frame["estimate"] * factor, yerr=errors(frame, factor), linestyle="-" if numbers else "none", **look
    )
    if not numbers:
        ax.set_xticks(places, [_label(value) for value in frame[option]])
        ax.set_xlim(-0.5, len(frame) - 0.5)
    own = frame["own"].to_numpy(bool)
    if own.any():
        ax.errorbar(
            places[own],
            frame["estimate"][own] * factor,
            linestyle="none",
            marker="s",
            markersize=8,
            markerfacecolor="none",
            markeredgecolor=OKABE_ITO["vermillion"],
            label="own rules",
        )
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1, handletextpad=0.1)
    ax.grid(axis="both")
    ax.set_xlabel(option.replace("_", " "))
    return ax


def _heat(ax: Axes, frame: pd.DataFrame, across: str, down: str, factor: float) -> Axes:
    """Draw a heat map of two options, with the values in its cells and the own rules framed."""
    columns, rows = list(frame[across].unique()), list(frame[down].unique())
    grid = np.full((len(rows), len(columns)), np.nan)
    places = [(rows.index(row), columns.index(column)) for row, column in zip(frame[down], frame[across], strict=True)]
    for place, value in zip(places, frame["estimate"], strict=True):
        grid[place] = value * factor
    look = _colours(grid, frame["measure"].iloc[0])
    image = ax.imshow(grid, origin="lower", aspect="auto", **look)
    ax.set_xticks(range(len(columns)), [_label(value) for value in columns])
    ax.set_yticks(range(len(rows)), [_label(value) for value in rows])
    ax.set_xlabel(across.replace("_", " "))
    ax.set_ylabel(down.replace("_", " "))
    ax.tick_params(length=0)
    half = float(((frame["high"] - frame["low"]) / 2).max()) * factor
    clear = (frame["difference_low"] > 0) | (frame["difference_high"] < 0)
    if len(columns) <= MOST_TEXTS:
        digits = decimals(half if half > 0 else None)
        for place, bold in zip(places, clear, strict=True):
            _write_cell(ax, image, place, grid[place], digits, bold=bool(bold))
    for place in (place for place, own in zip(places, frame["own"], strict=True) if own):
        corner = place[1] - 0.5, place[0] - 0.5
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=INK, linewidth=2.2, clip_on=False))
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02)
    bar.outline.set_visible(False)
    return ax


def _colours(grid: Any, measure: str) -> dict[str, Any]:
    """Colours of a heat map: two ways from 0 where that means something, else from the lowest to the highest."""
    if measure in _AROUND_NOTHING:
        largest = float(np.nanmax(np.abs(grid))) or 1.0
        return {"cmap": "PuOr", "vmin": -largest, "vmax": largest}
    return {"cmap": "cividis"}


def _write_cell(ax: Axes, image: Any, place: tuple[int, int], value: float, digits: int, *, bold: bool) -> None:
    """Write a value into a cell of a heat map, dark on light or light on dark."""
    if not np.isfinite(value):
        return
    red, green, blue, _ = image.cmap(image.norm(value))
    light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.55
    ax.text(
        place[1],
        place[0],
        number_text(value, digits),
        ha="center",
        va="center",
        fontsize=8.5,
        color="#1b1b1b" if light else "#ffffff",
        fontweight="bold" if bold else "normal",
    )


def _label(value: Any) -> str:
    """Value of an option on an axis."""
    return str(value).lower() if isinstance(value, bool | np.bool_) else str(value).replace("_", " ")


def plot_fit(frame: pd.DataFrame, answers: pd.DataFrame, aim: float, *, ax: Axes | None = None) -> Axes:
    """
    Draw a measure by one option, the value it is to come to, and the answers with their intervals.

    Parameters
    ----------
    frame : DataFrame
        A column for the option; measure and part (one), estimate, low, high, unit, own
    answers : DataFrame
        value, low, high
    aim : the value, in the unit of the measure
    """
    ax = axes(ax)
    factor = 100.0 if is_share(frame["unit"].iloc[0]) else 1.0
    for low, high in zip(answers["low"], answers["high"], strict=True):
        ax.axvspan(low, high, color=BAND, linewidth=0)
    for value in answers["value"].dropna():
        ax.axvline(float(value), color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    ax.axhline(aim * factor, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    return plot_sweep(frame, ax=ax)


def sweep_figure(found: Sweep) -> Figure:
    """Figure of a sweep of one option or two: a panel for each measure."""
    frames = [rows for _, rows in found.frame.groupby(["measure", "part"], sort=False)]
    made, panels = _panels(len(frames), found.options, found.frame)
    for ax, rows in zip(panels, frames, strict=True):
        plot_sweep(rows, ax=ax)
    if len(found.options) == 2:
        framed = "framed: the variant's own rules; " if found.frame["own"].any() else ""
        made.supxlabel(f"{framed}bold: the difference from the variant's own rules is clear of 0", fontsize=8.5)
    return made


def fit_figure(found: Mapping[str, Fit]) -> Figure:
    """Figure of fits, of one option or two each: a panel for each variant."""
    first = next(iter(found.values()))
    made, panels = _panels(len(found), first.options, first.values)
    for ax, (label, each) in zip(panels, found.items(), strict=True):
        rows = each.values.assign(difference_low=each.values["miss_low"], difference_high=each.values["miss_high"])
        if each.curve:
            plot_fit(rows, each.answers, each.aim.value or 0.0, ax=ax)
        else:
            plot_sweep(rows.sort_values(list(each.options)), ax=ax)
        ax.set_title(f"{label}: {ax.get_title(loc='left')}" if len(found) > 1 else ax.get_title(loc="left"))
    if len(first.options) == 2:
        framed = "framed: the variant's own rules; " if any(each.values["own"].any() for each in found.values()) else ""
        made.supxlabel(f"{framed}bold: found to miss the value asked for", fontsize=8.5)
    return made


def _panels(number: int, options: Sequence[str], frame: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels, in two columns, large enough for the values that are varied."""
    across = min(number, 2)
    down = ceil(number / across)
    width = min(max(4.6, 0.55 * frame[options[0]].nunique() + 1.8), 9.0) if len(options) == 2 else 4.6
    height = min(max(3.0, 0.36 * frame[options[1]].nunique() + 1.2), 8.0) if len(options) == 2 else 3.0
    made = Figure(figsize=(width * across, height * down + 0.3), layout="constrained")
    panels = list(made.subplots(down, across, squeeze=False).flat)
    for ax in panels[number:]:
        ax.remove()
    return made, panels[:number]
