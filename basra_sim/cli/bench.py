"""The command that measures speed."""

from typing import Any

import click

from basra_sim.cli.options import examples, json_option, whole
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import paragraph, show, show_json, table

MOST_SECONDS, MOST_REPETITIONS = 600, 100


def _duration(text: str) -> float:
    """Length of a repetition in seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise click.BadParameter(f"{text} is not possible: it takes a number of seconds above 0, to {MOST_SECONDS}")
    return seconds


@click.command(
    epilog=examples(
        "basra-sim bench",
        "basra-sim bench --seconds 2 --json > speed.json",
    )
)
@click.option(
    "--seconds",
    type=_duration,
    default="0.5",
    show_default=True,
    metavar="S",
    help="About how long each repetition takes.",
)
@click.option(
    "--repetitions",
    type=whole(1, MOST_REPETITIONS),
    default="5",
    show_default=True,
    metavar="N",
    help="Repetitions of each.",
)
@json_option
def bench(seconds: float, repetitions: int, as_json: bool) -> None:
    """
    Measure how fast this machine plays.

    Rounds of bastra a minute, by policy, players and threads: the best and
    the median of some repetitions. Then how long the first start takes,
    compilation included, and a later one. In JSON, rounds_per_minute has the
    best for two players, by policy and threads; figures has all.
    """
    with Progress("measurements") as progress:
        progress.say("Getting ready …")
        from basra_sim.bench import measure

        def tell(what: str, done: int, total: int) -> None:
            progress.note = what
            progress(done, total)

        found = measure(seconds=seconds, repetitions=repetitions, tell=tell)
    if as_json:
        show_json(found)
    else:
        show(_told(found))


def _told(found: dict[str, Any]) -> list[str]:
    """Lines about what was measured."""
    machine = found["machine"]
    lines = paragraph(f"{machine['processor']}, {machine['cores']} cores usable; {machine['system']}")
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines += paragraph(versions)
    lines += paragraph(
        f"{found['variant']}, rounds a minute; {found['repetitions']} repetitions of about {found['seconds']:g} s", 0, 2
    )
    rows = [
        [each["policy"], str(each["players"]), str(each["threads"]), f"{each['best']:,}", f"{each['median']:,}"]
        for each in found["figures"]
    ]
    lines += ["", *table(["policy", "players", "threads", "best", "median"], rows, right=(1, 2, 3, 4)), ""]
    start = found["start_seconds"]
    lines += [f"First start, compilation included: {start['first']:.1f} s"]
    return [*lines, f"Warm start:                        {start['warm']:.1f} s"]
