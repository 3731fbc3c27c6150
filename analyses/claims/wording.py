"""Verdicts in sentences; every one of them is drawn from what was computed."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from analyses.claims.model import DECISION, FREQUENCY, GAIN, Claim
from analyses.claims.rows import APPLIED, PRIMARY
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    EITHER,
    GAINS,
    NO_DIFFERENCE,
    NOTHING,
    OPPONENT,
    PART,
    PLAYER,
    REFUTED,
    RIGHT,
    SITUATION,
    SUPPORTED,
    UNDECIDED,
    UNKNOWN,
    WEAK_ONLY,
    WRONG,
    Verdict,
)

_HEADLINES: Mapping[str, str] = {
    SUPPORTED: "Yes: {subject} pays.",
    WEAK_ONLY: "Only against weak play: {subject} pays among beginners, and no longer among better players.",
    NO_DIFFERENCE: "It does not matter: {subject} makes no difference worth speaking of.",
    REFUTED: "No: {subject} does not pay; it costs {what}.",
    DEPENDS: "It depends: whether {subject} pays turns on {on}.",
    UNDECIDED: "Undecided: the deals played do not tell whether {subject} pays{needed}.",
}
_STATED: Mapping[str, str] = {
    SUPPORTED: "Yes: {subject} is borne out.",
    WEAK_ONLY: "Only among weak players: {subject} is borne out there, and no longer among better ones.",
    NO_DIFFERENCE: "There is nothing in it: {subject} makes no difference worth speaking of.",
    REFUTED: "No: {subject} is not borne out.",
    DEPENDS: "It depends: {subject} turns on {on}.",
    UNDECIDED: "Undecided: the deals played do not tell about {subject}{needed}.",
}
_TURNS_ON: Mapping[str, str] = {
    SITUATION: "the situation: neither always doing so nor always doing the opposite is best",
    PLAYER: "how one plays otherwise",
    PART: "which part of it one takes: some come out as predicted and some do not",
    OPPONENT: "the opponent: against another kind of player it comes out the other way",
}
_STATES: Mapping[str, str] = {
    RIGHT: "right for {who}",
    WRONG: "wrong for {who}",
    EITHER: "right at one time and wrong at another for {who}",
    NOTHING: "of no importance for {who}",
    UNKNOWN: "undecided for {who}",
}


def headline(claim: Claim, found: Verdict) -> str:
    """The verdict as a sentence a player understands."""
    needed = f"; some {found.needed:,} deals a test would" if found.needed else ""
    words = _STATED if claim.decided_by == FREQUENCY or claim.contrast else _HEADLINES
    what, on = "matches" if claim.by_match else "points", _TURNS_ON.get(found.on, "")
    return words[found.name].format(subject=claim.subject, what=what, on=on, needed=needed)


def reasons(claim: Claim, found: Verdict) -> Iterator[str]:
    """What the verdict rests on, player by player, and what speaks against the numbers."""
    yield from states(found)
    yield from warnings(claim, found)


def states(found: Verdict) -> Iterator[str]:
    """What the verdict rests on, player by player."""
    by_state: dict[str, list[str]] = {}
    for player, state in found.states.items():
        by_state.setdefault(state, []).append(player)
    parts = [_STATES[state].format(who=_listed(who)) for state, who in by_state.items()]
    if parts:
        yield f"It is {'; '.join(parts)}."


def warnings(claim: Claim, found: Verdict) -> Iterator[str]:
    """What speaks against the numbers, and what a reader should know beside them."""
    if found.trouble:
        yield f"Do not trust these numbers: {found.trouble}."
    if claim.remark:
        yield claim.remark


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def never_applied(rows: pd.DataFrame) -> Iterator[str]:
    """Says so if the advice applied to no decision at all; `rows` are a claim's rows of `verdict.judge`."""
    counted = rows[(rows["kind"] == DECISION) & (rows["measure"] == APPLIED)]
    if len(counted) and (counted["estimate"] == 0).all():
        yield "It never applied: no player ever had a play that follows it and one that goes against it."


def in_doubt(claim: Claim, found: Verdict, rows: pd.DataFrame) -> Iterator[str]:
    """
    What decisions say to the strongest player on average, where it depends on the situation.

    Parameters
    ----------
    rows : DataFrame
        The claim's rows of `verdict.judge`.
    """
    if found.on != SITUATION or DECISION not in claim.kinds:
        return
    mean = rows[(rows["role"] == PRIMARY) & (rows["kind"] == DECISION) & (rows["measure"] == GAIN)].tail(1)
    for row in mean.to_dict("records"):
        told = {GAINS: "gains", COSTS: "costs"}.get(row["outcome"])
        size = f"{abs(row['estimate']):.2f} points ({abs(row['low']):.2f} to {abs(row['high']):.2f})"
        if told:
            yield (
                f"Over all such decisions, following rather than going against it {told} {row['policy']} {size} on "
                "average; but his own judgement does better than either habit."
            )
        else:
            yield f"Over all such decisions neither is known to be better for {row['policy']} on average."


MOST_SITUATIONS = 3
"""Situations that are named in which following gains most, or costs most."""


def situations(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """
    Situations in which following the advice gains most, and costs most, for the strongest player where it is judged.

    Only those count that are known to gain or to cost, corrected for their number; in the order of the end of the
    interval that is nearer to nothing. Yields a title and rows.
    """
    judged = rows[(rows["role"] == PRIMARY) & (rows["kind"] == DECISION)]
    if not len(judged):
        return
    player, variant, seats = (judged[name].iloc[-1] for name in ("policy", "variant", "seats"))
    here = rows[(rows["kind"] == DECISION) & (rows["split"] != "") & ~rows["split"].str.contains("×")]
    here = here[(here["policy"] == player) & (here["variant"] == variant) & (here["seats"] == seats)]
    gains = here[here["outcome"] == GAINS].nlargest(MOST_SITUATIONS, "low")
    costs = here[here["outcome"] == COSTS].nsmallest(MOST_SITUATIONS, "high")
    for part, word in ((gains, "gains"), (costs, "costs")):
        if len(part):
            yield f"Where following it {word} {player} most:", part
