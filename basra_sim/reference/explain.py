"""A replayed round told to a person, in words and as data."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from basra_sim.cards import Card, card_name, card_names
from basra_sim.reference.choices import Choice, choices_of
from basra_sim.reference.replay import Replay, Step, points_in_words
from basra_sim.reference.standing import target_at
from basra_sim.rules.wording import shown

WIDTH = 80
"""Columns that an explanation keeps to."""

_ROWS = {
    "cards": "cards captured",
    "aces": "aces",
    "jacks": "jacks",
    "two": "the two",
    "ten": "10 of diamonds",
    "majority": "most cards",
    "basras": "basras",
    "basra_count": "number of basras",
    "total": "points in all",
}
"""Rows of the table of scores: field of a score, and what it is called."""


def explain(replay: Replay) -> str:
    """
    A round in plain words: each play with what was in hand, on the floor, legal, taken, scored, and by which rule.

    The last paragraphs sum up the score. Lines have at most `WIDTH` columns.
    """
    parts = [_heading(replay), *(_told(replay, step) for step in replay.steps), _ending(replay)]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def replay_data(replay: Replay) -> dict[str, Any]:
    """A replayed round as plain values for JSON: the full record, each play explained, and how the match stands."""
    data: dict[str, Any] = {
        "place": replay.place,
        "record": dict(replay.record),
        "buried": card_names(replay.opening.buried),
        "plays": [_step_data(replay, step) for step in replay.steps],
        "scores": [score._asdict() for score in replay.scores],
    }
    if replay.verdict is not None and replay.score_after is not None:
        data["match"] = {
            "score_after": list(replay.score_after),
            "target": replay.verdict.target,
            "over": replay.verdict.over,
            "winner": replay.verdict.winner,
        }
    return data


def _heading(replay: Replay) -> list[str]:
    """Lines about the table and the opening."""
    table, record = replay.setting, replay.record
    place = f" ({replay.place})" if replay.place else ""
    match = f", match {record['match']}, round {record['round']}" if "match" in record else ""
    hands = " and ".join(str(size) for size in dict.fromkeys(table.hand_sizes))
    players = "4 players in pairs" if table.pairs else f"{table.players} players"
    lines = _lines(f"{table.label}: {players}, hands of {hands}{match}{place}")
    if table.changes:
        lines += _lines(
            "Rules changed: " + ", ".join(f"{name} = {shown(value)}" for name, value in table.changes.items())
        )
    if "seating" in record:
        lines += _lines(
            "Seats: " + ", ".join(f"{seat} has player {player}" for seat, player in enumerate(record["seating"]))
        )
    if replay.carry_in:
        lines += _lines(f"Held over from earlier rounds for most cards: {replay.carry_in}")
    if replay.opening.buried:
        lines += _lines(f"Put back into the pack: {_cards(replay.opening.buried)}")
    return [*lines, *_lines(f"Opening floor: {_cards(replay.opening.floor)}")]


def _told(replay: Replay, step: Step) -> list[str]:
    """Lines about one play."""
    team = f" (team {step.team})" if replay.setting.pairs or "seating" in replay.record else ""
    card, taken = card_name(step.card), _cards(step.choice.taken)
    done = f"plays {card} and takes {taken}" if step.choice.taken else f"lays {card}"
    made = ", ".join(f"{name} {points}" for name, points in step.points.items())
    scored = f"Scores {sum(step.points.values())} ({made})" if made else "Scores nothing"
    return [
        *_lines(f"Play {step.number}. Seat {step.seat}{team} {done}."),
        *_lines(f"Hand:  {_cards(step.hand)}", "    "),
        *_lines(f"Floor: {_cards(step.floor)}", "    "),
        *_lines(f"Legal: {_legal(replay, step)}.", "    "),
        *_lines(f"Rule:  {step.choice.reason}.", "    "),
        *_lines(f"{scored}; points so far {points_in_words(step.score)}.", "    "),
    ]


def _ending(replay: Replay) -> list[str]:
    """Lines about what was left, the score of the round and of the match."""
    rules = replay.setting.rules
    left = f"what is left, {_cards(replay.leftover)}" if replay.leftover else "nothing, the floor is empty"
    lines = _lines(f"Seat {replay.last_capture} captured last and gets {left}; that is no basra.")
    if not replay.leftover:
        lines = _lines(f"Seat {replay.last_capture} captured last; nothing is left on the floor.")
    lines += ["", "                  " + "".join(f"{f'team {score.team}':>10}" for score in replay.scores)]
    for name, title in _ROWS.items():
        lines.append(f"{title:18}" + "".join(f"{getattr(score, name):10}" for score in replay.scores))
    lines += ["", *_lines(_majority(replay))]
    if replay.score_before is None or replay.score_after is None or replay.verdict is None:
        return lines
    stands = f"Match: {points_in_words(replay.score_before)} before, {points_in_words(replay.score_after)} now; "
    if not replay.verdict.over:
        goes_on = f"it goes on, target {target_at(rules, replay.score_after)}."
        return [*lines, *_lines(stands + goes_on)]
    winner = "it is drawn" if replay.verdict.winner is None else f"team {replay.verdict.winner} has won"
    return [*lines, *_lines(f"{stands}{winner}, target {replay.verdict.target}.")]


def _majority(replay: Replay) -> str:
    """Words about who gets the points for most cards."""
    rules, cards = replay.setting.rules, [score.cards for score in replay.scores]
    most = [score.team for score in replay.scores if score.cards == max(cards)]
    points = rules.majority_points + replay.carry_in
    if len(most) == 1:
        return f"Most cards: team {most[0]} with {max(cards)}, {points} points."
    teams = " and ".join(map(str, most))
    tie = f"Most cards: teams {teams} with {max(cards)} each; "
    if rules.majority_tie == "each":
        return f"{tie}each gets {points} points."
    return tie + (
        f"{replay.carry_out} points are held over." if rules.majority_tie == "carry" else "nobody gets points."
    )


def _all_legal(replay: Replay, step: Step) -> list[tuple[Card, Sequence[Choice]]]:
    """What each card of the hand could do."""
    rules, floor = replay.setting.rules, step.floor
    return [(card, choices_of(rules, floor, card, step.lone_before, step.last_card)) for card in step.hand]


def _legal(replay: Replay, step: Step) -> str:
    """What each card of the hand could do, in words; those that can take nothing together."""
    answers = _all_legal(replay, step)
    words = [f"{card_name(card)} takes {_may(step, choices)}" for card, choices in answers if choices[0].taken]
    laid = [card for card, choices in answers if not choices[0].taken]
    if laid:
        words.append(f"{_cards(laid)} {'is' if len(laid) == 1 else 'are'} laid")
    return "; ".join(words)


def _may(step: Step, choices: Sequence[Choice]) -> str:
    """What a card could take, in words."""
    words = []
    for choice in choices:
        whole = len(choice.taken) == len(step.floor) > 1
        basra = f" (basra {choice.basra})" if choice.basra else ""
        words.append(("everything" if whole else _cards(choice.taken)) + basra)
    return " or ".join(words)


def _step_data(replay: Replay, step: Step) -> dict[str, Any]:
    """One play as plain values."""
    return {
        "play": step.number,
        "seat": step.seat,
        "team": step.team,
        "card": card_name(step.card),
        "hand": card_names(step.hand),
        "floor": card_names(step.floor),
        "taken": card_names(step.choice.taken),
        "basra": step.choice.basra,
        "reason": step.choice.reason,
        "legal": {
            card_name(card): [
                {"taken": card_names(choice.taken), "basra": choice.basra, "reason": choice.reason}
                for choice in choices
            ]
            for card, choices in _all_legal(replay, step)
        },
        "points": dict(step.points),
        "score": list(step.score),
    }


def _cards(cards: Iterable[Card]) -> str:
    """Cards in words."""
    return " ".join(card_names(list(cards))) or "nothing"


def _lines(text: str, indent: str = "") -> list[str]:
    """Text broken into lines that fit; what follows the first is set in."""
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=True)
