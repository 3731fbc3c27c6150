"""The command ``balance``: what it prints, the files it writes, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from analyses.balance.measures import MEASURES
from basra_sim.errors import BasraError, InputError
from reports.balance_command import balance
from tests.pages import Page

FEW = ("--deals", "4096", "--seed", "3")

OWN = '''
from basra_sim import bit_count, policy


@policy
def gatherer(view, play):
    """Takes as many cards as it can."""
    return float(bit_count(play.taken))
'''


def invoked(*args: object) -> Result:
    return CliRunner().invoke(balance, [str(each) for each in args], prog_name="basra-sim balance")


def output(*args: object) -> str:
    """What the command prints, in 80 columns."""
    done = invoked(*args)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    if "--json" not in args:
        assert max(map(len, done.stdout.splitlines())) <= 80, done.stdout
    return done.stdout


def rows(*args: object) -> pd.DataFrame:
    return pd.DataFrame(json.loads(output(*args, "--json"))["rows"])


def refused(*args: object) -> str:
    """What the command says about something impossible."""
    done = invoked(*args)
    if isinstance(done.exception, BasraError):
        return str(done.exception)
    assert done.exit_code == 2
    return done.stderr


@pytest.fixture(scope="module")
def bastra() -> pd.DataFrame:
    return rows("bastra", *FEW)


def test_one_variant_is_told_in_full(bastra: pd.DataFrame) -> None:
    text = output("bastra", *FEW)
    for part in ("Points, and what decides", "Seats", "Ties", "Length of a match", "Leads and comebacks", "Skill"):
        assert f"  {part}" in text
    assert all(sentence in text for sentence in ("  Skill: ", "  Length: ", "  What decides: "))
    assert "greedy       counter" in text
    skill = bastra[bastra["measure"] == "skill"].iloc[0]
    assert f"who plays (skill)       {100 * skill['estimate']:.2f} ± " in text
    assert "seed 3" in text


def test_json_has_all_rows(bastra: pd.DataFrame) -> None:
    assert set(bastra["measure"]) == set(MEASURES) - {"company_share"}  # two sides have no other company
    assert set(bastra["policy"]) == {"greedy", "counter", "champion", "counter, greedy"}
    assert set(bastra["table"]) == {"2 players"}
    assert {"part", "low", "high", "unit", "units", "rounds", "seed"} <= set(bastra.columns)


def test_several_variants_are_compared() -> None:
    text = output("palestinian", "egyptian", "--players", "all", *FEW)
    for at in ("2", "4", "pairs"):
        assert f"palestinian  {at:<5}" in text
    assert "egyptian     3 " in text
    assert "palestinian  3 " not in text
    assert "Left out: palestinian with 3 players" in text


def test_measures_are_chosen() -> None:
    found = rows("bastra", "--measure", "skill", "--measure", "rounds_to_tell", *FEW)
    assert list(found["measure"]) == ["skill", "rounds_to_tell"]
    found = rows("bastra", "egyptian", "--measure", "basras", "--policy", "greedy", *FEW)
    assert list(zip(found["variant"], found["policy"], strict=True)) == [("bastra", "greedy"), ("egyptian", "greedy")]
    text = output("bastra", "egyptian", "--measure", "basras", *FEW)
    assert "bastra, 2 players" in text
    assert "Skill" not in text


def test_measures_are_listed() -> None:
    text = output("--list")
    for name in MEASURES:
        assert f"\n{name}" in text
    assert "rounds_to_tell" not in output("--list", "--measure", "skill")


def test_own_players_are_told_what_they_did_not_see(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN, encoding="utf-8")
    found = json.loads(output("bastra", "--policy", f"{file}:gatherer", "--measure", "basras", *FEW, "--json"))
    assert len(found["rows"]) == 1
    assert "saw no score of a match" in found["remarks"][0]
    assert not json.loads(output("bastra", "--policy", "greedy", "--measure", "basras", *FEW, "--json"))["remarks"]


@pytest.mark.parametrize("ending", [".csv", ".json", ".html"])
def test_files(ending: str, tmp_path: Path, bastra: pd.DataFrame) -> None:
    file = tmp_path / f"found{ending}"
    assert f"{len(bastra)} estimates" in " ".join(output("bastra", *FEW, "--output", file).split())
    text = file.read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    if ending == ".csv":
        found = pd.read_csv(file, keep_default_na=False)
        assert list(found.columns) == list(bastra.columns)
        assert list(found["measure"]) == list(bastra["measure"])
    elif ending == ".json":
        assert len(json.loads(text)["rows"]) == len(bastra)
    else:
        assert len(Page(text).tables) == 7
        assert "basra-sim balance bastra --players 2 --policy greedy" in text


def test_variants_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "bastra"\nbasra_points = 20\n', encoding="utf-8")
    found = rows(file, "bastra", "--measure", "points", "--policy", "greedy", *FEW)
    basras = found[found["part"] == "basras"].set_index("variant")["estimate"]
    assert basras[str(file)] > 1.5 * basras["bastra"]
    page = tmp_path / "house.html"
    output(file, "--measure", "match_length", *FEW, "--output", page)
    assert "<svg " in page.read_text(encoding="utf-8")


def test_same_rows_on_other_threads(bastra: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(bastra, rows("bastra", *FEW, "--threads", "2"))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["basta"], "basta"),
        (["bastra", "--measure", "skil"], "skill"),
        (["bastra", "--policy", "gredy"], "greedy"),
        (["bastra", "--players", "5"], "5"),
        (["bastra", "--deals", "100"], "4096"),
        (["bastra", "--output", "x.txt"], ".html"),
        (["bastra", "--output", "nowhere/x.csv"], "does not exist"),
        (["bastra", "--json", "--output", "x.csv"], "--json"),
        (["palestinian", "--players", "3"], "3 players"),
    ],
)
def test_what_is_impossible_is_refused(args: list[str], words: str) -> None:
    assert words in refused(*args)


def test_a_policy_named_twice_is_played_once() -> None:
    found: Any = rows("bastra", "--policy", "greedy", "--policy", "greedy", "--measure", "basras", *FEW)
    assert len(found) == 1


def test_nothing_is_written_where_something_is_refused(tmp_path: Path) -> None:
    done = invoked("bastra", "--policy", "nobody", "--output", tmp_path / "x.csv")
    assert isinstance(done.exception, InputError)
    assert not list(tmp_path.iterdir())
