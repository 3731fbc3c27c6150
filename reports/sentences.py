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
from analyses.claims.rows import MARGIN, PRIMARY
from analyses.claims.verdict import COSTS, DEPENDS, GAINS, NOTHING, SITUATION, UNDECIDED, Verdict
from analyses.claims.wording import headline
from analyses.frames import estimates, rows_of
from analyses.jobs import PLAYERS
from basra_sim.policies.advice import LITERAL, REVERSED
from basra_sim.stats import Estimate, decimals
from reports.numbers import figure, is_share, shown_unit
from reports.said import marked
from reports.wording import NO_BREAK, joined, number, place

KNOWN_AS: Mapping[str, str] = dict(zip(PLAYERS, ("a beginner", "a good player", "a strong player"), strict=True))
"""The players at whom advice is tested, for readers who need not know their names."""

_MOVES: Mapping[str, tuple[str, str]] = {
    GAIN: ("Each time it comes up, following it rather than going against it", "points"),
    CONTRAST: ("Following it brings more there than elsewhere: it", "points each time"),
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
    yield from ways[claim.decided_by](claim, judged)
    if found.name == DEPENDS and found.on == SITUATION:
        yield from _when(claim, judged)
    if found.name == UNDECIDED and len(set(found.states.values())) > 1:
        yield _by_player(found)


def _strongest(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the strongest player there is."""
    there = [policy for policy in PLAYERS if policy in set(rows["policy"])]
    return rows[rows["policy"] == there[-1]] if there else rows[:0]


def _playing(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
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


def _deciding(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """What following comes to at a decision."""
    measure = CONTRAST if claim.contrast else WIN if claim.by_match else GAIN
    here = summary.at_table(judged, claim)
    chosen = (here["role"] == PRIMARY) & (here["measure"] == measure) & (here["split"] == "")
    rows = _strongest(here[chosen & (here["kind"] == DECISION) & here["estimate"].notna()])
    start, unit = _MOVES[measure]
    for row, each in zip(rows_of(rows), estimates(rows), strict=True):
        yield f"{start} {_amount(row, each, unit, claim.smallest_decision)}."
        return


def _counted(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """The first quantity that was counted."""
    rows = summary.counted(judged, claim)
    rows = _strongest(rows[rows["measure"] == rows["measure"].iloc[0]]) if len(rows) else rows
    for row, each in zip(rows_of(rows), estimates(rows), strict=True):
        unit = "" if is_share(str(row["unit"])) else f" {shown_unit(str(row['unit']))}"
        who = f"{known_as(str(row['policy'])).removeprefix('a ')}s"
        yield f"Counted among {who}: {row['measure']}: {number(each, str(row['unit']))}{unit}."
        return


def _by_player(found: Verdict) -> str:
    """For whom it is right, and for whom not known to be."""
    players: dict[str, list[str]] = {}
    for player, state in found.states.items():
        players.setdefault(state, []).append(known_as(player))
    parts = [f"{state} for {joined(who)}" for state, who in players.items()]
    return f"Player by player: {'; '.join(parts)}."


def _when(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """Where it pays most and least, as far as that is certain."""
    rows = _strongest(summary.extremes(judged, claim, 1))
    parts = [
        f"{word}: {place(str(row['split']), str(row['place']))} "
        f"({number(each, str(row['unit']), signed=True)}{'' if is_share(str(row['unit'])) else ' points'})"
        for row, each, outcome, word in zip(
            rows_of(rows), estimates(rows), (GAINS, COSTS), ("best moment", "worst moment"), strict=False
        )
        if row["outcome"] == outcome
    ]
    if parts:
        said = "; ".join(parts)
        yield f"{said[0].upper()}{said[1:]}."


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
