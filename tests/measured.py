"""
Experiments whose results stand in the pages of ``docs``: what is played, and how what was found is told.

``python -m tests.measured`` plays them (some two minutes) and writes ``docs/measured.json``; ``python -m tests.readme``
puts that into the pages. The slow tests play them again.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from analyses.advising.advice import MATCH_ROUNDS, PLAYER, score_chances
from analyses.alike import Asked
from analyses.calibration import clustered
from basra_sim.experiment import duel
from basra_sim.policies import get_policy
from basra_sim.stats import share
from basra_sim.variants import setting

Found = dict[str, Any]


class Experiment(NamedTuple):
    """
    Something that was played for a page.

    Attributes
    ----------
    play : plays it; what it gives can be held in JSON
    told : tells in a sentence what was found
    """

    play: Callable[[], Found]
    told: Callable[[Found], str]


SCORE_SEEDS, SCORES = 10, ((0, 0), (90, 90))
"""Seeds, and scores of a match to 100 whose worth is found with each."""


def play_scores() -> Found:
    """Standard deviation, over seeds, of the chance to win at some scores, in points of a hundred."""
    table, player = setting("bastra"), get_policy(PLAYER)
    own, other = (np.array(each) for each in zip(*SCORES, strict=True))
    worth = [
        score_chances(table, player, seed).won(np.zeros(len(SCORES), np.int64), own, other)
        for seed in range(1, SCORE_SEEDS + 1)
    ]
    return {"deviations": [float(each) for each in 100 * np.std(worth, axis=0, ddof=1)]}


def told_scores(found: Found) -> str:
    """How much the worth of a score scatters."""
    parts = [f"{value:.2f} at {own} : {other}" for value, (own, other) in zip(found["deviations"], SCORES, strict=True)]
    return (
        f"Found again with {SCORE_SEEDS} seeds (`bastra`, {MATCH_ROUNDS:,} rounds each), the chance to win scatters by "
        f"a standard deviation of {' and '.join(parts)}, in points of a hundred."
    )


PISTI = {"captures": "ranks", "basra_when": "matches_lone_card", "jack_on_jack": 20}
PISTI_DEALS = 20_000


def play_pisti() -> Found:
    """What memory is worth where captures go by rank alone."""
    return duel("counter", "counter-memory:none", deals=PISTI_DEALS, seed=1, changes=PISTI).margin.to_dict()


def told_pisti(found: Found) -> str:
    """What memory is worth here, and the command."""
    changes = " ".join(f"--set {name}={value}" for name, value in PISTI.items())
    return (
        f"`basra-sim duel counter counter-memory:none {changes} --rounds {PISTI_DEALS}` gives {found['estimate']:.2f} "
        f"points a round ({found['low']:.2f} to {found['high']:.2f}; {found['units']:,} deals, seed 1)."
    )


FEW_DEALS, FEW_EXPERIMENTS = 40, 4_000


def play_few_deals() -> Found:
    """How often intervals of decisions from few deals hold the truth, which is 0."""
    values = Asked(units=FEW_DEALS).play(FEW_DEALS * FEW_EXPERIMENTS, seed=1)
    blocks = values.reshape(FEW_EXPERIMENTS, FEW_DEALS, 2)
    known = [each for each in map(clustered, blocks) if each.low is not None and each.high is not None]
    held = sum((each.low or 0.0) <= 0 <= (each.high or 0.0) for each in known)
    return share(held, len(known)).to_dict()


def told_few_deals(found: Found) -> str:
    """How often such intervals hold the truth."""
    rate, low, high = (f"{100 * found[name]:.1f}" for name in ("estimate", "low", "high"))
    return (
        f"In {found['units']:,} experiments of {FEW_DEALS} deals each, of decisions whose truth is 0, they hold it in "
        f"{rate} % ({low} to {high}) instead of 95 %; from 100 deals on see [calibration.txt](calibration.txt)."
    )


EXPERIMENTS = {
    "scores": Experiment(play_scores, told_scores),
    "pisti": Experiment(play_pisti, told_pisti),
    "few-deals": Experiment(play_few_deals, told_few_deals),
}


if __name__ == "__main__":
    from tests.readme import MEASURED

    played = {name: each.play() for name, each in EXPERIMENTS.items()}
    MEASURED.write_text(json.dumps(played, indent=2) + "\n", encoding="utf-8")
