"""What is registered of a piece of advice before it is tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyses.jobs import STRENGTHS
from basra_sim.policies import Policy, get_policy


@dataclass(frozen=True)
class Player:
    """
    Who plays a duel, on both sides, with and without the advice.

    Attributes
    ----------
    name : str
    strength : str
        The policy he is made from, one of `STRENGTHS`.
    does : str
        How he differs from it.
    weights : mapping of feature names to weights
        What is changed of it.
    """

    name: str
    strength: str
    does: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """The policy he follows."""
        plain = get_policy(self.strength)
        return plain.revised(self.name, self.does, **self.weights) if self.weights else plain


AS_THEY_ARE = tuple(Player(name, name) for name in STRENGTHS)
"""The strengths of play without any change."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """
    A way of following a piece of advice.

    Attributes
    ----------
    name : str
    does : str
        What a player does who follows it.
    phrase : str
        How it is followed, to be put into a sentence.
    weights : mapping of feature names to weights
        What it changes of a policy.
    expected : 1 or -1
        Whether the advice says that it gains points or loses them.
    primary : bool
        Whether the verdict rests on it.
    """

    name: str
    does: str
    phrase: str
    weights: Mapping[str, float]
    expected: int = 1
    primary: bool = True

    def applied(self, player: Player) -> Policy:
        """Policy of a player who follows the advice in this form."""
        return player.policy.revised(f"{player.name}+{self.name}", self.does, **self.weights)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """
    A piece of advice as something that can be measured.

    Attributes
    ----------
    name : str
    advice : str
        The advice, a sentence.
    subject : str
        The same as the subject of a sentence.
    applies : str
        When there is something to follow.
    predicts : str
        What must come out if the advice is right.
    remark : str
        What a reader should know beside it, if anything.
    source : str
        Key of `basra_sim.variants.SOURCES`.
    forms : tuple of Form
    variant : str
        The rules by which it is judged, for two players.
    beside : tuple of str
        Rules that are explored besides.
    players : tuple of Player
        Players at whom it is judged: both sides play alike but for the advice.
    others : tuple of Player
        Players at whom it is explored besides.
    smallest : float
        Smallest effect that matters, in points a round.
    """

    name: str
    advice: str
    subject: str
    applies: str
    predicts: str
    source: str
    forms: tuple[Form, ...]
    remark: str = ""
    variant: str = "bastra"
    beside: tuple[str, ...] = ("egyptian",)
    players: tuple[Player, ...] = AS_THEY_ARE
    others: tuple[Player, ...] = ()
    smallest: float = 0.05

    @property
    def variants(self) -> tuple[str, ...]:
        """All rules by which it is played, those that it is judged by first."""
        return (self.variant, *self.beside)

    @property
    def everyone(self) -> tuple[Player, ...]:
        """All players, those that it is judged at first."""
        return (*self.players, *self.others)

    @property
    def primary_forms(self) -> tuple[Form, ...]:
        """Forms that the verdict rests on."""
        return tuple(form for form in self.forms if form.primary)

    @property
    def tests(self) -> int:
        """Number of primary tests: forms by players."""
        return len(self.primary_forms) * len(self.players)

    def form(self, name: str) -> Form:
        """Form of a name."""
        return next(form for form in self.forms if form.name == name)

    def player(self, name: str) -> Player:
        """Player of a name."""
        return next(player for player in self.everyone if player.name == name)
