"""Colours of figures: told apart by every kind of colour vision, and seen on light and on dark paper."""

import re
from collections.abc import Iterable, Mapping
from importlib import resources
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from reports.advice_figures import COST_COLOUR, FULLEST, GAIN_COLOUR
from reports.balance_figures import FULLEST as FULLEST_CHANCE
from reports.balance_figures import LACKING_LOOK, SHARES, TO_GO
from reports.figures import SOURCE_COLOURS
from reports.marks import OUTLINE, POLICY_STYLE
from reports.style import INK, OKABE_ITO, PAPER

Colour = npt.NDArray[np.float64]

VISION: Mapping[str, Colour] = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""
What is left of linear red, green and blue to whom a kind of cone is missing: Machado, Oliveira and Fernandes (2009), "A
Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Trans. Visualization and Computer Graphics
15, severity 1.0.
"""

APART = 10.0
"""Distance in CIELAB (CIE 1976) from which on areas side by side are told apart at a glance; 2.3 can just be seen."""

TOGETHER: Mapping[str, Iterable[str]] = {
    "players": [colour for colour, _ in POLICY_STYLE.values()],
    "sources": SOURCE_COLOURS.values(),
    "shares": [colour for _, colour in SHARES.values()],
    "left out": [colour for _, colour, _ in LACKING_LOOK.values()],
    "points to go": TO_GO,
    "maps": [GAIN_COLOUR, COST_COLOUR],
}
"""Colours that stand in one figure."""

ALONE = ("players", "left out", "points to go")
"""Those of them that marks and lines have, which nothing outlines."""


def variables() -> Mapping[str, Mapping[str, str]]:
    """Colours of the page by its mode: of the names that figures use."""
    text = resources.files("reports").joinpath("templates", "report.css").read_text(encoding="utf-8")
    light, dark = text.index(":root"), text.index("prefers-color-scheme: dark")
    found = {}
    for mode, start in (("light", light), ("dark", dark)):
        block = text[text.index("{", text.index(":root", start)) : text.index("}", text.index(":root", start))]
        found[mode] = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", block))
    return found


MODES = variables()
NAMES = {code: name for name, code in OKABE_ITO.items()}


def linear(colour: str) -> Colour:
    """Linear red, green and blue of a colour of sRGB."""
    part = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb: Colour) -> Colour:
    """Place of a colour in CIELAB, under daylight (D65)."""
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    xyz = np.array(to_xyz) @ rgb / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, vision: str) -> float:
    seen = [lab(np.clip(VISION[vision] @ linear(each), 0, 1)) for each in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


def contrast(one: Colour, other: Colour) -> float:
    """Contrast of two linear colours (Web Content Accessibility Guidelines 2.2)."""
    dim, bright = sorted(float(each @ np.array([0.2126, 0.7152, 0.0722])) for each in (one, other))
    return (bright + 0.05) / (dim + 0.05)


def mixed(colour: str, paper: str, part: float) -> Colour:
    """A colour of which so much lies upon paper."""
    parts = [np.array([int(each[k : k + 2], 16) for k in (1, 3, 5)]) for each in (colour, paper)]
    red, green, blue = (round(float(each)) for each in parts[0] * part + parts[1] * (1 - part))
    return linear(f"#{red:02x}{green:02x}{blue:02x}")


def test_the_page_has_the_colours_of_figures() -> None:
    assert {name: MODES["light"][name] for name in OKABE_ITO} == OKABE_ITO
    assert (MODES["light"]["ink"], MODES["light"]["paper"]) == (INK, PAPER)
    assert set(OKABE_ITO) <= set(MODES["dark"])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("figure", TOGETHER)
def test_colours_of_a_figure_are_told_apart(figure: str, mode: str, vision: str) -> None:
    names = [NAMES[code] for code in TOGETHER[figure]]
    assert len(set(names)) == len(names)
    for one, other in combinations(names, 2):
        found = distance(MODES[mode][one], MODES[mode][other], vision)
        assert found >= APART, f"{one} and {other}"


def test_red_and_green_would_not_do() -> None:
    assert distance("#d62728", "#2ca02c", "usual") > 100
    assert distance("#b03a2e", "#6b6b00", "deuteranopia") < APART


@pytest.mark.parametrize("mode", MODES)
def test_words_are_read_on_paper_and_on_what_is_coloured(mode: str) -> None:
    found = MODES[mode]
    ink, paper = linear(found["ink"]), found["paper"]
    assert contrast(ink, linear(paper)) >= 4.5
    assert contrast(linear(found["soft"]), linear(paper)) >= 4.5
    cells = [(COST_COLOUR, FULLEST), (GAIN_COLOUR, FULLEST), (OKABE_ITO["blue"], FULLEST_CHANCE)]
    for colour, fullest in cells:
        assert contrast(ink, mixed(found[NAMES[colour]], paper, fullest)) >= 4.5


@pytest.mark.parametrize("mode", MODES)
def test_marks_are_seen_on_paper(mode: str) -> None:
    found = MODES[mode]
    paper = linear(found["paper"])
    for figure in ALONE:
        for code in TOGETHER[figure]:
            assert contrast(linear(found[NAMES[code]]), paper) >= 3, f"{NAMES[code]} of {figure}"
    assert contrast(linear(found[NAMES[POLICY_STYLE["greedy"][0]]]), paper) >= 4.5
    assert OUTLINE["edgecolor"] == INK, "areas have an outline: orange and sky are too light by themselves"
    assert contrast(linear(MODES["light"]["sky"]), linear(MODES["light"]["paper"])) < 3
