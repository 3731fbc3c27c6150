"""The ladder: ratings that come out as they were put in, intervals from common deals, the same on any threads."""

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

from analyses.jobs import run
from analyses.strength import ladder as ladders
from analyses.strength.ladder import ELO, KEPT, MARGIN, RATING, WON, Extent, Ladder, extent, jobs, ladder_of
from analyses.strength.ratings import A_TENFOLD, elo, points, rated
from basra_sim.errors import InputError
from basra_sim.experiment import duel
from basra_sim.moments import GROUPS
from basra_sim.policies import Policy, policy_names
from basra_sim.variants import setting

STRENGTHS = np.array([0.4, -1.0, 2.5, 0.1])
PLAYERS = len(STRENGTHS)
WEAK = ("greedy", "random", "counter")


def played(of: Extent) -> Ladder:
    return ladder_of(of, run(jobs(of)))


def rating(found: Ladder, measure: str) -> pd.Series:
    part = found.ratings[found.ratings["measure"] == measure]
    return part.set_index("policy")["estimate"]


def rigged(strengths: Sequence[float], deals: int = 640) -> Ladder:
    """A ladder of players whose margins are the differences of their strengths on every deal, in whole points."""
    names = [f"player {k}" for k in range(len(strengths))]
    of = Extent(setting("bastra"), tuple(Policy(name) for name in names), deals=deals)
    rows = []
    for one, other in of.pairings:
        gain = int(strengths[one] - strengths[other])
        won = 24 if gain > 0 else 12 if gain == 0 else 0
        for group in range(GROUPS):
            each = deals // GROUPS
            sums = (each, 2 * gain * each, (2 * gain) ** 2 * each, won * each, won**2 * each)
            rows.append(
                {"policy": names[one], "opponent": names[other], "group": group, **dict(zip(KEPT, sums, strict=True))}
            )
    return ladder_of(of, pd.DataFrame(rows))


@pytest.mark.parametrize("pairings", [list(combinations(range(PLAYERS), 2)), list(permutations(range(PLAYERS), 2))])
@pytest.mark.parametrize("fair", [1 / 2, 1 / 3])
def test_ratings_come_out_as_they_were_put_in(pairings: list[tuple[int, int]], fair: float) -> None:
    truth = STRENGTHS - STRENGTHS.mean()
    differences = np.array([STRENGTHS[one] - STRENGTHS[other] for one, other in pairings])
    assert points(differences, pairings) == pytest.approx(truth)
    chances = 1 / (1 + (1 - fair) / fair * np.exp(-differences))
    assert elo(chances, pairings, fair) == pytest.approx(truth * A_TENFOLD / np.log(10), abs=1e-5)


def test_ten_wins_to_one_are_what_elo_says() -> None:
    found = elo(np.array([10 / 11]), [(0, 1)], 0.5)
    assert found[0] - found[1] == pytest.approx(A_TENFOLD)


def test_no_elo_where_players_won_nothing() -> None:
    pairings = [(0, 1), (0, 2), (1, 2)]
    assert np.isnan(elo(np.array([1.0, 1.0, 0.5]), pairings, 0.5)).all()
    assert np.isfinite(elo(np.array([1.0, 0.0, 1.0]), pairings, 0.5)).all()  # each wins from one


def test_a_rigged_ladder_is_in_order() -> None:
    strengths = (3, -5, 7, 0, -1)
    found = rigged(strengths)
    order = sorted(range(5), key=lambda k: -strengths[k])
    assert list(rating(found, RATING).index) == [f"player {k}" for k in order]
    mean = sum(strengths) / 5
    for k, strength in enumerate(strengths):
        assert rating(found, RATING)[f"player {k}"] == pytest.approx(strength - mean)
    assert found.misfit == pytest.approx(0, abs=1e-12)
    assert rating(found, ELO).isna().all()  # the best won everything
    both = found.margins.set_index(["policy", "opponent", "measure"])["estimate"]
    assert both["player 2", "player 1", MARGIN] == 12
    assert both["player 1", "player 2", MARGIN] == -12
    assert both["player 1", "player 2", WON] == 0


def test_intervals_cover_as_stated_where_deals_are_common() -> None:
    """Deals that favour one player in all his pairings: the luck does not shrink with the number of opponents."""
    draw, pairings = np.random.default_rng(3), list(combinations(range(PLAYERS), 2))
    deals, trials, covered, widths, found = 320, 60, 0, [], []
    for _ in range(trials):
        luck = draw.integers(-9, 10, (deals, PLAYERS))
        margins = np.stack([luck[:, one] - luck[:, other] for one, other in pairings], axis=1)
        won = np.where(margins > 0, 12, np.where(margins == 0, 6, 0))
        values = np.stack([np.ones_like(margins), margins, won], axis=2)
        sums = values.reshape(-1, GROUPS, len(pairings), 3).sum(axis=0)
        in_points, _ = rated(sums, deals, pairings, (1.0, 1 / 12), 0.5)
        first = in_points[0]
        assert first.low is not None
        assert first.high is not None
        covered += first.low <= 0 <= first.high
        found.append(first.value)
        widths.append(first.half_width)
    assert covered >= 52  # of 60 at 95 %; fewer once in ten thousand times
    assert np.mean(np.array(widths, float)) == pytest.approx(2.04 * np.std(np.array(found, float)), rel=0.35)


def test_three_players_in_their_order() -> None:
    found = played(extent(policies=WEAK, deals=600, seed=4))
    for measure in (RATING, ELO):
        assert list(rating(found, measure).index) == ["counter", "greedy", "random"]
        assert rating(found, measure).sum() == pytest.approx(0, abs=1e-6)
        assert rating(found, measure).is_monotonic_decreasing
    assert found.ratings["fair"].all()
    assert (found.ratings["low"] < found.ratings["estimate"]).all()
    assert (found.ratings["estimate"] < found.ratings["high"]).all()
    same = duel("counter", "random", deals=600, seed=4)
    row = found.margins.query("policy == 'counter' and opponent == 'random'").set_index("measure")
    for measure, estimate in ((MARGIN, same.margin), (WON, same.win)):
        for name in ("estimate", "low", "high", "units"):
            assert row.loc[measure, name] == pytest.approx(estimate.to_dict()[name])
    assert set(found.margins["unit"]) == {"points/round", "of rounds"}
    assert set(found.ratings["seed"]) == {4}


def test_among_three_singles_both_ways_are_played() -> None:
    found = played(extent("bastra", 3, policies=("counter", "random"), deals=300))
    margins = found.margins[found.margins["measure"] == MARGIN].set_index("policy")["estimate"]
    for one, other in (("counter", "random"), ("random", "counter")):
        assert margins[one] == pytest.approx(duel(one, other, players=3, deals=300).margin.value)
    assert margins["counter"] != -margins["random"]
    assert list(rating(found, RATING).index) == ["counter", "random"]
    assert rating(found, RATING)["counter"] == pytest.approx((margins["counter"] - margins["random"]) / 4)


@pytest.mark.parametrize("pairs", [False, True])
def test_same_ladder_on_two_threads(pairs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra_sim.plans.ROUNDS_A_CHUNK", 64)
    players = 4 if pairs else 2
    one, two = (played(extent("egyptian", players, pairs, WEAK, deals=333, threads=threads)) for threads in (1, 2))
    pd.testing.assert_frame_equal(one.margins, two.margins, check_exact=True)
    pd.testing.assert_frame_equal(one.ratings, two.ratings, check_exact=True)
    assert one.to_dict() == two.to_dict()


def test_few_deals_give_no_intervals_that_cannot_be() -> None:
    found = played(extent(policies=WEAK, deals=1))
    assert found.ratings[["low", "high"]].isna().all().all()
    assert rating(found, RATING).notna().all()
    assert all(row["low"] is None for row in found.to_dict()["ratings"])


def test_who_searches_plays_the_first_of_the_same_deals() -> None:
    of = extent(deals=500, searched=20)
    deals = {
        (of.policies[one].name, of.policies[other].name): of.fewer(of.policies[one], of.policies[other])
        for one, other in of.pairings
    }
    assert len(deals) == len(policy_names()) * (len(policy_names()) - 1) / 2
    assert deals["greedy", "counter"] == 500
    assert deals["counter", "expert"] == deals["expert", "cheater"] == 20
    assert [ladders.is_fair(policy) for policy in of.policies] == [name != "cheater" for name in policy_names()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policies": ("greedy",)}, "a ladder of greedy is not possible: it takes two players"),
        ({"policies": ("greedy", "counter", "greedy")}, "greedy is given twice: give each player once"),
        ({"policies": ("greedy", "cuonter")}, "no policy is called 'cuonter' (did you mean counter?)"),
        ({"policies": WEAK, "deals": 0}, "deals = 0 is not possible: it must be a whole number from 1 to"),
        ({"policies": WEAK, "searched": -1}, "searched = -1 is not possible"),
        ({"variant": "bastr"}, 'there is no variant "bastr"'),
    ],
)
def test_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refused:
        extent(**options)  # type: ignore[arg-type]
    assert message in str(refused.value)
