"""Speed beside programs in plain C that play the same, compiled and run on the spot."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from basra_sim.errors import BasraError
from basra_sim.plans import Plan, plan
from basra_sim.simulation import summarise

VARIANT = "bastra"

COMPILERS = ("gcc", "clang", "cc")
"""Compilers that are looked for, the first found is taken."""

FLAGS = ("-std=gnu11", "-O3", "-march=native")

_FIRST_ROUNDS = 20_000
"""Rounds of the run from which it is seen how many fill the time."""


class Program(NamedTuple):
    """A program in C that plays rounds of `VARIANT` between two alike."""

    file: str
    policies: tuple[str, ...]
    """Whose rounds it plays, one after the other, each a line of what it prints."""
    seed: tuple[str, ...] = ()
    """What stands before the number of rounds on its command line."""
    flags: tuple[str, ...] = ()
    weighs: bool = False
    """Whether it is handed the weights of the policies: to each the name and the rows, in hexadecimal."""


PROGRAMS = (
    Program("yardstick.c", ("random", "greedy")),
    Program("players.c", ("counter", "champion"), ("1",), ("-ffp-contract=off",), True),
)

Tell = Callable[[str], None]
"""Told whose rounds are played next."""


def folder() -> Path | None:
    """Folder of the programs: beside the package in its sources, inside it where it is installed; None: nowhere."""
    here = Path(__file__).parent
    places = (here.parent / "benchmarks", here / "benchmarks")
    return next((place for place in places if any((place / program.file).is_file() for program in PROGRAMS)), None)


def compiler() -> str | None:
    """Path of a C compiler, if there is one."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def set_beside(*, seconds: float = 0.5, repetitions: int = 5, tell: Tell | None = None) -> dict[str, Any]:
    """
    Speed of each policy that there is a program for, on one thread, and of the program, run by turns.

    Parameters
    ----------
    seconds : about how long a repetition takes, of a program's policies together and of each policy here
    repetitions : how many of each

    Returns
    -------
    dict
        ``compiler``: its version, or None; ``figures``: for each policy the program, the best and the median rounds a
        minute of processor time there (``c_best``, ``c_median``) and here (``best``, ``median``), and their ratios
        (``ratio``, ``median_ratio``); ``missing``: why something is not there, a sentence each.
    """
    path, source = compiler(), folder()
    found: dict[str, Any] = {"compiler": None, "figures": [], "missing": []}
    if path is None:
        found["missing"].append(f"There is no C compiler ({', '.join(COMPILERS)}): nothing is set beside C.")
        return found
    found["compiler"] = _version(path)
    with tempfile.TemporaryDirectory(prefix="basra-sim-") as place:
        for program in PROGRAMS:
            text = source / program.file if source else Path(program.file)
            made = Path(place, text.stem)
            if not text.is_file():
                found["missing"].append(f"The program {program.file} is not at hand: nothing is set beside it.")
            elif said := build(path, text, made, program.flags):
                found["missing"].append(f"The program {program.file} does not compile: {said}")
            else:
                found["figures"] += _by_turns(program, made, seconds, repetitions, tell)
    return found


def _version(path: str) -> str:
    """First line of what a compiler says of itself."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout or path).splitlines()[0].strip()


def build(path: str, source: Path, made: Path, flags: Sequence[str] = ()) -> str:
    """Compile a program, for this very processor if that can be; return what the compiler said if it failed."""
    done = None
    for tried in (FLAGS, [flag for flag in FLAGS if flag != "-march=native"]):
        command = [path, *tried, *flags, str(source), "-o", str(made), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return ""
    assert done is not None
    return next(iter(done.stderr.strip().splitlines()), f"exit code {done.returncode}")


def weights_text(policies: Sequence[str]) -> str:
    """What a program that weighs plays is handed: for each policy its name and its rows of weights, in hexadecimal."""
    lines = []
    for name in policies:
        planned = plan(VARIANT, policies=name)
        rows = planned.policies[0].parameters(planned.setting)
        lines += [name, *(" ".join(float(weight).hex() for weight in row) for row in rows)]
    return "\n".join(lines) + "\n"


def run(program: Program, made: Path, rounds: int) -> dict[str, float]:
    """
    Nanoseconds a round by policy, as a program says.

    Raises
    ------
    BasraError
        If it fails, or says something else.
    """
    text = weights_text(program.policies) if program.weighs else ""
    command = [str(made), *program.seed, str(rounds)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    try:
        words = [line.split() for line in done.stdout.splitlines()]
        found = {line[0]: float(line[line.index("ns/round") + 1]) for line in words}
        return {policy: found[policy] for policy in program.policies}
    except (ValueError, KeyError, IndexError):
        said = done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}"
        raise BasraError(f"{program.file} gave no times: {said}") from None


def _by_turns(
    program: Program, made: Path, seconds: float, repetitions: int, tell: Tell | None
) -> list[dict[str, Any]]:
    """Figures of a program's policies: a repetition of the program, one of each policy here, and so on."""
    first = run(program, made, _FIRST_ROUNDS)
    there = max(1, round(seconds * 1e9 / max(sum(first.values()), 1.0)))
    plans = {policy: plan(VARIANT, policies=policy) for policy in program.policies}
    here = {policy: max(1, round(_FIRST_ROUNDS * seconds / _took(each))) for policy, each in plans.items()}
    there_ns: dict[str, list[float]] = {policy: [] for policy in plans}
    here_ns: dict[str, list[float]] = {policy: [] for policy in plans}
    for _ in range(repetitions):
        if tell:
            tell(program.file)
        for policy, time_a_round in run(program, made, there).items():
            there_ns[policy].append(time_a_round)
        for policy, planned in plans.items():
            here_ns[policy].append(1e9 * _processor_time(planned, here[policy]) / here[policy])
    return [_figure(program, policy, there_ns[policy], here_ns[policy]) for policy in plans]


def _took(planned: Plan) -> float:
    """Seconds that the first rounds take, once all that is needed is loaded."""
    summarise(planned, 1, threads=1)
    return max(_processor_time(planned, _FIRST_ROUNDS), 1e-6)


def _processor_time(planned: Plan, rounds: int) -> float:
    """Seconds of this process that some rounds take on one thread."""
    begun = time.process_time()
    summarise(planned, rounds, threads=1)
    return max(time.process_time() - begun, 1e-9)


def _figure(program: Program, policy: str, there: list[float], here: list[float]) -> dict[str, Any]:
    """A policy's figures from nanoseconds a round."""

    def rate(nanoseconds: float) -> int:
        return round(60e9 / max(nanoseconds, 1.0))

    return {
        "policy": policy,
        "program": program.file,
        "c_best": rate(min(there)),
        "best": rate(min(here)),
        "ratio": round(min(there) / min(here), 3),
        "c_median": rate(median(there)),
        "median": rate(median(here)),
        "median_ratio": round(median(there) / median(here), 3),
    }
