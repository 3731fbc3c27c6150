"""What hangs on a decision: what each of its legal plays is worth to a player who remembers every card."""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import kernel, prospects, rollouts
from basra_sim.captures import tables
from basra_sim.executors import CHUNKS_A_PIECE, JOIN, Arrays, Progress, Task, execute
from basra_sim.foresight import Learner, foresee
from basra_sim.plans import MOST_UNITS, Plan, check_number
from basra_sim.prospects import Prospect
from basra_sim.rollouts import LEGAL, STAKE, Effort
from basra_sim.watching import refuse, watched

DEALS_A_CHUNK = 256
"""Deals that are played at once. What comes out does not depend on it."""

EFFORT = Effort(pilot=4, base=12.0, slope=3.0, short=12)
"""In each part some tens of redraws, and more where margins scatter far; two or three players play the end out."""


class Weighed(NamedTuple):
    """
    The legal plays of one decision and what they are worth.

    Attributes
    ----------
    plays : (card, set of cards taken) of each
    margins : (PARTS, plays) float64
        Mean margin (points) of each over each part of the redraws.
    """

    plays: tuple[tuple[int, int], ...]
    margins: npt.NDArray[np.float64]


def prospect(plan: Plan, *, threads: int | None = None, progress: Progress | None = None) -> Prospect:
    """
    What is to come when a deal has been played out, from rounds among the players of a plan: see `foresight.foresee`.

    Raises
    ------
    BasraError
        If a policy's function gives no number.
    """
    learner = Learner(plan.codes, plan.chances, plan.side, plan.seed, plan.heedful, plan.setting.label)
    return foresee(learner, threads=threads, progress=progress)


def play_numbers(plan: Plan, groups: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """
    Number of the play in each of some rounds that is asked about: each of a round's in turn, in each group of rounds.

    Parameters
    ----------
    groups : group of each round, 0 or more
    places : its place in the group
    """
    plays = plan.setting.plays
    first = [rollouts.first_play(plan.seed, group, plays) for group in range(int(groups.max()) + 1)]
    return np.asarray((np.array(first)[groups] + places) % plays)


def stakes(
    plan: Plan,
    numbers: npt.NDArray[np.int64],
    foreseen: Prospect,
    *,
    first: int = 0,
    effort: Effort = EFFORT,
    threads: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.float64]:
    """
    What hangs on one decision of each of some deals.

    Parameters
    ----------
    plan : Plan
        Single rounds with one seating.
    numbers : (deals,) int64
        Number of the decision's play in its round.
    foreseen : Prospect
        Of the same plan.
    first : index of the first deal
    effort : Effort

    Returns
    -------
    (deals, STAKE) float64
        Columns `rollouts.LEGAL`, `SPREAD` (points) and, from `HALF_SPREADS` on, the same from each half of the redraws.

    Raises
    ------
    InputError
        If the number of deals is out of range.
    BasraError
        If a policy's function gives no number.

    Notes
    -----
    A player knows his hand, the floor, every card played and those that were buried at the bottom. Cards buried at
    random places count as unseen, like any other. A best mean less a worst one is too large on average, and the more so
    the fewer the redraws: nearly as the inverse of their number, so that halves tell how much.
    """
    check_number("deals", first + len(numbers), 1, MOST_UNITS)
    tables()
    work = partial(_part, plan, numbers, first, foreseen, effort)
    task = Task(f"{plan.label}, what hangs on a decision", work, (JOIN,), DEALS_A_CHUNK, CHUNKS_A_PIECE // 32)
    found = execute(task, first, len(numbers), threads=threads, progress=progress)
    return np.concatenate([part for (part,) in found])


def _part(
    plan: Plan, numbers: npt.NDArray[np.int64], first: int, foreseen: Prospect, effort: Effort, start: int, count: int
) -> Arrays:
    """What hangs on one decision of each of some deals from one on, where `numbers` begin at the first."""
    return (_found(plan, numbers[start - first : start - first + count], foreseen, start, effort)[0],)


def weighed(plan: Plan, deal: int, play: int, foreseen: Prospect, *, effort: Effort = EFFORT) -> Weighed:
    """
    What the legal plays of one decision are worth: that of a play, by its number, of the round of a deal.

    Raises
    ------
    InputError
        If the round has no such play.
    BasraError
        If a policy's function gives no number.
    """
    check_number("play", play, 0, plan.setting.plays - 1)
    found, desk = _found(plan, np.array([play]), foreseen, deal, effort)
    count = int(found[0, LEGAL])
    plays = tuple((int(card), int(taken)) for card, taken in desk.plays[:count])
    return Weighed(plays, desk.totals[:, :count].copy())


def _found(
    plan: Plan, numbers: npt.NDArray[np.int64], foreseen: Prospect, first: int, effort: Effort
) -> tuple[npt.NDArray[np.float64], prospects.Desk]:
    """Decisions of some deals, and the desk as the last of them left it."""
    found, desk = np.zeros((len(numbers), STAKE)), prospects.make_desk()
    batch = kernel.single_rounds(plan.seed, first, len(numbers))
    scratch = plan.scratch()
    status = watched(
        rollouts.find_stakes, scratch.knowledge, plan.calls_functions,
        plan.codes, tables(), plan.chances, plan.side, batch, numbers, foreseen, effort,
        scratch, desk, found, plan.heedful,
    )  # fmt: skip
    refuse(status, plan.setting.label, scratch.knowledge)
    return found, desk
