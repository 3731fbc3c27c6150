"""
Plots that tell how fair, skilful and long games are: each takes a documented data frame and draws it, nothing more.

Frames have the columns of `analyses.balance.runs.jobs`; shares are drawn in percent, intervals always.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from reports.marks import BAR, axes, errors, marks
from reports.style import INK, OKABE_ITO

SHARES: Mapping[str, tuple[str, str]] = {
    "skill": ("who plays", OKABE_ITO["vermillion"]),
    "seat_share": ("the seats", OKABE_ITO["purple"]),
    "deal_share": ("the deal", OKABE_ITO["sky"]),
    "rest_share": ("the rest", OKABE_ITO["orange"]),
}
"""Shares of the variance of a margin, in the order in which they are stacked: names and colours."""

LACKING_LOOK: Mapping[str, tuple[str, str, str]] = {
    "majority": ("most cards", OKABE_ITO["orange"], "s"),
    "basras": ("basras", OKABE_ITO["vermillion"], "o"),
    "cards": ("aces, jacks, two, 10♦", OKABE_ITO["blue"], "D"),
}
"""Sources that are left out: names, colours and markers."""

FULLEST = 0.5
"""How much of its colour the cell of an even chance has."""

_TO_GO = (OKABE_ITO["vermillion"], OKABE_ITO["blue"], OKABE_ITO["green"])


def plot_shares(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw what the variance of a margin goes back to as stacked bars, with the interval of skill.

    Parameters
    ----------
    frame : DataFrame
        variant, measure (those of `SHARES`), estimate, low, high
    """
    ax = axes(ax)
    names = list(frame["variant"].unique())
    heights = np.arange(len(names), dtype=float)
    left = np.zeros(len(names))
    for measure, (title, colour) in SHARES.items():
        part = frame[frame["measure"] == measure].set_index("variant").loc[names]
        width = part["estimate"].to_numpy(float) * 100
        ax.barh(heights, width, left=left, height=0.8, color=colour, label=title)
        if measure == "skill":
            ax.errorbar(width, heights, xerr=errors(part, 100), fmt="none", **BAR)
        left = left + width
    _rows(ax, names)
    ax.grid(axis="x")
    ax.set_xlim(0, 100)
    ax.set_xlabel("% of the variance of a round's margin")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, handlelength=1.1, columnspacing=1)
    return ax


def plot_deciding(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw how often rounds (hollow) and matches (filled) would end otherwise without a source, a colour for each.

    Parameters
    ----------
    frame : DataFrame
        variant, measure (round_without_… and match_without_…), estimate, low, high
    """
    ax = axes(ax)
    names = list(frame["variant"].unique())
    for k, (source, (title, colour, marker)) in enumerate(LACKING_LOOK.items()):
        for unit in ("round", "match"):
            part = frame[frame["measure"] == f"{unit}_without_{source}"]
            heights = part["variant"].map(names.index).to_numpy(float) + 0.27 * (k - 1)
            look: dict[str, Any] = {
                "color": colour,
                "marker": marker,
                "markersize": 4.5,
                "linestyle": "none",
                **BAR,
                "ecolor": colour,
            }
            look |= {"markerfacecolor": "none" if unit == "round" else colour, "capsize": 1.6}
            ax.errorbar(part["estimate"] * 100, heights, xerr=errors(part, 100), **look)
        ax.plot([], [], marker=marker, color=colour, linestyle="none", label=f"without {title}")
    for title, face in (("match", INK), ("round", "none")):
        ax.plot([], [], marker="o", color=INK, markerfacecolor=face, linestyle="none", label=title)
    _rows(ax, names)
    ax.grid(axis="both")
    ax.set_xlim(left=0)
    ax.set_xlabel("another outcome (% of rounds; % of matches)")
    _above(ax, 3)
    return ax


def plot_comebacks(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw the chances of a side that is behind under one variant, a line for each number of points that the others lack.

    Parameters
    ----------
    frame : DataFrame
        variant (one), behind, lacking (points), estimate (share of matches), low, high
    """
    ax = axes(ax)
    for (lacking, part), colour, marker in zip(frame.groupby("lacking"), _TO_GO, "osD", strict=False):
        look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3, "linewidth": 0.9, "elinewidth": 1.0}
        part = part.sort_values("behind")
        ax.errorbar(
            part["behind"],
            part["estimate"] * 100,
            yerr=errors(part, 100),
            capsize=1.5,
            label=f"{lacking} to go",
            **look,
        )
    ax.set_title(", ".join(frame["variant"].unique()))
    ax.set_ylim(0, 52)
    ax.set_xticks(sorted(frame["behind"].unique()))
    ax.grid(axis="both")
    return ax


def plot_chances(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw the chances of a side that is behind as a map, with half the interval below each.

    Parameters
    ----------
    frame : DataFrame
        policy (one), behind, lacking (points), estimate (share of matches), low, high
    """
    ax = axes(ax)
    behind, lacking = (sorted(frame[name].unique()) for name in ("behind", "lacking"))
    for across, up, (value, half) in zip(
        frame["lacking"].map(lacking.index),
        frame["behind"].map(behind.index),
        zip(frame["estimate"] * 100, (frame["high"] - frame["low"]) * 50, strict=True),
        strict=True,
    ):
        alpha = FULLEST * min(value / 50, 1.0)
        ax.add_patch(
            Rectangle((across - 0.48, up - 0.46), 0.96, 0.92, facecolor=OKABE_ITO["blue"], alpha=alpha, linewidth=0)
        )
        ax.text(across, up, f"{value:.1f}\n± {half:.1f}", ha="center", va="center", fontsize=8.5)
    ax.set_xlim(-0.5, len(lacking) - 0.5)
    ax.set_ylim(len(behind) - 0.5, -0.5)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_xticks(range(len(lacking)), lacking)
    ax.set_yticks(range(len(behind)), behind)
    ax.tick_params(length=0)
    ax.set_title(", ".join(frame["policy"].unique()))
    return ax


def plot_lengths(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw the distribution of the length of a match under one variant, a line with intervals for each policy.

    Parameters
    ----------
    frame : DataFrame
        variant (one), policy, part (rounds), estimate (share of matches), low, high
    """
    ax = axes(ax)
    for policy, part in frame.groupby("policy", sort=False):
        part = part.assign(length=part["part"].astype(int)).sort_values("length")
        look = marks(policy, size=3) | {"linestyle": "-", "linewidth": 0.9, "elinewidth": 1.0, "capsize": 1.5}
        ax.errorbar(part["length"], part["estimate"] * 100, yerr=errors(part, 100), label=policy, **look)
    ax.set_title(", ".join(frame["variant"].unique()))
    ax.set_ylim(0, max(ax.get_ylim()[1], float(frame["high"].max()) * 105))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="both")
    return ax


def _rows(ax: Axes, names: Sequence[str]) -> None:
    """Names of variants at the left, the first at the top."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def _above(ax: Axes, columns: int) -> None:
    """Legend above the axes."""
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(-0.2, 1.0),
        ncols=columns,
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1,
    )
