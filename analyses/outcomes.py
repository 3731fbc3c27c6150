"""What decides a game: how often another would have won without a source of points; and how often nobody wins."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.clusters import Clustered, mean_on_occasion, share_of_occasions, sums_over_units
from analyses.frames import rows_of
from analyses.jobs import STRENGTHS, Effort, Job, same_rules, weight
from analyses.scenes import Scene
from basra_sim import kernel
from basra_sim.simulation import Plan, Played, Progress

MATCHES = 1 / 5
"""Matches of each set of rules, as a part of `Effort.rounds`."""

PARTS = {
    "majority": (kernel.MAJORITY,),
    "basras": (kernel.BASRAS,),
    "card points": (kernel.ACES, kernel.JACKS, kernel.TWO, kernel.TEN),
}
"""Sources of points that are left out in turn."""

CHANGED, REVERSED, TIED, MORE = "winner changed", "other side wins", "tied", "basras change more"
"""
Measures: another outcome, be it another winner or a tie that was none, or none that was; another winner; a tie; how
much oftener basras change the outcome than the majority does.
"""

ROUND, MATCH = "of rounds", "of matches"

_ROUNDS_A_MATCH = 5


def jobs(effort: Effort, names: Sequence[str] | None = None) -> Iterator[Job]:
    """
    Matches of two equal players to play, a job for each set of rules and strength of play.

    The rows of `jobs.run` have the columns of `outcomes` and variant, policy, seed. Variants of the very same rules
    share a batch.
    """
    for policy in STRENGTHS:
        units = effort.units(MATCHES, policy)
        for alike in same_rules(names):
            work = partial(_play, alike, policy, units, effort)
            yield Job(f"what decides: {' = '.join(alike)}, {policy}", weight(units * _ROUNDS_A_MATCH, policy), work)


def _play(
    names: Sequence[str], policy: str, units: int, effort: Effort, progress: Progress | None
) -> list[dict[str, Any]]:
    """Rows of one batch, for all variants that have its rules."""
    scene = Scene(names[0], policy=policy)
    found = outcomes(scene, units, seed=effort.seed, threads=effort.threads, progress=progress)
    return [
        {"variant": name, "policy": policy} | row | {"seed": effort.seed} for name in names for row in rows_of(found)
    ]


def outcomes(
    scene: Scene, matches: int, *, seed: int = 1, threads: int | None = None, progress: Progress | None = None
) -> pd.DataFrame:
    """
    How often a source of points decides who wins, and how often there is a tie.

    The same rounds are added up with and without the source; in a match the rounds stay those that were played, and who
    leads at the end of them wins. Majority points carried over belong to the majority.

    Returns
    -------
    DataFrame
        measure (`CHANGED`, `REVERSED`, `TIED` or `MORE`), without (the source left out, one of `PARTS`, or empty),
        estimate, low, high, unit (`ROUND` or `MATCH`), units (matches), events (rounds or matches), hits. A match is
        tied if its best ever stand level at the target or beyond, though it may go on.
    """
    plan = scene.plan(seed, matches=True)
    names = [(CHANGED, part) for part in PARTS] + [(REVERSED, part) for part in PARTS] + [(TIED, ""), (MORE, "")]
    sums = np.zeros((2, 5, len(names)), np.int64)
    for part in plan.map(partial(_add_up, plan), matches, threads=threads, progress=progress):
        sums += part
    rows = []
    for unit, cells in zip((ROUND, MATCH), sums, strict=True):
        for k, (measure, without) in enumerate(names):
            cell = Clustered(*(int(number) for number in cells[:, k]))
            found = (mean_on_occasion if measure == MORE else share_of_occasions)(cell, matches).to_dict()
            named = {"measure": measure, "without": without}
            rows.append(named | found | {"unit": unit, "events": cell.events, "hits": cell.hits})
    return pd.DataFrame(rows)


def _winners(points: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Team with the most points of each row, (rows, teams); -1 for a tie."""
    best = points == points.max(axis=1, keepdims=True)
    return np.where(best.sum(axis=1) == 1, best.argmax(axis=1), -1)


def _changes(
    points: npt.NDArray[np.int64], winners: npt.NDArray[np.int64]
) -> tuple[list[npt.NDArray[np.bool_]], list[npt.NDArray[np.bool_]]]:
    """For each part left out of points, (rows, teams, columns): where the outcome is another; where the winner is."""
    changed, reversed_ = [], []
    for part in PARTS.values():
        kept = [column for column in range(kernel.ACES, kernel.BASRAS + 1) if column not in part]
        without = _winners(points[:, :, kept].sum(axis=2))
        changed.append(without != winners)
        reversed_.append((without != winners) & (without >= 0) & (winners >= 0))
    return changed, reversed_


def _stacked(
    changed: list[npt.NDArray[np.bool_]], reversed_: list[npt.NDArray[np.bool_]], tied: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """All measures of each row, in the order of `outcomes`: (rows, measures)."""
    basras, majority = (changed[list(PARTS).index(part)].astype(np.int64) for part in ("basras", "majority"))
    return np.stack([*(each.astype(np.int64) for each in (*changed, *reversed_, tied)), basras - majority], axis=1)


def _add_up(plan: Plan, played: Played) -> npt.NDArray[np.int64]:
    """Sums over the matches of a chunk, of rounds and of matches: (2, 5, measures)."""
    points = played.rows[:, : plan.setting.team_count].astype(np.int64)
    totals = points[:, :, kernel.ACES : kernel.BASRAS + 1].sum(axis=2)
    rounds = played.results[:, kernel.MATCH_ROUNDS]
    starts = np.cumsum(rounds) - rounds
    winners = _winners(totals)
    changed, reversed_ = _changes(points, winners)
    hits = _stacked(changed, reversed_, winners < 0)
    of_rounds = sums_over_units(
        np.repeat(rounds[:, None], hits.shape[1], axis=1), np.add.reduceat(hits, starts, axis=0)
    )
    changed, reversed_ = _changes(np.add.reduceat(points, starts, axis=0), played.results[:, kernel.WINNER])
    tied = ties_at_top(totals, starts, rounds, plan.setting.rules.target)
    hits = _stacked(changed, reversed_, tied)
    return np.array([of_rounds, sums_over_units(np.ones_like(hits), hits)])


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
