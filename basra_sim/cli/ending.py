"""How a command ends: with an exit code, and in one line if something was wrong."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import click

from basra_sim.cli.text import coloured
from basra_sim.errors import BasraError, StuckError

STOPS = {signal.SIGINT: "Interrupted", signal.SIGTERM: "Terminated"}
"""Signals that ask for an end, and what is said to them. The exit code is 128 more than their number, as usual."""

_received: list[int] = []

_at_once = False

LONGEST = 2000
"""Letters of what is told of an error: it may repeat what was handed in, of any length."""

TRACEBACK = "BASRA_SIM_TRACEBACK"
"""Set in the environment, it shows where an error inside this package came from."""


class Stopped(Exception):  # noqa: N818 -- an interruption is no error; the reason is the cause
    """A command was interrupted, or the system failed it; its cause says how."""


class Cut:
    """Whether work was cut short by a signal, and by which."""

    def __init__(self) -> None:
        self._by: KeyboardInterrupt | None = None

    @property
    def short(self) -> bool:
        """Whether a signal cut the work short."""
        return self._by is not None

    def by(self, signal_raised: KeyboardInterrupt) -> None:
        """Note what cut it short."""
        self._by = signal_raised

    def end(self) -> None:
        """End the command as the signal asked for, if there was one; what was finished has been shown by now."""
        if self._by is not None:
            raise self._by


@contextmanager
def finished_parts() -> Iterator[Cut]:
    """
    Go on behind work that a signal cuts short, so that those of its parts that are finished can be shown.

    A second signal ends the command at once.
    """
    cut = Cut()
    try:
        yield cut
    except KeyboardInterrupt as error:
        cut.by(error)
    except Exception:
        if not _received:
            raise
        cut.by(KeyboardInterrupt(_received[0]))
    if cut.short:
        _received.clear()


def heed() -> None:
    """Stop now if a signal said so; usually it has, but what it raises inside a finaliser or a callback is lost."""
    if _received:
        raise KeyboardInterrupt(_received[0])


def _unheard(*_: object) -> None:
    """Say nothing of an error that nobody could catch, or that was caught where it was to be told by its traceback."""


@contextmanager
def _listening() -> Iterator[None]:
    """Take signals that ask for an end as `KeyboardInterrupt`, unless somebody else has a say in them."""

    def stop(number: int, _: FrameType | None) -> None:
        _received.append(number)
        # What the end leaves half made complains: a compiler when taken down, a module in C as it finds no NumPy.
        sys.unraisablehook = sys.excepthook = _unheard
        raise KeyboardInterrupt(number)

    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in STOPS:
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _received.clear()


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """
    While this lasts, an interrupted command ends the process as soon as it has said so, and nothing is taken down.

    What was cut short in the middle, a module half loaded, a compiler or a writer at work, is held by the exception
    that cut it short, and can crash when it is freed. By then files are closed or removed, and all has been said.
    """
    global _at_once  # noqa: PLW0603 -- it is about the process, of which there is one
    before, _at_once = _at_once, True
    try:
        yield
    finally:
        _at_once = before


def ended(run: Callable[[], object]) -> int:
    """
    Run something, tell a person in one line what went wrong, and return the exit code.

    0 if all went well or a reader of the output has seen enough, 1 if it failed, 2 if what was asked for is wrong, 130
    after Ctrl-C.
    """
    if sys.stdout is None:
        # It was closed: of what is taken in its place nothing can be written, and no other file gets its number.
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115, PTH123 -- it stays open
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # streams put in place of the usual ones
    try:
        with _listening():
            code = _heeding(run)
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 -- whatever it is, no traceback is to reach a person
        return _failed(error.__cause__ if isinstance(error, Stopped) and error.__cause__ else error)
    except KeyboardInterrupt as error:
        return _failed(error)
    return code if isinstance(code, int) else 0


def _heeding(run: Callable[[], object]) -> object:
    """Run something; what breaks once a signal asked for an end, as a compiler cut short does, is that end."""
    try:
        return run()
    except Exception:
        heed()
        raise


def _failed(error: BaseException) -> int:
    """Tell what went wrong; return the exit code."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            error.show()
            return error.exit_code
        case click.UsageError():
            return _told(f"{error.format_message().rstrip('.')}{_see_help(error)}", error.exit_code)
        case click.ClickException():
            return _told(error.format_message(), error.exit_code)
        case StuckError():
            _told(str(error), error.exit_code)
            return _left(error.exit_code)
        case BasraError():
            return _told(str(error), error.exit_code)
        case KeyboardInterrupt() | EOFError() | click.Abort():
            return _stopped(error)
        case BrokenPipeError():
            _silence()
            return 0
        case OSError():
            _silence()
            return _told(f"{error.filename or 'the output cannot be written'}: {error.strerror or error}", 1)
        case MemoryError():
            return _told(f"there is not enough memory: {str(error) or 'ask for less'}", 1)
    if os.environ.get(TRACEBACK):
        raise error
    text = f"{type(error).__name__}: {error}"
    return _told(f"a fault in the program, not yours: {text} (with {TRACEBACK}=1 it shows where)", 1)


def _see_help(error: click.UsageError) -> str:
    """Where to read more about a wrong use of a command."""
    told = isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)
    if error.ctx is None or told:
        return ""
    return f" (see {error.ctx.command_path} --help)"


def _stopped(error: BaseException) -> int:
    """Say that a signal has ended the command; return the exit code."""
    # CPython ends itself by the signal if the exception went through text that was executed, as in named tuples, unless
    # another text is executed after it.
    exec("")
    number = signal.Signals(error.args[0]) if isinstance(error, KeyboardInterrupt) and error.args else signal.SIGINT
    with suppress(OSError):
        click.echo(STOPS[number], err=True)
    return _left(128 + number)


def _left(code: int) -> int:
    """End the process, if nothing is to be taken down; else return the exit code."""
    if _at_once:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    return code


def _told(text: str, code: int) -> int:
    """Print a message on one line; return the exit code."""
    line = "".join(sign if sign.isprintable() else " " for sign in " ".join(text[:LONGEST].splitlines()))
    line += "…" * (len(text) > LONGEST)
    with suppress(OSError):
        click.echo(f"{click.style('Error:', fg='red')} {line}", err=True, color=coloured())
    return code


def _silence() -> None:
    """Let what is still to be written go nowhere, so that the interpreter does not complain of it when it ends."""
    with suppress(OSError, ValueError):
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
