"""What hangs on a decision: what each of its legal plays is worth to a player who remembers every card."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import ahead, kernel, prospects, rollouts, turns
from basra_sim.captures import tables
from basra_sim.errors import BasraError
from basra_sim.executors import chunks, in_order, thread_count
from basra_sim.policies.weighing import WEIGHTED
from basra_sim.prospects import BASRA_RISK, FEATURES, NOISES, Prospect
from basra_sim.rollouts import LEGAL, STAKE, Effort
from basra_sim.simulation import MOST_UNITS, TROUBLE, Plan, Progress, check_number

FORESEEN_ROUNDS = 40 * 1024
"""Rounds that are played to see what is to come after a deal; none of them is a deal that is asked about."""

FIRST_FORESEEN = MOST_UNITS
"""Index of the first of these rounds: behind all that a batch may ask for."""

ROUNDS_A_CHUNK, DEALS_A_CHUNK = 1024, 256
"""Rounds, or deals, that are played at once. What comes out does not depend on the latter."""

EFFORT = Effort(pilot=4, base=12.0, slope=3.0, short=12)
"""In each part some tens of redraws, and more where margins scatter far; two or three players play the end out."""

_RIDGE = 1e-6
"""Share of the rounds by which the squares of features are raised, as some features are sums of others."""

_DECIMALS = 9
"""Places to which weights are rounded, so that the last bits of a sum do not reach a result."""


class Weighed(NamedTuple):
    """
    The legal plays of one decision and what they are worth.

    Attributes
    ----------
    plays : (card, set of cards taken) of each
    margins : (PARTS, plays) float64
        Mean margin (points) of each over each part of the redraws.
    """

    plays: tuple[tuple[int, int], ...]
    margins: npt.NDArray[np.float64]


def prospect(plan: Plan, *, threads: int | None = None, progress: Progress | None = None) -> Prospect:
    """
    What is to come when a deal has been played out, from rounds among the players of a plan.

    The same for all batches of a plan: it hangs on the setting, the policies and the seed alone.

    Raises
    ------
    BasraError
        If a policy's function gives no number.

    Notes
    -----
    Least squares of the points, and of the cards, that each team gains between the end of a deal and that of the round.
    """
    game = plan.codes.game
    squares = np.zeros((game.deals, FEATURES, FEATURES))
    products = np.zeros((game.deals, FEATURES, 8))
    kept = []

    def one(first: int, count: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return _observed(plan, first, count)

    parts = chunks(FIRST_FORESEEN, FORESEEN_ROUNDS, ROUNDS_A_CHUNK)
    for number, (features, numbers) in enumerate(_in_parts(one, parts, threads)):
        squares += np.einsum("dui,duj->dij", features, features)
        products += np.einsum("dui,duj->dij", features, numbers)
        if number * ROUNDS_A_CHUNK < NOISES:
            kept.append((features, numbers))
        if progress:
            progress((number + 1) * ROUNDS_A_CHUNK, FORESEEN_ROUNDS)
    return _fitted(game.teams, squares, products, *(np.concatenate(each, axis=1) for each in zip(*kept, strict=True)))


def _fitted(
    teams: int,
    squares: npt.NDArray[np.float64],
    products: npt.NDArray[np.float64],
    features: npt.NDArray[np.float64],
    numbers: npt.NDArray[np.float64],
) -> Prospect:
    """Prospect from sums of squares and products, and from some rounds from which scatters are taken."""
    deals = len(squares)
    found = Prospect(np.zeros((deals, 4, FEATURES)), np.zeros((deals, 4, FEATURES)), np.zeros((deals, NOISES, 4)))
    for deal in range(deals - 1):
        ridge = _RIDGE * FORESEEN_ROUNDS * np.eye(FEATURES)
        points = np.linalg.solve(squares[deal] + ridge, products[deal, :, :teams]).T
        whole = points.sum(axis=0)
        found.margins[deal, :teams] = np.round((teams * points - whole) / (teams - 1), _DECIMALS)
        kept = slice(BASRA_RISK)
        cards = np.linalg.solve((squares[deal] + ridge)[kept, kept], products[deal, kept, 4 : 4 + teams]).T
        found.cards[deal, :teams, kept] = np.round(cards, _DECIMALS)
        expected = features[deal, :NOISES] @ found.cards[deal, :teams].T
        found.noises[deal, :, :teams] = np.round(numbers[deal, :NOISES, 4 : 4 + teams] - expected, _DECIMALS)
    return found


def _observed(plan: Plan, first: int, count: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Features after each deal of some rounds, and what each team gained from then on, (deals, rounds, ...)."""
    deals = plan.codes.game.deals
    features, numbers = np.zeros((deals, count, FEATURES)), np.zeros((deals, count, 8))
    _check(
        plan,
        ahead.observe(
            plan.codes, tables(), plan.chances, plan.side, _batch(plan, first, count), turns.make_scratch(),
            prospects.make_desk(), features, numbers, _heedful(plan),
        ),
    )  # fmt: skip
    return features, numbers[-1:] - numbers


def play_numbers(plan: Plan, groups: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """
    Number of the play in each of some rounds that is asked about: each of a round's in turn, in each group of rounds.

    Parameters
    ----------
    groups : group of each round, 0 or more
    places : its place in the group
    """
    plays = plan.setting.plays
    first = [rollouts.first_play(plan.seed, group, plays) for group in range(int(groups.max()) + 1)]
    return np.asarray((np.array(first)[groups] + places) % plays)


def stakes(
    plan: Plan,
    numbers: npt.NDArray[np.int64],
    foreseen: Prospect,
    *,
    first: int = 0,
    effort: Effort = EFFORT,
    threads: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.float64]:
    """
    What hangs on one decision of each of some deals.

    Parameters
    ----------
    plan : Plan
        Single rounds with one seating.
    numbers : (deals,) int64
        Number of the decision's play in its round.
    foreseen : Prospect
        Of the same plan.
    first : index of the first deal
    effort : Effort

    Returns
    -------
    (deals, STAKE) float64
        Columns `rollouts.LEGAL`, `SPREAD` (points) and, from `HALF_SPREADS` on, the same from each half of the redraws.

    Raises
    ------
    InputError
        If the number of deals is out of range.
    BasraError
        If a policy's function gives no number.

    Notes
    -----
    A player knows his hand, the floor, every card played and those that were buried at the bottom. Cards buried at
    random places count as unseen, like any other. A best mean less a worst one is too large on average, and the more so
    the fewer the redraws: nearly as the inverse of their number, so that halves tell how much.
    """
    check_number("deals", first + len(numbers), 1, MOST_UNITS)

    def one(start: int, count: int) -> npt.NDArray[np.float64]:
        return _found(plan, numbers[start - first : start - first + count], foreseen, start, effort)[0]

    done, parts = [], chunks(first, len(numbers), DEALS_A_CHUNK)
    for part in _in_parts(one, parts, threads):
        done.append(part)
        if progress:
            progress(sum(map(len, done)), len(numbers))
    return np.concatenate(done)


def weighed(plan: Plan, deal: int, play: int, foreseen: Prospect, *, effort: Effort = EFFORT) -> Weighed:
    """
    What the legal plays of one decision are worth: that of a play, by its number, of the round of a deal.

    Raises
    ------
    InputError
        If the round has no such play.
    BasraError
        If a policy's function gives no number.
    """
    check_number("play", play, 0, plan.setting.plays - 1)
    found, desk = _found(plan, np.array([play]), foreseen, deal, effort)
    count = int(found[0, LEGAL])
    plays = tuple((int(card), int(taken)) for card, taken in desk.plays[:count])
    return Weighed(plays, desk.totals[:, :count].copy())


def _found(
    plan: Plan, numbers: npt.NDArray[np.int64], foreseen: Prospect, first: int, effort: Effort
) -> tuple[npt.NDArray[np.float64], prospects.Desk]:
    """Decisions of some deals, and the desk as the last of them left it."""
    found, desk = np.zeros((len(numbers), STAKE)), prospects.make_desk()
    _check(
        plan,
        rollouts.find_stakes(
            plan.codes, tables(), plan.chances, plan.side, _batch(plan, first, len(numbers)), numbers, foreseen, effort,
            turns.make_scratch(), desk, found, _heedful(plan),
        ),
    )  # fmt: skip
    return found, desk


def _batch(plan: Plan, first: int, count: int) -> kernel.Batch:
    """Batch of single rounds with shuffled packs."""
    return kernel.Batch(plan.seed, first, count, 0, 0, np.zeros((count, 0), np.uint8))


def _heedful(plan: Plan) -> int | None:
    """As for `deciding.decide`."""
    return 1 if (plan.side.kinds > WEIGHTED).any() else None


def _check(plan: Plan, status: int) -> None:
    """Raise what a status tells."""
    if status in TROUBLE:
        raise BasraError(f"{plan.setting.label}: {TROUBLE[status]}")


def _in_parts(one: Callable[[int, int], Any], parts: Iterator[tuple[int, int]], threads: int | None) -> Iterator[Any]:
    """Results of the parts in their order; the first is made in this thread, where what is to be compiled is."""
    tables()
    yield one(*next(parts))
    yield from in_order(one, parts, thread_count(threads))
