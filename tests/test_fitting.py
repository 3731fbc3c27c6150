"""Fits: crossings of planted curves, how often intervals hold the truth, and what is found by playing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyses.balance.crossings import FEW, Answer, answers, search
from analyses.balance.equal import measured
from analyses.balance.evaluation import difference
from analyses.balance.fitting import Fit, distance, fit
from analyses.balance.trials import HEAD_START, Ground
from analyses.groups import Values
from basra_sim.errors import InputError
from basra_sim.pools import GROUPS
from basra_sim.variants import setting

DEALS = GROUPS * 64

Curve = Callable[[float], float]


def planted(curve: Curve, spread: float = 0.0, seed: int = 1) -> Callable[[int], Values]:
    """A curve by whole values, as it comes out of groups that are all off by their own amount and slope."""
    draw = np.random.default_rng(seed)
    level, slope = draw.normal(size=(2, GROUPS)) * spread * np.sqrt(GROUPS)

    def miss(value: int) -> Values:
        groups = curve(value) + level + slope * value / 100
        without = (groups.sum() - groups) / (GROUPS - 1)
        return np.array([groups.mean(), *without])

    return miss


def found(curve: Curve, values: range, spread: float = 0.0, seed: int = 1) -> tuple[list[Answer], int]:
    """Answers for a planted curve, and how many values were looked at."""
    misses = search(values, planted(curve, spread, seed))
    places = sorted(misses)
    return answers(places, np.stack([misses[place] for place in places])), len(places)


@pytest.mark.parametrize("values", [range(401), range(40, 60), range(51, 53)])
def test_a_straight_line_is_crossed_where_it_is_0(values: range) -> None:
    (only,), looked = found(lambda value: 0.2 * (value - 51.25), values)
    assert (only.value, only.low, only.high) == pytest.approx((51.25, 51.25, 51.25))
    assert (only.low_open, only.high_open, only.crossings, only.best) == (False, False, 1, 51)
    assert looked == len(values) if len(values) <= FEW else looked < 30


def test_an_answer_at_a_whole_value() -> None:
    (only,), _ = found(lambda value: 3 - value, range(10))
    assert (only.value, only.low, only.high, only.crossings, only.best) == (3.0, 3.0, 3.0, 1, 3)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_all_crossings_are_found(spread: float) -> None:
    three, _ = found(
        lambda value: 0.002 * (value - 60.5) * (value - 200.5) * (value - 330.5) / 100, range(401), spread / 9
    )
    assert [answer.crossings for answer in three] == [1, 1, 1]
    assert [answer.value for answer in three] == pytest.approx([60.5, 200.5, 330.5], abs=3)
    assert all(answer.low <= (answer.value or 0) <= answer.high for answer in three)


def test_nothing_is_found_where_the_aim_is_not_reached() -> None:
    none, looked = found(lambda value: value + 1, range(401), 0.1)
    assert (none, looked) == ([], 17)


def test_what_only_comes_near_is_an_answer_without_a_crossing() -> None:
    (only,), _ = found(lambda value: 0.05 + (value - 20) ** 2, range(30), 0.05, seed=4)
    assert only.value is None
    assert (only.crossings, only.best) == (0, 20)


def test_intervals_that_go_to_the_end_of_the_values_say_so() -> None:
    (only,), _ = found(lambda value: (value - 3) * 0.01, range(11), 1.0)
    assert (only.low_open, only.high_open, only.low, only.high) == (True, True, 0, 10)
    (only,), _ = found(lambda value: (value - 1) * 0.5, range(101), 1.0)
    assert (only.low_open, only.high_open, only.low) == (True, False, 0)


def test_values_without_the_measure_are_passed_over() -> None:
    (only,), _ = found(lambda value: value - 30.5 if value > 20 else float("nan"), range(101))
    assert (only.value, only.best) == pytest.approx((30.5, 30), abs=0.51)


@pytest.mark.parametrize("slope", [0.02, 0.3])
def test_intervals_hold_the_planted_truth_19_times_in_20(slope: float) -> None:
    holds = []
    for seed in range(700):
        stretches, _ = found(
            lambda value: slope * (value - 100.3) + 1e-5 * (value - 100.3) ** 3, range(60, 141), 0.3, seed
        )
        holds.append(any(answer.low <= 100.3 <= answer.high for answer in stretches))
    assert np.mean(holds) == pytest.approx(0.95, abs=0.029)


def test_a_variant_comes_to_its_own_value_under_its_own_rules() -> None:
    own = fit(Ground(deals=DEALS), {"target": range(80, 121)}, "match_rounds", "bastra")
    (answer,) = own.answers.to_dict("records")
    assert (answer["value"], answer["low"], answer["high"], answer["best"]) == pytest.approx((100, 100, 100, 100))
    assert (answer["first"], answer["last"], answer["count"]) == (100, 100, 1)
    assert own.aim == own.own == measured(setting("bastra"), deals=DEALS).estimate("match_rounds")
    assert own.nearest is not None
    assert own.nearest["own"]


def test_a_fit_is_what_playing_everything_says() -> None:
    ground, values = Ground("egyptian", deals=DEALS, seed=7), range(40, 140)
    quick = fit(ground, {"target": values}, "match_rounds", 3)
    assert len(quick.values) < 30
    evaluations = {
        value: measured(setting("egyptian", changes={"target": value}), deals=DEALS, seed=7) for value in values
    }
    curve = {value: each.estimate("match_rounds") for value, each in evaluations.items()}
    for row in quick.values.to_dict("records"):
        assert (row["estimate"], row["low"], row["high"]) == (
            curve[row["target"]].value,
            curve[row["target"]].low,
            curve[row["target"]].high,
        )
        assert row["miss"] == pytest.approx(row["estimate"] - 3)
        assert row["alike"] == (row["low"] <= 3 <= row["high"])
    (answer,) = quick.answers.to_dict("records")
    alike = [value for value, each in curve.items() if (each.low or 0) <= 3 <= (each.high or 0)]
    assert [answer["first"], answer["last"], answer["count"]] == [alike[0], alike[-1], len(alike)]
    below = max(value for value, each in curve.items() if (each.value or 0) < 3)
    assert below <= answer["value"] <= below + 1
    assert answer["best"] == min(curve, key=lambda value: abs((curve[value].value or 0) - 3))


def test_another_variant_s_value_counts_with_its_own_uncertainty() -> None:
    ground = Ground("yemeni", deals=DEALS, changes={"basra_points": 5})
    found = fit(ground, {"target": [90, 200, 220]}, "match_rounds", "egyptian")
    goal = measured(setting("egyptian"), deals=DEALS)
    for row in found.values.to_dict("records"):
        table = setting("yemeni", changes={"target": row["target"], "basra_points": 5})
        miss = difference(goal, measured(table, deals=DEALS), "match_rounds")
        assert (row["miss"], row["miss_low"], row["miss_high"]) == (miss.value, miss.low, miss.high)
    assert found.own == measured(setting("yemeni", changes={"basra_points": 5}), deals=DEALS).estimate("match_rounds")


def test_an_aim_out_of_reach() -> None:
    found = fit(Ground(deals=DEALS), {"target": [20, 30, 40]}, "match_rounds", 9)
    assert found.answers.empty
    assert found.nearest is not None
    assert found.nearest["target"] == 40
    assert found.mildest is None


def test_a_compensation_for_who_moves_first() -> None:
    found = fit(Ground(policy="random", deals=DEALS), {HEAD_START: range(-6, 7)}, "first_match_wins", 0)
    (answer,) = found.answers.to_dict("records")
    assert answer["low"] <= answer["value"] <= answer["high"]
    assert found.own_values == {HEAD_START: 0}
    assert found.values[found.values["own"]][HEAD_START].to_list() == [0]


def test_several_options_are_ranked() -> None:
    varied: dict[str, list[Any]] = {"majority_points": [0, 3, 4, 8], "majority_tie": ["each", "none"]}
    found = fit(Ground(deals=DEALS), varied, "match_rounds", "bastra")
    assert not found.curve
    assert found.answers.empty
    assert len(found.values) == 8
    assert found.values["miss"].abs().is_monotonic_increasing
    assert found.nearest == found.values.iloc[0].to_dict()
    assert found.nearest == found.mildest
    assert found.mildest is not None
    assert (found.mildest["own"], found.mildest["distance"], found.mildest["miss"]) == (True, 0, 0)
    assert not found.values["alike"].all()


def test_words_are_ranked_and_hand_sizes_left_out() -> None:
    found = fit(Ground(policy="random", deals=DEALS), {"majority_tie": ["each", "none", "carry"]}, "match_rounds", 5)
    assert (found.curve, len(found.values)) == (False, 3)
    found = fit(Ground(policy="random", deals=DEALS), {"hand_size": range(3, 8)}, "basras", 0.5)
    assert found.curve
    assert (list(found.values["hand_size"]), found.asked) == ([3, 4, 6], 3)
    assert found.left_out == ({"hand_size": 5}, {"hand_size": 7})


def test_values_that_lack_the_measure() -> None:
    found = fit(Ground(policy="random", deals=DEALS), {"target": range(20, 50)}, "comeback:10 behind, 20 to go", 0.2)
    missing = found.values[found.values["target"] < 30]
    assert missing["estimate"].isna().all()
    assert not missing["alike"].any()
    assert found.nearest is not None
    assert found.nearest["target"] >= 30
    none = fit(Ground(policy="random", deals=DEALS), {"target": [20, 25]}, "comeback:10 behind, 20 to go", 0.2)
    assert none.nearest is None
    assert none.answers.empty


def test_distance_from_the_own_rules() -> None:
    own = {"target": 100, "majority_tie": "each", HEAD_START: 0}
    settings = [own, {**own, "target": 50}, {**own, "target": 150, "majority_tie": "none"}, {**own, HEAD_START: -5}]
    assert distance(settings, own) == [0, 0.5, 1.5, 1]


def test_a_fit_does_not_depend_on_threads_and_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []

    def one(threads: int) -> Fit:
        ground = Ground(deals=DEALS, threads=threads)
        return fit(ground, {"target": range(20, 200)}, "lead_changes", 1.0, progress=lambda *of: told.append(of))

    found = one(1)
    assert told[-1][0] == len(found.values)
    assert all(done <= total for done, total in told)
    same = one(2)
    pd.testing.assert_frame_equal(found.values, same.values)
    pd.testing.assert_frame_equal(found.answers, same.answers)


@pytest.mark.parametrize(
    ("ground", "varied", "measure", "goal", "told"),
    [
        (Ground(), {"target": [50]}, "match_rounds", 5, "one setting leaves nothing to find"),
        (
            Ground(),
            {"target": [50, 60]},
            "match_round",
            5,
            "there is no measure 'match_round' to vary rules by (did you",
        ),
        (
            Ground(),
            {"target": [50, 60]},
            "match_length",
            0.1,
            "match_length has several parts: name one, such as 'match_",
        ),
        (Ground(), {"target": [50, 60]}, "match_ties", 42, "42 is not possible: match_ties is a share, such as 0.42"),
        (
            Ground(),
            {"target": [50, 60]},
            "match_rounds",
            float("nan"),
            "nan is not possible: the value to come to must",
        ),
        (
            Ground(),
            {"target": [50, 60]},
            "match_rounds",
            "bastrs",
            'there is no variant "bastrs" (did you mean bastra?)',
        ),
        (
            Ground(),
            {"target": [50, 60]},
            "skill",
            0.1,
            "target makes no difference to skill, which single rounds decide",
        ),
        (Ground(), {"hand_size": [4, 5]}, "basras", 1, "hand_size: two values at least must be possible"),
        (Ground(players=3), {"target": [50, 60]}, "match_rounds", "palestinian", "palestinian with 3 players"),
        (Ground(), {HEAD_START: [0, 100]}, "match_rounds", 5, "head_start = 100 is not possible with target = 100"),
        (
            Ground(),
            {HEAD_START: [0, 50], "target": [40, 60]},
            "match_rounds",
            5,
            "head_start = 50 is not possible with ta",
        ),
    ],
)
def test_fits_that_are_refused(ground: Ground, varied: Any, measure: str, goal: Any, told: str) -> None:
    with pytest.raises(InputError) as error:
        fit(ground, varied, measure, goal)
    assert str(error.value).startswith(told)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_intervals_for_a_target_hold_it_19_times_in_20(policy: str) -> None:
    ground = Ground(policy=policy, deals=512_000, seed=999)
    (truth,) = fit(ground, {"target": range(50, 100)}, "match_rounds", 5).answers.to_dict("records")
    assert truth["high"] - truth["low"] < 0.3
    values, seeds = range(int(truth["value"]) - 2, int(truth["value"]) + 4), range(1, 401)
    holds = 0
    for seed in seeds:
        rows = fit(Ground(policy=policy, deals=DEALS, seed=seed), {"target": values}, "match_rounds", 5).answers
        holds += any((rows["low"] <= truth["value"]) & (truth["value"] <= rows["high"]))
    assert holds / len(seeds) == pytest.approx(0.95, abs=0.033)
