"""
A round, a match, a batch of them: compiled, on integers and arrays, without exceptions inside.

Everything about a batch reaches it as arguments, so one compilation serves all variants, tables and policies.
Players are numbered as they sit in the first round of a match; seat 0 is whoever moves first in a round.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import compiled, inner_inlined
from basra_sim.deals import FIRST_CHOICE_WORD, stream, word
from basra_sim.deciding import decide, inquire
from basra_sim.policies.advice import Pieces
from basra_sim.policies.quantities import SITUATION_SIZE
from basra_sim.search.desk import Search
from basra_sim.turns import (
    ACES,
    BASRA_COUNT,
    NO_CAPTOR,
    NO_END,
    NO_ROOM,
    NO_SCORE,
    OK,
    TOO_MANY_CHOICES,
    deal_hands,
    make_play,
    open_table,
    remember,
    score_round,
    stand,
)

INDEX, MATCH, ROUND, FIRST, CARRY_IN, CARRY_OUT, LAST_SEAT, LEFTOVER, DEALT = range(9)
FACTS = (
    "index", "match", "round", "first", "carry_in", "carry_out", "last_seat", "leftover",
    "dealt_0", "dealt_1", "dealt_2", "dealt_3",
)  # fmt: skip
"""What is kept of a round: the index of its deal, its match and its place in it, the player who moved first, the
majority points carried in and out, the seat that captured last, the cards (a mask) it got from the floor, and from
`DEALT` on the cards (masks) that each team was dealt."""

ASKED = 3 + 4 + SITUATION_SIZE
"""How many numbers are kept of a decision that advice applies to: that of the play, the seat, its team; then as
`weighing.ask` fills it in."""

MATCH_ROUNDS, WINNER, FIRST_SCORE = 0, 1, 2
MATCH_FACTS = 6
"""What is kept of a match: its rounds, its winning team (-1: a draw), the final score of up to four teams."""

MATCH_BITS = 20
"""Rounds of match *m* are dealt from the indices ``m << MATCH_BITS`` on; a match may not have more of them."""


TROUBLE = {
    TOO_MANY_CHOICES: "a card has more choices than there is room for",
    NO_SCORE: "a policy's function gave no number (nan) for a play, or raised an error",
    NO_CAPTOR: "nobody captured in a round: please report it with the setting and the seed",
    NO_END: f"a match has not ended after {2**MATCH_BITS} rounds",
}
"""What statuses mean that are no fault of a caller."""


class Side(NamedTuple):
    """
    The policies at a table and who plays them.

    Attributes
    ----------
    kinds : (policies,) int64
    weights : (policies, phases, parameters) float64
    functions : (policies,) int64
        Addresses of a person's own functions, 0 for other kinds.
    player_policy : (seatings, players) int64
        Policy of each player, for each seating to be played of every deal.
    turns : (seatings,) int64
        By how many seats hands are passed on, for each seating: see `deal_hands`.
    memories : (policies, 3) int64
        As `Memory.row`.
    slips : (policies,) uint64
        Below which word of 64 bits a play is any legal one; 0 for policies that make no slips.
    pieces : Pieces
        Advice that they follow.
    search : Search
        How they search.
    """

    kinds: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    functions: npt.NDArray[np.int64]
    player_policy: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    memories: npt.NDArray[np.int64]
    slips: npt.NDArray[np.uint64]
    pieces: Pieces
    search: Search


class Batch(NamedTuple):
    """What to play: so many units from number `first` on. 0 and 1 stand for no and yes."""

    seed: int
    first: int
    units: int
    matches: int
    """Whether the units are matches; else single rounds."""
    carry: int
    """Majority points carried into the first round of each unit."""
    decks: npt.NDArray[np.uint8]
    """Packs to play instead of shuffled ones, (units, pack), top first; (units, 0) for shuffled ones."""


def single_rounds(seed: int, first: int, count: int) -> Batch:
    """So many rounds with shuffled packs, from an index on."""
    return Batch(seed, first, count, 0, 0, np.zeros((count, 0), np.uint8))


class Course(NamedTuple):
    """What of a round is not left to the players, and what is asked on the way."""

    forced: int
    """How many plays are given, from the first on."""
    script: npt.NDArray[np.int64]
    """The plays given, (plays, 2 or more): card, set taken."""
    asks: int
    """1 if policy 0 is asked at each play what advice would have it do."""
    query: Pieces
    """The advice asked about, its first piece."""
    found: npt.NDArray[np.int64]
    """Filled with the decisions it applies to, (room, `ASKED`); there must be room for one more than there can be."""
    asked: npt.NDArray[np.int64]
    """How many there are so far, (1,)."""


@inner_inlined
def play_round(codes, tables, chances, side, seed, given, carry, scratch, row, fact, log, course, heedful):
    """
    Play the round of the deal that `fact` names and score it; return a status.

    `row` (teams x columns) and `fact` are filled; `log` (plays x 3: card, taken, basra) too, unless it is empty.
    `course` is a `Course`, or None where all is left to the players; `heedful` is as for `deciding.decide`.
    """
    game = codes.game
    start, gamma = stream(seed, fact[INDEX])
    standing, top = open_table(game, (start, gamma, 0), given, scratch, row)
    at, plays = np.int64(0), np.int64(0)
    for deal in range(game.deals):
        size = game.last_hand if deal == game.deals - 1 else game.hand_size
        deal_hands(game, scratch, at, size)
        at = top if deal == 0 else at + size * game.players
        for left in range(size, 0, -1):
            for seat in range(game.players):
                place = stand(game, deal, left, seat)
                stream_at = (start, gamma, FIRST_CHOICE_WORD + plays)
                remember(scratch, plays, standing)
                if course is None:
                    card, taken = decide(
                        codes, tables, chances, side, place, standing, carry, stream_at, plays, scratch, heedful
                    )
                else:
                    card, taken = follow_course(
                        codes, tables, chances, side, place, standing, carry, stream_at, plays, scratch, course, heedful
                    )
                if card < 0:
                    return card
                standing, gain = make_play(codes, tables, standing, place, card, taken, scratch, row)
                if log.shape[0]:
                    log[plays, 0], log[plays, 1], log[plays, 2] = card, taken, gain
                plays += 1
    if standing.last < 0:
        return np.int64(NO_CAPTOR)
    scratch.piles[scratch.seat_team[standing.last]] |= standing.floor
    fact[CARRY_IN], fact[LAST_SEAT], fact[LEFTOVER] = carry, standing.last, standing.floor
    fact[CARRY_OUT] = score_round(codes, scratch, carry, row)
    for team in range(4):
        fact[DEALT + team] = scratch.dealt[team] if team < game.teams else 0
    return np.int64(OK)


@inner_inlined
def follow_course(codes, tables, chances, side, place, standing, carry, stream_at, plays, scratch, course, heedful):
    """As `decide`, for a round of which something is given or asked."""
    if course.asks and scratch.seat_policy[place.seat] == 0:
        number = course.asked[0]
        answer = inquire(
            codes, tables, chances, side, course.query, place, standing, carry, word(*stream_at), plays, scratch,
            course.found[number],
        )  # fmt: skip
        if answer < 0:
            return answer, np.int64(0)
        course.asked[0] = number + answer
    if plays < course.forced:
        return course.script[plays, 0], course.script[plays, 1]
    return decide(codes, tables, chances, side, place, standing, carry, stream_at, plays, scratch, heedful)


@inner_inlined
def seat_players(codes, side, seating, shift, scratch):
    """Seat the players so that player `shift` moves first, and say by how many seats hands are passed on."""
    scratch.turn[0] = side.turns[seating]
    players, teams = codes.game.players, codes.game.teams
    for seat in range(players):
        player = seat + shift
        player -= players if player >= players else 0
        scratch.seat_policy[seat] = side.player_policy[seating, np.uint64(player)]
        scratch.seat_team[seat] = player - teams if player >= teams else player


@inner_inlined
def has_ended(game, scores, target):
    """Winning team (-1: a draw; -2: it goes on) and the target from now on, after a round of a match."""
    best, tied, winner = np.int64(-1), 0, np.int64(-1)
    for team in range(game.teams):
        if scores[team] > best:
            best, tied, winner = scores[team], 1, np.int64(team)
        elif scores[team] == best:
            tied += 1
    if best < target:
        return np.int64(-2), target
    if tied == 1:
        return winner, target
    if game.match_tie == 1:
        return np.int64(-1), target
    if game.match_tie == 2:
        while target <= best:
            target += game.extend_by
    return np.int64(-2), target


@compiled
def play_batch(codes, tables, chances, side, batch, scratch, rows, facts, logs, results, done, heedful):
    """
    Play the units of a batch, single rounds or whole matches, each in every seating; return a status.

    Parameters
    ----------
    rows : (n, 4, columns) int32
        Filled with each team's rounds, the seatings of a unit behind one another.
    facts : (n, facts) int64
    logs : (n, plays, 3) int64, or of no plays if none are wanted
    results : (units * seatings, match facts) int64
        Filled with each match. Left alone for single rounds.
    done : (2,) int64
        Filled with the number of units (in all their seatings) and of rows that are complete.
    heedful : int or None
        As for `deciding.decide`.
    """
    seatings, game, scores = side.player_policy.shape[0], codes.game, scratch.scores
    used = np.int64(0)
    for k in range(batch.units):
        done[0], done[1] = k, used
        for seating in range(seatings):
            scores[:] = 0
            target, carry, winner, number = game.target, batch.carry, np.int64(-2), np.int64(0)
            while winner == -2:
                if number >> MATCH_BITS:
                    return np.int64(NO_END)
                if used == rows.shape[0]:
                    return np.int64(NO_ROOM)
                unit, shift = batch.first + k, number % game.players
                seat_players(codes, side, seating, shift, scratch)
                row, fact = rows[used], facts[used]
                fact[INDEX] = unit << MATCH_BITS | number if batch.matches else unit
                fact[MATCH], fact[ROUND], fact[FIRST] = unit, number, shift
                status = play_round(
                    codes, tables, chances, side, batch.seed, batch.decks[k], carry, scratch, row, fact, logs[used],
                    None, heedful,
                )  # fmt: skip
                if status != OK:
                    return status
                used += 1
                number += 1
                if not batch.matches:
                    break
                carry = fact[CARRY_OUT]
                for team in range(game.teams):
                    for column in range(ACES, BASRA_COUNT):
                        scores[team] += row[team, column]
                winner, target = has_ended(game, scores, target)
            if batch.matches:
                result = results[k * seatings + seating]
                result[MATCH_ROUNDS], result[WINNER] = number, winner
                for team in range(4):
                    result[FIRST_SCORE + team] = scores[team]
    done[0], done[1] = batch.units, used
    return np.int64(OK)
