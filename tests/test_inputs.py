"""What people hand in is bounded before anything is made of it."""

import os
import select
import sys
import threading
import time
from pathlib import Path

import pytest

from basra_sim import inputs
from basra_sim.inputs import bounded_lines, is_file, open_lines, parse_json, parse_toml, read_bytes, read_text
from basra_sim.policies import find_advice, get_policy
from basra_sim.records import read_records
from basra_sim.variants import variant

unix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, devices and links of Unix")


def reason(path: str | Path) -> str:
    """Why a file is not read."""
    with pytest.raises(OSError, match=r".") as error:
        read_bytes(path)
    return error.value.strerror or ""


def test_a_file_as_it_is(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"a" * inputs.LARGEST)
    assert read_bytes(file) == read_bytes(str(file)) == b"a" * inputs.LARGEST
    file.write_text("ä", encoding="utf-8")
    assert read_text(file) == "ä"
    file.write_bytes(b"\xff")
    with pytest.raises(UnicodeError):
        read_text(file)


def test_too_large(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"a" * (inputs.LARGEST + 1))
    assert reason(file) == "it is larger than 100,000 bytes, which no file of this kind is"
    assert len(read_bytes(file, inputs.LARGEST + 1)) == inputs.LARGEST + 1
    with file.open("wb") as stream:
        stream.truncate(3_000_000_000)
    begun = time.monotonic()
    assert "larger" in reason(file)
    assert time.monotonic() - begun < 1, "it is not read to find out"


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="files of Linux")
def test_larger_than_it_says():
    """Files of the system tell a size of 0, whatever they hold."""
    with pytest.raises(OSError, match="larger than 10 bytes"):
        read_bytes("/proc/self/maps", 10)


@unix
def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "link").symlink_to("/dev/zero")
    assert reason(tmp_path) == "it is a folder, not a file"
    assert reason(tmp_path / "pipe") == "it is a pipe, not a file"
    assert reason(tmp_path / "link") == reason("/dev/zero") == "it is a device, not a file"
    assert "symbolic links" in reason(tmp_path / "loop")
    assert reason(tmp_path / "none") == os.strerror(2)
    for name in (tmp_path, tmp_path / "pipe", tmp_path / "loop", "/dev/zero", tmp_path / "none"):
        assert not is_file(name)


def test_names_that_no_file_can_have(tmp_path):
    for name in ("a\0b", "\ud800"):
        assert reason(name).startswith("no file can be called so")
        assert not is_file(name)
        with pytest.raises(OSError, match="no file can be called so"):
            open_lines(name)
    assert not is_file("x" * 5000)
    assert reason("x" * 5000)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * 5000, "nested more than 20 deep"),
        ("a = " + "[" * 21 + "]" * 21, "nested more than 20 deep"),
        ("a" + ".a" * 501 + " = 1", "a line has more than 500 dots"),
        ("a = 9223372036854775808", "does not fit into 64 bits"),
        ("a = [{ b = 0xffffffffffffffffff }]", "does not fit into 64 bits"),
        ("a = " + "9" * 5000, "does not fit into 64 bits"),
        ("a", "Expected"),
    ],
)
def test_toml_that_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        parse_toml(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 5000, "nested more than 20 deep"),
        ("[" * 30 + "]" * 30, "nested more than 20 deep"),
        ("[9223372036854775808]", "does not fit into 64 bits"),
        ("9" * 5000, "does not fit into 64 bits"),
        ('{"a": 1e999}', "a number is too large"),
        ("[NaN]", "NaN is no number"),
        ("{", "Expecting"),
        ('[{"a": 1, "b": {"c": 1, "c": 1}}]', "'c' comes twice"),
    ],
)
def test_json_that_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        parse_json(text)


def test_what_is_allowed():
    deep = "[" * 20 + "]" * 20
    assert parse_json('{"a": [1.5, -9223372036854775807, null, "x"]}')["a"][1] == -(2**63 - 1)
    assert parse_json(deep) == [parse_toml(f"a = {deep[1:-1]}")["a"]]
    assert parse_toml("a" + ".a" * 15 + " = 1979-05-27")["a"]


def test_lines(tmp_path):
    file = tmp_path / "lines"
    file.write_bytes(b"one\ntwo")
    with open_lines(file) as stream:
        assert list(bounded_lines(stream)) == [b"one\n", b"two"]
    file.write_bytes(b"one\n" + b"a" * 200_000)
    with open_lines(file) as stream:
        lines = bounded_lines(stream)
        assert next(lines) == b"one\n"
        with pytest.raises(ValueError, match="longer than 100,000"):
            next(lines)


@unix
def test_a_pipe_is_read_when_somebody_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "PATIENCE", 300)  # the machine may be busy
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        time.sleep(0.3)
        pipe.write_bytes(b"one\ntwo\n")

    writer = threading.Thread(target=write)
    writer.start()
    with open_lines(pipe) as stream:
        assert list(bounded_lines(stream)) == [b"one\n", b"two\n"]
    writer.join()


@unix
def test_a_writer_who_takes_his_time(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe")

    def write():
        with (tmp_path / "pipe").open("wb") as stream:
            time.sleep(0.5)
            stream.write(b"one\ntwo\n")

    writer = threading.Thread(target=write)
    writer.start()
    with open_lines(tmp_path / "pipe") as stream:
        assert list(bounded_lines(stream)) == [b"one\n", b"two\n"]
    writer.join()


@unix
def test_what_is_read_of_a_pipe_by_chance_is_not_lost(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")

    def first_byte(pipe: int) -> bytes:
        select.select([pipe], [], [], 5)
        return os.read(pipe, 1)

    monkeypatch.setattr(inputs, "_await_writer", first_byte)
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(b"one\ntwo\n"))
    with open(os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK), "rb"):  # noqa: PTH123 -- a handle
        writer.start()
        time.sleep(0.2)
        with open_lines(tmp_path / "pipe") as stream:
            assert list(bounded_lines(stream)) == [b"one\n", b"two\n"]
    writer.join()


@unix
def test_a_pipe_without_a_writer(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="nobody writes into it"):
        open_lines(tmp_path / "pipe")


@unix
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full"])
def test_lines_of_devices(name):
    with pytest.raises(ValueError, match="longer than 100,000"):
        list(read_records(name))


@unix
def test_nothing_reads_a_device():
    for read in (variant, find_advice, get_policy):
        for name in ("/dev/zero.toml", "/dev/zero"):
            with pytest.raises(ValueError, match=r"."):
                read(name)


def test_files_that_rest_on_each_other_in_a_long_row(tmp_path):
    for k in range(1200):
        (tmp_path / f"{k}.toml").write_text(f'base = "{k + 1}.toml"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="files deep"):
        variant(tmp_path / "0.toml")


def test_a_player_is_not_told_from_a_module_of_the_same_name(tmp_path, monkeypatch):
    """A compiler that looks for the module of a function must not find another, and run it."""
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "namesake.py").write_text("raise SystemError('run')\n", encoding="utf-8")
    text = "import numba\nfrom basra_sim import policy\n@numba.njit\ndef one(n):\n    return n\none(1)\n"
    text += "@policy\ndef mine(view, play):\n    return one(play.card)\n"
    (tmp_path / "namesake.py").write_text(text, encoding="utf-8")
    assert get_policy(str(tmp_path / "namesake.py")).name == "mine"
