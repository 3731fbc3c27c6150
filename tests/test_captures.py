"""What the compiled look-ups say a card takes: against all subsets, and against tables built in another way."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from basra_sim import captures
from basra_sim._numba import compiled
from basra_sim.captures import CHOICE_ROOM, capture_rules, choices, tables
from basra_sim.cards import DECK_SIZE, JACK, TEN, card_names, card_set, cards_in, parse_card, parse_cards
from basra_sim.errors import BasraError
from basra_sim.legal import legal
from basra_sim.rules import Rules, override
from basra_sim.variants import variant, variant_names
from tests import naive_captures
from tests.test_reference import positions

SWEEPS = {"seven_of_diamonds": "sweeps"}


def by_key(rules: Rules, found: list[tuple[frozenset[int], int]]) -> dict[tuple[str, ...], int]:
    keyed = {naive_captures.key(rules, taken): basra for taken, basra in found}
    assert len(keyed) == len(found), "no choice twice"
    return keyed


def taken_by(floor: str, card: str, **changes: object) -> list[str]:
    """What a card may take, as names, by the base's rules with changes."""
    found = legal(override(Rules(), changes), parse_cards(floor), parse_card(card))
    return sorted(" ".join(card_names(sorted(taken))) for taken, _ in found)


@settings(max_examples=600)
@given(positions())
def test_choices_are_those_of_all_subsets(position: tuple[Rules, list[int], int, bool, bool]) -> None:
    rules, floor, card, lone_before, last_card = position
    found = legal(rules, floor, card, lone_before=lone_before, last_card=last_card)
    assert by_key(rules, found) == naive_captures.choices(rules, frozenset(floor), card, lone_before, last_card)
    assert all(taken <= set(floor) for taken, _ in found)


@pytest.mark.parametrize("name", variant_names())
def test_choices_of_each_variant_are_those_of_all_subsets(name):
    rules, draw = variant(name).rules, random.Random(name)
    for size in [0, 1, 1, *[2] * 20, *[3] * 20, *[4] * 30, *[5] * 30, *[6] * 20, *[7] * 10, *[8] * 5]:
        card, *floor = draw.sample(range(rules.pack), size + 1)
        lone_before, last = draw.random() < 0.5, draw.random() < 0.5
        found = legal(rules, floor, card, lone_before=lone_before, last_card=last)
        assert by_key(rules, found) == naive_captures.choices(rules, frozenset(floor), card, lone_before, last)


@pytest.mark.parametrize("name", ["egyptian", "yemeni", "ethiopian", "lebanese-a", "syrian-a"])
@pytest.mark.parametrize("lone_before", [False, True])
def test_choices_on_every_floor_of_one_or_two_cards(name, lone_before):
    rules = variant(name).rules
    cards = [card for card in range(52) if card % 4 < 2]
    for floor in (*combinations(cards, 1), *combinations(cards, 2)):
        for card in range(52):
            if card % 4 < 3 and card not in floor:
                found = legal(rules, floor, card, lone_before=lone_before)
                right = naive_captures.choices(rules, frozenset(floor), card, lone_before)
                assert by_key(rules, found) == right, (card_names(floor), card_names([card]))


@cache
def sums(value: int) -> npt.NDArray[np.bool_]:
    """By the counts of the ranks below a value: whether these cards split into groups of that sum."""
    possible = np.zeros((5,) * (value - 1), bool)
    possible[(0,) * (value - 1)] = True
    for counts in product(*(range(min(4, value // part) + 1) for part in range(1, value))):
        if sum(part * count for part, count in enumerate(counts, 1)) == value:
            above = tuple(slice(count, None) for count in counts)
            below = tuple(slice(None, 5 - count) for count in counts)
            for _ in range(4 * sum(range(1, value)) // value):
                more = possible.copy()
                more[above] |= possible[below]
                if (more == possible).all():
                    break
                possible = more
    return possible


@cache
def most_of_each(value: int) -> npt.NDArray[np.int8]:
    """By the counts of the ranks below a value: the most cards of each rank that any possible set takes."""
    most = np.where(sums(value), np.indices(sums(value).shape, np.int8), 0)
    for axis in range(1, value):
        most = np.maximum.accumulate(most, axis=axis)
    return most


def in_table_order(by_counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Entries in the order of the tables: the ace's count changes first."""
    return by_counts.ravel(order="F")


@pytest.mark.parametrize("value", range(2, 11))
def test_every_entry_of_the_tables(value):
    places, offset = value - 1, int(tables().offset[value])
    part = slice(offset, offset + 5**places)
    counts, most = np.indices((5,) * places, np.int8), most_of_each(value)
    takes, flags = np.zeros((5,) * places, np.int32), np.zeros((5,) * places, np.int16)
    for rank in range(places):
        takes |= most[rank].astype(np.int32) << 3 * rank
        flags |= (most[rank] > 0).astype(np.int16) << rank
        flags |= ((most[rank] > 0) & (most[rank] < counts[rank])).astype(np.int16) * captures._PARTIAL
    flags |= (~sums(value)[tuple(most)]).astype(np.int16) * captures.CHOICE
    np.testing.assert_array_equal(tables().takes[part], in_table_order(takes))
    np.testing.assert_array_equal(tables().ranks[part], in_table_order(flags))


@pytest.mark.parametrize(
    ("changes", "sums"), [({}, True), ({"captures": "most_cards"}, True), ({"captures": "ranks"}, False)]
)
@pytest.mark.parametrize("sweeps", [False, True])
def test_reach(changes: dict[str, object], sums: bool, sweeps: bool) -> None:
    """What each card may take at all, for its rank and by sums."""
    codes = captures.capture_rules(override(Rules(), changes | (SWEEPS if sweeps else {})))
    for card in range(DECK_SIZE):
        all_of_it = card // 4 == JACK or card == codes.sweeper
        same, lower = (int(table[codes.reach + card]) for table in (tables().ranked, tables().summed))
        assert same == (-1 if all_of_it else card_set([other for other in range(DECK_SIZE) if other // 4 == card // 4]))
        below = range(card // 4 * 4) if sums and not all_of_it and card // 4 <= TEN else ()
        assert lower == card_set(below)


def test_tables_are_filled_to_their_ends():
    sizes = [5 ** (value - 1) for value in range(2, 11)]
    assert tables().offset[2:].tolist() == [sum(sizes[:k]) for k in range(9)]
    assert len(tables().ranks) == len(tables().takes) == sum(sizes)


def test_small_tables():
    for bits in range(4096):
        number = sum((bits >> 4 * place & 15).bit_count() * 5**place for place in range(3))
        assert tables().counts[bits] == number
    for ranks in range(512):
        cards = {card for card in range(36) if ranks >> card // 4 & 1}
        assert set(cards_in(int(tables().spread[ranks]))) == cards
    for bits, number in product(range(16), range(8)):
        assert set(cards_in(int(tables().lowest[8 * bits + number]))) == set(list(cards_in(bits))[:number])


def all_maximal(value: int, counts: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Possible sets that no larger possible set contains, out of all that there are."""
    within = sums(value)[tuple(slice(count + 1) for count in counts)]
    sets = np.argwhere(within)
    contained = (sets[:, None, :] <= sets[None, :, :]).all(axis=2).sum(axis=1) > 1
    return set(map(tuple, sets[~contained].tolist()))


def rank_counts(cards: Any, value: int) -> tuple[int, ...]:
    return tuple(sum(card // 4 == rank for card in cards) for rank in range(value - 1))


def check_maximal(value: int, counts: tuple[int, ...]) -> None:
    floor = [4 * rank + suit for rank, count in enumerate(counts) for suit in range(count)]
    found = [
        rank_counts(taken, value) for taken, _ in legal(override(Rules(), {"two_points": 0}), floor, 4 * value - 4)
    ]
    assert len(found) == len(set(found))
    assert set(found) == all_maximal(value, counts)


@pytest.mark.parametrize("value", range(2, 7))
def test_choices_on_every_floor_of_small_numerals(value):
    for counts in product(range(5), repeat=value - 1):
        check_maximal(value, counts)


@pytest.mark.parametrize("value", [7, 8, 9, 10])
def test_choices_on_large_floors(value):
    draw = random.Random(value)
    checked = 0
    while checked < 60:
        counts = tuple(draw.choice((0, 0, 1, 1, 2, 3, 4)) for _ in range(value - 1))
        # The plain way compares every two possible sets.
        if 2 <= sums(value)[tuple(slice(count + 1) for count in counts)].sum() <= 1500:
            check_maximal(value, counts)
            checked += 1


@pytest.mark.parametrize("name", ["bastra", "egyptian"])
def test_choices_on_large_floors_keep_to_the_rules_of_suits(name):
    rules, draw = variant(name).rules, random.Random(3)
    several = 0
    for _ in range(1500):
        card = draw.randrange(16, 40)
        floor = draw.sample([other for other in range(40) if other != card], draw.randrange(8, 28))
        found = [taken for taken, _ in legal(rules, floor, card)]
        keys = {naive_captures.key(rules, taken) for taken in found}
        assert len(keys) == len(found)
        if card == 25 and name == "egyptian":
            assert found == [frozenset(floor)]
            continue
        by_ranks: dict[tuple[int, ...], set[frozenset[int]]] = {}
        for taken in found:
            by_ranks.setdefault(rank_counts(taken, 11), set()).add(taken)
        for counts, sets in by_ranks.items():
            free = 0
            for marked in rules.marked_cards:
                there = sum(other // 4 == marked // 4 for other in floor)
                free += marked in floor and 0 < counts[marked // 4] < there
            assert len(sets) == 2**free
            several += free == 2
    assert several > 20 or name == "bastra"


@pytest.mark.parametrize(
    ("floor", "card", "changes", "expected"),
    [
        # The point two and another two, of which one is taken; all of them, or a two without points, is no choice.
        ("2C 2H 3D", "5S", {}, ["2C 3D", "2H 3D"]),
        ("2D 2H 3D", "5S", {}, ["2D 3D"]),
        ("2C 2H 3D", "5S", {"two_points": 0}, ["2C 3D"]),
        ("2S 2H 3D", "5S", {"two": "2S"}, ["2H 3D", "2S 3D"]),
        ("2C 2H 3D", "5S", {"two": "2S"}, ["2C 3D"]),
        ("2C 2D 2H 2S 4D", "6S", {}, ["2C 2D 2H 2S 4D"]),
        ("2C 2H 3D 3H", "5S", {}, ["2C 2H 3D 3H"]),
        ("2C 2H", "2S", {}, ["2C 2H"]),
        ("2C 2D 2H AC", "5S", {}, ["2C 2D AC", "2D 2H AC"]),
        # The seven of diamonds counts only where it sweeps.
        ("7C 7D 2H", "9S", {}, ["2H 7C"]),
        ("7C 7D 2H", "9S", SWEEPS, ["2H 7C", "2H 7D"]),
        ("7C 7D 2H 2D", "9S", SWEEPS, ["2D 2H 7C 7D"]),
        ("7C 7D", "7S", SWEEPS, ["7C 7D"]),
        ("7C KD JS", "7D", SWEEPS, ["7C JS KD"]),
        ("7C KD JS", "7D", {}, ["7C"]),
        ("2C 2D 7C 7D", "9S", SWEEPS, ["2C 2D 7C 7D"]),
        ("2C 2D 2H 7C 7D 7H 4H 3S", "9S", {**SWEEPS, "captures": "ranks"}, [""]),
        ("2C 2D 7C 7D 3H", "10S", SWEEPS, ["3H 7C", "3H 7D"]),
        ("2C 2D 7C 7D AH", "10S", SWEEPS, ["2C 7C AH", "2C 7D AH", "2D 7C AH", "2D 7D AH"]),
        # Other cards with points make no choice.
        ("AC AD 4H", "5S", {}, ["AC 4H"]),
        # The largest sets only; several of the same size remain.
        ("AC 2D 6H 7S 8D", "9C", {}, ["AC 2D 6H", "AC 2D 7S 8D"]),
        ("AC 2D 6H 7S 8D", "9C", {"captures": "most_cards"}, ["AC 2D 7S 8D"]),
        ("AC 2D 6H 7S 8D", "9C", {"captures": "ranks"}, [""]),
        ("2C 3D 4H", "6C", {"captures": "most_cards"}, ["2C 4H"]),
        ("2C 2H 3D", "5S", {"captures": "most_cards"}, ["2C 3D", "2H 3D"]),
        ("2H 3D 5S 7C 8H", "10S", {"captures": "most_cards"}, ["2H 3D 7C 8H"]),
        ("2H 3D 5S 7C 8H", "10S", {}, ["2H 3D 5S", "2H 3D 7C 8H"]),
        ("9C 4H 5D 9H", "9S", {"captures": "ranks"}, ["9C 9H"]),
        ("JC", "KD", {}, [""]),
        ("10C JC", "QD", {}, [""]),
        ("QC KC QH", "QD", {}, ["QC QH"]),
        ("", "JD", {}, [""]),
        ("", "7D", SWEEPS, [""]),
        ("7D", "KD", {**SWEEPS, "lone_seven": "any_card_but_jack"}, ["7D"]),
        ("7D 3C", "KD", {**SWEEPS, "lone_seven": "any_card_but_jack"}, [""]),
        ("AC 3C 4C 5C", "AD", {}, ["AC"]),
    ],
)
def test_what_a_card_takes(floor, card, changes, expected):
    found = taken_by(floor, card, **changes)
    assert len(found) == len(expected)
    for stated, right in zip(sorted(found), sorted(expected), strict=True):
        assert set(stated.split()) == set(right.split())


@pytest.mark.parametrize(
    ("name", "floor", "card", "flags", "points"),
    [
        ("bastra", "5C", "5D", "", 10),
        ("bastra", "2D 3C", "5D", "", 10),
        ("bastra", "KC", "KD", "", 10),
        ("bastra", "JC", "JD", "", 0),
        ("bastra", "3C 4C", "7D", "", 10),
        ("bastra", "5C", "5D", "last", 10),
        ("bastra", "2D 3C KC", "5D", "", 0),
        ("egyptian", "JC", "JD", "", 20),
        ("egyptian", "JC 5C", "JD", "", 0),
        ("egyptian", "5C", "JD", "", 0),
        ("egyptian", "10C", "7D", "", 10),
        ("egyptian", "4C 6C", "7D", "", 10),
        ("egyptian", "10C AC", "7D", "", 0),
        ("egyptian", "KC", "7D", "", 0),
        ("egyptian", "7C 4H 3D", "7D", "", 0),
        ("egyptian", "7D", "KC", "", 0),
        ("yemeni", "JC", "JD", "last", 20),
        ("yemeni", "10C", "7D", "", 10),
        ("yemeni", "10C 10H QC", "7D", "", 10),
        ("yemeni", "KC 9C", "7D", "", 0),
        ("yemeni", "4C 6C", "7D", "", 0),
        ("yemeni", "5C 5D", "7D", "", 10),
        ("yemeni", "AC 2C 7C 8C", "7D", "", 10),
        ("yemeni", "9C", "7D", "", 10),
        ("yemeni", "9C 9D", "7D", "", 10),
        ("yemeni", "JC", "7D", "", 0),
        ("ethiopian", "10C 4C 6C", "7D", "", 10),
        ("ethiopian", "AC 2C 7C 8C", "7D", "", 10),
        ("ethiopian", "4C 9C", "7D", "", 0),
        ("ethiopian", "QC", "7D", "", 0),
        ("ethiopian", "7D", "KC", "", 10),
        ("ethiopian", "7D", "JC", "", 0),
        ("ethiopian", "7D", "7C", "", 10),
        ("ethiopian", "JC", "JD", "", 0),
        ("lebanese-a", "5C", "5D", "", 10),
        ("lebanese-a", "2D 3C", "5D", "lone", 10),
        ("lebanese-a", "2D 3C", "5D", "", 0),
        ("lebanese-a", "5C 5H", "5D", "lone", 0),
        ("lebanese-a", "JC", "JD", "", 10),
        ("lebanese-b", "2D 3C", "5D", "lone", 0),
        ("lebanese-b", "QC", "QD", "", 10),
        ("lebanese-b", "JC", "JD", "", 10),
        ("palestinian", "AC", "AD", "", 2),
        ("palestinian", "3C 4C", "7D", "", 14),
        ("palestinian", "10C", "10D", "", 20),
        ("palestinian", "JC", "JD", "", 0),
        ("jordanian-a", "4C 5C", "9D", "", 18),
        ("jordanian-b", "QC", "QD", "", 20),
        ("jordanian-b", "KC KD", "KH", "", 20),
        ("jordanian-b", "3C", "3D", "", 6),
        ("syrian-a", "QC", "QD", "", 6),
        ("syrian-a", "KC", "KD", "", 8),
        ("syrian-a", "JC", "JD", "", 25),
        ("syrian-b", "JC", "JD", "", 25),
        ("syrian-b", "2C 6C", "8D", "", 16),
        ("basra-nl", "AC 9C", "7D", "", 10),
        ("basra-nl", "2C 9C", "7D", "", 0),
        ("basra-nl", "JC", "JD", "", 0),
        ("basra-en", "10C", "7D", "", 10),
        ("basra-en", "JC", "7D", "", 0),
    ],
)
def test_points_of_the_basra(name, floor, card, flags, points):
    rules, cards = variant(name).rules, parse_cards(floor)
    found = legal(rules, cards, parse_card(card), lone_before=flags == "lone", last_card=flags == "last")
    assert max(basra for _, basra in found) == points


@pytest.mark.parametrize(("name", "floor", "card"), [("bastra", "5C", "5D"), ("egyptian", "JC", "JD")])
def test_last_card_makes_no_basra_where_the_rules_say_so(name, floor, card):
    rules = override(variant(name).rules, {"last_card_basra": False})
    assert legal(rules, parse_cards(floor), parse_card(card), last_card=True)[0][1] == 0
    assert legal(rules, parse_cards(floor), parse_card(card))[0][1] > 0


@compiled
def most_choices(rules, tables, value, start, stop, room):
    """The most choices of a card on floors of lower numerals, from one index of the tables to another."""
    most = 0
    for index in range(start, stop):
        if tables.ranks[tables.offset[value] + index] < captures._PARTIAL:
            continue
        floor = np.int64(0)
        rest = index
        for rank in range(value - 1):
            four = (1 << rest % 5) - 1
            # Of the sevens, that of diamonds first.
            four = 2 if rank == 6 and four == 1 else four
            floor |= four << 4 * rank
            rest //= 5
        found = choices(rules, tables, floor, 4 * (value - 1), room)
        if found < 0:
            return np.int64(1 << 30)
        most = max(most, found)
    return np.int64(most)


def search_for_most(value: int) -> int:
    """The most choices of a card of a value, on any floor, where both marked cards make choices."""
    codes, size = capture_rules(variant("egyptian").rules), 5 ** (value - 1)

    def one(start: int) -> int:
        room = np.empty((4, CHOICE_ROOM), np.int64)
        return int(most_choices(codes, tables(), value, start, min(start + 3125, size), room))

    with ThreadPoolExecutor(2) as pool:
        return max(pool.map(one, range(0, size, 3125)))


@pytest.mark.parametrize(("value", "most"), [(2, 1), (3, 3), (4, 4), (5, 7), (6, 10), (7, 19), (8, 36)])
def test_most_choices_of_small_values(value, most):
    assert search_for_most(value) == most


@pytest.mark.slow
@pytest.mark.parametrize(("value", "most"), [(9, 61), (10, 88)])
def test_most_choices_of_all(value, most):
    assert search_for_most(value) == most
    assert 4 * most < CHOICE_ROOM


def test_more_choices_than_fit_are_an_error(monkeypatch):
    monkeypatch.setattr("basra_sim.legal.choices", lambda *_: -1)
    with pytest.raises(BasraError, match="more than 1024 choices for one card"):
        legal(Rules(), [0, 4], 8)
