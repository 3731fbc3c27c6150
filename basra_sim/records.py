"""Round records: one JSON object a round, a line each. Reading, checking their form, writing."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cache
from itertools import count
from os import PathLike
from typing import Annotated, Any, NamedTuple, Required, TextIO, TypedDict, cast, get_args, get_origin, get_type_hints

from basra_sim.cards import DECK_SIZE, SHORT_DECK_SIZE, CardError, card_name, parse_card
from basra_sim.errors import InputError
from basra_sim.files import written_aside
from basra_sim.inputs import bounded_lines, open_lines
from basra_sim.rules.wording import did_you_mean, either, shown

_LONGEST_MESSAGE = 500
_LARGEST = 10**12
_CARD_NAMES = frozenset(map(card_name, range(DECK_SIZE)))


class RecordError(InputError):
    """A record, or a file of them, that cannot be read or contradicts itself; always one line that can be printed."""

    def __init__(self, text: str) -> None:
        line = " ".join(text.split()).encode("utf-8", "backslashreplace").decode()
        line = "".join(char if char.isprintable() else " " for char in line)
        super().__init__(line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…")

    def at(self, place: str) -> "RecordError":
        """Same error with the place where it was found in front."""
        return type(self)(f"{place}: {self}") if place else self


class FieldSpec(NamedTuple):
    """What a field of a record means, and what checks a value and gives it in its one spelling."""

    doc: str
    check: Callable[[object], object]
    required: bool = False
    """Whether the field must be there; taken from the type of the record."""


def _kind(value: object) -> str:
    """Value in words short enough for a message."""
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, str) and len(value) > 40:
        return shown(value[:39] + "…")
    return shown(value) if isinstance(value, str | int | float | None) else type(value).__name__


def _whole(low: int = 0, high: int = _LARGEST) -> Callable[[object], object]:
    """Check for a whole number in a range."""

    def check(value: object) -> object:
        if type(value) is int and low <= value <= high:
            return value
        allowed = f"from {low} to {high}" if high < _LARGEST else "0 or more" if low == 0 else f"{low} or more"
        raise RecordError(f"a whole number {allowed} is needed, not {_kind(value)}")

    return check


def _text(value: object) -> object:
    """Check for a text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    raise RecordError(f"a text is needed, not {_kind(value)}")


def _card(value: object) -> object:
    """Check for a card; gives its name in the one spelling."""
    if isinstance(value, str) and value in _CARD_NAMES:
        return value
    if not isinstance(value, str):
        raise RecordError(f"a card such as 10D is needed, not {_kind(value)}")
    try:
        return card_name(parse_card(value))
    except CardError:
        raise RecordError(f"{_kind(value)} is no card: write rank and suit, such as AS, 10D or JH") from None


def _cards(value: object) -> list[str]:
    """Check for a list of cards, each once."""
    names = cast(list[str], _listed(_card, "card")(value))
    for place, name in enumerate(names):
        if name in names[:place]:
            raise RecordError(f"{name} comes twice")
    return names


def _deck(value: object) -> object:
    """Check for a whole pack."""
    names = _cards(value)
    if len(names) not in (DECK_SIZE, SHORT_DECK_SIZE):
        raise RecordError(f"{len(names)} cards; a pack has {DECK_SIZE}, or {SHORT_DECK_SIZE} without queens and kings")
    if len(names) == SHORT_DECK_SIZE:
        foreign = [name for name in names if parse_card(name) >= SHORT_DECK_SIZE]
        if foreign:
            raise RecordError(
                f"{SHORT_DECK_SIZE} cards with {foreign[0]} among them: that pack has no queens and kings"
            )
    return names


def _listed(check: Callable[[object], object], what: str) -> Callable[[object], object]:
    """Check for a list, each element by a check of its own; errors count the elements from 1."""

    def check_all(value: object) -> object:
        if not isinstance(value, list | tuple):
            raise RecordError(f"a list is needed, not {_kind(value)}")
        checked = []
        for number, each in enumerate(value, 1):
            try:
                checked.append(check(each))
            except RecordError as error:
                raise error.at(f"{what} {number}") from None
        return checked

    return check_all


def _rules(value: object) -> object:
    """Check for an object of options; the options themselves are checked when they are applied."""
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise RecordError("values must be numbers, texts, true, false or lists of them") from None
        return dict(value)
    raise RecordError(f'an object such as {{"target": 121}} is needed, not {_kind(value)}')


def _winner(value: object) -> object:
    """Check for a team, or none for a drawn match."""
    return None if value is None else _team(value)


_team, _seat, _number = _whole(0, 3), _whole(0, 3), _whole()
_long = _whole(high=2**63 - 1)  # seeds, and numbers of deals, which are long in matches


class PlayRecord(TypedDict, total=False):
    """One play of a record."""

    seat: Annotated[int, FieldSpec("Seat that plays. Seats take turns from 0.", _seat)]
    card: Required[Annotated[str, FieldSpec("Card that is played.", _card)]]
    taken: Annotated[list[str], FieldSpec("Cards it takes; needed only where there is a choice.", _cards)]
    basra: Annotated[int, FieldSpec("Points of the basra it makes, or 0.", _number)]


class ScoreRecord(TypedDict, total=False):
    """Score of one team in a record."""

    team: Required[Annotated[int, FieldSpec("Number of the team.", _team)]]
    cards: Annotated[int, FieldSpec("Number of cards captured.", _number)]
    aces: Annotated[int, FieldSpec("Points of the aces.", _number)]
    jacks: Annotated[int, FieldSpec("Points of the jacks.", _number)]
    two: Annotated[int, FieldSpec("Points of the two that scores.", _number)]
    ten: Annotated[int, FieldSpec("Points of the ten of diamonds.", _number)]
    majority: Annotated[int, FieldSpec("Points for most cards.", _number)]
    basras: Annotated[int, FieldSpec("Points of the basras.", _number)]
    basra_count: Annotated[int, FieldSpec("Number of basras.", _number)]
    total: Annotated[int, FieldSpec("All points of the round.", _number)]


def _play(value: object) -> object:
    """Check for a play."""
    return _checked(value, PlayRecord, "a play")


def _score(value: object) -> object:
    """Check for the score of a team."""
    return _checked(value, ScoreRecord, "a score")


class Record(TypedDict, total=False):
    """A round; a person who writes one needs to give only ``variant``, ``players``, ``deck`` and ``plays``."""

    variant: Required[Annotated[str, FieldSpec("Name of the variant, or path of a variant file.", _text)]]
    players: Required[Annotated[int, FieldSpec("Number of players.", _whole(2, 4))]]
    teams: Annotated[list[int], FieldSpec("Team of each seat; [0, 1, 0, 1] for pairs.", _listed(_team, "seat"))]
    hand_size: Annotated[int, FieldSpec("Cards a player gets in a deal.", _whole(1, 24))]
    rules: Annotated[dict[str, Any], FieldSpec("Options that differ from the variant.", _rules)]
    seed: Annotated[int, FieldSpec("Seed from which the deck was shuffled.", _long)]
    index: Annotated[int, FieldSpec("Number of the deal under that seed.", _long)]
    match: Annotated[int, FieldSpec("Number of the match the round belongs to.", _number)]
    round: Annotated[int, FieldSpec("Number of the round in its match, from 0.", _number)]
    score_before: Annotated[
        list[int], FieldSpec("Points of each team in the match before the round.", _listed(_number, "team"))
    ]
    seating: Annotated[list[int], FieldSpec("Player in each seat.", _listed(_seat, "seat"))]
    carry_in: Annotated[int, FieldSpec("Points for most cards held over from earlier rounds.", _number)]
    deck: Required[Annotated[list[str], FieldSpec("Shuffled pack before anything is dealt, top first.", _deck)]]
    floor: Annotated[list[str], FieldSpec("Opening floor, once no buried card lies there.", _cards)]
    stock: Annotated[
        list[str],
        FieldSpec("Pack left once the floor lies, top first; needed where cards were buried at random.", _cards),
    ]
    plays: Required[Annotated[list[PlayRecord], FieldSpec("All plays in their order.", _listed(_play, "play"))]]
    last_capture: Annotated[int, FieldSpec("Seat that captured last.", _seat)]
    leftover: Annotated[list[str], FieldSpec("Cards left on the floor; that seat gets them.", _cards)]
    scores: Annotated[list[ScoreRecord], FieldSpec("Score of each team.", _listed(_score, "score"))]
    carry_out: Annotated[int, FieldSpec("Points for most cards held over for the next round.", _number)]
    winner: Annotated[
        int | None, FieldSpec("In the last round of a match: the team that won it, null for a draw.", _winner)
    ]


class NumberedRecord(NamedTuple):
    """A record with the number of the line it stands on."""

    line: int
    record: Record


@cache
def field_specs(kind: type) -> dict[str, FieldSpec]:
    """Fields of `Record`, `PlayRecord` or `ScoreRecord` by name, in their order, with meaning and check."""
    specs = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        required = get_origin(hint) is Required
        annotated = get_args(hint)[0] if required else hint
        specs[name] = cast(FieldSpec, get_args(annotated)[-1])._replace(required=required)
    return specs


def check_record(value: object) -> Record:
    """
    Record of a value such as JSON gives it: known fields, right types, cards in their one spelling.

    Whether the round was played by the rules is another question, see `basra_sim.reference.replay`.

    Raises
    ------
    RecordError
        If a field is unknown, missing or of another type, a card is none or comes twice, or the deck is no whole pack.
    """
    if isinstance(value, Mapping) and "deck" not in value and {"seed", "index"} & set(value):
        raise RecordError("deck is missing: seed and index do not stand for the cards, state the deck as well")
    return cast(Record, _checked(value, Record, "a record"))


def parse_record(text: str) -> Record:
    """
    Record of a line of JSON.

    Raises
    ------
    RecordError
        If it is no JSON, or as for `check_record`.
    """
    try:
        value = json.loads(text.strip(), parse_constant=_no_number, object_pairs_hook=_object)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        hint = "; each line must be a whole JSON object" if text.strip() in ("{", "[") else ""
        raise RecordError(f"not JSON: {error.msg} at column {error.colno}{hint}") from None
    except RecursionError:
        raise RecordError("not a record: nested too deeply") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}") from None
    return check_record(value)


def read_records(source: str | PathLike[str] | TextIO) -> Iterator[NumberedRecord]:
    """
    Records of a JSON Lines file, one after the other; empty lines are passed over.

    Parameters
    ----------
    source
        Path, ``-`` for standard input, or an open text stream.

    Raises
    ------
    RecordError
        If the file cannot be read or a line holds no record; the message names the line.
    """
    lines = _lines(source)
    for number in count(1):
        with placed(f"line {number}"):
            text = next(lines, None)
            if text is None:
                return
            record = parse_record(text) if text.strip() else None
        if record is not None:
            yield NumberedRecord(number, record)


def record_line(record: Record) -> str:
    """Record as a line of JSON, without the line's end."""
    return json.dumps(record)


def write_records(records: Iterable[Record], target: str | PathLike[str] | TextIO) -> int:
    """
    Write records as JSON Lines to a path, ``-`` for standard output, or an open text stream; returns how many.

    A file appears when it is complete; until then what stood there before stays.

    Raises
    ------
    RecordError
        If the file cannot be written.
    """
    if not isinstance(target, str | PathLike):
        number = 0
        for record in records:
            target.write(record_line(record) + "\n")
            number += 1
        return number
    if target == "-":
        return write_records(records, sys.stdout)
    try:
        with written_aside(target) as beside, beside.open("w", encoding="utf-8", newline="\n") as stream:
            return write_records(records, stream)
    except OSError as error:
        raise RecordError(f"{target} cannot be written: {error.strerror}") from None


def _lines(source: str | PathLike[str] | TextIO) -> Iterator[str]:
    """Lines of a source. Files are decoded line by line, so that a line in another encoding is named, not its block."""
    if isinstance(source, str | PathLike) and source != "-":
        try:
            return _read(open_lines(source), str(source), closing)
        except OSError as error:
            raise _unreadable(source, error) from None
    stream: TextIO = sys.stdin if isinstance(source, str | PathLike) else source
    return _read(getattr(stream, "buffer", stream), "the input", nullcontext)


def _read(stream: Any, name: str, ending: Callable[[Any], AbstractContextManager[Any]]) -> Iterator[str]:
    """Lines of an open stream, and what happens to it at the end."""
    with ending(stream):
        try:
            yield from map(_decoded, bounded_lines(stream))
        except UnicodeError:
            raise RecordError("not a text in UTF-8") from None
        except (OSError, ValueError) as error:
            raise _unreadable(name, error) from None


def _unreadable(source: object, error: Exception) -> RecordError:
    """The error for a source that cannot be read."""
    reason = error.strerror if isinstance(error, OSError) else error
    return RecordError(f"{source} cannot be read: {reason}")


def _decoded(line: str | bytes) -> str:
    """Line as text, without the mark that some programs put before the first."""
    return (line.decode("utf-8") if isinstance(line, bytes) else line).removeprefix("\ufeff")


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Put the place in front of the message of record errors from within."""
    try:
        yield
    except RecordError as error:
        raise error.at(place) from None


def _checked(value: object, kind: type, what: str) -> dict[str, object]:
    """Object whose fields are those of a kind of record."""
    if not isinstance(value, Mapping):
        raise RecordError(f"{what} is an object of fields in braces, not {_kind(value)}")
    specs = field_specs(kind)
    for name in value:
        if name not in specs:
            hint = did_you_mean(str(name), specs) or f"; {what} has {either(specs).replace(' or ', ' and ')}"
            raise RecordError(f"unknown field {_kind(name)}{hint}")
    missing = [name for name, spec in specs.items() if spec.required and name not in value]
    if missing:
        raise RecordError(f"{either(missing).replace(' or ', ' and ')} {'is' if len(missing) == 1 else 'are'} missing")
    checked = {}
    try:
        for name, spec in specs.items():
            if name in value:
                checked[name] = spec.check(value[name])
    except RecordError as error:
        raise error.at(name) from None
    return checked


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Object of JSON; a name that comes twice is refused, for one of the two values would be lost."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise RecordError(f"field {_kind(name)} comes twice")
        found[name] = value
    return found


def _no_number(name: str) -> object:
    """Refuse what Python reads as a number and JSON does not know."""
    raise RecordError(f"not JSON: {name} is no number")
