"""
Shuffled packs and chance numbers as pure functions of (seed, index).

Each index has a stream of its own: a `SplittableRandom` (SplitMix64 with a gamma of its own; Steele, Lea and
Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), split off the seed's stream, so that word
*k* of stream *index* is computed at once. The pack is shuffled by Fisher and Yates; several places are drawn from
one word, without bias, as in Brackett-Rozinsky and Lemire, "Batched ranged random integer generation" (2024).
The first words of a stream shuffle and bury; from `FIRST_CHOICE_WORD` on there is one for each play.
"""

from math import prod

import numpy as np

from basra_sim._numba import bit_count, compiled, high_product, inlined
from basra_sim.cards import DECK_SIZE, SHORT_DECK_SIZE, Card

FIRST_CHOICE_WORD = 1 << 20
"""Words of a stream from here on belong to the policies, one a play."""

DECK_ROOM = 512
"""Places of the array a deal needs: the pack, and behind it the cards that are buried at the bottom."""

SEED_LIMIT = 2**63
"""Seeds and indices are 0 or more and below this."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BATCHES = (52, 42, 31, 18)
"""Sizes of the undrawn rest at which a new word begins; the products of the sizes between stay below 2^61."""

_PRODUCTS = tuple(
    np.uint64(prod(range(low + 1, high + 1))) for high, low in zip(_BATCHES[1:], (*_BATCHES[2:], 1), strict=True)
)
_BEFORE = np.array(
    [prod(range(bound + 1, min(b for b in _BATCHES if b >= bound) + 1)) for bound in range(53)], np.uint64
)


@inlined
def _mix(z):
    """SplitMix64's finaliser (variant 13 of Stafford)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def _mix_gamma(z):
    """An odd gamma with enough changes between neighbouring bits."""
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    z = (z ^ (z >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    z = (z ^ (z >> np.uint64(33))) | np.uint64(1)
    if bit_count(np.int64(z ^ (z >> np.uint64(1)))) < 24:
        z ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    return z


@inlined
def stream(seed, index):
    """Start and gamma (both uint64) of the stream of an index."""
    at = _mix(np.uint64(seed)) + (np.uint64(index) << np.uint64(1)) * _GOLDEN
    return _mix(at + _GOLDEN), _mix_gamma(at + _GOLDEN + _GOLDEN)


@inlined
def word(start, gamma, k):
    """Word `k` (uint64) of a stream."""
    return _mix(start + np.uint64(k + 1) * gamma)


@inlined
def _fresh(start, gamma, used, product):
    """A word that gives places without bias for sizes with such a product, and the number of words used then."""
    bits = word(start, gamma, used)
    used += 1
    while bits * product < product and bits * product < (np.uint64(0) - product) % product:
        bits = word(start, gamma, used)
        used += 1
    return bits, used


@inlined
def _swap(deck, place, bound):
    """Exchange the card at a place with the last of the undrawn rest."""
    card = deck[place]
    deck[place] = deck[np.uint64(bound - 1)]
    deck[np.uint64(bound - 1)] = card


@inlined
def shuffle(start, gamma, size, deck):
    """Leave the cards 0 to `size` - 1 shuffled in `deck`, top first; return the number of words used."""
    for card in range(size):
        deck[card] = card
    product = np.uint64(1)
    for bound in range(size, _BATCHES[1], -1):
        product *= np.uint64(bound)
    bits, used = _fresh(start, gamma, 0, product)
    second, used = _fresh(start, gamma, used, _PRODUCTS[0])
    third, used = _fresh(start, gamma, used, _PRODUCTS[1])
    fourth, used = _fresh(start, gamma, used, _PRODUCTS[2])
    for bound in range(size, _BATCHES[1], -1):
        _swap(deck, high_product(bits, np.uint64(bound)), bound)
        bits *= np.uint64(bound)
    for bound in range(_BATCHES[1], _BATCHES[2], -1):
        _swap(deck, high_product(second * _BEFORE[np.uint64(bound)], np.uint64(bound)), bound)
    for bound in range(_BATCHES[2], _BATCHES[3], -1):
        _swap(deck, high_product(third * _BEFORE[np.uint64(bound)], np.uint64(bound)), bound)
    for bound in range(_BATCHES[3], 1, -1):
        _swap(deck, high_product(fourth * _BEFORE[np.uint64(bound)], np.uint64(bound)), bound)
    return used


@inlined
def bounded(bits, bound):
    """Number from 0 to `bound` - 1 from one word, and the word that is left for the next."""
    return np.int64(high_product(bits, np.uint64(bound))), bits * np.uint64(bound)


@inlined
def lay_floor(start, gamma, used, size, top, buried, at_random, deck):
    """
    Turn up the opening floor from a shuffled pack.

    `top` is the place of its first card, behind the first hands; its four cards are left there, left to right. Returns
    the floor as a set, and the top and end of the stock in `deck` afterwards. A card stays on the floor if the stock
    holds none that may lie there.
    """
    end = size
    floor = np.int64(0)
    top += 4
    for place in range(top - 4, top):
        card = np.int64(deck[place])
        while buried >> card & 1:
            other = False
            for k in range(top, end):
                other = other or not buried >> np.int64(deck[k]) & 1
            if not other:
                break
            if at_random:
                depth = end - top - bounded(word(start, gamma, used), end - top + 1)[0]
                used += 1
                if depth == 0:  # put back on top, it comes up again
                    continue
                fresh = np.int64(deck[top])
                for k in range(top, top + depth - 1):
                    deck[k] = deck[k + 1]
                deck[top + depth - 1] = card
            else:
                fresh = np.int64(deck[top])
                deck[end] = card
                top += 1
                end += 1
            card = fresh
        deck[place] = card
        floor |= np.int64(1) << card
    return floor, top, end


@compiled
def open_round(seed, index, size, first_hands, buried, at_random, deck):
    """
    Shuffle the pack of an index into `deck` and turn up the floor behind the cards of the first hands.

    Returns the floor as a set, and the top and end of the stock in `deck`.
    """
    start, gamma = stream(seed, index)
    used = shuffle(start, gamma, size, deck)
    return lay_floor(start, gamma, used, size, first_hands, buried, at_random, deck)


def deck(seed: int, index: int, pack: int = DECK_SIZE) -> list[Card]:
    """
    Shuffled pack of a seed and index, top card first.

    Parameters
    ----------
    seed, index : int
        Each from 0 to ``2**63 - 1``.
    pack : 52 or 44

    Raises
    ------
    ValueError
        If a number is out of its range.
    """
    if pack not in (DECK_SIZE, SHORT_DECK_SIZE):
        raise ValueError(f"pack is {pack}: it must be {DECK_SIZE} or {SHORT_DECK_SIZE}")
    for name, number in (("seed", seed), ("index", index)):
        if not 0 <= number < SEED_LIMIT:
            raise ValueError(f"{name} is {number}: it must be 0 to 2^63 - 1")
    cards = np.zeros(DECK_ROOM, np.uint8)
    open_round(seed, index, pack, 0, 0, 0, cards)
    return [int(card) for card in cards[:pack]]
