"""Measures of balance: sums that must come out, whole matches, second seeds, planted skill, chunks and threads."""

from itertools import product
from math import isclose
from typing import Any

import numpy as np
import pytest

from analyses.balance import equal
from analyses.balance.contrasts import CONTRASTS
from analyses.balance.equal import measured
from analyses.balance.evaluation import Evaluation, Precision, difference, rounds_to_tell, unpaired
from analyses.balance.measures import (
    CHOICE_MEASURES,
    MATCH_MEASURES,
    MEASURES,
    ROUND_MEASURES,
    SKILL_MEASURES,
    SOURCE_PARTS,
)
from analyses.balance.runs import COMPANIES, Extent, jobs
from analyses.balance.skill import skill
from analyses.jobs import run, same_rules
from basra_sim import plans, policy
from basra_sim.errors import BasraError, InputError
from basra_sim.policies import get_policy
from basra_sim.pools import GROUPS, Pools, equal_plan, match_seen, play_key
from basra_sim.rules import Setting
from basra_sim.simulation import simulate
from basra_sim.stats import Estimate
from basra_sim.variants import setting, variant_names

DEALS = 8192

TABLES = [setting("bastra"), setting("egyptian", 3), setting("lebanese-a", 4), setting("palestinian", 4, True)]


def label(table: Setting) -> str:
    return f"{table.label}-{table.players}{'p' if table.pairs else ''}"


@pytest.fixture(scope="module", params=TABLES, ids=label)
def found(request: pytest.FixtureRequest) -> Evaluation:
    return measured(request.param, deals=DEALS, seed=6)


def value(found: Evaluation, measure: str, part: str = "") -> float:
    number = found.estimate(measure, part).value
    assert number is not None
    return number


def test_every_measure_is_found_once(found: Evaluation) -> None:
    names = [name for name, _ in found.values]
    assert set(names) == {measure.name for measure in (*ROUND_MEASURES, *MATCH_MEASURES)}
    assert len(MEASURES) == sum(map(len, (ROUND_MEASURES, MATCH_MEASURES, SKILL_MEASURES, CHOICE_MEASURES)))
    for row in found.rows():
        assert row["low"] <= row["estimate"] <= row["high"], row
        assert (row["units"], row["seed"]) == (DEALS, 6)


def test_what_must_add_up_does(found: Evaluation) -> None:
    sources = SOURCE_PARTS[:-1]
    assert isclose(sum(value(found, "variance_share", part) for part in sources), 1)
    assert isclose(sum(value(found, "points", part) for part in sources), value(found, "points", "total"))
    assert isclose(sum(value(found, "points", part) for part in sources[:4]), 13)
    lengths = [part for name, part in found.values if name == "match_length"]
    assert isclose(sum(value(found, "match_length", part) for part in lengths), 1)
    mean = sum(int(part) * value(found, "match_length", part) for part in lengths)
    assert isclose(mean, value(found, "match_rounds"))
    assert isclose(mean * found.table.plays, value(found, "match_plays"))
    if found.table.team_count == 2:
        for measure in ("seat_advantage", "round_wins", "match_wins"):
            assert isclose(value(found, f"first_{measure}"), -value(found, f"last_{measure}"), abs_tol=1e-12)
    assert value(found, "comeback", "10 behind, 40 to go") > value(found, "comeback", "30 behind, 40 to go")


def test_whole_matches_say_the_same(found: Evaluation) -> None:
    # The kernel plays the matches, round after round, on deals of their own.
    table = found.table
    at_table: dict[str, Any] = {"players": table.players, "pairs": table.pairs}
    made = simulate(table.label, matches=20_000, seed=77, **at_table)
    pairs = {
        ("match_rounds", ""): made.estimate("match_rounds"),
        ("round_ties", ""): made.estimate("tied"),
        ("majority_ties", ""): made.estimate("majority_tied"),
        ("first_seat_advantage", ""): made.estimate("first_margin"),
        ("basras", ""): sum_of(made.estimate("basra_count", team) for team in range(table.team_count)),
    }
    wins = made.estimate("match_won", 0)
    assert agree(found.estimate("first_match_wins"), less(wins, 1 / table.team_count))
    for (measure, part), other in pairs.items():
        assert agree(found.estimate(measure, part), other), measure
    for length, number in made.lengths.items():
        share = number / 20_000
        if share > 0.01:
            margin = 4 * (share / 20_000) ** 0.5 + 2 * (found.estimate("match_length", str(length)).half_width or 0)
            assert abs(value(found, "match_length", str(length)) - share) < margin


def sum_of(parts: Any) -> Estimate:
    """Sum of estimates, with an interval that is wide enough whatever they have in common."""
    parts = list(parts)
    value, low, high = (sum(getattr(each, name) for each in parts) for name in ("value", "low", "high"))
    return Estimate(value, low, high, parts[0].units)


def less(found: Estimate, by: float) -> Estimate:
    value, low, high = (None if end is None else end - by for end in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.units)


def agree(one: Estimate, other: Estimate, errors: float = 4.0) -> bool:
    """Whether two independent estimates are no more standard errors apart than that."""
    gap = unpaired(one, other)
    assert gap.value is not None
    assert gap.half_width is not None
    return abs(gap.value) <= gap.half_width / 1.96 * errors + 1e-12


def test_two_seeds_agree_as_often_as_intervals_say() -> None:
    apart, cells = 0, 0
    fixed, doubled = [("points", part) for part in SOURCE_PARTS[:4]], ("match_length", "match_plays")
    # Packs of their own for each table: variants that are alike would err alike.
    for place, (alike, (players, pairs)) in enumerate(product(same_rules(), ((2, False), (4, True)))):
        table = setting(alike[0], players, pairs)
        one, other = (measured(table, deals=DEALS, seed=seed + place) for seed in (1000, 2000))
        for measure, part in one.values:
            mirror = measure.startswith("last_")  # among two sides the first one's, turned round
            if mirror or measure in doubled or (measure, part) in fixed:
                continue
            cells += 1
            apart += not agree(one.estimate(measure, part), other.estimate(measure, part), 1.96)
    assert cells > 700
    # 5 % of them, give or take what chance does to so many that hang together within a table.
    assert 0.02 <= apart / cells <= 0.08


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    table, seeds = setting("bastra"), 400
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(equal, "STARTS", 10**9)  # a truth that is known better than by so many
        truth = measured(table, deals=1_500_000, seed=999)
    held: dict[tuple[str, str], int] = {}
    for seed in range(seeds):
        made = measured(table, deals=4096, seed=seed)
        for key in truth.values:
            if key[0] == "match_length" and value(truth, *key) < 0.01:
                continue
            low, high = (getattr(made.estimate(*key), end) for end in ("low", "high"))
            held[key] = held.get(key, 0) + (low - 1e-9 <= value(truth, *key) <= high + 1e-9)
    rates = {key: number / seeds for key, number in held.items()}
    fixed = [("points", part) for part in SOURCE_PARTS[:4]]
    assert all(rates[key] == 1 for key in fixed)
    others = [rate for key, rate in rates.items() if key not in fixed]
    assert min(others) > 0.91, {key: rate for key, rate in rates.items() if rate <= 0.91}
    assert 0.935 < float(np.mean(others)) < 0.965


@pytest.mark.parametrize("table", TABLES, ids=label)
def test_a_planted_gap_moves_skill_with_it(table: Setting) -> None:
    gaps = [skill(table, "greedy", f"greedy-noise:{noise}", deals=DEALS) for noise in (0, 0.1, 0.25, 0.5, 1)]
    for measure in ("skill", "better_margin", "effect", "better_round_wins", "better_match_wins"):
        values = [value(each, measure) for each in gaps]
        assert values == sorted(values), measure
        assert values[1] > values[0]
    needed = [each.estimate("rounds_to_tell").value or float("inf") for each in gaps]
    assert needed == sorted(needed, reverse=True)


@pytest.mark.parametrize("table", TABLES, ids=label)
def test_players_alike_show_no_skill(table: Setting) -> None:
    made = skill(table, "greedy", "greedy", deals=DEALS)
    assert value(made, "better_margin") == pytest.approx(0, abs=1e-12)
    assert value(made, "better_round_wins") == pytest.approx(1 / table.team_count)
    assert value(made, "skill") == pytest.approx(0, abs=1e-12)
    assert made.estimate("rounds_to_tell").value is None
    # Every version is the same round, so that the deal and the seats explain all of it.
    assert value(made, "rest_share") == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("table", TABLES, ids=label)
def test_shares_of_the_variance_add_up(table: Setting) -> None:
    made = skill(table, deals=DEALS)
    names = [name for name, _ in made.values if MEASURES[name].unit == "of the variance"]
    assert ("company_share" in names) == (table.team_count > 2)
    shares = [value(made, name) for name in names]
    assert sum(shares) == pytest.approx(1)
    assert all(share >= 0 for share in shares)
    replicates = sum(made.replicates(name) for name in names)
    assert np.allclose(replicates, 1)


def test_skill_is_the_better_one_not_his_neighbours() -> None:
    # Among three, whoever sits behind the better player finds less on the floor: most of what differs between places.
    made = skill(setting("ethiopian", 3), deals=16_384)
    ahead = value(made, "better_margin")
    planned = plans.plan("ethiopian", players=3, policies=["counter", "greedy", "greedy"])
    totals = np.concatenate([part.rows for part in planned.play(0, 8192)])[:, :3, 1:7].sum(axis=2)
    margins = totals - (totals.sum(axis=1, keepdims=True) - totals) / 2
    assert value(made, "skill") == pytest.approx(ahead**2 / 2 / (margins**2).mean(), rel=0.1)
    assert value(made, "company_share") > 3 * value(made, "skill")


def test_a_lead_in_sum_after_the_rounds_that_it_takes() -> None:
    made = skill(setting("palestinian"), deals=DEALS)
    number = round(made.estimate("rounds_to_tell").value or 0)
    plays = simulate_sums(number)
    assert plays == pytest.approx(0.95, abs=0.015)


def simulate_sums(number: int, times: int = 3000) -> float:
    """How often the better player's points of so many rounds, in each seat in turn, are above the other's."""
    margins: list[Any] = []
    for seating in (("counter", "greedy"), ("greedy", "counter")):
        planned = plans.plan("palestinian", policies=seating, seed=31 + len(margins))
        rows = np.concatenate([part.rows for part in planned.play(0, number * times // 2 + number)])
        totals = rows[:, :2, 1:7].sum(axis=2)
        margins.append((totals[:, 0] - totals[:, 1]) * (1 if seating[0] == "counter" else -1))
    size = min(map(len, margins))
    mixed = np.stack([margins[0][:size], margins[1][:size]], axis=1).ravel()
    sums = mixed[: number * times].reshape(times, number).sum(axis=1)
    return float(((sums > 0) + 0.5 * (sums == 0)).mean())


def test_nothing_depends_on_threads_or_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    table = setting("yemeni", 3)
    one = [measured(table, "counter", deals=4096, threads=1), skill(table, deals=4096, threads=1)]
    monkeypatch.setattr(plans, "ROUNDS_A_CHUNK", 411)
    other = [measured(table, "counter", deals=4096, threads=2), skill(table, deals=4096, threads=3)]
    for a, b in zip(one, other, strict=True):
        assert list(a.rows()) == list(b.rows())


def test_a_precision_is_reached_and_little_more() -> None:
    goal = Precision(points=0.2, shares=0.02)
    made = measured(setting("egyptian"), precision=goal, seed=4)
    assert 0.6 < goal.excess(made) <= 1
    assert made.rounds == 2 * made.deals
    assert len(made.lots) > 1
    # Fewer, larger lots would be other groups, but the same deals.
    again = measured(setting("egyptian"), precision=goal, seed=4)
    assert list(again.rows()) == list(made.rows())


def test_differences_on_common_deals_are_sharp() -> None:
    carried, lost = setting("egyptian"), setting("egyptian", changes={"majority_tie": "none"})
    pools = Pools()
    one, other = (measured(table, deals=DEALS, pools=pools) for table in (carried, lost))
    assert (pools.played, pools.reused) == (2 * DEALS, 1)
    gap = difference(one, other, "match_rounds")
    assert gap.value == pytest.approx(value(other, "match_rounds") - value(one, "match_rounds"))
    apart = unpaired(one.estimate("match_rounds"), other.estimate("match_rounds"))
    assert (gap.half_width or 1) < 0.4 * (apart.half_width or 0)
    with pytest.raises(ValueError, match="same deals"):
        difference(one, measured(lost, deals=2 * DEALS), "match_rounds")


def test_rounds_that_stand_ready_are_taken_as_they_are() -> None:
    pools, goal = Pools(), Precision(points=0.4, shares=0.05)
    carried, lost = setting("egyptian"), setting("egyptian", changes={"majority_tie": "none"})
    one, other = (measured(table, precision=goal, pools=pools) for table in (carried, lost))
    assert goal.excess(other) <= 1
    assert other.lots[: len(one.lots)] == one.lots
    assert pools.played == max(one.rounds, other.rounds)


def test_plays_are_shared_only_where_players_play_alike() -> None:
    def key(name: str, **changes: object) -> object:
        return play_key(equal_plan(setting("bastra", changes=changes), get_policy(name)))

    for option, new in (("target", 50), ("majority_tie", "carry"), ("match_tie", "draw")):
        assert key("counter", **{option: new}) == key("counter")
    bold = get_policy("greedy").revised("bold", majority_taken=0)
    assert play_key(equal_plan(setting("bastra", changes={"majority_points": 9}), bold)) == play_key(
        equal_plan(setting("bastra"), bold)
    )
    assert key("greedy", majority_points=9) != key("greedy")  # it weighs what cards are worth for the majority
    for option in ("ace_points", "ten_points", "basra_points", "jack_on_jack"):
        assert key("random", **{option: 7}) == key("random")
        assert key("greedy", **{option: 7}) != key("greedy")
    assert key("random", two_points=0) != key("random")  # which two is taken is no choice any more
    assert key("random", hand_size=6) != key("random")


@policy
def watcher(view: Any, play: Any) -> float:
    """Looks at the target."""
    return float(play.points + view.target * 0)


def test_functions_of_a_persons_own_may_look_at_all_rules() -> None:
    plans = [equal_plan(setting("bastra", changes={"target": target}), watcher) for target in (100, 50)]
    assert match_seen(plans[0])
    assert not match_seen(equal_plan(setting("bastra"), get_policy("adept+jack-hold")))
    assert play_key(plans[0]) != play_key(plans[1])


def test_all_variants_and_tables_have_their_rows() -> None:
    frame = run(jobs(Extent(variant_names(), tuple(COMPANIES), ("greedy",), deals=4096, decisions=0)))
    tables = frame.groupby("variant", sort=False)[["players", "pairs"]].apply(lambda part: len(part.drop_duplicates()))
    assert tuple(tables.index) == tuple(sorted(variant_names(), key=list(tables.index).index))
    without_three = {"palestinian", "jordanian-a", "syrian-b"}
    assert {str(name): number for name, number in tables.items()} == {
        name: 3 if name in without_three else 4 for name in variant_names()
    }
    assert set(frame["policy"]) == {"greedy", "counter, greedy"}
    same = frame[frame["variant"].isin(["palestinian", "jordanian-a"])].groupby(["measure", "part", "players", "pairs"])
    assert (same["estimate"].nunique(dropna=False) <= 2).all()


def test_tables_that_cannot_be_are_refused_with_the_reason() -> None:
    with pytest.raises(InputError, match="palestinian with 3 players"):
        list(jobs(Extent(("palestinian",), ("3",))))
    with pytest.raises(InputError, match="either a number of deals or a precision"):
        measured(setting("bastra"))
    with pytest.raises(InputError, match=f"takes {64 * GROUPS} to"):
        measured(setting("bastra"), deals=100)
    with pytest.raises(BasraError, match="some match takes more than 64 rounds"):
        measured(setting("bastra", changes={"target": 100_000}), deals=4096)


def test_rounds_to_tell_turns_the_effect_round() -> None:
    found = rounds_to_tell(Estimate(0.5, 0.4, 0.6, 100))
    assert found.value == pytest.approx((1.6449 / 0.5) ** 2, rel=1e-4)
    assert (found.low or 0) < (found.value or 0) < (found.high or 0)
    assert rounds_to_tell(Estimate(0.1, -0.1, 0.3, 100)).high is None
    assert rounds_to_tell(Estimate(-0.1, -0.3, -0.05, 100)).value is None


def test_contrasts_are_possible_and_asked_once() -> None:
    assert len({each.name for each in CONTRASTS}) == len(CONTRASTS)
    for each in CONTRASTS:
        assert setting(each.variant, changes=each.changes).changes, each.name
        assert each.asks.endswith("?")
