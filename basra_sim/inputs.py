"""
What is read of a person's files: data only, bounded in size, depth and numbers before anything is made of it.

No file of data is ever run. One kind of file is, because it is handed in to be: a Python file in which a person has
written players or advice, ``FILE.py`` or ``FILE.py:NAME`` where a player or a piece of advice is asked for. No
other file can name one.
"""

import errno
import io
import json
import os
import select
import stat
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, BinaryIO

LARGEST = 100_000
"""Bytes that a file of rules, advice, weights or players may have, and a line of a file of records."""

LARGEST_KEPT = 100_000_000
"""Bytes that a file may have in which a command keeps what it goes on from."""

DEEPEST = 20
"""How deep lists and tables of a file may stand within each other."""

MOST_DOTS = 500
"""Dots in a line of TOML: to read a key of many parts takes long, twice as many four times as long."""

LARGEST_NUMBER = 2**63 - 1
"""The largest whole number in a file, either way."""

PATIENCE = 3.0
"""Seconds that a named pipe may be without anybody who writes into it."""

_KINDS = (
    (stat.S_ISDIR, "it is a folder, not a file"),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
)


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file of that name; a name that is not possible names none."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 -- a path of the other kind is none of all texts
    except (OSError, ValueError):
        return False


def read_bytes(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """
    All of a file, if it is one and not too large.

    Raises
    ------
    OSError
        If it cannot be read, is no plain file, or too large; ``strerror`` says so in words.
    """
    try:
        _refuse_others(os.stat(path))  # noqa: PTH116 -- before it is opened: to open a device may be to do something
        with open(path, "rb", buffering=0, opener=_at_once) as stream:
            about = os.fstat(stream.fileno())
            _refuse_others(about)
            _refuse_large(about.st_size, largest)
            found = bytearray()
            while len(found) <= largest and (more := stream.read(largest + 1 - len(found))):
                found += more
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no file can be called so ({error})") from None
    _refuse_large(len(found), largest)
    return bytes(found)


def read_text(path: str | os.PathLike[str], largest: int = LARGEST) -> str:
    """
    All of a file, a text in UTF-8.

    Raises
    ------
    OSError
        As for `read_bytes`.
    UnicodeError
        If it is no such text.
    """
    return read_bytes(path, largest).decode("utf-8")


def open_lines(path: str | os.PathLike[str]) -> BinaryIO:
    """
    A file, pipe or terminal, to be read line by line with `bounded_lines`.

    Raises
    ------
    OSError
        If it cannot be read, is a folder, or a pipe that nobody writes into.
    """
    try:
        about = os.stat(path)  # noqa: PTH116 -- as in `read_bytes`
        if stat.S_ISDIR(about.st_mode) or stat.S_ISSOCK(about.st_mode) or stat.S_ISBLK(about.st_mode):
            _refuse_others(about)
        stream = open(path, "rb", opener=_at_once)  # noqa: SIM115 -- as in `read_bytes`; it is handed on open
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no file can be called so ({error})") from None
    begun = b""
    try:
        if stat.S_ISFIFO(about.st_mode):
            begun = _await_writer(stream.fileno())
        if hasattr(os, "set_blocking"):
            os.set_blocking(stream.fileno(), True)
    except BaseException:
        stream.close()
        raise
    return io.BufferedReader(_Begun(begun, stream)) if begun else stream


class _Begun(io.RawIOBase):
    """A stream of which the beginning has been read already."""

    def __init__(self, begun: bytes, stream: BinaryIO) -> None:
        self._begun = begun
        self._stream = stream

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, room: Any) -> int:
        """Fill some room."""
        found = self._begun or self._stream.read1(len(room))  # type: ignore[attr-defined]  # it is a buffered one
        self._begun = b""
        room[: len(found)] = found
        return len(found)

    def close(self) -> None:
        """Close the stream behind."""
        self._stream.close()
        super().close()


def bounded_lines(stream: Any, longest: int = LARGEST) -> Iterator[Any]:
    """
    Lines of an open stream, none of them longer than a limit.

    Raises
    ------
    ValueError
        At a line that is longer.
    """
    while line := stream.readline(longest + 1):
        if len(line) > longest:
            raise ValueError(f"the line is longer than {longest:,} characters")
        yield line


def parse_toml(text: str) -> dict[str, Any]:
    """
    Tables of a text in TOML.

    Raises
    ------
    ValueError
        If it is none, nested too deeply, or holds a number that is too large or a line of too many dots.
    """
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {MOST_DOTS} dots")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise ValueError(_TOO_LARGE) from None
    _check_tree(found)
    return found


def parse_json(text: str) -> Any:
    """
    Value of a text in JSON.

    Raises
    ------
    ValueError
        If it is none, nested too deeply, or holds a number that is too large, or a name twice in one object.
    """
    try:
        found = json.loads(
            text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole, object_pairs_hook=_object
        )
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_tree(found)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Object of JSON; a name that comes twice is refused, for one of the two values would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise ValueError(f"{twice[:100]!r} comes twice")
    return found


def _no_number(name: str) -> float:
    """Refuse what Python reads as a number and JSON does not know."""
    raise ValueError(f"{name} is no number")


def _whole(text: str) -> int:
    """Whole number."""
    if len(text) > len(str(-LARGEST_NUMBER)):
        raise ValueError(_TOO_LARGE)
    return int(text)


def _finite(text: str) -> float:
    """Number with a fraction or an exponent."""
    found = float(text)
    if not isfinite(found):
        raise ValueError("a number is too large")
    return found


_TOO_LARGE = "a whole number does not fit into 64 bits"

_TOO_DEEP = f"lists and tables are nested more than {DEEPEST} deep"


def _check_tree(found: object) -> None:
    """Refuse what is nested too deeply, and whole numbers that are too large."""
    level: list[object] = [found]
    for _ in range(DEEPEST + 1):
        level = [each for part in level for each in _parts(part)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _parts(value: object) -> Iterable[object]:
    """What a value of a file consists of."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list):
        return value
    if isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise ValueError(_TOO_LARGE)
    return ()


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for who writes into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_others(about: os.stat_result) -> None:
    """Refuse what is no plain file."""
    for is_kind, says in _KINDS:
        if is_kind(about.st_mode):
            raise OSError(errno.EINVAL, says)


def _refuse_large(size: int, largest: int) -> None:
    """Refuse what is too large."""
    if size > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest:,} bytes, which no file of this kind is")


def _await_writer(pipe: int) -> bytes:
    """Wait until somebody writes into a pipe, not for long while there is nobody; the first byte, if it was read."""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    end = time.monotonic() + PATIENCE
    while not waiting.poll(50):
        try:
            if found := os.read(pipe, 1):
                return found
        except BlockingIOError:  # somebody has it open to write: there is no end of it yet
            continue
        if time.monotonic() > end:
            raise OSError(errno.EPIPE, "it is a pipe, and nobody writes into it")
    return b""
