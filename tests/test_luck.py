"""What teams are dealt, counted against the plays themselves, and its expectation against many deals."""

import numpy as np
import pytest

from basra_sim import plans
from basra_sim.cards import card_set, cards_in, parse_card
from basra_sim.luck import Luck, dealt
from basra_sim.reference.rounds import card_points
from basra_sim.rules import Setting
from basra_sim.variants import setting

SETTINGS = [
    setting("bastra"),
    setting("egyptian", 3),
    setting("basra-nl", 4, True),
    setting("palestinian", 4),
    setting("lebanese-a", changes={"deal": "packet"}),
    setting("egyptian", changes={"bury_to": "random", "buried": "J,7D,A,2C"}),
    setting("syrian-a", 4, changes={"buried": "none", "two_points": 0}),
    setting("bastra", changes={"hand_size": 24}),
]
IDS = [f"{each.label} {each.players} {each.changes}" for each in SETTINGS]


def plan(table: Setting) -> plans.Plan:
    random = plans.plan("bastra", policies="random").policies
    return plans.Plan(table, random[:1], ((0,) * table.players,), seed=3)


@pytest.mark.parametrize("table", SETTINGS, ids=IDS)
def test_covariates_are_those_of_the_cards_played(table: Setting) -> None:
    (played,) = plan(table).play(0, 50, logged=True)
    found = Luck(table).columns(dealt(played.facts))
    masks = dealt(played.facts)
    sweepers = {parse_card(name) for name in ("JC", "JD", "JH", "JS")}
    if table.rules.seven_sweeps:
        sweepers.add(parse_card("7D"))
    assert found.shape == (50, 2 * table.team_count)
    for k, log in enumerate(played.logs[:, :, 0].tolist()):
        for team in range(table.team_count):
            cards = [card for place, card in enumerate(log) if table.teams[place % table.players] == team]
            assert set(cards_in(int(masks[k, team]))) == set(cards)
            assert found[k, team] == len(sweepers.intersection(cards))
            assert found[k, table.team_count + team] == sum(card_points(table.rules, cards))
    assert not masks[:, table.team_count :].any()


@pytest.mark.parametrize("table", SETTINGS, ids=IDS)
def test_expectations_are_those_of_many_deals(table: Setting) -> None:
    luck = Luck(table)
    found = np.concatenate([luck.columns(dealt(part.facts)) for part in plan(table).play(0, 20_000)])
    error = found.std(axis=0) / len(found) ** 0.5
    assert luck.expected is not None
    np.testing.assert_array_less(np.abs(found.mean(axis=0) - luck.expected), 4.5 * error + 1e-9)


def test_what_goes_to_the_bottom_is_dealt_to_the_dealer() -> None:
    expected = Luck(setting("bastra")).expected
    assert expected is not None
    assert expected[0] + expected[1] == pytest.approx(4)
    assert expected[0] < 1.9 < 2.1 < expected[1]


def test_no_expectation_where_burying_may_stop() -> None:
    ranks = "A,2,3,4,5,6,7,8,9,10"
    table = setting("bastra", changes={"buried": ranks})
    assert card_set(table.rules.buried_cards).bit_count() == 40
    assert Luck(table).expected is None
