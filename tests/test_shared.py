"""Arrays in files that processes share: whole and of this version, or built anew; never half, never needed."""

import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
import pytest

from basra_sim import captures, shared
from basra_sim.shared import FOLDER, Arrays, Layout
from tests.commands import environment

LAYOUT: Layout = {"small": (np.int16, (3, 7)), "one": (np.int64, (1,)), "large": (np.float64, (4096,))}

SEVERAL = """
import sys
import numpy as np
from pathlib import Path
from basra_sim.shared import shared

def build():
    print("found nothing", flush=True)
    sys.stdin.readline()
    return {"numbers": np.arange(500_000)}

found = shared("race", {"numbers": (np.int64, (500_000,))}, [Path(sys.argv[1])], build)["numbers"]
assert (found == np.arange(500_000)).all()
while isinstance(found, np.ndarray):
    found = found.base
print(type(getattr(found, "obj", found)).__name__)
"""


class Builder:
    """Builds arrays and counts how often it did."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Arrays:
        self.times += 1
        small = np.arange(21, dtype=np.int16).reshape(3, 7)
        return {"small": small, "one": np.array([-5]), "large": np.sqrt(np.arange(4096.0))}


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own, and a source in it."""
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "source.py").write_text("SIZE = 3\n")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    return folder


def ask(root: Path, build: Callable[[], Arrays], layout: Layout = LAYOUT) -> Arrays:
    """The arrays, as they must be, wherever they come from."""
    found = shared.shared("numbers", layout, [root / "source.py"], build)
    wanted = Builder()()
    assert list(found) == list(LAYOUT)
    for name, (kind, shape) in LAYOUT.items():
        assert (found[name].dtype, found[name].shape) == (np.dtype(kind), shape)
        assert (found[name] == wanted[name]).all()
    return found


def files(root: Path) -> list[Path]:
    """All that lies in the folder of arrays."""
    return sorted((root / FOLDER).iterdir()) if (root / FOLDER).is_dir() else []


def test_arrays_are_built_once(root: Path) -> None:
    build = Builder()
    first, second = ask(root, build), ask(root, build)
    assert build.times == 1
    assert len(files(root)) == 1
    for name, array in second.items():
        assert numba.typeof(array) == numba.typeof(first[name]) == numba.typeof(Builder()()[name])
        assert array.flags.aligned


def test_what_is_written_to_arrays_stays_here(root: Path) -> None:
    ask(root, Builder())["large"][:] = 0
    build = Builder()
    ask(root, build)
    assert build.times == 0


def damages(whole: bytes) -> Iterator[bytes]:
    """What may have become of a file."""
    for place in (0, 15, 16, 19, 20, 51, 52, 63, 64, 200, len(whole) // 2, len(whole) - 1):
        yield whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    yield b""
    yield whole[:63]
    yield whole[:-1]
    yield whole[: len(whole) // 2]
    yield whole + b"\0"
    yield bytes(len(whole))


def test_what_is_damaged_is_built_anew(root: Path) -> None:
    ask(root, Builder())
    (file,) = files(root)
    whole = file.read_bytes()
    for damaged in damages(whole):
        file.write_bytes(damaged)
        build = Builder()
        ask(root, build)
        assert build.times == 1
        assert file.read_bytes() == whole
        assert files(root) == [file]


def test_another_source_or_layout_is_another_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(root, Builder())
    before = files(root)
    monkeypatch.setattr(shared, "_VERSION", 10_000)
    build = Builder()
    ask(root, build)
    (root / "source.py").write_text("SIZE = 4\n")
    ask(root, build)
    assert build.times == 2
    assert len(files(root)) == len(before) + 2


def test_a_file_of_another_version_under_this_name_is_not_taken(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(root, Builder())
    (file,) = files(root)
    (root / "source.py").write_text("SIZE = 4\n")
    ask(root, Builder())
    (other,) = set(files(root)) - {file}
    assert zlib.crc32(file.read_bytes()[52:]) == zlib.crc32(other.read_bytes()[52:])
    file.replace(other)
    build = Builder()
    ask(root, build)
    assert build.times == 1


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_left_alone(root: Path, kind: str) -> None:
    ask(root, Builder())
    (file,) = files(root)
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    else:
        (file / "full").mkdir(parents=True)
    build = Builder()
    ask(root, build)
    assert build.times == 1
    assert [each.name for each in files(root)] == [file.name]


@pytest.mark.parametrize("where", ["below a file", "no home", "no room"])
def test_nowhere_to_write(root: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    def homeless(self: Path) -> Path:
        raise RuntimeError("no home")

    if where == "below a file":
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(root / "source.py"))
    elif where == "no home":
        monkeypatch.delenv("NUMBA_CACHE_DIR")
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(Path, "expanduser", homeless)
    else:
        monkeypatch.setattr(os, "fsync", full)
    build = Builder()
    ask(root, build)
    ask(root, build)
    assert build.times == 2
    assert files(root) == []


def test_without_sources_arrays_are_held_in_memory(root: Path) -> None:
    (root / "source.py").unlink()
    build = Builder()
    ask(root, build)
    assert build.times == 1
    assert files(root) == []


def test_a_wrong_shape_is_a_fault(root: Path) -> None:
    with pytest.raises(ValueError, match=r"one has the shape \(1,\), not \(2,\)"):
        ask(root, Builder(), {**LAYOUT, "one": (np.int64, (2,))})


def test_several_processes_at_once(root: Path) -> None:
    """All build, as none has found a file, and each leaves a whole one."""
    line = [sys.executable, "-c", SEVERAL, str(root / "source.py")]
    made = [
        subprocess.Popen(line, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for each in made:
        assert each.stdout is not None
        assert each.stdout.readline() == "found nothing\n"
    ends = [each.communicate("go\n")[0] for each in made]
    assert [each.returncode for each in made] == [0] * 4
    assert ends == ["mmap\n"] * 4
    assert len(files(root)) == 1


def test_tables_of_captures_are_those_that_are_built(root: Path) -> None:
    captures.tables.cache_clear()
    first = captures.tables()
    captures.tables.cache_clear()
    found, built = captures.tables(), captures.Tables(**captures._built())
    assert [each.name.partition("-")[0] for each in files(root)] == ["captures"]
    assert numba.typeof(found) == numba.typeof(first) == numba.typeof(built), "or all is compiled twice"
    assert all((getattr(found, name) == getattr(built, name)).all() for name in found._fields)
