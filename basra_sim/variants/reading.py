"""Variant files: reading their TOML, checking each field, building the variant."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from basra_sim.inputs import parse_toml, read_text
from basra_sim.rules import OPTIONS, PLAYERS, Rules, RulesError, deals, override, uneven
from basra_sim.rules.wording import did_you_mean, either, near_file, shown
from basra_sim.variants.model import Variant

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_TEXTS = ("base", "title", "country", "direction", "first_to_play")
_LISTS = ("aliases", "sources", "notes")
_TABLES = ("alternatives", "hand_size_for")
INFORMATION = (*_TEXTS, *_LISTS, *_TABLES, "dealer_look")
"""Fields of a variant file besides the options of `Rules`."""

_FORM = 'a variant file has lines such as base = "egyptian" and target = 121'

DIRECTIONS = ("clockwise", "anticlockwise")

_START = Variant(
    name="bastra",
    title="",
    country="",
    direction=DIRECTIONS[0],
    first_to_play="",
    dealer_look=False,
    rules=Rules(),
    root="bastra",
)
"""What a variant without a base differs from."""


@contextmanager
def within(where: str) -> Iterator[None]:
    """Put before what an error says the file or the field that it is about."""
    try:
        yield
    except RulesError as error:
        raise RulesError(f"{where}: {error}") from None


def read(path: "Path | Traversable", label: str) -> dict[str, Any]:
    """
    Fields of a variant file.

    Parameters
    ----------
    path : Path or Traversable
        The file.
    label : str
        Its name in messages.

    Raises
    ------
    RulesError
        If there is no such file, it cannot be read, or it is no TOML.
    """
    try:
        return parse_toml(read_text(path) if isinstance(path, Path) else path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RulesError(f"{label}: there is no such file{near_file(label)}") from None
    except UnicodeError:
        raise RulesError(f"{label}: this is no text in UTF-8; {_FORM}") from None
    except OSError as error:
        raise RulesError(f"{label}: the file cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise RulesError(f"{label}: this is no TOML: {error}; {_FORM}") from None


def build(table: Mapping[str, Any], *, name: str, base: Variant | None, builtin: bool = False) -> Variant:
    """
    Variant of a file's fields, on top of its base.

    Titles, aliases and notes belong to the file alone; rules, country, sources and customs it does not state are
    its base's. A hand size it states replaces the base's hand sizes for certain numbers of players, and an option it
    states ends what the base says of its alternatives.

    Raises
    ------
    RulesError
        If a field is unknown, has a wrong type or value, or contradicts another; the message names the file.
    """
    with within(name):
        return _build(table, name, base, builtin)


def _build(table: Mapping[str, Any], name: str, base: Variant | None, builtin: bool) -> Variant:
    """Variant of a file's fields; messages do not name the file yet."""
    for key, value in table.items():
        if key not in OPTIONS and key not in INFORMATION:
            known = (*OPTIONS, *INFORMATION)
            hint = did_you_mean(key, known) or f": it may hold {either(known)}"
            raise RulesError(f"{key} = {shown(value)}: there is no such field{hint}")
        _check_type(key, value)
    start = base or _START
    stated = {key: OPTIONS[key].checked(value) for key, value in table.items() if key in OPTIONS}
    rules = override(start.rules, stated)
    inherited = {} if "hand_size" in table else start.hand_size_for
    hands = {players: size for players, size in inherited.items() if deals(replace(rules, hand_size=size), players)}
    hands |= _hand_sizes(table.get("hand_size_for", {}), rules)
    if not hands and not any(deals(rules, players) for players in PLAYERS):
        raise RulesError(f"no number of players can play this; 2 players: {uneven(rules, 2)}")
    others = {key: values for key, values in start.alternatives.items() if key not in stated}
    others |= _alternatives(table.get("alternatives", {}))
    others = {key: tuple(each for each in values if each != getattr(rules, key)) for key, values in others.items()}
    return replace(
        start,
        name=name,
        root=name if builtin else start.root,
        base=base.name if base else None,
        rules=rules,
        title=table.get("title", name),
        aliases=tuple(table.get("aliases", ())),
        notes=tuple(table.get("notes", ())),
        sources=tuple(table.get("sources", start.sources)),
        alternatives={key: values for key, values in others.items() if values},
        hand_size_for={players: size for players, size in hands.items() if size != rules.hand_size},
        **{key: table[key] for key in ("country", "direction", "first_to_play", "dealer_look") if key in table},
    )


def _check_type(key: str, value: object) -> None:
    """Refuse a value of the wrong kind for a field that is no option."""
    kind = ""
    if key in _TEXTS and not isinstance(value, str):
        kind = "a text in quotes"
    elif key in _LISTS and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        kind = "a list of texts in quotes"
    elif key in _TABLES and not isinstance(value, dict):
        kind = "a table such as { 3 = 4 }" if key == "hand_size_for" else "a table of lists such as { target = [121] }"
    elif key == "dealer_look" and not isinstance(value, bool):
        kind = "true or false"
    elif key == "direction" and value not in DIRECTIONS:
        kind = either(DIRECTIONS)
    if kind:
        raise RulesError(f"{key} = {shown(value)} is not possible: it takes {kind}")


def _hand_sizes(table: Mapping[str, object], rules: Rules) -> dict[int, int]:
    """Hand sizes by number of players, checked."""
    sizes = {}
    for key, value in table.items():
        if key not in map(str, PLAYERS):
            raise RulesError(f"hand_size_for: {key} = {shown(value)} is not possible: {either(PLAYERS)} can play")
        with within(f"hand_size_for: {key} players"):
            size = OPTIONS["hand_size"].checked(value)
            if not deals(replace(rules, hand_size=size), int(key)):
                raise RulesError(uneven(replace(rules, hand_size=size), int(key)))
        sizes[int(key)] = size
    return sizes


def _alternatives(table: Mapping[str, object]) -> dict[str, tuple[Any, ...]]:
    """Alternative values by option, checked."""
    found = {}
    for key, values in table.items():
        if key not in OPTIONS:
            raise RulesError(f"alternatives: {key}: there is no such option{did_you_mean(key, OPTIONS)}")
        if not isinstance(values, list):
            raise RulesError(f"alternatives: {key} = {shown(values)} is not possible: it takes a list such as [121]")
        with within("alternatives"):
            found[key] = tuple(OPTIONS[key].checked(value) for value in values)
    return found
