"""What a claim's numbers say, in sentences; every one of them is drawn from the outcomes, none is typed."""

from collections.abc import Iterator, Mapping

import pandas as pd

from analyses.claims.duels import CONTROL, CROSS, EXCHANGED, EXPLORATION, MARGIN, MATCH_WON, PRIMARY
from analyses.claims.model import Claim, Form
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    GAINS,
    NO_DIFFERENCE,
    NOTHING,
    PASSED,
    REFUTED,
    SUPPORTED,
    UNDECIDED,
    Verdict,
)
from analyses.frames import estimates
from basra_sim.simulation import MEASURES
from basra_sim.stats import Estimate
from reports.numbers import figure
from reports.wording import joined, number

POINTS = MEASURES["total"].unit

_HEADLINES: Mapping[str, str] = {
    SUPPORTED: "Yes: {subject} pays, however it was followed and whoever played.",
    REFUTED: "No: {subject} does not pay; it costs points, however it was followed and whoever played.",
    NO_DIFFERENCE: "It does not matter: {subject} makes no difference worth speaking of.",
    DEPENDS: "It depends: whether {subject} pays turns on {on}.",
    UNDECIDED: "Undecided: the deals played do not tell whether {subject} pays{needed}.",
}
_TURNS_ON = {
    "form": "how strictly one does it",
    "policy": "how one plays otherwise",
    "situation": "the situation, for neither doing so always nor always doing the opposite comes out better",
}


def headline(claim: Claim, found: Verdict) -> str:
    """The verdict as a sentence a player understands."""
    needed = f"; some {found.needed:,} deals a duel would" if found.needed else ""
    on = joined([_TURNS_ON[each] for each in found.on])
    return _HEADLINES[found.name].format(subject=claim.subject, on=on, needed=needed)


def said(form: Form, cells: pd.DataFrame) -> str:
    """What came out for one form under one set of rules, as a sentence; empty if it was not played."""
    part = cells[cells["form"] == form.name]
    clauses = [
        _clause(outcome, part[part["outcome"] == outcome])
        for outcome in (GAINS, COSTS, NOTHING, UNDECIDED)
        if (part["outcome"] == outcome).any()
    ]
    return f"{form.phrase[0].upper()}{form.phrase[1:]} it {'; it '.join(clauses)}." if clauses else ""


def _clause(outcome: str, rows: pd.DataFrame) -> str:
    """Part of a sentence for the players with one outcome."""
    found = estimates(rows)
    who = [
        player if player == opponent else f"{player} against {opponent}"
        for player, opponent in zip(rows["policy"], rows["opponent"], strict=True)
    ]
    if outcome in (GAINS, COSTS):
        parts = [f"{number(_size(each), POINTS)} for {name}" for each, name in zip(found, who, strict=True)]
        return f"{outcome}, in points a round, {joined(parts)}"
    values = [number(each, POINTS, signed=True) for each in found]
    if outcome == NOTHING:
        parts = [f"{name} ({value})" for value, name in zip(values, who, strict=True)]
        return f"makes no difference that matters for {joined(parts)}"
    needs = ["" if pd.isna(each) else f"; some {each:,} deals would tell" for each in rows["needed"]]
    parts = [f"{name} ({value}{need})" for value, name, need in zip(values, who, needs, strict=True)]
    return f"is undecided for {joined(parts)}"


def _size(found: Estimate) -> Estimate:
    """A gain or a loss without its sign."""
    if found.value is None or found.low is None or found.high is None or found.value >= 0:
        return found
    return Estimate(-found.value, -found.high, -found.low, found.units)


def matches(claim: Claim, judged: pd.DataFrame) -> str:
    """What the literal advice, the first form, comes to in whole matches under the primary rules."""
    form = claim.forms[0]
    chosen = (judged["measure"] == MATCH_WON) & (judged["variant"] == claim.variant) & (judged["form"] == form.name)
    rows = judged[chosen]
    parts = [
        f"{number(each, MEASURES['match_won'].unit)} for {player}"
        for each, player in zip(estimates(rows), rows["policy"], strict=True)
    ]
    return f"Of whole matches, who follows it {form.phrase} wins {joined(parts)}. Half of them would be even."


def findings(claim: Claim, judged: pd.DataFrame) -> Iterator[tuple[str, list[str]]]:
    """What came out, form by form, under the rules that the claim is judged by and under those that are explored."""
    margins = judged[(judged["measure"] == MARGIN) & judged["role"].isin([PRIMARY, EXPLORATION])]
    for name in claim.variants:
        part = margins[margins["variant"] == name]
        sentences = [said(form, part) for form in claim.forms]
        if name == claim.variant:
            yield f"Under {name} rules", [*sentences, matches(claim, judged)]
        else:
            yield f"Under {name} rules, as exploration", sentences
    cross = judged[judged["role"] == CROSS]
    if len(cross):
        sentences = [said(form, cross) for form in claim.primary_forms]
        yield f"As a check, against another kind of player, under {claim.variant} rules", sentences


def remarks(claim: Claim) -> Iterator[str]:
    """What to know beside the numbers."""
    others = [player for player in claim.everyone if player.weights]
    if others:
        names = joined([f"“{player.name}”" for player in others])
        yield f"The players {names} are as their namesakes but for one thing: each {others[0].does}."
    if claim.remark:
        yield claim.remark


def how(judged: pd.DataFrame, again: pd.DataFrame) -> Iterator[str]:
    """How the numbers came about, and what was checked."""
    primary = judged[judged["role"] == PRIMARY]
    counts = joined([f"{units:,}" for units in sorted(primary["units"].unique(), reverse=True)], "or")
    yield (
        f"A duel is played by two players who differ in the advice alone, on {counts} deals (fewer where the players "
        "think longer), each deal twice with the seats exchanged; the deal is the unit of the intervals. Seed "
        f"{primary['seed'].iloc[0]}. Points carried over from a tie for most cards do not come into single deals."
    )
    gains = primary["pairing_gain"].dropna()
    if len(gains):
        least, most = (figure(gain, 1 if gain < 99 else 0) for gain in (gains.min(), gains.max()))
        yield (
            f"For intervals of the same length, deals played once each would take {least} to {most} times as many "
            "rounds as the exchange of seats: most where the advice changes few plays."
        )
    yield (
        f"On the deals of seed {again['seed_again'].iloc[0]} instead, {int(again['agrees'].sum())} of {len(again)} "
        "primary results come out the same but for chance, judged at a level corrected for their number."
    )
    yield control(judged)


def control(judged: pd.DataFrame) -> str:
    """Whether a player against himself comes out as nothing, as he must."""
    rows = judged[judged["role"] == CONTROL]
    exchanged = rows[rows["form"] == EXCHANGED]
    nothing = bool((exchanged[["low", "high"]] == 0).all(axis=None))
    if not (nothing and (rows["outcome"] == PASSED).all()):
        return "A player against himself does not come out as nothing, as he must: do not trust these numbers."
    return (
        "A player against himself must come out as nothing. With the seats exchanged he does, to the point, in every "
        "deal; with each seat on deals of its own he does but for chance."
    )


def reproduce(claim: Claim, judged: pd.DataFrame) -> str:
    """Lines of Python that play the first primary duel again."""
    row = judged[judged["role"] == PRIMARY].iloc[0]
    form, player = claim.form(row["form"]), claim.player(row["policy"])
    own = "".join(f", {name}={weight}" for name, weight in player.weights.items())
    plain = f'get_policy("{player.strength}")' + (f'.revised("{player.name}"{own})' if own else "")
    weights = ", ".join(f"{name}={weight}" for name, weight in form.weights.items())
    return (
        "from basra_sim import duel, get_policy\n\n"
        f"plain = {plain}\n"
        f'advised = plain.revised("{player.name}+{form.name}", {weights})\n'
        f'print(duel(advised, plain, "{claim.variant}", deals={row["units"]}, seed={row["seed"]}).margin)'
    )
