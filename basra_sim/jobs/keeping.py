"""Who keeps the finished pieces of tasks in the folder of a job, and takes them from there."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from basra_sim.errors import InputError
from basra_sim.executors import Arrays, Task, placed
from basra_sim.identity import identity
from basra_sim.jobs.folders import PIECES, begin, finish, held, keep
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
    notice : whom to tell of damaged pieces
    """

    path: Path
    notice: Notice

    def shelf(self, task: Task, first: int, count: int) -> "FolderShelf":
        """As `executors.Keeper.shelf`."""
        key = identity((task.work, task.merges))
        label = Label(key, task.label, 0, 0, first, count)
        return FolderShelf(self, self.path / PIECES / key, label, len(task.merges))


@dataclass(frozen=True)
class FolderShelf:
    """
    Shelf for the pieces of a task: see `executors.Shelf`.

    Attributes
    ----------
    folder : keeper
    place : where the pieces are
    label : what pieces of the task are of, but for their range
    size : arrays of each
    """

    folder: Folder
    place: Path
    label: Label
    size: int

    def has(self, first: int, count: int) -> bool:
        """Whether there is a file of a range."""
        return self._file(first, count).is_file()

    def load(self, first: int, count: int) -> Arrays | None:
        """
        The piece of a range; None if there is none, or a damaged one, which is told.

        A piece is known by its task and its own range: by which range of the task it was asked for does not matter.
        """
        file = self._file(first, count)
        if not file.is_file():
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
        keep(self._file(first, count), packed(label, found))

    def _file(self, first: int, count: int) -> Path:
        """File of the piece of a range."""
        return self.place / f"{first}-{count}.parquet"


@contextmanager
def job(
    folder: str | PathLike[str], asked: Mapping[str, Any] | None = None, notice: Notice = lambda _: None
) -> Iterator[None]:
    """
    Keep the finished pieces of all that is played meanwhile in a folder, and take those that it has from there.

    What is played again so, after an interruption or a crash, goes on where it stopped, and comes to the very same.

    Parameters
    ----------
    folder : one of the same job, or one that is empty or does not exist yet
    asked : what was asked for, in values JSON can hold; a folder where something else was asked for is refused
    notice : told of pieces that are damaged; they are made anew

    Raises
    ------
    InputError
        If it is no such folder, or one of another job or of another version.
    BasraError
        If another process works on it, or something cannot be written.

    Examples
    --------
    >>> with basra_sim.job("night"):  # doctest: +SKIP
    ...     basra_sim.duel("counter", "greedy", deals=10_000_000)
    """
    if not fspath(folder):
        raise InputError("'' is no name of a folder: give one for the job")
    path = Path(folder)
    with held(path):
        begin(path, asked or {})
        with placed(keeper=Folder(path, notice)):
            yield
        finish(path)
