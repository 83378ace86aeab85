"""The plots of a claim's evidence as files of their own: its measured cases and its trajectories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verify.report import plots, trajectories
from verify.report.exports.sheet import Sheet, sheet_svg
from verify.report.text import flowed
from verify.runner import ClaimResult

#: What a file system may not like in a name, and the sign that stands for it.
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]")


def plots_svg(result: ClaimResult, *, dark: bool = True) -> dict[str, bytes]:
    """File names and files of all plots, in the order of the page.

    Without *dark* they are light for every viewer.
    """
    stem = _NO_NAME.sub(lambda match: f"_{ord(match[0]):x}_", result.claim.id)
    return {
        f"{stem}.{number}.svg": sheet_svg(sheet, dark=dark)
        for number, sheet in enumerate(_sheets(result), start=1)
    }


def _sheets(result: ClaimResult) -> Iterator[Sheet]:
    source = flowed(result.claim.id)
    for evidence in result.evidence:
        for case in plots.cases(evidence.detail):
            if case.picture or case.bar:
                yield _case(source, case)
        for panel in trajectories.panels(evidence.detail):
            size = (panel.width, panel.height)
            title = panel.title or f"{panel.y} against {panel.x}"
            yield Sheet(source, title, "trajectories.html.j2", "flow", (panel,), size, panel.notes)


def _case(source: str, case: plots.Case) -> Sheet:
    words = [case.caption]
    if case.error:
        words.append(
            f"The band holds the true value at all numbers of draws at once, but for an error of "
            f"{case.error}."
            if case.picture
            else f"The bar holds the true value, but for an error of {case.error}."
        )
    words += [*_key(case), *case.notes]
    if case.wrong:
        words.append("Wrong statements:")
    return Sheet(
        source=source,
        title=f"{case.quantity} at {case.at}" if case.at else case.quantity,
        template="plot.html.j2",
        macro="picture" if case.picture else "bar",
        arguments=(case.picture, case.name, case.contradicts)
        if case.picture
        else (case.bar, case.name),
        size=(plots.WIDTH, case.picture.height if case.picture else plots.HEIGHT),
        words=words,
        items=[wrong.label + wrong.words for wrong in case.wrong],
    )


def _key(case: plots.Case) -> Iterator[str]:
    """The signs of the plot, in words."""
    if case.picture and case.picture.tolerance:
        yield "Shaded, within dashes: the tolerance around the printed value."
    if case.picture and case.picture.forbidden:
        yield "Hatched: the side that the claim rules out."
    if case.picture and case.picture.mutants:
        yield "Dashed, with letters: wrong statements nearby."
