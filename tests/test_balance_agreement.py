"""Measures of balance from pools of rounds, against those reckoned in plain Python from the same deals, one by one."""

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

import numpy as np
import pytest

from analyses.balance import equal, skill
from analyses.balance.equal import comeback_starts
from analyses.balance.evaluation import AHEAD, leave_one_out
from basra_sim import pools
from basra_sim.game import codes
from basra_sim.policies import get_policy
from basra_sim.rules import Setting
from basra_sim.variants import setting
from tests.exact_match import Terms, comeback, sampled_outcomes, solve
from tests.naive_balance import Key, equal_measures, skill_measures
from tests.naive_rounds import equal_groups, skill_groups

GROUPS, DEALS, SEED = 4, 80, 3
"""Groups; deals of each, so many that every match ends before it comes round; and their seed."""

TABLES: list[tuple[str, int, bool, dict[str, Any]]] = [
    ("bastra", 2, False, {}),
    ("bastra", 4, True, {"match_tie": "draw", "target": 30}),
    ("egyptian", 3, False, {}),
    ("egyptian", 2, False, {"match_tie": "extend", "extend_by": 20, "target": 60}),
    ("palestinian", 4, False, {}),
    ("lebanese-a", 2, False, {}),
]
IDS = [f"{name}-{players}{'p' if pairs else ''}{len(changes) or ''}" for name, players, pairs, changes in TABLES]


def check(made: Mapping[Key, Any], wanted: Mapping[Key, Any]) -> None:
    """Every measure is the one wanted, of all groups and without each; what one side leaves out is nothing there."""
    assert {name for name, _ in made} == {name for name, _ in wanted}
    for key in made.keys() | wanted.keys():
        value = made[key][0] if key in made else 0
        if key == ("rounds_to_tell", ""):
            value = (AHEAD / value) ** 2 if value > 0 else inf
        assert value == pytest.approx(float(wanted.get(key, 0)), abs=1e-9), key


@pytest.fixture(autouse=True)
def few_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer groups than usual, for rounds that are reckoned in plain Python."""
    monkeypatch.setattr(pools, "GROUPS", GROUPS)


def tables() -> list[Setting]:
    return [setting(name, players, pairs, changes) for name, players, pairs, changes in TABLES]


GROUP_OF = [deal // DEALS for deal in range(GROUPS * DEALS)]


@pytest.mark.parametrize("table", tables(), ids=IDS)
@pytest.mark.parametrize("player", ["greedy", "counter"])
def test_equal_players(table, player):
    pool = pools.Pool(pools.equal_plan(table, get_policy(player), SEED))
    starts = comeback_starts(table)
    made = leave_out(pools.sums(pool.lot(0, DEALS, 1), codes(table), starts, 1, 1))
    groups = equal_groups(table, get_policy(player), SEED, GROUP_OF, mirrored=True)
    naive = partial(equal_measures, rules=table.rules, teams=table.team_count, plays=table.plays)
    values = equal.statistics(made, table, starts)
    check(values, naive(groups))
    for group in range(GROUPS):
        without = {key: each[1 + group :] for key, each in values.items()}
        check(without, naive([each for k, each in enumerate(groups) if k != group]))


@pytest.mark.parametrize("table", tables(), ids=IDS)
def test_better_and_weaker(table):
    pool = pools.Pool(pools.unequal_plan(table, get_policy("counter"), get_policy("greedy"), SEED))
    made = leave_out(pools.version_sums(pool.lot(0, DEALS, 1), codes(table), 1))
    groups = skill_groups(table, get_policy("counter"), get_policy("greedy"), SEED, GROUP_OF)
    values = dict(skill.statistics(made, table.team_count))
    assert np.array_equal(values.pop(("effect", "")), values["rounds_to_tell", ""])
    check(values, skill_measures(groups, table.rules, table.team_count))


def leave_out(found):
    """Sums of all groups, and without each."""
    return type(found)(*map(leave_one_out, found))


@pytest.mark.slow
@pytest.mark.parametrize(
    "table", [table for table in tables() if table.team_count == 2], ids=lambda table: table.variant
)
def test_assembled_matches_are_the_exact_ones(table):
    """Intervals hold what comes of as many other rounds, give or take what is left of chance in those."""
    made = equal.measured(table, "greedy", deals=100_000, seed=SEED, threads=1)
    chances, terms = sampled_outcomes(table, "greedy", 200_000, SEED + 1), Terms.of(table.rules)
    exact = solve(chances, terms)
    wanted = {
        ("first_match_wins", ""): exact.shared(0) - 0.5,
        ("match_ties", ""): exact.levels,
        ("match_rounds", ""): exact.rounds,
        ("lead_changes", ""): exact.lead_changes,
    }
    for behind, to_go in ((10, 20), (20, 20)):
        if table.rules.target >= behind + to_go:
            wanted["comeback", f"{behind} behind, {to_go} to go"] = comeback(chances, terms, behind, to_go)
    for key, value in wanted.items():
        found = made.estimate(*key)
        assert found.value == pytest.approx(value, abs=2.5 * (found.half_width or 0)), key
