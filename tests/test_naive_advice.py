"""What players who follow advice play is best by the twin: each piece and form, several together, a person's own."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from basra_sim._numba import bit_count
from basra_sim.cards import JACK, rank_of
from basra_sim.deals import deck
from basra_sim.policies import ADVICE, FORMS, Advice, Policy, advice, get_policy
from basra_sim.policies.quantities import PLAY, SITUATION
from basra_sim.reference import Choice, choice_key
from basra_sim.rules import Setting
from basra_sim.variants import setting
from tests.agreement import settings
from tests.naive_advice import Opinion, Table, ranked
from tests.naive_features import Sight
from tests.scoring import logged, table_plan

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]
NAMES = [name for name in ADVICE if name != "placebo"]
"""The placebo hangs on coins, which no twin can throw again: it is tested with decisions."""
DEGREES = ("all", "none", "1", "3", "8", "20", "points", "ranks")


def check_round(
    table: Setting, policies: Sequence[Policy], index: int, own: dict[str, Opinion] | None = None
) -> Counter[str]:
    """Check every play of a round in which each seat has its own policy; return how often advice applied."""
    pack, applied = deck(31, index, table.rules.pack), Counter[str]()
    twin = Table(table, pack)
    for card, taken, _ in logged(table_plan(table, policies, range(table.players), 31), index, pack):
        policy = policies[twin.round.seat]
        plays, names = ranked(twin, policy, own)
        applied.update(names)
        least = min(forbidden for forbidden, _ in plays.values())
        best = max(worth for forbidden, worth in plays.values() if forbidden == least)
        made = plays[card, choice_key(table.rules, [each for each in range(52) if taken >> each & 1])]
        where = table.label, table.players, policy.name, index, twin.round.turn
        assert (made[0], made[1] == pytest.approx(best, abs=1e-9)) == (least, True), (where, card, taken, plays)
        twin.play(card, taken)
    return applied


def player(draw: random.Random, pieces: Sequence[str | Advice], base: str | None = None) -> Policy:
    """A player of some advice, each piece in some form, with some memory."""
    found = get_policy(base or draw.choice(("greedy", "greedy", "random", "counter", "adept")))
    if draw.random() < 0.4:
        found = found.remembering(draw.choice(DEGREES))
    for piece in pieces:
        found = found.following(piece, draw.choice(FORMS))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_each_piece_in_each_form(name):
    draw = random.Random(name)
    tables = [each for each in settings() if each.label in ("bastra", "egyptian", "jordanian-b", "lebanese-a")]
    applied = 0
    for number in range(6):
        base = ("greedy", "random", "counter")[number % 3]
        table = draw.choice([each for each in tables if each.players == (2, 4)[number % 2]])
        forms = [*draw.sample(FORMS, 3), draw.choice(FORMS)]
        policies = [get_policy(base).following(name, form) for form in forms[: table.players]]
        applied += check_round(table, policies, number)[name]
    assert applied or name == "memory-ten-pair", "so rare that situations made by hand must do"


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_several_pieces_with_any_memory(table):
    draw = random.Random(f"several {table.variant} {table.players} {table.pairs}")
    policies = [player(draw, draw.sample(NAMES, draw.randrange(1, 4))) for _ in range(table.players)]
    check_round(table, policies, draw.randrange(1000))


SPANS = {
    "floor_size": (0, 7), "floor_points": (0, 4), "cards_left": (1, 4), "deal": (1, 5), "deals_left": (0, 5),
    "jacks_held": (0, 2), "captures": (0, 4), "own_cards": (0, 20), "other_cards": (0, 20), "lead": (-9, 9),
    "tens_unseen": (0, 4), "captures_cards": (0, 3), "points": (0, 5), "rank": (1, 13), "card_points": (0, 2),
    "unseen_of_rank": (0, 3), "order": (-1, 1), "twin": (-1, 1), "richer": (-1, 1),
}  # fmt: skip
"""Of each quantity, between which numbers it is cut in two; of all others, between 0 and 1."""


def drawn_advice(draw: random.Random) -> Advice:
    """Advice without any sense, over quantities of all kinds; named by them."""

    def halves(names: Sequence[str]) -> tuple[str, list[dict[str, tuple[int, int]]]]:
        name = draw.choice(names)
        low, high = SPANS.get(name, (0, 1))
        at = draw.randint(low, high - 1)
        parts = [(-99, at), (at + 1, 99)] if draw.random() < 0.7 else [(at, at), (at + 1, at - 1)]
        return name, [{name: part} for part in draw.sample(parts, 2)]

    play = [quantity.name for quantity in PLAY if quantity.name != "coin"]
    name, (follow, against) = halves(play)
    where, (when, _) = halves([quantity.name for quantity in SITUATION])
    other, (besides, _) = halves(play)
    if draw.random() < 0.3:
        follow = {**besides, **follow}
    return Advice(f"{where} {name} {other}", "", when, follow, against)


def check_drawn(seed: str, rounds: int) -> Counter[str]:
    """How often advice over each quantity applied."""
    draw, applied = random.Random(seed), Counter[str]()
    for number in range(rounds):
        table = draw.choice(settings())
        policies = [
            player(draw, [drawn_advice(draw) for _ in range(2)], draw.choice(("greedy", "random")))
            for _ in range(table.players)
        ]
        for name, times in check_round(table, policies, number).items():
            applied.update(dict.fromkeys(name.split()[:2], times))
    return applied


def test_advice_over_quantities_drawn_at_random():
    found = check_drawn("drawn", 120)
    assert {quantity.name for quantity in (*SITUATION, *PLAY)} - set(found) == {"coin"}
    assert found.total() > 1000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_much_more_of_the_same(seed):
    assert check_drawn(f"much {seed}", 300).total() > 2500
    draw = random.Random(seed)
    for number in range(100):
        table = draw.choice(settings())
        check_round(table, [player(draw, draw.sample(NAMES, 3)) for _ in range(table.players)], number)


def test_a_persons_own_piece():
    ones: Any = bit_count

    @advice(text="Of captures take the larger ones, and keep hearts that nobody has seen a fellow of.")
    def large_and_hearts(view, play):
        if play.taken:
            return 1 if ones(play.taken) > 1 else -1
        fellows = view.unseen >> 4 * (play.card // 4) & 15
        return -2.5 if play.card % 4 == 2 and fellows == 0 else 0

    def opinion(sight: Sight, card: int, choice: Choice) -> int:
        if choice.taken:
            return 1 if len(choice.taken) > 1 else -1
        fellows = [other for other in sight.unseen if rank_of(other) == rank_of(card)]
        return -1 if card % 4 == 2 and not fellows else 0

    assert isinstance(large_and_hearts, Advice)
    assert large_and_hearts.name == "large-and-hearts"
    draw, applied = random.Random(3), Counter[str]()
    for number in range(24):
        table = draw.choice(settings())
        pieces: list[str | Advice] = [large_and_hearts, *draw.sample(NAMES, draw.randrange(2))]
        policies = [player(draw, draw.sample(pieces, len(pieces))) for _ in range(table.players)]
        applied += check_round(table, policies, number, {large_and_hearts.name: opinion})
    assert applied[large_and_hearts.name] > 40


@pytest.mark.parametrize("base", ["greedy", "counter", "greedy-memory:3"])
def test_advice_that_never_applies_changes_nothing(base):
    """Whether the situation rules it out, or only the plays do: these are weighed one by one, to the same end."""
    at_no_time = Advice("at-no-time", "", {"floor_size": (60, 60)}, {"is_jack": (1, 1)}, {"is_jack": (0, 0)})
    no_play = Advice("no-play", "", {}, {"rank": (1, 13)}, {"rank": (14, 14)})
    plain = get_policy(base)
    for table in settings()[::5]:
        for index in range(20):
            games = [
                logged(table_plan(table, [chosen], [0] * table.players, 5), index)
                for chosen in (plain, plain.following(at_no_time), plain.following(no_play))
            ]
            assert games[0] == games[1] == games[2]


def test_pieces_against_each_other_cancel_out():
    """Two literal pieces that ask for opposite plays leave the player as he was."""
    late = ADVICE["jack-hold"]
    soon = Advice("jack-soon", "", late.when, late.against, late.follow)
    table = setting("bastra")
    plain = get_policy("greedy")
    both = plain.following(late).following(soon)
    reversed_twice = plain.following(late).following(late, "reversed")
    for index in range(50):
        games = [logged(table_plan(table, [each], [0, 0], 5), index) for each in (plain, both, reversed_twice)]
        assert games[0] == games[1] == games[2]


@pytest.mark.parametrize("scale", [1.0, 1e4, 1e9, -1e12])
def test_literal_advice_is_kept_whatever_plays_are_worth(scale):
    """A person's own scores, and weights, may be of any size."""
    table = setting("bastra")
    weights = {"jack_takes": scale, "basra": scale, "points_taken": 3.0}
    keeps = Policy("heavy", "", weights).following("jack-hold")
    spends = Policy("heavy", "", weights).following("jack-hold", "reversed")
    found = Counter[str]()
    for index in range(40):
        found += check_round(table, [keeps, spends], index)
    assert found["jack-hold"] > 50


def test_literal_advice_on_top_of_scores_of_any_size():
    @advice
    def no_jacks(view, play):
        return -1 if play.card // 4 == 10 else 1

    from basra_sim import policy

    @policy
    def jacks_first(view, play):
        return 1e15 if play.card // 4 == 10 else 0.0

    table = setting("bastra")
    plan = table_plan(table, [jacks_first.following(no_jacks)], [0, 0], 5)
    for index in range(20):
        twin = Table(table, deck(5, index))
        for card, taken, _ in logged(plan, index):
            held = {rank_of(each) for each in twin.round.hands[twin.round.seat]}
            assert rank_of(card) != JACK or held == {JACK}
            twin.play(card, taken)
