"""
The play of one who searches: compiled.

In the last deal, with nothing hidden, it is solved, unless he has no doubt how the others play. Else he draws ways in
which the hidden cards may lie, plays each of his plays out to the end of the deal in all of them, and values what is to
come. From the play that he would make without search he parts only for one that does better by more than chance.
"""

import numpy as np

from basra_sim._numba import address_of, inner, inner_inlined
from basra_sim.captures import Tables
from basra_sim.game import Codes
from basra_sim.policies.features import PARAMETERS, PHASES
from basra_sim.policies.weighing import CARD, TAKEN
from basra_sim.prospects import NOISES_AT_ONCE, expected_margin, final_margin, finish
from basra_sim.search.desk import Search
from basra_sim.search.endings import weigh_open
from basra_sim.search.roll_outs import Beyond, roll_out, roll_out_address
from basra_sim.search.samples import (
    FIRST_SEARCH_WORD,
    WORDS_A_SEARCH,
    draw_likely,
    find_hidden,
    keep_table,
    look_back,
    restore_table,
    stock_end,
)
from basra_sim.search.tree import TOO_LONG
from basra_sim.turns import OK, Scratch, Standing, deal_place, end_of_deal, locate, make_play, stand

NEAR, SMALL_HAND = 16, 4
"""Plays before the end of a round from which on all is solved; cards of a hand with which two players' rounds are."""

_NEARLY = 1e-6
"""Points by which the first thought is preferred to plays that come to the same."""

SHORT = 12
"""Roll-outs go on to the end of the round if no more plays than these follow the end of the deal."""

PILOT, STEP, APART = 16, 16, 2.5
"""Ways before plays are compared, ways between comparisons, standard errors that a play given up is behind."""


@inner_inlined
def seat_models(game, weights, search, policy, team, scratch, found):
    """Write down the weights by which each seat is thought to play."""
    for seat in range(game.players):
        ours = scratch.seat_team[seat] == team
        for phase in range(PHASES):
            for k in range(PARAMETERS):
                own, other = weights[policy, phase, k], search.models[policy, phase, k]
                found.rows[seat, phase, k] = own if ours else other


@inner
def play_out(codes, tables, beyond, scratch, found, standing, at, play, carry, prospect, noise):
    """
    Margin of a play in one way of the cards, that of `found`; a status before it.

    `at` is the number of the play, that of the play before which roll-outs end, and the top of the stock.
    """
    game, (plays, stop, top) = codes.game, at
    deal, before, size = locate(game, plays)
    place = stand(game, deal, size - before // game.players, before % game.players)
    team, ending = scratch.seat_team[place.seat], locate(game, stop - 1)[0]
    for each in range(4):
        scratch.hands[each], scratch.piles[each] = found.hands[0, each], found.piles[each]
        scratch.basras[each] = found.basras[each]
    row = found.desk.row
    after, _ = make_play(codes, tables, standing, place, play[CARD], play[TAKEN], scratch, row)
    status, after = roll_out(codes, tables, beyond, scratch, row, after, plays + 1, stop, top)
    if ending < game.deals - 1:
        return status, expected_margin(
            codes, tables, beyond.chances, scratch, found.desk, after, prospect, ending, team, noise, carry
        )
    if status == OK:
        status = finish(scratch, after)
    if status != OK:
        return status, 0.0
    return status, final_margin(codes, scratch, team, row, carry)


@inner_inlined
def behind(sums, k, ways):
    """Mean of a play's margins over those of the first thought, and its variance."""
    mean = sums[0, k] / ways
    return mean, max(sums[1, k] / ways - mean * mean, 0.0) / (ways - 1)


@inner
def give_up(found, count, thought, ways):
    """Give up plays that are clearly behind the best; return how many besides the first thought are still tried."""
    best, top, spread = thought, 0.0, 0.0
    for k in range(count):
        if found.active[k] and k != thought:
            mean, variance = behind(found.sums, k, ways)
            if mean > top:
                best, top, spread = k, mean, variance
    left = 0
    for k in range(count):
        if found.active[k] and k not in (thought, best):
            mean, variance = behind(found.sums, k, ways)
            if (top - mean) ** 2 > APART * APART * (variance + spread):
                found.active[k] = 0
        left += found.active[k] and k != thought
    if left == 1 and best != thought and top * top > APART * APART * spread:
        return np.int64(0)
    if left == 1 and best == thought:
        for k in range(count):
            if found.active[k] and k != thought:
                mean, variance = behind(found.sums, k, ways)
                if mean * mean > APART * APART * variance:
                    return np.int64(0)
    return np.int64(left)


@inner
def try_plays(
    codes, tables, chances, search, policy, seat, thought, count, standing, at, hidden, carry, source, scratch
):
    """Fill in the worths of the plays written down, by roll-outs; return a status."""
    found, game = scratch.search, codes.game
    (plays, stop, top), (start, gamma, first_word) = at, source
    deal, before, _ = locate(game, plays)
    past = deal, look_back(game, standing, before, plays, scratch, found), before
    next_place = deal_place(game, top, deal + 1)
    needed = hidden[0] if stop > end_of_deal(game, deal) else hidden[1]
    beyond = Beyond(chances, found.rows, search.roll_out)
    budget, words, ways = search.rollouts[policy], np.int64(0), 0
    for k in range(count):
        found.active[k], found.sums[0, k], found.sums[1, k] = 1, 0.0, 0.0
    left = np.int64(count - 1)
    while budget > 0 and left > 0:
        words = draw_likely(
            codes, tables, chances, seat, past, hidden, next_place, needed, search.doubts[policy],
            (start, gamma, first_word), words, scratch, found,
        )  # fmt: skip
        noise = np.int64(gamma >> np.uint64(48)) + ways * NOISES_AT_ONCE
        status, base = play_out(
            codes, tables, beyond, scratch, found, standing, at, scratch.options[thought], carry, search.prospect, noise
        )
        if status != OK:
            return status
        for k in range(count):
            if found.active[k] and k != thought:
                status, margin = play_out(
                    codes, tables, beyond, scratch, found, standing, at, scratch.options[k], carry, search.prospect,
                    noise,
                )  # fmt: skip
                if status != OK:
                    return status
                found.sums[0, k] += margin - base
                found.sums[1, k] += (margin - base) ** 2
        ways += 1
        budget -= left + 1
        if ways >= PILOT and (ways - PILOT) % STEP == 0:
            left = compare(found, count, thought, ways, search.caution[policy], scratch.worths)
    if left > 0 and ways > 1:
        compare(found, count, thought, ways, search.caution[policy], scratch.worths)
    return np.int64(OK)


@inner
def compare(found, count, thought, ways, caution, worths):
    """Write down what the plays still tried are worth, the first thought nought; return as `give_up`."""
    worths[thought] = 0.0
    for k in range(count):
        if found.active[k] and k != thought:
            mean, variance = behind(found.sums, k, ways)
            worths[k] = mean - caution * np.sqrt(variance)
    return give_up(found, count, thought, ways)


@inner
def is_fresh(found, scratch, stream_at, stop, carry, plays):
    """Whether another round than the last time, or more of it, is to be solved; keep which one."""
    solved, fresh = found.solved, False
    now = (np.int64(stream_at[0]), scratch.turn[0], np.int64(stop), np.int64(carry))
    for k in range(4):
        fresh |= solved[k] != now[k]
        solved[k] = now[k]
    fresh |= plays <= solved[4]
    solved[4] = plays
    return fresh


@inner
def see_all(codes, tables, chances, search, thought, count, standing, plays, top, carry, stream_at, scratch):
    """
    Fill in the worths of the plays written down with all hands and the stock in sight; return a status.

    The round is solved to its end where that is near, or two players hold small hands; else, or if that takes too long,
    to the end of the deal, and played out by roll-outs. The worths are left alone if that takes too long as well.
    """
    found, game = scratch.search, codes.game
    beyond = Beyond(chances, found.rows, search.roll_out)
    near, close = end_of_deal(game, locate(game, plays)[0]), end_of_deal(game, game.deals - 1)
    small = game.players == 2 and game.hand_size <= SMALL_HAND
    stop = close if small or close - plays <= NEAR else near
    solved = np.int64(TOO_LONG)
    while solved == TOO_LONG:
        fresh = is_fresh(found, scratch, stream_at, stop, carry, plays)
        solved = weigh_open(codes, tables, scratch, found.tree, beyond, standing, plays, stop, top, carry, fresh)
        if solved == TOO_LONG and stop == near:
            return np.int64(OK)
        if solved == TOO_LONG:
            stop = near
    if solved < 0:
        return solved
    for k in range(count):
        scratch.worths[k] = found.tree.margins[k]
    scratch.worths[thought] += _NEARLY
    return np.int64(OK)


@inner
def search_plays(search, codes, tables, chances, weights, facts, stream_at, scratch):
    """
    Put in the place of the worths of the plays written down what search finds; return a status.

    All is as before but for the worths.

    Parameters
    ----------
    search : Search
    weights : (policies, phases, parameters) float64
        As `kernel.Side` has them.
    facts : tuple of `FACTS` int64
        The policy; seat and deal; the floor, that before the last play, cards gone, seat that captured last; majority
        points carried in; number of the play; the play that would be made without search, and how many there are.
    stream_at : start and gamma of the deal's stream
    scratch : Scratch
    """
    policy, seat, deal, floor, floor_before, gone, last, carry, plays, thought, count = facts
    game, found, top = codes.game, scratch.search, scratch.top[0]
    standing, (start, gamma) = Standing(floor, floor_before, gone, last), stream_at
    end = stock_end(game, top)
    seat_models(game, weights, search, policy, scratch.seat_team[seat], scratch, found)
    if search.sees[policy]:
        return see_all(codes, tables, chances, search, thought, count, standing, plays, top, carry, stream_at, scratch)
    hidden = find_hidden(game, scratch, found, seat, top, deal_place(game, top, deal + 1))
    is_open = deal == game.deals - 1 and hidden[2] <= 1 and hidden[0] == hidden[1]
    if is_open and game.teams == 2 and search.doubts[policy] > 0.0:
        return see_all(codes, tables, chances, search, thought, count, standing, plays, top, carry, stream_at, scratch)
    stop, close = end_of_deal(game, deal), end_of_deal(game, game.deals - 1)
    if close - stop <= SHORT:
        stop = close
    keep_table(scratch, found, top, end)
    source = (start, gamma, FIRST_SEARCH_WORD + plays * WORDS_A_SEARCH)
    status = try_plays(
        codes, tables, chances, search, policy, seat, thought, count, standing, (plays, stop, top), hidden, carry,
        source, scratch,
    )  # fmt: skip
    restore_table(scratch, found, top, end)
    return status


FACTS = 11
"""How many numbers a search is told."""


def with_addresses(search: Search, codes: Codes, tables: Tables, scratch: Scratch) -> Search:
    """The same search with its addresses, for arguments of the types of these."""
    chances, weights, number = np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), 0
    stream_at = (np.uint64(0), np.uint64(0))
    arguments = (search, codes, tables, chances, weights, (number,) * FACTS, stream_at, scratch)
    return search._replace(
        address=address_of(search_plays, arguments), roll_out=roll_out_address(codes, tables, scratch)
    )
