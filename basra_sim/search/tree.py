"""
The tree of all that may be played with open hands: one way down it at a time, made and taken back in place.

Points are reckoned from where a position stands to the end of the round, so positions that come up again by other ways
are worth the same: they are kept in a table by hands, floor, number of cards captured and team that captured last.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner, inner_inlined, lowest_bit
from basra_sim.captures import basra_points, choices, single_capture
from basra_sim.cards import TEN_OF_DIAMONDS
from basra_sim.game import card_points
from basra_sim.policies.weighing import OPTION_ROOM
from basra_sim.prospects import finish
from basra_sim.search.roll_outs import roll_out
from basra_sim.turns import (
    ACES,
    BASRAS,
    COLUMNS,
    NO_CAPTOR,
    OK,
    TOO_MANY_CHOICES,
    Standing,
    deal_hands,
    deal_place,
    end_of_deal,
    majority_won,
    score_round,
)

PLIES = 64
"""Plays that a line may have, and some to spare."""

DEALS = 24
"""The most deals that a round has."""

FLOOR, BEFORE, LAST, SEAT, DEAL, LEFT, NEXT, END, ALPHA, BETA, BEST, LOWER, KEY, OTHER_KEY, POINTS = range(15)
FRAME = POINTS + 4
"""
What is kept of a position on the way: its floor and the one before, the seat that captured last, seat and deal, plays
left, the place of its next play and the end of its plays, the window, the best value and the lower end of the window as
they were, the key, and the points to come of each team.
"""

CARD, TAKEN, GAIN = range(3)
"""What is kept of a play: card, set taken, points that it makes at once."""

STAMP, NODES, LIMIT, CARRY, TO_THE_END, APART, TOP, STOP = range(8)
"""
Facts of a search: its number, plays made so far and allowed, majority points carried in, whether it goes to the end
of the round, cards that differ from others of their rank, place of the stock in the pack, the play it ends before.
"""

KIND, VALUES = 3, 4
_SLOT = VALUES + 4
"""Numbers in a slot of the table: two of the key, number of the search, kind of bound, value or values."""

UNSORTED, BY_GAIN, BY_SET = range(3)
"""Orders of plays."""

EXACT, AT_LEAST, AT_MOST = range(3)

TOO_LONG = -7
"""What a search reports that would need more plays than allowed."""

INFINITE = 1 << 40
"""More points than there can be."""

_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xFF51AFD7ED558CCD))


class Tree(NamedTuple):
    """Arrays that a search works in, made once."""

    frames: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    """Plays of all positions on the way, behind one another; first those of the position asked about."""
    slots: npt.NDArray[np.int64]
    dealt: npt.NDArray[np.int64]
    """Hands of the deals to come, (deals, seats)."""
    ends: npt.NDArray[np.int64]
    """Points to come of each team where a line ends; with two teams the margin of the one on turn stands first."""
    kept: npt.NDArray[np.int64]
    facts: npt.NDArray[np.int64]
    margins: npt.NDArray[np.float64]
    """Margin at the end of the round of each play of the position asked about, in points."""
    row: npt.NDArray[np.int32]


def make_tree(slots: int = 1 << 14, limit: int = 1 << 40) -> Tree:
    """
    Arrays for one thread to search in.

    Parameters
    ----------
    slots : positions that are remembered, a power of two
    limit : plays that a search may make
    """
    facts = np.zeros(8, np.int64)
    facts[LIMIT] = limit
    return Tree(
        frames=np.zeros((PLIES, FRAME), np.int64),
        moves=np.zeros((2 * OPTION_ROOM, 3), np.int64),
        slots=np.zeros((slots, _SLOT), np.int64),
        dealt=np.zeros((DEALS, 4), np.int64),
        ends=np.zeros(4, np.int64),
        kept=np.zeros((3, 4), np.int64),
        facts=facts,
        margins=np.zeros(OPTION_ROOM),
        row=np.zeros((4, len(COLUMNS)), np.int32),
    )


@inner
def set_apart(codes):
    """Cards that differ from others of their rank; with three or four teams all of such ranks, as ties go by order."""
    points, rules = codes.points, codes.capture
    apart = np.int64(rules.special)
    if points.two:
        apart |= np.int64(1) << points.two_card
    if points.ten:
        apart |= np.int64(1) << TEN_OF_DIAMONDS
    if codes.game.teams > 2:
        for rank in range(13):
            if apart >> 4 * rank & 15:
                apart |= np.int64(15) << 4 * rank
    return apart


@inner_inlined
def _has_like(hand, card, apart):
    """Whether a hand holds a lower card that is as good as one of its cards."""
    lower = hand & (np.int64(15) << (card & ~3)) & ((np.int64(1) << card) - 1)
    return lower & ~apart and not apart >> card & 1


@inner_inlined
def _comes_first(other, card, taken, gain, sorts):
    """Whether a play comes before another: by more points made at once, or by a lower set that the same card takes."""
    if sorts == BY_GAIN:
        return other[GAIN] < gain
    return other[CARD] == card and other[TAKEN] > taken


@inner
def list_moves(codes, tables, scratch, tree, frame, first, apart, sorts):
    """
    Write down the plays of a position from a place on; return their end, or a status.

    Of cards that are as good as one another the lowest stands for all, unless all cards are `apart`. Plays are in the
    order of the cards, and choices of a card as they are found, or sorted in one of the ways of `_comes_first`.
    """
    moves, room = tree.moves, scratch.room
    floor, hand = frame[FLOOR], scratch.hands[frame[SEAT]]
    last_card = np.int64(frame[LEFT] == 1 and tree.facts[TO_THE_END] == 1)
    end, rest = first, hand
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        if _has_like(hand, card, apart):
            continue
        taken, count = single_capture(codes.capture, tables, floor, card), 1
        if taken < 0:
            count = choices(codes.capture, tables, floor, card, room)
            if count < 0:
                return np.int64(TOO_MANY_CHOICES)
        if end + count > moves.shape[0]:
            return np.int64(TOO_MANY_CHOICES)
        for k in range(count):
            if taken < 0 or k:
                taken = room[0, k]
            gain = np.int64(0)
            if taken:
                gain = card_points(codes.points, taken | np.int64(1) << card)
                if taken == floor:
                    gain += basra_points(codes.capture, tables, floor, card, taken, frame[BEFORE], last_card)
            place = end
            if sorts != UNSORTED:
                while place > first and _comes_first(moves[place - 1], card, taken, gain, sorts):
                    for column in range(3):
                        moves[place, column] = moves[place - 1, column]
                    place -= 1
            moves[place, CARD], moves[place, TAKEN], moves[place, GAIN] = card, taken, gain
            end += 1
    return np.int64(end)


@inner_inlined
def make_move(codes, scratch, tree, frame, child):
    """Make the next play of a position; fill in what lies open after it."""
    move = tree.moves[np.uint64(frame[NEXT])]
    bit, seat, floor = np.int64(1) << move[CARD], frame[SEAT], frame[FLOOR]
    scratch.hands[seat] ^= bit
    taken = move[TAKEN]
    child[LAST] = frame[LAST]
    if taken:
        scratch.piles[scratch.seat_team[seat]] |= taken | bit
        child[FLOOR] = floor ^ taken
        child[LAST] = seat
    else:
        child[FLOOR] = floor | bit
    child[BEFORE] = floor
    child[LEFT] = frame[LEFT] - 1
    child[DEAL] = frame[DEAL]
    child[SEAT] = seat + 1
    if seat + 1 == codes.game.players:
        child[SEAT] = 0
        if scratch.hands[seat] == 0 and child[LEFT]:
            child[DEAL] += 1
            for each in range(codes.game.players):
                scratch.hands[each] = tree.dealt[child[DEAL], each]


@inner_inlined
def take_back(codes, scratch, tree, frame, child):
    """Take back the next play of a position that `make_move` has made."""
    move = tree.moves[np.uint64(frame[NEXT])]
    bit, seat = np.int64(1) << move[CARD], frame[SEAT]
    if child[DEAL] != frame[DEAL]:
        for each in range(codes.game.players):
            scratch.hands[each] = 0
    scratch.hands[seat] ^= bit
    if move[TAKEN]:
        scratch.piles[scratch.seat_team[seat]] ^= move[TAKEN] | bit


@inner_inlined
def find_slot(codes, scratch, tree, frame):
    """Fill in the key of a position; return the place of its slot in the table."""
    hands = scratch.hands[0] | scratch.hands[1] | scratch.hands[2] | scratch.hands[3]
    floor, before, piles = frame[FLOOR], frame[BEFORE], scratch.piles
    captor = np.int64(0)
    if frame[LAST] >= 0:
        captor = scratch.seat_team[frame[LAST]] + 1
    other = floor | captor << 58
    if codes.game.teams > 2:
        other |= bit_count(piles[2]) << 52
    if codes.capture.basra_when == 2 and bit_count(floor) == 2 and bit_count(before) == 1 and floor & before:
        other |= np.int64(1) << 61
    frame[KEY] = hands | bit_count(piles[0]) << 52 | bit_count(piles[1]) << 58
    frame[OTHER_KEY] = other
    mixed = np.uint64(frame[KEY]) * _MIX[0] + np.uint64(other) * _MIX[1]
    mixed = (mixed ^ mixed >> np.uint64(32)) * _MIX[2]
    return (mixed >> np.uint64(32)) & np.uint64(tree.slots.shape[0] - 1)


@inner_inlined
def is_of(tree, slot, frame):
    """Whether a slot holds a position, found in this search."""
    return slot[0] == frame[KEY] and slot[1] == frame[OTHER_KEY] and slot[2] == tree.facts[STAMP]


@inner_inlined
def occupy(tree, slot, frame, kind):
    """Give a slot to a position."""
    slot[0], slot[1], slot[2] = frame[KEY], frame[OTHER_KEY], tree.facts[STAMP]
    slot[KIND] = kind


@inner_inlined
def count_out(codes, scratch, tree, frame):
    """Fill in the points that each team still gets when the round is over: what lies on the floor, and most cards."""
    game, ends, piles = codes.game, tree.ends, scratch.piles
    captor = scratch.seat_team[frame[LAST]] if frame[LAST] >= 0 else np.int64(-1)
    most, tied = np.int64(0), 0
    for team in range(game.teams):
        cards = bit_count(piles[team] | (frame[FLOOR] if team == captor else 0))
        tied = 1 if cards > most else tied + (cards == most)
        most = max(most, cards)
        ends[team] = cards
    for team in range(game.teams):
        ends[team] = majority_won(game, ends[team], most, tied, tree.facts[CARRY])
        if team == captor:
            ends[team] += card_points(codes.points, frame[FLOOR])


@inner
def play_out(codes, tables, scratch, tree, beyond, frame):
    """Fill in the points that each team still gets when all play on by weights to the end; return a status."""
    game, kept, piles, facts = codes.game, tree.kept, scratch.piles, tree.facts
    gone = ~((np.int64(1) << game.pack) - 1)
    for team in range(game.teams):
        kept[0, team], kept[1, team], kept[2, team] = piles[team], scratch.basras[team], scratch.dealt[team]
        gone |= piles[team]
    standing = Standing(frame[FLOOR], frame[BEFORE], gone, frame[LAST])
    status, standing = roll_out(
        codes, tables, beyond, scratch, tree.row, standing, facts[STOP], end_of_deal(game, game.deals - 1), facts[TOP]
    )
    if status == OK:
        status = finish(scratch, standing)
    score_round(codes, scratch, facts[CARRY], tree.row)
    for team in range(game.teams):
        points = np.int64(0)
        for column in range(ACES, BASRAS + 1):
            points += tree.row[team, column]
        tree.ends[team] = points - card_points(codes.points, kept[0, team]) - kept[1, team]
        piles[team], scratch.basras[team], scratch.dealt[team] = kept[0, team], kept[1, team], kept[2, team]
    return status


@inner_inlined
def value_end(codes, tables, scratch, tree, beyond, frame):
    """Fill in the points to come of each team where a line ends; return a status."""
    if tree.facts[TO_THE_END]:
        if frame[LAST] < 0:
            return np.int64(NO_CAPTOR)
        count_out(codes, scratch, tree, frame)
        return np.int64(OK)
    return play_out(codes, tables, scratch, tree, beyond, frame)


@inner
def prepare(codes, scratch, tree, plays_left, deal, seat, standing):
    """Set up the first position, and the hands of the deals that the search comes to."""
    game, frame, kept = codes.game, tree.frames[0], tree.kept
    frame[FLOOR], frame[BEFORE], frame[LAST] = standing.floor, standing.floor_before, standing.last
    frame[SEAT], frame[DEAL], frame[LEFT], frame[NEXT] = seat, deal, plays_left, 0
    tree.facts[NODES] = 0
    if tree.facts[STOP] > end_of_deal(game, deal):
        for each in range(4):
            kept[0, each], kept[1, each] = scratch.hands[each], scratch.dealt[each]
        for later in range(deal + 1, game.deals):
            size = game.last_hand if later == game.deals - 1 else game.hand_size
            deal_hands(game, scratch, deal_place(game, tree.facts[TOP], later), size)
            for each in range(4):
                tree.dealt[later, each] = scratch.hands[each]
        for each in range(4):
            scratch.hands[each], scratch.dealt[each] = kept[0, each], kept[1, each]
