"""The group of commands: those of this package, those of others, and how all of them end."""

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from basra_sim.cli.ending import Stopped, ended
from basra_sim.errors import BasraError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "basra_sim.commands"
"""Group of entry points under which packages offer commands: each names a click command."""


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

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click calls it so
        """Names of all commands: those of this package in the order they were added, then the others'."""
        return [*self.commands, *self.offered]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click calls it so
        """Command of a name; one of another package is loaded now."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        return _loaded(self.offered[cmd_name]) if cmd_name in self.offered else None

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands into the help, without loading any of another package."""
        room = formatter.width - 6 - max(map(len, self.list_commands(ctx)))
        rows = [(name, command.get_short_help_str(room)) for name, command in self.commands.items()]
        rows += [(name, _short_help(each, room)) for name, each in self.offered.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

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


def _leave(run: Callable[[], object]) -> NoReturn:
    """Leave the program with the exit code of what is run."""
    sys.exit(ended(run))


def _loaded(entry: "EntryPoint") -> click.Command:
    """Command of another package."""
    package = entry.dist.name if entry.dist else entry.module
    where = f"the command {entry.name} of {package} ({entry.value})"
    try:
        command = entry.load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BasraError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(command, click.Command):
        raise BasraError(f"{where} is no click command but of type {type(command).__name__}")
    return command


def _short_help(entry: "EntryPoint", room: int) -> str:
    """First sentence of a command of another package, read from its source: nothing of the package is run."""
    package = entry.dist.name if entry.dist else entry.module
    text = _docstring(entry.module, entry.attr) or f"A command of the package {package}."
    return click.Command(entry.name, help=text).get_short_help_str(room)


@cache
def _docstring(module: str, name: str) -> str:
    """Docstring of a function of a module that is not imported; empty if that cannot be read."""
    spec = _found(module)
    try:
        tree = ast.parse(Path(spec.origin or "").read_bytes()) if spec else ast.Module([], [])
    except (OSError, SyntaxError, ValueError):
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
    return ""


def _found(module: str) -> ModuleSpec | None:
    """Where a module is, found without importing the packages that hold it."""
    spec: ModuleSpec | None = None
    path: Sequence[str] | None = None
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        spec = next(_specs(".".join(parts[:count]), path), None)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return spec


def _specs(module: str, path: Sequence[str] | None) -> Iterator[ModuleSpec]:
    """What the import machinery finds for a module."""
    for finder in sys.meta_path:
        spec = finder.find_spec(module, path)
        if spec is not None:
            yield spec
