"""
Rounds added up while they are played: whole numbers only, so that the order of adding does not matter.

Sums of a part fit into 64 bits, as do those of a piece of up to 128 parts: a team has below 2^16 points in a round, at
most 2^21 in a match (`matches`), three times that is the most that is added up of a unit, and a part has at most 2^13
rounds or 2^9 matches. Sums of pieces go into Python's own integers, or are held against `checked_sums`.
"""

import numpy as np
import numpy.typing as npt

from basra_sim import kernel, turns
from basra_sim._numba import compiled
from basra_sim.errors import BasraError

PER_TEAM = (*turns.COLUMNS, "total", "won")
"""What is added up of each team's rounds: points of each source, cards, basras, the total, rounds won alone."""

PER_ROUND = ("tied", "majority_tied", "first_margin", "rounds")
"""What is added up of each round. The margin is the first mover's team's, over each of the others in turn."""

SIZE = 4 * len(PER_TEAM) + len(PER_ROUND)
"""Quantities in all: four teams' (0 for those that are not), then the round's."""

MOST_OF_A_PART, MOST_ADDED = 1 << 55, 1 << 62
"""What sums of 64 bits may come to in a part, of which 128 or fewer make a piece; and before another is added."""

_TEAM_SIZE, _TOTAL, _WON = len(PER_TEAM), PER_TEAM.index("total"), PER_TEAM.index("won")
_TIED, _MAJORITY_TIED, _FIRST_MARGIN, _ROUNDS = range(4 * _TEAM_SIZE, SIZE)


@compiled
def _flush(unit, sums):
    """Add a unit's quantities, their squares and their products with its rounds to the sums; clear the unit."""
    rounds = unit[_ROUNDS]
    for k in range(SIZE):
        amount = unit[k]
        sums[0, k] += amount
        sums[1, k] += amount * amount
        sums[2, k] += amount * rounds
        unit[k] = 0


@compiled
def add_up(rows, facts, teams, matches, unit, sums):
    """
    Add rounds up, single ones or those of whole matches.

    Parameters
    ----------
    rows, facts : as `kernel.play_batch` fills them, one seating
    teams : number of teams
    matches : whether a unit is a match
    unit : (quantities,) int64
        Scratch, all 0.
    sums : (3, quantities) int64
        Added to: sums over units, of squares, of products with the unit's rounds.
    """
    for k in range(rows.shape[0]):
        row = rows[k]
        best, tied, winner, everything, most, most_tied = np.int64(-1), 0, 0, np.int64(0), np.int64(-1), 0
        for team in range(teams):
            base = team * _TEAM_SIZE
            total = np.int64(0)
            for column in range(_TOTAL):
                amount = np.int64(row[team, column])
                unit[base + column] += amount
                if turns.ACES <= column <= turns.BASRAS:
                    total += amount
            unit[base + _TOTAL] += total
            everything += total
            tied = 1 if total > best else tied + (total == best)
            winner = team if total > best else winner
            best = max(best, total)
            cards = np.int64(row[team, turns.CARDS])
            most_tied = 1 if cards > most else most_tied + (cards == most)
            most = max(most, cards)
            if team == facts[k, kernel.FIRST] % teams:
                unit[_FIRST_MARGIN] += teams * total
        unit[_FIRST_MARGIN] -= everything
        unit[_ROUNDS] += 1
        if tied == 1:
            unit[winner * _TEAM_SIZE + _WON] += 1
        else:
            unit[_TIED] += 1
        if most_tied > 1:
            unit[_MAJORITY_TIED] += 1
        last = k + 1 == rows.shape[0] or facts[k + 1, kernel.MATCH] != facts[k, kernel.MATCH]
        if last or not matches:
            _flush(unit, sums)


def tally(
    rows: npt.NDArray[np.int32], facts: npt.NDArray[np.int64], teams: int, matches: bool
) -> npt.NDArray[np.int64]:
    """
    Sums over the units of some rounds.

    Returns
    -------
    (3, quantities) int64
        Of `PER_TEAM` of each team and `PER_ROUND`: sums, sums of squares, sums of products with a unit's rounds.
    """
    sums = np.zeros((3, SIZE), np.int64)
    add_up(rows, facts, teams, matches, np.zeros(SIZE, np.int64), sums)
    checked_sums(sums, MOST_OF_A_PART)
    return sums


def checked_sums(sums: npt.NDArray[np.int64], most: int | None = None) -> None:
    """
    Refuse to go on once sums are so large that another part might not be added exactly: `MOST_ADDED`, or so much.

    Of sums of squares and products it is enough to look at the squares: no product is larger than the larger of two.

    Raises
    ------
    BasraError
        If a sum has come to that either way.
    """
    if sums.size and max(int(sums.max()), -int(sums.min())) >= (MOST_ADDED if most is None else most):
        raise BasraError("the sums have become too large to be exact: ask for fewer units")
