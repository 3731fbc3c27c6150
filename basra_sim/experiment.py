"""Paired experiments: policies on the same deals, with the seats exchanged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import kernel, turns
from basra_sim.errors import InputError
from basra_sim.executors import ADD, Arrays, Progress
from basra_sim.luck import Luck, dealt
from basra_sim.moments import Groups, Moments
from basra_sim.plans import MOST_UNITS, Plan, Played, check_number
from basra_sim.policies import Policy, get_policy
from basra_sim.rules import Setting
from basra_sim.sequential import FIXED, MOST_DEALS, PRECISION, SMALLEST, UNTIL_DECIDED, Ending, Stopping
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate, as_share
from basra_sim.variants import Variant, setting

DEFAULT_DEALS = 100_000


def exchanged(table: Setting, tried: int = 0, other: int = 1) -> tuple[tuple[int, ...], ...]:
    """
    Seatings in which one policy is tried against another: in pairs each side in turn, among singles each seat in turn.

    Among three or four singles one player follows the policy that is tried and the others the other one.
    """
    return tuple(tuple(tried if team == place else other for team in table.teams) for place in range(table.team_count))


class Gains(NamedTuple):
    """
    How many times fewer rounds (of matches: matches) it takes than independent ones, for an interval of the same width.

    Independent rounds: as many of each seating, each on a deal of its own. What is compared is the variance of the
    margin times the rounds played for it. Empty where a variance is 0 or cannot be told.

    Attributes
    ----------
    exchange : Estimate
        All seatings of a deal played on that same deal
    covariates : Estimate
        The luck of the deal regressed out of independent rounds
    both : Estimate
        The luck of the deal regressed out of the mean of a deal's seatings
    """

    exchange: Estimate
    covariates: Estimate
    both: Estimate


@dataclass(frozen=True, repr=False)
class Duel:
    """
    What one policy gains on another, or gains more than another against a common opponent.

    Attributes
    ----------
    plan : Plan
        The setting, the policies (the first, the second, and the common opponent if there is one) and the seatings of
        each deal.
    units : deals, or matches, each played in every seating
    margin : Estimate
        Points a round (or, of matches, points of the final score) that the first policy's team is ahead of the mean
        of the others, averaged over the seatings of a deal. Against a common opponent: by how much more than the
        second policy's.
    adjusted : Estimate
        The margin with the luck of the deal regressed out: the sweeping cards and the card points each team is dealt.
        Empty for matches, and for few units.
    win : Estimate
        Share of rounds (or matches) that the first policy's team wins; a tie is shared among those who tie. Against a
        common opponent: by how much more than the second policy's, from -1 to 1.
    fair : what `win` would be if all were alike
    seat_margins : Estimate per place of the first policy's team
        Margin in that place.
    deal_correlation : float or None
        Correlation of the margins of two seatings of a deal; the more negative, the more the exchange of seats gains.
        None against a common opponent.
    gains : Gains
    ending : Ending
        How it stopped. If it was to stop once decided, all intervals are those of a confidence sequence.
    """

    plan: Plan
    units: int
    margin: Estimate
    adjusted: Estimate
    win: Estimate
    fair: float
    seat_margins: tuple[Estimate, ...]
    deal_correlation: float | None
    gains: Gains
    ending: Ending

    def __repr__(self) -> str:
        """Two lines."""
        return f"<Duel: {self._words}\n  margin {self.margin} {self._unit}>"

    @property
    def _unit(self) -> str:
        """Unit of margins."""
        return "points/match" if self.plan.matches else "points/round"

    @property
    def _words(self) -> str:
        """What was played."""
        first, second = (policy.name for policy in self.plan.policies[:2])
        third = "" if self.opponent is None else f" (each against {self.opponent.name})"
        units = f"{self.units:,} {'matches' if self.plan.matches else 'deals'}"
        each = f"{units}, each in {len(self.plan.seatings)} seatings"
        return f"{first} against {second}{third}, {self.plan.setting}, {each}, seed {self.plan.seed}"

    def _repr_html_(self) -> str:
        """Margins and the share won, with their intervals."""
        shares = "of matches" if self.plan.matches else "of rounds"
        known = [("margin", self.margin, self._unit)]
        known += [("margin, luck of the deal taken out", self.adjusted, self._unit)] if self.adjusted.units else []
        known += [("won", self.win, shares)]
        known += [(f"margin in place {k}", each, self._unit) for k, each in enumerate(self.seat_margins)]
        rows = [[name, *found.texts, unit] for name, found, unit in known if found.value is not None]
        kind = "those of a confidence sequence, " if self.ending.stopping.rule == UNTIL_DECIDED else ""
        caption = f"{self._words}. Intervals {kind}at {CONFIDENCE:.0%} confidence."
        headings = ["of the first player", "estimate", "low", "high", "unit"]
        return html(html_table(caption, headings, rows, (1, 2, 3)))

    @property
    def pairing_gain(self) -> float | None:
        """How many times fewer deals the exchange of seats needs than as many single rounds on deals of their own."""
        return self.gains.exchange.value

    @property
    def opponent(self) -> Policy | None:
        """The common opponent, if there is one."""
        return self.plan.policies[2] if len(self.plan.policies) > 2 else None

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        table = self.plan.setting
        return {
            "variant": table.label,
            "players": table.players,
            "teams": list(table.teams),
            "rules": dict(table.changes),
            "policies": [policy.name for policy in self.plan.policies[:2]],
            "opponent": None if self.opponent is None else self.opponent.name,
            "unit": "match" if self.plan.matches else "deal",
            "units": self.units,
            "rounds_of_each_unit": len(self.plan.seatings),
            "seed": self.plan.seed,
            "margin": self.margin.to_dict(),
            "adjusted": self.adjusted.to_dict(),
            "win": self.win.to_dict(),
            "fair": self.fair,
            "seat_margins": [each.to_dict() for each in self.seat_margins],
            "pairing_gain": self.pairing_gain,
            "gains": {name: gain.to_dict() for name, gain in self.gains._asdict().items()},
            "stopping": self.ending.to_dict(),
        }


def margins(played: Played, plan: Plan) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """
    Margin (times the number of other teams) and share of the win (times 12) of the tried team.

    Returns
    -------
    two (units, seatings) int64
    """
    seatings, teams = len(plan.seatings), plan.setting.team_count
    if plan.matches:
        scores = played.results[:, kernel.FIRST_SCORE : kernel.FIRST_SCORE + teams]
        winners = played.results[:, kernel.WINNER]
    else:
        scores = played.rows[:, :teams, turns.ACES : turns.BASRAS + 1].sum(axis=2, dtype=np.int64)
        winners = np.full(len(scores), -1)
    scores = scores.reshape(-1, seatings, teams)
    places = np.arange(seatings)
    tried = places % teams
    own = scores[:, places, tried]
    best = scores.max(axis=2)
    shared = (own == best) * (12 // (scores == best[:, :, None]).sum(axis=2))
    decided = winners.reshape(-1, seatings)
    return teams * own - scores.sum(axis=2), np.where(decided >= 0, 12 * (decided == tried), shared)


@dataclass(frozen=True)
class Design:
    """
    What is measured of each unit of a plan: the margin of each seating, the shares of the win, the luck of the deal.

    The weights say how the margins of the seatings make up the margin of the unit: 1, or -1 for the seatings of the
    second policy against a common opponent.
    """

    plan: Plan

    @property
    def places(self) -> int:
        """Places of the team that is tried."""
        return self.plan.setting.team_count

    @property
    def signs(self) -> tuple[int, ...]:
        """Weight of each seating."""
        return (1,) * self.places + (-1,) * (len(self.plan.seatings) - self.places)

    @cached_property
    def luck(self) -> Luck | None:
        """Covariates, for single rounds whose deal leaves no doubt of their expectation."""
        luck = Luck(self.plan.setting)
        return None if self.plan.matches or luck.expected is None else luck

    def values(self, played: Played) -> npt.NDArray[np.int64]:
        """
        What is measured of each unit of a part.

        Returns
        -------
        (units, quantities) int64
            The margin of each seating, times the number of other teams; the share of the win, times 12, over all
            seatings with their signs; covariates.
        """
        found, wins = margins(played, self.plan)
        columns = [found, wins @ np.array(self.signs)[:, None]]
        if self.luck is not None:
            columns.append(self.luck.columns(dealt(played.facts[:: len(self.signs)])))
        return np.concatenate(columns, axis=1)

    def measure(self, played: Played) -> Arrays:
        """Moments of the units of a part, the arrays of `Groups`."""
        return Groups.of(self.values(played), played.first).arrays

    def margin(self, found: Moments) -> Estimate:
        """Margin of the first policy."""
        return found.mean(self.signs).scaled(1 / ((self.places - 1) * self.places))

    def seat_margin(self, found: Moments, place: int) -> Estimate:
        """Margin of the first policy in a place."""
        weights = [sign * (k % self.places == place) for k, sign in enumerate(self.signs)]
        return found.mean(weights).scaled(1 / (self.places - 1))

    def win(self, found: Moments) -> Estimate:
        """Share of the win of the first policy, or by how much more it is than the second's."""
        return found.mean([0] * len(self.signs) + [1]).scaled(1 / (12 * self.places))

    def adjusted(self, found: Moments) -> Estimate:
        """Margin without the luck of the deal."""
        luck = self.luck
        if luck is None or luck.expected is None:
            return Estimate(None, None, None, found.units)
        adjusted = found.adjusted(self.signs, self._covariates(found), luck.expected)
        return adjusted.scaled(1 / ((self.places - 1) * self.places))

    def gains(self, found: Groups) -> Gains:
        """What exchange of seats and covariates gain."""
        return Gains(found.ratio(self._exchange), found.ratio(self._regressed), found.ratio(self._both))

    def _exchange(self, found: Moments) -> float | None:
        """Variance of independent rounds over that of units."""
        return _times(self._alone(found), found.variance(self.signs))

    def _regressed(self, found: Moments) -> float | None:
        """Variance of independent rounds over what the luck of the deal leaves of it."""
        if self.luck is None:
            return None
        covariates = self._covariates(found)
        return _times(self._alone(found), sum(found.residual(one, covariates) for one in self._singly))

    def _both(self, found: Moments) -> float | None:
        """Variance of independent rounds over what the luck of the deal leaves of that of units."""
        if self.luck is None:
            return None
        return _times(self._alone(found), found.residual(self.signs, self._covariates(found)))

    @property
    def _singly(self) -> list[list[int]]:
        """Weights that pick one seating, for each of them."""
        return [[0] * place + [1] for place in range(len(self.signs))]

    def _alone(self, found: Moments) -> float:
        """Sum of the variances of all seatings."""
        return sum(found.variance(one) for one in self._singly)

    def correlation(self, found: Moments) -> float | None:
        """Mean correlation between the margins of two seatings of a unit."""
        if len(self.signs) > self.places:
            return None
        alone = self._alone(found)
        if isnan(alone) or alone <= 0:
            return None
        return (found.variance(self.signs) / alone - 1) / (self.places - 1)

    def _covariates(self, found: Moments) -> range:
        """Where the covariates stand among the quantities."""
        return range(len(self.signs) + 1, len(found.sums))


def _times(more: float, less: float) -> float | None:
    """How many times a variance is another; None where that cannot be told."""
    return more / less if more > 0 and less > 0 else None


def duel(
    first: str | Policy,
    second: str | Policy,
    variant: str | Variant = "bastra",
    *,
    players: int = 2,
    pairs: bool = False,
    opponent: str | Policy | None = None,
    deals: int | None = None,
    matches: int | None = None,
    precision: float | None = None,
    until_decided: bool = False,
    smallest: float = SMALLEST,
    tests: int = 1,
    seed: int = 1,
    changes: Mapping[str, object] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Duel:
    """
    Try one policy against another on common deals, each played once for every place of the first.

    Parameters
    ----------
    first, second : policies, by name or themselves
    opponent : policy that each of the two is tried against instead, on the same deals; what they gain is compared
    deals, matches : number of units; give one of them (100,000 deals if neither)
    precision : play on until the interval of the margin reaches so many points to either side at most
    until_decided : play on until the margin is known to differ from 0, or to be less than `smallest` either way
    smallest : points a round, the smallest effect that matters
    tests : number of tests that share the chance of a wrong decision, if it is to stop once decided
    **others : as for `plans.plan`

    Raises
    ------
    InputError
        If something given is impossible.

    Notes
    -----
    With `precision` or `until_decided` the deals are looked at after 2,000 and then after a quarter more each time, and
    `deals` is the number at which it gives up (10 million if not given). The looks do not depend on chunks or threads.
    Stopping at a precision leaves ordinary intervals valid (Chow and Robbins 1965, "On the asymptotic theory of
    fixed-width sequential confidence intervals"); stopping by what was found asks for a confidence sequence. An
    estimate that a difference was found by leans away from 0, most of all after few looks; its interval allows for it.
    """
    check_number("tests", tests, 1, MOST_UNITS)
    stopping = _stopping(deals, matches, precision, until_decided, smallest)
    stopping = replace(stopping, tests=tests)
    table = setting(variant, players, pairs, changes)
    return _run(design(first, second, table, opponent, seed, matches is not None), stopping, threads, progress)


def design(
    first: str | Policy,
    second: str | Policy,
    table: Setting,
    opponent: str | Policy | None = None,
    seed: int = 1,
    matches: bool = False,
) -> Design:
    """Design of a duel at a table, of deals or matches."""
    policies = tuple(get_policy(each) for each in (first, second))
    seatings = exchanged(table)
    if opponent is not None:
        policies += (get_policy(opponent),)
        seatings = exchanged(table, 0, 2) + exchanged(table, 1, 2)
    return Design(Plan(table, policies, seatings, seed, matches))


def _stopping(
    deals: int | None, matches: int | None, precision: float | None, until_decided: bool, smallest: float
) -> Stopping:
    """When to stop, from what the arguments say."""
    if deals is not None and matches is not None:
        raise InputError("deals and matches are both given: give one of them")
    if precision is not None and until_decided:
        raise InputError("precision and until_decided are both given: give one of them")
    if precision is None and not until_decided:
        units = matches if matches is not None else DEFAULT_DEALS if deals is None else deals
        check_number("deals" if matches is None else "matches", units, 1, MOST_UNITS)
        return Stopping(FIXED, units)
    if matches is not None:
        raise InputError("matches is given: a precision or a decision is reached by deals, leave matches out")
    for name, number in (("precision", precision), ("smallest", smallest)):
        if number is not None and not 0 < number < float("inf"):
            raise InputError(f"{name} = {number!r} is not possible: it must be a number above 0")
    most = MOST_DEALS if deals is None else deals
    check_number("deals", most, 1, MOST_UNITS)
    return Stopping(PRECISION if precision is not None else UNTIL_DECIDED, most, precision, smallest)


def _run(the: Design, stopping: Stopping, threads: int | None, progress: Progress | None) -> Duel:
    """Play the units of a design until they are to stop."""
    found: Groups | None = None
    for look, units in enumerate(stopping.looks(), 1):
        done = found.total.units if found else 0
        told = _told(progress, done, units)
        for arrays in the.plan.map(
            the.measure, (ADD, ADD, ADD), units - done, first=done, threads=threads, progress=told
        ):
            part = Groups.from_arrays(*arrays)
            found = part if found is None else found + part
        assert found is not None
        how = stopping.ended(stopping.interval(the.margin(found.total)))
        if how is not None:
            return _duel(the, found, Ending(stopping, how, look))
    raise AssertionError("the last look ends it")


def _told(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Way to report how far a part of the units is, as so many of all that are planned up to the next look."""
    return None if progress is None else lambda done, _: progress(before + done, total)


def _duel(the: Design, groups: Groups, ending: Ending) -> Duel:
    """What the moments come to."""
    found = groups.total
    interval: Callable[[Estimate], Estimate] = ending.stopping.interval
    against = len(the.signs) > the.places
    win = interval(the.win(found))
    return Duel(
        plan=the.plan,
        units=found.units,
        margin=interval(the.margin(found)),
        adjusted=interval(the.adjusted(found)),
        win=win if against else as_share(win),
        fair=0.0 if against else 1 / the.places,
        seat_margins=tuple(interval(the.seat_margin(found, place)) for place in range(the.places)),
        deal_correlation=the.correlation(found),
        gains=the.gains(groups),
        ending=ending,
    )
