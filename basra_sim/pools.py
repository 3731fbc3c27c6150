"""Pools of single rounds: played once, and added up by any rules under which the players play the same."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from basra_sim import assembly, turns
from basra_sim.assembly import LENGTHS, MATCH_SUMS, ROUND_SUMS, Rounds
from basra_sim.errors import BasraError
from basra_sim.executors import JOIN, Arrays, Progress, in_order, thread_count
from basra_sim.experiment import exchanged
from basra_sim.game import Codes, codes
from basra_sim.plans import Plan, Played
from basra_sim.policies import Policy
from basra_sim.policies.weighing import RANDOM
from basra_sim.rules import Rules, Setting

GROUPS = 64
"""Groups of deals behind one another, of each lot of deals: intervals come from how they differ."""

LEAST_DEALS = 64
"""Deals that a group of a lot has at least."""

_FLAT, _JACK = 1000, 1
"""What basras are counted as where they are told apart: those of flat scoring, and a jack taking a lone jack."""

_COLUMNS = (turns.ACES, turns.JACKS, turns.TWO, turns.TEN)


def equal_plan(table: Setting, policy: Policy, seed: int = 1) -> Plan:
    """Plan of rounds among equal players, each deal played once with each team's hands in each place."""
    teams = table.team_count
    return Plan(table, (policy,), ((0,) * table.players,) * teams, seed, turns=tuple(range(teams)))


def unequal_plan(table: Setting, better: Policy, weaker: Policy, seed: int = 1) -> Plan:
    """Plan of rounds of a better player, or pair, against weaker ones, each deal played once with him in each place."""
    return Plan(table, (better, weaker), exchanged(table), seed)


def play_key(plan: Plan) -> tuple[Any, ...]:
    """
    What the plays of a plan's rounds depend on: plans of the same key play the same cards.

    The rules of capture and the deal always count. Players who weigh features look at the points of cards, too, and
    at the bonus for most cards if they give it a weight; random ones at neither; functions of a person's own may look
    at all rules.
    """
    rules, side, game = plan.setting.rules, plan.side, plan.codes.game
    dealt = game._replace(majority=0, majority_tie=0, target=0, match_tie=0, extend_by=0)
    key: tuple[Any, ...] = (dealt, plan.seatings, plan.turns, plan.seed, tuple(p.name for p in plan.policies))
    key += (side.slips.tobytes(),)
    if not scores_seen(plan):
        return (*key, codes(_told_apart(plan.setting)).capture)
    key += (plan.codes.capture, plan.codes.points, side.weights.tobytes(), side.functions.tobytes())
    return (*key, rules) if match_seen(plan) else key


def scores_seen(plan: Plan) -> bool:
    """Whether some player's choice may depend on what scores how much."""
    return any(policy.kind != RANDOM for policy in plan.policies)


def match_seen(plan: Plan) -> bool:
    """Whether some player's choice may depend on the match: a function of a person's own is shown its score."""
    return any(policy.address or any(each.advice.address for each in policy.advice) for policy in plan.policies)


def _told_apart(table: Setting) -> Setting:
    """Setting in which the points of a round tell what was captured, whatever it really scores."""
    rules = table.rules
    worth: dict[str, Any] = {
        "ace_points": 1,
        "jack_points": 1,
        "ten_points": 1,
        "two_points": int(rules.two_points > 0),
    }
    if rules.basra_scoring == "flat":
        worth |= {"basra_points": _FLAT, "jack_on_jack": _JACK}
    return replace(table, rules=replace(rules, **worth))


class Lot(NamedTuple):
    """Deals of all groups that were played together: as `Rounds`, the groups in front."""

    counts: npt.NDArray[np.int8]
    basras: npt.NDArray[np.int32]


class Sums(NamedTuple):
    """
    What rounds come to, for each group; sums of several lots add up.

    A product of margins is below 2^36 and a round of a lot takes up 20 bytes or more, so that a lot whose sums do not
    fit into 64 bits fits into no memory.

    Attributes
    ----------
    rounds : (groups, `ROUND_SUMS`) int64
    matches : (groups, `MATCH_SUMS`) int64
    lengths : (groups, `LENGTHS`) int64
    comebacks : (groups, starts, 2) int64
    """

    rounds: npt.NDArray[np.int64]
    matches: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    comebacks: npt.NDArray[np.int64]


class VersionSums(NamedTuple):
    """
    What deals come to that are played in several versions, for each group, as `assembly.tally_versions` has it.

    Attributes
    ----------
    deals : (groups,) int64
    margins, squares : (groups, versions, teams) int64
    products : (groups, versions, versions) int64
    won : (groups, versions) int64
    matches : (groups, `MATCH_SUMS`) int64
    """

    deals: npt.NDArray[np.int64]
    margins: npt.NDArray[np.int64]
    squares: npt.NDArray[np.int64]
    products: npt.NDArray[np.int64]
    won: npt.NDArray[np.int64]
    matches: npt.NDArray[np.int64]


@dataclass
class Pool:
    """
    Rounds of a plan, lot by lot, as they may be asked for again.

    Attributes
    ----------
    plan : Plan
    lots : deals of each lot, and the rounds, in their order
    played : rounds played
    """

    plan: Plan
    lots: list[tuple[int, Lot]] = field(default_factory=list)
    played: int = 0

    @cached_property
    def _played_plan(self) -> Plan:
        """Plan that is really played."""
        plan = self.plan
        return plan if scores_seen(plan) else replace(plan, setting=_told_apart(plan.setting))

    def size(self, number: int) -> int | None:
        """Deals of each group of a lot that stands ready; None if it does not."""
        return self.lots[number][0] if number < len(self.lots) else None

    def lot(self, number: int, deals: int, threads: int | None = None, progress: Progress | None = None) -> Lot:
        """
        Rounds of the lot of a number; they are played if they have not been.

        Parameters
        ----------
        deals : deals of each group, the same whenever the lot is asked for

        Raises
        ------
        ValueError
            If a lot is asked for before the one ahead of it, or with another number of deals than before.
        """
        if number < len(self.lots):
            held, lot = self.lots[number]
            if held != deals:
                raise ValueError(f"lot {number} has {held} deals a group, not {deals}")
            return lot
        if number != len(self.lots):
            raise ValueError(f"lot {number} is asked for, lot {len(self.lots)} comes first")
        first = GROUPS * sum(held for held, _ in self.lots)
        lot = self._play(first, deals, threads, progress)
        self.lots.append((deals, lot))
        self.played += GROUPS * deals * len(self.plan.seatings)
        return lot

    def _play(self, first: int, deals: int, threads: int | None, progress: Progress | None) -> Lot:
        """Play a lot."""
        plan = self._played_plan
        found = plan.map(
            partial(_counts, plan), (JOIN, JOIN), GROUPS * deals, first=first, threads=threads, progress=progress
        )
        parts = list(found)
        shape = GROUPS, deals, len(plan.seatings), plan.setting.team_count
        counts = np.concatenate([counts for counts, _ in parts]).reshape(*shape, len(assembly.COUNTED))
        return Lot(counts, np.concatenate([basras for _, basras in parts]).reshape(shape))

    def scored(self, lot: Lot, rules: Rules) -> Lot:
        """A lot with its basras as rules score them under which the same is played."""
        if scores_seen(self.plan) or rules.basra_scoring != "flat":
            return lot
        clears, jacks = lot.basras // _FLAT, lot.basras % _FLAT
        counts = lot.counts.copy()
        counts[..., assembly.BASRA_COUNT] = clears * (rules.basra_points > 0) + jacks * (rules.jack_on_jack > 0)
        return Lot(counts, clears * np.int32(rules.basra_points) + jacks * np.int32(rules.jack_on_jack))


@dataclass
class Pools:
    """
    Pools by what their rounds depend on, so that rules under which the same is played share them.

    Attributes
    ----------
    kept : whether rounds are kept for rules that are still to come; else they are forgotten
    reused : number of times that rounds stood ready
    """

    kept: bool = True
    reused: int = 0
    _pools: dict[tuple[Any, ...], Pool] = field(default_factory=dict)

    def pool(self, plan: Plan) -> Pool:
        """Pool of a plan."""
        if not self.kept:
            return Pool(plan)
        key = play_key(plan)
        self.reused += key in self._pools
        return self._pools.setdefault(key, Pool(plan))

    @property
    def played(self) -> int:
        """Rounds played so far."""
        return sum(pool.played for pool in self._pools.values())


def _counts(plan: Plan, played: Played) -> Arrays:
    """What is kept of a part: (rounds, teams, 6) int8 and (rounds, teams) int32."""
    points, rows = plan.codes.points, played.rows[:, : plan.setting.team_count]
    counts = np.empty((*rows.shape[:2], len(assembly.COUNTED)), np.int8)
    counts[..., assembly.CARDS] = rows[..., turns.CARDS]
    worth = points.ace, points.jack, points.two, points.ten
    for k, (column, each) in enumerate(zip(_COLUMNS, worth, strict=True)):
        counts[..., assembly.ACES + k] = rows[..., column] // max(each, 1)
    counts[..., assembly.BASRA_COUNT] = rows[..., turns.BASRA_COUNT]
    return counts, rows[..., turns.BASRAS].copy()


def head_started(teams: int, points: int) -> npt.NDArray[np.int64]:
    """
    Scores by team at the start of a match, (4,).

    Parameters
    ----------
    points : what the team of the dealer of the first round, the last one, has; below 0, what the first team has
    """
    ahead = np.zeros(4, np.int64)
    ahead[teams - 1 if points > 0 else 0] = abs(points)
    return ahead


def sums(
    lot: Lot,
    code: Codes,
    starts: npt.NDArray[np.int64],
    stride: int,
    threads: int | None = None,
    head_start: int = 0,
) -> Sums:
    """
    Add up the rounds of a lot, and the matches that they make, among equal players.

    Parameters
    ----------
    code : rules by which they are scored
    starts : (n, 2) points that a team is behind, points that the others lack, for `Sums.comebacks`
    stride : a match that begins so starts at every so-manieth round
    head_start : as `head_started` has it, in all matches but those that begin with a team behind

    Raises
    ------
    BasraError
        If a match lasts longer than a group has deals.
    """
    ahead = head_started(code.game.teams, head_start)

    def one(rounds: Rounds) -> Sums:
        room = assembly.make_room(len(rounds.basras))
        found = Sums(*(np.zeros(shape, np.int64) for shape in (
            len(ROUND_SUMS), len(MATCH_SUMS), LENGTHS, (len(starts), 2)
        )))  # fmt: skip
        assembly.tally_rounds(code.game, code.points, rounds, room, found.rounds)
        _check(
            assembly.tally_matches(code.game, code.points, rounds, 0, ahead, room, found.matches, found.lengths),
            code,
            rounds,
        )
        _check(
            assembly.tally_comebacks(code.game, code.points, rounds, starts, stride, room, found.comebacks),
            code,
            rounds,
        )
        return found

    return Sums(*map(np.stack, zip(*_by_group(one, lot, threads), strict=True)))


def version_sums(lot: Lot, code: Codes, threads: int | None = None, head_start: int = 0) -> VersionSums:
    """
    Add up the rounds of a lot, and the matches that they make, of a better player against weaker ones.

    Parameters
    ----------
    head_start : as `head_started` has it

    Raises
    ------
    BasraError
        If a match lasts longer than a group has deals.
    """
    ahead = head_started(code.game.teams, head_start)

    def one(rounds: Rounds) -> VersionSums:
        deals, versions, teams = rounds.basras.shape
        room = assembly.make_room(deals)
        shapes = (), (versions, teams), (versions, teams), (versions, versions), (versions,), (len(MATCH_SUMS),)
        found = VersionSums(*(np.zeros(shape, np.int64) for shape in shapes))
        found.deals[...] = deals
        assembly.tally_versions(code.game, code.points, rounds, room, *found[1:5])
        lengths = np.zeros(LENGTHS, np.int64)
        _check(
            assembly.tally_matches(code.game, code.points, rounds, 1, ahead, room, found.matches, lengths), code, rounds
        )
        return found

    return VersionSums(*map(np.stack, zip(*_by_group(one, lot, threads), strict=True)))


def _by_group(one: Any, lot: Lot, threads: int | None) -> Iterator[Any]:
    """What a function makes of the rounds of each group."""
    one(Rounds(lot.counts[0], lot.basras[0]))  # what is yet to be compiled is compiled in this thread
    parts = ((group, 1) for group in range(len(lot.counts)))
    return in_order(lambda group, _: one(Rounds(lot.counts[group], lot.basras[group])), parts, thread_count(threads))


def _check(status: int, code: Codes, rounds: Rounds) -> None:
    """Refuse what does not come to an end within a circle of rounds."""
    if status != assembly.OK:
        deals = len(rounds.basras)
        raise BasraError(
            f"target = {code.game.target}: some match takes more than {deals} rounds, which are all that are put "
            f"together to one with {GROUPS * deals:,} deals; ask for more of these, or for a lower target"
        )
