"""The command duel: it says what the library finds, in a table and as JSON."""

import json
from pathlib import Path

import pytest

from basra_sim.experiment import duel
from tests.commands import output, refusal


def test_json_is_the_library_s() -> None:
    args = ["duel", "counter", "greedy", "--variant", "egyptian", "--pairs", "--opponent", "random", "--rounds", 120]
    found = json.loads(output(*args, "--seed", 3, "--set", "target=121", "--threads", 2, "--json"))
    same = duel(
        *("counter", "greedy", "egyptian"),
        players=4,
        pairs=True,
        opponent="random",
        deals=120,
        seed=3,
        changes={"target": 121},
    )
    assert found == same.to_dict()
    assert found["opponent"] == "random"


def test_threads_make_no_difference() -> None:
    args = ["duel", "greedy", "random", "--until-decided", "--rounds", "20k", "--json"]
    assert output(*args, "--threads", 1) == output(*args, "--threads", 3)


def test_as_text() -> None:
    text = output("duel", "counter", "greedy", "--rounds", "3k", "--seed", 7, "--set", "buried=J,7D")
    assert text.startswith(
        "bastra, buried=J,7D, 2 players, 3,000 deals, seed 7, each deal in 2 seatings\n"
        "counter against greedy\n"
        "Intervals at 95% confidence\n\n"
    )
    found = duel("counter", "greedy", deals=3000, seed=7, changes={"buried": "J,7D"})
    rows = {line[:24].strip(): line[24:].split() for line in text.splitlines()[6:14]}
    expected = [
        ("margin", found.margin, "points/round"),
        ("margin, luck taken out", found.adjusted, "points/round"),
        ("margin from seat 0", found.seat_margins[0], "points/round"),
        ("margin from seat 1", found.seat_margins[1], "points/round"),
        ("won", found.win.scaled(100), "% of rounds"),
        ("same deals", found.gains.exchange, "times fewer rounds"),
        ("luck taken out", found.gains.covariates, "times fewer rounds"),
        ("both", found.gains.both, "times fewer rounds"),
    ]
    assert list(rows) == [title for title, _, _ in expected]
    for title, estimate, unit in expected:
        cells = rows[title]
        figures = [estimate.value, estimate.low, estimate.high]
        assert [float(cell) for cell in cells[:3]] == pytest.approx(figures, abs=0.06)
        assert " ".join(cells[3:]) == unit
    assert "won: ties are shared; fair is 50%" in text


def test_matches_as_text() -> None:
    text = output("duel", "greedy", "random", "--pairs", "--matches", 30)
    assert "30 matches, seed 1, each match in 2 seatings" in text
    assert "margin from pair 1" in text
    assert "luck" not in text
    assert "% of matches" in text


def test_common_opponent_as_text() -> None:
    text = output("duel", "counter", "greedy", "--opponent", "random", "--players", 3, "--rounds", 200)
    assert "each deal in 6 seatings" in text
    assert "counter compared with greedy, each against random" in text
    assert "won more" in text


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["counter", "greedy", "--until-decided"], "Decided after 1 look: there is a difference."),
        (
            ["greedy", "greedy", "--until-decided"],
            "Decided after 6 looks: there is no difference of 0.05",
        ),
        (["greedy", "random", "--precision", "0.5"], "Precise enough after 1 look."),
        (
            ["greedy", "random", "--precision", "0.01", "--rounds", "3k"],
            "Stopped at the most that may be played, 3,000 deals: not as precise as asked for.",
        ),
        (
            ["counter", "greedy", "--until-decided", "--rounds", "50"],
            "Stopped at the most that may be played, 50 deals: not decided.",
        ),
    ],
)
def test_how_it_ended(args: list[str], told: str) -> None:
    text = output("duel", *args)
    assert told in " ".join(text.split())
    assert ("confidence sequence" in text) == ("--until-decided" in args)


@pytest.mark.parametrize("args", [["greedy", "greedy"], ["random", "greedy", "--rounds", "1"]])
def test_what_has_no_spread_or_no_interval(args: list[str]) -> None:
    text = output("duel", *args)
    assert "same deals" not in text
    assert "times fewer:" not in text


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["greedy", "gredy"], "no policy is called 'gredy' (did you mean greedy?)"),
        (["greedy", "none.py"], "none.py: there is no such file"),
        (["greedy", "random", "--opponent", "rndom"], "no policy is called 'rndom' (did you mean random?)"),
        (["greedy"], "Missing argument 'B'"),
        (["greedy", "random", "--variant", "bastr"], 'there is no variant "bastr" (did you mean bastra?)'),
        (["greedy", "random", "--players", "3", "--pairs"], "pairs need 4 players, not 3"),
        (["greedy", "random", "--rounds", "0"], "rounds = 0 is not possible: it must be a whole number from 1 to"),
        (["greedy", "random", "--matches", "0"], "matches = 0 is not possible"),
        (["greedy", "random", "--rounds", "5", "--matches", "5"], "--rounds and --matches are both given"),
        (["greedy", "random", "--precision", "1", "--until-decided"], "--precision and --until-decided are both given"),
        (["greedy", "random", "--precision", "1", "--matches", "5"], "--matches and --precision are both given"),
        (["greedy", "random", "--precision", "0"], "precision = 0.0 is not possible: it must be a number above 0"),
        (["greedy", "random", "--precision", "nan"], "precision = nan is not possible"),
        (["greedy", "random", "--precision", "x"], "Invalid value for '--precision': 'x' is not a valid float"),
        (["greedy", "random", "--seed", "-1"], "seed = -1 is not possible"),
    ],
)
def test_what_cannot_be_played(args: list[str], told: str) -> None:
    assert refusal("duel", *args).startswith(told)


def test_a_policy_that_gives_no_number(tmp_path: Path) -> None:
    lost = tmp_path / "lost.py"
    lost.write_text(
        "import math\nfrom basra_sim import policy\n\n@policy\ndef lost(view, play):\n    return math.nan + view.deal\n"
    )
    told = refusal("duel", lost, "greedy", "--rounds", 5, code=1)
    assert told == "bastra: policy lost gave no number (nan) for a play"
