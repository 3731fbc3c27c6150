"""What was measured of games, as text for a terminal of 80 columns."""

from collections.abc import Iterator, Mapping, Sequence

from analyses.balance.measures import MEASURES
from basra_sim.cli.text import paragraph, table
from basra_sim.stats import Estimate
from reports.balance_rows import COLUMNS, GROUPS, RARE, SIGNED, UNEQUAL, Balance, label
from reports.balance_words import verdicts
from reports.numbers import estimated, shown_unit
from reports.said import plain

BLOCKS: Mapping[str, tuple[str, ...]] = {
    "Skill and luck": ("skill", "deal_share", "rounds_to_tell", "better_match_wins"),
    "Seats, length, leads": (
        "first_seat_advantage",
        "first_match_wins",
        "match_rounds",
        "one_round_decides",
        "lead_changes",
    ),
    "What decides": (
        "round_without_majority",
        "round_without_basras",
        "round_without_cards",
        "round_ties",
        "basras",
    ),
}
"""Measures that the text compares games by."""


def each_game(measured: Balance, *, said: bool = True) -> Iterator[str]:
    """
    Lines that tell everything of each variant at each table.

    Parameters
    ----------
    said : whether sentences go before the numbers
    """
    for variant, at in measured.by_variant():
        yield from paragraph(f"{variant}, {at}", hanging=2)
        for sentence in verdicts(measured, variant, at) if said else ():
            yield from paragraph(plain(sentence), 2, 2)
        yield ""
        for title, unit, keys in measured.grouped(variant, at):
            yield from _group(measured, (variant, at), f"{title}: {unit}", keys)


def _group(measured: Balance, place: tuple[str, str], title: str, keys: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Lines of a group of measures of one unit."""
    policies = [UNEQUAL] if keys[0][0] in GROUPS["Skill and luck"] else measured.policies
    rows = []
    for measure, part in keys:
        found = [measured.get(*place, measure, part, policy) for policy in policies]
        if measure == "match_length" and all((each.value or 0.0) < RARE for each in found if each):
            continue
        rows.append([label(measure, part), *(shown(each, measure) for each in found)])
    yield f"  {title}"
    yield from table(["", *policies], rows, range(1, len(policies) + 1), indent=2)
    yield ""


def shown(found: Estimate | None, measure: str, *, close: bool = False) -> str:
    """An estimate with its interval; close together where there is little room."""
    if found is None:
        return "–"
    value, interval = estimated(found, MEASURES[measure].unit, signed=measure in SIGNED)
    if interval and not interval.startswith("±"):
        interval = f"({interval})" if interval.startswith("up") else f"({interval.replace(' to ', '–')})"
    text = f"{value} {interval}".strip()
    return text.replace("± ", "±").replace(" ±", "±") if close else text


def compared(measured: Balance) -> Iterator[str]:
    """Lines that compare variants by the measures that tell most: a row for each variant and table."""
    names = list(dict.fromkeys(measured.frame["measure"]))
    for title, measures in BLOCKS.items():
        there = [measure for measure in measures if measure in names]
        if there:
            headings = ["variant", "at", *(f"{COLUMNS[each].lstrip('… ')}, {_unit(each)}" for each in there)]
            rows = [
                [variant, at.removesuffix(" players")]
                + [shown(measured.get(variant, at, each), each, close=True) for each in there]
                for variant, at in measured.places()
            ]
            who = UNEQUAL.replace(", ", " among ") if there[0] in GROUPS["Skill and luck"] else measured.level
            yield from paragraph(f"{title} ({who} players)", hanging=2)
            yield ""
            yield from table(headings, rows, range(2, len(headings)))
            yield ""


def _unit(measure: str) -> str:
    """Unit of a measure, short."""
    unit = shown_unit(MEASURES[measure].unit)
    return "%" if unit.startswith("%") else unit.split(" ")[0]


def listed(measures: Sequence[str] = ()) -> Iterator[str]:
    """Lines that tell which measures there are."""
    chosen = [each for name, each in MEASURES.items() if not measures or name in measures]
    rows = [
        [each.name, shown_unit(each.unit), f"{each.meaning}{f' ({each.source})' if each.source else ''}"]
        for each in chosen
    ]
    yield from table(["measure", "unit", "meaning"], rows)
