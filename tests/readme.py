"""
The parts of the README, and of the pages in ``docs``, that are made from the code.

``python -m tests.readme`` writes their tables anew, ``python -m tests.readme report`` also the README's figure, from
the data of a report.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from analyses.balance.measures import MEASURES
from basra_sim.policies import get_policy, policy_names
from basra_sim.variants import TABLE_COLUMNS, variant_table

README = Path(__file__).parent.parent / "README.md"
BALANCE = README.parent / "docs" / "balance.md"
FIGURE = README.parent / "docs" / "points-by-source.svg"


def table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Markdown table."""
    lines = [list(titles), *([str(cell) for cell in row] for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def variants() -> str:
    """Table of the variants."""
    return table(TABLE_COLUMNS.values(), ([row[name] for name in TABLE_COLUMNS] for row in variant_table()))


def policies() -> str:
    """Table of the players."""
    named = [get_policy(name) for name in policy_names()]
    return table(["policy", "what it does"], ([f"`{each.name}`", each.summary] for each in named))


def measures() -> str:
    """Table of the measures of balance."""
    rows = ([f"`{each.name}`", each.unit, each.meaning, each.source] for each in MEASURES.values())
    return table(["measure", "unit", "what it is", "source"], rows)


PARTS = {"variants": variants, "policies": policies}
BALANCE_PARTS = {"measures": measures}


def made(text: str, parts: Mapping[str, Callable[[], str]] = PARTS) -> str:
    """Text with its made parts as they should be."""
    for name, make in parts.items():
        start, end = f"<!-- {name}: made from the code -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = before + start + make() + end + after
    return text


def draw(report: Path) -> None:
    """Draw the figure from the data of a report."""
    import pandas as pd
    from matplotlib.figure import Figure

    from analyses.jobs import STRENGTHS
    from reports.balance_rows import TWO
    from reports.figures import plot_points
    from reports.style import styled

    rows = pd.read_csv(report / "data" / "balance.csv")
    points = rows[(rows["measure"] == "points") & (rows["table"] == TWO) & rows["policy"].isin(STRENGTHS)]
    with styled():
        figure = Figure(figsize=(7.5, 7.0), layout="constrained", facecolor="white")
        plot_points(points, ax=figure.subplots())
        figure.savefig(FIGURE, facecolor="white", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
    for page, parts in ((README, PARTS), (BALANCE, BALANCE_PARTS)):
        page.write_text(made(page.read_text(encoding="utf-8"), parts), encoding="utf-8")
