"""Dealing, playing and counting a round with the readable engine."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra_sim.cards import ACE, JACK, SEVEN_OF_DIAMONDS, card_names, parse_card, parse_cards, rank_of
from basra_sim.errors import InputError
from basra_sim.records import RecordError
from basra_sim.reference import IllegalPlayError, Round
from basra_sim.rules import Setting
from basra_sim.variants import setting
from tests.playing import TABLES, play_out, shuffled


def with_top(table: Setting, top: str) -> list[int]:
    """Deck with given cards on top and the others in order."""
    first = parse_cards(top)
    return [*first, *(card for card in range(table.rules.pack) if card not in first)]


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_cards_and_points_are_kept(name: str, players: int, pairs: bool) -> None:
    table, draw = setting(name, players, pairs), random.Random(f"{name} {players} {pairs}")
    for _ in range(15):
        played = Round(table, shuffled(table, draw), carry_in=0)
        assert len(played.floor) == 4
        plays = play_out(played, draw)
        assert sorted(card for _, card, _ in plays) == sorted(set(range(table.rules.pack)) - set(played.opening.floor))
        assert sorted(card for pile in played.piles for card in pile) == list(range(table.rules.pack))
        assert [seat for seat, _, _ in plays] == [number % players for number in range(table.plays)]
        assert played.last_capture is not None
        scores = played.scores()
        assert sum(score.aces + score.jacks + score.two + score.ten for score in scores) == 13
        assert sum(score.cards for score in scores) == table.rules.pack
        assert sum(score.basras for score in scores) == sum(choice.basra for _, _, choice in plays)
        assert sum(score.basra_count for score in scores) == sum(choice.basra > 0 for _, _, choice in plays)
        for score in scores:
            parts = (score.aces, score.jacks, score.two, score.ten, score.majority, score.basras)
            assert score.total == sum(parts)


@settings(max_examples=60)
@given(st.data())
def test_rounds_under_odd_rules(data: Any) -> None:
    changes = {
        "deal": data.draw(st.sampled_from(["single", "packet"])),
        "buried": data.draw(st.lists(st.sampled_from(["A", "2", "3", "10", "J", "Q", "K"]), unique=True)),
        "captures": data.draw(st.sampled_from(["maximal", "most_cards", "ranks"])),
        "hand_size": data.draw(st.integers(1, 24)),
        "short_last_deal": True,
        "majority_tie": data.draw(st.sampled_from(["each", "none", "carry"])),
    }
    players = data.draw(st.sampled_from([2, 3, 4]))
    try:
        table = setting("yemeni", players, False, changes)
    except InputError:
        return
    draw = data.draw(st.randoms(use_true_random=False))
    played = Round(table, shuffled(table, draw))
    play_out(played, draw)
    assert sorted(card for pile in played.piles for card in pile) == list(range(52))
    assert sum(score.aces + score.jacks + score.two + score.ten for score in played.scores()) == 13


def test_single_deal_goes_round_and_packet_deal_does_not() -> None:
    table = setting("bastra", 2, False, {"buried": []})
    played = Round(table, list(range(52)))
    assert played.hands == [[0, 2, 4, 6], [1, 3, 5, 7]]
    assert played.floor == [8, 9, 10, 11]
    assert played.stock == list(range(12, 52))
    packets = Round(setting("bastra", 2, False, {"buried": [], "deal": "packet"}), list(range(52)))
    assert packets.hands == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert packets.floor == [8, 9, 10, 11]


@pytest.mark.parametrize("deal", ["single", "packet"])
def test_next_deal_comes_when_all_hands_are_empty(deal: str) -> None:
    table = setting("bastra", 2, False, {"buried": [], "deal": deal})
    played = Round(table, list(range(52)))
    for _ in range(8):
        assert played.stock == list(range(12, 52))
        played.play(played.hands[played.seat][0], played.legal(played.hands[played.seat][0])[0].taken)
    expected = [[12, 14, 16, 18], [13, 15, 17, 19]] if deal == "single" else [[12, 13, 14, 15], [16, 17, 18, 19]]
    assert played.hands == expected
    assert played.stock == list(range(20, 52))


def test_short_last_deal() -> None:
    table = setting("bastra", 2, False, {"hand_size": 5, "short_last_deal": True})
    assert table.hand_sizes == (5, 5, 5, 5, 4)
    draw = random.Random(1)
    played, sizes = Round(table, shuffled(table, draw)), []
    while not played.over:
        if played.seat == 0:
            sizes.append(len(played.hands[0]))
        card = played.hands[played.seat][0]
        played.play(card, played.legal(card)[0].taken)
    assert sizes == [5, 4, 3, 2, 1] * 4 + [4, 3, 2, 1]


def test_buried_cards_go_under_the_pack_until_none_lies_on_the_floor() -> None:
    table = setting("egyptian", 2)
    deck = with_top(table, "AC AD AH AS 2C 2D 2H 2S  3C JC 3D 7D  JD 4C 4D 4H")
    played = Round(table, deck)
    assert card_names(played.floor) == ["3C", "4C", "3D", "4D"]
    assert card_names(played.opening.buried) == ["JC", "JD", "7D"]
    assert card_names(played.stock[-3:]) == ["JC", "JD", "7D"]
    assert played.stock[:-3] == [parse_card("4H"), *deck[16:]]


def test_buried_cards_stay_if_nothing_can_replace_them() -> None:
    everything = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    table = setting("bastra", 2, False, {"buried": everything})
    assert Round(table, list(range(52))).floor == [8, 9, 10, 11]
    # One card of the pack may lie on the floor: it replaces the first, the others stay.
    table = setting("bastra", 2, False, {"buried": [*everything[:12], "KC", "KD", "KH"]})
    played = Round(table, list(range(52)))
    assert card_names(played.floor) == ["KS", "3D", "3H", "3S"]
    assert sorted(played.stock) == [8, *range(12, 51)]
    # The whole pack is dealt out: nothing is left to replace anything.
    table = setting("bastra", 2, False, {"hand_size": 24})
    played = Round(table, with_top(table, " ".join(card_names(list(range(48))))))
    assert card_names(played.floor) == ["KC", "KD", "KH", "KS"]


def bury_at_random(table: Setting, deck: list[int], draw: random.Random) -> tuple[list[int], list[int]]:
    """Floor and pack once buried cards went to random places, step by step."""
    hands = table.players * table.hand_sizes[0]
    floor, pack = deck[hands : hands + 4], deck[hands + 4 :]
    banned = [card for card in range(52) if rank_of(card) == JACK or card == SEVEN_OF_DIAMONDS]
    for place in range(4):
        while floor[place] in banned:
            pack.insert(draw.randint(0, len(pack)), floor[place])
            floor[place] = pack.pop(0)
    return floor, pack


def test_burying_at_random_places() -> None:
    table, draw, buried = setting("egyptian", 3, False, {"bury_to": "random"}), random.Random(3), 0
    for _ in range(300):
        deck = shuffled(table, draw)
        floor, pack = bury_at_random(table, deck, draw)
        played = Round(table, deck, stock=pack)
        assert played.floor == floor
        assert played.stock == pack
        buried += bool(played.opening.buried)
        if not played.opening.buried:
            assert Round(table, deck).floor == floor
            continue
        with pytest.raises(InputError, match="must be given as the stock"):
            Round(table, deck)
        wrong = list(pack)
        moved = [place for place, card in enumerate(wrong) if card not in played.opening.buried][:2]
        wrong[moved[0]], wrong[moved[1]] = wrong[moved[1]], wrong[moved[0]]
        with pytest.raises(InputError, match="only the buried"):
            Round(table, deck, stock=wrong)
        with pytest.raises(InputError, match="must hold the 36 cards"):
            Round(table, deck, stock=pack[1:])
    assert buried > 50


def test_card_to_bury_that_comes_up_as_a_replacement_goes_back_too() -> None:
    """Whether it lies before the first card that may stay, or between two of them."""
    table = setting("egyptian", 2, False, {"bury_to": "random"})
    deck = with_top(table, "AC AD AH AS 2C 2D 2H 2S  JC 3C JD 3D  7D 4C JH 4D 5C")
    left = parse_cards("5C")
    rest = deck[deck.index(left[0]) :]
    stock = [rest[0], *parse_cards("JH JC"), *rest[1:9], *parse_cards("7D"), *rest[9:], *parse_cards("JD")]
    played = Round(table, deck, stock=stock)
    assert card_names(played.floor) == ["4C", "3C", "4D", "3D"]
    assert played.stock == stock
    assert sorted(card_names(played.opening.buried)) == ["7D", "JC", "JD", "JH"]
    with pytest.raises(InputError, match="must hold the 40 cards"):
        Round(table, deck, stock=[*stock[:-1], parse_card("4C")])


def test_stock_must_come_from_the_deck() -> None:
    table = setting("bastra", 2)
    deck = with_top(table, "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H JC 5C")
    right = Round(table, deck).stock
    assert Round(table, deck, stock=right).floor == parse_cards("3C 3D 3H 5C")
    with pytest.raises(InputError, match="it has 39 cards where 40 are left"):
        Round(table, deck, stock=right[:-1])
    with pytest.raises(InputError, match=r"it has JC as its card 1 where 3S lies"):
        Round(table, deck, stock=[right[-1], *right[:-1]])


def test_deck_must_be_the_pack() -> None:
    for deck in (list(range(51)), [*range(51), 0], list(range(44))):
        with pytest.raises(InputError, match="a deck of the 52 cards is needed"):
            Round(setting("bastra"), deck)


def test_illegal_plays_are_refused_and_change_nothing() -> None:
    table = setting("bastra", 2, False, {"buried": []})
    played = Round(table, with_top(table, "9C AD 4C AS KH 2D 10S 3D  AC 8D 2H 7S"))
    refused = [
        ("5C", None, "seat 0 does not hold 5C; legal: any of 9C 4C KH 10S"),
        ("AD", None, "seat 0 does not hold AD"),
        ("9C", ["8D"], r"9C cannot take 8D; on the floor: AC 8D 2H 7S; legal: it takes AC 2H 7S 8D"),
        ("9C", [], "9C cannot be laid"),
        ("9C", ["8D", "AC"], "legal: it takes AC 2H 7S 8D"),
        ("9C", ["8D", "8D", "AC", "2H"], "cannot take"),
        ("9C", ["8D", "AS", "2H", "7S"], "cannot take AS 2H 7S 8D"),
        ("KH", ["8D"], "legal: it is laid"),
    ]
    for card, taken, part in refused:
        with pytest.raises(IllegalPlayError, match=part):
            played.play(parse_card(card), None if taken is None else [parse_card(name) for name in taken])
        assert played.turn == 0
        assert card_names(played.floor) == ["AC", "8D", "2H", "7S"]
    assert played.play(parse_card("9C")).taken == tuple(parse_cards("AC 2H 7S 8D"))
    assert played.floor == []
    assert issubclass(IllegalPlayError, RecordError)
    assert IllegalPlayError.exit_code == 1


def test_choice_must_be_made() -> None:
    table = setting("bastra", 2, False, {"buried": []})
    played = Round(table, with_top(table, "9C AD 4C AS KH 3D 10S 3H  AC 8D 2H 6S"))
    with pytest.raises(IllegalPlayError, match="9C has a choice, say what it takes: it takes AC 2H 6S or AC 8D"):
        played.play(parse_card("9C"))
    assert played.play(parse_card("9C"), parse_cards("8D AC")).taken == tuple(parse_cards("AC 8D"))


def test_equal_suits_are_accepted_and_really_taken() -> None:
    table = setting("bastra", 2, False, {"buried": []})
    played = Round(table, with_top(table, "5C AD 4C AS KH 9D 10S 9H  2D 2H 2S 3H"))
    (choice,) = played.legal(parse_card("5C"))
    assert choice.taken == tuple(parse_cards("2D 3H"))
    assert played.play(parse_card("5C"), parse_cards("3H 2S")).taken == tuple(parse_cards("3H 2S"))[::-1]
    assert card_names(played.floor) == ["2D", "2H"]


def test_sum_of_a_lone_card_and_the_one_laid_on_it() -> None:
    """A jack empties the floor, a four lies alone, a three is laid on it, a seven takes both: a basra here."""
    table = setting("lebanese-a", 2)
    played = Round(table, with_top(table, "JC 4D 3C 7H QC QD 9C 9D KH KS 10H 10S  5C 5H 6S 8D"))
    for card, lone_before in (("JC", False), ("4D", False), ("3C", True)):
        played.play(parse_card(card))
        assert played.lone_before is lone_before
    assert [choice.basra for choice in played.legal(parse_card("7H"))] == [10]
    played.play(parse_card("7H"))
    assert played.lone_before is False


def test_sum_of_two_cards_that_a_capture_left() -> None:
    """The same two cards after a capture took the third: no basra."""
    table = setting("lebanese-a", 2)
    played = Round(table, with_top(table, "QC 7H JD 7S 9C 9D AC AD KH KS 10H 10S  3C 4D QH QS"))
    played.play(parse_card("QC"))
    assert card_names(played.floor) == ["3C", "4D"]
    assert played.lone_before is False
    assert [choice.basra for choice in played.legal(parse_card("7H"))] == [0]


def test_leftover_goes_to_the_last_captor_without_a_basra() -> None:
    table, draw, seen = setting("bastra", 3), random.Random(11), 0
    for _ in range(40):
        played = Round(table, shuffled(table, draw))
        plays = play_out(played, draw)
        captor = next(seat for seat, _, choice in reversed(plays) if choice.taken)
        assert played.last_capture == captor
        assert played.floor == []
        if played.leftover:
            seen += 1
            assert set(played.leftover) <= set(played.piles[captor])
            assert played.piles[captor][-len(played.leftover) :] == played.leftover
    assert seen > 20


def test_partners_count_together() -> None:
    table, draw = setting("bastra", 4, True), random.Random(2)
    played = Round(table, shuffled(table, draw))
    plays = play_out(played, draw)
    assert len(played.scores()) == 2
    own = [card for seat, card, choice in plays if choice.taken and seat % 2 == 0]
    assert set(own) <= set(played.piles[0])
    turned = Round(table, shuffled(table, draw), teams=(1, 0, 1, 0))
    plays = play_out(turned, draw)
    assert {card for seat, card, choice in plays if choice.taken and seat % 2 == 0} <= set(turned.piles[1])


@pytest.mark.parametrize(("players", "pairs", "teams"), [(3, False, (2, 0, 1)), (4, True, (1, 0, 1, 0))])
def test_teams_that_sit_elsewhere_get_what_their_seats_capture(
    players: int, pairs: bool, teams: tuple[int, ...]
) -> None:
    """The same plays with other teams in the seats: the same piles, what is left over included, under other numbers."""
    table, draw, left = setting("bastra", players, pairs), random.Random(12), 0
    for _ in range(20):
        deck = shuffled(table, draw)
        usual = Round(table, deck)
        turned = Round(table, deck, teams=teams)
        for _, card, choice in play_out(usual, draw):
            turned.play(card, choice.taken)
        left += bool(turned.leftover)
        for seat in range(players):
            assert turned.piles[teams[seat]] == usual.piles[table.teams[seat]]
        assert [score.total for score in turned.scores()] == [
            usual.scores()[table.teams[teams.index(team)]].total for team in range(table.team_count)
        ]
    assert left > 5


def tied_round(table: Setting, carry_in: int = 0) -> Round:
    """A round in which the teams captured equally many cards."""
    draw = random.Random(17)
    for _ in range(3000):
        played = Round(table, shuffled(table, draw), carry_in=carry_in)
        play_out(played, draw)
        if len({len(pile) for pile in played.piles}) == 1:
            return played
    raise AssertionError("no tie found")


@pytest.mark.parametrize(
    ("majority_tie", "carry_in", "majority", "carry_out"),
    [("each", 0, 5, 0), ("none", 0, 0, 0), ("carry", 0, 0, 5), ("carry", 10, 0, 15)],
)
def test_tie_for_most_cards(majority_tie: str, carry_in: int, majority: int, carry_out: int) -> None:
    played = tied_round(setting("bastra", 2, False, {"majority_tie": majority_tie, "majority_points": 5}), carry_in)
    assert [score.majority for score in played.scores()] == [majority, majority]
    assert played.carry_out == carry_out


def test_points_held_over_go_to_the_next_majority() -> None:
    table, draw = setting("egyptian", 3), random.Random(4)
    for _ in range(30):
        played = Round(table, shuffled(table, draw), carry_in=60)
        play_out(played, draw)
        cards = [len(pile) for pile in played.piles]
        if cards.count(max(cards)) == 1:
            expected = [90 if count == max(cards) else 0 for count in cards]
            assert [score.majority for score in played.scores()] == expected
            assert played.carry_out == 0
        else:
            assert [score.majority for score in played.scores()] == [0, 0, 0]
            assert played.carry_out == 90


def test_scores_before_the_end_leave_out_most_cards() -> None:
    table, draw = setting("bastra", 2), random.Random(8)
    played = Round(table, shuffled(table, draw))
    while not played.over:
        assert all(score.majority == 0 for score in played.scores())
        assert played.carry_out == 0
        card = played.hands[played.seat][0]
        played.play(card, played.legal(card)[0].taken)
    assert sum(score.majority for score in played.scores()) >= 3
    with pytest.raises(IllegalPlayError, match="the round is over"):
        played.legal(0)


def test_points_follow_the_rules() -> None:
    changes = {"ace_points": 2, "jack_points": 3, "two": "2S", "two_points": 5, "ten_points": 7}
    table, draw = setting("bastra", 2, False, changes), random.Random(21)
    played = Round(table, shuffled(table, draw))
    play_out(played, draw)
    for score, pile in zip(played.scores(), played.piles, strict=True):
        assert score.aces == 2 * sum(rank_of(card) == ACE for card in pile)
        assert score.jacks == 3 * sum(rank_of(card) == JACK for card in pile)
        assert score.two == 5 * (parse_card("2S") in pile)
        assert score.ten == 7 * (parse_card("10D") in pile)
