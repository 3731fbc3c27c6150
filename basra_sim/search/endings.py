"""
What each play of a position is worth when all hands lie open and everybody plays on perfectly: compiled.

Two teams (two players, or pairs) by alpha-beta search; three or four singles by that in which each plays for his own
margin (max^n): of equal plays he takes the one with the lower card, then with the lower set. A margin is a team's
points less the mean of the others'.
"""

import numpy as np

from basra_sim._numba import compiled, inner, inner_inlined
from basra_sim.game import card_points
from basra_sim.search.tree import (
    ALPHA,
    APART,
    AT_LEAST,
    AT_MOST,
    BEST,
    BETA,
    BY_GAIN,
    BY_SET,
    CARRY,
    END,
    EXACT,
    GAIN,
    INFINITE,
    KIND,
    LEFT,
    LIMIT,
    LOWER,
    NEXT,
    NODES,
    POINTS,
    SEAT,
    STAMP,
    STOP,
    TO_THE_END,
    TOO_LONG,
    TOP,
    UNSORTED,
    VALUES,
    find_slot,
    is_of,
    list_moves,
    make_move,
    occupy,
    prepare,
    set_apart,
    take_back,
    value_end,
)
from basra_sim.turns import OK, end_of_deal, locate

_OPENED, _KNOWN = 1, 2
"""What a step down the tree comes to, if not a status: a position to be searched, or one whose value is known."""

_REMEMBERED = 3
"""Positions with fewer plays left than these are not kept in the table; ends that are played out are."""


@inner_inlined
def _step_down(codes, tables, scratch, tree, beyond, ply, singles):
    """
    Make the next play of a position and look at the one it leads to; return what that comes to, or a status.

    A known value is left in `tree.ends`: with two teams that of the team on turn, with `singles` of each team.
    """
    frame, child, facts, ends = tree.frames[ply], tree.frames[ply + 1], tree.facts, tree.ends
    make_move(codes, scratch, tree, frame, child)
    facts[NODES] += 1
    if facts[NODES] > facts[LIMIT]:
        return np.int64(TOO_LONG)
    if not singles:
        gain = tree.moves[frame[NEXT], GAIN]
        child[ALPHA], child[BETA] = gain - frame[BETA], gain - frame[ALPHA]
    left = child[LEFT]
    kept = left >= _REMEMBERED or (left == 0 and not facts[TO_THE_END])
    if kept:
        slot = tree.slots[find_slot(codes, scratch, tree, child)]
        if is_of(tree, slot, child) and _recall(tree, slot, child, singles):
            return np.int64(_KNOWN)
    if left == 0:
        status = value_end(codes, tables, scratch, tree, beyond, child)
        if status != OK:
            return status
        if not singles:
            team = scratch.seat_team[child[SEAT]]
            ends[0] = ends[team] - ends[1 - team]
        if kept:
            occupy(tree, slot, child, EXACT)
            for team in range(codes.game.teams if singles else 1):
                slot[VALUES + team] = ends[team]
        return np.int64(_KNOWN)
    end = list_moves(codes, tables, scratch, tree, child, frame[END], facts[APART], BY_SET if singles else BY_GAIN)
    if end < 0:
        return end
    child[NEXT], child[END], child[BEST], child[LOWER] = frame[END], end, -INFINITE, child[ALPHA]
    return np.int64(_OPENED)


@inner_inlined
def _recall(tree, slot, child, singles):
    """Whether the table answers for a position in its window; what it has for it is then in `tree.ends`."""
    if singles:
        for team in range(4):
            tree.ends[team] = slot[VALUES + team]
        return True
    value = slot[VALUES]
    tree.ends[0] = value
    kind = slot[KIND]
    return kind == EXACT or (kind == AT_LEAST and value >= child[BETA]) or (kind == AT_MOST and value <= child[ALPHA])


@inner_inlined
def _take_all_back(codes, scratch, tree, ply):
    """Take back all plays of the line down to a position, and its own."""
    for each in range(ply, -1, -1):
        take_back(codes, scratch, tree, tree.frames[each], tree.frames[each + 1])


@inner_inlined
def _keep(codes, scratch, tree, frame, singles):
    """Keep the value of a position that has been searched."""
    if frame[LEFT] < _REMEMBERED:
        return
    slot = tree.slots[find_slot(codes, scratch, tree, frame)]
    best = frame[BEST]
    if singles:
        occupy(tree, slot, frame, EXACT)
        for team in range(4):
            slot[VALUES + team] = frame[POINTS + team]
        return
    occupy(tree, slot, frame, AT_LEAST if best >= frame[BETA] else AT_MOST if best <= frame[LOWER] else EXACT)
    slot[VALUES] = best


@inner
def search_two(codes, tables, scratch, tree, beyond):
    """Search all plays of the first position for two teams; leave what each is worth in `tree.margins`."""
    ply, frames = 0, tree.frames
    while True:
        frame = frames[ply]
        if frame[NEXT] == frame[END] or frame[ALPHA] >= frame[BETA]:
            if ply == 0:
                return np.int64(OK)
            _keep(codes, scratch, tree, frame, False)
            value = frame[BEST]
            ply -= 1
        else:
            found = _step_down(codes, tables, scratch, tree, beyond, ply, False)
            if found == _OPENED:
                ply += 1
                continue
            if found != _KNOWN:
                _take_all_back(codes, scratch, tree, ply)
                return found
            value = tree.ends[0]
        frame = frames[ply]
        take_back(codes, scratch, tree, frame, frames[ply + 1])
        value = tree.moves[frame[NEXT], GAIN] - value
        if ply == 0:
            tree.margins[frame[NEXT]] = value
        else:
            frame[BEST] = max(frame[BEST], value)
            frame[ALPHA] = max(frame[ALPHA], value)
        frame[NEXT] += 1


@inner
def search_singles(codes, tables, scratch, tree, beyond):
    """Search all plays of the first position for three or four teams; leave what each is worth in `tree.margins`."""
    ply, frames, ends, teams = 0, tree.frames, tree.ends, codes.game.teams
    while True:
        frame = frames[ply]
        if frame[NEXT] == frame[END]:
            if ply == 0:
                return np.int64(OK)
            _keep(codes, scratch, tree, frame, True)
            for team in range(4):
                ends[team] = frame[POINTS + team]
            ply -= 1
        else:
            found = _step_down(codes, tables, scratch, tree, beyond, ply, True)
            if found == _OPENED:
                ply += 1
                continue
            if found != _KNOWN:
                _take_all_back(codes, scratch, tree, ply)
                return found
        frame = frames[ply]
        take_back(codes, scratch, tree, frame, frames[ply + 1])
        own, total = scratch.seat_team[frame[SEAT]], np.int64(0)
        ends[own] += tree.moves[frame[NEXT], GAIN]
        for team in range(teams):
            total += ends[team]
        value = teams * ends[own] - total
        if ply == 0:
            tree.margins[frame[NEXT]] = value / (teams - 1)
        elif value > frame[BEST]:
            frame[BEST] = value
            for team in range(4):
                frame[POINTS + team] = ends[team]
        frame[NEXT] += 1


@inner
def weigh_open(codes, tables, scratch, tree, beyond, standing, plays, stop, top, carry, fresh):
    """
    List the legal plays of the seat on turn and find what each is worth; return their number, or a status.

    Parameters
    ----------
    scratch : Scratch
        Hands, piles, basras and teams of the seats; in the deck the stock, which begins at `top` once the floor lies.
        All is as before in the end.
    tree : Tree
        `moves` and `margins` are filled with the plays, in order of the cards and their choices, and with the margins
        of the round that they come to.
    beyond : Beyond
        Who plays on where the search stops, unless that is the end of the round.
    standing : Standing
    plays, stop : number of the play in the round, and of the one before which the search stops: the end of a deal
    carry : majority points carried in
    fresh : whether anything but the plays made differs from the search before: hands, stock, weights, stop, carry
    """
    game, facts, frame = codes.game, tree.facts, tree.frames[0]
    deal, before, _ = locate(game, plays)
    facts[CARRY], facts[TOP], facts[STOP], facts[APART] = carry, top, stop, set_apart(codes)
    facts[TO_THE_END] = stop == end_of_deal(game, game.deals - 1)
    facts[STAMP] += fresh
    prepare(codes, scratch, tree, stop - plays, deal, before % game.players, standing)
    frame[END] = count = list_moves(codes, tables, scratch, tree, frame, 0, np.int64(-1), UNSORTED)
    if count < 0:
        return count
    frame[ALPHA], frame[BETA] = -INFINITE, INFINITE
    if game.teams == 2:
        status = search_two(codes, tables, scratch, tree, beyond)
    else:
        status = search_singles(codes, tables, scratch, tree, beyond)
    if status != OK:
        return status
    own, total, points = scratch.seat_team[frame[SEAT]], np.int64(0), np.int64(0)
    for team in range(game.teams):
        found = card_points(codes.points, scratch.piles[team]) + scratch.basras[team]
        total += found
        points += found if team == own else 0
    for k in range(count):
        tree.margins[k] += (game.teams * points - total) / (game.teams - 1)
    return count


@compiled
def solve(codes, tables, scratch, tree, beyond, standing, plays, stop, top, carry, fresh):
    """As `weigh_open`, for callers from outside."""
    return weigh_open(codes, tables, scratch, tree, beyond, standing, plays, stop, top, carry, fresh)
