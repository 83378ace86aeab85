"""A BibTeX entry a claim, its id being the key: the paper it is from, and the claim in the note.

What no paper prints is an entry of its own.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from verify.claim import Claim, Origin, Registry, Road
from verify.printed.paper import Paper
from verify.report.text import lines_in_words
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.running.version import __version__
from verify.typeset.tex import tex

#: What BibTeX takes for the end of a key, and the sign that stands for it.
_NO_KEY = re.compile(r"[^A-Za-z0-9._/+-]")
#: An arXiv number begins with year and month.
_ARXIV = re.compile(r"arXiv (?P<number>(?P<year>\d\d)\d\d\.\d{4,5})")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def bibtex(run: RunResult, registry: Registry) -> str:
    """The entries, in the order of the results; *registry* knows their papers."""
    return "\n".join(
        _entry(result, run.settings, registry.paper_of(result.claim.id)) for result in run.results
    )


def key(claim: Claim) -> str:
    """The id; a sign that no key may hold becomes its number between colons."""
    return _NO_KEY.sub(lambda match: f":{ord(match[0]):x}:", claim.id)


def _entry(result: ClaimResult, settings: Settings, paper: Paper | None) -> str:
    claim = result.claim
    note = _note(result, settings)
    if claim.origin is Origin.PRINTED:
        fields = {"title": tex(claim.paper or claim.title), **_source(paper)}
        about = f"{tex(claim.title)} ({', '.join(filter(None, (tex(claim.id), tex(claim.where))))})"
    else:
        # Ours, so of the year in which it is taken along.
        year = str(datetime.now(UTC).year)
        fields = {"author": "{recallproof}", "title": tex(claim.title), "year": year}
        about = ", ".join(tex(part) for part in (claim.id, claim.where, claim.paper) if part)
    fields["title"] = f"{{{fields['title']}}}"
    fields["note"] = f"{{{about}. {tex(note)}}}"
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@misc{{{key(claim)},", *lines, "}"]) + "\n"


def _source(paper: Paper | None) -> dict[str, str]:
    """Authors, year and place of a paper, as far as its source says them."""
    if paper is None:
        return {}
    fields = {"author": _authors(paper.authors)}
    if found := _ARXIV.search(paper.where):
        number = found["number"]
        more = {"eprint": number, "archivePrefix": "arXiv", "howpublished": f"arXiv:{number}"}
        return {**fields, "year": f"20{found['year']}", **more}
    year = paper.year or next(iter(_YEAR.findall(paper.where)), "")
    kind, comma, _ = paper.where.partition(", ")
    return {**fields, "year": year, "howpublished": tex(kind) if comma else ""}


def _authors(names: str) -> str:
    """Names between commas as BibTeX reads them; one in small letters is no person's."""
    people = [tex(name) for name in names.split(", ")]
    return " and ".join(f"{{{name}}}" if name[0].islower() else name for name in people)


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
