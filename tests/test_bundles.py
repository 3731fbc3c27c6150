"""Advice followed together: its worth, the share of the way, what each piece adds, and the few to learn first."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from analyses import bundles
from analyses.bundles import ADDS, ALONE, GAIN, SHARE, Piece, best, chosen, jobs, pieces, section, told, value
from analyses.claims.model import MAIN, PAIRS, SECTIONS, Table, own_claim
from analyses.claims.registry import CLAIMS, claim
from analyses.frames import estimates
from analyses.jobs import STRONGEST, Effort, run
from basra_sim.errors import InputError
from basra_sim.experiment import design, duel
from basra_sim.plans import Played
from basra_sim.policies import ADVICE, Policy, get_policy
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from basra_sim.stats import Estimate
from basra_sim.variants import setting
from tests.intervals import critical

EFFORT = Effort(400, seed=3, threads=1)
TWO = [Piece(ADVICE["jack-hold"]), Piece(ADVICE["points-late"], TIE_BREAK)]


def margins(player: Policy, base: str, table: Table, deals: int) -> npt.NDArray[np.float64]:
    """Points of a player in each deal, all seatings together, ahead of each of the others."""
    seated = setting(table.variant, table.players, table.pairs)
    the = design(player, get_policy(base), seated, seed=EFFORT.seed)

    def work(played: Played) -> Any:
        return the.values(played)[:, : the.places].sum(axis=1)

    return np.concatenate(list(the.plan.each(work, deals, threads=1))) / (the.places * (the.places - 1))


@pytest.mark.parametrize("table", [MAIN, PAIRS, Table("bastra", 3), Table("egyptian")], ids=lambda each: each.label)
def test_a_share_is_the_gain_over_that_of_the_strongest(table: Table) -> None:
    player, deals = told("greedy", TWO), 150
    gain, share = value(player, "greedy", table, deals, EFFORT)
    own, best_of_all = (margins(each, "greedy", table, deals) for each in (player, get_policy(STRONGEST)))
    ratio = own.mean() / best_of_all.mean()
    residual = own - ratio * best_of_all
    half = critical(deals) * residual.std(ddof=1) / np.sqrt(deals) / abs(best_of_all.mean())
    found = (share.value, share.low, share.high, share.units)
    assert found == pytest.approx((ratio, ratio - half, ratio + half, deals))
    half = critical(deals) * own.std(ddof=1) / np.sqrt(deals)
    assert (gain.value, gain.low, gain.high) == pytest.approx((own.mean(), own.mean() - half, own.mean() + half))


def test_the_strongest_has_gone_all_the_way() -> None:
    gain, share = value(get_policy(STRONGEST), "greedy", MAIN, 300, EFFORT)
    assert share == Estimate(1.0, 1.0, 1.0, 300)
    assert gain == duel(STRONGEST, "greedy", deals=300, seed=3).margin
    gain, share = value(get_policy("greedy"), "greedy", MAIN, 300, EFFORT)
    assert (gain.value, share.value) == (0.0, 0.0)


def test_rows_of_a_bundle() -> None:
    frame = run(jobs("greedy", TWO, EFFORT))
    assert set(frame["bundle"]) == {"jack-hold + points-late:tie-break"}
    assert set(frame["seed"]) == {3}
    found = dict(zip(zip(frame["piece"], frame["measure"], strict=True), estimates(frame), strict=True))
    names = [piece.name for piece in TWO]
    assert list(found) == [("", GAIN), ("", SHARE), *((name, each) for name in names for each in (ADDS, ALONE))]
    both, plain = told("greedy", TWO), get_policy("greedy")
    assert (found["", GAIN], found["", SHARE]) == value(both, "greedy", MAIN, 400, EFFORT)
    alone = partial(duel, deals=400, seed=3)
    for piece, other in (TWO, TWO[::-1]):
        assert found[piece.name, ADDS] == alone(both, told("greedy", [other])).margin
        assert found[piece.name, ALONE] == alone(told("greedy", [piece]), plain).margin


def test_a_bundle_of_one_piece_has_no_rest() -> None:
    frame = run(jobs("counter", TWO[:1], EFFORT, PAIRS))
    assert frame["measure"].tolist() == [GAIN, SHARE]
    assert set(frame["units"]) == {100}
    assert frame["unit"].tolist() == ["points/round", "of the way"]


def test_pieces_that_say_the_same_are_one() -> None:
    assert [piece.name for piece in chosen(["faces-block", "faces-first"])] == ["faces-block"]
    assert [piece.name for piece in chosen(["points-late-last", "points-late"])] == ["points-late"]
    assert [piece.name for piece in chosen(["jack-two", "jack-hold", "jack-two"], REVERSED)] == [
        "jack-two:reversed",
        "jack-hold:reversed",
    ]
    everything = [piece.name for piece in pieces(CLAIMS)]
    assert len(everything) == len(set(everything))
    assert {"faces-block", "points-late"} <= set(everything)
    assert not {"faces-first", "points-late-last", "memory", "ace-early"} & set(everything)


def test_a_player_who_is_told_follows_all_of_it() -> None:
    assert told("counter", TWO) == get_policy("counter+jack-hold+points-late:tie-break")
    assert told("greedy", []) == get_policy("greedy")


def test_sections() -> None:
    found = {name: [piece.name for piece in section(name)] for name in SECTIONS if name != "the game"}
    assert all(found.values())
    assert found["faces"] == ["faces-block"]
    assert set(found["jacks"]) >= {"jack-hold", "jack-two", "jack-last-deal"}
    assert sorted(name for part in found.values() for name in part) == sorted(piece.name for piece in pieces(CLAIMS))
    assert {piece.form for piece in section("order", TIE_BREAK)} == {TIE_BREAK}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jack", r"no section is called 'jack' \(did you mean jacks\?\); there are memory, point cards, jacks"),
        ("the game", "no section is called 'the game'"),
        ("own", "no section is called 'own'"),
    ],
)
def test_what_is_no_section(name: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        section(name)


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    for name in ("memory", "ace-early"):
        with pytest.raises(InputError, match=f"{name} is no advice on a single play: there is nothing to follow"):
            chosen(["jack-hold", name])
    with pytest.raises(InputError, match="no claim is called 'jack-holt'"):
        chosen(["jack-holt"])
    (tmp_path / "mine.toml").write_text("follow.rank = [1, 6]\nagainst.rank = 7\n")
    assert [piece.name for piece in chosen([str(tmp_path / "mine.toml"), "jack-hold"])] == ["mine", "jack-hold"]


FEW = tuple(claim(name) for name in ("jack-two", "memory-safe-rank", "points-on-empty"))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of advice that is soon read."""
    monkeypatch.setattr(bundles, "CLAIMS", FEW)


@pytest.mark.usefixtures("few")
def test_the_best_are_chosen_on_one_seed_and_valued_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int, int]] = []
    duels, values = bundles._duel, bundles.value

    def watched_duel(*args: Any, deals: int, effort: Effort, **more: Any) -> Estimate:
        seen.append(("duel", effort.seed, deals))
        return duels(*args, deals=deals, effort=effort, **more)

    def watched_value(*args: Any) -> tuple[Estimate, Estimate]:
        seen.append(("value", args[4].seed, args[3]))
        return values(*args)

    monkeypatch.setattr(bundles, "_duel", watched_duel)
    monkeypatch.setattr(bundles, "value", watched_value)
    steps: list[tuple[int, int]] = []
    effort = Effort(4000, seed=8, threads=1)
    frame = best("greedy", 1, effort, progress=lambda done, of: steps.append((done, of)))
    assert seen == [("duel", 8, 1000)] * 6 + [("value", 9, 4000)]
    assert steps == [(done, 6) for done in range(1, 7)]
    tried = {
        piece.name: duel(told("greedy", [piece]), "greedy", deals=1000, seed=8).margin.value
        for form in (LITERAL, TIE_BREAK)
        for piece in pieces(FEW, form)
    }
    first = max(tried, key=lambda name: tried[name] or 0)
    assert frame["piece"].tolist() == [first, first]
    assert frame["added"].tolist() == pytest.approx([tried[first]] * 2)
    fresh = get_policy(f"greedy+{first}")
    assert estimates(frame) == list(values(fresh, "greedy", MAIN, 4000, effort.on(9)))
    assert frame["measure"].tolist() == [GAIN, SHARE]
    assert set(frame["seed"]) == {9}


@pytest.mark.usefixtures("few")
def test_each_step_adds_to_those_before_and_takes_no_piece_twice() -> None:
    frame = best("greedy", 3, Effort(4000, seed=8, threads=1))
    names = frame["piece"].drop_duplicates().tolist()
    plain = [name.removesuffix(f":{TIE_BREAK}") for name in names]
    assert len(set(plain)) == len(plain)
    assert frame["step"].tolist() == [step for step in range(1, len(names) + 1) for _ in range(2)]
    assert (frame["added"] > 0).all()
    together = get_policy("+".join(["greedy", *names]))
    last = value(together, "greedy", MAIN, 4000, Effort(4000, seed=9))
    assert estimates(frame)[-2:] == list(last)


def test_it_ends_where_nothing_adds_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "CLAIMS", (own_claim(ADVICE["placebo"]),))
    assert best("counter", 2, EFFORT).empty


@pytest.mark.usefixtures("few")
def test_threads_make_no_difference() -> None:
    one, other = (best("greedy", 1, Effort(1200, seed=8, threads=threads)) for threads in (1, 2))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    one, other = (run(jobs("greedy", TWO, Effort(300, threads=threads))) for threads in (1, 2))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
