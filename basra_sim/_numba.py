"""How this package compiles: one decorator, its cache folder, and the bit operations Numba lacks."""

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])


def _sources_digest() -> str:
    """Digest of the compiled sources and of the compiler's version: an edited callee must not find a stale caller."""
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        text = path.read_bytes()
        if b"basra_sim._numba" in text or path.name == "_numba.py":
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


def cache_folder() -> Path | None:
    """
    Folder of the compiled code, or None where nothing can be written.

    Below ``NUMBA_CACHE_DIR`` where that is set, else in the user's cache folder; named by a digest of the
    sources, so that no edit, however deep, meets code compiled before it.
    """
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        roots = [Path(chosen)]
    else:
        home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        roots = [
            Path(home).expanduser() / "basra-sim",
            Path(tempfile.gettempdir()) / f"basra-sim-{os.getuid() if hasattr(os, 'getuid') else ''}",
        ]
    for root in roots:
        folder = root / f"compiled-{_sources_digest()}"
        if _is_writable(folder):
            return folder
    return None


_CACHE_FOLDER = cache_folder()


def _compile(function: F, **options: Any) -> F:
    """Compile a function without the interpreter's lock and reference counts, cached in this package's folder."""
    config: Any = numba.core.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_CACHE_FOLDER or "")
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
    return _compile(function)


def inlined(function: F) -> F:
    """Compile a function into each of its callers; otherwise as `compiled`."""
    return _compile(function, forceinline=True)


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
def call_at(typingctx, address, numbers):
    """Call the function at an address, float64 of a pointer to int64, with an array of int64."""

    def codegen(context, builder, signature, args):
        array = context.make_array(numbers)(context, builder, args[1])
        kind = ir.FunctionType(ir.DoubleType(), [ir.IntType(64).as_pointer()])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [array.data])

    return types.float64(types.int64, numbers), codegen
