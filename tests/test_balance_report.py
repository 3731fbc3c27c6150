"""The part of the report that compares games: words that numbers bear out, one table, seven figures; pages alone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analyses.balance.contrasts import CONTRASTS
from analyses.balance.measures import MEASURES
from basra_sim.stats import Estimate
from basra_sim.variants import variant_names
from reports.balance_pages import page as page_of
from reports.balance_rows import COLUMNS, GROUPS, UNEQUAL, Balance, label
from reports.balance_scoring import scoring
from reports.balance_words import deciding, fair, long, skilful, usual_lengths, verdicts
from reports.folder import PAGE
from tests.pages import Page, check_estimate, data, looked_up, number, numbers, read


@pytest.fixture(scope="module")
def text(report_folder: Path) -> str:
    return (report_folder / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


@pytest.fixture(scope="module")
def frame(report_folder: Path) -> pd.DataFrame:
    return data(report_folder, "balance").assign(part=lambda rows: rows["part"].fillna("").astype(str))


def rows(*found: tuple[str, str, float, float], variant: str = "bastra", policy: str = "") -> pd.DataFrame:
    """Rows on two players: measure, part, estimate, half-width."""
    made: list[dict[str, Any]] = [
        {"variant": variant, "players": 2, "pairs": False, "measure": measure, "part": part, "estimate": value}
        | {"policy": policy or (UNEQUAL if measure in GROUPS["Skill and luck"] else "counter")}
        | {"low": value - half, "high": value + half, "units": 5000, "unit": MEASURES[measure].unit}
        | {"rounds": 10_000, "seed": 1}
        for measure, part, value, half in found
    ]
    return pd.DataFrame(made)


def balance(*found: tuple[str, str, float, float]) -> Balance:
    return Balance.of(rows(*found))


def seats(first: float, half: float, ahead: float = 1.0) -> Balance:
    """Seats of two players."""
    edge = [("first_match_wins", "", first, half), ("last_match_wins", "", -first, half)]
    return balance(*edge, ("first_seat_advantage", "", ahead, 0.5))


def test_one_table_has_every_variant_and_table(page: Page, frame: pd.DataFrame) -> None:
    shown = page.tables["table-balance-compared"]
    assert [(row[0][0], row[1][0]) for row in shown.rows] == [
        (name, table) for table in ("2 players", "pairs") for name in variant_names()
    ]
    assert shown.keys == ["variant", "table", *COLUMNS, "units"]
    assert [name for name, file in page.files.items() if file == "balance.csv"] == ["table-balance-compared"]
    checked = 0
    for names, key, cell in numbers(page, "balance-compared"):
        policy = UNEQUAL if key in GROUPS["Skill and luck"] else "counter"
        where = {"variant": names["variant"], "table": names["table"], "policy": policy}
        if key == "units":
            rows = looked(frame, **where)
            assert {number(cell[0])} == set(rows.loc[~rows["measure"].isin(["real_choices", "stake"]), "units"])
            continue
        if key == "stake" and names["table"] != "2 players":
            assert cell[0] == "–"
            continue
        row = looked_up(frame, measure=key, **where)
        if pd.notna(row["high"]):
            check_estimate(cell, row, row["unit"].startswith("of "))
        checked += 1
    assert checked == 26 * len(COLUMNS) - 13


def looked(frame: pd.DataFrame, **names: str) -> pd.DataFrame:
    for key, value in names.items():
        frame = frame[frame[key] == value]
    return frame


def test_verdicts_stand_for_every_variant(text: str) -> None:
    part = text[text.index('<section id="balance">') : text.index('<section id="points">')]
    headings = [name for found in re.findall(r'<h\d class="finding">(.*?)</h\d>', part) for name in found.split(" = ")]
    assert sorted(headings) == sorted(variant_names())
    assert part.count("<li>Skill: ") == part.count("<li>Length: ") == part.count("<li>What decides: ") == 12


def test_skill_is_defined_where_it_is_shown(text: str) -> None:
    part = re.sub(r"\s+", " ", text)
    folded = part[part.index("<summary>How this is measured") :]
    assert "share of the variance of a round&#39;s margin that goes back to who plays" in folded
    assert "another pair gives other numbers" in part


@pytest.mark.parametrize(
    ("first", "half", "word"),
    [
        (0.002, 0.003, "Fair: "),
        (0.012, 0.004, "Fair or nearly so: "),
        (0.03, 0.004, "Better for who begins: "),
        (-0.03, 0.004, "Better for who deals first: "),
        (0.01, 0.03, "Not known closely enough to be called fair: "),
    ],
)
def test_fairness_is_said_as_far_as_intervals_go(first: float, half: float, word: str) -> None:
    (said,) = fair(seats(first, half), "bastra", "2 players")
    assert said.startswith(word)


@pytest.mark.parametrize(("ahead", "words"), [(1.0, "ahead by +1.00"), (-1.0, "behind: −1.00"), (0.2, "neither")])
def test_the_first_mover_is_ahead_only_if_the_interval_says_so(ahead: float, words: str) -> None:
    (said,) = fair(seats(0.0, 0.001, ahead), "bastra", "2 players")
    assert words in read(said)


def test_what_decides_is_named_with_all_that_it_cannot_be_told_from() -> None:
    shares = [("round_without_majority", "", 0.10, 0.01), ("round_without_cards", "", 0.29, 0.02)]
    (said,) = deciding(balance(*shares, ("round_without_basras", "", 0.31, 0.02)), "bastra", "2 players")
    assert said.startswith("What decides: basras and points of aces, jacks, two and 10♦, about alike.")
    (said,) = deciding(balance(*shares, ("round_without_basras", "", 0.41, 0.02)), "bastra", "2 players")
    assert said.startswith("What decides: basras. ")


def test_skill_is_placed_among_the_others() -> None:
    def one(variant: str, value: float) -> pd.DataFrame:
        return rows(("skill", "", value, 0.01), ("deal_share", "", 0.5, 0.01), variant=variant)

    measured = Balance.of(pd.concat([one("bastra", 0.1), one("egyptian", 0.02), one("syrian-a", 0.2)]))
    (said,) = skilful(measured, "bastra", "2 players")
    assert "(more than in 1 and less than in 1 of 2 other games)" in said
    (said,) = skilful(Balance.of(pd.concat([one("bastra", 0.1), one("egyptian", 0.105)])), "bastra", "2 players")
    assert "(as in all other games, as far as is known)" in said
    (said,) = skilful(Balance.of(one("bastra", 0.1)), "bastra", "2 players")
    assert "(" not in said


def test_usual_lengths_are_the_fewest_that_hold_four_fifths() -> None:
    lengths = [("match_length", str(k), share, 0.01) for k, share in ((10, 0.1), (9, 0.45), (8, 0.4), (3, 0.05))]
    measured = balance(*lengths, ("match_rounds", "", 8.6, 0.2), ("match_plays", "", 412.0, 5.0))
    first, last, share = usual_lengths(measured, "bastra", "2 players")
    assert (first, last, round(share, 6)) == (8, 9, 0.85)
    (said,) = long(measured, "bastra", "2 players")
    assert (
        read(said)
        == "Length: a match takes 8.60 ± 0.20 rounds, 412.0 ± 5.0 cards; 85 % of the matches take 8 to 9 rounds."
    )


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert verdicts(balance(("basras", "", 1.0, 0.1)), "bastra", "2 players") == []


def test_every_measure_has_words_of_its_own() -> None:
    named = [
        label(name, "") for name in MEASURES if name not in ("points", "variance_share", "match_length", "comeback")
    ]
    units = [
        MEASURES[name].unit for name in MEASURES if name not in ("points", "variance_share", "match_length", "comeback")
    ]
    assert len(set(zip(named, units, strict=True))) == len(named)
    assert label("points", "total") == "all together"
    assert label("variance_share", "ten") == "from 10♦"
    assert label("match_length", "1") == "of 1 round"


def contrasts() -> Iterator[dict[str, Any]]:
    for each, adds in zip(CONTRASTS, (0.04, -0.02, 0.0, 0.0), strict=True):
        row: dict[str, Any] = {
            "contrast": each.name,
            "variant": each.variant,
            "changes": each.words,
            "policy": UNEQUAL,
            "part": "",
        }
        row |= {"measure": "skill", "as_is": 0.1, "as_is_low": 0.09, "as_is_high": 0.11, "changed": 0.1 + adds}
        row |= {"changed_low": 0.09 + adds, "changed_high": 0.11 + adds, "estimate": adds, "low": adds - 0.005}
        yield row | {"high": adds + 0.005, "unit": "of the variance", "units": 5000, "rounds": 10_000, "seed": 1}


def test_single_rules_are_said_to_do_what_the_difference_bears_out() -> None:
    section = scoring(pd.DataFrame(contrasts()))
    assert read(section.brief) == (
        "what who plays decides changes by +4.00 ± 0.50 percentage points in egyptian with 3 points for most cards "
        "instead of 30 and −2.00 ± 0.50 percentage points in palestinian with 10 points for any basra."
    )
    first, _, third, _ = section.findings
    assert any("10.0 ± 1.0 %, then 14.0 ± 1.0 %, a difference of +4.00 ± 0.50" in read(each) for each in first[1])
    assert third[1][-1] == "no difference found: who plays (skill)"


def test_table_of_single_rules_equals_its_data(page: Page, report_folder: Path) -> None:
    frame = data(report_folder, "scoring")
    frame = frame[frame["policy"].isin(["counter", UNEQUAL])]
    shown = page.tables["table-scoring"]
    assert len(shown.rows) == len(frame)
    for line, row in zip(shown.rows, frame.to_dict("records"), strict=True):
        assert line[0][0] == row["contrast"]
        assert [float(cell[1] or "nan") for cell in line[3:6]] == pytest.approx(
            [row["as_is"], row["changed"], row["estimate"]], rel=1e-9, abs=1e-12
        )


@pytest.fixture(scope="module")
def measured(frame: pd.DataFrame) -> Balance:
    return Balance(frame)


def test_a_page_of_one_variant_has_all_that_was_measured(measured: Balance) -> None:
    one = Balance(measured.frame[measured.frame["variant"] == "bastra"])
    text = page_of(one, ["Something to know."], "basra-sim balance bastra")
    shown = Page(text)
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", text)
    assert all(link[1:] in shown.ids for link in shown.links)
    assert len(shown.ids) == len(set(shown.ids))
    values = {float(value) for table in shown.tables.values() for row in table.rows for _, value, _ in row if value}
    assert values == {float(value) for value in one.frame["estimate"].dropna()}
    assert text.count("<svg ") == 4
    assert "Something to know." in text
    assert "basra-sim balance bastra" in text
    assert "who plays" in text


def test_a_page_of_several_compares_them(measured: Balance) -> None:
    two = Balance(measured.frame[measured.frame["variant"].isin(["bastra", "egyptian"])])
    shown = Page(page_of(two))
    assert len(shown.tables["table-balance-compared"].rows) == 4
    assert len(shown.ids) == len(set(shown.ids))
    assert not shown.files["table-balance-compared"]


def test_a_page_of_several_says_what_there_is(measured: Balance) -> None:
    two = measured.frame[measured.frame["variant"].isin(["bastra", "egyptian"])]
    shown = Page(page_of(Balance(two[two["measure"] == "basras"])))
    assert shown.tables["table-balance-compared"].keys == ["variant", "table", "basras", "units"]
    text = page_of(Balance(two[two["table"] == "pairs"]))
    assert "Game by game (pairs)" in text
    assert text.count("Skill: ") == 4


def test_an_estimate_that_is_not_there_is_none() -> None:
    measured = balance(("basras", "", 1.0, 0.5))
    assert measured.get("bastra", "2 players", "basras") == Estimate(1.0, 0.5, 1.5, 5000)
    assert measured.get("bastra", "2 players", "skill") is None
