"""The players: what each may not know, how each plays, and how policies are found by name or file."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from basra_sim.cards import card_name, card_names, parse_card, parse_cards
from basra_sim.deals import DECK_ROOM, deck, lay_floor, stream
from basra_sim.errors import InputError
from basra_sim.plans import Plan, plan
from basra_sim.policies import FEATURES, Policy, get_policy, policy_names
from basra_sim.reference import Round, legal_choices
from basra_sim.rules import FLOOR_CARDS, Setting
from basra_sim.variants import setting
from tests.agreement import check_rounds, settings
from tests.scoring import logged, scatter, scored_by, table_plan


def called(table: Setting) -> str:
    """Short name of a table."""
    return f"{table.variant}-{table.players}{'p' if table.pairs else ''}"


IDS = [called(each) for each in settings()]
SEARCHING = tuple(name for name in policy_names() if get_policy(name).search)
WEIGHED = tuple(name for name in policy_names() if name not in SEARCHING)
FEW = [setting("bastra"), setting("lebanese-a"), setting("yemeni", 4, True)]
MIXED = Policy("mixed", "", {feature.name: (-1.0) ** k * (k + 1) / 7 for k, feature in enumerate(FEATURES)})


@pytest.mark.parametrize("name", [*WEIGHED, "mixed"])
@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_contract(table, name):
    check_contract(table, MIXED if name == "mixed" else get_policy(name))


@pytest.mark.parametrize("name", SEARCHING)
@pytest.mark.parametrize("table", FEW, ids=called)
def test_contract_of_those_who_search(table, name):
    player = get_policy(name)
    assert player.search is not None
    check_contract(table, replace(player, search=replace(player.search, rollouts=64)))


@pytest.mark.slow
@pytest.mark.parametrize("table", settings(), ids=IDS)
def test_contract_of_the_expert_at_every_table(table):
    check_contract(table, get_policy("expert-rollouts:64"))


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for table in settings() if table.team_count == 2], ids=called)
def test_contract_of_the_cheater_at_tables_of_two_sides(table):
    check_contract(table, get_policy("cheater"))


def check_contract(table: Setting, chosen: Policy) -> None:
    """A policy plays legally, and the same again; only one that draws hangs on what is drawn."""
    alone = table_plan(table, [chosen], [0] * table.players, 5)
    assert check_rounds(alone, 0, 3) == 3 * table.plays, "every play is legal"
    packs = [deck(5, index, table.rules.pack) for index in range(3)]
    first = [logged(alone, 0, pack) for pack in packs]
    assert first == [logged(alone, 0, pack) for pack in packs], "the same again"
    other_noise = [logged(alone, 1, pack) for pack in packs]
    draws = chosen.name == "random" or (chosen.search is not None and not chosen.search.sees)
    assert first == other_noise or draws, "only a policy that draws hangs on what is drawn"
    assert first != other_noise or chosen.name != "random"


def test_contract_names():
    assert policy_names() == ("random", "greedy", "counter", "adept", "champion", "expert", "cheater")
    for name in policy_names():
        found = get_policy(name)
        assert found.name == name
        assert found.summary.strip() == found.summary != ""
        assert get_policy(found) is found


class Peek:
    """Rounds in which only what one seat cannot see is changed, from one of its turns on."""

    def __init__(self, table: Setting, chosen: Policy, seat: int, index: int) -> None:
        self.table, self.seat, self.index = table, seat, index
        self.alone = table_plan(table, [chosen], [0] * table.players, 8)
        self.order: dict[int, tuple[int, int]] = {}
        seats = [int(each != seat) for each in range(table.players)]
        self.beside = table_plan(table, [chosen, scored_by(self._repeat)], seats, 8)
        self.pack = deck(8, index, table.rules.pack)
        self.log = logged(self.alone, index, self.pack)

    def _repeat(self, view: Any, play: Any) -> float:
        """Score for the other seats: they play what they played before, in that order, whatever else they hold."""
        turn, taken = self.order.get(play.card, (1000, 0))
        return -turn if taken == play.taken else -2000

    def hidden(self, turn: int) -> list[int]:
        """Places in the pack of cards that the seat cannot have seen at a turn, and that may change places."""
        game = self.alone.codes.game
        room = np.zeros(DECK_ROOM, np.uint8)
        room[: game.pack] = self.pack
        dealt = self.table.players * game.hand_size
        start, gamma = map(np.uint64, stream(8, self.index))
        _, top, end = lay_floor(start, gamma, 0, game.pack, dealt, game.buried, game.bury_at_random, room)
        reference = Round(self.table, self.pack, stock=room[top:end].tolist())
        for card, taken, _ in self.log[:turn]:
            reference.play(card, [each for each in range(52) if taken >> each & 1])
        unseen = {card for seat, hand in enumerate(reference.hands) if seat != self.seat for card in hand}
        unseen |= set(reference.stock)
        # What came up while the floor was laid stays in its place, or another floor would lie.
        shown = 1 + max(self.pack.index(card) for card in room[dealt : dealt + FLOOR_CARDS].tolist())
        return [place for place, card in enumerate(self.pack) if card in unseen and not dealt <= place < shown]

    def changed(self, turn: int, draw: random.Random) -> tuple[list[tuple[int, int, int]], int]:
        """Plays up to a turn once what is hidden is shuffled anew; and how many cards have moved."""
        places = self.hidden(turn)
        pack = list(self.pack)
        for place, card in zip(places, draw.sample([pack[place] for place in places], len(places)), strict=True):
            pack[place] = card
        self.order = {card: (number, taken) for number, (card, taken, _) in enumerate(self.log[:turn])}
        moved = sum(one != other for one, other in zip(pack, self.pack, strict=True))
        return logged(self.beside, self.index, pack)[: turn + 1], moved


def hangs_on_all(view: Any, play: Any) -> float:
    return scatter(*view, *play)


@pytest.mark.parametrize("name", [*WEIGHED, "mixed", "hangs on all"])
@pytest.mark.parametrize("table", [*settings(), *settings(bury_to="random")[:4]], ids=[*IDS, *range(4)])
def test_what_is_hidden_changes_nothing(table, name):
    chosen = {"mixed": MIXED, "hangs on all": scored_by(hangs_on_all)}.get(name) or get_policy(name)
    check_that_nothing_hidden_counts(table, chosen)


@pytest.mark.parametrize("table", [*FEW, *settings(bury_to="random")[:1]], ids=called)
def test_what_is_hidden_changes_nothing_for_those_who_search(table):
    check_that_nothing_hidden_counts(table, get_policy("expert-rollouts:128"))


@pytest.mark.slow
@pytest.mark.parametrize("table", [*settings(), *settings(bury_to="random")[:4]], ids=[*IDS, *range(4)])
def test_what_is_hidden_changes_nothing_for_the_expert_at_any_table(table):
    check_that_nothing_hidden_counts(table, get_policy("expert-rollouts:256"))


def check_that_nothing_hidden_counts(table: Setting, chosen: Policy) -> None:
    """Whatever a seat cannot see is shuffled anew before some of its turns: it plays as before."""
    draw = random.Random(f"{chosen.name} {table.variant} {table.players} {table.pairs}")
    moved = 0
    for index in range(4):
        seat = draw.randrange(table.players)
        peek = Peek(table, chosen, seat, index)
        turns = [*range(seat, table.plays, table.players)]
        for turn in (turns[0], *draw.sample(turns[1:], 2)):
            found, cards = peek.changed(turn, draw)
            assert found == peek.log[: turn + 1], (index, turn)
            moved += cards
    assert moved > 12 * table.plays / 6


def test_the_cheater_is_found_out():
    with pytest.raises(AssertionError):
        check_that_nothing_hidden_counts(FEW[0], get_policy("cheater"))


def test_a_policy_that_peeks_is_found_out():
    """The test above sees the difference: a policy that looks at another's hand fails it."""
    table = setting("bastra")
    held: dict[int, int] = {}

    def peeks(view: Any, play: Any) -> float:
        held[view.seat] = view.hand
        return scatter(held.get(1 - view.seat, 0), play.card)

    draw = random.Random(4)
    differences = 0
    for index in range(10):
        peek = Peek(table, scored_by(peeks), 1, index)
        found, _ = peek.changed(9, draw)
        differences += found != peek.log[:10]
    assert differences > 3


def first_plays(chosen: str | Policy, hand: str, floor: str, count: int, **options: Any) -> Counter[tuple[str, str]]:
    """First plays of seat 0 of two with a hand on a floor, over many rounds: card and what it takes, by name."""
    held, lying = parse_cards(hand), parse_cards(floor)
    changes = {"hand_size": len(held), "deal": "packet", **options.pop("changes", {})}
    table = setting(options.pop("variant", "bastra"), 2, False, changes)
    rest = [card for card in range(table.rules.pack) if card not in (*held, *lying)]
    pack = [*held, *rest[: len(held)], *lying, *rest[len(held) :]]
    decks = np.array([pack] * count, np.uint8)
    (played,) = Plan(table, (get_policy(chosen),), ((0, 0),), 17).play(0, count, logged=True, decks=decks)
    assert played.facts.shape[0] == count
    return Counter(
        (card_name(card), " ".join(card_names(int(taken)))) for card, taken in played.logs[:, 0, :2].tolist()
    )


@pytest.mark.parametrize(
    ("hand", "floor", "chances"),
    [
        ("KC KD KH KS", "AC 3D 5H 7S", {"KC": [""], "KD": [""], "KH": [""], "KS": [""]}),
        ("5S KD JH 10C", "2C 2H 3D 8S", {"5S": ["2C 3D", "2H 3D"], "KD": [""], "JH": ["2C 2H 3D 8S"]}),
        ("9C AH", "AC 8D 2H 7S", {"9C": ["AC 2H 7S 8D"], "AH": ["AC"]}),
        ("AS", "AC 8D 2H 7S", {"AS": ["AC"]}),
        ("10C QS QD 9H 4D 2D 4C 10S", "2C 3H 5D 7S", {}),
        ("4D 6C 8C QC QD QH QS KC KD KH KS 10S", "2C 2D 4C 6S", {}),
    ],
)
def test_random_is_uniform_over_cards_then_over_choices(hand, floor, chances):
    count = 6000
    seen = first_plays("random", hand, floor, count)
    table = setting("bastra", 2, False, {"hand_size": len(hand.split())})
    expected = {}
    for card in hand.split():
        reference = [choice.taken for choice in legal_of(table, floor, card)]
        for taken in reference:
            expected[card, " ".join(card_names(sorted(taken)))] = count / len(hand.split()) / len(reference)
    for card, sets in chances.items():
        assert {taken for name, taken in expected if name == card} == set(sets)
    assert set(seen) == set(expected)
    test = stats.chisquare([seen[key] for key in expected], [*expected.values()])
    assert len(expected) == 1 or 0.001 < test.pvalue < 0.999


def legal_of(table: Setting, floor: str, card: str) -> Any:
    return legal_choices(table.rules, parse_cards(floor), parse_card(card))


def test_random_draws_each_play_on_its_own():
    count = 8000
    table = setting("bastra", 2, False, {"deal": "packet"})
    decks = np.array([deck(4, 4)] * count, np.uint8)
    (played,) = Plan(table, (get_policy("random"),), ((0, 0),), 17).play(0, count, logged=True, decks=decks)
    cards = played.logs[:, :, 0]
    for one, other in ((0, 1), (8, 9), (0, 8), (1, 40)):
        counts = np.zeros((52, 52))
        np.add.at(counts, (cards[:, one], cards[:, other]), 1)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        assert counts.shape == (4, 4)
        assert 0.001 < stats.chi2_contingency(counts).pvalue < 0.999


@pytest.mark.parametrize("name", ["greedy", "counter"])
@pytest.mark.parametrize(
    ("hand", "floor", "play", "options"),
    [
        # A basra, points, cards.
        ("5C KD", "AC 2D 3H 4S", ("5C", "AC 2D 3H 4S"), {}),
        ("7D 9C", "AH 2C 3H 4H", ("7D", "AH 2C 3H 4H"), {"variant": "egyptian"}),
        ("AC 4S", "AD 3C 4H QS", ("AC", "AD"), {}),
        ("5S KH", "2C 2H 3D KD", ("5S", "2C 3D"), {}),
        ("9C KH", "AC 8D 2H KD", ("9C", "AC 8D"), {}),
        ("7S 3C", "3D 4H 10C 9C", ("7S", "3D 4H"), {}),
        ("10C QH", "QD 10D 2H 3S", ("10C", "10D"), {}),
        # Where nothing can be taken: the card that scores nothing.
        ("AC 6C", "QD KD QH KH", ("6C", ""), {}),
        ("10D 6C", "QD KD QH KH", ("6C", ""), {}),
        ("2C 9C", "QD KD QH KH", ("9C", ""), {}),
        ("2S 9C", "QD KD QH KH", ("9C", ""), {"changes": {"two": "2S"}}),
        ("AC 2C 10D 8H", "QD KD QH KH", ("8H", ""), {}),
        # A jack, or the seven that sweeps, for a floor that is worth it.
        ("JC 5C", "10D 2C AH AS", ("JC", "AH AS 2C 10D"), {}),
        ("7D 5C", "10D 2C AH AS", ("7D", "AH AS 2C 10D"), {"variant": "egyptian"}),
    ],
)
def test_sensible_plays(name, hand, floor, play, options):
    card, taken = play
    (found,) = first_plays(name, hand, floor, 1, **options)
    assert found == (card, " ".join(taken.split()))


@pytest.mark.parametrize(
    ("hand", "floor", "greedy", "counter"),
    [
        # The queen takes three and leaves a lone two, which one in eight could answer with a basra.
        ("QC 5H", "QD QH QS 2D", ("QC", "QD QH QS"), ("5H", "")),
    ],
)
def test_counter_minds_what_it_leaves(hand, floor, greedy, counter):
    for name, (card, taken) in (("greedy", greedy), ("counter", counter)):
        assert set(first_plays(name, hand, floor, 1)) == {(card, taken)}


OWN = """
from basra_sim import policy

@policy
def low(view, play):
    return -play.card
"""

TWO = (
    OWN
    + """
@policy(name="High One")
def high(view, play):
    return play.card
"""
)


def test_policy_from_a_file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    found = get_policy(str(path))
    assert found.name == "low"
    assert get_policy(f"{path}:low") is found
    planned = plan("bastra", policies=[str(path), "greedy"])
    assert [each.name for each in planned.policies] == ["low", "greedy"]
    assert logged(planned, 0)[0][0] == min(deck(1, 0)[0:8:2])


def test_one_of_several_policies_of_a_file(tmp_path):
    path = tmp_path / "two.py"
    path.write_text(TWO, encoding="utf-8")
    assert get_policy(f"{path}:high").name == "High One"
    assert get_policy(f"{path}:low").name == "low"


@pytest.mark.parametrize(
    ("text", "spec", "wrong"),
    [
        (TWO, "{path}", "{path} defines 2 policies (low, high): name one, as in {path}:NAME"),
        ("x = 1\n", "{path}", "{path} defines no policy: put @policy"),
        (OWN, "{path}:lo", "{path} has no policy called 'lo' (did you mean low?): it defines low"),
        ("x = 1\n", "{path}:x", "{path} has no policy called 'x': it defines none"),
        ("def f(:\n", "{path}", "{path} fails: SyntaxError: invalid syntax"),
        ("1 / 0\n", "{path}", "{path} fails: ZeroDivisionError: division by zero"),
        ("import nothing_of_that_name\n", "{path}", "{path} fails: ModuleNotFoundError: No module named"),
        (OWN.replace("card", "kard"), "{path}", "policy low does not compile: "),
        (None, "{path}", "{path}: there is no such file"),
        (None, "{path}:low", "{path}: there is no such file"),
    ],
)
def test_files_that_are_no_policy(tmp_path, text, spec, wrong):
    path = tmp_path / "own.py"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        get_policy(spec.format(path=path))
    assert str(error.value).startswith(wrong.format(path=path))
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("gredy", "no policy is called 'gredy' (did you mean greedy?)"),
        ("", "no policy is called ''"),
        ("best", "no policy is called 'best'"),
    ],
)
def test_unknown_policies(spec, wrong):
    with pytest.raises(InputError) as error:
        get_policy(spec)
    assert str(error.value) == f"{wrong}; there are {', '.join(policy_names())}, FILE.py:NAME, or FILE.json"


def test_revised_weights():
    greedy = get_policy("greedy")
    late = greedy.revised("late", "spends no jack for less than a basra", jack_takes=-20, basra=2)
    assert (late.name, late.summary) == ("late", "spends no jack for less than a basra")
    assert late.weights == {**(greedy.weights or {}), "jack_takes": -20, "basra": 2}
    assert (greedy.weights or {})["jack_takes"] == -2
    assert set(first_plays("greedy", "JC 5C", "10D 2C AH AS", 1)) == {("JC", "AH AS 2C 10D")}
    assert set(first_plays(late, "JC 5C", "10D 2C AH AS", 1)) == {("5C", "")}
    assert set(first_plays(late, "JC JD", "10D 2C AH AS", 1)) == {("JC", "AH AS 2C 10D")}
    assert set(first_plays(get_policy("greedy").revised("same"), "JC 5C", "10D 2C AH AS", 1)) == {
        ("JC", "AH AS 2C 10D")
    }


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: get_policy("greedy").revised("x", basras=1.0), "policy x: no feature is called 'basras'"),
        (
            lambda: Policy("x", "", {"zzz": 1.0}),
            "policy x: no feature is called 'zzz'; there are points_taken, basra, ",
        ),
        (lambda: Policy("x", "", {"bassra": 1.0}), "policy x: no feature is called 'bassra' (did you mean basra"),
        (lambda: Policy("x", "", {"basra": float("nan")}), "policy x: the weight of basra is nan: it must be finite"),
        (lambda: Policy("x", "", {"basra": float("inf")}), "policy x: the weight of basra is inf: it must be finite"),
        (
            lambda: get_policy("random").revised("x", basra=1.0),
            "policy random does not weigh features: no weight of it can be changed",
        ),
    ],
)
def test_weights_that_are_no_weights(make, wrong):
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(wrong)
