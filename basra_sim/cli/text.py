"""Text for a terminal of 80 columns: tables, paragraphs, figures with as many digits as their intervals bear."""

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from basra_sim.plans import Plan
    from basra_sim.stats import Estimate

WIDTH = 80
"""Columns that everything printed keeps to."""

_GAP = 2
_NARROWEST = 12
"""Columns that a word is not broken for."""


def coloured() -> bool | None:
    """
    Whether colours are used: where they are wanted or refused by the environment, else None, where it is a terminal.

    They are refused by ``NO_COLOR`` (https://no-color.org) and by terminals that have none, wanted by ``FORCE_COLOR``.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def paragraph(text: str, indent: int = 0, hanging: int = 0) -> list[str]:
    """Text broken into lines that fit, all of them set in, those after the first by so much more."""
    first, more = " " * indent, " " * (indent + hanging)
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=more, break_on_hyphens=False)


GOOD, BAD = "green", "red"
"""Colours of what gains or holds, and of what costs or fails: never the only sign of it."""


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Iterable[int] = (),
    indent: int = 0,
    colours: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """
    Lines of a table. Where a line would be too long, the cells of the widest columns are broken between words.

    Where that is not enough, words are broken as well, such as long names of files; numbers never are.

    Parameters
    ----------
    headings, rows : a text for each column
    right : numbers of the columns whose cells stand to the right
    indent : columns that all lines are set in
    colours : colour of cells that have a text
    """
    right = set(right)
    cells = [list(headings), *map(list, rows)]
    gap = _GAP
    widths = _widths(cells, right, WIDTH - indent, gap)
    if sum(widths) + gap * (len(widths) - 1) > WIDTH - indent:
        gap = 1
        widths = _widths(cells, right, WIDTH - indent, gap)
    lines = _row(cells[0], widths, gap, right, {})
    lines.append("-" * (sum(widths) + gap * (len(widths) - 1)))
    lines += [line for row in cells[1:] for line in _row(row, widths, gap, right, colours)]
    return [" " * indent + line for line in lines]


def _widths(cells: Sequence[Sequence[str]], right: Collection[int], room: int, gap: int) -> list[int]:
    """Widths of columns, narrowed to fit: first between words, then in words on the left, at last in headings."""
    columns = range(len(cells[0]))
    widths = [max(len(row[k]) for row in cells) for k in columns]
    words = [max(len(word) for row in cells for word in (row[k].split() or [""])) for k in columns]
    broken = [width if k in right else min(width, _NARROWEST) for k, width in enumerate(words)]
    numbers = [max((len(row[k]) for row in cells[1:]), default=1) if k in right else broken[k] for k in columns]
    for least in (words, broken, [max(1, min(pair)) for pair in zip(broken, numbers, strict=True)]):
        while sum(widths) + gap * (len(widths) - 1) > room:
            free, _, place = max((widths[k] > least[k], widths[k], -k) for k in columns)
            if not free:
                break
            widths[-place] -= 1
    return widths


def _row(
    row: Sequence[str], widths: Sequence[int], gap: int, right: Collection[int], colours: Mapping[str, str]
) -> list[str]:
    """Lines of one row."""
    broken = [wrap(cell, width, break_on_hyphens=False) or [""] for cell, width in zip(row, widths, strict=True)]
    lines = []
    for k in range(max(map(len, broken))):
        parts = [part[k] if k < len(part) else "" for part in broken]
        aligned = []
        for place, (part, width) in enumerate(zip(parts, widths, strict=True)):
            space = " " * (width - len(part))
            shown = click.style(part, fg=colours[row[place]]) if part and row[place] in colours else part
            aligned.append(space + shown if place in right else shown + space)
        lines.append((" " * gap).join(aligned).rstrip())
    return lines


def figures(estimate: "Estimate") -> list[str]:
    """Estimate and the ends of its interval as texts."""
    return list(estimate.texts)


def played(plan: "Plan", units: str) -> str:
    """What was played, in words: rules, table, units, seed."""
    return f"{plan.setting}, {units}, seed {plan.seed}"


def counted(count: int, what: str) -> str:
    """Number of things in words, such as ``1 round`` or ``2,000 matches``."""
    singular = {"matches": "match"}.get(what, what.removesuffix("s"))
    return f"{count:,} {singular if count == 1 else what}"


def missing_parts(missing: Sequence[str], of: int, what: str, more: str = "") -> list[str]:
    """Lines that say which parts an interrupted command did not finish, of how many, and what else is to be known."""
    if not missing:
        return []
    return paragraph(
        f"Interrupted. Not finished: {counted(len(missing), what)} of {of:,} ({', '.join(missing)}). {more}".rstrip(),
        hanging=2,
    )


def option_value(value: object) -> str:
    """Value of an option of the rules as it is written after ``--set NAME=``."""
    from basra_sim.rules.options import written

    return written(value)


def show(lines: Iterable[str]) -> None:
    """Print lines, if there are any."""
    text = list(lines)
    if text:
        click.echo("\n".join(text))


def show_json(value: object) -> None:
    """Print a JSON document."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))
