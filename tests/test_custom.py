"""A person's own policy: how one is made, and that what it is handed is true."""

from typing import Any

import numpy as np
import pytest

from basra_sim import kernel
from basra_sim._numba import bit_count
from basra_sim.cards import card_set, parse_card
from basra_sim.deals import DECK_ROOM, FIRST_CHOICE_WORD, deck, open_round, stream, word
from basra_sim.errors import BasraError, InputError
from basra_sim.plans import Plan, plan
from basra_sim.policies import Policy, policy
from basra_sim.policies.custom import Play, View
from basra_sim.reference import Round
from basra_sim.reference.rounds import card_points
from basra_sim.rules import Setting
from basra_sim.simulation import simulate
from tests.agreement import check_rounds, settings
from tests.scoring import scatter, scored_by

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]
CHANGED = {"short_last_deal": True, "hand_size": 5, "ace_points": 2, "two_points": 0, "ten_points": 7}


class Witness:
    """Notes everything a scoring function is handed, and plays as scattered numbers have it."""

    def __init__(self) -> None:
        self.seen: list[tuple[View, list[Play]]] = []
        self.policy = scored_by(self._note, "witness")

    def _note(self, view: View, play: Play) -> float:
        if not self.seen or self.seen[-1][0] != view:
            self.seen.append((view, []))
        self.seen[-1][1].append(play)
        return scatter(*view, *play)


def witnessed(table: Setting, units: int, *, matches: bool, seed: int) -> tuple[Plan, list[tuple[View, list[Play]]]]:
    witness = Witness()
    planned = Plan(table, (witness.policy,), ((0,) * table.players,), seed, matches)
    assert check_rounds(planned, 0, units) >= units * table.plays
    return planned, witness.seen


def expected_view(planned: Plan, reference: Round, score: list[int], number: int) -> View:
    """What the player on turn knows, from the readable engine."""
    table, seat, turn = planned.setting, reference.seat, reference.turn
    teams, players, sizes = reference.teams, table.players, table.hand_sizes
    team, hand = teams[seat], reference.hands[seat]
    others = [each for each in range(table.team_count) if each != team]
    hidden = [card for place, held in enumerate(reference.hands) if place != seat for card in held]
    following = reference.hands[(seat + 1) % players]
    deal = next(k for k in range(len(sizes)) if turn < players * sum(sizes[: k + 1]))
    if turn == table.plays - 1:
        next_hand = 0
    elif len(hand) == 1 and seat == players - 1:
        next_hand = sizes[deal + 1]
    else:
        next_hand = len(following)
    start, gamma = map(np.uint64, stream(planned.seed, number))
    return View(
        hand=card_set(hand),
        floor=card_set(reference.floor),
        own_pile=card_set(reference.piles[team]),
        other_piles=card_set(card for each in others for card in reference.piles[each]),
        unseen=card_set([*hidden, *reference.stock]),
        cards_left=len(hand),
        next_hand=next_hand,
        deal=deal,
        deals_left=len(sizes) - 1 - deal,
        seat=seat,
        players=players,
        team=team,
        last_to_play=int(len(hand) == 1 and seat == players - 1),
        last_card=int(reference.last_card),
        captured_last=int(reference.last_capture is not None and teams[reference.last_capture] == team),
        own_basras=sum(reference.basras[team]),
        other_basras=max(sum(reference.basras[each]) for each in others),
        score=score[team],
        other_score=max(score[each] for each in others),
        majority=table.rules.majority_points + reference.carry_in,
        target=table.rules.target,
        noise=int(word(start, gamma, FIRST_CHOICE_WORD + turn)) >> 11,
    )


def expected_plays(reference: Round) -> list[tuple[int, int, int, int]]:
    """Legal plays of the player on turn: card, set, basra and points."""
    found = []
    for card in reference.hands[reference.seat]:
        for choice in reference.legal(card):
            points = sum(card_points(reference.rules, [card, *choice.taken])) if choice.taken else 0
            found.append((card, card_set(choice.taken), choice.basra, points))
    return sorted(found)


def check_views(table: Setting, units: int, *, matches: bool = False, seed: int = 21) -> None:
    """Every view and every play that a scoring function is handed, over some units."""
    planned, seen = witnessed(table, units, matches=matches, seed=seed)
    codes, at = planned.codes.game, 0
    score = [0] * table.team_count
    (played,) = planned.play(0, units, logged=True)
    assert len(seen) == 2 * len(played.rows) * table.plays, "once to check, once here"
    for log, facts, rows in zip(played.logs.tolist(), played.facts, played.rows.tolist(), strict=True):
        number = int(facts[kernel.INDEX])
        if facts[kernel.ROUND] == 0:
            score = [0] * table.team_count
        cards = np.zeros(DECK_ROOM, np.uint8)
        dealt = table.players * codes.hand_size
        _, top, end = open_round(planned.seed, number, codes.pack, dealt, codes.buried, codes.bury_at_random, cards)
        shift = int(facts[kernel.FIRST])
        reference = Round(
            table,
            deck(planned.seed, number, codes.pack),
            stock=cards[top:end].tolist(),
            carry_in=int(facts[kernel.CARRY_IN]),
            teams=[(seat + shift) % table.players % table.team_count for seat in range(table.players)],
        )
        for card, taken, _ in log:
            view, plays = seen[at]
            assert view == expected_view(planned, reference, score, number), (number, reference.turn)
            assert sorted(tuple(play) for play in plays) == expected_plays(reference), (number, reference.turn)
            reference.play(card, [each for each in range(52) if taken >> each & 1])
            at += 1
        score = [before + sum(row[1:7]) for before, row in zip(score, rows, strict=False)]


@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_views_are_true(table):
    check_views(table, 2)


@pytest.mark.parametrize("table", settings(majority_tie="carry", target=45, majority_points=8), ids=IDS)
def test_views_in_matches_are_true(table):
    check_views(table, 1, matches=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_with_other_options_are_true(players):
    table = plan("ethiopian", players=players, changes={**CHANGED, "bury_to": "random", "deal": "packet"}).setting
    check_views(table, 3)
    assert len(set(table.hand_sizes)) == 2, "the last deal is a short one"


def test_ten_lines_make_a_policy():
    ones: Any = bit_count

    @policy
    def miser(view, play):
        """Takes as many cards as he can."""
        if play.taken == 0:
            return -play.card
        return 100.0 * ones(play.taken) + 10.0 * play.basra

    assert isinstance(miser, Policy)
    assert (miser.name, miser.summary, miser.weights) == ("miser", "Takes as many cards as he can.", None)
    found = simulate("bastra", rounds=2000, policies=[miser, "random"], seed=3, threads=1)
    cards = found.estimate("cards", 0)
    assert cards.low is not None
    assert cards.low > 30
    check_rounds(plan("egyptian", players=3, policies=miser), 0, 20)


def test_policy_with_a_name_and_a_summary_of_its_own():
    @policy(name="lowest", summary="plays the lowest card")
    def any_name(view, play):
        return -play.card

    assert (any_name.name, any_name.summary) == ("lowest", "plays the lowest card")
    (played,) = plan("bastra", policies=any_name).play(0, 50, logged=True)
    for index, log in enumerate(played.logs.tolist()):
        hands = [sorted(deck(1, index)[seat:8:2]) for seat in (0, 1)]
        assert [card for card, *_ in log[:8]] == [hands[turn % 2][turn // 2] for turn in range(8)]


def test_first_of_equal_plays_is_made():
    even = scored_by(lambda view, play: 1.0)
    (played,) = plan("bastra", policies=even).play(0, 20, logged=True)
    for index, log in enumerate(played.logs.tolist()):
        assert log[0][0] == min(deck(1, index)[0:8:2])


def test_plays_worth_minus_infinity_are_made_where_there_is_no_other():
    never = scored_by(lambda view, play: float("-inf"))
    assert check_rounds(plan("bastra", policies=never), 0, 3) == 3 * 48


@pytest.mark.parametrize("units", [{"rounds": 5}, {"matches": 2}])
def test_a_policy_that_gives_no_number(units):
    @policy
    def lost(view, play):
        return np.nan if view.cards_left == 2 else 1.0

    with pytest.raises(BasraError, match=r"^bastra: policy lost gave no number \(nan\) for a play$") as error:
        simulate("bastra", policies=["greedy", lost], threads=1, **units)
    assert error.value.exit_code == 1


def test_no_number_for_any_one_play_is_enough():
    card = parse_card("KS")
    lost = scored_by(lambda view, play: float("nan") if play.card == card else 1.0)
    with pytest.raises(BasraError, match="no number"):
        simulate("bastra", policies=lost, rounds=1, threads=1)


def test_compile_errors_are_one_line():
    def unknown_field(view, play):
        return view.partner

    def objects(view, play):
        return open(str(view.hand))  # noqa: PTH123 - it is not to compile

    for function in (unknown_field, objects):
        with pytest.raises(InputError) as error:
            policy(function)
        message = str(error.value)
        assert message.startswith(f"policy {function.__name__} does not compile: ")
        assert "\n" not in message
        assert len(message) > len(f"policy {function.__name__} does not compile: ") + 8
        assert error.value.exit_code == 2


def test_compile_error_names_what_is_unknown():
    def unknown_field(view, play):
        return view.partner

    with pytest.raises(InputError, match="partner"):
        policy(unknown_field)


def test_results_of_whole_numbers_and_truths_are_scores_too():
    def whole(view, play):
        return play.card % 5

    def true(view, play):
        return play.taken > 0

    for function in (whole, true):
        assert check_rounds(plan("yemeni", policies=policy(function)), 0, 5) == 5 * 48


def test_scores_may_use_the_noise():
    noises: list[int] = []

    def note(view: View, play: Play) -> float:
        noises.append(view.noise)
        return 0.0

    simulate("bastra", policies=scored_by(note), rounds=60, threads=1)
    drawn = np.array(sorted(set(noises)))
    assert len(drawn) == 60 * 48
    assert 0 <= drawn[0] < 2**53 / 500
    assert 2**53 * 499 / 500 < drawn[-1] < 2**53
    assert abs(drawn.mean() / 2**53 - 0.5) < 0.02


def test_an_error_raised_in_the_function_is_one_line(capfd):
    @policy
    def stumbles(view, play):
        if play.card == 7:
            raise ValueError("a seven")
        return 1.0

    with pytest.raises(BasraError, match=r"^bastra: policy stumbles raised an error over a play: "):
        simulate("bastra", rounds=200, policies=stumbles, threads=1)
    assert capfd.readouterr() == ("", "")
