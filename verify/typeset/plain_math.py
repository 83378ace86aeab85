"""Derivations in plain text as Unicode mathematics: d^2 reads d², sum_z reads ∑_z, gamma reads γ.

Only what is sure to be a formula changes; words, names of claims and numbers stay as they are.
"""

# ruff: noqa: RUF001, RUF002  (signs that look like letters are what this module is about)

from __future__ import annotations

import re
from collections.abc import Callable

from verify.typeset.unicode_math import unicode_math
from verify.typeset.words import segments

_GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|rho|sigma|tau|phi|chi|psi|omega|"
    "Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega|varphi"
)


def _power(match: re.Match[str]) -> str:
    return unicode_math(f"^{match[1]}" if match[1] == "T" else f"^{{{match[1]}}}")


def _raised(match: re.Match[str]) -> str:
    raised = unicode_math(f"^{{{match[1]}}}")
    return match[0] if "^" in raised else raised


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str] | str], ...] = (
    # Not a part of a longer name, nor of an id such as a.lemma.delta-sign, nor the gamma function.
    (
        re.compile(
            rf"(?<![\w.\\])(?<![A-Za-z]-)({_GREEK})"
            r"(?![A-Za-z0-9]|[.-][A-Za-z]| (?:functions?|distributions?|variables?)\b)"
        ),
        lambda match: unicode_math(f"\\{match[1]}"),
    ),
    (re.compile(r"(?<![\w.])sum(?=_[A-Za-z{(])"), "∑"),
    (re.compile(r"(?<![\w.])E(?=\[| ?<[^<>=]*,| exp\()"), "𝔼"),
    (re.compile(r" \+/- "), " ± "),
    (re.compile(r"(?<![\w.-])([A-Za-z])-hat(?![\w-])"), "\\1\N{COMBINING CIRCUMFLEX ACCENT}"),
    # Without brackets only where nothing after them could be taken to stand under the root.
    (re.compile(r"(?<!\w)sqrt\((\d+|[A-Za-z])\)(?![\w(^]|\*\*)"), r"√\1"),
    (re.compile(r"(?<!\w)sqrt(?=\()"), "√"),
    # Of one letter or number; a Greek letter is a sign by now.
    (
        re.compile(
            r"(?<!\w)sqrt (?!a [a-z]{2})(?=[A-Za-z](?![A-Za-z0-9])|[^\W\d_A-Za-z]|\d+(?![\w^(]))"
        ),
        "√",
    ),
    # An index of one letter or of digits, on a single letter that is no part of a word.
    (
        re.compile(r"(?<![^\W\d_])(?<!_)([^\W\d_])_(\d+|[aehijklmnoprstuvx])(?![\w({])"),
        lambda match: unicode_math(f"{match[1]}_{{{match[2]}}}"),
    ),
    (
        # a^1/2 stays: raised, its 1 would leave a/2.
        re.compile(r"(?<=[\w)\]|>⟩])(?:\^|\*\*)(?!-?1/)(-?\d+|T(?!\w))"),
        _power,
    ),
    # One letter, or a sum of such in brackets; what cannot be raised stays. f^(k) is a derivative.
    (re.compile(r"(?<=[\w)\]|>⟩])\^(-?[a-z])(?![\w({^*'/])"), _raised),
    (re.compile(r"(?<=[\w)\]|>⟩])\^\((?![a-z]\)|[^)]*[a-z]{2})([a-z0-9+-]+)\)"), _raised),
    # a*(s, r) may be the value of a starred function.
    (re.compile(r"(?<=[\w)])\*(?=[^\W_]|√|\([^(),|]*[+-][^(),|]*\))"), "·"),
    (re.compile(r"(?<=[\d)]\s)x(?=\s[\d(])"), "\N{MULTIPLICATION SIGN}"),
    (re.compile(r"(?:(?<![\w)])|(?<=𝔼))<(?=\S)([^<>=]*[^<>=\s],[^<>=]*)>"), r"⟨\1⟩"),
    (re.compile(r"<="), "≤"),
    (re.compile(r">="), "≥"),
    (re.compile(r"!="), "≠"),
    (re.compile(r"(?<![-<])->"), "→"),
)


def plain_math(text: str) -> str:
    """A line of a derivation, with its formulas in Unicode; spaces are kept."""
    for pattern, sign in _RULES:
        text = pattern.sub(sign, text)
    return text


def plain_formula(text: str) -> str:
    """A formula that is nothing else, as it is typed: without the spaces at its products, by which it
    would be read as several."""
    return plain_math(text.replace(" * ", "\N{MIDDLE DOT}").replace(" / ", "/"))


def plain_text(text: str) -> str:
    """A text that flows: LaTeX between dollars and formulas in plain letters alike in Unicode."""
    return "".join(
        unicode_math(part) if is_math else plain_math(part) for is_math, part in segments(text)
    )
