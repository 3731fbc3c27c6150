"""How the rule sets compare: points by source, the first move, ties, the length of a match, basras."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.jobs import STRENGTHS, Effort, Job, same_rules, weight
from basra_sim import kernel
from basra_sim.rules import Rules
from basra_sim.simulation import MEASURES, Measure, Plan, Played, Progress, plan
from basra_sim.stats import Estimate, as_share, mean, ratio, share

MATCHES = 1 / 5
"""Matches of each variant, as a part of `Effort.rounds`."""

SOURCES = ("aces", "jacks", "two", "ten", "majority", "basras")
"""Where points come from, in the order in which figures and tables show them."""

BOTH, AHEAD = "both players", "first mover ahead"
"""Whose a quantity of `jobs` is: the two players' together, or the first mover's less the other's."""

FIRST_WON = Measure("first_won", "of matches", "matches won by the player who moved first in their first round")
TIED = Measure("match_tied", "of matches", "matches that come to a tie at the top once the target is reached")

_POINTS = (*SOURCES, "total", "basra_count")
_QUANTITIES = (
    *((name, BOTH) for name in _POINTS),
    *(("first_margin" if name == "total" else name, AHEAD) for name in _POINTS),
    ("tied", ""),
    ("majority_tied", ""),
)
_ROUNDS_A_MATCH = 5
"""Roughly: to foretell how long a batch lasts."""


def jobs(effort: Effort, names: Sequence[str] | None = None) -> Iterator[Job]:
    """
    Matches of two equal players to play, a job for each set of rules and strength of play.

    The rows of `jobs.run` have the columns variant, policy, measure, whose (`BOTH`, `AHEAD` or empty), length (in
    rows that state the share of matches with so many rounds, else missing), estimate, low, high, unit, units (matches),
    rounds, seed. Variants of the very same rules share a batch.
    """
    for policy in STRENGTHS:
        units = effort.units(MATCHES, policy)
        for alike in same_rules(names):
            work = partial(_play, alike, policy, units, effort)
            yield Job(f"{' = '.join(alike)}, {policy}", weight(units * _ROUNDS_A_MATCH, policy), work)


def compare(frame: pd.DataFrame, measures: Iterable[str], whose: str = "") -> pd.DataFrame:
    """Rows of some measures among those that `jobs` describes, in the order of the measures."""
    wanted = list(measures)
    chosen = frame[frame["measure"].isin(wanted) & (frame["whose"] == whose) & frame["length"].isna()]
    order = chosen["measure"].map(wanted.index)
    return chosen.assign(order=order).sort_values("order", kind="stable").drop(columns=["order", "length"])


def lengths(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows that state the share of matches of each length, among those that `jobs` describes."""
    chosen = frame[frame["length"].notna()]
    return chosen.astype({"length": int}).drop(columns=["whose"])


def rounds_can_tie(rules: Rules) -> bool:
    """
    Whether two players can end a round with equal points.

    They cannot if the points of a round always add up to an odd number: if the cards do, and nothing else adds one.
    """
    cards = 4 * rules.ace_points + 4 * rules.jack_points + rules.two_points + rules.ten_points
    flat = rules.basra_points if rules.basra_scoring == "flat" else 0
    return cards % 2 == 0 or any(points % 2 for points in (rules.majority_points, flat, rules.jack_on_jack))


@dataclass
class _Sums:
    """
    Matches added up, in whole numbers so that the order of adding does not matter.

    Attributes
    ----------
    units : matches
    sums : (3, quantities + 1) of int
        Sums over matches, of squares, and of products with the rounds of a match, of `_QUANTITIES` and of the rounds.
    first_won, tied : matches won by who moved first in them; matches that came to a tie at the top
    lengths : matches by their rounds
    """

    units: int = 0
    sums: Any = 0
    first_won: int = 0
    tied: int = 0
    lengths: Counter[int] = field(default_factory=Counter)

    def add(self, other: "_Sums") -> None:
        """Add other matches."""
        self.units += other.units
        self.sums = self.sums + other.sums
        self.first_won += other.first_won
        self.tied += other.tied
        self.lengths += other.lengths


def _play(
    names: Sequence[str], policy: str, units: int, effort: Effort, progress: Progress | None
) -> list[dict[str, Any]]:
    """Play matches of one set of rules; the rows of all variants that have it."""
    planned = plan(names[0], policies=policy, seed=effort.seed, matches=True)
    sums = _Sums()
    for part in planned.map(partial(_add_up, planned), units, threads=effort.threads, progress=progress):
        sums.add(part)
    rows = list(_rows(sums))
    return [{"variant": name, "policy": policy} | row | {"seed": effort.seed} for name in names for row in rows]


def _rows(sums: _Sums) -> Iterator[dict[str, Any]]:
    """Rows of one batch, without what names it."""
    units, rounds, rounds_squared = sums.units, int(sums.sums[0, -1]), int(sums.sums[1, -1])

    def row(measure: Measure, found: Estimate, whose: str = "", length: int | None = None) -> dict[str, Any]:
        named = {"measure": measure.name, "whose": whose, "length": length}
        return named | found.to_dict() | {"unit": measure.unit, "rounds": rounds}

    for k, (name, whose) in enumerate(_QUANTITIES):
        total, squares, products = (int(sums.sums[line, k]) for line in range(3))
        shared = MEASURES[name].unit == "of rounds"
        found = ratio(total, squares, rounds, rounds_squared, products, units)
        if shared:
            found = as_share(found) if total else share(0, rounds)
        yield row(MEASURES[name], Estimate(found.value, found.low, found.high, units), whose)
    yield row(FIRST_WON, share(sums.first_won, units))
    yield row(TIED, share(sums.tied, units))
    yield row(MEASURES["match_rounds"], mean(rounds, rounds_squared, units))
    for length, number in sorted(sums.lengths.items()):
        yield row(MEASURES["match_rounds"]._replace(unit="of matches"), share(number, units), length=length)


def _add_up(planned: Plan, played: Played) -> _Sums:
    """Matches of a chunk added up."""
    rows = played.rows[:, :2].astype(np.int64)
    points = rows[:, :, [kernel.COLUMNS.index(name) for name in _POINTS if name != "total"]]
    totals = points[:, :, : len(SOURCES)].sum(axis=2)
    points = np.insert(points, len(SOURCES), totals, axis=2)
    sign = np.where(played.facts[:, kernel.FIRST] == 0, 1, -1)[:, None]
    cards = rows[:, :, kernel.CARDS]
    equal = np.stack([totals[:, 0] == totals[:, 1], cards[:, 0] == cards[:, 1]], axis=1)
    a_round = np.concatenate([points.sum(axis=1), (points[:, 0] - points[:, 1]) * sign, equal], axis=1)

    rounds = played.results[:, kernel.MATCH_ROUNDS]
    starts = np.cumsum(rounds) - rounds
    a_match = np.column_stack([np.add.reduceat(a_round, starts, axis=0), rounds])
    sums = [a_match.sum(axis=0), (a_match**2).sum(axis=0), (a_match * rounds[:, None]).sum(axis=0)]
    return _Sums(
        units=len(rounds),
        sums=np.array(sums).astype(object),
        first_won=int((played.results[:, kernel.WINNER] == 0).sum()),
        tied=int(ties_at_top(totals, starts, rounds, planned.setting.rules.target).sum()),
        lengths=Counter(rounds.tolist()),
    )


def ties_at_top(
    totals: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], rounds: npt.NDArray[np.int64], target: int
) -> npt.NDArray[np.bool_]:
    """
    Matches in which the best stand level, at the target or beyond, after some round.

    Parameters
    ----------
    totals : (rounds, teams)
        Points of each round, one match after another.
    starts, rounds : (matches,)
        First round of each match, and how many it has.
    """
    before = np.cumsum(totals, axis=0) - totals
    scores = before + totals - np.repeat(before[starts], rounds, axis=0)
    best = scores.max(axis=1)
    level = ((scores == best[:, None]).sum(axis=1) > 1) & (best >= target)
    return np.asarray(np.logical_or.reduceat(level, starts))
