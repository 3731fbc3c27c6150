"""How fast rounds are played on this machine, what the time goes into, and how long a start takes."""

import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np

from basra_sim import __version__
from basra_sim.executors import thread_count
from basra_sim.plans import ROUNDS_A_CHUNK, Plan, plan
from basra_sim.policies import Policy, get_policy, policy, policy_names
from basra_sim.rules import PLAYERS
from basra_sim.simulation import summarise
from basra_sim.stages import stage_times
from basra_sim.starts import compile_times, start_times
from basra_sim.yardsticks import set_beside

VARIANT = "bastra"

ADVISED = "greedy+jack-hold"
"""A player who follows advice: he may weigh his plays one by one."""

OWN = "own function"
"""Name by which the player is shown that `_points` is."""

_SMALLEST = 256
"""Rounds that the search for a fitting number begins with."""

Tell = Callable[[str, int, int], None]
"""Told what is being measured, and how many measurements are done and there are in all."""


@policy
def _points(_view: Any, play: Any) -> float:
    """A person's own player: whatever brings the most points."""
    return float(play.points)


def players() -> dict[str, Policy]:
    """The players that are timed, by the name that they are shown with."""
    return {name: get_policy(name) for name in (*policy_names(), ADVISED)} | {OWN: get_policy(_points)}


def machine() -> dict[str, Any]:
    """What was measured on: processor, cores this process may use, system, versions."""
    return {
        "processor": _processor(),
        "cores": thread_count(None),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "versions": {
            "basra-sim": __version__,
            "Python": platform.python_version(),
            "Numba": numba.__version__,
            "NumPy": np.__version__,
        },
    }


def _processor() -> str:
    """Name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Hardware"))]
    return next(filter(None, names), "") or platform.processor() or platform.machine() or "unknown processor"


def thread_numbers(cores: int) -> tuple[int, ...]:
    """Numbers of threads to measure: 1, 2, 4 and so on, and all cores."""
    return (*(2**k for k in range(cores.bit_length()) if 2**k < cores), cores)


def rates(plan: Plan, *, threads: int = 1, seconds: float = 0.5, repetitions: int = 5) -> list[int]:
    """
    Rounds a minute of a plan of single rounds, one number for each repetition.

    Parameters
    ----------
    seconds : about how long a repetition takes; the number of rounds is found by trying, once what is needed is loaded
    """
    rounds = threads if plan.searches else _SMALLEST
    _timed(plan, rounds, threads)
    took = _timed(plan, rounds, threads)
    while took < seconds / 4:
        rounds *= 2
        took = _timed(plan, rounds, threads)
    rounds = max(1, round(rounds * seconds / took))
    whole = ROUNDS_A_CHUNK * threads
    if rounds > whole:
        rounds = round(rounds / whole) * whole
    return [round(60 * rounds / _timed(plan, rounds, threads)) for _ in range(repetitions)]


def _timed(plan: Plan, rounds: int, threads: int) -> float:
    """Seconds that some rounds take."""
    begun = time.perf_counter()
    summarise(plan, rounds, threads=threads)
    return time.perf_counter() - begun


def measure(
    *, seconds: float = 0.5, repetitions: int = 5, compiling: bool = False, tell: Tell | None = None
) -> dict[str, Any]:
    """
    Speed by policy, players and threads, beside C, and stage by stage; and the time of a first and of a warm start.

    Parameters
    ----------
    seconds, repetitions : of each figure
    compiling : whether to measure, too, how long compiling takes for each entry point, which takes minutes
    tell : told what is being measured

    Returns
    -------
    dict
        ``machine``; ``figures``: for each policy, number of players (for those who search two) and of threads the best
        and the median of the rounds a minute; ``rounds_per_minute``: the best for two players, by policy and number of
        threads; ``beside_c``: see `yardsticks.set_beside`; ``stages``: see `stages.stage_times`; ``start_seconds``: see
        `starts.start_times`; ``compile_seconds``: see `starts.compile_times`, empty if not asked for.
    """
    cores = thread_count(None)
    of_two = [(PLAYERS[0], threads) for threads in thread_numbers(cores)]
    asked = [
        (name, player, number, threads)
        for name, player in players().items()
        for number, threads in of_two + [(number, 1) for number in PLAYERS[1:] if not player.search]
    ]
    total = len(asked) + 3 + compiling

    def say(what: str, done: int) -> None:
        if tell:
            tell(what, done, total)

    figures: list[dict[str, Any]] = []
    for done, (name, player, number, threads) in enumerate(asked):
        say(name, done)
        planned = plan(VARIANT, players=number, policies=player)
        found = rates(planned, threads=threads, seconds=seconds, repetitions=repetitions)
        figure = {"policy": name, "players": number, "threads": threads}
        figures.append(figure | {"best": max(found), "median": round(median(found))})
    begun = len(asked)
    beside = set_beside(seconds=seconds, repetitions=repetitions, tell=lambda program: say(f"beside {program}", begun))
    stages = stage_times(repetitions=repetitions, tell=lambda policy: say(f"stages, {policy}", begun + 1))
    say("first start", begun + 2)
    starts = start_times()
    compiled = compile_times(tell=lambda entry: say(f"compiling, {entry}", begun + 3)) if compiling else []
    return {
        "machine": machine(),
        "variant": VARIANT,
        "seconds": seconds,
        "repetitions": repetitions,
        "rounds_per_minute": _of_two(figures, "best"),
        "median_rounds_per_minute": _of_two(figures, "median"),
        "figures": figures,
        "beside_c": beside,
        "stages": stages,
        "start_seconds": starts,
        "compile_seconds": compiled,
    }


def _of_two(figures: list[dict[str, Any]], statistic: str) -> dict[str, dict[str, int]]:
    """Figures for two players, by policy and number of threads."""
    found: dict[str, dict[str, int]] = {}
    for figure in figures:
        if figure["players"] == PLAYERS[0]:
            found.setdefault(figure["policy"], {})[str(figure["threads"])] = figure[statistic]
    return found
