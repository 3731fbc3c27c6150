"""Decisions played both ways, against rounds of their own stepped through by the readable engine."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from basra_sim import bit_count
from basra_sim import decisions as module
from basra_sim.cards import card_set
from basra_sim.deals import deck
from basra_sim.decisions import COLUMNS, Decisions, decisions
from basra_sim.forks import BRANCH
from basra_sim.plans import Plan
from basra_sim.policies import ADVICE, Advice, Policy, advice, get_policy, policy
from basra_sim.policies.advice import Form
from basra_sim.policies.custom import Play, View
from basra_sim.policies.quantities import SITUATION
from basra_sim.reference import Round, choice_key
from basra_sim.variants import setting
from tests.naive_advice import Key, Opinion, Table, preferences, ranked, situation_numbers, weighed
from tests.naive_features import points_of
from tests.scoring import Scorer, logged

Log = list[tuple[int, int, int]]
SCRIPT = Form("script", 1e5, 0.0, "plays what is written")


@cache
def thrifty() -> Policy:
    """A person's own player."""

    @policy
    def thrifty(view, play):
        """Takes much, lays high, and hangs on what is unseen."""
        ones: Any = bit_count
        return ones(play.taken) + play.basra if play.taken else play.card / 60 + ones(view.unseen) % 3 * (play.card % 2)

    assert isinstance(thrifty, Policy)
    return thrifty


@cache
def take_or_lay_red() -> Advice:
    """A person's own piece."""

    @advice
    def take_or_lay_red(view, play):
        """Of plays that take nothing, lay the red cards."""
        if play.taken:
            return 0
        return 1 if play.card % 4 in (1, 2) else -1

    assert isinstance(take_or_lay_red, Advice)
    return take_or_lay_red


def opinion(sight: Any, card: int, choice: Any) -> int:
    return 0 if choice.taken else 1 if card % 4 in (1, 2) else -1


OWN: dict[str, Opinion] = {"take-or-lay-red": opinion}


class Seating:
    """One deal in one seating, played as the players would, and from any play on in another way."""

    def __init__(self, plan: Plan, index: int, seating: int) -> None:
        self.plan = Plan(plan.setting, plan.policies, (plan.seatings[seating],), plan.seed)
        self.index, self.table = index, plan.setting
        self.pack = deck(plan.seed, index, self.table.rules.pack)
        self.main = logged(self.plan, index)

    def asked(self, turn: int) -> bool:
        return self.plan.seatings[0][turn % self.table.players] == 0

    def forked(self, script: Sequence[tuple[int, int]]) -> Log:
        """Plays of the round once its first ones are given."""
        sizes, players = self.table.hand_sizes, self.table.players

        def says(view: View, play: Play) -> float:
            turn = players * sum(sizes[: view.deal]) + players * (sizes[view.deal] - view.cards_left) + view.seat
            if turn >= len(script):
                return 0.0
            return 1.0 if (play.card, play.taken) == script[turn] else -1.0

        piece = Advice("script", function=Scorer(says))
        scripted = tuple(each.following(piece, SCRIPT) for each in self.plan.policies)
        return logged(Plan(self.table, scripted, self.plan.seatings, self.plan.seed), self.index)

    def columns(self, log: Log, play: int) -> tuple[int, ...]:
        """What is kept of a branch, by the readable engine."""
        reference, table = Round(self.table, self.pack), self.table
        seat = play % table.players
        team, turn, later = table.teams[seat], 0, 0
        for number, (card, taken, _) in enumerate(log):
            ours = table.teams[reference.seat] == team
            choice = reference.play(card, [each for each in range(52) if taken >> each & 1])
            if choice.taken and play <= number < play + table.players:
                points = points_of(table.rules, [card, *choice.taken]) + choice.basra
                turn += points if ours else -points
            if choice.taken and number > play and ours:
                later += 1 + len(choice.taken)
        own = reference.scores()[team]
        rest = [score for score in reference.scores() if score.team != team]
        return (
            own.total,
            sum(score.total for score in rest),
            own.basra_count,
            sum(score.basra_count for score in rest),
            card_set(reference.piles[team]),
            turn,
            later,
        )


def best(plays: dict[Key, tuple[int, float]], sides: dict[Key, int], behind: int) -> set[Key]:
    """Plays of which a player makes one: none of a side while there are others, forbidden least, worth most."""
    least = min((sides[key] == behind, forbidden) for key, (forbidden, _) in plays.items())
    left = {key: worth for key, (forbidden, worth) in plays.items() if (sides[key] == behind, forbidden) == least}
    most = max(left.values())
    return {key for key, worth in left.items() if worth > most - 1e-9}


def check_decisions(found: Decisions, chosen: Policy, known: bool = True) -> Counter[str]:
    """Check every decision found, that no other is there, and all that is kept of both ways."""
    rows = iter([{str(name): each[name] for name in each} for each in found.frame().to_dict("records")])
    row, counts = next(rows, None), Counter[str]()
    for index in range(found.deals):
        for number in range(len(found.plan.seatings)):
            seating = Seating(found.plan, index, number)
            twin = Table(seating.table, seating.pack)
            for turn, (card, taken, _) in enumerate(seating.main):
                is_found = row is not None and (row["deal_index"], row["seating"], row["play"]) == (index, number, turn)
                if not seating.asked(turn):
                    assert not is_found
                else:
                    counts["asked"] += 1
                    sight = twin.sight(chosen.memory.degree)
                    options = weighed(twin, sight)
                    sides = preferences(found.advice, sight, options, OWN)
                    if not sides:
                        assert not is_found
                    elif known:
                        check_ways(twin, sides, ranked(twin, chosen, OWN)[0], row if is_found else None)
                if is_found:
                    assert row is not None
                    counts["found"] += 1
                    counts["as played"] += check_row(seating, twin, row, options, sides)
                    row = next(rows, None)
                twin.play(card, taken)
    assert row is None, "nothing else is there"
    return counts


def key_of(table: Table, card: int, taken: int) -> Key:
    return card, choice_key(table.round.rules, [each for each in range(52) if taken >> each & 1])


def check_ways(
    table: Table, sides: dict[Key, int], plays: dict[Key, tuple[int, float]], row: dict[str, Any] | None
) -> None:
    """Whether a decision is kept, and which its two plays are."""
    follow, against = best(plays, sides, -1), best(plays, sides, 1)
    if row is None:
        assert any(sides[key] < 1 for key in follow) or any(sides[key] > -1 for key in against)
    else:
        assert key_of(table, row["follow_card"], row["follow_taken"]) in follow
        assert key_of(table, row["against_card"], row["against_taken"]) in against


def check_row(seating: Seating, twin: Table, row: dict[str, Any], options: Any, sides: dict[Key, int]) -> int:
    """Check one decision; return how many of its two ways are the round as it was played."""
    played, turn, main = twin.round, row["play"], 0
    assert (row["seat"], row["team"]) == (played.seat, played.teams[played.seat])
    policies = seating.plan.policies[0]
    numbers = situation_numbers(twin, twin.sight(policies.memory.degree))
    numbers["captures"] = sum(bool(choice.taken) for choice, _ in options.values())
    assert {quantity.name: row[quantity.name] for quantity in SITUATION} == numbers
    gains = []
    for way, side in (("follow", 1), ("against", -1)):
        made = row[f"{way}_card"], row[f"{way}_taken"]
        assert sides[key_of(twin, *made)] == side
        script = [(card, taken) for card, taken, _ in seating.main[:turn]] + [made]
        log = seating.forked(script)
        assert [play[:2] for play in log[: turn + 1]] == script
        expected = seating.columns(log, turn)
        assert tuple(row[f"{way}_{name}"] for name in BRANCH) == expected, (way, row)
        gains.append(expected[0] - expected[1] / (seating.table.team_count - 1))
        if seating.main[turn][:2] == made:
            assert log == seating.main, "what would have been played anyway goes on as it did"
            main += 1
    assert row["gain"] == pytest.approx(gains[0] - gains[1])
    really = seating.main[turn][:2]
    assert (row["played_card"], row["played_taken"]) == really
    assert row["made"] == (sides[key_of(twin, *really)] if main else 0), "one of the two ways, or another play"
    return main


@pytest.mark.parametrize(
    ("piece", "chosen", "table", "deals"),
    [
        ("jack-hold", "greedy", {"variant": "bastra"}, 4),
        ("points-late", "counter", {"variant": "egyptian"}, 2),
        ("low-first", "greedy", {"variant": "syrian-a", "players": 3}, 2),
        ("points-late-last", "greedy", {"variant": "bastra", "players": 4, "pairs": True}, 3),
        ("avoid-ten", "counter-memory:8", {"variant": "palestinian", "players": 4}, 3),
        ("faces-block", "greedy+jack-hold", {"variant": "ethiopian", "opponent": "counter"}, 3),
        ("low-empty", "greedy", {"variant": "lebanese-a", "players": 4, "pairs": True, "opponent": "greedy"}, 8),
        ("points-over-cards", "greedy-memory:none", {"variant": "basra-nl", "players": 3, "opponent": "counter"}, 8),
        ("fishing-take-away", "greedy", {"variant": "bastra", "players": 4, "opponent": "counter+points-late"}, 3),
        ("jack-hold", "greedy+jack-hold:reversed+points-late:tie-break", {"variant": "bastra", "players": 2}, 4),
    ],
)
def test_decisions_against_rounds_of_their_own(piece, chosen, table, deals):
    found = decisions(piece, chosen, seed=23, deals=deals, threads=1, **table)
    counts = check_decisions(found, get_policy(chosen))
    assert counts["found"] > 3
    assert counts["as played"] > 0
    assert counts["asked"] == deals * found.plan.setting.plays, "each play, or those of each team in turn, once a deal"


def test_decisions_of_a_persons_own_player_and_piece():
    for piece, chosen in ((take_or_lay_red(), "greedy"), (take_or_lay_red(), "counter+jack-hold")):
        assert check_decisions(decisions(piece, chosen, deals=3, threads=1), get_policy(chosen))["found"] > 10
    pieces: tuple[str | Advice, ...] = ("jack-hold", take_or_lay_red())
    for number, asked in enumerate(pieces):
        found = decisions(asked, thrifty(), "jordanian-b", players=3, deals=3, seed=number, threads=1)
        assert check_decisions(found, thrifty(), known=False)["found"] > 3
        found = decisions(asked, thrifty().remembering("3"), opponent="greedy", deals=3, seed=number, threads=1)
        assert check_decisions(found, thrifty().remembering("3"), known=False)["found"] > 3


def test_what_was_done_is_kept_of_players_who_slip():
    found = decisions("jack-hold", "greedy-noise:0.5", deals=20, seed=4, threads=1)
    did = Counter[int]()
    for row in found.frame().to_dict("records"):
        play = logged(found.plan, row["deal_index"])[row["play"]][:2]
        ways = {(row[f"{way}_card"], row[f"{way}_taken"]): number for way, number in (("follow", 1), ("against", -1))}
        assert (row["played_card"], row["played_taken"]) == play
        assert row["made"] == ways.get(play, 0)
        did[row["made"]] += 1
    assert min(did[1], did[-1], did[0]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_decisions_of_all_kinds(seed):
    draw = random.Random(seed)
    names = [name for name in ADVICE if name != "placebo"]
    for number in range(20):
        variant = draw.choice(("bastra", "egyptian", "yemeni", "syrian-a", "lebanese-b", "basra-en"))
        players, pairs = draw.choice(((2, False), (3, False), (4, False), (4, True)))
        chosen = draw.choice(("greedy", "counter", "greedy-memory:5", "counter-memory:ranks"))
        chosen += "".join(f"+{name}" for name in draw.sample(names, draw.randrange(3)))
        opponent = draw.choice((None, "greedy", "counter"))
        options: dict[str, Any] = {"players": players, "pairs": pairs, "opponent": opponent}
        found = decisions(draw.choice(names), chosen, variant, deals=2, seed=number, threads=1, **options)
        check_decisions(found, get_policy(chosen))


@pytest.mark.parametrize("opponent", [None, "greedy"])
def test_neither_threads_nor_chunks_matter(monkeypatch, opponent):
    def rows(threads: int) -> Any:
        return decisions("jack-hold", "counter", opponent=opponent, deals=50, seed=3, threads=threads).found

    whole = rows(1)
    assert len(whole) > 100
    assert (np.diff(whole[:, 0]) >= 0).all()
    assert np.array_equal(whole, rows(2))
    for size in (1, 7, 49):
        monkeypatch.setattr(module, "DEALS_A_CHUNK", size)
        assert np.array_equal(whole, rows(1))
        assert np.array_equal(whole, rows(2))
    more = decisions("jack-hold", "counter", opponent=opponent, deals=60, seed=3, threads=1).found
    assert np.array_equal(more[: len(whole)], whole)
    later = decisions("jack-hold", "counter", opponent=opponent, first=20, deals=40, seed=3, threads=1).found
    assert np.array_equal(later, more[more[:, 0] >= 20])


@pytest.mark.parametrize(
    ("chosen", "table"),
    [
        ("greedy", {}),
        ("random", {"players": 3}),
        ("counter", {"opponent": "greedy"}),
        ("greedy", {"players": 4, "pairs": True}),
    ],
)
def test_the_placebo_is_worth_nothing(chosen, table):
    found = decisions("placebo", chosen, deals=3000, seed=77, threads=1, **table)
    sums = np.bincount(found.column("deal_index"), found.gain, minlength=found.deals)
    assert sums.shape == (3000,)
    assert abs(sums.mean()) < 4 * sums.std() / 3000**0.5
    assert sums.std() > 0
    players = found.plan.setting.players
    asked = 3000 * (found.plan.setting.plays // players) * players // 4
    for left in (1, 2, 3, 4):
        share = (found.column("cards_left") == left).sum() / asked
        expected = 1 - 2 * 0.5**left
        assert abs(share - expected) < 4 * (expected * (1 - expected) / asked) ** 0.5 + 1e-12, "coins are fair"
    assert (found.column("follow_card") != found.column("against_card")).all()


def test_coins_are_not_the_chance_that_a_policy_draws():
    """Whoever scores plays by the bits of `view.noise` throws other coins than the placebo."""
    bits = Counter[int]()
    seen: list[tuple[int, int]] = []

    def note(view: View, play: Play) -> float:
        seen.append((view.noise, play.card))
        return 0.0

    watched = Policy("watched", "", None, Scorer(note)).following("placebo")
    log = [play for index in range(60) for play in logged(Plan(setting("bastra"), (watched,), ((0, 0),), 5), index)]
    plays = iter(log)
    turns: dict[int, list[int]] = {}
    for noise, card in seen:
        turns.setdefault(noise, []).append(card)
    for noise, cards in turns.items():
        card = next(plays)[0]
        if len(set(cards)) > 1 and card >= 11:
            bits[noise >> (card - 11) & 1] += 1
    total = bits.total()
    assert total > 1000
    assert abs(bits[1] - total / 2) < 4 * (total / 4) ** 0.5


def test_columns():
    found = decisions("jack-hold", deals=2, threads=1)
    assert list(found.frame().columns) == [*COLUMNS, "gain", "made"]
    assert found.found.shape[1] == len(COLUMNS)
    none = decisions("fishing-take-away", "random", deals=1, seed=2, threads=1)
    assert none.found.shape[1] == len(COLUMNS)
    assert len(none.frame()) == len(none.gain)
