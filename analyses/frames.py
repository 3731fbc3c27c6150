"""Estimates in data frames: rows with the columns estimate, low, high and units."""

from math import isnan
from typing import Any

import pandas as pd

from basra_sim.stats import Estimate


def estimates(frame: pd.DataFrame) -> list[Estimate]:
    """Estimates that rows with the columns estimate, low, high and units state."""
    found = []
    for row, units in zip(frame[["estimate", "low", "high"]].astype(float).to_numpy(), frame["units"], strict=True):
        value, low, high = (None if isnan(part) else float(part) for part in row)
        found.append(Estimate(value, low, high, int(units)))
    return found


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame, each by the names of the columns."""
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in frame.itertuples(index=False, name=None)]


def by_key(frame: pd.DataFrame, *keys: str) -> dict[tuple[str, ...], Estimate]:
    """Estimates by the values of some columns, which must tell the rows apart."""
    names = [tuple(str(part) for part in row) for row in frame[list(keys)].itertuples(index=False, name=None)]
    found = dict(zip(names, estimates(frame), strict=True))
    if len(found) < len(frame):
        raise ValueError(f"rows are not told apart by {', '.join(keys)}")
    return found
