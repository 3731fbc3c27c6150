"""
The readable engine: what may be played, a round step by step, records replayed, checked and explained.

It is written from the rules with lists and plain integers, to judge the fast engine by, and shares nothing with
that but cards, rules and the form of records.
"""

from basra_sim.reference.choices import Choice, choice_key, legal_choices, same_choice
from basra_sim.reference.explain import explain, replay_data
from basra_sim.reference.matches import replay_all, replay_match
from basra_sim.reference.replay import ContradictionError, Replay, Step, replay
from basra_sim.reference.rounds import IllegalPlayError, Round, TeamScore
from basra_sim.reference.standing import Verdict, verdict

__all__ = [
    "Choice",
    "ContradictionError",
    "IllegalPlayError",
    "Replay",
    "Round",
    "Step",
    "TeamScore",
    "Verdict",
    "choice_key",
    "explain",
    "legal_choices",
    "replay",
    "replay_all",
    "replay_data",
    "replay_match",
    "same_choice",
    "verdict",
]
