"""The duels that a claim about a way of playing needs: a policy with the advice against the same policy without."""

from collections.abc import Iterator
from math import hypot
from typing import Any

from analyses.claims.model import AS_THEY_ARE, Claim, Form, Player
from analyses.jobs import Effort, Job, weight
from basra_sim.deals import SEED_LIMIT
from basra_sim.experiment import Duel, duel
from basra_sim.policies import Policy
from basra_sim.simulation import MEASURES, Progress
from basra_sim.stats import Estimate

DEALS, MATCHES, CROSS_DEALS, CONTROL_DEALS = 1.0, 1 / 20, 1 / 5, 1 / 5
"""Sizes of a duel in deals, of one in matches, of a cross-check and of a control, as parts of `Effort.rounds`."""

PRIMARY, EXPLORATION, AGAIN, CROSS, CONTROL = "primary", "exploration", "second seed", "cross-check", "control"
"""Parts that a row plays: the verdict rests on the primary ones, the others are beside it."""

MARGIN, MATCH_WON = "margin", "match_won"
"""Measures: points a round ahead of the other side; share of matches won."""

EXCHANGED, UNPAIRED = "seats exchanged", "seats on deals of their own"
"""Forms of the control, a policy against itself."""

_ROUNDS_A_MATCH = 5


def second_seed(seed: int) -> int:
    """Seed of the deals on which the primary duels are played again."""
    return seed + 1 if seed + 1 < SEED_LIMIT else seed - 1


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """
    Duels to play for a claim.

    The rows of `jobs.run` have the columns claim, role, variant, policy (of both sides), form, opponent (`policy`, but
    for a cross-check), measure, estimate, low, high, unit, units (deals or matches, each played with seats exchanged),
    seed, pairing_gain (how many times fewer rounds the exchange of seats took; missing where nothing was gained by
    it, or everything).
    """
    again = Effort(effort.rounds, second_seed(effort.seed), effort.threads)
    for name in claim.variants:
        for player in claim.everyone:
            for form in claim.forms:
                judged = name == claim.variant and form.primary and player in claim.players
                yield _deals(claim, PRIMARY if judged else EXPLORATION, name, player, form, effort)
                yield _matches(claim, name, player, form, effort)
                if judged:
                    yield _deals(claim, AGAIN, name, player, form, again)
            yield _control(claim, name, player, effort, again)
    for player in claim.everyone:
        for opponent in AS_THEY_ARE:
            for form in claim.primary_forms:
                if opponent.strength != player.strength:
                    yield _cross(claim, player, opponent, form, effort)


def _row(
    claim: Claim, role: str, variant: str, player: Player, form: str, measure: str, found: Estimate
) -> dict[str, Any]:
    """Row of `jobs`, but for the seed and the gain of pairing."""
    unit = MEASURES["match_won"].unit if measure == MATCH_WON else MEASURES["total"].unit
    named = {"claim": claim.name, "role": role, "variant": variant, "policy": player.name, "form": form}
    return named | {"opponent": player.name, "measure": measure} | found.to_dict() | {"unit": unit}


def _played(
    policy: Policy,
    player: Player,
    variant: str,
    effort: Effort,
    progress: Progress | None,
    *,
    deals: int | None = None,
    matches: int | None = None,
) -> Duel:
    """A policy against a player as he is, on so many deals or matches."""
    return duel(
        policy,
        player.policy,
        variant,
        deals=deals,
        matches=matches,
        seed=effort.seed,
        threads=effort.threads,
        progress=progress,
    )


def _deals(claim: Claim, role: str, variant: str, player: Player, form: Form, effort: Effort) -> Job:
    """A duel on single deals."""
    units = effort.units(DEALS, player.strength)

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        found = _played(form.applied(player), player, variant, effort, progress, deals=units)
        row = _row(claim, role, variant, player, form.name, MARGIN, found.margin)
        return [row | {"seed": effort.seed, "pairing_gain": found.pairing_gain}]

    return Job(f"{claim.name}: {variant}, {player.name}, {form.name}, {role}", weight(2 * units, player.strength), work)


def _matches(claim: Claim, variant: str, player: Player, form: Form, effort: Effort) -> Job:
    """A duel of whole matches."""
    units = effort.units(MATCHES, player.strength)

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        found = _played(form.applied(player), player, variant, effort, progress, matches=units)
        row = _row(claim, EXPLORATION, variant, player, form.name, MATCH_WON, found.win)
        return [row | {"seed": effort.seed, "pairing_gain": None}]

    label = f"{claim.name}: {variant}, {player.name}, {form.name}, matches"
    return Job(label, weight(2 * _ROUNDS_A_MATCH * units, player.strength), work)


def _control(claim: Claim, variant: str, player: Player, effort: Effort, again: Effort) -> Job:
    """A policy against itself: on the same deals with seats exchanged, and with each seat on deals of its own."""
    units = effort.units(CONTROL_DEALS, player.strength)

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        first, second = (
            _played(player.policy, player, variant, part, progress, deals=units) for part in (effort, again)
        )
        rows = [(EXCHANGED, first.margin), (UNPAIRED, _unpaired(first, second))]
        return [
            _row(claim, CONTROL, variant, player, form, MARGIN, found) | {"seed": effort.seed, "pairing_gain": None}
            for form, found in rows
        ]

    return Job(f"{claim.name}: {variant}, {player.name}, control", weight(4 * units, player.strength), work)


def _unpaired(first: Duel, second: Duel) -> Estimate:
    """Margin of a duel whose two seatings were played on deals that have nothing to do with each other."""
    ahead, behind = first.seat_margins[0], second.seat_margins[1]
    if ahead.value is None or behind.value is None or ahead.half_width is None or behind.half_width is None:
        return Estimate(None, None, None, first.units)
    value, half = (ahead.value + behind.value) / 2, hypot(ahead.half_width, behind.half_width) / 2
    return Estimate(value, value - half, value + half, first.units)


def _cross(claim: Claim, player: Player, opponent: Player, form: Form, effort: Effort) -> Job:
    """What the advice gains against another kind of opponent."""
    units = min(effort.units(CROSS_DEALS, each.strength) for each in (player, opponent))

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        found = duel(
            form.applied(player),
            player.policy,
            claim.variant,
            opponent=opponent.policy,
            deals=units,
            seed=effort.seed,
            threads=effort.threads,
            progress=progress,
        )
        row = _row(claim, CROSS, claim.variant, player, form.name, MARGIN, found.margin)
        return [row | {"opponent": opponent.name, "seed": effort.seed, "pairing_gain": None}]

    label = f"{claim.name}: {claim.variant}, {player.name}, {form.name}, against {opponent.name}"
    return Job(label, weight(4 * units, player.strength, opponent.strength), work)
