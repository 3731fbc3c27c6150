"""Rows of the comparison of all variants as if they had been played: every measure that figures and sentences show."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from analyses.balance.measures import BEHIND, LACKING, MEASURES, SOURCE_PARTS, comeback_part
from analyses.jobs import PLAYERS
from basra_sim.variants import variant_names
from reports.balance_rows import GROUPS, UNEQUAL

_SHARES = ("skill", "seat_share", "deal_share", "rest_share")


def games(seed: int, names: tuple[str, ...] = ()) -> pd.DataFrame:
    """All that is measured of two players of each variant, with numbers drawn from a seed."""
    random = np.random.default_rng(seed)
    rows = [row for name in names or variant_names() for row in _game(name, random)]
    return pd.DataFrame(rows)


def _game(name: str, random: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Rows of a variant."""
    for policy in (*PLAYERS, UNEQUAL):
        for measure, part, value in _values(policy, random):
            half = abs(value) * float(random.uniform(0.01, 0.1)) + 1e-4
            yield {
                "variant": name,
                "players": 2,
                "pairs": False,
                "policy": policy,
                "measure": measure,
                "part": part,
                "estimate": value,
                "low": value - half,
                "high": value + half,
                "unit": MEASURES[measure].unit,
                "units": 1000,
                "rounds": 2000,
                "seed": 1,
            }


def _values(policy: str, random: np.random.Generator) -> Iterator[tuple[str, str, float]]:
    """Measures and parts, each with a value of a size that games have."""
    if policy == UNEQUAL:
        parts = random.dirichlet([0.5, 0.1, 2.0, 2.0])
        yield from ((measure, "", float(part)) for measure, part in zip(_SHARES, parts, strict=True))
        yield "rounds_to_tell", "", float(random.uniform(5, 200))
        yield "better_match_wins", "", float(random.uniform(0.5, 0.9))
        return
    points = [4.0, 4.0, 2.0, 3.0, float(random.choice([3.0, 30.0])), float(random.uniform(5, 40))]
    points.append(sum(points))
    yield from (("points", part, value) for part, value in zip(SOURCE_PARTS, points, strict=True))
    shares = random.dirichlet(np.full(12, 2.0))
    yield from (("match_length", str(k + 2), float(share)) for k, share in enumerate(shares))
    for measure, low, high in (
        ("first_seat_advantage", -5, 5),
        ("first_match_wins", -0.02, 0.02),
        ("last_match_wins", -0.02, 0.02),
        ("match_rounds", 2, 9),
        ("match_plays", 100, 400),
        ("lead_changes", 0, 2),
        ("one_round_decides", 0.2, 0.6),
        ("basras", 0, 4),
        *((name, 0.02, 0.4) for name in GROUPS["Points, and what decides"] if "_without_" in name),
    ):
        yield measure, "", float(random.uniform(low, high))
    for behind in BEHIND:
        for lacking in LACKING:
            yield "comeback", comeback_part(behind, lacking), float(random.uniform(0.02, 0.5))
