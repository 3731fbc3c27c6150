"""The command that tries one policy against another."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from basra_sim.cli.completing import complete_policy, complete_variant
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import (
    examples,
    json_option,
    number,
    pairs_option,
    players_option,
    seed_option,
    set_option,
    threads_option,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, figures, paragraph, played, show, show_json, table

if TYPE_CHECKING:
    from basra_sim.experiment import Duel
    from basra_sim.stats import Estimate


@click.command(
    epilog=examples(
        "basra-sim duel counter greedy",
        "basra-sim duel mine.py greedy --variant egyptian --opponent counter",
        "basra-sim duel counter greedy --pairs --precision 0.05",
        "basra-sim duel mine.py greedy --until-decided",
    )
)
@click.argument("first", metavar="A", shell_complete=complete_policy)
@click.argument("second", metavar="B", shell_complete=complete_policy)
@click.option(
    "--variant",
    default="bastra",
    show_default=True,
    metavar="VARIANT",
    shell_complete=complete_variant,
    help="Rules: one of 'basra-sim variants', or a file of your own.",
)
@players_option
@pairs_option
@click.option(
    "--opponent",
    metavar="POLICY",
    shell_complete=complete_policy,
    help="Try A and B each against this policy instead, and compare what they gain.",
)
@click.option(
    "--rounds",
    type=number,
    metavar="N",
    help="Deals to play, each once for every place of A; at most so many with --precision or --until-decided.  "
    "[default: 100k; at most 10M]",
)
@click.option("--matches", type=number, metavar="N", help="Whole matches to play instead.")
@click.option("--precision", type=float, metavar="X", help="Play on until the margin is known to X points either way.")
@click.option(
    "--until-decided",
    is_flag=True,
    help="Play on until a difference is found, or none of 0.05 points or more is left possible.",
)
@seed_option
@threads_option
@job_options
@set_option
@json_option
def duel(
    first: str,
    second: str,
    variant: str,
    players: int | None,
    pairs: bool,
    opponent: str | None,
    rounds: int | None,
    matches: int | None,
    precision: float | None,
    until_decided: bool,
    seed: int,
    threads: int | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """
    Try policy A against policy B on the same deals.

    Each deal is played with the seats exchanged. Among three or four players
    one plays as A and the others as B, from each place in turn; with --pairs
    one pair plays as A. A policy is written as for 'basra-sim simulate'. The
    same options give the same figures, on any number of threads.
    """
    _check(rounds, matches, precision, until_decided)
    left = "left" if precision is None and not until_decided else "to the next look"
    with Progress("deals" if matches is None else "matches", left=left) as progress:
        from basra_sim import experiment
        from basra_sim.plans import MOST_UNITS, check_number
        from basra_sim.rules import parse_changes

        if rounds is not None:
            check_number("rounds", rounds, 1, MOST_UNITS)
        found = experiment.duel(
            first,
            second,
            variant,
            players=players or (4 if pairs else 2),
            pairs=pairs,
            opponent=opponent,
            deals=rounds,
            matches=matches,
            precision=precision,
            until_decided=until_decided,
            seed=seed,
            changes=parse_changes(changes),
            threads=threads,
            progress=progress,
        )
    if as_json:
        show_json(found.to_dict())
    else:
        show(_lines(found))


def _check(rounds: int | None, matches: int | None, precision: float | None, until_decided: bool) -> None:
    """Refuse options that exclude each other."""
    given = {"--matches": matches is not None, "--precision": precision is not None, "--until-decided": until_decided}
    rules = [name for name, is_given in given.items() if is_given]
    if rounds is not None and matches is not None:
        rules = ["--rounds", "--matches"]
    if len(rules) > 1:
        raise click.UsageError(
            f"{' and '.join(rules[:2])} are both given: give one of them", click.get_current_context()
        )


def _lines(found: "Duel") -> list[str]:
    """Lines that tell of a duel."""
    from basra_sim.stats import CONFIDENCE

    plan = found.plan
    unit, singly = ("matches", "match") if plan.matches else ("deals", "deal")
    seatings = len(plan.seatings)
    lines = paragraph(f"{played(plan, counted(found.units, unit))}, each {singly} in {seatings} seatings", hanging=2)
    first, second = (policy.name for policy in plan.policies[:2])
    if found.opponent is None:
        lines += paragraph(f"{first} against {second}", hanging=2)
    else:
        lines += paragraph(f"{first} compared with {second}, each against {found.opponent.name}", hanging=2)
    lines += [f"Intervals at {CONFIDENCE:.0%} confidence", ""]
    lines += table(["measure", "estimate", "low", "high", "unit"], _rows(found), right=(1, 2, 3))
    return [*lines, "", *(line for text in _remarks(found) for line in paragraph(text, hanging=2))]


def _rows(found: "Duel") -> Iterator[list[str]]:
    """Rows of the table of a duel."""
    points = "points/match" if found.plan.matches else "points/round"
    unit = "matches" if found.plan.matches else "rounds"
    yield ["margin", *figures(found.margin), points]
    if found.adjusted.value is not None:
        yield ["margin, luck taken out", *figures(found.adjusted), points]
    place = "pair" if found.plan.setting.pairs else "seat"
    for seat, margin in enumerate(found.seat_margins):
        yield [f"margin from {place} {seat}", *figures(margin), points]
    won = "won" if found.opponent is None else "won more"
    yield [won, *figures(found.win.scaled(100)), f"% of {unit}"]
    for title, gain in _gains(found):
        if gain.value is not None:
            yield [title, *figures(gain), f"times fewer {unit}"]


def _gains(found: "Duel") -> list[tuple[str, "Estimate"]]:
    """What saves rounds, by name."""
    gains = found.gains
    return [("same deals", gains.exchange), ("luck taken out", gains.covariates), ("both", gains.both)]


def _remarks(found: "Duel") -> Iterator[str]:
    """What a person may want to know about a duel besides the table."""
    first, second = (policy.name for policy in found.plan.policies[:2])
    if found.opponent is None:
        yield f"margin: points of {first} over the mean of the others, all of whom play as {second}"
    else:
        yield f"margin: points by which {first} does better than {second}, one of them among {found.opponent.name}"
    if found.adjusted.value is not None:
        yield "luck taken out: the sweeping cards and the card points each side is dealt, regressed out"
    if found.opponent is None:
        yield f"won: ties are shared; fair is {found.fair:.0%}"
    if found.gains.exchange.value is not None:
        yield "times fewer: than independent play needs, each seating on a deal of its own, for as narrow an interval"
    yield from _ending(found)


def _ending(found: "Duel") -> Iterator[str]:
    """How it stopped, where it was to stop by itself."""
    from basra_sim import sequential

    how, stopping = found.ending.how, found.ending.stopping
    looks = counted(found.ending.looks, "looks")
    ends = {
        sequential.PRECISE: f"Precise enough after {looks}.",
        sequential.DIFFERENT: f"Decided after {looks}: there is a difference.",
        sequential.ALIKE: f"Decided after {looks}: there is no difference of {stopping.smallest:g} points or more.",
        sequential.LIMIT: f"Stopped at the most that may be played, {counted(stopping.most, 'deals')}: "
        + ("not decided." if stopping.rule == sequential.UNTIL_DECIDED else "not as precise as asked for."),
    }
    if how in ends:
        yield ends[how]
    if stopping.rule == sequential.UNTIL_DECIDED:
        yield "The intervals are those of a confidence sequence, which may be looked at any number of times."
