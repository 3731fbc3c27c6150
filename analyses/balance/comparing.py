"""Rules beside one another: what was measured of them, and how it shows itself."""

from dataclasses import dataclass

import pandas as pd

from analyses.balance.measures import MEASURES
from analyses.balance.runs import Extent
from analyses.frames import estimates
from basra_sim.errors import InputError
from basra_sim.rules.wording import did_you_mean
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE

SHOWN = (
    ("points", "total"),
    ("basras", ""),
    ("first_seat_advantage", ""),
    ("match_rounds", ""),
    ("one_round_decides", ""),
    ("skill", ""),
    ("rounds_to_tell", ""),
    ("real_choices", "1 point"),
)
"""Measures and parts that a notebook shows."""


@dataclass(frozen=True, repr=False)
class Compared:
    """
    What was measured of some rules.

    Attributes
    ----------
    extent : what was played
    frame : DataFrame
        Rows as `analyses.balance.evaluation.Evaluation.rows`: variant, players, pairs, policy, measure, part, estimate,
        low, high, unit, units (deals), rounds, seed.
    """

    extent: Extent
    frame: pd.DataFrame

    def __repr__(self) -> str:
        """One line."""
        return f"<Compared: {', '.join(self.extent.names)}; {len(self.frame):,} estimates, seed {self.extent.seed}>"

    def measure(self, name: str, part: str | None = None) -> pd.DataFrame:
        """
        Rows of a measure: of all its parts, or of one.

        Raises
        ------
        InputError
            If there is no such measure, or it was not measured.
        """
        if name not in MEASURES:
            raise InputError(f"there is no measure {name!r}{did_you_mean(name, MEASURES)}")
        rows = self.frame[self.frame["measure"] == name]
        rows = rows if part is None else rows[rows["part"] == part]
        if not len(rows):
            raise InputError(f"{name}{f':{part}' if part else ''} was not measured here")
        return rows

    def _repr_html_(self) -> str:
        """Some of the measures, with their meanings."""
        rows = []
        for name, part in SHOWN:
            found = self.frame[(self.frame["measure"] == name) & (self.frame["part"].isin([part] if part else [""]))]
            for row, each in zip(found.to_dict("records"), estimates(found), strict=True):
                rows.append([name, row["variant"], row["policy"], *each.texts, row["unit"], f"{each.units:,}"])
        headings = ["measure", "variant", "players", "estimate", "low", "high", "unit", "deals"]
        caption = f"Some of what was measured; all is in .frame. Seed {self.extent.seed}. "
        caption += f"Intervals at {CONFIDENCE:.0%} confidence, not corrected."
        meanings = [[name, MEASURES[name].meaning] for name in dict.fromkeys(row[0] for row in rows)]
        return html(
            html_table(caption, headings, rows, (3, 4, 5, 7), ".frame"),
            html_table("What the measures are.", ["measure", "meaning"], meanings),
        )
