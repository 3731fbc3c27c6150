"""What a card may take from a floor, what that scores as a basra, and by which rule."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from basra_sim.cards import (
    JACK,
    KING,
    QUEEN,
    RANKS,
    SEVEN,
    SEVEN_OF_DIAMONDS,
    TEN,
    TWO,
    Card,
    card_name,
    rank_of,
    value_of,
)
from basra_sim.errors import InputError
from basra_sim.reference.sums import Counts, split, takings
from basra_sim.rules import Rules


class Choice(NamedTuple):
    """One thing a card may do: the cards it takes (none: it is laid), the points of a basra, and by which rules."""

    taken: tuple[Card, ...]
    """Cards taken, lowest number first."""
    basra: int
    """Points of the basra; 0 where there is none."""
    reason: str
    """By which rule the cards are taken, and by which they are a basra or none."""


def legal_choices(
    rules: Rules, floor: Collection[Card], card: Card, *, lone_before: bool = False, last_card: bool = False
) -> list[Choice]:
    """
    Everything a card may do on a floor: its captures, or to be laid where it can take nothing.

    Captures that differ only in suits that do not matter are one choice, with the lowest cards standing for all.

    Parameters
    ----------
    rules
        The rules played.
    floor
        Cards on the floor, any number of them.
    card
        The card played.
    lone_before
        Whether the floor is two cards of which the earlier lay alone just before the later was laid on it.
        Without effect on a floor of any other number of cards.
    last_card
        Whether it is the last card of the round.

    Returns
    -------
    list
        The choices, those that take more cards first. Never empty.

    Raises
    ------
    InputError
        If the card lies on the floor, the floor holds one twice, or the pack has no such card.
    """
    _check(rules, floor, card)
    return choices_of(rules, floor, card, lone_before, last_card)


def same_choice(rules: Rules, one: Iterable[Card], other: Iterable[Card]) -> bool:
    """Whether two sets of cards taken by one card are one choice: they differ at most in suits that do not matter."""
    return choice_key(rules, one) == choice_key(rules, other)


def choice_key(rules: Rules, taken: Iterable[Card]) -> tuple[str, ...]:
    """Key that is the same for sets of cards that are one choice: marked cards by name, others by rank, in order."""
    marked = rules.marked_cards
    return tuple(sorted(card_name(card) if card in marked else RANKS[rank_of(card)] for card in taken))


def choices_of(
    rules: Rules, floor: Collection[Card], card: Card, lone_before: bool, last_card: bool
) -> list[Choice]:  # fmt: skip
    """`legal_choices` for arguments that are known to be right."""
    if not floor:
        return [Choice((), 0, "the floor is empty: it is laid")]
    rank = rank_of(card)
    if rank == JACK:
        return [_sweep(floor, "a jack sweeps the floor", *_jack_basra(rules, floor, last_card))]
    if card == SEVEN_OF_DIAMONDS and rules.seven_sweeps:
        return [_sweep(floor, "the 7 of diamonds sweeps the floor", *_seven_basra(rules, floor, last_card))]
    if rules.lone_seven == "any_card_but_jack" and len(floor) == 1 and SEVEN_OF_DIAMONDS in floor:
        basra = _basra(rules, card, last_card, "taken by any card but a jack")
        return [_sweep(floor, "the 7 of diamonds lies alone", *basra)]

    same = [other for other in floor if other >> 2 == rank]
    found = []
    for used in _sums(rules, floor, rank):
        summed = any(used)
        if not same and not summed:
            return [Choice((), 0, "it can take nothing: it is laid")]
        how = _how(rank, len(same), used)
        for cards in _suits(rules, floor, used) if summed else [()]:
            taken = tuple(sorted((*same, *cards)))
            points, why = _capture_basra(rules, floor, card, taken, lone_before, last_card)
            found.append(Choice(taken, points, f"{how}; {why}"))
    return found


def _check(rules: Rules, floor: Collection[Card], card: Card) -> None:
    """Refuse a floor and a card that cannot come together."""
    for each in (*floor, card):
        if not 0 <= each < rules.pack:
            name = card_name(each) if 0 <= each < 52 else f"card {each}"
            raise InputError(f"the pack of {rules.pack} cards has no {name}")
    if len(set(floor)) < len(floor):
        twice = next(each for place, each in enumerate(floor) if each in list(floor)[:place])
        raise InputError(f"the floor holds {card_name(twice)} twice")
    if card in floor:
        raise InputError(f"{card_name(card)} lies on the floor, it cannot be played as well")


def _sums(rules: Rules, floor: Iterable[Card], rank: int) -> Sequence[Counts]:
    """Sets of lower cards that a card of a rank may take in sums, as counts of each value below its own."""
    if rank > TEN or rules.captures == "ranks":
        return ((),)
    counts = [0] * rank
    for card in floor:
        if card >> 2 < rank:
            counts[card >> 2] += 1
    sets = takings(rank + 1, tuple(counts))
    if rules.captures == "most_cards":
        # Most cards counts the whole capture; the cards of its rank are in all of them. Equals remain a choice.
        return [used for used in sets if sum(used) == sum(sets[0])]
    return sets


def _suits(rules: Rules, floor: Iterable[Card], used: Counts) -> list[tuple[Card, ...]]:
    """
    Sets of cards with given counts of each value, one of each kind that differs in marked cards.

    Aces and tens score whatever their suit is worth, yet are never part of such a choice: all aces score the same, and
    tens go by rank, all of them. So the point two and a sweeping 7 of diamonds are the only cards that mark one.
    """
    options: list[tuple[Card, ...]] = [()]
    for rank, wanted in enumerate(used):
        if wanted:
            there = sorted(card for card in floor if card >> 2 == rank)
            picks = [tuple(there[:wanted])]
            if wanted < len(there) and rank in (TWO, SEVEN):
                marked = [card for card in rules.marked_cards if card in there]
                plain = [card for card in there if card not in marked]
                picks = [(*marked, *plain[: wanted - len(marked)])] if marked else []
                picks += [tuple(plain[:wanted])]
            options = [(*taken, *pick) for taken in options for pick in picks]
    return options


@lru_cache(maxsize=100_000)
def _how(rank: int, same: int, used: Counts) -> str:
    """Words for a capture by rank and in sums."""
    parts = []
    if same:
        parts.append(f"the {RANKS[rank]} by rank" if same == 1 else f"{_NUMBERS[same]} {RANKS[rank]}s by rank")
    if any(used):
        divided = split(rank + 1, (*used, 0))
        assert divided is not None, "what is taken in sums splits into them"
        sums = ["+".join(RANKS[value - 1] for value in group) for group in divided]
        parts.append(f"{', '.join(sums)} by sum")
    return "takes " + " and ".join(parts)


_NUMBERS = {2: "both", 3: "all three"}


def _sweep(floor: Iterable[Card], how: str, points: int, why: str) -> Choice:
    """Choice that takes the whole floor."""
    return Choice(tuple(sorted(floor)), points, f"{how}; {why}")


def face_value(rules: Rules, card: Card) -> int:
    """What a card counts where a basra scores twice the face of the card that made it."""
    return {QUEEN: rules.queen_face, KING: rules.king_face}.get(rank_of(card), value_of(card))


def _basra(rules: Rules, card: Card, last_card: bool, why: str) -> tuple[int, str]:
    """Points and words for a basra made by a card that is no jack; one that scores nothing is none."""
    if last_card and not rules.last_card_basra:
        return 0, _NOT_LAST
    if rules.basra_scoring == "flat":
        return rules.basra_points, f"{why}: {'basra' if rules.basra_points else 'no basra, it would score 0'}"
    points = 2 * face_value(rules, card)
    return points, f"{why}: {'basra of twice its face' if points else 'no basra, its face counts 0'}"


_NOT_LAST = "no basra with the last card of the round"


def _jack_basra(rules: Rules, floor: Collection[Card], last_card: bool) -> tuple[int, str]:
    """
    Points of a sweep by a jack, and why.

    What a jack on a lone jack scores is one number in every variant: it stands beside `basra_when` and the scoring
    of other basras. Without basras by the last card it scores nothing with that card either.
    """
    if len(floor) > 1 or any(rank_of(card) != JACK for card in floor):
        return 0, "no basra with a jack"
    if not rules.jack_on_jack:
        return 0, "no basra with a jack on a lone jack"
    if last_card and not rules.last_card_basra:
        return 0, _NOT_LAST
    return rules.jack_on_jack, "a jack on a lone jack: basra"


def _seven_basra(rules: Rules, floor: Collection[Card], last_card: bool) -> tuple[int, str]:
    """
    Points of a sweep by the 7 of diamonds, and why.

    Its basras are those of `seven_basra` and no others, so `basra_when`, which speaks of captures by rank and
    sum, has no say here, not even about a lone 7.
    """
    why = ""
    if rules.seven_basra == "sum_at_most_10":
        why = "numerals that sum to 10 or less" if _numerals(floor) and _sum(floor) <= 10 else ""
    elif rules.seven_basra == "yemeni":
        if _numerals(floor) and _sum(floor) < 10:
            why = "numerals that sum to less than 10"
        elif all(rank_of(card) in (TEN, QUEEN, KING) for card in floor):
            why = "only tens, queens and kings"
        else:
            why = _equal_groups(floor, fewest=2, highest=9)
    elif rules.seven_basra == "equal_groups_at_most_10":
        why = _equal_groups(floor, fewest=1, highest=10)
    return _basra(rules, SEVEN_OF_DIAMONDS, last_card, why) if why else (0, "no basra with this floor")


def _numerals(floor: Iterable[Card]) -> bool:
    """Whether all cards are aces to tens."""
    return all(rank_of(card) <= TEN for card in floor)


def _sum(floor: Iterable[Card]) -> int:
    """Sum of the values of numeral cards."""
    return sum(value_of(card) for card in floor)


def _equal_groups(floor: Collection[Card], fewest: int, highest: int) -> str:
    """Words for a floor of numerals only that split into so many groups of one equal sum; none where they do not."""
    if not _numerals(floor):
        return ""
    total, values = _sum(floor), [value_of(card) for card in floor]
    for value in range(max(values), highest + 1):
        if total % value == 0 and total // value >= fewest:
            divided = split(value, tuple(values.count(each) for each in range(1, value + 1)))
            if divided is not None:
                groups = ", ".join("+".join(RANKS[each - 1] for each in group) for group in divided)
                return f"groups of {value} ({groups})"
    return ""


def _capture_basra(
    rules: Rules, floor: Collection[Card], card: Card, taken: Sequence[Card], lone_before: bool, last_card: bool
) -> tuple[int, str]:
    """Points of a capture by rank and sum, and why."""
    if len(taken) < len(floor):
        return 0, "no basra, cards are left"
    if rules.basra_when == "clears_floor":
        return _basra(rules, card, last_card, "the floor is cleared")
    if len(taken) == 1 and rank_of(taken[0]) == rank_of(card):
        return _basra(rules, card, last_card, "a lone card matched")
    if rules.basra_when == "matches_lone_card":
        return 0, "no basra but on a lone card"
    if len(taken) == 2 and lone_before and _sum(taken) == value_of(card) > 0:
        return _basra(rules, card, last_card, "the sum of a lone card and the one laid on it")
    return 0, "no basra but on a lone card, or on one and the card laid on it by the play just before"
