"""The command ``ladder``. What it needs is imported when it is called."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.completing import complete_policy, complete_variant
from basra_sim.cli.ending import finished_parts
from basra_sim.cli.jobs import job_options
from basra_sim.cli.options import (
    examples,
    json_option,
    named,
    number,
    pairs_option,
    players_option,
    seed_option,
    threads_option,
)
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import figures, missing_parts, paragraph, show, show_json, table
from basra_sim.files import output_file

if TYPE_CHECKING:
    import pandas as pd

    from analyses.jobs import Work
    from analyses.strength.ladder import Extent, Ladder

FORMATS = (".svg", ".html")


@click.command(
    epilog=examples(
        "basra-sim ladder",
        "basra-sim ladder egyptian --policy greedy --policy counter --policy mine.py",
        "basra-sim ladder bastra --exploit --output ladder.html",
    )
)
@click.argument("variant", default="bastra", metavar="[VARIANT]", shell_complete=complete_variant)
@players_option
@pairs_option
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="POLICY",
    shell_complete=complete_policy,
    help="A player, such as counter-memory:8, FILE.py:NAME or FILE.json; give it several times.  [default: all that "
    "come with the package]",
)
@click.option("--deals", type=number, metavar="N", default="20k", show_default=True, help="Deals of each pairing.")
@click.option(
    "--searched",
    type=number,
    metavar="N",
    default="1000",
    show_default=True,
    help="Deals of each pairing with a player who searches; the first of the same.",
)
@click.option("--exploit", is_flag=True, help="Find, too, what can be taken from each player; takes as long again.")
@seed_option
@threads_option
@job_options
@json_option
@click.option("--output", type=named, metavar="FILE", help="Write a figure, FILE.svg, or a page, FILE.html.")
def ladder(
    variant: str,
    players: int | None,
    pairs: bool,
    policies: tuple[str, ...],
    deals: int,
    searched: int,
    exploit: bool,
    seed: int,
    threads: int | None,
    as_json: bool,
    output: str | None,
) -> None:
    """
    Rate players by a round robin on common deals.

    Each plays against each, every deal with the seats exchanged; among three
    or four players one sits among others alike, from each seat in turn, both
    ways. Takes some four minutes on two processors with all players; expert
    takes nearly all of it. With --exploit, opponents are made against each
    player, and what they gain is what can be taken from him at least.
    """
    file = None if output is None else output_file(output, FORMATS)
    with Progress("thousand rounds' work") as progress:
        progress.say("Getting ready …")
        from analyses.claims.cli import watch
        from analyses.jobs import Work
        from analyses.strength import exploiting
        from analyses.strength.ladder import extent, jobs

        of = extent(
            variant,
            players or (4 if pairs else 2),
            pairs,
            policies,
            deals=deals,
            searched=searched,
            seed=seed,
            threads=threads,
        )
        contests, hunts = Work(list(jobs(of))), Work(list(exploiting.jobs(of)) if exploit else [])
        told = watch([*contests.jobs, *hunts.jobs], progress)
        with finished_parts() as cut:
            contests.run(told)
            hunts.run(told)
    found, taken, missing = _finished(of, contests, hunts)
    if file is not None and not cut.short and found is not None:
        _write(file, found, taken, policies)
    if as_json:
        show_json(_document(found, taken) | {"missing": missing})
    else:
        show(_lines(found, taken) if found else [])
        more = [*[_ALONE] * (found is not None), *[_UNWRITTEN] * (file is not None)]
        show(missing_parts(missing, len(of.policies), "players", " ".join(more)))
    cut.end()


_ALONE = "The ladder above is of the others, and right by itself."
_UNWRITTEN = "No file was written."


def _finished(of: "Extent", contests: "Work", hunts: "Work") -> "tuple[Ladder | None, pd.DataFrame | None, list[str]]":
    """Ladder of those who have played all others, what can be taken from them, and the names of those who have not."""
    from analyses.strength.exploiting import exploitability
    from analyses.strength.ladder import among, ladder_of

    missing = contests.missing()
    present = among(of, missing)
    if present is None:
        return None, None, [policy.name for policy in of.policies]
    found = ladder_of(present, contests.rows)
    hunted = among(of, hunts.missing()) if hunts.done else None
    taken = exploitability(hunted, hunts.rows) if hunted else None
    return found, taken, list(dict.fromkeys([*missing, *hunts.missing()]))


def _document(found: "Ladder | None", taken: "pd.DataFrame | None") -> dict[str, Any]:
    """All that was found, for JSON."""
    from analyses.strength.ladder import plain

    ladder = {} if found is None else found.to_dict()
    return ladder | ({} if taken is None else {"exploitability": plain(taken)})


def _lines(found: "Ladder", taken: "pd.DataFrame | None") -> Iterator[str]:
    """Lines that tell of a ladder."""
    from analyses.balance.runs import company_words
    from basra_sim.stats import CONFIDENCE
    from reports.strength import ADDED, ELO_SAID, LOWER_BOUND, misfit, played, unfair

    table_words = f"{found.extent.table.label}, {company_words(found.extent.table)}"
    yield from paragraph(f"{table_words}, {played(found)}", hanging=2)
    yield f"Intervals at {CONFIDENCE:.0%} confidence"
    yield ""
    yield from _ratings(found)
    yield ""
    yield from _margins(found)
    if taken is not None:
        yield ""
        yield from _taken(taken)
    yield ""
    more = [] if taken is None else [LOWER_BOUND]
    for text in [*unfair(found), ADDED, ELO_SAID, misfit(found), *more]:
        yield from paragraph(text, hanging=2)


def _ratings(found: "Ladder") -> list[str]:
    """Table of ratings, the best player first."""
    from analyses.frames import by_key
    from analyses.strength.ladder import ELO, RATING

    known = by_key(found.ratings, "policy", "measure")
    rows = [
        [name, *figures(known[name, RATING]), *figures(known[name, ELO])]
        for name in dict.fromkeys(map(str, found.ratings["policy"]))
    ]
    return table(["player", "points a round", "low", "high", "Elo", "low", "high"], rows, right=range(1, 7))


def _margins(found: "Ladder") -> list[str]:
    """Table of margins, each pairing once, the better player first; both ways among singles."""
    from analyses.frames import by_key
    from analyses.strength.ladder import MARGIN, WON

    known = by_key(found.margins, "policy", "opponent", "measure")
    both = found.extent.table.team_count > 2
    names = list(dict.fromkeys(map(str, found.ratings["policy"])))
    rows = [
        [
            one,
            other,
            *figures(known[one, other, MARGIN]),
            figures(known[one, other, WON].scaled(100))[0],
            f"{known[one, other, MARGIN].units:,}",
        ]
        for k, one in enumerate(names)
        for other in (names if both else names[k:])
        if one != other
    ]
    return table(["player", "against", "margin", "low", "high", "% won", "deals"], rows, right=range(2, 7))


def _taken(taken: "pd.DataFrame") -> list[str]:
    """Table of what can be taken from each player."""
    from analyses.frames import by_key
    from analyses.strength.exploiting import EXPLOITABILITY, SEARCHING, TUNED

    known = by_key(taken, "policy", "measure")
    rows = [
        [
            name,
            *figures(known[name, EXPLOITABILITY]),
            figures(known[name, TUNED])[0],
            figures(known[name, SEARCHING])[0],
            f"{known[name, EXPLOITABILITY].units:,}",
        ]
        for name in dict.fromkeys(map(str, taken["policy"]))
    ]
    return table(["from", "at least", "low", "high", "tuned", "searching", "deals"], rows, right=range(1, 7))


def _write(file: Path, found: "Ladder", taken: "pd.DataFrame | None", policies: Sequence[str]) -> None:
    """Write a figure or a page, as the ending says."""
    from basra_sim.errors import BasraError
    from basra_sim.files import written_aside
    from reports.strength_pages import page, picture

    text = (
        picture(found)
        if file.suffix.lower() == ".svg"
        else page(found, taken, command(found.extent, policies, exploit=taken is not None))
    )
    try:
        with written_aside(file) as beside:
            beside.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BasraError(f"{file} cannot be written: {error.strerror or error}") from error


def command(of: "Extent", policies: Sequence[str], *, exploit: bool) -> str:
    """Command that brings the same numbers back."""
    table_words = ["--pairs"] if of.table.pairs else [f"--players {of.table.players}"]
    chosen = [f"--policy {each}" for each in policies]
    numbers = [f"--deals {of.deals}", f"--searched {of.searched}", *(["--exploit"] if exploit else [])]
    return f"basra-sim ladder {' '.join([of.table.label, *table_words, *chosen, *numbers])} --seed {of.seed}"
