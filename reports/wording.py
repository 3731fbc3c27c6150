"""Words for what a page says: titles of measures and names, and sentences drawn from data."""

from collections.abc import Iterable, Sequence

import pandas as pd

from analyses.claims import naming
from analyses.claims.cells import order
from analyses.frames import estimates
from basra_sim.cards import RANKS
from basra_sim.stats import Estimate
from reports.numbers import MINUS, estimated, is_share, shown_unit
from reports.said import marked

NO_BREAK = "\u00a0"
"""A space at which no line ends: between a figure, its interval and its unit."""

TITLES = {
    "aces": "aces",
    "jacks": "jacks",
    "two": "point two",
    "ten": "10♦",
    "majority": "most cards",
    "basras": "basras",
    "total": "all",
}
"""Titles of sources of points, short enough for a column."""


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number(found: Estimate, unit: str, *, signed: bool = False) -> str:
    """An estimate with its interval, in a sentence; marked, as `reports.said` says."""
    value, interval = estimated(found, unit, signed=signed)
    if "to " in interval or "or more" in interval:
        interval = f"({interval})"
    text = f"{value} {interval}".strip().replace(" ", NO_BREAK)
    return marked(f"{text}{NO_BREAK}%" if is_share(unit) else text, found, unit)


def extremes(frame: pd.DataFrame, policy: str, *, signed: bool = False) -> tuple[str, str]:
    """The least and the greatest estimate among a policy's rows, each with its variant, for a sentence."""
    part = frame[frame["policy"] == policy]
    found, unit = estimates(part), part["unit"].iloc[0]
    places = (int(part["estimate"].argmin()), int(part["estimate"].argmax()))
    least, most = (f"{number(found[place], unit, signed=signed)} ({part['variant'].iloc[place]})" for place in places)
    return least, most


def measured(found: Estimate, unit: str, *, signed: bool = False) -> str:
    """An estimate with its interval and its unit, in a sentence."""
    return f"{number(found, unit, signed=signed)} {unit if is_share(unit) else shown_unit(unit)}"


def place(split: str, value: str) -> str:
    """A place of a quantity, in words, with true minus signs; of two quantities, both."""
    return naming.place(split, value).replace("-", MINUS)


def in_order(split: str, names: Iterable[str]) -> list[str]:
    """Places of a quantity in their natural order: that of its ranges, or that of the numbers they begin with."""
    known = list(RANKS) if split == "rank" else order(split)
    return sorted(names, key=lambda name: known.index(name) if name in known else int(name.split()[0]))
