"""The commands ``claims``, ``test`` and ``bundle``. What they need is imported when they are called."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from analyses.claims.telling import bundle_lines, described, foot, told
from basra_sim.cli.completing import complete_claim, complete_policy, complete_variant
from basra_sim.cli.ending import finished_parts
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import (
    OneOf,
    examples,
    json_option,
    pairs_option,
    players_option,
    seed_option,
    threads_option,
    whole,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, missing_parts, paragraph, show, show_json, table

if TYPE_CHECKING:
    from analyses.bundles import Piece
    from analyses.claims.model import Claim, Table
    from analyses.jobs import Job, Watch

LEAST, DEFAULT_ROUNDS, MOST = 1_000, 200_000, 10**9
"""Rounds that may be asked for, and how many are played if none are."""


@click.command(epilog=examples("basra-sim claims", "basra-sim claims jack-hold", "basra-sim claims --json"))
@click.argument("name", required=False, metavar="[ID]", shell_complete=complete_claim)
@json_option
def claims(name: str | None, as_json: bool) -> None:
    """
    The advice that can be tested: a table, or all about one piece.

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
        show(described(registered(chosen[0])))
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


@click.command(
    epilog=examples(
        "basra-sim test jack-hold",
        "basra-sim test avoid-ten low-empty --variant egyptian",
        "basra-sim test mine.py:keep_sevens --precision 0.05",
        "basra-sim test --all --precision 0.02",
    )
)
@click.argument("ids", nargs=-1, metavar="ID...", shell_complete=complete_claim)
@click.option("--all", "everything", is_flag=True, help="All claims, at all the tables they are registered for.")
@click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=complete_variant,
    help="Rules to test under, instead of those that are registered.",
)
@players_option
@pairs_option
@click.option(
    "--opponent",
    metavar="POLICY",
    shell_complete=complete_policy,
    help="Whom the players play against, instead of their like.",
)
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
@job_options
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
    left = "left" if precision is None and not until_decided else "left if no duel plays on"
    with Progress("thousand rounds' work", left=left) as progress:
        progress.say("Getting ready …")
        from analyses.claims.testing import batches, tested
        from analyses.jobs import Effort, Work
        from basra_sim.policies import get_policy

        if opponent is not None:
            get_policy(opponent)
        chosen, left_out = _chosen(ids, everything, _table(variant, players, pairs), opponent)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads, precision, until_decided, opponent)
        work = Work(batches(chosen, effort))
        with finished_parts() as cut:
            work.run(watch(work.jobs, progress))
    found, missing = tested(chosen, effort, work)
    if as_json:
        show_json(found.to_dict() | {"left_out": left_out, "missing": missing})
    else:
        show(line for each in found.claims for line in told(found, each, details=details))
        show(foot(found, left_out, missing))
    cut.end()


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
    done: dict[int, float] = {}

    def begin(job: "Job") -> Callable[[int, int], None]:
        number = len(done)

        def tell(units: int, of: int) -> None:
            done[number] = job.weight * min(units / of, 1)
            progress(round(sum(done.values()) / 1000), max(1, round(total / 1000)))

        done[number] = 0.0
        return tell

    return begin


@click.command(
    epilog=examples(
        "basra-sim bundle jack-hold avoid-ten",
        "basra-sim bundle --section jacks --policy counter",
        "basra-sim bundle --everything --form tie-break",
        "basra-sim bundle --best 5",
    )
)
@click.argument("ids", nargs=-1, metavar="ID...", shell_complete=complete_claim)
@click.option("--section", metavar="S", help="All advice of a section of the page, such as jacks or 'point cards'.")
@click.option("--everything", is_flag=True, help="The whole page of advice.")
@click.option("--best", type=whole(1, 20), metavar="N", help="The N pieces to learn first, chosen one by one.")
@click.option(
    "--policy",
    default="greedy",
    show_default=True,
    metavar="POLICY",
    shell_complete=complete_policy,
    help="The player who is told.",
)
@click.option(
    "--form",
    type=OneOf(["literal", "tie-break", "reversed"]),
    help="How it is followed; --best tries the first two for each piece.  [default: literal]",
)
@click.option("--variant", metavar="VARIANT", shell_complete=complete_variant, help="Rules.  [default: bastra]")
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
@job_options
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
    What several pieces of advice are worth together.

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
        from analyses.jobs import Effort, Work
        from basra_sim.policies import get_policy
        from basra_sim.policies.advice import LITERAL

        at = _table(variant, players, pairs) or MAIN
        get_policy(policy)
        effort = Effort(rounds or DEFAULT_ROUNDS, seed, threads)
        steps: list[list[dict[str, Any]]] = []
        if best is not None:
            with finished_parts() as cut:
                steps.extend(bundles.steps(policy, best, effort, at, progress))
            work = Work([], steps)
        else:
            work = Work(list(bundles.jobs(policy, _picked(ids, section, form or LITERAL), effort, at)))
            with finished_parts() as cut:
                work.run(watch(work.jobs, progress))
    found = work.rows
    if as_json:
        show_json(found.astype(object).where(found.notna(), None).to_dict("records"))
    else:
        show(bundle_lines(found, policy, at, seed) if work.done or not cut.short else [])
        show(missing_parts(work.missing(), len(work.jobs), "pieces"))
        show([f"Interrupted after {counted(len(steps), 'steps')}: there may be more."] if best and cut.short else [])
    cut.end()


def _picked(ids: Sequence[str], section: str | None, form: str) -> "list[Piece]":
    """Advice that is to be followed together: of some claims, of a section, or else of the whole page."""
    from analyses import bundles
    from analyses.claims.registry import CLAIMS

    if section is not None:
        return bundles.section(section, form)
    return bundles.chosen(ids, form) if ids else bundles.pieces(CLAIMS, form)
