"""Files that appear only when they are complete."""

import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from basra_sim.errors import InputError

_one_at_a_time = threading.Lock()

_KEPT = 50
"""Letters of a name that stand in the name of the file beside it, which must not get too long."""


@contextmanager
def written_aside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """
    Path beside another to write to: it takes the other's place at the end, or is removed if anything goes wrong.

    What stood there before stays until then.
    """
    file = Path(path)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:_KEPT]}.", suffix=".part")
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o666 & ~_umask())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def put(path: Path, data: bytes) -> None:
    """
    Write a file so that after a crash, of the machine even, it is there whole or as it was before.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind then.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Have the names in a folder written, where the system knows how to."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def output_file(name: str | os.PathLike[str], formats: Sequence[str]) -> Path:
    """
    File that can be written to, its format told by its ending; to be asked for before anything is played.

    Parameters
    ----------
    formats : endings, dots included

    Raises
    ------
    InputError
        If it has another ending, its folder does not exist, or it is a folder.
    """
    file = Path(name)
    if file.suffix.lower() not in formats:
        known = " or ".join(filter(None, (", ".join(formats[:-1]), formats[-1])))
        raise InputError(f"{file}: the ending says the format: it must be {known}")
    check_possible(file)
    if not file.parent.is_dir():
        raise InputError(f"{file}: the folder {file.parent} does not exist")
    if file.is_dir():
        raise InputError(f"{file} is a folder: it must be a file")
    return file


def check_possible(path: str | os.PathLike[str]) -> None:
    """
    Refuse a path that no file or folder can have.

    Raises
    ------
    InputError
    """
    try:
        Path(path).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path}: no file can be called so ({error})") from None


def _umask() -> int:
    """Permissions that new files do not get; to find out, they are changed for a moment: by one thread at a time."""
    with _one_at_a_time:
        mask = os.umask(0)
        os.umask(mask)
    return mask
