"""Verdicts in sentences that a player understands."""

import pandas as pd
import pytest

from analyses.claims.choices import WIN
from analyses.claims.model import built_in
from analyses.claims.registry import claim
from analyses.claims.verdict import (
    COSTS,
    DEPENDS,
    EITHER,
    GAINS,
    NOTHING,
    PLAYER,
    REFUTED,
    SITUATION,
    SUPPORTED,
    UNDECIDED,
    UNKNOWN,
    WRONG,
    Verdict,
)
from reports.sentences import known_as, sentence
from tests.pages import read
from tests.test_report_advice import cells, made

WAY = built_in("jack-hold", subject="keeping", applies="Now.", section="jacks", kinds=("P", "D"))
DECISION = built_in("jack-hold", subject="keeping", applies="Now.", section="jacks", kinds=("D",))
YES, NOT_KNOWN = Verdict(SUPPORTED, {}), Verdict(UNDECIDED, {}, needed=70_000)


def ways(*, follow: tuple[str, float], turned: tuple[str, float] = (UNKNOWN, 0.0)) -> pd.DataFrame:
    """A way of playing and its reverse, for a beginner and a strong player, who come out differently."""
    rows = [made("greedy", "literal", GAINS, 9.0), made("champion", "literal", *follow)]
    return pd.DataFrame([*rows, made("champion", "reversed", *turned)])


@pytest.mark.parametrize(
    ("follow", "turned", "said"),
    [
        ((GAINS, 1.0), (COSTS, -3.0), "Done always, it brings a strong player 1.00 ± 0.20 points a round."),
        ((COSTS, -1.0), (NOTHING, 0.0), "Done always, it costs a strong player 1.00 ± 0.20 points a round."),
        (
            (COSTS, -1.0),
            (COSTS, -3.0),
            (
                "Done always, it costs a strong player 1.00 ± 0.20 points a round. Always doing the opposite costs "
                "too: 3.00 ± 0.20."
            ),
        ),
        (
            (NOTHING, 0.01),
            (COSTS, -3.0),
            (
                "Done always, it makes less than 0.05 points a round of difference to a strong player. Always doing "
                "the opposite costs: 3.00 ± 0.20."
            ),
        ),
        (
            (UNKNOWN, 0.1),
            (UNKNOWN, -0.1),
            "Done always, it is worth −0.10 to +0.30 points a round to a strong player, as far as these deals tell.",
        ),
    ],
)
def test_what_a_way_of_playing_is_worth(follow: tuple[str, float], turned: tuple[str, float], said: str) -> None:
    assert read(sentence(WAY, YES, ways(follow=follow, turned=turned))) == f"Yes: keeping pays. {said}"


def test_deals_that_a_test_would_need_are_no_matter_for_players() -> None:
    assert "70" not in read(sentence(WAY, NOT_KNOWN, ways(follow=(UNKNOWN, 0.1))))


def test_a_verdict_that_hides_differences_names_them() -> None:
    found = Verdict(UNDECIDED, {"greedy": UNKNOWN, "counter": WRONG, "champion": WRONG})
    said = read(sentence(WAY, found, ways(follow=(COSTS, -1.0))))
    assert said.endswith("Player by player: undecided for a beginner; wrong for a good player and a strong player.")


def decision(outcome: str, value: float, measure: str = "gain", unit: str = "points/decision") -> pd.DataFrame:
    """A decision as a whole, for a strong player."""
    return pd.DataFrame([{**made("champion", "", outcome, value), "kind": "D", "measure": measure, "unit": unit}])


def test_what_a_decision_is_worth() -> None:
    said = read(sentence(DECISION, YES, decision(GAINS, 1.0)))
    assert said == (
        "Yes: keeping pays. Each time it comes up, following it rather than going against it brings a strong player "
        "1.00 ± 0.20 points."
    )


def test_what_a_decision_is_worth_in_matches() -> None:
    the = claim("jack-empty-defence")
    frame = decision(COSTS, -0.3, WIN, "of matches").assign(
        claim=the.name, variant=the.table.variant, seats=the.table.seats
    )
    assert read(sentence(the, Verdict(REFUTED, {}), frame)).endswith(
        "Near the end of a close match, following it rather than going against it costs a strong player 30 ± 20 % of "
        "such matches."
    )


def test_when_it_depends_on_the_situation_the_best_and_worst_moments_are_told() -> None:
    here = pd.concat([ways(follow=(COSTS, -1.0)), decision(UNKNOWN, 0.0)])
    frame = pd.concat([here, cells(floor_size=[-1.0, 0.0, 2.0])])
    found = Verdict(DEPENDS, {"champion": EITHER}, SITUATION)
    assert read(sentence(WAY, found, frame)).endswith(
        "Best moment: cards on the floor: 2 (+2.00 ± 0.20 points). Worst moment: cards on the floor: 0 "
        "(−1.00 ± 0.20 points)."
    )
    assert "moment" not in read(sentence(WAY, Verdict(DEPENDS, {}, PLAYER), frame))
    unclear = pd.concat([here, cells(floor_size=[0.1, 0.0, 0.1])])
    assert "moment" not in read(sentence(WAY, found, unclear))


def test_what_is_counted_says_its_unit() -> None:
    the = claim("high-takes-aces")
    row = {**made("champion", "", GAINS, 0.5, the.name), "kind": "F", "measure": "aces taken", "unit": "aces/play"}
    said = read(sentence(the, YES, pd.DataFrame([row])))
    assert said.endswith("Counted among strong players: aces taken: 0.50 ± 0.20 aces a play.")


def test_players_that_have_no_word_keep_their_name() -> None:
    assert known_as("champion") == "a strong player"
    assert known_as("mine.json") == "mine.json"
