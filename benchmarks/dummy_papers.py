"""Papers that nobody wrote: folders of statements and checks, as many and as long as one likes.

The claims of a section rest on each other, on the section before, and on the paper before; every fifth
one is false and has a correction. Every other section has checks, which find what is recorded.
"""

from __future__ import annotations

from pathlib import Path

from verify.catalogue import Registry, add_paper, read_paper
from verify.catalogue.sections import index, index_path

#: So many claims stand in a section; it is a multiple of five.
SECTION = 50

_PAPER = """title = "Dummy paper {number}"
authors = "Ada Author, Bea Beispiel"
where = "arXiv 2401.{number:05d}"
builds_on = [{before}]
shares = {shares}
error_budget = 1e-6
sections = [{sections}]

[order]
{order}
"""
_HYPOTHESES = "positive = '$d > 0$'\n"
_CLAIM = """[[claim]]
id = '{id}'
title = 'Line {line} of section {section}'
where = 'Sec. {section}, line {line}'
kind = 'identity'
tier = 2
statement = 'The variance is $@value@$ for all $d$.'
hypotheses = ['positive']
formulas = {{ value = '2*N/d + {line}/d**2' }}
slip = ['value']
uses = [{uses}]
{record}
"""
_CHECKS = '''"""Checks of a section: they find what is recorded."""

from verify.checks.section import Section
from verify.claim import Evidence
from verify.verdict import Verdict

section = Section()
for id_, verdict in {records}:

    @section.check(id_, "proofs", method="as recorded")
    def found(printed, context, verdict=Verdict(verdict)):
        return Evidence(verdict, "", "as recorded", scope="all d")
'''
_PACKAGE = '''"""A dummy paper."""

from verify.catalogue import Paper, read_paper


def paper() -> Paper:
    return read_paper(__package__)
'''


def write_papers(folder: Path, *, papers: int, sections: int) -> list[str]:
    """Write so many papers of so many sections into *folder*; where that is on the path they count as
    installed. Returns the names of their packages."""
    names = [f"dummy{number}" for number in range(papers)]
    for number, name in enumerate(names):
        before = names[number - 1] if number else ""
        _write(folder / name, number, sections, before)
    info = folder / "dummies-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dummies\nVersion: 1.0\n")
    entries = "".join(f"{name} = {name}:paper\n" for name in names)
    (info / "entry_points.txt").write_text(f"[verify.claims]\n{entries}")
    return names


def registry_of(names: list[str]) -> Registry:
    """The papers in those packages, and no others."""
    registry = Registry()
    for name in names:
        add_paper(registry, read_paper(name))
    return registry


def write_indexes(registry: Registry) -> None:
    """An index for each paper."""
    for paper in registry.papers.values():
        index_path(paper).write_bytes(index(paper, registry))


def _write(folder: Path, number: int, sections: int, before: str) -> None:
    folder.mkdir()
    texts = {
        "__init__.py": _PACKAGE,
        "hypotheses.toml": _HYPOTHESES,
        "paper.toml": _PAPER.format(
            number=number,
            before=repr(before) if before else "",
            shares=SECTION * sections,
            sections=", ".join(f'"section{k}"' for k in range(sections)),
            order="\n".join(f'thm{k} = ["thm{k - 1}"]' for k in range(1, sections)),
        ),
    }
    for k in range(sections):
        claims = [_claim(folder.name, k, line, before) for line in range(SECTION)]
        texts[f"section{k}.toml"] = "\n".join(text for text, _ in claims)
        if k % 2 == 0:
            records = tuple(record for _, record in claims if record[1])
            texts[f"section{k}.py"] = _CHECKS.format(records=records)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _claim(paper: str, section: int, line: int, before: str) -> tuple[str, tuple[str, str]]:
    """The table of a claim; its id and recorded verdict, none where the section has no checks."""

    def name(line: int, section: int = section, paper: str = paper) -> str:
        """Lines 0, 5, ... are false, and the lines after these their corrections."""
        return (
            f"{paper}.thm{section}.line{line // 5 * 5}.corrected"
            if line % 5 == 1
            else (f"{paper}.thm{section}.line{line}")
        )

    uses = []
    if line % 5 > 1:
        uses.append(name(line - 1))
    if line == 2 and section:
        uses.append(name(3, section - 1))
    if line == 2 and section == 0 and before:
        uses.append(name(4, 0, before))
    verdict = "" if section % 2 else "refuted" if line % 5 == 0 else "proved"
    record = f"recorded = '{verdict}'\n" if verdict else ""
    if verdict == "refuted":
        record += f"correction = '{name(line + 1)}'\nseverity = 'constant'\n"
    if line % 5 == 1:
        record += "origin = 'corrected'\n"
    text = _CLAIM.format(
        id=name(line), line=line, section=section, record=record, uses=", ".join(map(repr, uses))
    )
    return text, (name(line), verdict)
