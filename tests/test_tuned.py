"""The champion's weights, which come with the package, and files of weights in general."""

import json

import pytest

from basra_sim.deals import deck
from basra_sim.errors import InputError
from basra_sim.experiment import duel
from basra_sim.plans import plan
from basra_sim.policies import FEATURES, get_policy
from basra_sim.policies.tuned import FOLDER, KEYS, file_name, read_weights
from basra_sim.variants import setting, variant, variant_names
from tests.scoring import logged

TABLES = [(name, players, players == 4) for name in variant_names() for players in (2, 4)]


@pytest.mark.parametrize(("name", "players", "pairs"), TABLES)
def test_every_variant_has_weights_for_two_and_for_pairs(name, players, pairs):
    table = setting(name, players, pairs)
    found = read_weights(FOLDER / file_name(table))
    assert set(found) == set(KEYS)
    assert (found["variant"], found["players"], found["pairs"]) == (name, players, pairs)
    assert set(found["weights"]) <= {feature.name for feature in FEATURES}
    assert any(found["weights"].values())
    made = found["provenance"]
    assert (variant(made["variant"]).rules, made["players"], made["pairs"]) == (variant(name).rules, players, pairs)
    (against,) = (
        row for row in made["at_the_end"]["margins"] if (row["player"], row["opponent"]) == (made["chosen"], "counter")
    )
    assert against["low"] > 0
    assert dict(get_policy("champion").weights_for(table)) == found["weights"]


def test_no_file_of_weights_is_left_over():
    assert {path.name for path in FOLDER.iterdir()} == {file_name(setting(*table)) for table in TABLES}


@pytest.mark.parametrize(
    ("name", "players", "pairs"),
    [pytest.param(*table, marks=() if table in TABLES[:4] else pytest.mark.slow) for table in TABLES],
)
def test_the_champion_beats_the_counter(name, players, pairs):
    found = duel("champion", "counter", name, players=players, pairs=pairs, deals=40_000, seed=77)
    assert found.margin.value is not None
    assert found.margin.half_width is not None
    assert found.margin.value > 5 * found.margin.half_width / 1.96


def test_three_and_four_singles_have_the_weights_of_two_and_changed_rules_those_of_their_variant():
    champion = get_policy("champion")
    two = champion.weights_for(setting("egyptian"))
    assert champion.weights_for(setting("egyptian", 3)) == two
    assert champion.weights_for(setting("egyptian", 4)) == two
    assert champion.weights_for(setting("egyptian", changes={"majority_points": 3})) == two
    assert champion.weights_for(setting("egyptian", 4, True)) != two


def test_some_weights_may_be_revised():
    table = setting("bastra")
    champion = get_policy("champion")
    bold = champion.revised("bold", basra_risk=-0.5)
    assert bold.weights_for(table) == {**champion.weights_for(table), "basra_risk": -0.5}


def test_a_file_of_weights_is_a_player(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"weights": get_policy("counter").weights}), encoding="utf-8")
    pack = deck(1, 0)
    mine, counter = (plan("bastra", policies=spec) for spec in (str(path), "counter"))
    assert logged(mine, 0, pack) == logged(counter, 0, pack)
    assert get_policy(f"{path}-memory:8+jack-hold").name == f"{path}-memory:8+jack-hold"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "is no file of weights: it is not JSON"),
        ("[]", "is no file of weights: it needs an object with 'weights'"),
        ('{"weights": 1}', "is no file of weights: it needs an object with 'weights'"),
        ('{"weights": {"basra_rsk": 1}}', "no feature is called 'basra_rsk' (did you mean basra_risk?)"),
        ('{"weights": {"basra": "1"}}', 'the weight of basra is "1": it must be a number, at most'),
        ('{"weights": {"basra": NaN}}', "it is not JSON (NaN is no number)"),
        ('{"weights": {"basra": true}}', "the weight of basra is true: it must be a number, at most"),
        ('{"weights": {"zzz": 1}}', "no feature is called 'zzz'; there are points_taken, "),
        ('{"weights": {"basra": 1, "basra": 2}}', "it is not JSON ('basra' comes twice)"),
        ('{"weights": {}, "players": "2"}', 'players is "2": it must be a whole number'),
        ('{"weights": {}, "players": true}', "players is true: it must be a whole number"),
        ('{"weights": {}, "pairs": 0}', "pairs is 0: it must be true or false"),
        ('{"weights": {}, "variant": null}', "variant is null: it must be a text"),
        ('{"weights": {}, "provenance": []}', "provenance is []: it must be an object"),
        ("\x00\xff", "is no file of weights: it is not JSON"),
    ],
)
def test_what_is_no_file_of_weights(tmp_path, text, wrong):
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        get_policy(str(path))
    assert str(path) in str(error.value)
    assert wrong in str(error.value)
    assert "\n" not in str(error.value)


def test_no_such_file_of_weights(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        get_policy(str(tmp_path / "none.json"))
