"""People's own variant files, and what is said against names and files that are wrong."""

from pathlib import Path
from typing import Any

import pytest

from basra_sim.rules import Rules, RulesError
from basra_sim.variants import setting, variant, variant_names
from tests.test_variants import BASTRA, RULES


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    """Write a file into the current folder; its name."""
    Path(name).write_text(text, encoding="utf-8")
    return name


def refusal(name: Any) -> str:
    """What is said against a variant."""
    with pytest.raises(RulesError) as caught:
        variant(name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


ALL_NAMES = f"there are {', '.join(variant_names()[:-1])} or basra-en, or a file NAME.toml"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("egyptain", 'there is no variant "egyptain" (did you mean egyptian?)'),
        ("lebanese", 'there is no variant "lebanese" (did you mean lebanese-a or lebanese-b?)'),
        ("hommsi", 'there is no variant "hommsi" (did you mean homsi?)'),
        ("xyz", f'there is no variant "xyz": {ALL_NAMES}'),
        ("", f'there is no variant "": {ALL_NAMES}'),
    ],
)
def test_unknown_names(name: str, says: str, here: Path) -> None:
    assert refusal(name) == says


def test_very_long_name() -> None:
    assert refusal("x" * 5000).startswith('there is no variant "xxx')


def test_own_file(here: Path) -> None:
    text = 'base = "egyptian"\ntarget = 121\nburied = ["7d", "J", "Q"]\nlast_card_basra = false\n'
    name = write("house.toml", text)
    own = variant(name)
    changed = {"target": 121, "buried": ["J", "Q", "7D"], "last_card_basra": False}
    assert own.rules.to_dict() == BASTRA | RULES["egyptian"] | changed
    assert (own.name, own.title, own.base, own.root) == (name, name, "egyptian", "egyptian")
    assert (own.aliases, own.notes, own.sources) == ((), (), variant("egyptian").sources)
    assert (own.country, own.direction) == ("Egypt", "clockwise")
    assert own.alternatives == {"jack_on_jack": (30,)}
    assert variant(here / name).rules == variant(str(here / name)).rules == variant(f"./{name}").rules == own.rules
    made = setting(name, 3, changes={"target": "51"})
    assert (made.variant, made.label, made.players) == ("egyptian", name, 3)
    assert made.changes == changed | {"target": 51}
    assert setting(own, 3, changes={"target": 51}) == made
    assert own.describe()["rules"]


def test_own_file_about_itself(here: Path) -> None:
    text = """
    base = "cypriot"
    title = "At home"
    aliases = ["ours"]
    country = "Norway"
    sources = ["my aunt", "page-en"]
    direction = "anticlockwise"
    first_to_play = "the youngest"
    dealer_look = true
    notes = ["As my aunt has it."]
    hand_size = 6
    hand_size_for = { 3 = 8 }
    alternatives = { two = ["2s"], target = [50, 100] }
    """
    about = variant(write("house.toml", text)).describe()
    expected = {
        "title": "At home",
        "aliases": ["ours"],
        "country": "Norway",
        "direction": "anticlockwise",
        "first_to_play": "the youngest",
        "dealer_look": True,
        "notes": ["As my aunt has it."],
        "base": "bastra",
    }
    assert {key: about[key] for key in expected} == expected
    assert about["sources"] == [
        {"id": "my aunt", "description": "my aunt"},
        {"id": "page-en", "description": "page of rules for Basra, in English"},
    ]
    assert [table["hand_sizes"] for table in about["tables"]] == [[6] * 4, [8] * 2, [6] * 2, [6] * 2]
    own = variant("house.toml")
    assert own.alternatives == {"match_tie": ("draw", "extend"), "extend_by": (30, 50), "two": ("2S",), "target": (50,)}


def test_own_file_without_base_rests_on_bastra(here: Path) -> None:
    own = variant(write("plain.toml", "target = 50"))
    assert (own.base, own.rules) == ("bastra", Rules(target=50))
    assert variant(write("empty.toml", "")).rules == Rules()


def test_own_file_on_own_file(here: Path) -> None:
    (here / "inner").mkdir()
    write("inner/one.toml", 'base = "homsi"\ntarget = 151\n')
    write("inner/two.toml", 'base = "one.toml"\njack_on_jack = 30\n')
    own = variant(write("three.toml", 'base = "inner/two.toml"\nten_points = 5\n'))
    changed = {"target": 151, "jack_on_jack": 30, "ten_points": 5}
    assert own.rules.to_dict() == BASTRA | RULES["syrian-b"] | changed
    assert (own.root, own.base) == ("syrian-b", str(Path("inner/two.toml")))
    made = setting("three.toml", 4, pairs=True)
    assert (made.variant, made.changes, made.rules.hand_size) == ("syrian-b", changed, 5)


def test_own_file_without_premise(here: Path) -> None:
    own = variant(write("tame.toml", 'base = "ethiopian"\nseven_of_diamonds = "ordinary"\n'))
    tame = {"seven_of_diamonds": "ordinary", "seven_basra": "never", "lone_seven": "ordinary"}
    assert own.rules.to_dict() == BASTRA | RULES["ethiopian"] | tame


def test_own_hand_size_replaces_special_ones(here: Path) -> None:
    write("one.toml", 'base = "palestinian"\nhand_size = 2\n')
    assert setting("one.toml", 4).hand_sizes == (2,) * 5
    write("five.toml", 'base = "palestinian"\nhand_size = 5\nhand_size_for = { 4 = 5 }\n')
    assert variant("five.toml").hand_size_for == {}
    write("full.toml", 'base = "palestinian"\npack = 52\n')
    assert variant("full.toml").hand_size_for == {}
    assert setting("full.toml", 4).hand_sizes == (4,) * 3


WRONG_FILES = [
    ('target = "51"', 'target = "51" is not possible: it takes a whole number from 1 to 100000 without quotes'),
    ('short_last_deal = "true"', 'short_last_deal = "true" is not possible: it takes true or false without quotes'),
    ("short_last_deal = 1", "short_last_deal = 1 is not possible: it takes true or false"),
    ("target = true", "target = true is not possible: it takes a whole number from 1 to 100000"),
    ("target = 0", "target = 0 is not possible: it takes a whole number from 1 to 100000"),
    ("target = 1979-05-27", "target = date 1979-05-27 is not possible: it takes a whole number from 1 to 100000"),
    ("target = 10.0", "target = 10.0 is not possible: it takes a whole number from 1 to 100000"),
    ("tarjet = 3", "tarjet = 3: there is no such field (did you mean target?)"),
    ("[rules]\ntarget = 3", 'rules = {"target": 3}: there is no such field: it may hold pack, hand_size, deal'),
    ('captures = "some"', 'captures = "some" is not possible: it takes maximal, most_cards or ranks'),
    ('buried = ["J", "J"]', 'buried = ["J", "J"]: J is there twice; once is enough'),
    ('buried = "J"', 'buried = "J" is not possible: it takes a list of ranks (A to K) and cards, such as J,7D (in a'),
    (
        "pack = 44\nbasra_scoring = 'twice_face'\nqueen_face = 3",
        "queen_face = 3 has no effect with pack = 44: it needs",
    ),
    ('base = "palestinian"\nking_face = 3', "king_face = 3 has no effect with pack = 44: it needs pack = 52, else"),
    ("hand_size = 7", "no number of players can play this; 2 players: hand_size = 7 does not come out even: 48 cards"),
    ("hand_size_for = { 5 = 3 }", "hand_size_for: 5 = 3 is not possible: 2, 3 or 4 can play"),
    ("hand_size_for = 4", "hand_size_for = 4 is not possible: it takes a table such as { 3 = 4 }"),
    ("hand_size_for = { 3 = '6' }", 'hand_size_for: 3 players: hand_size = "6" is not possible: it takes a whole'),
    ("hand_size_for = { 3 = 6 }", "hand_size_for: 3 players: hand_size = 6 does not come out even: 48 cards are left"),
    ("alternatives = { targt = [1] }", "alternatives: targt: there is no such option (did you mean target?)"),
    ("alternatives = { target = 1 }", "alternatives: target = 1 is not possible: it takes a list such as [121]"),
    (
        "alternatives = { target = [0] }",
        "alternatives: target = 0 is not possible: it takes a whole number from 1 to 100000",
    ),
    ("alternatives = 1", "alternatives = 1 is not possible: it takes a table of lists such as { target = [121] }"),
    ("notes = 'x'", 'notes = "x" is not possible: it takes a list of texts in quotes'),
    ("aliases = [1]", "aliases = [1] is not possible: it takes a list of texts in quotes"),
    ("title = 3", "title = 3 is not possible: it takes a text in quotes"),
    ("direction = 'left'", 'direction = "left" is not possible: it takes clockwise or anticlockwise'),
    ("dealer_look = 1", "dealer_look = 1 is not possible: it takes true or false"),
    ("base = 3", "base: 3 is not possible: it takes the name of a variant in quotes"),
    ("base = 'egyptain'", 'base: there is no variant "egyptain" (did you mean egyptian?)'),
    ("base = 'none.toml'", "base: none.toml: there is no such file"),
    ("base = 'house.toml'", "base: house.toml: the files rest on each other (house.toml -> house.toml); one of them"),
    (
        "target 51",
        "this is no TOML: ",
    ),
    ("target = 1\ntarget = 2", "this is no TOML: "),
    (f"target = {'9' * 5000}", "this is no TOML: "),
    (f"target = {'[' * 50000}", "this is no TOML: "),
]


@pytest.mark.parametrize(("text", "says"), WRONG_FILES, ids=[text[:30] for text, _ in WRONG_FILES])
def test_wrong_files(text: str, says: str, here: Path) -> None:
    said = refusal(write("house.toml", text))
    assert said.startswith(f"house.toml: {says}")
    form = '; a variant file has lines such as base = "egyptian" and target = 121'
    assert said.endswith(form) == ("TOML" in said)


def test_files_that_rest_on_each_other(here: Path) -> None:
    (here / "x").mkdir()
    write("a.toml", 'base = "x/b.toml"')
    write("x/b.toml", 'base = "../x/../a.toml"')
    assert "the files rest on each other (a.toml -> b.toml -> a.toml); one of them needs a" in refusal("a.toml")
    write("c.toml", 'base = "x/b.toml"')
    assert "(b.toml -> a.toml -> b.toml)" in refusal("c.toml")


def test_error_in_the_base_names_both_files(here: Path) -> None:
    write("one.toml", "target = 0")
    says = "target = 0 is not possible: it takes a whole number from 1 to 100000"
    assert refusal(write("two.toml", 'base = "one.toml"')) == f"two.toml: base: one.toml: {says}"


def test_files_that_are_not_there(here: Path) -> None:
    write("house.toml", "")
    assert refusal("huose.toml") == "huose.toml: there is no such file (did you mean house.toml?)"
    assert refusal("other/x.toml") == "other/x.toml: there is no such file"
    assert refusal("house") == 'there is no variant "house" (for the file write house.toml)'
    assert refusal("bad\0name.toml").startswith("'bad\\x00name.toml': there is no such file")
    (here / "folder.toml").mkdir()
    assert refusal("folder.toml").startswith("folder.toml: the file cannot be read: ")
    Path("bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert refusal("bytes.toml").startswith("bytes.toml: this is no text in UTF-8; a variant file has lines such as")


def test_uneven_hand_in_a_file_names_the_file(here: Path) -> None:
    write("house.toml", "hand_size = 6")
    with pytest.raises(RulesError, match=r"^house\.toml with 3 players: hand_size = 6 does not come out even"):
        setting("house.toml", 3)
