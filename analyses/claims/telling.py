"""Claims, verdicts and bundles in lines for a terminal. What they need is imported when they are told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.text import BAD, GOOD, counted, missing_parts, paragraph, table
from basra_sim.stats import decimals

if TYPE_CHECKING:
    import pandas as pd

    from analyses.claims.model import Claim, Table
    from analyses.claims.testing import Tested


def described(about: dict[str, Any]) -> list[str]:
    """Lines that tell all about a claim."""
    from basra_sim.policies.advice import MANY

    lines = [about["id"], *paragraph(f"“{about['advice']}”", 2), ""]
    for key, value in about.items():
        if key in ("id", "advice", "predictions") or not value:
            continue
        if isinstance(value, dict):
            upper = {MANY: "or more"}
            parts = [
                f"{name} {limits[0]} {upper[limits[1]]}" if limits[-1] in upper else f"{name} {_range(limits)}"
                for name, limits in ((name, each if isinstance(each, list) else [each]) for name, each in value.items())
            ]
            value = "; ".join(parts)
        elif isinstance(value, list):
            value = "; ".join(map(str, value))
        lines += paragraph(f"{key.replace('_', ' ') + ':':<15}{value}", 2, 15)
    for each in about["predictions"]:
        beside = "" if each["primary"] else " Explored besides."
        lines += ["", *paragraph(f"{_predicted(each, 'name', 'quantity')}. {each['because']}{beside}", 2, 2)]
    return lines


def _predicted(about: Mapping[Any, Any], name: str, quantity: str) -> str:
    """What is predicted of a quantity, in words; its name and the quantity stand under some keys."""
    bound = f"{about['bound']:g}" if about["bound"] else "nothing"
    return f"{about[name]}: {about[quantity]}; predicted to be {about['expects']} {bound}"


def _range(limits: Sequence[float]) -> str:
    """A range in words."""
    return f"{limits[0]} to {limits[-1]}" if limits[0] != limits[-1] else str(limits[0])


def told(found: "Tested", claim: "Claim", *, details: bool) -> Iterator[str]:
    """Lines that tell what became of a claim."""
    from analyses.claims.practice import practice
    from analyses.claims.wording import headline, in_doubt, never_applied, reasons

    verdict = found.verdicts[claim.name]
    rows = found.judged[found.judged["claim"] == claim.name]
    found_out = click.style(verdict.name, fg=_colours().get(verdict.name), bold=True)
    yield from (line.replace(verdict.name, found_out) for line in paragraph(f"{claim.name}: {verdict.name}"))
    yield from paragraph(f"“{claim.advice}”", 2, 2)
    sentences = [headline(claim, verdict), *never_applied(rows), *reasons(claim, verdict)]
    sentences += in_doubt(claim, verdict, rows)
    yield from paragraph(" ".join(sentences), 2)
    yield from paragraph(" ".join(practice(claim, rows)), 2)
    yield ""
    for place, part in rows[(rows["split"] == "") & rows["estimate"].notna()].groupby(["variant", "seats"], sort=False):
        yield from _results(f"{place[0]}, {place[1]}", part, details)
    yield from _quantities(rows)
    yield from _when(rows)


def foot(found: "Tested", left_out: Mapping[str, str], missing: Sequence[str]) -> Iterator[str]:
    """Lines that say how the numbers above are to be read, and what is not among them."""
    if found.claims:
        yield from _how_to_read(found)
    for reason in left_out.values():
        yield from paragraph(f"Left out: {reason}.", hanging=2)
    yield from missing_parts(missing, len(found.claims) + len(missing), "claims", _ALONE if found.claims else "")


_ALONE = "The verdicts above are right by themselves: they are corrected for the tests of the finished claims alone."


def _how_to_read(found: "Tested") -> Iterator[str]:
    """Lines that say how the numbers above are to be read."""
    from analyses.claims.rows import second_seed
    from basra_sim.stats import CONFIDENCE

    effort = found.effort
    kind = "those of primary duels of confidence sequences," if effort.until_decided else "ordinary and"
    yield from paragraph(
        f"Seed {effort.seed} (second seed {second_seed(effort.seed)}). Intervals at {CONFIDENCE:.0%} confidence, "
        f"{kind} not corrected; outcomes are corrected for all that was tested together here, so they may differ from "
        "what an interval alone says. Units: deals of the whole pack (of leads and of matches won: matches)."
    )


def _results(title: str, rows: "pd.DataFrame", details: bool) -> Iterator[str]:
    """Lines of what came out at one table: what was judged and how often it applies, or everything."""
    from analyses.claims.rows import ADJUSTED, APPLIED, PRIMARY

    main = (rows["role"] == PRIMARY) & (rows["measure"] != ADJUSTED)
    if not details and not main.any():
        return
    shown = rows if details else rows[main | (rows["measure"] == APPLIED)]
    headings = ["player", "test", "against", "estimate", "low", "high", "outcome", "units"]
    for (role, unit), part in shown.groupby(["role", "unit"], sort=False):
        cells = [_cells(row) for row in part.to_dict("records")]
        kept = [k for k in range(len(headings)) if any(row[k] for row in cells)]
        right = [place for place, k in enumerate(kept) if headings[k] in ("estimate", "low", "high", "units")]
        yield from paragraph(f"{title}: {f'{role}, ' if details else ''}{unit}", 2, 2)
        lines = [[row[k] for k in kept] for row in cells]
        yield from table([headings[k] for k in kept], lines, right, indent=2, colours=_colours())
        yield ""


def _cells(row: Mapping[Any, Any]) -> list[str]:
    """Cells of one row of results."""
    from analyses.claims.model import FREQUENCY
    from analyses.claims.rows import MARGIN

    against = "" if row["opponent"] == row["policy"] else row["opponent"]
    what = row["prediction"] if row["kind"] == FREQUENCY else row["measure"]
    if row["form"]:
        what = row["form"] if row["measure"] == MARGIN else f"{row['form']}, {what}"
    return [row["policy"], what, against, *_interval(row), row["outcome"] or "", f"{row['units']:,}"]


def _colours() -> Mapping[str, str]:
    """Colours of verdicts and outcomes that say yes or no; all others have none."""
    from analyses.claims.observations import AS_PREDICTED, OTHER_WAY
    from analyses.claims.verdict import COSTS, FAILED, GAINS, REFUTED, SUPPORTED

    good, bad = (SUPPORTED, GAINS, AS_PREDICTED), (REFUTED, COSTS, OTHER_WAY, FAILED)
    return {**dict.fromkeys(good, GOOD), **dict.fromkeys(bad, BAD)}


def _quantities(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines that say what was counted under the names in the tables, and what was predicted of it."""
    from analyses.claims.model import FREQUENCY

    counted = rows[(rows["kind"] == FREQUENCY) & (rows["role"] == "primary")]
    if len(counted):
        for row in counted.drop_duplicates("prediction").to_dict("records"):
            yield from paragraph(_predicted(row, "prediction", "measure"), 2, 2)
        yield ""


def _when(rows: "pd.DataFrame") -> Iterator[str]:
    """Lines of the situations in which following gains most, and costs most, for the strongest player."""
    from analyses.claims.naming import quantity
    from analyses.claims.wording import situations

    for title, part in situations(rows):
        yield from paragraph(title, 2)
        cells = [
            [quantity(row["split"]), row["place"], *_interval(row), row["unit"]] for row in part.to_dict("records")
        ]
        headings = ["where", "is", "estimate", "low", "high", "unit"]
        yield from table(headings, cells, right=[2, 3, 4], indent=2)
        yield ""


def _interval(row: Mapping[Any, Any]) -> list[str]:
    """Estimate and the ends of its interval."""
    half = (row["high"] - row["low"]) / 2 if row["high"] == row["high"] else None
    digits = decimals(half)
    return ["-" if part != part else f"{part:.{digits}f}" for part in (row["estimate"], row["low"], row["high"])]


def bundle_lines(found: "pd.DataFrame", policy: str, at: "Table", seed: int) -> Iterator[str]:
    """Lines that tell what a bundle is worth."""
    from analyses.jobs import STRONGEST
    from basra_sim.stats import CONFIDENCE

    if not len(found):
        yield from paragraph(f"No piece of advice adds anything to {policy} in {at.label}.")
        return
    played = f"{counted(int(found['units'].iloc[0]), 'deals')} of seed {found['seed'].iloc[0]}"
    stepwise = "step" in found
    more = (
        "Each step tells what all pieces up to it bring together."
        if stepwise
        else "What a piece adds is found against the player told all but that piece."
    )
    yield from paragraph(
        f"{policy} in {at.label}, told advice, against {policy} untold, on {played}"
        f"{f' (the pieces were chosen on those of seed {seed})' if stepwise else ''}. Intervals at {CONFIDENCE:.0%} "
        f"confidence; the way is that to {STRONGEST}, the strongest player who does not search. {more}"
    )
    yield ""
    names = ["step", "piece"] if stepwise else ["piece", "measure"]
    rows = [
        [str(row[name]) or "all together" for name in names] + [*_interval(row), row["unit"]]
        for row in found.to_dict("records")
    ]
    yield from table([*names, "estimate", "low", "high", "unit"], rows, right=[2, 3, 4])
