"""
How often a decision has a real choice: whether it changes the expected margin by more than so many points.

One decision of each deal is weighed, each play of a round in its turn, so that all plays count alike. What is best less
what is worst among noisy means is too much by nearly the inverse of the number of rollouts; so is, more or less, the
share of decisions in which that is more than so many points. Both are therefore carried on to no noise: twice what all
rollouts say, less what half of them say.
"""

import numpy as np
import numpy.typing as npt

from analyses.balance.evaluation import Evaluation, leave_one_out
from analyses.groups import BLOCK, GROUPS, Sums, group_of
from basra_sim.executors import Progress
from basra_sim.plans import Plan
from basra_sim.policies import Policy, get_policy
from basra_sim.prospects import Prospect
from basra_sim.rollouts import HALF_SPREADS, HALVES, SPREAD
from basra_sim.rules import Setting
from basra_sim.stakes import play_numbers, prospect, stakes

THRESHOLDS = {"0.5 points": 0.5, "1 point": 1.0, "2 points": 2.0}
"""Points by which the best legal play is to be better than the worst."""

KEYS = (*(("real_choices", part) for part in THRESHOLDS), ("stake", ""))
"""Measures, each with its part, in the order of `statistics`."""

LEAST_DEALS = GROUPS * BLOCK
"""Deals of which all groups have as many."""

SIZE = 1 + 2 * len(KEYS)
"""
Numbers kept of a group: its decisions; for each of `KEYS` the sum over all redraws, then for each the sum over all
`HALVES` of the redraws. Spreads are counted in parts of a point.
"""

PARTS_OF_A_POINT = 1 << 20


def choice_plan(table: Setting, policy: str | Policy, seed: int) -> Plan:
    """Plan of rounds among players of one policy."""
    return Plan(table, (get_policy(policy),), ((0,) * table.players,), seed)


def choice_sums(
    table: Setting,
    policy: str | Policy,
    deals: int,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    first: int = 0,
    foreseen: Prospect | None = None,
) -> Sums:
    """
    Sums over groups of deals of what hangs on one decision each; those of further deals may be added to them.

    Parameters
    ----------
    table : Setting
    policy : whom all at the table follow
    deals, first : how many deals, and the index of the first
    foreseen : what `stakes.prospect` says of `choice_plan`; else it is found first, which takes a while

    Returns
    -------
    (GROUPS, SIZE) int64

    Raises
    ------
    InputError
        If the number of deals is out of range.
    BasraError
        If a policy's function gives no number.
    """
    planned = choice_plan(table, policy, seed)
    units = np.arange(first, first + deals)
    groups = group_of(units)
    numbers = play_numbers(planned, groups, units // (BLOCK * GROUPS) * BLOCK + units % BLOCK)
    known = prospect(planned, threads=threads) if foreseen is None else foreseen
    found = stakes(planned, numbers, known, first=first, threads=threads, progress=progress)
    sums = np.zeros((GROUPS, SIZE), np.int64)
    np.add.at(sums, groups, tallied(found))
    return sums


def tallied(found: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Numbers of each decision, (decisions, SIZE) int64, that sums are made of; `found` as `stakes` returns it."""
    whole, halves = found[:, SPREAD : SPREAD + 1], found[:, HALF_SPREADS : HALF_SPREADS + len(HALVES)]
    columns = [np.ones(len(found))]
    for spreads in (whole, halves):
        columns += [(spreads > least).sum(axis=1) for least in THRESHOLDS.values()]
        columns += [np.round(spreads * PARTS_OF_A_POINT).sum(axis=1)]
    return np.stack(columns, axis=1).astype(np.int64)


def statistics(sums: Sums) -> npt.NDArray[np.float64]:
    """
    Measures from sums, free of the bias that falls with the inverse of the number of rollouts.

    Parameters
    ----------
    sums : (n, SIZE)
        Each over some groups.

    Returns
    -------
    (n, 4) float64
        In the order of `KEYS`: shares of decisions, then points/decision.
    """
    scale = np.array([1.0] * len(THRESHOLDS) + [PARTS_OF_A_POINT])
    whole, halves = sums[:, 1 : 1 + len(KEYS)], sums[:, 1 + len(KEYS) :]
    return np.asarray((2 * whole - halves / len(HALVES)) / scale / sums[:, :1])


def choices(
    table: Setting,
    policy: str | Policy = "greedy",
    *,
    deals: int,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """
    How often a decision of equal players has a real choice, and what hangs on it.

    Parameters
    ----------
    deals : how many deals, rounded up to whole groups; one decision of each is weighed

    Raises
    ------
    InputError
        If something given is impossible.
    BasraError
        If a policy's function gives no number.

    Notes
    -----
    Groups are left out one after another, so the intervals cover the deals and the rollouts.
    """
    player = get_policy(policy)
    whole = -(-deals // LEAST_DEALS) * LEAST_DEALS
    sums = choice_sums(table, player, whole, seed, threads, progress)
    values = dict(zip(KEYS, statistics(leave_one_out(sums)).T, strict=True))
    return Evaluation(table, (player.name,), (whole // GROUPS,), whole, seed, values)
