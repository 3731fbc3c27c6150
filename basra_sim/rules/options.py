"""What an option is: its name, its meaning, the values it takes and how they are written."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from basra_sim.cards import RANKS, CardError, card_name, parse_card
from basra_sim.errors import InputError
from basra_sim.rules.wording import did_you_mean, either, folded, shown

MOST_POINTS = 1000

T = TypeVar("T")

_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE = re.compile(r"\s*[+-]?\d{1,9}\s*")


def written(value: object) -> str:
    """Value of an option as a text that `Option.parsed` reads again."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value)) or "none"
    return value if isinstance(value, str) else json.dumps(value)


class RulesError(InputError):
    """A rule that does not exist, has no such value, or contradicts another."""


def option_field(
    default: T, doc: str, choices: Mapping[Any, str] | None = None, limits: tuple[int, int] | None = None
) -> T:
    """Field of `Rules` with its meaning and either its choices (value: meaning) or its lowest and highest number."""
    return field(default=default, metadata={"doc": doc, "choices": choices, "limits": limits})


def points_field(default: int, doc: str) -> int:
    """Field of `Rules` that holds points."""
    return option_field(default, doc, limits=(0, MOST_POINTS))


def plain_number(value: object) -> object:
    """Python's own integer for a whole number of any library; anything else, truth values too, as it is."""
    try:
        return index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else value
    except TypeError:
        return value


class Option(NamedTuple):
    """
    One option of `Rules`.

    Attributes
    ----------
    name : str
        Its name.
    default : int, str, bool or tuple of str
        Its value in ``bastra``, which also says its type.
    doc : str
        Its meaning, a sentence.
    choices : mapping or None
        The values it takes, each with its meaning.
    limits : pair of int or None
        The lowest and the highest number it takes.
    """

    name: str
    default: Any
    doc: str
    choices: Mapping[Any, str] | None
    limits: tuple[int, int] | None

    @property
    def allowed(self) -> str:
        """What the option takes, in words."""
        if self.choices is not None:
            return either(self.choices)
        if self.limits is not None:
            return f"a whole number from {self.limits[0]} to {self.limits[1]}"
        if isinstance(self.default, bool):
            return "true or false"
        return 'a list of ranks (A to K) and cards, such as J,7D (in a file ["J", "7D"])'

    def checked(self, value: object) -> Any:
        """
        Value in its one spelling.

        Raises
        ------
        RulesError
            If the option does not take it.
        """
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
        elif isinstance(self.default, int):
            number = plain_number(value)
            if type(number) is int and self._takes(number):
                return number
        elif isinstance(self.default, tuple):
            if isinstance(value, list | tuple):
                return self._buried(value)
        elif isinstance(value, str):
            for choice in self.choices or ():
                if folded(choice) == folded(value):
                    return choice
        raise self.refusal(value)

    def parsed(self, value: object) -> Any:
        """
        Value given as a text (``"30"``, ``"true"``, ``"J,7D"``) or as itself.

        Raises
        ------
        RulesError
            If the option does not take it.
        """
        if not isinstance(value, str):
            return self.checked(value)
        if isinstance(self.default, bool):
            return self.checked(_TRUTH.get(value.strip().lower(), value))
        if isinstance(self.default, int):
            return self.checked(int(value) if _WHOLE.fullmatch(value) else value)
        if isinstance(self.default, tuple):
            names = re.sub(r"""[\[\](),"']""", " ", value).split()
            return self.checked([] if names == ["none"] else names)
        return self.checked(value)

    def refusal(self, value: object) -> RulesError:
        """Error that says what the option takes instead of a value."""
        hint = ""
        if isinstance(value, str):
            if isinstance(self.default, str):
                hint = did_you_mean(value, self.choices or ())
            elif _WHOLE.fullmatch(value) if type(self.default) is int else value.strip().lower() in ("true", "false"):
                hint = " without quotes"
        return RulesError(f"{self.name} = {shown(value)} is not possible: it takes {self.allowed}{hint}")

    def _takes(self, number: int) -> bool:
        """Whether a number is among the choices or within the limits."""
        if self.limits is not None:
            return self.limits[0] <= number <= self.limits[1]
        return number in (self.choices or ())

    def _buried(self, names: Iterable[object]) -> tuple[str, ...]:
        """Names of ranks and cards in their one spelling and order: ranks, then cards."""
        where = f"{self.name} = {shown(list(names))}"
        known: list[str] = []
        for name in names:
            text = _rank_or_card(name)
            if not text:
                raise RulesError(f"{where}: {shown(name)} is no rank and no card; it takes {self.allowed}")
            if text in known:
                raise RulesError(f"{where}: {text} is there twice; once is enough")
            known.append(text)
        for text in known:
            if text[:-1] in known:
                raise RulesError(f"{where}: {text} is there twice; {text[:-1]} means all four")
        ranks = [rank for rank in RANKS if rank in known]
        return (*ranks, *sorted((text for text in known if text not in ranks), key=parse_card))


def _rank_or_card(name: object) -> str:
    """One spelling of the name of a rank or a card; empty for anything else."""
    if not isinstance(name, str):
        return ""
    rank = "10" if name.strip().upper() == "T" else name.strip().upper()
    try:
        return rank if rank in RANKS else card_name(parse_card(name))
    except CardError:
        return ""
