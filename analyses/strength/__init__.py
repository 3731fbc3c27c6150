"""How strong players are: a round robin on common deals, ratings from it, and what can be taken from each."""
