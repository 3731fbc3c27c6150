"""Whether it pays to keep the jacks to the end of the deal."""

from analyses.claims.model import AS_THEY_ARE, Claim, Form, Player

ALWAYS = 1000.0
"""Weight that goes before any other thing a policy looks at."""

NEARLY = 0.1
"""Weight that settles only what lies within a tenth of a point, by the policy's own reckoning."""

FREE_HANDED = tuple(
    Player(
        f"free {player.strength}",
        player.strength,
        "spends a jack for whatever it brings at once, where the plain one keeps it for less than two points",
        {"jack_takes": 0.0},
    )
    for player in AS_THEY_ARE
)
"""
Players who know nothing of the advice.

The plain ones, at whom it is judged, follow a mild form of it unasked: they charge themselves two points for a capture
with a jack. What it is worth to one who does not is explored beside.
"""

CLAIM = Claim(
    name="jack-hold",
    advice="Keep the jacks to the end of the deal.",
    subject="keeping the jacks to the end of the deal",
    applies="You hold a jack and another card, and there are cards on the floor.",
    predicts=(
        "A player who keeps his jack for as long as he holds another card wins points from one who plays alike but for "
        "that; one who plays it at the first chance loses points."
    ),
    remark=(
        "That a reverse which costs as well makes the verdict depend on the situation was laid down after first "
        "runs had been seen; before, the primary duels alone decided. The plain players keep a jack unasked "
        "unless it brings two points; what the advice is worth to players who do not is explored besides. The "
        "same page of advice allows for exceptions: points on the floor, many cards on it, two jacks in hand. "
        "They are claims of their own. The tie-break leaves room for them, the literal form does not."
    ),
    source="article-en",
    others=FREE_HANDED,
    forms=(
        Form(
            name="literal",
            does="plays a jack onto cards only as the last card of a hand",
            phrase="as an iron rule",
            weights={"jack_early": -ALWAYS},
        ),
        Form(
            name="tie-break",
            does="keeps a jack where another play is worth as much, within a tenth of a point",
            phrase="as a tie-break between plays that seem equal",
            weights={"jack_early": -NEARLY},
        ),
        Form(
            name="reversed",
            does="plays a jack as soon as there are cards on the floor",
            phrase="turned round, with the jack played at the first chance,",
            weights={"jack_early": ALWAYS},
            expected=-1,
            primary=False,
        ),
    ),
)
