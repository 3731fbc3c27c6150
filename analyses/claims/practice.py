"""Whether strong players do what a claim says, where not, and what a breach costs in the eyes of one who searches."""

from collections.abc import Callable, Iterator
from math import hypot

import pandas as pd

from analyses.claims.choices import FOLLOWED, OPINION
from analyses.claims.model import DECISION, GAIN, Claim
from analyses.claims.naming import situation
from analyses.claims.rows import CROSS
from analyses.frames import estimates
from analyses.inference import standard_error
from analyses.jobs import ADVISER, STRONGEST
from basra_sim.cli.text import figures
from basra_sim.stats import Estimate

CLEARLY = 3.0
"""Standard errors by which two estimates must differ to be said to contradict each other."""

Say = Callable[[Estimate, str], str]
"""Puts an estimate of a unit in words; shares in percent."""


def said(found: Estimate, unit: str) -> str:
    """An estimate with the ends of its interval."""
    share = unit.startswith("of ")
    value, low, high = figures(found.scaled(100) if share else found)
    return f"{value}{' %' if share else ''} ({low} to {high})"


def practised(claim: Claim, rows: pd.DataFrame) -> pd.DataFrame:
    """How often each player follows anyway, where a claim is judged: a row for each of them, and for each situation."""
    here = (rows["variant"] == claim.table.variant) & (rows["seats"] == claim.table.seats)
    return rows[here & (rows["claim"] == claim.name) & (rows["measure"] == FOLLOWED) & rows["estimate"].notna()]


def least(claim: Claim, rows: pd.DataFrame) -> pd.DataFrame:
    """
    The situation in which the strongest player is known to follow least often; no row if there is none.

    It is the one of the lowest upper end, so that a few decisions that happened to come out so do not stand first; and
    it must lie below the interval of all decisions.
    """
    found = practised(claim, rows)
    found = found[found["policy"] == STRONGEST]
    whole, cells = found[found["split"] == ""], found[found["split"] != ""]
    if not len(whole):
        return cells.iloc[:0]
    below: pd.DataFrame = cells[cells["high"] < whole["low"].iloc[0]].nsmallest(1, "high")
    return below


def practice(claim: Claim, rows: pd.DataFrame, say: Say = said) -> Iterator[str]:
    """
    Sentences: whether the strongest player follows a claim, and what a breach costs as the one who searches sees it.

    Parameters
    ----------
    rows : DataFrame
        The claim's rows of `verdict.judge`, or of a run.
    """
    found = practised(claim, rows)
    whole = found[(found["policy"] == STRONGEST) & (found["split"] == "")]
    if not len(whole):
        return
    decisions = f"{int(whole['decisions'].iloc[0]):,} decisions"
    where = ""
    for row, each in zip(least(claim, rows).to_dict("records"), estimates(least(claim, rows)), strict=True):
        where = f"; least often {situation(row['split'], row['place'])}, in {say(each, row['unit'])}"
    yield f"The {STRONGEST} follows it in {say(estimates(whole)[0], whole['unit'].iloc[0])} of {decisions}{where}."
    asked = rows[(rows["claim"] == claim.name) & (rows["measure"] == OPINION) & rows["estimate"].notna()]
    if len(asked):
        expected, unit = estimates(asked)[0], str(asked["unit"].iloc[0])
        yield _breach(say, expected, unit, int(asked["decisions"].iloc[0]))
        yield from _otherwise(claim, rows, say, expected)


def _breach(say: Say, expected: Estimate, unit: str, decisions: int) -> str:
    """What a breach costs, as the player who searches sees it."""
    over = f"over {decisions:,} decisions"
    if (expected.high or 0.0) < 0:
        return f"The {ADVISER} thinks that a breach gains {say(_negative(expected), unit)} points, {over}."
    doubt = "" if (expected.low or 0.0) > 0 else ", which may be nothing"
    return f"The {ADVISER} puts a breach at {say(expected, unit)} points, {over}{doubt}."


def _otherwise(claim: Claim, rows: pd.DataFrame, say: Say, expected: Estimate) -> Iterator[str]:
    """Says so where decisions played out clearly contradict what was expected of them."""
    table = claim.table
    here = (rows["claim"] == claim.name) & (rows["variant"] == table.variant) & (rows["seats"] == table.seats)
    here &= (rows["kind"] == DECISION) & (rows["measure"] == GAIN) & (rows["split"] == "") & (rows["role"] != CROSS)
    played = rows[here & (rows["policy"] == STRONGEST) & (rows["opponent"] == STRONGEST) & rows["high"].notna()]
    for found, unit in zip(estimates(played), played["unit"], strict=True):
        apart = (found.value or 0.0) - (expected.value or 0.0)
        if abs(apart) > CLEARLY * hypot(standard_error(found), standard_error(expected)):
            yield (
                f"That is not borne out: played out with the cards as they lie, a breach costs the {STRONGEST} "
                f"{say(found, unit)} points."
            )


def _negative(found: Estimate) -> Estimate:
    """An estimate with the other sign."""
    value, low, high = (None if part is None else -part for part in (found.value, found.high, found.low))
    return Estimate(value, low, high, found.units)
