"""Tables of rules and of choices as DataFrames."""

import pandas as pd

from basra_sim.cards import card_names, card_set, parse_card, parse_cards
from basra_sim.errors import InputError
from basra_sim.game import card_points, points_codes
from basra_sim.legal import legal
from basra_sim.variants import TABLE_COLUMNS, Variant, setting, variant_table


def variants_frame() -> pd.DataFrame:
    """Variants side by side: name, aliases, country, pack, hand, what is buried, basras, majority, target, as texts."""
    return pd.DataFrame(variant_table())[list(TABLE_COLUMNS)]


def captures_frame(
    variant: str | Variant,
    *,
    floor: str,
    card: str,
    lone_before: bool = False,
    changes: dict[str, object] | None = None,
) -> pd.DataFrame:
    """
    What a card may do on a floor: a row a choice, with the cards taken, the basra and the card points won.

    Parameters
    ----------
    variant : name, path of a person's own variant file, or Variant
    floor, card : cards by name, as in ``floor="7C 4H", card="JD"``
    lone_before : whether the last play laid one card beside a lone one

    Raises
    ------
    InputError
        If a name is no card, or the card lies on the floor.
    """
    rules = setting(variant, changes=changes).rules
    cards, played = parse_cards(floor), parse_card(card)
    if played in cards:
        raise InputError(f"{card} lies on the floor: it cannot be played too")
    points = points_codes(rules)
    rows = [
        {
            "taken": " ".join(card_names(sorted(taken))),
            "basra": basra,
            "points": int(card_points(points, card_set([*taken, played]))) if taken else 0,
        }
        for taken, basra in legal(rules, cards, played, lone_before=lone_before)
    ]
    return pd.DataFrame(rows, columns=["taken", "basra", "points"])
