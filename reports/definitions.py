"""What each number of a report is, in words: by the data it stands in and its measure."""

from analyses.balance.measures import MEASURES
from analyses.claims.rows import ADJUSTED, MARGIN, WON
from analyses.strength import exploiting, ladder
from reports.findings import outcome_words

_CLAIMS = {
    MARGIN: "points a round that the player with the advice is ahead of the same player without, or of his opponent",
    ADJUSTED: "the same with the luck of the deal regressed out",
    WON: "matches won by the player with the advice",
}
_LADDER = {
    ladder.MARGIN: "points a round that the player is ahead of the opponent, seats exchanged",
    ladder.WON: "rounds in which the player is ahead of the opponent; a tie is half of one",
    ladder.RATING: "rating whose differences come nearest to all margins, by least squares; their mean is 0",
    ladder.ELO: "rating by the rounds won (Bradley and Terry); their mean is 0",
    exploiting.EXPLOITABILITY: "what the better of two opponents made against the player gains, 0 if neither does",
    exploiting.TUNED: "what an opponent gains whose weights were tuned against the player",
    exploiting.SEARCHING: "what an opponent gains who searches and takes the player to play as he does",
}
_OF_LADDER = ("ratings", "margins", "exploitability")


def definition(data: str, measure: str) -> str:
    """
    Definition of a measure.

    Parameters
    ----------
    data : name of the data that it stands in
    measure : its name there; what is counted for a claim defines itself
    """
    if data in _OF_LADDER:
        return _LADDER[measure]
    if data in ("balance", "scoring"):
        return MEASURES[measure].meaning
    return _CLAIMS.get(measure) or outcome_words(measure)
