"""Means over decisions that hang together deal by deal, cell by cell; and how decisions are told apart."""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim.stats import Estimate, as_share, quantile, ratio

Key = tuple[str, str, str]
"""A cell: what is measured, the quantity by which decisions are told apart, its value (both empty for all of them)."""

_BINS: Mapping[str, tuple[int, ...]] = {"lead": (-20, -10, -3, 0, 1, 4, 11, 21), "own_cards": (6, 12, 18, 24)}
"""Lower ends of the ranges into which a quantity of many values is cut, but for the lowest range."""

_TOP: Mapping[str, int] = {"floor_size": 9, "floor_points": 5, "captures": 6}
"""Values from which on all are taken together."""


FEWEST_DEALS = 30
"""Deals with a decision of a cell that an interval takes at least."""


class Sums:
    """
    Sums over deals of a value and of the number of decisions, cell by cell.

    A cell's mean is a ratio of two sums over deals: every decision counts, none is picked, and those of one deal hang
    together. All sums are whole numbers, so they come out the same in any order.
    """

    def __init__(self) -> None:
        """Begin at nothing."""
        self.cells: dict[Key, npt.NDArray[Any]] = {}
        self._sides: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None
        self._telling = 0

    def add(self, key: Key, deals: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> None:
        """Add decisions, with the deal that each belongs to, to a cell."""
        if not len(deals):
            return
        _, places = np.unique(deals, return_inverse=True)
        counts = np.bincount(places)
        totals = np.zeros(len(counts), np.int64)
        np.add.at(totals, places, values)
        parts = (totals, totals * totals, counts, counts * counts, totals * counts)
        made = np.array([*(int(part.sum()) for part in parts), len(counts)], object)
        self.cells[key] = self.cells[key] + made if key in self.cells else made

    def mean(self, key: Key, deals: int, scale: float = 1.0) -> Estimate:
        """
        Mean value of a decision of a cell, scaled; the units are all deals played.

        The interval rests on the deals with such a decision, for the others tell nothing of its value; with fewer than
        `FEWEST_DEALS` of them nothing is stated.
        """
        if key not in self.cells:
            return Estimate(None, None, None, deals)
        total, squares, size, size_squares, products, telling = (int(part) for part in self.cells[key])
        found = ratio(total, squares, size, size_squares, products, telling).scaled(scale)
        if telling < FEWEST_DEALS:
            return Estimate(None, None, None, deals)
        return replace(found, units=deals)

    def share(self, key: Key, deals: int) -> Estimate:
        """As `mean`, of values that are 0 or 1: a share, its interval within 0 and 1."""
        telling = int(self.cells[key][-1]) if key in self.cells else 0
        return replace(as_share(replace(self.mean(key, deals), units=telling)), units=deals)

    def count(self, key: Key) -> int:
        """Number of decisions in a cell."""
        return int(self.cells[key][2]) if key in self.cells else 0

    def add_sides(
        self, deals: npt.NDArray[np.int64], values: npt.NDArray[np.int64], first: npt.NDArray[np.bool_]
    ) -> None:
        """Add decisions, with the deal that each belongs to, to the first or the second of two sides."""
        if not len(deals):
            return
        _, places = np.unique(deals, return_inverse=True)
        columns = np.array([values * first, first, values * ~first, ~first], np.int64)
        totals = np.zeros((places.max() + 1, len(columns)), np.int64)
        np.add.at(totals, places, columns.T)
        made = totals.sum(axis=0).astype(object), (totals.T @ totals).astype(object)
        self._telling += len(totals)
        before = self._sides
        self._sides = made if before is None else (before[0] + made[0], before[1] + made[1])

    def gap(self, deals: int, scale: float = 1.0) -> Estimate:
        """
        Mean value of a decision of the first side less that of the second, scaled; the units are all deals played.

        Both sides have decisions of the same deals; that they hang together is in the interval (delta method).
        """
        if self._sides is None:
            return Estimate(None, None, None, deals)
        total, number, other_total, other_number = (float(part) for part in self._sides[0])
        if not number or not other_number:
            return Estimate(None, None, None, deals)
        value = (total / number - other_total / other_number) * scale
        telling = self._telling
        if telling < FEWEST_DEALS:
            return Estimate(None, None, None, deals)
        slope = np.array(
            [1 / number, -total / number**2, -1 / other_number, other_total / other_number**2]
        )  # of the value, by each of the sums
        spread = float(slope @ self._sides[1].astype(float) @ slope) * telling / (telling - 1)
        half = quantile(telling) * sqrt(max(spread, 0.0)) * scale
        return Estimate(value, value - half, value + half, deals)

    def number(self, key: Key, deals: int) -> Estimate:
        """Decisions of a cell a deal."""
        _, _, size, squares, _, _ = (int(part) for part in self.cells.get(key, [0] * 6))
        return ratio(size, squares, deals, deals, size, deals)


def places(name: str, values: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Names of the places that values of a quantity belong to: the values themselves, or ranges of them."""
    if name in _BINS:
        ends = _BINS[name]
        tags = [f"below {ends[0]}", *(_span(low, high) for low, high in zip(ends, (*ends[1:], None), strict=True))]
        return np.array(tags)[np.searchsorted(np.array(ends), values, side="right")]
    names = values.astype(str)
    return np.where(values >= _TOP[name], f"{_TOP[name]} or more", names) if name in _TOP else names


def order(name: str) -> list[str]:
    """Places of a quantity that is cut into ranges, in their order; empty for one that is not."""
    return list(dict.fromkeys(places(name, np.arange(-60, 61)).tolist())) if name in _BINS else []


def _span(low: int, high: int | None) -> str:
    """Name of a range of whole numbers up to but not including an end."""
    if high is None:
        return f"{low} or more"
    return str(low) if high == low + 1 else f"{low} to {high - 1}"
