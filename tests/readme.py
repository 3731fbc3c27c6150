"""The parts of the README that are made from the code. ``python -m tests.readme`` writes them anew."""

import re
from collections.abc import Iterable
from pathlib import Path

from basra_sim.policies import get_policy, policy_names
from basra_sim.variants import TABLE_COLUMNS, variant_table

README = Path(__file__).parent.parent / "README.md"


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


PARTS = {"variants": variants, "policies": policies}


def made(text: str) -> str:
    """Text of the README with its made parts as they should be."""
    for name, make in PARTS.items():
        start, end = f"<!-- {name}: made from the code -->\n", f"<!-- /{name} -->"
        text = re.sub(f"(?s){start}.*?{end}", lambda _, a=start, m=make, z=end: a + m() + z, text)
    return text


if __name__ == "__main__":
    README.write_text(made(README.read_text(encoding="utf-8")), encoding="utf-8")
