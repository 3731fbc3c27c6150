"""A person's own scoring function on its way to being compiled: what is refused, and in which words."""

import builtins
import dis
import inspect
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.compiler_lock import global_compiler_lock

from basra_sim.errors import BasraError, InputError

LARGEST_CODE = 20_000
"""Bytes of byte code that a function may have: larger ones, which nobody writes by hand, take minutes to compile."""

_GIVES = (
    (types.NoneType, "nothing (None), or has no end"),
    (types.Optional, "nothing (None) on some ways through it"),
    (types.UnicodeType, "a text"),
    (types.Literal, "a text"),
    (types.Bytes, "bytes"),
    (types.Complex, "a complex number"),
    (types.BaseTuple, "several values"),
    (types.Array, "an array"),
    (types.List, "a list"),
    (types.ListType, "a list"),
    (types.DictType, "a dictionary"),
    (types.Set, "a set"),
    (types.Generator, "values one after the other (yield)"),
    (types.Function, "a function"),
    (types.Dispatcher, "a function"),
)
"""What a function must not give, in words."""

_OUTSIDE = "it reaches beyond what it is handed"

_ENDLESS = "how deep that goes is not certain, so write it as a loop"

_compiler: Any = numba

_REFUSED = {
    builtins.print: "it prints, and would spoil what is printed",
    _compiler.carray: f"{_OUTSIDE} (carray)",
    _compiler.farray: f"{_OUTSIDE} (farray)",
    np.lib.stride_tricks.as_strided: f"{_OUTSIDE} (as_strided)",
}

_UNIFY = re.compile(r"(?:Cannot|Can't) unify (?:return type from the following types: )?(.*?)(?: for .*)?$")

_UNKNOWN = re.compile(r"No implementation of function Function\(<(?:built-in )?(.*?)(?: at 0x[0-9a-f]+)?>\)")


@contextmanager
def refused(name: str) -> Iterator[None]:
    """Take whatever a compiler raises as a refusal of a person's function, in one line."""
    try:
        yield
    except BasraError:
        raise
    except Exception as error:
        # Compilers raise all kinds of errors over code that is not as they know it.
        raise InputError(f"{name} does not compile: {_reason(error)}") from error


def checked(function: object, name: str) -> None:
    """
    Refuse what is no function of a view and a play.

    Raises
    ------
    InputError
    """
    if not isinstance(function, FunctionType):
        raise InputError(f"{name} is no function but of type {type(function).__name__}: it takes def NAME(view, play)")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise InputError(f"{name} is written with async: it takes def NAME(view, play)")
    code = function.__code__
    if code.co_argcount != 2 or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        takes = str(inspect.signature(function))[:100]
        raise InputError(f"{name} takes {takes}: it must take two things, (view, play)")
    if len(code.co_code) > LARGEST_CODE:
        raise InputError(f"{name} is too long: it comes to {len(code.co_code):,} bytes, more than {LARGEST_CODE:,}")


def compiled_scorer(function: Callable[..., Any], kinds: tuple[Any, Any], name: str) -> Any:
    """
    Function compiled for a view and a play, with every index checked, its own and those of functions it calls.

    To divide by zero is an error, as in Python; whole numbers are of 64 bits, and nothing is told beyond these.

    Raises
    ------
    InputError
        If it does not compile, gives no number, or does what such a function must not.
    """
    config: Any = numba.core.config
    with refused(name), global_compiler_lock:
        before, config.BOUNDSCHECK = config.BOUNDSCHECK, 1
        try:
            score = _compiler.njit(function, error_model="python", no_cpython_wrapper=True)
            score.compile(kinds)
        except Exception as error:
            if _names_itself(function):
                raise InputError(f"{name}: {function.__name__} calls itself: {_ENDLESS}") from error
            raise
        finally:
            config.BOUNDSCHECK = before
        overload = score.overloads[kinds]
        _check_result(overload.signature.return_type, name)
        _check_use(score, name, ())
    return score


def _names_itself(function: Callable[..., Any]) -> bool:
    """Whether a function takes what has its own name from around it; while it is decorated, that is not there yet."""
    taken = (each for each in dis.get_instructions(function) if each.opname in ("LOAD_GLOBAL", "LOAD_DEREF"))
    return any(each.argval == function.__name__ for each in taken)


def _check_result(kind: Any, name: str) -> None:
    """Refuse a result that is no number."""
    if isinstance(kind, types.Integer | types.Float | types.Boolean):
        return
    says = next((words for known, words in _GIVES if isinstance(kind, known)), f"a thing of type {kind}")
    raise InputError(f"{name} gives {says}: it must give a number for each play")


def _check_use(dispatcher: Any, name: str, above: tuple[Any, ...]) -> None:
    """Refuse what a function, or one that it calls, must not do; `above` are those that called it."""
    if dispatcher in above:
        called = " -> ".join(each.py_func.__name__ for each in (*above[above.index(dispatcher) :], dispatcher))
        raise InputError(f"{name}: {called} call each other: {_ENDLESS}")
    for overload in list(dispatcher.overloads.values()):
        for kind in overload.type_annotation.typemap.values():
            if isinstance(kind, types.ObjModeDispatcher | types.ContextManager | types.ExternalFunctionPointer):
                raise InputError(f"{name} does not compile: {_OUTSIDE}, to code that is not compiled or not its own")
            if isinstance(kind, types.RecursiveCall):
                raise InputError(f"{name}: {dispatcher.py_func.__name__} calls itself: {_ENDLESS}")
            if isinstance(kind, types.Dispatcher):
                _check_use(kind.dispatcher, name, (*above, dispatcher))
            elif isinstance(kind, types.Function):
                _check_key(kind.typing_key, name)


def _check_key(key: Any, name: str) -> None:
    """Refuse a function that must not be called."""
    if isinstance(getattr(key, "__self__", None), np.random.RandomState | random.Random):
        raise InputError(f"{name} draws at random, so that nothing could be repeated: chance comes from view.noise")
    for known, says in _REFUSED.items():
        if key is known:
            raise InputError(f"{name} does not compile: {says}")


def _reason(error: Exception) -> str:
    """The first line of a compiler's complaint that says something about the person's code, in words."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply, or calls itself"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Failed in", "During:", "File", ">>>"))]
    line = (told or lines or [type(error).__name__])[0]
    if found := _UNIFY.search(line):
        return f"it gives, or holds in one place, now one kind of thing, now another ({found[1]}): it must be one kind"
    if line.startswith("Int value is too large"):
        return "it holds a whole number that does not fit into 64 bits"
    if "built-in function setitem" in line:
        return "it writes into what is not its own: work with variables and arrays that it makes itself"
    if found := _UNKNOWN.match(line):
        return f"it uses {found[1]} on things of a kind that it does not take in compiled code"
    if line.startswith("No definition for lowering") and " = " in line:
        return "it changes what it is handed (view or play): work with variables of its own"
    return line
