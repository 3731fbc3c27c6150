"""Sections of a page that compare the games: how fair, how skilful, how long, and what decides."""

import pandas as pd

from analyses.balance.measures import MEASURES
from analyses.balance.skill import BETTER, WEAKER
from analyses.frames import rows_of
from analyses.jobs import STRENGTHS
from basra_sim.stats import Estimate
from reports.balance_figures import plot_deciding, plot_leads, plot_lengths, plot_luck, plot_shares
from reports.balance_rows import COLUMNS, SIGNED, TWO, UNEQUAL, Balance, label, leads
from reports.balance_scoring import scoring
from reports.balance_words import FAIR, SKILL, STATED, verdicts
from reports.figures import plot_measure, plot_points
from reports.numbers import shown_unit
from reports.parts import Cell, Heading, Section, Table, count_cell, drawn, estimate_cell, panels
from reports.wording import extremes, joined

NAME = "balance"
"""Name of the section with the table of all games, and of the data."""

ROW_HEIGHT = 0.33
"""Height in a figure of the row of a variant, in inches."""


def sections(rows: pd.DataFrame, single: pd.DataFrame) -> list[Section]:
    """
    Sections that compare the variants.

    Parameters
    ----------
    rows : what the jobs of `analyses.balance.runs` give
    single : what the jobs of `analyses.balance.contrasts` give
    """
    measured = Balance.of(rows)
    return [
        compared(measured),
        points(measured),
        first_move(measured),
        length(measured),
        luck(measured),
        decides(measured),
        behind(measured),
        scoring(single),
    ]


def compared(measured: Balance, data: str = NAME) -> Section:
    """All games: verdicts in words at one table, and the table that compares them at all tables."""
    at = measured.tables[0]
    skill = measured.chosen("skill", table=at)
    brief = (
        f"who plays makes up {' to '.join(extremes(skill, UNEQUAL))} of the variance of a round's margin."
        if len(skill)
        else ""
    )
    said: dict[tuple[str, ...], list[str]] = {}
    for each, table in measured.places():
        if table == at:
            said.setdefault(tuple(verdicts(measured, each, at)), []).append(each)
    findings = [(" = ".join(names), list(words)) for words, names in said.items() if words]
    level = f"All at the table are {measured.level} players where nothing else is said. Game by game ({at}):"
    return Section(
        NAME,
        "Which rules make the better game",
        brief=brief,
        text=[SKILL, STATED, FAIR, level] if findings else [],
        findings=findings,
        tables=[comparison(measured, data)],
        data={data: measured.frame} if data else {},
    )


def comparison(measured: Balance, data: str = NAME) -> Table:
    """Table that compares games, a row for each variant and table."""
    lines, there = [], set(measured.frame["measure"])
    columns = {name: title for name, title in COLUMNS.items() if name in there}
    for variant, table in measured.places():
        found = {each: measured.get(variant, table, each) for each in columns}
        units = next((each.units for name, each in found.items() if each and name != "stake"), 0)
        cells = [cell(found[each], each) for each in columns]
        lines.append([Cell(variant), Cell(table), *cells, count_cell(units)])
    headings = [
        Heading("variant", key="variant"),
        Heading("table", key="table"),
        *(Heading(title, shown_unit(MEASURES[each].unit), each) for each, title in columns.items()),
        Heading("deals", key="units"),
    ]
    weighed = f" What hangs on a decision: from {measured.decisions:,} of each game." if "stake" in there else ""
    caption = (
        f"The games side by side. Skill, the deal, rounds to tell and matches won by the better one: {BETTER} among "
        f"{WEAKER} players; all else: {measured.level} players.{weighed} 95 % intervals; seed {measured.seed}."
    )
    return Table(f"{NAME}-compared", caption, headings, 2, lines, data)


def cell(found: Estimate | None, measure: str) -> Cell:
    """Cell of a measure, if it was measured."""
    return Cell("–") if found is None else estimate_cell(found, MEASURES[measure].unit, signed=measure in SIGNED)


def points(measured: Balance) -> Section:
    """Points by source."""
    data = measured.chosen("points", policies=STRENGTHS)
    total, basras = (data[data["part"] == part] for part in ("total", "basras"))
    brief = f"a round brings the two players together, in points, {_spans(total)}."
    text = f"Of these, basras bring {_spans(basras)}."
    picture = drawn(
        lambda ax: plot_points(data, ax=ax),
        name="points",
        caption=f"Points a round by source, both players together, nothing carried in from the round before. "
        f"{played(data)}",
        alt="Stacked bars of points a round by source, for each variant and strength of play.",
        data=NAME,
        height=2.0 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section("points", "Points by source", brief=brief, text=[_sentence(brief), text], figures=[picture])


def first_move(measured: Balance) -> Section:
    """What it is worth to move first in a round."""
    data = measured.chosen("first_seat_advantage", policies=measured.policies)
    brief = f"who moves first in a round is ahead, in points, by {_spans(data, signed=True)}."
    match = measured.chosen("first_match_wins", policies=measured.policies)
    text = (
        f"The first move passes on after each round, so that little of it is left over a match. Of all matches, who "
        f"begins wins beyond an even share {_spans(match, signed=True)}."
    )
    picture = drawn(
        lambda ax: plot_measure(data, ax=ax, reference=0.0, label="first mover ahead"),
        name="first-move",
        caption=f"Points by which the first mover is ahead in a round. {played(data)}",
        alt=f"Dots with intervals for each variant: first mover ahead, in points a round: {_spans(data)}.",
        data=NAME,
        height=0.9 + 1.2 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section("first-move", "The first move", brief=brief, text=[_sentence(brief), text], figures=[picture])


def length(measured: Balance) -> Section:
    """How long matches last."""
    data, mean = (measured.chosen(each, policies=measured.policies) for each in ("match_length", "match_rounds"))
    brief = f"on average, in rounds, {_spans(mean)}."
    picture = panels(
        lambda ax, part: plot_lengths(part, ax=ax),
        [part for _, part in data.groupby("variant", sort=False)],
        name="match-length",
        caption=f"How many matches last how many rounds. {played(data)}",
        alt="A panel for each variant: the share of matches by rounds, a line for each strength of play.",
        data=NAME,
        height=1.4 * -(-data["variant"].nunique() // 3),
        labels=("rounds", "% of matches"),
    )
    return Section("match-length", "How long a match lasts", brief=brief, text=[_sentence(brief)], figures=[picture])


def luck(measured: Balance) -> Section:
    """Shares of the variance of a margin."""
    data = measured.chosen("skill", "seat_share", "deal_share", "rest_share")
    least, most = extremes(data[data["measure"] == "deal_share"], UNEQUAL)
    brief = f"the deal, whoever sits where, makes up {least} to {most} of the variance of a round's margin."
    told = measured.chosen("rounds_to_tell")
    least, most = extremes(told, UNEQUAL)
    text = (
        f"To be ahead of a {WEAKER} player in sum with a chance of 95 %, {BETTER} needs {least} to {most} rounds (by "
        "the normal approximation to the sum of many rounds)."
    )
    picture = drawn(
        lambda ax: plot_shares(data, ax=ax),
        name="luck",
        caption=f"What the variance of a round's margin goes back to, {BETTER} among {WEAKER} players, two at "
        f"the table. {played(data)} The interval is that of skill, the share of who plays.",
        alt="Stacked bars of four shares of the variance for each variant: who plays, the seats, the deal, the rest.",
        data=NAME,
        height=0.9 + ROW_HEIGHT * data["variant"].nunique(),
    )
    against = drawn(lambda ax: plot_luck(data, ax=ax), name="skill-luck", caption="", alt="", data=NAME, height=3.6)
    return Section("luck", "Skill and luck", brief=brief, text=[_sentence(brief), text], figures=[against, picture])


def decides(measured: Balance) -> Section:
    """What decides rounds and matches."""
    names = [f"{unit}_without_{source}" for unit in ("round", "match") for source in ("majority", "basras", "cards")]
    data = measured.chosen(*names, policies=[measured.level])
    one = measured.chosen("one_round_decides", policies=[measured.level])
    spans = [
        f"{' to '.join(extremes(data[data['measure'] == f'match_without_{source}'], measured.level))} without {words}"
        for source, words in (("majority", "points for most cards"), ("basras", "basras"))
    ]
    brief = f"a match would have ended otherwise, with another winner or a tie, in {joined(spans)}."
    text = (
        "A source that brings many points need not decide much, if both players get their part of it. Of the "
        "matches won, the winner would not be in front without one of the rounds in "
        f"{' to '.join(extremes(one, measured.level))}."
    )
    picture = drawn(
        lambda ax: plot_deciding(data, ax=ax),
        name="deciding",
        caption="How often a round, or a match, would have had another outcome if a source of points had scored "
        f"nothing, the same cards having been played. {played(data)}",
        alt="Dots with intervals for each variant: rounds and matches with another outcome without most cards, without "
        "basras, and without aces, jacks, point two and 10♦.",
        data=NAME,
        height=1.3 + 1.3 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section("deciding", "What decides", brief=brief, text=[_sentence(brief), text], figures=[picture])


def behind(measured: Balance) -> Section:
    """Chances to come back."""
    parts = [leads(measured, each, TWO, measured.level) for each in measured.variants]
    data = pd.concat(parts)
    typical = data[(data["lead"] == 20) & (data["lacking"] == 40)]
    changes = measured.chosen("lead_changes", policies=[measured.level])
    what = label("comeback", "20 behind, 40 to go")
    brief = f"{what.replace('won when', 'a side that is')} wins {' to '.join(extremes(typical, measured.level))}."
    text = f"The lead passes to the other side, times a match, {' to '.join(extremes(changes, measured.level))}."
    picture = panels(
        lambda ax, part: plot_leads(part, ax=ax),
        parts,
        name="comebacks",
        caption="Matches won by a side that is so many points behind, for how many points the other lacks to the "
        f"target; averaged over who moves first. {played(data)}",
        alt="A panel for each variant: matches won against points behind, a line for each number of points to go.",
        data=NAME,
        height=1.4 * -(-len(parts) // 3),
        labels=("points ahead", "% of matches won by who is ahead"),
    )
    return Section("comebacks", "Leads and comebacks", brief=brief, text=[_sentence(brief), text], figures=[picture])


def played(frame: pd.DataFrame) -> str:
    """How much a figure rests on, and the seed."""
    counts = frame.drop_duplicates("policy")
    parts = [f"{row['units']:,} by {str(row['policy']).replace(', ', ' and ')}" for row in rows_of(counts)]
    return f"Deals of each variant: {joined(parts)} players; 95 % intervals; seed {frame['seed'].iloc[0]}."


def _spans(frame: pd.DataFrame, *, signed: bool = False) -> str:
    """The least and the greatest estimate of a measure for each strength of play, in a sentence."""
    spans = ((" to ".join(extremes(frame, policy, signed=signed)), policy) for policy in dict.fromkeys(frame["policy"]))
    return "; ".join(f"{span} among {policy} players" for span, policy in spans)


def _sentence(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[0].upper() + text[1:]
