"""The page ``docs/rules.md``: the game, every option, every variant, all of it from the rules and the variant files."""

from collections.abc import Iterator

from basra_sim.rules import FLOOR_CARDS, OPTIONS, Rules
from basra_sim.rules.model import PREMISES
from basra_sim.rules.options import Option, written
from basra_sim.variants import SOURCES, Variant, variant, variant_names
from basra_sim.variants.model import TABLES

HEAD = """\
# The rules

<!-- Made from basra_sim/rules and basra_sim/variants by `python -m tests.readme`; a change here is lost. -->

What is played, what can be varied, and how every variant differs. `basra-sim variants NAME` shows one of them in a
terminal, `basra_sim.variant("egyptian")` in a notebook. How to write rules of your own: [extending.md](extending.md).
"""


def page() -> str:
    """The page."""
    variants = [variant(name) for name in variant_names()]
    parts = [HEAD, *_game(variants[0].rules), *_options(), *(line for each in variants for line in _variant(each))]
    return "\n".join([*parts, *_sources()]) + "\n"


def _game(rules: Rules) -> Iterator[str]:
    """The plain game in words."""
    buried, two = " ".join(rules.buried), _meaning("two", rules.two)
    yield f"""\
## The game in short

This is `bastra`, on which all other variants rest.

- **Table.** Two, three or four players, each for himself, or four in two pairs, partners facing each other.
- **Deal.** From a pack of {rules.pack}, {FLOOR_CARDS} cards are laid face up: the floor. Those of rank {buried} do not
  stay there: they go under the pack, and the next card takes their place. Each player gets {rules.hand_size} cards, and
  {rules.hand_size} more whenever all hands are empty, until the pack is used up.
- **Play.** In turn each plays one card. A numeral (ace to ten) takes cards of its rank, and groups of numerals that sum
  to it, an ace counting one. A queen takes queens, a king kings. A jack takes the whole floor. A card that can take
  must take; of several possible sets the player chooses one that no larger possible set contains. A card that takes
  nothing is laid on the floor.
- **Basra.** Who clears the floor with a card other than a jack makes a basra: {rules.basra_points} points. A jack makes
  none.
- **End.** When the last card is played, what is left on the floor goes to whoever captured last; that is no basra.
- **Points.** Each ace {rules.ace_points}, each jack {rules.jack_points}, {two} {rules.two_points},
  the ten of diamonds {rules.ten_points}; most cards {rules.majority_points}, and in a tie that goes to
  {_meaning("majority_tie", rules.majority_tie)}.
- **Match.** Rounds are played, the first move passing on, until a side has {rules.target} points after a round; if
  several lead with so many, {_meaning("match_tie", rules.match_tie)}.
"""


def _meaning(name: str, value: object) -> str:
    """What a value of an option means."""
    choices = OPTIONS[name].choices
    assert choices is not None
    return choices[value]


def _options() -> Iterator[str]:
    """Every option with its meaning."""
    yield """\
## The options

Every one can be set in a variant file, after `--set` on the command line, or in `changes` from Python. An option that
is not named is as in the base, and at last as in `bastra`.
"""
    yield "| option | in `bastra` | takes | what it is |\n| --- | --- | --- | --- |"
    for option in OPTIONS.values():
        yield f"| `{option.name}` | `{written(option.default)}` | {_takes(option)} | {option.doc} |"
    yield "\nWhat the words among the values mean:\n"
    for option in OPTIONS.values():
        if option.choices:
            meanings = "; ".join(f"`{value}`: {meaning}" for value, meaning in option.choices.items())
            yield f"- `{option.name}`: {meanings}."
    yield "\nSome options have an effect only beside others, and must be left alone without them:\n"
    yield "\n".join(f"- `{name}` needs `{other} = {written(needed)}`." for name, other, needed in PREMISES)
    yield ""


def _takes(option: Option) -> str:
    """Values of an option."""
    return " ".join(f"`{value}`" for value in option.choices) if option.choices else option.allowed


def _variant(each: Variant) -> Iterator[str]:
    """A variant: where it comes from, what differs from its base, what was settled."""
    also = f" (also {', '.join(f'`{alias}`' for alias in each.aliases)})" if each.aliases else ""
    yield f"## {each.title}: `{each.name}`{also}\n"
    base = variant(each.base) if each.base else None
    rests = f" It rests on `{base.name}`." if base else " All others rest on it."
    look = " The dealer looks at the bottom card before anything is buried." if each.dealer_look else ""
    yield f"{each.country}. Played {each.direction}; {each.first_to_play} plays first.{look}{rests}\n"
    yield from _differences(each, base)
    yield f"Cards a player gets in each deal: {'; '.join(_hands(each))}.\n"
    others = [
        f"`{name}`: {', '.join(f'`{written(value)}`' for value in values)}"
        for name, values in each.alternatives.items()
        if values
    ]
    if others:
        yield f"The sources also mention {'; '.join(others)}.\n"
    yield "What the sources leave open, and how it was settled:\n"
    yield "\n".join(f"- {note}" for note in each.notes)
    yield f"\nFrom: {', '.join(each.sources)}.\n"


def _differences(each: Variant, base: Variant | None) -> Iterator[str]:
    """Table of what differs from the base."""
    if base is None:
        return
    rules = [name for name in OPTIONS if getattr(each.rules, name) != getattr(base.rules, name)]
    if not rules:
        yield f"The same as `{base.name}` in every rule.\n"
        return
    yield f"| option | here | in `{base.name}` | what that means |\n| --- | --- | --- | --- |"
    for name in rules:
        value, choices = getattr(each.rules, name), OPTIONS[name].choices
        meaning = f"{OPTIONS[name].doc}{f' Here: {choices[value]}.' if choices else ''}"
        yield f"| `{name}` | `{written(value)}` | `{written(getattr(base.rules, name))}` | {meaning} |"
    yield ""


def _hands(each: Variant) -> Iterator[str]:
    """Hands at each table."""
    for players, pairs in TABLES:
        if pairs:
            continue
        sizes = each.hand_sizes(players)
        alike = len(set(sizes)) == 1
        told = f"{len(sizes)} times {sizes[0]}" if alike else " ".join(map(str, sizes)) or "not possible"
        yield f"{players} players {told}"


def _sources() -> Iterator[str]:
    """What the variants were written from."""
    yield "## Sources\n"
    yield "\n".join(f"- `{name}`: {words}" for name, words in SOURCES.items())
