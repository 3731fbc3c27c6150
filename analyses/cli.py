"""Commands of the analyses. What they need is imported when they are called."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import examples, json_option, seed_option, threads_option, whole
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import BAD, GOOD, paragraph, show, show_json, table

if TYPE_CHECKING:
    import pandas as pd

LEAST_EXPERIMENTS, DEFAULT_EXPERIMENTS, MOST_EXPERIMENTS = 20, 4_000, 100_000
"""Experiments that a calibration may be asked for, and how many it makes if nothing is said."""


@click.command(epilog=examples("basra-sim calibrate", "basra-sim calibrate --experiments 1000 --seed 2"))
@click.option(
    "--experiments",
    type=whole(LEAST_EXPERIMENTS, MOST_EXPERIMENTS),
    metavar="N",
    default=str(DEFAULT_EXPERIMENTS),
    show_default=True,
    help="Experiments of each kind.",
)
@seed_option
@threads_option
@job_options
@json_option
def calibrate(experiments: int, seed: int, threads: int | None, as_json: bool) -> None:
    """
    Check every kind of test where the truth is known.

    Policies that are alike play each other, without and with a bonus of a
    known size. How often does a test find what is not there, how often does
    an interval hold the truth, how often is what is there found? It takes a
    minute or two.
    """
    with Progress("steps") as progress:
        progress.say("Getting ready …")
        from analyses.calibration import calibrate as calibrated
        from analyses.calibration import steps

        finished = 0

        def step(done: int, total: int) -> None:
            nonlocal finished
            finished = done
            progress(done, total)

        def within(units: int, of: int) -> None:
            progress(finished + units / of, steps())

        found = calibrated(experiments, seed, threads=threads, progress=step, within=within)
    if as_json:
        show_json(found.to_dict(orient="records"))
    else:
        show(_calibration(found))


def _calibration(found: "pd.DataFrame") -> list[str]:
    """Lines that tell of a calibration."""
    from analyses.calibration import TOLERANCE
    from basra_sim.stats import CONFIDENCE

    lines = [
        f"Calibration, seed {found['seed'].iloc[0]}; rates in %, with intervals at {CONFIDENCE:.0%} confidence",
        "",
    ]
    headings = ["kind", "experiments", "units each", "rate", "low", "high", "holds"]
    for check, rows in found.groupby("check", sort=False):
        bound = "at most " if rows["at_most"].iloc[0] else ""
        lines += [f"{str(check).capitalize()} (should be {bound}{100 * rows['target'].iloc[0]:.0f})", ""]
        lines += [*table(headings, _rates(rows), right=(1, 2, 3, 4, 5), colours={"yes": GOOD, "no": BAD}), ""]
    lines += paragraph(
        "Each experiment is on deals of its own; but those of stopping draw from the deals played again and again, up "
        "to the most that a duel plays."
    )
    failed = int((~found["passed"]).sum())
    verb = "is" if failed == 1 else "are"
    said = f"All {len(found)} rates are" if not failed else f"{failed} of {len(found)} rates {verb} not"
    lines += paragraph(
        f"{said} within {100 * TOLERANCE:.1f} points of what they should be, or within what chance does to so few "
        "experiments (19 times in 20)."
    )
    return lines


def _rates(rows: "pd.DataFrame") -> Iterator[list[str]]:
    """Rows of the table of a check."""
    for row in rows.to_dict(orient="records"):
        rates = [f"{100 * row[name]:.1f}" for name in ("rate", "low", "high")]
        yield [row["kind"], f"{row['experiments']:,}", f"{row['units']:,}", *rates, "yes" if row["passed"] else "no"]
