"""Shares of occasions that come several from a unit: sums over units, and estimates from them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.stats import Estimate, as_share, ratio


class Clustered(NamedTuple):
    """Sums over units: of the occasions, their squares, of hits on them, their squares, of occasions times hits."""

    events: int
    events_squared: int
    hits: int
    hits_squared: int
    both: int


def sums_over_units(events: npt.NDArray[np.int64], hits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """
    Sums as `Clustered` has them.

    Parameters
    ----------
    events, hits : (units, ...) int64

    Returns
    -------
    (5, ...) int64
    """
    parts = (events, events * events, hits, hits * hits, events * hits)
    return np.array([part.sum(axis=0) for part in parts])


def mean_on_occasion(sums: Clustered, units: int) -> Estimate:
    """Mean of what happens on an occasion."""
    return ratio(sums.hits, sums.hits_squared, sums.events, sums.events_squared, sums.both, units)


def share_of_occasions(sums: Clustered, units: int) -> Estimate:
    """
    Share of the occasions on which something happens.

    Notes
    -----
    Where it happens always or never, the interval is Wilson's for as many units as would count alike: the square of the
    occasions' number over the sum of their squares (Kish). So few occasions make it wide, however many units there are.
    """
    found = mean_on_occasion(sums, units)
    if found.value is None:
        return found
    if 0 < sums.hits < sums.events:
        return as_share(found)
    alike = round(sums.events**2 / sums.events_squared)
    if alike < 2:
        return Estimate(found.value, 0.0, 1.0, units)
    bounded = as_share(Estimate(found.value, found.value, found.value, alike))
    return Estimate(found.value, bounded.low, bounded.high, units)
