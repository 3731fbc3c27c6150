"""The command ``balance``. What it needs is imported when it is called."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.completing import complete_policy, complete_variant
from basra_sim.cli.ending import finished_parts
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import OneOf, examples, json_option, named, seed_option, threads_option, whole
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, missing_parts, paragraph, show, show_json
from basra_sim.files import output_file

if TYPE_CHECKING:
    from analyses.balance.runs import Extent
    from analyses.jobs import Work
    from reports.balance_rows import Balance

LEAST, MOST = 4_096, 10**9
"""Deals that may be asked for."""

COMPANIES = ("2", "3", "4", "pairs")
FORMATS = (".csv", ".json", ".html")


@click.command(
    epilog=examples(
        "basra-sim balance bastra",
        "basra-sim balance egyptian yemeni --players all --deals 20k",
        "basra-sim balance bastra --policy mine.py --output bastra.html",
        "basra-sim balance --measure skill --measure rounds_to_tell",
        "basra-sim balance --list",
    )
)
@click.argument("variants", nargs=-1, metavar="[VARIANT]...", shell_complete=complete_variant)
@click.option(
    "--players",
    "companies",
    multiple=True,
    type=OneOf([*COMPANIES, "all"]),
    help="Who sits at the table; may be given several times.  [default: 2]",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="POLICY",
    shell_complete=complete_policy,
    help="How all at the table play, such as counter or FILE.py:NAME; may be given several times.  "
    "[default: greedy, counter, champion]",
)
@click.option(
    "--deals",
    type=whole(LEAST, MOST),
    metavar="N",
    help=f"Deals of each batch, {LEAST} or more; a quarter as many for players who think longer.  [default: as many as "
    "bring points to ±0.05 and shares to ±0.5 %]",
)
@click.option(
    "--decisions",
    type=whole(0, MOST),
    metavar="N",
    help="Decisions of each batch whose plays are weighed by playing on, rounded up to a multiple of 2048; 0: none.  "
    "[default: 2048, for shares within some ±2 %]",
)
@click.option("--measure", "measures", multiple=True, metavar="NAME", help="Measures to show, of those of --list.")
@click.option("--list", "listing", is_flag=True, help="List the measures with unit, meaning and source.")
@seed_option
@threads_option
@job_options
@json_option
@click.option(
    "--output", type=named, metavar="FILE", help="Write FILE.csv, FILE.json or, as a page to read, FILE.html."
)
def balance(
    variants: tuple[str, ...],
    companies: tuple[str, ...],
    policies: tuple[str, ...],
    deals: int | None,
    decisions: int | None,
    measures: tuple[str, ...],
    listing: bool,
    seed: int,
    threads: int | None,
    as_json: bool,
    output: str | None,
) -> None:
    """
    How fair, skilful and long a game is, and what decides it.

    Of one variant, everything is printed; several, or all if none is named,
    are compared. Matches are put together from single rounds. Skill is what
    the better of two stated players, counter and greedy, makes of it.
    """
    if as_json and output is not None:
        raise click.UsageError("--json and --output are both given: give one of them", click.get_current_context())
    _check_measures(measures, decisions)
    if listing:
        from reports.balance_text import listed

        show(listed(measures))
        return
    file = None if output is None else output_file(output, FORMATS)
    with Progress("thousand rounds' work") as progress:
        progress.say("Getting ready …")
        from analyses.balance import runs
        from analyses.claims.cli import watch
        from analyses.jobs import Work

        extent, remarks = _extent(variants, companies, policies, measures)
        extent = _with(extent, deals=deals, seed=seed, threads=threads)
        if decisions is not None and extent.decisions:
            extent = _with(extent, decisions=decisions)
        work = Work(list(runs.jobs(extent)))
        with finished_parts() as cut:
            work.run(watch(work.jobs, progress))
    measured, missing = _finished(work, measures)
    if as_json:
        show_json(_document(measured, remarks, missing))
    elif measured is not None and (file is None or cut.short):
        _print(measured, remarks, one=len(measured.variants) == 1, whole=not measures)
    elif measured is not None and file is not None:
        _write(file, measured, remarks, deals)
    show([] if as_json else missing_parts(missing, len(extent.names), "variants", "" if file is None else _UNWRITTEN))
    cut.end()


_UNWRITTEN = "No file was written."


def _finished(work: "Work", measures: Sequence[str]) -> "tuple[Balance | None, list[str]]":
    """What was measured of the variants that are finished, and the names of those that are not."""
    from reports.balance_rows import Balance

    whole, rows = work.whole(), work.rows
    if not whole:
        return None, work.missing()
    rows = rows[rows["variant"].isin(whole)]
    return Balance.of(rows[rows["measure"].isin(measures)] if measures else rows), work.missing()


def _check_measures(measures: Sequence[str], decisions: int | None) -> None:
    """Refuse names of measures that there are none of, and measures of decisions where none are weighed."""
    if not measures:
        return
    from analyses.balance.measures import CHOICE_MEASURES, MEASURES
    from basra_sim.errors import InputError
    from basra_sim.rules.wording import did_you_mean

    for name in measures:
        if name not in MEASURES:
            hint = did_you_mean(name, MEASURES) or ": 'basra-sim balance --list' has them all"
            raise InputError(f"there is no measure {name!r}{hint}")
        if decisions == 0 and name in [measure.name for measure in CHOICE_MEASURES]:
            raise InputError(f"{name} is of decisions, and with --decisions 0 none are weighed: ask for some")


def _extent(
    variants: Sequence[str], companies: Sequence[str], policies: Sequence[str], measures: Sequence[str]
) -> "tuple[Extent, list[str]]":
    """What is to be played; and what a person should know of it: what is left out, and what players did not see."""
    from analyses.balance.measures import CHOICE_MEASURES, SKILL_MEASURES
    from analyses.balance.runs import DECISIONS, Extent
    from analyses.jobs import PLAYERS
    from basra_sim.policies import get_policy
    from basra_sim.variants import variant_names

    skilful, deciding = ({measure.name for measure in kind} for kind in (SKILL_MEASURES, CHOICE_MEASURES))
    chosen = COMPANIES if "all" in companies else tuple(each for each in COMPANIES if each in (companies or ("2",)))
    everyone = not variants or "all" in variants
    names, remarks = _possible(tuple(variant_names()) if everyone else tuple(dict.fromkeys(variants)), chosen)
    by_name = {get_policy(each).name: each for each in policies or PLAYERS}
    remarks += _unseen(names[0], tuple(by_name.values()))
    equal = not measures or not skilful.issuperset(measures)
    unequal = not measures or bool(skilful.intersection(measures))
    weighed = DECISIONS if not measures or deciding.intersection(measures) else 0
    return Extent(names, chosen, tuple(by_name.values()) if equal else (), unequal=unequal, decisions=weighed), remarks


def _with(extent: "Extent", **changes: Any) -> "Extent":
    """The same extent with some of it changed."""
    from dataclasses import replace

    return replace(extent, **changes)


def _possible(names: Sequence[str], companies: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Variants that can be played at some of the tables; and which cannot be at which, with the reason."""
    from analyses.balance.runs import COMPANIES as TABLES
    from basra_sim.errors import InputError
    from basra_sim.rules import RulesError
    from basra_sim.variants import setting, variant

    possible, remarks = [], []
    for name in names:
        variant(name)
        reasons = []
        for company in companies:
            try:
                setting(name, *TABLES[company])
            except RulesError as error:
                reasons.append(f"Left out: {error}.")
        remarks += reasons
        if len(reasons) < len(companies):
            possible.append(name)
    if not possible:
        raise InputError(remarks[0].removeprefix("Left out: ").removesuffix("."))
    return tuple(possible), remarks


def _unseen(name: str, policies: Sequence[str]) -> list[str]:
    """What is to be said of players who would look at the score of a match."""
    from basra_sim.policies import get_policy
    from basra_sim.pools import equal_plan, match_seen
    from basra_sim.variants import setting

    table = setting(name)
    seen = [each for each in policies if match_seen(equal_plan(table, get_policy(each)))]
    return [
        f"{each}: a function of your own, which saw no score of a match, as matches are put together from single "
        "rounds. If it looks at the score, play whole matches: basra-sim simulate --matches."
        for each in seen
    ]


def _document(measured: "Balance | None", remarks: Sequence[str], missing: Sequence[str] = ()) -> dict[str, Any]:
    """All rows, for JSON; and the variants that are missing because the command was interrupted."""
    rows = []
    if measured is not None:
        frame = measured.frame.astype(object)
        rows = frame.where(frame.notna(), None).to_dict("records")
    return {"rows": rows, "remarks": list(remarks), "missing": list(missing)}


def _print(measured: "Balance", remarks: Sequence[str], *, one: bool, whole: bool) -> None:
    """Print everything of one variant, or what compares several."""
    from basra_sim.stats import CONFIDENCE
    from reports.balance_text import compared, each_game

    show(each_game(measured, said=whole) if one or not whole else compared(measured))
    deals = [
        f"{least:,}{f' to {most:,}' if most > least else ''} by {policy.replace(', ', ' and ')}"
        for policy, least, most in measured.deals()
    ]
    basis = [f"Deals: {'; '.join(deals)}."] if deals else []
    basis += [f"Decisions weighed: {measured.decisions:,} each."] if measured.decisions else []
    show(paragraph(" ".join([f"Intervals at {CONFIDENCE:.0%} confidence; seed {measured.seed}.", *basis])))
    more = "" if one else "All that was measured: --json, --output FILE, or one variant alone."
    show(line for text in [*remarks, more] if text for line in paragraph(text, hanging=2))


def _write(file: Path, measured: "Balance", remarks: Sequence[str], deals: int | None) -> None:
    """Write a file of the format that its ending says."""
    from basra_sim.errors import BasraError
    from basra_sim.files import written_aside

    if file.suffix.lower() == ".csv":
        text = measured.frame.to_csv(index=False, lineterminator="\n")
    elif file.suffix.lower() == ".json":
        text = json.dumps(_document(measured, remarks), indent=2, allow_nan=False) + "\n"
    else:
        from reports.balance_pages import page

        text = page(measured, remarks, _command(measured, deals))
    try:
        with written_aside(file) as beside:
            beside.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BasraError(f"{file} cannot be written: {error.strerror or error}") from error
    variants = counted(len(measured.variants), "variants")
    told = [f"{file}: {len(measured.frame):,} estimates of {variants}, with 95 % intervals.", *remarks]
    show(line for text in told for line in paragraph(text, hanging=2))


def _command(measured: "Balance", deals: int | None) -> str:
    """Command that brings the same numbers back."""
    tables = [f"--players {each.removesuffix(' players')}" for each in measured.tables]
    policies = [f"--policy {each}" for each in measured.policies]
    words = [*measured.variants, *tables, *policies, *([] if deals is None else [f"--deals {deals}"])]
    return f"basra-sim balance {' '.join(words)} --seed {measured.seed}"
