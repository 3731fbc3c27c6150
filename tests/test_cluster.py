"""Workers of Dask: the same bits, whoever dies meanwhile, and one line where nothing can be done."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from basra_sim import cluster, duel, simulate
from basra_sim.cli.jobs import MOST_WORKERS
from basra_sim.decisions import decisions
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Task, place
from basra_sim.policies import get_policy
from basra_sim.pools import Pool, equal_plan
from basra_sim.variants import setting
from tests.commands import ROOT, environment, line, process, refusal
from tests.kills import all_gone

pytest.importorskip("distributed")

T = TypeVar("T")

DUEL = ("duel", "counter", "greedy", "--rounds", "60k", "--json")

LONG = ("duel", "counter", "greedy", "--rounds", "1000M")
"""Hours of work."""

PATIENCE = 300.0
"""Seconds after which what is waited for will not come: far more than it takes on a slow and busy machine."""

OWN = """
    from basra_sim import policy

    @policy
    def mine(view, play):
        return 10 * play.points + play.basra + (view.noise & 1023) / 1024
"""

ENDLESS = """
    from basra_sim import policy

    @policy
    def endless(view, play):
        found = 1.0
        while view.cards_left > 0:
            found = found * 0.5 + play.card
        return found
"""


def written(file: Path, text: str) -> Path:
    """A file with a policy in it."""
    file.write_text(textwrap.dedent(text))
    return file


def waited(look: Callable[[], T | None]) -> T:
    """What comes sooner or later."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (found := look()) is not None:
            return found
        time.sleep(0.02)
    raise AssertionError("it does not come")


def things(mine: Path) -> Iterator[Any]:
    """What is to be the same wherever it is played, each of several pieces."""
    yield simulate("bastra", rounds=30_000, seed=3).to_dict()
    yield simulate("egyptian", matches=1500, policies=("counter", "greedy")).to_dict()
    yield duel("counter", "greedy", deals=9000).to_dict()
    yield duel(str(mine), "greedy+jack-hold", deals=9000).to_dict()
    yield decisions("jack-hold", "counter", deals=600).found.tobytes()
    yield [array.tobytes() for array in Pool(equal_plan(setting("bastra"), get_policy("greedy"))).lot(0, 300)]
    yield duel("expert-rollouts:64", "greedy", deals=20).to_dict()


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of a person's own."""
    return written(tmp_path_factory.mktemp("own") / "mine.py", OWN)


@pytest.fixture(scope="module")
def alone(mine: Path) -> list[Any]:
    """The same things, played in this process."""
    return list(things(mine))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 5])
def test_workers_change_no_result(alone: list[Any], mine: Path, count: int) -> None:
    with cluster.workers(count):
        assert list(things(mine)) == alone
    assert not isinstance(place().workers, cluster.Cluster)


def test_limits_of_the_command_line_and_of_the_library_are_the_same() -> None:
    assert MOST_WORKERS == cluster.MOST_WORKERS


@pytest.mark.parametrize(("processors", "most"), [(1, 8), (2, 8), (16, 64), (500, MOST_WORKERS)])
def test_no_more_workers_than_a_machine_is_for(
    processors: int, most: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def begun(_: Any, count: int, __: Any) -> Any:
        raise BasraError(f"{count} were to begin")

    monkeypatch.setattr(cluster, "thread_count", lambda _: processors)
    monkeypatch.setattr(cluster, "_started", begun)
    with pytest.raises(BasraError, match=f"^{most} were to begin$"), cluster.workers(most):
        pass
    for count in {most + 1, MOST_WORKERS} - {most}:
        with pytest.raises(InputError, match=rf"^{count} workers .* 1 to {most}$"), cluster.workers(count):
            pass


@contextmanager
def running(*args: object, output: int = subprocess.PIPE, **more: Any) -> "Iterator[subprocess.Popen[str]]":
    """A process of a session of its own, ended with all that it started."""
    known: dict[str, Any] = {"env": environment(), "text": True, "start_new_session": True} | more
    with subprocess.Popen(list(map(str, args)), stdout=output, stderr=output, **known) as started:
        try:
            yield started
        finally:
            with suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)


def workers_of(command: "subprocess.Popen[str]") -> list[int]:
    """Processes of workers that a command has started, once there are some."""

    def look() -> list[int] | None:
        assert command.poll() is None, command.communicate()
        words = ["ps", "-ww", "-e", "-o", "ppid=,pid=,args="]
        listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        rows = (row.split(None, 2) for row in listed.splitlines())
        return [int(row[1]) for row in rows if row[0] == str(command.pid) and "spawn_main" in row[2]] or None

    return waited(look)


def pieces(job: Path) -> int:
    """Pieces that are finished in the folder of a job."""
    return len(list(job.glob("pieces/*/*.parquet")))


def at_work(command: "subprocess.Popen[str]", job: Path) -> None:
    """Wait until the first piece is finished, and others are being played."""

    def look() -> int | None:
        assert command.poll() is None, command.communicate()
        return pieces(job) or None

    waited(look)


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """What is printed where nobody is killed."""
    return process(*MANY).stdout


MANY = ("duel", "counter", "greedy", "--rounds", "1M", "--json")
"""Some thirty pieces."""


@pytest.mark.slow
@pytest.mark.parametrize("all_of_them", [False, True])
def test_workers_that_are_killed(undisturbed: str, tmp_path: Path, all_of_them: bool) -> None:
    """Others take over, or come again."""
    job = tmp_path / "job"
    with running(*line(*MANY, "--workers", 2, "--job", job)) as command:
        found = workers_of(command)
        at_work(command, job)
        for worker in found if all_of_them else found[:1]:
            os.kill(worker, signal.SIGKILL)
        then = pieces(job)
        out, err = command.communicate(timeout=PATIENCE)
    assert (command.returncode, err) == (0, "")
    assert out == undisturbed
    assert 0 < then < pieces(job)


@pytest.mark.slow
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_and_its_workers_without_noise(
    tmp_path: Path, sent: signal.Signals, early: bool, group: bool
) -> None:
    with running(*line(*LONG, "--workers", 2, "--job", tmp_path / "job")) as command:
        workers_of(command)
        if not early:
            at_work(command, tmp_path / "job")
        (os.killpg if group else os.kill)(command.pid, sent)
        _, err = command.communicate(timeout=PATIENCE)
        said = {signal.SIGINT: "Interrupted\n", signal.SIGTERM: "Terminated\n"}[sent]
        assert (command.returncode, err) == (128 + sent, said)
        all_gone(command.pid)


@pytest.mark.slow
def test_workers_of_a_command_that_is_killed_end_by_themselves(tmp_path: Path) -> None:
    with running(*line(*LONG, "--workers", 2, "--job", tmp_path / "job")) as command:
        at_work(command, tmp_path / "job")
        os.kill(command.pid, signal.SIGKILL)
        all_gone(command.pid)


@contextmanager
def scheduler(folder: Path, *more: str) -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """Address of a scheduler without workers, and its process."""
    file = folder / "scheduler.json"

    def look() -> str | None:
        assert started.poll() is None, "the scheduler has ended"
        with suppress(OSError, ValueError):
            return str(json.loads(file.read_text())["address"])
        return None

    where = "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file), *more
    with unheard("scheduler", *where) as started:
        yield waited(look), started


@contextmanager
def worker(address: str, root: Path = ROOT, *more: str) -> Iterator[None]:
    """A worker of a scheduler, whose package is that in a folder."""
    with unheard("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", *more, root=root):
        yield


def unheard(*words: str, root: Path = ROOT) -> AbstractContextManager["subprocess.Popen[str]"]:
    """A process of Dask that works with the package in a folder, and whose log nobody reads."""
    env = environment() | {"PYTHONPATH": str(root)}
    return running(sys.executable, "-m", "dask", *words, output=subprocess.DEVNULL, env=env, cwd=root)


def one_line(done: "subprocess.CompletedProcess[str]") -> str:
    """The line in which a command failed."""
    assert (done.returncode, done.stdout) == (1, ""), done
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr[len("Error: ") : -1]


@pytest.mark.slow
def test_a_scheduler_elsewhere_and_a_worker_of_another_version(tmp_path: Path) -> None:
    other = tmp_path / "other"
    for package in ("basra_sim", "analyses", "reports"):
        shutil.copytree(ROOT / package, other / package, ignore=shutil.ignore_patterns("__pycache__"))
    changed = other / "analyses" / "jobs.py"
    changed.write_text(changed.read_text() + "\n# Other.\n")
    with scheduler(tmp_path) as (address, _):
        with worker(address):
            done = process(*DUEL, "--scheduler", address)
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout == process(*DUEL).stdout
        with worker(address, other):
            said = one_line(process(*DUEL, "--scheduler", address))
            assert said.startswith(f"a worker of {address} has other sources of basra-sim: results could differ")
        init = other / "basra_sim" / "__init__.py"
        init.write_text(init.read_text().replace('__version__ = "', '__version__ = "9.'))
        with worker(address, other):
            said = one_line(process(*DUEL, "--scheduler", address))
            assert f"a worker of {address} has basra-sim 9." in said


@pytest.mark.slow
def test_a_scheduler_that_is_lost(tmp_path: Path) -> None:
    with (
        scheduler(tmp_path) as (address, server),
        worker(address),
        running(*line(*LONG, "--scheduler", address, "--job", tmp_path / "job")) as command,
    ):
        at_work(command, tmp_path / "job")
        os.killpg(server.pid, signal.SIGKILL)
        out, err = command.communicate(timeout=PATIENCE)
    assert (command.returncode, out) == (1, "")
    assert err == f"Error: the scheduler at {address} is lost; with --job it goes on if run again\n"


def deadly(*_: object) -> None:
    """End the process, as one that has no memory left is ended."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_piece_that_ends_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "do_piece", deadly)
    said = refusal(*DUEL, "--workers", 2, code=1)
    assert re.fullmatch(r"the piece of \d+ units from \d+ on ends every worker that does it", said)


@pytest.mark.slow
def test_a_policy_without_an_end_is_told_by_its_name(tmp_path: Path) -> None:
    file = written(tmp_path / "endless.py", ENDLESS)
    with running(*line("duel", file, "greedy", "--rounds", 5000, "--workers", 2)) as command:
        out, err = command.communicate(timeout=PATIENCE)
        assert (command.returncode, out) == (1, "")
        assert err.startswith("Error: policy endless is stopped: ")
        assert err.count("\n") == 1
        all_gone(command.pid)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'h5'", name="h5"), "no such module h5: what basra-sim and the file of"),
        (ImportError("cannot import name 'a' from 'h5.b'", name="h5.b"), "no such module h5: what basra-sim and the"),
        (AttributeError("module 'h5' has no attribute 'a'"), "no such module h5: what basra-sim and the file of a"),
        (ModuleNotFoundError("No module named 'basra_sim'", name="basra_sim"), "no such basra-sim: No module named"),
        (AttributeError("Can't get attribute 'a' on <module 'analyses.b' from 'c'>"), "no such basra-sim: Can't get"),
    ],
)
def test_modules_that_a_worker_lacks(error: Exception, said: str) -> None:
    with pytest.raises(BasraError, match=f"^a worker of its address has {re.escape(said)}"):
        failed(error)


def test_an_error_that_tells_of_no_module_is_none_of_the_workers() -> None:
    with pytest.raises(AttributeError, match=r"^'int' object"):
        failed(AttributeError("'int' object has no attribute 'x'"))


def failed(error: Exception) -> None:
    """Take the result of a piece that failed."""

    class Future:
        def result(self) -> None:
            raise error

    class Client:
        scheduler = None

    found: Any = Future()
    client: Any = Client()
    cluster.Cluster(client)._result(cluster._Piece((0, 1), None, found))


@pytest.mark.slow
def test_a_policy_whose_helper_the_workers_do_not_have(tmp_path: Path) -> None:
    """Until it is where they look for modules."""
    helper = tmp_path / "helpers" / "helper_of_mine.py"
    helper.parent.mkdir()
    helper.write_text("from numba import njit\n\n@njit\ndef double(number):\n    return 2 * number\n")
    file = written(
        tmp_path / "mine.py",
        f"""
        import sys
        sys.path.append({str(helper.parent)!r})
        import helper_of_mine
        from basra_sim import policy

        @policy
        def mine(view, play):
            return helper_of_mine.double(play.points)
        """,
    )
    words = ("duel", file, "greedy", "--rounds", 5000, "--workers", 2)
    said = one_line(process(*words))
    assert "has no such module helper_of_mine: what basra-sim and the file of a policy import" in said
    done = process(*words, paths=(helper.parent,))
    assert (done.returncode, done.stderr) == (0, "")


def test_workers_that_do_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", failing)
    said = refusal(*DUEL, "--workers", 2, code=1)
    assert said == "the 2 workers do not start, or were ended as they did: Nanny failed to start."


def test_while_workers_start_a_signal_is_heard_later_and_a_second_at_once() -> None:
    done = []

    def starting(signals: int) -> None:
        with cluster._heard_later():
            for _ in range(signals):
                signal.raise_signal(signal.SIGINT)
            done.append(signals)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        starting(0)
        for signals in (1, 2):
            with pytest.raises(KeyboardInterrupt):
                starting(signals)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == [0, 1]


class Slow(cluster.Cluster):
    """Workers of whom one is done with a piece at every fifth look."""

    threads = 2
    begun = 0
    most = 0
    looks = 0

    def _begun(self, task: Any, blob: bytes, part: Any, shelf: Any) -> cluster._Piece:
        self.begun += 1
        return cluster._Piece(part)

    def _wait(self, given: Any, shelf: Any, waiting: Any) -> None:
        self.most = max(self.most, len(given))
        self.looks += 1
        if self.looks % 5 == 0:
            next(piece for piece in given if piece.found is None).found = ()


class NoClient:
    """Connection over which nothing is asked."""

    def cancel(self, futures: list[Any]) -> None:
        assert futures == []


def test_no_more_pieces_are_given_out_than_there_is_room_for() -> None:
    slow = Slow(NoClient())  # type: ignore[arg-type]  # it is asked for nothing
    parts = [(first, 1) for first in range(40)]
    task = Task("nothing", divmod, (), 1)  # type: ignore[arg-type]  # nobody does it
    assert list(slow.run(task, parts, None, None, lambda: None)) == [()] * 40
    assert slow.begun == 40
    assert slow.most == 2 * Slow.threads + 2
