"""Decisions that a claim is about, each played both ways: what an application is worth, and where."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analyses.claims import opinions
from analyses.claims.cells import FEWEST_DEALS, Sums, places
from analyses.claims.match_value import MatchValue, match_value
from analyses.claims.model import DECISION, GAIN, Claim, Table
from analyses.claims.rows import APPLIED, ASKED, CROSS, EXPLORATION, PRIMARY, row
from analyses.jobs import ADVISER, PLAYERS, STRONGEST, Effort, Job, weight
from basra_sim.cards import JACK, RANKS, TEN_OF_DIAMONDS
from basra_sim.decisions import Decisions, decisions
from basra_sim.executors import Progress
from basra_sim.sequential import looks

DEALS, MOST = 1 / 10, 1.0
"""Deals that decisions are taken from, as parts of `Effort.rounds`: at first; and at most, if the decisions are few."""

ENOUGH = 1 / 10
"""Decisions to come by, as a part of `Effort.rounds`."""

FEWEST = 50
"""Decisions that a cell must hold to be stated."""

BETTER, WORSE = "followed better", "followed worse"
"""Shares of decisions in which following, or going against it, led to more points."""

FOLLOWED, BREACHED, NEITHER = "followed already", "gone against already", "neither done already"
"""Shares of decisions in which the player, left alone, made the play that follows, that goes against it, or another."""

OPINION = "expected margin"
"""By how many points the player who searches expects following to be better."""

CONTRAST, WIN = "contrast", "match won"
"""By how much more an application gains where the contrast is 1; chance to win the match that it gains."""

_MICRO = 1_000_000
_POINTS, _SHARE = "points/decision", "of decisions"
_MADE = {FOLLOWED: 1, BREACHED: -1, NEITHER: 0}


class Outcome(NamedTuple):
    """Something measured of decisions besides the points of the round."""

    unit: str
    meaning: str
    values: Callable[[Decisions], npt.NDArray[np.int64]]
    """Whole numbers, one a decision."""


def _less(name: str) -> Callable[[Decisions], npt.NDArray[np.int64]]:
    """What a quantity of the branch that follows is above that of the other one."""
    return lambda found: np.asarray(found.column(f"follow_{name}") - found.column(f"against_{name}"))


def _tens_home(way: str) -> Callable[[Decisions], npt.NDArray[np.int64]]:
    """Whether both tens, the plain one that is to be laid and 10♦, end up with the player's team."""

    def values(found: Decisions) -> npt.NDArray[np.int64]:
        both = np.left_shift(1, found.column("follow_card")) | 1 << TEN_OF_DIAMONDS
        return np.asarray((found.column(f"{way}_own_pile") & both) == both).astype(np.int64)

    return values


def _ten_home(way: str) -> Callable[[Decisions], npt.NDArray[np.int64]]:
    """Whether 10♦ ends up with the player's team."""
    return lambda found: np.asarray(found.column(f"{way}_own_pile") >> TEN_OF_DIAMONDS & 1)


OUTCOMES: Mapping[str, Outcome] = {
    "turn": Outcome(_POINTS, "points won, less those lost, up to the next turn", _less("turn")),
    "own_points": Outcome(_POINTS, "points of the own team in the round", _less("own_points")),
    "own_basras": Outcome("basras/decision", "basras of the own team", _less("own_basras")),
    "later_cards": Outcome("cards/decision", "cards captured later by the own team", _less("later_cards")),
    "tens_home": Outcome(_SHARE, "both tens come home when it is followed", _tens_home("follow")),
    "tens_home_otherwise": Outcome(_SHARE, "both tens come home when it is gone against", _tens_home("against")),
    "ten_home": Outcome(_SHARE, "10♦ comes home when it is followed", _ten_home("follow")),
    "ten_home_otherwise": Outcome(_SHARE, "10♦ comes home when it is gone against", _ten_home("against")),
}
"""Outcomes of decisions; those that are no shares are what following has more than going against it."""


def jobs(claim: Claim, effort: Effort) -> Iterator[Job]:
    """Decisions to play for a claim; rows as `rows.row` describes them."""
    for table in claim.tables:
        for strength in PLAYERS:
            yield _job(claim, table, strength, effort, effort.opponent)
            if claim.curve and table == claim.table:
                yield from _curve(claim, table, strength, effort)
            if table == claim.table and effort.opponent is None:
                for opponent in PLAYERS:
                    if opponent != strength:
                        yield _job(claim, table, strength, effort, opponent)


def curve(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Names of the values of the curve's quantity, and claims that say to play each of them rather than any other."""
    piece = claim.piece
    assert piece is not None
    for value in range(1, len(RANKS) + 1):
        if value != JACK + 1:
            follow, against = {claim.curve: (value, value)}, {claim.curve: (value + 1, value - 1)}
            tried = replace(piece, name=f"{piece.name} {RANKS[value - 1]}", follow=follow, against=against)
            yield RANKS[value - 1], replace(claim, piece=tried, splits=(), curve="")


def _curve(claim: Claim, table: Table, strength: str, effort: Effort) -> Iterator[Job]:
    """Decisions for each value of a curve."""
    for place, tried in curve(claim):
        label = f"{claim.name}: {table.label}, {strength}, {claim.curve} {place}"

        def work(progress: Progress | None, tried: Claim = tried, place: str = place) -> list[dict[str, Any]]:
            found = Collected(tried, table, strength, effort, effort.opponent).play(progress)
            estimate = found.sums.mean((GAIN, "", ""), found.deals, 1 / found.others)
            made = partial(row, claim, DECISION, EXPLORATION, table, strength, GAIN, estimate, seed=effort.seed)
            return [made(unit=_POINTS, split=claim.curve, place=place, decisions=found.sums.count((GAIN, "", "")))]

        yield Job(label, weight(4 * effort.units(DEALS, strength), strength), work)


def _job(claim: Claim, table: Table, strength: str, effort: Effort, opponent: str | None = None) -> Job:
    """All decisions of some deals."""

    def work(progress: Progress | None) -> list[dict[str, Any]]:
        return list(Collected(claim, table, strength, effort, opponent).play(progress).rows())

    label = f"{claim.name}: {table.label}, {strength}{f' against {opponent}' if opponent else ''}, decisions"
    takes = weight(8 * effort.units(DEALS, strength), strength)
    if Collected(claim, table, strength, effort, opponent).judged_by_adviser:
        takes += opinions.number(effort) * opinions.TIME
    return Job(label, takes, work)


@dataclass
class Collected:
    """Decisions of a claim at one table, among players of one policy or against another one, added up."""

    claim: Claim
    table: Table
    strength: str
    effort: Effort
    opponent: str | None = None
    sums: Sums = field(default_factory=Sums)
    deals: int = 0
    others: int = 1
    kept: list[Decisions] = field(default_factory=list)

    @property
    def detailed(self) -> bool:
        """Whether decisions are told apart; against another kind of opponent only their mean is wanted."""
        return self.opponent == self.effort.opponent

    @property
    def judged_by_adviser(self) -> bool:
        """Whether the player who searches is asked: about decisions of the strongest among his like."""
        return self.strength == STRONGEST and self.table == self.claim.table and self.opponent is None

    def play(self, progress: Progress | None) -> "Collected":
        """Play deals until there are decisions enough, or the largest number of deals is reached."""
        least, most = (self.effort.units(part, self.strength) for part in (DEALS, MOST))
        assert self.claim.piece is not None
        for until in (least, *(units for units in looks(most) if units > least)):
            found = decisions(
                self.claim.piece,
                self.strength,
                self.table.variant,
                opponent=self.opponent,
                players=self.table.players,
                pairs=self.table.pairs,
                deals=until - self.deals,
                first=self.deals,
                seed=self.effort.seed,
                threads=self.effort.threads,
            )
            self.deals, self.others = until, found.plan.setting.team_count - 1
            self.add(found)
            if progress:
                progress(until, most)
            if self.sums.count((GAIN, "", "")) >= self.effort.units(ENOUGH, self.strength):
                break
        return self

    def add(self, found: Decisions) -> None:
        """Add decisions to all the cells that they belong to."""
        claim, deals = self.claim, found.column("deal_index")
        gain = np.rint(found.gain * self.others).astype(np.int64)
        judged = np.ones(len(deals), bool)
        for name, (low, high) in claim.judged.items():
            judged &= (found.column(name) >= low) & (found.column(name) <= high)
        measured = {GAIN: gain, BETTER: (gain > 0).astype(np.int64), WORSE: (gain < 0).astype(np.int64)}
        if self.detailed:
            made = found.made
            measured |= {name: (made == how).astype(np.int64) for name, how in _MADE.items()}
            measured |= {name: OUTCOMES[name].values(found) for name in claim.outcomes}
        if self.judged_by_adviser:
            self.kept.append(replace(found, found=found.found[judged]))
        for measure, values in measured.items():
            self.sums.add((measure, "", ""), deals[judged], values[judged])
        if claim.contrast:
            self.sums.add_sides(deals, gain, found.column(claim.contrast) == 1)
            self._add_split(claim.contrast, places(claim.contrast, found.column(claim.contrast)), deals, gain)
        if claim.by_match:
            self._add_matches(found, deals)
        if self.detailed:
            for split in claim.splits:
                here = places(split, found.column(split))
                self._add_split(split, here, deals, gain)
                if self.strength == STRONGEST:
                    self._add_split(split, here, deals, measured[FOLLOWED], FOLLOWED)
            for pair in claim.maps:
                first, second = (places(name, found.column(name)) for name in pair)
                both = np.char.add(np.char.add(first, " × "), second)
                self._add_split(" × ".join(pair), both, deals, gain)

    def _add_split(
        self,
        split: str,
        here: npt.NDArray[Any],
        deals: npt.NDArray[np.int64],
        values: npt.NDArray[np.int64],
        measure: str = GAIN,
    ) -> None:
        """Add values, gains if nothing else is said, to the cells of a split."""
        for place in np.unique(here):
            chosen = here == place
            self.sums.add((measure, split, str(place)), deals[chosen], values[chosen])

    def _add_matches(self, found: Decisions, deals: npt.NDArray[np.int64]) -> None:
        """Add the chance to win the match that following gains, at scores near its end."""
        effort, like = self.effort, self.opponent in (None, self.strength)
        value: MatchValue = match_value(
            self.table, self.strength, effort.seed, effort.threads, None if like else self.opponent
        )
        team = found.column("team")
        whole = np.zeros(len(deals))
        for own, other in value.near:
            chances = [
                value.won(team, own + found.column(f"{way}_own_points"), other + found.column(f"{way}_other_points"))
                for way in ("follow", "against")
            ]
            gained = chances[0] - chances[1]
            whole += gained / len(value.near)
            self.sums.add((WIN, "score", f"{own} : {other}"), deals, np.rint(gained * _MICRO).astype(np.int64))
        self.sums.add((WIN, "", ""), deals, np.rint(whole * _MICRO).astype(np.int64))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of what came out."""
        claim, deals, scale = self.claim, self.deals, 1 / self.others
        made = partial(row, claim, DECISION, table=self.table, strength=self.strength, seed=self.effort.seed)
        made = partial(made, opponent=self.opponent or "")
        judged = PRIMARY if self.table == claim.table else EXPLORATION
        judged = judged if self.detailed else CROSS
        role = EXPLORATION if judged == PRIMARY and (claim.contrast or claim.by_match) else judged
        whole = (GAIN, "", "")
        yield made(role=role, measure=GAIN, found=self.sums.mean(whole, deals, scale), unit=_POINTS)
        if claim.by_match:
            found = self.sums.mean((WIN, "", ""), deals, 1 / _MICRO)
            yield made(role=judged, measure=WIN, found=found, unit="of matches")
        if claim.contrast:
            yield made(role=judged, measure=CONTRAST, found=self.sums.gap(deals, scale), unit=_POINTS)
        if not self.detailed:
            return
        yield made(role=EXPLORATION, measure=APPLIED, found=self.sums.number(whole, deals))
        for measure in (BETTER, WORSE):
            yield made(role=EXPLORATION, measure=measure, found=self.sums.mean((measure, "", ""), deals), unit=_SHARE)
        for measure in _MADE:
            found, count = self.sums.share((measure, "", ""), deals), self.sums.count(whole)
            yield made(role=EXPLORATION, measure=measure, found=found, unit=_SHARE, decisions=count)
        for name in claim.outcomes:
            found = self.sums.mean((name, "", ""), deals)
            yield made(role=EXPLORATION, measure=name, found=found, unit=OUTCOMES[name].unit)
        for key in self.sums.cells:
            measure, split, place = key
            if split and self.sums.count(key) >= FEWEST:
                unit, per = ("of matches", 1 / _MICRO) if measure == WIN else (_POINTS, scale)
                found = self.sums.mean(key, deals, per)
                if measure == FOLLOWED:
                    unit, found = _SHARE, self.sums.share(key, deals)
                yield made(
                    role=EXPLORATION, measure=measure, found=found, unit=unit, split=split, place=place,
                    decisions=self.sums.count(key),
                )  # fmt: skip
        if self.kept:
            yield from self._opinion()

    def _opinion(self) -> Iterator[dict[str, Any]]:
        """Row of what the player who searches thinks of some of the decisions, if they are enough to state it."""
        every = replace(self.kept[0], found=np.concatenate([part.found for part in self.kept]))
        asked = replace(every, found=every.found[opinions.chosen(len(every.found), self.effort)])
        if len(np.unique(asked.column("deal_index"))) < FEWEST_DEALS:
            return
        values, whole = np.rint(opinions.opinions(asked, self.effort.threads) * _MICRO), (OPINION, "", "")
        sums = Sums()
        sums.add(whole, asked.column("deal_index"), values.astype(np.int64))
        yield row(
            self.claim, DECISION, ASKED, self.table, ADVISER, OPINION, sums.mean(whole, self.deals, 1 / _MICRO),
            seed=self.effort.seed, unit=_POINTS, decisions=len(values),
        )  # fmt: skip
