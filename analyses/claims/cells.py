"""Means over decisions that hang together deal by deal, cell by cell; and how decisions are told apart."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim.stats import Estimate, ratio

Key = tuple[str, str, str]
"""A cell: what is measured, the quantity by which decisions are told apart, its value (both empty for all of them)."""

_BINS: Mapping[str, tuple[int, ...]] = {"lead": (-20, -10, -3, 0, 1, 4, 11, 21), "own_cards": (6, 12, 18, 24)}
"""Lower ends of the ranges into which a quantity of many values is cut, but for the lowest range."""

_TOP: Mapping[str, int] = {"floor_size": 9, "floor_points": 5, "captures": 6}
"""Values from which on all are taken together."""


class Sums:
    """
    Sums over deals of a value and of the number of decisions, cell by cell.

    A cell's mean is a ratio of two sums over deals: every decision counts, none is picked, and those of one deal hang
    together. All sums are whole numbers, so they come out the same in any order.
    """

    def __init__(self) -> None:
        """Begin at nothing."""
        self.cells: dict[Key, npt.NDArray[Any]] = {}

    def add(self, key: Key, deals: npt.NDArray[np.int64], values: npt.NDArray[np.int64]) -> None:
        """Add decisions, with the deal that each belongs to, to a cell."""
        if not len(deals):
            return
        _, places = np.unique(deals, return_inverse=True)
        counts = np.bincount(places)
        totals = np.zeros(len(counts), np.int64)
        np.add.at(totals, places, values)
        parts = (totals, totals * totals, counts, counts * counts, totals * counts)
        made = np.array([int(part.sum()) for part in parts], object)
        self.cells[key] = self.cells[key] + made if key in self.cells else made

    def mean(self, key: Key, deals: int, scale: float = 1.0) -> Estimate:
        """Mean value of a decision of a cell, scaled; the units are all deals played."""
        if key not in self.cells:
            return Estimate(None, None, None, deals)
        total, squares, size, size_squares, products = (float(part) for part in self.cells[key])
        return ratio(total, squares, size, size_squares, products, deals).scaled(scale)

    def count(self, key: Key) -> int:
        """Number of decisions in a cell."""
        return int(self.cells[key][2]) if key in self.cells else 0

    def number(self, key: Key, deals: int) -> Estimate:
        """Decisions of a cell a deal."""
        _, _, size, squares, _ = (float(part) for part in self.cells.get(key, [0] * 5))
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
