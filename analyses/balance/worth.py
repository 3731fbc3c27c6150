"""What being dealt each card is worth: the margin of a round, explained by who was dealt which cards."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.groups import GROUPS, group_of, jackknife
from analyses.scenes import Scene
from basra_sim import kernel, turns
from basra_sim.cards import DECK_SIZE, JACK, SEVEN_OF_DIAMONDS, card_name
from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.plans import Plan, Played
from basra_sim.stats import Estimate
from basra_sim.tallies import checked_sums

ROUNDS = 1.0
"""Rounds of each set of rules, as a part of `Effort.rounds`."""

LEAST_ROUNDS = 500

FIRST_MOVE = "first move"
"""
What stands beside the cards: the worth of moving first with cards of equal worth.

It is not the first mover's lead: cards that are buried come out at the end of the pack, more of them to the last seat.
"""

UNIT = "points/round"

_JACKS = list(range(4 * JACK, 4 * JACK + 4))

_Values = npt.NDArray[np.float64]

_SIZE = DECK_SIZE + 2
"""Columns of a round: the 52 cards, the first move, the margin."""


@dataclass(frozen=True)
class Worth:
    """
    What being dealt each card is worth at a table of two sides.

    The worth of a card is by how much the margin of the side that was dealt it is higher than with an average card.

    Attributes
    ----------
    plan : Plan
    rounds : int
    sums : (groups, columns, columns) int64
        Of each group of rounds the sums of products of columns: for each card 1 where side 0 was dealt it, -1 where
        side 1 was, 0 where it lay on the opening floor; the same for the first move; the margin of side 0.

    Notes
    -----
    Least squares of the margin on the other columns. As both sides get as many cards, only differences between cards
    can be told: their mean is set to 0. Intervals come from leaving out groups of rounds, so they need no equal spread.
    """

    plan: Plan
    rounds: int
    sums: npt.NDArray[np.int64]

    def frame(self) -> pd.DataFrame:
        """
        Worth of every card, highest first.

        Returns
        -------
        DataFrame
            card (by name; `FIRST_MOVE` for the first move), estimate, low, high, unit, units (rounds), rank (1 for the
            card that is worth most; missing for the first move).
        """
        names = [card_name(card) for card in range(DECK_SIZE)] + [FIRST_MOVE]
        rows = [
            {"card": name} | found.to_dict() | {"unit": UNIT}
            for card, (name, found) in enumerate(
                zip(names, jackknife(self.sums, self.rounds, _least_squares), strict=True)
            )
            if card < self.plan.setting.rules.pack or name == FIRST_MOVE
        ]
        frame = pd.DataFrame(rows).sort_values("estimate", ascending=False, kind="stable", ignore_index=True)
        ranks = frame["estimate"].where(frame["card"] != FIRST_MOVE).rank(ascending=False, method="first")
        return frame.assign(rank=ranks.astype("Int64"))

    def jack_over_rest(self) -> Estimate:
        """What the average jack is worth more than the best of the other cards."""
        return self._one(lambda jacks, seven, rest: jacks - np.maximum(rest, seven))

    def seven_between(self) -> Estimate:
        """The lesser of two gaps: from the seven of diamonds up to the average jack, and down to the next card."""
        return self._one(lambda jacks, seven, rest: np.minimum(jacks - seven, seven - rest))

    def _one(self, statistic: Callable[[_Values, _Values, _Values], _Values]) -> Estimate:
        """Estimate made of the worth of the average jack, of the seven of diamonds, and of the best other card."""
        others = [card for card in range(self.plan.setting.rules.pack) if card not in {*_JACKS, SEVEN_OF_DIAMONDS}]

        def of_products(products: npt.NDArray[np.int64]) -> _Values:
            values = _least_squares(products)
            jacks, rest = values[:, _JACKS].mean(axis=1), values[:, others].max(axis=1)
            return statistic(jacks, values[:, SEVEN_OF_DIAMONDS], rest)[:, None]

        return jackknife(self.sums, self.rounds, of_products)[0]


def worth(
    scene: Scene, rounds: int, *, seed: int = 1, threads: int | None = None, progress: Progress | None = None
) -> Worth:
    """
    Play rounds and find what being dealt each card is worth.

    Raises
    ------
    ValueError
        If there are more than two sides at the table, or too few rounds to tell the cards apart.
    """
    if rounds < LEAST_ROUNDS:
        raise ValueError(f"{rounds} rounds are too few to tell 52 cards apart: it takes {LEAST_ROUNDS}")
    plan, sums = scene.plan(seed), np.zeros((GROUPS, _SIZE, _SIZE), np.int64)
    if plan.setting.team_count != 2:
        raise ValueError(f"{scene.label}: the worth of cards is told from two sides")
    for (part,) in plan.map(partial(_products, plan), (ADD,), rounds, threads=threads, logged=True, progress=progress):
        sums += part
        checked_sums(sums[:, -1, -1].sum())  # the squares of margins are the largest; all groups are to be added up
    return Worth(plan, rounds, sums)


def _products(plan: Plan, played: Played) -> Arrays:
    """Sums of products of the columns of a part's rounds, (groups, columns, columns)."""
    logs, first = played.logs, played.facts[:, kernel.FIRST]
    players, rounds = plan.setting.players, len(played.rows)
    sides = (np.arange(logs.shape[1]) + first[:, None]) % players % 2
    columns = np.zeros((rounds, _SIZE))
    columns[np.arange(rounds)[:, None], logs[:, :, 0]] = 1 - 2 * sides
    columns[:, DECK_SIZE] = 1 - 2 * (first % 2)
    points = played.rows[:, :2, turns.ACES : turns.BASRAS + 1].sum(axis=2, dtype=np.int64)
    columns[:, -1] = points[:, 0] - points[:, 1]
    group = group_of(played.facts[:, kernel.MATCH])
    sums = np.zeros((GROUPS, _SIZE, _SIZE), np.int64)
    for each in np.unique(group):
        part = columns[group == each]
        sums[each] = part.T @ part
    return (sums,)


def _least_squares(products: npt.NDArray[np.int64]) -> _Values:
    """
    Coefficients of all columns but the last, which they explain, so that those of the cards sum to 0: (n, columns).

    The cards' columns sum to 0 in every round, so adding that sum's square to what is minimised settles just this.
    """
    square, right = products[:, :-1, :-1].astype(float), products[:, :-1, -1:].astype(float)
    size = np.einsum("nii->ni", square)
    present = (size > 0) & (np.arange(_SIZE - 1) < DECK_SIZE)
    square += present[:, :, None] * present[:, None, :] * size.mean(axis=1)[:, None, None] / DECK_SIZE
    square += np.eye(_SIZE - 1) * (size == 0)[:, None, :]
    return np.asarray(np.linalg.solve(square, right)[:, :, 0])
