"""A line on the terminal that says how far a long piece of work is."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TextIO

import click

from basra_sim.cli.ending import heed
from basra_sim.cli.options import is_quiet
from basra_sim.cli.text import WIDTH

PATIENCE = 1.0
"""Seconds before the line is shown: what ends sooner needs none."""

_EVERY = 0.1


class Progress:
    """
    Progress with rate and time left, on standard error while that is a terminal; elsewhere, and with --quiet, silent.

    Call it with the number of units done and in all; leave it as a context to wipe the line out.

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
        self._stream = stream or sys.stderr
        self._clock = clock
        self._shows = self._stream is not None and self._stream.isatty() and not is_quiet()
        if beside and sys.stdout.isatty():
            self._shows = False
        self._begun, self._next = 0.0, 0.0
        self._first: tuple[float, float] | None = None
        self._written = False

    def __enter__(self) -> "Progress":
        self._begun = self._clock()
        self._next = self._begun + PATIENCE
        if self._shows and not _is_compiled():
            self._write("Compiling; this happens once and takes about half a minute …")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._written:
            self._write("")

    def __call__(self, done: float, total: int) -> None:
        """Say how far it is, of the last unit maybe a part; stop if a signal said so."""
        heed()
        if not self._shows:
            return
        now = self._clock()
        if self._first is None:
            self._first = now, done
        if now >= self._next:
            self._next = now + _EVERY
            self._write(self._told(now, done, total))

    def say(self, text: str) -> None:
        """Say what is being done, where that cannot be counted."""
        heed()
        if self._shows:
            self._write(text)

    def _told(self, now: float, done: float, total: int) -> str:
        """What the line says."""
        # Until the second report the first one's work is in the rate, and with it the time to get going.
        since, before = self._first or (now, done)
        since, before = (self._begun, 0) if done == before else (since, before)
        rate = (done - before) / (now - since) if now > since else 0.0
        share, count = f"{done / total:4.0%}", f"  {int(done):,} of {total:,} {self._unit}"
        left = f", {_pace(rate)}, {_duration((total - done) / rate)} {self._left}" if rate > 0 else ""
        note = f"; {self.note}" if self.note else ""
        whole = share + count + left + note
        return whole if len(whole) < self._width() else share + left + note

    def _width(self) -> int:
        """Columns of the terminal, as far as they are known and used."""
        try:
            return min(os.get_terminal_size(self._stream.fileno()).columns or WIDTH, WIDTH)
        except (OSError, ValueError):
            return WIDTH

    def _write(self, text: str) -> None:
        """Put a text in place of the line."""
        self._stream.write(f"\r\x1b[K{text[: self._width() - 1]}")
        self._stream.flush()
        self._written = bool(text)


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
    """Time in words: ``8 s``, ``3:05 min`` or ``2:00 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"


def _is_compiled() -> bool:
    """Whether the compiled code of this version lies ready on disk."""
    from basra_sim import _numba

    folder = _numba.cache_folder()
    return folder is not None and any(folder.rglob("kernel.play_batch*.nbi"))
