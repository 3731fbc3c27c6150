"""Running the command line in tests: in this process, or as people run it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from basra_sim.cli import main, progress

ROOT = Path(__file__).resolve().parent.parent


def heed_interrupts() -> None:
    """Let what is started from here heed Ctrl-C, to which all is deaf that is begun in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def command(*args: object, stdin: str | None = None) -> Result:
    """Result of a command, run in this process."""
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, prog_name="basra-sim")


def output(*args: object, stdin: str | None = None) -> str:
    """What a command prints; it must go well, complain of nothing and keep to 80 columns unless a machine reads it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "PLAINLY", inf)  # however long it takes, nothing is said on the way
        done = command(*args, stdin=stdin)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    if "--json" not in args and args[0] not in ("trace", "completion"):
        assert max(map(len, done.stdout.splitlines())) <= 80, done.stdout
    return done.stdout


def document(*args: object) -> Any:
    """JSON that a command prints, in which nothing is no number."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} in JSON")

    return json.loads(output(*args, "--json"), parse_constant=refuse)


def flat(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def refusal(*args: object, stdin: str | None = None, code: int = 2) -> str:
    """The one line that a command says about what is wrong, without ``Error:``; it ends with the exit code."""
    done = command(*args, stdin=stdin)
    assert done.exit_code == code, done.output
    start, _, line = done.stderr.partition("Error: ")
    assert start == ""
    assert line.endswith("\n")
    assert line.count("\n") == 1
    return line[:-1]


def process(
    *args: object,
    stdin: str | None = None,
    folder: Path | None = None,
    more: Mapping[str, str] | None = None,
    paths: tuple[Path, ...] = (),
) -> subprocess.CompletedProcess[str]:
    """A command run as a process of its own, with more in its environment and more places to import from."""
    return subprocess.run(
        line(*args), input=stdin, cwd=folder, env=environment(more, paths), capture_output=True, text=True, check=False
    )


def line(*args: object) -> list[str]:
    """Words that start a command as a process."""
    return [sys.executable, "-m", "basra_sim", *map(str, args)]


def environment(more: Mapping[str, str] | None = None, paths: tuple[Path, ...] = ()) -> dict[str, str]:
    """Environment of a process that is to find the packages, and others in more places."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, *paths)))} | dict(more or {})
