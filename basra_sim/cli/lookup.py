"""Commands that look things up: the variants, and what a card may take."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from basra_sim.cli.completing import complete_variant
from basra_sim.cli.options import examples, json_option, set_option, variant_argument
from basra_sim.cli.progress import Progress
from basra_sim.cli.text import option_value, paragraph, show, show_json, table

_FIRST_TABLE = ("name", "aliases", "country", "pack", "hand", "two", "target")
"""Columns of the first of the two tables of variants; the rest stand in the second."""

_RULE_INDENT = 21


@click.command(
    epilog=examples(
        "basra-sim variants",
        "basra-sim variants egyptian",
        "basra-sim variants my-rules.toml --json",
    )
)
@click.argument("name", required=False, shell_complete=complete_variant)
@json_option
def variants(name: str | None, as_json: bool) -> None:
    """
    The rule sets: a table of all, or everything about one.

    NAME is a variant, another name of one, or a file of your own (NAME.toml).
    """
    from basra_sim.variants import TABLE_COLUMNS, variant, variant_table

    if name is not None:
        described = variant(name).describe()
        if as_json:
            show_json(described)
        else:
            show(_described(described))
        return
    rows = variant_table()
    if as_json:
        show_json(rows)
        return
    second = ("name", *(key for key in TABLE_COLUMNS if key not in _FIRST_TABLE))
    for columns in (_FIRST_TABLE, second):
        cells = ([str(row[key]) for key in columns] for row in rows)
        show([*table([TABLE_COLUMNS[key] for key in columns], cells), ""])
    show(paragraph("All about one of them, with every option: basra-sim variants NAME"))


def _described(about: Mapping[str, Any]) -> list[str]:
    """Lines that tell all about a variant."""
    also = f" (also {', '.join(about['aliases'])})" if about["aliases"] else ""
    lines = paragraph(f"{about['name']}{also}: {about['title']}")
    lines += paragraph(f"From {about['country']}." + (f" Differs from {about['base']}." if about["base"] else ""))
    look = " The dealer sees the bottom card before any is buried." if about["dealer_look"] else ""
    lines += paragraph(f"Played {about['direction']}; {about['first_to_play']} plays first.{look}")
    lines += ["", "Who can play", *(line for each in about["tables"] for line in paragraph(_seats(each), 2, 2))]
    lines += ["", "Rules (* differs from bastra)"]
    for rule in about["rules"]:
        lines += _rule(rule)
    if about["notes"]:
        lines += ["", "What was left open, and how it is settled"]
        lines += [line for note in about["notes"] for line in paragraph(f"- {note}", 2, 2)]
    lines += ["", "Sources"]
    return lines + [line for source in about["sources"] for line in paragraph(f"- {_source(source)}", 2, 2)]


def _seats(seats: Mapping[str, Any]) -> str:
    """One table that a variant can be played at, in words."""
    players = "4 players in two pairs" if seats["pairs"] else f"{seats['players']} players"
    sizes = seats["hand_sizes"]
    deals = f"{len(sizes)} deals of {sizes[0]} cards"
    if sizes[-1] != sizes[0]:
        deals = f"{len(sizes) - 1} deals of {sizes[0]} cards and one of {sizes[-1]}"
    return f"{players}: {deals}"


def _source(source: Mapping[str, str]) -> str:
    """One source in words."""
    if source["id"] == source["description"]:
        return source["id"]
    return f"{source['id']}: {source['description']}"


def _rule(rule: Mapping[str, Any]) -> list[str]:
    """Lines about one option of a variant's rules."""
    value = option_value(rule["value"])
    if rule["alternatives"]:
        value += f" (or {', '.join(map(option_value, rule['alternatives']))})"
    mark = "*" if rule["differs"] else " "
    lines = [f"{mark} {rule['name']:{_RULE_INDENT - 2}}{value}"]
    about = rule["doc"] + (f" Here: {rule['meaning']}." if rule["meaning"] and rule["meaning"] != value else "")
    return lines + paragraph(about, _RULE_INDENT + 2)


@click.command(
    epilog=examples(
        'basra-sim captures bastra --floor "AS 8D 2C 7H 6C" --card 9H',
        'basra-sim captures egyptian --floor "4H 3D" --card 7D',
        'basra-sim captures lebanese-a --floor "3C 4D" --card 7H --lone-before',
    )
)
@variant_argument
@click.option("--floor", required=True, metavar="CARDS", help='Cards on the floor, such as "7C 4H 3D"; "" for none.')
@click.option("--card", required=True, metavar="CARD", help="The card that is played, such as 7D.")
@click.option("--lone-before", is_flag=True, help="The floor is one card that lay alone and the one just laid on it.")
@click.option("--last-card", is_flag=True, help="It is the last card of the round.")
@set_option
@json_option
def captures(
    variant: str, floor: str, card: str, lone_before: bool, last_card: bool, changes: tuple[str, ...], as_json: bool
) -> None:
    """
    What a card may take, and what each choice scores.

    Points are those of the cards won, the played one included.
    """
    with Progress():
        found = _choices(variant, floor, card, lone_before, last_card, changes)
    if as_json:
        click.echo(json.dumps({"legal": found}))
        return
    rows = []
    for choice in found:
        taken = " ".join(choice["taken"]) or "(it is laid)"
        rows.append([taken, str(choice["basra"]), str(choice["points"]), choice["rule"]])
    show(table(["takes", "basra", "points", "rule"], rows, right=(1, 2)))


def _choices(
    variant: str, floor: str, card: str, lone_before: bool, last_card: bool, changes: Iterable[str]
) -> list[dict[str, Any]]:
    """Choices of a card on a floor: taken and basra from the compiled engine, the rule from the readable one."""
    from basra_sim.cards import card_name, card_names, parse_card, parse_cards
    from basra_sim.errors import BasraError, InputError
    from basra_sim.legal import legal
    from basra_sim.reference import choice_key, legal_choices
    from basra_sim.reference.rounds import card_points
    from basra_sim.rules import override, parse_changes
    from basra_sim.variants import variant as find

    rules = override(find(variant).rules, parse_changes(changes))
    try:
        lying = parse_cards(floor)
    except InputError as error:
        raise InputError(f"--floor: {error}") from None
    try:
        played = parse_card(card)
    except InputError as error:
        raise InputError(f"--card: {error}") from None
    readable = legal_choices(rules, lying, played, lone_before=lone_before, last_card=last_card)
    compiled = legal(rules, lying, played, lone_before=lone_before, last_card=last_card)
    by_key = {choice_key(rules, choice.taken): choice for choice in readable}
    same = {(choice_key(rules, taken), basra) for taken, basra in compiled}
    if same != {(key, choice.basra) for key, choice in by_key.items()} or len(compiled) != len(readable):
        where = f"{card_name(played)} on {' '.join(card_names(lying)) or 'an empty floor'}"
        raise BasraError(f"the compiled and the readable engine disagree about {where} in {variant}: please report it")
    found = []
    for cards, basra in sorted(compiled, key=lambda choice: (-len(choice[0]), sorted(choice[0]))):
        taken = [each for each in lying if each in cards]
        points = sum(card_points(rules, [played, *taken])) if taken else 0
        rule = by_key[choice_key(rules, taken)].reason
        found.append({"taken": card_names(taken), "basra": basra, "points": points, "rule": rule})
    return found
