"""
Advice at the table, and rounds reviewed play by play, by the strongest player that plays at once.

`reading` takes a situation as a person tells it, `valuing` finds what its plays come to, `advice` and `review` put that
in order.
"""

from analyses.advising.advice import Advice, advise
from analyses.advising.reviewing import Review, review

__all__ = ["Advice", "Review", "advise", "review"]
