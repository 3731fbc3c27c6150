"""
Advice on play, put to the test.

`model` says what is registered of a piece of advice, `registry` lists them, and each has a module of its own. `duels`
plays what a claim needs, `verdict` judges what came out.
"""
