"""How figures look, and how they become part of a page: text stays text, colours follow its light or dark mode."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from matplotlib.figure import Figure
from matplotlib.style import context

from reports.slim import slim

INK, FAINT, BAND, PAPER = "#1b1b1b", "#d9d9d8", "#ececea", "#fdfdfb"
"""Text and axes; grid; a band that marks what does not matter; what all is drawn on."""

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

SIZE = 10.5
"""Size of all text in points: of a figure of `parts.WIDTH` on a telephone of 360 px, some 9 px are left of it."""

_SETTINGS: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": SEEDED,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": SIZE,
    "xtick.labelsize": SIZE,
    "ytick.labelsize": SIZE,
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
    "figure.labelsize": SIZE,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "legend.fontsize": SIZE,
    "path.simplify": False,
}

_VARIABLES = {
    INK: "ink",
    FAINT: "faint",
    BAND: "band",
    PAPER: "paper",
    **{code: name for name, code in OKABE_ITO.items()},
}
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
    drawn = slim(
        out.getvalue(), name, common=("font-family", f"font-size:{SIZE}px", "text-anchor:start", f"fill:{INK}")
    )
    for code, variable in _VARIABLES.items():
        drawn = drawn.replace(code, f"var(--{variable})")
    width, height = (f"{72 * side:g}" for side in figure.get_size_inches())
    look = f"font-family:var(--font);font-size:{SIZE}px;fill:var(--{_VARIABLES[INK]})"
    label = _attribute(alt)
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}" style="{look}">\n{drawn}\n</svg>'


def png(figure: Figure) -> bytes:
    """A figure as a PNG, on white paper and twice as fine as a screen; nothing in it tells when it was made."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=192, facecolor="white", metadata={"Software": None})
    return out.getvalue()


def _attribute(text: str) -> str:
    """Text as the value of an attribute."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
