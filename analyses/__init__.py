"""Questions about the game: data frames in, data frames out. Builds on ``basra_sim`` only."""
