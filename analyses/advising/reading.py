"""A situation at the table as a person tells it: read, completed, and refused where it cannot come up."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from basra_sim.cards import JACK, SEVEN_OF_DIAMONDS, Card, card_name, card_names, parse_cards, rank_of
from basra_sim.errors import InputError
from basra_sim.rules import FLOOR_CARDS, Setting
from basra_sim.search.situations import Situation, Stray

Cards = str | Sequence[str]
"""Cards as text, such as ``JS 7D``, or as names."""

_SCORE = re.compile(r"\s*(\d{1,9})\s*[-:]\s*(\d{1,9})\s*")


@dataclass(frozen=True)
class Told:
    """
    What a person tells of a situation.

    Attributes
    ----------
    hand, floor : cards
    seen : cards known to be captured, by whomever
    mine, theirs : cards captured by the own side, and by others
    deal : number of the deal, from 1, or None
    seat : seat on turn, or None
    last : seat that captured last, or None
    basras : points of basras that the own side and the other have made in this round
    lone_before : whether the floor is one card that lay alone and the one just laid on it
    carry : points for most cards held over from rounds before
    """

    hand: Cards
    floor: Cards
    seen: Cards = ()
    mine: Cards = ()
    theirs: Cards = ()
    deal: int | None = None
    seat: int | None = None
    last: int | None = None
    basras: tuple[int, int] = (0, 0)
    lone_before: bool = False
    carry: int = 0


@dataclass(frozen=True)
class Read:
    """
    A situation, and what was taken for granted in it.

    Attributes
    ----------
    situation : Situation
    placed : how deal and seat are known: ``given``, ``counted`` or ``assumed``
    last_known : whether it is certain which side captured last
    """

    situation: Situation
    placed: str
    last_known: bool


@dataclass(frozen=True)
class _Spot:
    """A deal and a seat that a situation may belong to, plays made before, and cards captured by then."""

    deal: int
    seat: int
    plays: int
    gone: int


def read_score(text: str | Sequence[int] | None, what: str = "score") -> tuple[int, int] | None:
    """
    Points of the own side and of the other, of a text such as ``40-55``.

    Raises
    ------
    InputError
        If it is no such text.
    """
    if text is None:
        return None
    if isinstance(text, str):
        found = _SCORE.fullmatch(text)
        if found is None:
            raise InputError(f"{what} {text!r} is not possible: write the own side's points and the other's, as 40-55")
        return int(found[1]), int(found[2])
    if len(text) != 2 or min(text) < 0:
        raise InputError(f"{what} {text} is not possible: it takes the own side's points and the other's")
    return int(text[0]), int(text[1])


def read_situation(setting: Setting, told: Told) -> Read:
    """
    Situation of what a person tells.

    Deal and seat follow from the number of cards where all that were captured are named. Where they do not, the
    first deal and seat that fit are taken.

    Raises
    ------
    InputError
        If it cannot come up.
    """
    named = {name: _cards(name, getattr(told, name)) for name in ("hand", "floor", "seen", "mine", "theirs")}
    _check_cards(setting, named)
    hand, floor = named["hand"], named["floor"]
    gone = len(named["seen"]) + len(named["mine"]) + len(named["theirs"])
    spot, placed = _placed(setting, len(hand), len(floor), gone, told)
    _check_floor(setting, floor, spot)
    _check_captors(setting, spot, named)
    _check_carry(setting, told.carry)
    if told.lone_before and len(floor) != 2:
        raise InputError(f"a card laid on a lone one makes a floor of two, not of {len(floor)}")
    team, teams = setting.teams[spot.seat], setting.team_count
    piles: list[tuple[Card, ...]] = [()] * teams
    piles[team] = tuple(named["mine"])
    strays = [Stray(card) for card in named["seen"]]
    basras = [0] * teams
    if teams == 2:
        piles[1 - team] = tuple(named["theirs"])
        basras[team], basras[1 - team] = told.basras
    else:
        strays += [Stray(card, team) for card in named["theirs"]]
    last, known = _last(setting, spot, named, told.last)
    situation = Situation(
        setting,
        spot.plays,
        tuple(hand),
        tuple(floor),
        tuple(piles),
        tuple(basras),
        last,
        tuple(strays),
        lone_before=told.lone_before,
        carry=told.carry,
    )
    return Read(situation, placed, known)


def _cards(name: str, told: Cards) -> list[Card]:
    """Cards of one kind."""
    try:
        return parse_cards(told)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _check_cards(setting: Setting, named: dict[str, list[Card]]) -> None:
    """Refuse cards that are not in the pack, or are named twice, and an empty hand."""
    places: dict[Card, str] = {}
    for name, cards in named.items():
        for card in cards:
            if card >= setting.rules.pack:
                raise InputError(f"{name}: {card_name(card)} is not in the pack of {setting.rules.pack}")
            if card in places:
                raise InputError(f"{card_name(card)} is in two places: {places[card]} and {name}")
            places[card] = name
    if not named["hand"]:
        raise InputError("hand: no card is named, so there is no play to choose")


def _placed(setting: Setting, hand: int, floor: int, gone: int, told: Told) -> tuple[_Spot, str]:
    """Deal and seat, and how they are known."""
    sizes = setting.hand_sizes
    if told.deal is not None and not 1 <= told.deal <= len(sizes):
        raise InputError(f"deal {told.deal} is not possible: a round has deals 1 to {len(sizes)}")
    if told.seat is not None and not 0 <= told.seat < setting.players:
        raise InputError(f"seat {told.seat} is not possible: there are seats 0 to {setting.players - 1}")
    largest = max(sizes) if told.deal is None else sizes[told.deal - 1]
    if hand > largest:
        where = "a deal" if told.deal is None else f"deal {told.deal}"
        raise InputError(f"hand: {hand} cards are too many: {where} gives each player {largest}")
    spots = list(_spots(setting, hand, floor))
    fitting = [spot for spot in spots if _fits(spot, gone)]
    asked = [
        spot
        for spot in fitting
        if told.deal in (None, spot.deal + 1) and told.seat in (None, spot.seat)
    ]  # fmt: skip
    if not asked:
        raise InputError(_misfit(fitting, spots, floor, gone, told))
    exact = [spot for spot in asked if spot.gone == gone]
    if told.deal is not None and told.seat is not None:
        return asked[0], "given"
    if exact or len(asked) == 1:
        return (exact or asked)[0], "counted"
    return asked[0], "assumed"


def _spots(setting: Setting, hand: int, floor: int) -> Iterable[_Spot]:
    """Deals and seats in which a hand has so many cards."""
    before = 0
    for deal, size in enumerate(setting.hand_sizes):
        for seat in range(setting.players if hand <= size else 0):
            plays = before + (size - hand) * setting.players + seat
            yield _Spot(deal, seat, plays, FLOOR_CARDS + plays - floor)
        before += size * setting.players


def _fits(spot: _Spot, gone: int) -> bool:
    """Whether so many cards can be captured by then: none before the first play, and never a single one."""
    return spot.gone >= gone and spot.gone != 1 and (spot.plays > 0 or spot.gone == 0)


def _misfit(fitting: Sequence[_Spot], spots: Sequence[_Spot], floor: int, gone: int, told: Told) -> str:
    """Why no deal and seat fit; `fitting` are those that would if others were told."""
    asked = [f"deal {told.deal}"] * (told.deal is not None) + [f"seat {told.seat}"] * (told.seat is not None)
    here = [spot for spot in spots if told.deal in (None, spot.deal + 1) and told.seat in (None, spot.seat)]
    reason = _reason(here, floor, gone)
    if not fitting:
        return reason
    first, last = (f"deal {spot.deal + 1} seat {spot.seat}" for spot in (fitting[0], fitting[-1]))
    possible = first if len(fitting) == 1 else f"{first} {'or' if len(fitting) == 2 else 'to'} {last}"
    return f"{' and '.join(asked)}: {reason}; possible is {possible}"


def _reason(spots: Sequence[_Spot], floor: int, gone: int) -> str:
    """Why none of these deals and seats fits."""
    most = max(spot.gone for spot in spots)
    up = most + floor
    if most < 0:
        return f"a floor of {floor} cards is too large: at most {up} cards have been face up by then"
    if most < gone:
        return (
            f"{gone} captured cards are named, too many: at most {up} cards have been face up by then, {floor} of them "
            "on the floor"
        )
    if not any(spot.plays for spot in spots if spot.gone >= gone):
        return f"a floor of {floor} cards does not fit: before the first play {FLOOR_CARDS} lie there"
    return "one card alone cannot have been captured: a capture takes at least two"


def _check_floor(setting: Setting, floor: Sequence[Card], spot: _Spot) -> None:
    """Refuse a floor that no round comes to."""
    rules = setting.rules
    sweepers = {card for card in floor if rank_of(card) == JACK or (rules.seven_sweeps and card == SEVEN_OF_DIAMONDS)}
    buried = [card for card in floor if card in rules.buried_cards and (spot.plays == 0 or card in sweepers)]
    if spot.gone == 0 and buried:
        how = "is buried on the opening floor, and takes the floor when it is played: it cannot lie there yet"
        if spot.plays == 0:
            how = "cannot lie on the opening floor: it is buried"
        raise InputError(f"floor: {card_name(buried[0])} {how}")
    alike = {rank: count for rank, count in Counter(map(rank_of, floor)).items() if count > 1}
    if sum(alike.values()) > FLOOR_CARDS:
        raise InputError(
            f"floor: {' '.join(card_names(card for card in floor if rank_of(card) in alike))} cannot lie side by side: "
            "cards of one rank take each other but on the opening floor"
        )
    if JACK in alike and set(rules.buried_cards) >= {card for card in floor if rank_of(card) == JACK}:
        raise InputError("floor: two jacks cannot lie side by side: the later would have taken the earlier")


def _check_captors(setting: Setting, spot: _Spot, named: dict[str, list[Card]]) -> None:
    """Refuse captures of a side that has not played yet."""
    played = {setting.teams[seat % setting.players] for seat in range(min(spot.plays, setting.players))}
    team = setting.teams[spot.seat]
    if named["mine"] and team not in played:
        raise InputError(f"mine: {card_name(named['mine'][0])} cannot be captured by a side that has not played yet")
    if named["theirs"] and not played - {team}:
        raise InputError(f"theirs: {card_name(named['theirs'][0])} cannot be captured: no other side has played yet")


def _check_carry(setting: Setting, carry: int) -> None:
    """Refuse points for most cards that cannot have been held over."""
    rules = setting.rules
    if carry == 0:
        return
    if rules.majority_tie != "carry" or rules.majority_points == 0:
        raise InputError(f"carry {carry} is not possible: under these rules nothing is held over")
    if carry < 0 or carry % rules.majority_points:
        raise InputError(f"carry {carry} is not possible: each tie holds over {rules.majority_points}")


def _last(setting: Setting, spot: _Spot, named: dict[str, list[Card]], told: int | None) -> tuple[int | None, bool]:
    """Seat that captured last, and whether its side is certain."""
    if told is not None and (not 0 <= told < setting.players or told >= spot.plays or spot.gone == 0):
        raise InputError(f"last {told} is not possible: it takes a seat that has captured")
    if told is not None or spot.gone == 0:
        return told, True
    seats = [(spot.seat - back) % setting.players for back in range(1, min(spot.plays, setting.players) + 1)]
    own = [seat for seat in seats if setting.teams[seat] == setting.teams[spot.seat]]
    others = [seat for seat in seats if setting.teams[seat] != setting.teams[spot.seat]]
    if own and len(named["mine"]) == spot.gone:
        return own[0], True
    if others and setting.team_count == 2 and len(named["theirs"]) == spot.gone:
        return others[0], True
    return seats[0], len({setting.teams[seat] for seat in seats}) == 1
