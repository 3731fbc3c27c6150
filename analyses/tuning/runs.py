"""A run of tuning: generation after generation on fresh deals, then what it came to on deals that none has seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analyses.tuning.defaults import (
    DEALS,
    FEWEST_CANDIDATES,
    GENERATIONS,
    MOST_CANDIDATES,
    MOST_GENERATIONS,
    POPULATION,
    ROUNDS,
    START,
)
from analyses.tuning.evaluation import margin_sums, per_round, rounds_a_deal
from analyses.tuning.files import FORMATS, Record, write
from analyses.tuning.league import OWN_PAST, League, league
from analyses.tuning.search import Search, Weights, seed_of, weights_of
from basra_sim import __version__
from basra_sim.deals import SEED_LIMIT
from basra_sim.errors import BasraError, InputError
from basra_sim.executors import Progress
from basra_sim.experiment import duel
from basra_sim.files import output_file
from basra_sim.plans import MOST_UNITS, check_number
from basra_sim.policies import Policy, get_policy
from basra_sim.rules import Setting
from basra_sim.stats import CONFIDENCE, Estimate
from basra_sim.variants import Variant, setting

JUDGES = ("counter", "greedy", "adept")
"""Players whom the result is tried against at the end, besides the start."""

TUNED, BEGUN = "tuned", "start"
"""What the two players are called that are compared at the end."""

UNIT = "points/round"

_DRAWS, _DEALS, _AT_THE_END = range(3)

Note = Callable[[int, float], None]
"""Told the number of generations that are done, and the margin of the last one's mean."""


@dataclass(frozen=True)
class Compared:
    """Margin of a player against another on deals with the seats exchanged, in points a round; deals are its units."""

    player: str
    opponent: str
    margin: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Fields by name, for JSON."""
        figures = {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in self.margin.to_dict().items()
        }
        return {"player": self.player, "opponent": self.opponent, **figures}


@dataclass(frozen=True)
class Tuned:
    """
    Weights that a run came to.

    Attributes
    ----------
    setting : Setting
    weights : dict
        Those of the better one of the tuned player and the start.
    start, final : dict
        Weights that it started from, and those that the search ended at.
    compared : tuple of Compared
        Margins at the end, on deals that the run had not seen.
    provenance : dict
        Where the weights are from: all that the run depended on, and what it found.
    """

    setting: Setting
    weights: Weights
    start: Weights
    final: Weights
    compared: tuple[Compared, ...]
    provenance: Mapping[str, Any]

    @property
    def is_better(self) -> bool:
        """Whether the search has led to a better player than the start."""
        return self.weights == self.final

    def policy(self, name: str = TUNED) -> Policy:
        """The player, under a name."""
        return Policy(name, weights=self.weights)

    def margin(self, player: str, opponent: str) -> Estimate:
        """
        Margin of ``tuned`` or ``start`` against an opponent at the end.

        Raises
        ------
        KeyError
            If they were not compared.
        """
        for each in self.compared:
            if (each.player, each.opponent) == (player, opponent):
                return each.margin
        raise KeyError((player, opponent))

    def to_dict(self) -> dict[str, Any]:
        """A file of weights, by name."""
        return {
            "variant": self.setting.label,
            "players": self.setting.players,
            "pairs": self.setting.pairs,
            "weights": self.weights,
            "provenance": dict(self.provenance),
        }


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a run depends on: see `tune`."""

    variant: str | Variant
    table: Setting
    start: str | Policy
    against: str | None
    generations: int
    population: int
    rounds: int
    deals: int
    seed: int

    def __post_init__(self) -> None:
        """Check the numbers, and that the opponents exist."""
        check_number("generations", self.generations, 1, MOST_GENERATIONS)
        check_number("population", self.population, FEWEST_CANDIDATES, MOST_CANDIDATES)
        check_number("rounds", self.rounds, 1, MOST_UNITS)
        check_number("deals", self.deals, 2, MOST_UNITS)
        check_number("seed", self.seed, 0, SEED_LIMIT - 1)
        for name in self.league.named:
            get_policy(name)

    @property
    def league(self) -> League:
        """Whom it is tuned against."""
        return league(self.against)

    @property
    def starting_point(self) -> Weights:
        """Weights that it starts from."""
        return weights_of(get_policy(self.start), self.table)

    @property
    def deals_a_generation(self) -> dict[str, int]:
        """Deals that each candidate plays against each opponent."""
        return self.league.deals(max(1, self.rounds // rounds_a_deal(self.table)))

    def settings(self) -> dict[str, Any]:
        """All that the result depends on, in values JSON can hold."""
        start = self.start if isinstance(self.start, str) else self.start.name
        return {
            "package": __version__,
            "cma": version("cma"),
            "numpy": version("numpy"),
            "variant": self.table.label,
            "rules": dict(self.table.changes),
            "players": self.table.players,
            "pairs": self.table.pairs,
            "start": start,
            "start_weights": self.starting_point,
            "against": self.against,
            "league": self.league.shares,
            "generations": self.generations,
            "population": self.population,
            "rounds": self.rounds,
            "deals_a_generation": self.deals_a_generation,
            "deals_at_the_end": self.deals,
            "seed": self.seed,
        }


class _Meter:
    """Progress over all that a run plays, in rounds."""

    def __init__(self, run: Run, told: Progress | None) -> None:
        deals = sum(run.deals_a_generation.values()) * rounds_a_deal(run.table)
        self._told, self.done = told, 0
        self.generation = deals * (run.population + 1)
        self._contest = run.deals * rounds_a_deal(run.table)
        self._total = run.generations * self.generation + len(_pairings(run)) * self._contest

    def part(self, rounds_a_unit: int) -> Progress | None:
        """Way to report units of so many rounds each, from here on."""
        told, before = self._told, self.done
        if told is None:
            return None

        def tell(units: int, _: int) -> None:
            self.done = before + units * rounds_a_unit
            told(min(self.done, self._total), self._total)

        return tell


def tune(
    variant: str | Variant = "bastra",
    *,
    players: int = 2,
    pairs: bool = False,
    start: str | Policy = START,
    against: str | None = None,
    generations: int = GENERATIONS,
    population: int = POPULATION,
    rounds: int = ROUNDS,
    deals: int = DEALS,
    seed: int = 1,
    output: Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    note: Note | None = None,
) -> Tuned:
    """
    Tune the weights of a player at a table by CMA-ES.

    Parameters
    ----------
    variant, players, pairs : the rules, and the table
    start : policy whose weights it starts from
    against : the one opponent that the best response to is looked for; if None, a league of `counter`, `greedy` and the
        player's own past
    generations, population : how many generations, and candidates of each
    rounds : rounds that each candidate plays a generation, about; all candidates on the same deals, with the seats
        exchanged
    deals : deals of each comparison at the end
    seed : of all deals and draws
    output : file of weights to write; a run that was interrupted goes on from the file beside it
    threads : how many threads; the result does not depend on it
    progress : called with the rounds done and in all
    note : called after each generation

    Raises
    ------
    InputError
        If something given is impossible, or what an interrupted run left is of other settings.
    """
    table = setting(variant, players, pairs)
    if output is not None:
        output_file(output, FORMATS)
    if against is not None and get_policy(against).search:
        raise InputError(f"against {against}: it searches, and a run against it would take days: name one who does not")
    run = Run(
        variant=variant, table=table, start=start, against=against, generations=generations, population=population,
        rounds=rounds, deals=deals, seed=seed,
    )  # fmt: skip
    meter = _Meter(run, progress)
    record = Record(output, run.settings())
    final = _search(run, record, meter, threads, note)
    found = _judged(run, final, record, meter, threads)
    if output is not None:
        write(output, found.to_dict())
    record.remove()
    return found


def _search(run: Run, record: Record, meter: _Meter, threads: int | None, note: Note | None) -> Weights:
    """Weights that the distribution stands at after all generations; those on record are not played again."""
    search = Search(run.starting_point, run.table, run.population, seed_of(run.seed, _DRAWS))
    means = []
    for generation in range(run.generations):
        means.append(search.mean)
        candidates = search.ask(generation)
        if generation == len(record.generations):
            record.add({"mean": search.mean} | _played(run, means, candidates, meter, threads))
        else:
            meter.done += meter.generation
        kept = record.generations[generation]
        if kept["mean"] != search.mean or len(kept["fitness"]) != run.population:
            raise BasraError(f"{record.path} does not lead to the same candidates here: remove it to begin anew")
        search.tell(kept["fitness"])
        if note is not None:
            note(generation + 1, kept["margin"])
    return search.mean


def _played(
    run: Run, means: list[Weights], candidates: list[Weights], meter: _Meter, threads: int | None
) -> dict[str, Any]:
    """What candidates of a generation and the mean that they are drawn around come to, on deals of their own."""
    generation, table = len(means) - 1, run.table
    tried = [Policy("candidate", weights=each) for each in (*candidates, means[-1])]
    seed, first = seed_of(run.seed, _DEALS, generation), 0
    sums = [0] * len(tried)
    course: dict[str, int] = dict.fromkeys(run.league.shares, 0)
    opponents = run.league.opponents(
        sum(run.deals_a_generation.values()), generation, lambda number: Policy(OWN_PAST, weights=means[number])
    )
    for name, opponent, deals in opponents:
        told = meter.part(rounds_a_deal(table) * len(tried))
        found = margin_sums(table, tried, opponent, seed, first, deals, threads=threads, progress=told)
        sums = [one + more for one, more in zip(sums, found, strict=True)]
        course[name] += found[-1]
        first += deals
    margins = {name: round(per_round(table, course[name], deals), 4) for name, deals in run.deals_a_generation.items()}
    return {"fitness": sums[:-1], "margin": round(per_round(table, sums[-1], first), 4), "margins": margins}


def _judges(run: Run) -> list[str]:
    """Players whom the result and the start are tried against at the end, besides each other."""
    return [name for name in dict.fromkeys([*run.league.named, *JUDGES]) if name != run.start]


def _pairings(run: Run) -> list[tuple[str, str]]:
    """Who is compared with whom at the end."""
    return [(TUNED, BEGUN), *((player, judge) for player in (TUNED, BEGUN) for judge in _judges(run))]


def _judged(run: Run, final: Weights, record: Record, meter: _Meter, threads: int | None) -> Tuned:
    """What the search came to, compared with where it started, on deals that it had not seen."""
    start = {name: run.starting_point[name] for name in final}
    players = {TUNED: Policy(TUNED, weights=final), BEGUN: Policy(BEGUN, weights=start)}
    seed = seed_of(run.seed, _AT_THE_END)
    compared = []
    for player, opponent in _pairings(run):
        told = meter.part(rounds_a_deal(run.table))
        first, second = players[player], players.get(opponent) or get_policy(opponent)
        found = duel(
            first, second, run.variant, players=run.table.players, pairs=run.table.pairs, deals=run.deals, seed=seed,
            threads=threads, progress=told,
        )  # fmt: skip
        compared.append(Compared(player, opponent, found.margin))
    better = _gain(run, compared) > 0
    course = {name: [each["margins"][name] for each in record.generations] for name in run.league.shares}
    provenance = {
        "by": "basra-sim tune",
        **run.settings(),
        "tuned_weights": final,
        "chosen": TUNED if better else BEGUN,
        "course": {"of": "the mean of each generation", "unit": UNIT, **course},
        "at_the_end": {
            "unit": UNIT,
            "units": "deals, each with the seats exchanged",
            "confidence": CONFIDENCE,
            "seed": seed,
            "margins": [each.to_dict() for each in compared],
        },
    }
    return Tuned(run.table, final if better else start, start, final, tuple(compared), provenance)


def _gain(run: Run, compared: Sequence[Compared]) -> float:
    """By how much the tuned player does better than the start, each opponent of the league by its share."""
    value = {(each.player, each.opponent): each.margin.value or 0.0 for each in compared}
    direct = value[TUNED, BEGUN]
    gain = run.league.past * direct
    for name, share in run.league.named.items():
        gain += share * (direct if name == run.start else value[TUNED, name] - value[BEGUN, name])
    return gain
