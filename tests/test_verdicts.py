"""Outcomes and verdicts, on numbers and outcomes made up for them: what the stated rule says is what comes out."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, norm

from analyses.claims import observations
from analyses.claims.choices import CONTRAST, WIN
from analyses.claims.model import DECISION, FREQUENCY, GAIN, PLAYING, Claim
from analyses.claims.observed import predictions
from analyses.claims.registry import claim
from analyses.claims.rows import AGAIN, CONTROL, CROSS, EXPLORATION, MARGIN, PRIMARY, WON
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    EITHER,
    FAILED,
    GAINS,
    NO_DIFFERENCE,
    NOTHING,
    OPPONENT,
    PART,
    PASSED,
    PLAYER,
    REFUTED,
    RIGHT,
    RULE,
    SITUATION,
    SUPPORTED,
    UNDECIDED,
    UNKNOWN,
    WEAK_ONLY,
    WRONG,
    Verdict,
    judge,
    repeated,
    smallest,
    verdict,
)
from analyses.claims.wording import headline, reasons
from analyses.inference import units_needed
from analyses.jobs import PLAYERS
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from basra_sim.stats import Estimate

WAY, CHOICE, MATCHES, CONTRASTED, COUNTED = (
    claim(name) for name in ("jack-hold", "jack-for-points", "jack-empty-defence", "points-late-last", "ace-early")
)
VERDICTS = {SUPPORTED, WEAK_ONLY, NO_DIFFERENCE, REFUTED, DEPENDS, UNDECIDED}
Triple = tuple[str, str, str]


def row(the: Claim, kind: str, measure: str, policy: str = "greedy", **more: object) -> dict[str, object]:
    """A row as tests report it."""
    plain = {"role": PRIMARY, "variant": "bastra", "seats": "two players", "form": "", "opponent": policy}
    numbers = {"estimate": 0.0, "low": -0.01, "high": 0.01, "units": 10_000, "seed": 1}
    made = {"claim": the.name, "kind": kind, "measure": measure, "policy": policy, "split": "", "place": ""}
    return {**made, **plain, **numbers, **more}


def ways(outcomes: Mapping[str, Triple]) -> list[dict[str, object]]:
    """Judged rows of a way of playing: for each player the outcomes of following strictly, in doubt, reversed."""
    return [
        row(WAY, PLAYING, MARGIN, policy, form=form, outcome=outcome)
        for policy, three in outcomes.items()
        for form, outcome in zip((LITERAL, TIE_BREAK, REVERSED), three, strict=True)
    ]


def ruled(rows: Sequence[Mapping[str, object]], the: Claim = WAY) -> Verdict:
    return verdict(pd.DataFrame([{"needed": None, **each} for each in rows]), the)


def _states() -> dict[tuple[str, str], str]:
    """What following strictly (down) and doing the opposite (across) come to, as people read the rule."""
    across = (GAINS, COSTS, NOTHING, UNKNOWN)
    down = {
        GAINS: (EITHER, RIGHT, RIGHT, RIGHT),
        COSTS: (WRONG, WRONG, WRONG, UNKNOWN),
        NOTHING: (WRONG, RIGHT, NOTHING, UNKNOWN),
        UNKNOWN: (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    }
    return {
        (follow, turned): state for follow, line in down.items() for turned, state in zip(across, line, strict=True)
    }


@pytest.mark.parametrize(("pair", "state"), _states().items(), ids=str)
@pytest.mark.parametrize("doubt", [GAINS, COSTS, NOTHING, UNKNOWN])
def test_what_a_way_of_playing_is_for_one_player(pair: tuple[str, str], state: str, doubt: str) -> None:
    follow, turned = pair
    expected = EITHER if follow == COSTS and doubt == GAINS else state
    assert ruled(ways({"greedy": (follow, doubt, turned)})).states == {"greedy": expected}


@pytest.mark.parametrize(
    ("mean", "cells", "state"),
    [
        (UNKNOWN, (GAINS, COSTS), EITHER),
        (NOTHING, (COSTS, NOTHING, GAINS), EITHER),
        (GAINS, (), EITHER),
        (GAINS, (GAINS, GAINS), EITHER),
        (COSTS, (COSTS, UNKNOWN), WRONG),
        (UNKNOWN, (UNKNOWN, GAINS), UNKNOWN),
        (UNKNOWN, (), UNKNOWN),
        (NOTHING, (UNKNOWN,), WRONG),
    ],
)
def test_decisions_tell_whether_it_turns_on_the_situation(mean: str, cells: Sequence[str], state: str) -> None:
    """Where a habit and its opposite both cost, as they do for advice that has nothing to do with the game."""
    found = [row(WAY, DECISION, GAIN, outcome=mean)]
    found += [row(WAY, DECISION, GAIN, outcome=cell, split="deal", place=str(k)) for k, cell in enumerate(cells)]
    elsewhere = {"variant": "egyptian", "role": EXPLORATION}
    found += [row(WAY, DECISION, GAIN, outcome=cell, split="deal", place=cell, **elsewhere) for cell in (GAINS, COSTS)]
    assert ruled([*ways({"greedy": (COSTS, NOTHING, COSTS)}), *found]).states == {"greedy": state}


SHOWN: Mapping[str, Triple] = {
    RIGHT: (GAINS, UNKNOWN, COSTS),
    WRONG: (COSTS, NOTHING, GAINS),
    EITHER: (COSTS, GAINS, COSTS),
    NOTHING: (NOTHING, NOTHING, NOTHING),
    UNKNOWN: (UNKNOWN, GAINS, COSTS),
}
"""Outcomes that make each state."""


@pytest.mark.parametrize(
    ("states", "name", "on"),
    [
        ((RIGHT, RIGHT, RIGHT), SUPPORTED, ""),
        ((NOTHING, RIGHT, RIGHT), SUPPORTED, ""),
        ((NOTHING, NOTHING, RIGHT), SUPPORTED, ""),
        ((RIGHT, NOTHING, RIGHT), SUPPORTED, ""),
        ((RIGHT, NOTHING, NOTHING), WEAK_ONLY, ""),
        ((RIGHT, WRONG, NOTHING), WEAK_ONLY, ""),
        ((RIGHT, WRONG, WRONG), WEAK_ONLY, ""),
        ((NOTHING, NOTHING, NOTHING), NO_DIFFERENCE, ""),
        ((WRONG, WRONG, WRONG), REFUTED, ""),
        ((NOTHING, WRONG, WRONG), REFUTED, ""),
        ((NOTHING, NOTHING, WRONG), REFUTED, ""),
        ((EITHER, RIGHT, RIGHT), DEPENDS, SITUATION),
        ((RIGHT, EITHER, NOTHING), DEPENDS, SITUATION),
        ((UNKNOWN, UNKNOWN, EITHER), DEPENDS, SITUATION),
        ((RIGHT, RIGHT, NOTHING), DEPENDS, PLAYER),
        ((RIGHT, RIGHT, WRONG), DEPENDS, PLAYER),
        ((NOTHING, RIGHT, NOTHING), DEPENDS, PLAYER),
        ((WRONG, RIGHT, RIGHT), DEPENDS, PLAYER),
        ((WRONG, NOTHING, NOTHING), DEPENDS, PLAYER),
        ((WRONG, UNKNOWN, RIGHT), DEPENDS, PLAYER),
        ((RIGHT, UNKNOWN, RIGHT), UNDECIDED, ""),
        ((RIGHT, UNKNOWN, WRONG), UNDECIDED, ""),
        ((RIGHT, WRONG, UNKNOWN), UNDECIDED, ""),
        ((RIGHT, RIGHT, UNKNOWN), UNDECIDED, ""),
        ((UNKNOWN, WRONG, WRONG), UNDECIDED, ""),
        ((NOTHING, NOTHING, UNKNOWN), UNDECIDED, ""),
        ((UNKNOWN, UNKNOWN, UNKNOWN), UNDECIDED, ""),
    ],
)
def test_verdicts_from_three_players(states: Triple, name: str, on: str) -> None:
    by_player = dict(zip(PLAYERS, states, strict=True))
    found = ruled(ways({player: SHOWN[state] for player, state in by_player.items()}))
    assert found == Verdict(name, by_player, on)
    assert headline(WAY, found).endswith(".")
    told = " ".join(reasons(WAY, found))
    assert all(player in told for player in PLAYERS)


def test_an_undecided_player_leaves_a_verdict_only_if_he_could_not_change_it() -> None:
    names = {
        states: ruled(ways({player: SHOWN[state] for player, state in zip(PLAYERS, states, strict=True)})).name
        for states in product(SHOWN, repeat=3)
    }
    assert set(names.values()) == VERDICTS
    for states, name in names.items():
        choices = [[RIGHT, WRONG, EITHER, NOTHING] if state == UNKNOWN else [state] for state in states]
        could = {names[each] for each in product(*choices)}
        assert name == (could.pop() if len(could) == 1 else UNDECIDED)


def test_the_order_of_players_is_that_of_their_strength_not_of_the_rows() -> None:
    outcomes = {"champion": SHOWN[NOTHING], "greedy": SHOWN[RIGHT], "counter": SHOWN[NOTHING]}
    found = ruled(ways(outcomes))
    assert found.name == WEAK_ONLY
    assert list(found.states) == list(PLAYERS)
    assert list(ruled(ways({"mine": SHOWN[RIGHT], "greedy": SHOWN[NOTHING]})).states) == ["greedy", "mine"]


def test_nothing_played_is_undecided() -> None:
    assert ruled([row(WAY, PLAYING, WON, role=EXPLORATION, outcome=GAINS)]) == Verdict(UNDECIDED, {})


@pytest.mark.parametrize(
    ("outcome", "name"), [(GAINS, SUPPORTED), (COSTS, REFUTED), (NOTHING, NO_DIFFERENCE), (UNKNOWN, UNDECIDED)]
)
@pytest.mark.parametrize(("the", "measure"), [(CHOICE, GAIN), (MATCHES, WIN), (CONTRASTED, CONTRAST)])
def test_a_decision_is_as_its_sign(the: Claim, measure: str, outcome: str, name: str) -> None:
    rows = [row(the, DECISION, measure, player, outcome=outcome) for player in PLAYERS]
    beside = [row(the, DECISION, GAIN, player, outcome=COSTS, role=EXPLORATION) for player in PLAYERS]
    found = ruled([*beside, *rows], the)
    assert found.name == name
    assert set(found.states.values()) == {{GAINS: RIGHT, COSTS: WRONG}.get(outcome, outcome)}


def test_only_the_kind_that_it_rests_on_has_a_say() -> None:
    rows = ways(dict.fromkeys(PLAYERS, SHOWN[RIGHT]))
    other = [row(WAY, DECISION, GAIN, player, outcome=COSTS) for player in PLAYERS]
    beside = [row(WAY, PLAYING, MARGIN, "greedy", form=LITERAL, outcome=COSTS, role=EXPLORATION, variant="egyptian")]
    foreign = [row(CHOICE, PLAYING, MARGIN, "greedy", form=LITERAL, outcome=COSTS)]
    assert ruled([*other, *beside, *foreign, *rows]) == Verdict(SUPPORTED, dict.fromkeys(PLAYERS, RIGHT))


def counted(*outcomes: tuple[str, str], policy: str = "greedy") -> list[dict[str, object]]:
    """Judged rows of predictions, by their names."""
    return [row(COUNTED, FREQUENCY, "…", policy, prediction=name, outcome=outcome) for name, outcome in outcomes]


BOTH = tuple(name for name, each in predictions(COUNTED.name).items() if each.primary)


@pytest.mark.parametrize(
    ("outcomes", "name", "state"),
    [
        ((observations.AS_PREDICTED, observations.AS_PREDICTED), SUPPORTED, RIGHT),
        ((observations.OTHER_WAY, observations.OTHER_WAY), REFUTED, WRONG),
        ((NOTHING, NOTHING), NO_DIFFERENCE, NOTHING),
        ((observations.AS_PREDICTED, observations.OTHER_WAY), DEPENDS, EITHER),
        ((observations.AS_PREDICTED, NOTHING), DEPENDS, EITHER),
        ((observations.AS_PREDICTED, UNKNOWN), UNDECIDED, UNKNOWN),
        ((observations.AS_PREDICTED,), UNDECIDED, UNKNOWN),
    ],
)
def test_a_frequency_is_right_where_all_that_is_predicted_is(outcomes: tuple[str, ...], name: str, state: str) -> None:
    rows = counted(*zip(BOTH, outcomes, strict=False))
    assert ruled(rows, COUNTED) == Verdict(name, {"greedy": state}, PART if name == DEPENDS else "")
    assert headline(COUNTED, ruled(rows, COUNTED)).endswith(".")


def test_a_player_against_himself_who_is_ahead_makes_all_undecided() -> None:
    rows = ways(dict.fromkeys(PLAYERS, SHOWN[RIGHT]))
    for outcome, name in ((PASSED, SUPPORTED), (FAILED, UNDECIDED)):
        found = ruled([*rows, row(WAY, PLAYING, MARGIN, role=CONTROL, form="itself", outcome=outcome)])
        assert (found.name, bool(found.trouble)) == (name, name == UNDECIDED)
        assert ("Do not trust these numbers" in " ".join(reasons(WAY, found))) == (name == UNDECIDED)


@pytest.mark.parametrize(("value", "agrees"), [(0.21, True), (0.2, True), (0.05, False)])
def test_a_second_seed_that_says_otherwise_makes_all_undecided(value: float, agrees: bool) -> None:
    numbers: dict[str, Any] = {"estimate": 0.2, "low": 0.18, "high": 0.22, "form": LITERAL, "outcome": GAINS}
    turned = row(WAY, PLAYING, MARGIN, form=REVERSED, outcome=COSTS)
    again = numbers | {"estimate": value, "low": value - 0.02, "high": value + 0.02, "role": AGAIN, "seed": 2}
    rows = [row(WAY, PLAYING, MARGIN, **numbers), turned, row(WAY, PLAYING, MARGIN, **again)]
    both = repeated(pd.DataFrame(rows))
    assert both["agrees"].tolist() == [agrees]
    assert both["difference"].tolist() == pytest.approx([0.2 - value])
    half = (both["difference_high"] - both["difference_low"]) / 2
    assert half.tolist() == pytest.approx([0.02 * np.sqrt(2)])
    assert ruled(rows).name == (SUPPORTED if agrees else UNDECIDED)


@pytest.mark.parametrize(
    ("state", "check", "name"),
    [
        (RIGHT, GAINS, SUPPORTED),
        (RIGHT, NOTHING, SUPPORTED),
        (RIGHT, UNKNOWN, SUPPORTED),
        (RIGHT, COSTS, DEPENDS),
        (WRONG, COSTS, REFUTED),
        (WRONG, GAINS, DEPENDS),
        (NOTHING, GAINS, NO_DIFFERENCE),
    ],
)
def test_other_opponents_can_turn_a_verdict(state: str, check: str, name: str) -> None:
    rows = ways(dict.fromkeys(PLAYERS, SHOWN[state]))
    rows.append(row(WAY, PLAYING, MARGIN, form=LITERAL, opponent="random", role=CROSS, outcome=check))
    assert ruled(rows) == Verdict(name, dict.fromkeys(PLAYERS, state), OPPONENT if name == DEPENDS else "")


@pytest.mark.parametrize(("the", "measure"), [(MATCHES, WIN), (CONTRASTED, CONTRAST)])
def test_other_opponents_turn_only_what_was_judged(the: Claim, measure: str) -> None:
    rows = [row(the, DECISION, measure, player, outcome=GAINS) for player in PLAYERS]
    points = row(the, DECISION, GAIN, opponent="random", role=CROSS, outcome=COSTS)
    assert ruled([*rows, points], the).name == SUPPORTED
    same = row(the, DECISION, measure, opponent="random", role=CROSS, outcome=COSTS)
    assert ruled([*rows, points, same], the).on == OPPONENT


def found(value: float, error: float = 0.01) -> dict[str, Any]:
    """Numbers of an estimate with a standard error."""
    half = error * float(norm.ppf(0.975))
    return {"estimate": value, "low": value - half, "high": value + half}


def judged(rows: Sequence[Mapping[str, object]], *claims: Claim) -> pd.DataFrame:
    return judge(pd.DataFrame(rows), claims or (WAY,))


VALUES = (0.031, 0.028, 0.026, 0.024, 0.02, -0.03, 0.001)


def _differences(values: Sequence[float], error: float = 0.01) -> list[float]:
    """Two-sided p-values against nothing."""
    return [2 * float(norm.sf(abs(value) / error)) for value in values]


def _holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's correction by hand: the smallest times the number of tests, the next times one less, none falling back."""
    order = np.argsort(pvalues)
    times = np.array([pvalues[k] * (len(order) - place) for place, k in enumerate(order)])
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(times), 1)
    return corrected.tolist()


@pytest.mark.parametrize("role", [PRIMARY, EXPLORATION, CROSS])
def test_families_are_corrected_by_the_stated_methods(role: str) -> None:
    rows = [row(WAY, PLAYING, MARGIN, form=LITERAL, role=role, **found(value)) for value in VALUES]
    frame = judged(rows)
    plain = _differences(VALUES)
    assert frame["p_difference"].tolist() == pytest.approx(plain)
    corrected = _holm(plain) if role == PRIMARY else false_discovery_control(plain).tolist()
    assert frame["p_difference_corrected"].tolist() == pytest.approx(corrected)
    same = [float(norm.sf((0.05 - abs(value)) / 0.01)) for value in VALUES]
    assert frame["p_equivalence"].tolist() == pytest.approx(same)
    corrected = _holm(same) if role == PRIMARY else false_discovery_control(same).tolist()
    assert frame["p_equivalence_corrected"].tolist() == pytest.approx(corrected)


def test_what_is_corrected_together() -> None:
    borderline = found(2.1 * 0.04, 0.04)
    alone = judged([row(WAY, PLAYING, MARGIN, form=LITERAL, **borderline)])
    assert alone["outcome"].tolist() == [GAINS]
    others = [
        row(WAY, PLAYING, MARGIN, form=LITERAL, role=EXPLORATION, **found(0, 1)),
        row(WAY, DECISION, GAIN, **found(0, 1)),
        row(CHOICE, DECISION, GAIN, **found(0, 1)),
        row(WAY, PLAYING, WON, role=EXPLORATION, **found(0.5, 1)),
    ]
    frame = judged([row(WAY, PLAYING, MARGIN, form=LITERAL, **borderline), *others], WAY, CHOICE)
    assert frame["p_difference_corrected"].iloc[0] == pytest.approx(alone["p_difference"].iloc[0])
    more = row(claim("jack-two"), PLAYING, MARGIN, form=LITERAL, **found(0, 1))
    frame = judged([row(WAY, PLAYING, MARGIN, form=LITERAL, **borderline), more], WAY, claim("jack-two"))
    assert frame["p_difference_corrected"].iloc[0] == pytest.approx(2 * alone["p_difference"].iloc[0])
    assert frame["outcome"].iloc[0] == UNKNOWN


@pytest.mark.parametrize(
    ("value", "error", "outcome"),
    [(0.2, 0.01, GAINS), (-0.2, 0.01, COSTS), (0.0, 0.01, NOTHING), (0.0, 0.2, UNKNOWN), (0.05, 0.03, UNKNOWN)],
)
def test_outcomes_of_a_test(value: float, error: float, outcome: str) -> None:
    frame = judged([row(WAY, PLAYING, MARGIN, form=LITERAL, **found(value, error))])
    assert frame["outcome"].tolist() == [outcome]
    needed = units_needed(Estimate(units=10_000, value=value, **_ends(value, error)), WAY.smallest)
    assert frame["needed"].tolist() == [needed if outcome == UNKNOWN else pd.NA]


def _ends(value: float, error: float) -> dict[str, Any]:
    return {name: number for name, number in found(value, error).items() if name != "estimate"}


def test_no_difference_that_matters_comes_before_a_difference_that_is_certain() -> None:
    frame = judged([row(WAY, PLAYING, MARGIN, form=LITERAL, **found(0.02, 0.001))])
    assert frame["p_difference"].iloc[0] < 1e-9
    assert frame["outcome"].tolist() == [NOTHING]


def test_the_smallest_effect_is_that_of_claim_kind_and_measure() -> None:
    assert smallest(WAY, PLAYING, MARGIN) == 0.05
    assert smallest(WAY, DECISION, GAIN) == 0.1
    assert smallest(MATCHES, DECISION, WIN) == 0.005
    assert smallest(MATCHES, DECISION, GAIN) == 0.1
    frame = judged([row(WAY, DECISION, GAIN, **found(0.06)), row(MATCHES, DECISION, WIN, **found(0.06))], WAY, MATCHES)
    assert frame["outcome"].tolist() == [NOTHING, GAINS]


def test_more_units_are_asked_for_by_a_larger_family() -> None:
    rows = [row(WAY, PLAYING, MARGIN, form=LITERAL, **found(0.05, 0.03))]
    one, two = judged(rows), judged(rows * 2)
    assert one["needed"].iloc[0] < two["needed"].iloc[0]


def test_a_verdict_names_the_most_that_any_of_its_tests_needs() -> None:
    rows = ways(dict.fromkeys(PLAYERS, SHOWN[UNKNOWN]))
    for number, each in enumerate(rows):
        each["needed"] = 1000 * (number + 1) if each["outcome"] == UNKNOWN else None
    result = ruled(rows)
    assert result.needed == 7000
    assert "some 7,000 deals a test would" in headline(WAY, result)


def test_shares_of_matches_are_judged_by_their_difference_alone() -> None:
    rows = [row(WAY, PLAYING, WON, role=EXPLORATION, **found(value)) for value in (0.6, 0.4, 0.5, 0.501)]
    frame = judged(rows)
    assert frame["outcome"].tolist() == [GAINS, COSTS, UNKNOWN, UNKNOWN]
    assert frame["p_equivalence"].isna().all()
    assert frame["needed"].isna().all()


def test_a_control_fails_that_is_not_nothing() -> None:
    rows = [row(WAY, PLAYING, MARGIN, role=CONTROL, form="itself", **found(value)) for value in (0.001, 0.2)]
    nothing = row(WAY, PLAYING, MARGIN, role=CONTROL, form="itself", estimate=0.0, low=0.0, high=0.0)
    assert judged([*rows, nothing])["outcome"].tolist() == [PASSED, FAILED, PASSED]


def test_what_is_not_tested_or_not_known() -> None:
    applied = row(WAY, DECISION, "applications", role=EXPLORATION)
    none = row(WAY, DECISION, GAIN, estimate=None, low=None, high=None, units=40)
    frame = judged([applied, none, row(WAY, DECISION, GAIN, **found(1.0))])
    assert frame["outcome"].tolist() == ["", UNKNOWN, GAINS]
    assert frame["needed"].isna().all()


def test_frequencies_are_judged_by_their_predictions() -> None:
    named: dict[str, Any] = {"expects": "above", "bound": 0.75, "smallest": None}
    share = row(COUNTED, FREQUENCY, "…", prediction=BOTH[0], **named, **found(0.9))
    low = row(COUNTED, FREQUENCY, "…", prediction=BOTH[1], **named, **found(0.9))
    margin = row(WAY, PLAYING, MARGIN, form=LITERAL, **found(0.2))
    frame = judged([share, margin, low], COUNTED, WAY)
    assert frame["outcome"].tolist() == [observations.AS_PREDICTED, GAINS, observations.AS_PREDICTED]
    assert verdict(frame, COUNTED).name == SUPPORTED


def test_the_rule_speaks_of_every_verdict_and_method() -> None:
    words = " ".join(RULE).lower()
    for name in (
        *VERDICTS,
        "holm",
        "benjamini",
        "second seed",
        "control",
        "two one-sided tests",
        "opposite",
        "predict",
    ):
        assert name in words, name
    assert all(text.endswith(".") for text in RULE)
