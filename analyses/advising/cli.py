"""The command ``advise``. What it needs is imported when it is called."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.completing import complete_policy
from basra_sim.cli.options import (
    Command,
    examples,
    json_option,
    number,
    pairs_option,
    players_option,
    seed_option,
    set_option,
    threads_option,
    variant_argument,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, figures, paragraph, show, show_json, table

if TYPE_CHECKING:
    from analyses.advising.advice import Advice, Option
    from basra_sim.search.situations import Move

_SITUATION = (
    variant_argument,
    click.option("--hand", required=True, metavar="CARDS", help='Cards of the hand, such as "JS 7D 2C".'),
    click.option("--floor", required=True, metavar="CARDS", help='Cards on the floor, such as "3H 5S"; "" for none.'),
    click.option("--seen", default="", metavar="CARDS", help="Cards known to be captured, by whomever."),
    click.option("--mine", default="", metavar="CARDS", help="Cards that the own side has captured."),
    click.option("--theirs", default="", metavar="CARDS", help="Cards that others have captured."),
    click.option("--score", metavar="OWN-OTHER", help="Score of the match before the round, such as 40-55."),
    click.option("--basras", metavar="OWN-OTHER", help="Points of basras that both sides have made in the round."),
    click.option("--deal", type=number, metavar="N", help="Number of the deal, from 1.  [default: by the cards]"),
    click.option("--seat", type=number, metavar="N", help="Seat on turn, from 0.  [default: by the cards]"),
    click.option("--last", type=number, metavar="N", help="Seat that captured last.  [default: the one before]"),
    click.option("--lone-before", is_flag=True, help="The floor is one card that lay alone and the one laid on it."),
    click.option("--carry", type=number, metavar="N", default="0", help="Points for most cards held over."),
    players_option,
    pairs_option,
    set_option,
)


def _situation(command: Command) -> Command:
    """Give a command the options that tell a situation."""
    for option in reversed(_SITUATION):
        command = option(command)
    return command


@click.command(
    epilog=examples(
        'basra-sim advise bastra --hand "JS 7D 2C" --floor "3H 5S"',
        'basra-sim advise egyptian --hand "7D 9C" --floor "4H 3D" --deal 5',
        'basra-sim advise syrian-a --hand "AS 6D" --floor "7H" --score 90-95 --json',
    )
)
@_situation
@click.option(
    "--policy",
    metavar="POLICY",
    default="champion",
    show_default=True,
    shell_complete=complete_policy,
    help="Player as whom all play on.",
)
@click.option(
    "--ways", type=number, metavar="N", default="10k", show_default=True, help="Ways in which hidden cards are laid."
)
@seed_option
@threads_option
@json_option
def advise(ways: int, seed: int, threads: int | None, as_json: bool, policy: str, **told: Any) -> None:
    """
    Every legal play and what it comes to, the best first.

    The cards that are not named are laid in many ways as they may lie, and
    each play is played out in all of them. Cards that must be captured by
    now need not be named: what is not remembered counts as hidden. In the
    last deal of two sides, with all captured cards named, it is solved.
    """
    with Progress("ways") as progress:
        progress.say("Getting ready …")
        from analyses.advising import advise as advised
        from basra_sim.rules import parse_changes

        players = told.pop("players") or (4 if told["pairs"] else 2)
        changes = parse_changes(told.pop("changes"))
        found = advised(
            told.pop("variant"),
            players=players,
            changes=changes,
            policy=policy,
            ways=ways,
            seed=seed,
            threads=threads,
            progress=progress,
            **told,
        )
    if as_json:
        show_json(found.to_dict())
    else:
        show(_lines(found))


def _lines(found: "Advice") -> Iterator[str]:
    """Lines that tell of advice."""
    from basra_sim.cards import card_names
    from basra_sim.stats import CONFIDENCE

    at, setting = found.read.situation, found.setting
    deal, _, size = at.place
    yield from paragraph(
        f"{setting}: seat {at.seat} in deal {deal + 1} of {len(setting.hand_sizes)}, "
        f"{len(at.hand)} of {counted(size, 'cards')} left",
        hanging=2,
    )
    yield from paragraph(f"Hand {' '.join(card_names(list(at.hand)))}", hanging=2)
    yield from paragraph(f"Floor {' '.join(card_names(list(at.floor))) or '(empty)'}", hanging=2)
    yield from paragraph(_how(found), hanging=2)
    if not found.sure:
        yield f"Intervals at {CONFIDENCE:.0%} confidence"
    yield ""
    yield from _table(found)
    yield ""
    for text in (*_verdict(found), *_meanings(found), *_granted(found)):
        yield from paragraph(text, hanging=2)


def played(move: "Move") -> str:
    """Play in words."""
    from analyses.advising.advice import words

    return words(move)


def _how(found: "Advice") -> str:
    """How the figures were found."""
    if found.solved:
        return "Nothing is hidden: solved, with both sides playing on perfectly"
    if found.sure:
        return f"Nothing is hidden: played out, with all playing on as {found.policy}"
    return f"{found.ways:,} ways in which hidden cards may lie, seed {found.seed}; all play on as {found.policy}"


def _table(found: "Advice") -> list[str]:
    """Table of the plays."""
    matches = found.score is not None
    if found.sure:
        headings = ["play", "margin", *["match %"] * matches, "basra next"]
        rows = []
        for option in found.options:
            chance = [_percent(option.match.value)] if option.match else []
            next_basra = "yes" if option.reply.value else "no"
            rows.append([played(option.move), f"{option.margin.value:+g}", *chance, next_basra])
        return table(headings, rows, right=range(1, len(headings)))
    headings = ["play", "margin", "low", "high", *["match %", "low", "high"] * matches, "basra %"]
    rows = []
    for option in found.options:
        chances = figures(option.match.scaled(100)) if option.match else []
        rows.append([played(option.move), *figures(option.margin), *chances, _percent(option.reply.value)])
    return table(headings, rows, right=range(1, len(headings)))


def _percent(value: float | None) -> str:
    """A share in per cent."""
    return "-" if value is None else f"{100 * value:.1f}"


def _verdict(found: "Advice") -> Iterator[str]:
    """Whether the lead of the best play is real."""
    best, others = found.options[0], found.options[1:]
    if not others:
        yield f"{played(best.move)}: there is no other play."
        return
    if found.sure:
        equal = [played(each.move) for each in others if each.margin.value == best.margin.value]
        if equal:
            yield f"As good as the first: {', '.join(equal)}."
        return
    yield _lead(others[0], len(others) > 1)
    level = [played(each.move) for each in others[1:] if each.behind is not None and not each.behind.real]
    if level:
        yield f"Not told apart from the first either: {', '.join(level)}."
    favourite = max(found.options, key=lambda each: (each.match.value or 0.0) if each.match else 0.0)
    if favourite.match and favourite is not best:
        yield f"By the chance to win the match it would be: {played(favourite.move)}."


def _lead(second: "Option", several: bool) -> str:
    """The best play's lead over the second in words."""
    assert second.behind is not None
    found = second.behind.estimate
    if found.low == found.high == 0:
        return f"The second, {played(second.move)}, comes to the same in all these ways."
    value, low, high = figures(found)
    corrected = f", an interval that holds for all {second.behind.comparisons} pairs of plays together" * several
    said = "it is real" if second.behind.real else "they are not told apart; more ways may do it"
    return f"The first leads the second by {value} ({low} to {high}) in the same ways{corrected}: {said}."


def _meanings(found: "Advice") -> Iterator[str]:
    """What the columns mean."""
    from analyses.advising.advice import MATCH_ROUNDS

    others = "the other side's" if found.setting.team_count == 2 else "the mean of the others'"
    yield (
        f"margin: points that are still to be won, those for most cards among them, less {others}. Points made earlier "
        "are left out: they are the same whatever is played."
    )
    if found.score is not None:
        own, other = found.score
        yield (
            f"match %: chance to win the match to {found.setting.rules.target} from {own} : {other} before this round, "
            "what is named as captured counted; "
            f"by how {MATCH_ROUNDS:,} rounds among such players end."
        )
    yield (
        "basra %: chance that the next player makes a basra at once."
        if not found.sure
        else ("basra next: whether the next player makes a basra at once.")
    )


def _granted(found: "Advice") -> Iterator[str]:
    """What was taken for granted."""
    at, setting = found.read.situation, found.setting
    if found.read.placed == "assumed":
        yield (
            f"Taken for granted: deal {at.place[0] + 1} and seat {at.seat}, the first that fit what is told; others "
            "with --deal and --seat."
        )
    if at.lost:
        yield (
            f"{counted(at.lost, 'cards')} that must be captured by now {'is' if at.lost == 1 else 'are'} not named: "
            "drawn from those not seen."
        )
    strays = len(at.strays)
    if strays:
        yield f"Who captured {counted(strays, 'cards')} is not told (--mine, --theirs): drawn too."
    if not found.read.last_known and at.place[0] == len(setting.hand_sizes) - 1:
        yield f"Taken for granted: seat {at.last} captured last (--last), and gets what is left if nobody captures."
