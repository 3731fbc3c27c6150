"""Memory as a degree: how many of the cards that have left the floor a player still knows to be gone."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner
from basra_sim.cards import DECK_SIZE, JACK
from basra_sim.errors import InputError
from basra_sim.policies.points import point_cards
from basra_sim.rules import Rules

MEMORY, MEMORY_SPAN, MEMORY_CARDS = 0, 1, 2
"""Places in a row of memories: the kind, how many cards back it reaches, which cards it holds (a mask)."""

ALL, LAST, CARDS, RANKS = range(4)
"""Kinds of memory: everything; what was played last; some cards only; how many of each rank, but not which."""

_WORDS = {"all": (ALL, 0), "none": (LAST, 0), "points": (CARDS, 0), "ranks": (RANKS, 0)}


@dataclass(frozen=True)
class Memory:
    """
    How much a player remembers of the cards that have been captured. What lies on the floor he sees.

    Attributes
    ----------
    degree : str
        ``all``; ``none``; a number *n* (the last *n* cards played; the opening floor counts as older than all of
        them); ``points`` (point cards and jacks only); ``ranks`` (how many of each rank, but not which suits).

    Raises
    ------
    InputError
        If the degree is none of these.
    """

    degree: str = "all"

    def __post_init__(self) -> None:
        """Check the degree."""
        if self.degree not in _WORDS and self.degree not in map(str, range(1, DECK_SIZE + 1)):
            raise InputError(
                f"memory {self.degree!r} is not possible: it takes {', '.join(_WORDS)}, "
                f"or how many cards back it reaches, 1 to {DECK_SIZE}"
            )

    def row(self, rules: Rules) -> npt.NDArray[np.int64]:
        """The three numbers, (3,) int64, that tell compiled code the memory under these rules."""
        kind, span = _WORDS.get(self.degree) or (LAST, int(self.degree))
        return np.array([kind, span, point_cards(rules) | 15 << 4 * JACK], np.int64)

    @property
    def means(self) -> str:
        """What the player remembers, as the end of a sentence."""
        words = {
            "all": "every card",
            "none": "no card",
            "points": "point cards and jacks only",
            "ranks": "how many of each rank are gone, but not their suits",
        }
        return words.get(self.degree) or f"the last {self.degree} cards played"


ALL_OF_IT = Memory()
"""The memory of a player who forgets nothing."""


@inner
def recalled(memory, seen, plays, gone, in_sight):
    """
    Cards among those gone that a player knows to be gone.

    Parameters
    ----------
    memory : (3,) int64
        A row of `Memory.row`.
    seen : int64 array
        For each play so far, the cards that had been face up before it.
    plays : plays made in the round
    gone : cards captured in the round
    in_sight : the player's hand, the floor, and what is not in the pack
    """
    kind = memory[MEMORY]
    if kind == LAST:
        span = memory[MEMORY_SPAN]
        return gone & ~seen[np.uint64(plays - span)] if span <= plays else gone
    if kind == CARDS:
        return gone & memory[MEMORY_CARDS]
    if kind == RANKS:
        return _by_rank(gone, in_sight)
    return gone


@inner
def _by_rank(gone, taken):
    """As many cards of each rank as are gone, the highest suits but for those taken: which are gone, nobody knows."""
    known = np.int64(0)
    for rank in range(13):
        number = bit_count(gone >> 4 * rank & 15)
        for suit in range(3, -1, -1):
            card = np.int64(1) << (4 * rank + suit)
            if number and not card & taken:
                known |= card
                number -= 1
    return known


@inner
def split_known(memory, known, own, others, in_sight):
    """What a player knows to be in the pile of his team, and in those of the others, of the cards he knows gone."""
    if memory[MEMORY] == RANKS:
        own = _by_rank(own, in_sight)
        return own, _by_rank(others, in_sight | own)
    return own & known, others & known
