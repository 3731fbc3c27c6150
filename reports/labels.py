"""Words in a plot instead of a key: at the ends of lines, above the first row, beside points; none upon another."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.transforms import blended_transform_factory

from reports.style import INK

LEADER = {"arrowstyle": "-", "linewidth": 0.8, "linestyle": (0, (1, 1.6)), "shrinkA": 1.0, "shrinkB": 2.0}
"""The line that leads from a word to what it names: dotted, so that nobody takes it for what was measured."""

AIR = 1.12
"""By how much the room for a word is wider than the word: fonts of readers differ."""

NEAREST = 0.4
"""How far a word may be moved from where it would stand, in its own height, before a line leads to it."""


FEW, AT_LEAST = 6, 0.58
"""Panels in a figure up to which it is laid out anew to measure one; and the part of its room that one of more has."""

CLOSE = 24.0
"""How far apart points are, across and in points, whose names stand in one column."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


class Label(NamedTuple):
    """
    A word at a place of a plot.

    Attributes
    ----------
    text : the word
    x, y : what it names, in the units of the axes
    colour : of the line that leads there
    """

    text: str
    x: float
    y: float
    colour: str = INK


def extent(text: str) -> tuple[float, float]:
    """Width and height of the room for a word in points, at the size of the settings."""
    font = FontProperties(size=rcParams["font.size"])
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return width * AIR, float(font.get_size_in_points()) * 1.25


def size(ax: Axes) -> tuple[float, float]:
    """Width and height of axes in points, as far as they are laid out; of small panels, what they have at least."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    place = ax.get_subplotspec()
    lines, columns = place.get_gridspec().get_geometry() if place else (1, 1)
    if lines * columns > FEW:
        width, height = figure.get_size_inches() * 72
        return width / columns * AT_LEAST, height / lines * AT_LEAST
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    return box.width * 72 / figure.dpi, box.height * 72 / figure.dpi


def spread(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """
    Middles of things in a row that come as near as can be to where each would be, without one upon another.

    Parameters
    ----------
    wanted : where the middle of each would be
    sizes : length of each
    low, high : ends of the room; where it is too small for all, they reach over its upper end
    """
    order = sorted(range(len(wanted)), key=lambda k: (wanted[k], k))
    blocks: list[tuple[float, float, list[int]]] = []
    for k in order:
        length, middle, members = sizes[k], wanted[k], [k]
        middle = max(min(middle, high - length / 2), low + length / 2)
        while blocks and blocks[-1][0] + blocks[-1][1] / 2 > middle - length / 2:
            before, long, others = blocks.pop()
            middle = (before * len(others) + middle * len(members)) / (len(others) + len(members))
            length, members = long + length, [*others, *members]
            middle = max(min(middle, high - length / 2), low + length / 2)
        blocks.append((middle, length, members))
    places = [0.0] * len(wanted)
    for middle, length, members in blocks:
        at = middle - length / 2
        for k in members:
            places[k] = at + sizes[k] / 2
            at += sizes[k]
    return places


def at_ends(ax: Axes, labels: Sequence[Label]) -> None:
    """Write the names of lines at their right ends, beside the axes, led to where they had to move."""
    height = size(ax)[1]
    low, high = ax.get_ylim()
    heights = [(label.y - low) / (high - low) * height for label in labels]
    sizes = [extent(label.text)[1] for label in labels]
    edge = blended_transform_factory(ax.transAxes, ax.transData)
    right = ax.get_xlim()[1]
    for label, at, own, line in zip(labels, spread(heights, sizes, 0, height), heights, sizes, strict=True):
        near = abs(at - own) < NEAREST * line and (right - label.x) < 0.12 * np.ptp(ax.get_xlim())
        ax.annotate(
            label.text,
            (label.x, label.y),
            xytext=(1.01 if near else 1.03, low + at / height * (high - low)),
            textcoords=edge,
            va="center",
            annotation_clip=False,
            arrowprops=None if near else LEADER | {"color": label.colour},
        )


def above(ax: Axes, labels: Sequence[Label], *, room: float = 9.0) -> None:
    """
    Write the names of what stands in the first row above the axes, in a line, each led to what it names.

    Parameters
    ----------
    room : between the axes and the words, in points
    """
    width, height = size(ax)
    low, high = ax.get_xlim()
    wanted = [(label.x - low) / (high - low) * width for label in labels]
    lengths = [extent(label.text)[0] + 5 for label in labels]
    edge = max(sum(lengths) - width, 0)
    for label, at in zip(labels, spread(wanted, lengths, -edge, width), strict=True):
        ax.annotate(
            label.text,
            (label.x, label.y),
            xytext=(at / width, 1 + room / height),
            textcoords="axes fraction",
            ha="center",
            va="bottom",
            annotation_clip=False,
            arrowprops=LEADER | {"color": label.colour, "relpos": (0.5, 0.0)},
        )


def beside(ax: Axes, labels: Sequence[Label], taken: Sequence[Box]) -> None:
    """
    Write names beside points: right of them or left, those of points that lie close together below one another.

    Parameters
    ----------
    taken : boxes where nothing may be written (left, bottom, right, top), in the units of the axes
    """
    wide, high = size(ax)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    across, up = wide / (right - left), high / (top - bottom)
    boxes = [
        ((a - left) * across - 4, (b - bottom) * up - 4, (c - left) * across + 4, (d - bottom) * up + 4)
        for a, b, c, d in taken
    ]
    places = [((label.x - left) * across, (label.y - bottom) * up) for label in labels]
    for members in _close(labels, places):
        side, written = _column([labels[k] for k in members], [places[k] for k in members], boxes, (wide, high))
        boxes += written
        for k, box in zip(members, written, strict=True):
            middle = (box[1] + box[3]) / 2
            near = len(members) == 1 and abs(middle - places[k][1]) < NEAREST * (box[3] - box[1])
            ax.annotate(
                labels[k].text,
                (labels[k].x, labels[k].y),
                xytext=((box[0] if side > 0 else box[2]) / wide, middle / high),
                textcoords="axes fraction",
                ha="left" if side > 0 else "right",
                va="center",
                arrowprops=None if near else LEADER | {"color": labels[k].colour, "relpos": ((1 - side) / 2, 0.5)},
            )


def _close(labels: Sequence[Label], places: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Points in groups: those close together whose names would stand upon one another, the upper ones first."""
    groups: list[list[int]] = []
    boxes = [
        (x, y - extent(label.text)[1] / 2, x + 10 + extent(label.text)[0], y + extent(label.text)[1] / 2)
        for label, (x, y) in zip(labels, places, strict=True)
    ]
    for k in sorted(range(len(labels)), key=lambda k: -places[k][1]):
        near = [
            group
            for group in groups
            if any(_meet(boxes[k], boxes[other]) and abs(places[k][0] - places[other][0]) < CLOSE for other in group)
        ]
        groups = [group for group in groups if group not in near] + [[*(k for group in near for k in group), k]]
    return groups


def _column(
    labels: Sequence[Label], places: Sequence[tuple[float, float]], boxes: Sequence[Box], room: tuple[float, float]
) -> tuple[int, list[Box]]:
    """Side (1 right, -1 left) and boxes of names that stand below one another, clear of all else if that can be."""
    sizes = [extent(label.text) for label in labels]
    best: tuple[float, int, list[Box]] | None = None
    for gap, move, side in product(_GAPS[min(len(labels), 2) - 1], _MOVES, (1, -1)):
        heights = spread([y + move * sizes[0][1] for _, y in places], [size[1] for size in sizes], 0, room[1])
        edge = max(x for x, _ in places) + gap if side > 0 else min(x for x, _ in places) - gap
        made = [
            (edge if side > 0 else edge - width, y - line / 2, edge + width if side > 0 else edge, y + line / 2)
            for y, (width, line) in zip(heights, sizes, strict=True)
        ]
        beyond = sum(box[0] < 0 or box[2] > room[0] for box in made)
        bad = 100.0 * beyond + sum(_shared(box, each) for box in made for each in boxes)
        if best is None or bad < best[0]:
            best = bad, side, made
        if not bad:
            break
    assert best is not None
    return best[1:]


_GAPS = ((9, 20, 40), (16, 30, 45, 60))
"""How far names stand from points, in points, the nearest first: from one alone, and from several."""

_MOVES = tuple(sign * step / 4 for step in range(24) for sign in (1, -1))
"""How far names are tried to be moved up or down, in their own height, the nearest first."""


def _shared(one: Box, other: Box) -> float:
    """Area that two boxes have in common."""
    across, up = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(up, 0.0)


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes (left, bottom, right, top) have a place in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
