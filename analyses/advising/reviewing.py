"""Recorded rounds reviewed: what each play cost against the best that its player could know of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import numpy as np

from analyses.advising.advice import PLAYER, weighing, words
from analyses.advising.valuing import Valued, estimate, value_plays
from basra_sim.cards import Card, card_name, card_names, card_set, parse_cards
from basra_sim.errors import InputError
from basra_sim.executors import Progress, chunks, in_order, thread_count
from basra_sim.plans import check_number
from basra_sim.policies import Policy
from basra_sim.records import read_records
from basra_sim.reference import Replay, Round, Step, choice_key, replay_all
from basra_sim.search.situations import Move, Past, Situation
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, MANY, Estimate, quantile

if TYPE_CHECKING:
    import pandas as pd

WAYS, FEWEST_WAYS, MOST_WAYS = 1_000, 100, 1_000_000
"""Ways in which the hidden cards of a decision are laid: by default, at least and at most."""

DOUBT = 0.1
"""Chance, as a player thinks, that another's play is not the one he would expect of him."""

_STREAMS = 64
"""Streams of a round, one for each of its plays."""


class Decision(NamedTuple):
    """
    A play of a recorded round that had a choice.

    Attributes
    ----------
    place : str
        Where the record stands, such as ``line 3``.
    round : int
        Number of the round in the file, from 1.
    play : int
        Number of the play in the round, from 1.
    seat, player : int
        Who played; players are numbered as they sit in the first round of a match.
    hand, floor : tuple of Card
    moves : tuple of Move
        The legal plays.
    margins : tuple of Estimate
        What each comes to: points of the own side from now on less the mean of the others'.
    played, best : int
        Numbers of the play that was made and of the best one.
    cost : Estimate
        Points by which the best play is better than the one that was made.
    error : float
        Standard error of the cost.
    solved : bool
        Whether the ending was solved; the cost is then exact, against perfect play.
    """

    place: str
    round: int
    play: int
    seat: int
    player: int
    hand: tuple[Card, ...]
    floor: tuple[Card, ...]
    moves: tuple[Move, ...]
    margins: tuple[Estimate, ...]
    played: int
    best: int
    cost: Estimate
    error: float
    solved: bool

    @property
    def is_sure(self) -> bool:
        """Whether the play cost something beyond chance."""
        return self.cost.low is not None and self.cost.low > 0


@dataclass(frozen=True, repr=False)
class Review:
    """
    What the plays of recorded rounds cost.

    Attributes
    ----------
    decisions : tuple of Decision
        Plays that had a choice, as they were made.
    rounds : int
    policy : str
        How all are taken to play on.
    ways, seed : int
    """

    decisions: tuple[Decision, ...]
    rounds: int
    policy: str
    ways: int
    seed: int

    def __repr__(self) -> str:
        """One line."""
        return f"<Review: {self._words}; {len(self.mistakes):,} of them not the best>"

    @property
    def _words(self) -> str:
        """What was reviewed."""
        what = f"{self.rounds:,} rounds, {len(self.decisions):,} plays that had a choice"
        return f"{what}, {self.ways:,} ways each, seed {self.seed}"

    def _repr_html_(self) -> str:
        """The plays that were not the best, the costliest first."""
        rows = [
            [
                f"{each.round}, play {each.play}",
                str(each.player),
                *(" ".join(card_names(list(cards))) for cards in (each.hand, each.floor)),
                words(each.moves[each.played]),
                words(each.moves[each.best]),
                str(each.cost),
                "yes" if each.is_sure else "no",
            ]
            for each in self.mistakes
        ]
        headings = ["round", "player", "hand", "floor", "played", "better", "cost", "beyond chance"]
        caption = f"Plays that were not the best: {self._words}. Cost in points of the margin, at {CONFIDENCE:.0%} "
        caption += "confidence over the ways in which hidden cards may lie."
        return html(html_table(caption, headings, rows, (6,), ".table"))

    @property
    def mistakes(self) -> list[Decision]:
        """Plays that were not the best, the costliest first; those that may be chance after all others."""
        wrong = [each for each in self.decisions if each.played != each.best and (each.cost.value or 0.0) > 0]
        return sorted(wrong, key=lambda each: (not each.is_sure, -(each.cost.value or 0.0)))

    def costs(self, by: tuple[str, ...] = ("round", "seat")) -> dict[tuple[int, ...], Estimate]:
        """Cost of all plays together, by fields of the decisions; each interval rests on the ways alone."""
        groups: dict[tuple[int, ...], list[Decision]] = {}
        for each in self.decisions:
            groups.setdefault(tuple(getattr(each, name) for name in by), []).append(each)
        return {key: _together(groups[key]) for key in sorted(groups)}

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each play that had a choice, as they were made."""
        import pandas as pd

        rows = []
        for row in self.to_dict()["decisions"]:
            cost = row.pop("cost")
            row.pop("plays")
            for name in ("hand", "floor"):
                row[name] = " ".join(row[name])
            for name in ("played", "best"):
                row |= {name: row[name]["card"], f"{name}_taken": " ".join(row[name]["taken"])}
            rows.append(row | {"cost": cost["estimate"], "cost_low": cost["low"], "cost_high": cost["high"]})
        return pd.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        return {
            "rounds": self.rounds,
            "policy": self.policy,
            "ways": self.ways,
            "doubt": DOUBT,
            "seed": self.seed,
            "confidence": CONFIDENCE,
            "costs": [
                {"round": key[0], "seat": key[1], "player": key[2]} | found.to_dict()
                for key, found in self.costs(("round", "seat", "player")).items()
            ],
            "decisions": [_row(each) for each in self.decisions],
        }


def review(
    source: str | PathLike[str] | TextIO | Sequence[Mapping[str, Any]],
    *,
    seat: int | None = None,
    player: int | None = None,
    policy: str | Policy = PLAYER,
    ways: int = WAYS,
    seed: int = 1,
    threads: int | None = None,
) -> Review:
    """
    Review recorded rounds: see `review_rounds`.

    Parameters
    ----------
    source
        Path of a file of records, ``-`` for standard input, an open text stream, or a sequence of records.

    Raises
    ------
    RecordError
        If a record cannot be read, or is not what the rules give.
    """
    records: Iterable[tuple[int, Mapping[str, Any]]]
    if isinstance(source, Sequence) and not isinstance(source, str):
        records = enumerate(source, 1)
    else:
        records = read_records(source)
    return review_rounds(
        replay_all(records), seat=seat, player=player, policy=policy, ways=ways, seed=seed, threads=threads
    )


def review_rounds(
    rounds: Iterable[Replay],
    *,
    seat: int | None = None,
    player: int | None = None,
    policy: str | Policy = PLAYER,
    ways: int = WAYS,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Review:
    """
    What each play of recorded rounds cost against the best its player could know of.

    Parameters
    ----------
    rounds : rounds as they were replayed
    seat, player : whose plays are reviewed; everybody's by default
    policy : by whose weights all are taken to play on
    ways : ways in which the hidden cards of a decision are laid
    seed, threads : the result does not depend on the number of threads
    progress : told of the rounds that are done

    Raises
    ------
    InputError
        If something given is impossible.

    Notes
    -----
    A player is taken to remember all cards. Ways of the hidden cards count by how far they explain what the others have
    played in the deal. The best play is chosen by one half of the ways and its lead measured by the other half, so that
    what is best by chance is not counted as a cost: costs are on average not too high, and a little too low where plays
    are close. Where it is certain where all cards lie, in the last deal of two sides, they are exact.
    """
    judge = weighing(policy)
    check_number("ways", ways, FEWEST_WAYS, MOST_WAYS)
    decisions: list[Decision] = []
    number = 0
    for number, each in enumerate(rounds, 1):
        for what, which in (("seat", seat), ("player", player)):
            if which is not None:
                check_number(what, which, 0, each.record["players"] - 1)
        asked = [
            (step, situation)
            for step, situation in situations(each)
            if seat in (None, step.seat) and player in (None, _player(each, step.seat)) and len(situation.moves) > 1
        ]
        decisions += _judged(each, number, asked, judge, ways, seed, threads)
        if progress:
            progress(number, number)
    return Review(tuple(decisions), number, judge.name, ways, seed)


def _judged(
    each: Replay,
    number: int,
    asked: list[tuple[Step, Situation]],
    judge: Policy,
    ways: int,
    seed: int,
    threads: int | None,
) -> Iterator[Decision]:
    """Decisions of a round."""

    def one(first: int, _: int) -> Decision:
        step, situation = asked[first]
        moves, played = _moves(situation, step)
        stream = (number - 1) * _STREAMS + step.number
        found = value_plays(
            situation, judge, ways=ways, seed=seed, number=stream, doubt=DOUBT, moves=moves, threads=1
        )  # fmt: skip
        best, cost, error = judged(found, played)
        margins = tuple(estimate(found.margins[:, k]) for k in range(len(moves)))
        return Decision(
            place=each.place,
            round=number,
            play=step.number,
            seat=step.seat,
            player=_player(each, step.seat),
            hand=step.hand,
            floor=step.floor,
            moves=moves,
            margins=margins,
            played=played,
            best=best,
            cost=cost,
            error=error,
            solved=found.solved,
        )

    if asked:
        yield one(0, 1)  # what is yet to be compiled is compiled in this thread
        yield from in_order(one, chunks(1, len(asked) - 1, 1), thread_count(threads))


def judged(found: Valued, played: int) -> tuple[int, Estimate, float]:
    """
    Best play by one half of the ways, and its lead over the play that was made by the other half.

    Returns
    -------
    best : int
    cost : Estimate
    error : float
        Standard error of the cost.
    """
    ways = len(found.margins)
    half = ways // 2
    means = found.margins[: half or ways].mean(axis=0)
    best = played if means[played] == means.max() else int(np.argmax(means))
    if best == played:
        return best, Estimate(0.0, 0.0, 0.0, ways - half), 0.0
    apart = found.margins[half:, best] - found.margins[half:, played]
    if len(apart) == 1:
        return best, Estimate(float(apart[0]), float(apart[0]), float(apart[0]), 1), 0.0
    return best, estimate(apart), float(apart.std(ddof=1)) / len(apart) ** 0.5


def situations(each: Replay) -> Iterator[tuple[Step, Situation]]:
    """Plays of a round, and what their players knew."""
    record, setting = each.record, each.setting
    stock = list(each.opening.stock) if "stock" in record else None
    played = Round(setting, parse_cards(record["deck"]), stock=stock, carry_in=each.carry_in)
    buried = set(each.opening.buried) if setting.rules.bury_to == "bottom" else set()
    outside = ~((1 << setting.rules.pack) - 1)
    seen: list[int] = []
    floors: list[int] = []
    for step in each.steps:
        hands = [tuple(buried.intersection(hand)) * (place != step.seat) for place, hand in enumerate(played.hands)]
        yield (
            step,
            Situation(
                setting,
                step.number - 1,
                tuple(played.hands[step.seat]),
                tuple(played.floor),
                tuple(map(tuple, played.piles)),
                tuple(map(sum, played.basras)),
                played.last_capture,
                bottom=tuple(card for card in played.stock if card in buried),
                held=(*hands, *((),) * (4 - len(hands))),
                lone_before=played.lone_before,
                carry=each.carry_in,
                past=Past(tuple(seen), tuple(floors)),
            ),
        )
        floors.append(card_set(played.floor))
        seen.append(outside | card_set(card for pile in (*played.piles, played.floor) for card in pile))
        played.play(step.card, step.choice.taken)


def _moves(situation: Situation, step: Step) -> tuple[tuple[Move, ...], int]:
    """Legal plays, with the very cards taken in the one that was made, and its number."""
    rules = situation.setting.rules
    made = step.card, choice_key(rules, step.choice.taken)
    for number, move in enumerate(situation.moves):
        if (move.card, choice_key(rules, move.taken)) == made:
            very = move._replace(taken=tuple(sorted(step.choice.taken)))
            return (*situation.moves[:number], very, *situation.moves[number + 1 :]), number
    raise InputError(f"play {step.number}: {card_name(step.card)} is not among the legal plays: please report it")


def _player(each: Replay, seat: int) -> int:
    """Player in a seat."""
    return each.record["seating"][seat] if "seating" in each.record else seat


def _together(decisions: list[Decision]) -> Estimate:
    """Cost of several plays together."""
    total = sum(each.cost.value or 0.0 for each in decisions)
    half = quantile(MANY) * sum(each.error**2 for each in decisions) ** 0.5
    return Estimate(total, total - half, total + half, len(decisions))


def _row(each: Decision) -> dict[str, Any]:
    """A decision by name, for JSON."""

    def named(move: Move) -> dict[str, Any]:
        return {"card": card_name(move.card), "taken": card_names(list(move.taken)), "basra": move.basra}

    return {
        "place": each.place,
        "round": each.round,
        "play": each.play,
        "seat": each.seat,
        "player": each.player,
        "hand": card_names(list(each.hand)),
        "floor": card_names(list(each.floor)),
        "played": named(each.moves[each.played]),
        "best": named(each.moves[each.best]),
        "cost": each.cost.to_dict(),
        "solved": each.solved,
        "plays": [
            named(move) | {"margin": margin.to_dict()} for move, margin in zip(each.moves, each.margins, strict=True)
        ],
    }
