"""What must not happen while something is read: a traceback, a hang, much memory, a write elsewhere, a run of it."""

import os
import resource
import signal
import sys
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

SECONDS, BYTES = 5.0, 1_000_000_000
"""What a single input may take."""

PLAYS_FOR = 0.5
"""Seconds after which what has come so far as to play is told that it is enough."""

_ROOT = Path(__file__).resolve().parents[2]
_PLAYING = {"simulation.py", "decisions.py", "foresight.py", "executors.py", "stakes.py", "pools.py", "valuing.py"}
_NOT_NOW = {"start", "submit", "shutdown", "_bootstrap_inner"}
"""Functions within which threads are begun or ended: nothing may be raised in the middle of that."""
_STARTS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile", "socket.connect"}
_CHANGES = {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.chmod"}


class Failure(NamedTuple):
    """What went wrong with an input, in a word and in full."""

    kind: str
    text: str


class Cost(NamedTuple):
    """
    What an input took.

    Attributes
    ----------
    seconds : but for what is done only the first time
    first : seconds in the compiler and in loading modules, to half a second; another input like it takes none
    grown : bytes by which the most memory that was ever used grew
    """

    seconds: float
    first: float
    grown: int


class _Hang(BaseException):
    """It takes too long."""


class _Enough(Exception):  # noqa: N818 -- no error: what is asked for is only too much
    """It has come as far as to play: how long it plays is for the person to say."""


class Guard:
    """
    Runs of something over inputs, each watched.

    Parameters
    ----------
    folder : the one folder in which files may be written
    expected : errors that are an answer
    may_run : files of Python in the folder that may be run

    Attributes
    ----------
    usual : bytes of memory that the process has without any input; an input may not take it beyond the limit
    """

    def __init__(self, folder: Path, expected: tuple[type[BaseException], ...], may_run: tuple[str, ...] = ()) -> None:
        self.folder = folder.resolve()
        self._expected = expected
        self._may_run = {str(self.folder / name) for name in may_run} | set(may_run)
        self._breaches: list[str] = []
        self._watching = False
        self._begun = self._rung = self._first = 0.0
        self.usual = 0
        caches = (os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME"), str(Path.home() / ".cache"))
        self._free = tuple(str(Path(each).resolve()) for each in (str(self.folder), *(each for each in caches if each)))
        self._known = tuple(
            {str(_ROOT), sys.prefix, sys.base_prefix, *map(str, sysconfig.get_paths().values()), "<", "frozen"}
        )
        sys.addaudithook(self._hear)

    def run(self, work: Callable[[], object]) -> tuple[Failure | None, Cost]:
        """Run something; what failed, if anything did, and what it took."""
        self._breaches.clear()
        before, failure = peak(), None
        self._begun, self._rung, self._first = time.monotonic(), time.monotonic(), 0.0
        try:
            with self._timed():
                self._watching = True
                work()
        except _Enough:
            pass
        except self._expected:
            pass
        except _Hang:
            failure = Failure("hang", f"over {SECONDS:g} s\n{traceback.format_exc()}")
        except BaseException as error:  # whatever it is, it is what is looked for
            if isinstance(error, KeyboardInterrupt):
                raise
            failure = Failure(f"error-{_where(error)}", traceback.format_exc())
        finally:
            self._watching = False
        cost = Cost(self._own_seconds(), self._first, peak() - before)
        if failure is None and self._breaches:
            failure = Failure("breach", "\n".join(self._breaches))
        if failure is None and self.usual + cost.grown > BYTES:
            failure = Failure("memory", f"{cost.grown:,} bytes more than {self.usual:,}")
        return failure, cost

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Stop what takes too long, unless it plays."""
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, PLAYS_FOR, PLAYS_FOR)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _own_seconds(self) -> float:
        """Seconds since an input was begun, but for those of what is done only the first time."""
        return time.monotonic() - self._begun - self._first

    def _ring(self, _: int, frame: FrameType | None) -> None:
        """Look at what is being done."""
        since, self._rung = time.monotonic() - self._rung, time.monotonic()
        files = {name for each in sys._current_frames().values() for name, _ in _calls(each)}
        if any(f"{os.sep}numba{os.sep}" in name or "importlib" in name for name in files):
            self._first += since
            return
        calls = list(_calls(frame))
        if any(function in _NOT_NOW for _, function in calls):
            return
        if any(Path(name).name in _PLAYING and str(_ROOT) in name for name, _ in calls):
            raise _Enough
        if self._own_seconds() > SECONDS:
            raise _Hang

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        """Note what Python tells of itself that may not be."""
        if not self._watching:
            return
        if event in _STARTS:
            self._breaches.append(f"{event}{args!r:.200}\n{''.join(traceback.format_stack(limit=12))}")
        elif event == "exec" and isinstance(args[0], CodeType):
            name = args[0].co_filename
            if not name.startswith(self._known) and name not in self._may_run:
                self._breaches.append(f"run: {name}")
        elif event == "open" and isinstance(args[0], str | bytes) and _writes(args[1], args[2]):
            self._check(event, args[0])
        elif event in _CHANGES:
            for each in args[:2] if event == "os.rename" else args[event in ("os.symlink", "os.link") :][:1]:
                if isinstance(each, str | bytes | os.PathLike):
                    self._check(event, _placed(event, each, args))

    def _check(self, event: str, path: Any) -> None:
        """Note a change to a file that is not in the folder."""
        place = os.path.realpath(os.path.dirname(os.path.abspath(os.fsdecode(path))))  # noqa: PTH100, PTH120 -- pathlib opens files itself, which this listens to
        if os.fsdecode(path) == os.devnull or "__pycache__" in place:
            return
        if not any(place == each or place.startswith(each + os.sep) for each in self._free):
            self._breaches.append(f"{event}: {os.fsdecode(path)!r}")


def _calls(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """File and function of a call, and of all calls that it is within."""
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_code.co_name
        frame = frame.f_back


def peak() -> int:
    """The most memory that this process has used so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _placed(event: str, path: Any, args: tuple[Any, ...]) -> Any:
    """A path that is told from an open folder, from where that lies."""
    beside = args[1] if event in ("os.remove", "os.rmdir") else -1
    if not isinstance(beside, int) or beside < 0 or os.path.isabs(path):  # noqa: PTH117 -- the same
        return path
    return os.path.join(os.readlink(f"/proc/self/fd/{beside}"), os.fsdecode(path))  # noqa: PTH115, PTH118 -- the same


def _writes(mode: Any, flags: Any) -> bool:
    """Whether a file is opened to be changed."""
    if isinstance(mode, str) and set(mode) & set("wax+"):
        return True
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def _where(error: BaseException) -> str:
    """Where an error came from, as a name: of findings with the same name one is enough."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if str(_ROOT / "tests") not in each.filename]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    own = [each for each in frames if each.filename.startswith(str(_ROOT))]
    ours = f"-{Path(own[-1].filename).stem}-{own[-1].lineno}" if own else ""
    return f"{type(error).__name__}-{Path(last.filename).stem}-{last.lineno}{ours}"
