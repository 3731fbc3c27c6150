"""The command ``report``."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from basra_sim.cli.options import examples, number, whole
from basra_sim.cli.progress import Progress
from basra_sim.executors import MOST_THREADS

if TYPE_CHECKING:
    from analyses.jobs import Job, Watch

LEAST, DEFAULT_ROUNDS, MOST = 500, 50_000, 10**9
"""Rounds that may be asked for, and how many are played if none are."""


@click.command(epilog=examples("basra-sim report", "basra-sim report --output quick --rounds 1k"))
@click.option(
    "--output",
    metavar="DIR",
    default="report",
    show_default=True,
    help="Folder of the report; replaces a former one.",
)
@click.option("--seed", type=number, metavar="S", default="1", show_default=True, help="Seed of the shuffled packs.")
@click.option(
    "--rounds",
    type=whole(LEAST, MOST),
    metavar="N",
    help="Deals of a duel between greedy players; everything else that is played grows with it, the intervals shrink.  "
    f"[default: {DEFAULT_ROUNDS // 1000}k]",
)
@click.option(
    "--threads",
    type=whole(1, MOST_THREADS),
    metavar="T",
    help=f"Threads to play on, 1 to {MOST_THREADS}; the report does not depend on it.  "
    "[default: one for each processor]",
)
def report(output: str, seed: int, rounds: int | None, threads: int | None) -> None:
    """
    Play all variants, test the advice, and write a report.

    The report is one page, DIR/index.html, with the data behind its figures
    and tables as CSV files in DIR/data. It takes some three minutes on two
    processors, and longer with more rounds, which make it more precise: half
    the interval takes four times as many. The same seed and rounds give the
    same files.
    """
    from reports.folder import PAGE, check_place, prepared, write

    check_place(output)
    with Progress("thousand rounds' work") as progress:
        progress.say("Getting ready …")
        from analyses.jobs import Effort
        from reports.document import batches, make

        effort = Effort(DEFAULT_ROUNDS if rounds is None else rounds, seed, threads)
        parts = batches(effort)
        with prepared(output) as folder:
            made = make(effort, parts, _watch(parts, progress))
            progress.say("Drawing …")
            write(made.files(), folder)
    click.echo(f"{output}/{PAGE}")


def _watch(parts: "Mapping[str, Sequence[Job]]", progress: Progress) -> "Watch":
    """
    Way for jobs to report how far they are, in thousands of rounds, all of them together.

    Where standard error is no terminal, a line is written at the start of each part instead.
    """
    total = sum(job.weight for jobs in parts.values() for job in jobs)
    begins = {id(jobs[0]): f"Playing {name}: {len(jobs)} batches" for name, jobs in parts.items() if jobs}
    done = 0.0

    def watch(job: "Job") -> "Callable[[int, int], None]":
        nonlocal done
        before, done = done, done + job.weight
        if id(job) in begins and not sys.stderr.isatty():
            click.echo(begins[id(job)], err=True)
        return lambda units, of: progress(
            round((before + job.weight * min(units / of, 1)) / 1000), max(1, round(total / 1000))
        )

    return watch
