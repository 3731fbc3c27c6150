"""How commands end: interrupted, with nobody to read on, in error; commands of other packages; the line of progress."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from basra_sim.cli import main
from basra_sim.cli.ending import TRACEBACK, ended
from basra_sim.cli.progress import Progress
from tests.commands import command, environment, line, process, refusal

SLOW = ("numpy", "numba", "pandas", "matplotlib", "scipy", "statsmodels", "pyarrow")

ENTRY_POINTS = """[basra_sim.commands]
survey = surveys.cli:survey
broken = surveys.nowhere:survey
number = surveys.cli:NUMBER
simulate = surveys.cli:survey
"""

SURVEY = '''
import atexit
import os
import signal

import click

from basra_sim.errors import BasraError

NUMBER = 3

class Half:
    def __del__(self):
        os.abort()

@click.command()
@click.argument("what")
def survey(what: str) -> int:
    """Ask players what they think. Then count."""
    if what == "nobody":
        raise BasraError("nobody answers")
    if what == "unsteady":
        half = Half()
        atexit.register(os.abort)
        os.kill(os.getpid(), signal.SIGTERM)
    if what == "zero":
        print(1 / 0)
    click.echo(f"survey of {what}")
    return 7
'''

FAULT = f"a fault in the program, not yours: ZeroDivisionError: division by zero (with {TRACEBACK}=1 it shows where)"

BROKEN = (
    "the command broken of surveys (surveys.nowhere:survey) cannot be loaded: "
    "ModuleNotFoundError: No module named 'surveys.nowhere'"
)

AFTER_HELP = f"""
import sys
from basra_sim.cli import main
try:
    main(["--help"])
finally:
    print(sorted({ {*SLOW, "surveys"}!r} & set(sys.modules)))
"""


@pytest.fixture(autouse=True)
def sensitive() -> Iterator[None]:
    """Whoever runs the tests may have told this process, and with it all it starts, to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def surveys(tmp_path: Path) -> Path:
    """Folder with a package of somebody else's that offers commands; importing it takes what is slow."""
    (tmp_path / "surveys").mkdir()
    (tmp_path / "surveys" / "__init__.py").write_text("import numpy\n")
    (tmp_path / "surveys" / "cli.py").write_text(SURVEY)
    information = tmp_path / "surveys-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: surveys\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    return tmp_path


def test_help_loads_nothing_slow_and_no_other_package(surveys: Path) -> None:
    done = subprocess.run(
        [line()[0], "-c", AFTER_HELP], env=environment(paths=(surveys,)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *text, loaded = done.stdout.splitlines()
    assert loaded == "[]"
    rows = dict(row.split(maxsplit=1) for row in text if row.startswith("  ") and len(row.split()) > 1)
    assert rows["survey"] == "Ask players what they think."
    assert rows["broken"] == "A command of the package surveys."
    assert rows["simulate"].startswith("Play many rounds")


@pytest.mark.parametrize(
    ("args", "code", "out", "told"),
    [
        (["survey", "all"], 0, "survey of all\n", ""),
        (["survey", "nobody"], 1, "", "nobody answers"),
        (["survey"], 2, "", "Missing argument 'WHAT' (see python -m basra_sim survey --help)"),
        (
            ["survey", "zero"],
            1,
            "",
            FAULT,
        ),
        (
            ["broken"],
            1,
            "",
            BROKEN,
        ),
        (["number"], 1, "", "the command number of surveys (surveys.cli:NUMBER) is no click command but of type int"),
        (["surwey"], 2, "", "there is no command 'surwey' (did you mean survey?) (see python -m basra_sim --help)"),
    ],
)
def test_command_of_another_package(surveys: Path, args: list[str], code: int, out: str, told: str) -> None:
    done = process(*args, paths=(surveys,))
    assert (done.returncode, done.stdout) == (code, out)
    assert done.stderr == (f"Error: {told}\n" if told else "")


def test_what_crashes_when_freed_or_taken_down_is_left_alone(surveys: Path) -> None:
    done = process("survey", "unsteady", paths=(surveys,))
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "Terminated\n")


def test_traceback_for_those_who_ask(surveys: Path) -> None:
    done = process("survey", "zero", paths=(surveys,), more={TRACEBACK: "1"})
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_both_doors_lead_to_the_same() -> None:
    assert process("--version").stdout == command("--version").stdout
    assert json.loads(process("simulate", "bastra", "--rounds", 10, "--json").stdout)["units"] == 10


def test_used_as_a_library() -> None:
    """Without standalone mode click's own behaviour is left alone."""
    assert main.main(["--version"], standalone_mode=False) == 0


@pytest.mark.parametrize("error", [MemoryError(), MemoryError("too\nmuch"), EOFError(), OSError(28, "No space left")])
def test_what_the_system_refuses(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("basra_sim.variants.variant_table", fail)
    done = command("variants")
    assert done.exit_code == (130 if isinstance(error, EOFError) else 1)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_reader_that_has_seen_enough() -> None:
    with subprocess.Popen(
        line("trace", "bastra", "--rounds", "20k"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert json.loads(running.stdout.readline())["index"] == 0
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("args", [["variants"], ["trace", "bastra", "--rounds", "50"], ["--help"]])
def test_full_disk(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            line(*args), env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "Error: the output cannot be written: No space left on device\n"


def test_output_in_a_narrow_encoding(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "bastra"\ntitle = "Μπάστρα"\n', encoding="utf-8")
    done = process("variants", "house.toml", folder=tmp_path, more={"PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("house.toml: ???????\n")


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "Interrupted"), (signal.SIGTERM, 143, "Terminated")]
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_interrupted_while_writing(tmp_path: Path, ending: str, number: int, code: int, said: str) -> None:
    file = tmp_path / f"rounds.{ending}"
    file.write_text("old")
    words = line("simulate", "bastra", "--rounds", "500M", "--policy", "random", "--output", file)
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            wait_for(tmp_path, 2)
            running.send_signal(number)
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    assert (running.returncode, out, err) == (code, "", f"{said}\n")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def wait_for(folder: Path, count: int) -> None:
    """Wait until a folder holds so many files; at most as long as a compilation may take on a slow machine."""
    end = time.monotonic() + 180
    while len(list(folder.iterdir())) < count:
        assert time.monotonic() < end, "nothing is written"
        time.sleep(0.02)


def test_interrupted_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("basra_sim.variants.variant_table", interrupt)
    done = command("variants")
    assert (done.exit_code, done.output) == (130, "Interrupted\n")
    assert signal.getsignal(signal.SIGINT) == before


def test_interruption_that_got_lost_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    def swallow(progress: Progress) -> Progress:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        return progress

    monkeypatch.setattr("basra_sim.cli.progress.Progress.__enter__", swallow)
    done = command("simulate", "bastra", "--rounds", "10")
    assert (done.exit_code, done.output) == (130, "Interrupted\n")


class Terminal(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True

    def texts(self) -> Iterator[str]:
        """What its line said, one after the other."""
        return iter(self.getvalue().split("\r\x1b[K")[1:])


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_progress_says_nothing_where_no_terminal_is() -> None:
    stream, clock = io.StringIO(), Clock()
    with Progress("rounds", stream=stream, clock=clock) as progress:
        clock.now += 10
        progress(5, 10)
        progress.say("something")
    assert stream.getvalue() == ""


def test_progress_says_nothing_of_what_is_soon_done() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("rounds", stream=terminal, clock=clock) as progress:
        for done in range(10):
            clock.now += 0.05
            progress(done, 10)
    assert [text for text in terminal.texts() if "Compiling" not in text] in ([], [""])


def test_progress_with_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra_sim.cli.progress._is_compiled", lambda: True)
    terminal, clock = Terminal(), Clock()
    with Progress("matches", stream=terminal, clock=clock) as progress:
        for done, seconds in ((1000, 2.0), (2000, 1.0), (2100, 0.01), (1_000_000, 1.0), (1_999_000, 1.0)):
            clock.now += seconds
            progress(done, 2_000_000)
    assert list(terminal.texts()) == [
        "  0%  1,000 of 2,000,000 matches, 500 a second, 1:06 h left",
        "  0%  2,000 of 2,000,000 matches, 1,000 a second, 33:18 min left",
        " 50%  1,000,000 of 2,000,000 matches, 497,015 a second, 2 s left",
        "100%  1,999,000 of 2,000,000 matches, 663,787 a second, 0 s left",
        "",
    ]


def test_progress_tells_of_the_first_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra_sim.cli.progress._is_compiled", lambda: False)
    terminal = Terminal()
    with Progress(stream=terminal) as progress:
        progress.say("Measuring …")
    assert list(terminal.texts()) == ["Compiling; this happens once and takes about half a minute …", "Measuring …", ""]


def test_compiled_code_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from basra_sim.cli.progress import _is_compiled

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not _is_compiled()
    (folder,) = tmp_path.iterdir()
    (folder / "kernel.play_batch-1.nbi").touch()
    assert _is_compiled()


@pytest.mark.parametrize("words", [("variants",), ("variants", "--json"), ("--version",), ("--help",)])
def test_what_cannot_be_written_where_the_output_is_closed(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        ["bash", "-c", '"$@" >&-', "-", *line(*words)], env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Error: the output cannot be written: Bad file descriptor\n"


def test_where_the_output_is_closed_and_a_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "rounds.csv"
    words = line("simulate", "bastra", "--rounds", 10, "--output", file)
    done = subprocess.run(
        ["bash", "-c", '"$@" >&-', "-", *words], env=environment(), capture_output=True, text=True, check=False
    )
    assert len(file.read_text().splitlines()) == 21
    assert (done.returncode, done.stdout) == (1, "")


def test_a_wrong_name_is_told_in_one_line() -> None:
    assert "\n" not in refusal("variants", "two\nlines")


def test_what_breaks_once_a_signal_came_is_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """A compiler that is cut short may lose the signal and fail by itself."""

    def run() -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        raise RuntimeError("half compiled")

    assert ended(run) == 143
    assert capsys.readouterr().err == "Terminated\n"


def test_what_prints_a_signal_and_goes_on_is_not_heard(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module in C that is cut short as it looks for NumPy prints what stopped it, and fails by another error."""
    for hook in ("excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, hook, getattr(sys, hook))

    def run() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt:
            sys.excepthook(*sys.exc_info())
        raise ImportError("numpy.core.multiarray failed to import")

    assert ended(run) == 143
    assert capsys.readouterr().err == "Terminated\n"
