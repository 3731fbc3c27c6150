"""
Advice at the table, and rounds reviewed play by play, by the strongest player that plays at once.

`reading` takes a situation as a person tells it, `valuing` finds what its plays come to, `advice` and `review` put that
in order.
"""

from analyses.advising.advice import Advice, advise

__all__ = ["Advice", "advise"]
