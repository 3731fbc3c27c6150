"""
Matches of two teams whose rounds are independent of one another: exact chances, by dynamic programming.

A match is followed round by round as a distribution over where it can stand: the points of both teams, the points for
most cards that are carried, who was last alone in front, and whether the two have stood level at the target. Nothing is
drawn at random; what is still undecided after many rounds is cut off once it weighs less than `CUT`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim.rules import Rules, Setting
from basra_sim.tables import rounds as round_table
from tests.naive_balance import Scores, alone

CUT = 1e-13

Outcome = tuple[int, int, int | None]
"""A round: points at place 0 (moves first) and place 1 without those for most cards, and the place that has most."""

Floats = npt.NDArray[np.float64]


class Terms(NamedTuple):
    """How a match of two teams is reckoned."""

    target: int
    majority_points: int = 0
    majority_tie: str = "none"
    match_tie: str = "more_rounds"
    extend_by: int = 20

    @staticmethod
    def of(rules: Rules) -> "Terms":
        """Those of some rules."""
        return Terms(rules.target, rules.majority_points, rules.majority_tie, rules.match_tie, rules.extend_by)


class Start(NamedTuple):
    """Where a match begins."""

    score: tuple[int, int] = (0, 0)
    first: int = 0
    """Team that moves first in the first round."""
    carry: int = 0


class State(NamedTuple):
    """What a match remembers besides its score."""

    front: int | None
    """Team last alone in front."""
    carry: int
    levelled: bool
    """Whether the two have stood level at the target or beyond."""


@dataclass
class Exact:
    """What a match comes to."""

    wins: list[float] = field(default_factory=lambda: [0.0, 0.0])
    draws: float = 0.0
    lengths: list[float] = field(default_factory=list)
    """Chance of each number of rounds; place 0 is that of none."""
    lead_changes: float = 0.0
    levels: float = 0.0
    """Chance to stand level at the target or beyond after some round."""

    @property
    def rounds(self) -> float:
        """Expected number of rounds."""
        return sum(number * chance for number, chance in enumerate(self.lengths))

    def shared(self, team: int) -> float:
        """Expected win of a team, a draw being half of one."""
        return self.wins[team] + self.draws / 2


def outcomes(rounds: Iterable[Scores]) -> dict[Outcome, float]:
    """Distribution of single rounds of two teams."""
    counts: Counter[Outcome] = Counter()
    for scores in rounds:
        first, second = (sum(score[name] for name in ("aces", "jacks", "two", "ten", "basras")) for score in scores)
        counts[first, second, alone([score["cards"] for score in scores])] += 1
    return {outcome: number / counts.total() for outcome, number in counts.items()}


def sampled_outcomes(table: Setting, player: str, rounds: int, seed: int) -> dict[Outcome, float]:
    """Distribution of single rounds of two teams, from many that the kernel plays."""
    seats: dict[str, Any] = {
        "players": table.players,
        "pairs": table.pairs,
        "policies": player,
        "changes": table.changes,
    }
    frame = round_table(table.variant, rounds=rounds, seed=seed, threads=1, **seats)
    sources = ["aces", "jacks", "two", "ten", "basras"]
    own, cards = frame[sources].to_numpy().sum(axis=1).reshape(-1, 2), frame["cards"].to_numpy().reshape(-1, 2)
    counts = Counter((*points, alone(held)) for points, held in zip(own.tolist(), cards.tolist(), strict=True))
    return {(first, second, most): number / rounds for (first, second, most), number in counts.items()}


def with_majority(outcome: Outcome, terms: Terms, carry: int) -> tuple[int, int, int]:
    """Points of the two places with those for most cards, and what is carried on."""
    first, second, most = outcome
    stake = terms.majority_points + carry
    if most is not None:
        return first + stake * (most == 0), second + stake * (most == 1), 0
    if terms.majority_tie == "each":
        return first + stake, second + stake, 0
    return first, second, stake if terms.majority_tie == "carry" else 0


class Board:
    """Room for the scores of both teams, in points from a lowest score up."""

    def __init__(self, terms: Terms, outcomes: Mapping[Outcome, float], start: Start) -> None:
        # A target that grows is reckoned as points taken off both teams, so they may fall below nothing.
        self.terms = terms
        self.low = min(0, terms.target - terms.extend_by) if terms.match_tie == "extend" else 0
        self.live = terms.target - self.low
        self.outcomes = outcomes
        if max(start.score) >= terms.target or min(start.score) < 0:
            raise ValueError(f"a match cannot go on with {start.score}")

    def empty(self, reach: int = 0) -> Floats:
        """No chance anywhere, with room for so many points beyond the target."""
        return np.zeros((self.live + reach, self.live + reach))

    def steps(self, carry: int, swapped: bool) -> dict[tuple[int, int, int], float]:
        """Points of both teams and what is carried on, with their chances; swapped if team 1 moves first."""
        found: dict[tuple[int, int, int], float] = defaultdict(float)
        for outcome, chance in self.outcomes.items():
            first, second, carried = with_majority(outcome, self.terms, carry)
            found[(second, first, carried) if swapped else (first, second, carried)] += chance
        return found

    def play(self, standing: Floats, carry: int, swapped: bool) -> dict[int, Floats]:
        """Standings after a round, by what is carried on; with room beyond the target."""
        steps = self.steps(carry, swapped)
        reach = max(max(one, other) for one, other, _ in steps)
        size, found = self.live, dict[int, Floats]()
        for (one, other, carried), chance in steps.items():
            room = found.setdefault(carried, self.empty(reach))
            room[one : one + size, other : other + size] += chance * standing
        return found


def solve(
    outcomes: Mapping[Outcome, float], terms: Terms, start: Start | None = None, *, in_front: bool = True
) -> Exact:
    """
    What a match comes to.

    Parameters
    ----------
    outcomes
        Chance of each outcome of a round; they sum to 1.
    in_front
        Whether to follow who is in front; without it, lead changes are not counted and all is faster.
    """
    start = start or Start()
    board, exact = Board(terms, outcomes, start), Exact()
    one, other = start.score
    standings = {State(alone(start.score) if in_front else None, start.carry, False): board.empty()}
    next(iter(standings.values()))[one - board.low, other - board.low] = 1.0
    beyond: dict[State, float] = {}
    number = 0
    exact.lengths.append(0.0)
    while standings or beyond:
        swapped = (start.first + number) % 2 == 1
        number += 1
        decided = sum(exact.wins) + exact.draws
        parts = [
            (state, carried, room)
            for state, standing in standings.items()
            for carried, room in board.play(standing, state.carry, swapped).items()
        ]
        standings = {}
        more = play_beyond(board, beyond, swapped, exact)
        for state, carried, room in parts:
            settle(board, state._replace(carry=carried), room, standings, more, exact)
        if not in_front:
            standings = without_fronts(standings)
        beyond = {state: chance for state, chance in more.items() if chance > 0}
        exact.lengths.append(sum(exact.wins) + exact.draws - decided)
        if sum(standing.sum() for standing in standings.values()) + sum(beyond.values()) < CUT:
            break
    return exact


def without_fronts(standings: Mapping[State, Floats]) -> dict[State, Floats]:
    """Standings that differ by who was last in front, added up."""
    found: dict[State, Floats] = {}
    for state, standing in standings.items():
        common = state._replace(front=None)
        found[common] = found[common] + standing if common in found else standing
    return found


def settle(
    board: Board,
    state: State,
    room: Floats,
    standings: dict[State, Floats],
    beyond: dict[State, float],
    exact: Exact,
) -> None:
    """Sort what a round has led to: decided, drawn, level at the target, or going on."""
    size = board.live
    scores = np.arange(len(room))
    over = np.maximum.outer(scores, scores) >= size
    for front, chosen in ((0, np.tri(len(room), k=-1, dtype=bool)), (1, ~np.tri(len(room), dtype=bool))):
        mass = np.where(chosen, room, 0.0)
        if state.front not in (None, front):
            exact.lead_changes += float(mass.sum())
        exact.wins[front] += float(mass[over].sum())
        keep(board, state._replace(front=front), np.where(over, 0.0, mass)[:size, :size], standings)
    level = np.diagonal(room)
    keep(board, state, np.diag(level[:size]), standings)
    tied = level[size:]
    if not tied.sum():
        return
    if not state.levelled:
        exact.levels += float(tied.sum())
    state = state._replace(levelled=True)
    if board.terms.match_tie == "draw":
        exact.draws += float(tied.sum())
    elif board.terms.match_tie == "more_rounds":
        beyond[state] = beyond.get(state, 0.0) + float(tied.sum())
    else:
        again = board.empty()
        for above, chance in enumerate(tied.tolist()):
            growth = (above // board.terms.extend_by + 1) * board.terms.extend_by
            place = size + above - growth
            again[place, place] += chance
        keep(board, state, again, standings)


def keep(board: Board, state: State, mass: Floats, standings: dict[State, Floats]) -> None:
    """Add what goes on to the standings."""
    if mass.any():
        standings[state] = standings.get(state, board.empty()) + mass


def play_beyond(board: Board, beyond: Mapping[State, float], swapped: bool, exact: Exact) -> dict[State, float]:
    """A round of those who are level at the target or beyond, where only who leads counts; those still level."""
    level: dict[State, float] = {}
    for state, mass in beyond.items():
        for (one, other, carried), chance in board.steps(state.carry, swapped).items():
            if one == other:
                after = state._replace(carry=carried)
                level[after] = level.get(after, 0.0) + chance * mass
                continue
            front = int(other > one)
            exact.wins[front] += chance * mass
            if state.front not in (None, front):
                exact.lead_changes += chance * mass
    return level


def comeback(outcomes: Mapping[Outcome, float], terms: Terms, behind: int, to_go: int) -> float:
    """Chance that a team so many points behind one that lacks so many wins, over who is behind and who moves first."""
    ahead = terms.target - to_go
    chances = []
    for team in range(2):
        score = (ahead - behind, ahead) if team == 0 else (ahead, ahead - behind)
        chances.append(solve(outcomes, terms, Start(score), in_front=False).shared(team))
    return sum(chances) / 2
