"""The report: plays what its analyses need, and puts together the chapters that all its formats show."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pandas as pd

from analyses.balance import contrasts, runs
from analyses.balance.skill import BETTER
from analyses.claims import testing
from analyses.jobs import Effort, Job, Watch, Work
from analyses.strength import exploiting, ladder
from reports import advice, balance, chapters, overview, strength
from reports.parts import Chapter
from reports.scope import ADVICE, GAMES, PLAYERS, Scope
from reports.wording import joined

VARIANTS, RULES, TESTED = "the variants", "single rules", "the advice"
LADDER, RESPONSES = "the players", "those who know them"
"""What is played."""

MAIN_FRAMES = {ADVICE: TESTED, GAMES: VARIANTS, PLAYERS: LADDER}
"""What each part of a report cannot do without."""

TWO, MORE, SINGLE = 2.0, 1.0, 1.0
"""Deals of each batch as a part of `Effort.rounds`: at tables of two; at larger ones; where single rules differ."""

CONTESTS, SEARCHED = 0.4, 1 / 250
"""The same of the deals of each pairing of players, and of one with a player who searches."""

LARGER = ("3", "4", "pairs")
"""Tables of more than two, where one level of play is enough."""


@dataclass(frozen=True)
class Report:
    """
    A report, ready to be written in any format.

    Attributes
    ----------
    title : what stands above it
    effort : how much was played
    scope : what it is about
    date : the day it was made on, the only thing that differs between two of the same effort and scope
    chapters : in their order
    verdicts : for each claim, what JSON says of its verdict
    """

    title: str
    effort: Effort
    scope: Scope
    date: str
    chapters: tuple[Chapter, ...]
    verdicts: tuple[Mapping[str, object], ...] = ()

    @property
    def data(self) -> dict[str, pd.DataFrame]:
        """What stands behind figures and tables, by name."""
        sections = [section for chapter in self.chapters for section in chapter.sections]
        return {name: frame for section in sections for name, frame in section.data.items()}


def extents(effort: Effort, scope: Scope) -> dict[str, runs.Extent]:
    """What is played to compare variants, by what it is for."""
    two = runs.Extent(scope.games, deals=round(effort.rounds * TWO), seed=effort.seed, threads=effort.threads)
    more = replace(two, companies=LARGER, policies=(BETTER,), deals=round(effort.rounds * MORE), decisions=0)
    return {"two players": two, "three, four, pairs": more}


def contests(effort: Effort, scope: Scope) -> ladder.Extent:
    """What is played to rate the players, under the first of the variants where some are named."""
    deals, searched = (max(2, round(effort.rounds * part)) for part in (CONTESTS, SEARCHED))
    return ladder.extent(scope.rated, deals=deals, searched=searched, seed=effort.seed, threads=effort.threads)


def batches(effort: Effort, scope: Scope) -> dict[str, list[Job]]:
    """What has to be played, by what it is for."""
    found: dict[str, list[Job]] = {}
    if GAMES in scope.parts:
        found[VARIANTS] = [job for extent in extents(effort, scope).values() for job in runs.jobs(extent)]
        if not scope.variants:
            found[RULES] = list(contrasts.jobs(round(effort.rounds * SINGLE), effort.seed, effort.threads))
    if PLAYERS in scope.parts:
        found[LADDER] = list(ladder.jobs(contests(effort, scope)))
        found[RESPONSES] = list(exploiting.jobs(contests(effort, scope)))
    if ADVICE in scope.parts:
        found[TESTED] = testing.batches(scope.claims, effort)
    return found


def make(effort: Effort, scope: Scope, watch: Watch | None = None) -> Report:
    """Play what is to be played and make the report of it; the same effort and scope make the same but for the date."""
    works = planned(effort, scope)
    play(works, watch)
    return composed(effort, *finished(effort, scope, works))


def planned(effort: Effort, scope: Scope) -> dict[str, Work]:
    """What has to be played, by what it is for, and nothing of it done yet."""
    return {name: Work(jobs) for name, jobs in batches(effort, scope).items()}


def play(works: Mapping[str, Work], watch: Watch | None = None) -> None:
    """Play what is not played yet."""
    for work in works.values():
        work.run(watch)


def finished(
    effort: Effort, scope: Scope, works: Mapping[str, Work]
) -> tuple[Scope, dict[str, pd.DataFrame], list[str]]:
    """
    What a report can tell, where it may have been cut short.

    Returns
    -------
    Scope
        Without the parts, and without the claims, that were not played to their end.
    dict of str to DataFrame
        What came out, by what it was played for.
    list of str
        What is missing, in words.
    """
    frames = {name: work.rows for name, work in works.items() if name != TESTED and len(work.done) == len(work.jobs)}
    claims = scope.claims
    lacking: list[str] = []
    if TESTED in works:
        found, lacking = testing.tested(scope.claims, effort, works[TESTED])
        claims = tuple(found.claims)
        if claims:
            frames[TESTED] = found.played
    parts = tuple(part for part in scope.parts if MAIN_FRAMES[part] in frames)
    missing = [name for name in works if name not in frames and name != TESTED]
    missing += [f"{TESTED} ({', '.join(lacking)})"] if lacking else []
    return replace(scope, parts=parts, claims=claims), frames, missing


def composed(effort: Effort, scope: Scope, frames: Mapping[str, pd.DataFrame], missing: Sequence[str] = ()) -> Report:
    """
    Report of what has been played.

    Parameters
    ----------
    scope, frames, missing : as `finished` gives them
    """
    made = {ADVICE: _advice, GAMES: _games, PLAYERS: _players}
    found: list[Chapter] = []
    sizes: list[tuple[str, list[tuple[str, int]]]] = []
    for part in scope.parts:
        more, counts = made[part](effort, scope, frames)
        found += more
        sizes += counts
    verdicts: tuple[Mapping[str, object], ...] = ()
    if ADVICE in scope.parts:
        verdicts = tuple(advice.verdicts(testing.Tested(scope.claims, effort, frames[TESTED])))
    found += [chapters.made(effort, scope, sizes), chapters.limits()]
    if missing:
        found[0].text.insert(0, interrupted(missing))
    return Report(_title(scope), effort, scope, today(), tuple(found), verdicts)


Made = tuple[list[Chapter], list[tuple[str, list[tuple[str, int]]]]]
"""Chapters of a part, and what was played for it, how often, by which players."""


def _advice(effort: Effort, scope: Scope, frames: Mapping[str, pd.DataFrame]) -> Made:
    """Chapters on the advice."""
    tested = testing.Tested(scope.claims, effort, frames[TESTED])
    return [overview.chapter(tested), advice.chapter(tested)], chapters.played(effort)


def _games(effort: Effort, scope: Scope, frames: Mapping[str, pd.DataFrame]) -> Made:
    """Chapter that compares the games."""
    text = "The rule sets side by side, and what machines of different strength found by playing them."
    sections = [*balance.sections(frames[VARIANTS], frames.get(RULES)), chapters.rule_sets(scope.games)]
    sizes = [
        (
            f"deals of each variant, {table}",
            [(policy, runs.fewer(extent.deals or 0, policy)) for policy in extent.policies],
        )
        for table, extent in extents(effort, scope).items()
    ]
    return [Chapter("games", "The games compared", [text], sections, listed=True)], sizes


def _players(effort: Effort, scope: Scope, frames: Mapping[str, pd.DataFrame]) -> Made:
    """Chapter on the players."""
    of = contests(effort, scope)
    taken = exploiting.exploitability(of, frames[RESPONSES]) if RESPONSES in frames else None
    section = strength.section(ladder.ladder_of(of, frames[LADDER]), taken)
    sizes = [("deals of each pairing of players", [("most", of.deals), ("who searches", of.searched)])]
    return [Chapter("players", "The players' ladder", sections=[section])], sizes


def interrupted(missing: Sequence[str]) -> str:
    """What is to be said of a report that was cut short."""
    return f"Interrupted: what was not played to its end is missing here, {joined(missing)}."


def today() -> str:
    """The day, in UTC, as ISO 8601 writes it; that of ``SOURCE_DATE_EPOCH`` (seconds since 1970) where that is set."""
    set_to = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(set_to), UTC) if set_to.isdecimal() else datetime.now(UTC)
    return now.date().isoformat()


def _title(scope: Scope) -> str:
    """What stands above a report."""
    games = joined(scope.told)
    if scope.asked:
        return f"Basra: {joined([claim.name for claim in scope.claims])} ({games})"
    if scope.parts == (PLAYERS,):
        return f"Basra: the players of {games}"
    return f"Basra: {games}" if scope.variants else f"Basra in {len(scope.games)} rule sets"
