"""Workers of Dask: the same bits, whoever dies meanwhile, and one line where nothing can be done."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from basra_sim import cluster, duel, simulate
from basra_sim.cli.jobs import MOST_WORKERS
from basra_sim.decisions import decisions
from basra_sim.executors import place
from tests.commands import ROOT, environment, line, process, refusal
from tests.kills import all_gone

pytest.importorskip("distributed")

# Dask leaves sockets and loops to the collector when a process is killed or a connection is cut, as happens here.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

DUEL = ("duel", "counter", "greedy", "--rounds", "60k", "--json")

OWN = """
    from basra_sim import policy

    @policy
    def mine(view, play):
        return 10 * play.points + play.basra + (view.noise & 1023) / 1024
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A policy of a person's own."""
    file = tmp_path / "mine.py"
    file.write_text(textwrap.dedent(OWN))
    return file


def things(mine: Path) -> Iterator[Any]:
    """What is to be the same wherever it is played."""
    yield simulate("bastra", rounds=30_000, seed=3).to_dict()
    yield simulate("egyptian", matches=700, policies=("counter", "greedy")).to_dict()
    yield duel("counter", "greedy", deals=9000).to_dict()
    yield duel(str(mine), "greedy+jack-hold", deals=3000).to_dict()
    yield decisions("jack-hold", "counter", deals=300).found.tobytes()
    yield duel("expert-rollouts:8", "greedy", deals=2).to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 5])
def test_workers_change_no_result(mine: Path, count: int) -> None:
    alone = list(things(mine))
    with cluster.workers(count):
        assert list(things(mine)) == alone
    assert not isinstance(place().workers, cluster.Cluster)


def test_limits_of_the_command_line_and_of_the_library_are_the_same() -> None:
    assert MOST_WORKERS == cluster.MOST_WORKERS


@contextmanager
def running(*args: object) -> "Iterator[subprocess.Popen[str]]":
    """A process of a session of its own, ended with all that it started."""
    with subprocess.Popen(
        list(map(str, args)), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as started:  # fmt: skip
        try:
            yield started
        finally:
            with suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)


def children(parent: int) -> list[int]:
    """Processes of workers that a process has started."""
    listed = subprocess.run(
        ["ps", "-ww", "-e", "-o", "ppid=,pid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = (row.split(None, 2) for row in listed.splitlines())
    return [int(row[1]) for row in rows if row[0] == str(parent) and "spawn_main" in row[2]]


def workers_of(parent: int) -> list[int]:
    """As `children`, once there are some."""
    for _ in range(600):
        if found := children(parent):
            return found
        time.sleep(0.1)
    raise AssertionError("no worker has started")


@pytest.mark.slow
@pytest.mark.parametrize("all_of_them", [False, True])
def test_workers_that_are_killed(all_of_them: bool) -> None:
    """Others take over, or come again."""
    args = ("duel", "counter", "greedy", "--rounds", "300k", "--json")
    alone = process(*args).stdout
    with running(*line(*args, "--workers", 2)) as command:
        found = workers_of(command.pid)
        time.sleep(6)
        for worker in found if all_of_them else found[:1]:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        out, err = command.communicate(timeout=300)
    assert (command.returncode, err) == (0, "")
    assert out == alone


@pytest.mark.slow
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("after", [1.0, 10.0])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_and_its_workers_without_noise(
    sent: signal.Signals, after: float, group: bool
) -> None:
    with running(*line("duel", "counter", "greedy", "--rounds", "100M", "--workers", 2)) as command:
        workers_of(command.pid)
        time.sleep(after)
        (os.killpg if group else os.kill)(command.pid, sent)
        _, err = command.communicate(timeout=60)
        said = {signal.SIGINT: "Interrupted\n", signal.SIGTERM: "Terminated\n"}[sent]
        assert (command.returncode, err) == (128 + sent, said)
        all_gone(command.pid)


@pytest.mark.slow
def test_workers_of_a_command_that_is_killed_end_by_themselves() -> None:
    with running(*line("duel", "counter", "greedy", "--rounds", "100M", "--workers", 2)) as command:
        workers_of(command.pid)
        time.sleep(8)
        os.kill(command.pid, signal.SIGKILL)
        all_gone(command.pid)


DEADLY = """
    import ctypes
    from numba import njit
    from basra_sim import policy

    kill = ctypes.CFUNCTYPE(None)(ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value)

    @policy
    def deadly(view, play):
        kill()
        return 1.0
"""


@contextmanager
def scheduler() -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """Address of a scheduler without workers, and its process."""
    words = [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with running(*words) as started:
        assert started.stderr is not None
        for said in started.stderr:
            if "Scheduler at:" in said:
                yield said.split("Scheduler at:")[1].strip(), started
                return
        raise AssertionError("no scheduler has started")


@contextmanager
def worker(address: str, root: Path = ROOT) -> "Iterator[subprocess.Popen[bytes]]":
    """A worker of a scheduler, whose package is that in a folder."""
    words = [sys.executable, "-m", "dask", "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    started = subprocess.Popen(
        words, env=environment() | {"PYTHONPATH": str(root)}, cwd=root, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


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
    with scheduler() as (address, _):
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
def test_a_scheduler_that_is_lost() -> None:
    with (
        scheduler() as (address, server),
        worker(address),
        running(*line("duel", "counter", "greedy", "--rounds", "100M", "--scheduler", address)) as command,
    ):
        time.sleep(12)
        assert command.poll() is None
        os.killpg(server.pid, signal.SIGKILL)
        out, err = command.communicate(timeout=120)
    assert (command.returncode, out) == (1, "")
    assert err == f"Error: the scheduler at {address} is lost; with --job it goes on if run again\n"


@pytest.mark.slow
def test_a_player_that_ends_every_worker(tmp_path: Path) -> None:
    file = tmp_path / "deadly.py"
    file.write_text(textwrap.dedent(DEADLY))
    said = one_line(process("duel", file, "greedy", "--rounds", 5000, "--workers", 2))
    assert "ends every worker that does it" in said


@pytest.mark.slow
def test_nothing_answers_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT", 4.0)
    said = refusal(*DUEL, "--scheduler", "tcp://127.0.0.1:9", code=1)
    assert said == "no scheduler answers at tcp://127.0.0.1:9: start one with 'dask scheduler'"


@pytest.mark.parametrize(
    "address", ["nowhere", "http://x", "tcp://", "tcp://127.0.0.1:x", "", "ftp://127.0.0.1:1", ":"]
)
def test_what_is_no_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT", 4.0)
    said = refusal(*DUEL, "--scheduler", address)
    assert said == f"{address!r} is no address of a scheduler: write it such as tcp://10.0.0.1:8786"
