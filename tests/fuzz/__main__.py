"""``python -m tests.fuzz ENTRY --minutes M``: hostile input for one entry point."""

import argparse
from pathlib import Path

from tests.fuzz.entries import ENTRIES
from tests.fuzz.running import run


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("entry", choices=sorted(ENTRIES))
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (default: 30)")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), help="folder for what is found")
    asked = parser.parse_args()
    run(ENTRIES[asked.entry], asked.minutes * 60, asked.found / asked.entry)


if __name__ == "__main__":
    main()
