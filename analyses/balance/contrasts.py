"""What one rule does: a variant beside itself with that rule changed, on the same deals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyses.balance.equal import measured
from analyses.balance.evaluation import Evaluation, Key, difference
from analyses.balance.measures import MEASURES, comeback_part
from analyses.balance.runs import fewer
from analyses.balance.skill import BETTER, WEAKER, skill
from analyses.jobs import PLAYERS, Job, weight
from basra_sim.executors import Progress
from basra_sim.pools import Pools
from basra_sim.variants import setting


@dataclass(frozen=True)
class Contrast:
    """
    A variant as it is, and with some options changed.

    Attributes
    ----------
    name : str
    variant : str
    changes : options that are changed
    asks : what a person would like to know
    """

    name: str
    variant: str
    changes: Mapping[str, object]
    asks: str

    @property
    def words(self) -> str:
        """The changes as they are written on a command line."""
        return ", ".join(f"{name}={value}" for name, value in self.changes.items())


CONTRASTS = (
    Contrast(
        "majority-of-30",
        "egyptian",
        {"majority_points": 3},
        "What do 30 points for most cards do to the Egyptian game, beside the 3 that others give?",
    ),
    Contrast(
        "twice-face",
        "palestinian",
        {"basra_scoring": "flat"},
        "What does it do to the Palestinian game that a basra scores twice its card, beside 10 for any?",
    ),
    Contrast(
        "tie-carried",
        "egyptian",
        {"majority_tie": "none"},
        "What does it do that points for most cards are carried over in a tie, and not lost?",
    ),
    Contrast(
        "tie-for-each",
        "egyptian",
        {"majority_tie": "each"},
        "What does it do that points for most cards are carried over in a tie, and not given to each?",
    ),
)
"""What is asked of single rules."""

COMPARED: tuple[Key, ...] = (
    ("variance_share", "majority"),
    ("variance_share", "basras"),
    ("first_seat_advantage", ""),
    ("first_match_wins", ""),
    ("match_rounds", ""),
    ("match_ties", ""),
    ("lead_changes", ""),
    ("one_round_decides", ""),
    ("comeback", comeback_part(20, 40)),
    ("round_without_majority", ""),
    ("match_without_majority", ""),
)
"""Measures of equal players that are compared."""

COMPARED_SKILL: tuple[Key, ...] = (
    ("skill", ""),
    ("deal_share", ""),
    ("better_round_wins", ""),
    ("better_match_wins", ""),
)
"""Measures of skill that are compared."""

_CHAIN = "contrasts"
"""Contrasts share rounds."""


def jobs(deals: int, seed: int = 1, threads: int | None = None) -> Iterator[Job]:
    """
    What is to be played for all contrasts, two players at the table.

    The rows of `jobs.run` have the columns contrast, variant, changes, policy, measure, part, as_is, as_is_low,
    as_is_high, changed, changed_low, changed_high, estimate, low, high (what the change adds), unit, units (deals),
    rounds (of each), seed.

    Parameters
    ----------
    deals : deals of greedy players; others play fewer, see `runs.fewer`
    """
    pools = Pools()
    for each in CONTRASTS:
        for policy in PLAYERS:
            number = fewer(deals, policy)
            kinds: dict[str, Any] = {"deals": number, "seed": seed, "threads": threads, "pools": pools}
            yield Job(
                f"{each.name}, {policy}", weight(4 * number, policy), partial(_equal, each, policy, kinds), chain=_CHAIN
            )
        number = fewer(deals, BETTER)
        kinds = {"deals": number, "seed": seed, "threads": threads, "pools": pools}
        yield Job(f"{each.name}, skill", weight(4 * number, BETTER, WEAKER), partial(_skill, each, kinds), chain=_CHAIN)


def _equal(contrast: Contrast, policy: str, kinds: dict[str, Any], progress: Progress | None) -> list[dict[str, Any]]:
    """Rows on equal players."""
    both = [
        measured(setting(contrast.variant, changes=changes), policy, progress=progress, **kinds)
        for changes in ({}, contrast.changes)
    ]
    return list(_rows(contrast, both[0], both[1], COMPARED))


def _skill(contrast: Contrast, kinds: dict[str, Any], progress: Progress | None) -> list[dict[str, Any]]:
    """Rows on a better player among weaker ones."""
    both = [
        skill(setting(contrast.variant, changes=changes), progress=progress, **kinds)
        for changes in ({}, contrast.changes)
    ]
    return list(_rows(contrast, both[0], both[1], COMPARED_SKILL))


def _rows(
    contrast: Contrast, as_is: Evaluation, changed: Evaluation, keys: tuple[Key, ...]
) -> Iterator[dict[str, Any]]:
    """Rows of some measures."""
    named = {"contrast": contrast.name, "variant": contrast.variant, "changes": contrast.words}
    named["policy"] = ", ".join(as_is.policies)
    for measure, part in keys:
        row: dict[str, Any] = named | {"measure": measure, "part": part}
        for title, found in (("as_is", as_is), ("changed", changed)):
            one = found.estimate(measure, part)
            row |= {title: one.value, f"{title}_low": one.low, f"{title}_high": one.high}
        row |= difference(as_is, changed, measure, part).to_dict() | {"unit": MEASURES[measure].unit}
        yield row | {"rounds": as_is.rounds, "seed": as_is.seed}
