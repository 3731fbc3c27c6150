"""Every figure of the report can be read: no word upon another, none cut off, none too small; and so can its words."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analyses.claims.cells import places
from analyses.claims.registry import CLAIMS
from analyses.jobs import PLAYERS
from reports import balance
from reports.advice_figures import plot_effects, plot_forms, plot_map, plot_split, told
from reports.balance_pages import page
from reports.balance_rows import Balance
from reports.folder import PAGE
from reports.parts import WIDTH, drawn, stacked
from reports.said import plain
from reports.style import SIZE
from reports.wording import NO_BREAK
from tests.clashes import watched
from tests.plain_words import JARGON
from tests.staged_games import games

PHONE = 360 - 2 * 17.6
"""Width that a telephone leaves to a figure, in pixels: that of its screen less the margins of the page."""

SMALLEST = 9.0
"""Pixels that text is high at least."""


def test_no_word_of_the_small_report_stands_upon_another(report_made: tuple[Path, list[list[str]]]) -> None:
    folder, found = report_made
    assert len(found) >= (folder / PAGE).read_text(encoding="utf-8").count("<svg ") > 15
    assert [each for each in found if each] == []


@pytest.mark.parametrize("seed", range(1, 5))
def test_no_word_of_the_comparison_stands_upon_another(seed: int) -> None:
    with watched() as found:
        pictures = [figure.svg for section in balance.sections(games(seed), None) for figure in section.figures]
    assert len(found) == len(pictures) == 7
    assert [each for each in found if each] == []


@pytest.mark.parametrize("names", [("bastra",), ("egyptian", "palestinian")])
def test_a_report_about_few_variants_can_be_read_too(names: tuple[str, ...]) -> None:
    with watched() as found:
        pictures = [figure.svg for section in balance.sections(games(4, names), None) for figure in section.figures]
        text = page(Balance.of(games(5, names)))
    assert len(pictures) == 7
    assert len(found) == 7 + text.count("<svg ") == 7 + 2 * len(names)
    assert [each for each in found if each] == []


def numbered(split: str) -> list[str]:
    """All places of a quantity."""
    low, high = {"lead": (-60, 60), "own_cards": (0, 40), "cards_left": (1, 7), "last_to_play": (0, 2)}.get(
        split, (0, 12)
    )
    if split == "rank":
        return ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    return list(dict.fromkeys(places(split, np.arange(low, high)).tolist()))


def valued(rows: Sequence[Mapping[str, object]], seed: int) -> pd.DataFrame:
    """Rows with numbers drawn from a seed, from small to as large as decisions have them."""
    random = np.random.default_rng(seed)
    value = random.normal(0, 4, len(rows))
    half = random.uniform(0.05, 3, len(rows))
    return pd.DataFrame(list(rows)).assign(estimate=value, low=value - half, high=value + half, unit="points/decision")


@pytest.mark.parametrize(
    "split", sorted({split for claim in CLAIMS for split in (*claim.splits, claim.curve) if split})
)
def test_no_word_of_a_split_stands_upon_another(split: str) -> None:
    rows = [{"split": split, "place": place, "policy": policy} for policy in PLAYERS for place in numbered(split)]
    frame = valued(rows, len(rows))
    with watched() as found:
        _ = drawn(lambda ax: plot_split(frame, ax=ax), name="x", caption="", alt="", data="", height=2.9).svg
    assert found == [[]]


@pytest.mark.parametrize(
    "pair", sorted({pair for claim in CLAIMS for pair in claim.maps} | {("own score", "other score")})
)
def test_no_word_of_a_map_stands_upon_another(pair: tuple[str, str]) -> None:
    across, up = (["80", "85", "90", "95"] if "score" in each else numbered(each) for each in pair)
    rows = [{"split": " × ".join(pair), "place": f"{x} × {y}", "policy": "greedy"} for x in across for y in up]
    frame = valued(rows, len(rows))
    heights = [0.8 + 0.42 * len(up)] * 3
    with watched() as found:
        _ = stacked([lambda ax: plot_map(frame, ax=ax)] * 3, name="x", caption="", alt="", data="", heights=heights).svg
    assert found == [[]]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_word_of_all_effects_stands_upon_another(seed: int) -> None:
    rows = [{"claim": claim.name, "policy": policy, "smallest": 0.05} for claim in CLAIMS for policy in PLAYERS]
    forms = [
        {"policy": policy, "form": form, "seed": number}
        for form in ("literal", "tie-break", "reversed")
        for policy in PLAYERS
        for number in (1, 2)
    ]
    with watched() as found:
        frame, ways = valued(rows, seed), valued(forms, seed)
        _ = drawn(
            lambda ax: plot_effects(frame, ax=ax),
            name="x",
            caption="",
            alt="",
            data="",
            height=0.95 + 0.36 * len(CLAIMS),
        ).svg
        _ = drawn(lambda ax: plot_forms(ways, ax=ax), name="x", caption="", alt="", data="", height=3.7).svg
    assert found == [[], []]


def test_words_are_large_enough_on_a_telephone() -> None:
    assert SIZE * PHONE / (72 * WIDTH) >= SMALLEST
    for section in balance.sections(games(1), None):
        for figure in section.figures:
            sizes = [float(each) for each in re.findall(r"font-size:([\d.]+)px", figure.svg)]
            assert min(sizes) * PHONE / (72 * WIDTH) >= SMALLEST


def test_a_player_needs_no_statistics_to_read_the_comparison() -> None:
    for section in balance.sections(games(1), None):
        first = [section.lead, section.brief, *section.text, *(each for _, said in section.findings for each in said)]
        assert section.lead.endswith(".")
        for sentence in first:
            assert not JARGON.search(plain(sentence)), sentence
        (how,) = section.details
        told = " ".join(how.text)
        assert all(word in told for word in ("jackknife", "95 %", "Seed 1"))


def test_main_result_is_the_least_and_the_greatest() -> None:
    rows = pd.DataFrame(
        {"form": ["a", "b", "c"], "policy": "greedy", "estimate": [0.5, -1.0, 2.0], "unit": "points/round"}
    )
    frame = rows.assign(low=rows["estimate"] - 0.1, high=rows["estimate"] + 0.1, units=9)
    said = plain(told(frame, "form", "policy")).replace(NO_BREAK, " ")
    assert said == "From −1.00 ± 0.10 points a round (b, greedy) to +2.00 ± 0.10 points a round (c, greedy)."
    assert plain(told(frame[:1], "form")).replace(NO_BREAK, " ") == "+0.50 ± 0.10 points a round (a)."


def test_a_figure_is_told_with_its_main_result() -> None:
    for section in balance.sections(games(1), None):
        for figure in section.figures:
            assert re.search(r"\d", figure.alt), figure.name
            assert figure.alt.endswith(".")
