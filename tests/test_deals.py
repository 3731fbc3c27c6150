"""Packs and chance numbers: the published generator again in plain Python, and what chance itself must look like."""

from collections import Counter
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from basra_sim import deals
from basra_sim.cards import card_set, cards_in, parse_card, parse_cards
from basra_sim.variants import setting

WORD = 1 << 64
GOLDEN = 0x9E3779B97F4A7C15
RESTS = (42, 31, 18)
"""Sizes of the undrawn rest at which the shuffle begins a new word."""

numbers = st.one_of(st.integers(0, 2**63 - 1), st.sampled_from([0, 1, 2**31, 2**32, 2**62, 2**63 - 2, 2**63 - 1]))


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def mix_gamma(z: int) -> tuple[int, bool]:
    """Gamma, and whether it had to be mended for want of changes between neighbouring bits."""
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD % WORD
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 % WORD
    z = (z ^ z >> 33) | 1
    few = (z ^ z >> 1).bit_count() < 24
    return z ^ 0xAAAAAAAAAAAAAAAA if few else z, few


class Splittable:
    """Steele, Lea and Flood's generator, as published: a state that grows by a gamma, mixed for each word."""

    def __init__(self, state: int, gamma: int = GOLDEN) -> None:
        self.state, self.gamma = state % WORD, gamma

    def advance(self) -> int:
        self.state = (self.state + self.gamma) % WORD
        return self.state

    def next(self) -> int:
        return mix(self.advance())

    def split(self) -> "Splittable":
        return Splittable(self.next(), mix_gamma(self.advance())[0])

    def skip(self, words: int) -> None:
        self.state = (self.state + words * self.gamma) % WORD


def stream_of(seed: int, index: int) -> Splittable:
    """The generator split off a seed's for the index-th time, from 0: each split takes two steps."""
    parent = Splittable(mix(seed))
    parent.skip(2 * index)
    return parent.split()


def draw_places(bounds: list[int], words: Any, size: int = WORD) -> tuple[list[int], int]:
    """Places below each bound from one word (Brackett-Rozinsky and Lemire); and how many words were refused."""
    for refused, word in enumerate(words):
        places = []
        for bound in bounds:
            place, word = divmod(word * bound, size)
            places.append(place)
        if word >= size % prod(bounds):
            return places, refused
    raise AssertionError("the words have run out")


def twin_deck(seed: int, index: int, pack: int) -> tuple[list[int], list[int]]:
    """Pack by Fisher and Yates; and how many words were refused in each batch of draws."""
    source = stream_of(seed, index)
    deck, undrawn, refused = list(range(pack)), pack, []
    for rest in (*RESTS, 1):
        places, refusals = draw_places(list(range(undrawn, rest, -1)), iter(source.next, None))
        refused.append(refusals)
        for place in places:
            undrawn -= 1
            deck[place], deck[undrawn] = deck[undrawn], deck[place]
    return deck, refused


@cache
def decks(seed: int, count: int, pack: int = 52) -> npt.NDArray[np.int64]:
    """Packs of the first indices of a seed, a row each."""
    room = np.zeros((count, deals.DECK_ROOM), np.uint8)
    for index in range(count):
        deals.open_round(seed, index, pack, 0, 0, 0, room[index])
    return room[:, :pack].astype(np.int64)


def places(seed: int, count: int) -> npt.NDArray[np.int64]:
    """Place of each card in each pack."""
    return np.argsort(decks(seed, count), axis=1)


def check_chance(statistic: float, freedom: float) -> None:
    """A chi-square statistic is neither too large nor too small; at fixed seeds, so it holds once and for all."""
    assert 0.001 < stats.chi2.sf(statistic, freedom) < 0.999


def check_independent(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> None:
    """Two rows of small whole numbers hang together no more than chance would have it."""
    counts = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(counts, (a, b), 1)
    test = stats.chi2_contingency(counts, correction=False)
    assert test.expected_freq.min() > 5
    check_chance(test.statistic, test.dof)


def test_generator_of_this_test_gives_the_published_words():
    source = Splittable(1234567)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [source.next() for _ in published] == published


@given(numbers, numbers, st.integers(0, 2**21))
def test_stream_is_the_splittable_generator(seed, index, k):
    start, gamma = deals.stream(seed, index)
    source = stream_of(seed, index)
    assert (start, gamma) == (source.state, source.gamma)
    source.skip(k)
    assert deals.word(np.uint64(start), np.uint64(gamma), k) == source.next()


def test_streams_are_split_off_one_after_another():
    parent, mended = Splittable(mix(5)), 0
    for index in range(1000):
        child = parent.split()
        assert deals.stream(5, index) == (child.state, child.gamma)
        mended += mix_gamma(parent.state)[1]
    assert 5 < mended < 50


@given(numbers, numbers, st.sampled_from([52, 44]))
def test_deck_by_the_published_way(seed, index, pack):
    assert deals.deck(seed, index, pack) == twin_deck(seed, index, pack)[0]


@pytest.mark.parametrize("pack", [52, 44])
def test_deck_where_words_are_refused(pack):
    refused = np.zeros(4, int)
    for index in range(3000):
        deck, refusals = twin_deck(7, index, pack)
        assert deals.deck(7, index, pack) == deck
        refused += refusals
    sizes = zip((pack, *RESTS), (*RESTS, 1), strict=True)
    expected = [3000 * (WORD % prod(range(first, last, -1))) / WORD for first, last in sizes]
    assert refused[1] > 10
    assert refused[2] > 40
    assert all(abs(number - mean) <= 4 * mean**0.5 + 0.5 for number, mean in zip(refused, expected, strict=True))


def test_several_places_of_one_word_are_unbiased():
    bounds, size = [7, 6, 5], 1 << 11
    drawn = Counter[tuple[int, ...]]()
    for word in range(size):
        if word * prod(bounds) % size >= size % prod(bounds):
            drawn[tuple(draw_places(bounds, [word], size)[0])] += 1
    assert set(drawn) == set(product(range(7), range(6), range(5)))
    assert set(drawn.values()) == {size // prod(bounds)}


def test_a_batch_of_draws_leaves_little_to_refuse():
    for first, last in ((52, 42), (44, 42), (42, 31), (31, 18), (18, 1)):
        assert prod(range(first, last, -1)) < 2**61


@pytest.mark.parametrize(
    ("seed", "index", "pack", "wrong"),
    [
        (-1, 0, 52, "seed is -1: it must be 0 to 2^63 - 1"),
        (2**63, 0, 52, "seed is 9223372036854775808"),
        (0, -1, 52, "index is -1"),
        (0, 2**63, 52, "index is 9223372036854775808"),
        (0, 0, 48, "pack is 48: it must be 52 or 44"),
    ],
)
def test_deck_refuses_what_is_out_of_range(seed, index, pack, wrong):
    with pytest.raises(ValueError, match="is") as error:
        deals.deck(seed, index, pack)
    assert str(error.value).startswith(wrong)


@pytest.mark.parametrize(("seed", "pack"), [(1, 52), (2, 44), (2**63 - 1, 52)])
def test_each_card_in_each_place(seed, pack):
    count = 30_000
    dealt = decks(seed, count, pack)
    table = np.array([np.bincount(dealt[:, place], minlength=pack) for place in range(pack)])
    # Rows and columns of the table are both fixed, which takes from the statistic as from its degrees of freedom.
    statistic = ((table - count / pack) ** 2 / (count / pack)).sum() * (pack - 1) / pack
    check_chance(statistic, (pack - 1) ** 2)


@pytest.mark.parametrize("place", [0, 9, 17, 30, 41, 50])
def test_each_pair_of_cards_in_neighbouring_places(place):
    count = 30_000
    first, second = decks(1, count)[:, place], decks(1, count)[:, place + 1]
    table = np.zeros((52, 52))
    np.add.at(table, (first, second), 1)
    assert not np.diag(table).any()
    expected = count / (52 * 51)
    off = ~np.eye(52, dtype=bool)
    check_chance(((table[off] - expected) ** 2 / expected).sum(), 52 * 51 - 1)


def test_inversions_of_packs():
    count = 10_000
    dealt = decks(1, count)
    upper = np.triu(np.ones((52, 52), bool), 1)
    inversions = np.array([(deck[:, None] > deck[None, :])[upper].sum() for deck in dealt])
    variance = 52 * 51 * 109 / 72
    z = (inversions.mean() - 52 * 51 / 4) / (variance / count) ** 0.5
    assert abs(z) < 3.3
    check_chance(count * inversions.var() / variance, count - 1)


@pytest.mark.parametrize("step", [1, 2, 64])
@pytest.mark.parametrize("card", [0, 40, 51])
def test_packs_of_neighbouring_indices_are_independent(card, step):
    where = places(1, 30_000)[:, card]
    check_independent(where[:-step], where[step:])


@pytest.mark.parametrize(("one", "other"), [(1, 2), (0, 1), (2**62, 2**62 + 1), (5, 5 ^ 1 << 40)])
def test_packs_of_neighbouring_seeds_are_independent(one, other):
    count = 20_000
    first, second = places(one, count), places(other, count)
    check_independent(first[:, 40], second[:, 40])
    check_independent(first[1:, 7], second[:-1, 7])
    correlation = np.corrcoef(first.ravel(), second.ravel())[0, 1]
    # The 52 places of a pack are bound to their sum: 51 free ones.
    assert abs(correlation) < 3.3 / (count * 51) ** 0.5


def test_packs_do_not_come_twice():
    seen = {tuple(deck) for seed in (1, 2, 3) for deck in decks(seed, 5000).tolist()}
    assert len(seen) == 15_000


def test_every_bit_of_seed_and_index_counts():
    plain = np.array(deals.deck(0, 0))
    others = [deals.deck(1 << bit, 0) for bit in range(63)] + [deals.deck(0, 1 << bit) for bit in range(63)]
    same = [(plain == other).sum() for other in others]
    assert 50 < sum(same) < 210
    assert max(same) < 8


def test_words_of_plays_have_nothing_to_do_with_the_shuffle():
    count, last = 30_000, 47
    words = np.zeros((count, 3), np.uint64)
    for index in range(count):
        start, gamma = map(np.uint64, deals.stream(1, index))
        for column, k in enumerate((0, 1, last)):
            words[index, column] = deals.word(start, gamma, deals.FIRST_CHOICE_WORD + k)
    high = (words >> np.uint64(59)).astype(np.int64)
    where = places(1, count)
    for column in range(3):
        check_chance(stats.chisquare(np.bincount(high[:, column], minlength=32)).statistic, 31)
        for card in (0, 40, 51):
            check_independent(high[:, column], where[:, card])
    check_independent(high[:, 0], high[:, 1])
    check_independent(high[:-1, 2], high[1:, 2])


def opened(pack: str, hands: int, buried: str, *, at_random: bool = False, number: int = 0) -> tuple[str, str]:
    """Floor and stock, by name, of a pack from which so many cards are dealt to hands first."""
    names = pack.split()
    numbers = {name: parse_card(name) for name in names}
    names_of = {card: name for name, card in numbers.items()}
    cards = np.zeros(deals.DECK_ROOM, np.uint8)
    cards[: len(names)] = [numbers[name] for name in names]
    kept = card_set(parse_cards(buried))
    start, gamma = map(np.uint64, deals.stream(3, number))
    floor, top, end = deals.lay_floor(start, gamma, 0, len(names), hands, kept, int(at_random), cards)
    laid = [names_of[int(card)] for card in cards[hands : hands + 4]]
    assert set(cards_in(floor)) == {numbers[name] for name in laid}
    assert [names_of[int(card)] for card in cards[:hands]] == names[:hands]
    return " ".join(laid), " ".join(names_of[int(card)] for card in cards[top:end])


@pytest.mark.parametrize(
    ("pack", "hands", "floor", "stock"),
    [
        ("AC 2C 3C 4C 5C 6C", 0, "AC 2C 3C 4C", "5C 6C"),
        ("JC JD 3C 4C 5C 6C 7C", 2, "3C 4C 5C 6C", "7C"),
        ("AC JC 3C 4C 5C 6C", 0, "AC 5C 3C 4C", "6C JC"),
        ("AC 2C 3C JC 5C", 0, "AC 2C 3C 5C", "JC"),
        ("JC 2C JD 4C 5C 6C 7C", 0, "5C 2C 6C 4C", "7C JC JD"),
        ("JC 2C 3C 4C JD JH 7C 8C", 0, "7C 2C 3C 4C", "8C JC JD JH"),
        ("JC JD JH JS 5C 6C 7C 8C 9C", 0, "5C 6C 7C 8C", "9C JC JD JH JS"),
        ("AC 2C JC 4C JD", 0, "AC 2C JC 4C", "JD"),
        ("JC JD 3C 4C 5C", 0, "5C JD 3C 4C", "JC"),
        ("AC 2C 3C JC", 0, "AC 2C 3C JC", ""),
        ("JC 2C 3C 4C JD JH JS 5C", 0, "5C 2C 3C 4C", "JC JD JH JS"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_buried_at_the_bottom(pack, hands, floor, stock):
    assert opened(pack, hands, "JC JD JH JS") == (floor, stock)


@pytest.mark.parametrize("hands", [0, 8, 36])
@pytest.mark.parametrize(("floor", "laid"), [("AC 2C JC 4C", "AC 2C 5C 4C"), ("AC JC 3C JD", "AC 5C 3C 6C")])
def test_buried_at_random_is_uniform(hands, floor, laid):
    others = [f"{rank}{suit}" for suit in "HS" for rank in ("A", 2, 3, 4, 5, 6, 7, 8, 9, 10, "Q", "K")]
    others += [f"{rank}D" for rank in ("A", 2, 3, 4, 5, 6, 7, 8, 9, 10, "Q", "K")]
    rest = ["7C", "8C", "9C", "10C", "QC", "KC"]
    rest = rest if "JD" in floor else ["6C", *rest]
    pack = " ".join([*others[:hands], floor, *(card for card in ("5C", "6C") if card in laid), *rest])
    seen = Counter[str]()
    for number in range(8000):
        found, stock = opened(pack, hands, "JC JD", at_random=True, number=number)
        assert found == laid
        assert [card for card in stock.split() if card[0] != "J"] == rest
        seen[stock] += 1
    # A jack that comes to lie on top comes up again and is put back again.
    assert len(seen) == (8 * 7 if "JD" in floor else 8)
    check_chance(stats.chisquare([*seen.values()]).statistic, len(seen) - 1)


@pytest.mark.parametrize("variant", ["bastra", "egyptian", "palestinian"])
@pytest.mark.parametrize("bury_to", ["bottom", "random"])
def test_open_round_is_the_pack_of_its_index_with_the_floor_turned_up(variant, bury_to):
    rules = setting(variant, 2, False, {"bury_to": bury_to}).rules
    buried = rules.buried_cards
    for index in range(300):
        cards = np.zeros(deals.DECK_ROOM, np.uint8)
        floor, top, end = deals.open_round(9, index, rules.pack, 8, card_set(buried), int(bury_to == "random"), cards)
        deck, laid = deals.deck(9, index, rules.pack), cards[8:12].tolist()
        assert cards[:8].tolist() == deck[:8]
        assert card_set(laid) == floor
        assert not set(laid) & set(buried)
        stock = cards[top:end].tolist()
        assert sorted([*deck[:8], *laid, *stock]) == list(range(rules.pack))
        assert [card for card in laid if card not in deck[8:12]] == [c for c in deck[12:] if c not in buried][
            : len(set(deck[8:12]) & set(buried))
        ]


def test_room_of_a_deal_suffices_however_much_is_buried():
    rules = setting("bastra", 2, False, {"buried": "A,2,3,4,5,6,7,8,9,10,J,Q", "bury_to": "random"}).rules
    buried = card_set(rules.buried_cards)
    for first_hands, index in [(8, 29081), (2, 8294), *((2, index) for index in range(1000))]:
        cards = np.full(1 << 13, 99, np.uint8)
        _, top, end = deals.open_round(1, index, 52, first_hands, buried, 1, cards)
        assert top <= end <= deals.DECK_ROOM
        assert (cards[deals.DECK_ROOM :] == 99).all()
