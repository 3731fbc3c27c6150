"""Whether strong players do what advice says, and what one who searches thinks that a breach of it costs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyses.advising.valuing import value_plays
from analyses.claims import opinions
from analyses.claims.choices import FOLLOWED, OPINION, Collected
from analyses.claims.model import DECISION, GAIN, MAIN, Claim
from analyses.claims.naming import QUANTITIES, situation
from analyses.claims.practice import least, practice
from analyses.claims.registry import CLAIMS, claim
from analyses.claims.rows import ASKED, EXPLORATION, PRIMARY, line
from analyses.claims.summary import at_table
from analyses.claims.verdict import judge, verdict
from analyses.jobs import ADVISER, STRONGEST, Effort
from basra_sim.cards import JACK as JACK_RANK
from basra_sim.cards import card_set, cards_in, rank_of
from basra_sim.deals import deck
from basra_sim.decisions import Decisions, decisions
from basra_sim.policies import get_policy
from basra_sim.reference import Round
from basra_sim.search.situations import Move
from basra_sim.stats import Estimate
from basra_sim.tracing import trace_plan
from reports.advice_tables import beside
from reports.findings import practices
from tests.pages import read
from tests.scoring import logged

JACK = claim("jack-hold")


@pytest.fixture(scope="module")
def found() -> Decisions:
    return decisions("jack-hold", STRONGEST, deals=12, seed=3, threads=1)


def test_what_is_asked_about_is_what_the_player_knew(found: Decisions) -> None:
    for row in found.frame().iloc[:: len(found.found) // 12].to_dict("records"):
        at = opinions.situation(found, row["deal_index"], row["play"])
        table = Round(found.plan.setting, deck(found.plan.seed, row["deal_index"], 52))
        for card, taken, _ in logged(found.plan, row["deal_index"])[: row["play"]]:
            table.play(card, list(cards_in(taken)))
        assert (at.seat, at.hand, at.floor) == (row["seat"], tuple(table.hands[row["seat"]]), tuple(table.floor))
        assert [card_set(pile) for pile in at.piles] == [card_set(pile) for pile in table.piles]
        out_of_sight = {card for seat, hand in enumerate(table.hands) if seat != row["seat"] for card in hand}
        known = {*at.bottom, *(card for hand in at.held for card in hand)}
        assert {rank_of(card) for card in known} <= {JACK_RANK}, "seen when they were buried"
        assert {*at.hidden, *known} == out_of_sight | set(table.stock)
        assert known.isdisjoint(at.hidden)


def test_where_nothing_is_hidden_he_expects_what_comes(found: Decisions) -> None:
    ends = found.column("deal") == len(found.plan.setting.hand_sizes)
    last = replace(found, found=found.found[ends])
    assert len(last.found) > 10
    assert opinions.opinions(last, 1) == pytest.approx(last.gain)
    assert np.ptp(last.gain) > 5


def test_he_expects_the_mean_over_ways_of_the_hidden_cards(found: Decisions) -> None:
    some = replace(found, found=found.found[:3])
    for row, expected in zip(some.frame().to_dict("records"), opinions.opinions(some, 1), strict=True):
        moves = [
            Move(row[f"{way}_card"], tuple(cards_in(row[f"{way}_taken"])), 0) for way in ("follow", "against")
        ]  # fmt: skip
        at = opinions.situation(found, row["deal_index"], row["play"])
        many = value_plays(
            at, get_policy(STRONGEST), ways=4000, seed=99, doubt=0.1, moves=moves, threads=1, solve=False
        )  # fmt: skip
        gains = many.margins[:, 0] - many.margins[:, 1]
        assert expected == pytest.approx(gains.mean(), abs=4.5 * gains.std() / opinions.WAYS**0.5)
        assert gains.std() > 1


def test_neither_threads_nor_what_else_is_asked_matter(found: Decisions) -> None:
    some = replace(found, found=found.found[5:25])
    alone = opinions.opinions(some, 1)
    assert np.ptp(alone) > 1
    assert np.array_equal(alone, opinions.opinions(some, 2))
    assert np.array_equal(alone[7:9], opinions.opinions(replace(some, found=some.found[7:9]), 1))
    assert len(opinions.opinions(replace(some, found=some.found[:0]), 1)) == 0


@pytest.mark.parametrize(("rounds", "total", "asked"), [(200_000, 5000, 400), (200_000, 90, 90), (1000, 5000, 2)])
def test_decisions_asked_about_are_evenly_spread(rounds: int, total: int, asked: int) -> None:
    chosen = opinions.chosen(total, Effort(rounds))
    assert len(np.unique(chosen)) == len(chosen) == asked
    assert chosen[0] == 0
    assert chosen[-1] < total
    assert np.ptp(np.diff(chosen)) <= 1


def test_opinion_is_stated_beside_what_is_judged() -> None:
    effort = Effort(16_000, seed=4, threads=1)
    collected = Collected(JACK, MAIN, STRONGEST, effort).play(None)
    rows = pd.DataFrame(collected.rows())
    (asked,) = rows[rows["measure"] == OPINION].to_dict("records")
    assert (asked["role"], asked["policy"], asked["kind"], asked["unit"]) == (
        ASKED,
        ADVISER,
        DECISION,
        "points/decision",
    )
    assert asked["decisions"] == opinions.number(effort) == 32
    assert asked["low"] < asked["estimate"] < asked["high"]
    values = opinions.opinions(_asked(collected), 1)
    assert asked["estimate"] == pytest.approx(values.mean(), abs=1e-6)
    judged = judge(rows, [JACK])
    assert judged.loc[judged["measure"].isin([OPINION, FOLLOWED]), "outcome"].eq("").all()
    beside = rows[~rows["measure"].isin([OPINION, FOLLOWED])]
    decided = replace(JACK, kinds=(DECISION,))
    assert verdict(judged, decided) == verdict(judge(beside, [decided]), decided)
    few = pd.DataFrame(Collected(JACK, MAIN, STRONGEST, Effort(1000, threads=1)).play(None).rows())
    assert OPINION not in set(few["measure"]), "too few to state it"
    for strength, opponent in (("greedy", None), (STRONGEST, "greedy")):
        assert not Collected(JACK, MAIN, strength, effort, opponent).judged_by_adviser


def _asked(collected: Collected) -> Decisions:
    """Decisions that he was asked about, played again."""
    again = decisions("jack-hold", STRONGEST, deals=collected.deals, seed=collected.effort.seed, threads=1)
    return replace(again, found=again.found[opinions.chosen(len(again.found), collected.effort)])


def made(measure: str, found: tuple[float, float, float], **more: Any) -> dict[str, Any]:
    """A row about the jacks."""
    unit = "of decisions" if measure == FOLLOWED else "points/decision"
    given: dict[str, Any] = {"role": EXPLORATION, "policy": STRONGEST, "decisions": 1234} | more
    role, policy = given.pop("role"), given.pop("policy")
    estimate = Estimate(*found, 2000)
    return line(
        JACK.name, DECISION, role, MAIN.variant, MAIN.seats, policy, measure, estimate, unit=unit, seed=1, **given
    )


WHOLE = made(FOLLOWED, (0.8, 0.78, 0.82))
NEARLY = made(FOLLOWED, (0.5, 0.2, 0.79), split="deal", place="1")
LEAST = made(FOLLOWED, (0.61, 0.6, 0.62), split="cards_left", place="2")
OFTEN = made(FOLLOWED, (0.9, 0.88, 0.92), split="cards_left", place="3")
OF_OTHERS = made(FOLLOWED, (0.1, 0.08, 0.12), policy="greedy")


def sentences(*rows: dict[str, Any], the: Claim = JACK) -> list[str]:
    return list(practice(the, pd.DataFrame(list(rows))))


def test_practice_in_words() -> None:
    follows = "The champion follows it in 80.0 % (78.0 to 82.0) of 1,234 decisions"
    assert sentences(WHOLE, OF_OTHERS, OFTEN) == [f"{follows}."]
    told = f"{follows}; least often with 2 cards in hand, in 61.0 % (60.0 to 62.0)."
    assert sentences(OFTEN, NEARLY, LEAST, WHOLE, OF_OTHERS) == [told]
    assert sentences(OF_OTHERS) == []
    assert sentences(WHOLE, LEAST, the=claim("jack-two")) == []
    assert least(JACK, pd.DataFrame([WHOLE, OFTEN])).empty
    elsewhere = {**WHOLE, "variant": "egyptian"}
    assert sentences(elsewhere, LEAST) == []


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ((0.42, 0.3, 0.54), "The expert puts a breach at 0.42 (0.30 to 0.54) points, over 300 decisions."),
        (
            (0.1, -0.02, 0.22),
            "The expert puts a breach at 0.10 (-0.02 to 0.22) points, over 300 decisions, which may be nothing.",
        ),
        (
            (-0.42, -0.54, -0.3),
            "The expert thinks that a breach gains 0.42 (0.30 to 0.54) points, over 300 decisions.",
        ),
    ],
)
def test_opinion_in_words(expected: tuple[float, float, float], said: str) -> None:
    asked = made(OPINION, expected, role=ASKED, policy=ADVISER, decisions=300)
    assert sentences(WHOLE, asked)[1:] == [said]


@pytest.mark.parametrize(("value", "contradicted"), [(0.6, False), (0.7, False), (0.78, True), (0.06, True)])
def test_played_out_decisions_that_contradict_it_are_named(value: float, contradicted: bool) -> None:
    asked = made(OPINION, (0.42, 0.3, 0.54), role=ASKED, policy=ADVISER, decisions=300)
    played = made(GAIN, (value, value - 0.16, value + 0.16), role=PRIMARY)
    more = sentences(WHOLE, asked, played)[2:]
    assert bool(more) == contradicted
    assert all(f"a breach costs the champion {value:.2f} (" in each for each in more)
    assert not sentences(WHOLE, asked, {**played, "opponent": "greedy"}, {**played, "policy": "counter"})[2:]


def test_what_the_report_says_of_it() -> None:
    asked = made(OPINION, (0.42, 0.3, 0.54), role=ASKED, policy=ADVISER, decisions=300)
    frame = judge(pd.DataFrame([OF_OTHERS, WHOLE, LEAST, OFTEN, asked]), [JACK])
    left_alone, follows, breach = (read(each) for each in practices(JACK, frame))
    assert left_alone == (
        "Left alone, a player makes the play that follows in 10.0 ± 2.0 % of such decisions for greedy and 80.0 ± "
        "2.0 % of such decisions for champion."
    )
    assert follows == (
        "The champion follows it in 80.0 ± 2.0 % of 1,234 decisions; least often with 2 cards in hand, in 61.0 ± 1.0 %."
    )
    assert breach == "The expert puts a breach at 0.42 ± 0.12 points, over 300 decisions."
    tables = {table.name: table for table in beside(JACK, at_table(frame, JACK))}
    assert [row[0].text for row in tables["jack-hold-often"].rows] == ["left alone, follows it"]
    assert [row[0].text for row in tables["jack-hold-practice"].rows] == ["cards in hand: 2", "cards in hand: 3"]
    assert "jack-hold-situations" not in tables


def test_situations_within_a_sentence() -> None:
    assert situation("cards_left", "1") == "with 1 card in hand"
    assert situation("floor_size", "9 or more") == "with 9 or more cards on the floor"
    assert situation("floor_points", "0") == "with no points on the floor"
    assert situation("own_cards", "below 6") == "with fewer than 6 cards won so far"
    assert situation("deal", "6") == "in deal 6"
    assert situation("last_to_play", "0") == "when not last to play"
    assert situation("lead", "below -20") == "at points ahead so far: below -20"
    assert {split for each in CLAIMS for split in each.splits} <= set(QUANTITIES)


def test_rounds_are_traced_from_any_deal_on(found: Decisions) -> None:
    whole = list(trace_plan(found.plan, 4, threads=1))
    assert list(trace_plan(found.plan, 2, first=2, threads=1)) == whole[2:]
