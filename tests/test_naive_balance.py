"""Measures of balance in plain Python against answers by hand; rounds and passed-on hands against the readable one."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from basra_sim.cards import card_names, parse_card, parse_cards
from basra_sim.deals import deck
from basra_sim.policies import get_policy
from basra_sim.reference import Round, choice_key, replay
from basra_sim.reference.dealing import open_round
from basra_sim.rules import Rules
from basra_sim.variants import setting
from tests import naive_balance
from tests.exact_match import Start, Terms, outcomes, solve
from tests.naive_balance import Score, Scores, assembled
from tests.naive_rounds import (
    best_plays,
    dealt_hands,
    equal_deal,
    equal_groups,
    mirrored_hands,
    mirrored_pack,
    skill_deal,
    skill_groups,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def score(*points: int, cards: int = 0, basra_count: int = 0) -> Score:
    """Score of a team: points for aces, jacks, the two, the ten and basras."""
    named = dict(zip(("aces", "jacks", "two", "ten", "basras"), points, strict=True))
    return {**named, "majority": 0, "cards": cards, "basra_count": basra_count}


def basras(*points: int, cards: Sequence[int] | None = None) -> Scores:
    """Round in which nothing but basras scores."""
    held = cards or [0] * len(points)
    return [score(0, 0, 0, 0, each, cards=number) for each, number in zip(points, held, strict=True)]


# Under the rules of bastra these end 19-7, 0-16, 19-10 and 9-9.
A = [score(3, 1, 2, 0, 10, cards=30, basra_count=1), score(1, 3, 0, 3, 0, cards=22)]
B = [score(0, 0, 0, 0, 0, cards=20), score(4, 4, 2, 3, 0, cards=32)]
C = [score(2, 2, 2, 0, 10, cards=26, basra_count=1), score(2, 2, 0, 3, 0, cards=26)]
D = [score(2, 2, 2, 0, 0, cards=30), score(2, 2, 0, 3, 2, cards=22, basra_count=1)]


def test_round_measures_by_hand():
    found = naive_balance.round_measures([A, B, C, D], Rules(), 2)
    points = {"aces": 4, "jacks": 4, "two": 2, "ten": 3, "majority": Fraction(15, 4), "basras": Fraction(11, 2)}
    shares = {"aces": 88, "jacks": 40, "two": 74, "ten": -15, "majority": 84, "basras": 210}
    assert found == {
        **{("points", name): value for name, value in points.items()},
        ("points", "total"): Fraction(89, 4),
        **{("variance_share", name): Fraction(value, 481) for name, value in shares.items()},
        ("basras", ""): Fraction(3, 4),
        ("first_seat_advantage", ""): Fraction(5, 4),
        ("last_seat_advantage", ""): Fraction(-5, 4),
        ("first_round_wins", ""): Fraction(1, 8),
        ("last_round_wins", ""): Fraction(-1, 8),
        ("round_ties", ""): Fraction(1, 4),
        ("majority_ties", ""): Fraction(1, 4),
        ("round_without_majority", ""): Fraction(1, 4),
        ("round_without_basras", ""): HALF,
        ("round_without_cards", ""): Fraction(1, 4),
    }
    assert sum(value for (name, _), value in found.items() if name == "variance_share") == 1


def test_round_measures_of_three_by_hand():
    """Ends of 10-4-1, margins 7.5, -1.5 and -6; and of a tie of the first two, at 5-5-2."""
    found = naive_balance.round_measures([basras(10, 4, 1), basras(5, 5, 2)], Rules(majority_points=0), 3)
    assert found["first_seat_advantage", ""] == (Fraction(15, 2) + Fraction(3, 2)) / 2
    assert found["last_seat_advantage", ""] == (-6 - 3) / Fraction(2)
    assert found["first_round_wins", ""] == Fraction(3, 4) - THIRD
    assert found["last_round_wins", ""] == -THIRD
    assert found["variance_share", "basras"] == 1
    assert found["round_without_basras", ""] == HALF


def test_majority_by_hand():
    tied, led = basras(0, 0, cards=[26, 26]), basras(0, 0, cards=[20, 32])
    for way, wanted in (("each", [3, 3]), ("none", [0, 0]), ("carry", [0, 0])):
        dealt_out, carried = naive_balance.with_majority(tied, Rules(majority_tie=way))
        assert [team["majority"] for team in dealt_out] == wanted
        assert carried == (3 if way == "carry" else 0)
    assert naive_balance.with_majority(led, Rules(majority_tie="carry"), 6)[0][1]["majority"] == 9
    three = basras(0, 0, 0, cards=[20, 20, 12])
    assert [team["majority"] for team in naive_balance.with_majority(three, Rules())[0]] == [3, 3, 0]


def test_match_measures_by_hand():
    """From A on 19-7 and 35-7; from B on 0-16 and 10-35; from C on 19-10, 26-29 and 26-45."""
    rules = Rules(target=30)
    matches = list(naive_balance.assembled_matches([[A, B, C]], rules, 2))
    assert [match.score for match in matches] == [[35, 7], [10, 35], [26, 45]]
    assert [match.fronts for match in matches] == [[0, 0], [1, 1], [0, 1, 1]]
    assert naive_balance.match_measures(matches, 2, 48) == {
        ("first_match_wins", ""): -HALF * THIRD,
        ("last_match_wins", ""): HALF * THIRD,
        ("match_ties", ""): 0,
        ("match_rounds", ""): Fraction(7, 3),
        ("match_plays", ""): 112,
        ("lead_changes", ""): THIRD,
        ("one_round_decides", ""): 0,
        ("match_length", "2"): 2 * THIRD,
        ("match_length", "3"): THIRD,
        ("match_without_majority", ""): 0,
        ("match_without_basras", ""): 0,
        ("match_without_cards", ""): 0,
    }


def test_first_move_passes_on_among_three():
    """10-5-0 by place: 10-5-0, 10-15-5, 15-15-15, 25-20-15 by player. Without the first round all stand level."""
    rules = Rules(target=20, majority_points=0)
    (match,) = naive_balance.assembled_matches([[basras(10, 5, 0)]], rules, 3)
    assert match.score == [25, 20, 15]
    assert match.fronts == [0, 1, None, 0]
    found = naive_balance.match_measures([match], 3, 48)
    assert found["lead_changes", ""] == 2
    assert found["one_round_decides", ""] == 1
    assert found["match_without_basras", ""] == 1
    assert found["match_without_cards", ""] == 0
    assert found["first_match_wins", ""] == 1 - THIRD


@pytest.mark.parametrize(
    ("way", "rounds", "winner", "levels"), [("more_rounds", 3, 1, 1), ("draw", 2, None, 1), ("extend", 5, 1, 2)]
)
def test_ties_at_the_target_by_hand(way, rounds, winner, levels):
    """10-10, 20-20; to 25 if extended: 20-23, 30-30; then to 35: 30-36."""
    changes: dict[str, Any] = {"extend_by": 5} if way == "extend" else {}
    rules = Rules(target=20, majority_points=0, match_tie=way, **changes)
    played = [basras(10, 10), basras(10, 10), basras(0, 3), basras(7, 10), basras(0, 6)]
    match = assembled(played.__getitem__, rules, 2)
    assert (len(match.rounds), match.winner, match.levels) == (rounds, winner, levels)
    measures = naive_balance.match_measures([match], 2, 48)
    assert measures["match_ties", ""] == 1
    assert measures["first_match_wins", ""] == (0 if way == "draw" else -HALF)
    assert (("one_round_decides", "") in measures) == (way != "draw")


def test_a_match_that_never_ends_is_found_out():
    with pytest.raises(AssertionError, match="no end"):
        assembled(lambda number: basras(0, 0), Rules(majority_points=0), 2)


def test_comebacks_by_hand():
    """The second to move has 30 in every round: from 80-70, 60-50 and so on the second team wins, never the first."""
    circles = [[basras(0, 30)], [basras(0, 30)]]
    found = naive_balance.comeback_measures(circles, Rules(majority_points=0), 2)
    assert len(found) == 12
    assert found["comeback", "10 behind, 20 to go"] == HALF
    assert found["comeback", "20 behind, 20 to go"] == 0
    assert found["comeback", "10 behind, 40 to go"] == HALF
    assert found["comeback", "10 behind, 60 to go"] == 0
    short = naive_balance.comeback_measures(circles, Rules(target=52), 2)
    assert [part for _, part in short] == [
        "10 behind, 20 to go",
        "10 behind, 40 to go",
        "20 behind, 20 to go",
        "30 behind, 20 to go",
    ]


def test_parts_of_the_variance_by_hand():
    """Who plays is worth 3, the seat 2, the deal 5 one way or the other, and 1 more hangs on deal and player."""
    margin = []
    for deal in (1, -1):
        by_place = []
        for better in range(2):
            plays, luck = (1 if better == 0 else -1), deal
            first = Fraction(3 * plays + 2 + 5 * luck + plays * luck)
            by_place.append([first, -first])
        margin.append(by_place)
    total = 9 + 4 + 25 + 1
    assert naive_balance.variance_parts(margin) == {
        ("skill", ""): Fraction(9, total),
        ("seat_share", ""): Fraction(4, total),
        ("deal_share", ""): Fraction(25 - 1, total),
        ("rest_share", ""): Fraction(2, total),
    }


def test_skill_measures_by_hand():
    """One deal is won by the better from each place, by 10 and by 6; the other by whoever moves first, by 4."""
    rules = Rules(target=20, majority_points=0)
    group = [[basras(10, 0), basras(0, 6)], [basras(4, 0), basras(4, 0)]]
    found = naive_balance.skill_measures([group], rules, 2)
    assert found["better_margin", ""] == Fraction(10 + 4 + 6 - 4, 4)
    assert found["better_round_wins", ""] == Fraction(3, 4)
    # At place 0: 10 and 4, mean 7; at place 1: 6 and -4, mean 1; variances 9 and 25.
    assert found["rounds_to_tell", ""] == pytest.approx(1.6449**2 * 17 / 16, rel=1e-4)
    matches = list(naive_balance.skill_matches([group], rules, 2))
    # Better in team 0 from the first deal: 10-0, 10-4, 20-4; in team 1: 0-6, 0-10, 0-16, 0-20; then from the other.
    assert [(better, match.score) for better, match in matches] == [
        (0, [20, 4]),
        (1, [0, 20]),
        (0, [20, 0]),
        (1, [8, 20]),
    ]
    assert found["better_match_wins", ""] == 1
    worse = naive_balance.skill_measures([[[basras(0, 1), basras(1, 0)]]], rules, 2)
    assert worse["rounds_to_tell", ""] == float("inf")


def test_the_better_of_three_keeps_to_his_place():
    """Whoever of three is better has 10 in every round, wherever he sits."""
    deal = [basras(10, 0, 0), basras(0, 10, 0), basras(0, 0, 10)]
    rules = Rules(target=30, majority_points=0)
    matches = list(naive_balance.skill_matches([[deal]], rules, 3))
    assert [match.score for _, match in matches] == [[30, 0, 0], [0, 30, 0], [0, 0, 30]]
    found = naive_balance.skill_measures([[deal]], rules, 3)
    assert (found["better_margin", ""], found["skill", ""], found["seat_share", ""]) == (10, 1, 0)


TABLES: list[tuple[str, int, bool, dict[str, Any]]] = [
    ("bastra", 2, False, {}),
    ("egyptian", 3, False, {}),
    ("egyptian", 4, True, {}),
    ("basra-nl", 4, False, {}),
    ("palestinian", 2, False, {}),
    ("lebanese-a", 4, True, {}),
    ("bastra", 2, False, {"buried": "", "hand_size": 24}),
    ("bastra", 4, False, {"buried": "J,Q,10"}),
]
IDS = [f"{name}-{players}{'p' if pairs else ''}{len(changes) or ''}" for name, players, pairs, changes in TABLES]


@pytest.mark.parametrize(("name", "players", "pairs", "changes"), TABLES, ids=IDS)
def test_hands_passed_on(name, players, pairs, changes):
    table = setting(name, players, pairs, changes)
    buried_any = set()
    for index in range(40):
        pack = deck(2, index, table.rules.pack)
        plain, buried = dealt_hands(table, pack)
        assert mirrored_pack(table, pack, 0) == pack
        buried_any.add(buried > 0)
        for version in range(players):
            passed = mirrored_pack(table, pack, version)
            hands, again = dealt_hands(table, passed)
            assert hands == mirrored_hands(table, pack, version)
            assert again == buried
            assert open_round(table, passed).floor == open_round(table, pack).floor
            for number, (one, other) in enumerate(zip(plain, hands, strict=True)):
                kept = buried > 0 and number == len(plain) - 1
                assert other == [one[(seat - version * (not kept)) % players] for seat in range(players)]
    assert buried_any == ({False} if changes.get("buried") == "" else {False, True})


@pytest.mark.parametrize(("name", "players", "pairs", "changes"), TABLES, ids=IDS)
def test_hands_are_those_that_are_played(name, players, pairs, changes):
    table = setting(name, players, pairs, changes)
    for version, record in enumerate(equal_deal(table, get_policy("greedy"), 3, 5, mirrored=True)):
        hands = mirrored_hands(table, deck(3, 5, table.rules.pack), version)
        played: dict[int, list[str]] = {seat: [] for seat in range(players)}
        for play in record["plays"]:
            played[play["seat"]].append(play["card"])
        for seat in range(players):
            cards, at = played[seat], 0
            for deal in hands:
                size = len(deal[seat])
                assert set(cards[at : at + size]) == set(card_names(deal[seat]))
                at += size


@pytest.mark.parametrize(("name", "players", "pairs"), [("egyptian", 2, False), ("lebanese-a", 4, True)])
@pytest.mark.parametrize("player", ["greedy", "counter"])
def test_records_are_right_and_their_plays_those_of_the_players(name, players, pairs, player):
    table = setting(name, players, pairs)
    better, weaker = get_policy(player), get_policy("greedy")
    for index in range(3):
        for place, record in enumerate(skill_deal(table, better, weaker, 4, index)):
            assert replay(record).scores
            game = Round(table, parse_cards(record["deck"]))
            for play in record["plays"]:
                who = better if table.teams[game.seat] == place else weaker
                made = parse_card(play["card"]), choice_key(table.rules, parse_cards(play["taken"]))
                assert made in [(card, choice_key(table.rules, each.taken)) for card, each in best_plays(game, who)]
                game.play(made[0], parse_cards(play["taken"]))


def test_groups_of_deals():
    table, greedy = setting("bastra"), get_policy("greedy")
    groups = equal_groups(table, greedy, 1, [0, 0, 1, 0, 1], mirrored=True)
    assert [len(group) for group in groups] == [3, 2]
    assert groups[1][0] == [record["scores"] for record in equal_deal(table, greedy, 1, 2, mirrored=True)]
    circles = naive_balance.circles_of(groups)
    assert [len(circle) for circle in circles] == [3, 3, 2, 2]
    assert circles[3][1] == groups[1][1][1]
    same = skill_groups(table, greedy, greedy, 1, [0, 0, 1, 0, 1])
    assert all(deal[0] == deal[1] for group in same for deal in group)
    found = naive_balance.skill_measures(same, table.rules, 2)
    assert found["skill", ""] == 0
    assert found["better_margin", ""] == 0
    assert found["better_round_wins", ""] == HALF


def test_replicates_leave_out_one_group_each():
    groups = [[[A]], [[B]], [[C], [D]]]

    def measures(chosen: Sequence[Sequence[naive_balance.Deal]]) -> naive_balance.Found:
        return naive_balance.equal_measures(chosen, Rules(), 2, 48)

    found = naive_balance.without_each(groups, measures, ("first_seat_advantage", ""))
    assert found == pytest.approx([5 / 4, -7 / 3, 7, -2])


def test_matches_of_a_circle_come_close_to_the_exact_ones():
    """Rounds really played, in one circle, against the exact match of their distribution."""
    table = setting("bastra")
    circles = naive_balance.circles_of(equal_groups(table, get_policy("greedy"), 6, [0] * 400, mirrored=True))
    matches = list(naive_balance.assembled_matches(circles, table.rules, 2))
    measures = naive_balance.match_measures(matches, 2, table.plays)
    exact = solve(outcomes([scores for circle in circles for scores in circle]), Terms.of(table.rules), Start())
    assert float(measures["match_rounds", ""]) == pytest.approx(exact.rounds, rel=0.02)
    assert float(measures["first_match_wins", ""]) == pytest.approx(exact.shared(0) - 0.5, abs=0.04)
    assert float(measures["lead_changes", ""]) == pytest.approx(exact.lead_changes, abs=0.08)
    assert float(measures["match_ties", ""]) == pytest.approx(exact.levels, abs=0.02)
