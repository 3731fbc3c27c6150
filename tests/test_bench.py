"""The command that measures speed."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from basra_sim import bench, stages, starts, yardsticks
from basra_sim.captures import tables
from basra_sim.errors import BasraError
from basra_sim.executors import thread_count
from basra_sim.plans import ROUNDS_A_CHUNK, plan
from basra_sim.simulation import summarise
from tests.commands import flat, output, process, refusal

TINY = ("bench", "--seconds", "0.001", "--repetitions", "2")

STARTS = {"first": 20.0, "warm": 1.25, "compile": 18.75}

BESIDE = {
    "compiler": "cc 1.0",
    "figures": [
        {
            "policy": "random", "program": "yardstick.c", "c_best": 80_000_000, "best": 76_000_000, "ratio": 0.95,
            "c_median": 79_000_000, "median": 71_100_000, "median_ratio": 0.9,
        }
    ],
    "missing": ["The program players.c is not at hand: nothing is set beside it."],
}  # fmt: skip

TIMES = {
    "random": {"dealing": 1.25, "rest": -2.5, "whole": 20.0},
    "greedy": {"dealing": 1.5, "rest": 3.0, "whole": 40.0},
}

COMPILED = [
    {"entry": "simulate", "compile": 12.5, "warm": 1.0, "budget": 20, "over": False},
    {"entry": "test", "compile": 99.0, "warm": 1.0, "budget": 60, "over": True},
]


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of two cores whose starts are not timed: compiling takes too long here."""
    monkeypatch.setattr(bench, "thread_count", lambda _: 2)
    monkeypatch.setattr(bench, "start_times", lambda: STARTS)
    monkeypatch.setattr(bench, "set_beside", lambda **_: BESIDE)
    monkeypatch.setattr(bench, "stage_times", lambda **_: TIMES)
    monkeypatch.setattr(bench, "compile_times", lambda **_: COMPILED)


@pytest.mark.usefixtures("two_cores")
def test_json() -> None:
    found: dict[str, Any] = json.loads(output(*TINY, "--json"))
    assert {policy: list(rates) for policy, rates in found["rounds_per_minute"].items()} == {
        policy: ["1", "2"] for policy in bench.players()
    }
    assert found["median_rounds_per_minute"].keys() == found["rounds_per_minute"].keys()
    figures = {(each["policy"], each["players"], each["threads"]): each for each in found["figures"]}
    assert set(figures) == {
        (policy, players, threads)
        for policy in bench.players()
        for players, threads in ((2, 1), (2, 2), (3, 1), (4, 1))
        if players == 2 or not bench.players()[policy].search
    }
    for each in figures.values():
        assert each["best"] >= each["median"] > 0
    assert found["rounds_per_minute"]["greedy"]["2"] == figures["greedy", 2, 2]["best"]
    assert found["start_seconds"] == STARTS
    assert (found["beside_c"], found["stages"], found["compile_seconds"]) == (BESIDE, TIMES, [])
    assert (found["repetitions"], found["seconds"]) == (2, 0.001)
    assert found["machine"]["processor"]
    assert set(found["machine"]["versions"]) == {"basra-sim", "Python", "Numba", "NumPy"}


@pytest.mark.usefixtures("two_cores")
def test_text() -> None:
    text = output(*TINY)
    assert "rest: the whole round less all of these: " in text
    assert "below 0 where stages take longer gone over by themselves than within a round" in flat(text)
    machine = bench.machine()
    assert text.startswith(f"{machine['processor']}, 2 cores usable")
    assert f"Numba {machine['versions']['Numba']}" in text
    rows = [row.split() for row in text.splitlines()]
    assert [row[1:3] for row in rows if row[:1] == ["counter"]] == [["2", "1"], ["2", "2"], ["3", "1"], ["4", "1"]]
    assert "First start, compilation included: 20.0 s\nWarm start:                        1.2 s\n" in text
    assert ["random", "yardstick.c", "80,000,000", "76,000,000", "0.95", "0.90"] in rows
    assert "The program players.c is not at hand: nothing is set beside it." in text
    assert [row for row in rows if row[:1] in (["dealing"], ["whole"])] == [
        ["dealing", "1.2", "1.5"],
        ["whole", "20.0", "40.0"],
    ]
    assert "over budget" not in text


@pytest.mark.usefixtures("two_cores")
def test_text_about_compiling() -> None:
    rows = [row.split() for row in output(*TINY, "--compile").splitlines()]
    assert ["simulate", "12.5", "20"] in rows
    assert ["test", "99.0", "60", "over", "budget"] in rows


@pytest.mark.parametrize(
    ("cores", "numbers"), [(1, (1,)), (2, (1, 2)), (3, (1, 2, 3)), (4, (1, 2, 4)), (12, (1, 2, 4, 8, 12))]
)
def test_numbers_of_threads(cores: int, numbers: tuple[int, ...]) -> None:
    assert bench.thread_numbers(cores) == numbers


def test_rounds_fill_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that plays a million rounds a second gets half a million to play in half a second, in whole chunks."""
    asked: list[int] = []

    def timed(_: object, rounds: int, threads: int) -> float:
        asked.append(rounds)
        return rounds / 1e6

    monkeypatch.setattr(bench, "_timed", timed)
    assert bench.rates(plan("bastra"), threads=2, seconds=0.5, repetitions=3) == [60_000_000] * 3
    assert len(set(asked[-3:])) == 1
    assert asked[-1] % (2 * ROUNDS_A_CHUNK) == 0
    assert asked[-1] == pytest.approx(500_000, rel=0.02)


def test_processor_of_an_unknown_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise OSError

    monkeypatch.setattr("pathlib.Path.read_text", fail)
    monkeypatch.setattr("platform.processor", lambda: "")
    monkeypatch.setattr("platform.machine", lambda: "abacus")
    assert bench.machine()["processor"] == "abacus"


def test_start_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "Error: no room\n")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: failed)
    with pytest.raises(BasraError, match=r"^the start could not be timed, -m basra_sim .* failed: Error: no room$"):
        starts.start_times()


def test_starts_use_a_cache_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def run(words: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        folders.append(Path(env["NUMBA_CACHE_DIR"]))
        assert not list(folders[0].iterdir())
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr("subprocess.run", run)
    found = starts.start_times()
    assert folders[0] == folders[1]
    assert not folders[0].exists()
    assert found.keys() == STARTS.keys()


def test_compile_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the second process takes is no compiling; what it takes above its budget is marked."""
    took = iter([starts.Took(9.0, 30.5), starts.Took(2.0, 0.5), starts.Took(9.0, 41.0), starts.Took(2.0, 0.5)])
    asked: list[list[str]] = []

    def start(words: list[str], env: dict[str, str]) -> starts.Took:
        assert not list(Path(env["NUMBA_CACHE_DIR"]).iterdir())
        asked.append(words)
        return next(took)

    monkeypatch.setattr(starts, "_start", start)
    points = (starts.EntryPoint("one", 40, ("simulate",)), starts.EntryPoint("two", 40, ("--policy", "{own}")))
    told: list[str] = []
    found = starts.compile_times(points, tell=told.append)
    assert [(each["entry"], each["compile"], each["over"]) for each in found] == [
        ("one", 30.0, False),
        ("two", 40.5, True),
    ]
    assert told == ["one", "two"]
    assert asked[0] == asked[1] == ["simulate"]
    assert Path(asked[2][1]).name == "mine.py"


def test_entry_points_are_commands() -> None:
    """Each is a command with options that it has."""
    for point in starts.ENTRY_POINTS:
        told = output(point.command[0], "--help")
        assert all(word in told for word in point.command if word.startswith("--"))
        assert point.budget > 0
    assert len({point.name for point in starts.ENTRY_POINTS}) == len(starts.ENTRY_POINTS)


needs_compiler = pytest.mark.skipif(yardsticks.compiler() is None, reason="there is no C compiler")


@needs_compiler
def test_beside_c() -> None:
    found = yardsticks.set_beside(seconds=0.001, repetitions=2)
    assert found["compiler"]
    programs = {program.file: program for program in yardsticks.PROGRAMS}
    there = yardsticks.folder()
    assert there is not None
    at_hand = [programs[name] for name in programs if (there / name).is_file()]
    assert "yardstick.c" in [program.file for program in at_hand]
    assert [(each["program"], each["policy"]) for each in found["figures"]] == [
        (program.file, policy) for program in at_hand for policy in program.policies
    ]
    assert len(found["missing"]) == len(programs) - len(at_hand)
    for each in found["figures"]:
        assert each["c_best"] >= each["c_median"] > 0
        assert each["best"] >= each["median"] > 0
        assert each["ratio"] == pytest.approx(each["best"] / each["c_best"], rel=0.01)


@needs_compiler
def test_yardstick_plays_the_game(tmp_path: Path) -> None:
    """Its players make the points that the package's make, but for who takes what of several largest captures."""
    folder, compiler = yardsticks.folder(), yardsticks.compiler()
    assert folder is not None
    assert compiler is not None
    assert yardsticks.build(compiler, folder / "yardstick.c", tmp_path / "yardstick") == ""
    done = subprocess.run([tmp_path / "yardstick", "200000"], capture_output=True, text=True, check=True)
    points = {line.split()[0]: [float(word) for word in line.split()[-2:]] for line in done.stdout.splitlines()}
    found = summarise(plan("bastra", policies="random"), 200_000)
    assert points["random"] == pytest.approx([found.estimate("total", team).value for team in (0, 1)], abs=0.1)
    assert points["greedy"][0] > points["random"][0]


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert yardsticks.set_beside() == {
        "compiler": None,
        "figures": [],
        "missing": ["There is no C compiler (gcc, clang, cc): nothing is set beside C."],
    }


@needs_compiler
def test_without_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardsticks, "folder", lambda: None)
    assert yardsticks.set_beside()["missing"] == [
        f"The program {name} is not at hand: nothing is set beside it." for name in ("yardstick.c", "players.c")
    ]


@needs_compiler
def test_programs_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not compile is told of; what compiles and gives no times ends the command."""
    (tmp_path / "players.c").write_text("int main(void) { return x; }\n")
    monkeypatch.setattr(yardsticks, "folder", lambda: tmp_path)
    first, second = yardsticks.set_beside()["missing"]
    assert first == "The program yardstick.c is not at hand: nothing is set beside it."
    assert second.startswith("The program players.c does not compile: ")
    (tmp_path / "players.c").write_text('#include <stdio.h>\nint main(void) { return puts("counter fast") < 0; }\n')
    with pytest.raises(BasraError, match=r"^players\.c gave no times: counter fast$"):
        yardsticks.set_beside()


def test_programs_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed, the programs lie in the package."""
    package = tmp_path / "basra_sim"
    (package / "benchmarks").mkdir(parents=True)
    monkeypatch.setattr(yardsticks, "__file__", str(package / "yardsticks.py"))
    assert yardsticks.folder() is None
    (package / "benchmarks" / "yardstick.c").touch()
    assert yardsticks.folder() == package / "benchmarks"
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "yardstick.c").touch()
    assert yardsticks.folder() == tmp_path / "benchmarks"


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_stages(policy: str) -> None:
    found = stages.stages_of(policy, repetitions=1, rounds=16)
    assert list(found) == [*stages.STAGES, "whole"]
    parts = [found[name] for name in stages.STAGES]
    assert sum(parts) == pytest.approx(found["whole"])
    assert all(part >= 0 for part in parts[:-1])
    assert found["dealing"] > 0
    assert (found["remembering"] == 0) == (policy == "random")


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_stages_go_over_what_was_played(policy: str) -> None:
    """Chosen anew in each situation that was kept is what was played; captured in the end is what was scored."""
    planned = plan("bastra", policies=policy)
    plays, piles, played = stages.record(planned, 8)
    for seen in plays.tolist():
        one = np.array([seen], np.int64)
        arguments = (planned.codes, tables(), planned.chances, planned.side, planned.seed, one, piles)
        scratch, row = planned.scratch(), np.zeros((4, 8), np.int32)
        found = stages.go_over(stages._CHOOSING, *arguments, piles[:, 0], scratch, row)
        assert found == seen[stages.CARD] ^ seen[stages.TAKEN]
    for pile, row in zip(piles.tolist(), played.rows.tolist(), strict=True):
        assert [cards.bit_count() for cards in pile[:2]] == [team[0] for team in row[:2]]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--seconds", "0"], "'--seconds': 0 is not possible: it takes a number of seconds above 0, to 600"),
        (["--seconds", "nan"], "'--seconds': nan is not possible: it takes a number of seconds above 0, to 600"),
        (["--seconds", "soon"], "'--seconds': soon is not possible: it takes a number of seconds above 0, to 600"),
        (["--repetitions", "0"], "'--repetitions': 0 is not possible: it takes a whole number from 1 to 100"),
    ],
)
def test_impossible(more: list[str], told: str) -> None:
    assert refusal("bench", *more) == f"Invalid value for {told}"


@pytest.mark.slow
def test_everything_measured() -> None:
    done = process(*TINY, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["machine"]["cores"] == thread_count(None)
    assert 0 < found["start_seconds"]["warm"] < found["start_seconds"]["first"]
