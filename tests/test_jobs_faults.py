"""Writes that fail: a command ends in one line, nothing is left half written, and it goes on once the fault is gone."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from basra_sim.files import put, written_aside
from tests.commands import command, document, environment, output, refusal

ASKED = ("simulate", "bastra", "--rounds", 1_100_000, "--json", "--threads", 1)
"""Three pieces."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a job."""
    return tmp_path / "night"


Fault = Callable[..., Any]


def failing(number: int, real: Fault, at: int) -> Fault:
    """A function that fails once it is called for a number of times, and from then on."""
    calls = 0

    def call(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= at:
            raise OSError(number, os.strerror(number))
        return real(*args, **options)

    return call


def parts(folder: Path) -> list[Path]:
    """Files that were never finished."""
    return [path for path in folder.rglob("*") if path.name.endswith(".part")]


FAULTS = [
    ("os.write", errno.ENOSPC),
    ("os.write", errno.EIO),
    ("os.fsync", errno.EIO),
    ("pathlib.Path.chmod", errno.EPERM),
    ("tempfile.mkstemp", errno.EACCES),
    ("pathlib.Path.replace", errno.EXDEV),
    ("pathlib.Path.mkdir", errno.EROFS),
]


@pytest.mark.parametrize("at", [1, 3])
@pytest.mark.parametrize(("name", "number"), FAULTS)
def test_what_cannot_be_written(folder: Path, name: str, number: int, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails in the course of a job, and whenever."""
    import pathlib
    import tempfile

    alone = output(*ASKED)
    owner: Any = {"os": os, "tempfile": tempfile, "pathlib.Path": pathlib.Path}[name.rpartition(".")[0]]
    function = name.rpartition(".")[2]
    with monkeypatch.context() as patched:
        patched.setattr(owner, function, failing(number, getattr(owner, function), at))
        done = command(*ASKED, "--job", folder)
    assert (done.exit_code, done.stdout) == (1, ""), done
    assert done.stderr.startswith("Error: ")
    assert done.stderr.endswith(f"cannot be written: {os.strerror(number)}\n")
    assert done.stderr.count("\n") == 1
    assert parts(folder.parent) == []
    if (folder / "job.json").exists():
        assert document("jobs", folder, "--check")["damaged"] == []
    assert output(*ASKED, "--job", folder) == alone


def test_writes_that_take_a_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, real = output(*ASKED), os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[: max(1, len(data) // 2)])))
    assert output(*ASKED, "--job", folder) == alone
    monkeypatch.undo()
    assert document("jobs", folder, "--check")["damaged"] == []


def test_an_interruption_of_a_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(tmp_path / "a", b"behind")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from basra_sim.cli import program
sys.argv = ["basra-sim", *sys.argv[2:]]
program()
"""


def limited(size: int, *args: object) -> "subprocess.CompletedProcess[str]":
    """A command in a process that can write no larger file."""
    words = [sys.executable, "-c", LIMITED, str(size), *map(str, args)]
    return subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)


def test_no_room_for_a_piece(folder: Path) -> None:
    """A file of a kilobyte can be written, a piece cannot."""
    done = limited(600, *ASKED, "--job", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {folder}/")
    assert done.stderr.endswith("cannot be written: File too large\n")
    assert parts(folder) == []
    assert output(*ASKED, "--job", folder) == output(*ASKED)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_no_room_for_a_table(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"rows.{ending}"
    args = ("simulate", "bastra", "--rounds", 20_000, "--output", file)
    done = limited(10_000, *args)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {file} cannot be written: ")
    assert done.stderr.endswith("File too large\n")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    output(*args)
    whole = file.read_bytes()
    assert limited(10_000, *args).returncode == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {file: whole}


def test_a_table_is_the_same_file_in_whatever_cut(tmp_path: Path) -> None:
    """Of pieces from a folder or not: rounds, and matches, of which each has as many rounds as it takes."""
    for units in (("--rounds", 70_000), ("--matches", 6000)):
        for ending in ("csv", "parquet"):
            one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
            output("simulate", "bastra", *units, "--output", one)
            output("simulate", "bastra", *units, "--output", other, "--job", tmp_path / f"{units[0]}{ending}")
            assert one.read_bytes() == other.read_bytes()


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root can mount")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], check=False)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (disk / "ballast").write_bytes(b"0" * 4096)
        folder = disk / "night"
        done = command(*ASKED, "--job", folder)
        assert done.exit_code == 1
        assert done.stderr.endswith("cannot be written: No space left on device\n")
        assert parts(disk) == []
        (disk / "ballast").unlink()
        subprocess.run(["mount", "-o", "remount,size=1m", disk], check=True)
        assert output(*ASKED, "--job", folder) == output(*ASKED)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_what_stood_there_stays_if_something_goes_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("before")

    def refused(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(OSError, match="no"), written_aside(file) as beside:
        beside.write_text("behind")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "before"}


def test_an_output_that_cannot_be_written_keeps_the_pieces(tmp_path: Path) -> None:
    """What is played is not lost with the page it is for."""
    folder, file = tmp_path / "night", tmp_path / "rows.csv"
    args = ("simulate", "bastra", "--rounds", 20_000, "--output", file, "--job", folder)
    done = limited(100_000, *args)
    assert done.returncode == 1, done
    assert document("jobs", folder, "--check")["damaged"] == []
    assert document("jobs", folder)["state"] == "unfinished"
    output(*args)
    assert document("jobs", folder)["state"] == "finished"


def test_refused_before_anything_is_played(tmp_path: Path) -> None:
    told = refusal(
        "simulate", "bastra", "--rounds", 100, "--output", tmp_path / "none" / "a.csv", "--job", tmp_path / "night"
    )
    assert told == f"{tmp_path}/none/a.csv: the folder {tmp_path}/none does not exist"
