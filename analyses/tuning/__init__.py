"""
Weights found by self-play: players tuned for a setting, and best responses to a player.

`evaluation` plays candidates on common deals, `league` says against whom, `search` moves the weights, `files` keeps
what has been done so far, and `runs` does all of it.
"""
