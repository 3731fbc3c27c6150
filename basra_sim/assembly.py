"""
Single rounds added up, and put together to matches: compiled.

Players do not look at the score of the match, so a match is rounds behind one another, each from its own deal. Rounds
of a group stand in a circle, and a match begins at every one of them: all rounds of a match are different ones, and
nothing of the group is left over. Teams are places at the table in a round (place 0 moves first) and, in a match,
numbered as they sit in its first round.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import compiled, inner
from basra_sim.kernel import has_ended
from basra_sim.turns import majority_carried, majority_won

COUNTED = ("cards", "aces", "jacks", "two", "ten", "basra_count")
"""What is counted of a team's round; `Rounds.basras` are points."""

CARDS, ACES, JACKS, TWO, TEN, BASRA_COUNT = range(len(COUNTED))

SOURCES = ("aces", "jacks", "two", "ten", "majority", "basras")
"""Where points come from, in the order of the sums of `tally_rounds`."""

_MAJORITY, _BASRAS, TOTAL = 4, 5, 6

LEFT_OUT = ("majority", "basras", "cards")
"""Sources that are left out in turn, to see whether another team wins; `cards` are all points on cards together."""

SHARE = 12
"""What a win counts, so that it can be shared by two, three or four who tie."""

ROUND_SUMS = (
    "rounds", *(f"points_{name}" for name in (*SOURCES, "total")), *(f"product_{name}" for name in (*SOURCES, "total")),
    "basras", "first_margin", "last_margin", "first_won", "last_won", "tied", "majority_tied",
    *(f"without_{name}" for name in LEFT_OUT),
)  # fmt: skip
"""
What `tally_rounds` adds up: rounds; points of all teams; over teams, a source's margin times the whole margin; number
of basras; margins of the first and of the last team, and what they win (`SHARE` each, shared); ties; changed outcomes.
Margins are times the number of other teams.
"""

MATCH_SUMS = (
    "matches", "rounds", "first_won", "last_won", "better_won", "tied", "lead_changes", "won", "one_round",
    *(f"without_{name}" for name in LEFT_OUT),
)  # fmt: skip
"""
What `tally_matches` adds up: matches; their rounds; what the first team, the last one, and the one with the better
player win (`SHARE` each, shared); matches that came to a tie at the top; changes of the lead; matches with a winner;
those that one round decides; those that would have ended otherwise.
"""

LENGTHS = 512
"""Lengths of matches that are told apart; longer ones count with the longest."""

OK, TOO_FEW_ROUNDS = 0, -1
"""What `tally_matches` and `tally_comebacks` report."""

_ROUNDS, _POINTS, _PRODUCTS = 0, 1, 8
_ROUND_BASRAS, _FIRST_MARGIN, _LAST_MARGIN, _FIRST_WON, _LAST_WON, _TIED, _MAJORITY_TIED, _WITHOUT = range(15, 23)


class Rounds(NamedTuple):
    """
    Rounds of a group of deals.

    Attributes
    ----------
    counts : (deals, versions, teams, 6) int8
        As `COUNTED` has them, by place at the table. Versions of a deal are seatings, or hands passed on.
    basras : (deals, versions, teams) int32
        Points of basras.
    """

    counts: npt.NDArray[np.int8]
    basras: npt.NDArray[np.int32]


class Room(NamedTuple):
    """Arrays that a match is worked out in."""

    scores: npt.NDArray[np.int64]
    parts: npt.NDArray[np.int64]
    """Points from each of `LEFT_OUT`, (4, 3)."""
    history: npt.NDArray[np.int64]
    """Points of each round, (rounds, 4)."""
    found: npt.NDArray[np.int64]
    """Points of a round by source and in all, (4, 7)."""
    margins: npt.NDArray[np.int64]
    """Margins of each version of a deal, (4, 4)."""


def make_room(rounds: int) -> Room:
    """Arrays for matches of so many rounds at most."""
    shapes = ((4,), (4, len(LEFT_OUT)), (rounds, 4), (4, TOTAL + 1), (4, 4))
    return Room(*(np.zeros(shape, np.int64) for shape in shapes))


@inner
def _most(counts, teams):
    """Most cards that a team has, and how many teams have so many."""
    most, tied = np.int64(-1), 0
    for team in range(teams):
        cards = np.int64(counts[team, CARDS])
        tied = 1 if cards > most else tied + (cards == most)
        most = max(most, cards)
    return most, tied


@inner
def _on_cards(points, counts):
    """Points on a team's cards."""
    return (
        points.ace * np.int64(counts[ACES])
        + points.jack * np.int64(counts[JACKS])
        + points.two * np.int64(counts[TWO])
        + points.ten * np.int64(counts[TEN])
    )


@inner
def _winner(scores, parts, left_out, teams):
    """Team with the most points once a part is left out (-1: none is); -1 if several have."""
    best, winner = np.int64(-1), -1
    for team in range(teams):
        score = scores[team] - (parts[team, left_out] if left_out >= 0 else 0)
        if score > best:
            best, winner = score, team
        elif score == best:
            winner = -1
    return winner


@inner
def _won(scores, teams, team):
    """What a team wins by scores: `SHARE`, or its part of it where several have the most."""
    level = 0
    for other in range(teams):
        if scores[other] > scores[team]:
            return 0
        level += scores[other] == scores[team]
    return SHARE // level


@inner
def _score(game, points, counts, basras, found):
    """Points of a round by source and in all, into (teams, 7)."""
    most, tied = _most(counts, game.teams)
    for team in range(game.teams):
        mine = counts[team]
        found[team, 0], found[team, 1] = points.ace * np.int64(mine[ACES]), points.jack * np.int64(mine[JACKS])
        found[team, 2], found[team, 3] = points.two * np.int64(mine[TWO]), points.ten * np.int64(mine[TEN])
        found[team, _MAJORITY] = majority_won(game, np.int64(mine[CARDS]), most, tied, np.int64(0))
        found[team, _BASRAS] = basras[team]
        found[team, TOTAL] = 0
        for source in range(TOTAL):
            found[team, TOTAL] += found[team, source]
    return tied


@compiled
def tally_rounds(game, points, rounds, room, sums):
    """
    Add up single rounds.

    Parameters
    ----------
    game, points : as `game.codes` has them
    rounds : Rounds
    room : Room
    sums : (`ROUND_SUMS`,) int64
        Added to.
    """
    teams, found, scores, parts = game.teams, room.found, room.scores, room.parts
    for deal in range(rounds.counts.shape[0]):
        for version in range(rounds.counts.shape[1]):
            tied = _score(game, points, rounds.counts[deal, version], rounds.basras[deal, version], found)
            sums[_MAJORITY_TIED] += tied > 1
            sums[_ROUNDS] += 1
            total = np.int64(0)
            for team in range(teams):
                scores[team] = found[team, TOTAL]
                total += scores[team]
                parts[team, 0], parts[team, 1] = found[team, _MAJORITY], found[team, _BASRAS]
                parts[team, 2] = scores[team] - parts[team, 0] - parts[team, 1]
                sums[_ROUND_BASRAS] += rounds.counts[deal, version, team, BASRA_COUNT]
            for source in range(TOTAL + 1):
                together = np.int64(0)
                for team in range(teams):
                    together += found[team, source]
                sums[_POINTS + source] += together
                for team in range(teams):
                    margin = teams * found[team, source] - together
                    sums[_PRODUCTS + source] += margin * (teams * scores[team] - total)
            sums[_FIRST_MARGIN] += teams * scores[0] - total
            sums[_LAST_MARGIN] += teams * scores[teams - 1] - total
            sums[_FIRST_WON] += _won(scores, teams, 0)
            sums[_LAST_WON] += _won(scores, teams, teams - 1)
            winner = _winner(scores, parts, -1, teams)
            sums[_TIED] += winner < 0
            for part in range(len(LEFT_OUT)):
                sums[_WITHOUT + part] += _winner(scores, parts, part, teams) != winner


@compiled
def tally_versions(game, points, rounds, room, margins, squares, products, won):
    """
    Add up margins of all teams where a deal is played in several versions.

    Parameters
    ----------
    margins, squares : (versions, teams) int64
        Added to: margins of each team in each version, times the number of other teams, and their squares.
    products : (versions, versions) int64
        Added to: over teams, products of a team's margins in two versions.
    won : (versions,) int64
        Added to: what the team at the place of the version's number wins.
    """
    teams, versions = game.teams, rounds.counts.shape[1]
    found, scores, here = room.found, room.scores, room.margins
    for deal in range(rounds.counts.shape[0]):
        for version in range(versions):
            _score(game, points, rounds.counts[deal, version], rounds.basras[deal, version], found)
            total = np.int64(0)
            for team in range(teams):
                scores[team] = found[team, TOTAL]
                total += scores[team]
            for team in range(teams):
                margin = teams * scores[team] - total
                here[version, team] = margin
                margins[version, team] += margin
                squares[version, team] += margin * margin
            won[version] += _won(scores, teams, version)
        for version in range(versions):
            for other in range(versions):
                for team in range(teams):
                    products[version, other] += here[version, team] * here[other, team]


@inner
def _play_out(game, points, rounds, start, version, step, shift, room):
    """
    Play a match from the scores in `room` on, from a round of the circle on.

    The version of a round is the first one's less `step` a round; team p sits at place p + shift in the first one.
    Returns the rounds (`TOO_FEW_ROUNDS`: the circle is used up), the winner (-1: a draw), whether the best ever stood
    level at the target, and how often the lead changed.
    """
    deals, versions, teams = rounds.counts.shape[0], rounds.counts.shape[1], game.teams
    scores, parts, history = room.scores, room.parts, room.history
    for team in range(teams):
        for part in range(len(LEFT_OUT)):
            parts[team, part] = 0
    target, carry, winner, number = np.int64(game.target), np.int64(0), np.int64(-2), 0
    leader, changes, level = _winner(scores, parts, -1, teams), 0, False
    while winner == -2:
        if number == deals:
            return np.int64(TOO_FEW_ROUNDS), winner, level, changes
        deal = (start + number) % deals
        counts = rounds.counts[deal, (version + number * (versions - step)) % versions]
        basras = rounds.basras[deal, (version + number * (versions - step)) % versions]
        most, tied = _most(counts, teams)
        for team in range(teams):
            place = (team + shift + number * (teams - 1)) % teams
            majority = majority_won(game, np.int64(counts[place, CARDS]), most, tied, carry)
            cards = _on_cards(points, counts[place])
            parts[team, 0] += majority
            parts[team, 1] += basras[place]
            parts[team, 2] += cards
            history[number, team] = majority + basras[place] + cards
            scores[team] += history[number, team]
        carry = majority_carried(game, tied, carry)
        front, best = _winner(scores, parts, -1, teams), np.int64(0)
        for team in range(teams):
            best = max(best, scores[team])
        if front >= 0:
            changes += leader >= 0 and front != leader
            leader = front
        level = level or (front < 0 and best >= game.target)
        winner, target = has_ended(game, scores, target)
        number += 1
    return np.int64(number), winner, level, changes


@inner
def _one_round(history, number, scores, teams, winner):
    """Whether the winner would not be alone in front if some round had not counted."""
    for k in range(number):
        for team in range(teams):
            if team != winner:
                lead = scores[winner] - scores[team]
                if lead - history[k, winner] + history[k, team] <= 0:
                    return True
    return False


@inner
def _share_of_match(scores, teams, winner, team):
    """What a team wins of a match: `SHARE`, or its part of it in a draw."""
    if winner >= 0:
        return SHARE if winner == team else 0
    return _won(scores, teams, team)


@compiled
def tally_matches(game, points, rounds, step, ahead, room, sums, lengths):
    """
    Add up the matches that begin at each round of a circle; return a status.

    Parameters
    ----------
    rounds : Rounds
        A circle for each version; with a step of 1, a version says at which place the better player sits, and a match
        goes to the version in which he is where he has come to.
    step : 0 or 1
    ahead : (4,) int64
        Points that each team has at the start, fewer than the target.
    room : Room
        For as many rounds as there are deals.
    sums : (`MATCH_SUMS`,) int64
    lengths : (`LENGTHS`,) int64
        Added to: matches with so many rounds.
    """
    teams, scores = game.teams, room.scores
    for version in range(rounds.counts.shape[1]):
        for start in range(rounds.counts.shape[0]):
            for team in range(teams):
                scores[team] = ahead[team]
            number, winner, level, changes = _play_out(game, points, rounds, start, version, step, 0, room)
            if number < 0:
                return number
            lengths[min(number, LENGTHS - 1)] += 1
            sums[0] += 1
            sums[1] += number
            sums[2] += _share_of_match(scores, teams, winner, 0)
            sums[3] += _share_of_match(scores, teams, winner, teams - 1)
            sums[4] += _share_of_match(scores, teams, winner, version)
            sums[5] += level
            sums[6] += changes
            if winner >= 0:
                sums[7] += 1
                sums[8] += _one_round(room.history, number, scores, teams, winner)
            for part in range(len(LEFT_OUT)):
                sums[9 + part] += _winner(scores, room.parts, part, teams) != winner
    return np.int64(OK)


@compiled
def tally_comebacks(game, points, rounds, starts, stride, room, sums):
    """
    Add up matches that begin with one team behind all others, who stand level; return a status.

    Parameters
    ----------
    starts : (n, 2) int64
        For each kind of start: points that the one team is behind, and that the others lack to the target.
    stride : matches begin at every so-manieth round, one with that team at each place
    sums : (n, 2) int64
        Added to: matches, and what the team that is behind wins of them.
    """
    teams, scores = game.teams, room.scores
    for kind in range(starts.shape[0]):
        for version in range(rounds.counts.shape[1]):
            for start in range(version % stride, rounds.counts.shape[0], stride):
                for place in range(teams):
                    for team in range(teams):
                        scores[team] = game.target - starts[kind, 1]
                    scores[0] -= starts[kind, 0]
                    found, winner, _, _ = _play_out(game, points, rounds, start, version, 0, place, room)
                    if found < 0:
                        return found
                    sums[kind, 0] += 1
                    sums[kind, 1] += _share_of_match(scores, teams, winner, 0)
    return np.int64(OK)
