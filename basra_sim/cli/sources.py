"""What modules say of themselves, read from their source: nothing of them is imported, and so nothing slow."""

import ast
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path


@cache
def docstring(module: str, name: str) -> str:
    """Docstring of a function of a module; empty if that cannot be read."""
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
    return ""


@cache
def named_in(module: str, table: str) -> tuple[str, ...]:
    """
    Names of the objects that a module makes for a table of its own; empty if that cannot be read.

    The name of an object is the text ``name=`` that its class is called with, else the first thing it is called with.
    """
    for node in _tree(module).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == table for target in targets):
            calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
            return tuple(name for name in map(_first_name, calls) if name)
    return ()


def _first_name(call: ast.Call) -> str:
    """Name that an object is given where it is made."""
    texts = [word.value for word in call.keywords if word.arg == "name"] or call.args[:1]
    return next((each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str)), "")


@cache
def _tree(module: str) -> ast.Module:
    """Source of a module; an empty one if it cannot be read."""
    spec = _found(module)
    try:
        return ast.parse(Path(spec.origin or "").read_bytes()) if spec else ast.Module([], [])
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def _found(module: str) -> ModuleSpec | None:
    """Where a module is, found without importing the packages that hold it."""
    spec: ModuleSpec | None = None
    path: Sequence[str] | None = None
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        spec = next(_specs(".".join(parts[:count]), path), None)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return spec


def _specs(module: str, path: Sequence[str] | None) -> Iterator[ModuleSpec]:
    """What the import machinery finds for a module."""
    for finder in sys.meta_path:
        spec = finder.find_spec(module, path)
        if spec is not None:
            yield spec
