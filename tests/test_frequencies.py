"""Counts made while playing, against counts made from the records with lists and sets; threads, chunks, units."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from basra_sim import plans
from basra_sim.errors import InputError
from basra_sim.frequencies import TABLES, Counts, count, table_of
from basra_sim.plans import Plan, plan
from basra_sim.tracing import trace_plan
from basra_sim.variants import setting
from tests.agreement import settings
from tests.naive_frequencies import NaiveSums, Occasion, occasions


def naive(planned: Plan, units: int) -> NaiveSums:
    """The same counts from records; a unit is a match where there are such."""
    found: dict[int, list[Occasion]] = {}
    for number, record in enumerate(trace_plan(planned, units, threads=1)):
        found.setdefault(record.get("match", number), []).extend(occasions(planned.setting, record))
    return NaiveSums(found.values())


def check(planned: Plan, units: int, *, tables: tuple[str, ...] = ()) -> Counts:
    """Check every cell of all tables, or of some, and every product."""
    counted, expected = count(planned, units, threads=1), naive(planned, units)
    for table in TABLES:
        if tables and table.name not in tables:
            continue
        totals, squares = counted.totals(table.name), counted.squares(table.name)
        products = counted.products(table.name) if table.crossed else None
        cells = [(table.name, where) for where in product(*(axis.values for axis in table.axes))]
        assert len(cells) == len(totals)
        for k, one in enumerate(cells):
            assert totals[k].tolist() == [expected.totals[one]["events"], expected.totals[one]["hits"]], one
            own = [expected.products[one, a, one, b] for a, b in ((0, 0), (0, 1), (1, 1))]
            assert squares[k].tolist() == own, one
        if products is not None:
            for (key, value), made in zip(np.ndenumerate(products), products.ravel().tolist(), strict=True):
                assert expected.products[cells[key[0]], key[1], cells[key[2]], key[3]] == made == value
    return counted


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("bastra", {}),
        ("egyptian", {"players": 3}),
        ("ethiopian", {"players": 4, "pairs": True}),
        ("palestinian", {"players": 4, "policies": ["greedy", "random", "counter", "random"]}),
        ("lebanese-a", {"policies": "random"}),
        ("yemeni", {"policies": "counter", "changes": {"hand_size": 12}}),
        ("basra-nl", {"changes": {"hand_size": 1, "bury_to": "random"}}),
    ],
)
def test_counts_are_those_of_the_records(name: str, table: dict[str, Any]) -> None:
    check(plan(name, seed=5, **table), 40)


@pytest.mark.parametrize(("players", "pairs"), [(2, False), (4, True)])
def test_units_of_matches_are_matches(players: int, pairs: bool) -> None:
    check(plan("syrian-a", players=players, pairs=pairs, seed=2, policies="random", matches=True), 8)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "greedy", "counter"])
def test_counts_are_those_of_the_records_at_every_table(policy: str) -> None:
    for table in settings():
        planned = plan(table.variant, players=table.players, pairs=table.pairs, policies=policy, seed=11)
        check(planned, 25)


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_every_table_is_counted(table: str, busy: Counts) -> None:
    assert busy.totals(table)[:, 0].any()
    assert busy.totals(table)[:, 1].any()


@pytest.fixture(scope="module")
def busy() -> Counts:
    return count(plan("egyptian", seed=4), 2000, threads=1)


def same(one: Counts, other: Counts) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.sums, other.sums, strict=True))


def test_counts_depend_on_neither_threads_nor_chunks(busy: Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same(busy, count(plan("egyptian", seed=4), 2000, threads=2))
    monkeypatch.setattr(plans, "LOGGED_A_CHUNK", 37)
    assert same(busy, count(plan("egyptian", seed=4), 2000, threads=2))
    assert not same(busy, count(plan("egyptian", seed=5), 2000, threads=2))


def test_counts_of_parts_add_up(busy: Counts) -> None:
    planned = plan("egyptian", seed=4)
    parts = [count(planned, 700, threads=1), count(planned, 1300, first=700, threads=1)]
    for whole, one, other in zip(busy.sums, parts[0].sums, parts[1].sums, strict=True):
        assert np.array_equal(whole, one + other)


def test_seatings_of_a_deal_are_one_unit() -> None:
    table = setting("bastra")
    policies = plan("bastra", policies=["greedy", "random"]).policies
    both = count(Plan(table, policies, ((0, 1), (1, 0)), 3), 50, threads=1)
    alone = [count(Plan(table, policies, (seating,), 3), 50, threads=1) for seating in ((0, 1), (1, 0))]
    assert np.array_equal(both.sums.totals, alone[0].sums.totals + alone[1].sums.totals)
    rounds = both.squares("jack_on_jack")[1]
    assert rounds[0] == 50 * 2**2


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(InputError, match="rounds = 0"):
        count(plan("bastra"), 0)
    with pytest.raises(ValueError, match="floors keeps no products"):
        count(plan("bastra"), 1, threads=1).products("floors")
    with pytest.raises(KeyError):
        table_of("flood")


def test_tables_name_each_cell_once() -> None:
    for table in TABLES:
        for axis in table.axes:
            assert len(set(axis.values)) == len(axis.values)
        assert table.cells == np.prod(table.shape)
    assert len({table.name for table in TABLES}) == len(TABLES)
