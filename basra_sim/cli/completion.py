"""The command that teaches a shell to complete, and how the shell bash is answered."""

import os

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from basra_sim.cli.options import OneOf, examples

SHELLS = ("bash", "zsh", "fish")

PROGRAM, VARIABLE = "basra-sim", "_BASRA_SIM_COMPLETE"
"""Name of the program, and of what the shell sets when it asks: click's name for it."""

_BASH = """\
%(complete_func)s() {
    mapfile -t COMPREPLY < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "$1")
    [[ -n ${COMPREPLY[0]} ]] || COMPREPLY=()
    [[ ${COMPREPLY[0]} == *[=:/] ]] && compopt -o nospace
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(ShellComplete):
    """
    Completion for bash 4.4 or later.

    Other than click's own it completes what follows ``=`` and ``:``, at which bash breaks words, and sets no space
    behind them.
    """

    name = "bash"
    source_template = _BASH
    _kept = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        """Words of the line up to the cursor, and the last one if it is not ended."""
        line = os.environ.get("COMP_LINE", "")
        words = split_arg_string(line)
        begun = words.pop() if words and not line[-1].isspace() else ""
        value = begun.partition("=")[2] if begun.startswith("--") else begun
        self._kept = max(value.rfind("="), value.rfind(":")) + 1
        return words[1:], begun

    def format_completion(self, item: CompletionItem[str]) -> str:
        """What follows the last sign at which bash breaks words."""
        return item.value[self._kept :]


add_completion_class(Bash)


@click.command(
    epilog=examples(
        "basra-sim completion bash >> ~/.bashrc",
        "basra-sim completion zsh >> ~/.zshrc",
        "basra-sim completion fish > ~/.config/fish/completions/basra-sim.fish",
    )
)
@click.argument("shell", type=OneOf(SHELLS), metavar="SHELL")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """
    Print what lets your shell complete commands with the Tab key.

    It is a short script. Put it where your shell reads it when it starts, as
    in the examples, and open a new shell; or try it at once in this one, with
    'eval "$(basra-sim completion bash)"'. In zsh it belongs after compinit.
    Then Tab completes commands, options, variants, players, advice, claims,
    options of the rules, and files of your own.
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows all of them"
    click.echo(kind(ctx.find_root().command, {}, PROGRAM, VARIABLE).source(), nl=False)
