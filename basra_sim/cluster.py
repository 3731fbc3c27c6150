"""Pieces of tasks done by the workers of Dask, on this machine or on many: the same results, bit for bit."""

import logging
import os
import re
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, islice
from math import ceil
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any

from basra_sim.connecting import Notice, answering, await_worker, check_address, client, library
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Arrays, Part, Shelf, Task, Waiting, placed, thread_count
from basra_sim.identity import fingerprint

if TYPE_CHECKING:
    from distributed import Client, Future
    from tornado.ioloop import IOLoop

MOST_WORKERS = 256

_MOST_EACH_PROCESSOR, _MOST_ANYWHERE = 4, 8
"""Workers that this machine may be asked to begin: more than these only take its memory."""

ATTEMPTS = 5
"""How often a piece is given out again after several workers in a row have died over it."""

_PIECES_A_THREAD = 4
"""Pieces for each thread of the workers, where no more are needed to keep them small."""

_MOST_AT_ONCE = 32
"""Tasks that are waited for at the same time, each in a thread of this process."""

_PATIENCE = 0.5
"""Seconds to wait for a piece, before whoever waits for it is asked whether it still matters."""

_LOOK_AGAIN = 5.0
"""Seconds after which the threads of the workers are counted again."""

_PACKAGES = ("basra_sim", "analyses", "reports")
"""Packages that come with this one."""

_MODULE = re.compile(r"\bmodule '(\w+)")
"""How an error names the module that lacks something."""


class OtherVersionError(BasraError):
    """A worker's basra-sim is another one than that which asks."""


@lru_cache(maxsize=8)
def _task(blob: bytes) -> Task:
    """Task that was sent, ready to do many pieces of."""
    import cloudpickle

    found: Task = cloudpickle.loads(blob)
    return found


def do_piece(blob: bytes, made_by: Mapping[str, str], first: int, count: int) -> Arrays:
    """
    Do a piece of a task that was sent; a worker is asked for it.

    Raises
    ------
    OtherVersionError
        If the worker's package, or a library in whose hands results are made, is another one.
    """
    for name, theirs in made_by.items():
        mine = fingerprint().get(name)
        if mine != theirs:
            said = "other sources of basra-sim" if name == "sources" else f"{name} {mine}, not {theirs}"
            raise OtherVersionError(f"has {said}: results could differ; install the same on all machines")
    return _task(blob)(first, count)


@dataclass
class _Piece:
    """A piece that somebody waits for: found, or given out."""

    part: Part
    found: Arrays | None = None
    future: "Future[Any] | None" = None
    attempts: int = 0


@dataclass
class Cluster:
    """
    Workers of a Dask scheduler: see `executors.Workers`.

    Attributes
    ----------
    client : the connection to the scheduler
    """

    client: "Client"
    _threads: int = 1
    _counted: float = field(default=float("-inf"))

    @property
    def threads(self) -> int:
        """Threads of all workers together, as of some seconds ago at most."""
        if time.monotonic() - self._counted > _LOOK_AGAIN:
            with self._told():
                self._threads = max(1, sum(self.client.nthreads().values()))
            self._counted = time.monotonic()
        return self._threads

    @property
    def at_once(self) -> int:
        """As for `executors.Workers`."""
        return min(self.threads + 1, _MOST_AT_ONCE)

    def size(self, task: Task, count: int, *, kept: bool) -> int:
        """As `Workers.size`: small enough that all workers have something to do; as for a folder, if it is kept."""
        whole = task.chunk * task.chunks
        if kept:
            return whole
        even = ceil(count / (_PIECES_A_THREAD * self.threads * task.chunk)) * task.chunk
        return min(whole, max(task.chunk, even))

    def run(
        self,
        task: Task,
        parts: Iterable[Part],
        threads: int | None,  # noqa: ARG002 -- workers have threads of their own
        shelf: Shelf | None,
        waiting: Waiting,
    ) -> Iterator[Arrays]:
        """As `Workers.run`; a piece whose worker died is done by another."""
        import cloudpickle

        blob, ahead = cloudpickle.dumps(task), iter(parts)
        given: deque[_Piece] = deque()
        try:
            while True:
                room = max(0, 2 * self.threads + 2 - len(given))
                given.extend(self._begun(task, blob, part, shelf) for part in islice(ahead, room))
                if not given:
                    return
                self._wait(given, shelf, waiting)
                while given and (found := given[0].found) is not None:
                    given.popleft()
                    yield found
        finally:
            self.client.cancel([piece.future for piece in given if piece.future is not None])

    def _begun(self, task: Task, blob: bytes, part: Part, shelf: Shelf | None) -> _Piece:
        """A piece from the shelf, or else given out."""
        found = shelf.load(*part) if shelf else None
        if found is not None:
            return _Piece(part, found)
        future = self.client.submit(do_piece, blob, dict(fingerprint()), *part, pure=False, key=_key(task, part))
        return _Piece(part, None, future)

    def _wait(self, given: Iterable[_Piece], shelf: Shelf | None, waiting: Waiting) -> None:
        """Wait a while for some piece to be finished; keep all that are."""
        from distributed import wait

        known = {piece.future.key: piece for piece in given if piece.future is not None}
        if not known:
            return
        with self._told(), self.client.as_current():
            try:
                futures = [piece.future for piece in known.values()]
                done = wait(futures, timeout=_PATIENCE, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                waiting()
                return
        for future in done:
            piece = known[future.key]
            piece.found = self._result(piece)
            if piece.found is None:
                continue
            piece.future = None
            if shelf:
                shelf.save(*piece.part, piece.found)

    def _result(self, piece: _Piece) -> Arrays | None:
        """What has become of a piece; None if it is given out once more, as its workers have died."""
        from distributed import KilledWorker

        future = piece.future
        assert future is not None
        try:
            with self._told():
                found: Arrays = future.result()
        except KilledWorker as error:
            piece.attempts += 1
            if piece.attempts >= ATTEMPTS:
                first, count = piece.part
                text = f"the piece of {count} units from {first} on ends every worker that does it"
                raise BasraError(text) from error
            future.retry()
            return None
        except OtherVersionError as error:
            raise OtherVersionError(f"a worker of {self.address} {error}") from error
        except (ImportError, AttributeError) as error:
            if (name := _module(error)) is None:
                raise
            if name in _PACKAGES:
                raise BasraError(f"a worker of {self.address} has no such basra-sim: {error}") from error
            says = "what basra-sim and the file of a policy import must be on all of them"
            raise BasraError(f"a worker of {self.address} has no such module {name}: {says} ({error})") from error
        return found

    @property
    def address(self) -> str:
        """Where the scheduler is."""
        found = self.client.scheduler
        return str(found.address) if found else "its address"

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one line that the scheduler is lost."""
        from asyncio import CancelledError as Ended
        from concurrent.futures import CancelledError

        from distributed.comm.core import CommClosedError

        try:
            yield
        except (CommClosedError, CancelledError, Ended) as error:
            raise BasraError(f"the scheduler at {self.address} is lost; with --job it goes on if run again") from error


def _module(error: ImportError | AttributeError) -> str | None:
    """The module, or its package, that is not there or lacks something; None if the error tells of none."""
    found = _MODULE.search(str(error))
    name = getattr(error, "name", None) if isinstance(error, ImportError) else found and found[1]
    return name.partition(".")[0] if name else None


_number = count()


def _key(task: Task, part: Part) -> str:
    """Name of a piece, as the scheduler's own pages show it; no two are called alike."""
    return f"{task.label} [{part[0]}+{part[1]}]-{next(_number)}"


@contextmanager
def scheduler(address: str, notice: Notice = lambda _: None) -> Iterator[None]:
    """
    Have all that is asked for meanwhile done by the workers of a scheduler, such as ``tcp://10.0.0.1:8786``.

    Parameters
    ----------
    notice : told what is waited for, if it does not come soon

    Raises
    ------
    InputError
        If Dask is not installed, the address is none, or its own settings for TLS do not do for it.
    BasraError
        If nothing answers there, or no worker comes; meanwhile, if a worker has another version.
    """
    distributed = library()
    check_address(distributed, address)
    with answering(distributed, address, notice) as connection:
        await_worker(connection, address, notice)
        with placed(workers=Cluster(connection)):
            yield


@contextmanager
def workers(count: int) -> Iterator[None]:
    """
    Have all that is asked for meanwhile done by so many processes of this machine.

    Raises
    ------
    InputError
        If Dask is not installed, or the number is out of range.
    BasraError
        If they do not start.
    """
    distributed = library()
    if not 1 <= count <= MOST_WORKERS:
        raise InputError(f"{count} workers are not possible: it takes 1 to {MOST_WORKERS}")
    if count > (most := max(_MOST_ANYWHERE, _MOST_EACH_PROCESSOR * thread_count(None))):
        raise InputError(f"{count} workers are too many for this machine: it takes 1 to {most}")
    with ExitStack() as around:
        cluster = None
        try:
            with _heard_later():
                cluster = around.enter_context(_started(distributed, count, around.enter_context(_loop())))
            connection = around.enter_context(client(distributed, cluster))
            with placed(workers=Cluster(connection)):
                yield
        except BaseException:
            if cluster is not None:
                _end(cluster)
            raise


def _started(distributed: Any, count: int, loop: "IOLoop") -> Any:
    """So many processes of this machine, ready to work."""
    try:
        return distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            memory_limit=0,
            loop=loop,
        )
    except (RuntimeError, OSError) as error:
        raise BasraError(f"the {count} workers do not start, or were ended as they did: {error}") from error


@contextmanager
def _heard_later() -> Iterator[None]:
    """
    Heed a first signal that asks for an end only when this is over, a second one at once.

    A process that is left while Python starts it would tell of that in many lines.
    """
    received: list[tuple[int, FrameType | None]] = []
    before: dict[int, Callable[[int, FrameType | None], Any]] = {}

    def note(number: int, frame: FrameType | None) -> None:
        received.append((number, frame))
        if len(received) > 1:
            before[number](number, frame)

    if current_thread() is main_thread():
        for asked in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(asked)
            if callable(handler):
                before[asked] = handler
                signal.signal(asked, note)
    try:
        yield
    finally:
        for asked_by, heeded in before.items():
            signal.signal(asked_by, heeded)
        if received:
            before[received[0][0]](*received[0])


def _end(cluster: Any) -> None:
    """End the processes of a cluster at once: what they are at is of no use any more, and may take long."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


@contextmanager
def _loop() -> "Iterator[IOLoop]":
    """
    A loop whose processes do not hear of Ctrl-C: it is this process that ends them.

    Else each would tell of it in many lines. Signals that a thread does not take are taken by no process that it
    starts, and those that start workers anew all their life are of the thread of the loop.
    """
    from distributed.utils import LoopRunner

    runner = LoopRunner()
    if hasattr(signal, "pthread_sigmask"):
        _start_tracker()  # else the thread of the loop would, and take signals behind it
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            runner.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        runner.start()
    try:
        yield runner.loop
    finally:
        runner.stop()


_NO_MATTER = "ignore:resource_tracker:UserWarning"
"""What is said of semaphores, where a process was killed that had some: the system has freed them by then."""


def _start_tracker() -> None:
    """Start the process in which Python keeps track of what processes share, and let it end without a word."""
    from multiprocessing import resource_tracker

    sys.warnoptions.append(_NO_MATTER)
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_NO_MATTER)
