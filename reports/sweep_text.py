"""Sweeps and fits for a terminal of 80 columns, and as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analyses.balance.asked import looks_at_matches
from analyses.balance.fitting import Fit
from analyses.balance.measures import MEASURES
from analyses.balance.sweeps import Sharing, Sweep
from analyses.balance.trials import HEAD_START, Ground
from analyses.frames import estimates, rows_of
from basra_sim.cli.text import WIDTH, counted, figures, option_value, paragraph, table
from basra_sim.stats import CONFIDENCE, Estimate, decimals
from reports.numbers import MINUS, is_share, shown_unit
from reports.numbers import figure as number_text
from reports.wording import joined

MOST_RANKED = 12
"""Settings that are printed of a ranking."""

MOST_LEFT_OUT = 12


def sweep_lines(found: Sweep) -> Iterator[str]:
    """Lines that tell of a sweep."""
    options = joined(found.options)
    settings = len(found.frame.drop_duplicates(list(found.options)))
    yield from paragraph(f"{ground_words(found.ground)}: {counted(settings, 'settings')} of {options}", hanging=2)
    for shared in found.sharing:
        yield from paragraph(sharing_words(shared), hanging=2)
    yield from left_out_lines(found.left_out)
    yield from unshown_lines(found.ground)
    own = value_words(rows_of(found.own)[0], found.options)
    yield from paragraph(
        f"Intervals at {CONFIDENCE:.0%} confidence, each for itself. Differences are from the variant's own rules "
        f"({own}), on the same deals."
    )
    for (measure, part), rows in found.frame.groupby(["measure", "part"], sort=False):
        yield from ["", *_measure_lines(found, rows, str(measure), str(part))]
    if len(found.options) == 2:
        yield from ["", *_grid_lines(found)]
    if HEAD_START in found.options:
        yield ""
        yield from paragraph(
            f"{HEAD_START}: points that the side of the dealer of the first round starts a match with; below 0, the "
            "first mover's side. It does not count for comeback."
        )


def ground_words(ground: Ground, policies: str = "") -> str:
    """What all settings have in common, in words; who plays, if not the equal players."""
    changes = "".join(f", {name}={_option_text(value)}" for name, value in ground.changes.items())
    players = "4 players in pairs" if ground.pairs else f"{ground.players} players"
    policy = policies or ground.level
    return f"{ground.variant}{changes}, {players}, {policy}, seed {ground.seed}"


def sharing_words(shared: Sharing) -> str:
    """Which settings shared rounds, in a sentence."""
    players = " and ".join(shared.policies)
    text = f"{shared.kind.capitalize()} ({players}), {counted(shared.deals, 'deals')}: "
    text += f"{counted(shared.settings, 'settings')}, the own rules among them,"
    if shared.played == shared.settings:
        return f"{text} each with rounds of its own"
    text += f" from the rounds of {shared.played}"
    return f"{text}: the players do not see {joined(shared.unseen)}" if shared.unseen else text


def unshown_lines(ground: Ground) -> Iterator[str]:
    """Lines that say what a person's own function is not shown."""
    if looks_at_matches(ground):
        yield from paragraph(f"{ground.level} is shown no score of a match: rounds are played one by one.", hanging=2)


def left_out_lines(left_out: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines that name the settings with which the cards do not come out even."""
    if left_out:
        named = "; ".join(value_words(each, list(each)) for each in left_out[:MOST_LEFT_OUT])
        more = f"; and {len(left_out) - MOST_LEFT_OUT} more" if len(left_out) > MOST_LEFT_OUT else ""
        yield from paragraph(f"Left out, since the cards do not come out even: {named}{more}", hanging=2)


def value_words(row: Mapping[Any, Any], names: Sequence[str]) -> str:
    """Values of options in words."""
    return ", ".join(f"{name} {_option_text(row[name])}" for name in names)


def _option_text(value: Any) -> str:
    """Value of an option."""
    return option_value(list(value) if isinstance(value, tuple) else _plain_value(value))


def _cell(value: Any) -> str:
    """Value of an option in a table, where it may be broken into words."""
    return _option_text(value).replace("_", " ").replace(",", " ")


def title(measure: str, part: str, policy: str = "") -> str:
    """What is measured, in words."""
    the = MEASURES[measure]
    named = f"{measure}, {part}" if part else measure
    return f"{named} ({shown_unit(the.unit)}{f'; {policy}' if policy else ''}): {the.meaning}"


def _scaled(found: Estimate, unit: str) -> Estimate:
    """Estimate as it is printed: shares in percent."""
    return found.scaled(100) if is_share(unit) else found


def _changes(rows: pd.DataFrame) -> list[Estimate]:
    """Differences that rows state."""
    names = {"difference": "estimate", "difference_low": "low", "difference_high": "high"}
    return estimates(rows[[*names, "units"]].rename(columns=names))


def _measure_lines(found: Sweep, rows: pd.DataFrame, measure: str, part: str) -> Iterator[str]:
    """Lines of one measure: a row for each setting."""
    own = found.own[(found.own["measure"] == measure) & (found.own["part"] == part)]
    unit = MEASURES[measure].unit
    policy = "" if rows["policy"].iloc[0] == found.ground.level else rows["policy"].iloc[0].replace(", ", " among ")
    value = figures(_scaled(estimates(own)[0], unit)) if len(own) else []
    said = f"; own rules {value[0]}, {value[1]} to {value[2]}" if value else ""
    yield from paragraph(f"{title(measure, part, policy)}{said}", hanging=2)
    yield ""
    headings = [*(name.replace("_", " ") for name in found.options), "estimate", "low", "high"]
    values = [figures(_scaled(each, unit)) for each in estimates(rows)]
    changes = [figures(_scaled(each, unit)) for each in _changes(rows)]
    cells = [
        [*(_cell(row[name]) for name in found.options), *value, *(["own", "", ""] if row["own"] else change)]
        for row, value, change in zip(rows_of(rows), values, changes, strict=True)
    ]
    yield from table(
        [*headings, "difference", "low", "high"], cells, range(_numbers_from(found.options, rows), len(cells[0]))
    )


def _numbers_from(names: Sequence[str], rows: pd.DataFrame) -> int:
    """First column from which on all hold numbers."""
    count = len(names)
    while count and type(rows[names[count - 1]].iloc[0]) is not str:
        count -= 1
    return count


def _grid_lines(found: Sweep) -> Iterator[str]:
    """The first measure by the two options, in rows and columns."""
    first = found.frame.iloc[0]
    rows = found.frame[(found.frame["measure"] == first["measure"]) & (found.frame["part"] == first["part"])]
    unit = MEASURES[first["measure"]].unit
    texts = {}
    for row, estimate, change in zip(rows_of(rows), estimates(rows), _changes(rows), strict=True):
        mark = " " if row["own"] or not _is_clear(change) else "*"
        scaled = _scaled(estimate, unit)
        text = "-"
        if scaled.value is not None:
            text = number_text(scaled.value, decimals(scaled.half_width)).replace(MINUS, "-")
        texts[row[found.options[0]], row[found.options[1]]] = f"{text}{mark}"
    name = f"{first['measure']}, {first['part']}" if first["part"] else first["measure"]
    for down, across in (found.options, found.options[::-1]):
        grid = _grid(
            rows, texts if down == found.options[0] else {key[::-1]: texts[key] for key in texts}, down, across
        )
        if max(map(len, grid)) <= WIDTH:
            text = f"{name} ({shown_unit(unit)}): {down} down, {across} across"
            yield from paragraph(f"{text}; * where the difference from the own rules is clear of 0", hanging=2)
            yield from ["", *grid]
            return


def _is_clear(change: Estimate) -> bool:
    """Whether an interval is clear of 0."""
    return change.low is not None and change.high is not None and not change.low <= 0 <= change.high


def _grid(rows: pd.DataFrame, texts: Mapping[tuple[Any, Any], str], down: str, across: str) -> list[str]:
    """Lines of a table of two options."""
    columns = list(rows[across].unique())
    cells = [[_cell(value), *(texts.get((value, other), "") for other in columns)] for value in rows[down].unique()]
    return table(["", *map(_cell, columns)], cells, range(1, len(columns) + 1))


def fit_lines(found: Mapping[str, Fit], left_out: Mapping[str, str]) -> Iterator[str]:
    """Lines that tell of fits."""
    first = next(iter(found.values()))
    unit = MEASURES[first.key[0]].unit
    whose = f", that of {first.goal}" if isinstance(first.goal, str) else ""
    yield from paragraph(f"{title(*first.key)}", hanging=2)
    yield from paragraph(f"to be brought to {_aim_words(first.aim, unit)}{whose}, by {joined(first.options)}", 2, 2)
    several = len(found) > 1
    ground = ground_words(first.ground, first.values["policy"].iloc[0].replace(", ", " among "))
    ground = ground.partition(", ")[2] if several else ground
    deals = counted(int(first.values["units"].iloc[0]), "deals")
    yield from paragraph(f"{'All with ' if several else ''}{ground}, {deals}", hanging=2)
    yield from unshown_lines(first.ground)
    yield from paragraph(f"Intervals at {CONFIDENCE:.0%} confidence, each for itself; all settings on the same deals.")
    yield ""
    if first.curve:
        yield from _curve_lines(found)
    else:
        for label, each in found.items():
            yield from _ranking_lines(label, each)
    for label, each in found.items():
        yield from (
            f"{label}: {line}" if k == 0 and len(found) > 1 else line
            for k, line in enumerate(left_out_lines(each.left_out))
        )
    for label, reason in left_out.items():
        yield from paragraph(f"Left out: {label}: {reason}.", hanging=2)


def _aim_words(aim: Estimate, unit: str) -> str:
    """A goal in words."""
    if aim.low is None:
        value = (aim.value or 0.0) * (100 if is_share(unit) else 1)
        return f"{value:g} {shown_unit(unit)}".replace(" % ", "% ")
    value_text, low, high = figures(_scaled(aim, unit))
    return f"{value_text} ({low} to {high}) {shown_unit(unit)}"


def _curve_lines(found: Mapping[str, Fit]) -> Iterator[str]:
    """Lines of fits of one option: the answers, then the best values."""
    first = next(iter(found.values()))
    (option,) = first.options
    labels = ["variant"] if len(found) > 1 else []
    start, played = len(labels), [len(each.values) for each in found.values()]
    cells, best, said = [], [], []
    for label, each in found.items():
        own = [label] * start + [str(each.own_values[option]), figures(_scaled(each.own, _unit(each)))[0]]
        rows = rows_of(each.answers)
        answers = [_answer_cells(row) for row in rows] or [["not reached", "-", "-", "none"]]
        cells += [(own if k == 0 else [""] * len(own)) + answer for k, answer in enumerate(answers)]
        nearest = [] if each.nearest is None else [each.nearest]
        values = [_at(each, option, row["best"]) for row in rows] or nearest
        best += [[label] * start + _best_cells(each, option, value) for value in values]
        said += [f"{label}: {text}" for text in _remarks(each, option)]
    headings = [*labels, f"own {option}".replace("_", " "), "measure", "answer", "low", "high", "alike"]
    yield from table(headings, cells, range(start, len(headings)))
    yield ""
    headings = [*labels, f"best {option}".replace("_", " "), "measure", "low", "high", "off by", "low", "high"]
    yield from table(headings, best, range(start, len(headings)))
    yield ""
    for text in said:
        yield from paragraph(text, hanging=2)
    number = f"{min(played)}" if min(played) == max(played) else f"{min(played)} to {max(played)}"
    whose = " for each variant" if labels else ""
    yield from paragraph(
        f"{number} of {first.asked} values of {option} were played{whose}. Answer: where the measure crosses the "
        "value, by a straight line between neighbouring values. Alike: values that cannot be told from the answer. "
        "Best: the value that misses least, and by how much."
    )


def _unit(found: Fit) -> str:
    """Unit of the measure of a fit."""
    return MEASURES[found.key[0]].unit


def _answer_cells(row: Mapping[Any, Any]) -> list[str]:
    """Cells of an answer."""
    digits = decimals((row["high"] - row["low"]) / 2)
    value = "-" if row["value"] is None or row["value"] != row["value"] else f"{row['value']:.{digits}f}"
    low, high = f"{row['low']:.{digits}f}", f"{row['high']:.{digits}f}"
    alike = "none" if not row["count"] else str(row["first"])
    return [
        value,
        f"≤ {low}" if row["low_open"] else low,
        f"≥ {high}" if row["high_open"] else high,
        f"{alike} to {row['last']}" if row["count"] > 1 else alike,
    ]


def _best_cells(found: Fit, option: str, row: Mapping[Any, Any]) -> list[str]:
    """Cells of a value that misses least."""
    value, miss = (
        figures(_scaled(_estimate(row, *names), _unit(found)))
        for names in (("estimate", "low", "high"), ("miss", "miss_low", "miss_high"))
    )
    return [str(row[option]), *value, *miss]


def _estimate(row: Mapping[Any, Any], *names: str) -> Estimate:
    """Estimate in a row, under three names."""
    value, low, high = (None if row[name] is None or row[name] != row[name] else float(row[name]) for name in names)
    return Estimate(value, low, high, int(row["units"]))


def _at(found: Fit, option: str, value: Any) -> dict[str, Any]:
    """Row of a value that was looked at."""
    return next(row for row in rows_of(found.values) if row[option] == value)


def _remarks(found: Fit, option: str) -> Iterator[str]:
    """What has to be said of the answers of a variant."""
    values = found.values[option]
    ends = f"{values.min()} to {values.max()}"
    if found.answers.empty:
        looked = f"none of the {len(found.values)} values of {option} that were played, {ends},"
        yield f"{looked} brings it there; the nearest is {_nearest_words(found, option)}."
    for row in rows_of(found.answers):
        where = f"between {row['low']:.1f} and {row['high']:.1f}"
        if row["low_open"] or row["high_open"]:
            yield f"the interval goes to the end of the values asked for ({ends}), and may go beyond."
        if not row["crossings"]:
            yield f"{where} it comes so near that it cannot be told from the value, without crossing it."
        if row["crossings"] > 1:
            yield f"{where} it crosses the value {row['crossings']} times; the answer is the middle one."
    if len(found.answers) > 1:
        yield f"there are {len(found.answers)} answers: the measure does not go one way."


def _nearest_words(found: Fit, option: str) -> str:
    """The value that misses least."""
    best = found.nearest
    return "unknown: none has the measure" if best is None else str(best[option])


def _ranking_lines(label: str, found: Fit) -> Iterator[str]:
    """Lines of a fit of several options."""
    unit = MEASURES[found.key[0]].unit
    own = figures(_scaled(found.own, unit))
    yield from paragraph(
        f"{label}: own rules ({value_words(found.own_values, found.options)}) {own[0]}, {own[1]} to {own[2]}", hanging=2
    )
    alike = int(found.values["alike"].sum())
    yield from paragraph(
        f"{alike} of {len(found.values)} settings cannot be told from the value"
        + (f"; the nearest {MOST_RANKED}:" if len(found.values) > MOST_RANKED else ":"),
        hanging=2,
    )
    yield ""
    rows = rows_of(found.values)[:MOST_RANKED]
    values, misses = (
        [figures(_scaled(_estimate(row, *names), unit)) for row in rows]
        for names in (("estimate", "low", "high"), ("miss", "miss_low", "miss_high"))
    )
    cells = [
        [*(_cell(row[name]) for name in found.options), *value, *miss, _alike_words(row)]
        for row, value, miss in zip(rows, values, misses, strict=True)
    ]
    names = [name.replace("_", " ") for name in found.options]
    headings = [*names, "estimate", "low", "high", "off by", "low", "high", "alike"]
    yield from table(headings, cells, range(_numbers_from(found.options, found.values), len(names) + 6))
    yield ""
    mildest = found.mildest
    if mildest is None:
        yield from paragraph("No setting asked for comes to the value; the first is the nearest.")
    elif mildest["own"]:
        yield from paragraph("The own rules themselves cannot be told from the value.")
    else:
        yield from paragraph(
            f"Nearest to the own rules of those that are alike: {value_words(mildest, found.options)}. (A number "
            "counts by how far it is from the own one, as a part of the range of all; a word that differs as the "
            "whole range.)",
            hanging=2,
        )


def _alike_words(row: Mapping[Any, Any]) -> str:
    """Whether a setting cannot be told from the value, and whether it is that of the own rules."""
    return f"{'yes' if row['alike'] else 'no'}{', own' if row['own'] else ''}"


def sweep_json(found: Sweep) -> dict[str, Any]:
    """All of a sweep in values that JSON can hold."""
    return {
        **_ground_json(found.ground),
        "options": list(found.options),
        "left_out": [_plain_row(each) for each in found.left_out],
        "sharing": [
            {
                "kind": each.kind,
                "policies": list(each.policies),
                "deals": each.deals,
                "settings": each.settings,
                "played": each.played,
            }
            | {"rounds": each.rounds, "unseen": list(each.unseen)}
            for each in found.sharing
        ],
        "own": _records(found.own),
        "rows": _records(found.frame),
    }


def fit_json(label: str, found: Fit) -> dict[str, Any]:
    """All of a fit in values that JSON can hold."""
    aim = {name: value for name, value in found.aim.to_dict().items() if name != "units"}
    return {
        **_ground_json(found.ground),
        "variant": label,
        "measure": found.key[0],
        "part": found.key[1],
        "unit": MEASURES[found.key[0]].unit,
        "goal": {"variant": found.goal if isinstance(found.goal, str) else None, **aim},
        "options": list(found.options),
        "own": {**_plain_row(found.own_values), **found.own.to_dict()},
        "asked": found.asked,
        "answers": _records(found.answers) if found.curve else None,
        "nearest": None if found.nearest is None else _plain_row(found.nearest),
        "mildest": None if found.mildest is None else _plain_row(found.mildest),
        "left_out": [_plain_row(each) for each in found.left_out],
        "values": _records(found.values),
    }


def _ground_json(ground: Ground) -> dict[str, Any]:
    """What all settings have in common."""
    return {
        "variant": ground.variant,
        "players": ground.players,
        "pairs": ground.pairs,
        "policy": ground.level,
        "deals": ground.deals,
        "seed": ground.seed,
        "changes": _plain_row(ground.changes),
    }


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame."""
    return [_plain_row(row) for row in rows_of(frame)]


def _plain_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Values by name, without any that is no number."""
    return {str(name): _plain_value(value) for name, value in row.items()}


def _plain_value(value: Any) -> Any:
    """Value that JSON can hold."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Iterable) or value is None:
        return value
    if pd.isna(value) or value in (float("inf"), float("-inf")):
        return None
    return value.item() if hasattr(value, "item") else value
