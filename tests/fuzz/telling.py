"""A situation at the table, told as nobody would."""

from basra_sim.cards import card_name
from basra_sim.variants import setting, variant_names
from tests.fuzz.drawing import NUMBERS, Drawing


def cards(draw: Drawing) -> str:
    """Cards, few of them amiss."""
    signs = (" ", ",", "  ", "\n")
    return draw.one(signs).join(
        draw.text() if draw.chance(12) else card_name(draw.below(52)) for _ in range(draw.below(7))
    )


def whole(draw: Drawing) -> int:
    """A whole number."""
    try:
        return int(draw.one(NUMBERS))
    except ValueError:
        return draw.below(9) - 2


def situation(draw: Drawing) -> None:
    """Tell a situation, and have it weighed if it can come up."""
    from analyses.advising.reading import Told, read_score, read_situation

    players = draw.one([2, 2, 3, 4])
    table = setting(draw.one(variant_names()), players, players == 4 and draw.chance(2))
    told = Told(
        hand=cards(draw),
        floor=cards(draw),
        seen=cards(draw) if draw.chance(2) else "",
        mine=cards(draw) if draw.chance(2) else "",
        theirs=cards(draw) if draw.chance(2) else "",
        deal=whole(draw) if draw.chance(3) else None,
        seat=whole(draw) if draw.chance(3) else None,
        last=whole(draw) if draw.chance(3) else None,
        basras=read_score(f"{draw.one(NUMBERS)}-{draw.one(NUMBERS)}") or (0, 0) if draw.chance(4) else (0, 0),
        lone_before=draw.chance(4),
        carry=whole(draw) if draw.chance(4) else 0,
    )
    read_situation(table, told)
