"""Writing a report: aside, then into place, so that nothing half-written is ever seen and nothing of others is lost."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from basra_sim.errors import BasraError, InputError
from basra_sim.files import check_possible
from basra_sim.inputs import read_bytes

PAGE, MARKDOWN, JSON, SCHEMA = "index.html", "report.md", "report.json", "report.schema.json"
"""Names of the page, of the same as Markdown and as JSON, and of the schema of that."""

DATA, FIGURES = "data", "figures"
"""Names of the folders of data and of pictures beside them."""

UNFINISHED = "-unfinished"
"""Behind the name of a folder: where a report goes that was cut short, if a whole one stands in its place."""

LIST = "files.txt"
"""Name of the list of all files of a report: a folder that holds no others may be replaced."""

GENERATOR = "basra-sim report"
"""What a page says that made it."""


def check_place(output: str | os.PathLike[str]) -> Path:
    """
    Refuse a folder that a report must not go to, before anything is played.

    Raises
    ------
    InputError
        If it is a file, or holds anything but a report.
    """
    check_possible(output)
    place = Path(output).resolve()
    if place.exists() and not place.is_dir():
        raise InputError(f"{output} is a file: --output takes the name of a folder")
    foreign = next(_foreign(place), None) if place.is_dir() else None
    if foreign is not None:
        raise InputError(f"{output} holds {foreign}, which is no part of a report: choose an empty or a new folder")
    return place


def try_place(output: str | os.PathLike[str]) -> None:
    """
    Refuse a folder that a report cannot be written to, before anything is played.

    Raises
    ------
    InputError, BasraError
        As `prepared` does.
    """
    with suppress(_Tried), prepared(output):
        raise _Tried


class _Tried(Exception):  # noqa: N818 -- no error: it leaves a folder that was only tried as it was
    """Nothing is to be moved into place."""


def unfinished_place(output: str | os.PathLike[str]) -> Path:
    """Where a report goes that was cut short: its place, or beside it if a report stands there already."""
    place = Path(output)
    return place.with_name(f"{place.name}{UNFINISHED}") if place.exists() and any(place.iterdir()) else place


def _foreign(place: Path) -> Iterator[str]:
    """What a folder holds besides a report: all files that its list does not name."""
    ours = _listed(place / LIST)
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if (path.is_symlink() or not path.is_dir()) and name not in ours:
            yield name


def _listed(file: Path) -> set[str]:
    """Files of a report by its list, the list among them; none if there is no such list."""
    if not file.is_file():
        return set()
    try:
        text = read_bytes(file).decode("utf-8", "replace")
    except OSError:
        return set()
    first, *names = text.splitlines() or [""]
    return {LIST, *names} if first.startswith(GENERATOR) else set()


@contextmanager
def prepared(output: str | os.PathLike[str]) -> Iterator[Path]:
    """
    A folder beside the place of a report to write it in; left without an error, it is moved into place.

    Raises
    ------
    InputError
        If the place is none for a report.
    BasraError
        If nothing can be written there.
    """
    place = check_place(output)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        aside = place.with_name(f".{place.name}.{token_hex(4)}")
        aside.mkdir()
    except OSError as error:
        raise BasraError(f"{output} cannot be written: {error.strerror or error}") from error
    try:
        yield aside
        _move(aside, check_place(place))
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def write(files: Iterable[tuple[str, str | bytes]], folder: Path) -> None:
    """
    Write the files of a report into a folder, and the list of them.

    Raises
    ------
    BasraError
        If one of them cannot be written.
    """
    names = []
    for name, content in files:
        _write(folder, name, content)
        names.append(name)
    _write(folder, LIST, "\n".join([f"{GENERATOR} made these files", *names, ""]))


def _write(folder: Path, name: str, content: str | bytes) -> None:
    """Write one file."""
    path = folder / name
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise BasraError(f"{name} of the report cannot be written: {error.strerror or error}") from error


def _move(aside: Path, place: Path) -> None:
    """Put a folder in the place of another one, which is gone only when it stands there."""
    before = aside.with_name(f"{aside.name}.old") if place.exists() else None
    try:
        if before:
            place.rename(before)
        try:
            aside.rename(place)
        except OSError:
            if before:
                before.rename(place)
            raise
    except OSError as error:
        raise BasraError(f"{place} cannot be replaced: {error.strerror or error}") from error
    if before:
        shutil.rmtree(before, ignore_errors=True)
