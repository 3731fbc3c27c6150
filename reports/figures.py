"""
Plots: each takes a documented data frame and draws it, nothing more.

Frames have the columns that `analyses` documents; shares are drawn in percent, intervals always.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from analyses.variants import SOURCES
from reports.numbers import is_share, shown_unit
from reports.style import BAND, INK, OKABE_ITO
from reports.wording import TITLES

POLICY_STYLE: Mapping[str, tuple[str, str]] = {
    "greedy": (OKABE_ITO["blue"], "o"),
    "counter": (OKABE_ITO["vermillion"], "s"),
    "free greedy": (OKABE_ITO["sky"], "o"),
    "free counter": (OKABE_ITO["orange"], "s"),
}
"""Colour and marker of a policy."""

SOURCE_COLOURS: Mapping[str, str] = dict(
    zip(SOURCES, (OKABE_ITO[name] for name in ("blue", "sky", "green", "purple", "orange", "vermillion")), strict=True)
)

_BAR: Mapping[str, Any] = {"ecolor": INK, "elinewidth": 1.1, "capsize": 2.2, "capthick": 1.1}


def _axes(ax: Axes | None) -> Axes:
    """Axes to draw on: those given, or new ones."""
    if ax is None:
        from matplotlib import pyplot as plt

        return plt.subplots(layout="constrained")[1]
    return ax


def _style(policy: object) -> tuple[str, str]:
    """Colour and marker of a policy."""
    return POLICY_STYLE.get(str(policy), (OKABE_ITO["green"], "D"))


def _marks(policy: object, *, hollow: bool = False, size: float = 4.5) -> dict[str, Any]:
    """How the estimates of a policy and their intervals are drawn."""
    colour, marker = _style(policy)
    marks = {"color": colour, "marker": marker, "markersize": size, "linestyle": "none"}
    return {**marks, **_BAR, "ecolor": colour} | ({"markerfacecolor": "none"} if hollow else {})


def _key(ax: Axes, entries: Sequence[tuple[str, str, str]]) -> None:
    """Say above the axes which marker, colour and name belong together."""
    for colour, marker, label in entries:
        ax.plot([], [], marker=marker, linestyle="none", color=colour, label=label, markersize=5.5)
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=len(entries),
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1,
    )


def _errors(frame: pd.DataFrame, factor: float = 1.0) -> Any:
    """Lengths of the intervals to the left and to the right."""
    return np.abs(np.array([frame["estimate"] - frame["low"], frame["high"] - frame["estimate"]], float)) * factor


def plot_points(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw points by source as stacked bars, with intervals on the majority and on the total.

    Parameters
    ----------
    frame : DataFrame
        variant, policy, measure (the sources and total), estimate, low, high
    """
    ax = _axes(ax)
    policies = list(frame["policy"].unique())
    names = list(frame["variant"].unique())
    places = {
        (name, policy): k * (len(policies) + 0.6) + j
        for k, name in enumerate(names)
        for j, policy in enumerate(policies)
    }
    order = pd.MultiIndex.from_tuples(places)

    def rows(measure: str) -> pd.DataFrame:
        return frame[frame["measure"] == measure].set_index(["variant", "policy"]).loc[order]

    left = np.zeros(len(places))
    heights = np.array(list(places.values()), float)
    for source in SOURCES:
        part = rows(source)
        ax.barh(heights, part["estimate"], left=left, height=0.86, color=SOURCE_COLOURS[source], label=TITLES[source])
        left = left + part["estimate"].to_numpy(float)
        if source == "majority":
            ax.errorbar(left, heights, xerr=_errors(part), fmt="none", **_BAR)
    total = rows("total")
    ax.errorbar(total["estimate"], heights, xerr=_errors(total), fmt="none", **_BAR)
    labels = [f"{name}  {policy}" if policy == policies[0] else policy for name, policy in places]
    ax.set_yticks(heights, labels)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(heights[-1] + 0.7, -0.7)
    ax.grid(axis="x")
    ax.set_xlabel("points a round, both players together")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handlelength=1.1, columnspacing=1)
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
    ax = _axes(ax)
    unit = frame["unit"].iloc[0]
    factor = 100.0 if is_share(unit) else 1.0
    names = list(frame["variant"].unique())
    policies = list(frame["policy"].unique())
    if reference is not None:
        ax.axvline(reference * factor, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    for k, policy in enumerate(policies):
        part = frame[frame["policy"] == policy]
        heights = part["variant"].map(names.index).to_numpy(float) + 0.26 * (k - (len(policies) - 1) / 2)
        ax.errorbar(part["estimate"] * factor, heights, xerr=_errors(part, factor), **_marks(policy))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="both")
    ax.set_xlabel(f"{label} ({shown_unit(unit)})" if label else shown_unit(unit))
    _key(ax, [(*_style(policy), policy) for policy in policies])
    return ax


def plot_lengths(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw the distribution of the length of a match under one variant, a line with intervals for each policy.

    Parameters
    ----------
    frame : DataFrame
        variant (one), policy, length (rounds), estimate (share of matches), low, high
    """
    ax = _axes(ax)
    for policy, part in frame.groupby("policy", sort=False):
        marks = (
            _marks(policy, size=3)
            | {"label": policy}
            | {"linestyle": "-", "linewidth": 0.9, "elinewidth": 1.0, "capsize": 1.5}
        )
        ax.errorbar(part["length"], part["estimate"] * 100, yerr=_errors(part, 100), **marks)
    ax.set_title(", ".join(frame["variant"].unique()))
    ax.set_ylim(0, max(ax.get_ylim()[1], float(frame["high"].max()) * 105))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="both")
    return ax


def plot_duels(frame: pd.DataFrame, *, ax: Axes | None = None, null: float = 0.0, smallest: float = 0.0) -> Axes:
    """
    Draw what a piece of advice gains, a row for each form and player; results on another seed are drawn hollow.

    Parameters
    ----------
    frame : DataFrame
        policy, form, seed, estimate, low, high, unit
    null : float
        The value that stands for no difference.
    smallest : float
        Half the width of the band in which a difference does not matter; no band if 0.
    """
    ax = _axes(ax)
    unit = frame["unit"].iloc[0]
    factor = 100.0 if is_share(unit) else 1.0
    forms, policies = list(frame["form"].unique()), list(frame["policy"].unique())
    places = {
        (form, policy): k * (len(policies) + 1.2) + j
        for k, form in enumerate(forms)
        for j, policy in enumerate(policies)
    }
    if smallest:
        ax.axvspan((null - smallest) * factor, (null + smallest) * factor, color=BAND, linewidth=0)
    ax.axvline(null * factor, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    first = frame["seed"].iloc[0]
    for (policy, seed), part in frame.groupby(["policy", "seed"], sort=False):
        again = seed != first
        heights = [places[form, str(policy)] + 0.3 * again for form in part["form"]]
        ax.errorbar(part["estimate"] * factor, heights, xerr=_errors(part, factor), **_marks(policy, hollow=again))
    ax.set_yticks(list(places.values()), [policy for _, policy in places])
    edge = blended_transform_factory(ax.transAxes, ax.transData)
    for k, form in enumerate(forms):
        height = k * (len(policies) + 1.2) - 0.75
        ax.text(0.005, height, form, transform=edge, fontweight="bold", va="center", fontsize=8.5)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(max(places.values()) + 0.8, -1.3)
    ax.grid(axis="x")
    ax.set_xlabel(shown_unit(unit))
    return ax
