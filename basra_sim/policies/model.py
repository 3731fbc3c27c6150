"""What a policy is: weights over features of a play or a function, a degree of memory, and advice followed on top."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.cards import JACK, KING, QUEEN, SEVEN_OF_DIAMONDS, rank_of
from basra_sim.errors import InputError
from basra_sim.policies import features
from basra_sim.policies.advice import LITERAL, Advice, Followed, Form, form, get_advice
from basra_sim.policies.memory import ALL_OF_IT, Memory
from basra_sim.policies.points import card_worth
from basra_sim.policies.weighing import ADVISED, CUSTOM, RANDOM, SEARCHING, WEIGHTED
from basra_sim.rules import Rules, Setting
from basra_sim.rules.wording import did_you_mean
from basra_sim.showing import html, html_sentence, html_table


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
    Feature("jack_takes_late", "0 or 1", "the same of a jack, with at most two cards of the last hand left"),
    Feature("seven_takes_late", "0 or 1", "the same of a sweeping seven, with at most two cards of the last hand left"),
    Feature("points_laid", "points", "card points of a card that is laid"),
    Feature("jack_laid", "0 or 1", "a jack is laid"),
    Feature("seven_laid", "0 or 1", "a sweeping seven of diamonds is laid"),
    Feature("face_laid", "0 or 1", "a queen or king is laid"),
    Feature("rank_laid", "ranks", "rank of a numeral that is laid, from 1 for the ace to 10"),
    Feature("basra_risk", "points", "expected points of the best basra that the next player can make on what is left"),
    Feature("points_risk", "points", "expected card points within the next player's reach on what is left"),
    Feature("cards_risk", "points", "share of the majority bonus that the cards within his reach are expected to be"),
)
"""What a policy can weigh. Risks are those of the next player's best card, over hands drawn from the unseen."""

RISKS = ("basra_risk", "points_risk", "cards_risk")
"""Features that look at what is left to the next player."""


LEAST_ROLLOUTS, MOST_ROLLOUTS = 64, 1_000_000


@dataclass(frozen=True)
class Searching:
    """
    How a player searches for his play.

    Attributes
    ----------
    rollouts : int
        Roll-outs for a decision, 64 to a million; some microseconds each.
    doubt : float
        Chance, as he thinks, that another's play is not the one that he would expect of him, from 0 to 1. With 1 he
        takes nothing from how others have played; with 0 he plays the end as well against what he expects of them;
        else he solves it.
    caution : float
        Standard errors by which another play must do better than the one he would make without search.
    sees : bool
        Whether he sees all cards, which no player may: a measure of what there is to gain.
    model : Policy or None
        How he thinks that the other teams play, a policy that weighs features; as he does himself, if None.

    Raises
    ------
    InputError
        If a number is out of its range, or the model does not weigh features.
    """

    rollouts: int = 512
    doubt: float = 0.1
    caution: float = 0.5
    sees: bool = False
    model: "Policy | None" = None

    def __post_init__(self) -> None:
        """Check the numbers and the model."""
        if not LEAST_ROLLOUTS <= self.rollouts <= MOST_ROLLOUTS:
            raise InputError(
                f"{self.rollouts} roll-outs are not possible: it takes {LEAST_ROLLOUTS} to {MOST_ROLLOUTS}"
            )
        if not 0 <= self.doubt <= 1 or not self.caution >= 0:
            raise InputError(f"a doubt of {self.doubt} and a caution of {self.caution} are not possible")
        if self.model is not None and self.model.kind != WEIGHTED:
            raise InputError(f"policy {self.model.name} does not weigh features alone: it cannot be a model of others")


NO_SEARCH = Searching()
"""Stands in a row of those who search for one who does not."""


@dataclass(frozen=True, repr=False)
class Policy:
    """
    How a player chooses among the legal plays.

    Attributes
    ----------
    name : str
    summary : str
        One sentence.
    weights : mapping of feature names to weights, or None for a policy that does not weigh features
        If there are tuned ones: those that replace them.
    function : compiled scoring function, or None
        A person's own: see `policy`.
    memory : Memory
        How much it remembers of what is gone.
    advice : tuple of Followed
        Advice that it follows on top.
    noise : float
        Chance that a play is any legal one instead, each card alike, from 0 to 1.
    tuned : function of a setting, or None
        Weights that hang on the setting.
    search : Searching or None
        How it searches; the weights are then by which it plays on in its thoughts.

    Raises
    ------
    InputError
        If a weight belongs to no feature or is not finite, or the noise is no chance.
    """

    name: str
    summary: str = ""
    weights: Mapping[str, float] | None = None
    function: Any = field(default=None, compare=False)
    memory: Memory = ALL_OF_IT
    advice: tuple[Followed, ...] = ()
    noise: float = 0.0
    tuned: Callable[[Setting], Mapping[str, float]] | None = field(default=None, compare=False)
    search: Searching | None = None

    def __post_init__(self) -> None:
        """Check the weights and the noise."""
        if not 0 <= self.noise <= 1:
            raise InputError(f"policy {self.name}: noise {self.noise} is not possible: it takes a chance from 0 to 1")
        if self.search and self.memory != ALL_OF_IT:
            raise InputError(f"policy {self.name} searches, and remembers every card: no other memory is possible")
        known = [feature.name for feature in FEATURES]
        for name, weight in (self.weights or {}).items():
            if name not in known:
                hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
                raise InputError(f"policy {self.name}: no feature is called {name!r}{hint}")
            if not np.isfinite(weight):
                raise InputError(f"policy {self.name}: the weight of {name} is {weight}: it must be finite")

    @property
    def kind(self) -> int:
        """Kind of policy as the kernel numbers them."""
        if self.search:
            return SEARCHING + ADVISED * bool(self.advice)
        plain = CUSTOM if self.function is not None else RANDOM if self.weights is None else WEIGHTED
        return plain + ADVISED * bool(self.advice)

    def __str__(self) -> str:
        """The name: written so, it is found again, unless it is a person's own."""
        return self.name

    def __repr__(self) -> str:
        """One line."""
        return f"<Policy {self.name}: {self.summary}>" if self.summary else f"<Policy {self.name}>"

    def _repr_html_(self) -> str:
        """What the policy does, and its weights where they hang on no rules."""
        meanings = {feature.name: feature.meaning for feature in FEATURES}
        rows = [[name, f"{weight:g}", meanings[name]] for name, weight in (self.weights or {}).items() if weight]
        caption = "Weights of features of a play; the play of the largest sum is made."
        return html(
            html_sentence(self.name, strong=True),
            html_sentence(self.summary),
            html_table(caption, ["feature", "weight", "what it is"], rows, right=(1,)) if rows else "",
        )

    @property
    def slips(self) -> int:
        """Numbers of 64 bits that stand for a slip: all below this one."""
        return min(round(self.noise * 2**64), 2**64 - 1)

    @property
    def address(self) -> int:
        """Address of a person's own function, 0 if there is none."""
        return int(self.function.address) if self.function is not None else 0

    @property
    def thinks(self) -> bool:
        """Whether a play takes it some ten times as long as one of `greedy`, or may."""
        risks = self.weights is not None and any(self.weights.get(name) for name in RISKS)
        return risks or self.tuned is not None or self.function is not None or any(each.advice for each in self.advice)

    def identity(self, setting: Setting) -> tuple[object, ...]:
        """All that its plays in a setting depend on, in numbers, words and functions: see `basra_sim.identity`."""
        found: tuple[object, ...] = (self.name, self.kind, self.parameters(setting), self.memory, self.noise)
        found += (tuple((each.advice, each.form) for each in self.advice), self.function)
        if self.search is None:
            return found
        model = self.search.model
        return (*found, replace(self.search, model=None), None if model is None else model.identity(setting))

    def revised(self, name: str, summary: str = "", **weights: float) -> "Policy":
        """Policy with some weights replaced, under another name."""
        if self.weights is None:
            raise InputError(f"policy {self.name} does not weigh features: no weight of it can be changed")
        return replace(self, name=name, summary=summary, weights={**self.weights, **weights})

    def remembering(self, degree: str) -> "Policy":
        """Policy with another memory; its written form is ``NAME-memory:DEGREE``."""
        base, *advice = self.name.split("+")
        return replace(self, name="+".join([f"{base}-memory:{degree}", *advice]), memory=Memory(degree))

    def searching(self, rollouts: int) -> "Policy":
        """
        Policy that searches with so many roll-outs for a decision; its written form is ``NAME-rollouts:NUMBER``.

        Raises
        ------
        InputError
            If it does not search, or the number is out of range.
        """
        if self.search is None or self.search.sees:
            raise InputError(f"policy {self.name} makes no roll-outs: their number cannot be set")
        base, *advice = self.name.split("+")
        name = "+".join([f"{base}-rollouts:{rollouts}", *advice])
        return replace(self, name=name, search=replace(self.search, rollouts=rollouts))

    def slipping(self, noise: float) -> "Policy":
        """Policy with another noise; its written form is ``NAME-noise:CHANCE``, behind the memory."""
        base, *advice = self.name.split("+")
        return replace(self, name="+".join([f"{base}-noise:{noise:g}", *advice]), noise=noise)

    def following(self, piece: str | Advice, taken: str | Form = LITERAL) -> "Policy":
        """
        Policy that follows a piece of advice besides; its written form is ``NAME+ADVICE``, or ``NAME+ADVICE:FORM``.

        Raises
        ------
        InputError
            If there is no such advice, or no such form.
        """
        followed = Followed(get_advice(piece), form(taken) if isinstance(taken, str) else taken)
        return replace(self, name=f"{self.name}+{followed.name}", advice=(*self.advice, followed))

    def weights_for(self, setting: Setting) -> Mapping[str, float]:
        """Weights of features in a setting; a feature that is not named weighs nothing."""
        return {**(self.tuned(setting) if self.tuned else {}), **(self.weights or {})}

    def parameters(self, setting: Setting) -> npt.NDArray[np.float64]:
        """Rows of numbers, (phases, parameters), that tell compiled code the weights in a setting."""
        rules = setting.rules
        row = np.zeros(features.PARAMETERS)
        weights = {feature.name: 0.0 for feature in FEATURES} | dict(self.weights_for(setting))
        per_card = rules.majority_points / rules.pack
        for card in range(rules.pack):
            row[features.LAY + card] = _lay(weights, rules, card)
            row[features.TAKE + card] = _take(weights, rules, card) + weights["majority_taken"] * per_card
        row[features.W_POINTS] = weights["points_taken"]
        row[features.W_CARDS] = weights["majority_taken"] * per_card
        row[features.W_BASRA] = weights["basra"]
        row[features.W_BASRA_RISK], row[features.W_POINTS_RISK] = weights["basra_risk"], weights["points_risk"]
        row[features.W_CARDS_RISK] = weights["cards_risk"] * per_card
        risky = any(weights[name] for name in RISKS)
        row[features.USES_RISK] = risky
        row[features.RISK_LOWERS] = risky and all(weights[name] <= 0 for name in RISKS)
        late = row.copy()
        late[features.TAKE + 4 * JACK : features.TAKE + 4 * JACK + 4] += weights["jack_takes_late"]
        late[features.TAKE + SEVEN_OF_DIAMONDS] += weights["seven_takes_late"] * rules.seven_sweeps
        return np.stack([row, late])


def _lay(weights: Mapping[str, float], rules: Rules, card: int) -> float:
    """Weighted features of laying a card that hang on the card alone."""
    rank = rank_of(card)
    sweeper = rules.seven_sweeps and card == SEVEN_OF_DIAMONDS
    return (
        weights["points_laid"] * card_worth(rules, card)
        + weights["jack_laid"] * (rank == JACK)
        + weights["seven_laid"] * sweeper
        + weights["face_laid"] * (rank in (QUEEN, KING))
        + weights["rank_laid"] * (rank + 1) * (rank < JACK)
    )


def _take(weights: Mapping[str, float], rules: Rules, card: int) -> float:
    """Weighted features of capturing with a card that hang on the card alone."""
    sweeper = rules.seven_sweeps and card == SEVEN_OF_DIAMONDS
    return (
        weights["points_taken"] * card_worth(rules, card)
        + weights["jack_takes"] * (rank_of(card) == JACK)
        + weights["seven_takes"] * sweeper
    )
