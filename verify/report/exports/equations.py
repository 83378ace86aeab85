"""A derived formula as an equation in LaTeX: the quantity that it is of, and where that is taken.

Checks name quantities in plain text, such as "E[gamma^2], y in the image"; what comes before the comma
is the left side, what follows stands behind the equation.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass

import sympy

from proofs.algebra import RationalFunction
from verify.typeset.tex import escaped
from verify.typeset.unicode_math import unicode_math

_NAMES = {
    "E": r"\mathbb{E}",
    "Var": r"\mathrm{Var}",
    "EOS": r"\mathrm{EOS}",
    "||": r"\|",
    **{name: rf"\{name}" for name in ("exp", "log", "min", "max")},
}
_SIGNS = {
    "<": r"\langle ",
    ">": r" \rangle",
    "!=": r"\ne",
    "<=": r"\le",
    ">=": r"\ge",
    "*": r"\cdot",
    "...": r"\dots",
    "~": r"\sim",
    "->": r"\to",
    "* ": "^{*}",
    # Between spaces these compare; without, they are brackets.
    " < ": "<",
    " > ": ">",
}
_TOKEN = re.compile(
    r"\s[<>]\s|\s+|\.\.\.|[!<>]=|->|(?P<star>(?<=[A-Za-z'])\*(?![^\W_]|\([^(),|]*[+-][^(),|]*\)))"
    r"|(?P<base>[A-Za-z]+|\|\|)(?P<below>\d+|_(?:[A-Za-z0-9]+|\{[^{}]*\}))?"
    r"(?P<primes>'*)|\d+|[-+*/=^|,()\[\]<>~!]"
)
#: The star of a name such as a*, which is no product.
_STARRED = "* "
_PAIRS = {"(": ")", "[": "]", "<": ">"}
#: Spaces that say nothing, left out for whoever reads the source.
_IDLE = re.compile(r"(?<=[\w)}\]'|]) (?=[\^,(\[])")


class _UnreadableError(ValueError):
    """A text that is no formula in plain letters."""


def equation(value: RationalFunction, quantity: str, name: str) -> str:
    """The equation of a *quantity*; its *name* stands for one that is no formula in plain letters."""
    left, where = rf"\text{{{escaped(name)}}}", ""
    if quantity:
        with suppress(ValueError):
            left, where = quantity_latex(quantity)
    shown = f"{left} = {sympy.latex(value.to_sympy())}"
    return rf"{shown} \qquad ({where})" if where else shown


def quantity_latex(text: str) -> tuple[str, str]:
    """A quantity in plain text as LaTeX: itself, and where it is taken, which may be empty.

    Raises ValueError for what is no formula.
    """
    tokens_ = tokens(text)
    depth = 0
    for i, token in enumerate(tokens_):
        depth += (token.text in _PAIRS) - (token.text in _PAIRS.values())
        if depth == 0 and token.text == ",":
            return latex(tokens_[:i]), latex(tokens_[i + 1 :])
    return latex(tokens_), ""


@dataclass(frozen=True)
class Token:
    """A piece of a plain formula; a name has a *base*, and may have an index *below* and *primes*."""

    text: str
    base: str = ""
    below: str = ""
    primes: str = ""

    @property
    def word(self) -> bool:
        """Whether it is a word of English."""
        known = len(self.base) == 1 or self.base in {*_NAMES, "sqrt"} or _greek(self.base)
        return bool(self.base) and not known and not self.below


def _greek(name: str) -> bool:
    """Whether a name is that of a Greek letter, which has a command of its own."""
    sign = unicode_math(f"\\{name}")
    return len(sign) == 1 and unicodedata.name(sign, "").startswith("GREEK")


def tokens(text: str) -> list[Token]:
    """The pieces of a formula in plain letters. Raises ValueError at a sign that no formula has."""
    found = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _UnreadableError(text)
        at = match.end()
        if not match[0].isspace():
            below = (match["below"] or "").removeprefix("_")
            text_ = _STARRED if match["star"] else match[0]
            found.append(Token(text_, match["base"] or "", below, match["primes"] or ""))
    return found


def latex(row: list[Token]) -> str:
    """The formula that tokens make. Raises ValueError if they make none."""
    reader = _Reader(row)
    found = reader.formula("")
    if reader.at < len(row):  # a bracket that closes what was never opened
        raise _UnreadableError(row[reader.at].text)
    return found


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self.at = 0

    def formula(self, closing: str) -> str:
        """Everything up to the bracket *closing*, or to the end."""
        parts: list[str] = []
        while self.at < len(self._tokens) and self._next.text not in _PAIRS.values():
            parts.append(self._words() if self._next.word else self._piece())
        if self.at < len(self._tokens) and closing == self._next.text:
            self.at += 1
        elif closing:
            raise _UnreadableError(f"no {closing}")
        return _IDLE.sub("", " ".join(parts))

    @property
    def _next(self) -> Token:
        return self._tokens[self.at]

    def _words(self) -> str:
        """The words that follow, with a space on each side where there is a formula."""
        start = self.at
        while self.at < len(self._tokens) and self._next.word:
            self.at += 1
        words = " ".join(escaped(token.text) for token in self._tokens[start : self.at])
        before = " " if start else ""
        after = " " if self.at < len(self._tokens) and self._next.text != "," else ""
        return rf"\text{{{before}{words}{after}}}"

    def _piece(self) -> str:
        token = self._next
        self.at += 1
        if token.text in _PAIRS:
            inner = self.formula(_PAIRS[token.text])
            ends = (_SIGNS.get(end, end) for end in (token.text, _PAIRS[token.text]))
            return inner.join(ends)
        if token.text == "^":
            return f"^{{{self._raised()}}}"
        if token.text == ",":
            return r",\ "
        if token.text.isdigit() and self.at < len(self._tokens) and self._next.text.isdigit():
            raise _UnreadableError(token.text)  # side by side they would be one number
        if token.text == _STARRED and self.at < len(self._tokens) and self._next.text == "^":
            raise _UnreadableError(token.text)  # TeX has no second exponent
        if token.text == "sqrt":
            return rf"\sqrt{{{self._raised()}}}"
        return self._named(token) if token.base else _SIGNS.get(token.text, token.text)

    def _raised(self) -> str:
        """An exponent, or what stands under a root: a name, a number, or what round brackets hold."""
        if self.at >= len(self._tokens):
            raise _UnreadableError("nothing follows")
        token = self._next
        self.at += 1
        if token.text == "(":
            return self.formula(")")
        if token.text == "-":
            return f"-{self._raised()}"
        if token.text == "T":
            return r"\top"
        if token.base:
            return self._named(token)
        if not token.text.isdigit():
            raise _UnreadableError(token.text)
        return token.text

    def _named(self, token: Token) -> str:
        command = token.base == "sum" or _greek(token.base)
        base = _NAMES.get(token.base, rf"\{token.base}" if command else token.base)
        if len(token.base) > 1 and base == token.base:
            raise _UnreadableError(token.text)
        if not token.below:
            return base + token.primes
        below = token.below
        if below.startswith("{"):
            below = latex(tokens(re.sub("[<>](?!=)", r" \g<0> ", below[1:-1])))
        if below == "f" and self.at < len(self._tokens) and self._next.text == "(":
            below += self._piece()  # u_f(x) is the vector of f(x)
        return f"{base}_{{{below}{token.primes}}}"
