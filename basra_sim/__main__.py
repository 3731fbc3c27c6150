"""``python -m basra_sim``: the same as the ``basra-sim`` command."""

from basra_sim.cli import program

if __name__ == "__main__":
    program()
