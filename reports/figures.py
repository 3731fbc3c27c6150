"""
Plots that compare variants: each takes a documented data frame and draws it, nothing more.

Frames have the columns that `analyses` documents; shares are drawn in percent, intervals always.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from basra_sim.assembly import SOURCES
from reports.labels import Label, above
from reports.marks import OUTLINE, axes, errors, interval_on_bars, marks, style
from reports.numbers import is_share, shown_unit
from reports.style import INK, OKABE_ITO
from reports.wording import TITLES

SOURCE_COLOURS: Mapping[str, str] = dict(
    zip(SOURCES, (OKABE_ITO[name] for name in ("blue", "sky", "green", "purple", "orange", "vermillion")), strict=True)
)


def plot_points(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw points by source as stacked bars, named above the first, with intervals on the majority and on the total.

    Parameters
    ----------
    frame : DataFrame
        variant, policy, part (the sources and total), estimate, low, high
    """
    ax = axes(ax)
    policies = list(frame["policy"].unique())
    names = list(frame["variant"].unique())
    places = {
        (name, policy): k * (len(policies) + 0.6) + j
        for k, name in enumerate(names)
        for j, policy in enumerate(policies)
    }
    order = pd.MultiIndex.from_tuples(places)

    def rows(source: str) -> pd.DataFrame:
        return frame[frame["part"] == source].set_index(["variant", "policy"]).loc[order]

    left = np.zeros(len(places))
    heights = np.array(list(places.values()), float)
    words = []
    for source in SOURCES:
        part, colour = rows(source), SOURCE_COLOURS[source]
        ax.barh(heights, part["estimate"], left=left, height=0.86, color=colour, **OUTLINE)
        words.append(Label(TITLES[source], left[0] + float(part["estimate"].iloc[0]) / 2, heights[0] - 0.43))
        left = left + part["estimate"].to_numpy(float)
        if source == "majority":
            interval_on_bars(ax, left, heights, part)
    total = rows("total")
    interval_on_bars(ax, total["estimate"], heights, total)
    labels = [f"{name}  {policy}" if policy == policies[0] else policy for name, policy in places]
    ax.set_yticks(heights, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(heights[-1] + 0.7, -0.7)
    ax.grid(axis="x")
    ax.set_xlabel("points a round, both players together")
    above(ax, words)
    return ax


def plot_measure(
    frame: pd.DataFrame, *, ax: Axes | None = None, reference: float | None = None, label: str = ""
) -> Axes:
    """
    Draw one measure of all variants as dots with intervals, a colour and marker for each policy.

    Parameters
    ----------
    frame : DataFrame
        variant, policy, estimate, low, high, unit
    reference : float, optional
        A value to mark by a line.
    label : str
        What the measure is; its unit is put behind it.
    """
    ax = axes(ax)
    unit = frame["unit"].iloc[0]
    factor = 100.0 if is_share(unit) else 1.0
    names = list(frame["variant"].unique())
    policies = list(frame["policy"].unique())
    if reference is not None:
        ax.axvline(reference * factor, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    words = []
    for k, policy in enumerate(policies):
        part = frame[frame["policy"] == policy]
        heights = part["variant"].map(names.index).to_numpy(float) + 0.26 * (k - (len(policies) - 1) / 2)
        ax.errorbar(part["estimate"] * factor, heights, xerr=errors(part, factor), **marks(policy))
        first = int(np.argmin(heights))
        words.append(Label(policy, float(part["estimate"].iloc[first]) * factor, heights[first], style(policy)[0]))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="both")
    ax.set_xlabel(f"{label} ({shown_unit(unit)})" if label else shown_unit(unit))
    above(ax, words)
    return ax
