"""The commands ``claims``, ``test`` and ``bundle``. What they need is imported when they are called."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.options import (
    examples,
    json_option,
    pairs_option,
    players_option,
    seed_option,
    threads_option,
    whole,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, decimals, paragraph, show, show_json, table

if TYPE_CHECKING:
    import pandas as pd

    from analyses.claims.model import Claim, Table
    from analyses.claims.testing import Tested
    from analyses.jobs import Job, Watch

LEAST, DEFAULT_ROUNDS, MOST = 1_000, 200_000, 10**9
"""Rounds that may be asked for, and how many are played if none are."""


@click.command(epilog=examples("basra-sim claims", "basra-sim claims jack-hold", "basra-sim claims --json"))
@click.argument("name", required=False, metavar="[ID]")
@json_option
def claims(name: str | None, as_json: bool) -> None:
    """
    The advice that can be tested: a table of all, or everything about one.

    'basra-sim test ID' tests a piece; '+ID' makes any player follow it, as in
    'basra-sim duel counter+jack-hold counter'.
    """
    from analyses.claims.model import KINDS
    from analyses.claims.registry import CLAIMS, find_claim

    chosen = CLAIMS if name is None else (find_claim(name),)
    if as_json:
        show_json([registered(each) for each in chosen] if name is None else registered(chosen[0]))
        return
    if name is not None:
        show(_registered(registered(chosen[0])))
        return
    show(table(["id", "kinds", "the advice"], [[each.name, " ".join(each.kinds), each.advice] for each in CLAIMS]))
    show(["", *(line for kind, meaning in KINDS.items() for line in paragraph(f"{kind}: {meaning}", 0, 3))])
    show(paragraph(f"Judged under {CLAIMS[0].table.label}, by the first of its kinds. All of one: basra-sim claims ID"))


def registered(claim: "Claim") -> dict[str, Any]:
    """All that is registered of a claim, by name, for JSON."""
    from analyses.claims.observed import predictions
    from basra_sim.variants import SOURCES

    piece = claim.piece
    smallest = {"P": claim.smallest, "D": claim.smallest_decision}
    return {
        "id": claim.name,
        "advice": claim.advice,
        "section": claim.section,
        "applies": claim.applies,
        "kinds": list(claim.kinds),
        "primary": claim.table.label,
        "explored": [each.label for each in claim.tables[1:]],
        "forms": list(claim.forms) if "P" in claim.kinds else [],
        "degrees": list(claim.degrees),
        "when": {} if piece is None else {name: list(limits) for name, limits in piece.when.items()},
        "follow": {} if piece is None else {name: list(limits) for name, limits in piece.follow.items()},
        "against": {} if piece is None else {name: list(limits) for name, limits in piece.against.items()},
        "told_apart_by": list(claim.splits) if "D" in claim.kinds else [],
        "smallest": {kind: size for kind, size in smallest.items() if kind in claim.kinds},
        "predictions": [
            {"name": each.name, "quantity": each.quantity, "expects": each.expects, "bound": each.bound}
            | {"unit": each.unit, "because": each.because, "primary": each.primary, "primary_rules": each.variant}
            for each in predictions(claim.name).values()
        ],
        "remark": claim.remark,
        "source": SOURCES.get(claim.source, ""),
    }


def _registered(about: dict[str, Any]) -> list[str]:
    """Lines that tell all about a claim."""
    from basra_sim.policies.advice import MANY

    lines = [about["id"], *paragraph(f"“{about['advice']}”", 2), ""]
    for key, value in about.items():
        if key in ("id", "advice", "predictions") or not value:
            continue
        if isinstance(value, dict):
            upper = {MANY: "or more"}
            parts = [
                f"{name} {limits[0]} {upper[limits[1]]}" if limits[-1] in upper else f"{name} {_range(limits)}"
                for name, limits in ((name, each if isinstance(each, list) else [each]) for name, each in value.items())
            ]
            value = "; ".join(parts)
        elif isinstance(value, list):
            value = "; ".join(map(str, value))
        lines += paragraph(f"{key.replace('_', ' ') + ':':<15}{value}", 2, 15)
    for each in about["predictions"]:
        beside = "" if each["primary"] else " Explored besides."
        lines += ["", *paragraph(f"{_predicted(each, 'name', 'quantity')}. {each['because']}{beside}", 2, 2)]
    return lines


def _predicted(about: Mapping[Any, Any], name: str, quantity: str) -> str:
    """What is predicted of a quantity, in words; its name and the quantity stand under some keys."""
    bound = f"{about['bound']:g}" if about["bound"] else "nothing"
    return f"{about[name]}: {about[quantity]}; predicted to be {about['expects']} {bound}"


def _range(limits: Sequence[float]) -> str:
    """A range in words."""
    return f"{limits[0]} to {limits[-1]}" if limits[0] != limits[-1] else str(limits[0])


@click.command(
    epilog=examples(
        "basra-sim test jack-hold",
        "basra-sim test avoid-ten low-empty --variant egyptian",
        "basra-sim test mine.py:keep_sevens --precision 0.05",
        "basra-sim test --all --precision 0.02",
    )
)
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all", "everything", is_flag=True, help="All claims, at all the tables they are registered for.")
@click.option("--variant", metavar="VARIANT", help="Rules to test under, instead of those that are registered.")
@players_option
@pairs_option
@click.option("--opponent", metavar="POLICY", help="Whom the players play against, instead of their like.")
@click.option(
    "--rounds",
    type=whole(LEAST, MOST),
    metavar="N",
    help=f"Deals of a duel between greedy players, {LEAST} or more; a quarter as many for those who think longer, and "
    "fewer for what is beside. No bound for duels that stop by a rule.  "
    f"[default: {DEFAULT_ROUNDS // 1000}k]",
)
@click.option("--precision", type=float, metavar="X", help="Play primary duels on until known to X points either way.")
@click.option("--until-decided", is_flag=True, help="Play primary duels on until they are decided.")
@seed_option
@threads_option
@click.option("--details", is_flag=True, help="Print all that was played, not only what the verdicts rest on.")
@json_option
def test(
    ids: tuple[str, ...],
    everything: bool,
    variant: str | None,
    players: int | None,
    pairs: bool,
    opponent: str | None,
    rounds: int | None,
    precision: float | None,
    until_decided: bool,
    seed: int,
    threads: int | None,
    details: bool,
    as_json: bool,
) -> None:
    """
    Test advice, and print the verdicts.

    An ID is one of 'basra-sim claims', or a file with advice of your own:
    FILE.py, FILE.py:NAME or FILE.toml. Players of three strengths play
    with the advice and without, and each decision that it applies to is
    played both ways.
    """
    from basra_sim.errors import InputError

    if precision is not None and until_decided:
        raise InputError("--precision and --until-decided are both given: give one of them")
    if precision is not None and not 0 < precision < float("inf"):
        raise InputError(f"--precision {precision} is not possible: it must be a number above 0")
    with Progress("thousand rounds' work") as progress:
        progress.say("Getting ready …")
        from analyses.claims.testing import batches, put_to_test
        from analyses.jobs import Effort
        from basra_sim.policies import get_policy

        if opponent is not None:
            get_policy(opponent)
        chosen, left_out = _chosen(ids, everything, _table(variant, players, pairs), opponent)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads, precision, until_decided, opponent)
        found = put_to_test(chosen, effort, watch(batches(chosen, effort), progress))
    if as_json:
        show_json(found.to_dict() | {"left_out": left_out})
    else:
        show([*(line for each in chosen for line in told(found, each, details=details)), *_foot(found)])
        show(line for reason in left_out.values() for line in paragraph(f"Left out: {reason}.", hanging=2))


def _table(variant: str | None, players: int | None, pairs: bool) -> "Table | None":
    """The table that the options name; None if they name none."""
    from analyses.claims.model import Table
    from basra_sim.variants import setting

    if variant is None and players is None and not pairs:
        return None
    at = Table(variant or "bastra", players or (4 if pairs else 2), pairs)
    setting(at.variant, at.players, at.pairs)
    return at


def _chosen(
    ids: Sequence[str], everything: bool, at: "Table | None", opponent: str | None
) -> "tuple[list[Claim], dict[str, str]]":
    """Claims that the arguments name; and of all claims those that cannot be tested so, with the reason."""
    from analyses.claims.registry import CLAIMS, find_claims
    from analyses.claims.testing import fitted
    from basra_sim.errors import InputError

    if everything == bool(ids):
        raise InputError("name what is to be tested: an ID of 'basra-sim claims', a file, or --all for everything")
    if not everything:
        return [fitted(each.at(at or each.table), at, opponent) for each in find_claims(ids)], {}
    chosen, left_out = [], {}
    for each in CLAIMS:
        try:
            chosen.append(fitted(each if at is None else each.at(at), at, opponent))
        except InputError as reason:
            left_out[each.name] = str(reason)
    return chosen, left_out


def watch(jobs: "Sequence[Job]", progress: Callable[[int, int], None]) -> "Watch":
    """Way for jobs to report how far they are, in thousands of rounds, all of them together."""
    total = sum(job.weight for job in jobs)
    done = 0.0

    def begin(job: "Job") -> Callable[[int, int], None]:
        nonlocal done
        before, done = done, done + job.weight
        return lambda units, of: progress(
            round((before + job.weight * min(units / of, 1)) / 1000), max(1, round(total / 1000))
        )

    return begin


def told(found: "Tested", claim: "Claim", *, details: bool) -> Iterator[str]:
    """Lines that tell what became of a claim."""
    from analyses.claims.practice import practice
    from analyses.claims.wording import headline, in_doubt, never_applied, reasons

    verdict = found.verdicts[claim.name]
    rows = found.judged[found.judged["claim"] == claim.name]
    yield from paragraph(f"{claim.name}: {verdict.name}")
    yield from paragraph(f"“{claim.advice}”", 2, 2)
    sentences = [headline(claim, verdict), *never_applied(rows), *reasons(claim, verdict)]
    sentences += in_doubt(claim, verdict, rows)
    yield from paragraph(" ".join(sentences), 2)
    yield from paragraph(" ".join(practice(claim, rows)), 2)
    yield ""
    for place, part in rows[(rows["split"] == "") & rows["estimate"].notna()].groupby(["variant", "seats"], sort=False):
        yield from _results(f"{place[0]}, {place[1]}", part, details)
    yield from _quantities(rows)
    yield from _when(rows)


def _foot(found: "Tested") -> Iterator[str]:
    """Lines that say how the numbers above are to be read."""
    from analyses.claims.rows import second_seed
    from basra_sim.stats import CONFIDENCE

    effort = found.effort
    kind = "those of primary duels of confidence sequences," if effort.until_decided else "ordinary and"
    yield from paragraph(
        f"Seed {effort.seed} (second seed {second_seed(effort.seed)}). Intervals at {CONFIDENCE:.0%} confidence, "
        f"{kind} not corrected; outcomes are corrected for all that was tested together here, so they may differ from "
        "what an interval alone says. Units: deals of the whole pack (of leads and of matches won: matches)."
    )


def _results(title: str, rows: "pd.DataFrame", details: bool) -> Iterator[str]:
    """Lines of what came out at one table: what was judged and how often it applies, or everything."""
    from analyses.claims.rows import ADJUSTED, APPLIED, PRIMARY

    main = (rows["role"] == PRIMARY) & (rows["measure"] != ADJUSTED)
    if not details and not main.any():
        return
    shown = rows if details else rows[main | (rows["measure"] == APPLIED)]
    headings = ["player", "test", "against", "estimate", "low", "high", "outcome", "units"]
    for (role, unit), part in shown.groupby(["role", "unit"], sort=False):
        cells = [_cells(row) for row in part.to_dict("records")]
        kept = [k for k in range(len(headings)) if any(row[k] for row in cells)]
        right = [place for place, k in enumerate(kept) if headings[k] in ("estimate", "low", "high", "units")]
        yield from paragraph(f"{title}: {f'{role}, ' if details else ''}{unit}", 2, 2)
        yield from table([headings[k] for k in kept], [[row[k] for k in kept] for row in cells], right, indent=2)
        yield ""


def _cells(row: Mapping[Any, Any]) -> list[str]:
    """Cells of one row of results."""
    from analyses.claims.model import FREQUENCY
    from analyses.claims.rows import MARGIN

    against = "" if row["opponent"] == row["policy"] else row["opponent"]
    what = row["prediction"] if row["kind"] == FREQUENCY else row["measure"]
    if row["form"]:
        what = row["form"] if row["measure"] == MARGIN else f"{row['form']}, {what}"
    return [row["policy"], what, against, *_interval(row), row["outcome"] or "", f"{row['units']:,}"]


def _quantities(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines that say what was counted under the names in the tables, and what was predicted of it."""
    from analyses.claims.model import FREQUENCY

    counted = rows[(rows["kind"] == FREQUENCY) & (rows["role"] == "primary")]
    if len(counted):
        for row in counted.drop_duplicates("prediction").to_dict("records"):
            yield from paragraph(_predicted(row, "prediction", "measure"), 2, 2)
        yield ""


def _when(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines of the situations in which following gains most, and costs most, for the strongest player."""
    from analyses.claims.wording import situations

    for title, part in situations(rows):
        yield from paragraph(title, 2)
        cells = [[row["split"], row["place"], *_interval(row), row["unit"]] for row in part.to_dict("records")]
        headings = ["where", "is", "estimate", "low", "high", "unit"]
        yield from table(headings, cells, right=[2, 3, 4], indent=2)
        yield ""


def _interval(row: Mapping[Any, Any]) -> list[str]:
    """Estimate and the ends of its interval."""
    half = (row["high"] - row["low"]) / 2 if row["high"] == row["high"] else None
    digits = decimals(half)
    return ["-" if part != part else f"{part:.{digits}f}" for part in (row["estimate"], row["low"], row["high"])]


@click.command(
    epilog=examples(
        "basra-sim bundle jack-hold avoid-ten",
        "basra-sim bundle --section jacks --policy counter",
        "basra-sim bundle --everything --form tie-break",
        "basra-sim bundle --best 5",
    )
)
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--section", metavar="S", help="All advice of a section of the page, such as jacks or 'point cards'.")
@click.option("--everything", is_flag=True, help="The whole page of advice.")
@click.option("--best", type=whole(1, 20), metavar="N", help="The N pieces to learn first, chosen one by one.")
@click.option("--policy", default="greedy", show_default=True, metavar="POLICY", help="The player who is told.")
@click.option(
    "--form",
    type=click.Choice(["literal", "tie-break", "reversed"]),
    help="How it is followed; --best tries the first two for each piece.  [default: literal]",
)
@click.option("--variant", metavar="VARIANT", help="Rules.  [default: bastra]")
@players_option
@pairs_option
@click.option(
    "--rounds",
    type=whole(LEAST, MOST),
    metavar="N",
    help=f"Deals of a duel between greedy players.  [default: {DEFAULT_ROUNDS // 1000}k]",
)
@seed_option
@threads_option
@json_option
def bundle(
    ids: tuple[str, ...],
    section: str | None,
    everything: bool,
    best: int | None,
    policy: str,
    form: str | None,
    variant: str | None,
    players: int | None,
    pairs: bool,
    rounds: int | None,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """
    Follow several pieces of advice together, and see what they are worth.

    Tells what they gain, which share of the way to the strongest player
    that is, and what each adds to the others and is worth alone.
    """
    from basra_sim.errors import InputError

    if (bool(ids), section is not None, everything, best is not None).count(True) != 1:
        raise InputError(
            "say in one way what is to be followed: IDs of 'basra-sim claims', --section, --everything or --best"
        )
    if best is not None and form is not None:
        raise InputError("--best and --form are both given: --best tries the forms itself")
    with Progress("thousand rounds' work" if best is None else "trials") as progress:
        progress.say("Getting ready …")
        from analyses import bundles
        from analyses.claims.model import MAIN
        from analyses.claims.registry import CLAIMS
        from analyses.jobs import Effort, run
        from basra_sim.policies import get_policy
        from basra_sim.policies.advice import LITERAL

        at = _table(variant, players, pairs) or MAIN
        get_policy(policy)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads)
        if best is not None:
            found = bundles.best(policy, best, effort, at, progress)
        else:
            form = form or LITERAL
            if everything:
                picked = bundles.pieces(CLAIMS, form)
            else:
                picked = bundles.chosen(ids, form) if section is None else bundles.section(section, form)
            todo = list(bundles.jobs(policy, picked, effort, at))
            found = run(todo, watch(todo, progress))
    if as_json:
        show_json(found.astype(object).where(found.notna(), None).to_dict("records"))
    else:
        show(_bundle(found, policy, at, seed))


def _bundle(found: "pd.DataFrame", policy: str, at: "Table", seed: int) -> Iterator[str]:
    """Lines that tell what a bundle is worth."""
    from analyses.jobs import STRONGEST
    from basra_sim.stats import CONFIDENCE

    if not len(found):
        yield from paragraph(f"No piece of advice adds anything to {policy} in {at.label}.")
        return
    played = f"{counted(int(found['units'].iloc[0]), 'deals')} of seed {found['seed'].iloc[0]}"
    stepwise = "step" in found
    more = (
        "Each step tells what all pieces up to it bring together."
        if stepwise
        else "What a piece adds is found against the player told all but that piece."
    )
    yield from paragraph(
        f"{policy} in {at.label}, told advice, against {policy} untold, on {played}"
        f"{f' (the pieces were chosen on those of seed {seed})' if stepwise else ''}. Intervals at {CONFIDENCE:.0%} "
        f"confidence; the way is that to {STRONGEST}, the strongest player who does not search. {more}"
    )
    yield ""
    names = ["step", "piece"] if stepwise else ["piece", "measure"]
    rows = [
        [str(row[name]) or "all together" for name in names] + [*_interval(row), row["unit"]]
        for row in found.to_dict("records")
    ]
    yield from table([*names, "estimate", "low", "high", "unit"], rows, right=[2, 3, 4])
