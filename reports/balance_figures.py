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

from reports.balance_rows import RARE
from reports.labels import Label, above, at_ends, beside
from reports.marks import BAR, OUTLINE, axes, errors, interval_on_bars, marks
from reports.style import INK, OKABE_ITO

SHARES: Mapping[str, tuple[str, str]] = {
    "skill": ("who plays", OKABE_ITO["vermillion"]),
    "seat_share": ("the seats", OKABE_ITO["purple"]),
    "deal_share": ("the deal", OKABE_ITO["sky"]),
    "rest_share": ("the rest", OKABE_ITO["orange"]),
}
"""Shares of the variance of a margin, in the order in which they are stacked: names and colours."""

LACKING_LOOK: Mapping[str, tuple[str, str, str]] = {
    "majority": ("most cards", OKABE_ITO["purple"], "s"),
    "basras": ("basras", OKABE_ITO["vermillion"], "o"),
    "cards": ("aces, jacks, two, 10♦", OKABE_ITO["blue"], "D"),
}
"""Sources that are left out: names, colours and markers."""

FULLEST = 0.45
"""How much of its colour the cell of an even chance has."""

TO_GO = (OKABE_ITO["vermillion"], OKABE_ITO["blue"], OKABE_ITO["green"])
"""Colours of the numbers of points that are lacking, the fewest first."""


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
    left, words = np.zeros(len(names)), []
    for measure, (title, colour) in SHARES.items():
        part = frame[frame["measure"] == measure].set_index("variant").loc[names]
        width = part["estimate"].to_numpy(float) * 100
        ax.barh(heights, width, left=left, height=0.8, color=colour, **OUTLINE)
        words.append(Label(title, left[0] + width[0] / 2, -0.4))
        if measure == "skill":
            interval_on_bars(ax, width, heights, part, 100)
        left = left + width
    _rows(ax, names)
    ax.grid(axis="x")
    ax.set_xlim(0, 100)
    ax.set_xlabel("% of what sets the players of a round apart")
    above(ax, words)
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
    words = []
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
        words.append(Label(title, float(part["estimate"].iloc[0]) * 100, float(heights[0]), colour))
    _rows(ax, names)
    ax.grid(axis="both")
    ax.set_xlim(left=0)
    ax.set_xlabel("% that end otherwise (○ rounds, ● matches)")
    above(ax, words)
    return ax


def plot_leads(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw the chances of a side that leads under one variant, a line for each number of points that it lacks.

    Parameters
    ----------
    frame : DataFrame
        variant (one), lead, lacking (points), estimate (share of matches that the side in front wins), low, high
    """
    ax = axes(ax)
    ax.axhline(50, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    words = []
    for (lacking, part), colour, marker in zip(frame.groupby("lacking"), TO_GO, "osD", strict=False):
        look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3, "linewidth": 0.9, "elinewidth": 1.0}
        part = part.sort_values("lead")
        ax.errorbar(part["lead"], part["estimate"] * 100, yerr=errors(part, 100), capsize=1.5, **look)
        words.append(Label(f"{lacking}", float(part["lead"].iloc[-1]), float(part["estimate"].iloc[-1]) * 100, colour))
    ax.set_title(", ".join(frame["variant"].unique()))
    ax.set_ylim(45, 100)
    ax.set_xticks(sorted(frame["lead"].unique()))
    ax.grid(axis="both")
    at_ends(ax, words)
    return ax


def plot_luck(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """
    Draw skill against luck: a point a variant, who plays across and the deal upwards, with the intervals of both.

    Parameters
    ----------
    frame : DataFrame
        variant, measure (skill, deal_share), estimate, low, high (shares); variants with the same numbers share a point
    """
    ax = axes(ax)
    skill, deal = (frame[frame["measure"] == each].set_index("variant") for each in ("skill", "deal_share"))
    ends = ["estimate", "low", "high"]
    same: dict[tuple[float, ...], list[str]] = {}
    for name in skill.index:
        place = (*skill.loc[name, ends].astype(float), *deal.loc[name, ends].astype(float))
        same.setdefault(tuple(100 * each for each in place), []).append(str(name))
    words = []
    colour = OKABE_ITO["vermillion"]
    for (x, left, right, y, low, high), names in same.items():
        across, up = [[x - left], [right - x]], [[y - low], [high - y]]
        ax.errorbar([x], [y], xerr=across, yerr=up, marker="o", markersize=4, color=colour, **BAR)
        words.append(Label(" = ".join(names), x, y))
    ax.set_xlim(0, max(place[2] for place in same) * 1.3)
    ax.set_ylim(min(place[4] for place in same) - 8, max(place[5] for place in same) + 8)
    ax.grid(axis="both")
    ax.set_xlabel("% that goes back to who plays (skill)")
    ax.set_ylabel("% that goes back to the deal (luck)")
    beside(ax, words, [(place[1], place[4], place[2], place[5]) for place in same])
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
        for text, offset in ((f"{value:.1f}", 6), (f"± {half:.1f}", -6)):
            ax.annotate(text, (across, up), xytext=(0, offset), textcoords="offset points", ha="center", va="center")
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
    often = frame.groupby("part")["estimate"].transform("max") >= RARE
    for policy, part in frame[often].groupby("policy", sort=False):
        part = part.assign(length=part["part"].astype(int)).sort_values("length")
        look = marks(policy, size=3) | {"linestyle": "-", "linewidth": 0.9, "elinewidth": 1.0, "capsize": 1.5}
        ax.errorbar(part["length"], part["estimate"] * 100, yerr=errors(part, 100), label=policy, **look)
    ax.set_title(", ".join(frame["variant"].unique()))
    ax.set_ylim(0, max(ax.get_ylim()[1], float(frame["high"].max()) * 105))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    ax.grid(axis="both")
    return ax


def _rows(ax: Axes, names: Sequence[str]) -> None:
    """Names of variants at the left, the first at the top."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
