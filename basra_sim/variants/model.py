"""A named set of rules, with what people like to know about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from basra_sim.rules import OPTIONS, Rules, deals
from basra_sim.rules.model import options_html
from basra_sim.rules.wording import either
from basra_sim.showing import html, html_items, html_sentence

SOURCES: Mapping[str, str] = {
    "article-en": "encyclopaedia article on Bastra and its relatives, in English, with advice on play",
    "article-ru": "the same article in Russian, without the advice on play",
    "page-nl": "page of rules for Basra, in Dutch",
    "page-en": "page of rules for Basra, in English",
}
"""What the variants were written from; variants name these by their keys."""

TABLE_COLUMNS: Mapping[str, str] = {
    "name": "variant",
    "aliases": "also",
    "country": "country",
    "pack": "pack",
    "hand": "hand",
    "buried": "buried",
    "seven_of_diamonds": "7D",
    "jack_on_jack": "jack on a lone jack",
    "basra": "basra",
    "majority": "most cards, tie",
    "two": "two",
    "target": "target",
}
"""Heading of each cell of `Variant.row` that is meant for a printed table, in order."""

TABLES = ((2, False), (3, False), (4, False), (4, True))
"""Numbers of players, and whether they play in pairs."""

_NUMBER = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Variant:
    """
    A named set of rules: one of the built-in ones, or a person's own file.

    Attributes
    ----------
    name : str
        Name of a built-in variant, or path of the file.
    title, country, direction, first_to_play : str
        For people; without effect on play, where seats follow in playing order.
    aliases : tuple of str
        Other names.
    sources : tuple of str
        Keys of `SOURCES`, or words of the file's author.
    dealer_look : bool
        Whether the dealer sees the bottom card before anything is buried; for people only.
    alternatives : dict
        Values that the sources also mention, by option.
    notes : tuple of str
        What the sources leave open and how it was settled.
    base : str or None
        Variant or file from which this one differs.
    root : str
        The built-in variant at the bottom of a file; a built-in variant itself.
    rules : Rules
        The rules.
    hand_size_for : dict
        Hand size by number of players, where it is another than `rules.hand_size`.
    """

    name: str
    title: str
    country: str
    direction: str
    first_to_play: str
    dealer_look: bool
    rules: Rules
    root: str
    base: str | None = None
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    alternatives: dict[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)
    hand_size_for: dict[int, int] = field(default_factory=dict, hash=False)

    def hand_size(self, players: int, rules: Rules | None = None) -> int:
        """
        Cards a player gets in a deal, unless a person asks for another number.

        Where other rules are given (this variant's, changed), a special hand size for the number of players holds
        only if it comes out even under them.
        """
        rules = rules or self.rules
        special = self.hand_size_for.get(players, rules.hand_size)
        return special if deals(replace(rules, hand_size=special), players) else rules.hand_size

    def hand_sizes(self, players: int) -> tuple[int, ...]:
        """Cards a player gets in each deal of a round; none if so many cannot play."""
        return deals(replace(self.rules, hand_size=self.hand_size(players)), players)

    def describe(self) -> dict[str, Any]:
        """Everything about the variant, in values JSON can hold; every option with its meaning."""
        return {
            "name": self.name,
            "title": self.title,
            "aliases": list(self.aliases),
            "base": self.base,
            "country": self.country,
            "direction": self.direction,
            "first_to_play": self.first_to_play,
            "dealer_look": self.dealer_look,
            "sources": [{"id": key, "description": SOURCES.get(key, key)} for key in self.sources],
            "tables": [
                {"players": players, "pairs": pairs, "hand_sizes": list(self.hand_sizes(players))}
                for players, pairs in TABLES
                if self.hand_sizes(players)
            ],
            "rules": [self._rule(name) for name in OPTIONS],
            "notes": list(self.notes),
        }

    def row(self) -> dict[str, Any]:
        """Row of the table of variants: cells to print as in `TABLE_COLUMNS`, then the plain values."""
        rules = self.rules
        return {
            "name": self.name,
            "aliases": ", ".join(self.aliases),
            "country": self.country,
            "pack": str(rules.pack),
            "hand": self._hand(),
            "buried": " ".join(rules.buried) or "nothing",
            "seven_of_diamonds": self._seven(),
            "jack_on_jack": self._cell("jack_on_jack"),
            "basra": self._basra(),
            "majority": f"{rules.majority_points}, {rules.majority_tie}",
            "two": rules.two,
            "target": self._cell("target"),
            "rules": rules.to_dict(),
            "hand_size_for": {str(players): size for players, size in self.hand_size_for.items()},
            "alternatives": {name: list(values) for name, values in self.alternatives.items()},
        }

    def __repr__(self) -> str:
        """One line."""
        return f"<Variant {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        """Title, the options that differ from ``bastra``, and what was settled."""
        differs = [name for name in OPTIONS if getattr(self.rules, name) != OPTIONS[name].default]
        also = f", also called {', '.join(self.aliases)}" if self.aliases else ""
        caption = "All else is as in bastra." if differs else "Nothing differs from bastra."
        return html(
            html_sentence(f"{self.name}{also}: {self.title}", strong=True),
            html_sentence(
                f"{self.country}. Played {self.direction}; {self.first_to_play} plays first. Hands of {self._hand()}."
            ),
            options_html(self.rules, caption, differs),
            html_items(self.notes),
            html_sentence(" ".join(["Sources:", "; ".join(SOURCES.get(each, each) for each in self.sources)]) + ".")
            if self.sources
            else "",
        )

    def _rule(self, name: str) -> dict[str, Any]:
        """One option as this variant has it."""
        option, value = OPTIONS[name], self.rules.to_dict()[name]
        return {
            "name": name,
            "value": value,
            "meaning": option.choices[value] if option.choices else None,
            "doc": option.doc,
            "allowed": option.allowed,
            "in_bastra": list(option.default) if isinstance(option.default, tuple) else option.default,
            "differs": getattr(self.rules, name) != option.default,
            "alternatives": list(self.alternatives.get(name, ())),
        }

    def _cell(self, name: str, *remarks: str) -> str:
        """Value of an option, with remarks and its alternatives in brackets."""
        others = self.alternatives.get(name, ())
        remarks = (*remarks, f"or {either(others)}") if others else remarks
        return str(getattr(self.rules, name)) + (f" ({'; '.join(remarks)})" if remarks else "")

    def _hand(self) -> str:
        """Hand size with its exceptions."""
        sizes = sorted(self.hand_size_for.items())
        return self._cell("hand_size", *(f"{_NUMBER[players]} players: {size}" for players, size in sizes))

    def _seven(self) -> str:
        """What the seven of diamonds does."""
        rules = self.rules
        if not rules.seven_sweeps:
            return rules.seven_of_diamonds
        lone = "" if rules.lone_seven == "ordinary" else f"; alone: {_words(rules.lone_seven)}"
        return f"{rules.seven_of_diamonds}; basra: {_words(rules.seven_basra)}{lone}"

    def _basra(self) -> str:
        """When a basra is made, and its points."""
        rules = self.rules
        if rules.basra_scoring == "flat":
            return f"{_words(rules.basra_when)}: {rules.basra_points}"
        faces = "".join(f", {card} {face}" for card, face in (("Q", rules.queen_face), ("K", rules.king_face)) if face)
        return f"{_words(rules.basra_when)}: {_words(rules.basra_scoring)}{faces}"


def _words(value: str) -> str:
    """Value of an option as words."""
    return value.replace("_", " ")
