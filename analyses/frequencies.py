"""How often things happen at the table: counts as data frames, cells put together and compared."""

from collections.abc import Iterable, Mapping
from functools import reduce
from math import prod, sqrt
from operator import and_

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.clusters import Clustered, mean_on_occasion, share_of_occasions
from analyses.scenes import Scene
from basra_sim.executors import Progress
from basra_sim.frequencies import Counts, count, table_of
from basra_sim.stats import Estimate, quantile

Cells = Mapping[str, Iterable[str]]
"""Some cells of a table: for some of its axes the values that are meant, by name; of other axes all."""

FEWEST = 30
"""Occasions that a part must have for a difference from it to get an interval."""

SAFEST, MOST_DANGEROUS = "safest", "most dangerous"
"""Ends of `extreme_floors`."""

Mask = npt.NDArray[np.bool_]


def counted(
    scene: Scene, rounds: int, *, seed: int = 1, threads: int | None = None, progress: Progress | None = None
) -> Counts:
    """
    Play rounds at a table and count what `basra_sim.frequencies.TABLES` names.

    Raises
    ------
    InputError
        If something given is impossible.
    """
    return count(scene.plan(seed), rounds, threads=threads, progress=progress)


def frame(counts: Counts, name: str, by: Iterable[str] | None = None) -> pd.DataFrame:
    """
    A table of frequencies.

    Parameters
    ----------
    counts : Counts
    name : str
        Of the table.
    by : names of the axes to tell apart, in the table's order; all of them if not given
        Cells that differ on other axes only are put together.

    Returns
    -------
    DataFrame
        The axes; estimate, low, high (share of occasions, or mean on an occasion; missing where there is none), unit,
        units (independent ones: rounds, or whatever the plan plays), events (occasions), hits (how often it happened).
    """
    table = table_of(name)
    kept = [axis for axis in table.axes if by is None or axis.name in set(by)]
    rows = []
    for place in np.ndindex(*(len(axis.values) for axis in kept)):
        where = {axis.name: axis.values[k] for axis, k in zip(kept, place, strict=True)}
        chosen = _mask(name, {axis: (value,) for axis, value in where.items()})
        events, hits = (int(number) for number in counts.totals(name)[chosen].sum(axis=0))
        found = _portion(counts, name, chosen)
        rows.append(where | found.to_dict() | {"unit": table.unit, "events": events, "hits": hits})
    return pd.DataFrame(rows)


def portion(counts: Counts, name: str, cells: Cells | None = None) -> Estimate:
    """
    Share of the occasions of some cells on which it happened, or mean on one of them.

    Raises
    ------
    ValueError
        If an axis or a value is none of the table's, or several cells of a table are meant whose cells are not crossed.
    """
    return _portion(counts, name, _mask(name, cells or {}))


def contrast(counts: Counts, name: str, plus: Cells, minus: Cells, *, within: str | None = None) -> Estimate:
    """
    Difference between two parts of a table, that of the first less that of the second.

    Parameters
    ----------
    plus, minus : Cells
        Parts without a common cell.
    within : name of an axis
        Compare cells that agree on it only, and average the differences; a value of the axis weighs the more, the more
        occasions either part has there (Mantel and Haenszel's weights). Else the parts are compared as wholes.

    Raises
    ------
    ValueError
        If an axis or a value is none of the table's, or its cells are not crossed.

    Notes
    -----
    No interval where either part has fewer than `FEWEST` occasions. The delta method over units, which allows for the
    parts' coming from the same rounds, and for weights that are counted themselves. Weights: Greenland and Robins
    (1985), "Estimation of a common effect parameter from sparse follow-up data".
    """
    first, second, totals = _mask(name, plus), _mask(name, minus), counts.totals(name).astype(float)
    gap = weight = 0.0
    pulls = []
    for each in _values(name, within):
        stratum = _mask(name, {within: (each,)} if within else {})
        (size, hits), (size_below, hits_below) = (totals[part & stratum].sum(axis=0) for part in (first, second))
        both = size + size_below
        if not both:
            continue
        gap_here = (hits * size_below - hits_below * size) / both
        gap += gap_here
        weight += size * size_below / both
        of_gap = [[-hits_below - gap_here, size_below], [hits - gap_here, -size]]
        of_weight = [[size_below**2 / both, 0.0], [size**2 / both, 0.0]]
        pulls.append(((first & stratum, second & stratum), np.array([of_gap, of_weight]) / both))
    if not weight:
        return Estimate(None, None, None, counts.units)
    if min(totals[part, 0].sum() for part in (first, second)) < FEWEST:
        return Estimate(float(gap / weight), None, None, counts.units)
    pull = np.zeros(totals.shape)
    for parts, (of_gap, of_weight) in pulls:
        for part, slope in zip(parts, (of_gap - gap / weight * of_weight) / weight, strict=True):
            pull[part] += slope
    return _with_interval(counts, name, float(gap / weight), pull)


def extreme_floors(counts: Counts, cards: int, number: int = 10) -> pd.DataFrame:
    """
    Floors of so many cards on which basras are rarest, and those on which they are most frequent.

    Parameters
    ----------
    cards : 1, 2 or 3
    number : how many floors of either end

    Returns
    -------
    DataFrame
        end (`SAFEST` or `MOST_DANGEROUS`) and the columns of `frame`, the utmost first. Floors are ordered by that
        end of the interval that speaks against them, so that few occasions put no floor in front.
    """
    floors = frame(counts, "floors")
    floors = floors[(floors["floor"].str.count(" ") == cards - 1) & (floors["events"] > 0)]
    ends = {SAFEST: floors.sort_values("high"), MOST_DANGEROUS: floors.sort_values("low", ascending=False)}
    parts = [part.head(number).assign(end=end) for end, part in ends.items()]
    return pd.concat(parts, ignore_index=True)[["end", *floors.columns]]


def _values(name: str, within: str | None) -> tuple[str, ...]:
    """Values of an axis; one empty value for no axis."""
    return next((axis.values for axis in table_of(name).axes if axis.name == within), ("",))


def _mask(name: str, cells: Cells) -> Mask:
    """Which cells of a table are meant."""
    table = table_of(name)
    known = {axis.name: axis.values for axis in table.axes}
    for given, values in cells.items():
        if given not in known or not set(values) <= set(known[given]):
            raise ValueError(f"{name} has no {given} {', '.join(values)}")
    parts = []
    for place, axis in enumerate(table.axes):
        meant = np.isin(np.array(axis.values, object), list(cells.get(axis.name, axis.values)))
        shape = [-1 if k == place else 1 for k in range(len(table.axes))]
        parts.append(np.broadcast_to(meant.reshape(shape), table.shape))
    return np.asarray(reduce(and_, parts)).reshape(prod(table.shape))


def _portion(counts: Counts, name: str, chosen: Mask) -> Estimate:
    """Share, or mean, over the cells that are chosen."""
    events, hits = (int(number) for number in counts.totals(name)[chosen].sum(axis=0))
    if chosen.sum() == 1:
        events_squared, both, hits_squared = (int(number) for number in counts.squares(name)[chosen][0])
    else:
        products = counts.products(name)[chosen][:, :, chosen].sum(axis=(0, 2))
        events_squared, both, hits_squared = int(products[0, 0]), int(products[0, 1]), int(products[1, 1])
    sums = Clustered(events, events_squared, hits, hits_squared, both)
    return (share_of_occasions if table_of(name).is_share else mean_on_occasion)(sums, counts.units)


def _with_interval(counts: Counts, name: str, value: float, pull: npt.NDArray[np.float64]) -> Estimate:
    """Estimate whose error is, over the units, a sum of their counts, each times its pull, (cells, 2)."""
    if counts.units < 2:
        return Estimate(value, None, None, counts.units)
    used = np.flatnonzero(pull.any(axis=1))
    products = counts.products(name)[used][:, :, used].reshape(2 * len(used), -1)
    weights = pull[used].ravel()
    spread = max(float(weights @ products.astype(float) @ weights), 0.0)
    half = quantile(counts.units) * sqrt(spread * counts.units / (counts.units - 1))
    return Estimate(value, value - half, value + half, counts.units)
