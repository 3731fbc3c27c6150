"""Playing a plan and counting what happens: sums over all units, whatever the threads and chunks."""

from dataclasses import dataclass
from functools import partial
from threading import local

import numpy as np
import numpy.typing as npt

from basra_sim.captures import tables
from basra_sim.executors import ADD, Progress
from basra_sim.frequencies.occasions import PLACES, PRODUCT_STARTS, STARTS, TABLES, Table
from basra_sim.frequencies.walk import Sums, count_rounds, make_sums, make_work
from basra_sim.plans import MOST_UNITS, Plan, Played, check_number
from basra_sim.tallies import MOST_OF_A_PART, checked_sums


@dataclass(frozen=True)
class Counts:
    """
    What was counted, as sums over units: deals in all their seatings, or matches.

    Attributes
    ----------
    plan : Plan
    units : int
    sums : Sums
    """

    plan: Plan
    units: int
    sums: Sums

    def totals(self, name: str) -> npt.NDArray[np.int64]:
        """Of each cell of a table, (cells, 2): occasions, and how often it happened on them."""
        place = PLACES[name]
        return self.sums.totals[STARTS[place] : STARTS[place] + TABLES[place].cells]

    def squares(self, name: str) -> npt.NDArray[np.int64]:
        """Of each cell of a table, (cells, 3): sums over units of occasions², occasions times hits, hits²."""
        place = PLACES[name]
        return self.sums.squares[STARTS[place] : STARTS[place] + TABLES[place].cells]

    def products(self, name: str) -> npt.NDArray[np.int64]:
        """
        Sums over units of the products of any two numbers of a crossed table.

        Returns
        -------
        (cells, 2, cells, 2) int64
            Occasions (0) or hits (1) of a cell, times the same of a cell.

        Raises
        ------
        ValueError
            If the table's cells are not crossed.
        """
        place = PLACES[name]
        table = TABLES[place]
        if not table.crossed:
            raise ValueError(f"{name} keeps no products between cells")
        cells, start = table.cells, PRODUCT_STARTS[place]
        once = self.sums.products[start : start + 4 * cells**2].reshape(cells, cells, 2, 2).transpose(0, 2, 1, 3)
        whole = once + once.transpose(2, 3, 0, 1)
        squares = self.squares(name)
        for k, pair in enumerate(squares):
            whole[k, :, k, :] = [[pair[0], pair[1]], [pair[1], pair[2]]]
        return whole


def table_of(name: str) -> Table:
    """
    Table of a name.

    Raises
    ------
    KeyError
        If none is called so.
    """
    return TABLES[PLACES[name]]


def count(
    plan: Plan, units: int, *, first: int = 0, threads: int | None = None, progress: Progress | None = None
) -> Counts:
    """
    Play units of a plan and count what `occasions.TABLES` names.

    Raises
    ------
    InputError
        If the number of units or of threads is out of range.
    BasraError
        If sums become too large to be exact; by rounds none can, at 52 cards a round.
    """
    check_number("matches" if plan.matches else "rounds", units, 1, MOST_UNITS)
    whole, merges = make_sums(), (ADD,) * len(Sums._fields)
    for sums in plan.map(
        partial(_counted, plan), merges, units, first=first, threads=threads, logged=True, progress=progress
    ):
        for total, part in zip(whole, sums, strict=True):
            total += part
        checked_sums(whole.squares)
    return Counts(plan, units, whole)


_mine = local()
"""Arrays that each thread counts in."""


def _counted(plan: Plan, played: Played) -> Sums:
    """Sums over a part."""
    if not hasattr(_mine, "work"):
        _mine.work = make_work()
    sums = make_sums()
    count_rounds(plan.codes, tables(), played.logs, played.facts, _mine.work, sums)
    checked_sums(sums.squares, MOST_OF_A_PART)
    return sums
