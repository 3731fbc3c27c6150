"""Sweeps: how measures change as options of the rules take other values, all of them on the same deals."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from analyses.balance.asked import (
    Kind,
    estimate_of,
    evaluated,
    grouped,
    keys_of,
    kind_of,
    read_measure,
    unseen,
    values_of,
)
from analyses.balance.evaluation import Evaluation, Key
from analyses.balance.measures import MEASURES
from analyses.balance.trials import Ground, Trial, Varied, checked, trials
from analyses.frames import estimates, rows_of
from analyses.groups import spread_estimate
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate

DEFAULT_MEASURES = ("first_seat_advantage", "match_rounds", "skill", "one_round_decides")
"""What is measured where nothing is said."""

Told = Callable[[int, int], None]
"""Told how many settings are done and how many there are."""


@dataclass(frozen=True)
class Sharing:
    """
    Which settings shared the rounds that were played.

    Attributes
    ----------
    kind : who played: see `asked.Kind`
    policies : their policies
    deals : deals of each setting
    settings : number of settings, the variant's own rules among them
    played : number of times that rounds were played anew
    rounds : rounds played, in all
    unseen : varied options that the players do not see
    """

    kind: str
    policies: tuple[str, ...]
    deals: int
    settings: int
    played: int
    rounds: int
    unseen: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Sweep:
    """
    Measures of a variant as some options of its rules vary.

    Attributes
    ----------
    frame : DataFrame
        A row for each setting, measure and part: a column for each varied option, in their order; policy, measure,
        part, estimate, low, high; difference, difference_low, difference_high (to the variant's own rules, on the same
        deals; empty where they have no such part); unit, units (deals), rounds, seed, own (whether the setting is that
        of the variant's own rules)
    own : DataFrame
        The same of the variant's own rules alone.
    options : names of the varied options
    table : label of the variant, with players
    left_out : values with which the cards do not come out even
    sharing : which settings shared rounds, for each kind of play
    missing : what was asked for and is not here because it was cut short, in words: settings, and names of measures
    """

    frame: pd.DataFrame
    own: pd.DataFrame
    options: tuple[str, ...]
    ground: Ground
    left_out: tuple[Mapping[str, Any], ...]
    sharing: tuple[Sharing, ...]
    missing: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """One line."""
        settings = len(self.frame[list(self.options)].drop_duplicates())
        return f"<Sweep: {self.ground.variant}, {', '.join(self.options)}: {settings} settings>"

    def _repr_html_(self) -> str:
        """Measures by setting, and by how much they differ from the variant's own rules."""
        rows = [
            [
                *(str(row[name]) for name in self.options),
                row["policy"],
                f"{row['measure']} {row['part']}".strip(),
                *each.texts,
                _gap(row),
                row["unit"],
                f"{each.units:,}",
            ]
            for row, each in zip(rows_of(self.frame), estimates(self.frame), strict=True)
        ]
        headings = [*self.options, "players", "measure", "estimate", "low", "high", "to the own rules", "unit", "deals"]
        start = len(self.options) + 2
        caption = f"{self.ground.variant}, {self.ground.players} players, seed {self.ground.seed}. Intervals at "
        caption += f"{CONFIDENCE:.0%} confidence, each for itself; differences on the same deals."
        return html(html_table(caption, headings, rows, range(start, start + 4), ".frame"))


def sweep(
    ground: Ground,
    varied: Varied,
    measures: Sequence[str] = DEFAULT_MEASURES,
    *,
    progress: Told | None = None,
) -> Sweep:
    """
    Measure a variant under all combinations of some values of its options.

    Settings under which the players play the same cards share the rounds, which are played once.

    Parameters
    ----------
    ground : variant, table, level of play, deals
    varied : values by option, `HEAD_START` among them, such as ``{"target": [50, 100]}``
    measures : names of `measures.MEASURES`, with a part if need be: ``"points:basras"``

    Raises
    ------
    InputError
        If something given is impossible; nothing has been played then.
    BasraError
        If a match does not end within the rounds of a group.
    """
    run = Run(ground, varied, measures)
    run.play(progress)
    found = run.result()
    assert found is not None, "all of it was played"
    return found


class Run:
    """
    A sweep that is to be played; if that is cut short, what has been played can be told of.

    Parameters and errors are those of `sweep`.
    """

    def __init__(self, ground: Ground, varied: Varied, measures: Sequence[str] = DEFAULT_MEASURES) -> None:
        self._asked = list(dict.fromkeys(read_measure(text) for text in measures))
        values = checked(ground, varied, [name for name, _ in self._asked])
        settings, left_out = trials(ground, values)
        own = ground.own(values)
        place = next((k for k, trial in enumerate(settings) if is_own(trial, own)), None)
        self._ground, self._options, self._left_out = ground, tuple(values), tuple(left_out)
        self._every = settings if place is not None else [*settings, own]
        self._base = len(self._every) - 1 if place is None else place
        self._base_is_asked_for = place is not None
        kinds: list[Kind] = list(dict.fromkeys(kind_of(name) for name, _ in self._asked))
        self._found: dict[Kind, dict[int, Evaluation]] = {kind: {} for kind in kinds}

    def play(self, progress: Told | None = None) -> None:
        """Play all settings, the variant's own rules first."""
        total = len(self._every) * len(self._found)
        for kind, found in self._found.items():
            for number, evaluation in evaluated(kind, self._every, self._ground, self._base):
                found[number] = evaluation
                done = sum(map(len, self._found.values()))
                if progress is not None:
                    progress(done * len(self._every) // total, len(self._every))

    def result(self) -> Sweep | None:
        """What has been played: the measures of which all settings are, else the settings that are; None if none is."""
        whole = {kind: found for kind, found in self._found.items() if len(found) == len(self._every)}
        kinds = whole or {kind: found for kind, found in list(self._found.items())[:1] if self._base in found}
        if not kinds:
            return None
        numbers = sorted(next(iter(kinds.values())))
        asked = [key for key in self._asked if kind_of(key[0]) in kinds]
        rows: dict[Key, list[dict[str, Any]]] = {}
        for kind, found in kinds.items():
            wanted = [key for key in asked if kind_of(key[0]) is kind]
            for number in numbers:
                for row in _rows(found[number], found[self._base], wanted):
                    key, own = (row["measure"], row["part"]), number == self._base
                    rows.setdefault(key, []).append({**_cells(self._every[number]), **row, "own": own})
        frame = pd.DataFrame([row for key in _ordered(rows, asked) for row in rows[key]])
        frame[_NUMBERS] = frame[_NUMBERS].astype(float)
        is_extra = frame["own"] & (not self._base_is_asked_for)
        return Sweep(
            frame[~is_extra].reset_index(drop=True),
            frame[frame["own"]].reset_index(drop=True),
            self._options,
            self._ground,
            self._left_out,
            tuple(_shared(kind, self._every, numbers, self._ground, found) for kind, found in kinds.items()),
            self._missing(kinds, len(numbers)),
        )

    def _missing(self, kinds: Collection[Kind], settings: int) -> tuple[str, ...]:
        """What is yet to be played, in words, where that of some kinds and so many settings is told."""
        missing = [f"{len(self._every) - settings} of {len(self._every)} settings"]
        names = [name for name, _ in self._asked if kind_of(name) not in kinds]
        return (*missing[settings == len(self._every) :], *dict.fromkeys(names))


_NUMBERS = ["estimate", "low", "high", "difference", "difference_low", "difference_high"]


def is_own(trial: Trial, own: Trial) -> bool:
    """Whether a trial is of the variant's own rules."""
    return (trial.table.rules, trial.head_start) == (own.table.rules, own.head_start)


def _gap(row: Mapping[str, Any]) -> str:
    """By how much a row differs from the variant's own rules, with its interval."""
    value, low, high = (
        None if isnan(row[name]) else float(row[name]) for name in ("difference", "difference_low", "difference_high")
    )
    return str(Estimate(value, low, high, int(row["units"])))


def _cells(trial: Trial) -> dict[str, Any]:
    """Varied options of a row; ranks and cards that are buried as one text."""
    return {name: plain(value) for name, value in trial.values.items()}


def plain(value: Any) -> Any:
    """Value of an option for a column of a frame."""
    return (",".join(value) or "none") if isinstance(value, tuple) else value


def _rows(found: Evaluation, base: Evaluation, wanted: Sequence[Key]) -> Iterator[dict[str, Any]]:
    """Rows of one setting."""
    for key in dict.fromkeys(keys_of(found, wanted)):
        if values_of(found, key) is None:
            continue
        estimate, change = estimate_of(found, key), difference_of(base, found, key)
        yield {
            "policy": ", ".join(found.policies),
            "measure": key[0],
            "part": key[1],
            "estimate": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "difference": change.value,
            "difference_low": change.low,
            "difference_high": change.high,
            "unit": MEASURES[key[0]].unit,
            "units": estimate.units,
            "rounds": found.rounds,
            "seed": found.seed,
        }


def difference_of(one: Evaluation, other: Evaluation, key: Key) -> Estimate:
    """By how much a measure is larger in the other evaluation, on the same deals; empty where one of them has none."""
    values, others = values_of(one, key), values_of(other, key)
    if values is None or others is None or not np.isfinite(others - values).all():
        return Estimate(None, None, None, one.deals)
    return spread_estimate(others - values, one.deals)


def _ordered(rows: Mapping[Key, Any], asked: Sequence[Key]) -> list[Key]:
    """Measures and parts as they were asked for."""
    places = {name: k for k, name in reversed(list(enumerate(name for name, _ in asked)))}
    parts = {key: k for k, key in enumerate(sorted(rows, key=_part_number))}
    return sorted(rows, key=lambda key: (places[key[0]], parts[key]))


def _part_number(key: Key) -> int:
    """Numbers of rounds in their order; other parts as they come."""
    return int(key[1]) if key[0] == "match_length" else 0


def _shared(
    kind: Kind, every: Sequence[Trial], numbers: Sequence[int], ground: Ground, found: Mapping[int, Evaluation]
) -> Sharing:
    """Which of the settings of some numbers shared rounds."""
    settings = [every[number] for number in numbers]
    groups = grouped(kind, settings, ground)
    rounds = sum(found[numbers[group[0]]].rounds for group in groups)
    names = tuple(policy.name for policy in kind.players(ground))
    deals = found[numbers[0]].deals
    return Sharing(kind.name, names, deals, len(settings), len(groups), rounds, tuple(unseen(kind, settings, ground)))
