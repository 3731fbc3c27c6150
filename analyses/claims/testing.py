"""All tests of claims: what is played, and what becomes of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from analyses.claims import choices, observations, ways
from analyses.claims.model import DECISION, FREQUENCY, PLAYING, Claim, Table
from analyses.claims.observed import predictions
from analyses.claims.practice import practice
from analyses.claims.verdict import Verdict, judge, verdict
from analyses.claims.wording import headline
from analyses.jobs import Effort, Job, Watch, Work, run
from basra_sim.errors import InputError
from basra_sim.stats import CONFIDENCE

_TESTS = {PLAYING: ways.jobs, DECISION: choices.jobs}


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """What has to be played to test a claim as a way of playing and as a decision; rows as `rows.row`."""
    for kind in claim.kinds:
        if kind in _TESTS:
            yield from _TESTS[kind](claim, effort)


@dataclass(frozen=True)
class Tested:
    """
    Claims tested together.

    Attributes
    ----------
    claims : the claims
    effort : how much was played
    played : DataFrame
        Rows as `rows.row` describes them.
    """

    claims: Sequence[Claim]
    effort: Effort
    played: pd.DataFrame

    @cached_property
    def judged(self) -> pd.DataFrame:
        """Rows with their outcomes: see `verdict.judge`."""
        return judge(self.played, self.claims)

    def to_dict(self) -> dict[str, Any]:
        """Verdicts and the rows behind them, for JSON."""
        rows = self.judged.astype(object).where(self.judged.notna(), None)
        return {
            "rounds": self.effort.rounds,
            "seed": self.effort.seed,
            "precision": self.effort.precision,
            "until_decided": self.effort.until_decided,
            "confidence": CONFIDENCE,
            "claims": [
                {
                    "id": claim.name,
                    "advice": claim.advice,
                    "verdict": found.name,
                    "depends_on": found.on or None,
                    "sentence": headline(claim, found),
                    "players": found.states,
                    "needed": found.needed,
                    "trouble": found.trouble or None,
                    "remark": claim.remark or None,
                    "practice": list(practice(claim, self.judged)),
                    "results": rows[rows["claim"] == claim.name].to_dict("records"),
                }
                for claim, found in ((claim, self.verdicts[claim.name]) for claim in self.claims)
            ],
        }

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Verdicts by the claims' names."""
        return {claim.name: verdict(self.judged, claim) for claim in self.claims}


def fitted(claim: Claim, at: Table | None, opponent: str | None) -> Claim:
    """
    Claim as it is tested at a table, or against an opponent, that is not registered; as it is if neither is given.

    Its frequencies, which are counted at their own tables only, are left out.

    Raises
    ------
    InputError
        If nothing of it can be tested so.
    """
    if at is None and opponent is None:
        return claim
    kinds = tuple(kind for kind in claim.kinds if kind != FREQUENCY or not predictions(claim.name))
    if not kinds:
        raise InputError(
            f"{claim.name} says how often something happens, which is counted at its registered tables, among their "
            "players: it takes no other rules, table or opponent"
        )
    if claim.by_match and at is not None and at.players > 2 and not at.pairs:
        raise InputError(f"{claim.name} is judged by matches between two sides: it takes no {at.seats}")
    if kinds == claim.kinds:
        return claim
    left = "What is predicted of its frequencies is counted at its registered tables only, and left out here."
    return replace(claim, kinds=kinds, remark=f"{claim.remark} {left}".lstrip())


def put_to_test(claims: Sequence[Claim], effort: Effort, watch: Watch | None = None) -> Tested:
    """Test claims together: play what they need, judge it as one family."""
    return Tested(claims, effort, run(batches(claims, effort), watch))


def batches(claims: Sequence[Claim], effort: Effort) -> list[Job]:
    """All that has to be played to test claims together."""
    duels = sum(ways.tests(claim) for claim in claims if PLAYING in claim.kinds)
    effort = replace(effort, tests=max(duels, 1))
    counted = [claim.name for claim in claims if FREQUENCY in claim.kinds]
    alone = [replace(job, parts=(claim.name,)) for claim in claims for job in jobs(claim, effort)]
    return alone + list(observations.jobs(effort, counted))


def tested(claims: Sequence[Claim], effort: Effort, work: Work) -> tuple[Tested, list[str]]:
    """
    What has become of claims of whose `batches` some may be still to play, and the names of those that cannot be told.

    The others are judged as one family: corrected for what was tested of them alone.
    """
    unfinished = set(work.missing())
    finished = [claim for claim in claims if claim.name not in unfinished]
    played = work.rows
    kept = played[played["claim"].isin([claim.name for claim in finished])] if len(played) else played
    return Tested(finished, effort, kept.reset_index(drop=True)), [
        claim.name for claim in claims if claim not in finished
    ]
