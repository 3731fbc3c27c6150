"""Section of a page that tells what single rules do: variants as they are, and with one rule changed."""

from collections.abc import Iterator, Mapping

import pandas as pd

from analyses.balance.contrasts import CONTRASTS, Contrast
from analyses.balance.skill import BETTER, WEAKER
from analyses.frames import estimates, rows_of
from basra_sim.stats import Estimate
from reports.balance_rows import UNEQUAL, label
from reports.balance_words import HOW, INTERVALS, SKILL
from reports.numbers import is_share, shown_unit
from reports.parts import Cell, Detail, Heading, Section, Table, count_cell, estimate_cell
from reports.said import marked
from reports.wording import NO_BREAK, joined, number

NAME = "scoring"
"""Name of the section and of its data."""

TOLD = ("skill", "deal_share", "first_seat_advantage", "first_match_wins", "match_rounds", "one_round_decides")
"""Measures of which sentences say what a change adds; the table has more."""

CHANGED: Mapping[str, str] = {
    "majority-of-30": "egyptian with 3 points for most cards instead of 30",
    "twice-face": "palestinian with 10 points for any basra",
    "tie-carried": "egyptian with the points for most cards lost in a tie",
    "tie-for-each": "egyptian with the points for most cards given to each in a tie",
}
"""What is played with a rule changed, by the name of the contrast."""

TOGETHER = (
    "Both games are played on the same deals, group by group, and the interval of what a change adds is that of the "
    "difference itself: it is narrower than the two intervals that it lies between would have it. The deals that "
    "intervals rest on are independent of one another."
)
"""How the difference of two games is known."""

_OF: Mapping[str, str] = {"points/round": ", in points a round", "of matches": ", of all matches"}
"""What sentences add to the name of a measure of a unit."""

_TITLES = {
    "contrast": "rule",
    "measure": "measure",
    "unit": "unit",
    "as_is": "as it is",
    "changed": "changed",
    "estimate": "the change adds",
    "units": "deals",
}


def scoring(single: pd.DataFrame) -> Section:
    """
    What single rules do.

    Parameters
    ----------
    single : what the jobs of `analyses.balance.contrasts` give
    """
    frame = single[single["policy"].isin([BETTER, UNEQUAL])]
    skill = frame[frame["measure"] == "skill"]
    moved = [
        f"{_difference(found, row['unit'])} in {CHANGED[row['contrast']]}"
        for row, found in zip(rows_of(skill), estimates(skill), strict=True)
        if _differs(found)
    ]
    brief = (
        f"what who plays decides changes by {joined(moved)}."
        if moved
        else "with none of the rules that were tried does who plays decide more or less."
    )
    return Section(
        NAME,
        "What the scoring does",
        brief=brief,
        lead=brief[0].upper() + brief[1:],
        findings=[(each.asks, list(_told(each, frame))) for each in CONTRASTS],
        details=[
            Detail("What each rule changes, in numbers", tables=[_table(frame)]),
            Detail(HOW, [TOGETHER, SKILL, INTERVALS, _deals(frame)]),
        ],
        data={NAME: single},
    )


def _told(contrast: Contrast, frame: pd.DataFrame) -> Iterator[str]:
    """What a change adds, measure by measure."""
    rows = frame[(frame["contrast"] == contrast.name) & frame["measure"].isin(TOLD)]
    yield f"{contrast.variant} as it is, then {CHANGED[contrast.name]} ({contrast.words}):"
    same = []
    for row, as_is, changed, more in _estimated(rows):
        said, unit = label(row["measure"], row["part"]), str(row["unit"])
        if _differs(more):
            pair = f"{number(as_is, unit)}, then {number(changed, unit)}"
            yield f"{said}{_OF.get(unit, '')}: {pair}, a difference of {_difference(more, unit)}"
        else:
            same.append(said)
    if same:
        yield f"no difference found: {joined(same)}"


def _differs(found: Estimate) -> bool:
    """Whether an interval leaves out 0."""
    return found.low is not None and found.high is not None and not found.low <= 0 <= found.high


def _difference(found: Estimate, unit: str) -> str:
    """A difference, in a sentence."""
    if not is_share(unit):
        return number(found, unit, signed=True)
    shown = estimate_cell(found, unit, signed=True)
    text = f"{f'{shown.text} {shown.interval}'.replace(' ', NO_BREAK)} percentage points"
    return marked(text, found, unit)


def _estimated(frame: pd.DataFrame) -> Iterator[tuple[dict[str, str], Estimate, Estimate, Estimate]]:
    """Rows, each with its estimates: as it is, changed, and what the change adds."""
    found = [
        estimates(frame.drop(columns=["estimate", "low", "high"]).rename(columns=columns))
        for columns in (
            {name: "estimate", f"{name}_low": "low", f"{name}_high": "high"} for name in ("as_is", "changed")
        )
    ]
    yield from zip(rows_of(frame), *found, estimates(frame), strict=True)


def _deals(frame: pd.DataFrame) -> str:
    """How much was played, and the seed."""
    counts = [
        f"{str(policy).replace(', ', ' against ')} {units:,}"
        for policy, units in frame.groupby("policy")["units"].max().items()
    ]
    return f"Deals of each game: {'; '.join(counts)}. Seed {frame['seed'].iloc[0]}."


def _table(frame: pd.DataFrame) -> Table:
    """Table of all that is compared."""
    lines = []
    for row, as_is, changed, more in _estimated(frame):
        unit = str(row["unit"])
        named = [Cell(row["contrast"]), Cell(label(row["measure"], row["part"])), Cell(shown_unit(unit))]
        cells = [*(estimate_cell(each, unit) for each in (as_is, changed)), estimate_cell(more, unit, signed=True)]
        lines.append([*named, *cells, count_cell(more.units)])
    caption = (
        "Variants as they are, and with one rule changed, on the same deals, so that what the change adds is known "
        f"better than the two it lies between. Two {BETTER} players; skill, the deal, and the better player: {BETTER} "
        f"against {WEAKER}. 95 % intervals; seed {frame['seed'].iloc[0]}."
    )
    return Table(NAME, caption, [Heading(title, key=key) for key, title in _TITLES.items()], 1, lines, NAME, words=True)
