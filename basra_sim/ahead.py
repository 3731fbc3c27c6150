"""Rounds played on from any play of them, and what lay open between their deals, as rounds went on: compiled."""

import numpy as np

from basra_sim._numba import compiled, inner
from basra_sim.deals import FIRST_CHOICE_WORD, stream
from basra_sim.deciding import decide
from basra_sim.kernel import seat_players
from basra_sim.prospects import BASRA_RISK, POINTS_RISK, describe, finish, size_of_next, tally_teams, weighed_risk
from basra_sim.turns import OK, deal_hands, deal_place, end_of_deal, locate, make_play, open_table, remember, stand


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
        remember(scratch, plays, standing)
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
