"""A report as Markdown, with figures as PNG beside it."""

from collections.abc import Iterator

from basra_sim import __version__
from reports.chapters import HINT, INTRODUCTION
from reports.document import Report
from reports.folder import DATA, FIGURES, GENERATOR
from reports.parts import Badge, Cell, Detail, Figure, Section, Table
from reports.said import plain

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]<>|#"})


def text(report: Report) -> str:
    """A report as Markdown: what a page shows, in the same words and numbers."""
    return "\n".join(_lines(report)) + "\n"


def pictures(report: Report) -> Iterator[tuple[str, bytes]]:
    """Paths and contents of the figures."""
    for chapter in report.chapters:
        for section in chapter.sections:
            for figure in section.figures:
                yield f"{FIGURES}/{figure.name}.png", figure.png()


def _lines(report: Report) -> Iterator[str]:
    """Lines of the text."""
    yield f"# {said(report.title)}"
    yield from _paragraphs([INTRODUCTION, HINT])
    yield ""
    for chapter in report.chapters:
        yield f"- [{said(chapter.title)}](#{chapter.name})"
    for chapter in report.chapters:
        yield from ("", f'<a id="{chapter.name}"></a>', "", f"## {said(chapter.title)}")
        yield from _paragraphs(chapter.text)
        for section in chapter.sections:
            yield from _section(section)
    yield from _paragraphs([f"Made on {report.date} by {GENERATOR} {__version__}."])


def _section(section: Section) -> Iterator[str]:
    """Lines of a section."""
    yield from ("", f'<a id="{section.name}"></a>', "", f"### {said(section.title)}")
    if section.badge:
        yield from ("", _badge(section.badge))
    if section.lead:
        yield from ("", f"**{said(section.lead)}**")
    yield from _paragraphs(section.text)
    for heading, sentences in section.findings:
        yield from ("", f"{said(heading)}", "")
        yield from (f"- {said(each)}" for each in sentences)
    for figure in section.figures:
        yield from _figure(figure)
    for table in section.tables:
        yield from _table(table)
    for detail in section.details:
        yield from _detail(detail)
    yield from _paragraphs([section.foot] if section.foot else [])
    if section.code:
        yield from ("", "```sh", section.code, "```")


def _detail(detail: Detail) -> Iterator[str]:
    """Lines of what a page folds away."""
    yield from ("", f"#### {said(detail.title)}")
    yield from _paragraphs(detail.text)
    for table in detail.tables:
        yield from _table(table)


def _figure(figure: Figure) -> Iterator[str]:
    """Lines of a figure."""
    yield from ("", f"![{said(figure.alt)}]({FIGURES}/{figure.name}.png)")
    yield from _paragraphs([figure.caption], _source(figure.data))


def _table(table: Table) -> Iterator[str]:
    """Lines of a table."""
    yield from _paragraphs([table.caption], _source(table.data))
    units = [f" ({said(each.unit)})" if each.unit else "" for each in table.headings]
    titles = [f"{said(each.title)}{unit}" for each, unit in zip(table.headings, units, strict=True)]
    rules = ["--:" if table.is_numeric(column) and not table.words else "---" for column in range(len(titles))]
    yield from ("", _row(titles), _row(rules))
    yield from (_row([_cell(cell) for cell in row]) for row in table.rows)


def _row(cells: list[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    """What stands in a cell."""
    if cell.badge:
        return _badge(cell.badge)
    shown = said(" ".join(part for part in (cell.text, cell.interval) if part))
    if cell.link:
        shown = f"[{shown}]({cell.link})"
    return f"{shown} ({said(cell.note)})" if cell.note else shown


def _badge(badge: Badge) -> str:
    """A verdict."""
    return f"**{badge.sign} {said(badge.words)}**"


def _source(data: str) -> str:
    """Where the data behind something are."""
    return f" Data: [{data}.csv]({DATA}/{data}.csv)" if data else ""


def _paragraphs(texts: list[str], end: str = "") -> Iterator[str]:
    """Lines of paragraphs; `end` stands behind the last as it is."""
    for each in texts:
        yield from ("", said(each) + (end if each is texts[-1] else ""))


def said(sentence: str) -> str:
    """A sentence as Markdown."""
    return plain(sentence).translate(_SPECIAL)
