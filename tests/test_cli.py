"""The command line: its help, what it refuses and how, and the commands that look things up."""

import json
from pathlib import Path
from typing import Any

import pytest

from basra_sim import __version__
from basra_sim.cli import lookup, main
from basra_sim.cli.group import SECTIONS
from basra_sim.cli.options import number
from basra_sim.cli.text import WIDTH, table
from basra_sim.policies import policy_names
from basra_sim.rules import OPTIONS
from basra_sim.stats import decimals
from basra_sim.variants import TABLE_COLUMNS, variant_names, variant_table
from tests.commands import command, output, refusal

CASES = Path(__file__).parent / "data" / "captures.jsonl"

HOUSE = 'base = "egyptian"\ntitle = "As we play it"\ntarget = 121\n'


def test_version() -> None:
    assert output("--version") == f"basra-sim {__version__}\n"


@pytest.mark.parametrize("name", ["", *main.commands])
def test_help(name: str) -> None:
    text = output(*filter(None, [name]), "--help")
    assert output(*filter(None, [name]), "-h") == text
    assert "Examples:\n    basra-sim " in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_help_lists_commands_in_order() -> None:
    rows = output("--help").split("Play:\n")[1].split("Examples:")[0].splitlines()
    names = [row.split()[0] for row in rows if row.startswith("  ") and not row.isspace()]
    assert names == [name for names in SECTIONS.values() for name in names]


def test_help_names_all_policies() -> None:
    text = " ".join(output("simulate", "--help").split())
    assert f"How players choose: {', '.join(policy_names())}, FILE.py:NAME, or FILE.json." in text


def test_nothing_asked_for() -> None:
    done = command()
    assert done.exit_code == 2
    assert done.stderr == output("--help")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["simulat"], "there is no command 'simulat' (did you mean simulate?) (see basra-sim --help)"),
        (
            ["frobnicate"],
            "there is no command 'frobnicate': there are variants, captures, simulate, duel, ",
        ),
        (["--rounds", "3"], "No such option '--rounds' (see basra-sim --help)"),
        (["simulate"], "Missing argument 'VARIANT' (see basra-sim simulate --help)"),
        (["simulate", "bastra", "--rouns", "3"], "No such option '--rouns'. Did you mean '--rounds'?"),
        (
            ["simulate", "bastra", "egyptian"],
            "Got unexpected extra argument (egyptian) (see basra-sim simulate --help)",
        ),
        (["simulate", "bastra", "--rounds"], "Option '--rounds' requires an argument"),
        (["captures", "bastra", "--card", "7D"], "Missing option '--floor' (see basra-sim captures --help)"),
        (["bench", "fast"], "Got unexpected extra argument (fast) (see basra-sim bench --help)"),
    ],
)
def test_wrong_use(args: list[str], told: str) -> None:
    assert refusal(*args).startswith(told)


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("1_000_000", 10**6), ("250k", 250_000), ("10M", 10**7), ("1G", 10**9), (" 5 ", 5), ("-3", -3)],
)
def test_numbers(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "x", "1.5", "1e6", "10 M", "k", "1__0", "10m", "٣x", "9" * 50])
def test_no_numbers(text: str) -> None:
    told = refusal("simulate", "bastra", f"--rounds={text}")
    assert told.startswith("Invalid value for '--rounds': ")
    assert told.endswith("is no whole number: write it such as 5000, 1_000_000, 250k, 10M or 1G")


def test_table_breaks_the_widest_cells() -> None:
    rows = [["name", "word " * 30, "7"], ["n", "short", "12,345"]]
    lines = table(["what", "text", "count"], rows, right=[2])
    assert lines[1] == "-" * WIDTH
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[-1].startswith("n     short  ")
    assert lines[-1].endswith("  12,345")
    assert sum(line.count("word") for line in lines) == 30


@pytest.mark.parametrize(
    ("half_width", "digits"),
    [(None, 2), (0.0, 2), (123.0, 0), (12.0, 0), (1.2, 1), (0.12, 2), (0.0099, 4), (1e-9, 6)],
)
def test_decimals(half_width: float | None, digits: int) -> None:
    assert decimals(half_width) == digits


def test_table_of_variants() -> None:
    first, second, _ = output("variants").split("\n\n")
    for part in (first, second):
        names = [line.split()[0] for line in part.split("---\n")[1].splitlines() if not line.startswith(" ")]
        assert names == list(variant_names())
    assert all(heading.split()[0] in first + second for heading in TABLE_COLUMNS.values())
    assert "ashush" in first
    assert "101 (or 121)" in first
    assert "twice face" in second


def test_table_of_variants_as_json() -> None:
    assert json.loads(output("variants", "--json")) == json.loads(json.dumps(variant_table()))


@pytest.mark.parametrize("name", variant_names())
def test_one_variant(name: str) -> None:
    text = output("variants", name)
    about = json.loads(output("variants", name, "--json"))
    assert about["name"] == name
    assert text.startswith(name)
    for option in OPTIONS:
        assert f" {option}" in text
    flat = " ".join(text.split())
    for told in (
        about["title"],
        about["country"],
        *about["notes"],
        *(each["description"] for each in about["sources"]),
    ):
        assert told in flat
    for rule in about["rules"]:
        assert (f"* {rule['name']} " in text) == rule["differs"]
        assert rule["doc"] in flat


def test_one_variant_by_another_name_and_in_full() -> None:
    text = output("variants", "Ashush")
    assert text.startswith("lebanese-b (also ashush): ")
    assert "\n  3 players: 4 deals of 4 cards\n" in text
    assert "\n  4 players in two pairs: 2 deals of 6 cards\n" in text
    assert "\n* jack_on_jack       10\n" in text
    assert "\n  hand_size          " not in text


def test_own_variant(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE + 'buried = []\nshort_last_deal = true\nhand_size = 5\nsources = ["grandmother"]\n')
    text = output("variants", file)
    flat = " ".join(text.split())
    assert "As we play it" in flat
    assert "Differs from egyptian." in flat
    assert "\n* buried             none\n" in text
    assert "\n  2 players: 4 deals of 5 cards and one of 4\n" in text
    assert text.endswith("\nSources\n  - grandmother\n")


def test_no_such_variant(tmp_path: Path) -> None:
    assert refusal("variants", "egyptain") == 'there is no variant "egyptain" (did you mean egyptian?)'
    (tmp_path / "house.toml").write_text(HOUSE.replace("target", "tarjet"))
    told = refusal("variants", tmp_path / "house.toml")
    assert told == f"{tmp_path}/house.toml: tarjet = 121: there is no such field (did you mean target?)"
    told = refusal("variants", tmp_path / "hause.toml", "--json")
    assert told == f"{tmp_path}/hause.toml: there is no such file (did you mean house.toml?)"


def capture_cases() -> list[Any]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize("case", capture_cases(), ids=lambda case: case["why"])
def test_published_captures(case: dict[str, Any]) -> None:
    args = ["captures", case["variant"], "--floor", " ".join(case["floor"]), "--card", case["card"], "--json"]
    found = json.loads(output(*args, *(["--lone-before"] if case["lone_before"] else [])))
    assert list(found) == ["legal"]
    legal = {(frozenset(choice["taken"]), choice["basra"]) for choice in found["legal"]}
    assert legal == {(frozenset(choice["taken"]), choice["basra"]) for choice in case["legal"]}
    assert len(found["legal"]) == len(case["legal"])


def test_captures_in_full() -> None:
    args = ["captures", "bastra", "--floor", "AS 8D 2C 7H 6C", "--card", "9H"]
    assert json.loads(output(*args, "--json")) == {
        "legal": [
            {
                "taken": ["AS", "8D", "2C", "7H"],
                "basra": 0,
                "points": 3,
                "rule": "takes 8+A, 7+2 by sum; no basra, cards are left",
            },
            {
                "taken": ["AS", "2C", "6C"],
                "basra": 0,
                "points": 3,
                "rule": "takes 6+2+A by sum; no basra, cards are left",
            },
        ]
    }
    lines = output(*args).splitlines()
    assert lines[0].split() == ["takes", "basra", "points", "rule"]
    assert lines[2].split(maxsplit=6) == ["AS", "8D", "2C", "7H", "0", "3", lines[2].split(maxsplit=6)[-1]]
    assert len(lines) == 4


def test_captures_of_nothing() -> None:
    (choice,) = json.loads(output("captures", "bastra", "--floor", "", "--card", "jd", "--json"))["legal"]
    assert choice == {"taken": [], "basra": 0, "points": 0, "rule": "the floor is empty: it is laid"}
    assert "(it is laid)" in output("captures", "bastra", "--floor", "3C,4H", "--card", "K♦")


def test_captures_under_other_rules() -> None:
    args = ["captures", "bastra", "--floor", "JH", "--card", "JD", "--json"]

    def basra(*more: str) -> int:
        return int(json.loads(output(*args, *more))["legal"][0]["basra"])

    assert basra() == 0
    assert basra("--set", "jack_on_jack=25") == 25
    assert basra("--set", "jack_on_jack=25", "--last-card") == 25
    assert basra("--set", "jack_on_jack=25", "--set", "last_card_basra=no", "--last-card") == 0


def test_captures_of_a_crowded_floor_fit() -> None:
    floor = "AC AD AH 2C 2D 2H 3C 3D 3H 4C 4D 4H 5C 5D 6C 7D 8C 9C QC KC"
    assert output("captures", "bastra", "--floor", floor, "--card", "10C").count("\n") > 4


@pytest.mark.parametrize(
    ("floor", "card", "more", "told"),
    [
        ("7C XX", "7D", [], "--floor: 'XX' is no card: write rank and suit, such as AS, 10D or JH"),
        ("7C 7C", "7D", [], "--floor: 7C comes twice"),
        ("7C", "seven", [], "--card: 'seven' is no card: write rank and suit, such as AS, 10D or JH"),
        ("7C 7D", "7D", [], "7D lies on the floor, it cannot be played as well"),
        ("KC", "7D", ["--set", "pack=44"], "the pack of 44 cards has no KC"),
        ("7C", "7D", ["--set", "two=3C"], 'two = "3C" is not possible: it takes 2C or 2S'),
    ],
)
def test_impossible_captures(floor: str, card: str, more: list[str], told: str) -> None:
    line = refusal("captures", "bastra", "--floor", floor, "--card", card, *more)
    assert line == told


def test_engines_that_disagree_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra_sim.legal.legal", lambda *_, **__: [(frozenset({24}), 0)])
    told = refusal("captures", "bastra", "--floor", "7C", "--card", "7D", code=1)
    assert told == "the compiled and the readable engine disagree about 7D on 7C in bastra: please report it"


def test_value_of_every_option_can_be_set_again() -> None:
    """What is shown of a variant's options is what ``--set`` takes."""
    from basra_sim.cli.text import option_value
    from basra_sim.rules import Rules, parse_value

    for name, value in Rules(buried=("J", "7D")).to_dict().items():
        assert parse_value(name, option_value(value)) == (tuple(value) if isinstance(value, list) else value)
    assert parse_value("buried", option_value([])) == ()


def test_second_table_has_what_the_first_leaves_out() -> None:
    assert set(lookup._FIRST_TABLE) < set(TABLE_COLUMNS)
