"""Rounds and matches one by one: as DataFrames, or written to a file while they are played."""

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from basra_sim import kernel, turns
from basra_sim.errors import BasraError
from basra_sim.executors import JOIN, Arrays, Progress, chunks
from basra_sim.files import output_file, written_aside
from basra_sim.plans import Plan, Played, check_number, check_units, plan_units

MOST_IN_MEMORY = {"rounds": 20_000_000, "matches": 2_000_000}
"""Units that are returned one by one at most; more can be written to a file."""

ROWS_A_GROUP = 1 << 19
"""Rows of Parquet that are written at once: of each such group something is kept until the file is complete."""

FORMATS = (".csv", ".parquet")
"""Endings of the files that rounds can be written to."""

_CHUNKS_A_PIECE = 8
"""Chunks of a piece: every round is in it, so it is large."""


def round_rows(plan: Plan, played: Played) -> pd.DataFrame:
    """
    Rounds of a chunk, a row for each round and team.

    Returns
    -------
    DataFrame
        index (of the deal), match and round (of matches only), team, policy, first (whether the team moved first),
        cards, points by source (aces, jacks, two, ten, majority, basras), basra_count, total, won (whether it alone has
        the most points), winner (team, -1 for a tie), carry_in, carry_out; of matches also score_before.
    """
    table = plan.setting
    teams = table.team_count
    rows = played.rows[:, :teams].astype(np.int64)
    totals = rows[:, :, turns.ACES : turns.BASRAS + 1].sum(axis=2)
    best = totals.max(axis=1, keepdims=True)
    winner = np.where((totals == best).sum(axis=1) == 1, totals.argmax(axis=1), -1)
    facts = {name: np.repeat(played.facts[:, k], teams) for k, name in enumerate(kernel.FACTS)}
    team = np.tile(np.arange(teams), len(rows))
    names = [plan.policies[plan.seatings[0][table.teams.index(each)]].name for each in range(teams)]
    columns: dict[str, Any] = {"index": facts["index"]}
    if plan.matches:
        columns |= {"match": facts["match"], "round": facts["round"]}
    columns |= {"team": team, "policy": np.array(names, object)[team], "first": facts["first"] % teams == team}
    columns |= {name: rows[:, :, k].ravel() for k, name in enumerate(turns.COLUMNS)}
    columns |= {"total": totals.ravel(), "won": np.repeat(winner, teams) == team, "winner": np.repeat(winner, teams)}
    columns |= {"carry_in": facts["carry_in"], "carry_out": facts["carry_out"]}
    frame = pd.DataFrame(columns)
    if plan.matches:
        frame["score_before"] = frame.groupby(["match", "team"])["total"].cumsum() - frame["total"]
    return frame


def match_rows(plan: Plan, played: Played) -> pd.DataFrame:
    """
    Matches of a chunk, a row for each match and team.

    Returns
    -------
    DataFrame
        match, team, policy, rounds, score, margin (over the best other team), won, winner (team, -1 for a draw).
    """
    teams = plan.setting.team_count
    scores = played.results[:, kernel.FIRST_SCORE : kernel.FIRST_SCORE + teams]
    others = np.stack([np.delete(scores, team, axis=1).max(axis=1) for team in range(teams)], axis=1)
    winner = np.repeat(played.results[:, kernel.WINNER], teams)
    team = np.tile(np.arange(teams), len(scores))
    names = [plan.policies[plan.seatings[0][plan.setting.teams.index(each)]].name for each in range(teams)]
    return pd.DataFrame(
        {
            "match": np.repeat(np.arange(played.first, played.first + played.units), teams),
            "team": team,
            "policy": np.array(names, object)[team],
            "rounds": np.repeat(played.results[:, kernel.MATCH_ROUNDS], teams),
            "score": scores.ravel(),
            "margin": (scores - others).ravel(),
            "won": winner == team,
            "winner": winner,
        }
    )


def rounds(
    variant: str = "bastra",
    *,
    rounds: int | None = None,
    matches: int | None = None,
    threads: int | None = None,
    **table: Any,
) -> pd.DataFrame:
    """
    Play rounds, or whole matches, and return every round: see `round_rows`; arguments as for `simulation.simulate`.

    Memory grows with the number of rounds: by some 250 bytes for each round and team. `write_rounds` writes any number
    of them to a file.
    """
    plan, units = plan_units(variant, rounds, matches, **table)
    unit = "matches" if plan.matches else "rounds"
    check_number(unit, units, 1, MOST_IN_MEMORY[unit])
    frames: list[pd.DataFrame] = list(plan.each(lambda played: round_rows(plan, played), units, threads=threads))
    return pd.concat(frames, ignore_index=True)


def matches(variant: str = "bastra", *, matches: int, threads: int | None = None, **table: Any) -> pd.DataFrame:
    """Play whole matches and return every one: see `match_rows`; arguments as for `simulation.simulate`."""
    plan, units = plan_units(variant, None, matches, **table)
    check_number("matches", units, 1, MOST_IN_MEMORY["matches"])
    frames: list[pd.DataFrame] = list(plan.each(lambda played: match_rows(plan, played), units, threads=threads))
    return pd.concat(frames, ignore_index=True)


def write_rounds(
    plan: Plan,
    units: int,
    path: str | os.PathLike[str],
    *,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> int:
    """
    Play units of a plan, from a number on, and write every round to a CSV or Parquet file; return the number of rows.

    Memory does not grow with the number of rounds. The file appears when it is complete: until then it is written
    under another name beside it, and removed if anything goes wrong.

    Raises
    ------
    InputError
        If the path, the number of units or that of the first is impossible.
    BasraError
        If the file cannot be written.
    """
    file = output_file(path, FORMATS)
    check_units(plan, units, first)
    parts = plan.map(
        _raw, (JOIN, JOIN, JOIN), units, first=first, threads=threads, most_chunks=_CHUNKS_A_PIECE, progress=progress
    )
    frames = (round_rows(plan, played) for part in parts for played in _chunks(plan, *part))
    write = _write_csv if file.suffix.lower() == ".csv" else _write_parquet
    try:
        with written_aside(file) as beside:
            count = write(frames, beside)
    except OSError as error:
        raise BasraError(f"{file} cannot be written: {error.strerror or error}") from error
    return count


def _raw(played: Played) -> Arrays:
    """What rows are made of."""
    return played.rows, played.facts, played.results


def _chunks(
    plan: Plan, rows: npt.NDArray[np.int32], facts: npt.NDArray[np.int64], results: npt.NDArray[np.int64]
) -> Iterator[Played]:
    """Rounds, as they were played, from what was kept of them, chunk by chunk: a file is the same in whatever cut."""
    numbers, size = facts[:, kernel.MATCH], plan.chunk()
    first, last = int(numbers[0]), int(numbers[-1])
    for start, count in chunks(first, last + 1 - first, size):
        low, high = np.searchsorted(numbers, (start, start + count))
        ended = results[start - first : start - first + count]
        yield Played(start, count, rows[low:high], facts[low:high], ended, np.zeros((high - low, 0, 3), np.int64))


def _write_csv(frames: Iterator[pd.DataFrame], path: Path) -> int:
    """Write frames behind one another as CSV; return the number of rows."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        for frame in frames:
            frame.to_csv(out, index=False, header=count == 0, lineterminator="\n")
            count += len(frame)
    return count


def _write_parquet(frames: Iterator[pd.DataFrame], path: Path) -> int:
    """Write frames behind one another as Parquet; return the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, writer, waiting = 0, None, 0
    parts: list[Any] = []
    try:
        for frame in chain(frames, [None]):
            if frame is not None:
                parts.append(pa.Table.from_pandas(frame, preserve_index=False))
                count, waiting = count + len(frame), waiting + len(frame)
            if waiting and (frame is None or waiting >= ROWS_A_GROUP):
                writer = writer or pq.ParquetWriter(path, parts[0].schema)
                writer.write_table(pa.concat_tables(parts))
                parts, waiting = [], 0
    finally:
        if writer:
            writer.close()
    return count
