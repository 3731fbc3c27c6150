"""Finished pieces as files: what was written is read again, and nothing else is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as drawn

from basra_sim.executors import Arrays
from basra_sim.jobs import pieces
from basra_sim.jobs.pieces import Damaged, Label, label_of, packed, unpacked

LABEL = Label("0123456789abcdef0123", 'counter, "bastra" {2 players}, seed 1 – ♠', 8192, 4096, 0, 100_000)

ARRAYS: Arrays = (
    np.arange(6, dtype=np.int64).reshape(2, 3),
    np.zeros((0, 4), np.int32),
    np.array([1.5, np.nan, -0.0, np.inf]),
    np.array(True),
    np.array([0, 255], np.uint8),
)


def same(one: Arrays, other: Arrays) -> bool:
    """Whether arrays are the same to the last bit."""
    return len(one) == len(other) and all(
        (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()) for a, b in zip(one, other, strict=True)
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of a piece."""
    path = tmp_path / "piece.parquet"
    path.write_bytes(packed(LABEL, ARRAYS))
    return path


def test_a_piece_is_read_as_it_was_written(file: Path) -> None:
    label, arrays = unpacked(file)
    assert label == label_of(file) == LABEL
    assert same(arrays, ARRAYS)
    assert all(each.flags.writeable for each in arrays)


def test_the_same_piece_is_the_same_bytes(file: Path) -> None:
    assert file.read_bytes() == packed(replace(LABEL), tuple(each.copy() for each in ARRAYS))
    turned = (np.asfortranarray(ARRAYS[0]), *ARRAYS[1:])
    assert file.read_bytes() == packed(LABEL, turned)


def test_others_can_read_it(file: Path) -> None:
    """It is a file of Parquet like any other."""
    table = pq.read_table(file)
    assert table.column_names == ["dtype", "shape", "data"]
    assert [np.dtype(each) for each in table["dtype"].to_pylist()] == [each.dtype for each in ARRAYS]
    told = json.loads(pq.read_metadata(file).metadata[b"basra-sim"])
    assert told["about"] == LABEL.about


NUMBERS = st.one_of(drawn.integer_dtypes(), drawn.unsigned_integer_dtypes(), drawn.floating_dtypes())


@hypothesis.given(
    st.lists(NUMBERS.flatmap(lambda kind: drawn.arrays(kind, drawn.array_shapes(min_dims=0, min_side=0))), max_size=4),
    st.text(st.characters(codec="utf-8"), max_size=60),
)
def test_any_numbers(arrays: list[Any], about: str) -> None:
    import tempfile

    label = replace(LABEL, about=about)
    with tempfile.NamedTemporaryFile(suffix=".parquet") as out:
        Path(out.name).write_bytes(packed(label, tuple(arrays)))
        found, read = unpacked(Path(out.name))
        assert found == label == label_of(Path(out.name))
        assert same(read, tuple(arrays))


@pytest.mark.parametrize(
    "array",
    [
        np.array([1, None], object),
        np.array(["a"]),
        np.array([1 + 2j]),
        np.array(["2020-01-01"], "datetime64[D]"),
        np.zeros(2, [("a", int)]),
        np.zeros(1, np.longdouble),
    ],
)
def test_what_is_no_number_is_refused(array: Any) -> None:
    if array.dtype == np.float64:
        pytest.skip("long doubles are doubles here")
    with pytest.raises(TypeError, match="cannot be kept: a piece holds numbers alone"):
        packed(LABEL, (np.zeros(3), array))


def test_every_changed_byte_is_found(file: Path) -> None:
    data = file.read_bytes()
    for place in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            changed = bytearray(data)
            changed[place] ^= change
            file.write_bytes(changed)
            with pytest.raises(Damaged):
                unpacked(file)


def test_every_length_is_found(file: Path) -> None:
    data = file.read_bytes()
    for size in range(len(data)):
        file.write_bytes(data[:size])
        with pytest.raises(Damaged):
            unpacked(file)
    for more in (b"\0", data):
        file.write_bytes(data + more)
        if more == b"\0":
            with pytest.raises(Damaged):
                unpacked(file)
    file.write_bytes(data)
    assert same(unpacked(file)[1], ARRAYS)


@hypothesis.given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".parquet") as out:
        Path(out.name).write_bytes(data)
        for read in (unpacked, label_of):
            with pytest.raises(Damaged):
                read(Path(out.name))


def forged(told: object, rows: dict[str, "pa.Array"] | None = None) -> bytes:
    """A file as somebody would make it who knows how digests are taken."""
    made = {
        "dtype": pa.array(["<i8"]), "shape": pa.array([[1]], pa.list_(pa.int64())), "data": pa.array([b"\0" * 8]),
    }  # fmt: skip
    table, out = pa.table(made if rows is None else rows), pa.BufferOutputStream()
    with pq.ParquetWriter(out, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({b"basra-sim": json.dumps(told, sort_keys=True).encode()})
    data = bytes(out.getvalue())
    try:
        found = pieces._last(data)
    except Damaged:
        return data
    return data[: found.start(1)] + pieces._digest(data, found).encode() + data[found.end(1) :]


TOLD = {
    "about": "", "task": "t", "first": 0, "count": 1, "task_first": 0, "task_count": 1, "digest": "0" * 64,
}  # fmt: skip


def test_a_forged_piece_is_one_if_it_is_well_made(file: Path) -> None:
    """Else the tests below could not fail."""
    file.write_bytes(forged(TOLD))
    assert same(unpacked(file)[1], (np.zeros(1, np.int64),))


@pytest.mark.parametrize(
    "told",
    [
        {**TOLD, "first": -1}, {**TOLD, "count": 0}, {**TOLD, "task_count": 0}, {**TOLD, "count": "1"},
        {**TOLD, "count": True}, {**TOLD, "task": 5}, {**TOLD, "about": None}, {**TOLD, "digest": ""}, [], {}, 0,
        {key: value for key, value in TOLD.items() if key != "count"}, {**TOLD, "task_first": 1e300},
    ],
)  # fmt: skip
def test_a_piece_that_does_not_say_what_it_is_of(file: Path, told: object) -> None:
    file.write_bytes(forged(told))
    for read in (unpacked, label_of):
        with pytest.raises(Damaged):
            read(file)


SHAPES, BYTES = pa.list_(pa.int64()), pa.binary()


@pytest.mark.parametrize(
    "rows",
    [
        {"dtype": pa.array(["O"]), "shape": pa.array([[1]], SHAPES), "data": pa.array([b"\0" * 8])},
        {"dtype": pa.array(["i8,i8"]), "shape": pa.array([[1]], SHAPES), "data": pa.array([b"\0" * 16])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[-1]], SHAPES), "data": pa.array([b"\0" * 8])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[2]], SHAPES), "data": pa.array([b"\0" * 8])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[2**40, 2**40]], SHAPES), "data": pa.array([b""])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[0] * 99], SHAPES), "data": pa.array([b""])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[1]], SHAPES), "data": pa.array([b"\0" * 7])},
        {"dtype": pa.array(["<f1"]), "shape": pa.array([[1]], SHAPES), "data": pa.array([b"\0"])},
        {"dtype": pa.array([None], pa.string()), "shape": pa.array([[1]], SHAPES), "data": pa.array([b"\0"])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([None], SHAPES), "data": pa.array([b"\0" * 8])},
        {"dtype": pa.array(["<i8"]), "shape": pa.array([[1]], SHAPES), "data": pa.array([None], BYTES)},
        {"dtype": pa.array([1]), "shape": pa.array([1]), "data": pa.array([1])},
        {"other": pa.array([1])},
    ],
)
def test_a_piece_of_what_are_no_arrays(file: Path, rows: dict[str, "pa.Array"]) -> None:
    file.write_bytes(forged(TOLD, rows))
    with pytest.raises(Damaged):
        unpacked(file)


def test_a_piece_that_would_fill_the_memory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused by what it declares, before anything of it is unpacked."""
    monkeypatch.setattr(pieces, "MOST_BYTES", 100_000)
    file.write_bytes(forged(TOLD, {"data": pa.array([b"\0" * 1_000_000])}))
    assert file.stat().st_size < 100_000
    with pytest.raises(Damaged, match="more than any piece"):
        unpacked(file)
    file.write_bytes(np.random.default_rng(1).bytes(100_001))
    for read in (unpacked, label_of):
        with pytest.raises(Damaged, match="larger than any piece"):
            read(file)


def test_what_is_no_file(tmp_path: Path) -> None:
    for read in (unpacked, label_of):
        with pytest.raises(Damaged, match="it is no file"):
            read(tmp_path)
