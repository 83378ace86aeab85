"""A BibTeX entry a claim, its id being the key: title, source, and the verdict as the note."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verify.claim import Claim
from verify.report.exports.tex import tex
from verify.runner import ClaimResult

#: What BibTeX takes for the end of a key, and the sign that stands for it.
_NO_KEY = re.compile(r"[^A-Za-z0-9._/+-]")


def bibtex(results: Iterable[ClaimResult]) -> str:
    """The entries, in the order of the results."""
    return "\n".join(_entry(result) for result in results)


def key(claim: Claim) -> str:
    """The id; a sign that no key may hold becomes its number between colons."""
    return _NO_KEY.sub(lambda match: f":{ord(match[0]):x}:", claim.id)


def _entry(result: ClaimResult) -> str:
    claim = result.claim
    source = ", ".join(part for part in (claim.paper, claim.where) if part)
    fields = {"title": claim.title, "howpublished": source, "note": _note(result)}
    lines = [f"  {name} = {{{{{tex(text)}}}}}," for name, text in fields.items() if text]
    return "\n".join([f"@misc{{{key(claim)},", *lines, "}"]) + "\n"


def _note(result: ClaimResult) -> str:
    note = f"Verdict: {result.verdict}"
    if result.scope:
        note += f" ({result.scope})"
    if result.claim.correction:
        note += f"; corrected as {result.claim.correction}"
    return note
