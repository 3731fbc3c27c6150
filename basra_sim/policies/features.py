"""
Features of a play, and the policies that are weights over them.

A play is worth the sum of its features, each times its weight; a policy takes the play of the highest worth (the
lower card of two that are equal). The weights of features that hang on the card and on whether it takes something
are added up beforehand, card by card; a whole group of features whose weights are all nought is passed over.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim._numba import bit_count, inner, inner_inlined, keep_apart, lowest_bit
from basra_sim.captures import CHOICE, basra_points, cards_below, choices, single_capture, sums_entry
from basra_sim.cards import ACE, JACK, TEN, TWO
from basra_sim.game import card_points

_GAINS, _COUNTS, _BY_POINTS, _BY_CARDS, _LISTED = (np.uint64(row) for row in range(4, 9))
"""Rows of the room for choices that `risk` writes over, behind those that a list of choices takes; `_LISTED` and all
behind it are for a list of its own."""

LAY, TAKE = 0, 52
"""Where the worths of laying, and of taking with, each card begin in a row of parameters."""

W_POINTS, W_CARDS, W_BASRA = 104, 105, 106
USES_RISK, RISK_LOWERS, W_BASRA_RISK, W_POINTS_RISK, W_CARDS_RISK = 107, 108, 109, 110, 111
PARAMETERS = 112
"""Length of a row of parameters."""

PHASES = 2
"""Rows of parameters of a policy, one for nearly all of a round, one for its last cards."""

LATE_CARDS = 2
"""Cards left of the last hand from which on it is late in a round."""


_ONES, _THREES, _FIVES = np.int64(0x1111111111111), np.int64(0x3333333333333), np.int64(0x5555555555555)
_JACK_BIT, _NUMERALS = np.int64(1 << 4 * JACK), np.int64((1 << 4 * JACK) - 1)


class Sight(NamedTuple):
    """What a player sees, besides the card he thinks of playing; sets of cards as masks."""

    hand: int
    floor: int
    floor_before: int
    """The floor before the last play."""
    unseen: int
    """Cards in nobody's sight: the others' hands and the stock."""
    next_hand: int
    """How many cards the next player will hold, after a new deal if one comes; 0 at the end of the round."""
    last_card: int
    late: int
    """1 if at most `LATE_CARDS` cards are left of the last hand: the row of parameters that counts."""


class Threat(NamedTuple):
    """What the next player may hold, as far as whoever plays now can tell: the same for all plays."""

    chance: npt.NDArray[np.float64]
    """Chance that he holds at least one of so many unseen cards."""
    unseen: int
    others: int
    """Unseen cards but for the sweeper."""
    counts: int
    """How many of them there are of each rank, four bits a rank."""
    ranks: int
    """The lowest bit of each rank that they have cards of, but for jacks."""
    sweepers: int
    """How many unseen cards take the whole floor, whatever lies there."""
    alike: bool
    """Whether any card but a jack that takes the whole floor makes a basra, of the points that an ace makes."""


@inner_inlined
def _ranks_of(cards):
    """The lowest bit of each rank that a set holds cards of."""
    either = cards | cards >> 1
    return (either | either >> 2) & _ONES


@inner_inlined
def _foresee_next(codes, chances, sight):
    """The `Threat` of the next player, if there is one."""
    rules = codes.capture
    sweeper = sight.unseen & (1 << rules.sweeper if rules.sweeper >= 0 else 0)
    others = sight.unseen ^ sweeper
    pairs = others - (others >> 1 & _FIVES)
    counts = (pairs & _THREES) + (pairs >> 2 & _THREES)
    flat = rules.basra_when == 0 and rules.face_points[ACE] == rules.face_points[TWO]
    return Threat(
        chances[np.uint64(sight.next_hand), np.uint64(bit_count(sight.unseen))],
        sight.unseen,
        others,
        counts,
        _ranks_of(others) & ~_JACK_BIT,
        (counts >> 4 * JACK & 15) + np.int64(sweeper != 0),
        flat and sweeper == 0 and rules.jack_on_jack == 0,
    )


@inner_inlined
def _sums_with(rules, sums, card):
    """Sums that cards make once one more is among them; bit 4 * s stands for the sum s."""
    return sums | sums << ((card >> 2) + 1 << 2) if rules.sum_cards >> card & 1 else sums


@inner_inlined
def _sums_of(rules, cards):
    """Sums that numerals of a set make, alone or with others, as far as they are cards' values; 0 among them."""
    sums, rest = np.int64(1), cards & rules.sum_cards
    while rest:
        sums |= sums << ((lowest_bit(rest) >> 2) + 1 << 2)
        rest &= rest - 1
    return sums


@inner
def _expected_best(chance, gains, counts, found):
    """
    Expected largest gain among the cards of a hidden hand.

    `gains` and `counts` hold, for `found` kinds of card, the gain and how many are unseen; `chance[k]` is the chance
    that the hand holds at least one of `k` given unseen cards.
    """
    keep_apart()
    total, above, chance_above = 0.0, 0, 0.0
    while True:
        best = 0
        for k in range(found):
            best = max(best, gains[k])
        if best == 0:
            return total
        for k in range(found):
            if gains[k] == best:
                above += counts[k]
                gains[k] = 0
        total += best * (chance[np.uint64(above)] - chance_above)
        chance_above = chance[np.uint64(above)]


@inner_inlined
def _expected(chance, most, losses, counts, row):
    """
    Expected largest gain among the cards of a hidden hand, of gains near each other.

    `losses` has a bit for each gain that some cards have, by how much less it is than `most`, and a row of `counts` how
    many cards have it.
    """
    total, above, chance_above = 0.0, 0, 0.0
    while losses:
        loss = lowest_bit(losses)
        losses &= losses - 1
        above += counts[row, np.uint64(loss)]
        total += (most - loss) * (chance[np.uint64(above)] - chance_above)
        chance_above = chance[np.uint64(above)]
    return total


@inner_inlined
def _count(losses, counts, row, loss, count):
    """Count some cards of a gain; return the `losses` that there are then."""
    at = np.uint64(loss)
    counts[row, at] = count + (counts[row, at] & -(losses >> loss & 1))
    return losses | 1 << loss


@inner
def _any_choice(rules, tables, floor, card, room):
    """Cards on the floor of the ranks that some choice of a card takes: which of their suits is up to the player."""
    keep_apart()
    reach = np.int64(0)
    for k in range(choices(rules, tables, floor, card, room)):
        for rank in range(TEN + 1):
            if room[0, k] >> 4 * rank & 15:
                reach |= floor & (15 << 4 * rank)
    return reach


@inner_inlined
def _reach(rules, tables, floor, at, room):
    """What the cards of a rank but jacks, whose lowest is `at`, can take, and whether a single card takes all of it."""
    reach = floor & (15 << at)
    low = cards_below(rules, floor, at >> 2)
    if low & (low - 1) == 0:
        return reach, True
    entry = np.int64(tables.ranks[sums_entry(tables, low, at >> 2)])
    if rules.most_cards and entry & CHOICE:
        return reach | _any_choice(rules, tables, floor, at, room[_LISTED:]), entry < 512
    return reach | (low & tables.spread[np.uint64(entry & 511)]), entry < 512


@inner
def _best_basra(rules, tables, threat, floor, floor_before, sweeps, room):
    """
    Expected points of the best basra on a floor, where basras differ or hang on more than that they take all of it.

    `sweeps` has the lowest bit of each rank whose cards take the floor, jacks and the sweeper aside.
    """
    keep_apart()
    found = 0
    if threat.unseen != threat.others:
        room[_GAINS, 0] = basra_points(rules, tables, floor, rules.sweeper, floor, floor_before, 0)
        room[_COUNTS, 0] = 1
        found = 1
    sweeps |= _JACK_BIT
    while sweeps:
        card = lowest_bit(sweeps)
        sweeps &= sweeps - 1
        room[_GAINS, found] = basra_points(rules, tables, floor, card, floor, floor_before, 0)
        room[_COUNTS, found] = threat.counts >> card & 15
        found += 1
    return _expected_best(threat.chance, room[_GAINS], room[_COUNTS], found)


@inner
def _best_points(codes, tables, threat, floor, ranks, room):
    """Expected most card points within reach on a floor, by cards of some ranks and those that take all of it."""
    keep_apart()
    room[_GAINS, 0], room[_COUNTS, 0] = card_points(codes.points, floor), threat.sweepers
    found = 1
    while ranks:
        at = lowest_bit(ranks)
        ranks &= ranks - 1
        reach, _ = _reach(codes.capture, tables, floor, at, room)
        if floor == codes.capture.lone_seven:
            reach = floor
        room[_GAINS, found], room[_COUNTS, found] = card_points(codes.points, reach), threat.counts >> at & 15
        found += 1
    return _expected_best(threat.chance, room[_GAINS], room[_COUNTS], found)


@inner_inlined
def _risk(codes, tables, weights, sight, threat, floor, sums, room):
    """As `risk`, where a next player holds cards, of a floor of some cards that make such sums."""
    rules, chance, weighs_cards = codes.capture, threat.chance, weights[W_CARDS_RISK] != 0
    size, on_floor = bit_count(floor), card_points(codes.points, floor)
    anything = -np.int64(floor == rules.lone_seven)
    ranks = takers = (_ranks_of(floor) | (sums >> 4 & _NUMERALS) | anything) & threat.ranks
    losses = card_losses = np.int64(threat.sweepers > 0)
    room[_BY_POINTS, 0] = room[_BY_CARDS, 0] = threat.sweepers
    sweeps = np.int64(0)
    while ranks:
        at = lowest_bit(ranks)
        ranks &= ranks - 1
        reach, whole = _reach(rules, tables, floor, at, room)
        reach |= floor & anything
        sweeps |= np.int64((reach == floor) & whole) << at
        count = threat.counts >> at & 15
        loss = on_floor - card_points(codes.points, reach)
        losses = _count(losses, room, _BY_POINTS, loss & 63, count)
        if weighs_cards:
            card_losses = _count(card_losses, room, _BY_CARDS, size - bit_count(reach), count)
    worth = 0.0
    if threat.alike:
        sweeping = bit_count(threat.others & 15 * sweeps)
        worth += weights[W_BASRA_RISK] * ((rules.face_points[ACE] if sweeps else 0) * chance[np.uint64(sweeping)])
    else:
        worth += weights[W_BASRA_RISK] * _best_basra(rules, tables, threat, floor, sight.floor, sweeps, room)
    if on_floor < 62:
        losses &= (1 << on_floor) - 1
        worth += weights[W_POINTS_RISK] * _expected(chance, on_floor, losses, room, _BY_POINTS)
    else:
        worth += weights[W_POINTS_RISK] * _best_points(codes, tables, threat, floor, takers, room)
    if weighs_cards:
        worth += weights[W_CARDS_RISK] * _expected(chance, size, card_losses, room, _BY_CARDS)
    return worth


@inner_inlined
def risk(codes, tables, chances, weights, sight, floor, room):
    """
    Weighted features of what is left to the next player: the basra, points and cards he can take, as expected.

    Of `room`, all but the first four rows are written over.
    """
    if floor == 0 or sight.next_hand == 0:
        return 0.0
    threat, sums = _foresee_next(codes, chances, sight), _sums_of(codes.capture, floor)
    return _risk(codes, tables, weights, sight, threat, floor, sums, room)


@inner_inlined
def _gain(codes, tables, weights, sight, card, taken, points, cards, basra):
    """Weighted features of what a capture takes; the last three arguments are weights of them."""
    value = weights[np.uint64(TAKE + card)] + points * card_points(codes.points, taken) + cards * bit_count(taken)
    if taken == sight.floor:
        rules = codes.capture
        value += basra * basra_points(rules, tables, taken, card, taken, sight.floor_before, sight.last_card)
    return value


@inner_inlined
def choose(codes, tables, chances, weights, sight, room):
    """
    Card and set taken (0: it is laid) of the play of highest worth; -1 for the card if the choices overflow.

    What a play risks is looked at last, and not at all where it can only lower what is not the highest as it is.
    """
    if weights[USES_RISK] == 0 or sight.next_hand == 0:
        return _choose_at_once(codes, tables, weights, sight, room)
    return _choose_warily(codes, tables, chances, weights, sight, room)


@inner_inlined
def _choose_at_once(codes, tables, weights, sight, room):
    """As `choose`, where nothing that is left to others counts."""
    points, cards, basra = weights[W_POINTS], weights[W_CARDS], weights[W_BASRA]
    best, best_card, best_taken = -np.inf, np.int64(-1), np.int64(0)
    rest = sight.hand
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        taken = single_capture(codes.capture, tables, sight.floor, card)
        if taken == 0:
            value = weights[np.uint64(LAY + card)]
            if value > best:
                best, best_card, best_taken = value, card, np.int64(0)
            continue
        count = 1
        if taken < 0:
            count = choices(codes.capture, tables, sight.floor, card, room)
            if count < 0:
                return np.int64(-1), np.int64(0)
            taken = room[0, 0]
        for k in range(count):
            if k:
                taken = room[0, k]
            value = _gain(codes, tables, weights, sight, card, taken, points, cards, basra)
            if value > best:
                best, best_card, best_taken = value, card, taken
    return best_card, best_taken


@inner_inlined
def _choose_warily(codes, tables, chances, weights, sight, room):
    """As `choose`, where it counts what is left to the next player."""
    points, cards, basra = weights[W_POINTS], weights[W_CARDS], weights[W_BASRA]
    risk_lowers, only = weights[RISK_LOWERS] != 0, sight.hand & (sight.hand - 1) == 0
    threat, sums = _foresee_next(codes, chances, sight), _sums_of(codes.capture, sight.floor)
    best, best_card, best_taken = -np.inf, np.int64(-1), np.int64(0)
    rest, card, further, listed = sight.hand, np.int64(0), np.int64(0), np.int64(0)
    while rest or further:
        if further:
            listed += 1
            further -= 1
            taken = room[0, np.uint64(listed)]
        else:
            card = lowest_bit(rest)
            rest &= rest - 1
            taken = single_capture(codes.capture, tables, sight.floor, card)
            if taken < 0:
                further, listed = choices(codes.capture, tables, sight.floor, card, room) - 1, np.int64(0)
                if further < 0:
                    return np.int64(-1), np.int64(0)
                taken = room[0, 0]
            if only and not further:
                return card, taken
        if taken:
            value = _gain(codes, tables, weights, sight, card, taken, points, cards, basra)
        else:
            value = weights[np.uint64(LAY + card)]
        if not (risk_lowers and value <= best):
            left, made = sight.floor | np.int64(1) << card, _sums_with(codes.capture, sums, card)
            if taken:
                left = sight.floor ^ taken
                made = _sums_of(codes.capture, left)
            if left:
                value += _risk(codes, tables, weights, sight, threat, left, made, room)
            if value > best:
                best, best_card, best_taken = value, card, taken
    return best_card, best_taken


@inner_inlined
def worth(codes, tables, chances, weights, sight, card, taken, room):
    """Worth of one play, all its features weighted; `room` is written over from its fifth row on."""
    if taken:
        points, cards, basra = weights[W_POINTS], weights[W_CARDS], weights[W_BASRA]
        value = _gain(codes, tables, weights, sight, card, taken, points, cards, basra)
    else:
        value = weights[np.uint64(LAY + card)]
    if weights[USES_RISK] != 0:
        left = sight.floor ^ taken if taken else sight.floor | np.int64(1) << card
        value += risk(codes, tables, chances, weights, sight, left, room)
    return value


def chances() -> npt.NDArray[np.float64]:
    """
    Chance that a hidden hand holds at least one of some cards: by its size, the unseen cards, and how many are meant.

    Returns
    -------
    (25, 53, 53) float64
        1 - C(unseen - meant, hand) / C(unseen, hand), by the hypergeometric distribution.
    """
    unseen, meant = np.arange(53.0)[:, None], np.arange(53.0)[None, :]
    none = np.ones((25, 53, 53))
    for hand in range(1, 25):
        step = np.clip((unseen - meant - hand + 1) / np.maximum(unseen - hand + 1, 1), 0, 1)
        none[hand] = none[hand - 1] * step
    return 1 - none
