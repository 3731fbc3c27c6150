"""Connections to schedulers of Dask: what address can be one, who answers there, and what is waited for meanwhile."""

import logging
from asyncio import wait_for
from collections.abc import Callable
from contextlib import suppress
from ssl import SSLError
from typing import Any

from basra_sim.errors import BasraError, InputError

Notice = Callable[[str], object]
"""Told, in a line, what is waited for."""

WAIT = 60.0
"""Seconds to wait for a first worker; for a scheduler to answer, a quarter of them."""

SOON = 1.0
"""Seconds after which it is told what is waited for."""

MOST_PORT = 65_535


def library() -> Any:
    """The library, its log kept from a person's terminal."""
    try:
        import distributed
    except ImportError as error:
        raise InputError("Dask is not installed: pip install 'basra-sim[dask]'") from error
    # Some of their parts have a level of their own by now, and hear nothing of that of the whole.
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
        if name.split(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def client(distributed: Any, to: Any, **settings: Any) -> Any:
    """
    Connection to a scheduler; where there is none, nothing is left of it.

    Else Python would close it whenever it clears away, even while the library starts or ends another, which holds a
    lock then that both would wait for, for ever.
    """

    class Connection(distributed.Client):  # type: ignore[misc]  # the library may not be there
        def __init__(self) -> None:
            try:
                super().__init__(to, set_as_default=False, **settings)
            except Exception:
                with suppress(Exception):
                    self.close()
                raise

        async def _start(self, **known: Any) -> Any:
            # Who is no scheduler may take the greeting and never answer; of that the library does not tire.
            limit = settings.get("timeout")
            return await wait_for(super()._start(**known), limit and 2 * limit)

    return Connection()


def check_address(distributed: Any, address: str) -> None:
    """Refuse what is no address, a port that there is not, and TLS that Dask's own settings do not do for."""
    import dask

    try:
        port = distributed.comm.get_address_host_port(address)[1]
    except (ValueError, TypeError) as error:
        raise InputError(f"{address!r} is no address of a scheduler: write it such as tcp://10.0.0.1:8786") from error
    if not 1 <= port <= MOST_PORT:
        raise InputError(f"{address}: there is no port {port}: a port is a number from 1 to {MOST_PORT}")
    try:
        known = distributed.Security().get_connection_args("client")
    except (OSError, ValueError, TypeError) as error:
        text = f"Dask's settings for TLS, distributed.comm.tls, cannot be used: {_reason(error)}"
        raise InputError(text) from error
    if dask.config.get("distributed.client.security-loader", None):
        return
    encrypted = address.startswith(("tls://", "wss://"))
    if encrypted and known["ssl_context"] is None:
        names = "ca-file, client.cert and client.key"
        raise InputError(f"{address} takes certificates: name them in Dask's settings, distributed.comm.tls: {names}")
    if known["require_encryption"] and not encrypted:
        text = "Dask's settings allow nothing but TLS, by distributed.comm.require-encryption"
        raise InputError(f"{address}: {text}: give an address that begins with tls://")


def _reason(error: BaseException) -> str:
    """What an error of the system or of TLS says."""
    return str(getattr(error, "strerror", None) or error)


def answering(distributed: Any, address: str, notice: Notice) -> Any:
    """Connection to a scheduler, once it answers."""
    from distributed.comm.core import CommClosedError

    for patience, is_last in ((SOON, False), (WAIT / 4, True)):
        try:
            return client(distributed, address, timeout=patience)
        except (CommClosedError, ValueError, TypeError, AssertionError) as error:
            if isinstance(error.__cause__, SSLError):
                text = f"{address} does not answer by TLS as it should: {_reason(error.__cause__)}"
            else:
                other = "tcp" if address.startswith("tls://") else "tls"
                text = f"what answers at {address} is no scheduler of Dask, or one for addresses of {other}:// alone"
            raise BasraError(text) from error
        except OSError as error:
            late = error
        if not is_last:
            notice(f"No scheduler answers at {address} yet: waiting")
    raise BasraError(f"no scheduler answers at {address}: start one with 'dask scheduler'") from late


def await_worker(connection: Any, address: str, notice: Notice) -> None:
    """Wait for a first worker."""
    for patience, is_last in ((SOON, False), (WAIT, True)):
        try:
            connection.wait_for_workers(1, timeout=patience)
            return
        except TimeoutError as error:
            late = error
        except OSError as error:
            raise BasraError(f"the scheduler at {address} is lost") from error
        if not is_last:
            notice(f"No worker has come to {address} yet: waiting; start some with 'dask worker {address}'")
    text = f"no worker has come to {address} within {WAIT:.0f} s: start some with 'dask worker {address}'"
    raise BasraError(text) from late
