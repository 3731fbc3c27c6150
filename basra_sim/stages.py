"""Where the time of a play goes: compiled loops over the stages of recorded rounds."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim import deals
from basra_sim._numba import compiled, inner_inlined, lowest_bit
from basra_sim.captures import single_capture, tables
from basra_sim.deals import FIRST_CHOICE_WORD, stream, word
from basra_sim.deciding import known_gone, look, pick_randomly
from basra_sim.kernel import FIRST, INDEX, seat_players
from basra_sim.plans import Plan, Played, plan
from basra_sim.policies.features import choose
from basra_sim.policies.weighing import RANDOM, WEIGHTED
from basra_sim.simulation import summarise
from basra_sim.tallies import tally
from basra_sim.turns import Standing, deal_hands, make_play, open_table, remember, score_round, stand

VARIANT = "bastra"

POLICIES = ("random", "greedy", "counter", "champion")

STAGES = {
    "dealing": "the pack is shuffled, the floor laid, hands are dealt",
    "remembering": "what lies open is written down, and a player sees what is left",
    "capturing": "what cards take is looked up: all of the hand, or the one that a random player has picked",
    "choosing": "a card is picked, or plays are weighed",
    "playing": "the card is laid or takes, and a basra is counted",
    "scoring": "points of a round are counted",
    "tallying": "rounds are added up",
    "rest": "the whole round less all of these: what one play waits for another, and handing over; below 0 where "
    "stages take longer gone over by themselves than within a round",
}
"""The stages, and what is done in each."""

ROUNDS = 512
"""Rounds whose plays are gone over."""

SEAT, LEFT, DEAL, FLOOR, BEFORE, GONE, LAST, HAND, CARD, TAKEN, PLAY, DEALT = range(12)
"""What is kept of each play, the last of them the index of its deal."""

_DEALING, _REMEMBERING, _CAPTURING, _CHOOSING, _PLAYING, _SCORING = range(6)

WHOLE = 16
"""How many times as many rounds are played whole."""

_LEAST = 0.002
"""Seconds that a pass over some plays takes at least, passes being repeated."""

Tell = Callable[[str], None]
"""Told whose plays are gone over next."""


@inner_inlined
def _deal(codes, seed, index, scratch, row):
    """Deal a whole round."""
    game = codes.game
    start, gamma = stream(seed, index)
    _, top = open_table(game, (start, gamma, 0), scratch.deck[:0], scratch, row)
    at, found = np.int64(0), np.int64(0)
    for deal in range(game.deals):
        size = game.last_hand if deal == game.deals - 1 else game.hand_size
        deal_hands(game, scratch, at, size)
        at = top if deal == 0 else at + size * game.players
        found ^= scratch.hands[0]
    return found


@inner_inlined
def _look_up(codes, tables, play, every):
    """Look up what the card of a play takes, or all cards of the hand."""
    found, rest = np.int64(0), play[HAND] if every else np.int64(1) << play[CARD]
    while rest:
        found ^= single_capture(codes.capture, tables, play[FLOOR], lowest_bit(rest))
        rest &= rest - 1
    return found


@inner_inlined
def _go_through(stage, codes, tables, chances, side, seed, play, scratch, row):
    """One stage of one play."""
    if stage == _CAPTURING:
        return _look_up(codes, tables, play, side.kinds[0] != RANDOM)
    standing = Standing(play[FLOOR], play[BEFORE], play[GONE], play[LAST])
    place = stand(codes.game, play[DEAL], play[LEFT], play[SEAT])
    scratch.hands[np.uint64(place.seat)] = play[HAND]
    if stage == _PLAYING:
        after, _ = make_play(codes, tables, standing, place, play[CARD], play[TAKEN], scratch, row)
        return after.floor
    if stage == _CHOOSING and side.kinds[0] == RANDOM:
        start, gamma = stream(seed, play[DEALT])
        noise = word(start, gamma, FIRST_CHOICE_WORD + play[PLAY])
        card, taken = pick_randomly(codes.capture, tables, play[FLOOR], play[HAND], noise, scratch.room)
        return card ^ taken
    remember(scratch, play[PLAY], standing)
    known = known_gone(codes, side, np.uint64(0), place, standing, play[PLAY], scratch)
    sight = look(codes.game, place, standing, known, scratch)
    if stage == _REMEMBERING:
        return sight.unseen ^ sight.next_hand
    card, taken = choose(codes, tables, chances, side.weights[0, sight.late], sight, scratch.room)
    return card ^ taken


@compiled
def go_over(stage, codes, tables, chances, side, seed, plays, piles, indices, scratch, row):
    """
    Go over one stage of all plays, or of all rounds; return a number that hangs on all that was found.

    Parameters
    ----------
    plays : (plays, 12) int64
    piles : (rounds, 4) int64
        What each team has captured in the end.
    indices : (rounds,) int64
    """
    found = np.int64(0)
    seat_players(codes, side, 0, 0, scratch)
    if stage == _DEALING:
        for k in range(indices.shape[0]):
            found ^= _deal(codes, seed, indices[k], scratch, row)
    elif stage == _SCORING:
        for k in range(piles.shape[0]):
            for team in range(codes.game.teams):
                scratch.piles[team] = piles[k, team]
            found += score_round(codes, scratch, np.int64(0), row) + row[0, 0]
    else:
        for k in range(plays.shape[0]):
            found ^= _go_through(stage, codes, tables, chances, side, seed, plays[k], scratch, row)
    return found


def record(planned: Plan, rounds: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Played]:
    """What is kept of each play of some rounds, what each team has captured in them in the end, and the rounds."""
    game, setting = planned.codes.game, planned.setting
    found, piles = [], np.zeros((rounds, 4), np.int64)
    played = next(iter(planned.play(0, rounds, logged=True)))
    pack = np.zeros(deals.DECK_ROOM, np.uint8)
    for k, (log, fact) in enumerate(zip(played.logs.tolist(), played.facts.tolist(), strict=True)):
        first = game.players * game.hand_size
        floor, top, _ = deals.open_round(
            planned.seed, fact[INDEX], game.pack, first, game.buried, game.bury_at_random, pack
        )
        floor, before, gone, last, number, at = int(floor), 0, ~((1 << game.pack) - 1), -1, 0, 0
        for deal, size in enumerate(setting.hand_sizes):
            hands = [
                sum(1 << int(pack[at + place]) for place in _places(game, seat, size)) for seat in range(game.players)
            ]
            at = int(top) if deal == 0 else at + size * game.players
            for left in range(size, 0, -1):
                for seat in range(game.players):
                    card, taken, _ = log[number]
                    kept = (seat, left, deal, floor, before, gone, last, hands[seat], card, taken, number, fact[INDEX])
                    found.append(kept)
                    won = taken | 1 << card if taken else 0
                    floor, before, gone = floor ^ taken | (0 if taken else 1 << card), floor, gone | won
                    last = seat if taken else last
                    hands[seat] ^= 1 << card
                    piles[k, (seat + fact[FIRST]) % game.teams] |= won
                    number += 1
        piles[k, (last + fact[FIRST]) % game.teams] |= floor
    return np.array(found, np.int64), piles, played


def _places(game: Any, seat: int, size: int) -> range:
    """Places of a seat's cards, from the first card of the deal on."""
    return range(seat * size, seat * size + size) if game.packet else range(seat, size * game.players, game.players)


def _fastest(work: Callable[[], object], repetitions: int) -> float:
    """Seconds of processor time that some work takes at least."""
    work()
    times, best = 1, float("inf")
    while True:
        begun = time.process_time()
        for _ in range(times):
            work()
        if time.process_time() - begun >= _LEAST:
            break
        times *= 2
    for _ in range(repetitions):
        begun = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - begun) / times)
    return best


def stages_of(policy: str, *, repetitions: int = 5, rounds: int = ROUNDS) -> dict[str, float]:
    """
    Nanoseconds of processor time that each of `STAGES` takes, a play; and ``whole``, the whole play.

    Parameters
    ----------
    policy : random, or a player who weighs plays
    repetitions : of each, of which the fastest counts
    """
    planned = plan(VARIANT, policies=policy)
    assert planned.side.kinds.max() <= WEIGHTED
    plays, piles, played = record(planned, rounds)
    scratch, row = planned.scratch(), np.zeros((4, 8), np.int32)

    def timed(work: Callable[[], object]) -> float:
        return 1e9 * _fastest(work, repetitions) / len(plays)

    def gone_over(stage: int) -> float:
        arguments = (planned.codes, tables(), planned.chances, planned.side, planned.seed)
        indices = played.facts[:, INDEX].copy()
        return timed(lambda: go_over(stage, *arguments, plays, piles, indices, scratch, row))

    draws = policy == "random"
    found = {"dealing": gone_over(_DEALING), "remembering": 0.0 if draws else gone_over(_REMEMBERING)}
    found["capturing"] = gone_over(_CAPTURING)
    choosing = gone_over(_CHOOSING) - found["capturing"] - found["remembering"]
    found |= {"choosing": max(choosing, 0.0), "playing": gone_over(_PLAYING), "scoring": gone_over(_SCORING)}
    found["tallying"] = timed(lambda: tally(played.rows, played.facts, planned.setting.team_count, False))
    whole = timed(lambda: summarise(planned, WHOLE * rounds, threads=1)) / WHOLE
    return found | {"rest": whole - sum(found.values()), "whole": whole}


def stage_times(*, repetitions: int = 5, rounds: int = ROUNDS, tell: Tell | None = None) -> dict[str, dict[str, float]]:
    """As `stages_of`, of each of `POLICIES`."""
    found = {}
    for policy in POLICIES:
        if tell:
            tell(policy)
        found[policy] = stages_of(policy, repetitions=repetitions, rounds=rounds)
    return found
