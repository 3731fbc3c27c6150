"""Duels: nothing comes of nothing, the better one wins, and every figure is that of the rounds themselves."""

import json
import math
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from basra_sim import simulation, tables
from basra_sim.errors import InputError
from basra_sim.experiment import duel, exchanged
from basra_sim.policies import Policy, get_policy, policy
from basra_sim.stats import Estimate
from basra_sim.variants import setting
from tests.agreement import settings
from tests.intervals import critical, share_interval

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]
FOUR = [(2, False), (3, False), (4, False), (4, True)]


def salted(salt: float) -> Policy:
    """A policy that plays any play at random, drawn from the noise in a way of its own."""

    @policy(name=f"salted {salt}")
    def scatter(view, play):
        x = view.noise % 999983 * 12.9898 + play.card * 78.233 + play.taken % 10007 * 37.719 + salt * 4.1414
        y = math.sin(x) * 43758.5453
        return y - math.floor(y)

    assert isinstance(scatter, Policy)
    return scatter


def test_seatings_of_each_table():
    assert exchanged(setting("bastra")) == ((0, 1), (1, 0))
    assert exchanged(setting("bastra", 3)) == ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    assert exchanged(setting("bastra", 4, True)) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert exchanged(setting("bastra", 4))[2] == (1, 1, 0, 1)
    assert len(exchanged(setting("bastra", 4))) == 4


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_a_policy_against_itself_comes_out_as_nothing(table):
    for name in ("greedy", "counter", "random"):
        # What a play draws belongs to the play, not to the player: so random, too, plays both seatings alike.
        found = duel(name, name, table.variant, players=table.players, pairs=table.pairs, deals=60, threads=1)
        assert found.margin == Estimate(0.0, 0.0, 0.0, 60)
        assert found.fair == 1 / table.team_count
        assert found.win.value == pytest.approx(found.fair, abs=1e-12)
        assert found.win.half_width == pytest.approx(0, abs=1e-6)
        assert sum(seat.value or 0 for seat in found.seat_margins) == pytest.approx(0, abs=1e-9)
        assert any(seat.value for seat in found.seat_margins)


@pytest.mark.parametrize(("players", "pairs"), [(2, False), (4, True)])
@pytest.mark.parametrize("units", [{"deals": 400}, {"matches": 60}])
def test_exchanged_policies_give_the_opposite(players, pairs, units):
    table: dict[str, Any] = {"players": players, "pairs": pairs, "seed": 5, "threads": 1, **units}
    one, other = duel("counter", "random", "egyptian", **table), duel("random", "counter", "egyptian", **table)
    assert one.margin.value == -(other.margin.value or 0)
    assert (one.margin.low, one.margin.high) == (-(other.margin.high or 0), -(other.margin.low or 0))
    assert one.win.value == pytest.approx(1 - (other.win.value or 0), abs=1e-12)
    assert one.deal_correlation == other.deal_correlation
    assert [seat.value for seat in one.seat_margins] == [-(seat.value or 0) for seat in reversed(other.seat_margins)]


def by_hand(
    first: str, second: str, units: dict[str, int], table: dict[str, Any]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Margins and shares of the win of the first policy, (units, seatings), from tables of rounds or matches."""
    place = setting(table["variant"], table["players"], table["pairs"])
    margins, wins = [], []
    for tried in range(place.team_count):
        policies = [first if team == tried else second for team in range(place.team_count)]
        make: Any = tables.rounds if "rounds" in units else tables.matches
        frame = make(policies=policies, **units, **table)
        score = frame["total" if "rounds" in units else "score"].to_numpy().reshape(-1, place.team_count)
        others = np.delete(score, tried, axis=1)
        margins.append(score[:, tried] - others.mean(axis=1))
        best = score.max(axis=1, keepdims=True)
        share = (score[:, tried] == best[:, 0]) / (score == best).sum(axis=1)
        wins.append(share)
    return np.array(margins).T, np.array(wins).T


def near(found: Estimate, values: npt.NDArray[np.float64]) -> None:
    half = critical(len(values)) * values.std(ddof=1) / len(values) ** 0.5
    assert found.value == pytest.approx(values.mean(), abs=1e-9)
    assert found.half_width == pytest.approx(half, rel=1e-6)
    assert found.units == len(values)


def near_share(found: Estimate, won: npt.NDArray[np.float64]) -> None:
    half = critical(len(won)) * won.std(ddof=1) / len(won) ** 0.5
    assert found.value == pytest.approx(won.mean(), abs=1e-9)
    assert (found.low, found.high) == pytest.approx(share_interval(won.mean(), half, len(won)), abs=1e-6)


@pytest.mark.parametrize(("players", "pairs"), FOUR)
@pytest.mark.parametrize("unit", ["deals", "matches"])
@pytest.mark.parametrize(("first", "second"), [("counter", "greedy"), ("random", "greedy")])
def test_every_figure_by_hand(players, pairs, unit, first, second):
    count = 500 if unit == "deals" else 80
    table: dict[str, Any] = {"variant": "yemeni", "players": players, "pairs": pairs, "seed": 7, "threads": 1}
    counted: dict[str, Any] = {unit: count}
    found = duel(first, second, **table, **counted)
    margins, wins = by_hand(first, second, {"rounds" if unit == "deals" else unit: count}, table)
    near(found.margin, margins.mean(axis=1))
    near_share(found.win, wins.mean(axis=1))
    for seat, estimate in enumerate(found.seat_margins):
        near(estimate, margins[:, seat])
    covariances = np.cov(margins.T)
    seatings = margins.shape[1]
    pairs_of_seatings = [covariances[a, b] for a, b in permutations(range(seatings), 2)]
    assert found.deal_correlation == pytest.approx(np.mean(pairs_of_seatings) / np.diag(covariances).mean())
    # As many single rounds, each on a deal of its own, have the spread of one round over their number.
    alone = np.diag(covariances).mean() / seatings
    assert found.pairing_gain == pytest.approx(alone / margins.mean(axis=1).var(ddof=1))


@pytest.mark.parametrize("match_tie", ["draw", "more_rounds"])
def test_a_drawn_match_is_shared(match_tie):
    changes = {"match_tie": match_tie, "target": 5, "majority_points": 1}
    found = duel("greedy", "random", matches=300, seed=3, threads=1, changes=changes)
    wins = []
    for policies in (["greedy", "random"], ["random", "greedy"]):
        ends = tables.matches(matches=300, seed=3, threads=1, policies=policies, changes=changes)
        winner = ends[ends["policy"] == "greedy"]
        wins.append(np.where(winner["winner"] < 0, 0.5, winner["won"]))
    assert ((np.array(wins) == 0.5).sum() > 20) == (match_tie == "draw")
    near_share(found.win, np.mean(wins, axis=0))


def test_random_play_against_itself_is_found_different_at_the_stated_rate():
    one, other = salted(1.0), salted(2.0)
    trials, rejected, margins = 200, 0, []
    for seed in range(trials):
        found = duel(one, other, deals=100, seed=seed, threads=1)
        assert found.margin.low is not None
        assert found.margin.high is not None
        rejected += not found.margin.low <= 0 <= found.margin.high
        margins.append(found.margin.value)
    assert len(set(margins)) > trials / 2, "they do play differently"
    low, high = stats.binom.interval(0.998, trials, 0.05)
    assert low <= rejected <= high


@pytest.mark.parametrize("variant", ["bastra", "egyptian", "ethiopian", "jordanian-b"])
@pytest.mark.parametrize(("players", "pairs"), FOUR)
def test_the_better_policy_wins(variant, players, pairs):
    table: dict[str, Any] = {"players": players, "pairs": pairs, "threads": 1}
    easy = duel("greedy", "random", variant, deals=300, **table)
    assert easy.margin.low is not None
    assert easy.margin.low > 1
    assert easy.win.low is not None
    assert easy.win.low > easy.fair
    fine = duel("counter", "greedy", variant, deals=4000, **table)
    assert fine.margin.low is not None
    assert fine.margin.low > 0


def test_nothing_hangs_on_threads_or_chunks(monkeypatch):
    told = [duel("random", "counter", players=3, seed=4, threads=1, **units).to_dict() for units in UNITS]
    for size in (1, 7, 100):
        for name in ("ROUNDS_A_CHUNK", "MATCHES_A_CHUNK"):
            monkeypatch.setattr(simulation, name, size)
        for threads in (1, 2, 7):
            again = [duel("random", "counter", players=3, seed=4, threads=threads, **units) for units in UNITS]
            assert [each.to_dict() for each in again] == told


UNITS: list[dict[str, Any]] = [{"deals": 200}, {"matches": 40}]


def test_duel_by_name():
    found = duel("counter", get_policy("greedy").revised("late", jack_takes=-9.0), "syrian-a", matches=50, threads=1)
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["variant"], told["players"], told["teams"]) == ("syrian-a", 2, [0, 1])
    assert (told["policies"], told["unit"], told["units"]) == (["counter", "late"], "match", 50)
    assert (told["rounds_of_each_unit"], told["seed"], told["fair"]) == (2, 1, 0.5)
    assert told["margin"] == found.margin.to_dict()
    assert told["seat_margins"] == [seat.to_dict() for seat in found.seat_margins]
    assert told["pairing_gain"] == found.pairing_gain
    assert duel("greedy", "random", deals=5, threads=1).to_dict()["unit"] == "deal"


def test_one_deal():
    found = duel("greedy", "random", deals=1, threads=1)
    assert found.margin.value is not None
    assert (found.margin.low, found.margin.high) == (None, None)
    assert found.deal_correlation is None
    assert found.pairing_gain is None


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"deals": 0}, "deals = 0 is not possible: it must be a whole number from 1 to"),
        ({"matches": -1}, "matches = -1 is not possible"),
        ({"deals": 5, "matches": 5}, "deals and matches are both given: give one of them"),
        ({"seed": -1, "deals": 5}, "seed = -1 is not possible"),
        ({"players": 3, "variant": "palestinian"}, "palestinian with 3 players"),
        ({"first": "best"}, "no policy is called 'best'"),
        ({"second": "best"}, "no policy is called 'best'"),
        ({"changes": {"target": 0}}, "target = 0"),
    ],
)
def test_bad_arguments(arguments, wrong):
    with pytest.raises(InputError) as error:
        duel(**{"first": "greedy", "second": "random", **arguments})
    assert str(error.value).startswith(wrong)


def test_progress_is_told_to_the_end():
    told: list[tuple[int, int]] = []
    duel("greedy", "random", deals=9000, threads=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(4096, 9000), (8192, 9000), (9000, 9000)]
