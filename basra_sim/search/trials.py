"""
What comes of each legal play in ways in which the hidden cards may lie, way by way: compiled.

A way hangs on the stream and its number alone, not on which others are tried.
"""

import numpy as np

from basra_sim._numba import compiled, inner, inner_inlined
from basra_sim.deals import word
from basra_sim.game import card_points
from basra_sim.policies.weighing import CARD, TAKEN
from basra_sim.prospects import finish
from basra_sim.search.roll_outs import roll_out
from basra_sim.search.samples import FIRST_SEARCH_WORD, draw_likely, keep_table, look_back, restore_table, stock_end
from basra_sim.turns import ACES, BASRA_COUNT, OK, Standing, end_of_deal, locate, make_play, score_round, stand

WORDS_A_WAY = 4096
"""Words of a stream for each way; it takes `samples.TRIES` draws at most, and one for every card that is lost."""

NEXT_BASRA, OUTCOME = 4, 5
"""
What is kept of a play in a way: points of each team in the whole round, and points of the basra that the next player
makes at once (0: none).
"""

STRAY_CARD, STRAY_FROM = 0, 1
"""What is told of a card that somebody captured: which it is, and the team that surely did not (-1: any may have)."""


@inner
def give_strays(game, found, standing, strays, first, count, source):
    """
    Give captured cards, nobody knows whose, to the piles of teams at random; return what lies open then.

    They are the `strays`, and so many of the hidden cards from the `first` on, which are gone too.
    """
    start, gamma, at = source
    for k in range(strays.shape[0]):
        teams = np.uint64(game.teams - (strays[k, STRAY_FROM] >= 0))
        team = np.int64(word(start, gamma, at + k) % teams)
        team += strays[k, STRAY_FROM] >= 0 and team >= strays[k, STRAY_FROM]
        found.piles[team] |= np.int64(1) << strays[k, STRAY_CARD]
    lost = np.int64(0)
    at += strays.shape[0]
    for k in range(count):
        team = np.int64(word(start, gamma, at + k) % np.uint64(game.teams))
        card = np.int64(1) << found.hidden[first + k]
        found.piles[team] |= card
        lost |= card
    return Standing(standing.floor, standing.floor_before, standing.gone | lost, standing.last)


@inner_inlined
def put_back(scratch, found, first, end):
    """Put back the stock as `samples.keep_table` kept it, from a place on: cards known to lie at the bottom."""
    for k in range(first, end):
        scratch.deck[k] = found.deck[k]


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
    after, _ = make_play(codes, tables, standing, place, play[CARD], play[TAKEN], scratch, row)
    status, after = roll_out(codes, tables, beyond, scratch, row, after, plays + 1, min(plays + 2, last), top)
    outcome[NEXT_BASRA] = 0
    if plays + 1 < last:
        team = scratch.seat_team[(before + 1) % game.players]
        outcome[NEXT_BASRA] = scratch.basras[team] - found.basras[team]
        if status == OK:
            status, after = roll_out(codes, tables, beyond, scratch, row, after, plays + 2, last, top)
    if status == OK:
        status = finish(scratch, after)
    if status != OK:
        return status
    score_round(codes, scratch, carry, row)
    for team in range(game.teams):
        total = np.int64(0)
        for column in range(ACES, BASRA_COUNT):
            total += row[team, column]
        outcome[team] = total
    return np.int64(OK)


@compiled
def try_ways(
    codes, tables, beyond, scratch, found, standing, at, hidden, strays, carry, doubt, source, count, ways, outcomes,
    earlier,
):  # fmt: skip
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
    at : number of the play; places in the pack of the stock, once the floor lay, and of its first hidden card
    hidden : how many cards are hidden, how many of them are in hands, by how many players, cards whose place is
        known, and how many of the hidden are in the stock
    strays : (cards, 2) int64
    doubt : chance that others play unexpectedly; 1 to take nothing from how they have played
    source : start and gamma of the stream
    count, ways : number of legal plays, and of the first way
    outcomes : (ways, plays, OUTCOME) int64, filled
    earlier : (ways, 4) int64
        Filled with the points of each team so far, those for most cards left out.
    """
    game, (start, gamma), (plays, top, next_place) = codes.game, source, at
    cards, in_hands, holders, known, in_stock = hidden
    deal, before, _ = locate(game, plays)
    seat, end = before % game.players, stock_end(game, top)
    past = deal, plays - before, before
    if doubt < 1.0:
        look_back(game, standing, before, plays, scratch, found)
    keep_table(scratch, found, top, end)
    for k in range(cards):
        found.desk.hidden[k] = found.hidden[k]
    piles = (found.piles[0], found.piles[1], found.piles[2], found.piles[3])
    status = np.int64(OK)
    for way in range(outcomes.shape[0]):
        first = FIRST_SEARCH_WORD + np.int64(ways + way) * WORDS_A_WAY
        for k in range(cards):
            found.hidden[k] = found.desk.hidden[k]
        used = draw_likely(
            codes, tables, beyond.chances, seat, past, (cards, in_hands, holders, known), next_place, cards, doubt,
            (start, gamma, first), 0, scratch, found,
        )  # fmt: skip
        placed = in_hands + in_stock
        put_back(scratch, found, next_place + in_stock, end)
        now = give_strays(game, found, standing, strays, placed, cards - placed, (start, gamma, first + used))
        for team in range(game.teams):
            earlier[way, team] = card_points(codes.points, found.piles[team]) + found.basras[team]
        for k in range(count):
            if status == OK:
                status = see_through(
                    codes, tables, beyond, scratch, found, now, plays, top, scratch.options[k], carry, outcomes[way, k]
                )
        found.piles[0], found.piles[1], found.piles[2], found.piles[3] = piles
    restore_table(scratch, found, top, end)
    return status
