"""The thirteen built-in variants, people's own variant files, and the settings that come of them."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from basra_sim.rules import RulesError, Setting, check_players, differences, override
from basra_sim.rules.wording import did_you_mean, either, shown
from basra_sim.variants.model import SOURCES, TABLE_COLUMNS, Variant
from basra_sim.variants.reading import build, read, within

__all__ = ["SOURCES", "TABLE_COLUMNS", "Variant", "setting", "variant", "variant_names", "variant_table"]

MOST_FILES = 20
"""Files of a person's own that may rest on each other."""

_NAMES = (
    "bastra",
    "egyptian",
    "yemeni",
    "ethiopian",
    "lebanese-a",
    "lebanese-b",
    "palestinian",
    "jordanian-a",
    "jordanian-b",
    "syrian-a",
    "syrian-b",
    "basra-nl",
    "basra-en",
)


def variant_names() -> tuple[str, ...]:
    """Names of the built-in variants, in the order of the table."""
    return _NAMES


def variant_table() -> list[dict[str, Any]]:
    """Rows of the table of built-in variants; see `Variant.row`."""
    return [_built_in(name).row() for name in _NAMES]


def variant(name: str | os.PathLike[str]) -> Variant:
    """
    Variant of a name, an alias, or a person's own file.

    Parameters
    ----------
    name : str or path
        A name without regard to case; a text that ends in ``.toml`` or holds a path separator is a file.

    Raises
    ------
    RulesError
        If there is no such variant or file, or the file is wrong.
    """
    return _find(name)


def setting(
    variant: str | os.PathLike[str] | Variant,
    players: int = 2,
    pairs: bool = False,
    changes: Mapping[str, object] | None = None,
) -> Setting:
    """
    A game as it is played at a table.

    Parameters
    ----------
    variant : str, path or Variant
        Name, alias or file of the rules, or the rules themselves.
    players, pairs : int, bool
        2, 3 or 4 singles, or 4 as two pairs.
    changes : mapping, optional
        Options that differ, by name; values may be texts. A hand size among them goes before what the variant
        deals to that number of players.

    Raises
    ------
    RulesError
        If the rules or the table are impossible.
    """
    players = check_players(players, pairs)
    chosen = variant if isinstance(variant, Variant) else _find(variant)
    changes = changes or {}
    rules = override(chosen.rules, changes)
    if "hand_size" not in changes:
        rules = replace(rules, hand_size=chosen.hand_size(players, rules))
    root = _built_in(chosen.root)
    differs = differences(rules, root.rules)
    differs.pop("hand_size", None)
    if rules.hand_size != root.hand_size(players, replace(rules, hand_size=root.rules.hand_size)):
        differs["hand_size"] = rules.hand_size
    return Setting(variant=root.name, rules=rules, players=players, pairs=pairs, changes=differs, label=chosen.name)


def _find(name: str | os.PathLike[str]) -> Variant:
    """Variant of a name, an alias or a file."""
    if not isinstance(name, str):
        return _own(os.fspath(name), ())
    return _own(name, ()) if _is_file_name(name) else _built_in(_known_name(name))


@cache
def _built_in(name: str) -> Variant:
    """Built-in variant of a name."""
    table = read(resources.files(__name__) / f"{name}.toml", f"{name}.toml")
    base = table.get("base")
    return build(table, name=name, base=_built_in(base) if base else None, builtin=True)


def _known_name(name: str) -> str:
    """Name of the built-in variant that a name or an alias means."""
    plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
    if plain in _NAMES:
        return plain
    meant = {alias: each for each in _NAMES for alias in _built_in(each).aliases}
    if plain in meant:
        return meant[plain]
    hint = did_you_mean(name, (*_NAMES, *meant))
    with suppress(OSError):
        hint = f" (for the file write {name}.toml)" if Path(f"{name}.toml").is_file() else hint
    raise RulesError(f"there is no variant {shown(name)}{hint or f': there are {either(_NAMES)}, or a file NAME.toml'}")


def _is_file_name(name: str) -> bool:
    """Whether a name means a file."""
    return name.lower().endswith(".toml") or any(sign in name for sign in (os.sep, os.altsep) if sign)


def _own(name: str, above: tuple[Path, ...]) -> Variant:
    """Variant of a person's own file; `above` are the files that rest on it."""
    path = Path(name)
    try:
        place = path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise RulesError(f"{name!r}: there is no such file: {error}") from None
    if place in above:
        chain = " -> ".join(each.name for each in (*above[above.index(place) :], place))
        raise RulesError(f"{name}: the files rest on each other ({chain}); one of them needs a built-in base")
    if len(above) >= MOST_FILES:
        raise RulesError(f"{name}: the files rest on each other more than {MOST_FILES} files deep")
    table = read(path, name)
    with within(f"{name}: base"):
        base = _base(table.get("base", _NAMES[0]), path, (*above, place))
    return build(table, name=name, base=base)


def _base(name: object, path: Path, above: tuple[Path, ...]) -> Variant:
    """Base of a person's own file: a built-in variant, or a file named from where that one lies."""
    if not isinstance(name, str):
        raise RulesError(f"{shown(name)} is not possible: it takes the name of a variant in quotes")
    return _own(str(path.parent / name), above) if _is_file_name(name) else _built_in(_known_name(name))
