"""Rounds played on from any play of them by players who are weights over features and remember every card: compiled."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import address_of, call_address, inner, inner_inlined, lowest_bit
from basra_sim.captures import Tables, single_capture
from basra_sim.game import Codes
from basra_sim.policies.features import LATE_CARDS, Sight, choose
from basra_sim.turns import (
    COLUMNS,
    OK,
    TOO_MANY_CHOICES,
    Scratch,
    Standing,
    deal_hands,
    deal_place,
    locate,
    make_play,
    stand,
)

_ALL = np.int64((1 << 52) - 1)


class Beyond(NamedTuple):
    """
    Who plays on where a search ends.

    Attributes
    ----------
    chances : (25, 53, 53) float64
        As `features.chances`.
    weights : (players, phases, parameters) float64
        Parameters of each seat.
    address : int
        Where the compiled roll-out is: see `roll_out_address`.
    """

    chances: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    address: int


@inner_inlined
def roll_out(codes, tables, beyond, scratch, row, standing, plays, stop, top):
    """
    Play from one play of a round up to another, not included; return a status and what lies open then.

    Each seat sees its hand, the floor and what is gone. Hands of later deals come from the stock in `scratch.deck`,
    which begins at `top` once the floor lies.
    """
    facts = (
        np.int64(standing.floor), np.int64(standing.floor_before), np.int64(standing.gone), np.int64(standing.last),
        np.int64(plays), np.int64(stop), np.int64(top),
    )  # fmt: skip
    status = call_address(beyond.address, (codes, tables, beyond.chances, beyond.weights, facts, scratch, row))
    return status, Standing(scratch.open[0], scratch.open[1], scratch.open[2], scratch.open[3])


def roll_out_address(codes: Codes, tables: Tables, scratch: Scratch) -> int:
    """Address of the compiled roll-out, for arguments of the types of these."""
    chances, row = np.zeros((1, 1, 1)), np.zeros((4, len(COLUMNS)), np.int32)
    return address_of(_roll_out, (codes, tables, chances, chances, (0,) * 7, scratch, row))


@inner
def _roll_out(codes, tables, chances, weights, facts, scratch, row):
    """As `roll_out`, whose numbers are `facts`; what lies open then is left in `scratch.open`."""
    floor, floor_before, gone, last, plays, stop, top = facts
    game, standing = codes.game, Standing(floor, floor_before, gone, last)
    deal, before, size = locate(game, plays)
    while plays < stop:
        if before == 0:
            deal_hands(game, scratch, deal_place(game, top, deal), size)
        place = stand(game, deal, size - before // game.players, before % game.players)
        hand, floor = scratch.hands[place.seat], standing.floor
        card, taken = np.int64(0), np.int64(-1)
        if place.left == 1:
            card = lowest_bit(hand)
            taken = single_capture(codes.capture, tables, floor, card)
        if taken < 0:
            unseen = _ALL & ~(hand | floor | standing.gone)
            late = np.int64(deal == game.deals - 1 and place.left <= LATE_CARDS)
            sight = Sight(hand, floor, standing.floor_before, unseen, place.next_hand, place.last_card, late)
            card, taken = choose(codes, tables, chances, weights[place.seat, late], sight, scratch.room)
            if card < 0:
                return np.int64(TOO_MANY_CHOICES)
        standing, _ = make_play(codes, tables, standing, place, card, taken, scratch, row)
        plays += 1
        before += 1
        if before == size * game.players:
            deal, before = deal + 1, np.int64(0)
            size = game.last_hand if deal == game.deals - 1 else game.hand_size
    scratch.open[0], scratch.open[1] = standing.floor, standing.floor_before
    scratch.open[2], scratch.open[3] = standing.gone, standing.last
    return np.int64(OK)
