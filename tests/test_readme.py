"""The README: short, with tables made from the code, and examples that run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

import analyses
import basra_sim as bs
from tests.commands import document
from tests.pages_of_docs import command_lines
from tests.readme import FIGURE, PAGES, POINTS, README, VERDICTS, draw

TEXT = README.read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """Code blocks of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def block(kind: str, part: str) -> str:
    """The code block of a kind that has some text in it."""
    (found,) = [each for each in blocks(kind) if part in each]
    return found


def commands() -> list[str]:
    """Examples of the command line, without comments, made small."""
    return [
        re.sub(r"--(rounds|matches) \S+", rf"--\1 {_few(line)}", line).replace("--deals 20k", "--deals 5k")
        for line in command_lines(README)
    ]


def _few(line: str) -> int:
    """Rounds that are enough for a command: tests of advice need some."""
    return 1000 if line.split()[1] in ("test", "bundle") else 20


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell, with this Python's basra-sim."""
    here = f"{sys.executable} -m basra_sim"
    environment = os.environ | {"PYTHONPATH": str(README.parent)}
    line = command.replace("basra-sim", here)
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_length():
    assert 50 < len(TEXT.splitlines()) < 200


def test_tables_stand_in_it():
    assert TEXT.count("\n| ") > 15
    assert {f"<!-- {name}: made -->" for name in PAGES[README]} <= set(TEXT.splitlines())


def test_figure_is_drawn_from_what_was_played(tmp_path):
    draw(tmp_path / "figure.svg")
    drawn, kept = (
        re.findall(r">([^<>]+)</text>", file.read_text("utf-8")) for file in (tmp_path / "figure.svg", FIGURE)
    )
    assert drawn == kept
    assert len(drawn) > 30


def test_a_newcomer_finds_the_answers_early():
    """What is asked first stands on the first screens, before anything else is explained."""
    lines = TEXT.splitlines()
    jack = next(k for k, line in enumerate(lines) if line.startswith("- *Keep the jacks"))
    assert jack < 20
    for title in ("**A rule of your own**", "**A policy**", "**A piece of advice**"):
        assert title in TEXT
    for name in ("house.toml", "mine.py", "eights.toml"):
        assert any(name in line for line in command_lines(README)), name


@pytest.mark.slow
def test_verdicts_come_out_again():
    """The jacks, with fewer deals than the report plays, whose verdicts the README tells."""
    (found,) = document("test", "jack-hold", "--rounds", 20_000)["claims"]
    (kept,) = pd.read_csv(VERDICTS).query("claim == 'jack-hold'").to_dict("records")
    assert (found["verdict"], found["depends_on"]) == (kept["verdict"], kept["depends_on"])
    assert found["sentence"] in TEXT


@pytest.mark.slow
def test_points_of_the_figure_come_out_again():
    kept = pd.read_csv(POINTS).query("variant == 'egyptian' and policy == 'greedy'")
    again = analyses.compare("egyptian", policies=["greedy"], deals=20_000, skill=False, seed=2).measure("points")
    both = kept.merge(again, on=["variant", "policy", "part"], suffixes=("", "_again"))
    assert len(both) == len(kept) == 7
    wide = np.hypot(both["high"] - both["low"], both["high_again"] - both["low_again"])
    assert (abs(both["estimate"] - both["estimate_again"]) <= wide + 1e-9).all()


@pytest.mark.slow
def test_millions_of_rounds_a_minute():
    bs.simulate("bastra", rounds=1000)
    start = perf_counter()
    bs.simulate("bastra", rounds=400_000)
    assert perf_counter() - start < 60 / 5


def test_figures_exist():
    for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT):
        assert (README.parent / name).is_file()


def test_names_of_files_and_targets_exist():
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?m)^make (\w+)|`make (\w+)`", TEXT):
        assert f"\n{''.join(target)}:" in makefile
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "docs/rules.md", "examples/own_question.ipynb"):
        assert name in TEXT
        assert (README.parent / name).exists()


@pytest.mark.parametrize("command", commands())
def test_commands(command, tmp_path):
    (tmp_path / "mine.py").write_text(block("python", "def gatherer"), encoding="utf-8")
    (tmp_path / "eights.toml").write_text(block("toml", "eights"), encoding="utf-8")
    (tmp_path / "house.toml").write_text(block("toml", "base"), encoding="utf-8")
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout + done.stderr) > 40


@pytest.mark.parametrize("part", ["bs.rounds"])
def test_python_examples(part, tmp_path):
    code = (
        block("python", part)
        .replace("200_000", "200")
        .replace("100_000", "100")
        .replace("rounds=20_000", "rounds=1000")
        .replace("20_000", "200")
    )
    environment = os.environ | {"PYTHONPATH": str(README.parent)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_own_policy_takes_ten_lines():
    lines = [line for line in block("python", "def gatherer").splitlines() if line]
    assert len(lines) <= 10
