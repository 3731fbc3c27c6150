"""
Compiled work that calls functions of a person's own, watched: one that does not return is told by its name.

Compiled code cannot be stopped from outside. So it runs in a thread beside, which is left behind when a function in it
is stuck. What calls no such function runs as it would without any of this.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.errors import BasraError, StuckError
from basra_sim.policies.custom import BEAT, RAISED, WHO, name_of
from basra_sim.policies.weighing import NO_NUMBER

EVERY = 0.25
"""Seconds between two looks at a function that runs."""

PATIENCE = 10.0
"""
Seconds that a function may take over a single play. A round takes some hundred calls: with one in a hundred of that
nobody would wait for a thousand rounds, so that what takes longer has no end.
"""

MOST_MEMORY = 1_000_000_000
"""Bytes by which the memory of the process may grow while a function is at a single play."""


def calls_functions(side: kernel.Side, *more: Any) -> bool:
    """Whether some players, or pieces of advice besides, are functions of a person's own."""
    return bool(side.functions.any() or side.pieces.functions.any() or any(each.functions.any() for each in more))


def watched(work: Callable[..., Any], knowledge: npt.NDArray[np.int64], watch: bool, *arguments: Any) -> Any:
    """
    What compiled work gives, watched if it may call functions of a person's own.

    Parameters
    ----------
    work : compiled function
    knowledge : what functions are handed in this work, see `custom.BEAT`
    watch : whether there are any
    **arguments : of the work

    Raises
    ------
    StuckError
        If a function takes longer than `PATIENCE` over a play, or more memory than `MOST_MEMORY`; it names it.
    """
    if not watch:
        return work(*arguments)
    found: list[Any] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            found.append(work(*arguments))
        except BaseException as error:  # noqa: BLE001 -- it is raised where the result is waited for
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="watched", daemon=True).start()
    _wait(ended, knowledge)
    if failed:
        raise failed[0]
    return found[0]


def _wait(ended: threading.Event, knowledge: npt.NDArray[np.int64]) -> None:
    """
    Wait for the end of work; raise what says that a function is stuck.

    Looks are counted, not seconds: a process that was halted meanwhile has not been at work.
    """
    last, looks, before = -1, 0, 0
    while not ended.wait(EVERY):
        beat = int(knowledge[BEAT])
        if beat % 2 == 0 or beat != last:
            last, looks, before = beat, 0, _memory()
            continue
        looks += 1
        name = name_of(int(knowledge[WHO]))
        if _memory() - before > MOST_MEMORY:
            raise StuckError(f"{name} is stopped: over a single play it asks for more and more memory")
        if looks * EVERY >= PATIENCE:
            raise StuckError(
                f"{name} is stopped: it has not decided about a single play within {PATIENCE:g} seconds; "
                "look for a loop without an end"
            )


def refuse(status: int, label: str, knowledge: npt.NDArray[np.int64]) -> None:
    """
    Raise what a status of compiled work tells, if it is trouble.

    Raises
    ------
    BasraError
    """
    if status not in kernel.TROUBLE:
        return
    if status == NO_NUMBER and knowledge[WHO]:
        name = name_of(int(knowledge[WHO]))
        how = "gave no number (nan) for a play"
        if knowledge[RAISED]:
            what = "a raise or assert of its own, a division by zero, or an index beyond an end"
            how = f"raised an error over a play: {what}"
        raise BasraError(f"{label}: {name} {how}")
    raise BasraError(f"{label}: {kernel.TROUBLE[status]}")


def _memory() -> int:
    """The most memory that this process has used so far, in bytes; 0 where that is not known."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
