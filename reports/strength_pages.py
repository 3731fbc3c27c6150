"""A ladder by itself: as a picture, and as a page that needs nothing else."""

import io

import pandas as pd
from matplotlib.figure import Figure as Canvas

from analyses.strength.ladder import RATING, Ladder
from basra_sim import __version__
from reports.pages import environment
from reports.parts import WIDTH
from reports.strength import height, section
from reports.strength_figures import plot_ratings
from reports.style import styled

TEMPLATE = "ladder.html.j2"


def picture(ladder: Ladder) -> str:
    """The figure of the ratings, SVG."""
    ratings = ladder.ratings[ladder.ratings["measure"] == RATING]
    out = io.StringIO()
    with styled():
        figure = Canvas(figsize=(WIDTH, height(len(ratings))), layout="constrained", facecolor="white")
        plot_ratings(ratings, ax=figure.subplots())
        figure.savefig(out, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def page(ladder: Ladder, taken: pd.DataFrame | None = None, command: str = "") -> str:
    """
    Page on a ladder, HTML that needs nothing else.

    Parameters
    ----------
    taken : what can be taken from the players, as `analyses.strength.exploiting.exploitability` gives it
    command : brings the same numbers back
    """
    return (
        environment()
        .get_template(TEMPLATE)
        .render(section=section(ladder, taken, data=False), command=command, version=__version__)
    )
