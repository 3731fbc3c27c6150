"""The group of commands: those of this package, those of others, and how all of them end."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.shell_completion import CompletionItem

from basra_sim.cli.ending import Stopped, ended
from basra_sim.cli.options import take_quiet
from basra_sim.cli.sources import docstring
from basra_sim.cli.text import coloured
from basra_sim.errors import BasraError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "basra_sim.commands"
"""Group of entry points under which packages offer commands: each names a click command."""

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Play": ("variants", "captures", "simulate", "duel", "trace", "replay"),
    "Questions": ("claims", "test", "bundle", "balance", "sweep", "fit"),
    "Players": ("advise", "review", "ladder", "tune"),
    "Pages": ("report",),
    "Tools": ("jobs", "bench", "calibrate", "completion"),
}
"""Sections of the help, and their commands in order. Commands that are in none come last."""

OTHERS = "More"


class Commands(click.Group):
    """
    Commands of this package, and those that others offer as entry points, which are loaded when they are called.

    Whatever happens, a person is told in one line: see `basra_sim.cli.ending`.
    """

    @cached_property
    def offered(self) -> "dict[str, EntryPoint]":
        """Commands of other packages by name, without those that would hide one of this package."""
        from importlib import metadata

        found = metadata.entry_points(group=ENTRY_POINTS)
        return {each.name: each for each in sorted(found) if each.name not in self.commands}

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Sections of the help with the names of their commands, those that there are."""
        known = [*self.commands, *self.offered]
        placed = {name for names in SECTIONS.values() for name in names}
        for title, names in {**SECTIONS, OTHERS: tuple(name for name in known if name not in placed)}.items():
            present = [name for name in names if name in known]
            if present:
                yield title, present

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click calls it so
        """Names of all commands, in the order of the help."""
        return [name for _, names in self.sections() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click calls it so
        """Command of a name; one of another package is loaded now."""
        if cmd_name in self.commands:
            return take_quiet(self.commands[cmd_name])
        return take_quiet(_loaded(self.offered[cmd_name])) if cmd_name in self.offered else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Command that the arguments begin with; refuses an unknown one, with a hint."""
        name = args[0]
        if not name.startswith("-") and name not in self.commands and name not in self.offered:
            from basra_sim.rules.wording import did_you_mean, either

            known = self.list_commands(ctx)
            hint = did_you_mean(name, known) or f": there are {either(known)}"
            raise click.UsageError(f"there is no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- click calls it so
        """Write the commands into the help by sections, without loading any of another package."""
        widest = max(len(name) for _, names in self.sections() for name in names)
        for title, names in self.sections():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", self._short_help(name)) for name in names])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and options that a word may become, without loading any command."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self._short_help(name)) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Context of the whole command line; it says whether colours are used."""
        return super().make_context(info_name, args, parent, **({"color": coloured()} | extra))

    def invoke(self, ctx: click.Context) -> None:
        """Run the command that was asked for; what it returns has no meaning here."""
        try:
            super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            raise Stopped from error

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as a program: print what went wrong as one line, and leave with an exit code."""
        run = partial(super().main, args, prog_name, complete_var, False, windows_expand_args, **extra)
        return _leave(run) if standalone_mode else run()

    def _short_help(self, name: str) -> str:
        """First sentence about a command; of another package it is read from the source: nothing of it is run."""
        if name in self.commands:
            return self.commands[name].get_short_help_str(_ROOM)
        entry = self.offered[name]
        text = docstring(entry.module, entry.attr) or f"A command of the package {_package(entry)}."
        return click.Command(name, help=text).get_short_help_str(_ROOM)


_ROOM = 64
"""Letters of the first sentence about a command, which stands in one line of the help."""


def _leave(run: Callable[[], object]) -> NoReturn:
    """Leave the program with the exit code of what is run."""
    sys.exit(ended(run))


def _package(entry: "EntryPoint") -> str:
    """Name of the package that offers a command."""
    return entry.dist.name if entry.dist else entry.module


def _loaded(entry: "EntryPoint") -> click.Command:
    """Command of another package."""
    where = f"the command {entry.name} of {_package(entry)} ({entry.value})"
    try:
        command = entry.load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BasraError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(command, click.Command):
        raise BasraError(f"{where} is no click command but of type {type(command).__name__}")
    return command
