"""Work cut into chunks and done by threads, in an order of merging that does not depend on their number."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

MOST_THREADS = 256


def thread_count(threads: int | None) -> int:
    """Number of threads to use: as told, else one for each processor this process may run on."""
    if threads is not None:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunks(first: int, count: int, size: int) -> Iterator[tuple[int, int]]:
    """First unit and number of units of each chunk."""
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def in_order(work: Callable[[int, int], T], parts: Iterator[tuple[int, int]], threads: int) -> Iterator[T]:
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
