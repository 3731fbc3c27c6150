"""What a report is about: which parts, which games, which advice, and how closely all of it is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from analyses.claims.model import MAIN, Claim, Table
from analyses.claims.registry import CLAIMS, find_claims
from analyses.claims.testing import fitted
from basra_sim.errors import InputError
from basra_sim.variants import variant, variant_names

ADVICE, GAMES, PLAYERS = "claims", "balance", "players"
"""Parts of a report, as they are asked for: the advice, the games compared, the players."""

PARTS = (ADVICE, GAMES, PLAYERS)

PRECISIONS: Mapping[str, int] = {"quick": 2_000, "standard": 50_000, "thorough": 400_000}
"""How closely a report looks, by what one asks for: deals of a duel between greedy players; see `jobs.Effort`."""

STANDARD = "standard"
"""What is asked for if nothing is."""


@dataclass(frozen=True)
class Scope:
    """
    What a report is about.

    Attributes
    ----------
    parts : those of `PARTS` that are in it
    variants : the games it is restricted to; none if it is about all
    claims : the advice that is tested, each at the tables where it is
    left_out : advice that cannot be tested under those games, with the reason
    asked : the claims as they were asked for; none if all are
    """

    parts: tuple[str, ...] = PARTS
    variants: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()

    @property
    def games(self) -> tuple[str, ...]:
        """Games that are compared."""
        return self.variants or variant_names()

    @property
    def rated(self) -> str:
        """Game in which the players are rated."""
        return next(iter(self.variants), MAIN.variant)

    @property
    def told(self) -> tuple[str, ...]:
        """Games that something is told of."""
        if GAMES in self.parts:
            return self.games
        tables = [table.variant for claim in self.claims for table in claim.tables] if ADVICE in self.parts else []
        return tuple(dict.fromkeys([*tables, *([self.rated] if PLAYERS in self.parts else [])]))

    @property
    def options(self) -> str:
        """Options of the command that ask for it; each begins with a space."""
        only = [f" --only {part}" for part in self.parts] if self.parts != PARTS and not self.asked else []
        named = [f" --variant {each}" for each in self.variants] + [f" --claim {each}" for each in self.asked]
        return "".join([*only, *named])


def scope(only: Sequence[str] = (), variants: Sequence[str] = (), claims: Sequence[str] = ()) -> Scope:
    """
    Scope of a report: all of it, unless less is asked for.

    Parameters
    ----------
    only : parts, of `PARTS`; if claims are named and no part is, the advice alone
    variants : games by name or file; advice is judged in the first of them, where it is not registered for one
    claims : ids, or files with advice of one's own

    Raises
    ------
    InputError
        If there is none of a name, or what is asked for cannot be told together.
    """
    parts = tuple(part for part in PARTS if part in (only or ((ADVICE,) if claims else PARTS)))
    if claims and ADVICE not in parts:
        kept = " ".join(f"--only {part}" for part in parts)
        raise InputError(f"--claim names advice, which {kept} leaves out: add --only {ADVICE}")
    named = tuple(dict.fromkeys(variants))
    for each in named:
        variant(each)
    chosen, left_out = _claims(find_claims(claims) if claims else CLAIMS, named) if ADVICE in parts else ([], {})
    if ADVICE in parts and not chosen:
        raise InputError(f"nothing can be tested: {'; '.join(left_out.values())}")
    return Scope(parts, named, tuple(chosen), left_out, tuple(dict.fromkeys(claims)))


def _claims(claims: Sequence[Claim], variants: Sequence[str]) -> tuple[list[Claim], dict[str, str]]:
    """Claims as they are tested under some variants; and those that cannot be, with the reason."""
    if not variants:
        return list(claims), {}
    chosen, left_out = [], {}
    for claim in claims:
        try:
            chosen.append(_under(claim, variants))
        except InputError as reason:
            left_out[claim.name] = str(reason)
    return chosen, left_out


def _under(claim: Claim, variants: Sequence[str]) -> Claim:
    """A claim as it is tested under some variants: where it is registered for them, else at two in the first."""
    tables = [table for table in claim.tables if table.variant in variants]
    if claim.table in tables:
        return replace(claim, elsewhere=tuple(tables[1:]), pairs=False)
    first, *others = tables or [Table(variants[0])]
    return replace(fitted(claim.at(first), first, None), elsewhere=tuple(others))
