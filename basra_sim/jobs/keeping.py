"""Who keeps the finished pieces of tasks in the folder of a job, and takes them from there."""

import stat
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import Any

from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Arrays, Task, placed
from basra_sim.identity import identity
from basra_sim.inputs import is_file
from basra_sim.jobs.folders import ENDING, PIECES, Mark, begin, finish, held, keep
from basra_sim.jobs.pieces import Damaged, Label, packed, unpacked

Notice = Callable[[str], None]
"""Told, in a line, of a piece that is damaged."""


@dataclass(frozen=True)
class Folder:
    """
    Keeper of pieces in a folder.

    Attributes
    ----------
    path : Path
    mark : as `folders.held` gives it
    notice : whom to tell of damaged pieces
    """

    path: Path
    mark: Mark
    notice: Notice

    def shelf(self, task: Task, first: int, count: int) -> "FolderShelf":
        """As `executors.Keeper.shelf`."""
        key = identity((task.work, task.merges))
        label = Label(key, task.label, 0, 0, first, count)
        return FolderShelf(self, label, len(task.merges))


@dataclass(frozen=True)
class FolderShelf:
    """
    Shelf for the pieces of a task: see `executors.Shelf`.

    Attributes
    ----------
    folder : keeper
    label : what pieces of the task are of, but for their range
    size : arrays of each
    """

    folder: Folder
    label: Label
    size: int

    def has(self, first: int, count: int) -> bool:
        """Whether there is a file of a range."""
        return is_file(self.folder.path / self._name(first, count))

    def load(self, first: int, count: int) -> Arrays | None:
        """
        The piece of a range; None if there is none, or a damaged one, which is told.

        A piece is known by its task and its own range: by which range of the task it was asked for does not matter.

        Raises
        ------
        BasraError
            If it cannot be known whether there is one.
        """
        file = self.folder.path / self._name(first, count)
        try:
            if not stat.S_ISREG(file.stat().st_mode):
                return None
        except PermissionError as error:
            raise BasraError(f"{file} cannot be read: {error.strerror or error}") from error
        except OSError:
            return None
        try:
            label, arrays = unpacked(file)
            if (label.task, label.first, label.count) != (self.label.task, first, count) or len(arrays) != self.size:
                raise Damaged("it is the piece of something else")
        except Damaged as reason:
            self.folder.notice(f"{file} is damaged, {reason}: it is made anew")
            return None
        except OSError as error:
            self.folder.notice(f"{file} cannot be read, {error.strerror or error}: it is made anew")
            return None
        return arrays

    def save(self, first: int, count: int, found: Arrays) -> None:
        """Keep the piece of a range."""
        of = self.label
        label = Label(of.task, of.about, first, count, of.task_first, of.task_count)
        keep(self.folder.path, self.folder.mark, self._name(first, count), packed(label, found))

    def _name(self, first: int, count: int) -> str:
        """Name of the file of the piece of a range, within the folder of the job."""
        return f"{PIECES}/{self.label.task}/{first}-{count}{ENDING}"


@contextmanager
def _kept(path: Path, asked: Mapping[str, Any], notice: Notice) -> Iterator[None]:
    """Keep what is played meanwhile."""
    with held(path) as mark:
        begin(path, mark, asked)
        with placed(keeper=Folder(path, mark, notice)):
            yield
        finish(path, mark)


@dataclass(frozen=True)
class Job(ContextDecorator):
    """A folder that keeps what is played within: see `job`. It may be entered again after it was left."""

    path: Path
    asked: Mapping[str, Any]
    notice: Notice
    _entered: list[AbstractContextManager[None]] = field(default_factory=list)

    def __enter__(self) -> None:
        """Begin, or go on."""
        kept = _kept(self.path, self.asked, self.notice)
        kept.__enter__()
        self._entered.append(kept)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Come to the end, unless something went wrong."""
        self._entered.pop().__exit__(kind, error, trace)


def _warn(text: str) -> None:
    """Tell of a damaged piece in a program."""
    warnings.warn(text, UserWarning, stacklevel=2)


def job(folder: str | PathLike[str], asked: Mapping[str, Any] | None = None, notice: Notice = _warn) -> Job:
    """
    Keep the finished pieces of all that is played meanwhile in a folder, and take those that it has from there.

    What is played again so, after an interruption or a crash, goes on where it stopped, and comes to the very same.

    Parameters
    ----------
    folder : one of the same job, or one that is empty or does not exist yet
    asked : what was asked for, in values JSON can hold; a folder where something else was asked for is refused
    notice : told of pieces that are damaged, in place of a warning; they are made anew

    Raises
    ------
    InputError
        When it is entered, if it is no such folder, or one of another job or of another version.
    BasraError
        If another process works on it, it is moved or removed meanwhile, or something cannot be written.

    Examples
    --------
    >>> with basra_sim.job("night"):  # doctest: +SKIP
    ...     basra_sim.duel("counter", "greedy", deals=10_000_000)
    """
    if not fspath(folder):
        raise InputError("'' is no name of a folder: give one for the job")
    return Job(Path(folder), asked or {}, notice)
