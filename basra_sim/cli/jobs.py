"""Options of commands that take long: where it is done, and where pieces are kept; and a look at such a folder."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import wraps
from hashlib import sha256
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.options import examples, json_option, named, whole
from basra_sim.cli.progress import remark
from basra_sim.cli.text import counted, paragraph, show, show_json, table
from basra_sim.inputs import read_bytes

if TYPE_CHECKING:
    from basra_sim.jobs.looking import Look

MOST_WORKERS = 256
"""Here again, so that help needs nothing that is slow to load; a test holds them together."""

BESIDE = frozenset({"job", "workers", "scheduler", "threads", "as_json", "output", "formats", "figure"})
"""Names of parameters that no result hangs on: where it is done, and how it is shown."""

_FILE = re.compile(r"\.(py|toml|json)")

Command = Callable[..., None]

_OPTIONS = (
    click.option(
        "--job",
        type=named,
        metavar="DIR",
        help="Keep what is finished in this folder. Run again after an interruption or a crash, the command goes on "
        "where it stopped, to the very same result.",
    ),
    click.option(
        "--workers",
        type=whole(1, MOST_WORKERS),
        metavar="N",
        help="Play in so many processes of this machine, by Dask; the result does not depend on it.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786; the result does not depend on "
        "it.",
    ),
)


def job_options(command: Command) -> Command:
    """Give a command the options that say where it is done and kept."""

    @wraps(command)
    def run(*args: Any, job: str | None, workers: int | None, scheduler: str | None, **values: Any) -> None:
        if workers is not None and scheduler is not None:
            text = "--workers and --scheduler are both given: give one of them"
            raise click.UsageError(text, click.get_current_context())
        if job is not None:
            _refuse_one_place(job, click.get_current_context())
        with ExitStack() as around:
            if job is not None:
                from basra_sim import jobs

                around.enter_context(jobs.job(job, _asked(click.get_current_context()), remark))
            if workers is not None or scheduler is not None:
                from basra_sim import cluster

                at = cluster.workers(workers or 1) if scheduler is None else cluster.scheduler(scheduler, remark)
                around.enter_context(at)
            command(*args, **values)

    for option in reversed(_OPTIONS):
        run = option(run)
    return run


def _refuse_one_place(job: str, context: click.Context) -> None:
    """Refuse a folder for pieces that is to be an output as well, before it is made."""
    for name in ("output", "figure"):
        other = context.params.get(name)
        if isinstance(other, str) and realpath(other) == realpath(job):
            raise click.UsageError(f"--job and --{name} are both {other}: give them names of their own", context)


def _asked(context: click.Context) -> dict[str, Any]:
    """What is asked for on a command line, as far as results hang on it."""
    settings = {name: value for name, value in sorted(context.params.items()) if name not in BESIDE}
    return {"command": context.info_name, "settings": settings, "files": dict(_files(settings))}


def _files(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Files that settings name, each with a digest."""
    texts = [each for value in settings.values() for each in (value if isinstance(value, tuple) else (value,))]
    for text in filter(lambda each: isinstance(each, str), texts):
        for begin in [0, *(found.end() for found in re.finditer(r"\+", text))]:
            for found in _FILE.finditer(text, begin):
                path = text[begin : found.end()]
                with suppress(OSError):  # what cannot be read is refused by whoever is to read it
                    yield str(Path(path)), sha256(read_bytes(path)).hexdigest()


@click.command(
    epilog=examples(
        "basra-sim duel counter greedy --rounds 100M --job night",
        "basra-sim jobs night",
        "basra-sim jobs night --check",
    )
)
@click.argument("folder", type=named, metavar="DIR")
@click.option("--check", is_flag=True, help="Read every piece whole; exit 1 if one is damaged or cannot be read.")
@json_option
def jobs(folder: str, check: bool, as_json: bool) -> None:
    """
    Tell what is in the folder of a job.

    A command that is given --job DIR keeps its finished pieces there: what
    was asked for, by which version, and how much of it is played.
    """
    from basra_sim.jobs.looking import look

    found = look(Path(folder), check=check)
    if as_json:
        show_json(found.to_dict())
    else:
        show(_printable(line) for line in _lines(found))
    if check and (found.damaged or found.unreadable):
        click.get_current_context().exit(1)


def _printable(line: str) -> str:
    """A line of what stands in a folder, which anybody may have written, as nothing but text."""
    return "".join(sign if sign.isprintable() else "?" for sign in line)


def _lines(found: "Look") -> Iterator[str]:
    """Lines that tell of a job."""
    yield from paragraph(f"{found.folder}: {found.words}, {found.state}", hanging=2)
    made = ", ".join(f"{name} {value}" for name, value in found.made_by.items())
    yield from paragraph(f"Begun with {made}", hanging=2)
    for name, value in found.settings:
        yield from paragraph(f"  {name}: {value}", hanging=4)
    yield ""
    rows = [
        [each.about, f"{each.units:,}", f"{each.of:,}", f"{each.units / each.of:.0%}", f"{each.pieces:,}"]
        for each in found.tasks
    ]
    if rows:
        yield from table(["played", "units", "of", "", "pieces"], rows, right=(1, 2, 3, 4))
    pieces = sum(each.pieces for each in found.tasks)
    yield ""
    yield f"{counted(pieces, 'pieces')}, {_size(found.size)}"
    for path, reason in found.damaged:
        yield from paragraph(f"Damaged, {reason}; it will be made anew: {path}", hanging=2)
    for path, reason in found.unreadable:
        yield from paragraph(f"Cannot be read, {reason}: {path}", hanging=2)


def _size(number: float) -> str:
    """Bytes in words."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"
