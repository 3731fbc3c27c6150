"""The players in plain C that speed is set beside: to the last play the same as ours."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from basra_sim.plans import plan
from basra_sim.turns import ACES, BASRAS
from basra_sim.yardsticks import compiler, weights_text

PROGRAM = Path(__file__).parent.parent / "benchmarks" / "players.c"

POLICIES = ("greedy", "counter", "champion")

ROUNDS = 3000

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)

Told = dict[str, tuple[list[int], str]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program."""
    path = compiler()
    if path is None:
        pytest.skip("there is no C compiler here")
    made = tmp_path_factory.mktemp("players") / "players"
    flags = ["-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run([path, *flags, str(PROGRAM), "-o", str(made)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made


def in_c(program: Path, seed: int, first: int) -> Told:
    """Points of both seats and checksum of each player, as the program prints them."""
    command = [str(program), str(seed), str(ROUNDS), str(first)]
    text = subprocess.run(command, input=weights_text(POLICIES), capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return {line[0]: ([int(points) for points in line[6:8]], line[9]) for line in lines}


def ours(policy: str, seed: int, first: int) -> tuple[list[int], str]:
    """The same of our rounds."""
    points, checksum = np.zeros(2, np.int64), 0
    for played in plan("bastra", policies=policy, seed=seed).play(first, ROUNDS, logged=True):
        points += played.rows[:, :2, ACES : BASRAS + 1].sum(axis=(0, 2))
        of_rounds = np.zeros(len(played.logs), np.uint64)
        for card, taken, _ in played.logs.astype(np.uint64).transpose(1, 2, 0):
            of_rounds = of_rounds * MULTIPLIER + (taken ^ card << np.uint64(52))
        checksum += int(of_rounds.sum(dtype=np.uint64))
    return points.tolist(), f"{checksum % 2**64:016x}"


@pytest.mark.parametrize(("seed", "first"), [(1, 0), (2026, 10**9), (2**63 - 1, 2**40)])
def test_the_players_in_c_are_ours(program: Path, seed: int, first: int) -> None:
    found = in_c(program, seed, first)
    assert found == {policy: ours(policy, seed, first) for policy in POLICIES}


def test_the_program_says_what_it_cannot_read(program: Path) -> None:
    done = subprocess.run(
        [str(program), "1", "10"], input="greedy 0x1p+0 none", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "greedy: weight 1 cannot be read\n")
