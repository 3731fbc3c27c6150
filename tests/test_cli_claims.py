"""The commands claims, test and bundle: what they print, what they write as JSON, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from analyses import bundles
from analyses.claims import registry
from analyses.claims.model import KINDS, SECTIONS
from analyses.claims.registry import CLAIMS, claim
from analyses.claims.testing import put_to_test
from analyses.jobs import PLAYERS, Effort, run
from tests.commands import document, flat, output, process, refusal

ROUNDS = ("--rounds", 1000)

PYTHON = '''from basra_sim import advice


@advice
def keep_sevens(view, play):
    """Keep the sevens."""
    if play.taken:
        return 0
    return -1 if play.card >> 2 == 6 else 1
'''

TOML = """name = "no-sevens"
text = "Lay no seven while you hold a lower card."
[when]
captures = 0
[follow]
rank = [1, 6]
[against]
rank = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with advice of one's own, from which commands are run."""
    (tmp_path / "mine.py").write_text(PYTHON)
    (tmp_path / "mine.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_claims_lists_all() -> None:
    text = output("claims")
    for the in CLAIMS:
        assert f"\n{the.name} " in text
    assert all(flat(meaning) in flat(text) for meaning in KINDS.values())
    assert "Judged under bastra, two players" in text


def test_claims_as_json_are_what_is_registered() -> None:
    found = document("claims")
    assert [each["id"] for each in found] == [the.name for the in CLAIMS]
    for each, the in zip(found, CLAIMS, strict=True):
        assert each["kinds"] == list(the.kinds)
        assert each["primary"] == "bastra, two players"
        assert each["explored"] == [table.label for table in the.tables[1:]]
        assert set(each["smallest"]) == set(the.kinds) - {"F"}
        assert bool(each["predictions"]) <= ("F" in the.kinds)
        assert (each["forms"] != []) == ("P" in the.kinds)
        assert all(each[name] for name in ("advice", "applies", "section", "source"))
        assert document("claims", the.name) == each


@pytest.mark.parametrize("the", CLAIMS, ids=lambda the: the.name)
def test_all_about_one_claim(the: Any) -> None:
    text = flat(output("claims", the.name))
    assert text.startswith(f"{the.name} “{the.advice}”")
    for part in (the.applies, the.remark, "; ".join(the.kinds)):
        assert part in text


def test_smallest_effects_and_predictions_are_told() -> None:
    assert document("claims", "jack-empty-defence")["smallest"] == {"D": 0.005}
    assert document("claims", "jack-hold")["smallest"] == {"P": 0.05, "D": 0.1}
    text = flat(output("claims", "ace-early"))
    assert "ace laid early: aces laid with two cards or more" in text
    assert "predicted to be above 0.75. “Almost always lost” is taken for more than three of four cases." in text
    assert "smallest:" not in text


def test_a_claim_of_ones_own_is_told(folder: Path) -> None:
    text = output("claims", "mine.toml")
    assert "“Lay no seven while you hold a lower card.”" in text
    assert "follow:        rank 1 to 6" in text
    assert output("claims", "mine.py:keep_sevens").startswith("keep-sevens\n")


def test_a_test_in_the_terminal() -> None:
    text = output("test", "jack-hold", *ROUNDS, "--seed", 4)
    assert text.startswith("jack-hold: ")
    assert "\n  “Keep the jacks to the end of the deal.”\n" in text
    assert "\n  bastra, two players: points/round\n" in text
    assert "\n  bastra, two players: decisions/deal\n" in text
    for player in PLAYERS:
        assert f"\n  {player} " in text
    assert "control" not in text
    more = output("test", "jack-hold", *ROUNDS, "--seed", 4, "--details")
    for part in ("control", "cross-check", "second seed", "adjusted margin", "followed better", "of matches"):
        assert part in more


def test_several_kinds_of_claims_keep_to_the_terminal_s_width() -> None:
    names = ("points-late-last", "low-first", "ace-early")
    text = output("test", *names, *ROUNDS, "--details")
    told, foot = text[: text.index("\nSeed 1 ")], flat(text[text.index("\nSeed 1 ") :])
    assert [line.split(":")[0] for line in told.splitlines() if line and line[0] != " "] == list(names)
    assert "Intervals at 95% confidence" in foot
    assert "outcomes are corrected" in foot
    assert "predicted to be above nothing" in flat(text)
    assert "greedy, counter and champion" in text


def test_a_test_as_json_is_the_library_s_on_any_number_of_threads() -> None:
    found = document("test", "points-on-empty", "jack-last-deal", *ROUNDS, "--seed", 5, "--threads", 2)
    asked = [claim(name) for name in ("points-on-empty", "jack-last-deal")]
    same = put_to_test([the.at(the.table) for the in asked], Effort(1000, seed=5, threads=1)).to_dict()
    assert found == json.loads(json.dumps({**same, "left_out": {}, "missing": []}))
    assert [each["id"] for each in found["claims"]] == ["points-on-empty", "jack-last-deal"]
    for each in found["claims"]:
        assert set(each["players"]) == set(PLAYERS)
        assert {row["kind"] for row in each["results"]} == set(claim(each["id"]).kinds)
        assert {row["claim"] for row in each["results"]} == {each["id"]}
        assert {row["variant"] for row in each["results"] if row["kind"] != "F"} == {"bastra"}


@pytest.mark.parametrize(
    ("options", "variant", "seats"),
    [
        (["--variant", "egyptian"], "egyptian", "two players"),
        (["--players", 3], "bastra", "three players"),
        (["--pairs", "--variant", "palestinian"], "palestinian", "two pairs"),
    ],
)
def test_other_tables(options: list[object], variant: str, seats: str) -> None:
    whole = document("test", "low-first", *options, *ROUNDS)
    (found,) = whole["claims"]
    assert {(row["variant"], row["seats"]) for row in found["results"]} == {(variant, seats)}
    assert {row["kind"] for row in found["results"]} == {"P", "D"}
    assert "its frequencies is counted at its registered tables only, and left out here" in found["remark"]
    assert whole["left_out"] == {}


def test_another_opponent() -> None:
    (found,) = document("test", "jack-two", "--opponent", "random", *ROUNDS)["claims"]
    assert {row["opponent"] for row in found["results"]} == {"random"}
    assert "cross-check" not in {row["role"] for row in found["results"]}
    text = output("test", "low-first", "--opponent", "random", "--variant", "egyptian", *ROUNDS)
    assert " against " in text
    assert "left out here." in flat(text)
    assert "\n  egyptian, two players: points/round\n" in text


@pytest.mark.parametrize("rule", [["--precision", "1"], ["--until-decided"]])
def test_rules_of_stopping(rule: list[str]) -> None:
    found = document("test", "memory", *rule, *ROUNDS)
    assert (found["precision"], found["until_decided"]) == ((1.0, False) if rule[0] == "--precision" else (None, True))
    (the,) = found["claims"]
    primary = [row for row in the["results"] if row["role"] == "primary" and row["measure"] == "margin"]
    assert all(row["units"] >= 2000 for row in primary)
    assert {row["outcome"] for row in primary} == {"gains", "costs"}
    assert the["verdict"] == "supported"
    beside = [row["units"] for row in the["results"] if row["role"] == "exploration"]
    assert max(beside) < 1000


def test_all_at_once_and_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("memory", "avoid-ten", "ace-early", "jack-empty-defence")
    memory, ten, ace, defence = (claim(name) for name in names)
    monkeypatch.setattr(registry, "CLAIMS", (memory, ten))
    found = document("test", "--all", *ROUNDS)
    assert [each["id"] for each in found["claims"]] == ["memory", "avoid-ten"]
    assert found["left_out"] == {}
    tables = {(row["variant"], row["seats"]) for row in found["claims"][1]["results"]}
    assert tables == {(variant, "two players") for variant in ("bastra", "egyptian", "palestinian")}
    monkeypatch.setattr(registry, "CLAIMS", (ten,))
    assert "egyptian" not in output("test", "--all", *ROUNDS)
    monkeypatch.setattr(registry, "CLAIMS", (ace, ten, defence))
    found = document("test", "--all", "--players", 3, *ROUNDS)
    assert [each["id"] for each in found["claims"]] == ["avoid-ten"]
    assert list(found["left_out"]) == ["ace-early", "jack-empty-defence"]
    text = flat(output("test", "--all", "--players", 3, *ROUNDS))
    for reason in found["left_out"].values():
        assert f"Left out: {flat(reason)}." in text


@pytest.mark.parametrize(("spec", "name"), [("mine.py", "keep-sevens"), ("mine.toml", "no-sevens")])
def test_ones_own_advice_in_ten_lines(folder: Path, spec: str, name: str) -> None:
    assert len((folder / spec).read_text().splitlines()) <= 10
    (found,) = document("test", spec, "--opponent", "greedy", *ROUNDS)["claims"]
    assert found["id"] == name
    assert {row["kind"] for row in found["results"]} == {"P", "D"}
    rows = document("bundle", spec, "jack-hold", *ROUNDS)
    assert {row["piece"] for row in rows} == {"", name, "jack-hold"}


def test_a_bundle() -> None:
    args = ("bundle", "jack-hold", "faces-block", "faces-first", *ROUNDS, "--seed", 6)
    rows = document(*args)
    pieces = bundles.chosen(["jack-hold", "faces-block"])
    assert rows == json.loads(json.dumps(run(bundles.jobs("greedy", pieces, Effort(1000, seed=6))).to_dict("records")))
    assert output(*args, "--json", "--threads", 1) == output(*args, "--json", "--threads", 2)
    text = output(*args)
    assert flat(text).startswith(
        "greedy in bastra, two players, told advice, against greedy untold, on 1,000 deals of seed 6."
    )
    assert text.count("all together ") == 2
    assert text.count("faces-block ") == 2


def test_bundles_of_sections_and_everything() -> None:
    more = ("--policy", "counter", "--form", "tie-break", "--variant", "egyptian", "--pairs")
    text = output("bundle", "--section", "point cards", *more, *ROUNDS)
    assert "counter in egyptian, two pairs" in flat(text)
    assert "points-late:tie-break" in text
    text = output("bundle", "--everything", *ROUNDS)
    assert text.count("adds to the rest") == len(bundles.pieces(CLAIMS))


def test_the_best_to_learn_first(monkeypatch: pytest.MonkeyPatch) -> None:
    few = tuple(claim(name) for name in ("jack-empty-defence", "memory-safe-rank"))
    monkeypatch.setattr(bundles, "CLAIMS", few)
    text = output("bundle", "--best", 2, "--rounds", 2000)
    assert "on 2,000 deals of seed 2 (the pieces were chosen on those of seed 1)" in flat(text)
    assert "\n1     memory-safe-rank" in text
    monkeypatch.setattr(bundles, "CLAIMS", ())
    assert output("bundle", "--best", 1, *ROUNDS) == (
        "No piece of advice adds anything to greedy in bastra, two players.\n"
    )
    assert document("bundle", "--best", 1, *ROUNDS) == []


def test_help() -> None:
    for name in ("claims", "test", "bundle"):
        assert "Examples:" in output(name, "--help")
    assert "point cards" in SECTIONS


WHOLE = "it takes a whole number from"
ONE_WAY = "say in one way what is to be followed"
REFUSED = (
    (["claims", "jack-hol"], "no claim is called 'jack-hol' (did you mean jack-hold?); 'basra-sim claims' lists them"),
    (["claims", "a", "b"], "Got unexpected extra argument (b)"),
    (["test"], "name what is to be tested: an ID of 'basra-sim claims', a file, or --all for everything"),
    (["test", "jack-hold", "--all"], "name what is to be tested"),
    (["test", "jack-hol"], "no claim is called 'jack-hol' (did you mean jack-hold?)"),
    (["test", "jack-hold", "--precision", "1", "--until-decided"], "--precision and --until-decided are both given"),
    (["test", "jack-hold", "--precision", "0"], "--precision 0.0 is not possible: it must be a number above 0"),
    (["test", "jack-hold", "--precision", "nan"], "--precision nan is not possible"),
    (["test", "jack-hold", "--precision", "x"], "Invalid value for '--precision': 'x' is not a valid float"),
    (["test", "jack-hold", "--rounds", "999"], f"Invalid value for '--rounds': 999 is not possible: {WHOLE} 1000 to"),
    (["test", "jack-hold", "--threads", "0"], f"Invalid value for '--threads': 0 is not possible: {WHOLE} 1 to"),
    (["test", "jack-hold", "--seed", "-1"], "seed = -1 is not possible"),
    (["test", "jack-hold", "--players", "3", "--variant", "palestinian"], "palestinian with 3 players: hand_size = 4"),
    (["test", "jack-hold", "--players", "3", "--pairs"], "pairs need 4 players, not 3"),
    (["test", "jack-hold", "--variant", "bastr"], 'there is no variant "bastr" (did you mean bastra?)'),
    (["test", "jack-hold", "--opponent", "gredy"], "no policy is called 'gredy' (did you mean greedy?)"),
    (["test", "ace-early", "--opponent", "random"], "ace-early says how often something happens, which is counted at"),
    (["test", "jack-hold", "ace-early", "--variant", "egyptian"], "ace-early says how often something happens"),
    (["test", "jack-empty-defence", "--players", "4"], "jack-empty-defence is judged by matches between two sides"),
    (["test", "nothing.py"], "nothing.py: there is no such file"),
    (["test", "nothing.toml"], "nothing.toml: there is no such file"),
    (["test", "mine.txt"], "no claim is called 'mine.txt'"),
    (["test", "mine.py:this"], "mine.py has no advice called 'this': it defines keep_sevens"),
    (["bundle"], ONE_WAY),
    (["bundle", "jack-hold", "--everything"], ONE_WAY),
    (["bundle", "--section", "jacks", "--best", "2"], ONE_WAY),
    (["bundle", "--best", "2", "--form", "literal"], "--best and --form are both given: --best tries the forms itself"),
    (["bundle", "--best", "0"], f"Invalid value for '--best': 0 is not possible: {WHOLE} 1 to 20"),
    (["bundle", "--section", "jack"], "no section is called 'jack' (did you mean jacks?); there are memory, point"),
    (["bundle", "ace-early"], "ace-early is no advice on a single play: there is nothing to follow"),
    (
        ["bundle", "jack-hold", "--form", "strict"],
        "Invalid value for '--form': 'strict' is not possible: it takes literal,",
    ),
    (["bundle", "jack-hold", "--policy", "adapt"], "no policy is called 'adapt' (did you mean adept?)"),
    (["bundle", "jack-hold", "--players", "3", "--variant", "palestinian"], "palestinian with 3 players"),
    (["bundle", "nothing.toml"], "nothing.toml: there is no such file"),
)


@pytest.mark.parametrize(("args", "told"), REFUSED, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_what_is_refused(folder: Path, args: list[str], told: str) -> None:
    assert refusal(*args).startswith(told)


@pytest.mark.parametrize(
    ("file", "words", "told"),
    [
        ("a.toml", "wen = 3", "a.toml: 'wen' has no place here (did you mean when?); there are name, text, when"),
        (
            "b.toml",
            "follow.rnk = 7\nagainst.rank = 3",
            "b.toml: advice b: 'rnk' is no quantity here (did you mean rank",
        ),
        (
            "c.toml",
            "when.rank = 7\nfollow.rank = 3\nagainst.rank = 2",
            "c.toml: advice c: 'rank' is no quantity of a situation but of a play; for 'when' there are floor_size, ",
        ),
        ("p.toml", "follow.zzz = 3", "p.toml: advice p: 'zzz' is no quantity here; there are floor_size, "),
        ("d.toml", "follow.rank = [9, 3]\nagainst.rank = 3", "d.toml: follow.rank = [9, 3]: write a whole number, or"),
        ("e.toml", "follow.rank = [1, 2, 3]\nagainst.rank = 3", "e.toml: follow.rank = [1, 2, 3]: write a whole"),
        ("f.toml", "follow.rank = 2.5\nagainst.rank = 3", "f.toml: follow.rank = 2.5: write a whole number"),
        ("g.toml", "follow.rank = 3", "g.toml: advice g: it must say which plays follow it and which go against it"),
        ("h.toml", "follow = = 3", "h.toml is no TOML: "),
        ("i.toml", 'name = " "\nfollow.rank = 1\nagainst.rank = 2', 'i.toml: name = " ": it must not be empty'),
        ("j.toml", "name = 7\nfollow.rank = 1\nagainst.rank = 2", "j.toml: name = 7: it must be a text"),
        ("k.toml", "follow = 3", "k.toml: follow = 3: it must be a table of quantities"),
        ("l.py", "x = 1", "l.py defines no advice: put @advice (from basra_sim import advice) before a function"),
        ("m.py", 'raise ValueError("a\\nb")', "m.py fails: ValueError: a b"),
        ("n.py", "raise SystemExit(3)", "n.py fails: SystemExit: 3"),
        ("o.py", "def (:", "o.py fails: SyntaxError: invalid syntax"),
    ],
)
def test_files_that_are_refused(folder: Path, file: str, words: str, told: str) -> None:
    (folder / file).write_text(words + "\n")
    for name in ("test", "bundle"):
        assert refusal(name, file).startswith(told)


def test_two_pieces_of_one_name_are_refused(folder: Path) -> None:
    (folder / "jacks.toml").write_text('name = "jack-hold"\nfollow.is_jack = 0\nagainst.is_jack = 1\n')
    for name in ("test", "bundle"):
        told = refusal(name, "jack-hold", "jacks.toml")
        assert told == "jack-hold and jacks.toml are both called 'jack-hold': give one of them another name"
    (folder / "other.py").write_text(PYTHON.replace("== 6", "== 7"))
    assert refusal("test", "mine.py", "other.py").startswith("mine.py and other.py are both called 'keep-sevens'")
    assert len(document("bundle", "mine.py", "mine.py:keep_sevens", *ROUNDS)) == 2


def test_as_processes(folder: Path) -> None:
    done = process("test", "mine.py", *ROUNDS, "--json", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == document("test", "mine.py", *ROUNDS)
    done = process("bundle", "memory", folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: memory is no advice on a single play: there is nothing to follow\n"
