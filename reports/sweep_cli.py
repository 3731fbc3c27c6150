"""The commands ``sweep`` and ``fit``. What they need is imported when they are called."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.completing import complete_change, complete_policy, complete_variant
from basra_sim.cli.ending import finished_parts
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import (
    Command,
    examples,
    json_option,
    named,
    number,
    pairs_option,
    players_option,
    seed_option,
    set_option,
    threads_option,
    variant_argument,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import paragraph, show, show_json
from basra_sim.errors import BasraError, InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from analyses.balance.fitting import Fit, Goal
    from analyses.balance.trials import Ground, Varied

EVERY = "all"
"""Stands for all built-in variants."""

DRAWN = (".svg", ".png", ".pdf")
"""Endings of the files that figures can be written to."""

vary_option = click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="NAME=VALUES",
    shell_complete=complete_change,
    help="An option of the rules and its values: a list such as majority_tie=each,none,carry, or numbers from FIRST to "
    "LAST such as target=50:150:25; lists of cards are set apart by a slash, buried=J/J,7D/none. May be given several "
    "times. head_start=N varies the points that the dealer's side of the first round starts a match with; below 0, "
    "the first mover's side.",
)


def _once(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> str:
    """The one value of an option that can be given once."""
    if len(values) != 1:
        raise click.BadParameter(f"{' and '.join(values)} are given: it takes one of them", param=option)
    return values[0]


policy_option = click.option(
    "--policy",
    multiple=True,
    default=("greedy",),
    callback=_once,
    show_default="greedy",
    metavar="POLICY",
    shell_complete=complete_policy,
    help="How equal players choose: random, greedy, counter, champion, or FILE.py:NAME. Measures of skill are always "
    "of counter among greedy.",
)

deals_option = click.option(
    "--deals",
    type=number,
    metavar="N",
    help="Deals of each setting, the same for all; a quarter as many of players who think longer.  [default: 64k]",
)

figure_option = click.option(
    "--figure", type=named, metavar="FILE", help="Draw it as well, into a file that ends in .svg, .png or .pdf."
)

output_option = click.option(
    "--output", type=named, metavar="FILE", help="Write all settings that were looked at into a CSV file."
)

_GROUND = (
    players_option, pairs_option, policy_option, deals_option, seed_option, threads_option, job_options, set_option,
    figure_option, output_option, json_option,
)  # fmt: skip


def ground_options(command: Command) -> Command:
    """Give a command the options of all that varies rules: the table, who plays, how much, and where it goes."""
    for option in reversed(_GROUND):
        command = option(command)
    return command


@click.command(
    epilog=examples(
        "basra-sim sweep bastra --vary basra_points=5,10,15,20",
        "basra-sim sweep bastra --vary basra_points=5,10 --vary target=50:150:25",
        "basra-sim sweep egyptian --vary target=50:150:25 --measure match_rounds",
        "basra-sim sweep bastra --vary head_start=-4:4 --measure first_match_wins",
    )
)
@variant_argument
@vary_option
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="What is measured; may be given several times, with a part as in points:basras.  "
    "[default: first_seat_advantage, match_rounds, skill, one_round_decides]",
)
@ground_options
def sweep(
    variant: str,
    varied: tuple[str, ...],
    measures: tuple[str, ...],
    figure: str | None,
    output: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """
    Vary rules, and see how a game's measures change.

    Every setting is played on the same deals, so that differences from the
    variant's own rules are sharp. Settings under which the players play the
    same cards share the rounds.
    """
    with Progress("settings") as progress:
        progress.say("Getting ready …")
        from analyses.balance import sweeps

        options = _options(varied, figure, output)
        run = sweeps.Run(_ground(variant, **asked), options, measures or sweeps.DEFAULT_MEASURES)
        with finished_parts() as cut:
            run.play(progress)
    from reports.sweep_text import sweep_json, sweep_lines

    found = run.result()
    missing = ["all settings"] if found is None else list(found.missing)
    if as_json:
        show_json((sweep_json(found) if found else {}) | {"missing": missing})
    else:
        show([*(sweep_lines(found) if found else []), *_unfinished(missing, figure, output)])
    cut.end()
    assert found is not None, "all of it was played"
    if output is not None:
        write_csv(output, found.frame)
    if figure is not None:
        from reports.sweep_figures import sweep_figure

        write_figure(figure, lambda: sweep_figure(found))


def _unfinished(missing: Sequence[str], *files: str | None) -> list[str]:
    """Lines that say what an interrupted command has not finished, and that it wrote none of the files asked for."""
    if not missing:
        return []
    unwritten = " No file was written." if any(files) else ""
    return ["", *paragraph(f"Interrupted. Not finished: {', '.join(missing)}.{unwritten}", hanging=2)]


@click.command(
    epilog=examples(
        "basra-sim fit bastra --measure match_rounds --to 4 --vary target=20:150",
        "basra-sim fit egyptian yemeni --measure match_rounds --to bastra \\",
        "    --vary target=20:400",
        "basra-sim fit bastra --measure first_match_wins --to 0 \\",
        "    --vary head_start=-9:9",
        "basra-sim fit bastra --measure match_ties --to 2% --vary target=20:100:10 \\",
        "    --vary majority_points=0:6",
    )
)
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT...", shell_complete=complete_variant)
@click.option(
    "--measure",
    multiple=True,
    required=True,
    callback=_once,
    metavar="MEASURE",
    help="What is to come to a value, such as match_rounds.",
)
@click.option(
    "--to",
    "goal",
    multiple=True,
    required=True,
    callback=_once,
    metavar="VALUE",
    help="The value: a number, a share such as 0.42 or 42%, or a variant, whose own value is meant.",
)
@vary_option
@ground_options
def fit(
    variants: tuple[str, ...],
    measure: str,
    goal: str,
    varied: tuple[str, ...],
    figure: str | None,
    output: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """
    Find the rules that bring a measure to a value.

    Of one option with numbers it says where the measure crosses the value,
    with an interval, and which values cannot be told from that. Of several
    options all combinations are ranked. Several variants may be named, or
    'all'.
    """
    with Progress("settings") as progress:
        progress.say("Getting ready …")

        options = _options(varied, figure, output)
        grounds, left_out = _grounds(variants, options, measure, _goal(goal), asked)
        fits: list[tuple[str, Fit]] = []
        with finished_parts() as cut:
            fits.extend(_fits(grounds, options, measure, _goal(goal), progress))
    found = dict(fits)
    from reports.sweep_text import fit_json, fit_lines

    missing = [label for label in grounds if label not in found]
    if as_json:
        told = [fit_json(label, each) for label, each in found.items()]
        show_json({"fits": told, "left_out": left_out, "missing": missing})
    else:
        show([*(fit_lines(found, left_out) if found else []), *_unfinished(missing, figure, output)])
    cut.end()
    if output is not None:
        write_csv(output, fit_frame(found))
    if figure is not None:
        from reports.sweep_figures import fit_figure

        write_figure(figure, lambda: fit_figure(found))


def _ground(
    variant: str,
    players: int | None,
    pairs: bool,
    policy: str,
    deals: int | None,
    seed: int,
    threads: int | None,
    changes: tuple[str, ...],
) -> "Ground":
    """What all settings have in common, as the options say."""
    from analyses.balance.trials import DEALS, Ground
    from basra_sim.rules import parse_changes

    table = players or (4 if pairs else 2)
    amount = DEALS if deals is None else deals
    return Ground(variant, table, pairs, policy, amount, seed, threads, parse_changes(changes))


def _grounds(
    variants: tuple[str, ...], options: "Varied", measure: str, goal: "Goal", asked: dict[str, Any]
) -> "tuple[dict[str, Ground], dict[str, str]]":
    """Variants of the same rules together, by their names, once it is known that they are possible; and the others."""
    from analyses.balance.fitting import checked_fit
    from analyses.jobs import same_rules
    from basra_sim.variants import variant_names

    names = variant_names() if EVERY in variants else tuple(dict.fromkeys(variants))
    grounds, left_out = {}, {}
    reason: InputError | None = None
    for alike in same_rules(names):
        label, ground = " = ".join(alike), _ground(alike[0], **asked)
        try:
            checked_fit(ground, options, measure, goal)
        except InputError as error:
            if EVERY not in variants:
                raise
            reason = reason or error
            left_out[label] = str(error)
        else:
            grounds[label] = ground
    if reason is not None and not grounds:
        raise reason
    return grounds, left_out


def _fits(
    grounds: "dict[str, Ground]", options: "Varied", measure: str, goal: "Goal", progress: Progress
) -> "Iterator[tuple[str, Fit]]":
    """Fits of all variants, one after another."""
    from analyses.balance.fitting import fit as fitted

    for k, (label, ground) in enumerate(grounds.items()):
        yield label, fitted(ground, options, measure, goal, progress=_part(progress, k, len(grounds)))


def _part(progress: Progress, number: int, parts: int) -> Callable[[int, int], None]:
    """Progress of one of several parts that are about as long, as part of the whole."""
    return lambda done, total: progress(number * total + done, parts * total)


def _goal(text: str) -> "Goal":
    """The value to come to: a number, a share in percent, or the name of a variant."""
    with suppress(ValueError):
        return float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    return text


def _check_drawn(options: "Varied") -> None:
    """Refuse a figure of more options than it has axes."""
    if len(options) > 2:
        raise click.UsageError(
            f"--figure draws one varied option or two, not {len(options)}: vary fewer, or use --output",
            click.get_current_context(),
        )


def check_file(name: str | None, option: str, endings: tuple[str, ...]) -> None:
    """
    Refuse a file that cannot be written, before anything is played.

    Raises
    ------
    InputError
        If it has another ending, its folder does not exist, or it is a folder.
    """
    from basra_sim.files import check_possible
    from basra_sim.rules.wording import either

    if name is None:
        return
    file = Path(name)
    if file.suffix.lower() not in endings:
        raise InputError(f"{option} {name}: the name of the file must end in {either(endings)}")
    check_possible(file)
    if not file.parent.is_dir():
        raise InputError(f"{option} {name}: the folder {file.parent} does not exist")
    if file.is_dir():
        raise InputError(f"{option} {name} is a folder")


def write_figure(name: str, draw: "Callable[[], Figure]") -> None:
    """Draw in the style of the reports, and write to a file that appears when it is complete."""
    from reports.style import styled

    kind = Path(name).suffix.lower()[1:]
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with styled():
        drawn = draw()
        with _written(name) as beside:
            drawn.savefig(beside, format=kind, dpi=150, facecolor="white", metadata=undated.get(kind))


def write_csv(name: str, frame: "pd.DataFrame") -> None:
    """Write a frame to a file that appears when it is complete."""
    with _written(name) as beside:
        frame.to_csv(beside, index=False, lineterminator="\n")


def _options(varied: tuple[str, ...], figure: str | None, output: str | None) -> "dict[str, tuple[Any, ...]]":
    """What is varied, once it is known that files can be written and a figure drawn of it."""
    from analyses.balance.trials import read_varied

    options = read_varied(varied)
    check_file(figure, "--figure", DRAWN)
    check_file(output, "--output", (".csv",))
    if figure is not None:
        _check_drawn(options)
    return options


@contextmanager
def _written(name: str) -> Iterator[Path]:
    """Path to write a file to."""
    from basra_sim.files import written_aside

    try:
        with written_aside(name) as beside:
            yield beside
    except OSError as error:
        raise BasraError(f"{name} cannot be written: {error.strerror or error}") from error


def fit_frame(found: "dict[str, Fit]") -> "pd.DataFrame":
    """Settings that were looked at, of all variants."""
    import pandas as pd

    return pd.concat([each.values.assign(variant=label) for label, each in found.items()], ignore_index=True)
