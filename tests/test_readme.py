"""The README: short, with tables made from the code, and examples that run as they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme import BALANCE, BALANCE_PARTS, README, made

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
    lines = [line.split("  #")[0].strip() for each in blocks("sh") for line in each.splitlines()]
    mine = [line for line in lines if line.startswith("basra-sim")]
    small = [
        re.sub(r"--(rounds|matches) \S+", rf"--\1 {_few(line)}", line).replace("--deals 20k", "--deals 5k")
        for line in mine
    ]
    return [line.replace("basra-sim bench", "basra-sim bench --help") for line in small]


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


def test_tables_are_as_the_code_makes_them():
    assert made(TEXT) == TEXT
    assert TEXT.count("\n| ") > 15


def test_measures_of_balance_are_as_the_code_has_them():
    text = BALANCE.read_text(encoding="utf-8")
    assert made(text, BALANCE_PARTS) == text
    assert text.count("\n| `") > 30


def test_figures_exist():
    for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT):
        assert (README.parent / name).is_file()


def test_names_of_files_and_targets_exist():
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?m)^make (\w+)|`make (\w+)`", TEXT):
        assert f"\n{''.join(target)}:" in makefile
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "basra_sim/variants/"):
        assert name in TEXT
        assert (README.parent / name).exists()


@pytest.mark.parametrize("command", commands())
def test_commands(command, tmp_path):
    (tmp_path / "mine.py").write_text(block("python", "def gatherer"), encoding="utf-8")
    (tmp_path / "sevens.py").write_text(block("python", "def keep_sevens"), encoding="utf-8")
    (tmp_path / "eights.toml").write_text(block("toml", "eights"), encoding="utf-8")
    (tmp_path / "house.toml").write_text(block("toml", "base"), encoding="utf-8")
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout + done.stderr) > 50


@pytest.mark.parametrize("part", ["bs.rounds", "high_first"])
def test_python_examples(part, tmp_path):
    code = block("python", part).replace("200_000", "200").replace("100_000", "100").replace("20_000", "200")
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
    for name in ("def gatherer", "def keep_sevens"):
        lines = [line for line in block("python", name).splitlines() if line]
        assert len(lines) <= 10
