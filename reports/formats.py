"""Formats of a report, and the files that each of them consists of."""

from collections.abc import Iterator, Sequence

from reports import markdown, objects, pages
from reports.document import Report
from reports.folder import DATA, JSON, MARKDOWN, PAGE, SCHEMA

HTML, MD, OBJECTS = "html", "md", "json"

FORMATS = (HTML, MD, OBJECTS)

MAIN_FILE = {HTML: PAGE, MD: MARKDOWN, OBJECTS: JSON}
"""The file of a format that a person opens."""


def files(report: Report, formats: Sequence[str]) -> Iterator[tuple[str, str | bytes]]:
    """Paths and contents of the files of a report in some formats; the data beside pages and texts come first."""
    if HTML in formats or MD in formats:
        for name, frame in report.data.items():
            yield f"{DATA}/{name}.csv", frame.to_csv(index=False, lineterminator="\n")
    if HTML in formats:
        yield PAGE, pages.page(report)
    if MD in formats:
        yield from markdown.pictures(report)
        yield MARKDOWN, markdown.text(report)
    if OBJECTS in formats:
        yield SCHEMA, objects.schema_text()
        yield JSON, objects.text(report)
