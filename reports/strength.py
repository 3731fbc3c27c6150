"""The section on how strong the players are: the ladder, and what can be taken from each."""

import pandas as pd
from matplotlib.axes import Axes

from analyses.balance.runs import company_words
from analyses.frames import by_key, estimates, rows_of
from analyses.strength.exploiting import EXPLOITABILITY, SEARCHING, TUNED
from analyses.strength.ladder import ELO, MARGIN, RATING, Ladder
from analyses.strength.ratings import A_TENFOLD
from basra_sim.cli.text import counted
from reports.balance_words import HOW
from reports.parts import Cell, Detail, Figure, Heading, Section, Table, drawn, estimate_cell
from reports.strength_figures import plot_ratings
from reports.wording import joined, number

NAME, RATINGS, MARGINS, TAKEN = "strength", "ratings", "margins", "exploitability"
"""Names of the section, and of its data."""

TITLE = "How strong the players are"

SHOWN = (
    "Each played each, on the same deals from both sides. The difference of two ratings is about what one wins from "
    "the other, in points a round; all together come to 0."
)

TAKEN_SAID = (
    "No player here is perfect: whoever knows how one of them plays can win from him, round by round, at least what "
    "the last table says."
)

ADDED = (
    "Ratings in points a round are those whose differences come nearest to all margins, by least squares, each pairing "
    "counted alike; their mean is 0."
)

ELO_SAID = (
    f"Elo goes by the rounds won (Bradley and Terry): {A_TENFOLD:.0f} between two players of whom one wins ten rounds "
    "to the other's one; the mean is 0."
)

JACKKNIFE = (
    "Players met on the same deals, so that their margins hang together: the intervals of ratings come from a "
    "jackknife that leaves out groups of common deals, in all pairings at once."
)

LOWER_BOUND = (
    "What can be taken from a player, by one who knows how he plays: the gain of the better of two opponents made "
    "against him, one whose weights were tuned against him, one who searches and takes him to play as he does; 0 if "
    "neither gains. It is a lower bound: a better opponent may take more. Who cannot be thought of as weights, as one "
    "who searches, is taken to play as champion; against the expert that is no more than his like. The intervals of a "
    "player hold together."
)


def unfair(ladder: Ladder) -> list[str]:
    """What is to be said of those who see what no player may."""
    names = list(dict.fromkeys(ladder.ratings.loc[~ladder.ratings["fair"], "policy"]))
    said = f"{joined(names)} sees all cards and is no fair player: how far the others are from perfect play."
    return [said] if names else []


def played(ladder: Ladder) -> str:
    """How much was played, in words."""
    *fewer, most = sorted(set(ladder.margins["units"]))
    searched = "".join(f" ({number:,} of them where one searches)" for number in fewer)
    deals = f"{counted(most, 'deals')}{searched}"
    return f"{deals}, the same in all pairings, with the seats exchanged; seed {ladder.extent.seed}"


def section(ladder: Ladder, taken: pd.DataFrame | None = None, *, data: bool = True) -> Section:
    """
    Section on a ladder, and on what can be taken from its players.

    Parameters
    ----------
    taken : as `analyses.strength.exploiting.exploitability` gives it
    data : whether files of the data stand beside the page
    """
    of = ladder.extent
    names = [RATINGS, MARGINS, TAKEN] if data else ["", "", ""]
    ratings = ladder.ratings[ladder.ratings["measure"] == RATING]
    best = [row for row in rows_of(ratings) if row["fair"]]
    ranked = joined([str(row["policy"]) for row in best])
    frames = {RATINGS: ladder.ratings, MARGINS: ladder.margins}
    tables = [_ratings(ladder, names[0]), _margins(ladder, names[1])]
    text = [SHOWN, *unfair(ladder)]
    method = [ADDED, ELO_SAID, misfit(ladder), JACKKNIFE]
    if taken is not None:
        frames[TAKEN] = taken
        tables.append(_taken(ladder, taken, names[2]))
        text.append(TAKEN_SAID)
        method.append(LOWER_BOUND)
    return Section(
        NAME,
        TITLE,
        lead=f"In {of.table.label}, {company_words(of.table)}, from the best down: {ranked}. {gap(ratings)}",
        brief=f"in {of.table.label}, from the best down, {ranked}.",
        text=text,
        figures=[_figure(ladder, ratings, names[0])],
        tables=tables,
        details=[Detail(HOW, [*method, f"{played(ladder)}."])],
        data=frames if data else {},
    )


def gap(ratings: pd.DataFrame) -> str:
    """By how much the best fair player is rated above the last, in a sentence."""
    fair = ratings[ratings["fair"]]
    ends = [
        number(estimates(part)[0], str(part["unit"].iloc[0]), signed=True) for part in (fair.iloc[[0]], fair.iloc[[-1]])
    ]
    best, last = (str(fair["policy"].iloc[k]) for k in (0, -1))
    return f"Beside the mean of all, {best} makes {ends[0]} points a round, {last} {ends[1]}."


def misfit(ladder: Ladder) -> str:
    """How well ratings tell margins, in words."""
    return (
        f"Margins differ from the differences of ratings by {ladder.misfit:.1f} points (root of the mean square): who "
        "is better against one need not be so against all."
    )


def height(players: int) -> float:
    """Height of the figure of so many players, in inches."""
    return 0.75 + 0.3 * players


def _figure(ladder: Ladder, ratings: pd.DataFrame, data: str) -> Figure:
    """Figure of the ratings in points."""

    def draw(ax: Axes) -> None:
        plot_ratings(ratings, ax=ax)

    return drawn(
        draw,
        name="ladder",
        caption=f"Ratings in points a round; hollow: no fair player. {played(ladder)}; 95 % intervals.",
        alt=f"Ratings with intervals, a row for each of {joined([str(name) for name in ratings['policy']])}. "
        f"{gap(ratings)}",
        data=data,
        height=height(len(ratings)),
    )


def _ratings(ladder: Ladder, data: str) -> Table:
    """Table of the ratings, the best player first."""
    found = by_key(ladder.ratings, "policy", "measure")
    units = {row["measure"]: row["unit"] for row in rows_of(ladder.ratings)}
    rows = [
        [
            Cell(name),
            estimate_cell(found[name, RATING], units[RATING], signed=True),
            estimate_cell(found[name, ELO], units[ELO], signed=True),
        ]
        for name in dict.fromkeys(map(str, ladder.ratings["policy"]))
    ]
    headings = [Heading("player", key="policy"), Heading("rating", "points a round", RATING), Heading("Elo", key=ELO)]
    caption = f"Ratings, the best player first. {played(ladder)}; 95 % intervals."
    return Table(RATINGS, caption, headings, 1, rows, data)


def _margins(ladder: Ladder, data: str) -> Table:
    """Table of the margins: a row for the one who is tried, a column for each opponent."""
    part = ladder.margins[ladder.margins["measure"] == MARGIN]
    found, unit = by_key(part, "policy", "opponent"), str(part["unit"].iloc[0])
    names = list(dict.fromkeys(map(str, part["policy"])))
    rows = [
        [
            Cell(one),
            *(Cell("–") if one == other else estimate_cell(found[one, other], unit, signed=True) for other in names),
        ]
        for one in names
    ]
    headings = [Heading("points a round over", key="policy"), *(Heading(name, key=name) for name in names)]
    caption = f"What each player gains on each other, in points a round. {played(ladder)}; 95 % intervals."
    return Table(MARGINS, caption, headings, 1, rows, data)


def _taken(ladder: Ladder, taken: pd.DataFrame, data: str) -> Table:
    """Table of what can be taken from each player."""
    found, unit = by_key(taken, "policy", "measure"), str(taken["unit"].iloc[0])
    who = {(row["policy"], row["measure"]): str(row["response"]) for row in rows_of(taken)}
    rows = [
        [
            Cell(name),
            estimate_cell(found[name, EXPLOITABILITY], unit),
            *(
                estimate_cell(found[name, how], unit, signed=True, note=f"by {who[name, how]}")
                for how in (TUNED, SEARCHING)
            ),
        ]
        for name in dict.fromkeys(map(str, taken["policy"]))
    ]
    headings = [
        Heading("from", key="policy"),
        Heading("at least", "points a round", EXPLOITABILITY),
        Heading("by weights tuned against him", "points a round", TUNED),
        Heading("by one who searches, knowing him", "points a round", SEARCHING),
    ]
    counts = [f"{number:,}" for number in sorted(set(taken["units"]), reverse=True)]
    caption = (
        f"What can be taken from each player at least. {joined(counts)} deals, each with the seats exchanged; 95 % "
        f"intervals for all of a player together; seed {ladder.extent.seed}."
    )
    return Table(TAKEN, caption, headings, 1, rows, data)
