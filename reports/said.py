"""
Numbers that stand in sentences: each keeps what is behind it, so that a page can show it and a test can check it.

A sentence is plain text in which every estimate stands between marks, signs that no font has and no text uses. Behind
the first mark stands what was computed, in full; behind the second what is read. `plain` leaves only what is read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape

from basra_sim.stats import Estimate

OPEN, MIDDLE, CLOSE = "\ue000", "\ue001", "\ue002"
"""Marks before what is behind a number, before what is read, and after it (private use area of Unicode)."""

_MARKED = re.compile(f"{OPEN}([^{MIDDLE}]*){MIDDLE}([^{CLOSE}]*){CLOSE}")


@dataclass(frozen=True)
class Number:
    """
    An estimate in a sentence.

    Attributes
    ----------
    text : what is read, rounded
    value, low, high : the estimate and the ends of its interval, in full; a share as a part of 1
    units : number of independent units behind it
    unit : its unit, as in the data
    """

    text: str
    value: float | None
    low: float | None
    high: float | None
    units: int
    unit: str


def marked(text: str, found: Estimate, unit: str) -> str:
    """Text of an estimate, with marks around it that keep what is behind it."""
    behind = json.dumps([found.value, found.low, found.high, int(found.units), unit])
    return f"{OPEN}{behind}{MIDDLE}{text}{CLOSE}"


def plain(text: str) -> str:
    """A sentence as it is read, without marks."""
    return _MARKED.sub(lambda found: found[2], text)


def numbers(text: str) -> list[Number]:
    """Numbers of a sentence, in their order."""
    return [part for part in parts(text) if isinstance(part, Number)]


def parts(text: str) -> Iterator[str | Number]:
    """A sentence cut into words and numbers."""
    end = 0
    for found in _MARKED.finditer(text):
        if found.start() > end:
            yield text[end : found.start()]
        value, low, high, units, unit = json.loads(found[1])
        yield Number(found[2], value, low, high, units, unit)
        end = found.end()
    if end < len(text):
        yield text[end:]


def as_html(text: object) -> object:
    """A sentence with its numbers as ``<data>`` elements; anything else, and what has no marks, as it is."""
    if not isinstance(text, str) or OPEN not in text:
        return text
    made = [
        Markup('<data value="{}">{}</data>').format("" if part.value is None else repr(part.value), part.text)
        if isinstance(part, Number)
        else escape(part)
        for part in parts(text)
    ]
    return Markup("").join(made)
