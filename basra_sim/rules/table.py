"""A game as it is played at a table: how many players, in pairs or not, and how the pack is dealt out to them."""

from dataclasses import dataclass, field, replace
from typing import Any

from basra_sim.rules.model import OPTIONS, Rules, options_html
from basra_sim.rules.options import RulesError, plain_number, written
from basra_sim.rules.wording import either, shown
from basra_sim.showing import html, html_sentence

FLOOR_CARDS = 4
"""Cards that form the opening floor, whatever the variant."""

PLAYERS = (2, 3, 4)
"""Numbers of players that make a table."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Setting:
    """
    A game as it is played at a table: rules, number of players, singles or pairs.

    Attributes
    ----------
    variant : str
        Built-in variant on which the rules rest.
    rules : Rules
        The rules, with the hand size that is really dealt.
    players : int
        2, 3 or 4.
    pairs : bool
        Whether seats 0 and 2 play together against seats 1 and 3.
    changes : dict
        What differs from what the built-in variant plays at such a table, in values JSON can hold.
    label : str
        What a person calls the rules: the variant's name, or the path of the person's own file.

    Raises
    ------
    RulesError
        If the pack cannot be dealt out evenly at such a table, or there is none such.
    """

    variant: str
    rules: Rules
    players: int
    pairs: bool = False
    changes: dict[str, Any] = field(default_factory=dict, hash=False)
    label: str = ""

    def __post_init__(self) -> None:
        """Check the number of players and that the cards come out even."""
        object.__setattr__(self, "players", check_players(self.players, self.pairs))
        if not self.label:
            object.__setattr__(self, "label", self.variant)
        if not deals(self.rules, self.players):
            raise RulesError(f"{self.label} with {self.players} players: {uneven(self.rules, self.players)}")

    @property
    def teams(self) -> tuple[int, ...]:
        """Team of each seat."""
        return (0, 1, 0, 1) if self.pairs else tuple(range(self.players))

    @property
    def team_count(self) -> int:
        """Number of teams."""
        return 2 if self.pairs else self.players

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards a player gets in each deal of the round."""
        return deals(self.rules, self.players)

    @property
    def plays(self) -> int:
        """Cards played in a round."""
        return self.rules.pack - FLOOR_CARDS

    def __str__(self) -> str:
        """Rules, with what is changed in them, and who sits at the table."""
        players = "4 players in pairs" if self.pairs else f"{self.players} players"
        changes = "".join(f", {name}={written(value)}" for name, value in self.changes.items())
        return f"{self.label}{changes}, {players}"

    def __repr__(self) -> str:
        """One line."""
        return f"<Setting: {self}>"

    def _repr_html_(self) -> str:
        """Rules and table."""
        sizes = " ".join(map(str, self.hand_sizes))
        return html(
            html_sentence(str(self), strong=True),
            html_sentence(f"Cards a player gets in each deal: {sizes}."),
            options_html(self.rules, "Rules at this table; what differs from bastra stands out."),
        )


def check_players(players: object, pairs: object = False) -> int:
    """
    Number of players, once it is known that such a table is possible: 2, 3 or 4, and pairs only of four.

    Raises
    ------
    RulesError
        If there is no such table.
    """
    number = plain_number(players)
    if type(number) is not int or number not in PLAYERS:
        raise RulesError(f"players = {shown(players)} is not possible: it takes {either(PLAYERS)}")
    if not isinstance(pairs, bool):
        raise RulesError(f"pairs = {shown(pairs)} is not possible: it takes true or false")
    if pairs and number != 4:
        raise RulesError(f"pairs need 4 players, not {number}: seats 0 and 2 play against seats 1 and 3")
    return number


def deals(rules: Rules, players: int) -> tuple[int, ...]:
    """
    Cards a player gets in each deal of a round; none if the cards do not come out even.

    The opening floor takes four cards. Under `short_last_deal` the last deal may be smaller, never the only one: a
    hand that nobody ever holds is taken for a mistake.
    """
    whole, rest = divmod(rules.pack - FLOOR_CARDS, players * rules.hand_size)
    if rest == 0:
        return (rules.hand_size,) * whole
    if rules.short_last_deal and whole and rest % players == 0:
        return (*(rules.hand_size,) * whole, rest // players)
    return ()


def even_hand_sizes(rules: Rules, players: int) -> tuple[int, ...]:
    """Hand sizes with which a round comes out in whole deals."""
    low, high = OPTIONS["hand_size"].limits or (1, 1)
    cards = rules.pack - FLOOR_CARDS
    return tuple(size for size in range(low, high + 1) if cards % (players * size) == 0)


def uneven(rules: Rules, players: int) -> str:
    """Why the cards cannot be dealt to so many players, and what would work."""
    cards, a_deal = rules.pack - FLOOR_CARDS, players * rules.hand_size
    text = f"hand_size = {rules.hand_size} does not come out even: {cards} cards are left after the floor, "
    text += f"a deal takes {a_deal}"
    if rules.short_last_deal and a_deal < cards:
        text += f" and the last {cards % a_deal} cannot be shared equally"
    works = []
    sizes = even_hand_sizes(rules, players)
    if sizes:
        works.append(f"hand_size = {either(sizes)}")
    short = deals(replace(rules, short_last_deal=True), players)
    if short:
        works.append(f"short_last_deal = true ({short[-1]} each in the last deal)")
    others = [number for number in PLAYERS if (deals(rules, number) if sizes else even_hand_sizes(rules, number))]
    if others:
        works.append(f"{either(others)} players")
    if not sizes:
        works.append("pack = 52")
    return f"{text}; possible: {'; '.join(works)}"
