"""
Advice on play, put to the test.

`model` says what is registered of a piece of advice, `registry` lists them. `ways`, `choices` and `observations` play
what a claim needs, as a way of playing, as decisions, and to see how often something happens; all report in `rows`.
`verdict` judges what came out, `wording` says it in sentences, and `testing` does all of it.
"""
