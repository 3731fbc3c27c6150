"""Batches of rounds and matches: played in chunks on threads, added up or handed out as tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from basra_sim.executors import ADD, JOIN, Arrays, Progress
from basra_sim.measures import MEASURES
from basra_sim.plans import Plan, Played, check_units, plan_units
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate
from basra_sim.tallies import tally
from basra_sim.totals import Totals
from basra_sim.variants import Variant

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Summary:
    """
    What a batch comes to, with intervals.

    Attributes
    ----------
    plan : Plan
    units : rounds or matches played
    rows : (measure name, team or None, Estimate)
    lengths : number of matches by their rounds; empty for single rounds
    first : number of the first of them
    sums : exact sums over the units: see `totals.Totals.exact`
    """

    plan: Plan
    units: int
    rows: tuple[tuple[str, int | None, "Estimate"], ...]
    lengths: Mapping[int, int]
    first: int = 0
    sums: tuple[Mapping[str, Any], ...] = ()

    def estimate(self, measure: str, team: int | None = None) -> "Estimate":
        """
        Estimate of one measure.

        Raises
        ------
        KeyError
            If the summary has none such.
        """
        for name, of_team, found in self.rows:
            if name == measure and of_team == team:
                return found
        raise KeyError((measure, team))

    def __repr__(self) -> str:
        """One line."""
        return f"<Summary: {self._words}>"

    @property
    def _words(self) -> str:
        """What was played."""
        who = " against ".join(dict.fromkeys(self._by_team.values()))
        unit = "matches" if self.plan.matches else "rounds"
        since = f" from number {self.first:,} on" if self.first else ""
        return f"{self.plan.setting}, {who}, {self.units:,} {unit}{since}, seed {self.plan.seed}"

    @property
    def _by_team(self) -> dict[int, str]:
        """Name of the policy of each team's first seat."""
        names = [self.plan.policies[place].name for place in self.plan.seatings[0]]
        seats = reversed(list(enumerate(self.plan.setting.teams)))
        return dict(sorted({team: names[seat] for seat, team in seats}.items()))

    def _repr_html_(self) -> str:
        """Measures with their intervals, a row a measure and team."""
        by_team = self._by_team
        rows = [
            [name, "all" if team is None else f"{team}: {by_team[team]}", *found.texts, MEASURES[name].unit]
            for name, team, found in self.rows
        ]
        headings = ["measure", "team", "estimate", "low", "high", "unit"]
        caption = f"{self._words}. Intervals at {CONFIDENCE:.0%} confidence."
        return html(html_table(caption, headings, rows, (2, 3, 4), ".table"))

    @property
    def table(self) -> "pd.DataFrame":
        """Rows as a DataFrame: measure, team, policy, estimate, low, high, unit, units."""
        import pandas as pd

        table = pd.DataFrame(self.to_dict()["estimates"])
        return table.astype({"team": "Int64"})

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        table, by_team = self.plan.setting, self._by_team
        names = [self.plan.policies[place].name for place in self.plan.seatings[0]]
        return {
            "variant": table.label,
            "players": table.players,
            "teams": list(table.teams),
            "rules": dict(table.changes),
            "policies": names,
            "unit": "match" if self.plan.matches else "round",
            "first": self.first,
            "units": self.units,
            "seed": self.plan.seed,
            "confidence": CONFIDENCE,
            "estimates": [
                {"measure": name, "team": team, "policy": None if team is None else by_team[team]}
                | found.to_dict()
                | {"unit": MEASURES[name].unit}
                for name, team, found in self.rows
            ],
            "sums": [dict(each) for each in self.sums],
            **({"match_lengths": dict(self.lengths)} if self.plan.matches else {}),
        }


def summarise(
    plan: Plan, units: int, *, first: int = 0, threads: int | None = None, progress: Progress | None = None
) -> Summary:
    """
    Play units of a plan with one seating, from a number on, and add them up; memory does not grow with how many.

    Raises
    ------
    InputError
        If a number is out of range.
    """
    check_units(plan, units, first)
    first, units = int(first), int(units)
    totals = Totals(plan.setting.team_count, plan.matches)
    merges = ADD, ADD, JOIN
    for parts in plan.map(partial(_tallied, plan), merges, units, first=first, threads=threads, progress=progress):
        totals.add(*parts)
    rows, lengths = tuple(totals.rows()), totals.matches.lengths if totals.matches is not None else {}
    return Summary(plan, totals.units, rows, lengths, first, tuple(totals.exact()))


def _tallied(plan: Plan, played: Played) -> Arrays:
    """How many units a part has, sums over its rounds, and its matches."""
    sums = tally(played.rows, played.facts, plan.setting.team_count, plan.matches)
    return np.array([played.units]), sums, played.results


def simulate(
    variant: str | Variant = "bastra",
    *,
    rounds: int | None = None,
    matches: int | None = None,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    **table: Any,
) -> Summary:
    """
    Play rounds, or whole matches, and summarise them with intervals.

    Parameters
    ----------
    variant : name, path of a person's own variant file, or Variant
    rounds, matches : how many; give one of them (100,000 rounds if neither)
    first : number of the first one: the `sums` of batches that lie behind one another add up to those of all of them
    threads : how many threads; all processors by default. The result does not depend on it.
    progress : called with the units done and in all
    **table : players, pairs, policies, seed, changes: see `plan`

    Raises
    ------
    InputError
        If something given is impossible.
    """
    planned, units = plan_units(variant, rounds, matches, **table)
    return summarise(planned, units, first=first, threads=threads, progress=progress)
