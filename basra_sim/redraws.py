"""The legal plays of a decision, and what is hidden from the player handed out anew: compiled."""

import numpy as np

from basra_sim._numba import bit_count, inner, inner_inlined, lowest_bit
from basra_sim.captures import choices
from basra_sim.deals import bounded, word
from basra_sim.policies.weighing import CARD, OPTION_ROOM, TAKEN
from basra_sim.turns import TOO_MANY_CHOICES

FIRST_REDRAW_WORD = 1 << 21
"""Words of a deal's stream from here on hand out anew what is hidden."""


@inner
def list_choices(codes, tables, scratch, floor, hand, plays):
    """Write down every legal play of a hand; return their number, or a status."""
    count = 0
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        found = choices(codes.capture, tables, floor, card, scratch.room)
        if found < 0 or count + found > OPTION_ROOM:
            return np.int64(TOO_MANY_CHOICES)
        for k in range(found):
            plays[count + k, CARD], plays[count + k, TAKEN] = card, scratch.room[0, k]
        count += found
    return np.int64(count)


@inner
def gather_hidden(game, scratch, seat, top, next_place, hidden):
    """
    Write down the cards that a seat cannot know the place of: of the other hands first, then of the stock.

    Returns how many they are, how many of them are in hands, how many of the other hands hold some, and the cards
    known to be at the bottom of the stock (a mask).
    """
    end = top + game.pack - game.players * game.hand_size - 4
    buried = np.int64(0)
    for k in range(game.pack, end):
        buried |= np.int64(1) << np.int64(scratch.deck[k])
    count = hands = 0
    for each in range(game.players):
        rest = scratch.hands[each] & ~buried if each != seat else np.int64(0)
        hands += rest != 0
        while rest:
            hidden[count] = lowest_bit(rest)
            rest &= rest - 1
            count += 1
    in_hands = count
    for k in range(next_place, min(end, game.pack)):
        hidden[count] = scratch.deck[k]
        count += 1
    return count, in_hands, hands, buried


@inner_inlined
def mix_hidden(start, gamma, used, count, hidden):
    """Shuffle hidden cards by Fisher and Yates, with a word for each; return how many words are used by now."""
    for left in range(count, 1, -1):
        place, _ = bounded(word(start, gamma, FIRST_REDRAW_WORD + used), np.uint64(left))
        used += 1
        hidden[left - 1], hidden[place] = hidden[place], hidden[left - 1]
    return used


@inner_inlined
def redraw(game, scratch, desk, seat, buried, shift, cards, next_place):
    """Hand the hidden cards out anew, in their order from a place on: to the other hands first, then to the stock."""
    at = shift
    for each in range(game.players):
        hand = scratch.hands[each]
        if each != seat:
            drawn = bit_count(hand & ~buried)
            hand &= buried
            for _ in range(drawn):
                hand |= np.int64(1) << desk.hidden[at]
                at += 1
        desk.hands[each] = hand
    for k in range(cards - at):
        scratch.deck[next_place + k] = desk.hidden[at + k]
    for k in range(shift):
        scratch.deck[next_place + cards - at + k] = desk.hidden[k]
