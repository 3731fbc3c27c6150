"""The command ``advise``: what it prints, and what it refuses."""

import json

import pytest

from analyses.advising import advice
from basra_sim.cards import card_names
from tests.commands import document, flat, output, refusal

HAND = ("--hand", "JS 7D 2C")
FLOOR = ("--floor", "3H 5S")
QUICK = ("--policy", "adept", "--ways", "300")
FOUR = ("--hand", "AS 2C 9D KH")


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr(advice, "MATCH_ROUNDS", 1000)


@pytest.mark.parametrize(
    "args",
    [
        ("bastra", *HAND, *FLOOR),
        ("bastra", *HAND, *FLOOR, "--players", "3", "--seat", "1"),
        ("bastra", *HAND, *FLOOR, "--pairs", "--theirs", "9C 9D"),
        ("egyptian", *HAND, *FLOOR, "--carry", "60", "--score", "40-55", "--basras", "30:0", "--set", "target=121"),
        ("palestinian", "--hand", "AS 2C 4D 4H", "--floor", "AC 2D AD 2H 8C 9S", "--deal", "3"),
        ("lebanese-a", "--hand", "9D 4C", "--floor", "3H 5S", "--lone-before", "--seen", "KH KD"),
    ],
    ids=lambda args: args[0],
)
def test_advice_in_80_columns(args):
    text = output("advise", *args, *QUICK)
    assert "margin: points that are still to be won" in flat(text)
    assert ("match %" in text) == ("--players" not in args)
    assert "leads the second by" in text


def test_advice_says_what_it_takes_for_granted():
    text = flat(output("advise", "bastra", *HAND, *FLOOR, *QUICK))
    assert "seat 0 in deal 1 of 6, 3 of 4 cards left" in text
    assert "Taken for granted: deal 1 and seat 0, the first that fit" in text
    assert "4 cards that must be captured by now are not named" in text
    text = flat(output("advise", "bastra", *HAND, *FLOOR, *QUICK, "--theirs", "KC KD", "--seen", "QC QD"))
    assert "Taken for granted" not in text
    assert "not named" not in text
    assert "Who captured 2 cards is not told" in text


def test_what_is_left_at_the_end_goes_to_somebody():
    args = ("advise", "bastra", "--hand", "JS", *FLOOR, "--deal", "6", *QUICK)
    assert "seat 1 captured last (--last)" in flat(output(*args))
    assert "captured last" not in output(*args, "--last", "0")


def test_an_ending_is_solved_without_intervals():
    gone = [card for card in card_names(range(52)) if card not in ("2C", "7D", "3H", "5S", "6C", "KC")]
    captured = ("--mine", " ".join(gone[:20]), "--theirs", " ".join(gone[20:]), "--last", "1")
    args = ("advise", "bastra", "--hand", "2C 7D", "--floor", "3H 5S", *captured, "--policy", "adept")
    text = flat(output(*args))
    assert "Nothing is hidden: solved" in text
    assert "Intervals" not in text
    found = document(*args)
    assert (found["solved"], found["ways"], found["placed"]) == (True, 1, "counted")
    assert all(play["margin"]["low"] is None for play in found["plays"])


def test_advice_as_json():
    found = document("advise", "bastra", *HAND, *FLOOR, *QUICK, "--seed", "7", "--score", "40-55")
    assert (found["seed"], found["ways"], found["confidence"], found["score"]) == (7, 300, 0.95, [40, 55])
    assert [found[name] for name in ("deal", "seat", "placed", "lost")] == [1, 0, "assumed", 4]
    assert found["match_rounds"] == 1000
    margins = [play["margin"]["estimate"] for play in found["plays"]]
    assert margins == sorted(margins, reverse=True)
    assert found["plays"][0]["behind"] is None
    assert {type(play["behind"]["real"]) for play in found["plays"][1:]} == {bool}
    again = document("advise", "bastra", *HAND, *FLOOR, *QUICK, "--seed", "7", "--score", "40-55", "--threads", "2")
    assert json.dumps(again) == json.dumps(found)


REFUSED = [
    (("--hand", "", *FLOOR), "hand: no card is named, so there is no play to choose"),
    (("--hand", "JX", *FLOOR), "hand: 'JX' is no card: write rank and suit, such as AS, 10D or JH"),
    (("--hand", "JS JS", *FLOOR), "hand: JS comes twice"),
    ((*HAND, "--floor", "3H 2C"), "2C is in two places: hand and floor"),
    ((*HAND, *FLOOR, "--mine", "3H"), "3H is in two places: floor and mine"),
    (("--hand", "AS 2C 9D KH 4C", *FLOOR), "hand: 5 cards are too many: a deal gives each player 4"),
    ((*HAND, *FLOOR, "--deal", "7"), "deal 7 is not possible: a round has deals 1 to 6"),
    ((*HAND, *FLOOR, "--seat", "2"), "seat 2 is not possible: there are seats 0 to 1"),
    (
        (*FOUR, "--floor", "3H 5S 7C 9C 10D", "--deal", "1", "--seat", "0"),
        "deal 1 and seat 0: a floor of 5 cards is too large: at most 4 cards have been face up by then; possible is",
    ),
    (
        (*FOUR, "--floor", "3H 5S 7C 8D KD", "--deal", "1", "--seat", "1", "--mine", "AD AH"),
        "deal 1 and seat 1: 2 captured cards are named, too many: at most 5 cards have been face up by then, 5 of them",
    ),
    (
        (*FOUR, "--floor", "3H 5S 7C 9H", "--deal", "1", "--seat", "1"),
        "deal 1 and seat 1: one card alone cannot have been captured: a capture takes at least two; possible is",
    ),
    (
        (*FOUR, "--floor", "3H 5S 7C", "--deal", "1", "--seat", "0"),
        "deal 1 and seat 0: a floor of 3 cards does not fit: before the first play 4 lie there; possible is",
    ),
    (
        (*HAND, *FLOOR, "--deal", "1", "--seen", "KC KD KH QC QD QH"),
        "deal 1: 6 captured cards are named, too many: at most 7 cards have been face up by then, 2 of them",
    ),
    ((*FOUR, "--floor", "JH 3H 5S 7C", "--deal", "1"), "floor: JH cannot lie on the opening floor: it is buried"),
    (
        (*HAND, "--floor", "JH 3H 5S 7C 8D KD", "--deal", "1", "--seat", "0"),
        "floor: JH is buried on the opening floor, and takes the floor when it is played: it cannot lie there yet",
    ),
    ((*HAND, "--floor", "JC JD"), "floor: two jacks cannot lie side by side: the later would have taken the earlier"),
    (
        ("--hand", "KS", "--floor", "AC AD AH 5C 5D"),
        "floor: AC AD AH 5C 5D cannot lie side by side: cards of one rank take each other but on the opening floor",
    ),
    (
        (*HAND, *FLOOR, "--score", "40"),
        "score '40' is not possible: write the own side's points and the other's, as 40-55",
    ),
    ((*HAND, *FLOOR, "--score", "100-5"), "score 100-5 is not possible: the match ends at 100"),
    (
        (*HAND, *FLOOR, "--players", "3", "--score", "1-2"),
        "score is for two sides: with 3 the chance to win the match is not worked out",
    ),
    ((*HAND, *FLOOR, "--carry", "3"), "carry 3 is not possible: under these rules nothing is held over"),
    ((*HAND, *FLOOR, "--last", "4"), "last 4 is not possible: it takes a seat that has captured"),
    ((*HAND, *FLOOR, "--ways", "5"), "ways = 5 is not possible: it must be a whole number from 100 to 10000000"),
    (
        (*HAND, *FLOOR, "--policy", "random"),
        "policy random does not weigh features alone: nobody can play on by it here",
    ),
    ((*HAND, "--floor", "3H", "--lone-before"), "a card laid on a lone one makes a floor of two, not of 1"),
    ((*HAND, *FLOOR, "--seed", "-1"), "seed = -1 is not possible"),
    (
        (*FOUR, "--floor", "3H 5S 7C 8C", "--mine", "KC KD", "--deal", "1"),
        "deal 1: 2 captured cards are named, too many: at most 5 cards have been face up by then, 4 of them",
    ),
    (
        (*FOUR, "--floor", "3H 5S", "--mine", "KC KD", "--deal", "1"),
        "mine: KC cannot be captured by a side that has not played yet",
    ),
]


@pytest.mark.parametrize(("args", "said"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_is_refused_in_one_line(args, said):
    assert refusal("advise", "bastra", *args).startswith(said)


def test_cards_and_points_that_other_rules_lack():
    short = ("advise", "palestinian", "--hand", "AS", "--floor", "3H")
    assert refusal(*short, "--seen", "KH") == "seen: KH is not in the pack of 44"
    carried = refusal("advise", "egyptian", *HAND, *FLOOR, "--carry", "20")
    assert carried == "carry 20 is not possible: each tie holds over 30"
    seven = refusal("advise", "egyptian", *FOUR, "--floor", "7D 3H 5S 7C", "--deal", "1")
    assert seven == "floor: 7D cannot lie on the opening floor: it is buried"
    assert refusal("advise", "bastra", *HAND, *FLOOR, "--players", "5").startswith("Invalid value for '--players'")
