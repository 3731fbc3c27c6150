"""Weights that were tuned for single settings: those that come with the package, and a person's own, in files."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from basra_sim.errors import InputError
from basra_sim.inputs import parse_json
from basra_sim.policies.model import FEATURES, Policy
from basra_sim.rules import Setting
from basra_sim.rules.wording import did_you_mean, shown, text_of

FOLDER = Path(__file__).parent / "weights"
"""Where the files are that come with the package."""

_KINDS: Mapping[str, tuple[type, str]] = {
    "variant": (str, "a text"),
    "players": (int, "a whole number"),
    "pairs": (bool, "true or false"),
    "weights": (dict, "an object of numbers by feature"),
    "provenance": (dict, "an object"),
}

KEYS = tuple(_KINDS)
"""What a file of weights holds."""

HEAVIEST = 1_000_000
"""Points that a weight may come to, either way."""


def table_name(setting: Setting) -> str:
    """Name of a table in the names of files: ``2``, or ``4-pairs``."""
    return f"{setting.players}-pairs" if setting.pairs else str(setting.players)


def file_name(setting: Setting) -> str:
    """Name of the file of weights for a setting: three or four singles have those of two."""
    return f"{setting.variant}-{table_name(setting) if setting.pairs else 2}.json"


def read_weights(path: str | Path) -> Mapping[str, Any]:
    """
    What a file of weights holds, `KEYS` by name.

    Raises
    ------
    InputError
        If it cannot be read, or is no such file.
    """
    text = text_of(path)
    try:
        found = parse_json(text)
    except ValueError as error:
        raise InputError(f"{path} is no file of weights: it is not JSON ({error})") from error
    if not isinstance(found, dict) or not isinstance(found.get("weights"), dict):
        raise InputError(f"{path} is no file of weights: it needs an object with 'weights', as 'basra-sim tune' writes")
    for key, (kind, words) in _KINDS.items():
        if key in found and type(found[key]) is not kind:
            raise InputError(f"{path}: {key} is {shown(found[key])}: it must be {words}")
    _check(path, found["weights"])
    return found


def _check(path: str | Path, weights: Mapping[str, object]) -> None:
    """Refuse a name that is no feature, and a weight that is no number."""
    known = [feature.name for feature in FEATURES]
    for name, weight in weights.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise InputError(f"{path}: no feature is called {name!r}{hint}")
        if not isinstance(weight, int | float) or isinstance(weight, bool) or not abs(weight) <= HEAVIEST:
            raise InputError(
                f"{path}: the weight of {name} is {shown(weight)}: it must be a number, at most {HEAVIEST:,} either way"
            )


@cache
def shipped(name: str) -> Mapping[str, float]:
    """Weights of a file that comes with the package."""
    return dict(read_weights(FOLDER / name)["weights"])


def champion_weights(setting: Setting) -> Mapping[str, float]:
    """Weights that were tuned for a variant at a table; changed rules keep those of their variant."""
    return shipped(file_name(setting))


def policy_from_weights(path: str) -> Policy:
    """
    Policy of a file of weights; its name is that of the file.

    Raises
    ------
    InputError
        If it cannot be read, or is no such file.
    """
    found = read_weights(path)
    return Policy(path, f"weights of {path}", dict(found["weights"]))
