"""
Policies: what a player does with what he sees.

A policy is data where it can be: weights over named features of a play (`FEATURES`), a degree of memory, and pieces of
advice on top (`ADVICE`). `random` looks at nothing; a person's own policy is a function that scores a play (`policy`).
"""

from basra_sim.policies.advice import ADVICE, FORMS, Advice, Followed, advice
from basra_sim.policies.memory import Memory
from basra_sim.policies.model import FEATURES, Feature, Policy
from basra_sim.policies.written import find_advice, get_policy, policy, policy_names

__all__ = [
    "ADVICE",
    "FEATURES",
    "FORMS",
    "Advice",
    "Feature",
    "Followed",
    "Memory",
    "Policy",
    "advice",
    "find_advice",
    "get_policy",
    "policy",
    "policy_names",
]
