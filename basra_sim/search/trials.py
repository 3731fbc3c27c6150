"""What comes of each legal play in ways in which the hidden cards may lie, way by way: compiled."""

import numpy as np

from basra_sim._numba import compiled, inner
from basra_sim.deals import word
from basra_sim.policies.weighing import CARD, TAKEN
from basra_sim.prospects import finish
from basra_sim.search.roll_outs import roll_out
from basra_sim.search.samples import FIRST_SEARCH_WORD, draw_likely, keep_table, look_back, restore_table, stock_end
from basra_sim.turns import BASRA_COUNT, MAJORITY, OK, Standing, end_of_deal, locate, make_play, score_round, stand

WORDS_A_WAY = 4096
"""Words of a stream for each way; it takes `samples.TRIES` draws at most."""

NEXT_BASRA, OUTCOME = 4, 5
"""
What is kept of a play in a way: points of each team in the whole round, and points of the basra that the next player
makes at once (0: none).
"""


@inner
def lose(game, found, standing, first, count, bits):
    """Give cards that are gone, nobody knows where, to the piles of teams at random; return what lies open then."""
    lost = np.int64(0)
    for k in range(first, first + count):
        team = np.int64(bits % np.uint64(game.teams))
        bits = bits // np.uint64(game.teams)
        card = np.int64(1) << found.hidden[k]
        found.piles[team] |= card
        lost |= card
    return Standing(standing.floor, standing.floor_before, standing.gone | lost, standing.last)


@inner
def see_through(codes, tables, beyond, scratch, found, standing, plays, top, play, carry, outcome):
    """Play a round out from one play of a player on, in one way of the cards; return a status."""
    game, row = codes.game, found.desk.row
    deal, before, size = locate(game, plays)
    last = end_of_deal(game, game.deals - 1)
    for each in range(4):
        scratch.hands[each], scratch.piles[each] = found.hands[0, each], found.piles[each]
        scratch.basras[each] = found.basras[each]
    place = stand(game, deal, size - before // game.players, before % game.players)
    standing, _ = make_play(codes, tables, standing, place, play[CARD], play[TAKEN], scratch, row)
    outcome[NEXT_BASRA] = 0
    status, after = roll_out(codes, tables, beyond, scratch, row, standing, plays + 1, min(plays + 2, last), top)
    if status == OK and plays + 1 < last:
        team = scratch.seat_team[(before + 1) % game.players]
        outcome[NEXT_BASRA] = scratch.basras[team] - found.basras[team]
        if team == scratch.seat_team[place.seat]:
            outcome[NEXT_BASRA] = 0
        status, after = roll_out(codes, tables, beyond, scratch, row, after, plays + 2, last, top)
    if status == OK:
        status = finish(scratch, after)
    if status != OK:
        return status
    score_round(codes, scratch, carry, row)
    for team in range(game.teams):
        total = np.int64(0)
        for column in range(MAJORITY - 4, BASRA_COUNT):
            total += row[team, column]
        outcome[team] = total
    return np.int64(OK)


@compiled
def try_ways(
    codes, tables, beyond, scratch, found, standing, plays, top, hidden, stock, carry, doubt, source, ways, outcomes
):
    """
    Fill in what comes of each legal play, those in `scratch.options`, in some ways of the cards; return a status.

    Parameters
    ----------
    beyond : Beyond
        How all play on; the same weights as in `found.rows`.
    scratch, found : Scratch, SearchDesk
        The table as the player knows it: the cards that are `found.hidden` may stand in place of one another in the
        other hands, as many as there are in each, in the stock, and, what is left over, in the piles. `found.rows` are
        the weights by which all play. Where others' plays of the deal count, they are in `scratch.seen` and `floors`.
    plays : number of the play in the round
    hidden : how many cards are hidden, how many of them are in hands, by how many players, and cards whose place is
        known
    stock : place in the pack of the first hidden card of the stock, and how many there are
    doubt : chance that others play unexpectedly; 1 to take nothing from how they have played
    source : start and gamma of the stream
    ways : number of the first way
    outcomes : (ways, plays, OUTCOME) int64
        Filled.
    """
    game, (start, gamma), (next_place, in_stock) = codes.game, source, stock
    deal, before, _ = locate(game, plays)
    seat, end = before % game.players, stock_end(game, top)
    past = deal, plays - before, before
    if doubt < 1.0:
        look_back(game, standing, before, plays, scratch, found)
    keep_table(scratch, found, top, end)
    status = np.int64(OK)
    for way in range(outcomes.shape[0]):
        first = FIRST_SEARCH_WORD + np.int64(ways + way) * WORDS_A_WAY
        used = draw_likely(
            codes, tables, beyond.chances, seat, past, hidden, next_place, hidden[0], doubt, (start, gamma, first), 0,
            scratch, found,
        )  # fmt: skip
        known = hidden[1] + in_stock
        piles = (found.piles[0], found.piles[1], found.piles[2], found.piles[3])
        now = standing
        if hidden[0] > known:
            now = lose(game, found, standing, known, hidden[0] - known, word(start, gamma, first + used))
        for k in range(outcomes.shape[1]):
            if status == OK:
                status = see_through(
                    codes, tables, beyond, scratch, found, now, plays, top, scratch.options[k], carry, outcomes[way, k]
                )
        for team in range(4):
            found.piles[team] = piles[team]
    restore_table(scratch, found, top, end)
    return status
