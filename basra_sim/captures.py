"""
What a card takes: tables over rank counts, and compiled look-ups in them.

A numeral card of value *v* takes every card of its rank and a set of lower numerals that splits into groups
summing to *v*. Which sets are possible depends on the counts of the ranks below only, so a table over these
counts, written in base 5, answers at once whether there is none, one maximal set, or a choice. The single
answer is looked up; choices are enumerated (`choices`).
"""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, compiled, inlined, inner, keep_apart
from basra_sim.cards import (
    DECK_SIZE,
    JACK,
    SEVEN_OF_DIAMONDS,
    TEN,
    TWO_OF_CLUBS,
    TWO_OF_SPADES,
    Card,
    card_set,
    cards_in,
)
from basra_sim.rules import Rules
from basra_sim.shared import Layout, shared

CHOICE_ROOM = 1024
"""Room for the choices of one card on one floor. The most that any floor gives is far below (see the tests)."""

_PARTIAL = 1 << 9
"""Flag of a table entry: of some rank it takes not every card."""

CHOICE = 1 << 10
"""Flag of a table entry: there is more than one maximal set."""

_JACKS = 15 << 4 * JACK

_NUMERALS_BELOW_TEN = (1 << 4 * TEN) - 1

_OFFSET = tuple(sum(5**lower for lower in range(1, value - 1)) for value in range(11))

_SIZE = _OFFSET[10] + 5**9

_LAYOUT: Layout = {
    "offset": (np.int64, (11,)),
    "ranks": (np.int16, (_SIZE,)),
    "takes": (np.int32, (_SIZE,)),
    "counts": (np.uint8, (4096,)),
    "spread": (np.int64, (512,)),
    "lowest": (np.int64, (128,)),
    "ranked": (np.int64, (4 * DECK_SIZE,)),
    "summed": (np.int64, (4 * DECK_SIZE,)),
}


class Tables(NamedTuple):
    """
    Look-up tables of what sums take, for ranks below each value.

    Attributes
    ----------
    offset : (11,) int64
        Where a value's part of the next two begins.
    ranks : (2441405,) int16
        Ranks that the largest set takes from (bit per rank), and the flags ``PARTIAL`` and ``CHOICE``.
    takes : (2441405,) int32
        How many it takes of each rank, three bits each. Where there is a choice: the most that any takes of each.
    counts : (4096,) uint8
        Base-5 number of the counts of three ranks, by their 12 bits.
    spread : (512,) int64
        Bit per rank -> all four cards of these ranks.
    lowest : (128,) int64
        ``8 * four bits + n`` -> the n lowest of these bits.
    ranked, summed : (208,) int64
        By `CaptureRules.reach` and the card played: cards of its rank (of any, where it sweeps the floor), and those
        that it may take by sums.
    """

    offset: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int16]
    takes: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]
    spread: npt.NDArray[np.int64]
    lowest: npt.NDArray[np.int64]
    ranked: npt.NDArray[np.int64]
    summed: npt.NDArray[np.int64]


class CaptureRules(NamedTuple):
    """
    The rules that decide what a card takes and whether that is a basra, as integers for compiled code.

    Cards that a rule switches off are -1; masks that it switches off are 0, but for `lone_seven` -1: no floor is that.
    """

    sum_cards: int
    """Cards that may be taken by sums."""
    reach: int
    """Row of `Tables.ranked` and `Tables.summed`, times the cards of a pack."""
    most_cards: int
    """1 if only the largest sets may be taken."""
    sweeper: int
    """The seven of diamonds where it sweeps, else -1."""
    special: int
    """Cards for which the suit makes a choice: the point two, the sweeping seven."""
    lone_seven: int
    """The floor that any card takes, or -1."""
    seven_basra: int
    basra_when: int
    jack_on_jack: int
    last_card_basra: int
    face_points: tuple[int, ...]
    """What a basra made by a card of each rank scores."""


SEVEN_BASRA = ("never", "sum_at_most_10", "yemeni", "equal_groups_at_most_10")
BASRA_WHEN = ("clears_floor", "matches_lone_card", "matches_lone_card_or_pair_sum")


def capture_rules(rules: Rules) -> CaptureRules:
    """Rules of capture as integers for compiled code."""
    if rules.basra_scoring == "flat":
        faces = [rules.basra_points] * 13
    else:
        faces = [2 * value for value in (*range(1, 11), 0, rules.queen_face, rules.king_face)]
    sweeps = rules.seven_of_diamonds == "sweeps"
    special = [TWO_OF_CLUBS if rules.two == "2C" else TWO_OF_SPADES] if rules.two_points else []
    if sweeps:
        special.append(SEVEN_OF_DIAMONDS)
    return CaptureRules(
        sum_cards=0 if rules.captures == "ranks" else (1 << 4 * (TEN + 1)) - 1,
        reach=DECK_SIZE * (2 * sweeps + (rules.captures != "ranks")),
        most_cards=int(rules.captures == "most_cards"),
        sweeper=SEVEN_OF_DIAMONDS if sweeps else -1,
        special=card_set(special),
        lone_seven=1 << SEVEN_OF_DIAMONDS if rules.lone_seven == "any_card_but_jack" else -1,
        seven_basra=SEVEN_BASRA.index(rules.seven_basra),
        basra_when=BASRA_WHEN.index(rules.basra_when),
        jack_on_jack=rules.jack_on_jack,
        last_card_basra=int(rules.last_card_basra),
        face_points=tuple(faces),
    )


def _partitions(value: int, largest: int) -> list[list[int]]:
    """Ways to write a value as a sum of at least two parts, each at most `largest` and used at most four times."""
    if value == 0:
        return [[]]
    found = []
    for part in range(min(value, largest), 0, -1):
        found += [[part, *rest] for rest in _partitions(value - part, part)]
    return [parts for parts in found if all(parts.count(part) <= 4 for part in parts)]


@compiled
def _fill(value, parts, weights, splits, count, join, ranks, takes):
    """Fill one value's tables: from the parts of its sums (partitions x ranks) by dynamic programming over counts."""
    places = value - 1
    splits[0] = 1
    for index in range(1, ranks.size):
        place = 0
        while count[place] == 4:
            count[place] = 0
            place += 1
        count[place] += 1
        top = places - 1
        while count[top] == 0:
            top -= 1
        for row in range(parts.shape[0]):
            if parts[row, top] == 0:
                continue
            fits = True
            rest = index
            for j in range(top + 1):
                fits = fits and parts[row, j] <= count[j]
                rest -= parts[row, j] * weights[j]
            for j in range(top + 1, places):
                fits = fits and parts[row, j] == 0
            if fits and splits[rest]:
                splits[index] = 1
                break
        if splits[index]:
            for j in range(places):
                join[j] = count[j]
        else:
            for j in range(places):
                join[j] = 0
            for j in range(places):
                if count[j]:
                    below = takes[index - weights[j]]
                    for k in range(places):
                        join[k] = max(join[k], (below >> (3 * k)) & 7)
        entry = 0
        flags = 0
        joined = 0
        for j in range(places):
            entry |= join[j] << (3 * j)
            joined += join[j] * weights[j]
            if join[j]:
                flags |= 1 << j
                if join[j] < count[j]:
                    flags |= _PARTIAL
        if not splits[joined]:
            flags |= CHOICE
        takes[index] = entry
        ranks[index] = flags


def _reach(card: Card, sweeps: int, sums: int) -> tuple[int, int]:
    """Cards that a card takes for its rank, all if it sweeps the floor, and lower ones that it may take by sums."""
    if card >> 2 == JACK or (sweeps and card == SEVEN_OF_DIAMONDS):
        return -1, 0
    return 15 << (card & ~3), (1 << (card & ~3)) - 1 if sums and card >> 2 <= TEN else 0


def _built() -> dict[str, npt.NDArray[Any]]:
    """Tables of what sums take, by name."""
    ranks, takes = np.zeros(_SIZE, np.int16), np.zeros(_SIZE, np.int32)
    for value in range(2, 11):
        sums = _partitions(value, value - 1)
        counts = [[sum_.count(part) for part in range(1, value)] for sum_ in sums]
        parts = np.array(counts, np.int64).reshape(-1, value - 1)
        part = slice(_OFFSET[value], _OFFSET[value] + 5 ** (value - 1))
        splits, (count, join) = np.zeros(5 ** (value - 1), np.uint8), np.zeros((2, 9), np.int64)
        _fill(value, parts, 5 ** np.arange(9), splits, count, join, ranks[part], takes[part])
    kinds = product((0, 1), (0, 1), range(DECK_SIZE))
    reach = np.array([_reach(card, sweeps, sums) for sweeps, sums, card in kinds], np.int64)
    bits = np.arange(4096)
    triple = sum(5**place * np.array([int(b >> 4 * place & 15).bit_count() for b in bits]) for place in range(3))
    return {
        "offset": np.array(_OFFSET, np.int64),
        "ranks": ranks,
        "takes": takes,
        "counts": triple.astype(np.uint8),
        "spread": np.array([sum(15 << 4 * rank for rank in range(9) if m >> rank & 1) for m in range(512)], np.int64),
        "lowest": np.array([card_set(list(cards_in(m))[:n]) for m in range(16) for n in range(8)], np.int64),
        "ranked": reach[:, 0].copy(),
        "summed": reach[:, 1].copy(),
    }


@cache
def tables() -> Tables:
    """Tables of what sums take, one copy for all processes of a machine: see `shared`."""
    return Tables(**shared("captures", _LAYOUT, (Path(__file__), Path(__file__).with_name("cards.py")), _built))


@inlined
def sums_entry(tables, low, rank):
    """Place in the tables for the lower cards that a card of this rank (1 to 9) may take by sums."""
    first = np.int64(tables.counts[np.uint64(low & 4095)])
    second = np.int64(tables.counts[np.uint64(low >> 12 & 4095)])
    third = np.int64(tables.counts[np.uint64(low >> 24 & 4095)])
    return np.uint64(tables.offset[np.uint64(rank + 1)] + first + 125 * second + 15625 * third)


@inlined
def cards_below(rules, floor, rank):
    """Cards on the floor that a card of some rank may take by sums: lower numerals; none for faces and jacks."""
    return floor & rules.sum_cards & ((1 << (rank << 2)) - 1) & -np.int64(rank <= TEN)


@inlined
def single_capture(rules, tables, floor, card):
    """
    Cards taken where there is no choice (0: the card is laid); -1 where there may be one: then see `choices`.

    As few branches as can be: which way they go is drawn with the cards, so a processor guesses them wrong.
    """
    at = np.uint64(rules.reach + card)
    taken = floor & (tables.ranked[at] | -np.int64(floor == rules.lone_seven))
    low = floor & tables.summed[at]
    if low & (low - 1) == 0:
        return taken
    entry = np.int64(tables.ranks[sums_entry(tables, low, card >> 2)])
    if entry >= _PARTIAL:
        return -1
    return taken | (low & tables.spread[np.uint64(entry)])


@compiled
def choices(rules, tables, floor, card, room):
    """
    Enumerate every legal choice for a card; 0 stands for laying it.

    `room` is a (4, `CHOICE_ROOM`) int64 scratch array; the sets taken are left in its first row and their
    number is returned, or -1 if the room does not suffice.
    """
    keep_apart()
    rank = card >> 2
    taken = single_capture(rules, tables, floor, card)
    if taken >= 0:
        room[0, 0] = taken
        return 1
    same = floor & (15 << (rank << 2))
    low = cards_below(rules, floor, rank)
    found = _maximal_counts(tables, low, rank, room)
    if found < 0:
        return -1
    if rules.most_cards:
        found = _keep_largest(found, room)
    return _name_suits(tables, low, same, rules.special, found, room)


@inner
def _holds_all(larger, smaller):
    """Whether counts (four bits a rank) hold other counts, rank by rank."""
    guard = 0x888888888
    return ((larger | guard) - smaller) & guard == guard


@inner
def _maximal_counts(tables, low, rank, room):
    """
    Leave the maximal sets, as counts of four bits a rank, in `room[1]`; return their number.

    Goes down from all the cards, leaving out one more at a time in order of rank, until what is left has a
    single answer. Every maximal set lies on one such way, and what lies below a set found already is skipped.
    """
    index = np.int64(sums_entry(tables, low, rank)) - tables.offset[rank + 1]
    lanes = 0
    for j in range(rank):
        lanes |= bit_count(low >> 4 * j & 15) << 4 * j
    found = 0
    room[2, 0] = lanes
    room[3, 0] = index << 4
    depth = 1
    while depth > 0:
        depth -= 1
        lanes = room[2, depth]
        index = room[3, depth] >> 4
        start = room[3, depth] & 15
        below = False
        for k in range(found):
            below = below or _holds_all(room[1, k], lanes)
        entry = tables.ranks[tables.offset[rank + 1] + index]
        if below or entry == 0:
            continue
        if entry & CHOICE:
            weight = 5**start
            for j in range(start, rank):
                if lanes >> 4 * j & 15:
                    if depth == CHOICE_ROOM:
                        return -1
                    room[2, depth] = lanes - (1 << 4 * j)
                    room[3, depth] = (index - weight) << 4 | j
                    depth += 1
                weight *= 5
            continue
        takes = np.int64(tables.takes[tables.offset[rank + 1] + index])
        counts = 0
        for j in range(rank):
            counts |= (takes >> 3 * j & 7) << 4 * j
        kept = 0
        for k in range(found):
            kept_counts = room[1, k]
            if not _holds_all(counts, kept_counts):
                room[1, kept] = kept_counts
                kept += 1
        covered = False
        for k in range(kept):
            covered = covered or _holds_all(room[1, k], counts)
        if not covered:
            if kept == CHOICE_ROOM:
                return -1
            room[1, kept] = counts
            kept += 1
        found = kept
    return found


@inner
def _keep_largest(found, room):
    """Keep of the sets in `room[1]` those with the most cards; return their number."""
    most = 0
    for k in range(found):
        cards = 0
        for j in range(9):
            cards += room[1, k] >> 4 * j & 15
        room[2, k] = cards
        most = max(most, cards)
    kept = 0
    for k in range(found):
        if room[2, k] == most:
            room[1, kept] = room[1, k]
            kept += 1
    return kept


@inner
def _name_suits(tables, low, same, special, found, room):
    """
    Turn counts in `room[1]` into cards in `room[0]`; return how many choices that gives.

    Suits matter only where a special card is one of several of its rank and not all of these are taken:
    then with it and without it are two choices. Otherwise the lowest suits stand for all.
    """
    made = 0
    for k in range(found):
        first = made
        if made == CHOICE_ROOM:
            return -1
        room[0, made] = same
        made += 1
        for j in range(9):
            take = room[1, k] >> 4 * j & 15
            if take == 0:
                continue
            four = low >> 4 * j & 15
            mark = special >> 4 * j & four
            plain = tables.lowest[8 * (four & ~mark) + take] << 4 * j
            marked = (mark | tables.lowest[8 * (four & ~mark) + take - 1]) << 4 * j
            upto = made
            for m in range(first, upto):
                if take == bit_count(four):
                    room[0, m] |= four << 4 * j
                elif mark == 0:
                    room[0, m] |= plain
                else:
                    if made == CHOICE_ROOM:
                        return -1
                    room[0, made] = room[0, m] | plain
                    room[0, m] |= marked
                    made += 1
    return made


@inlined
def _face_points(rules, rank):
    """What a basra made by a card of a rank scores; from rank to rank of the numerals it grows evenly."""
    first, second = rules.face_points[0], rules.face_points[1]
    of_face = rules.face_points[JACK + 1] if rank == JACK + 1 else rules.face_points[JACK + 2]
    return first + rank * (second - first) if rank <= TEN else of_face


@inlined
def basra_points(rules, tables, floor, card, taken, floor_before, last_card):
    """
    Points of the basra that a capture makes, 0 if it makes none.

    `floor_before` is the floor before the play before this one; `last_card` is 1 for the last card of the round.
    """
    if taken == 0 or taken != floor or (last_card and not rules.last_card_basra):
        return 0
    rank = card >> 2
    alone = floor & (floor - 1) == 0
    if rank == JACK:
        return rules.jack_on_jack if alone and floor >> 4 * JACK & 15 else 0
    points = _face_points(rules, rank)
    if floor == rules.lone_seven:
        return points
    if card == rules.sweeper:
        return points if _seven_makes_basra(rules.seven_basra, tables, floor) else 0
    same = floor >> (rank << 2) & 15
    if rules.basra_when == 0 or (alone and same):
        return points
    laid_on_one = bit_count(floor) == 2 and bit_count(floor_before) == 1 and floor & floor_before
    return points if rules.basra_when == 2 and laid_on_one and not same else 0


@inner
def _seven_makes_basra(kind, tables, floor):
    """Whether the sweeping seven of diamonds makes a basra on a floor."""
    keep_apart()
    total = 0
    for rank in range(TEN + 1):
        total += (rank + 1) * bit_count(floor >> 4 * rank & 15)
    numerals = floor >> 4 * JACK == 0
    if kind == 1:
        return numerals and total <= 10
    if kind == 2:
        if floor & (_NUMERALS_BELOW_TEN | _JACKS) == 0:
            return True
        return numerals and (total < 10 or _splits_equally(tables, floor, total, 2, 9))
    if kind == 3:
        return numerals and _splits_equally(tables, floor, total, 1, 10)
    return False


@inner
def _splits_equally(tables, floor, total, least_groups, most_sum):
    """Whether numerals split into groups of one equal sum: at least so many groups, of at most that sum."""
    for value in range(1, most_sum + 1):
        if total % value or total // value < least_groups or floor >> 4 * value:
            continue
        low = floor & ((1 << 4 * (value - 1)) - 1)
        if low == 0:
            return True
        entry = np.int64(tables.ranks[sums_entry(tables, low, value - 1)])
        if entry < _PARTIAL and low & tables.spread[entry] == low:
            return True
    return False
