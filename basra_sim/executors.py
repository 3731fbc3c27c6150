"""
Long work: pure tasks on ranges of units, cut into pieces that are done anywhere and merged in the order of the units.

Whoever has something long to do describes it as a `Task` and asks `execute` for the results. Where it is done, on
threads of this process or on other machines, and whether finished pieces are kept in a folder, is set around it by
`placed`: no result depends on it.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import tee
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy.typing as npt

T = TypeVar("T")

Arrays = tuple["npt.NDArray[Any]", ...]
"""What a task comes to on a range of units."""

Part = tuple[int, int]
"""First unit of a range, and how many units it has."""

Progress = Callable[[int, int], None]
"""Told, now and then, how many units are done and how many there are."""

Waiting = Callable[[], None]
"""Called now and then by who waits for something."""

Merge = Literal["add", "join"]
ADD: Merge = "add"
JOIN: Merge = "join"
"""How arrays of ranges behind one another become that of all: they are added up, or put behind one another."""

MOST_THREADS = 256

CHUNKS_A_PIECE = 64
"""Chunks of a piece, where a chunk is done in some hundredths of a second."""


def thread_count(threads: int | None) -> int:
    """Number of threads to use: as told, else one for each processor this process may run on."""
    if threads is not None:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunks(first: int, count: int, size: int) -> Iterator[Part]:
    """First unit and number of units of each chunk."""
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def in_order(work: Callable[[int, int], T], parts: Iterable[Part], threads: int) -> Iterator[T]:
    """
    Results of the work on each part, in the order of the parts, a few parts ahead at most.

    When the caller stops early or is interrupted, parts that have not begun are dropped.
    """
    if threads == 1:
        for part in parts:
            yield work(*part)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for part in parts:
                waiting.append(pool.submit(work, *part))
                if len(waiting) > 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def merged(parts: Iterable[Arrays], merges: Sequence[Merge]) -> Arrays:
    """Results on ranges behind one another as the result on all of them together."""
    import numpy as np

    found: list[list[npt.NDArray[Any]]] = [[] for _ in merges]
    for part in parts:
        for how, whole, array in zip(merges, found, part, strict=True):
            if how == ADD and whole:
                whole[0] = whole[0] + array
            else:
                whole.append(array)
    return tuple(whole[0] if len(whole) == 1 else np.concatenate(whole) for whole in found)


@dataclass(frozen=True)
class Task:
    """
    Something long to be done on ranges of units, the same wherever and in whatever cut it is done.

    Attributes
    ----------
    label : what it is, for a person
    work : function of a first unit and a number of units
        Pure, and made of nothing but data and functions of modules, so that it can be told from others and sent
        elsewhere: see `basra_sim.identity`.
    merges : how each array of a result is merged
    chunk : units that are done at once
    chunks : chunks of a piece: what is kept, or sent elsewhere, as one
    """

    label: str
    work: Callable[[int, int], Arrays]
    merges: tuple[Merge, ...]
    chunk: int = field(compare=False)
    chunks: int = field(default=CHUNKS_A_PIECE, compare=False)

    def __call__(self, first: int, count: int) -> Arrays:
        """Result on a range of units, chunk by chunk."""
        return merged((self.work(*part) for part in chunks(first, count, self.chunk)), self.merges)


class Shelf(Protocol):
    """Where finished pieces of one task are kept."""

    def has(self, first: int, count: int) -> bool:
        """Whether there seems to be a piece of a range."""

    def load(self, first: int, count: int) -> Arrays | None:
        """The piece of a range; None if there is none that is whole."""

    def save(self, first: int, count: int, found: Arrays) -> None:
        """Keep the piece of a range."""


class Keeper(Protocol):
    """Who keeps finished pieces of tasks."""

    def shelf(self, task: Task, first: int, count: int) -> Shelf:
        """Shelf for the pieces of a task on a range of units."""


class Workers(Protocol):
    """
    Who does pieces of tasks.

    Attributes
    ----------
    at_once : how many tasks they are to be given at the same time, where some do not hang on others
    """

    @property
    def at_once(self) -> int:
        """As said above."""

    def size(self, task: Task, count: int, *, kept: bool) -> int:
        """Units of a piece of a task that has so many units, which is kept or not."""

    def run(
        self, task: Task, parts: Iterable[Part], threads: int | None, shelf: Shelf | None, waiting: Waiting
    ) -> Iterator[Arrays]:
        """
        Results on some parts, in their order; pieces on the shelf are taken from there, others put there.

        Who waits long for a piece calls `waiting` now and then.
        """


class Threads:
    """Threads of this process."""

    at_once = 1

    def size(self, task: Task, count: int, *, kept: bool) -> int:  # noqa: ARG002 -- it is asked of all workers alike
        """As `Workers.size`: nothing is gained by larger pieces but fewer files."""
        return task.chunk * (task.chunks if kept else 1)

    def run(
        self,
        task: Task,
        parts: Iterable[Part],
        threads: int | None,
        shelf: Shelf | None,
        waiting: Waiting,  # noqa: ARG002 -- no piece takes long here
    ) -> Iterator[Arrays]:
        """As `Workers.run`."""
        at_once, ahead = thread_count(threads), parts if shelf is None else list(parts)

        def one(first: int, count: int) -> Arrays:
            found = shelf.load(first, count) if shelf else None
            if found is None:
                found = task(first, count)
                if shelf:
                    shelf.save(first, count, found)
            return found

        if at_once > 1:
            ahead, looked_at = tee(ahead)
            needed = next((part for part in looked_at if shelf is None or not shelf.has(*part)), None)
            if needed:
                # What is yet to be compiled is compiled in this thread, where Ctrl-C can end it.
                task.work(needed[0], 1)
            del looked_at  # else the parts to come are remembered for it
        return in_order(one, ahead, at_once)


@dataclass(frozen=True)
class Place:
    """Who does what is asked for, and who keeps it, if anybody."""

    workers: Workers = field(default_factory=Threads)
    keeper: Keeper | None = None


_place: ContextVar[Place] = ContextVar("place", default=Place())  # noqa: B039 -- it cannot be changed


def place() -> Place:
    """Who does what is asked for now."""
    return _place.get()


@contextmanager
def placed(workers: Workers | None = None, keeper: Keeper | None = None) -> Iterator[None]:
    """While this lasts, others do what is asked for, or keep it; who is not given stays."""
    now = place()
    token = _place.set(Place(workers or now.workers, keeper or now.keeper))
    try:
        yield
    finally:
        _place.reset(token)


class Done:
    """
    Pieces that callers have been given so far: whoever tells how fast it goes asks which were played for them.

    Attributes
    ----------
    played, kept : how many were done, and how many a keeper had; the last of a task may be a part of one
    """

    def __init__(self) -> None:
        self.played, self.kept = 0.0, 0.0
        self._one_at_a_time = Lock()

    def add(self, pieces: float, kept: bool) -> None:
        """Count some more."""
        with self._one_at_a_time:
            if kept:
                self.kept += pieces
            else:
                self.played += pieces


DONE = Done()
"""Those of this process."""


@dataclass(frozen=True)
class _Noted:
    """A shelf, and the ranges of which it had the piece."""

    shelf: Shelf
    had: set[Part] = field(default_factory=set)

    def has(self, first: int, count: int) -> bool:
        """As `Shelf.has`."""
        return self.shelf.has(first, count)

    def load(self, first: int, count: int) -> Arrays | None:
        """As `Shelf.load`."""
        found = self.shelf.load(first, count)
        if found is not None:
            self.had.add((first, count))
        return found

    def save(self, first: int, count: int, found: Arrays) -> None:
        """As `Shelf.save`."""
        self.shelf.save(first, count, found)


def execute(
    task: Task, first: int, count: int, *, threads: int | None = None, progress: Progress | None = None
) -> Iterator[Arrays]:
    """
    Results of a task on ranges that make up some units, in their order; merged, they are the same however it was cut.

    Parameters
    ----------
    first, count : number of the first unit, and how many
    threads : how many threads, where it is done on threads of this process
    progress : called with the units done and in all
    """
    at = place()
    shelf = _Noted(at.keeper.shelf(task, first, count)) if at.keeper else None
    size = at.workers.size(task, count, kept=shelf is not None)
    parts, done = chunks(first, count, size), 0

    def waiting() -> None:
        if progress:
            progress(done, count)

    for found in at.workers.run(task, parts, threads, shelf, waiting):
        yield found
        units = min(size, count - done)
        DONE.add(units / size, kept=shelf is not None and (first + done, units) in shelf.had)
        done += units
        waiting()
