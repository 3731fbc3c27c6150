"""
Policies: what a player does with what he sees.

A policy is data where it can be: weights over named features of a play (`FEATURES`). `random` looks at nothing;
a person's own policy is a function that scores a play (`policy`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.cards import ACE, JACK, KING, QUEEN, SEVEN_OF_DIAMONDS, TEN_OF_DIAMONDS, rank_of
from basra_sim.errors import InputError
from basra_sim.policies import features
from basra_sim.rules import Rules
from basra_sim.rules.wording import did_you_mean


class Feature(NamedTuple):
    """A property of a play that a policy can weigh."""

    name: str
    unit: str
    meaning: str


FEATURES = (
    Feature("points_taken", "points", "card points that a capture wins, those of the card that takes among them"),
    Feature("basra", "points", "points of the basra that a capture makes"),
    Feature("majority_taken", "points", "share of the majority bonus that the cards won are of the pack"),
    Feature("jack_takes", "0 or 1", "a jack is spent on a capture"),
    Feature("seven_takes", "0 or 1", "a sweeping seven of diamonds is spent on a capture"),
    Feature("points_laid", "points", "card points of a card that is laid"),
    Feature("jack_laid", "0 or 1", "a jack is laid"),
    Feature("seven_laid", "0 or 1", "a sweeping seven of diamonds is laid"),
    Feature("face_laid", "0 or 1", "a queen or king is laid"),
    Feature("rank_laid", "ranks", "rank of a numeral that is laid, from 1 for the ace to 10"),
    Feature("basra_risk", "points", "expected points of the best basra that the next player can make on what is left"),
    Feature("points_risk", "points", "expected card points within the next player's reach on what is left"),
    Feature("jack_early", "0 or 1", "a jack is played while another card is in hand and the floor is not empty"),
)
"""What a policy can weigh. Risks are those of the next player's best card, over hands drawn from the unseen."""

_RISKS = ("basra_risk", "points_risk")


@dataclass(frozen=True)
class Policy:
    """
    How a player chooses among the legal plays.

    Attributes
    ----------
    name : str
    summary : str
        One sentence.
    weights : mapping of feature names to weights, or None for a policy that does not weigh features
    function : compiled scoring function, or None
        A person's own: see `policy`.

    Raises
    ------
    InputError
        If a weight belongs to no feature or is not finite.
    """

    name: str
    summary: str = ""
    weights: Mapping[str, float] | None = None
    function: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the weights."""
        known = [feature.name for feature in FEATURES]
        for name, weight in (self.weights or {}).items():
            if name not in known:
                raise InputError(f"policy {self.name}: no feature is called {name!r}{did_you_mean(name, known)}")
            if not np.isfinite(weight):
                raise InputError(f"policy {self.name}: the weight of {name} is {weight}: it must be finite")

    @property
    def kind(self) -> int:
        """Kind of policy as the kernel numbers them: 0 random, 1 weighted, 2 a person's own."""
        return 2 if self.function is not None else 0 if self.weights is None else 1

    @property
    def address(self) -> int:
        """Address of a person's own function, 0 if there is none."""
        return int(self.function.address) if self.function is not None else 0

    def revised(self, name: str, summary: str = "", **weights: float) -> "Policy":
        """Policy with some weights replaced, under another name."""
        if self.weights is None:
            raise InputError(f"policy {self.name} does not weigh features: no weight of it can be changed")
        return replace(self, name=name, summary=summary, weights={**self.weights, **weights})

    def parameters(self, rules: Rules) -> npt.NDArray[np.float64]:
        """Row of numbers, (parameters,), that tells compiled code the weights under these rules."""
        row = np.zeros(features.PARAMETERS)
        weights = {feature.name: 0.0 for feature in FEATURES} | dict(self.weights or {})
        per_card = weights["majority_taken"] * rules.majority_points / rules.pack
        for card in range(rules.pack):
            row[features.LAY + card] = _lay(weights, rules, card)
            row[features.TAKE + card] = _take(weights, rules, card) + per_card
        row[features.W_POINTS] = weights["points_taken"]
        row[features.W_CARDS] = per_card
        row[features.W_BASRA] = weights["basra"]
        row[features.W_BASRA_RISK], row[features.W_POINTS_RISK] = (weights[name] for name in _RISKS)
        risky = any(weights[name] for name in _RISKS)
        row[features.USES_RISK] = risky
        row[features.RISK_LOWERS] = risky and all(weights[name] <= 0 for name in _RISKS)
        row[features.W_JACK_EARLY] = weights["jack_early"]
        row[features.USES_ADVICE] = weights["jack_early"] != 0
        return row


def _points(rules: Rules, card: int) -> int:
    """Points of a card."""
    rank = rank_of(card)
    return (
        rules.ace_points * (rank == ACE)
        + rules.jack_points * (rank == JACK)
        + rules.two_points * (card == rules.two_card)
        + rules.ten_points * (card == TEN_OF_DIAMONDS)
    )


def _lay(weights: Mapping[str, float], rules: Rules, card: int) -> float:
    """Weighted features of laying a card that hang on the card alone."""
    rank = rank_of(card)
    sweeper = rules.seven_sweeps and card == SEVEN_OF_DIAMONDS
    return (
        weights["points_laid"] * _points(rules, card)
        + weights["jack_laid"] * (rank == JACK)
        + weights["seven_laid"] * sweeper
        + weights["face_laid"] * (rank in (QUEEN, KING))
        + weights["rank_laid"] * (rank + 1) * (rank < JACK)
    )


def _take(weights: Mapping[str, float], rules: Rules, card: int) -> float:
    """Weighted features of capturing with a card that hang on the card alone."""
    sweeper = rules.seven_sweeps and card == SEVEN_OF_DIAMONDS
    return (
        weights["points_taken"] * _points(rules, card)
        + weights["jack_takes"] * (rank_of(card) == JACK)
        + weights["seven_takes"] * sweeper
    )


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
    )
}


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
    from basra_sim.policies.custom import compile_scorer

    title = name or function.__name__
    text = summary or next(iter((function.__doc__ or "").strip().splitlines()), "")
    return Policy(title, text, None, compile_scorer(function, title))


def get_policy(spec: "str | Policy") -> Policy:
    """
    Policy by name, or a person's own from a file: ``path/to/file.py`` or ``path/to/file.py:name``.

    Raises
    ------
    InputError
        If there is none of that name, or the file cannot be run or defines none.
    """
    if isinstance(spec, Policy):
        return spec
    if spec in _NAMED:
        return _NAMED[spec]
    path, _, name = spec.rpartition(":") if ".py:" in spec else (spec, "", "")
    if not path.endswith(".py"):
        hint = did_you_mean(spec, _NAMED)
        raise InputError(f"no policy is called {spec!r}{hint}; there are {', '.join(_NAMED)}, or FILE.py:NAME")
    found = _run_file(path)
    if name and name not in found:
        raise InputError(f"{path} has no policy called {name!r}: it defines {', '.join(found) or 'none'}")
    if not found:
        raise InputError(f"{path} defines no policy: put @policy (from basra_sim import policy) before a function")
    if not name and len(found) != 1:
        raise InputError(f"{path} defines {len(found)} policies ({', '.join(found)}): name one, as in {path}:NAME")
    return found[name] if name else next(iter(found.values()))


@cache
def _run_file(path: str) -> dict[str, Policy]:
    """Policies that a Python file defines, by the names they have in it."""
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file")
    space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    try:
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), space)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{path} fails: {type(error).__name__}: {error}") from error
    return {name: value for name, value in space.items() if isinstance(value, Policy)}
