"""Command lines: every command, its options in any number and order, with values that they take and do not take."""

import io
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tests.fuzz.drawing import NUMBERS, Drawing
from tests.fuzz.telling import cards

MINE = """from basra_sim import advice, policy

@policy
def mine(view, play):
    return play.points + play.basra

@advice
def own(view, play):
    return 1 if play.taken else -1
"""

USUAL = {
    "variant": ("bastra", "egyptian", "good.toml", "Bastra", "syrian-a"),
    "policy": (
        "greedy",
        "random",
        "counter",
        "mine.py:mine",
        "mine.py",
        "w.json",
        "greedy+jack-hold",
        "counter-memory:8",
    ),
    "rounds": ("1", "10", "100"),
    "matches": ("1", "2"),
    "deals": ("1", "4096"),
    "threads": ("1", "2"),
    "workers": ("1", "2"),
    "scheduler": ("tcp://127.0.0.1:8786", "inproc://x", "127.0.0.1:99999", "tls://[::1]:1", "tcp://", "x://y"),
    "job": ("night", "mine.py"),
    "players": ("2", "3", "4", "pairs"),
    "seed": ("1", "9"),
    "opponent": ("greedy", "random"),
    "start": ("adept", "w.json"),
    "against": ("greedy",),
    "a": ("greedy", "mine.py"),
    "b": ("random", "counter"),
    "variants": ("bastra", "egyptian", "good.toml"),
    "seat": ("0", "1"),
    "player": ("0",),
    "worst": ("3",),
    "deal": ("1",),
    "last": ("0",),
    "carry": ("0",),
    "best": ("1",),
    "searched": ("1",),
    "section": ("jacks",),
    "seen": ("",),
    "mine": ("",),
    "theirs": ("",),
    "changes": ("target=51", "pack=40", "buried=J,7D"),
    "vary": ("target=51,61", "target=51:71:10"),
    "measure": ("match_rounds", "margin"),
    "to": ("4", "42%", "most"),
    "file": ("r.jsonl", "-"),
    "output": ("out.csv", "out.json", "out", "out.html", "out.parquet"),
    "figure": ("f.svg", "f.png", "f.csv"),
    "ways": ("100",),
    "generations": ("1",),
    "population": ("4",),
    "score": ("40-55",),
    "basras": ("10-0",),
    "hand": ("JS 7D 2C",),
    "floor": ("3H 5S", ""),
    "card": ("7D",),
    "ids": ("jack-hold", "low-first", "good.toml", "piece.toml", "mine.py:own"),
    "claims": ("jack-hold",),
    "name": ("bastra", "good.toml"),
    "experiments": ("1", "10"),
    "precision": ("5", "quick"),
    "decisions": ("0",),
    "seconds": ("0.01",),
    "repetitions": ("1",),
    "shell": ("bash", "zsh", "fish"),
    "format": ("html", "md", "json"),
}
"""Values that options take, by the name of the parameter."""

PATHS = (
    "pipe",
    "pipe.toml",
    "folder.toml",
    "folder.json",
    "folder",
    "loop.toml",
    "zero.toml",
    "zero.jsonl",
    "/dev/zero",
    "/dev/full",
    "/dev/null",
    "big.toml",
    "big.json",
    "big.py",
    "big.jsonl",
    "latin.toml",
    "none.toml",
    "deep.toml",
    "piece.toml",
    "w.json",
    "r.jsonl",
    "good.toml",
    "broken.py",
    "exits.py",
    "endless.jsonl",
    "closed/x.csv",
    ".",
    "..",
    "no/such/x.csv",
    "x" * 300 + ".toml",
    "x" * 300 + ".csv",
    "\0.toml",
    "\udcff.toml",
    "\ud800.csv",
    "a+b.toml",
    "link.toml",
    "up.toml",
    "../x.csv",
    "chain0.toml",
)
"""Names of files that are there or not, few of them as they should be."""


def furnish(folder: Path, data: Path) -> None:
    """Put files of all kinds into a folder."""
    (folder / "good.toml").write_text('base = "egyptian"\ntarget = 61\n')
    (folder / "piece.toml").write_text("follow.is_jack = 0\nagainst.is_jack = 1\n")
    (folder / "a+b.toml").write_text("follow.is_jack = 0\nagainst.is_jack = 1\n")
    (folder / "w.json").write_text('{"weights": {"basra": 1.0}}')
    (folder / "mine.py").write_text(MINE)
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "exits.py").write_text("raise SystemExit(3)\n")
    (folder / "r.jsonl").write_bytes(b"".join((data / "rounds.jsonl").read_bytes().splitlines(keepends=True)[:2]))
    (folder / "latin.toml").write_bytes(b'title = "\xe9"\n')
    (folder / "deep.toml").write_text("a = " + "[" * 5000)
    (folder / "endless.jsonl").write_text("[" * 3_000_000)
    (folder / "up.toml").write_text('base = "../../../../../../../../dev/zero"\n')
    for name in ("folder.toml", "folder.json", "folder", "closed"):
        (folder / name).mkdir()
    (folder / "closed").chmod(0)
    for name in ("pipe", "pipe.toml"):
        os.mkfifo(folder / name)
    (folder / "loop.toml").symlink_to("loop.toml")
    (folder / "link.toml").symlink_to("good.toml")
    for name in ("zero.toml", "zero.jsonl"):
        (folder / name).symlink_to("/dev/zero")
    for name in ("big.toml", "big.json", "big.py", "big.jsonl"):
        with (folder / name).open("wb") as stream:
            stream.truncate(3_000_000_000)
    for k in range(60):
        (folder / f"chain{k}.toml").write_text(f'base = "chain{k + 1}.toml"\n')


def lines(folder: Path, data: Path) -> Callable[[bytes], object]:
    """What runs a command line that an input draws."""
    from basra_sim import cluster, connecting, inputs
    from basra_sim.cli import main
    from basra_sim.cli.ending import TRACEBACK

    inside = folder / "inside"
    inside.mkdir()
    inputs.PATIENCE = 0.05
    vars(cluster)["_started"] = vars(connecting)["client"] = not_begun
    os.environ[TRACEBACK] = "1"
    os.environ |= {"MPLBACKEND": "Agg", "MPLCONFIGDIR": str(folder / "matplotlib")}
    import_module("matplotlib.font_manager")  # the first time it asks the system for its fonts
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}

    def work(drawn: bytes) -> None:
        if drawn[:1] == b"\xff":
            words = command_line(Drawing(drawn[1:]), commands)
        else:
            words = drawn.decode("utf-8", "surrogateescape").split("\n")
        for path in inside.iterdir():
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
                shutil.rmtree(path)
            else:
                path.unlink()
        furnish(inside, data)
        os.chdir(inside)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(said):
                main(words, prog_name="basra-sim")
        except SystemExit as end:
            check(end.code, said, words)
        finally:
            sys.stdin = before

    return work


def not_begun(*_: object, **__: object) -> None:
    """Begin no other process and look for none: what is asked for has been read by then."""
    raise OSError("not now")


def check(code: Any, said: io.TextIOWrapper, words: list[str]) -> None:
    """Hold how a command ended against how commands may end."""
    said.flush()
    text = said.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]  # a buffer in memory
    assert code in (0, 1, 2), (code, words)
    assert "Traceback" not in text, (text, words)
    assert "fault in the program" not in text, (text, words)
    if code and not text.startswith("Usage:"):
        told = [line for line in text.splitlines() if "Error:" in line]
        assert len(told) == 1, (text, words)
        assert len(told[0]) < 3000, (len(told[0]), words)


def command_line(draw: Drawing, commands: dict[str, Any]) -> list[str]:
    """A command line."""
    if draw.chance(40):
        return [draw.text() for _ in range(draw.below(4))]
    name = draw.one(sorted(commands))
    params = commands[name].params
    words = [name]
    for param in params:
        if isinstance(param, click.Argument):
            words += [_value(draw, param) for _ in range(1 + (param.nargs != 1) * draw.below(2))]
        elif param.required or param.name in _SMALL.get(name, ()) or draw.chance(5):
            words.append(draw.one(param.opts))
            if not param.is_flag:
                words.append(_value(draw, param))
    for small, value in _SMALL.get(name, {}).items():
        option = next((each.opts[-1] for each in params if each.name == small), None)
        if option and option not in words:
            words += [option, value]
    if draw.chance(30):
        words.append(draw.text())
    with suppress(ValueError):
        words.remove("\0")
    return words


_SMALL = {
    "simulate": {"rounds": "100"},
    "trace": {"rounds": "3"},
    "duel": {"rounds": "50"},
    "advise": {"ways": "100"},
    "review": {"ways": "100"},
    "calibrate": {"experiments": "1"},
    "bench": {"seconds": "0.01", "repetitions": "1"},
}
"""Options by which a command plays little."""


def _value(draw: Drawing, param: click.Parameter) -> str:
    """A value for a parameter."""
    kind = draw.below(30)
    if kind < 24 and param.name in USUAL:
        return draw.one(USUAL[param.name])
    kind %= 8
    if kind < 5 and isinstance(param.type, click.Choice):
        return str(draw.one(list(param.type.choices)))
    if param.name in ("hand", "floor", "seen", "mine", "theirs", "card") and kind < 6:
        return cards(draw)
    if param.name in ("changes", "vary") and kind < 6:
        return f"{draw.one(['target', 'pack', 'two', 'buried', 'hand_size', 'x'])}={draw.one(NUMBERS)}"
    return draw.one(PATHS) if kind < 3 else draw.one(NUMBERS) if kind < 6 else draw.text()
