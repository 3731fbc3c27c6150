"""What a player sees when it is his turn, and how he comes to a play: compiled, called by the kernel."""

import numpy as np

from basra_sim._numba import bit_count, call_address, high_product, inner, inner_inlined, lowest_bit
from basra_sim.captures import choices, single_capture
from basra_sim.deals import word
from basra_sim.policies.custom import fill_view
from basra_sim.policies.features import LATE_CARDS, Sight, choose
from basra_sim.policies.memory import ALL, MEMORY, recalled
from basra_sim.policies.weighing import (
    ADVISED,
    NO_NUMBER,
    RANDOM,
    SEARCHING,
    TOO_MANY,
    WEIGHTED,
    ask,
    best_play,
    heed,
    heeds,
    list_plays,
)

_ALL = np.int64((1 << 52) - 1)

SLIP_WORDS = 64
"""How far behind the words of the plays those stand that decide over slips."""


@inner_inlined
def pick_randomly(capture, tables, floor, hand, noise, room):
    """Card and set taken, uniform over the cards of a hand, then over the choices of the card."""
    count = np.uint64(bit_count(hand))
    skip = high_product(noise, count)
    noise *= count
    while skip > 3:
        hand &= hand - 1
        skip -= np.uint64(1)
    one = hand & (hand - 1)
    two = one & (one - 1)
    three = two & (two - 1)
    low_half = one if skip & np.uint64(1) else hand
    high_half = three if skip & np.uint64(1) else two
    card = lowest_bit(high_half if skip & np.uint64(2) else low_half)
    taken = single_capture(capture, tables, floor, card)
    if taken < 0:
        found = choices(capture, tables, floor, card, room)
        if found < 0:
            return np.int64(TOO_MANY), np.int64(0)
        taken = room[0, np.uint64(high_product(noise, np.uint64(found)))]
    return card, taken


@inner_inlined
def slips(side, policy, stream_at):
    """Whether a player makes any legal play this time, in place of the one he would choose."""
    start, gamma, number = stream_at
    return side.slips[policy] > 0 and word(start, gamma, number + SLIP_WORDS) < side.slips[policy]


@inner_inlined
def known_gone(codes, side, policy, place, standing, plays, scratch):
    """Cards that a player knows to be neither in a hand nor in the stock nor on the floor."""
    if side.memories[policy, MEMORY] == ALL:
        return standing.gone
    outside = ~((np.int64(1) << codes.game.pack) - 1)
    in_sight = scratch.hands[place.seat] | standing.floor | outside
    return recalled(side.memories[policy], scratch.seen, plays, standing.gone & ~outside, in_sight) | outside


@inner_inlined
def look(game, place, standing, known, scratch):
    """What a player sees who knows that some cards are gone."""
    hand = scratch.hands[place.seat]
    unseen = _ALL & ~(hand | standing.floor | known)
    late = np.int64(place.deal == game.deals - 1 and place.left <= LATE_CARDS)
    return Sight(hand, standing.floor, standing.floor_before, unseen, place.next_hand, place.last_card, late)


@inner_inlined
def decide(codes, tables, chances, side, place, standing, carry, stream_at, plays, scratch, heedful):
    """
    Card and set taken by whoever's turn it is; a negative card is a status.

    `heedful` is None where no player follows advice or a function of a person's own: then their part is not compiled.
    """
    policy = np.uint64(scratch.seat_policy[place.seat])
    kind = side.kinds[policy]
    if kind == RANDOM or slips(side, policy, stream_at):
        hand = scratch.hands[place.seat]
        return pick_randomly(codes.capture, tables, standing.floor, hand, word(*stream_at), scratch.room)
    known = known_gone(codes, side, policy, place, standing, plays, scratch)
    sight = look(codes.game, place, standing, known, scratch)
    if heedful is None:
        return choose(codes, tables, chances, side.weights[policy, sight.late], sight, scratch.room)
    if kind == WEIGHTED or (
        kind == WEIGHTED + ADVISED and not heeds(codes, tables, side, policy, place, standing, sight, scratch)
    ):
        return choose(codes, tables, chances, side.weights[policy, sight.late], sight, scratch.room)
    return deliberate(
        codes, tables, chances, side, policy, place, standing, known, carry, stream_at, plays, scratch
    )  # fmt: skip


@inner_inlined
def deliberate(codes, tables, chances, side, policy, place, standing, known, carry, stream_at, plays, scratch):
    """As `decide`, for players who weigh their plays one by one: by a function, with advice, or by search."""
    sight, noise, kind = look(codes.game, place, standing, known, scratch), word(*stream_at), side.kinds[policy]
    fill_view(codes, side.memories[policy], place, standing, known, sight.unseen, carry, noise, scratch)
    count = list_plays(codes, tables, chances, side, policy, sight, noise, scratch)
    if count < 0:
        return np.int64(count), np.int64(0)
    if kind & 3 == SEARCHING and count > 1:
        status = search(codes, tables, chances, side, policy, place, standing, carry, stream_at, plays, count, scratch)
        if status < 0:
            return status, np.int64(0)
    if kind & ADVISED and heed(codes, tables, side, policy, place, standing, sight, noise, count, scratch) < 0:
        return np.int64(NO_NUMBER), np.int64(0)
    best = best_play(scratch, count)
    return scratch.options[best, 0], scratch.options[best, 1]


@inner
def search(codes, tables, chances, side, policy, place, standing, carry, stream_at, plays, count, scratch):
    """Put what search finds in the place of the worths of the plays written down; return a status."""
    start, gamma, _ = stream_at
    facts = (
        np.int64(policy), np.int64(place.seat), np.int64(place.deal), np.int64(standing.floor),
        np.int64(standing.floor_before), np.int64(standing.gone), np.int64(standing.last), np.int64(carry),
        np.int64(plays), np.int64(best_play(scratch, count)), np.int64(count),
    )  # fmt: skip
    return call_address(
        side.search.address,
        (side.search, codes, tables, chances, side.weights, facts, (np.uint64(start), np.uint64(gamma)), scratch),
    )


@inner
def inquire(codes, tables, chances, side, query, place, standing, carry, noise, plays, scratch, found):
    """Ask what advice would have a player do; fill `found`, of `kernel.ASKED` numbers; return as `weighing.ask`."""
    policy = np.uint64(scratch.seat_policy[place.seat])
    known = known_gone(codes, side, policy, place, standing, plays, scratch)
    sight = look(codes.game, place, standing, known, scratch)
    fill_view(codes, side.memories[policy], place, standing, known, sight.unseen, carry, noise, scratch)
    found[0], found[1], found[2] = plays, place.seat, scratch.seat_team[place.seat]
    return ask(codes, tables, chances, side, query, policy, place, standing, sight, noise, scratch, found[3:])
