"""Pictures as files of their own: the plots of a claim's evidence, and those of how much fits.

A file is an SVG, with its words in a file beside it if it is bare; ``png`` draws either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from verify.drawing.palette import Role
from verify.drawing.picture import Panel, Picture
from verify.drawing.svg import picture_svg, picture_words
from verify.report.plots.cases import Case, cases
from verify.report.plots.trajectories import flows
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed

#: What a file system may not like in a name, and the sign that stands for it.
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]")


def plots_svg(result: ClaimResult, *, dark: bool = True, bare: bool = False) -> dict[str, bytes]:
    """File names and files of all plots of a claim, in the order of the page.

    Without *dark* they are light for every viewer; if *bare*, their words are in files beside them.
    """
    stem = _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}_", result.claim.id)
    named = ((f"{stem}.{n}", picture) for n, picture in enumerate(_plots(result), start=1))
    return files(named, dark=dark, bare=bare)


def files(
    pictures: Iterable[tuple[str, Picture]], *, dark: bool = True, bare: bool = False
) -> dict[str, bytes]:
    """File names and files of named pictures; if *bare*, each has its words in a file beside it."""
    found = {}
    for name, picture in pictures:
        found[f"{name}.svg"] = picture_svg(picture, dark=dark, bare=bare)
        if bare:
            found[f"{name}.txt"] = picture_words(picture)
    return found


def _plots(result: ClaimResult) -> Iterator[Picture]:
    source = flowed(result.claim.id)
    for evidence in result.evidence:
        for case in cases(evidence.detail, source):
            if case.panel:
                yield _case(source, case, case.panel)
        for flow in flows(evidence.detail):
            title = flow.panel.title or f"{flow.panel.y.name} against {flow.panel.x.name}"
            yield Picture(title, (flow.panel,), source, flow.notes)


def _case(source: str, case: Case, panel: Panel) -> Picture:
    words = [case.caption]
    if case.error:
        holds = "Band: holds the true value at all looks" if case.looks else "Bar: holds it"
        words.append(f"{holds}, but for an error of {case.error}.")
    words += _key(case)
    return Picture(
        title=f"{case.quantity} at {case.at}" if case.at else case.quantity,
        panels=(panel,),
        source=source,
        notes=words,
        items=[wrong.label + wrong.words for wrong in case.wrong if wrong.letter],
        unseen=case.notes if case.looks else (),
    )


def _key(case: Case) -> Iterator[str]:
    """The signs of the plot, in words."""
    if Role.ALLOWED in case.roles:
        yield "Green: the tolerance."
    if Role.EXCLUDED in case.roles:
        yield "Hatched: ruled out by the claim."
    if Role.WRONG in case.roles:
        yield "Letters: wrong statements."
    if case.broken:
        yield "The axis is broken before the bound."
    if not case.looks:
        yield from case.notes
