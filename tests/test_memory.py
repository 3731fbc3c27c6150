"""Memory as a degree: what a player still knows, that what is forgotten is hidden, and what degrees mean."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from basra_sim.cards import JACK, card_names, card_set, parse_cards, rank_of
from basra_sim.deals import deck
from basra_sim.errors import InputError
from basra_sim.plans import Plan
from basra_sim.policies import Advice, Memory, Policy, get_policy
from basra_sim.policies.advice import Form
from basra_sim.policies.custom import Play, View
from basra_sim.rules import Setting
from basra_sim.variants import setting
from tests.agreement import settings
from tests.naive_advice import Table
from tests.naive_features import points_of
from tests.scoring import Scorer, logged, scatter, scored_by, table_plan

IDS = [f"{each.variant}-{each.players}{'p' if each.pairs else ''}" for each in settings()]
DEGREES = ("all", "none", "1", "2", "7", "16", "39", "52", "points", "ranks")
SCRIPT = Form("script", 1e5, 0.0, "plays what is written")


def hangs_on_all(view: View, play: Play) -> float:
    return scatter(*view, *play)


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("table", settings()[::4], ids=IDS[::4])
def test_what_is_remembered(table, degree):
    seen: list[View] = []

    def note(view: View, play: Play) -> float:
        seen.append(view)
        return hangs_on_all(view, play)

    pack = deck(9, 4, table.rules.pack)
    twin = Table(table, pack)
    alone = table_plan(table, [scored_by(note).remembering(degree)], [0] * table.players, 9)
    plays = logged(alone, 4, pack)
    at = iter(dict.fromkeys(seen))
    for card, taken, _ in plays:
        view, sight = next(at), twin.sight(degree)
        own, others = twin.piles_remembered(degree)
        known = twin.remembered(degree)
        assert (view.own_pile, view.other_piles) == (card_set(own), card_set(others))
        assert view.unseen == card_set(sight.unseen)
        assert own | others == known
        together = [view.hand, view.floor, view.own_pile, view.other_piles, view.unseen]
        assert sum(together) == (1 << table.rules.pack) - 1, "each card of the pack is in one place"
        twin.play(card, taken)


@pytest.mark.parametrize(
    ("degree", "known"),
    [
        ("all", "2C 3D 5H AC KD QD JH"),
        ("none", ""),
        ("1", ""),
        ("2", ""),
        ("3", "JH"),
        ("4", "QD JH"),
        ("5", "5H QD JH"),
        ("6", "2C 3D 5H AC KD QD JH"),
        ("points", "2C AC JH"),
        ("ranks", "2S 3S 5S AS KS QS JS"),
    ],
)
def test_degrees_in_words(degree, known):
    """5H takes 2C and 3D of the opening floor, QD is laid, JH takes it with AC and KD; then 9D and 10C are laid."""
    seat_0, seat_1, floor = parse_cards("5H JH 10C 4D"), parse_cards("QD 9D 6S 7S"), parse_cards("2C 3D AC KD")
    rest = [card for card in range(52) if card not in (*seat_0, *seat_1, *floor)]
    order, seen = [*seat_0, *seat_1], dict[tuple[int, int], View]()

    def note(view: View, play: Play) -> float:
        seen[view.deal, 2 * (4 - view.cards_left) + view.seat] = view
        return -order.index(play.card) if play.card in order else 0

    table = setting("bastra", 2, False, {"deal": "packet"})
    logged(table_plan(table, [scored_by(note).remembering(degree)], [0, 0]), 0, [*seat_0, *seat_1, *floor, *rest])
    view = seen[0, 5]
    assert card_names(view.floor) == ["9D", "10C"]
    assert (view.own_pile, view.other_piles) == (0, card_set(parse_cards(known)))
    assert view.unseen == (1 << 52) - 1 - view.hand - view.floor - view.other_piles


class Forgetful:
    """A round played to some turn; what the player then cannot know, or has forgotten, can be changed."""

    def __init__(self, table: Setting, chosen: Policy, turn: int, index: int) -> None:
        self.table, self.chosen, self.turn, self.index = table, chosen, turn, index
        self.pack = deck(8, index, table.rules.pack)
        self.played = logged(table_plan(table, [chosen], [0] * table.players, 8), index, self.pack)
        twin = Table(table, self.pack)
        self.dealt = slice(table.players * table.hand_sizes[0], table.players * table.hand_sizes[0] + 4)
        self.buries = twin.round.floor != self.pack[self.dealt]
        for card, taken, _ in self.played[:turn]:
            twin.play(card, taken)
        sight, degree = twin.sight(chosen.memory.degree), chosen.memory.degree
        gone = {card for pile in twin.round.piles for card in pile}
        self.forgotten = gone if degree == "ranks" else gone - twin.remembered(degree)
        if degree == "points":  # a point card that is hidden cannot be one of those gone
            self.kept = {card for card in range(52) if rank_of(card) == JACK or points_of(table.rules, [card])}
        else:
            self.kept = set()
        self.hidden = set(range(table.rules.pack)) - gone - set(sight.hand) - set(sight.floor)

    def changed(self, draw: random.Random) -> tuple[list[int], int] | None:
        """Another pack, and how many forgotten cards are others; None if the same plays are not possible with it."""
        swap = {card: card for card in range(self.table.rules.pack)}
        hidden = sorted(self.hidden)
        swap |= dict(zip(hidden, draw.sample(hidden, len(hidden)), strict=True))
        other = dict(swap)
        for rank in range(13):
            # Cards forgotten have changed places with any of their rank that the player cannot tell from them.
            alike = [card for card in sorted((self.forgotten | self.hidden) - self.kept) if rank_of(card) == rank]
            turned = dict(zip(alike, draw.sample(alike, len(alike)), strict=True))
            other = {place: turned.get(card, card) for place, card in other.items()}
        pack = [other[card] for card in self.pack]
        twin = Table(self.table, pack)
        if self.buries or twin.round.floor != pack[self.dealt]:
            return None
        script = []
        for card, taken, _ in self.played[: self.turn]:
            cards = [other[each] for each in range(52) if taken >> each & 1]
            script.append((other[card], card_set(cards)))
            if script[-1][1] not in [card_set(choice.taken) for choice in twin.round.legal(script[-1][0])]:
                return None
            twin.play(*script[-1])
        self.script = script
        return pack, sum(other[card] != card for card in self.forgotten)

    def choice(self, pack: Sequence[int]) -> tuple[int, int]:
        """What the policy plays at the turn, once the script is over."""
        table = self.table
        sizes, players = table.hand_sizes, table.players

        def says(view: View, play: Play) -> float:
            turn = players * sum(sizes[: view.deal]) + players * (sizes[view.deal] - view.cards_left) + view.seat
            if turn >= self.turn:
                return 0.0
            return 1.0 if (play.card, play.taken) == self.script[turn] else -1.0

        chosen = self.chosen.following(Advice("script", function=Scorer(says)), SCRIPT)
        found = logged(Plan(table, (chosen,), ((0,) * players,), 8), self.index, pack)
        assert [tuple(play[:2]) for play in found[: self.turn]] == self.script
        return found[self.turn][0], found[self.turn][1]


CHOSEN: dict[str, Policy] = {
    "counter": get_policy("counter"),
    "advice": get_policy("random+memory-safe-rank+fishing-take-away+avoid-ten+points-over-cards"),
    "hangs on all": scored_by(hangs_on_all),
}


@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("degree", ["all", "none", "3", "12", "points", "ranks"])
def test_what_is_forgotten_changes_nothing(name, degree):
    check_forgotten(name, degree, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("degree", DEGREES)
def test_what_is_forgotten_changes_nothing_at_all(name, degree):
    check_forgotten(name, degree, 60)


def check_forgotten(name: str, degree: str, rounds: int) -> None:
    """Change what is hidden or forgotten at some turn of some rounds."""
    draw = random.Random(f"{name} {degree}")
    chosen = CHOSEN[name].remembering(degree)
    others = tried = 0
    for index in range(rounds):
        table = draw.choice([each for each in settings() if each.label in ("bastra", "syrian-a", "palestinian")])
        peek = Forgetful(table, chosen, draw.randrange(table.plays // 3, table.plays - 2 * table.players), index)
        for _ in range(3):
            if found := peek.changed(draw):
                pack, moved = found
                tried += 1
                others += moved
                assert peek.choice(pack) == peek.played[peek.turn][:2]
    assert tried >= rounds / 2
    assert degree == "all" or (degree.isdigit() and int(degree) > 30) or others >= rounds


@pytest.mark.parametrize("base", ["greedy", "counter", "counter+avoid-ten+memory-safe-rank"])
@pytest.mark.parametrize("degree", ["all", "52", "49"])
def test_a_memory_longer_than_the_round_forgets_nothing(base, degree):
    for table in settings()[::6]:
        whole = get_policy(base)
        for index in range(10):
            games = [
                logged(table_plan(table, [each], [0] * table.players, 5), index)
                for each in (whole, whole.remembering(degree))
            ]
            assert games[0] == games[1]


def test_memory_is_nothing_to_who_does_not_use_it():
    table = setting("bastra", 4, True)
    for index in range(20):
        games = [
            logged(table_plan(table, [get_policy(f"{base}-memory:{degree}")], [0] * 4, 5), index)
            for base in ("greedy", "random")
            for degree in ("all", "none", "3", "points", "ranks")
        ]
        assert games[:5] == games[:1] * 5
        assert games[5:] == games[5:6] * 5


def test_memory_matters_to_who_counts():
    table = setting("bastra")
    games = {
        degree: [logged(table_plan(table, [get_policy(f"counter-memory:{degree}")], [0, 0], 5), k) for k in range(40)]
        for degree in ("all", "none", "8", "points", "ranks")
    }
    for degree in ("none", "8", "points"):
        assert games[degree] != games["all"]
    assert games["none"] != games["8"]


@pytest.mark.parametrize(
    "degree",
    [
        "",
        "0",
        "53",
        "-1",
        "1.5",
        "8 ",
        " 8",
        "08",
        "+8",
        "al",
        "ALL",
        "rank",
        "point",
        "٨",
        "²",
        "9" * 5000,
        "4_0",
        "none\n",
    ],
)
def test_degrees_that_are_none(degree):
    with pytest.raises(InputError) as error:
        Memory(degree)
    assert "it takes all, none, points, ranks, or how many cards back it reaches, 1 to 52" in str(error.value)


@pytest.mark.parametrize("degree", ["all", "none", "points", "ranks", "1", "52"])
def test_degrees_have_words(degree):
    assert Memory(degree).means.strip() == Memory(degree).means != ""


def test_rows_of_policies_do_not_mix():
    """Each policy at a table has its own memory."""
    table = setting("bastra")
    seen: dict[int, Any] = {0: [], 1: []}

    def noting(name: int) -> Policy:
        def note(view: View, play: Play) -> float:
            seen[name].append(view.own_pile | view.other_piles)
            return hangs_on_all(view, play)

        return scored_by(note)

    pair = [noting(0).remembering("none"), noting(1)]
    logged(table_plan(table, pair, [0, 1], 5), 3)
    assert np.array(seen[0]).max() == 0
    assert np.array(seen[1]).max() > 0
