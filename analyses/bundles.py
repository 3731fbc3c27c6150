"""Advice followed together: what it is worth, what each piece adds to the rest, and which few to learn first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analyses.claims.model import MAIN, SECTIONS, Claim, Table
from analyses.claims.registry import CLAIMS, find_claims
from analyses.claims.rows import second_seed
from analyses.claims.ways import played
from analyses.jobs import STRONGEST, Effort, Job, weight
from basra_sim.errors import InputError
from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.experiment import Design, exchanged
from basra_sim.plans import Plan, Played
from basra_sim.policies import Advice, Policy, get_policy
from basra_sim.policies.advice import LITERAL, TIE_BREAK
from basra_sim.rules.wording import did_you_mean
from basra_sim.stats import Estimate, ratio
from basra_sim.variants import setting

TOGETHER = "all together"
"""What the rows of all pieces together are called."""

SELECTION, VALUE = 1 / 4, 1.0
"""Deals of a trial while pieces are chosen, and of a value that is stated, as parts of `Effort.rounds`."""

GAIN, SHARE, ADDS, ALONE = "gain", "share of the way", "adds to the rest", "alone"
"""Measures: points a round ahead of the player without; share of the way to the strongest player; points a round that a
piece adds to all the others, and by itself."""

UNITS: Mapping[str, str] = {GAIN: "points/round", SHARE: "of the way", ADDS: "points/round", ALONE: "points/round"}


class Piece(NamedTuple):
    """A piece of advice in a form."""

    advice: Advice
    form: str = LITERAL

    @property
    def name(self) -> str:
        """Written form."""
        return self.advice.name if self.form == LITERAL else f"{self.advice.name}:{self.form}"


def pieces(claims: Iterable[Claim], form: str = LITERAL) -> list[Piece]:
    """Advice of claims as something to follow, each piece once; two that say the same are one."""
    return _once(Piece(claim.piece, form) for claim in claims if claim.piece is not None and not claim.contrast)


def _once(given: Iterable[Piece]) -> list[Piece]:
    """Pieces without those that say the same as one before."""
    found: dict[str, Piece] = {}
    for each in given:
        advice = each.advice
        found.setdefault(str((advice.when, advice.follow, advice.against, advice.address)), each)
    return list(found.values())


def section(name: str, form: str = LITERAL) -> list[Piece]:
    """
    Advice of a section of the page.

    Raises
    ------
    InputError
        If there is no such section, or no advice in it to be followed.
    """
    known = [each for each in SECTIONS if pieces(claim for claim in CLAIMS if claim.section == each)]
    if name not in known:
        hint = did_you_mean(name, known)
        raise InputError(f"no section is called {name!r}{hint}; there are {', '.join(known)}")
    return pieces((claim for claim in CLAIMS if claim.section == name), form)


def told(base: str, chosen: Iterable[Piece]) -> Policy:
    """A player who follows some advice."""
    player = get_policy(base)
    for piece in chosen:
        player = player.following(piece.advice, piece.form)
    return player


def jobs(base: str, chosen: Sequence[Piece], effort: Effort, table: Table = MAIN) -> Iterator[Job]:
    """
    What a bundle is worth, and what each of its pieces is worth in it and alone.

    The rows have the columns bundle, piece (empty for the whole), measure, estimate, low, high, unit, units, seed.
    """
    name = " + ".join(piece.name for piece in chosen)
    deals = effort.units(VALUE, base)
    work = partial(_valued, base, chosen, name, effort, deals, table)
    yield Job(f"{base}: {name}", weight(4 * deals, base), work, (TOGETHER,))
    if len(chosen) > 1:
        for piece in chosen:
            work = partial(_piece, base, chosen, piece, name, effort, deals, table)
            yield Job(f"{base}: {piece.name} in {name}", weight(4 * deals, base), work, (piece.name,))


def _valued(
    base: str, chosen: Sequence[Piece], name: str, effort: Effort, deals: int, table: Table, progress: Progress | None
) -> list[dict[str, Any]]:
    """Rows of what a bundle is worth as a whole."""
    gain, share = value(told(base, chosen), base, table, deals, effort, progress)
    return [_row(name, "", measure, found, effort.seed) for measure, found in ((GAIN, gain), (SHARE, share))]


def _piece(
    base: str,
    chosen: Sequence[Piece],
    piece: Piece,
    name: str,
    effort: Effort,
    deals: int,
    table: Table,
    progress: Progress | None,
) -> list[dict[str, Any]]:
    """Rows of what one piece adds to the others, and what it is worth alone."""
    rest = told(base, [each for each in chosen if each != piece])
    tried = partial(_duel, table=table, deals=deals, effort=effort, progress=progress)
    adds, alone = tried(told(base, chosen), rest), tried(told(base, [piece]), get_policy(base))
    return [_row(name, piece.name, measure, found, effort.seed) for measure, found in ((ADDS, adds), (ALONE, alone))]


def _row(bundle: str, piece: str, measure: str, found: Estimate, seed: int) -> dict[str, Any]:
    """A row of results."""
    named = {"bundle": bundle, "piece": piece, "measure": measure}
    return named | found.to_dict() | {"unit": UNITS[measure], "seed": seed}


def _duel(
    first: Policy, second: Policy, *, table: Table, deals: int, effort: Effort, progress: Progress | None = None
) -> Estimate:
    """Points a round that one player is ahead of another."""
    return played((first, second), table, effort, progress, deals=deals).margin


def value(
    player: Policy, base: str, table: Table, deals: int, effort: Effort, progress: Progress | None = None
) -> tuple[Estimate, Estimate]:
    """
    Points a round that a player is ahead of the one without advice; and the share of the way to the strongest.

    The share is a ratio of two margins against the player without advice, on the same deals: the player's, and that of
    the strongest player who does not search.
    """
    seated = setting(table.variant, table.players, table.pairs)
    policies = (player, get_policy(STRONGEST), get_policy(base))
    plan = Plan(seated, policies, exchanged(seated, 0, 2) + exchanged(seated, 1, 2), effort.seed)
    places = seated.team_count
    found = plan.map(partial(_shared, Design(plan)), (ADD,), deals, threads=effort.threads, progress=progress)
    sums: Any = sum(part.astype(object) for (part,) in found)
    total, squares, size, size_squares, products = (int(part) for part in sums)
    gain = ratio(total, squares, deals, deals, total, deals).scaled(1 / (places * (places - 1)))
    return gain, ratio(total, squares, size, size_squares, products, deals)


def _shared(design: Design, played: Played) -> Arrays:
    """Sums over a part: of the player's margin, its square, the strongest player's, its square, their product."""
    places = design.places
    margins = design.values(played)[:, : 2 * places]
    own, best = margins[:, :places].sum(axis=1), margins[:, places:].sum(axis=1)
    parts = (own, own * own, best, best * best, own * best)
    return (np.array([part.sum() for part in parts]),)


def best(base: str, few: int, effort: Effort, table: Table = MAIN, progress: Progress | None = None) -> pd.DataFrame:
    """
    The few pieces to learn first, chosen one by one: each time the one that adds most to those chosen before.

    They are chosen on the deals of one seed and valued on those of another, so that the luck of the choice is not
    taken for worth. It ends early when no piece adds anything that its interval holds to be more than nothing.

    Returns
    -------
    DataFrame
        step, piece, added (points a round, on the deals of the choice), measure (`GAIN` and `SHARE` of all pieces so
        far), estimate, low, high, unit, units, seed.
    """
    return pd.DataFrame([row for rows in steps(base, few, effort, table, progress) for row in rows])


def steps(
    base: str, few: int, effort: Effort, table: Table = MAIN, progress: Progress | None = None
) -> Iterator[list[dict[str, Any]]]:
    """Rows of each step of `best`, as soon as it is done."""
    left = [piece for form in (LITERAL, TIE_BREAK) for piece in pieces(CLAIMS, form)]
    deals, trials = effort.units(SELECTION, base), few * len(left)
    chosen: list[Piece] = []
    for step in range(1, few + 1):
        if not left:
            break
        before, tried = told(base, chosen), []
        for place, piece in enumerate(left):
            player = told(base, [*chosen, piece])
            tried.append((_duel(player, before, table=table, deals=deals, effort=effort), piece))
            if progress:
                progress((step - 1) * len(left) + place + 1, trials)
        found, piece = max(tried, key=lambda pair: pair[0].value or 0.0)
        if found.low is None or found.low <= 0:
            break
        chosen.append(piece)
        left = [each for each in left if each.advice != piece.advice]
        fresh = effort.on(second_seed(effort.seed))
        both = value(told(base, chosen), base, table, effort.units(VALUE, base), fresh)
        yield [
            {"step": step, "piece": piece.name, "added": found.value, "measure": measure}
            | estimate.to_dict()
            | {"unit": UNITS[measure], "seed": fresh.seed}
            for measure, estimate in zip((GAIN, SHARE), both, strict=True)
        ]


def chosen(names: Sequence[str], form: str = LITERAL) -> list[Piece]:
    """
    Advice by the names of claims, or from a person's own files, each piece once.

    Raises
    ------
    InputError
        If one of them is no advice to be followed.
    """
    found = []
    for claim in find_claims(names):
        if claim.piece is None:
            raise InputError(f"{claim.name} is no advice on a single play: there is nothing to follow")
        found.append(Piece(claim.piece, form))
    return _once(found)
