"""The pages in ``docs``: parts are as the code makes them, examples run as they stand, numbers hold."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from basra_sim.cli import main
from basra_sim.experiment import duel
from basra_sim.variants import variant, variant_names
from tests import pages_of_docs as pages
from tests.commands import document
from tests.measured import EXPERIMENTS
from tests.pages_of_docs import PAGES, ROOT
from tests.readme import DOCS, MEASURED, README, calibration, made
from tests.readme import PAGES as WITH_MADE_PARTS
from tests.rules_page import page as rules_page
from tests.stated import GIVEN, IN_WORDS, QUOTED, STATED, TRUE, UNCHECKED, InWords

EXTENDING = DOCS / "extending.md"

PLACEHOLDERS = re.compile(r"\b[A-Z]{2,}\b")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
NUMBER = re.compile(r"\d[\d,.]*\d|\d")


@pytest.mark.parametrize("page", WITH_MADE_PARTS, ids=lambda page: page.name)
def test_made_parts_are_as_they_are_made(page: Path) -> None:
    text = pages.read(page)
    assert made(text, WITH_MADE_PARTS[page]) == text


def test_rules_are_as_they_are_made() -> None:
    assert pages.read(DOCS / "rules.md") == rules_page()


def test_rules_tell_of_every_variant_and_all_that_was_settled() -> None:
    text = rules_page()
    for name in variant_names():
        each = variant(name)
        assert f"## {each.title}: `{name}`" in text
        assert all(f"- {note}" in text for note in each.notes)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    headings = re.findall(r"(?m)^#+ (.*)$", pages.read(page))
    known = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
    for target in re.findall(r"\]\(([^)]+)\)", pages.read(page)):
        if target.startswith("#"):
            assert target[1:] in known, target
        else:
            assert target.startswith("https://") or (page.parent / target).exists(), target


def environment(folder: Path) -> dict[str, str]:
    """Environment in which examples run: the packages, and what lies in the folder."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run an example in a folder."""
    return subprocess.run(words, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)


def put_down(page: Path, folder: Path) -> None:
    """Write the files of a page."""
    for each in pages.blocks(page):
        if each.file:
            (folder / each.file).write_text(each.text, encoding="utf-8")


@pytest.mark.slow
def test_examples_of_extending_run_as_they_stand(tmp_path: Path) -> None:
    put_down(EXTENDING, tmp_path)
    (entry,) = [tomllib.loads(each.text) for each in pages.blocks(EXTENDING) if "entry-points" in each.text]
    project = entry["project"]
    information = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items())
        for group, named in project["entry-points"].items()
    )
    (information / "entry_points.txt").write_text(points, encoding="utf-8")
    ran = 0
    for each in pages.blocks(EXTENDING):
        lines = [line for line in each.text.splitlines() if line] if each.kind == "sh" else [each.text]
        if each.file or each.kind == "toml":
            continue
        for line in lines:
            words = [sys.executable, "-m", "basra_sim", *shlex.split(line)[1:]]
            done = run(words if each.kind == "sh" else [sys.executable, "-W", "error", "-c", line], tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            assert done.stdout.strip(), line
            ran += 1
    assert ran >= 18
    assert "sevens" in run([sys.executable, "-m", "basra_sim", "--help"], tmp_path).stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_run(page: Path) -> None:
    """By the test above, by those of the README, or by the one below."""
    ran = {README, EXTENDING, DOCS / "balance.md", DOCS / "long-runs.md"}
    assert not pages.blocks(page) or page in ran


@pytest.mark.slow
def test_example_of_balance_runs(tmp_path: Path) -> None:
    (block,) = pages.blocks(DOCS / "balance.md")
    code = block.text.replace('Ground("bastra")', 'Ground("bastra", deals=4096)')
    code = code.replace('Ground("egyptian")', 'Ground("egyptian", deals=4096)')
    assert code.count("4096") == 2
    done = run([sys.executable, "-W", "error", "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_examples_of_long_runs_run(tmp_path: Path) -> None:
    ran = 0
    for each in pages.blocks(DOCS / "long-runs.md"):
        text = each.text.replace("100M", "2k").replace("20_000", "200").replace('"night"', '"another"')
        for line in text.splitlines() if each.kind == "sh" else [text]:
            words = [sys.executable, "-m", "basra_sim", *shlex.split(line)[1:]]
            done = run(words if each.kind == "sh" else [sys.executable, "-W", "error", "-c", line], tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            ran += 1
    assert ran == 4
    assert {each.name for each in tmp_path.iterdir()} == {"night", "another"}


def commands_of(page: Path) -> list[str]:
    """Commands of a page: those in blocks, and those within sentences."""
    inner = [span for span in pages.spans(page) if span.startswith("basra-sim ") and span != "basra-sim --help"]
    return [*pages.command_lines(page), *inner]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_their_options_exist(page: Path) -> None:
    context = click.Context(main)
    for line in commands_of(page):
        for part in line.split(" | "):
            words = [word.split("=")[0] for word in shlex.split(part)[1:]]
            if PLACEHOLDERS.fullmatch(words[0]) or words[0] == "sevens":
                continue
            found = main.get_command(context, words[0])
            assert found is not None, line
            known = {name for parameter in found.params for name in parameter.opts} | {"--help"}
            assert not {word for word in words if word.startswith("--")} - known, line


def covered(page: str) -> list[str]:
    """Phrases of a page whose numbers are accounted for."""
    stated = [each.phrase.format(*each.numbers()) for each in STATED if each.page == page]
    return [*stated, *(phrase for kind in (TRUE, QUOTED, GIVEN, UNCHECKED) for phrase in kind.get(page, ()))]


def unaccounted(text: str, phrases: list[str]) -> list[str]:
    """Numbers of a text, with what stands around them, in none of some phrases, each of which must be there."""
    for phrase in phrases:
        assert phrase in text, f"it does not say: {phrase}"
        text = text.replace(phrase, "…")
    text = YEAR.sub("", text)
    return [text[max(0, match.start() - 40) : match.end() + 20] for match in NUMBER.finditer(text)]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "rules.md"], ids=lambda page: page.name)
def test_numbers_are_what_they_say(page: Path) -> None:
    left = unaccounted(pages.prose(page), covered(page.name))
    assert not left, f"{page.name} has numbers that nothing is held against: {left}"


def test_numbers_that_nothing_is_held_against_are_seen() -> None:
    assert unaccounted("Some 90 % of 1,000 deals (Kott 2001).", ["of 1,000 deals"]) == ["Some 90 % … (Kott )."]
    with pytest.raises(AssertionError, match="it does not say: of 2 deals"):
        unaccounted("Of 3 deals.", ["of 2 deals"])


@pytest.mark.parametrize("each", IN_WORDS, ids=lambda each: each.phrase)
def test_numbers_in_words_are_those_of_the_code(each: InWords) -> None:
    assert each.phrase in pages.prose(README if each.page == README.name else DOCS / each.page)
    assert each.holds()


def test_calibration_is_told_kind_by_kind() -> None:
    told = [row.split(" | ") for row in calibration().splitlines()[2:]]
    text = (DOCS / "calibration.txt").read_text(encoding="utf-8")
    assert sum(int(row[2]) for row in told) == len(re.findall(r"(?m)  yes$", text))
    assert [row[0] for row in told] == [f"| {line.split(' (')[0]}" for line in text.splitlines() if "(should" in line]


def test_luck_regressed_out_after_the_exchange_of_seats_gains_next_to_nothing() -> None:
    """As ``docs/methods.md`` says."""
    assert "regression gains next to nothing" in pages.prose(DOCS / "methods.md")
    gains = duel("counter", "greedy", deals=6000, threads=1).gains
    exchange, both = (each.value or 0.0 for each in (gains.exchange, gains.both))
    assert exchange > 1.5
    assert 1 <= both / exchange < 1.05


@pytest.mark.slow
def test_command_of_an_experiment_gives_what_is_told() -> None:
    (line,) = [span for span in pages.spans(DOCS / "methods.md") if "captures=ranks" in span]
    found = document(*shlex.split(line)[1:])["margin"]
    assert found == json.loads(MEASURED.read_text(encoding="utf-8"))["pisti"]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_was_played_for_the_pages_comes_out_again(name: str) -> None:
    told, found = json.loads(MEASURED.read_text(encoding="utf-8"))[name], EXPERIMENTS[name].play()
    assert found.keys() == told.keys()
    for key, value in told.items():
        assert found[key] == pytest.approx(value, rel=1e-9)
