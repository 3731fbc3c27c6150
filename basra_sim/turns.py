"""
The table in the middle of a round, and what changes there by a deal, a play and the counting: compiled.

Whoever decides, and how, is told to none of it.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner_inlined
from basra_sim.captures import CHOICE_ROOM, basra_points
from basra_sim.cards import ACE, JACK, TEN_OF_DIAMONDS
from basra_sim.deals import DECK_ROOM, lay_floor, shuffle
from basra_sim.policies.custom import KNOWLEDGE_SIZE
from basra_sim.policies.quantities import QUANTITIES_SIZE
from basra_sim.policies.weighing import OPTION_ROOM

OK, TOO_MANY_CHOICES, NO_SCORE, NO_END, NO_ROOM, NO_CAPTOR = 0, -1, -3, -4, -5, -6
"""What a batch reports: all well; a card with more choices than fit; a policy's function that gave no number; a
match that did not end; a match that did not fit into the rows given; a round in which nobody captured (no rules allow
that)."""

CARDS, ACES, JACKS, TWO, TEN, MAJORITY, BASRAS, BASRA_COUNT = range(8)
COLUMNS = ("cards", "aces", "jacks", "two", "ten", "majority", "basras", "basra_count")
"""What is kept of a team's round; all but the first and the last are points."""

_ACES = 15 << 4 * ACE
_JACKS = 15 << 4 * JACK


class Scratch(NamedTuple):
    """Arrays that one thread works in, made once."""

    deck: npt.NDArray[np.uint8]
    hands: npt.NDArray[np.int64]
    piles: npt.NDArray[np.int64]
    basras: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    seat_policy: npt.NDArray[np.int64]
    seat_team: npt.NDArray[np.int64]
    turn: npt.NDArray[np.int64]
    room: npt.NDArray[np.int64]
    knowledge: npt.NDArray[np.int64]
    seen: npt.NDArray[np.int64]
    """Cards that have been face up before each play of the round."""
    floors: npt.NDArray[np.int64]
    """The floor before each play of the round."""
    open: npt.NDArray[np.int64]
    """What lies open where a roll-out has ended, the numbers of a `Standing`."""
    top: npt.NDArray[np.int64]
    """Place in the pack of the first card of the stock, once the floor lay, (1,)."""
    dealt: npt.NDArray[np.int64]
    options: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float64]
    setbacks: npt.NDArray[np.float64]
    preferences: npt.NDArray[np.int64]
    quantities: npt.NDArray[np.int64]
    search: Any
    """A `search.desk.SearchDesk`."""


def make_scratch(search: Any) -> Scratch:
    """Arrays for one thread to work in, with those of a search."""
    return Scratch(
        deck=np.zeros(DECK_ROOM, np.uint8),
        hands=np.zeros(4, np.int64),
        piles=np.zeros(4, np.int64),
        basras=np.zeros(4, np.int64),
        scores=np.zeros(4, np.int64),
        seat_policy=np.zeros(4, np.int64),
        seat_team=np.zeros(4, np.int64),
        turn=np.zeros(1, np.int64),
        room=np.zeros((14, CHOICE_ROOM), np.int64),
        knowledge=np.zeros(KNOWLEDGE_SIZE, np.int64),
        seen=np.zeros(DECK_ROOM, np.int64),
        floors=np.zeros(DECK_ROOM, np.int64),
        open=np.zeros(4, np.int64),
        top=np.zeros(1, np.int64),
        dealt=np.zeros(4, np.int64),
        options=np.zeros((OPTION_ROOM, 2), np.int64),
        worths=np.zeros(OPTION_ROOM),
        setbacks=np.zeros(OPTION_ROOM),
        preferences=np.zeros(OPTION_ROOM, np.int64),
        quantities=np.zeros((OPTION_ROOM, QUANTITIES_SIZE), np.int64),
        search=search,
    )


class Standing(NamedTuple):
    """What lies open in the middle of a round; sets of cards as masks."""

    floor: int
    floor_before: int
    """The floor before the last play."""
    gone: int
    """Cards captured so far, and those that are not in the pack."""
    last: int
    """Seat that captured last, or -1."""


class Place(NamedTuple):
    """Where in a round a play stands."""

    seat: int
    left: int
    """Cards in the hand of whoever plays, the one to be played among them."""
    deal: int
    next_hand: int
    last_card: int


@inner_inlined
def deal_hands(game, scratch, at, size):
    """
    Deal each seat so many cards from a place of the pack on.

    Hands may be passed on by some seats, which makes another deal that is just as likely: what one seat would have had
    the other has. Cards that were buried at the bottom are where they are in any deal, so hands that hold such stay.
    """
    turn = scratch.turn[0] if at + size * game.players <= game.pack else np.int64(0)
    for place_at_table in range(game.players):
        hand = np.int64(0)
        for k in range(size):
            place = at + place_at_table * size + k if game.packet else at + k * game.players + place_at_table
            hand |= np.int64(1) << np.int64(scratch.deck[np.uint64(place)])
        seat = place_at_table + turn
        seat -= game.players if seat >= game.players else 0
        scratch.hands[np.uint64(seat)] = hand
        scratch.dealt[np.uint64(scratch.seat_team[np.uint64(seat)])] |= hand


@inner_inlined
def remember(scratch, plays, standing):
    """Write down what lies open before a play, by its number in the round."""
    scratch.seen[np.uint64(plays)] = standing.gone | standing.floor
    scratch.floors[np.uint64(plays)] = standing.floor


@inner_inlined
def make_play(codes, tables, standing, place, card, taken, scratch, row):
    """What has been played after a play, and the points of its basra."""
    bit, seat = np.int64(1) << card, np.uint64(place.seat)
    scratch.hands[seat] ^= bit
    floor, team = standing.floor, np.uint64(scratch.seat_team[seat])
    takes = -np.int64(taken != 0)
    won = (taken | bit) & takes
    last = standing.last ^ ((standing.last ^ place.seat) & takes)
    gain = np.int64(0)
    if (taken == floor) & (taken != 0):
        gain = basra_points(codes.capture, tables, floor, card, taken, standing.floor_before, place.last_card)
        scratch.basras[team] += gain
        row[team, BASRA_COUNT] += gain > 0
    scratch.piles[team] |= won
    return Standing(floor ^ taken | (bit & ~takes), floor, standing.gone | won, last), gain


@inner_inlined
def open_table(game, stream_at, given, scratch, row):
    """Take the pack, given or shuffled, and lay the floor; return what lies open and the top of the stock."""
    start, gamma, used = stream_at
    if given.shape[0]:
        for k in range(game.pack):
            scratch.deck[k] = given[k]
    else:
        used = shuffle(start, gamma, game.pack, scratch.deck)
    first_hands = game.players * game.hand_size
    floor, top, _ = lay_floor(
        start, gamma, used, game.pack, first_hands, game.buried, game.bury_at_random, scratch.deck
    )
    scratch.top[0] = top
    for team in range(game.teams):
        scratch.piles[team] = 0
        scratch.basras[team] = 0
        scratch.dealt[team] = 0
        row[team, BASRA_COUNT] = 0
    return Standing(floor, np.int64(0), ~((np.int64(1) << game.pack) - 1), np.int64(-1)), top


@inner_inlined
def stand(game, deal, left, seat):
    """Place of a play in a round."""
    last_card = np.int64(deal == game.deals - 1 and left == 1 and seat == game.players - 1)
    next_hand = left - np.int64(seat == game.players - 1)
    if next_hand == 0 and not last_card:
        next_hand = game.last_hand if deal == game.deals - 2 else game.hand_size
    return Place(seat, left, deal, next_hand, last_card)


@inner_inlined
def score_round(codes, scratch, carry, row):
    """Fill a round's rows from what the teams have captured; return the majority points carried out."""
    game, points = codes.game, codes.points
    most, tied = 0, 0
    for team in range(game.teams):
        pile = scratch.piles[team]
        cards = bit_count(pile)
        row[team, CARDS] = cards
        row[team, ACES] = points.ace * bit_count(pile & _ACES)
        row[team, JACKS] = points.jack * bit_count(pile & _JACKS)
        row[team, TWO] = points.two * (pile >> points.two_card & 1)
        row[team, TEN] = points.ten * (pile >> TEN_OF_DIAMONDS & 1)
        row[team, BASRAS] = scratch.basras[team]
        tied = 1 if cards > most else tied + (cards == most)
        most = max(most, cards)
    for team in range(game.teams):
        row[team, MAJORITY] = majority_won(game, row[team, CARDS], most, tied, carry)
    return majority_carried(game, tied, carry)


@inner_inlined
def majority_won(game, cards, most, tied, carry):
    """Points for most cards of a team with so many, where so many teams tie for the most."""
    return game.majority + carry if cards == most and (tied == 1 or game.majority_tie == 0) else np.int64(0)


@inner_inlined
def majority_carried(game, tied, carry):
    """Points for most cards that are carried out of a round in which so many teams tie for the most."""
    return game.majority + carry if tied > 1 and game.majority_tie == 2 else np.int64(0)


@inner_inlined
def locate(game, plays):
    """Number of the deal in which a play falls, of plays made in it before, and cards of a hand of that deal."""
    in_deal = game.players * game.hand_size
    deal = min(plays // in_deal, game.deals - 1)
    return deal, plays - deal * in_deal, game.last_hand if deal == game.deals - 1 else game.hand_size


@inner_inlined
def end_of_deal(game, deal):
    """Number of plays of a round up to the end of a deal."""
    before = deal * game.players * game.hand_size
    return before + game.players * (game.last_hand if deal == game.deals - 1 else game.hand_size)


@inner_inlined
def deal_place(game, top, deal):
    """Place in the pack of the first card of a deal."""
    return 0 if deal == 0 else top + (deal - 1) * game.players * game.hand_size
