"""The players who search: what they know at the end of a round they play perfectly, and nothing else counts."""

from dataclasses import replace

import pytest

from basra_sim.deals import deck
from basra_sim.errors import InputError
from basra_sim.experiment import duel
from basra_sim.plans import plan
from basra_sim.policies import Policy, get_policy
from basra_sim.policies.model import Searching
from basra_sim.reference import Round
from basra_sim.variants import setting
from tests import open_endings
from tests.scoring import logged, table_plan


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("expert-memory:8", "policy expert-memory:8 searches, and remembers every card: no other memory is possible"),
        ("expert-rollouts:many", "expert-rollouts:many: 'many' is no whole number of roll-outs, such as 1000"),
        ("expert-rollouts:", "expert-rollouts:: '' is no whole number of roll-outs, such as 1000"),
        ("expert-rollouts:1", "1 roll-outs are not possible: it takes 64 to 1000000"),
        ("counter-rollouts:100", "policy counter makes no roll-outs: their number cannot be set"),
        ("cheater-rollouts:100", "policy cheater makes no roll-outs: their number cannot be set"),
    ],
)
def test_what_a_player_who_searches_cannot_be(spec, wrong):
    with pytest.raises(InputError) as error:
        get_policy(spec)
    assert str(error.value) == wrong


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"doubt": 1.5}, "a doubt of 1.5"),
        ({"doubt": -0.1}, "a doubt of -0.1"),
        ({"caution": -1.0}, "a caution of -1.0"),
        ({"model": Policy("other")}, "policy other does not weigh features alone"),
    ],
)
def test_what_a_search_cannot_be(wrong, said):
    with pytest.raises(InputError, match=said):
        Searching(**wrong)


@pytest.mark.parametrize("variant", ["bastra", "egyptian", "palestinian"])
@pytest.mark.parametrize("name", ["expert-rollouts:64", "cheater"])
def test_the_last_deal_is_played_perfectly(variant, name):
    table = setting(variant)
    pair = table_plan(table, [get_policy(name), get_policy("champion")], [0, 1], 5)
    begins = table.plays - 2 * table.hand_sizes[-1]
    for index in range(3):
        pack = deck(5, index, table.rules.pack)
        reference = Round(table, pack)
        for turn, (card, taken, _) in enumerate(logged(pair, index, pack)):
            cards = [each for each in range(52) if taken >> each & 1]
            if turn >= begins and reference.seat == 0:
                values = open_endings.margins(reference)
                assert values[card, tuple(cards)] == max(values.values()), (index, turn)
            reference.play(card, cards)


def test_results_hang_on_no_threads():
    tables = [duel("expert-rollouts:64", "champion", deals=40, threads=threads, seed=3).to_dict() for threads in (1, 2)]
    assert tables[0] == tables[1]


def test_longer_thought_is_another_player_but_hangs_on_the_seed_alone():
    played = [
        logged(plan("bastra", policies=[spec, "champion"], seed=4), 0, deck(4, 0))
        for spec in ("expert-rollouts:64", "expert-rollouts:64", "expert-rollouts:4096")
    ]
    assert played[0] == played[1] != played[2]


@pytest.mark.slow
def test_a_player_without_doubts_takes_others_at_their_plays():
    """Against the very player he takes others for, he gains by what he infers from their plays."""
    champion = get_policy("champion")
    expert = get_policy("expert")
    assert expert.search is not None
    blind = replace(expert, name="blind", search=replace(expert.search, doubt=1.0))
    found = duel(expert, blind, deals=400, opponent=champion, seed=6)
    assert found.margin.low is not None
    assert found.margin.low > 0


@pytest.mark.slow
def test_a_model_is_taken_for_the_others():
    """Who knows how the greedy player plays gains more from him than who takes him for a champion."""
    expert = get_policy("expert")
    assert expert.search is not None
    knows = replace(expert, name="knows", search=replace(expert.search, model=get_policy("greedy")))
    found = duel(knows, expert, deals=400, opponent="greedy", seed=6)
    assert found.margin.low is not None
    assert found.margin.low > 0
