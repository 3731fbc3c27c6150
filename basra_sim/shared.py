"""
Arrays that take long to build, shared by all processes of a machine: files in the cache folder, mapped into memory.

A file holds a header and the arrays behind one another. It is data only, of a size that is known beforehand, and is
made use of if its key and its checksum are right; else it is built anew. The key is a digest of the code that builds
the arrays and of how they are laid out. Where nothing can be written, arrays are held in memory.
"""

import hashlib
import mmap
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim._numba import cache_root
from basra_sim.files import written_aside

Layout = Mapping[str, tuple[type[np.generic], tuple[int, ...]]]
"""Arrays by name: type and shape of each."""

Arrays = dict[str, npt.NDArray[Any]]

FOLDER = "tables"
"""Folder of the files, below that of all that is cached."""

_VERSION = 1
"""Version of the form of the files."""

_MAGIC = b"basra-sim tables"
_HEADER = struct.Struct("<16sI32s12x")
"""What a file begins with: the magic, the checksum of all that follows it, the key."""

_CHECKED = 20
"""Byte from which on all is in the checksum."""

_ALIGNED = 64
"""Bytes to whose multiples arrays are set."""


def shared(name: str, layout: Layout, sources: Iterable[Path], build: Callable[[], Arrays]) -> Arrays:
    """
    Arrays from the file of a name, which is made if there is none that is whole and of this version.

    They can be written to like any others, so that compiled code takes them for such; what is written stays in this
    process.

    Parameters
    ----------
    name : of the file
    layout : Layout
    sources : files of the code that builds them: where one differs, another file is meant
    build : function that makes the arrays
    """
    root, key = cache_root(), _key(name, layout, sources)
    if root is None or key is None:
        return build()
    path = root / FOLDER / f"{name}-{key.hex()[:16]}.bin"
    found = _mapped(path, key, layout)
    if found is None:
        built = build()
        with suppress(OSError):
            _write(path, key, layout, built)
            found = _mapped(path, key, layout)
        return found or built
    return found


def _key(name: str, layout: Layout, sources: Iterable[Path]) -> bytes | None:
    """Digest of all that the content of a file hangs on; None where the sources cannot be read."""
    kinds = [(each, np.dtype(kind).str, shape) for each, (kind, shape) in layout.items()]
    digest = hashlib.sha256(f"{_VERSION} {name} {sys.byteorder} {kinds}".encode())
    try:
        for source in sources:
            text = source.read_bytes()
            digest.update(f"\0{source.name} {len(text)}\0".encode() + text)
    except OSError:
        return None
    return digest.digest()


def _places(layout: Layout) -> tuple[dict[str, int], int]:
    """Where in a file each array begins, and where the last one ends."""
    places, end = {}, _HEADER.size
    for name, (kind, shape) in layout.items():
        places[name] = -(-end // _ALIGNED) * _ALIGNED
        end = places[name] + np.dtype(kind).itemsize * prod(shape)
    return places, end


def _mapped(path: Path, key: bytes, layout: Layout) -> Arrays | None:
    """
    Arrays of a file, mapped; None unless the file is whole and has this key.

    The checksum is over all of it; it takes a few milliseconds, and what is read for it is what is needed soon after.
    """
    places, size = _places(layout)
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != size:
                return None
            # A private copy, page by page, of what is written to: nothing is, so all pages are those of the file.
            held = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY)
    except (OSError, ValueError):
        return None
    if _HEADER.unpack_from(held) != (_MAGIC, zlib.crc32(memoryview(held)[_CHECKED:]), key):
        return None
    return {
        name: np.frombuffer(held, kind, prod(shape), places[name]).reshape(shape)
        for name, (kind, shape) in layout.items()
    }


def _write(path: Path, key: bytes, layout: Layout, arrays: Arrays) -> None:
    """Write arrays to a file, beside it first: whoever looks sees a whole file or none."""
    places, size = _places(layout)
    whole = bytearray(size)
    for name, (kind, shape) in layout.items():
        part = np.ascontiguousarray(arrays[name], kind)
        if part.shape != shape:
            raise ValueError(f"{name} has the shape {part.shape}, not {shape}")
        whole[places[name] : places[name] + part.nbytes] = part.tobytes()
    _HEADER.pack_into(whole, 0, _MAGIC, 0, key)
    _HEADER.pack_into(whole, 0, _MAGIC, zlib.crc32(memoryview(whole)[_CHECKED:]), key)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_aside(path) as beside, beside.open("wb") as file:
        file.write(whole)
        file.flush()
        os.fsync(file.fileno())
