"""What the kernel played, stepped through by the readable engine: every play, choice, basra and score must agree."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from basra_sim import kernel, turns
from basra_sim._numba import compiled
from basra_sim.captures import CHOICE_ROOM, basra_points, choices, tables
from basra_sim.cards import card_set, cards_in
from basra_sim.deals import DECK_ROOM, deck, open_round
from basra_sim.plans import Plan, Played
from basra_sim.reference import Round
from basra_sim.rules import Setting
from basra_sim.variants import setting, variant_names

TABLES = [(2, False), (3, False), (4, False), (4, True)]
"""Numbers of players, and whether they play in pairs."""


def settings(**changes: Any) -> list[Setting]:
    """Every variant with every number of players that it allows."""
    return [
        setting(name, players, pairs, changes)
        for name in variant_names()
        for players, pairs in TABLES
        if (players, pairs) != (3, False) or setting(name).rules.pack == 52
    ]


@compiled
def _all_choices(codes, tables, floors, cards, befores, lasts, room, found, starts):
    """Choices of each card on each floor, behind one another: sets and points, and where each card's begin."""
    at = 0
    for k in range(floors.shape[0]):
        starts[k] = at
        count = choices(codes.capture, tables, floors[k], cards[k], room)
        for n in range(count):
            taken = room[0, n]
            found[at, 0] = taken
            found[at, 1] = basra_points(codes.capture, tables, floors[k], cards[k], taken, befores[k], lasts[k])
            at += 1
    starts[floors.shape[0]] = at


def compiled_choices(plan: Plan, asked: Sequence[tuple[int, int, int, int]]) -> list[list[tuple[int, int]]]:
    """The kernel's choices for (floor, card, floor before, last card): for each, sorted (set taken, points)."""
    floors, cards, befores, lasts = (np.array(part, np.int64) for part in zip(*asked, strict=True))
    room, starts = np.zeros((4, CHOICE_ROOM), np.int64), np.zeros(len(asked) + 1, np.int64)
    found = np.zeros((64 * len(asked), 2), np.int64)
    _all_choices(plan.codes, tables(), floors, cards, befores, lasts, room, found, starts)
    pairs = [tuple(pair) for pair in found[: starts[-1]].tolist()]
    return [sorted(pairs[a:b]) for a, b in zip(starts.tolist(), starts[1:].tolist(), strict=False)]


def check_rounds(plan: Plan, first: int, units: int, *, whole_hands: bool = False) -> int:
    """
    Check what the kernel plays against the readable engine; return the number of plays checked.

    `whole_hands` compares the choices of every card in hand at every play, not those of the card played alone.
    """
    checked = 0
    for played in plan.play(first, units, logged=True):
        for k in range(len(played.rows)):
            checked += _check_round(plan, played, k, whole_hands)
    return checked


def _check_round(plan: Plan, played: Played, k: int, whole_hands: bool) -> int:
    """Check one round of a chunk."""
    table, game = plan.setting, plan.codes.game
    facts = dict(zip(kernel.FACTS, played.facts[k].tolist(), strict=True))
    where = f"{table.label} {table.players} {table.changes} seed {plan.seed} index {facts['index']}"
    cards = np.zeros(DECK_ROOM, np.uint8)
    _, top, end = open_round(
        plan.seed, facts["index"], game.pack, game.players * game.hand_size, game.buried, game.bury_at_random, cards
    )
    shift = facts["first"] if plan.matches else 0
    teams = [(seat + shift) % table.players % table.team_count for seat in range(table.players)]
    pack = deck(plan.seed, facts["index"], game.pack)
    reference = Round(table, pack, stock=cards[top:end].tolist(), carry_in=facts["carry_in"], teams=teams)
    asked, expected = [], []
    before = 0
    for turn, (card, taken, basra) in enumerate(played.logs[k].tolist()):
        floor = card_set(reference.floor)
        for held in reference.hands[reference.seat] if whole_hands else (card,):
            asked.append((floor, held, before, int(turn == table.plays - 1)))
            expected.append(sorted((card_set(choice.taken), choice.basra) for choice in reference.legal(held)))
        done = reference.play(card, list(cards_in(taken)))
        assert (card_set(done.taken), done.basra) == (taken, basra), f"{where}: play {turn}"
        before = floor
    assert compiled_choices(plan, asked) == expected, f"{where}: choices"
    rows = played.rows[k, : table.team_count].tolist()
    columns = turns.COLUMNS
    stated = [tuple(row) for row in rows]
    assert stated == [tuple(getattr(score, name) for name in columns) for score in reference.scores()], where
    assert facts["last_seat"] == reference.last_capture, where
    assert facts["leftover"] == card_set(reference.leftover), where
    assert facts["carry_out"] == reference.carry_out, where
    seen = sorted(card for pile in reference.piles for card in pile)
    assert seen == list(range(table.rules.pack)), where
    return len(asked)


def random_changes(rng: random.Random, players: int) -> dict[str, Any]:
    """Some options of their own, drawn at random, that go together."""
    drawn: dict[str, Any] = {
        "deal": rng.choice(["single", "packet"]),
        "buried": rng.choice(["", "J", "J,7D", "10,QS", "A,2,3", "J,Q,K,10,9"]),
        "bury_to": rng.choice(["bottom", "random"]),
        "captures": rng.choice(["maximal", "maximal", "most_cards", "ranks"]),
        "basra_when": rng.choice(["clears_floor", "matches_lone_card", "matches_lone_card_or_pair_sum"]),
        "jack_on_jack": rng.choice([0, 10, 25]),
        "last_card_basra": rng.random() < 0.5,
        "ace_points": rng.randrange(4),
        "jack_points": rng.randrange(4),
        "two": rng.choice(["2C", "2S"]),
        "two_points": rng.randrange(4),
        "ten_points": rng.randrange(4),
        "majority_points": rng.choice([1, 3, 30]),
        "majority_tie": rng.choice(["each", "none", "carry"]),
        "match_tie": rng.choice(["more_rounds", "draw"]),
        "target": rng.choice([20, 50, 100]),
        "pack": 52 if players == 3 else rng.choice([52, 44]),
        "short_last_deal": True,
        "seven_of_diamonds": rng.choice(["ordinary", "sweeps"]),
    }
    if drawn["pack"] == 44:
        drawn["buried"] = drawn["buried"].replace("10,QS", "10").replace("J,Q,K,10,9", "J,10,9")
    if drawn["seven_of_diamonds"] == "sweeps":
        drawn["seven_basra"] = rng.choice(["never", "sum_at_most_10", "yemeni", "equal_groups_at_most_10"])
        drawn["lone_seven"] = rng.choice(["ordinary", "any_card_but_jack"])
    if rng.random() < 0.5:
        drawn |= {"basra_scoring": "flat", "basra_points": rng.choice([5, 10, 20])}
    else:
        drawn["basra_scoring"] = "twice_face"
        if drawn["pack"] == 52:
            drawn |= {"queen_face": rng.randrange(5), "king_face": rng.randrange(5)}
    if drawn["match_tie"] == "draw" and rng.random() < 0.5:
        drawn |= {"match_tie": "extend", "extend_by": rng.choice([20, 30])}
    sizes = [size for size in range(1, 13) if (drawn["pack"] - 4) % (players * size) % players == 0]
    drawn["hand_size"] = rng.choice(sizes)
    return drawn
