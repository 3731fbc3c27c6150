"""The duels that a claim about a way of playing needs: a player with the advice against the same without."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from analyses.claims.model import PLAYING, Claim, Table
from analyses.claims.rows import (
    ADJUSTED,
    AGAIN,
    CONTROL,
    CROSS,
    EXPLORATION,
    GAINS,
    MARGIN,
    PRIMARY,
    WON,
    row,
    second_seed,
)
from analyses.jobs import PLAYERS, Effort, Job, weight
from basra_sim.executors import Progress
from basra_sim.experiment import Duel, duel
from basra_sim.policies import Policy, get_policy
from basra_sim.policies.advice import LITERAL, REVERSED
from basra_sim.policies.model import RISKS

PRIMARY_DEALS, BESIDE_DEALS, MATCHES, CROSS_DEALS, CONTROL_DEALS = 1.0, 1 / 4, 1 / 20, 1 / 4, 1 / 4
"""Sizes of duels as parts of `Effort.rounds`: primary ones, those beside, those of matches, cross-checks, controls."""

_ROUNDS_A_MATCH = 5


def uses_memory(strength: str) -> bool:
    """Whether a policy makes any use of which cards are gone."""
    player = get_policy(strength)
    return player.tuned is not None or any((player.weights or {}).get(name) for name in RISKS)


def strengths(claim: Claim) -> tuple[str, ...]:
    """Players that a way of playing is tried with."""
    return tuple(name for name in PLAYERS if not claim.degrees or uses_memory(name))


def tests(claim: Claim) -> int:
    """Number of primary tests of a claim about a way of playing."""
    return len(strengths(claim)) * len(claim.forms)


def sides(claim: Claim, strength: str, form: str) -> tuple[Policy, Policy]:
    """The player with the advice in a form, and the one without."""
    plain = get_policy(strength)
    if not claim.degrees:
        assert claim.piece is not None
        return plain.following(claim.piece, form), plain
    if form == LITERAL:
        return plain, plain.remembering(claim.degrees[1])
    return plain.remembering(claim.degrees[1] if form == REVERSED else form), plain


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """Duels to play for a claim about a way of playing; rows as `rows.row` describes them."""
    for table in claim.tables:
        judged = table == claim.table
        for strength in strengths(claim):
            for form in claim.forms if judged or not claim.degrees else (LITERAL,):
                role = PRIMARY if judged else EXPLORATION
                yield _deals(claim, role, table, strength, form, effort, effort.opponent)
            if judged and effort.opponent is None:
                yield from _beside(claim, strength, effort)


def _beside(claim: Claim, strength: str, effort: Effort) -> Iterator[Job]:
    """Tests beside the primary ones: other degrees, matches, a second seed, other opponents, the control."""
    table = claim.table
    for degree in claim.degrees[2:]:
        yield _deals(claim, EXPLORATION, table, strength, degree, effort)
    again = effort.on(second_seed(effort.seed))
    yield _deals(claim, AGAIN, table, strength, LITERAL, again)
    yield _deals(claim, CONTROL, table, strength, "itself", effort)
    yield _matches(claim, table, strength, LITERAL, effort)
    for opponent in PLAYERS:
        if opponent != strength:
            yield _deals(claim, CROSS, table, strength, LITERAL, effort, opponent)


def _deals(
    claim: Claim, role: str, table: Table, strength: str, form: str, effort: Effort, opponent: str | None = None
) -> Job:
    """A duel on single deals."""
    part = {PRIMARY: PRIMARY_DEALS, CROSS: CROSS_DEALS, CONTROL: CONTROL_DEALS, AGAIN: PRIMARY_DEALS}
    units = effort.units(part.get(role, BESIDE_DEALS), strength)
    both = (get_policy(strength),) * 2 if role == CONTROL else sides(claim, strength, form)
    judged = role == PRIMARY

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        stopping = effort.stopping(units) if judged else {"deals": units}
        found = played(both, table, effort, progress, opponent=opponent, smallest=claim.smallest, **stopping)
        made = partial(row, claim, PLAYING, role, table, strength, form=form, opponent=opponent or "", seed=effort.seed)
        made = partial(made, sequential=judged and effort.until_decided)
        gains = {name: getattr(found.gains, name).value for name in GAINS}
        return [made(measure=MARGIN, found=found.margin, **gains), made(measure=ADJUSTED, found=found.adjusted)]

    times = 4 if opponent else 2
    against = f" against {opponent}" if opponent else ""
    label = f"{claim.name}: {table.label}, {strength}{against}, {form}, {role}"
    return Job(label, weight(times * units, strength, opponent or strength), work)


def _matches(claim: Claim, table: Table, strength: str, form: str, effort: Effort) -> Job:
    """A duel of whole matches."""
    units = effort.units(MATCHES, strength)
    both = sides(claim, strength, form)

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        found = played(both, table, effort, progress, matches=units)
        return [row(claim, PLAYING, EXPLORATION, table, strength, WON, found.win, form=form, seed=effort.seed)]

    label = f"{claim.name}: {table.label}, {strength}, {form}, matches"
    return Job(label, weight(2 * _ROUNDS_A_MATCH * units, strength), work)


def played(both: tuple[Policy, Policy], table: Table, effort: Effort, progress: Progress | None, **more: Any) -> Duel:
    """A duel at a table."""
    return duel(
        *both,
        table.variant,
        players=table.players,
        pairs=table.pairs,
        seed=effort.seed,
        threads=effort.threads,
        progress=progress,
        **more,
    )
