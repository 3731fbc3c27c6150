"""
The features of a play, a second time: from their meanings, with the readable engine's choices and plain counting.

Nothing is shared with the compiled features: no tables, no masks, no weights folded into cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from basra_sim.cards import JACK, SEVEN_OF_DIAMONDS, rank_of, value_of
from basra_sim.reference import Choice, Round, legal_choices
from basra_sim.reference.rounds import card_points
from basra_sim.rules import Rules


@dataclass(frozen=True)
class Sight:
    """What a player on turn sees."""

    rules: Rules
    hand: tuple[int, ...]
    floor: tuple[int, ...]
    unseen: tuple[int, ...]
    next_hand: int
    """Cards the next player will hold at his turn; 0 if there is no next turn."""
    next_is_last: bool
    """Whether the next play is the last of the round."""
    late: bool
    """Whether he has at most two cards left of the last hand."""


def sight_of(reference: Round) -> Sight:
    """What the player on turn sees, out of a round that the test sees whole."""
    seat, players = reference.seat, reference.setting.players
    following = reference.hands[(seat + 1) % players]
    if reference.last_card:
        next_hand = 0
    elif seat == players - 1 and len(reference.hands[seat]) == 1:
        sizes = reference.setting.hand_sizes
        dealt = [players * sum(sizes[: deal + 1]) for deal in range(len(sizes))]
        next_hand = sizes[dealt.index(reference.turn + 1) + 1]
    else:
        next_hand = len(following)
    hidden = [card for place, hand in enumerate(reference.hands) if place != seat for card in hand]
    return Sight(
        rules=reference.rules,
        hand=tuple(reference.hands[seat]),
        floor=tuple(reference.floor),
        unseen=tuple(sorted([*hidden, *reference.stock])),
        next_hand=next_hand,
        next_is_last=reference.turn == reference.plays - 2,
        late=not reference.stock and len(reference.hands[seat]) <= 2,
    )


def points_of(rules: Rules, cards: Sequence[int]) -> int:
    return sum(card_points(rules, cards))


def replies(sight: Sight, left: Sequence[int], lone_before: bool) -> Iterator[tuple[int, int, int]]:
    """For each unseen card: the best basra it makes on what is left, card points and cards in its reach there."""
    rules, known = sight.rules, dict[int, tuple[int, int, int]]()
    for card in sight.unseen:
        kind = card if card == SEVEN_OF_DIAMONDS else 100 + rank_of(card)
        if kind not in known:
            found = legal_choices(rules, left, card, lone_before=lone_before, last_card=sight.next_is_last)
            ranks = {rank_of(taken) for choice in found for taken in choice.taken}
            reach = [lying for lying in left if rank_of(lying) in ranks]
            known[kind] = max(choice.basra for choice in found), points_of(rules, reach), len(reach)
        yield known[kind]


def expected_best(gains: Sequence[int], hand: int) -> float:
    """Expected largest gain in a hand of so many drawn from cards with these gains."""
    hands, best, worse = comb(len(gains), hand), 0.0, len(gains)
    for gain in sorted(set(gains), reverse=True):
        # So many hands hold no card of a higher gain; so many of them none of this one either.
        without = worse - gains.count(gain)
        best += gain * (comb(worse, hand) - comb(without, hand)) / hands
        worse = without
    return best


def expected_best_by_hands(gains: Sequence[int], hand: int) -> float:
    """The same, by going through all hands."""
    hands = list(combinations(gains, hand))
    return sum(map(max, hands)) / len(hands)


def features(sight: Sight, card: int, choice: Choice) -> dict[str, float]:
    """Every feature of a play."""
    rules, taken = sight.rules, choice.taken
    takes, lays = float(bool(taken)), float(not taken)
    is_jack, is_seven = rank_of(card) == JACK, rules.seven_sweeps and card == SEVEN_OF_DIAMONDS
    left = [lying for lying in sight.floor if lying not in taken] + ([] if taken else [card])
    lone_before = not taken and len(sight.floor) == 1
    basra_risk = points_risk = cards_risk = 0.0
    if left and sight.next_hand:
        gains = list(replies(sight, left, lone_before))
        basra_risk, points_risk, cards = (expected_best(each, sight.next_hand) for each in zip(*gains, strict=True))
        cards_risk = rules.majority_points * cards / rules.pack
    return {
        "points_taken": takes * points_of(rules, [card, *taken]),
        "basra": choice.basra,
        "majority_taken": takes * rules.majority_points * (1 + len(taken)) / rules.pack,
        "jack_takes": takes * is_jack,
        "seven_takes": takes * is_seven,
        "jack_takes_late": takes * is_jack * sight.late,
        "seven_takes_late": takes * is_seven * sight.late,
        "points_laid": lays * points_of(rules, [card]),
        "jack_laid": lays * is_jack,
        "seven_laid": lays * is_seven,
        "face_laid": lays * (rank_of(card) > JACK),
        "rank_laid": lays * value_of(card),
        "basra_risk": basra_risk,
        "points_risk": points_risk,
        "cards_risk": cards_risk,
    }
