"""Claims as they are registered: every piece of advice, in all its kinds, at all its tables; and a person's own."""

from dataclasses import replace
from pathlib import Path

import pytest

from analyses.claims import choices, observations, testing, ways
from analyses.claims.choices import OUTCOMES, curve
from analyses.claims.model import (
    BESIDE,
    DECISION,
    FREQUENCY,
    KINDS,
    MAIN,
    OWN,
    PAIRS,
    PLAYING,
    SECTIONS,
    Claim,
    Table,
    own_claim,
)
from analyses.claims.observed import predictions
from analyses.claims.registry import CLAIMS, claim, find_claim, find_claims
from analyses.claims.rows import second_seed
from analyses.jobs import Effort
from basra_sim.deals import SEED_LIMIT
from basra_sim.errors import InputError
from basra_sim.policies import ADVICE, Advice, get_policy
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from basra_sim.policies.quantities import PLACES, SITUATION
from basra_sim.variants import SOURCES, setting

ADVICE_AND_KINDS = {
    "memory": "P",
    "memory-safe-rank": "DF",
    "memory-ten-pair": "DF",
    "points-late": "PD",
    "points-late-last": "D",
    "ace-early": "F",
    "jack-hold": "PD",
    "jack-for-points": "D",
    "jack-for-cards": "D",
    "jack-two": "PD",
    "jack-last-deal": "DF",
    "jack-opens-floor": "DF",
    "faces-block": "PDF",
    "faces-first": "D",
    "low-empty": "PD",
    "low-first": "PDF",
    "high-takes-aces": "F",
    "never-point-first": "D",
    "high-board-safe": "F",
    "jack-empty-defence": "D",
    "points-on-empty": "PD",
    "majority-minor": "F",
    "points-over-cards": "PD",
    "fishing-read": "F",
    "fishing-take-away": "DF",
    "avoid-ten": "PD",
    "lead-fragile": "F",
    "jack-strongest": "F",
    "rare-events": "F",
    "best-with-2-or-4": "F",
}
"""The page of advice: what its pieces are called, and the kinds of test that each asks for."""

ALSO_IN_PAIRS = ("jack-", "points-", "faces-")
"""Beginnings of the names of those that are explored for two pairs as well."""

SITUATIONS = {quantity.name for quantity in SITUATION}
EACH = pytest.mark.parametrize("the", CLAIMS, ids=lambda the: the.name)


def test_all_advice_is_registered_in_all_its_kinds() -> None:
    assert {the.name: "".join(the.kinds) for the in CLAIMS} == ADVICE_AND_KINDS
    assert len(CLAIMS) == len(ADVICE_AND_KINDS)
    assert set("".join(ADVICE_AND_KINDS.values())) == set(KINDS)


@EACH
def test_it_is_found_by_its_name(the: Claim) -> None:
    assert claim(the.name) is find_claim(the.name) is the


@EACH
def test_it_says_what_it_is_about(the: Claim) -> None:
    for text in (the.advice, the.applies):
        assert text[0] == text[0].upper()
        assert text.endswith(".")
    assert the.subject[0] == the.subject[0].lower()
    assert not the.subject.endswith(".")
    assert not the.remark or the.remark.endswith(".")
    assert the.section in SECTIONS
    assert the.source in SOURCES
    assert the.smallest > 0
    assert the.smallest_decision > 0


@EACH
def test_it_is_judged_in_bastra_and_explored_beside(the: Claim) -> None:
    in_pairs = the.name.startswith(ALSO_IN_PAIRS)
    paired = [each.pairs for each in predictions(the.name).values()]
    assert the.table == MAIN == Table("bastra", 2)
    if the.kinds == (FREQUENCY,):
        assert any(paired) == in_pairs
    else:
        assert the.pairs == in_pairs
        assert the.tables == (MAIN, *BESIDE, *([PAIRS] if in_pairs else []))
    assert [table.variant for table in BESIDE] == ["egyptian", "palestinian"]
    for table in the.tables:
        assert setting(table.variant, table.players, table.pairs).team_count == 2


@EACH
def test_each_kind_has_what_it_is_tested_with(the: Claim) -> None:
    effort = Effort(1000)
    assert (the.piece is not None) == (DECISION in the.kinds)
    assert list(ways.jobs(the, effort)) if PLAYING in the.kinds else not the.degrees
    assert (the.piece or the.degrees or the.kinds == (FREQUENCY,)) is not None
    if FREQUENCY in the.kinds:
        assert list(observations.jobs(effort, [the.name])) or any("home" in name for name in the.outcomes)
    else:
        assert not predictions(the.name)
    labels = [job.label for job in testing.batches([the], effort)]
    assert len(set(labels)) == len(labels)
    for table in the.tables:
        assert any(f"{table.label}," in label for label in labels) or the.kinds == (FREQUENCY,)


@EACH
def test_quantities_that_it_names_exist(the: Claim) -> None:
    named = {*the.splits, *(name for pair in the.maps for name in pair), *the.judged}
    assert named | ({the.contrast} if the.contrast else set()) <= SITUATIONS
    assert set(the.outcomes) <= set(OUTCOMES)
    assert not the.curve or the.curve in PLACES
    if the.piece is not None:
        assert set(the.piece.when) <= SITUATIONS
        assert set(the.piece.follow) | set(the.piece.against) <= set(PLACES)
        assert the.piece.follow != the.piece.against


def test_every_outcome_and_meaning_is_used() -> None:
    used = {name for the in CLAIMS for name in the.outcomes}
    assert used == set(OUTCOMES)
    assert all(outcome.meaning and outcome.unit for outcome in OUTCOMES.values())


def test_all_advice_that_players_can_be_told_is_tested() -> None:
    told = {the.piece.name for the in CLAIMS if the.piece is not None}
    assert set(ADVICE) - told == {"placebo", "points-late-last"}


def test_advice_that_works_for_a_player_who_is_last_is_part_of_that_for_all() -> None:
    last, always = ADVICE["points-late-last"], ADVICE["points-late"]
    assert (last.follow, last.against) == (always.follow, always.against)
    assert dict(last.when) == {**always.when, claim("points-late-last").contrast: (1, 1)}


@EACH
def test_forms(the: Claim) -> None:
    assert the.forms == ((LITERAL, REVERSED) if the.name == "memory" else (LITERAL, TIE_BREAK, REVERSED))
    for form in the.forms if PLAYING in the.kinds else ():
        for strength in ways.strengths(the):
            first, second = ways.sides(the, strength, form)
            assert first != second
            assert get_policy(strength) in (first, second)


def test_memory_is_tried_in_degrees_by_those_who_use_it() -> None:
    the = claim("memory")
    assert the.degrees[:2] == ("all", "none")
    assert set(the.degrees) == {"all", "none", "4", "8", "16", "points", "ranks"}
    assert ways.strengths(the) == ("counter", "champion")
    plain = get_policy("counter")
    forgetful = plain.remembering("none")
    assert ways.sides(the, "counter", LITERAL) == (plain, forgetful)
    assert ways.sides(the, "counter", REVERSED) == (forgetful, plain)
    assert ways.sides(the, "counter", "8") == (plain.remembering("8"), plain)


def test_a_way_of_playing_has_its_controls_and_its_checks() -> None:
    the = claim("jack-hold")
    labels = [job.label.split(": ")[1] for job in ways.jobs(the.at(MAIN), Effort(1000))]
    assert sum("primary" in label for label in labels) == ways.tests(the) == 9
    for strength in ("greedy", "counter", "champion"):
        start = f"{MAIN.label}, {strength}"
        ends = [label.removeprefix(start) for label in labels if label.startswith(start)]
        others = sorted({"greedy", "counter", "champion"} - {strength})
        assert sorted(end.removeprefix(", ") for end in ends) == [
            *(f" against {other}, literal, cross-check" for other in others),
            "itself, control",
            "literal, matches",
            "literal, primary",
            "literal, second seed",
            "reversed, primary",
            "tie-break, primary",
        ]
    assert not any("cross-check" in job.label for job in ways.jobs(the.at(MAIN), Effort(1000, opponent="random")))


def test_a_curve_is_drawn_over_all_ranks_but_the_jack() -> None:
    the = claim("low-empty")
    tried = dict(curve(the))
    assert list(tried) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Q", "K"]
    assert tried["7"].piece is not None
    assert the.piece is not None
    assert tried["7"].piece.follow == {"rank": (7, 7)}
    assert tried["7"].piece.when == the.piece.when
    labels = [job.label for job in choices.jobs(the, Effort(1000))]
    assert sum(", rank " in label for label in labels) == 3 * len(tried)


def test_second_seed_is_another_one() -> None:
    assert second_seed(1) == 2
    assert second_seed(SEED_LIMIT - 1) == SEED_LIMIT - 2


def test_a_claim_of_ones_own() -> None:
    piece = Advice("sevens", "Keep the sevens.", {}, {"rank": (1, 6)}, {"rank": (7, 7)})
    the = own_claim(piece)
    assert (the.name, the.advice, the.piece, the.section) == ("sevens", "Keep the sevens.", piece, OWN)
    assert the.kinds == (PLAYING, DECISION)
    assert the.tables == (MAIN, *BESIDE)
    assert the.subject == "following “Keep the sevens”"
    assert own_claim(replace(piece, text="")).advice == "sevens"
    assert list(testing.jobs(the, Effort(1000)))


def test_claims_are_found_each_once(tmp_path: Path) -> None:
    words = 'name = "jack-hold"\nfollow.is_jack = 0\nagainst.is_jack = 1\n'
    (tmp_path / "mine.toml").write_text(words)
    (tmp_path / "same.toml").write_text(words)
    mine, same = str(tmp_path / "mine.toml"), str(tmp_path / "same.toml")
    assert [each.name for each in find_claims(["jack-two", "jack-hold", "jack-two"])] == ["jack-two", "jack-hold"]
    assert [each.section for each in find_claims([mine, same])] == [OWN]
    with pytest.raises(InputError, match=r"jack-hold and .*mine.toml are both called 'jack-hold': give one of them"):
        find_claims(["jack-hold", mine])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jack-hol", r"no claim is called 'jack-hol' \(did you mean jack-hold\?\); 'basra-sim claims' lists them"),
        ("none.toml", "none.toml: there is no such file"),
        ("none.py:this", "none.py: there is no such file"),
    ],
)
def test_what_is_no_claim(name: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        find_claim(name)


def test_what_is_registered_is_tested_as_it_is() -> None:
    for the in CLAIMS:
        assert testing.fitted(the, None, None) is the


@pytest.mark.parametrize(("at", "opponent"), [(Table("egyptian"), None), (None, "random"), (PAIRS, "random")])
def test_at_other_tables_only_play_is_tested(at: Table | None, opponent: str | None) -> None:
    for the in CLAIMS:
        if the.kinds == (FREQUENCY,):
            with pytest.raises(InputError, match=f"{the.name} says how often something happens"):
                testing.fitted(the, at, opponent)
            continue
        fitted = testing.fitted(the, at, opponent)
        left = bool(predictions(the.name))
        assert (FREQUENCY in fitted.kinds) == (FREQUENCY in the.kinds and not left)
        assert (fitted.remark != the.remark) == left
        assert fitted.decided_by == the.decided_by
        assert not list(observations.jobs(Effort(1000), [fitted.name])) or FREQUENCY not in fitted.kinds


def test_matches_are_between_two_sides() -> None:
    the = claim("jack-empty-defence")
    assert testing.fitted(the, PAIRS, None) is the
    with pytest.raises(InputError, match="judged by matches between two sides: it takes no three players"):
        testing.fitted(the, Table("bastra", 3), None)
