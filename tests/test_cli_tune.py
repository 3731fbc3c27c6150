"""The command tune: what it prints and writes, how it goes on after a break, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyses.tuning import cli, runs
from basra_sim.cli import main
from tests.commands import command, flat, output, refusal

QUICK = ("--generations", 3, "--population", 5, "--rounds", 200, "--deals", 200)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command stands in the group, whatever is installed, and writes into a folder of its own."""
    monkeypatch.setitem(main.commands, "tune", cli.tune)
    monkeypatch.chdir(tmp_path)


def test_it_writes_weights_and_tells_what_they_are_worth() -> None:
    text = output("tune", "palestinian", "--pairs", *QUICK)
    told = json.loads(Path("palestinian-4-pairs.json").read_text(encoding="utf-8"))
    first = "palestinian, 4 players in pairs, 3 generations of 5 candidates, 200 rounds each, seed 1"
    assert flat(text).startswith(first)
    assert told["pairs"] is True
    rows = [line.split() for line in text.splitlines()]
    for name, weight in told["provenance"]["tuned_weights"].items():
        start = told["provenance"]["start_weights"][name]
        assert [name, f"{start:g}", f"{weight:g}"] in rows
    for each in told["provenance"]["at_the_end"]["margins"]:
        assert [each["player"], each["opponent"]] in [row[:2] for row in rows]
    chosen = {"tuned": "The tuned player is written", "start": "no better than the start: adept is written"}
    assert chosen[told["provenance"]["chosen"]] in flat(text)


def test_interrupted_it_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = output("tune", "bastra", *QUICK, "--output", "whole.json")
    tune = runs.tune

    def interrupted(*args: Any, note: Callable[[int, float], None], **options: Any) -> runs.Tuned:
        def stop(generation: int, margin: float) -> None:
            note(generation, margin)
            if generation == 2:
                raise KeyboardInterrupt

        return tune(*args, note=stop, **options)

    with monkeypatch.context() as patched:
        patched.setattr(runs, "tune", interrupted)
        done = command("tune", "bastra", *QUICK, "--output", "w.json")
    kept = "w.json.part keeps 2 generations: the same command goes on from there."
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", f"{kept}\nInterrupted\n")
    other = refusal("tune", "bastra", *QUICK, "--output", "w.json", "--seed", 2)
    assert other == ("w.json.part holds a run of other settings (seed = 1): give those, or remove it to begin anew")
    assert output("tune", "bastra", *QUICK, "--output", "w.json") == whole.replace("whole.json", "w.json")
    assert Path("w.json").read_bytes() == Path("whole.json").read_bytes()


def test_what_is_wrong_is_told_in_one_line() -> None:
    assert refusal("tune", "bastra", "--against", "champ").startswith("no policy is called 'champ'")
    assert "from 4 to 1000" in refusal("tune", "bastra", "--population", 3)
    assert "from 1 to 10000" in refusal("tune", "bastra", "--generations", 0)
    assert refusal("tune", "bastra", "--rounds", 0).startswith("rounds = 0 is not possible")
    assert refusal("tune", "bastra", "--start", "random").startswith("policy random does not weigh features")
    assert refusal("tune", "bastr").startswith('there is no variant "bastr"')


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (("--output", "."), ".: the ending says the format: it must be .json"),
        (("--output", "mine.txt"), "mine.txt: the ending says the format: it must be .json"),
        (("--output", "no/mine.json"), "no/mine.json: the folder no does not exist"),
        (("--against", "cheater"), "against cheater: it searches, and a run against it would take days"),
    ],
)
def test_what_could_not_end_well_is_refused_at_once(tmp_path, monkeypatch, told, wrong):
    monkeypatch.chdir(tmp_path)
    assert refusal("tune", "bastra", *told).startswith(wrong)
    assert not list(tmp_path.iterdir())
