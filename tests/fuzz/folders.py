"""Folders of jobs, damaged, foreign, or made to do harm: they are looked at, and gone on with."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.fuzz.drawing import Drawing

ROUNDS = 40

ASKED = {"command": "simulate", "settings": {"rounds": ROUNDS}}


def folders(folder: Path) -> Callable[[bytes], object]:
    """What damages a folder of a job, looks at it, and goes on with it."""
    from basra_sim.errors import BasraError
    from basra_sim.jobs import job
    from basra_sim.jobs.folders import ASKED as NOTE
    from basra_sim.jobs.looking import look
    from basra_sim.simulation import simulate

    def play(place: Path) -> Any:
        with job(place, ASKED, lambda _: None):
            return simulate("bastra", rounds=ROUNDS, policies="random", threads=1).rows

    whole, place, elsewhere = folder / "whole", folder / "night", folder / "elsewhere"
    right = play(whole)

    def work(data: bytes) -> None:
        for each in (place, elsewhere):
            if each.is_symlink() or each.is_file():
                each.unlink()
            shutil.rmtree(each, ignore_errors=True)
        shutil.copytree(whole, place)
        elsewhere.mkdir()
        (elsewhere / ".x.part").write_text("mine")
        piece = next(place.rglob("*.parquet"))
        if data[:1] == b"\xff":
            draw = Drawing(data[1:])
            for _ in range(draw.below(3) + 1):
                with suppress(OSError):  # another damage has been there before
                    damage(draw, place, piece, elsewhere)
        elif data[:1] == b"{":
            (place / NOTE).write_bytes(data)
        else:
            piece.write_bytes(data)
        refused = 0
        for check in (False, True):
            try:
                json.dumps(look(place, check=check).to_dict(), allow_nan=False)
                tell(place, check=check)
            except BasraError:
                refused += 1
        try:
            assert play(place) == right
        except BasraError:
            refused += 1
        assert sorted(each.name for each in elsewhere.iterdir()) == [".x.part"], "something was done elsewhere"
        assert (elsewhere / ".x.part").read_text() == "mine"

    return work


def tell(place: Path, *, check: bool) -> None:
    """Tell of a folder on the command line."""
    from basra_sim.cli.jobs import _lines
    from basra_sim.jobs.looking import look

    list(_lines(look(place, check=check)))


def damage(draw: Drawing, place: Path, piece: Path, elsewhere: Path) -> None:
    """Do something to a folder."""
    from basra_sim.jobs.folders import ASKED as NOTE
    from basra_sim.jobs.folders import FINISHED, LOCK, PIECES
    from basra_sim.jobs.pieces import Damaged, unpacked

    what = draw.below(8)
    inner = piece.relative_to(place)
    target = place / draw.one([NOTE, PIECES, FINISHED, LOCK, str(inner), str(inner.parent)])
    if any(above.is_symlink() for above in target.parents):
        return  # a damage before this one leads elsewhere, and so would this one
    small = target.is_file() and target.stat().st_size < 1_000_000
    if what == 0 and small:
        data = bytearray(target.read_bytes())
        at = draw.below(len(data) + 1)
        data[at : at + draw.below(9)] = bytes(draw.below(256) for _ in range(draw.below(9)))
        target.write_bytes(data)
    elif what == 1 and small:
        target.write_bytes(target.read_bytes()[: draw.below(2000)])
    elif what == 2:
        remove(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(
            draw.one([elsewhere, Path("/dev/zero"), Path("/etc/passwd"), elsewhere / "new", Path(target.name)])
        )
    elif what == 3:
        remove(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        if draw.chance(2):
            os.mkfifo(target)
        elif draw.chance(2):
            target.mkdir()
        else:
            with target.open("wb") as stream:
                stream.truncate(3_000_000_000)
    elif what in (4, 5) and piece.is_file() and piece.stat().st_size < 1_000_000:
        with suppress(Damaged, OSError):
            repack(draw, piece, *unpacked(piece))
    elif what == 6 and (place / NOTE).is_file() and (place / NOTE).stat().st_size < 1_000_000:
        with suppress(ValueError):
            rewrite(draw, place / NOTE, json.loads((place / NOTE).read_bytes()))
    elif what == 7 and not any(each.is_symlink() for each in (place, place / PIECES)):
        (place / draw.one(["foreign", f"{PIECES}/foreign", f"{PIECES}/x/1-2.parquet"])).parent.mkdir(exist_ok=True)
        (place / draw.one(["foreign", ".y.part"])).write_bytes(b"x")


def rewrite(draw: Drawing, file: Path, note: Any) -> None:
    """Write another value into what was asked for."""
    if not isinstance(note, dict):
        return
    where: dict[str, Any] = note
    for _ in range(draw.below(3)):
        found = where.get(draw.one(["asked", "made_by", "settings", "command"]))
        where = found if isinstance(found, dict) else where
    where[draw.one(["asked", "made_by", "format", "settings", "command", "files", "sources", "x"])] = draw.value()
    try:
        text = json.dumps(note)
    except ValueError:
        text = '{"asked": ' * 5000
    file.write_text(text)


def repack(draw: Drawing, piece: Path, label: Any, arrays: Any) -> None:
    """Write a piece that says something else of itself, its digest right; maybe to where it says it belongs."""
    from basra_sim.jobs.pieces import packed

    field = draw.one(["task", "about", "first", "count", "task_first", "task_count"])
    value: Any = draw.value(1)
    if draw.chance(2):
        value = draw.one([-1, 0, 1, 2**62, 2**63 - 1, 10**12])
    label = replace(label, **{field: value})
    try:
        data = packed(label, arrays)
        named = Path(str(label.task), f"{label.first}-{label.count}.parquet")
        within = len(named.parts) == 2 and ".." not in named.parts and not named.is_absolute()
        place = piece.parent.parent / named if within and draw.chance(2) else piece
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
    except (ValueError, TypeError, OSError):
        return


def remove(path: Path) -> None:
    """Remove whatever is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
