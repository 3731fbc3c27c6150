"""The command ``review``. What it needs is imported when it is called."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from analyses.advising.cli import played
from basra_sim.cli.completing import complete_policy, complete_records
from basra_sim.cli.options import examples, json_option, number, seed_option, threads_option, whole
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, figures, paragraph, show, show_json, table

if TYPE_CHECKING:
    from analyses.advising.reviewing import Decision, Review

MOST_SHOWN = 20
"""Rounds up to which the costs of each are shown."""


@click.command(
    epilog=examples(
        "basra-sim trace bastra --policy greedy | basra-sim review -",
        "basra-sim review rounds.jsonl --player 0 --worst 5",
        "basra-sim review by-hand.jsonl --json",
    )
)
@click.argument("file", shell_complete=complete_records)
@click.option("--seat", type=number, metavar="N", help="Review the plays of one seat.")
@click.option("--player", type=number, metavar="N", help="Review the plays of one player, wherever he sits.")
@click.option(
    "--worst", type=whole(0, 1000), metavar="N", default="10", show_default=True, help="Mistakes that are told."
)
@click.option(
    "--policy",
    metavar="POLICY",
    default="champion",
    show_default=True,
    shell_complete=complete_policy,
    help="Player as whom all play on.",
)
@click.option(
    "--ways", type=number, metavar="N", default="1k", show_default=True, help="Ways in which hidden cards are laid."
)
@seed_option
@threads_option
@json_option
def review(
    file: str,
    seat: int | None,
    player: int | None,
    worst: int,
    policy: str,
    ways: int,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """
    What each play of recorded rounds cost, the worst ones first.

    FILE holds a record a line, as 'basra-sim trace' prints them; - stands for
    standard input. For every play that had a choice the cards that its player
    could not see are laid in many ways as they may have lain, and each legal
    play is played out. It takes some seconds a round.
    """
    with Progress("rounds") as progress:
        progress.say("Getting ready …")
        from analyses.advising.reviewing import review_rounds
        from basra_sim.cli.replay import record_count, replays
        from basra_sim.errors import InputError

        total = record_count(file)

        def tell(done: int, _: int) -> None:
            if total:
                progress(done, max(done, total))
            else:
                progress.say(f"{counted(done, 'rounds')} reviewed")

        found = review_rounds(
            replays(file), seat=seat, player=player, policy=policy, ways=ways, seed=seed, threads=threads,
            progress=tell,
        )  # fmt: skip
        if not found.rounds:
            name = "standard input" if file == "-" else file
            raise InputError(f"{name} holds no record: one is a line of JSON with variant, players, deck, plays")
    if as_json:
        show_json(found.to_dict())
    else:
        show(_lines(found, worst))


def _lines(found: "Review", worst: int) -> Iterator[str]:
    """Lines that tell of a review."""
    from analyses.advising.reviewing import DOUBT
    from basra_sim.stats import CONFIDENCE

    mistakes = found.mistakes
    sure = sum(each.is_sure for each in mistakes)
    yield from paragraph(
        f"{counted(found.rounds, 'rounds')}, {counted(len(found.decisions), 'plays')} with a choice, "
        f"{sure:,} that cost points beyond chance"
    )
    yield from paragraph(
        f"{found.ways:,} ways in which hidden cards may lie, seed {found.seed}; all play on as {found.policy}; "
        f"intervals at {CONFIDENCE:.0%} confidence",
        hanging=2,
    )
    for place, each in enumerate(mistakes[:worst], 1):
        yield ""
        yield from _mistake(place, each)
    yield ""
    yield from _costs(found)
    yield ""
    yield from paragraph(
        "cost: points by which the best play is better than the one made, as far as its player could know who "
        "remembers all cards. The best is chosen by one half of the ways and measured by the other: costs are not too "
        "high on average, and a little too low where plays are close.",
        hanging=2,
    )
    yield from paragraph(
        f"Ways that the others would not have played so count less: {DOUBT:g} for each play that is not as expected.",
        hanging=2,
    )
    yield from paragraph("solved: nothing was hidden; the cost is exact, with perfect play from then on.", hanging=2)


def _mistake(place: int, each: "Decision") -> Iterator[str]:
    """Lines that tell of a mistake."""
    from basra_sim.cards import card_names

    who = f"seat {each.seat}" + (f" (player {each.player})" if each.player != each.seat else "")
    if each.solved:
        cost = f"{each.cost.value:g} (solved)"
    else:
        value, low, high = figures(each.cost)
        cost = f"{value} ({low} to {high})" + ("" if each.is_sure else ", may be chance")
    yield from paragraph(f"{place}. round {each.round}, play {each.play}, {who}: cost {cost}", hanging=4)
    floor = " ".join(card_names(list(each.floor))) or "(empty)"
    yield from paragraph(f"floor {floor}; hand {' '.join(card_names(list(each.hand)))}", 4, 2)
    yield from paragraph(f"{played(each.moves[each.played])}; better: {played(each.moves[each.best])}", 4, 2)


def _costs(found: "Review") -> list[str]:
    """Table of costs by round and seat, or by player alone where there are many rounds."""
    moved = any(each.player != each.seat for each in found.decisions)
    rows = []
    if found.rounds <= MOST_SHOWN:
        for (number, seat, player), cost in found.costs(("round", "seat", "player")).items():
            rows.append([str(number), str(seat), *[str(player)] * moved, f"{cost.units}", *figures(cost)])
    for (player,), cost in found.costs(("player",)).items():
        if found.rounds > 1:
            rows.append(["all", *([""] * moved), str(player), f"{cost.units:,}", *figures(cost)])
    headings = ["round", "seat", *["player"] * moved, "choices", "cost", "low", "high"]
    return table(headings, rows, right=range(1, len(headings)))
