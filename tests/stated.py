"""
Every number in the sentences of the README and of ``docs``, and what it is held against.

`STATED` holds phrases with their numbers left open, and functions that give these from the code. `TRUE` needs no
check, for it is so by what the words mean. `QUOTED` is what others report, and `UNCHECKED` what hangs on the machine;
neither can be checked here.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from analyses.advising import advice
from analyses.advising.reviewing import DOUBT
from analyses.balance import crossings, equal
from analyses.balance.evaluation import CHANCE
from analyses.balance.runs import STATED as GOAL
from analyses.claims import opinions
from analyses.claims.cells import FEWEST_DEALS
from analyses.claims.cli import DEFAULT_ROUNDS
from analyses.claims.model import SMALLEST_DECISION
from analyses.claims.observed import ALMOST_ALWAYS
from analyses.claims.practice import CLEARLY
from analyses.tuning.league import AGO
from basra_sim.cards import RANKS
from basra_sim.policies.advice import NEARLY
from basra_sim.policies.model import NO_SEARCH
from basra_sim.pools import GROUPS
from basra_sim.search.samples import TRIES
from basra_sim.sequential import SMALLEST
from basra_sim.stats import CONFIDENCE, MANY
from basra_sim.variants import variant, variant_names
from tests.pages_of_docs import ROOT


class Stated(NamedTuple):
    """A phrase of a page, its numbers left open, and what gives them."""

    page: str
    phrase: str
    numbers: Callable[[], Sequence[Any]]


def _percent(share: float) -> int:
    """A share in percent, as a whole number."""
    return round(100 * share)


def _least_python() -> tuple[str]:
    """The Python that the package asks for."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return (text.partition('requires-python = ">=')[2].partition('"')[0],)


STATED = (
    Stated("README.md", "Needed: Python {} or later", _least_python),
    Stated("README.md", "its interval at {} % confidence; seed {}", lambda: (_percent(CONFIDENCE), 1)),
    Stated("README.md", "there an ace has rank {}", lambda: (RANKS.index("A") + 1,)),
    Stated("extending.md", "its rank from {} for the ace to {} for the king", lambda: (0, RANKS.index("K"))),
    Stated("methods.md", "Student's below {:,} units", lambda: (MANY,)),
    Stated("methods.md", "with fewer than {} of them nothing is stated", lambda: (FEWEST_DEALS,)),
    Stated("methods.md", "({} at the default)", lambda: (round(DEFAULT_ROUNDS * opinions.PART),)),
    Stated("methods.md", "lays the hidden ones in {} ways", lambda: (opinions.WAYS,)),
    Stated("methods.md", "is stated from {} deals on", lambda: (FEWEST_DEALS,)),
    Stated("methods.md", "{} points a round, or {} points a decision", lambda: (SMALLEST, SMALLEST_DECISION)),
    Stated("methods.md", "from {:,} rounds among champions", lambda: (advice.MATCH_ROUNDS,)),
    Stated("methods.md", "what the {:,} rounds leave open", lambda: (advice.MATCH_ROUNDS,)),
    Stated("methods.md", "where none of {} ways is kept", lambda: (TRIES,)),
    Stated(
        "methods.md", "{} endings of two to four players", lambda: (_in_a_test("test_advising.py", "in range(200)"),)
    ),
    Stated("balance.md", "counted into {} groups", lambda: (GROUPS,)),
    Stated("balance.md", "its interval at {} %", lambda: (_percent(CONFIDENCE),)),
    Stated("balance.md", "quantile for {} degrees", lambda: (GROUPS - 1,)),
    Stated(
        "balance.md",
        "play {} experiments whose truth is known: over all measures the intervals hold it {} % of the time",
        lambda: (_in_a_test("test_balance.py", 'setting("bastra"), 400'), _percent(CONFIDENCE)),
    ),
    Stated("balance.md", "some {:,} matches of each start", lambda: (equal.STARTS,)),
    Stated("balance.md", "within ±{} and all shares within ±{} points", lambda: (GOAL.points, 100 * GOAL.shares)),
    Stated("balance.md", "after which he is ahead with {} %", lambda: (_percent(CHANCE),)),
    Stated("balance.md", "it looks at {} values", lambda: (crossings.FIRST,)),
    Stated("balance.md", "where they are {} or fewer", lambda: (crossings.FEW,)),
    Stated("players.md", "where most cards count {})", lambda: (variant("egyptian").rules.majority_points,)),
)
"""Numbers that the code goes by."""


def _in_a_test(name: str, code: str) -> int:
    """The number at the end of a piece of a test, which must be there."""
    assert code in (ROOT / "tests" / name).read_text(encoding="utf-8")
    return int("".join(sign for sign in code if sign.isdecimal()))


class InWords(NamedTuple):
    """A phrase of a page with a number in words, and whether the code goes by it."""

    page: str
    phrase: str
    holds: Callable[[], bool]


IN_WORDS = (
    InWords("README.md", "thirteen regional rule sets", lambda: len(variant_names()) == 13),
    InWords("methods.md", "worth a tenth of a point less", lambda: NEARLY == 1 / 10),
    InWords("methods.md", "a five-hundredth of the number of rounds", lambda: opinions.PART == 1 / 500),
    InWords("methods.md", "more than three standard errors apart", lambda: CLEARLY == 3),
    InWords("methods.md", "more than three of four", lambda: ALMOST_ALWAYS == 3 / 4),
    InWords("methods.md", "one in ten is kept", lambda: DOUBT == 1 / 10),
    InWords("players.md", "is kept with a chance of one in ten", lambda: NO_SEARCH.doubt == 1 / 10),
    InWords("players.md", "better by half a standard error", lambda: NO_SEARCH.caution == 1 / 2),
    InWords("players.md", "as of one, three and nine generations ago", lambda: AGO == (1, 3, 9)),
)
"""Numbers in words that the code goes by."""

TRUE = {
    "extending.md": ("its suit from 0 for clubs to 3 for spades",),
    "methods.md": ("the three shares add up to 1", "their mean 0.", "is stated, or 0 ("),
    "balance.md": ("keep between 0 and 1", "it is 0 in a game of chance and 1 where", "or, below 0,", "holds 0 ("),
}
"""So by what the words mean."""

QUOTED = {
    "methods.md": (
        "about 2.5 points a game (cemvural00/pisti-rl-framework, 250 mirrored deals a pair)",
        "recovered 0.44 of the 3.67 points",
    ),
    "balance.md": ("Journal of Official Statistics 17", "Top 9"),
}
"""What others report, with its source: it cannot be played here."""

GIVEN = {"methods.md": ("20 points for a jack on a jack",)}
"""Part of a command beside it, which is run."""

UNCHECKED: Mapping[str, Sequence[str]] = {"README.md": ("takes half a minute or so",)}
"""What hangs on the machine."""
