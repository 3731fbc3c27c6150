"""Folders of jobs: what they take, what they refuse, and results that are the same wherever pieces come from."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from basra_sim import duel, job
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Task
from basra_sim.jobs import folders
from tests.commands import command, document, environment, flat, output, refusal
from tests.test_jobs_identity import TASKS

ASKED = ("simulate", "bastra", "--policy", "counter", "--rounds", 150_000, "--json")
"""Three pieces."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a job."""
    return tmp_path / "night"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Ranges of units that are played, as they are."""
    found: list[tuple[int, int]] = []
    call = Task.__call__

    def noted(self: Task, first: int, count: int) -> Any:
        found.append((first, count))
        return call(self, first, count)

    monkeypatch.setattr(Task, "__call__", noted)
    return found


def kept(folder: Path) -> list[Path]:
    """Files of the pieces in a folder."""
    return sorted(folder.glob("pieces/*/*.parquet"))


@pytest.mark.parametrize("name", TASKS)
def test_a_folder_changes_no_result_and_nothing_is_played_twice(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[tuple[int, int]]
) -> None:
    """Nor does the loss of some pieces: they are played anew, and nothing else is."""
    monkeypatch.chdir(tmp_path)
    args = (*TASKS[name], "--threads", 2)
    alone = output(*args) if name != "tune" else command(*args).stdout
    written = Path("w.json").read_bytes() if name == "tune" else b""
    Path("w.json").unlink(missing_ok=True)

    def again() -> list[tuple[int, int]]:
        played.clear()
        done = command(*args, "--job", "job")
        assert (done.exit_code, done.stdout) == (0, alone), done.output
        if name == "tune":
            assert Path("w.json").read_bytes() == written
            Path("w.json").unlink()
        return sorted(played)

    assert again()
    assert again() == []
    files = kept(Path("job"))
    lost = random.Random(name).sample(files, max(1, len(files) // 2))
    before = {file: file.read_bytes() for file in lost}
    for file in lost:
        file.unlink()
    assert again() == sorted(tuple(map(int, file.stem.split("-"))) for file in lost)
    assert {file: file.read_bytes() for file in lost} == before
    assert kept(Path("job")) == files


def test_a_damaged_piece_is_told_and_played_anew(folder: Path, played: list[tuple[int, int]]) -> None:
    alone = output(*ASKED, "--job", folder)
    files = kept(folder)
    assert len(files) == 3
    before = [file.read_bytes() for file in files]
    files[0].write_bytes(before[0][:-1])
    files[1].write_bytes(before[2])
    files[2].unlink()
    files[2].mkdir()
    files[2].rmdir()
    files[2].symlink_to(files[0])
    played.clear()
    done = command(*ASKED, "--job", folder)
    assert (done.exit_code, done.stdout) == (0, alone)
    assert sorted(played) == sorted(tuple(map(int, file.stem.split("-"))) for file in files)
    said = done.stderr.splitlines()
    assert len(said) == 3
    assert all("is damaged, " in line and line.endswith(": it is made anew") for line in said)
    assert [file.read_bytes() for file in files] == before
    assert not any(file.is_symlink() for file in files)


def test_a_piece_that_is_a_folder(folder: Path) -> None:
    output(*ASKED, "--job", folder)
    file = kept(folder)[0]
    file.unlink()
    file.mkdir()
    assert "cannot be written" in refusal(*ASKED, "--job", folder, code=1)
    file.rmdir()
    output(*ASKED, "--job", folder)


OTHERS: dict[str, tuple[tuple[object, ...], str]] = {
    "seed": (("--seed", 2), "seed was 1, now it is 2"),
    "rounds": (("--rounds", 150_001), "rounds was 150000, now it is 150001"),
    "players": (("--players", 3), "players was not given, now it is 3"),
    "policy": (("--policy", "greedy"), "policy was counter, now it is counter, greedy"),
    "rules": (("--set", "target=50"), "target=50"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_settings_are_refused(folder: Path, name: str) -> None:
    output(*ASKED, "--job", folder)
    more, said = OTHERS[name]
    told = refusal(*ASKED, *more, "--job", folder)
    assert told.startswith(f"{folder} holds a job of other settings: ")
    assert said in told
    told = refusal("simulate", "egyptian", *ASKED[2:], "--job", folder)
    assert "variant was bastra, now it is egyptian" in told
    assert "command was simulate, now it is duel" in refusal("duel", "counter", "greedy", "--job", folder)
    output(*ASKED, "--job", folder)


def test_where_it_is_done_is_no_setting(folder: Path) -> None:
    alone = output(*ASKED, "--job", folder)
    assert output(*ASKED, "--job", folder, "--threads", 1) == alone
    assert output(*ASKED[:-1], "--job", folder, "--quiet") != alone


def test_a_file_that_has_changed_is_refused(folder: Path, tmp_path: Path) -> None:
    player = tmp_path / "mine+b.py"
    text = "from basra_sim import policy\n@policy\ndef mine(view, play):\n    return play.points + {}\n"
    player.write_text(text.format(1))
    args = ("simulate", "bastra", "--policy", player, "--rounds", 100)
    output(*args, "--job", folder)
    player.write_text(text.format(2))
    assert refusal(*args, "--job", folder).endswith(f"settings: the file {player} has changed")
    player.write_text(text.format(1))
    output(*args, "--job", folder)


@pytest.mark.parametrize("name", ["basra-sim", "sources", "numba", "numpy"])
def test_another_version_is_refused(folder: Path, name: str) -> None:
    output(*ASKED, "--job", folder)
    file = folder / "job.json"
    told = json.loads(file.read_text())
    told["made_by"][name] = "0.0.1"
    file.write_text(json.dumps(told))
    was = "other sources of basra-sim" if name == "sources" else f"{name} 0.0.1, this is "
    assert f"was begun with {was}" in refusal(*ASKED, "--job", folder)


def test_what_is_no_folder_of_a_job(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary").write_text("")
    for name, said in (
        ("file", "is no folder: give the folder of the job"),
        ("full", "is no folder of a job: it holds diary"),
        ("none/night", f"the folder {tmp_path / 'none'} does not exist"),
        ("file/night", f"the folder {tmp_path / 'file'} does not exist"),
    ):
        assert said in refusal(*ASKED, "--job", tmp_path / name)
    assert "cannot be written" in refusal(*ASKED, "--job", tmp_path / ("long" * 100))
    assert (tmp_path / "full" / "diary").read_text() == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "full"]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "{}", "null", '{"format": 1}', '{"format": 1, "made_by": {}, "asked": []}', "[" * 100_000,
        '{"format": 1, "made_by": {}, "asked": {"a": NaN}}', "\0", "9" * 9999, " " * (1 << 21),
    ],
)  # fmt: skip
def test_what_was_asked_for_is_damaged(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "job.json").write_text(text)
    for args in ((*ASKED, "--job", folder), ("jobs", folder), ("jobs", folder, "--json")):
        said = refusal(*args)
        assert said.startswith(str(folder / "job.json"))
        assert said.endswith("it is not whole; remove the folder to begin anew") or "larger than" in said


def test_another_format_is_refused(folder: Path) -> None:
    folder.mkdir()
    (folder / "job.json").write_text('{"format": 2, "made_by": {}, "asked": {}}')
    assert "is of format 2: this version knows format 1" in refusal("jobs", folder)


@pytest.mark.parametrize("name", ["job.json", "pieces", "lock", "finished", "pieces/t"])
def test_a_job_stays_within_its_folder(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / "pieces").mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / ".a.part").write_text("mine")
    place = folder / name
    if place.is_dir():
        place.rmdir()
    place.symlink_to(outside)
    assert refusal(*ASKED, "--job", folder) == f"{place} is a link to elsewhere: a job stays within its folder"
    assert [each.name for each in outside.iterdir()] == [".a.part"]


def test_what_was_never_finished_is_removed(folder: Path) -> None:
    alone = output(*ASKED, "--job", folder)
    left = [folder / ".job.json.abc.part", kept(folder)[0].parent / ".0-1.parquet.x.part", folder / "pieces/.y.part"]
    for file in left:
        file.write_bytes(b"half")
    assert output(*ASKED, "--job", folder) == alone
    assert not any(file.exists() for file in left)


def test_a_folder_that_another_process_holds(folder: Path) -> None:
    folder.mkdir()
    text = f"""
from pathlib import Path
from basra_sim.jobs.folders import held
with held(Path({str(folder)!r})):
    print("held", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", text], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        told = refusal(*ASKED, "--job", folder, code=1)
        assert told == f"{folder} is being worked on by another process: wait for it, or give another folder"
        (folder / "job.json").write_text('{"format": 1, "made_by": {}, "asked": {}}')
        assert document("jobs", folder)["state"] == "being worked on"
        holder.kill()
    (folder / "job.json").unlink()
    output(*ASKED, "--job", folder)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_cannot_be_written_to(folder: Path) -> None:
    folder.mkdir(mode=0o500)
    assert "cannot be written" in refusal(*ASKED, "--job", folder, code=1)


def test_what_jobs_tells(folder: Path) -> None:
    output(*ASKED, "--job", folder)
    text = output("jobs", folder)
    assert flat(text).startswith(f"{folder}: basra-sim simulate, finished")
    assert "rounds: 150000" in text
    assert "150,000  150,000  100%       3" in text
    found = document("jobs", folder, "--check")
    assert (found["state"], found["damaged"]) == ("finished", [])
    assert [(each["units"], each["of"], each["pieces"]) for each in found["tasks"]] == [(150_000, 150_000, 3)]
    assert found["bytes"] == sum(file.stat().st_size for file in kept(folder))

    files = kept(folder)
    size = files[0].stat().st_size
    data = bytearray(files[0].read_bytes())
    data[4] ^= 1
    files[0].write_bytes(data)
    files[1].write_bytes(b"")
    (folder / "finished").unlink()
    found = document("jobs", folder)
    assert found["state"] == "unfinished"
    assert [each["piece"] for each in found["damaged"]] == [str(files[1])]
    done = command("jobs", folder, "--check", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, done.stderr) == (1, "")
    assert sorted(each["piece"] for each in found["damaged"]) == sorted(map(str, files[:2]))
    assert found["bytes"] == files[2].stat().st_size
    done = command("jobs", folder, "--check")
    assert (done.exit_code, done.stderr) == (1, "")
    assert flat(done.stdout).count("it will be made anew") == 2
    assert size == files[0].stat().st_size


def test_jobs_changes_nothing(folder: Path) -> None:
    output(*ASKED, "--job", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    output("jobs", folder, "--check")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert "is no folder of a job: it has no job.json" in refusal("jobs", folder / "pieces")
    assert "is no folder of a job" in refusal("jobs", folder.parent / "none")


def test_what_others_wrote_is_shown_as_text(folder: Path) -> None:
    folder.mkdir()
    settings = {"\x1b[2J": "\x07\n\u202e", "n": [1, {"a": None}], "deep": [[[]]]}
    asked = {"command": "\x1b]0;x\x07", "settings": settings}
    (folder / "job.json").write_text(json.dumps({"format": 1, "made_by": {"a": 1}, "asked": asked}))
    text = output("jobs", folder)
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert document("jobs", folder)["asked"] == asked


def test_a_job_of_the_library(folder: Path, played: list[tuple[int, int]]) -> None:
    alone = duel("counter", "greedy", deals=3000).to_dict()
    played.clear()
    with job(folder):
        assert duel("counter", "greedy", deals=3000).to_dict() == alone
    assert played
    played.clear()
    with job(folder):
        assert duel("counter", "greedy", deals=3000).to_dict() == alone
    assert played == []
    with pytest.raises(InputError, match="other settings: name was not given, now it is x"), job(folder, {"name": "x"}):
        pass


def test_a_job_that_fails_is_not_finished(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError), job(folder):
        raise ZeroDivisionError
    assert not (folder / "finished").exists()
    with job(folder):
        pass
    assert (folder / "finished").exists()


def test_a_job_within_itself(folder: Path) -> None:
    with job(folder):
        with pytest.raises(BasraError, match="is being worked on by this process already"), job(folder):
            pass
        with job(folder.parent / "other"):
            pass


def test_the_options_of_where_it_is_done() -> None:
    told = refusal(*ASKED, "--workers", 2, "--scheduler", "tcp://127.0.0.1:1")
    assert told.startswith("--workers and --scheduler are both given: give one of them")
    assert "0 is not possible: it takes a whole number from 1 to 256" in refusal(*ASKED, "--workers", 0)


def test_names_within_a_folder() -> None:
    """They are published: whoever looks into a folder finds them."""
    assert (folders.ASKED, folders.PIECES, folders.FINISHED, folders.LOCK) == ("job.json", "pieces", "finished", "lock")


def test_a_job_can_be_moved(folder: Path, played: list[tuple[int, int]]) -> None:
    alone = output(*ASKED, "--job", folder)
    shutil.move(folder, folder.parent / "moved")
    played.clear()
    assert output(*ASKED, "--job", folder.parent / "moved") == alone
    assert played == []
