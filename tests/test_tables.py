"""Rounds written to files: the same rows as in memory, all of them or no file at all."""

import os
import stat
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from basra_sim import plans, tables, tracing
from basra_sim.errors import BasraError, InputError
from basra_sim.plans import plan
from basra_sim.policies import Policy
from basra_sim.tables import FORMATS, write_rounds
from tests.scoring import scored_by

TABLES: list[tuple[dict[str, Any], bool]] = [
    ({"variant": "bastra", "policies": ["greedy", "random"]}, False),
    ({"variant": "egyptian", "players": 3, "policies": "counter"}, True),
    ({"variant": "lebanese-b", "players": 4, "pairs": True, "policies": ["counter", "greedy"]}, True),
]


def names_in(folder: Path) -> list[str]:
    """Names of everything in a folder, hidden files among them."""
    return sorted(path.name for path in folder.iterdir())


def read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)


@pytest.mark.parametrize("ending", [*FORMATS, ".CSV"])
@pytest.mark.parametrize(("arguments", "matches"), TABLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_written_rounds_are_those_in_memory(arguments, matches, ending, threads, tmp_path, monkeypatch):
    for name in ("ROUNDS_A_CHUNK", "MATCHES_A_CHUNK"):
        monkeypatch.setattr(plans, name, 16)
    path = tmp_path / f"rounds{ending}"
    written = write_rounds(plan(matches=matches, seed=4, **arguments), 50, path, threads=threads)
    units: dict[str, Any] = {"matches": 50} if matches else {"rounds": 50}
    frame = tables.rounds(seed=4, threads=1, **units, **arguments)
    assert written == len(frame)
    found = pd.read_csv(path) if ending == ".CSV" else read(path)
    pd.testing.assert_frame_equal(found, frame, check_dtype=ending == ".parquet")
    assert names_in(tmp_path) == [path.name]


def test_columns():
    common = ["team", "policy", "first", "cards", "aces", "jacks", "two", "ten", "majority", "basras", "basra_count"]
    common += ["total", "won", "winner", "carry_in", "carry_out"]
    single = tables.rounds(rounds=2, threads=1)
    assert list(single) == ["index", *common]
    assert list(tables.rounds(matches=1, threads=1)) == ["index", "match", "round", *common, "score_before"]
    matches = ["match", "team", "policy", "rounds", "score", "margin", "won", "winner"]
    assert list(tables.matches(matches=2, threads=1)) == matches
    assert single["policy"].tolist() == ["greedy"] * 4


def test_policy_of_each_team():
    frame = tables.rounds("bastra", players=4, pairs=True, policies=["counter", "random"], rounds=3, threads=1)
    assert frame.groupby("team")["policy"].unique().explode().tolist() == ["counter", "random"]
    ends = tables.matches("bastra", players=3, policies=["counter", "random", "greedy"], matches=2, threads=1)
    assert ends["policy"].tolist() == ["counter", "random", "greedy"] * 2


def test_one_header_and_plain_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(plans, "ROUNDS_A_CHUNK", 2)
    path = tmp_path / "rounds.csv"
    write_rounds(plan("bastra"), 5, path, threads=1)
    lines = path.read_bytes().decode().split("\n")
    assert len(lines) == 12
    assert [line for line in lines if line.startswith("index,")] == lines[:1]
    assert "\r" not in path.read_bytes().decode()


def test_permissions_are_those_of_any_new_file(tmp_path):
    path = tmp_path / "rounds.csv"
    before = os.umask(0o027)
    try:
        write_rounds(plan("bastra"), 2, path, threads=1)
        assert os.umask(0o027) == 0o027, "and the mask is as it was"
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def broken() -> Policy:
    """A policy that fails late: after some chunks have been written."""
    turns = [0]

    def score(view: Any, play: Any) -> float:
        turns[0] += 1
        return float("nan") if turns[0] > 20_000 else 0.0

    return scored_by(score, "broken")


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("there", [False, True])
def test_failure_leaves_nothing_behind(ending, there, tmp_path, monkeypatch):
    monkeypatch.setattr(plans, "ROUNDS_A_CHUNK", 16)
    path = tmp_path / f"rounds{ending}"
    if there:
        path.write_text("what was there", encoding="utf-8")
    with pytest.raises(BasraError, match="gave no number"):
        write_rounds(plan("bastra", policies=broken()), 500, path, threads=1)
    assert names_in(tmp_path) == ([path.name] if there else [])
    assert not there or path.read_text(encoding="utf-8") == "what was there"


@pytest.mark.parametrize("ending", FORMATS)
def test_interruption_leaves_nothing_behind(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(plans, "ROUNDS_A_CHUNK", 16)
    path = tmp_path / f"rounds{ending}"
    path.write_text("what was there", encoding="utf-8")

    def interrupt(done: int, total: int) -> None:
        if done >= 64:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rounds(plan("bastra"), 500, path, threads=2, progress=interrupt)
    assert names_in(tmp_path) == [path.name]
    assert path.read_text(encoding="utf-8") == "what was there"


def test_an_older_file_is_replaced(tmp_path):
    path = tmp_path / "rounds.csv"
    path.write_text("what was there", encoding="utf-8")
    assert write_rounds(plan("bastra"), 3, str(path), threads=1) == 6
    assert len(pd.read_csv(path)) == 6


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("rounds.xlsx", "rounds.xlsx: the ending says the format: it must be .csv or .parquet"),
        ("rounds", "rounds: the ending says the format: it must be .csv or .parquet"),
        ("none/rounds.csv", "none/rounds.csv: the folder none does not exist"),
        ("folder.csv", "folder.csv is a folder: it must be a file"),
    ],
)
def test_impossible_paths(name, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder.csv").mkdir()
    with pytest.raises(InputError) as error:
        write_rounds(plan("bastra"), 3, name)
    assert str(error.value) == wrong
    assert names_in(tmp_path) == ["folder.csv"]


def test_impossible_numbers_write_nothing(tmp_path):
    with pytest.raises(InputError, match=r"^rounds = 0 is not possible"):
        write_rounds(plan("bastra"), 0, tmp_path / "rounds.csv")
    with pytest.raises(InputError, match=r"^matches = -1 is not possible"):
        write_rounds(plan("bastra", matches=True), -1, tmp_path / "rounds.csv")
    assert names_in(tmp_path) == []


def test_a_file_that_cannot_be_written(tmp_path, monkeypatch):
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables, "_write_csv", full)
    path = tmp_path / "rounds.csv"
    with pytest.raises(BasraError) as error:
        write_rounds(plan("bastra"), 3, path)
    assert str(error.value) == f"{path} cannot be written: No space left on device"
    assert error.value.exit_code == 1
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("arguments", [{"rounds": 10**10}, {"matches": 10**9}])
def test_more_than_memory_holds_is_refused(arguments):
    with pytest.raises(InputError, match="is not possible: it must be a whole number from 1 to"):
        tables.rounds("bastra", **arguments)


def test_trace_by_name_gives_the_records_of_the_plan():
    records = list(tracing.trace("egyptian", matches=2, policies="greedy", seed=3, threads=1))
    assert records == list(tracing.trace_plan(plan("egyptian", policies="greedy", seed=3, matches=True), 2, threads=1))
    assert len(list(tracing.trace("bastra", threads=1))) == 1
