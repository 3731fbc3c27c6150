"""Calls within what is compiled: handing on all that lies on a table takes longer than to weigh a play."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import environment

WIDE = 150
"""Words that a call hands on, from which on it is a wide one."""

ROUNDS = """
import re
from basra_sim import kernel, simulate

simulate("bastra", rounds=2, policies={player!r}, threads=1)
(made,) = kernel.play_batch.overloads.values()
words = 0
for line in made.library.get_asm_str().splitlines():
    word = line.split(None, 1)[:1]
    if word and word[0].startswith("push"):
        words += 1
    elif word and re.match("(call|add|sub|ret)q?$", word[0]):
        if word[0].startswith("call"):
            print(words)
        words = 0
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="counts how calls are made there")
@pytest.mark.parametrize(("player", "wide"), [("counter", 0), ("greedy+jack-hold", 1)])
def test_rounds_hand_on_few_words(tmp_path: Path, player: str, wide: int) -> None:
    """The one wide call is that of players who search, each of whose plays takes a thousand times as long."""
    script = ROUNDS.format(player=player)
    more = {"NUMBA_CACHE_DIR": str(tmp_path)}  # code that comes from a cache cannot be looked at
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(more), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    words = [int(number) for number in done.stdout.split()]
    assert len(words) > 20
    assert sum(number > WIDE for number in words) == wide, words
