"""A line on the terminal that says how far a long piece of work is."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TextIO

import click

from basra_sim.cli.ending import heed
from basra_sim.cli.options import is_quiet
from basra_sim.cli.text import WIDTH
from basra_sim.executors import DONE

PATIENCE = 1.0
"""Seconds before the line is shown: what ends sooner needs none."""

PLAINLY = 300.0
"""Seconds between plain lines, where no line can be drawn over."""

_EVERY = 0.1


class Progress:
    """
    Progress with rate and time left, on standard error; nothing with --quiet.

    On a terminal it is one line that is drawn over, and wiped out when the context is left. Elsewhere, as in a file or
    on a terminal that cannot draw over a line, a plain line is added every `PLAINLY` seconds. In the background nothing
    is drawn. That nobody can be told does not stop the work.

    Call it with the number of units done and in all. For the rate only those count that are played meanwhile: what was
    taken from the folder of a job says nothing of how long the rest takes.

    Parameters
    ----------
    unit : what is counted
    left : what the time that is told leads to
    beside : whether the result is printed meanwhile; the line is not shown then if both went to the same terminal
    stream, clock : where it is written to, and what tells the time in seconds

    Attributes
    ----------
    note : str
        What the line says besides; may be changed at any time.
    """

    def __init__(
        self,
        unit: str = "rounds",
        *,
        left: str = "left",
        beside: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.note = ""
        self._unit = unit
        self._left = left
        self._stream: TextIO | None = stream or sys.stderr
        self._clock = clock
        self._shows = self._stream is not None and not is_quiet()
        self._draws = self._shows and _can_draw(self._stream)
        if beside and sys.stdout.isatty():
            self._shows = False
        self._next, self._last = 0.0, 0.0
        self._done, self._spent, self._played = 0.0, 0.0, 0.0
        self._pieces, self._share = (DONE.played, DONE.kept), 1.0
        self._first: tuple[float, float] | None = None
        self._written = False

    def __enter__(self) -> "Progress":
        self._last = self._clock()
        self._next = self._last + (PATIENCE if self._draws else PLAINLY)
        if self._shows and self._draws and not _is_compiled():
            self._draw("Compiling; this happens once and takes about half a minute …")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._written:
            self._draw("")

    def __call__(self, done: float, total: int) -> None:
        """Say how far it is, of the last unit maybe a part; stop if a signal said so."""
        heed()
        if not self._shows:
            return
        now = self._clock()
        if now < self._last:  # a clock that was set back: what it said before means nothing now
            self._last = self._next = now
            self._spent, self._played, self._first = 0.0, 0.0, None
        self._count(now, done)
        if now >= self._next:
            self._next = now + (_EVERY if self._draws else PLAINLY)
            texts = list(self._told(done, total))
            if self._draws:
                self._draw(next((text for text in texts if len(text) < self._width()), texts[-1]))
            else:
                self._put(f"{texts[0].strip()}\n")

    def say(self, text: str) -> None:
        """Say what is being done, where that cannot be counted."""
        heed()
        if self._shows and self._draws:
            self._draw(text)

    def _count(self, now: float, done: float) -> None:
        """Count as much of what was done since the last report as was played, and the time, if anything was."""
        before, self._pieces = self._pieces, (DONE.played, DONE.kept)
        played, kept = self._pieces[0] - before[0], self._pieces[1] - before[1]
        if played or kept:
            self._share = played / (played + kept)
        self._played += self._share * (done - self._done)
        nothing = not (played or kept) and done == self._done  # so whoever plays is waited for
        if self._share or nothing:
            self._spent += now - self._last
        self._done, self._last = done, now
        if self._first is None and self._share:
            self._first = self._spent, self._played

    def _rate(self) -> float:
        """Units a second."""
        # Until the second report the first one's work is in the rate, and with it the time to get going.
        since, before = self._first or (0.0, 0.0)
        since, before = (0.0, 0.0) if self._played == before else (since, before)
        return (self._played - before) / (self._spent - since) if self._spent > since else 0.0

    def _told(self, done: float, total: int) -> Iterator[str]:
        """What the line says, then what it says where there is less and less room."""
        rate = self._rate()
        share, count = f"{done / max(total, 1):4.0%}", f"  {int(done):,} of {total:,} {self._unit}"
        rest = f", {_duration(max(total - done, 0) / rate)} {self._left}" if rate > 0 else ""
        pace = f", {_pace(rate)}" if rate > 0 else ""
        note = f"; {self.note}" if self.note else ""
        yield share + count + pace + rest + note
        room = self._width() - 1
        if note and len(share + pace + rest) + len("; …") < room:
            yield (share + pace + rest + note)[:room]
        yield from (share + pace + rest, share + rest, share)

    def _width(self) -> int:
        """Columns of the terminal, as far as they are known and used; it may have become narrower just now."""
        try:
            assert self._stream is not None
            return min(os.get_terminal_size(self._stream.fileno()).columns or WIDTH, WIDTH)
        except (OSError, ValueError):
            return WIDTH

    def _draw(self, text: str) -> None:
        """Put a text in place of the line, unless the terminal is somebody else's at the moment."""
        if not _in_background(self._stream):
            self._put(f"\r\x1b[K{text[: self._width() - 1]}")
            self._written = bool(text)

    def _put(self, text: str) -> None:
        """Write something; what cannot be written is left, and nothing more is tried where nobody reads any more."""
        assert self._stream is not None
        try:
            self._stream.write(text)
            self._stream.flush()
        except BlockingIOError:
            pass
        except (OSError, ValueError):
            self._shows = self._written = False


def _can_draw(stream: TextIO | None) -> bool:
    """Whether a line can be drawn over another: on a terminal that understands how to wipe it out."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # it is closed
        return False


def _in_background(stream: TextIO | None) -> bool:
    """Whether another program has the terminal now, as when this one was sent to the background."""
    try:
        return stream is not None and os.getpgrp() != os.tcgetpgrp(stream.fileno())
    except (AttributeError, OSError, ValueError):  # no such thing here, or this is not the terminal it belongs to
        return False


def remark(text: str) -> None:
    """Tell a person something besides the result, on standard error; nothing with --quiet."""
    if not is_quiet():
        with suppress(OSError):
            click.echo(text, err=True)


def _pace(rate: float) -> str:
    """Units a second in words; of slow ones the time that each takes."""
    if rate >= 10:
        return f"{rate:,.0f} a second"
    return f"{rate:.1f} a second" if rate >= 1 else f"{_duration(1 / rate)} each"


def _duration(seconds: float) -> str:
    """Time in words: ``8 s``, ``3:05 min``, ``2:00 h`` or ``3 d 4 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return (
        f"{whole // 3600}:{whole % 3600 // 60:02} h"
        if whole < 86_400
        else f"{whole // 86_400:,} d {whole % 86_400 // 3600} h"
    )


def _is_compiled() -> bool:
    """Whether the compiled code of this version lies ready on disk."""
    from basra_sim import _numba

    folder = _numba.cache_folder()
    return folder is not None and any(folder.rglob("kernel.play_batch*.nbi"))
