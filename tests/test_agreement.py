"""The kernel and the readable engine, one written without the other, agree on everything that happens in a round."""

import random
from concurrent.futures import ProcessPoolExecutor

import pytest

from basra_sim.plans import plan
from basra_sim.rules import RulesError, Setting
from basra_sim.variants import setting, variant_names
from tests.agreement import TABLES, check_rounds, random_changes, settings

TABLE_IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]


def check(
    table: Setting, policy: str, rounds: int, seed: int, *, matches: bool = False, whole_hands: bool = False
) -> int:
    """Check rounds (or matches) of one policy at one table."""
    played = plan(
        table.variant,
        players=table.players,
        pairs=table.pairs,
        policies=policy,
        seed=seed,
        changes=table.changes,
        matches=matches,
    )
    return check_rounds(played, 0, rounds, whole_hands=whole_hands)


def check_changed(number: int, rounds: int) -> int:
    """Check rounds, and a match, of a table with options of its own, drawn by a number."""
    rng = random.Random(number)
    while True:
        players, pairs = rng.choice(TABLES)
        changes = random_changes(rng, players)
        try:
            table = setting(rng.choice(variant_names()), players, pairs, changes)
        except RulesError:
            continue
        break
    done = 0
    for policy in ("random", "greedy", "counter"):
        done += check(table, policy, rounds, number, whole_hands=True)
    return done + check(table, "greedy", 1, number, matches=True)


@pytest.mark.parametrize("table", settings(), ids=TABLE_IDS)
@pytest.mark.parametrize(("policy", "rounds"), [("random", 30), ("greedy", 10), ("counter", 10)])
def test_agree_on_every_table(table, policy, rounds):
    assert check(table, policy, rounds, 11, whole_hands=True) > rounds * table.plays


@pytest.mark.parametrize("table", settings(), ids=TABLE_IDS)
def test_agree_on_matches(table):
    assert check(table, "counter", 2, 12, matches=True) >= table.plays


def test_agree_on_options_drawn_at_random():
    assert sum(check_changed(number, 6) for number in range(60)) > 60 * 18 * 40


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "rounds"), [("random", 20_000), ("greedy", 5_000), ("counter", 5_000)])
def test_agree_on_many_rounds(policy, rounds):
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(check, table, policy, rounds, 13) for table in settings()]
        plays = [job.result() for job in jobs]
    assert plays == [rounds * table.plays for table in settings()]


@pytest.mark.slow
def test_agree_on_many_options_drawn_at_random():
    with ProcessPoolExecutor() as pool:
        assert sum(pool.map(check_changed, range(1000, 4000), [30] * 3000, chunksize=50)) > 3000 * 90 * 40
