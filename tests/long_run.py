"""
A long run beside the shorter ones that it can be cut into: the same counts, and memory that stays flat.

``python -m tests.long_run --rounds 1e9`` plays so many rounds of `random` in one command, then in ten that lie behind
one another, and compares their sums. ``python -m tests.long_run --watch COMMAND`` runs any command of the package and
tells its memory over time.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from tests.commands import environment, line

SHOWN = 12
"""Moments of a run at which its memory is told."""


class Watched(NamedTuple):
    """
    What became of a command.

    Attributes
    ----------
    output : what it printed
    seconds : how long it took
    resident : (seconds, MB) of memory at some moments
    peak : MB
    """

    output: str
    seconds: float
    resident: list[tuple[float, float]]
    peak: float


def watched(args: Sequence[object], every: float = 1.0) -> Watched:
    """
    Run a command of the package and look at its memory all the while.

    Raises
    ------
    subprocess.CalledProcessError
        If it fails.
    """
    begun, resident, peak = time.monotonic(), [], 0.0
    with tempfile.TemporaryFile("w+") as out:
        command = line(*args)
        process = subprocess.Popen(command, env=environment(), stdout=out)
        while process.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(every)
            found = _memory(process.pid)
            if "VmRSS" in found:
                resident.append((time.monotonic() - begun, found["VmRSS"]))
                peak = max(peak, found["VmHWM"])
        out.seek(0)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        return Watched(out.read(), time.monotonic() - begun, resident, peak)


def _memory(number: int) -> dict[str, float]:
    """Memory (MB) of a process by the names that Linux has for it; nothing of one that has ended."""
    try:
        lines = Path(f"/proc/{number}/status").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    parts = (each.split() for each in lines if each.startswith(("VmRSS:", "VmHWM:")))
    return {name.rstrip(":"): int(size) / 1024 for name, size, *_ in parts}


def tell(name: str, found: Watched) -> None:
    """Print what became of a command."""
    step = max(1, len(found.resident) // SHOWN)
    over_time = ", ".join(f"{seconds:.0f} s {size:.0f}" for seconds, size in found.resident[::step])
    click.echo(f"{name}: {found.seconds:.1f} s, peak {found.peak:.0f} MB; MB over time: {over_time}")


def added(parts: Sequence[Any]) -> dict[str, Any]:
    """Units, sums and lengths of matches of several summaries, added up."""
    sums = [dict(each) for each in parts[0]["sums"]]
    for part in parts[1:]:
        for total, each in zip(sums, part["sums"], strict=True):
            assert (total["measure"], total["team"]) == (each["measure"], each["team"])
            for name in ("sum", "squares", "products"):
                if name in total:
                    total[name] += each[name]
    lengths: dict[str, int] = {}
    for part in parts:
        for length, number in part.get("match_lengths", {}).items():
            lengths[length] = lengths.get(length, 0) + number
    whole = {"units": sum(part["units"] for part in parts), "sums": sums}
    return whole | ({"match_lengths": dict(sorted(lengths.items(), key=lambda item: int(item[0])))} if lengths else {})


def compare(rounds: int, runs: int, unit: str, seed: int, more: Sequence[str]) -> bool:
    """Play so many units at once, then in several runs; whether the sums are the same."""
    found, at = [], 0
    for number in range(runs + 1):
        count = rounds if number == 0 else rounds * number // runs - at
        where = ["--first", at, "--seed", seed, "--json", *more]
        one = watched(["simulate", "bastra", f"--{unit}", count, *where])
        tell(f"{count:,} {unit} from {at:,} on", one)
        found.append(json.loads(one.output))
        at += count if number else 0
    whole, parts = added(found[:1]), added(found[1:])
    for each, other in zip(whole["sums"], parts["sums"], strict=True):
        sign = "=" if each == other else "DIFFERS FROM"
        name = each["measure"] if each["team"] is None else f"{each['measure']} {each['team']}"
        click.echo(f"{name}: {each['sum']:,} {sign} {other['sum']:,}")
    click.echo("equal" if whole == parts else "NOT EQUAL")
    return bool(whole == parts)


def main(args: Sequence[str] | None = None) -> int:
    """Compare, or watch; the exit code."""
    reader = argparse.ArgumentParser(prog="python -m tests.long_run", description=(__doc__ or "").split("\n\n")[0])
    reader.add_argument("--rounds", default="1e7", help="units in all, such as 1e9")
    reader.add_argument("--runs", type=int, default=10, help="runs that they are cut into")
    reader.add_argument("--unit", choices=("rounds", "matches"), default="rounds")
    reader.add_argument("--policy", default="random")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--threads", type=int, default=2)
    reader.add_argument("--watch", nargs=argparse.REMAINDER, help="a command to watch instead")
    asked = reader.parse_args(args)
    if asked.watch:
        tell("basra-sim " + " ".join(asked.watch), watched(asked.watch))
        return 0
    more = ["--policy", asked.policy, "--threads", str(asked.threads)]
    return 0 if compare(int(float(asked.rounds)), asked.runs, asked.unit, asked.seed, more) else 1


if __name__ == "__main__":
    sys.exit(main())
