"""Words in plots: as near as can be to what they name, none upon another; and the check that tells if one is."""

import io
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from reports.labels import Label, above, at_ends, beside, extent, spread
from tests.clashes import clashes, watched, words


@pytest.fixture(autouse=True)
def close() -> Iterator[None]:
    yield
    plt.close("all")


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(1, 9)), min_size=1, max_size=11))
def test_things_are_spread_without_one_upon_another(things: list[tuple[float, float]]) -> None:
    wanted, sizes = [each[0] for each in things], [each[1] for each in things]
    found = spread(wanted, sizes, 0, 100)
    order = np.argsort(found, kind="stable")
    for one, other in pairwise(order):
        assert found[other] - found[one] >= (sizes[one] + sizes[other]) / 2 - 1e-9
        assert wanted[one] <= wanted[other]
    assert min(at - size / 2 for at, size in zip(found, sizes, strict=True)) >= -1e-9
    assert max(at + size / 2 for at, size in zip(found, sizes, strict=True)) <= 100 + 1e-9


def test_things_that_have_room_are_left_where_they_are() -> None:
    assert spread([50, 10, 90], [5, 5, 5], 0, 100) == [50, 10, 90]
    assert spread([50, 50], [4, 4], 0, 100) == [48, 52]


def test_ends_of_lines_that_meet_are_named_apart() -> None:
    ax = plt.subplots(layout="constrained")[1]
    ax.plot([0, 1], [0, 1])
    at_ends(ax, [Label("one", 1, 0.50), Label("two", 1, 0.501), Label("three", 1, 0.9)])
    assert not clashes(ax.get_figure(root=True))  # type: ignore[arg-type]  # it is in a figure
    texts = {text.get_text(): text for text in ax.texts if isinstance(text, Annotation)}
    assert texts["three"].arrow_patch is None, "it stands where its line ends"
    assert texts["one"].arrow_patch is not None
    assert texts["one"].xyann[1] < texts["two"].xyann[1]


def test_first_row_is_named_above_it() -> None:
    ax = plt.subplots(layout="constrained")[1]
    ax.barh([0, 1], [3, 2])
    above(ax, [Label("a long name", 1.0, 0.4), Label("another one", 1.05, 0.4), Label("third", 2.9, 0.4)])
    assert not clashes(ax.get_figure(root=True))  # type: ignore[arg-type]  # it is in a figure
    assert all(text.xyann[1] > 1 for text in ax.texts if isinstance(text, Annotation))


def test_points_are_named_where_there_is_room() -> None:
    ax = plt.subplots(layout="constrained")[1]
    places = [(0.5 + 0.004 * k, 0.5 + 0.003 * k) for k in range(9)]
    ax.plot(*zip(*places, strict=True), "o")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    beside(ax, [Label(f"point {k}", *place) for k, place in enumerate(places)], [(*each, *each) for each in places])
    assert not clashes(ax.get_figure(root=True))  # type: ignore[arg-type]  # it is in a figure
    assert len(ax.texts) == 9


def test_room_for_a_word_is_a_little_wider_than_the_word() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "points a round")
    ((_, box),) = words(figure)
    width, height = extent("points a round")
    assert 1.05 < width / (box.width * 72 / figure.dpi) < 1.2
    assert height > box.height * 72 / figure.dpi


def test_words_upon_others_are_found() -> None:
    figure = Figure(figsize=(4, 3))
    figure.text(0.1, 0.5, "first words")
    figure.text(0.2, 0.51, "others")
    assert clashes(figure) == ["'first words' stands upon 'others'"]
    ax = Figure(figsize=(1.2, 3)).subplots()
    ax.set_xticks([0, 0.1, 1], ["nothing", "a little", "all"])
    found = clashes(ax.figure)  # type: ignore[arg-type]  # it is in a figure
    assert "'nothing' stands upon 'a little'" in found


def test_words_beyond_the_edge_are_found() -> None:
    figure = Figure(figsize=(4, 3))
    figure.text(0.9, 0.5, "much too long")
    assert clashes(figure) == ["'much too long' reaches beyond the figure"]


def test_what_is_not_drawn_is_not_counted() -> None:
    figure = Figure(figsize=(4, 3))
    figure.text(0.5, 0.5, "hidden", visible=False)
    ax = figure.subplots()
    ax.set_xticks([0, 0.001, 0.5, 7], ["left", "", "middle", "out of sight"])
    ax.set_xlim(0, 1)
    ax.set_yticks([])
    assert [text for text, _ in words(figure)] == ["left", "middle"]


def test_figures_are_watched_as_they_are_saved() -> None:
    figure = Figure(figsize=(4, 3))
    figure.text(0.9, 0.5, "much too long")
    with watched() as found:
        figure.savefig(io.StringIO(), format="svg")
    assert found == [["'much too long' reaches beyond the figure"]]
