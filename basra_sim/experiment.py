"""Paired experiments: two policies on the same deals, with the seats exchanged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.errors import InputError
from basra_sim.policies import Policy, get_policy
from basra_sim.rules import Setting
from basra_sim.simulation import MOST_UNITS, Plan, Played, Progress, check_number
from basra_sim.stats import Estimate, as_share, mean
from basra_sim.variants import Variant, setting

DEFAULT_DEALS = 100_000


def exchanged(table: Setting) -> tuple[tuple[int, ...], ...]:
    """
    Seatings in which policy 0 is tried against policy 1: in pairs each side in turn, among singles each seat in turn.

    Among three or four singles one player follows policy 0 and the others policy 1.
    """
    return tuple(tuple(int(team != tried) for team in table.teams) for tried in range(table.team_count))


@dataclass(frozen=True)
class Duel:
    """
    What one policy gains on another.

    Attributes
    ----------
    plan : Plan
        The setting, the two policies and the seatings of each deal.
    units : deals, or matches, each played in every seating
    margin : Estimate
        Points a round (or, of matches, points of the final score) that the first policy's team is ahead of the mean
        of the others, averaged over the seatings of a deal.
    win : Estimate
        Share of rounds (or matches) that the first policy's team wins; a tie is shared among those who tie.
    fair : share that each team would win if all were alike
    seat_margins : Estimate per seating
        Margin by the place of the first policy's team.
    deal_correlation : float or None
        Correlation of the margins of two seatings of a deal; the more negative, the more the exchange of seats gains.
    """

    plan: Plan
    units: int
    margin: Estimate
    win: Estimate
    fair: float
    seat_margins: tuple[Estimate, ...]
    deal_correlation: float | None

    @property
    def pairing_gain(self) -> float | None:
        """How many times fewer deals the exchange of seats needs than as many single rounds on deals of their own."""
        if self.deal_correlation is None:
            return None
        spread = 1 + (len(self.plan.seatings) - 1) * self.deal_correlation
        return 1 / spread if spread > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        table = self.plan.setting
        return {
            "variant": table.label,
            "players": table.players,
            "teams": list(table.teams),
            "rules": dict(table.changes),
            "policies": [policy.name for policy in self.plan.policies],
            "unit": "match" if self.plan.matches else "deal",
            "units": self.units,
            "rounds_of_each_unit": len(self.plan.seatings),
            "seed": self.plan.seed,
            "margin": self.margin.to_dict(),
            "win": self.win.to_dict(),
            "fair": self.fair,
            "seat_margins": [each.to_dict() for each in self.seat_margins],
            "pairing_gain": self.pairing_gain,
        }


def _margins(played: Played, plan: Plan) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """
    Margin (times the number of other teams) and share of the win (times 12) of the tried team.

    Returns
    -------
    two (units, seatings) int64
    """
    seatings, teams = len(plan.seatings), plan.setting.team_count
    if plan.matches:
        scores = played.results[:, kernel.FIRST_SCORE : kernel.FIRST_SCORE + teams]
        winners = played.results[:, kernel.WINNER]
    else:
        scores = played.rows[:, :teams, kernel.ACES : kernel.BASRAS + 1].sum(axis=2, dtype=np.int64)
        winners = np.full(len(scores), -1)
    scores = scores.reshape(-1, seatings, teams)
    tried = np.arange(seatings)
    own = scores[:, tried, tried]
    best = scores.max(axis=2)
    shared = (own == best) * (12 // (scores == best[:, :, None]).sum(axis=2))
    decided = winners.reshape(-1, seatings)
    return teams * own - scores.sum(axis=2), np.where(decided >= 0, 12 * (decided == tried), shared)


def duel(
    first: str | Policy,
    second: str | Policy,
    variant: str | Variant = "bastra",
    *,
    players: int = 2,
    pairs: bool = False,
    deals: int | None = None,
    matches: int | None = None,
    seed: int = 1,
    changes: Mapping[str, object] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Duel:
    """
    Try one policy against another on common deals, each played once for every place of the first.

    Parameters
    ----------
    first, second : policies, by name or themselves
    deals, matches : number of units; give one of them (100,000 deals if neither)
    **others : as for `simulation.plan`

    Raises
    ------
    InputError
        If something given is impossible.
    """
    if deals is not None and matches is not None:
        raise InputError("deals and matches are both given: give one of them")
    table = setting(variant, players, pairs, changes)
    units = matches if matches is not None else DEFAULT_DEALS if deals is None else deals
    check_number("deals" if matches is None else "matches", units, 1, MOST_UNITS)
    both = (get_policy(first), get_policy(second))
    plan = Plan(table, both, exchanged(table), seed, matches is not None)
    seatings, others = len(plan.seatings), table.team_count - 1

    def work(played: Played) -> npt.NDArray[Any]:
        margins, wins = _margins(played, plan)
        unit, won = margins.sum(axis=1), wins.sum(axis=1)
        sums = [unit.sum(), (unit * unit).sum(), won.sum(), (won * won).sum()]
        return np.array([*sums, *margins.sum(axis=0), *(margins * margins).sum(axis=0)]).astype(object)

    sums: Any = np.zeros(4 + 2 * seatings, object)
    for part in plan.map(work, units, threads=threads, progress=progress):
        sums = sums + part
    seats = [mean(sums[4 + k], sums[4 + seatings + k], units).scaled(1 / others) for k in range(seatings)]
    return Duel(
        plan=plan,
        units=units,
        margin=mean(sums[0], sums[1], units).scaled(1 / (others * seatings)),
        win=as_share(mean(sums[2], sums[3], units).scaled(1 / (12 * seatings))),
        fair=1 / table.team_count,
        seat_margins=tuple(seats),
        deal_correlation=_correlation(sums, seatings, units),
    )


def _correlation(sums: Any, seatings: int, units: int) -> float | None:
    """Mean correlation between the margins of two seatings of a unit, from their sums."""
    within = sum(int(sums[4 + seatings + k]) - int(sums[4 + k]) ** 2 / units for k in range(seatings))
    if within <= 0:
        return None
    whole = int(sums[1]) - int(sums[0]) ** 2 / units
    return float((whole / within - 1) / (seatings - 1))
