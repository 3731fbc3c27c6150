"""What single cards are worth under some rules."""

from basra_sim.cards import ACE, JACK, TEN_OF_DIAMONDS, Card, CardSet, card_set, rank_of
from basra_sim.rules import Rules


def card_worth(rules: Rules, card: Card) -> int:
    """Points of a card."""
    rank = rank_of(card)
    return (
        rules.ace_points * (rank == ACE)
        + rules.jack_points * (rank == JACK)
        + rules.two_points * (card == rules.two_card)
        + rules.ten_points * (card == TEN_OF_DIAMONDS)
    )


def point_cards(rules: Rules) -> CardSet:
    """Cards that score points."""
    return card_set(card for card in range(rules.pack) if card_worth(rules, card))
