"""How the rules share out what decides a round or a match: luck, seats, sources of points, choices."""
