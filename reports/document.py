"""The report: plays what its analyses need, and makes one page and the data behind it."""

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import metadata, resources

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analyses.balance import contrasts, runs
from analyses.balance.skill import BETTER
from analyses.claims import choices, observations, opinions, testing, ways
from analyses.claims.observed import COUNTS
from analyses.claims.registry import CLAIMS
from analyses.jobs import ADVISER, PLAYERS, Effort, Job, Watch, run
from analyses.strength import exploiting, ladder
from basra_sim import __version__
from basra_sim.policies import get_policy
from basra_sim.variants import SOURCES, TABLE_COLUMNS, Variant, variant, variant_names, variant_table
from reports import advice, balance, overview, strength
from reports.folder import DATA, GENERATOR, PAGE
from reports.parts import Cell, Heading, Section, Table
from reports.said import as_html

STYLE = "report.css"

VARIANTS, RULES, ADVICE = "the variants", "single rules", "the advice"
LADDER, RESPONSES = "the players", "those who know them"
"""What is played."""

TWO, MORE, SINGLE = 2.0, 1.0, 1.0
"""Deals of each batch as a part of `Effort.rounds`: at tables of two; at larger ones; where single rules differ."""

CONTESTS, SEARCHED = 0.4, 1 / 250
"""The same of the deals of each pairing of players, and of one with a player who searches."""

LARGER = ("3", "4", "pairs")
"""Tables of more than two, where one level of play is enough."""

_SOFTWARE = ("numba", "numpy", "scipy", "pandas", "matplotlib")


@dataclass(frozen=True)
class Report:
    """
    A report, ready to be written.

    Attributes
    ----------
    page : str
        The page, HTML.
    data : mapping of names to DataFrames
        What stands behind its figures and tables.
    """

    page: str
    data: Mapping[str, pd.DataFrame]

    def files(self) -> Iterator[tuple[str, str]]:
        """Paths and texts of the files."""
        for name, frame in self.data.items():
            yield f"{DATA}/{name}.csv", frame.to_csv(index=False, lineterminator="\n")
        yield PAGE, self.page


def extents(effort: Effort) -> dict[str, runs.Extent]:
    """What is played to compare variants, by what it is for."""
    two = runs.Extent(variant_names(), deals=round(effort.rounds * TWO), seed=effort.seed, threads=effort.threads)
    more = replace(two, companies=LARGER, policies=(BETTER,), deals=round(effort.rounds * MORE), decisions=0)
    return {"two players": two, "three, four, pairs": more}


def contests(effort: Effort) -> ladder.Extent:
    """What is played to rate the players."""
    deals, searched = (max(2, round(effort.rounds * part)) for part in (CONTESTS, SEARCHED))
    return ladder.extent(deals=deals, searched=searched, seed=effort.seed, threads=effort.threads)


def batches(effort: Effort) -> dict[str, list[Job]]:
    """What has to be played, by what it is for."""
    return {
        VARIANTS: [job for extent in extents(effort).values() for job in runs.jobs(extent)],
        RULES: list(contrasts.jobs(round(effort.rounds * SINGLE), effort.seed, effort.threads)),
        LADDER: list(ladder.jobs(contests(effort))),
        RESPONSES: list(exploiting.jobs(contests(effort))),
        ADVICE: testing.batches(CLAIMS, effort),
    }


def make(effort: Effort, parts: Mapping[str, list[Job]] | None = None, watch: Watch | None = None) -> Report:
    """Play what is to be played and make the report of it; the same effort makes the same report, byte for byte."""
    frames = {name: run(jobs, watch) for name, jobs in (parts or batches(effort)).items()}
    rules, tested = _rules(), testing.Tested(CLAIMS, effort, frames[ADVICE])
    compared, verdicts = balance.sections(frames[VARIANTS], frames[RULES]), overview.section(tested)
    claims = advice.sections(tested)
    players = _players(effort, frames)
    page = (
        environment()
        .get_template("report.html.j2")
        .render(
            rules=rules,
            comparing=compared,
            players=players,
            verdicts=verdicts,
            claims=claims,
            effort=effort,
            sizes=_sizes(effort),
            strengths=[get_policy(name) for name in PLAYERS],
            deals=extents(effort)["two players"].deals,
            variants=[variant(name) for name in variant_names()],
            alike=_alike(),
            sources=SOURCES,
            software={"Python": platform.python_version()} | {name: metadata.version(name) for name in _SOFTWARE},
            version=__version__,
            generator=GENERATOR,
            style=Markup(resources.files(__package__).joinpath("templates", STYLE).read_text(encoding="utf-8")),
        )
    )
    sections = (rules, *compared, players, verdicts, *claims)
    data = {name: frame for section in sections for name, frame in section.data.items()}
    return Report(page, data)


def environment() -> Environment:
    """Where templates are found, and how they are filled in: numbers in sentences become elements."""
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=as_html,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _players(effort: Effort, frames: Mapping[str, pd.DataFrame]) -> Section:
    """Section on how strong the players are."""
    of = contests(effort)
    return strength.section(ladder.ladder_of(of, frames[LADDER]), exploiting.exploitability(of, frames[RESPONSES]))


def _rules() -> Section:
    """Section with the table of the variants' rules."""
    name = "variants"
    rows = [[Cell(str(row[key])) for key in TABLE_COLUMNS] for row in variant_table()]
    headings = [Heading(title, key=key) for key, title in TABLE_COLUMNS.items()]
    table = Table(name, "The variants side by side.", headings, 1, rows, name, words=True)
    frame = pd.DataFrame(variant_table())[list(TABLE_COLUMNS)]
    return Section(name, "The rule sets", tables=[table], data={name: frame})


def _sizes(effort: Effort) -> list[tuple[str, list[tuple[str, int]]]]:
    """What is played how often, by which players."""
    parts = {
        "deals of a primary duel": ways.PRIMARY_DEALS,
        "deals of a duel beside it": ways.BESIDE_DEALS,
        "matches of a duel": ways.MATCHES,
        "rounds in which things are counted": observations.ROUNDS[COUNTS],
        "deals that decisions are taken from, at first": choices.DEALS,
        "the same at most, where decisions are rare": choices.MOST,
    }
    compared = [
        (
            f"deals of each variant, {table}",
            [(policy, runs.fewer(extent.deals or 0, policy)) for policy in extent.policies],
        )
        for table, extent in extents(effort).items()
    ]
    tried = contests(effort)
    return [
        *compared,
        ("deals of each pairing of players", [("most", tried.deals), ("who searches", tried.searched)]),
        *((what, [(policy, effort.units(part, policy)) for policy in PLAYERS]) for what, part in parts.items()),
        ("decisions of a claim that one who searches is asked about", [(ADVISER, opinions.number(effort))]),
    ]


def _alike() -> list[tuple[str, str]]:
    """Variants that have the same rules as an earlier one, with its name."""
    seen: dict[object, Variant] = {}
    pairs = []
    for each in map(variant, variant_names()):
        first = seen.setdefault(each.rules, each)
        if first is not each:
            pairs.append((each.name, first.name))
    return pairs
