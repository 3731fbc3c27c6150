"""Which measures are asked for, how each is found, and which trials can share what is played."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyses.balance.choices import THRESHOLDS, choice_plan, choices
from analyses.balance.equal import measured
from analyses.balance.evaluation import AHEAD, Evaluation, Key
from analyses.balance.measures import (
    BEHIND,
    CHOICE_MEASURES,
    LACKING,
    MATCH_MEASURES,
    MEASURES,
    ROUND_MEASURES,
    SKILL_MEASURES,
    SOURCE_PARTS,
    comeback_part,
)
from analyses.balance.runs import fewer
from analyses.balance.skill import BETTER, WEAKER, skill
from analyses.balance.trials import Ground, Trial
from analyses.groups import Values, spread_estimate
from basra_sim.errors import InputError
from basra_sim.plans import Plan
from basra_sim.policies import Policy, get_policy
from basra_sim.pools import Pools, equal_plan, match_seen, play_key, unequal_plan
from basra_sim.rules import Setting
from basra_sim.rules.wording import did_you_mean, either
from basra_sim.stats import Estimate, as_share


@dataclass(frozen=True)
class Kind:
    """
    A way to play by which measures are found.

    Attributes
    ----------
    name : what is played, in words
    measures : names of the measures it finds
    policies : who plays, on some ground
    plan : what is played at a table, by those
    evaluate : plays, and measures
    """

    name: str
    measures: frozenset[str]
    policies: Callable[[Ground], tuple[str | Policy, ...]]
    plan: Callable[[Setting, tuple[Policy, ...], int], Plan]
    evaluate: Callable[..., Evaluation]

    def players(self, ground: Ground) -> tuple[Policy, ...]:
        """Policies that play."""
        return tuple(get_policy(each) for each in self.policies(ground))

    def deals(self, ground: Ground) -> int:
        """Deals that are played."""
        return min(fewer(ground.deals, policy.name) for policy in self.players(ground))

    def key(self, trial: Trial, ground: Ground) -> tuple[Any, ...]:
        """What the plays of a trial depend on."""
        return play_key(self.plan(trial.table, self.players(ground), ground.seed))

    def run(self, trial: Trial, ground: Ground, pools: Pools | None = None) -> Evaluation:
        """Evaluation of a trial."""
        return self.evaluate(
            trial.table,
            *self.policies(ground),
            deals=self.deals(ground),
            seed=ground.seed,
            threads=ground.threads,
            pools=pools,
            head_start=trial.head_start,
        )


EQUAL = Kind(
    "equal players",
    frozenset(measure.name for measure in (*ROUND_MEASURES, *MATCH_MEASURES)),
    lambda ground: (ground.policy,),
    lambda table, players, seed: equal_plan(table, players[0], seed),
    measured,
)

UNEQUAL = Kind(
    "a better player among weaker ones",
    frozenset(measure.name for measure in SKILL_MEASURES),
    lambda _: (BETTER, WEAKER),
    lambda table, players, seed: unequal_plan(table, players[0], players[1], seed),
    skill,
)

A_DECISION = 16
"""How many times fewer decisions are weighed than deals are played: each takes as long as some rounds."""


@dataclass(frozen=True)
class _Decisions(Kind):
    """Decisions weighed by playing on: no rounds that others could share, and no score of a match."""

    def deals(self, ground: Ground) -> int:
        """Decisions that are weighed, one a deal."""
        return super().deals(ground) // A_DECISION

    def key(self, trial: Trial, ground: Ground) -> tuple[Any, ...]:
        """The rules themselves: each trial is played by itself."""
        return (ground.policy, trial.table.rules, trial.head_start)


def _weighed(
    table: Setting, policy: str | Policy, *, deals: int, seed: int, threads: int | None, **_: Any
) -> Evaluation:
    """Evaluation by decisions, which have no use for rounds of others or for a head start."""
    return choices(table, policy, deals=deals, seed=seed, threads=threads)


CHOICES = _Decisions(
    "decisions of equal players",
    frozenset(measure.name for measure in CHOICE_MEASURES),
    lambda ground: (ground.policy,),
    lambda table, players, seed: choice_plan(table, players[0], seed),
    _weighed,
)

KINDS = (EQUAL, UNEQUAL, CHOICES)


def kind_of(measure: str) -> Kind:
    """Way in which a measure is found."""
    return next(kind for kind in KINDS if measure in kind.measures)


_PARTS: dict[str, tuple[str, ...]] = {
    "points": SOURCE_PARTS,
    "variance_share": SOURCE_PARTS[:-1],
    "real_choices": tuple(THRESHOLDS),
    "comeback": tuple(comeback_part(behind, lacking) for behind in BEHIND for lacking in LACKING),
}


def read_measure(text: str) -> Key:
    """
    Measure and part of a text such as ``match_rounds`` or ``points:basras``; without a part, all that there are.

    Raises
    ------
    InputError
        If there is none such, or it cannot be found by playing whole rounds.
    """
    name, _, part = (each.strip() for each in text.partition(":"))
    known = [measure for kind in KINDS for measure in MEASURES if measure in kind.measures]
    if name not in known:
        hint = did_you_mean(name, known) or f": there are {either(known)}"
        raise InputError(f"there is no measure {name!r} to vary rules by{hint}")
    if part and name == "match_length":
        if not part.isdecimal() or int(part) < 1:
            raise InputError(f"{text}: a part of match_length is a number of rounds, such as match_length:5")
        return name, str(int(part))
    if part and part not in _PARTS.get(name, ()):
        parts = _PARTS.get(name)
        hint = f"{did_you_mean(part, parts)}; there are {'; '.join(parts)}" if parts else "; it has no parts"
        raise InputError(f"{text}: {name} has no part {part!r}{hint}")
    return name, part


def whole_measure(text: str) -> Key:
    """
    Measure and part of a text that stand for one number.

    Raises
    ------
    InputError
        If there is none such, or it has several parts and none is named.
    """
    name, part = read_measure(text)
    if not part and (name in _PARTS or name == "match_length"):
        example = "5" if name == "match_length" else _PARTS[name][0]
        raise InputError(f"{name} has several parts: name one, such as '{name}:{example}'")
    return name, part


def values_of(found: Evaluation, key: Key) -> Values | None:
    """
    Values of a measure from all groups and without each, (1 + groups,); None where there is no such part.

    Rounds until somebody is ahead are not a number where the better player is not.
    """
    if key[0] == "match_length" and key not in found.values:
        return np.zeros_like(next(iter(found.values.values())))
    if key not in found.values:
        return None
    values = found.values[key]
    if key[0] != "rounds_to_tell":
        return values
    return np.asarray((AHEAD / np.where(values > 0, values, np.nan)) ** 2)


def estimate_of(found: Evaluation, key: Key) -> Estimate:
    """Estimate of a measure that `values_of` has."""
    if key in found.values:
        return found.estimate(*key)
    return as_share(spread_estimate(np.zeros_like(next(iter(found.values.values()))), found.deals))


def looks_at_matches(ground: Ground) -> bool:
    """Whether the equal players may look at the score of a match: here they are shown none."""
    return match_seen(EQUAL.plan(ground.own(()).table, EQUAL.players(ground), ground.seed))


def keys_of(found: Evaluation, asked: Sequence[Key]) -> list[Key]:
    """Measures and parts of an evaluation that are asked for; those asked for without a part, with all they have."""
    return [each for key in asked for each in ([key] if key[1] else [has for has in found.values if has[0] == key[0]])]


def grouped(kind: Kind, settings: Sequence[Trial], ground: Ground) -> list[list[int]]:
    """Numbers of trials, those together whose players play the same cards."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for number, trial in enumerate(settings):
        groups.setdefault(kind.key(trial, ground), []).append(number)
    return list(groups.values())


def evaluated(
    kind: Kind, settings: Sequence[Trial], ground: Ground, first: int = 0
) -> Iterator[tuple[int, Evaluation]]:
    """
    Numbers of trials and their evaluations; rounds that several can share are played once, and then forgotten.

    The trial that is to come first comes first, and those that share its rounds.
    """
    for numbers in sorted(grouped(kind, settings, ground), key=lambda numbers: first not in numbers):
        numbers.sort(key=lambda number: number != first)
        pools = Pools(kept=len(numbers) > 1)
        for number in numbers:
            yield number, kind.run(settings[number], ground, pools)


def unseen(kind: Kind, settings: Sequence[Trial], ground: Ground) -> list[str]:
    """Varied options that the players do not see: whatever their values, the same cards are played."""
    keys = [kind.key(trial, ground) for trial in settings]

    def is_unseen(name: str) -> bool:
        groups: dict[str, list[tuple[Any, ...]]] = {}
        for trial, key in zip(settings, keys, strict=True):
            others = repr({other: value for other, value in trial.values.items() if other != name})
            groups.setdefault(others, []).append(key)
        sizes = [(len(group), len(set(group))) for group in groups.values()]
        return max(sizes)[0] > 1 and all(different == 1 for _, different in sizes)

    names: Iterable[str] = settings[0].values if settings else ()
    return [name for name in names if is_unseen(name)]
