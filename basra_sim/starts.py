"""How long starts take, and how much of that is compiling, entry point by entry point."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from basra_sim.errors import BasraError

START_ROUNDS = 1000
"""Rounds of the command whose starts are timed."""

START = ("simulate", "bastra", "--rounds", str(START_ROUNDS))

OWN_POLICY = """from basra_sim import policy


@policy
def mine(view, play):
    return play.points
"""


class EntryPoint(NamedTuple):
    """A way into compiled code, and what compiling for it may cost."""

    name: str
    budget: float
    """Seconds of processor time at most, on a processor of some 4 GHz."""
    command: tuple[str, ...]
    """Words behind ``basra-sim``; ``{own}`` stands for a file with `OWN_POLICY`."""


ENTRY_POINTS = (
    EntryPoint("simulate", 20, START),
    EntryPoint("simulate, own policy", 35, ("simulate", "bastra", "--policy", "{own}", "--rounds", "100")),
    EntryPoint("simulate, search", 90, ("simulate", "bastra", "--policy", "expert", "--rounds", "2")),
    EntryPoint("trace", 20, ("trace", "bastra", "--rounds", "2")),
    EntryPoint("duel", 20, ("duel", "counter", "greedy", "--rounds", "1000")),
    EntryPoint("test", 75, ("test", "jack-hold", "--rounds", "1000")),
    EntryPoint("balance", 35, ("balance", "bastra", "--deals", "4096", "--decisions", "0", "--policy", "greedy")),
    EntryPoint("balance, decisions", 65, ("balance", "bastra", "--deals", "4096", "--policy", "greedy")),
    EntryPoint("advise", 40, ("advise", "bastra", "--hand", "JS 7D 2C", "--floor", "3H 5S", "--ways", "100")),
)
"""The entry points whose compile time is kept in bounds."""

Tell = Callable[[str], None]
"""Told what is started next."""


class Took(NamedTuple):
    """Seconds that a process took."""

    wall: float
    processor: float
    """Processor time; as `wall` where the system does not tell."""


def start_times() -> dict[str, float]:
    """
    Seconds of wall time until ``basra-sim simulate bastra --rounds 1000`` has answered in a process of its own.

    Returns
    -------
    dict
        ``first``: with nothing compiled before; ``warm``: the same again; ``compile``: the difference.

    Raises
    ------
    BasraError
        If the command fails.
    """
    first, warm = _first_and_warm(START)
    return {"first": first.wall, "warm": warm.wall, "compile": max(first.wall - warm.wall, 0.0)}


def compile_times(points: Sequence[EntryPoint] = ENTRY_POINTS, *, tell: Tell | None = None) -> list[dict[str, Any]]:
    """
    Processor time that compiling takes for each entry point, nothing having been compiled before.

    Each command is run twice, in processes of its own, with a folder for compiled code that is empty at first.

    Returns
    -------
    list of dict
        ``entry``; ``compile``: seconds of the first process less those of the second; ``warm``: those of the second;
        ``budget``; ``over``: whether the budget is exceeded.

    Raises
    ------
    BasraError
        If a command fails.
    """
    found = []
    for point in points:
        if tell:
            tell(point.name)
        first, warm = _first_and_warm(point.command)
        took = max(first.processor - warm.processor, 0.0)
        figures = {"entry": point.name, "compile": took, "warm": warm.processor, "budget": point.budget}
        found.append(figures | {"over": took > point.budget})
    return found


def _first_and_warm(words: Sequence[str]) -> tuple[Took, Took]:
    """What a command takes with nothing compiled before, and then again."""
    with tempfile.TemporaryDirectory(prefix="basra-sim-") as folder, tempfile.TemporaryDirectory() as other:
        own = Path(other, "mine.py")
        own.write_text(OWN_POLICY, encoding="utf-8")
        command = [word.replace("{own}", str(own)) for word in words]
        home = str(Path(__file__).parent.parent)
        paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
        env = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONPATH": paths}
        return _start(command, env), _start(command, env)


def _start(words: Sequence[str], env: dict[str, str]) -> Took:
    """What one process takes."""
    command = [sys.executable, "-m", "basra_sim", *words]
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise BasraError(f"the start could not be timed, {' '.join(command[1:])} failed: {done.stderr.strip()}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Took(wall, used or wall)
