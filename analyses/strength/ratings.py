"""Ratings from a round robin: points a round by least squares, and Elo by the model of Bradley and Terry."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.linalg import null_space
from scipy.optimize import minimize
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, xlogy

from analyses.groups import jackknife
from basra_sim.stats import Estimate

A_TENFOLD = 400.0
"""Elo between two players one of whom wins ten times as often as the other."""

Pairings = Sequence[tuple[int, int]]
"""Who is tried against whom, by number."""

Values = npt.NDArray[np.float64]


def contrast(pairings: Pairings) -> Values:
    """Rows, (pairings, players), with 1 for the one who is tried and -1 for his opponent."""
    found = np.zeros((len(pairings), 1 + max(map(max, pairings))))
    for row, (one, other) in zip(found, pairings, strict=True):
        row[one], row[other] = 1.0, -1.0
    return found


def points(margins: Values, pairings: Pairings) -> Values:
    """
    Ratings whose differences come nearest to the margins, each margin counted alike; their mean is 0.

    Parameters
    ----------
    margins : (..., pairings)

    Returns
    -------
    (..., players)
        In a whole round robin: what a player gains on average, over all opponents and himself. Margins weighed by
        their precision would make that hang on how often each pairing was played.
    """
    return np.asarray(margins @ np.linalg.pinv(contrast(pairings)).T)


def elo(won: Values, pairings: Pairings, fair: float) -> Values:
    """
    Ratings of the greatest likelihood by what was won, each pairing counted alike; their mean is 0.

    Parameters
    ----------
    won : (pairings,) shares, from 0 to 1
    fair : the share of one among equals

    Returns
    -------
    (players,)
        nan for all if there is no greatest likelihood: where some players won nothing from all others (Ford 1957).

    Notes
    -----
    Bradley and Terry (1952), "Rank analysis of incomplete block designs"; at tables of more than two teams the one who
    is tried wins as the first of several in the model of Luce (1959).
    """
    rows = contrast(pairings)
    if not _is_comparable(won, pairings):
        return np.full(rows.shape[1], np.nan)
    basis = null_space(np.ones((1, rows.shape[1])))
    slopes, start = rows @ basis, np.log(fair / (1 - fair))

    def lost(free: Values) -> tuple[float, Values]:
        """What the likelihood lacks, and its slope."""
        log_odds = slopes @ free + start
        missing = np.logaddexp(0.0, log_odds) - won * log_odds + xlogy(won, won) + xlogy(1 - won, 1 - won)
        return float(missing.sum()), slopes.T @ (expit(log_odds) - won)

    def bend(free: Values) -> Values:
        """Second derivatives of what the likelihood lacks."""
        chance = expit(slopes @ free + start)
        return np.asarray((slopes.T * (chance * (1 - chance))) @ slopes)

    found = minimize(lost, np.zeros(basis.shape[1]), jac=True, hess=bend, method="trust-exact", options={"gtol": 1e-10})
    return np.asarray(basis @ found.x * A_TENFOLD / np.log(10))


def _is_comparable(won: Values, pairings: Pairings) -> bool:
    """Whether everyone has won something from everyone else, or from one who has, and so on."""
    if np.isnan(won).any():
        return False
    ones, others = np.array(pairings).T
    winners = np.concatenate([ones[won > 0], others[won < 1]])
    losers = np.concatenate([others[won > 0], ones[won < 1]])
    players = 1 + int(max(ones.max(), others.max()))
    graph = coo_array((np.ones(len(winners)), (winners, losers)), shape=(players, players))
    return bool(connected_components(graph, connection="strong", return_labels=False) == 1)


def rated(
    sums: npt.NDArray[np.int64], units: int, pairings: Pairings, scales: tuple[float, float], fair: float
) -> tuple[list[Estimate], list[Estimate]]:
    """
    Ratings in points and in Elo, with intervals from groups of common deals that are left out one after another.

    Parameters
    ----------
    sums : (groups, pairings, 3) int64
        Deals, and over them the margins and the shares won, as whole numbers.
    units : number of deals in all
    scales : of a margin in points a round, of a share
    """

    def statistic(several: npt.NDArray[np.int64]) -> Values:
        with np.errstate(invalid="ignore", divide="ignore"):
            margins, won = (several[..., k] / several[..., 0] * scales[k - 1] for k in (1, 2))
        won = np.clip(won, 0.0, 1.0)
        return np.concatenate([points(margins, pairings), [elo(each, pairings, fair) for each in won]], axis=1)

    found = [_known(each) for each in jackknife(sums, units, statistic)]
    return found[: len(found) // 2], found[len(found) // 2 :]


def _known(found: Estimate) -> Estimate:
    """An estimate without what is no number."""
    value, low, high = (
        None if part is None or np.isnan(part) else part for part in (found.value, found.low, found.high)
    )
    return Estimate(value, low, high, found.units)
