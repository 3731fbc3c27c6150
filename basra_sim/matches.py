"""Matches added up."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.stats import Estimate, mean, share


class MatchTally:
    """Matches added up: wins, draws, lengths, margins."""

    def __init__(self, teams: int) -> None:
        """Begin at nothing, for a number of teams."""
        self.teams = teams
        self.lengths: dict[int, int] = {}
        self._wins = [0] * (teams + 1)
        self._margins = [0, 0]

    def add(self, results: npt.NDArray[np.int64]) -> None:
        """Add matches as `kernel.play_batch` fills them in."""
        if not len(results):
            return
        for length, number in zip(*np.unique(results[:, kernel.MATCH_ROUNDS], return_counts=True), strict=True):
            self.lengths[int(length)] = self.lengths.get(int(length), 0) + int(number)
        for team in range(-1, self.teams):
            self._wins[team] += int((results[:, kernel.WINNER] == team).sum())
        scores = np.sort(results[:, kernel.FIRST_SCORE : kernel.FIRST_SCORE + self.teams], axis=1)
        margins = scores[:, -1] - scores[:, -2]
        self._margins[0] += int(margins.sum())
        self._margins[1] += int((margins * margins).sum())

    def rows(self) -> Iterator[tuple[str, int | None, Estimate]]:
        """Estimates per match."""
        units = sum(self.lengths.values())
        self.lengths = dict(sorted(self.lengths.items()))
        for team in range(self.teams):
            yield "match_won", team, share(self._wins[team], units)
        yield "match_drawn", None, share(self._wins[-1], units)
        total = sum(length * number for length, number in self.lengths.items())
        squares = sum(length**2 * number for length, number in self.lengths.items())
        yield "match_rounds", None, mean(total, squares, units)
        yield "match_margin", None, mean(self._margins[0], self._margins[1], units)
