"""The pieces of advice that are tested, each written down before it was."""

from collections.abc import Iterable

from analyses.claims.model import DECISION, FREQUENCY, PLAYING, Claim, built_in, own_claim
from basra_sim.errors import InputError
from basra_sim.policies import ADVICE, find_advice
from basra_sim.policies.advice import MANY
from basra_sim.rules.wording import did_you_mean

_P_D, _P_D_F, _D_F, _D, _F = (
    (PLAYING, DECISION),
    (PLAYING, DECISION, FREQUENCY),
    (DECISION, FREQUENCY),
    (DECISION,),
    (FREQUENCY,),
)
_JACK_AND_OTHER = "You hold a jack and another card, and there are cards on the floor."
_NOTHING_TO_TAKE = "You can take nothing, and hold"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="memory",
        advice="Remember the cards that have been played.",
        subject="remembering the played cards",
        applies="Always.",
        section="memory",
        kinds=(PLAYING,),
        degrees=("all", "none", "4", "8", "16", "points", "ranks"),
        remark=(
            "Players who use nothing of what is gone, such as greedy, cannot gain by remembering it. The page of "
            "advice calls it the most important part of the game; the verdict is on whether it pays, and the report "
            "compares it with what breaches of all other advice cost."
        ),
    ),
    built_in(
        "memory-safe-rank",
        subject="laying a rank of which two others are gone",
        applies="The floor is empty; you hold a rank of which two others are gone, and one of which more are unseen.",
        section="memory",
        kinds=_D_F,
        splits=("cards_left", "deal"),
    ),
    built_in(
        "memory-ten-pair",
        subject="laying the plain ten to fetch it with 10♦",
        applies="You hold 10♦ and another ten, and the other two tens are gone.",
        section="memory",
        kinds=_D_F,
        splits=("cards_left", "floor_size", "deal"),
        outcomes=("tens_home", "tens_home_otherwise"),
    ),
    built_in(
        "points-late",
        subject="keeping point cards to the end",
        applies="You hold an ace, a jack, the point two or 10♦, and another card.",
        section="point cards",
        kinds=_P_D,
        splits=("cards_left", "floor_size", "deal", "last_to_play", "captures"),
        pairs=True,
    ),
    built_in(
        "points-late-last",
        piece=ADVICE["points-late"],
        subject="keeping point cards to the end being worth more to the last to play",
        applies="The same, whether you are the last to play in each turn or not.",
        section="point cards",
        kinds=_D,
        splits=("cards_left",),
        contrast="last_to_play",
        pairs=True,
    ),
    Claim(
        name="ace-early",
        advice="An ace that is laid early is nearly always lost, and so is the point two.",
        subject="an ace laid early being lost",
        applies="An ace, or the point two, is laid.",
        section="point cards",
        kinds=_F,
    ),
    built_in(
        "jack-hold",
        subject="keeping the jacks to the end of the deal",
        applies=_JACK_AND_OTHER,
        section="jacks",
        kinds=_P_D,
        maps=(("floor_size", "cards_left"), ("floor_points", "cards_left")),
        pairs=True,
    ),
    built_in(
        "jack-for-points",
        subject="playing a jack early for points on the floor",
        applies="You hold a jack and another card, and there are points on the floor.",
        section="jacks",
        kinds=_D,
        splits=("floor_points", "cards_left", "floor_size"),
        maps=(("floor_points", "cards_left"),),
        pairs=True,
    ),
    built_in(
        "jack-for-cards",
        subject="playing a jack early for six cards or more",
        applies="You hold a jack and another card; judged with six cards or more on the floor, mapped with any number.",
        section="jacks",
        kinds=_D,
        splits=("floor_size", "own_cards"),
        maps=(("floor_size", "own_cards"),),
        judged={"floor_size": (6, MANY)},
        pairs=True,
    ),
    built_in(
        "jack-two",
        subject="playing one of two jacks soon",
        applies="You hold two jacks or more and another card, and there are cards on the floor.",
        section="jacks",
        kinds=_P_D,
        splits=("cards_left", "floor_size", "floor_points", "deal"),
        pairs=True,
    ),
    built_in(
        "jack-last-deal",
        subject="not keeping a jack for the last card of the round",
        applies="The last deal, two cards in hand, one of them a jack, and there are cards on the floor.",
        section="jacks",
        kinds=_D_F,
        splits=("floor_size", "floor_points", "last_to_play"),
        pairs=True,
    ),
    built_in(
        "jack-opens-floor",
        subject="not ending a deal with a jack",
        applies="You are the last to play in a deal, with two cards in hand, one of them a jack; more deals will come.",
        section="jacks",
        kinds=_D_F,
        splits=("floor_size", "floor_points", "deal"),
        pairs=True,
        remark="With the last card of a hand there is no choice: the choice is which of two cards to keep for it.",
    ),
    built_in(
        "faces-block",
        subject="laying a queen or king",
        applies=f"{_NOTHING_TO_TAKE} a queen or king and a numeral.",
        section="faces",
        kinds=_P_D_F,
        splits=("floor_size", "cards_left", "deal"),
        pairs=True,
    ),
    built_in(
        "faces-first",
        subject="laying faces first to save the numerals",
        applies=f"{_NOTHING_TO_TAKE} a queen or king and a numeral.",
        section="faces",
        kinds=_D,
        splits=("cards_left", "floor_size"),
        outcomes=("later_cards", "own_points"),
        pairs=True,
    ),
    built_in(
        "low-empty",
        subject="laying a low card on an empty floor",
        applies="The floor is empty; you hold an ace, two or three, and a numeral from six up.",
        section="low cards",
        kinds=_P_D,
        splits=("cards_left", "deal", "last_to_play"),
        curve="rank",
    ),
    built_in(
        "low-first",
        subject="laying the lower numeral and keeping the higher",
        applies=f"{_NOTHING_TO_TAKE} numerals of two ranks.",
        section="low cards",
        kinds=_P_D_F,
        splits=("floor_size", "cards_left", "deal"),
        outcomes=("later_cards",),
    ),
    Claim(
        name="high-takes-aces",
        advice="High cards are worth keeping: they take aces by sums.",
        subject="high cards taking aces by sums",
        applies="A numeral is played.",
        section="low cards",
        kinds=_F,
    ),
    built_in(
        "never-point-first",
        subject="laying the plain one of two twos or tens first",
        applies=f"{_NOTHING_TO_TAKE} the point two and another two, or 10♦ and another ten.",
        section="order",
        kinds=_D,
        splits=("floor_size", "cards_left"),
    ),
    Claim(
        name="high-board-safe",
        advice="A floor of high cards and faces concedes fewer basras.",
        subject="a floor of high cards conceding fewer basras",
        applies="Floors of equal size.",
        section="defence",
        kinds=_F,
    ),
    built_in(
        "jack-empty-defence",
        subject="laying a jack on an empty floor near the end of a close match",
        applies="The floor is empty, you hold a jack and another card, and both sides are near the target.",
        section="defence",
        kinds=_D,
        splits=("cards_left", "deal"),
        by_match=True,
        smallest_decision=0.005,
        pairs=True,
    ),
    built_in(
        "points-on-empty",
        subject="laying no point card on an empty floor",
        applies="The floor is empty; you hold a point card and another.",
        section="point cards",
        kinds=_P_D,
        splits=("cards_left", "deal"),
        outcomes=("turn",),
        pairs=True,
    ),
    Claim(
        name="majority-minor",
        advice="Most cards matter little: basras decide the game.",
        subject="most cards mattering less than basras",
        applies="Rounds and matches, counted again without some of the points.",
        section="the game",
        kinds=_F,
    ),
    built_in(
        "points-over-cards",
        subject="capturing points rather than cards",
        applies="You can choose between captures, one of more points and one of more cards.",
        section="order",
        kinds=_P_D,
        splits=("floor_size", "own_cards", "deal"),
        pairs=True,
    ),
    Claim(
        name="fishing-read",
        advice="Beware when the opponent lays a two or a ten, or makes a sum of ten: he may hold 2♣ or 10♦.",
        subject="a two, a ten or a sum of ten betraying 2♣ or 10♦",
        applies="The opponent lays such a card, and the point card is unseen.",
        section="defence",
        kinds=_F,
    ),
    built_in(
        "fishing-take-away",
        subject="a capture that leaves a lone card behind the opponent's fishing capture",
        applies="A capture after which an unseen 10♦ or point two would leave one card; and another play.",
        section="defence",
        kinds=_D_F,
        splits=("floor_size", "cards_left"),
        outcomes=("own_basras", "ten_home", "ten_home_otherwise"),
    ),
    built_in(
        "avoid-ten",
        subject="building no sums of ten while 10♦ is out",
        applies="10♦ is unseen; you can lay a card that makes a sum of ten, and one that makes none.",
        section="defence",
        kinds=_P_D,
        splits=("floor_size", "cards_left", "deal"),
    ),
    Claim(
        name="lead-fragile",
        advice="A lead of 20 or 30 points is quickly lost.",
        subject="a lead of 20 or 30 points being quickly lost",
        applies="A match in which one side leads.",
        section="the game",
        kinds=_F,
    ),
    Claim(
        name="jack-strongest",
        advice="The jack is the strongest card, and in Egypt 7♦ the second.",
        subject="the jack being the strongest card",
        applies="A card is dealt to you.",
        section="the game",
        kinds=_F,
    ),
    Claim(
        name="rare-events",
        advice="A jack that takes a lone jack is rare, and so is a tied match.",
        subject="a jack on a lone jack, and a tied match, being rare",
        applies="Rounds and matches.",
        section="the game",
        kinds=_F,
    ),
    Claim(
        name="best-with-2-or-4",
        advice="The game is best with two players or four.",
        subject="two or four being the best numbers of players",
        applies="Tables of two, three and four, and of two pairs.",
        section="the game",
        kinds=_F,
    ),
)
"""In the order of the page of advice."""


def find_claim(spec: str) -> Claim:
    """
    Claim of a name, or about a person's own piece of advice in a file.

    Raises
    ------
    InputError
        If there is none.
    """
    if ".py" in spec or spec.endswith(".toml"):
        return own_claim(find_advice(spec))
    return claim(spec)


def find_claims(specs: Iterable[str]) -> list[Claim]:
    """
    Claims of some names, or about a person's own pieces of advice, each once.

    Raises
    ------
    InputError
        If there is none of a name, or two different ones have the same.
    """
    found: dict[str, tuple[str, Claim]] = {}
    for spec in dict.fromkeys(specs):
        each = find_claim(spec)
        before, same = found.setdefault(each.name, (spec, each))
        functions = {the.piece.address if the.piece else 0 for the in (same, each)}
        if same != each or len(functions) > 1:
            raise InputError(f"{before} and {spec} are both called {each.name!r}: give one of them another name")
    return [each for _, each in found.values()]


def claim(name: str) -> Claim:
    """
    Claim of a name.

    Raises
    ------
    InputError
        If none is registered under it.
    """
    known = {each.name: each for each in CLAIMS}
    if name not in known:
        raise InputError(f"no claim is called {name!r}{did_you_mean(name, known)}; 'basra-sim claims' lists them")
    return known[name]
