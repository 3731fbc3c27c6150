"""The rules of one game: every option with its meaning and its limits, changes to them, and the table they are for."""

from basra_sim.rules.model import OPTIONS, Rules, differences, override, parse_changes, parse_value
from basra_sim.rules.options import Option, RulesError
from basra_sim.rules.table import FLOOR_CARDS, PLAYERS, Setting, check_players, deals, uneven

__all__ = [
    "FLOOR_CARDS",
    "OPTIONS",
    "PLAYERS",
    "Option",
    "Rules",
    "RulesError",
    "Setting",
    "check_players",
    "deals",
    "differences",
    "override",
    "parse_changes",
    "parse_value",
    "uneven",
]
