"""What tests of claims come to, taken together: effects side by side, where decisions pay, what a breach costs."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import chi2

from analyses.claims.choices import WIN
from analyses.claims.model import DECISION, FREQUENCY, GAIN, PLAYING, Claim
from analyses.claims.rows import APPLIED, MARGIN, PRIMARY
from analyses.claims.verdict import COSTS, GAINS, TESTED, UNKNOWN
from analyses.claims.verdict import NOTHING as ALIKE
from analyses.frames import estimates, rows_of
from analyses.jobs import PLAYERS, STRONGEST
from basra_sim.policies.advice import LITERAL, REVERSED
from basra_sim.stats import Estimate

OPPOSITE, SAME, ALREADY, AGAINST, HALF_USED, NEITHER, OPEN, OPEN_ALIKE = (
    "opposite",
    "same",
    "already",
    "against",
    "half used",
    "neither",
    "open",
    "open, alike",
)
"""How a way of playing and its reverse come out: see `turned`."""


def at_table(judged: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """Rows of a claim where it is judged."""
    here = (judged["variant"] == claim.table.variant) & (judged["seats"] == claim.table.seats)
    return judged[here & (judged["claim"] == claim.name)]


def counted(judged: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """Rows of the frequencies that a claim is judged by, at whatever table each of them is."""
    chosen = (judged["kind"] == FREQUENCY) & (judged["role"] == PRIMARY)
    return judged[chosen & (judged["claim"] == claim.name)]


def effects(judged: pd.DataFrame, claims: Sequence[Claim]) -> pd.DataFrame:
    """
    Primary results of all claims side by side: literal advice, decisions, and frequencies.

    Returns
    -------
    DataFrame
        claim, kind, measure, policy, estimate, low, high, unit, units, seed, outcome, smallest; claims of a kind and
        unit stand together (a way of playing before a decision before a frequency), those of large effects for the
        strongest player first, but for frequencies, which stay in their order.
    """
    frequencies = judged["kind"] == FREQUENCY
    chosen = (judged["role"] == PRIMARY) & (judged["split"] == "") & judged["form"].isin(["", LITERAL])
    part = judged[chosen & (frequencies | judged["measure"].isin(TESTED)) & judged["estimate"].notna()]
    names = [claim.name for claim in claims]
    part = part[part["claim"].isin(names)]
    limits = {(claim.name, kind): size for claim in claims for kind, size in _limits(claim).items()}
    smallest = [limits[name, kind] for name, kind in zip(part["claim"], part["kind"], strict=True)]
    part = part.assign(smallest=np.array(smallest, float))
    places = [
        (
            (PLAYING, DECISION, FREQUENCY).index(row["kind"]),
            0 if row["unit"].startswith("points") else 1,
            0.0 if row["kind"] == FREQUENCY else -_largest(part, row["claim"], row["kind"]),
            names.index(row["claim"]),
        )
        for row in rows_of(part)
    ]
    order = sorted(range(len(places)), key=places.__getitem__)
    columns = ["claim", "kind", "measure", "policy", "estimate", "low", "high", "unit", "units", "seed", "outcome"]
    return part.iloc[order][[*columns, "smallest"]].reset_index(drop=True)


def _limits(claim: Claim) -> dict[str, float]:
    """Smallest effects that matter, for each kind of test."""
    return {PLAYING: claim.smallest, DECISION: claim.smallest_decision, FREQUENCY: float("nan")}


def _largest(part: pd.DataFrame, claim: str, kind: str) -> float:
    """Largest effect of a claim for the strongest player; 0 if he was not tested."""
    found = part[(part["claim"] == claim) & (part["kind"] == kind) & (part["policy"] == STRONGEST)]["estimate"]
    return float(found.abs().max()) if len(found) else 0.0


def cells(judged: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """Rows of the decisions of a claim told apart, where it is judged and among players alike; no curve among them."""
    part = at_table(judged, claim)
    told = (part["split"] != "") & (part["split"] != claim.curve)
    return part[(part["kind"] == DECISION) & told & (part["policy"] == part["opponent"])]


def _of_verdict(judged: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """Those of `cells` that state what the verdict rests on, where it is known: points, or chances to win the match."""
    found = cells(judged, claim)
    return found[(found["measure"] == (WIN if claim.by_match else GAIN)) & found["estimate"].notna()]


def telling(judged: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    """
    Quantities by which the value of a decision differs, the one that tells most first.

    Returns
    -------
    DataFrame
        split, spread (how far the cells lie from their mean, all players together, in units of what chance would do),
        p (of chance alone; only a means of putting them in order, for cells of one deal hang together)
    """
    rows = []
    for split, part in _of_verdict(judged, claim).groupby("split", sort=False):
        if " × " in str(split):
            continue
        spread, free = 0.0, 0
        for _, one in part.groupby("policy", sort=False):
            values = one["estimate"].to_numpy(float)
            weights = 1 / np.maximum((one["high"] - one["low"]).to_numpy(float), 1e-9) ** 2 * (2 * 1.96) ** 2
            mean = float((weights * values).sum() / weights.sum())
            spread, free = spread + float((weights * (values - mean) ** 2).sum()), free + len(one) - 1
        if free:
            rows.append({"split": split, "spread": spread / free, "p": float(chi2.sf(spread, free))})
    found = pd.DataFrame(rows, columns=["split", "spread", "p"])
    order = found.assign(less=-found["spread"]).sort_values(["p", "less"], kind="stable").index
    return found.loc[order].reset_index(drop=True)


def extremes(judged: pd.DataFrame, claim: Claim, number: int = 4) -> pd.DataFrame:
    """
    Situations in which following pays most, and those in which it costs most, for the strongest player who had any.

    They are put in order by the end of the interval that is nearer to nothing or beyond it, so that a few decisions
    that happened to come out well do not stand first. Rows of `cells` for all players, the strongest player's order.
    """
    found = _of_verdict(judged, claim)
    found = found[~found["split"].str.contains(" × ")]
    there = [policy for policy in PLAYERS if (found["policy"] == policy).any()]
    strongest = found[found["policy"] == (there[-1] if there else "")]
    number = min(number, len(strongest) // 2)
    best = strongest.sort_values("low", ascending=False, kind="stable")[:number]
    rest = strongest.drop(best.index)
    worst = rest.sort_values("high", ascending=False, kind="stable")[len(rest) - number :]
    order = {key: k for k, key in enumerate((row.split, row.place) for row in pd.concat([best, worst]).itertuples())}
    places = pd.Series(
        [order.get(key, -1) for key in zip(found["split"], found["place"], strict=True)], found.index, dtype=int
    )
    return found.loc[places[places >= 0].sort_values(kind="stable").index]


def applied(judged: pd.DataFrame, claim: Claim, policy: str) -> float | None:
    """Decisions a deal that a claim applies to; None if they were not counted."""
    part = at_table(judged, claim)
    found = part[(part["measure"] == APPLIED) & (part["policy"] == policy)]["estimate"]
    return float(found.iloc[0]) if len(found) else None


def turned(judged: pd.DataFrame, claim: Claim) -> dict[str, str]:
    """
    How a way of playing and its reverse come out beside each other, player by player.

    Returns
    -------
    dict
        `OPPOSITE` (one gains, the other costs), `SAME` (both gain or both cost), `ALREADY` (following makes no
        difference, the reverse costs), `AGAINST` (following makes no difference, the reverse gains), `HALF_USED`
        (following gains or costs, the reverse makes no difference), `NEITHER` (neither makes a difference), `OPEN` and
        `OPEN_ALIKE` (one of them at least is undecided; the estimates have opposite signs, or the same).
    """
    part = at_table(judged, claim)
    part = part[(part["role"] == PRIMARY) & (part["measure"] == MARGIN)]
    found = {}
    for policy, one in part.groupby("policy", sort=False):
        forms = {row["form"]: row for row in rows_of(one)}
        if {LITERAL, REVERSED} <= set(forms):
            follow, reverse = forms[LITERAL], forms[REVERSED]
            values = [float(follow["estimate"]), float(reverse["estimate"])]
            found[str(policy)] = _turned([follow["outcome"], reverse["outcome"]], values)
    return found


def _turned(outcomes: list[str], values: list[float]) -> str:
    """How two outcomes go together."""
    follow, turned = outcomes
    if UNKNOWN in outcomes:
        return OPEN if values[0] * values[1] <= 0 else OPEN_ALIKE
    if follow == ALIKE:
        return {ALIKE: NEITHER, COSTS: ALREADY, GAINS: AGAINST}[turned]
    return HALF_USED if turned == ALIKE else SAME if turned == follow else OPPOSITE


class Breach(NamedTuple):
    """What doing the opposite of advice costs, beside all other advice."""

    cost: Estimate
    rank: int
    of: int
    next: str
    """The claim whose breach costs most among the others."""
    ahead: Estimate
    """By how much more it costs than that of the next, as if the two were independent."""


def breach(judged: pd.DataFrame, claim: Claim, policy: str) -> Breach | None:
    """Rank of a claim by what its breach costs a player; None if he was not tested, or no other claim was."""
    chosen = (judged["role"] == PRIMARY) & (judged["measure"] == MARGIN) & (judged["form"] == REVERSED)
    part = judged[chosen & (judged["policy"] == policy) & judged["high"].notna()]
    costs = {name: negative(each) for name, each in zip(part["claim"], estimates(part), strict=True)}
    if claim.name not in costs or len(costs) < 2:
        return None
    order = sorted(costs, key=lambda name: -(costs[name].value or 0.0))
    following = next(name for name in order if name != claim.name)
    mine, other = costs[claim.name], costs[following]
    gap = (mine.value or 0.0) - (other.value or 0.0)
    half = hypot(mine.half_width or 0.0, other.half_width or 0.0)
    ahead = Estimate(gap, gap - half, gap + half, min(mine.units, other.units))
    return Breach(mine, order.index(claim.name) + 1, len(order), following, ahead)


def negative(found: Estimate) -> Estimate:
    """An estimate with the other sign."""
    value, low, high = (None if part is None else -part for part in (found.value, found.high, found.low))
    return Estimate(value, low, high, found.units)
