"""One pass with every index checked: reads and writes beside an array are errors, and there are none."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyses.advising.reviewing import situations
from analyses.advising.valuing import value_plays
from basra_sim.decisions import decisions
from basra_sim.frequencies import count
from basra_sim.plans import Plan, plan
from basra_sim.policies import Policy, get_policy, policy
from basra_sim.reference import replay
from basra_sim.search.open_hands import open_plays
from basra_sim.search.situations import Stray
from basra_sim.simulation import simulate
from basra_sim.stakes import prospect, stakes
from basra_sim.variants import setting
from tests.agreement import TABLES
from tests.open_endings import opened, random_ending, start
from tests.playing import round_record

VARIANTS = ["bastra", "ethiopian", "lebanese-a", "jordanian-b"]
WIDE = {"buried": "A,2,3,J,Q,K", "bury_to": "random", "short_last_deal": True}
"""Much is buried, and to random places."""

BESIDE = """
import numpy as np
from basra_sim._numba import compiled, inlined

@inlined
def inner(numbers, k):
    return numbers[np.uint64(k)]

@compiled
def reads(numbers, k):
    return inner(numbers, k)

@compiled
def writes(numbers, k):
    numbers[k] = 1
    return 0

for function in (reads, writes):
    try:
        function(np.zeros(4, np.int64), 4)
    except IndexError as error:
        print(error)
"""


def fingerprint() -> list[Any]:
    """Rounds and matches of several tables and policies, as numbers that any difference would change."""

    @policy
    def own(view, play):
        return play.points + 0.1 * (view.unseen >> play.card & 7) + play.card % 3

    assert isinstance(own, Policy)
    made: list[Any] = []
    for variant in VARIANTS:
        for players, pairs in TABLES:
            advised = (
                "greedy-memory:ranks+jack-hold+points-over-cards:tie-break",
                "counter-memory:9+low-first:reversed",
            )
            for chosen in ("random", "greedy", "counter", own, *advised, own.following("avoid-ten")):
                made.append(marks(plan(variant, players=players, pairs=pairs, policies=chosen), 12))
                made.append(marks(plan(variant, players=players, pairs=pairs, policies=chosen, matches=True), 1))
            both: dict[str, Any] = {"players": players, "pairs": pairs, "deals": 5, "threads": 1}
            for opponent in (None, "random"):
                made.append(
                    decisions("fishing-take-away", "counter", variant, opponent=opponent, **both).found.tolist()
                )
                made.append(decisions("placebo", own, variant, opponent=opponent, **both).found.tolist())
    for hand_size in (5, 12, 24):
        made.append(marks(plan("yemeni", policies="counter", changes={**WIDE, "hand_size": hand_size}), 12))
        made.append(marks(plan("yemeni", policies="random", changes={**WIDE, "hand_size": hand_size}), 12))
    for variant, table in (("egyptian", {"players": 3}), ("bastra", {"changes": {"hand_size": 24}})):
        made.append([int(part.sum()) for part in count(plan(variant, **table), 50, threads=1).sums])
    made += [
        stakes(asked, np.arange(40), prospect(asked, threads=1), threads=1).round(6).tolist()
        for asked in (plan("egyptian", players=3), plan("bastra", players=4, pairs=True))
    ]
    made += [solved(variant, players, pairs) for variant in ("lebanese-b", "egyptian") for players, pairs in TABLES]
    made += [tried(variant, players, pairs) for variant in VARIANTS for players, pairs in TABLES]
    made.append(simulate("egyptian", matches=5, policies="counter", threads=1).to_dict()["estimates"])
    return made


def solved(variant: str, players: int, pairs: bool) -> list[Any]:
    """Plays with open hands in the last deal but one, by weights beyond the deal, and with two teams to the end."""
    table, draw = setting(variant, players, pairs), random.Random(players)
    after = players * table.hand_sizes[-1]
    at = opened(random_ending(draw, start(table, draw), after + 5))
    made = [
        open_plays(table, at, beyond=plan(variant, players=players, policies="counter").side.weights[[0] * players])
    ]
    if players == 2 or pairs:
        made.append(open_plays(table, at))
    return [[play.card, *play.taken, play.margin] for plays in made for play in plays]


def tried(variant: str, players: int, pairs: bool) -> list[Any]:
    """Plays tried in ways of the hidden cards, by one who knows all that is gone, and by others who know less."""
    draw = random.Random(players)
    found = replay(round_record(variant, players, draw, pairs=pairs))
    greedy, made = get_policy("counter"), []
    for step, known in situations(found):
        if step.number % 7 == 1:
            captured = tuple(Stray(card, draw.choice((None, known.team))) for card in known.captured)
            blank = tuple(() for _ in known.piles)
            for each in (known, replace(known, piles=blank, past=None), replace(known, piles=blank, strays=captured)):
                valued = value_plays(each, greedy, ways=20, seed=players, doubt=0.1, threads=1)
                made += [valued.margins.round(6).tolist(), valued.totals.tolist(), valued.replies.tolist()]
    return made


def marks(planned: Plan, units: int) -> list[int]:
    """Sums over all that some units give, each number by its place."""
    found = [0, 0, 0, 0]
    for played in planned.play(0, units, logged=True):
        parts: list[Any] = [played.rows, played.facts, played.results, played.logs]
        for k, part in enumerate(parts):
            places = np.arange(1, part.size + 1, dtype=np.uint64)
            found[k] = (found[k] * 31 + int((part.ravel().astype(np.uint64) * places).sum())) % 2**61
    return found


def run(code: str, cache: Path, **switches: str) -> subprocess.CompletedProcess[str]:
    """A piece of Python in a process of its own, which compiles everything anew."""
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(root), **switches}
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_place_beside_an_array_is_an_error_where_indices_are_checked(tmp_path):
    script = tmp_path / "beside.py"
    script.write_text(BESIDE, encoding="utf-8")
    found = run(f"import runpy; runpy.run_path({str(script)!r})", tmp_path / "cache", NUMBA_BOUNDSCHECK="1")
    assert found.stderr == ""
    assert found.stdout.count("is out of bounds") == 2


@pytest.mark.slow
def test_checked_indices_change_nothing(tmp_path):
    code = "import json; from tests.test_boundscheck import fingerprint; print(json.dumps(fingerprint()))"
    found = run(code, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert found.stderr == ""
    assert json.loads(found.stdout) == json.loads(json.dumps(fingerprint()))
    assert setting("yemeni", 2, False, {**WIDE, "hand_size": 5}).hand_sizes[-1] == 4
