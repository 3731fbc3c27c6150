"""Claims: what is registered, the duels that are played for them, and every verdict, on estimates made up for it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from analyses.claims.duels import AGAIN, CONTROL, CROSS, EXCHANGED, EXPLORATION, MARGIN, MATCH_WON, PRIMARY, UNPAIRED
from scipy.stats import norm

from analyses.claims import duels
from analyses.claims.model import Claim, Form
from analyses.claims.registry import CLAIMS, claim
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    FAILED,
    GAINS,
    NO_DIFFERENCE,
    NOTHING,
    PASSED,
    REFUTED,
    SUPPORTED,
    UNDECIDED,
    Verdict,
    judge,
    repeated,
    verdict,
)
from analyses.frames import estimates
from analyses.inference import standard_error, units_needed
from analyses.jobs import STRENGTHS, Effort, run
from basra_sim.deals import SEED_LIMIT
from basra_sim.experiment import duel
from basra_sim.policies import FEATURES, get_policy
from basra_sim.stats import Estimate
from basra_sim.variants import SOURCES, variant_names


def test_registered_claims_are_complete() -> None:
    names = {feature.name for feature in FEATURES}
    for each in CLAIMS:
        assert claim(each.name) is each
        assert each.source in SOURCES
        assert all((each.advice, each.subject, each.applies, each.predicts, each.smallest > 0))
        assert set(each.variants) <= set(variant_names())
        assert len({form.name for form in each.forms}) == len(each.forms)
        assert any(form.expected < 0 for form in each.forms), "a reversed form"
        for form in each.forms:
            assert set(form.weights) <= names
            for player in each.everyone:
                assert player.strength in STRENGTHS
                assert each.player(player.name) is player
                weights = form.applied(player).weights or {}
                assert weights == {**(player.policy.weights or {}), **form.weights}


def test_second_seed_is_another_one() -> None:
    assert duels.second_seed(1) == 2
    assert duels.second_seed(SEED_LIMIT - 1) == SEED_LIMIT - 2


@pytest.fixture(scope="module")
def played() -> pd.DataFrame:
    return run(duels.jobs(claim("jack-hold"), Effort(1000, seed=7, threads=1)))


def test_duels_that_a_claim_needs(played: pd.DataFrame) -> None:
    the = claim("jack-hold")
    roles = played.groupby(["role", "measure"]).size().to_dict()
    players, forms = len(the.everyone), len(the.forms)
    assert len(the.players) < players
    assert roles == {
        (PRIMARY, MARGIN): the.tests,
        (AGAIN, MARGIN): the.tests,
        (EXPLORATION, MARGIN): 2 * players * forms - the.tests,
        (EXPLORATION, MATCH_WON): 2 * players * forms,
        (CONTROL, MARGIN): 2 * 2 * players,
        (CROSS, MARGIN): players * 2,
    }
    assert set(played.loc[played["role"] == AGAIN, "seed"]) == {8}
    assert set(played.loc[played["role"] != AGAIN, "seed"]) == {7}


def test_duels_are_those_of_the_library(played: pd.DataFrame) -> None:
    plain = get_policy("greedy").revised("free greedy", jack_takes=0.0)
    advised = plain.following("jack-hold")
    expected = duel(advised, plain, "bastra", deals=1000, seed=7, threads=1)
    chosen = (played["policy"] == "free greedy") & (played["form"] == "literal") & (played["measure"] == MARGIN)
    rows = played[chosen & (played["role"] == EXPLORATION) & (played["variant"] == "bastra")]
    assert estimates(rows) == [expected.margin]
    assert rows["pairing_gain"].iloc[0] == expected.pairing_gain


def test_a_player_against_himself_comes_out_as_nothing(played: pd.DataFrame) -> None:
    control = played[played["role"] == CONTROL]
    exchanged = control[control["form"] == EXCHANGED]
    assert (exchanged[["estimate", "low", "high"]] == 0).all(axis=None)
    unpaired = control[control["form"] == UNPAIRED]
    assert (unpaired["high"] > unpaired["low"]).all()
    first, second = (duel("greedy", "greedy", "bastra", deals=200, seed=seed, threads=1) for seed in (7, 8))
    (row,) = estimates(unpaired[(unpaired["variant"] == "bastra") & (unpaired["policy"] == "greedy")])
    ahead, behind = first.seat_margins[0], second.seat_margins[1]
    assert row.value == pytest.approx(((ahead.value or 0) + (behind.value or 0)) / 2)
    assert standard_error(row) == pytest.approx(np.hypot(standard_error(ahead), standard_error(behind)) / 2)


MADE_UP = Claim(
    name="made-up",
    advice="Do it.",
    subject="doing it",
    applies="Always.",
    predicts="It gains.",
    source="article-en",
    forms=(
        Form(name="literal", does="does it", phrase="as a rule", weights={}),
        Form(name="tie-break", does="does it in doubt", phrase="in doubt", weights={}),
        Form(name="reversed", does="does not", phrase="turned round", weights={}, expected=-1, primary=False),
    ),
)


CELLS = [(player.name, form.name) for player in MADE_UP.players for form in MADE_UP.primary_forms]
"""Player and form of the primary duels: greedy by both forms, then counter."""


def found(value: float, error: float = 0.01, units: int = 10_000) -> Estimate:
    half = error * float(norm.ppf(0.975))
    return Estimate(value, value - half, value + half, units)


def rows(
    cells: Sequence[tuple[str, str]],
    made: Sequence[Estimate],
    *,
    role: str = PRIMARY,
    measure: str = MARGIN,
    seed: int = 1,
) -> pd.DataFrame:
    """Rows as duels give them."""
    return pd.DataFrame(
        {"claim": "made-up", "role": role, "variant": "bastra", "policy": policy, "form": form, "opponent": policy}
        | {"measure": measure, "unit": "points/round", "seed": seed, "pairing_gain": 2.0}
        | each.to_dict()
        for (policy, form), each in zip(cells, made, strict=True)
    )


def judged(*values: float, error: float = 0.01, the: Claim = MADE_UP) -> tuple[list[str], Verdict]:
    """Outcomes of the primary duels for made-up margins, and the verdict."""
    frame = judge(rows(CELLS, [found(value, error) for value in values]), the)
    return list(frame["outcome"]), verdict(frame, the)


def test_supported() -> None:
    assert judged(0.2, 0.1, 0.3, 0.15) == ([GAINS] * 4, Verdict(SUPPORTED))


def test_refuted() -> None:
    assert judged(-0.2, -0.1, -0.3, -0.15) == ([COSTS] * 4, Verdict(REFUTED))


@pytest.mark.parametrize(("turned", "result"), [(-0.2, Verdict(DEPENDS, ("situation",))), (0.2, Verdict(REFUTED))])
def test_depends_on_the_situation_where_the_reverse_costs_too(turned: float, result: Verdict) -> None:
    primary = rows(CELLS, [found(value) for value in (-0.2, -0.1, -0.3, -0.15)])
    reverse = [("greedy", "reversed"), ("counter", "reversed")]
    beside = rows(reverse, [found(turned), found(turned)], role=EXPLORATION)
    assert verdict(judge(pd.concat([primary, beside], ignore_index=True), MADE_UP), MADE_UP) == result


def test_no_difference() -> None:
    assert judged(0.0, 0.001, -0.01, 0.005) == ([NOTHING] * 4, Verdict(NO_DIFFERENCE))


def test_a_difference_that_does_not_matter_is_none() -> None:
    assert judged(0.02, 0.02, 0.02, -0.02, error=0.001) == ([NOTHING] * 4, Verdict(NO_DIFFERENCE))


def test_depends_on_the_form() -> None:
    assert judged(-0.2, 0.1, -0.3, 0.15) == ([COSTS, GAINS, COSTS, GAINS], Verdict(DEPENDS, ("form",)))


def test_depends_on_the_player() -> None:
    assert judged(-0.2, -0.2, 0.0, 0.0) == ([COSTS, COSTS, NOTHING, NOTHING], Verdict(DEPENDS, ("policy",)))


def test_depends_on_both() -> None:
    assert judged(-0.2, -0.2, -0.2, 0.2)[1] == Verdict(DEPENDS, ("form", "policy"))


def test_depends_though_something_is_undecided() -> None:
    assert judged(-0.2, 0.04, 0.2, 0.04, error=0.02) == (
        [COSTS, UNDECIDED, GAINS, UNDECIDED],
        Verdict(DEPENDS, ("policy",)),
    )


def test_undecided_says_how_many_deals_it_takes() -> None:
    outcomes, result = judged(0.2, 0.04, 0.2, 0.05, error=0.03)
    assert outcomes == [GAINS, UNDECIDED, GAINS, UNDECIDED]
    needs = [units_needed(found(value, 0.03), 0.05, MADE_UP.tests) for value in (0.04, 0.05)]
    assert result == Verdict(UNDECIDED, needed=max(need or 0 for need in needs))
    assert (result.needed or 0) > 10_000


def test_all_undecided() -> None:
    assert judged(0.0, 0.0, 0.0, 0.0, error=0.2)[1].name == UNDECIDED


def test_a_claim_that_something_costs_is_supported_by_costs() -> None:
    forms = tuple(replace(form, expected=-form.expected) for form in MADE_UP.forms)
    assert judged(-0.2, -0.1, -0.3, -0.15, the=replace(MADE_UP, forms=forms))[1] == Verdict(SUPPORTED)
    assert judged(0.2, 0.1, 0.3, 0.15, the=replace(MADE_UP, forms=forms))[1] == Verdict(REFUTED)


def test_the_smallest_effect_is_the_claims_own() -> None:
    assert judged(0.2, 0.2, 0.2, 0.2)[1].name == SUPPORTED
    assert judged(0.2, 0.2, 0.2, 0.2, the=replace(MADE_UP, smallest=0.5))[1].name == NO_DIFFERENCE


def test_primary_tests_are_corrected_together() -> None:
    borderline = 2.1 * 0.04
    alone = judge(rows(CELLS[:1], [found(borderline, 0.04)]), MADE_UP)
    among = judge(rows(CELLS, [found(borderline, 0.04)] * 4), MADE_UP)
    assert list(alone["outcome"]) == [GAINS]
    assert list(among["outcome"]) == [UNDECIDED] * 4
    assert among["p_difference_corrected"].iloc[0] == pytest.approx(4 * alone["p_difference"].iloc[0])
    explored = judge(rows(CELLS, [found(borderline, 0.04)] * 4, role=EXPLORATION), MADE_UP)
    assert list(explored["outcome"]) == [GAINS] * 4


def test_matches_are_judged_by_their_difference_alone() -> None:
    frame = judge(
        rows(CELLS, [found(value) for value in (0.6, 0.4, 0.5, 0.501)], role=EXPLORATION, measure=MATCH_WON), MADE_UP
    )
    assert list(frame["outcome"]) == [GAINS, COSTS, UNDECIDED, UNDECIDED]
    assert frame["p_equivalence"].isna().all()
    assert frame["needed"].isna().all()


def test_a_control_fails_that_is_not_nothing() -> None:
    frame = judge(rows(CELLS[:2], [found(0.001), found(0.2)], role=CONTROL), MADE_UP)
    assert list(frame["outcome"]) == [PASSED, FAILED]


def test_exploration_has_no_say_in_the_verdict() -> None:
    primary = rows(CELLS, [found(0.2)] * 4)
    other = rows(CELLS, [found(-0.2)] * 4, role=EXPLORATION)
    frame = judge(pd.concat([other, primary], ignore_index=True), MADE_UP)
    assert list(frame["role"]) == [EXPLORATION] * 4 + [PRIMARY] * 4
    assert verdict(frame, MADE_UP) == Verdict(SUPPORTED)


def test_a_second_seed_that_disagrees_is_seen() -> None:
    primary = rows(CELLS, [found(0.2), found(0.1), found(0.3), found(0.15)])
    again = rows(CELLS, [found(0.21), found(0.2), found(0.29), found(0.14)], role=AGAIN, seed=2)
    both = repeated(judge(pd.concat([primary, again], ignore_index=True), MADE_UP))
    assert list(both["agrees"]) == [True, False, True, True]
    assert both["difference"].tolist() == pytest.approx([-0.01, -0.1, 0.01, 0.01])
    half = float(norm.ppf(0.975)) * 0.01 * np.sqrt(2)
    assert (both["difference_high"] - both["difference"]).tolist() == pytest.approx([half] * 4)
