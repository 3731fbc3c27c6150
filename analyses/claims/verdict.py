"""Judging claims: outcomes of tests by a stated rule, corrected within their family, and the verdicts that follow."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analyses.claims import observations
from analyses.claims.choices import CONTRAST, WIN
from analyses.claims.model import DECISION, FREQUENCY, GAIN, PLAYING, SMALLEST_DECISION, Claim
from analyses.claims.observed import predictions
from analyses.claims.rows import AGAIN, COLUMNS, CONTROL, CROSS, EXPLORATION, MARGIN, PRIMARY, WON
from analyses.frames import estimates
from analyses.inference import benjamini_hochberg, difference, equivalence, holm, units_needed
from analyses.jobs import PLAYERS
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from basra_sim.showing import html, html_sentence, html_table
from basra_sim.stats import LEVEL, Estimate

GAINS, COSTS, NOTHING, UNKNOWN = "gains", "costs", "no difference", "undecided"
"""Outcomes of a test."""

PASSED, FAILED = "passed", "failed"
"""Outcomes of a control, which must not differ from nothing."""

RIGHT, WRONG, EITHER = "right", "wrong", "either way"
"""What a claim is for one player, besides `NOTHING` and `UNKNOWN`."""

SUPPORTED, WEAK_ONLY, NO_DIFFERENCE, REFUTED, DEPENDS, UNDECIDED = (
    "supported",
    "supported against weak play only",
    "makes no difference",
    "refuted",
    "depends",
    "undecided",
)
"""Verdicts."""

TESTED: tuple[str, ...] = (MARGIN, GAIN, CONTRAST, WIN, WON)
"""Measures that are tested against nothing."""

_FAIR = {WON: 0.5}
"""What a measure is if the advice changes nothing, where that is not 0."""

_OUTCOMES = (
    f"A test gains or costs if its estimate differs from nothing at the {LEVEL * 100:.0f} % level. It makes no "
    "difference if two one-sided tests at that level put it within the smallest effect that matters, even where it "
    "gains or costs that little for certain. Else it is undecided."
)
_FAMILIES = (
    "The primary tests of all claims that are tested together are corrected by Holm's method; all others are "
    "exploration, and corrected by the method of Benjamini and Hochberg. Each kind of test and each measure is a "
    "family of its own, all frequencies are one, and so are the controls."
)
_STATES = (
    "For one player a way of playing is tried in three forms: strictly (nothing that goes against it is played "
    "while there is another play), among plays held equal only, and reversed (nothing that follows it is played "
    "while there is another). It depends on the situation if following strictly costs, and either following among "
    "equals gains, or the opposite costs as well and his decisions show that it is right at one time and wrong at "
    "another: some situations gain and others cost, or the average decision gains. It does too if following and the "
    "opposite both gain. Where both cost, and it is not known yet what his average decision is worth, it is "
    "undecided. Else it is right if following it gains, or if that makes no difference and the opposite costs (he "
    "plays so already); wrong if following it costs, or if that makes no difference and the opposite gains; and "
    "makes no difference if neither does. It is undecided if either of the two is, unless following it is known to "
    "gain. A decision or a contrast is right or wrong as its own sign says; so is a frequency, where all that is "
    "predicted of it comes out alike. Where some of that is undecided or did not occur, it is undecided; else it "
    "depends on which part one takes."
)
_VERDICTS = (
    "The verdict takes the players together, and is the first of these that fits. Undecided: a control failed, or a "
    "second seed contradicts the first. Depends on the situation (of a frequency: on the part): so for any of them. "
    "Makes no difference: for all of them. Supported: right for the strongest and wrong for none; but it depends on "
    "the opponent if, against another kind of player, following it significantly costs. Refuted: wrong for the "
    "strongest and right for none; but it depends on the opponent if, against another kind, following it significantly "
    "gains. Supported against weak play only: right for the weakest and for no other. Depends on the players: in "
    "whatever else they differ. While some are undecided, so is the verdict, unless it is the same however they come "
    "out."
)
RULE = (_OUTCOMES, observations.RULE, _FAMILIES, _STATES, _VERDICTS)
"""The rule, for people."""

_SAYS = {GAINS: RIGHT, COSTS: WRONG, observations.AS_PREDICTED: RIGHT, observations.OTHER_WAY: WRONG}
"""What the outcome of a single test says of a claim, where it is not `NOTHING` or `UNKNOWN`."""

SITUATION, PLAYER, OPPONENT, PART = "situation", "player", "opponent", "part"
"""What a verdict may depend on."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """
    What becomes of a claim.

    Attributes
    ----------
    name : str
        `SUPPORTED`, `WEAK_ONLY`, `NO_DIFFERENCE`, `REFUTED`, `DEPENDS` or `UNDECIDED`.
    states : mapping of players to `RIGHT`, `WRONG`, `EITHER`, `NOTHING` or `UNKNOWN`
    on : str
        What it depends on: `SITUATION`, `PLAYER`, `OPPONENT` or `PART` (of what the claim says).
    needed : int or None
        Deals that a test would need to decide what is undecided.
    trouble : str
        What speaks against the numbers themselves.
    """

    name: str
    states: dict[str, str]
    on: str = ""
    needed: int | None = None
    trouble: str = ""

    def __str__(self) -> str:
        """The verdict, and what it depends on."""
        return f"{self.name} on the {self.on}" if self.on else self.name

    def __repr__(self) -> str:
        """One line."""
        return f"<Verdict: {self}>"

    def _repr_html_(self) -> str:
        """The verdict and what it rests on."""
        rows = [[player, state] for player, state in self.states.items()]
        return html(
            html_sentence(str(self), strong=True),
            html_table("What the claim is for each player.", ["player", "the claim is"], rows) if rows else "",
            html_sentence(f"Some {self.needed:,} deals a test would decide it." if self.needed else ""),
            html_sentence(f"Do not trust these numbers: {self.trouble}." if self.trouble else ""),
        )


def smallest(claim: Claim, kind: str, measure: str) -> float:
    """Smallest effect that matters, in the unit of a measure."""
    if kind == PLAYING:
        return claim.smallest
    return SMALLEST_DECISION if claim.by_match and measure != WIN else claim.smallest_decision


def judge(frame: pd.DataFrame, claims: Iterable[Claim]) -> pd.DataFrame:
    """
    Rows of all claims that are tested together, with their outcomes.

    Returns
    -------
    DataFrame
        As given, and p_difference, p_equivalence (missing for shares of matches), both corrected within the family (the
        kind and measure, and the role: primary or not), outcome (of a control: `PASSED` or `FAILED`; empty for what is
        not tested), needed (units that would decide an undecided one, else missing).
    """
    registered = {claim.name: claim for claim in claims}
    if not len(frame):
        frame = frame.reindex(columns=COLUMNS)
    counted = frame["kind"] == FREQUENCY
    tested = frame["measure"].isin(TESTED) & ~counted
    family = np.where(frame["role"] == PRIMARY, PRIMARY, np.where(frame["role"] == CONTROL, CONTROL, EXPLORATION))
    parts = [frame[~tested & ~counted].assign(outcome="")]
    if counted.any():
        parts.append(observations.judge(frame[counted]))
    for _, part in frame[tested].groupby([family[tested], "kind", "measure"], sort=False):
        parts.append(_family(part, registered))
    judged = pd.concat(parts).sort_index()
    return judged.reindex(columns=[*judged.columns.drop("needed", errors="ignore"), "needed"]).astype(
        {"needed": "Int64"}
    )


def _family(part: pd.DataFrame, registered: dict[str, Claim]) -> pd.DataFrame:
    """Outcomes of the tests that are corrected together."""
    role, kind, measure = (part[name].iloc[0] for name in ("role", "kind", "measure"))
    primary, null = role == PRIMARY, _FAIR.get(measure, 0.0)
    correct = holm if primary else benjamini_hochberg
    found = estimates(part)
    limits = [smallest(registered[name], kind, measure) for name in part["claim"]]
    known = np.array([each.half_width is not None for each in found])
    looked = part["sequential"].eq(True) if "sequential" in part else pd.Series(False, part.index)
    differ, same = np.full(len(found), np.nan), np.full(len(found), np.nan)
    for k in np.flatnonzero(known):
        differ[k] = difference(found[k], null, sequential=bool(looked.iloc[k]))
        if measure != WON:
            same[k] = equivalence(found[k], limits[k], sequential=bool(looked.iloc[k]))
    part = part.assign(p_difference=differ, p_equivalence=same)
    for name, values in (("p_difference", differ), ("p_equivalence", same)):
        corrected, valid = np.full(len(found), np.nan), ~np.isnan(values)
        corrected[valid] = correct(values[valid].tolist()) if valid.any() else []
        part[f"{name}_corrected"] = corrected
    decided = part["p_difference_corrected"] < LEVEL
    alike = part["p_equivalence_corrected"] < LEVEL
    more = part["estimate"].astype(float) > null
    if role == CONTROL:
        part["outcome"] = np.where(decided, FAILED, PASSED)
    else:
        part["outcome"] = np.select([alike, decided & more, decided], [NOTHING, GAINS, COSTS], UNKNOWN)
    tests = len(part) if primary else 1
    part["needed"] = [
        units_needed(each, limit, tests) if outcome == UNKNOWN and measure != WON and each.half_width else None
        for each, limit, outcome in zip(found, limits, part["outcome"], strict=True)
    ]
    return part


def verdict(judged: pd.DataFrame, claim: Claim) -> Verdict:
    """Verdict on a claim, from the rows of `judge`."""
    rows = judged[judged["claim"] == claim.name]
    kind = claim.decided_by
    primary = rows[(rows["role"] == PRIMARY) & (rows["kind"] == kind) & (rows["outcome"] != "")]
    states = {
        str(name): _state(part, claim, decisions(rows, claim, str(name)))
        for name, part in primary.groupby("policy", sort=False)
    }
    states = {name: states[name] for name in (*PLAYERS, *states) if name in states}
    needed = primary["needed"].dropna() if "needed" in primary else pd.Series(dtype="Int64")
    found = _together(list(states.values()))
    trouble = _trouble(rows)
    if trouble:
        return Verdict(UNDECIDED, states, trouble=trouble)
    if found == UNDECIDED:
        return Verdict(UNDECIDED, states, needed=int(needed.max()) if len(needed) else None)
    if found == DEPENDS:
        both = PART if kind == FREQUENCY else SITUATION
        return Verdict(DEPENDS, states, both if EITHER in states.values() else PLAYER)
    if _contradicted(rows, primary, found):
        return Verdict(DEPENDS, states, OPPONENT)
    return Verdict(found, states)


def decisions(rows: pd.DataFrame, claim: Claim, policy: str) -> pd.DataFrame:
    """Rows of a player's decisions among his like, at the table where a claim is judged."""
    table = claim.table
    here = (rows["kind"] == DECISION) & (rows["variant"] == table.variant) & (rows["seats"] == table.seats)
    return rows[here & (rows["policy"] == policy) & (rows["role"] != CROSS) & (rows["measure"] == GAIN)]


def _varies(decided: pd.DataFrame) -> bool:
    """
    Whether decisions show that following is right at one time and wrong at another, where doing so always costs.

    Some situations gain and others cost; or the average decision gains, so that those in which the player would not
    have followed must cost.
    """
    cells = set(decided[decided["split"] != ""]["outcome"])
    return {GAINS, COSTS} <= cells or bool((decided[decided["split"] == ""]["outcome"] == GAINS).any())


def _is_open(decided: pd.DataFrame) -> bool:
    """Whether decisions were played but do not tell yet what the average one is worth, and so whether it varies."""
    return bool((decided[decided["split"] == ""]["outcome"] == UNKNOWN).any())


def _state(part: pd.DataFrame, claim: Claim, decided: pd.DataFrame) -> str:
    """What a claim is for one player, from his primary tests and his decisions."""
    if claim.decided_by != PLAYING:
        said = {str(_SAYS.get(outcome, outcome)) for outcome in part["outcome"]}
        if claim.decided_by == FREQUENCY:
            named = {each.name for each in predictions(claim.name).values() if each.primary}
            said |= {UNKNOWN} if named - set(part["prediction"]) else set()
        return said.pop() if len(said) == 1 else UNKNOWN if UNKNOWN in said else EITHER
    found = dict(zip(part["form"], part["outcome"], strict=True))
    follow, turned = found[LITERAL], found[REVERSED]
    if follow == COSTS and (turned == COSTS or found.get(TIE_BREAK) == GAINS):
        if found.get(TIE_BREAK) == GAINS or _varies(decided):
            return EITHER
        return UNKNOWN if _is_open(decided) else WRONG
    if follow == turned == GAINS:
        return EITHER
    if follow == GAINS:
        return RIGHT
    if UNKNOWN in (follow, turned):
        return UNKNOWN
    return WRONG if follow == COSTS else {COSTS: RIGHT, GAINS: WRONG, NOTHING: NOTHING}[turned]


def _together(states: list[str]) -> str:
    """Verdict from what a claim is for each player, the weakest first."""
    if not states:
        return UNDECIDED
    if UNKNOWN in states:
        place = states.index(UNKNOWN)
        ways = ([*states[:place], way, *states[place + 1 :]] for way in (RIGHT, WRONG, EITHER, NOTHING))
        could = {_together(way) for way in ways}
        return could.pop() if len(could) == 1 else UNDECIDED
    weakest, strongest, found = states[0], states[-1], set(states)
    if EITHER in found:
        return DEPENDS
    if found == {NOTHING}:
        return NO_DIFFERENCE
    if strongest == RIGHT and WRONG not in found:
        return SUPPORTED
    if strongest == WRONG and RIGHT not in found:
        return REFUTED
    return WEAK_ONLY if weakest == RIGHT and RIGHT not in states[1:] else DEPENDS


def _contradicted(rows: pd.DataFrame, primary: pd.DataFrame, found: str) -> bool:
    """Whether against another kind of opponent what was judged comes out the other way than the verdict says."""
    same = rows["kind"].isin(primary["kind"]) & rows["measure"].isin(primary["measure"])
    checks = rows[(rows["role"] == CROSS) & same]
    other = {SUPPORTED: COSTS, REFUTED: GAINS}.get(found)
    return bool((checks["outcome"] == other).any())


def _trouble(rows: pd.DataFrame) -> str:
    """What speaks against the numbers themselves; empty if nothing does."""
    if (rows[rows["role"] == CONTROL]["outcome"] == FAILED).any():
        return "a player against himself does not come out as nothing"
    again = repeated(rows)
    if len(again) and not again["agrees"].all():
        return "the deals of a second seed contradict those of the first"
    return ""


def repeated(judged: pd.DataFrame) -> pd.DataFrame:
    """
    Primary duels beside those on a second seed.

    Returns
    -------
    DataFrame
        claim, policy, form, estimate, low, high, seed and the same of the second seed (estimate_again …), their
        difference with its interval (difference, difference_low, difference_high), agrees (whether that holds 0, at a
        level corrected by Holm's method).
    """
    keys = ["claim", "policy", "form"]
    kept = [*keys, "estimate", "low", "high", "units", "seed"]
    margins = judged[judged["measure"] == MARGIN]
    first, second = (margins.loc[margins["role"] == role, kept] for role in (PRIMARY, AGAIN))
    both = first.merge(second, on=keys, suffixes=("", "_again"))
    gap = both["estimate"] - both["estimate_again"]
    half = np.hypot(both["high"] - both["low"], both["high_again"] - both["low_again"]) / 2
    both = both.assign(difference=gap, difference_low=gap - half, difference_high=gap + half)
    fewer = both[["units", "units_again"]].min(axis=1)
    gaps = [
        Estimate(value, value - width, value + width, int(units))
        for value, width, units in zip(gap, half, fewer, strict=True)
    ]
    return both.assign(agrees=holm([difference(each) for each in gaps]) >= LEVEL if gaps else [])
