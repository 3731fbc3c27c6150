"""What is played: a setting, who plays in it, and the seed; played unit by unit, in chunks, or mapped over ranges."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from basra_sim import kernel, turns
from basra_sim.captures import tables
from basra_sim.deals import SEED_LIMIT
from basra_sim.errors import InputError
from basra_sim.executors import (
    CHUNKS_A_PIECE,
    MOST_THREADS,
    Arrays,
    Merge,
    Progress,
    Task,
    chunks,
    execute,
    in_order,
    merged,
    thread_count,
)
from basra_sim.foresight import FIRST_FORESEEN, Learner, foresee
from basra_sim.game import Codes, codes
from basra_sim.matches import checked_scores
from basra_sim.policies import Policy, features, get_policy
from basra_sim.policies.advice import pieces
from basra_sim.policies.model import NO_SEARCH
from basra_sim.policies.weighing import WEIGHTED
from basra_sim.prospects import Prospect
from basra_sim.rules import Setting
from basra_sim.search.deciding import with_addresses
from basra_sim.search.desk import NO_SEARCH_DESK, Search, make_search_desk, no_search
from basra_sim.turns import Scratch, make_scratch
from basra_sim.variants import Variant, setting
from basra_sim.watching import calls_functions, refuse, watched

T = TypeVar("T")

DEFAULT_ROUNDS = 100_000

ROUNDS_A_CHUNK, MATCHES_A_CHUNK, LOGGED_A_CHUNK, SEARCHED_A_CHUNK = 8192, 512, 256, 16
"""Units that are played at once. What comes out does not depend on it."""

FORESIGHT_SEED = 1
"""Seed of the rounds that players who search have learnt from."""

MOST_UNITS = FIRST_FORESEEN
"""Units that a batch may have at most."""


class Played(NamedTuple):
    """
    What a chunk of units gave. `rows`, `facts` and `results` are as `kernel.play_batch` describes them, cut to size.

    Attributes
    ----------
    first, units : number of the first unit, and how many
    rows : (rounds, 4, columns) int32
    facts : (rounds, facts) int64
    results : (matches, match facts) int64; empty for single rounds
    logs : (rounds, plays, 3) int64; no plays unless they were asked for
    """

    first: int
    units: int
    rows: npt.NDArray[np.int32]
    facts: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    logs: npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Plan:
    """
    What is played: a setting, who plays in it, and the seed.

    Attributes
    ----------
    setting : Setting
    policies : the different policies
    seatings : for each seating of every deal, the place in `policies` of each player's
    seed : 0 to 2**63 - 1
    matches : whether the units are matches, else single rounds
    turns : for each seating, by how many seats the hands of a deal are passed on; none if there are none
    """

    setting: Setting
    policies: tuple[Policy, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed: int = 1
    matches: bool = False
    turns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the seed."""
        check_number("seed", self.seed, 0, SEED_LIMIT - 1)

    def __repr__(self) -> str:
        """One line."""
        who = ", ".join(policy.name for policy in self.policies)
        return f"<Plan: {self.setting}; {who}; seed {self.seed}>"

    @cached_property
    def codes(self) -> Codes:
        """The setting in integers."""
        return codes(self.setting)

    @cached_property
    def side(self) -> kernel.Side:
        """The policies in numbers."""
        return kernel.Side(
            np.array([policy.kind for policy in self.policies]),
            np.stack([policy.parameters(self.setting) for policy in self.policies]),
            np.array([policy.address for policy in self.policies]),
            np.array(self.seatings),
            np.array(self.turns or (0,) * len(self.seatings)),
            np.stack([policy.memory.row(self.setting.rules) for policy in self.policies]),
            np.array([policy.slips for policy in self.policies], np.uint64),
            pieces([policy.advice for policy in self.policies]),
            self._search,
        )

    @property
    def _search(self) -> Search:
        """How the policies search, in numbers."""
        if not self.searches:
            return no_search()
        known = [policy.search or NO_SEARCH for policy in self.policies]
        models = [search.model or policy for search, policy in zip(known, self.policies, strict=True)]
        first = next(policy for policy in self.policies if policy.search)
        found = Search(
            np.array([search.rollouts for search in known]),
            np.array([int(search.sees) for search in known]),
            np.array([search.doubt for search in known]),
            np.array([search.caution for search in known]),
            np.stack([policy.parameters(self.setting) for policy in models]),
            _foreseen(self.setting, tuple(sorted(first.weights_for(self.setting).items()))),
            0,
            0,
        )
        return with_addresses(found, self.codes, tables(), self.scratch())

    @property
    def searches(self) -> bool:
        """Whether any of the policies searches."""
        return any(policy.search for policy in self.policies)

    @property
    def _sees(self) -> bool:
        """Whether any of the policies sees all cards."""
        return any(policy.search and policy.search.sees for policy in self.policies)

    @cached_property
    def heedful(self) -> int | None:
        """As for `deciding.decide`."""
        return 1 if (self.side.kinds > WEIGHTED).any() else None

    @cached_property
    def calls_functions(self) -> bool:
        """Whether any of the policies is a function of a person's own, or follows one as advice."""
        return calls_functions(self.side)

    def scratch(self) -> Scratch:
        """Arrays for one thread to play in."""
        return make_scratch(make_search_desk(sees=self._sees) if self.searches else NO_SEARCH_DESK)

    @cached_property
    def chances(self) -> npt.NDArray[np.float64]:
        """The table of `features.chances`."""
        return features.chances()

    def play(
        self,
        first: int,
        count: int,
        *,
        logged: bool = False,
        carry: int = 0,
        decks: npt.NDArray[np.uint8] | None = None,
    ) -> Iterator[Played]:
        """
        Play some units, in as many parts as the room for their rounds makes necessary.

        Parameters
        ----------
        first, count : number of the first unit, and how many
        logged : whether to keep every play
        carry : majority points carried into each unit
        decks : (count, pack) uint8, packs to play instead of shuffled ones; for single rounds only

        Raises
        ------
        BasraError
            If a policy's function gives no number, or a match does not end or comes to too many points.
        """
        packs = np.zeros((count, 0), np.uint8) if decks is None else decks
        rounds_a_unit = len(self.seatings) * (16 if self.matches else 1)
        room = count * rounds_a_unit
        scratch, done = self.scratch(), np.zeros(2, np.int64)
        while count:
            rows = np.zeros((room, 4, len(turns.COLUMNS)), np.int32)
            facts = np.zeros((room, len(kernel.FACTS)), np.int64)
            logs = np.zeros((room, self.setting.plays if logged else 0, 3), np.int64)
            results = np.zeros((count * len(self.seatings) if self.matches else 0, kernel.MATCH_FACTS), np.int64)
            batch = kernel.Batch(self.seed, first, count, int(self.matches), carry, packs[-count:])
            status = watched(
                kernel.play_batch,
                scratch.knowledge,
                self.calls_functions,
                self.codes,
                tables(),
                self.chances,
                self.side,
                batch,
                scratch,
                rows,
                facts,
                logs,
                results,
                done,
                self.heedful,
            )
            refuse(status, self.setting.label, scratch.knowledge)
            units, used = (int(number) for number in done)
            if units:
                ended = checked_scores(results[: units * len(self.seatings)], self.setting.label)
                yield Played(first, units, rows[:used], facts[:used], ended, logs[:used])
            else:
                room *= 2
            first, count = first + units, count - units

    def map(
        self,
        work: Callable[[Played], Arrays],
        merges: tuple[Merge, ...],
        total: int,
        *,
        first: int = 0,
        threads: int | None = None,
        logged: bool = False,
        most_chunks: int = CHUNKS_A_PIECE,
        progress: Progress | None = None,
    ) -> Iterator[Arrays]:
        """
        Results of some work on ranges that make up the units played, in their order: see `executors.execute`.

        Parameters
        ----------
        work : function of a module, of a `Played`
            What is not told by that stands in `functools.partial` or in the object that it is a method of.
        merges : how each of its arrays is merged with that of the units behind
        total, first : how many units, and the number of the first
        logged : whether it looks at single plays
        most_chunks : chunks of a piece, at most, where results are large

        Raises
        ------
        InputError
            If the number of threads is out of range.
        """
        check_threads(threads)
        tables()
        chunks_a_piece = min(most_chunks, self._chunks_a_piece)
        task = Task(self.label, Chunk(self, work, merges, logged), merges, self.chunk(logged), chunks_a_piece)
        return execute(task, first, total, threads=threads, progress=progress)

    def each(
        self,
        work: Callable[[Played], T],
        total: int,
        *,
        first: int = 0,
        threads: int | None = None,
        logged: bool = False,
        progress: Progress | None = None,
    ) -> Iterator[T]:
        """
        Results of any work on each part of the units played, in their order, on threads of this process.

        Raises
        ------
        InputError
            If the number of threads is out of range.
        """
        check_threads(threads)
        tables()

        def one(start: int, count: int) -> list[T]:
            return [work(played) for played in self.play(start, count, logged=logged)]

        size = self.chunk(logged)
        parts, at_once = chunks(first, total, size), thread_count(threads)
        if at_once > 1:
            one(first, 1)  # what is yet to be compiled is compiled in this thread, where Ctrl-C can end it
        for number, results in enumerate(in_order(one, parts, at_once), 1):
            yield from results
            if progress:
                progress(min(number * size, total), total)

    def chunk(self, logged: bool = False) -> int:
        """Units that are played at once."""
        size = LOGGED_A_CHUNK if logged else MATCHES_A_CHUNK if self.matches else ROUNDS_A_CHUNK
        return max(1, (SEARCHED_A_CHUNK if self.searches else size) // len(self.seatings))

    @property
    def _chunks_a_piece(self) -> int:
        """Chunks of a piece, so that one takes about half a second to a few."""
        if self.searches:
            return 2
        return 8 if any(policy.thinks for policy in self.policies) else CHUNKS_A_PIECE

    @property
    def label(self) -> str:
        """What is played, for a person."""
        who = " against ".join(dict.fromkeys(policy.name for policy in self.policies))
        return f"{who}, {self.setting}, seed {self.seed}"

    def __getstate__(self) -> dict[str, Any]:
        """Fields alone, as they are sent elsewhere: what is made of them holds addresses of this process."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def identity(self) -> tuple[object, ...]:
        """All that its play depends on, in numbers and words: see `basra_sim.identity`."""
        policies = tuple(policy.identity(self.setting) for policy in self.policies)
        return self.setting, policies, self.seatings, self.turns, self.seed, self.matches


@dataclass(frozen=True)
class Chunk:
    """
    Some work on units of a plan, as `executors.Task` does it.

    Attributes
    ----------
    plan : Plan
    work, merges, logged : as for `Plan.map`
    """

    plan: Plan
    work: Callable[[Played], Arrays]
    merges: tuple[Merge, ...]
    logged: bool = False

    def __call__(self, first: int, count: int) -> Arrays:
        """Results on some units."""
        return merged([self.work(played) for played in self.plan.play(first, count, logged=self.logged)], self.merges)


@lru_cache(maxsize=32)
def _foreseen(setting: Setting, weights: tuple[tuple[str, float], ...]) -> Prospect:
    """What is to come after a deal among players of such weights: the same for whoever asks."""
    player = Plan(setting, (Policy("alike", "", dict(weights)),), ((0,) * setting.players,), FORESIGHT_SEED)
    return foresee(Learner(player.codes, player.chances, player.side, player.seed, None, setting.label))


def check_threads(threads: int | None) -> None:
    """
    Refuse an impossible number of threads.

    Raises
    ------
    InputError
        Naming it and the range.
    """
    if threads is not None:
        check_number("threads", threads, 1, MOST_THREADS)


def check_number(name: str, number: object, low: int, high: int) -> None:
    """
    Refuse what is not a whole number of a range.

    Raises
    ------
    InputError
        Naming it and the range.
    """
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or not low <= number <= high:
        raise InputError(f"{name} = {number!r} is not possible: it must be a whole number from {low} to {high}")


def check_units(plan: Plan, units: int, first: int = 0) -> None:
    """
    Refuse a number of units, or of the first one, that a batch cannot have.

    Raises
    ------
    InputError
        Naming it and the range.
    """
    check_number("first", first, 0, MOST_UNITS - 1)
    check_number("matches" if plan.matches else "rounds", units, 1, MOST_UNITS - first)


def plan(
    variant: str | Variant,
    *,
    players: int = 2,
    pairs: bool = False,
    policies: Sequence[str | Policy] | str | Policy = "greedy",
    seed: int = 1,
    changes: Mapping[str, object] | None = None,
    matches: bool = False,
) -> Plan:
    """
    Plan of a batch in one seating.

    Parameters
    ----------
    variant : name, path of a person's own variant file, or Variant
    players, pairs : 2, 3 or 4 players; four may play in pairs
    policies : one for all, or one a player (one a team in pairs)
    changes : options that differ from the variant

    Raises
    ------
    InputError
        If the setting is impossible, or the number of policies fits neither players nor teams.
    """
    table = setting(variant, players, pairs, changes)
    named = [policies] if isinstance(policies, str | Policy) else list(policies)
    found = [get_policy(each) for each in named]
    if len(found) == 1:
        found *= table.players
    elif len(found) == table.team_count:
        found = [found[team] for team in table.teams]
    elif len(found) != table.players:
        counts = [1, table.team_count, table.players] if pairs else [1, table.players]
        raise InputError(f"{len(found)} policies are given: it takes {' or '.join(str(n) for n in counts)}")
    return Plan(table, tuple(found), (tuple(range(len(found))),), seed, matches)


def plan_units(variant: str | Variant, rounds: int | None, matches: int | None, **table: Any) -> tuple[Plan, int]:
    """Plan, and number of units, of a number of rounds or of matches."""
    if rounds is not None and matches is not None:
        raise InputError("rounds and matches are both given: give one of them")
    if matches is not None:
        return plan(variant, matches=True, **table), matches
    return plan(variant, **table), DEFAULT_ROUNDS if rounds is None else rounds
