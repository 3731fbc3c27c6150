"""Batches of rounds and matches: played in chunks on threads, added up or handed out as tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from basra_sim.executors import ADD, JOIN, Arrays, Progress
from basra_sim.matches import MatchTally
from basra_sim.measures import MEASURES, ROUND_MEASURES, TEAM_MEASURES, Measure
from basra_sim.plans import MOST_UNITS, Plan, Played, check_number, plan_units
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate, as_share, ratio, share
from basra_sim.tallies import PER_ROUND, PER_TEAM, SIZE, tally
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
    """

    plan: Plan
    units: int
    rows: tuple[tuple[str, int | None, "Estimate"], ...]
    lengths: Mapping[int, int]

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
        return f"{self.plan.setting}, {who}, {self.units:,} {unit}, seed {self.plan.seed}"

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
            "units": self.units,
            "seed": self.plan.seed,
            "confidence": CONFIDENCE,
            "estimates": [
                {"measure": name, "team": team, "policy": None if team is None else by_team[team]}
                | found.to_dict()
                | {"unit": MEASURES[name].unit}
                for name, team, found in self.rows
            ],
            **({"match_lengths": dict(self.lengths)} if self.plan.matches else {}),
        }


def summarise(plan: Plan, units: int, *, threads: int | None = None, progress: Progress | None = None) -> Summary:
    """
    Play units of a plan with one seating and add them up; memory does not grow with their number.

    Raises
    ------
    InputError
        If the number of units is out of range.
    """
    check_number("matches" if plan.matches else "rounds", units, 1, MOST_UNITS)
    teams = plan.setting.team_count

    sums = np.zeros((3, SIZE), object)
    matches = MatchTally(teams)
    for part, results in plan.map(partial(_tallied, plan), (ADD, JOIN), units, threads=threads, progress=progress):
        sums += part
        matches.add(results)
    rows = [*_round_rows(sums, teams, units, plan.matches), *(matches.rows() if plan.matches else [])]
    return Summary(plan, units, tuple(rows), matches.lengths)


def _tallied(plan: Plan, played: Played) -> Arrays:
    """Sums over a part of the rounds, and its matches."""
    return tally(played.rows, played.facts, plan.setting.team_count, plan.matches), played.results


def _round_rows(sums: Any, teams: int, units: int, matches: bool) -> Iterator[tuple[str, int | None, Estimate]]:
    """Estimates per round from the sums of `tally`."""
    size = SIZE - 1

    def estimate(place: int, measure: Measure, scale: float = 1.0) -> Estimate:
        if measure.unit == "of rounds" and (not matches or sums[0, place] == 0):
            return share(sums[0, place], units)
        total, squares, products = (int(sums[k, place]) for k in range(3))
        found = ratio(total, squares, int(sums[0, size]), int(sums[1, size]), products, units).scaled(scale)
        return as_share(found) if measure.unit == "of rounds" else found

    for measure in TEAM_MEASURES:
        for team in range(teams):
            yield measure.name, team, estimate(team * len(PER_TEAM) + PER_TEAM.index(measure.name), measure)
    for measure in ROUND_MEASURES:
        place = 4 * len(PER_TEAM) + PER_ROUND.index(measure.name)
        yield measure.name, None, estimate(place, measure, 1 / (teams - 1) if measure.name == "first_margin" else 1.0)


def simulate(
    variant: str | Variant = "bastra",
    *,
    rounds: int | None = None,
    matches: int | None = None,
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
    threads : how many threads; all processors by default. The result does not depend on it.
    progress : called with the units done and in all
    **table : players, pairs, policies, seed, changes: see `plan`

    Raises
    ------
    InputError
        If something given is impossible.
    """
    planned, units = plan_units(variant, rounds, matches, **table)
    return summarise(planned, units, threads=threads, progress=progress)
