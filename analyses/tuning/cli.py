"""The command ``tune``. What it needs is imported when it is called."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analyses.tuning import defaults
from basra_sim.cli.completing import complete_policy
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import (
    examples,
    named,
    number,
    pairs_option,
    players_option,
    seed_option,
    threads_option,
    variant_argument,
    whole,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, figures, paragraph, show, table

if TYPE_CHECKING:
    from analyses.tuning.runs import Tuned


@click.command(
    epilog=examples(
        "basra-sim tune bastra --output mine.json",
        "basra-sim tune egyptian --pairs --generations 60",
        "basra-sim tune bastra --against counter --output best_response.json",
    )
)
@variant_argument
@players_option
@pairs_option
@click.option(
    "--start",
    metavar="POLICY",
    default=defaults.START,
    show_default=True,
    shell_complete=complete_policy,
    help="Player whose weights it begins at.",
)
@click.option(
    "--against",
    metavar="POLICY",
    shell_complete=complete_policy,
    help="Find the best response to this player, instead of playing counter, greedy and its own past selves.",
)
@click.option(
    "--generations",
    type=whole(1, defaults.MOST_GENERATIONS),
    metavar="G",
    default=str(defaults.GENERATIONS),
    show_default=True,
    help="Generations of candidates, each on fresh deals.",
)
@click.option(
    "--population",
    type=whole(defaults.FEWEST_CANDIDATES, defaults.MOST_CANDIDATES),
    metavar="P",
    default=str(defaults.POPULATION),
    show_default=True,
    help="Candidates of a generation.",
)
@click.option(
    "--rounds",
    type=number,
    metavar="R",
    default=f"{defaults.ROUNDS // 1000}k",
    show_default=True,
    help="Rounds that each candidate plays, about.",
)
@click.option(
    "--deals",
    type=number,
    metavar="N",
    default=f"{defaults.DEALS // 1000}k",
    show_default=True,
    help="Deals of each comparison at the end.",
)
@seed_option
@threads_option
@job_options
@click.option(
    "--output",
    type=named,
    metavar="FILE",
    help="File of weights to write.  [default: by the table, such as bastra-2.json]",
)
def tune(
    variant: str,
    players: int | None,
    pairs: bool,
    start: str,
    against: str | None,
    generations: int,
    population: int,
    rounds: int,
    deals: int,
    seed: int,
    threads: int | None,
    output: str | None,
) -> None:
    """
    Tune the weights of a player for a table, by self-play.

    Each generation draws candidates around the best weights so far and
    plays all of them on the same deals (CMA-ES). After each, what has been
    done is written beside FILE, into FILE.part: the same command goes on
    from there. The same options give the same weights, interrupted or not,
    on any number of threads. At the end the tuned player and the one it
    began as are compared on fresh deals, and the better one is written.
    """
    seats = players or (4 if pairs else 2)
    with _kept() as run, Progress("rounds") as progress:
        progress.say("Getting ready …")
        from analyses.tuning import runs
        from analyses.tuning.files import file_name
        from basra_sim.files import check_possible
        from basra_sim.variants import setting

        run.path = Path(output or file_name(setting(variant, seats, pairs)))
        check_possible(run.path)

        def note(generation: int, margin: float) -> None:
            run.done = generation
            progress.note = f"generation {generation}: {margin:+.2f}"

        found = runs.tune(
            variant,
            players=seats,
            pairs=pairs,
            start=start,
            against=against,
            generations=generations,
            population=population,
            rounds=rounds,
            deals=deals,
            seed=seed,
            output=run.path,
            threads=threads,
            progress=progress,
            note=note,
        )
    show(_lines(found, run.path))


@dataclass
class _Kept:
    """What a run has kept so far: the file that it will write, and the generations that are done."""

    path: Path = Path()
    done: int = 0


@contextmanager
def _kept() -> Iterator[_Kept]:
    """Say how to go on if a run is interrupted."""
    run = _Kept()
    try:
        yield run
    except KeyboardInterrupt:
        if run.done:
            from analyses.tuning.files import PART

            done = counted(run.done, "generations")
            click.echo(f"{run.path}{PART} keeps {done}: the same command goes on from there.", err=True)
        raise


def _lines(found: "Tuned", path: Path) -> Iterator[str]:
    """Lines that tell what a run came to."""
    from basra_sim.stats import CONFIDENCE

    facts, at = found.provenance, found.setting
    players = "4 players in pairs" if at.pairs else f"{at.players} players"
    yield from paragraph(
        f"{at.label}, {players}, {counted(facts['generations'], 'generations')} of {facts['population']} candidates, "
        f"{facts['rounds']:,} rounds each, seed {facts['seed']}",
        hanging=2,
    )
    yield ""
    rows = [[name, f"{found.start[name]:g}", f"{weight:g}"] for name, weight in found.final.items()]
    yield from table(["weight of", "start", "tuned"], rows, right=(1, 2))
    yield ""
    margins = [[each.player, each.opponent, *figures(each.margin)] for each in found.compared]
    yield from table(["player", "against", "margin", "low", "high"], margins, right=(2, 3, 4))
    yield ""
    yield from paragraph(
        f"margin: points a round over the others, on {counted(facts['deals_at_the_end'], 'deals')} that it was not "
        f"tuned on; intervals at {CONFIDENCE:.0%} confidence; start is {facts['start']}"
    )
    better = (
        "The tuned player" if found.is_better else f"The tuned player is no better than the start: {facts['start']}"
    )
    yield from paragraph(f"{better} is written to {path}.")
