"""Counting what the predictions of `observed` speak of, and judging them by a stated rule."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analyses.balance import leads, worth
from analyses.balance.choices import choices
from analyses.balance.equal import measured
from analyses.balance.evaluation import Evaluation
from analyses.balance.runs import A_DECISION, COMPANIES
from analyses.balance.skill import BETTER, WEAKER, skill
from analyses.claims.model import FREQUENCY, Table
from analyses.claims.observed import (
    ABOVE,
    BALANCE,
    COMPANY,
    COUNTS,
    LEADS,
    PREDICTIONS,
    WORTH,
    Prediction,
)
from analyses.claims.rows import EXPLORATION, PRIMARY, line
from analyses.frames import estimates
from analyses.frequencies import counted
from analyses.inference import benjamini_hochberg, difference, equivalence, holm, share_difference, units_needed
from analyses.jobs import PLAYERS, Effort, Job, same_rules, weight
from analyses.scenes import Scene
from basra_sim.deals import SEED_LIMIT
from basra_sim.executors import Progress
from basra_sim.plans import MOST_UNITS
from basra_sim.pools import GROUPS, LEAST_DEALS
from basra_sim.stats import LEVEL, Estimate
from basra_sim.variants import setting

AS_PREDICTED, OTHER_WAY, NOTHING, UNDECIDED = "as predicted", "other way", "no difference", "undecided"
"""Outcomes of a prediction."""

RULE = (
    "What is predicted of a frequency comes out so, or the other way, if it lies on that side of its bound at the "
    f"{LEVEL * 100:.0f} % level. A difference is none if two one-sided tests at that level put it within the smallest "
    "that matters, even where it is certain. Else it is undecided."
)
"""The rule of outcomes, for people; what is corrected together is said in `verdict.RULE`."""

_LEAST = GROUPS * LEAST_DEALS
"""Deals that measures of a table take at least."""

ROUNDS: dict[str, float] = {COUNTS: 1.0, LEADS: leads.MATCHES, BALANCE: 0.5, WORTH: worth.ROUNDS, COMPANY: 0.25}
"""Units of each kind of batch, as a part of `Effort.rounds`."""

LEAST: dict[str, int] = {COUNTS: 2, LEADS: 2, BALANCE: _LEAST, WORTH: worth.LEAST_ROUNDS, COMPANY: _LEAST}
"""Units of each kind of batch at least."""

_ROUNDS_A_UNIT: dict[str, int] = {COUNTS: 1, LEADS: 5, BALANCE: 2, WORTH: 1}
"""Rounds that a unit takes, roughly, at a table of two sides."""

PAIRED = Table("bastra", 4, True).seats

_BESIDE: dict[str, float] = {COUNTS: 2.0, LEADS: 0.5, BALANCE: 0.2, WORTH: 1.0}
"""Time that a round takes besides being played, in rounds of `greedy`."""


def jobs(effort: Effort, claims: Sequence[str] | None = None) -> Iterator[Job]:
    """
    Batches that the predictions of some claims need, or of all.

    Rows as `rows.line` describes them, whose measure is the quantity in words; besides prediction (its name), expects,
    bound, smallest (missing where the bound is not 0). Where there are no such occasions, or too few for an interval,
    there is no row.
    """
    wanted = [each for each in PREDICTIONS if claims is None or each.claim in claims]
    for kind in _ROUNDS_A_UNIT:
        of_kind = [each for each in wanted if each.of == kind]
        for policy in PLAYERS:
            for alike in same_rules():
                yield from _batch(kind, of_kind, alike, policy, effort)
        paired = [each for each in of_kind if each.pairs]
        for policy in PLAYERS:
            if paired:
                yield _job(kind, paired, ["bastra"], Scene(pairs=True, players=4, policy=policy), effort)
    of_company = [each for each in wanted if each.of == COMPANY]
    if of_company:
        name, units = of_company[0].variant, max(effort.units(ROUNDS[COMPANY], BETTER), LEAST[COMPANY])
        work = partial(_company, of_company, name, units, effort)
        took = weight(13 * units, BETTER, WEAKER) + weight(len(COMPANIES) * units // 2 * A_DECISION, BETTER)
        yield Job(f"observed: company, {name}", took, work, _claims(of_company))


def _batch(
    kind: str, of_kind: Sequence[Prediction], alike: Sequence[str], policy: str, effort: Effort
) -> Iterator[Job]:
    """The job, if any, for two players of some variants of the very same rules."""
    names = [name for name in alike if any(name in each.variants for each in of_kind)]
    if of_kind and names:
        yield _job(kind, of_kind, names, Scene(names[0], policy=policy), effort)


def _job(kind: str, of_kind: Sequence[Prediction], names: Sequence[str], scene: Scene, effort: Effort) -> Job:
    """One batch, for all variants that have its rules."""
    units = max(effort.units(ROUNDS[kind], scene.policy), LEAST[kind])
    rounds = units * _ROUNDS_A_UNIT[kind]
    work = partial(_observe, kind, of_kind, names, scene, units, effort)
    took = weight(rounds, scene.policy) + _BESIDE[kind] * rounds
    return Job(f"observed: {kind}, {scene.label}", took, work, _claims(of_kind))


def _claims(of_kind: Sequence[Prediction]) -> tuple[str, ...]:
    """Claims that some predictions belong to."""
    return tuple(dict.fromkeys(each.claim for each in of_kind))


_PLAYED: dict[str, Callable[..., Any]] = {
    COUNTS: counted,
    LEADS: leads.leads,
    BALANCE: lambda scene, units, **run: measured(scene.setting, scene.policy, deals=units, **run),
    WORTH: worth.worth,
}


def _observe(
    kind: str,
    of_kind: Sequence[Prediction],
    names: Sequence[str],
    scene: Scene,
    units: int,
    effort: Effort,
    progress: Progress | None,
) -> list[dict[str, Any]]:
    """Rows of one batch."""
    found = _PLAYED[kind](scene, units, seed=effort.seed, threads=effort.threads, progress=progress)
    rows: list[dict[str, Any]] = []
    for name in names:
        seats = Table(name, scene.players, scene.pairs).seats
        for each in of_kind:
            if name in each.variants:
                rows += _rows(each, name, seats, scene.policy, each.estimate(found), effort.seed)
    return rows


def companies(
    name: str, units: int, seed: int, threads: int | None = None, progress: Progress | None = None
) -> dict[tuple[str, str], Evaluation]:
    """
    Evaluations at the tables of `COMPANIES`, by table and measure: skill, and the choices of the better player's like.

    Each table plays deals of its own, so that they are independent.
    """
    found = {}
    for place, (company, seats) in enumerate(COMPANIES.items()):
        table = setting(name, *seats)
        run: dict[str, Any] = {"seed": (seed + place) % SEED_LIMIT, "threads": threads, "progress": progress}
        found[company, "skill"] = skill(table, deals=units, **run)
        found[company, "real_choices"] = choices(table, BETTER, deals=units // 2, **run)
    return found


def _company(
    of_company: Sequence[Prediction], name: str, units: int, effort: Effort, progress: Progress | None
) -> list[dict[str, Any]]:
    """Rows that compare tables of several sizes."""
    tables = companies(name, units, effort.seed, effort.threads, progress)
    return [
        row
        for each in of_company
        for row in _rows(each, name, "two to four players", BETTER, each.estimate(tables), effort.seed)
    ]


def _rows(
    each: Prediction, variant: str, seats: str, policy: str, found: Estimate, seed: int
) -> Iterator[dict[str, Any]]:
    """The row of a prediction; none where there were too few occasions."""
    if found.low is None:
        return
    judged = each.primary and variant == each.variant and seats != PAIRED
    role = PRIMARY if judged else EXPLORATION
    yield line(
        each.claim, FREQUENCY, role, variant, seats, policy, each.quantity, found, unit=each.unit, seed=seed,
        prediction=each.name, expects=each.expects, bound=each.bound, smallest=each.smallest,
    )  # fmt: skip


def judge(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Rows of `jobs` with their outcomes, by `RULE`.

    Returns
    -------
    DataFrame
        As given, and p_difference (from the bound), p_equivalence (missing where no smallest difference is registered),
        both corrected within the role, over all claims together (p_difference_corrected, p_equivalence_corrected),
        outcome (`AS_PREDICTED`, `OTHER_WAY`, `NOTHING` or `UNDECIDED`), needed (units that would decide an undecided
        one, else missing, as where no number that can be played would).
    """
    judged = [_family(part) for _, part in frame.groupby("role", sort=False)]
    return pd.concat(judged).sort_index()


def _family(part: pd.DataFrame) -> pd.DataFrame:
    """Outcomes of the tests that are corrected together."""
    correct = holm if part["role"].iloc[0] == PRIMARY else benjamini_hochberg
    found = estimates(part)
    bounds, smallest = part["bound"].tolist(), part["smallest"].astype(float).tolist()
    differ = [
        share_difference(each, bound) if bound else difference(each) for each, bound in zip(found, bounds, strict=True)
    ]
    same = [equivalence(each, least, bound) for each, least, bound in zip(found, smallest, bounds, strict=True)]
    part = part.assign(p_difference=differ, p_equivalence=same)
    part["p_difference_corrected"] = correct(differ)
    registered = part["smallest"].notna()
    part["p_equivalence_corrected"] = float("nan")
    part.loc[registered, "p_equivalence_corrected"] = correct(part.loc[registered, "p_equivalence"].tolist())
    agrees = (part["estimate"] > part["bound"]) == (part["expects"] == ABOVE)
    decided = part["p_difference_corrected"] < LEVEL
    same_enough = part["p_equivalence_corrected"] < LEVEL
    part["outcome"] = np.select([same_enough, decided & agrees, decided], [NOTHING, AS_PREDICTED, OTHER_WAY], UNDECIDED)
    tests = len(part) if part["role"].iloc[0] == PRIMARY else 1
    part["needed"] = [
        _needed(each, bound, least, tests) if outcome == UNDECIDED else None
        for each, bound, least, outcome in zip(found, bounds, smallest, part["outcome"], strict=True)
    ]
    return part.astype({"needed": "Int64"})


def _needed(found: Estimate, bound: float, smallest: float, tests: int) -> int | None:
    """Units that would decide on which side of a bound the truth is; None where no number that can be played would."""
    value, low, high = (None if part is None else part - bound for part in (found.value, found.low, found.high))
    needed = units_needed(Estimate(value, low, high, found.units), 0.0 if np.isnan(smallest) else smallest, tests)
    return None if needed is None or needed > MOST_UNITS else needed
