"""Files of tuned weights, and the file beside them that an interrupted run goes on from."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from basra_sim.errors import InputError
from basra_sim.files import written_aside
from basra_sim.inputs import LARGEST_KEPT, parse_json, read_text
from basra_sim.policies.tuned import table_name
from basra_sim.rules import Setting

FORMATS = (".json",)
"""Endings of files of weights."""

PART = ".part"
"""Ending of the file that a run is kept in until it is done."""

_LIST = re.compile(r"\[\s+([^\[\]{}]+?)\s+\]")


def file_name(table: Setting) -> str:
    """Name of the file of weights for a setting, such as ``bastra-2.json``."""
    return f"{Path(table.label).stem}-{table_name(table)}.json"


def text_of(document: object) -> str:
    """JSON, set in, with each list of plain values on one line."""
    text = json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False)
    return _LIST.sub(lambda found: f"[{' '.join(found[1].split())}]", text) + "\n"


def write(path: Path, document: object) -> None:
    """
    Write a JSON document, which appears only when it is complete.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        with written_aside(path) as beside:
            beside.write_text(text_of(document), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


class Record:
    """
    What a run has done so far, kept in a file from generation to generation.

    Parameters
    ----------
    output : file that the run will write; beside it stands what is kept. None keeps nothing.
    settings : all that the run depends on

    Raises
    ------
    InputError
        If what is kept there is of other settings, or no such file, or it cannot be written.
    """

    def __init__(self, output: Path | None, settings: Mapping[str, Any]) -> None:
        self.path = None if output is None else output.with_name(output.name + PART)
        self.settings = dict(settings)
        self.generations: list[dict[str, Any]] = []
        if self.path is not None and self.path.exists():
            self.generations = self._read(self.path)
        else:
            self._keep()

    def add(self, generation: dict[str, Any]) -> None:
        """Add a generation, and keep it."""
        self.generations.append(generation)
        self._keep()

    def remove(self) -> None:
        """Remove the file: the run is done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _keep(self) -> None:
        """Write everything down."""
        if self.path is not None:
            write(self.path, {"settings": self.settings, "generations": self.generations})

    def _read(self, path: Path) -> list[dict[str, Any]]:
        """Generations that a file has kept."""
        try:
            kept = parse_json(read_text(path, LARGEST_KEPT))
            settings, generations = kept["settings"], list(kept["generations"])
            whole = all(
                isinstance(each["fitness"], list)
                and isinstance(each["mean"], dict)
                and isinstance(each["margin"], int | float)
                and isinstance(each["margins"], dict)
                for each in generations
            )
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError):
            settings, generations, whole = {}, [], False
        if not whole or not isinstance(settings, dict):
            raise InputError(f"{path} holds no interrupted run: remove it to begin anew")
        differ = [name for name, value in self.settings.items() if settings.get(name) != value]
        if differ:
            told = {name: name.removesuffix("_at_the_end") for name in differ if name != "deals_a_generation"}
            was = ", ".join(f"{option} = {json.dumps(settings.get(name))}" for name, option in told.items())
            raise InputError(f"{path} holds a run of other settings ({was}): give those, or remove it to begin anew")
        return generations
