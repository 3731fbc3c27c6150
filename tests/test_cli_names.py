"""Names of files and folders that a command is given: an empty one is none, and two things are not of one name."""

from pathlib import Path

import pytest

from basra_sim import job
from basra_sim.errors import InputError
from tests.commands import refusal

NAMES = (
    *(("simulate", "bastra", option) for option in ("--job", "--output")),
    *(("sweep", "bastra", option) for option in ("--job", "--output", "--figure")),
    *((name, option) for name in ("ladder", "balance", "report") for option in ("--job", "--output")),
    ("tune", "bastra", "--output"),
    ("fit", "bastra", "--output"),
    ("duel", "counter", "greedy", "--job"),
    ("jobs",),
)


@pytest.mark.parametrize("words", NAMES, ids=" ".join)
@pytest.mark.parametrize("name", ["", " "])
def test_a_name_that_is_empty_is_none(
    words: tuple[str, ...], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it were the current folder, that of a variable that is not set."""
    monkeypatch.chdir(tmp_path)
    assert refusal(*words, name).endswith(f"{name!r} is no name: give that of a file or a folder")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_none_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^'' is no name of a folder"), job(""):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("simulate", "bastra", "--rounds", "100"), "output"),
        (("sweep", "bastra", "--vary", "target=50"), "figure"),
        (("tune", "bastra"), "output"),
        (("report",), "output"),
    ],
)
def test_a_job_and_an_output_of_one_name(
    words: tuple[str, ...], option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is written; nothing is made."""
    monkeypatch.chdir(tmp_path)
    said = refusal(*words, f"--{option}", "x.svg", "--job", tmp_path / "y" / ".." / "x.svg")
    assert said.startswith(f"--job and --{option} are both x.svg: give them names of their own")
    assert list(tmp_path.iterdir()) == []
