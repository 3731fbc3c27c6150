"""
Quantities of a situation and of a play, by name: what pieces of advice are written in.

All are whole numbers, and all are known to the player whose turn it is.
"""

from typing import NamedTuple

import numpy as np

from basra_sim._numba import bit_count, inner_inlined, lowest_bit
from basra_sim.captures import choices, single_capture
from basra_sim.cards import JACK, QUEEN, TEN, TEN_OF_DIAMONDS
from basra_sim.game import card_points


class Quantity(NamedTuple):
    """A number that advice can refer to."""

    name: str
    unit: str
    meaning: str


SITUATION = (
    Quantity("floor_size", "cards", "cards on the floor"),
    Quantity("floor_points", "points", "card points on the floor"),
    Quantity("cards_left", "cards", "cards in hand, the one to be played among them"),
    Quantity("deal", "deals", "number of the deal, from 1"),
    Quantity("deals_left", "deals", "deals still to come in the round"),
    Quantity("last_to_play", "0 or 1", "the player is the last to play in each turn"),
    Quantity("jacks_held", "cards", "jacks in hand"),
    Quantity("captures", "plays", "plays that capture something, each choice for itself"),
    Quantity("own_cards", "cards", "cards that the player's team has captured in the round"),
    Quantity("other_cards", "cards", "cards that the best other team has captured in the round"),
    Quantity("lead", "points", "points of cards and basras so far, less those of the best other team"),
    Quantity("tens_unseen", "cards", "tens that the player has not seen or has forgotten"),
    Quantity("ten_unseen", "0 or 1", "the ten of diamonds is unseen"),
)
"""Quantities of a situation, the same for all plays in it."""

PLAY = (
    Quantity("captures_cards", "cards", "cards that the play captures from the floor; 0 if the card is laid"),
    Quantity("points", "points", "points that the play wins: cards captured, its own card among them, and basra"),
    Quantity("rank", "ranks", "rank of the card: 1 (ace) to 10, 11 jack, 12 queen, 13 king"),
    Quantity("is_jack", "0 or 1", "the card is a jack"),
    Quantity("card_points", "points", "points of the card itself"),
    Quantity("unseen_of_rank", "cards", "cards of the same rank that the player has not seen or has forgotten"),
    Quantity("order", "-1 to 1", "among numerals of several ranks in hand: the lowest (-1), the highest (1)"),
    Quantity("twin", "-1 to 1", "point two and plain two in hand, or 10♦ and plain ten: plain (-1), with points (1)"),
    Quantity("makes_ten", "0 or 1", "the card is laid and makes a sum of ten with others on the floor"),
    Quantity("leaves_lone", "0 or 1", "a capture after which an unseen 10♦ or point two would leave one card alone"),
    Quantity("richer", "-1 to 1", "among captures: the most points but not the most cards (1), or the reverse (-1)"),
    Quantity("coin", "0 or 1", "heads or tails, thrown anew for each card at each turn"),
)
"""Quantities of a play; those of the situation stand before them."""

QUANTITIES = SITUATION + PLAY
PLACES = {quantity.name: place for place, quantity in enumerate(QUANTITIES)}
"""Place of each quantity in a row of them."""

SITUATION_SIZE, QUANTITIES_SIZE = len(SITUATION), len(QUANTITIES)

_JACKS = 15 << 4 * JACK
_TENS = 15 << 4 * TEN
_NUMERALS = (1 << 4 * JACK) - 1
_BELOW_TEN = (1 << 4 * TEN) - 1
(
    _CAPTURES_CARDS, _POINTS, _RANK, _IS_JACK, _CARD_POINTS, _UNSEEN, _ORDER, _TWIN, _TEN, _LONE, _RICHER, _COIN,
) = range(SITUATION_SIZE, QUANTITIES_SIZE)  # fmt: skip
CAPTURES = PLACES["captures"]
"""Place of the number of captures, which takes all plays together."""


@inner_inlined
def measure_situation(codes, place, standing, unseen, scratch, found):
    """Fill a row with the quantities of a situation, but for the number of captures, which is left alone."""
    game, seat = codes.game, place.seat
    team, hand, floor = scratch.seat_team[seat], scratch.hands[seat], standing.floor
    points = np.int64(-(1 << 40))
    other_cards = np.int64(0)
    for each in range(game.teams):
        if each != team:
            other_cards = max(other_cards, bit_count(scratch.piles[each]))
            points = max(points, card_points(codes.points, scratch.piles[each]) + scratch.basras[each])
    found[0], found[1] = bit_count(floor), card_points(codes.points, floor)
    found[2], found[3], found[4] = place.left, place.deal + 1, game.deals - 1 - place.deal
    found[5], found[6] = np.int64(seat == game.players - 1), bit_count(hand & _JACKS)
    found[8], found[9] = bit_count(scratch.piles[team]), other_cards
    found[10] = card_points(codes.points, scratch.piles[team]) + scratch.basras[team] - points
    found[11], found[12] = bit_count(unseen & _TENS), unseen >> TEN_OF_DIAMONDS & 1


@inner_inlined
def measure_play(codes, tables, hand, floor, unseen, noise, card, taken, basra, room, found):
    """Fill the rest of a row with the quantities of a play, but for `richer`, which takes all plays together."""
    rank, own = card >> 2, np.int64(1) << card
    points = card_points(codes.points, own)
    found[_CAPTURES_CARDS] = bit_count(taken)
    found[_POINTS] = card_points(codes.points, taken | own) + basra if taken else 0
    found[_RANK], found[_IS_JACK], found[_CARD_POINTS] = rank + 1, np.int64(rank == JACK), points
    found[_UNSEEN] = bit_count(unseen >> 4 * rank & 15)
    found[_ORDER] = _order(hand, rank)
    found[_TWIN] = _twin(codes, hand, card)
    found[_TEN] = np.int64(taken == 0 and _makes_ten(floor, card))
    found[_LONE] = np.int64(taken != 0 and _leaves_lone(codes, tables, floor ^ taken, unseen, room))
    found[_RICHER] = 0
    found[_COIN] = np.int64(noise >> np.uint64(card)) & 1


@inner_inlined
def _order(hand, rank):
    """Whether a rank is the lowest (-1) or the highest (1) of the numerals of a hand that holds several ranks."""
    numerals = hand & _NUMERALS
    if rank >= JACK or numerals & ~(15 << 4 * rank) == 0:
        return 0
    if numerals & ((1 << 4 * rank) - 1) == 0:
        return -1
    return 1 if numerals >> 4 * (rank + 1) == 0 else 0


@inner_inlined
def _twin(codes, hand, card):
    """Whether a card is the plain one (-1) or the one with points (1) of a pair of twos or tens in hand."""
    rank = card >> 2
    two = codes.points.two_card
    special = two if rank == two >> 2 else np.int64(TEN_OF_DIAMONDS)
    if rank != special >> 2 or (codes.points.two if special == two else codes.points.ten) == 0:
        return 0
    if not hand >> special & 1 or bit_count(hand >> 4 * rank & 15) == 1:
        return 0
    return 1 if card == special else -1


@inner_inlined
def _makes_ten(floor, card):
    """Whether a card that is laid makes a sum of ten together with others on the floor."""
    value = (card >> 2) + 1
    if value > 9:
        return False
    sums, rest = np.int64(1), floor & _BELOW_TEN
    while rest:
        sums |= sums << ((lowest_bit(rest) >> 2) + 1)
        rest &= rest - 1
    return sums >> (10 - value) & 1 == 1


@inner_inlined
def _leaves_lone(codes, tables, left, unseen, room):
    """Whether 10♦ or the point two, if unseen, would take all but one card of a floor."""
    for special in (np.int64(TEN_OF_DIAMONDS), np.int64(codes.points.two_card)):
        if not unseen >> special & 1 or bit_count(left) < 2:
            continue
        taken = single_capture(codes.capture, tables, left, special)
        count = 1
        if taken < 0:
            count = choices(codes.capture, tables, left, special, room)
        for k in range(count):
            rest = left & ~(room[0, k] if taken < 0 else taken)
            if rest and rest & (rest - 1) == 0:
                return True
    return False


@inner_inlined
def compare_captures(found, count):
    """
    Fill `richer` of all plays, and the number of captures of the situation.

    The most points among captures at the price of fewer cards than another has: 1. The most cards at the price of
    points: -1.
    """
    captures = most_points = most_cards = np.int64(0)
    for k in range(count):
        if found[k, _CAPTURES_CARDS]:
            captures += 1
            most_points = max(most_points, found[k, _POINTS])
            most_cards = max(most_cards, found[k, _CAPTURES_CARDS])
    for k in range(count):
        found[k, CAPTURES] = captures
        points, cards = found[k, _POINTS], found[k, _CAPTURES_CARDS]
        if cards and (points == most_points) != (cards == most_cards):
            found[k, _RICHER] = 1 if points == most_points else -1


FACE = QUEEN + 1
"""Rank, as `rank` counts it, from which on a card is a face."""
