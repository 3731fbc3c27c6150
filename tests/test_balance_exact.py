"""What rounds come to whoever plays: counts and chances in closed form, against packs, rounds and expectations."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt

import pytest

from basra_sim.cards import JACK, card_set, rank_of
from basra_sim.deals import deck
from basra_sim.luck import Luck
from basra_sim.policies import get_policy
from basra_sim.policies.points import card_worth
from basra_sim.reference.dealing import open_round
from basra_sim.reference.rounds import card_points
from basra_sim.rules import FLOOR_CARDS, Setting
from basra_sim.variants import setting, variant_names
from tests.naive_balance import Scores, points, round_measures
from tests.naive_rounds import dealt_hands, equal_deal
from tests.playing import TABLES

PACKS, ROUNDS, SEED, ERRORS = 5000, 80, 21, 4.5
"""Packs that are looked at and rounds that are played, their seed, and how many standard errors a count may be off."""

Chances = Mapping[int, Fraction]


def hypergeometric(pack: int, kind: int, drawn: int) -> Chances:
    """Chance of each number of cards of a kind among cards drawn from a pack."""
    return {
        found: Fraction(comb(kind, found) * comb(pack - kind, drawn - found), comb(pack, drawn))
        for found in range(max(0, drawn - (pack - kind)), min(kind, drawn) + 1)
    }


def turned_up(pack: int, kind: int, wanted: int = FLOOR_CARDS) -> Chances:
    """Chance of each number of cards of a kind that come up before so many others have (negative hypergeometric)."""
    return {
        found: Fraction(comb(found + wanted - 1, found) * comb(pack - wanted - found, kind - found), comb(pack, kind))
        for found in range(kind + 1)
    }


def expectation(chances: Chances) -> Fraction:
    return sum((number * chance for number, chance in chances.items()), Fraction(0))


def check(seen: Iterable[int], chances: Chances) -> None:
    """Each number comes as often as it should, within some standard errors; no other comes."""
    counts = Counter(seen)
    assert sum(chances.values()) == 1
    assert set(counts) <= {number for number, chance in chances.items() if chance}
    for number, exact in chances.items():
        chance = float(exact)
        error = sqrt(counts.total() * chance * (1 - chance))
        assert abs(counts[number] - counts.total() * chance) <= ERRORS * error + 1e-9, (number, chance)


@cache
def packs(size: int) -> list[list[int]]:
    return [deck(SEED, index, size) for index in range(PACKS)]


def jacks(cards: Iterable[int]) -> int:
    return sum(rank_of(card) == JACK for card in cards)


@pytest.mark.parametrize("name", variant_names())
def test_cards_of_every_variant_score_13(name):
    rules = setting(name).rules
    stated = 4 * rules.ace_points + 4 * rules.jack_points + rules.two_points + rules.ten_points
    assert stated == 13
    assert sum(card_points(rules, range(rules.pack))) == 13
    assert sum(card_worth(rules, card) for card in range(rules.pack)) == 13


@cache
def played(name: str, players: int, pairs: bool) -> list[Scores]:
    table = setting(name, players, pairs)
    return [equal_deal(table, get_policy("greedy"), SEED, index)[0]["scores"] for index in range(ROUNDS)]


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_points_of_a_round_are_13_with_majority_and_basras(name, players, pairs):
    table = setting(name, players, pairs)
    rules, rounds = table.rules, played(name, players, pairs)
    found = round_measures(rounds, rules, table.team_count)
    cards = {source: found["points", source] for source in ("aces", "jacks", "two", "ten")}
    assert cards == {"aces": 4, "jacks": 4, "two": 2, "ten": 3}
    assert found["points", "total"] == 13 + found["points", "majority"] + found["points", "basras"]
    ties = found["majority_ties", ""]
    if rules.majority_tie != "each":
        assert found["points", "majority"] == rules.majority_points * (1 - ties)
    elif table.team_count == 2:
        assert found["points", "majority"] == rules.majority_points * (1 + ties)
    for scores in rounds:
        assert sum(map(points, scores)) == sum(score["total"] for score in scores)
    if table.team_count == 2:
        assert found["first_seat_advantage", ""] == -found["last_seat_advantage", ""]
        assert found["first_round_wins", ""] == -found["last_round_wins", ""]


@cache
def ties(pack: int, teams: int) -> set[tuple[int, int]]:
    """Ways to tie for most cards when all are captured: how many teams, with how many cards each."""
    found = set()
    for some in product(range(pack + 1), repeat=teams - 1):
        cards = [*some, pack - sum(some)]
        if cards[-1] >= 0 and cards.count(max(cards)) > 1:
            found.add((cards.count(max(cards)), max(cards)))
    return found


def test_ties_by_hand():
    assert ties(52, 2) == {(2, 26)}
    assert ties(44, 2) == {(2, 22)}
    assert ties(52, 3) == {(2, each) for each in range(18, 27)}, "three cannot share 52 cards equally"
    wanted = {(4, 13), *((3, each) for each in range(14, 18)), *((2, each) for each in range(14, 27))}
    assert ties(52, 4) == wanted
    assert ties(44, 4) == {(4, 11), *((3, each) for each in range(12, 15)), *((2, each) for each in range(12, 23))}


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_all_cards_are_captured_and_ties_pay_as_the_rules_say(name, players, pairs):
    table = setting(name, players, pairs)
    pack, rules = table.rules.pack, table.rules
    seen = set()
    for scores in played(name, players, pairs):
        cards = [score["cards"] for score in scores]
        assert sum(cards) == pack
        tied = cards.count(max(cards))
        seen.add(tied)
        assert tied == 1 or (tied, max(cards)) in ties(pack, table.team_count)
        paid = sum(score["majority"] for score in scores)
        assert paid == rules.majority_points * (tied if rules.majority_tie == "each" else tied == 1)
    assert {1, 2} <= seen


@pytest.mark.parametrize(("name", "players"), [("bastra", 2), ("bastra", 4), ("lebanese-a", 2), ("palestinian", 4)])
@pytest.mark.parametrize("deal", ["single", "packet"])
def test_jacks_in_the_first_hand(name, players, deal):
    """First hands leave the pack before the floor is laid, so what is buried has no part in them."""
    table = setting(name, players, False, {"deal": deal})
    pack, size = table.rules.pack, table.hand_sizes[0]
    openings = [open_round(table, cards) for cards in packs(pack)]
    for seat in (0, players - 1):
        check((jacks(opening.hands[seat]) for opening in openings), hypergeometric(pack, 4, size))


def test_a_chance_that_is_a_little_off_is_found_out():
    hands = [cards[:4] for cards in packs(52)]
    check(map(jacks, hands), hypergeometric(52, 4, 4))
    with pytest.raises(AssertionError):
        check(map(jacks, hands), hypergeometric(44, 4, 4))


@pytest.mark.parametrize(("name", "players"), [("bastra", 2), ("bastra", 3), ("lebanese-a", 4), ("palestinian", 4)])
def test_jacks_of_a_round_where_nothing_is_buried(name, players):
    """Each seat is dealt so many cards of the pack, the floor the other four: every one is as likely any card."""
    table = setting(name, players, False, {"buried": ""})
    pack = table.rules.pack
    dealt = (pack - FLOOR_CARDS) // players
    assert dealt * players == table.plays == players * sum(table.hand_sizes)
    rounds = [dealt_hands(table, cards)[0] for cards in packs(pack)]
    for seat in (0, players - 1):
        hands = [[card for deal in deals for card in deal[seat]] for deals in rounds]
        assert {len(hand) for hand in hands} == {dealt}
        check(map(jacks, hands), hypergeometric(pack, 4, dealt))
        check((int(0 in hand) for hand in hands), {1: Fraction(dealt, pack), 0: 1 - Fraction(dealt, pack)})


def buried_kinds(table: Setting) -> tuple[int, int]:
    return table.rules.pack, len(table.rules.buried_cards)


@pytest.mark.parametrize("name", variant_names())
def test_cards_buried_when_the_floor_is_laid(name):
    """Cards come up until four may stay: those in between go to the bottom, too deep to come up again."""
    table = setting(name)
    pack, kind = buried_kinds(table)
    assert (pack, kind) in {(52, 4), (52, 5), (44, 4)}
    chances = turned_up(pack, kind)
    assert chances[0] == Fraction(comb(pack - kind, FLOOR_CARDS), comb(pack, FLOOR_CARDS))
    assert expectation(chances) == Fraction(FLOOR_CARDS * kind, pack - kind + 1)
    check((len(open_round(table, cards).buried) for cards in packs(pack)), chances)


@pytest.mark.parametrize(
    ("pack", "kind", "floors", "number"),
    [(52, 4, 76_145, Fraction(16, 49)), (52, 5, 92_360, Fraction(5, 12)), (44, 4, 44_361, Fraction(16, 41))],
)
def test_chance_that_anything_is_buried(pack, kind, floors, number):
    """So many of all sets of four cards hold one of the kind: 28.1, 34.1 and 32.7 %."""
    chances = turned_up(pack, kind)
    assert 1 - chances[0] == Fraction(floors, comb(pack, FLOOR_CARDS))
    assert expectation(chances) == number


def dealt_of_kind(table: Setting) -> list[Fraction]:
    """Expected cards of the buried kind that each seat is dealt, over what first hands hold and what comes up."""
    pack, kind = buried_kinds(table)
    players, sizes = table.players, table.hand_sizes
    found = [Fraction(kind * sizes[0], pack)] * players
    first = players * sizes[0]
    takers: list[int] = []
    for size in sizes[1:]:
        packet = [seat for seat in range(players) for _ in range(size)]
        takers += packet if table.rules.deal == "packet" else [*range(players)] * size
    for held, in_hands in hypergeometric(pack, kind, first).items():
        rest = pack - first
        for buried, chance in turned_up(rest, kind - held).items():
            above = len(takers) - buried
            for place, seat in enumerate(takers):
                here = Fraction(kind - held - buried, above) if place < above else Fraction(1)
                found[seat] += in_hands * chance * here
    return found


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_cards_of_the_buried_kind_are_all_dealt(name, players, pairs):
    """The floor has none of them, so the seats have all; the later in a deal the more. The others share the rest."""
    table = setting(name, players, pairs)
    pack, kind = buried_kinds(table)
    chances = dealt_of_kind(table)
    assert sum(chances) == kind
    if table.rules.deal == "single":
        assert chances == sorted(chances)
        assert chances[0] < chances[-1]
    expected = Luck(table).expected
    assert expected is not None
    rules, teams = table.rules, table.team_count
    sweepers = 4 + rules.seven_sweeps
    jacks_buried = kind - rules.seven_sweeps == 4
    assert jacks_buried
    for team in range(teams):
        seats = [seat for seat in range(players) if table.teams[seat] == team]
        own = sum(chances[seat] for seat in seats)
        assert expected[team] == pytest.approx(float(own * Fraction(sweepers, kind)))
        others = Fraction(len(seats) * (pack - FLOOR_CARDS), players) - own
        worth = own * Fraction(4 * rules.jack_points, kind) + others * Fraction(9, pack - kind)
        assert expected[teams + team] == pytest.approx(float(worth))


@pytest.mark.parametrize(
    ("name", "players", "pairs"), [("bastra", 2, False), ("egyptian", 3, False), ("palestinian", 4, True)]
)
def test_cards_of_the_buried_kind_in_hands_dealt(name, players, pairs):
    table = setting(name, players, pairs)
    kinds = card_set(table.rules.buried_cards)
    counts: list[list[int]] = [[] for _ in range(players)]
    for pack in packs(table.rules.pack):
        deals, _ = dealt_hands(table, pack)
        for seat in range(players):
            counts[seat].append(sum(kinds >> card & 1 for deal in deals for card in deal[seat]))
    for seat, chance in enumerate(dealt_of_kind(table)):
        mean = sum(counts[seat]) / PACKS
        error = sqrt(sum((count - mean) ** 2 for count in counts[seat])) / PACKS
        assert abs(mean - float(chance)) < ERRORS * error, seat
