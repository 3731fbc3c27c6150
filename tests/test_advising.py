"""Advice: endings gone through way by way, endings solved, the same on any number of threads, leads that are real."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from analyses import advising
from analyses.advising import Advice, advice, advise, valuing
from analyses.advising.advice import score_chances
from analyses.advising.valuing import estimate, lead, value_plays
from basra_sim.cards import card_names, parse_card
from basra_sim.policies import get_policy
from basra_sim.reference import Round, choice_key
from basra_sim.search.situations import Past, Situation, Trial
from basra_sim.stats import Estimate
from basra_sim.variants import setting
from tests import open_endings
from tests.enumerated import Ending, Fate, Key, Way, drawn_ending, enumerate_ways, expected, margin

ADEPT = get_policy("adept")
DOUBT = 0.1
NEARLY = 1e-9

FORGETFUL: list[tuple[str, int, dict[str, Any]]] = [
    ("bastra", 2, {}),
    ("egyptian", 2, {}),
    ("palestinian", 2, {}),
    ("lebanese-a", 2, {}),
]
"""Tables at which some captured cards are forgotten in the last deal."""

DEEP: list[tuple[str, int, dict[str, Any]]] = [
    ("bastra", 2, {"hand_size": 2}),
    ("basra-nl", 2, {"hand_size": 2}),
    ("lebanese-b", 2, {"hand_size": 2}),
]
"""Tables at which another deal is to come."""

MANY: list[tuple[str, int, dict[str, Any]]] = [
    ("bastra", 3, {}),
    ("bastra", 4, {"pairs": True}),
    ("egyptian", 4, {}),
    ("syrian-a", 4, {"pairs": True}),
]
"""Tables of more players, in the last deal."""


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a score is worth, from fewer rounds."""
    monkeypatch.setattr(advice, "MATCH_ROUNDS", 2000)


def ending_of(index: int, *, remembers: bool = False) -> Ending:
    """An ending with hidden cards, few enough to go through; one who remembers all has forgotten nothing."""
    draw = random.Random(index)
    while True:
        name, players, options = draw.choice([*DEEP, *MANY] if remembers else [*FORGETFUL, *DEEP, *MANY])
        changes = {key: value for key, value in options.items() if key != "pairs"}
        table = setting(name, players, options.get("pairs", False), changes)
        start = Round(table, draw.sample(range(table.rules.pack), table.rules.pack))
        if changes:
            left, forgotten = draw.randrange(5, 8), 0
        elif players == 2:
            left, forgotten = draw.randrange(3, 7), draw.randrange(1, 3)
        else:
            left, forgotten = draw.randrange(players, players + 3), 0 if remembers else draw.randrange(2)
        found = drawn_ending(start, draw, left, forgotten, draw.randrange(2), ADEPT if remembers else None)
        if not valuing.can_solve(found.situation()):
            return found


def keys_of(ending: Ending, moves) -> list[Key]:
    """Plays as the enumeration names them."""
    return [(move.card, choice_key(ending.at.rules, move.taken)) for move in moves]


def advice_of(ending: Ending, seed: int, ways: int = 2000) -> Advice:
    """Advice in an ending of two sides, asked for as a person does."""
    at, situation = ending.at, ending.situation()
    own, basras = at.teams[at.seat], list(map(sum, at.basras))
    return advise(
        at.setting.label,
        hand=card_names(at.hands[at.seat]),
        floor=card_names(at.floor),
        mine=card_names(situation.piles[own]),
        theirs=card_names(situation.piles[1 - own]),
        seen=card_names([stray.card for stray in situation.strays]),
        score=(20, 30),
        basras=(basras[own], basras[1 - own]),
        deal=situation.place[0] + 1,
        seat=at.seat,
        last=at.last_capture,
        lone_before=at.lone_before,
        players=at.setting.players,
        pairs=at.setting.pairs,
        changes=at.setting.changes,
        policy=ADEPT,
        ways=ways,
        seed=seed,
        threads=1,
    )


def value_of(team: int) -> Callable[[Fate], float]:
    """What a fate is worth to a team."""
    return lambda fate: margin(fate.gained, team)


def holds(found: Estimate, value: float) -> bool:
    """Whether an interval holds a value."""
    assert found.low is not None
    assert found.high is not None
    return found.low - NEARLY <= value <= found.high + NEARLY


def won(ending: Ending, seed: int):
    """Chance to win the match after a fate, from a score of 20 to 30."""
    own = ending.at.teams[ending.at.seat]
    chances = score_chances(ending.at.setting, ADEPT, seed, 1)

    def value(fate: Fate) -> float:
        mine, other = fate.totals[own] + 20, fate.totals[1 - own] + 30
        return float(chances.won(np.array([own]), np.array([mine]), np.array([other]))[0])

    return value


def check_against_enumeration(index: int) -> dict[str, bool]:
    """Check what is sure of an ending's figures; return whether each interval of a play drawn holds what is true."""
    ending = ending_of(index)
    ways, own = enumerate_ways(ending, ADEPT), ending.at.teams[ending.at.seat]
    margins = expected(ways, value_of(own))
    replies = expected(ways, lambda fate: float(fate.reply > 0))
    key = random.Random(index).choice(sorted(margins))
    if len(ending.at.piles) > 2:
        valued = value_plays(ending.situation(), ADEPT, ways=2000, seed=index, threads=1)
        assert not valued.solved
        keys = keys_of(ending, valued.moves)
        check_support(ending, ways, valued.margins, keys)
        place = keys.index(key)
        return {"margin": holds(estimate(valued.margins[:, place]), margins[key])} if not valued.sure else {}
    found = advice_of(ending, index)
    options = dict(zip(keys_of(ending, [each.move for each in found.options]), found.options, strict=True))
    assert set(options) == set(margins)
    assert not found.solved
    assert found.ways == 2000
    values = [margins[key] for key in options]
    assert (values[0], found.best.margin.value) == pytest.approx((max(values), found.best.margin.value), abs=1.0)
    option, chance = options[key], expected(ways, won(ending, index))[key]
    assert option.match is not None
    return {
        "margin": holds(option.margin, margins[key]),
        "match": holds(option.match, chance),
        "reply": holds(option.reply, replies[key]),
    }


def check_support(ending: Ending, ways: list[Way], margins, keys: list[Key]) -> None:
    """What came of all plays in a way that was drawn comes of them in one that was gone through."""
    own = ending.at.teams[ending.at.seat]
    possible = {tuple(round(margin(way.fates[key].gained, own), 6) for key in keys) for way in ways}
    assert set(map(tuple, margins.round(6).tolist())) <= possible


@pytest.mark.parametrize("index", range(15))
def test_figures_are_those_of_all_ways_the_hidden_cards_may_lie(index):
    ending = ending_of(1000 + index)
    ways, own = enumerate_ways(ending, ADEPT), ending.at.teams[ending.at.seat]
    margins = expected(ways, value_of(own))
    found = value_plays(ending.situation(), ADEPT, ways=4000, seed=index, threads=1)
    keys = keys_of(ending, found.moves)
    check_support(ending, ways, found.margins, keys)
    for place, key in enumerate(keys):
        error = found.margins[:, place].std() / len(found.margins) ** 0.5
        assert found.margins[:, place].mean() == pytest.approx(margins[key], abs=4.5 * error + NEARLY)


@pytest.mark.slow
def test_intervals_cover_as_stated_in_200_endings():
    held: dict[str, list[bool]] = {}
    for index in range(200):
        for name, holds_it in check_against_enumeration(index).items():
            held.setdefault(name, []).append(holds_it)
    for name, each in held.items():
        assert len(each) > 100
        # Three standard errors of a rate of 95 %; what is sure in some endings is always held.
        assert np.mean(each) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / len(each)), (name, np.mean(each))


@pytest.mark.parametrize("index", range(8))
def test_figures_that_a_person_asks_for_are_those_of_all_ways(index):
    assert set(check_against_enumeration(2000 + index)) <= {"margin", "match", "reply"}


@pytest.mark.parametrize("index", range(10))
def test_ways_count_by_how_well_they_explain_what_others_played(index):
    ending = ending_of(3000 + index, remembers=True)
    ways, own = enumerate_ways(ending, ADEPT, DOUBT), ending.at.teams[ending.at.seat]
    margins = expected(ways, value_of(own))
    found = value_plays(ending.situation(), ADEPT, ways=4000, seed=index, doubt=DOUBT, threads=1)
    for place, key in enumerate(keys_of(ending, found.moves)):
        error = found.margins[:, place].std() / len(found.margins) ** 0.5
        assert found.margins[:, place].mean() == pytest.approx(margins[key], abs=5 * error + NEARLY)


def test_what_others_played_matters():
    apart = 0
    for index in range(10):
        ending = ending_of(3000 + index, remembers=True)
        own = ending.at.teams[ending.at.seat]
        plain, weighed = (expected(enumerate_ways(ending, ADEPT, doubt), value_of(own)) for doubt in (1.0, DOUBT))
        apart += any(abs(plain[key] - weighed[key]) > 0.1 for key in plain)
    assert apart >= 3


@cache
def open_ending(index: int) -> Round:
    """The last deal of two players, of whom each knows all."""
    draw = random.Random(index)
    name, players = draw.choice(("bastra", "egyptian", "ethiopian", "lebanese-a", "syrian-a")), 2
    table = setting(name, players)
    start = Round(table, draw.sample(range(table.rules.pack), table.rules.pack))
    return open_endings.random_ending(draw, start, draw.randrange(2, 7))


@pytest.mark.parametrize("index", range(12))
def test_an_ending_in_which_nothing_is_hidden_is_solved(index):
    at = open_ending(index)
    ending = Ending(at, (), at, frozenset(), (), Past((), ()))
    found = advice_of(ending, 1)
    assert found.solved
    assert found.sure
    own = at.teams[at.seat]
    so_far = margin([score.total for score in at.scores()], own)
    exact = open_endings.margins(at)
    assert len(found.options) == len(exact)
    for option in found.options:
        assert option.margin == Estimate(option.margin.value, None, None, 1)
        assert option.margin.value == pytest.approx(exact[option.move.card, option.move.taken] - so_far)
        assert option.match is not None
        assert option.match.value is not None
        assert 0 <= option.match.value <= 1
    assert [each.margin.value for each in found.options] == sorted(
        (value - so_far for value in exact.values()), reverse=True
    )


def test_the_same_on_any_number_of_threads_and_in_any_chunks(monkeypatch):
    asked: dict[str, Any] = {
        "hand": "JS 7D 2C",
        "floor": "3H 5S",
        "seen": "KH KD",
        "policy": ADEPT,
        "ways": 2500,
        "seed": 4,
    }
    one = advise("egyptian", threads=1, **asked)
    monkeypatch.setattr(valuing, "WAYS_A_CHUNK", 77)
    assert advise("egyptian", threads=3, **asked) == one
    other = advise("egyptian", **{**asked, "seed": 5})
    assert other.options != one.options


def test_a_way_is_told_by_its_number_alone():
    situation = ending_of(5).situation()
    whole = Trial(situation, ADEPT, 3).run(0, 300)
    part = Trial(situation, ADEPT, 3).run(120, 50)
    for all_of_it, some in zip(whole, part, strict=True):
        np.testing.assert_array_equal(all_of_it[120:170], some)


def test_leads_are_paired_and_corrected_for_all_pairs():
    draw = np.random.default_rng(1)
    common, own = draw.normal(0, 10, (5000, 1)), draw.normal([0.3, 0.1, 0.0, -5.0], 1, (5000, 4))
    margins = common + own
    found = lead(margins, 0, 1)
    assert found.comparisons == 6
    apart = margins[:, 0] - margins[:, 1]
    assert found.estimate.value == pytest.approx(apart.mean())
    half = 2.638 * apart.std(ddof=1) / np.sqrt(5000)  # the normal quantile for 0.05 / 6 on both sides together
    assert (found.estimate.low, found.estimate.high) == pytest.approx(
        (apart.mean() - half, apart.mean() + half), abs=1e-4
    )
    assert found.real
    assert not lead(margins[:50], 0, 1).real
    few = lead(margins[:50], 0, 1).estimate
    assert few.half_width > 2.638 * apart[:50].std(ddof=1) / np.sqrt(50)


def test_leads_that_are_called_real_by_chance_are_rare():
    draw, wrong = np.random.default_rng(2), 0
    for _ in range(400):
        margins = draw.normal(0, 1, (200, 5))
        order = np.argsort(-margins.mean(axis=0))
        wrong += any(lead(margins, order[0], other).real for other in order[1:])
    assert wrong / 400 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_a_table_of_advice():
    found = advise("bastra", hand="JS 7D 2C", floor="3H 5S", policy=ADEPT, ways=500)
    table = found.table
    assert list(table["card"]) == [option.card for option in found.options]
    assert table["margin"].is_monotonic_decreasing
    assert table["behind"].isna().tolist() == [True, False, False]
    assert (table["margin_low"] < table["margin"]).all()
    assert set(advising.__all__) == {"Advice", "Review", "advise", "review"}


def test_cards_known_to_lie_at_the_bottom_stay_there():
    """Of the last two deals the later holds them, whatever else is forgotten."""
    table = setting("bastra", 2, False, {"hand_size": 1})
    lying = (4, 9, 14)
    bottom = (parse_card("JC"), parse_card("JD"))
    situation = Situation(table, table.plays - 4, (20,), lying, ((), ()), (0, 0), 1, bottom=bottom)
    assert situation.lost == 4 + situation.plays - len(lying)
    found = Trial(situation, ADEPT, 1).run(0, 200)
    # Both jacks are still to be won, and somebody wins them.
    assert found.points.sum(axis=2).min() >= 16
    assert (found.points.sum(axis=2) - found.earlier.sum(axis=1)[:, None]).min() >= 2
