"""
What a card may take, a third time: by going through all subsets of the floor and all ways to divide them.

Only for small floors. It shares nothing with the readable engine: no tables, no counts of ranks, no recursion over
cards. Names of cards and rules are all it uses.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from basra_sim.cards import RANKS, card_name
from basra_sim.rules import Rules

Taken = frozenset[int]


def rank(card: int) -> str:
    return card_name(card)[:-1]


def value(card: int) -> int:
    """Value in a sum; 0 for pictures."""
    return 0 if rank(card) in "JQK" else RANKS.index(rank(card)) + 1


def subsets(cards: Iterable[int]) -> Iterator[Taken]:
    pool = sorted(cards)
    return map(frozenset, chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1)))


def divides(cards: Taken, total: int, fewest_cards: int) -> bool:
    """Whether cards split into groups that sum to the total and have at least so many cards each."""
    if not cards:
        return True
    first = min(cards)
    return any(
        first in group
        and len(group) >= fewest_cards
        and sum(map(value, group)) == total
        and divides(cards - group, total, fewest_cards)
        for group in subsets(cards)
    )


def possible(rules: Rules, floor: Taken, card: int) -> set[Taken]:
    """Sets of cards that a card without special power could take, whether largest or not."""
    same = frozenset(other for other in floor if rank(other) == rank(card))
    if value(card) == 0 or rules.captures == "ranks":
        return {same}
    numerals = [other for other in floor if value(other) and other not in same]
    return {same | more for more in subsets(numerals) if divides(more, value(card), 2)}


def sweeps(rules: Rules, floor: Taken, card: int) -> bool:
    if rank(card) == "J" or (card_name(card) == "7D" and rules.seven_of_diamonds == "sweeps"):
        return True
    return rules.lone_seven == "any_card_but_jack" and {card_name(other) for other in floor} == {"7D"}


def captures(rules: Rules, floor: Taken, card: int) -> set[Taken]:
    """All captures, every suit on its own; the empty set stands for laying the card."""
    if sweeps(rules, floor, card):
        return {floor}
    sets = possible(rules, floor, card)
    if rules.captures == "most_cards":
        return {one for one in sets if len(one) == max(map(len, sets))}
    return {one for one in sets if not any(one < other for other in sets)}


def splits_equally(floor: Taken, highest: int, fewest: int) -> bool:
    total = sum(map(value, floor))
    return any(total >= fewest * one and divides(floor, one, 1) for one in range(1, highest + 1))


def seven_makes_basra(rules: Rules, floor: Taken) -> bool:
    numerals = all(map(value, floor))
    total = sum(map(value, floor))
    if rules.seven_basra == "sum_at_most_10":
        return numerals and total <= 10
    if rules.seven_basra == "yemeni":
        if numerals and (total < 10 or splits_equally(floor, 9, 2)):
            return True
        return {rank(card) for card in floor} <= {"10", "Q", "K"}
    return rules.seven_basra == "equal_groups_at_most_10" and numerals and splits_equally(floor, 10, 1)


def makes_basra(rules: Rules, floor: Taken, card: int, taken: Taken, lone_before: bool) -> bool:
    """Whether a capture by a card that is no jack is a basra, points aside."""
    if not taken or taken != floor:
        return False
    if card_name(card) == "7D" and rules.seven_of_diamonds == "sweeps":
        return seven_makes_basra(rules, floor)
    names = {card_name(other) for other in floor}
    if rules.lone_seven == "any_card_but_jack" and names == {"7D"}:
        return True
    if rules.basra_when == "clears_floor":
        return True
    if len(floor) == 1:
        return {rank(other) for other in floor} == {rank(card)}
    if rules.basra_when == "matches_lone_card" or len(floor) != 2 or not lone_before:
        return False
    return all(map(value, floor)) and sum(map(value, floor)) == value(card)


def basra(rules: Rules, floor: Taken, card: int, taken: Taken, lone_before: bool, last_card: bool) -> int:
    """Points of the basra a capture makes."""
    if last_card and not rules.last_card_basra:
        return 0
    if rank(card) == "J":
        return rules.jack_on_jack if len(floor) == 1 and {rank(other) for other in floor} == {"J"} else 0
    if not makes_basra(rules, floor, card, taken, lone_before):
        return 0
    if rules.basra_scoring == "flat":
        return rules.basra_points
    faces = {"Q": rules.queen_face, "K": rules.king_face}
    return 2 * faces.get(rank(card), value(card))


def marked(rules: Rules, card: int) -> str:
    """Card by name if its suit matters in a choice, by rank if not."""
    names = [rules.two] if rules.two_points else []
    names += ["7D"] if rules.seven_of_diamonds == "sweeps" else []
    return card_name(card) if card_name(card) in names else rank(card)


def key(rules: Rules, taken: Iterable[int]) -> tuple[str, ...]:
    return tuple(sorted(marked(rules, card) for card in taken))


def choices(
    rules: Rules, floor: Taken, card: int, lone_before: bool = False, last_card: bool = False
) -> dict[tuple[str, ...], int]:
    """Every choice by its key, with the points of its basra."""
    return {
        key(rules, taken): basra(rules, floor, card, taken, lone_before, last_card)
        for taken in captures(rules, floor, card)
    }
