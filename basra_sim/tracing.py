"""Round records of what the kernel played."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from basra_sim import kernel, turns
from basra_sim.cards import card_name, card_names
from basra_sim.deals import DECK_ROOM, deck, open_round
from basra_sim.plans import MOST_UNITS, Plan, Played, check_number, plan_units
from basra_sim.rules import FLOOR_CARDS
from basra_sim.variants import Variant


def trace(
    variant: str | Variant = "bastra",
    *,
    rounds: int | None = None,
    matches: int | None = None,
    threads: int | None = None,
    **table: Any,
) -> Iterator[dict[str, Any]]:
    """
    Records of rounds, or of whole matches, as the kernel plays them: one round if neither number is given.

    The arguments are those of `simulation.simulate`.

    Raises
    ------
    InputError
        If something given is impossible.
    """
    if rounds is None and matches is None:
        rounds = 1
    plan, units = plan_units(variant, rounds, matches, **table)
    return trace_plan(plan, units, threads=threads)


def trace_plan(plan: Plan, units: int, *, first: int = 0, threads: int | None = None) -> Iterator[dict[str, Any]]:
    """
    Records of the rounds of a plan's units from a number on, in their order, as the kernel played them.

    Raises
    ------
    InputError
        If the number of units is out of range.
    """
    check_number("matches" if plan.matches else "rounds", units, 1, MOST_UNITS)
    for records in plan.each(lambda played: _records(plan, played), units, first=first, threads=threads, logged=True):
        yield from records


def _records(plan: Plan, played: Played) -> list[dict[str, Any]]:
    """Records of the rounds of a chunk."""
    records: list[dict[str, Any]] = []
    scores: list[int] = []
    match = 0
    for k in range(len(played.rows)):
        record = _record(plan, played, k)
        if plan.matches:
            number = int(played.facts[k, kernel.ROUND])
            scores = [0] * plan.setting.team_count if number == 0 else scores
            record |= {"match": int(played.facts[k, kernel.MATCH]), "round": number, "score_before": list(scores)}
            scores = [score + team["total"] for score, team in zip(scores, record["scores"], strict=True)]
            if number + 1 == played.results[match, kernel.MATCH_ROUNDS]:
                winner = int(played.results[match, kernel.WINNER])
                record["winner"] = None if winner < 0 else winner
                match += 1
        records.append(record)
    return records


def _record(plan: Plan, played: Played, k: int) -> dict[str, Any]:
    """Record of one round, without what concerns its match."""
    table, codes = plan.setting, plan.codes
    players = table.players
    facts = dict(zip(kernel.FACTS, played.facts[k].tolist(), strict=True))
    pack = table.rules.pack
    cards = np.zeros(DECK_ROOM, np.uint8)
    game = codes.game
    dealt = players * game.hand_size
    opened = open_round(plan.seed, facts["index"], pack, dealt, game.buried, game.bury_at_random, cards)
    top, end = int(opened[1]), int(opened[2])
    record: dict[str, Any] = {
        "variant": table.variant,
        "players": players,
        "teams": [(seat + facts["first"]) % players % table.team_count for seat in range(players)],
        "hand_size": table.rules.hand_size,
        "rules": dict(table.changes),
        "seed": plan.seed,
        "index": facts["index"],
        "carry_in": facts["carry_in"],
        "deck": card_names(deck(plan.seed, facts["index"], pack)),
        "floor": card_names(cards[dealt : dealt + FLOOR_CARDS].tolist()),
        "plays": [
            {"seat": n % players, "card": card_name(card), "taken": card_names(int(taken)), "basra": basra}
            for n, (card, taken, basra) in enumerate(played.logs[k].tolist())
        ],
        "last_capture": facts["last_seat"],
        "leftover": card_names(facts["leftover"]),
        "scores": [_score(team, row) for team, row in enumerate(played.rows[k, : table.team_count].tolist())],
        "carry_out": facts["carry_out"],
    }
    if table.rules.bury_to == "random":
        record["stock"] = card_names(cards[top:end].tolist())
    if plan.matches:
        record["seating"] = [(seat + facts["first"]) % players for seat in range(players)]
    return record


def _score(team: int, row: list[int]) -> dict[str, int]:
    """A team's score as a record states it."""
    columns = dict(zip(turns.COLUMNS, row, strict=True))
    return {"team": team} | columns | {"total": sum(row[turns.ACES : turns.BASRAS + 1])}
