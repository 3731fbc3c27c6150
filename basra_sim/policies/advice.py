"""
Advice as data: when it applies, which plays follow it and which go against it, and how strictly it is followed.

A piece of advice applies where its conditions hold and there is at least one play that follows it and one that goes
against it; it says nothing of other plays. It works on top of any policy, by taking something off the worth of plays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.errors import InputError
from basra_sim.inputs import parse_toml
from basra_sim.policies.quantities import FACE, PLACES, SITUATION
from basra_sim.rules.wording import did_you_mean, shown, text_of

Range = tuple[int, int]
"""Least and most that a quantity may be; the first above the second: at least the one, or at most the other."""

MANY = 10**9
"""More than any quantity can be: a range without an upper end."""

LITERAL, TIE_BREAK, REVERSED = "literal", "tie-break", "reversed"

STRICT, NEARLY = 1000.0, 0.1
"""
What sets a play back behind all others that are set back less, whatever they are worth (that much or more does); and
the points taken off a play by which only plays that are held nearly equal are told apart.
"""


class Form(NamedTuple):
    """A way of following advice: what it takes off the worth of plays, in points."""

    name: str
    against: float
    """Taken off plays that go against the advice."""
    follow: float
    """Taken off plays that follow it."""
    does: str
    """What a player does who takes it so."""


FORMS = (
    Form(LITERAL, STRICT, 0.0, "never goes against it where it applies and there is any other play"),
    Form(TIE_BREAK, NEARLY, 0.0, "follows it among plays held equal within a tenth of a point"),
    Form(REVERSED, 0.0, STRICT, "never follows it where it applies and there is any other play"),
)


@dataclass(frozen=True)
class Advice:
    """
    A piece of advice.

    Attributes
    ----------
    name : str
    text : str
        The advice, a sentence.
    when : mapping of quantities of a situation to ranges
        Where it applies; all must hold.
    follow, against : mapping of quantities to ranges
        Plays that follow it, and plays that go against it; all must hold.
    function : compiled function, or None
        In place of the ranges: a person's own, see `advice`.

    Raises
    ------
    InputError
        If a quantity is unknown, or `when` names one of a play.
    """

    name: str
    text: str = ""
    when: Mapping[str, Range] = field(default_factory=dict)
    follow: Mapping[str, Range] = field(default_factory=dict)
    against: Mapping[str, Range] = field(default_factory=dict)
    function: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the names of quantities and the ranges."""
        situation = [quantity.name for quantity in SITUATION]
        for part, known in ((self.when, situation), (self.follow, list(PLACES)), (self.against, list(PLACES))):
            for name, limits in part.items():
                if name not in known:
                    there = f"there are {', '.join(known)}"
                    says = f"here{did_you_mean(name, known) or f'; {there}'}"
                    if name in PLACES:
                        says = f"of a situation but of a play; for 'when' {there}"
                    raise InputError(f"advice {self.name}: {name!r} is no quantity {says}")
                if [int(limit) for limit in limits] != list(limits) or len(limits) != 2:
                    raise InputError(f"advice {self.name}: {name} = {limits!r}: write the least and the most it may be")
        if self.function is None and not (self.follow and self.against):
            raise InputError(f"advice {self.name}: it must say which plays follow it and which go against it")

    @property
    def address(self) -> int:
        """Address of a person's own function, 0 if there is none."""
        return int(self.function.address) if self.function is not None else 0

    def terms(self) -> list[tuple[int, int, int, int]]:
        """Conditions as numbers: of what (0 when, 1 follow, 2 against), place of the quantity, least, most."""
        parts = enumerate((self.when, self.follow, self.against))
        return [(what, PLACES[name], *limits) for what, part in parts for name, limits in part.items()]


@dataclass(frozen=True)
class Followed:
    """A piece of advice in one of its forms."""

    advice: Advice
    form: Form

    @property
    def name(self) -> str:
        """Written form: ``jack-hold`` is the literal one, ``jack-hold:reversed`` another."""
        return self.advice.name if self.form.name == LITERAL else f"{self.advice.name}:{self.form.name}"


class Pieces(NamedTuple):
    """
    Advice that some policies follow, in numbers.

    Attributes
    ----------
    owners : (policies + 1,) int64
        Where each policy's pieces begin.
    spans : (pieces + 1,) int64
        Where each piece's terms begin.
    terms : (terms, 4) int64
        As `Advice.terms`.
    functions : (pieces,) int64
        Addresses of a person's own functions, or 0.
    penalties : (pieces, 2) float64
        What is taken off plays that go against it, and off those that follow it.
    """

    owners: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    terms: npt.NDArray[np.int64]
    functions: npt.NDArray[np.int64]
    penalties: npt.NDArray[np.float64]


def pieces(owned: Sequence[Sequence[Followed]]) -> Pieces:
    """Advice of several policies, in numbers."""
    flat = [each for part in owned for each in part]
    terms = [each.advice.terms() for each in flat]
    return Pieces(
        np.cumsum([0, *map(len, owned)]),
        np.cumsum([0, *map(len, terms)]),
        np.array([term for part in terms for term in part], np.int64).reshape(-1, 4),
        np.array([each.advice.address for each in flat], np.int64),
        np.array([(each.form.against, each.form.follow) for each in flat], np.float64).reshape(-1, 2),
    )


def form(name: str) -> Form:
    """
    Form of a name.

    Raises
    ------
    InputError
        If there is none.
    """
    known = {each.name: each for each in FORMS}
    if name not in known:
        raise InputError(
            f"no form of advice is called {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}"
        )
    return known[name]


def advice(function: Callable[..., float] | None = None, *, name: str | None = None, text: str = "") -> Any:
    """
    Turn a function into a piece of advice: a decorator.

    The function is given a `View` (what the player knows) and a `Play` (one legal play) and returns a number: above 0
    for a play that follows the advice, below 0 for one that goes against it, 0 where the advice says nothing. What
    `basra_sim.policy` says of functions holds here too.

    Raises
    ------
    InputError
        If it does not compile, with the compiler's reason.
    """
    if function is None:
        return lambda inner: advice(inner, name=name, text=text)
    from basra_sim.policies.own import Scorer

    title = name or getattr(function, "__name__", "of no name").replace("_", "-")
    words = text or next(iter((function.__doc__ or "").strip().splitlines()), "")
    return Advice(title, words, function=Scorer(function, f"advice {title}"))


_ANY, _NONE, _YES = (1, MANY), (0, 0), (1, 1)
_NOTHING_TO_TAKE = {"captures": _NONE}
_LAYS_FACE = {"captures_cards": _NONE, "rank": (FACE, FACE + 1)}
_LAYS_NUMERAL = {"captures_cards": _NONE, "rank": (1, 10)}
_PLAYS_JACK, _KEEPS_JACK = {"is_jack": _YES}, {"is_jack": _NONE}
_PLAIN, _POINTS = {"card_points": _NONE}, {"card_points": _ANY}

_ADVICE = (
    Advice(
        "memory-safe-rank",
        "On an empty floor, lay a rank of which two others are gone.",
        {"floor_size": _NONE},
        {"unseen_of_rank": (0, 1), "is_jack": _NONE},
        {"unseen_of_rank": (2, 3), "is_jack": _NONE},
    ),
    Advice(
        "memory-ten-pair",
        "With 10♦ and another ten in hand and the other two gone, lay the plain ten and fetch it later.",
        {"tens_unseen": _NONE},
        {"captures_cards": _NONE, "rank": (10, 10), "twin": (-1, -1)},
        {"twin": _NONE},
    ),
    Advice("points-late", "Keep aces, jacks and the other point cards to the end.", {}, _PLAIN, _POINTS),
    Advice(
        "points-late-last",
        "Keep point cards to the end, the more when you play last.",
        {"last_to_play": _YES},
        _PLAIN,
        _POINTS,
    ),
    Advice(
        "jack-hold",
        "Keep the jacks to the end of the deal.",
        {"floor_size": _ANY, "jacks_held": _ANY},
        _KEEPS_JACK,
        _PLAYS_JACK,
    ),
    Advice(
        "jack-for-points",
        "Play a jack early when points lie on the floor.",
        {"floor_points": _ANY, "jacks_held": _ANY},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice(
        "jack-for-cards",
        "Play a jack early when many cards lie on the floor.",
        {"floor_size": (6, MANY), "jacks_held": _ANY},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice(
        "jack-two",
        "Of two jacks play one soon.",
        {"floor_size": _ANY, "jacks_held": (2, MANY)},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice(
        "jack-last-deal",
        "In the last deal, do not keep a jack for your last card.",
        {"floor_size": _ANY, "jacks_held": _ANY, "deals_left": _NONE, "cards_left": (2, 2)},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice(
        "jack-opens-floor",
        "Do not end a deal with a jack: it leaves the next player an empty floor and a fresh hand.",
        {"floor_size": _ANY, "jacks_held": _ANY, "deals_left": _ANY, "cards_left": (2, 2), "last_to_play": _YES},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice(
        "faces-block",
        "When nothing can be taken, lay a queen or king: it stops basras.",
        _NOTHING_TO_TAKE,
        _LAYS_FACE,
        _LAYS_NUMERAL,
    ),
    Advice(
        "faces-first",
        "Lay queens and kings first, and save the numerals for captures.",
        _NOTHING_TO_TAKE,
        _LAYS_FACE,
        _LAYS_NUMERAL,
    ),
    Advice(
        "low-empty",
        "On an empty floor lay a low card.",
        {"floor_size": _NONE},
        {"rank": (1, 3)},
        {"rank": (6, 10)},
    ),
    Advice(
        "low-first",
        "When nothing can be taken, lay the lower numeral and keep the higher one.",
        _NOTHING_TO_TAKE,
        {"order": (-1, -1)},
        {"order": _YES},
    ),
    Advice(
        "never-point-first",
        "Of 2♣ and another two, or 10♦ and another ten, never lay the one with points first.",
        _NOTHING_TO_TAKE,
        {"twin": (-1, -1)},
        {"twin": _YES},
    ),
    Advice(
        "jack-empty-defence",
        "Near the end of a close match, lay a jack on an empty floor.",
        {"floor_size": _NONE, "jacks_held": _ANY},
        _PLAYS_JACK,
        _KEEPS_JACK,
    ),
    Advice("points-on-empty", "Lay no point cards on an empty floor.", {"floor_size": _NONE}, _PLAIN, _POINTS),
    Advice(
        "points-over-cards",
        "Of two captures choose the one with more points, not the one with more cards.",
        {},
        {"richer": _YES},
        {"richer": (-1, -1)},
    ),
    Advice(
        "fishing-take-away",
        "Capture so that the opponent's 10♦ or 2♣ would leave you a lone card.",
        {},
        {"leaves_lone": _YES},
        {"leaves_lone": _NONE},
    ),
    Advice(
        "avoid-ten",
        "Build no sum of ten while 10♦ is out.",
        {"ten_unseen": _YES},
        {"captures_cards": _NONE, "makes_ten": _NONE},
        {"captures_cards": _NONE, "makes_ten": _YES},
    ),
    Advice(
        "placebo",
        "No advice at all: a coin is thrown for every card, and heads is better. A control.",
        {},
        {"coin": _YES},
        {"coin": _NONE},
    ),
)

ADVICE: Mapping[str, Advice] = {each.name: each for each in _ADVICE}
"""Advice that comes with the package, by name."""


def get_advice(name: str | Advice) -> Advice:
    """
    Advice of a name.

    Raises
    ------
    InputError
        If none has it.
    """
    if isinstance(name, Advice):
        return name
    if name not in ADVICE:
        hint = did_you_mean(name, ADVICE)
        raise InputError(f"no advice is called {name!r}{hint}; 'basra-sim claims' lists what there is")
    return ADVICE[name]


def read_advice(path: str) -> Advice:
    """
    A person's own advice from a TOML file: ``name``, ``text``, and the tables ``when``, ``follow`` and ``against``.

    In the tables stand quantities, each with the least and the most that it may be, such as ``floor_size = [1, 4]``, or
    with the one number that it must be.

    Raises
    ------
    InputError
        If the file cannot be read, or a part of it is not as it should be.
    """
    text = text_of(path)
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{path} is no TOML: {error}") from error
    known = ("name", "text", "when", "follow", "against")
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known)
            raise InputError(f"{path}: {key!r} has no place here{hint}; there are {', '.join(known)}")
    words = {key: table.get(key, default) for key, default in (("name", Path(path).stem), ("text", ""))}
    for key, value in words.items():
        if not isinstance(value, str):
            raise InputError(f"{path}: {key} = {shown(value)}: it must be a text")
    if not words["name"].strip():
        raise InputError(
            f"{path}: name = {shown(words['name'])}: it must not be empty; without it the file's name is taken"
        )
    parts = {key: _ranges(path, key, table.get(key, {})) for key in known[2:]}
    try:
        return Advice(words["name"], words["text"], **parts)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _ranges(path: str, key: str, part: object) -> dict[str, Range]:
    """Ranges of a table of a file."""
    if not isinstance(part, dict):
        raise InputError(f"{path}: {key} = {shown(part)}: it must be a table of quantities")
    found = {}
    for name, limits in part.items():
        both = limits if isinstance(limits, list) else [limits, limits]
        if len(both) != 2 or not all(type(limit) is int for limit in both) or both[0] > both[1]:
            raise InputError(f"{path}: {key}.{name} = {shown(limits)}: write a whole number, or the least and the most")
        found[name] = (both[0], both[1])
    return found
