"""Where a match stands: its target, whether it is over, who has won."""

from collections.abc import Sequence
from typing import NamedTuple

from basra_sim.rules import Rules


class Verdict(NamedTuple):
    """What a score means for a match."""

    over: bool
    winner: int | None
    """Team that has won; none while the match goes on or if it is drawn."""
    target: int
    """Points that would have ended, or have ended, the match after the round."""


def target_at(rules: Rules, score: Sequence[int]) -> int:
    """
    Target in force in a match that goes on with a score.

    Where a tie extends it, it grows by ``extend_by`` as often as it takes to be above the tied score: an extension that
    the tied teams have already passed would extend nothing. Since a match that goes on has its target above every
    score, the target follows from the score alone.
    """
    beyond = max(score) - rules.target
    if rules.match_tie != "extend" or beyond < 0:
        return rules.target
    return rules.target + (beyond // rules.extend_by + 1) * rules.extend_by


def verdict(rules: Rules, before: Sequence[int], after: Sequence[int]) -> Verdict:
    """
    Whether a match is over after a round, and who has won.

    Parameters
    ----------
    rules
        The rules played.
    before, after
        Points of each team in the match before and after the round.
    """
    target = target_at(rules, before)
    best = max(after)
    leaders = [team for team, points in enumerate(after) if points == best]
    if best < target:
        return Verdict(False, None, target)
    if len(leaders) == 1:
        return Verdict(True, leaders[0], target)
    return Verdict(rules.match_tie == "draw", None, target)


def seating_at(players: int, number: int) -> list[int]:
    """Player in each seat in a round of a match, counted from 0: the first move passes on to the next player."""
    return [(number + seat) % players for seat in range(players)]


def over_before(rules: Rules, score: Sequence[int]) -> Verdict | None:
    """Verdict on a match that must have been over with a score, so that no further round can follow; else none."""
    if rules.match_tie == "extend":
        return None
    found = verdict(rules, [0] * len(score), score)
    return found if found.over else None
