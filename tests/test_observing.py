"""Leads and the worth of cards: against plain loops, known truths, threads and chunks."""

from collections import Counter
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from scipy.stats import t

from analyses.balance import leads, worth
from analyses.balance.worth import FIRST_MOVE, Worth
from analyses.frames import by_key
from analyses.groups import BLOCK, GROUPS, group_of, jackknife
from analyses.jobs import same_rules
from analyses.scenes import Scene
from basra_sim import plans
from basra_sim.cards import RANKS, card_name, parse_card
from basra_sim.plans import plan
from basra_sim.reference import Round
from basra_sim.tables import matches as match_table
from basra_sim.tables import rounds as round_table
from basra_sim.tracing import trace
from basra_sim.variants import setting, variant, variant_names

MATCHES = 300
SOURCES = ("aces", "jacks", "two", "ten", "majority", "basras")


def played(scene: Scene, seed: int) -> list[tuple[list[dict[int, dict[str, int]]], int]]:
    """Of each match its rounds, each with the points of its teams by source, and its winner."""
    table: dict[str, Any] = {"players": scene.players, "pairs": scene.pairs, "policies": scene.policy, "seed": seed}
    frame = round_table(scene.variant, matches=MATCHES, threads=1, **table)
    winners = match_table(scene.variant, matches=MATCHES, threads=1, **table).groupby("match")["winner"].first()
    found = []
    for match, part in frame.groupby("match"):
        rounds = []
        for _, rows in part.groupby("round"):
            rounds.append({int(row["team"]): {name: int(row[name]) for name in SOURCES} for _, row in rows.iterrows()})
        found.append((rounds, int(winners[match])))
    return found


def total(points: dict[str, int]) -> int:
    return sum(points.values())


def best(scores: dict[int, int]) -> int | None:
    """Team that alone has the most; none if there is no such."""
    top = [team for team, score in scores.items() if score == max(scores.values())]
    return top[0] if len(top) == 1 else None


def class_of(number: int, starts: tuple[int, ...]) -> int:
    return sum(number >= start for start in starts) - 1


@pytest.mark.parametrize("scene", [Scene("bastra"), Scene("syrian-b", 4, True, "random"), Scene("egyptian", 3)])
def test_leads_are_those_of_the_rounds(scene: Scene) -> None:
    target = setting(scene.variant, scene.players, scene.pairs).rules.target
    wanted: Counter[tuple[str, str, str]] = Counter()
    for rounds, winner in played(scene, 4):
        scores: dict[int, int] = dict.fromkeys(rounds[0], 0)
        leader: int | None = None
        open_cells: list[tuple[str, str]] = []
        for number, points in enumerate(rounds):
            scores = {team: scores[team] + total(points[team]) for team in scores}
            for cell in open_cells:
                wanted["kept", *cell] += best(scores) == leader
            leader, open_cells = best(scores), []
            if leader is None or number == len(rounds) - 1:
                continue
            lead = scores[leader] - max(score for team, score in scores.items() if team != leader)
            lacks = target - scores[leader]
            lead_name = leads.classes(leads.LEADS)[class_of(lead, leads.LEADS)]
            lacks_name = leads.classes(leads.DISTANCES)[class_of(max(lacks, 1), leads.DISTANCES)]
            open_cells = [(a, b) for a in (lead_name, leads.ALL) for b in (lacks_name, leads.ALL)]
            for cell in open_cells:
                wanted["events", *cell] += 1
                wanted["won", *cell] += winner == leader
    frame = leads.leads(scene, MATCHES, seed=4, threads=1)
    for row in frame.itertuples():
        cell = (str(row.lead), str(row.lacks))
        key = "won" if row.measure == leads.WON else "kept"
        assert (row.events, row.hits) == (wanted["events", *cell], wanted[key, *cell]), cell
    assert wanted["events", leads.ALL, leads.ALL] > 0
    assert set(frame["units"]) == {MATCHES}


def dealt_columns(rounds: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Who was dealt which card, from the packs, and the margins."""
    columns, margins = np.zeros((rounds, 53)), np.zeros(rounds)
    table = setting("bastra")
    for row, record in enumerate(trace("bastra", rounds=rounds, seed=3)):
        stock = [parse_card(name) for name in record["deck"]]
        game = Round(table, stock)
        for play in record["plays"]:
            for seat, hand in enumerate(game.hands):
                for card in hand:
                    columns[row, card] = 1 - 2 * seat
            game.play(parse_card(play["card"]), [parse_card(name) for name in play["taken"]])
        columns[row, 52] = 1
        margins[row] = record["scores"][0]["total"] - record["scores"][1]["total"]
    return columns, margins


def test_worth_is_least_squares_over_the_deals() -> None:
    columns, margins = dealt_columns(700)
    assert (columns[:, :52].sum(axis=1) == 0).all()
    wanted = np.linalg.lstsq(columns, margins)[0]
    frame = worth.worth(Scene("bastra"), 700, seed=3, threads=1).frame()
    found = {key[0]: each.value for key, each in by_key(frame, "card").items()}
    assert [found[card_name(card)] for card in range(52)] == pytest.approx(wanted[:52].tolist())
    assert found[FIRST_MOVE] == pytest.approx(wanted[52])
    assert sum(found[card_name(card)] or 0 for card in range(52)) == pytest.approx(0)
    cards = frame[frame["card"] != FIRST_MOVE]
    assert cards["rank"].tolist() == list(range(1, 53))
    assert frame["estimate"].is_monotonic_decreasing


def planted(rounds: int, truth: npt.NDArray[np.float64]) -> Worth:
    """Worth of the cards in a game whose margin is what the cards are said to be worth, and noise."""
    draw = np.random.default_rng(5)
    dealt = draw.permuted(np.tile(np.repeat([1, -1, 0], [24, 24, 4]), (rounds, 1)), axis=1)
    columns = np.column_stack([dealt, np.ones((rounds, 1))])
    margins = np.round(columns @ truth + draw.normal(0, 10, rounds))
    columns = np.column_stack([columns, margins]).astype(np.int64)
    group = group_of(np.arange(rounds))
    sums = [columns[group == each].T @ columns[group == each] for each in range(GROUPS)]
    return Worth(plan("bastra"), rounds, np.array(sums))


def test_worth_finds_what_was_planted() -> None:
    truth = np.zeros(53)
    truth[40:44], truth[25], truth[52] = 9, 6, 2
    found = planted(20_000, truth)
    centred = truth[:52] - truth[:52].mean()
    known = by_key(found.frame(), "card")
    inside = 0
    for card in range(52):
        estimate = known[card_name(card),]
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.value == pytest.approx(centred[card], abs=0.6)
        inside += estimate.low <= centred[card] <= estimate.high
    assert inside >= 45
    assert found.frame()["card"].iloc[4] == "7D"
    assert found.jack_over_rest().value == pytest.approx(3, abs=0.4)
    between = found.seven_between()
    assert between.value == pytest.approx(3, abs=0.4)
    assert 0 < (between.half_width or 0) < 0.5


def test_worth_of_short_packs() -> None:
    short = worth.worth(Scene("palestinian"), 3000, seed=2).frame()
    assert {name[:-1] for name in short["card"]} - {"first mov"} == set(RANKS[:11])
    with pytest.raises(ValueError, match="two sides"):
        worth.worth(Scene("bastra", players=3), 1000)
    with pytest.raises(ValueError, match="499 rounds are too few"):
        worth.worth(Scene("bastra"), 499)


def test_jackknife_of_a_mean_is_its_standard_error() -> None:
    numbers = np.random.default_rng(1).integers(0, 100, (GROUPS, 50))
    sums = np.stack([np.full(GROUPS, 50), numbers.sum(axis=1)], axis=1)
    (found,) = jackknife(sums, 50 * GROUPS, lambda whole: whole[:, 1:] / whole[:, :1])
    error = numbers.mean(axis=1).std(ddof=1) / sqrt(GROUPS)
    assert found.value == pytest.approx(numbers.mean())
    assert found.half_width == pytest.approx(float(t.ppf(0.975, GROUPS - 1)) * error)
    one = np.zeros_like(sums)
    one[3] = sums[3]
    assert jackknife(one, 50, lambda whole: whole[:, 1:] / whole[:, :1])[0].low is None


def test_groups_are_told_from_numbers_alone() -> None:
    groups = group_of(np.arange(2 * BLOCK * GROUPS))
    assert np.bincount(groups).tolist() == [2 * BLOCK] * GROUPS
    assert (groups[:BLOCK] == 0).all()


BATCHES: dict[str, Callable[[int], pd.DataFrame]] = {
    "leads": lambda threads: leads.leads(Scene(), 150, threads=threads),
    "worth": lambda threads: worth.worth(Scene(), 1500, threads=threads).frame(),
}


@pytest.mark.parametrize("name", BATCHES)
def test_results_depend_on_neither_threads_nor_chunks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = BATCHES[name](1)
    for chunk in ("ROUNDS_A_CHUNK", "MATCHES_A_CHUNK", "LOGGED_A_CHUNK"):
        monkeypatch.setattr(plans, chunk, 37)
    pd.testing.assert_frame_equal(whole, BATCHES[name](2), check_exact=True)


def test_every_variant_is_in_one_group_of_the_same_rules() -> None:
    assert sorted(name for alike in same_rules() for name in alike) == sorted(variant_names())
    assert all(len({variant(name).rules for name in alike}) == 1 for alike in same_rules())
