"""
Questions about the game: data frames in, data frames out. Builds on ``basra_sim`` only.

One question is one module. What it needs to have played it hands out as jobs (`analyses.jobs`), so that a caller can
say how far they are; what it makes of them is a data frame whose columns its docstring names.
"""
