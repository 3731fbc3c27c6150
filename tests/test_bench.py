"""The command that measures speed."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from basra_sim import bench
from basra_sim.errors import BasraError
from basra_sim.executors import thread_count
from basra_sim.plans import ROUNDS_A_CHUNK, plan
from basra_sim.policies import get_policy, policy_names
from tests.commands import output, process, refusal

TINY = ("bench", "--seconds", "0.001", "--repetitions", "2")

STARTS = {"first": 20.0, "warm": 1.25, "compile": 18.75}


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of two cores whose starts are not timed: compiling takes too long here."""
    monkeypatch.setattr(bench, "thread_count", lambda _: 2)
    monkeypatch.setattr(bench, "start_times", lambda: STARTS)


@pytest.mark.usefixtures("two_cores")
def test_json() -> None:
    found: dict[str, Any] = json.loads(output(*TINY, "--json"))
    assert {policy: list(rates) for policy, rates in found["rounds_per_minute"].items()} == {
        policy: ["1", "2"] for policy in policy_names()
    }
    assert found["median_rounds_per_minute"].keys() == found["rounds_per_minute"].keys()
    figures = {(each["policy"], each["players"], each["threads"]): each for each in found["figures"]}
    assert set(figures) == {
        (policy, players, threads)
        for policy in policy_names()
        for players, threads in ((2, 1), (2, 2), (3, 1), (4, 1))
        if players == 2 or not get_policy(policy).search
    }
    for each in figures.values():
        assert each["best"] >= each["median"] > 0
    assert found["rounds_per_minute"]["greedy"]["2"] == figures["greedy", 2, 2]["best"]
    assert found["start_seconds"] == STARTS
    assert (found["repetitions"], found["seconds"]) == (2, 0.001)
    assert found["machine"]["processor"]
    assert set(found["machine"]["versions"]) == {"basra-sim", "Python", "Numba", "NumPy"}


@pytest.mark.usefixtures("two_cores")
def test_text() -> None:
    text = output(*TINY)
    machine = bench.machine()
    assert text.startswith(f"{machine['processor']}, 2 cores usable")
    assert f"Numba {machine['versions']['Numba']}" in text
    rows = [row.split() for row in text.splitlines()]
    assert [row[1:3] for row in rows if row[:1] == ["counter"]] == [["2", "1"], ["2", "2"], ["3", "1"], ["4", "1"]]
    assert "First start, compilation included: 20.0 s\nWarm start:                        1.2 s\n" in text


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
        bench.start_times()


def test_starts_use_a_cache_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def run(words: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        folders.append(Path(env["NUMBA_CACHE_DIR"]))
        assert not list(folders[0].iterdir())
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr("subprocess.run", run)
    found = bench.start_times()
    assert folders[0] == folders[1]
    assert not folders[0].exists()
    assert found.keys() == STARTS.keys()


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
