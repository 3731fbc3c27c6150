"""Predictions of what happens how often: registered for every claim, counted, judged by the stated rule."""

import pandas as pd
import pytest

from analyses.balance import leads
from analyses.balance.equal import measured
from analyses.balance.worth import worth
from analyses.claims import observations
from analyses.claims.model import PAIRS
from analyses.claims.observations import AS_PREDICTED, NOTHING, OTHER_WAY, UNDECIDED, jobs, judge
from analyses.claims.observed import (
    ABOVE,
    BALANCE,
    BELOW,
    COMPANY,
    COUNTS,
    EVERY,
    LEADS,
    PREDICTIONS,
    SWEEPING,
    WORTH,
    predictions,
)
from analyses.claims.rows import EXPLORATION, PRIMARY
from analyses.frequencies import counted, frame
from analyses.inference import difference, units_needed
from analyses.jobs import PLAYERS, Effort, run
from analyses.scenes import Scene
from basra_sim.pools import GROUPS, LEAST_DEALS
from basra_sim.stats import Estimate
from basra_sim.variants import setting

IDS = {
    "memory-safe-rank",
    "ace-early",
    "jack-last-deal",
    "jack-opens-floor",
    "faces-block",
    "low-first",
    "high-takes-aces",
    "high-board-safe",
    "majority-minor",
    "fishing-read",
    "lead-fragile",
    "jack-strongest",
    "rare-events",
    "best-with-2-or-4",
}


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    return run(jobs(Effort(2000, seed=3)))


def test_every_claim_has_a_primary_prediction() -> None:
    assert {each.claim for each in PREDICTIONS if each.primary} == IDS
    assert len({(each.claim, each.name) for each in PREDICTIONS}) == len(PREDICTIONS)
    for each in PREDICTIONS:
        assert (each.smallest is None) == (each.bound != 0), each
        assert each.expects in (ABOVE, BELOW)
        assert each.because.endswith(".")
        assert not each.quantity.endswith(".")
        assert each.variant in each.variants
    assert set(predictions("ace-early")) >= {"ace laid early", "point two laid early"}


def test_rows_say_all_that_a_reader_needs(made: pd.DataFrame) -> None:
    assert not made[["estimate", "units", "seed", "unit"]].isna().any(axis=None)
    assert (made["low"] <= made["estimate"]).all()
    assert (made["estimate"] <= made["high"]).all()
    assert set(made["seed"]) == {3}
    keys = ["claim", "prediction", "variant", "seats", "policy"]
    assert not made.duplicated(keys).any()
    primary = made[made["role"] == PRIMARY]
    assert set(primary["claim"]) == IDS
    expected = {
        (each.claim, each.name): 1 if each.of == COMPANY else len(PLAYERS) for each in PREDICTIONS if each.primary
    }
    found = primary.groupby(["claim", "prediction"]).size().to_dict()
    assert {key: number for key, number in expected.items() if found[key] != number} == {}
    assert (primary["policy"].isin(PLAYERS) | (primary["claim"] == "best-with-2-or-4")).all()
    assert set(primary.loc[primary["variant"] != "bastra", "prediction"]) == {"seven of diamonds second"}


def test_rules_that_are_explored_are_those_registered(made: pd.DataFrame) -> None:
    for each in PREDICTIONS:
        rows = made[(made["claim"] == each.claim) & (made["prediction"] == each.name)]
        found = set(rows["variant"])
        assert found <= set(each.variants)
        if each.of in (BALANCE, WORTH, LEADS):
            assert found == set(each.variants)
        if each.of == COUNTS:
            assert (rows["seats"] == PAIRS.seats).any() == each.pairs
    assert set(made.loc[made["claim"] == "faces-block", "variant"]) == {"bastra", "egyptian"}
    assert set(made.loc[made["claim"] == "majority-minor", "variant"]) == set(EVERY)
    assert "bastra" not in SWEEPING


def test_estimates_are_those_of_the_frames(made: pd.DataFrame) -> None:
    def row(claim: str, prediction: str, **values: str) -> float:
        rows = made[(made["claim"] == claim) & (made["prediction"] == prediction)]
        for name, value in ({"variant": "bastra", "policy": "greedy"} | values).items():
            rows = rows[rows[name] == value]
        return float(rows.loc[rows["seats"] != PAIRS.seats, "estimate"].iloc[0])

    counts = counted(Scene(), 2000, seed=3)
    safe = frame(counts, "safe_known").set_index(["gone", "held"])["estimate"]
    assert row("memory-safe-rank", "two gone") == safe["2", "0"]
    table = frame(counts, "board").set_index(["size", "high_cards"])["estimate"]
    gap = table["3", "3"] - table["3", "0"]
    assert row("high-board-safe", "3 cards") == pytest.approx(gap)
    lead = leads.leads(Scene(), 400, seed=3).set_index(["measure", "lead", "lacks"])["estimate"]
    assert row("lead-fragile", "20-29, match won") == lead[leads.WON, "20-29", leads.ALL]
    cards = worth(Scene("egyptian"), 2000, seed=3).frame().set_index("card")["estimate"]
    jacks = cards[["JC", "JD", "JH", "JS"]].mean()
    rest = cards.drop(["JC", "JD", "JH", "JS", "first move"])
    found = row("jack-strongest", "jacks first", variant="egyptian")
    assert found == pytest.approx(jacks - rest.max())
    found = row("jack-strongest", "seven of diamonds second", variant="egyptian")
    assert found == pytest.approx(min(jacks - rest["7D"], rest["7D"] - rest.drop("7D").max()))
    tables = observations.companies("bastra", 4096, seed=3)
    two, three = (tables[company, "skill"].estimate("skill").value or 0 for company in ("pairs", "3"))
    assert row("best-with-2-or-4", "pairs or three", policy="counter") == pytest.approx(two - three)
    weighed = (tables[company, "real_choices"].estimate("real_choices", "1 point") for company in ("2", "3"))
    two, three = (each.value or 0 for each in weighed)
    assert row("best-with-2-or-4", "choices of two", policy="counter") == pytest.approx(two - three)
    balance = measured(setting("yemeni"), "champion", deals=4096, seed=3)
    ties = row("rare-events", "tied matches", variant="yemeni", policy="champion")
    assert ties == balance.estimate("match_ties").value
    without = [balance.estimate(f"match_without_{part}").value or 0 for part in ("basras", "majority")]
    gap = without[0] - without[1]
    assert row("majority-minor", "basras or majority", variant="yemeni", policy="champion") == pytest.approx(gap)


def told(*rows: tuple[str, str, float, float | None, float, float]) -> pd.DataFrame:
    """Rows as `jobs` gives them: role, what is expected, bound, smallest, estimate, half-width."""
    return pd.DataFrame(
        {
            "claim": "x",
            "role": role,
            "expects": expects,
            "bound": bound,
            "smallest": smallest,
            "estimate": estimate,
            "low": estimate - half,
            "high": estimate + half,
            "units": 10_000,
        }
        for role, expects, bound, smallest, estimate, half in rows
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((ABOVE, 0.75, None, 0.8, 0.01), AS_PREDICTED),
        ((BELOW, 0.75, None, 0.8, 0.01), OTHER_WAY),
        ((ABOVE, 0.75, None, 0.7, 0.01), OTHER_WAY),
        ((BELOW, 0.75, None, 0.7, 0.01), AS_PREDICTED),
        ((ABOVE, 0.75, None, 0.755, 0.01), UNDECIDED),
        ((ABOVE, 0.0, 0.02, 0.05, 0.01), AS_PREDICTED),
        ((BELOW, 0.0, 0.02, 0.05, 0.01), OTHER_WAY),
        ((ABOVE, 0.0, 0.02, 0.004, 0.002), NOTHING),
        ((ABOVE, 0.0, 0.02, -0.004, 0.1), UNDECIDED),
    ],
)
def test_outcomes_follow_the_rule(row: tuple[str, float, float | None, float, float], expected: str) -> None:
    judged = judge(told((PRIMARY, *row)))
    assert judged["outcome"].tolist() == [expected]
    assert judged["needed"].notna().tolist() == [expected == UNDECIDED]
    assert judged["p_equivalence"].notna().tolist() == [row[2] is not None]


def test_what_is_undecided_says_how_much_would_decide_it() -> None:
    judged = judge(told((PRIMARY, ABOVE, 0.75, None, 0.755, 0.01), (PRIMARY, ABOVE, 0.0, 0.02, 0.004, 0.05)))
    assert judged["needed"].tolist() == [
        units_needed(Estimate(0.005, -0.005, 0.015, 10_000), 0.0, 2),
        units_needed(Estimate(0.004, -0.046, 0.054, 10_000), 0.02, 2),
    ]


def test_families_are_corrected() -> None:
    weak = (PRIMARY, ABOVE, 0.0, 0.02, 0.012, 0.0115)
    alone = judge(told(weak))
    assert alone["outcome"].tolist() == [AS_PREDICTED]
    many = judge(told(weak, *[(PRIMARY, ABOVE, 0.0, 0.02, 0.0, 0.05)] * 3))
    assert many["outcome"].iloc[0] == UNDECIDED
    assert many["p_difference_corrected"].iloc[0] == pytest.approx(4 * many["p_difference"].iloc[0])
    beside = judge(told(weak, *[(EXPLORATION, ABOVE, 0.0, 0.02, 0.0, 0.05)] * 3))
    assert beside["outcome"].iloc[0] == AS_PREDICTED
    assert difference(Estimate(0.012, 0.0005, 0.0235, 10_000)) == pytest.approx(beside["p_difference"].iloc[0])


def test_a_claim_with_several_outcomes_names_them() -> None:
    judged = judge(
        told(
            (PRIMARY, ABOVE, 0.0, 0.02, -0.05, 0.01),
            (PRIMARY, ABOVE, 0.0, 0.02, 0.05, 0.01),
            (EXPLORATION, ABOVE, 0.0, 0.02, 0.0, 0.5),
        )
    )
    assert judged["outcome"].tolist() == [OTHER_WAY, AS_PREDICTED, UNDECIDED]


def test_judging_is_for_all_at_once(made: pd.DataFrame) -> None:
    judged = judge(made)
    assert judged.index.equals(made.index)
    assert judged["outcome"].isin([AS_PREDICTED, OTHER_WAY, NOTHING, UNDECIDED]).all()
    aces = judged[(judged["claim"] == "high-takes-aces") & (judged["role"] == PRIMARY)]
    assert aces["outcome"].tolist() == [AS_PREDICTED] * len(PLAYERS)
    assert observations.RULE


def test_jobs_play_what_some_claims_need_only() -> None:
    asked = list(jobs(Effort(2000), ["lead-fragile"]))
    assert [job.label.split(",")[0] for job in asked] == ["observed: leads"] * 9
    assert len(list(jobs(Effort(2000), ["best-with-2-or-4"]))) == 1
    assert all(job.weight > 0 for job in jobs(Effort(2000)))


def test_observed_rows_depend_on_neither_threads_nor_order() -> None:
    claims = ["jack-opens-floor", "lead-fragile", "best-with-2-or-4"]
    one, other = (run(jobs(Effort(600, seed=5, threads=threads), claims)) for threads in (1, 2))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_the_smallest_effort_is_enough_to_be_told_so() -> None:
    judged = judge(run(jobs(Effort(4, seed=5))))
    few = judged["units"] < GROUPS * LEAST_DEALS
    assert (judged.loc[few, "outcome"] == UNDECIDED).mean() > 0.5
