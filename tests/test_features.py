"""Weighted features of a play: what the kernel plays is worth most when every feature is reckoned from its meaning."""

import random
from collections.abc import Sequence

import pytest

from basra_sim.cards import parse_cards
from basra_sim.deals import deck
from basra_sim.policies import FEATURES, Policy
from basra_sim.reference import Round, choice_key
from basra_sim.rules import RulesError, Setting
from basra_sim.variants import setting
from tests import naive_features
from tests.agreement import TABLES, random_changes, settings
from tests.scoring import logged, table_plan

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]


@pytest.mark.parametrize("seed", range(40))
def test_expected_best_of_the_twin_is_that_of_all_hands(seed):
    draw = random.Random(seed)
    gains = [draw.choice((0, 0, 1, 2, 10, 20)) for _ in range(draw.randrange(1, 12))]
    for hand in range(1, min(len(gains), 6) + 1):
        by_hands = naive_features.expected_best_by_hands(gains, hand)
        assert naive_features.expected_best(gains, hand) == pytest.approx(by_hands, abs=1e-9)


def random_weights(draw: random.Random) -> dict[str, float]:
    """Weights over some or all features, of either sign; sometimes risks alone."""
    names = [feature.name for feature in FEATURES]
    only = draw.choice((None, None, ("basra_risk",), ("points_risk",), ("basra_risk", "points_risk"), ("cards_risk",)))
    sign = draw.choice((None, None, -1.0))
    weights = {name: draw.gauss(0, 1) for name in (only or names) if draw.random() < 0.85}
    return {name: sign * abs(value) if sign and "risk" in name else value for name, value in weights.items()}


def check_worths(table: Setting, weights: dict[str, float], index: int, pack: Sequence[int] | None = None) -> None:
    """At every play of a round, of a given pack or an index, what the kernel plays is worth most by the twin."""
    alone = table_plan(table, [Policy("weighted", "", weights)], [0] * table.players, 6)
    pack = pack or deck(6, index, table.rules.pack)
    reference = Round(table, pack)
    for card, taken, _ in logged(alone, index, pack):
        sight = naive_features.sight_of(reference)
        worths = {}
        for held in sorted(sight.hand):
            for choice in reference.legal(held):
                found = naive_features.features(sight, held, choice)
                key = held, choice_key(table.rules, choice.taken)
                worths[key] = sum(weight * found[name] for name, weight in weights.items())
        cards = [each for each in range(52) if taken >> each & 1]
        best = max(worths.values())
        made = worths[card, choice_key(table.rules, cards)]
        assert made == pytest.approx(best, abs=1e-9), (table, weights, index, reference.turn, worths)
        # The lower card of two that are worth the same, but for what rounding makes of it.
        assert card == min(held for (held, _), worth in worths.items() if worth >= made - 1e-9)
        reference.play(card, cards)


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_weighted_features_are_what_they_mean(table):
    draw = random.Random(f"{table.variant} {table.players} {table.pairs}")
    for index in range(4):
        check_worths(table, random_weights(draw), index)


def test_weighted_features_under_options_drawn_at_random():
    draw = random.Random(12)
    checked = 0
    while checked < 60:
        players, pairs = draw.choice(TABLES)
        try:
            table = setting("bastra", players, pairs, {**random_changes(draw, players), "bury_to": "bottom"})
        except RulesError:
            continue
        check_worths(table, random_weights(draw), checked)
        checked += 1


@pytest.mark.parametrize("feature", FEATURES, ids=[feature.name for feature in FEATURES])
def test_each_feature_alone(feature):
    assert feature.unit
    assert feature.meaning[0].islower()
    for name, players in (("ethiopian", 2), ("jordanian-b", 3), ("lebanese-a", 2)):
        for weight in (1.0, -1.0):
            check_worths(setting(name, players), {feature.name: weight}, players)


@pytest.mark.parametrize("index", [32, 47, 52])
def test_points_within_reach_where_only_the_largest_sets_are_taken(index):
    """A card that only a smaller set takes is not within reach."""
    table = setting("bastra", 4, False, {"captures": "most_cards", "hand_size": 12, "ace_points": 3})
    check_worths(table, {"points_risk": 1.0}, index)


@pytest.mark.parametrize(
    ("floor", "hand"),
    [
        # With the three laid, an eight takes it, a four and one of the two aces: either ace is within its reach.
        ("AC AD 4H 4D", "3S 7S"),
        ("AC AD 5H 5D", "4S 9S"),
    ],
)
def test_points_within_reach_are_those_of_any_suit(floor, hand):
    options = {"captures": "most_cards", "buried": "", "hand_size": 2, "deal": "packet", "ace_points": 3}
    table = setting("bastra", 2, False, {**options, "two_points": 0, "ten_points": 0, "jack_points": 0})
    lying, held = parse_cards(floor), parse_cards(hand)
    rest = [card for card in range(52) if card not in (*lying, *held)]
    check_worths(table, {"points_risk": 1.0}, 0, [*held, *rest[:2], *lying, *rest[2:]])
