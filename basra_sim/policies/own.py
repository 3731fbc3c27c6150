"""A person's own function as policies and advice hold it: compiled where it is used, told from others by its code."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from basra_sim.identity import code_of


class Scorer:
    """
    A scoring function of a person's own.

    Attributes
    ----------
    function : the function as it was written
    title : what a person calls it, such as ``policy mine``
    """

    def __init__(self, function: Callable[..., Any], title: str) -> None:
        """
        Compile it.

        Raises
        ------
        InputError
            If it does not compile, with the compiler's reason.
        """
        self.function, self.title = function, title
        assert self.compiled

    @cached_property
    def compiled(self) -> Any:
        """The function as the kernel calls it."""
        from basra_sim.policies.custom import compile_scorer

        return compile_scorer(self.function, self.title)

    @property
    def address(self) -> int:
        """Where the kernel finds it in this process."""
        return int(self.compiled.address)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent elsewhere, to be compiled there."""
        return {"function": self.function, "title": self.title}

    def identity(self) -> tuple[object, ...]:
        """Its code: see `basra_sim.identity`."""
        return code_of(self.function)
