"""SVG made small still draws the same: every word and line is where matplotlib put it, to a tenth of a point."""

import io
import re
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from reports.slim import slim
from reports.style import styled

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def written() -> str:
    """A figure with bars, lines that reach beyond the axes, marks, intervals and words."""
    with styled():
        figure = Figure(figsize=(4, 3))
        ax = figure.subplots()
        ax.errorbar([1, 2, 9], [3.0, 4.5, 5.0], yerr=0.5, marker="o", linestyle="-", capsize=2)
        ax.bar([1, 2], [1, 2], alpha=0.5)
        ax.barh([4, 5], [1, 2], edgecolor="#1b1b1b")
        ax.set_xlim(0, 5)
        ax.set_title("a < b & c")
        ax.set_ylabel("upright")
        ax.grid()
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"{HEAD}{text}</svg>")


def said(root: ElementTree.Element) -> list[tuple[str, float, float]]:
    """Words, and where they stand."""
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    return [(each.text or "", float(each.attrib["x"]), float(each.attrib["y"])) for each in texts]


def test_words_stay_where_they_were() -> None:
    text = written()
    before, after = said(ElementTree.fromstring(text)), said(read(slim(text, "a")))
    assert [each[0] for each in after] == [each[0] for each in before]
    assert "a < b & c" in [each[0] for each in after]
    for one, other in zip(before, after, strict=True):
        assert other[1:] == pytest.approx(one[1:], abs=0.051)
    assert "rotate(-90" in slim(text, "a")


def test_marks_stay_where_they_were() -> None:
    text = written()
    used = read(slim(text, "a")).iter("{http://www.w3.org/2000/svg}use")
    circles = [each for each in used if "clip-path" not in each.attrib]
    assert len(circles) == 2, "the third lies beyond the axes"
    assert len({each.attrib["href"] for each in circles}) == 1
    where = [(float(each.attrib["x"]), float(each.attrib["y"])) for each in circles]
    found = re.findall(r'<use xlink:href="#\w+" x="([\d.]+)" y="([\d.]+)"', text)
    exact = [(float(x), float(y)) for x, y in found]
    for place in where:
        assert any(place == pytest.approx(each, abs=0.051) for each in exact)


def test_it_is_less_than_half_and_the_same_each_time() -> None:
    text = written()
    assert len(slim(text, "a")) < len(text) / 2
    assert slim(text, "a") == slim(written(), "a")


def test_only_what_reaches_beyond_is_cut() -> None:
    made = slim(written(), "a")
    assert made.count("<clipPath") == 1
    assert 1 <= made.count('clip-path="url(#a-') <= 4, "the line and the last mark"


def test_what_all_say_is_said_once() -> None:
    made = slim(written(), "a", common=("font-family", "text-anchor:middle"))
    assert "font-family" not in made
    assert "text-anchor:middle" not in made
    assert "font-size" in made


def test_lines_of_one_look_are_one_path() -> None:
    lines = "".join(f'<path d="M 0 {y} L 9.04 {y}" style="fill: none; stroke: #d9d9d8"/>' for y in (1, 2.26, 3))
    assert (
        slim(f"{HEAD}{lines}</svg>", "a") == '<path style="fill:none;stroke:#d9d9d8" d="M0 1L9 1M0 2.3L9 2.3M0 3L9 3"/>'
    )


def test_what_cannot_be_seen_is_left_out() -> None:
    paths = '<path d="M 0 0 L 1 1" style="fill: none"/><path d="M 1 1" style="stroke: #1b1b1b"/><path/>'
    assert slim(f'{HEAD}<g id="x">{paths}</g></svg>', "a") == ""


def test_what_is_half_seen_through_stays_apart() -> None:
    area = '<path d="M 0 0 L 1 1 L 2 0 z" style="fill: #0072b2; opacity: 0.5"/>'
    assert slim(f"{HEAD}{area}{area}</svg>", "a").count("<path") == 2


@pytest.mark.parametrize("part", ["<image/>", '<g transform="scale(2)"><path d="M 0 0"/></g>'])
def test_what_is_not_known_is_refused(part: str) -> None:
    with pytest.raises(ValueError, match="not known"):
        slim(f"{HEAD}{part}</svg>", "a")
