"""Whom a player is tuned against: named opponents and its own past, each with a share of the deals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from basra_sim.policies import Policy, get_policy

NAMED = {"counter": 0.25, "greedy": 0.125}
"""Opponents of a league besides the player's own past, with their shares of the deals."""

AGO = (1, 3, 9)
"""How many generations ago the past selves are from that play in a league; the start stands in for what is earlier."""

OWN_PAST = "past"
"""What the player's past selves are called together."""


@dataclass(frozen=True)
class League:
    """
    Opponents, and their shares of the deals.

    Attributes
    ----------
    named : dict
        Shares of the named opponents, by how they are written.
    past : float
        Share of the player's past selves together.
    """

    named: dict[str, float]
    past: float = 0.0

    @property
    def shares(self) -> dict[str, float]:
        """Share of each opponent; the past selves are one."""
        return {**self.named, **({OWN_PAST: self.past} if self.past else {})}

    def deals(self, total: int) -> dict[str, int]:
        """Deals that are played against each opponent, of so many in all; the past selves have as many each."""
        found = {name: round(total * share) for name, share in self.named.items()}
        if self.past:
            found[OWN_PAST] = max(1, round(total * self.past / len(AGO))) * len(AGO)
        return {name: max(1, deals) for name, deals in found.items()}

    def opponents(
        self, total: int, generation: int, past: Callable[[int], Policy]
    ) -> Sequence[tuple[str, Policy, int]]:
        """
        Opponents of a generation: what each is called, itself, and the deals played against it.

        Parameters
        ----------
        total : deals in all
        past : gives the player as of an earlier generation; 0 is the start
        """
        deals = self.deals(total)
        found = [(name, get_policy(name), deals[name]) for name in self.named]
        if self.past:
            each = deals[OWN_PAST] // len(AGO)
            found += [(OWN_PAST, past(max(0, generation - ago)), each) for ago in AGO]
        return found


def league(against: str | None = None) -> League:
    """The usual league; or the one opponent against whom the best response is looked for."""
    if against is not None:
        return League({against: 1.0})
    return League(NAMED, 1 - sum(NAMED.values()))
