"""
Rounds of policies for a table, played by the readable engine, with hands passed on among the seats if asked.

A pack is laid out by hand so that an ordinary deal of it gives every seat the hands wanted. The plays are the
kernel's for that pack, each of them repeated, checked and scored by the readable engine; `best_plays` says what a
policy may play without the kernel.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from basra_sim.cards import card_name, card_names
from basra_sim.deals import deck
from basra_sim.plans import Plan
from basra_sim.policies import Policy
from basra_sim.policies.model import RISKS
from basra_sim.reference import Choice, Round
from basra_sim.reference.dealing import open_round
from basra_sim.rules import FLOOR_CARDS, Setting
from tests import naive_features
from tests.naive_balance import Deal

Record = dict[str, Any]
Hands = list[list[int]]
"""Cards of each seat in one deal, in the order they came."""

NEARLY = 1e-9
"""Worths that differ by less are one, but for rounding."""


def dealt_hands(table: Setting, pack: Sequence[int], stock: Sequence[int] | None = None) -> tuple[list[Hands], int]:
    """Hands of each seat in each deal of a round, and how many cards were buried when the floor was laid."""
    opening = open_round(table, pack, stock)
    rest, deals = list(opening.stock), [opening.hands]
    for size in table.hand_sizes[1:]:
        cards, rest = rest[: size * table.players], rest[size * table.players :]
        hands: Hands = [[] for _ in range(table.players)]
        for place, card in enumerate(cards):
            seat = place // size if table.rules.deal == "packet" else place % table.players
            hands[seat].append(card)
        deals.append(hands)
    assert not rest
    return deals, len(opening.buried)


def mirrored_hands(
    table: Setting, pack: Sequence[int], version: int, stock: Sequence[int] | None = None
) -> list[Hands]:
    """
    Hands of each seat in each deal when every hand goes to the seat that sits so many seats on.

    The last deal stays as it is if anything was buried, for what was buried comes out there, at the bottom of the pack.
    """
    deals, buried = dealt_hands(table, pack, stock)
    players = table.players
    passed = [[hands[(seat - version) % players] for seat in range(players)] for hands in deals]
    return [*passed[:-1], deals[-1]] if buried else passed


def mirrored_pack(table: Setting, pack: Sequence[int], version: int) -> list[int]:
    """Pack whose ordinary deal gives the hands of `mirrored_hands`, on the same opening floor."""
    deals, buried = dealt_hands(table, pack)
    assert table.rules.bury_to == "bottom"
    assert buried <= table.players * len(deals[-1][0]), "what is buried comes out in the last deal"
    laid_out = [in_order(table, hands) for hands in mirrored_hands(table, pack, version)]
    first = len(laid_out[0])
    turned_up = list(pack[first : first + FLOOR_CARDS + buried])
    stock = [card for cards in laid_out[1:] for card in cards]
    return [*laid_out[0], *turned_up, *stock[: len(stock) - buried]]


def in_order(table: Setting, hands: Hands) -> list[int]:
    """Cards of a deal in the order in which they leave the pack."""
    if table.rules.deal == "packet":
        return [card for hand in hands for card in hand]
    return [hand[place] for place in range(len(hands[0])) for hand in hands]


def play_round(table: Setting, seats: Sequence[Policy], pack: Sequence[int], index: int = 0, seed: int = 1) -> Record:
    """Record of a round of a pack, a policy in each seat, scored by the readable engine."""
    plan = Plan(table, tuple(seats), (tuple(range(table.players)),), seed)
    (played,) = plan.play(index, 1, logged=True, decks=np.array([pack], np.uint8))
    game, plays = Round(table, pack), []
    for card, taken, _ in played.logs[0].tolist():
        seat = game.seat
        choice = game.play(card, [each for each in range(52) if taken >> each & 1])
        plays.append({"seat": seat, "card": card_name(card), "taken": card_names(choice.taken), "basra": choice.basra})
    return {
        "variant": table.variant,
        "players": table.players,
        "teams": list(table.teams),
        "hand_size": table.rules.hand_size,
        "rules": dict(table.changes),
        "index": index,
        "carry_in": 0,
        "deck": card_names(pack),
        "floor": card_names(game.opening.floor),
        "plays": plays,
        "last_capture": game.last_capture,
        "leftover": card_names(game.leftover),
        "scores": [score._asdict() for score in game.scores()],
        "carry_out": game.carry_out,
    }


def equal_deal(table: Setting, player: Policy, seed: int, index: int, *, mirrored: bool = False) -> list[Record]:
    """Records of a deal among equal players: once, or with the hands passed on by 0, 1 and so on up to a team more."""
    pack = deck(seed, index, table.rules.pack)
    versions = range(table.team_count if mirrored else 1)
    seats = [player] * table.players
    return [play_round(table, seats, mirrored_pack(table, pack, each), index, seed) for each in versions]


def skill_deal(table: Setting, better: Policy, weaker: Policy, seed: int, index: int) -> list[Record]:
    """Records of a deal with the better player, or the better pair, at each place among weaker ones."""
    pack = deck(seed, index, table.rules.pack)
    seatings = [[better if team == place else weaker for team in table.teams] for place in range(table.team_count)]
    return [play_round(table, seats, pack, index, seed) for seats in seatings]


def equal_groups(
    table: Setting, player: Policy, seed: int, group_of: Sequence[int], *, mirrored: bool = False
) -> list[list[Deal]]:
    """Deals 0, 1 and so on of a seed among equal players, in groups: `group_of` names the group of each."""
    deals = [equal_deal(table, player, seed, index, mirrored=mirrored) for index in range(len(group_of))]
    return in_groups(deals, group_of)


def skill_groups(
    table: Setting, better: Policy, weaker: Policy, seed: int, group_of: Sequence[int]
) -> list[list[Deal]]:
    """Deals 0, 1 and so on of a seed with a better player at each place, in groups."""
    return in_groups([skill_deal(table, better, weaker, seed, index) for index in range(len(group_of))], group_of)


def in_groups(deals: Sequence[Sequence[Record]], group_of: Sequence[int]) -> list[list[Deal]]:
    """Rounds of deals by the group that each deal belongs to, groups and deals in order."""
    return [
        [[record["scores"] for record in deal] for deal, own in zip(deals, group_of, strict=True) if own == group]
        for group in sorted(set(group_of))
    ]


def worths(game: Round, player: Policy) -> list[tuple[int, Choice, float]]:
    """Every legal play of the seat on turn and what it is worth to a policy that weighs features."""
    weights = player.weights_for(game.setting)
    sight = naive_features.sight_of(game)
    if not any(weights.get(name) for name in RISKS):
        sight = replace(sight, next_hand=0)  # what is left over costs nothing, and need not be worked out
    found = []
    for card in sorted(sight.hand):
        for choice in game.legal(card):
            features = naive_features.features(sight, card, choice)
            found.append((card, choice, sum(weight * features[name] for name, weight in weights.items())))
    return found


def best_plays(game: Round, player: Policy) -> list[tuple[int, Choice]]:
    """Plays that are worth most to a policy: of equals the kernel makes the first, but for rounding."""
    plays = worths(game, player)
    most = max(worth for _, _, worth in plays)
    return [(card, choice) for card, choice, worth in plays if worth >= most - NEARLY]
