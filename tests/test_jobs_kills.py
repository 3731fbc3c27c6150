"""Some of the kills of `tests.kills`."""

from pathlib import Path

import pytest

from tests.kills import kill_all


@pytest.mark.slow
def test_commands_that_are_killed_come_to_the_very_same_end(tmp_path: Path) -> None:
    tallies = kill_all(9, 1, ("rounds", "duel", "frame"), tmp_path)
    assert sum(each.kills.total() for each in tallies.values()) >= 9
    assert not any(each.failures for each in tallies.values())
