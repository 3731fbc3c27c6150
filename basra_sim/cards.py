"""Cards as small integers, sets of cards as bits of one integer; reading and writing both."""

from collections.abc import Iterable, Iterator

from basra_sim.errors import InputError

Card = int
"""One card: ``4 * rank + suit``, 0 (ace of clubs) to 51 (king of spades)."""

CardSet = int
"""A set of cards: bit ``c`` is set when card ``c`` is in it. 52 bits, so it fits a signed word."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
ACE, TWO, SEVEN, TEN, JACK, QUEEN, KING = 0, 1, 6, 9, 10, 11, 12

DECK_SIZE = 52
SHORT_DECK_SIZE = 44
"""The pack without queens and kings: the first 44 card numbers."""

TWO_OF_CLUBS, TWO_OF_SPADES = 4 * TWO, 4 * TWO + 3
SEVEN_OF_DIAMONDS = 4 * SEVEN + 1
TEN_OF_DIAMONDS = 4 * TEN + 1

_SUIT_OF = {letter: number for number, letters in enumerate(("C♣♧", "D♦♢", "H♥♡", "S♠♤")) for letter in letters}
_RANK_OF = {name: number for number, name in enumerate(RANKS)} | {"T": TEN}


class CardError(InputError):
    """A text that names no card, or names one twice."""


def rank_of(card: Card) -> int:
    """Rank of a card: 0 (ace) to 12 (king)."""
    return card >> 2


def value_of(card: Card) -> int:
    """What a card counts in a sum: 1 (ace) to 10; 0 for jack, queen and king, which belong to none."""
    return rank_of(card) + 1 if rank_of(card) <= TEN else 0


def card_name(card: Card) -> str:
    """Name of a card: rank, then suit, as in ``10D``."""
    return RANKS[card >> 2] + SUITS[card & 3]


def parse_card(text: str) -> Card:
    """
    Card named by a text such as ``10D``, ``td`` or ``10♦``.

    Raises
    ------
    CardError
        If the text names no card.
    """
    name = text.strip().upper().replace("\ufe0f", "")
    rank, suit = _RANK_OF.get(name[:-1]), _SUIT_OF.get(name[-1:])
    if rank is None or suit is None:
        raise CardError(f"{text!r} is no card: write rank and suit, such as AS, 10D or JH")
    return 4 * rank + suit


def parse_cards(text: str | Iterable[str]) -> list[Card]:
    """
    Cards named in a text (separated by blanks or commas) or in a sequence of names, in their order.

    Raises
    ------
    CardError
        If a part of it names no card, or a card comes twice.
    """
    names = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    cards = [parse_card(name) for name in names]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise CardError(f"{card_name(card)} comes twice")
    return cards


def card_set(cards: Iterable[Card]) -> CardSet:
    """Set of the given cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_in(bits: CardSet) -> Iterator[Card]:
    """Cards of a set, lowest number first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def card_names(cards: CardSet | Iterable[Card]) -> list[str]:
    """Names of the cards of a set (lowest number first) or of a sequence (in its order)."""
    return [card_name(card) for card in (cards_in(cards) if isinstance(cards, int) else cards)]
