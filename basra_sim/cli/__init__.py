"""The command line: one group, thin commands over the library, and those that other packages hang on it."""

import click

from basra_sim import __version__
from basra_sim.cli.bench import bench
from basra_sim.cli.completion import completion
from basra_sim.cli.duel import duel
from basra_sim.cli.ending import leaving_at_once
from basra_sim.cli.group import Commands
from basra_sim.cli.jobs import jobs
from basra_sim.cli.lookup import captures, variants
from basra_sim.cli.options import examples, take_quiet
from basra_sim.cli.play import simulate, trace
from basra_sim.cli.replay import replay

__all__ = ["main", "program"]


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog=examples(
        "basra-sim variants egyptian          the rules of one variant",
        "basra-sim simulate bastra            100,000 rounds, summed up",
        "basra-sim duel counter greedy        who plays better, and by how much",
        "basra-sim simulate --help            what a command can do",
    ),
)
@click.version_option(__version__, prog_name="basra-sim", message="%(prog)s %(version)s")
def main() -> None:
    """Simulate the card games of the Basra family."""


for _command in (variants, captures, simulate, duel, trace, replay, jobs, bench, completion):
    main.add_command(_command)


take_quiet(main)


def program() -> None:
    """Run the command line as a program of its own: the process ends with it."""
    with leaving_at_once():
        main()
