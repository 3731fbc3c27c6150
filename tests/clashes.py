"""Which words of a figure stand upon one another or reach beyond its edge, by the extents they are drawn in."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

TOUCH = 0.5
"""Pixels by which boxes of words may overlap and still be apart for an eye: they are rounded."""


def words(figure: Figure) -> list[tuple[str, Bbox]]:
    """Texts that are really drawn, ticks out of sight left out, with their extents in pixels."""
    drawn: list[Text] = []
    draw = Text.draw

    def kept(text: Text, renderer: Any, *args: Any, **named: Any) -> None:
        if text.get_visible() and text.get_text().strip():
            drawn.append(text)
        draw(text, renderer, *args, **named)

    before = figure.canvas
    canvas = FigureCanvasAgg(figure)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Text, "draw", kept)
        canvas.draw()
    renderer = canvas.get_renderer()
    # The box of the word alone: that of an annotation holds its line too.
    found = [(text.get_text(), Text.get_window_extent(text, renderer)) for text in dict.fromkeys(drawn)]
    figure.set_canvas(before)
    return found


def clashes(figure: Figure) -> list[str]:
    """What is wrong with the words of a figure, a line each."""
    found = words(figure)
    wrong = [f"{one!r} stands upon {other!r}" for (one, a), (other, b) in combinations(found, 2) if _overlap(a, b)]
    edge = figure.bbox
    return wrong + [
        f"{text!r} reaches beyond the figure"
        for text, box in found
        if box.x0 < edge.x0 - TOUCH or box.y0 < edge.y0 - TOUCH or box.x1 > edge.x1 + TOUCH or box.y1 > edge.y1 + TOUCH
    ]


def _overlap(one: Bbox, other: Bbox) -> bool:
    """Whether two boxes share more than their edges."""
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    up = min(one.y1, other.y1) - max(one.y0, other.y0)
    return bool(across > TOUCH and up > TOUCH)


@contextmanager
def watched() -> Iterator[list[list[str]]]:
    """What is wrong with the words of each figure that is saved meanwhile, a list a figure."""
    found: list[list[str]] = []
    save = Figure.savefig

    def saved(figure: Figure, *args: Any, **named: Any) -> None:
        found.append(clashes(figure))
        save(figure, *args, **named)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Figure, "savefig", saved)
        yield found
