"""Batches: what a summary says is what the rounds say, however the work was cut; matches end as they must."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from basra_sim import kernel, plans, tables, turns
from basra_sim.errors import BasraError, InputError
from basra_sim.plans import Plan, plan, plan_units
from basra_sim.policies import get_policy
from basra_sim.reference import verdict
from basra_sim.simulation import Summary, simulate, summarise
from basra_sim.stats import Estimate
from tests.agreement import settings
from tests.intervals import critical, share_interval

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]
SOURCES = ["aces", "jacks", "two", "ten", "majority", "basras"]


def of_table(table: Any, **options: Any) -> dict[str, Any]:
    """Arguments of `simulate` for a table."""
    return {
        "variant": table.variant,
        "players": table.players,
        "pairs": table.pairs,
        "changes": table.changes,
        **options,
    }


def near(found: Estimate, value: float, half: float, units: int) -> None:
    assert found.value == pytest.approx(value, rel=1e-9, abs=1e-9)
    assert found.low == pytest.approx(value - half, rel=1e-6, abs=1e-9)
    assert found.high == pytest.approx(value + half, rel=1e-6, abs=1e-9)
    assert found.units == units


def near_share(found: Estimate, count: int, units: int) -> None:
    interval = stats.binomtest(count, units).proportion_ci(0.95, method="wilson")
    assert found.value == pytest.approx(count / units)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.units == units


def per_round(frame: Any) -> Any:
    """A row a round: ties, and points of the first mover's team over the mean of the others."""
    keys = [key for key in ("match", "round", "index") if key in frame]
    rows = []
    for key, rows_of_round in frame.groupby(keys, sort=True):
        first = rows_of_round["first"].to_numpy()
        total = rows_of_round["total"].to_numpy()
        cards = rows_of_round["cards"]
        rows.append(
            {
                "unit": np.atleast_1d(np.array(key))[0],
                "tied": (total == total.max()).sum() > 1,
                "majority_tied": (cards == cards.max()).sum() > 1,
                "first_margin": total[first].mean() - total[~first].mean(),
            }
        )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("table", settings()[:8] + settings(majority_tie="carry")[-4:], ids=lambda table: table.label)
def test_summary_of_rounds(table):
    units = 700
    arguments = of_table(table, rounds=units, policies="counter", seed=3, threads=1)
    summary = simulate(**arguments)
    frame: Any = tables.rounds(**arguments)
    assert len(frame) == units * table.team_count
    for team, rows in frame.groupby("team"):
        for name in ("total", "basra_count", "cards", *SOURCES):
            half = critical(units) * rows[name].std() / units**0.5
            near(summary.estimate(name, int(team)), rows[name].mean(), half, units)
        near_share(summary.estimate("won", int(team)), int(rows["won"].sum()), units)
    rounds = per_round(frame)
    for name in ("tied", "majority_tied"):
        near_share(summary.estimate(name), int(rounds[name].sum()), units)
    margin = rounds["first_margin"]
    near(summary.estimate("first_margin"), margin.mean(), critical(units) * margin.std() / units**0.5, units)
    assert len(summary.rows) == 10 * table.team_count + 3


def near_ratio(found: Estimate, values: Any, sizes: Any, *, shared: bool = False) -> None:
    """A ratio over matches, by the spread of each one's excess over the ratio; a share that is nought, as a share."""
    if shared and not values.any():
        near_share(found, 0, len(values))
        return
    value = values.sum() / sizes.sum()
    excess = values - value * sizes
    half = critical(len(values)) * (excess.var() * len(values)) ** 0.5 / sizes.sum()
    if shared:
        assert found.value == pytest.approx(value)
        assert (found.low, found.high) == pytest.approx(share_interval(value, half, len(values)), abs=1e-7)
    else:
        near(found, value, half, len(values))


@pytest.mark.parametrize(("players", "pairs"), [(2, False), (3, False), (4, False), (4, True)])
def test_summary_of_matches(players, pairs):
    arguments: dict[str, Any] = {"players": players, "pairs": pairs, "policies": "greedy", "seed": 4, "threads": 1}
    arguments |= {"variant": "egyptian", "changes": {"target": 60, "match_tie": "draw"}, "matches": 300}
    summary = simulate(**arguments)
    frame: Any = tables.rounds(**arguments)
    ends: Any = tables.matches(**arguments)
    sizes = frame[frame["team"] == 0].groupby("match").size()
    for team, rows in frame.groupby("team"):
        of_match = rows.groupby("match")
        for name in ("total", "won", "cards", "basra_count", *SOURCES):
            near_ratio(summary.estimate(name, int(team)), of_match[name].sum(), sizes, shared=name == "won")
        near_share(summary.estimate("match_won", int(team)), int(ends[ends["team"] == team]["won"].sum()), 300)
    rounds = per_round(frame).groupby("unit").sum()
    for name in ("tied", "majority_tied", "first_margin"):
        if name != "first_margin" and rounds[name].sum() == 0:
            near_share(summary.estimate(name), 0, 300)
        else:
            near_ratio(summary.estimate(name), rounds[name], sizes, shared=name != "first_margin")
    drawn = ends[ends["team"] == 0]["winner"] == -1
    assert drawn.any()
    near_share(summary.estimate("match_drawn"), int(drawn.sum()), 300)
    near(summary.estimate("match_rounds"), sizes.mean(), critical(300) * sizes.std() / 300**0.5, 300)
    best = ends.groupby("match")["margin"].max()
    near(summary.estimate("match_margin"), best.mean(), critical(300) * best.std() / 300**0.5, 300)
    assert summary.lengths == sizes.value_counts().sort_index().to_dict()
    assert list(summary.lengths) == sorted(summary.lengths)


def test_summary_by_name():
    summary = simulate("lebanese-a", players=4, pairs=True, policies=["greedy", "random"], rounds=50, seed=2, threads=1)
    told = summary.to_dict()
    assert told["variant"] == "lebanese-a"
    assert told["teams"] == [0, 1, 0, 1]
    assert told["policies"] == ["greedy", "random", "greedy", "random"]
    assert (told["unit"], told["units"], told["seed"], told["confidence"]) == ("round", 50, 2, 0.95)
    assert "match_lengths" not in told
    table = summary.table
    assert list(table) == ["measure", "team", "policy", "estimate", "low", "high", "units", "unit"]
    assert len(table) == len(summary.rows) == 23
    row = table[(table["measure"] == "cards") & (table["team"] == 1)].iloc[0]
    assert (row["policy"], row["unit"], row["units"]) == ("random", "cards/round", 50)
    assert row["estimate"] == summary.estimate("cards", 1).value
    assert table[table["measure"] == "tied"]["team"].isna().all()
    assert simulate(rounds=3, threads=1).to_dict()["estimates"][0]["unit"] == "points/round"
    with pytest.raises(KeyError):
        summary.estimate("cards")


def made(arguments: dict[str, Any], threads: int) -> tuple[dict[str, Any], pd.DataFrame]:
    return simulate(threads=threads, **arguments).to_dict(), tables.rounds(threads=threads, **arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"variant": "egyptian", "policies": ["random", "counter"], "rounds": 900, "seed": 6},
        {"variant": "bastra", "players": 3, "policies": "random", "matches": 70, "seed": 7},
        {"variant": "syrian-a", "players": 4, "pairs": True, "policies": "greedy", "matches": 70, "seed": 8},
    ],
    ids=["rounds", "matches", "pairs"],
)
def test_nothing_hangs_on_threads_or_chunks(arguments, monkeypatch):
    told, frame = made(arguments, 1)
    assert made(arguments, 2)[0] == told
    for size in (1, 2, 64, 69):
        for name in ("ROUNDS_A_CHUNK", "MATCHES_A_CHUNK", "LOGGED_A_CHUNK"):
            monkeypatch.setattr(plans, name, size)
        for threads in (1, 2, 7):
            again, rows = made(arguments, threads)
            assert again == told
            pd.testing.assert_frame_equal(rows, frame)


def parts_of(planned: Plan, *cuts: int) -> Iterator[plans.Played]:
    """Units played in pieces that begin and end at the cuts."""
    for start, stop in pairwise(cuts):
        yield from planned.each(lambda played: played, stop - start, first=start, threads=1, logged=True)


@pytest.mark.parametrize("matches", [False, True])
def test_units_may_be_played_in_pieces(matches):
    planned = Plan(plan("yemeni").setting, (get_policy("counter"), get_policy("random")), ((0, 1), (1, 0)), 5, matches)
    whole = list(parts_of(planned, 0, 300))
    pieces = list(parts_of(planned, 0, 1, 2, 150, 299, 300))
    for name in ("rows", "facts", "results", "logs"):
        one, other = (np.concatenate([getattr(part, name) for part in parts]) for parts in (whole, pieces))
        np.testing.assert_array_equal(one, other)
        assert len(one) == 600 or matches or name == "results"
    assert sum(part.units for part in pieces) == 300
    (far,) = parts_of(planned, plans.MOST_UNITS - 3, plans.MOST_UNITS)
    assert sorted(set(far.facts[:, kernel.MATCH].tolist())) == [2**40 - 3, 2**40 - 2, 2**40 - 1]
    assert (far.facts[:, kernel.INDEX] >> (kernel.MATCH_BITS if matches else 0) == far.facts[:, kernel.MATCH]).all()


def test_seatings_of_a_unit_are_the_same_deal():
    policies = (get_policy("greedy"), get_policy("random"))
    both = Plan(plan("bastra").setting, policies, ((0, 1), (1, 0)), 5)
    (played,) = both.play(10, 20, logged=True)
    for k, seating in enumerate(((0, 1), (1, 0))):
        (alone,) = Plan(both.setting, policies, (seating,), 5).play(10, 20, logged=True)
        np.testing.assert_array_equal(alone.logs, played.logs[k::2])
        np.testing.assert_array_equal(alone.rows, played.rows[k::2])
    assert played.facts[:, kernel.INDEX].tolist() == [index for index in range(10, 30) for _ in range(2)]


@pytest.mark.parametrize("match_tie", ["more_rounds", "draw", "extend"])
@pytest.mark.parametrize("majority_tie", ["each", "carry", "none"])
@pytest.mark.parametrize(("players", "pairs"), [(2, False), (3, False), (4, False), (4, True)])
def test_matches_end_as_they_must(players, pairs, majority_tie, match_tie):
    changes = {"match_tie": match_tie, "majority_tie": majority_tie, "target": 14, "basra_points": 3}
    if match_tie == "extend":
        # So low a target is passed by more than one extension at a tie, and the next round may fall short of the last.
        changes |= {"target": 2, "extend_by": 12}
    arguments: dict[str, Any] = {"players": players, "pairs": pairs, "changes": changes, "policies": "greedy"}
    arguments |= {"variant": "bastra", "matches": 300, "seed": 9, "threads": 1}
    frame: Any = tables.rounds(**arguments)
    ends: Any = tables.matches(**arguments).set_index(["match", "team"])
    rules = plan_units("bastra", None, 300, players=players, pairs=pairs, changes=changes)[0].setting.rules
    teams = len(frame["team"].unique())
    ties = 0
    for match, rows in frame.groupby("match"):
        score, carry = [0] * teams, 0
        numbers = sorted(rows["round"].unique())
        assert numbers == list(range(len(numbers)))
        for number, of_round in rows.groupby("round"):
            assert (of_round["index"] == int(match) << kernel.MATCH_BITS | int(number)).all()
            assert of_round["score_before"].tolist() == score
            assert of_round[of_round["first"]]["team"].tolist() == [int(number) % players % teams]
            assert (of_round["carry_in"] == carry).all()
            carry = int(of_round["carry_out"].iloc[0])
            assert majority_tie == "carry" or carry == 0
            before, score = score, [a + b for a, b in zip(score, of_round["total"], strict=True)]
            found = verdict(rules, before, score)
            assert found.over == (number == numbers[-1])
            ties += max(score) >= found.target and score.count(max(score)) > 1
        assert ends.loc[match]["score"].tolist() == score
        assert (ends.loc[match]["rounds"] == len(numbers)).all()
        winner = -1 if found.winner is None else found.winner
        assert (ends.loc[match]["winner"] == winner).all()
        assert ends.loc[match]["won"].tolist() == [team == winner for team in range(teams)]
        margins = [own - max(score[:team] + score[team + 1 :]) for team, own in enumerate(score)]
        assert ends.loc[match]["margin"].tolist() == margins
    assert ties > 2, "what happens at a tie has been seen"


def test_majority_points_are_carried_on():
    frame: Any = tables.rounds("egyptian", matches=400, policies="greedy", seed=2, threads=1, changes={"target": 300})
    by_round = frame.groupby(["match", "round"])
    tied = by_round["cards"].nunique() == 1
    worth = by_round["carry_in"].first() + 30
    assert (by_round["carry_out"].first() == worth.where(tied, 0)).all()
    assert (by_round["majority"].sum() == worth.where(~tied, 0)).all()
    assert worth.max() >= 90, "carried twice in a row"


@pytest.mark.parametrize(("target", "count"), [(400, 30), (100_000, 2)])
def test_matches_longer_than_the_room_for_their_rounds(target, count):
    planned = plan("bastra", policies="greedy", seed=3, matches=True, changes={"target": target})
    parts = list(planned.play(0, count))
    assert len(parts) > 1
    assert [part.first for part in parts] == list(np.cumsum([0, *(part.units for part in parts[:-1])]))
    assert sum(part.units for part in parts) == count
    results = np.concatenate([part.results for part in parts])
    lengths = results[:, kernel.MATCH_ROUNDS]
    assert lengths.min() > 16
    assert [len(part.rows) for part in parts] == [lengths[part.first : part.first + part.units].sum() for part in parts]
    for unit in (0, count - 1):
        (alone,) = planned.play(unit, 1)
        part = next(part for part in parts if part.first <= unit < part.first + part.units)
        where = part.facts[:, kernel.MATCH] == unit
        np.testing.assert_array_equal(part.rows[where], alone.rows)
        np.testing.assert_array_equal(part.facts[where], alone.facts)
        np.testing.assert_array_equal(results[unit], alone.results[0])
    assert (results[:, kernel.FIRST_SCORE : kernel.FIRST_SCORE + 2].max(axis=1) >= target).all()


@pytest.mark.slow
def test_a_match_that_does_not_end():
    nothing = dict.fromkeys(("ace_points", "jack_points", "two_points", "ten_points", "majority_points"), 0)
    changes = {**nothing, "basra_points": 0, "jack_on_jack": 1, "target": 100_000}
    with pytest.raises(BasraError, match=r"^bastra: a match has not ended after 1048576 rounds$"):
        simulate("bastra", policies="greedy", matches=1, threads=1, changes=changes)


@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        (turns.TOO_MANY_CHOICES, "bastra: a card has more choices than there is room for"),
        (turns.NO_SCORE, "bastra: a policy's function gave no number (nan) for a play, or raised an error"),
        (turns.NO_CAPTOR, "bastra: nobody captured in a round: please report it with the setting and the seed"),
        (turns.NO_END, "bastra: a match has not ended after 1048576 rounds"),
    ],
)
def test_trouble_is_told(status, wrong, monkeypatch):
    monkeypatch.setattr(kernel, "play_batch", lambda *_: status)
    for threads in (1, 2):
        with pytest.raises(BasraError) as error:
            simulate(rounds=20_000, threads=threads)
        assert str(error.value) == wrong
        assert error.value.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "places"),
    [
        ({"policies": "greedy"}, ["greedy"] * 2),
        ({"policies": ["random", "greedy"]}, ["random", "greedy"]),
        ({"players": 3, "policies": ["random", "greedy", "counter"]}, ["random", "greedy", "counter"]),
        ({"players": 4, "pairs": True, "policies": ["random", "greedy"]}, ["random", "greedy"] * 2),
        ({"players": 4, "pairs": True, "policies": ["random", "greedy", "counter", "random"]}, None),
        ({"players": 4, "policies": get_policy("counter")}, ["counter"] * 4),
    ],
)
def test_policies_by_player_or_team(arguments, places):
    planned = plan("bastra", **arguments)
    names = [planned.policies[place].name for place in planned.seatings[0]]
    assert names == (places or arguments["policies"])


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"policies": ["greedy"] * 3}, "3 policies are given: it takes 1 or 2"),
        ({"policies": []}, "0 policies are given: it takes 1 or 2"),
        ({"players": 4, "policies": ["greedy"] * 2}, "2 policies are given: it takes 1 or 4"),
        ({"players": 4, "pairs": True, "policies": ["greedy"] * 3}, "3 policies are given: it takes 1 or 2 or 4"),
        ({"policies": "best"}, "no policy is called 'best'"),
        ({"seed": -1}, "seed = -1 is not possible: it must be a whole number from 0 to 9223372036854775807"),
        ({"seed": 2**63}, "seed = 9223372036854775808 is not possible"),
        ({"seed": 1.5}, "seed = 1.5 is not possible"),
        ({"seed": True}, "seed = True is not possible"),
        ({"rounds": 0}, "rounds = 0 is not possible: it must be a whole number from 1 to "),
        ({"rounds": -5}, "rounds = -5 is not possible"),
        ({"rounds": 2.5}, "rounds = 2.5 is not possible"),
        ({"rounds": 2**40 + 1}, "rounds = 1099511627777 is not possible"),
        ({"rounds": None, "matches": 0}, "matches = 0 is not possible"),
        ({"matches": 5}, "rounds and matches are both given: give one of them"),
        ({"threads": 0}, "threads = 0 is not possible"),
        ({"threads": -2}, "threads = -2 is not possible"),
        ({"players": 5}, "players = 5 is not possible"),
        ({"variant": "palestinian", "players": 3}, "palestinian with 3 players"),
        ({"pairs": True}, "pairs need 4 players, not 2"),
        ({"changes": {"targets": 50}}, "targets = 50: there is no such option"),
    ],
)
def test_bad_arguments(arguments, wrong):
    makers: list[Callable[..., Any]] = [simulate, tables.rounds]
    for make in makers:
        with pytest.raises(InputError) as error:
            make(**{"rounds": 10, **arguments})
        assert str(error.value).startswith(wrong)
        assert "\n" not in str(error.value)


def test_progress_is_told_to_the_end():
    told: list[tuple[int, int]] = []
    simulate(rounds=20_000, threads=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(8192, 20_000), (16_384, 20_000), (20_000, 20_000)]


def test_numbers_that_are_not_plain_ints():
    number: Any = np.int64(50)
    summary = simulate(rounds=number, seed=np.int64(3), threads=1)
    assert isinstance(summary, Summary)
    assert summary.to_dict() == simulate(rounds=50, seed=3, threads=1).to_dict()
    assert summarise(plan("bastra", seed=3), 50, threads=1).to_dict() == summary.to_dict()


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_rounds_of_every_table_add_up(table):
    frame: Any = tables.rounds(**of_table(table, rounds=200, policies="random", threads=1))
    rules, each_round = table.rules, frame.groupby("index")
    assert (each_round["cards"].sum() == rules.pack).all()
    assert (frame["total"] == frame[SOURCES].sum(axis=1)).all()
    assert (each_round[SOURCES[:4]].sum().sum(axis=1) == 13).all()
    assert (frame["won"] == (frame["winner"] == frame["team"])).all()
    assert (each_round["first"].sum() == 1).all()
    assert ((frame["basras"] > 0) == (frame["basra_count"] > 0)).all()
    worth = rules.majority_points
    assert frame["majority"].isin([0, worth]).all()
    assert frame.groupby("team")["index"].apply(list).tolist() == [list(range(200))] * table.team_count
