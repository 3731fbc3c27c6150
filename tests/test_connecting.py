"""Schedulers of Dask that are none, are not there, or have no workers: what is waited for is told, and not for ever."""

import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from basra_sim import connecting
from tests.commands import ROOT, command, process, refusal
from tests.test_cluster import DUEL, one_line, scheduler, worker


def test_nothing_answers_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "WAIT", 4.0)
    where = "tcp://127.0.0.1:9"
    done = command(*DUEL, "--scheduler", where)
    assert (done.exit_code, done.stdout) == (1, "")
    said = f"no scheduler answers at {where}: start one with 'dask scheduler'"
    assert done.stderr == f"No scheduler answers at {where} yet: waiting\nError: {said}\n"
    assert refusal(*DUEL, "--quiet", "--scheduler", where, code=1) == said


@contextmanager
def listening(answers: bytes) -> Iterator[str]:
    """An address at which something answers that is no scheduler."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])
                    taken[-1].sendall(answers)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        for each in taken:
            each.close()


def test_what_answers_is_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may close the connection, or never say a word."""
    monkeypatch.setattr(connecting, "WAIT", 4.0)
    with listening(b"") as address:
        said = refusal(*DUEL, "--quiet", "--scheduler", address, code=1)
        assert said == f"no scheduler answers at {address}: start one with 'dask scheduler'"


@contextmanager
def waiting(monkeypatch: pytest.MonkeyPatch, error: type[OSError]) -> Iterator[None]:
    """A scheduler that answers, and a first worker for whom it is waited in vain."""

    class Client:
        def wait_for_workers(self, number: int, timeout: float) -> None:
            raise error(f"{number} {timeout}")

    @contextmanager
    def client(*_: object, **__: object) -> Iterator[Client]:
        yield Client()

    with monkeypatch.context() as patched:
        patched.setattr(connecting, "client", client)
        yield


def test_no_worker_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    where = "tcp://127.0.0.1:9"
    starts = f"start some with 'dask worker {where}'"
    with waiting(monkeypatch, TimeoutError):
        done = command(*DUEL, "--scheduler", where)
        assert (done.exit_code, done.stdout) == (1, "")
        note, said = done.stderr.splitlines()
        assert note == f"No worker has come to {where} yet: waiting; {starts}"
        assert said == f"Error: no worker has come to {where} within 60 s: {starts}"
        assert f"Error: {refusal(*DUEL, '--quiet', '--scheduler', where, code=1)}" == said
    with waiting(monkeypatch, ConnectionResetError):
        assert refusal(*DUEL, "--scheduler", where, code=1) == f"the scheduler at {where} is lost"


@pytest.mark.slow
def test_no_worker_comes_to_a_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "WAIT", 1.0)
    with scheduler(tmp_path) as (address, _):
        said = refusal(*DUEL, "--quiet", "--scheduler", address, code=1)
    assert said.startswith(f"no worker has come to {address} within 1 s: ")


@pytest.mark.parametrize("port", ["99999", "65536", "0", "-1"])
def test_a_port_that_there_is_not(port: str) -> None:
    said = refusal(*DUEL, "--scheduler", f"tcp://127.0.0.1:{port}")
    assert said == f"tcp://127.0.0.1:{port}: there is no port {port}: a port is a number from 1 to 65535"


CERTIFIED = "distributed.comm.tls.client.cert", "distributed.comm.tls.client.key", "distributed.comm.tls.ca-file"


def test_tls_without_settings_and_with_such_as_do_not_do(tmp_path: Path) -> None:
    import dask

    where = "tls://127.0.0.1:9"
    said = refusal(*DUEL, "--scheduler", where)
    assert said.startswith(f"{where} takes certificates: name them in Dask's settings, distributed.comm.tls: ca-file, ")
    with dask.config.set(dict.fromkeys(CERTIFIED, str(tmp_path / "none.pem"))):
        said = refusal(*DUEL, "--scheduler", where)
        assert said == "Dask's settings for TLS, distributed.comm.tls, cannot be used: No such file or directory"
    with dask.config.set({"distributed.comm.require-encryption": True}):
        said = refusal(*DUEL, "--scheduler", "tcp://127.0.0.1:9")
        assert said.endswith("by distributed.comm.require-encryption: give an address that begins with tls://")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made by openssl")
def test_a_scheduler_that_takes_tls(tmp_path: Path) -> None:
    """By Dask's own settings, of which the environment is one; with other certificates it does not answer."""
    names = {}
    for whose in ("ours", "theirs"):
        key, certificate = (str(tmp_path / f"{whose}.{kind}.pem") for kind in ("key", "cert"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
             "-days", "2", "-subj", f"/CN={whose}"],
            check=True, capture_output=True,
        )  # fmt: skip
        names[whose] = (certificate, key)
    settings = {whose: tls(*files) for whose, files in names.items()}
    options = [
        f"--tls-{what}={file}"
        for what, file in zip(("ca-file", "cert", "key"), (names["ours"][0], *names["ours"]), strict=True)
    ]
    with scheduler(tmp_path, "--protocol", "tls", *options) as (address, _), worker(address, ROOT, *options):
        assert address.startswith("tls://")
        done = process(*DUEL, "--scheduler", address, more=settings["ours"])
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == process(*DUEL).stdout
        said = one_line(process(*DUEL, "--scheduler", address, more=settings["theirs"]))
        assert said.startswith(f"{address} does not answer by TLS as it should: ")
        plain = address.replace("tls://", "tcp://")
        said = one_line(process(*DUEL, "--scheduler", plain))
        assert said == f"what answers at {plain} is no scheduler of Dask, or one for addresses of tls:// alone"


def tls(certificate: str, key: str) -> dict[str, str]:
    """Settings of Dask as variables of the environment."""
    begin = "DASK_DISTRIBUTED__COMM__TLS__"
    return {f"{begin}CA_FILE": certificate, f"{begin}CLIENT__CERT": certificate, f"{begin}CLIENT__KEY": key}


@pytest.mark.parametrize(
    "address", ["nowhere", "http://x", "tcp://", "tcp://127.0.0.1:x", "", "ftp://127.0.0.1:1", ":", "inproc://x"]
)
def test_what_is_no_address(address: str) -> None:
    before = set(threading.enumerate())
    said = refusal(*DUEL, "--scheduler", address)
    assert said == f"{address!r} is no address of a scheduler: write it such as tcp://10.0.0.1:8786"
    assert set(threading.enumerate()) <= before
