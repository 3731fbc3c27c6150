"""The order of the layers, read from the imports themselves, and the size of files and functions."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PACKAGES = ("basra_sim", "analyses", "reports")
"""Bottom to top: each may import those before it."""

ORDER = (
    "errors",
    "inputs",
    "identity",
    "files",
    "wording",
    "showing",
    "cards",
    "rules",
    "variants",
    "_numba",
    "shared",
    "captures",
    "legal",
    "deals",
    "game",
    "policies",
    "turns",
    "prospects",
    "redraws",
    "search",
    "deciding",
    "kernel",
    "forks",
    "ahead",
    "rollouts",
    "tallies",
    "assembly",
    "records",
    "reference",
    "stats",
    "measures",
    "matches",
    "watching",
    "totals",
    "executors",
    "connecting",
    "cluster",
    "jobs",
    "foresight",
    "plans",
    "simulation",
    "frequencies",
    "tables",
    "tracing",
    "moments",
    "luck",
    "stakes",
    "sequential",
    "experiment",
    "decisions",
    "pools",
    "frames",
    "yardsticks",
    "stages",
    "starts",
    "bench",
    "cli",
    "__main__",
)
"""Modules of ``basra_sim``, bottom to top: each may import those before it."""

FAST_ENGINE = {
    "_numba",
    "shared",
    "captures",
    "deals",
    "game",
    "policies",
    "turns",
    "prospects",
    "redraws",
    "foresight",
    "kernel",
    "forks",
    "ahead",
    "rollouts",
    "search",
    "tallies",
    "assembly",
    "plans",
    "simulation",
    "pools",
    "frequencies",
}
SLOW_TO_IMPORT = {"matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy", "statsmodels"}

FILE_LINES = 500
FUNCTION_LINES = 60

Functions = ast.FunctionDef | ast.AsyncFunctionDef


class Imports:
    """Which modules of the packages import which, by dotted names."""

    def __init__(self, root: Path, files: Iterable[Path]) -> None:
        self.trees = {
            module_name(file): ast.parse((root / file).read_text(encoding="utf-8"), str(file))
            for file in files
            if file.suffix == ".py" and file.parts[0] in PACKAGES
        }

    def of(self, module: str, *, at_once: bool = False) -> set[str]:
        """Modules that one imports; with ``at_once`` only those that are loaded as soon as it is."""
        nodes = loaded_at_once(self.trees[module]) if at_once else ast.walk(self.trees[module])
        return {name for node in nodes for name in self._named(node)}

    def reached(self, module: str, *, at_once: bool = False) -> set[str]:
        """Modules that one imports, and those that they import, and so on."""
        found: set[str] = set()
        ahead = [module]
        while ahead:
            for name in self.of(ahead.pop(), at_once=at_once) - found:
                found.add(name)
                if name in self.trees:
                    ahead.append(name)
        return found

    def _named(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            assert node.module is not None
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            modules = [name for name in inner if name in self.trees]
            yield from modules
            names_only = len(modules) < len(inner) and [alias.name for alias in node.names] != ["__version__"]
            if names_only or node.module not in self.trees:
                yield node.module


def module_name(file: Path) -> str:
    """Dotted name of a file's module."""
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported: not those in functions, nor those for type checkers only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Functions | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from loaded_at_once(child)


def part(module: str) -> str:
    """Name that ``ORDER`` has for a module of ``basra_sim``: its second part."""
    return module.split(".")[1]


def place(module: str) -> int:
    """Where in ``ORDER`` a module of ``basra_sim`` stands; the end if it is not listed."""
    return ORDER.index(part(module)) if part(module) in ORDER else len(ORDER)


@pytest.fixture(scope="module")
def imports(root: Path, project_files: list[Path]) -> Imports:
    return Imports(root, project_files)


def test_packages_import_one_way(imports: Imports) -> None:
    wrong = [
        f"{module} imports {name}"
        for module in imports.trees
        for name in imports.of(module)
        if name.split(".")[0] in PACKAGES[PACKAGES.index(module.split(".")[0]) + 1 :]
    ]
    assert not wrong


def test_modules_import_one_way(imports: Imports) -> None:
    wrong = []
    for module in imports.trees:
        if not module.startswith("basra_sim."):
            continue
        for name in imports.of(module):
            if name == "basra_sim":
                wrong.append(f"{module} imports the package as a whole")
            elif name.startswith("basra_sim.") and place(name) > place(module):
                wrong.append(f"{module} imports {name}")
    assert not wrong


def test_every_module_has_its_place(imports: Imports) -> None:
    unplaced = {module for module in imports.trees if module.startswith("basra_sim.") and part(module) not in ORDER}
    assert not unplaced


def test_reference_engine_is_independent(imports: Imports) -> None:
    modules = [module for module in imports.trees if module.startswith("basra_sim.reference")]
    assert modules
    reached = {name for module in modules for name in imports.reached(module)}
    assert not {name for name in reached if name.startswith("basra_sim.") and part(name) in FAST_ENGINE}
    assert not {name.split(".")[0] for name in reached} & SLOW_TO_IMPORT


@pytest.mark.parametrize("module", ["basra_sim", "basra_sim.cli", "analyses"])
def test_command_line_loads_nothing_slow(imports: Imports, module: str) -> None:
    assert not {name.split(".")[0] for name in imports.reached(module, at_once=True)} & SLOW_TO_IMPORT


def test_files_are_short(root: Path, project_files: list[Path]) -> None:
    lengths = {
        file: len((root / file).read_text(encoding="utf-8").splitlines()) for file in python_files(project_files)
    }
    assert not {str(file): lines for file, lines in lengths.items() if lines >= FILE_LINES}


def test_functions_are_short(root: Path, project_files: list[Path]) -> None:
    long = {}
    for file in python_files(project_files):
        for node in ast.walk(ast.parse((root / file).read_text(encoding="utf-8"))):
            if isinstance(node, Functions):
                assert node.end_lineno is not None
                lines = node.end_lineno - node.lineno + 1
                if lines >= FUNCTION_LINES:
                    long[f"{file}:{node.lineno} {node.name}"] = lines
    assert not long


def python_files(files: Iterable[Path]) -> list[Path]:
    """Python files among some."""
    return [file for file in files if file.suffix == ".py"]
