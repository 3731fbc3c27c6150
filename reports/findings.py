"""What a claim's numbers say, in sentences; every one of them is drawn from what was computed, none is typed."""

from collections.abc import Iterator, Mapping

import pandas as pd

from analyses.claims import choices, summary
from analyses.claims.choices import BETTER, BREACHED, CONTRAST, FOLLOWED, NEITHER, WIN, WORSE
from analyses.claims.model import DECISION, GAIN, PLAYING, Claim
from analyses.claims.naming import quantity
from analyses.claims.practice import practice, practised
from analyses.claims.rows import APPLIED, MARGIN, PRIMARY, WON
from analyses.claims.rows import GAINS as PAIRING
from analyses.claims.verdict import COSTS, GAINS, NOTHING, TESTED, UNKNOWN
from analyses.frames import estimates
from basra_sim.policies.advice import LITERAL, REVERSED, TIE_BREAK
from basra_sim.stats import Estimate
from reports.numbers import figure, is_share, shown_unit
from reports.wording import joined, measured, number, place

_PHRASES: Mapping[str, str] = {
    LITERAL: "Followed strictly, it",
    TIE_BREAK: "Followed in doubt only, among plays held nearly equal, it",
    REVERSED: "Doing the opposite always",
}
_DEGREES: Mapping[str, str] = {LITERAL: "Remembering everything, and not nothing,", REVERSED: "Remembering nothing"}
_DECIDED: Mapping[str, str] = {
    GAIN: "Where it applies, following it rather than going against it",
    CONTRAST: "Where {split}, beyond what following it brings elsewhere, it",
    WIN: "Near the end of a close match, following it rather than going against it",
}

_MEASURED: Mapping[str, str] = {
    GAIN: "points gained",
    CONTRAST: "points gained there, less those gained elsewhere",
    WIN: "chance to win the match",
    APPLIED: "decisions that it applies to",
    BETTER: "followed, the round ends better",
    WORSE: "followed, the round ends worse",
    FOLLOWED: "left alone, follows it",
    BREACHED: "left alone, goes against it",
    NEITHER: "left alone, does something else",
    MARGIN: "points ahead",
}

_TURNED: Mapping[str, str] = {
    summary.OPPOSITE: (
        "For {who} the reversed advice comes out with the other sign, as it must if there is something in the advice."
    ),
    summary.SAME: (
        "For {who} following always and doing the opposite always both come out on the same side, so that the sign "
        "does not turn: a habit, whichever, does better or worse than the player's own judgement. Whether each is "
        "right at times, decisions tell."
    ),
    summary.ALREADY: (
        "For {who} following makes no difference that matters, as this is what is done anyway; the reversed advice "
        "costs."
    ),
    summary.AGAINST: "For {who} following makes no difference that matters, but the reversed advice gains.",
    summary.HALF_USED: (
        "For {who} the reversed advice makes no difference that matters, as the opposite is what is done anyway; only "
        "following changes anything."
    ),
    summary.NEITHER: "For {who} neither the advice nor its reverse has an effect that matters, so no sign can turn.",
    summary.OPEN: (
        "For {who} the reversed advice comes out with the other sign, but one of the two at least is not certain yet."
    ),
    summary.OPEN_ALIKE: (
        "For {who} the two estimates have the same sign, but one of them at least is not certain: the deals are too "
        "few to tell whether the sign turns."
    ),
}  # fmt: skip


def sizes(claim: Claim, judged: pd.DataFrame) -> list[tuple[str, list[str]]]:
    """What the advice is worth where it is judged, under a heading for each kind of test."""
    here = summary.at_table(judged, claim)
    primary = here[(here["role"] == PRIMARY) & (here["split"] == "")]
    found = []
    for kind, title in (
        (PLAYING, f"As a way of playing ({claim.table.label})"),
        (DECISION, f"As a decision ({claim.table.label})"),
    ):
        rows = primary[(primary["kind"] == kind) & primary["measure"].isin(TESTED)]
        sentences = [sentence for key, part in _parts(rows) if (sentence := _said(claim, *key, part))]
        if kind == PLAYING:
            sentences += [*matches(claim, here), *reversed_(claim, judged)]
        else:
            sentences += [*applies(here)]
        if len(rows):
            found.append((title, sentences))
    counted = summary.counted(judged, claim)
    if len(counted):
        found.append(("How often it happens", list(predicted(claim, counted))))
    return found


def _parts(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Rows by form and measure."""
    for (form, measure), part in rows.groupby(["form", "measure"], sort=False):
        yield (str(form), str(measure)), part


def _said(claim: Claim, form: str, measure: str, rows: pd.DataFrame) -> str:
    """What came out for one form, or for decisions, as a sentence."""
    phrases = _DEGREES if claim.degrees else _PHRASES
    split = place(claim.contrast, "1") if claim.contrast else ""
    phrase = phrases[form] if form else _DECIDED[measure].format(split=f"you are {split}")
    clauses = [
        _clause(outcome, rows[rows["outcome"] == outcome])
        for outcome in (GAINS, COSTS, NOTHING, UNKNOWN)
        if (rows["outcome"] == outcome).any()
    ]
    return f"{phrase} {'; it '.join(clauses)}." if clauses else ""


def _clause(outcome: str, rows: pd.DataFrame) -> str:
    """Part of a sentence for the players with one outcome."""
    found, unit = estimates(rows), str(rows["unit"].iloc[0])
    told = "the chance to win the match" if is_share(unit) else shown_unit(unit)
    if outcome in (GAINS, COSTS):
        sized = [each if outcome == GAINS else summary.negative(each) for each in found]
        parts = [f"{number(each, unit)} for {name}" for each, name in zip(sized, rows["policy"], strict=True)]
        return f"{outcome}, in {told}, {joined(parts)}"
    values = [number(each, unit, signed=True) for each in found]
    if outcome == NOTHING:
        parts = [f"{name} ({value})" for value, name in zip(values, rows["policy"], strict=True)]
        return f"makes no difference that matters for {joined(parts)}"
    needs = ["" if pd.isna(each) else f"; some {each:,} deals would tell" for each in rows["needed"]]
    parts = [f"{name} ({value}{need})" for value, name, need in zip(values, rows["policy"], needs, strict=True)]
    return f"is undecided for {joined(parts)}"


def matches(claim: Claim, here: pd.DataFrame) -> Iterator[str]:
    """What the literal advice comes to in whole matches."""
    rows = here[(here["measure"] == WON) & (here["form"] == LITERAL)]
    if len(rows):
        parts = [f"{number(each, 'of matches')} for {who}" for each, who in _by_policy(rows)]
        who = "remembers everything, against one who remembers nothing," if claim.degrees else "follows it strictly"
        yield f"Of whole matches, who {who} wins {joined(parts)}. Half of them would be even."


def applies(here: pd.DataFrame) -> Iterator[str]:
    """How often there is such a decision, and how often following it comes out better or worse."""
    here = here[(here["kind"] == DECISION) & (here["split"] == "") & (here["policy"] == here["opponent"])]
    often, better, worse = (here[here["measure"] == measure] for measure in (APPLIED, BETTER, WORSE))
    if len(often):
        parts = [f"{number(each, 'decisions/deal')} times for {who}" for each, who in _by_policy(often)]
        yield f"In a deal of the whole pack there is such a decision, for all players together, {joined(parts)}."
    if len(better) and len(worse):
        pairs = zip(_by_policy(better), _by_policy(worse), strict=True)
        parts = [
            f"in {number(more, 'of decisions')} of them and worse in {number(less, 'of decisions')} for {who}"
            for (more, who), (less, _) in pairs
        ]
        yield f"Followed, the round ends better {joined(parts)}; in the rest it ends the same."


def practices(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """How often each player follows anyway; where the strongest does not, and what the one who searches thinks."""
    rows = judged[judged["claim"] == claim.name]
    found = practised(claim, rows)
    whole = found[found["split"] == ""]
    if len(whole):
        parts = [f"{number(each, 'of decisions')} of such decisions for {who}" for each, who in _by_policy(whole)]
        yield f"Left alone, a player makes the play that follows in {joined(parts)}."
    yield from practice(claim, rows, number)


def _by_policy(rows: pd.DataFrame) -> list[tuple[Estimate, str]]:
    """Estimates with the players they are of."""
    return list(zip(estimates(rows), map(str, rows["policy"]), strict=True))


def predicted(claim: Claim, rows: pd.DataFrame) -> Iterator[str]:
    """What was counted, one quantity after another, beside what was predicted."""
    for (measure, variant, seats), part in rows.groupby(["measure", "variant", "seats"], sort=False):
        where = "" if (variant, seats) == (claim.table.variant, claim.table.seats) else f" ({variant}, {seats})"
        unit = str(part["unit"].iloc[0])
        parts = [
            f"{number(each, unit)} among {who} players ({outcome})"
            for (each, who), outcome in zip(_by_policy(part), part["outcome"], strict=True)
        ]
        said = expectation(part.iloc[0])
        told = "" if unit.startswith("of ") else f", in {shown_unit(unit)}"
        what = f"{str(measure)[0].upper()}{str(measure)[1:]}{where}{told}"
        yield f"{what}: {joined(parts)}.{f' Predicted: {said}.' if said else ''}"


def expectation(row: Mapping[str, object] | pd.Series) -> str:
    """What was predicted of a quantity, in words; empty if nothing was."""
    expects, bound = row.get("expects"), row.get("bound")
    if not isinstance(expects, str) or not isinstance(bound, int | float) or pd.isna(bound):
        return ""
    share = str(row.get("unit", "")).startswith("of ")
    value = bound * 100 if share else bound
    return f"{expects} {figure(value, 0 if value == round(value) else 2)}{' %' if share and bound else ''}"


def reversed_(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """Whether the reversed advice comes out with the other sign; where it does not, why."""
    found = summary.turned(judged, claim)
    if claim.degrees and found:
        yield "The reverse is the same duel seen from the other side, so it must come out with the other sign."
        return
    for state in dict.fromkeys(found.values()):
        yield _TURNED[state].format(who=joined([who for who, each in found.items() if each == state]))


def when(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """When it is right: what tells most, the best and the worst situation for the strongest player."""
    told = summary.telling(judged, claim)
    if not len(told):
        return
    split, chance = str(told["split"].iloc[0]), float(told["p"].iloc[0])
    if chance < 0.05:
        yield f"What it is worth turns most on this: {quantity(split)}."
    else:
        yield "No single quantity of the situation is seen to change what it is worth, in so few deals."
    found = summary.extremes(judged, claim, 1)
    strongest = found[found["policy"] == found["policy"].iloc[-1]] if len(found) else found
    for row, each, end in zip(
        strongest.to_dict("records"), estimates(strongest), ("Most", "Least"), strict=False
    ):  # fmt: skip
        certain = row["outcome"] in (GAINS, COSTS)
        note = "" if certain else "; but for chance it may be nothing"
        yield (
            f"{end} in its favour, for {row['policy']}: {place(str(row['split']), str(row['place']))} "
            f"({measured(each, str(row['unit']), signed=True)}{note})."
        )


def rank(claim: Claim, judged: pd.DataFrame) -> Iterator[str]:
    """How a breach of the advice compares with that of all other advice, player by player."""
    for policy in dict.fromkeys(judged["policy"]):
        found = summary.breach(judged, claim, str(policy))
        if found is None:
            continue
        place_ = "the largest" if found.rank == 1 else f"number {found.rank}"
        answer = "yes" if found.rank == 1 else "no"
        certain = (found.ahead.low or 0) > 0 or (found.ahead.high or 0) < 0
        by = summary.negative(found.ahead) if (found.ahead.value or 0) < 0 else found.ahead
        other = f"{found.next} comes next, with" if found.rank == 1 else f"the largest is that of {found.next}, with"
        yield (
            f"For {policy}, {answer}: doing the opposite costs {number(found.cost, 'points/round')} points a round, "
            f"{place_} of the {found.of} breaches of advice that were tried; {other} {number(by, 'points/round')} "
            f"{'less' if found.rank == 1 else 'more'}{'' if certain else ', which may be chance'}."
        )


def pairing(here: pd.DataFrame) -> Iterator[str]:
    """How many times fewer deals the exchange of seats and the luck of the deal save, for the literal advice."""
    rows = here[(here["role"] == PRIMARY) & (here["measure"] == MARGIN) & (here["form"] == LITERAL)]
    clauses = []
    for row in rows.to_dict("records"):
        exchange, luck, both = (row[name] for name in PAIRING)
        if not any(pd.isna(each) for each in (exchange, luck, both)):
            clauses.append(f"{times(both)} ({times(exchange)} and {times(luck)}) for {row['policy']}")
    if clauses:
        yield (
            "To come as near, independent deals, each played once, would have to be so many times as many rounds: "
            f"{joined(clauses)}. The first number is for both means together, those in brackets for the exchange of "
            "seats alone, and for the luck of the deal regressed out alone."
        )


def savings(judged: pd.DataFrame) -> Iterator[str]:
    """What the exchange of seats and the luck of the deal save, over all claims, in a sentence."""
    rows = judged[(judged["role"] == PRIMARY) & (judged["measure"] == MARGIN) & (judged["form"] == LITERAL)]
    both = rows["both"].astype(float).dropna()
    if len(both):
        yield (
            f"Independent deals, each played once, would take {times(both.min())} to {times(both.max())} as many "
            f"rounds for ways of playing to be known as well ({times(both.median())} in the middle): the exchange of "
            "seats saves them, the more, the fewer plays the advice changes. Each card says how many."
        )


def times(value: float) -> str:
    """A factor, for a sentence or a cell."""
    return f"× {figure(value, 1 if value < 99 else 0)}"


def outcome_words(measure: str) -> str:
    """What is measured, in words."""
    known = choices.OUTCOMES.get(measure)
    return known.meaning if known else _MEASURED.get(measure, measure)


def reproduce(claim: Claim, rounds: int, seed: int) -> str:
    """Commands that bring the results back: those of the claim alone, those of all with the same corrections."""
    return (
        f"basra-sim test {claim.name} --rounds {rounds} --seed {seed}\n"
        f"basra-sim test --all --rounds {rounds} --seed {seed}"
    )
