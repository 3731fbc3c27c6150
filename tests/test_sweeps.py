"""Sweeps: reading what is varied, settings that share rounds, differences on common deals, head starts."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyses.balance.asked import EQUAL, evaluated, read_measure, whole_measure
from analyses.balance.equal import comeback_starts, measured
from analyses.balance.evaluation import difference
from analyses.balance.skill import skill
from analyses.balance.sweeps import DEFAULT_MEASURES, sweep
from analyses.balance.trials import HEAD_START, Ground, checked, read_varied, trials
from basra_sim import assembly
from basra_sim.errors import BasraError, InputError
from basra_sim.game import codes
from basra_sim.policies import get_policy
from basra_sim.pools import GROUPS, Pools, equal_plan, sums
from basra_sim.rules import Setting
from basra_sim.variants import setting

DEALS = GROUPS * 64


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("target=50,100", (50, 100)),
        ("target=50:100:25", (50, 75, 100)),
        ("target=50:52", (50, 51, 52)),
        ("target=50:99:25", (50, 75)),
        ("target= 200, 50:60:10 ", (200, 50, 60)),
        ("majority_tie=each,None,carry", ("each", "none", "carry")),
        ("last_card_basra=true,no", (True, False)),
        ("buried=J/J,7D/none", (("J",), ("J", "7D"), ())),
        ("head_start=-4:4:4", (-4, 0, 4)),
        ("hand_size=4", (4,)),
    ],
)
def test_values_are_read(text: str, values: tuple[Any, ...]) -> None:
    assert read_varied([text]) == {text.partition("=")[0]: values}


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["target"], '"target" varies nothing: write NAME=VALUE,VALUE'),
        (["target="], '"target=" varies nothing'),
        (["=5"], '"=5" varies nothing'),
        (["target=50", "target=60"], "target is varied twice: give all its values at once"),
        (["traget=50"], 'traget = "50": there is no such option (did you mean target?)'),
        (["target=50,50"], "target = 50 is there twice"),
        (["target=100:50"], 'target = "100:50" holds nothing, as LAST is below FIRST: write FIRST:LAST:STEP'),
        (["target=50:100:0"], 'target = "50:100:0" holds nothing, as STEP must be 1 or more: write'),
        (["target=50:100:-5"], 'target = "50:100:-5" holds nothing'),
        (["target=1:99999"], 'target = "1:99999" holds more than 10,000 values: it has no STEP; write FIRST:LAST:STEP'),
        (["target=0:1000000000"], 'target = "0:1000000000" holds more than 10,000 values: it has no STEP; write'),
        ([f"target=0:{10**30}:5"], f'target = "0:{10**30}:5" holds more than 10,000 values: write a larger STEP'),
        ([f"target={10**30}:{10**30}"], f"target = {10**30} is not possible: it takes a whole number from 1"),
        (["target=0:10"], "target = 0 is not possible: it takes a whole number from 1"),
        (["target=x"], 'target = "x" is not possible'),
        (["target=50,,60"], 'target = "" is not possible'),
        (["target=1.5"], 'target = "1.5" is not possible'),
        (["majority_tie=each,nobody"], 'majority_tie = "nobody" is not possible: it takes each, none or carry'),
        (["buried=J/X"], 'buried = ["X"]: "X" is no rank and no card'),
        (["head_start=2000"], 'head_start = "2000" is not possible: it takes a whole number from -1000 to 1000'),
        (["head_start=much"], 'head_start = "much" is not possible'),
    ],
)
def test_values_that_are_refused(texts: list[str], told: str) -> None:
    with pytest.raises(InputError) as error:
        read_varied(texts)
    assert str(error.value).startswith(told)


@pytest.mark.parametrize(
    ("ground", "varied", "measures", "told"),
    [
        (Ground(), {}, ["skill"], "name an option to vary"),
        (Ground(changes={"target": 50}), {"target": [60]}, ["match_rounds"], "target is both set to 50 and varied"),
        (Ground(), {"target": [60, 70]}, ["skill", "points"], "target makes no difference to skill or points"),
        (Ground(), {HEAD_START: [1]}, ["first_round_wins"], "head_start makes no difference to first_round_wins"),
        (Ground(), {"target": []}, ["match_rounds"], "target is given no values"),
        (Ground(), {HEAD_START: [100]}, ["match_rounds"], "head_start = 100 is not possible with target = 100"),
        (
            Ground(),
            {HEAD_START: [0, -60], "target": [100, 50]},
            ["match_rounds"],
            "head_start = -60 is not possible wi",
        ),
        (Ground(), {"extend_by": [20, 30]}, ["match_rounds"], "extend_by = 30 has no effect with match_tie"),
        (
            Ground("egyptian"),
            {"lone_seven": ["any_card_but_jack"], "seven_of_diamonds": ["ordinary"]},
            ["skill"],
            "lone",
        ),
        (
            Ground(),
            {"hand_size": [5, 7]},
            ["skill"],
            "no combination is possible: bastra with 2 players: hand_size = 5",
        ),
        (Ground("palestinian", players=3), {"target": [50]}, ["match_rounds"], "palestinian with 3 players: hand_size"),
        (Ground(), {"target": [*range(1, 101)], "extend_by": [*range(1, 12)]}, ["match_rounds"], "1,100 combinations"),
        (Ground(deals=100), {"target": [50]}, ["match_rounds"], "deals = 100 is not possible: it takes 4096 to"),
        (
            Ground(policy="gredy"),
            {"target": [50]},
            ["match_rounds"],
            "no policy is called 'gredy' (did you mean greedy?)",
        ),
        (Ground("bastrs"), {"target": [50]}, ["match_rounds"], 'there is no variant "bastrs" (did you mean bastra?)'),
    ],
)
def test_sweeps_that_are_refused(ground: Ground, varied: Any, measures: list[str], told: str) -> None:
    with pytest.raises(InputError) as error:
        sweep(ground, varied, measures)
    assert str(error.value).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("match_round", "there is no measure 'match_round' to vary rules by (did you mean match_rounds?)"),
        ("x", "there is no measure 'x' to vary rules by: there are points, "),
        ("points:basra", "points:basra: points has no part 'basra' (did you mean basras?); there are aces; jacks"),
        ("skill:all", "skill:all: skill has no part 'all'; it has no parts"),
        ("match_length:long", "match_length:long: a part of match_length is a number of rounds"),
    ],
)
def test_measures_that_are_refused(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_measure(text)
    assert str(error.value).startswith(told)


def test_measures_are_read() -> None:
    assert read_measure("points") == ("points", "")
    assert read_measure("points:basras") == whole_measure("points : basras") == ("points", "basras")
    assert read_measure("match_length:05") == ("match_length", "5")
    assert whole_measure("comeback:10 behind, 20 to go") == ("comeback", "10 behind, 20 to go")
    with pytest.raises(InputError, match="points has several parts: name one, such as 'points:aces'"):
        whole_measure("points")


def test_hand_sizes_that_do_not_come_out_are_left_out() -> None:
    ground = Ground()
    settings, left_out = trials(ground, checked(ground, {"hand_size": [3, 4, 5, 6, 7]}, ["skill"]))
    assert [trial.values["hand_size"] for trial in settings] == [3, 4, 6]
    assert left_out == [{"hand_size": 5}, {"hand_size": 7}]
    found = sweep(Ground(policy="random", deals=DEALS), {"hand_size": [4, 5]}, ["basras"])
    assert (list(found.frame["hand_size"]), found.left_out) == ([4], ({"hand_size": 5},))


SCORING = {"ace_points": [1, 3], "basra_points": [0, 10], "jack_on_jack": [0, 25], "majority_points": [3, 8]}


def test_scoring_among_random_players_is_played_once_and_equals_what_is_played_anew() -> None:
    ground = Ground(policy="random", deals=DEALS, seed=3)
    settings, _ = trials(ground, {**SCORING, "target": [50, 101]})
    assert len(settings) == 32
    found = dict(evaluated(EQUAL, settings, ground))
    for number, trial in enumerate(settings):
        anew = measured(trial.table, "random", deals=DEALS, seed=3)
        assert list(anew.values) == list(found[number].values)
        for key in anew.values:
            assert np.array_equal(anew.replicates(*key), found[number].replicates(*key)), (trial.values, key)
    (shared,) = sweep(ground, {**SCORING, "target": [50, 101]}, ["match_rounds", "points"]).sharing
    assert (shared.settings, shared.played, shared.rounds) == (33, 1, 2 * DEALS)
    assert shared.unseen == (*SCORING, "target")


def test_greedy_players_do_not_see_the_match() -> None:
    ground = Ground(deals=DEALS)
    varied = {"target": [40, 80], "basra_points": [5, 10]}
    found = sweep(ground, varied, ["match_rounds", "better_match_wins"])
    assert [(each.kind, each.settings, each.played, each.unseen) for each in found.sharing] == [
        ("equal players", 5, 2, ("target",)),
        ("a better player among weaker ones", 5, 2, ("target",)),
    ]
    for row in found.frame.to_dict("records"):
        table = setting("bastra", changes={name: row[name] for name in varied})
        anew = measured(table, deals=DEALS) if row["measure"] == "match_rounds" else skill(table, deals=DEALS)
        assert anew.estimate(row["measure"]).value == row["estimate"]
        assert anew.rounds == row["rounds"]


def test_pools_tell_how_often_rounds_were_shared() -> None:
    ground, pools = Ground(deals=DEALS), Pools()
    settings, _ = trials(ground, {"target": [40, 80, 120]})
    for trial in settings:
        EQUAL.run(trial, ground, pools)
    assert (pools.played, pools.reused) == (2 * DEALS, 2)


def test_differences_are_from_the_own_rules_on_the_same_deals() -> None:
    ground = Ground("egyptian", players=4, pairs=True, deals=DEALS, seed=5, changes={"target": 60})
    found = sweep(ground, {"majority_points": [3, 7], "majority_tie": ["each", "none"]}, ["match_rounds", "points"])
    tables = [
        setting("egyptian", 4, True, {"target": 60, "majority_points": points, "majority_tie": tie})
        for points in (3, 7)
        for tie in ("each", "none")
    ]
    own = measured(setting("egyptian", 4, True, {"target": 60}), deals=DEALS, seed=5)
    rows = found.frame[found.frame["measure"] == "match_rounds"].to_dict("records")
    for table, row in zip(tables, rows, strict=True):
        other = measured(table, deals=DEALS, seed=5)
        change = difference(own, other, "match_rounds")
        assert (row["difference"], row["difference_low"], row["difference_high"]) == (
            change.value,
            change.low,
            change.high,
        )
        assert row["own"] == (table.rules == own.table.rules)
    assert found.own["own"].all()
    assert list(found.own["part"]) == ["", "aces", "jacks", "two", "ten", "majority", "basras", "total"]
    assert len(found.frame) == 4 * 8


def test_own_rules_that_are_not_asked_for_stand_apart() -> None:
    found = sweep(Ground(deals=DEALS), {"target": [40, 60]}, ["match_rounds", "match_length:3"])
    assert list(found.own["target"]) == [100, 100]
    assert sorted(found.frame["target"].unique()) == [40, 60]
    assert not found.frame["own"].any()
    assert found.frame["difference"].notna().all()


def test_parts_that_some_settings_lack() -> None:
    found = sweep(Ground(deals=DEALS), {"target": [25, 200]}, ["comeback:40 behind, 60 to go", "match_length:1"])
    assert list(found.frame["measure"]) == ["comeback", "match_length", "match_length"]
    long = found.frame[(found.frame["target"] == 200) & (found.frame["measure"] == "match_length")]
    assert (long["estimate"].item(), long["low"].item()) == (0.0, 0.0)
    assert 0 < long["high"].item() < 0.001
    lengths = sweep(Ground(deals=DEALS), {"target": [25, 50]}, ["match_length"]).frame
    assert lengths.groupby("target")["estimate"].sum().to_list() == pytest.approx([1, 1])
    parts = [int(part) for part in lengths["part"].unique()]
    assert parts == sorted(parts)


def test_rounds_to_tell_are_compared_in_rounds() -> None:
    found = sweep(Ground(deals=DEALS), {"majority_points": [3, 10]}, ["rounds_to_tell"]).frame
    three, ten = found["estimate"]
    assert found["difference"].to_list() == pytest.approx([0, ten - three])


def test_what_is_measured_by_default() -> None:
    found = sweep(Ground(policy="random", deals=DEALS), {"target": [50]}).frame
    assert tuple(found["measure"]) == DEFAULT_MEASURES
    assert isinstance(found, pd.DataFrame)


def test_a_sweep_tells_how_far_it_is_and_does_not_depend_on_threads() -> None:
    told: list[tuple[int, int]] = []
    varied = {"basra_points": [5, 10, 20]}
    one = sweep(Ground(deals=DEALS, threads=1), varied, progress=lambda *of: told.append(of))
    two = sweep(Ground(deals=DEALS, threads=2), varied)
    pd.testing.assert_frame_equal(one.frame, two.frame)
    assert told[-1] == (3, 3)
    assert all(total == 3 for _, total in told)


def test_matches_that_do_not_end_within_the_rounds_are_refused() -> None:
    with pytest.raises(BasraError, match="target = 5000: some match takes more than 64 rounds"):
        sweep(Ground(deals=DEALS), {"target": [5000]}, ["match_rounds"])


def naive_matches(table: Setting, totals: Any, head_start: int) -> list[int]:
    """Sums of matches that begin at each round of a circle: matches, rounds, what the first and the last team win."""
    deals, versions, teams = totals.shape
    found = [0, 0, 0, 0, 0]
    for version in range(versions):
        for start in range(deals):
            scores = [0] * teams
            scores[-1 if head_start > 0 else 0] = abs(head_start)
            leader = max(range(teams), key=scores.__getitem__) if head_start else None
            number = 0
            while True:
                row = totals[(start + number) % deals, version]
                for team in range(teams):
                    scores[team] += int(row[(team - number) % teams])
                number += 1
                front = [team for team in range(teams) if scores[team] == max(scores)]
                if len(front) == 1:
                    found[4] += leader is not None and front != [leader]
                    leader = front[0]
                if max(scores) >= table.rules.target and len(front) == 1:
                    break
            found[0] += 1
            found[1] += number
            found[2] += 12 * (front == [0])
            found[3] += 12 * (front == [teams - 1])
    return found


@pytest.mark.parametrize("head_start", [-9, 0, 4, 29])
@pytest.mark.parametrize(("players", "pairs"), [(2, False), (3, False), (4, True)])
def test_head_starts_are_as_counted_by_hand(players: int, pairs: bool, head_start: int) -> None:
    table = setting("bastra", players, pairs, {"target": 30})
    plan = equal_plan(table, get_policy("random"))
    pool = Pools().pool(plan)
    lot = pool.scored(pool.lot(0, 64), table.rules)
    found = sums(lot, codes(table), comeback_starts(table), 1, head_start=head_start)
    counts = lot.counts.astype(int)
    cards = counts[..., assembly.CARDS]
    worth = [table.rules.ace_points, table.rules.jack_points, table.rules.two_points, table.rules.ten_points]
    totals = (counts[..., assembly.ACES : assembly.ACES + 4] * worth).sum(axis=-1) + lot.basras
    totals += table.rules.majority_points * (cards == cards.max(axis=-1, keepdims=True))
    names = [assembly.MATCH_SUMS.index(name) for name in ("matches", "rounds", "first_won", "last_won", "lead_changes")]
    for group in (0, GROUPS - 1):
        assert found.matches[group, names].tolist() == naive_matches(table, totals[group], head_start)
    level = sums(lot, codes(table), comeback_starts(table), 1)
    assert np.array_equal(level.comebacks, found.comebacks)
    assert np.array_equal(level.rounds, found.rounds)


def test_a_head_start_helps_whom_it_is_given_to() -> None:
    ground = Ground(deals=DEALS, policy="random")
    found = sweep(
        ground, {HEAD_START: [-20, 0, 20]}, ["first_match_wins", "last_match_wins", "better_match_wins"]
    ).frame
    wins = found.pivot(index=HEAD_START, columns="measure", values="estimate")
    assert wins["first_match_wins"].is_monotonic_decreasing
    assert wins["last_match_wins"].is_monotonic_increasing
    assert list(found[found["measure"] == "first_match_wins"]["own"]) == [False, True, False]
