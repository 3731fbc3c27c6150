"""Where something is observed: the rules, the table, and how all at it play."""

from dataclasses import dataclass
from typing import Any

from basra_sim.plans import Plan, plan
from basra_sim.rules import Setting
from basra_sim.variants import setting


@dataclass(frozen=True)
class Scene:
    """
    A table at which all follow one policy.

    Attributes
    ----------
    variant : str
    players : int
    pairs : bool
    policy : str
    """

    variant: str = "bastra"
    players: int = 2
    pairs: bool = False
    policy: str = "greedy"

    @property
    def setting(self) -> Setting:
        """The rules as they are played at this table."""
        return setting(self.variant, self.players, self.pairs)

    def plan(self, seed: int, *, matches: bool = False) -> Plan:
        """Plan of rounds, or of matches, at this table."""
        table: dict[str, Any] = {"players": self.players, "pairs": self.pairs, "policies": self.policy}
        return plan(self.variant, seed=seed, matches=matches, **table)

    @property
    def columns(self) -> dict[str, Any]:
        """What names the table in a row."""
        return {"variant": self.variant, "players": self.players, "pairs": self.pairs, "policy": self.policy}

    @property
    def label(self) -> str:
        """What names the table to a person who waits."""
        return f"{self.variant}, {self.players} players{' in pairs' if self.pairs else ''}, {self.policy}"
