"""A finished piece of a task as a file of Parquet: arrays, what they are of, and a digest of all of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.executors import Arrays

MOST_BYTES = 1 << 31
"""Size of a piece, at most, packed or not: no task makes one of a tenth of it."""

_KEY = b"basra-sim"
_KINDS = "biuf"
"""Kinds of numbers that an array may hold, as NumPy names them."""


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
    """A piece as the bytes of a file; the same piece is the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = [np.ascontiguousarray(each) for each in arrays]
    rows = {
        "dtype": pa.array([each.dtype.str for each in whole], pa.string()),
        "shape": pa.array([list(each.shape) for each in whole], pa.list_(pa.int64())),
        "data": pa.array([each.tobytes() for each in whole], pa.large_binary()),
    }
    told = json.dumps(asdict(label) | {"digest": _digest(label, whole)}, sort_keys=True)
    out = pa.BufferOutputStream()
    table = pa.table(rows).replace_schema_metadata({_KEY: told.encode()})
    pq.write_table(table, out, compression="zstd", use_dictionary=False, write_statistics=False)
    return bytes(out.getvalue())


def unpacked(path: Path) -> tuple[Label, Arrays]:
    """
    The piece in a file, which may hold anything: nothing of it is taken that is not as it was written.

    Raises
    ------
    Damaged
        If it is not whole.
    OSError
        If it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    label, told = label_of(path)
    try:
        table = pq.read_table(BytesIO(path.read_bytes()), memory_map=False)
        rows = [table.column(name).to_pylist() for name in ("dtype", "shape", "data")]
    except (pa.ArrowException, KeyError, ValueError, TypeError) as error:
        raise Damaged("it is no whole Parquet file") from error
    arrays = tuple(_array(*row) for row in zip(*rows, strict=True))
    if told.get("digest") != _digest(label, arrays):
        raise Damaged("its digest is not that of what it holds")
    return label, arrays


def label_of(path: Path) -> tuple[Label, Mapping[str, Any]]:
    """
    What a piece is of, and all that is written with it, without a look at its arrays.

    Raises
    ------
    Damaged
        If that cannot be told, or the file is larger than any piece.
    OSError
        If it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise Damaged("it is no file")
    if path.stat().st_size > MOST_BYTES:
        raise Damaged("it is larger than any piece")
    try:
        with path.open("rb") as file:
            footer = pq.ParquetFile(file).metadata
        told = json.loads((footer.metadata or {})[_KEY])
        sizes = [footer.row_group(k).total_byte_size for k in range(footer.num_row_groups)]
        label = Label(**{name: told[name] for name in Label.__dataclass_fields__})
    except (pa.ArrowException, KeyError, ValueError, TypeError, RecursionError) as error:
        raise Damaged("it does not say what it is a piece of") from error
    if sum(sizes) > MOST_BYTES or any(size < 0 for size in sizes):
        raise Damaged("it holds more than any piece")
    kinds = {name: field.type for name, field in Label.__dataclass_fields__.items()}
    if any(type(getattr(label, name)) is not kind for name, kind in kinds.items()):
        raise Damaged("it does not say what it is a piece of")
    return label, told


def _array(dtype: object, shape: object, data: object) -> np.ndarray[Any, Any]:
    """Array of a row of a file."""
    try:
        kind = np.dtype(dtype) if isinstance(dtype, str) else None
        if kind is None or kind.kind not in _KINDS or not isinstance(shape, list) or not isinstance(data, bytes):
            raise Damaged("an array of it is none of numbers")
        if any(not isinstance(size, int) or size < 0 for size in shape) or prod(shape) * kind.itemsize != len(data):
            raise Damaged("an array of it has another shape than its bytes")
        return np.frombuffer(data, kind).reshape(shape).copy()
    except (TypeError, ValueError) as error:
        raise Damaged("an array of it is none of numbers") from error


def _digest(label: Label, arrays: Sequence[np.ndarray[Any, Any]]) -> str:
    """Digest of all that a piece says."""
    digest = hashlib.sha256(json.dumps(asdict(label), sort_keys=True).encode())
    for array in arrays:
        digest.update(f"\0{array.dtype.str}{array.shape}\0".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
