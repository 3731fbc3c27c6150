"""
Memory, the quantities of advice, and what advice makes of the plays, a second time: from the words that describe them.

On lists and sets, with the readable engine; nothing is shared with the compiled ones but rules and the advice as data.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from basra_sim.cards import JACK, TEN, TEN_OF_DIAMONDS, rank_of, value_of
from basra_sim.policies import Advice, Policy
from basra_sim.policies.model import RISKS
from basra_sim.reference import Choice, Round, choice_key, legal_choices
from basra_sim.rules import Setting
from tests import naive_features
from tests.naive_features import Sight, points_of

Key = tuple[int, tuple[str, ...]]
"""A play: the card, and what it takes, whatever the suits that make no difference."""

Numbers = dict[str, int]
NEARLY_EQUAL = 0.1


class Table:
    """A round stepped through, with what a player needs to remember it: when each card was played."""

    def __init__(self, setting: Setting, pack: Sequence[int]) -> None:
        self.round = Round(setting, pack)
        self.played_at: dict[int, int] = {}

    def play(self, card: int, taken: int) -> Choice:
        """Make a play, given by the card and the set it takes."""
        self.played_at[card] = self.round.turn
        return self.round.play(card, [each for each in range(52) if taken >> each & 1])

    def remembered(self, degree: str) -> set[int]:
        """Captured cards that the player on turn knows to be gone; of `ranks`, cards that stand for them."""
        rules, turn = self.round.rules, self.round.turn
        gone = [card for pile in self.round.piles for card in pile]
        if degree == "all":
            return set(gone)
        if degree == "none":
            return set()
        if degree == "points":
            return {card for card in gone if points_of(rules, [card]) or rank_of(card) == JACK}
        if degree == "ranks":
            return set(stand_ins(gone, [*self.round.hands[self.round.seat], *self.round.floor]))
        reach = int(degree)
        # What lay on the opening floor is older than whatever was played.
        return {card for card in gone if self.played_at.get(card, -1) >= turn - reach}

    def piles_remembered(self, degree: str) -> tuple[set[int], set[int]]:
        """Of the cards known to be gone, those in the pile of the player's team, and in those of the others."""
        known, team = self.remembered(degree), self.round.teams[self.round.seat]
        own = self.round.piles[team]
        other = [card for each, pile in enumerate(self.round.piles) if each != team for card in pile]
        if degree == "ranks":
            mine = stand_ins(own, [*self.round.hands[self.round.seat], *self.round.floor])
            return set(mine), known - set(mine)
        return known & set(own), known & set(other)

    def sight(self, degree: str) -> Sight:
        """What the player on turn sees, with such a memory."""
        whole = naive_features.sight_of(self.round)
        known = {*self.remembered(degree), *whole.hand, *whole.floor}
        return replace(whole, unseen=tuple(card for card in range(self.round.rules.pack) if card not in known))


def stand_ins(gone: Sequence[int], in_sight: Sequence[int]) -> list[int]:
    """As many cards of each rank as are gone: the highest suits that are not in sight."""
    found = []
    for rank in range(13):
        number = sum(rank_of(card) == rank for card in gone)
        possible = [card for card in range(4 * rank + 3, 4 * rank - 1, -1) if card not in in_sight]
        found += possible[:number]
    return found


def situation_numbers(table: Table, sight: Sight) -> Numbers:
    """Quantities of a situation, but for the number of captures."""
    played, rules = table.round, sight.rules
    team, sizes, players = played.teams[played.seat], played.setting.hand_sizes, played.setting.players
    deal = next(k for k in range(len(sizes)) if played.turn < players * sum(sizes[: k + 1]))
    points = [points_of(rules, pile) + sum(won) for pile, won in zip(played.piles, played.basras, strict=True)]
    others = [each for each in range(played.setting.team_count) if each != team]
    return {
        "floor_size": len(sight.floor),
        "floor_points": points_of(rules, sight.floor),
        "cards_left": len(sight.hand),
        "deal": deal + 1,
        "deals_left": len(sizes) - 1 - deal,
        "last_to_play": int(played.seat == players - 1),
        "jacks_held": sum(rank_of(card) == JACK for card in sight.hand),
        "own_cards": len(played.piles[team]),
        "other_cards": max(len(played.piles[each]) for each in others),
        "lead": points[team] - max(points[each] for each in others),
        "tens_unseen": sum(rank_of(card) == TEN for card in sight.unseen),
        "ten_unseen": int(TEN_OF_DIAMONDS in sight.unseen),
    }


def play_numbers(sight: Sight, card: int, choice: Choice) -> Numbers:
    """Quantities of a play, but for those that take all plays together, and the coin."""
    rules, taken, rank = sight.rules, choice.taken, rank_of(card)
    left = [lying for lying in sight.floor if lying not in taken]
    return {
        "captures_cards": len(taken),
        "points": points_of(rules, [card, *taken]) + choice.basra if taken else 0,
        "rank": rank + 1,
        "is_jack": int(rank == JACK),
        "card_points": points_of(rules, [card]),
        "unseen_of_rank": sum(rank_of(other) == rank for other in sight.unseen),
        "order": order(sight, card),
        "twin": twin(sight, card),
        "makes_ten": int(not taken and makes_ten(sight, card)),
        "leaves_lone": int(bool(taken) and leaves_lone(sight, left)),
    }


def order(sight: Sight, card: int) -> int:
    """Whether a card is of the lowest or the highest rank of the numerals in hand, if these are of several ranks."""
    values = {value_of(held) for held in sight.hand if value_of(held)}
    if value_of(card) == 0 or len(values) == 1:
        return 0
    return int(value_of(card) == max(values)) - int(value_of(card) == min(values))


def twin(sight: Sight, card: int) -> int:
    """Whether a card is the plain one, or that with points, of the point two or 10♦ and another of its rank in hand."""
    for special in (sight.rules.two_card, TEN_OF_DIAMONDS):
        alike = [held for held in sight.hand if rank_of(held) == rank_of(special)]
        if card in alike and special in alike and len(alike) > 1 and points_of(sight.rules, [special]):
            return 1 if card == special else -1
    return 0


def makes_ten(sight: Sight, card: int) -> bool:
    """Whether a numeral adds up to ten with some cards on the floor."""
    sums = {value_of(card)} if value_of(card) else set()
    for lying in sight.floor:
        sums |= {each + value_of(lying) for each in sums if value_of(lying)}
    return 10 in sums and value_of(card) < 10


def leaves_lone(sight: Sight, left: Sequence[int]) -> bool:
    """Whether 10♦ or the point two, where unseen, can take all but one of some cards, and at least one."""
    for special in {TEN_OF_DIAMONDS, sight.rules.two_card} & set(sight.unseen):
        if any(choice.taken and len(left) - len(choice.taken) == 1 for choice in answers(sight, left, special)):
            return True
    return False


def answers(sight: Sight, left: Sequence[int], card: int) -> list[Choice]:
    """What a card may do on a floor."""
    return legal_choices(sight.rules, left, card)


def weighed(table: Table, sight: Sight) -> dict[Key, tuple[Choice, Numbers]]:
    """All legal plays with all their quantities."""
    common, found = situation_numbers(table, sight), dict[Key, tuple[Choice, Numbers]]()
    for card in sight.hand:
        for choice in table.round.legal(card):
            key = card, choice_key(sight.rules, choice.taken)
            found[key] = choice, {**common, **play_numbers(sight, card, choice)}
    captures = [numbers for choice, numbers in found.values() if choice.taken]
    for choice, numbers in found.values():
        numbers["captures"] = len(captures)
        most_points = numbers["points"] == max((each["points"] for each in captures), default=0)
        most_cards = numbers["captures_cards"] == max((each["captures_cards"] for each in captures), default=0)
        numbers["richer"] = most_points - most_cards if choice.taken else 0
    return found


Opinion = Callable[[Sight, int, Choice], int]
"""A person's own advice, from what the player sees: above 0 for plays that follow it, below 0 for those against it."""


def within(number: int, one: int, other: int) -> bool:
    """Whether a number is in a range; one that goes from the higher to the lower means all but those between."""
    return not other < number < one if other < one else one <= number <= other


def preferences(
    advice: Advice, sight: Sight, plays: dict[Key, tuple[Choice, Numbers]], own: dict[str, Opinion]
) -> dict[Key, int]:
    """For each play whether it follows a piece of advice (1), goes against it (-1) or neither; empty: no use here."""
    found = {}
    for key, (choice, numbers) in plays.items():
        if advice.name in own:
            found[key] = own[advice.name](sight, key[0], choice)
            continue
        when, follow, against = (
            all(within(numbers[name], *limits) for name, limits in part.items())
            for part in (advice.when, advice.follow, advice.against)
        )
        found[key] = follow - against if when else 0
    return found if {1, -1} <= set(found.values()) else {}


def ranked(
    table: Table, policy: Policy, own: dict[str, Opinion] | None = None
) -> tuple[dict[Key, tuple[int, float]], list[str]]:
    """For each legal play: how many pieces forbid it, and its worth; and the names of the pieces that applied."""
    sight = table.sight(policy.memory.degree)
    plays = weighed(table, sight)
    weights = policy.weights_for(table.round.setting)
    shown = sight if any(weights.get(name) for name in RISKS) else replace(sight, next_hand=0)
    forbidden, worths, applied = dict.fromkeys(plays, 0), dict.fromkeys(plays, 0.0), []
    for key, (choice, _) in plays.items():
        found = naive_features.features(shown, key[0], choice) if weights else {}
        worths[key] = sum(weight * found[name] for name, weight in weights.items())
    for followed in policy.advice:
        sides = preferences(followed.advice, sight, plays, own or {})
        applied += [followed.advice.name] * bool(sides)
        for key, side in sides.items():
            forbidden[key] += (followed.form.name, side) in (("literal", -1), ("reversed", 1))
            worths[key] -= NEARLY_EQUAL * ((followed.form.name, side) == ("tie-break", -1))
    return {key: (forbidden[key], worths[key]) for key in plays}, applied
