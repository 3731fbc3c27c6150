"""Matches added up."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.errors import BasraError
from basra_sim.stats import Estimate, mean, share

MOST_SCORE = 1 << 21
"""
Points that a team may come to in a match, far above the highest target.

With it the squares of margins, up to three times as large, add up to less than 2^55 over the 512 matches of a part.
"""


def checked_scores(results: npt.NDArray[np.int64], label: str) -> npt.NDArray[np.int64]:
    """
    Matches as `kernel.play_batch` fills them in, once it is known that their sums are exact.

    Raises
    ------
    BasraError
        If a team has come to more than `MOST_SCORE`.
    """
    if results.size and results[:, kernel.FIRST_SCORE :].max() > MOST_SCORE:
        raise BasraError(f"{label}: a match has come to more than {MOST_SCORE:,} points, the most that are added up")
    return results


class MatchTally:
    """
    Matches added up: wins, draws, lengths, margins; in Python's own integers, which know no bounds.

    At once it takes up to 2^20 matches, so that the squares of their margins, of at most `MOST_SCORE` each, fit.
    """

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

    def exact(self) -> Iterator[tuple[str, int | None, int, int]]:
        """Name of a measure, team, and the sums over matches of its values and of their squares."""
        for team in range(self.teams):
            yield "match_won", team, self._wins[team], self._wins[team]
        yield "match_drawn", None, self._wins[-1], self._wins[-1]
        total = sum(length * number for length, number in self.lengths.items())
        squares = sum(length**2 * number for length, number in self.lengths.items())
        yield "match_rounds", None, total, squares
        yield "match_margin", None, self._margins[0], self._margins[1]

    def rows(self) -> Iterator[tuple[str, int | None, Estimate]]:
        """Estimates per match."""
        units = sum(self.lengths.values())
        self.lengths = dict(sorted(self.lengths.items()))
        for name, team, total, squares in self.exact():
            yes_or_no = name in ("match_won", "match_drawn")
            yield name, team, share(total, units) if yes_or_no else mean(total, squares, units)
