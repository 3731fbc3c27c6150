"""
Situations made by hand for each family of advice: whether it applies, which plays follow it and which go against it.

A row: the advice, the hand, the floor, what is gone besides cards that do not matter, plays that follow it, plays
against it (none of both: it does not apply), and what a greedy player does plainly, who follows it literally, as a
tie-break, and reversed. Where nothing else is said it is the second deal of two players in bastra, and the first turn
of those with as many cards in hand.
"""

from typing import Any

import pytest

from basra_sim.policies import ADVICE, get_policy
from tests.staging import Stage

Row = tuple[str, str, str, str, str, str, str, dict[str, Any]]


def rows(text: str) -> list[Row]:
    found = []
    for line in text.strip().splitlines():
        piece, hand, floor, gone, follow, against, plays, *options = (part.strip() for part in line.split("|"))
        extra: dict[str, Any] = {}
        for option in options[0].split() if options else []:
            name, _, value = option.partition("=")
            if name in ("deal", "seat"):
                extra[name] = int(value)
            elif name in ("variant", "memory"):
                extra[name] = value
            else:
                extra.setdefault("changes", {})[name] = value
        found.append((piece, hand, floor, gone, follow, against, plays, extra))
    return found


FAMILIES = {
    "memory": """
memory-safe-rank | 6C KD 3D 8H    |       | 6D 6H          | 6C    | KD 3D 8H | KD 6C 6C KD
memory-safe-rank | 6C KD 3D 8H    |       | 6D             |       |          | KD KD KD KD
memory-safe-rank | 6C JD 3D 8H    |       | 6D 6H          | 6C    | 3D 8H    | 3D 6C 6C 3D
memory-safe-rank | 6C KD 3D 8H    | QC    | 6D 6H          |       |          | KD KD KD KD
memory-safe-rank | 6C KD 3D 8H    |       | 6D 6H          |       |          | KD KD KD KD | memory=none
memory-safe-rank | 6C KD 3D 8H    |       | 6D 6H          |       |          | KD KD KD KD | memory=2
memory-safe-rank | 6C KD 3D 8H    |       | 6D 6H          |       |          | KD KD KD KD | memory=points
memory-safe-rank | 6C KD 3D 8H    |       | 6D 6H          | 6C    | KD 3D 8H | KD 6C 6C KD | memory=ranks
memory-safe-rank | KC 2D 3D 8H    |       | KS KH          | KC    | 2D 3D 8H | KC KC KC 2D
memory-safe-rank | 6C 9D 3D 8H    |       | 6D 6H 9S 9H 9C | 6C 9D | 3D 8H    | 3D 6C 6C 3D
memory-ten-pair  | 10D 10C 3D 8H  |       | 10S 10H        | 10C   | 3D 8H    | 3D 10C 10C 3D
memory-ten-pair  | 10D 10C 3D 8H  |       | 10S            |       |          | 3D 3D 3D 3D
memory-ten-pair  | 10D 10C 3D 8H  | QC 4S | 10S 10H        | 10C   | 3D 8H    | 3D 10C 10C 3D
memory-ten-pair  | 10H 10C 3D 8H  |       | 10S 10D        |       |          | 3D 3D 3D 3D
memory-ten-pair  | 10D 10C 3D 8H  | 10S   | 10H            |       |          | 10D 10D 10D 10D
memory-ten-pair  | 10D 10C 3D 8H  |       | 10S 10H        |       |          | 3D 3D 3D 3D | memory=points
""",
    "point cards": """
points-late      | AC 5D KH 9S | QC       |  | 5D KH 9S | AC     | KH KH KH AC
points-late      | AC 5D KH 9S | AD QC    |  | 5D KH 9S | AC     | AC KH AC AC
points-late      | AC AD       | QC       |  |          |        | AC AC AC AC
points-late      | 5D KH       | QC       |  |          |        | KH KH KH KH
points-late      | JC 5D       | KC QC 9D |  | 5D       | JC     | 5D 5D 5D JC
points-late      | 10D 2C 4S   | QC       |  | 4S       | 10D 2C | 4S 4S 4S 2C
points-late      | 10C 2D      | QC       |  |          |        | 2D 2D 2D 2D
points-late      | 2C 2S       | QC       |  | 2C       | 2S     | 2C 2C 2C 2S | variant=basra-nl
points-late-last | AC 5D KH 9S | QC       |  | 5D KH 9S | AC     | KH KH KH AC | seat=1
points-late-last | AC 5D KH 9S | QC       |  |          |        | KH KH KH KH
points-late-last | AC 9S       | QC       |  | 9S       | AC     | 9S 9S 9S AC | seat=1 deal=6
points-late      | AC 9S       | QC       |  |          |        | AC AC AC AC | ace_points=0
""",
    "jacks": """
jack-hold          | JC 5D       | 10D 2C AH         | | 5D    | JC       | JC 5D JC JC
jack-hold          | JC 5D       |                   | |       |          | 5D 5D 5D 5D
jack-hold          | JC JD       | QC                | |       |          | JC JC JC JC
jack-hold          | 5D 6D       | QC                | |       |          | 5D 5D 5D 5D
jack-for-points    | JC 5D       | 10D QC            | | JC    | 5D       | JC JC JC 5D
jack-for-points    | JC 5D       | 10C QC            | |       |          | 5D 5D 5D 5D
jack-for-points    | JC 5D       | JD QC             | | JC    | 5D       | JC JC JC 5D
jack-for-points    | JC 5D 6D 7D | AD                | | JC    | 5D 6D 7D | JC JC JC 5D
jack-for-cards     | JC 5D 4D 3D | KC QC 9D 8D 7D 6D | | JC    | 5D 4D 3D | JC JC JC 3D
jack-for-cards     | JC 5D 4D 3D | KC QC 9D 8D 7D    | |       |          | JC JC JC JC
jack-two           | JC JD 5D 4D | KC                | | JC JD | 5D 4D    | 4D JC 4D 4D
jack-two           | JC 6D 5D 4D | KC                | |       |          | 4D 4D 4D 4D
jack-two           | JC JD       | KC                | |       |          | JC JC JC JC
jack-last-deal     | JC 5D       | KC                | | JC    | 5D       | 5D JC 5D 5D | deal=6
jack-last-deal     | JC 5D       | KC                | | JC    | 5D       | 5D JC 5D 5D | deal=6 seat=1
jack-last-deal     | JC 5D       | KC                | |       |          | 5D 5D 5D 5D | deal=5
jack-last-deal     | JC 5D 4D    | KC                | |       |          | 4D 4D 4D 4D | deal=6
jack-opens-floor   | JC 5D       | KC                | | JC    | 5D       | 5D JC 5D 5D | seat=1
jack-opens-floor   | JC 5D       | KC                | |       |          | 5D 5D 5D 5D
jack-opens-floor   | JC 5D       | KC                | |       |          | 5D 5D 5D 5D | seat=1 deal=6
""",
    "faces": """
faces-block | QC 5D 3H 8S | KD    | | QC    | 5D 3H 8S | QC QC QC 3H
faces-block | QC 5D 3H 8S | KD 5S | |       |          | 5D 5D 5D 5D
faces-block | 2D 5D       | KD    | |       |          | 2D 2D 2D 2D
faces-block | QC 5D       |       | | QC    | 5D       | QC QC QC 5D
faces-block | QC JD 5D 3H | KD    | |       |          | QC QC QC QC
faces-block | QC JD 5D 3H |       | | QC    | 5D 3H    | QC QC QC 3H
faces-first | KC 5D       | QD    | | KC    | 5D       | KC KC KC 5D
faces-first | KC QC       | 9D    | |       |          | QC QC QC QC
faces-first | QC AD       | KD    | | QC    | AD       | QC QC QC AD
faces-first | KC 5D       | KD    | |       |          | KC KC KC KC
faces-first | KC QD 7H 9C | 8S    | | KC QD | 7H 9C    | QD QD QD 7H
""",
    "low cards": """
low-first | 3D 7H 9C KD | QC    | | 3D    | 9C    | KD KD KD KD
low-first | 3D 7H 9C    | QC    | | 3D    | 9C    | 3D 3D 3D 7H
low-first | 3D 3H       | QC    | |       |       | 3D 3D 3D 3D
low-first | AD 9C       | QC    | | AD    | 9C    | 9C AD 9C 9C
low-first | 3D 9C       | QC 9D | |       |       | 9C 9C 9C 9C
low-first | 5D KC       | QC    | |       |       | KC KC KC KC
low-first | 3D 3H 9C    | QC    | | 3D 3H | 9C    | 3D 3D 3D 9C
low-first | 4D 9C 9H    |       | | 4D    | 9C 9H | 4D 4D 4D 9C
low-first | JD 4D 9C    | QC    | |       |       | 4D 4D 4D 4D
low-first | JD 4D 9C    |       | | 4D    | 9C    | 4D 4D 4D 9C
""",
    "order": """
never-point-first | 2C 2D 9H KD    | QC | | 2D      | 2C     | KD KD KD KD
never-point-first | 2C 2D          | QC | | 2D      | 2C     | 2D 2D 2D 2C
never-point-first | 10D 10S        | QC | | 10S     | 10D    | 10S 10S 10S 10D
never-point-first | 10D 9S         | QC | |         |        | 9S 9S 9S 9S
never-point-first | 2D 2H          | QC | |         |        | 2D 2D 2D 2D
never-point-first | 2C 2D          | 2S | |         |        | 2C 2C 2C 2C
never-point-first | 2C 2D 10D 10S  | QC | | 2D 10S  | 2C 10D | 2D 2D 2D 2C
never-point-first | 10D 10S        |    | | 10S     | 10D    | 10S 10S 10S 10D
never-point-first | 2C 2S          | QC | | 2C      | 2S     | 2C 2C 2C 2S     | variant=basra-nl
never-point-first | 2C 2D          | QC | |         |        | 2C 2C 2C 2C     | two_points=0
never-point-first | 10D 10S 10H    | QC | | 10S 10H | 10D    | 10H 10H 10H 10D
""",
    "fishing and tens": """
fishing-take-away | 8H KD    | 3C 8D 10C    |        | 8H | KD | 8H 8H 8H KD
fishing-take-away | 8H KD    | 3C 8D 10C    | 10D 2C |    |    | 8H 8H 8H 8H
fishing-take-away | 8H 10D   | 3C 8D 10C    |        |    |    | 10D 10D 10D 10D
fishing-take-away | 9H 5C    | 2D 9D KC     | 10D    | 9H | 5C | 9H 9H 9H 5C
fishing-take-away | 8H QD    | 3C 8D 10C KC |        |    |    | 8H 8H 8H 8H
fishing-take-away | 8H KD    | 8D 10C       |        |    |    | 8H 8H 8H 8H
fishing-take-away | 8H KD    | 9C 8D 7D 3C  |        | 8H | KD | 8H 8H 8H KD
fishing-take-away | JD KD    | QC 10C       |        |    |    | KD KD KD KD
fishing-take-away | 8H KD    | 3C 8D 10C    | 10D    | 8H | KD | 8H 8H 8H KD | memory=none
fishing-take-away | 8H 10S   | 3C 8D 10C    |        | 8H | 10S | 8H 8H 8H 10S
avoid-ten         | 6H 3S    | 4D KC        |        | 3S | 6H | 3S 3S 3S 6H
avoid-ten         | 6H 3S    | 4D KC        | 10D    |    |    | 3S 3S 3S 3S
avoid-ten         | 3H 9S    | 2D 5D        |        | 9S | 3H | 3H 9S 9S 3H
avoid-ten         | 6H 10D   | 4D KC        |        |    |    | 6H 6H 6H 6H
avoid-ten         | 6H 3S 5C | 6D 4D        |        |    |    | 6H 6H 6H 6H
avoid-ten         | 6H 3S    | 4D KC        | 10D    | 3S | 6H | 3S 3S 3S 6H | memory=none
avoid-ten         | 6H 3S    | 4D 10D       |        |    |    | 3S 3S 3S 3S
avoid-ten         | 6H KS    | 4D           |        | KS | 6H | KS KS KS 6H
avoid-ten         | 6H KS    |              |        |    |    | KS KS KS KS
avoid-ten         | 4H 5C JD | 6D QC        |        | 5C | 4H | 4H 5C 5C 4H
""",
    "empty floor": """
low-empty          | AD 5C 9H KD | | | AD       | 9H    | KD KD KD KD
low-empty          | 3D 5C 9H 7S | | | 3D       | 9H 7S | 3D 3D 3D 5C
low-empty          | AD 9H       | | | AD       | 9H    | 9H AD 9H 9H
low-empty          | 4D 5C       | | |          |       | 4D 4D 4D 4D
low-empty          | 2D 3C       | | |          |       | 2D 2D 2D 2D
low-empty          | 3D 9H | KD | |             |       | 3D 3D 3D 3D
low-empty          | 3D 6H       | | | 3D       | 6H    | 3D 3D 3D 6H
points-on-empty    | AC 5D KH 9S | | | 5D KH 9S | AC    | KH KH KH AC
points-on-empty    | AC 5D | QC | |             |       | 5D 5D 5D 5D
points-on-empty    | JC 5D       | | | 5D       | JC    | 5D 5D 5D JC
jack-empty-defence | JC 5D       | | | JC       | 5D    | 5D JC 5D 5D
jack-empty-defence | JC 5D | KC | |             |       | 5D 5D 5D 5D
jack-empty-defence | JC JD       | | |          |       | JC JC JC JC
""",
    "captures": """
points-over-cards | AH 9S       | AD 9C 8D KC  | | AH  | 9S | AH AH AH 9S
points-over-cards | AH 9S       | AD 9C        | |     |    | AH AH AH AH
points-over-cards | AH 9S       | AD 8D        | |     |    | 9S 9S 9S 9S
points-over-cards | AH 5S       | AD KC        | |     |    | AH AH AH AH
points-over-cards | 5S QH 9D 8C | 2C 2H 3D KD  | |     |    | 5S:2C+3D 5S:2C+3D 5S:2C+3D 5S:2C+3D | deal=1
points-over-cards | 10S 6D      | 6C 4C        | |     |    | 10S 10S 10S 10S
points-over-cards | AH 9S KD 3S | AD 9C 5C 4H  | | AH  | 9S | AH AH AH 9S
points-over-cards | 10D 9S      | 10C 9C 5C 4H | | 10D | 9S | 10D 10D 10D 9S
points-over-cards | JC AH       | AD 9C 8C     | |     |    | AH AH AH AH
points-over-cards | 10D JC      | 10C 9C       | | 10D | JC | 10D 10D 10D JC
points-over-cards | 5D 6D       | KC           | |     |    | 5D 5D 5D 5D
""",
}


ALL = [
    pytest.param(*row, id=f"{family} {k} {row[0]}")
    for family, text in FAMILIES.items()
    for k, row in enumerate(rows(text))
]


@pytest.mark.parametrize(("piece", "hand", "floor", "gone", "follow", "against", "plays", "options"), ALL)
def test_situation(piece, hand, floor, gone, follow, against, plays, options):
    degree = options.get("memory", "all")
    stage = Stage(hand, floor, gone, **{name: value for name, value in options.items() if name != "memory"})
    assert stage.sides(piece, degree) == (set(follow.split()), set(against.split()))
    greedy = get_policy("greedy").remembering(degree)
    players = [greedy, *(greedy.following(piece, form) for form in ("literal", "tie-break", "reversed"))]
    assert " ".join(stage.played(each) for each in players) == plays
    for base in ("counter", "random"):
        other = get_policy(base).remembering(degree)
        assert stage.played(other.following(piece)) not in against.split()
        assert stage.played(other.following(piece, "reversed")) not in follow.split()


def test_every_family_has_ten_and_every_piece_some():
    assert all(len(rows(text)) >= 10 for text in FAMILIES.values())
    assert {row[0] for text in FAMILIES.values() for row in rows(text)} == set(ADVICE) - {"placebo"}
