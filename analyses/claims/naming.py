"""Names of the quantities by which decisions are told apart, and of their values, as people say them."""

from collections.abc import Mapping

QUANTITIES: Mapping[str, str] = {
    "floor_size": "cards on the floor",
    "floor_points": "points on the floor",
    "cards_left": "cards in hand",
    "deal": "deal of the round",
    "last_to_play": "last to play",
    "captures": "possible captures",
    "own_cards": "cards won so far",
    "lead": "points ahead so far",
    "rank": "rank laid",
    "score": "own score : the other's",
    "own score": "own score",
    "other score": "the other's score",
}
"""Quantities, for an axis or in front of a colon."""

_SAID = {("last_to_play", "0"): "not last to play", ("last_to_play", "1"): "last to play"}
_COUNTED: Mapping[str, tuple[str, str]] = {
    "floor_size": ("card on the floor", "cards on the floor"),
    "floor_points": ("point on the floor", "points on the floor"),
    "cards_left": ("card in hand", "cards in hand"),
    "captures": ("possible capture", "possible captures"),
    "own_cards": ("card won so far", "cards won so far"),
}


def quantity(name: str) -> str:
    """A quantity by which decisions are told apart."""
    return QUANTITIES.get(name, name.replace("_", " "))


def place(split: str, value: str) -> str:
    """A place of a quantity, in words; of two quantities, both."""
    if " × " in split:
        return ", ".join(place(*pair) for pair in zip(split.split(" × "), value.split(" × "), strict=True))
    if split == "score":
        return f"at {value}, own score first"
    return _SAID.get((split, value), f"{quantity(split)}: {value}")


def situation(split: str, value: str) -> str:
    """A place of a quantity, within a sentence."""
    if split in _COUNTED:
        number = "no" if value == "0" else value.replace("below", "fewer than")
        return f"with {number} {_COUNTED[split][value != '1']}"
    if split == "deal":
        return f"in deal {value}"
    return f"{'when' if (split, value) in _SAID else 'at'} {place(split, value)}"
