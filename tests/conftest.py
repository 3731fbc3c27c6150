"""What all tests share: the project's files, how Hypothesis draws, and figures without a screen."""

import os
import subprocess
from pathlib import Path

import hypothesis
import pytest

from tests.commands import heed_interrupts

os.environ["MPLBACKEND"] = "Agg"
os.environ["TERM"] = "xterm"

# The first example compiles code, so no example has a deadline; in CI every run draws the same examples.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")

heed_interrupts()

ROOT = Path(__file__).resolve().parent.parent
MADE = {".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "__pycache__", "dist", "report"}


@pytest.fixture(scope="session")
def root() -> Path:
    """Folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Files of the project, relative to its folder: what git keeps or would; without git, all but what is made."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        files = {Path(name) for name in names if name}
    else:
        files = {path.relative_to(ROOT) for path in ROOT.rglob("*") if not MADE & set(path.relative_to(ROOT).parts)}
    return sorted(file for file in files if (ROOT / file).is_file())


@pytest.fixture(scope="session")
def report_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """A small report about some of the claims, played on one thread: its folder, and the clashes of each figure."""
    from tests.clashes import watched
    from tests.pages import make_report

    with watched() as found:
        folder = make_report(tmp_path_factory.mktemp("reports") / "report", "--threads", "1")
    return folder, found


@pytest.fixture(scope="session")
def report_folder(report_made: tuple[Path, list[list[str]]]) -> Path:
    """Folder of the small report."""
    return report_made[0]
