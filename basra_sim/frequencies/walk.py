"""Walking through what was played, round by round, and counting on the way: compiled, in whole numbers."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim._numba import bit_count, compiled, inlined, lowest_bit
from basra_sim.captures import single_capture
from basra_sim.cards import ACE, JACK, RANKS, TEN, TEN_OF_DIAMONDS, TWO, card_set
from basra_sim.frequencies.occasions import (
    ANSWER,
    ANSWER_KIND,
    ANSWER_ON_EMPTY,
    BOARD,
    BOARD_ROOM,
    CELLS,
    CHOICE,
    DEAL_ROOM,
    FISHING,
    FLOOR_LEFT,
    FLOORS,
    HIGH,
    JACK_LATE,
    JACK_ON_JACK,
    LEFT_ROOM,
    MOST_CELLS,
    NUMERAL_ACES,
    NUMERAL_CARDS,
    NUMERAL_SUMS,
    POINT_CARD_LOST,
    PRODUCT_STARTS,
    PRODUCTS,
    SAFE_DEAL,
    SAFE_KNOWN,
    SAFE_RANK,
    SIZE_ROOM,
    SMALL_FLOORS,
    STARTS,
    TABLES,
)

EVENTS, HITS = 0, 1

_SIZES = tuple(table.cells for table in TABLES)
_TABLE_COUNT = len(TABLES)
_RANK_COUNT = len(RANKS)
_HIGH_CARDS = card_set(4 * rank + suit for rank in HIGH for suit in range(4))
_ACES = 15 << 4 * ACE
_TRIPLE_STARTS = tuple(
    sum((_RANK_COUNT - lower) * (_RANK_COUNT - lower + 1) // 2 for lower in range(rank)) for rank in range(_RANK_COUNT)
)
_PAIRS_START = _RANK_COUNT
_TRIPLES_START = _PAIRS_START + _RANK_COUNT * (_RANK_COUNT + 1) // 2


class Work(NamedTuple):
    """
    What one thread counts in, all 0 between units.

    Attributes
    ----------
    counts : (cells, 2) int64
        Occasions of the unit, and how often it happened on them.
    touched : (tables, most cells) int64
        Cells of each table that the unit has occasions for.
    used : (tables,) int64
        How many these are.
    hands, piles : (4,) int64
        Cards in the hands of the seats and in the piles of the teams.
    waiting : (52, 4) int64
        Cards whose fate the end of the round decides: card, team, table, cell.
    """

    counts: npt.NDArray[np.int64]
    touched: npt.NDArray[np.int64]
    used: npt.NDArray[np.int64]
    hands: npt.NDArray[np.int64]
    piles: npt.NDArray[np.int64]
    waiting: npt.NDArray[np.int64]


class Sums(NamedTuple):
    """
    Sums over units.

    Attributes
    ----------
    totals : (cells, 2) int64
        Of occasions and of how often it happened on them.
    squares : (cells, 3) int64
        Of the square of the first, of the product of both, of the square of the second.
    products : (products,) int64
        Of each crossed table, (cells, cells, 2, 2): products of two numbers of the first cell (occasions, hits) with
        two of the second. Each two cells of a unit are added once, the one that it had an occasion for later first.
    """

    totals: npt.NDArray[np.int64]
    squares: npt.NDArray[np.int64]
    products: npt.NDArray[np.int64]


class Play(NamedTuple):
    """A play as the log has it, and where it stands; sets of cards as masks, yes and no as 1 and 0."""

    card: int
    taken: int
    basra: int
    seat: int
    team: int
    floor: int
    gone: int
    """Cards captured before."""
    left: int
    """Cards in the hand, the one played among them."""
    deal: int
    last_deal: int
    next_card: int
    """Card of the next play; -1 after the last."""
    next_taken: int
    next_basra: int


def make_work() -> Work:
    """Arrays for one thread to count in."""
    return Work(
        counts=np.zeros((CELLS, 2), np.int64),
        touched=np.zeros((_TABLE_COUNT, MOST_CELLS), np.int64),
        used=np.zeros(_TABLE_COUNT, np.int64),
        hands=np.zeros(4, np.int64),
        piles=np.zeros(4, np.int64),
        waiting=np.zeros((52, 4), np.int64),
    )


def make_sums() -> Sums:
    """Sums over no units."""
    return Sums(np.zeros((CELLS, 2), np.int64), np.zeros((CELLS, 3), np.int64), np.zeros(PRODUCTS, np.int64))


@compiled
def _count(work, table, place, hits):
    """Count an occasion in a cell of a table, and how often it happened on it."""
    cell = np.uint64(STARTS[table] + place)
    if work.counts[cell, EVENTS] == 0:
        work.touched[table, np.uint64(work.used[table])] = cell
        work.used[table] += 1
    work.counts[cell, EVENTS] += 1
    work.counts[cell, HITS] += hits


@inlined
def _rank_of(card):
    """Rank of a card."""
    return card >> 2


@inlined
def _of_rank(cards, rank):
    """Cards of a rank among some."""
    return cards >> (rank << 2) & 15


@compiled
def _floor_place(floor, size):
    """Place of a small floor among `occasions.floor_names`."""
    a = lowest_bit(floor) >> 2
    if size == 1:
        return a
    rest = floor & (floor - 1)
    b = (lowest_bit(rest) >> 2) - a
    if size == 2:
        return _PAIRS_START + a * _RANK_COUNT - a * (a - 1) // 2 + b
    c = (lowest_bit(rest & (rest - 1)) >> 2) - a
    inner = b * (_RANK_COUNT - a) - b * (b - 1) // 2 + c - b
    return _TRIPLES_START + _TRIPLE_STARTS[np.uint64(a)] + inner


@inlined
def _count_floor(work, play):
    """Count what the floor before a play lets happen."""
    size = bit_count(play.floor)
    if size == 0:
        return
    made = np.int64(play.basra > 0)
    high = min(bit_count(play.floor & _HIGH_CARDS), BOARD_ROOM)
    _count(work, BOARD, (min(size, BOARD_ROOM) - 1) * (BOARD_ROOM + 1) + high, made)
    if size <= SMALL_FLOORS:
        _count(work, FLOORS, _floor_place(play.floor, size), made)


@inlined
def _count_numeral(work, play, sweeper):
    """Count what a numeral takes."""
    rank = _rank_of(play.card)
    if rank > TEN or play.card == sweeper:
        return
    by_sums = play.taken & ((np.int64(1) << (rank << 2)) - 1)
    if bit_count(by_sums) < 2:
        by_sums = np.int64(0)
    _count(work, NUMERAL_CARDS, rank, bit_count(play.taken))
    _count(work, NUMERAL_SUMS, rank, bit_count(by_sums))
    _count(work, NUMERAL_ACES, rank, bit_count(by_sums & _ACES))


@inlined
def _count_on_empty(work, play):
    """Count whether a card laid on an empty floor is answered or matched at once."""
    rank = _rank_of(play.card)
    matched = np.int64(play.next_taken > 0 and _rank_of(play.next_card) == rank)
    gone = bit_count(_of_rank(play.gone, rank))
    held = bit_count(_of_rank(work.hands[play.seat], rank)) - 1
    _count(work, ANSWER_ON_EMPTY, rank, np.int64(play.next_basra > 0))
    _count(work, SAFE_RANK, 4 * rank + gone, matched)
    _count(work, SAFE_DEAL, DEAL_ROOM * (3 - gone - held) + min(play.deal, DEAL_ROOM - 1), matched)
    _count(work, SAFE_KNOWN, 4 * gone + held, matched)


@compiled
def _makes_ten(floor, card):
    """Whether a numeral below ten, laid, makes a sum of ten with others on the floor."""
    reached = np.int64(1)
    below_ten = floor & ((1 << 4 * TEN) - 1)
    while below_ten:
        reached |= reached << ((lowest_bit(below_ten) >> 2) + 1)
        reached &= (2 << TEN) - 1
        below_ten &= below_ten - 1
    return reached >> (TEN - _rank_of(card)) & 1


@compiled
def _count_bait(work, play, players, two_card):
    """Count whether who lays a numeral holds a card that it may be the bait for."""
    kept = work.hands[play.seat] ^ (np.int64(1) << play.card)
    rank = _rank_of(play.card)
    if kept == 0 or rank > TEN:
        return
    after = 0 if play.seat == players - 1 else play.seat + 1
    seen = play.gone | play.floor | np.int64(1) << play.card | work.hands[after]
    size = min(play.left - 1, LEFT_ROOM - 1) - 1
    if seen >> two_card & 1 == 0:
        _count(work, FISHING, np.int64(rank != TWO) * (LEFT_ROOM - 1) + size, kept >> two_card & 1)
    if seen >> TEN_OF_DIAMONDS & 1 == 0:
        kind = 2 if rank == TEN else 3 if _makes_ten(play.floor, play.card) else 4
        _count(work, FISHING, kind * (LEFT_ROOM - 1) + size, kept >> TEN_OF_DIAMONDS & 1)


@inlined
def _team_of(game, seat, first):
    """Team of a seat in a round that some player moves first in."""
    return (seat + first) % game.players % game.teams


@inlined
def _count_next_turns(work, play, game, first, log, at):
    """Count the basras of the next turn of each player, once a deal ends."""
    own, others = np.int64(0), np.int64(0)
    for seat in range(game.players):
        made = np.int64(log[at + 1 + seat, 2] > 0)
        if _team_of(game, seat, first) == play.team:
            own += made
        else:
            others += made
    swept = play.taken == play.floor and play.taken > 0
    kind = np.int64(_rank_of(play.card) != JACK) if swept else np.int64(2)
    _count(work, FLOOR_LEFT, 3 * kind, others)
    _count(work, FLOOR_LEFT, 3 * kind + 1, own)
    _count(work, FLOOR_LEFT, 3 * kind + 2, own - others)


@compiled
def _count_choice(work, play, codes, tables):
    """Count what the hand offers to choose between."""
    hand = work.hands[play.seat]
    ranks, capturing = np.int64(0), np.int64(0)
    if hand & (hand - 1) == 0:
        hand = np.int64(0)
    while hand:
        card = lowest_bit(hand)
        rank = np.int64(1) << _rank_of(card)
        ranks |= rank
        if single_capture(codes.capture, tables, play.floor, card):
            capturing |= rank
        hand &= hand - 1
    _count(work, CHOICE, 0, np.int64(ranks & (ranks - 1) != 0))
    _count(work, CHOICE, 1, np.int64(capturing & (capturing - 1) != 0))
    _count(work, CHOICE, 2, np.int64(capturing != 0 and capturing != ranks))


@inlined
def _wait(work, waiting, play, table, place):
    """Keep a card whose fate is to be counted at the end of the round; return how many there are."""
    entry = work.waiting[np.uint64(waiting)]
    entry[0], entry[1], entry[2], entry[3] = play.card, play.team, table, place
    return waiting + 1


@inlined
def _count_play(work, play, codes, tables, waiting):
    """Count all that one play is an occasion for; return how many cards wait for the end of the round."""
    rank, last_left = _rank_of(play.card), min(play.left, LEFT_ROOM) - 1
    laid = play.taken == 0
    _count_floor(work, play)
    _count_numeral(work, play, codes.capture.sweeper)
    _count_choice(work, play, codes, tables)
    if rank == JACK:
        lone = play.floor & (play.floor - 1) == 0 and _of_rank(play.floor, JACK) != 0
        _count(work, JACK_ON_JACK, 0, np.int64(lone))
        if play.last_deal:
            _count(work, JACK_LATE, last_left, np.int64(laid))
            waiting = _wait(work, waiting, play, JACK_LATE, LEFT_ROOM + last_left)
    if laid:
        two_card = codes.points.two_card
        if rank == ACE or play.card == two_card:
            place = (np.int64(rank != ACE) * DEAL_ROOM + min(play.deal, DEAL_ROOM - 1)) * LEFT_ROOM + last_left
            waiting = _wait(work, waiting, play, POINT_CARD_LOST, place)
        _count_bait(work, play, codes.game.players, two_card)
        if play.next_card >= 0:
            size = min(bit_count(play.floor), SIZE_ROOM - 1)
            kind, made = np.int64(rank >= JACK) + np.int64(rank > JACK), np.int64(play.next_basra > 0)
            _count(work, ANSWER, SIZE_ROOM * rank + size, made)
            _count(work, ANSWER_KIND, SIZE_ROOM * kind + size, made)
            if play.floor == 0:
                _count_on_empty(work, play)
    return waiting


@inlined
def _open(work, game, log):
    """Opening floor: the cards that nobody plays; the piles are cleared."""
    floor = (np.int64(1) << game.pack) - 1
    for at in range(log.shape[0]):
        floor ^= np.int64(1) << log[at, 0]
    for team in range(game.teams):
        work.piles[team] = 0
    return floor


@inlined
def _take_hands(work, game, log, at, size):
    """Hands of a deal: what each seat plays until it ends."""
    for seat in range(game.players):
        hand = np.int64(0)
        for k in range(size):
            hand |= np.int64(1) << log[at + k * game.players + seat, 0]
        work.hands[seat] = hand


@compiled
def _count_round(codes, tables, log, first, work):
    """Count one round from its log, whose first mover is a player."""
    game, plays = codes.game, log.shape[0]
    floor, gone, last_team = _open(work, game, log), np.int64(0), np.int64(0)
    at, waiting, lone_jacks = 0, np.int64(0), work.counts[np.uint64(STARTS[JACK_ON_JACK]), HITS]
    for deal in range(game.deals):
        last_deal = deal == game.deals - 1
        size = game.last_hand if last_deal else game.hand_size
        _take_hands(work, game, log, at, size)
        for turn in range(size * game.players):
            seat, left = turn % game.players, size - turn // game.players
            card, taken, basra = log[at, 0], log[at, 1], log[at, 2]
            deal_ends = left == 1 and seat == game.players - 1
            more = at + 1 < plays
            after = at + 1 if more else at
            next_card = log[after, 0] if more else np.int64(-1)
            team = _team_of(game, seat, first)
            play = Play(
                card,
                taken,
                basra,
                seat,
                team,
                floor,
                gone,
                left,
                deal,
                last_deal,
                next_card,
                log[after, 1],
                log[after, 2],
            )
            waiting = _count_play(work, play, codes, tables, waiting)
            if deal_ends and more:
                _count_next_turns(work, play, game, first, log, at)
            bit = np.int64(1) << card
            work.hands[seat] ^= bit
            if taken:
                work.piles[team] |= taken | bit
                gone |= taken | bit
                floor ^= taken
                last_team = np.int64(team)
            else:
                floor |= bit
            at += 1
    work.piles[last_team] |= floor
    for k in range(waiting):
        card, team, table, place = work.waiting[k, 0], work.waiting[k, 1], work.waiting[k, 2], work.waiting[k, 3]
        _count(work, table, place, 1 - (work.piles[team] >> card & 1))
    _count(work, JACK_ON_JACK, 1, work.counts[np.uint64(STARTS[JACK_ON_JACK]), HITS] - lone_jacks)


@compiled
def _close_unit(work, sums):
    """Add a unit's counts, their squares and products to the sums, and clear the unit."""
    counts = work.counts
    for table in range(_TABLE_COUNT):
        start, size, products = STARTS[table], _SIZES[table], PRODUCT_STARTS[table]
        for i in range(work.used[table]):
            cell = np.uint64(work.touched[table, i])
            events, hits = counts[cell, EVENTS], counts[cell, HITS]
            sums.totals[cell, EVENTS] += events
            sums.totals[cell, HITS] += hits
            sums.squares[cell, 0] += events * events
            sums.squares[cell, 1] += events * hits
            sums.squares[cell, 2] += hits * hits
            if products < 0:
                continue
            row = products + 4 * ((work.touched[table, i] - start) * size - start)
            for j in range(i):
                other = np.uint64(work.touched[table, j])
                place = np.uint64(row + 4 * work.touched[table, j])
                other_events, other_hits = counts[other, EVENTS], counts[other, HITS]
                sums.products[place] += events * other_events
                sums.products[place + np.uint64(1)] += events * other_hits
                sums.products[place + np.uint64(2)] += hits * other_events
                sums.products[place + np.uint64(3)] += hits * other_hits
        for i in range(work.used[table]):
            cell = np.uint64(work.touched[table, i])
            counts[cell, EVENTS] = counts[cell, HITS] = 0
        work.used[table] = 0


@compiled
def count_rounds(codes, tables, logs, facts, work, sums):
    """
    Count the rounds of some whole units.

    Parameters
    ----------
    logs, facts : as `kernel.play_batch` fills them
    work : Work
        Left as it was: empty.
    sums : Sums
        Added to.
    """
    rounds = logs.shape[0]
    for k in range(rounds):
        _count_round(codes, tables, logs[k], facts[k, kernel.FIRST], work)
        if k + 1 == rounds or facts[k + 1, kernel.MATCH] != facts[k, kernel.MATCH]:
            _close_unit(work, sums)
