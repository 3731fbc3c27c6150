"""Folders of jobs that are moved, removed, closed, in the way, or entered twice while somebody works on them."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from basra_sim import job, simulate
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Task
from basra_sim.files import put, written_aside
from basra_sim.jobs import folders
from basra_sim.jobs.looking import look
from tests.commands import command, flat, output, refusal
from tests.test_jobs import ASKED as PIECES
from tests.test_jobs import kept

ASKED = (*PIECES, "--threads", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a job."""
    return tmp_path / "night"


def replaced(folder: Path) -> None:
    """Put another folder of a job in the place of one."""
    folder.rename(folder.with_name("moved"))
    with job(folder):
        pass


AWAY: dict[str, Callable[[Path], object]] = {
    "moved": lambda folder: folder.rename(folder.with_name("moved")),
    "removed": shutil.rmtree,
    "replaced": replaced,
}


@pytest.mark.parametrize("at", [1, 3])
@pytest.mark.parametrize("how", AWAY)
def test_a_folder_that_goes_away_while_it_is_worked_on(
    folder: Path, how: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and nothing is written in its former place."""
    call, calls, before = Task.__call__, 0, list[Path]()

    def noted(self: Task, first: int, count: int) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            AWAY[how](folder)
            before.extend(sorted(folder.parent.rglob("*")))
        return call(self, first, count)

    monkeypatch.setattr(Task, "__call__", noted)
    told = refusal(*ASKED, "--job", folder, code=1)
    assert told.startswith(f"{folder} was moved, removed or replaced while it was worked on")
    assert sorted(folder.parent.rglob("*")) == before
    monkeypatch.undo()
    if how == "moved":
        assert output(*ASKED, "--job", folder.with_name("moved")) == output(*ASKED)


def test_a_folder_that_is_gone_at_the_end(folder: Path) -> None:
    with pytest.raises(BasraError, match="was moved, removed or replaced"), job(folder):
        shutil.rmtree(folder)
    assert not folder.exists()


def test_the_folder_of_a_job_is_never_made_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it goes between the look whether it is still there and the writing."""
    with folders.held(folder) as mark:
        monkeypatch.setattr(folders, "_mark", lambda _: mark)
        shutil.rmtree(folder)
        for name in ("finished", "pieces/t/0-1.parquet"):
            with pytest.raises(BasraError, match="cannot be written"):
                folders.keep(folder, mark, name, b"")
    assert not folder.exists()


def test_what_is_damaged_is_told_in_a_program(folder: Path) -> None:
    def play() -> object:
        with job(folder):
            return simulate("bastra", rounds=100, policies="random", threads=1).to_dict()

    alone = play()
    kept(folder)[0].write_bytes(b"")
    with pytest.warns(UserWarning, match=r"0-100\.parquet is damaged, .*: it is made anew$"):
        assert play() == alone


def test_a_job_may_be_entered_again(folder: Path) -> None:
    night = job(folder)
    for _ in range(2):
        with night:
            simulate("bastra", rounds=100, policies="random", threads=1)
            with pytest.raises(BasraError, match=r"by this process already: leave that job first$"), night:
                pass
    calls = []
    night(lambda: calls.append(folders.is_held(folder)))()
    assert calls == [True]
    assert not folders.is_held(folder)
    with night, pytest.raises(BasraError, match="by this process already"), job(folder):
        pass


def test_a_place_that_is_taken_is_named(folder: Path, tmp_path: Path) -> None:
    """Not the hidden file that was to go there."""
    output(*ASKED, "--job", folder)
    file = kept(folder)[0]
    file.unlink()
    file.mkdir()
    assert refusal(*ASKED, "--job", folder, code=1).startswith(f"{file} cannot be written: ")
    with pytest.raises(OSError, match="directory") as error:
        put(file, b"")
    assert (error.value.filename, error.value.filename2) == (str(file), None)
    with pytest.raises(OSError, match="directory") as error, written_aside(file) as beside:
        beside.write_bytes(b"")
    assert (error.value.filename, error.value.filename2) == (str(file), None)
    with pytest.raises(OSError, match="No such file") as error, written_aside(tmp_path / "none" / "a"):
        pass
    assert error.value.filename == str(tmp_path / "none" / "a")


def test_other_kinds_of_jobs_are_told_in_words(folder: Path) -> None:
    output("simulate", "bastra", "--rounds", 100, "--job", folder)
    told = refusal("simulate", "bastra", "--rounds", 100, "--set", "target=121", "--job", folder)
    assert told.endswith("other settings: --set was not given, now it is target=121")
    with pytest.raises(InputError, match=r"of the command simulate, and this is one of a program \(basra_sim.job"):
        job(folder).__enter__()
    shutil.rmtree(folder)
    with job(folder):
        pass
    told = refusal("simulate", "bastra", "--rounds", 100, "--job", folder)
    assert "holds a job of a program (basra_sim.job), and this is one of the command simulate" in told


def closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file not be read, or what is in a folder not be seen, whoever asks."""
    within = path.is_dir()

    def refusing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(place: Any, *args: Any, **how: Any) -> Any:
            asked = Path(place) if isinstance(place, str | os.PathLike) else Path()
            if path in asked.parents or (asked == path and (not within or real in sees)):
                raise PermissionError(13, "Permission denied", str(place))
            return real(place, *args, **how)

        return call

    sees = {os.listdir, os.scandir}
    for name in ("listdir", "scandir", "open", *(("stat", "lstat") if within else ())):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    import io

    monkeypatch.setattr(io, "open", refusing(io.open))


def test_what_may_not_be_read_is_not_said_to_be_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output(*ASKED, "--job", folder)
    for path, named in ((folder, folder / "job.json"), (folder / "job.json",) * 2, (folder / "pieces",) * 2):
        with monkeypatch.context() as patched:
            closed(path, patched)
            for check in ((), ("--check",)):
                assert refusal("jobs", folder, *check) == f"{named} cannot be read: Permission denied"
    task = kept(folder)[0].parent
    with monkeypatch.context() as patched:
        closed(task, patched)
        assert refusal("jobs", folder) == f"{task} cannot be read: Permission denied"
        told = refusal(*ASKED, "--job", folder, code=1)
        assert told.startswith(f"{task}/")
        assert told.endswith("cannot be read: Permission denied")


def test_a_piece_that_may_not_be_read_is_not_damaged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = output(*ASKED, "--job", folder)
    file = kept(folder)[0]
    with monkeypatch.context() as patched:
        closed(file, patched)
        for check in (False, True):
            found = look(folder, check=check)
            assert (found.damaged, found.unreadable) == ((), ((file, "Permission denied"),))
        told = command("jobs", folder, "--check")
        assert told.exit_code == 1
        assert "Cannot be read, Permission denied: " in flat(told.stdout)
        assert "Damaged" not in told.stdout
        done = command(*ASKED, "--job", folder)
        assert (done.exit_code, done.stdout) == (0, alone)
        assert done.stderr == f"{file} cannot be read, Permission denied: it is made anew\n"
