"""What is stated of play: names, units and meanings."""

from typing import NamedTuple


class Measure(NamedTuple):
    """Something that is stated of play."""

    name: str
    unit: str
    meaning: str
    source: str = ""
    """Where it comes from, if it is not plain counting."""


TEAM_MEASURES = (
    Measure("total", "points/round", "points of all sources"),
    Measure("aces", "points/round", "points for aces"),
    Measure("jacks", "points/round", "points for jacks"),
    Measure("two", "points/round", "points for the point two"),
    Measure("ten", "points/round", "points for the ten of diamonds"),
    Measure("majority", "points/round", "points for most cards, with those carried over"),
    Measure("basras", "points/round", "points for basras"),
    Measure("basra_count", "basras/round", "number of basras"),
    Measure("cards", "cards/round", "cards captured"),
    Measure("won", "of rounds", "rounds in which the team alone has the most points"),
)

ROUND_MEASURES = (
    Measure("tied", "of rounds", "rounds in which teams tie for the most points"),
    Measure("majority_tied", "of rounds", "rounds in which teams tie for the most cards"),
    Measure("first_margin", "points/round", "points of the first mover's team over the mean of the others"),
)

MATCH_MEASURES = (
    Measure("match_won", "of matches", "matches won"),
    Measure("match_drawn", "of matches", "matches that end in a draw"),
    Measure("match_rounds", "rounds/match", "rounds a match lasts"),
    Measure("match_margin", "points/match", "points of the winner over the next"),
)

MEASURES = {measure.name: measure for measure in (*TEAM_MEASURES, *ROUND_MEASURES, *MATCH_MEASURES)}
