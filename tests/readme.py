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
from typing import Any

import pandas as pd

from analyses.balance.measures import MEASURES
from analyses.claims.model import DECISION, FREQUENCY
from analyses.claims.naming import situation
from analyses.claims.registry import claim
from analyses.claims.verdict import Verdict
from analyses.claims.wording import headline, situations
from analyses.frames import estimates
from analyses.jobs import STRONGEST
from basra_sim.policies import get_policy, policy_names
from basra_sim.policies.quantities import PLAY, SITUATION
from basra_sim.stats import Estimate
from basra_sim.variants import TABLE_COLUMNS, variant_table
from tests.rules_page import page as rules_page

README = Path(__file__).parent.parent / "README.md"
DOCS = README.parent / "docs"
FIGURE = DOCS / "points-by-source.svg"
POINTS, VERDICTS, MEASURED = DOCS / "points-by-source.csv", DOCS / "verdicts.csv", DOCS / "measured.json"
SITUATIONS = DOCS / "jack-hold.csv"
"""What was played: the rows of the figure and the verdicts of a report, and what `tests.measured` found."""

TOLD = ("jack-hold", "memory", "points-late", "jack-last-deal", "ace-early")
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
    """Verdicts of a report in sentences, each with what following the advice strictly brings the strongest player."""
    known = {row["claim"]: row for row in pd.read_csv(VERDICTS).to_dict("records")}
    return "".join(f"- *{claim(name).advice}* {_told(name, known[name])}\n" for name in TOLD)


def _told(name: str, row: Mapping[Any, Any]) -> str:
    """What came out of a claim."""
    on = row["depends_on"] if isinstance(row["depends_on"], str) else ""
    sentence = headline(claim(name), Verdict(row["verdict"], {}, on))
    if row["kind"] == FREQUENCY:
        return sentence
    value, low, high = (float(row[f"{STRONGEST}{end}"]) for end in ("", "_low", "_high"))
    costs = high < 0
    brings = Estimate(*((-value, -high, -low) if costs else (value, low, high)), int(row[f"{STRONGEST}_units"]))
    does = "costs" if costs else "brings" if low > 0 else "changes for"
    unit = "a decision" if row["kind"] == DECISION else "a round"
    how = "Following it rather than the opposite" if row["kind"] == DECISION else "To follow it strictly"
    return f"{sentence} {how} {does} `{STRONGEST}` {brings} points {unit}."


def when_to_hold() -> str:
    """Where holding the jack gains most, and costs most."""
    lines = []
    for word, part in pd.read_csv(SITUATIONS, dtype={"place": str}).groupby("outcome", sort=False):
        where = [
            f"{situation(row['split'], row['place'])}: {each} points"
            for row, each in zip(part.to_dict("records"), estimates(part), strict=True)
        ]
        lines.append(f"Holding it {word} `{part['policy'].iloc[0]}` most {'; '.join(where)} a decision.\n")
    return "".join(lines)


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
        "jacks": when_to_hold,
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
    rows = pd.read_csv(report / "data" / "jack-hold.csv", keep_default_na=False, na_values={"estimate": [""]})
    most = pd.concat([part.head(1) for _, part in situations(rows)])
    kept = ["claim", "policy", "split", "place", "outcome", "estimate", "low", "high", "unit", "units", "seed"]
    most[kept].to_csv(SITUATIONS, index=False, lineterminator="\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take_over(Path(sys.argv[1]))
    draw(FIGURE)
    (DOCS / "rules.md").write_text(rules_page(), encoding="utf-8")
    for place, parts in PAGES.items():
        place.write_text(made(place.read_text(encoding="utf-8"), parts), encoding="utf-8")
