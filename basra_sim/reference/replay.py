"""A record played again: whether it is what the rules give."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

from basra_sim.cards import Card, card_name, card_names, parse_card, parse_cards, rank_of
from basra_sim.errors import InputError
from basra_sim.records import PlayRecord, Record, RecordError, check_record, placed
from basra_sim.reference.choices import Choice
from basra_sim.reference.dealing import Opening
from basra_sim.reference.rounds import IllegalPlayError, Round, TeamScore, card_points
from basra_sim.reference.standing import Verdict, over_before, seating_at, target_at, verdict
from basra_sim.rules import Rules, Setting
from basra_sim.variants import setting, variant_names

MATCH_FIELDS = ("match", "round", "score_before", "seating", "winner")
"""Fields that only the record of a round of a match has."""


class ContradictionError(RecordError):
    """A record that states what the rules do not give."""

    exit_code = 1


class Step(NamedTuple):
    """One play, with all that was to be known for it."""

    number: int
    """Number of the play in the round, from 1."""
    seat: int
    team: int
    card: Card
    hand: tuple[Card, ...]
    """What the seat held, the card included."""
    floor: tuple[Card, ...]
    lone_before: bool
    last_card: bool
    legal: tuple[Choice, ...]
    """What the card could do."""
    choice: Choice
    """What it did."""
    points: dict[str, int]
    """Points made by the play, by source; sources that gave none are left out."""
    score: tuple[int, ...]
    """Points of each team in the round after the play, without those for most cards."""


@dataclass(frozen=True, slots=True)
class Replay:
    """
    A round that was played again from its record.

    Attributes
    ----------
    record : Record
        The record with all its fields, those included that it left out.
    setting : Setting
        Rules and players.
    opening : Opening
        First hands, opening floor, what was buried, the pack left.
    steps : tuple of Step
        The plays.
    last_capture : int
        Seat that captured last.
    leftover : tuple of Card
        Cards left on the floor, which that seat got.
    scores : tuple of TeamScore
        Score of each team.
    carry_in, carry_out : int
        Points for most cards held over from earlier rounds, and for the next.
    score_before, score_after : tuple of int or None
        Points of each team in the match; none outside a match and where the record does not tell.
    verdict : Verdict or None
        Whether the match is over after the round; none where `score_after` is.
    place : str
        Where the record stands, such as ``line 3``; empty for one that stands alone.
    """

    record: Record
    setting: Setting
    opening: Opening
    steps: tuple[Step, ...]
    last_capture: int
    leftover: tuple[Card, ...]
    scores: tuple[TeamScore, ...]
    carry_in: int
    carry_out: int
    score_before: tuple[int, ...] | None = None
    score_after: tuple[int, ...] | None = None
    verdict: Verdict | None = None
    place: str = ""


def replay(record: Mapping[str, Any], place: str = "") -> Replay:
    """
    Play a record again by the rules and check everything it states.

    A record of a round of a match is checked as far as it tells: its seating, the score before it, the winner. What
    passes from one round to the next needs `replay_all` or `replay_match`.

    Parameters
    ----------
    record
        A round, as in `basra_sim.records.Record`.
    place
        Where it stands, such as ``line 3``, for messages.

    Raises
    ------
    RecordError
        If it is no record, or its setting is impossible.
    ContradictionError
        If it states something that is not so.
    IllegalPlayError
        If a play in it is not legal.
    """
    with placed(place):
        return replay_checked(check_record(record), None, place)


def replay_checked(record: Record, before: Replay | None, place: str) -> Replay:
    """Play a record of the right form again; `before` is the round before it in the same match, where there is one."""
    table = _setting(record)
    seating = _check_match(record, table, before)
    teams = [player % 2 if table.pairs else player for player in seating]
    _agree("teams", record.get("teams"), teams, _for_seating(record))
    _agree("hand_size", record.get("hand_size"), table.rules.hand_size, "; another one belongs into rules")
    carry_in = _carry_in(record, table.rules, before)
    score_before = _score_before(record, table, before)

    played = _opened(record, table, carry_in, teams)
    steps = _play(played, record)
    _check_result(record, played)

    scores = tuple(played.scores())
    ruling = after = None
    if score_before is not None:
        after = tuple(points + score.total for points, score in zip(score_before, scores, strict=True))
        ruling = verdict(table.rules, score_before, after)
    _check_winner(record, table.rules, ruling, after)
    return Replay(
        record=_full_record(record, played, seating, steps, score_before, ruling),
        setting=table,
        opening=played.opening,
        steps=steps,
        last_capture=cast(int, played.last_capture),
        leftover=tuple(played.leftover),
        scores=scores,
        carry_in=carry_in,
        carry_out=played.carry_out,
        score_before=score_before,
        score_after=after,
        verdict=ruling,
        place=place,
    )


def points_in_words(score: Iterable[int]) -> str:
    """Score of all teams in words: ``41 : 66``."""
    return " : ".join(map(str, score))


def _setting(record: Record) -> Setting:
    """Rules and players of a record. Pairs are told by the teams; without them everybody plays alone."""
    players, teams = record["players"], record.get("teams")
    pairs = players == 4 and teams is not None and len(set(teams)) == 2
    rules = record.get("rules", {})
    try:
        if record["variant"] in variant_names():
            return _built_in_setting(record["variant"], players, pairs, json.dumps(rules))
        return setting(record["variant"], players, pairs, rules)
    except InputError as error:
        raise RecordError(str(error)) from None


@lru_cache(maxsize=1000)
def _built_in_setting(variant: str, players: int, pairs: bool, rules: str) -> Setting:
    """Setting of a built-in variant and rules as JSON: a file of records has few of them. People's files may change."""
    return setting(variant, players, pairs, json.loads(rules))


def _agree(what: str, stated: object, right: object, remark: str = "") -> None:
    """Refuse a stated value that is not the right one; what is not stated agrees with everything."""
    if stated is not None and stated != right:
        raise ContradictionError(f"{what} is stated as {json.dumps(stated)}, right is {json.dumps(right)}{remark}")


def _agree_cards(what: str, stated: Sequence[str] | None, right: Collection[Card]) -> None:
    """Refuse stated cards that are not the right ones; their order has no meaning."""
    if stated is not None and sorted(parse_cards(stated)) != sorted(right):
        raise ContradictionError(f"{what} is stated as {_names(parse_cards(stated))}, right is {_names(right)}")


def _names(cards: Iterable[Card]) -> str:
    """Cards in words."""
    return " ".join(card_names(list(cards))) or "no card"


def _for_seating(record: Record) -> str:
    """Remark on teams: where they come from."""
    if "round" in record:
        return f" (in round {record['round']} the players {_seats(record)} sit in that order)"
    return "" if record["players"] != 4 else "; [0, 1, 0, 1] are pairs, [0, 1, 2, 3] four who play alone"


def _seats(record: Record) -> str:
    """Seating of a round of a match in words."""
    return " ".join(map(str, seating_at(record["players"], record["round"])))


def _check_match(record: Record, table: Setting, before: Replay | None) -> list[int]:
    """Check which round of which match a record is; gives the player in each seat."""
    stated = [name for name in MATCH_FIELDS if name in record]
    missing = [name for name in ("match", "round") if name not in record]
    if stated and missing:
        raise RecordError(f"{stated[0]} is stated without {missing[0]}: a round of a match needs match and round")
    if not stated:
        return list(range(table.players))
    if before is not None:
        _agree("round", record["round"], before.record["round"] + 1, f" in match {record['match']}")
        if table != before.setting:
            raise ContradictionError(
                f"match {record['match']} changes its variant, rules or players between its rounds"
            )
    seating = seating_at(table.players, record["round"])
    _agree(
        "seating",
        record.get("seating"),
        seating,
        f": the first move of round {record['round']} is player {seating[0]}'s",
    )
    return seating


def _carry_in(record: Record, rules: Rules, before: Replay | None) -> int:
    """Points for most cards held over from earlier rounds."""
    stated = record.get("carry_in")
    if before is not None:
        _agree("carry_in", stated, before.carry_out, f": that is what round {before.record['round']} held over")
        return before.carry_out
    if stated:
        points = rules.majority_points
        if rules.majority_tie != "carry":
            raise ContradictionError(f"carry_in is stated as {stated}, but under these rules nothing is held over")
        if points == 0 or stated % points:
            raise ContradictionError(
                f"carry_in is stated as {stated}, but each tie holds over {points}: only multiples of it are possible"
            )
        if "round" in record and stated > record["round"] * points:
            raise ContradictionError(
                f"carry_in is stated as {stated}, but {record['round']} earlier rounds hold over "
                f"{record['round'] * points} at most"
            )
    return stated or 0


def _score_before(record: Record, table: Setting, before: Replay | None) -> tuple[int, ...] | None:
    """Points of each team in the match before a round; none where nothing tells."""
    if "match" not in record:
        return None
    stated = record.get("score_before")
    if stated is not None and len(stated) != table.team_count:
        raise RecordError(f"score_before has {len(stated)} numbers for {table.team_count} teams")
    if before is not None and before.score_after is not None:
        _agree("score_before", stated, list(before.score_after), f": the score after round {before.record['round']}")
        return before.score_after
    if record["round"] == 0:
        zeros = [0] * table.team_count
        _agree("score_before", stated, zeros, ": a match begins at nothing")
        return tuple(zeros)
    if stated is None:
        return None
    over = over_before(table.rules, stated)
    if over is not None:
        ended = "it was drawn" if over.winner is None else f"team {over.winner} had won it"
        raise ContradictionError(
            f"score_before is stated as {points_in_words(stated)}, but with that the match was over: {ended}, "
            f"target {over.target}"
        )
    return tuple(stated)


def _opened(record: Record, table: Setting, carry_in: int, teams: Sequence[int]) -> Round:
    """Round of a record before its first play."""
    deck = parse_cards(record["deck"])
    if len(deck) != table.rules.pack:
        raise RecordError(f"deck: {len(deck)} cards, but {table.label} is played here with {table.rules.pack}")
    stock = parse_cards(record["stock"]) if "stock" in record else None
    try:
        played = Round(table, deck, stock=stock, carry_in=carry_in, teams=teams)
    except InputError as error:
        raise ContradictionError(str(error)) from None
    _agree_cards("floor", record.get("floor"), played.floor)
    return played


def _play(played: Round, record: Record) -> tuple[Step, ...]:
    """Play all plays of a record, checking each."""
    plays, steps = record["plays"], []
    points = [0] * len(played.piles)
    for number in range(1, len(plays) + 1):
        if played.over:
            raise IllegalPlayError(f"plays: {len(plays)} of them, but the round is over after {played.plays}")
        try:
            step = _step(played, record, number, points)
        except RecordError as error:
            raise error.at(f"play {number}") from None
        points = list(step.score)
        steps.append(step)
    if not played.over:
        holds = _names(played.hands[played.seat])
        raise ContradictionError(
            f"plays: {len(plays)} of them, but the round has {played.plays}; seat {played.seat} is on turn with {holds}"
        )
    return tuple(steps)


def _step(played: Round, record: Record, number: int, points: Sequence[int]) -> Step:
    """Play one play of a record; `points` is the score before it."""
    play = record["plays"][number - 1]
    seat, lone_before, last_card = played.seat, played.lone_before, played.last_card
    team = played.teams[seat]
    hand, floor = tuple(played.hands[seat]), tuple(played.floor)
    card = parse_card(play["card"])
    _agree("seat", play.get("seat"), seat, ", whose turn it is")
    legal = tuple(played.legal(card))
    stated = parse_cards(play["taken"]) if "taken" in play else _unstated(played, record, number, legal)
    choice = played.play(card, stated)
    if play.get("basra", choice.basra) != choice.basra:
        what = f"takes {_names(choice.taken)}" if choice.taken else "is laid"
        _agree("basra", play.get("basra"), choice.basra, f": {card_name(card)} {what}; {choice.reason}")
    made: dict[str, int] = {}
    if choice.taken:
        made = {name: gained for name, gained in _made(played.rules, card, choice).items() if gained}
    score = tuple(before + sum(made.values()) * (each == team) for each, before in enumerate(points))
    return Step(number, seat, team, card, hand, floor, lone_before, last_card, legal, choice, made, score)


def _unstated(played: Round, record: Record, number: int, legal: Sequence[Choice]) -> list[Card] | None:
    """
    Cards that a play takes whose record does not say so; none where the play has a choice.

    Suits that make no choice may be left open, yet matter to what the record says later on: a card that it names
    among those taken or left over after this play still lies on the floor, so another of its rank was taken.
    """
    if len(legal) > 1:
        return None
    later = {card for play in record["plays"][number:] for card in parse_cards(play.get("taken", ()))}
    later |= set(parse_cards(record.get("leftover", ())))
    taken: list[Card] = []
    for rank in {rank_of(card) for card in legal[0].taken}:
        of_rank = [card for card in legal[0].taken if rank_of(card) == rank]
        marked = [card for card in of_rank if card in played.rules.marked_cards]
        plain = [card for card in played.floor if rank_of(card) == rank and card not in played.rules.marked_cards]
        plain.sort(key=lambda card: (card in later, card))
        taken += [*marked, *plain[: len(of_rank) - len(marked)]]
    return taken


def _made(rules: Rules, card: Card, choice: Choice) -> dict[str, int]:
    """Points that a capture makes, by source."""
    return {**card_points(rules, (card, *choice.taken))._asdict(), "basras": choice.basra}


def _check_result(record: Record, played: Round) -> None:
    """Check what a record states about the end of its round."""
    _agree("last_capture", record.get("last_capture"), played.last_capture)
    _agree_cards("leftover", record.get("leftover"), played.leftover)
    scores, seen = played.scores(), set()
    for stated in record.get("scores", ()):
        team = stated["team"]
        if team >= len(scores) or team in seen:
            raise ContradictionError(f"scores: team {team} {'comes twice' if team in seen else 'does not play'}")
        seen.add(team)
        for name, right in scores[team]._asdict().items():
            _agree(f"scores: {name} of team {team}", stated.get(name), right)
    _agree("carry_out", record.get("carry_out"), played.carry_out)


def _check_winner(record: Record, rules: Rules, ruling: Verdict | None, score: Sequence[int] | None) -> None:
    """Check who is stated to have won the match."""
    if "winner" not in record:
        return
    if ruling is None or score is None:
        raise RecordError("winner is stated without score_before, from which it follows")
    if not ruling.over:
        stands = f"{points_in_words(score)}, target {target_at(rules, score)}"
        raise ContradictionError(f"winner is stated, but the match goes on after this round: {stands}")
    if record["winner"] != ruling.winner:
        right = "drawn" if ruling.winner is None else f"won by team {ruling.winner}"
        stands = f"{points_in_words(score)}, target {ruling.target}"
        raise ContradictionError(
            f"winner is stated as {json.dumps(record['winner'])}, but the match is {right}: {stands}"
        )


def _full_record(
    record: Record,
    played: Round,
    seating: Sequence[int],
    steps: Iterable[Step],
    score_before: Sequence[int] | None,
    ruling: Verdict | None,
) -> Record:
    """Record with all fields, in their order."""
    table = played.setting
    full: dict[str, object] = {
        "variant": table.variant,
        "players": table.players,
        "teams": list(played.teams),
        "hand_size": table.rules.hand_size,
        "rules": dict(table.changes),
    }
    full |= {name: value for name, value in record.items() if name in ("seed", "index", "match", "round")}
    if "match" in record:
        full |= {} if score_before is None else {"score_before": list(score_before)}
        full["seating"] = list(seating)
    full |= {"carry_in": played.carry_in, "deck": list(record["deck"]), "floor": card_names(played.opening.floor)}
    if table.rules.bury_to == "random":
        full["stock"] = card_names(played.opening.stock)
    full |= {
        "plays": [_play_record(step) for step in steps],
        "last_capture": played.last_capture,
        "leftover": card_names(played.leftover),
        "scores": [score._asdict() for score in played.scores()],
        "carry_out": played.carry_out,
    }
    if ruling is not None and ruling.over:
        full["winner"] = ruling.winner
    return cast(Record, full)


def _play_record(step: Step) -> PlayRecord:
    """Play as a record has it."""
    taken = card_names(step.choice.taken)
    return {"seat": step.seat, "card": card_name(step.card), "taken": taken, "basra": step.choice.basra}
