"""Sections of a page that compare the variants."""

from itertools import product

import pandas as pd

from analyses.frames import by_key
from analyses.jobs import STRENGTHS
from analyses.variants import AHEAD, BOTH, FIRST_WON, SOURCES, TIED, compare, lengths, rounds_can_tie
from basra_sim.simulation import MEASURES, Measure
from basra_sim.variants import variant
from reports.figures import plot_lengths, plot_measure, plot_points
from reports.numbers import shown_unit
from reports.parts import Cell, Figure, Heading, Section, Table, by_variant, count_cell, drawn, estimate_cell, panels
from reports.wording import extremes, joined, sides, titled

ROW_HEIGHT = 0.33
"""Height in a figure of the row of a variant, in inches."""


def sections(frame: pd.DataFrame) -> list[Section]:
    """
    Sections that compare the variants.

    Parameters
    ----------
    frame : DataFrame
        What the jobs of `analyses.variants` give.
    """
    return [points(frame), first_move(frame), ties(frame), length(frame), basras(frame)]


def points(frame: pd.DataFrame) -> Section:
    """Points by source."""
    name = "points"
    data = compare(frame, [*SOURCES, "total"], BOTH)
    cards = data[data["measure"].isin(SOURCES[:4])].groupby(["variant", "policy"])["estimate"].sum().unique()
    worth = f"the same {cards[0]:.0f} points a round" if len(cards) == 1 else f"{cards.min():.1f} to {cards.max():.1f}"
    caption = f"Points a round by source, both players together. {_played(data)}"
    brief = f"basras bring the two players together, in points a round, {_spans(data[data['measure'] == 'basras'])}."
    carried = (
        "Most cards bring more than the bonus where a tie pays both players, and less where it pays neither. Where a "
        "tie is carried over, its points count in the round that brings them."
    )
    text = [
        f"Aces, jacks, the point two and 10♦ are worth {worth} in every variant, whoever wins them.",
        f"The rest is the bonus for most cards, and basras: {brief}",
        carried,
    ]
    picture = drawn(
        lambda ax: plot_points(data, ax=ax),
        name=name,
        caption=caption,
        alt="Stacked bars of points a round by source, for each variant and strength of play.",
        data=name,
        height=2.0 * ROW_HEIGHT * data["variant"].nunique(),
    )
    table = by_variant(data, name=name, caption=caption, titles=titled(MEASURES[each] for each in (*SOURCES, "total")))
    return Section(
        name, "Points by source", brief=brief, text=text, figures=[picture], tables=[table], data={name: data}
    )


def first_move(frame: pd.DataFrame) -> Section:
    """The first mover's advantage."""
    name = "first-move"
    ahead, won = compare(frame, [*SOURCES, "first_margin"], AHEAD), compare(frame, [FIRST_WON.name])
    margin = ahead[ahead["measure"] == "first_margin"]
    brief = f"who moves first is ahead, in points a round, by {_spans(margin, signed=True)}."
    left = (
        "The first move passes on after each round, so little of that is left over a match: whoever moves first in the "
        f"first round wins {_spans(won)}. Half of them would be even."
    )
    text = [*(_told_apart(margin, policy) for policy in STRENGTHS), left]
    figures = [
        _dots(
            margin, f"{name}-margin", name, "first mover ahead", "Points a round that the first mover is ahead.", 0.0
        ),
        _dots(won, f"{name}-won", name, "won by the first mover", "Matches won by who began the first round.", 0.5),
    ]
    data = pd.concat([ahead, won], ignore_index=True)
    measures = [MEASURES[each] for each in (*SOURCES, "first_margin")]
    table = by_variant(
        data,
        name=name,
        caption=f"By how much the first mover is ahead, by source; matches won by who began. {_played(data)}",
        titles=titled([*measures, FIRST_WON]),
        signed=[measure.name for measure in measures],
    )
    return Section(name, "The first move", brief=brief, text=text, figures=figures, tables=[table], data={name: data})


def ties(frame: pd.DataFrame) -> Section:
    """Ties of rounds, of the majority, of matches."""
    name = "ties"
    measures = {
        "tied for points": MEASURES["tied"],
        "tied for cards": MEASURES["majority_tied"],
        "tied at the top": TIED,
    }
    data = compare(frame, [measure.name for measure in measures.values()])
    parts = {measure.name: data[data["measure"] == measure.name] for measure in measures.values()}
    brief = f"a round ends with equal points in {_spans(parts['tied'])}."
    text = [
        brief[0].upper() + brief[1:],
        f"It ends with equal numbers of cards in {_spans(parts['majority_tied'])}.",
        f"A match comes to a tie at the top, which more rounds then break, in {_spans(parts[TIED.name])}.",
    ]
    never = [each for each in data["variant"].unique() if not rounds_can_tie(variant(each).rules)]
    if never:
        text.append(
            f"Under {joined(never)} no round can end with equal points: the points of a round always add up to an odd "
            "number."
        )
    figures = [
        _dots(parts[each.name], f"{name}-{each.name}".replace("_", "-"), name, label, f"{_sentence(each)}.")
        for label, each in measures.items()
    ]
    table = by_variant(data, name=name, caption=f"Ties. {_played(data)}", titles=titled(measures.values()))
    return Section(name, "Ties", brief=brief, text=text, figures=figures, tables=[table], data={name: data})


def length(frame: pd.DataFrame) -> Section:
    """The length of a match."""
    name, spread = "match-length", "match-length-shares"
    data, shares = compare(frame, ["match_rounds"]), lengths(frame)
    brief = f"on average, in rounds, {_spans(data)}."
    parts = [part for _, part in shares.groupby("variant", sort=False)]
    distribution = panels(
        lambda ax, part: plot_lengths(part, ax=ax),
        parts,
        name=spread,
        caption=f"How many matches last how many rounds. {_played(shares)}",
        alt="A panel for each variant: the share of matches by rounds, a line for each strength of play.",
        data=spread,
        height=1.4 * -(-len(parts) // 3),
        labels=("rounds", "% of matches"),
    )
    caption = "Rounds that a match lasts, on average."
    tables = [
        by_variant(data, name=name, caption=f"{caption} {_played(data)}", titles=titled([MEASURES["match_rounds"]])),
        _length_table(shares, spread),
    ]
    figures = [_dots(data, name, name, "length of a match", caption), distribution]
    frames = {name: data, spread: shares}
    return Section(
        name,
        "How long a match lasts",
        brief=brief,
        text=[brief[0].upper() + brief[1:]],
        figures=figures,
        tables=tables,
        data=frames,
    )


def basras(frame: pd.DataFrame) -> Section:
    """Basras."""
    name = "basras"
    data = compare(frame, ["basra_count"], BOTH)
    weaker, stronger = (data[data["policy"] == policy].set_index("variant")["estimate"] for policy in STRENGTHS)
    fewer = (1 - stronger / weaker) * 100
    brief = f"a round brings the two players together {_spans(data)}."
    why = (
        f"{STRENGTHS[1].capitalize()} players, who look at what they leave to the next, make {fewer.min():.0f} to "
        f"{fewer.max():.0f} % fewer basras than {STRENGTHS[0]} ones: they concede fewer."
    )
    text = [brief[0].upper() + brief[1:], why]
    caption = "Basras a round, both players together."
    picture = _dots(data, name, name, "basras, both players", caption)
    table = by_variant(data, name=name, caption=f"{caption} {_played(data)}", titles=titled([MEASURES["basra_count"]]))
    return Section(name, "Basras", brief=brief, text=text, figures=[picture], tables=[table], data={name: data})


def _told_apart(margin: pd.DataFrame, policy: str) -> str:
    """Under which rules the first mover is ahead among players of one strength, and under which not."""
    total = margin["variant"].nunique()
    above, below, between = (
        "all" if len(names) == total else joined(names) or "none" for names in sides(margin, policy, 0.0)
    )
    span = " to ".join(extremes(margin, policy, signed=True))
    return (
        f"Among {policy} players the first mover is ahead by {span} points a round. The interval lies above 0 under "
        f"{above}; below it under {below}; on both sides under {between}."
    )


def _played(frame: pd.DataFrame) -> str:
    """How much a figure or table rests on, and the seed."""
    counts = [f"{frame.loc[frame['policy'] == policy, 'units'].iloc[0]:,} by {policy}" for policy in STRENGTHS]
    return f"Matches for each variant: {joined(counts)} players; 95 % intervals; seed {frame['seed'].iloc[0]}."


def _spans(frame: pd.DataFrame, *, signed: bool = False) -> str:
    """The least and the greatest estimate of a measure for each strength of play, in a sentence."""
    spans = ((" to ".join(extremes(frame, policy, signed=signed)), policy) for policy in STRENGTHS)
    return "; ".join(f"{span} among {policy} players" for span, policy in spans)


def _sentence(measure: Measure) -> str:
    """What a measure means, as the beginning of a sentence."""
    return measure.meaning[0].upper() + measure.meaning[1:]


def _dots(
    frame: pd.DataFrame, name: str, data: str, label: str, caption: str, reference: float | None = None
) -> Figure:
    """Figure of one measure of all variants."""
    unit = str(frame["unit"].iloc[0])
    return drawn(
        lambda ax: plot_measure(frame, ax=ax, reference=reference, label=label),
        name=name,
        caption=f"{caption} {_played(frame)}",
        alt=f"Dots with intervals for each variant, {label}, {shown_unit(unit)}: {_spans(frame)}.",
        data=data,
        height=0.9 + ROW_HEIGHT * frame["variant"].nunique(),
    )


def _length_table(shares: pd.DataFrame, name: str) -> Table:
    """Table of the share of matches of each length."""
    found = by_key(shares, "variant", "policy", "length")
    columns = range(int(shares["length"].min()), int(shares["length"].max()) + 1)
    rows = []
    for each, policy in product(shares["variant"].unique(), shares["policy"].unique()):
        cells = [found.get((each, policy, str(rounds))) for rounds in columns]
        row = [Cell("–") if cell is None else estimate_cell(cell, "of matches") for cell in cells]
        rows.append([Cell(each), Cell(policy), *row, count_cell(max(cell.units for cell in cells if cell))])
    headings = [
        Heading("variant", key="variant"),
        Heading("players", key="policy"),
        *(Heading("1 round" if each == 1 else f"{each} rounds", "% of matches", str(each)) for each in columns),
        Heading("matches", key="units"),
    ]
    return Table(name, f"How many matches last how many rounds. {_played(shares)}", headings, 2, rows, name)
