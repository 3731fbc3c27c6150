"""Tuning: the search, the league, what a run comes to, and that it does so again and after a break."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyses.tuning.evaluation import margin_sums, per_round
from analyses.tuning.files import PART, file_name
from analyses.tuning.league import OWN_PAST, league
from analyses.tuning.runs import TUNED, Tuned, tune
from analyses.tuning.search import DECIMALS, Search, features_that_matter, seed_of, weights_of
from basra_sim import Policy, duel, get_policy, setting
from basra_sim.errors import BasraError, InputError
from basra_sim.policies import FEATURES
from basra_sim.policies.tuned import KEYS

TABLES = [("bastra", 2, False), ("egyptian", 3, False), ("palestinian", 4, True)]

QUICK: dict[str, Any] = {"generations": 4, "population": 5, "rounds": 240, "deals": 200, "seed": 3}

RECKLESS = get_policy("counter").revised("reckless", basra_risk=1.0)
"""A player with a plainly bad weight."""


def weighing(policy: Policy, name: str, weight: float) -> Policy:
    """Policy with another weight."""
    return replace(policy, weights={**(policy.weights or {}), name: weight})


def stop_after(generations: int) -> Callable[[int, float], None]:
    """What ends a run as Ctrl-C does, once so many generations are done."""

    def note(generation: int, _: float) -> None:
        if generation == generations:
            raise KeyboardInterrupt

    return note


@pytest.mark.parametrize(("variant", "players", "pairs"), TABLES)
def test_margins_are_those_of_duels(variant: str, players: int, pairs: bool) -> None:
    table = setting(variant, players, pairs)
    tried = [get_policy(name) for name in ("greedy", "adept", "random")]
    sums = margin_sums(table, tried, get_policy("counter"), 5, 0, 150)
    for policy, found in zip(tried, sums, strict=True):
        expected = duel(policy, "counter", variant, players=players, pairs=pairs, deals=150, seed=5).margin.value
        assert per_round(table, found, 150) == pytest.approx(expected)
    assert len({*sums}) == 3


def test_margins_add_up_over_ranges_of_deals_and_do_not_depend_on_threads() -> None:
    table, tried, opponent = setting("bastra"), [get_policy("adept"), RECKLESS], get_policy("greedy")
    whole = margin_sums(table, tried, opponent, 7, 10, 9_000, threads=1)
    parts = [
        margin_sums(table, tried, opponent, 7, first, deals, threads=2)
        for first, deals in ((10, 4_000), (4_010, 5_000))
    ]
    assert whole == [sum(each) for each in zip(*parts, strict=True)]
    assert margin_sums(table, tried[:1], opponent, 7, 10, 9_000) == whole[:1]


@pytest.mark.parametrize(("variant", "players", "pairs"), TABLES)
def test_only_features_that_cannot_matter_are_left_out(variant: str, players: int, pairs: bool) -> None:
    table = setting(variant, players, pairs)
    matter = features_that_matter(table)
    names = {each.name for each in FEATURES}
    sweeping = {"seven_takes", "seven_takes_late", "seven_laid"} if variant == "egyptian" else set()
    assert sweeping <= {*matter}
    assert ("face_laid" in matter) == (variant != "palestinian")
    base = get_policy("adept")
    tried = [base, *(weighing(base, name, 8.0) for name in sorted(names - {*matter}))]
    assert len({*margin_sums(table, tried, get_policy("greedy"), 1, 0, 300)}) == 1
    for name in matter:
        tried = [base, *(weighing(base, name, weight) for weight in (-8.0, 8.0))]
        assert len({*margin_sums(table, tried, get_policy("greedy"), 1, 0, 300)}) > 1


def test_the_search_moves_all_weights_but_the_scale() -> None:
    table = setting("bastra")
    start = weights_of(get_policy("adept"), table)
    search = Search(start, table, 8, 1)
    assert search.mean == {name: start[name] for name in features_that_matter(table)}
    candidates = search.ask(0)
    assert len(candidates) == 8
    assert {each["points_taken"] for each in candidates} == {start["points_taken"]}
    for name in search.free:
        values = {each[name] for each in candidates}
        assert len(values) == 8
        assert all(round(value, DECIMALS) == value for value in values)
    assert "points_taken" in Search(start | {"points_taken": 0.0}, table, 8, 1).free


def test_the_search_finds_the_top_of_a_hill() -> None:
    table = setting("bastra")
    search = Search(weights_of(get_policy("adept"), table), table, 12, 1)
    top = {name: search.mean[name] + 2 * step for name, step in zip(search.free, search.steps, strict=True)}

    def below(weights: dict[str, float]) -> float:
        steps = zip(search.free, search.steps, strict=True)
        return float(sum(((weights[name] - top[name]) / step) ** 2 for name, step in steps))

    first = below(search.mean)
    for generation in range(80):
        search.tell([-round(1e6 * below(each)) for each in search.ask(generation)])
    assert below(search.mean) < first / 1000


def test_draws_of_a_generation_hang_on_seed_and_generation_alone() -> None:
    table = setting("bastra")
    start = weights_of(get_policy("adept"), table)
    assert Search(start, table, 6, 1).ask(0) == Search(start, table, 6, 1).ask(0)
    assert Search(start, table, 6, 1).ask(0) != Search(start, table, 6, 1).ask(1)
    assert Search(start, table, 6, 1).ask(0) != Search(start, table, 6, 2).ask(0)
    assert len({seed_of(seed, kind, number) for seed in (1, 2) for kind in (0, 1) for number in range(50)}) == 200


def test_the_league_plays_itself_counter_and_greedy() -> None:
    usual = league()
    assert sum(usual.shares.values()) == pytest.approx(1)
    assert {*usual.shares} == {OWN_PAST, "counter", "greedy"}
    asked: list[int] = []

    def past(generation: int) -> Policy:
        asked.append(generation)
        return get_policy("adept")

    opponents = usual.opponents(1200, 5, past)
    assert asked == [4, 2, 0]
    deals = usual.deals(1200)
    for name, share in usual.shares.items():
        assert deals[name] == pytest.approx(1200 * share, abs=2)
        assert sum(played for other, _, played in opponents if other == name) == deals[name]
    asked.clear()
    usual.opponents(1200, 0, past)
    assert asked == [0, 0, 0]
    assert [(name, deals) for name, _, deals in league("adept").opponents(1200, 3, past)] == [("adept", 1200)]


@pytest.mark.parametrize(
    ("variant", "table"), [("bastra", {}), ("palestinian", {"players": 4, "pairs": True, "against": "counter"})]
)
def test_the_same_again_on_any_number_of_threads(tmp_path: Path, variant: str, table: dict[str, Any]) -> None:
    for threads, name in ((1, "a.json"), (2, "b.json"), (1, "c.json")):
        tune(variant, output=tmp_path / name, threads=threads, **table, **QUICK)
    first, *others = ((tmp_path / f"{name}.json").read_bytes() for name in "abc")
    assert others == [first, first]
    assert tune(variant, **table, **QUICK | {"seed": 4}).final != json.loads(first)["provenance"]["tuned_weights"]


@pytest.mark.parametrize("done", [1, 3])
def test_interrupted_and_gone_on_with_is_the_same_as_never_interrupted(tmp_path: Path, done: int) -> None:
    tune(output=tmp_path / "whole.json", **QUICK)
    broken = tmp_path / "broken.json"
    with pytest.raises(KeyboardInterrupt):
        tune(output=broken, note=stop_after(done), **QUICK)
    assert not broken.exists()
    part = tmp_path / f"broken.json{PART}"
    assert len(json.loads(part.read_text())["generations"]) == done
    reports: list[tuple[int, int]] = []
    tune(output=broken, progress=lambda *report: reports.append(report), **QUICK)
    assert broken.read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.json", "whole.json"]
    of = reports[-1][1]
    assert reports[0][0] > done * of // 20
    assert reports == sorted(reports)
    assert reports[-1] == (of, of)


def test_interrupted_within_a_generation(tmp_path: Path) -> None:
    whole, calls = tune(**QUICK), 0

    def stop(*_: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(output=tmp_path / "w.json", progress=stop, **QUICK)
    assert tune(output=tmp_path / "w.json", **QUICK) == whole


def test_what_was_kept_of_other_settings_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "w.json"
    with pytest.raises(KeyboardInterrupt):
        tune(output=output, note=stop_after(2), **QUICK)
    kept = (tmp_path / "w.json.part").read_text()
    for other in ({"seed": 4}, {"rounds": 241}, {"start": "counter"}, {"against": "greedy"}, {"players": 3}):
        with pytest.raises(InputError, match=r"w\.json\.part holds a run of other settings \(\w+ = "):
            tune(output=output, **QUICK | other)
    assert (tmp_path / "w.json.part").read_text() == kept


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"settings": {}, "generations": [{}]}', '{"settings": 1}'])
def test_what_is_no_interrupted_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.json.part").write_text(text)
    with pytest.raises(InputError, match="holds no interrupted run: remove it to begin anew"):
        tune(output=tmp_path / "w.json", **QUICK)


def test_what_leads_elsewhere_is_not_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tune(output=tmp_path / "w.json", note=stop_after(2), **QUICK)
    part = tmp_path / "w.json.part"
    kept = json.loads(part.read_text())
    kept["generations"][0]["fitness"].reverse()
    part.write_text(json.dumps(kept))
    with pytest.raises(BasraError, match="does not lead to the same candidates here"):
        tune(output=tmp_path / "w.json", **QUICK)


@pytest.fixture(scope="module")
def improved() -> Tuned:
    """What tuning makes of a player with a plainly bad weight."""
    return tune(start=RECKLESS, generations=12, population=10, rounds=3_000, deals=4_000)


def test_a_bad_weight_is_improved(improved: Tuned) -> None:
    assert improved.is_better
    assert improved.weights["basra_risk"] < 0
    told = improved.margin(TUNED, "start")
    fresh = duel(improved.policy(), RECKLESS, deals=4_000, seed=99).margin
    for margin in (told, fresh):
        assert margin.low is not None
        assert margin.low > 1


def test_a_best_response_takes_more_than_the_start() -> None:
    found = tune(start="greedy", against="counter-noise:0.3", generations=10, population=8, rounds=2_000, deals=4_000)
    assert found.provenance["course"].keys() == {"of", "unit", "counter-noise:0.3"}
    gain = duel(found.policy(), "greedy", opponent="counter-noise:0.3", deals=4_000, seed=99).margin
    assert gain.low is not None
    assert gain.low > 0


def test_it_starts_from_a_file_of_weights(tmp_path: Path) -> None:
    first = tune(output=tmp_path / "first.json", **QUICK)
    again = tune(start=str(tmp_path / "first.json"), **QUICK)
    assert again.start == first.weights


@pytest.mark.parametrize("seed", range(4))
def test_the_better_one_is_chosen(seed: int) -> None:
    found = tune(against="adept", start="counter", **QUICK | {"seed": seed, "generations": 1})
    tuned, start = (found.margin(player, "adept").value for player in ("tuned", "start"))
    assert tuned is not None
    assert start is not None
    assert found.is_better == (tuned > start)
    assert found.weights == (found.final if tuned > start else found.start)


def test_the_file_tells_what_its_weights_are_worth(tmp_path: Path) -> None:
    output = tmp_path / file_name(setting("egyptian"))
    found = tune("egyptian", output=output, **QUICK)
    told = json.loads(output.read_text(encoding="utf-8"))
    assert output.name == "egyptian-2.json"
    assert told == found.to_dict()
    assert tuple(told) == KEYS
    assert [told[name] for name in ("variant", "players", "pairs")] == ["egyptian", 2, False]
    assert get_policy(str(output)).weights == found.weights
    provenance = told["provenance"]
    assert provenance["seed"] == 3
    assert all(len(provenance["course"][name]) == 4 for name in provenance["league"])
    end = provenance["at_the_end"]
    player = Policy("from the file", weights=provenance["tuned_weights"])
    for each in end["margins"]:
        if (each["player"], each["opponent"]) == ("tuned", "counter"):
            margin = duel(player, "counter", "egyptian", deals=each["units"], seed=end["seed"]).margin
            assert [each[name] for name in ("estimate", "low", "high")] == pytest.approx(
                [margin.value, margin.low, margin.high], abs=5e-5
            )
            break
    else:
        raise AssertionError("the margin against counter is missing")


def test_nothing_else_is_drawn_from_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cma_signals.in").write_text("{'timeout': 0}\n")
    before = np.random.get_state(legacy=False)  # noqa: NPY002 -- this state is the one meant
    first = tune(output=tmp_path / "w.json", **QUICK)
    after = np.random.get_state(legacy=False)  # noqa: NPY002
    assert before["state"]["pos"] == after["state"]["pos"]
    assert np.array_equal(before["state"]["key"], after["state"]["key"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cma_signals.in", "w.json"]
    np.random.seed(12)  # noqa: NPY002
    assert tune(**QUICK) == first


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"generations": 0}, "generations = 0 is not possible"),
        ({"population": 3}, "population = 3 is not possible: it must be a whole number from 4"),
        ({"rounds": 0}, "rounds = 0 is not possible"),
        ({"deals": 1}, "deals = 1 is not possible"),
        ({"seed": -1}, "seed = -1 is not possible"),
        ({"threads": 0}, "threads = 0 is not possible"),
        ({"start": "random"}, "policy random does not weigh features: there is nothing to tune"),
        ({"start": "counter-memory:4"}, "policy counter-memory:4 is more than its weights"),
        ({"start": "greedy+jack-hold"}, "is more than its weights"),
        ({"start": "champ"}, "no policy is called 'champ'"),
        ({"against": "champ"}, "no policy is called 'champ'"),
        ({"players": 5}, "players"),
        ({"output": Path("nowhere/w.json")}, "nowhere/w.json: the folder nowhere does not exist"),
    ],
)
def test_what_is_impossible_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as refused:
        tune(**QUICK | given)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
