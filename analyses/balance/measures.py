"""What is measured of a game: every measure once, with its unit, its meaning and its source."""

from collections.abc import Iterator, Mapping

from basra_sim.assembly import SOURCES
from basra_sim.measures import Measure

SHORROCKS = 'Shorrocks (1982), "Inequality decomposition by factor components", Econometrica 50'
BROWNE = 'Browne and Maire (2010), "Evolutionary game design", IEEE Trans. Computational Intelligence and AI in Games 2'
CLAUSET = 'Clauset, Kogan and Redner (2015), "Safe leads and lead changes in competitive team sports", Phys. Rev. E 91'
GETTY = 'Getty, Li, Yano, Gao and Hosoi (2018), "Luck and the law", SIAM Review 60'
DUERSCH = 'Duersch, Lambrecht and Oechssler (2020), "Measuring skill and chance in games", European Economic Review 127'

_POINTS, _VARIANCE = "points/round", "of the variance"
_ROUNDS, _MATCHES = "of rounds", "of matches"

SOURCE_PARTS = (*SOURCES, "total")
"""Parts of `points` and, but for the total, of `variance_share`."""

_LEFT_OUT = {"majority": "most cards", "basras": "basras", "cards": "aces, jacks, the two and 10♦"}


def _without(unit: str) -> Iterator[Measure]:
    """Measures of how often rounds, or matches, would have ended otherwise without a source of points."""
    units = {"round": "rounds", "match": "matches"}[unit]
    for source, words in _LEFT_OUT.items():
        meaning = (
            f"{units} with another outcome (another winner, or a tie) had {words} scored nothing, played as it was"
        )
        yield Measure(f"{unit}_without_{source}", f"of {units}", meaning)


ROUND_MEASURES = (
    Measure("points", _POINTS, "points of all players together, by source; nothing is carried into the round"),
    Measure(
        "variance_share",
        _VARIANCE,
        "a source's part in the variance of the margin: its covariance with the margin over the margin's variance",
        SHORROCKS,
    ),
    Measure("basras", "basras/round", "basras of all players together"),
    Measure("first_seat_advantage", _POINTS, "points of the first mover's side over the mean of the others", BROWNE),
    Measure("last_seat_advantage", _POINTS, "points of the dealer's side over the mean of the others", BROWNE),
    Measure("first_round_wins", _ROUNDS, "rounds the first mover's side wins, ties shared, above an equal share"),
    Measure("last_round_wins", _ROUNDS, "rounds the dealer's side wins, ties shared, above an equal share"),
    Measure("round_ties", _ROUNDS, "rounds in which sides tie for the most points"),
    Measure("majority_ties", _ROUNDS, "rounds in which sides tie for the most cards"),
    *_without("round"),
)
"""Of single rounds among equal players."""

MATCH_MEASURES = (
    Measure("first_match_wins", _MATCHES, "matches won by who moves first in the first round, above an equal share"),
    Measure("last_match_wins", _MATCHES, "matches won by who deals the first round, above an equal share"),
    Measure("match_ties", _MATCHES, "matches that come to a tie at the top, at the target or beyond"),
    Measure("match_rounds", "rounds/match", "rounds a match lasts", BROWNE),
    Measure("match_plays", "cards/match", "cards played in a match"),
    Measure("match_length", _MATCHES, "matches that last so many rounds"),
    Measure("lead_changes", "changes/match", "times that the lead passes to another side", CLAUSET),
    Measure(
        "one_round_decides",
        "of matches won",
        "matches in which the winner would not be alone in front if one round had not counted",
    ),
    Measure("comeback", _MATCHES, "matches won by a side so far behind all others, which lack so much", CLAUSET),
    *_without("match"),
)
"""Of matches among equal players. The first move passes on with every round."""

SKILL_MEASURES = (
    Measure("skill", _VARIANCE, "the margin's variance that goes back to being the better player or a weaker", GETTY),
    Measure("seat_share", _VARIANCE, "the margin's variance that goes back to the seats", GETTY),
    Measure(
        "company_share",
        _VARIANCE,
        "the margin's variance that goes back to where the better player sits beside one; of three sides or more",
    ),
    Measure("deal_share", _VARIANCE, "the margin's variance that goes back to the deal, whoever sits where", GETTY),
    Measure("rest_share", _VARIANCE, "the margin's variance that is left: how this deal suits these players", GETTY),
    Measure("better_margin", _POINTS, "points that the better player is ahead, averaged over the seats"),
    Measure("effect", "sd/round", "the better player's margin over its standard deviation in a round"),
    Measure("better_round_wins", _ROUNDS, "rounds that the better player's side wins, ties shared", DUERSCH),
    Measure("better_match_wins", _MATCHES, "matches that the better player's side wins", DUERSCH),
    Measure("rounds_to_tell", "rounds", "rounds after which the better player is ahead with 95 %", DUERSCH),
)
"""Of a better player among weaker ones, in every seat in turn."""

CHOICE_MEASURES = (
    Measure(
        "real_choices",
        "of decisions",
        "decisions whose best and worst play differ by more than that in expected margin",
    ),
    Measure("stake", "points/decision", "expected margin of the best play less that of the worst"),
)
"""Of the decisions of equal players."""

MEASURES: Mapping[str, Measure] = {
    measure.name: measure for measure in (*ROUND_MEASURES, *MATCH_MEASURES, *SKILL_MEASURES, *CHOICE_MEASURES)
}

SIGNED = ("first_round_wins", "last_round_wins", "first_match_wins", "last_match_wins")
"""Shares that are counted from an equal share, and may be below 0."""

BEHIND, LACKING = (10, 20, 30, 40), (20, 40, 60)
"""Points that a side is behind, and that the others lack to the target, for `comeback`."""


def comeback_part(behind: int, lacking: int) -> str:
    """Part of `comeback`, in words."""
    return f"{behind} behind, {lacking} to go"


def is_share(name: str) -> bool:
    """Whether a measure lies between 0 and 1."""
    return MEASURES[name].unit.startswith("of ") and name not in SIGNED
