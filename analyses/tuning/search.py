"""The search for weights: which of them are free, how far a step goes, and what candidates are drawn from."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim.errors import InputError
from basra_sim.policies import FEATURES, Policy
from basra_sim.policies.memory import ALL_OF_IT
from basra_sim.policies.weighing import WEIGHTED
from basra_sim.rules import Setting

Weights = dict[str, float]

DECIMALS = 4
"""Decimals that weights are rounded to before they are played."""

SCALE = "points_taken"
"""Feature whose weight is kept where it is above 0: only the proportions of weights matter."""

STEPS: Mapping[str, float] = {"0 or 1": 0.5, "ranks": 0.015}
"""Standard deviation of the first candidates' weights by the unit of the feature; for all others `STEP`."""

STEP = 0.15


def seed_of(seed: int, *key: int) -> int:
    """Seed below 2**63 for a purpose, from the seed of a run and numbers that tell the purpose."""
    return int(np.random.SeedSequence([seed, *key]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def weights_of(policy: Policy, table: Setting) -> Weights:
    """
    Weights of a policy at a table, 0 for features that it does not weigh.

    Raises
    ------
    InputError
        If it does not weigh features, or is more than its weights.
    """
    if policy.kind != WEIGHTED and not policy.advice:
        raise InputError(f"policy {policy.name} does not weigh features: there is nothing to tune")
    if policy.advice or policy.noise or policy.memory != ALL_OF_IT:
        raise InputError(f"policy {policy.name} is more than its weights: start from one without memory, noise, advice")
    weights = policy.weights_for(table)
    return {each.name: round(float(weights.get(each.name, 0.0)), DECIMALS) for each in FEATURES}


def row(weights: Mapping[str, float], table: Setting) -> npt.NDArray[np.float64]:
    """What compiled code is told of weights at a table."""
    return Policy("", weights=weights).parameters(table)


def features_that_matter(table: Setting) -> tuple[str, ...]:
    """Features that can tell two plays apart at a table: those of which compiled code is told anything."""
    nothing = row({}, table)
    return tuple(each.name for each in FEATURES if not np.array_equal(row({each.name: 1.0}, table), nothing))


class Normals:
    """Standard normal numbers, keyed by a seed and a generation; called as `numpy.random.randn` is."""

    def __init__(self, seed: int) -> None:
        """Begin before the first generation."""
        self.seed = seed
        self.begin(0)

    def begin(self, generation: int) -> None:
        """Go to the numbers of a generation."""
        self._draws = np.random.default_rng(np.random.SeedSequence([self.seed, generation]))

    def __call__(self, *shape: int) -> Any:
        """Numbers in an array of a shape."""
        return self._draws.standard_normal(shape)


class Search:
    """
    CMA-ES over the weights that are free, from a start.

    Parameters
    ----------
    start : weights to start from, of all features
    table : Setting
    population : candidates of a generation
    seed : seed of their draws

    Notes
    -----
    Hansen (2016), "The CMA evolution strategy: a tutorial", as implemented in his package `cma`. It draws from numbers
    of its own here, so that numpy's global state is neither used nor changed.
    """

    def __init__(self, start: Weights, table: Setting, population: int, seed: int) -> None:
        import cma

        matter = features_that_matter(table)
        units = {each.name: each.unit for each in FEATURES}
        self.start = {name: start[name] for name in matter}
        self.free = tuple(name for name in matter if name != SCALE or start[name] <= 0)
        self.steps = np.array([STEPS.get(units[name], STEP) for name in self.free])
        self._normals = Normals(seed)
        options = {
            "popsize": population,
            "randn": self._normals,
            "seed": np.nan,
            "verbose": -9,
            "signals_filename": "",
        }
        self._strategy = cma.CMAEvolutionStrategy(np.zeros(len(self.free)), 1.0, options)
        self._asked: list[npt.NDArray[np.float64]] = []

    @property
    def mean(self) -> Weights:
        """Weights in the middle of the distribution."""
        return self._weights(self._strategy.mean)

    @property
    def spread(self) -> float:
        """Geometric mean of the standard deviations of the free weights, in steps."""
        return float(np.exp(np.mean(np.log(self._strategy.stds))))

    def ask(self, generation: int) -> list[Weights]:
        """Candidates of a generation."""
        self._normals.begin(generation)
        self._asked = self._strategy.ask()
        return [self._weights(each) for each in self._asked]

    def tell(self, margins: Sequence[int]) -> None:
        """Take in the margins of the candidates asked for last, the higher the better."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._strategy.tell(self._asked, [-float(each) for each in margins])

    def _weights(self, place: npt.NDArray[np.float64]) -> Weights:
        """Weights that stand for a point of the search space."""
        moved = {
            name: round(self.start[name] + float(by), DECIMALS) + 0.0
            for name, by in zip(self.free, self.steps * np.asarray(place), strict=True)
        }
        return self.start | moved
