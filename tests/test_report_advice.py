"""The part of the report about advice: a card a claim, the table of all verdicts, and what it says in sentences."""

import html
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analyses.claims import summary
from analyses.claims.model import Claim, built_in
from analyses.claims.naming import QUANTITIES
from analyses.claims.registry import CLAIMS, claim
from analyses.claims.verdict import COSTS, DEPENDS, GAINS, NOTHING, PLAYER, SITUATION, UNDECIDED, UNKNOWN, Verdict
from analyses.claims.wording import headline
from analyses.jobs import STRONGEST
from basra_sim.stats import Estimate
from reports.advice import BADGES, by_score
from reports.advice import badge as badge_of
from reports.findings import expectation, pairing, rank, reversed_, savings, when
from reports.folder import PAGE
from reports.wording import in_order, measured, place
from tests.pages import REPORTED, Page, check_estimate, data, number, numbers, read

JACK = built_in("jack-hold", subject="keeping", applies="Now.", section="jacks", kinds=("P", "D"))


@pytest.fixture(scope="module")
def text(report_folder: Path) -> str:
    return (report_folder / PAGE).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def card(text: str, name: str) -> str:
    """The section of a claim."""
    start = text.index(f'<section id="{name}"')
    return text[start : text.index("</section>", start)]


@pytest.mark.parametrize("each", REPORTED, ids=lambda each: each.name)
def test_card_says_advice_and_verdict(text: str, report_folder: Path, each: Claim) -> None:
    row = data(report_folder, f"{each.name}-registered").iloc[0]
    part = card(text, each.name)
    on, trouble = ("" if pd.isna(row[name]) else str(row[name]) for name in ("depends_on", "trouble"))
    lead = re.search(r'<p class="lead">(.*?)</p>', part)
    assert lead
    sentence = str(data(report_folder, "verdicts").set_index("claim").loc[each.name, "sentence"])
    assert html.unescape(re.sub("<[^>]*>", "", lead[1])) == sentence
    assert sentence.startswith(headline(each, Verdict(row["verdict"], {}, on, None, trouble)))
    badge = badge_of(Verdict(row["verdict"], {}, on))
    assert f'<span class="badge {badge.name}">' in part
    assert f"</span> {badge.words}</span>" in part
    assert f"“{each.advice}”" in part
    assert f"basra-sim test {each.name} --rounds 1000 --seed 5" in part


def test_badges_say_what_it_depends_on() -> None:
    assert badge_of(Verdict(DEPENDS, {}, SITUATION)).words == "depends: see when"
    assert badge_of(Verdict(DEPENDS, {}, PLAYER)).words == "depends on the player"
    assert badge_of(Verdict(UNDECIDED, {})).words == "undecided"


def test_badges_differ_in_sign_words_and_colour() -> None:
    for field in ("name", "sign", "words"):
        assert len({getattr(badge, field) for badge in BADGES.values()}) == len(BADGES)


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("memory", ["degrees", "forms"]),
        ("points-late-last", ["when"]),
        ("ace-early", []),
        ("jack-hold", ["forms", "when", "floor-size-cards-left", "floor-points-cards-left"]),
        ("low-empty", ["forms", "curve", "when"]),
        ("jack-empty-defence", ["own-score-other-score"]),
    ],
)
def test_figures_of_a_card(text: str, name: str, figures: list[str]) -> None:
    found = re.findall(rf'<figure id="figure-{name}-([^"]*)"', card(text, name))
    assert found == figures


def test_what_stands_on_a_card(text: str) -> None:
    part = card(text, "jack-hold")
    for words in (
        "Followed strictly",
        "Doing the opposite always",
        "Of whole matches",
        "such a decision",
        "Left alone, a player makes the play that follows in ",
        "ends better",
        "Most in its favour",
        "independent deals, each played once",
        "egyptian",
        "two pairs",
        "On the deals of seed 6 instead",
        "himself",
    ):
        assert words in part, words


def test_table_of_verdicts_equals_the_data(page: Page, report_folder: Path) -> None:
    listed = data(report_folder, "verdicts").set_index("advice")
    rows = page.tables["table-verdicts"].rows
    assert [row[0][0] for row in rows] == list(listed.index)
    assert {row[0][0] for row in rows} == {each.advice for each in REPORTED}
    for row in rows:
        found = listed.loc[row[0][0]]
        on = str(found["depends_on"]).replace("nan", "")
        assert badge_of(Verdict(str(found["verdict"]), {}, on)).words == row[1][0]
        assert found["sentence"].endswith(row[2][0])
    checked = 0
    for names, key, cell in numbers(page, "verdicts"):
        found = listed.loc[names["advice"]]
        ends = pd.Series({"estimate": found[key], "low": found[f"{key}_low"], "high": found[f"{key}_high"]})
        check_estimate(cell, ends, share_in_percent=False)
        checked += 1
    of_points = listed["unit"].str.startswith("points") & (listed["kind"] != "F")
    assert checked == listed.loc[of_points, STRONGEST].notna().sum() > 2


def test_verdicts_link_to_their_cards(page: Page) -> None:
    assert {f"#{each.name}" for each in REPORTED} <= set(page.links)


def test_verdicts_stand_in_the_order_of_their_size(report_folder: Path) -> None:
    listed = data(report_folder, "verdicts")
    assert list(listed["kind"]) == sorted(listed["kind"], key="PDF".index)
    for _, part in listed[listed["kind"] != "F"].groupby(["kind", "unit"]):
        assert part["champion"].dropna().abs().is_monotonic_decreasing


def test_table_of_duels_equals_the_data(page: Page, report_folder: Path) -> None:
    frame = data(report_folder, "jack-hold")
    primary = frame[(frame["role"] == "primary") & (frame["kind"] == "P")]
    checked = 0
    for names, key, cell in numbers(page, "jack-hold-duels"):
        rows = primary[(primary["form"] == names["form"]) & (primary["policy"] == names["policy"])]
        margin, luck = (rows[rows["measure"] == measure].iloc[0] for measure in ("margin", "adjusted margin"))
        if key in ("estimate", "adjusted"):
            check_estimate(cell, margin if key == "estimate" else luck, False)
        else:
            assert float(cell[1] or "nan") == pytest.approx(margin[key], rel=1e-12)
        assert names["outcome"] == margin["outcome"]
        checked += 1
    assert checked >= 9 * 7


TABLES = {
    "memory-degrees": {"role": "exploration", "kind": "P"},
    "jack-hold-often": {"kind": "D", "variant": "bastra", "seats": "two players"},
    "jack-hold-best": {"kind": "D", "variant": "bastra", "seats": "two players"},
    "jack-hold-situations": {"kind": "D", "variant": "bastra", "seats": "two players"},
    "jack-hold-elsewhere": {"role": "exploration"},
    "jack-hold-checks": {},
    "ace-early-counted": {"role": "primary"},
    "low-empty-situations": {"kind": "D"},
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_by_player_equal_the_data(page: Page, report_folder: Path, name: str) -> None:
    """Every estimate of a table stands in the data, with the same interval and player."""
    frame = data(report_folder, page.files[f"table-{name}"].removesuffix(".csv"))
    for key, value in TABLES[name].items():
        frame = frame[frame[key] == value]
    checked = 0
    for _, key, cell in numbers(page, name):
        rows = frame[(frame["policy"] == key) & np.isclose(frame["estimate"], float(cell[1] or "nan"), rtol=1e-12)]
        assert len(rows), (key, cell)
        fits = []
        for _, row in rows.iterrows():
            try:
                check_estimate(cell, row, row["unit"].startswith("of "))
                fits.append(row)
            except AssertionError:
                continue
        assert fits, (key, cell)
        checked += 1
    assert checked


def test_table_of_two_seeds_equals_the_data(page: Page, report_folder: Path) -> None:
    frame = data(report_folder, "jack-hold-repeated")
    ends = {"estimate": ("low", "high"), "estimate_again": ("low_again", "high_again")}
    for names, key, cell in numbers(page, "jack-hold-repeated"):
        row = frame[(frame["form"] == names["form"]) & (frame["policy"] == names["policy"])].iloc[0]
        if key == "units":
            assert number(cell[0]) == row["units"]
            continue
        low, high = ends.get(key, ("difference_low", "difference_high"))
        check_estimate(cell, pd.Series({"estimate": row[key], "low": row[low], "high": row[high]}), False)


def made(policy: str, form: str, outcome: str, value: float, name: str = "jack-hold") -> dict[str, object]:
    return {
        "claim": name, "kind": "P", "role": "primary", "variant": "bastra", "seats": "two players", "policy": policy,
        "form": form, "opponent": policy, "measure": "margin", "split": "", "place": "", "estimate": value,
        "low": value - 0.2, "high": value + 0.2, "unit": "points/round", "units": 4000, "seed": 1, "outcome": outcome,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("follow", "turned", "state", "words"),
    [
        ((GAINS, 1.0), (COSTS, -1.0), summary.OPPOSITE, "with the other sign, as it must"),
        ((COSTS, -1.0), (COSTS, -1.0), summary.SAME, "Whether each is right at times, decisions tell"),
        ((NOTHING, 0.0), (COSTS, -1.0), summary.ALREADY, "what is done anyway"),
        ((NOTHING, 0.0), (GAINS, 1.0), summary.AGAINST, "the reversed advice gains"),
        ((GAINS, 1.0), (NOTHING, 0.0), summary.HALF_USED, "the opposite is what is done"),
        ((NOTHING, 0.0), (NOTHING, 0.0), summary.NEITHER, "no sign can turn"),
        ((GAINS, 1.0), (UNKNOWN, -0.1), summary.OPEN, "not certain yet"),
        ((UNKNOWN, 0.1), (UNKNOWN, 0.1), summary.OPEN_ALIKE, "too few"),
    ],
)
def test_reversed_advice_is_explained(
    follow: tuple[str, float], turned: tuple[str, float], state: str, words: str
) -> None:
    frame = pd.DataFrame([made("champion", "literal", *follow), made("champion", "reversed", *turned)])
    assert summary.turned(frame, JACK) == {"champion": state}
    (sentence,) = reversed_(JACK, frame)
    assert words in sentence
    assert sentence.startswith("For champion ")


def test_rank_of_a_breach() -> None:
    frame = pd.DataFrame(
        [
            made("champion", "reversed", COSTS, -2.0),
            made("champion", "reversed", COSTS, -3.0, "points-late"),
            made("champion", "reversed", NOTHING, 0.1, "avoid-ten"),
            made("greedy", "reversed", COSTS, -2.0, "avoid-ten"),
        ]
    )
    found = summary.breach(frame, JACK, "champion")
    assert found is not None
    assert (found.rank, found.of, found.next) == (2, 3, "points-late")
    assert found.cost.value == 2.0
    assert found.ahead.value == pytest.approx(-1.0)
    assert found.ahead.half_width == pytest.approx(0.2 * 2**0.5)
    assert summary.breach(frame, JACK, "greedy") is None
    (sentence,) = rank(JACK, frame)
    assert "For champion, no: " in sentence
    assert "the largest is that of points-late, with 1.00 ± 0.28 more." in read(sentence)
    (largest,) = rank(claim("points-late"), frame[frame["policy"] == "champion"])
    assert "For champion, yes: " in largest


def cells(**values: list[float]) -> pd.DataFrame:
    """Decisions told apart by some quantities, for three players alike."""
    rows = [
        {**made(policy, "", UNKNOWN if abs(value) < 0.3 else GAINS if value > 0 else COSTS, value), "kind": "D"}
        | {"split": split, "place": str(k), "measure": "gain", "unit": "points/decision", "role": "exploration"}
        for split, given in values.items()
        for k, value in enumerate(given)
        for policy in ("greedy", "counter", "champion")
    ]
    return pd.DataFrame(rows)


def test_the_quantity_that_tells_most_comes_first() -> None:
    frame = cells(deal=[0.1, 0.0, 0.1], floor_size=[-1.0, 0.0, 2.0])
    found = summary.telling(frame, JACK)
    assert list(found["split"]) == ["floor_size", "deal"]
    assert found["p"].iloc[0] < 1e-6 < 0.5 < found["p"].iloc[1]
    assert len(summary.telling(frame[:0], JACK)) == 0
    first, best, worst = when(JACK, frame)
    assert "cards on the floor" in first
    assert read(best).startswith(
        "Most in its favour, for champion: cards on the floor: 2 (+2.00 ± 0.20 points a decision)"
    )
    assert worst.startswith("Least in its favour, for champion: cards on the floor: 0")
    assert "no single quantity" in next(iter(when(JACK, cells(deal=[0.1, 0.1])))).lower()


def test_best_and_worst_situations() -> None:
    found = summary.extremes(cells(deal=[0.1, 0.0, 0.2], floor_size=[-1.0, 0.0, 2.0]), JACK, 2)
    champion = found[found["policy"] == "champion"]
    assert list(zip(champion["split"], champion["place"], strict=True)) == [
        ("floor_size", "2"),
        ("deal", "2"),
        ("floor_size", "1"),
        ("floor_size", "0"),
    ]
    assert set(found["policy"]) == {"greedy", "counter", "champion"}


def test_predictions_in_words() -> None:
    assert expectation({"expects": "above", "bound": 0.75, "unit": "of aces"}) == "above 75 %"
    assert expectation({"expects": "below", "bound": 0.0, "unit": "points/round"}) == "below 0"
    assert expectation({"expects": None, "bound": None}) == ""


def test_places_in_words() -> None:
    assert place("floor_size × last_to_play", "9 or more × 1") == "cards on the floor: 9 or more, last to play"
    assert place("lead", "-3 to -1") == "points ahead so far: −3 to −1"
    assert place("score", "95 : 90") == "at 95 : 90, own score first"
    assert in_order("lead", ["4 to 10", "below -20", "0"]) == ["below -20", "0", "4 to 10"]
    assert in_order("rank", ["10", "A", "K", "9"]) == ["A", "9", "10", "K"]
    assert in_order("floor_size", ["9 or more", "2", "1"]) == ["1", "2", "9 or more"]
    told = measured(Estimate(-0.04, -0.06, -0.02, 9), "of matches", signed=True)
    assert read(told) == "−4.0 ± 2.0 % of matches"


def test_scores_become_two_quantities() -> None:
    frame = pd.DataFrame({"split": ["score"], "place": ["95 : 90"]})
    assert by_score(frame).to_dict("records") == [{"split": "own score × other score", "place": "95 × 90"}]


def test_every_quantity_that_tells_decisions_apart_has_a_name() -> None:
    for each in CLAIMS:
        names = {*each.splits, *(name for pair in each.maps for name in pair), each.contrast, each.curve} - {""}
        assert names <= set(QUANTITIES), each.name


def test_what_pairing_saves() -> None:
    gains = {"exchange": 4.0, "covariates": 1.25, "both": 5.0}
    frame = pd.DataFrame([{**made("greedy", "literal", GAINS, 1.0), **gains}])
    (sentence,) = pairing(frame)
    assert "× 5.0 (× 4.0 and × 1.2) for greedy" in sentence
    (summed,) = savings(frame)
    assert "× 5.0 to × 5.0" in summed
    assert not list(pairing(frame.assign(exchange=np.nan)))
    assert not list(savings(frame.assign(both=np.nan)))
