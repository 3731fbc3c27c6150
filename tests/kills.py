"""
Commands that keep their pieces in a folder, killed over and over at random moments until they come to their end.

``python -m tests.kills --kills 200`` kills that many processes, of every kind of job in turn, by SIGKILL, SIGTERM and
SIGINT, one process or its whole group. After each kill, whatever the folder holds must be whole and nothing that was
kept before may be lost; in the end, what is printed and written must be the very same as without a folder, and without
a kill. A failure keeps its folder and is told with its seed; the exit code is 1 then.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.commands import command, environment, heed_interrupts, line

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)

CODES = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 128 + signal.SIGTERM, signal.SIGINT: 128 + signal.SIGINT}
"""Exit codes of a command that a signal ended."""

JOB = "job"
"""Folder of the pieces, in the folder where a command runs."""

AT_ONCE = 6
"""Kills of one folder, at most, before the command may come to its end."""

GONE = 60.0
"""Seconds within which all processes of a command must have ended after it."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "rounds": ("simulate", "egyptian", "--policy", "counter", "--rounds", "250k", "--json"),
    "matches": ("simulate", "bastra", "--policy", "greedy", "--matches", "300k", "--json"),
    "frame": ("simulate", "bastra", "--rounds", "300k", "--output", "rows.parquet"),
    "duel": ("duel", "counter", "greedy", "--rounds", "100k", "--json"),
    "precision": ("duel", "counter", "greedy", "--precision", "0.04", "--json"),
    "workers": ("duel", "counter", "greedy", "--rounds", "100k", "--workers", "2", "--json"),
    "test": ("test", "jack-hold", "--rounds", "6000", "--json"),
    "bundle": ("bundle", "jack-hold", "low-empty", "--policy", "greedy", "--rounds", "50k", "--json"),
    "balance": ("balance", "bastra", "--policy", "greedy", "--deals", "60k", "--decisions", "2048", "--json"),
    "sweep": (
        "sweep", "bastra", "--vary", "basra_points=5:20:5", "--deals", "50k", "--measure", "match_rounds",
        "--measure", "skill", "--output", "sweep.csv", "--json",
    ),
    "fit": ("fit", "bastra", "--measure", "match_rounds", "--to", "4", "--vary", "target=20:150", "--json"),
    "ladder": (
        "ladder", "--policy", "random", "--policy", "greedy", "--policy", "counter", "--deals", "60k", "--json",
    ),
    "tune": ("tune", "bastra", "--generations", "2", "--rounds", "4k", "--deals", "10k", "--output", "w.json"),
    "report": (
        "report", "--output", "report", "--format", "json", "--only", "claims", "--claim", "points-late", "--variant",
        "bastra", "--rounds", "1000", "--quiet",
    ),
}  # fmt: skip
"""Commands of each kind, such that each takes some seconds."""

Files = dict[str, str]
"""Digests of files by their names within a folder."""


class Failure(Exception):  # noqa: N818 -- it is counted
    """Something is not as it should be after a kill."""


@dataclass
class Tally:
    """
    What came of the kills of one kind.

    Attributes
    ----------
    kills, resumes : by signal: kills, and runs that went on behind one
    ended : runs that came to their end
    failures : by signal
    """

    kills: Counter[int] = field(default_factory=Counter)
    resumes: Counter[int] = field(default_factory=Counter)
    failures: Counter[int] = field(default_factory=Counter)
    ended: int = 0


def files(folder: Path) -> Files:
    """All files below a folder, but for those that were never finished and the lock."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".part") and path.name != "lock"
    }


def outside(folder: Path) -> Files:
    """Files that a command wrote besides its job; a report that was killed while it was written leaves hidden ones."""
    return {name: digest for name, digest in files(folder).items() if not name.startswith((f"{JOB}/", "."))}


@dataclass
class Run:
    """
    A kind of command, and what it gives when nothing disturbs it.

    Attributes
    ----------
    args : words of the command
    printed, written : what it prints and writes
    seconds : how long it takes
    """

    args: Sequence[str]
    printed: bytes
    written: Files
    seconds: float

    @classmethod
    def undisturbed(cls, args: Sequence[str], place: Path) -> "Run":
        """A run without a folder, without a kill: the second of two, for the first one may have to compile."""
        done = []
        for name in ("first", "again"):
            folder = place / name
            folder.mkdir(parents=True)
            begun = time.monotonic()
            run = subprocess.run(line(*args), cwd=folder, env=environment(), capture_output=True, check=False)
            if run.returncode:
                raise Failure(f"{' '.join(args)}: {run.stderr.decode()}")
            done.append(cls(args, run.stdout, outside(folder), time.monotonic() - begun))
        first, again = done
        if (first.printed, first.written) != (again.printed, again.written):
            raise Failure(f"{' '.join(args)}: it prints or writes something else the second time")
        return again


def started(run: Run, place: Path) -> "subprocess.Popen[bytes]":
    """The command in a session of its own, with a folder for its pieces."""
    with (place.parent / "out").open("wb") as out, (place.parent / "err").open("wb") as err:
        return subprocess.Popen(
            line(*run.args, "--job", JOB), cwd=place, env=environment(), stdout=out, stderr=err, start_new_session=True
        )


def alive(group: int) -> list[str]:
    """Processes of a group that are left: their numbers and names."""
    listed = subprocess.run(
        ["ps", "-ww", "-e", "-o", "pgid=,pid=,stat=,args="], capture_output=True, text=True, check=True
    )
    rows = (row.split(None, 3) for row in listed.stdout.splitlines())
    return [f"{row[1]} {row[3][:80]}" for row in rows if row[0] == str(group) and not row[2].startswith("Z")]


def all_gone(group: int) -> None:
    """Wait until no process of a group is left."""
    end = time.monotonic() + GONE
    while left := alive(group):
        if time.monotonic() > end:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
            raise Failure(f"{GONE:.0f} s after the command, there are still {'; '.join(left)}")
        time.sleep(0.05)


def pieces_are_whole(place: Path, before: Files) -> Files:
    """Check that all pieces are whole and none is lost or changed; the pieces that there are now."""
    job = place / JOB
    if not (job / "job.json").exists():
        if before:
            raise Failure("job.json is gone")
        return {}
    done = command("jobs", job, "--check", "--json")
    if not done.stdout:
        raise Failure(f"the folder cannot be looked at: {done.stderr}")
    if damaged := json.loads(done.stdout)["damaged"]:
        raise Failure(f"damaged: {damaged}")
    now = {name: digest for name, digest in files(job).items() if name.startswith("pieces/")}
    if lost := {name for name, digest in before.items() if now.get(name) != digest}:
        raise Failure(f"lost or changed: {sorted(lost)}")
    return now


def ended(run: Run, process: "subprocess.Popen[bytes]", place: Path) -> None:
    """Check a run that came to its end by itself."""
    printed, said = ((place.parent / name).read_bytes() for name in ("out", "err"))
    if process.returncode:
        raise Failure(f"it ended with {process.returncode}: {said.decode()}")
    if printed != run.printed:
        raise Failure("it prints something else")
    if outside(place) != run.written:
        raise Failure(f"it writes something else: {sorted(set(outside(place).items()) ^ set(run.written.items()))}")
    if not (place / JOB / "finished").exists():
        raise Failure("its folder is not finished")


def killed(process: "subprocess.Popen[bytes]", sent: signal.Signals, whole: bool, after: float) -> bool:
    """Kill a process after some seconds, or its group; False if it was through by then."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(after)
        return False
    with suppress(ProcessLookupError):
        (os.killpg if whole else os.kill)(process.pid, sent)
    process.wait(60)
    return True


def check_kill(process: "subprocess.Popen[bytes]", sent: signal.Signals, place: Path) -> None:
    """Check how a command ended that was sent a signal: at once, or by itself if it was nearly through."""
    said = (place.parent / "err").read_text()
    # Python itself was still starting, before anything listened: the folder may be there from a former run.
    early = process.returncode == -sent and (not said or "KeyboardInterrupt" in said)
    if process.returncode not in (0, CODES[sent]) and not early:
        raise Failure(f"{sent.name} ended it with {process.returncode}: {said}")
    if "Traceback" in said and not early:
        raise Failure(f"{sent.name} left a traceback: {said}")
    all_gone(process.pid)


def series(run: Run, place: Path, draw: random.Random, tally: Tally, most: int, turn: int) -> int:
    """Kill a command in one folder some times, then let it end; how many kills that were."""
    place.mkdir(parents=True)
    kept: Files = {}
    last = None
    kills = 0
    for attempt in range(2 * AT_ONCE):
        sent = SIGNALS[(turn + attempt) % len(SIGNALS)]
        patience = draw.choice((0.3, 1.0, 1.0)) * run.seconds * draw.random() if kills < most else 300.0
        process = started(run, place)
        if last is not None:
            tally.resumes[last] += 1
        try:
            if not killed(process, sent, draw.random() < 0.5, patience):
                ended(run, process, place)
                all_gone(process.pid)
                tally.ended += 1
                return kills
            kills += 1
            tally.kills[sent] += 1
            last = sent
            check_kill(process, sent, place)
            if process.returncode == 0:
                ended(run, process, place)
            kept = pieces_are_whole(place, kept)
        except Failure:
            tally.failures[last or 0] += 1
            raise
    raise Failure("it does not come to its end")


def table(tallies: Mapping[str, Tally]) -> str:
    """What came of it, by kind and signal."""
    heads = [f"{sent.name:>8}" for sent in SIGNALS]
    rows = [f"{'kind':10}{''.join(heads)}   resumes  ended  failures"]
    for name, tally in tallies.items():
        counts = "".join(f"{tally.kills[sent]:8}" for sent in SIGNALS)
        rest = f"{tally.resumes.total():10}{tally.ended:7}{tally.failures.total():10}"
        rows.append(f"{name:10}{counts}{rest}")
    counts = "".join(f"{sum(tally.kills[sent] for tally in tallies.values()):8}" for sent in SIGNALS)
    resumes, through, failures = (
        sum(numbers)
        for numbers in zip(
            *((each.resumes.total(), each.ended, each.failures.total()) for each in tallies.values()), strict=True
        )
    )
    return "\n".join([*rows, f"{'all':10}{counts}{resumes:10}{through:7}{failures:10}"])


def kill_all(kills: int, seed: int, names: Sequence[str], place: Path) -> dict[str, Tally]:
    """Kill commands of some kinds in turn, so many times in all; what came of it."""
    draw = random.Random(seed)
    runs: dict[str, Run] = {}
    tallies = {name: Tally() for name in names}
    done = number = 0
    while done < kills:
        name = names[number % len(names)]
        if name not in runs:
            runs[name] = Run.undisturbed(KINDS[name], place / f"{name}-alone")
            print(f"{name}: {runs[name].seconds:.1f} s, {len(runs[name].written)} files written", flush=True)  # noqa: T201 -- it is a program
        folder = place / f"{name}-{number}"
        wanted = min(kills - done, draw.randint(1, AT_ONCE))
        try:
            done += series(runs[name], folder / "at", draw, tallies[name], wanted, draw.randrange(len(SIGNALS)))
        except Failure as reason:
            done += 1
            print(f"FAILED {folder} (seed {seed}): {reason}", flush=True)  # noqa: T201 -- it is a program
        else:
            shutil.rmtree(folder)
        number += 1
        print(f"{done} kills", flush=True)  # noqa: T201 -- it is a program
    return tallies


def main() -> int:
    """Run as a program."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    given = parser.parse_args()
    heed_interrupts()
    place = Path(tempfile.mkdtemp(prefix="kills-"))
    tallies = kill_all(given.kills, given.seed, given.kind or list(KINDS), place)
    print(table(tallies))  # noqa: T201 -- it is a program
    failed = any(tally.failures for tally in tallies.values())
    if not failed:
        shutil.rmtree(place)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
