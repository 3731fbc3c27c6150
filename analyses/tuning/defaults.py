"""How much a run of tuning does if nothing is said, and at most."""

START = "adept"
"""Player whose weights it starts from."""

GENERATIONS, MOST_GENERATIONS = 40, 10_000

FEWEST_CANDIDATES, POPULATION, MOST_CANDIDATES = 4, 14, 1_000
"""Candidates of a generation."""

ROUNDS = 40_000
"""Rounds that each candidate plays a generation."""

DEALS = 100_000
"""Deals of each comparison at the end."""
