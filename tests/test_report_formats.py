"""The formats of a report say the same: page, Markdown and JSON, sentence by sentence and number by number."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from reports.folder import DATA, FIGURES, JSON, MARKDOWN, PAGE, SCHEMA
from reports.markdown import said
from tests.pages import REPORTED, data

Block = tuple[str, tuple[float, ...]]
"""A paragraph, a heading or a cell: its words, and the numbers that are marked in it."""

BLOCKS = {"p", "li", "h1", "h2", "h3", "h4", "h5", "summary", "figcaption", "td", "th"}

OF_THE_TEMPLATE = {
    "Every estimate, with its interval",
    "How much was played, and how to play it again",
    (
        "To bring it back: the same numbers where it is judged, corrected for this claim's tests alone; then all "
        "claims at all tables, corrected together as here."
    ),
}
"""Words of the page that are no findings: what stands on folded parts, and before commands."""


class Blocks(HTMLParser):
    """The blocks of a page's chapters, each with its numbers; links to files are left out."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[Block] = []
        self._open: list[tuple[str, list[str], list[float]]] = []
        self._skipped: list[str] = []
        self._in_chapters = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "section":
            self._in_chapters = True
        if self._skipped or "aria-hidden" in given or given.get("href", "").startswith(f"{DATA}/") or tag == "svg":
            if tag not in ("br", "meta", "path", "use", "rect"):
                self._skipped.append(tag)
        elif tag in BLOCKS and self._in_chapters:
            self._open.append((tag, [], []))
        elif tag == "data" and self._open and given["value"]:
            self._open[-1][2].append(float(given["value"]))

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if self._skipped[-1] == tag:
                self._skipped.pop()
        elif self._open and self._open[-1][0] == tag:
            _, words, values = self._open.pop()
            self.found.append((tidy("".join(words).removesuffix(" Data: ")), tuple(values)))

    def handle_data(self, data: str) -> None:
        if self._open and not self._skipped:
            self._open[-1][1].append(data)


def tidy(text: str) -> str:
    """Words with single spaces between them."""
    return re.sub(r"\s+", " ", text).strip()


def sentence(found: dict[str, Any] | None) -> Iterator[Block]:
    """Block of a sentence of JSON."""
    if found:
        values = [each["value"] for each in found["numbers"] if each["value"] is not None]
        yield tidy(found["text"]), tuple(values)


def words(text: str | None) -> Iterator[Block]:
    """Block of words without numbers."""
    if text:
        yield tidy(text), ()


def of_table(table: dict[str, Any]) -> Iterator[Block]:
    """Blocks of a table of JSON."""
    yield from sentence(table["caption"])
    if any(column["title"] for column in table["columns"]):
        for column in table["columns"]:
            yield tidy(f"{column['title']} {column['unit'] or ''}"), ()
    for row in table["rows"]:
        for cell in row:
            shown = " ".join(cell[part] for part in ("text", "interval", "note") if part in cell)
            values = [cell["value"]] if "value" in cell else [each["value"] for each in cell.get("numbers", [])]
            yield tidy(shown), tuple(values)


def of_section(section: dict[str, Any]) -> Iterator[Block]:
    """Blocks of a section of JSON."""
    yield from words(section["title"])
    yield from words(section["verdict"])
    yield from sentence(section["lead"])
    yield from sentence(section["foot"])
    for each in section["text"]:
        yield from sentence(each)
    if section["verdict"] and section["findings"]:
        yield from words("; ".join(finding["title"] for finding in section["findings"]))
    for finding in section["findings"]:
        yield from words(finding["title"])
        for each in finding["sentences"]:
            yield from sentence(each)
    for figure in section["figures"]:
        yield from sentence(figure["caption"])
    for table in section["tables"]:
        yield from of_table(table)
    for detail in section["details"]:
        yield from words(detail["title"])
        for each in detail["text"]:
            yield from sentence(each)
        for table in detail["tables"]:
            yield from of_table(table)


@pytest.fixture(scope="module")
def report(report_folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((report_folder / JSON).read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def sections(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [section for chapter in report["chapters"] for section in chapter["sections"]]


def test_json_is_as_its_schema_says(report: dict[str, Any], report_folder: Path) -> None:
    schema = json.loads((report_folder / report["schema"]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(report)] == []
    for broken in (
        {**report, "more": 1},
        {**report, "verdicts": [{**report["verdicts"][0], "verdict": "perhaps"}]},
        {**report, "numbers": [{**report["numbers"][0], "seed": None}]},
    ):
        assert not validator.is_valid(broken)


def test_the_page_says_what_json_says_and_nothing_else(report: dict[str, Any], report_folder: Path) -> None:
    page = Counter(Blocks((report_folder / PAGE).read_text(encoding="utf-8")).found)
    expected: Counter[Block] = Counter()
    for chapter in report["chapters"]:
        expected.update(words(chapter["title"]))
        for each in chapter["text"]:
            expected.update(sentence(each))
        for section in chapter["sections"]:
            expected.update(of_section(section))
    assert expected - page == Counter()
    made = f"Made on {report['made']['date']} by {report['made']['by']} {report['made']['version']}."
    assert {text for text, _ in page - expected} <= {*OF_THE_TEMPLATE, made}
    assert sum(len(values) for _, values in expected.elements()) > 1000


def test_each_verdict_stands_on_its_card(report: dict[str, Any], sections: list[dict[str, Any]]) -> None:
    leads = {section["id"]: section["lead"]["text"] for section in sections if section["verdict"]}
    assert {each["claim"]: each["sentence"] for each in report["verdicts"]} == leads
    assert list(leads) == [claim.name for claim in REPORTED]


def test_each_number_in_a_sentence_is_one_of_those_behind_it(
    report: dict[str, Any], sections: list[dict[str, Any]]
) -> None:
    """As it stands in the data; with the other sign where it is a loss; what a share leaves; a few are differences."""
    known = {ends(each["value"], each["low"], each["high"]) for each in report["numbers"]}
    known |= {ends(minus(value), minus(high), minus(low)) for value, low, high in known}
    known |= {ends(rest(value), rest(high), rest(low)) for value, low, high in known}
    checked = 0
    for section in sections:
        for found in said_in(section):
            if ends(found["value"], found["low"], found["high"]) not in known:
                assert DERIVED.search(found["sentence"]), (section["id"], found)
            checked += 1
    assert checked > 200


Ends = tuple[float | None, ...]


def ends(*values: float | None) -> Ends:
    """An estimate and the ends of its interval, to twelve digits behind the point."""
    return tuple(None if value is None else round(value, 12) for value in values)


def minus(value: float | None) -> float | None:
    """A number with the other sign."""
    return None if value is None else -value


def rest(value: float | None) -> float | None:
    """What a share leaves of the whole."""
    return None if value is None else 1 - value


DERIVED = re.compile(r"breaches of advice that were tried|a difference of|expert puts a breach|then ")


def said_in(section: Any) -> Iterator[dict[str, Any]]:
    """Numbers of all sentences of a part of JSON, each with its sentence."""
    if isinstance(section, dict):
        for each in section.get("numbers", []):
            yield {**each, "sentence": section["text"]}
        for part in section.values():
            yield from said_in(part)
    elif isinstance(section, list):
        for part in section:
            yield from said_in(part)


def test_each_number_of_a_table_is_one_of_those_behind_it(
    report: dict[str, Any], sections: list[dict[str, Any]]
) -> None:
    behind: dict[str, set[float]] = {}
    for each in report["numbers"]:
        values = behind.setdefault(each["data"], set())
        values |= {each["value"], each["low"], each["high"], each["units"]}
        values |= {value for value in each["of"].values() if isinstance(value, int | float)}
    for name, rows in report["records"].items():
        behind.setdefault(name, set()).update(
            value for row in rows for value in row.values() if isinstance(value, int | float)
        )
    checked = 0
    for section in sections:
        for table in [*section["tables"], *(table for detail in section["details"] for table in detail["tables"])]:
            for cell in (cell for row in table["rows"] for cell in row if "value" in cell and table["data"]):
                assert cell["value"] in behind[table["data"]], (table["id"], cell)
                checked += 1
    assert checked > 1000


def test_json_holds_every_number_of_the_files(report: dict[str, Any], report_folder: Path) -> None:
    names = {path.stem for path in (report_folder / DATA).iterdir()}
    counted = Counter(each["data"] for each in report["numbers"])
    assert set(counted) | set(report["records"]) == names
    for name, count in counted.items():
        frame = data(report_folder, name)
        values = [each["value"] for each in report["numbers"] if each["data"] == name]
        assert len(frame) == count
        assert frame["estimate"].tolist() == pytest.approx(
            [float("nan") if value is None else value for value in values], rel=1e-12, nan_ok=True
        )


def test_every_number_says_what_it_is(report: dict[str, Any]) -> None:
    for each in report["numbers"]:
        assert len(report["definitions"][each["data"]][each["measure"]]) > 3, each
    told = [json.dumps([each["data"], each["measure"], each["seed"], each["of"]]) for each in report["numbers"]]
    assert len(told) == len(set(told))


def test_markdown_says_what_json_says(report: dict[str, Any], report_folder: Path, sections: list[Any]) -> None:
    text = (report_folder / MARKDOWN).read_text(encoding="utf-8")
    for section in sections:
        for found in (section["lead"], section["foot"], *section["text"]):
            assert found is None or said(found["text"]) in text
        for table in section["tables"]:
            for row in table["rows"]:
                assert all(said(cell["text"]) in text for cell in row)
    pictures = re.findall(rf"!\[[^\]]{{30,}}\]\(({FIGURES}/[^)]*)\)", text)
    assert len(pictures) == sum(len(section["figures"]) for section in sections) > 10
    for name in pictures:
        assert (report_folder / name).read_bytes().startswith(b"\x89PNG")
    files = re.findall(rf"\(({DATA}/[^)]*\.csv)\)", text)
    assert all((report_folder / name).is_file() for name in files)
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(re.findall(r'<a id="([^"]*)">', text))


def test_the_date_stands_in_one_place(report: dict[str, Any], report_folder: Path) -> None:
    for name in (PAGE, MARKDOWN, JSON):
        assert (report_folder / name).read_text(encoding="utf-8").count(report["made"]["date"]) == 1
    assert (report_folder / SCHEMA).is_file()
