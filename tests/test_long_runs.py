"""Long runs: numbers of any size are added up exactly, runs add up to longer ones, and memory stays flat."""

import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyses.balance.leads import leads
from analyses.balance.worth import worth
from analyses.scenes import Scene
from analyses.strength.ladder import grouped
from basra_sim import kernel, matches, plans, tables, tallies, turns
from basra_sim.deals import deck
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import ADD, CHUNKS_A_PIECE, merged
from basra_sim.experiment import design
from basra_sim.frequencies import count
from basra_sim.matches import MOST_SCORE, MatchTally, checked_scores
from basra_sim.moments import Groups
from basra_sim.plans import MATCHES_A_CHUNK, MOST_UNITS, ROUNDS_A_CHUNK, plan
from basra_sim.rules.options import MOST_POINTS
from basra_sim.simulation import simulate, summarise
from basra_sim.stats import Estimate, mean, ratio
from basra_sim.tables import matches as match_table
from basra_sim.tallies import MOST_ADDED, PER_TEAM, SIZE, checked_sums, tally
from basra_sim.totals import Totals
from basra_sim.variants import setting
from tests.commands import environment, output, refusal
from tests.long_run import added, main, watched

Z = Decimal("1.959963984540054")
"""Quantile of the normal distribution, for the interval."""

MOST_OF_A_ROUND = (4 + 4 + 1 + 1 + 1 + 52) * MOST_POINTS
"""More than a team can score in a round under any rules: aces, jacks, two, ten, majority, a basra with each card."""

NO_RESULTS = np.zeros((0, kernel.MATCH_FACTS), np.int64)

SCENE = Scene("bastra", 2, False, "random")


def exact_half(total: int, squares: int, units: int) -> Decimal:
    """Half the interval of a mean, in as many digits as it takes."""
    with localcontext() as context:
        context.prec = 120
        variance = (Decimal(squares) - Decimal(total) ** 2 / units) / (units - 1)
        return Z * (variance / units).sqrt()


def test_sums_of_parts_know_no_bounds() -> None:
    totals, units = Totals(2, False), 10**9
    part = np.full((3, SIZE), MOST_ADDED - 1, np.int64)
    for _ in range(40):
        totals.add(np.array([units]), part, NO_RESULTS)
    assert totals.units == 40 * units
    for row in totals.exact():
        assert row["sum"] == row["squares"] == row["products"] == 40 * (2**62 - 1) > 2**67
        assert type(row["sum"]) is int


@pytest.mark.parametrize(
    ("total", "squares", "units"),
    [
        (10**9 * 10**6 + 3, 10**9 * 10**12 + 9 * 10**9, 10**9),
        (10**18 + 1, 10**27 + 2 * 10**9 + 10**10, 10**9),
        (2**53 + 1, 2**54 + 3, 2**52 + 7),
        (2**40 * 26, 2**40 * 676 + 2**41, 2**40),
        (2**63 + 12_345, 2**100, 10**10),
    ],
)
def test_no_digits_of_large_sums_are_lost(total: int, squares: int, units: int) -> None:
    found = mean(total, squares, units)
    assert found.value is not None
    assert found.high is not None
    assert found.value == total / units
    half = (Decimal(found.high) - Decimal(found.value), Decimal(found.value) - Decimal(found.low or 0))
    wanted = exact_half(total, squares, units)
    assert max(abs(each - wanted) for each in half) <= Decimal(2) * Decimal(np.spacing(found.value))


def test_no_digits_of_large_ratios_are_lost() -> None:
    """Ten thousand million matches of 10 and 11 rounds, in which 7 points a round are won, give or take one a match."""
    half = 5 * 10**9
    rounds, rounds_squares = 21 * half, 221 * half
    points, points_squares = 7 * rounds, 49 * rounds_squares + 2 * half
    products = 7 * rounds_squares
    found = ratio(points, points_squares, rounds, rounds_squares, products, 2 * half)
    assert found.value == 7.0
    assert found.high is not None
    wanted = Z * Decimal(2 * half).sqrt() / Decimal(rounds)
    assert abs((Decimal(found.high) - 7) / wanted - 1) < Decimal("1e-5")
    assert ratio(7 * rounds, 49 * rounds_squares, rounds, rounds_squares, products, 2 * half) == Estimate(
        7.0, 7.0, 7.0, 2 * half
    )


def full_rows(units: int, points: int, column: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Rounds in which the first team has so many points from one source, and all cards."""
    rows = np.zeros((units, 4, len(turns.COLUMNS)), np.int32)
    facts = np.zeros((units, len(kernel.FACTS)), np.int64)
    rows[:, 0, column], rows[:, 0, turns.CARDS] = points, 52
    facts[:, kernel.MATCH] = np.arange(units)
    return rows, facts


@pytest.mark.parametrize(
    ("units", "points", "of_matches"),
    [(ROUNDS_A_CHUNK, MOST_OF_A_ROUND, False), (MATCHES_A_CHUNK, MOST_SCORE, True)],
    ids=["rounds", "matches"],
)
def test_the_largest_part_there_can_be(units: int, points: int, of_matches: bool) -> None:
    rows, facts = full_rows(units, points, turns.BASRAS)
    sums = tally(rows, facts, 4, of_matches)
    place = PER_TEAM.index("total")
    assert sums[:, place].tolist() == [units * points, units * points**2, units * points]
    margin = 4 * len(PER_TEAM) + tallies.PER_ROUND.index("first_margin")
    assert sums[:2, margin].tolist() == [3 * units * points, 9 * units * points**2]
    assert CHUNKS_A_PIECE * int(sums.max()) < MOST_ADDED
    found = Groups.of(np.full((units, 3), 3 * points), 5)
    assert found.total.products.tolist() == [[units * (3 * points) ** 2] * 3] * 3
    again = Groups.from_arrays(*merged([found.arrays] * CHUNKS_A_PIECE, (ADD, ADD, ADD)))
    assert again.total.products[0, 0] == CHUNKS_A_PIECE * units * (3 * points) ** 2


def test_moments_of_many_parts() -> None:
    part = Groups.of(np.full((512, 1), 2**26), 0)
    whole = part
    for _ in range(9):
        whole = whole + whole
    assert whole.total.products[0, 0] == 512 * 512 * 2**52 > 2**63
    assert whole.total.sums[0] == 512 * 512 * 2**26
    assert whole.total.variance([1]) == 0.0


def test_matches_with_the_highest_scores() -> None:
    found, units = MatchTally(2), 2**19
    results = np.zeros((units, kernel.MATCH_FACTS), np.int64)
    results[:, kernel.MATCH_ROUNDS], results[:, kernel.FIRST_SCORE] = 2**20, MOST_SCORE
    for _ in range(5):
        found.add(results)
    assert {name: (total, squares) for name, team, total, squares in found.exact() if team in (None, 0)} == {
        "match_won": (5 * units, 5 * units),
        "match_drawn": (0, 0),
        "match_rounds": (5 * units * 2**20, 5 * units * 2**40),
        "match_margin": (5 * units * MOST_SCORE, 5 * units * MOST_SCORE**2),
    }
    assert 5 * units * MOST_SCORE**2 > 2**63
    assert checked_scores(results, "here") is results
    results[17, kernel.FIRST_SCORE + 3] = MOST_SCORE + 1
    with pytest.raises(BasraError, match=r"here: a match has come to more than 2,097,152 points"):
        checked_scores(results, "here")


def test_parts_too_large_for_a_piece_are_refused() -> None:
    """Matches of a million rounds would bring more cards than a piece can add up."""
    rows, facts = full_rows(512, 1, turns.BASRAS)
    rows[:, 0, turns.CARDS] = 2**23
    with pytest.raises(BasraError, match="ask for fewer units"):
        tally(rows, facts, 2, True)
    with pytest.raises(BasraError, match="ask for fewer units"):
        _ = Groups.of(np.full((512, 1), 2**26), 0).arrays


def test_scores_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MOST_SCORE", 130)
    with pytest.raises(BasraError, match="bastra: a match has come to more than 130 points"):
        simulate("bastra", matches=100, policies="random", threads=1)


def test_sums_of_64_bits_are_held_against_their_bound() -> None:
    checked_sums(np.array([MOST_ADDED - 1, 1 - MOST_ADDED]))
    checked_sums(np.zeros(0, np.int64))
    for too_large in (MOST_ADDED, -MOST_ADDED, 2**63 - 1, -(2**63)):
        with pytest.raises(BasraError, match="ask for fewer units"):
            checked_sums(np.array([0, too_large]))


@pytest.mark.parametrize("what", ["frequencies", "ladder", "leads", "worth"])
def test_no_sums_of_64_bits_go_unchecked(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    made: dict[str, Callable[[], object]] = {
        "frequencies": lambda: count(SCENE.plan(1), 600, threads=1),
        "ladder": lambda: grouped(design("random", "random", setting("bastra")), 600, 1, None),
        "leads": lambda: leads(SCENE, 600, threads=1),
        "worth": lambda: worth(SCENE, 600, threads=1),
    }
    monkeypatch.setattr(tallies, "MOST_ADDED", 1000)
    with pytest.raises(BasraError, match="ask for fewer units"):
        made[what]()


@pytest.mark.parametrize(
    "args",
    [
        ["--rounds", 40_000, "--policy", "random"],
        ["--matches", 400, "--policy", "random", "--policy", "greedy"],
        ["--matches", 200, "--players", 3, "--policy", "random", "--set", "majority_tie=carry"],
        ["--rounds", 4000, "--pairs", "--seed", 9],
    ],
    ids=["rounds", "matches", "three", "pairs"],
)
def test_runs_add_up_to_a_longer_one(args: list[Any]) -> None:
    whole = json.loads(output("simulate", "bastra", *args, "--json"))
    quarter = args[1] // 4
    parts = [
        json.loads(output("simulate", "bastra", args[0], quarter, *args[2:], "--first", k * quarter, "--json"))
        for k in range(4)
    ]
    assert [part["first"] for part in parts] == [0, quarter, 2 * quarter, 3 * quarter]
    assert added(parts) == added([whole])
    assert added(parts)["units"] == args[1]
    assert parts[0]["sums"] != parts[1]["sums"]


def test_sums_are_those_of_the_rounds() -> None:
    arguments: Any = {"variant": "egyptian", "policies": "random", "seed": 4, "threads": 1}
    summary = simulate(rounds=500, first=100, **arguments)
    frame = tables.rounds(rounds=600, **arguments)
    frame = frame[frame["index"] >= 100]
    by_name = {(each["measure"], each["team"]): each for each in summary.sums}
    for team in (0, 1):
        total = frame[frame["team"] == team]["total"]
        assert by_name["total", team]["sum"] == total.sum()
        assert by_name["total", team]["squares"] == (total**2).sum()
        assert by_name["won", team]["sum"] == frame[frame["team"] == team]["won"].sum()
    assert by_name["tied", None]["sum"] == (frame["winner"] == -1).sum() / 2
    assert by_name["rounds", None] == {
        "measure": "rounds", "team": None, "sum": 500, "squares": 500, "products": 500,
    }  # fmt: skip
    assert summary.units == 500
    assert repr(summary) == "<Summary: egyptian, 2 players, random, 500 rounds from number 100 on, seed 4>"


def test_sums_of_matches() -> None:
    arguments: Any = {"variant": "bastra", "policies": "random", "threads": 1}
    summary = simulate(matches=60, first=40, **arguments)
    ends = match_table(matches=100, **arguments)
    ends = ends[ends["match"] >= 40]
    by_name = {(each["measure"], each["team"]): each for each in summary.sums}
    assert by_name["match_won", 1]["sum"] == ends[ends["team"] == 1]["won"].sum()
    assert by_name["match_rounds", None]["sum"] == sum(n * of for n, of in summary.lengths.items())
    assert by_name["match_rounds", None]["sum"] == by_name["rounds", None]["sum"]
    assert by_name["match_rounds", None]["squares"] == by_name["rounds", None]["squares"]


def test_the_last_numbers_there_are() -> None:
    last = plan("bastra", policies="random")
    assert summarise(last, 5, first=MOST_UNITS - 5, threads=1).units == 5
    (played,) = last.play(MOST_UNITS - 1, 1, logged=True)
    assert played.facts[0, kernel.INDEX] == MOST_UNITS - 1
    assert set(played.logs[0, :8, 0].tolist()) == set(deck(1, MOST_UNITS - 1)[:8])
    of_matches = plan("bastra", policies="random", matches=True)
    (match,) = of_matches.play(MOST_UNITS - 1, 1)
    assert match.facts[:, kernel.INDEX].tolist() == [
        ((MOST_UNITS - 1) << kernel.MATCH_BITS) + k for k in range(len(match.facts))
    ]


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        (["--first", -1], f"first = -1 is not possible: it must be a whole number from 0 to {MOST_UNITS - 1}"),
        (["--first", MOST_UNITS - 9], "rounds = 10 is not possible: it must be a whole number from 1 to 9"),
        (["--first", "1e8"], "Invalid value for '--first': '1e8' is no whole number"),
        (["--first", MOST_UNITS, "--output", "rounds.csv"], f"first = {MOST_UNITS} is not possible"),
    ],
)
def test_impossible_numbers(args: list[Any], wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("simulate", "bastra", "--rounds", 10, *args).startswith(wrong)
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError):
        simulate(rounds=10, first=MOST_UNITS - 9)


def test_first_is_told(tmp_path: Path) -> None:
    text = output("simulate", "bastra", "--rounds", 5, "--first", "2k", "--policy", "random")
    assert text.startswith("bastra, 2 players, 5 rounds from number 2,000 on, seed 1\n")
    file = tmp_path / "rounds.csv"
    output("simulate", "bastra", "--rounds", 5, "--first", "2k", "--policy", "random", "--output", file)
    rows = file.read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows[::2]] == ["2000", "2001", "2002", "2003", "2004"]


def test_parquet_in_groups_holds_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd
    import pyarrow.parquet as pq

    monkeypatch.setattr(plans, "ROUNDS_A_CHUNK", 100)
    monkeypatch.setattr(tables, "ROWS_A_GROUP", 500)
    planned, file = plan("bastra", policies="random"), tmp_path / "rounds.parquet"
    assert tables.write_rounds(planned, 1050, file, threads=1) == 2100
    assert [pq.ParquetFile(file).metadata.row_group(k).num_rows for k in range(4)] == [600, 600, 600, 300]
    pd.testing.assert_frame_equal(pd.read_parquet(file), tables.rounds("bastra", policies="random", rounds=1050))


def test_the_comparison_of_a_long_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "4e4", "--runs", "3", "--threads", "1"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("equal\n")
    assert "40,000 rounds from 0 on" in told
    assert "13,334 rounds from 26,666 on" in told
    assert "rounds: 40,000 = 40,000" in told


def test_a_command_that_fails_is_not_compared() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        watched(["simulate", "nowhere"], 0.05)


PEAK = """
import sys
import basra_sim as bs
from analyses.scenes import Scene
from basra_sim.frequencies import count
from basra_sim.plans import plan
from basra_sim.tables import write_rounds
what, units = sys.argv[1], int(sys.argv[2])
if what == "duel":
    bs.duel("random", "random", deals=units, threads=2)
elif what == "matches":
    bs.simulate("bastra", matches=units, policies="random", threads=2)
elif what == "parquet":
    write_rounds(plan("bastra", policies="random"), units, sys.argv[3], threads=2)
else:
    count(Scene("bastra", 2, False, "random").plan(1), units, threads=2)
with open("/proc/self/status") as status:
    print(next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read where Linux tells it")
@pytest.mark.parametrize(
    ("what", "units"), [("duel", 2_000_000), ("matches", 400_000), ("frequencies", 400_000), ("parquet", 3_000_000)]
)
def test_memory_does_not_grow(what: str, units: int, tmp_path: Path) -> None:
    def peak(number: int) -> float:
        command = [sys.executable, "-c", PEAK, what, str(number), str(tmp_path / "rounds.parquet")]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
        return float(done.stdout)

    peak(1000)  # compiles, which takes memory of its own
    assert peak(units) < peak(units // 4) + 20
