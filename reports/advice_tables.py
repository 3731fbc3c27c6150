"""Tables about a claim: what was judged, what stands beside it, other tables, checks, what was registered."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from analyses.claims import summary
from analyses.claims.choices import BETTER, BREACHED, FOLLOWED, NEITHER, OUTCOMES, WORSE
from analyses.claims.model import DECISION, FREQUENCY, PLAYING, Claim
from analyses.claims.rows import ADJUSTED, APPLIED, CONTROL, CROSS, EXPLORATION, GAINS, MARGIN, PRIMARY
from analyses.claims.verdict import TESTED, Verdict
from analyses.frames import by_key, estimates, rows_of
from basra_sim.stats import Estimate
from basra_sim.variants import SOURCES
from reports.findings import expectation, outcome_words, times
from reports.numbers import figure, shown_unit
from reports.parts import Cell, Heading, Table, by_player, count_cell, estimate_cell
from reports.wording import joined, place

_ROUND = "points/round"


def primary(claim: Claim, judged: pd.DataFrame) -> Iterator[Table]:
    """Tables of what the verdict rests on, and of the best and the worst situations."""
    here = summary.at_table(judged, claim)
    chosen = here[(here["role"] == PRIMARY) & (here["split"] == "")]
    duels = chosen[chosen["measure"] == MARGIN]
    if len(duels):
        yield _duels(claim, duels, chosen[chosen["measure"] == ADJUSTED])
    if claim.degrees:
        yield _degrees(claim, here)
    decided = here[(here["kind"] == DECISION) & (here["split"] == "") & here["measure"].isin(TESTED)]
    decided = decided[decided["policy"] == decided["opponent"]]
    if len(decided):
        yield _decisions(claim, decided)
    counted = summary.counted(judged, claim)
    if len(counted):
        yield _counted(f"{claim.name}-counted", claim, counted, "What was counted")
    found = summary.extremes(here, claim)
    if len(found):
        yield _situations(
            claim, found, "best", "The situations in which following it pays most, and those in which it pays least"
        )


def _columns(*pairs: tuple[str, str]) -> list[Heading]:
    """Headings without units."""
    return [Heading(title, key=key) for title, key in pairs]


def _duels(claim: Claim, rows: pd.DataFrame, adjusted: pd.DataFrame) -> Table:
    """Table of the primary duels."""
    name, luck = f"{claim.name}-duels", by_key(adjusted, "form", "policy")
    cells = [
        [
            Cell(row["form"]),
            Cell(row["policy"]),
            estimate_cell(found, _ROUND, signed=True),
            Cell(row["outcome"]),
            pvalue(row["p_difference_corrected"]),
            pvalue(row["p_equivalence_corrected"]),
            estimate_cell(luck[row["form"], row["policy"]], _ROUND, signed=True),
            count_cell(row["units"]),
            *(factor(row[gain]) for gain in GAINS),
        ]
        for row, found in zip(rows_of(rows), estimates(rows), strict=True)
    ]
    fewer = "times fewer rounds"
    headings = [
        *_columns(("form", "form"), ("player", "policy")),
        Heading("gain", shown_unit(_ROUND), "estimate"),
        Heading("outcome", key="outcome"),
        Heading("difference", "p, corrected", "p_difference_corrected"),
        Heading("equivalence", "p, corrected", "p_equivalence_corrected"),
        Heading("luck regressed out", shown_unit(_ROUND), "adjusted"),
        Heading("deals", key="units"),
        Heading("seats exchanged", fewer, "exchange"),
        Heading("luck regressed out", fewer, "covariates"),
        Heading("both", fewer, "both"),
    ]
    caption = f"As a way of playing, {claim.table.label}. 95 % intervals; seed {rows['seed'].iloc[0]}."
    return Table(name, caption, headings, 2, cells, claim.name)


def _degrees(claim: Claim, here: pd.DataFrame) -> Table:
    """Table of degrees of memory."""
    rows = here[(here["measure"] == MARGIN) & (here["role"] == EXPLORATION) & here["form"].isin(claim.degrees)]
    caption = f"Other degrees against all of it, as exploration. 95 % intervals; seed {rows['seed'].iloc[0]}."
    return by_player(
        rows,
        name=f"{claim.name}-degrees",
        caption=caption,
        titles={"form": "remembered"},
        data=claim.name,
        shown={"form": lambda row: degree(str(row["form"]))},
    )


def degree(name: str) -> str:
    """A degree of memory in words."""
    words = {"points": "point cards and jacks", "ranks": "how many of each rank, but not which suits"}
    return f"the last {name} cards" if name.isdigit() else words.get(name, name)


def _decisions(claim: Claim, rows: pd.DataFrame) -> Table:
    """Table of decisions as a whole."""
    cells = [
        [
            Cell(row["policy"]),
            Cell(outcome_words(row["measure"])),
            Cell(shown_unit(row["unit"])),
            estimate_cell(found, row["unit"], signed=row["unit"].startswith("points")),
            Cell(row["outcome"]),
            pvalue(row["p_difference_corrected"]),
            pvalue(row["p_equivalence_corrected"]),
            count_cell(row["units"]),
            Cell(row["role"]),
        ]
        for row, found in zip(rows_of(rows), estimates(rows), strict=True)
    ]
    headings = [
        *_columns(("player", "policy"), ("what", "measure"), ("unit", "unit"), ("gain", "estimate")),
        Heading("outcome", key="outcome"),
        Heading("difference", "p, corrected", "p_difference_corrected"),
        Heading("equivalence", "p, corrected", "p_equivalence_corrected"),
        *_columns(("deals", "units"), ("role", "role")),
    ]
    caption = f"As a decision, {claim.table.label}. 95 % intervals; seed {rows['seed'].iloc[0]}."
    return Table(f"{claim.name}-decisions", caption, headings, 2, cells, claim.name)


def _counted(name: str, claim: Claim, rows: pd.DataFrame, title: str) -> Table:
    """Table of frequencies."""
    rows = rows.assign(expects_words=[expectation(row) for row in rows_of(rows)])
    return by_player(
        rows,
        name=name,
        caption=f"{title}. 95 % intervals; seed {rows['seed'].iloc[0]}.",
        titles={"measure": "what", "variant": "rules", "seats": "players", "expects_words": "predicted"},
        data=claim.name,
        signed=False,
        words=True,
    )


def _situations(claim: Claim, rows: pd.DataFrame, what: str, title: str) -> Table:
    """Table of situations."""
    return by_player(
        rows,
        name=f"{claim.name}-{what}",
        caption=f"{title}, as exploration. 95 % intervals; seed {rows['seed'].iloc[0]}.",
        titles={"place": "situation"},
        data=claim.name,
        shown={"place": _place},
    )


def _place(row: Mapping[str, Any]) -> str:
    """A situation in words."""
    return place(str(row["split"]), str(row["place"]))


def beside(claim: Claim, here: pd.DataFrame) -> Iterator[Table]:
    """Tables of how often decisions come up and how they end, and of all situations."""
    own = here[(here["kind"] == DECISION) & (here["policy"] == here["opponent"])]
    often = own[
        (own["split"] == "") & own["measure"].isin([APPLIED, FOLLOWED, BREACHED, NEITHER, BETTER, WORSE, *OUTCOMES])
    ]
    if len(often):
        yield by_player(
            often,
            name=f"{claim.name}-often",
            caption=f"How often it applies, and how it ends. 95 % intervals; seed {often['seed'].iloc[0]}.",
            titles={"measure": "what"},
            data=claim.name,
            shown={"measure": lambda row: _outcome(str(row["measure"]))},
        )
    split = own[~own["split"].isin(["", claim.curve]) & ~own["split"].str.contains(" × ", regex=False)]
    worth = split[split["measure"] != FOLLOWED]
    if len(worth):
        yield _situations(claim, worth, "situations", "All situations told apart, one quantity at a time")
    habit = split[(split["measure"] == FOLLOWED) & split["estimate"].notna()]
    if len(habit):
        yield _situations(claim, habit, "practice", "How often a player, left alone, makes the play that follows")


def _outcome(measure: str) -> str:
    """An outcome of decisions in words, with what it is compared with."""
    words = outcome_words(measure)
    known = OUTCOMES.get(measure)
    shares = known is None or known.unit.startswith("of ")
    return words if shares else f"{words}, following less going against it"


def elsewhere(claim: Claim, rows: pd.DataFrame) -> Iterator[Table]:
    """Tables of what was explored at other tables."""
    there = rows[~((rows["variant"] == claim.table.variant) & (rows["seats"] == claim.table.seats))]
    shown = there[there["measure"].isin(TESTED) & (there["split"] == "") & (there["policy"] == there["opponent"])]
    played = shown[shown["kind"].isin([PLAYING, DECISION])]
    titles = {"variant": "rules", "seats": "players", "form": "form", "measure": "what"}
    if len(played):
        yield by_player(
            played,
            name=f"{claim.name}-elsewhere",
            caption=f"The same at other tables. 95 % intervals; seed {played['seed'].iloc[0]}.",
            titles=titles,
            data=claim.name,
            shown={"form": lambda row: row["form"] or "decision", "measure": lambda row: outcome_words(row["measure"])},
        )
    counted = rows[(rows["kind"] == FREQUENCY) & (rows["role"] != PRIMARY)]
    if len(counted):
        yield _counted(f"{claim.name}-counted-elsewhere", claim, counted, "What was counted besides")


def checks(claim: Claim, here: pd.DataFrame, again: pd.DataFrame) -> Iterator[Table]:
    """Tables of cross-checks, of a second seed and of the control."""
    part = here[here["role"].isin([CROSS, CONTROL]) & here["measure"].isin(TESTED) & (here["split"] == "")]
    if len(part):
        yield by_player(
            part,
            name=f"{claim.name}-checks",
            caption="Against another kind of player than himself, and (control) a player against himself, which must "
            f"come out as nothing. 95 % intervals; seed {part['seed'].iloc[0]}.",
            titles={"role": "check", "form": "form", "measure": "what", "opponent": "against"},
            data=claim.name,
            shown={
                "form": lambda row: row["form"] or "decision",
                "measure": lambda row: outcome_words(row["measure"]),
                "opponent": lambda row: "himself" if row["role"] == CONTROL else row["opponent"],
            },
        )
    if len(again):
        yield _repeated(claim, again)


def _repeated(claim: Claim, again: pd.DataFrame) -> Table:
    """Table of primary duels on two seeds."""
    ends = (
        ("estimate", "low", "high"),
        ("estimate_again", "low_again", "high_again"),
        ("difference", "difference_low", "difference_high"),
    )
    rows = [
        [
            Cell(row["form"]),
            Cell(row["policy"]),
            *(
                estimate_cell(Estimate(row[value], row[low], row[high], int(row["units"])), _ROUND, signed=True)
                for value, low, high in ends
            ),
            Cell("yes" if row["agrees"] else "no"),
            count_cell(row["units"]),
        ]
        for row in rows_of(again)
    ]
    unit = shown_unit(_ROUND)
    headings = [
        *_columns(("form", "form"), ("player", "policy")),
        Heading(f"seed {again['seed'].iloc[0]}", unit, "estimate"),
        Heading(f"seed {again['seed_again'].iloc[0]}", unit, "estimate_again"),
        Heading("difference", unit, "difference"),
        *_columns(("agree", "agrees"), ("deals", "units")),
    ]
    name = f"{claim.name}-repeated"
    return Table(name, "The literal advice on the deals of another seed. 95 % intervals.", headings, 2, rows, name)


_REGISTERED = {
    "advice": "the advice",
    "source": "found in",
    "applies": "applies when",
    "kinds": "kinds of test",
    "judged_at": "judged at",
    "explored_besides": "explored besides",
    "forms": "forms",
    "told_apart_by": "decisions told apart by",
    "smallest": "smallest effect that matters, as a way of playing",
    "smallest_decision": "smallest effect that matters, of a decision",
    "verdict": "verdict",
    "depends_on": "depends on",
    "deals_needed": "deals that a test would need",
}


def registered_row(claim: Claim, found: Verdict) -> dict[str, Any]:
    """What is registered of a claim, and its verdict."""
    return {
        "claim": claim.name,
        "advice": claim.advice,
        "source": SOURCES.get(claim.source, "a player's own"),
        "applies": claim.applies,
        "kinds": " ".join(claim.kinds),
        "judged_at": claim.table.label,
        "explored_besides": "; ".join(table.label for table in claim.tables[1:]),
        "forms": ", ".join(claim.forms) if PLAYING in claim.kinds else "",
        "told_apart_by": ", ".join(claim.splits) if DECISION in claim.kinds else "",
        "smallest": claim.smallest if PLAYING in claim.kinds else None,
        "smallest_decision": claim.smallest_decision if DECISION in claim.kinds else None,
        "verdict": found.name,
        "depends_on": found.on,
        "players": joined([f"{player}: {state}" for player, state in found.states.items()]),
        "deals_needed": found.needed,
        "trouble": found.trouble,
    }


def registered(claim: Claim, found: Verdict) -> Table:
    """Table of what is registered."""
    row, name = registered_row(claim, found), f"{claim.name}-registered"
    rows = []
    for key, title in _REGISTERED.items():
        value = row[key]
        if value in ("", None):
            continue
        number = float(value) if isinstance(value, int | float) else None
        rows.append([Cell(title), Cell(f"{value:,}" if number is not None else str(value), value=number)])
    headings = [Heading("", key="key"), Heading("", key="value")]
    return Table(name, "What is registered, and the verdict by the stated rule.", headings, 1, rows, name, words=True)


def pvalue(value: float) -> Cell:
    """Cell of a p-value."""
    if pd.isna(value):
        return Cell("–")
    return Cell("< 0.0001" if value < 0.0001 else figure(value, 4 if value < 0.01 else 2), value=value)


def factor(value: float | None) -> Cell:
    """Cell of a factor by which deals are saved."""
    return Cell("–") if value is None or pd.isna(value) else Cell(times(value), value=value)
