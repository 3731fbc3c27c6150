"""The one written form for a player: policy, memory, advice and its form, files; and what is none."""

import random
from pathlib import Path

import pytest

from basra_sim.errors import InputError
from basra_sim.plans import plan
from basra_sim.policies import ADVICE, FORMS, find_advice, get_policy, policy_names
from basra_sim.variants import setting
from tests.scoring import logged, table_plan

MINE = """
from basra_sim import advice, policy

@policy
def bold(view, play):
    return play.points + play.basra

@policy(name="Meek One")
def meek(view, play):
    return -play.points

@advice
def my_advice(view, play):
    "Lay no hearts."
    return -1 if play.card % 4 == 2 else 1

@advice(name="called-otherwise", text="Lay no spades.")
def other(view, play):
    return -1 if play.card % 4 == 3 else 1
"""

ONE = """
from basra_sim import advice

@advice
def only(view, play):
    return 1 if play.taken else -1
"""


DATA = """
from basra_sim.policies import Advice, Policy

bold = Policy("bold", "", {"basra": 1.0})
"""

PIECE = """
from basra_sim.policies import Advice

my_advice = Advice("my-advice", "", {}, {"is_jack": (1, 1)}, {"is_jack": (0, 0)})
"""


TOML = """
name = "no-jacks"
follow.is_jack = 0
against.is_jack = 1
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    (folder / "one.py").write_text(ONE, encoding="utf-8")
    (folder / "a+b.toml").write_text(TOML, encoding="utf-8")
    return folder


def described(spec: str) -> tuple[str, str, list[tuple[str, str]]]:
    found = get_policy(spec)
    return found.name, found.memory.degree, [(each.advice.name, each.form.name) for each in found.advice]


@pytest.mark.parametrize(
    ("spec", "degree", "pieces"),
    [
        ("counter", "all", []),
        ("counter+jack-hold", "all", [("jack-hold", "literal")]),
        ("greedy-memory:8", "8", []),
        ("counter-memory:all", "all", []),
        (
            "counter-memory:ranks+avoid-ten:reversed+placebo:tie-break",
            "ranks",
            [("avoid-ten", "reversed"), ("placebo", "tie-break")],
        ),
        ("random+points-late+points-late", "all", [("points-late", "literal")] * 2),
    ],
)
def test_written_and_read(spec, degree, pieces):
    assert described(spec) == (spec, degree, pieces)


def test_every_built_in_player_is_called_what_it_is_written():
    draw = random.Random(1)
    for _ in range(300):
        spec = draw.choice(policy_names())
        if spec == "expert" and draw.random() < 0.5:
            spec += "-rollouts:" + draw.choice(("64", "1000"))
        if draw.random() < 0.5 and not get_policy(spec).search:
            spec += "-memory:" + draw.choice(("all", "none", "points", "ranks", "1", "17", "52"))
        for name in draw.sample(list(ADVICE), draw.randrange(4)):
            spec += f"+{name}" + draw.choice(("", "", ":reversed", ":tie-break"))
        found = get_policy(spec)
        assert found.name == spec
        assert get_policy(found) is found
        again = get_policy(found.name)
        assert (again.memory, again.weights, again.kind) == (found.memory, found.weights, found.kind)
        assert again.search == found.search
        assert [each.name for each in again.advice] == [each.name for each in found.advice]


def test_literal_need_not_be_written():
    assert described("greedy+jack-hold:literal") == described("greedy+jack-hold")


def test_the_written_form_and_the_built_one_are_one():
    table = setting("bastra")
    written = get_policy("counter-memory:8+jack-hold+avoid-ten:reversed")
    for built in (
        get_policy("counter").remembering("8").following("jack-hold").following("avoid-ten", "reversed"),
        get_policy("counter").following("jack-hold").following(ADVICE["avoid-ten"], FORMS[2]).remembering("8"),
    ):
        assert (built.name, built.memory, built.weights) == (written.name, written.memory, written.weights)
        for index in range(5):
            games = [logged(table_plan(table, [each], [0, 0]), index) for each in (built, written)]
            assert games[0] == games[1]


@pytest.mark.parametrize(
    ("spec", "name", "degree", "pieces"),
    [
        ("{0}/mine.py:bold", "bold", "all", []),
        (
            "{0}/mine.py:bold+{0}/mine.py:my_advice:reversed",
            "bold+my-advice:reversed",
            "all",
            [("my-advice", "reversed")],
        ),
        ("counter+{0}/a+b.toml", "counter+no-jacks", "all", [("no-jacks", "literal")]),
        (
            "counter+{0}/a+b.toml:reversed+jack-two",
            "counter+no-jacks:reversed+jack-two",
            "all",
            [("no-jacks", "reversed"), ("jack-two", "literal")],
        ),
        ("{0}/mine.py:meek-memory:3", "Meek One-memory:3", "3", []),
        ("counter+{0}/one.py", "counter+only", "all", [("only", "literal")]),
        ("counter+{0}/one.py:tie-break", "counter+only:tie-break", "all", [("only", "tie-break")]),
        ("counter+{0}/one.py:only:tie-break", "counter+only:tie-break", "all", [("only", "tie-break")]),
        (
            "random-memory:none+{0}/mine.py:other+jack-two+{0}/one.py",
            "random-memory:none+called-otherwise+jack-two+only",
            "none",
            [("called-otherwise", "literal"), ("jack-two", "literal"), ("only", "literal")],
        ),
    ],
)
def test_from_files(mine, spec, name, degree, pieces):
    assert described(spec.format(mine)) == (name, degree, pieces)


@pytest.mark.parametrize("folder", ["a+b", "a+b/c+d", "c++", "+", "counter+jack-hold", "x.py-files", "a+b.py+c"])
@pytest.mark.parametrize("relative", [False, True])
def test_plus_signs_in_paths(tmp_path, monkeypatch, folder, relative):
    path = tmp_path / folder
    path.mkdir(parents=True)
    (path / "mine+1.py").write_text(DATA + PIECE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    where = f"{folder}/mine+1.py" if relative else f"{path}/mine+1.py"
    assert described(f"{where}:bold")[0] == "bold"
    spec = f"{where}:bold+{where}:my_advice:reversed+jack-hold"
    assert described(spec) == (
        "bold+my-advice:reversed+jack-hold",
        "all",
        [("my-advice", "reversed"), ("jack-hold", "literal")],
    )
    assert described(f"greedy-memory:4+{where}:my_advice")[:2] == ("greedy-memory:4+my-advice", "4")


@pytest.mark.parametrize(
    "spec", ["mine.py:bold+one.py", "./mine.py:bold+./one.py", "../mine/mine.py:bold+../mine/one.py"]
)
def test_files_beside(tmp_path, monkeypatch, spec):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.py").write_text(DATA, encoding="utf-8")
    (folder / "one.py").write_text(PIECE, encoding="utf-8")
    monkeypatch.chdir(folder)
    assert described(spec) == ("bold+my-advice", "all", [("my-advice", "literal")])


def test_a_name_means_the_file_that_lies_there_now(tmp_path, monkeypatch):
    for name, weight in (("here", 1.0), ("there", 2.0)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(DATA.replace("1.0", str(weight)), encoding="utf-8")
    weights = []
    for name in ("here", "there", "here"):
        monkeypatch.chdir(tmp_path / name)
        weights.append(dict(get_policy("mine.py:bold").weights or {}))
    Path("mine.py").write_text(DATA.replace("1.0", "3.0"), encoding="utf-8")
    weights.append(dict(get_policy("mine.py:bold").weights or {}))
    assert weights == [{"basra": weight} for weight in (1.0, 2.0, 1.0, 3.0)]


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("countr+jack-hold", "no policy is called 'countr' (did you mean counter?)"),
        ("counter+jack-hld", "no advice is called 'jack-hld' (did you mean jack-hold?)"),
        ("counter+jack_hold", "no advice is called 'jack_hold' (did you mean jack-hold?)"),
        (
            "counter+jack-hold:revrsed",
            "no form of advice is called 'revrsed' (did you mean reversed?); there are literal",
        ),
        ("counter+jack-hold:", "no form of advice is called ''; there are literal, tie-break, reversed"),
        ("counter+jack-hold:literal:reversed", "no advice is called 'jack-hold:literal' (did you mean jack-hold?)"),
        ("counter+", "no advice is called ''"),
        ("counter++jack-hold", "no advice is called ''"),
        ("+jack-hold", "no policy is called ''"),
        ("+", "no policy is called ''"),
        ("", "no policy is called ''"),
        ("jack-hold", "no policy is called 'jack-hold'"),
        ("counter+greedy", "no advice is called 'greedy'"),
        ("counter+:reversed", "no advice is called ':reversed'"),
        ("counter + jack-hold", "no policy is called 'counter '"),
        ("counter-memory", "no policy is called 'counter-memory'"),
        ("counter-memory:", "memory '' is not possible: it takes all, none, points, ranks, or how many"),
        ("counter-memory:0", "memory '0' is not possible"),
        ("counter-memory:53", "memory '53' is not possible"),
        ("counter-memory:rank", "memory 'rank' is not possible"),
        ("counter-memory:٨", "memory '٨' is not possible"),
        ("counter-memory:８+jack-hold", "memory '８' is not possible"),
        ("counter-memory:8-memory:9", "no policy is called 'counter-memory:8'"),
        ("-memory:8", "no policy is called ''"),
        ("counter+jack-hold-memory:8", "no advice is called 'jack-hold-memory:8'"),
        ("no/such.py:x", "no/such.py: there is no such file"),
        ("counter+no/such.py:x", "no/such.py: there is no such file"),
        ("counter+no/such.py:x:reversed", "no/such.py: there is no such file"),
        ("counter+{0}/mine.py", "{0}/mine.py defines 2 pieces of advice (my_advice, other): name one, as in"),
        ("counter+{0}/mine.py:bold", "{0}/mine.py has no advice called 'bold': it defines my_advice, other"),
        ("{0}/mine.py:my_advice", "{0}/mine.py has no policy called 'my_advice': it defines bold, meek"),
        ("{0}/one.py", "{0}/one.py defines no policy: put @policy"),
        ("counter+{0}/mine.py:my_advice:backwards", "no form of advice is called 'backwards'"),
        ("counter+{0}/a+b.toml:reversd", "no form of advice is called 'reversd' (did you mean reversed?)"),
        ("counter+{0}/c+d.toml:reversed", "no advice is called '{0}/c'"),
        ("counter+{0}/d.toml", "{0}/d.toml: there is no such file"),
        ("counter+{0}/one.py:reversd", "{0}/one.py has no advice called 'reversd': it defines only"),
        ("{0}/mine.py:bold-memory:x", "memory 'x' is not possible"),
        ("{0}/mine.py:bold:reversed", "'{0}/mine.py:bold:reversed' is no policy: write FILE.py, or FILE.py:NAME"),
    ],
)
def test_what_is_no_player(mine, spec, wrong):
    with pytest.raises(InputError) as error:
        get_policy(spec.format(mine))
    assert str(error.value).startswith(wrong.format(mine))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
    assert error.value.exit_code == 2
    with pytest.raises(InputError):
        plan("bastra", policies=[spec.format(mine), "greedy"])


def test_advice_that_does_not_compile_is_called_advice(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "from basra_sim import advice\n@advice\ndef bad_one(view, play):\n    return play.kard\n", encoding="utf-8"
    )
    with pytest.raises(InputError) as error:
        get_policy(f"greedy+{path}")
    assert str(error.value).startswith("advice bad-one does not compile: ")


def test_find_advice(mine):
    assert find_advice("jack-hold") is ADVICE["jack-hold"]
    assert find_advice(f"{mine}/one.py").name == "only"
    assert find_advice(f"{mine}/mine.py:my_advice").text == "Lay no hearts."
    assert find_advice(f"{mine}/mine.py:other").text == "Lay no spades."


def test_all_advice_has_words_and_forms_have_names():
    assert [form.name for form in FORMS] == ["literal", "tie-break", "reversed"]
    for name, piece in ADVICE.items():
        assert name == piece.name
        assert piece.text.strip() == piece.text
        assert piece.text[0].isupper()
        assert piece.text.endswith(".")
        assert ":" not in name
        assert "+" not in name


def plays(policy: str, rounds: int = 200, seed: int = 3) -> list[list[tuple[int, int]]]:
    """Cards played and taken in some rounds."""
    (played,) = plan("egyptian", policies=policy, seed=seed).play(0, rounds, logged=True)
    return [[(int(card), int(taken)) for card, taken, _ in log] for log in played.logs]


def test_no_noise_is_the_player_and_all_noise_is_chance() -> None:
    assert get_policy("counter-noise:0").noise == 0
    assert plays("counter-noise:0") == plays("counter")
    assert plays("counter-memory:4-noise:1") == plays("random") != plays("counter")


def test_so_many_plays_are_any_as_the_noise_says() -> None:
    # The greedy player slips at the first play of a round with the stated chance, and then plays one card of four as
    # likely as another: often the very card that he would have played.
    rounds, noise = 20_000, 0.3
    other = [a[0] != b[0] for a, b in zip(plays("greedy", rounds), plays(f"greedy-noise:{noise}", rounds), strict=True)]
    by_chance = [a[0] != b[0] for a, b in zip(plays("greedy", rounds), plays("random", rounds), strict=True)]
    share, expected = sum(other) / rounds, noise * sum(by_chance) / rounds
    assert abs(share - expected) < 4 * (expected * (1 - expected) / rounds) ** 0.5


def test_noise_is_written_behind_the_memory_and_before_advice() -> None:
    player = get_policy("counter-memory:8-noise:0.25+jack-hold:reversed")
    assert (player.memory.degree, player.noise, len(player.advice)) == ("8", 0.25, 1)
    assert player.name == "counter-memory:8-noise:0.25+jack-hold:reversed"
    assert get_policy("counter").slipping(0.5).name == "counter-noise:0.5"


@pytest.mark.parametrize("text", ["1.5", "-0.1", "nan", "much", ""])
def test_a_noise_that_is_no_chance_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="it takes a chance from 0 to 1"):
        get_policy(f"greedy-noise:{text}")
