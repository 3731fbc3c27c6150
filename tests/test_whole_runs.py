"""Runs of a process of its own: memory that does not grow, and the engine interpreted instead of compiled."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme import README

PLAY = """
import json, sys, warnings
import numpy as np
np.seterr(over="ignore")
from basra_sim.decisions import decisions
from basra_sim.plans import plan
found = {}
tables = [("bastra", 2, False), ("egyptian", 3, False), ("ethiopian", 4, True), ("syrian-b", 2, False)]
for variant, players, pairs in tables:
    for policy in ("random", "greedy", "counter"):
        for matches in (False, True):
            played = plan(variant, players=players, pairs=pairs, policies=policy, matches=matches, seed=4)
            parts = list(played.play(0, 1 if matches else 3, logged=True))
            name = f"{variant} {policy} {matches}"
            found[name] = [part.rows.tolist() + part.facts.tolist() + part.logs.tolist() for part in parts]
advised = ("random+placebo:reversed", "greedy-memory:ranks+jack-hold+avoid-ten:tie-break", "counter-memory:7+low-first")
for variant, players, pairs in tables:
    for policy in advised:
        played = plan(variant, players=players, pairs=pairs, policies=policy, seed=4)
        found[f"{variant} {policy}"] = [part.logs.tolist() for part in played.play(0, 2, logged=True)]
    for opponent in (None, "random"):
        asked = decisions(
            "jack-hold", "greedy", variant, players=players, pairs=pairs, opponent=opponent, deals=1, threads=1
        )
        found[f"{variant} against {opponent}"] = asked.found.tolist()
json.dump(found, sys.stdout)
"""

PEAK = """
import sys
from basra_sim.simulation import simulate
simulate("bastra", rounds=int(sys.argv[1]), policies="random", threads=2)
with open("/proc/self/status") as status:  # getrusage would count the process that began this one
    print(next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")))
"""


def run(code: str, *arguments: str, **environment: str) -> str:
    """What a Python process of its own prints."""
    command = [sys.executable, "-c", code, *arguments]
    settings = os.environ | {"PYTHONPATH": str(README.parent)} | environment
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_interpreted_engine_plays_the_same():
    compiled = json.loads(run(PLAY))
    assert len(compiled) == 44
    assert json.loads(run(PLAY, NUMBA_DISABLE_JIT="1")) == compiled


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read where Linux tells it")
def test_memory_does_not_grow_with_the_rounds():
    run(PEAK, "1000")  # compiles, which takes memory of its own
    small, large = (float(run(PEAK, str(rounds))) for rounds in (10_000_000, 40_000_000))
    assert small < 400
    assert large < small + 20
