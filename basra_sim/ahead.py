"""
Rounds played on from any play of them, and what is to come as expected when a deal has been played out: compiled.

When all hands are empty, what is to come hangs on the floor, the stock and the cards captured alone. It is foretold
(`Prospect`): the points by a straight line through features of the floor, the cards likewise, and how the cards scatter
about that by rounds that were played. Players who look at nothing else make the same plays whoever is ahead.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, compiled, inner, inner_inlined
from basra_sim.cards import JACK
from basra_sim.deals import FIRST_CHOICE_WORD, stream
from basra_sim.deciding import decide
from basra_sim.game import card_points
from basra_sim.kernel import (
    ACES,
    BASRAS,
    COLUMNS,
    NO_CAPTOR,
    OK,
    deal_hands,
    make_play,
    open_table,
    score_round,
    seat_players,
    stand,
)
from basra_sim.policies.features import PARAMETERS, W_BASRA_RISK, W_POINTS_RISK, Sight, risk
from basra_sim.policies.weighing import OPTION_ROOM

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
    """Arrays that one thread works in besides `kernel.Scratch`, made once."""

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
def locate(game, plays):
    """Number of the deal in which a play falls, of plays made in it before, and cards of a hand of that deal."""
    in_deal = game.players * game.hand_size
    deal = min(plays // in_deal, game.deals - 1)
    return deal, plays - deal * in_deal, game.last_hand if deal == game.deals - 1 else game.hand_size


@inner_inlined
def end_of_deal(game, deal):
    """Number of plays of a round up to the end of a deal."""
    before = deal * game.players * game.hand_size
    return before + game.players * (game.last_hand if deal == game.deals - 1 else game.hand_size)


@inner_inlined
def deal_place(game, top, deal):
    """Place in the pack of the first card of a deal."""
    return 0 if deal == 0 else top + (deal - 1) * game.players * game.hand_size


@inner
def play_on(codes, tables, chances, side, scratch, row, standing, plays, stop, top, stream_at, heedful):
    """Play from one play of a round up to another, not included; return a status and what lies open then."""
    game = codes.game
    start, gamma, first_word = stream_at
    while plays < stop:
        deal, before, size = locate(game, plays)
        if before == 0:
            deal_hands(game, scratch, deal_place(game, top, deal), size)
        place = stand(game, deal, size - before // game.players, before % game.players)
        scratch.seen[plays] = standing.gone | standing.floor
        card, taken = decide(
            codes,
            tables,
            chances,
            side,
            place,
            standing,
            0,
            (start, gamma, first_word + plays),
            plays,
            scratch,
            heedful,
        )
        if card < 0:
            return card, standing
        standing, _ = make_play(codes, tables, standing, place, card, taken, scratch, row)
        plays += 1
    return np.int64(OK), standing


@inner_inlined
def weighed_risk(codes, tables, chances, scratch, desk, standing, next_hand, basras, points):
    """Basras and points that the next player can expect of the floor, each times a weight."""
    unseen = _ALL & ~(standing.floor | standing.gone)
    before = standing.floor_before
    sight = Sight(np.int64(0), before, before, unseen, next_hand, np.int64(0))
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
def final_margin(codes, scratch, team, row):
    """Margin of a team in a round that is over: its points less the mean of the others'."""
    teams = codes.game.teams
    score_round(codes, scratch, 0, row)
    own = total = 0
    for each in range(teams):
        points = 0
        for column in range(ACES, BASRAS + 1):
            points += row[each, column]
        total += points
        own += points if each == team else 0
    return (teams * own - total) / (teams - 1)


@inner
def majority_margin(game, numbers, noises, first, team):
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
    return game.majority * total / (NOISES_AT_ONCE * (game.teams - 1))


@inner_inlined
def size_of_next(game, deal):
    """Cards of a hand of the deal after one that is not the last."""
    return game.last_hand if deal == game.deals - 2 else game.hand_size


@inner
def expected_margin(codes, tables, chances, scratch, desk, standing, prospect, deal, team, noise):
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
    return margin + majority_margin(game, numbers, prospect.noises[deal], noise, team)


@compiled
def observe(codes, tables, chances, side, batch, scratch, desk, features, numbers, heedful):
    """
    Play rounds and keep what lay open after each deal but the last, and what each team had then and in the end.

    Parameters
    ----------
    features : (deals, units, FEATURES) float64
        Filled for all deals but the last.
    numbers : (deals, units, 8) float64
        Filled as by `tally_teams`, after each deal.
    """
    game = codes.game
    for unit in range(batch.units):
        seat_players(codes, side, 0, 0, scratch)
        start, gamma = stream(batch.seed, batch.first + unit)
        standing, top = open_table(game, (start, gamma, 0), batch.decks[unit], scratch, desk.row)
        plays, status = np.int64(0), np.int64(OK)
        for deal in range(game.deals):
            stop = end_of_deal(game, deal)
            status, standing = play_on(
                codes, tables, chances, side, scratch, desk.row, standing, plays, stop, top,
                (start, gamma, np.int64(FIRST_CHOICE_WORD)), heedful,
            )  # fmt: skip
            plays = stop
            if status == OK and deal == game.deals - 1:
                status = finish(scratch, standing)
            if status != OK:
                return status
            if deal < game.deals - 1:
                found, size = features[deal, unit], size_of_next(game, deal)
                describe(codes, scratch, standing, found)
                found[BASRA_RISK] = weighed_risk(codes, tables, chances, scratch, desk, standing, size, 1.0, 0.0)
                found[POINTS_RISK] = weighed_risk(codes, tables, chances, scratch, desk, standing, size, 0.0, 1.0)
            tally_teams(codes, scratch, numbers[deal, unit])
    return np.int64(OK)
