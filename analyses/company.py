"""How the game changes with the company: skill and luck, the first move and the choices, for two, three and four."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from analyses.frames import rows_of
from analyses.frequencies import counted, frame
from analyses.groups import GROUPS, group_of, jackknife
from analyses.jobs import STRENGTHS, Effort, Job, weight
from analyses.scenes import Scene
from basra_sim import kernel
from basra_sim.deals import SEED_LIMIT
from basra_sim.experiment import duel, exchanged
from basra_sim.policies import get_policy
from basra_sim.simulation import MEASURES, Plan, Played, Progress, simulate
from basra_sim.stats import Estimate
from basra_sim.variants import setting

DEALS = 1 / 4
"""Deals at each table, as a part of `Effort.rounds`."""

COMPANIES = ((2, False), (3, False), (4, False), (4, True))
"""Numbers of players, and whether they play in pairs."""

WEAKER, BETTER = STRENGTHS

SKILL, WINS, ABOVE_FAIR = "skill", "better wins", "better wins more than fair"
FIRST_MARGIN, FIRST_WINS = "first_margin", "first wins more than fair"
CHOICES = {
    "ranks": "a choice of ranks",
    "captures": "a choice of captures",
    "capture or not": "a choice whether to capture",
}


def jobs(effort: Effort, variant: str = "bastra") -> Iterator[Job]:
    """
    Rounds to play at tables of two, three and four singles and of two pairs.

    The rows of `jobs.run` have the columns variant, players, pairs, policy, measure, estimate, low, high, unit, units
    (deals), seed. Measures:

    - `SKILL`: share of the variance of a side's margin over the mean of the others that goes back to where the one
      better player sits, when each deal is played once for every place of his (the correlation ratio). The better
      player is `BETTER`, all others are `WEAKER`. Every table has its own seed, from the effort's on, so that they are
      independent.
    - `WINS`: rounds that the better player's side wins, a tie shared; `ABOVE_FAIR`: the same less an equal share.
    - `FIRST_MARGIN`: points by which the first mover's side is ahead of the mean of the others, among equal players.
    - `FIRST_WINS`: rounds that it alone wins, less an equal share of the rounds that are won, among equal players.
    - Those of `CHOICES`, shares of plays among equal players: the hand holds cards of several ranks; of several ranks
      that capture; one that captures and one of another rank that does not.
    """
    for place, (players, pairs) in enumerate(COMPANIES):
        table = Scene(variant, players, pairs, f"{BETTER}, {WEAKER}")
        units, own = effort.units(DEALS, BETTER), replace(effort, seed=(effort.seed + place) % SEED_LIMIT)
        yield Job(
            f"skill: {table.label}", weight(2 * players * units, BETTER, WEAKER), partial(_skill, table, units, own)
        )
        for policy in STRENGTHS:
            equal = Scene(variant, players, pairs, policy)
            units = effort.units(DEALS, policy)
            yield Job(f"first move: {equal.label}", weight(2 * units, policy), partial(_equal, equal, units, effort))


def _row(scene: Scene, measure: str, found: Estimate, unit: str, seed: int) -> dict[str, Any]:
    """Row of `jobs`."""
    return scene.columns | {"measure": measure} | found.to_dict() | {"unit": unit, "seed": seed}


def _shifted(found: Estimate, by: float) -> Estimate:
    """Estimate of the same less a number."""
    value, low, high = (None if part is None else part - by for part in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.units)


def _skill(scene: Scene, units: int, effort: Effort, progress: Progress | None) -> list[dict[str, Any]]:
    """Rows on the better of two kinds of players."""
    table = setting(scene.variant, scene.players, scene.pairs)
    plan = Plan(table, (get_policy(BETTER), get_policy(WEAKER)), exchanged(table), effort.seed)
    teams = table.team_count
    sums = np.zeros((GROUPS, 3, teams, teams), np.int64)
    for groups, parts in plan.map(partial(_margins, teams), units, threads=effort.threads, progress=progress):
        sums[groups] += parts
    (share,) = jackknife(sums, units, _correlation_ratio)
    made = duel(
        BETTER,
        WEAKER,
        scene.variant,
        players=scene.players,
        pairs=scene.pairs,
        deals=units,
        seed=effort.seed,
        threads=effort.threads,
        progress=progress,
    )
    rows = [
        (SKILL, share, "of the variance"),
        (WINS, made.win, "of rounds"),
        (ABOVE_FAIR, _shifted(made.win, made.fair), "of rounds"),
    ]
    return [_row(scene, measure, found, unit, effort.seed) for measure, found, unit in rows]


def _margins(teams: int, played: Played) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """
    Groups that a chunk has deals of, and of each the sums of each team's margin in each seating.

    Returns
    -------
    (groups,) and (groups, 3, seatings, teams) int64
        Number of deals, sum and sum of squares of the margins (times the number of other teams).
    """
    scores = played.rows[:, :teams, kernel.ACES : kernel.BASRAS + 1].sum(axis=2, dtype=np.int64)
    margins = (teams * scores - scores.sum(axis=1, keepdims=True)).reshape(-1, teams, teams)
    group = group_of(np.arange(played.first, played.first + played.units))
    present = np.unique(group)
    powers = np.stack([np.ones_like(margins), margins, margins * margins], axis=1)
    return present, np.array([powers[group == each].sum(axis=0) for each in present])


def _correlation_ratio(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Share of the variance of the margins that lies between seatings, over all teams: (n, 1)."""
    number, total, squares = (sums[:, k].astype(float) for k in range(3))
    means = total / number
    centre = means.mean(axis=1, keepdims=True)
    between = ((means - centre) ** 2).sum(axis=(1, 2))
    whole = (squares / number - centre**2).sum(axis=(1, 2))
    return np.where(whole > 0, between / np.where(whole > 0, whole, 1.0), 0.0)[:, None]


def _equal(scene: Scene, units: int, effort: Effort, progress: Progress | None) -> list[dict[str, Any]]:
    """Rows on equal players."""
    table: dict[str, Any] = {"players": scene.players, "pairs": scene.pairs, "policies": scene.policy}
    made = simulate(scene.variant, rounds=units, seed=effort.seed, threads=effort.threads, progress=progress, **table)
    won, tied = made.estimate("won", 0), made.estimate("tied")
    fair = (1 - (tied.value or 0.0)) / made.plan.setting.team_count
    rows = [
        _row(scene, FIRST_MARGIN, made.estimate("first_margin"), MEASURES["first_margin"].unit, effort.seed),
        _row(scene, FIRST_WINS, _shifted(won, fair), MEASURES["won"].unit, effort.seed),
    ]
    counts = counted(scene, units, seed=effort.seed, threads=effort.threads, progress=progress)
    for row in rows_of(frame(counts, "choice")):
        named = scene.columns | {"measure": CHOICES[row["kind"]]}
        rows.append(
            named | {name: row[name] for name in ("estimate", "low", "high", "units", "unit")} | {"seed": effort.seed}
        )
    return rows
