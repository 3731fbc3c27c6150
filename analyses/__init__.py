"""
Questions about the game: data frames in, data frames out. Builds on ``basra_sim`` only.

One question is one module. What it needs to have played it hands out as jobs (`analyses.jobs`), so that a caller can
say how far they are; what it makes of them is a data frame whose columns its docstring names. What the command line
asks stands here as functions: ``analyses.test("jack-hold")``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyses.advising import advise, review
    from analyses.asking import compare, ladder, test
    from analyses.balance.fitting import fit
    from analyses.balance.sweeps import sweep
    from analyses.balance.trials import Ground

_HOME = {
    "Ground": "balance.trials",
    "advise": "advising",
    "compare": "asking",
    "fit": "balance.fitting",
    "ladder": "asking",
    "review": "advising",
    "sweep": "balance.sweeps",
    "test": "asking",
}
"""Module that each public name comes from. Names are fetched when first used: ``import analyses`` loads nothing."""

__all__ = ["Ground", "advise", "compare", "fit", "ladder", "review", "sweep", "test"]


def __getattr__(name: str) -> object:
    """Fetch a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """Public names."""
    return sorted([*globals(), *__all__])
