"""A setting as plain integers, the form in which rules reach compiled code."""

from typing import NamedTuple

from basra_sim._numba import bit_count, inlined
from basra_sim.captures import CaptureRules, capture_rules
from basra_sim.cards import ACE, JACK, TEN_OF_DIAMONDS, TWO_OF_CLUBS, TWO_OF_SPADES, card_set
from basra_sim.rules import Rules, Setting

MAJORITY_TIE = ("each", "none", "carry")
MATCH_TIE = ("more_rounds", "draw", "extend")

_ACES = 15 << 4 * ACE
_JACKS = 15 << 4 * JACK


class Points(NamedTuple):
    """What captured cards score."""

    ace: int
    jack: int
    two_card: int
    """The card that `two` names."""
    two: int
    ten: int


class Game(NamedTuple):
    """The table, the deal, the score and the match, as integers. 0 and 1 stand for no and yes."""

    pack: int
    players: int
    teams: int
    hand_size: int
    deals: int
    last_hand: int
    """Cards each player gets in the last deal."""
    packet: int
    buried: int
    """Cards that may not lie on the opening floor."""
    bury_at_random: int
    majority: int
    majority_tie: int
    target: int
    match_tie: int
    extend_by: int


class Codes(NamedTuple):
    """All of a setting that compiled code needs: another setting is another argument, never another compilation."""

    capture: CaptureRules
    points: Points
    game: Game


def points_codes(rules: Rules) -> Points:
    """What captured cards score, as integers."""
    two = TWO_OF_CLUBS if rules.two == "2C" else TWO_OF_SPADES
    return Points(rules.ace_points, rules.jack_points, two, rules.two_points, rules.ten_points)


def codes(setting: Setting) -> Codes:
    """Integers of a setting."""
    rules = setting.rules
    hands = setting.hand_sizes
    game = Game(
        pack=rules.pack,
        players=setting.players,
        teams=setting.team_count,
        hand_size=hands[0],
        deals=len(hands),
        last_hand=hands[-1],
        packet=int(rules.deal == "packet"),
        buried=card_set(rules.buried_cards),
        bury_at_random=int(rules.bury_to == "random"),
        majority=rules.majority_points,
        majority_tie=MAJORITY_TIE.index(rules.majority_tie),
        target=rules.target,
        match_tie=MATCH_TIE.index(rules.match_tie),
        extend_by=rules.extend_by,
    )
    return Codes(capture_rules(rules), points_codes(rules), game)


@inlined
def card_points(points, cards):
    """Points of the cards of a set, by the rules' values."""
    return (
        points.ace * bit_count(cards & _ACES)
        + points.jack * bit_count(cards & _JACKS)
        + points.two * (cards >> points.two_card & 1)
        + points.ten * (cards >> TEN_OF_DIAMONDS & 1)
    )
