"""How pages are made: templates with style sheet and script, and a report as one HTML page that needs nothing else."""

from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from basra_sim import __version__
from reports.chapters import HINT, INTRODUCTION
from reports.document import Report
from reports.folder import GENERATOR
from reports.said import as_html

STYLE, SCRIPT = "report.css", "report.js"
"""Files that stand inside every page."""


def environment() -> Environment:
    """Where templates are found, how they are filled in (numbers in sentences become elements), and what all know."""
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=as_html,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(style=_inline(STYLE), script=_inline(SCRIPT))
    return made


def _inline(name: str) -> Markup:
    """Text of a file among the templates, to stand in a page as it is."""
    return Markup(resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8"))


def page(report: Report) -> str:
    """A report as an HTML page."""
    made = environment().get_template("report.html.j2")
    return made.render(
        report=report,
        introduction=INTRODUCTION,
        hint=HINT,
        version=__version__,
        generator=GENERATOR,
    )
