"""All tests of claims: what is played, and what becomes of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from analyses.claims import choices, observations, ways
from analyses.claims.choices import WIN
from analyses.claims.model import DECISION, FREQUENCY, GAIN, PLAYING, Claim, Table
from analyses.claims.observed import predictions
from analyses.claims.practice import practice
from analyses.claims.rows import AGAIN, MARGIN, PRIMARY
from analyses.claims.summary import at_table, cells
from analyses.claims.verdict import Verdict, judge, verdict
from analyses.claims.wording import headline, reasons
from analyses.frames import estimates, rows_of
from analyses.jobs import Effort, Job, Watch, Work, run
from basra_sim.errors import InputError
from basra_sim.rules.wording import did_you_mean, either
from basra_sim.showing import html, html_sentence, html_table
from basra_sim.stats import CONFIDENCE

MOST_NAMED = 3
"""Claims that one line names."""

_TESTS = {PLAYING: ways.jobs, DECISION: choices.jobs}


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """What has to be played to test a claim as a way of playing and as a decision; rows as `rows.row`."""
    for kind in claim.kinds:
        if kind in _TESTS:
            yield from _TESTS[kind](claim, effort)


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        """One line for up to three claims, and how many more there are."""
        told = "; ".join(f"{name}: {found}" for name, found in list(self.verdicts.items())[:MOST_NAMED])
        more = len(self.claims) - MOST_NAMED
        return f"<Tested: {told}{f'; and {more} more' if more > 0 else ''}; seed {self.effort.seed}>"

    @property
    def verdict(self) -> Verdict:
        """
        Verdict on the claim, if one alone was tested.

        Raises
        ------
        InputError
            If there are several; `verdicts` has them all.
        """
        return self.verdicts[self._only.name]

    @property
    def sentence(self) -> str:
        """The verdict on the claim as a sentence; raises as `verdict` does, `sentences` has those of several."""
        return self.sentences[self._only.name]

    @property
    def sentences(self) -> dict[str, str]:
        """Verdicts as sentences that a player understands, by the claims' names."""
        return {claim.name: headline(claim, self.verdicts[claim.name]) for claim in self.claims}

    @property
    def frame(self) -> pd.DataFrame:
        """Rows with their outcomes: `judged`."""
        return self.judged

    @property
    def ways(self) -> pd.DataFrame:
        """Rows of the claim as a way of playing, those of `reports.advice_figures.plot_forms`; raises as `verdict`."""
        rows = at_table(self.judged, self._only)
        return rows[rows["measure"].eq(MARGIN) & rows["role"].isin([PRIMARY, AGAIN])]

    def when(self, split: str) -> pd.DataFrame:
        """
        Rows of the claim's decisions told apart: what `plot_split`, or `plot_map` for two quantities, draws.

        Parameters
        ----------
        split : a quantity of `model.Claim.splits`, such as ``"floor_size"``, or two: ``"floor_size × cards_left"``

        Raises
        ------
        InputError
            If several claims were tested, or the decisions are not told apart by that.
        """
        found = cells(self.judged, self._only)
        rows = found[(found["split"] == split) & (found["measure"] == (WIN if self._only.by_match else GAIN))]
        if not len(rows):
            known = list(dict.fromkeys(map(str, found["split"])))
            hint = f"{did_you_mean(split, known)}: there are {either(known)}" if known else ""
            raise InputError(f"decisions are not told apart by {split!r}{hint}")
        return rows

    @property
    def _only(self) -> Claim:
        """The claim that was tested alone."""
        if len(self.claims) != 1:
            raise InputError(f"{len(self.claims)} claims were tested: ask for .verdicts or .sentences")
        return self.claims[0]

    def _repr_html_(self) -> str:
        """Verdicts in sentences, and the results that they rest on."""
        effort = self.effort
        kind = "those of primary duels of confidence sequences, " if effort.until_decided else ""
        foot = (
            f"{effort.rounds:,} deals of a duel between greedy players, seed {effort.seed}. Intervals at "
            f"{CONFIDENCE:.0%} confidence, {kind}not corrected; outcomes are corrected for all that was tested "
            "together. All results: .frame."
        )
        return html(*(self._html_of(claim) for claim in self.claims), html_sentence(foot))

    def _html_of(self, claim: Claim) -> str:
        """Verdict on a claim and the results that it rests on."""
        found = self.verdicts[claim.name]
        rows = self.judged[(self.judged["claim"] == claim.name) & (self.judged["role"] == PRIMARY)]
        rows = rows[(rows["outcome"] != "") & rows["estimate"].notna() & (rows["split"] == "")]
        lines = [
            [
                row["policy"],
                row["form"] or (row["prediction"] if row["kind"] == FREQUENCY else row["measure"]),
                f"{row['variant']}, {row['seats']}",
                *each.texts,
                row["unit"],
                row["outcome"],
                f"{each.units:,}",
            ]
            for row, each in zip(rows_of(rows), estimates(rows), strict=True)
        ]
        headings = ["player", "test", "table", "estimate", "low", "high", "unit", "outcome", "units"]
        return html(
            html_sentence(f"{claim.name}: {found.name}", strong=True),
            html_sentence(f"“{claim.advice}”"),
            html_sentence(" ".join([headline(claim, found), *reasons(claim, found)])),
            html_table("What the verdict rests on.", headings, lines, (3, 4, 5, 8), ".frame"),
        )

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
