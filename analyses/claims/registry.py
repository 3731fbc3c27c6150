"""The pieces of advice that are tested, each written down before it was."""

from analyses.claims import jack_hold
from analyses.claims.model import Claim

CLAIMS: tuple[Claim, ...] = (jack_hold.CLAIM,)
"""In the order in which a report shows them."""


def claim(name: str) -> Claim:
    """
    Claim of a name.

    Raises
    ------
    KeyError
        If none is registered under it.
    """
    return {each.name: each for each in CLAIMS}[name]
