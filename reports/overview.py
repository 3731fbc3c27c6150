"""The top of the part on advice: all verdicts in one table, all effects on one axis."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analyses.claims import summary
from analyses.claims.model import FREQUENCY, KINDS, Claim
from analyses.claims.testing import Tested
from analyses.claims.verdict import DEPENDS, NO_DIFFERENCE
from analyses.frames import estimates, rows_of
from analyses.jobs import STRONGEST
from basra_sim.cli.text import counted
from reports.advice import badge, precision, shown
from reports.advice_figures import plot_effects, told
from reports.findings import savings
from reports.numbers import shown_unit
from reports.parts import Cell, Chapter, Detail, Figure, Heading, Section, Table, estimate_cell, stacked
from reports.said import plain
from reports.sentences import known_as, sentence, worth
from reports.wording import joined

NAME, EFFECTS = "verdicts", "effects"

_COUNTED = {DEPENDS: "that depend on something", NO_DIFFERENCE: "that make no difference"}


def chapter(tested: Tested) -> Chapter:
    """Chapter with the verdicts on all claims."""
    made = section(tested)
    sections = [replace(made, lead="", figures=[])]
    if made.figures:
        sections.append(Section(EFFECTS, "All effects on one scale", figures=made.figures))
    return Chapter("glance", "The verdicts at a glance", [made.lead], sections)


def section(tested: Tested) -> Section:
    """Section with the verdicts on all claims."""
    claims = shown(tested)
    effects = summary.effects(tested.judged, claims)
    listed = verdicts(tested, claims, effects)
    verdict_counts = listed["verdict"].value_counts()
    lead = joined([f"{number} {_COUNTED.get(str(name), name)}" for name, number in verdict_counts.items()])
    how = [
        precision(tested.judged, claims),
        *savings(tested.judged),
        f"Each piece is judged by the first kind of test registered for it: {'; '.join(KINDS.values())}.",
    ]
    return Section(
        NAME,
        "All verdicts",
        brief=f"of {counted(len(claims), 'pieces')} of advice, {lead}.",
        lead=f"Of {counted(len(claims), 'pieces')} of advice: {lead}.",
        figures=[_figure(effects)] if (effects["kind"] != FREQUENCY).any() else [],
        tables=[_table(listed, effects, tested, claims)],
        details=[Detail("How closely all this is known", [each for each in how if each])],
        data={NAME: listed, EFFECTS: effects},
    )


def verdicts(tested: Tested, claims: Sequence[Claim], effects: pd.DataFrame) -> pd.DataFrame:
    """
    Verdicts on claims, the largest effects first within a kind of test.

    Returns
    -------
    DataFrame
        claim, advice, verdict, depends_on, sentence (the verdict as a player reads it), kind, measure, unit (of the
        first thing the verdict rests on), and for each player the estimate, its interval and the outcome (greedy,
        greedy_low, greedy_high, greedy_outcome …), applied (decisions a deal for the strongest player)
    """
    by_name = {claim.name: claim for claim in claims}
    order = [
        str(row.claim)
        for row in effects.itertuples()
        if row.kind == by_name[str(row.claim)].decided_by
    ]  # fmt: skip
    rows: list[dict[str, Any]] = []
    for name in [*dict.fromkeys(order), *(name for name in by_name if name not in order)]:
        claim, found = by_name[name], tested.verdicts[name]
        part = effects[(effects["claim"] == name) & (effects["kind"] == claim.decided_by)]
        measure = part["measure"].iloc[0] if len(part) else ""
        part = part[part["measure"] == measure]
        row = {"claim": name, "advice": claim.advice, "verdict": found.name, "depends_on": found.on}
        row["sentence"] = plain(sentence(claim, found, tested.judged))
        row |= {"kind": claim.decided_by, "measure": measure, "unit": part["unit"].iloc[0] if len(part) else ""}
        for each in rows_of(part):
            player = each["policy"]
            row |= {player: each["estimate"], f"{player}_low": each["low"], f"{player}_high": each["high"]}
            row |= {f"{player}_units": each["units"], f"{player}_outcome": each["outcome"]}
        rows.append({**row, "applied": summary.applied(tested.judged, claim, STRONGEST)})
    return pd.DataFrame(rows)


def _table(listed: pd.DataFrame, effects: pd.DataFrame, tested: Tested, claims: Sequence[Claim]) -> Table:
    """Table of the verdicts."""
    by_name = {claim.name: claim for claim in claims}
    rows = []
    for row in rows_of(listed):
        claim, found = by_name[row["claim"]], tested.verdicts[row["claim"]]
        part = effects[(effects["claim"] == claim.name) & (effects["kind"] == claim.decided_by)]
        part = part[(part["measure"] == row["measure"]) & (part["policy"] == STRONGEST)]
        gains = [
            estimate_cell(each, unit, signed=True, note=shown_unit(unit).removeprefix("points "))
            for each, unit in zip(estimates(part), map(str, part["unit"]), strict=True)
            if unit.startswith("points")
        ]
        rows.append(
            [
                Cell(claim.advice, link=f"#{claim.name}"),
                Cell(row["verdict"], badge=badge(found)),
                Cell(" ".join(worth(claim, found, tested.judged))),
                gains[0] if gains and claim.decided_by != FREQUENCY else Cell("–"),
            ]
        )
    headings = [
        Heading("advice", key="advice"),
        Heading("verdict", key="verdict"),
        Heading("in short", key="sentence"),
        Heading(f"worth to {known_as(STRONGEST)}", "points", STRONGEST),
    ]
    caption = (
        "The verdicts: ways of playing first, then decisions, then what is counted; within the first two, the largest "
        f"effect first. 95 % intervals; seed {tested.effort.seed}."
    )
    return Table(NAME, caption, headings, 1, rows, NAME, words=True)


def _figure(effects: pd.DataFrame) -> Figure:
    """Figure of all effects: ways of playing, decisions, chances to win a match, each on an axis of its own."""
    part = effects[effects["kind"] != FREQUENCY]
    panels = [one for _, one in part.groupby(["kind", "unit"], sort=False)]
    draws = [partial(_draw, one) for one in panels]
    counts = joined([f"{units:,}" for units in sorted(part["units"].unique(), reverse=True)[:3]], "or")
    return stacked(
        draws,
        name=EFFECTS,
        caption="All effects: right of the line the advice gains. Above, followed strictly as a way of playing, "
        "in points a round; below, what following gains at a decision. The band is what does not matter. "
        f"{counts} deals or fewer; 95 % intervals; seed {part['seed'].iloc[0]}.",
        alt="Effects of all advice, a row with intervals for each piece and a mark for each player. "
        f"{' '.join(told(one, 'claim', 'policy') for one in panels)}",
        data=EFFECTS,
        heights=[0.95 + 0.36 * one["claim"].nunique() for one in panels],
    )


def _draw(one: pd.DataFrame, ax: Any) -> Any:
    """Draw one panel on axes."""
    return plot_effects(one, ax=ax)
