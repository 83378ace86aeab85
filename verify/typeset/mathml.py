"""Texts of claims as safe HTML: LaTeX between dollars becomes MathML, all else is escaped, in
Unicode mathematics where a text is plain.

The tree that latex2mathml builds is checked against a list of elements and attributes and written
by the XML serialiser, so what a statement says can never become markup.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

from verify.typeset.plain_math import plain_math
from verify.typeset.words import segments


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ELEMENTS = _words(
    "math mrow mi mn mo mtext mspace msub msup msubsup munder mover munderover mfrac msqrt mroot "
    "mtable mtr mtd mpadded mphantom"
)
_ATTRIBUTES = _words(
    "display mathvariant stretchy fence form separator linethickness width height depth accent "
    "movablelimits minsize maxsize columnalign lspace rspace"
)
#: What latex2mathml writes as an identifier though it is an operator, for the spaces around it.
_OPERATORS = frozenset(":\N{SET MINUS}")
#: Signs without a space around them, wherever they stand.
_TIGHT = frozenset("/|\N{DOUBLE VERTICAL LINE}")
#: Names it does not know, and a backslash that few fonts have.
_REPAIRS = {"\\arg": "arg", "\N{REVERSE SOLIDUS OPERATOR}": "\N{SET MINUS}"}
_SCRIPTED = frozenset(["msup", "msub", "msubsup"])
_RELATIONS = frozenset("=<>≤≥≠→∈")
_SIGNS = frozenset("+-\N{MINUS SIGN}")
_GAPLESS = frozenset(["mo", "mspace"])
_WBR = Markup("<wbr>")
_CLOSING = ".,;:)]"
#: The letters and signs up to which a line does not break in a formula.
_SHORT = 8
#: The letters and signs beyond which a piece of a formula may not fit on a phone.
_NARROW = 16


def rich_text(
    text: str, words: Callable[[str], str] | None = None, *, spaced: bool = False
) -> Markup:
    """A text that flows, as HTML; lines may break in formulas before relations and signs.

    *words* rewrites what is no formula, before it is escaped. *spaced*: the spaces are kept.
    """
    result = Markup("")
    parts = segments(text, spaced=spaced)
    for i, (is_math, part) in enumerate(parts):
        if not is_math:
            torn = _punctuation(part) if i and parts[i - 1][0] else ""
            rest = part[len(torn) :]
            result += escape(words(rest) if words else rest)
            continue
        plain_follows = i + 1 < len(parts) and not parts[i + 1][0]
        after = _punctuation(parts[i + 1][1]) if plain_follows else ""
        *others, last = formula_pieces(part)
        result += _WBR.join([*others, _unbroken(last, after)])
    return result


def prose(text: str) -> Markup:
    """A text that flows, its formulas typeset where they are LaTeX, else in Unicode."""
    return rich_text(text, plain_math)


def prose_line(text: str) -> Markup:
    """A line of a derivation, as ``prose``; its spaces are kept."""
    return rich_text(text, plain_math, spaced=True)


@lru_cache(maxsize=1 << 13)
def formula_pieces(latex: str) -> tuple[Markup, ...]:
    """A formula as MathML in pieces between which a line may break; the source if it has none."""
    try:
        root = convert_to_element(latex)
        for element in root.iter():
            _settle(element)
    except Exception:  # whatever the converter trips over, the reader still gets the source
        return (Markup("<code>{}</code>").format(latex),)
    pieces = list(_pieces(root))
    if sum(map(_letters, pieces)) <= _SHORT:
        pieces = [[element for piece in pieces for element in piece]]
    return tuple(map(_serialised, pieces)) or (Markup(""),)


def formula(latex: str) -> Markup:
    """A formula as MathML."""
    return _WBR.join(formula_pieces(latex))


class _UnsafeError(ValueError):
    """An element, an attribute or a command that is not on the list."""


def _settle(element: Element) -> None:
    """Check one element, and repair what the converter leaves behind. Raises _UnsafeError."""
    element.attrib.pop("xmlns", None)
    if element.tag not in _ELEMENTS or not _ATTRIBUTES.issuperset(element.attrib):
        raise _UnsafeError(element.tag)
    text = html.unescape(element.text or "")
    text = _REPAIRS.get(text, text)
    if text.startswith("\\"):
        raise _UnsafeError(text)
    element.text = text or None
    if element.tag == "mi" and text in _OPERATORS:
        element.tag = "mo"
    if element.tag == "mo" and text in _TIGHT:
        element.set("lspace", "0")
        element.set("rspace", "0")
    spaced: list[Element] = []
    for child in element:
        if (
            spaced
            and element.tag in ("mrow", "math", "msqrt")
            and (_is_function(spaced[-1]) or _is_function(child))
            and _GAPLESS.isdisjoint([spaced[-1].tag, child.tag])
        ):
            spaced.append(Element("mspace", width="0.17em"))
        spaced.append(child)
    element[:] = spaced


def _is_function(element: Element) -> bool:
    """Whether it is a name of several letters, with its exponent or index."""
    if element.tag in _SCRIPTED:
        element = element[0]
    return element.tag == "mi" and len(element.text or "") > 1 and str(element.text).isalpha()


def _pieces(root: Element) -> Iterator[list[Element]]:
    """The formula cut after commas and before relations and signs, outside brackets."""
    row = list(root)
    while len(row) == 1 and row[0].tag == "mrow":
        row = list(row[0])
    depth = 0
    piece: list[Element] = []
    for child in row:
        sign = (child.text or "") if child.tag == "mo" else ""
        between = bool(piece) and (piece[-1].tag != "mo" or piece[-1].text in (")", "]"))
        if depth <= 0 and ((piece and sign in _RELATIONS) or (between and sign in _SIGNS)):
            yield piece
            piece = []
            child.set("form", "infix")
        piece.append(child)
        bracket = _bracket(child)
        depth += (bracket in ("(", "[", "{")) - (bracket in (")", "]", "}"))
        if depth <= 0 and sign == ",":
            child.set("form", "infix")
            yield piece
            piece = []
    if piece:
        yield piece


def _bracket(element: Element) -> str:
    """The text of an operator, with or without an exponent or index."""
    if element.tag in _SCRIPTED:
        element = element[0]
    return (element.text or "") if element.tag == "mo" else ""


def _serialised(piece: list[Element]) -> Markup:
    """The piece as MathML, in a box that can scroll if it is long."""
    math = Markup("<math>{}</math>").format(
        Markup("").join(Markup(tostring(e, encoding="unicode")) for e in piece)
    )
    return (
        Markup('<span class="long">{}</span>').format(math) if _letters(piece) > _NARROW else math
    )


def _letters(piece: list[Element]) -> int:
    return sum(len(text.strip()) for element in piece for text in element.itertext())


def _punctuation(text: str) -> str:
    """What closes a sentence or a bracket right after a formula."""
    return text[: len(text) - len(text.lstrip(_CLOSING))]


def _unbroken(piece: Markup, after: str) -> Markup:
    """A formula and what must not be torn from it."""
    return Markup('<span class="nb">{}{}</span>').format(piece, after) if after else piece
