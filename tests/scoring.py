"""
Rounds played by the kernel for tests of policies, and scoring functions in plain Python.

Such a function is called by the kernel for every legal play: slow, but it sees what the kernel hands over.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from basra_sim.plans import Plan
from basra_sim.policies import Policy
from basra_sim.policies.custom import PLAY_SIZE, VIEW_SIZE, Play, View
from basra_sim.rules import Setting

_KIND = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_int64))


class Scorer:
    """What stands in a `Policy` for a compiled function."""

    def __init__(self, score: Callable[[View, Play], float]) -> None:
        self._score = score
        self._callback = _KIND(self._call)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value

    def _call(self, numbers: Any) -> float:
        values = numbers[: VIEW_SIZE + PLAY_SIZE]
        return float(self._score(View(*values[:VIEW_SIZE]), Play(*values[VIEW_SIZE:])))


def scored_by(score: Callable[[View, Play], float], name: str = "scored") -> Policy:
    """Policy of a plain Python function."""
    return Policy(name, "", None, Scorer(score))


def scatter(*numbers: int) -> int:
    """A number from 0 to 2**53 - 1 that hangs on every bit of the given ones."""
    mixed = 0x9E3779B97F4A7C15
    for number in numbers:
        mixed = (mixed ^ number & (1 << 64) - 1) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed ^= mixed >> 29
    mixed = mixed * 0x94D049BB133111EB & (1 << 64) - 1
    return (mixed ^ mixed >> 32) >> 11


def table_plan(table: Setting, policies: Sequence[Policy], seats: Sequence[int], seed: int = 1) -> Plan:
    """Plan in which each seat plays the policy of its number."""
    return Plan(table, tuple(policies), (tuple(seats),), seed)


def logged(played: Plan, index: int, pack: Sequence[int] | None = None) -> list[tuple[int, int, int]]:
    """Plays of a round: card, set taken, points of the basra."""
    decks = None if pack is None else np.array([pack], np.uint8)
    (part,) = played.play(index, 1, logged=True, decks=decks)
    return [(card, taken, basra) for card, taken, basra in part.logs[0].tolist()]
