"""
Ways in which the hidden cards may lie, drawn as likely as a player should think them: compiled.

All ways are alike but for what the others have played in this deal: a way in which one of them would have played
otherwise, as far as the player can tell, is kept with the chance that he doubts of others' plays alone.
"""

import numpy as np

from basra_sim._numba import bit_count, inner, inner_inlined, lowest_bit
from basra_sim.deals import bounded, word
from basra_sim.policies.features import LATE_CARDS, Sight, choose
from basra_sim.turns import end_of_deal, stand

FIRST_SEARCH_WORD = 1 << 40
"""Words of a deal's stream from here on belong to searches, `WORDS_A_SEARCH` to each play of the round."""

WORDS_A_SEARCH = 1 << 32

TRIES = 64
"""Ways that are drawn for one that is kept, at most."""

_ALL = np.int64((1 << 52) - 1)


@inner_inlined
def keep_table(scratch, found, top, end):
    """Keep what a search changes: hands, piles, basras, what was dealt, and the stock."""
    for each in range(4):
        found.hands[1, each], found.piles[each] = scratch.hands[each], scratch.piles[each]
        found.basras[each], found.dealt[each] = scratch.basras[each], scratch.dealt[each]
    for k in range(top, end):
        found.deck[k] = scratch.deck[k]


@inner_inlined
def restore_table(scratch, found, top, end):
    """Put back what `keep_table` kept."""
    for each in range(4):
        scratch.hands[each], scratch.piles[each] = found.hands[1, each], found.piles[each]
        scratch.basras[each], scratch.dealt[each] = found.basras[each], found.dealt[each]
    for k in range(top, end):
        scratch.deck[k] = found.deck[k]


@inner_inlined
def stock_end(game, top):
    """Place in the pack behind the last card of the stock; those from `game.pack` on were buried."""
    return top + game.pack - game.players * game.hand_size - 4


@inner
def find_hidden(game, scratch, found, seat, top, next_place):
    """
    Write down the cards whose place a seat cannot know, in order of the cards; all others stay where they are.

    Returns how many they are, how many of them are in hands, how many other hands hold some, and the cards that are
    known to have been at the bottom of the stock (a mask).
    """
    end = stock_end(game, top)
    buried = hidden = np.int64(0)
    for k in range(game.pack, end):
        buried |= np.int64(1) << np.int64(scratch.deck[k])
    in_hands = holders = 0
    for each in range(game.players):
        if each != seat:
            rest = scratch.hands[each] & ~buried
            hidden |= rest
            in_hands += bit_count(rest)
            holders += rest != 0
    for k in range(next_place, min(end, game.pack)):
        hidden |= np.int64(1) << np.int64(scratch.deck[k])
    count = 0
    while hidden:
        found.hidden[count] = lowest_bit(hidden)
        hidden &= hidden - 1
        count += 1
    return count, in_hands, holders, buried


@inner_inlined
def mix_hidden(found, cards, needed, source, at):
    """Bring as many of the hidden cards as are needed into an order drawn at random; return the words used."""
    start, gamma, first = source
    bits = np.uint64(0)
    for k in range(needed):
        if k & 3 == 0:
            bits = word(start, gamma, first + at)
            at += 1
        place, bits = bounded(bits, np.uint64(cards - k))
        found.hidden[k], found.hidden[k + place] = found.hidden[k + place], found.hidden[k]
    return at


@inner_inlined
def hand_out(game, found, seat, buried):
    """Hand out hidden cards in their order: to each hand of `found` but the player's as many as it has hidden ones."""
    drawn = 0
    for each in range(game.players):
        hand = found.hands[1, each]
        if each != seat:
            number = bit_count(hand & ~buried)
            hand &= buried
            for k in range(drawn, drawn + number):
                hand |= np.int64(1) << found.hidden[k]
            drawn += number
        found.hands[0, each] = hand


@inner_inlined
def stack(scratch, found, hidden, next_place):
    """Lay the hidden cards that are in no hand into the stock, in their order."""
    cards, in_hands, _, _ = hidden
    for k in range(in_hands, cards):
        scratch.deck[next_place + k - in_hands] = found.hidden[k]


@inner
def look_back(game, standing, before, plays, scratch, found):
    """Write down what has been played in this deal; return the number of its first play."""
    first = plays - before
    for k in range(before - 1, -1, -1):
        play = first + k
        after = standing.gone | standing.floor if k == before - 1 else scratch.seen[play + 1]
        floor = standing.floor if k == before - 1 else scratch.floors[play + 1]
        card = after & ~scratch.seen[play]
        later = found.shown[k + game.players, 1] if k + game.players < before else np.int64(0)
        found.shown[k, 0], found.shown[k, 1] = lowest_bit(card), later | card
        found.shown[k, 2] = scratch.floors[play] & ~floor
    return first


@inner
def surprises(codes, tables, chances, seat, deal, first, before, scratch, found, most):
    """How many plays of the others in this deal a way of the cards makes unexpected, counted up to `most`."""
    game, count = codes.game, 0
    size = end_of_deal(game, deal) - first
    for k in range(before):
        each = k % game.players
        left = size // game.players - k // game.players
        if each == seat or left == 1:
            continue
        play = first + k
        floor, seen = scratch.floors[play], scratch.seen[play]
        hand = found.hands[0, each] | found.shown[k, 1]
        place = stand(game, deal, left, each)
        floor_before = scratch.floors[play - 1] if play else np.int64(0)
        late = np.int64(deal == game.deals - 1 and left <= LATE_CARDS)
        sight = Sight(hand, floor, floor_before, _ALL & ~(hand | seen), place.next_hand, place.last_card, late)
        card, taken = choose(codes, tables, chances, found.rows[each, late], sight, scratch.room)
        if card != found.shown[k, 0] or taken != found.shown[k, 2]:
            count += 1
            if count == most:
                return count
    return count


@inner_inlined
def unit(bits):
    """A word as a number from 0 to 1."""
    return np.float64(np.int64(bits >> np.uint64(11))) * 2.0**-53


@inner
def draw_likely(codes, tables, chances, seat, past, hidden, next_place, needed, doubt, source, at, scratch, found):
    """
    Draw a way of the hidden cards, as likely as the player should think it; return the words used.

    A way is kept with a chance of `doubt` for each unexpected play. Of many that are not, one is drawn by these
    chances. The stock is drawn too if all cards are `needed`. `past` is the deal, the number of its first play, and how
    many have been made in it.
    """
    (deal, first, before), (start, gamma, word_at), (cards, _, _, buried) = past, source, hidden
    whole, likely = 0.0, False
    for _ in range(TRIES if doubt < 1.0 else 0):
        at = mix_hidden(found, cards, needed, source, at)
        hand_out(codes.game, found, seat, buried)
        count = surprises(codes, tables, chances, seat, deal, first, before, scratch, found, 3)
        weight = 1.0
        for _ in range(count):
            weight *= doubt
        likely = count == 0 or unit(word(start, gamma, word_at + at)) < weight
        if likely:
            at += 1
            break
        whole += weight
        if unit(word(start, gamma, word_at + at + 1)) * whole <= weight:
            for k in range(cards):
                found.kept[k] = found.hidden[k]
        at += 2
    if doubt >= 1.0:
        at = mix_hidden(found, cards, needed, source, at)
        hand_out(codes.game, found, seat, buried)
    elif not likely:
        for k in range(cards):
            found.hidden[k] = found.kept[k]
        hand_out(codes.game, found, seat, buried)
    if needed == cards:
        stack(scratch, found, hidden, next_place)
    return at
