"""Which rules make the fairest and most skilful game: measures, for every variant, table and level of play."""
