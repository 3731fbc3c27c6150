"""Plots of how strong players are: each takes a documented data frame and draws it, nothing more."""

import pandas as pd
from matplotlib.axes import Axes

from reports.marks import axes, errors, marks
from reports.numbers import shown_unit
from reports.style import INK


def plot_ratings(frame: pd.DataFrame, *, ax: Axes | None = None, label: str = "rating") -> Axes:
    """
    Draw ratings of one kind as dots with intervals, a row a player; hollow for one who is no fair player.

    Parameters
    ----------
    frame : DataFrame
        policy, fair, estimate, low, high, unit; in the order of the rows from top to bottom
    label : str
        What the rating is; its unit is put behind it.
    """
    ax = axes(ax)
    ax.axvline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    for height, (_, row) in enumerate(frame.iterrows()):
        part = row.to_frame().T.astype(dict.fromkeys(("estimate", "low", "high"), float))
        look = marks(row["policy"], hollow=not row["fair"], size=5.5)
        ax.errorbar(part["estimate"], [height], xerr=errors(part), **look)
    names = [name if fair else f"{name} (sees all)" for name, fair in zip(frame["policy"], frame["fair"], strict=True)]
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="both")
    ax.set_xlabel(f"{label} ({shown_unit(frame['unit'].iloc[0])})")
    return ax
