"""Tasks cut into pieces: whatever the cut, and whoever does them, the same; and who does and keeps them."""

import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from basra_sim import executors
from basra_sim.executors import ADD, JOIN, Arrays, Part, Task, Threads, chunks, execute, in_order, merged, place, placed

FIRST, COUNT = 5, 7

PATIENCE = 300.0
"""Seconds after which what another thread is to do will not be done."""


def work(first: int, count: int) -> Arrays:
    """Sums over some units, and rows for each of them: two for every third, so that they are of several lengths."""
    units = np.arange(first, first + count, dtype=np.int64)
    values = units**3 * 2654435761 % 1009
    return np.array([values.sum(), count]), np.repeat(values, 1 + (units % 3 == 0)).astype(np.int32), values[:, None]


MERGES = (ADD, JOIN, JOIN)


def task(chunk: int, chunks: int = 2) -> Task:
    """The work as a task."""
    return Task("some work", work, MERGES, chunk, chunks)


def bits(found: Arrays) -> list[tuple[str, tuple[int, ...], bytes]]:
    """All there is to a result."""
    return [(array.dtype.str, array.shape, array.tobytes()) for array in found]


def cuts() -> Iterator[list[Part]]:
    """Every way to cut the units into ranges behind one another."""
    inner = range(FIRST + 1, FIRST + COUNT)
    for number in range(COUNT):
        for at in combinations(inner, number):
            yield [(start, end - start) for start, end in pairwise((FIRST, *at, FIRST + COUNT))]


@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
def test_every_cut_comes_to_the_whole(chunk: int) -> None:
    whole = bits(work(FIRST, COUNT))
    assert bits(task(chunk)(FIRST, COUNT)) == whole
    all_cuts = list(cuts())
    assert len(all_cuts) == 2 ** (COUNT - 1)
    for cut in all_cuts:
        found = [task(chunk)(*part) for part in cut]
        assert bits(merged(found, MERGES)) == whole
        halves = [merged(half, MERGES) for half in (found[: len(found) // 2], found[len(found) // 2 :]) if half]
        assert bits(merged(halves, MERGES)) == whole


def test_merging_changes_no_part() -> None:
    found = [work(0, 3), work(3, 3)]
    before = [bits(part) for part in found]
    merged(found, MERGES)
    assert [bits(part) for part in found] == before


def test_chunks_make_up_the_whole() -> None:
    assert list(chunks(FIRST, COUNT, 3)) == [(5, 3), (8, 3), (11, 1)]
    assert list(chunks(FIRST, 0, 3)) == []


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_change_no_result(threads: int) -> None:
    told: list[Part] = []
    found = list(execute(task(3), FIRST, 100, threads=threads, progress=lambda *how_far: told.append(how_far)))
    assert [bits(part) for part in found] == [bits(work(*part)) for part in chunks(FIRST, 100, 3)]
    assert told == [(min(3 * number, 100), 100) for number in range(1, 35)]


@pytest.mark.parametrize("threads", [2, 8])
def test_results_come_in_order_whichever_is_ready_first(threads: int) -> None:
    ready = [threading.Event() for _ in range(20)]

    def backwards(number: int, _: int) -> int:
        assert number % 2 or ready[number + 1].wait(PATIENCE)
        ready[number].set()
        return number

    assert list(in_order(backwards, ((number, 1) for number in range(20)), threads)) == list(range(20))


def stop(found: Iterator[Any]) -> None:
    """Ask for no more results."""
    assert isinstance(found, Generator)
    found.close()


def test_who_stops_early_drops_what_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two threads, each is at a part when that happens; two more parts wait."""
    gate, begun, taken, busy = threading.Event(), [], [], threading.Semaphore(0)

    class Pool(ThreadPoolExecutor):
        """Lets the parts that have begun go on as soon as it is told to end."""

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            gate.set()
            super().shutdown(wait=wait)

    def one(number: int, _: int) -> int:
        begun.append(number)
        if number:
            busy.release()
            assert gate.wait(PATIENCE)
        return number

    def parts() -> Iterator[Part]:
        for number in range(100):
            taken.append(number)
            yield number, 1

    monkeypatch.setattr(executors, "ThreadPoolExecutor", Pool)
    found = in_order(one, parts(), 2)
    assert next(found) == 0
    assert all(busy.acquire(timeout=PATIENCE) for _ in range(2))
    stop(found)
    assert sorted(begun) == [0, 1, 2]
    assert taken == [0, 1, 2, 3, 4]


def test_one_thread_does_a_part_when_it_is_asked_for() -> None:
    begun: list[int] = []
    found = in_order(lambda number, _: begun.append(number), ((number, 1) for number in range(100)), 1)
    assert begun == []
    next(found)
    stop(found)
    assert begun == [0]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_error_of_a_piece_reaches_the_caller_behind_the_pieces_before_it(threads: int) -> None:
    def failing(first: int, count: int) -> Arrays:
        if first <= 30 < first + count:
            raise ZeroDivisionError(first)
        return work(first, count)

    found = execute(Task("it fails", failing, MERGES, 4), 0, 100, threads=threads)
    assert [bits(next(found)) for _ in range(7)] == [bits(work(first, 4)) for first in range(0, 28, 4)]
    with pytest.raises(ZeroDivisionError, match=r"^28$"):
        next(found)


@dataclass
class Shelf:
    """A shelf of nothing but memory, for one task."""

    held: dict[Part, Arrays] = field(default_factory=dict)
    saved: list[Part] = field(default_factory=list)
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def shelf(self, *asked: Any) -> "Shelf":
        """Itself, as for a keeper."""
        self.asked.append(asked)
        return self

    def has(self, first: int, count: int) -> bool:
        """As for any shelf."""
        return (first, count) in self.held

    def load(self, first: int, count: int) -> Arrays | None:
        """As for any shelf."""
        return self.held.get((first, count))

    def save(self, first: int, count: int, found: Arrays) -> None:
        """As for any shelf."""
        self.saved.append((first, count))
        self.held[first, count] = found


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_what_is_kept_is_taken_and_what_is_made_is_kept(threads: int) -> None:
    played: list[Part] = []

    def noted(first: int, count: int) -> Arrays:
        played.append((first, count))
        return work(first, count)

    some, there = Task("it is noted", noted, MERGES, 3, 2), work(777, 6)
    shelf = Shelf({(6, 6): there, (24, 1): there})
    with placed(keeper=shelf):
        found = list(execute(some, 0, 25, threads=threads))
    kept = list(chunks(0, 25, 6))
    assert [bits(part) for part in found] == [bits(there if at in ((6, 6), (24, 1)) else work(*at)) for at in kept]
    assert sorted(shelf.saved) == [(0, 6), (12, 6), (18, 6)]
    assert shelf.asked == [(some, 0, 25)]
    # With several threads, one unit is played ahead, so that what is to be compiled is compiled in the caller's thread.
    assert sorted(played) == sorted([(first, 3) for first in (0, 3, 12, 15, 18, 21)] + [(0, 1)] * (threads > 1))

    played.clear()
    with placed(keeper=shelf):
        again = list(execute(some, 0, 25, threads=threads))
    assert [bits(part) for part in again] == [bits(part) for part in found]
    assert (played, len(shelf.saved)) == ([], 3)


class Nobody(Threads):
    """Workers that can be told from the usual ones."""


def test_places_are_nested_and_left_again() -> None:
    usual, nobody, shelf, other = place(), Nobody(), Shelf(), Shelf()
    assert (type(usual.workers), usual.keeper) == (Threads, None)
    with placed(keeper=shelf):
        assert (place().workers, place().keeper) == (usual.workers, shelf)
        with placed(nobody):
            assert (place().workers, place().keeper) == (nobody, shelf)
            with placed(keeper=other):
                assert (place().workers, place().keeper) == (nobody, other)
            with pytest.raises(ZeroDivisionError), placed(keeper=other):
                raise ZeroDivisionError
            assert (place().workers, place().keeper) == (nobody, shelf)
        assert (place().workers, place().keeper) == (usual.workers, shelf)
    assert place() is usual
