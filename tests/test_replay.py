"""Records replayed: right ones come out as stated, minimal ones are filled in, altered ones are found out."""

import json
import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from basra_sim.cards import card_name, card_names, parse_cards
from basra_sim.records import RecordError, read_records
from basra_sim.reference import (
    ContradictionError,
    IllegalPlayError,
    Replay,
    explain,
    replay,
    replay_all,
    replay_data,
    same_choice,
)
from basra_sim.variants import setting
from tests.playing import TABLES, Plain, round_record

ROUNDS = Path(__file__).parent / "data" / "rounds.jsonl"


def published() -> list[Plain]:
    return [json.loads(line) for line in ROUNDS.read_text(encoding="utf-8").splitlines()]


def full(record: Plain) -> Plain:
    """Record with all fields, as plain values."""
    return json.loads(json.dumps(replay(record).record))  # type: ignore[no-any-return]  # what JSON gives is untyped


def choice_points(replayed: Replay) -> int:
    return sum(len(step.legal) > 1 for step in replayed.steps)


def test_published_rounds() -> None:
    replays = list(replay_all(read_records(ROUNDS)))
    assert len(replays) == 49
    for stated, replayed in zip(published(), replays, strict=True):
        assert stated["scores"] == [score._asdict() for score in replayed.scores]
        assert stated["floor"] == replayed.record["floor"]
        assert stated["carry_out"] == replayed.carry_out
        assert [play["basra"] for play in stated["plays"]] == [step.choice.basra for step in replayed.steps]
    assert sum(map(choice_points, replays)) > 10


@pytest.mark.parametrize("number", range(49))
def test_published_rounds_need_no_more_than_the_cards(number: int) -> None:
    """Only variant, players, deck and plays, what was taken only where there was a choice, teams only for pairs."""
    stated = published()[number]
    complete = replay(stated)
    minimal: Plain = {name: stated[name] for name in ("variant", "players", "deck")}
    if stated["teams"] == [0, 1, 0, 1]:
        minimal["teams"] = stated["teams"]
    if stated["carry_in"]:
        minimal["carry_in"] = stated["carry_in"]
    minimal["plays"] = [
        {"card": card_name(step.card)} | ({"taken": card_names(step.choice.taken)} if len(step.legal) > 1 else {})
        for step in complete.steps
    ]
    replayed = replay(minimal)
    assert [score._asdict() for score in replayed.scores] == stated["scores"]
    rules = complete.setting.rules
    for mine, theirs in zip(replayed.steps, complete.steps, strict=True):
        assert same_choice(rules, mine.choice.taken, theirs.choice.taken)
        assert mine.choice[1:] == theirs.choice[1:]


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_full_record_is_complete_and_stands(name: str, players: int, pairs: bool) -> None:
    record = round_record(name, players, random.Random(f"{name}{players}{pairs}"), pairs=pairs)
    complete = full(record)
    assert complete.keys() >= {"teams", "hand_size", "rules", "carry_in", "floor", "last_capture", "leftover", "scores"}
    assert full(complete) == complete
    replayed = replay(complete)
    total = [sum(step.points.values()) for step in replayed.steps]
    left = [score.total - score.majority for score in replayed.scores]
    assert sum(total) <= sum(left)
    assert replayed.steps[-1].score <= tuple(left)


def test_spelling_of_cards_and_of_the_variant_is_free() -> None:
    record = published()[0]
    spelled = deepcopy(record) | {"variant": "Cypriot"}
    signs = str.maketrans("CDHS", "♣♦♥♠")
    spelled["deck"] = [name.replace("10", "t").lower() for name in record["deck"]]
    spelled["floor"] = [name.translate(signs) for name in record["floor"]]
    assert replay(spelled).record == replay(record).record


def test_order_of_cards_that_lie_side_by_side_is_free() -> None:
    record = full(published()[6])
    turned = deepcopy(record)
    for cards in (turned["floor"], turned["leftover"], *(play["taken"] for play in turned["plays"])):
        cards.reverse()
    turned["scores"].reverse()
    assert replay(turned).record == replay(record).record


def test_seed_and_index_beside_a_deck_are_kept() -> None:
    record = replay(published()[0] | {"seed": 7, "index": 3}).record
    assert (record["seed"], record["index"]) == (7, 3)


def test_equal_suits_may_be_stated() -> None:
    """Where only the suit of a rank differs, the stated cards are accepted, and they are the ones that are gone."""
    found = 0
    for number in range(400):
        record = round_record("bastra", 2, random.Random(number))
        for place, step in enumerate(replay(record).steps):
            taken = step.choice.taken
            for card in taken:
                others = [
                    other for other in step.floor if other // 4 == card // 4 and other not in taken and card // 4 != 1
                ]
                if others:
                    found += 1
                    swapped = [others[0] if each == card else each for each in taken]
                    altered = deepcopy(record)
                    altered["plays"][place]["taken"] = card_names(swapped)
                    altered["plays"] = altered["plays"][: place + 1]
                    with pytest.raises(ContradictionError, match="the round has 48"):
                        replay(altered)
                    altered["plays"].append({"card": altered["plays"][place]["card"]})
                    with pytest.raises(IllegalPlayError, match=f"play {place + 2}"):
                        replay(altered)
    assert found > 5


def test_pairs_are_told_by_the_teams() -> None:
    record = round_record("bastra", 4, random.Random(1), pairs=True)
    assert len(replay(record).scores) == 2
    del record["teams"]
    assert len(replay(record).scores) == 4


def test_suits_left_open_follow_from_what_is_stated_later() -> None:
    """A record that leaves out what needs no saying holds together, whichever of two equal cards was really taken."""
    open_suits = 0
    for number in range(300):
        draw = random.Random(number)
        record = round_record("egyptian", 3, draw)
        replayed = replay(record)
        for play, step in zip(record["plays"], replayed.steps, strict=True):
            if len(step.legal) == 1 and draw.random() < 0.7:
                open_suits += any(
                    other // 4 in {card // 4 for card in step.choice.taken} and other not in step.choice.taken
                    for other in step.floor
                )
                del play["taken"]
        record["leftover"] = card_names(replayed.leftover)
        assert replay(record).scores == replayed.scores
    assert open_suits > 10


def test_rules_of_a_record_change_the_variant() -> None:
    changes = {"majority_points": 50, "buried": ["J", "7D"], "captures": "most_cards"}
    record = round_record("bastra", 3, random.Random(6), changes=changes)
    replayed = replay(record)
    assert replayed.setting.rules.majority_points == 50
    assert replayed.record["rules"] == changes
    record["rules"]["majority_points"] = 3
    assert replay(record).record["rules"] == {name: changes[name] for name in ("buried", "captures")}


def test_own_variant_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "bastra"\nmajority_points = 40\n', encoding="utf-8")
    record = round_record("bastra", 2, random.Random(9))
    replayed = replay(record | {"variant": str(file)})
    assert max(score.majority for score in replayed.scores) == 40
    assert replayed.record["variant"] == "bastra"
    assert replayed.record["rules"] == {"majority_points": 40}
    assert replay(replayed.record).scores == replayed.scores
    file.write_text('base = "bastra"\nmajority_points = 41\n', encoding="utf-8")
    assert max(score.majority for score in replay(record | {"variant": str(file)}).scores) == 41


def test_random_burial_needs_its_stock() -> None:
    record: Plain = {}
    number = 0
    while not record:
        table = setting("bastra", 2, False, {"bury_to": "random"})
        deck = random.Random(number).sample(range(52), 52)
        number += 1
        if any(card // 4 == 10 for card in deck[8:12]) and not any(card // 4 == 10 for card in deck[12:16]):
            record = {"variant": "bastra", "players": 2, "rules": {"bury_to": "random"}, "deck": card_names(deck)}
    with pytest.raises(ContradictionError, match="must be given as the stock"):
        replay(record | {"plays": []})
    moved = [card for card in deck[8:12] if card // 4 == 10]
    fresh = deck[12 : 12 + len(moved)]
    stock = [*deck[12 + len(moved) : 20], *moved, *deck[20:]]
    record |= {"stock": card_names(stock)}
    with pytest.raises(ContradictionError, match="0 of them, but the round has 48"):
        replay(record | {"plays": []})
    from basra_sim.reference import Round

    played = Round(table, deck, stock=stock)
    assert set(fresh) <= set(played.floor)
    plays = []
    while not played.over:
        card = played.hands[played.seat][-1]
        plays.append(
            {"card": card_name(card), "taken": card_names(played.play(card, played.legal(card)[0].taken).taken)}
        )
    complete = full(record | {"plays": plays})
    assert complete["stock"] == card_names(stock)
    assert full(complete) == complete


def put(*path: str | int) -> Callable[[Plain, Any], None]:
    """Function that puts a value at a place of a record."""

    def change(record: Plain, value: Any) -> None:
        inner: Any = record
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value

    return change


def other_card(names: list[str]) -> list[str]:
    """Cards with one of them replaced."""
    spare = next(name for name in ("5H", "6S", "7H", "8C", "9C") if name not in names)
    return [*names[:-1], spare]


def swap(names: list[str]) -> list[str]:
    """Cards with the first two exchanged."""
    return [names[1], names[0], *names[2:]]


ALTERED: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("variant",), "egyptian", "play|stated"),
    (("variant",), "nonsense", "nonsense"),
    (("players",), 3, "teams is stated"),
    (("teams",), [1, 0], "teams is stated as"),
    (("teams",), [0, 1, 2], "teams is stated as"),
    (("hand_size",), 6, "hand_size is stated as 6, right is 4"),
    (("rules",), {"basra_points": 20}, "basra"),
    (("rules",), {"two_points": 3}, "two of team 0 is stated as 2, right is 3"),
    (("rules",), {"targt": 20}, "targt"),
    (("rules",), {"target": "many"}, "target"),
    (("carry_in",), 3, "carry_in is stated as 3, but under these rules nothing is held over"),
    (("deck",), lambda deck: deck[1:], "deck: 51 cards"),
    (("deck",), lambda deck: [*deck[1:], deck[1]], "deck: .* comes twice"),
    (("deck",), swap, "does not hold"),
    (("deck",), [f"{rank}{suit}" for rank in "A23456789TJ" for suit in "CDHS"], "is played here with 52"),
    (("floor",), other_card, "floor is stated as .* right is"),
    (("stock",), ["2C"], "the stock does not come from the deck"),
    (("plays",), lambda plays: plays[:-1], "47 of them, but the round has 48; seat 1 is on turn with"),
    (("plays",), lambda plays: [*plays, plays[0]], "49 of them, but the round is over after 48"),
    (("plays",), swap, "play 1: seat is stated as 1, right is 0"),
    (("plays", 5, "seat"), 0, "play 6: seat is stated as 0, right is 1"),
    (("plays", 7, "card"), "KC", "play 8: seat 1 does not hold KC"),
    (("plays", 1, "taken"), [], "play 2: 3H cannot be laid; .*legal: it takes 3C"),
    (("plays", 0, "taken"), ["3C"], "play 1: KC cannot take 3C; .*legal: it is laid"),
    (("plays", 1, "taken"), ["AS"], "play 2: 3H cannot take AS"),
    (
        ("plays", 1, "basra"),
        10,
        "play 2: basra is stated as 10, right is 0: 3H takes 3C; takes the 3 by rank; no basra",
    ),
    (("plays", 30, "basra"), 0, "play 31: basra is stated as 0, right is 10: 6C takes AH 5S; .*cleared: basra"),
    (("plays", 0, "basra"), 10, "play 1: basra is stated as 10, right is 0: KC is laid"),
    (("last_capture",), lambda seat: 1 - seat, "last_capture is stated as"),
    (("leftover",), other_card, "leftover is stated as"),
    (("leftover",), [], "leftover is stated as no card, right is"),
    (("scores", 0, "team"), 1, "scores: team 1 comes twice|scores: cards of team 1"),
    (("scores",), lambda scores: [*scores, scores[0]], "scores: team 0 comes twice"),
    (("scores", 0, "team"), 2, "scores: team 2 does not play"),
    (("carry_out",), 3, "carry_out is stated as 3, right is 0"),
    *(
        (("scores", team, name), lambda value: value + 1, f"scores: {name} of team {team} is stated as")
        for team in (0, 1)
        for name in ("cards", "aces", "jacks", "two", "ten", "majority", "basras", "basra_count", "total")
    ),
]


@pytest.mark.parametrize(("path", "value", "part"), ALTERED, ids=[".".join(map(str, each[0])) for each in ALTERED])
def test_each_altered_field_is_found(path: tuple[str | int, ...], value: Any, part: str) -> None:
    record = full(published()[0])
    record.setdefault("stock", [])
    if path[0] != "stock":
        del record["stock"]
    if path[0] == "leftover":
        # A round with something left.
        record = next(complete for complete in map(full, published()[:4]) if complete["leftover"])
    put(*path)(record, value)
    with pytest.raises(RecordError, match=part) as caught:
        replay(record, "line 12")
    assert str(caught.value).startswith("line 12: ")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["bastra", "egyptian", "ethiopian", "lebanese-a", "jordanian-b"])
def test_every_number_of_every_record_is_checked(name: str) -> None:
    """Any whole number anywhere in a full record, made one larger, is found."""
    record = full(round_record(name, 2, random.Random(name)))

    def numbers(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
        if isinstance(value, dict):
            return [found for key, inner in value.items() for found in numbers(inner, (*path, key))]
        if isinstance(value, list):
            return [found for place, inner in enumerate(value) for found in numbers(inner, (*path, place))]
        return [path] if isinstance(value, int) else []

    paths = numbers(record)
    assert len(paths) > 100
    for path in paths:
        altered = deepcopy(record)
        put(*path)(altered, lambda number: number + 1)
        with pytest.raises(RecordError):
            replay(altered)


def test_any_two_cards_of_the_deck_exchanged_are_found() -> None:
    record = full(published()[4])
    draw = random.Random(1)
    for _ in range(100):
        one, other = draw.sample(range(52), 2)
        altered = deepcopy(record)
        deck = altered["deck"]
        deck[one], deck[other] = deck[other], deck[one]
        same_hand = one < 8 and other < 8 and one % 2 == other % 2
        later = [place - 13 for place in (one, other)]
        same_later_hand = min(later) >= 0 and later[0] // 8 == later[1] // 8 and later[0] % 2 == later[1] % 2
        if same_hand or same_later_hand or (min(one, other) >= 8 and max(one, other) <= 12):
            continue
        with pytest.raises(RecordError):
            replay(altered)


@pytest.mark.parametrize(
    ("variant", "carry_in", "part"),
    [
        ("egyptian", 20, "each tie holds over 30: only multiples of it are possible"),
        ("lebanese-a", 3, "nothing is held over"),
    ],
)
def test_impossible_carry(variant: str, carry_in: int, part: str) -> None:
    record = round_record(variant, 2, random.Random(3)) | {"carry_in": carry_in}
    with pytest.raises(ContradictionError, match=part):
        replay(record)


def test_impossible_tables_are_named() -> None:
    record = published()[0] | {"variant": "palestinian", "players": 3, "teams": [0, 1, 2]}
    with pytest.raises(RecordError, match="palestinian with 3 players"):
        replay(record)
    with pytest.raises(RecordError, match="deck: 52 cards, but palestinian is played here with 44"):
        replay(published()[0] | {"variant": "palestinian"})


def test_deck_cannot_be_left_to_the_seed() -> None:
    record = published()[0] | {"seed": 1, "index": 0}
    del record["deck"]
    with pytest.raises(RecordError, match="deck is missing: seed and index do not stand for the cards"):
        replay(record)


@pytest.mark.parametrize("field", ["score_before", "seating", "winner"])
def test_match_fields_need_match_and_round(field: str) -> None:
    value = {"score_before": [0, 0], "seating": [0, 1], "winner": 0}[field]
    with pytest.raises(RecordError, match=f"{field} is stated without match"):
        replay(published()[0] | {field: value})
    with pytest.raises(RecordError, match="match is stated without round"):
        replay(published()[0] | {"match": 1})


def test_steps_tell_the_round() -> None:
    replayed = replay(published()[9])
    for step in replayed.steps:
        assert step.card in step.hand
        assert step.choice._replace(reason="") in [choice._replace(reason="") for choice in step.legal]
    last = replayed.steps[-1]
    assert last.last_card
    rest = [score.total - score.majority for score in replayed.scores]
    captor = replayed.setting.teams[replayed.last_capture]
    for team, points in enumerate(last.score):
        assert points == rest[team] or team == captor


@pytest.mark.parametrize("number", range(49))
def test_explanation_fits_and_tells(number: int) -> None:
    stated = published()[number]
    text = explain(replay(stated))
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    for place, play in enumerate(stated["plays"], 1):
        taken = " ".join(card_names(sorted(parse_cards(play["taken"]))))
        does = f"plays {play['card']} and takes {taken}." if taken else f"lays {play['card']}."
        assert f"Play {place}. Seat {play['seat']}" in flat
        assert does in flat
    for score in stated["scores"]:
        assert str(score["total"]) in flat.rpartition("points in all")[2]


def test_explanation_of_a_play() -> None:
    lines = explain(replay(published()[0])).split("\n\n")
    assert lines[3] == (
        "Play 3. Seat 0 plays 10H and takes AS 9H.\n"
        "    Hand:  5H 5D 10H\n"
        "    Floor: AS 9H 4D KC\n"
        "    Legal: 5H takes AS 4D; 5D takes AS 4D; 10H takes AS 9H.\n"
        "    Rule:  takes 9+A by sum; no basra, cards are left.\n"
        "    Scores 1 (aces 1); points so far 1 : 0."
    )
    assert "Scores 11 (aces 1, basras 10)" in lines[31]
    assert lines[-1].startswith("Most cards: team 0 with 32, 3 points.")


def test_data_of_a_replay() -> None:
    data = json.loads(json.dumps(replay_data(replay(published()[4]))))
    assert data["record"]["scores"] == published()[4]["scores"]
    play = data["plays"][18]
    assert play["card"] in play["hand"]
    assert {"taken", "basra", "reason"} <= play["legal"][play["card"]][0].keys()
    assert data["plays"][-1]["play"] == 48
