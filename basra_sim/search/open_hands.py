"""What each play is worth when all hands lie open: the compiled search, with checks, for callers in Python."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.captures import tables
from basra_sim.cards import DECK_SIZE, Card, card_name, card_set, cards_in
from basra_sim.errors import BasraError, InputError
from basra_sim.game import codes
from basra_sim.policies.features import PARAMETERS, PHASES, chances
from basra_sim.rules import Setting
from basra_sim.search.desk import NO_SEARCH_DESK
from basra_sim.search.endings import solve
from basra_sim.search.roll_outs import Beyond, roll_out_address
from basra_sim.search.tree import CARD, LIMIT, TAKEN, TOO_LONG, Tree, make_tree
from basra_sim.turns import NO_CAPTOR, Scratch, Standing, make_scratch

MOST_PLAYS = 50_000_000
"""Plays that a search may make before it is given up: some seconds."""

_SLOTS, _SLOTS_OF_LAST = 1 << 20, 1 << 14
"""Positions remembered: with deals to come, and in the last deal."""


_chances = cache(chances)


class OpenRound(NamedTuple):
    """
    A round somewhere in its middle, with all hands open.

    Attributes
    ----------
    hands : cards of each seat; the first to hold as many as the last is on turn
    floor : cards, in any order
    captured : cards of each team
    basras : points of each team's basras so far
    last_capture : seat that captured last, or None
    stock : cards of the deals to come, top first
    lone_before : whether the floor is two cards of which the earlier lay alone just before the later was laid on it
    carry_in : points for most cards held over from rounds before
    """

    hands: Sequence[Sequence[Card]]
    floor: Sequence[Card]
    captured: Sequence[Sequence[Card]]
    basras: Sequence[int]
    last_capture: int | None = None
    stock: Sequence[Card] = ()
    lone_before: bool = False
    carry_in: int = 0


class OpenPlay(NamedTuple):
    """
    A legal play and what it comes to.

    Attributes
    ----------
    card : Card
    taken : cards it takes; none where it is laid
    margin : float
        Points of the player's team at the end of the round less the mean of the other teams'.
    """

    card: Card
    taken: tuple[Card, ...]
    margin: float


def open_plays(
    setting: Setting,
    at: OpenRound,
    *,
    beyond: npt.NDArray[np.float64] | None = None,
    most_plays: int = MOST_PLAYS,
    tree: Tree | None = None,
) -> list[OpenPlay]:
    """
    Every legal play of the seat on turn, with the margin it comes to if all see all cards and play on perfectly.

    Of three or four teams each plays for its own margin, of equal plays that with the lower card, then the lower set. A
    whole round of two players takes some hundredths of a second; four singles are for the last deal alone.

    Parameters
    ----------
    setting
        Rules and players.
    at
        The round where it stands.
    beyond : (players, phases, parameters), optional
        Weights by which each seat plays on once the deal has been played out perfectly, the stock lying as it does.
        Without them the search goes to the end of the round.
    most_plays
        Plays after which the search is given up.
    tree
        Arrays to search in, for many calls.

    Returns
    -------
    list
        In order of the cards, then of their choices.

    Raises
    ------
    InputError
        If the situation cannot come up in the setting, or weights do not fit.
    BasraError
        If the search needs too many plays, or a card has too many choices.
    """
    play = _check(setting, at)
    if tree is None:
        tree = make_tree(_SLOTS if len(at.stock) else _SLOTS_OF_LAST)
    tree.facts[LIMIT] = most_plays
    scratch, standing, top = _laid_out(setting, at)
    stop = setting.plays if beyond is None else setting.plays - len(at.stock)
    found = solve(
        codes(setting), tables(), scratch, tree, _players(setting, scratch, beyond), standing, play, stop, top,
        at.carry_in, True,
    )  # fmt: skip
    if found == TOO_LONG:
        raise BasraError(f"not solved within {most_plays} plays; fewer cards or weights for what follows would do")
    if found < 0:
        raise BasraError("nobody can have captured by the end" if found == NO_CAPTOR else "a card has too many choices")
    return [
        OpenPlay(int(move[CARD]), tuple(cards_in(int(move[TAKEN]))), float(margin))
        for move, margin in zip(tree.moves[:found], tree.margins[:found], strict=True)
    ]


def _players(setting: Setting, scratch: Scratch, weights: npt.NDArray[np.float64] | None) -> Beyond:
    """Who plays on by weights, for each seat; nobody if there are none."""
    shape = setting.players, PHASES, PARAMETERS
    if weights is None:
        return Beyond(_chances(), np.zeros(shape), 0)
    if weights.shape != shape:
        raise InputError(f"weights must be an array of {shape}, not {weights.shape}")
    return Beyond(_chances(), weights, roll_out_address(codes(setting), tables(), scratch))


def _laid_out(setting: Setting, at: OpenRound) -> tuple[Scratch, Standing, int]:
    """The round in the arrays of compiled code, what lies open, and the place of the stock in the pack."""
    scratch, pack = make_scratch(NO_SEARCH_DESK), setting.rules.pack
    for seat, hand in enumerate(at.hands):
        scratch.hands[seat], scratch.seat_team[seat] = card_set(hand), setting.teams[seat]
    for team, cards in enumerate(at.captured):
        scratch.piles[team], scratch.basras[team] = card_set(cards), at.basras[team]
    scratch.deck[pack - len(at.stock) : pack] = at.stock
    top = pack - setting.players * sum(setting.hand_sizes[1:])
    floor = card_set(at.floor)
    before = floor & -floor if at.lone_before else 0
    gone = ~((1 << pack) - 1) | card_set(card for cards in at.captured for card in cards)
    return scratch, Standing(floor, before, gone, -1 if at.last_capture is None else at.last_capture), top


def _check(setting: Setting, at: OpenRound) -> int:
    """Refuse a situation that cannot come up; return the number of the next play in its round."""
    players, sizes = setting.players, [len(hand) for hand in at.hands]
    if len(sizes) != players or len(at.captured) != setting.team_count or len(at.basras) != setting.team_count:
        raise InputError(
            f"{players} players in {setting.team_count} teams: {players} hands, and captured cards and basras of "
            f"{setting.team_count} teams are needed, not {len(sizes)}, {len(at.captured)} and {len(at.basras)}"
        )
    cards = [card for part in (*at.hands, at.floor, *at.captured, at.stock) for card in part]
    strange, missing = set(cards) - set(range(setting.rules.pack)), set(range(setting.rules.pack)) - set(cards)
    wrong = sorted(strange or {card for card in cards if cards.count(card) > 1} or missing)
    if wrong:
        how = "is not in the pack" if strange else "lies nowhere" if wrong[0] in missing else "lies in two places"
        name = card_name(wrong[0]) if 0 <= wrong[0] < DECK_SIZE else f"card {wrong[0]}"
        raise InputError(f"{name} {how}: every card of the pack must lie in one place")
    left, turn = sizes[-1], sizes.count(sizes[-1] - 1) if sizes[0] < sizes[-1] else 0
    if left == 0 or sizes != [left - 1] * turn + [left] * (players - turn):
        raise InputError(f"hands of {sizes} cards: seats play in turn from seat 0, so none is ahead of the one before")
    deals = setting.hand_sizes
    later = [players * sum(deals[deal + 1 :]) for deal in range(len(deals))]
    if len(at.stock) not in later or left > deals[later.index(len(at.stock))]:
        raise InputError(
            f"{len(at.stock)} cards of stock and hands of {left}: deals are of {' '.join(map(str, deals))} cards each"
        )
    if at.lone_before and len(at.floor) != 2:
        raise InputError(f"a card laid on a lone one makes a floor of two, not of {len(at.floor)}")
    if (at.last_capture is None) != (not any(at.captured)):
        raise InputError("a seat captured last if any cards are captured, and none did if none are")
    if at.last_capture is not None and not 0 <= at.last_capture < players:
        raise InputError(f"there is no seat {at.last_capture}")
    deal = later.index(len(at.stock))
    return players * (sum(deals[:deal]) + deals[deal] - left) + turn
