"""The variants against a table written down independently; people's own files; settings."""

import json
import pickle
import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from basra_sim.rules import OPTIONS, RulesError
from basra_sim.variants import SOURCES, TABLE_COLUMNS, setting, variant, variant_names, variant_table

NAMES = (
    *("bastra", "egyptian", "yemeni", "ethiopian", "lebanese-a", "lebanese-b", "palestinian"),
    *("jordanian-a", "jordanian-b", "syrian-a", "syrian-b", "basra-nl", "basra-en"),
)
ALIASES = {"cypriot": "bastra", "ashush": "lebanese-b", "haddad": "jordanian-b", "homsi": "syrian-b"}

BASTRA: dict[str, Any] = {
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
SWEEPING_SEVEN = {"buried": ["J", "7D"], "seven_of_diamonds": "sweeps"}
THIRTY = {"majority_points": 30, "majority_tie": "carry", "target": 101}
THREE = {"majority_points": 3, "majority_tie": "none", "target": 101}
PAGE = SWEEPING_SEVEN | THIRTY | {"seven_basra": "sum_at_most_10", "jack_on_jack": 0, "deal": "packet"}
FACES = THREE | {"basra_scoring": "twice_face"}

# Every variant's rules where they are not those of `bastra`: typed from the rules, not from the files.
RULES: dict[str, dict[str, Any]] = {
    "bastra": {},
    "egyptian": SWEEPING_SEVEN | THIRTY | {"seven_basra": "sum_at_most_10", "jack_on_jack": 20},
    "yemeni": SWEEPING_SEVEN | THIRTY | {"seven_basra": "yemeni", "jack_on_jack": 20},
    "ethiopian": SWEEPING_SEVEN
    | THREE
    | {"seven_basra": "equal_groups_at_most_10", "lone_seven": "any_card_but_jack", "target": 52},
    "lebanese-a": THREE | {"hand_size": 6, "jack_on_jack": 10, "basra_when": "matches_lone_card_or_pair_sum"},
    "lebanese-b": THREE | {"hand_size": 6, "jack_on_jack": 10, "basra_when": "matches_lone_card"},
    "palestinian": FACES | {"pack": 44},
    "jordanian-a": FACES | {"pack": 44},
    "jordanian-b": FACES | {"queen_face": 10, "king_face": 10},
    "syrian-a": FACES | {"queen_face": 3, "king_face": 4, "jack_on_jack": 25},
    "syrian-b": FACES | {"pack": 44, "jack_on_jack": 25},
    "basra-nl": PAGE | {"two": "2S"},
    "basra-en": PAGE,
}

# Hand sizes for two, three and four players; 0 where so many cannot play.
HANDS = dict.fromkeys(NAMES, (4, 4, 4))
HANDS |= dict.fromkeys(("lebanese-a", "lebanese-b"), (6, 4, 6))
HANDS |= dict.fromkeys(("palestinian", "jordanian-a", "syrian-b"), (4, 0, 5))

ALTERNATIVES: dict[str, dict[str, tuple[Any, ...]]] = {name: {} for name in NAMES}
TIES = {"match_tie": ("draw", "extend"), "extend_by": (30, 50)}
ALTERNATIVES |= {
    "bastra": TIES,
    "egyptian": {"target": (121,), "jack_on_jack": (30,)},
    "yemeni": {"target": (121,)},
    "lebanese-b": {"hand_size": (4,)},
    "palestinian": TIES | {"target": (151,), "hand_size": (5,)},
    "jordanian-a": TIES | {"target": (151,), "hand_size": (5,)},
    "jordanian-b": TIES | {"target": (151,)},
    "syrian-a": TIES | {"target": (151,), "hand_size": (6,)},
    "syrian-b": TIES | {"target": (151,), "hand_size": (5,)},
    "basra-nl": {"bury_to": ("random",)},
    "basra-en": {"bury_to": ("random",)},
}

COUNTRIES = {
    "bastra": "Cyprus",
    "egyptian": "Egypt",
    "yemeni": "Yemen",
    "ethiopian": "Ethiopia",
    "lebanese-a": "Lebanon",
    "lebanese-b": "Lebanon",
    "palestinian": "Palestine and Jordan",
    "jordanian-a": "Jordan",
    "jordanian-b": "Jordan",
    "syrian-a": "Syria",
    "syrian-b": "Syria (Homs)",
    "basra-nl": "Lebanon, Egypt and Turkey",
    "basra-en": "the Middle East",
}

BASES = {
    "egyptian": "bastra",
    "yemeni": "egyptian",
    "ethiopian": "egyptian",
    "lebanese-a": "bastra",
    "lebanese-b": "lebanese-a",
    "palestinian": "bastra",
    "jordanian-a": "palestinian",
    "jordanian-b": "palestinian",
    "syrian-a": "palestinian",
    "syrian-b": "palestinian",
    "basra-en": "egyptian",
    "basra-nl": "basra-en",
}


def built_in_file(name: str) -> dict[str, Any]:
    """Fields of a built-in variant's file."""
    return tomllib.loads((resources.files("basra_sim.variants") / f"{name}.toml").read_text(encoding="utf-8"))


def test_names() -> None:
    assert variant_names() == NAMES
    files = {each.name for each in resources.files("basra_sim.variants").iterdir() if each.name.endswith(".toml")}
    assert files == {f"{name}.toml" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_rules(name: str) -> None:
    assert variant(name).rules.to_dict() == BASTRA | RULES[name]


@pytest.mark.parametrize("name", NAMES)
def test_about(name: str) -> None:
    page = name.startswith("basra-")
    about = variant(name)
    assert about.name == about.root == name
    assert about.title
    assert about.base == BASES.get(name)
    assert about.country == COUNTRIES[name]
    assert about.direction == ("anticlockwise" if page else "clockwise")
    assert about.first_to_play == ("the dealer's right" if page else "the dealer's left")
    assert about.dealer_look is page
    sources = {"basra-nl": ("page-nl",), "basra-en": ("page-en",)}
    assert about.sources == sources.get(name, ("article-en", "article-ru"))
    assert set(about.sources) <= set(SOURCES)
    assert about.aliases == tuple(alias for alias, meant in ALIASES.items() if meant == name)
    assert about.alternatives == ALTERNATIVES[name]
    assert about.notes
    assert all(note.endswith(".") for note in about.notes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands(name: str, players: int) -> None:
    size = HANDS[name][players - 2]
    if not size:
        assert variant(name).hand_sizes(players) == ()
        with pytest.raises(RulesError, match=rf"^{name} with {players} players: hand_size = 4 does not come out even"):
            setting(name, players)
        return
    made = setting(name, players)
    assert made.rules.hand_size == size
    assert set(made.hand_sizes) == {size}
    assert made.hand_sizes == variant(name).hand_sizes(players)
    assert sum(made.hand_sizes) * players == made.plays == made.rules.pack - 4
    assert (made.variant, made.label, made.changes) == (name, name, {})
    assert made.rules == replace(variant(name).rules, hand_size=size)


@pytest.mark.parametrize("name", NAMES)
def test_files_hold_only_what_differs(name: str) -> None:
    table = built_in_file(name)
    base = variant(table["base"]).describe() if "base" in table else None
    before = {rule["name"]: rule["value"] for rule in base["rules"]} if base else BASTRA
    assert {key for key in table if key in OPTIONS and table[key] == before[key]} == set()
    if base:
        assert [key for key in ("country", "direction", "dealer_look") if table.get(key) == base[key]] == []
        assert table.get("sources") != [source["id"] for source in base["sources"]]


def test_variants_travel() -> None:
    assert all(pickle.loads(pickle.dumps(variant(name))) == variant(name) for name in NAMES)
    assert len({variant(name) for name in NAMES}) == 13


@pytest.mark.parametrize("name", NAMES)
def test_names_are_read_with_ease(name: str) -> None:
    for text in (name.upper(), f" {name} ", name.replace("-", "_"), name.replace("-", " ")):
        assert variant(text) is variant(name)


@pytest.mark.parametrize("alias", ALIASES)
def test_aliases(alias: str) -> None:
    assert variant(alias) is variant(alias.upper()) is variant(ALIASES[alias])


def test_table() -> None:
    rows = {row["name"]: row for row in variant_table()}
    assert tuple(rows) == NAMES
    assert json.loads(json.dumps(rows)) == rows
    for name, row in rows.items():
        assert set(TABLE_COLUMNS) <= set(row)
        assert all(isinstance(row[column], str) for column in TABLE_COLUMNS)
        assert row["rules"] == BASTRA | RULES[name]
        assert row["alternatives"] == {key: list(values) for key, values in ALTERNATIVES[name].items()}
    columns = ("pack", "hand", "buried", "seven_of_diamonds", "jack_on_jack", "basra", "majority", "two", "target")
    cells = {name: tuple(row[column] for column in columns) for name, row in rows.items()}
    seven = "sweeps; basra: sum at most 10"
    assert cells["bastra"] == ("52", "4", "J", "ordinary", "0", "clears floor: 10", "3, each", "2C", "100")
    assert cells["egyptian"] == (
        *("52", "4", "J 7D", seven, "20 (or 30)", "clears floor: 10", "30, carry", "2C", "101 (or 121)"),
    )
    assert cells["ethiopian"][3] == "sweeps; basra: equal groups at most 10; alone: any card but jack"
    assert cells["lebanese-a"][1] == "6 (three players: 4)"
    assert cells["lebanese-a"][5] == "matches lone card or pair sum: 10"
    assert cells["lebanese-b"][1] == "6 (three players: 4; or 4)"
    assert rows["lebanese-b"]["aliases"] == "ashush"
    assert cells["palestinian"] == (
        *("44", "4 (four players: 5; or 5)", "J", "ordinary", "0", "clears floor: twice face", "3, none", "2C"),
        "101 (or 151)",
    )
    assert rows["palestinian"]["hand_size_for"] == {"4": 5}
    assert cells["syrian-a"][5] == "clears floor: twice face, Q 3, K 4"
    assert cells["basra-nl"] == ("52", "4", "J 7D", seven, "0", "clears floor: 10", "30, carry", "2S", "101")


@pytest.mark.parametrize("name", NAMES)
def test_description(name: str) -> None:
    about = variant(name).describe()
    assert json.loads(json.dumps(about)) == about
    rules = {rule["name"]: rule for rule in about["rules"]}
    assert {key: rule["value"] for key, rule in rules.items()} == BASTRA | RULES[name]
    assert {key for key, rule in rules.items() if rule["differs"]} == {
        key for key, value in RULES[name].items() if value != BASTRA[key]
    }
    for key, rule in rules.items():
        assert rule["in_bastra"] == BASTRA[key]
        assert rule["doc"] == OPTIONS[key].doc
        assert rule["alternatives"] == list(ALTERNATIVES[name].get(key, ()))
        assert (rule["meaning"] is None) == (OPTIONS[key].choices is None)
    assert about["notes"] == list(variant(name).notes)
    assert [source["description"] for source in about["sources"]] == [SOURCES[key] for key in variant(name).sources]
    tables = {(table["players"], table["pairs"]): table["hand_sizes"] for table in about["tables"]}
    sizes = dict(zip((2, 3, 4), HANDS[name], strict=True))
    seats = [(players, False) for players in (2, 3, 4)] + [(4, True)]
    assert list(tables) == [seat for seat in seats if sizes[seat[0]]]
    assert all(set(hands) == {sizes[players]} for (players, _), hands in tables.items())


def test_meaning_in_a_description() -> None:
    rules = {rule["name"]: rule for rule in variant("egyptian").describe()["rules"]}
    assert rules["seven_of_diamonds"]["meaning"] == "it takes the whole floor"
    assert rules["target"]["allowed"] == "a whole number from 1 to 100000"
