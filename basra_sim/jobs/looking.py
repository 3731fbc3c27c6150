"""What there is in the folder of a job."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from basra_sim.errors import InputError
from basra_sim.jobs.folders import ENDING, FINISHED, PIECES, is_held, is_left_over, told
from basra_sim.jobs.pieces import Damaged, Label, label_of, unpacked


@dataclass(frozen=True)
class Kept:
    """
    What is kept of one task.

    Attributes
    ----------
    about : what is played
    units, of : units that are played, and units of the task
    pieces : files that hold them
    """

    about: str
    units: int
    of: int
    pieces: int


@dataclass(frozen=True)
class Look:
    """
    What there is in a folder.

    Attributes
    ----------
    folder : Path
    state : ``finished``, ``unfinished``, or ``being worked on``
    made_by : versions, by name
    asked : what was asked for, as `keeping.job` was told
    tasks : what is kept of each task
    size : bytes of all pieces
    damaged : (path, reason) of pieces that will be made anew
    unreadable : (path, reason) of pieces of which nobody knows, as they cannot be read
    """

    folder: Path
    state: str
    made_by: dict[str, str]
    asked: dict[str, Any]
    tasks: tuple[Kept, ...]
    size: int
    damaged: tuple[tuple[Path, str], ...]
    unreadable: tuple[tuple[Path, str], ...]

    @property
    def words(self) -> str:
        """What was asked for, in a word."""
        return f"basra-sim {self.asked['command']}" if "command" in self.asked else "a job"

    @property
    def settings(self) -> list[tuple[str, str]]:
        """Settings that were given, each in words."""
        given = self.asked.get("settings")
        pairs = given.items() if isinstance(given, dict) else ()
        return [
            (str(name), ", ".join(map(str, value)) if isinstance(value, list) else str(value))
            for name, value in pairs
            if value not in (None, [], False, "")
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        return {
            "folder": str(self.folder),
            "state": self.state,
            "made_by": self.made_by,
            "asked": self.asked,
            "tasks": [asdict(each) for each in self.tasks],
            "bytes": self.size,
            "damaged": [{"piece": str(path), "reason": reason} for path, reason in self.damaged],
            "unreadable": [{"piece": str(path), "reason": reason} for path, reason in self.unreadable],
        }


def look(folder: Path, *, check: bool = False) -> Look:
    """
    See what there is in a folder; nothing of it is changed.

    Parameters
    ----------
    check : whether each piece is read whole, to find those that are damaged within

    Raises
    ------
    InputError
        If it is no folder of a job, or it or a folder of pieces cannot be read.
    """
    known = told(folder)
    labels: dict[str, list[Label]] = {}
    damaged, unreadable, size = [], [], 0
    for file in _files(folder / PIECES):
        try:
            label = unpacked(file)[0] if check else label_of(file)
            if (file.parent.name, file.stem) != (label.task, f"{label.first}-{label.count}"):
                raise Damaged("it is the piece of something else")
            size += file.stat().st_size
        except Damaged as reason:
            damaged.append((file, str(reason)))
        except OSError as error:
            unreadable.append((file, error.strerror or str(error)))
        else:
            labels.setdefault(label.task, []).append(label)
    tasks = (
        Kept(each[0].about, sum(label.count for label in each), _reach(each), len(each)) for each in labels.values()
    )
    state = "being worked on" if is_held(folder) else "finished" if (folder / FINISHED).exists() else "unfinished"
    return Look(
        folder,
        state,
        known["made_by"],
        known["asked"],
        tuple(sorted(tasks, key=lambda kept: kept.about)),
        size,
        tuple(damaged),
        tuple(unreadable),
    )


def _files(pieces: Path) -> list[Path]:
    """All that stand in the places of pieces."""
    try:
        tasks = [each for each in pieces.iterdir() if not is_left_over(each.name)] if pieces.exists() else []
        return sorted(file for task in tasks for file in task.iterdir() if file.suffix == ENDING)
    except OSError as error:
        raise InputError(f"{error.filename or pieces} cannot be read: {error.strerror or error}") from error


def _reach(labels: list[Label]) -> int:
    """Units of a task: of one that was asked for range by range, of all ranges so far."""
    first = min(label.task_first for label in labels)
    return max(label.task_first + label.task_count for label in labels) - first
