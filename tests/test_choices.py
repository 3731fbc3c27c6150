"""Decisions played both ways: what is added up of them, cell by cell, and the chance to win a match from a score."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from analyses.claims import choices, match_value
from analyses.claims.cells import FEWEST_DEALS, Sums, order, places
from analyses.claims.choices import (
    BETTER,
    BREACHED,
    CONTRAST,
    DEALS,
    ENOUGH,
    FEWEST,
    FOLLOWED,
    MOST,
    NEITHER,
    WIN,
    WORSE,
    Collected,
)
from analyses.claims.match_value import MatchValue, Shares, played_off, turned, values
from analyses.claims.model import GAIN, MAIN, PAIRS, Claim, Table
from analyses.claims.registry import claim
from analyses.claims.rows import APPLIED, CROSS, EXPLORATION, PRIMARY
from analyses.frames import estimates
from analyses.jobs import PLAYERS, Effort, run
from basra_sim import kernel
from basra_sim.cards import TEN_OF_DIAMONDS
from basra_sim.decisions import decisions
from basra_sim.errors import InputError
from basra_sim.plans import plan
from basra_sim.sequential import looks
from basra_sim.stats import Estimate
from tests.intervals import critical, share_interval

Ints = npt.NDArray[np.int64]


def by_deal(deals: Ints, numbers: npt.NDArray[Any], units: int) -> npt.NDArray[np.float64]:
    """Sum of numbers over each deal, 0 for deals without any."""
    return np.bincount(deals, numbers, units).astype(float)


def clustered(deals: Ints, numbers: npt.NDArray[Any], units: int) -> Estimate:
    """Mean of numbers that hang together deal by deal, from the residuals of the deals that have any."""
    value, (named, places) = float(np.mean(numbers)), np.unique(deals, return_inverse=True)
    telling = len(named)
    if telling < FEWEST_DEALS:
        return Estimate(None, None, None, units)
    residual = by_deal(places, numbers, telling) - value * by_deal(places, np.ones(len(deals)), telling)
    half = critical(telling) * np.sqrt(telling * (residual**2).sum() / (telling - 1)) / len(numbers)
    return Estimate(value, value - half, value + half, units)


def gap(deals: Ints, numbers: npt.NDArray[Any], first: npt.NDArray[np.bool_], units: int) -> Estimate:
    """Mean of some numbers less that of the others, from the influence of each deal on the difference."""
    named, deals = np.unique(deals, return_inverse=True)
    telling = len(named)
    influence, means = np.zeros(telling), []
    for side, sign in ((first, 1), (~first, -1)):
        value = float(numbers[side].mean())
        means.append(value)
        residual = by_deal(deals[side], numbers[side] - value, telling)
        influence += sign * residual / side.sum()
    if telling < FEWEST_DEALS:
        return Estimate(None, None, None, units)
    half = critical(telling) * np.sqrt(telling * (influence**2).sum() / (telling - 1))
    return Estimate(means[0] - means[1], means[0] - means[1] - half, means[0] - means[1] + half, units)


def close(one: Estimate, other: Estimate) -> None:
    assert one.units == other.units
    for name in ("value", "low", "high"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9), name


def made_up(units: int, seed: int = 5) -> tuple[Ints, Ints]:
    """Deals and values of decisions, some deals with many of them and some with none, those of a deal alike."""
    chance = np.random.default_rng(seed)
    counts = chance.poisson(chance.gamma(1, 3, units))
    deals = np.repeat(np.arange(units), counts)
    return deals, np.rint(chance.normal(0.5, 4, units)[deals] + chance.normal(0, 6, len(deals))).astype(np.int64)


KEY = (GAIN, "", "")


@pytest.mark.parametrize("units", [20, 60, 2000])
def test_means_over_clustered_decisions(units: int) -> None:
    deals, numbers = made_up(units)
    sums = Sums()
    sums.add(KEY, deals, numbers)
    assert sums.count(KEY) == len(deals)
    close(sums.mean(KEY, units), clustered(deals, numbers, units))
    close(sums.mean(KEY, units, 1 / 3), clustered(deals, numbers / 3, units))
    counts = np.bincount(deals, minlength=units)
    half = critical(units) * counts.std(ddof=1) / np.sqrt(units)
    close(sums.number(KEY, units), Estimate(counts.mean(), counts.mean() - half, counts.mean() + half, units))
    first = np.random.default_rng(6).random(len(deals)) < 0.3
    sums.add_sides(deals, numbers, first)
    close(sums.gap(units, 0.5), gap(deals, numbers / 2, first, units))


def test_sums_depend_on_neither_order_nor_blocks() -> None:
    deals, numbers = made_up(300)
    first = numbers % 2 == 0
    one, other = Sums(), Sums()
    one.add(KEY, deals, numbers)
    one.add_sides(deals, numbers, first)
    shuffled = np.random.default_rng(7).permutation(len(deals))
    blocks = [shuffled[deals[shuffled] % 7 == block] for block in (3, 0, 6, 1, 2, 4, 5)]
    for block in blocks:
        other.add(KEY, deals[block], numbers[block])
        other.add_sides(deals[block], numbers[block], first[block])
    assert one.mean(KEY, 300) == other.mean(KEY, 300)
    assert one.gap(300) == other.gap(300)
    assert one.cells[KEY].tolist() == other.cells[KEY].tolist()


def test_cells_without_decisions() -> None:
    sums, nothing = Sums(), np.zeros(0, np.int64)
    sums.add(KEY, nothing, nothing)
    sums.add_sides(nothing, nothing, nothing == 1)
    assert sums.count(KEY) == 0
    assert sums.mean(KEY, 20) == sums.gap(20) == Estimate(None, None, None, 20)
    assert sums.number(KEY, 20) == Estimate(0.0, 0.0, 0.0, 20)
    sums.add_sides(np.array([1]), np.array([4]), np.array([True]))
    assert sums.gap(20) == Estimate(None, None, None, 20)
    sums.add_sides(np.array([0]), np.array([1]), np.array([False]))
    assert sums.gap(20) == Estimate(None, None, None, 20)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("lead", {"below -20": (-60, -21), "-20 to -11": (-20, -11), "0": (0, 0), "21 or more": (21, 60)}),
        ("own_cards", {"below 6": (0, 5), "6 to 11": (6, 11), "24 or more": (24, 52)}),
        ("floor_size", {"0": (0, 0), "8": (8, 8), "9 or more": (9, 30)}),
        ("floor_points", {"4": (4, 4), "5 or more": (5, 9)}),
        ("captures", {"6 or more": (6, 12)}),
        ("cards_left", {"1": (1, 1), "6": (6, 6)}),
        ("last_to_play", {"0": (0, 0), "1": (1, 1)}),
    ],
)  # fmt: skip
def test_places_hold_the_values_that_they_name(name: str, cells: dict[str, tuple[int, int]]) -> None:
    for place, (low, high) in cells.items():
        assert places(name, np.arange(low, high + 1)).tolist() == [place] * (high - low + 1)
    outside = [edge for low, high in cells.values() for edge in (low - 1, high + 1)]
    for place, edge in zip(np.repeat(list(cells), 2), outside, strict=True):
        assert places(name, np.array([edge])).tolist() != [place] or "or more" in place or "below" in place


@pytest.mark.parametrize("name", ["lead", "own_cards"])
def test_places_that_are_ranges_have_an_order_and_cover_all(name: str) -> None:
    whole = np.arange(-80, 81)
    found = places(name, whole).tolist()
    assert list(dict.fromkeys(found)) == order(name)
    assert found == sorted(found, key=order(name).index)
    assert order("cards_left") == []


EFFORT = Effort(600, seed=9, threads=1)
FRAMED = ("jack-hold", "points-late-last", "jack-for-cards", "fishing-take-away", "memory-ten-pair")


def collected(the: Claim, table: Table = MAIN, strength: str = "greedy", effort: Effort = EFFORT) -> Collected:
    return Collected(the, table, strength, effort, effort.opponent).play(None)


def again(found: Collected) -> pd.DataFrame:
    """The decisions of something collected, played again."""
    table, effort, piece = found.table, found.effort, found.claim.piece
    assert piece is not None
    the = decisions(
        piece, found.strength, table.variant, players=table.players, pairs=table.pairs, opponent=found.opponent,
        deals=found.deals, seed=effort.seed,
    )  # fmt: skip
    return the.frame()


def expected(found: Collected) -> dict[tuple[str, str, str], Estimate]:
    """All means of something collected, worked out anew from its decisions."""
    the, frame = found.claim, again(found)
    within = pd.Series(True, frame.index)
    for name, (low, high) in the.judged.items():
        within &= frame[name].between(low, high)
    mean = partial(_mean, deals=found.deals)
    made = {
        (GAIN, "", ""): mean(frame[within], "gain"),
        (BETTER, "", ""): mean(frame[within].assign(more=lambda part: part["gain"] > 0), "more"),
        (WORSE, "", ""): mean(frame[within].assign(less=lambda part: part["gain"] < 0), "less"),
    }
    for measure, way in ((FOLLOWED, ["follow"]), (BREACHED, ["against"]), (NEITHER, [])):
        made[measure, "", ""] = _share(frame[within], way, found.deals)
    counts = np.bincount(frame[within]["deal_index"], minlength=found.deals)
    half = critical(found.deals) * counts.std(ddof=1) / np.sqrt(found.deals)
    made[APPLIED, "", ""] = Estimate(counts.mean(), counts.mean() - half, counts.mean() + half, found.deals)
    for name in the.outcomes:
        made[name, "", ""] = mean(frame[within].assign(one=OUTCOMES[name](frame[within])), "one")
    for split in (*the.splits, *([the.contrast] if the.contrast else [])):
        for place, part in frame.groupby(places(split, frame[split].to_numpy())):
            made[GAIN, split, str(place)] = mean(part, "gain")
            if found.strength == "champion" and split in the.splits:
                made[FOLLOWED, split, str(place)] = _share(part, ["follow"], found.deals)
    for first, second in the.maps:
        both = [places(name, frame[name].to_numpy()) for name in (first, second)]
        for (one, other), part in frame.groupby(both):
            made[GAIN, f"{first} × {second}", f"{one} × {other}"] = mean(part, "gain")
    if the.contrast:
        side = (frame[the.contrast] == 1).to_numpy()
        made[CONTRAST, "", ""] = gap(frame["deal_index"].to_numpy(), frame["gain"].to_numpy(), side, found.deals)
    return made


def _mean(frame: pd.DataFrame, column: str, deals: int) -> Estimate:
    if frame.empty:
        return Estimate(None, None, None, deals)
    return clustered(frame["deal_index"].to_numpy(), frame[column].to_numpy().astype(float), deals)


def _share(frame: pd.DataFrame, ways: list[str], deals: int) -> Estimate:
    """How often the play made was that of some ways, or of none of the two if none is named."""
    same = {
        way: (frame[[f"{way}_card", f"{way}_taken"]].to_numpy() == frame[["played_card", "played_taken"]]).all(axis=1)
        for way in ("follow", "against")
    }
    is_so = same[ways[0]] if ways else ~(same["follow"] | same["against"])
    found, telling = _mean(frame.assign(is_so=is_so), "is_so", deals), frame["deal_index"].nunique()
    if found.value is None or found.half_width is None:
        return found
    low, high = share_interval(found.value, found.half_width, telling)
    return Estimate(found.value, max(low, 0.0), min(high, 1.0), deals)


def _home(way: str, frame: pd.DataFrame, *, both: bool) -> pd.Series:
    """Whether 10♦, and the ten that is laid or kept for it, are in the pile of the player's team."""
    ten = frame[f"{way}_own_pile"] // 2**TEN_OF_DIAMONDS % 2 == 1
    plain = [pile >> card & 1 == 1 for pile, card in zip(frame[f"{way}_own_pile"], frame["follow_card"], strict=True)]
    return pd.Series(np.array(plain, bool) & ten if both else ten, frame.index)


OUTCOMES = {
    "own_basras": lambda frame: frame["follow_own_basras"] - frame["against_own_basras"],
    "ten_home": lambda frame: _home("follow", frame, both=False),
    "ten_home_otherwise": lambda frame: _home("against", frame, both=False),
    "tens_home": lambda frame: _home("follow", frame, both=True),
    "tens_home_otherwise": lambda frame: _home("against", frame, both=True),
}
"""Outcomes of the claims that are worked out anew, from their columns."""


@pytest.mark.parametrize(
    ("name", "strength", "rounds"), [*((name, "greedy", 600) for name in FRAMED), ("points-late", "champion", 3000)]
)
def test_what_is_collected_is_what_the_decisions_say(name: str, strength: str, rounds: int) -> None:
    found = collected(claim(name), strength=strength, effort=replace(EFFORT, rounds=rounds))
    made = expected(found)
    rows = pd.DataFrame(found.rows())
    assert found.sums.count((GAIN, "", "")) > 5
    assert not rows.duplicated(["measure", "split", "place"]).any()
    stated = set()
    for row, estimate in zip(rows.to_dict("records"), estimates(rows), strict=True):
        key = (row["measure"], row["split"], row["place"])
        close(estimate, made[key])
        stated.add(key)
    assert {key for key in made if not key[1]} <= stated
    left_out = {key for key in made if key[1]} - stated
    assert all(found.sums.count(key) < FEWEST for key in left_out)
    for row in rows[rows["split"] != ""].to_dict("records"):
        assert row["decisions"] == found.sums.count((row["measure"], row["split"], row["place"])) >= FEWEST
    primary = CONTRAST if found.claim.contrast else GAIN
    assert rows.loc[rows["role"] == PRIMARY, ["measure", "split"]].to_numpy().tolist() == [[primary, ""]]
    whole = rows[rows["split"] == ""].set_index("measure")
    shares = whole.loc[[FOLLOWED, BREACHED, NEITHER], "estimate"].dropna()
    assert shares.empty if name == "memory-ten-pair" else shares.sum() == pytest.approx(1)
    assert whole.loc[[FOLLOWED, BREACHED, NEITHER], "decisions"].tolist() == [found.sums.count(KEY)] * 3
    assert (rows[rows["measure"] == FOLLOWED]["split"] != "").any() == (strength == "champion")


def test_what_is_collected_in_pairs_and_against_others() -> None:
    effort = replace(EFFORT, opponent="random")
    found = collected(claim("jack-hold"), PAIRS, "counter", effort)
    rows = pd.DataFrame(found.rows())
    whole = rows[(rows["measure"] == GAIN) & (rows["split"] == "")]
    close(estimates(whole)[0], expected(found)[GAIN, "", ""])
    assert whole["opponent"].tolist() == ["random"]
    assert whole["role"].tolist() == [EXPLORATION]
    three = collected(claim("jack-hold"), Table("bastra", 3))
    assert three.others == 2
    close(three.sums.mean((GAIN, "", ""), three.deals, 1 / 2), expected(three)[GAIN, "", ""])


def test_against_another_kind_of_player_only_what_is_judged_is_stated() -> None:
    for the, measures in ((claim("jack-hold"), [GAIN]), (claim("points-late-last"), [GAIN, CONTRAST])):
        rows = pd.DataFrame(Collected(the, MAIN, "greedy", EFFORT, "random").play(None).rows())
        assert rows["measure"].tolist() == measures
        assert set(rows["role"]) == {CROSS}


def test_threads_make_no_difference() -> None:
    the = claim("jack-for-points")
    one, other = (pd.DataFrame(collected(the, effort=replace(EFFORT, threads=n)).rows()) for n in (1, 2))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_deals_are_played_until_there_are_decisions_enough() -> None:
    often, seldom = collected(claim("jack-hold")), collected(claim("memory-ten-pair"))
    assert often.deals == EFFORT.units(DEALS, "greedy")
    assert often.sums.count((GAIN, "", "")) >= EFFORT.units(ENOUGH, "greedy")
    assert seldom.deals == EFFORT.units(MOST, "greedy")
    assert seldom.sums.count((GAIN, "", "")) < EFFORT.units(ENOUGH, "greedy")
    more = Effort(9000, seed=9, threads=1)
    between = collected(claim("jack-two"), effort=more)
    assert between.deals in set(looks(more.units(MOST, "greedy")))
    assert more.units(DEALS, "greedy") < between.deals < more.units(MOST, "greedy")
    whole = decisions("jack-two", deals=between.deals, seed=9)
    assert between.sums.count((GAIN, "", "")) == len(whole.found)


def test_decisions_that_never_come() -> None:
    piece = claim("jack-two").piece
    assert piece is not None
    never = replace(claim("jack-two"), piece=replace(piece, when={"jacks_held": (9, 9)}), maps=(("lead", "deal"),))
    rows = pd.DataFrame(collected(never, effort=Effort(20, threads=1)).rows())
    assert rows["estimate"].dropna().tolist() == [0.0]
    assert rows.loc[rows["measure"] == APPLIED, "estimate"].tolist() == [0.0]


def test_every_player_is_asked_at_every_table() -> None:
    the = claim("points-on-empty").at(Table("palestinian"))
    frame = run(choices.jobs(the, Effort(60, threads=1)))
    primary = frame[frame["role"] == PRIMARY]
    assert primary["policy"].tolist() == list(PLAYERS)
    assert set(primary["variant"]) == {"palestinian"}
    crossed = frame[frame["role"] == CROSS]
    pairs = {(one, other) for one in PLAYERS for other in PLAYERS if one != other}
    assert set(zip(crossed["policy"], crossed["opponent"], strict=True)) == pairs


SHARES = {(3, 0): 0.3, (0, 2): 0.35, (1, 1): 0.15, (4, 4): 0.1, (2, 1): 0.1}
OTHERS = {(0, 3): 0.2, (2, 0): 0.5, (2, 2): 0.2, (4, 4): 0.1}
"""How rounds of a made-up game end: points of a side and of the other, if it moves first, and if the other does."""


def finished(scores: list[int], first: int, others: Shares, target: int, chance: np.random.Generator) -> bool:
    """Whether a side wins a match of the made-up game; who moves first takes turns."""
    while max(scores) < target or scores[0] == scores[1]:
        shares = others if first else SHARES
        points = list(shares)[chance.choice(len(shares), p=list(shares.values()))]
        scores = [scores[0] + points[0], scores[1] + points[1]]
        first = 1 - first
    return scores[0] > scores[1]


@pytest.mark.parametrize("others", [OTHERS, turned(SHARES)], ids=["unlike", "alike"])
@pytest.mark.parametrize("score", [(0, 0), (4, 2), (1, 5)])
def test_chances_to_win_are_those_of_matches_played_out(score: tuple[int, int], others: Shares) -> None:
    chance, matches, target = np.random.default_rng(11), 1000, 6
    for first, found in enumerate(values(SHARES, others, target)):
        won = np.mean([finished(list(score), first, others, target, chance) for _ in range(matches)])
        assert found[score] == pytest.approx(won, abs=4 * np.sqrt(0.25 / matches))


def test_what_one_of_two_alike_wins_the_other_loses() -> None:
    moving, waiting = values(SHARES, turned(SHARES), 6)
    assert moving + waiting.T == pytest.approx(np.ones((6, 6)))


def test_a_tie_is_played_off() -> None:
    moving, waiting = played_off(SHARES, OTHERS)
    assert moving == pytest.approx(0.3 + 0.1 + (0.15 + 0.1) * waiting)
    assert waiting == pytest.approx(0.5 + (0.2 + 0.1) * moving)
    assert played_off({(1, 1): 0.5, (2, 0): 0.5}, {(1, 1): 0.5, (0, 2): 0.5}) == pytest.approx((2 / 3, 1 / 3))


def test_values_of_a_game_of_one_round() -> None:
    moving, waiting = values({(5, 0): 0.6, (0, 5): 0.4}, {(5, 0): 0.3, (0, 5): 0.7}, 5)
    assert moving == pytest.approx(np.full((5, 5), 0.6))
    assert waiting == pytest.approx(np.full((5, 5), 0.3))


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Distributions of results from fewer rounds, forgotten afterwards."""
    monkeypatch.setattr(match_value, "ROUNDS", 5000)
    monkeypatch.setattr(choices, "match_value", MatchValue)


@pytest.mark.usefixtures("few_rounds")
@pytest.mark.parametrize("opponent", [None, "random"])
def test_decisions_by_the_chance_to_win_the_match(opponent: str | None) -> None:
    found = collected(claim("jack-empty-defence"), effort=replace(EFFORT, opponent=opponent))
    value, frame = MatchValue(MAIN, "greedy", EFFORT.seed, 1, opponent), again(found)
    assert value.target == 100
    assert len(value.near) == 16
    assert (80, 95) in value.near
    team = frame["team"].to_numpy()
    gained = []
    for own, other in value.near:
        ends = [[frame[f"{way}_{side}_points"] for side in ("own", "other")] for way in ("follow", "against")]
        follow, against = (value.won(team, own + mine.to_numpy(), other + yours.to_numpy()) for mine, yours in ends)
        gained.append(follow - against)
    rows = pd.DataFrame(found.rows())
    wins = rows[(rows["measure"] == WIN) & (rows["split"] == "")]
    assert wins["role"].tolist() == [PRIMARY]
    mean = clustered(frame["deal_index"].to_numpy(), np.mean(gained, axis=0), found.deals)
    for name in ("value", "low", "high"):
        assert getattr(estimates(wins)[0], name) == pytest.approx(getattr(mean, name), abs=1e-6)
    split = rows[(rows["measure"] == WIN) & (rows["split"] == "score")]
    assert split["place"].tolist() == [f"{own} : {other}" for own, other in value.near]
    assert split["estimate"].mean() == pytest.approx(mean.value, abs=1e-6)


@pytest.mark.usefixtures("few_rounds")
def test_chances_after_a_round() -> None:
    value = MatchValue(MAIN, "greedy", 3, 1)
    zero, one = np.array([0]), np.array([1])
    for own, other in ((20, 30), (95, 94), (101, 99), (105, 105), (100, 104)):
        mine, yours = np.array([own]), np.array([other])
        chances = [float(value.won(team, mine, yours)[0]) for team in (zero, one)]
        if max(own, other) < value.target:
            assert chances == [value.found[1][own, other], value.found[0][own, other]]
        elif own == other:
            assert chances == [value.ties[1], value.ties[0]]
        else:
            assert chances == [float(own > other)] * 2
    for found in value.found:
        assert found[99, 0] > 0.9 > found[50, 50] > 0.1 > found[0, 99]


def test_matches_are_between_two_sides() -> None:
    with pytest.raises(InputError, match="worked out for two sides, not for bastra, three players"):
        MatchValue(Table("bastra", 3), "greedy", 1)


@pytest.mark.slow
@pytest.mark.parametrize("table", [MAIN, PAIRS], ids=lambda each: each.label)
@pytest.mark.parametrize("policies", [("greedy", "greedy"), ("greedy", "counter"), ("counter", "greedy")])
def test_chances_to_win_are_those_of_matches_really_played(table: Table, policies: tuple[str, str]) -> None:
    matches = 40_000
    played = plan(table.variant, players=table.players, pairs=table.pairs, policies=policies, matches=True, seed=21)
    parts = played.each(lambda part: part.results[:, kernel.WINNER] == 0, matches)
    won = np.concatenate(list(parts)).mean()
    value = MatchValue(table, policies[0], 22, opponent=None if policies[0] == policies[1] else policies[1])
    spread = np.sqrt(0.25 / matches + 0.25 / match_value.ROUNDS)
    assert value.found[0][0, 0] == pytest.approx(won, abs=4 * spread)
