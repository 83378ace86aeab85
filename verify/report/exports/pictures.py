"""The pictures of how much fits as files of their own: failure curves, bits stored, the trade-off."""

from __future__ import annotations

from collections.abc import Iterator

from verify.capacity.curves import ERROR
from verify.capacity.pictures import Pictures
from verify.drawing.picture import Picture
from verify.report.exports.png import drawn
from verify.report.exports.svg import files
from verify.report.plots.curves import failure_curves
from verify.report.plots.shown import Shown
from verify.report.plots.stored_bits import stored_panels
from verify.report.plots.tradeoff import heat


def pictures_svg(pictures: Pictures, *, dark: bool = True, bare: bool = False) -> dict[str, bytes]:
    """File names and files.

    Without *dark* they are light for every viewer; if *bare*, their words are in files beside them.
    """
    return files(_pictures(pictures), dark=dark, bare=bare)


def pictures_png(pictures: Pictures, *, bare: bool = False) -> dict[str, bytes]:
    """File names and files; UsageError as of require_png."""
    return drawn(pictures_svg(pictures, dark=False, bare=bare))


def _pictures(pictures: Pictures) -> Iterator[tuple[str, Picture]]:
    for number, shown in enumerate(failure_curves(pictures.curves), start=1):
        key = (
            "Points with intervals: measured; each interval misses with probability at most "
            f"{ERROR:g}. Line: predicted from exact moments."
            + (" Dashed: the proved bound." if len(shown.panel.lines) > 1 else "")
        )
        yield f"failures.{number}", _picture("Probability that some fact is lost", shown, key)
    found = stored_panels(pictures.stored) if pictures.stored else []
    for number, shown in enumerate(found, start=1):
        key = (
            "Discs: W is trained, then rounded. Squares: W is the sum of outer products, rounded. Line: "
            "as many bits stored as used. Numbers: percent of the bits used that are stored."
        )
        source = "Bits stored and bits used by linear memories"
        yield f"stored-bits.{number}", _picture(source, shown, key)
    if pictures.trade_off:
        source = "Attention parameters for MLP parameters"
        yield "trade-off", _picture(source, heat(pictures.trade_off))


def _picture(source: str, shown: Shown, *key: str) -> Picture:
    notes = [*key, *shown.notes, "No verdict rests on it."]
    return Picture(shown.panel.title, (shown.panel,), source, notes)
