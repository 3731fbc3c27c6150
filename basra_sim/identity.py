"""What tells a task from all others: a digest of all that its results depend on; and of the program that makes them."""

import hashlib
import json
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

LETTERS = 20
"""Letters of a digest."""

_PACKAGES = ("basra_sim", "analyses")
"""Packages whose sources and data results depend on."""

_ENDINGS = (".py", ".toml", ".json")

_LIBRARIES = ("numba", "numpy")
"""Libraries in whose hands results are made, down to the last bit."""


def identity(thing: object) -> str:
    """
    Digest of what is made of data and of functions of modules.

    Numbers, texts, bytes, arrays, dataclasses, tuples, lists and mappings count by what they hold; functions of modules
    by their names, as `fingerprint` covers what they do; a person's own functions by their code; objects that have a
    method ``identity`` by what that says.

    Raises
    ------
    TypeError
        If it holds anything else, such as a function within a function.
    """
    text = json.dumps(_told(thing), sort_keys=True, separators=(",", ":"), allow_nan=True)
    return hashlib.sha256(text.encode()).hexdigest()[:LETTERS]


def _told(thing: Any) -> Any:
    """The same in words, numbers and lists, as JSON holds them."""
    match thing:
        case None | bool() | int() | str():
            return thing
        case float():
            return ["float", thing.hex()]
        case bytes():
            return ["bytes", hashlib.sha256(thing).hexdigest()]
        case np.generic():
            return _told(thing.item())
        case np.ndarray():
            if thing.dtype == object:
                return ["objects", list(thing.shape), [_told(each) for each in thing.ravel().tolist()]]
            return ["array", thing.dtype.str, list(thing.shape), hashlib.sha256(thing.tobytes()).hexdigest()]
        case tuple() | list():
            return [type(thing).__name__, *(_told(each) for each in thing)]
        case Mapping():
            return ["mapping", [[_told(key), _told(value)] for key, value in thing.items()]]
        case partial():
            return ["partial", _told(thing.func), _told(thing.args), _told(thing.keywords)]
        case MethodType():
            return ["method", thing.__func__.__qualname__, _told(thing.__self__)]
        case FunctionType():
            return _named(thing)
    return _of_object(thing)


def _of_object(thing: Any) -> Any:
    """An object in words: by what it says of itself, else by its fields."""
    kind = f"{type(thing).__module__}.{type(thing).__qualname__}"
    if hasattr(thing, "identity"):
        return [kind, _told(thing.identity())]
    if is_dataclass(thing):
        return [kind, *([each.name, _told(getattr(thing, each.name))] for each in fields(thing))]
    raise TypeError(f"nothing tells one {kind} from another")


def _named(function: FunctionType) -> list[str]:
    """Name of a function of a module."""
    if "<" in function.__qualname__ or function.__module__.partition(".")[0] not in _PACKAGES:
        raise TypeError(f"{function.__module__}.{function.__qualname__} is no function of a module of the package")
    return ["function", function.__module__, function.__qualname__]


def code_of(function: Callable[..., Any]) -> tuple[object, ...]:
    """A person's own function in words and numbers: its code, and what that takes from around it."""
    return _code(function, set())


def _code(function: Any, seen: set[int]) -> tuple[object, ...]:
    """As `code_of`; functions that have been seen count once."""
    function = getattr(function, "py_func", function)
    if id(function) in seen or not isinstance(function, FunctionType):
        return (str(getattr(function, "__qualname__", type(function).__qualname__)),)
    seen.add(id(function))
    code = function.__code__
    around = {name: function.__globals__[name] for name in _names(code) if name in function.__globals__}
    around |= dict(zip(code.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True))
    taken = tuple((name, _taken(value, seen)) for name, value in sorted(around.items()))
    return (*_instructions(code), _taken(function.__defaults__, seen), _taken(function.__kwdefaults__, seen), taken)


def _instructions(code: CodeType) -> tuple[object, ...]:
    """What a piece of code does."""
    constants = tuple(_constant(each) for each in code.co_consts)
    return code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, constants


def _constant(value: object) -> object:
    """A constant of a piece of code; sets have an order of their own in each process."""
    if isinstance(value, CodeType):
        return _instructions(value)
    if isinstance(value, frozenset):
        return "set", *sorted(map(repr, value))
    return tuple(map(_constant, value)) if isinstance(value, tuple) else repr(value)


def _names(code: CodeType) -> set[str]:
    """Names of what a piece of code, or a piece within it, takes from its module."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _taken(value: object, seen: set[int]) -> object:
    """What a function takes from around it: a function by its code, data by what it is, all else by its kind."""
    if callable(value) and isinstance(getattr(value, "py_func", value), FunctionType):
        return _code(value, seen)
    if isinstance(value, EnumType):
        members: dict[str, Any] = dict(value.__members__)
        return tuple((name, _taken(each.value, seen)) for name, each in members.items())
    if isinstance(value, ModuleType) and (source := _own_source(value)):
        return value.__name__, source
    try:
        return _told(value)
    except TypeError:
        return getattr(value, "__name__", type(value).__qualname__)


def _own_source(module: ModuleType) -> bytes | None:
    """Source of a module of a person's own; None of one that is installed, which is told by its name."""
    file = Path(getattr(module, "__file__", None) or "")
    installed = {Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    if file.suffix != ".py" or installed & set(file.resolve().parents) or _is_mine(module):
        return None
    return file.read_bytes() if file.is_file() else None


def _is_mine(module: ModuleType) -> bool:
    """Whether a module is one of the package, which `fingerprint` covers."""
    return module.__name__.partition(".")[0] in _PACKAGES


@cache
def fingerprint() -> Mapping[str, str]:
    """
    What results depend on besides a task, by name.

    Returns
    -------
    mapping
        Versions of the package and of libraries; ``sources``, a digest of the package's sources and data.
    """
    digest = hashlib.sha256()
    for path, name in _sources():
        digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    versions = {library: version(library) for library in _LIBRARIES}
    return {"basra-sim": import_module("basra_sim").__version__, "sources": digest.hexdigest()[:LETTERS], **versions}


def _sources() -> list[tuple[Path, str]]:
    """Files of the package, those that are compiled or read, with their names within it."""
    root = Path(__file__).parents[1]
    found = [path for package in _PACKAGES for path in (root / package).rglob("*") if path.suffix in _ENDINGS]
    return sorted((path, path.relative_to(root).as_posix()) for path in found if "__pycache__" not in path.parts)
