"""
A report as JSON: the same chapters, sentences and tables as the page, and every number with all that belongs to it.

What it holds is published as a JSON Schema, which is written beside it.
"""

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from analyses.frames import rows_of
from basra_sim import __version__
from basra_sim.stats import CONFIDENCE
from reports import said
from reports.chapters import HINT, INTRODUCTION, versions
from reports.definitions import definition
from reports.document import Report
from reports.folder import GENERATOR, SCHEMA
from reports.parts import Cell, Chapter, Detail, Figure, Section, Table

FORMAT = 1
"""Version of the format; a change that readers must know of makes it another."""

_NUMBER = {"estimate": "value", "low": "low", "high": "high", "units": "units", "unit": "unit", "seed": "seed"}
"""Columns of data that make a number, and what they are called in it."""


def schema_text() -> str:
    """The JSON Schema of a report."""
    return resources.files(__package__).joinpath(SCHEMA).read_text(encoding="utf-8")


def text(report: Report) -> str:
    """A report as JSON, with a line feed at its end."""
    return json.dumps(as_objects(report), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def as_objects(report: Report) -> dict[str, Any]:
    """A report as plain objects."""
    numbers = [number for name, frame in report.data.items() for number in _numbers(name, frame)]
    measures: dict[str, dict[str, str]] = {}
    for each in numbers:
        measures.setdefault(each["data"], {})[each["measure"]] = definition(each["data"], each["measure"])
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "title": report.title,
        "made": {
            "by": GENERATOR,
            "version": __version__,
            "date": report.date,
            "command": f"{GENERATOR}{report.scope.options} --seed {report.effort.seed} --rounds {report.effort.rounds}",
            "seed": report.effort.seed,
            "rounds": report.effort.rounds,
            "confidence": CONFIDENCE,
            "parts": list(report.scope.parts),
            "variants": list(report.scope.games),
            "claims": [claim.name for claim in report.scope.claims],
            "left_out": dict(report.scope.left_out),
            "software": versions(),
        },
        "text": [_sentence(INTRODUCTION), _sentence(HINT)],
        "verdicts": [dict(each) for each in report.verdicts],
        "chapters": [_chapter(chapter) for chapter in report.chapters],
        "definitions": measures,
        "numbers": numbers,
        "records": {
            name: [_plain(row) for row in rows_of(frame)]
            for name, frame in report.data.items()
            if "estimate" not in frame
        },
    }


def _numbers(name: str, frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Numbers of the data of one name, each with its interval, units, seed, and all that tells it from the others."""
    if "estimate" not in frame:
        return
    for row in rows_of(frame):
        made = {key: _value(row[column]) for column, key in _NUMBER.items()}
        of = {key: value for key, value in _plain(row).items() if key not in (*_NUMBER, "measure")}
        yield {"data": name, "measure": str(row["measure"]), **made, "of": of}


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A row without what is missing."""
    return {str(key): _value(value) for key, value in row.items() if _value(value) not in (None, "")}


def _value(value: Any) -> Any:
    """A value as JSON knows it; None for what is missing."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA or (isinstance(value, float) and not isfinite(value)):
        return None
    return value


def _chapter(chapter: Chapter) -> dict[str, Any]:
    """A chapter."""
    return {
        "id": chapter.name,
        "title": chapter.title,
        "text": list(map(_sentence, chapter.text)),
        "sections": list(map(_section, chapter.sections)),
    }


def _section(section: Section) -> dict[str, Any]:
    """A section."""
    return {
        "id": section.name,
        "title": section.title,
        "verdict": section.badge.words if section.badge else None,
        "lead": _sentence(section.lead) if section.lead else None,
        "brief": _sentence(section.brief) if section.brief else None,
        "text": list(map(_sentence, section.text)),
        "findings": [
            {"title": title, "sentences": list(map(_sentence, sentences))} for title, sentences in section.findings
        ],
        "figures": list(map(_figure, section.figures)),
        "tables": list(map(_table, section.tables)),
        "details": list(map(_detail, section.details)),
        "foot": _sentence(section.foot) if section.foot else None,
        "commands": section.code.splitlines(),
    }


def _detail(detail: Detail) -> dict[str, Any]:
    """What a page folds away."""
    return {
        "title": detail.title,
        "text": list(map(_sentence, detail.text)),
        "tables": list(map(_table, detail.tables)),
    }


def _figure(figure: Figure) -> dict[str, Any]:
    """A figure, without the picture."""
    return {"id": figure.name, "caption": _sentence(figure.caption), "alt": figure.alt, "data": figure.data or None}


def _table(table: Table) -> dict[str, Any]:
    """A table."""
    return {
        "id": table.name,
        "caption": _sentence(table.caption),
        "data": table.data or None,
        "columns": [{"title": each.title, "unit": each.unit or None, "key": each.key} for each in table.headings],
        "rows": [list(map(_cell, row)) for row in table.rows],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    """A cell; its number in full, if it shows one."""
    shown = cell.badge.words if cell.badge else said.plain(cell.text)
    found = {"text": shown, "value": _value(cell.value), "interval": cell.interval, "note": cell.note}
    found["numbers"] = _marked(cell.text)
    return {"text": shown} | {key: value for key, value in found.items() if value not in (None, "", [])}


def _sentence(text: str) -> dict[str, Any]:
    """A sentence, with its numbers in full."""
    return {"text": said.plain(text), "numbers": _marked(text)}


def _marked(text: str) -> list[dict[str, Any]]:
    """Numbers of a sentence."""
    return [
        {"text": each.text, "value": each.value, "low": each.low, "high": each.high}
        | {"units": each.units, "unit": each.unit}
        for each in said.numbers(text)
    ]
