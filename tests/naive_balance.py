"""
Measures of balance, a second time: from scores of single rounds, round by round, in whole numbers and fractions.

A round is the scores of its teams by place: place 0 moves first, the last place deals. A circle is a list of rounds of
which the first follows the last; matches are assembled from rounds that stand behind one another in it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from basra_sim.rules import Rules

Score = Mapping[str, int]
"""Points of a team by source, its number of cards and of basras: an entry of `scores` in a round record."""

Scores = Sequence[Score]
"""A round: the score of each team, by place."""

Key = tuple[str, str]
"""A measure and its part."""

Found = dict[Key, Fraction]

CARDS = ("aces", "jacks", "two", "ten")
SOURCES = (*CARDS, "majority", "basras")
LEFT_OUT: Mapping[str, tuple[str, ...]] = {"majority": ("majority",), "basras": ("basras",), "cards": CARDS}
BEHIND, TO_GO = (10, 20, 30, 40), (20, 40, 60)
MOST_ROUNDS = 10_000


def points(score: Score, without: Iterable[str] = ()) -> int:
    """Points of all sources but some."""
    return sum(score[source] for source in SOURCES if source not in without)


def margins(values: Sequence[int]) -> list[Fraction]:
    """What each team has more than the mean of the others."""
    return [value - Fraction(sum(values) - value, len(values) - 1) for value in values]


def leaders(values: Sequence[int]) -> list[int]:
    """Who has most, all of them if several do."""
    return [place for place, value in enumerate(values) if value == max(values)]


def alone(values: Sequence[int]) -> int | None:
    """Who alone has most; none where several do."""
    best = leaders(values)
    return best[0] if len(best) == 1 else None


def won(best: Sequence[int], team: int) -> Fraction:
    """Win of a team, shared among those who have most."""
    return Fraction(int(team in best), len(best))


def mean(values: Iterable[int | Fraction]) -> Fraction:
    listed = list(values)
    return Fraction(sum(listed), len(listed))


def with_majority(scores: Scores, rules: Rules, carry: int = 0) -> tuple[list[dict[str, int]], int]:
    """Scores with the points for most cards reckoned anew from the cards, and what is carried on."""
    most = leaders([score["cards"] for score in scores])
    stake = rules.majority_points + carry
    shared = len(most) > 1 and rules.majority_tie != "each"
    carried = stake if shared and rules.majority_tie == "carry" else 0
    dealt_out = [
        {**score, "majority": stake if place in most and not shared else 0} for place, score in enumerate(scores)
    ]
    return dealt_out, carried


def round_measures(rounds: Sequence[Scores], rules: Rules, teams: int) -> Found:
    """Every measure of single rounds, from rounds with nothing carried in."""
    played = [with_majority(scores, rules)[0] for scores in rounds]
    last = teams - 1
    found: Found = {("points", name): mean(sum(team[name] for team in scores) for scores in played) for name in SOURCES}
    found["points", "total"] = mean(sum(map(points, scores)) for scores in played)
    found |= variance_shares(played)
    found["basras", ""] = mean(sum(team["basra_count"] for team in scores) for scores in played)
    totals = [[points(team) for team in scores] for scores in played]
    for name, place in (("first", 0), ("last", last)):
        found[f"{name}_seat_advantage", ""] = mean(margins(values)[place] for values in totals)
        wins = mean(won(leaders(values), place) for values in totals)
        found[f"{name}_round_wins", ""] = wins - Fraction(1, teams)
    found["round_ties", ""] = mean(int(alone(values) is None) for values in totals)
    found["majority_ties", ""] = mean(int(alone([team["cards"] for team in scores]) is None) for scores in played)
    for name, sources in LEFT_OUT.items():
        found[f"round_without_{name}", ""] = mean(
            int(alone(values) != alone([points(team, sources) for team in scores]))
            for values, scores in zip(totals, played, strict=True)
        )
    return found


def variance_shares(played: Sequence[Scores]) -> Found:
    """Share of each source in the variance of the margins; none where no round has a margin."""
    sums = dict.fromkeys(SOURCES, Fraction(0))
    whole = Fraction(0)
    for scores in played:
        total = margins([points(team) for team in scores])
        whole += sum(margin * margin for margin in total)
        for source in SOURCES:
            part = margins([team[source] for team in scores])
            sums[source] += sum(one * other for one, other in zip(part, total, strict=True))
    return {("variance_share", source): value / whole for source, value in sums.items()} if whole else {}


@dataclass
class Match:
    """A match assembled from rounds, by the teams of its players."""

    score: list[int]
    """Points at the end."""
    rounds: list[list[dict[str, int]]] = field(default_factory=list)
    """Score of each team in each round, with the points for most cards as carried on."""
    fronts: list[int | None] = field(default_factory=list)
    """Who stands alone in front after each round."""
    levels: int = 0
    """How many rounds left the best level at the target or beyond."""
    winner: int | None = None

    @property
    def best(self) -> list[int]:
        """Who has won, or all who draw."""
        return leaders(self.score)


def assembled(round_at: Callable[[int], Scores], rules: Rules, teams: int, start: Sequence[int] | None = None) -> Match:
    """
    A match of given rounds, from given points on.

    Parameters
    ----------
    round_at
        The round, by place, that is the match's round of a number from 0. The first move passes on to the next player
        with each, so that the team of player p sits at place (p - number) mod teams.
    start
        Points of each team before the first round.
    """
    match = Match([0] * teams if start is None else list(start))
    target, carry = rules.target, 0
    for number in range(MOST_ROUNDS):
        by_place, carry = with_majority(round_at(number), rules, carry)
        by_team = [by_place[(team - number) % teams] for team in range(teams)]
        match.rounds.append(by_team)
        match.score = [before + points(score) for before, score in zip(match.score, by_team, strict=True)]
        match.fronts.append(alone(match.score))
        if max(match.score) < target:
            continue
        match.winner = alone(match.score)
        if match.winner is not None:
            return match
        match.levels += 1
        if rules.match_tie == "draw":
            return match
        while rules.match_tie == "extend" and target <= max(match.score):
            target += rules.extend_by
    raise AssertionError(f"no end after {MOST_ROUNDS} rounds")


def in_circle(circle: Sequence[Scores], first: int) -> Callable[[int], Scores]:
    """Rounds of a match that starts at a place of a circle."""
    return lambda number: circle[(first + number) % len(circle)]


def assembled_matches(circles: Iterable[Sequence[Scores]], rules: Rules, teams: int) -> Iterator[Match]:
    """A match from every round of every circle."""
    for circle in circles:
        for first in range(len(circle)):
            yield assembled(in_circle(circle, first), rules, teams)


def match_measures(matches: Sequence[Match], teams: int, plays: int) -> Found:
    """Every measure of whole matches, of rounds of so many plays."""
    lengths = Counter(len(match.rounds) for match in matches)
    decided = [match for match in matches if match.winner is not None]
    found: Found = {
        ("first_match_wins", ""): mean(won(match.best, 0) for match in matches) - Fraction(1, teams),
        ("last_match_wins", ""): mean(won(match.best, teams - 1) for match in matches) - Fraction(1, teams),
        ("match_ties", ""): mean(int(match.levels > 0) for match in matches),
        ("match_rounds", ""): mean(len(match.rounds) for match in matches),
        ("match_plays", ""): mean(plays * len(match.rounds) for match in matches),
        ("lead_changes", ""): mean(lead_changes(match.fronts) for match in matches),
    }
    if decided:
        found["one_round_decides", ""] = mean(int(one_round_decides(match)) for match in decided)
    found |= {("match_length", str(length)): Fraction(lengths[length], len(matches)) for length in sorted(lengths)}
    for name, sources in LEFT_OUT.items():
        found[f"match_without_{name}", ""] = mean(int(alone(left(match, sources)) != match.winner) for match in matches)
    return found


def left(match: Match, sources: Iterable[str]) -> list[int]:
    """What each team has without some sources, from the rounds that were played."""
    return [sum(points(scores[team], sources) for scores in match.rounds) for team in range(len(match.score))]


def lead_changes(fronts: Iterable[int | None]) -> int:
    """How often the team alone in front is another than the team last alone in front."""
    in_front = [team for team in fronts if team is not None]
    return sum(one != other for one, other in pairwise(in_front))


def one_round_decides(match: Match) -> bool:
    """Whether there is a round without which the winner would not be alone in front."""
    for scores in match.rounds:
        without = [score - points(team) for score, team in zip(match.score, scores, strict=True)]
        if alone(without) != match.winner:
            return True
    return False


def comeback_measures(circles: Sequence[Sequence[Scores]], rules: Rules, teams: int) -> Found:
    """Chance of a team that is behind all others, who stand level, to win; whoever of all moves first."""
    found: Found = {}
    for behind in BEHIND:
        for to_go in TO_GO:
            ahead = rules.target - to_go
            if ahead < behind:
                continue
            wins = []
            for team in range(teams):
                start = [ahead - behind * (each == team) for each in range(teams)]
                for circle in circles:
                    for first in range(len(circle)):
                        match = assembled(in_circle(circle, first), rules, teams, start)
                        wins.append(won(match.best, team))
            found["comeback", f"{behind} behind, {to_go} to go"] = mean(wins)
    return found


Deal = Sequence[Scores]
"""The rounds that come of one deal: with the better player at place 0, 1 and so on, or its hands passed on so often."""


def circles_of(groups: Iterable[Sequence[Deal]]) -> list[list[Scores]]:
    """Circles of groups of deals: each version of the deals forms its own."""
    return [list(circle) for group in groups for circle in zip(*group, strict=True)]


def equal_measures(groups: Sequence[Sequence[Deal]], rules: Rules, teams: int, plays: int) -> Found:
    """Every measure of rounds and matches, from groups of deals that equal players have played."""
    circles = circles_of(groups)
    return {
        **round_measures([scores for circle in circles for scores in circle], rules, teams),
        **match_measures(list(assembled_matches(circles, rules, teams)), teams, plays),
        **comeback_measures(circles, rules, teams),
    }


def skill_matches(groups: Iterable[Sequence[Deal]], rules: Rules, teams: int) -> Iterator[tuple[int, Match]]:
    """Matches in which the better plays in the team of each number, one from every deal; that number with each."""
    for group in groups:
        for first in range(len(group)):
            for better in range(teams):
                yield better, assembled(versions_from(group, first, better), rules, teams)


def versions_from(group: Sequence[Deal], first: int, better: int) -> Callable[[int], Scores]:
    """Rounds of a match that starts at a deal with the better at a place: in each round he sits one place earlier."""
    return lambda number: group[(first + number) % len(group)][(better - number) % len(group[0])]


def skill_measures(groups: Sequence[Sequence[Deal]], rules: Rules, teams: int) -> dict[Key, Any]:
    """Every measure of a better player among weaker ones; version s of a deal has him at place s."""
    deals = [deal for group in groups for deal in group]
    places = range(teams)
    margin = [
        [margins([points(team) for team in with_majority(deal[place], rules)[0]]) for place in places] for deal in deals
    ]
    own = [[versions[place][place] for versions in margin] for place in places]
    expected = mean(map(mean, own))
    variance = mean(mean((value - mean(values)) ** 2 for value in values) for values in own)
    factor = NormalDist().inv_cdf(0.95) ** 2
    found: dict[Key, Any] = dict(variance_parts(margin))
    found["better_margin", ""] = expected
    found["better_round_wins", ""] = mean(
        won(leaders([points(team) for team in with_majority(deal[place], rules)[0]]), place)
        for deal in deals
        for place in places
    )
    matches = skill_matches(groups, rules, teams)
    found["better_match_wins", ""] = mean(won(match.best, better) for better, match in matches)
    found["rounds_to_tell", ""] = factor * float(variance / expected**2) if expected > 0 else float("inf")
    return found


def variance_parts(margin: Sequence[Sequence[Sequence[Fraction]]]) -> Found:
    """Shares of who plays, of the seat, of the deal and of the rest in the variance of `margin[deal][better][team]`."""
    places = range(len(margin[0]))
    means = [[mean(versions[better][team] for versions in margin) for team in places] for better in places]
    seats = [mean(means[better][team] for better in places) for team in places]
    total = mean(value * value for versions in margin for values in versions for value in values)
    placed = mean((means[better][team] - seats[team]) ** 2 for better in places for team in places)
    roles = {True: mean(means[one][one] for one in places)}
    roles[False] = mean(means[better][team] for better in places for team in places if better != team)
    players = mean(roles[better == team] ** 2 for better in places for team in places)
    seat = mean(value * value for value in seats)
    deal = mean(
        mean(versions[one][team] * versions[other][team] for versions in margin) - means[one][team] * means[other][team]
        for one in places
        for other in places
        for team in places
        if one != other
    )
    parts = {"skill": players, "seat_share": seat, "deal_share": deal, "rest_share": total - placed - seat - deal}
    if len(places) > 2:
        parts["company_share"] = placed - players
    return {(name, ""): value / total for name, value in parts.items()}


def without_each(
    groups: Sequence[Sequence[Deal]], measures: Callable[[Sequence[Sequence[Deal]]], Mapping[Key, Any]], key: Key
) -> list[float]:
    """A measure from all groups, and then without each of them."""
    sets = [groups, *([*groups[:left_out], *groups[left_out + 1 :]] for left_out in range(len(groups)))]
    return [float(measures(each)[key]) for each in sets]
