"""The package as others get it: what the archives hold, and how it works when installed elsewhere."""

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGES = {"basra_sim", "analyses", "reports"}

REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|registry\.(?:npmjs|yarnpkg)|deb\.debian\.org|anaconda\.org|\bindex[-_]url\b|\bfind[-_]links\b",
    re.IGNORECASE,
)
MACHINE_PATH = re.compile(r"(?<![\w.$})/-])/(?:home|mnt|opt|private|root|tmp|Users|work)/\w|\b[A-Z]:\\Users\b")
LOCK_FILES = {"Pipfile.lock", "package-lock.json", "pdm.lock", "pixi.lock", "poetry.lock", "pylock.toml", "uv.lock"}


class Archives(NamedTuple):
    """The two archives that are published."""

    sdist: Path
    wheel: Path


def run(command: Sequence[object], cwd: Path) -> str:
    """What a command prints; a failure shows all that it said."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COVERAGE", "PYTEST"))}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def matches(root: Path, files: list[Path], pattern: re.Pattern[str]) -> list[str]:
    """Lines of text files that a pattern is found in."""
    found = []
    for file in files:
        data = (root / file).read_bytes()
        if b"\0" in data:
            continue
        lines = data.decode("utf-8", errors="replace").splitlines()
        found += [f"{file}:{number}: {line.strip()}" for number, line in enumerate(lines, 1) if pattern.search(line)]
    return found


@pytest.fixture(scope="module")
def archives(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """Both archives; the wheel is built from the unpacked source archive."""
    folder = tmp_path_factory.mktemp("archives")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root], folder)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Archives(sdist, wheel)


@pytest.fixture(scope="module")
def installed(root: Path, archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs of a new environment that holds the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("environment")
    run([sys.executable, "-m", "venv", folder], folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--constraint", root / "constraints.txt", archives.wheel], folder)
    run([*pip, "check"], folder)
    return programs


@pytest.fixture
def elsewhere(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder outside the project, to run in; compiled code is kept apart from that of the project."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "compiled"))
    return tmp_path


def test_no_registry_address(root: Path, project_files: list[Path]) -> None:
    assert not matches(root, project_files, REGISTRY)


def test_no_path_of_one_machine(root: Path, project_files: list[Path]) -> None:
    assert not matches(root, project_files, MACHINE_PATH)


def test_no_lock_file(project_files: list[Path]) -> None:
    assert not {file.name for file in project_files} & LOCK_FILES


@pytest.mark.slow
def test_sdist_holds_the_project(archives: Archives, project_files: list[Path]) -> None:
    with tarfile.open(archives.sdist) as archive:
        names = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
    assert not set(project_files) - names


@pytest.mark.slow
def test_sdist_can_run_its_tests(archives: Archives, elsewhere: Path) -> None:
    with tarfile.open(archives.sdist) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(elsewhere, filter="data")
        else:  # the first releases of Python 3.11 know no filters yet
            archive.extractall(elsewhere)
    (folder,) = elsewhere.iterdir()
    run([sys.executable, "-m", "pytest", "--collect-only", "--quiet"], folder)
    run([sys.executable, "-m", "pytest", "--quiet", "tests/test_layers.py"], folder)


@pytest.mark.slow
def test_wheel_holds_the_packages_and_nothing_else(archives: Archives, project_files: list[Path]) -> None:
    with zipfile.ZipFile(archives.wheel) as archive:
        names = {Path(name) for name in archive.namelist()}
    assert not {file for file in project_files if file.parts[0] in PACKAGES} - names
    assert {name.parts[0] for name in names if not name.parts[0].endswith(".dist-info")} == PACKAGES
    programs = {file.name for file in project_files if file.parts[0] == "benchmarks"}
    assert {name.name for name in names if name.parent == Path("basra_sim", "benchmarks")} == programs
    assert "yardstick.c" in programs


@pytest.mark.slow
def test_installed_from_elsewhere(installed: Path, elsewhere: Path) -> None:
    places = run(
        [installed / "python", "-c", "import basra_sim, analyses, reports as r; print(basra_sim.__file__, r.__file__)"],
        elsewhere,
    )
    assert all(Path(place).is_relative_to(installed.parent) for place in places.split())


@pytest.mark.slow
@pytest.mark.parametrize("door", [["basra-sim"], ["python", "-m", "basra_sim"]], ids=["program", "module"])
def test_help_by_both_doors(installed: Path, elsewhere: Path, door: list[str]) -> None:
    text = run([installed / door[0], *door[1:], "--help"], elsewhere)
    assert all(command in text for command in ("variants", "simulate", "replay", "report"))


@pytest.mark.slow
def test_variants_installed(installed: Path, elsewhere: Path) -> None:
    text = run([installed / "basra-sim", "variants", "--json"], elsewhere)
    assert json.loads(text)
    assert all(f'"{name}"' in text for name in ("bastra", "egyptian", "basra-en"))


@pytest.mark.slow
def test_programs_in_c_installed(installed: Path, elsewhere: Path) -> None:
    """What speed is set beside is found where the package is installed."""
    told = run([installed / "python", "-c", "from basra_sim import yardsticks; print(yardsticks.folder())"], elsewhere)
    assert (Path(told.strip()) / "yardstick.c").is_file()
    assert Path(told.strip()).parent.name == "basra_sim"


@pytest.mark.slow
def test_captures_installed(installed: Path, elsewhere: Path) -> None:
    options = ["--floor", "7C 4H 3D", "--card", "7D", "--json"]
    (choice,) = json.loads(run([installed / "basra-sim", "captures", "bastra", *options], elsewhere))["legal"]
    assert sorted(choice["taken"]) == ["3D", "4H", "7C"]
    assert choice["basra"] == 10


@pytest.mark.slow
def test_simulate_installed(installed: Path, elsewhere: Path) -> None:
    command = [installed / "basra-sim", *["simulate", "bastra", "--rounds", "1000", "--seed", "1", "--json"]]
    first = run(command, elsewhere)
    assert json.loads(first)
    assert run(command, elsewhere) == first
