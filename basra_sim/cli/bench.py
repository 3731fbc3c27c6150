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
        "basra-sim bench --compile",
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
@click.option(
    "--compile",
    "compiling",
    is_flag=True,
    help="Measure, too, how long compiling takes for each command; takes some ten minutes.",
)
@json_option
def bench(seconds: float, repetitions: int, compiling: bool, as_json: bool) -> None:
    """
    Measure how fast this machine plays.

    Rounds of bastra a minute, by policy, players and threads: the best and
    the median of some repetitions. Where there is a C compiler, the same in
    processor time by turns with programs in C that play alike. Then the time
    of a play by stage: each stage of recorded rounds is gone over by itself,
    and the fastest pass counts. Then how long the first start takes,
    compilation included, and a later one. In JSON, rounds_per_minute has the
    best for two players, by policy and threads; figures has all.
    """
    with Progress("measurements") as progress:
        progress.say("Getting ready …")
        from basra_sim.bench import measure

        def tell(what: str, done: int, total: int) -> None:
            progress.note = what
            progress(done, total)

        found = measure(seconds=seconds, repetitions=repetitions, compiling=compiling, tell=tell)
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
    lines += [*_beside_c(found["beside_c"]), "", *_stages(found["stages"]), ""]
    start = found["start_seconds"]
    lines += [f"First start, compilation included: {start['first']:.1f} s"]
    lines += [f"Warm start:                        {start['warm']:.1f} s"]
    return lines + _compiling(found["compile_seconds"])


def _beside_c(beside: dict[str, Any]) -> list[str]:
    """Lines about speed beside C."""
    lines: list[str] = []
    if beside["figures"]:
        lines += paragraph(f"Beside C ({beside['compiler']}), one thread, rounds a minute of processor time", 0, 2)
        rows = [
            [
                *(each["policy"], each["program"], f"{each['c_best']:,}", f"{each['best']:,}"),
                *(f"{each['ratio']:.2f}", f"{each['median_ratio']:.2f}"),
            ]
            for each in beside["figures"]
        ]
        headings = ["policy", "program", "best in C", "best here", "ratio", "of medians"]
        lines += ["", *table(headings, rows, right=(2, 3, 4, 5))]
    for sentence in beside["missing"]:
        lines += paragraph(sentence)
    return lines


def _stages(stages: dict[str, dict[str, float]]) -> list[str]:
    """Lines about the time of a play by stage."""
    from basra_sim.stages import STAGES

    names = list(next(iter(stages.values())))
    rows = [[name, *(f"{of[name]:.1f}" for of in stages.values())] for name in names]
    right = tuple(range(1, len(stages) + 1))
    return [
        *("Nanoseconds of a play by stage", ""),
        *table(["stage", *stages], rows, right=right),
        *("", *paragraph(f"rest: {STAGES['rest']}", hanging=2)),
    ]


def _compiling(compiled: list[dict[str, Any]]) -> list[str]:
    """Lines about how long compiling takes."""
    if not compiled:
        return []
    rows = [
        [each["entry"], f"{each['compile']:.1f}", f"{each['budget']:g}", "over budget" if each["over"] else ""]
        for each in compiled
    ]
    heading = "Compiling, seconds of processor time, with nothing compiled before"
    return ["", heading, "", *table(["command", "compiling", "budget", ""], rows, right=(1, 2))]
