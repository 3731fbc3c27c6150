"""What a person's own function must not be or do: refused by its name, in one line; and that indices are checked."""

import ctypes
import math
import random

import numba
import numpy as np
import pytest

from basra_sim.errors import BasraError, InputError
from basra_sim.policies import advice, get_policy, policy
from basra_sim.policies.scorers import LARGEST_CODE
from basra_sim.simulation import simulate

TEN = np.arange(10)
C_LABS = ctypes.CDLL(None).labs
C_LABS.argtypes, C_LABS.restype = [ctypes.c_long], ctypes.c_long


@numba.njit
def down(n):
    return 1 if n <= 0 else down(n - 1) + 1


@numba.njit
def even(n):
    return True if n == 0 else odd(n - 1)


@numba.njit
def odd(n):
    return False if n == 0 else even(n - 1)


@numba.njit
def beyond(numbers, place):
    return numbers[place]


def text(view, play):
    return "high"


def nothing(view, play):
    pass


def no_end(view, play):
    while True:
        pass


def sometimes(view, play):
    if play.card > 3:
        return 1.0
    return None


def several(view, play):
    return play.card, play.taken


def imaginary(view, play):
    return 1j


def listed(view, play):
    return [1.0]


def array(view, play):
    return np.zeros(3)


def one_by_one(view, play):
    yield 1.0


def mixed(view, play):
    return "a" if play.card else 1


def huge(view, play):
    return 10**30


def writes_view(view, play):
    view.hand = 0
    return 1


def writes_array(view, play):
    TEN[0] = 1
    return 1


def prints(view, play):
    print(play.card)  # noqa: T201 -- it is to be refused
    return 1


def draws(view, play):
    return random.random()


def draws_more(view, play):
    return np.random.rand()  # noqa: NPY002 -- it is to be refused


def calls_library(view, play):
    return C_LABS(play.card)


def leaves(view, play):
    with numba.objmode(x="float64"):
        x = 1.0
    return x + 1


def strides(view, play):
    return np.lib.stride_tricks.as_strided(TEN, (100,), (8,))[50]


def calls_itself(view, play):
    return down(play.card)


def in_a_ring(view, play):
    return odd(play.card)


def three(view, play, more):
    return 1


def any_number(*all_of_it):
    return 1


async def later(view, play):
    return 1


REFUSED = {
    text: "gives a text: it must give a number",
    nothing: "gives nothing (None), or has no end: it must",
    no_end: "gives nothing (None), or has no end: it must",
    sometimes: "gives nothing (None) on some ways through it",
    several: "gives several values",
    imaginary: "gives a complex number",
    listed: "gives a list",
    array: "gives an array",
    one_by_one: "gives values one after the other",
    mixed: "does not compile: it gives, or holds in one place, now one kind of thing, now another",
    huge: "does not compile: it holds a whole number that does not fit into 64 bits",
    writes_view: "does not compile: it changes what it is handed",
    writes_array: "does not compile: it writes into what is not its own",
    prints: "does not compile: it prints",
    draws: "draws at random",
    draws_more: "draws at random",
    calls_library: "does not compile: it reaches beyond what it is handed",
    leaves: "does not compile: it reaches beyond what it is handed",
    strides: "does not compile: it reaches beyond what it is handed",
    calls_itself: "down calls itself",
    in_a_ring: "calls itself",
    three: "takes (view, play, more): it must take two things",
    any_number: "takes (*all_of_it): it must take two things",
    later: "is written with async",
}


@pytest.mark.parametrize("function", REFUSED, ids=[each.__name__ for each in REFUSED])
def test_what_is_no_scoring_function_is_refused_by_its_name(function):
    with pytest.raises(InputError) as error:
        policy(function)
    said = str(error.value)
    assert said.startswith(f"policy {function.__name__}")
    assert REFUSED[function] in said
    assert "\n" not in said
    assert error.value.exit_code == 2


@pytest.mark.parametrize("decorate", [policy, advice])
def test_a_function_that_calls_itself(decorate):
    """By the name that it is to have: in a module, or within another function, where it is not there yet."""
    text = "def n(view, play):\n    return 1 if play.card < 1 else n(view, play)\n"
    space: dict[str, object] = {"policy": decorate}
    with pytest.raises(InputError, match=r"^(policy|advice) n: n calls itself: how deep that goes is not certain"):
        exec(f"@policy\n{text}", space)
    space["n"] = decorate(infinite)
    with pytest.raises(InputError, match=r"^(policy|advice) n: n calls itself: "):
        exec(f"@policy\n{text}", space)

    with pytest.raises(InputError, match=r": within calls itself: "):

        @decorate
        def within(view, play):
            return 1 if play.card < 1 else within(view, play)


@pytest.mark.parametrize("thing", [3, max, int, None.__class__, "x"])
def test_what_is_no_function_at_all(thing):
    with pytest.raises(InputError, match=r"is no function but of type \w+: it takes def NAME\(view, play\)$"):
        policy(thing)
    with pytest.raises(InputError, match=r"^advice .* is no function"):
        advice(thing)


def test_a_function_too_long_to_be_compiled():
    space: dict[str, object] = {}
    lines = "".join(f"    if play.card == {k}: score += view.hand * {k}\n" for k in range(LARGEST_CODE // 20))
    exec(f"def endless(view, play):\n    score = 0\n{lines}    return score\n", space)
    with pytest.raises(InputError, match="policy endless is too long"):
        policy(space["endless"])  # type: ignore[arg-type]  # what exec defines has no type


def own_index(view, play):
    return TEN[play.card]


def own_array(view, play):
    made = np.zeros(4)
    made[play.card] = 1.0
    return made[0]


def before_the_start(view, play):
    return TEN[-play.card - 11]


def in_a_tuple(view, play):
    return (1.0, 2.0, 3.0)[play.card]


def in_a_helper(view, play):
    return beyond(TEN, play.card)


def raises(view, play):
    if play.card < 100:
        raise ValueError("a card")
    return 1


def too_much(view, play):
    return np.zeros(10**13).sum()


def divides(view, play):
    return 1 // (play.card - play.card)


def by_zero(view, play):
    return 1.0 / (play.card - play.card)


def rest(view, play):
    return 1 % (view.hand - view.hand)


def both(view, play):
    return divmod(play.card, play.taken - play.taken)[1]


@pytest.mark.parametrize(
    "function",
    [own_index, own_array, before_the_start, in_a_tuple, in_a_helper, raises, too_much, divides, by_zero, rest, both],
)
def test_what_goes_wrong_while_it_runs_is_told_by_its_name(function):
    with pytest.raises(BasraError, match=rf"^bastra: policy {function.__name__} raised an error over a play: "):
        simulate("bastra", rounds=20, policies=policy(function), threads=1)


def test_advice_that_goes_wrong_is_told_by_its_name():
    @advice
    def off(view, play):
        return math.nan

    with pytest.raises(BasraError, match=r"^bastra: advice off gave no number \(nan\) for a play$"):
        simulate("bastra", rounds=20, policies=get_policy("greedy").following(off), threads=1)


def infinite(view, play):
    return math.inf if play.card % 2 else -math.inf


def wraps(view, play):
    return (play.card + 1) * 5_000_000_000 * 5_000_000_000


def grows(view, play):
    return 1.0 * (play.card + 1) * 5_000_000_000 * 5_000_000_000


@pytest.mark.parametrize("function", [infinite, wraps, grows])
def test_numbers_without_a_bound_are_numbers(function):
    assert simulate("bastra", rounds=20, policies=policy(function), threads=1).units == 20
