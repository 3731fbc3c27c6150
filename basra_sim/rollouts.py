"""
What each legal play of a decision is worth, by rollouts in which what is hidden is handed out anew: compiled.

A play is worth its expected margin: points of the round of the player's own team, less the mean of the other teams',
over all ways in which the cards may lie whose places the player cannot know. Some ways are drawn, the same for all the
plays, in blocks in which the other hands together hold no card twice; all at the table then play on alike.
"""

from typing import NamedTuple

import numpy as np

from basra_sim._numba import compiled, inner, inner_inlined
from basra_sim.ahead import play_on
from basra_sim.deals import FIRST_CHOICE_WORD, bounded, stream, word
from basra_sim.kernel import seat_players
from basra_sim.policies.weighing import CARD, TAKEN
from basra_sim.prospects import NOISES_AT_ONCE, PARTS, expected_margin, final_margin, finish
from basra_sim.redraws import gather_hidden, list_choices, mix_hidden, redraw
from basra_sim.turns import (
    OK,
    deal_hands,
    deal_place,
    end_of_deal,
    locate,
    make_play,
    open_table,
    remember,
    stand,
)

FIRST_ROLLOUT_WORD = 1 << 22
"""Words of a deal's stream from here on belong to the policies in rollouts, `WORDS_A_ROLLOUT` to each redraw."""

WORDS_A_ROLLOUT = 64

FIRST_PICK_WORD = 1 << 19
"""Word of a stream that picks with which play of a round a group of deals begins."""

HALVES = ((0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2))
"""Every two of the parts: each is half of the redraws."""

LEGAL, SPREAD, HALF_SPREADS = 0, 1, 2
STAKE = HALF_SPREADS + len(HALVES)
"""
What is kept of a decision: the number of legal plays and, where there are several, the mean margin of the best of them
less that of the worst (points), over all redraws and over each of `HALVES`.
"""

_HIGH = 1e9


class Effort(NamedTuple):
    """How many redraws a decision takes, and how far rollouts go."""

    pilot: int
    """First redraws in each part, from which it is seen how far the margins scatter."""
    base: float
    slope: float
    """Redraws in each part are `base` + `slope` times the standard deviation (points) of a difference of two plays."""
    short: int
    """Rollouts go on to the end of the round if no more plays than these follow the end of the deal."""


@inner
def try_plays(codes, tables, chances, side, scratch, desk, prospect, standing, at, rollout, count, heedful):
    """
    Play on from each of the legal plays of a decision, with the hands of the desk; fill in the margins of the desk.

    `at` is the number of the decision's play, that of the play before which rollouts end, and the top of the stock;
    `rollout` the start and gamma of the stream and the number of the redraw. Returns a status.
    """
    game, (play, stop, top), (start, gamma, number) = codes.game, at, rollout
    deal, before, size = locate(game, play)
    place = stand(game, deal, size - before // game.players, before % game.players)
    team, ending = scratch.seat_team[place.seat], locate(game, stop - 1)[0]
    stream_at = (start, gamma, np.int64(FIRST_ROLLOUT_WORD + number * WORDS_A_ROLLOUT))
    noise = np.int64(gamma >> np.uint64(48)) + number * NOISES_AT_ONCE
    for k in range(count):
        for each in range(4):
            scratch.hands[each], scratch.piles[each] = desk.hands[each], desk.piles[each]
            scratch.basras[each] = desk.basras[each]
        card, taken = desk.plays[k, CARD], desk.plays[k, TAKEN]
        after, _ = make_play(codes, tables, standing, place, card, taken, scratch, desk.row)
        status, after = play_on(
            codes, tables, chances, side, scratch, desk.row, after, play + 1, stop, top, stream_at, heedful
        )
        if status == OK and ending == game.deals - 1:
            status = finish(scratch, after)
        if status != OK:
            return status
        if ending == game.deals - 1:
            desk.margins[k] = final_margin(codes, scratch, team, desk.row, 0)
        else:
            desk.margins[k] = expected_margin(
                codes, tables, chances, scratch, desk, after, prospect, ending, team, noise, 0
            )
    return np.int64(OK)


@inner_inlined
def redraws_to_come(desk, count, squares, effort):
    """Redraws that each part takes after its first ones, whose margins, less their means, have such squares in all."""
    drawn, mean, between = PARTS * effort.pilot, 0.0, 0.0
    for k in range(count):
        for part in range(PARTS):
            mean += desk.totals[part, k] / count
    for k in range(count):
        total = -mean
        for part in range(PARTS):
            total += desk.totals[part, k]
        between += total * total / drawn
    variance = 2 * max(squares - between, 0.0) / ((drawn - 1) * (count - 1))
    return max(np.int64(np.ceil(effort.base + effort.slope * np.sqrt(variance))) - effort.pilot, 0)


@inner
def sample_plays(
    codes, tables, chances, side, scratch, desk, prospect, standing, at, stream_at, hidden, count, effort, heedful
):
    """
    Fill in the totals of the desk with the mean margin of each legal play in each part of the redraws; return a status.

    `hidden` is what `gather_hidden` returned, the seat to play, and the place in the pack of the next deal.
    """
    (start, gamma), (cards, in_hands, buried, seat, next_place) = stream_at, hidden
    used, number, squares, rest = 0, np.int64(0), 0.0, np.int64(0)
    real = (scratch.hands[0], scratch.hands[1], scratch.hands[2], scratch.hands[3])
    for part in range(PARTS):
        desk.totals[part, :count] = 0.0
    for later in range(2):
        for part in range(PARTS):
            shift = cards
            for _ in range(rest if later else effort.pilot):
                if shift + in_hands > cards:
                    used, shift = mix_hidden(start, gamma, used, cards, desk.hidden), 0
                for each in range(4):
                    scratch.hands[each] = real[each]
                redraw(codes.game, scratch, desk, seat, buried, shift, cards, next_place)
                status = try_plays(
                    codes, tables, chances, side, scratch, desk, prospect, standing, at, (start, gamma, number), count,
                    heedful,
                )  # fmt: skip
                if status != OK:
                    return status
                mean = 0.0
                for k in range(count):
                    desk.totals[part, k] += desk.margins[k]
                    mean += desk.margins[k] / count
                if not later:
                    for k in range(count):
                        squares += (desk.margins[k] - mean) ** 2
                shift += in_hands
                number += 1
        if not later:
            rest = redraws_to_come(desk, count, squares, effort)
    for part in range(PARTS):
        for k in range(count):
            desk.totals[part, k] /= effort.pilot + rest
    return np.int64(OK)


@inner
def weigh_plays(codes, tables, chances, side, scratch, desk, prospect, standing, play, top, stream_at, effort, heedful):
    """List the legal plays of a decision and, if there are several, what they are worth; return their number."""
    game = codes.game
    deal, before, size = locate(game, play)
    if before == 0:
        deal_hands(game, scratch, deal_place(game, top, deal), size)
    remember(scratch, play, standing)
    seat = before % game.players
    count = list_choices(codes, tables, scratch, standing.floor, scratch.hands[seat], desk.plays)
    if count < 2:
        return count
    stop, end = end_of_deal(game, deal), end_of_deal(game, game.deals - 1)
    if end - stop <= effort.short:
        stop = end
    next_place = deal_place(game, top, deal + 1)
    cards, in_hands, holders, buried = gather_hidden(game, scratch, seat, top, next_place, desk.hidden)
    for each in range(4):
        desk.piles[each], desk.basras[each] = scratch.piles[each], scratch.basras[each]
    if cards == in_hands and holders <= 1:  # nothing is hidden: one way is all ways
        effort = Effort(1, 0.0, 0.0, effort.short)
    status = sample_plays(
        codes, tables, chances, side, scratch, desk, prospect, standing, (play, stop, top), stream_at,
        (cards, in_hands, buried, seat, next_place), count, effort, heedful,
    )  # fmt: skip
    return status if status != OK else count


@inner
def find_spreads(totals, count, found):
    """Fill in best less worst mean margin of some plays, over all redraws and over each half of them."""
    for half in range(1 + len(HALVES)):
        best, worst = -_HIGH, _HIGH
        for k in range(count):
            if half == 0:
                value = (totals[0, k] + totals[1, k] + totals[2, k] + totals[3, k]) / 4
            else:
                value = (totals[HALVES[half - 1][0], k] + totals[HALVES[half - 1][1], k]) / 2
            best, worst = max(best, value), min(worst, value)
        found[SPREAD + half] = best - worst


@compiled
def find_stakes(codes, tables, chances, side, batch, plays, prospect, effort, scratch, desk, found, heedful):
    """
    Play the round of each deal up to one decision of it, and find what its legal plays are worth; return a status.

    Parameters
    ----------
    plays : (units,) int64
        Number of the decision's play in its round.
    effort : Effort
    found : (units, STAKE) float64
        Filled with a row for each decision.
    """
    for unit in range(batch.units):
        play = plays[unit]
        seat_players(codes, side, 0, 0, scratch)
        start, gamma = stream(batch.seed, batch.first + unit)
        standing, top = open_table(codes.game, (start, gamma, 0), batch.decks[unit], scratch, desk.row)
        status, standing = play_on(
            codes, tables, chances, side, scratch, desk.row, standing, np.int64(0), play, top,
            (start, gamma, np.int64(FIRST_CHOICE_WORD)), heedful,
        )  # fmt: skip
        if status != OK:
            return status
        count = weigh_plays(
            codes, tables, chances, side, scratch, desk, prospect, standing, play, top, (start, gamma), effort, heedful
        )
        if count < 0:
            return count
        found[unit, LEGAL] = count
        if count > 1:
            find_spreads(desk.totals, count, found[unit])
    return np.int64(OK)


@compiled
def first_play(seed, group, plays):
    """Number of a play, of so many in a round, with which a group of deals begins."""
    start, gamma = stream(seed, group)
    return bounded(word(start, gamma, FIRST_PICK_WORD), np.uint64(plays))[0]
