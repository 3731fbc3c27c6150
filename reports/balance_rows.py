"""Rows of the comparison of rules, looked up by variant, table, level of play and measure; and how they are grouped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from analyses.balance.measures import (
    BEHIND,
    CHOICE_MEASURES,
    LACKING,
    MEASURES,
    SKILL_MEASURES,
    SOURCE_PARTS,
    comeback_part,
)
from analyses.balance.skill import BETTER, WEAKER
from analyses.frames import by_key
from basra_sim.stats import Estimate
from reports.numbers import shown_unit
from reports.wording import TITLES

UNEQUAL = f"{BETTER}, {WEAKER}"
"""Players of the rows on skill, as these name them."""

TABLES = ("2 players", "3 players", "4 players", "pairs")
"""Tables, in the order in which they are shown."""

TWO = TABLES[0]
"""The table that figures show."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Points, and what decides": (
        "points",
        "basras",
        "variance_share",
        "round_without_majority",
        "round_without_basras",
        "round_without_cards",
        "match_without_majority",
        "match_without_basras",
        "match_without_cards",
    ),
    "Seats": (
        "first_seat_advantage",
        "last_seat_advantage",
        "first_round_wins",
        "last_round_wins",
        "first_match_wins",
        "last_match_wins",
    ),
    "Ties": ("round_ties", "majority_ties", "match_ties"),
    "Length of a match": ("match_rounds", "match_plays", "match_length"),
    "Leads and comebacks": ("lead_changes", "one_round_decides", "comeback"),
    "Skill and luck": tuple(measure.name for measure in SKILL_MEASURES),
}
"""Measures that belong together, in the order in which they are shown."""

FURTHER = "Choices"
"""Group of the measures that belong to no other."""

LABELS: Mapping[str, str] = {
    "basras": "basras",
    "round_without_majority": "other outcome without most cards",
    "round_without_basras": "other outcome without basras",
    "round_without_cards": "other outcome without aces, jacks, two, 10♦",
    "match_without_majority": "other outcome without most cards",
    "match_without_basras": "other outcome without basras",
    "match_without_cards": "other outcome without aces, jacks, two, 10♦",
    "first_seat_advantage": "first mover ahead by",
    "last_seat_advantage": "dealer ahead by",
    "first_round_wins": "first mover wins, beyond an even share",
    "last_round_wins": "dealer wins, beyond an even share",
    "first_match_wins": "who begins wins, beyond an even share",
    "last_match_wins": "who deals first wins, beyond an even share",
    "round_ties": "tied for points",
    "majority_ties": "tied for most cards",
    "match_ties": "tied at the top",
    "match_rounds": "rounds",
    "match_plays": "cards played",
    "lead_changes": "changes of the lead",
    "one_round_decides": "one round decides",
    "skill": "who plays (skill)",
    "seat_share": "the seats",
    "company_share": "the company",
    "deal_share": "the deal",
    "rest_share": "the rest",
    "better_margin": "better player ahead by",
    "effect": "ahead, in standard deviations",
    "better_round_wins": "better player wins",
    "better_match_wins": "better player wins",
    "rounds_to_tell": "rounds to tell who is better",
    "real_choices": "plays differ by more than",
    "stake": "best play over worst",
}
"""Names of measures for the rows of tables."""


COLUMNS: Mapping[str, str] = {
    "skill": "skill",
    "deal_share": "the deal",
    "rounds_to_tell": "rounds to tell",
    "better_match_wins": "better one wins",
    "first_seat_advantage": "first mover ahead",
    "first_match_wins": "who begins wins, beyond even",
    "match_rounds": "length",
    "lead_changes": "lead changes",
    "one_round_decides": "one round decides",
    "round_without_majority": "other outcome without most cards",
    "round_without_basras": "… without basras",
    "round_without_cards": "… without aces, jacks, two, 10♦",
    "round_ties": "ties",
    "basras": "basras",
    "stake": "hangs on a decision",
}
"""Measures of the table that compares all games, with the titles of their columns."""

RARE = 0.005
"""Lengths of matches that are rarer than this with all players are left out of texts and figures."""

SIGNED = ("first_seat_advantage", "first_match_wins")
"""Measures that are shown with their sign."""


@dataclass(frozen=True)
class Balance:
    """
    What was measured of some variants.

    Attributes
    ----------
    frame : rows as `analyses.balance.runs.jobs` describes them, with a column more, table: who sits at it
    """

    frame: pd.DataFrame

    @classmethod
    def of(cls, rows: pd.DataFrame) -> "Balance":
        """Rows as they were measured, with the column table put in."""
        names = [
            "pairs" if pairs else f"{players} players"
            for players, pairs in zip(rows["players"], rows["pairs"], strict=True)
        ]
        found = rows.copy()
        found.insert(list(found).index("pairs") + 1, "table", names)
        return cls(found)

    @cached_property
    def _found(self) -> dict[tuple[str, ...], Estimate]:
        """Estimates by what names them."""
        return by_key(self.frame, "variant", "table", "policy", "measure", "part")

    @property
    def variants(self) -> list[str]:
        """Variants that were measured."""
        return list(self.frame["variant"].unique())

    @property
    def tables(self) -> list[str]:
        """Tables at which variants were measured."""
        found = set(self.frame["table"])
        return [table for table in TABLES if table in found]

    @property
    def policies(self) -> list[str]:
        """Levels of play of equal players."""
        return [policy for policy in self.frame["policy"].unique() if policy != UNEQUAL]

    @property
    def level(self) -> str:
        """The level of play that sentences speak of."""
        return BETTER if BETTER in self.policies or not self.policies else self.policies[-1]

    @property
    def seed(self) -> int:
        """Seed of the deals."""
        return int(self.frame["seed"].iloc[0])

    def deals(self) -> list[tuple[str, int, int]]:
        """Players, each with the fewest and the most deals of them that something but choices rests on."""
        units = self.frame[~self._on_choices].groupby("policy", sort=False)["units"]
        return [(str(policy), int(part.min()), int(part.max())) for policy, part in units]

    @property
    def decisions(self) -> int:
        """Decisions that were weighed of each batch, at most; 0 if none were."""
        units = self.frame.loc[self._on_choices, "units"]
        return int(units.max()) if len(units) else 0

    @property
    def _on_choices(self) -> "pd.Series[bool]":
        """Rows that rest on decisions that were weighed."""
        return self.frame["measure"].isin([measure.name for measure in CHOICE_MEASURES])

    def by_variant(self) -> list[tuple[str, str]]:
        """Variants and tables, the variants one after another."""
        return sorted(self.places(), key=lambda place: self.variants.index(place[0]))

    def places(self) -> list[tuple[str, str]]:
        """Variants and tables, the tables one after another."""
        found = self.frame[["variant", "table"]].drop_duplicates()
        return [
            (str(row.variant), table) for table in self.tables for row in found[found["table"] == table].itertuples()
        ]

    def get(self, variant: str, table: str, measure: str, part: str = "", policy: str = "") -> Estimate | None:
        """An estimate, at the level that sentences speak of if none is named; None if it was not measured."""
        policy = UNEQUAL if measure in GROUPS["Skill and luck"] else policy or self.level
        return self._found.get((variant, table, policy, measure, part))

    def chosen(self, *measures: str, table: str = TWO, policies: Sequence[str] = (), variant: str = "") -> pd.DataFrame:
        """Rows of some measures at a table."""
        frame = self.frame
        wanted = frame["measure"].isin(measures) & (frame["table"] == table)
        wanted &= frame["policy"].isin(policies) if policies else True
        return frame[wanted & (frame["variant"] == variant if variant else True)]

    def parts(self, variant: str, table: str, measure: str) -> list[str]:
        """Parts of a measure, in the order of their numbers if they are such."""
        found = list(dict.fromkeys(self.chosen(measure, table=table, variant=variant)["part"].astype(str)))
        return sorted(found, key=int) if measure == "match_length" else found

    def grouped(self, variant: str, table: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """Groups of measures with a unit, and the measures and parts of each that were measured."""
        present = set(self.chosen(*MEASURES, table=table, variant=variant)["measure"])
        grouped = {name for names in GROUPS.values() for name in names}
        groups = {**GROUPS, FURTHER: tuple(name for name in MEASURES if name not in grouped)}
        found = []
        for title, names in groups.items():
            there = [name for name in names if name in present]
            for unit in dict.fromkeys(MEASURES[name].unit for name in there):
                keys = [
                    (name, part)
                    for name in there
                    if MEASURES[name].unit == unit
                    for part in self.parts(variant, table, name)
                ]
                found.append((title, shown_unit(unit), keys))
        return found


def label(measure: str, part: str) -> str:
    """What a row of a table shows, in words."""
    if measure in ("points", "variance_share"):
        return f"from {TITLES[part]}" if part != SOURCE_PARTS[-1] else "all together"
    if measure == "match_length":
        return f"of {part} round{'' if part == '1' else 's'}"
    if measure == "comeback":
        return f"won when {part}"
    named = LABELS.get(measure, measure.replace("_", " "))
    return f"{named} {part}".strip()


def comebacks(measured: Balance, variant: str, table: str, policy: str) -> pd.DataFrame:
    """
    Chances to come back, with the score in numbers.

    Returns
    -------
    DataFrame
        The rows, and behind, lacking (points)
    """
    rows = measured.chosen("comeback", table=table, policies=[policy], variant=variant)
    places = {comeback_part(behind, lacking): (behind, lacking) for behind in BEHIND for lacking in LACKING}
    numbers = [places[part] for part in rows["part"]]
    return rows.assign(behind=[behind for behind, _ in numbers], lacking=[lacking for _, lacking in numbers])


def leads(measured: Balance, variant: str, table: str, policy: str) -> pd.DataFrame:
    """
    Chances of a side that leads, at a table of two sides: what is left to it by those of the side behind.

    Returns
    -------
    DataFrame
        As `comebacks`, and lead (points); estimate, low, high of the matches that the side in front wins
    """
    rows = comebacks(measured, variant, table, policy)
    return rows.assign(lead=rows["behind"], estimate=1 - rows["estimate"], low=1 - rows["high"], high=1 - rows["low"])
