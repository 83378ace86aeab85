"""The plots of a claim's evidence as files of their own: its measured cases and its trajectories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verify.report.exports.sheet import Sheet, sheets
from verify.report.plots import cases as plots
from verify.report.plots import trajectories
from verify.running.runner import ClaimResult
from verify.typeset.words import flowed

#: What a file system may not like in a name, and the sign that stands for it.
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]")


def plots_svg(result: ClaimResult, *, dark: bool = True, bare: bool = False) -> dict[str, bytes]:
    """File names and files of all plots, in the order of the page.

    Without *dark* they are light for every viewer; if *bare*, their words are in files beside them.
    """
    stem = _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}_", result.claim.id)
    named = ((f"{stem}.{n}", sheet) for n, sheet in enumerate(_sheets(result), start=1))
    return sheets(named, dark=dark, bare=bare)


def _sheets(result: ClaimResult) -> Iterator[Sheet]:
    source = flowed(result.claim.id)
    for evidence in result.evidence:
        for case in plots.cases(evidence.detail, source):
            if drawing := case.picture or case.bar:
                yield _case(source, case, drawing)
        for panel in trajectories.panels(evidence.detail):
            title = panel.title or f"{panel.y} against {panel.x}"
            yield Sheet(source, title, "trajectories.html.j2", "flow", panel, panel.notes)


def _case(source: str, case: plots.Case, drawing: plots.Picture | plots.Bar) -> Sheet:
    words = [case.caption]
    if case.error:
        holds = "Band: holds the true value at all looks" if case.picture else "Bar: holds it"
        words.append(f"{holds}, but for an error of {case.error}.")
    words += _key(case)
    drawn = [wrong for wrong in case.wrong if wrong.letter]
    return Sheet(
        source=source,
        title=f"{case.quantity} at {case.at}" if case.at else case.quantity,
        template="plot.html.j2",
        macro="picture" if case.picture else "bar",
        drawing=drawing,
        words=words,
        items=[wrong.label + wrong.words for wrong in drawn],
        more=case.notes if case.picture else (),
        besides=(case.name, case.contradicts) if case.picture else (case.name,),
    )


def _key(case: plots.Case) -> Iterator[str]:
    """The signs of the plot, in words."""
    if case.picture and case.picture.tolerance:
        yield "Green: the tolerance."
    if case.picture and case.picture.forbidden:
        yield "Hatched: ruled out by the claim."
    if case.picture and case.picture.mutants:
        yield "Letters: wrong statements."
    if case.picture and case.picture.gap:
        yield "The axis is broken before the bound."
    if case.bar:
        yield from case.notes
