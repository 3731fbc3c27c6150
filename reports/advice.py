"""Sections of a page about claims: the verdict in a sentence, the numbers, how they came about."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from analyses.claims.duels import CONTROL, CROSS, EXPLORATION, MARGIN, MATCH_WON, PRIMARY
from analyses.claims.model import Claim
from analyses.claims.verdict import FAIR, RULE, Verdict, judge, repeated, verdict
from analyses.frames import by_key, estimates
from basra_sim.simulation import MEASURES
from basra_sim.stats import Estimate
from basra_sim.variants import SOURCES
from reports.figures import plot_duels
from reports.numbers import figure, shown_unit
from reports.parts import Cell, Figure, Heading, Section, Table, count_cell, drawn, estimate_cell
from reports.verdicts import POINTS, findings, headline, how, remarks, reproduce
from reports.wording import joined

WON = MEASURES["match_won"].unit


def section(claim: Claim, frame: pd.DataFrame) -> Section:
    """
    Section about a claim.

    Parameters
    ----------
    frame : DataFrame
        What the jobs of `analyses.claims.duels` give for it.
    """
    judged = judge(frame, claim)
    found, again = verdict(judged, claim), repeated(judged)
    return Section(
        claim.name,
        f"“{claim.advice}”",
        lead=headline(claim, found),
        brief=headline(claim, found),
        text=list(remarks(claim)),
        findings=list(findings(claim, judged)),
        figures=list(_figures(claim, judged)),
        tables=[_results(claim, judged), _again(claim, again), _checks(claim, judged), _registered(claim, found)],
        after=[*how(judged, again), *RULE],
        code=reproduce(claim, judged),
        data={
            claim.name: judged,
            f"{claim.name}-repeated": again,
            f"{claim.name}-registered": pd.DataFrame([_row(claim, found)]),
        },
    )


def _row(claim: Claim, found: Verdict) -> dict[str, Any]:
    """What is registered of a claim, and its verdict."""
    return {
        "claim": claim.name,
        "advice": claim.advice,
        "source": SOURCES[claim.source],
        "applies": claim.applies,
        "predicts": claim.predicts,
        "judged_under": f"{claim.variant}, two players",
        "players": joined([player.name for player in claim.players]),
        "explored_besides": joined([player.name for player in claim.others]),
        "forms": "; ".join(f"{form.name}: {form.does}" for form in claim.forms),
        "verdict_rests_on": joined([form.name for form in claim.primary_forms]),
        "smallest": claim.smallest,
        "verdict": found.name,
        "depends_on": joined(list(found.on)),
        "deals_needed": found.needed,
    }


def _registered(claim: Claim, found: Verdict) -> Table:
    """Table of what is registered."""
    titles = {
        "advice": "the advice",
        "source": "found in",
        "applies": "applies when",
        "predicts": "predicts",
        "judged_under": "judged under",
        "players": "players, both sides alike",
        "explored_besides": "explored besides",
        "forms": "forms",
        "verdict_rests_on": "the verdict rests on",
        "smallest": "smallest effect that matters",
        "verdict": "verdict",
    }
    row = _row(claim, found)
    name = f"{claim.name}-registered"
    rows = []
    for key, title in titles.items():
        value = row[key]
        words = Cell(f"{value} {shown_unit(POINTS)}", value=value) if key == "smallest" else Cell(str(value))
        rows.append([Cell(title), words])
    headings = [Heading("", key="key"), Heading("", key="value")]
    return Table(name, "What is registered, and the verdict by the rule below.", headings, 1, rows, name, words=True)


def _figures(claim: Claim, judged: pd.DataFrame) -> Iterator[Figure]:
    """Figures of the margins and of matches won, for each set of rules."""
    for variant in claim.variants:
        here = judged[judged["variant"] == variant]
        for measure, title, smallest in (
            (MARGIN, "Points a round that the advice gains", claim.smallest),
            (MATCH_WON, "Matches that the player with the advice wins", 0.0),
        ):
            rows = here[(here["measure"] == measure) & ~here["role"].isin([CROSS, CONTROL])]
            seeds = [str(seed) for seed in rows["seed"].unique()]
            again = f", hollow: seed {seeds[1]}" if len(seeds) > 1 else ""
            counts = joined([f"{units:,}" for units in sorted(rows["units"].unique(), reverse=True)], "or")
            band = f" The band is what does not matter, up to {smallest} points." if smallest else ""
            yield drawn(
                _drawing(rows, FAIR[measure], smallest),
                name=f"{claim.name}-{variant}-{measure}".replace("_", "-"),
                caption=f"{title}, {variant}: right of the line it gains.{band} {counts} "
                f"{'deals' if measure == MARGIN else 'matches'} with seats exchanged, by strength; 95 % intervals; "
                f"seed {seeds[0]}{again}.",
                alt=f"{title} under {variant} rules: dots with intervals, a row for each form and player.",
                data=claim.name,
                height=0.9 + 0.23 * len(rows.groupby(["form", "policy"])) + 0.25 * rows["form"].nunique(),
            )


def _drawing(rows: pd.DataFrame, null: float, smallest: float) -> Any:
    """Function that draws rows on axes."""
    return lambda ax: plot_duels(rows, ax=ax, null=null, smallest=smallest)


def _results(claim: Claim, judged: pd.DataFrame) -> Table:
    """Table of all duels on the first seed."""
    keys = ("variant", "form", "policy")
    margins = judged[(judged["measure"] == MARGIN) & judged["role"].isin([PRIMARY, EXPLORATION])]
    won = by_key(judged[judged["measure"] == MATCH_WON], *keys)
    rows = []
    for row, margin in zip(margins.to_dict("records"), estimates(margins), strict=True):
        wins = won[row["variant"], row["form"], row["policy"]]
        rows.append(
            [
                *(Cell(row[key]) for key in keys),
                estimate_cell(margin, POINTS, signed=True),
                Cell(row["outcome"]),
                _pvalue(row["p_difference_corrected"]),
                _pvalue(row["p_equivalence_corrected"]),
                count_cell(row["units"]),
                _gain(row["pairing_gain"]),
                estimate_cell(wins, WON),
                count_cell(wins.units),
                Cell(row["role"]),
            ]
        )
    headings = [
        *(Heading(title, key=key) for title, key in zip(("rules", "form", "players"), keys, strict=True)),
        Heading("gain", shown_unit(POINTS), "estimate"),
        Heading("outcome", key="outcome"),
        Heading("difference", "p, corrected", "p_difference_corrected"),
        Heading("equivalence", "p, corrected", "p_equivalence_corrected"),
        Heading("deals", key="units"),
        Heading("seats exchanged", "times fewer rounds", "pairing_gain"),
        Heading("matches won", shown_unit(WON), "won"),
        Heading("matches", key="won_units"),
        Heading("role", key="role"),
    ]
    caption = f"What the advice gains. 95 % intervals; seed {margins['seed'].iloc[0]}."
    return Table(claim.name, caption, headings, 3, rows, claim.name)


def _again(claim: Claim, again: pd.DataFrame) -> Table:
    """Table of the primary duels on two seeds."""
    rows = []
    for row in again.to_dict("records"):
        pairs = [
            Estimate(row[value], row[low], row[high], int(row["units"]))
            for value, low, high in (
                ("estimate", "low", "high"),
                ("estimate_again", "low_again", "high_again"),
                ("difference", "difference_low", "difference_high"),
            )
        ]
        cells = [estimate_cell(found, POINTS, signed=True) for found in pairs]
        agrees = Cell("yes" if row["agrees"] else "no")
        rows.append(
            [*(Cell(row[key]) for key in ("variant", "form", "policy")), *cells, agrees, count_cell(row["units"])]
        )
    unit = shown_unit(POINTS)
    headings = [
        *(Heading(title, key=key) for title, key in (("rules", "variant"), ("form", "form"), ("players", "policy"))),
        Heading(f"seed {again['seed'].iloc[0]}", unit, "estimate"),
        Heading(f"seed {again['seed_again'].iloc[0]}", unit, "estimate_again"),
        Heading("difference", unit, "difference"),
        Heading("agree", key="agrees"),
        Heading("deals", key="units"),
    ]
    name = f"{claim.name}-repeated"
    return Table(name, "The primary duels on the deals of another seed. 95 % intervals.", headings, 3, rows, name)


def _checks(claim: Claim, judged: pd.DataFrame) -> Table:
    """Table of cross-checks and controls."""
    part = judged[judged["role"].isin([CROSS, CONTROL])]
    keys = ("role", "variant", "form", "policy", "opponent")
    rows = [
        [
            *(Cell(row[key]) for key in keys),
            estimate_cell(found, POINTS, signed=True),
            Cell(row["outcome"]),
            count_cell(row["units"]),
        ]
        for row, found in zip(part.to_dict("records"), estimates(part), strict=True)
    ]
    titles = ("check", "rules", "form", "players", "against")
    headings = [
        *(Heading(title, key=key) for title, key in zip(titles, keys, strict=True)),
        Heading("gain", shown_unit(POINTS), "estimate"),
        Heading("outcome", key="outcome"),
        Heading("deals", key="units"),
    ]
    caption = (
        "Cross-checks: what the advice gains a player against another kind of player than himself. "
        "Controls: a player against himself. 95 % intervals."
    )
    return Table(f"{claim.name}-checks", caption, headings, 5, rows, claim.name)


def _pvalue(value: float) -> Cell:
    """Cell of a p-value."""
    if pd.isna(value):
        return Cell("–")
    return Cell("< 0.0001" if value < 0.0001 else figure(value, 4 if value < 0.01 else 2), value=value)


def _gain(value: float | None) -> Cell:
    """Cell of a gain of pairing."""
    if value is None or pd.isna(value):
        return Cell("–")
    return Cell(f"× {figure(value, 1 if value < 99 else 0)}", value=value)
