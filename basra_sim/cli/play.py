"""Commands that play: a summary or all rounds of a batch, and the records of what was played."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import Request, examples, json_option, named, number, play_options
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, figures, paragraph, played, show, show_json, table

if TYPE_CHECKING:
    from basra_sim.plans import Plan
    from basra_sim.simulation import Summary


@click.command(
    epilog=examples(
        "basra-sim simulate bastra",
        "basra-sim simulate egyptian --policy counter --policy greedy --matches 10k",
        "basra-sim simulate bastra --pairs --set majority_tie=none --json",
        "basra-sim simulate syrian-a --players 3 --rounds 1M --output rounds.parquet",
    )
)
@play_options
@click.option(
    "--first",
    type=number,
    metavar="N",
    default="0",
    show_default=True,
    help="Number of the first round or match. The sums that --json prints of runs that lie behind one another "
    "add up to those of one run.",
)
@job_options
@json_option
@click.option(
    "--output", type=named, metavar="FILE", help="Write every round, a row for each team, to FILE.csv or FILE.parquet."
)
def simulate(request: Request, first: int, as_json: bool, output: str | None) -> None:
    """
    Play many rounds or matches and sum them up, with intervals.

    VARIANT is one of 'basra-sim variants' or a file of your own (NAME.toml).
    100,000 rounds are played if neither rounds nor matches are asked for.
    The same options give the same figures, on any number of threads.
    """
    if as_json and output is not None:
        raise click.UsageError("--json and --output are both given: give one of them", click.get_current_context())
    if output is not None:
        _write(request, first, output)
        return
    with Progress(request.unit) as progress:
        from basra_sim.simulation import summarise

        plan, units = request.plan()
        summary = summarise(plan, units, first=first, threads=request.threads, progress=progress)
    if as_json:
        show_json(summary.to_dict())
    else:
        show(_summary(summary))


def _write(request: Request, first: int, output: str) -> None:
    """Write every round to a file."""
    with Progress(request.unit) as progress:
        from basra_sim.files import output_file
        from basra_sim.tables import FORMATS, write_rounds

        output_file(output, FORMATS)
        plan, units = request.plan()
        rows = write_rounds(plan, units, output, first=first, threads=request.threads, progress=progress)
    show(paragraph(f"{output}: {rows:,} rows. {played(plan, _units(plan, units, first))}."))


def _units(plan: "Plan", units: int, first: int) -> str:
    """How many units, and from which on."""
    since = f" from number {first:,} on" if first else ""
    return f"{counted(units, 'matches' if plan.matches else 'rounds')}{since}"


def _summary(summary: "Summary") -> list[str]:
    """Lines of a summary."""
    from basra_sim.stats import CONFIDENCE

    about = summary.to_dict()
    lines = paragraph(played(summary.plan, _units(summary.plan, summary.units, summary.first)))
    seats = [f"{seat} {policy}" for seat, policy in enumerate(about["policies"])]
    lines += paragraph(f"Players: {', '.join(seats)}", hanging=2)
    if summary.plan.setting.pairs:
        lines += ["Teams: 0 is seats 0 and 2, 1 is seats 1 and 3"]
    lines += [f"Intervals at {CONFIDENCE:.0%} confidence", ""]
    lines += table(["measure", "team", "estimate", "low", "high", "unit"], _rows(summary), right=(1, 2, 3, 4))
    lines += ["", *(line for text in _remarks(summary) for line in paragraph(text, hanging=2))]
    return lines


def _remarks(summary: "Summary") -> Iterator[str]:
    """What a person may want to know about a summary besides the table."""
    from basra_sim.measures import MEASURES

    for name, team, _ in summary.rows:
        if team is None:
            yield f"{_title(name)}: {MEASURES[name].meaning}"
    if summary.lengths:
        shortest, longest = (counted(length, "rounds") for length in (min(summary.lengths), max(summary.lengths)))
        yield f"The shortest match lasted {shortest}, the longest {longest}."


def _title(measure: str) -> str:
    """Name of a measure as the table has it."""
    return measure.replace("_", " ")


def _rows(summary: "Summary") -> Iterator[list[str]]:
    """Rows of the table of a summary: a measure's name and unit stand once."""
    from basra_sim.measures import MEASURES

    for name, rows in groupby(summary.rows, key=lambda row: row[0]):
        title, unit = _title(name), MEASURES[name].unit
        share = unit.startswith("of ")
        for _, team, estimate in rows:
            shown = figures(estimate.scaled(100) if share else estimate)
            yield [title, "" if team is None else str(team), *shown, f"% {unit}" if share else unit]
            title = ""


@click.command(
    epilog=examples(
        "basra-sim trace bastra",
        "basra-sim trace egyptian --matches 10 --seed 7 > matches.jsonl",
        "basra-sim trace bastra --policy counter | basra-sim replay - --explain",
    )
)
@play_options
def trace(request: Request) -> None:
    """
    Play rounds or matches and print the record of each round.

    A record is one line of JSON: the pack, each play, what it took and
    scored, the result. One round is played if nothing else is asked for.
    'basra-sim replay' checks and explains records.
    """
    from basra_sim.records import write_records

    with Progress(request.unit, beside=True) as progress:
        from basra_sim import tracing

        plan, units = request.plan(default_rounds=1)
        records: Iterator[Any] = tracing.trace_plan(plan, units, threads=request.threads)
        write_records(_counted(records, units, progress, plan.matches), "-")


def _counted(records: Iterator[Any], units: int, progress: Progress, matches: bool) -> Iterator[Any]:
    """Records as they come; tells the progress of each unit that is complete."""
    done = 0
    for record in records:
        yield record
        if not matches or "winner" in record:
            done += 1
            progress(done, units)
