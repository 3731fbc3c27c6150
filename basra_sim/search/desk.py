"""What a player who searches works with: what he assumes of the table, and arrays made once a thread."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import prospects
from basra_sim.deals import DECK_ROOM
from basra_sim.policies.features import PARAMETERS, PHASES
from basra_sim.policies.weighing import OPTION_ROOM
from basra_sim.prospects import Prospect
from basra_sim.search.tree import Tree, make_tree

SLOTS, SEEING_SLOTS = 1 << 12, 1 << 18
"""Positions that are remembered where the end of a round is solved, and where whole rounds are."""

MOST_PLAYS = 1_000_000
"""Plays that the search of open hands may make: a tenth of a second at most; the rounds of two take a fifth of them."""

PLAYS_ROOM = 64
"""Plays of a deal that there is room for."""


class Search(NamedTuple):
    """
    How the players at a table search; a row for each policy, of which some may not search at all.

    Attributes
    ----------
    rollouts : (policies,) int64
        Roll-outs for a decision.
    sees : (policies,) int64
        1 for a player who sees all cards.
    doubts : (policies,) float64
        Chance, as the player thinks, that another's play is not the one he would expect of him.
    caution : (policies,) float64
        Standard errors by which another play must do better than the one he would make without search.
    models : (policies, phases, parameters) float64
        Weights by which he thinks that the other teams play; he himself and his partner play on by his own.
    prospect : Prospect
        What is to come after a deal.
    address : int
        Where the compiled search is: see `deciding.with_addresses`; 0 where nobody searches.
    roll_out : int
        Where the compiled roll-out is: see `roll_outs.roll_out_address`.
    """

    rollouts: npt.NDArray[np.int64]
    sees: npt.NDArray[np.int64]
    doubts: npt.NDArray[np.float64]
    caution: npt.NDArray[np.float64]
    models: npt.NDArray[np.float64]
    prospect: Prospect
    address: int
    roll_out: int


class SearchDesk(NamedTuple):
    """Arrays that a search works in besides `turns.Scratch`, made once."""

    hands: npt.NDArray[np.int64]
    """Hands as they are assumed to be, then as they are."""
    piles: npt.NDArray[np.int64]
    basras: npt.NDArray[np.int64]
    dealt: npt.NDArray[np.int64]
    deck: npt.NDArray[np.uint8]
    hidden: npt.NDArray[np.int64]
    """Cards whose place the player does not know."""
    kept: npt.NDArray[np.int64]
    """The same in an order kept for later."""
    shown: npt.NDArray[np.int64]
    """For each play of the deal so far: its card, the cards that its seat has played from it on, the cards taken."""
    active: npt.NDArray[np.int64]
    """Whether each legal play is still tried."""
    sums: npt.NDArray[np.float64]
    """Margins of each play over that of the player's first thought: sum, sum of squares."""
    rows: npt.NDArray[np.float64]
    """Weights by which each seat is thought to play."""
    desk: prospects.Desk
    tree: Tree
    solved: npt.NDArray[np.int64]
    """Which round has been solved last, and from which play on."""


def make_search_desk(*, sees: bool = False) -> SearchDesk:
    """Arrays for one thread to search in; more of them for a player who `sees` all cards."""
    return SearchDesk(
        hands=np.zeros((2, 4), np.int64),
        piles=np.zeros(4, np.int64),
        basras=np.zeros(4, np.int64),
        dealt=np.zeros(4, np.int64),
        deck=np.zeros(DECK_ROOM, np.uint8),
        hidden=np.zeros(52, np.int64),
        kept=np.zeros(52, np.int64),
        shown=np.zeros((PLAYS_ROOM, 3), np.int64),
        active=np.zeros(OPTION_ROOM, np.int64),
        sums=np.zeros((2, OPTION_ROOM)),
        rows=np.zeros((4, PHASES, PARAMETERS)),
        desk=prospects.make_desk(),
        tree=make_tree(SEEING_SLOTS if sees else SLOTS, MOST_PLAYS),
        solved=np.zeros(5, np.int64),
    )


NO_SEARCH_DESK = make_search_desk()
"""Stands in where nobody searches."""


def no_search() -> Search:
    """What stands in the place of a search where nobody searches."""
    none, empty, row = np.zeros(0, np.int64), np.zeros((0, 0, 0)), np.zeros(0)
    return Search(none, none, row, row, empty, Prospect(empty, empty, empty), 0, 0)
