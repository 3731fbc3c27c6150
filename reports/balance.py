"""Sections of a page that compare the games: how fair, how skilful, how long, and what decides."""

from collections.abc import Sequence

import pandas as pd

from analyses.balance.measures import MEASURES
from analyses.balance.skill import BETTER, WEAKER
from analyses.frames import rows_of
from analyses.jobs import STRENGTHS, STRONGEST
from basra_sim.stats import Estimate
from reports.balance_figures import SHARES, plot_deciding, plot_leads, plot_lengths, plot_luck, plot_shares
from reports.balance_rows import COLUMNS, RARE, SIGNED, TWO, UNEQUAL, Balance, leads
from reports.balance_scoring import scoring
from reports.balance_words import CHANCE_SAID, FAIR, HOW, INTERVALS, READING, SKILL, STATED, span, verdicts
from reports.figures import plot_measure, plot_points
from reports.numbers import shown_unit
from reports.parts import Cell, Detail, Heading, Section, Table, count_cell, drawn, estimate_cell, panels
from reports.wording import extremes, joined

NAME = "balance"
"""Name of the section with the table of all games, and of the data."""

NORMAL = (
    "How soon the better one is ahead goes by the normal approximation to the sum of many rounds: the rounds after "
    "which his mean margin is as many standard errors above 0 as that chance asks for."
)

AHEAD = (
    "The numbers behind the figure are those of the side behind; with two sides, what is left to all is the other's: "
    "its interval is the same, turned over."
)

ROW_HEIGHT = 0.33
"""Height in a figure of the row of a variant, in inches."""


def sections(rows: pd.DataFrame, single: pd.DataFrame | None = None) -> list[Section]:
    """
    Sections that compare the variants.

    Parameters
    ----------
    rows : what the jobs of `analyses.balance.runs` give
    single : what the jobs of `analyses.balance.contrasts` give, if they were played
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
        *([scoring(single)] if single is not None else []),
    ]


def compared(measured: Balance, data: str = NAME) -> Section:
    """All games: verdicts in words at one table, and the table that compares them at all tables."""
    at = measured.tables[0]
    skill = measured.chosen("skill", table=at)
    brief = f"who plays decides {span(skill, UNEQUAL)} of what sets players apart." if len(skill) else ""
    said: dict[tuple[str, ...], list[str]] = {}
    for each, table in measured.places():
        if table == at:
            said.setdefault(tuple(verdicts(measured, each, at)), []).append(each)
    findings = [(" = ".join(names), list(words)) for words, names in said.items() if words]
    level = f"All at the table are {measured.level} players where nothing else is said. Game by game ({at}):"
    return Section(
        NAME,
        "Which rules make the better game",
        lead=most_skilful(skill) if len(skill) else "",
        brief=brief,
        text=[READING, level] if findings else [],
        findings=findings,
        tables=[comparison(measured, data)],
        details=[Detail(HOW, [SKILL, STATED, FAIR, INTERVALS, measured_by(measured)])],
        data={data: measured.frame} if data else {},
    )


def most_skilful(skill: pd.DataFrame) -> str:
    """In which game who plays decides most, and in which least, in a sentence."""
    if skill["variant"].nunique() < 2:
        return f"Who plays decides {span(skill, UNEQUAL)} of what sets the players of a round apart."
    least, most = extremes(skill, UNEQUAL)
    return (
        f"Some rules leave far more to the players than others: who plays decides {most} of what sets the players of a "
        f"round apart at most, and {least} at least."
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
    brief = f"a round brings the two players together {span(total, measured.level)} points."
    text = (
        f"So it is among {measured.level} players. {_others(measured.level, total)}Of these points basras bring "
        f"{_spans(basras)}."
    )
    picture = drawn(
        lambda ax: plot_points(data, ax=ax),
        name="points",
        caption=f"Points a round by source, both players together, nothing carried in from the round before. "
        f"{played(data)}",
        alt=f"Stacked bars, a pair for each variant: {brief}",
        data=NAME,
        height=0.9 + 1.9 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section(
        "points",
        "Points by source",
        lead=_sentence(brief),
        brief=brief,
        text=[text],
        figures=[picture],
        details=[how(measured, "points", "basras")],
    )


def first_move(measured: Balance) -> Section:
    """What it is worth to move first in a round."""
    data = measured.chosen("first_seat_advantage", policies=measured.policies)
    level = STRONGEST if STRONGEST in measured.policies else measured.level
    behind = " (below 0: behind)" if (data[data["policy"] == level]["estimate"] < 0).any() else ""
    brief = (
        f"among {level} players, who moves first in a round comes out ahead by {span(data, level, signed=True)} "
        f"points{behind}."
    )
    match = measured.chosen("first_match_wins", policies=measured.policies)
    text = (
        f"{_others(level, data, signed=True)}The first move passes on after each round, so that little of it is left "
        f"over a match: of all matches, who begins wins beyond an even share {_spans(match, signed=True)}."
    )
    picture = drawn(
        lambda ax: plot_measure(data, ax=ax, reference=0.0, label="first mover ahead"),
        name="first-move",
        caption=f"Points by which the first mover is ahead in a round. {played(data)}",
        alt=f"Dots with intervals for each variant: {brief}",
        data=NAME,
        height=1.1 + 1.2 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section(
        "first-move",
        "The first move",
        lead=_sentence(brief),
        brief=brief,
        text=[text],
        figures=[picture],
        details=[how(measured, "first_seat_advantage", "first_match_wins")],
    )


def length(measured: Balance) -> Section:
    """How long matches last."""
    data, mean = (measured.chosen(each, policies=measured.policies) for each in ("match_length", "match_rounds"))
    brief = f"on average {span(mean, measured.level)} rounds."
    picture = panels(
        lambda ax, part: plot_lengths(part, ax=ax),
        [part for _, part in data.groupby("variant", sort=False)],
        name="match-length",
        caption=f"How many matches last how many rounds; lengths rarer than {100 * RARE:.1f} % with all players are "
        f"left out. {played(data)}",
        alt=f"A panel for each variant: the share of matches by their rounds. A match takes {brief}",
        data=NAME,
        height=0.6 + 1.35 * -(-data["variant"].nunique() // 3),
        labels=("rounds", "% of matches"),
    )
    return Section(
        "match-length",
        "How long a match lasts",
        lead=f"A match takes {brief}",
        brief=brief,
        text=[f"So it is among {measured.level} players. {_others(measured.level, mean)}".strip()],
        figures=[picture],
        details=[how(measured, "match_rounds", "match_length")],
    )


def luck(measured: Balance) -> Section:
    """How much goes back to who plays, and how much to the deal."""
    data = measured.chosen(*SHARES)
    skill, deal = (data[data["measure"] == each] for each in ("skill", "deal_share"))
    brief = (
        f"who plays decides {span(skill, UNEQUAL)} of what sets two players apart in a round, the deal "
        f"{span(deal, UNEQUAL)}."
    )
    text = (
        "What is left is how the cards happened to suit these two players. Over many rounds luck evens out: "
        f"the better one ({BETTER} against {WEAKER}) is ahead {CHANCE_SAID} after "
        f"{span(measured.chosen('rounds_to_tell'), UNEQUAL)} rounds."
    )
    who = f"{BETTER} against {WEAKER}, two at the table"
    against = drawn(
        lambda ax: plot_luck(data, ax=ax),
        name="skill-luck",
        caption=f"Skill against luck: what part of the difference between two players in a round ({who}) goes back to "
        f"who plays, and what part to the deal, whoever plays it. {played(data)}",
        alt=f"A point with both intervals for each variant: {brief}",
        data=NAME,
        height=3.6,
    )
    picture = drawn(
        lambda ax: plot_shares(data, ax=ax),
        name="luck",
        caption=f"What sets the players of a round apart, in four parts: {who}. {played(data)} The interval is that of "
        "who plays.",
        alt=f"Stacked bars of four parts for each variant, who plays, the seats, the deal and the rest: {brief}",
        data=NAME,
        height=1.1 + ROW_HEIGHT * data["variant"].nunique(),
    )
    parts = (*SHARES, "rounds_to_tell")
    return Section(
        "luck",
        "Skill and luck",
        lead=_sentence(brief),
        brief=brief,
        text=[text],
        figures=[against, picture],
        details=[how(measured, *parts, first=(SKILL, STATED, NORMAL))],
    )


def decides(measured: Balance) -> Section:
    """What decides rounds and matches."""
    names = [f"{unit}_without_{source}" for unit in ("round", "match") for source in ("majority", "basras", "cards")]
    data = measured.chosen(*names, policies=[measured.level])
    one = measured.chosen("one_round_decides", policies=[measured.level])
    spans = [
        f"{span(data[data['measure'] == f'match_without_{source}'], measured.level)} without {words}"
        for source, words in (("majority", "points for most cards"), ("basras", "basras"))
    ]
    brief = f"a match would have ended otherwise, with another winner or a tie, in {joined(spans)}."
    text = (
        "A source that brings many points need not decide much, if both players get their part of it. A single round "
        f"decides {span(one, measured.level)} of the matches: without it the winner would not be alone in front."
    )
    picture = drawn(
        lambda ax: plot_deciding(data, ax=ax),
        name="deciding",
        caption="How often a round (hollow), or a match (filled), would have had another outcome if a source of points "
        f"had scored nothing, the same cards having been played. {played(data)}",
        alt="Dots with intervals for each variant: rounds and matches that end otherwise without most cards, without "
        f"basras, and without aces, jacks, point two and 10♦. {_sentence(brief)}",
        data=NAME,
        height=1.3 + 1.3 * ROW_HEIGHT * data["variant"].nunique(),
    )
    return Section(
        "deciding",
        "What decides",
        lead=_sentence(brief),
        brief=brief,
        text=[text],
        figures=[picture],
        details=[how(measured, *names, "one_round_decides")],
    )


def behind(measured: Balance) -> Section:
    """What a lead is worth."""
    parts = [leads(measured, each, TWO, measured.level) for each in measured.variants]
    data = pd.concat(parts)
    typical = data[(data["lead"] == 20) & (data["lacking"] == 40)]
    changes = measured.chosen("lead_changes", policies=[measured.level])
    brief = f"a side that is 20 ahead, with 40 to go, wins the match in {span(typical, measured.level)} of all cases."
    text = f"The lead passes to the other side {span(changes, measured.level)} times a match."
    picture = panels(
        lambda ax, part: plot_leads(part, ax=ax),
        [part for part in parts if len(part)],
        name="comebacks",
        caption="Matches won by a side that is so many points ahead; a line for each number of points that it lacks to "
        f"the target (20, 40, 60: the numbers beside the lines). Averaged over who moves first. {played(data)}",
        alt="A panel for each variant: matches won by points ahead, a line for each number of points to go. "
        f"{_sentence(brief)}",
        data=NAME,
        height=0.7 + 1.4 * -(-len(parts) // 3),
        labels=("points ahead", "% of matches won"),
    )
    return Section(
        "comebacks",
        "What a lead is worth",
        lead=_sentence(brief),
        brief=brief,
        text=[text],
        figures=[picture],
        details=[how(measured, "comeback", "lead_changes", first=(AHEAD,))],
    )


def played(frame: pd.DataFrame) -> str:
    """How much a figure rests on, and the seed."""
    counts = frame.drop_duplicates("policy")
    parts = [f"{row['units']:,} by {str(row['policy']).replace(', ', ' and ')}" for row in rows_of(counts)]
    return f"Deals of each variant: {joined(parts)} players; 95 % intervals; seed {frame['seed'].iloc[0]}."


def _spans(frame: pd.DataFrame, *, signed: bool = False) -> str:
    """The least and the greatest estimate of a measure for each strength of play, in a sentence."""
    policies = dict.fromkeys(map(str, frame["policy"]))
    return "; ".join(f"{span(frame, policy, signed=signed)} among {policy} players" for policy in policies)


def measured_by(measured: Balance) -> str:
    """How much all of it rests on, and the seed."""
    deals = [
        f"{policy.replace(', ', ' against ')} {least:,}{f' to {most:,}' if most > least else ''}"
        for policy, least, most in measured.deals()
    ]
    return f"Deals of a variant and table: {'; '.join(deals)}. Seed {measured.seed}."


def how(measured: Balance, *names: str, first: Sequence[str] = ()) -> Detail:
    """What stands behind the numbers of a section: what is measured, in which unit, after whom, how closely."""
    meanings = [
        f"{each.name} ({shown_unit(each.unit)}): {each.meaning}.{f' {each.source}.' if each.source else ''}"
        for each in (MEASURES[name] for name in names)
    ]
    return Detail(HOW, [*first, *meanings, INTERVALS, measured_by(measured)])


def _others(level: str, frame: pd.DataFrame, *, signed: bool = False) -> str:
    """The least and the greatest estimate for all other strengths of play, as a sentence before another."""
    rest = frame[frame["policy"] != level]
    return f"Others: {_spans(rest, signed=signed)}. " if len(rest) else ""


def _sentence(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[0].upper() + text[1:]
