"""A BibTeX entry a claim, its id being the key: authors, title, source, and the verdict as the note."""

from __future__ import annotations

import re
from collections.abc import Mapping

from verify import __version__
from verify.claim import Claim, Road
from verify.claims import Paper, papers
from verify.report.exports.tex import tex
from verify.report.text import lines_in_words
from verify.runner import ClaimResult, RunResult
from verify.settings import Settings

#: What BibTeX takes for the end of a key, and the sign that stands for it.
_NO_KEY = re.compile(r"[^A-Za-z0-9._/+-]")
#: An arXiv number begins with year and month.
_YEAR = re.compile(r"arXiv (?P<short>\d\d)\d\d\.\d|\b(?P<long>(?:19|20)\d\d)\b")
#: Parts of the ids of statements that no paper prints.
_NOT_PRINTED = {"corrected", "explicit"}


def bibtex(run: RunResult) -> str:
    """The entries, in the order of the results."""
    sources = papers()
    return "\n".join(_entry(result, run.settings, sources) for result in run.results)


def key(claim: Claim) -> str:
    """The id; a sign that no key may hold becomes its number between colons."""
    return _NO_KEY.sub(lambda match: f":{ord(match[0]):x}:", claim.id)


def _entry(result: ClaimResult, settings: Settings, sources: Mapping[str, Paper]) -> str:
    claim = result.claim
    source = ", ".join(part for part in (claim.paper, claim.where) if part)
    parts = claim.id.split(".")
    paper = sources.get(parts[0])
    if paper is not None and paper.title != claim.paper:
        paper = None
    author = year = ""
    if not _NOT_PRINTED.isdisjoint(parts):
        author = "{recallproof}"
    elif paper is not None:
        author, year = _authors(paper.authors), _year(paper.where)
    fields = {
        "author": author,
        "title": f"{{{tex(claim.title)}}}",
        "howpublished": f"{{{tex(source)}}}" if source else "",
        "year": year,
        "note": f"{{{tex(_note(result, settings))}}}",
    }
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@misc{{{key(claim)},", *lines, "}"]) + "\n"


def _authors(names: str) -> str:
    """Names between commas as BibTeX reads them; one in small letters is no person's."""
    people = [tex(name) for name in names.split(", ")]
    return " and ".join(f"{{{name}}}" if name[0].islower() else name for name in people)


def _year(where: str) -> str:
    """The year that a source says of itself; may be empty."""
    found = _YEAR.search(where)
    if found is None:
        return ""
    return f"20{found['short']}" if found["short"] else found["long"]


def _note(result: ClaimResult, settings: Settings) -> str:
    note = f"Verdict: {result.verdict}"
    if result.scope:
        note += f" ({result.scope})"
    if words := lines_in_words(result):
        note += f"; {words}"
    if result.claim.correction:
        note += f"; corrected as {result.claim.correction}"
    return f"{note}; recallproof {__version__}, {_command(result.claim, settings)}"


def _command(claim: Claim, settings: Settings) -> str:
    """What gives the verdict again."""
    command = f"verify run {claim.id} --profile {settings.profile} --seed {settings.seed}"
    if set(settings.roads) == set(Road):
        return command
    return " ".join([command, *(f"--road {road}" for road in settings.roads)])
