"""The questions of the command line asked from Python: each a function that plays, and an answer that shows itself."""

from collections.abc import Sequence
from typing import Any

from analyses.balance import runs
from analyses.balance.comparing import Compared
from analyses.claims.cli import DEFAULT_ROUNDS, LEAST, MOST, watch
from analyses.claims.model import Claim, Table, own_claim
from analyses.claims.registry import find_claims
from analyses.claims.testing import Tested, batches, fitted, put_to_test
from analyses.jobs import PLAYERS, Effort, run
from analyses.strength.ladder import DEALS, SEARCHED, Ladder, extent, jobs, ladder_of
from basra_sim.errors import InputError
from basra_sim.executors import Progress
from basra_sim.plans import MOST_UNITS, check_number
from basra_sim.policies import Advice, Policy, get_policy
from basra_sim.pools import GROUPS, LEAST_DEALS
from basra_sim.variants import setting, variant_names


def test(
    *claims: str | Advice | Claim,
    rounds: int = DEFAULT_ROUNDS,
    variant: str | None = None,
    players: int | None = None,
    pairs: bool = False,
    opponent: str | None = None,
    precision: float | None = None,
    until_decided: bool = False,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tested:
    """
    Test advice as ``basra-sim test`` does: players of three strengths with it and without, decisions played both ways.

    Parameters
    ----------
    claims : names of ``basra-sim claims``, files with advice, pieces of advice, or claims; judged as one family
    rounds : deals of a duel between greedy players; a fixed part of it for all else
    variant, players, pairs : where it is tested, instead of where it is registered for
    opponent : policy that the players play against, instead of their like
    precision, until_decided : as for `basra_sim.duel`, for primary duels
    seed, threads : the result does not depend on the number of threads
    progress : called with the thousands of rounds' work done and in all

    Raises
    ------
    InputError
        If there is no such claim, or it cannot be tested so.

    Examples
    --------
    ``analyses.test("jack-hold", rounds=20_000).sentence``
    """
    if not claims:
        raise InputError("no claim is given: name one of 'basra-sim claims', or give advice of your own")
    if precision is not None and until_decided:
        raise InputError("precision and until_decided are both given: give one of them")
    if precision is not None and not 0 < precision < float("inf"):
        raise InputError(f"precision = {precision!r} is not possible: it must be a number above 0")
    check_number("rounds", rounds, LEAST, MOST)
    at = None
    if variant is not None or players is not None or pairs:
        at = Table(variant or "bastra", players or (4 if pairs else 2), pairs)
        setting(at.variant, at.players, at.pairs)
    if opponent is not None:
        get_policy(opponent)
    named = find_claims([each for each in claims if isinstance(each, str)])
    given = [own_claim(each) if isinstance(each, Advice) else each for each in claims if not isinstance(each, str)]
    names = [each.name for each in (*named, *given)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"two claims are called {twice[0]!r}: give one of them another name")
    chosen = [fitted(each.at(at or each.table), at, opponent) for each in (*named, *given)]
    effort = Effort(rounds, seed, threads, precision, until_decided, opponent)
    return put_to_test(chosen, effort, watch(batches(chosen, effort), progress) if progress else None)


def compare(
    variants: str | Sequence[str] = (),
    *,
    players: int = 2,
    pairs: bool = False,
    policies: Sequence[str] = PLAYERS,
    deals: int | None = None,
    skill: bool = True,
    decisions: int = 0,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Compared:
    """
    Compare rules as ``basra-sim balance`` does: how fair, skilful and long a game is, and what decides it.

    Parameters
    ----------
    variants : names or files; all that come with the package if none are given
    policies : levels of play of equal players
    deals : deals of each batch; as many as `analyses.balance.runs.STATED` asks for if None
    skill : whether a better player is put among weaker ones, too
    decisions : decisions that are weighed of each batch
    progress : called with the thousands of rounds' work done and in all

    Raises
    ------
    InputError
        If something given is impossible.
    """
    if deals is not None:
        check_number("deals", deals, GROUPS * LEAST_DEALS, MOST_UNITS)
    table = (players, pairs)
    companies = [name for name, each in runs.COMPANIES.items() if each == table]
    names = (variants,) if isinstance(variants, str) else tuple(dict.fromkeys(variants)) or variant_names()
    if not companies:
        setting(names[0], players, pairs)
    asked = runs.Extent(
        names,
        tuple(companies),
        tuple(policies),
        deals,
        unequal=skill,
        decisions=decisions,
        seed=seed,
        threads=threads,
    )
    todo = list(runs.jobs(asked))
    return Compared(asked, run(todo, watch(todo, progress) if progress else None))


def ladder(
    variant: str = "bastra",
    *,
    players: int = 2,
    pairs: bool = False,
    policies: Sequence[str | Policy] = (),
    deals: int = DEALS,
    searched: int = SEARCHED,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """
    Rate players by a round robin on common deals as ``basra-sim ladder`` does.

    Parameters
    ----------
    policies : players, by name or themselves; all that come with the package if none are given
    deals, searched : deals of each pairing, and of each in which a player searches
    progress : called with the thousands of rounds' work done and in all

    Raises
    ------
    InputError
        If something given is impossible.
    """
    kinds: dict[str, Any] = {"deals": deals, "searched": searched, "seed": seed, "threads": threads}
    of = extent(variant, players, pairs, policies, **kinds)
    todo = list(jobs(of))
    return ladder_of(of, run(todo, watch(todo, progress) if progress else None))
