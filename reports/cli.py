"""The command ``report``."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from basra_sim.cli.completing import complete_claim, complete_variant
from basra_sim.cli.ending import finished_parts
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import OneOf, examples, named, number, whole
from basra_sim.cli.progress import Progress, remark
from basra_sim.cli.text import paragraph, show
from basra_sim.executors import MOST_THREADS

TIMES = {"quick": "three minutes", "standard": "seven minutes", "thorough": "forty minutes"}
"""Time that a report of everything takes on two processors of 2026; the last is reckoned from the other two."""

if TYPE_CHECKING:
    from analyses.jobs import Job, Watch, Work
    from reports.document import Report

LEAST, MOST = 500, 10**9
"""Rounds that may be asked for."""

PARTS = ("claims", "balance", "players")
FORMATS = ("html", "md", "json")
PRECISIONS = ("quick", "standard", "thorough")
"""What can be chosen from, here again so that help needs nothing that is slow to load; a test holds them together."""


@click.command(
    epilog=examples(
        "basra-sim report",
        "basra-sim report --precision quick --output quick",
        "basra-sim report --claim jack-hold --claim low-empty --output advice",
        "basra-sim report --only balance --variant egyptian --variant yemeni",
        "basra-sim report --format md --format json --seed 7",
    )
)
@click.option(
    "--output",
    type=named,
    metavar="DIR",
    default="report",
    show_default=True,
    help="Folder of the report; replaces a former one.",
)
@click.option(
    "--format",
    "formats",
    type=OneOf(FORMATS),
    multiple=True,
    help="A page (html), Markdown with PNG figures (md), or every number with interval, units, seed and definition "
    "(json); may be given again.  [default: html]",
)
@click.option(
    "--only",
    type=OneOf(PARTS),
    multiple=True,
    help="One part alone: the advice, the games compared, or the players' ladder; may be given again.",
)
@click.option(
    "--variant",
    "variants",
    metavar="VARIANT",
    multiple=True,
    shell_complete=complete_variant,
    help="Only these games, by name or file; may be given again. Advice is then tested there, and the players are "
    "rated in the first of them.",
)
@click.option(
    "--claim",
    "claims",
    metavar="ID",
    multiple=True,
    shell_complete=complete_claim,
    help="Only this advice, an ID of 'basra-sim claims' or a file of your own; may be given again.",
)
@click.option(
    "--precision",
    type=OneOf(PRECISIONS),
    help="How closely to look. The whole report takes, on two processors, about {quick} (quick), {standard} (standard) "
    "or {thorough} (thorough).  [default: standard]".format(**TIMES),
)
@click.option(
    "--rounds",
    type=whole(LEAST, MOST),
    metavar="N",
    help="Instead of --precision: deals of a duel between greedy players; all else grows with it.",
)
@click.option("--seed", type=number, metavar="S", default="1", show_default=True, help="Seed of the shuffled packs.")
@click.option(
    "--threads",
    type=whole(1, MOST_THREADS),
    metavar="T",
    help=f"Threads to play on, 1 to {MOST_THREADS}; the report does not depend on it.  "
    "[default: one for each processor]",
)
@job_options
def report(
    output: str,
    formats: tuple[str, ...],
    only: tuple[str, ...],
    variants: tuple[str, ...],
    claims: tuple[str, ...],
    precision: str | None,
    rounds: int | None,
    seed: int,
    threads: int | None,
) -> None:
    """
    Play all variants, test the advice, and write a report.

    The report is one page, DIR/index.html, with the data behind its figures
    and tables as CSV files in DIR/data. The same seed and rounds give the
    same files, but for the date. If it is interrupted, what was played to its
    end is written: to DIR-unfinished if a former report stands in DIR.
    """
    from basra_sim.errors import InputError
    from reports.folder import try_place, unfinished_place

    if precision is not None and rounds is not None:
        raise InputError("--precision and --rounds are both given: give one of them")
    try_place(output)
    with Progress("thousand rounds' work") as progress:
        progress.say("Getting ready …")
        from analyses.jobs import Effort
        from reports.document import composed, finished, interrupted, planned, play
        from reports.formats import MAIN_FILE
        from reports.scope import PRECISIONS as SIZES
        from reports.scope import STANDARD, scope

        about = scope(only, variants, claims)
        effort = Effort(SIZES[precision or STANDARD] if rounds is None else rounds, seed, threads)
        works = planned(effort, about)
        with finished_parts() as cut:
            play(works, _watch(works, progress))
        about, frames, missing = finished(effort, about, works)
        if about.parts:
            progress.say("Drawing …")
            place = str(unfinished_place(output)) if cut.short else output
            _write(place, formats or FORMATS[:1], composed(effort, about, frames, missing))
    if about.parts:
        for each in dict.fromkeys(formats or FORMATS[:1]):
            click.echo(f"{place}/{MAIN_FILE[each]}")
    if cut.short:
        show(
            paragraph(interrupted(missing) if about.parts else "Interrupted: nothing was played to its end.", hanging=2)
        )
    cut.end()


def _write(output: str, formats: Sequence[str], made: "Report") -> None:
    """Write a report into its place."""
    from reports.folder import prepared, write
    from reports.formats import files

    with prepared(output) as folder:
        write(files(made, formats), folder)


def _watch(works: "Mapping[str, Work]", progress: Progress) -> "Watch":
    """
    Way for jobs to report how far they are, in thousands of rounds, all of them together.

    Where standard error is no terminal, a line is written at the start of each part instead.
    """
    from analyses.claims.cli import watch

    told = watch([job for work in works.values() for job in work.jobs], progress)
    begins = {
        id(work.jobs[0]): f"Playing {name}: {len(work.jobs)} batches" for name, work in works.items() if work.jobs
    }

    def begin(job: "Job") -> "Callable[[int, int], None]":
        if id(job) in begins and not sys.stderr.isatty():
            remark(begins[id(job)])
        return told(job)

    return begin
