"""Settings: who can play, how the pack is dealt out, what differs from the built-in variant."""

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from basra_sim.rules import Rules, RulesError, Setting, check_players, deals, override
from basra_sim.variants import setting, variant_names
from tests.test_rules import changed_values


def uneven_hand(label: str, players: int, hand: int, cards: int) -> str:
    """How a refusal of a hand size begins."""
    return (
        f"{label} with {players} players: hand_size = {hand} does not come out even: "
        f"{cards} cards are left after the floor, a deal takes "
    )


@pytest.mark.parametrize(
    ("players", "pairs", "says"),
    [
        (1, False, "players = 1 is not possible: it takes 2, 3 or 4"),
        (5, False, "players = 5 is not possible: it takes 2, 3 or 4"),
        (True, False, "players = true is not possible: it takes 2, 3 or 4"),
        (2.0, False, "players = 2.0 is not possible: it takes 2, 3 or 4"),
        ("2", False, 'players = "2" is not possible: it takes 2, 3 or 4'),
        (2, True, "pairs need 4 players, not 2: seats 0 and 2 play against seats 1 and 3"),
        (3, True, "pairs need 4 players, not 3: seats 0 and 2 play against seats 1 and 3"),
        (4, 1, "pairs = 1 is not possible: it takes true or false"),
    ],
)
def test_tables_refused(players: Any, pairs: Any, says: str) -> None:
    for make in (lambda: check_players(players, pairs), lambda: table(players=players, pairs=pairs)):
        with pytest.raises(RulesError) as caught:
            make()
        assert str(caught.value) == says


def table(rules: Rules | None = None, **about: Any) -> Setting:
    """Setting of some rules."""
    return Setting(variant="bastra", rules=rules or Rules(), **about)


def test_teams_and_plays() -> None:
    assert [table(players=players).teams for players in (2, 3, 4)] == [(0, 1), (0, 1, 2), (0, 1, 2, 3)]
    assert [table(players=players).team_count for players in (2, 3, 4)] == [2, 3, 4]
    pairs = table(players=4, pairs=True)
    assert (pairs.teams, pairs.team_count) == ((0, 1, 0, 1), 2)
    assert [table(players=players).hand_sizes for players in (2, 3, 4)] == [(4,) * 6, (4,) * 4, (4,) * 3]
    assert table(players=2).plays == 48
    assert table(Rules(pack=44), players=2).plays == 40
    number = table(players=np.int64(3)).players
    assert (type(number), number) == (int, 3)


def test_settings_are_keys_and_travel() -> None:
    setting = Setting(variant="bastra", rules=Rules(target=9), players=2, changes={"target": 9})
    assert hash(setting) == hash(pickle.loads(pickle.dumps(setting)))
    assert setting == pickle.loads(pickle.dumps(setting))


WHOLE = {(52, 4): {2, 3, 4}, (52, 6): {2, 4}, (44, 4): {2}, (44, 5): {2, 4}, (52, 5): set(), (44, 6): set()}


@pytest.mark.parametrize(("pack", "hand"), WHOLE)
def test_who_can_play(pack: int, hand: int) -> None:
    rules = Rules(pack=pack, hand_size=hand)
    assert {players for players in (2, 3, 4) if deals(rules, players)} == WHOLE[pack, hand]
    for players in WHOLE[pack, hand]:
        sizes = deals(rules, players)
        assert set(sizes) == {hand}
        assert sum(sizes) * players == pack - 4


@pytest.mark.parametrize(
    ("pack", "hand", "players", "sizes"),
    [
        (52, 5, 2, (5, 5, 5, 5, 4)),
        (52, 6, 3, (6, 6, 4)),
        (52, 5, 4, (5, 5, 2)),
        (44, 4, 4, (4, 4, 2)),
        (44, 6, 2, (6, 6, 6, 2)),
        (52, 4, 2, (4,) * 6),
        (44, 4, 3, ()),
        (44, 6, 3, ()),
        (52, 24, 4, ()),
    ],
)
def test_short_last_deal(pack: int, hand: int, players: int, sizes: tuple[int, ...]) -> None:
    assert deals(Rules(pack=pack, hand_size=hand, short_last_deal=True), players) == sizes


@pytest.mark.parametrize(
    ("rules", "players", "cards", "says"),
    [
        (
            Rules(hand_size=5),
            2,
            48,
            "10; possible: hand_size = 1, 2, 3, 4, 6, 8, 12 or 24; short_last_deal = true (4 each in the last deal)",
        ),
        (
            Rules(hand_size=10),
            3,
            48,
            "30; possible: hand_size = 1, 2, 4, 8 or 16; short_last_deal = true (6 each in the last deal)",
        ),
        (
            Rules(pack=44, hand_size=4),
            4,
            40,
            "16; possible: hand_size = 1, 2, 5 or 10; short_last_deal = true (2 each in the last deal); 2 players",
        ),
        (Rules(pack=44), 3, 40, "12; possible: 2 or 4 players; pack = 52"),
        (
            Rules(pack=44, short_last_deal=True),
            3,
            40,
            "12 and the last 4 cannot be shared equally; possible: 2 or 4 players; pack = 52",
        ),
        (
            Rules(hand_size=24, short_last_deal=True),
            4,
            48,
            "96; possible: hand_size = 1, 2, 3, 4, 6 or 12; 2 players",
        ),
    ],
)
def test_uneven_hands_refused(rules: Rules, players: int, cards: int, says: str) -> None:
    with pytest.raises(RulesError) as caught:
        table(rules, players=players)
    assert str(caught.value) == uneven_hand("bastra", players, rules.hand_size, cards) + says


@pytest.mark.parametrize(
    ("about", "changes", "size"),
    [
        (("lebanese-a", 3), {}, 4),
        (("lebanese-a", 4), {}, 6),
        (("lebanese-a", 3), {"hand_size": 8}, 8),
        (("lebanese-a", 3), {"hand_size": "6", "short_last_deal": "true"}, 6),
        (("lebanese-a", 3), {"short_last_deal": True}, 4),
        (("palestinian", 4), {}, 5),
        (("palestinian", 4), {"hand_size": 4, "short_last_deal": True}, 4),
        (("palestinian", 4), {"pack": 52}, 4),
        (("palestinian", 3), {"pack": 52}, 4),
        (("palestinian", 2), {"hand_size": 5}, 5),
        (("syrian-a", 4), {"hand_size": 6}, 6),
    ],
)
def test_hand_size_at_the_table(about: tuple[str, int], changes: dict[str, object], size: int) -> None:
    assert setting(*about, changes=changes).rules.hand_size == size


@pytest.mark.parametrize(
    ("about", "changes", "says"),
    [
        (("bastra", 5), {}, "players = 5 is not possible: it takes 2, 3 or 4"),
        (("bastra", 2), {"targt": 5}, "targt = 5: there is no such option (did you mean target?)"),
        (("bastra", 2), {"target": "0"}, "target = 0 is not possible: it takes a whole number from 1 to 100000"),
        (("nobody", 2), {}, 'there is no variant "nobody"'),
        (
            ("lebanese-a", 3),
            {"hand_size": 6},
            uneven_hand("lebanese-a", 3, 6, 48) + "18; possible: hand_size = 1, 2, 4, ",
        ),
        (
            ("palestinian", 3),
            {"short_last_deal": True},
            uneven_hand("palestinian", 3, 4, 40) + "12 and the last 4 cannot",
        ),
        (
            ("jordanian-b", 4),
            {"pack": 44},
            uneven_hand("jordanian-b", 4, 4, 40) + "16; possible: hand_size = 1, 2, 5 or",
        ),
    ],
)
def test_impossible_settings(about: tuple[str, int], changes: dict[str, object], says: str) -> None:
    with pytest.raises(RulesError) as caught:
        setting(*about, changes=changes)
    assert str(caught.value).startswith(says)


def test_changes_are_what_differs_from_the_built_in_variant() -> None:
    made = setting("egyptian", changes={"seven_of_diamonds": "ordinary", "target": 101})
    assert made.changes == {"seven_of_diamonds": "ordinary", "seven_basra": "never"}
    assert setting("lebanese-a", 3, changes={"hand_size": 4}).changes == {}
    assert setting("lebanese-a", 3, changes={"hand_size": 8}).changes == {"hand_size": 8}
    assert setting("palestinian", 4, changes={"hand_size": 5}).changes == {}
    assert setting("palestinian", 4, changes={"pack": 52}).changes == {"pack": 52}
    assert setting("egyptian", changes={"buried": "J"}).changes == {"buried": ["J"]}


@given(
    st.sampled_from(variant_names()), st.sampled_from([(2, False), (3, False), (4, False), (4, True)]), changed_values()
)
def test_changes_make_the_setting_again(name: str, seats: tuple[int, bool], changes: dict[str, Any]) -> None:
    try:
        made = setting(name, *seats, changes=changes)
    except RulesError:
        return
    again = setting(made.variant, *seats, changes=json.loads(json.dumps(made.changes)))
    assert again == made
    assert made.rules == override(made.rules, {})
    assert sum(made.hand_sizes) * made.players == made.plays
    assert made.hand_sizes[:-1] == (made.rules.hand_size,) * (len(made.hand_sizes) - 1)
