"""Numbers for people: as many digits as the interval bears, shares in percent."""

from math import isnan

from basra_sim.stats import Estimate, decimals

MINUS = "−"


def is_share(unit: str) -> bool:
    """Whether something of this unit is a share, shown in percent."""
    return unit.startswith("of ")


def shown_unit(unit: str) -> str:
    """A unit as readers see it."""
    return f"% {unit}" if is_share(unit) else unit.replace("points/", "points a ").replace("/", " a ")


def figure(value: float, digits: int, *, signed: bool = False) -> str:
    """A number with so many decimals, thousands set apart, with a true minus sign; without a sign if it rounds to 0."""
    text = f"{abs(value):,.{digits}f}"
    nothing = not text.strip("0.,")
    sign = "" if nothing else MINUS if value < 0 else "+" if signed else ""
    return sign + text


def estimated(found: Estimate, unit: str, *, signed: bool = False) -> tuple[str, str]:
    """
    Texts of an estimate and of its interval.

    The interval is given as half its length (``± 0.02``), or by its ends where it is lopsided (``0.01 to 0.05``) or has
    no upper end (``30 or more``), and left out where all units gave the same number.
    """
    if found.value is None or isnan(found.value):
        return "–", "" if found.low is None else f"{figure(found.low, 0)} or more"
    if found.low is not None and found.high is None:
        digits = decimals(found.value - found.low)
        return figure(found.value, digits), f"{figure(found.low, digits)} or more"
    found = found.scaled(100) if is_share(unit) else found
    value, half = found.value or 0.0, found.half_width
    if half is None:
        return figure(value, 2, signed=signed), ""
    if half == 0:
        return figure(value, 0 if value == round(value) else 2, signed=signed), ""
    digits, low, high = decimals(half), found.low or 0.0, found.high or 0.0
    if is_share(unit) and value == 0 <= low:
        return "0", f"up to {figure(high, decimals(high))}"
    if abs(low + high - 2 * value) > half / 5:
        return figure(value, digits), f"{figure(low, digits)} to {figure(high, digits)}"
    return figure(value, digits, signed=signed), f"± {figure(half, digits)}"
