"""Functions of a person's own that do not return: stopped by their name, and slow ones left alone."""

import signal
import subprocess
import sys
import time

import pytest

from basra_sim import watching
from basra_sim.decisions import decisions
from basra_sim.errors import BasraError, StuckError
from basra_sim.experiment import duel
from basra_sim.plans import Plan, plan
from basra_sim.policies import advice, get_policy, policy
from basra_sim.policies.weighing import NO_NUMBER
from basra_sim.simulation import simulate
from basra_sim.stakes import prospect
from tests.commands import environment, line

LONG = 2_000_000_000
"""Steps that take some seconds, so that what is left behind has an end."""

ENDLESS = """
import numpy as np
from basra_sim import policy

@policy
def rarely(view, play):
    steps = 0
    while view.noise % 1009 == 0 and view.cards_left == 2:
        steps += 1
    return play.points + steps

@policy
def at_once(view, play):
    steps = 0
    while view.noise >= 0:
        steps += 1
    return steps

@policy
def eats(view, play):
    kept = [play.card]
    while view.noise >= 0:
        kept.append(play.card)
    return len(kept)
"""


@policy
def stuck(view, play):
    """Is stuck over the last card of a round."""
    mixed = view.noise
    if view.last_card:
        for _ in range(LONG):
            mixed = mixed * 6364136223846793005 + 1442695040888963407 ^ mixed >> 7
    return mixed % 7


@policy
def slow(view, play):
    """Takes some milliseconds over every play."""
    mixed = view.noise
    for _ in range(5_000_000):
        mixed = mixed * 6364136223846793005 + 1442695040888963407 ^ mixed >> 7
    return mixed % 7


@advice
def hanging(view, play):
    """Is stuck over the last but one card of a round."""
    mixed = view.noise
    if view.cards_left == 2 and view.deals_left == 0:
        for _ in range(LONG):
            mixed = mixed * 6364136223846793005 + 1442695040888963407 ^ mixed >> 7
    return mixed % 3 - 1


@pytest.fixture
def hasty(monkeypatch):
    """Little patience."""
    monkeypatch.setattr(watching, "PATIENCE", 0.6)
    monkeypatch.setattr(watching, "EVERY", 0.1)


SAYS = r"is stopped: it has not decided about a single play within 0\.6 seconds; look for a loop without an end$"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_policy_that_does_not_return(hasty, threads):
    with pytest.raises(StuckError, match=f"^policy stuck {SAYS}") as error:
        simulate("bastra", rounds=2, policies=["greedy", stuck], threads=threads)
    assert error.value.exit_code == 1


def test_a_duel(hasty):
    with pytest.raises(StuckError, match=f"^policy stuck {SAYS}"):
        duel(stuck, "random", deals=1, threads=1)


def test_advice_that_does_not_return(hasty):
    with pytest.raises(StuckError, match=f"^advice hanging {SAYS}"):
        simulate("bastra", rounds=1, policies=get_policy("greedy").following(hanging), threads=1)


def test_advice_asked_about(hasty):
    with pytest.raises(StuckError, match=f"^advice hanging {SAYS}"):
        decisions(hanging, "greedy", deals=1, threads=1)


def test_what_is_learnt_from_such_players(hasty):
    with pytest.raises(StuckError, match=f"^policy stuck {SAYS}"):
        prospect(plan("bastra", policies=stuck), threads=1)


def test_slow_ones_are_waited_for(hasty):
    begun = time.monotonic()
    found = simulate("bastra", rounds=1, policies=slow, threads=1)
    assert found.units == 1
    assert time.monotonic() - begun > watching.PATIENCE, "it is to take longer in all than a single play may"


def test_other_players_are_not_watched(monkeypatch):
    def never(*_):
        raise AssertionError("watched")

    monkeypatch.setattr(watching, "_wait", never)
    assert simulate("bastra", rounds=10, policies=["counter", "greedy+jack-hold"], threads=1).units == 10
    with pytest.raises(AssertionError, match="watched"):
        simulate("bastra", rounds=10, policies=slow, threads=1)


def test_an_error_beside_is_raised_where_it_is_waited_for():
    def breaks():
        raise ZeroDivisionError("beside")

    watch = plan("bastra")
    with pytest.raises(ZeroDivisionError, match="beside"):
        watching.watched(breaks, watch.scratch().knowledge, True)


def test_watched_play_is_the_same():
    played = []
    for watch in (True, False):
        asked = Plan(plan("bastra").setting, (get_policy("greedy"), quick), ((0, 1),), 5)
        assert asked.calls_functions
        asked.__dict__["calls_functions"] = watch
        played.append([part.rows.tolist() for part in asked.play(0, 40)])
    assert played[0] == played[1]


@policy
def quick(view, play):
    """Takes what is worth most."""
    return play.points + play.basra


def test_trouble_without_a_name_is_told_all_the_same():
    knowledge = plan("bastra").scratch().knowledge
    watching.refuse(0, "bastra", knowledge)
    with pytest.raises(BasraError, match=r"^bastra: a policy's function gave no number"):
        watching.refuse(NO_NUMBER, "bastra", knowledge)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("rarely", ("--threads", "2"), "has not decided about a single play within 10 seconds"),
        ("at_once", ("--threads", "1"), "has not decided about a single play within 10 seconds"),
        ("eats", ("--threads", "2"), "asks for more and more memory"),
    ],
)
def test_a_command_ends_at_once(tmp_path, name, more, says):
    (tmp_path / "mine.py").write_text(ENDLESS, encoding="utf-8")
    command = line("simulate", "bastra", "--policy", f"mine.py:{name}", "--rounds", "20k", *more)
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(f"Error: policy {name} is stopped: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_command_whose_player_does_not_return(tmp_path):
    (tmp_path / "mine.py").write_text(ENDLESS + "print('ready', flush=True)\n", encoding="utf-8")
    command = line("simulate", "bastra", "--policy", "mine.py:at_once", "--threads", "1")
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == "ready\n"
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
        assert running.stderr.read() == "Interrupted\n"


@pytest.mark.slow
def test_a_program_that_goes_on_ends_well(tmp_path):
    """What is left behind is no hindrance to the interpreter's end."""
    code = f"""
import basra_sim as bs
from basra_sim import watching
{ENDLESS}
watching.PATIENCE = 1
try:
    bs.simulate("bastra", rounds=10, policies=at_once, threads=1)
except bs.BasraError as error:
    print(error)
print(bs.simulate("bastra", rounds=10, threads=1).units)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=240, check=False,
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("policy at_once is stopped: ")
    assert done.stdout.splitlines()[1] == "10"
