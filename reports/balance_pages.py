"""Pages of their own on games: everything that was measured of one variant, or of several."""

import re
from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from analyses.balance.measures import MEASURES
from basra_sim import __version__
from basra_sim.variants import variant
from reports.balance import compared
from reports.balance_figures import plot_chances, plot_lengths
from reports.balance_rows import SIGNED, UNEQUAL, Balance, comebacks, label
from reports.balance_words import FAIR, SKILL, STATED, verdicts
from reports.numbers import shown_unit
from reports.pages import environment
from reports.parts import Cell, Figure, Heading, Section, Table, drawn, estimate_cell, panels

TEMPLATE = "balance.html.j2"


def page(measured: Balance, remarks: Sequence[str] = (), command: str = "") -> str:
    """
    Page on all variants that were measured, HTML that needs nothing else.

    Parameters
    ----------
    remarks : what else a reader must know
    command : brings the same numbers back
    """
    alone = len(measured.variants) == 1
    sections = [] if alone else [compared(measured, data="")]
    parts = [place(measured, name, table, k) for k, (name, table) in enumerate(measured.by_variant())]
    return (
        environment()
        .get_template(TEMPLATE)
        .render(
            title=measured.variants[0] if alone else f"{len(measured.variants)} games compared",
            about=variant(measured.variants[0]).title if alone else "",
            reading=[SKILL, STATED, FAIR] if alone else [],
            sections=[*sections, *parts],
            remarks=remarks,
            command=command,
            version=__version__,
        )
    )


def place(measured: Balance, name: str, table: str, number: int) -> Section:
    """Everything that was measured of a variant at a table; the number makes its names differ from all others."""
    prefix = f"{re.sub(r'[^a-zA-Z0-9]+', '-', f'{name}-{table}')}-{number}"
    return Section(
        prefix,
        f"{name}, {table}",
        text=verdicts(measured, name, table),
        figures=[*_lengths(measured, name, table, prefix), *_chances(measured, name, table, prefix)],
        tables=list(_tables(measured, name, table, prefix)),
    )


def _tables(measured: Balance, name: str, table: str, prefix: str) -> Iterator[Table]:
    """A table for each group of measures: a row a measure and part, a column a level of play."""
    titles: dict[str, list[tuple[str, str]]] = {}
    for title, _, keys in measured.grouped(name, table):
        titles.setdefault(title, []).extend(keys)
    for k, (title, keys) in enumerate(titles.items()):
        unequal = measured.get(name, table, *keys[0], policy=UNEQUAL) is not None
        policies = [UNEQUAL] if unequal else measured.policies
        lines = []
        for measure, part in keys:
            unit = MEASURES[measure].unit
            found = [measured.get(name, table, measure, part, policy) for policy in policies]
            cells = [
                Cell("–") if each is None else estimate_cell(each, unit, signed=measure in SIGNED) for each in found
            ]
            lines.append([Cell(label(measure, part)), Cell(shown_unit(unit)), *cells])
        first = [measured.get(name, table, *keys[0], policy) for policy in policies]
        deals = ", ".join(f"{each.units:,}" for each in first if each)
        caption = f"{title}. Deals: {deals}; 95 % intervals; seed {measured.seed}."
        headings = [Heading("measure", key="measure"), Heading("unit", key="unit")]
        headings += [Heading(policy, key=policy) for policy in policies]
        yield Table(f"{prefix}-{k}", caption, headings, 1, lines, "")


def _lengths(measured: Balance, name: str, table: str, prefix: str) -> Iterator[Figure]:
    """Figure of the lengths of matches, if they were measured."""
    frame = measured.chosen("match_length", table=table, variant=name)
    if not len(frame):
        return

    def draw(ax: Axes) -> None:
        plot_lengths(frame, ax=ax)
        ax.set_xlabel("rounds")
        ax.set_ylabel("% of matches")
        ax.legend()

    yield drawn(
        draw,
        name=f"{prefix}-lengths",
        caption=f"How many matches last how many rounds. 95 % intervals; seed {measured.seed}.",
        alt=f"The share of matches by rounds, a line for each of {', '.join(measured.policies)}.",
        data="",
        height=2.8,
    )


def _chances(measured: Balance, name: str, table: str, prefix: str) -> Iterator[Figure]:
    """Figure of the chances to come back, if they were measured."""
    frames = [comebacks(measured, name, table, policy) for policy in measured.policies]
    frames = [frame for frame in frames if len(frame)]
    if frames:
        yield panels(
            lambda ax, frame: plot_chances(frame, ax=ax),
            frames,
            name=f"{prefix}-comebacks",
            caption="Matches won, in %, by a side so many points behind all others, for how many points those lack to "
            f"the target, with half the 95 % interval; averaged over who moves first. Seed {measured.seed}.",
            alt="A map for each level of play: the chance to win by points behind and points to go.",
            data="",
            height=2.9 * -(-len(frames) // 3),
            labels=("points that the others have to go", "points behind"),
        )
