"""Duels: nothing comes of nothing, the better one wins, and every figure is that of the rounds themselves."""

import json
import math
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from basra_sim import plans, tables
from basra_sim.errors import InputError
from basra_sim.experiment import duel, exchanged
from basra_sim.luck import Luck, dealt
from basra_sim.policies import Policy, get_policy, policy
from basra_sim.sequential import ALIKE, DIFFERENT, FIRST_LOOK, LIMIT, PRECISE, looks, sequence_quantile
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
    first: str | Policy, second: str | Policy, units: dict[str, int], table: dict[str, Any]
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


@pytest.mark.parametrize(("players", "pairs"), FOUR)
def test_gain_against_an_opponent_is_the_difference_of_two_duels(players, pairs):
    plain = get_policy("greedy")
    advised = plain.following("jack-hold")
    table: dict[str, Any] = {"variant": "egyptian", "players": players, "pairs": pairs, "seed": 4, "threads": 1}
    found = duel(advised, plain, opponent="counter", deals=500, **table)
    first, second = (duel(each, "counter", deals=500, **table) for each in (advised, plain))
    pairs_of = [(found.margin, first.margin, second.margin), (found.win, first.win, second.win)]
    pairs_of += list(zip(found.seat_margins, first.seat_margins, second.seat_margins, strict=True))
    for gain, one, other in pairs_of:
        assert gain.value == pytest.approx((one.value or 0) - (other.value or 0))
    assert found.opponent == get_policy("counter")
    assert found.deal_correlation is None
    assert (found.fair, found.to_dict()["opponent"], found.to_dict()["policies"]) == (
        0,
        "counter",
        ["greedy+jack-hold", "greedy"],
    )
    by_unit = [by_hand_against(each, "counter", table) for each in (advised, plain)]
    near(found.margin, by_unit[0].mean(axis=1) - by_unit[1].mean(axis=1))
    alone = sum(each.var(axis=0, ddof=1).sum() for each in by_unit) / by_unit[0].shape[1] ** 2
    assert found.gains.exchange.value == pytest.approx(alone / (by_unit[0] - by_unit[1]).mean(axis=1).var(ddof=1))
    assert (found.gains.exchange.low or 0) > 1.5


def by_hand_against(tried: Policy, opponent: str, table: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Margins, (deals, seatings), of one policy against another."""
    margins: npt.NDArray[np.float64] = by_hand(tried, opponent, {"rounds": 500}, table)[0]
    return margins


@pytest.mark.parametrize(("players", "pairs"), FOUR)
@pytest.mark.parametrize("variant", ["egyptian", "palestinian", "bastra"])
def test_luck_is_regressed_out_as_least_squares_has_it(players, pairs, variant):
    if (variant, players) == ("palestinian", 3):
        variant = "lebanese-a"
    table: dict[str, Any] = {"variant": variant, "players": players, "pairs": pairs, "seed": 7}
    found = duel("counter", "random", deals=600, threads=1, **table)
    margins = by_hand("counter", "random", {"rounds": 600}, table)[0]
    the = plans.plan(policies="random", **table)
    luck = Luck(the.setting)
    (x,) = [luck.columns(dealt(part.facts)) for part in the.play(0, 600)]
    assert luck.expected is not None
    design = np.column_stack([np.ones(600), x - luck.expected])
    variances = []
    for y in (margins.mean(axis=1), *margins.T):
        slope = np.linalg.lstsq(design, y)[0]
        left = y - design @ slope
        variances.append(left @ left / (600 - 1 - x.shape[1]))
        if len(variances) == 1:
            assert found.adjusted.value == pytest.approx(slope[0])
            half = critical(600 - x.shape[1]) * (variances[0] / 600) ** 0.5
            assert found.adjusted.half_width == pytest.approx(half)
    alone = margins.var(axis=0, ddof=1).mean()
    seatings = margins.shape[1]
    assert found.gains.covariates.value == pytest.approx(alone / np.mean(variances[1:]))
    assert found.gains.both.value == pytest.approx(alone / (seatings * variances[0]))
    assert (found.gains.covariates.value or 0) > 1.0


def test_few_units_and_matches_are_not_adjusted():
    assert duel("greedy", "random", deals=99, threads=1).adjusted == Estimate(None, None, None, 99)
    assert duel("greedy", "random", deals=100, threads=1).adjusted.value is not None
    played = duel("greedy", "random", matches=120, threads=1)
    assert played.adjusted == Estimate(None, None, None, 120)
    assert (played.gains.covariates.value, played.gains.both.value) == (None, None)
    alike = duel("greedy", "greedy", deals=200, threads=1)
    assert alike.adjusted == Estimate(0.0, 0.0, 0.0, 200)
    assert (alike.gains.exchange.value, alike.gains.both.value) == (None, None)


def test_it_plays_until_it_is_precise():
    found = duel("greedy", "random", precision=0.25, threads=1)
    assert found.ending.how == PRECISE
    assert (found.margin.half_width or 1) <= 0.25
    assert found.units in set(looks(10**6))
    fixed = duel("greedy", "random", deals=found.units, threads=1)
    assert found.margin == fixed.margin
    shorter = duel("greedy", "random", deals=list(looks(10**6))[found.ending.looks - 2], threads=1)
    assert (shorter.margin.half_width or 0) > 0.25
    told = found.to_dict()["stopping"]
    assert told == {
        "rule": "precision",
        "ended": "precise",
        "looks": found.ending.looks,
        "precision": 0.25,
        "most": 10_000_000,
        "intervals": "fixed number",
    }


def test_it_plays_until_it_is_decided():
    found = duel("greedy", "random", until_decided=True, threads=1)
    assert (found.ending.how, found.units) == (DIFFERENT, FIRST_LOOK)
    fixed = duel("greedy", "random", deals=FIRST_LOOK, threads=1)
    wider = sequence_quantile(FIRST_LOOK) / critical(FIRST_LOOK)
    for one, other in [(found.margin, fixed.margin), *zip(found.seat_margins, fixed.seat_margins, strict=True)]:
        assert one.value == other.value
        assert one.half_width == pytest.approx((other.half_width or 0) * wider)
    assert (found.win.half_width or 0) > 2 * (fixed.win.half_width or 0)
    assert found.to_dict()["stopping"]["smallest"] == 0.05
    assert found.to_dict()["stopping"]["intervals"] == "confidence sequence"


def test_no_difference_is_decided_too_but_not_by_a_few_deals():
    alike = duel("greedy", "greedy", until_decided=True, threads=1)
    assert (alike.ending.how, alike.margin.half_width) == (ALIKE, 0)
    assert alike.units > 5990, "as many as an effect of 0.05 in 1 of 2,000 deals would need to be seen at 95 %"
    close = duel("greedy", get_policy("greedy").revised("near", rank_laid=-0.02), until_decided=True, threads=1)
    assert close.ending.how in (ALIKE, DIFFERENT)
    rough = duel("counter", get_policy("counter").revised("near", basra=1.02), smallest=5.0, until_decided=True)
    assert (rough.ending.how, rough.units) == (ALIKE, FIRST_LOOK)


def test_it_gives_up():
    found = duel(salted(1.0), salted(2.0), deals=3000, until_decided=True, threads=1)
    assert (found.ending.how, found.units, found.ending.looks) == (LIMIT, 3000, 3)
    found = duel("greedy", "random", deals=300, precision=0.01, threads=1)
    assert (found.ending.how, found.units, found.ending.looks) == (LIMIT, 300, 1)


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
            monkeypatch.setattr(plans, name, size)
        for threads in (1, 2, 7):
            again = [duel("random", "counter", players=3, seed=4, threads=threads, **units) for units in UNITS]
            assert [each.to_dict() for each in again] == told


UNITS: list[dict[str, Any]] = [
    {"deals": 200},
    {"matches": 40},
    {"opponent": "greedy", "deals": 120},
    {"until_decided": True, "smallest": 8.0, "deals": 3000},
]


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
    assert told["gains"] == {name: gain.to_dict() for name, gain in found.gains._asdict().items()}
    assert told["gains"]["exchange"]["estimate"] == found.pairing_gain
    assert told["opponent"] is None
    assert told["stopping"] == {"rule": "fixed number", "ended": "played", "looks": 1, "intervals": "fixed number"}
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
        ({"opponent": "best"}, "no policy is called 'best'"),
        ({"precision": 0.1, "until_decided": True}, "precision and until_decided are both given: give one of them"),
        ({"precision": 0.1, "matches": 5}, "matches is given: a precision or a decision is reached by deals"),
        ({"precision": 0.0}, "precision = 0.0 is not possible: it must be a number above 0"),
        ({"until_decided": True, "smallest": -1}, "smallest = -1 is not possible: it must be a number above 0"),
        ({"until_decided": True, "deals": 0}, "deals = 0 is not possible"),
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
    told.clear()
    duel("greedy", "random", deals=2600, precision=0.001, threads=1, progress=lambda *both: told.append(both))
    assert told == [(2000, 2000), (2500, 2500), (2600, 2600)]
