"""
Plots about advice: each takes a documented data frame and draws it, nothing more.

The frames are rows of `analyses.claims`, with the columns that `analyses.claims.rows.row` describes; shares are drawn
in percent, intervals always.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.transforms import blended_transform_factory

from analyses.claims.naming import quantity
from analyses.frames import estimates, rows_of
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from reports.labels import Label, above, at_ends, beside
from reports.marks import axes, errors, marks, nothing, style
from reports.numbers import MINUS, figure, is_share, shown_unit
from reports.style import BAND, INK, OKABE_ITO
from reports.wording import in_order, measured

GAIN_COLOUR, COST_COLOUR = OKABE_ITO["blue"], OKABE_ITO["orange"]
"""The two ends of the scale of maps; its middle is the page itself."""

FULLEST = 0.45
"""How much of a colour the largest value of a map has: text can still be read on it."""

MOST_ON_TWO_LINES = 6
"""Places of a quantity whose names have room on two lines, one beside another."""

_BROKEN = ((" to ", "\nto "), (" or more", "\nor more"), ("below ", "below\n"))
_NARROW = ((" to ", "\nto\n"), (" or more", "\nor\nmore"), ("below ", "below\n"))
"""How names of places are broken into lines."""

WHETHER = ("last_to_play",)
"""Quantities that are 1 where something holds, else 0."""

FORM_WORDS = {LITERAL: "always followed", TIE_BREAK: "followed in doubt only", REVERSED: "always the opposite"}
"""Forms of advice, for readers."""

NUMBERED = ("none", "4", "8", "16", "all")
"""Degrees of memory that follow one another."""


def _factor(frame: pd.DataFrame) -> float:
    """What numbers of a frame are multiplied with: shares are drawn in percent."""
    return 100.0 if is_share(frame["unit"].iloc[0]) else 1.0


def plot_effects(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw effects of many claims on one axis: a row a claim, a marker a player, the band of what does not matter.

    Parameters
    ----------
    frame : DataFrame
        claim, policy, estimate, low, high, unit (one for all), smallest (half the width of a claim's band); rows stand
        in the order in which their claims first come.
    """
    ax = axes(ax)
    names, policies = list(frame["claim"].unique()), list(frame["policy"].unique())
    factor = _factor(frame)
    nothing(ax, 0.0, 0.0)
    for k, name in enumerate(names):
        half = float(frame.loc[frame["claim"] == name, "smallest"].iloc[0]) * factor
        ax.add_patch(Rectangle((-half, k - 0.45), 2 * half, 0.9, facecolor=BAND, linewidth=0, zorder=0.5))
    words = []
    for k, policy in enumerate(policies):
        part = frame[frame["policy"] == policy]
        heights = part["claim"].map(names.index).to_numpy(float) + 0.25 * (k - (len(policies) - 1) / 2)
        ax.errorbar(part["estimate"] * factor, heights, xerr=errors(part, factor), **marks(policy, size=4))
        if len(part):
            first = int(np.argmin(heights))
            words.append(Label(policy, float(part["estimate"].iloc[first]) * factor, heights[first], style(policy)[0]))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set_xlabel(shown_unit(frame["unit"].iloc[0]))
    above(ax, words)
    return ax


def plot_forms(frame: pd.DataFrame, *, ax: Axes | None = None, null: float = 0.0, smallest: float = 0.0) -> Axes:
    """
    Draw what advice gains as a way of playing, a row a form and player; results on another seed are hollow.

    Parameters
    ----------
    frame : DataFrame
        policy, form, seed, estimate, low, high, unit
    null : float
        The value that stands for no difference.
    smallest : float
        Half the width of the band in which a difference does not matter; no band if 0.
    """
    ax = axes(ax)
    factor = _factor(frame)
    forms, policies = list(frame["form"].unique()), list(frame["policy"].unique())
    places = {
        (form, policy): k * (len(policies) + 1.2) + j
        for k, form in enumerate(forms)
        for j, policy in enumerate(policies)
    }
    nothing(ax, null * factor, smallest * factor)
    first = frame["seed"].iloc[0]
    for (policy, seed), part in frame.groupby(["policy", "seed"], sort=False):
        again = seed != first
        heights = [places[form, str(policy)] + 0.32 * again for form in part["form"]]
        ax.errorbar(part["estimate"] * factor, heights, xerr=errors(part, factor), **marks(policy, hollow=again))
    ax.set_yticks(list(places.values()), [policy for _, policy in places])
    edge = blended_transform_factory(ax.transAxes, ax.transData)
    for k, form in enumerate(forms):
        height = k * (len(policies) + 1.2) - 0.75
        ax.text(0.005, height, FORM_WORDS.get(form, form), transform=edge, fontweight="bold", va="center")
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(max(places.values()) + 0.8, -1.3)
    ax.grid(axis="x")
    ax.set_xlabel(shown_unit(frame["unit"].iloc[0]))
    return ax


def plot_split(frame: pd.DataFrame, *, ax: Axes | None = None, smallest: float = 0.0) -> Axes:
    """
    Draw the value of a decision by one quantity of the situation, a line with intervals for each player.

    Parameters
    ----------
    frame : DataFrame
        split (one), place, policy, estimate, low, high, unit
    smallest : float
        Half the width of the band in which a difference does not matter.
    """
    ax = axes(ax)
    split, factor = frame["split"].iloc[0], _factor(frame)
    names = in_order(split, frame["place"].unique())
    policies = list(frame["policy"].unique())
    nothing(ax, 0.0, smallest * factor, upright=False)
    words = []
    for k, policy in enumerate(policies):
        part = frame[frame["policy"] == policy]
        part = part.loc[part["place"].map(names.index).sort_values().index]
        where = part["place"].map(names.index).to_numpy(float) + 0.16 * (k - (len(policies) - 1) / 2)
        look = marks(policy) | {"linestyle": "-", "linewidth": 0.9}
        ax.errorbar(where, part["estimate"] * factor, yerr=errors(part, factor), **look)
        words.append(Label(policy, where[-1], float(part["estimate"].iloc[-1]) * factor, look["color"]))
    ways = _NARROW if len(names) > MOST_ON_TWO_LINES else _BROKEN
    labels = [reduce(lambda name, way: name.replace(*way), ways, name) for name in names]
    if split in WHETHER:
        labels = [("no", "yes")[int(name)] for name in names]
    ax.set_xticks(range(len(names)), [label.replace("-", MINUS) for label in labels])
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_xlabel(quantity(split))
    ax.set_ylabel(shown_unit(frame["unit"].iloc[0]))
    ax.grid(axis="y")
    at_ends(ax, words)
    return ax


def plot_map(
    frame: pd.DataFrame,
    *,
    ax: Axes | None = None,
    largest: float | None = None,
    places: Iterable[str] = (),
) -> Axes:
    """
    Draw the value of a decision by two quantities of the situation as a map of coloured cells.

    Blue cells gain and orange ones cost, the more so the fuller they are; numbers stand in them, the estimate above
    half the length of its interval. A ring marks cells whose interval holds 0. Cells without a row stay empty.

    Parameters
    ----------
    frame : DataFrame
        split (one, of two quantities: "x × y"), place ("x × y"), policy (one), estimate, low, high, unit
    largest : float, optional
        The value that has the fullest colour, where several maps share a scale; else the largest of the frame's.
    places : iterable of str
        More places that there is to be room for, where several maps share their axes.
    """
    ax = axes(ax)
    factor, unit = _factor(frame), str(frame["unit"].iloc[0])
    across, up = str(frame["split"].iloc[0]).split(" × ")
    pairs = [str(place).split(" × ") for place in frame["place"]]
    room = [*pairs, *(str(each).split(" × ") for each in places)]
    columns, lines = in_order(across, {pair[0] for pair in room}), in_order(up, {pair[1] for pair in room})
    most = largest or float(frame["estimate"].abs().max()) or 1.0
    digits = 1 if factor == 1.0 and most >= 0.095 else 2
    for (x, y), value, low, high in zip(pairs, frame["estimate"], frame["low"], frame["high"], strict=True):
        _cell(ax, columns.index(x), lines.index(y), (value, low, high), most, factor, digits)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(-0.5, len(lines) - 0.5)
    ax.set_xticks(range(len(columns)), [name.replace(" or more", "+").replace(" to ", "–") for name in columns])
    ax.set_yticks(range(len(lines)), [name.replace(" or more", "+").replace(" to ", "–") for name in lines])
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_xlabel(quantity(across))
    ax.set_ylabel(quantity(up))
    ax.set_title(f"{', '.join(frame['policy'].unique())}: {shown_unit(unit)}")
    return ax


def _cell(ax: Axes, x: int, y: int, found: tuple[float, float, float], most: float, factor: float, digits: int) -> None:
    """One cell of a map."""
    value, low, high = found
    colour, alpha = GAIN_COLOUR if value > 0 else COST_COLOUR, FULLEST * min(abs(value) / most, 1.0)
    ax.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=colour, alpha=alpha, linewidth=0))
    for text, up in (
        (figure(value * factor, digits, signed=True), 6),
        (f"±{figure((high - low) / 2 * factor, digits)}", -6),
    ):
        ax.annotate(text, (x, y), xytext=(0, up), textcoords="offset points", ha="center", va="center")
    if low <= 0 <= high:
        ax.plot(x + 0.43, y, marker="o", markersize=2.8, markerfacecolor="none", color=INK, markeredgewidth=0.8)


def plot_degrees(frame: pd.DataFrame, *, ax: Axes | None = None, full: str = "all", smallest: float = 0.0) -> Axes:
    """
    Draw a curve over degrees of memory: points a round ahead of the same player who remembers everything.

    Parameters
    ----------
    frame : DataFrame
        form (the degree: none, a number of cards, or what is remembered), policy, estimate, low, high, unit
    full : str
        The degree that all are compared with; it is drawn at 0.
    smallest : float
        Half the width of the band in which a difference does not matter.
    """
    ax = axes(ax)
    degrees = set(frame["form"])
    rising = [name for name in NUMBERED if name in degrees or name == full]
    others = [name for name in dict.fromkeys(frame["form"]) if name not in rising]
    names = [*rising, *others]
    policies = list(frame["policy"].unique())
    nothing(ax, 0.0, smallest, upright=False)
    words, drawn = [], []
    for k, policy in enumerate(policies):
        part = frame[frame["policy"] == policy]
        shift = 0.14 * (k - (len(policies) - 1) / 2)
        for chosen, line in ((rising, "-"), (others, "none")):
            rows = part[part["form"].isin(chosen)]
            rows = rows.loc[rows["form"].map(names.index).sort_values().index]
            where = rows["form"].map(names.index).to_numpy(float) + shift
            look = marks(policy) | {"linestyle": "none"}
            ax.errorbar(where, rows["estimate"], yerr=errors(rows), **look)
            drawn += [(x, low, x, high) for x, low, high in zip(where, rows["low"], rows["high"], strict=True)]
            if line == "-":
                ends = np.append(where, rising.index(full) + shift), np.append(rows["estimate"].to_numpy(float), 0.0)
                ax.plot(*ends, color=look["color"], linewidth=0.9)
                drawn += _along(*ends)
                words += [Label(policy, float(ends[0][0]), float(ends[1][0]), look["color"])]
    if others:
        ax.axvline(len(rising) - 0.5, color=INK, linewidth=0.6)
    ax.set_xticks(range(len(names)), [_degree(name) for name in names])
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_xlabel("what is remembered of the cards played")
    ax.set_ylabel(f"{shown_unit(frame['unit'].iloc[0])}, against all")
    ax.grid(axis="y")
    beside(ax, words, drawn)
    return ax


def _along(x: Any, y: Any) -> list[tuple[float, float, float, float]]:
    """Places along a line through points, as boxes without a length."""
    at = np.linspace(x[0], x[-1], 40)
    return [(each, up, each, up) for each, up in zip(at, np.interp(at, x, y), strict=True)]


def _degree(name: str) -> str:
    """A degree of memory, for an axis."""
    words = {"points": "points,\njacks", "ranks": "ranks\nonly"}
    return f"last\n{name}" if name.isdigit() else words.get(name, name)


def told(frame: pd.DataFrame, *names: str) -> str:
    """
    What a figure shows mainly, for who does not see it: the least and the greatest estimate, each with what it is of.

    Parameters
    ----------
    frame : DataFrame
        estimate, low, high, units, unit, and the columns of `names`, which say what a row is of
    """
    known = frame[frame["estimate"].notna()]
    if not len(known):
        return "No estimate."
    ends = known.iloc[[int(known["estimate"].argmin()), int(known["estimate"].argmax())]]
    least, most = (
        f"{measured(found, str(row['unit']), signed=True)} ({', '.join(str(row[name]) for name in names)})"
        for row, found in zip(rows_of(ends), estimates(ends), strict=True)
    )
    return f"From {least} to {most}." if len(known) > 1 else f"{least[0].upper()}{least[1:]}."


def scale(frames: Sequence[pd.DataFrame]) -> float:
    """A round value that the largest of some maps' estimates keep below, for a common scale."""
    most = max(float(frame["estimate"].abs().max()) for frame in frames)
    step = 10.0 ** np.floor(np.log10(most)) if most > 0 else 1.0
    return float(np.ceil(most / step) * step)
