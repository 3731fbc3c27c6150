"""How this package compiles: one decorator, its cache folder, and the bit operations Numba lacks."""

import ctypes
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_WORD = (1 << 64) - 1


def _sources_digest() -> str:
    """Digest of the compiled sources and of the compiler's version: an edited callee must not find a stale caller."""
    switches = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_BOUNDS"))
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()} {switches}".encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        text = path.read_bytes()
        if any(b"\n@" + mark in text for mark in (b"compiled", b"inlined", b"inner")) or path.name == "_numba.py":
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_root() -> Path | None:
    """
    Folder of all that is cached, or None where the user has no home.

    It is ``NUMBA_CACHE_DIR`` where that is set, else in the user's cache folder.
    """
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "basra-sim"
    except RuntimeError:
        return None


def cache_folder() -> Path | None:
    """
    Folder of the compiled code, or None where nothing can be written.

    Below `cache_root`; named by a digest of the sources, so that no edit, however deep, meets code compiled before it.
    """
    root = cache_root()
    folder = None if root is None else root / f"compiled-{_sources_digest()}"
    return folder if folder and _is_writable(folder) else None


_CACHE_FOLDER = cache_folder()


def _compile(function: F, **options: Any) -> F:
    """Compile a function without the interpreter's lock and reference counts, cached in this package's folder."""
    config: Any = numba.core.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_CACHE_FOLDER or "")
    options.setdefault("forceinline", False)  # left open, it would be taken over from whatever calls the function
    options |= {"cache": _CACHE_FOLDER is not None, "nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        made: F = numba.njit(**options)(function)
    finally:
        config.CACHE_DIR = before
    return made


def compiled(function: F) -> F:
    """
    Compile a function; it may use arrays but not make any.

    Without reference counts a call costs no more than its arguments, which is what makes small functions cheap.
    """
    return _compile(function, no_cfunc_wrapper=True)


def inner(function: F) -> F:
    """
    Compile a function that compiled ones alone call.

    No way in from Python is built, which takes long where the arguments are large; to call it from there is a crash.
    """
    return _compile(function, no_cfunc_wrapper=True, no_cpython_wrapper=True)


def inlined(function: F) -> F:
    """Compile a function into each of its callers; otherwise as `compiled`."""
    return _compile(function, forceinline=True, no_cfunc_wrapper=True)


def inner_inlined(function: F) -> F:
    """Compile a function into each of its callers; otherwise as `inner`."""
    return _compile(function, forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)


@intrinsic
def bit_count(typingctx, bits):
    """Number of set bits of an int64."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typingctx, bits):
    """Place of the lowest set bit of an int64; undefined for 0."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic
def high_product(typingctx, a, b):
    """Upper 64 bits of the product of two uint64."""

    def codegen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def keep_apart(typingctx):
    """
    Keep the function in which this stands out of its callers, however small it is.

    For what happens seldom: built into a loop it takes up registers there, and the time to set up what it needs.
    """

    def codegen(context, builder, signature, args):
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def call_at(typingctx, address, numbers):
    """Call the function at an address, float64 of a pointer to int64, with an array of int64."""

    def codegen(context, builder, signature, args):
        array = context.make_array(numbers)(context, builder, args[1])
        kind = ir.FunctionType(ir.DoubleType(), [ir.IntType(64).as_pointer()])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [array.data])

    return types.float64(types.int64, numbers), codegen


@intrinsic
def note_at(typingctx, pointer, place, value):
    """Write an int64 behind a pointer at once: it is neither put off nor left out because another follows it."""

    def codegen(context, builder, signature, args):
        builder.store_atomic(args[2], builder.gep(args[0], [args[1]]), "monotonic", 8)
        return context.get_dummy_value()

    return types.void(types.CPointer(types.int64), types.int64, types.int64), codegen


@intrinsic
def call_address(typingctx, address, args):
    """
    Call the compiled function at an address, int64 of a tuple of arguments, as `address_of` gave it for their types.

    What lies behind an address is not compiled again into each of its callers.
    """

    def codegen(context, builder, signature, values):
        kinds = signature.args[1].types
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        arguments = cgutils.unpack_tuple(builder, values[1], len(kinds))
        _, found = convention.call_function(builder, function, types.int64, kinds, arguments)
        return found

    return types.int64(types.int64, args), codegen


def address_of(function: Any, arguments: tuple[Any, ...]) -> int:
    """Address of a function of `inner`, compiled for arguments of such types, for `call_address`; it gives an int64."""
    if getattr(numba.config, "DISABLE_JIT", 0):
        _PLAIN[id(function)] = function
        return id(function)
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    with global_compiler_lock:
        function.compile(kinds)
        found = function.overloads[kinds]
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))


_PLAIN: dict[int, Any] = {}


def _plain_call_address(address, args):
    return _PLAIN[int(address)](*args)


def _plain_bit_count(bits):
    return (int(bits) & _WORD).bit_count()


def _plain_lowest_bit(bits):
    return (int(bits) & -int(bits)).bit_length() - 1


def _plain_keep_apart():
    pass


def _plain_high_product(a, b):
    return np.uint64(int(a) * int(b) >> 64)


def _plain_call_at(address, numbers):
    pointer = ctypes.POINTER(ctypes.c_int64)
    return ctypes.CFUNCTYPE(ctypes.c_double, pointer)(int(address))(numbers.ctypes.data_as(pointer))


# Where everything is interpreted, as in a coverage run, the same operations in plain Python.
if getattr(numba.config, "DISABLE_JIT", 0):
    globals().update(
        bit_count=_plain_bit_count,
        lowest_bit=_plain_lowest_bit,
        high_product=_plain_high_product,
        keep_apart=_plain_keep_apart,
        call_at=_plain_call_at,
        call_address=_plain_call_address,
    )
