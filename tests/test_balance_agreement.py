"""Measures of balance from pools of rounds, against those reckoned in plain Python from the same deals, one by one."""

from collections.abc import Mapping
from math import isinf
from typing import Any

import pytest

from basra_sim.policies import get_policy
from basra_sim.rules import Setting
from basra_sim.variants import setting
from tests.exact_match import Terms, comeback, sampled_outcomes, solve
from tests.naive_balance import Key, equal_measures, skill_measures
from tests.naive_rounds import equal_groups, skill_groups

evaluation = pytest.importorskip("analyses.balance.evaluation")

GROUPS, DEALS, SEED = 64, 320, 3
"""Groups, deals in all of them (no fewer, or a circle of rounds may come out level again and again), and their seed."""

TABLES: list[tuple[str, int, bool, dict[str, Any]]] = [
    ("bastra", 2, False, {}),
    ("bastra", 4, True, {"match_tie": "draw", "target": 30}),
    ("egyptian", 3, False, {}),
    ("egyptian", 2, False, {"match_tie": "extend", "extend_by": 20, "target": 60}),
    ("palestinian", 4, False, {}),
    ("lebanese-a", 2, False, {}),
]
IDS = [f"{name}-{players}{'p' if pairs else ''}{len(changes) or ''}" for name, players, pairs, changes in TABLES]


def group_of(deals: int) -> list[int]:
    """Group of each deal: as many behind one another in each."""
    return [deal * GROUPS // deals for deal in range(deals)]


def check(made: Any, wanted: Mapping[Key, Any]) -> None:
    """Every measure is the one wanted; what one side leaves out is nothing on the other."""
    keys = set(made.keys())
    assert {name for name, _ in keys} == {name for name, _ in wanted}
    for key in keys | set(wanted):
        value = made.estimate(*key).value if key in keys else 0
        right = float(wanted.get(key, 0))
        assert (value is None and isinf(right)) or value == pytest.approx(right, abs=1e-9), key


def tables() -> list[Setting]:
    return [setting(name, players, pairs, changes) for name, players, pairs, changes in TABLES]


@pytest.mark.parametrize("table", tables(), ids=IDS)
@pytest.mark.parametrize("player", ["greedy", "counter"])
def test_equal_players(table, player):
    made = evaluation.measured(table, player, deals=DEALS, precision=None, seed=SEED, threads=1)
    groups = equal_groups(table, get_policy(player), SEED, group_of(made.deals), mirrored=True)
    check(made, equal_measures(groups, table.rules, table.team_count, table.plays))


@pytest.mark.parametrize("table", tables(), ids=IDS)
def test_better_and_weaker(table):
    made = evaluation.skill(table, "counter", "greedy", deals=DEALS, precision=None, seed=SEED, threads=1)
    groups = skill_groups(table, get_policy("counter"), get_policy("greedy"), SEED, group_of(made.deals))
    check(made, skill_measures(groups, table.rules, table.team_count))


@pytest.mark.slow
@pytest.mark.parametrize(
    "table", [table for table in tables() if table.team_count == 2], ids=lambda table: table.variant
)
def test_assembled_matches_are_the_exact_ones(table):
    """Intervals hold what comes of as many other rounds, give or take what is left of chance in those."""
    made = evaluation.measured(table, "greedy", deals=100_000, precision=None, seed=SEED, threads=1)
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
        assert abs(found.value - value) <= 2.5 * found.half_width, key
