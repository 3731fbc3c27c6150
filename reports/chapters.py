"""Chapters of a report in words of their own: how it was done, who played, what was settled, what it cannot tell."""

import platform
from collections.abc import Sequence
from importlib import metadata

import pandas as pd

from analyses.claims import choices, observations, opinions, ways
from analyses.claims.observed import COUNTS
from analyses.claims.verdict import RULE
from analyses.jobs import ADVISER, PLAYERS, STRONGEST, Effort
from basra_sim import __version__
from basra_sim.policies import get_policy
from basra_sim.variants import SOURCES, TABLE_COLUMNS, Variant, variant
from reports.parts import Cell, Chapter, Detail, Heading, Section, Table, count_cell
from reports.scope import ADVICE, GAMES, PARTS, Scope
from reports.scope import PLAYERS as RATED
from reports.sentences import known_as
from reports.wording import joined

SOFTWARE = ("numba", "numpy", "scipy", "pandas", "matplotlib")
"""Packages that numbers or pictures may depend on."""

INTRODUCTION = (
    "Basra, Bastra, Ashush: one family of card games, played by many rules. Here machines play them, millions of "
    "rounds, to settle what players have always only asserted: which advice is right, which rules make the better "
    "game, and how much a better player wins."
)

HINT = (
    "Numbers come with what is not known of them: 1.62 ± 0.05 means most likely between 1.57 and 1.67. In figures, "
    f"{joined([f'{name} is {known_as(name)}' for name in PLAYERS])}. What stands folded below a heading says how it "
    "was found; the files linked from tables and figures hold every number in full."
)


def rule_sets(names: Sequence[str]) -> Section:
    """Section with the table of the rules of some variants."""
    name, chosen = "variants", list(map(variant, names))
    rows = [[Cell(str(each.row()[key])) for key in TABLE_COLUMNS] for each in chosen]
    headings = [Heading(title, key=key) for key, title in TABLE_COLUMNS.items()]
    same = [f"{one} has the rules of {other}: the two share their figures." for one, other in alike(chosen)]
    table = Table(name, "The variants side by side.", headings, 1, rows, name, words=True)
    frame = pd.DataFrame([each.row() for each in chosen])[list(TABLE_COLUMNS)]
    return Section(name, "The rule sets", text=same, tables=[table], data={name: frame})


def alike(variants: Sequence[Variant]) -> list[tuple[str, str]]:
    """Variants that have the same rules as an earlier one, with its name."""
    seen: dict[object, Variant] = {}
    pairs = []
    for each in variants:
        first = seen.setdefault(each.rules, each)
        if first is not each:
            pairs.append((each.name, first.name))
    return pairs


def settled(names: Sequence[str]) -> Section:
    """Section on what was settled where the rules contradict one another or leave gaps."""
    text = (
        "The rules come from published descriptions that contradict one another and leave gaps. Where they do, one "
        "reading was chosen; “basra-sim variants NAME” shows a rule set in full, and every option can be changed."
    )
    details = []
    for each in map(variant, names):
        sources = "; ".join(SOURCES[key] for key in each.sources)
        told = [*each.notes, *([f"From: {sources}."] if sources else [])]
        where = f", {each.country}" if each.country else ""
        details.append(Detail(f"{each.name}: {each.title}{where}", told))
    return Section("settled", "What was settled in the rules", text=[text], details=details)


def who() -> Section:
    """Section on the players that the advice is tested with."""
    rows = [[Cell(name), Cell(known_as(name)), Cell(get_policy(name).summary)] for name in (*PLAYERS, ADVISER)]
    headings = [Heading("player", key="policy"), Heading("in words", key="words"), Heading("how he plays", key="how")]
    rows[-1][1] = Cell("one who thinks ahead")
    table = Table("who", "The players, from the weakest up.", headings, 1, rows, "", words=True)
    text = (
        f"Everything is played by machines. Sentences about advice are about {known_as(STRONGEST)} ({STRONGEST}); "
        "cards and tables have the others beside him. Sentences about games say whom they are about."
    )
    return Section("players-tested", "Who plays", text=[text], tables=[table])


def limits() -> Chapter:
    """Chapter on what a report cannot tell."""
    found = [
        (
            "The players",
            [
                (
                    "They look one play ahead and plan little; none bluffs, nor reads the other. What holds between "
                    "them need not hold between people, or between better players."
                ),
                "None looks at the score of the match: who is ahead and who must catch up play alike.",
            ],
        ),
        (
            "The tables",
            [
                (
                    "Most is said of two players. Three or four, and pairs, are another matter: the table of all "
                    "games has them; some advice is tried in two pairs as well, as exploration."
                ),
            ],
        ),
        (
            "The numbers",
            [
                "Intervals speak of the luck of the cards only, not of how rules were read or players were made.",
                "Of a hundred intervals some five miss the truth. Among the many here some do, too.",
            ],
        ),
        (
            "The advice",
            [
                (
                    "As a way of playing, advice is worth something to a player who already plays in a certain way: "
                    "one who does so anyhow has nothing to gain from it, and a better player may need other advice."
                ),
                (
                    "As a decision, it is worth what follows when both sides play on as these players do, who do "
                    "not know why it was made. The situations in which it pays most and least are picked out of "
                    "many, so they are likely to be a little less extreme than they look."
                ),
            ],
        ),
    ]
    return Chapter("limits", "What this cannot tell", sections=[Section("limits-told", "Limits", findings=found)])


def made(
    effort: Effort,
    scope: Scope,
    sizes: Sequence[tuple[str, Sequence[tuple[str, int]]]],
) -> Chapter:
    """
    Chapter on how a report was made.

    Parameters
    ----------
    sizes : what was played how often, by which players
    """
    sections = [reading(scope), who(), _sizes(effort, sizes), _again(effort, scope), settled(scope.told)]
    return Chapter("made", "How it was done", sections=sections, listed=True)


def reading(scope: Scope) -> Section:
    """Section on how numbers and verdicts are to be read."""
    text = [
        (
            "A figure such as 1.62 ± 0.05 is an estimate with its 95 % interval: of a hundred such intervals some five "
            "miss the truth. Figures have as many digits as their intervals bear; the files have all of them. Units "
            "(deals, rounds, matches) are counted where they are independent: the intervals rest on them."
        ),
    ]
    details = []
    if ADVICE in scope.parts:
        details.append(
            Detail(
                "How advice is tested",
                [
                    (
                        "Each piece is written down beforehand as something that can turn out wrong, with the "
                        "smallest effect that matters and the rule by which it is judged. Then it is played, in up "
                        "to three ways: as a way of playing, by two players alike but for the advice, on the same "
                        "deals from both seats; as a decision, wherever the advice applies, followed and gone "
                        "against with the same hidden cards; and as a frequency, by counting."
                    ),
                    (
                        "Outcomes are corrected for all that is tested together (Holm); intervals are not. The "
                        "verdict is computed, never written by hand. How often players follow the advice anyway, "
                        "and what a breach costs in the eyes of a player who searches, stands beside it; no verdict "
                        "rests on that."
                    ),
                ],
            )
        )
        rule = [*RULE, f"Of frequencies: {observations.RULE}"]
        details.append(Detail("The rule by which verdicts are computed", rule))
    if GAMES in scope.parts:
        details.append(
            Detail(
                "How games are compared",
                [
                    (
                        "By players who play alike, and by a better one among weaker ones; two at the table where "
                        "nothing else is said. Every deal is played once with each side's hands in each place. "
                        "Matches are put together from these single rounds, one behind another: none of the players "
                        "looks at the score of a match, so that they would play no other way."
                    ),
                ],
            )
        )
    return Section("reading", "How to read the numbers", text=text, details=details)


def played(effort: Effort) -> list[tuple[str, list[tuple[str, int]]]]:
    """What is played to test advice, how often, by which players."""
    parts = {
        "deals of a primary duel": ways.PRIMARY_DEALS,
        "deals of a duel beside it": ways.BESIDE_DEALS,
        "matches of a duel": ways.MATCHES,
        "rounds in which things are counted": observations.ROUNDS[COUNTS],
        "deals that decisions are taken from, at first": choices.DEALS,
        "the same at most, where decisions are rare": choices.MOST,
    }
    return [
        *((what, [(policy, effort.units(part, policy)) for policy in PLAYERS]) for what, part in parts.items()),
        ("decisions of a claim that one who searches is asked about", [(ADVISER, opinions.number(effort))]),
    ]


def _sizes(effort: Effort, sizes: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> Section:
    """Section on how much was played."""
    rows = [[Cell(what), Cell(who), count_cell(number)] for what, counts in sizes for who, number in counts]
    headings = [Heading("what", key="what"), Heading("by", key="policy"), Heading("how many", key="units")]
    table = Table("sizes", f"What was played, and how often. Seed {effort.seed}.", headings, 1, rows, "", words=True)
    text = (
        f"All of this grows with --rounds, here {effort.rounds:,}. Deals are numbered from 0 on for each seed; "
        f"everything here uses seed {effort.seed} unless it says otherwise."
    )
    return Section("played", "What was played", text=[text], tables=[table])


def _again(effort: Effort, scope: Scope) -> Section:
    """Section on how to make it again."""
    size = f" --seed {effort.seed} --rounds {effort.rounds}"
    commands = {"this report": f"basra-sim report{scope.options}{size}"}
    titles = {
        ADVICE: "every figure and table of the advice",
        GAMES: "those of the games",
        RATED: "those of the players",
    }
    if scope.parts == PARTS:
        held = "".join(f" --variant {each}" for each in scope.variants)
        commands |= {titles[part]: f"basra-sim report --only {part}{held}{size}" for part in PARTS}
    if ADVICE in scope.parts:
        commands["all advice, more precisely"] = "basra-sim test --all --precision 0.02"
    rows = [[Cell(what), Cell(command)] for what, command in commands.items()]
    headings = [Heading("to make again", key="what"), Heading("command", key="command")]
    made_with = ", ".join(f"{name} {each}" for name, each in versions().items())
    text = (
        f"Made by basra-sim {__version__}, {made_with}. The same command makes the same files again, byte for byte but "
        "for the date, on any number of threads. Each card of the advice has its own command as well."
    )
    table = Table("again", "Commands.", headings, 1, rows, "", words=True)
    left = [f"Left out: {reason}." for reason in scope.left_out.values()]
    return Section("again", "The same again", text=[text, *left], tables=[table])


def versions() -> dict[str, str]:
    """Versions of what numbers or pictures may depend on."""
    return {"Python": platform.python_version()} | {name: metadata.version(name) for name in SOFTWARE}
