"""What is to come when a deal has been played out, learnt from rounds that players played among themselves."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import ahead, kernel, prospects
from basra_sim.captures import tables
from basra_sim.executors import chunks, in_order, thread_count
from basra_sim.game import Codes
from basra_sim.prospects import BASRA_RISK, FEATURES, NOISES, Prospect
from basra_sim.search.desk import NO_SEARCH_DESK
from basra_sim.turns import make_scratch
from basra_sim.watching import calls_functions, refuse, watched

FORESEEN_ROUNDS = 40 * 1024
"""Rounds that are played to see what is to come after a deal; none of them is a deal that is asked about."""

FIRST_FORESEEN = 1 << 40
"""Index of the first of these rounds: behind all that a batch may ask for."""

_RIDGE = 1e-6
"""Share of the rounds by which the squares of features are raised, as some features are sums of others."""

_DECIMALS = 9
"""Places to which weights are rounded, so that the last bits of a sum do not reach a result."""

_ROUNDS_A_CHUNK = 1024
"""Rounds that are played at once."""


class Learner(NamedTuple):
    """
    Who plays the rounds that are learnt from.

    Attributes
    ----------
    codes : Codes
    chances : (25, 53, 53) float64
        As `features.chances`.
    side : Side
        The players, in one seating.
    seed : int
    heedful : int or None
        As for `deciding.decide`.
    label : what to call the setting
    """

    codes: Codes
    chances: npt.NDArray[np.float64]
    side: kernel.Side
    seed: int
    heedful: int | None
    label: str


def foresee(
    learner: Learner, *, threads: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Prospect:
    """
    What is to come when a deal has been played out, from rounds among some players.

    It hangs on the setting, the policies and the seed alone.

    Raises
    ------
    BasraError
        If a policy's function gives no number.

    Notes
    -----
    Least squares of the points, and of the cards, that each team gains between the end of a deal and that of the round.
    """
    game = learner.codes.game
    squares = np.zeros((game.deals, FEATURES, FEATURES))
    products = np.zeros((game.deals, FEATURES, 8))
    kept = []

    def one(first: int, count: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return _observed(learner, first, count)

    parts = chunks(FIRST_FORESEEN, FORESEEN_ROUNDS, _ROUNDS_A_CHUNK)
    for number, (features, numbers) in enumerate(in_parts(one, parts, threads)):
        squares += np.einsum("dui,duj->dij", features, features)
        products += np.einsum("dui,duj->dij", features, numbers)
        if number * _ROUNDS_A_CHUNK < NOISES:
            kept.append((features, numbers))
        if progress:
            progress((number + 1) * _ROUNDS_A_CHUNK, FORESEEN_ROUNDS)
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


def _observed(learner: Learner, first: int, count: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Features after each deal of some rounds, and what each team gained from then on, (deals, rounds, ...)."""
    deals = learner.codes.game.deals
    features, numbers = np.zeros((deals, count, FEATURES)), np.zeros((deals, count, 8))
    scratch = make_scratch(NO_SEARCH_DESK)
    status = watched(
        ahead.observe, scratch.knowledge, calls_functions(learner.side),
        learner.codes, tables(), learner.chances, learner.side, kernel.single_rounds(learner.seed, first, count),
        scratch, prospects.make_desk(), features, numbers, learner.heedful,
    )  # fmt: skip
    refuse(status, learner.label, scratch.knowledge)
    return features, numbers[-1:] - numbers


def in_parts(one: Callable[[int, int], Any], parts: Iterator[tuple[int, int]], threads: int | None) -> Iterator[Any]:
    """Results of the parts in their order; the first is made in this thread, where what is to be compiled is."""
    tables()
    yield one(*next(parts))
    yield from in_order(one, parts, thread_count(threads))
