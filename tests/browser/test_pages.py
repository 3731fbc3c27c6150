"""Every page in a browser: on a phone and a desk, by day and by night, on paper, by keyboard, without scripts."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import checks
from tests.browser.checks import DESKTOP, PAPER, PHONE, SMALL, TABLET, opened, unfolded

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_nothing_is_said_or_asked_for(browser: "Browser", path: Path) -> None:
    with opened(browser, path) as (page, heard):
        unfolded(page)
        assert checks.noise(heard, path) == []
        assert heard.requests == [path.as_uri()]


@pytest.mark.parametrize("width", [PHONE, SMALL, TABLET, DESKTOP])
def test_nothing_is_wider_than_the_window(browser: "Browser", path: Path, width: int) -> None:
    with opened(browser, path, width) as (page, _):
        assert checks.overflow(page) == []
        unfolded(page)
        assert checks.overflow(page) == []


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_figures_are_seen_whole(browser: "Browser", path: Path, width: int) -> None:
    with opened(browser, path, width) as (page, _):
        assert page.locator("svg").count()
        unfolded(page)
        assert checks.figures(page) == []


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_links_lead_where_they_say(browser: "Browser", path: Path, width: int) -> None:
    with opened(browser, path, width) as (page, _):
        assert checks.links(page, path.parent) == []


def test_contents_name_every_part(browser: "Browser", path: Path, name: str) -> None:
    with opened(browser, path) as (page, _):
        parts = page.locator("main > section").evaluate_all("parts => parts.map((part) => '#' + part.id)")
        listed = page.locator("nav > ul > li > a").evaluate_all(
            "links => links.map((each) => each.getAttribute('href'))"
        )
    assert len(parts) < 3 or [each for each in parts if each != "#reading"] == [
        each for each in listed if each in parts
    ]


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")])
def test_no_barriers(browser: "Browser", path: Path, width: int, scheme: str) -> None:
    with opened(browser, path, width, color_scheme=scheme) as (page, _):
        unfolded(page)
        assert checks.barriers(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")])
def test_no_barriers_for_who_asks_for_contrast(browser: "Browser", path: Path, width: int, scheme: str) -> None:
    with opened(browser, path, width, color_scheme=scheme, contrast="more") as (page, _):
        unfolded(page)
        assert checks.barriers(page, enhanced=True) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_figures_have_contrast(browser: "Browser", path: Path, scheme: str) -> None:
    with opened(browser, path, color_scheme=scheme) as (page, _):
        unfolded(page)
        assert checks.faint(page) == []


def test_dark_page_is_dark(browser: "Browser", path: Path) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        with opened(browser, path, color_scheme=scheme) as (page, _):
            grounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert grounds["light"] == "rgb(253, 253, 251)"
    assert grounds["dark"] == "rgb(21, 23, 26)"


def test_markup_is_valid(path: Path) -> None:
    assert checks.invalid(path) == []


def test_paper_shows_everything(browser: "Browser", path: Path) -> None:
    with opened(browser, path, PAPER) as (page, _):
        assert checks.unprinted(page) == []


def test_paper_unfolds_and_folds_again(browser: "Browser", path: Path) -> None:
    """Browsers whose style sheets cannot unfold are helped by the script."""
    count = "[...document.querySelectorAll('details')].filter((part) => part.open).length"
    with opened(browser, path) as (page, _):
        some = page.locator("details").count()
        before = page.evaluate(count)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(count) == some
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.evaluate(count) == before


def test_page_can_be_printed(browser: "Browser", path: Path, tmp_path: Path) -> None:
    with opened(browser, path) as (page, _):
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_nothing_moves_for_who_asks_for_stillness(browser: "Browser", path: Path) -> None:
    with opened(browser, path) as (page, _):
        assert checks.moving(page) == []


def test_first_column_leaves_room(browser: "Browser", path: Path) -> None:
    with opened(browser, path, PHONE) as (page, _):
        unfolded(page)
        assert checks.covering(page) == []


def test_page_is_small_and_opens_at_once(browser: "Browser", path: Path) -> None:
    assert checks.too_large(path) == []
    assert checks.slow(browser, path) == []


def test_everything_is_there_without_scripts(browser: "Browser", path: Path) -> None:
    assert checks.lost(browser, path) == []


def test_keyboard_is_enough(browser: "Browser", path: Path) -> None:
    with opened(browser, path) as (page, _):
        assert checks.unfocused(page) == []
