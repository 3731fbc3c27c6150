"""Rounds and matches played at random with the readable engine, as records for tests."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from basra_sim.cards import card_name, card_names
from basra_sim.reference import Choice, Round
from basra_sim.rules import Setting
from basra_sim.variants import setting, variant, variant_names

Plain = dict[str, Any]

TABLES = [
    (name, players, pairs)
    for name in variant_names()
    for players, pairs in ((2, False), (3, False), (4, False), (4, True))
    if variant(name).hand_sizes(players)
]
"""Every variant at every table that can play it."""


def shuffled(table: Setting, draw: random.Random) -> list[int]:
    return draw.sample(range(table.rules.pack), table.rules.pack)


def play_out(played: Round, draw: random.Random) -> list[tuple[int, int, Choice]]:
    """Play a round to its end at random; gives seat, card and choice of each play."""
    plays = []
    while not played.over:
        seat = played.seat
        card = draw.choice(played.hands[seat])
        plays.append((seat, card, played.play(card, any_suits(played, draw.choice(played.legal(card)), draw))))
    return plays


def any_suits(played: Round, choice: Choice, draw: random.Random) -> list[int]:
    """Cards of a choice with suits that make no difference drawn anew."""
    marked = played.rules.marked_cards
    cards = [card for card in choice.taken if card in marked]
    for rank in sorted({card // 4 for card in choice.taken}):
        equal = [card for card in played.floor if card // 4 == rank and card not in marked]
        cards += draw.sample(equal, sum(card // 4 == rank and card not in marked for card in choice.taken))
    return cards


def round_record(
    name: str,
    players: int,
    draw: random.Random,
    *,
    pairs: bool = False,
    changes: Mapping[str, object] | None = None,
    carry_in: int = 0,
) -> Plain:
    """Record of a random round with what a careful person would note: cards, plays, carry, teams."""
    table = setting(name, players, pairs, changes)
    deck = shuffled(table, draw)
    played = Round(table, deck, carry_in=carry_in)
    return {
        "variant": name,
        "players": players,
        "teams": list(table.teams),
        "rules": dict(changes or {}),
        "carry_in": carry_in,
        "deck": card_names(deck),
        "plays": [
            {"seat": seat, "card": card_name(card), "taken": card_names(choice.taken), "basra": choice.basra}
            for seat, card, choice in play_out(played, draw)
        ],
    }


def match_over(score: Sequence[int], target: int, match_tie: str, extend_by: int) -> tuple[bool, int | None, int]:
    """Whether a match is over, its winner, and the target from then on; step by step, as players would reckon it."""
    best = max(score)
    if best < target:
        return False, None, target
    if score.count(best) == 1:
        return True, score.index(best), target
    if match_tie == "draw":
        return True, None, target
    if match_tie == "extend":
        while best >= target:
            target += extend_by
    return False, None, target


def match_records(
    name: str, players: int, draw: random.Random, *, pairs: bool = False, changes: Mapping[str, object] | None = None
) -> list[Plain]:
    """Records of all rounds of a random match, with score, carry, seating and winner kept by hand."""
    table = setting(name, players, pairs, changes)
    rules, target = table.rules, table.rules.target
    records: list[Plain] = []
    score, carry, over = [0] * table.team_count, 0, False
    while not over:
        number = len(records)
        seating = [(number + seat) % players for seat in range(players)]
        teams = [player % 2 if pairs else player for player in seating]
        deck = shuffled(table, draw)
        played = Round(table, deck, carry_in=carry, teams=teams)
        plays = play_out(played, draw)
        record = {
            "variant": name,
            "players": players,
            "teams": teams,
            "rules": dict(changes or {}),
            "match": 7,
            "round": number,
            "score_before": list(score),
            "seating": seating,
            "carry_in": carry,
            "deck": card_names(deck),
            "plays": [{"card": card_name(card), "taken": card_names(choice.taken)} for _, card, choice in plays],
        }
        records.append(record)
        carry = played.carry_out
        score = [before + each.total for before, each in zip(score, played.scores(), strict=True)]
        over, winner, target = match_over(score, target, rules.match_tie, rules.extend_by)
        if over:
            record["winner"] = winner
    return records
