"""What a report is about, as it is asked for."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from analyses.claims.model import Claim, Table
from analyses.claims.registry import CLAIMS, claim
from analyses.jobs import Effort
from basra_sim.errors import InputError
from basra_sim.variants import variant_names
from reports import cli, document, formats
from reports import scope as scopes
from reports.scope import ADVICE, GAMES, PARTS, PLAYERS, PRECISIONS, Scope, scope

EFFORT = Effort(1000)


def one(asked: Scope, name: str) -> Claim:
    """A claim of a scope."""
    return next(each for each in asked.claims if each.name == name)


def test_choices_of_the_command_are_those_there_are() -> None:
    assert cli.PARTS == PARTS
    assert cli.FORMATS == formats.FORMATS
    assert cli.PRECISIONS == tuple(PRECISIONS) == tuple(cli.TIMES)
    assert scopes.STANDARD in PRECISIONS


def test_a_report_is_about_everything() -> None:
    found = scope()
    assert (found.parts, found.games, found.claims) == (PARTS, variant_names(), CLAIMS)
    assert found.options == ""
    assert list(document.batches(EFFORT, found)) == [
        "the variants",
        "single rules",
        "the players",
        "those who know them",
        "the advice",
    ]


@pytest.mark.parametrize(
    ("part", "played"),
    [
        (ADVICE, ["the advice"]),
        (GAMES, ["the variants", "single rules"]),
        (PLAYERS, ["the players", "those who know them"]),
    ],
)
def test_one_part_alone(part: str, played: list[str]) -> None:
    found = scope([part])
    assert found.options == f" --only {part}"
    assert list(document.batches(EFFORT, found)) == played
    every = document.batches(EFFORT, scope())
    for name, jobs in document.batches(EFFORT, found).items():
        assert [job.label for job in jobs] == [job.label for job in every[name]]


def test_parts_keep_their_order() -> None:
    assert scope([PLAYERS, ADVICE]).parts == (ADVICE, PLAYERS)


def test_claims_alone_are_about_advice() -> None:
    found = scope(claims=["jack-hold", "low-empty", "jack-hold"])
    assert found.parts == (ADVICE,)
    assert [each.name for each in found.claims] == ["jack-hold", "low-empty"]
    assert found.options == " --claim jack-hold --claim low-empty"
    assert found.claims[0] == claim("jack-hold")


def test_advice_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "eights.toml"
    file.write_text('text = "Lay no eights."\nfollow = { rank = [1, 7] }\nagainst = { rank = 8 }\n')
    found = scope(claims=[str(file)])
    assert [each.advice for each in found.claims] == ["Lay no eights."]


def test_a_game_alone_is_where_everything_is_told() -> None:
    found = scope(variants=["egyptian", "yemeni"])
    assert found.games == ("egyptian", "yemeni")
    assert found.options == " --variant egyptian --variant yemeni"
    assert one(found, "jack-hold").tables == (Table("egyptian"),)
    assert (
        document.contests(EFFORT, found).table.rules
        == document.contests(EFFORT, scope(variants=["egyptian"])).table.rules
    )
    assert "single rules" not in document.batches(EFFORT, found)
    assert all(table.variant in found.games for each in found.claims for table in each.tables)
    assert set(found.left_out) == {each.name for each in CLAIMS} - {each.name for each in found.claims}
    assert found.left_out


def test_advice_is_judged_where_it_is_registered_for_a_game() -> None:
    found = scope(variants=["bastra"])
    assert one(found, "jack-hold").table == claim("jack-hold").table
    assert found.left_out == {}
    assert [each.kinds for each in found.claims] == [each.kinds for each in CLAIMS]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"variants": ["egyptain"]}, "egyptian"),
        ({"claims": ["jack-hld"]}, "jack-hold"),
        ({"only": [GAMES], "claims": ["jack-hold"]}, "add --only claims"),
        ({"variants": ["egyptian"], "claims": ["lead-fragile"]}, "nothing can be tested: lead-fragile"),
    ],
)
def test_what_cannot_be_told(asked: dict[str, list[str]], told: str) -> None:
    with pytest.raises(InputError, match=told):
        scope(**asked)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--precision", "quick", "--rounds", "1000"], "--precision and --rounds are both given"),
        (["--variant", "egyptain"], "did you mean egyptian?"),
        (["--claim", "jack-hld"], "did you mean jack-hold?"),
    ],
)
def test_impossible_wishes(tmp_path: Path, options: list[str], told: str) -> None:
    result = CliRunner().invoke(cli.report, ["--output", str(tmp_path / "new"), *options])
    assert isinstance(result.exception, InputError)
    assert told in str(result.exception)
    assert not list(tmp_path.iterdir())
