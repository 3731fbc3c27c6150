"""What may be captured, by the readable engine, against published positions and a third definition."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from basra_sim.cards import card_name, parse_card, parse_cards, rank_of, value_of
from basra_sim.errors import InputError
from basra_sim.reference import Choice, legal_choices, same_choice
from basra_sim.rules import Rules, override
from basra_sim.variants import setting, variant, variant_names
from tests import naive_captures

DATA = Path(__file__).parent / "data"
POSITIONS = [json.loads(line) for line in (DATA / "captures.jsonl").read_text(encoding="utf-8").splitlines()]

CAPTURE_OPTIONS: dict[str, Sequence[object]] = {
    "captures": ("maximal", "maximal", "most_cards", "ranks"),
    "seven_of_diamonds": ("ordinary", "sweeps", "sweeps"),
    "seven_basra": ("never", "sum_at_most_10", "yemeni", "equal_groups_at_most_10"),
    "lone_seven": ("ordinary", "any_card_but_jack"),
    "basra_when": ("clears_floor", "matches_lone_card", "matches_lone_card_or_pair_sum"),
    "basra_scoring": ("flat", "twice_face"),
    "basra_points": (10, 10, 7, 0),
    "queen_face": (0, 3),
    "king_face": (0, 4),
    "jack_on_jack": (0, 20),
    "last_card_basra": (True, False),
    "two": ("2C", "2S"),
    "two_points": (2, 0),
}
"""Everything that says what a card may take and what that scores."""


def capture_rules(draw: Any) -> Rules:
    """Rules with every option that matters for captures drawn, those without effect left at their default."""
    drawn = {name: draw(st.sampled_from(values)) for name, values in CAPTURE_OPTIONS.items()}
    if drawn["seven_of_diamonds"] == "ordinary":
        drawn |= {"seven_basra": "never", "lone_seven": "ordinary"}
    if drawn["basra_scoring"] == "flat":
        drawn |= {"queen_face": 0, "king_face": 0}
    else:
        drawn["basra_points"] = 10
    return override(Rules(), drawn)


@st.composite
def positions(draw: Any, most: int = 7) -> tuple[Rules, list[int], int, bool, bool]:
    """Rules, floor, card, and whether one lay alone before and the card is the last; low cards come often."""
    rules = capture_rules(draw)
    cards = st.one_of(st.integers(0, 51), st.integers(0, 27), st.sampled_from([4, 5, 7, 24, 25, 26, 27, 36, 40, 41]))
    drawn = draw(st.lists(cards, unique=True, min_size=1, max_size=most + 1))
    return rules, drawn[1:], drawn[0], draw(st.booleans()), draw(st.booleans())


def by_key(rules: Rules, choices: Sequence[Choice]) -> dict[tuple[str, ...], int]:
    found = {naive_captures.key(rules, choice.taken): choice.basra for choice in choices}
    assert len(found) == len(choices), "no choice twice"
    return found


def taken_by(floor: str, card: str, rules: Rules | None = None) -> list[str]:
    """Captures as texts."""
    choices = legal_choices(rules or Rules(), parse_cards(floor), parse_card(card))
    return [" ".join(map(card_name, choice.taken)) for choice in choices]


@pytest.mark.parametrize("case", POSITIONS, ids=[f"{case['variant']}: {case['why']}" for case in POSITIONS])
def test_published_positions(case: dict[str, Any]) -> None:
    floor, card = parse_cards(case["floor"]), parse_card(case["card"])
    choices = legal_choices(variant(case["variant"]).rules, floor, card, lone_before=case["lone_before"])
    expected = [(set(parse_cards(legal["taken"])), legal["basra"]) for legal in case["legal"]]
    assert len(choices) == len(expected)
    assert all((set(choice.taken), choice.basra) in expected for choice in choices)


def test_all_published_positions_are_there() -> None:
    assert len(POSITIONS) == 45


@settings(max_examples=1500)
@given(positions())
@example(
    (override(Rules(), {"lone_seven": "any_card_but_jack", "seven_of_diamonds": "sweeps"}), [25], 41, False, False)
)
def test_choices_are_those_of_all_subsets(position: tuple[Rules, list[int], int, bool, bool]) -> None:
    rules, floor, card, lone_before, last_card = position
    choices = legal_choices(rules, floor, card, lone_before=lone_before, last_card=last_card)
    expected = naive_captures.choices(rules, frozenset(floor), card, lone_before, last_card)
    assert by_key(rules, choices) == expected
    for choice in choices:
        assert list(choice.taken) == sorted(choice.taken)
        assert set(choice.taken) <= set(floor)
        assert choice.reason.isprintable()


@pytest.mark.parametrize("name", variant_names())
def test_choices_of_each_variant_are_those_of_all_subsets(name: str) -> None:
    rules, draw = variant(name).rules, random.Random(name)
    for _ in range(150):
        card, *floor = draw.sample(range(rules.pack), draw.choice((2, 2, 3, 3, 4, 5, 6, 8)))
        lone_before = draw.random() < 0.5
        choices = legal_choices(rules, floor, card, lone_before=lone_before)
        assert by_key(rules, choices) == naive_captures.choices(rules, frozenset(floor), card, lone_before)


@settings(max_examples=300)
@given(positions(most=12), st.randoms(use_true_random=False))
def test_choices_do_not_depend_on_suits(
    position: tuple[Rules, list[int], int, bool, bool], draw: random.Random
) -> None:
    """Another suit for each card of a rank, marked cards staying as they are, gives the same choices."""
    rules, floor, card, lone_before, last_card = position
    flags = {"lone_before": lone_before, "last_card": last_card}
    fixed = {card_name(other) for other in (*rules.marked_cards, 25)}
    renamed: dict[int, int] = {}
    for rank in range(13):
        free = [4 * rank + suit for suit in range(4) if card_name(4 * rank + suit) not in fixed]
        renamed.update(zip(free, draw.sample(free, len(free)), strict=True))
    before = legal_choices(rules, floor, card, **flags)
    after = legal_choices(rules, [renamed.get(other, other) for other in floor], renamed.get(card, card), **flags)
    assert by_key(rules, before) == by_key(rules, after)
    assert [choice.reason for choice in before] == [choice.reason for choice in after]


def packing(draw: random.Random, cards: Sequence[int], total: int) -> set[int]:
    """Groups of a sum taken from cards at random until none is left."""
    taken: set[int] = set()
    while True:
        # Each sum that can still be reached, with one way to reach it; the order of cards makes the way random.
        ways: dict[int, list[int]] = {0: []}
        for card in draw.sample(cards, len(cards)):
            if card not in taken:
                for reached, way in list(ways.items()):
                    ways.setdefault(reached + value_of(card), [*way, card])
        if total not in ways:
            return taken
        taken |= set(ways[total])


def counts(cards: Iterable[int]) -> Counter[int]:
    return Counter(map(rank_of, cards))


@settings(max_examples=80)
@given(st.lists(st.integers(0, 39), unique=True, min_size=13, max_size=37), st.randoms(use_true_random=False))
def test_choices_on_crowded_floors(cards: list[int], draw: random.Random) -> None:
    """Too many cards for subsets: choices divide and leave nothing, and whatever is taken at random lies within one."""
    card, *floor = cards
    choices = [set(choice.taken) for choice in legal_choices(Rules(), floor, card)]
    wanted, same = value_of(card), {other for other in floor if rank_of(other) == rank_of(card)}
    for taken in choices:
        assert same <= taken
        left = [other for other in floor if other not in taken]
        assert not packing(draw, left, wanted)
        assert sum(map(value_of, taken - same)) % wanted == 0
    assert not any(counts(one) < counts(other) for one in choices for other in choices)
    for _ in range(8):
        taken = same | packing(draw, [other for other in floor if other not in same], wanted)
        assert any(counts(taken) <= counts(choice) for choice in choices)


def test_floor_of_all_numerals_is_taken_at_once() -> None:
    started = time.perf_counter()
    (choice,) = legal_choices(Rules(), list(range(36)), parse_card("10H"))
    assert choice.taken == tuple(range(36))
    assert choice.basra == 10
    for missing in range(36):
        assert legal_choices(Rules(), [card for card in range(36) if card != missing], parse_card("10H"))
    assert time.perf_counter() - started < 10


def test_suits_are_a_choice_only_with_marked_cards() -> None:
    assert taken_by("2H 2D 3S", "5C") == ["2D 3S"]
    assert taken_by("2H 2D 2C 3S", "5C") == ["2C 3S", "2D 3S"]
    assert taken_by("2H 2D 2S 3S", "5C") == ["2D 3S"]
    assert taken_by("2C 2H 3D 3S", "5C") == ["2C 2H 3D 3S"]
    spades = override(Rules(), {"two": "2S"})
    assert taken_by("2H 2D 2S 3S", "5C", spades) == ["2S 3S", "2D 3S"]
    assert taken_by("2H 2C 3S", "5C", spades) == ["2C 3S"]
    pointless = override(Rules(), {"two_points": 0})
    assert taken_by("2H 2C 3S", "5C", pointless) == ["2C 3S"]


def test_powerful_seven_is_a_choice_of_its_own() -> None:
    egyptian = variant("egyptian").rules
    assert taken_by("7S 7D 2H", "9C", egyptian) == ["2H 7D", "2H 7S"]
    assert taken_by("7S 7D 2H", "9C") == ["2H 7D"]
    assert sorted(taken_by("7S 7D 2C 2H", "9C", egyptian)) == ["2C 2H 7D 7S"]
    assert sorted(taken_by("7S 7D 7H 2C 2H", "9C", egyptian)) == ["2C 2H 7D 7H", "2C 2H 7H 7S"]
    assert sorted(taken_by("2C 2D 7S 7D 9H", "9C", egyptian)) == ["2C 2D 7D 7S 9H"]
    assert len(taken_by("2C 2D 3S 4S 7S 7D", "9C", egyptian)) == len(set(taken_by("2C 2D 3S 4S 7S 7D", "9C", egyptian)))


def test_same_choice() -> None:
    egyptian = variant("egyptian").rules
    assert same_choice(egyptian, parse_cards("2H 7S"), parse_cards("7H 2D"))
    assert not same_choice(egyptian, parse_cards("2H 7S"), parse_cards("2H 7D"))
    assert not same_choice(egyptian, parse_cards("2C 7S"), parse_cards("2H 7S"))
    assert same_choice(Rules(), parse_cards("2H 7S"), parse_cards("2H 7D"))


def test_captures_option() -> None:
    floor = "AC 8D 2H 7S 6D"
    assert taken_by(floor, "9C") == ["AC 2H 7S 8D", "AC 2H 6D"]
    assert taken_by(floor, "9C", override(Rules(), {"captures": "most_cards"})) == ["AC 2H 7S 8D"]
    assert taken_by(floor, "9C", override(Rules(), {"captures": "ranks"})) == [""]
    assert taken_by(floor + " 9S 9D", "9C", override(Rules(), {"captures": "ranks"})) == ["9D 9S"]
    # Sets of equally many cards stay a choice: 5 takes A-4 or 2-3 beside each other, but 6 on A 2 3 4 5 has several.
    assert taken_by("AC 2H 3D 4S", "5C", override(Rules(), {"captures": "most_cards"})) == ["AC 2H 3D 4S"]
    assert len(taken_by("3D 4S 5S 6S", "10C", override(Rules(), {"captures": "most_cards"}))) == 1
    assert len(taken_by("2D 8S 8H", "10C", override(Rules(), {"captures": "most_cards"}))) == 1
    assert len(taken_by("2D AS 7S 8H", "10C", override(Rules(), {"captures": "most_cards"}))) == 1
    assert sorted(taken_by("AS 4H 5D 3S 2H", "10C", override(Rules(), {"captures": "most_cards"}))) == ["AS 2H 3S 4H"]


def test_jack_and_empty_floor() -> None:
    for card in ("JH", "7D", "4C", "QS"):
        (choice,) = legal_choices(variant("egyptian").rules, [], parse_card(card))
        assert choice.taken == ()
        assert choice.basra == 0
    assert taken_by("QH 3C JD 9S", "JC") == ["3C 9S JD QH"]


def test_jack_on_more_than_a_lone_jack_is_no_basra() -> None:
    """Two jacks can lie on an opening floor from which jacks are not buried."""
    egyptian = variant("egyptian").rules
    for floor, points in (("JC", 20), ("JC JD", 0), ("JC 4D", 0), ("4D", 0)):
        (choice,) = legal_choices(egyptian, parse_cards(floor), parse_card("JH"))
        assert (len(choice.taken), choice.basra) == (len(floor.split()), points)


def test_basra_of_no_points_is_none() -> None:
    (choice,) = legal_choices(override(Rules(), {"basra_scoring": "twice_face"}), parse_cards("KD"), parse_card("KH"))
    assert choice.basra == 0
    assert "no basra" in choice.reason


def test_seven_follows_its_own_basras_only() -> None:
    """A sweeping seven of diamonds is judged by `seven_basra`, whatever other captures need for a basra."""
    changes = {"seven_of_diamonds": "sweeps", "basra_when": "matches_lone_card"}
    floor, seven = parse_cards("7C"), parse_card("7D")
    for seven_basra, points in (("never", 0), ("sum_at_most_10", 10)):
        (choice,) = legal_choices(override(Rules(), changes | {"seven_basra": seven_basra}), floor, seven)
        assert choice.basra == points
    (choice,) = legal_choices(
        override(Rules(), changes | {"seven_basra": "sum_at_most_10"}), parse_cards("2C 3H"), parse_card("7D")
    )
    assert choice.basra == 10


@pytest.mark.parametrize(("changed", "points"), [({}, 10), ({"last_card_basra": False}, 0)])
def test_last_card_basra(changed: dict[str, object], points: int) -> None:
    rules = override(Rules(), changed)
    (choice,) = legal_choices(rules, parse_cards("4D"), parse_card("4S"), last_card=True)
    assert choice.basra == points
    (choice,) = legal_choices(rules, parse_cards("4D"), parse_card("4S"))
    assert choice.basra == 10
    jack = override(rules, {"jack_on_jack": 20})
    (choice,) = legal_choices(jack, parse_cards("JD"), parse_card("JS"), last_card=True)
    assert choice.basra == 2 * points


@pytest.mark.parametrize(
    ("floor", "card", "part"),
    [
        ([0, 4], 0, "AC lies on the floor"),
        ([0, 4, 0], 8, "the floor holds AC twice"),
        ([0, 52], 8, "no card 52"),
        ([0, -1], 8, "no card -1"),
        ([0], 99, "no card 99"),
    ],
)
def test_impossible_positions_are_refused(floor: list[int], card: int, part: str) -> None:
    with pytest.raises(InputError, match=part):
        legal_choices(Rules(), floor, card)


def test_cards_outside_the_pack_are_refused() -> None:
    with pytest.raises(InputError, match="the pack of 44 cards has no QD"):
        legal_choices(variant("palestinian").rules, parse_cards("QD"), 0)


def test_reasons_name_the_rules() -> None:
    def reasons(floor: str, card: str, name: str = "bastra") -> str:
        return "|".join(
            choice.reason for choice in legal_choices(variant(name).rules, parse_cards(floor), parse_card(card))
        )

    assert reasons("3C 6D 5H 4S 9D", "9H") == "takes the 9 by rank and 6+3, 5+4 by sum; the floor is cleared: basra"
    assert reasons("KC KD KS", "KH") == "takes all three Ks by rank; the floor is cleared: basra"
    assert reasons("7S", "7D", "palestinian") == "takes the 7 by rank; the floor is cleared: basra of twice its face"
    assert "groups of 9 (8+A, 7+2): basra" in reasons("AC 2D 7S 8H", "7D", "yemeni")
    assert "only tens, queens and kings: basra" in reasons("10C QD", "7D", "yemeni")
    assert "no basra with this floor" in reasons("KC", "7D", "egyptian")
    assert "a jack on a lone jack: basra" in reasons("JC", "JH", "egyptian")
    assert "taken by any card but a jack: basra" in reasons("7D", "2C", "ethiopian")


def test_order_is_fixed_and_largest_first() -> None:
    draw = random.Random(5)
    for _ in range(200):
        card, *floor = draw.sample(range(40), 12)
        choices = legal_choices(variant("egyptian").rules, floor, card)
        assert choices == legal_choices(variant("egyptian").rules, set(floor), card)
        assert all(len(one.taken) >= len(other.taken) for one, other in pairwise(choices))


def test_rules_in_a_setting_are_the_variants() -> None:
    rules = setting("yemeni", 3).rules
    assert replace(rules, hand_size=variant("yemeni").rules.hand_size) == variant("yemeni").rules


def test_import_is_cheap() -> None:
    code = (
        "import sys, basra_sim.reference, basra_sim.records; "
        "print([name for name in ('numpy', 'numba', 'pandas', 'click') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
