"""What is registered of a piece of advice before it is tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from basra_sim.policies import ADVICE, Advice
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK, Range

PLAYING, DECISION, FREQUENCY = "P", "D", "F"
"""Kinds of test: a way of playing against the same without it; a decision played both ways; how often something is."""

KINDS: Mapping[str, str] = {
    PLAYING: "a way of playing: the same player with the advice and without, points a round and matches won",
    DECISION: "a decision: wherever the advice applies, followed and gone against, points an application",
    FREQUENCY: "a frequency: how often something happens at the table",
}

SECTIONS = ("memory", "point cards", "jacks", "faces", "low cards", "order", "defence", "the game")
"""Sections of the page of advice."""

OWN = "own"
"""Section of a person's own claims."""

GAIN = "gain"

SMALLEST_DECISION = 0.1
"""Points: the smallest effect of a decision that matters, if nothing else is said."""


class Table(NamedTuple):
    """Where a claim is tested: rules and number of players."""

    variant: str
    players: int = 2
    pairs: bool = False

    @property
    def seats(self) -> str:
        """Who sits there, in words."""
        return "two pairs" if self.pairs else {2: "two players", 3: "three players", 4: "four players"}[self.players]

    @property
    def label(self) -> str:
        """Rules and who plays by them."""
        return f"{self.variant}, {self.seats}"


MAIN = Table("bastra")
"""Where claims are judged unless they say otherwise."""

BESIDE = (Table("egyptian"), Table("palestinian"))
"""Where all claims are explored besides: a game of large bonuses, and one with the short pack."""

PAIRS = Table("bastra", 4, True)
"""Where some claims are explored besides."""


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
    section : str
        One of `SECTIONS`.
    kinds : tuple of `PLAYING`, `DECISION`, `FREQUENCY`
        How it is tested; the verdict rests on the first.
    piece : Advice or None
        The advice as players follow it, for the first two kinds.
    degrees : tuple of str
        In place of advice: degrees of memory, the first of them what a player is who follows, the second his opposite.
    splits : tuple of str
        Quantities of the situation by which decisions are told apart.
    maps : tuple of pairs of str
        Pairs of such quantities that a map is drawn of.
    judged : mapping of quantities to ranges
        Decisions that the verdict rests on, where others are played for the map.
    curve : str
        A quantity of a play: each of its values that can be played is tried against all others.
    contrast : str
        A quantity, 0 or 1: the advice is that it pays more where this is 1.
    outcomes : tuple of str
        What is measured of decisions besides points.
    by_match : bool
        Whether decisions are judged by the chance to win the match.
    pairs : bool
        Whether it is explored for two pairs as well.
    table : Table
        Where it is judged.
    elsewhere : tuple of Table
        Where it is explored besides, and, if `pairs`, for two pairs.
    smallest : float
        Smallest effect that matters, in points a round.
    smallest_decision : float
        Smallest effect of a decision that matters, in points (if `by_match`, in chances to win the match).
    remark : str
        What a reader should know beside it.
    source : str
        Key of `basra_sim.variants.SOURCES`, or empty for a person's own claim.
    """

    name: str
    advice: str
    subject: str
    applies: str
    section: str
    kinds: tuple[str, ...]
    piece: Advice | None = None
    degrees: tuple[str, ...] = ()
    splits: tuple[str, ...] = ("cards_left", "floor_size", "floor_points", "deal", "last_to_play", "lead")
    maps: tuple[tuple[str, str], ...] = ()
    judged: Mapping[str, Range] = field(default_factory=dict)
    curve: str = ""
    contrast: str = ""
    outcomes: tuple[str, ...] = ()
    by_match: bool = False
    pairs: bool = False
    table: Table = MAIN
    elsewhere: tuple[Table, ...] = BESIDE
    smallest: float = 0.05
    smallest_decision: float = SMALLEST_DECISION
    remark: str = ""
    source: str = "article-en"

    @property
    def tables(self) -> tuple[Table, ...]:
        """Where it is tested, where it is judged first."""
        others = (*self.elsewhere, PAIRS) if self.pairs else self.elsewhere
        return (self.table, *(table for table in others if table != self.table))

    def at(self, table: Table) -> "Claim":
        """The claim judged at a table, and explored nowhere else."""
        return replace(self, table=table, elsewhere=(), pairs=False)

    @property
    def forms(self) -> tuple[str, ...]:
        """Forms in which a way of playing is tested."""
        return (LITERAL, REVERSED) if self.degrees else (LITERAL, TIE_BREAK, REVERSED)

    @property
    def decided_by(self) -> str:
        """Kind of test that the verdict rests on."""
        return self.kinds[0]


def own_claim(piece: Advice) -> Claim:
    """
    Claim about a person's own piece of advice: that it pays, as a way of playing and as a decision.

    Judged and explored as the registered ones are.
    """
    text = piece.text or piece.name
    return Claim(
        name=piece.name,
        advice=text,
        subject=f"following “{text.removesuffix('.')}”",
        applies="Where some plays follow it and others go against it.",
        section=OWN,
        kinds=(PLAYING, DECISION),
        piece=piece,
        source="",
    )


def built_in(name: str, **registered: Any) -> Claim:
    """Claim about a piece of advice that players can be told by name; `registered` are the fields of a claim."""
    piece = ADVICE[name]
    known: dict[str, Any] = {"advice": piece.text, "piece": piece}
    return Claim(name=name, **known | registered)
