"""
The parts of the README, and of the pages in ``docs``, that are made from the code or from what was played.

``python -m tests.readme`` writes them anew, the README's figure among them; ``python -m tests.readme report`` first
takes over from the folder of a report, that of ``basra-sim report --output report``, what the README tells of it.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pandas as pd

from analyses.balance.measures import MEASURES
from basra_sim.policies import get_policy, policy_names
from basra_sim.policies.quantities import PLAY, SITUATION
from basra_sim.variants import TABLE_COLUMNS, variant_table
from tests.rules_page import page as rules_page

README = Path(__file__).parent.parent / "README.md"
DOCS = README.parent / "docs"
FIGURE = DOCS / "points-by-source.svg"
POINTS, VERDICTS, MEASURED = DOCS / "points-by-source.csv", DOCS / "verdicts.csv", DOCS / "measured.json"
"""What was played: the rows of the figure and the verdicts of a report, and what `tests.measured` found."""

TOLD = ("jack-hold", "memory", "points-late", "jack-last-deal", "ace-early", "lead-fragile")
"""Claims that the README tells of."""


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


def quantities() -> str:
    """Table of the quantities that advice is written in."""
    rows = (
        [f"`{each.name}`", where, each.unit, each.meaning]
        for where, part in (("situation", SITUATION), ("play", PLAY))
        for each in part
    )
    return table(["quantity", "of a", "unit", "what it is"], rows)


def came_out() -> str:
    """Verdicts of a report, in its sentences."""
    known = {row["claim"]: row for row in pd.read_csv(VERDICTS).to_dict("records")}
    return "".join(f"- *{known[name]['advice']}* {known[name]['sentence']}\n" for name in TOLD)


def caption() -> str:
    """What the figure shows."""
    rows = pd.read_csv(POINTS)
    deals = " and ".join(
        f"{int(part['units'].iloc[0]):,} of `{policy}`" for policy, part in rows.groupby("policy", sort=False)
    )
    (seed,) = rows["seed"].unique()
    return (
        f"Two players alike; deals of each variant, each played from both seats: {deals}, seed {seed}. Marks are "
        "intervals at 95 % confidence.\n"
    )


def calibration() -> str:
    """Rates of the calibration, kind of check by kind of check."""
    rows, check = [], ("", "")
    rates: dict[tuple[str, str], list[float]] = {}
    for line in (DOCS / "calibration.txt").read_text(encoding="utf-8").splitlines():
        title = re.fullmatch(r"(\w.*) \(should be (.*)\)", line)
        check = (title[1], title[2]) if title else check
        rate = re.fullmatch(r"\w.*  [\d,]+  +[\d,]+  +([\d.]+)  +[\d.]+  +[\d.]+  (?:yes|no)", line)
        if rate:
            rates.setdefault(check, []).append(float(rate[1]))
    for (name, should), found in rates.items():
        rows.append([name, should, str(len(found)), f"{min(found)} to {max(found)}"])
    return table(["what is checked", "should be, in %", "kinds of test", "comes out, in %"], rows)


def found(name: str) -> Callable[[], str]:
    """Maker of a part that tells what `tests.measured` found."""

    def make() -> str:
        from tests.measured import EXPERIMENTS

        return EXPERIMENTS[name].told(json.loads(MEASURED.read_text(encoding="utf-8"))[name]) + "\n"

    return make


Parts = Mapping[str, Callable[[], str]]
PAGES: Mapping[Path, Parts] = {
    README: {
        "came-out": came_out,
        "caption": caption,
        "variants": variants,
        "policies": policies,
    },
    DOCS / "extending.md": {"quantities": quantities},
    DOCS / "balance.md": {"measures": measures},
    DOCS / "methods.md": {
        "calibration": calibration,
        **{name: found(name) for name in ("scores", "pisti", "few-deals")},
    },
}
"""Parts of each page that are made."""


def made(text: str, parts: Parts) -> str:
    """Text with its made parts as they should be."""
    for name, make in parts.items():
        start, end = f"<!-- {name}: made -->\n", f"<!-- /{name} -->"
        before, opening, rest = text.partition(start)
        _, closing, after = rest.partition(end)
        assert all((opening, closing)), f"no part {name!r}"
        text = before + start + make() + end + after
    return text


def draw(file: Path) -> None:
    """Draw the figure."""
    from matplotlib.figure import Figure

    from reports.figures import plot_points
    from reports.style import styled

    with styled():
        figure = Figure(figsize=(7.5, 7.0), layout="constrained", facecolor="white")
        plot_points(pd.read_csv(POINTS), ax=figure.subplots())
        figure.savefig(file, facecolor="white", metadata={"Date": None, "Creator": None})


def take_over(report: Path) -> None:
    """Keep what the README tells of a report."""
    from analyses.jobs import STRENGTHS
    from reports.balance_rows import TWO

    rows = pd.read_csv(report / "data" / "balance.csv")
    points = rows[(rows["measure"] == "points") & (rows["table"] == TWO) & rows["policy"].isin(STRENGTHS)]
    points.to_csv(POINTS, index=False, lineterminator="\n")
    shutil.copyfile(report / "data" / "verdicts.csv", VERDICTS)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take_over(Path(sys.argv[1]))
    draw(FIGURE)
    (DOCS / "rules.md").write_text(rules_page(), encoding="utf-8")
    for place, parts in PAGES.items():
        place.write_text(made(place.read_text(encoding="utf-8"), parts), encoding="utf-8")
