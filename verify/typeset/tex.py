"""Texts of claims for TeX: what stands between dollars stays LaTeX, all else is escaped."""

from __future__ import annotations

import re
import unicodedata

from verify.typeset.words import segments

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
#: Signs of formulas in words that TeX's text fonts do not have; two hyphens would be a dash.
_SIGNS = {
    "--": "-{}-",
    "<=": r"$\le$",
    ">=": r"$\ge$",
    "!=": r"$\ne$",
    "->": r"$\to$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "→": r"$\to$",
    "∈": r"$\in$",
    "∞": r"$\infty$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{MINUS SIGN}": "$-$",
}
_PIECE = re.compile(r"--|<=|>=|!=|->|\^\d+|.", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def tex(text: str) -> str:
    """A text that flows, for the body of a TeX document."""
    return "".join(_formula(part) if is_math else escaped(part) for is_math, part in segments(text))


def escaped(text: str) -> str:
    """A text without formulas: every sign that TeX reads is escaped."""
    return "".join(map(_piece, _PIECE.findall(text)))


def _piece(piece: str) -> str:
    if len(piece) > 1 and piece.startswith("^"):
        return rf"\textsuperscript{{{piece[1:]}}}"
    return _ESCAPES.get(piece) or _SIGNS.get(piece) or _letter(piece)


def _letter(character: str) -> str:
    """A letter or sign that TeX prints; a Greek letter as a formula."""
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER ") and len(name.split()) == 4:
        return rf"$\{name.split()[3].lower()}$"
    return character


def _formula(latex: str) -> str:
    """A formula between dollars; one whose braces do not match would swallow the document."""
    depth = 0
    for match in _BRACE.finditer(latex):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            break
    if depth:
        return escaped(f"${latex}$")
    return "${}$".format(_COMMENT.sub(r"\\%", latex))
