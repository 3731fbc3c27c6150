"""Simulation of the card games of the Basra family: rules, compiled engine, players and experiments."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from basra_sim._numba import bit_count, lowest_bit
    from basra_sim.errors import BasraError, InputError
    from basra_sim.experiment import Duel, duel
    from basra_sim.frames import captures_frame, variants_frame
    from basra_sim.jobs import job
    from basra_sim.plans import Plan, plan
    from basra_sim.policies import FEATURES, Policy, get_policy, policy
    from basra_sim.policies.advice import ADVICE, Advice, advice
    from basra_sim.policies.custom import Play, View
    from basra_sim.reference import explain, replay
    from basra_sim.rules import Rules, Setting
    from basra_sim.simulation import Summary, simulate
    from basra_sim.tables import matches, rounds
    from basra_sim.tracing import trace
    from basra_sim.variants import Variant, setting, variant

__version__ = "0.1.0"

_HOME = {
    "bit_count": "_numba",
    "lowest_bit": "_numba",
    "BasraError": "errors",
    "InputError": "errors",
    "Duel": "experiment",
    "duel": "experiment",
    "captures_frame": "frames",
    "variants_frame": "frames",
    "ADVICE": "policies",
    "Advice": "policies",
    "FEATURES": "policies",
    "advice": "policies",
    "Policy": "policies",
    "get_policy": "policies",
    "policy": "policies",
    "Play": "policies.custom",
    "View": "policies.custom",
    "job": "jobs",
    "explain": "reference",
    "replay": "reference",
    "Rules": "rules",
    "Setting": "rules",
    "Plan": "plans",
    "Summary": "simulation",
    "plan": "plans",
    "simulate": "simulation",
    "matches": "tables",
    "rounds": "tables",
    "trace": "tracing",
    "Variant": "variants",
    "setting": "variants",
    "variant": "variants",
}
"""Module that each public name comes from. Names are fetched when first used: ``import basra_sim`` compiles nothing."""

__all__ = [
    "ADVICE",
    "FEATURES",
    "Advice",
    "BasraError",
    "Duel",
    "InputError",
    "Plan",
    "Play",
    "Policy",
    "Rules",
    "Setting",
    "Summary",
    "Variant",
    "View",
    "advice",
    "bit_count",
    "captures_frame",
    "duel",
    "explain",
    "get_policy",
    "job",
    "lowest_bit",
    "matches",
    "plan",
    "policy",
    "replay",
    "rounds",
    "setting",
    "simulate",
    "trace",
    "variant",
    "variants_frame",
]


def __getattr__(name: str) -> object:
    """Fetch a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """Public names."""
    return sorted([*globals(), *__all__])
