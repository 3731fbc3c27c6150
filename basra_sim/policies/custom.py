"""A person's own policy: a scoring function, compiled, that the kernel calls for every legal play."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np

from basra_sim._numba import call_at, compiled, lowest_bit
from basra_sim.captures import basra_points, choices
from basra_sim.errors import InputError
from basra_sim.game import card_points


class View(NamedTuple):
    """
    What a player knows when it is his turn. Sets of cards are masks (bit ``4 * rank + suit``); 0 and 1 are no and yes.

    Nothing in it depends on a card that the player cannot have seen.
    """

    hand: int
    """His cards, the one to be played among them."""
    floor: int
    own_pile: int
    """Cards his team has captured."""
    other_piles: int
    """Cards the other teams have captured."""
    unseen: int
    """Cards in the others' hands and in the stock; 0 bits for queens and kings where they are not in the pack."""
    cards_left: int
    """Cards in his hand, the one to be played among them."""
    next_hand: int
    """Cards the next player holds at his turn, after a new deal if one comes; 0 if the round is over."""
    deal: int
    """Number of the deal, from 0."""
    deals_left: int
    """Deals still to come."""
    seat: int
    players: int
    team: int
    last_to_play: int
    """Whether he plays the last card of this deal."""
    last_card: int
    """Whether it is the last card of the round."""
    captured_last: int
    """Whether his team made the last capture; it gets what is left on the floor."""
    own_basras: int
    """Points his team has made by basras in this round."""
    other_basras: int
    """The most points another team has made by basras in this round."""
    score: int
    """His team's score in the match before this round; 0 outside of a match."""
    other_score: int
    """The best other team's score before this round."""
    majority: int
    """What the majority of this round is worth, with what was carried over."""
    target: int
    noise: int
    """A number from 0 to 2**53 - 1, drawn for this decision."""


class Play(NamedTuple):
    """One legal play."""

    card: int
    """Number of the card: ``4 * rank + suit``."""
    taken: int
    """Cards it takes, as a mask; 0 if it is laid."""
    basra: int
    """Points of the basra it makes."""
    points: int
    """Card points it wins: those of the cards taken and its own; 0 if it is laid."""


VIEW_SIZE, PLAY_SIZE = len(View._fields), len(Play._fields)


@compiled
def choose_custom(codes, tables, address, view, hand, room):
    """
    Card and set taken of the legal play that a person's own function scores highest.

    The card is -1 if the choices overflow, -3 if the function gave no number for a play or raised an error.
    """
    best, best_card, best_taken = -np.inf, np.int64(-3), np.int64(0)
    floor, floor_before, last_card = view[1], view[VIEW_SIZE + PLAY_SIZE], view[13]
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        count = choices(codes.capture, tables, floor, card, room)
        if count < 0:
            return np.int64(-1), np.int64(0)
        for k in range(count):
            taken = room[0, k]
            view[VIEW_SIZE] = card
            view[VIEW_SIZE + 1] = taken
            view[VIEW_SIZE + 2] = basra_points(codes.capture, tables, floor, card, taken, floor_before, last_card)
            view[VIEW_SIZE + 3] = card_points(codes.points, taken | np.int64(1) << card) if taken else 0
            value = call_at(address, view)
            if np.isnan(value):
                return np.int64(-3), np.int64(0)
            if value > best or best_card < 0:
                best, best_card, best_taken = value, card, taken
    return best_card, best_taken


def compile_scorer(function: Callable[..., float], name: str) -> Any:
    """
    Compile a scoring function into one that the kernel can call.

    Raises
    ------
    InputError
        If it does not compile.
    """
    score = numba.njit(function, error_model="numpy")

    def call(pointer):
        n = numba.carray(pointer, (VIEW_SIZE + PLAY_SIZE,))
        view = View(
            n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10],
            n[11], n[12], n[13], n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21],
        )  # fmt: skip
        try:
            return np.float64(score(view, Play(n[22], n[23], n[24], n[25])))
        except Exception:  # noqa: BLE001 -- compiled code knows no other kind, and nothing can be raised through the kernel
            return np.nan

    try:
        return numba.cfunc("float64(CPointer(int64))", error_model="numpy")(call)
    except numba.errors.NumbaError as error:
        raise InputError(f"policy {name} does not compile: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """The first line of a compiler's complaint that says something about the person's code."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Failed in", "During:", "File", ">>>"))]
    return (told or lines or ["unknown reason"])[0]
