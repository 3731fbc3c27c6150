"""Hostile input: all that was once found, and some more of its kind; the long runs are `python -m tests.fuzz`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from basra_sim import cluster, connecting, inputs
from tests.fuzz.drawing import Drawing
from tests.fuzz.entries import DATA, DRAWN, ENTRIES, LINES, Work, as_line, drawn, expected
from tests.fuzz.guarding import Cost, Failure, Guard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of Unix")

KEPT = [(name, path) for name in ENTRIES for path in sorted((DATA / "fuzz" / name).glob("*"))]

FEW = settings(max_examples=40, suppress_health_check=list(HealthCheck))


class Tried:
    """An entry point, with a folder of its own, and a guard."""

    def __init__(self, name: str, folder: Path) -> None:
        self._work: Work = ENTRIES[name].make(folder)
        self._guard = Guard(folder, expected(), ("mine.py", "exits.py", "broken.py"))

    def __call__(self, data: bytes) -> None:
        """Try an input: nothing may fail."""
        failure, _ = self.outcome(data)
        assert failure is None, failure.text

    def outcome(self, data: bytes) -> tuple[Failure | None, Cost]:
        """What an input leads to."""
        return self._guard.run(lambda: self._work(data))


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Tried]]:
    """All entry points by name; the process is as before when all is done."""
    environment, here = dict(os.environ), Path.cwd()
    changed = {module: dict(vars(module)) for module in (cluster, connecting, inputs)}
    found = {name: Tried(name, tmp_path_factory.mktemp(name)) for name in ENTRIES}
    yield found
    os.chdir(here)
    os.environ.clear()
    os.environ.update(environment)
    for module, names in changed.items():
        vars(module).update(names)


@pytest.fixture(autouse=True)
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that runs other tests besides: what takes five seconds alone may take longer there."""
    monkeypatch.setattr("tests.fuzz.guarding.SECONDS", 60.0)


@pytest.mark.parametrize(("name", "path"), KEPT, ids=[f"{name}-{path.name}" for name, path in KEPT])
def test_what_was_found_is_mended(tried, name, path):
    tried[name](path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES, ids=[line.split()[0] for line in LINES])
def test_command_lines_as_they_should_be(tried, line):
    tried["commands"](as_line(line))


@pytest.mark.parametrize("name", ENTRIES)
@given(data=st.binary(max_size=60))
@example(data=b"")
@FEW
def test_what_is_put_together(tried, name, data):
    tried[name](drawn(*data))


@pytest.mark.parametrize("name", ["variant", "policy", "records"])
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
@FEW
def test_what_is_no_such_file(tried, name, data):
    tried[name](data.removeprefix(bytes([DRAWN])))


class TestGuard:
    """The guard sees what it is there for."""

    @pytest.fixture
    def guard(self, tmp_path: Path) -> Guard:
        return Guard(tmp_path, (KeyError,))

    def kind(self, guard: Guard, work: Any) -> str | None:
        failure, _ = guard.run(work)
        return failure and failure.kind.split("-")[0]

    def test_errors(self, guard):
        assert self.kind(guard, lambda: dict[str, int]()["x"]) is None
        assert self.kind(guard, lambda: 1 / 0) == "error"

    def test_hangs(self, guard, monkeypatch):
        monkeypatch.setattr("tests.fuzz.guarding.SECONDS", 0.6)

        def endless():
            while True:
                pass

        assert self.kind(guard, endless) == "hang"

    def test_memory(self, guard, monkeypatch):
        monkeypatch.setattr("tests.fuzz.guarding.BYTES", -1)
        assert self.kind(guard, lambda: None) == "memory"

    def test_writing_elsewhere(self, guard, tmp_path, tmp_path_factory):
        elsewhere = tmp_path_factory.mktemp("elsewhere") / "file"
        assert self.kind(guard, lambda: (tmp_path / "file").write_text("x")) is None
        assert self.kind(guard, lambda: elsewhere.write_text("x")) == "breach"
        assert self.kind(guard, lambda: elsewhere.rename(tmp_path / "moved")) == "breach"
        assert self.kind(guard, (tmp_path / "new").mkdir) is None
        assert self.kind(guard, lambda: elsewhere.with_name("new").mkdir()) == "breach"

    def test_running(self, guard, tmp_path):
        place = str(tmp_path / "x.toml")
        assert self.kind(guard, lambda: exec(compile("1", place, "exec"))) == "breach"
        assert self.kind(guard, lambda: os.system("true")) == "breach"


def test_drawing_comes_to_an_end():
    draw = Drawing(b"\x05\xff")
    assert [draw.below(10), draw.below(7), draw.below(7), draw.chance(3)] == [5, 3, 0, False]
    assert draw.ended
