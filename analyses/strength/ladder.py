"""A round robin of players on common deals, with the seats exchanged: who gains how much from whom, and ratings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analyses.frames import estimates
from analyses.jobs import TIME, Job
from analyses.strength.ratings import Pairings, rated
from basra_sim.errors import InputError
from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.experiment import Design, design
from basra_sim.experiment import margins as margins_of
from basra_sim.moments import GROUPS
from basra_sim.plans import MOST_UNITS, Plan, Played, check_number
from basra_sim.policies import Policy, get_policy, policy_names
from basra_sim.policies.model import NO_SEARCH
from basra_sim.rules import Setting
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate, as_share, mean
from basra_sim.tallies import checked_sums
from basra_sim.variants import Variant, setting

DEALS, SEARCHED = 20_000, 1_000
"""Deals of a pairing, and of one with a player who searches."""

MARGIN, WON = "margin", "won"
"""What is measured of each pairing."""

RATING, ELO = "rating", "elo"
"""Ratings: by the margins, and by the shares won."""

UNITS = {MARGIN: "points/round", WON: "of rounds", RATING: "points/round", ELO: "Elo"}

KEPT = ("deals", "margin", "margin_squares", "won", "won_squares")
"""Sums over the deals of a group: see `margins_of` for their units."""

_SEES, _SEARCHES = 15_000.0, 12_000.0
"""Time a round takes of one who sees all cards, and of one who makes as many roll-outs as is usual: see `TIME`."""

_TWELFTHS = 12


@dataclass(frozen=True)
class Extent:
    """
    What is played for a ladder.

    Attributes
    ----------
    table : Setting
    policies : the players
    deals : deals of each pairing
    searched : deals of each pairing in which a player searches: the first of the same
    seed, threads : as for `plans.plan`

    Raises
    ------
    InputError
        If there are fewer than two players, or two of a name, or a number is out of range.
    """

    table: Setting
    policies: tuple[Policy, ...]
    deals: int = DEALS
    searched: int = SEARCHED
    seed: int = 1
    threads: int | None = None

    def __post_init__(self) -> None:
        """Check the players and the numbers."""
        check_number("deals", self.deals, 1, MOST_UNITS)
        check_number("searched", self.searched, 1, MOST_UNITS)
        names = [policy.name for policy in self.policies]
        if len(names) < 2:
            raise InputError(f"a ladder of {', '.join(names) or 'nobody'} is not possible: it takes two players")
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"{name} is given twice: give each player once")

    @cached_property
    def pairings(self) -> Pairings:
        """Who is tried against whom: among singles one tried against several is not the same the other way round."""
        both = list(permutations(range(len(self.policies)), 2))
        return both if self.table.team_count > 2 else [(one, other) for one, other in both if one < other]

    def fewer(self, *policies: Policy) -> int:
        """Deals of a pairing of some players."""
        return min(self.deals, self.searched) if any(policy.search for policy in policies) else self.deals

    def weight(self, deals: int, *policies: Policy) -> float:
        """Time that deals take among some players, in rounds of `greedy`."""
        return deals * self.table.team_count * sum(map(_time, policies)) / len(policies)


def extent(
    variant: str | Variant = "bastra",
    players: int = 2,
    pairs: bool = False,
    policies: Sequence[str | Policy] = (),
    **more: Any,
) -> Extent:
    """
    Extent of a ladder at a table, of the players that come with the package if none are given.

    Parameters
    ----------
    **more : deals, searched, seed, threads: see `Extent`

    Raises
    ------
    InputError
        If something given is impossible.
    """
    chosen = tuple(get_policy(each) for each in policies or policy_names())
    return Extent(setting(variant, players, pairs), chosen, **more)


def _time(policy: Policy) -> float:
    """Time a round takes of a player, in rounds of `greedy`."""
    if policy.search is None:
        return TIME.get(policy.name, max(TIME.values()))
    return _SEES if policy.search.sees else _SEARCHES * policy.search.rollouts / NO_SEARCH.rollouts


@dataclass(frozen=True, repr=False)
class Ladder:
    """
    What a round robin came to.

    Attributes
    ----------
    extent : Extent
    margins : DataFrame
        variant, players, pairs, policy, opponent, measure (`MARGIN`, `WON`), estimate, low, high, unit, units (deals),
        seed; every pairing in both directions
    ratings : DataFrame
        variant, players, pairs, policy, fair, measure (`RATING`, `ELO`), estimate, low, high, unit, units (deals),
        seed; the best player first; no Elo where some players won nothing from all others
    misfit : float
        Points a round by which margins differ from the differences of ratings, root of the mean square.
    """

    extent: Extent
    margins: pd.DataFrame
    ratings: pd.DataFrame
    misfit: float

    def __repr__(self) -> str:
        """One line."""
        names = ", ".join(dict.fromkeys(map(str, self.ratings["policy"])))
        return f"<Ladder: {self.extent.table}, seed {self.extent.seed}; best first: {names}>"

    def _repr_html_(self) -> str:
        """Ratings, the best player first, and who gains how much from whom."""
        of, rest = self.extent, f"Intervals at {CONFIDENCE:.0%} confidence."
        played = f"{of.table}, {of.deals:,} deals a pairing, {of.searched:,} with a player who searches, "
        ratings = [
            [f"{row['policy']}{'' if row['fair'] else ' (sees all cards)'}", row["measure"], *each.texts, row["unit"]]
            for row, each in zip(self.ratings.to_dict("records"), estimates(self.ratings), strict=True)
        ]
        margins = [
            [row["policy"], row["opponent"], row["measure"], *each.texts, row["unit"], f"{each.units:,}"]
            for row, each in zip(self.margins.to_dict("records"), estimates(self.margins), strict=True)
        ]
        ends = ["estimate", "low", "high", "unit"]
        caption = f"Ratings: {played}seed {of.seed}. {rest} Margins miss their differences by {self.misfit:.2f}."
        return html(
            html_table(caption, ["player", "rating", *ends], ratings, (2, 3, 4), ".ratings"),
            html_table(
                f"Pairings. {rest}",
                ["player", "against", "measure", *ends, "deals"],
                margins,
                (3, 4, 5, 7),
                ".margins",
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        return {
            "variant": self.extent.table.label,
            "players": self.extent.table.players,
            "pairs": self.extent.table.pairs,
            "deals": self.extent.deals,
            "searched": self.extent.searched,
            "seed": self.extent.seed,
            "ratings": plain(self.ratings),
            "margins": plain(self.margins),
            "misfit": self.misfit,
        }


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame in values JSON can hold."""
    found = frame.astype(object)
    return [
        {str(key): value for key, value in row.items()} for row in found.where(found.notna(), None).to_dict("records")
    ]


def jobs(of: Extent) -> Iterator[Job]:
    """
    Batches of a ladder, one a pairing; a row for each group of deals, with `KEPT`.

    Each player plays all who come before him, then the next one does: those who are done are a ladder of their own.
    """
    for one, other in sorted(of.pairings, key=lambda pairing: (max(pairing), pairing)):
        first, second = of.policies[one], of.policies[other]
        deals = of.fewer(first, second)
        label = f"{first.name} against {second.name}"
        work = partial(_played, of, one, other, deals)
        yield Job(label, of.weight(deals, first, second), work, (of.policies[max(one, other)].name,))


def _played(of: Extent, one: int, other: int, deals: int, progress: Progress | None) -> list[dict[str, Any]]:
    """Play a pairing."""
    the = design(of.policies[one], of.policies[other], of.table, seed=of.seed)
    sums = grouped(the, deals, of.threads, progress)
    names = {"policy": of.policies[one].name, "opponent": of.policies[other].name}
    return [{**names, "group": k, **dict(zip(KEPT, map(int, row), strict=True))} for k, row in enumerate(sums)]


def grouped(the: Design, deals: int, threads: int | None, progress: Progress | None) -> npt.NDArray[np.int64]:
    """Sums over the deals of each group, (groups, `KEPT`), of a design without a common opponent."""
    total = np.zeros((GROUPS, len(KEPT)), np.int64)
    for (part,) in the.plan.map(partial(_by_group, the.plan), (ADD,), deals, threads=threads, progress=progress):
        total += part
        checked_sums(total)
    return total


def _by_group(plan: Plan, played: Played) -> Arrays:
    """Sums over the deals of a part, (groups, `KEPT`)."""
    margins, won = (part.sum(axis=1) for part in margins_of(played, plan))
    sums = np.zeros((GROUPS, len(KEPT)), np.int64)
    values = np.stack([np.ones_like(margins), margins, margins**2, won, won**2], axis=1)
    np.add.at(sums, np.arange(played.first, played.first + len(values)) % GROUPS, values)
    return (sums,)


def scales(table: Setting) -> tuple[float, float]:
    """By what a margin and a share won of a deal are to be multiplied, for points a round and shares of rounds."""
    return 1 / (table.team_count * (table.team_count - 1)), 1 / (_TWELFTHS * table.team_count)


def margin_and_won(sums: npt.NDArray[np.int64], table: Setting) -> tuple[Estimate, Estimate]:
    """Margin in points a round and share of rounds won, from sums over deals (`KEPT`)."""
    deals, margin, margins, won, wons = (int(each) for each in sums)
    points_a_round, share = scales(table)
    return mean(margin, margins, deals).scaled(points_a_round), as_share(mean(won, wons, deals).scaled(share))


def among(of: Extent, missing: Collection[str]) -> Extent | None:
    """The same among the players who are not missing; None if they are too few."""
    present = tuple(policy for policy in of.policies if policy.name not in missing)
    return replace(of, policies=present) if len(present) > 1 else None


def ladder_of(of: Extent, rows: pd.DataFrame) -> Ladder:
    """Ladder from the rows that the jobs of an extent gave; those of players who are not in it are left out."""
    by_pairing = dict(iter(rows.groupby(["policy", "opponent"], sort=False)))
    names = [policy.name for policy in of.policies]
    sums = np.stack([by_pairing[names[one], names[other]][list(KEPT)].to_numpy(np.int64) for one, other in of.pairings])
    whole = sums.sum(axis=1)
    pairs = {pairing: margin_and_won(each, of.table) for pairing, each in zip(of.pairings, whole, strict=True)}
    if of.table.team_count == 2:
        pairs |= {(other, one): (_mirrored(gain, 0), _mirrored(won, 1)) for (one, other), (gain, won) in pairs.items()}
    by_group = np.ascontiguousarray(sums.transpose(1, 0, 2)[..., [KEPT.index(name) for name in ("deals", MARGIN, WON)]])
    fair = 1 / of.table.team_count
    in_points, in_elo = rated(by_group, int(whole[:, 0].max()), of.pairings, scales(of.table), fair)
    best = sorted(range(len(of.policies)), key=lambda place: -(in_points[place].value or 0.0))
    ratings = [
        {**named(of.table, of.policies[k]), "fair": is_fair(of.policies[k]), **measured(of, measure, found[k])}
        for measure, found in ((RATING, in_points), (ELO, in_elo))
        for k in best
    ]
    margins = [
        {**named(of.table, of.policies[one]), "opponent": of.policies[other].name, **measured(of, measure, found)}
        for one, other in product(best, best)
        if one != other
        for measure, found in zip((MARGIN, WON), pairs[one, other], strict=True)
    ]
    return Ladder(of, pd.DataFrame(margins), pd.DataFrame(ratings), _misfit(of, pairs, in_points))


def _misfit(
    of: Extent, pairs: Mapping[tuple[int, int], tuple[Estimate, Estimate]], ratings: Sequence[Estimate]
) -> float:
    """How far margins are from the differences of ratings, root of the mean square."""
    values = [each.value or 0.0 for each in ratings]
    missed = [(pairs[one, other][0].value or 0.0) - (values[one] - values[other]) for one, other in of.pairings]
    return float(np.sqrt(np.mean(np.square(missed))))


def named(table: Setting, policy: Policy) -> dict[str, Any]:
    """What the rows of all frames begin with: the table and the player."""
    return {"variant": table.label, "players": table.players, "pairs": table.pairs, "policy": policy.name}


def measured(of: Extent, measure: str, found: Estimate) -> dict[str, Any]:
    """What the rows of all frames end with: an estimate of a measure."""
    return {"measure": measure, **found.to_dict(), "unit": UNITS.get(measure, UNITS[MARGIN]), "seed": of.seed}


def is_fair(policy: Policy) -> bool:
    """Whether a player sees no more than a player may."""
    return not (policy.search and policy.search.sees)


def _mirrored(found: Estimate, of: float) -> Estimate:
    """The same of the other side, where the two of them have so much together."""
    value, low, high = (None if part is None else of - part for part in (found.value, found.high, found.low))
    return Estimate(value, low, high, found.units)
