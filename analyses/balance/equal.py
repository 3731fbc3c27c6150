"""A table of equal players: single rounds, and the matches that they make."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import numpy.typing as npt

from analyses.balance.evaluation import Evaluation, Key, Precision, leave_one_out
from analyses.balance.measures import BEHIND, LACKING, SOURCE_PARTS, comeback_part
from analyses.balance.playing import Lots, Sampling
from analyses.groups import Values
from basra_sim.assembly import LEFT_OUT, MATCH_SUMS, ROUND_SUMS, SHARE
from basra_sim.executors import Progress
from basra_sim.game import codes
from basra_sim.policies import Policy, get_policy
from basra_sim.pools import Pools, Sums, equal_plan, sums
from basra_sim.rules import Setting

STARTS = 48_000
"""Matches, roughly, that begin with a side behind, of each kind and lot."""


def measured(
    table: Setting,
    policy: str | Policy = "greedy",
    *,
    deals: int | None = None,
    precision: Precision | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    pools: Pools | None = None,
    head_start: int = 0,
) -> Evaluation:
    """
    Measures of rounds and of matches among equal players.

    Parameters
    ----------
    deals : how many deals, rounded up to whole groups; each is played as often as there are sides
    precision : half-widths to play on for, in place of a number of deals
    pools : rounds that may stand ready, and where they are kept
    head_start : points that the side of the dealer of the first round has at the start of a match; below 0, that of the
        first mover; not in the matches of `comeback`, which begin as its parts say

    Raises
    ------
    InputError
        If something given is impossible.
    BasraError
        If a match does not end within the rounds of a group.
    """
    player = get_policy(policy)
    plan = equal_plan(table, player, seed)
    lots = Lots(plan, Sampling(deals, precision), pools or Pools(kept=False), threads, progress)
    starts, code = comeback_starts(table), codes(table)
    added: list[Sums] = []

    def evaluate() -> Evaluation:
        found = Sums(*(leave_one_out(sum(parts)) for parts in zip(*added, strict=True)))
        return Evaluation(table, (player.name,), lots.sizes, lots.rounds, seed, statistics(found, table, starts))

    for lot in lots:
        stride = max(1, lot.basras.size // STARTS)
        added.append(sums(lot, code, starts, stride, threads, head_start))
        lots.judge(evaluate)
    return evaluate()


def comeback_starts(table: Setting) -> npt.NDArray[np.int64]:
    """Points that a side is behind and that the others lack, (n, 2), where both have scores from 0 on."""
    target = table.rules.target
    found = [(behind, lacks) for behind, lacks in product(BEHIND, LACKING) if behind + lacks <= target]
    return np.array(found, np.int64).reshape(-1, 2)


def statistics(found: Sums, table: Setting, starts: npt.NDArray[np.int64]) -> Mapping[Key, Values]:
    """Measures from sums, (n,) from sums with n in front."""
    return _of_rounds(found, table) | _of_matches(found, table, starts)


def _of_rounds(found: Sums, table: Setting) -> dict[Key, Values]:
    """Measures of rounds."""
    teams = table.team_count
    of = {name: found.rounds[:, k].astype(float) for k, name in enumerate(ROUND_SUMS)}
    rounds, spread = of["rounds"], of["product_total"]
    values: dict[Key, Values] = {("points", part): of[f"points_{part}"] / rounds for part in SOURCE_PARTS}
    for part in SOURCE_PARTS[:-1]:
        values["variance_share", part] = of[f"product_{part}"] / np.where(spread > 0, spread, 1.0)
    values["basras", ""] = of["basras"] / rounds
    for place in ("first", "last"):
        values[f"{place}_seat_advantage", ""] = of[f"{place}_margin"] / (rounds * (teams - 1))
        values[f"{place}_round_wins", ""] = of[f"{place}_won"] / (SHARE * rounds) - 1 / teams
    values["round_ties", ""] = of["tied"] / rounds
    values["majority_ties", ""] = of["majority_tied"] / rounds
    for part in LEFT_OUT:
        values[f"round_without_{part}", ""] = of[f"without_{part}"] / rounds
    return values


def _of_matches(found: Sums, table: Setting, starts: npt.NDArray[np.int64]) -> dict[Key, Values]:
    """Measures of matches."""
    of = {name: found.matches[:, k].astype(float) for k, name in enumerate(MATCH_SUMS)}
    matches, values = of["matches"], {}
    for place in ("first", "last"):
        values[f"{place}_match_wins", ""] = of[f"{place}_won"] / (SHARE * matches) - 1 / table.team_count
    values["match_ties", ""] = of["tied"] / matches
    values["match_rounds", ""] = of["rounds"] / matches
    values["match_plays", ""] = of["rounds"] / matches * table.plays
    values["lead_changes", ""] = of["lead_changes"] / matches
    values["one_round_decides", ""] = of["one_round"] / np.maximum(of["won"], 1)
    for part in LEFT_OUT:
        values[f"match_without_{part}", ""] = of[f"without_{part}"] / matches
    for k, (behind, lacks) in enumerate(starts.tolist()):
        begun, won = (found.comebacks[:, k, column].astype(float) for column in (0, 1))
        values["comeback", comeback_part(behind, lacks)] = won / (SHARE * begun)
    for length in np.flatnonzero(found.lengths[0]).tolist():
        values["match_length", str(length)] = found.lengths[:, length] / matches
    return values
