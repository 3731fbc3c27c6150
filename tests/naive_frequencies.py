"""
How often things happen, a second time: from records, with the readable engine's hands, floors and piles.

Nothing is shared with the compiled count: no masks, no cells, no log. An occasion is a table's name, the values of its
axes by name, and how often it happened.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from basra_sim.cards import JACK, RANKS, SEVEN_OF_DIAMONDS, TEN_OF_DIAMONDS, parse_card, parse_cards, rank_of, value_of
from basra_sim.reference import Round, legal_choices
from basra_sim.rules import Setting

Occasion = tuple[str, tuple[str, ...], int]
NUMERALS = RANKS[:10]
HIGH = ("8", "9", "10", "Q", "K")


@dataclass(frozen=True)
class Moment:
    """A play and what there was before it."""

    card: int
    taken: tuple[int, ...]
    basra: int
    seat: int
    team: int
    floor: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    captured: tuple[int, ...]
    deal: int

    @property
    def rank(self) -> str:
        """Rank of the card by name."""
        return RANKS[rank_of(self.card)]

    @property
    def hand(self) -> tuple[int, ...]:
        """Hand of whoever plays, the card among it."""
        return self.hands[self.seat]

    @property
    def kept(self) -> list[int]:
        """Cards that he keeps."""
        return [card for card in self.hand if card != self.card]


def moments(setting: Setting, record: dict[str, Any]) -> tuple[list[Moment], Round]:
    """Every play of a record, and the round at its end."""
    stock = parse_cards(record["stock"]) if "stock" in record else None
    game = Round(setting, parse_cards(record["deck"]), stock=stock, teams=record["teams"])
    found = []
    sizes = [size * setting.players for size in setting.hand_sizes]
    ends = [sum(sizes[: k + 1]) for k in range(len(sizes))]
    for n, play in enumerate(record["plays"]):
        found.append(
            Moment(
                card=parse_card(play["card"]),
                taken=tuple(parse_cards(play["taken"])),
                basra=play["basra"],
                seat=play["seat"],
                team=record["teams"][play["seat"]],
                floor=tuple(game.floor),
                hands=tuple(tuple(hand) for hand in game.hands),
                captured=tuple(card for pile in game.piles for card in pile),
                deal=sum(end <= n for end in ends) + 1,
            )
        )
        game.play(found[-1].card, found[-1].taken)
    return found, game


def upto(number: int, most: int) -> str:
    """Number as an axis names it that ends with some number or more."""
    return f"{most}+" if number >= most else str(number)


def occasions(setting: Setting, record: dict[str, Any]) -> Iterator[Occasion]:
    """All occasions of a round."""
    plays, end = moments(setting, record)
    deals = len(setting.hand_sizes)
    for n, play in enumerate(plays):
        following = plays[n + 1] if n + 1 < len(plays) else None
        yield from on_floor(play)
        yield from of_numeral(setting, play)
        yield from of_choice(setting, play)
        yield from of_jack(play, play.deal == deals, end)
        yield from of_point_card(setting, play, end)
        if not play.taken:
            yield from of_bait(setting, play)
            if following is not None:
                yield from of_answer(play, following)
        if following is not None and following.deal > play.deal:
            yield from of_deal_end(play, plays[n + 1 : n + 1 + setting.players])
    yield "jack_on_jack", ("round",), sum(takes_lone_jack(play) for play in plays)


def on_floor(play: Moment) -> Iterator[Occasion]:
    if not play.floor:
        return
    made = int(play.basra > 0)
    ranks = [RANKS[rank_of(card)] for card in sorted(play.floor)]
    high = sum(rank in HIGH for rank in ranks)
    yield "board", (upto(len(ranks), 8), upto(high, 8)), made
    if len(ranks) <= 3:
        yield "floors", (" ".join(ranks),), made


def of_numeral(setting: Setting, play: Moment) -> Iterator[Occasion]:
    if play.rank not in NUMERALS or (setting.rules.seven_sweeps and play.card == SEVEN_OF_DIAMONDS):
        return
    summed = [card for card in play.taken if rank_of(card) < rank_of(play.card)]
    if len(play.floor) == 1:
        summed = []
    yield "numeral_cards", (play.rank,), len(play.taken)
    yield "numeral_sums", (play.rank,), len(summed)
    yield "numeral_aces", (play.rank,), sum(value_of(card) == 1 for card in summed)


def of_choice(setting: Setting, play: Moment) -> Iterator[Occasion]:
    ranks = {rank_of(card) for card in play.hand}
    capturing = {rank_of(card) for card in play.hand if legal_choices(setting.rules, play.floor, card)[0].taken}
    yield "choice", ("ranks",), int(len(ranks) > 1)
    yield "choice", ("captures",), int(len(capturing) > 1)
    yield "choice", ("capture or not",), int(bool(capturing) and capturing != ranks)


def takes_lone_jack(play: Moment) -> bool:
    return play.rank == "J" and [rank_of(card) for card in play.floor] == [JACK]


def of_jack(play: Moment, last_deal: bool, end: Round) -> Iterator[Occasion]:
    if play.rank != "J":
        return
    yield "jack_on_jack", ("jack",), int(takes_lone_jack(play))
    if last_deal:
        left = upto(len(play.hand), 6)
        yield "jack_late", ("laid", left), int(not play.taken)
        yield "jack_late", ("lost", left), int(play.card not in end.piles[play.team])


def of_point_card(setting: Setting, play: Moment, end: Round) -> Iterator[Occasion]:
    name = "ace" if play.rank == "A" else "point two" if play.card == setting.rules.two_card else None
    if name and not play.taken:
        where = (name, upto(play.deal, 6), upto(len(play.hand), 6))
        yield "point_card_lost", where, int(play.card not in end.piles[play.team])


def of_bait(setting: Setting, play: Moment) -> Iterator[Occasion]:
    if play.rank not in NUMERALS or not play.kept:
        return
    seen = {*play.captured, *play.floor, play.card, *play.hands[(play.seat + 1) % setting.players]}
    kept = upto(len(play.kept), 5)
    two = setting.rules.two_card
    if two not in seen:
        kind = "two" if play.rank == "2" else "other numeral"
        yield "fishing", (f"{kind}, point two unseen", kept), int(two in play.kept)
    if TEN_OF_DIAMONDS not in seen:
        kind = "ten" if play.rank == "10" else "makes ten" if makes_ten(play) else "other numeral"
        yield "fishing", (f"{kind}, ten of diamonds unseen", kept), int(TEN_OF_DIAMONDS in play.kept)


def makes_ten(play: Moment) -> bool:
    values = [value_of(card) for card in play.floor if value_of(card)]
    groups = (group for size in range(1, 5) for group in combinations(values, size))
    return any(sum(group) + value_of(play.card) == 10 for group in groups)


def of_answer(play: Moment, following: Moment) -> Iterator[Occasion]:
    answered = int(following.basra > 0)
    size = upto(len(play.floor) + 1, 6)
    kind = "numeral" if play.rank in NUMERALS else "jack" if play.rank == "J" else "queen or king"
    yield "answer", (play.rank, size), answered
    yield "answer_kind", (kind, size), answered
    if play.floor:
        return
    matched = int(following.rank == play.rank and play.card in following.taken)
    gone = sum(rank_of(card) == rank_of(play.card) for card in play.captured)
    held = sum(rank_of(card) == rank_of(play.card) for card in play.kept)
    yield "answer_on_empty", (play.rank,), answered
    yield "safe_rank", (play.rank, str(gone)), matched
    yield "safe_deal", (str(3 - gone - held), upto(play.deal, 6)), matched
    yield "safe_known", (str(gone), str(held)), matched


def of_deal_end(play: Moment, turn: Iterable[Moment]) -> Iterator[Occasion]:
    swept = play.taken and len(play.taken) == len(play.floor)
    kind = "rest" if not swept else "jack clears" if play.rank == "J" else "other card clears"
    own = [each.team == play.team for each in turn if each.basra]
    yield "floor_left", (kind, "own"), sum(own)
    yield "floor_left", (kind, "other"), len(own) - sum(own)
    yield "floor_left", (kind, "net"), 2 * sum(own) - len(own)


Cell = tuple[str, tuple[str, ...]]


class NaiveSums:
    """Occasions of some units, in plain numbers."""

    def __init__(self, units: Iterable[list[Occasion]]) -> None:
        """Sum them up: `totals[cell]` (events, hits), `products[cell, cell]` of each two cells of a table."""
        self.totals: dict[Cell, Counter[str]] = defaultdict(Counter)
        self.products: Counter[tuple[Cell, int, Cell, int]] = Counter()
        for unit in units:
            events: Counter[Cell] = Counter()
            hits: Counter[Cell] = Counter()
            for table, where, times in unit:
                events[table, where] += 1
                hits[table, where] += times
            for one in events:
                self.totals[one].update(events=events[one], hits=hits[one])
                for other in events:
                    if one[0] == other[0]:
                        for a, first in enumerate((events[one], hits[one])):
                            for b, second in enumerate((events[other], hits[other])):
                                self.products[one, a, other, b] += first * second
