"""Options that commands share, and what they come to."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.completing import complete_change, complete_policy, complete_variant
from basra_sim.executors import MOST_THREADS

if TYPE_CHECKING:
    from basra_sim.plans import Plan

_NUMBER = re.compile(r"([+-]?\d+(?:_\d+)*)([kMG]?)")
_TIMES = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}

Command = Callable[..., None]


def examples(*lines: str) -> str:
    """Examples of a command as the end of its help; the sign in front keeps click from filling the lines up."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def number(text: str) -> int:
    """Whole number of a text such as ``5000``, ``1_000_000``, ``250k``, ``10M`` or ``1G``."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None or len(text) > 40:
        raise click.BadParameter(f"{text!r} is no whole number: write it such as 5000, 1_000_000, 250k, 10M or 1G")
    return int(found[1]) * _TIMES[found[2]]


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reader of whole numbers from a range."""

    def read(text: str) -> int:
        if number(text) not in range(low, high + 1):
            raise click.BadParameter(f"{text} is not possible: it takes a whole number from {low} to {high}")
        return number(text)

    return read


def named(text: str) -> str:
    """Name of a file or a folder; an empty one, such as a variable comes to that is not set, names none."""
    if not text.strip():
        raise click.BadParameter(f"{text!r} is no name: give that of a file or a folder")
    return text


class OneOf(click.Choice[str]):
    """One of some words; refuses another with a hint at the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word that is meant."""
        from basra_sim.rules.wording import did_you_mean, either

        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            hint = did_you_mean(str(value), self.choices)
            raise click.BadParameter(f"{value!r} is not possible: it takes {either(self.choices)}{hint}") from None


variant_argument = click.argument("variant", shell_complete=complete_variant)

set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=complete_change,
    help="An option of the rules that differs, such as target=121; may be given several times. "
    "'basra-sim variants VARIANT' lists them all.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

_QUIET = "basra_sim.quiet"


def _hush(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Remember that nothing is to be said but the result."""
    if value:
        ctx.meta[_QUIET] = True


def is_quiet() -> bool:
    """Whether the command that runs was told to say nothing but the result."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and ctx.meta.get(_QUIET, False)


def quiet_option(*names: str) -> click.Option:
    """Option that silences all but the result and errors."""
    return click.Option(
        names,
        is_flag=True,
        expose_value=False,
        callback=_hush,
        help="Print the result alone: no progress, no remarks.",
    )


def take_quiet(command: click.Command) -> click.Command:
    """Give a command the option to be quiet, unless it has one of that name already."""
    taken = {name for each in command.params for name in each.opts}
    names = [name for name in ("-q", "--quiet") if name not in taken]
    if "--quiet" in names:
        command.params.append(quiet_option(*names))
    return command


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is to be played, as the options say."""

    variant: str
    players: int | None
    pairs: bool
    policy: tuple[str, ...]
    rounds: int | None
    matches: int | None
    seed: int
    threads: int | None
    changes: tuple[str, ...]

    @property
    def unit(self) -> str:
        """What is counted: rounds or matches."""
        return "rounds" if self.matches is None else "matches"

    def plan(self, default_rounds: int | None = None) -> "tuple[Plan, int]":
        """Plan, and number of units; without a number of rounds or matches so many rounds, or the library's number."""
        from basra_sim.plans import MOST_UNITS, check_number, plan_units
        from basra_sim.rules import parse_changes

        rounds = default_rounds if self.rounds is None and self.matches is None else self.rounds
        plan, units = plan_units(
            self.variant,
            rounds,
            self.matches,
            players=self.players or (4 if self.pairs else 2),
            pairs=self.pairs,
            policies=self.policy or ("greedy",),
            seed=self.seed,
            changes=parse_changes(self.changes),
        )
        check_number(self.unit, units, 1, MOST_UNITS)
        return plan, units


players_option = click.option(
    "--players", type=whole(2, 4), metavar="N", help="Number of players.  [default: 2; with --pairs 4]"
)

pairs_option = click.option("--pairs", is_flag=True, help="Seats 0 and 2 play together against seats 1 and 3.")

seed_option = click.option(
    "--seed", type=number, metavar="S", default="1", show_default=True, help="Seed of the shuffled packs."
)

threads_option = click.option(
    "--threads",
    type=whole(1, MOST_THREADS),
    metavar="T",
    help=f"Threads to play on, 1 to {MOST_THREADS}; the result does not depend on it.  "
    "[default: one for each processor]",
)

_PLAY_OPTIONS = (
    variant_argument,
    players_option,
    pairs_option,
    click.option(
        "--policy",
        multiple=True,
        metavar="POLICY",
        shell_complete=complete_policy,
        help="How players choose: random, greedy, counter, adept, champion, expert, cheater, FILE.py:NAME, or "
        "FILE.json. Once for all, else once for each player (in pairs: or once for each pair).  [default: greedy]",
    ),
    click.option("--rounds", type=number, metavar="N", help="Single rounds to play; 10k and 10M are understood."),
    click.option("--matches", type=number, metavar="N", help="Whole matches to play instead."),
    seed_option,
    threads_option,
    set_option,
)


def play_options(command: Command) -> Command:
    """Give a command the options that say what is played; they reach it as a `Request`, its first argument."""

    @wraps(command)
    def run(**values: Any) -> None:
        request = Request(**{field.name: values.pop(field.name) for field in fields(Request)})
        command(request, **values)

    for option in reversed(_PLAY_OPTIONS):
        run = option(run)
    return run
