"""What all plots share: axes to draw on, how players are told apart, intervals, the line that stands for nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.style import BAND, INK, OKABE_ITO, PAPER

POLICY_STYLE: Mapping[str, tuple[str, str]] = {
    "greedy": (OKABE_ITO["blue"], "o"),
    "counter": (OKABE_ITO["vermillion"], "s"),
    "champion": (OKABE_ITO["green"], "D"),
}
"""Colour and marker of a policy."""

BAR: Mapping[str, Any] = {"ecolor": INK, "elinewidth": 1.1, "capsize": 2.2, "capthick": 1.1}
"""How intervals are drawn."""

OUTLINE: Mapping[str, Any] = {"edgecolor": INK, "linewidth": 0.5}
"""How areas are set off: colours that are light on paper are seen by it, and parts of a bar are told apart."""


def axes(ax: Axes | None) -> Axes:
    """Axes to draw on: those given, or new ones."""
    if ax is None:
        from matplotlib import pyplot as plt

        return plt.subplots(layout="constrained")[1]
    return ax


def style(policy: object) -> tuple[str, str]:
    """Colour and marker of a policy."""
    return POLICY_STYLE.get(str(policy), (OKABE_ITO["purple"], "v"))


def marks(policy: object, *, hollow: bool = False, size: float = 4.5) -> dict[str, Any]:
    """How the estimates of a policy and their intervals are drawn."""
    colour, marker = style(policy)
    made = {"color": colour, "marker": marker, "markersize": size, "linestyle": "none"}
    return {**made, **BAR, "ecolor": colour} | ({"markerfacecolor": "none"} if hollow else {})


def key(ax: Axes, policies: Sequence[str]) -> None:
    """Say above the axes which marker and colour belong to which policy."""
    for policy in policies:
        colour, marker = style(policy)
        ax.plot([], [], marker=marker, linestyle="none", color=colour, label=policy, markersize=5.5)
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=len(policies),
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1,
    )


def errors(frame: pd.DataFrame, factor: float = 1.0) -> Any:
    """Lengths of the intervals below and above the estimates."""
    return np.abs(np.array([frame["estimate"] - frame["low"], frame["high"] - frame["estimate"]], float)) * factor


def interval_on_bars(ax: Axes, at: Any, heights: Any, frame: pd.DataFrame, factor: float = 1.0) -> None:
    """Draw intervals upon coloured bars, with a seam of paper around them: they are seen on dark paper, too."""
    lengths = errors(frame, factor)
    seam: Mapping[str, Any] = {"ecolor": PAPER, "elinewidth": 3.0, "capsize": 3.0, "capthick": 3.0}
    ax.errorbar(at, heights, xerr=lengths, fmt="none", zorder=2.9, **seam)
    ax.errorbar(at, heights, xerr=lengths, fmt="none", zorder=3, **BAR)


def nothing(ax: Axes, null: float, smallest: float, *, upright: bool = True) -> None:
    """Mark what stands for no difference by a line, upright or level, and what does not matter by a band."""
    band, line = (ax.axvspan, ax.axvline) if upright else (ax.axhspan, ax.axhline)
    if smallest:
        band(null - smallest, null + smallest, color=BAND, linewidth=0)
    line(null, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
