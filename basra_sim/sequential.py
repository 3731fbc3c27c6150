"""When an experiment stops: after so many units, once an interval is narrow enough, or once the question is decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

from basra_sim.stats import LARGEST_MARGIN, LEVEL, Estimate, quantile

FIRST_LOOK = 2_000
"""Units before which nothing stops by what it found: enough for means of so many to be normally distributed."""

MOST_DEALS = 10_000_000
"""Deals after which an experiment that is to stop by itself gives up, if nothing else is said."""

TUNED_FOR = 100_000
"""Units at which the confidence sequence is narrowest."""

SMALLEST = 0.05
"""Points a round: the smallest effect that matters, if nothing else is said."""

FIXED, PRECISION, UNTIL_DECIDED = "fixed number", "precision", "until decided"
"""Rules of stopping."""

PLAYED, PRECISE, DIFFERENT, ALIKE, LIMIT = "played", "precise", "different", "no difference that matters", "limit"
"""How an experiment ended: all was played; precise enough; a difference is found; any is too small to matter; or the
largest number of units was reached before any of these."""


def looks(most: int) -> Iterator[int]:
    """Numbers of units after which an experiment is looked at: `FIRST_LOOK`, then a quarter more each, up to most."""
    units = FIRST_LOOK
    while units < most:
        yield units
        units += units // 4
    yield most


def sequence_quantile(units: int, tests: int = 1) -> float:
    """
    Standard errors from the mean to the ends of its confidence sequence, as one of so many that share its level.

    All intervals of the sequence, at however many looks, hold the truth together with the confidence that one ordinary
    interval has. So one may look at any time and stop for what one sees.

    Notes
    -----
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and asymptotic confidence
    sequences", Annals of Statistics 52: Robbins' normal mixture, narrowest at `TUNED_FOR` units.
    """
    spread = _spread(units)
    return sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) * tests / LEVEL))


def sequence_pvalue(errors: float, units: int) -> float:
    """
    P-value of a truth so many standard errors from the mean, valid at any look: the level whose sequence ends there.

    At any level, the chance that it is ever below that at some look, if that is the truth, is no more than the level.
    """
    spread = _spread(units)
    return min(1.0, sqrt(spread + 1) * exp(-errors * errors * spread / (2 * (spread + 1))))


def _spread(units: int) -> float:
    """Variance of the mixture over that of the mean of so many units."""
    return units * (-2 * log(LEVEL) + log(1 - 2 * log(LEVEL))) / TUNED_FOR


def unseen(units: int) -> float:
    """
    Points a unit that units of one and the same number may hide.

    Some share of units would give another number, by at most `LARGEST_MARGIN`; with a larger share, one would have been
    seen, at the usual confidence.
    """
    return LARGEST_MARGIN * (1 - float(LEVEL ** (1 / units)))


@dataclass(frozen=True)
class Stopping:
    """
    When an experiment stops.

    Attributes
    ----------
    rule : `FIXED`, `PRECISION` or `UNTIL_DECIDED`
    most : units that are played at most
    precision : half-width of the interval, in points, that is small enough
    smallest : smallest effect that matters, in points
    tests : number of tests that share the chance of a wrong decision
    """

    rule: str
    most: int
    precision: float | None = None
    smallest: float = SMALLEST
    tests: int = 1

    def looks(self) -> Iterator[int]:
        """Numbers of units after which it is looked at."""
        return iter([self.most]) if self.rule == FIXED else looks(self.most)

    def interval(self, estimate: Estimate) -> Estimate:
        """Estimate with the interval that the rule asks for: an ordinary one, or that of the confidence sequence."""
        value, half = estimate.value, estimate.half_width
        if self.rule != UNTIL_DECIDED or value is None or half is None:
            return estimate
        half *= sequence_quantile(estimate.units) / quantile(estimate.units)
        return Estimate(value, value - half, value + half, estimate.units)

    def ended(self, estimate: Estimate) -> str | None:
        """How it ended with an estimate (its interval as the rule asks for); None if it goes on."""
        value, half, units = estimate.value, estimate.half_width, estimate.units
        if self.rule == FIXED:
            return PLAYED
        if value is not None and half is not None and units >= FIRST_LOOK:
            stricter = sequence_quantile(units, self.tests) / sequence_quantile(units)
            doubt = half * stricter or unseen(units)
            if self.precision is not None and doubt <= self.precision:
                return PRECISE
            if self.rule == UNTIL_DECIDED and abs(value) > doubt:
                return DIFFERENT
            if self.rule == UNTIL_DECIDED and abs(value) + doubt < self.smallest:
                return ALIKE
        return LIMIT if units >= self.most else None


@dataclass(frozen=True)
class Ending:
    """
    How an experiment stopped.

    Attributes
    ----------
    stopping : the rule
    how : `PLAYED`, `PRECISE`, `DIFFERENT`, `ALIKE` or `LIMIT`
    looks : number of times it was looked at
    """

    stopping: Stopping
    how: str
    looks: int

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        rule = self.stopping
        named: dict[str, Any] = {"rule": rule.rule, "ended": self.how, "looks": self.looks}
        if rule.rule == PRECISION:
            named |= {"precision": rule.precision, "most": rule.most}
        if rule.rule == UNTIL_DECIDED:
            named |= {"smallest": rule.smallest, "most": rule.most}
        return named | {"intervals": "confidence sequence" if rule.rule == UNTIL_DECIDED else "fixed number"}
