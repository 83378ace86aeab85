"""Sentences with formulas in plain letters, such as "for d >= 1, any M", with the formulas as LaTeX.

Only what is sure to be a formula is set as one; the rest stays words, and no sign is lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from verify.report.exports.equations import latex, tokens
from verify.typeset.tex import escaped, tex
from verify.typeset.words import segments

#: What stands between spaces; spaces between braces do not end it.
_CHUNK = re.compile(r"[^\s{]*\{[^{}]*\}\S*|\S+")
_AFTER = re.compile(r"[.,;:]+$")
#: Letters that are also words of English, and signs that are also punctuation.
_UNSURE = {"a", "A", "I", "-", ",", "/"}
#: Names of laws and functions that are spelled like Greek letters.
_NO_LETTER = re.compile(r"(?:[a-z]{2,}-)+[a-z]{2,}$")
_KINDS = ("law", "function", "variable", "distribution", "algebra")
_OPEN, _CLOSE = ("(", "[", "<"), (")", "]", ">")


def plain_tex(text: str) -> str:
    """A text that flows, for the body of a TeX document; LaTeX between dollars stays."""
    return "".join(
        tex(f"${part}$") if is_math else _words(part) for is_math, part in segments(text)
    )


@dataclass(frozen=True)
class _Chunk:
    """A formula's *body* or a word with the punctuation *after* it.

    *sure*: it can only be a formula; *possible*: it is one beside a formula, such as a number.
    """

    body: str
    after: str
    sure: bool = False
    possible: bool = False
    depth: int = 0

    @property
    def whole(self) -> str:
        """As it is typed."""
        return self.body + self.after


def _words(text: str) -> str:
    """Every row of chunks that is a formula, set as one; the rest escaped."""
    chunks = _chunks(text)
    shown, at = [], 0
    while at < len(chunks):
        latex_row, end = _row(chunks, at)
        if latex_row:
            shown.append(f"${latex_row}${escaped(chunks[end - 1].after)}")
        else:
            shown.append(escaped(chunks[at].whole))
            end = at + 1
        at = end
    before = " " if text[:1].isspace() else ""
    after = " " if chunks and text[-1:].isspace() else ""
    return before + " ".join(shown) + after


def _row(chunks: Sequence[_Chunk], at: int) -> tuple[str, int]:
    """The longest formula that begins at a chunk, and where it ends; empty if there is none."""
    end, depth = at, 0
    while end < len(chunks) and chunks[end].possible:
        depth += chunks[end].depth
        end += 1
        if chunks[end - 1].after and depth <= 0:
            break
    for last in range(end, at, -1):
        row = chunks[at:last]
        if not any(chunk.sure for chunk in row):
            break
        beside = row[-2].body if len(row) > 1 else ""
        if row[-1].body == "-" or (row[-1].body in _UNSURE and beside[-1:] not in ("=", "+", "-")):
            continue
        typed = " ".join(chunk.whole for chunk in row).removesuffix(row[-1].after)
        with suppress(ValueError):
            return latex(tokens(typed)), last
    return "", at


def _chunks(text: str) -> list[_Chunk]:
    typed = _CHUNK.findall(text)
    return [_chunk(chunk, follows) for chunk, follows in zip(typed, [*typed[1:], ""], strict=True)]


def _chunk(chunk: str, follows: str) -> _Chunk:
    found = _AFTER.search(chunk)
    after = found[0] if found and "..." not in found[0] else ""
    body = chunk.removesuffix(after)
    word = _Chunk(body, after)
    if _NO_LETTER.match(body) or (len(body) > 1 and body.isalpha() and follows.startswith(_KINDS)):
        return word
    try:
        found_tokens = tokens(f" {body} ")  # the spaces tell < and > from brackets
    except ValueError:
        return word
    if not body or any(token.word for token in found_tokens):
        return word
    texts = [token.text for token in found_tokens]
    depth = sum((text in _OPEN) - (text in _CLOSE) for text in texts)
    signs = [text for text in texts if text not in (*_OPEN, *_CLOSE)]
    sure = any(not text.isdigit() and text not in _UNSURE for text in signs)
    return _Chunk(body, after, sure=sure, possible=True, depth=depth)
