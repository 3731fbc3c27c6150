"""Players tried on common deals, all of them at once: their margins as whole numbers."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

import numpy as np

from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.experiment import exchanged, margins
from basra_sim.plans import Plan, Played
from basra_sim.policies import Policy
from basra_sim.rules import Setting


def rounds_a_deal(table: Setting) -> int:
    """Rounds that a player plays of each deal: one in every place of its team."""
    return len(exchanged(table))


def margin_sums(
    table: Setting,
    tried: Sequence[Policy],
    opponent: Policy,
    seed: int,
    first: int,
    deals: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[int]:
    """
    Margin of each player against the same opponent, added up over the same deals, each with the seats exchanged.

    Parameters
    ----------
    first, deals : number of the first deal, and how many

    Returns
    -------
    (players,) int
        Points over the others, times the number of other teams, over all rounds: see `per_round`.
    """
    seatings = tuple(chain.from_iterable(exchanged(table, k, len(tried)) for k in range(len(tried))))
    plan = Plan(table, (*tried, opponent), seatings, seed)
    sums = sum(
        found
        for (found,) in plan.map(
            partial(_margins, plan), (ADD,), deals, first=first, threads=threads, progress=progress
        )
    )
    return [int(each) for each in np.broadcast_to(sums, len(tried))]


def _margins(plan: Plan, played: Played) -> Arrays:
    """Margin of each player who is tried, added up over a part."""
    places = plan.setting.team_count
    return (margins(played, plan)[0].reshape(-1, len(plan.policies) - 1, places).sum(axis=(0, 2)),)


def per_round(table: Setting, margin: int, deals: int) -> float:
    """Points a round of a margin that is added up over so many deals; 0 without deals."""
    rounds = deals * rounds_a_deal(table)
    return margin / (rounds * (table.team_count - 1)) if rounds else 0.0
