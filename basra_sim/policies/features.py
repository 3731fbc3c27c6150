"""
Features of a play, and the policies that are weights over them.

A play is worth the sum of its features, each times its weight; a policy takes the play of the highest worth (the
lower card of two that are equal). The weights of features that hang on the card and on whether it takes something
are added up beforehand, card by card; a whole group of features whose weights are all nought is passed over.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner, inner_inlined, lowest_bit
from basra_sim.captures import CHOICE, basra_points, choices, single_capture
from basra_sim.cards import JACK, TEN
from basra_sim.game import card_points

RISK_ROOM = 6
"""Rows of the room for choices that `risk` writes over."""

LAY, TAKE = 0, 52
"""Where the worths of laying, and of taking with, each card begin in a row of parameters."""

W_POINTS, W_CARDS, W_BASRA = 104, 105, 106
USES_RISK, RISK_LOWERS, W_BASRA_RISK, W_POINTS_RISK, W_CARDS_RISK = 107, 108, 109, 110, 111
PARAMETERS = 112
"""Length of a row of parameters."""

PHASES = 2
"""Rows of parameters of a policy, one for nearly all of a round, one for its last cards."""

LATE_CARDS = 2
"""Cards left of the last hand from which on it is late in a round."""


class Sight(NamedTuple):
    """What a player sees, besides the card he thinks of playing; sets of cards as masks."""

    hand: int
    floor: int
    floor_before: int
    """The floor before the last play."""
    unseen: int
    """Cards in nobody's sight: the others' hands and the stock."""
    next_hand: int
    """How many cards the next player will hold, after a new deal if one comes; 0 at the end of the round."""
    last_card: int
    late: int
    """1 if at most `LATE_CARDS` cards are left of the last hand: the row of parameters that counts."""


@inner
def _expected_best(chance, gains, counts, found):
    """
    Expected largest gain among the cards of a hidden hand.

    `gains` and `counts` hold, for `found` kinds of card, the gain and how many are unseen; `chance[k]` is the chance
    that the hand holds at least one of `k` given unseen cards.
    """
    total, above, chance_above = 0.0, 0, 0.0
    while True:
        best = 0
        for k in range(found):
            best = max(best, gains[k])
        if best == 0:
            return total
        for k in range(found):
            if gains[k] == best:
                above += counts[k]
                gains[k] = 0
        total += best * (chance[np.uint64(above)] - chance_above)
        chance_above = chance[np.uint64(above)]


@inner
def _any_choice(rules, tables, floor, card, room):
    """Cards on the floor of the ranks that some choice of a card takes: which of their suits is up to the player."""
    reach = np.int64(0)
    for k in range(choices(rules, tables, floor, card, room)):
        for rank in range(TEN + 1):
            if room[0, k] >> 4 * rank & 15:
                reach |= floor & (15 << 4 * rank)
    return reach


@inner_inlined
def risk(codes, tables, chances, weights, sight, floor, room):
    """Weighted features of what is left to the next player: the basra, points and cards he can take, as expected."""
    if floor == 0 or sight.next_hand == 0:
        return 0.0
    rules = codes.capture
    chance = chances[np.uint64(sight.next_hand), np.uint64(bit_count(sight.unseen))]
    basras = points = cards = 0
    weighs_cards = weights[W_CARDS_RISK] != 0
    on_floor = card_points(codes.points, floor)
    index, place, weight, low = 0, 0, 1, 0
    for rank in range(13):
        unseen = sight.unseen >> 4 * rank & 15
        four = floor >> 4 * rank & 15
        reach, whole = four << 4 * rank, True
        if rank == JACK or floor == rules.lone_seven:
            reach = floor
        elif rank <= TEN:
            if low & (low - 1) and unseen:
                entry = np.int64(tables.ranks[np.uint64(place + index)])
                if rules.most_cards and entry & CHOICE:
                    reach = _any_choice(rules, tables, floor, 4 * rank, room[RISK_ROOM:])
                else:
                    reach |= low & tables.spread[np.uint64(entry & 511)]
                whole = entry < 512
            if rules.sum_cards:
                low |= four << 4 * rank
                index += weight * bit_count(four)
            place += weight if rank else 0
            weight *= 5
        if rules.sweeper >> 2 == rank and unseen & 2:
            unseen ^= 2
            gain = basra_points(rules, tables, floor, rules.sweeper, floor, sight.floor, 0)
            room[0, basras], room[1, basras] = gain, 1
            basras += gain > 0
            room[2, points], room[3, points] = on_floor, 1
            points += on_floor > 0
            if weighs_cards:
                room[4, cards], room[5, cards] = bit_count(floor), 1
                cards += 1
        if unseen and reach:
            if reach == floor and whole:
                gain = basra_points(rules, tables, floor, 4 * rank, floor, sight.floor, 0)
                room[0, basras], room[1, basras] = gain, bit_count(unseen)
                basras += gain > 0
            if on_floor:
                room[2, points], room[3, points] = card_points(codes.points, reach), bit_count(unseen)
                points += 1
            if weighs_cards:
                room[4, cards], room[5, cards] = bit_count(reach), bit_count(unseen)
                cards += 1
    worth = 0.0
    if basras:
        worth += weights[W_BASRA_RISK] * _expected_best(chance, room[0], room[1], basras)
    if points:
        worth += weights[W_POINTS_RISK] * _expected_best(chance, room[2], room[3], points)
    if cards:
        worth += weights[W_CARDS_RISK] * _expected_best(chance, room[4], room[5], cards)
    return worth


@inner_inlined
def _gain(codes, tables, weights, sight, card, taken, points, cards, basra):
    """Weighted features of what a capture takes; the last three arguments are weights of them."""
    value = weights[np.uint64(TAKE + card)] + points * card_points(codes.points, taken) + cards * bit_count(taken)
    if taken == sight.floor:
        rules = codes.capture
        value += basra * basra_points(rules, tables, taken, card, taken, sight.floor_before, sight.last_card)
    return value


@inner_inlined
def choose(codes, tables, chances, weights, sight, room):
    """
    Card and set taken (0: it is laid) of the play of highest worth; -1 for the card if the choices overflow.

    What a play risks is looked at last, and not at all where it can only lower what is not the highest as it is.
    """
    points, cards, basra = weights[W_POINTS], weights[W_CARDS], weights[W_BASRA]
    uses_risk, risk_lowers = weights[USES_RISK] != 0, weights[RISK_LOWERS] != 0
    best, best_card, best_taken = -np.inf, np.int64(-1), np.int64(0)
    rest = sight.hand
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        taken = np.int64(0)
        count = 1
        if sight.floor:
            taken = single_capture(codes.capture, tables, sight.floor, card)
            if taken < 0:
                count = choices(codes.capture, tables, sight.floor, card, room)
                if count < 0:
                    return np.int64(-1), np.int64(0)
                taken = room[0, 0]
        for k in range(count):
            if k:
                taken = room[0, k]
            if taken:
                value = _gain(codes, tables, weights, sight, card, taken, points, cards, basra)
            else:
                value = weights[np.uint64(LAY + card)]
            if uses_risk and not (risk_lowers and value <= best):
                left = sight.floor ^ taken if taken else sight.floor | np.int64(1) << card
                value += risk(codes, tables, chances, weights, sight, left, room[4:])
            if value > best:
                best, best_card, best_taken = value, card, taken
    return best_card, best_taken


@inner
def worth(codes, tables, chances, weights, sight, card, taken, room):
    """Worth of one play, all its features weighted; `room` is written over from its fifth row on."""
    if taken:
        points, cards, basra = weights[W_POINTS], weights[W_CARDS], weights[W_BASRA]
        value = _gain(codes, tables, weights, sight, card, taken, points, cards, basra)
    else:
        value = weights[np.uint64(LAY + card)]
    if weights[USES_RISK] != 0:
        left = sight.floor ^ taken if taken else sight.floor | np.int64(1) << card
        value += risk(codes, tables, chances, weights, sight, left, room[4:])
    return value


def chances() -> npt.NDArray[np.float64]:
    """
    Chance that a hidden hand holds at least one of some cards: by its size, the unseen cards, and how many are meant.

    Returns
    -------
    (25, 53, 53) float64
        1 - C(unseen - meant, hand) / C(unseen, hand), by the hypergeometric distribution.
    """
    unseen, meant = np.arange(53.0)[:, None], np.arange(53.0)[None, :]
    none = np.ones((25, 53, 53))
    for hand in range(1, 25):
        step = np.clip((unseen - meant - hand + 1) / np.maximum(unseen - hand + 1, 1), 0, 1)
        none[hand] = none[hand - 1] * step
    return 1 - none
