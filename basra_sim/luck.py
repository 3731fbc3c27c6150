"""The luck of the deal: what each team is dealt, as numbers whose expectation is known, so that it can be taken out."""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from basra_sim import kernel
from basra_sim.cards import ACE, JACK, SEVEN_OF_DIAMONDS, TEN_OF_DIAMONDS, card_set
from basra_sim.rules import Setting
from basra_sim.rules.table import FLOOR_CARDS

_ACES, _JACKS = 15 << 4 * ACE, 15 << 4 * JACK

Terms = tuple[tuple[int, int], ...]
"""Sets of cards, each with what a card of it counts."""


@dataclass(frozen=True)
class Luck:
    """
    What teams are dealt in a round: for each team its sweeping cards, then for each team the points on its cards.

    Sweeping cards are jacks, and the seven of diamonds where it sweeps.

    Attributes
    ----------
    setting : Setting
    """

    setting: Setting

    @cached_property
    def kinds(self) -> tuple[Terms, ...]:
        """What is counted of a team's cards."""
        rules = self.setting.rules
        pack = (1 << rules.pack) - 1
        sweepers = _JACKS | (1 << SEVEN_OF_DIAMONDS if rules.seven_sweeps else 0)
        points = (
            (_ACES, rules.ace_points),
            (_JACKS, rules.jack_points),
            (1 << rules.two_card, rules.two_points),
            (1 << TEN_OF_DIAMONDS, rules.ten_points),
        )
        return ((sweepers & pack, 1),), tuple((cards & pack, worth) for cards, worth in points if worth)

    def columns(self, dealt: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """
        Covariates of some rounds.

        Parameters
        ----------
        dealt : (rounds, 4) masks of the cards dealt to each team

        Returns
        -------
        (rounds, covariates) int64
        """
        masks = dealt[:, : self.setting.team_count]
        found = []
        for terms in self.kinds:
            count = np.zeros(masks.shape, np.int64)
            for cards, worth in terms:
                count += worth * np.bitwise_count(masks & np.int64(cards)).astype(np.int64)
            found.append(count)
        return np.concatenate(found, axis=1)

    @cached_property
    def expected(self) -> npt.NDArray[np.float64] | None:
        """Expectation of each covariate, (covariates,); None where the pack may not hold enough cards for the floor."""
        found = _buried_dealt(self.setting)
        if found is None:
            return None
        table, pack = self.setting, self.setting.rules.pack
        buried = card_set(table.rules.buried_cards)
        hand = (pack - FLOOR_CARDS) // table.players
        values = []
        for terms in self.kinds:
            by_team = np.zeros(table.team_count)
            for seat, team in enumerate(table.teams):
                chance = found[seat] / max(buried.bit_count(), 1)
                other = (hand - found[seat]) / max(pack - buried.bit_count(), 1)
                by_team[team] += sum(
                    worth * ((cards & buried).bit_count() * chance + (cards & ~buried).bit_count() * other)
                    for cards, worth in terms
                )
            values.append(by_team)
        return np.concatenate(values)


def dealt(facts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Masks of the cards dealt to each team, (rounds, 4), from the facts of some rounds."""
    return facts[:, kernel.DEALT : kernel.DEALT + 4]


def _buried_dealt(table: Setting) -> npt.NDArray[np.float64] | None:
    """
    Expected number of cards of the kind that is buried that each seat is dealt in a round.

    The first hands come off the pack before the floor is laid. What is buried while it is laid goes to the bottom, to
    whoever is dealt the last cards, or to a random place, which leaves the stock in random order. None if burying may
    stop for want of other cards.
    """
    pack, players, sizes = table.rules.pack, table.players, table.hand_sizes
    buried, first = len(table.rules.buried_cards), table.players * sizes[0]
    stock = pack - first - FLOOR_CARDS
    found = np.full(players, sizes[0] * buried / pack)
    if not stock or not buried:
        return found
    if pack - buried < first + 2 * FLOOR_CARDS:
        return None
    chances = np.zeros(stock)
    for held in range(max(0, first + buried - pack), min(first, buried) + 1):
        in_hands = comb(buried, held) * comb(pack - buried, first - held) / comb(pack, first)
        chances += in_hands * _in_stock(stock, buried - held, table.rules.bury_to == "bottom")
    at = 0
    for size in sizes[1:]:
        part = chances[at : at + size * players]
        found += part.reshape(players, size).sum(axis=1) if table.rules.deal == "packet" else _by_turn(part, players)
        at += size * players
    return found


def _by_turn(part: npt.NDArray[np.float64], players: int) -> npt.NDArray[np.float64]:
    """Sum for each player of what is handed out in turn."""
    return np.asarray(part.reshape(-1, players).sum(axis=0))


def _in_stock(stock: int, kind: int, to_bottom: bool) -> npt.NDArray[np.float64]:
    """Chance of each place of the stock, top first, to hold a card of the buried kind, of which so many are left."""
    if not to_bottom:
        return np.full(stock, kind / stock)
    left = stock + FLOOR_CARDS
    found = np.zeros(stock)
    for turned in range(kind + 1):
        ways = comb(turned + FLOOR_CARDS - 1, turned) * comb(stock - turned, kind - turned)
        chance = ways / comb(left, kind)
        rest = stock - turned
        found[:rest] += chance * (kind - turned) / rest if rest else 0.0
        found[rest:] += chance
    return found
