"""What tells tasks apart: all that their results depend on, and nothing else."""

import textwrap
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

from basra_sim.executors import ADD, JOIN, Task
from basra_sim.identity import code_of, fingerprint, identity
from basra_sim.plans import Chunk, Plan, plan
from basra_sim.policies import find_advice, get_policy
from basra_sim.simulation import _tallied
from tests.commands import command

PLAN = plan("bastra", policies=("counter", "greedy"))


def key(the: Plan) -> str:
    """Identity of a plan."""
    return identity(the)


def with_first(player: str) -> Plan:
    """The plan with another player in the first seat."""
    return replace(PLAN, policies=(get_policy(player), PLAN.policies[1]))


OTHERS: dict[str, Plan] = {
    "rules": plan("bastra", policies=("counter", "greedy"), changes={"target": 50}),
    "variant": plan("egyptian", policies=("counter", "greedy")),
    "players": plan("bastra", players=3, policies=("counter", "greedy", "greedy")),
    "pairs": plan("bastra", players=4, pairs=True, policies=("counter", "greedy")),
    "seed": replace(PLAN, seed=2),
    "matches": replace(PLAN, matches=True),
    "seatings": replace(PLAN, seatings=((1, 0),)),
    "more seatings": replace(PLAN, seatings=((0, 1), (1, 0))),
    "turns": replace(PLAN, turns=(1,)),
    "order of players": replace(PLAN, policies=PLAN.policies[::-1]),
    "weights": replace(PLAN, policies=(get_policy("counter").revised("counter", basra=1.0000001), PLAN.policies[1])),
    "memory": with_first("counter-memory:8"),
    "other memory": with_first("counter-memory:9"),
    "noise": with_first("counter-noise:0.1"),
    "other noise": with_first("counter-noise:0.10001"),
    "advice": with_first("counter+jack-hold"),
    "form of advice": with_first("counter+jack-hold:reversed"),
    "other form": with_first("counter+jack-hold:tie-break"),
    "other advice": with_first("counter+low-empty"),
    "order of advice": with_first("counter+low-empty+jack-hold"),
    "two pieces": with_first("counter+jack-hold+low-empty"),
    "search": with_first("expert"),
    "roll-outs": with_first("expert-rollouts:77"),
    "sight": with_first("cheater"),
}


def test_whatever_results_hang_on_tells_plans_apart() -> None:
    keys = {name: key(the) for name, the in OTHERS.items()} | {"itself": key(PLAN)}
    assert len(set(keys.values())) == len(keys), keys
    assert key(replace(PLAN)) == keys["itself"]


def test_a_plan_that_has_played_is_the_same() -> None:
    the = plan("bastra", policies=("counter", "greedy"))
    before = key(the)
    list(the.play(0, 3))
    assert key(the) == before


def test_work_and_merges_tell_tasks_apart() -> None:
    works = [
        Chunk(PLAN, partial(_tallied, PLAN), (ADD, JOIN)),
        Chunk(PLAN, partial(_tallied, PLAN), (JOIN, JOIN)),
        Chunk(PLAN, partial(_tallied, PLAN), (ADD, JOIN), True),
        Chunk(PLAN, partial(_tallied, OTHERS["seed"]), (ADD, JOIN)),
        Chunk(OTHERS["seed"], partial(_tallied, PLAN), (ADD, JOIN)),
    ]
    assert len(set(map(identity, works))) == len(works)


LIKE = [
    (1, 1.0), (1, True), (0, False), (0.0, -0.0), ("1", 1), (b"1", "1"), ((1,), [1]), (None, "null"), ((), []),
    ((1, 2), (2, 1)), (((1,), 2), ((1, 2),)), ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 1}), ({}, ()),
    (np.zeros(2), np.zeros(2, np.float32)), (np.zeros((2, 1)), np.zeros((1, 2))), (np.zeros(2), (0.0, 0.0)),
    (np.arange(3), np.arange(3)[::-1]), (float("inf"), float("-inf")), (1e300, 1e301), (2**63, 2**63 + 1),
    (np.array([1, None], object), np.array([None, 1], object)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), LIKE)
def test_values_that_are_not_the_same(one: object, other: object) -> None:
    assert identity(one) == identity(one)
    assert identity(one) != identity(other)


def test_values_that_are_the_same() -> None:
    assert identity(np.int64(3)) == identity(3)
    assert identity(np.arange(6).reshape(2, 3).T) == identity(np.arange(6).reshape(2, 3).T.copy())
    assert identity(float("nan")) == identity(float("nan"))


def inside() -> Callable[..., Any]:
    """A function within a function."""

    def within(first: int, count: int) -> None:
        """Nothing."""

    return within


class Nothing:
    """Something of which nothing is known."""


@pytest.mark.parametrize(
    "thing", [inside(), lambda: None, Nothing(), {1, 2}, object(), len, np.sum, partial(lambda x: x, 1), [Nothing()]]
)
def test_what_cannot_be_told_from_others_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match=r"nothing tells|is no function of a module"):
        identity(thing)


OWN = """
import numpy as np
from enum import IntEnum
from numba import njit
from basra_sim import advice, policy
import beside

FACTOR = 3
TABLE = (1, 2, 3)
ARRAY = np.array([1.0, 2.0])

class Worth(IntEnum):
    JACK = 7

@njit
def helper(points):
    return points * 2

def maker(number):
    def within(view, play):
        return number * play.points
    return within

@policy
def mine(view, play):
    '''Mine.'''
    known = play.card in (1, 2, 3)
    worth = (play.points == Worth.JACK) + beside.much(play.card)
    return FACTOR * helper(play.points) + TABLE[0] + ARRAY[1] + worth + known

made = policy(maker(4), name="made")

@advice
def careful(view, play):
    '''Careful.'''
    return 1 if play.points else 0
"""

CHANGES = {
    "a number of the module": ("FACTOR = 3", "FACTOR = 4"),
    "a tuple of the module": ("(1, 2, 3)\nARRAY", "(1, 2, 4)\nARRAY"),
    "an array of the module": ("[1.0, 2.0]", "[1.0, 2.5]"),
    "a member of an enumeration": ("JACK = 7", "JACK = 8"),
    "a helper": ("points * 2", "points * 3"),
    "its own code": ("+ known", "- known"),
    "a constant of its own": ("in (1, 2, 3)", "in (1, 2, 4)"),
}


def own(folder: Path, text: str, beside: str = "x = 1") -> Path:
    """A file of a person's own."""
    (folder / "beside.py").write_text(f"from numba import njit\n@njit\ndef much(card):\n    return card\n{beside}\n")
    file = folder / "mine.py"
    file.write_text(text)
    return file


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to import from."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def identity_of(file: Path, name: str) -> str:
    """Identity of a policy of a file."""
    return key(replace(PLAN, policies=(get_policy(f"{file}:{name}"), PLAN.policies[1])))


@pytest.mark.parametrize("change", CHANGES)
def test_a_function_of_ones_own_is_told_by_its_code_and_what_it_takes_from_around(here: Path, change: str) -> None:
    before = identity_of(own(here, OWN), "mine")
    assert identity_of(own(here, OWN), "mine") == before
    assert identity_of(own(here, f"\n\n# Lines are of no matter.\n{OWN}\nUNUSED = 1\n"), "mine") == before
    old, new = CHANGES[change]
    assert old in OWN
    assert identity_of(own(here, OWN.replace(old, new)), "mine") != before


def test_a_function_of_ones_own_is_told_by_what_it_encloses(here: Path) -> None:
    before = identity_of(own(here, OWN), "made")
    assert identity_of(own(here, OWN.replace("maker(4)", "maker(5)")), "made") != before


def test_advice_of_ones_own_is_told_by_its_code(here: Path) -> None:
    def advised(text: str) -> str:
        file = own(here, text)
        player = get_policy("counter").following(find_advice(str(file)))
        return key(replace(PLAN, policies=(player, PLAN.policies[1])))

    assert advised(OWN) == advised(OWN)
    assert advised(OWN) != advised(OWN.replace("1 if play.points else 0", "0 if play.points else 1"))


def of_code(text: str, name: str = "f", **names: object) -> str:
    """Identity of a function by its text."""
    space: dict[str, Any] = dict(names)
    exec(textwrap.dedent(text), space)
    return identity(code_of(space[name]))


def test_defaults_tell_functions_apart() -> None:
    assert of_code("def f(a, b=1): return a") != of_code("def f(a, b=2): return a")
    assert of_code("def f(a, *, b=1): return b") != of_code("def f(a, *, b=2): return b")
    assert of_code("def f(a, b={1}): return a") == of_code("def f(a, b={1}): return a")


def test_functions_that_call_each_other() -> None:
    text = "def f(n): return g(n - 1) if n else 0\ndef g(n): return f(n - 1) if n else {}"
    assert of_code(text.format(1)) == of_code(text.format(1))
    assert of_code(text.format(1)) != of_code(text.format(2))


def test_a_module_of_ones_own_is_told_by_its_text(tmp_path: Path) -> None:
    import json
    from types import ModuleType

    def with_module(text: str, place: Path) -> str:
        module = ModuleType("beside")
        module.__file__ = str(place / "beside.py")
        (place / "beside.py").write_text(text)
        return of_code("def f(a): return beside.x + a", beside=module)

    assert with_module("x = 1", tmp_path) != with_module("x = 2", tmp_path)
    assert of_code("def f(a): return beside.x", beside=json) == of_code("def f(a): return beside.x", beside=json)


SAID = """
import sys
from basra_sim.identity import identity, fingerprint
from basra_sim.plans import plan
print(identity(plan("bastra", policies=(sys.argv[1], "greedy+jack-hold"))), *fingerprint().values())
"""

OF_TEXTS = """
from basra_sim import policy

@policy
def mine(view, play):
    return len("abc") if "a" in {"a", "b", "c", "d", "e"} else play.points
"""


def test_the_same_in_every_process(tmp_path: Path) -> None:
    """Sets of texts have another order in each."""
    import subprocess
    import sys

    from tests.commands import environment

    (tmp_path / "mine.py").write_text(OF_TEXTS)
    said = {
        subprocess.run(
            [sys.executable, "-c", SAID, str(tmp_path / "mine.py")],
            env=environment({"PYTHONHASHSEED": seed}), capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
    assert len(said.pop().split()) == 1 + len(fingerprint())


TASKS = {
    "simulate": ("simulate", "bastra", "--rounds", 50),
    "matches": ("simulate", "bastra", "--matches", 5),
    "duel": ("duel", "counter", "greedy", "--rounds", 50),
    "test": ("test", "points-late", "jack-hold", "--rounds", 1000),
    "bundle": ("bundle", "jack-hold", "low-empty", "--rounds", 1000),
    "balance": ("balance", "bastra", "--deals", 4096, "--decisions", 2048, "--policy", "greedy"),
    "sweep": ("sweep", "bastra", "--vary", "basra_points=5,10", "--deals", 4096, "--measure", "skill"),
    "fit": ("fit", "bastra", "--measure", "match_rounds", "--to", 4, "--vary", "target=40,60", "--deals", 4096),
    "ladder": ("ladder", "--policy", "random", "--policy", "greedy", "--deals", 640),
    "calibrate": ("calibrate", "--experiments", 20),
    "tune": ("tune", "bastra", "--generations", 1, "--rounds", 100, "--deals", 100, "--output", "w.json"),
}


@pytest.mark.parametrize("name", TASKS)
def test_every_task_can_be_told_and_sent(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was sent does the same as what was not."""
    monkeypatch.chdir(tmp_path)
    seen: dict[str, Task] = {}
    init = Task.__init__

    def noted(self: Task, *args: Any, **options: Any) -> None:
        init(self, *args, **options)
        seen[identity((self.work, self.merges))] = self

    monkeypatch.setattr(Task, "__init__", noted)
    done = command(*TASKS[name], "--threads", 1)
    assert done.exit_code == 0, done.output
    assert seen
    monkeypatch.undo()
    for task in list(seen.values())[:4]:
        sent: Task = cloudpickle.loads(cloudpickle.dumps(task))
        assert identity((sent.work, sent.merges)) == identity((task.work, task.merges))
        assert [each.tobytes() for each in sent(0, 1)] == [each.tobytes() for each in task(0, 1)]


def test_the_fingerprint_hangs_on_every_source(tmp_path: Path) -> None:
    import shutil

    from tests.conftest import ROOT

    for package in ("basra_sim", "analyses", "reports"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "basra_sim" / "variants" / "bastra.toml"
    text = "from basra_sim.identity import fingerprint; print(fingerprint()['sources'])"

    def said() -> str:
        import subprocess
        import sys

        return subprocess.run(
            [sys.executable, "-c", text], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True,
            text=True, check=True,
        ).stdout.strip()  # fmt: skip

    same = said()
    assert same == fingerprint()["sources"]
    file.write_bytes(file.read_bytes() + b"\n")
    assert said() != same
