"""What to play: every legal play of a situation with what it comes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyses.advising.reading import Cards, Read, Told, read_score, read_situation
from analyses.advising.valuing import Lead, Valued, estimate, lead, value_plays
from analyses.claims.match_value import Chances, shares_of, turned
from basra_sim.cards import card_name, card_names
from basra_sim.deals import SEED_LIMIT
from basra_sim.errors import InputError
from basra_sim.executors import Progress
from basra_sim.plans import Plan, check_number
from basra_sim.policies import Policy, get_policy
from basra_sim.policies.weighing import WEIGHTED
from basra_sim.rules import Setting
from basra_sim.search.situations import Move
from basra_sim.showing import html, html_table
from basra_sim.stats import CONFIDENCE, Estimate, as_share, share
from basra_sim.variants import Variant, setting

if TYPE_CHECKING:
    import pandas as pd

WAYS, FEWEST_WAYS, MOST_WAYS = 10_000, 100, 10_000_000
"""Ways in which the hidden cards are laid: by default, at least and at most."""

MATCH_ROUNDS = 20_000
"""Rounds from which it is worked out what a score is worth."""

PLAYER = "champion"
"""Who plays on."""


class Option(NamedTuple):
    """
    A legal play and what it comes to.

    Attributes
    ----------
    move : Move
        Card, cards taken, points of its basra.
    margin : Estimate
        Points of the own side from now on less the mean of the others', those for most cards among them.
    match : Estimate or None
        Chance of the own side to win the match; None where there are more than two.
    reply : Estimate
        Chance that the next player makes a basra at once.
    behind : Lead or None
        How much better the best play is, in the same ways; None of the best itself.
    """

    move: Move
    margin: Estimate
    match: Estimate | None
    reply: Estimate
    behind: Lead | None

    @property
    def card(self) -> str:
        """Name of the card."""
        return card_name(self.move.card)

    @property
    def taken(self) -> list[str]:
        """Names of the cards taken."""
        return card_names(list(self.move.taken))


def words(move: Move) -> str:
    """A play in words."""
    taken = " ".join(card_names(list(move.taken)))
    return f"{card_name(move.card)} takes {taken}" if taken else f"{card_name(move.card)} is laid"


@dataclass(frozen=True, repr=False)
class Advice:
    """
    What to play in a situation.

    Attributes
    ----------
    read : Read
        The situation, and what was taken for granted in it.
    policy : str
        How all play on.
    options : tuple of Option
        Legal plays, the best first.
    ways : int
        Ways in which the hidden cards were laid; 1 where nothing is hidden.
    seed : int
    solved : bool
        Whether both sides play on perfectly; then margins are exact.
    sure : bool
        Whether there is one way alone.
    score : tuple of int, or None
        Points of the own side and of the other before the round.
    """

    read: Read
    policy: str
    options: tuple[Option, ...]
    ways: int
    seed: int
    solved: bool
    sure: bool
    score: tuple[int, int] | None

    @property
    def best(self) -> Option:
        """The best play."""
        return self.options[0]

    @property
    def setting(self) -> Setting:
        """Rules and players."""
        return self.read.situation.setting

    def __repr__(self) -> str:
        """Two lines."""
        return f"<Advice: {self._words}\n  best: {words(self.best.move)}, margin {self.best.margin}>"

    @property
    def _words(self) -> str:
        """The situation and how it was weighed."""
        at = self.read.situation
        hand, floor = (" ".join(card_names(list(cards))) for cards in (at.hand, at.floor))
        return f"{self.setting}, hand {hand}, floor {floor or 'empty'}, {self.ways:,} ways, seed {self.seed}"

    def _repr_html_(self) -> str:
        """Every legal play and what it comes to."""
        rows = []
        for option in self.options:
            behind = "" if option.behind is None else str(option.behind.estimate)
            told = "" if option.behind is None else "yes" if option.behind.real else "no"
            match = option.match.scaled(100).texts if option.match else ("-", "-", "-")
            basra = "-" if option.reply.value is None else f"{100 * option.reply.value:.1f}"
            rows.append([words(option.move), *option.margin.texts, *match, basra, behind, told])
        headings = ["play", "margin", "low", "high", "match %", "low", "high", "basra %", "behind the best", "for sure"]
        kind = "Exact: both sides play on perfectly." if self.solved else f"All play on as {self.policy}."
        caption = f"{self._words}. {kind} Margins are points still to be won, less the others'; match: the chance to "
        caption += "win it; basra: the chance that the next player makes one at once. "
        caption += f"Intervals at {CONFIDENCE:.0%} confidence, those behind the best for all pairs of plays together."
        return html(html_table(caption, headings, rows, range(1, 9)))

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each legal play, the best first: what `to_dict` has of each."""
        import pandas as pd

        rows = []
        for row in self.to_dict()["plays"]:
            flat = {"card": row["card"], "taken": " ".join(row["taken"]), "basra": row["basra"]}
            for name in ("margin", "match", "reply", "behind"):
                found = row[name] or {}
                flat |= {
                    name: found.get("estimate"),
                    f"{name}_low": found.get("low"),
                    f"{name}_high": found.get("high"),
                }
            rows.append(flat | {"real": row["behind"]["real"] if row["behind"] else None})
        return pd.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        at = self.read.situation
        return {
            "variant": self.setting.label,
            "players": self.setting.players,
            "pairs": self.setting.pairs,
            "rules": dict(self.setting.changes),
            "hand": card_names(list(at.hand)),
            "floor": card_names(list(at.floor)),
            "deal": at.place[0] + 1,
            "seat": at.seat,
            "placed": self.read.placed,
            "last_capture": at.last,
            "last_capture_known": self.read.last_known,
            "lost": at.lost,
            "carry": at.carry,
            "score": None if self.score is None else list(self.score),
            "policy": self.policy,
            "solved": self.solved,
            "sure": self.sure,
            "ways": self.ways,
            "seed": self.seed,
            "match_rounds": None if self.score is None else MATCH_ROUNDS,
            "confidence": CONFIDENCE,
            "plays": [_row(option) for option in self.options],
        }


def advise(
    variant: str | Variant,
    *,
    hand: Cards,
    floor: Cards,
    score: str | Sequence[int] | None = None,
    basras: str | Sequence[int] | None = None,
    players: int = 2,
    pairs: bool = False,
    changes: Mapping[str, object] | None = None,
    policy: str | Policy = PLAYER,
    ways: int = WAYS,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    **told: Any,
) -> Advice:
    """
    What every legal play of a situation comes to, the best first.

    Parameters
    ----------
    variant : name, path of a person's own variant file, or Variant
    hand, floor : cards, as text or names
    score, basras : points of the own side and of the other before the round, and of their basras in it; of two sides
    players, pairs : 2, 3 or 4 players; four may play in pairs
    changes : options that differ from the variant
    policy : by whose weights all play on
    ways : ways in which the hidden cards are laid
    seed, threads : the result does not depend on the number of threads
    progress : called with the ways that are played out and all of them
    **told : seen, mine, theirs, deal, seat, last, lone_before, carry: see `Told`

    Raises
    ------
    InputError
        If the situation cannot come up, or something given is impossible.

    Notes
    -----
    Cards that must be captured by now but are not named are drawn from those not seen, like all hidden cards.
    Intervals are those of the ways; those of leads hold for all pairs of plays together (Bonferroni). Where it is
    certain where all cards lie, in the last deal of two sides, both play on perfectly, and figures are exact.
    """
    table = setting(variant, players, pairs, changes)
    player = weighing(policy)
    check_number("ways", ways, FEWEST_WAYS, MOST_WAYS)
    check_number("seed", seed, 0, SEED_LIMIT - 1)
    counted = _score(table, score, basras)
    read = read_situation(table, Told(hand, floor, basras=read_score(basras, "basras") or (0, 0), **told))
    found = value_plays(read.situation, player, ways=ways, seed=seed, threads=threads, progress=progress)
    chances = None if counted is None else score_chances(table, player, seed, threads)
    options = _options(found, read.situation.team, counted, chances)
    return Advice(read, player.name, options, len(found.margins), seed, found.solved, found.sure, counted)


def score_chances(table: Setting, player: Policy, seed: int, threads: int | None = None) -> Chances:
    """Chances to win a match by its score, among players of one policy."""
    weights = tuple(sorted(player.weights_for(table).items()))
    return _chances(table, weights, seed, MATCH_ROUNDS, threads)


@lru_cache(maxsize=32)
def _chances(
    table: Setting, weights: tuple[tuple[str, float], ...], seed: int, rounds: int, threads: int | None
) -> Chances:
    """Chances to win a match, from so many rounds."""
    planned = Plan(table, (Policy("alike", "", dict(weights)),), ((0,) * table.players,), seed)
    moving = shares_of(planned, rounds, threads)
    return Chances(table.rules.target, moving, turned(moving))


def weighing(policy: str | Policy) -> Policy:
    """Policy by which can be played on."""
    found = get_policy(policy)
    if found.kind != WEIGHTED or found.slips:
        raise InputError(f"policy {found.name} does not weigh features alone: nobody can play on by it here")
    return found


def _score(
    table: Setting, score: str | Sequence[int] | None, basras: str | Sequence[int] | None
) -> tuple[int, int] | None:
    """Score before the round; None where there are more than two sides."""
    if table.team_count > 2:
        for name, given in (("score", score), ("basras", basras)):
            if given is not None:
                raise InputError(
                    f"{name} is for two sides: with {table.team_count} the chance to win the match is not worked out"
                )
        return None
    found = read_score(score) or (0, 0)
    if max(found) >= table.rules.target:
        raise InputError(f"score {found[0]}-{found[1]} is not possible: the match ends at {table.rules.target}")
    return found


def _options(found: Valued, team: int, score: tuple[int, int] | None, chances: Chances | None) -> tuple[Option, ...]:
    """Legal plays, the best first."""
    means = found.margins.mean(axis=0)
    order = sorted(range(len(found.moves)), key=lambda k: (-means[k], k))
    ways, options = len(found.margins), []
    for k in order:
        match = None
        if chances is not None and score is not None:
            own, other = found.totals[:, k, team] + score[0], found.totals[:, k, 1 - team] + score[1]
            match = as_share(estimate(chances.won(np.full(ways, team), own, other)))
        replies = int((found.replies[:, k] > 0).sum())
        reply = Estimate(float(replies), None, None, 1) if found.sure else share(replies, ways)
        behind = None if k == order[0] else lead(found.margins, order[0], k)
        options.append(Option(found.moves[k], estimate(found.margins[:, k]), match, reply, behind))
    return tuple(options)


def _row(option: Option) -> dict[str, Any]:
    """A play by name, for JSON."""
    behind = option.behind
    return {
        "card": option.card,
        "taken": option.taken,
        "basra": option.move.basra,
        "margin": option.margin.to_dict(),
        "match": None if option.match is None else option.match.to_dict(),
        "reply": option.reply.to_dict(),
        "behind": None
        if behind is None
        else behind.estimate.to_dict() | {"comparisons": behind.comparisons, "real": behind.real},
    }
