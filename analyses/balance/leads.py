"""What a lead is worth: how often who is ahead after a round goes on to win the match."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

from analyses.clusters import Clustered, share_of_occasions, sums_over_units
from analyses.scenes import Scene
from basra_sim import kernel, turns
from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.plans import Plan, Played
from basra_sim.tallies import checked_sums

MATCHES = 1 / 5
"""Matches of each set of rules, as a part of `Effort.rounds`."""

LEADS, DISTANCES = (1, 10, 20, 30, 40, 50), (1, 21, 41, 61, 81)
"""Where the classes of leads, and of points that the leader still lacks, begin."""

WON, KEPT = "match won", "lead kept"
"""Whether the leader wins the match; whether he is still ahead after one more round."""

UNIT = "of leads"

ALL = "all"


def classes(starts: Sequence[int]) -> tuple[str, ...]:
    """Names of the classes that begin at some numbers, and of all of them together."""
    ends = [f"{low}-{high - 1}" for low, high in pairwise(starts)]
    return (*ends, f"{starts[-1]}+", ALL)


def leads(
    scene: Scene, matches: int, *, seed: int = 1, threads: int | None = None, progress: Progress | None = None
) -> pd.DataFrame:
    """
    How often a lead is kept, by its size and by what the leader still lacks to the target.

    Returns
    -------
    DataFrame
        measure (`WON` or `KEPT`), lead, lacks (classes of points, `ALL` for all together), estimate, low, high, unit,
        units (matches), events (times that a team was alone in front after a round that did not end the match), hits.
    """
    plan = scene.plan(seed, matches=True)
    sums = np.zeros((2, 5, len(LEADS) + 1, len(DISTANCES) + 1), np.int64)
    for (part,) in plan.map(partial(_add_up, plan), (ADD,), matches, threads=threads, progress=progress):
        sums += part
        checked_sums(sums)
    rows = []
    for measure, cells in zip((WON, KEPT), sums, strict=True):
        for i, lead in enumerate(classes(LEADS)):
            for j, lacks in enumerate(classes(DISTANCES)):
                cell = Clustered(*(int(number) for number in cells[:, i, j]))
                found = share_of_occasions(cell, matches).to_dict()
                named = {"measure": measure, "lead": lead, "lacks": lacks}
                rows.append(named | found | {"unit": UNIT, "events": cell.events, "hits": cell.hits})
    return pd.DataFrame(rows)


def _add_up(plan: Plan, played: Played) -> Arrays:
    """Sums over the matches of a chunk, (measures, 5, leads, distances)."""
    teams, matches = plan.setting.team_count, len(played.results)
    rounds = played.results[:, kernel.MATCH_ROUNDS]
    match = np.repeat(np.arange(matches), rounds)
    points = played.rows[:, :teams, turns.ACES : turns.BASRAS + 1].sum(axis=2, dtype=np.int64)
    scores = np.cumsum(points, axis=0)
    starts = np.cumsum(rounds) - rounds
    scores -= np.repeat((scores - points)[starts], rounds, axis=0)
    ordered = np.sort(scores, axis=1)
    lead, leader = ordered[:, -1] - ordered[:, -2], scores.argmax(axis=1)
    goes_on = np.r_[match[1:] == match[:-1], False]
    occasions = np.flatnonzero(goes_on & (lead > 0))
    won = played.results[match[occasions], kernel.WINNER] == leader[occasions]
    kept = (lead[occasions + 1] > 0) & (leader[occasions + 1] == leader[occasions])
    lacks = plan.setting.rules.target - ordered[occasions, -1]
    i = np.searchsorted(LEADS, lead[occasions], side="right") - 1
    j = np.searchsorted(DISTANCES, np.maximum(lacks, 1), side="right") - 1
    shape = matches, len(LEADS) + 1, len(DISTANCES) + 1
    events, *hits = np.zeros((3, *shape), np.int64)
    everyone, all_leads, all_distances = match[occasions], np.full_like(i, len(LEADS)), np.full_like(j, len(DISTANCES))
    for lead_class, distance in ((i, j), (i, all_distances), (all_leads, j), (all_leads, all_distances)):
        cells = np.ravel_multi_index((everyone, lead_class, distance), shape)
        for counts, happened in zip((events, *hits), (np.ones_like(won), won, kept), strict=True):
            counts += np.bincount(cells, happened, events.size).astype(np.int64).reshape(shape)
    return (np.array([sums_over_units(events, each) for each in hits]),)
