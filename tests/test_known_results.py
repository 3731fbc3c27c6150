"""Results of others that must come out here too, as far as the games compare."""

import pytest

from basra_sim.experiment import duel


@pytest.mark.slow
@pytest.mark.parametrize("player", ["counter", "adept"])
def test_counting_cards_is_worth_as_much_as_in_pisti(player: str) -> None:
    """Pişti: about 2.5 points a game. Here too captures go by rank alone; but piles work differently."""
    changes = {"captures": "ranks", "basra_when": "matches_lone_card", "jack_on_jack": 20}
    found = duel(player, f"{player}-memory:none", deals=20_000, seed=1, changes=changes).margin
    assert found.low is not None
    assert found.high is not None
    assert found.low > 2.5 / 3
    assert found.high < 2.5 * 3


@pytest.mark.slow
def test_degrees_of_memory_are_worth_the_more_the_further_they_reach() -> None:
    degrees = ("none", "4", "8", "16")
    costs = [duel(f"counter-memory:{degree}", "counter", deals=20_000, seed=1).margin for degree in degrees]
    values = [found.value or 0.0 for found in costs]
    assert values == sorted(values)
    assert (costs[0].high or 0) < (costs[-1].low or 0) <= (costs[-1].high or 0) < 0.2
