"""What a batch comes to: exact sums over its units, and the estimates that follow from them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim.matches import MatchTally
from basra_sim.measures import ROUND_MEASURES, TEAM_MEASURES, Measure
from basra_sim.stats import Estimate, as_share, ratio, share
from basra_sim.tallies import PER_ROUND, PER_TEAM, SIZE

Row = tuple[str, int | None, Estimate]
"""A measure, the team that it is stated of, the estimate."""

_ROUNDS = SIZE - 1


class Totals:
    """Sums over units of what `tallies.tally` adds up, and of matches; Python's own integers, which know no bounds."""

    def __init__(self, teams: int, matches: bool) -> None:
        """Begin at nothing, for a number of teams, for single rounds or for matches."""
        self.teams = teams
        self.units = 0
        self.sums: npt.NDArray[Any] = np.zeros((3, SIZE), object)
        self.matches = MatchTally(teams) if matches else None

    def add(self, units: npt.NDArray[np.int64], sums: npt.NDArray[np.int64], results: npt.NDArray[np.int64]) -> None:
        """Add so many units, (1,): what `tallies.tally` makes of them, and matches as `kernel.play_batch` has them."""
        self.units += int(units[0])
        self.sums += sums
        if self.matches is not None:
            self.matches.add(results)

    def rows(self) -> Iterator[Row]:
        """Estimates of all measures."""
        for measure, team, place in self._places():
            scale = 1 / (self.teams - 1) if measure.name == "first_margin" else 1.0
            yield measure.name, team, self._estimate(place, measure, scale)
        if self.matches is not None:
            yield from self.matches.rows()

    def exact(self) -> list[dict[str, Any]]:
        """
        Sums by name, as whole numbers: those of batches that lie behind one another add up to those of all of them.

        A row a measure and team, in the order of the estimates, then the rounds: measure, team; sum (of the values of
        the units), squares (sum of their squares), products (sum of value times rounds of the unit). The first mover's
        margin is over each of the others in turn. Of matches there are no products.
        """
        named = [(measure.name, team, place) for measure, team, place in self._places()]
        found: list[dict[str, Any]] = []
        for name, team, place in (*named, ("rounds", None, _ROUNDS)):
            total, squares, products = (int(self.sums[k, place]) for k in range(3))
            found.append({"measure": name, "team": team, "sum": total, "squares": squares, "products": products})
        for name, team, total, squares in self.matches.exact() if self.matches is not None else ():
            found.append({"measure": name, "team": team, "sum": total, "squares": squares})
        return found

    def _places(self) -> Iterator[tuple[Measure, int | None, int]]:
        """Measures of rounds, the team of each, and where its sums stand."""
        for measure in TEAM_MEASURES:
            for team in range(self.teams):
                yield measure, team, team * len(PER_TEAM) + PER_TEAM.index(measure.name)
        for measure in ROUND_MEASURES:
            yield measure, None, 4 * len(PER_TEAM) + PER_ROUND.index(measure.name)

    def _estimate(self, place: int, measure: Measure, scale: float) -> Estimate:
        """Estimate per round."""
        total, squares, products = (int(self.sums[k, place]) for k in range(3))
        if measure.unit == "of rounds" and (self.matches is None or total == 0):
            return share(total, self.units)
        size, size_squares = int(self.sums[0, _ROUNDS]), int(self.sums[1, _ROUNDS])
        found = ratio(total, squares, size, size_squares, products, self.units).scaled(scale)
        return as_share(found) if measure.unit == "of rounds" else found
