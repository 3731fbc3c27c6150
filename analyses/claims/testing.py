"""All tests of claims: what is played, and what becomes of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from analyses.claims import choices, ways
from analyses.claims.model import DECISION, PLAYING, Claim
from analyses.claims.verdict import Verdict, judge, verdict
from analyses.jobs import Effort, Job, Watch, run

_TESTS = {PLAYING: ways.jobs, DECISION: choices.jobs}


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """What has to be played to test a claim in all the kinds registered for it; rows as `rows.row` describes them."""
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

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Verdicts by the claims' names."""
        return {claim.name: verdict(self.judged, claim) for claim in self.claims}


def put_to_test(claims: Sequence[Claim], effort: Effort, watch: Watch | None = None) -> Tested:
    """Test claims together: play what they need, judge it as one family."""
    batches = [job for claim in claims for job in jobs(claim, effort)]
    return Tested(claims, effort, run(batches, watch))
