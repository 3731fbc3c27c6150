"""Rows in which all tests of claims report."""

from collections.abc import Mapping
from typing import Any

from analyses.claims.model import Claim, Table
from basra_sim.deals import SEED_LIMIT
from basra_sim.measures import MEASURES
from basra_sim.stats import Estimate

PRIMARY, EXPLORATION, AGAIN, CROSS, CONTROL = "primary", "exploration", "second seed", "cross-check", "control"
ASKED = "expert"
"""
Parts that a row plays: the verdict rests on the primary ones, the others are beside it, among them (`ASKED`) what the
player who searches thinks.
"""

MARGIN, ADJUSTED, WON, APPLIED = "margin", "adjusted margin", "matches won", "applications"
"""
Measures: points a round ahead of the other side; the same with the luck of the deal regressed out; share of matches
won; decisions a deal that the advice applies to.
"""

UNITS: Mapping[str, str] = {
    MARGIN: MEASURES["total"].unit,
    ADJUSTED: MEASURES["total"].unit,
    WON: MEASURES["match_won"].unit,
    APPLIED: "decisions/deal",
}

GAINS = ("exchange", "covariates", "both")
"""How many times fewer rounds a duel takes than independent rounds: `basra_sim.experiment.Gains`."""

COLUMNS = (
    "claim", "kind", "role", "variant", "seats", "policy", "form", "opponent", "measure", "split", "place",
    "estimate", "low", "high", "units", "unit", "seed", *GAINS,
)  # fmt: skip
"""Columns that all rows have: see `row`."""


def second_seed(seed: int) -> int:
    """Seed of the deals on which primary tests are played again."""
    return seed + 1 if seed + 1 < SEED_LIMIT else seed - 1


def row(
    claim: Claim,
    kind: str,
    role: str,
    table: Table,
    strength: str,
    measure: str,
    found: Estimate,
    *,
    seed: int,
    form: str = "",
    opponent: str = "",
    unit: str = "",
    **more: Any,
) -> dict[str, Any]:
    """
    A row of results.

    The columns: claim, kind (`P`, `D`, `F`), role, variant, seats, policy (the player who is tested), form (of the
    advice, or a degree of memory), opponent, measure, split and place (the quantity by which decisions are told apart,
    and its value; empty for all of them), estimate, low, high, unit, units, seed; for duels the gains of pairing, and
    sequential: whether the interval is that of a confidence sequence, for it was to stop once decided.
    """
    who, words = opponent or strength, unit or UNITS[measure]
    more = {"form": form, "opponent": who, **more}
    return line(
        claim.name, kind, role, table.variant, table.seats, strength, measure, found, unit=words, seed=seed, **more
    )  # fmt: skip


def line(
    claim: str,
    kind: str,
    role: str,
    variant: str,
    seats: str,
    policy: str,
    measure: str,
    found: Estimate,
    *,
    unit: str,
    seed: int,
    **more: Any,
) -> dict[str, Any]:
    """A row of results, its table and claim given by name: see `row`."""
    return {
        "claim": claim,
        "kind": kind,
        "role": role,
        "variant": variant,
        "seats": seats,
        "policy": policy,
        "form": "",
        "opponent": policy,
        "measure": measure,
        "split": "",
        "place": "",
        **found.to_dict(),
        "unit": unit,
        "seed": seed,
        **dict.fromkeys(GAINS),
        **more,
    }
