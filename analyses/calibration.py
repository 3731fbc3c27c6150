"""Calibration: how often tests are wrong where the truth is known, and find what is there, on deals really played."""

import gc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.alike import Asked, Source, Values, thinned
from analyses.clusters import Clustered, mean_on_occasion, sums_over_units
from analyses.frequencies import contrast, portion
from analyses.inference import POWER, difference, equivalence, holm, units_needed
from basra_sim.executors import Progress
from basra_sim.experiment import Design
from basra_sim.frequencies import Counts, count
from basra_sim.moments import Moments
from basra_sim.plans import plan
from basra_sim.sequential import ALIKE, DIFFERENT, MOST_DEALS, UNTIL_DECIDED, Stopping
from basra_sim.stats import CONFIDENCE, LEVEL, Estimate, as_share, mean, share

EXPERIMENTS = 4000
"""Experiments of each kind, if nothing else is said: chance then seldom moves a rate of 5 % by more than 0.7 points."""

TOLERANCE = 0.014
"""How far a rate may be from what it should be: what chance does to one of 5 % in 1,000 experiments, 19 times in 20."""

FALSE_ALARMS, COVERAGE, EDGE, PATH, FOUND = (
    "finds what is not there",
    "interval holds the truth",
    "equivalence at its edge",
    "stops at a wrong decision",
    "finds what is there",
)
"""What is checked."""

SELDOM, RARELY = 1 / 10, 1 / 50
"""Shares of deals in which policies differ: for experiments of some hundred deals, and for those of thousands."""

FAMILY = 5
"""Tests of a family."""

SOURCES: Mapping[str, Source] = {
    "deals": Source(units=250),
    "pairs": Source(units=250, players=4, pairs=True),
    "opponent": Source(units=125, opponent="greedy"),
    "matches": Source(units=50, matches=True),
    "decisions": Asked(units=100),
}
"""What is played, by name."""

ROUNDS = 100
"""Rounds of an experiment on frequencies."""

_BONUS, _EDGE = 0.3, 1.5
"""Points that are planted to be covered, and as the smallest effect that matters."""


@dataclass(frozen=True)
class Kind:
    """
    A kind of estimate.

    Attributes
    ----------
    name : str
    source : name of what is played
    estimate : what the units of one experiment come to
    null : the truth if policies are alike
    alter : what becomes of all values before they are cut into experiments
    covers : whether a bonus can be planted for it to cover
    """

    name: str
    source: str
    estimate: Callable[[Design, Values], Estimate]
    null: float = 0.0
    alter: Callable[[Values, Design], Values] | None = None
    covers: bool = True


def _margin(the: Design, values: Values) -> Estimate:
    """Margin of a duel."""
    return the.margin(Moments.of(values))


def _adjusted(the: Design, values: Values) -> Estimate:
    """Margin with the luck of the deal regressed out."""
    return the.adjusted(Moments.of(values))


def _won(the: Design, values: Values) -> Estimate:
    """Share of matches won."""
    return as_share(the.win(Moments.of(values)))


def _rounds_won(_: Design, values: Values) -> Estimate:
    """Share of rounds won, in matches of many rounds each."""
    return as_share(clustered(values[:, -2:]).scaled(1 / 12))


def _decisions(_: Design, values: Values) -> Estimate:
    """Value of a decision, where a deal has several or none."""
    return clustered(values)


def clustered(values: Values) -> Estimate:
    """Mean of what units have many or none of: (units, 2), the sum and the number of each unit's."""
    sums = sums_over_units(values[:, 1], values[:, 0])
    return mean_on_occasion(Clustered(*sums.tolist()), len(values))


def _seldom(values: Values, the: Design) -> Values:
    """Values of policies that differ in some of the deals only."""
    return thinned(values, the, SELDOM)


MARGIN = Kind("margin of deals", "deals", _margin)

KINDS = (
    MARGIN,
    Kind("margin, luck taken out", "deals", _adjusted),
    Kind("margin of pairs", "pairs", _margin),
    Kind("margin against a third", "opponent", _margin),
    Kind("matches won", "matches", _won, 0.5, covers=False),
    Kind("rounds won in matches", "matches", _rounds_won, 0.5, covers=False),
    Kind("value of a decision", "decisions", _decisions),
    Kind(
        "margin, seldom differing",
        "deals",
        _margin,
        alter=_seldom,
        covers=False,
    ),
)
"""Kinds of estimate that are checked."""

Row = dict[str, object]


@dataclass(frozen=True)
class Laboratory:
    """
    Experiments on policies that are alike, each on its own range of deals of one plan.

    Attributes
    ----------
    experiments, seed : how many, and of which deals
    values : what was played, by the name of its source
    """

    experiments: int
    seed: int
    values: Mapping[str, Values]

    def cut(self, values: Values, units: int) -> Iterator[Values]:
        """Units of each experiment."""
        for number in range(len(values) // units):
            yield values[number * units : (number + 1) * units]

    def estimates(self, kind: Kind, *, size: float = 0.0, units: int | None = None) -> list[Estimate]:
        """Estimate of each experiment of a kind, a bonus of some size planted."""
        source = SOURCES[kind.source]
        the = source.design(self.seed)
        played = self.values[kind.source]
        values = kind.alter(played, the) if kind.alter else played
        given = source.planted(values, size) if size else values
        return [kind.estimate(the, block) for block in self.cut(given, units or source.units)]

    def row(self, check: str, kind: str, units: int, came_out: list[bool], target: float, at_most: bool = False) -> Row:
        """Row of the table: how often something came out, and whether that is as it should be."""
        number = len(came_out)
        rate = share(sum(came_out), number)
        away = (rate.value or 0.0) - target
        room = max(TOLERANCE, 1.96 * sqrt(target * (1 - target) / number))
        told = {"check": check, "kind": kind, "experiments": number, "units": units}
        told |= {"rate": rate.value, "low": rate.low, "high": rate.high, "target": round(target, 6), "at_most": at_most}
        return told | {"passed": away <= room if at_most else abs(away) <= room, "seed": self.seed}


def false_alarms(lab: Laboratory, kind: Kind) -> Row:
    """How often a difference is found where there is none."""
    came_out = [difference(each, kind.null) < LEVEL for each in lab.estimates(kind)]
    return lab.row(FALSE_ALARMS, kind.name, SOURCES[kind.source].units, came_out, LEVEL)


def coverage(lab: Laboratory, kind: Kind) -> Row:
    """How often the interval holds a planted truth."""
    found = lab.estimates(kind, size=_BONUS)
    held = [_holds(each, _BONUS) for each in found]
    return lab.row(COVERAGE, kind.name, SOURCES[kind.source].units, held, CONFIDENCE)


def frequencies(lab: Laboratory) -> Iterator[Row]:
    """
    How often the interval of a frequency, and of a difference between two, holds what all experiments together give.

    Cards laid in rounds of greedy players: the share of numerals that the next player takes, and how many more of the
    cards that sevens take than eights.
    """
    the = plan("bastra", policies="greedy", seed=lab.seed)
    measures: Mapping[str, Callable[[Counts], Estimate]] = {
        "frequency": lambda counts: portion(counts, "answer_kind", {"laid": ("numeral",)}),
        "difference of frequencies": lambda counts: contrast(
            counts, "numeral_cards", {"rank": ("7",)}, {"rank": ("8",)}
        ),
    }
    found: dict[str, list[Estimate]] = {name: [] for name in measures}
    whole = None
    for number in range(lab.experiments):
        counts = count(the, ROUNDS, first=number * ROUNDS, threads=1)
        for name, measure in measures.items():
            found[name].append(measure(counts))
        whole = counts if whole is None else _together(whole, counts)
    for name, measure in measures.items():
        truth = measure(whole).value if whole else None
        yield lab.row(COVERAGE, name, ROUNDS, [_holds(each, truth) for each in found[name]], CONFIDENCE)


def _together(one: Counts, other: Counts) -> Counts:
    """Counts of different units of a plan as one."""
    sums = type(one.sums)(*(mine + theirs for mine, theirs in zip(one.sums, other.sums, strict=True)))
    return Counts(one.plan, one.units + other.units, sums)


def _holds(estimate: Estimate, truth: float | None) -> bool:
    """Whether an interval holds a truth."""
    low, high = estimate.low, estimate.high
    return low is not None and high is not None and truth is not None and low <= truth <= high


def family(lab: Laboratory) -> Row:
    """How often a family of tests finds anything where there is nothing."""
    units = SOURCES[MARGIN.source].units // FAMILY
    found = np.array([difference(each) for each in lab.estimates(MARGIN, units=units)])
    gc.freeze()  # statsmodels collects garbage at every correction by Holm's method: this keeps it short
    came_out = [bool((holm(tests) < LEVEL).any()) for tests in found.reshape(-1, FAMILY).tolist()]
    gc.unfreeze()
    return lab.row(FALSE_ALARMS, f"family of {FAMILY}, Holm", units, came_out, LEVEL)


def edge(lab: Laboratory) -> Row:
    """How often a difference that just matters is taken for none that matters."""
    found = lab.estimates(MARGIN, size=_EDGE)
    came_out = [equivalence(each, _EDGE) < LEVEL for each in found]
    return lab.row(EDGE, MARGIN.name, SOURCES[MARGIN.source].units, came_out, LEVEL, at_most=True)


def power(lab: Laboratory) -> Iterator[Row]:
    """How often a difference is found, or excluded, with the units that the calculation of power names for it."""
    source = SOURCES[MARGIN.source]
    the = source.design(lab.seed)
    whole = the.margin(Moments.of(lab.values[MARGIN.source]))
    # Effects of so many standard errors of an experiment that its units give the power.
    half = (whole.half_width or 0.0) * sqrt(whole.units / source.units)
    size = half * 3.2415 / 1.96
    needed = units_needed(Estimate(size, size - half, size + half, source.units), size / 10) or 1
    came_out = [difference(each) < LEVEL for each in lab.estimates(MARGIN, size=size, units=needed)]
    yield lab.row(FOUND, "difference", needed, came_out, POWER)
    smallest = half * 3.2897 / 1.96
    needed = units_needed(Estimate(0.0, -half, half, source.units), smallest) or 1
    came_out = [equivalence(each, smallest) < LEVEL for each in lab.estimates(MARGIN, units=needed)]
    yield lab.row(FOUND, "no difference that matters", needed, came_out, POWER)


def paths(lab: Laboratory) -> Iterator[Row]:
    """
    How often the stopping rule decides wrongly anywhere on its path, to the last deal that it plays.

    Units are drawn again and again from those that were played, each margin once as it is and once turned round, so
    that the truth is 0 exactly: paths of millions of deals for a thousand experiments could not be played anew.
    """
    the = SOURCES[MARGIN.source].design(lab.seed)
    values = lab.values[MARGIN.source]
    ever = Stopping(UNTIL_DECIDED, MOST_DEALS, smallest=1e-9)
    for name, given in (("truth 0", values), ("truth 0, rarely differing", thinned(values, the, RARELY))):
        gains = given[:, : len(the.signs)] @ np.array(the.signs)
        endings = _walks(the, np.concatenate([gains, -gains]), ever, lab)
        yield lab.row(PATH, name, MOST_DEALS, [how == DIFFERENT for how in endings], LEVEL, at_most=True)
    scale = the.places * (the.places - 1)
    matters = Stopping(UNTIL_DECIDED, MOST_DEALS, smallest=1 / scale)
    gains = values[:, : len(the.signs)] @ np.array(the.signs)
    endings = _walks(the, np.concatenate([gains, -gains]) + 1, matters, lab)
    yield lab.row(PATH, "truth just matters", MOST_DEALS, [how == ALIKE for how in endings], LEVEL, at_most=True)


def _walks(the: Design, gains: npt.NDArray[np.int64], stopping: Stopping, lab: Laboratory) -> list[str | None]:
    """How experiments end whose units are drawn from some gains, each times the places and the others."""
    sizes, counts = np.unique(gains, return_counts=True)
    draw = np.random.default_rng(lab.seed)
    sums, squares = np.zeros((2, lab.experiments), np.int64)
    ended: list[str | None] = [None] * lab.experiments
    before = 0
    for units in stopping.looks():
        drawn = draw.multinomial(units - before, counts / counts.sum(), size=lab.experiments)
        sums, squares, before = sums + drawn @ sizes, squares + drawn @ (sizes * sizes), units
        for number in (number for number, how in enumerate(ended) if how is None):
            found = mean(int(sums[number]), int(squares[number]), units).scaled(1 / (the.places * (the.places - 1)))
            ended[number] = stopping.ended(stopping.interval(found))
    return ended


def steps() -> int:
    """Number of steps of a calibration."""
    return len(SOURCES) + len(KINDS) + sum(kind.covers for kind in KINDS) + 5


def calibrate(
    experiments: int = EXPERIMENTS,
    seed: int = 1,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    within: Progress | None = None,
) -> pd.DataFrame:
    """
    Check all kinds of test where the truth is known.

    Parameters
    ----------
    experiments : how many of each kind
    seed : seed of the deals
    threads : how many threads play; the result does not depend on it
    progress : told how many of all steps are done
    within : told how far the step is that goes on, where rounds are played in it

    Returns
    -------
    DataFrame
        check, kind, experiments, units (deals or matches of each; for stopping rules, at most), rate, low, high (its
        interval), target, at_most (whether the rate may be lower), passed (whether it is within `TOLERANCE`, or what
        chance does with fewer experiments), seed.
    """
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps())

    values = {}
    for name, source in SOURCES.items():
        values[name] = source.play(experiments * source.units, seed, threads, within)
        step()
    lab = Laboratory(experiments, seed, values)
    rows: list[Row] = []
    for kind in KINDS:
        rows.append(false_alarms(lab, kind))
        step()
    rows.append(family(lab))
    step()
    for kind in KINDS:
        if kind.covers:
            rows.append(coverage(lab, kind))
            step()
    rows += frequencies(lab)
    step()
    rows.append(edge(lab))
    step()
    rows += paths(lab)
    step()
    rows += power(lab)
    step()
    return pd.DataFrame(rows)
