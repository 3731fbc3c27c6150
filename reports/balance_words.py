"""How fair, how skilful, how long, and what decides: a variant in words, from the numbers with their intervals."""

from collections.abc import Iterator, Mapping

import pandas as pd

from analyses.balance.evaluation import CHANCE
from analyses.balance.skill import BETTER, WEAKER
from analyses.frames import estimates
from analyses.groups import GROUPS
from basra_sim.stats import Estimate
from reports.balance_rows import Balance
from reports.wording import NO_BREAK, extremes, joined, number

EVEN = 0.01
"""By how much matches won may depart from an even share and still be called fair."""

USUAL = 0.8
"""Part of the matches whose lengths are called usual."""

HOW = "How this is measured"
"""Title of what is folded away below a section."""

READING = (
    f"“Skill” is how much of a round goes back to who plays: a good player ({BETTER}) meets a weaker one ({WEAKER}), "
    "each sits in every seat, with the same cards. “Fair” means that over a whole match it hardly matters who begins: "
    f"he wins as many matches as the other, give or take {100 * EVEN:.0f} %."
)
"""What the words of verdicts mean, for one who only wants to play."""

SKILL = (
    "Skill is measured by one number: the share of the variance of a round's margin that goes back to who plays. A "
    f"better player ({BETTER}) sits among weaker ones ({WEAKER}), in every seat in turn, on the same deals. What the "
    "margin (a side's points less the mean of the others') does differently because of him is skill; what it does "
    "because of the seat, or of the cards that were dealt, whoever held them, is not; the rest is how this deal "
    "happened to suit these players. The shares add up to 100 %. A share of variance has no unit, so that games "
    "of 10 and of 60 points a round can be compared; and between two sides it says how soon the better one is found "
    "out: the less skill, the more rounds that takes. Among three or four, what goes back to sitting beside the better "
    "player is a share of its own."
)
"""What skill means here, and why."""

STATED = (
    "Both players are stated: another pair gives other numbers, and two who are closer to one another give smaller "
    "ones. So it compares games for these two, and does not say how much skill a game holds for people."
)
"""What the measure of skill does not say."""

FAIR = (
    "Fair means: over a match, in which the first move passes on with each round, who begins wins an even share of "
    f"matches give or take {100 * EVEN:.0f} %, at both ends of the interval, and so does who deals first. What decides "
    "is what most rounds would end otherwise without; where the intervals of several overlap, they are all named. One "
    "round decides a match if the winner would not be alone in front had it not counted."
)
"""What the words of verdicts mean, exactly."""

INTERVALS = (
    f"The deals are counted into {GROUPS} groups, one behind another. A measure may be a mean, a ratio, a share of a "
    "variance or a chance in a match; its 95 % interval comes from how it changes when one group after another is left "
    "out (the delete-a-group jackknife; Kott 2001, Journal of Official Statistics 17), with Student's quantile for "
    f"{GROUPS - 1} degrees of freedom. Shares keep between 0 and 1 (Wilson's interval for as many units as give the "
    "same standard error). Each interval holds for itself: none is widened for there being many."
)
"""Where the intervals of what compares games come from."""

CHANCE_SAID = f"in {round(100 * CHANCE)} cases of 100"
"""How sure it is that the better player is ahead when he is said to be found out."""

_DECIDING: Mapping[str, str] = {
    "majority": "points for most cards",
    "basras": "basras",
    "cards": "points of aces, jacks, two and 10♦",
}


def verdicts(measured: Balance, variant: str, table: str) -> list[str]:
    """What is to be said of a variant at a table, as far as it was measured."""
    return [
        *fair(measured, variant, table),
        *skilful(measured, variant, table),
        *long(measured, variant, table),
        *deciding(measured, variant, table),
    ]


def fair(measured: Balance, variant: str, table: str) -> Iterator[str]:
    """Whether seats are alike, over a match and in a round."""
    found = {each: measured.get(variant, table, f"{each}_match_wins") for each in ("first", "last")}
    ends = {who: end for who, each in found.items() if (end := _ends(each))}
    margin = measured.get(variant, table, "first_seat_advantage")
    if len(ends) < len(found) or margin is None:
        return
    edge = number(_known(found["first"]), "of matches", signed=True)
    largest = max(max(-low, high) for low, high in ends.values())
    word = "Fair or nearly so" if largest < 2 * EVEN else "Not known closely enough to be called fair"
    if all(low > -EVEN and high < EVEN for low, high in ends.values()):
        word = "Fair"
    elif ends["first"][0] > EVEN:
        word = "Better for who begins"
    elif ends["last"][0] > EVEN:
        word = "Better for who deals first"
    yield (
        f"{word}: beyond an even share, who begins wins {edge} of the matches. In a single round, who moves first "
        f"comes out {ahead(margin)}."
    )


def ahead(margin: Estimate) -> str:
    """By how much a side is ahead, in words."""
    low, high = _ends(margin) or (0.0, 0.0)
    said = f"{number(margin, 'points/round', signed=True)} points"
    if low > 0:
        return f"ahead by {said}"
    return f"behind: {said}" if high < 0 else f"neither clearly ahead nor behind: {said}"


def skilful(measured: Balance, variant: str, table: str) -> Iterator[str]:
    """How much goes back to who plays, and how soon it tells."""
    skill, deal = (measured.get(variant, table, each) for each in ("skill", "deal_share"))
    tell, won = (measured.get(variant, table, each) for each in ("rounds_to_tell", "better_match_wins"))
    if skill is None or deal is None:
        return
    text = (
        f"Skill: who plays decides {number(skill, 'of the variance')} of what sets the players of a round apart"
        f"{_place(measured, variant, table)}; the deal decides {number(deal, 'of the variance')}."
    )
    if tell and won and tell.value:
        text += (
            f" The better player ({BETTER}) wins {number(won, 'of matches')} of the matches, and after "
            f"{number(tell, 'rounds')} rounds he is ahead {CHANCE_SAID}."
        )
    yield text


def _place(measured: Balance, variant: str, table: str) -> str:
    """Where the skill of a variant stands among the others at the table, in words; nothing where it is alone."""
    own = _ends(measured.get(variant, table, "skill"))
    names = [each for each, at in measured.places() if at == table and each != variant]
    others = [ends for each in names if (ends := _ends(measured.get(each, table, "skill")))]
    if own is None or not others:
        return ""
    counts = {
        "more than in": sum(own[0] > high for _, high in others),
        "less than in": sum(own[1] < low for low, _ in others),
    }
    parts = [f"{word} {count}" for word, count in counts.items() if count]
    return (
        f" ({joined(parts)} of {len(others)} other games)" if parts else " (as in all other games, as far as is known)"
    )


def long(measured: Balance, variant: str, table: str) -> Iterator[str]:
    """How long a match lasts."""
    rounds, plays = (measured.get(variant, table, each) for each in ("match_rounds", "match_plays"))
    if rounds is None or plays is None:
        return
    text = f"Length: a match takes {number(rounds, 'rounds')} rounds, {number(plays, 'cards')} cards"
    first, last, part = usual_lengths(measured, variant, table)
    if part:
        span = f"{first} to {last} rounds" if last > first else f"{first} round{'s' if first > 1 else ''}"
        text += f"; {100 * part:.0f}{NO_BREAK}% of the matches take {span}"
    yield f"{text}."


def usual_lengths(measured: Balance, variant: str, table: str) -> tuple[int, int, float]:
    """The fewest lengths of a match, behind one another, that `USUAL` of the matches have; and the share that do."""
    found = {int(part): measured.get(variant, table, "match_length", part) for part in measured.parts(
        variant, table, "match_length"
    )}  # fmt: skip
    shares = {length: each.value or 0.0 for length, each in found.items() if each}
    for width in range(len(shares)):
        spans = [(sum(shares.get(low + k, 0.0) for k in range(width + 1)), low) for low in shares]
        part, low = max(spans)
        if part >= USUAL:
            return low, low + width, part
    return 0, 0, 0.0


def deciding(measured: Balance, variant: str, table: str) -> Iterator[str]:
    """Which source of points decides rounds, and whether one round decides a match."""
    shares = {part: measured.get(variant, table, f"round_without_{part}") for part in _DECIDING}
    found = {part: ends for part, each in shares.items() if (ends := _ends(each))}
    if len(found) < len(_DECIDING):
        return
    order = sorted(found, key=lambda part: -sum(found[part]))
    level = [part for part in order if found[part][1] >= found[order[0]][0]]
    told = [f"{number(_known(shares[part]), 'of rounds')} without {_DECIDING[part]}" for part in order]
    most = f"{joined([_DECIDING[part] for part in level])}{', about alike' if len(level) > 1 else ''}"
    text = f"What decides: {most}. So many rounds would have ended otherwise: {joined(told)}"
    one = measured.get(variant, table, "one_round_decides")
    if one:
        text += f". A single round decides {number(one, 'of matches won')} of the matches"
    yield f"{text}."


def span(frame: pd.DataFrame, policy: str, *, signed: bool = False) -> str:
    """The least and the greatest estimate of a policy, each with its variant; of one variant, the estimate."""
    part = frame[frame["policy"] == policy]
    if len(part) == 1:
        return number(estimates(part)[0], str(part["unit"].iloc[0]), signed=signed)
    return " to ".join(extremes(frame, policy, signed=signed))


def _known(found: Estimate | None) -> Estimate:
    """An estimate that is there."""
    assert found is not None
    return found


def _ends(found: Estimate | None) -> tuple[float, float] | None:
    """Ends of an interval, if there is one."""
    return None if found is None or found.low is None or found.high is None else (found.low, found.high)
