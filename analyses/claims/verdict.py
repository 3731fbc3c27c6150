"""Judging a claim: outcomes by a stated rule, corrected within their family, and the verdict that follows from them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analyses.claims.duels import AGAIN, CONTROL, EXPLORATION, MARGIN, MATCH_WON, PRIMARY
from analyses.claims.model import Claim
from analyses.frames import estimates
from analyses.inference import benjamini_hochberg, difference, equivalence, holm, units_needed
from basra_sim.stats import LEVEL, Estimate

GAINS, COSTS, NOTHING, UNDECIDED = "gains", "costs", "no difference", "undecided"
"""Outcomes of a duel."""

PASSED, FAILED = "passed", "failed"
"""Outcomes of a control, which must not differ from nothing."""

SUPPORTED, REFUTED, NO_DIFFERENCE, DEPENDS = "supported", "refuted", "makes no difference", "depends"
"""Verdicts; the fifth is `UNDECIDED`."""

FAIR = {MARGIN: 0.0, MATCH_WON: 0.5}
"""What a measure is if the advice changes nothing."""

_OUTCOMES = (
    f"A duel gains or costs if its margin differs from nothing at the {LEVEL * 100:.0f} % level. It makes no "
    "difference if two one-sided tests at that level put the margin within the smallest effect that matters, even "
    "where it gains or costs that little for certain. Else it is undecided."
)
_FAMILIES = (
    "The primary tests of a claim are corrected together by Holm's method, each kind of test for itself. The tests "
    "beside them are exploration, and corrected by the method of Benjamini and Hochberg."
)
_VERDICTS = (
    "The verdict is drawn from the primary duels, and where these are alike from the advice turned round, played "
    "by the same players, beside them. Supported: each comes out as the advice says. Refuted: each comes out the "
    "other way. Makes no difference: none of them does. Depends: some are decided, and not alike; or all are "
    "alike, but the advice turned round comes out the same way, so that neither is right always; which situation "
    "asks for which is then a question of its own. Undecided: the rest."
)
RULE = (_OUTCOMES, _FAMILIES, _VERDICTS)
"""The rule, for people."""


@dataclass(frozen=True)
class Verdict:
    """
    What becomes of a claim.

    Attributes
    ----------
    name : str
        `SUPPORTED`, `REFUTED`, `NO_DIFFERENCE`, `DEPENDS` or `UNDECIDED`.
    on : tuple of str
        What it depends on: "form", "policy", or both; or "situation".
    needed : int or None
        Deals a duel would need to decide what is undecided.
    """

    name: str
    on: tuple[str, ...] = ()
    needed: int | None = None


def judge(frame: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """
    Rows of `duels.jobs` with their outcomes.

    Returns
    -------
    DataFrame
        As given, and p_difference, p_equivalence (missing for shares of matches, where no smallest effect is
        registered), both corrected within the role and the measure (p_difference_corrected, p_equivalence_corrected),
        outcome (of a control: `PASSED` or `FAILED`), needed (deals that would decide an undecided one, else missing).
    """
    judged = pd.concat([_family(part, claim) for _, part in frame.groupby(["role", "measure"], sort=False)])
    return judged.sort_index()


def _family(part: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """Outcomes of the tests that are corrected together."""
    primary = part["role"].iloc[0] == PRIMARY
    measure = part["measure"].iloc[0]
    correct = holm if primary else benjamini_hochberg
    found = estimates(part)
    differ = [difference(each, FAIR[measure]) for each in found]
    same = [equivalence(each, claim.smallest) if measure == MARGIN else float("nan") for each in found]
    part = part.assign(p_difference=differ, p_equivalence=same)
    part["p_difference_corrected"] = correct(differ)
    part["p_equivalence_corrected"] = correct(same) if measure == MARGIN else float("nan")
    more = part["estimate"] > FAIR[measure]
    decided = part["p_difference_corrected"] < LEVEL
    if part["role"].iloc[0] == CONTROL:
        part["outcome"] = np.where(decided, FAILED, PASSED)
    else:
        same_enough = part["p_equivalence_corrected"] < LEVEL
        part["outcome"] = np.select([same_enough, decided & more, decided], [NOTHING, GAINS, COSTS], UNDECIDED)
    tests = claim.tests if primary else 1
    part["needed"] = [
        units_needed(each, claim.smallest, tests) if outcome == UNDECIDED and measure == MARGIN else None
        for each, outcome in zip(found, part["outcome"], strict=True)
    ]
    return part.astype({"needed": "Int64"})


def verdict(judged: pd.DataFrame, claim: Claim) -> Verdict:
    """Verdict on a claim, from the outcomes of its primary duels."""
    cells = judged[judged["role"] == PRIMARY]
    expected = cells["form"].map({form.name: form.expected for form in claim.forms})
    turned = {GAINS: COSTS, COSTS: GAINS}
    outcomes = [
        found if sign > 0 else turned.get(found, found) for found, sign in zip(cells["outcome"], expected, strict=True)
    ]
    decided = {found for found in outcomes if found != UNDECIDED}
    if len(decided) > 1:
        table = cells[cells["outcome"] != UNDECIDED].assign(outcome=[found for found in outcomes if found != UNDECIDED])
        return Verdict(DEPENDS, _causes(table))
    if len(decided) < len(set(outcomes)) or not outcomes:
        needed = cells["needed"].dropna()
        return Verdict(UNDECIDED, needed=int(needed.max()) if len(needed) else None)
    outcome = decided.pop()
    if outcome != NOTHING and _turned_round(judged, claim) == set(cells["outcome"]):
        return Verdict(DEPENDS, ("situation",))
    return Verdict({GAINS: SUPPORTED, COSTS: REFUTED, NOTHING: NO_DIFFERENCE}[outcome])


def _turned_round(judged: pd.DataFrame, claim: Claim) -> set[str]:
    """Outcomes of the forms that turn the advice round, where they are not primary but played like the primary ones."""
    straight = {form.expected for form in claim.primary_forms}
    forms = [form.name for form in claim.forms if not form.primary and form.expected not in straight]
    players = [player.name for player in claim.players]
    alike = (judged["variant"] == claim.variant) & (judged["measure"] == MARGIN) & (judged["role"] == EXPLORATION)
    return set(judged.loc[alike & judged["form"].isin(forms) & judged["policy"].isin(players), "outcome"])


def _causes(cells: pd.DataFrame) -> tuple[str, ...]:
    """Which of form and policy an outcome changes with while the other stays; both if that cannot be told."""
    changing = {"form": "policy", "policy": "form"}
    causes = [name for name, other in changing.items() if (cells.groupby(other)["outcome"].nunique() > 1).any()]
    return tuple(causes or changing)


def repeated(judged: pd.DataFrame) -> pd.DataFrame:
    """
    Primary duels beside those on the second seed.

    Returns
    -------
    DataFrame
        variant, policy, form, estimate, low, high, seed and the same of the second seed (estimate_again …), their
        difference with its interval (difference, difference_low, difference_high), agrees (whether that holds 0, at
        a level corrected by Holm's method).
    """
    keys = ["variant", "policy", "form"]
    kept = [*keys, "estimate", "low", "high", "units", "seed"]
    first, second = (judged.loc[judged["role"] == role, kept] for role in (PRIMARY, AGAIN))
    both = first.merge(second, on=keys, suffixes=("", "_again"))
    gap = both["estimate"] - both["estimate_again"]
    half = np.hypot(both["high"] - both["low"], both["high_again"] - both["low_again"]) / 2
    both = both.assign(difference=gap, difference_low=gap - half, difference_high=gap + half)
    fewer = both[["units", "units_again"]].min(axis=1)
    gaps = [
        Estimate(value, value - width, value + width, int(units))
        for value, width, units in zip(gap, half, fewer, strict=True)
    ]
    return both.assign(agrees=holm([difference(each) for each in gaps]) >= LEVEL)
