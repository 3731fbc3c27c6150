"""Words for messages to a person: values as they are written, lists of what is possible, near misses."""

import json
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from basra_sim.errors import InputError
from basra_sim.inputs import read_text

LONGEST = 100
"""Letters of a value that a message repeats."""

MOST_BESIDE = 1000
"""Files of a folder that are looked at for the one that may be meant."""

_SUITS = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss")


def shown(value: object) -> str:
    """Value as it would stand in a variant file, on one line and not too long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = " ".join(f"{type(value).__name__} {value!s:.{LONGEST}}".split()) if not isinstance(value, int) else "…"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def either(values: Iterable[object]) -> str:
    """Values in words: ``a, b or c``."""
    *most, last = [str(value) for value in values]
    return f"{', '.join(most)} or {last}" if most else last


def did_you_mean(word: str, known: Iterable[object], ending: str = "") -> str:
    """Hint at the known words (shown with an ending) that are nearest to another, or nothing where none is near."""
    from difflib import SequenceMatcher

    if len(word) > LONGEST:
        return ""
    near = {str(name): SequenceMatcher(None, folded(word), folded(str(name))).ratio() for name in known}
    best = max(near.values(), default=0.0)
    nearest = [name + ending for name in near if near[name] == best]
    return f" (did you mean {either(nearest)}?)" if best >= 0.6 else ""


def near_file(path: str | os.PathLike[str]) -> str:
    """Hint at the file, of the same ending and in the same folder, whose name is nearest to one that is not there."""
    asked = Path(path)
    try:
        beside = [] if asked.exists() else islice(asked.parent.iterdir(), MOST_BESIDE)
        known = sorted(each for each in beside if each.suffix == asked.suffix)
    except (OSError, ValueError):
        return ""
    return did_you_mean(asked.stem, [each.stem for each in known], asked.suffix)


def text_of(path: str | os.PathLike[str]) -> str:
    """
    Text of a file that a person has named.

    Raises
    ------
    InputError
        In one line, if it cannot be read; with a hint, if there is none of that name.
    """
    try:
        return read_text(path)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file{near_file(path)}") from error
    except UnicodeError as error:
        raise InputError(f"{path} cannot be read: it is no text in UTF-8") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def folded(text: str) -> str:
    """Text without regard to case, hyphens and the kind of suit signs."""
    return text.strip().casefold().replace("-", "_").translate(_SUITS)
