"""Fits: which values of options bring a measure to a value, with the uncertainty of the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analyses.balance.asked import estimate_of, evaluated, kind_of, values_of, whole_measure
from analyses.balance.crossings import Answer, answers, search
from analyses.balance.evaluation import Evaluation, Key
from analyses.balance.measures import MEASURES
from analyses.balance.sweeps import Told, is_own, plain
from analyses.balance.trials import HEAD_START, SHARING_OUT, Ground, Trial, Varied, checked, trials
from analyses.frames import estimates, rows_of
from analyses.groups import Values, spread_estimate
from basra_sim.errors import InputError
from basra_sim.pools import Pools
from basra_sim.rules import OPTIONS
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate
from basra_sim.variants import variant

Goal = float | str
"""A value, or the variant whose own value it is to be."""


@dataclass(frozen=True, repr=False)
class Fit:
    """
    What brings a measure of a variant to a value.

    Attributes
    ----------
    ground : variant, table, level of play, deals
    options : names of the varied options
    key : measure and part
    goal : the value, or the variant whose own value it is
    aim : that value; with an interval if it is a variant's
    own : the measure under the variant's own rules
    own_values : those rules' values of the options
    values : DataFrame
        A row for each setting that was looked at: a column for each option; policy, measure, part, estimate, low, high;
        miss, miss_low, miss_high (the measure less the aim, on the same deals); alike (whether it cannot be told from
        the aim), distance (from the own rules, see `distance`), own; unit, units (deals), seed. Of a single option with
        numbers in their order; else the nearest first.
    answers : DataFrame
        Of a single option with numbers, a row for each answer: value (where the measure crosses the aim; empty if it
        only comes too near to be told from it), low, high (interval), low_open, high_open (whether the interval is cut
        by the end of the values asked for), crossings, first, last, count (the values asked for that cannot be told
        from the answer), best (the value looked at that misses least). Empty where the aim is not reached.
    curve : whether it is a single option with numbers
    asked : number of settings asked for
    left_out : values with which the cards do not come out even
    """

    ground: Ground
    options: tuple[str, ...]
    key: Key
    goal: Goal
    aim: Estimate
    own: Estimate
    own_values: Mapping[str, Any]
    values: pd.DataFrame
    answers: pd.DataFrame
    curve: bool
    asked: int
    left_out: tuple[Mapping[str, Any], ...] = ()

    def __repr__(self) -> str:
        """One line."""
        return f"<Fit: {self._words}; {len(self.answers)} answers, seed {self.ground.seed}>"

    @property
    def _words(self) -> str:
        """What was looked for."""
        measure = ":".join(part for part in self.key if part)
        return f"{self.ground.variant}, {', '.join(self.options)}: {measure} to {self.goal}"

    def _repr_html_(self) -> str:
        """Where the measure crosses the aim, and the settings that come nearest to it."""
        caption = f"{self._words} (aim {self.aim}; under the own rules {self.own}), seed {self.ground.seed}. "
        caption += f"Intervals at {CONFIDENCE:.0%} confidence."
        answers = [
            [f"{row['value']:.4g}", f"{row['low']:.4g}", f"{row['high']:.4g}", str(row["best"])]
            for row in rows_of(self.answers)
        ]
        near = self.values.reindex(self.values["miss"].abs().sort_values(kind="stable").index)
        rows = [
            [*(str(row[name]) for name in self.options), *each.texts, "yes" if row["alike"] else "no"]
            for row, each in zip(rows_of(near), estimates(near), strict=True)
        ]
        heads = [*self.options, "estimate", "low", "high", "not told from the aim"]
        return html(
            html_table(caption, ["crosses at", "low", "high", "best value played"], answers, range(4)),
            html_table("Settings, the nearest first.", heads, rows, range(len(heads) - 1), ".values"),
        )

    @property
    def nearest(self) -> dict[str, Any] | None:
        """Row of `values` that misses least; None if none has the measure."""
        return _least(self.values, self.values["miss"].abs())

    @property
    def mildest(self) -> dict[str, Any] | None:
        """Row of `values` nearest to the own rules, of those that cannot be told from the aim."""
        alike = self.values[self.values["alike"]]
        return _least(alike, alike["distance"])


def _least(frame: pd.DataFrame, heights: pd.Series) -> dict[str, Any] | None:
    """The first row of a frame that is lowest; None if there is none."""
    known = heights.to_numpy(float)
    return rows_of(frame)[int(np.nanargmin(known))] if np.isfinite(known).any() else None


def fit(
    ground: Ground,
    varied: Varied,
    measure: str,
    goal: Goal,
    *,
    progress: Told | None = None,
) -> Fit:
    """
    Find the values of options that bring a measure to a value.

    Of a single option with numbers not all need to be played: those about which the measure crosses the aim are closed
    in on, from values far apart. Of several options, or of words, all combinations are.

    Parameters
    ----------
    ground : variant, table, level of play, deals
    varied : values by option, `trials.HEAD_START` among them
    measure : name of `measures.MEASURES`, with a part if it has several: ``"points:basras"``
    goal : number, in the unit of the measure; or a variant, whose own value on the same deals is the aim

    Raises
    ------
    InputError
        If something given is impossible; nothing has been played then.
    BasraError
        If a match does not end within the rounds of a group.
    """
    key, values = checked_fit(ground, varied, measure, goal)
    work = _Work(ground, key, goal, tuple(values), progress)
    if _is_curve(values):
        return _on_a_curve(work, *values.items())
    settings, left_out = trials(ground, values)
    work.expect(len(settings))
    kind = kind_of(key[0])
    for number, evaluation in evaluated(kind, settings, ground):
        work.take(settings[number], evaluation)
    frame = work.frame().sort_values("miss", key=lambda miss: miss.abs(), kind="stable", ignore_index=True)
    return work.fit(frame, [], False, len(settings), left_out)


def checked_fit(ground: Ground, varied: Varied, measure: str, goal: Goal) -> tuple[Key, dict[str, tuple[Any, ...]]]:
    """
    Measure and values of a fit, once it is known that it is possible; nothing is played.

    Raises
    ------
    InputError
        If it is not.
    """
    key = whole_measure(measure)
    check_goal(key, goal)
    values = checked(ground, varied, [key[0]])
    if all(len(each) == 1 for each in values.values()):
        raise InputError("one setting leaves nothing to find: give an option several values")
    if not _is_curve(values):
        trials(ground, values)
    else:
        ((name, numbers),) = values.items()
        values = {name: tuple(sorted(numbers))}
        if len(_possible(ground, name, numbers)) < 2:
            raise InputError(
                f"{name}: two values at least must be possible; the cards do not come out even with others"
            )
    if isinstance(goal, str):
        replace(ground, variant=goal, changes={}).own(())
    return key, values


def _is_curve(values: Varied) -> bool:
    """Whether a single option with numbers is varied."""
    return len(values) == 1 and all(type(value) is int for value in next(iter(values.values())))


def _possible(ground: Ground, name: str, values: Sequence[int]) -> list[int]:
    """Values of an option with which the cards come out even; refuses others that are impossible."""
    found = [value for value in values if name not in SHARING_OUT or ground.comes_out_even({name: value})]
    for value in found:
        ground.trial({name: value})
    return found


def check_goal(key: Key, goal: Goal) -> None:
    """
    Refuse a goal that a measure cannot have.

    Raises
    ------
    InputError
        If it is no number, no share, or no variant.
    """
    if isinstance(goal, str):
        variant(goal)
    elif not np.isfinite(goal):
        raise InputError(f"{goal} is not possible: the value to come to must be a number")
    elif MEASURES[key[0]].unit.startswith("of ") and not -1 <= goal <= 1:
        raise InputError(f"{goal:g} is not possible: {key[0]} is a share, such as 0.42 or 42%")


def _on_a_curve(work: "_Work", varied: tuple[str, Sequence[int]]) -> Fit:
    """Fit of a single option with numbers."""
    name, values = varied
    possible = _possible(work.ground, name, values)
    left_out = [{name: value} for value in values if value not in possible]

    def miss(value: int) -> Values:
        return work.look(work.ground.trial({name: value}))

    found = search(possible, miss, work.expect)
    frame = work.frame().sort_values(name, ignore_index=True)
    places = sorted(found)
    return work.fit(
        frame, answers(places, np.stack([found[place] for place in places])), True, len(possible), left_out, possible
    )


class _Work:
    """What a fit gathers while it looks at settings."""

    def __init__(self, ground: Ground, key: Key, goal: Goal, options: tuple[str, ...], progress: Told | None) -> None:
        self.ground, self.key, self.goal, self.options = ground, key, goal, options
        self._kind, self._pools, self._progress = kind_of(key[0]), Pools(), progress
        self._own = ground.own(options)
        self._rows: list[dict[str, Any]] = []
        self._expected = 1

    def expect(self, settings: int) -> None:
        """Foresee so many settings, in all."""
        self._expected = settings

    @cached_property
    def base(self) -> Evaluation:
        """The own rules, played."""
        return self._kind.run(self._own, self.ground, self._pools)

    @cached_property
    def aimed(self) -> Evaluation | None:
        """The rules whose value is the aim, played; None if that is a number."""
        if not isinstance(self.goal, str):
            return None
        there = replace(self.ground, variant=self.goal, changes={})
        return self._kind.run(there.own(()), there, self._pools)

    @property
    def aim(self) -> Estimate:
        """The aim."""
        if self.aimed is None:
            return Estimate(float(self.goal), None, None, 0)
        return estimate_of(self.aimed, self.key)

    def miss(self, found: Evaluation) -> Values:
        """By how much an evaluation misses the aim, from all groups and without each; nan where it has no such part."""
        values = values_of(found, self.key)
        if values is None:
            return np.full_like(next(iter(found.values.values())), np.nan)
        if self.aimed is None:
            return values - float(self.goal)
        aim = values_of(self.aimed, self.key)
        return np.full_like(values, np.nan) if aim is None else values - aim

    def look(self, trial: Trial) -> Values:
        """Play a setting; by how much it misses the aim."""
        return self.take(trial, self._kind.run(trial, self.ground, self._pools))

    def take(self, trial: Trial, found: Evaluation) -> Values:
        """Keep the evaluation of a setting; by how much it misses the aim."""
        misses = self.miss(found)
        nothing = Estimate(None, None, None, found.deals)
        has = bool(np.isfinite(misses).all())
        estimate, miss = (
            (estimate_of(found, self.key), spread_estimate(misses, found.deals)) if has else (nothing, nothing)
        )
        alike = miss.low is not None and miss.high is not None and miss.low <= 0 <= miss.high
        self._rows.append(
            {name: plain(value) for name, value in trial.values.items()}
            | {"policy": ", ".join(found.policies), "measure": self.key[0], "part": self.key[1]}
            | {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}
            | {"miss": miss.value, "miss_low": miss.low, "miss_high": miss.high}
            | {"alike": alike}
            | {"values": trial.values, "own": is_own(trial, self._own)}
            | {"unit": MEASURES[self.key[0]].unit, "units": found.deals, "seed": self.ground.seed}
        )
        if self._progress is not None:
            self._progress(len(self._rows), max(self._expected, len(self._rows)))
        return misses

    def frame(self) -> pd.DataFrame:
        """Rows of all settings looked at."""
        frame = pd.DataFrame(self._rows)
        frame["distance"] = distance([dict(each) for each in frame.pop("values")], self._own.values)
        numbers = ["estimate", "low", "high", "miss", "miss_low", "miss_high"]
        frame[numbers] = frame[numbers].astype(float)
        last = ["unit", "units", "seed"]
        return frame[[name for name in frame.columns if name not in last] + last]

    def fit(
        self,
        frame: pd.DataFrame,
        found: Sequence[Answer],
        curve: bool,
        asked: int,
        left_out: Sequence[Mapping[str, Any]],
        possible: Sequence[int] = (),
    ) -> Fit:
        """All of it together."""
        has = values_of(self.base, self.key) is not None
        own = estimate_of(self.base, self.key) if has else Estimate(None, None, None, self.base.deals)
        rows = [_answer(each, possible) for each in found]
        columns = list(_answer(Answer(0.0, 0.0, 0.0, False, False, 0, 0), (0,)))
        return Fit(
            self.ground,
            self.options,
            self.key,
            self.goal,
            self.aim,
            own,
            {name: plain(value) for name, value in self._own.values.items()},
            frame,
            pd.DataFrame(rows, columns=columns).astype({"first": "Int64", "last": "Int64"}),
            curve,
            asked,
            tuple(left_out),
        )


def _answer(found: Answer, possible: Sequence[int]) -> dict[str, Any]:
    """Row of an answer."""
    alike = [value for value in possible if found.low <= value <= found.high]
    first, last = (alike[0], alike[-1]) if alike else (None, None)
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "low_open": found.low_open,
        "high_open": found.high_open,
        "crossings": found.crossings,
        "first": first,
        "last": last,
        "count": len(alike),
        "best": found.best,
    }


def distance(settings: Sequence[Mapping[str, Any]], own: Mapping[str, Any]) -> list[float]:
    """
    How far settings are from the own rules.

    A number counts by how much it differs, as a part of the range of all numbers asked for and the own one; anything
    else counts 1 if it differs. Added up over options.
    """
    spans = {}
    for name, value in own.items():
        numbers = [each[name] for each in settings] + [value]
        if name == HEAD_START or type(OPTIONS[name].default) is int:
            spans[name] = max(max(numbers) - min(numbers), 1)
    return [
        float(sum(
            abs(each[name] - value) / spans[name] if name in spans else each[name] != value
            for name, value in own.items()
        ))
        for each in settings
    ]  # fmt: skip
