"""Files that appear only when they are complete."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_aside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """
    Path beside another to write to: it takes the other's place at the end, or is removed if anything goes wrong.

    What stood there before stays until then.
    """
    file = Path(path)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o666 & ~_umask())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _umask() -> int:
    """Permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
