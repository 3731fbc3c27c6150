"""The report as a whole: the page, the data beside it, and where it is written to."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from basra_sim.errors import InputError
from basra_sim.stats import Estimate, share
from basra_sim.variants import variant, variant_names
from reports.cli import TIMES, report
from reports.folder import DATA, PAGE
from reports.numbers import estimated, figure, shown_unit
from tests.clashes import watched
from tests.pages import REPORTED, Page, data, make_report

COLUMNS = {
    "balance": {"variant", "players", "pairs", "table", "policy", "measure", "part", "estimate", "low", "high"}
    | {"units", "unit", "rounds", "seed"},
    "scoring": {"contrast", "variant", "changes", "policy", "measure", "part", "as_is", "changed_low", "estimate"}
    | {"units", "unit", "rounds", "seed"},
    "ratings": {
        "variant",
        "players",
        "pairs",
        "policy",
        "fair",
        "measure",
        "estimate",
        "low",
        "high",
        "unit",
        "units",
        "seed",
    },
    "margins": {
        "variant",
        "players",
        "pairs",
        "policy",
        "opponent",
        "measure",
        "estimate",
        "low",
        "high",
        "unit",
        "units",
    },
    "exploitability": {
        "variant",
        "players",
        "pairs",
        "policy",
        "response",
        "measure",
        "estimate",
        "low",
        "high",
        "unit",
    }
    | {"units", "seed"},
    "verdicts": {"claim", "advice", "verdict", "kind", "unit", "greedy", "champion_low", "counter_outcome", "applied"},
    "effects": {"claim", "kind", "measure", "policy", "estimate", "low", "high", "unit", "seed", "smallest"},
    "jack-hold": {"claim", "role", "variant", "seats", "policy", "form", "opponent", "measure", "split", "place"}
    | {"estimate", "low", "high", "units", "unit", "seed", "exchange", "covariates", "both", "outcome", "needed"},
    "jack-hold-repeated": {"policy", "form", "estimate", "estimate_again", "difference", "agrees"},
    "jack-hold-registered": {"claim", "advice", "smallest", "verdict", "depends_on", "deals_needed", "trouble"},
}


@pytest.fixture(scope="module")
def text(report_folder: Path) -> str:
    return (report_folder / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_same_bytes_on_two_threads(report_folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "elsewhere" / "again"
    with watched():  # as the first one was: looking at a figure lays it out once more
        make_report(again, "--threads", "2")
    files = sorted(path.relative_to(report_folder) for path in report_folder.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert [name for name in files if (report_folder / name).read_bytes() != (again / name).read_bytes()] == []


def test_page_asks_for_nothing(page: Page, text: str, report_folder: Path) -> None:
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", text)
    assert not {"link", "iframe", "img", "object"} & set(page.tags)
    assert not page.loads
    for link in page.links:
        assert link[1:] in page.ids if link.startswith("#") else (report_folder / link).is_file(), link


def test_ids_are_unique(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))


def test_every_file_is_linked(page: Page, report_folder: Path) -> None:
    assert {f"{DATA}/{path.name}" for path in (report_folder / DATA).iterdir()} <= set(page.links)


def test_every_figure_says_what_it_shows(text: str) -> None:
    pictures = re.findall(r"<svg [^>]*>", text)
    assert len(pictures) == 7 + 1 + 1 + 11
    assert all('role="img"' in each and re.search(r'aria-label="[^"]{30,}"', each) for each in pictures)
    assert text.count("<figcaption>") == len(pictures)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text, re.DOTALL)
    rests = re.compile(r"\d (by|or|deals|matches)")
    assert all("95 % intervals" in each and "seed 5" in each and rests.search(each) for each in captions)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_the_data(report_folder: Path, name: str) -> None:
    assert COLUMNS[name] <= set(data(report_folder, name).columns)


def test_what_was_settled_is_told(text: str) -> None:
    for name in variant_names():
        assert f"{name}: {variant(name).title}" in text
        assert variant(name).notes[0].split(".")[0].replace("'", "&#39;") in text


def test_report_can_be_played_again(text: str) -> None:
    assert "basra-sim report --seed 5 --rounds 1000" in text
    for each in REPORTED:
        assert f"basra-sim test {each.name} --rounds 1000 --seed 5" in text


@pytest.mark.parametrize(
    ("found", "unit", "shown"),
    [
        (Estimate(0.86123, 0.84, 0.88246, 9), "points/round", ("0.861", "± 0.021")),
        (Estimate(-12.3, -14.3, -10.3, 9), "points/round", ("−12.3", "± 2.0")),
        (Estimate(1234.5, 1000.0, 1469.0, 9), "points/round", ("1,234", "± 234")),
        (Estimate(4.0, 4.0, 4.0, 9), "points/round", ("4", "")),
        (Estimate(4.0, None, None, 1), "points/round", ("4.00", "")),
        (Estimate(None, None, None, 0), "points/round", ("–", "")),
        (Estimate(60.2, 31.7, None, 9), "rounds", ("60", "32 or more")),
        (Estimate(None, 31.7, None, 9), "rounds", ("–", "32 or more")),
        (Estimate(0.0, -0.02, 0.02, 9), "of matches", ("0.0", "± 2.0")),
        (Estimate(0.5, 0.48, 0.52, 9), "of matches", ("50.0", "± 2.0")),
        (share(0, 1000), "of matches", ("0", "up to 0.38")),
        (share(2, 1000), "of matches", ("0.20", "0.05 to 0.73")),
    ],
)
def test_numbers_have_the_digits_that_their_interval_bears(found: Estimate, unit: str, shown: tuple[str, str]) -> None:
    assert estimated(found, unit) == shown


def test_signs() -> None:
    assert figure(0.004, 2, signed=True) == "0.00"
    assert figure(-0.004, 2) == "0.00"
    assert figure(0.2, 1, signed=True) == "+0.2"
    assert shown_unit("of rounds") == "% of rounds"


@pytest.mark.parametrize("options", [["--rounds", "10"], ["--threads", "0"], ["--seed", "x"], ["--rounds", "1e5"]])
def test_impossible_options(tmp_path: Path, options: list[str]) -> None:
    result = CliRunner().invoke(report, ["--output", str(tmp_path / "new"), *options])
    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_help() -> None:
    text = CliRunner().invoke(report, ["--help"]).output
    assert "\n    basra-sim report --precision quick --output quick\n" in text
    assert all(f"{time} ({name})" in " ".join(text.split()) for name, time in TIMES.items())


def test_impossible_seed(tmp_path: Path) -> None:
    result = CliRunner().invoke(report, ["--output", str(tmp_path / "new"), "--seed", "-1"])
    assert isinstance(result.exception, InputError)
    assert not list(tmp_path.iterdir())
