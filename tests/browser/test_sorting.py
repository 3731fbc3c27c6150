"""Tables that sort: by words, by numbers as they are written here, by mouse and by keyboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.pages import environment
from reports.parts import Badge, Cell, Heading, Section, Table
from tests.browser.checks import opened
from tests.pages import Page as Read
from tests.pages import number

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SHOWN = """cells => cells.map((cell) => {
    const shown = (cell.querySelector('data') || cell).cloneNode(true);
    shown.querySelectorAll('.interval, .note').forEach((beside) => beside.remove());
    return shown.textContent.trim();
})"""
"""What cells show, without what stands beside it."""

COLUMNS = ("game", "verdict", "value", "counted", "deals")

ROWS = [
    [
        Cell("syrian"),
        Cell("", badge=Badge("refuted", "×", "refuted")),
        Cell("−0.5", "± 0.1", -0.5),
        Cell("2 of 9"),
        Cell("1,200"),
    ],
    [
        Cell("Bastra"),
        Cell("", badge=Badge("depends", "↔", "depends")),
        Cell("+12.3", "± 1.0", 12.3),
        Cell("10 of 9"),
        Cell("900"),
    ],
    [
        Cell("yemeni 10"),
        Cell("", badge=Badge("weak", "~", "weak")),
        Cell("0.8", "0.1 to 2.0", 0.84),
        Cell("none"),
        Cell("900"),
    ],
    [Cell("yemeni 9"), Cell("", badge=Badge("depends", "↔", "depends")), Cell("–", "32 or more"), Cell("–"), Cell("–")],
    [
        Cell("egyptian"),
        Cell("", badge=Badge("weak", "~", "weak")),
        Cell("−3.1", "± 0.2", -3.1),
        Cell("2 of 9"),
        Cell("10"),
    ],
    [
        Cell("ethiopian"),
        Cell("", badge=Badge("refuted", "×", "refuted")),
        Cell("0.8", "± 0.2", 0.76),
        Cell("a few"),
        Cell("1,100"),
    ],
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a table of everything that a cell may hold."""
    headings = [Heading(each, "points" if each == "value" else "", each) for each in COLUMNS]
    tables = [Table("games", "Games", headings, 1, ROWS, ""), Table("one", "One", headings, 1, ROWS[:1], "")]
    path = tmp_path_factory.mktemp("sorted") / "table.html"
    section = Section("all", "All", tables=tables)
    made = environment().get_template("ladder.html.j2")
    path.write_text(made.render(section=section, command="basra-sim", version="1"), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: "Browser", table: Path) -> "Iterator[Page]":
    with opened(browser, table) as (page, heard):
        yield page
        assert heard.messages == []


def order(page: "Page", column: int = 0, name: str = "games") -> list[str]:
    rows = page.locator(f"#table-{name} tbody tr > :nth-child({column + 1})")
    return list(rows.evaluate_all(SHOWN))


def sort(page: "Page", column: int, name: str = "games") -> str | None:
    """Press the button of a column; how it says it is sorted then."""
    heading = page.locator(f"#table-{name} thead th").nth(column)
    heading.locator("button").click()
    found: str | None = heading.get_attribute("aria-sort")
    return found


def test_words(page: "Page") -> None:
    assert sort(page, 0) == "ascending"
    assert order(page) == ["Bastra", "egyptian", "ethiopian", "syrian", "yemeni 9", "yemeni 10"]
    assert sort(page, 0) == "descending"
    assert order(page) == ["yemeni 10", "yemeni 9", "syrian", "ethiopian", "egyptian", "Bastra"]


def test_numbers_with_signs_and_intervals(page: "Page") -> None:
    sort(page, 2)
    assert order(page, 2) == ["−3.1", "−0.5", "0.8", "0.8", "+12.3", "–"]
    assert order(page)[2:4] == ["ethiopian", "yemeni 10"], "what is shown alike goes by its further digits"
    sort(page, 2)
    assert order(page, 2) == ["+12.3", "0.8", "0.8", "−0.5", "−3.1", "–"], "what is not known stands last"


def test_numbers_without_values(page: "Page") -> None:
    sort(page, 4)
    assert order(page, 4) == ["10", "900", "900", "1,100", "1,200", "–"]


def test_words_among_numbers_make_a_column_of_words(page: "Page") -> None:
    sort(page, 3)
    assert order(page, 3) == ["2 of 9", "2 of 9", "10 of 9", "a few", "none", "–"]


def test_verdicts_go_by_their_words(page: "Page") -> None:
    sort(page, 1)
    assert order(page) == ["Bastra", "yemeni 9", "syrian", "ethiopian", "yemeni 10", "egyptian"]


def test_equal_rows_keep_their_order(page: "Page") -> None:
    sort(page, 0)
    sort(page, 1)
    assert order(page) == ["Bastra", "yemeni 9", "ethiopian", "syrian", "egyptian", "yemeni 10"]
    sort(page, 1)
    assert order(page) == ["egyptian", "yemeni 10", "ethiopian", "syrian", "Bastra", "yemeni 9"]


def test_state_is_on_one_heading(page: "Page") -> None:
    assert page.locator("[aria-sort]").count() == 0
    sort(page, 0)
    sort(page, 2)
    headings = page.locator("#table-games thead th")
    assert headings.evaluate_all("all => all.map((each) => each.getAttribute('aria-sort'))") == [
        None,
        None,
        "ascending",
        None,
        None,
    ]
    assert [text.strip() for text in headings.locator(".order").all_text_contents()] == ["", "", "▲", "", ""]


def test_state_is_announced(page: "Page") -> None:
    status = page.get_by_role("status")
    assert status.text_content() == ""
    sort(page, 2)
    assert status.text_content() == "Sorted by value points, smallest first."
    sort(page, 2)
    assert status.text_content() == "Sorted by value points, largest first."
    sort(page, 0)
    assert status.text_content() == "Sorted by game, A to Z."


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keyboard(page: "Page", key: str) -> None:
    button = page.get_by_role("button", name="game")
    button.focus()
    page.keyboard.press(key)
    assert order(page)[0] == "Bastra"
    assert button.evaluate("button => button === document.activeElement"), "the focus stays"
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    assert page.locator("#table-games th").nth(1).get_attribute("aria-sort") == "ascending"


def test_heading_keeps_its_name_and_scope(page: "Page") -> None:
    assert page.get_by_role("columnheader", name="value points").count() == 2
    assert page.locator("thead th:not([scope=col]), tbody th:not([scope=row])").count() == 0


def test_one_row_needs_no_sorting(page: "Page") -> None:
    assert page.locator("#table-one button").count() == 0


def test_without_scripts_there_are_no_buttons(browser: "Browser", table: Path) -> None:
    with opened(browser, table, java_script_enabled=False) as (page, _):
        assert page.locator("button").count() == 0
        assert order(page) == [row[0].text for row in ROWS]


def test_every_table_of_a_page(browser: "Browser", path: Path) -> None:
    """By each column, up and down: the same rows, numbers in the order of what is shown."""
    names = Read(path.read_text(encoding="utf-8")).tables
    with opened(browser, path) as (page, heard):
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        for name, shown in list(names.items())[:: max(1, len(names) // 12)]:
            for column in range(len(shown.keys)) if len(shown.rows) > 1 else ():
                before = sorted(order(page, column, name.removeprefix("table-")))
                for direction in (1, -1):
                    button = page.locator(f"#{name} thead th").nth(column).locator("button")
                    button.evaluate("button => button.click()")
                    after = order(page, column, name.removeprefix("table-"))
                    assert sorted(after) == before
                    if all(row[column][1] for row in shown.rows):
                        found = [number(each) * direction for each in after]
                        assert found == sorted(found), (name, column)
        assert heard.messages == []
