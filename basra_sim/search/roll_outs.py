"""Rounds played on from any play of them by players who are weights over features and remember every card: compiled."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import inner, lowest_bit
from basra_sim.captures import single_capture
from basra_sim.policies.features import LATE_CARDS, Sight, choose
from basra_sim.turns import OK, TOO_MANY_CHOICES, deal_hands, deal_place, locate, make_play, stand

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
    """

    chances: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]


@inner
def roll_out(codes, tables, beyond, scratch, row, standing, plays, stop, top):
    """
    Play from one play of a round up to another, not included; return a status and what lies open then.

    Each seat sees its hand, the floor and what is gone. Hands of later deals come from the stock in `scratch.deck`,
    which begins at `top` once the floor lies.
    """
    game = codes.game
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
            card, taken = choose(codes, tables, beyond.chances, beyond.weights[place.seat, late], sight, scratch.room)
            if card < 0:
                return np.int64(TOO_MANY_CHOICES), standing
        standing, _ = make_play(codes, tables, standing, place, card, taken, scratch, row)
        plays += 1
        before += 1
        if before == size * game.players:
            deal, before = deal + 1, np.int64(0)
            size = game.last_hand if deal == game.deals - 1 else game.hand_size
    return np.int64(OK), standing
