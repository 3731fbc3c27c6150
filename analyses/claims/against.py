"""What one policy gains on another against a common opponent, deal by deal."""

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.policies import Policy, get_policy
from basra_sim.simulation import Plan, Played, Progress
from basra_sim.stats import Estimate, mean
from basra_sim.variants import setting


def gain_against(
    first: Policy | str,
    second: Policy | str,
    opponent: Policy | str,
    variant: str,
    *,
    deals: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """
    Points a round by which the first of two policies does better than the second against an opponent, at two players.

    Each deal is played four times: either policy in either seat. The difference is taken within the deal.
    """
    policies = (get_policy(first), get_policy(second), get_policy(opponent))
    plan = Plan(setting(variant), policies, ((0, 2), (2, 0), (1, 2), (2, 1)), seed)
    total = squares = 0
    for part in plan.map(_gains, deals, threads=threads, progress=progress):
        total, squares = total + int(part.sum()), squares + int((part * part).sum())
    return mean(total, squares, deals).scaled(1 / 2)


def _gains(played: Played) -> npt.NDArray[np.int64]:
    """Gain of each deal, twice: over both seats."""
    points = played.rows[:, :2, kernel.ACES : kernel.BASRAS + 1].sum(axis=2, dtype=np.int64)
    ahead = (points[:, 0] - points[:, 1]).reshape(-1, 4)
    return np.asarray((ahead[:, 0] - ahead[:, 1]) - (ahead[:, 2] - ahead[:, 3]))
