"""SVG as matplotlib writes it, made small: the same picture from fewer bytes, coordinates to a tenth of a point."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from xml.etree import ElementTree

_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_MOVED = re.compile(r"translate\((\S+) (\S+)\)")
_CLIP = re.compile(r"url\(#(.*)\)")
_OUTSIDE = 0.6
"""Points by which something may lie outside of what it is cut to and still be seen whole: half the width of a line."""

_ALIKE: Mapping[str, str] = {"stroke-linecap": "square", "stroke-linejoin": "miter"}
"""Ends and joins of lines that nobody tells from the usual ones at the widths that are drawn."""

Leaf = tuple[str, str, str]
"""What is drawn: its style, the path that it adds if it can stand in one path with others, else the element."""


def slim(text: str, prefix: str, *, common: Collection[str] = ()) -> str:
    """
    What an SVG of matplotlib draws, without its outermost element.

    Groups that only have a name go, as do backgrounds without a colour and cuts that cut nothing; lines of one look
    that follow one another become one path, and a style that several share stands once.

    Parameters
    ----------
    text : an SVG document as matplotlib's backend writes it
    prefix : stands before the ids of what is used several times
    style : what texts have in common and need not say, as matplotlib writes it: "font-size: 9px; …"

    Raises
    ------
    ValueError
        Something is drawn that is not known here: an image, a gradient, a hatch.
    """
    root = ElementTree.fromstring(text)  # it was written by matplotlib a moment ago
    boxes = {each.attrib["id"]: _box(each[0]) for each in root.iter(f"{_SVG}clipPath")}
    shapes = {
        str(each.get("id")): (_path(each.attrib["d"], 2), _style(each.get("style", "")))
        for part in root.iter(f"{_SVG}defs")
        for each in part
        if each.tag == f"{_SVG}path"
    }
    writer = _Writer(prefix, boxes, shapes, common)
    leaves = list(writer.walk(root, "", ""))
    body = "\n".join(_merged(leaves))
    defs = "".join(writer.defs())
    return (f"<defs>{defs}</defs>\n" if defs else "") + body


class _Writer:
    """Writes elements anew, and keeps what they refer to."""

    def __init__(
        self,
        prefix: str,
        boxes: Mapping[str, tuple[float, ...]],
        shapes: Mapping[str, tuple[str, str]],
        common: Collection[str],
    ) -> None:
        self._prefix, self._boxes, self._shapes, self._common = prefix, boxes, shapes, common
        self._names: dict[str, str] = {}

    def walk(self, parent: ElementTree.Element, clip: str, style: str) -> Iterator[Leaf]:
        """What is drawn below an element, in its order."""
        for each in parent:
            kind = each.tag.removeprefix(_SVG)
            cut = _cut(each) or clip
            own = _style(each.get("style", "")) or style
            if kind == "g":
                if set(each.attrib) - {"id", "clip-path", "style"}:
                    raise ValueError(f"groups with {', '.join(each.attrib)} are not known")
                yield from self.walk(each, cut, own)
            elif kind == "path":
                yield from self._line(each, cut, own)
            elif kind == "use":
                yield self._use(each, cut, own)
            elif kind == "text":
                yield self._text(each)
            elif kind not in ("defs", "metadata"):
                raise ValueError(f"<{kind}> is not known")

    def _line(self, each: ElementTree.Element, clip: str, style: str) -> Iterator[Leaf]:
        """A path, if it has a colour."""
        points = _points(each.get("d", ""))
        if style == "fill:none" or style.endswith("opacity:0") or len(set(points)) < 2:
            return
        path = _path(each.attrib["d"], 1)
        cut = self._clipping(clip, points)
        if cut or "opacity" in style:
            yield style, "", f'<path{cut} d="{path}"/>'
        else:
            yield style, path, ""

    def _use(self, each: ElementTree.Element, clip: str, style: str) -> Leaf:
        """A mark; one of straight lines alone becomes part of a path."""
        shape = each.attrib[_LINK][1:]
        path, own = self._shapes[shape]
        x, y = float(each.get("x", 0)), float(each.get("y", 0))
        cut = self._clipping(clip, [(x, y)])
        kept = _style(f"{style};{own}")
        if "C" not in path and not cut and "opacity" not in style:
            return kept, _moved(path, x, y), ""
        return kept, "", f'<use{cut} href="#{self._named(shape)}" x="{_short(x, 1)}" y="{_short(y, 1)}"/>'

    def _text(self, each: ElementTree.Element) -> Leaf:
        """A text; a turn by nothing is none."""
        said = _styles(each.get("style", ""))
        styles = [part for part in said if part not in self._common and part.split(":")[0] not in self._common]
        turn, (x, y) = each.get("transform", ""), (each.get("x", ""), each.get("y", ""))
        if moved := _MOVED.fullmatch(turn):
            turn, x, y = "", moved[1], moved[2]
        elif turn.startswith("rotate(-0 "):
            turn = ""
        turned = f' transform="{_rounded(turn, 1)}"' if turn else ""
        where = "".join(f' {key}="{_rounded(value, 1)}"' for key, value in (("x", x), ("y", y)) if value)
        return ";".join(styles), "", f"<text{where}{turned}>{_escaped(each.text or '')}</text>"

    def _clipping(self, clip: str, points: Iterable[tuple[float, float]]) -> str:
        """Attribute that cuts something to a box, if any of it lies outside."""
        if not clip:
            return ""
        left, top, right, bottom = self._boxes[clip]
        inside = all(
            left - _OUTSIDE <= x <= right + _OUTSIDE and top - _OUTSIDE <= y <= bottom + _OUTSIDE for x, y in points
        )
        return "" if inside else f' clip-path="url(#{self._named(clip)})"'

    def _named(self, known: str) -> str:
        """Id under which something is referred to."""
        return self._names.setdefault(known, f"{self._prefix}-{len(self._names) + 1}")

    def defs(self) -> Iterator[str]:
        """What is referred to."""
        for known, name in self._names.items():
            if known in self._shapes:
                yield f'<path id="{name}" d="{self._shapes[known][0]}"/>'
            else:
                left, top, right, bottom = self._boxes[known]
                sides = " ".join(
                    f'{key}="{_short(value, 1)}"'
                    for key, value in zip(
                        ("x", "y", "width", "height"), (left, top, right - left, bottom - top), strict=True
                    )
                )
                yield f'<clipPath id="{name}"><rect {sides}/></clipPath>'


def _merged(leaves: Iterable[Leaf]) -> Iterator[str]:
    """Elements, those of one look together."""
    for style, run in groupby(leaves, key=lambda leaf: leaf[0]):
        elements: list[str] = []
        for lines, part in groupby(run, key=lambda leaf: bool(leaf[1])):
            texts = [leaf[1] or leaf[2] for leaf in part]
            elements += [f'<path d="{"".join(texts)}"/>'] if lines else texts
        if not style:
            yield from elements
        elif len(elements) == 1:
            kind = re.match(r"<\w+", elements[0])
            assert kind
            yield f'{kind[0]} style="{style}"{elements[0][kind.end() :]}'
        else:
            yield f'<g style="{style}">{"".join(elements)}</g>'


def _cut(each: ElementTree.Element) -> str:
    """Id of what an element is cut to, if it is."""
    found = _CLIP.match(each.get("clip-path", ""))
    return found[1] if found else ""


def _box(rect: ElementTree.Element) -> tuple[float, ...]:
    """Sides of a rectangle: left, top, right, bottom."""
    x, y, width, height = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def _points(path: str) -> list[tuple[float, float]]:
    """Points of a path, those that steer its curves among them."""
    numbers = [float(each) for each in _NUMBER.findall(path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _path(path: str, digits: int) -> str:
    """A path in short."""
    short = _rounded(" ".join(path.split()), digits)
    return re.sub(r" ?([MLCQz]) ?", r"\1", short)


def _moved(path: str, x: float, y: float) -> str:
    """A short path of straight lines, moved."""
    numbers = iter([x, y] * len(_NUMBER.findall(path)))
    return _NUMBER.sub(lambda found: _short(float(found[0]) + next(numbers), 1), path)


def _rounded(text: str, digits: int) -> str:
    """A text with its numbers rounded."""
    return _NUMBER.sub(lambda found: _short(float(found[0]), digits), text)


def _short(value: float, digits: int) -> str:
    """A number with so many decimals at most."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _styles(style: str) -> list[str]:
    """Parts of a style, without spaces that mean nothing."""
    return [re.sub(r": +", ":", part.strip()) for part in style.split(";") if part.strip()]


def _style(style: str) -> str:
    """A style in short; of what is said twice, the last."""
    parts = dict(part.split(":", 1) for part in _styles(style))
    return ";".join(f"{name}:{value}" for name, value in parts.items() if _ALIKE.get(name) != value)


def _escaped(text: str) -> str:
    """Text between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
