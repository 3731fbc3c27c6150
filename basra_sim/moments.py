"""Sums and products of whole numbers over units, kept exactly, and what they say of means and of luck."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from basra_sim.stats import CONFIDENCE, Estimate, mean, quantile
from basra_sim.tallies import MOST_OF_A_PART, checked_sums

GROUPS = 32
"""Groups that units are counted into by their numbers, to see how a figure differs between them."""

_UNITS_A_COVARIATE = 20
"""Units that there must be for each covariate before any is made use of."""


@dataclass(frozen=True)
class Moments:
    """
    Sums over units of some whole numbers and of all their products: exact, so the order of adding does not matter.

    Attributes
    ----------
    units : int
    sums : (quantities,) of Python integers
    products : (quantities, quantities) of Python integers
    """

    units: int
    sums: Any
    products: Any

    @classmethod
    def of(cls, values: npt.NDArray[np.int64]) -> "Moments":
        """Moments of (units, quantities)."""
        return Groups.of(values, 0).total

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.units + other.units, self.sums + other.sums, self.products + other.products)

    def __sub__(self, other: "Moments") -> "Moments":
        return Moments(self.units - other.units, self.sums - other.sums, self.products - other.products)

    def mean(self, weights: Sequence[int]) -> Estimate:
        """Mean of a weighted sum of the quantities; quantities without a weight are left out."""
        total, squares = self._combined(weights)
        return mean(total, squares, self.units)

    def variance(self, weights: Sequence[int]) -> float:
        """Variance over units of a weighted sum of the quantities; nan for one unit."""
        total, squares = self._combined(weights)
        return float("nan") if self.units < 2 else _over(self.units * squares - total * total, self.units)

    def adjusted(self, weights: Sequence[int], places: range, expected: npt.NDArray[np.float64]) -> Estimate:
        """
        Mean of a weighted sum of the quantities, once the luck in covariates of known expectation is regressed out.

        Parameters
        ----------
        weights : as for `mean`
        places : where the covariates stand among the quantities
        expected : (covariates,) their expectations

        Notes
        -----
        The estimate is mean(y) - b (mean(x) - expected) with b from least squares; its variance is that of the
        residuals over the units, whether the relation is linear or not (Lin 2013, "Agnostic notes on regression
        adjustments to experimental data", Annals of Applied Statistics 7). No estimate from few units.
        """
        if self.units < _UNITS_A_COVARIATE * (1 + len(places)):
            return Estimate(None, None, None, self.units)
        slope, residual = self._regression(weights, places)
        away = np.array([int(self.sums[k]) / self.units for k in places]) - expected
        value = float(self.mean(weights).value or 0.0) - float(slope @ away)
        half = quantile(self.units - len(places)) * sqrt(residual / self.units)
        return Estimate(value, value - half, value + half, self.units)

    def residual(self, weights: Sequence[int], places: range) -> float:
        """Variance over units of a weighted sum once the covariates at some places are regressed out; nan from few."""
        if self.units < _UNITS_A_COVARIATE * (1 + len(places)):
            return float("nan")
        return self._regression(weights, places)[1]

    def _combined(self, weights: Sequence[int]) -> tuple[int, int]:
        """Sum over units of a weighted sum, and of its squares."""
        parts = [(place, weight) for place, weight in enumerate(weights) if weight]
        total = sum(weight * int(self.sums[place]) for place, weight in parts)
        squares = sum(a * b * int(self.products[j, k]) for j, a in parts for k, b in parts)
        return total, squares

    def _regression(self, weights: Sequence[int], places: range) -> tuple[npt.NDArray[np.float64], float]:
        """Slopes of the covariates by least squares, and the variance of the residuals."""
        inner = np.array([[self._covariance(j, k) for k in places] for j in places])
        parts = [(place, weight) for place, weight in enumerate(weights) if weight]
        cross = np.array([sum(weight * self._covariance(j, k) for k, weight in parts) for j in places])
        slope = np.linalg.lstsq(inner, cross, rcond=1e-10)[0]
        free = (self.units - 1) / (self.units - 1 - len(places))
        return slope, max(self.variance(weights) - float(slope @ cross), 0.0) * free

    def _covariance(self, one: int, other: int) -> float:
        """Covariance of two quantities."""
        exact = self.units * int(self.products[one, other]) - int(self.sums[one]) * int(self.sums[other])
        return _over(exact, self.units)


@dataclass(frozen=True)
class Groups:
    """
    Moments of units by the remainder of their numbers on division by `GROUPS`.

    Attributes
    ----------
    units : (groups,) int64
    sums : (groups, quantities) of Python integers
    products : (groups, quantities, quantities) of Python integers
    """

    units: npt.NDArray[np.int64]
    sums: Any
    products: Any

    @classmethod
    def of(cls, values: npt.NDArray[np.int64], first: int) -> "Groups":
        """
        Moments of (units, quantities), the first of which has some number.

        The units are a part of a run: at most 2^13 of numbers below 2^18, or 2^9 of below 2^23, which 64 bits hold.
        """
        before = first % GROUPS
        rows = -(-(before + len(values)) // GROUPS)
        padded = np.zeros((rows * GROUPS, values.shape[1]), np.int64)
        padded[before : before + len(values)] = values
        by_group = padded.reshape(rows, GROUPS, -1).transpose(1, 0, 2)
        places = np.arange(first, first + len(values)) % GROUPS
        products = by_group.transpose(0, 2, 1) @ by_group
        units = np.bincount(places, minlength=GROUPS)
        return cls(units, by_group.sum(axis=1).astype(object), products.astype(object))

    @property
    def arrays(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """
        Units, sums and products as arrays of int64, as they are kept and sent; for units whose products go into them.

        Raises
        ------
        BasraError
            If a product is so large that a piece made of such parts might not be exact.
        OverflowError
            If a sum does not fit.
        """
        products = self.products.astype(np.int64)
        checked_sums(products, MOST_OF_A_PART)
        return self.units, self.sums.astype(np.int64), products

    @classmethod
    def from_arrays(
        cls, units: npt.NDArray[np.int64], sums: npt.NDArray[np.int64], products: npt.NDArray[np.int64]
    ) -> "Groups":
        """Moments of `arrays`."""
        return cls(units, sums.astype(object), products.astype(object))

    def __add__(self, other: "Groups") -> "Groups":
        return Groups(self.units + other.units, self.sums + other.sums, self.products + other.products)

    @property
    def total(self) -> Moments:
        """Moments of all units."""
        return Moments(int(self.units.sum()), self.sums.sum(axis=0), self.products.sum(axis=0))

    def ratio(self, figure: Callable[[Moments], float | None]) -> Estimate:
        """
        A positive figure of the moments, with an interval; empty where there is none, without interval for few units.

        Notes
        -----
        Jackknife of the logarithm, leaving out one group after another (Kott 2001, "The delete-a-group jackknife",
        Journal of Official Statistics 17).
        """
        from scipy.special import stdtrit

        total = self.total
        value = figure(total)
        if value is None:
            return Estimate(None, None, None, total.units)
        without = [figure(total - self._group(group)) for group in range(GROUPS)]
        logs = [log(each) for each in without if each is not None]
        if len(logs) < GROUPS or self.units.min() < 2:
            return Estimate(value, None, None, total.units)
        spread = (GROUPS - 1) * float(np.var(logs))
        half = float(stdtrit(GROUPS - 1, (1 + CONFIDENCE) / 2)) * sqrt(spread)
        return Estimate(value, value * exp(-half), value * exp(half), total.units)

    def _group(self, group: int) -> Moments:
        """Moments of one group."""
        return Moments(int(self.units[group]), self.sums[group], self.products[group])


def _over(exact: int, units: int) -> float:
    """Centred product of sums as a covariance: one division, after whole numbers only."""
    return exact / (units * (units - 1))
