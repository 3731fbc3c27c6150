"""Exact matches of two teams: against closed forms, against all paths followed in a dict, and against drawn matches."""

import random
from collections import defaultdict
from math import comb, sqrt

import pytest

from basra_sim.rules import Rules
from basra_sim.simulation import simulate
from basra_sim.variants import setting
from tests.exact_match import Exact, Outcome, Start, Terms, comeback, outcomes, sampled_outcomes, solve, with_majority
from tests.naive_balance import Scores, alone, assembled, lead_changes
from tests.playing import match_over

WAYS = [(majority, match) for majority in ("each", "none", "carry") for match in ("more_rounds", "draw", "extend")]


def coin(chance: float) -> dict[Outcome, float]:
    """Rounds in which one point goes to team 0 with a chance, else to team 1, if the seats did not rotate."""
    return {(1, 0, None): chance, (0, 1, None): 1 - chance}


@pytest.mark.parametrize("target", [1, 4, 9])
def test_even_race_is_negative_binomial(target):
    found = solve(coin(0.5), Terms(target))
    assert found.wins == pytest.approx([0.5, 0.5])
    assert found.draws == found.levels == 0
    for number, chance in enumerate(found.lengths):
        wanted = 2 * comb(number - 1, target - 1) * 0.5**number if number >= target else 0
        assert chance == pytest.approx(wanted), number
    assert len(found.lengths) == 2 * target


@pytest.mark.parametrize(("target", "chance"), [(3, 0.7), (5, 0.2)])
def test_race_of_alternating_chances(target, chance):
    """Whoever moves first wins the point by a chance: team 0 has it in even rounds, team 1 in odd ones."""
    found = solve(coin(chance), Terms(target))
    wanted = 0.0
    for lost in range(target):
        rounds = target + lost
        evens, odds = (rounds + 1) // 2, rounds // 2
        for at_even in range(target + 1):
            # The last point falls to team 0 in the last round; the others anywhere before.
            last_even = (rounds - 1) % 2 == 0
            rest_even, rest_odd = at_even - last_even, target - at_even - (not last_even)
            if min(rest_even, rest_odd) < 0:
                continue
            ways = comb(evens - last_even, rest_even) * comb(odds - (not last_even), rest_odd)
            at_odd = target - at_even
            wanted += ways * chance ** (at_even + odds - at_odd) * (1 - chance) ** (at_odd + evens - at_even)
    assert found.wins[0] == pytest.approx(wanted)
    assert sum(found.wins) == pytest.approx(1)


def test_level_beyond_the_target_is_a_race_to_one_lead():
    """Both reach the target at once; then a round decides with chance 0.6, always for whoever moves first."""
    found = solve({(5, 5, None): 0.4, (6, 5, None): 0.6}, Terms(5))
    assert found.lengths[1:4] == pytest.approx([0.6, 0.4 * 0.6, 0.4**2 * 0.6])
    assert found.wins[0] == pytest.approx(0.6 / (1 - 0.4**2))
    assert found.levels == pytest.approx(0.4)
    assert found.rounds == pytest.approx(1 / 0.6)
    drawn = solve({(5, 5, None): 0.4, (6, 5, None): 0.6}, Terms(5, match_tie="draw"))
    assert drawn.wins == pytest.approx([0.6, 0])
    assert drawn.draws == pytest.approx(0.4)
    assert drawn.shared(1) == pytest.approx(0.2)


def test_tie_extends_the_target_past_the_score():
    """From 5-5 on the match goes to 8: 5-8 is won by team 1, 10-10 goes on to 11; 8-5 after 3-0 is won by team 0."""
    found = solve({(5, 5, None): 0.5, (3, 0, None): 0.5}, Terms(5, match_tie="extend", extend_by=3))
    assert found.lengths[1:3] == pytest.approx([0.0, 0.5])
    first = solve({(5, 5, None): 0.5, (3, 0, None): 0.5}, Terms(5, match_tie="extend", extend_by=3), Start((3, 0), 1))
    assert first.lengths[1] == pytest.approx(0.5)
    assert first.wins[0] > 0.5


def test_carried_majority_by_hand():
    """Nothing but the majority scores: 3 for the mover, or a tie that carries; a match to 6."""
    found = solve({(0, 0, 0): 0.5, (0, 0, None): 0.5}, Terms(6, 3, "carry"))
    # After two rounds: 3-3, tie and 6 to team 1; in the first two cases the match goes on.
    assert found.lengths[1:3] == pytest.approx([0.0, 0.25])
    assert solve({(0, 0, 0): 1.0}, Terms(6, 3, "carry")).lengths[3] == pytest.approx(1)


Path = tuple[tuple[int, int], int, int, int | None, bool]
"""Score, carried points, target, who was last alone in front, and whether both stood level at the target."""


def by_paths(chances: dict[Outcome, float], terms: Terms, start: Start | None = None, rounds: int = 40) -> Exact:
    """The same by following every score, target and carry in a dict, with the target kept step by step."""
    start = start or Start()
    exact = Exact(lengths=[0.0])
    paths: dict[Path, float] = {(start.score, start.carry, terms.target, alone(start.score), False): 1.0}
    for number in range(rounds):
        following: dict[Path, float] = defaultdict(float)
        ended = 0.0
        for (score, carry, target, front, levelled), mass in paths.items():
            for outcome, chance in chances.items():
                first, second, carried = with_majority(outcome, terms, carry)
                mover = (start.first + number) % 2
                one, other = (first, second) if mover == 0 else (second, first)
                after = (score[0] + one, score[1] + other)
                leads, weight = alone(after), mass * chance
                exact.lead_changes += weight * (None not in (leads, front) and leads != front)
                level = max(after) >= target and leads is None
                exact.levels += weight * (level and not levelled)
                over, winner, grown = match_over(after, target, terms.match_tie, terms.extend_by)
                if not over:
                    last = front if leads is None else leads
                    following[after, carried, grown, last, levelled or level] += weight
                    continue
                ended += weight
                if winner is None:
                    exact.draws += weight
                else:
                    exact.wins[winner] += weight
        exact.lengths.append(ended)
        paths = following
    return exact


def toy(draw: random.Random) -> dict[Outcome, float]:
    """A few outcomes with chances; now and then a round without any points."""
    weights = {
        (draw.randrange(5), draw.randrange(5), draw.choice([0, 1, None])): draw.random()
        for _ in range(draw.choice([3, 6]))
    }
    weights[draw.choice([(0, 0, None), (2, 0, 1), (1, 3, 0)])] = 0.3
    weights[1, 2, 0] = weights.get((1, 2, 0), 0) + 0.2
    weights[2, 1, 1] = weights.get((2, 1, 1), 0) + 0.2
    return {outcome: weight / sum(weights.values()) for outcome, weight in weights.items()}


@pytest.mark.parametrize(("majority_tie", "match_tie"), WAYS)
def test_exact_matches_are_those_of_all_paths(majority_tie, match_tie):
    draw = random.Random(f"{majority_tie} {match_tie}")
    for number in range(6):
        chances = toy(draw)
        terms = Terms(draw.choice([4, 7, 10]), draw.choice([0, 1, 3]), majority_tie, match_tie, draw.choice([2, 5, 12]))
        score = (draw.randrange(terms.target), draw.randrange(terms.target)) if number % 2 else (0, 0)
        carry = draw.choice([0, terms.majority_points]) if majority_tie == "carry" else 0
        start = Start(score, number % 3 % 2, carry)
        found, wanted = solve(chances, terms, start), by_paths(chances, terms, start)
        assert sum(found.wins) + found.draws == pytest.approx(1, abs=1e-9)
        left = 1 - sum(wanted.lengths)
        assert left < 1e-4
        close = 3 * left + 1e-9
        assert found.wins == pytest.approx(wanted.wins, abs=close)
        assert found.draws == pytest.approx(wanted.draws, abs=close)
        assert found.levels == pytest.approx(wanted.levels, abs=close)
        assert found.lead_changes == pytest.approx(wanted.lead_changes, abs=close)
        faster = solve(chances, terms, start, in_front=False)
        assert [*faster.wins, faster.rounds] == pytest.approx([*found.wins, found.rounds], abs=1e-9)
        size = min(len(found.lengths), len(wanted.lengths))
        assert found.lengths[:size] == pytest.approx(wanted.lengths[:size], abs=1e-9)


def score(points: int, cards: int) -> dict[str, int]:
    """Score of a team with points of one source."""
    names = ("aces", "jacks", "two", "ten", "majority")
    return {**dict.fromkeys(names, 0), "basras": points, "cards": cards, "basra_count": 1}


def round_of(outcome: Outcome) -> Scores:
    first, second, most = outcome
    cards = {0: (30, 22), 1: (20, 32), None: (26, 26)}[most]
    return [score(first, cards[0]), score(second, cards[1])]


@pytest.mark.parametrize(("majority_tie", "match_tie"), WAYS)
def test_assembled_matches_of_independent_rounds_come_to_the_exact_ones(majority_tie, match_tie):
    draw = random.Random(3)
    chances = {(7, 2, 0): 0.3, (0, 6, 1): 0.25, (4, 4, None): 0.25, (0, 1, 0): 0.2}
    growth = 10 if match_tie == "extend" else 20
    rules = Rules(target=30, majority_points=4, majority_tie=majority_tie, match_tie=match_tie, extend_by=growth)
    exact = solve(chances, Terms.of(rules))
    rounds = [round_of(outcome) for outcome in chances]
    matches = []
    for _ in range(4000):
        drawn = draw.choices(rounds, [*chances.values()], k=200)
        matches.append(assembled(drawn.__getitem__, rules, 2))
    size = len(matches)

    def check(values: list[float], wanted: float) -> None:
        average = sum(values) / size
        spread = sqrt(sum((value - average) ** 2 for value in values) / size)
        assert abs(average - wanted) < 4 * spread / sqrt(size) + 1e-9

    check([float(match.winner == 0) for match in matches], exact.wins[0])
    check([float(match.winner is None) for match in matches], exact.draws)
    check([float(match.levels > 0) for match in matches], exact.levels)
    check([float(len(match.rounds)) for match in matches], exact.rounds)
    check([float(lead_changes(match.fronts)) for match in matches], exact.lead_changes)


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("bastra", {}),
        ("egyptian", {}),
        ("ethiopian", {"match_tie": "draw", "target": 20}),
        ("lebanese-a", {"target": 30}),
    ],
)
def test_matches_that_are_played_come_to_the_exact_ones_of_their_rounds(variant, changes):
    """In a match that is played rounds are independent, and nobody plays otherwise for the score or the carry."""
    table = setting(variant, changes=changes)
    exact = solve(sampled_outcomes(table, "greedy", 20_000, 1), Terms.of(table.rules))
    found = simulate(variant, matches=5000, seed=2, changes=changes, threads=1)
    for made, wanted in (
        (found.estimate("match_won", 0), exact.wins[0]),
        (found.estimate("match_drawn"), exact.draws),
        (found.estimate("match_rounds"), exact.rounds),
    ):
        assert made.value is not None
        assert made.half_width is not None
        assert abs(made.value - wanted) <= 1.7 * made.half_width + 1e-9
    assert (exact.draws > 0) == (table.rules.match_tie == "draw")


def test_outcomes_are_those_of_the_rounds():
    rounds = [round_of((7, 2, 0)), round_of((7, 2, 0)), round_of((4, 4, None)), round_of((0, 1, 1))]
    assert outcomes(rounds) == {(7, 2, 0): 0.5, (4, 4, None): 0.25, (0, 1, 1): 0.25}


def test_comeback_in_an_even_race_by_hand():
    """Behind by 2 with 1 to go: three points in a row. By 1 with 2 to go: three of the next four."""
    assert comeback(coin(0.5), Terms(10), 2, 1) == pytest.approx(1 / 8)
    assert comeback(coin(0.5), Terms(10), 1, 2) == pytest.approx(5 / 16)


def test_a_match_that_is_over_does_not_begin():
    with pytest.raises(ValueError, match="cannot go on"):
        solve(coin(0.5), Terms(3), Start((3, 0)))
