"""What is counted: tables of occasions, each with its axes, laid out one behind another in arrays of cells."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import prod

from basra_sim.cards import KING, QUEEN, RANKS, TEN

NUMERALS = RANKS[: TEN + 1]
HIGH = (TEN - 2, TEN - 1, TEN, QUEEN, KING)
"""Ranks of the cards that advice calls high: eight to ten, queens and kings."""

LEFT_ROOM, DEAL_ROOM, SIZE_ROOM, BOARD_ROOM = 6, 6, 6, 8
"""Where axes end: the last place of each stands for more as well."""

SMALL_FLOORS = 3
"""Cards up to which every floor is a cell of its own."""


@dataclass(frozen=True)
class Axis:
    """A way in which occasions of a table differ, and the values it takes."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """
    Occasions that are counted alike, and what happens or does not on each.

    Attributes
    ----------
    name : str
    counts : str
        The occasions and what is counted on them, a sentence.
    axes : tuple of Axis
    unit : str
        Of an estimate: "of …" for a share, else a mean per occasion.
    crossed : bool
        Whether products between cells are kept as well, so that cells can be compared and put together with intervals
        that allow for their coming from the same rounds.
    """

    name: str
    counts: str
    axes: tuple[Axis, ...]
    unit: str
    crossed: bool = True

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    @property
    def is_share(self) -> bool:
        """Whether each occasion has it or not, so that an estimate lies between 0 and 1."""
        return self.unit.startswith("of ")


def _numbers(first: int, last: int, *, more: bool = False) -> tuple[str, ...]:
    """Numbers of an axis, the last of them for more as well if it is so."""
    return (*(str(number) for number in range(first, last)), f"{last}+" if more else str(last))


def floor_names() -> tuple[str, ...]:
    """Ranks of each small floor, low to high: all of one card, then all of two, then all of three."""
    sizes = range(1, SMALL_FLOORS + 1)
    return tuple(" ".join(ranks) for size in sizes for ranks in combinations_with_replacement(RANKS, size))


_RANK, _NUMERAL = Axis("rank", RANKS), Axis("rank", NUMERALS)
_LEFT = Axis("left", _numbers(1, LEFT_ROOM, more=True))
_SIZE = Axis("size", _numbers(1, SIZE_ROOM, more=True))
_DEAL = Axis("deal", _numbers(1, DEAL_ROOM, more=True))
_GONE = Axis("gone", _numbers(0, 3))

TABLES = (
    Table(
        "safe_rank",
        "Cards laid on an empty floor that the next play takes with a card of the same rank, by their rank and by how "
        "many of that rank were captured before.",
        (_RANK, _GONE),
        "of cards laid",
    ),
    Table(
        "safe_deal",
        "The same, by how many of that rank the layer has not seen and by the deal.",
        (Axis("unseen", _numbers(0, 3)), _DEAL),
        "of cards laid",
    ),
    Table(
        "safe_known",
        "The same, by how many of that rank were captured before and how many more the layer holds.",
        (_GONE, Axis("held", _numbers(0, 3))),
        "of cards laid",
    ),
    Table(
        "point_card_lost",
        "Aces, and the point two, laid that the layer's team does not have at the end of the round, by the deal and by "
        "the cards in the hand that it was laid from.",
        (Axis("card", ("ace", "point two")), _DEAL, _LEFT),
        "of cards laid",
    ),
    Table(
        "jack_late",
        "Jacks played in the last deal: laid; or laid and not with the player's team at the end. By the cards in the "
        "hand that it was played from.",
        (Axis("what", ("laid", "lost")), _LEFT),
        "of jacks played",
    ),
    Table(
        "floor_left",
        "Last plays of a deal but the last one: basras of the other side, of the player's own, and own less others', "
        "in the next turn of each player, by what the play was.",
        (Axis("play", ("jack clears", "other card clears", "rest")), Axis("side", ("other", "own", "net"))),
        "basras/play",
    ),
    Table(
        "answer",
        "Cards laid that the next play answers with a basra, by rank and by the number of cards on the floor, the one "
        "laid among them.",
        (_RANK, _SIZE),
        "of cards laid",
        crossed=False,
    ),
    Table(
        "answer_on_empty",
        "Cards laid on an empty floor that the next play answers with a basra, by rank.",
        (_RANK,),
        "of cards laid",
    ),
    Table(
        "answer_kind",
        "Cards laid that the next play answers with a basra, by what they are and by the number of cards on the floor, "
        "the one laid among them.",
        (Axis("laid", ("numeral", "jack", "queen or king")), _SIZE),
        "of cards laid",
    ),
    Table(
        "numeral_cards",
        "Cards that a numeral takes, itself left out.",
        (_NUMERAL,),
        "cards/play",
    ),
    Table(
        "numeral_sums",
        "Cards that a numeral takes by sums.",
        (_NUMERAL,),
        "cards/play",
    ),
    Table(
        "numeral_aces",
        "Aces that a numeral takes by sums.",
        (_NUMERAL,),
        "aces/play",
    ),
    Table(
        "board",
        "Plays that make a basra, by the number of cards on the floor and of high ones among them: eight to ten, "
        "queens and kings.",
        (Axis("size", _numbers(1, BOARD_ROOM, more=True)), Axis("high_cards", _numbers(0, BOARD_ROOM, more=True))),
        "of plays",
    ),
    Table(
        "floors",
        f"Plays that make a basra, by the ranks on the floor, for floors of up to {SMALL_FLOORS} cards.",
        (Axis("floor", floor_names()),),
        "of plays",
        crossed=False,
    ),
    Table(
        "fishing",
        "Numerals laid while the player keeps other cards, and while the next player has not seen the point two (the "
        "first two kinds) or the ten of diamonds (the others): whether the layer holds it. By the cards he keeps.",
        (
            Axis(
                "laid",
                (
                    "two, point two unseen",
                    "other numeral, point two unseen",
                    "ten, ten of diamonds unseen",
                    "makes ten, ten of diamonds unseen",
                    "other numeral, ten of diamonds unseen",
                ),
            ),
            Axis("kept", _numbers(1, LEFT_ROOM - 1, more=True)),
        ),
        "of cards laid",
    ),
    Table(
        "jack_on_jack",
        "Jacks played that take a lone jack; and how many do in a round.",
        (Axis("per", ("jack", "round")),),
        "jacks taking a lone jack",
    ),
    Table(
        "choice",
        "Plays from a hand with cards of more than one rank; with cards of more than one rank that capture; and with "
        "one that captures and one of another rank that does not.",
        (Axis("kind", ("ranks", "captures", "capture or not")),),
        "of plays",
    ),
)

(
    SAFE_RANK,
    SAFE_DEAL,
    SAFE_KNOWN,
    POINT_CARD_LOST,
    JACK_LATE,
    FLOOR_LEFT,
    ANSWER,
    ANSWER_ON_EMPTY,
    ANSWER_KIND,
    NUMERAL_CARDS,
    NUMERAL_SUMS,
    NUMERAL_ACES,
    BOARD,
    FLOORS,
    FISHING,
    JACK_ON_JACK,
    CHOICE,
) = range(len(TABLES))
"""Places in `TABLES`."""

PLACES = {table.name: place for place, table in enumerate(TABLES)}

STARTS = tuple(sum(table.cells for table in TABLES[:place]) for place in range(len(TABLES)))
"""First cell of each table."""

CELLS = sum(table.cells for table in TABLES)

PRODUCT_STARTS = tuple(
    sum(4 * table.cells**2 for table in TABLES[:place] if table.crossed) if TABLES[place].crossed else -1
    for place in range(len(TABLES))
)
"""Where the products of each table begin; -1 if none are kept."""

PRODUCTS = sum(4 * table.cells**2 for table in TABLES if table.crossed)

MOST_CELLS = max(table.cells for table in TABLES)
