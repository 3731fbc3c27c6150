"""
Plays weighed one by one: for players who follow advice, and for asking what advice would have them do.

Slower than `features.choose`, which looks for the best play only. Here every play is written down with its worth.
"""

import numpy as np

from basra_sim._numba import call_at, inner, inner_inlined, lowest_bit
from basra_sim.captures import basra_points, choices, single_capture
from basra_sim.game import card_points
from basra_sim.policies.advice import MANY, STRICT
from basra_sim.policies.custom import VIEW_SIZE
from basra_sim.policies.features import worth
from basra_sim.policies.quantities import CAPTURES, SITUATION_SIZE, compare_captures, measure_play, measure_situation

RANDOM, WEIGHTED, CUSTOM, SEARCHING, ADVISED = range(5)
"""Kinds of policy; the last is added to the others where a policy follows advice."""

OPTION_ROOM = 4096
"""Plays that there is room for in one decision."""

CARD, TAKEN = 0, 1
"""Columns of the plays written down."""

TOO_MANY, NO_NUMBER = -1, -3
"""Instead of a number of plays: more than there is room for; a function that gave no number."""

NO_SIDE = 2
"""No preference of any play."""

_ALIKE, _HARDLY = 0.05, 1e-6
_SURELY = 1e6
"""Set back by which a play is chosen only if there is no other."""


@inner_inlined
def show_play(codes, tables, view, floor_before, card, taken):
    """Write a play into a view, behind what the player knows."""
    floor, last_card = view[1], view[13]
    view[VIEW_SIZE] = card
    view[VIEW_SIZE + 1] = taken
    view[VIEW_SIZE + 2] = basra_points(codes.capture, tables, floor, card, taken, floor_before, last_card)
    view[VIEW_SIZE + 3] = card_points(codes.points, taken | np.int64(1) << card) if taken else 0


@inner_inlined
def list_plays(codes, tables, chances, side, policy, sight, noise, scratch):
    """Write down all plays with their worth to a policy; return their number, or what went wrong."""
    kind, options, worths = side.kinds[policy] & 3, scratch.options, scratch.worths
    view, hand, count = scratch.knowledge, sight.hand, 0
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        found = choices(codes.capture, tables, sight.floor, card, scratch.room)
        if found < 0 or count + found > OPTION_ROOM:
            return TOO_MANY
        for k in range(found):
            options[count + k, CARD], options[count + k, TAKEN] = card, scratch.room[0, k]
        for k in range(count, count + found):
            taken = options[k, TAKEN]
            if kind in (WEIGHTED, SEARCHING):
                worths[k] = worth(
                    codes, tables, chances, side.weights[policy, sight.late], sight, card, taken, scratch.room
                )  # fmt: skip
            elif kind == CUSTOM:
                show_play(codes, tables, view, sight.floor_before, card, taken)
                worths[k] = call_at(side.functions[policy], view)
                if np.isnan(worths[k]):
                    return NO_NUMBER
            else:
                mixed = _mix(noise + np.uint64(card)), _mix(noise + np.uint64(64 + k))
                worths[k] = _ALIKE * _unit(mixed[0]) + _HARDLY * _unit(mixed[1])
            scratch.setbacks[k] = 0.0
        count += found
    return count


@inner_inlined
def _mix(z):
    """A word scrambled (the finalizer of MurmurHash3)."""
    z = (z ^ z >> np.uint64(33)) * np.uint64(0xFF51AFD7ED558CCD)
    z = (z ^ z >> np.uint64(33)) * np.uint64(0xC4CEB9FE1A85EC53)
    return z ^ z >> np.uint64(33)


@inner_inlined
def _unit(z):
    """A word as a number from 0 to 1."""
    return np.float64(np.int64(z >> np.uint64(11))) * 2.0**-53


@inner_inlined
def measure(codes, tables, place, standing, sight, noise, count, scratch):
    """Fill in the quantities of all plays written down."""
    found, coins = scratch.quantities, _mix(~noise)
    for k in range(count):
        card, taken = scratch.options[k, CARD], scratch.options[k, TAKEN]
        if k == 0:
            measure_situation(codes, place, standing, sight.unseen, scratch, found[0])
        else:
            for quantity in range(SITUATION_SIZE):
                found[k, quantity] = found[0, quantity]
        basra = basra_points(codes.capture, tables, sight.floor, card, taken, sight.floor_before, sight.last_card)
        measure_play(
            codes, tables, sight.hand, sight.floor, sight.unseen, coins, card, taken, basra, scratch.room, found[k]
        )
    compare_captures(found, count)


@inner_inlined
def prefer(codes, tables, pieces, piece, sight, count, scratch):
    """
    Fill in for all plays whether they follow a piece of advice (1), go against it (-1) or neither (0).

    Returns whether the advice applies: 1 if there are plays of both sorts; `NO_NUMBER` if a function gave none.
    """
    follows = goes_against = 0
    for k in range(count):
        if pieces.functions[piece]:
            card, taken = scratch.options[k, CARD], scratch.options[k, TAKEN]
            show_play(codes, tables, scratch.knowledge, sight.floor_before, card, taken)
            value = call_at(pieces.functions[piece], scratch.knowledge)
            if np.isnan(value):
                return NO_NUMBER
            preference = np.int64(value > 0) - np.int64(value < 0)
        else:
            preference = _preference(pieces, piece, scratch.quantities[k])
        scratch.preferences[k] = preference
        follows += preference > 0
        goes_against += preference < 0
    return np.int64(follows > 0 and goes_against > 0)


@inner_inlined
def _within(value, low, high):
    """Whether a value is in a range of `advice.Range`."""
    return (low <= value <= high) if low <= high else (value >= low or value <= high)


@inner_inlined
def _preference(pieces, piece, quantities):
    """Whether a play with such quantities follows a piece of advice that is written in them."""
    follows = goes_against = True
    for k in range(pieces.spans[piece], pieces.spans[piece + 1]):
        what, value = pieces.terms[k, 0], quantities[pieces.terms[k, 1]]
        if not _within(value, pieces.terms[k, 2], pieces.terms[k, 3]):
            if what == 0:
                return np.int64(0)
            follows = follows and what != 1
            goes_against = goes_against and what != 2
    return np.int64(follows) - np.int64(goes_against)


@inner_inlined
def advise(codes, tables, pieces, policy, sight, count, scratch):
    """Set plays back, or take off their worths, as a policy's advice has it; 1, or `NO_NUMBER`."""
    for piece in range(pieces.owners[policy], pieces.owners[policy + 1]):
        applies = prefer(codes, tables, pieces, piece, sight, count, scratch)
        if applies == NO_NUMBER:
            return np.int64(NO_NUMBER)
        if applies:
            for k in range(count):
                if scratch.preferences[k]:
                    penalty = pieces.penalties[piece, np.int64(scratch.preferences[k] > 0)]
                    if penalty >= STRICT:
                        scratch.setbacks[k] += penalty
                    else:
                        scratch.worths[k] -= penalty
    return np.int64(1)


@inner_inlined
def best_play(scratch, count, behind=NO_SIDE):
    """
    Number of the play of highest worth, the first of equals, among those that are set back least.

    Plays of the preference `behind` come after all others. What sets back is kept apart from worths, for
    those of a person's own policy may be of any size.
    """
    least, best, chosen = np.inf, -np.inf, np.int64(0)
    for k in range(count):
        back = scratch.setbacks[k] + (_SURELY if scratch.preferences[k] == behind else 0.0)
        if back < least or (back == least and scratch.worths[k] > best):
            least, best, chosen = back, scratch.worths[k], np.int64(k)
    return chosen


@inner_inlined
def may_apply(codes, tables, pieces, first, end, place, standing, sight, scratch):
    """Whether any of some pieces of advice may apply, as far as the situation tells without weighing plays."""
    found, captures, hand = scratch.quantities[0], np.int64(0), sight.hand
    measure_situation(codes, place, standing, sight.unseen, scratch, found)
    if sight.floor:
        while hand:
            captures += single_capture(codes.capture, tables, sight.floor, lowest_bit(hand)) != 0
            hand &= hand - 1
    found[CAPTURES] = captures
    for piece in range(first, end):
        holds = True
        for k in range(pieces.spans[piece], pieces.spans[piece + 1]):
            if pieces.terms[k, 0] == 0:
                value = found[pieces.terms[k, 1]]
                low, high = pieces.terms[k, 2], pieces.terms[k, 3]
                if pieces.terms[k, 1] == CAPTURES and low <= high:
                    # Here cards that capture, there plays: none or some is the same.
                    low, high = min(low, 1), high if high == 0 else np.int64(MANY)
                elif pieces.terms[k, 1] == CAPTURES:
                    continue
                holds = holds and _within(value, low, high)
        if holds:
            return True
    return False


@inner_inlined
def heeds(codes, tables, side, policy, place, standing, sight, scratch):
    """Whether a policy's advice may apply."""
    first, end = side.pieces.owners[policy], side.pieces.owners[policy + 1]
    return may_apply(codes, tables, side.pieces, first, end, place, standing, sight, scratch)


@inner_inlined
def heed(codes, tables, side, policy, place, standing, sight, noise, count, scratch):
    """Fill in the quantities of the plays written down and take off their worths what advice has it; as `advise`."""
    measure(codes, tables, place, standing, sight, noise, count, scratch)
    return advise(codes, tables, side.pieces, policy, sight, count, scratch)


@inner_inlined
def weigh(codes, tables, chances, side, policy, place, standing, sight, noise, scratch):
    """
    Write down all plays with their quantities and their worths, advice taken off; return their number.

    A number below 0 tells what went wrong.
    """
    count = list_plays(codes, tables, chances, side, policy, sight, noise, scratch)
    if count < 0:
        return np.int64(count)
    if heed(codes, tables, side, policy, place, standing, sight, noise, count, scratch) < 0:
        return np.int64(NO_NUMBER)
    return np.int64(count)


@inner
def ask(codes, tables, chances, side, query, policy, place, standing, sight, noise, scratch, found):
    """
    Ask what a piece of advice would have a player do, and what its opposite.

    Fills `found` with both plays (card and cards taken of each), then the quantities of the situation, and returns 1;
    0 if the advice does not apply, or leaves the player no better play that follows it, or none that goes against it,
    than those that it says nothing about; below 0 what went wrong.
    """
    if not may_apply(codes, tables, query, 0, 1, place, standing, sight, scratch):
        return np.int64(0)
    count = weigh(codes, tables, chances, side, policy, place, standing, sight, noise, scratch)
    if count < 0:
        return count
    applies = prefer(codes, tables, query, 0, sight, count, scratch)
    if applies <= 0:
        return np.int64(applies)
    follow, against = best_play(scratch, count, -1), best_play(scratch, count, 1)
    if scratch.preferences[follow] < 1 or scratch.preferences[against] > -1:
        return np.int64(0)
    found[0], found[1] = scratch.options[follow, CARD], scratch.options[follow, TAKEN]
    found[2], found[3] = scratch.options[against, CARD], scratch.options[against, TAKEN]
    for k in range(SITUATION_SIZE):
        found[4 + k] = scratch.quantities[0, k]
    return np.int64(1)
