"""
The entry points: what each is handed, and what then happens to it.

An input is the content of a file as a person may hand it in; one that begins with the byte 255 is none, but decisions
by which something hostile is put together.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.fuzz.drawing import NUMBERS, Drawing

DRAWN = 255
"""First byte of inputs from which something is put together."""

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"

Work = Callable[[bytes], object]


class Entry(NamedTuple):
    """
    An entry point.

    Attributes
    ----------
    reading : modules that read what is handed in, whose coverage is followed
    seeds : inputs to begin with
    words : texts that mean something there
    make : what is done with an input, files going into the folder
    warm_up : inputs that load and compile what is needed
    """

    name: str
    reading: tuple[str, ...]
    seeds: Callable[[], Iterable[bytes]]
    words: Callable[[], Iterable[str]]
    make: Callable[[Path], Work]
    warm_up: Callable[[], Iterable[bytes]]


def expected() -> tuple[type[BaseException], ...]:
    """Errors that are an answer to a person."""
    from basra_sim.errors import BasraError

    return (BasraError,)


def drawn(*numbers: int) -> bytes:
    """An input that is put together by these decisions."""
    return bytes((DRAWN, *numbers))


def kept(name: str) -> list[bytes]:
    """Inputs that have once been found to fail."""
    folder = DATA / "fuzz" / name
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.is_dir() else []


def in_files(name: str, pattern: str, *folders: str) -> list[bytes]:
    """Contents of files of the project, and of those that failed."""
    found = [path for folder in folders for path in sorted((ROOT / folder).glob(pattern))]
    return [b"", *(path.read_bytes() for path in found), *kept(name)]


def _toml(value: Any) -> str:
    """A value much as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    try:
        return "none" if value is None else str(value).lower()
    except ValueError:
        return hex(value)


def _table(draw: Drawing, names: list[str]) -> str:
    """Lines of TOML: known names, mostly, and values that they do not take, mostly."""
    lines = []
    for _ in range(draw.below(6) + 1):
        name = _toml(draw.text()) if draw.chance(8) else draw.one(names)
        value = draw.one(NUMBERS) if draw.chance(2) else _toml(draw.value())
        lines.append(f"{name} = {value}")
    return "\n".join(lines)


def _file(path: Path, data: bytes, put_together: Callable[[Drawing], str]) -> None:
    """Write an input to a file."""
    if data[:1] == bytes([DRAWN]):
        data = put_together(Drawing(data[1:])).encode("utf-8", "surrogatepass")
    path.write_bytes(data)


# Variant files.


def _variant_names() -> list[str]:
    from basra_sim.rules import OPTIONS
    from basra_sim.variants.reading import INFORMATION

    return [*OPTIONS, *INFORMATION]


def _variant_words() -> Iterator[str]:
    from basra_sim.rules import OPTIONS

    yield from _variant_names()
    for option in OPTIONS.values():
        yield from map(str, option.choices or ())


def _variant(folder: Path) -> Work:
    from basra_sim.plans import Plan, plan
    from basra_sim.variants import setting, variant
    from basra_sim.variants.model import TABLES

    path, names = folder / "rules.toml", _variant_names()

    def work(data: bytes) -> None:
        _file(path, data, lambda draw: _table(draw, names))
        found = variant(str(path))
        json.dumps([found.describe(), found.row()])
        repr(found), found._repr_html_()
        for players, pairs in TABLES:
            if found.hand_sizes(players):
                table = setting(found, players, pairs)
                list(Plan(table, plan("bastra").policies, ((0,) * players,)).play(0, 2))

    return work


# Players and advice in files, and as they are written.


def _policy_names() -> list[str]:
    from basra_sim.policies import FEATURES
    from basra_sim.policies.quantities import PLACES

    keys = ["name", "text", "when", "follow", "against", "weights"]
    return keys + [f"{key}.{name}" for name in PLACES for key in keys[2:5]] + [each.name for each in FEATURES]


_SPECS = (
    "greedy",
    "random",
    "counter",
    "champion",
    "expert",
    "cheater",
    "-memory:",
    "-noise:",
    "-rollouts:",
    "ranks",
    "none",
    "8",
    "0.1",
    "+",
    ":",
    "+jack-hold",
    ":reversed",
    ":tie-break",
    ":literal",
    "a.toml",
    "a.json",
    "a.py",
    "a.py:b",
    "/",
)


def _policy(folder: Path) -> Work:
    from basra_sim.plans import plan
    from basra_sim.policies import find_advice, get_policy
    from basra_sim.policies.tuned import policy_from_weights

    names = _policy_names()

    def weights(draw: Drawing) -> str:
        held = {draw.one(names): draw.value(1) for _ in range(draw.below(6))}
        return json.dumps({"weights": held} if not draw.chance(8) else draw.value())

    def play(player: Any) -> None:
        list(plan("bastra", policies=[player, "greedy"]).play(0, 2))

    def work(data: bytes) -> None:
        kind = Drawing(data[1:2]).below(3) if data[:1] == bytes([DRAWN]) else 2 if data[:1] == b"{" else 0
        if kind == 0:
            path = folder / "piece.toml"
            _file(path, data, lambda draw: _table(draw, names))
            play(get_policy("greedy").following(find_advice(str(path))))
        elif kind == 2:
            path = folder / "weights.json"
            _file(path, data, weights)
            play(policy_from_weights(str(path)))
        else:
            draw = Drawing(data[2:])
            spec = "".join(draw.one(_SPECS) if not draw.chance(6) else draw.text() for _ in range(draw.below(5) + 1))
            found = get_policy(spec)
            if found.search is None:
                play(found)

    return work


# Records of rounds, and situations.


def _records(folder: Path) -> Work:
    from basra_sim.cli.replay import replays
    from basra_sim.records import PlayRecord, Record, ScoreRecord, field_specs
    from basra_sim.reference import explain, replay_data
    from tests.fuzz.telling import situation

    good = [json.loads(line) for line in (DATA / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]
    fields = [list(field_specs(kind)) for kind in (Record, PlayRecord, ScoreRecord)]
    path = folder / "rounds.jsonl"

    def one(draw: Drawing) -> str:
        record = json.loads(json.dumps(draw.one(good)))
        for _ in range(draw.below(4) + 1):
            where, names = record, fields[0]
            if draw.chance(3) and isinstance(record.get("plays"), list) and record["plays"]:
                where, names = draw.one(record["plays"]), fields[1]
            elif draw.chance(4) and isinstance(record.get("scores"), list) and record["scores"]:
                where, names = draw.one(record["scores"]), fields[2]
            if not isinstance(where, dict):
                continue
            name = draw.text() if draw.chance(10) else draw.one(names)
            if draw.chance(5):
                where.pop(name, None)
            elif isinstance(where.get(name), list) and draw.chance(2):
                part = where[name]
                at = draw.below(len(part) + 1)
                part[at : at + draw.below(3)] = [draw.value(1)] if draw.chance(2) else part[:1]
            else:
                where[name] = (
                    draw.one(["/dev/zero", "rounds.jsonl", ".", str(folder), "bastra"])
                    if (name == "variant")
                    else draw.value(1)
                )
        try:
            return json.dumps(record)
        except ValueError:
            return "{" * draw.below(2000)

    def work(data: bytes) -> None:
        if data[:2] == bytes([DRAWN, 0]):
            situation(Drawing(data[2:]))
            return
        _file(path, data, lambda draw: "\n".join(one(draw) for _ in range(draw.below(2) + 1)))
        for each in replays(str(path)):
            json.dumps(replay_data(each))
            explain(each)

    return work


def _commands(folder: Path) -> Work:
    from tests.fuzz.lines import lines

    return lines(folder, DATA)


def _jobs(folder: Path) -> Work:
    from tests.fuzz.folders import folders

    return folders(folder)


def _record_seeds() -> Iterator[bytes]:
    lines = (DATA / "rounds.jsonl").read_bytes().splitlines(keepends=True)
    yield from (b"", *lines[:40:4], b"".join(lines[:3]))
    yield from kept("records")
    yield from (drawn(k, k * 7 % 256, k * 31 % 256, k) for k in range(60))


def _spread(name: str, *more: bytes) -> Callable[[], Iterator[bytes]]:
    """Seeds of decisions spread widely, and inputs kept."""

    def seeds() -> Iterator[bytes]:
        yield from more
        yield from kept(name)
        yield from (drawn(*(k * j * 37 % 256 for j in range(1, 24))) for k in range(80))

    return seeds


LINES = (
    "simulate bastra --rounds 10 --threads 1 --seed 3 --set target=51 --output out.csv --json --policy greedy",
    "duel greedy random --rounds 10 --variant good.toml --pairs --opponent counter",
    "trace bastra --matches 1",
    "replay r.jsonl --explain --json",
    "variants good.toml --json",
    "captures bastra --floor 3C4D --card 7D --lone-before",
    "advise bastra --hand JS --floor 3H --ways 100 --score 40-55",
    "review r.jsonl --ways 100 --seat 0",
    "sweep bastra --vary target=51,61 --deals 4096 --figure f.svg",
    "fit bastra --measure margin --to 4 --vary pack=40,52",
    "claims jack-hold",
    "test piece.toml --rounds 1000",
    "bundle jack-hold low-first",
    "balance bastra --deals 4096 --list",
    "ladder bastra --policy random --policy greedy --deals 100",
    "tune bastra --generations 1 --output w2.json",
    "report --output out --only claims --claim jack-hold --format md",
    "completion bash",
    "calibrate --experiments 1",
)
"""Command lines as they should be."""


def as_line(text: str) -> bytes:
    """A command line as an input: a word a line."""
    return text.replace(" ", "\n").encode()


ADVICE = b'name = "no-jacks"\nwhen = { floor_size = [1, 4] }\nfollow.is_jack = 0\nagainst.is_jack = 1\n'
"""A piece of advice as it should be."""


ENTRIES: dict[str, Entry] = {
    each.name: each
    for each in (
        Entry(
            "variant",
            ("basra_sim.inputs", "basra_sim.rules", "basra_sim.variants", "basra_sim.cards", "tomllib"),
            lambda: [*in_files("variant", "*.toml", "basra_sim/variants"), *_spread("variant")()],
            _variant_words,
            _variant,
            lambda: [b"target = 121\n"],
        ),
        Entry(
            "policy",
            (
                "basra_sim.inputs",
                "basra_sim.policies.advice",
                "basra_sim.policies.written",
                "basra_sim.policies.tuned",
                "basra_sim.policies.model",
                "basra_sim.policies.memory",
                "tomllib",
                "json",
            ),
            lambda: [*in_files("policy", "bastra*.json", "basra_sim/policies/weights"), *_spread("policy", ADVICE)()],
            lambda: [*_policy_names(), *_SPECS],
            _policy,
            lambda: [ADVICE, b'{"weights": {"basra": 1.0}}'],
        ),
        Entry(
            "records",
            (
                "basra_sim.inputs",
                "basra_sim.records",
                "basra_sim.reference",
                "basra_sim.cli.replay",
                "basra_sim.rules",
                "analyses.advising.reading",
                "basra_sim.search.situations",
                "basra_sim.cards",
                "json",
            ),
            _record_seeds,
            lambda: ["variant", "players", "deck", "plays", "scores", "taken", "10D", "rules", "null"],
            _records,
            lambda: [(DATA / "rounds.jsonl").read_bytes().splitlines()[0], drawn(0)],
        ),
        Entry(
            "jobs",
            ("basra_sim.inputs", "basra_sim.jobs", "basra_sim.identity", "basra_sim.files", "json"),
            _spread("jobs", b"{}", b'{"format": 1, "made_by": {}, "asked": {}}', b"PAR1PAR1"),
            lambda: ["format", "made_by", "asked", "settings", "command", "sources", "PAR1"],
            _jobs,
            lambda: [drawn(0)],
        ),
        Entry(
            "commands",
            (
                "basra_sim.cli",
                "basra_sim.rules",
                "basra_sim.inputs",
                "basra_sim.files",
                "analyses.asking",
                "reports.cli",
                "analyses.advising",
                "reports.sweep_cli",
                "reports.folder",
                "analyses.tuning.cli",
                "reports.balance_command",
            ),
            _spread("commands", *map(as_line, LINES)),
            LINES[0].split,
            _commands,
            lambda: [drawn(0)],
        ),
    )
}
