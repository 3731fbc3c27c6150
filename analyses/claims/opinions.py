"""What a player who searches thinks of decisions: how much better he expects it to be to follow advice."""

from functools import partial

import numpy as np
import numpy.typing as npt

from analyses.advising.advice import weighing
from analyses.advising.reviewing import situations
from analyses.advising.valuing import value_plays
from analyses.jobs import ADVISER, STRONGEST, Effort
from basra_sim.cards import cards_in
from basra_sim.decisions import Decisions
from basra_sim.executors import JOIN, Arrays, Task, execute
from basra_sim.policies import get_policy
from basra_sim.reference import choice_key, replay_all
from basra_sim.search.situations import Move, Situation
from basra_sim.tracing import trace_plan

PART = 1 / 500
"""Decisions that he is asked about, as a part of `Effort.rounds`."""

WAYS = 64
"""Ways in which he lays the hidden cards of a decision."""

TIME = 1500.0
"""Time that a decision takes, in rounds of `greedy`: a rough figure."""

_BOTH = ("follow", "against")
_DECISIONS_A_PIECE = 16
_STREAMS = 64
"""Streams of a deal, one for each of its plays."""


def number(effort: Effort) -> int:
    """Decisions that he is asked about, at most."""
    return round(effort.rounds * PART)


def chosen(decisions: int, effort: Effort) -> npt.NDArray[np.int64]:
    """Which of some decisions he is asked about: as many as there are to be, evenly spread."""
    asked = min(number(effort), decisions)
    return np.arange(asked, dtype=np.int64) * decisions // max(asked, 1)


def opinions(found: Decisions, threads: int | None = None) -> npt.NDArray[np.float64]:
    """
    Points that he expects following to be better than going against it, for each of some decisions.

    He knows what the player knew, remembers all cards, and lays the hidden ones in `WAYS` ways, which count by how far
    they explain what the others have played in the deal; in each of them all play on as the strongest player does. Both
    plays are tried in the same ways. What comes out depends on the seed and the decision alone.

    Parameters
    ----------
    found : Decisions
        Each deal was played in one seating.
    """
    assert len(found.plan.seatings) == 1
    label = f"{found.plan.label}, {ADVISER} on {found.advice.name}"
    task = Task(label, partial(_opinion, found), (JOIN,), 1, _DECISIONS_A_PIECE)
    parts = execute(task, 0, len(found.found), threads=threads)
    return np.concatenate([np.zeros(0), *(part for (part,) in parts)])


def _opinion(found: Decisions, number: int, count: int) -> Arrays:
    """Points that he expects of one of some decisions."""
    assert count == 1
    player, searching = weighing(STRONGEST), get_policy(ADVISER).search
    assert searching is not None
    deal, play = int(found.column("deal_index")[number]), int(found.column("play")[number])
    at = situation(found, deal, play)
    moves = [_move(at, *(int(found.column(f"{way}_{what}")[number]) for what in ("card", "taken"))) for way in _BOTH]
    valued = value_plays(
        at, player, ways=WAYS, seed=found.plan.seed, number=deal * _STREAMS + play, doubt=searching.doubt,
        moves=moves, threads=1, solve=False,
    )  # fmt: skip
    return (np.array([np.mean(valued.margins[:, 0] - valued.margins[:, 1])]),)


def situation(found: Decisions, deal: int, play: int) -> Situation:
    """What the player on turn knew at a play of a deal."""
    (replay,) = replay_all(enumerate(trace_plan(found.plan, 1, first=deal, threads=1), 1))
    return next(at for step, at in situations(replay) if step.number == play + 1)


def _move(at: Situation, card: int, taken: int) -> Move:
    """A legal play, with the very cards that it takes."""
    rules, very = at.setting.rules, tuple(cards_in(taken))
    made = card, choice_key(rules, very)
    move = next(each for each in at.moves if (each.card, choice_key(rules, each.taken)) == made)
    return move._replace(taken=very)
