"""How many deals are played: a number of them, or as many as a precision asks for; lot by lot."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, isfinite

from analyses.balance.evaluation import Evaluation, Precision
from basra_sim.errors import InputError
from basra_sim.executors import Progress
from basra_sim.plans import MOST_UNITS, Plan
from basra_sim.pools import GROUPS, LEAST_DEALS, Lot, Pools

FIRST = 160
"""Deals of each group in the first lot, where a precision is asked for."""

FORESEEN = 100_000
"""Deals, roughly, that a precision comes to: to tell how far a first lot goes."""

MOST_TIMES, MOST_LOTS = 40.0, 8
"""By how much more than all so far a lot may be, at most; and how many lots there may be."""

RESERVE = 1.02
"""Deals that are played beyond what the spread so far asks for: it is an estimate itself."""


@dataclass(frozen=True)
class Sampling:
    """
    How many deals are played.

    Attributes
    ----------
    deals : that many, rounded up to whole groups
    precision : else as many as bring the intervals to it

    Raises
    ------
    InputError
        If neither or both are given, or the number is out of range.
    """

    deals: int | None = None
    precision: Precision | None = None

    def __post_init__(self) -> None:
        """Check that it says one thing."""
        if (self.deals is None) == (self.precision is None):
            raise InputError("give either a number of deals or a precision")
        least = GROUPS * LEAST_DEALS
        if self.deals is not None and not least <= self.deals <= MOST_UNITS:
            raise InputError(f"deals = {self.deals} is not possible: it takes {least} to {MOST_UNITS}")

    @property
    def first(self) -> int:
        """Deals of each group in the first lot."""
        return FIRST if self.deals is None else ceil(self.deals / GROUPS)


class Lots:
    """Lots of rounds of a plan, one after another until there are enough."""

    def __init__(
        self, plan: Plan, sampling: Sampling, pools: Pools, threads: int | None, progress: Progress | None
    ) -> None:
        """Begin with none."""
        self.plan, self.sampling = plan, sampling
        self.sizes: tuple[int, ...] = ()
        self._pool, self._threads, self._progress = pools.pool(plan), threads, progress
        self._next: int = sampling.first

    @property
    def rounds(self) -> int:
        """Rounds in the lots so far."""
        return GROUPS * sum(self.sizes) * len(self.plan.seatings)

    def __iter__(self) -> Iterator[Lot]:
        """Lots, each of them to be judged before the next is asked for; basras as the rules score them."""
        while self._next:
            self._next = self._pool.size(len(self.sizes)) or self._next
            lot = self._pool.lot(len(self.sizes), self._next, self._threads, self._watched())
            self.sizes, self._next = (*self.sizes, self._next), 0
            yield self._pool.scored(lot, self.plan.setting.rules)

    def _watched(self) -> Progress | None:
        """Progress of a lot as part of all deals that are foreseen."""
        progress, before, size = self._progress, sum(self.sizes), self._next
        if progress is None:
            return None
        whole = GROUPS * (before + size)
        if self.sampling.precision is not None and not before:
            whole = max(whole, FORESEEN)
        return lambda done, _: progress(GROUPS * before + done, whole)

    def judge(self, evaluate: Callable[[], Evaluation]) -> None:
        """Find out from what there is whether more has to be played, and how much."""
        if self.sampling.precision is None or len(self.sizes) >= MOST_LOTS:
            return
        excess = self.sampling.precision.excess(evaluate())
        if excess > 1:
            so_far = sum(self.sizes)
            times = min(excess**2 * RESERVE - 1, MOST_TIMES) if isfinite(excess) else MOST_TIMES
            self._next = max(ceil(times * so_far), LEAST_DEALS)
