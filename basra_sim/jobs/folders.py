"""
The folder of a job: what was asked for, of which version, and the pieces that are finished.

``job.json`` says what was asked for, ``pieces/TASK/FIRST-COUNT.parquet`` are the pieces, ``finished`` stands once the
job has come to its end, and ``lock`` is held by the process that works on it. All files appear only when whole.
"""

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from basra_sim.errors import BasraError, InputError
from basra_sim.files import check_possible, put
from basra_sim.identity import fingerprint
from basra_sim.inputs import parse_json, read_text
from basra_sim.rules.wording import shown

FORMAT = 1
"""Number of this layout of a folder."""

ASKED, PIECES, FINISHED, LOCK = "job.json", "pieces", "finished", "lock"
"""Names within a folder."""

ENDING = ".parquet"
"""Ending of the name of a piece."""

_WRITTEN = {"changes": "--set"}
"""Options by the names that they have in ``job.json``, where a person writes another."""

Mark = tuple[int, int]
"""What tells a file from all others, wherever it is moved to."""

_mine: set[Mark | None] = set()
"""Marks of the folders that this process holds."""


@contextmanager
def held(folder: Path) -> Iterator[Mark]:
    """
    Hold a folder, which is made if need be: no other process can meanwhile.

    Yields
    ------
    mark : that by which `keep` knows the folder again

    Raises
    ------
    InputError
        If it is no folder, or that which it is to stand in does not exist.
    BasraError
        If another process holds it, or this one already, or it cannot be written to.
    """
    from filelock import FileLock, Timeout

    check_possible(folder)
    with _written(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is no folder: give the folder of the job, or one that does not exist yet")
        if not folder.parent.is_dir():
            raise InputError(f"{folder}: the folder {folder.parent} does not exist")
        folder.mkdir(exist_ok=True)
        _refuse_others(folder)
        refuse_links(folder)
        lock = FileLock(folder / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise _worked_on(folder) from None
    mark = None
    try:
        with _written(folder):
            mark = _mark(folder)
        if mark is None:
            raise _gone(folder)
        _mine.add(mark)
        yield mark
    finally:
        _mine.discard(mark)
        lock.release()


def _worked_on(folder: Path) -> BasraError:
    """That somebody holds a folder."""
    if _mark(folder) in _mine:
        return BasraError(f"{folder} is being worked on by this process already: leave that job first")
    return BasraError(f"{folder} is being worked on by another process: wait for it, or give another folder")


def _mark(folder: Path) -> Mark | None:
    """Mark of the lock of a folder; None where there is none."""
    try:
        about = (folder / LOCK).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return about.st_dev, about.st_ino


def _gone(folder: Path) -> BasraError:
    """That a folder is not the one that is held."""
    return BasraError(
        f"{folder} was moved, removed or replaced while it was worked on, and nothing more is kept: "
        "give the folder where it is now, or begin anew"
    )


def _refuse_others(folder: Path) -> None:
    """Refuse a folder that holds something, but no job, and one whose parts are links to elsewhere."""
    names = sorted(each.name for each in folder.iterdir())
    known = {ASKED, PIECES, FINISHED, LOCK}
    for place in [*(folder / name for name in sorted(known & set(names))), *(folder / PIECES).glob("*")]:
        if place.is_symlink():
            raise InputError(f"{place} is a link to elsewhere: a job stays within its folder")
    if ASKED not in names and (other := [name for name in names if name not in known and not is_left_over(name)]):
        raise InputError(
            f"{folder} is no folder of a job: it holds {other[0]}; give one that is empty or not there yet"
        )


def refuse_links(folder: Path) -> None:
    """
    Refuse a folder in which a name that a job knows is a link or of another kind: nothing is done elsewhere.

    Pieces may be anything: what is no file is damaged, and what takes a link's place leaves alone what it leads to.

    Raises
    ------
    InputError
    """
    names = [folder / name for name in (ASKED, FINISHED, LOCK)]
    tasks = list((folder / PIECES).iterdir()) if _is_plain(folder / PIECES, stat.S_ISDIR) else []
    folders = [folder / PIECES, *(task for task in tasks if not is_left_over(task.name))]
    for paths, is_kind, what in ((folders, stat.S_ISDIR, "folder"), (names, stat.S_ISREG, "file")):
        for path in paths:
            if os.path.lexists(path) and not _is_plain(path, is_kind):
                raise InputError(f"{path} is no plain {what}, as all of a job are: remove it, or give another folder")


def _is_plain(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Whether there is a file of a kind, no link to one."""
    try:
        return is_kind(path.lstat().st_mode)
    except OSError:
        return False


def is_left_over(name: str) -> bool:
    """Whether a name is one of a file that was never finished."""
    return name.startswith(".") and name.endswith(".part")


@contextmanager
def _written(place: Path) -> Iterator[None]:
    """Say in one line that something cannot be written."""
    try:
        yield
    except OSError as error:
        raise BasraError(f"{error.filename or place} cannot be written: {error.strerror or error}") from error


def keep(folder: Path, mark: Mark, name: str, data: bytes) -> None:
    """
    Write a file of a job into its folder, or into one within that, whole or not at all.

    Raises
    ------
    BasraError
        If it cannot be written, or the folder is no longer the one that was held.
    """
    path = folder / name
    with _written(path):
        if _mark(folder) != mark:
            raise _gone(folder)
        if path.parent != folder:
            path.parent.mkdir(exist_ok=True)  # not those above it, so that the folder of a job is never made anew
        put(path, data)


def begin(folder: Path, mark: Mark, asked: Mapping[str, Any]) -> None:
    """
    Begin a job in a held folder, or go on with the one that it holds; what was never finished there is removed.

    Raises
    ------
    InputError
        If it holds a job of other settings, or of another version.
    BasraError
        If it cannot be written to.
    """
    mine = {"format": FORMAT, "made_by": dict(fingerprint()), "asked": json.loads(json.dumps(asked))}
    if (folder / ASKED).exists():
        _refuse_different(folder, mine, told(folder))
    else:
        keep(folder, mark, ASKED, (json.dumps(mine, indent=1) + "\n").encode())
    with _written(folder / PIECES):
        (folder / PIECES).mkdir(exist_ok=True)
    with suppress(OSError):
        for left in (each for place in (folder, folder / PIECES) for each in place.rglob(".*.part")):
            left.unlink()


def told(folder: Path) -> dict[str, Any]:
    """
    What is written in a folder of the job that it holds.

    Raises
    ------
    InputError
        If it holds none, or what is written is damaged or of another format.
    """
    file = folder / ASKED
    hint = "it is not whole; remove the folder to begin anew"
    try:
        if not _may_be_file(file):
            raise InputError(f"{folder} is no folder of a job: it has no {ASKED}")
        refuse_links(folder)
        found = parse_json(read_text(file))
    except OSError as error:
        raise InputError(f"{error.filename or file} cannot be read: {error.strerror or error}") from error
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{file}: {hint}") from error
    if not isinstance(found, dict) or not all(isinstance(found.get(key), dict) for key in ("made_by", "asked")):
        raise InputError(f"{file}: {hint}")
    if found.get("format") != FORMAT:
        raise InputError(f"{file} is of format {shown(found.get('format'))}: this version knows format {FORMAT}")
    return found


def _may_be_file(file: Path) -> bool:
    """Whether there is a file of that name, or may be, where one may not look."""
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except PermissionError:
        raise
    except (OSError, ValueError):
        return False


def _refuse_different(folder: Path, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    """Refuse to go on with a job of another version, or of other settings."""
    for name, value in mine["made_by"].items():
        if (other := theirs["made_by"].get(name)) != value:
            what = "other sources of basra-sim" if name == "sources" else f"{name} {other}"
            has = "" if name == "sources" else f", this is {value}"
            raise InputError(f"{folder} was begun with {what}{has}: results could differ; give another folder")
    asks, asked = (each["asked"].get("command") for each in (mine, theirs))
    if (asks is None) != (asked is None):
        one, other = (f"the command {each}" if each else "a program (basra_sim.job)" for each in (asked, asks))
        raise InputError(f"{folder} holds a job of {one}, and this is one of {other}: give another folder")
    for name in dict.fromkeys([*mine["asked"], *theirs["asked"]]):
        now, then = (each["asked"].get(name) for each in (mine, theirs))
        if now != then:
            raise InputError(f"{folder} holds a job of other settings: {_difference(name, then, now)}")


def _difference(name: str, then: Any, now: Any) -> str:
    """The first thing that differs between two values, in words."""
    inner = None
    if isinstance(then, dict) and isinstance(now, dict):
        inner = next((key for key in dict.fromkeys([*now, *then]) if then.get(key) != now.get(key)), None)
    if inner is not None:
        if name == "files":
            return f"the file {inner} has changed"
        return f"{_WRITTEN.get(inner, inner)} was {_value(then.get(inner))}, now it is {_value(now.get(inner))}"
    return f"{name} was {_value(then)}, now it is {_value(now)}"


def _value(value: Any) -> str:
    """A setting as a person reads it."""
    text = "not given" if value in (None, [], ()) else ", ".join(map(str, value)) if isinstance(value, list) else value
    return str(text)


def finish(folder: Path, mark: Mark) -> None:
    """Note that a job has come to its end."""
    keep(folder, mark, FINISHED, b"")


def is_held(folder: Path) -> bool:
    """Whether a process works on a folder now."""
    from filelock import FileLock, Timeout

    if not (folder / LOCK).is_file() or not os.access(folder / LOCK, os.W_OK):
        return False
    try:
        with FileLock(folder / LOCK).acquire(timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
