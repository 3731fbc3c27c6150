"""Every check finds the fault that it is there for, planted in a small page, and nothing in the page without it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import checks
from tests.browser.checks import PAPER, PHONE, opened, unfolded

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

FIGURE = """<figure id="drawn"><svg viewBox="0 0 300 100" role="img" aria-label="A line and its name.">
<path d="M 0 50 L 300 50" style="fill: none; stroke: black"/>
<text x="10" y="40" style="font-size: 12px; fill: var(--ink)">name</text></svg>
<figcaption>A line.</figcaption></figure>"""
STYLE = """
:root { --ink: #111; --paper: #fff; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #111; } }
@media print { :root { --ink: #111; --paper: #fff; color-scheme: light; }
  details::details-content { content-visibility: visible; } }
body { margin: 1rem; color: var(--ink); background: var(--paper); } a { color: inherit; }
:focus-visible { outline: 3px solid var(--ink); } svg { width: 100%; } figure { margin: 0; }
"""
BODY = f"""<a href="#main">Skip</a>
<header><h1>Title</h1><nav aria-label="Contents"><ul><li><a href="#one">One</a></li></ul></nav></header>
<main id="main" tabindex="-1"><section id="one"><h2>One</h2>{FIGURE}<p>Words. <a href="data.csv">data.csv</a></p>
<details><summary>More</summary><div><p>Folded words.</p></div></details></section>
<div style="height: 3000px"></div></main>"""

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a small page without a fault, with something added to its body or style, or something else in a place."""

    def to(body: str = "", style: str = "", put: tuple[str, str] = ("", "")) -> Path:
        (tmp_path / "data.csv").write_text("a\n1\n", encoding="utf-8")
        assert put[0] in BODY
        inner = (
            BODY.replace(*put, 1).replace("</section>", f"{body}</section>")
            if put[0]
            else BODY.replace("</section>", f"{body}</section>")
        )
        text = (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Title</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<style>{STYLE}{style}</style>\n</head>\n<body>\n{inner}\n</body>\n</html>\n"
        )
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        return path

    return to


def asked(browser: "Browser", path: Path, check: "Callable[[Page], list[str]]", **options: object) -> list[str]:
    with opened(browser, path, PHONE, **options) as (page, _):
        unfolded(page)
        return check(page)


def test_a_page_without_faults(browser: "Browser", write: Write) -> None:
    path = write()
    for check in (checks.overflow, checks.figures, checks.moving, checks.covering):
        assert asked(browser, path, check) == [], check.__name__
    for scheme in ("light", "dark"):
        for check in (checks.barriers, checks.faint):
            assert asked(browser, path, check, color_scheme=scheme) == [], check.__name__
    with opened(browser, path) as (page, heard):
        assert checks.links(page, path.parent) == []
        assert checks.noise(heard, path) == []
    with opened(browser, path) as (page, _):
        assert checks.unfocused(page) == []
    with opened(browser, path, PAPER) as (page, _):
        assert checks.unprinted(page) == []
    assert (
        checks.invalid(path) == checks.lost(browser, path) == checks.slow(browser, path) == checks.too_large(path) == []
    )


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("<script>console.error('oh')</script>", "error: oh"),
        ("<script>console.warn('ah')</script>", "warning: ah"),
        ("<script>nothing.at.all</script>", "error: nothing is not defined"),
        ('<img src="missing.png" alt="">', "asks for file:"),
        ('<img src="missing.png" alt="">', "failed: file:"),
        ('<img src="http://127.0.0.1:9/dot.png" alt="">', "asks for http://127.0.0.1:9/dot.png"),
        ("<script>fetch('http://127.0.0.1:9/').catch(() => 0)</script>", "asks for http://127.0.0.1:9/"),
        ('<link rel="stylesheet" href="other.css">', "asks for file:"),
    ],
)
def test_noise(browser: "Browser", write: Write, fault: str, found: str) -> None:
    path = write(fault)
    with opened(browser, path) as (page, heard):
        page.wait_for_timeout(100)
        assert any(each.startswith(found) for each in checks.noise(heard, path))


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ('<div id="wide" style="width: 500px">wide</div>', "div#wide"),
        ('<p id="long">' + "m" * 100 + "</p>", "wide"),
        ('<div style="overflow-x: auto"><div style="width: 500px">scrolls</div></div>', ""),
    ],
)
def test_overflow(browser: "Browser", write: Write, fault: str, found: str) -> None:
    wrong = asked(browser, write(fault), checks.overflow)
    assert (any(found in each for each in wrong)) if found else wrong == []


@pytest.mark.parametrize(
    ("put", "found"),
    [
        (('x="10"', 'x="-10"'), "is cut off"),
        (('x="10"', 'x="280"'), "is cut off"),
        (('role="img"', 'role="img" style="display: none"'), "is not to be seen: 0 × 0"),
        (('viewBox="0 0 300 100"', 'viewBox="0 0 300 5"'), "is not to be seen"),
        (('aria-label="A line and its name."', ""), "has no words in its place"),
        (("name</text>", "</text>"), "holds no text"),
        (("font-size: 12px", "font-size: 6px"), "high"),
        (("</svg>", '<text x="20" y="42" style="font-size: 12px">other</text></svg>'), "are on one another"),
    ],
)
def test_figures(browser: "Browser", write: Write, put: tuple[str, str], found: str) -> None:
    assert any(found in each for each in asked(browser, write(put=put), checks.figures))


@pytest.mark.parametrize(
    ("fault", "style", "found"),
    [
        ('<a href="#nowhere">x</a>', "", "#nowhere leads nowhere"),
        ('<a href="#hidden">x</a><p id="hidden" hidden>hidden</p>', "", "#hidden is"),
        (
            '<a href="#below">x</a><p id="below">x</p>',
            "nav { position: fixed; top: 0; height: 8rem; background: red; width: 100% }",
            "is covered by",
        ),
        (
            '<a href="#away">x</a><p id="away">x</p><script>document.onclick = (e) => e.preventDefault()</script>',
            "",
            "#away is",
        ),
        (
            (
                '<a href="#moved">x</a><p style="height: 4000px">x</p><p id="moved">x</p>'
                "<script>document.onclick = () => setTimeout(() => scrollTo(0, 0), 80)</script>"
            ),
            "",
            "#moved is",
        ),
        ('<a href="missing.csv">x</a>', "", "missing.csv is no file"),
        ('<a href=".">x</a>', "", ". is no file"),
        ('<a href="http://example.org/">x</a>', "", "http://example.org/ leads out of the page"),
    ],
)
def test_links(browser: "Browser", write: Write, fault: str, style: str, found: str) -> None:
    path = write(fault, style)
    with opened(browser, path, PHONE) as (page, _):
        assert any(found in each for each in checks.links(page, path.parent))


def test_an_empty_file(browser: "Browser", write: Write) -> None:
    path = write('<a href="empty.csv">x</a>')
    (path.parent / "empty.csv").touch()
    with opened(browser, path) as (page, _):
        assert checks.links(page, path.parent) == ["empty.csv is no file"]


@pytest.mark.parametrize(
    ("fault", "style", "scheme", "found"),
    [
        ('<p style="color: #bbb">faint</p>', "", "light", "color-contrast"),
        ('<p style="color: #333">dark by night only</p>', "", "dark", "color-contrast"),
        ("<button></button>", "", "light", "button-name"),
        ('<details><summary>x</summary><p style="color: #bbb">folded</p></details>', "", "light", "color-contrast"),
        ("<h5>out of order</h5>", "", "light", "heading-order"),
        ("<button>a</button><button>b</button>", "button { all: unset; font-size: 8px }", "light", "target-size"),
        (
            '<p style="color: #bbb">later</p>',
            "section { content-visibility: auto; margin-top: 9000px }",
            "light",
            "color-contrast",
        ),
    ],
)
def test_barriers(browser: "Browser", write: Write, fault: str, style: str, scheme: str, found: str) -> None:
    assert any(found in each for each in asked(browser, write(fault, style), checks.barriers, color_scheme=scheme))


def test_enhanced_contrast(browser: "Browser", write: Write) -> None:
    path = write('<p style="color: #6b6b6b">fair</p>')
    assert asked(browser, path, checks.barriers) == []
    assert asked(browser, path, lambda page: checks.barriers(page, enhanced=True))


@pytest.mark.parametrize(
    ("put", "scheme"),
    [
        (("fill: var(--ink)", "fill: #bbb"), "light"),
        (("fill: var(--ink)", "fill: #222"), "dark"),
        (("<text", '<path d="M 0 20 L 90 20 L 90 60 L 0 60 z" style="fill: #333"/><text'), "light"),
    ],
)
def test_faint_words_of_figures(browser: "Browser", write: Write, put: tuple[str, str], scheme: str) -> None:
    assert asked(browser, write(put=put), checks.faint, color_scheme=scheme)


def test_markup(write: Write) -> None:
    faults = {
        '<img src="x">': "An “img” element must have an “alt” attribute",
        "<p><div>x</div></p>": "No “p” element in scope",
        '<p id="one">x</p>': "Duplicate ID “one”",
        "<b><i>x</b></i>": "violates nesting rules",
        '<p style="colour: red">x</p>': "CSS: “colour”",
        "<table><p>x</p></table>": "Start tag “p” seen in “table”",
    }
    wrong = checks.invalid(write("".join(faults)))
    assert [said for said in faults.values() if not any(said in each for each in wrong)] == []


@pytest.mark.parametrize(
    ("fault", "style", "found"),
    [
        ("", "@media print { body { background: #111 } }", "printed on"),
        ("", "@media print { body { color: #999 } }", "faint"),
        ("", "@media print { details::details-content { content-visibility: hidden } }", "stays folded"),
        ('<table style="width: 900px"><tr><td>x</td></tr></table>', "", "reaches to"),
        (
            '<div style="overflow: auto"><table><tr><td><p style="width: 900px">x</p></td></tr></table></div>',
            "",
            "reaches to",
        ),
        ('<div style="page: across"><table style="width: 1200px"><tr><td>x</td></tr></table></div>', "", "reaches to"),
    ],
)
def test_paper(browser: "Browser", write: Write, fault: str, style: str, found: str) -> None:
    with opened(browser, write(fault, style), PAPER) as (page, _):
        assert any(found in each for each in checks.unprinted(page))


@pytest.mark.parametrize(
    "style",
    [
        "a { transition: color 1s }",
        "html { scroll-behavior: smooth }",
        "p { animation: 2s turn infinite } @keyframes turn { to { rotate: 1turn } }",
    ],
)
def test_moving(browser: "Browser", write: Write, style: str) -> None:
    assert asked(browser, write(style=style), checks.moving)
    assert (
        asked(browser, write(style=f"@media (prefers-reduced-motion: no-preference) {{ {style} }}"), checks.moving)
        == []
    )


def test_covering(browser: "Browser", write: Write) -> None:
    cells = (
        '<tr><th style="position: sticky; left: 0; min-width: {}px">x</th><td><p style="width: 500px">x</p></td></tr>'
    )
    region = '<div style="overflow: auto" tabindex="0"><table>{}</table></div>'
    assert asked(browser, write(region.format(cells.format(250))), checks.covering)
    assert asked(browser, write(region.format(cells.format(100))), checks.covering) == []


def test_large(write: Write) -> None:
    assert checks.too_large(write("<p>" + "word " * 600_000 + "</p>"))


def test_slow(browser: "Browser", write: Write) -> None:
    busy = "<script>const until = performance.now() + 1100; while (performance.now() < until);</script>"
    assert checks.slow(browser, write(busy), attempts=2)


@pytest.mark.parametrize(
    "fault",
    [
        "<script>document.write('<p>more</p>')</script>",
        "<script>document.querySelector('figure').append(document.querySelector('svg').cloneNode())</script>",
    ],
)
def test_lost(browser: "Browser", write: Write, fault: str) -> None:
    assert checks.lost(browser, write(fault))


@pytest.mark.parametrize(
    ("put", "style", "found"),
    [
        (('<a href="#main">Skip</a>', ""), "", "first stop"),
        (("", ""), "a { outline: none !important }", "is not seen to be focused"),
        (("", ""), "nav { position: absolute; left: -9000px }", "is not seen to be focused"),
    ],
)
def test_unfocused(browser: "Browser", write: Write, put: tuple[str, str], style: str, found: str) -> None:
    with opened(browser, write(style=style, put=put)) as (page, _):
        assert any(found in each for each in checks.unfocused(page))
