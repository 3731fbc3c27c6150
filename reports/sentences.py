"""
The verdict on a claim in a sentence or two that a player understands, with what the advice is worth.

Nothing here is typed: words are chosen by the verdict and by outcomes, numbers come from the rows behind them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pandas as pd

from analyses.claims import summary
from analyses.claims.choices import CONTRAST, WIN
from analyses.claims.model import DECISION, FREQUENCY, GAIN, PLAYING, Claim
from analyses.claims.observations import OTHER_WAY
from analyses.claims.rows import MARGIN, PRIMARY
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    GAINS,
    NOTHING,
    REFUTED,
    SITUATION,
    UNDECIDED,
    UNKNOWN,
    Verdict,
)
from analyses.claims.wording import headline, situations
from analyses.frames import estimates, rows_of
from analyses.jobs import PLAYERS
from basra_sim.policies.advice import LITERAL, REVERSED
from basra_sim.stats import Estimate, decimals
from reports.findings import expectation
from reports.numbers import figure, is_share, shown_unit
from reports.said import marked
from reports.wording import NO_BREAK, joined, number, place

KNOWN_AS: Mapping[str, str] = dict(zip(PLAYERS, ("a beginner", "a good player", "a strong player"), strict=True))
"""The players at whom advice is tested, for readers who need not know their names."""

_MOVES: Mapping[str, tuple[str, str]] = {
    GAIN: ("Each time it comes up, following it rather than going against it", "points"),
    CONTRAST: ("Beyond what it brings elsewhere, following it there", "points each time"),
    WIN: ("Near the end of a close match, following it rather than going against it", "of such matches"),
}


def known_as(policy: str) -> str:
    """A player in words."""
    return KNOWN_AS.get(policy, policy)


def sentence(claim: Claim, found: Verdict, judged: pd.DataFrame) -> str:
    """The verdict, and what the advice is worth to the strongest player it was tested at."""
    return " ".join([headline(claim, replace(found, needed=None)), *worth(claim, found, judged)])


def worth(claim: Claim, found: Verdict, judged: pd.DataFrame) -> Iterator[str]:
    """What the advice is worth, and, where that depends on the situation, in which it is worth most and least."""
    ways = {PLAYING: _playing, DECISION: _deciding, FREQUENCY: _counted}
    told = list(ways[claim.decided_by](claim, found, judged))
    yield from told or ["It never came up in what was played."]
    if found.name == DEPENDS and found.on == SITUATION:
        yield from _when(claim, judged)
    if found.name == UNDECIDED and len(set(found.states.values())) > 1:
        yield _by_player(found)
    if found.trouble:
        yield f"Do not trust these numbers: {found.trouble}."


def _strongest(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the strongest player there is."""
    there = [policy for policy in PLAYERS if policy in set(rows["policy"])]
    return rows[rows["policy"] == there[-1]] if there else rows[:0]


def _playing(claim: Claim, _: Verdict, judged: pd.DataFrame) -> Iterator[str]:
    """What following always comes to, and doing the opposite always."""
    here = summary.at_table(judged, claim)
    rows = _strongest(here[(here["role"] == PRIMARY) & (here["measure"] == MARGIN)])
    forms = {row["form"]: (row, each) for row, each in zip(rows_of(rows), estimates(rows), strict=True)}
    if LITERAL not in forms:
        return
    row, each = forms[LITERAL]
    subject = "Remembering everything rather than nothing" if claim.degrees else "Done always, it"
    yield f"{subject} {_amount(row, each, 'points a round', claim.smallest)}."
    against = forms.get(REVERSED)
    if against and not claim.degrees and row["outcome"] != GAINS and against[0]["outcome"] == COSTS:
        too = " too" if row["outcome"] == COSTS else ""
        yield f"Always doing the opposite costs{too}: {number(summary.negative(against[1]), str(row['unit']))}."


def _deciding(claim: Claim, _: Verdict, judged: pd.DataFrame) -> Iterator[str]:
    """What following comes to at a decision."""
    measure = CONTRAST if claim.contrast else WIN if claim.by_match else GAIN
    here = summary.at_table(judged, claim)
    chosen = (here["role"] == PRIMARY) & (here["measure"] == measure) & (here["split"] == "")
    rows = _strongest(here[chosen & (here["kind"] == DECISION) & here["estimate"].notna()])
    start, unit = _MOVES[measure]
    for row, each in zip(rows_of(rows), estimates(rows), strict=True):
        yield f"{start} {_amount(row, each, unit, claim.smallest_decision)}."
        return


def _counted(claim: Claim, found: Verdict, judged: pd.DataFrame) -> Iterator[str]:
    """The quantity on which the verdict hangs most: the first that speaks against the claim, or leaves it open."""
    rows = _strongest(summary.counted(judged, claim))
    hangs = {UNDECIDED: UNKNOWN, REFUTED: OTHER_WAY, DEPENDS: OTHER_WAY}.get(found.name)
    rows = pd.concat([rows[rows["outcome"] == hangs], rows]) if hangs else rows
    for row, each in zip(rows_of(rows), estimates(rows), strict=True):
        unit = "" if is_share(str(row["unit"])) else f" {shown_unit(str(row['unit']))}"
        who = f"{known_as(str(row['policy'])).removeprefix('a ')}s"
        said = expectation(row)
        predicted = f" (predicted: {said})" if said else ""
        yield f"Counted among {who}: {row['measure']}: {number(each, str(row['unit']))}{unit}{predicted}."
        return


def _by_player(found: Verdict) -> str:
    """For whom it is right, and for whom not known to be."""
    players: dict[str, list[str]] = {}
    for player, state in found.states.items():
        players.setdefault(state, []).append(known_as(player))
    parts = [f"{state} for {joined(who)}" for state, who in players.items()]
    return f"Player by player: {'; '.join(parts)}."


def _when(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """Where it pays most, and where it costs most, as far as either is certain."""
    rows = judged[judged["claim"] == claim.name]
    parts = []
    for title, part in situations(rows):
        row, each = rows_of(part)[0], estimates(part)[0]
        unit = str(row["unit"])
        word = "Best" if "gains" in title else "Worst"
        where = place(str(row["split"]), str(row["place"]))
        parts.append(
            f"{word} moment: {where} ({number(each, unit, signed=True)}{'' if is_share(unit) else ' points'})."
        )
    yield from parts


def _amount(row: Mapping[str, object], found: Estimate, unit: str, smallest: float) -> str:
    """What something brings or costs, in words."""
    of, who = str(row["unit"]), known_as(str(row["policy"]))
    told = "" if is_share(of) and unit.startswith("of ") else f" {unit}"
    if row["outcome"] == GAINS:
        return f"brings {who} {number(found, of)}{told or f' {unit}'}"
    if row["outcome"] == COSTS:
        return f"costs {who} {number(summary.negative(found), of)}{told or f' {unit}'}"
    if row["outcome"] == NOTHING:
        least = f"{100 * smallest:g}{NO_BREAK}%" if is_share(of) else f"{smallest:g}"
        return f"makes less than {least} {unit} of difference to {who}"
    return f"is worth {_between(found, of)} {unit} to {who}, as far as these deals tell"


def _between(found: Estimate, unit: str) -> str:
    """The ends of an interval, in a sentence."""
    scaled = found.scaled(100) if is_share(unit) else found
    low, high = scaled.low or 0.0, scaled.high or 0.0
    digits = decimals((high - low) / 2)
    text = f"{figure(low, digits, signed=True)} to {figure(high, digits, signed=True)}"
    return marked(f"{text}{NO_BREAK}%" if is_share(unit) else text, found, unit)
