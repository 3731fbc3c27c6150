"""The commands sweep and fit: what they print, write as JSON and into files, and what they refuse."""

import json
from pathlib import Path

import pandas as pd
import pytest

from analyses.balance.fitting import fit
from analyses.balance.sweeps import DEFAULT_MEASURES, sweep
from analyses.balance.trials import Ground
from basra_sim.cli import main
from reports import sweep_cli
from tests.commands import command, document, flat, output, refusal

QUICK = ("--deals", 4096, "--policy", "random")


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands stand in the group, whatever is installed."""
    for name in ("sweep", "fit"):
        monkeypatch.setitem(main.commands, name, getattr(sweep_cli, name))


def test_a_sweep_of_one_option() -> None:
    text = output("sweep", "bastra", "--vary", "target=50,100", *QUICK)
    assert text.startswith("bastra, 2 players, random, seed 1: 2 settings of target\n")
    for measure in DEFAULT_MEASURES:
        assert f"\n{measure} (" in text
    assert (
        flat(text).count("2 settings, the own rules among them, from the rounds of 1: the players do not see target")
        == 2
    )
    assert "\ntarget  estimate " in text
    assert "   100 " in text
    assert " own\n" in text
    assert "down" not in text


def test_a_sweep_of_two_options_ends_in_a_grid() -> None:
    vary = ("--vary", "majority_tie=each,none,carry", "--vary", "majority_points=0:30:5")
    text = output("sweep", "egyptian", *vary, "--measure", "match_rounds", "--set", "target=60", *QUICK)
    told = "egyptian, target=60, 2 players, random, seed 1: 21 settings of majority_tie and"
    assert flat(text).startswith(told)
    grid = text[text.rindex("match_rounds (rounds a match): majority_tie down, majority_points") :].splitlines()
    assert grid[3].split() == ["0", "5", "10", "15", "20", "25", "30"]
    assert [line.split()[0] for line in grid[5:]] == ["each", "none", "carry"]
    assert "*" in grid[5]


def test_grids_are_turned_where_they_are_too_wide_and_left_out_where_they_stay_so() -> None:
    measure = ("--measure", "match_rounds", *QUICK)
    wide, narrow = ("--vary", "majority_points=1:24"), ("--vary", "basra_points=5,10")
    assert "majority_points down, basra_points across" in flat(output("sweep", "bastra", *narrow, *wide, *measure))
    text = output("sweep", "bastra", "--vary", "target=30:49", "--vary", "head_start=0:14", *measure)
    assert " across" not in text
    assert flat(text).endswith("below 0, the first mover's side. It does not count for comeback.")


def test_three_options_and_long_words_keep_to_the_width() -> None:
    vary = (
        "seven_basra=never,sum_at_most_10,yemeni,equal_groups_at_most_10",
        "last_card_basra=true,false",
        "hand_size=4,5",
    )
    text = output("sweep", "yemeni", *(word for text in vary for word in ("--vary", text)), *QUICK)
    assert "\nequal " in text
    assert (
        "Left out, since the cards do not come out even: seven_basra never, last_card_basra true, hand_size 5;"
        in flat(text)
    )


def test_buried_cards_are_set_apart_by_slashes() -> None:
    found = document("sweep", "bastra", "--vary", "buried=J/J,7D/none", "--measure", "basras", *QUICK)
    assert [row["buried"] for row in found["rows"]] == ["J", "J,7D", "none"]
    assert [row["own"] for row in found["rows"]] == [True, False, False]


def test_a_sweep_as_json_is_the_library_s() -> None:
    vary = ("--vary", "target=50,75", "--vary", "basra_points=5,10")
    measures = ("--measure", "match_rounds", "--measure", "comeback:10 behind, 60 to go")
    found = document("sweep", "bastra", *vary, *measures, *QUICK, "--players", 3, "--seed", 4)
    ground = Ground("bastra", players=3, policy="random", deals=4096, seed=4)
    varied = {"target": [50, 75], "basra_points": [5, 10]}
    same = sweep(ground, varied, ["match_rounds", "comeback:10 behind, 60 to go"])
    rows = json.loads(same.frame.to_json(orient="records", double_precision=15))
    assert found["rows"] == [pytest.approx(row, abs=1e-12) for row in rows]
    assert found["sharing"][0] | {"rounds": 0} == {
        "kind": "equal players",
        "policies": ["random"],
        "deals": 4096,
        "settings": 5,
        "played": 1,
        "rounds": 0,
        "unseen": ["target", "basra_points"],
    }
    assert (found["players"], found["seed"], found["options"], found["left_out"]) == (3, 4, list(varied), [])
    assert {row["target"] for row in found["own"]} == {100}


def test_a_sweep_as_files(tmp_path: Path) -> None:
    vary = ("--vary", "target=50,75", "--vary", "basra_points=5,10", *QUICK)
    table = tmp_path / "sweep.csv"
    for name in ("a.svg", "a.png", "a.pdf", "b.svg"):
        output("sweep", "bastra", *vary, "--figure", tmp_path / name, "--output", table)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    written = pd.read_csv(table, keep_default_na=False)
    assert len(written) == 4 * len(DEFAULT_MEASURES)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.pdf", "a.png", "a.svg", "b.svg", "sweep.csv"]
    figure = (tmp_path / "a.svg").read_text()
    for text in ("match rounds (rounds a match)", "basra points", "bold: the difference from the variant's own rules"):
        assert text in figure
    assert "framed" not in figure
    output(
        "sweep",
        "bastra",
        "--vary",
        "target=50,100",
        "--vary",
        "basra_points=5,10",
        *QUICK,
        "--figure",
        tmp_path / "c.svg",
    )
    assert "framed: the variant's own rules" in (tmp_path / "c.svg").read_text()


def test_a_fit_of_one_option() -> None:
    text = output("fit", "bastra", "--measure", "match_rounds", "--to", 5, "--vary", "target=50:150", *QUICK)
    lines = flat(text)
    assert lines.startswith(
        "match_rounds (rounds a match): rounds a match lasts to be brought to 5 rounds a match, by target"
    )
    assert "\nbastra, 2 players, random, seed 1, 4,096 deals\n" in text
    assert "\nown target  measure  answer " in text
    assert "\nbest target  measure " in text
    assert "of 101 values of target were played. Answer: " in lines


def test_fits_of_several_variants_to_another_s_value() -> None:
    args = ("--measure", "match_rounds", "--to", "bastra", "--vary", "target=20:150", *QUICK)
    text = output("fit", "egyptian", "syrian-a", *args)
    assert "that of bastra, by target" in flat(text)
    assert "\nAll with 2 players, random, seed 1, 4,096 deals\n" in text
    assert text.count("\negyptian ") == text.count("\nsyrian-a ") == 2
    found = document("fit", "egyptian", "syrian-a", *args)
    assert [each["variant"] for each in found["fits"]] == ["egyptian", "syrian-a"]
    same = fit(Ground("syrian-a", policy="random", deals=4096), {"target": range(20, 151)}, "match_rounds", "bastra")
    assert found["fits"][1]["answers"] == same.answers.to_dict("records")
    assert found["fits"][1]["values"] == same.values.to_dict("records")
    assert found["fits"][1]["goal"]["variant"] == "bastra"
    assert found["left_out"] == {}


def test_all_variants_and_those_that_cannot() -> None:
    args = ("--measure", "match_rounds", "--to", 4, "--vary", "target=40:60:10", "--players", 3, *QUICK)
    found = document("fit", "all", *args)
    names = [each["variant"] for each in found["fits"]]
    assert "bastra" in names
    assert "palestinian = jordanian-a" in found["left_out"]
    assert "Left out: palestinian = jordanian-a: palestinian with 3 players" in flat(output("fit", "all", *args))
    told = refusal("fit", "all", "--measure", "skill", "--to", 0.1, "--vary", "target=40,50")
    assert told.startswith("target makes no difference to skill")


def test_an_aim_that_is_not_reached_is_an_answer() -> None:
    text = output("fit", "bastra", "--measure", "match_rounds", "--to", 50, "--vary", "target=20:60", *QUICK)
    assert "not reached" in text
    assert (
        "bastra: none of the 17 values of target that were played, 20 to 60, brings it there; the nearest is 60."
        in flat(text)
    )


def test_shares_are_given_in_percent_or_not() -> None:
    args = ("fit", "bastra", "--measure", "match_ties", "--vary", "target=10:20", *QUICK)
    assert output(*args, "--to", "3%") == output(*args, "--to", "0.03")
    assert "to be brought to 3% of matches, by target" in flat(output(*args, "--to", "3%"))
    assert refusal(*args, "--to", "3") == "3 is not possible: match_ties is a share, such as 0.42 or 42%"


def test_several_options_are_ranked() -> None:
    vary = ("--vary", "target=50:150:10", "--vary", "majority_tie=each,none")
    text = output("fit", "bastra", "--measure", "match_rounds", "--to", "bastra", *vary, *QUICK)
    assert "bastra: own rules (target 100, majority_tie each) " in flat(text)
    assert "settings cannot be told from the value; the nearest 12:" in text
    assert "yes, own" in text
    assert "The own rules themselves cannot be told from the value." in flat(text)
    text = output("fit", "bastra", "--measure", "match_rounds", "--to", "50", *vary, *QUICK)
    assert "0 of 22 settings cannot be told from the value" in text
    assert "No setting asked for comes to the value; the first is the nearest." in text
    found = document("fit", "bastra", "--measure", "match_rounds", "--to", "50", *vary, *QUICK)["fits"][0]
    assert (found["answers"], found["mildest"], found["nearest"]["target"]) == (None, None, 150)


def test_remarks_on_odd_answers() -> None:
    args = ("--measure", "round_ties", *QUICK)
    text = flat(output("fit", "bastra", *args, "--to", "2%", "--vary", "majority_points=0:5"))
    assert "answers: the measure does not go one way." in text
    text = output("fit", "bastra", "--measure", "first_match_wins", "--to", 0, "--vary", "head_start=0:2", *QUICK)
    if "≤" in text or "≥" in text:
        assert "the interval goes to the end of the values asked for (0 to 2), and may go beyond." in flat(text)


def test_a_fit_as_files(tmp_path: Path) -> None:
    args = ("--measure", "match_rounds", "--to", 4, *QUICK, "--output", tmp_path / "fit.csv")
    output("fit", "bastra", "egyptian", *args, "--vary", "target=40:60", "--figure", tmp_path / "curve.svg")
    assert "egyptian: match rounds" in (tmp_path / "curve.svg").read_text()
    written = pd.read_csv(tmp_path / "fit.csv")
    assert set(written["variant"]) == {"bastra", "egyptian"}
    vary = ("--vary", "target=40,60", "--vary", "majority_tie=each,none")
    output("fit", "bastra", *args, *vary, "--figure", tmp_path / "grid.png")
    assert (tmp_path / "grid.png").stat().st_size > 10_000


def test_a_fit_of_skill_says_who_plays() -> None:
    text = output(
        "fit", "bastra", "--measure", "skill", "--to", "5%", "--vary", "majority_points=0:10:5", "--deals", 4096
    )
    assert "\nbastra, 2 players, counter among greedy, seed 1, 4,096 deals\n" in text


OWN = """from basra_sim import policy


@policy
def low(view, play):
    return -float(play.card)
"""


def test_a_function_of_ones_own_is_shown_no_score(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    mine = ("--policy", tmp_path / "mine.py", "--measure", "match_rounds", "--vary", "target=50,60", "--deals", 4096)
    told = "is shown no score of a match: rounds are played one by one."
    text = flat(output("sweep", "bastra", *mine))
    assert told in text
    assert "3 settings, the own rules among them, each with rounds of its own" in text
    assert told in flat(output("fit", "bastra", *mine, "--to", 3))
    assert told not in flat(output("sweep", "bastra", *mine[2:]))


def test_help() -> None:
    for name in ("sweep", "fit"):
        text = output(name, "--help")
        assert "Examples:" in text
        assert "head_start" in text


VARY = ("--vary", "target=50,60")
REFUSED = (
    (["sweep"], "Missing argument 'VARIANT' (see basra-sim sweep --help)"),
    (["sweep", "bastra"], "name an option to vary, such as --vary target=50,100,150"),
    (["sweep", "bastrs", *VARY], 'there is no variant "bastrs" (did you mean bastra?)'),
    (["sweep", "bastra", "--vary", "targt=5"], 'targt = "5": there is no such option (did you mean target?)'),
    (["sweep", "bastra", "--vary", "target=0,5"], "target = 0 is not possible: it takes a whole number from 1"),
    (["sweep", "bastra", *VARY, "--set", "target=60"], "target is both set to 60 and varied: do one of them"),
    (["sweep", "bastra", *VARY, "--measure", "match_round"], "there is no measure 'match_round' to vary rules by (did"),
    (["sweep", "bastra", *VARY, "--measure", "basras"], "target makes no difference to basras, which single rounds"),
    (["sweep", "bastra", *VARY, "--deals", "10"], "deals = 10 is not possible: it takes 4096 to"),
    (["sweep", "bastra", *VARY, "--seed", "-1"], "seed = -1 is not possible"),
    (["sweep", "bastra", *VARY, "--policy", "gredy"], "no policy is called 'gredy' (did you mean greedy?)"),
    (["sweep", "bastra", *VARY, "--pairs", "--players", "3"], "pairs need 4 players, not 3"),
    (
        ["sweep", "bastra", *VARY, "--figure", "a.gif"],
        "--figure a.gif: the name of the file must end in .svg, .png or .pdf",
    ),
    (["sweep", "bastra", *VARY, "--output", "a.txt"], "--output a.txt: the name of the file must end in .csv"),
    (["sweep", "bastra", *VARY, "--figure", "no/a.svg"], "--figure no/a.svg: the folder no does not exist"),
    (["sweep", "bastra", *VARY, "--figure", "f.svg"], "--figure f.svg is a folder"),
    (["sweep", "bastra", "--vary", "extend_by=20,30"], "extend_by = 30 has no effect with match_tie"),
    (["fit", "--measure", "skill", "--to", "1"], "Missing argument 'VARIANT...' (see"),
    (["fit", "bastra", *VARY, "--to", "1"], "Missing option '--measure' (see"),
    (["fit", "bastra", *VARY, "--measure", "match_rounds"], "Missing option '--to' (see"),
    (["fit", "bastra", *VARY, "--measure", "match_rounds", "--to", "bastrs"], 'there is no variant "bastrs" (did you'),
    (["fit", "bastra", *VARY, "--measure", "match_rounds", "--to", "nan"], "nan is not possible: the value to come to"),
    (
        ["fit", "bastra", *VARY, "--measure", "points", "--to", "5"],
        "points has several parts: name one, such as 'points",
    ),
    (["fit", "bastra", "--vary", "target=50", "--measure", "match_rounds", "--to", "5"], "one setting leaves nothing"),
    (
        ["fit", "bastra", "egyptia", *VARY, "--measure", "match_rounds", "--to", "5"],
        'there is no variant "egyptia" (did',
    ),
)


@pytest.mark.parametrize(("args", "told"), REFUSED, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_what_is_refused(args: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.svg").mkdir()
    assert refusal(*args).startswith(told)
    assert [each.name for each in tmp_path.iterdir()] == ["f.svg"]


def test_a_figure_has_two_axes() -> None:
    vary = ("--vary", "target=50,60", "--vary", "basra_points=5,10", "--vary", "head_start=0,1")
    told = refusal("sweep", "bastra", *vary, "--figure", "a.svg")
    assert told.startswith("--figure draws one varied option or two, not 3: vary fewer, or use --output")


def test_files_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    (tmp_path / "a.csv").write_text("kept")
    done = command("sweep", "bastra", *VARY, "--measure", "match_rounds", *QUICK, "--output", tmp_path / "a.csv")
    assert done.exit_code == 1
    assert done.stderr == f"Error: {tmp_path / 'a.csv'} cannot be written: No space left on device\n"
    assert "match_rounds" in done.stdout
    assert (tmp_path / "a.csv").read_text() == "kept"
    assert len(list(tmp_path.iterdir())) == 1
