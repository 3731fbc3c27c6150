"""Sections of a page about claims, a card each: the verdict, what it is worth, when it is right, and the proof."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analyses.claims import summary
from analyses.claims.choices import FOLLOWED
from analyses.claims.model import DECISION, FREQUENCY, PLAYING, Claim
from analyses.claims.naming import quantity
from analyses.claims.rows import AGAIN, EXPLORATION, MARGIN, PRIMARY, UNITS
from analyses.claims.testing import Tested
from analyses.claims.verdict import (
    DEPENDS,
    NO_DIFFERENCE,
    OPPONENT,
    PART,
    PLAYER,
    REFUTED,
    SUPPORTED,
    UNDECIDED,
    WEAK_ONLY,
    Verdict,
    repeated,
)
from analyses.claims.wording import in_doubt, states, warnings
from basra_sim.variants import SOURCES
from reports import advice_tables as tables
from reports.advice_figures import plot_degrees, plot_forms, plot_map, plot_split, scale, told
from reports.findings import pairing, practices, rank, reproduce, sizes, when
from reports.numbers import shown_unit
from reports.parts import Badge, Chapter, Detail, Figure, Section, drawn, stacked
from reports.said import plain
from reports.sentences import sentence
from reports.wording import joined

BADGES = {
    SUPPORTED: Badge("supported", "✓", SUPPORTED),
    WEAK_ONLY: Badge("weak", "◐", WEAK_ONLY),
    NO_DIFFERENCE: Badge("nothing", "=", NO_DIFFERENCE),
    REFUTED: Badge("refuted", "✗", REFUTED),
    DEPENDS: Badge("depends", "↔", "depends: see when"),
    UNDECIDED: Badge("undecided", "?", UNDECIDED),
}
"""How verdicts are shown."""


TOLD = (
    "A card for each piece of advice: the verdict, what it is worth, and when it is right; below, the numbers behind "
    "it, what was tried besides, and how it was found."
)


def shown(tested: Tested) -> list[Claim]:
    """Claims of which there is anything to show."""
    there = set(tested.judged["claim"])
    return [claim for claim in tested.claims if claim.name in there]


def chapter(tested: Tested) -> Chapter:
    """Chapter with a card for each claim."""
    return Chapter("advice", "The advice, piece by piece", [TOLD], sections(tested))


def verdicts(tested: Tested) -> Iterator[dict[str, Any]]:
    """Verdicts for JSON, with the sentences that stand on the cards."""
    for claim in shown(tested):
        found = tested.verdicts[claim.name]
        yield {
            "claim": claim.name,
            "advice": claim.advice,
            "verdict": found.name,
            "depends_on": found.on or None,
            "sentence": plain(sentence(claim, found, tested.judged)),
            "judged_at": claim.table.label,
            "judged_by": claim.decided_by,
            "players": dict(found.states),
            "units_needed": found.needed,
            "trouble": found.trouble or None,
        }


def sections(tested: Tested) -> list[Section]:
    """A section for each claim."""
    return [section(claim, tested) for claim in shown(tested)]


def section(claim: Claim, tested: Tested) -> Section:
    """Section about a claim."""
    judged, found, effort = tested.judged, tested.verdicts[claim.name], tested.effort
    rows = judged[judged["claim"] == claim.name]
    here = summary.at_table(judged, claim)
    findings = []
    situations = list(when(claim, judged))
    if situations:
        findings.append(("When it is right", situations))
    habits = list(practices(claim, judged))
    if habits:
        findings.append(("Do strong players follow it?", habits))
    if claim.degrees:
        findings.append(("Is it the most important of all?", list(rank(claim, judged))))
    made = Section(
        claim.name,
        f"“{claim.advice}”",
        badge=badge(found),
        lead=sentence(claim, found, judged),
        text=[
            f"When it applies: {claim.applies[0].lower()}{claim.applies[1:]}",
            *warnings(claim, found),
        ],
        findings=findings,
        figures=list(_figures(claim, here)),
        foot=_foot(claim, judged),
        code=reproduce(claim, effort.rounds, effort.seed),
        data={claim.name: rows},
    )
    again = repeated(rows)
    if len(again):
        made.data[f"{claim.name}-repeated"] = again.assign(measure=MARGIN, unit=UNITS[MARGIN])
    made.data[f"{claim.name}-registered"] = pd.DataFrame([tables.registered_row(claim, found)])
    made.details = list(_details(claim, found, judged, again))
    return made


def _foot(claim: Claim, judged: pd.DataFrame) -> str:
    """Where it was judged, on how many deals, by which seed."""
    here = judged[(judged["claim"] == claim.name) & (judged["role"] == PRIMARY)]
    primary = here[here["kind"] == claim.decided_by]
    what = "rounds or matches" if claim.decided_by == FREQUENCY else "deals"
    if not len(primary):
        return ""
    parts = [f"{int(units):,} for {who}" for who, units in primary.groupby("policy", sort=False)["units"].max().items()]
    return f"Judged at {joined(list(tables_of(primary)))}; {what}: {joined(parts)}; seed {primary['seed'].iloc[0]}."


def tables_of(rows: pd.DataFrame) -> Iterator[str]:
    """Tables at which rows were played."""
    for variant, seats in dict.fromkeys(zip(rows["variant"], rows["seats"], strict=True)):
        yield f"{variant}, {seats}"


def badge(found: Verdict) -> Badge:
    """A verdict at a glance."""
    made = BADGES[found.name]
    return replace(made, words=f"depends on the {found.on}") if found.on in (PLAYER, OPPONENT, PART) else made


def _details(claim: Claim, found: Verdict, judged: pd.DataFrame, again: pd.DataFrame) -> Iterator[Detail]:
    """What is folded away: the numbers in full, other situations, other tables, checks, and how it was found."""
    here, rows = summary.at_table(judged, claim), judged[judged["claim"] == claim.name]
    told = [*states(found), *in_doubt(claim, found, rows)]
    told += [f"{title}. {' '.join(sentences)}" for title, sentences in sizes(claim, judged)]
    yield Detail("The numbers, player by player", told, list(tables.primary(claim, judged)))
    beside = list(tables.beside(claim, here))
    if beside:
        yield Detail("More about these decisions", tables=beside)
    elsewhere = list(tables.elsewhere(claim, rows))
    if elsewhere:
        yield Detail(
            "At other tables, as exploration",
            ["The verdict does not rest on these: they were not predicted."],
            elsewhere,
        )
    checks = list(tables.checks(claim, here, again))
    if checks:
        yield Detail("Checks: other opponents, other deals, a player against himself", list(_checked(again)), checks)
    yield Detail(
        "What was registered, and how it was found", list(_how(claim, judged)), [tables.registered(claim, found)]
    )


def _checked(again: pd.DataFrame) -> Iterator[str]:
    """Whether a second seed agrees."""
    if len(again):
        yield (
            f"On the deals of seed {again['seed_again'].iloc[0]} instead, {int(again['agrees'].sum())} of {len(again)} "
            "results come out the same but for chance, judged at a level corrected for their number."
        )


def _how(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """How the numbers came about."""
    here = summary.at_table(judged, claim)
    primary = here[here["role"] == PRIMARY]
    seed = primary["seed"].iloc[0] if len(primary) else ""
    duels = primary[primary["measure"] == MARGIN]
    if len(duels):
        yield (
            f"As a way of playing: the player with the advice against the same one without, on {counts(duels)} deals "
            "(fewer where players think longer), each deal with the seats exchanged; the deal is the unit of the "
            f"intervals. Seed {seed}. Points carried over from a tie for most cards do not come into single deals."
        )
        yield from pairing(here)
    chosen = primary[primary["kind"] == DECISION]
    if len(chosen):
        yield (
            f"As a decision: in {counts(chosen)} deals, every decision to which the advice applies was played on from "
            "twice, once following it and once going against it, with the same hidden cards and the same players; what "
            "counts is the difference at the end of the round. None is picked; those of a deal hang together. "
            f"Seed {seed}. No duel is played, so that there is no exchange of seats to save deals."
        )
    counted = summary.counted(judged, claim)
    if len(counted):
        yield (
            f"As a frequency: counted while players alike play {counts(counted)} rounds or matches, the units of the "
            f"intervals. What is predicted of each quantity was written down before. Seed {counted['seed'].iloc[0]}."
        )
    if claim.source:
        yield f"The advice is found in: {SOURCES[claim.source]}."


def counts(rows: pd.DataFrame) -> str:
    """Numbers of units, in words."""
    return joined([f"{units:,}" for units in sorted(rows["units"].unique(), reverse=True)], "or")


def _figures(claim: Claim, here: pd.DataFrame) -> Iterator[Figure]:
    """Figures of a claim."""
    ways = here[(here["kind"] == PLAYING) & (here["measure"] == MARGIN)]
    primary = ways[ways["role"].isin([PRIMARY, AGAIN])]
    if claim.degrees and len(primary):
        yield _degrees(claim, ways)
    if len(primary):
        yield _forms(claim, primary)
    decided = here[(here["kind"] == DECISION) & (here["policy"] == here["opponent"]) & here["estimate"].notna()]
    decided = decided[(decided["split"] != "") & (decided["measure"] != FOLLOWED)]
    told = claim.contrast or next(iter(summary.telling(here, claim)["split"]), "")
    curve = decided[decided["split"] == claim.curve]
    if len(curve):
        yield _split(claim, curve, "curve")
    if told == "score":
        yield from _maps(claim, by_score(decided[decided["split"] == "score"]))
    elif told:
        yield _split(claim, decided[decided["split"] == told])
    for pair in claim.maps:
        yield from _maps(claim, decided[decided["split"] == " × ".join(pair)])


def by_score(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of places such as "95 : 90", as those of two quantities."""
    return rows.assign(split="own score × other score", place=rows["place"].str.replace(" : ", " × ", regex=False))


def _rest(rows: pd.DataFrame, what: str) -> str:
    """What a figure rests on."""
    return f"{counts(rows)} {what}; 95 % intervals; seed {rows['seed'].iloc[0]}."


def _forms(claim: Claim, rows: pd.DataFrame) -> Figure:
    """Figure of the forms of a way of playing."""
    seeds = list(rows["seed"].unique())
    again = f" Hollow: the same on seed {seeds[1]}." if len(seeds) > 1 else ""
    return drawn(
        partial(_draw_forms, rows, claim.smallest),
        name=f"{claim.name}-forms",
        caption="Points a round that the advice gains: right of the line it gains. The band is what does not matter, "
        f"up to {claim.smallest} points.{again} {_rest(rows, 'deals with seats exchanged, by strength')}",
        alt=f"Points a round that “{claim.advice}” gains, a row for each form and player. "
        f"{told(rows, 'form', 'policy')}",
        data=claim.name,
        height=0.9 + 0.23 * len(rows.groupby(["form", "policy"])) + 0.25 * rows["form"].nunique(),
    )


def _draw_forms(rows: pd.DataFrame, smallest: float, ax: Any) -> Any:
    """Draw forms on axes."""
    return plot_forms(rows, ax=ax, smallest=smallest)


def _degrees(claim: Claim, ways: pd.DataFrame) -> Figure:
    """Figure of the curve over degrees of memory."""
    rows = degrees(claim, ways)
    return drawn(
        lambda ax: plot_degrees(rows, ax=ax, full=claim.degrees[0], smallest=claim.smallest),
        name=f"{claim.name}-degrees",
        caption="What less memory costs: points a round against the same player with all of it, who stands at 0. "
        f"{_rest(rows, 'deals with seats exchanged, by strength and degree')}",
        alt="Points a round by degree of memory, against the same player with all of it. "
        f"{told(rows, 'form', 'policy')}",
        data=claim.name,
        height=3.2,
    )


def degrees(claim: Claim, ways: pd.DataFrame) -> pd.DataFrame:
    """Margins against full memory, a row for each degree and player; the form is the degree."""
    names = {"reversed": claim.degrees[1], **{each: each for each in claim.degrees[2:]}}
    part = ways[ways["form"].isin(names) & ways["role"].isin([PRIMARY, EXPLORATION])]
    return part.assign(form=part["form"].map(names))


def _split(claim: Claim, rows: pd.DataFrame, what: str = "when") -> Figure:
    """Figure of the value of a decision by one quantity, of the situation or (a curve) of the play itself."""
    split, unit = str(rows["split"].iloc[0]), str(rows["unit"].iloc[0])
    following = f"What each {claim.curve} rather than any other" if what == "curve" else "What following it"
    return drawn(
        lambda ax: plot_split(rows, ax=ax, smallest=claim.smallest_decision),
        name=f"{claim.name}-{what}",
        caption=f"{following} gains at a decision, by {quantity(split)}: above the line it gains. The band is "
        f"what does not matter. Places with fewer than 50 decisions are left out. {_rest(rows, 'deals, by strength')}",
        alt=f"{shown_unit(unit)} gained by following “{claim.advice}”, by {quantity(split)}, a line for each player. "
        f"{told(rows, 'place', 'policy')}",
        data=claim.name,
        height=2.9,
    )


def _maps(claim: Claim, rows: pd.DataFrame) -> Iterator[Figure]:
    """Figure of maps by two quantities, one below the other for each player."""
    if not len(rows):
        return
    across, up = str(rows["split"].iloc[0]).split(" × ")
    parts = [part for _, part in rows.groupby("policy", sort=False)]
    most, lines = scale(parts), rows["place"].str.split(" × ").str[1].nunique()
    places = list(rows["place"].unique())
    draws = [partial(_draw_map, part, most, places) for part in parts]
    yield stacked(
        draws,
        name=f"{claim.name}-{across}-{up}".replace("_", "-").replace(" ", "-"),
        caption=f"What following it gains at a decision, by {quantity(across)} and {quantity(up)}: blue gains, orange "
        "costs, the fuller the more; below each estimate half its interval. A ring marks cells whose interval holds 0; "
        f"cells with fewer than 50 decisions stay empty. {_rest(rows, 'deals, by strength')}",
        alt=f"Maps of {shown_unit(str(rows['unit'].iloc[0]))} gained by following “{claim.advice}”, by "
        f"{quantity(across)} and {quantity(up)}, one for each player. {told(rows, 'place', 'policy')}",
        data=claim.name,
        heights=[0.8 + 0.42 * max(lines, 2) for _ in parts],
    )


def _draw_map(part: pd.DataFrame, most: float, places: Sequence[str], ax: Any) -> Any:
    """Draw a map on axes."""
    return plot_map(part, ax=ax, largest=most, places=places)


def precision(judged: pd.DataFrame, claims: Sequence[Claim]) -> str:
    """How precise the primary results came out, in a sentence; empty if there are none."""
    found = summary.effects(judged, claims)
    parts = []
    for kind, what in ((PLAYING, "points a round"), (DECISION, "points a decision")):
        part = found[(found["kind"] == kind) & found["unit"].str.startswith("points")]
        half = ((part["high"] - part["low"]) / 2).dropna()
        half = half[half > 0]
        if len(half):
            parts.append(
                f"± {half.median():.2f} {what} or better in half of the tests, and ± {half.max():.2f} in the worst"
            )
    return f"How precisely effects are known here: {'; '.join(parts)}." if parts else ""
