"""Ctrl-C in commands that have parts: those that are finished are told of as if they alone had been asked for."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from basra_sim.cli.ending import Cut, finished_parts
from basra_sim.cli.progress import Progress
from tests.commands import command, document, flat

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.fixture(autouse=True)
def sensitive() -> Iterator[None]:
    """Whoever runs the tests may have told this process to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


Stop = Callable[[int], None]
"""Has a signal come in the job of a number, from 0."""


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Way to have a signal come at the beginning of a job."""

    def at(number: int, sent: signal.Signals = signal.SIGINT) -> None:
        begun = 0

        def watch(jobs: object, progress: Progress) -> Any:
            def begin(job: object) -> Progress:
                nonlocal begun
                begun += 1
                if begun == number + 1:
                    signal.raise_signal(sent)
                return progress

            return begin

        monkeypatch.setattr("analyses.claims.cli.watch", watch)

    return at


def stopped(*args: object, said: str = "Interrupted", code: int = 130) -> str:
    """What an interrupted command prints."""
    done = command(*args)
    assert (done.exit_code, done.stderr) == (code, f"{said}\n"), done.output
    if "--json" not in args and args[0] != "report":
        assert max(map(len, done.stdout.splitlines()), default=0) <= 80
    return done.stdout


CLAIMS = ("points-late", "jack-last-deal")
TESTED = ("--rounds", 1000, "--seed", 5)


def test_the_first_claim_counts_no_frequencies() -> None:
    """Those are counted last, for all claims together."""
    from analyses.claims.registry import claim

    assert "F" not in claim(CLAIMS[0]).kinds


def job_count(name: str) -> int:
    """Number of jobs that test a claim at its own tables."""
    from analyses.claims.registry import claim
    from analyses.claims.testing import batches
    from analyses.jobs import Effort

    the = claim(name)
    return len(batches([the.at(the.table)], Effort(1000)))


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_claims_that_are_finished(stop: Any, sent: signal.Signals) -> None:
    """Verdicts, outcomes and corrections are those of a test of the finished claims alone."""
    alone = document("test", CLAIMS[0], *TESTED)
    stop(job_count(CLAIMS[0]) + 1, sent)
    said = {signal.SIGINT: "Interrupted", signal.SIGTERM: "Terminated"}[sent]
    found = json.loads(stopped("test", *CLAIMS, *TESTED, "--json", said=said, code=CODES[sent]))
    assert found.pop("missing") == [CLAIMS[1]]
    assert alone.pop("missing") == []
    assert found == alone


def test_claims_that_are_finished_in_words(stop: Any) -> None:
    stop(job_count(CLAIMS[0]))
    text = flat(stopped("test", *CLAIMS, *TESTED))
    assert text.startswith(f"{CLAIMS[0]}: ")
    assert text.endswith(
        f"Interrupted. Not finished: 1 claim of 2 ({CLAIMS[1]}). The verdicts above are right by themselves: they are "
        "corrected for the tests of the finished claims alone."
    )


@pytest.mark.parametrize(
    ("args", "missing"),
    [
        (("test", *CLAIMS, *TESTED), "2 claims of 2 (points-late, jack-last-deal)."),
        (("balance", "bastra", "egyptian", "--deals", 4096), "2 variants of 2 (bastra, egyptian)."),
        (("bundle", "jack-hold", "--rounds", 1000), "1 piece of 1 (all together)."),
        (("ladder", "--policy", "greedy", "--policy", "random"), "2 players of 2 (greedy, random)."),
    ],
)
def test_nothing_is_finished(stop: Any, args: tuple[object, ...], missing: str) -> None:
    stop(0)
    assert flat(stopped(*args)) == f"Interrupted. Not finished: {missing}"


@pytest.mark.parametrize("number", [0, 1, 20])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_no_claim_is_finished(stop: Any, sent: signal.Signals, number: int) -> None:
    """Whether no row is there yet, or some that are not enough to tell of the only claim."""
    assert number < job_count(CLAIMS[1])
    said = {signal.SIGINT: "Interrupted", signal.SIGTERM: "Terminated"}[sent]
    stop(number, sent)
    found = json.loads(stopped("test", CLAIMS[1], *TESTED, "--json", said=said, code=CODES[sent]))
    assert (found["claims"], found["missing"]) == ([], [CLAIMS[1]])
    stop(number, sent)
    text = flat(stopped("test", CLAIMS[1], *TESTED, "--details", said=said, code=CODES[sent]))
    assert text == f"Interrupted. Not finished: 1 claim of 1 ({CLAIMS[1]})."


def test_a_test_of_which_nothing_is_played() -> None:
    from analyses.claims.registry import claim
    from analyses.claims.testing import batches, tested
    from analyses.jobs import Effort, Work

    claims = [claim(name) for name in CLAIMS]
    found, missing = tested(claims, Effort(1000), Work(batches(claims, Effort(1000))))
    assert (found.verdicts, missing, len(found.judged)) == ({}, list(CLAIMS), 0)


def test_rows_of_nothing_have_the_columns_of_all_rows() -> None:
    from analyses.claims.model import MAIN
    from analyses.claims.registry import claim
    from analyses.claims.rows import COLUMNS, MARGIN, PRIMARY, row
    from basra_sim.stats import Estimate

    some = row(claim(CLAIMS[0]), "P", PRIMARY, MAIN, "greedy", MARGIN, Estimate(0.0, 0.0, 0.0, 2), seed=1)
    assert tuple(some) == COLUMNS


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize(
    "args",
    [
        ("bundle", "jack-hold", "faces-block", "--rounds", 1000),
        ("balance", "bastra", "--deals", 4096, "--decisions", 256, "--policy", "greedy"),
        ("ladder", "--policy", "greedy", "--policy", "random", "--policy", "counter", "--deals", 640, "--exploit"),
    ],
)
def test_little_is_finished_as_data(stop: Any, number: int, args: tuple[object, ...]) -> None:
    stop(number)
    json.loads(stopped(*args, "--json"))


BALANCE = ("--deals", 4096, "--decisions", 0, "--policy", "greedy", "--seed", 3)


def test_variants_that_are_finished(stop: Any) -> None:
    alone = document("balance", "bastra", *BALANCE)
    stop(3)
    found = json.loads(stopped("balance", "bastra", "egyptian", "yemeni", *BALANCE, "--json"))
    assert found.pop("missing") == ["egyptian", "yemeni"]
    assert found["rows"] == alone["rows"]


def test_variants_that_are_finished_in_words(stop: Any, tmp_path: Path) -> None:
    stop(3)
    text = stopped("balance", "bastra", "egyptian", *BALANCE)
    assert "bastra" in text.splitlines()[0]
    assert text.endswith("Interrupted. Not finished: 1 variant of 2 (egyptian).\n")
    stop(3)
    text = stopped("balance", "bastra", "egyptian", *BALANCE, "--output", tmp_path / "games.csv")
    assert "No file was written" in flat(text)
    assert list(tmp_path.iterdir()) == []


def test_players_that_are_finished(stop: Any, tmp_path: Any) -> None:
    """The third of four has played both before him when the fourth begins: a ladder of three."""
    players = [part for name in ("random", "greedy", "counter", "adept") for part in ("--policy", name)]
    more = ("--deals", 640, "--seed", 2)
    alone = document("ladder", *players[:6], *more)
    stop(4)
    file = tmp_path / "ladder.svg"
    found = json.loads(stopped("ladder", *players, *more, "--json", "--output", file))
    assert found.pop("missing") == ["adept"]
    assert alone.pop("missing") == []
    assert found == alone
    assert not file.exists()
    stop(4)
    text = flat(stopped("ladder", *players, *more))
    assert "Not finished: 1 player of 4 (adept). The ladder above is of the others" in text


def test_what_can_be_taken_from_some(stop: Any) -> None:
    players = ("--policy", "random", "--policy", "greedy", "--policy", "counter")
    more = ("--deals", 640, "--searched", 64, "--exploit")
    whole = document("ladder", *players, *more)
    stop(3 + 4)
    found = json.loads(stopped("ladder", *players, *more, "--json"))
    assert found.pop("missing") == ["counter"]
    assert found["ratings"] == whole["ratings"]
    taken = [row for row in whole["exploitability"] if row["policy"] != "counter"]
    assert found["exploitability"] == taken


def test_pieces_of_a_bundle_that_are_finished(stop: Any) -> None:
    args = ("bundle", "jack-hold", "faces-block", "--rounds", 1000)
    rows = document(*args)
    stop(2)
    found = json.loads(stopped(*args, "--json"))
    assert 0 < len(found) < len(rows)
    assert found == rows[: len(found)]
    stop(2)
    assert "Not finished: 1 piece of 3 (faces-block)." in flat(stopped(*args))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Way to have a signal come when progress is told of for a number of times."""

    def at(number: int) -> None:
        told = 0

        def tell(progress: Progress, done: int, total: int) -> None:
            nonlocal told
            told += 1
            if told == number:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(Progress, "__call__", tell)

    return at


SWEEP = ("sweep", "bastra", "--vary", "basra_points=5,20,15", "--deals", 4096)


def test_settings_that_are_finished(counted: Stop, tmp_path: Path) -> None:
    """They, and the variant's own rules to compare with, which are played first."""
    args = (*SWEEP, "--measure", "match_rounds")
    whole = document(*args)
    counted(2)
    found = json.loads(stopped(*args, "--json"))
    assert found.pop("missing") == ["2 of 4 settings"]
    assert found["rows"] == [row for row in whole["rows"] if row["basra_points"] == 5]
    counted(2)
    assert "settings. No file was written." in flat(stopped(*args, "--output", tmp_path / "a.csv"))
    assert list(tmp_path.iterdir()) == []
    counted(2)
    assert flat(stopped(*args)).endswith("Interrupted. Not finished: 2 of 4 settings.")


def test_measures_that_are_finished(counted: Stop) -> None:
    """Where one kind of play is through, its measures are told of all settings."""
    args = (*SWEEP, "--measure", "match_rounds", "--measure", "skill")
    whole = document(*args)
    counted(6)
    found = json.loads(stopped(*args, "--json"))
    assert found.pop("missing") == ["skill"]
    assert found["rows"] == [row for row in whole["rows"] if row["measure"] == "match_rounds"]


def test_a_sweep_of_which_nothing_is_played() -> None:
    from analyses.balance.sweeps import Run
    from analyses.balance.trials import Ground

    assert Run(Ground("bastra"), {"target": (50,)}, ["match_rounds"]).result() is None


def test_fits_that_are_finished(counted: Stop) -> None:
    more = ("--measure", "match_rounds", "--to", "4", "--vary", "target=40,60", "--deals", 4096)
    alone = document("fit", "bastra", *more)
    counted(2 + 1)
    found = json.loads(stopped("fit", "bastra", "egyptian", *more, "--json"))
    assert found.pop("missing") == ["egyptian"]
    assert found["fits"] == alone["fits"]


def test_an_error_is_no_interruption() -> None:
    with pytest.raises(ZeroDivisionError), finished_parts():
        raise ZeroDivisionError
    cut = Cut()
    assert not cut.short
    cut.end()


def report(place: Path, *options: object) -> str:
    """What an interrupted report prints."""
    return stopped("report", "--output", place, "--format", "json", "--rounds", 500, "--quiet", *options)


def test_a_report_keeps_what_is_finished(stop: Stop, tmp_path: Path) -> None:
    from analyses.claims.registry import claim
    from analyses.claims.testing import batches
    from analyses.jobs import Effort

    stop(len(batches([claim(CLAIMS[0])], Effort(500))))
    place = tmp_path / "report"
    printed = report(place, *(part for name in CLAIMS for part in ("--claim", name)))
    told = f"Interrupted: what was not played to its end is missing here, the advice ({CLAIMS[1]})."
    assert printed.splitlines()[0] == f"{place}/report.json"
    assert flat(printed).endswith(told)
    found = json.loads((place / "report.json").read_text(encoding="utf-8"))
    assert [each["claim"] for each in found["verdicts"]] == [CLAIMS[0]]
    assert found["chapters"][0]["text"][0]["text"] == told


def test_a_report_of_which_nothing_is_finished_is_not_written(stop: Stop, tmp_path: Path) -> None:
    stop(0)
    printed = report(tmp_path / "report", "--only", "players")
    assert printed == "Interrupted: nothing was played to its end.\n"
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_report_leaves_a_former_one_alone(stop: Stop, tmp_path: Path) -> None:
    from analyses.claims.registry import claim
    from analyses.claims.testing import batches
    from analyses.jobs import Effort
    from reports.folder import prepared, write

    place, beside = tmp_path / "report", tmp_path / "report-unfinished"
    with prepared(place) as folder:
        write([("report.json", "whole")], folder)
    stop(len(batches([claim(CLAIMS[0])], Effort(500))))
    printed = report(place, *(part for name in CLAIMS for part in ("--claim", name)))
    assert printed.startswith(f"{beside}/report.json\n")
    assert (place / "report.json").read_text(encoding="utf-8") == "whole"
    assert (beside / "report.json").is_file()
