"""
What is to come, as expected, when a deal has been played out, and the margin of a round that is over: compiled.

When all hands are empty, what is to come hangs on the floor, the stock and the cards captured alone. It is foretold
(`Prospect`): the points by a straight line through features of the floor, the cards likewise, and how the cards scatter
about that by rounds that were played. Players who look at nothing else make the same plays whoever is ahead.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner, inner_inlined
from basra_sim.cards import JACK
from basra_sim.game import card_points
from basra_sim.policies.features import PARAMETERS, W_BASRA_RISK, W_POINTS_RISK, Sight, risk
from basra_sim.policies.weighing import OPTION_ROOM
from basra_sim.turns import ACES, BASRAS, COLUMNS, NO_CAPTOR, OK, score_round

PARTS = 4
"""Parts into which the redraws of a decision are cut, alike in distribution and drawn apart from one another."""

RANKS, PLAIN = 13, 6
BASRA_RISK, POINTS_RISK = PLAIN + RANKS + 4, PLAIN + RANKS + 5
FEATURES = POINTS_RISK + 1
"""
Features of what lies open when a deal has been played out: 1; points on the floor; whether it is empty, or one card;
its cards squared, and times the jacks in the stock; its cards of each rank; whether each team captured last; what it
is expected to give to the next player, basras and points (`features.risk`).
"""

NOISES, NOISES_AT_ONCE = 1 << 14, 8
"""How many scatters of the cards to come are kept of each deal, and how many of them a rollout takes."""

_ALL = np.int64((1 << 52) - 1)
_JACKS = np.int64(15 << 4 * JACK)
_HIGH = 1e9


class Prospect(NamedTuple):
    """
    What is to come when a deal has been played out, as expected.

    Attributes
    ----------
    margins : (deals, 4, FEATURES) float64
        Weights of the features for the margin of each team in what is to come, without the points for most cards.
    cards : (deals, 4, FEATURES) float64
        The same for the cards that each team is to capture; those of both risks are 0.
    noises : (deals, NOISES, 4) float64
        How many more cards each team captured, in rounds that were played.
    """

    margins: npt.NDArray[np.float64]
    cards: npt.NDArray[np.float64]
    noises: npt.NDArray[np.float64]


class Desk(NamedTuple):
    """Arrays that one thread works in besides `turns.Scratch`, made once."""

    row: npt.NDArray[np.int32]
    hands: npt.NDArray[np.int64]
    piles: npt.NDArray[np.int64]
    basras: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.int64]
    plays: npt.NDArray[np.int64]
    """The legal plays of a decision, (plays, 2): card, set taken."""
    margins: npt.NDArray[np.float64]
    totals: npt.NDArray[np.float64]
    """Mean margin of each legal play in each part, (PARTS, plays)."""
    features: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]


def make_desk() -> Desk:
    """Arrays for one thread to work in."""
    return Desk(
        row=np.zeros((4, len(COLUMNS)), np.int32),
        hands=np.zeros(4, np.int64),
        piles=np.zeros(4, np.int64),
        basras=np.zeros(4, np.int64),
        hidden=np.zeros(52, np.int64),
        plays=np.zeros((OPTION_ROOM, 2), np.int64),
        margins=np.zeros(OPTION_ROOM),
        totals=np.zeros((PARTS, OPTION_ROOM)),
        features=np.zeros(FEATURES),
        numbers=np.zeros(8),
        weights=np.zeros(PARAMETERS),
    )


@inner_inlined
def weighed_risk(codes, tables, chances, scratch, desk, standing, next_hand, basras, points):
    """Basras and points that the next player can expect of the floor, each times a weight."""
    unseen = _ALL & ~(standing.floor | standing.gone)
    before = standing.floor_before
    sight = Sight(np.int64(0), before, before, unseen, next_hand, np.int64(0), np.int64(0))
    desk.weights[W_BASRA_RISK], desk.weights[W_POINTS_RISK] = basras, points
    return risk(codes, tables, chances, desk.weights, sight, standing.floor, scratch.room)


@inner_inlined
def describe(codes, scratch, standing, found):
    """Fill in the features of what lies open between two deals, but for both risks."""
    floor = standing.floor
    count, unseen = bit_count(floor), _ALL & ~(floor | standing.gone)
    found[0] = 1.0
    found[1] = card_points(codes.points, floor)
    found[2] = count == 0
    found[3] = count == 1
    found[4] = count * count
    found[5] = count * bit_count(unseen & _JACKS)
    for rank in range(RANKS):
        found[PLAIN + rank] = bit_count(floor >> 4 * rank & 15)
    for team in range(4):
        found[PLAIN + RANKS + team] = standing.last >= 0 and scratch.seat_team[standing.last] == team


@inner
def tally_teams(codes, scratch, numbers):
    """Fill in points of each team so far without those for most cards, then cards of each."""
    for team in range(codes.game.teams):
        pile = scratch.piles[team]
        numbers[team] = card_points(codes.points, pile) + scratch.basras[team]
        numbers[4 + team] = bit_count(pile)


@inner_inlined
def finish(scratch, standing):
    """Give what lies on the floor at the end to whoever captured last; return a status."""
    if standing.last < 0:
        return np.int64(NO_CAPTOR)
    scratch.piles[scratch.seat_team[standing.last]] |= standing.floor
    return np.int64(OK)


@inner
def final_margin(codes, scratch, team, row, carry):
    """Margin of a team in a round that is over: its points less the mean of the others'."""
    teams = codes.game.teams
    score_round(codes, scratch, carry, row)
    own = total = 0
    for each in range(teams):
        points = 0
        for column in range(ACES, BASRAS + 1):
            points += row[each, column]
        total += points
        own += points if each == team else 0
    return (teams * own - total) / (teams - 1)


@inner
def majority_margin(game, numbers, noises, first, team, carry):
    """Expected margin of a team from the points for most cards, over some of their scatters."""
    total = 0
    for k in range(first, first + NOISES_AT_ONCE):
        noise = noises[np.uint64(k % NOISES)]
        most = -_HIGH
        for each in range(game.teams):
            most = max(most, numbers[4 + each] + noise[each])
        winners = own = 0
        for each in range(game.teams):
            wins = numbers[4 + each] + noise[each] > most - 0.5
            winners += wins
            own += wins and each == team
        if winners == 1 or game.majority_tie == 0:
            total += game.teams * own - winners
    return (game.majority + carry) * total / (NOISES_AT_ONCE * (game.teams - 1))


@inner_inlined
def size_of_next(game, deal):
    """Cards of a hand of the deal after one that is not the last."""
    return game.last_hand if deal == game.deals - 2 else game.hand_size


@inner
def expected_margin(codes, tables, chances, scratch, desk, standing, prospect, deal, team, noise, carry):
    """Margin of a team expected when a deal, not the last, has been played out; scatters from `noise` on."""
    game, numbers, features = codes.game, desk.numbers, desk.features
    describe(codes, scratch, standing, features)
    tally_teams(codes, scratch, numbers)
    own = total = 0.0
    for each in range(game.teams):
        total += numbers[each]
        own += numbers[each] if each == team else 0.0
        for k in range(BASRA_RISK):
            numbers[4 + each] += prospect.cards[deal, each, k] * features[k]
    margin = (game.teams * own - total) / (game.teams - 1)
    weights = prospect.margins[deal, team]
    for k in range(BASRA_RISK):
        margin += weights[k] * features[k]
    margin += weighed_risk(
        codes, tables, chances, scratch, desk, standing, size_of_next(game, deal), weights[BASRA_RISK],
        weights[POINTS_RISK],
    )  # fmt: skip
    return margin + majority_margin(game, numbers, prospect.noises[deal], noise, team, carry)
