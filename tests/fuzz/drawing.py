"""Hostile values drawn from bytes, so that what a byte decides can be learnt by whoever chooses the bytes."""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "-1",
    "-0",
    "+5",
    "52",
    "121",
    "1000",
    "999999999",
    "1e999",
    "-1e999",
    "1e400",
    "1e-400",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1.5",
    "0.1",
    "1_000",
    "1__0",
    "0x7f",
    "0b1",
    "0o7",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "9" * 100,
    "9" * 5000,
    "1" + "0" * 400,
    "0x" + "f" * 400,
    "\uff11\uff12",
    "\u0663",
    "\u00b2",
    "1k",
    "10M",
    "1kk",
    "k",
    "1 2",
    "1,5",
    "50%",
    "1:2",
    "1-2",
    "1..2",
    "1979-05-27",
    "07:32:00",
    "true",
)
"""Numbers as they are written, most of them by nobody."""

TEXTS = (
    "",
    " ",
    "\t",
    "\0",
    "a\0b",
    "\ud800",
    "\udcff",
    "\u202e",
    "\ufeff",
    "\x1b[31m",
    "\x07",
    "\n",
    "a\nb",
    "\r\n",
    "{}",
    "{x}",
    "%s%n%d",
    "'",
    '"',
    "\\",
    "`id`",
    "$(id)",
    ";id",
    "<b>&amp;",
    "../../etc/passwd",
    "..",
    ".",
    "/",
    "//",
    "~",
    "*",
    "[",
    "**",
    "a" * 300,
    "a" * 20_000,
    "\U0001f0cf" * 50,
    "e\u0301" * 300,
    "__class__",
    "__import__('os')",
    "CON",
    "NUL",
    "-",
    "--",
    "-h",
    "+",
    ":",
    "a:b",
    "A+B",
    "None",
    "null",
    "ß" * 100,
    "İ",
    "ﬁ",
    "\u2028",
)
"""Texts that programs have stumbled over."""


class Drawing:
    """Decisions read from bytes, one after the other; zeros when they have come to an end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def ended(self) -> bool:
        """Whether all bytes are used up."""
        return self._at >= len(self._data)

    def below(self, limit: int) -> int:
        """A number from 0 to one less than a limit."""
        size = 1 if limit <= 256 else 2
        found = int.from_bytes(self._data[self._at : self._at + size].ljust(size, b"\0"), "big")
        self._at += size
        return found % limit

    def one(self, of: Sequence[T]) -> T:
        """One of several."""
        return of[self.below(len(of))]

    def chance(self, of: int) -> bool:
        """True about one time in so many; never when the bytes have come to an end."""
        return self.below(of) == of - 1

    def text(self) -> str:
        """A text."""
        if self.chance(3):
            return "".join(chr(self.below(0x250)) for _ in range(self.below(12)))
        return self.one(TEXTS)

    def value(self, depth: int = 3) -> Any:
        """A value such as JSON may hold."""
        kind = self.below(12)
        if kind < 5:
            return _number(self.one(NUMBERS))
        if kind < 8:
            return self.text()
        if kind == 8:
            return self.one([None, True, False])
        if depth == 0:
            return []
        if kind < 11:
            return [self.value(depth - 1) for _ in range(self.below(4))]
        return {self.text(): self.value(depth - 1) for _ in range(self.below(4))}


def _number(text: str) -> Any:
    """A number as Python holds it, or the text where it is none."""
    for kind in (int, float):
        try:
            return kind(text)
        except (ValueError, OverflowError):
            continue
    return text
