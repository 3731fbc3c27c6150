"""What is played to compare rules: tables and levels of play, a job for each; and the rows that come of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyses.balance.choices import choices
from analyses.balance.equal import measured
from analyses.balance.evaluation import Evaluation, Precision
from analyses.balance.skill import BETTER, WEAKER, skill
from analyses.jobs import FEWER, PLAYERS, Job, same_rules, weight
from basra_sim.errors import InputError
from basra_sim.executors import Progress
from basra_sim.pools import GROUPS, LEAST_DEALS
from basra_sim.rules import RulesError, Setting
from basra_sim.variants import setting

COMPANIES = {"2": (2, False), "3": (3, False), "4": (4, False), "pairs": (4, True)}
"""Tables by the names that a person gives them: players, and whether they play in pairs."""

STATED = Precision()
"""Half-widths that are asked for where nothing is said."""

DECISIONS = 2048
"""Decisions that are weighed of each batch: shares of them are known to some ±2 %."""

A_DECISION = 80
"""Rounds that take as long as weighing a decision, roughly."""

EXPECTED = 300_000
"""Rounds, roughly, that a precision asks for: to foretell how long a job lasts."""


@dataclass(frozen=True)
class Extent:
    """
    What is compared, and how closely.

    Attributes
    ----------
    names : variants, by name or file
    companies : tables, of `COMPANIES`; those that a variant's pack cannot be dealt to are left out
    policies : levels of play of equal players
    deals : deals of each batch of equal players who do not think long, see `jobs.FEWER`; if None, as many as
        `precision` asks for
    precision : half-widths
    unequal : whether skill is measured, too
    decisions : decisions of equal players that are weighed, of each batch; 0 for none
    seed, threads : as for `plans.plan`
    """

    names: tuple[str, ...]
    companies: tuple[str, ...] = ("2",)
    policies: tuple[str, ...] = PLAYERS
    deals: int | None = None
    precision: Precision = STATED
    unequal: bool = True
    decisions: int = DECISIONS
    seed: int = 1
    threads: int | None = None

    def sampling(self, policy: str) -> dict[str, Any]:
        """How much is played by a policy, as `measured` and `skill` are told."""
        amount = {"precision": self.precision} if self.deals is None else {"deals": fewer(self.deals, policy)}
        return amount | {"seed": self.seed, "threads": self.threads}

    def rounds(self, table: Setting, policy: str) -> int:
        """Rounds that a batch takes, roughly, where a precision decides."""
        return EXPECTED if self.deals is None else table.team_count * fewer(self.deals, policy)

    def tables(self) -> Iterator[tuple[list[str], Setting]]:
        """
        Tables, each with the names of all variants whose rules are played at it.

        Raises
        ------
        InputError
            If a variant cannot be played at any of the tables, with the reason.
        """
        for alike in same_rules(self.names):
            reasons, possible = [], 0
            for company in self.companies:
                try:
                    table = setting(alike[0], *COMPANIES[company])
                except RulesError as error:
                    reasons.append(error)
                else:
                    possible += 1
                    yield alike, table
            if not possible:
                raise InputError(str(reasons[0])) from reasons[0]


def fewer(deals: int, policy: str) -> int:
    """Deals for a policy where so many are played by one that does not think long."""
    return max(GROUPS * LEAST_DEALS, deals // FEWER.get(policy, 1))


def jobs(extent: Extent) -> Iterator[Job]:
    """
    What is to be played, a job for each table and level of play, and one for each table's skill.

    The rows of `jobs.run` are those of `Evaluation.rows`, once for each variant of the same rules.
    """
    for alike, table in extent.tables():
        label = f"{' = '.join(alike)}, {company_words(table)}"
        for policy in extent.policies:
            work = partial(_equal, extent, alike, table, policy)
            yield Job(f"{label}, {policy}", weight(extent.rounds(table, policy), policy), work, tuple(alike))
            if extent.decisions:
                rounds, work = A_DECISION * extent.decisions, partial(_choices, extent, alike, table, policy)
                yield Job(f"{label}, {policy}, choices", weight(rounds, policy), work, tuple(alike))
        if extent.unequal:
            work = partial(_skill, extent, alike, table)
            rounds = extent.rounds(table, BETTER)
            yield Job(f"{label}, {BETTER}, {WEAKER}", weight(rounds, BETTER, WEAKER), work, tuple(alike))


def company_words(table: Setting) -> str:
    """Who sits at a table, in words."""
    return "pairs" if table.pairs else f"{table.players} players"


def _equal(
    extent: Extent, alike: Sequence[str], table: Setting, policy: str, progress: Progress | None
) -> list[dict[str, Any]]:
    """Rows on equal players."""
    return list(_named(measured(table, policy, progress=progress, **extent.sampling(policy)), alike))


def _choices(
    extent: Extent, alike: Sequence[str], table: Setting, policy: str, progress: Progress | None
) -> list[dict[str, Any]]:
    """Rows on the decisions of equal players."""
    kinds: dict[str, Any] = {"seed": extent.seed, "threads": extent.threads, "progress": progress}
    return list(_named(choices(table, policy, deals=extent.decisions, **kinds), alike))


def _skill(extent: Extent, alike: Sequence[str], table: Setting, progress: Progress | None) -> list[dict[str, Any]]:
    """Rows on a better player among weaker ones."""
    return list(_named(skill(table, progress=progress, **extent.sampling(BETTER)), alike))


def _named(found: Evaluation, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rows of an evaluation for each of the variants that have its rules."""
    rows = list(found.rows())
    for name in names:
        yield from (row | {"variant": name} for row in rows)
