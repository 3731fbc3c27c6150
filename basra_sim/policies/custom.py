"""A person's own policy: what a scoring function is told, and how it is handed to the kernel, which calls it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np

from basra_sim._numba import inner_inlined, note_at
from basra_sim.policies.memory import split_known
from basra_sim.policies.scorers import checked, compiled_scorer, refused


class View(NamedTuple):
    """
    What a player knows when it is his turn. Sets of cards are masks (bit ``4 * rank + suit``); 0 and 1 are no and yes.

    Nothing in it depends on a card that the player cannot have seen.

    Attributes
    ----------
    hand, floor : his cards, the one to be played among them; cards on the floor
    own_pile, other_piles : cards captured by his team, by the others, as far as he remembers them
    unseen : cards in the others' hands and in the stock, and those captured that he has forgotten
    cards_left : number of cards in his hand, the one to be played among them
    next_hand : cards the next player will hold at his turn, after a new deal if one comes; 0 if the round is over
    deal, deals_left : number of the deal, from 0; deals still to come
    seat, players, team : his seat, from 0 in playing order; players in all; his team
    last_to_play, last_card : whether he plays the last card of this deal, of the round
    captured_last : whether his team captured last, and so gets what is left on the floor at the end
    own_basras, other_basras : points by basras in this round of his team, of the best other team
    score, other_score : the same of the match before this round; 0 outside of a match
    majority : points for most cards in this round, with what was carried over
    target : points that end the match
    noise : a number from 0 to 2**53 - 1, drawn for this decision
    """

    hand: int
    floor: int
    own_pile: int
    other_piles: int
    unseen: int
    cards_left: int
    next_hand: int
    deal: int
    deals_left: int
    seat: int
    players: int
    team: int
    last_to_play: int
    last_card: int
    captured_last: int
    own_basras: int
    other_basras: int
    score: int
    other_score: int
    majority: int
    target: int
    noise: int


class Play(NamedTuple):
    """
    One legal play.

    Attributes
    ----------
    card : number of the card, ``4 * rank + suit``
    taken : cards it takes, as a mask; 0 if it is laid
    basra : points of the basra it makes
    points : card points it wins, its own among them; 0 if it is laid
    """

    card: int
    taken: int
    basra: int
    points: int


VIEW_SIZE, PLAY_SIZE = len(View._fields), len(Play._fields)

BEAT = VIEW_SIZE + PLAY_SIZE
"""
Behind view and play: a number that grows when a function is called and when it returns, odd while it runs; its own
number; and whether it has raised an error.
"""

WHO, RAISED = BEAT + 1, BEAT + 2

KNOWLEDGE_SIZE = RAISED + 1
"""Numbers that a function is handed, and that it leaves behind."""

_names: list[str] = ["a policy's function"]
"""Names of all functions, by their numbers; the first of one that has none."""


@inner_inlined
def fill_view(codes, memory, place, standing, known, unseen, carry, noise, scratch):
    """Write down what a player knows; `known` are the captured cards that he remembers, `memory` how he does."""
    game, view = codes.game, scratch.knowledge
    seat, last = place.seat, standing.last
    team = scratch.seat_team[seat]
    others = basras = np.int64(0)
    score = np.int64(-1)
    for t in range(game.teams):
        if t != team:
            others |= scratch.piles[t]
            basras = max(basras, scratch.basras[t])
            score = max(score, scratch.scores[t])
    view[0], view[1] = scratch.hands[seat], standing.floor
    view[2], view[3] = split_known(memory, known, scratch.piles[team], others, view[0] | view[1])
    view[4], view[5], view[6] = unseen, place.left, place.next_hand
    view[7], view[8] = place.deal, game.deals - 1 - place.deal
    view[9], view[10], view[11] = seat, game.players, team
    view[12], view[13] = np.int64(place.left == 1 and seat == game.players - 1), place.last_card
    view[14] = np.int64(last >= 0 and scratch.seat_team[last] == team)
    view[15], view[16], view[17], view[18] = scratch.basras[team], basras, scratch.scores[team], score
    view[19], view[20], view[21] = game.majority + carry, game.target, np.int64(noise >> np.uint64(11))


def name_of(number: int) -> str:
    """Name of the function of a number, such as ``policy mine``."""
    return _names[number] if 0 <= number < len(_names) else _names[0]


def compile_scorer(function: Callable[..., float], name: str) -> Any:
    """
    Compile a scoring function into one that the kernel can call.

    Raises
    ------
    InputError
        If it does not compile, gives no number, or does what such a function must not; `name` says what does not.
    """
    checked(function, name)
    kinds = (numba.typeof(View(*[0] * VIEW_SIZE)), numba.typeof(Play(*[0] * PLAY_SIZE)))
    score = compiled_scorer(function, kinds, name)
    _names.append(name)
    number = len(_names) - 1

    def call(pointer):
        n = numba.carray(pointer, (KNOWLEDGE_SIZE,))
        beat = n[BEAT]
        note_at(pointer, WHO, number)
        note_at(pointer, RAISED, 0)
        note_at(pointer, BEAT, beat + 1)
        view = View(
            n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10],
            n[11], n[12], n[13], n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21],
        )  # fmt: skip
        found = np.nan
        try:
            found = np.float64(score(view, Play(n[22], n[23], n[24], n[25])))
        except Exception:  # noqa: BLE001 -- compiled code knows no other kind, and nothing can be raised through the kernel
            note_at(pointer, RAISED, 1)
        note_at(pointer, BEAT, beat + 2)
        return found

    with refused(name):
        return numba.cfunc("float64(CPointer(int64))", error_model="numpy")(call)
