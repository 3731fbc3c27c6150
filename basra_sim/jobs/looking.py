"""What there is in the folder of a job."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from basra_sim.jobs.folders import FINISHED, PIECES, is_held, told
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
    """

    folder: Path
    state: str
    made_by: dict[str, str]
    asked: dict[str, Any]
    tasks: tuple[Kept, ...]
    size: int
    damaged: tuple[tuple[Path, str], ...]

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
        If it is no folder of a job.
    """
    known = told(folder)
    labels: dict[str, list[Label]] = {}
    damaged, size = [], 0
    for file in sorted((folder / PIECES).glob("*/*.parquet")):
        try:
            label = unpacked(file)[0] if check else label_of(file)
            if (file.parent.name, file.stem) != (label.task, f"{label.first}-{label.count}"):
                raise Damaged("it is the piece of something else")
            size += file.stat().st_size
        except Damaged as reason:
            damaged.append((file, str(reason)))
        except OSError as error:
            damaged.append((file, error.strerror or str(error)))
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
    )


def _reach(labels: list[Label]) -> int:
    """Units of a task: of one that was asked for range by range, of all ranges so far."""
    first = min(label.task_first for label in labels)
    return max(label.task_first + label.task_count for label in labels) - first
