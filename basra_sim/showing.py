"""
How rules and results show themselves in a notebook: small pieces of HTML that take colours and type from the page.

Every text is escaped here and nowhere else, and what comes out is well-formed XML.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from html import escape

MOST_ROWS = 40
"""Rows of a table that are shown."""

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LEFT, _RIGHT = ' style="text-align: left"', ' style="text-align: right"'


class Strong(str):
    """A cell that stands out."""

    __slots__ = ()


def escaped(words: str) -> str:
    """Words as they may stand between tags or in an attribute; what XML cannot hold becomes a replacement character."""
    return escape(_NO_XML.sub("\ufffd", words))


def html(*parts: str) -> str:
    """Pieces of HTML as one."""
    return f"<div>{''.join(parts)}</div>"


def html_sentence(words: str, *, strong: bool = False) -> str:
    """A paragraph; nothing if there are no words."""
    inner = f"<strong>{escaped(words)}</strong>" if strong else escaped(words)
    return f"<p>{inner}</p>" if words else ""


def html_items(sentences: Iterable[str]) -> str:
    """A list; nothing if it is empty."""
    lines = "".join(f"<li>{escaped(each)}</li>" for each in sentences)
    return f"<ul>{lines}</ul>" if lines else ""


def html_table(
    caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = (), rest: str = ""
) -> str:
    """
    A table with a caption.

    Parameters
    ----------
    headings, rows : a text for each column; the first of a row is its heading
    right : numbers of the columns whose cells stand to the right
    rest : where the rows beyond `MOST_ROWS` are, if not all are shown
    """
    sides = [_RIGHT if k in right else _LEFT for k in range(len(headings))]
    head = "".join(f'<th scope="col"{side}>{escaped(each)}</th>' for each, side in zip(headings, sides, strict=True))
    lines = list(rows)
    body = "".join(f"<tr>{_cells(row, sides)}</tr>" for row in lines[:MOST_ROWS])
    more = f" The first {MOST_ROWS} of {len(lines):,} rows; all: {rest}." if len(lines) > MOST_ROWS else ""
    title = f'<caption style="caption-side: top; text-align: left">{escaped(caption + more)}</caption>'
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str], sides: Sequence[str]) -> str:
    """Cells of a row."""
    first, *others = (_cell(each) for each in row)
    more = (f"<td{side}>{each}</td>" for each, side in zip(others, sides[1:], strict=True))
    return f'<th scope="row"{sides[0]}>{first}</th>{"".join(more)}'


def _cell(words: str) -> str:
    """What stands in a cell."""
    return f"<strong>{escaped(words)}</strong>" if isinstance(words, Strong) else escaped(words)
