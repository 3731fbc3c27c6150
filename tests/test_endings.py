"""Open hands solved: against everything tried on the readable engine, by hand, and roll-outs against rounds played."""

import copy
import itertools
import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from basra_sim._numba import compiled
from basra_sim.captures import tables
from basra_sim.cards import card_name, card_names, parse_cards
from basra_sim.deals import deck, stream
from basra_sim.errors import BasraError, InputError
from basra_sim.plans import Plan
from basra_sim.policies import get_policy
from basra_sim.policies.features import LATE_CARDS, LAY, PARAMETERS, PHASES, TAKE
from basra_sim.prospects import finish
from basra_sim.reference import Round
from basra_sim.rules import RulesError, Setting
from basra_sim.search.desk import NO_SEARCH_DESK
from basra_sim.search.open_hands import OpenRound, open_plays
from basra_sim.search.roll_outs import Beyond, roll_out, roll_out_address
from basra_sim.search.tree import Tree, make_tree
from basra_sim.turns import COLUMNS, OK, end_of_deal, make_scratch, open_table, score_round
from basra_sim.variants import setting, variant_names
from tests.agreement import TABLES, random_changes, settings
from tests.open_endings import Play, Position, Solver, margin, margins, opened, random_ending, start

IDS = [f"{table.variant}-{table.players}{'p' if table.pairs else ''}" for table in settings()]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return make_tree()


def found(at: Round, tree: Tree, **options: Any) -> dict[tuple[int, tuple[int, ...]], float]:
    return {(play.card, play.taken): play.margin for play in open_plays(at.setting, opened(at), tree=tree, **options)}


def check(table: Setting, draw: random.Random, most: int, tree: Tree, number: int) -> int:
    """Check every legal play of some endings; return how many there were."""
    checked = 0
    for _ in range(number):
        at = random_ending(draw, start(table, draw), draw.randint(1, most))
        expected = margins(at)
        assert found(at, tree) == pytest.approx(expected, abs=1e-9), (table.label, table.changes, at.hands, at.floor)
        checked += len(expected)
    return checked


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_endings_are_worth_what_trying_everything_says(table, tree):
    draw = random.Random(f"{table.variant} {table.players} {table.pairs}")
    most = min(8 if table.players == 2 else 9, table.players * table.hand_sizes[-1])
    assert check(table, draw, most, tree, 25) > 25


def changed(draw: random.Random) -> Setting:
    """A table with options drawn at random, small hands too: then endings go over several deals."""
    while True:
        players, pairs = draw.choice(TABLES)
        try:
            return setting("bastra", players, pairs, {**random_changes(draw, players), "bury_to": "bottom"})
        except RulesError:
            continue


def test_endings_under_options_drawn_at_random(tree):
    draw = random.Random(8)
    over_deals = 0
    for _ in range(150):
        table = changed(draw)
        over_deals += table.players * table.hand_sizes[-1] < 8
        check(table, draw, 8, tree, 1)
    assert over_deals > 40


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_names())
def test_two_thousand_endings_of_each_variant(name, tree):
    draw = random.Random(name)
    tables_of = [table for table in settings() if table.variant == name]
    for table in tables_of:
        two = table.players == 2
        assert check(table, draw, 8 if two else 9, tree, 2000 if two else 300) > 300
    for table in tables_of[:1]:
        check(table, draw, 14, tree, 20)


def test_a_smaller_table_of_positions_changes_nothing():
    draw = random.Random(3)
    small, large = make_tree(2), make_tree(1 << 16)
    for players, pairs in TABLES:
        at = random_ending(draw, start(setting("egyptian", players, pairs), draw), 10 if players < 4 else 12)
        assert found(at, small) == found(at, large)


def by_playing(at: Round, team: int) -> list[float]:
    """Margins of a team after each legal play, for two teams, by rounds played to their end in every way."""
    values = []
    for card in sorted(at.hands[at.seat]):
        for choice in at.legal(card):
            after = copy.deepcopy(at)
            after.play(card, choice.taken)
            if after.over:
                values.append(margin([score.total for score in after.scores()], team))
            else:
                best = max if after.teams[after.seat] == team else min
                values.append(best(by_playing(after, team)))
    return values


def test_rounds_played_to_their_end_in_every_way_say_the_same():
    """The solver by trying reckons points itself; here the readable engine does."""
    draw = random.Random(4)
    for name, pairs in (("egyptian", False), ("lebanese-a", False), ("syrian-a", True), ("ethiopian", True)):
        for left in (1, 2, 5):
            at = random_ending(draw, start(setting(name, 4 if pairs else 2, pairs), draw), left)
            assert sorted(by_playing(at, at.teams[at.seat])) == sorted(margins(at).values())


def lying(table: Setting, hands: str, floor: str) -> OpenRound:
    """The end of a round of two: of the cards that are gone, the first has the clubs and diamonds."""
    held = [parse_cards(hand) for hand in hands.split("/")]
    out = {*held[0], *held[1], *parse_cards(floor)}
    gone = [
        [card for card in range(table.rules.pack) if card not in out and card % 4 in suits]
        for suits in ((0, 1), (2, 3))
    ]
    return OpenRound(held, parse_cards(floor), gone, (0, 0), 1)


def named(table: Setting, at: OpenRound) -> dict[str, float]:
    return {" ".join(card_names((play.card, *play.taken))): play.margin for play in open_plays(table, at)}


@pytest.mark.parametrize(
    ("variant", "changes", "hands", "floor", "expected"),
    [
        # Basra (10), then the king is laid, and 26 cards each: 3 for both. 2 aces, 2 jacks, 2C, 10D against 2 and 2.
        ("bastra", {}, "5C/KC", "5D", {"5C 5D": 15}),
        # After the basra the king is laid, not the nine; the nine takes the nine. If the nine is laid at once, the king
        # is laid on it: neither five nor nine then clears the floor.
        ("bastra", {}, "5C 9C/9D KC", "5D", {"5C 5D": 12, "9C": 2}),
        # The last card makes a basra (10) for the other, who has most cards (3): 9 against 4 before.
        ("bastra", {}, "9C/KC", "9D KD", {"9C 9D": -8}),
        ("bastra", {"last_card_basra": False}, "9C/KC", "9D KD", {"9C 9D": 2}),
        # Twice the face: 20 for the ten that takes a ten; what is left and most cards (3) go to the first too.
        ("palestinian", {}, "10C/8H", "10S", {"10C 10S": 28}),
    ],
)
def test_worked_by_hand(variant, changes, hands, floor, expected):
    table = setting(variant, 2, False, changes)
    assert named(table, lying(table, hands, floor)) == expected


@compiled
def _finish_rounds(codes, tables, beyond, scratch, seed, first, cuts, carry, rows):
    """Rounds rolled out from their first play, in two pieces, and scored."""
    for k in range(rows.shape[0]):
        for seat in range(codes.game.players):
            scratch.seat_team[seat] = seat % codes.game.teams
        start_word, gamma = stream(seed, first + k)
        standing, top = open_table(codes.game, (start_word, gamma, 0), scratch.deck[:0], scratch, rows[k])
        end = end_of_deal(codes.game, codes.game.deals - 1)
        status, standing = roll_out(codes, tables, beyond, scratch, rows[k], standing, 0, cuts[k], top)
        if status == OK:
            status, standing = roll_out(codes, tables, beyond, scratch, rows[k], standing, cuts[k], end, top)
        if status == OK:
            status = finish(scratch, standing)
        if status != OK:
            return status
        score_round(codes, scratch, carry, rows[k])
    return OK


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_rounds_rolled_out_are_rounds_played(table):
    policies = (get_policy("counter"), get_policy("greedy"))
    seats = tuple(seat % 2 for seat in range(table.players))
    plan, rounds = Plan(table, policies, (seats,), 21), 40
    (played,) = plan.play(5, rounds, carry=3)
    rows = np.zeros((rounds, 4, len(COLUMNS)), np.int32)
    weights = np.stack([plan.side.weights[policy] for policy in seats])
    cuts = np.arange(rounds) % (table.plays + 1)
    scratch = make_scratch(NO_SEARCH_DESK)
    beyond = Beyond(plan.chances, weights, roll_out_address(plan.codes, tables(), scratch))
    assert _finish_rounds(plan.codes, tables(), beyond, scratch, 21, 5, cuts, 3, rows) == OK
    assert (rows == played.rows).all()
    assert rows.any()


def by_taste(weights: np.ndarray, solver: Solver, at: Position) -> Play:
    """Play that rows of weights on cards laid and on cards that take choose: the lower card of equals."""
    left = len(at.hands[at.turn % solver.players])
    late = at.dealt == len(solver.later) and left <= LATE_CARDS
    row = weights[at.turn % solver.players, int(late)]

    def worth(play: Play) -> float:
        return float(row[(TAKE if play[1].taken else LAY) + play[0]])

    return max(solver.legal(at), key=worth)


def test_a_deal_is_played_perfectly_and_what_follows_by_weights(tree):
    """Without sums no card has a choice, so weights on cards decide alone."""
    draw = random.Random(6)
    checked = otherwise = 0
    for players, pairs in TABLES:
        for size in (1, 2, 4):
            table = setting("syrian-a", players, pairs, {"captures": "ranks", "hand_size": size})
            weights = np.zeros((players, PHASES, PARAMETERS))
            weights[..., : TAKE + 52] = np.random.default_rng(players + size).normal(size=(players, PHASES, TAKE + 52))
            beyond = partial(by_taste, weights)
            for in_deal, later in itertools.product((1, 2, 7), (1, 2)):
                if in_deal <= players * size:
                    at = random_ending(draw, start(table, draw), in_deal + later * players * size)
                    expected = margins(at, beyond)
                    assert found(at, tree, beyond=weights) == pytest.approx(expected, abs=1e-9)
                    checked += 1
                    otherwise += size < 3 and found(at, tree) != pytest.approx(expected, abs=1e-9)
    assert checked > 50
    assert otherwise > 3


def wrong(table: Setting) -> Iterator[tuple[OpenRound, str]]:
    at = opened(random_ending(random.Random(2), Round(table, range(52)), 12))
    first = at.hands[0][0]
    yield at._replace(hands=at.hands[:1]), "2 players in 2 teams"
    yield at._replace(floor=[*at.floor, first]), f"{card_name(first)} lies in two places"
    yield at._replace(hands=[at.hands[0][1:], at.hands[1]]), f"{card_name(first)} lies nowhere"
    yield at._replace(floor=[*at.floor, 60]), "card 60 is not in the pack"
    yield at._replace(hands=[[*at.hands[0], at.hands[1][0]], at.hands[1][1:]]), "seats play in turn"
    yield at._replace(stock=at.stock[1:], floor=[*at.floor, at.stock[0]]), "cards of stock"
    yield at._replace(lone_before=True, floor=[], captured=[[*at.floor, *at.captured[0]], at.captured[1]]), "a lone one"
    yield at._replace(last_capture=None), "a seat captured last"
    yield at._replace(last_capture=2), "there is no seat 2"


def test_situations_that_cannot_be_are_refused():
    table = setting("bastra", 2)
    seen = 0
    for at, message in wrong(table):
        with pytest.raises(InputError, match=message):
            open_plays(table, at)
        seen += 1
    assert seen == 9
    at = opened(random_ending(random.Random(2), Round(table, range(52)), 12))
    with pytest.raises(InputError, match="weights must be an array of"):
        open_plays(table, at, beyond=np.zeros((1, PHASES, PARAMETERS)))


def test_a_search_is_given_up_and_leaves_nothing_behind(tree):
    at = random_ending(random.Random(5), Round(setting("egyptian", 2), range(52)), 16)
    expected = found(at, make_tree())
    with pytest.raises(BasraError, match="not solved within 300 plays"):
        found(at, tree, most_plays=300)
    assert found(at, tree) == expected


def test_a_whole_round_of_two_is_solved():
    table = setting("bastra", 2)
    values = found(Round(table, deck(1, 0, 52)), make_tree(1 << 20))
    assert len(values) >= 4
    assert all(value == int(value) for value in values.values())


@pytest.mark.parametrize("size", [1, 2])
def test_play_by_play_the_best_margin_stays(size, tree):
    """With open hands and two teams nothing is gained or lost by best plays."""
    draw = random.Random(size)
    at = random_ending(draw, start(setting("yemeni", 2, changes={"hand_size": size}), draw), 14)
    seat, best = at.seat, max(found(at, tree).values())
    while not at.over:
        (card, taken), value = max(found(at, tree).items(), key=lambda each: each[1])
        assert value == (best if at.seat == seat else -best)
        at.play(card, taken)
    assert margin([score.total for score in at.scores()], seat) == best
