"""How rules and results show themselves: well-formed HTML in a notebook, a line or two elsewhere, all of it escaped."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analyses
import basra_sim as bs
from analyses.advising import Advice, Review
from analyses.balance.comparing import Compared
from analyses.claims import testing
from analyses.claims.model import own_claim
from analyses.frames import estimates
from analyses.jobs import Effort
from basra_sim import showing
from basra_sim.errors import InputError
from basra_sim.rules import OPTIONS, Rules
from basra_sim.stats import Estimate, decimals
from tests.commands import document

EVIL = "<b onload=\"x\">&amp; 'end' </td>\x00"


def parsed(shown: Any) -> ElementTree.Element:
    """What an object shows in a notebook, read by a strict parser."""
    return ElementTree.fromstring(shown._repr_html_())


def words(element: ElementTree.Element) -> str:
    """All text of an element, in one line."""
    return " ".join("".join(element.itertext()).split())


def cells(shown: Any, number: int = 0) -> list[list[str]]:
    """Rows of a table that an object shows."""
    table = parsed(shown).findall(".//table")[number]
    return [[words(cell) for cell in row] for row in table.findall("./tbody/tr")]


@cache
def duel() -> bs.Duel:
    return bs.duel("counter", "greedy", deals=600, seed=3, threads=1)


@cache
def summary() -> bs.Summary:
    return bs.simulate("egyptian", rounds=300, policies=["counter", "greedy"], seed=3, threads=1)


@cache
def matches() -> bs.Summary:
    return bs.simulate("bastra", matches=30, seed=3, threads=1)


@cache
def advised() -> Advice:
    return analyses.advise("bastra", hand="JS 7D 2C", floor="3H 5S", score="40-55", ways=200, seed=2, threads=1)


@cache
def reviewed() -> Review:
    return analyses.review(list(bs.trace("bastra", rounds=1, policies="greedy", seed=5)), ways=100, threads=1)


@cache
def outcome() -> testing.Tested:
    return analyses.test("ace-early", rounds=1000, seed=5, threads=1)


@cache
def compared() -> Compared:
    return analyses.compare(["bastra", "egyptian"], policies=["greedy"], deals=4096, skill=False, threads=1)


@cache
def laddered() -> Any:
    return analyses.ladder("bastra", policies=["greedy", "counter"], deals=640, threads=1)


@cache
def swept() -> Any:
    ground = analyses.Ground("bastra", deals=4096, threads=1)
    return analyses.sweep(ground, {"target": [50, 100]}, ["match_rounds"])


@cache
def fitted() -> Any:
    ground = analyses.Ground("bastra", deals=4096, threads=1)
    return analyses.fit(ground, {"target": range(90, 121)}, "match_rounds", 6.0)


SHOWN: dict[str, Callable[[], Any]] = {
    "rules": lambda: bs.variant("egyptian").rules,
    "bastra": Rules,
    "variant": lambda: bs.variant("egyptian"),
    "setting": lambda: bs.setting("egyptian", 4, True, {"target": 50}),
    "policy": lambda: bs.get_policy("counter"),
    "random": lambda: bs.get_policy("random"),
    "duel": duel,
    "summary": summary,
    "matches": matches,
    "advice": advised,
    "review": reviewed,
    "tested": outcome,
    "verdict": lambda: outcome().verdict,
    "compared": compared,
    "ladder": laddered,
    "sweep": swept,
    "fit": fitted,
}


@pytest.mark.parametrize("name", SHOWN)
def test_html_is_well_formed_and_takes_its_colours_from_the_page(name: str) -> None:
    shown = SHOWN[name]()
    assert len(words(parsed(shown))) > 20
    html = shown._repr_html_()
    assert not re.search(r"color|background|<style|<script|class=", html)
    assert "<caption" in html or name in ("random", "verdict")
    for table in parsed(shown).findall(".//table"):
        width = len(table.findall("./thead/tr/th"))
        assert all(len(list(row)) == width for row in table.findall("./tbody/tr"))


@pytest.mark.parametrize("name", SHOWN)
def test_plain_text_is_a_few_short_lines(name: str) -> None:
    for text in (repr(SHOWN[name]()), str(SHOWN[name]())):
        assert 1 <= len(text.splitlines()) <= 3
        assert max(map(len, text.splitlines())) <= 200
        assert " at 0x" not in text


def test_rules_are_made_anew_from_what_they_say() -> None:
    for name in bs.variants_frame()["name"]:
        rules = bs.variant(name).rules
        assert eval(repr(rules), {"Rules": Rules}) == rules
    assert repr(Rules()) == "Rules()"


def test_rules_show_every_option_with_its_value_and_meaning() -> None:
    rules = bs.variant("egyptian").rules
    rows = cells(rules)
    assert [row[0] for row in rows] == list(OPTIONS)
    assert ["target", "101", "100", OPTIONS["target"].doc] in rows
    strong = [words(each) for each in parsed(rules).findall(".//td/strong")]
    assert strong == ["J,7D", "sweeps", "sum_at_most_10", "20", "30", "carry", "101"]


def test_variant_shows_what_differs_and_what_was_settled() -> None:
    variant = bs.variant("homsi")
    text = words(parsed(variant))
    assert text.startswith("syrian-b, also called homsi: ")
    assert all(note in text for note in variant.notes)
    assert [row[0] for row in cells(variant)] == ["pack", "basra_scoring", "jack_on_jack", "majority_tie", "target"]


def test_numbers_are_those_of_the_result() -> None:
    rows = {row[0]: row[1:] for row in cells(duel())}
    assert rows["margin"] == [*duel().margin.texts, "points/round"]
    assert rows["won"] == [*duel().win.texts, "of rounds"]
    assert rows["margin in place 1"][0] == duel().seat_margins[1].texts[0]
    assert "600 deals" in words(parsed(duel()))
    assert "seed 3" in words(parsed(duel()))
    total = summary().estimate("total", 1)
    assert ["total", "1: greedy", *total.texts, "points/round"] in cells(summary())
    assert "match_won" in {row[0] for row in cells(matches())}


def test_analyses_show_the_numbers_of_their_frames() -> None:
    frame = compared().measure("points", "total")
    shown = [row for row in cells(compared()) if row[0] == "points"]
    assert [row[3:6] for row in shown] == [list(each.texts) for each in estimates(frame)]
    ratings = estimates(laddered().ratings)
    assert [row[2:5] for row in cells(laddered())] == [list(each.texts) for each in ratings]
    assert [row[3:6] for row in cells(swept())] == [list(each.texts) for each in estimates(swept().frame)]
    best = advised().best
    assert cells(advised())[0][1:4] == list(best.margin.texts)
    assert len(cells(advised())) == len(advised().options)
    assert len(cells(reviewed())) == len(reviewed().mistakes)
    assert float(cells(fitted())[0][0]) == pytest.approx(fitted().answers["value"].iloc[0], rel=1e-3)


def test_everything_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    title = EVIL.replace('"', "'").replace("\x00", "\\u0007")
    file.write_text(f'base = "egyptian"\ntitle = """{title}"""\n', encoding="utf-8")
    variant = bs.variant(file)
    assert "<b onload" in words(parsed(variant))
    assert "<b" not in variant._repr_html_()
    policy = bs.get_policy("counter").revised(EVIL, EVIL)
    assert "</td>" in words(parsed(policy))
    found = bs.duel(policy, "greedy", deals=20, threads=1)
    assert "<b" not in found._repr_html_()
    parsed(found)
    piece = bs.Advice(EVIL, EVIL, follow={"rank": (1, 5)}, against={"rank": (6, 10)})
    claim = own_claim(piece)
    shown = testing.Tested([claim], Effort(1000), outcome().played.assign(claim=EVIL))
    assert "<b" not in shown._repr_html_()
    assert "<b onload" in words(parsed(shown))


def test_cells_beyond_the_most_are_counted_and_said_to_be_elsewhere() -> None:
    rows = [[str(k), "x"] for k in range(showing.MOST_ROWS + 2)]
    root = ElementTree.fromstring(showing.html_table("All.", ["a", "b"], rows, rest=".frame"))
    assert len(root.findall("./tbody/tr")) == showing.MOST_ROWS
    caption = root.findtext("caption")
    assert caption is not None
    assert f"first {showing.MOST_ROWS} of {len(rows)} rows; all: .frame" in caption


@pytest.mark.parametrize("words", ["", "a < b", "\x00\x08\ufffe\ud800", "𝄞 “é”"])
def test_any_text_can_be_shown(words: str) -> None:
    root = ElementTree.fromstring(showing.html(showing.html_sentence(words), showing.html_items([words])))
    assert "".join(root.itertext()).replace("\ufffd", "") in (words * 2, "")


def test_estimates_have_as_many_digits_as_their_interval_bears() -> None:
    assert str(Estimate(1.23456, 1.2, 1.27, 100)) == "1.235 (1.200 to 1.270)"
    assert str(Estimate(0.5, None, None, 1)) == "0.50"
    assert Estimate(None, None, None, 0).texts == ("-", "-", "-")
    assert [decimals(half) for half in (None, 0.0, 30.0, 3.0, 0.3, 0.03, 1e-9)] == [2, 2, 0, 1, 2, 3, 6]


def test_a_test_from_python_is_that_of_the_command_line() -> None:
    found = document("test", "ace-early", "--rounds", 1000, "--seed", 5, "--threads", 1)["claims"][0]
    assert found["verdict"] == outcome().verdict.name
    assert found["sentence"] == outcome().sentence == outcome().sentences["ace-early"]
    assert len(found["results"]) == len(outcome().frame)
    assert outcome().sentence in words(parsed(outcome()))


def test_own_advice_can_be_tested_as_it_is() -> None:
    piece = bs.Advice("low-first", "Lay low.", follow={"rank": (1, 5)}, against={"rank": (6, 10)})
    found = analyses.test(piece, rounds=1000, variant="egyptian", threads=1)
    assert set(found.frame["variant"]) == {"egyptian"}
    assert found.verdict.name in found.sentence or len(found.sentence) > 20
    with pytest.raises(InputError, match="called 'low-first'"):
        analyses.test(piece, piece)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (analyses.test, "no claim is given"),
        (lambda: analyses.test("jack-holt"), "did you mean jack-hold"),
        (lambda: analyses.test("jack-hold", rounds=10), "rounds = 10 is not possible"),
        (lambda: analyses.test("jack-hold", precision=-1.0), "above 0"),
        (lambda: analyses.test("jack-hold", precision=1.0, until_decided=True), "give one of them"),
        (lambda: analyses.test("jack-hold", players=5), "players = 5"),
        (lambda: analyses.test("jack-hold", opponent="nobody"), "nobody"),
        (lambda: analyses.compare("bastra", players=5), "players = 5"),
        (lambda: analyses.compare("bastra", deals=3), "deals = 3 is not possible"),
        (lambda: analyses.compare("bastara"), "did you mean bastra"),
        (lambda: analyses.ladder(policies=["greedy"]), "it takes two players"),
        (lambda: compared().measure("skil"), "did you mean skill"),
        (lambda: compared().measure("skill"), "was not measured"),
        (lambda: testing.Tested([], Effort(1000), pd.DataFrame()).verdict, "0 claims were tested"),
        (lambda: analyses.nothing, "no attribute 'nothing'"),
    ],
)
def test_what_is_impossible_is_refused(ask: Any, message: str) -> None:
    with pytest.raises((InputError, AttributeError), match=re.escape(message)):
        ask()
