"""Files that are written beside others: what stays of them, and what a process that was killed leaves behind."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from basra_sim.files import written_aside
from tests.commands import environment

fcntl = pytest.importorskip("fcntl")

LEAVES = """
import os, signal, sys
from basra_sim.files import written_aside
with written_aside(sys.argv[1]) as beside:
    beside.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("name", ["a.txt", "n" * 120])
def test_what_a_killed_process_left_beside_a_file_goes_with_the_next_writing(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        subprocess.run([sys.executable, "-c", LEAVES, tmp_path / name], env=environment(), check=False)
        assert len(list(tmp_path.iterdir())) == 1
    with written_aside(tmp_path / name) as beside:
        beside.write_text("whole")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "whole"}


def test_what_others_write_beside_a_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    others = [tmp_path / name for name in (".a.txt.mine.part", ".b.txt.12345678.part", ".a.txt.12345678.parts")]
    for other in others:
        other.write_text("mine")
    (tmp_path / ".a.txt.link5678.part").symlink_to(others[0])
    (tmp_path / ".a.txt.fold5678.part").mkdir()
    with written_aside(file) as first:
        first.write_text("first")
        with written_aside(file) as second:
            second.write_text("second")
        assert first.read_text() == "first"
        assert file.read_text() == "second"
    assert file.read_text() == "first"
    assert all(other.read_text() == "mine" for other in others)
    assert len(list(tmp_path.iterdir())) == 3 + 2 + 1


def test_a_file_that_is_taken_for_a_left_over_before_it_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process that writes the same sees it in between: it is made anew."""
    file, made, make = tmp_path / "a.txt", [], tempfile.mkstemp

    def seen(**how: Any) -> tuple[int, str]:
        handle, name = make(**how)
        made.append(name)
        if len(made) == 1:
            Path(name).unlink()
        elif len(made) == 2:
            held.append(os.open(name, os.O_RDWR))
            fcntl.flock(held[0], fcntl.LOCK_EX)
        return handle, name

    held: list[int] = []
    monkeypatch.setattr(tempfile, "mkstemp", seen)
    with written_aside(file) as beside:
        beside.write_text("whole")
    os.close(held[0])
    assert len(made) == 3
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "whole"}


def test_many_who_write_the_same_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"

    def write(number: int) -> None:
        with written_aside(file) as beside:
            beside.write_text(f"{number:03}" * 1000)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(200)))
    found = file.read_text()
    assert found == found[:3] * 1000
    assert list(tmp_path.iterdir()) == [file]
