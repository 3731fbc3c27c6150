"""Decisions that advice applies to, each played on both ways: what following it is worth, and where."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from basra_sim import forks, kernel, turns
from basra_sim.captures import tables
from basra_sim.executors import JOIN, Arrays, Progress, Task, execute
from basra_sim.experiment import exchanged
from basra_sim.plans import MOST_UNITS, Plan, check_number
from basra_sim.policies import Advice, Policy, find_advice, get_policy
from basra_sim.policies.advice import FORMS, Followed, pieces
from basra_sim.policies.quantities import SITUATION
from basra_sim.variants import Variant, setting
from basra_sim.watching import calls_functions, refuse, watched

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 20_000

DEALS_A_CHUNK = 256
"""Deals that are played at once. What comes out does not depend on it."""

_PLAYS = ("follow_card", "follow_taken", "against_card", "against_taken")
COLUMNS = (
    "deal_index", "seating", "play", "seat", "team", *_PLAYS, *(quantity.name for quantity in SITUATION),
    "played_card", "played_taken",
    *(f"follow_{name}" for name in forks.BRANCH), *(f"against_{name}" for name in forks.BRANCH),
)  # fmt: skip
"""What is kept of a decision, in the order of `forks.FORK`."""


@dataclass(frozen=True)
class Decisions:
    """
    Decisions that a piece of advice applied to.

    Attributes
    ----------
    plan : Plan
        The setting, the player asked (policy 0) and the others, the seatings of each deal.
    advice : Advice
    deals : int
        How many deals were played; those without a decision count as well.
    found : (decisions, columns) int64
        Columns as `COLUMNS` names them.

    Notes
    -----
    A decision counts where the player's best play that is not against the advice follows it, and his best that does not
    follow it goes against it. Of these all are played out, none is picked; several in one deal hang together, so an
    interval takes deals for its units: the mean is a ratio of sums over deals (`stats.ratio`).
    """

    plan: Plan
    advice: Advice
    deals: int
    found: npt.NDArray[np.int64]

    def column(self, name: str) -> npt.NDArray[np.int64]:
        """Numbers of a column."""
        return self.found[:, COLUMNS.index(name)]

    @property
    def gain(self) -> npt.NDArray[np.float64]:
        """Points that following is better than going against it: ahead of the mean of the others, in the round."""
        others = self.plan.setting.team_count - 1
        own = self.column("follow_own_points") - self.column("against_own_points")
        other = self.column("follow_other_points") - self.column("against_other_points")
        return np.asarray(own - other / others)

    @property
    def made(self) -> npt.NDArray[np.int64]:
        """What the player did: 1 for the play that follows, -1 for the one that goes against it, 0 for another."""

        def like(way: str) -> npt.NDArray[np.int64]:
            same = self.column("played_card") == self.column(f"{way}_card")
            return np.asarray(same & (self.column("played_taken") == self.column(f"{way}_taken")), np.int64)

        return like("follow") - like("against")

    def frame(self) -> "pd.DataFrame":
        """
        A row a decision.

        Returns
        -------
        DataFrame
            Columns as `COLUMNS`, gain (points), and made: 1 where the player followed, -1 where he went against it, 0
            where he did neither.
        """
        import pandas as pd

        return pd.DataFrame(self.found, columns=list(COLUMNS)).assign(gain=self.gain, made=self.made)


def decisions(
    advice: str | Advice,
    policy: str | Policy = "greedy",
    variant: str | Variant = "bastra",
    *,
    opponent: str | Policy | None = None,
    players: int = 2,
    pairs: bool = False,
    deals: int = DEFAULT_DEALS,
    first: int = 0,
    seed: int = 1,
    changes: Mapping[str, object] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """
    Play deals among players of a policy, and every decision that advice applies to both ways.

    Parameters
    ----------
    advice : name, a person's own file, or Advice
    policy : who is asked, and who plays on
    opponent : the others' policy; then each deal is played in all seatings. By default all play alike and all are
        asked.
    deals, first : how many deals, and the number of the first
    **others : as for `plans.plan`

    Raises
    ------
    InputError
        If something given is impossible.
    """
    table = setting(variant, players, pairs, changes)
    check_number("deals", deals, 1, MOST_UNITS)
    asked = get_policy(policy)
    both = (asked,) if opponent is None else (asked, get_policy(opponent))
    seatings = ((0,) * table.players,) if opponent is None else exchanged(table)
    plan = Plan(table, both, seatings, seed)
    found = advice if isinstance(advice, Advice) else find_advice(advice)
    tables()
    task = Task(f"{plan.label}, asked about {found.name}", partial(_forked, plan, found), (JOIN,), DEALS_A_CHUNK)
    rows = [part for (part,) in execute(task, first, deals, threads=threads, progress=progress)]
    return Decisions(plan, found, deals, np.concatenate(rows))


def _forked(plan: Plan, advice: Advice, first: int, count: int) -> Arrays:
    """Decisions of some deals."""
    plays, query = plan.setting.plays, pieces([[Followed(advice, FORMS[0])]])
    rows, facts = np.zeros((2, 4, len(turns.COLUMNS)), np.int32), np.zeros((2, len(kernel.FACTS)), np.int64)
    logs, asked = np.zeros((2, plays, 3), np.int64), np.zeros((plays + 1, kernel.ASKED), np.int64)
    found, done = np.zeros((count * len(plan.seatings) * plays, forks.FORK), np.int64), np.zeros(2, np.int64)
    batch = kernel.Batch(plan.seed, first, count, 0, 0, np.zeros((count, 0), np.uint8))
    scratch = plan.scratch()
    status = watched(
        forks.play_forks, scratch.knowledge, calls_functions(plan.side, query),
        plan.codes, tables(), plan.chances, plan.side, query, batch, scratch, rows, facts, logs, asked, found, done,
    )  # fmt: skip
    refuse(status, plan.setting.label, scratch.knowledge)
    return (found[: done[0]].copy(),)
