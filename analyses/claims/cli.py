"""The commands ``claims`` and ``test``. What they need is imported when they are called."""

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
from basra_sim.cli.text import decimals, paragraph, show, show_json, table

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
    from analyses.claims.registry import CLAIMS, claim

    chosen = CLAIMS if name is None else (claim(name),)
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
    from basra_sim.variants import SOURCES

    piece = claim.piece
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
        "smallest": {"P": claim.smallest, "D": claim.smallest_decision},
        "remark": claim.remark,
        "source": SOURCES.get(claim.source, ""),
    }


def _registered(about: dict[str, Any]) -> list[str]:
    """Lines that tell all about a claim."""
    from basra_sim.policies.advice import MANY

    lines = [about["id"], *paragraph(f"“{about['advice']}”", 2), ""]
    for key, value in about.items():
        if key in ("id", "advice") or not value:
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
    return lines


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
    help="Deals of a duel between greedy players; fewer for those who think longer, and for what is beside.  "
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

        at = _table(variant, players, pairs)
        chosen = _chosen(ids, everything, at)
        if opponent is not None:
            get_policy(opponent)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads, precision, until_decided, opponent)
        found = put_to_test(chosen, effort, watch(batches(chosen, effort), progress))
    if as_json:
        show_json(found.to_dict())
    else:
        show(line for each in chosen for line in told(found, each, details=details))


def _table(variant: str | None, players: int | None, pairs: bool) -> "Table | None":
    """The table that the options name; None if they name none."""
    from analyses.claims.model import Table
    from basra_sim.variants import setting

    if variant is None and players is None and not pairs:
        return None
    at = Table(variant or "bastra", players or (4 if pairs else 2), pairs)
    setting(at.variant, at.players, at.pairs)
    return at


def _chosen(ids: Sequence[str], everything: bool, at: "Table | None") -> "list[Claim]":
    """Claims that the arguments name."""
    from analyses.claims.registry import CLAIMS, find_claim
    from basra_sim.errors import InputError

    if everything == bool(ids):
        raise InputError("name what is to be tested: an ID of 'basra-sim claims', a file, or --all for everything")
    chosen = list(CLAIMS) if everything else [find_claim(each) for each in dict.fromkeys(ids)]
    if at is not None:
        return [each.at(at) for each in chosen]
    return chosen if everything else [each.at(each.table) for each in chosen]


def watch(jobs: "Sequence[Job]", progress: Progress) -> "Watch":
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
    from analyses.claims.wording import headline, in_doubt, reasons

    verdict = found.verdicts[claim.name]
    rows = found.judged[found.judged["claim"] == claim.name]
    yield from paragraph(f"{claim.name}: {verdict.name}")
    yield from paragraph(f"“{claim.advice}”", 2, 2)
    sentences = [headline(claim, verdict), *reasons(claim, verdict), *in_doubt(claim, verdict, rows)]
    yield from paragraph(" ".join(sentences), 2)
    yield ""
    for place, part in rows[(rows["split"] == "") & rows["estimate"].notna()].groupby(["variant", "seats"], sort=False):
        yield from _results(f"{place[0]}, {place[1]}", part, details)
    yield from _quantities(rows)
    yield from _when(rows)


def _results(title: str, rows: "pd.DataFrame", details: bool) -> Iterator[str]:
    """Lines of what came out at one table: what was judged and how often it applies, or everything."""
    from analyses.claims.rows import ADJUSTED, APPLIED

    main = rows["role"].isin(["primary"]) & (rows["measure"] != ADJUSTED)
    shown = rows if details else rows[main | (rows["measure"] == APPLIED)]
    if not len(shown):
        return
    headings = ["player", "test", "against", "role", "estimate", "low", "high", "unit", "outcome", "units"]
    cells = [_cells(row) for row in shown.to_dict("records")]
    kept = [k for k, heading in enumerate(headings) if (details or heading != "role") and any(row[k] for row in cells)]
    right = [place for place, k in enumerate(kept) if headings[k] in ("estimate", "low", "high", "units")]
    yield f"  {title}"
    for line in table([headings[k] for k in kept], [[row[k] for k in kept] for row in cells], right):
        yield f"  {line}"
    yield ""


def _cells(row: Mapping[Any, Any]) -> list[str]:
    """Cells of one row of results."""
    from analyses.claims.model import FREQUENCY
    from analyses.claims.rows import MARGIN

    against = "" if row["opponent"] == row["policy"] else row["opponent"]
    what = row["prediction"] if row["kind"] == FREQUENCY else row["measure"]
    if row["form"]:
        what = row["form"] if row["measure"] == MARGIN else f"{row['form']}, {what}"
    named = [row["policy"], what, against, row["role"]]
    return [*named, *_interval(row), row["unit"], row["outcome"] or "", f"{row['units']:,}"]


def _quantities(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines that say what was counted under the names in the tables, and what was predicted of it."""
    from analyses.claims.model import FREQUENCY

    counted = rows[(rows["kind"] == FREQUENCY) & (rows["role"] == "primary")]
    if len(counted):
        for row in counted.drop_duplicates("prediction").to_dict("records"):
            bound = f"{row['bound']:g}" if row["bound"] else "nothing"
            yield from paragraph(
                f"{row['prediction']}: {row['measure']}; predicted to be {row['expects']} {bound}", 2, 2
            )
        yield ""


def _when(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines of the situations in which following gains most, and costs most, for the strongest player."""
    from analyses.claims.wording import situations

    for title, part in situations(rows):
        yield from paragraph(title, 2)
        cells = [[row["split"], row["place"], *_interval(row), row["unit"]] for row in part.to_dict("records")]
        headings = ["where", "is", "estimate", "low", "high", "unit"]
        yield from (f"  {line}" for line in table(headings, cells, right=[2, 3, 4]))
        yield ""


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
    default="literal",
    show_default=True,
    help="How it is followed; with --best the better of the first two for each piece.",
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
    form: str,
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
        raise InputError("name what is to be followed: IDs of 'basra-sim claims', --section, --everything or --best")
    with Progress("thousand rounds' work" if best is None else "trials") as progress:
        progress.say("Getting ready …")
        from analyses import bundles
        from analyses.claims.model import MAIN
        from analyses.claims.registry import CLAIMS
        from analyses.jobs import Effort, run
        from basra_sim.policies import get_policy

        at = _table(variant, players, pairs) or MAIN
        get_policy(policy)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads)
        if best is not None:
            found = bundles.best(policy, best, effort, at, progress)
        else:
            picked = bundles.section(section, form) if section else bundles.chosen(ids, form)
            todo = list(bundles.jobs(policy, bundles.pieces(CLAIMS, form) if everything else picked, effort, at))
            found = run(todo, watch(todo, progress))
    if as_json:
        show_json(found.astype(object).where(found.notna(), None).to_dict("records"))
    else:
        show(_bundle(found, policy, at))


def _bundle(found: "pd.DataFrame", policy: str, at: "Table") -> Iterator[str]:
    """Lines that tell what a bundle is worth."""
    from analyses.jobs import STRONGEST
    from basra_sim.stats import CONFIDENCE

    if not len(found):
        yield from paragraph(f"No piece of advice adds anything to {policy} in {at.label}.")
        return
    yield from paragraph(
        f"{policy} in {at.label}, told advice, against {policy} untold. Intervals at {CONFIDENCE:.0%} confidence; the "
        f"way is that to {STRONGEST}, the strongest player there is."
    )
    yield ""
    names = [name for name in ("step", "piece", "measure") if name in found]
    rows = [
        [*(str(row[name]) for name in names), *_interval(row), row["unit"], f"{row['units']:,}", str(row["seed"])]
        for row in found.to_dict("records")
    ]
    headings = [*names, "estimate", "low", "high", "unit", "deals", "seed"]
    yield from table(headings, rows, right=[len(names) + k for k in (0, 1, 2, 4, 5)])


def _interval(row: Mapping[Any, Any]) -> list[str]:
    """Estimate and the ends of its interval."""
    half = (row["high"] - row["low"]) / 2 if row["high"] == row["high"] else None
    digits = decimals(half)
    return ["-" if part != part else f"{part:.{digits}f}" for part in (row["estimate"], row["low"], row["high"])]
