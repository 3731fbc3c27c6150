"""The rules: defaults, spelling, limits, contradictions, changes; what a refusal says."""

import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from basra_sim.errors import InputError
from basra_sim.rules import (
    OPTIONS,
    Rules,
    RulesError,
    differences,
    override,
    parse_changes,
    parse_value,
)
from basra_sim.rules.wording import did_you_mean, either, shown

CHOICES: dict[str, tuple[Any, ...]] = {
    "pack": (52, 44),
    "deal": ("single", "packet"),
    "bury_to": ("bottom", "random"),
    "captures": ("maximal", "most_cards", "ranks"),
    "seven_of_diamonds": ("ordinary", "sweeps"),
    "seven_basra": ("never", "sum_at_most_10", "yemeni", "equal_groups_at_most_10"),
    "lone_seven": ("ordinary", "any_card_but_jack"),
    "basra_when": ("clears_floor", "matches_lone_card", "matches_lone_card_or_pair_sum"),
    "basra_scoring": ("flat", "twice_face"),
    "two": ("2C", "2S"),
    "majority_tie": ("each", "none", "carry"),
    "match_tie": ("more_rounds", "draw", "extend"),
}
LIMITS = {
    "hand_size": (1, 24),
    "basra_points": (0, 1000),
    "queen_face": (0, 1000),
    "king_face": (0, 1000),
    "jack_on_jack": (0, 1000),
    "ace_points": (0, 1000),
    "jack_points": (0, 1000),
    "two_points": (0, 1000),
    "ten_points": (0, 1000),
    "majority_points": (0, 1000),
    "target": (1, 100_000),
    "extend_by": (1, 1000),
}
SWITCHES = ("last_card_basra", "short_last_deal")
ALL_OPTIONS = {*CHOICES, *LIMITS, *SWITCHES, "buried"}

# What an option needs besides itself to have an effect.
COMPANIONS: dict[str, dict[str, object]] = {
    "seven_basra": {"seven_of_diamonds": "sweeps"},
    "lone_seven": {"seven_of_diamonds": "sweeps"},
    "queen_face": {"basra_scoring": "twice_face"},
    "king_face": {"basra_scoring": "twice_face"},
    "extend_by": {"match_tie": "extend"},
}

RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def refusal(changes: dict[str, object], base: Rules | None = None) -> str:
    """What is said against changes."""
    with pytest.raises(RulesError) as caught:
        override(base or Rules(), changes)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def changed_values() -> st.SearchStrategy[dict[str, Any]]:
    """Some options with values they take, contradictions included."""
    values: dict[str, st.SearchStrategy[Any]] = {name: st.sampled_from(choices) for name, choices in CHOICES.items()}
    values |= {name: st.integers(low, high) for name, (low, high) in LIMITS.items()}
    values |= {name: st.booleans() for name in SWITCHES}
    values["buried"] = st.lists(st.sampled_from([*RANK_NAMES, "7D"]), unique=True, max_size=4)
    return st.fixed_dictionaries({}, optional=values)


def test_options_are_the_fields() -> None:
    assert set(OPTIONS) == ALL_OPTIONS
    assert [field.name for field in fields(Rules)] == list(OPTIONS)


def test_defaults_are_bastra() -> None:
    assert Rules().to_dict() == {
        "pack": 52,
        "hand_size": 4,
        "deal": "single",
        "buried": ["J"],
        "bury_to": "bottom",
        "captures": "maximal",
        "seven_of_diamonds": "ordinary",
        "seven_basra": "never",
        "lone_seven": "ordinary",
        "basra_when": "clears_floor",
        "basra_scoring": "flat",
        "basra_points": 10,
        "queen_face": 0,
        "king_face": 0,
        "jack_on_jack": 0,
        "last_card_basra": True,
        "ace_points": 1,
        "jack_points": 1,
        "two": "2C",
        "two_points": 2,
        "ten_points": 3,
        "majority_points": 3,
        "majority_tie": "each",
        "target": 100,
        "match_tie": "more_rounds",
        "extend_by": 20,
        "short_last_deal": False,
    }


@pytest.mark.parametrize("name", sorted(ALL_OPTIONS))
def test_every_option_is_explained(name: str) -> None:
    option = OPTIONS[name]
    assert option.doc.endswith(".")
    assert option.choices is None or all(option.choices.values())


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in CHOICES for value in CHOICES[name]])
def test_every_choice_is_taken(name: str, value: object) -> None:
    rules = override(Rules(), {name: value} | COMPANIONS.get(name, {}))
    assert getattr(rules, name) == value
    assert override(Rules(), {name: str(value)} | COMPANIONS.get(name, {})) == rules


@pytest.mark.parametrize("name", CHOICES)
def test_there_are_no_other_choices(name: str) -> None:
    assert tuple(OPTIONS[name].choices or ()) == CHOICES[name]
    assert refusal({name: "other"}).startswith(f'{name} = "other" is not possible: it takes {either(CHOICES[name])}')
    assert refusal({name: 7}).startswith(f"{name} = 7 is not possible: it takes {either(CHOICES[name])}")


@pytest.mark.parametrize("name", LIMITS)
def test_limits_of_numbers(name: str) -> None:
    low, high = LIMITS[name]
    for value in (low, high):
        assert getattr(override(Rules(), {name: str(value)} | COMPANIONS.get(name, {})), name) == value
    for value in (low - 1, high + 1):
        says = f"{name} = {value} is not possible: it takes a whole number from {low} to {high}"
        assert refusal({name: value}) == refusal({name: str(value)}) == says


@pytest.mark.parametrize("value", [True, 1.0, None, "", "true", "ten", "1.0", "1_0", "+-1", [10], "9" * 50])
def test_numbers_are_whole_numbers(value: object) -> None:
    assert refusal({"jack_on_jack": value}).endswith("is not possible: it takes a whole number from 0 to 1000")


@pytest.mark.parametrize("name", SWITCHES)
def test_switches(name: str) -> None:
    for text, value in (("true", True), ("Yes", True), ("on", True), ("FALSE", False), ("no", False), (" off ", False)):
        assert getattr(override(Rules(), {name: text}), name) is value
    for wrong in (1, 0, None, "1", "maybe", ""):
        assert refusal({name: wrong}) == f"{name} = {shown(wrong)} is not possible: it takes true or false"


def test_numbers_of_other_libraries() -> None:
    numbers: dict[str, Any] = {"target": np.int64(121), "pack": np.uint8(44)}
    rules = Rules(**numbers)
    assert (type(rules.target), rules.target, type(rules.pack), rules.pack) == (int, 121, int, 44)
    for wrong in (np.True_, np.float64(3), np.array([1, 2])):
        assert refusal({"target": wrong}).endswith(" is not possible: it takes a whole number from 1 to 100000")


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("J,7D", ("J", "7D")),
        ("7d j", ("J", "7D")),
        ('["J", "7D"]', ("J", "7D")),
        (["7♦", "t"], ("10", "7D")),
        (("K", "AS", "A♣", "2"), ("2", "K", "AC", "AS")),
        ("", ()),
        ("none", ()),
        ([], ()),
    ],
)
def test_buried_in_one_spelling(value: object, names: tuple[str, ...]) -> None:
    assert override(Rules(), {"buried": value}).buried == names


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("J,J", 'buried = ["J", "J"]: J is there twice; once is enough'),
        (["7D", "7d"], 'buried = ["7D", "7d"]: 7D is there twice; once is enough'),
        ("JD,J", 'buried = ["JD", "J"]: JD is there twice; J means all four'),
        ("10H,10", 'buried = ["10H", "10"]: 10H is there twice; 10 means all four'),
        (
            "J,X",
            'buried = ["J", "X"]: "X" is no rank and no card; it takes a list of ranks (A to K) and cards, such as',
        ),
        ([7], "buried = [7]: 7 is no rank and no card; it takes a list of ranks (A to K) and cards, such as J,7D"),
        (7, "buried = 7 is not possible: it takes a list of ranks (A to K) and cards, such as J,7D"),
    ],
)
def test_buried_refused(value: object, says: str) -> None:
    assert refusal({"buried": value}).startswith(says)


def test_spelling_of_choices() -> None:
    rules = override(Rules(), {"two": " 2♠ ", "captures": "Most-Cards", "majority_tie": "CARRY"})
    assert (rules.two, rules.captures, rules.majority_tie) == ("2S", "most_cards", "carry")
    assert Rules(two="2s") == Rules(two="2S")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"targt": 121}, "targt = 121: there is no such option (did you mean target?)"),
        ({"hand-size": "6"}, 'hand-size = "6": there is no such option (did you mean hand_size?)'),
        (
            {"majority": 30},
            "majority = 30: there is no such option (did you mean majority_tie?)",
        ),
        (
            {"captures": "maximum"},
            'captures = "maximum" is not possible: it takes maximal, most_cards or ranks (did you mean maximal?)',
        ),
        ({"two": "2H"}, 'two = "2H" is not possible: it takes 2C or 2S'),
    ],
)
def test_near_misses(changes: dict[str, object], says: str) -> None:
    assert refusal(changes).startswith(says)


def test_unknown_option_lists_all() -> None:
    assert refusal({"xyz": 1}) == f"xyz = 1: there is no such option: there are {either(OPTIONS)}"


def useless(change: str, found: str, needed: str, default: str) -> str:
    """What is said of a change that has no effect."""
    name = change.split(maxsplit=1)[0]
    return f"{change} has no effect with {found}: it needs {needed}, else leave {name} at {default}"


SWEEPS = ('seven_of_diamonds = "ordinary"', 'seven_of_diamonds = "sweeps"')
FULL_PACK = ("pack = 44", "pack = 52")
TWICE = ('basra_scoring = "flat"', 'basra_scoring = "twice_face"')
FLAT = TWICE[::-1]
NOTHING = dict.fromkeys(("ace_points", "jack_points", "two_points", "ten_points", "majority_points", "basra_points"), 0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seven_basra": "yemeni"}, useless('seven_basra = "yemeni"', *SWEEPS, '"never"')),
        ({"lone_seven": "any_card_but_jack"}, useless('lone_seven = "any_card_but_jack"', *SWEEPS, '"ordinary"')),
        ({"pack": 44, "basra_scoring": "twice_face", "queen_face": 3}, useless("queen_face = 3", *FULL_PACK, "0")),
        ({"pack": 44, "basra_scoring": "twice_face", "king_face": 3}, useless("king_face = 3", *FULL_PACK, "0")),
        ({"queen_face": 3}, useless("queen_face = 3", *TWICE, "0")),
        ({"king_face": 4}, useless("king_face = 4", *TWICE, "0")),
        ({"basra_scoring": "twice_face", "basra_points": 20}, useless("basra_points = 20", *FLAT, "10")),
        ({"extend_by": 30}, useless("extend_by = 30", 'match_tie = "more_rounds"', 'match_tie = "extend"', "20")),
        (
            {"match_tie": "draw", "extend_by": 30},
            useless("extend_by = 30", 'match_tie = "draw"', 'match_tie = "extend"', "20"),
        ),
        ({"pack": 44, "buried": "J,Q"}, 'buried = ["J", "Q"]: a pack of 44 has no Q; leave it out or set pack = 52'),
        ({"pack": 44, "buried": "KH"}, 'buried = ["KH"]: a pack of 44 has no KH; leave it out or set pack = 52'),
        (NOTHING, "nothing scores, a match could never end: give one of the *_points options a value above 0"),
    ],
)
def test_contradictions(changes: dict[str, Any], says: str) -> None:
    assert refusal(changes) == says
    if not isinstance(changes.get("buried"), str):
        with pytest.raises(RulesError) as caught:
            Rules(**changes)
        assert str(caught.value) == says


@pytest.mark.parametrize(
    ("base", "changes", "follows"),
    [
        (
            {"seven_of_diamonds": "sweeps", "seven_basra": "yemeni", "lone_seven": "any_card_but_jack"},
            {"seven_of_diamonds": "ordinary"},
            {"seven_basra": "never", "lone_seven": "ordinary"},
        ),
        (
            {"basra_scoring": "twice_face", "queen_face": 3, "king_face": 4},
            {"pack": 44},
            {"queen_face": 0, "king_face": 0, "basra_scoring": "twice_face"},
        ),
        (
            {"basra_scoring": "twice_face", "queen_face": 3, "king_face": 4},
            {"basra_scoring": "flat"},
            {"queen_face": 0, "king_face": 0},
        ),
        ({"basra_points": 30}, {"basra_scoring": "twice_face"}, {"basra_points": 10}),
        ({"match_tie": "extend", "extend_by": 50}, {"match_tie": "draw"}, {"extend_by": 20}),
        ({"buried": ("J", "Q", "KH")}, {"pack": 44}, {"buried": ("J",)}),
    ],
)
def test_inherited_options_without_effect_fall_back(
    base: dict[str, Any], changes: dict[str, object], follows: dict[str, object]
) -> None:
    before = Rules(**base)
    after = override(before, changes)
    expected = {name: getattr(before, name) for name in OPTIONS} | changes | follows
    assert {name: getattr(after, name) for name in OPTIONS} == expected


def test_a_change_that_contradicts_what_stands_is_refused() -> None:
    assert refusal({"queen_face": 3}, Rules(pack=44, basra_scoring="twice_face")).startswith("queen_face = 3 has no")
    assert refusal({"pack": 44, "queen_face": 3}, Rules(basra_scoring="twice_face")).startswith("queen_face = 3 has no")


def test_a_change_to_the_default_is_never_refused() -> None:
    harmless = {"seven_basra": "never", "queen_face": 0, "extend_by": 20, "basra_points": 10}
    assert override(Rules(), harmless) == Rules()


def test_rules_cannot_be_altered() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules().target = 5  # type: ignore[misc]  # that it cannot be done is the point


def test_rules_are_keys_and_travel() -> None:
    rules = Rules(two="2s", buried=("7d", "j"))
    assert {rules: 1}[Rules(two="2S", buried=("J", "7D"))] == 1
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_derived_properties() -> None:
    rules = Rules(buried=("J", "7D"), two="2S", seven_of_diamonds="sweeps")
    assert rules.buried_cards == (25, 40, 41, 42, 43)
    assert rules.two_card == 7
    assert rules.seven_sweeps
    assert rules.marked_cards == (7, 25)
    plain = Rules(buried=())
    assert plain.buried_cards == ()
    assert plain.two_card == 4
    assert not plain.seven_sweeps
    assert plain.marked_cards == (4,)
    assert Rules(two_points=0).marked_cards == ()


def test_parse_value() -> None:
    assert parse_value("target", " 121 ") == 121
    assert parse_value("last_card_basra", "no") is False
    assert parse_value("buried", "none") == ()
    assert parse_value("two", "2s") == "2S"
    with pytest.raises(RulesError, match=r"^tow = \"2S\": there is no such option \(did you mean two\?\)$"):
        parse_value("tow", "2S")


def test_parse_changes() -> None:
    texts = ["target=121", " buried = J, 7D", "last_card_basra=off", "two=2S"]
    assert parse_changes(texts) == {"target": 121, "buried": ("J", "7D"), "last_card_basra": False, "two": "2S"}
    assert parse_changes([]) == {}


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["target"], '"target" changes nothing: write NAME=VALUE, such as target=121'),
        (["=5"], '"=5" changes nothing: write NAME=VALUE, such as target=121'),
        (["target=121", "target=151"], 'target = "151": it is already set to 121; set it once'),
        (["target=0"], "target = 0 is not possible: it takes a whole number from 1 to 100000"),
        (["targt=5"], 'targt = "5": there is no such option (did you mean target?)'),
    ],
)
def test_parse_changes_refused(texts: list[str], says: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_changes(texts)
    assert str(caught.value) == says


@given(changed_values())
def test_changes_are_made_or_refused_whole(changes: dict[str, Any]) -> None:
    try:
        rules = override(Rules(), changes)
    except RulesError as error:
        text = str(error)
        assert any(name in text for name in changes) or text.startswith("nothing scores")
        return
    differs = differences(rules, Rules())
    assert set(differs) <= set(changes)
    assert override(Rules(), differs) == rules
    assert Rules(**{name: getattr(rules, name) for name in OPTIONS}) == rules
    texts = [f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in differs.items()]
    assert override(Rules(), parse_changes(texts)) == rules


def test_errors_are_input_errors() -> None:
    assert issubclass(RulesError, InputError)
    assert RulesError("x").exit_code == 2


def test_words() -> None:
    assert either(["a"]) == "a"
    assert either([1, 2]) == "1 or 2"
    assert either("abc") == "a, b or c"
    assert (
        did_you_mean("lebanese", ["lebanese-a", "lebanese-b", "bastra"]) == " (did you mean lebanese-a or lebanese-b?)"
    )
    assert did_you_mean("xyz", ["bastra"]) == ""
    assert did_you_mean("xyz", []) == ""
    assert shown(["J", 7, True]) == '["J", 7, true]'
    assert shown("a\nb") == '"a\\nb"'
    assert shown("x" * 300) == '"' + "x" * 99 + "…"
    assert "\n" not in shown(np.array([[1], [2]]))
    assert len(shown(10**6000)) <= 101
