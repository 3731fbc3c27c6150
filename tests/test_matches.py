"""Matches replayed: what passes from one round to the next, and when a match is over."""

import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from basra_sim.records import RecordError
from basra_sim.reference import ContradictionError, explain, replay, replay_all, replay_data, replay_match, verdict
from basra_sim.rules import Rules, override
from tests.playing import Plain, match_records, round_record


@cache
def _match(name: str, players: int, pairs: bool, seed: int, changes: tuple[tuple[str, Any], ...]) -> list[Plain]:
    return match_records(name, players, random.Random(seed), pairs=pairs, changes=dict(changes))


def a_match(name: str, players: int = 2, pairs: bool = False, seed: int = 1, **changes: Any) -> list[Plain]:
    """Records of a random match, a copy that may be altered."""
    return deepcopy(_match(name, players, pairs, seed, tuple(changes.items())))


@pytest.mark.parametrize(
    ("name", "players", "pairs"),
    [("bastra", 2, False), ("egyptian", 2, False), ("yemeni", 3, False), ("basra-nl", 4, False), ("syrian-a", 4, True)],
)
def test_matches_come_out_as_kept_by_hand(name: str, players: int, pairs: bool) -> None:
    records = a_match(name, players, pairs)
    replays = replay_match(records)
    assert len(records) > 1
    for number, (record, replayed) in enumerate(zip(records, replays, strict=True)):
        assert replayed.record["score_before"] == record["score_before"]
        assert replayed.record["seating"] == record["seating"]
        assert replayed.record["teams"] == record["teams"]
        assert replayed.verdict is not None
        assert replayed.verdict.over == (number == len(records) - 1)
    assert replays[-1].record["winner"] == records[-1]["winner"]
    assert replay_match([each.record for each in replays]) == replays


@pytest.mark.parametrize("pairs", [False, True])
def test_rounds_of_a_match_need_no_more_than_their_number(pairs: bool) -> None:
    """Seating, scores, carry and winner follow."""
    records = a_match("egyptian", 4, pairs)
    kept = ("variant", "players", "rules", "match", "round", "deck", "plays")
    minimal = [{name: record[name] for name in kept} for record in records]
    if pairs:
        for record, stated in zip(minimal, records, strict=True):
            record["teams"] = stated["teams"]
    assert [each.record for each in replay_match(minimal)] == [each.record for each in replay_match(records)]


def test_partners_keep_their_team_when_the_seats_rotate() -> None:
    records = a_match("syrian-a", 4, True)
    teams = [each.record["teams"] for each in replay_match(records)]
    assert teams[0] == [0, 1, 0, 1]
    assert teams[1] == [1, 0, 1, 0]
    records[1]["teams"] = [0, 1, 0, 1]
    with pytest.raises(ContradictionError, match=r"line 2: teams is stated as \[0, 1, 0, 1\], right is \[1, 0, 1, 0\]"):
        list(replay_all(enumerate(records, 1)))


def test_carry_passes_on_and_dies_with_the_match() -> None:
    """Under three players ties are common enough to see points held over."""
    for seed in range(60):
        records = a_match("egyptian", 3, seed=seed, target=150)
        replays = replay_match(records)
        held = [each.carry_out for each in replays]
        if any(held[:-1]):
            break
    place = next(place for place, points in enumerate(held) if points)
    assert replays[place + 1].carry_in == held[place]
    records[place + 1]["carry_in"] = 0
    with pytest.raises(
        ContradictionError, match=f"carry_in is stated as 0, right is {held[place]}: that is what round"
    ):
        replay_match(records)
    del records[place + 1]["carry_in"]
    assert replay_match(records) == replays
    with pytest.raises(ContradictionError, match="0 earlier rounds hold over 0 at most"):
        replay(records[0] | {"carry_in": 30})


def with_tie(match_tie: str) -> list[Plain]:
    """A match that was tied at or above the target once."""
    for seed in range(400):
        records = a_match("bastra", 2, seed=seed, target=5, match_tie=match_tie)
        scores = [record["score_before"] for record in records[1:]]
        if match_tie == "draw":
            if records[-1]["winner"] is None:
                return records
        elif any(score[0] == score[1] >= 5 for score in scores):
            return records
    raise AssertionError("no tie found")


@pytest.mark.parametrize("match_tie", ["more_rounds", "draw", "extend"])
def test_ties_at_the_target(match_tie: str) -> None:
    records = with_tie(match_tie)
    replays = replay_match(records)
    rules = replays[0].setting.rules
    last = replays[-1]
    assert last.verdict is not None
    assert last.score_after is not None
    if match_tie == "draw":
        assert last.record["winner"] is None
        assert last.verdict[:] == (True, None, 5)
        with pytest.raises(ContradictionError, match="winner is stated as 1, but the match is drawn"):
            replay_match([*records[:-1], records[-1] | {"winner": 1}])
    else:
        assert last.record["winner"] == last.score_after.index(max(last.score_after))
        with pytest.raises(ContradictionError, match="winner is stated as null, but the match is won by team"):
            replay_match([*records[:-1], records[-1] | {"winner": None}])
    if match_tie == "extend":
        assert last.verdict.target > rules.target
        assert max(last.score_after) >= last.verdict.target


def test_verdicts() -> None:
    rules = override(Rules(), {"target": 100})
    assert verdict(rules, [90, 80], [99, 80]) == (False, None, 100)
    assert verdict(rules, [90, 80], [100, 99]) == (True, 0, 100)
    assert verdict(rules, [90, 80], [120, 121]) == (True, 1, 100)
    assert verdict(rules, [90, 80], [110, 110]) == (False, None, 100)
    assert verdict(rules, [110, 110], [113, 110]) == (True, 0, 100)
    assert verdict(rules, [90, 80, 3], [110, 110, 111]) == (True, 2, 100)
    draw = override(rules, {"match_tie": "draw"})
    assert verdict(draw, [90, 80], [110, 110]) == (True, None, 100)
    assert verdict(draw, [90, 80], [99, 99]) == (False, None, 100)


def test_target_is_extended_until_it_is_above_the_tie() -> None:
    rules = override(Rules(), {"target": 100, "match_tie": "extend", "extend_by": 20})
    assert verdict(rules, [90, 80], [110, 110]) == (False, None, 100)
    assert verdict(rules, [90, 80], [100, 100]) == (False, None, 100)
    assert verdict(rules, [100, 100], [119, 113]) == (False, None, 120)
    assert verdict(rules, [110, 110], [119, 113]) == (False, None, 120)
    assert verdict(rules, [119, 113], [120, 119]) == (True, 0, 120)
    assert verdict(rules, [110, 110], [120, 120]) == (False, None, 120)
    assert verdict(rules, [120, 120], [139, 130]) == (False, None, 140)
    # Past 120 as well: an extension to it would extend nothing.
    assert verdict(rules, [90, 80], [125, 125]) == (False, None, 100)
    assert verdict(rules, [125, 125], [139, 130]) == (False, None, 140)
    assert verdict(rules, [10**12, 10**12], [10**12 + 100, 10**12]) == (True, 0, 10**12 + 20)


Change = Callable[[list[Plain]], Any]

MATCH_ONLY = ("match", "round", "score_before", "seating")

BROKEN: list[tuple[str, Change, str]] = [
    ("round left out", lambda records: records.pop(1), "line 2: round is stated as 2, right is 1 in match 7"),
    ("round twice", lambda records: records.insert(1, records[0]), "line 2: round is stated as 0, right is 1"),
    ("first round missing", lambda records: records.pop(0), "its round 0 is missing"),
    ("last round missing", lambda records: records.pop(), "is not over after round .*, and this is its last round"),
    (
        "a round too many",
        lambda records: records.append(records[0] | {"round": len(records)} | seats(len(records))),
        "was over with round .*, nothing can follow",
    ),
    ("seating", lambda records: records[1].update(seating=[0, 1]), "line 2: seating is stated as .* player 1's"),
    (
        "score before",
        lambda records: records[1]["score_before"].__setitem__(0, 1 + records[1]["score_before"][0]),
        "line 2: score_before is stated as .*: the score after round 0",
    ),
    ("first score", lambda records: records[0].update(score_before=[3, 0]), "a match begins at nothing"),
    ("teams of three", lambda records: records[1].update(score_before=[0, 0, 0]), "3 numbers for 2 teams"),
    ("winner", lambda records: records[-1].update(winner=1 - records[-1]["winner"]), "but the match is won by team"),
    (
        "winner too early",
        lambda records: records[0].update(winner=0),
        "line 1: winner is stated, but the match goes on",
    ),
    ("other match", lambda records: records[1].update(match=8), "line 2: match 7 is not over after round 0"),
    ("no match", lambda records: [records[1].pop(name) for name in MATCH_ONLY], "line 2: match 7 is not over"),
    ("rules", lambda records: records[1].update(rules={"target": 90}), "line 2: match 7 changes its variant, rules"),
    ("nothing", lambda records: records.clear(), "a match has at least one round"),
    ("no match at all", lambda records: records.__setitem__(slice(None), [a_round()]), "this is no round of a match"),
    ("two matches", lambda records: records.extend(records[:]), "a second match begins here"),
]


def seats(number: int) -> Plain:
    seating = [number % 2, (number + 1) % 2]
    return {"seating": seating, "teams": seating}


def a_round() -> Plain:
    return round_record("bastra", 2, random.Random(0))


@pytest.mark.parametrize(("change", "part"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_broken_matches_are_found(change: Change, part: str) -> None:
    records = a_match("bastra")
    assert len(records) > 2
    change(records)
    with pytest.raises(RecordError, match=part):
        replay_match(records)


def test_several_matches_may_follow_each_other() -> None:
    first, second = a_match("bastra"), [record | {"match": 8} for record in a_match("egyptian", 3)]
    sequence = [a_round(), *first, *second, a_round(), *first]
    assert len(list(replay_all(enumerate(sequence, 1)))) == len(sequence)
    with pytest.raises(ContradictionError, match=f"line {len(first)}: match 7 is not over after round"):
        list(replay_all(enumerate([*first[:-1], *second], 1)))
    with pytest.raises(ContradictionError, match="begins with round 1, its round 0 is missing"):
        list(replay_all(enumerate([*first, *(record | {"match": 9} for record in second[1:])], 1)))


def test_a_match_may_begin_and_end_anywhere_in_a_file() -> None:
    records = a_match("bastra")
    replays = replay_match(records)
    middle = list(replay_all(enumerate(records[1:-1], 1)))
    assert [each.record for each in middle] == [each.record for each in replays[1:-1]]


def test_a_round_of_a_match_stands_alone() -> None:
    records = a_match("bastra")
    last = records[-1]
    assert replay(last).record == replay_match(records)[-1].record
    with pytest.raises(ContradictionError, match="with that the match was over: team 0 had won it, target 100"):
        replay(last | {"score_before": [104, 20]})
    unknown = {name: value for name, value in last.items() if name not in ("score_before", "winner")}
    replayed = replay(unknown)
    assert replayed.score_after is None
    assert replayed.verdict is None
    assert "score_before" not in replayed.record
    with pytest.raises(RecordError, match="winner is stated without score_before"):
        replay(unknown | {"winner": 0})
    with pytest.raises(ContradictionError, match=r"score_before .* it was drawn"):
        replay(last | {"rules": {"match_tie": "draw"}, "score_before": [104, 104]})


def test_explanation_and_data_tell_how_the_match_stands() -> None:
    replays = replay_match(a_match("syrian-a", 4, True))
    first, last = explain(replays[0]), explain(replays[-1])
    assert "it goes on, target 101" in " ".join(first.split())
    assert f"team {replays[-1].record['winner']} has won" in " ".join(last.split())
    assert max(map(len, (first + last).splitlines())) <= 80
    assert "Seat 0 (team 1)" in explain(replays[1])
    assert "Seats: 0 has player 1" in explain(replays[1])
    assert replay_data(replays[-1])["match"]["over"] is True
    assert "match" not in replay_data(replay(a_round()))
    drawn = replay_match(with_tie("draw"))
    assert "it is drawn" in explain(drawn[-1])


def test_changed_target_ends_the_match_elsewhere() -> None:
    records = a_match("bastra")
    for record in records:
        record["rules"] = {"target": 1}
    with pytest.raises(ContradictionError, match="line 2: match 7 was over with round 0"):
        replay_match(records)
    for record in records:
        record["rules"] = {"target": 10_000}
    with pytest.raises(ContradictionError, match="the match goes on"):
        replay_match(records)
