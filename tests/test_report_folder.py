"""Where a report is written to: a former one is replaced, what belongs to others is left alone."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from basra_sim.errors import BasraError, InputError
from reports import document
from reports.cli import report
from reports.folder import DATA, LIST, PAGE, check_place, prepared, write

FORMER = "<p>a page"
"""What a former report's page says."""


def put(place: Path, *files: tuple[str, str]) -> None:
    with prepared(place) as aside:
        write(files, aside)


def made(place: Path) -> Result:
    return CliRunner().invoke(report, ["--output", str(place), "--rounds", "1000"])


def refused(place: Path) -> str:
    result = made(place)
    assert isinstance(result.exception, InputError)
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A folder with a report, alone in its folder."""
    put(tmp_path / "report", (f"{DATA}/ties.csv", "a\n"), (PAGE, FORMER))
    return tmp_path / "report"


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test if anything is played."""
    monkeypatch.setattr(document, "play", lambda *given: pytest.fail("it was played"))


def test_a_former_report_is_replaced(former: Path) -> None:
    assert (former / DATA / "ties.csv").is_file()
    put(former, (PAGE, "new"))
    assert sorted(each.name for each in former.iterdir()) == sorted([PAGE, LIST])
    assert (former / PAGE).read_text(encoding="utf-8") == "new"
    assert [each.name for each in former.parent.iterdir()] == ["report"]


def test_a_report_of_this_version_may_be_replaced(report_folder: Path, tmp_path: Path) -> None:
    place = shutil.copytree(report_folder, tmp_path / "report")
    assert list((place / DATA).iterdir())
    put(place, (PAGE, "new"))
    assert sorted(each.name for each in place.rglob("*")) == sorted([PAGE, LIST])


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    put(tmp_path / "empty", (PAGE, "x"))
    assert (tmp_path / "empty" / PAGE).is_file()


def test_folders_above_are_made(tmp_path: Path) -> None:
    put(tmp_path / "a" / "b", (PAGE, "x"))
    assert (tmp_path / "a" / "b" / PAGE).is_file()


def test_a_link_to_a_folder_stays_one(former: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(former)
    put(link, (PAGE, "new"))
    assert link.is_symlink()
    assert (former / PAGE).read_text(encoding="utf-8") == "new"


@pytest.mark.usefixtures("unplayed")
def test_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "is a file" in refused(tmp_path / "file")


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize(("name", "text"), [("notes.txt", "x"), (PAGE, "<html>mine</html>"), (f"{DATA}/a.csv", "x")])
def test_what_belongs_to_others_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    place = tmp_path / "place"
    (place / name).parent.mkdir(parents=True)
    (place / name).write_text(text, encoding="utf-8")
    assert f"holds {name}" in refused(place)
    assert (place / name).read_text(encoding="utf-8") == text
    assert [each.name for each in tmp_path.iterdir()] == ["place"]


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize("name", ["mine.txt", f"{DATA}/mine.csv"])
def test_a_report_with_something_of_others_in_it_is_left_alone(former: Path, name: str) -> None:
    assert check_place(former) == former.resolve()
    (former / name).write_text("x", encoding="utf-8")
    assert f"holds {name}" in refused(former)
    assert (former / name).is_file()


def test_a_report_that_fails_leaves_the_former_one(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise BasraError("no more")

    monkeypatch.setattr(document, "play", fail)
    assert str(made(former).exception) == "no more"
    assert (former / PAGE).read_text(encoding="utf-8") == FORMER
    assert [each.name for each in former.parent.iterdir()] == ["report"]


def test_a_report_that_cannot_be_moved_leaves_the_former_one(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if (self / "new").exists():
            raise OSError(16, "busy")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(BasraError, match="cannot be replaced: busy"):
        put(former, ("new", "x"))
    assert (former / PAGE).read_text(encoding="utf-8") == FORMER
    assert [each.name for each in former.parent.iterdir()] == ["report"]


def test_what_comes_into_the_folder_meanwhile_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "report"
    writing = prepared(place)
    write([(PAGE, "x")], writing.__enter__())
    place.mkdir()
    (place / "late.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds late\.txt"):
        writing.__exit__(None, None, None)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["late.txt", "report"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    result = made(tmp_path / "file" / "report")
    assert isinstance(result.exception, BasraError)
    assert "cannot be written" in str(result.exception)
