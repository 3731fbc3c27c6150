"""The command ladder: what it prints and writes, and what it refuses."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from basra_sim.cli import main
from basra_sim.policies import policy_names
from reports.ladder_command import ladder
from reports.strength import LOWER_BOUND
from tests.commands import command, document, flat, output, refusal
from tests.pages import Page, numbers

QUICK = ("--policy", "random", "--policy", "counter", "--policy", "greedy", "--deals", 200, "--seed", 3)

OWN = '''
from basra_sim import bit_count, policy


@policy
def gatherer(view, play):
    """Takes as many cards as it can."""
    return float(bit_count(play.taken))
'''


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The command stands in the group, whatever is installed, and writes into a folder of its own."""
    monkeypatch.setitem(main.commands, "ladder", ladder)
    monkeypatch.chdir(tmp_path)


def test_ratings_and_margins_are_told_the_best_first() -> None:
    text, told = output("ladder", *QUICK), document("ladder", *QUICK)
    assert flat(text).startswith(
        "bastra, 2 players, 200 deals, the same in all pairings, with the seats exchanged; seed 3"
    )
    ratings = {(row["policy"], row["measure"]): row for row in told["ratings"]}
    lines = [line.split() for line in text.splitlines()]
    order = [line[0] for line in lines if line[:1] and line[0] in policy_names()][:3]
    assert order == ["counter", "greedy", "random"]
    for line in lines:
        if len(line) == 7 and line[0] in order and line[1] not in order:
            for shown, (measure, key) in zip(
                line[1:], [(m, k) for m in ("rating", "elo") for k in ("estimate", "low", "high")], strict=True
            ):
                assert float(shown) == pytest.approx(
                    ratings[line[0], measure][key], abs=0.51 * 10 ** -len(shown.partition(".")[2])
                )
    margins = {(row["policy"], row["opponent"], row["measure"]): row for row in told["margins"]}
    (found,) = (line for line in lines if line[:2] == ["greedy", "random"])
    assert float(found[2]) == pytest.approx(margins["greedy", "random", "margin"]["estimate"], abs=0.051)
    assert float(found[5]) == pytest.approx(100 * margins["greedy", "random", "won"]["estimate"], abs=0.51)
    assert found[6] == "200"
    assert "cheater" not in text


def test_who_sees_all_is_no_fair_player() -> None:
    text = output("ladder", "--policy", "greedy", "--policy", "cheater", "--deals", 20, "--searched", 10)
    assert "20 deals" not in text  # there is no pairing without one who searches
    assert "cheater sees all cards and is no fair player" in flat(text)


def test_what_can_be_taken() -> None:
    options = ("--policy", "greedy", "--policy", "random", "--deals", 100, "--searched", 6, "--exploit")
    text, told = output("ladder", *options), document("ladder", *options)
    assert flat(LOWER_BOUND) in flat(text)
    lines = {line.split()[0]: line.split() for line in text.partition("\nfrom ")[2].splitlines()[2:4]}
    found = {row["policy"]: row for row in told["exploitability"] if row["measure"] == "exploitability"}
    assert set(lines) == set(found) == {"greedy", "random"}
    for name, row in found.items():
        assert float(lines[name][1]) == pytest.approx(row["estimate"], abs=0.51)


def test_pairs_and_three() -> None:
    assert output("ladder", "egyptian", "--pairs", *QUICK).startswith("egyptian, pairs, 200 deals")
    text = output("ladder", "--players", 3, *QUICK)
    assert sum(line.startswith(("greedy  ", "counter  ", "random  ")) for line in text.splitlines()) == 3 + 6


def test_a_picture_and_a_page() -> None:
    Path("mine.py").write_text(OWN, encoding="utf-8")
    mine = ("ladder", "palestinian", "--policy", "mine.py", *QUICK)
    assert output(*mine, "--output", "l.svg") == output(*mine, "--output", "l.html")
    picture = Path("l.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    for part in ("gatherer", "counter", "rating (points a round)"):
        assert f">{part}</text>" in picture
    text = Path("l.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not page.loads
    assert list(page.tables) == ["table-ratings", "table-margins"]
    assert not any(page.files.values())
    assert next(names["policy"] for names, key, _ in numbers(page, "ratings") if key == "rating") == "counter"
    again = re.search(r"<code>basra-sim (.*?)</code>", text)
    assert again
    assert again[1] == (
        "ladder palestinian --players 2 --policy mine.py --policy random --policy counter --policy greedy --deals 200 "
        "--searched 1000 --seed 3"
    )
    assert output(*again[1].split()) == output(*mine)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--policy", "greedy"), "a ladder of greedy is not possible: it takes two players"),
        (("--policy", "greedy", "--policy", "greedy"), "greedy is given twice: give each player once"),
        (("--deals", 0), "deals = 0 is not possible"),
        (("--searched", 0), "searched = 0 is not possible"),
        (("--output", "l.png"), "l.png: the ending says the format: it must be .svg or .html"),
        (("--output", "nowhere/l.svg"), "nowhere/l.svg: the folder nowhere does not exist"),
        (("bastr",), 'there is no variant "bastr"'),
        (("--players", 3, "--pairs"), "pairs"),
    ],
)
def test_refused(options: tuple[object, ...], message: str) -> None:
    assert message in refusal("ladder", *options)


def test_help_names_the_defaults() -> None:
    text = flat(command("ladder", "--help").stdout)
    assert "[default: 20k]" in text
    assert "[default: 1000]" in text
