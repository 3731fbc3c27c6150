"""Published right answers come out of the kernel: what a card takes, and whole rounds played by a script."""

import ctypes
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from basra_sim import kernel, turns
from basra_sim.cards import parse_card, parse_cards
from basra_sim.legal import legal
from basra_sim.plans import Plan
from basra_sim.policies import Policy
from basra_sim.reference import choice_key
from basra_sim.variants import setting

DATA = Path(__file__).parent / "data"
CAPTURES = [json.loads(line) for line in (DATA / "captures.jsonl").read_text(encoding="utf-8").splitlines()]
ROUNDS = [json.loads(line) for line in (DATA / "rounds.jsonl").read_text(encoding="utf-8").splitlines()]
CARD, TAKEN = 22, 23


def names(case: dict[str, Any]) -> str:
    return f"{case['variant']}-{'-'.join(case.get('floor', []))}-{case.get('card', '')}"


@pytest.mark.parametrize("case", CAPTURES, ids=names)
def test_captures(case):
    rules = setting(case["variant"]).rules
    found = legal(rules, parse_cards(case["floor"]), parse_card(case["card"]), lone_before=case["lone_before"])
    right = [(choice_key(rules, parse_cards(each["taken"])), each["basra"]) for each in case["legal"]]
    assert sorted((choice_key(rules, taken), basra) for taken, basra in found) == sorted(right)


class Script:
    """A scoring function that plays what is written, whoever is on turn."""

    def __init__(self, plays, rules):
        self._plays = [(parse_card(play["card"]), choice_key(rules, parse_cards(play["taken"]))) for play in plays]
        self._rules = rules
        self._hands = None
        self.turn = -1
        self._callback = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_int64))(self._score)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value

    def _score(self, numbers):
        unseen = (numbers[0], numbers[1], numbers[4])
        if unseen != self._hands:
            self._hands, self.turn = unseen, self.turn + 1
        taken = [card for card in range(52) if numbers[TAKEN] >> card & 1]
        return float((numbers[CARD], choice_key(self._rules, taken)) == self._plays[self.turn])


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: f"{case['variant']}-{case['teams']}")
def test_rounds(case):
    table = setting(case["variant"], case["players"], case["players"] == 4 and 3 not in case["teams"])
    script = Script(case["plays"], table.rules)
    plan = Plan(table, (Policy("script", "", None, script),), ((0,) * table.players,))
    deck = np.array([parse_cards(case["deck"])], np.uint8)
    (played,) = plan.play(0, 1, logged=True, carry=case["carry_in"], decks=deck)
    assert script.turn == table.plays - 1
    for play, (card, taken, basra) in zip(case["plays"], played.logs[0].tolist(), strict=True):
        cards = [each for each in range(52) if taken >> each & 1]
        assert card == parse_card(play["card"])
        assert choice_key(table.rules, cards) == choice_key(table.rules, parse_cards(play["taken"]))
        assert basra == play["basra"]
    for score, row in zip(case["scores"], played.rows[0].tolist(), strict=False):
        assert {name: score[name] for name in turns.COLUMNS} == dict(zip(turns.COLUMNS, row, strict=True))
        assert sum(row[1:7]) == score["total"]
    assert played.facts[0, kernel.CARRY_OUT] == case["carry_out"]
