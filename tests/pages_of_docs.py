"""Reading the README and the pages in ``docs``: code blocks, the files they are to be put in, commands, prose."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"`([\w-]+\.(?:py|toml))`:\s*$")
_MADE = re.compile(r"<!-- ([\w-]+): made -->\n.*?<!-- /\1 -->", re.DOTALL)


class Block(NamedTuple):
    """A code block: its language, its text, and the file that the words before it name, if any."""

    kind: str
    text: str
    file: str


def read(page: Path) -> str:
    """Text of a page."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    """Code blocks of a page, in their order."""
    text, found = read(page), []
    for match in _BLOCK.finditer(text):
        named = _FILE.search(text[: match.start()])
        found.append(Block(match[1], match[2], named[1] if named else ""))
    return found


def command_lines(page: Path) -> list[str]:
    """Lines of the blocks for a shell that call the program, without their comments."""
    lines = [
        line.split("  #")[0].strip() for each in blocks(page) if each.kind == "sh" for line in each.text.splitlines()
    ]
    return [line for line in lines if line.startswith("basra-sim")]


def spans(page: Path) -> Iterator[str]:
    """Pieces of code within sentences, each in one line."""
    for match in re.finditer(r"`([^`]+)`", _BLOCK.sub("", read(page))):
        yield " ".join(match[1].split())


def prose(page: Path) -> str:
    """Sentences of a page as one line: without code, made parts and addresses."""
    text = _MADE.sub("", _BLOCK.sub("", read(page)))
    text = re.sub(r"`[^`]+`", "`…`", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"^\s*\d+\. ", "", text, flags=re.MULTILINE)
    return " ".join(text.split())
