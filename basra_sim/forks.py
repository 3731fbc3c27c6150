"""
Decisions played out twice: as a piece of advice would have it, and as its opposite would.

Each round is played once as the players would. At every decision of policy 0 that the advice applies to, the round is
then played on from there, with one play and with the other; hidden cards, later hands and the players are the same.
"""

import numpy as np

from basra_sim._numba import bit_count, compiled, inner_inlined
from basra_sim.game import card_points
from basra_sim.kernel import ASKED, FIRST, INDEX, MATCH, ROUND, Course, play_round, seat_players
from basra_sim.turns import ACES, BASRA_COUNT, BASRAS, NO_ROOM, OK

UNIT, SEATING, FIRST_ASKED = 0, 1, 2
FIRST_PLAYED = FIRST_ASKED + ASKED
FIRST_BRANCH = FIRST_PLAYED + 2
OWN_POINTS, OTHER_POINTS, OWN_BASRAS, OTHER_BASRAS, OWN_PILE, TURN, LATER_CARDS = range(7)
BRANCH = (
    "own_points", "other_points", "own_basras", "other_basras", "own_pile", "turn", "later_cards",
)  # fmt: skip
"""
What is kept of each of the two branches: points of the round of the player's team and of all others together; numbers
of basras of both; the cards that the team has in the end (a mask); points (cards and basras) won less points lost in
the play and those of the others up to the player's next turn; cards that the team captures after the play.
"""
FORK = FIRST_BRANCH + 2 * len(BRANCH)
"""What is kept of a decision: the number of its unit, the seating; `ASKED` numbers; card and cards taken of the play
that was made; the branch that follows the advice, the branch that goes against it."""


@inner_inlined
def describe(codes, scratch, row, log, decision, branch):
    """Fill in a branch from the round that was played."""
    game = codes.game
    play, at, team = decision[0], decision[1], decision[2]
    for column in range(branch.shape[0]):
        branch[column] = 0
    for each in range(game.teams):
        own = np.int64(each != team)
        for column in range(ACES, BASRAS + 1):
            branch[OWN_POINTS + own] += row[each, column]
        branch[OWN_BASRAS + own] += row[each, BASRA_COUNT]
    branch[OWN_PILE] = scratch.piles[team]
    for k in range(play, log.shape[0]):
        if not log[k, 1]:
            continue
        seat = (at + k - play) % game.players
        won = log[k, 1] | np.int64(1) << log[k, 0]
        ours = scratch.seat_team[seat] == team
        if k < play + game.players:
            points = card_points(codes.points, won) + log[k, 2]
            branch[TURN] += points if ours else -points
        if k > play and ours:
            branch[LATER_CARDS] += bit_count(won)


@inner_inlined
def prepare(logs, asked, j, way):
    """Write down the plays up to a decision, and the one to be made there; return how many they are."""
    play = asked[j, 0]
    for k in range(play):
        logs[1, k, 0], logs[1, k, 1] = logs[0, k, 0], logs[0, k, 1]
    logs[1, play, 0], logs[1, play, 1] = asked[j, 3 + 2 * way], asked[j, 4 + 2 * way]
    return play + 1


@compiled
def play_forks(codes, tables, chances, side, query, batch, scratch, rows, facts, logs, asked, found, done):
    """
    Play the rounds of a batch, each in every seating, and the decisions of policy 0 that advice applies to both ways.

    Parameters
    ----------
    query : Pieces
        The advice, its first piece.
    rows, facts : (2, 4, columns) int32, (2, facts) int64
        Scratch space.
    logs : (2, plays, 3) int64
        Scratch space.
    asked : (plays + 1, ASKED) int64
        Scratch space.
    found : (n, FORK) int64
        Filled with a row for each decision.
    done : (2,) int64
        Filled with the number of rows, first.
    """
    used = np.int64(0)
    number = done[:1]
    for k in range(batch.units):
        for seating in range(side.player_policy.shape[0]):
            unit = batch.first + k
            for each in range(2):
                fact = facts[each]
                fact[INDEX], fact[MATCH], fact[ROUND], fact[FIRST] = unit, unit, 0, 0
            seat_players(codes, side, seating, 0, scratch)
            number[0] = 0
            rounds, at = np.int64(1), np.int64(0)
            while at < rounds:  # the round as it is first, then both ways of each decision
                j, way, again = (at - 1) >> 1, (at - 1) & 1, np.int64(at > 0)
                forced = prepare(logs, asked, j, way) if again else np.int64(0)
                course = Course(forced, logs[1], 1 - again, query, asked, number)
                status = play_round(
                    codes, tables, chances, side, batch.seed, batch.decks[k], batch.carry, scratch, rows[again],
                    facts[again], logs[again], course, 1,
                )  # fmt: skip
                if status != OK:
                    return status
                if again:
                    fork = found[used + j]
                    start = FIRST_BRANCH + len(BRANCH) * way
                    branch = fork[start : start + len(BRANCH)]
                    describe(codes, scratch, rows[1], logs[1], asked[j], branch)
                    fork[UNIT], fork[SEATING] = unit, seating
                    for column in range(ASKED):
                        fork[FIRST_ASKED + column] = asked[j, column]
                    play = asked[j, 0]
                    fork[FIRST_PLAYED], fork[FIRST_PLAYED + 1] = logs[0, play, 0], logs[0, play, 1]
                else:
                    rounds += 2 * number[0]
                    if used + number[0] > found.shape[0]:
                        return np.int64(NO_ROOM)
                at += 1
            used += number[0]
    done[0] = used
    return np.int64(OK)
