"""Files that appear only when they are complete."""

import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from basra_sim.errors import InputError

if sys.platform != "win32":
    import fcntl

_one_at_a_time = threading.Lock()

_KEPT = 50
"""Letters of a name that stand in the name of the file beside it, which must not get too long."""

_DRAWN = re.compile(r"[a-z0-9_]{8}\.part")
"""How such a name goes on: as `tempfile.mkstemp` draws it."""


@contextmanager
def written_aside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """
    Path beside another to write to: it takes the other's place at the end, or is removed if anything goes wrong.

    What stood there before stays until then. What a process that was killed left beside it is removed; what another one
    is writing stays.
    """
    file = Path(path)
    _remove_left_over(file)
    with _told_of(file):
        beside, handle = _begun(file)
    try:
        yield beside
        with _told_of(file):
            beside.chmod(0o666 & ~_umask())
            beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
        if handle is not None:
            os.close(handle)


@contextmanager
def _told_of(file: Path) -> Iterator[None]:
    """Let errors about a file that stands beside another for a while name that other one, which a person knows."""
    try:
        yield
    except OSError as error:
        error.filename = str(file)
        del error.filename2
        raise


def _begun(file: Path) -> tuple[Path, int | None]:
    """A new file beside another, and what it is held by until that is closed, or its process ends in any way."""
    while True:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=_start(file), suffix=".part")
        if sys.platform == "win32":  # a file that is open cannot be moved there
            os.close(handle)
            return Path(name), None
        with suppress(BlockingIOError):
            _hold(handle)
            if Path(name).exists():
                return Path(name), handle
        # Somebody else has just taken it for one that nobody holds.
        Path(name).unlink(missing_ok=True)
        os.close(handle)


def _hold(handle: int) -> bool:
    """
    Hold an open file; False where files cannot be held.

    Raises
    ------
    BlockingIOError
        If somebody holds it.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return False
    return True


def _start(file: Path) -> str:
    """How the names of files begin that stand beside another until they are complete."""
    return f".{file.name[:_KEPT]}."


def _remove_left_over(file: Path) -> None:
    """Remove what stands beside a file, was never completed, and is held by no process, where that can be known."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        for path in file.parent.iterdir():
            if path.name.startswith(_start(file)) and _DRAWN.fullmatch(path.name[len(_start(file)) :]):
                with suppress(OSError):
                    _remove_unheld(path)


def _remove_unheld(path: Path) -> None:
    """Remove a plain file, unless a process holds it."""
    if path.is_symlink() or not path.is_file():
        return
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if _hold(handle):
            path.unlink()
    finally:
        os.close(handle)


def put(path: Path, data: bytes) -> None:
    """
    Write a file so that after a crash, of the machine even, it is there whole or as it was before.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind then.
    """
    with _told_of(path):
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
