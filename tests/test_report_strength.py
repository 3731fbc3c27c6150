"""The part of the report on how strong the players are: its tables show what the data say, with the caveat."""

import re
from pathlib import Path

import pytest

from basra_sim.policies import policy_names
from reports.folder import PAGE
from reports.strength import LOWER_BOUND
from tests.commands import flat
from tests.pages import Page, check_estimate, data, looked_up, numbers
from tests.plain_words import JARGON


@pytest.fixture(scope="module")
def text(report_folder: Path) -> str:
    return (report_folder / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_ratings(page: Page, report_folder: Path) -> None:
    frame = data(report_folder, "ratings")
    shown = list(numbers(page, "ratings"))
    assert len(shown) == 2 * len(policy_names())
    for names, key, cell in shown:
        check_estimate(cell, looked_up(frame, measure=key, policy=names["policy"]), share_in_percent=False)
    order = [names["policy"] for names, key, _ in shown if key == "rating"]
    assert order == list(frame[frame["measure"] == "rating"].sort_values("estimate", ascending=False)["policy"])


def test_margins(page: Page, report_folder: Path) -> None:
    frame = data(report_folder, "margins")
    shown = list(numbers(page, "margins"))
    assert len(shown) == len(policy_names()) * (len(policy_names()) - 1)
    for names, key, cell in shown:
        row = looked_up(frame, measure="margin", policy=names["policy"], opponent=key)
        check_estimate(cell, row, share_in_percent=False)
    assert set(frame["units"]) == {400, 4}


def test_what_can_be_taken_is_a_lower_bound(page: Page, text: str, report_folder: Path) -> None:
    frame = data(report_folder, "exploitability")
    shown = list(numbers(page, "exploitability"))
    assert len(shown) == 3 * (len(policy_names()) - 1)  # all but the cheater
    for names, key, cell in shown:
        row = looked_up(frame, measure=key, policy=names["policy"])
        check_estimate(cell, row, share_in_percent=False)
        assert key == "exploitability" or f"by {row['response']}" in page.notes
    assert flat(LOWER_BOUND) in flat(text)
    assert "cheater sees all cards and is no fair player" in flat(text)


def test_a_player_needs_no_statistics_to_read_it(text: str) -> None:
    part = text[text.index('<section id="strength"') :]
    first, folded = part[: part.index("<details>")], part[part.index("<details>") :]
    said = [re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<p(?: class=\"lead\")?>(.*?)</p>", first, re.DOTALL)]
    assert len(said) >= 4
    assert [each for each in said if JARGON.search(each)] == []
    assert "jackknife" in folded
