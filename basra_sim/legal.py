"""What a card may take, looked up from Python."""

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from basra_sim.captures import CHOICE_ROOM, basra_points, capture_rules, choices, tables
from basra_sim.cards import Card, card_set, cards_in
from basra_sim.errors import BasraError
from basra_sim.rules import Rules


@cache
def _room() -> npt.NDArray[np.int64]:
    """Scratch space for the look-ups made from Python."""
    return np.empty((4, CHOICE_ROOM), np.int64)


def legal(
    rules: Rules, floor: Iterable[Card], card: Card, *, lone_before: bool = False, last_card: bool = False
) -> list[tuple[frozenset[Card], int]]:
    """
    Every legal choice for a card on a floor: the cards taken (none: it is laid) and the points of the basra.

    Parameters
    ----------
    rules : Rules
    floor : cards, in any order
    card : the card played, not on the floor
    lone_before : whether the last play laid one card beside a lone one
    last_card : whether it is the last card of the round

    Raises
    ------
    BasraError
        If there are more choices than the room for them holds.
    """
    codes, bits = capture_rules(rules), card_set(floor)
    count = choices(codes, tables(), bits, card, _room())
    if count < 0:
        raise BasraError(f"more than {CHOICE_ROOM} choices for one card")
    before = bits & -bits if lone_before and bits.bit_count() == 2 else 0
    found = []
    for taken in _room()[0, :count].tolist():
        points = basra_points(codes, tables(), bits, card, taken, before, int(last_card))
        found.append((frozenset(cards_in(taken)), int(points)))
    return found
