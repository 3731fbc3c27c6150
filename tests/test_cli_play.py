"""The commands that play and those that replay: simulate, trace and replay."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from basra_sim import tables
from basra_sim.cards import card_names
from basra_sim.measures import MEASURES
from basra_sim.reference import explain, replay, replay_data
from basra_sim.simulation import simulate
from tests.commands import command, output, refusal

ROUNDS = Path(__file__).parent / "data" / "rounds.jsonl"

NOT_A_NUMBER = """
import math
from basra_sim import policy

@policy
def lost(view, play):
    return math.nan + view.deal
"""

TOO_MANY = "it must be a whole number from 1 to 1099511627776"


def traced(*args: object) -> str:
    return output("trace", *args)


def records(text: str) -> list[dict[str, Any]]:
    """Records of JSON Lines, cards whose order has no meaning in one order."""
    found = [json.loads(line) for line in text.splitlines()]
    return [each | {"leftover": sorted(each["leftover"])} if "leftover" in each else each for each in found]


def test_summary_as_json_is_the_library_s() -> None:
    args = ["simulate", "egyptian", "--players", 4, "--pairs", "--policy", "greedy", "--policy", "random"]
    found = json.loads(output(*args, "--rounds", 50, "--seed", 3, "--set", "target=121", "--threads", 2, "--json"))
    same = simulate(
        "egyptian", players=4, pairs=True, policies=["greedy", "random"], rounds=50, seed=3, changes={"target": 121}
    )
    assert found == same.to_dict()
    assert (found["units"], found["unit"], found["seed"]) == (50, "round", 3)


def test_threads_make_no_difference() -> None:
    args = ["simulate", "bastra", "--rounds", "20k", "--policy", "random", "--json"]
    assert output(*args, "--threads", 1) == output(*args, "--threads", 3)


def test_summary_as_text() -> None:
    args = ["simulate", "bastra", "--rounds", 200, "--seed", "7", "--policy", "counter", "--policy", "greedy"]
    text = output(*args, "--set", "buried=J,7D")
    assert text.startswith(
        "bastra, buried=J,7D, 2 players, 200 rounds, seed 7\n"
        "Players: 0 counter, 1 greedy\n"
        "Intervals at 95% confidence\n\n"
    )
    rows = [line.split() for line in text.splitlines()]
    summary = simulate("bastra", rounds=200, seed=7, policies=["counter", "greedy"], changes={"buried": "J,7D"})
    found = summary.estimate("total", 1)
    assert found.low is not None
    assert found.value is not None
    (total,) = [place for place, row in enumerate(rows) if row[:1] == ["total"]]
    assert [float(cell) for cell in rows[total + 1][1:3]] == pytest.approx([found.value, found.low], abs=0.05)
    assert "first margin: points of the first mover's team over the mean of the others" in text
    shown = {line[:14].strip() for line in text.splitlines()[6:] if line[:1].isalpha() and ":" not in line}
    assert shown == {name.replace("_", " ") for name, _, _ in summary.rows}


def test_summary_of_matches_as_text() -> None:
    text = output("simulate", "syrian-b", "--pairs", "--matches", 3)
    assert text.startswith("syrian-b, 4 players in pairs, 3 matches, seed 1\n")
    assert "Teams: 0 is seats 0 and 2, 1 is seats 1 and 3" in text
    assert "match won" in text
    assert "% of matches" in text
    assert "The shortest match lasted " in text


def test_summary_of_one_round_has_no_intervals() -> None:
    text = output("simulate", "bastra", "--rounds", 1)
    assert "1 round, seed 1" in text
    (row,) = [line.split() for line in text.splitlines() if line.startswith("cards ")]
    assert row[3:5] == ["-", "-"]


@pytest.mark.parametrize("name", ["bastra", "lebanese-a", "yemeni"])
def test_summary_of_three_fits(name: str) -> None:
    assert "3 players, 5 matches" in output("simulate", name, "--players", 3, "--matches", 5)


def test_every_measure_has_its_title() -> None:
    assert max(map(len, MEASURES)) <= 14


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("unit", ["rounds", "matches"])
def test_rounds_in_a_file(tmp_path: Path, ending: str, unit: str) -> None:
    file = tmp_path / f"rounds.{ending}"
    file.write_text("old")
    text = output("simulate", "bastra", f"--{unit}", 5, "--policy", "random", "--seed", 4, "--output", file)
    found = pd.read_csv(file) if ending == "csv" else pd.read_parquet(file)
    count: dict[str, int] = {unit: 5}
    assert_frame_equal(found, tables.rounds("bastra", policies="random", seed=4, **count), check_dtype=False)
    said = f"{file}: {len(found)} rows. bastra, 2 players, 5 {unit}, seed 4."
    assert text.replace("\n", " ").strip() == said or len(str(file)) > 60
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["bastr"], 'there is no variant "bastr" (did you mean bastra?)'),
        (
            ["bastra", "--players", "5"],
            "Invalid value for '--players': 5 is not possible: it takes a whole number from 2 to 4",
        ),
        (
            ["bastra", "--players", "3", "--pairs"],
            "pairs need 4 players, not 3: seats 0 and 2 play against seats 1 and 3",
        ),
        (["bastra", "--rounds", "0"], f"rounds = 0 is not possible: {TOO_MANY}"),
        (["bastra", "--matches", "2000000M"], f"matches = 2000000000000 is not possible: {TOO_MANY}"),
        (["bastra", "--rounds", "5", "--matches", "5"], "rounds and matches are both given: give one of them"),
        (
            ["bastra", "--seed", "-1"],
            "seed = -1 is not possible: it must be a whole number from 0 to 9223372036854775807",
        ),
        (
            ["bastra", "--threads", "257"],
            "Invalid value for '--threads': 257 is not possible: it takes a whole number from 1 to 256",
        ),
        (
            ["bastra", "--policy", "gredy"],
            (
                "no policy is called 'gredy' (did you mean greedy?); "
                "there are random, greedy, counter, adept, champion, expert, cheater, FILE.py:NAME, or FILE.json"
            ),
        ),
        (["bastra", *["--policy", "greedy"] * 3], "3 policies are given: it takes 1 or 2"),
        (["bastra", "--policy", "none.py"], "none.py: there is no such file"),
        (["bastra", "--set", "tarjet=3"], 'tarjet = "3": there is no such option (did you mean target?)'),
        (["bastra", "--set", "target"], '"target" changes nothing: write NAME=VALUE, such as target=121'),
        (["bastra", "--set", "target=x"], 'target = "x" is not possible: it takes a whole number from 1 to 100000'),
    ],
)
@pytest.mark.parametrize("name", ["simulate", "trace"])
def test_what_cannot_be_played(name: str, args: list[str], told: str) -> None:
    assert refusal(name, *args) == told


def test_hands_that_do_not_come_out_even() -> None:
    told = refusal("trace", "bastra", "--set", "hand_size=5")
    assert told.startswith("bastra with 2 players: hand_size = 5 does not come out even: ")
    assert "possible: hand_size = 1, 2, 3, 4, 6, 8, 12 or 24" in told


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--output", "{}/x.txt"], "{}/x.txt: the ending says the format: it must be .csv or .parquet"),
        (["--output", "{}/no/x.csv"], "{}/no/x.csv: the folder {}/no does not exist"),
        (["--output", "{}/x.csv", "--rounds", "0"], f"rounds = 0 is not possible: {TOO_MANY}"),
        (
            ["--output", "{}/x.csv", "--json"],
            "--json and --output are both given: give one of them (see basra-sim simulate --help)",
        ),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, more: list[str], told: str) -> None:
    args = [word.format(tmp_path) for word in more]
    assert refusal("simulate", "bastra", *args) == told.format(tmp_path, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path, ending: str) -> None:
    policy, file = tmp_path / "lost.py", tmp_path / f"rounds.{ending}"
    policy.write_text(NOT_A_NUMBER)
    file.write_text("old")
    told = refusal("simulate", "bastra", "--policy", policy, "--rounds", 5, "--output", file, code=1)
    assert told == "bastra: policy lost gave no number (nan) for a play"
    assert file.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == sorted([policy, file])


TABLES = [
    ("bastra", ["--rounds", 4]),
    ("egyptian", ["--matches", 2, "--policy", "random"]),
    ("lebanese-b", ["--players", 3, "--matches", 2]),
    ("palestinian", ["--players", 4, "--rounds", 3, "--policy", "counter"]),
    ("syrian-a", ["--pairs", "--matches", 2, "--policy", "counter", "--policy", "random"]),
    ("basra-nl", ["--rounds", 5, "--set", "bury_to=random", "--set", "two=2C"]),
    ("yemeni", ["--players", 4, "--matches", 1, "--set", "match_tie=extend", "--set", "extend_by=30"]),
]


@pytest.mark.parametrize(("name", "more"), TABLES)
def test_what_is_traced_stands(tmp_path: Path, name: str, more: list[object]) -> None:
    text = traced(name, *more, "--seed", 11)
    file = tmp_path / "rounds.jsonl"
    file.write_text(text)
    found = records(text)
    assert {record["variant"] for record in found} == {name}
    assert records(output("replay", file, "--json")) == found
    assert records(output("replay", "-", "--json", stdin=text)) == found
    lines = output("replay", file).splitlines()
    assert lines[-1] == f"{len(found)} rounds checked: all as the rules have it"
    for place, record in enumerate(found, 1):
        (line,) = [line for line in lines if line.startswith(f"line {place}: {name}, ")]
        totals = ":".join(str(score["total"]) for score in record["scores"])
        assert f": {totals}" in line
    assert sum(line.startswith("match ") for line in lines) == sum("winner" in record for record in found)


def test_trace_is_one_round_unless_more_are_asked_for() -> None:
    (record,) = records(traced("bastra"))
    assert (record["index"], record["seed"]) == (0, 1)
    assert records(traced("bastra", "--rounds", "3"))[0] == record
    assert len({record["match"] for record in records(traced("bastra", "--matches", 2))}) == 2


def test_trace_of_matches_tells_winners() -> None:
    text = traced("egyptian", "--matches", 2)
    lines = output("replay", "-", stdin=text).splitlines()
    won = [record["winner"] for record in records(text) if "winner" in record]
    assert [line for line in lines if line.startswith("match ")] == [
        f"match {number}: team {team} has won" for number, team in enumerate(won)
    ]
    last = records(text)[-1]
    score = [before + team["total"] for before, team in zip(last["score_before"], last["scores"], strict=True)]
    assert f", in all {score[0]}:{score[1]}" in lines[-3]


def test_published_rounds() -> None:
    stated = records(ROUNDS.read_text(encoding="utf-8"))
    lines = output("replay", ROUNDS).splitlines()
    assert lines[-1] == "49 rounds checked: all as the rules have it"
    assert sum(line.startswith("line ") for line in lines) == 49
    full = records(output("replay", ROUNDS, "--json"))
    assert [record["scores"] for record in full] == [record["scores"] for record in stated]


def test_explained() -> None:
    text = traced("bastra", "--rounds", 2)
    one, two = (replay(record, f"line {place}") for place, record in enumerate(records(text), 1))
    assert output("replay", "-", "--explain", stdin=text) == f"{explain(one)}\n{explain(two)}"
    told = records(output("replay", "-", "--explain", "--json", stdin=text))
    assert told == [json.loads(json.dumps(replay_data(each))) for each in (one, two)]
    assert len(told[0]["plays"]) == 48


def test_by_hand() -> None:
    """Four fields are enough, and in each play the card, where there is no choice."""
    (record,) = records(traced("bastra"))
    plays = [
        {"card": play["card"]} | ({"taken": play["taken"]} if len(step.legal) > 1 else {})
        for play, step in zip(record["plays"], replay(record).steps, strict=True)
    ]
    mine = {"variant": "bastra", "players": 2, "deck": record["deck"], "plays": plays}
    (full,) = records(output("replay", "-", "--json", stdin=json.dumps(mine)))
    assert full["scores"] == record["scores"]
    (line, last) = output("replay", "-", stdin=json.dumps(mine)).splitlines()
    totals = [score["total"] for score in record["scores"]]
    assert line == f"line 1: bastra, 2 players: {totals[0]}:{totals[1]}"
    assert last == "1 round checked: all as the rules have it"


def test_illegal_play_is_named(tmp_path: Path) -> None:
    found = records(traced("egyptian", "--matches", 1))
    steps = replay(found[0]).steps
    step = next(step for step in steps if step.choice.taken and len(step.legal) == 1)
    found[0]["plays"][step.number - 1]["taken"] = []
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(map(json.dumps, found)))
    told = refusal("replay", file, code=1)
    assert told.startswith(
        f"{file}: line 1 (match 0, round 0): play {step.number}: {card_names([step.card])[0]} cannot be laid"
    )
    assert told.endswith(f"legal: it takes {' '.join(card_names(step.choice.taken))}")


def test_what_holds_is_printed_before_what_does_not() -> None:
    one, two = records(traced("bastra", "--rounds", 2))
    two["scores"][0]["total"] += 1
    text = f"{json.dumps(one)}\n\n{json.dumps(two)}\n"
    done = command("replay", "-", stdin=text)
    assert done.exit_code == 1
    assert done.stdout.startswith("line 1: bastra, 2 players: ")
    right = two["scores"][0]["total"] - 1
    said = f"total of team 0 is stated as {right + 1}, right is {right}"
    assert done.stderr == f"Error: standard input: line 3: scores: {said}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "standard input holds no record: one is a line of JSON with variant, players, deck, plays"),
        ("\n  \n", "standard input holds no record: one is a line of JSON with variant, players, deck, plays"),
        ("{", "standard input: line 1: not JSON: "),
        ("\n[1]", "standard input: line 2: a record is an object of fields in braces, not a list"),
        ('{"variant": "bastra"}', "standard input: line 1: players, deck and plays are missing"),
        ('{"variant": "bastra", "dek": []}', 'standard input: line 1: unknown field "dek" (did you mean deck?)'),
        ("\x00\x07", "standard input: line 1: not JSON: "),
    ],
)
@pytest.mark.parametrize("more", [[], ["--json"], ["--explain"]])
def test_no_record(text: str, told: str, more: list[str]) -> None:
    assert refusal("replay", "-", *more, stdin=text).startswith(told)


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal("replay", tmp_path / "no") == f"{tmp_path}/no cannot be read: No such file or directory"
    assert refusal("replay", tmp_path) == f"{tmp_path} cannot be read: it is a folder, not a file"
    (tmp_path / "x").write_bytes(b"\xff\xfe{}")
    assert refusal("replay", tmp_path / "x") == f"{tmp_path}/x: line 1: not a text in UTF-8"
