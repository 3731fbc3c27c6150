"""Reading, checking and writing records: every slip is named with its line, nothing else ever comes out."""

import io
import json
import random
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra_sim.errors import InputError
from basra_sim.records import (
    PlayRecord,
    Record,
    RecordError,
    ScoreRecord,
    check_record,
    field_specs,
    parse_record,
    read_records,
    record_line,
    write_records,
)
from basra_sim.reference import TeamScore, replay, replay_all, replay_match
from tests.playing import Plain, match_records, round_record

ROUNDS = Path(__file__).parent / "data" / "rounds.jsonl"


def a_record() -> Plain:
    return round_record("bastra", 2, random.Random(0))


def test_read_and_write_round_trip(tmp_path: Path) -> None:
    records = [each.record for each in read_records(ROUNDS)]
    assert len(records) == 49
    path = tmp_path / "copy.jsonl"
    assert write_records(records, path) == 49
    assert [each.record for each in read_records(str(path))] == records
    stream = io.StringIO()
    assert write_records(records[:3], stream) == 3
    assert stream.getvalue() == "".join(record_line(record) + "\n" for record in records[:3])
    assert [each.record for each in read_records(io.StringIO(stream.getvalue()))] == records[:3]


def test_standard_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_records([check_record(a_record())], "-") == 1
    written = capsys.readouterr().out
    assert written == record_line(check_record(a_record())) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written.encode()), encoding="ascii"))
    assert [each.line for each in read_records("-")] == [1]
    monkeypatch.setattr(sys, "stdin", io.StringIO(written))
    assert [each.line for each in read_records("-")] == [1]


def test_lines_are_counted_with_the_empty_ones(tmp_path: Path) -> None:
    line = record_line(check_record(a_record()))
    path = tmp_path / "gaps.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"\n{line}\r\n   \n{line}".encode())
    assert [each.line for each in read_records(path)] == [2, 4]
    path.write_text(f"{line}\n\n{line[:-1]}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"line 3: not JSON: Expecting ',' delimiter at column"):
        list(read_records(path))
    assert list(read_records(io.StringIO(""))) == []


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "not JSON: .* at column 2; each line must be a whole JSON object"),
        ("[]", "a record is an object of fields in braces, not an empty list"),
        ("3", "a record is an object of fields in braces, not 3"),
        ("null", "a record is an object of fields in braces, not null"),
        ("{'variant': 1}", "not JSON"),
        ('{"variant": NaN}', "not JSON: NaN is no number"),
        ('{"variant": Infinity}', "not JSON: Infinity is no number"),
        ('{"variant": "bastra", "variant": "egyptian"}', 'field "variant" comes twice'),
        ("[" * 50_000, "nested too deeply"),
        ("[" * 100_001, "line is longer than 100,000"),
        ("1" * 10_000, "not JSON"),
        ("{}", "variant, players, deck and plays are missing"),
        ('{"seed": 1, "index": 2}', "deck is missing: seed and index do not stand for the cards"),
        ('{"plyas": []}', r'unknown field "plyas" \(did you mean plays\?\)'),
        ('{"zzz": []}', 'unknown field "zzz"; a record has variant, players, .* and winner'),
    ],
)
def test_lines_that_are_no_record(text: str, part: str) -> None:
    with pytest.raises(RecordError, match=part) as caught:
        list(read_records(io.StringIO(f"\n{text}\n")))
    assert str(caught.value).startswith("line 2: ")
    assert str(caught.value).isprintable()


BAD_FIELDS: list[tuple[str, Any, str]] = [
    ("variant", 3, "variant: a text is needed, not 3"),
    ("variant", " ", "variant: a text is needed"),
    ("players", 5, "players: a whole number from 2 to 4 is needed, not 5"),
    ("players", "2", 'players: a whole number from 2 to 4 is needed, not "2"'),
    ("players", True, "players: a whole number from 2 to 4 is needed, not true"),
    ("players", 2.0, "players: a whole number from 2 to 4 is needed, not 2.0"),
    ("players", None, "players: a whole number from 2 to 4 is needed, not null"),
    ("players", [2], "players: .* not a list"),
    ("players", {}, "players: .* not an object"),
    ("teams", [0, "1"], 'teams: seat 2: a whole number from 0 to 3 is needed, not "1"'),
    ("teams", 0, "teams: a list is needed, not 0"),
    ("rules", ["target"], 'rules: an object such as {"target": 121} is needed, not a list'),
    ("rules", {"target": float("nan")}, "rules: values must be numbers"),
    ("rules", {"target": object()}, "rules: values must be numbers"),
    ("seed", True, "seed: a whole number 0 or more is needed, not true"),
    ("seed", -1, "seed: a whole number 0 or more is needed, not -1"),
    ("carry_in", 10**13, "carry_in: a whole number"),
    ("deck", "AS 2C", "deck: a list is needed"),
    ("deck", ["AS"] * 52, "deck: AS comes twice"),
    ("deck", ["AS", "as"], "deck: AS comes twice"),
    ("deck", ["AS", "1S"], 'deck: card 2: "1S" is no card: write rank and suit'),
    ("deck", ["AS", 7], "deck: card 2: a card such as 10D is needed, not 7"),
    ("deck", ["AS"], "deck: 1 cards; a pack has 52, or 44 without queens and kings"),
    ("floor", ["AS", "AS"], "floor: AS comes twice"),
    ("plays", {}, "plays: a list is needed, not an object"),
    ("plays", ["AS"], 'plays: play 1: a play is an object of fields in braces, not "AS"'),
    ("plays", [{"taken": []}], "plays: play 1: card is missing"),
    (
        "plays",
        [{"card": "AS", "took": []}],
        r'play 1: unknown field "took" \(did you mean|play 1: unknown field "took"',
    ),
    ("plays", [{"card": "AS"}, {"card": "2S", "taken": ["3S", "3S"]}], "plays: play 2: taken: 3S comes twice"),
    ("plays", [{"card": "AS", "seat": 4}], "play 1: seat: a whole number from 0 to 3 is needed, not 4"),
    ("plays", [{"card": "x" * 1000}], 'card: "x{39}…" is no card'),
    ("scores", [{"team": 0}, {"cards": 3}], "scores: score 2: team is missing"),
    ("scores", [{"team": 0, "majorty": 3}], r'unknown field "majorty" \(did you mean majority\?\)'),
    ("winner", "1", "winner: a whole number from 0 to 3"),
    ("score_before", [1, -2], "score_before: team 2: a whole number 0 or more"),
    ("seating", [0, 9], "seating: seat 2: a whole number from 0 to 3"),
]


@pytest.mark.parametrize(("field", "value", "part"), BAD_FIELDS, ids=[f"{each[0]}: {each[2]}" for each in BAD_FIELDS])
def test_fields_of_the_wrong_form(field: str, value: Any, part: str) -> None:
    with pytest.raises(RecordError, match=part):
        check_record(a_record() | {field: value})


def test_short_pack_holds_no_queens_and_kings() -> None:
    short = round_record("palestinian", 2, random.Random(1))
    assert len(check_record(short)["deck"]) == 44
    with pytest.raises(RecordError, match="deck: 44 cards with QC among them"):
        check_record(short | {"deck": ["QC", *short["deck"][1:]]})


def test_what_is_checked_is_not_what_was_handed_in() -> None:
    record = a_record()
    before = deepcopy(record)
    checked = check_record(record)
    checked["plays"][0]["card"] = "KS"
    checked["deck"].reverse()
    assert record == before


@pytest.mark.parametrize("missing", ["variant", "players", "deck", "plays"])
def test_missing_field_is_named(missing: str) -> None:
    record = a_record()
    del record[missing]
    with pytest.raises(RecordError, match=f"^{missing} is missing$"):
        check_record(record)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for source in (tmp_path / "none.jsonl", tmp_path, "a\0b"):
        with pytest.raises(RecordError, match="cannot be read: ") as caught:
            list(read_records(source))
        assert str(caught.value).isprintable()
    with pytest.raises(RecordError, match="cannot be written: "):
        write_records([], tmp_path / "none" / "file.jsonl")


def test_wrong_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    line = record_line(check_record(a_record()))
    path = tmp_path / "latin.jsonl"
    path.write_bytes(f"{line}\n{line}\n".encode() + '{"variant": "é"}\n'.encode("latin-1"))
    with pytest.raises(RecordError, match="line 3: not a text in UTF-8"):
        list(read_records(path))
    with pytest.raises(RecordError, match="line 1: not a text in UTF-8"):
        list(read_records(io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")))


def test_messages_are_one_line_that_can_be_printed() -> None:
    error = RecordError("a\nb\ud800\u2028c\x1b[31m" + "x" * 10_000)
    assert str(error).startswith("a b\\ud800 c ")
    assert len(str(error)) == 500
    str(error).encode("utf-8")
    assert issubclass(RecordError, InputError)
    assert RecordError.exit_code == 2


@pytest.mark.parametrize("kind", [Record, PlayRecord, ScoreRecord])
def test_every_field_is_documented_and_checked(kind: type) -> None:
    specs = field_specs(kind)
    assert list(specs) == list(get_type_hints(kind))
    for spec in specs.values():
        assert spec.doc.endswith(".")
        with pytest.raises(RecordError):
            spec.check(object())
    required = {name for name, spec in specs.items() if spec.required}
    assert required == vars(kind)["__required_keys__"]


def test_scores_have_the_fields_of_the_engine() -> None:
    assert tuple(field_specs(ScoreRecord)) == TeamScore._fields


def test_full_record_has_every_field_but_the_stock_and_the_seed() -> None:
    last = replay_match(match_records("bastra", 2, random.Random(4)))[-1].record
    assert set(last) == set(field_specs(Record)) - {"stock", "seed", "index"}
    assert list(last) == [name for name in field_specs(Record) if name in last]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 60)
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=8)
    | st.sampled_from(["AS", "10D", "bastra", "egyptian", "J,7D", "x.toml", "../x.toml"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.dictionaries(st.sampled_from(sorted(field_specs(Record))), JSON)


def complaint(action: Callable[[], object]) -> str:
    """Message of the error that an action ends in; anything but an error meant for a person comes through."""
    try:
        action()
    except InputError as error:
        return str(error)
    return "fine"


def is_one_line(text: str) -> bool:
    return text.isprintable() and 0 < len(text) <= 500 and text.encode("utf-8") != b""


@settings(max_examples=400)
@given(JSON | FIELDS)
def test_any_json_is_read_or_refused(value: Any) -> None:
    assert is_one_line(complaint(lambda: list(replay_all([(1, value)]))))
    assert is_one_line(complaint(lambda: parse_record(json.dumps(value))))


@settings(max_examples=300)
@given(st.text(max_size=40) | st.binary(max_size=40))
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    stream = io.StringIO(text) if isinstance(text, str) else io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    assert is_one_line(complaint(lambda: list(read_records(stream))))


@settings(max_examples=500)
@given(st.data())
def test_any_change_of_a_record_is_read_or_refused(data: Any) -> None:
    """A right record with anything put anywhere."""
    records = match_records("egyptian", 2, random.Random(5), changes={"target": 20})
    record = json.loads(json.dumps(replay(data.draw(st.sampled_from(records))).record))
    for _ in range(data.draw(st.integers(1, 3))):
        inner: Any = record
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(inner[key], dict | list) and data.draw(st.integers(0, 3)):
                inner = inner[key]
                continue
            if data.draw(st.booleans()):
                inner[key] = data.draw(JSON)
            elif data.draw(st.booleans()):
                del inner[key]
            elif isinstance(inner, list):
                inner.insert(key, data.draw(st.sampled_from(inner)))
            break
    assert is_one_line(complaint(lambda: list(replay_all([(1, record)]))))


@settings(max_examples=200)
@given(
    st.dictionaries(st.sampled_from(["target", "buried", "hand_size", "pack", "two", "deal", "captures", "x"]), JSON)
)
def test_any_rules_are_applied_or_refused(rules: dict[str, Any]) -> None:
    assert is_one_line(complaint(lambda: replay(a_record() | {"rules": rules})))


def test_the_largest_seed_and_deal_there_can_be() -> None:
    record = check_record(a_record() | {"seed": 2**63 - 1, "index": 10**9 << 20})
    assert (record["seed"], record["index"]) == (2**63 - 1, 10**9 << 20)
    with pytest.raises(RecordError, match="seed: a whole number"):
        check_record(a_record() | {"seed": 2**63})
