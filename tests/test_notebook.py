"""The notebook for newcomers: it runs as it stands, and its answers are those of the same calls by hand."""

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import analyses
import basra_sim as bs
from tests.commands import ROOT

NOTEBOOK = ROOT / "examples" / "own_question.ipynb"

TOLD = """
import json

print(json.dumps({
    "sentence": jacks.sentence,
    "jacks": jacks.ways["estimate"].tolist(),
    "own": [own.verdict.name, own.ways["estimate"].tolist()],
    "games": games.measure("match_rounds")["estimate"].tolist(),
    "margin": against_greedy.margin.value,
    "standing": standing.ratings["policy"].tolist(),
}))
"""
"""A cell put behind the others, to hear what they found."""


@pytest.fixture(scope="module")
def notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def sources(notebook: Any, kind: str) -> list[str]:
    """Texts of the cells of a kind."""
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def test_notebook_is_valid_and_knows_of_no_machine(notebook: Any) -> None:
    nbformat.validate(notebook)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert all(cell.metadata == {} for cell in notebook.cells)
    assert [cell.id for cell in notebook.cells] == [f"cell-{k:02}" for k in range(1, len(notebook.cells) + 1)]


def test_notebook_is_kept_without_outputs(notebook: Any) -> None:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 10
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_notebook_explains_itself_in_short_sentences(notebook: Any) -> None:
    prose = [text for text in sources(notebook, "markdown") if "```" not in text]
    sentences = [each for text in prose for each in text.replace("\n", " ").replace(": ", ". ").split(". ")]
    assert max(len(each.split()) for each in sentences) < 30
    assert max(len(each.splitlines()) for each in sources(notebook, "code")) <= 12


def test_names_that_it_leads_on_to_exist(notebook: Any) -> None:
    last = sources(notebook, "markdown")[-1]
    for name in ("README.md", "docs/extending.md", "docs/methods.md"):
        assert name in last
        assert (ROOT / name).is_file()


@pytest.fixture(scope="module")
def executed(notebook: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The notebook run in an empty folder, with a cell more."""
    folder = tmp_path_factory.mktemp("notebook")
    more = {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder)}
    run = nbformat.from_dict(json.loads(json.dumps(notebook)))
    run.cells.append(nbformat.v4.new_code_cell(TOLD))
    client = NotebookClient(run, timeout=400, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute(env={name: value for name, value in os.environ.items() if name != "MPLBACKEND"} | more)
    return run


@pytest.mark.slow
def test_every_cell_shows_something_and_none_complains(executed: Any) -> None:
    code = [cell for cell in executed.cells if cell.cell_type == "code"]
    quiet = [cell.source for cell in code if not cell.outputs]
    assert quiet == [code[0].source]
    kinds = [set(output.get("data", {})) for cell in code for output in cell.outputs]
    assert sum("text/html" in kind for kind in kinds) >= 8
    assert sum("image/png" in kind for kind in kinds) == sum("plot_" in cell.source for cell in code[1:])
    said = [output.text for cell in code for output in cell.outputs if output.output_type == "stream"]
    assert len(said) == 1, said


@pytest.mark.slow
def test_answers_are_those_of_the_same_calls(executed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(executed.cells[-1].outputs[0].text)
    jacks = analyses.test("jack-hold", rounds=20_000, seed=1)
    assert told["sentence"] == jacks.sentence
    assert told["jacks"] == jacks.ways["estimate"].tolist()
    lay_low = bs.Advice(
        "lay-low",
        "Lay a low card, not a high one.",
        follow={"rank": (1, 5), "captures_cards": (0, 0)},
        against={"rank": (6, 10), "captures_cards": (0, 0)},
    )
    own = analyses.test(lay_low, rounds=4_000, seed=1)
    assert told["own"] == [own.verdict.name, own.ways["estimate"].tolist()]
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text('base = "egyptian"\nmajority_points = 15\ntarget = 121\n', encoding="utf-8")
    games = analyses.compare(["egyptian", "house.toml"], policies=["greedy"], deals=8_192, skill=False)
    assert told["games"] == games.measure("match_rounds")["estimate"].tolist()
    assert sorted(set(told["standing"])) == ["counter", "gatherer", "greedy", "random"]
    assert isinstance(told["margin"], float)
