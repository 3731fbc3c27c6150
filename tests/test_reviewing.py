"""Rounds reviewed: what is hidden does not matter, what was played is found, costs are not too high, bad files."""

import io
import json
import random
from typing import Any

import numpy as np
import pytest

from analyses.advising import Review, review
from analyses.advising.reviewing import judged, situations
from analyses.advising.valuing import Valued, value_plays
from basra_sim.cards import card_name, card_names, parse_cards
from basra_sim.errors import InputError
from basra_sim.policies import get_policy
from basra_sim.records import record_line
from basra_sim.reference import Replay, Round, choice_key, replay
from basra_sim.search.situations import Move
from basra_sim.tracing import trace
from tests.commands import document, flat, output, refusal
from tests.playing import Plain, play_out, round_record

QUICK: dict[str, Any] = {"policy": "adept", "ways": 100, "threads": 1}
ARGS = ("--policy", "adept", "--ways", "100")
TABLES = [("bastra", 2, False), ("egyptian", 3, False), ("basra-nl", 4, True), ("palestinian", 2, False)]


def reshuffled(record: Plain, before: int, draw: random.Random) -> Plain:
    """The same round up to a play, with all that its player cannot know elsewhere; played on at random."""
    found = replay(record)
    step, situation = list(situations(found))[before]
    hidden = list(situation.hidden)
    other = dict(zip(hidden, draw.sample(hidden, len(hidden)), strict=True))
    deck = [other.get(card, card) for card in parse_cards(record["deck"])]
    played = Round(found.setting, deck)
    for each in found.steps[:before]:
        played.play(each.card, each.choice.taken)
    assert played.hands[step.seat] == list(step.hand)
    play_out(played, draw)
    assert played.over
    again = Round(found.setting, deck)
    plays: list[Plain] = []
    for each in found.steps[:before]:
        choice = again.play(each.card, each.choice.taken)
        plays.append({"card": card_name(each.card), "taken": card_names(choice.taken)})
    for _, card, choice in play_out(again, draw):
        plays.append({"card": card_name(card), "taken": card_names(choice.taken)})
    return {
        **{name: record[name] for name in ("variant", "players", "teams")},
        "deck": card_names(deck),
        "plays": plays,
    }


@pytest.mark.parametrize("table", TABLES, ids=lambda each: f"{each[0]}-{each[1]}")
def test_what_is_hidden_does_not_change_what_plays_are_worth(table):
    draw = random.Random(str(table))
    name, players, pairs = table
    record = round_record(name, players, draw, pairs=pairs)
    for before in draw.sample(range(len(record["plays"])), 8):
        one, other = replay(record), replay(reshuffled(record, before, draw))
        (_, here), (_, there) = list(situations(one))[before], list(situations(other))[before]
        assert here == there
        found = [value_plays(each, get_policy("adept"), ways=60, seed=1, doubt=0.1) for each in (here, there)]
        np.testing.assert_array_equal(found[0].margins, found[1].margins)


@pytest.mark.parametrize("table", TABLES, ids=lambda each: f"{each[0]}-{each[1]}")
def test_a_player_knows_what_lay_open_and_what_was_buried(table):
    draw, buried = random.Random(7), 0
    name, players, pairs = table
    for _ in range(6):
        record = round_record(name, players, draw, pairs=pairs)
        found = replay(record)
        game = Round(found.setting, parse_cards(record["deck"]))
        for step, situation in situations(found):
            others = [card for seat, hand in enumerate(game.hands) if seat != step.seat for card in hand]
            known = [card for hand in situation.held for card in hand]
            assert situation.seat == step.seat
            assert situation.hand_counts == [len(hand) for hand in game.hands]
            assert set(situation.hidden) == {*others, *game.stock} - set(known) - set(situation.bottom)
            assert (situation.lost, situation.hidden_in_stock) == (0, len(game.stock) - len(situation.bottom))
            assert {*known, *situation.bottom} == set(found.opening.buried) & {*others, *game.stock}
            buried += bool(known)
            game.play(step.card, step.choice.taken)
    assert (buried > 0) == bool(found.setting.rules.buried)


def test_the_best_is_chosen_by_other_ways_than_it_is_measured_by():
    """Plays that are all the same cost nothing on average, however the best of them is picked."""
    draw = np.random.default_rng(3)
    moves = tuple(Move(card, (), 0) for card in range(4))
    costs: list[float] = []
    covered: list[bool] = []
    for _ in range(1500):
        margins = draw.normal(0, 5, (200, 4))
        valued = Valued(moves, margins, np.zeros((200, 4, 2), np.int64), np.zeros((200, 4), np.int64), False, False)
        best, cost, error = judged(valued, 0)
        assert (error == 0) == (best == 0)
        assert cost.value is not None
        assert cost.low is not None
        assert cost.high is not None
        costs.append(cost.value)
        if best:
            covered.append(cost.low <= 0 <= cost.high)
    assert abs(np.mean(costs)) < 4 * np.std(costs) / len(costs) ** 0.5
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


def test_a_mistake_is_found_and_measured():
    draw = np.random.default_rng(4)
    margins = draw.normal([0.0, 3.0, -2.0], 5, (1000, 3))
    moves = tuple(Move(card, (), 0) for card in range(3))
    valued = Valued(moves, margins, np.zeros((1000, 3, 2), np.int64), np.zeros((1000, 3), np.int64), False, False)
    best, cost, error = judged(valued, 2)
    assert best == 1
    assert cost.value == pytest.approx((margins[500:, 1] - margins[500:, 2]).mean())
    assert cost.value == pytest.approx(5.0, abs=4 * error)


@pytest.fixture(scope="module")
def rounds() -> list[Any]:
    """Rounds of a player who plays at random against one who does not."""
    return list(trace("bastra", rounds=3, policies=("adept", "random"), seed=5))


@pytest.fixture(scope="module")
def reviewed(rounds: list[Any]) -> Review:
    return review(rounds, **QUICK)


def test_a_review_of_whole_rounds(rounds, reviewed):
    assert reviewed.rounds == 3
    for each in reviewed.decisions:
        play = rounds[each.round - 1]["plays"][each.play - 1]
        assert (play["seat"], play["card"]) == (each.seat, card_name(each.moves[each.played].card))
        assert sorted(play["taken"]) == sorted(card_names(each.moves[each.played].taken))
        assert len(each.moves) > 1
        assert each.cost.value == 0 or each.best != each.played
    costs = reviewed.costs(("seat",))
    assert costs[1,].value > 2 * costs[0,].value > 0
    assert costs[1,].low > costs[0,].high
    worst = [each.cost.value for each in reviewed.mistakes]
    assert [each.is_sure for each in reviewed.mistakes] == sorted((e.is_sure for e in reviewed.mistakes), reverse=True)
    for sure in (True, False):
        costs_of = [each.cost.value for each in reviewed.mistakes if each.is_sure == sure]
        assert costs_of == sorted(costs_of, reverse=True)
    assert min(worst) > 0
    table = reviewed.table
    assert len(table) == len(reviewed.decisions)
    assert table["cost"].sum() == pytest.approx(sum(each.value for each in costs.values()))
    whole = reviewed.costs(("round",))
    assert sum(each.value for each in whole.values()) == pytest.approx(table["cost"].sum())


def test_endings_are_solved(reviewed):
    solved = [each for each in reviewed.decisions if each.solved]
    assert {each.play for each in solved} <= set(range(41, 49))
    assert len(solved) >= 9
    assert all(each.error == 0 for each in solved)
    assert all(each.cost.value >= 0 for each in solved)


def test_the_same_on_any_number_of_threads_and_for_part_of_the_plays(rounds, reviewed):
    assert review(rounds, **{**QUICK, "threads": 3}) == reviewed
    part = review(rounds, seat=1, **QUICK)
    assert part.decisions == tuple(each for each in reviewed.decisions if each.seat == 1)
    assert review(rounds[:1], **QUICK).decisions == tuple(each for each in reviewed.decisions if each.round == 1)


def test_players_of_a_match_keep_their_numbers():
    records = list(trace("bastra", matches=1, policies="greedy", seed=2))[:2]
    found = review(records, player=0, **QUICK)
    assert {(each.round, each.seat) for each in found.decisions} == {(1, 0), (2, 1)}
    assert {each.player for each in found.decisions} == {0}


def test_very_cards_that_were_taken():
    """Which of two suits was taken is what happened, whatever stands for both in the list of plays."""
    found: Replay = replay(round_record("bastra", 2, random.Random(11)))
    for step, situation in situations(found):
        keys = [(move.card, choice_key(found.setting.rules, move.taken)) for move in situation.moves]
        assert (step.card, choice_key(found.setting.rules, step.choice.taken)) in keys
        assert len(set(keys)) == len(keys)


def test_a_review_in_80_columns(tmp_path, rounds):
    file = tmp_path / "rounds.jsonl"
    file.write_text("".join(record_line(each) + "\n" for each in rounds))
    text = output("review", file, "--worst", "2", *ARGS)
    assert flat(text).startswith("3 rounds, ")
    assert "that cost points beyond chance" in flat(text)
    assert "1. round" in text
    assert "2. round" in text
    assert "3. round" not in text
    assert "better: " in text
    assert output("review", "-", *ARGS, "--worst", "2", stdin=file.read_text()) == text
    found = document("review", file, *ARGS)
    assert found["rounds"] == 3
    assert {row["seat"] for row in found["costs"]} == {0, 1}
    one = document("review", file, *ARGS, "--player", "1")
    assert {row["player"] for row in one["costs"]} == {1}
    assert one["decisions"] == [row for row in found["decisions"] if row["player"] == 1]
    with file.open() as stream:
        assert review(stream, **QUICK).to_dict() == found
    assert review(io.StringIO(file.read_text()), **QUICK).rounds == 3


def test_bad_files_are_refused_in_one_line(tmp_path, rounds):
    file = tmp_path / "rounds.jsonl"
    assert refusal("review", file) == f"{file} cannot be read: No such file or directory"
    file.write_text("")
    assert refusal("review", file).startswith(f"{file} holds no record")
    file.write_text("{")
    assert refusal("review", file).startswith(f"{file}: line 1: not JSON")
    wrong = json.loads(record_line(rounds[0]))
    wrong["plays"][0]["card"] = "KS" if wrong["plays"][0]["card"] != "KS" else "QS"
    file.write_text(json.dumps(wrong))
    assert refusal("review", file, code=1).startswith(f"{file}: line 1: ")
    file.write_text(record_line(rounds[0]))
    assert refusal("review", file, "--seat", "9") == "seat = 9 is not possible: it must be a whole number from 0 to 1"
    assert refusal("review", file, "--ways", "3").startswith("ways = 3 is not possible")
    assert refusal("review", file, "--policy", "expert").startswith("policy expert does not weigh features alone")


def test_seats_and_players_that_are_not_there_are_refused(rounds):
    wrong = "2 is not possible: it must be a whole number from 0 to 1"
    with pytest.raises(InputError, match=f"seat = {wrong}"):
        review(rounds, seat=2)
    with pytest.raises(InputError, match=f"player = {wrong}"):
        review(rounds, player=2)
