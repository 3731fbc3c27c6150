"""The line of progress where terminals change, go away or never were."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from basra_sim.cli import progress as told
from basra_sim.cli.progress import PLAINLY, Progress, _duration
from basra_sim.executors import ADD, Arrays, Part, Task, execute, placed
from tests.commands import environment, line, process
from tests.test_cli_ending import Clock, Terminal
from tests.test_executors import Shelf

fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

WIPE = "\r\x1b[K"

TOLD = """
import sys
from basra_sim.cli import progress as module
module._is_compiled = lambda: True

class Clock:
    now = 100.0
    def __call__(self):
        return self.now

clock = Clock()
with module.Progress("rounds", clock=clock) as progress:
    for line in sys.stdin:
        clock.now += float(line.split()[0])
        progress(int(line.split()[1]), 10**9)
        print("done", flush=True)
print("left", flush=True)
"""

BACKGROUND = """
import fcntl, os, pty, select, signal, subprocess, sys
from basra_sim.cli import progress as module
module._is_compiled = lambda: True

master, slave = pty.openpty()
if os.fork():
    os.close(slave)
    text, status = b"", None
    while True:
        try:
            part = os.read(master, 1000)
        except OSError:
            break
        if not part:
            break
        text += part
    print(repr(text.decode()), os.waitstatus_to_exitcode(os.wait()[1]))
    sys.exit()
os.login_tty(slave)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
other = subprocess.Popen(["sleep", "100"], process_group=0)
clock = lambda: clock.now
clock.now = 0.0
sys.stderr = open(2, "w", closefd=False)
with module.Progress("rounds", clock=clock) as progress:
    for now, group in ((0.0, other.pid), (10.0, other.pid), (20.0, os.getpgrp()), (30.0, other.pid)):
        os.tcsetpgrp(2, group)
        clock.now = now
        progress(int(now), 40)
other.kill()
os._exit(0)
"""


def resize(number: int, columns: int) -> None:
    """Change the size of a terminal, as a person does by its window."""
    import struct

    fcntl.ioctl(number, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


@contextmanager
def on_a_terminal(columns: int, **more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process whose standard error is a terminal, and the other end of that."""
    master, slave = os.openpty()
    resize(master, columns)
    child = subprocess.Popen(
        [sys.executable, "-c", TOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave, text=True,
        env=environment({"TERM": "xterm", **more}),
    )  # fmt: skip
    os.close(slave)
    try:
        yield child, master
    finally:
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        with suppress(OSError):
            os.close(master)


def ask(child: subprocess.Popen[str], seconds: float, done: int) -> None:
    """Let it be told of so many rounds after some seconds."""
    stdin: IO[str] | None = child.stdin
    assert stdin is not None
    assert child.stdout is not None
    stdin.write(f"{seconds} {done}\n")
    stdin.flush()
    assert child.stdout.readline() == "done\n"


def read(master: int) -> str:
    """What was written to a terminal so far."""
    return os.read(master, 10_000).decode()


def test_a_terminal_that_is_resized() -> None:
    """Every line fits, whatever the terminal has become since the last one; in the end nothing is left of it."""
    with on_a_terminal(100) as (child, master):
        ask(child, 10, 10**8)
        assert read(master) == f"{WIPE} 10%  100,000,000 of 1,000,000,000 rounds, 10,000,000 a second, 1:30 min left"
        for columns, shown in (
            (60, " 20%, 10,000,000 a second, 1:20 min left"),
            (40, " 20%, 1:20 min left"),
            (12, " 20%"),
            (3, " 2"),
            (1, ""),
            (0, " 20%  200,000,000 of 1,000,000,000 rounds, 10,000,000 a second, 1:20 min left"),
            (80, " 20%  200,000,000 of 1,000,000,000 rounds, 10,000,000 a second, 1:20 min left"),
        ):
            resize(master, columns)
            ask(child, 0.001, 2 * 10**8)
            ask(child, 10, 2 * 10**8)
            text = read(master)
            assert re.sub(r"[\d,]+ a second", "10,000,000 a second", text.split(WIPE)[-1])[:4] == shown[:4]
            assert len(text.split(WIPE)[-1]) < (columns or 80)
            assert text.count(WIPE) == 1
            assert "\n" not in text
        resize(master, 20)
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait() == 0
        assert read(master) == WIPE


def test_less_and_less_is_said_where_there_is_less_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "_is_compiled", lambda: True)
    said = []
    for width in (81, 60, 50, 40, 22, 9, 4):
        monkeypatch.setattr(Progress, "_width", lambda _, width=width: width)
        terminal, clock = Terminal(), Clock()
        with Progress(stream=terminal, clock=clock) as progress:
            progress.note = "jack-hold"
            progress(0, 1000)
            clock.now += 100
            progress(50, 1000)
        said += [text for text in terminal.texts() if text]
    assert said == [
        "  5%  50 of 1,000 rounds, 2 s each, 31:40 min left; jack-hold",
        "  5%, 2 s each, 31:40 min left; jack-hold",
        "  5%, 2 s each, 31:40 min left; jack-hold",
        "  5%, 2 s each, 31:40 min left; jack-ho",
        "  5%, 31:40 min left",
        "  5%",
        "  5",
    ]


def test_a_terminal_that_goes_away() -> None:
    with on_a_terminal(80) as (child, master):
        ask(child, 10, 10)
        os.close(master)
        ask(child, 10, 20)
        ask(child, 10, 30)
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.close()
        assert child.stdout.read() == "left\n"
        assert child.wait() == 0
        os.openpty()


def test_a_terminal_that_cannot_draw_over_a_line() -> None:
    with on_a_terminal(80, TERM="dumb") as (child, master):
        for done in (1, 2, 3, 4):
            ask(child, PLAINLY / 2, done * 10**8)
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait() == 0
        text = read(master)
    assert "\x1b" not in text
    assert text.replace("\r\n", "\n") == (
        "20%  200,000,000 of 1,000,000,000 rounds, 666,667 a second, 20:00 min left\n"
        "40%  400,000,000 of 1,000,000,000 rounds, 666,667 a second, 15:00 min left\n"
    )


def test_plain_lines_where_no_terminal_is() -> None:
    """A line in five minutes, without any sign but letters, in a file or a pipe."""
    stream, clock = io.StringIO(), Clock()
    with Progress("deals", stream=stream, clock=clock) as progress:
        progress.note = "the second of five"
        progress.say("Getting ready …")
        for done in range(0, 2_000_000_000, 1_000_000):
            progress(done, 2_000_000_000)
            clock.now += 0.5
    lines = stream.getvalue().splitlines()
    assert lines == [
        "30%  600,000,000 of 2,000,000,000 deals, 2,000,000 a second, 11:40 min left; the second of five",
        "60%  1,200,000,000 of 2,000,000,000 deals, 2,000,000 a second, 6:40 min left; the second of five",
        "90%  1,800,000,000 of 2,000,000,000 deals, 2,000,000 a second, 1:40 min left; the second of five",
    ]


@pytest.mark.parametrize("pipe", ["stdout", "stderr", "both"])
def test_redirected_commands_write_no_signs_that_steer_a_terminal(tmp_path: Path, pipe: str) -> None:
    """Wherever the one or the other goes; what is not redirected here is a terminal."""
    master, slave = os.openpty()
    command = line("simulate", "bastra", "--rounds", 500_000, "--policy", "random", "--threads", 1)
    with (tmp_path / "out").open("wb") as file:
        streams: Any = {name: file if pipe in (name, "both") else slave for name in ("stdout", "stderr")}
        subprocess.run(command, env=environment({"TERM": "xterm"}), check=True, **streams)
    os.close(slave)
    written = (tmp_path / "out").read_bytes()
    assert b"\x1b" not in written
    assert b"\r" not in written
    assert (b"first margin" in written) == (pipe != "stderr")
    if pipe != "both":
        assert (b"first margin" in os.read(master, 100_000)) == (pipe == "stderr")
    os.close(master)


CLOSED = """
import os, sys
from basra_sim.cli import progress
progress.PLAINLY = 0.0
if sys.argv.pop(1) == "closed":
    os.close(2)
    sys.stderr = None
from basra_sim.cli import program
program()
"""


@pytest.mark.parametrize("how", ["pipe", "closed"])
def test_nobody_reads_what_is_told(how: str) -> None:
    """The command goes on to its end."""
    reader, writer = os.pipe()
    os.close(reader)
    words = [how, "simulate", "bastra", "--rounds", "200k", "--policy", "random", "--threads", "1"]
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, *words], env=environment(), stdout=subprocess.PIPE, stderr=writer, check=False
    )
    os.close(writer)
    assert b"first margin" in done.stdout
    assert done.returncode == 0


def test_nothing_is_drawn_in_the_background() -> None:
    """The terminal is somebody else's then; once it is ours again, the line comes back."""
    done = subprocess.run(
        [sys.executable, "-c", BACKGROUND], env=environment({"TERM": "xterm"}), capture_output=True, text=True,
        check=True, timeout=60,
    )  # fmt: skip
    text = " 50%  20 of 40 rounds, 1.0 a second, 20 s left"
    assert done.stdout == f"{f'{WIPE}{text}'!r} 0\n"


@pytest.mark.parametrize("jump", [-1e6, -50.0, 1e6])
def test_a_clock_that_is_set(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    monkeypatch.setattr(told, "_is_compiled", lambda: True)
    terminal, clock = Terminal(), Clock()
    with Progress(stream=terminal, clock=clock) as progress:
        for done in range(1, 10):
            clock.now += 10
            progress(done, 10)
        clock.now += jump
        before = len(list(terminal.texts()))
        progress(9, 10)
        for _ in range(4):
            clock.now += 1
            progress(10, 10)
    texts = list(terminal.texts())[before:]
    assert len(texts) == 6
    assert all("-" not in text for text in texts)
    assert texts[-2].startswith("100%  10 of 10 rounds")


UNITS = 100

KEPT: dict[Part, Arrays] = {(first, 10): (np.zeros(1),) for first in range(0, 70, 10)}
"""What a folder has of some units, in pieces of ten."""


def batch(clock: Clock, seconds: float = 20.0) -> Task:
    """Units of which each piece takes so long, where it is not kept."""

    def work(_: int, __: int) -> Arrays:
        clock.now += seconds
        return (np.zeros(1),)

    return Task("a batch", work, (ADD,), 10, 1)


@pytest.mark.parametrize("holes", [(), ((0, 10), (30, 10))])
def test_what_is_taken_from_a_folder_says_nothing_of_how_fast_it_goes(
    monkeypatch: pytest.MonkeyPatch, holes: tuple[Part, ...]
) -> None:
    """Even where a folder is slow; nor does the first piece that is played, as it is compiled for."""
    monkeypatch.setattr(told, "PLAINLY", 0.0)
    stream, clock = io.StringIO(), Clock()
    shelf = Shelf({part: found for part, found in KEPT.items() if part not in holes})
    with placed(keeper=shelf), Progress(stream=stream, clock=clock) as progress:
        for _ in execute(batch(clock), 0, UNITS, threads=1, progress=progress):
            clock.now += 0.25
    said = stream.getvalue().splitlines()
    assert len(said) == 10
    if not holes:
        assert said[:7] == [f" {done}0%  {done}0 of {UNITS} rounds".strip() for done in range(1, 8)]
    assert said[7:] == [
        f" {done}%  {done} of {UNITS} rounds, 2 s each, {left} left".strip()
        for done, left in ((80, "40 s"), (90, "20 s"), (100, "0 s"))
    ]


def test_batches_of_which_some_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told together, and what a batch does not play is told at its end, as where it stops by itself."""
    monkeypatch.setattr(told, "PLAINLY", 0.0)
    stream, clock = io.StringIO(), Clock()
    whole = Shelf(KEPT | {(first, 10): (np.zeros(1),) for first in range(70, 100, 10)})
    with Progress("units", stream=stream, clock=clock) as progress:
        for number, shelf in enumerate((whole, Shelf(dict(KEPT)), Shelf())):

            def tell(done: int, _: int, before: int = 200 * number) -> None:
                progress(before + done, 600)

            with placed(keeper=shelf):
                for _ in execute(batch(clock), 0, UNITS, threads=1, progress=tell):
                    pass
            tell(200, 200)
    said = stream.getvalue().splitlines()
    assert said[10] == "33%  200 of 600 units"
    assert said[18:21] == [
        "47%  280 of 600 units, 2 s each, 10:40 min left",
        "48%  290 of 600 units, 2 s each, 10:20 min left",
        "50%  300 of 600 units, 2 s each, 10:00 min left",
    ]


def test_steps_of_which_some_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told when they are done, of each of them as much counts as is played for it."""
    monkeypatch.setattr(told, "PLAINLY", 0.0)
    stream, clock = io.StringIO(), Clock()
    half = Shelf({(first, 10): (np.zeros(1),) for first in range(0, 50, 10)})
    with Progress("steps", stream=stream, clock=clock) as progress:
        for number, shelf in enumerate((Shelf(dict(KEPT)), half, Shelf(), Shelf())):
            shelf.held |= {} if number else {(first, 10): (np.zeros(1),) for first in range(70, 100, 10)}
            with placed(keeper=shelf):
                for _ in execute(batch(clock, 20 if number else 0), 0, UNITS, threads=1):
                    pass
            progress(number + 1, 4)
    assert stream.getvalue().splitlines() == [
        "25%  1 of 4 steps",
        "50%  2 of 4 steps, 3:20 min each, 6:40 min left",
        "75%  3 of 4 steps, 3:20 min each, 3:20 min left",
        "100%  4 of 4 steps, 3:20 min each, 0 s left",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59.6, "1:00 min"),
        (3599, "59:59 min"),
        (3600, "1:00 h"),
        (86_399, "23:59 h"),
        (86_400, "1 d 0 h"),
        (100 * 86_400 + 7300, "100 d 2 h"),
        (4e9, "46,296 d 7 h"),
    ],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert _duration(seconds) == words


def test_nothing_and_too_much_are_told_of_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "_is_compiled", lambda: True)
    terminal, clock = Terminal(), Clock()
    with Progress(stream=terminal, clock=clock) as progress:
        for done, total in ((0, 0), (5, 4), (10**15, 10**16)):
            clock.now += 10
            progress(done, total)
    assert [text for text in terminal.texts() if text] == [
        "  0%  0 of 0 rounds",
        "125%  5 of 4 rounds, 2 s each, 0 s left",
        " 10%, 50,000,000,000,000 a second, 3:00 min left",
    ]


def test_quiet_commands_say_nothing_however_long(tmp_path: Path) -> None:
    done = process("--quiet", "simulate", "bastra", "--rounds", 1000)
    assert done.stderr == ""
