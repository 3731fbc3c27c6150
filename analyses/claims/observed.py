"""Advice that says how often something happens: what it predicts, written down before it was counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analyses.balance import leads
from analyses.balance.evaluation import Evaluation, unpaired
from analyses.balance.worth import Worth
from analyses.frames import estimates
from analyses.frequencies import Cells, contrast, portion
from basra_sim.frequencies import Counts
from basra_sim.stats import Estimate
from basra_sim.variants import variant, variant_names

ABOVE, BELOW = "above", "below"
"""What a prediction says of the truth and its bound."""

ALMOST_ALWAYS, LIKELY, SELDOM, RARE = 3 / 4, 2 / 3, 1 / 4, 1 / 20
"""What the advice's words are taken for, as shares of the cases: at least so many, or at most."""

COUNTS, LEADS, BALANCE, WORTH, COMPANY = "counts", "leads", "balance", "worth", "company"
"""
What a quantity is made of: counts of plays; the frame of `leads`; measures of a table of equal players; the worth of
the cards; measures at tables of several sizes.
"""

MATCHES, ROUNDS = "of matches", "of rounds"

Tables = Mapping[tuple[str, str], Evaluation]
"""Evaluations at tables of several sizes, by table and measure."""

THREE = ("bastra", "egyptian", "palestinian")
"""Rules by which most things are counted, those that are judged by first."""

EVERY = tuple(variant_names())
SWEEPING = tuple(name for name in EVERY if variant(name).rules.seven_sweeps)
"""All rules; those by which the seven of diamonds takes everything."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """
    One quantity that a piece of advice speaks of, and what it says.

    Attributes
    ----------
    claim : str
        Name of the claim.
    name : str
        What tells it from the claim's others.
    quantity : str
        What is measured, in words.
    expects : str
        `ABOVE` or `BELOW` the bound.
    bound : float
        0 for a difference.
    because : str
        Why these words of the advice are taken for this bound, a sentence.
    smallest : float or None
        Smallest difference that matters; None where the bound is not 0.
    unit : str
    of : str
        What it is made of, `COUNTS` …
    estimate : function
        From that to the estimate.
    primary : bool
        Whether the claim's outcome rests on it; else it is explored besides.
    variant : str
        The rules by which it is judged, for two players.
    variants : tuple of str
        All rules by which it is counted.
    pairs : bool
        Whether it is explored for two pairs as well.
    """

    claim: str
    name: str
    quantity: str
    expects: str
    because: str
    unit: str
    estimate: Callable[[Any], Estimate]
    bound: float = 0.0
    smallest: float | None = None
    of: str = COUNTS
    primary: bool = True
    variant: str = "bastra"
    variants: tuple[str, ...] = THREE
    pairs: bool = False


def _share(table: str, cells: Cells) -> Callable[[Counts], Estimate]:
    """Share, or mean, over some cells of a table."""
    return lambda counts: portion(counts, table, cells)


def _difference(table: str, plus: Cells, minus: Cells, within: str | None = None) -> Callable[[Counts], Estimate]:
    """Difference between two parts of a table."""
    return lambda counts: contrast(counts, table, plus, minus, within=within)


def _row(**where: str) -> Callable[[pd.DataFrame], Estimate]:
    """The one row of a frame that has some values."""

    def found(frame: pd.DataFrame) -> Estimate:
        for column, value in where.items():
            frame = frame[frame[column] == value]
        (estimate,) = estimates(frame)
        return estimate

    return found


def _measure(name: str) -> Callable[[Evaluation], Estimate]:
    """A measure of a table."""
    return lambda found: found.estimate(name)


def _over_three(company: str, measure: str, part: str = "") -> Callable[[Tables], Estimate]:
    """A measure at a table less that among three, who play deals of their own."""

    def found(tables: Tables) -> Estimate:
        return unpaired(tables["3", measure].estimate(measure, part), tables[company, measure].estimate(measure, part))

    return found


LATE, EARLY = {"left": ("1", "2")}, {"left": ("3", "4", "5", "6+")}
_LOW, _HIGH = {"rank": ("2", "3", "4")}, {"rank": ("8", "9", "10")}
_DIFFER = "The words compare, so there must be a difference in that direction."


def _of_laid_early(card: str, name: str) -> tuple[Prediction, ...]:
    """Predictions on a point card laid."""
    return (
        Prediction(
            claim="ace-early",
            name=f"{name} laid early",
            quantity=f"{name}s laid with two cards or more still in hand that the layer's side does not get back",
            expects=ABOVE,
            bound=ALMOST_ALWAYS,
            because="“Almost always lost” is taken for more than three of four cases.",
            unit="of cards laid",
            estimate=_share("point_card_lost", {"card": (card,), **EARLY}),
        ),
        Prediction(
            claim="ace-early",
            name=f"{name} laid early or late",
            quantity=f"{name}s lost when laid with two cards or more still in hand, less those lost when laid later",
            expects=ABOVE,
            because="“Early” says that it is lost less often when it is laid late.",
            smallest=0.02,
            unit="of cards laid",
            estimate=_difference("point_card_lost", {"card": (card,), **EARLY}, {"card": (card,), **LATE}),
            primary=False,
        ),
    )


_PLAYS = (
    Prediction(
        claim="memory-safe-rank",
        name="two gone",
        quantity="cards laid on an empty floor, two of whose rank are gone and one unseen, that the next play matches",
        expects=BELOW,
        bound=1 - LIKELY,
        because="“Likely safe” is taken for at least two of three cases, less than “almost always”.",
        unit="of cards laid",
        estimate=_share("safe_known", {"gone": ("2",), "held": ("0",)}),
    ),
    Prediction(
        claim="memory-safe-rank",
        name="one unseen or three",
        quantity="cards laid so with one of their rank unseen that are matched, less those with three, in like deals",
        expects=BELOW,
        because="Remembering what is gone helps only if the fewer of a rank are unseen, the less often it is matched.",
        smallest=0.02,
        unit="of cards laid",
        estimate=_difference("safe_deal", {"unseen": ("1",)}, {"unseen": ("3",)}, "deal"),
    ),
    *_of_laid_early("ace", "ace"),
    *_of_laid_early("point two", "point two"),
    Prediction(
        claim="jack-last-deal",
        name="lost as last card",
        quantity="jacks of the last deal that are lost when they are a player's last card, less those lost before",
        expects=ABOVE,
        because="“In time” says that a jack kept to the last card is lost more often than one played before.",
        smallest=0.02,
        unit="of jacks played",
        estimate=_difference(
            "jack_late", {"what": ("lost",), "left": ("1",)}, {"what": ("lost",), "left": ("2", "3", "4", "5", "6+")}
        ),
        pairs=True,
    ),
    Prediction(
        claim="jack-last-deal",
        name="laid as last card",
        quantity="jacks that are a player's last card of the last deal and find an empty floor",
        expects=ABOVE,
        bound=SELDOM,
        because="The warning is worth giving if it happens more often than seldom.",
        unit="of jacks played",
        estimate=_share("jack_late", {"what": ("laid",), "left": ("1",)}),
        primary=False,
        pairs=True,
    ),
    *(
        Prediction(
            claim="jack-opens-floor",
            name=f"{side} basras",
            quantity=f"{words} in the next turn of each player, after a jack clears the floor at the end of a deal, "
            "less those after a play that does not clear it",
            expects=expects,
            because=why,
            smallest=0.005,
            unit="basras/play",
            estimate=_difference(
                "floor_left", {"play": ("jack clears",), "side": (side,)}, {"play": ("rest",), "side": (side,)}
            ),
            primary=side == "net",
            pairs=True,
        )
        for side, words, expects, why in (
            ("net", "own basras less those of the others", ABOVE, "Whoever clears the floor is said to gain by it."),
            ("own", "own basras", ABOVE, "The others must lay on an empty floor, which is said to make basras."),
            ("other", "basras of the others", BELOW, "On an empty floor they can make none at once."),
        )
    ),
    Prediction(
        claim="faces-block",
        name="onto cards",
        quantity="queens and kings laid onto cards that the next play answers with a basra, less numerals onto as many",
        expects=BELOW,
        because="“Safe” and “stops basras” say that fewer follow than after a numeral.",
        smallest=0.005,
        unit="of cards laid",
        estimate=_difference(
            "answer_kind",
            {"laid": ("queen or king",), "size": ("2", "3", "4", "5", "6+")},
            {"laid": ("numeral",), "size": ("2", "3", "4", "5", "6+")},
            "size",
        ),
        pairs=True,
    ),
    Prediction(
        claim="faces-block",
        name="on an empty floor",
        quantity="queens and kings laid on an empty floor that the next play answers with a basra, less numerals",
        expects=BELOW,
        because="“Safe” says that fewer follow than after a numeral.",
        smallest=0.005,
        unit="of cards laid",
        estimate=_difference(
            "answer_kind", {"laid": ("queen or king",), "size": ("1",)}, {"laid": ("numeral",), "size": ("1",)}
        ),
        primary=False,
        pairs=True,
    ),
    Prediction(
        claim="low-first",
        name="cards by sums",
        quantity="cards that eights to tens take by sums, less those that twos to fours take",
        expects=ABOVE,
        because=_DIFFER,
        smallest=0.05,
        unit="cards/play",
        estimate=_difference("numeral_sums", _HIGH, _LOW),
    ),
    Prediction(
        claim="low-first",
        name="cards in all",
        quantity="cards that eights to tens take, less those that twos to fours take",
        expects=ABOVE,
        because=_DIFFER,
        smallest=0.05,
        unit="cards/play",
        estimate=_difference("numeral_cards", _HIGH, _LOW),
        primary=False,
    ),
    Prediction(
        claim="high-takes-aces",
        name="aces by sums",
        quantity="aces that eights to tens take by sums, less those that twos to fours take",
        expects=ABOVE,
        because=_DIFFER,
        smallest=0.005,
        unit="aces/play",
        estimate=_difference("numeral_aces", _HIGH, _LOW),
    ),
    *(
        Prediction(
            claim="high-board-safe",
            name=f"{size} cards",
            quantity=f"plays that make a basra on {size} high cards, less those on {size} others",
            expects=BELOW,
            because=_DIFFER,
            smallest=0.01,
            unit="of plays",
            estimate=_difference(
                "board", {"size": (size,), "high_cards": (size,)}, {"size": (size,), "high_cards": ("0",)}
            ),
        )
        for size in ("2", "3", "4")
    ),
    *(
        Prediction(
            claim="fishing-read",
            name=name,
            quantity=f"{words}: how often he holds {card}, less the same of other numerals with as many cards kept",
            expects=ABOVE,
            because="“Be alert” says that whoever lays the bait holds the card more often than others do.",
            smallest=0.02,
            unit="of cards laid",
            estimate=_difference("fishing", {"laid": (bait,)}, {"laid": (f"other numeral, {card} unseen",)}, "kept"),
        )
        for name, words, card, bait in (
            ("a two", "who lays a plain two", "point two", "two, point two unseen"),
            ("a ten", "who lays a plain ten", "ten of diamonds", "ten, ten of diamonds unseen"),
            ("a sum of ten", "who makes a sum of ten", "ten of diamonds", "makes ten, ten of diamonds unseen"),
        )
    ),
    Prediction(
        claim="rare-events",
        name="jack takes a lone jack",
        quantity="jacks played that take a lone jack",
        expects=BELOW,
        bound=RARE,
        because="“Rare” is taken for less than one of twenty cases.",
        unit="of jacks played",
        estimate=_share("jack_on_jack", {"per": ("jack",)}),
    ),
)

_COMPANY = (("two", "among two", "2"), ("pairs", "among two pairs", "pairs"), ("four", "among four singles", "4"))

_RESULTS = (
    *(
        Prediction(
            claim="rare-events",
            name=f"tied {unit.removeprefix('of ')}",
            quantity=f"{unit.removeprefix('of ')} that come to a tie",
            expects=BELOW,
            bound=RARE,
            because="“Rare” is taken for less than one of twenty cases.",
            unit=unit,
            of=BALANCE,
            estimate=_measure(measure),
            primary=unit == MATCHES,
            variants=EVERY,
        )
        for unit, measure in ((MATCHES, "match_ties"), (ROUNDS, "round_ties"))
    ),
    *(
        Prediction(
            claim="majority-minor",
            name=f"{unit.removeprefix('of ')} without it",
            quantity=f"{unit.removeprefix('of ')} that end otherwise without the points for most cards",
            expects=BELOW,
            bound=SELDOM,
            because="“Matters little” is taken for: it seldom decides, in less than one of four cases.",
            unit=unit,
            of=BALANCE,
            estimate=_measure(measure),
            primary=unit == MATCHES,
            variants=EVERY,
        )
        for unit, measure in ((MATCHES, "match_without_majority"), (ROUNDS, "round_without_majority"))
    ),
    Prediction(
        claim="majority-minor",
        name="basras or majority",
        quantity="matches that end otherwise without basras, less those that do without the points for most cards",
        expects=ABOVE,
        because="“Basras decide the game” says that they change more results than the majority does.",
        smallest=0.02,
        unit=MATCHES,
        of=BALANCE,
        estimate=lambda found: found.gap("match_without_majority", "match_without_basras"),
        variants=EVERY,
    ),
    *(
        Prediction(
            claim="lead-fragile",
            name=f"{lead}, {measure}",
            quantity=f"leads of {lead} points after which {words}",
            expects=BELOW,
            bound=ALMOST_ALWAYS,
            because="“Quickly lost” says that a lead is not almost always kept, that is in three of four cases.",
            unit=leads.UNIT,
            of=LEADS,
            estimate=_row(measure=measure, lead=lead, lacks=leads.ALL),
            primary=measure == leads.WON,
        )
        for lead in ("20-29", "30-39")
        for measure, words in ((leads.WON, "the match is won"), (leads.KEPT, "one is still ahead a round later"))
    ),
    Prediction(
        claim="jack-strongest",
        name="jacks first",
        quantity="worth of being dealt a jack, on average, less that of the best other card",
        expects=ABOVE,
        because="“The strongest” says that no other card is worth as much.",
        smallest=0.05,
        unit="points/round",
        of=WORTH,
        estimate=Worth.jack_over_rest,
        variants=EVERY,
        pairs=True,
    ),
    Prediction(
        claim="jack-strongest",
        name="seven of diamonds second",
        quantity="worth of being dealt the seven of diamonds: the lesser of its gaps to the jacks and to the rest",
        expects=ABOVE,
        because="“Second” says that it is worth less than a jack and more than any other card.",
        smallest=0.05,
        unit="points/round",
        of=WORTH,
        estimate=Worth.seven_between,
        variant="egyptian",
        variants=SWEEPING,
    ),
    *(
        Prediction(
            claim="best-with-2-or-4",
            name=f"{name} or three",
            quantity=f"share of skill in the result {words}, less that among three",
            expects=ABOVE,
            because="“Best”, an open word, is taken for: the better player's skill shows more than among three.",
            smallest=0.01,
            unit="of the variance",
            of=COMPANY,
            estimate=_over_three(company, "skill"),
            primary=name != "four",
        )
        for name, words, company in _COMPANY
    ),
    *(
        Prediction(
            claim="best-with-2-or-4",
            name=f"choices of {name}",
            quantity=f"decisions {words} whose best and worst play differ by more than a point, less those among three",
            expects=ABOVE,
            because="“Best” may also be taken for: more often something hangs on what one plays.",
            smallest=0.05,
            unit="of decisions",
            of=COMPANY,
            estimate=_over_three(company, "real_choices", "1 point"),
            primary=False,
        )
        for name, words, company in _COMPANY
    ),
)

PREDICTIONS = (*_PLAYS, *_RESULTS)


def predictions(claim: str) -> Mapping[str, Prediction]:
    """Predictions of a claim by their names."""
    return {each.name: each for each in PREDICTIONS if each.claim == claim}
