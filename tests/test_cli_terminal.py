"""What a person at a terminal meets: examples, quiet, colours, completion, and hints at what may be meant."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyses.claims.registry import CLAIMS
from analyses.claims.telling import _colours
from basra_sim.cli import main
from basra_sim.cli.completing import advice, claims, policies
from basra_sim.cli.completion import SHELLS, VARIABLE
from basra_sim.cli.options import OneOf
from basra_sim.cli.progress import Progress, remark
from basra_sim.cli.text import table
from basra_sim.policies import ADVICE, FORMS, policy_names
from basra_sim.rules import OPTIONS
from basra_sim.variants import variant_names
from tests.commands import ROOT, command, environment, line, output, process, refusal
from tests.test_cli_ending import SLOW, Clock, Terminal

ABOVE = click.Context(main, **main.context_settings)
"""What commands are called within."""

COMMANDS = tuple(main.list_commands(ABOVE))

CHEAP = ("variants", "captures", "claims", "completion")
"""Commands whose examples are run; of the others every word is checked, but nothing is played."""

LOADED = f"""
import sys
from basra_sim.cli import program
try:
    program()
finally:
    print(sorted({set(SLOW)!r} & set(sys.modules)), file=sys.stderr)
"""


def get(name: str) -> click.Command:
    """A command of a name."""
    found = main.get_command(ABOVE, name)
    assert found is not None
    return found


def examples(name: str) -> list[str]:
    """Examples in the help of a command, each on one line."""
    text = output(name, "--help").split("Examples:\n")[1]
    return [" ".join(each.split()) for each in text.replace("\\\n", " ").splitlines() if each.strip()]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples(name: str) -> None:
    """All begin with the program, and mean options and values that there are."""
    found = examples(name)
    assert len(found) > 1
    assert all(each.startswith("basra-sim ") for each in found)
    calls = [call for each in found for call in re.split(r" \| | >> | > ", each) if call.startswith("basra-sim")]
    for call in calls:
        _, which, *args = shlex.split(call)
        get(which).make_context(which, [*args], parent=ABOVE)
        if which in CHEAP and not any(".toml" in arg for arg in args):
            output(which, *args)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_told_in_a_line_of_the_help(name: str) -> None:
    (row,) = (each for each in output("--help").splitlines() if each.startswith(f"  {name} "))
    assert row.endswith(".")
    assert not row.endswith("...")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name: str) -> None:
    with get(name).make_context(name, ["--quiet"], parent=ABOVE, resilient_parsing=True):
        assert "-q, --quiet" in output(name, "--help")


@pytest.mark.parametrize("args", [("-q", "say"), ("--quiet", "say"), ("say", "-q"), ("say", "--quiet"), ("say",)])
def test_quiet_before_and_behind_the_command(monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]) -> None:
    terminal, clock = Terminal(), Clock()

    @click.command()
    def say() -> None:
        with Progress(stream=terminal, clock=clock) as progress:
            progress.say("Getting ready …")
        remark("By the way.")
        click.echo("42")

    monkeypatch.setitem(main.commands, "say", say)
    done = command(*args)
    quiet = len(args) > 1
    assert (done.stdout, done.stderr) == ("42\n", "" if quiet else "By the way.\n")
    assert bool(list(terminal.texts())) != quiet


def test_a_command_with_a_quiet_of_its_own_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    @click.option("-q", "--quick", is_flag=True)
    def own(quick: bool) -> None:
        click.echo(f"quick: {quick}")

    monkeypatch.setitem(main.commands, "own", own)
    assert output("own", "-q", "--quiet") == "quick: True\n"


@pytest.mark.parametrize(
    ("more", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        ({"NO_COLOR": ""}, False),
    ],
)
def test_colours(more: dict[str, str], coloured: bool) -> None:
    done = process("variants", "nowhere-at-all", more={"TERM": "xterm", **more})
    assert ("\x1b[31mError:\x1b[0m" in done.stderr) == coloured
    assert ("\x1b" in done.stderr) == coloured


def test_a_coloured_table_says_the_same_as_a_plain_one() -> None:
    rows = [["jack-hold", "gains", "1.2"], ["avoid-ten, a longer name " * 4, "costs", "-0.3"]]
    plain = table(["what", "outcome", "by"], rows, right=[2])
    painted = table(["what", "outcome", "by"], rows, right=[2], colours={"gains": "green", "costs": "red"})
    assert [click.unstyle(each) for each in painted] == plain
    assert sum("\x1b[32mgains\x1b[0m" in each for each in painted) == 1
    assert sum("\x1b[31mcosts\x1b[0m" in each for each in painted) == 1


def test_colours_are_of_words() -> None:
    assert set(_colours().values()) == {"green", "red"}
    assert all(word.isalpha() or " " in word for word in _colours())


def test_names_that_are_completed_are_those_that_there_are() -> None:
    assert policies() == policy_names()
    assert advice() == tuple(ADVICE)
    assert claims() == tuple(claim.name for claim in CLAIMS)


METAVARS = {
    "VARIANT": "bastra",
    "POLICY": "adept",
    "ID": "jack-hold",
    "NAME=VALUE": "target=",
    "NAME=VALUES": "target=",
}


def words(param: click.Parameter, begun: str = "") -> list[str]:
    """What a word of a parameter may become."""
    return [item.value for item in param.shell_complete(ABOVE, begun)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_name_is_completed(name: str) -> None:
    for param in get(name).params:
        known = METAVARS.get((param.metavar or param.human_readable_name).strip("[].").upper())
        if known is not None:
            assert known in words(param), param


def completed(text: str, folder: Path | None = None) -> list[str]:
    """What bash is told when Tab is pressed behind a text, by a process that loads nothing slow."""
    done = subprocess.run(
        [line()[0], "-c", LOADED], cwd=folder, env=environment({VARIABLE: "bash_complete", "COMP_LINE": text}),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "[]\n")
    return [word for word in done.stdout.splitlines() if word]


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that is asked is called as the program is."""
    monkeypatch.setattr(f"{__name__}.LOADED", "import sys; sys.argv[0] = 'basra-sim'\n" + LOADED)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("basra-sim ", list(COMMANDS)),
        ("basra-sim si", ["simulate"]),
        ("basra-sim simulate --ro", ["--rounds"]),
        ("basra-sim simulate syr", ["syrian-a", "syrian-b"]),
        ("basra-sim simulate h", ["home/", "house.toml"]),
        ("basra-sim simulate home/", ["home/ours.toml"]),
        ("basra-sim duel gr", ["greedy"]),
        ("basra-sim duel counter-m", ["counter-memory:"]),
        ("basra-sim duel counter+jack-t", ["counter+jack-two"]),
        ("basra-sim duel counter+jack-two:t", ["tie-break"]),
        ("basra-sim duel mi", ["mine.py", "mine.json"]),
        ("basra-sim test jack-s", ["jack-strongest"]),
        ("basra-sim test mi", ["mine.py"]),
        ("basra-sim sweep bastra --vary majority_t", ["majority_tie="]),
        ("basra-sim simulate bastra --set majority_tie=", list(OPTIONS["majority_tie"].choices or ())),
        ("basra-sim simulate bastra --set=majority_tie=c", ["carry"]),
        ("basra-sim advise bastra --policy ch", ["champion", "cheater"]),
        ("basra-sim replay ", ["rounds.jsonl"]),
        ("basra-sim bundle jack-hold --form t", ["tie-break"]),
        ("basra-sim completion ", list(SHELLS)),
        ("basra-sim simulate nowhere/", []),
    ],
)
def test_completion(tmp_path: Path, text: str, found: list[str]) -> None:
    (tmp_path / "home").mkdir()
    for name in ("house.toml", "mine.py", "mine.json", "rounds.jsonl", "home/ours.toml", ".hidden.toml"):
        (tmp_path / name).touch()
    assert sorted(completed(text, tmp_path)) == sorted(found)


def test_completion_of_variants_and_forms(tmp_path: Path) -> None:
    assert completed("basra-sim simulate --pairs ", tmp_path) == list(variant_names())
    assert completed("basra-sim duel greedy+jack-hold:") == [form.name for form in FORMS]


def test_completion_is_quick() -> None:
    """Measured at 0.1 s on an idle machine."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        completed("basra-sim test jack-")
        times.append(time.perf_counter() - begun)
    assert min(times) < 0.9, "ten times the usual: something slow is loaded"


@pytest.mark.parametrize("shell", SHELLS)
def test_script_of_a_shell(shell: str) -> None:
    script = output("completion", shell)
    assert f"{VARIABLE}={shell}_complete" in script
    assert "basra-sim" in script


BASH = r"""
eval "$(basra-sim completion bash)"
COMP_LINE='basra-sim simulate bastra --set majority_tie=c'
COMP_POINT=${#COMP_LINE}
compopt() { :; }
_basra_sim_completion basra-sim c =
echo "${COMPREPLY[@]}"
complete -p basra-sim
"""


def test_bash_itself(tmp_path: Path) -> None:
    program = tmp_path / "basra-sim"
    program.write_text(f"#!{line()[0]}\nfrom basra_sim.cli import program\nprogram()\n")
    program.chmod(0o755)
    more = environment({"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    done = subprocess.run(["bash", "-c", BASH], env=more, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["carry", "complete -o nosort -F _basra_sim_completion basra-sim"]


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        (["simulate", "egyptain"], "egyptian"),
        (["simulate", "bastra", "--policy", "gredy"], "greedy"),
        (["simulate", "bastra", "--policy", "greedy-memry:8"], "greedy-memory:8"),
        (["simulate", "bastra", "--policy", "greedy+jackhold"], "jack-hold"),
        (["simulate", "bastra", "--policy", "greedy+jack-hold:literl"], "literal"),
        (["simulate", "bastra", "--policy", "myne.py"], "mine.py"),
        (["simulate", "bastra", "--policy", "mine.py:gatherr"], "gatherer"),
        (["simulate", "bastra", "--policy", "waights.json"], "weights.json"),
        (["simulate", "hause.toml"], "house.toml"),
        (["simulate", "bastra", "--set", "tarjet=50"], "target"),
        (["simulate", "bastra", "--set", "majority_tie=carri"], "carry"),
        (["claims", "jak-hold"], "jack-hold"),
        (["test", "jak-hold"], "jack-hold"),
        (["test", "eigths.toml"], "eights.toml"),
        (["balance", "--measure", "skil"], "skill"),
        (["balance", "--players", "pair"], "pairs"),
        (["sweep", "bastra", "--vary", "tarjet=50,60"], "target"),
        (["sweep", "bastra", "--vary", "target=50,60", "--measure", "skil"], "skill"),
        (["fit", "bastra", "--vary", "target=50,60", "--measure", "skill", "--to", "bastr"], "bastra"),
        (["bundle", "--section", "jaks"], "jacks"),
        (["bundle", "jack-hold", "--form", "literl"], "literal"),
        (["replay", "rundes.jsonl"], "rounds.jsonl"),
        (["review", "rundes.jsonl"], "rounds.jsonl"),
        (["completion", "fsh"], "fish"),
        (["simulat"], "simulate"),
    ],
)
def test_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], meant: str) -> None:
    for name in ("house.toml", "weights.json", "rounds.jsonl", "eights.toml"):
        (tmp_path / name).touch()
    text = '@policy\ndef gatherer(view, play):\n    """Gathers."""\n    return play.points\n'
    (tmp_path / "mine.py").write_text(f"from basra_sim import policy\n\n\n{text}")
    monkeypatch.chdir(tmp_path)
    assert f"(did you mean {meant}?)" in refusal(*args)


def test_options_are_hinted_at() -> None:
    assert "Did you mean '--quiet'?" in refusal("simulate", "bastra", "--quite")


def test_no_file_is_hinted_at_that_is_there_or_far_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "b.py").touch()
    monkeypatch.chdir(tmp_path)
    assert (
        refusal("simulate", "bastra", "--policy", "folder.py") == "folder.py cannot be read: it is a folder, not a file"
    )
    assert refusal("simulate", "bastra", "--policy", "d.py") == "d.py: there is no such file"


def test_choices_in_words() -> None:
    with pytest.raises(click.BadParameter, match="'x' is not possible: it takes one or other"):
        OneOf(["one", "other"]).convert("x", None, None)


def test_progress_beside_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where records are printed into the terminal, no line of progress comes between them."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", Terminal())
    with Progress(beside=True, stream=terminal) as progress:
        progress.say("Getting ready …")
    assert terminal.getvalue() == ""


def test_progress_of_what_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra_sim.cli.progress._is_compiled", lambda: True)
    terminal, clock = Terminal(), Clock()
    with Progress("settings", left="to the next look", stream=terminal, clock=clock) as progress:
        for done, seconds in ((1, 20.0), (2, 20.0), (10, 2.0)):
            clock.now += seconds
            progress(done, 12)
    assert list(ended(terminal)) == [
        "  8%  1 of 12 settings, 20 s each, 3:40 min to the next look",
        " 17%  2 of 12 settings, 20 s each, 3:20 min to the next look",
        " 83%  10 of 12 settings, 2 s each, 5 s to the next look",
    ]


def ended(terminal: Terminal) -> Iterator[str]:
    """What the line of a terminal said before it was wiped out."""
    return (text for text in terminal.texts() if text)
