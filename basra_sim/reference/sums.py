"""Which cards a numeral may take in sums: the sets of groups that no larger set contains, by counts of ranks."""

from functools import cache, lru_cache
from operator import add, ge, le, sub

Counts = tuple[int, ...]
"""How many cards there are of each value: place 0 counts the aces, place 1 the twos, and so on."""

_REMEMBERED = 200_000
"""Floors whose answer is kept (some 100 MB when full): most floors of a long run come again and again."""


@cache
def groups(value: int, most: int | None = None) -> tuple[Counts, ...]:
    """
    Groups of two or more numeral cards that sum to a value, each as counts of the values below it.

    Parameters
    ----------
    value
        What a group sums to, 1 to 10.
    most
        Only the groups whose highest card has this value.
    """

    def parts(total: int, highest: int) -> list[list[int]]:
        if total == 0:
            return [[]]
        return [[part, *rest] for part in range(min(total, highest), 0, -1) for rest in parts(total - part, part)]

    found = [group for group in parts(value, value - 1) if most is None or group[0] == most]
    return tuple(tuple(group.count(part) for part in range(1, value)) for group in found)


@lru_cache(maxsize=_REMEMBERED)
def takings(value: int, floor: Counts) -> tuple[Counts, ...]:
    """
    Sets of cards that a card of a value may take in sums: unions of groups, none contained in another such union.

    The highest card on the floor is either part of a group, of which it is the highest, or it stays. So the answer for
    a floor comes from the answers for smaller floors; from each of these only the sets that no other contains
    are needed, for a smaller set stays the smaller one when the same group is added.

    Parameters
    ----------
    value
        Value of the card played, 1 to 10.
    floor
        Cards on the floor of each value below it. Cards of the value itself go by rank and are no part of this.

    Returns
    -------
    tuple
        At least one; the only one is ``(0, 0, ...)`` where nothing sums to the value.
    """
    top = max((place for place, count in enumerate(floor) if count), default=-1)
    if top < 0:
        return (floor,)
    found: set[Counts] = set()
    for group in groups(value, top + 1):
        if all(map(ge, floor, group)):
            rest = tuple(map(sub, floor, group))
            found.update(tuple(map(add, group, more)) for more in takings(value, rest))
    if floor not in found:
        found.update(takings(value, (*floor[:top], floor[top] - 1, *floor[top + 1 :])))
    return _not_contained(found)


def _not_contained(sets: set[Counts]) -> tuple[Counts, ...]:
    """Those of some sets of cards that no other of them contains, the ones with more cards first."""
    kept: list[Counts] = []
    for one in sorted(sets, key=lambda counts: (-sum(counts), counts)):
        if not any(all(map(le, one, other)) for other in kept):
            kept.append(one)
    return tuple(kept)


@lru_cache(maxsize=_REMEMBERED)
def split(value: int, cards: Counts) -> tuple[tuple[int, ...], ...] | None:
    """
    Cards divided into groups of one sum, or ``None`` where that is impossible.

    Parameters
    ----------
    value
        The sum of each group. A single card of this value is a group too.
    cards
        Cards of each value from the ace to ``value``, all to be used.

    Returns
    -------
    tuple
        The groups, each as the values of its cards, highest first.
    """
    top = max((place for place, count in enumerate(cards) if count), default=-1)
    if top < 0:
        return ()
    single = tuple(int(place + 1 == value) for place in range(value))
    for group in (single,) if top + 1 == value else [(*group, 0) for group in groups(value, top + 1)]:
        if all(map(ge, cards, group)):
            rest = split(value, tuple(map(sub, cards, group)))
            if rest is not None:
                return (values_of(group), *rest)
    return None


def values_of(cards: Counts) -> tuple[int, ...]:
    """Values of some cards, highest first."""
    return tuple(place + 1 for place in range(len(cards) - 1, -1, -1) for _ in range(cards[place]))
