"""
Pages to look at in a browser: a small report, and what other commands write.

`make browser ARGS="--page report/index.html"` looks at a page of one's own as well.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.folder import PAGE
from tests.commands import command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("report", "balance", "games", "ladder")
"""Pages by what they show: everything; one game; games side by side; the players."""

COMMANDS = {
    "balance": ["balance", "egyptian", "--deals", "4096", "--decisions", "0"],
    "games": [
        "balance",
        "bastra",
        "yemeni",
        "--players",
        "2",
        "--players",
        "pairs",
        "--deals",
        "4096",
        "--decisions",
        "0",
    ],
    "ladder": ["ladder", "--policy", "greedy", "--policy", "counter", "--policy", "random", "--deals", "400"],
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--page", action="append", default=[], metavar="FILE", help="look at this page as well")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that take the name of a page look at each of them."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [*NAMES, *metafunc.config.getoption("--page", default=[])])


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.fail("these tests need Chromium: install Debian's chromium, or name one in the variable CHROMIUM")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where a page is, by its name; made when it is first asked for."""
    made: dict[str, Path] = {}

    def find(name: str) -> Path:
        if name == "report":
            folder: Path = request.getfixturevalue("report_folder")
            return folder / PAGE
        if name not in COMMANDS:
            return Path(name).resolve()
        if name not in made:
            path = tmp_path_factory.mktemp("pages") / f"{name}.html"
            result = command(*COMMANDS[name], "--output", path)
            assert result.exit_code == 0, result.output
            made[name] = path
        return made[name]

    return find


@pytest.fixture
def path(name: str, page_of: Callable[[str], Path]) -> Path:
    """The page that a test looks at."""
    return page_of(name)
