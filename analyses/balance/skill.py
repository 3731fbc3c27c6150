"""Skill and luck: a better player among weaker ones, each deal played with him in every seat."""

from collections.abc import Mapping

import numpy as np

from analyses.balance.evaluation import Evaluation, Key, Precision, leave_one_out
from analyses.balance.playing import Lots, Sampling
from analyses.groups import Values
from basra_sim.assembly import MATCH_SUMS, SHARE
from basra_sim.executors import Progress
from basra_sim.game import codes
from basra_sim.policies import Policy, get_policy
from basra_sim.pools import Pools, VersionSums, unequal_plan, version_sums
from basra_sim.rules import Setting

BETTER, WEAKER = "counter", "greedy"
"""The players whose difference is the measure of skill: one who counts and looks ahead, one who only takes."""


def skill(
    table: Setting,
    better: str | Policy = BETTER,
    weaker: str | Policy = WEAKER,
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
    Measures of skill and luck; the arguments are those of `equal.measured`.

    Raises
    ------
    InputError
        If something given is impossible.
    BasraError
        If a match does not end within the rounds of a group.
    """
    players = get_policy(better), get_policy(weaker)
    lots = Lots(
        unequal_plan(table, *players, seed), Sampling(deals, precision), pools or Pools(kept=False), threads, progress
    )
    code = codes(table)
    added: list[VersionSums] = []

    def evaluate() -> Evaluation:
        found = VersionSums(*(leave_one_out(sum(parts)) for parts in zip(*added, strict=True)))
        names = players[0].name, players[1].name
        return Evaluation(table, names, lots.sizes, lots.rounds, seed, statistics(found, table.team_count))

    for lot in lots:
        added.append(version_sums(lot, code, threads, head_start))
        lots.judge(evaluate)
    return evaluate()


def statistics(found: VersionSums, teams: int) -> Mapping[Key, Values]:
    """
    Measures from sums, (n,) from sums with n in front.

    Notes
    -----
    Of a side's margin M, in a deal, in version s (the better player at place s) at place t, squared and averaged over
    deals, versions and places. With m its mean over deals: the seats' part is that of the mean of m over s; skill is
    that of being the better player (b ahead on average, averaged over s) or one of the others (each behind by b over
    their number); what m is beyond both goes back to the company: where one sits beside the better player, which is
    nothing where there are two sides; the deal's is the covariance of M between two versions, averaged over pairs of
    them; the rest is what is left. With two sides that is the usual analysis of variance of deals by players.
    """
    deals = found.deals.astype(float)
    count, scale = deals[:, None, None], float(teams - 1)
    means = found.margins / count / scale
    whole = (found.squares / count / scale**2).mean(axis=(1, 2))
    seats = means.mean(axis=1, keepdims=True)
    by_seats, by_places = (seats**2).mean(axis=(1, 2)), ((means - seats) ** 2).mean(axis=(1, 2))
    by_deal = _between(found.products / count / scale**2 - np.einsum("nst,nrt->nsr", means, means), teams)
    total = np.where(whole > 0, whole, 1.0)
    own = np.arange(teams)
    ahead = found.margins[:, own, own].sum(axis=1) / (deals * scale * teams)
    by_players = ahead**2 / scale
    scatter = (found.squares[:, own, own] / deals[:, None] / scale**2 - means[:, own, own] ** 2).mean(axis=1)
    of_matches = {name: found.matches[:, k].astype(float) for k, name in enumerate(MATCH_SUMS)}
    effect = ahead / np.sqrt(np.where(scatter > 0, scatter, 1.0))
    company = {("company_share", ""): (by_places - by_players) / total} if teams > 2 else {}
    return {
        ("skill", ""): by_players / total,
        ("seat_share", ""): by_seats / total,
        **company,
        ("deal_share", ""): by_deal / total,
        ("rest_share", ""): (whole - by_places - by_seats - by_deal) / total,
        ("better_margin", ""): ahead,
        ("effect", ""): effect,
        ("better_round_wins", ""): found.won.sum(axis=1) / (SHARE * deals * teams),
        ("better_match_wins", ""): of_matches["better_won"] / (SHARE * of_matches["matches"]),
        ("rounds_to_tell", ""): effect,
    }


def _between(covariances: Values, teams: int) -> Values:
    """Mean over pairs of different versions of covariances summed over places, per place: (n,) from (n, s, s)."""
    diagonal = np.einsum("nss->n", covariances)
    return np.asarray((covariances.sum(axis=(1, 2)) - diagonal) / (teams * (teams - 1) * teams))
