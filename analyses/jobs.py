"""Batches of play that an analysis asks for, and how large they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

import pandas as pd

from basra_sim.executors import Progress, place
from basra_sim.rules import Rules
from basra_sim.variants import variant, variant_names

STRENGTHS = ("greedy", "counter")
"""Policies that stand for two strengths of play, the weaker first."""

STRONGEST = "champion"
"""The strongest player who does not search."""

ADVISER = "expert"
"""The player whose opinion is asked: he searches, and plays on as the strongest does."""

PLAYERS = (*STRENGTHS, STRONGEST)
"""Players at whom advice is tested, the weakest first."""

FEWER: Mapping[str, int] = {"counter": 4, "adept": 4, "champion": 4}
"""How many times fewer units than `greedy` a policy plays that thinks longer."""

TIME: Mapping[str, float] = {"counter": 4.0, "adept": 4.0, "champion": 5.5}
"""Time a round takes, in rounds of `greedy`: a rough figure, to foretell how long a job lasts."""


@dataclass(frozen=True)
class Effort:
    """
    How much is played, all of it from one number.

    Attributes
    ----------
    rounds : int
        Deals of a duel between greedy players; every other batch is a fixed part of it.
    seed : int
        Seed of the deals.
    threads : int or None
        How many threads play; no result depends on it.
    precision : float or None
        Half-width, in points, that primary tests play on to reach, instead of a number of deals.
    until_decided : bool
        Whether primary tests play on until they are decided instead.
    opponent : str or None
        Whom players of primary tests play against, if not against their like.
    tests : int
        Number of primary tests that are played until they are decided, and share the chance of a wrong decision.
    """

    rounds: int
    seed: int = 1
    threads: int | None = None
    precision: float | None = None
    until_decided: bool = False
    opponent: str | None = None
    tests: int = 1

    def units(self, part: float, policy: str) -> int:
        """Units of a batch: a part of the rounds, fewer of them for a policy that thinks longer."""
        return max(2, round(self.rounds * part / FEWER.get(policy, 1)))

    def on(self, seed: int) -> "Effort":
        """The same effort on other deals."""
        return replace(self, seed=seed)

    def stopping(self, deals: int) -> dict[str, Any]:
        """When a primary test stops, as `basra_sim.duel` is told: by a rule, or after so many deals."""
        if self.until_decided:
            return {"until_decided": True, "tests": self.tests}
        return {"deals": deals} if self.precision is None else {"precision": self.precision}


@dataclass(frozen=True)
class Job:
    """
    One batch to play.

    Attributes
    ----------
    label : str
        What is played, for a person who waits.
    weight : float
        Time it takes, in rounds of `greedy`.
    work : function
        Plays the batch and returns rows, each by names of columns; it is given whom to report progress to.
    parts : tuple of str
        Names of the claims, variants or players that it tells of, where some of them can be told of without the rest.
    chain : str
        Jobs of the same chain share what was played, and are done one after another; others may be done at once.
    """

    label: str
    weight: float
    work: Callable[[Progress | None], list[dict[str, Any]]] = field(compare=False)
    parts: tuple[str, ...] = ()
    chain: str = ""


Watch = Callable[[Job], Progress]
"""Asked at the start of each job whom to report progress to."""


def run(jobs: Iterable[Job], watch: Watch | None = None) -> pd.DataFrame:
    """Do jobs one after another; the rows of all of them."""
    work = Work(list(jobs))
    work.run(watch)
    return work.rows


@dataclass
class Work:
    """
    Jobs that are done in their order; if they are cut short, those that are done can be told of.

    On many machines several of them are done at once: most take too few pieces to keep all busy.

    Attributes
    ----------
    jobs : the jobs
    done : rows of each job that is done, in their order
    """

    jobs: Sequence[Job]
    done: list[list[dict[str, Any]]] = field(default_factory=list)

    def run(self, watch: Watch | None = None) -> None:
        """Do the jobs that are not done yet."""
        todo = self.jobs[len(self.done) :]
        at_once = place().workers.at_once
        if at_once == 1:
            for job in todo:
                self.done.append(_done(job, watch(job) if watch else None))
            return
        pool = ThreadPoolExecutor(at_once)
        try:
            for rows in _side_by_side(pool, todo, watch):
                self.done.append(rows())
        finally:
            # Jobs that are cut short end when the connection to their workers does: nobody waits for them here.
            pool.shutdown(wait=False, cancel_futures=True)

    @property
    def rows(self) -> pd.DataFrame:
        """Rows of all jobs that are done."""
        return pd.DataFrame([row for rows in self.done for row in rows])

    def missing(self) -> list[str]:
        """Names of the parts that some job is still to tell of, in the order of the jobs."""
        return list(dict.fromkeys(name for job in self.jobs[len(self.done) :] for name in job.parts))

    def whole(self) -> list[str]:
        """Names of the parts that all has been told of, in the order of the jobs."""
        missing = set(self.missing())
        return list(dict.fromkeys(name for job in self.jobs for name in job.parts if name not in missing))


Rows = list[dict[str, Any]]


def _done(job: Job, told: Progress | None) -> Rows:
    """Rows of a job; whoever follows it is told when it has come to its end."""
    rows = job.work(told)
    if told:
        told(1, 1)
    return rows


def _side_by_side(pool: ThreadPoolExecutor, jobs: Sequence[Job], watch: Watch | None) -> list[Callable[[], Rows]]:
    """Begin jobs in a pool, those of a chain one after another; ways to wait for the rows of each."""
    chains: dict[str, Future[Rows]] = {}
    begun: list[Callable[[], Rows]] = []
    for job in jobs:
        told = _one_at_a_time(watch(job)) if watch else None
        future = pool.submit(copy_context().run, _behind, chains.get(job.chain), job, told)
        if job.chain:
            chains[job.chain] = future
        begun.append(future.result)
    return begun


def _behind(before: "Future[Rows] | None", job: Job, told: Progress | None) -> Rows:
    """Rows of a job that is done once another one is; pools begin jobs in order, so that one has begun."""
    if before is not None:
        before.result()
    return _done(job, told)


_telling = Lock()


def _one_at_a_time(told: Progress) -> Progress:
    """Progress that threads report one after another."""

    def tell(units: int, of: int) -> None:
        with _telling:
            told(units, of)

    return tell


def same_rules(names: Iterable[str] | None = None) -> list[list[str]]:
    """Variants, all of them or some, in groups of the very same rules, which can share a batch."""
    groups: dict[Rules, list[str]] = {}
    for name in variant_names() if names is None else names:
        groups.setdefault(variant(name).rules, []).append(name)
    return list(groups.values())


def weight(rounds: float, *policies: str) -> float:
    """Time that rounds take among players of some policies, in rounds of `greedy`."""
    return rounds * sum(TIME.get(policy, 1.0) for policy in policies) / len(policies)
