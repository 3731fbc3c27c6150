"""All that commands print for people keeps to 80 columns: in a terminal, through a pipe, and with long names."""

import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from basra_sim.cli import main
from basra_sim.cli.text import WIDTH, table
from tests.commands import command, environment, line, output

COMMANDS = tuple(main.list_commands(click.Context(main)))

PLAYER = "the_player_of_somebody_who_likes_long_names.py"
FUNCTION = "a_scoring_function_whose_name_says_all_that_it_does"

SMALL: dict[str, tuple[str, ...]] = {
    "variants": ("variants",),
    "captures": ("captures", "egyptian", "--floor", "AC AD AH 2C 2D 2H 3C 3D 4C 5C 6D 7C", "--card", "10C"),
    "simulate": ("simulate", "bastra", "--policy", PLAYER, "--rounds", "100"),
    "duel": ("duel", PLAYER, "greedy+jack-hold:tie-break+avoid-ten:reversed+low-empty", "--rounds", "100"),
    "replay": ("replay", "rounds.jsonl", "--explain"),
    "claims": ("claims",),
    "test": ("test", "low-empty", "--rounds", "1000", "--details", "--opponent", PLAYER),
    "bundle": ("bundle", "jack-hold", "low-empty", "--policy", PLAYER, "--rounds", "1000"),
    "balance": ("balance", "bastra", "--policy", PLAYER, "--deals", "4096", "--decisions", "0"),
    "sweep": (
        "sweep", "bastra", "--deals", "4096", "--measure", "points", "--policy", PLAYER,
        *(word for name in ("two", "ten", "ace", "basra", "majority") for word in ("--vary", f"{name}_points=1,1000")),
    ),
    "fit": (
        "fit", "egyptian", "bastra", "--deals", "4096", "--measure", "match_rounds", "--to", "4",
        "--vary", "target=50,60",
    ),
    "advise": ("advise", "bastra", "--hand", "AS 2S JS", "--floor", "KC QD 3H", "--score", "40-55", "--ways", "100"),
    "review": ("review", "rounds.jsonl", "--ways", "100"),
    "ladder": ("ladder", "--policy", PLAYER, "--policy", "counter-memory:8-noise:0.1", "--deals", "640"),
    "tune": (
        "tune", "bastra", "--output", "w.json", "--generations", "1", "--rounds", "100", "--deals", "100",
        "--population", "4",
    ),
    "bench": ("bench", "--seconds", "0.001", "--repetitions", "1"),
    "calibrate": ("calibrate", "--experiments", "20"),
    "jobs": ("jobs", "night"),
}  # fmt: skip
"""Each command, with little to play."""

FOR_MACHINES = {"trace": "records", "completion": "a script", "report": "the name of a file"}
"""Commands that print no tables, but this."""


@pytest.fixture(autouse=True)
def sensitive() -> Iterator[None]:
    """Whoever runs the tests may have told this process, and with it all it starts, to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with a player and records; commands run in it."""
    text = f"from basra_sim import policy\n\n\n@policy\ndef {FUNCTION}(view, play):\n    return play.points\n"
    (tmp_path / PLAYER).write_text(text)
    (tmp_path / "rounds.jsonl").write_text(output("trace", "bastra"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_is_looked_at() -> None:
    assert {*SMALL, *FOR_MACHINES} == set(COMMANDS)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("columns", ["80", "200"])
def test_output_through_a_pipe(monkeypatch: pytest.MonkeyPatch, name: str, columns: str) -> None:
    monkeypatch.setattr("basra_sim.bench.start_times", lambda: {"first": 40.0, "warm": 1.0, "compile": 39.0})
    monkeypatch.setenv("COLUMNS", columns)
    if name == "jobs":
        command(*SMALL["duel"], "--job", "night")
    done = command(*SMALL[name])
    assert (done.exit_code, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= WIDTH
    assert "\x1b" not in done.stdout
    assert "\r" not in done.stdout


@pytest.mark.parametrize("columns", ["80", "200"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help(monkeypatch: pytest.MonkeyPatch, name: str, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert max(map(len, output(*filter(None, [name]), "--help").splitlines())) <= WIDTH


def in_a_terminal(*args: str, folder: Path, until: str = "") -> tuple[int, str]:
    """Exit code of a command, and all that it wrote to a terminal of 80 columns; Ctrl-C once it writes some text."""
    ours, theirs = pty.openpty()
    more = environment({"COLUMNS": "80", "TERM": "xterm"})
    for name in ("NO_COLOR", "FORCE_COLOR"):
        more.pop(name, None)
    text = ""
    with subprocess.Popen(line(*args), stdout=theirs, stderr=theirs, stdin=theirs, cwd=folder, env=more) as running:
        os.close(theirs)
        for part in parts(ours):
            text += part.decode(errors="replace")
            if until and until in text:
                running.send_signal(signal.SIGINT)
                until = ""
    os.close(ours)
    return running.returncode, text


def parts(terminal: int) -> Iterator[bytes]:
    """What is written to a terminal, until nobody has it open any more."""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            return
        if not part:
            return
        yield part


def test_a_terminal_has_progress_and_colours(folder: Path) -> None:
    code, text = in_a_terminal(*SMALL["test"], folder=folder)
    assert code == 0
    assert "\r\x1b[KGetting ready" in text
    shown = click.unstyle(text.rpartition("\r\x1b[K")[2])
    assert shown.splitlines() == output(*SMALL["test"]).splitlines()
    assert "\x1b[1m" in text


def test_a_quiet_command_writes_nothing_but_the_result_to_a_terminal(folder: Path) -> None:
    args = ("simulate", "bastra", "--rounds", "100")
    code, text = in_a_terminal(*args, "--quiet", folder=folder)
    assert (code, text.splitlines()) == (0, output(*args).splitlines())


def test_ctrl_c_in_a_terminal(folder: Path) -> None:
    """Once progress with a rate is shown, on several threads: what is finished is printed, the rest is named."""
    args = ("ladder", "--policy", "random", "--policy", "greedy", "--policy", "counter-memory:8", "--deals", "1M")
    code, text = in_a_terminal(*args, folder=folder, until=" left")
    assert code == 130
    *_, said, last = click.unstyle(text.rpartition("\r\x1b[K")[2]).replace("\r", "").strip().split("\n")
    assert last == "Interrupted"
    assert said.startswith("Interrupted. Not finished: ")
    assert "Traceback" not in text


def test_records_in_a_terminal_are_not_disturbed(folder: Path) -> None:
    code, text = in_a_terminal("trace", "bastra", "--rounds", "3", folder=folder)
    assert (code, text.splitlines()) == (0, output("trace", "bastra", "--rounds", 3).splitlines())


def test_long_words_are_broken_and_numbers_are_not() -> None:
    rows = [["x" * 60, "z" * 50, "12,345,678", "-0.1234"], ["short", "b", "1", "0.1"]]
    lines = table(["policy", "against", "deals", "margin"], rows, right=[2, 3])
    assert max(map(len, lines)) <= WIDTH
    text = "\n".join(lines)
    assert (text.count("x"), text.count("z")) == (60, 50)
    assert "12,345,678  -0.1234" in text


def test_headings_of_many_columns_are_broken_at_last() -> None:
    headings = [f"some long heading_{k}" for k in range(11)]
    lines = table(headings, [[f"{1000 + k}.5" for k in range(11)]], right=range(11))
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1].split() == [f"{1000 + k}.5" for k in range(11)]
