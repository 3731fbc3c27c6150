"""Where a measure comes to a value as a number of the rules changes: the search, and the answers with intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import isfinite

import numpy as np

from analyses.groups import Values, spread_estimate

FIRST, FEW = 17, 32
"""Values, spread over all there are, that a search begins with; up to how many all are looked at."""

Miss = Callable[[int], Values]
"""By how much a value misses the aim, from all groups of deals and without each, (1 + groups,)."""


@dataclass(frozen=True)
class Answer:
    """
    A stretch of values that cannot be told from bringing a measure to its aim.

    Attributes
    ----------
    value : where it crosses the aim, between neighbouring values by a straight line; where it crosses several times,
        the middle one; None if it only comes near
    low, high : 95 % interval: the values at which the interval of what is missed holds 0
    low_open, high_open : whether that goes to the end of the values there are
    crossings : number of times it crosses the aim
    best : of the values looked at, the one that misses least
    """

    value: float | None
    low: float
    high: float
    low_open: bool
    high_open: bool
    crossings: int
    best: int


def search(values: Sequence[int], miss: Miss, expect: Callable[[int], None] | None = None) -> dict[int, Values]:
    """
    Misses of so many values as it takes to find all answers that values far apart give a sign of.

    Between two values of which one is found below the aim and the other not, or one above and the other not, or that
    lie on different sides of it, the middle one is looked at, until they are neighbours.

    Parameters
    ----------
    values : in their order
    expect : told how many values will be looked at, roughly
    """
    found: dict[int, Values] = {}
    if expect is not None:
        expect(len(values) if len(values) <= FEW else FIRST + 2 * (len(values) // FIRST).bit_length())

    @cache
    def state(place: int) -> tuple[float, ...]:
        found[values[place]] = miss(values[place])
        each = spread_estimate(found[values[place]], 0)
        parts = each.value, each.low, each.high
        return tuple(float(np.sign(part)) if part is not None and isfinite(part) else 2.0 for part in parts)

    last = len(values) - 1
    places = range(last + 1) if last < FEW else [round(last * k / (FIRST - 1)) for k in range(FIRST)]
    pairs = list(pairwise(places))
    while pairs:
        low, high = pairs.pop()
        middle = (low + high) // 2
        if state(low) != state(high) and middle > low:
            pairs += [(low, middle), (middle, high)]
    return found


def answers(values: Sequence[int], misses: Values) -> list[Answer]:
    """
    Stretches of values that cannot be told from the aim, in their order.

    Parameters
    ----------
    values : those looked at, in their order
    misses : (values, 1 + groups)
        Those of each, from all groups and without each.

    Notes
    -----
    A value is in the interval if a test at 5 % does not find that the measure misses the aim there. That holds the
    true answer in 95 % of cases however steep the curve is (Fieller 1954 did so for a ratio); the spread of the
    crossing itself would go wrong where the curve is flat. Between values looked at, ends of intervals go straight.
    """
    estimates = [spread_estimate(row, 0) for row in misses]
    curves = np.array([(each.value, each.low, each.high) for each in estimates], float)
    pieces = [
        (values[k] + piece[0] * (values[k + 1] - values[k]), values[k] + piece[1] * (values[k + 1] - values[k]))
        for k in range(len(values) - 1)
        if (piece := _piece(curves[k], curves[k + 1])) is not None
    ]
    crossings = _crossings(values, curves[:, 0])
    return [_answer(low, high, values, curves[:, 0], crossings) for low, high in _joined(pieces)]


def _piece(one: Values, other: Values) -> tuple[float, float] | None:
    """Part of the way from one value to another on which 0 is between low and high; None if there is none."""
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return None
    start, end = 0.0, 1.0
    for before, after in ((-one[1], -other[1]), (one[2], other[2])):  # both have to be 0 or above
        if before < 0 and after < 0:
            return None
        if before < 0 <= after:
            start = max(start, float(before / (before - after)))
        elif after < 0 <= before:
            end = min(end, float(before / (before - after)))
    return (start, end) if start <= end else None


def _joined(pieces: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Stretches of pieces that touch."""
    joined: list[tuple[float, float]] = []
    for low, high in pieces:
        if joined and low <= joined[-1][1] + 1e-9:
            joined[-1] = joined[-1][0], high
        else:
            joined.append((low, high))
    return joined


def _crossings(values: Sequence[int], curve: Values) -> list[float]:
    """Places at which a curve of straight lines is 0 or passes it."""
    found = [float(value) for value, height in zip(values, curve, strict=True) if height == 0]
    for k in range(len(values) - 1):
        one, other = curve[k], curve[k + 1]
        if one * other < 0:
            found.append(float(values[k] + (values[k + 1] - values[k]) * one / (one - other)))
    return sorted(found)


def _answer(low: float, high: float, values: Sequence[int], curve: Values, crossings: Sequence[float]) -> Answer:
    """Answer of one stretch."""
    inside = [place for place in crossings if low - 1e-9 <= place <= high + 1e-9]
    before = max((k for k, value in enumerate(values) if value <= low), default=0)
    after = min((k for k, value in enumerate(values) if value >= high), default=len(values) - 1)
    best = min(range(before, after + 1), key=lambda k: abs(curve[k]) if isfinite(curve[k]) else np.inf)
    return Answer(
        inside[(len(inside) - 1) // 2] if inside else None,
        low,
        high,
        low <= values[0],
        high >= values[-1],
        len(inside),
        values[best],
    )
