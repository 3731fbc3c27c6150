"""What a shell completes: variants, players, claims, options of rules and files, without loading what plays."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from basra_sim.cli.sources import named_in

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
"""Asked for what a word that has been begun may become."""

_FORMS = ("literal", "tie-break", "reversed")
_ENDINGS = ("-memory:", "-noise:", "-rollouts:")


def policies() -> tuple[str, ...]:
    """Names of the players that come with the package."""
    return named_in("basra_sim.policies.written", "_NAMED")


def advice() -> tuple[str, ...]:
    """Names of the advice that players can follow."""
    return named_in("basra_sim.policies.advice", "_ADVICE")


def claims() -> tuple[str, ...]:
    """Names of the claims that are registered."""
    return named_in("analyses.claims.registry", "CLAIMS")


def _completer(found: Callable[[str], Iterable[str]]) -> Completer:
    """Completer of the words that a function finds for the beginning of one."""

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in found(begun) if word.startswith(begun)]

    return complete


def _variants(begun: str) -> Iterator[str]:
    """Variants, and files of a person's own."""
    from basra_sim.variants import variant_names

    yield from variant_names()
    yield from files(begun, ".toml")


def _policies(begun: str) -> Iterator[str]:
    """Players as they are written, with what they remember and follow."""
    told, plus, last = begun.rpartition("+")
    if plus:
        name, colon, _ = last.partition(":")
        words = (f"{name}:{form}" for form in _FORMS) if colon else (*advice(), *files(last, ".py", ".toml"))
        yield from (f"{told}+{word}" for word in words)
        return
    yield from policies()
    yield from (f"{name}{ending}" for name in policies() if begun.startswith(f"{name}-") for ending in _ENDINGS)
    yield from files(begun, ".py", ".json")


def _claims(begun: str) -> Iterator[str]:
    """Claims, and files with a person's own advice."""
    yield from claims()
    yield from files(begun, ".py", ".toml")


def _changes(begun: str) -> Iterator[str]:
    """Options of the rules with ``=``, then their values."""
    from basra_sim.rules import OPTIONS

    name, equals, _ = begun.partition("=")
    for option in OPTIONS.values():
        if not equals:
            yield f"{option.name}="
        elif option.name == name:
            truth = ("true", "false") if isinstance(option.default, bool) else ()
            yield from (f"{name}={value}" for value in option.choices or truth)


def files(begun: str, *endings: str) -> Iterator[str]:
    """Files of some endings whose path begins so, and once it is begun folders to look in, with a slash."""
    folder, slash, _ = begun.rpartition("/")
    try:
        entries = sorted(Path(folder + slash or ".").iterdir())
    except OSError:
        return
    for entry in entries:
        if not entry.name.startswith("."):
            if entry.is_dir() and begun:
                yield f"{folder}{slash}{entry.name}/"
            elif entry.is_file() and entry.suffix.lower() in endings:
                yield f"{folder}{slash}{entry.name}"


complete_variant = _completer(_variants)
complete_policy = _completer(_policies)
complete_claim = _completer(_claims)
complete_change = _completer(_changes)
complete_records = _completer(lambda begun: files(begun, ".jsonl"))
