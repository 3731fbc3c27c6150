"""Many inputs for one entry point, chosen by coverage or by chance, until the time is over."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from tests.fuzz.entries import ROOT, Entry, expected
from tests.fuzz.guarding import Cost, Guard, peak

LARGEST = 20_000
"""Bytes of an input."""

EVERY = 30.0
"""Seconds between two lines that say how far it is."""


class Run:
    """
    A run of an entry point.

    Parameters
    ----------
    entry : Entry
    seconds : how long it lasts
    found : folder in which findings are kept
    """

    def __init__(self, entry: Entry, seconds: float, found: Path) -> None:
        self.entry = entry
        self._found = found
        self._known: set[str] = set()
        self._runs, self._most = 0, Cost(0.0, 0.0, 0)
        self._folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{entry.name}-"))
        self._work = entry.make(self._folder)
        self._guard = Guard(self._folder, expected(), ("mine.py", "exits.py", "broken.py"))
        for each in entry.warm_up():
            with suppress(*expected()):
                self._work(each)
        self._guard.usual = peak()
        self._begun = self._told = time.monotonic()
        self._end = self._begun + seconds

    def try_one(self, data: bytes) -> None:
        """Try an input; ends the process when the time is over."""
        failure, cost = self._guard.run(lambda: self._work(data))
        self._runs += 1
        for name, what, most in zip(Cost._fields, cost, self._most, strict=True):
            if what > most:
                self._keep(f"most-{name}", data, str(cost))
        self._most = Cost._make(map(max, cost, self._most))
        if failure is not None and failure.kind not in self._known:
            self._known.add(failure.kind)
            self._keep(failure.kind, data, failure.text)
            self._say(f"FOUND {failure.kind}\n{failure.text}")
        now = time.monotonic()
        if now > self._told + EVERY:
            self._told = now
            self._say(self.told)
        if now > self._end:
            self._leave()

    @property
    def told(self) -> str:
        """How far it is, in a line."""
        minutes = (time.monotonic() - self._begun) / 60
        return (
            f"{self.entry.name}: {self._runs:,} inputs in {minutes:.1f} min; one took at most "
            f"{self._most.seconds:.2f} s, {self._most.first:.1f} s more to compile and load, and "
            f"{self._most.grown / 1e6:,.0f} MB beyond {self._guard.usual / 1e6:,.0f}; "
            f"all together {peak() / 1e6:,.0f} MB; {len(self._known)} kinds of failure"
        )

    def _keep(self, kind: str, data: bytes, text: str) -> None:
        """Keep an input and what is to be said of it."""
        self._found.mkdir(parents=True, exist_ok=True)
        (self._found / kind).write_bytes(data)
        (self._found / f"{kind}.txt").write_text(text, encoding="utf-8", errors="backslashreplace")

    def _say(self, text: str) -> None:
        """Say something on the real standard error."""
        os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))

    def _leave(self) -> NoReturn:
        """End the process: the one way out that every engine allows."""
        self._say(f"END {self.told}")
        os._exit(1 if self._known else 0)


def run(entry: Entry, seconds: float, found: Path) -> NoReturn:
    """Run an entry point for some time; the process ends with it, with 1 if anything was found."""
    if find_spec("atheris") is not None:
        _by_coverage(entry, seconds, found)
    _by_chance(entry, seconds, found)
    raise AssertionError("the run ends the process")


def _by_coverage(entry: Entry, seconds: float, found: Path) -> None:
    """Inputs chosen by which code they reach."""
    import atheris

    with atheris.instrument_imports(list(entry.reading), _compiled(), enable_loader_override=False):
        for name in entry.reading:
            import_module(name)
    state = Run(entry, seconds, found)
    corpus = Path(tempfile.mkdtemp(prefix=f"corpus-{entry.name}-"))
    for data in entry.seeds():
        (corpus / sha256(data).hexdigest()[:16]).write_bytes(data)
    words = corpus.with_suffix(".words")
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in entry.words()), encoding="ascii")
    options = [
        f"-max_len={LARGEST}",
        "-timeout=300",
        "-rss_limit_mb=0",
        f"-dict={words}",
        "-verbosity=0",
        "-report_slow_units=1000",
    ]
    atheris.Setup(["fuzz", *options, str(corpus)], state.try_one)
    atheris.Fuzz()


def _compiled() -> list[str]:
    """Modules with code that is compiled, which cannot be instrumented."""
    found = []
    for path in sorted((ROOT / "basra_sim").rglob("*.py")):
        if "numba" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def _escaped(word: str) -> str:
    """A word as a dictionary of the engine has it."""
    return "".join(chr(each) if 32 <= each < 127 and each not in b'"\\' else f"\\x{each:02x}" for each in word.encode())


def _by_chance(entry: Entry, seconds: float, found: Path) -> None:
    """Inputs drawn by chance, or seeds changed here and there."""
    import random

    state, seeds = Run(entry, seconds, found), list(entry.seeds())
    for data in _changed(seeds, random.Random(1)):
        state.try_one(data)


def _changed(seeds: list[bytes], chance: "random.Random") -> Iterator[bytes]:  # type: ignore[name-defined]  # noqa: F821
    """Seeds with some bytes changed, cut out or put in, without end."""
    yield from seeds
    while True:
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 8)):
            at = chance.randint(0, len(data))
            what = chance.randrange(4)
            if what == 0:
                data[at : at + chance.randint(1, 9)] = chance.randbytes(chance.randint(0, 9))
            elif what == 1:
                data[at:at] = chance.choice(seeds)[: chance.randint(1, 200)]
            elif what == 2:
                del data[at : at + chance.randint(1, 50)]
            elif data:
                data[at % len(data)] ^= 1 << chance.randrange(8)
        yield bytes(data[:LARGEST])
