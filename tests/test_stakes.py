"""What hangs on a decision, against exact values by the readable engine, and what the redraws keep and vary."""

import copy
import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from analyses.balance import choices as measures
from analyses.balance.choices import KEYS, choice_plan, choice_sums, choices, statistics, tallied
from analyses.groups import jackknife
from basra_sim import stakes as module
from basra_sim.cards import card_set
from basra_sim.deals import deck
from basra_sim.errors import BasraError, InputError
from basra_sim.plans import Plan
from basra_sim.policies import get_policy
from basra_sim.policies.custom import Play, View
from basra_sim.prospects import FEATURES, NOISES, PARTS, Prospect
from basra_sim.reference import Round, choice_key
from basra_sim.rollouts import HALVES, LEGAL, SPREAD, Effort
from basra_sim.rules import Setting
from basra_sim.stakes import play_numbers, prospect, stakes, weighed
from basra_sim.variants import setting
from tests.scoring import logged, scatter, scored_by

Option = tuple[int, tuple[str, ...]]
TO_THE_END = 52


def once(table: Setting, name: str = "greedy", seed: int = 1) -> Plan:
    return choice_plan(table, get_policy(name), seed)


@cache
def foreseen(name: str = "greedy") -> Prospect:
    return prospect(once(setting("bastra", 2), name), threads=1)


def unforeseen(plan: Plan) -> Prospect:
    """For rollouts that all go to the end of the round."""
    deals = plan.codes.game.deals
    nothing = np.zeros((deals, 4, FEATURES))
    return Prospect(nothing, nothing, np.zeros((deals, NOISES, 4)))


def taste(card: int, key: Sequence[str]) -> int:
    """How much a made-up player likes a play, by what of it makes a difference."""
    return scatter(card, *(ord(letter) for name in key for letter in name))


def named(table: Setting, card: int, taken: int) -> Option:
    return card, choice_key(table.rules, [each for each in range(52) if taken >> each & 1])


def tasteful(table: Setting) -> Plan:
    """All follow a made-up player, through the kernel."""

    def says(view: View, play: Play) -> float:
        return taste(*named(table, play.card, play.taken))

    return Plan(table, (scored_by(says),), ((0,) * table.players,), 1)


def options(played: Round) -> dict[Option, Any]:
    """Legal plays of whoever's turn it is, by the readable engine."""
    rules, hand = played.rules, played.hands[played.seat]
    return {(card, choice_key(rules, choice.taken)): choice for card in hand for choice in played.legal(card)}


def margin(played: Round, team: int) -> float:
    own = played.scores()[team].total
    others = [score.total for score in played.scores() if score.team != team]
    return own - sum(others) / len(others)


def outcome(before: Round, option: Option, hands: Sequence[Sequence[int]], stock: Sequence[int]) -> float:
    """Margin of the player's team once a play is made and all play on by their taste, the hidden cards lying so."""
    played = copy.deepcopy(before)
    team = played.teams[played.seat]
    played.hands, played.stock = [list(hand) for hand in hands], list(stock)
    played.play(option[0], options(played)[option].taken)
    while not played.over:
        ways = options(played)
        best = max(ways, key=lambda way: taste(*way))
        played.play(best[0], ways[best].taken)
    return margin(played, team)


def splits(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[list[list[int]]]:
    """All ways of handing cards out into hands of some sizes."""
    if not sizes:
        yield []
        return
    for hand in itertools.combinations(cards, sizes[0]):
        for rest in splits([card for card in cards if card not in hand], sizes[1:]):
            yield [list(hand), *rest]


def ways_hidden(before: Round) -> Iterator[tuple[list[list[int]], list[int]]]:
    """All that a player who remembers everything holds possible: hands, and a stock of one hand each or none."""
    seat, players, buried = before.seat, len(before.hands), set(before.opening.buried)
    assert len(before.stock) in (0, players * before.setting.hand_sizes[-1])
    later = [before.stock[each::players] for each in range(players)]
    real = [hand for each, hand in enumerate(before.hands) if each != seat] + later
    known = [[card for card in hand if card in buried] for hand in real]
    hidden = sorted(card for hand in real for card in hand if card not in buried)
    for found in splits(hidden, [len(hand) - len(kept) for hand, kept in zip(real, known, strict=True)]):
        hands = [kept + drawn for kept, drawn in zip(known, found, strict=True)]
        yield (
            [*hands[:seat], before.hands[seat], *hands[seat : players - 1]],
            [hands[players - 1 + k % players][k // players] for k in range(len(before.stock))],
        )


def at(plan: Plan, deal: int, play: int) -> Round:
    """A round just before one of its plays."""
    played = Round(plan.setting, deck(plan.seed, deal, plan.setting.rules.pack))
    for card, taken, _ in logged(plan, deal)[:play]:
        played.play(card, [each for each in range(52) if taken >> each & 1])
    return played


def exact(before: Round) -> dict[Option, Any]:
    """Margins of each legal play over all that is possible."""
    ways = list(ways_hidden(before))
    return {option: np.array([outcome(before, option, *way) for way in ways]) for option in options(before)}


@pytest.mark.parametrize("variant", ["bastra", "egyptian", "palestinian"])
def test_in_the_last_deal_two_players_know_all_and_values_are_exact(variant):
    plan = tasteful(setting(variant, 2))
    last, several = plan.setting.plays, 0
    for deal, play in itertools.product(range(8), (last - 8, last - 5, last - 3)):
        found = weighed(plan, deal, play, unforeseen(plan))
        values = exact(at(plan, deal, play))
        assert sorted(named(plan.setting, *each) for each in found.plays) == sorted(values)
        if len(values) > 1:
            several += 1
            for k, each in enumerate(found.plays):
                (value,) = values[named(plan.setting, *each)]
                assert found.margins[:, k].tolist() == [value] * PARTS
    assert several > 15


@pytest.mark.parametrize(
    ("variant", "players", "pairs", "back"),
    [("bastra", 3, False, 8), ("ethiopian", 4, True, 10), ("bastra", 4, False, 6), ("bastra", 2, False, 11)],
)
def test_rollouts_come_to_the_mean_over_all_that_is_possible(variant, players, pairs, back):
    """The last case is a play of the last deal but one: one card of the other hand is hidden, and all of the stock."""
    plan = tasteful(setting(variant, players, pairs))
    effort, deals = Effort(64, 0.0, 0.0, TO_THE_END), range(2 if players == 2 else 6)
    wrong, errors = 0, []
    for deal in deals:
        play = plan.setting.plays - back
        found, values = weighed(plan, deal, play, unforeseen(plan), effort=effort), exact(at(plan, deal, play))
        first = named(plan.setting, *found.plays[0])
        for k, each in enumerate(found.plays[1:], start=1):
            by_way = values[named(plan.setting, *each)] - values[first]
            differences = found.margins[:, k] - found.margins[:, 0]
            noise = by_way.std() / np.sqrt(PARTS * effort.pilot)
            wrong += by_way.std() == 0 and not np.allclose(differences, by_way[0])
            if noise:
                errors.append((differences.mean() - by_way.mean()) / noise)
        assert len(found.plays) == len(values)
    assert not wrong
    assert len(errors) > (0 if players == 2 else 3)
    assert max(map(abs, errors)) < 4
    assert any(errors)


class Watched:
    """The hands that a table sees in the rollouts of one decision, each when it is first on turn."""

    def __init__(self, table: Setting, deal: int, play: int, pilot: int) -> None:
        self._views: list[View] = []
        plan = Plan(table, (scored_by(self._says),), ((0,) * table.players,), 1)
        self.before = at(plan, deal, play)
        self._views.clear()
        self.found = weighed(plan, deal, play, unforeseen(plan), effort=Effort(pilot, 0.0, 0.0, TO_THE_END))
        self.current, turns = self._views[play - 1].deal, table.plays - play - 1
        later = self._views[play:]
        assert len(later) == turns * PARTS * pilot * len(self.found.plays)
        self.rollouts = [self._hands(later[start : start + turns]) for start in range(0, len(later), turns)]

    def _says(self, view: View, play: Play) -> float:
        turn = view.deal, view.cards_left, view.seat
        if not self._views or turn != (self._views[-1].deal, self._views[-1].cards_left, self._views[-1].seat):
            self._views.append(view)
        return taste(play.card, str(play.taken))

    @staticmethod
    def _hands(views: Sequence[View]) -> dict[tuple[int, int], int]:
        """Hand (a mask) of each deal and seat, the later ones of the deal that is on as they are by then."""
        held: dict[tuple[int, int], int] = {}
        for view in views:
            held.setdefault((view.deal, view.seat), view.hand)
        return held

    @property
    def hidden(self) -> list[int]:
        """Cards that the player sees neither in his hand nor on the table."""
        seat = self.before.seat
        others = [card for each, hand in enumerate(self.before.hands) if each != seat for card in hand]
        return sorted(others + self.before.stock)

    @property
    def known(self) -> dict[int, tuple[int, int]]:
        """Deal and seat in which buried cards come, or have come, to others."""
        stock, players = self.before.stock, self.before.setting.players
        size = players * self.before.setting.hand_sizes[0]
        found = {card: (self.current + 1 + place // size, place % players) for place, card in enumerate(stock)}
        for seat, hand in enumerate(self.before.hands):
            found |= {card: (self.current, seat) for card in hand if seat != self.before.seat}
        return {card: found[card] for card in self.before.opening.buried if card in found}


@pytest.mark.parametrize(
    ("variant", "players", "play"), [("bastra", 2, 17), ("egyptian", 3, 25), ("egyptian", 3, 37), ("egyptian", 4, 37)]
)
def test_redraws_keep_all_that_is_known(variant, players, play):
    table = setting(variant, players)
    checked = 0
    for deal in range(200):
        if len(Round(table, deck(1, deal)).opening.buried) < 2 or checked == 3:
            continue
        seen = Watched(table, deal, play, 3)
        own, count = card_set(seen.before.hands[seen.before.seat]), len(seen.found.plays)
        checked += count > 1 and bool(seen.known)
        for held in seen.rollouts:
            mine = held.pop((seen.current, seen.before.seat), 0)
            assert mine & ~own == 0
            assert sum(held.values()) == card_set(seen.hidden)
            for seat, hand in enumerate(seen.before.hands):
                if seat != seen.before.seat and hand:
                    assert held[seen.current, seat].bit_count() == len(hand)
            for card, place in seen.known.items():
                assert held[place] >> card & 1
        layouts = [tuple(held.items()) for held in seen.rollouts]
        assert all(layouts[k] == layouts[k - k % count] for k in range(len(layouts)))
        assert len(set(layouts)) > (len(layouts) // count) // 2 or len(seen.hidden) - len(seen.known) < 5
    assert checked == 3


def test_redraws_vary_what_is_hidden_uniformly():
    """The only card of the other hand, and the player's own next hand, by their ranks among the hidden cards."""
    table, play, size = setting("bastra", 2), 21, 25
    counts, hands = np.zeros((2, size)), 0
    for deal in range(150):
        if Round(table, deck(1, deal)).opening.buried:
            continue
        seen = Watched(table, deal, play, 1)
        assert len(seen.hidden) == size
        for held in seen.rollouts[:: len(seen.found.plays)] if len(seen.found.plays) > 1 else ():
            hands += 1
            for k, place in enumerate([(seen.current, 0), (seen.current + 1, 1)]):
                counts[k] += [held[place] >> card & 1 for card in seen.hidden]
    assert hands > 200
    for drawn, found in zip((1, 4), counts, strict=True):
        assert found.sum() == hands * drawn
        expected = hands * drawn / size
        squares = ((found - expected) ** 2).sum() / expected * (size - 1) / (size - drawn)
        assert chi2.ppf(0.001, size - 1) < squares < chi2.ppf(0.999, size - 1)


def test_redraws_of_a_block_hold_no_card_of_the_other_hand_twice():
    table, play = setting("bastra", 2), 21
    seen = next(found for deal in range(20) if len((found := Watched(table, deal, play, 24)).found.plays) > 1)
    count = len(seen.found.plays)
    first = [held[seen.current, 0] for held in seen.rollouts[: 24 * count : count]]
    assert len(set(first)) == min(24, len(seen.hidden) - len(seen.known))


def test_legal_plays_are_those_of_the_readable_engine():
    plan = once(setting("syrian-a", 4, True))
    numbers = np.arange(40) % plan.setting.plays
    found = stakes(plan, numbers, unforeseen(plan), effort=Effort(1, 0.0, 0.0, TO_THE_END), threads=1)
    assert found[:, LEGAL].tolist() == [len(options(at(plan, deal, int(play)))) for deal, play in enumerate(numbers)]
    assert (found[found[:, LEGAL] == 1, SPREAD:] == 0).all()


def test_spreads_are_best_less_worst_of_the_margins():
    plan = once(setting("bastra", 2))
    numbers = np.arange(12)
    found = stakes(plan, numbers, foreseen(), first=5, threads=1)
    for row, play in zip(found, numbers, strict=True):
        margins = weighed(plan, 5 + int(play), int(play), foreseen()).margins
        means = [margins, *(margins[list(half)] for half in HALVES)]
        if margins.shape[1] > 1:
            assert np.allclose(row[SPREAD:], [np.ptp(part.mean(axis=0)) for part in means], atol=1e-9)
    assert sorted(half for pair in HALVES for half in pair) == sorted(list(range(PARTS)) * 3)


def test_the_effort_follows_how_far_margins_scatter():
    """Redraws that are counted by their rollouts: none after the first where a decision changes nothing."""
    table = setting("bastra", 2)
    calm = Effort(2, 0.0, 1e-9, TO_THE_END)
    plan = tasteful(table)
    few = weighed(plan, 0, 17, unforeseen(plan), effort=calm).margins
    many = weighed(plan, 0, 17, unforeseen(plan), effort=Effort(2, 0.0, 30.0, TO_THE_END)).margins
    same = weighed(plan, 0, 17, unforeseen(plan), effort=Effort(2, 2.0, 0.0, TO_THE_END)).margins
    assert (few == same).all()
    assert (few != many).any()


def test_results_hang_neither_on_threads_nor_on_chunks(monkeypatch):
    plan = once(setting("bastra", 2), "counter")
    one, two = (prospect(plan, threads=threads) for threads in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    numbers = np.arange(150) % 48
    found = [stakes(plan, numbers, one, threads=1)]
    for size, threads in ((7, 2), (64, 1), (1, 2)):
        monkeypatch.setattr(module, "DEALS_A_CHUNK", size)
        found.append(stakes(plan, numbers, one, threads=threads))
    found.append(np.concatenate([stakes(plan, numbers[k : k + 50], one, first=k) for k in (0, 50, 100)]))
    assert all((each == found[0]).all() for each in found)
    assert (found[0][:, SPREAD] > 0).any()


def test_sums_of_batches_add_up():
    table = setting("bastra", 2)
    sums = choice_sums(table, "greedy", 300, threads=1, foreseen=foreseen())
    parts = [choice_sums(table, "greedy", n, first=k, threads=1, foreseen=foreseen()) for k, n in ((0, 90), (90, 210))]
    assert (sums == sum(parts)).all()
    assert sums[:, 0].tolist() == [32] * 9 + [12] + [0] * 54
    assert (choice_sums(table, "greedy", 40, threads=1) == choice_sums(table, "greedy", 40, foreseen=foreseen())).all()
    assert (sums != choice_sums(table, "greedy", 300, 2, 1, foreseen=foreseen())).any()


def test_each_play_of_a_round_is_asked_about_alike():
    plan = once(setting("bastra", 2))
    groups, places = np.repeat(np.arange(64), 96), np.tile(np.arange(96), 64)
    numbers = play_numbers(plan, groups, places)
    for group in range(64):
        assert np.bincount(numbers[groups == group], minlength=48).tolist() == [2] * 48
    assert len(set(numbers[places == 0].tolist())) > 20


def test_progress_and_what_is_refused():
    plan, told = once(setting("bastra", 2)), []
    stakes(plan, np.zeros(300, np.int64), foreseen(), threads=2, progress=lambda *numbers: told.append(numbers))
    assert told == [(256, 300), (300, 300)]
    with pytest.raises(InputError):
        weighed(plan, 0, 48, foreseen())
    with pytest.raises(InputError):
        stakes(plan, np.zeros(0, np.int64), foreseen())
    nothing = Plan(plan.setting, (scored_by(lambda view, play: float("nan")),), ((0, 0),), 1)
    with pytest.raises(BasraError, match="no number"):
        stakes(nothing, np.array([3]), unforeseen(nothing), threads=1)


def test_extrapolation_takes_the_bias_out():
    """Of made-up plays whose values and noise are known, as many as make the bias of plain means plain."""
    draw = np.random.default_rng(1)
    values = draw.normal(size=(100_000, 3)) * draw.gamma(1.0, 1.5, (100_000, 1))
    means = values[:, None] + draw.normal(size=(100_000, PARTS, 3)) * 0.2 * np.sqrt(PARTS)
    parts = [means, *(means[:, list(half)] for half in HALVES)]
    found = np.stack([np.full(100_000, 3.0), *(np.ptp(part.mean(axis=1), axis=1) for part in parts)], axis=1)
    sums = tallied(found).sum(axis=0)
    truth = np.ptp(values, axis=1)
    expected = np.array([*((truth > least).mean() for least in measures.THRESHOLDS.values()), truth.mean()])
    plain = sums[1 : 1 + len(KEYS)] / 100_000 / [1, 1, 1, measures.PARTS_OF_A_POINT]
    assert ((plain - expected)[[0, 3]] > 0.02).all()
    assert (abs(statistics(sums[None])[0] - expected) < abs(plain - expected) / 3).all()


def test_intervals_are_as_wide_as_batches_scatter():
    table = setting("bastra", 2)
    sums = [choice_sums(table, "greedy", 512, first=512 * k, threads=1, foreseen=foreseen()) for k in range(24)]
    batches = [dict(zip(KEYS, jackknife(each, 512, statistics), strict=True)) for each in sums]
    for key in KEYS:
        values = np.array([found[key].value for found in batches])
        halves = np.array([found[key].half_width for found in batches])
        assert 0.6 < values.std(ddof=1) * 2.13 / halves.mean() < 1.5
    assert batches[0]["stake", ""].units == 512


def test_an_evaluation_has_whole_groups():
    made = choices(setting("bastra"), "greedy", deals=2000, threads=1)
    assert (made.deals, made.rounds) == (2048, 2048)
    assert list(made.values) == list(KEYS)
    sums = choice_sums(setting("bastra"), "greedy", 2048, threads=1)
    for key, found in zip(KEYS, jackknife(sums, 2048, statistics), strict=True):
        assert made.estimate(*key).value == pytest.approx(found.value)
        assert made.estimate(*key).half_width == pytest.approx(found.half_width, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "players", "pairs"), [("bastra", 2, False), ("palestinian", 2, False)])
@pytest.mark.parametrize("name", ["greedy", "counter"])
def test_bias_is_small_beside_long_rollouts(variant, players, pairs, name):
    """Against rollouts of the same decisions that all go to the end, with some twenty times as many redraws."""
    plan = once(setting(variant, players, pairs), name, 5)
    numbers, known = np.arange(1500) % plan.setting.plays, prospect(plan, threads=1)
    fast, slow = (
        statistics(tallied(stakes(plan, numbers, known, effort=effort)))
        for effort in (module.EFFORT, Effort(256, 0.0, 0.0, TO_THE_END))
    )
    error = fast - slow
    assert (abs(error.mean(axis=0)) < 3 * error.std(axis=0) / np.sqrt(1500) + [0.005, 0.005, 0.005, 0.02]).all()


def test_what_is_foretold_after_a_deal_agrees_with_playing_on():
    """Squares of its error beside those of what the plays differ by, both free of noise as products of two halves."""
    plan = once(setting("bastra", 2))
    errors, signals = [], []
    for deal in range(160):
        play = deal % 32
        short, long = (
            weighed(plan, deal, play, foreseen(), effort=Effort(32, 0.0, 0.0, end)).margins for end in (0, TO_THE_END)
        )
        if short.shape[1] > 1:
            halves = [each[first : first + 2].mean(axis=0) for each in (long, short) for first in (0, 2)]
            halves = [half - half.mean() for half in halves]
            signals.append(halves[0] @ halves[1])
            errors.append((halves[2] - halves[0]) @ (halves[3] - halves[1]))
    assert len(errors) > 100
    assert np.mean(signals) > 1
    assert np.mean(errors) < 0.1 * np.mean(signals)
