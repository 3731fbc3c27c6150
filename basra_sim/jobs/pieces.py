"""A finished piece of a task as a file of Parquet: arrays, what they are of, and a digest of the whole file."""

import hashlib
import json
import re
import stat
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.executors import Arrays

MOST_BYTES = 1 << 28
"""Size of a piece, at most, packed or not: no task makes one of that size."""

MOST_UNITS = 1 << 62
"""More units than any task has."""

_KEY = b"basra-sim"

_DTYPE = re.compile(r"[<>|][biuf][1248]")
"""Kinds of numbers that an array may hold, as NumPy writes them."""

_TOLD = re.compile(rb'\{"about": ".*?"digest": "([0-9a-f]{64})", .*?\}', re.DOTALL)
"""What a file tells of itself, in the metadata at its end, and the digest in it."""

_BLANK = "0" * 64
"""Stands for the digest of a file while that is taken."""

_TAIL = 1 << 16
"""Bytes at the end of a file in which it tells of itself."""

_LONGEST = 4096
"""Letters of what a task is, at most."""


class Damaged(Exception):  # noqa: N818 -- not an error of the program: the piece is made anew
    """A piece is not as it was written, or not what it should be; the reason is the text."""


@dataclass(frozen=True)
class Label:
    """
    What a piece is of.

    Attributes
    ----------
    task : identity of the task
    about : what the task is, for a person
    first, count : range of units of the piece
    task_first, task_count : range of units of the task
    """

    task: str
    about: str
    first: int
    count: int
    task_first: int
    task_count: int


def packed(label: Label, arrays: Arrays) -> bytes:
    """
    A piece as the bytes of a file; the same piece is the same bytes.

    Raises
    ------
    TypeError
        If an array holds anything but numbers.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    for each in arrays:
        if not _DTYPE.fullmatch(each.dtype.str):
            raise TypeError(f"an array of {each.dtype} cannot be kept: a piece holds numbers alone")
    rows = {
        "dtype": pa.array([each.dtype.str for each in arrays], pa.string()),
        "shape": pa.array([list(each.shape) for each in arrays], pa.list_(pa.int64())),
        "data": pa.array([each.tobytes() for each in arrays], pa.binary()),
    }
    told = asdict(label) | {"about": label.about[:_LONGEST], "digest": _BLANK}
    out, table = pa.BufferOutputStream(), pa.table(rows)
    # Without the schema of Arrow, which nobody needs to read it.
    options = {"compression": "zstd", "use_dictionary": False, "write_statistics": False, "store_schema": False}
    with pq.ParquetWriter(out, table.schema, **options) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_KEY: json.dumps(told, sort_keys=True).encode()})
    data = bytes(out.getvalue())
    found = _last(data)
    return data[: found.start(1)] + _digest(data, found).encode() + data[found.end(1) :]


def unpacked(path: Path) -> tuple[Label, Arrays]:
    """
    The piece in a file, which may hold anything: nothing of it is looked into that is not as it was written.

    Raises
    ------
    Damaged
        If it is not whole.
    OSError
        If it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    _check_size(path)
    data = path.read_bytes()
    found = _last(data)
    if _digest(data, found) != found[1].decode():
        raise Damaged("its digest is not that of what it holds")
    label = _label(found[0])
    try:
        file = pq.ParquetFile(BytesIO(data), memory_map=False)
        sizes = [file.metadata.row_group(k).total_byte_size for k in range(file.metadata.num_row_groups)]
        if sum(sizes) > MOST_BYTES or any(size < 0 for size in sizes):
            raise Damaged("it holds more than any piece")
        table = file.read()
        rows = [table.column(name).to_pylist() for name in ("dtype", "shape", "data")]
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
        raise Damaged("it is no whole Parquet file") from error
    return label, tuple(_array(*row) for row in zip(*rows, strict=True))


def label_of(path: Path) -> Label:
    """
    What a piece is of, as it says itself, without a look at whether it is whole.

    Raises
    ------
    Damaged
        If that cannot be told, or the file is larger than any piece.
    OSError
        If it cannot be read.
    """
    size = _check_size(path)
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        return _label(_last(file.read(_TAIL))[0])


def _check_size(path: Path) -> int:
    """Bytes of a file that may be a piece."""
    try:
        about = path.stat()
    except PermissionError:
        raise
    except OSError as error:  # it is not there, or a link that leads nowhere
        raise Damaged("it is no file") from error
    if not stat.S_ISREG(about.st_mode):
        raise Damaged("it is no file")
    if about.st_size > MOST_BYTES:
        raise Damaged("it is larger than any piece")
    return about.st_size


def _last(data: bytes) -> re.Match[bytes]:
    """What a file tells of itself last."""
    begin = data.rfind(b'{"about": ', max(0, len(data) - _TAIL))
    found = _TOLD.match(data, begin) if begin >= 0 else None
    if found is None:
        raise Damaged("it does not say what it is a piece of")
    return found


def _digest(data: bytes, found: re.Match[bytes]) -> str:
    """Digest of all bytes of a file, but for the digest that it tells."""
    digest = hashlib.sha256(data[: found.start(1)])
    digest.update(_BLANK.encode())
    digest.update(data[found.end(1) :])
    return digest.hexdigest()


def _label(told: bytes) -> Label:
    """What a file tells of itself as a label."""
    fields = Label.__dataclass_fields__
    try:
        known = json.loads(told)
        label = Label(**{name: known[name] for name in fields})
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise Damaged("it does not say what it is a piece of") from error
    if any(type(getattr(label, name)) is not field.type for name, field in fields.items()):
        raise Damaged("it does not say what it is a piece of")
    firsts, counts = (label.first, label.task_first), (label.count, label.task_count)
    if not all(0 <= first < MOST_UNITS for first in firsts) or not all(0 < count < MOST_UNITS for count in counts):
        raise Damaged("it says that it is of a range that cannot be")
    return label


def _array(dtype: object, shape: object, data: object) -> np.ndarray[Any, Any]:
    """Array of a row of a file."""
    if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype) or not isinstance(data, bytes):
        raise Damaged("an array of it is none of numbers")
    if not isinstance(shape, list) or any(not isinstance(size, int) or size < 0 for size in shape):
        raise Damaged("an array of it has no shape")
    try:
        return np.frombuffer(data, np.dtype(dtype)).reshape(shape).copy()
    except (TypeError, ValueError) as error:  # of two numbers that are no type, of a shape that does not fit
        raise Damaged("an array of it has another shape than its bytes") from error
