"""How figures look, and how they become part of a page: text stays text, colours follow its light or dark mode."""

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from matplotlib.figure import Figure
from matplotlib.style import context

INK, FAINT, BAND = "#1b1b1b", "#d9d9d8", "#ececea"
"""Text and axes; grid; a band that marks what does not matter."""

OKABE_ITO = {
    "blue": "#0072b2",
    "vermillion": "#d55e00",
    "green": "#009e73",
    "orange": "#e69f00",
    "purple": "#cc79a7",
    "sky": "#56b4e9",
}
"""Colours that people with any kind of colour vision tell apart (Okabe and Ito, 2008)."""

SEEDED = "basra-sim"

_SETTINGS: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": SEEDED,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.2,
    "figure.labelsize": 9.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "path.simplify": False,
}

_VARIABLES = {INK: "ink", FAINT: "faint", BAND: "band", **{code: name for name, code in OKABE_ITO.items()}}
"""Names under which a page knows the colours."""


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of the reports, whatever a person's own settings are."""
    with context(["default", dict(_SETTINGS)]):
        yield


def svg(figure: Figure, name: str, alt: str) -> str:
    """
    A figure as an ``<svg>`` element to stand in a page.

    Parameters
    ----------
    name : str
        Put before the ids in it, so that figures of one page do not get into each other's way.
    alt : str
        What a person should know who does not see it.
    """
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'url\(#|href="#', lambda found: f"{found[0]}{name}-", text)
    text = re.sub(r'font-family: [^;"]*', "font-family: var(--font)", text)
    for code, variable in _VARIABLES.items():
        text = text.replace(code, f"var(--{variable})")
    head = re.search(r'viewBox="[^"]*"', text)
    opening = f'<svg {head[0] if head else ""} role="img" aria-label="{_attribute(alt)}">'
    return re.sub(r"<svg[^>]*>", lambda _: opening, text, count=1).replace("\n\n", "\n").strip()


def png(figure: Figure) -> bytes:
    """A figure as a PNG, on white paper and twice as fine as a screen; nothing in it tells when it was made."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=192, facecolor="white", metadata={"Software": None})
    return out.getvalue()


def _attribute(text: str) -> str:
    """Text as the value of an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
