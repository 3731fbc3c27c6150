"""
Advice at the table, and rounds reviewed play by play, by the strongest player that plays at once.

`reading` takes a situation as a person tells it, `valuing` finds what its plays come to, `advice` and `review` put that
in order.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyses.advising.advice import Advice, advise
    from analyses.advising.reviewing import Review, review

__all__ = ["Advice", "Review", "advise", "review"]

_HOME = {"Advice": "advice", "advise": "advice", "Review": "reviewing", "review": "reviewing"}
"""Module that each name comes from. Names are fetched when first used, so that the commands' help is quick."""


def __getattr__(name: str) -> object:
    """One of the names above."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
