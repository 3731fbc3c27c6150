"""
The players by name, and the one written form for a player.

``POLICY[-rollouts:NUMBER][-memory:DEGREE][-noise:CHANCE][+ADVICE[:FORM]]...``
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from basra_sim.errors import InputError
from basra_sim.inputs import is_file
from basra_sim.policies.advice import ADVICE, FORMS, LITERAL, Advice, get_advice, read_advice
from basra_sim.policies.model import Policy, Searching
from basra_sim.policies.tuned import champion_weights, policy_from_weights
from basra_sim.rules.wording import did_you_mean, text_of

T = TypeVar("T", Policy, Advice)

_GREEDY = {
    "points_taken": 1.0,
    "basra": 1.0,
    "majority_taken": 3.5,
    "jack_takes": -2.0,
    "seven_takes": -2.0,
    "points_laid": -1.0,
    "jack_laid": -5.0,
    "seven_laid": -5.0,
    "rank_laid": -0.01,
}

_ADEPT = {
    "points_taken": 0.9,
    "basra": 1.0,
    "majority_taken": 3.8,
    "jack_takes": -3.0,
    "seven_takes": -3.0,
    "jack_laid": -3.0,
    "seven_laid": -5.0,
    "rank_laid": -0.01,
    "basra_risk": -1.35,
    "points_risk": -1.75,
}

_NAMED = {
    each.name: each
    for each in (
        Policy("random", "any card, then any of its legal choices, all alike"),
        Policy("greedy", "the most points at once; lays what is worth least", _GREEDY),
        Policy(
            "counter",
            "greedy, but knows what is gone and weighs what it leaves to the next player",
            {**_GREEDY, "basra_risk": -1.0, "points_risk": -1.0},
        ),
        Policy("adept", "counter, with weights that won most points from it in bastra, found by trial", _ADEPT),
        Policy(
            "champion",
            "weighs what adept does and a little more, tuned by self-play for each variant and table",
            {},
            tuned=champion_weights,
        ),
        Policy(
            "expert",
            "champion, but plays out how the hidden cards may lie, and solves the end of a round",
            {},
            tuned=champion_weights,
            search=Searching(),
        ),
        Policy(
            "cheater",
            "sees all cards and plays each deal as well as can be: no fair player, but a measure of what luck hides",
            {},
            tuned=champion_weights,
            search=Searching(sees=True),
        ),
    )
}

_MEMORY = re.compile(r"(.*)-memory:([^:+]*)")
_NOISE = re.compile(r"(.*)-noise:([^:+]*)")
_ROLLOUTS = re.compile(r"(.*)-rollouts:([^:+]*)")


def policy_names() -> tuple[str, ...]:
    """Names of the policies that come with the package."""
    return tuple(_NAMED)


def policy(function: Callable[..., float] | None = None, *, name: str | None = None, summary: str = "") -> Any:
    """
    Turn a scoring function into a policy: a decorator.

    The function is given a `View` (what the player knows) and a `Play` (one legal play) and returns a number; the
    play of the highest number is made, the first of equal ones. It is compiled by Numba, so it may use arithmetic,
    ``if`` and loops, and the bit helpers `basra_sim.bit_count` and `basra_sim.lowest_bit`. Chance comes from
    ``view.noise``, which depends on seed, deal and play; any other source of it would make results unrepeatable. A loop
    that never ends cannot be interrupted.

    Raises
    ------
    InputError
        If it does not compile, with the compiler's reason.
    """
    if function is None:
        return lambda inner: policy(inner, name=name, summary=summary)
    from basra_sim.policies.own import Scorer

    title = name or str(getattr(function, "__name__", "of no name"))
    text = summary or next(iter((function.__doc__ or "").strip().splitlines()), "")
    return Policy(title, text, None, Scorer(function, f"policy {title}"))


def get_policy(spec: str | Policy) -> Policy:
    """
    Policy by its written form.

    ``counter`` is one that comes with the package, ``file.py`` or ``file.py:name`` a person's own, ``file.json`` one
    with tuned weights;
    ``counter-memory:8`` remembers less, ``counter-noise:0.1`` plays any card one time in ten,
    ``expert-rollouts:2000`` thinks longer;
    ``counter+jack-hold`` follows advice, ``counter+jack-hold:reversed`` in another form, ``counter+file.py:name`` a
    person's own piece.

    Raises
    ------
    InputError
        If a part of it does not exist, or a file cannot be run.
    """
    if isinstance(spec, Policy):
        return spec
    base, *pieces = _parts(spec)
    base, chance = _cut(_NOISE, base)
    base, degree = _cut(_MEMORY, base)
    base, rollouts = _cut(_ROLLOUTS, base)
    player = _plain(base)
    if rollouts is not None:
        player = player.searching(_number(spec, rollouts))
    if degree is not None:
        player = player.remembering(degree)
    if chance is not None:
        player = player.slipping(_chance(spec, chance))
    for piece in pieces:
        name, _, taken = piece.rpartition(":")
        if not name or not (taken in {each.name for each in FORMS} or name in ADVICE or _takes_a_form(name)):
            name, taken = piece, LITERAL
        player = player.following(find_advice(name), taken)
    return player


def _cut(form: re.Pattern[str], base: str) -> tuple[str, str | None]:
    """What stands before an ending of a form, and what the ending says; None if there is no such ending."""
    found = form.fullmatch(base)
    return (found[1], found[2]) if found else (base, None)


def _chance(spec: str, text: str) -> float:
    """Chance that is written as a text."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{spec}: noise {text!r} is no number: it takes a chance from 0 to 1, such as 0.1") from None


def _number(spec: str, text: str) -> int:
    """Number of roll-outs that is written as a text."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{spec}: {text!r} is no whole number of roll-outs, such as 1000") from None


def _parts(spec: str) -> list[str]:
    """A written player cut at its plus signs, but for those within the name of a file."""
    parts: list[str] = []
    rest = spec.split("+")
    while rest:
        joined = ["+".join(rest[:size]) for size in range(1, len(rest) + 1)]
        size = next((size for size, part in enumerate(joined, 1) if _exists(part)), 1)
        parts.append(joined[size - 1])
        rest = rest[size:]
    return parts


def _takes_a_form(piece: str) -> bool:
    """Whether nothing but a form can stand behind a piece of a person's own."""
    return ".py:" in piece or piece.endswith(".toml")


def _exists(piece: str) -> bool:
    """Whether a part of a written player names a file that is there."""
    found = (piece.rpartition(ending) for ending in (".py", ".toml", ".json"))
    return any(ending and is_file(path + ending) for path, ending, _ in found)


def _plain(spec: str) -> Policy:
    """Policy by name, or from a file."""
    if spec in _NAMED:
        return _NAMED[spec]
    if spec.endswith(".json"):
        return policy_from_weights(spec)
    if ".py" not in spec:
        hint, names = _near(spec), ", ".join(_NAMED)
        raise InputError(f"no policy is called {spec!r}{hint}; there are {names}, FILE.py:NAME, or FILE.json")
    return _from_file(spec, Policy, "policy")


def _near(spec: str) -> str:
    """Hint at the player that may be meant, with what stands behind a name he has."""
    name, _, rest = spec.rpartition("-")
    _, colon, number = rest.partition(":")
    endings = [f"{name}-{word}:{number}" for word in ("memory", "noise", "rollouts")]
    return did_you_mean(spec, endings if name in _NAMED and colon else _NAMED)


def find_advice(spec: str) -> Advice:
    """
    Advice by name, or a person's own from a file: ``file.py``, ``file.py:name``, or ``file.toml``.

    Raises
    ------
    InputError
        If there is none of that name, or the file cannot be run or defines none.
    """
    if spec in ADVICE:
        return ADVICE[spec]
    if spec.endswith(".toml"):
        return read_advice(spec)
    return _from_file(spec, Advice, "advice") if ".py" in spec else get_advice(spec)


def _from_file(spec: str, kind: type[T], what: str) -> T:
    """What a person has defined in a file, named by the file and, where it defines several, by name."""
    path, _, name = spec.rpartition(":") if ".py:" in spec else (spec, "", "")
    if not path.endswith(".py"):
        raise InputError(f"{spec!r} is no {what}: write FILE.py, or FILE.py:NAME")
    found = {key: value for key, value in _run_file(path).items() if isinstance(value, kind)}
    several = "policies" if what == "policy" else "pieces of advice"
    if name and name not in found:
        hint, names = did_you_mean(name, found), ", ".join(found) or "none"
        raise InputError(f"{path} has no {what} called {name!r}{hint}: it defines {names}")
    if not found:
        raise InputError(f"{path} defines no {what}: put @{what} (from basra_sim import {what}) before a function")
    if not name and len(found) != 1:
        raise InputError(f"{path} defines {len(found)} {several} ({', '.join(found)}): name one, as in {path}:NAME")
    return found[name] if name else next(iter(found.values()))


def _run_file(path: str) -> Mapping[str, Any]:
    """Names that a Python file defines."""
    text = text_of(path)  # first: what cannot be read need not have a place
    return _run_text(path, Path(path).resolve(), text)


@cache
def _run_text(path: str, place: Path, text: str) -> Mapping[str, Any]:
    """Names that the text of a Python file defines; the same text in the same place is run once."""
    # No module can have this name: a compiler that looks for it must not find, and run, another of the same name.
    space: dict[str, Any] = {"__name__": f"<{place.stem}>", "__file__": path}
    try:
        exec(compile(text, path, "exec"), space)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{path} fails: {type(error).__name__}: {error}") from error
    return space
