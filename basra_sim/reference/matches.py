"""Records of matches played again: whether each round follows from the one before."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from basra_sim.records import Record, RecordError, check_record, placed
from basra_sim.reference.replay import ContradictionError, Replay, points_in_words, replay_checked
from basra_sim.reference.standing import target_at


def replay_all(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Replay]:
    """
    Play records again, one after the other, and check what passes between rounds of one match.

    Rounds of a match stand one after the other. The first record may be a later round of its match; a match after it
    begins with round 0, and must be over before another begins. The last one may be cut off.

    Parameters
    ----------
    records
        Line numbers and records, as `basra_sim.records.read_records` gives them; for a list: ``enumerate(list, 1)``.

    Raises
    ------
    RecordError
        As for `replay`, with the line in front.
    """
    before: Replay | None = None
    for line, record in records:
        place = f"line {line}"
        with placed(place):
            checked = check_record(record)
            before = replay_checked(checked, _round_before(checked, before), place)
        yield before


def replay_match(records: Iterable[Mapping[str, Any]]) -> list[Replay]:
    """
    Play all rounds of one match again, from its first to its last.

    Raises
    ------
    RecordError
        As for `replay_all`, with the place in the sequence as the line, and if it is not one whole match.
    """
    replays: list[Replay] = []
    for each in replay_all(enumerate(records, 1)):
        with placed(each.place):
            if "match" not in each.record:
                raise RecordError("match is missing: this is no round of a match")
            if not replays and each.record["round"] != 0:
                raise ContradictionError(f"the match begins with round {each.record['round']}, its round 0 is missing")
            if replays and each.record["round"] == 0:
                raise ContradictionError("a second match begins here")
        replays.append(each)
    if not replays:
        raise RecordError("a match has at least one round, this one has none")
    if not _is_over(replays[-1]):
        raise ContradictionError(f"{replays[-1].place}: {_not_over(replays[-1])}, and this is its last round")
    return replays


def _round_before(record: Record, last: Replay | None) -> Replay | None:
    """The record before this one, if both are rounds of one match; refuses what cannot follow it."""
    if last is None:
        return None
    number, running = record.get("match"), last.record.get("match")
    if running is not None and not _is_over(last):
        if number == running:
            return last
        if last.verdict is not None:
            raise ContradictionError(f"{_not_over(last)}, yet something else follows")
    if number is not None and "round" in record and record["round"] != 0:
        if number == running:
            raise ContradictionError(f"match {running} was over with round {last.record['round']}, nothing can follow")
        raise ContradictionError(f"match {number} begins with round {record['round']}, its round 0 is missing")
    return None


def _is_over(last: Replay) -> bool:
    """Whether the match of a round is known to be over after it."""
    return last.verdict is not None and last.verdict.over


def _not_over(last: Replay) -> str:
    """Words for a match that goes on after a round."""
    stands = ""
    if last.score_after is not None:
        stands = f" ({points_in_words(last.score_after)}, target {target_at(last.setting.rules, last.score_after)})"
    return f"match {last.record['match']} is not over after round {last.record['round']}{stands}"
