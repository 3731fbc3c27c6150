"""The rules of one game in one place, and changes to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from basra_sim.cards import RANKS, SEVEN_OF_DIAMONDS, Card, card_name, parse_card, rank_of
from basra_sim.rules.options import MOST_POINTS, Option, RulesError, option_field, points_field, written
from basra_sim.rules.wording import did_you_mean, either, shown
from basra_sim.showing import Strong, html, html_table

MOST_TARGET = 100_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rules:
    """
    Rules of one game; a field left out has its value in the variant ``bastra``.

    Values are checked, and spelled in one way (``two="2s"`` becomes ``"2S"``), on construction. What a field means
    and which values it takes is in `OPTIONS`.

    Raises
    ------
    RulesError
        If a value is unknown or out of range, or cannot have an effect beside the others.
    """

    pack: int = option_field(52, "Number of cards in the pack.", {52: "the full pack", 44: "without queens and kings"})
    hand_size: int = option_field(4, "Cards each player gets in a deal.", limits=(1, 24))
    deal: str = option_field(
        "single",
        "How a deal hands out its cards, from the top of the pack and in the order of play.",
        {"single": "one card to each player in turn until the hands are full", "packet": "each hand in one go"},
    )
    buried: tuple[str, ...] = option_field(
        ("J",),
        "Ranks and cards that do not stay on the opening floor: they go back into the pack and the top card replaces "
        "them, unless the pack holds no card that may lie there.",
    )
    bury_to: str = option_field(
        "bottom",
        "Where in the pack a buried card goes.",
        {"bottom": "under the pack", "random": "at a random place of the pack"},
    )
    captures: str = option_field(
        "maximal",
        "Which sets of cards a numeral card may take.",
        {
            "maximal": "cards of its rank and groups of its sum, any set that no larger possible set contains",
            "most_cards": "of those sets only the ones with most cards",
            "ranks": "only cards of its rank, no sums",
        },
    )
    seven_of_diamonds: str = option_field(
        "ordinary",
        "What the seven of diamonds does when it is played.",
        {"ordinary": "it is a seven", "sweeps": "it takes the whole floor"},
    )
    seven_basra: str = option_field(
        "never",
        "When a sweep by the seven of diamonds is a basra.",
        {
            "never": "never",
            "sum_at_most_10": "the floor is numerals only and sums to 10 or less",
            "yemeni": "the floor is numerals only and sums to less than 10, or is only tens, queens and kings, or is "
            "numerals only that split into two or more groups of one equal sum below 10",
            "equal_groups_at_most_10": "the floor is numerals only that split into one or more groups of one equal "
            "sum of at most 10",
        },
    )
    lone_seven: str = option_field(
        "ordinary",
        "What happens to a sweeping seven of diamonds that lies alone on the floor.",
        {
            "ordinary": "only what takes a seven takes it",
            "any_card_but_jack": "any card takes it, and any but a jack takes it as a basra",
        },
    )
    basra_when: str = option_field(
        "clears_floor",
        "Which captures by a card other than a jack or a sweeping seven of diamonds are basras.",
        {
            "clears_floor": "those that clear the floor",
            "matches_lone_card": "those of the only card on the floor by a card of its rank",
            "matches_lone_card_or_pair_sum": "those, and of exactly two cards as one sum where the earlier lay alone "
            "just before the later was laid on it",
        },
    )
    basra_scoring: str = option_field(
        "flat",
        "How the points of a basra are reckoned.",
        {"flat": "`basra_points` each", "twice_face": "twice the face value of the card that made it"},
    )
    basra_points: int = points_field(10, "Points of a basra under flat scoring; 0: no basra.")
    queen_face: int = points_field(0, "Face value of a queen where a basra scores twice the face; 0: no basra.")
    king_face: int = points_field(0, "Face value of a king where a basra scores twice the face; 0: no basra.")
    jack_on_jack: int = points_field(0, "Points for taking a jack that lies alone with a jack; 0: no basra.")
    last_card_basra: bool = option_field(True, "Whether a play with the last card of the round can be a basra.")
    ace_points: int = points_field(1, "Points of each ace captured.")
    jack_points: int = points_field(1, "Points of each jack captured.")
    two: str = option_field("2C", "The two that scores.", {"2C": "the two of clubs", "2S": "the two of spades"})
    two_points: int = points_field(2, "Points of that two.")
    ten_points: int = points_field(3, "Points of the ten of diamonds.")
    majority_points: int = points_field(3, "Points for capturing most cards.")
    majority_tie: str = option_field(
        "each",
        "Who gets the points for most cards when several teams have most.",
        {
            "each": "every team in the tie",
            "none": "nobody",
            "carry": "nobody; they are added to those of the next round of the match",
        },
    )
    target: int = option_field(
        100, "Points that end a match once a team has them after a round.", limits=(1, MOST_TARGET)
    )
    match_tie: str = option_field(
        "more_rounds",
        "What happens when several teams lead with the target or more.",
        {
            "more_rounds": "rounds are added until one team leads",
            "draw": "the match is drawn",
            "extend": "the target grows by `extend_by`",
        },
    )
    extend_by: int = option_field(
        20, "Points by which a tie extends the target; 20, 30 and 50 are usual.", limits=(1, MOST_POINTS)
    )
    short_last_deal: bool = option_field(
        False, "Whether the last deal may hand out fewer cards, all that are left, equally to all players."
    )

    def __post_init__(self) -> None:
        """Check every value and their sense together."""
        for option in OPTIONS.values():
            object.__setattr__(self, option.name, option.checked(getattr(self, option.name)))
        _check_together(self)

    @property
    def buried_cards(self) -> tuple[Card, ...]:
        """Cards that are buried, as numbers, lowest first."""
        return tuple(card for card in range(self.pack) if {card_name(card), RANKS[rank_of(card)]} & set(self.buried))

    @property
    def two_card(self) -> Card:
        """The two that scores, as a number."""
        return parse_card(self.two)

    @property
    def seven_sweeps(self) -> bool:
        """Whether the seven of diamonds takes the whole floor."""
        return self.seven_of_diamonds == "sweeps"

    @property
    def marked_cards(self) -> tuple[Card, ...]:
        """
        Cards with points or power that make a choice of captures that else differ only by suits.

        The two that scores, unless it scores nothing, and a sweeping seven of diamonds. The ten of diamonds is in
        no sum and goes with all other tens; aces and jacks are worth the same in every suit.
        """
        two = (self.two_card,) if self.two_points else ()
        return two + ((SEVEN_OF_DIAMONDS,) if self.seven_sweeps else ())

    def to_dict(self) -> dict[str, Any]:
        """All options by name, in plain values that JSON can hold."""
        return {name: _plain(getattr(self, name)) for name in OPTIONS}

    def __repr__(self) -> str:
        """What makes these rules anew: the options that differ from ``bastra``."""
        differs = {name: getattr(self, name) for name in OPTIONS if getattr(self, name) != OPTIONS[name].default}
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in differs.items())})"

    def _repr_html_(self) -> str:
        """All options with their values and meanings."""
        return html(options_html(self, "Rules; what differs from bastra stands out."))


OPTIONS: Mapping[str, Option] = {
    each.name: Option(each.name, each.default, each.metadata["doc"], each.metadata["choices"], each.metadata["limits"])
    for each in fields(Rules)
}
"""Every option by its name, in the order of `Rules`."""

PREMISES: tuple[tuple[str, str, object], ...] = (
    ("seven_basra", "seven_of_diamonds", "sweeps"),
    ("lone_seven", "seven_of_diamonds", "sweeps"),
    ("queen_face", "pack", 52),
    ("king_face", "pack", 52),
    ("queen_face", "basra_scoring", "twice_face"),
    ("king_face", "basra_scoring", "twice_face"),
    ("basra_points", "basra_scoring", "flat"),
    ("extend_by", "match_tie", "extend"),
)
"""Option, and what another option must be for its value to have an effect; else it has to keep its default."""


def _check_together(rules: Rules) -> None:
    """Refuse values that are possible each but not together."""
    for name, other, needed in PREMISES:
        value, default = getattr(rules, name), OPTIONS[name].default
        if value != default and getattr(rules, other) != needed:
            raise RulesError(
                f"{name} = {shown(value)} has no effect with {other} = {shown(getattr(rules, other))}: "
                f"it needs {other} = {shown(needed)}, else leave {name} at {shown(default)}"
            )
    absent = _not_in_pack(rules.buried, rules.pack)
    if absent:
        raise RulesError(
            f"buried = {shown(rules.buried)}: a pack of {rules.pack} has no {absent[0]}; leave it out or set pack = 52"
        )
    scoring = ("ace_points", "jack_points", "two_points", "ten_points", "majority_points", "jack_on_jack")
    if not any(getattr(rules, name) for name in scoring) and rules.basra_scoring == "flat" and not rules.basra_points:
        raise RulesError("nothing scores, a match could never end: give one of the *_points options a value above 0")


def _not_in_pack(names: Iterable[str], pack: int) -> list[str]:
    """Those of the named ranks and cards that a pack does not hold."""
    held = {name for card in range(pack) for name in (card_name(card), RANKS[rank_of(card)])}
    return [name for name in names if name not in held]


def parse_value(name: str, value: object) -> Any:
    """
    Value of an option given as a text, as on the command line, or as a Python value.

    Raises
    ------
    RulesError
        If there is no such option, or it does not take the value.
    """
    if name not in OPTIONS:
        hint = did_you_mean(name, OPTIONS) or f": there are {either(OPTIONS)}"
        raise RulesError(f"{name} = {shown(value)}: there is no such option{hint}")
    return OPTIONS[name].parsed(value)


def parse_changes(texts: Iterable[str]) -> dict[str, Any]:
    """
    Changes given as texts ``NAME=VALUE``.

    Raises
    ------
    RulesError
        If a text has another form, names no option or one for the second time, or has a value the option does not take.
    """
    changes: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = name.strip()
        if not sign or not name:
            raise RulesError(f"{shown(text)} changes nothing: write NAME=VALUE, such as target=121")
        if name in changes:
            raise RulesError(f"{name} = {shown(value)}: it is already set to {shown(changes[name])}; set it once")
        changes[name] = parse_value(name, value)
    return changes


def override(base: Rules, changes: Mapping[str, object]) -> Rules:
    """
    Rules with some options changed; values may be texts.

    An option that is not among the changes and loses its effect through them goes back to its default: without a
    sweeping seven of diamonds, for one, nothing is left to say about its basras.

    Raises
    ------
    RulesError
        If a change is unknown, or contradicts another change or what it leaves standing.
    """
    values = {name: getattr(base, name) for name in OPTIONS}
    values |= {name: parse_value(name, value) for name, value in changes.items()}
    for name, other, needed in PREMISES:
        if name not in changes and values[other] != needed:
            values[name] = OPTIONS[name].default
    if "buried" not in changes:
        absent = _not_in_pack(values["buried"], values["pack"])
        values["buried"] = tuple(each for each in values["buried"] if each not in absent)
    return Rules(**values)


def options_html(rules: Rules, caption: str, names: Iterable[str] | None = None) -> str:
    """Table, in HTML, of options (all of them, if none are named) and what they mean."""
    rows = []
    for name in OPTIONS if names is None else names:
        option, value = OPTIONS[name], getattr(rules, name)
        shown_value = written(value) if value == option.default else Strong(written(value))
        meaning = f" Here: {option.choices[value]}." if option.choices else ""
        rows.append([name, shown_value, written(option.default), f"{option.doc}{meaning}"])
    return html_table(caption, ["option", "value", "in bastra", "meaning"], rows)


def differences(rules: Rules, base: Rules) -> dict[str, Any]:
    """Options in which rules differ from others, with their values as JSON can hold them."""
    return {name: value for name, value in rules.to_dict().items() if value != _plain(getattr(base, name))}


def _plain(value: Any) -> Any:
    """Value as JSON gives it back."""
    return list(value) if isinstance(value, tuple) else value
