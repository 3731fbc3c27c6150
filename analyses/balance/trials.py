"""Rules that are varied: which values, and the settings that come of all their combinations."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from analyses.balance.measures import MATCH_MEASURES
from analyses.balance.playing import Sampling
from basra_sim.errors import InputError
from basra_sim.policies import Policy, get_policy
from basra_sim.rules import OPTIONS, RulesError, Setting, deals, override, parse_value
from basra_sim.rules.wording import did_you_mean, either, shown
from basra_sim.variants import setting, variant

HEAD_START = "head_start"
"""Varied like an option: points that the dealer's side of the first round starts with; below 0, the first mover's."""

MOST_HEAD_START = 1000

OF_MATCHES = ("target", "match_tie", "extend_by", HEAD_START)
"""Options that single rounds know nothing of."""

SHARING_OUT = ("hand_size", "pack", "short_last_deal")
"""Options on which it depends whether the cards come out even."""

MOST_VALUES, MOST_TRIALS = 10_000, 1_000
"""Values of one option, and combinations that are all played, at most."""

DEALS = 64_000
"""Deals of greedy players where nothing is said; of those who think longer a quarter."""

_RANGE = re.compile(r"\s*([+-]?\d{1,99})\s*:\s*([+-]?\d{1,99})\s*(?::\s*([+-]?\d{1,99})\s*)?")
_NUMBER = re.compile(r"\s*[+-]?\d{1,9}\s*")

Varied = Mapping[str, Sequence[Any]]
"""Values of the options that are varied."""


@dataclass(frozen=True)
class Trial:
    """
    One combination of values.

    Attributes
    ----------
    values : the varied options, as they stand in the rules
    table : the setting that is played
    head_start : see `HEAD_START`
    """

    values: Mapping[str, Any]
    table: Setting
    head_start: int = 0


@dataclass(frozen=True)
class Ground:
    """
    What all trials have in common.

    Attributes
    ----------
    variant : name or file
    players, pairs : the table
    policy : level of play of equal players
    deals : deals of players who do not think long, see `jobs.FEWER`
    seed, threads : as for `plans.plan`
    changes : options that differ from the variant's in all trials
    """

    variant: str = "bastra"
    players: int = 2
    pairs: bool = False
    policy: str | Policy = "greedy"
    deals: int = DEALS
    seed: int = 1
    threads: int | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> str:
        """Name of the policy of equal players."""
        return get_policy(self.policy).name

    def trial(self, values: Mapping[str, Any]) -> Trial:
        """
        Trial of some values.

        Raises
        ------
        InputError
            If they are impossible, with the reason.
        """
        rules = {name: value for name, value in values.items() if name != HEAD_START}
        table = setting(self.variant, self.players, self.pairs, {**self.changes, **rules})
        ahead = values.get(HEAD_START, 0)
        if abs(ahead) >= table.rules.target:
            raise InputError(
                f"{HEAD_START} = {ahead} is not possible with target = {table.rules.target}: it takes "
                f"{1 - table.rules.target} to {table.rules.target - 1}, or the match would be over before it begins"
            )
        return Trial(values, table, ahead)

    def own(self, names: Iterable[str]) -> Trial:
        """The variant's own rules, with their values of some options."""
        table = self.trial({}).table
        return Trial({name: 0 if name == HEAD_START else getattr(table.rules, name) for name in names}, table)

    def comes_out_even(self, values: Mapping[str, Any]) -> bool:
        """Whether the cards can be dealt out under some values."""
        rules = {name: value for name, value in values.items() if name != HEAD_START}
        return bool(deals(override(variant(self.variant).rules, {**self.changes, **rules}), self.players))


def read_varied(texts: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """
    Values of options given as texts such as ``target=50,100``, ``target=50:150:25`` or ``buried=J/J,7D``.

    Raises
    ------
    InputError
        If a text has another form, names no option or one for the second time, or has a value the option does not take.
    """
    varied: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        name, sign, values = (part.strip() for part in text.partition("="))
        if not sign or not name or not values:
            raise InputError(f"{shown(text)} varies nothing: write NAME=VALUE,VALUE,… or NAME=FIRST:LAST:STEP")
        if name in varied:
            raise InputError(f"{name} is varied twice: give all its values at once, such as target=50,100,150")
        varied[name] = _read_values(name, values)
    return varied


def _read_values(name: str, text: str) -> tuple[Any, ...]:
    """Values of one option."""
    if name != HEAD_START and name not in OPTIONS:
        hint = did_you_mean(name, (*OPTIONS, HEAD_START)) or f": there are {either((*OPTIONS, HEAD_START))}"
        raise InputError(f"{name} = {shown(text)}: there is no such option{hint}")
    if name != HEAD_START and isinstance(OPTIONS[name].default, tuple):
        texts: Iterable[Any] = text.split("/")
    else:
        texts = [value for part in text.split(",") for value in _spread(name, part)]
    values = [_read_head_start(value) if name == HEAD_START else parse_value(name, value) for value in texts]
    return checked_values(name, values)


def _spread(name: str, part: str) -> Iterable[Any]:
    """Values that a part of a list stands for: itself, or the numbers of a range."""
    found = _RANGE.fullmatch(part)
    form = "write FIRST:LAST:STEP, such as 50:150:25"
    if found is None and ":" in part:
        raise InputError(f"{name} = {shown(part.strip())} is no range: {form}")
    if found is None:
        return [part.strip()]
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    numbers = range(first, last + 1, step) if step > 0 else range(0)
    if not numbers:
        what = "LAST is below FIRST" if last < first else "STEP must be 1 or more"
        raise InputError(f"{name} = {shown(part.strip())} holds nothing, as {what}: {form}")
    if (last - first) // step >= MOST_VALUES:
        how = "write a larger STEP" if found[3] else f"it has no STEP; {form}"
        raise InputError(f"{name} = {shown(part.strip())} holds more than {MOST_VALUES:,} values: {how}")
    return numbers


def _read_head_start(value: Any) -> int:
    """Points of a head start."""
    number = int(value) if not isinstance(value, str) or _NUMBER.fullmatch(value) else None
    if number is None or abs(number) > MOST_HEAD_START:
        allowed = f"a whole number from {-MOST_HEAD_START} to {MOST_HEAD_START}"
        raise InputError(f"{HEAD_START} = {shown(value)} is not possible: it takes {allowed}")
    return number


def checked_values(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """
    Values of an option, each in its one spelling.

    Raises
    ------
    InputError
        If the option does not exist or take them, one is there twice, or there is none.
    """
    found = [_read_head_start(value) if name == HEAD_START else parse_value(name, value) for value in values]
    twice = next((value for k, value in enumerate(found) if value in found[:k]), None)
    if twice is not None:
        raise InputError(f"{name} = {shown(twice)} is there twice: give every value once")
    if not found:
        raise InputError(f"{name} is given no values")
    return tuple(found)


def checked(ground: Ground, varied: Varied, measures: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """
    Values that are varied, each in its one spelling, once it is known that there is a sense in varying them.

    Raises
    ------
    InputError
        If there is none: nothing is varied, an option is set as well, or nothing that is measured depends on it.
    """
    Sampling(ground.deals)
    get_policy(ground.policy)
    if not varied:
        raise InputError("name an option to vary, such as --vary target=50,100,150")
    named = list(measures)
    matches = {measure.name for measure in MATCH_MEASURES} | {"better_match_wins"}
    for name in varied:
        if name in ground.changes:
            raise InputError(f"{name} is both set to {shown(ground.changes[name])} and varied: do one of them")
        if name in OF_MATCHES and not matches & set(named):
            raise InputError(
                f"{name} makes no difference to {either(named)}, which single rounds decide: "
                "measure something of matches, such as match_rounds"
            )
    return {name: checked_values(name, values) for name, values in varied.items()}


def trials(ground: Ground, varied: Varied) -> tuple[list[Trial], list[dict[str, Any]]]:
    """
    Trials of all combinations of values, the last option running fastest; and values with which cards do not come out.

    Raises
    ------
    InputError
        If there are too many, one is impossible for another reason than that the cards do not come out even, or none
        is possible.
    """
    number = prod(len(values) for values in varied.values())
    if number > MOST_TRIALS:
        raise InputError(f"{number:,} combinations are too many: there may be {MOST_TRIALS:,}; vary fewer values")
    found, left_out, reason = [], [], ""
    for combination in product(*varied.values()):
        values = dict(zip(varied, combination, strict=True))
        try:
            found.append(ground.trial(values))
        except RulesError as error:
            if not set(varied) & set(SHARING_OUT) or ground.comes_out_even(values):
                raise
            left_out.append(values)
            reason = reason or str(error)
    if not found:
        raise InputError(f"no combination is possible: {reason}")
    return found, left_out
