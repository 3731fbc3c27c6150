"""How the cards of a round are handed out, and what does not stay on the opening floor."""

from collections.abc import Sequence
from typing import NamedTuple

from basra_sim.cards import Card, card_name, card_names
from basra_sim.errors import InputError
from basra_sim.rules import FLOOR_CARDS, Rules, Setting


class Opening(NamedTuple):
    """A round before its first play."""

    hands: list[list[Card]]
    """The first hand of each seat, in the order the cards came."""
    floor: list[Card]
    """The opening floor, left to right."""
    buried: list[Card]
    """Cards put back into the pack, in the order they were; one may come up and be put back again."""
    stock: list[Card]
    """The pack that is left, top first."""


def open_round(setting: Setting, deck: Sequence[Card], stock: Sequence[Card] | None = None) -> Opening:
    """
    First hands, opening floor and what is left of the pack.

    Parameters
    ----------
    setting
        Rules and players.
    deck
        The shuffled pack, top first.
    stock
        The pack that is left once the floor lies. Needed where cards are buried at random places and there is one to
        bury; elsewhere it follows from the deck, and must agree with it if given.

    Raises
    ------
    InputError
        If the deck is not the setting's pack, or the stock is missing or cannot come from the deck.
    """
    rules = setting.rules
    if sorted(deck) != list(range(rules.pack)):
        raise InputError(f"a deck of the {rules.pack} cards is needed, once each; this one has {len(deck)}")
    pack = list(deck)
    hands = deal_hands(rules, pack, setting.players, setting.hand_sizes[0])
    floor, pack = pack[:FLOOR_CARDS], pack[FLOOR_CARDS:]
    if rules.bury_to == "random" and _to_bury(rules, floor, pack):
        if stock is None:
            raise InputError(
                f"{' '.join(card_names(_to_bury(rules, floor, pack)))} of the opening floor went back to random places "
                "of the pack: the pack that was left must be given as the stock"
            )
        return Opening(hands, *_buried_at_random(rules, floor, pack, list(stock)))
    opening = Opening(hands, *_buried_at_bottom(rules, floor, pack))
    if stock is not None and list(stock) != opening.stock:
        place = next((n for n, pair in enumerate(zip(stock, opening.stock, strict=False)) if pair[0] != pair[1]), None)
        wrong = (
            f"{len(stock)} cards where {len(opening.stock)} are left"
            if place is None
            else f"{card_name(stock[place])} as its card {place + 1} where {card_name(opening.stock[place])} lies"
        )
        raise InputError(f"the stock does not come from the deck: it has {wrong}")
    return opening


def deal_hands(rules: Rules, pack: list[Card], players: int, size: int) -> list[list[Card]]:
    """Hands of so many cards for each seat, taken from the top of the pack; they are gone from it."""
    cards = pack[: players * size]
    del pack[: players * size]
    if rules.deal == "packet":
        return [cards[seat * size : (seat + 1) * size] for seat in range(players)]
    return [cards[seat::players] for seat in range(players)]


def _to_bury(rules: Rules, floor: Sequence[Card], pack: Sequence[Card]) -> list[Card]:
    """Cards of the opening floor that do not stay there: as many, from the left, as the pack has cards to replace."""
    banned = rules.buried_cards
    return [card for card in floor if card in banned][: sum(card not in banned for card in pack)]


def _buried_at_bottom(
    rules: Rules, floor: Sequence[Card], pack: Sequence[Card]
) -> tuple[list[Card], list[Card], list[Card]]:
    """Floor, buried cards and pack once each buried card lies under the pack and the top card has replaced it."""
    floor, pack, buried, banned = list(floor), list(pack), [], rules.buried_cards
    for place in range(len(floor)):
        # Where the pack holds nothing that may lie there, the card stays: no player would turn the pack over forever.
        while floor[place] in banned and any(card not in banned for card in pack):
            buried.append(floor[place])
            pack.append(floor[place])
            floor[place] = pack.pop(0)
    return floor, buried, pack


def _buried_at_random(
    rules: Rules, floor: Sequence[Card], pack: Sequence[Card], stock: list[Card]
) -> tuple[list[Card], list[Card], list[Card]]:
    """
    Floor, buried cards and stock where buried cards went to random places; the stock tells to which.

    The places are replaced, left to right, by the first cards of the pack that may lie there. Cards that may not and
    lie above the last of these come up as well and are put back too. So the stock is what lay below it, in its
    order, with the cards put back anywhere in between. A card put back may come up again at once and be put back
    again; nothing tells whether it did.
    """
    banned = rules.buried_cards
    first = _to_bury(rules, floor, pack)
    fit = [place for place, card in enumerate(pack) if card not in banned][: len(first)]
    below = pack[fit[-1] + 1 :]
    back = [*first, *(card for card in pack[: fit[-1]] if card in banned)]
    if sorted(stock) != sorted([*below, *back]):
        raise InputError(
            f"the stock must hold the {len(below) + len(back)} cards that neither first hands nor opening floor have: "
            + " ".join(card_names(sorted([*below, *back])))
        )
    for got, right in zip((card for card in stock if card not in back), below, strict=True):
        if got != right:
            raise InputError(
                f"the stock has {card_name(got)} where {card_name(right)} comes in the deck: only the buried "
                f"{' '.join(card_names(back))} may have moved"
            )
    fresh = iter([pack[place] for place in fit])
    return [next(fresh) if card in first else card for card in floor], back, stock
