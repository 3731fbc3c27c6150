"""The command that replays records by the readable engine."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

import click

from basra_sim.cli.completing import complete_records
from basra_sim.cli.options import examples, json_option
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import counted, paragraph

if TYPE_CHECKING:
    from basra_sim.records import Record, RecordError
    from basra_sim.reference import Replay


@click.command(
    epilog=examples(
        "basra-sim trace bastra --rounds 100 | basra-sim replay -",
        "basra-sim replay rounds.jsonl --explain",
        "basra-sim replay by-hand.jsonl --json",
    )
)
@click.argument("file", shell_complete=complete_records)
@click.option("--explain", is_flag=True, help="Tell each play: what was legal, what it took and scored, by which rule.")
@json_option
def replay(file: str, explain: bool, as_json: bool) -> None:
    """
    Check and score records of rounds by a second engine.

    FILE holds a record a line, as 'basra-sim trace' prints them; - stands for
    standard input. A record needs only variant, players, deck and plays. With
    --json each record is printed in full, a line each; with --explain as
    well, a line each that tells every play. Records are read one after
    another: what was printed before an error holds.
    """
    import json

    from basra_sim.errors import InputError
    from basra_sim.reference import explain as explained
    from basra_sim.reference import replay_data

    rounds = 0
    with Progress(beside=True) as progress:
        total = record_count(file)
        for each in replays(file):
            if as_json:
                click.echo(json.dumps(replay_data(each) if explain else each.record))
            elif explain:
                click.echo(("\n" if rounds else "") + explained(each), nl=False)
            else:
                for line in _lines(each):
                    click.echo(line)
            rounds += 1
            progress(rounds, max(rounds, total))
    if not rounds:
        raise InputError(f"{_named(file)} holds no record: one is a line of JSON with variant, players, deck, plays")
    if not as_json and not explain:
        click.echo(f"{counted(rounds, 'rounds')} checked: all as the rules have it")


def record_count(file: str) -> int:
    """Number of records that a file seems to hold, to foretell how long they take; 0 where it cannot be read twice."""
    from basra_sim.inputs import bounded_lines, is_file, open_lines

    if file == "-" or not is_file(file):
        return 0
    try:
        with open_lines(file) as stream:
            return sum(not line.isspace() for line in bounded_lines(stream))
    except (OSError, ValueError):
        return 0


def replays(file: str) -> Iterator["Replay"]:
    """Replays of the records of a file; an error says where it is."""
    from basra_sim.records import RecordError, read_records
    from basra_sim.reference import replay_all

    latest: dict[int, Record] = {}

    def records(stream: TextIO) -> Iterator[tuple[int, "Record"]]:
        for line, record in read_records(stream):
            latest.clear()
            latest[line] = record
            yield line, record

    with _opened(file) as stream:
        try:
            yield from replay_all(records(stream))
        except RecordError as error:
            raise _placed(error, _named(file), latest) from None


@contextmanager
def _opened(file: str) -> Iterator[TextIO]:
    """File, or standard input, to be read."""
    from basra_sim.errors import InputError
    from basra_sim.inputs import open_lines
    from basra_sim.rules.wording import near_file

    if file == "-":
        yield sys.stdin
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(TextIOWrapper(stack.enter_context(open_lines(file)), encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{file} cannot be read: {error.strerror or error}{near_file(file)}") from None
        yield stream


def _named(file: str) -> str:
    """File as messages name it."""
    return "standard input" if file == "-" else file


def _placed(error: "RecordError", name: str, latest: dict[int, "Record"]) -> "RecordError":
    """Error with the file and, for a round of a match, the numbers of match and round."""
    text = str(error)
    for line, record in latest.items():
        start = f"line {line}: "
        if text.startswith(start) and "match" in record and "round" in record:
            text = f"line {line} (match {record['match']}, round {record['round']}): {text.removeprefix(start)}"
    return type(error)(f"{name}: {text}")


def _lines(replay: "Replay") -> Iterator[str]:
    """Lines about one round: its score, and the match's where it belongs to one."""
    setting, record = replay.setting, replay.record
    players = "4 in pairs" if setting.pairs else f"{setting.players} players"
    match = f", match {record['match']} round {record['round']}" if "match" in record and "round" in record else ""
    line = f"{replay.place}: {setting.label}, {players}{match}: {_points(each.total for each in replay.scores)}"
    if replay.score_after is not None:
        line += f", in all {_points(replay.score_after)}"
    yield from paragraph(line, hanging=2)
    if replay.verdict is not None and replay.verdict.over:
        winner = replay.verdict.winner
        yield f"match {record['match']}: " + ("drawn" if winner is None else f"team {winner} has won")


def _points(score: Iterable[int]) -> str:
    """Points of all teams in words: ``41:66``."""
    return ":".join(map(str, score))
