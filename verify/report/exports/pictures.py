"""The pictures of how much fits as files of their own: failure curves, bits stored, the trade-off."""

from __future__ import annotations

from collections.abc import Iterator

from verify.capacity.curves import ERROR
from verify.capacity.pictures import Pictures
from verify.report.exports.png import drawn
from verify.report.exports.sheet import Sheet, sheets
from verify.report.plots.curves import panels
from verify.report.plots.stored_bits import stored_panels
from verify.report.plots.tradeoff import heat

_TEMPLATE = "pictures.html.j2"
_NO_VERDICT = "No verdict rests on it."


def pictures_svg(pictures: Pictures, *, dark: bool = True, bare: bool = False) -> dict[str, bytes]:
    """File names and files.

    Without *dark* they are light for every viewer; if *bare*, their words are in files beside them.
    """
    return sheets(_sheets(pictures), dark=dark, bare=bare)


def pictures_png(pictures: Pictures, *, bare: bool = False) -> dict[str, bytes]:
    """File names and files; UsageError as of require_png."""
    return drawn(pictures_svg(pictures, dark=False, bare=bare))


def _sheets(pictures: Pictures) -> Iterator[tuple[str, Sheet]]:
    for number, curve in enumerate(panels(pictures.curves), start=1):
        words = [
            "Points with intervals: measured; each interval misses with probability at most "
            f"{ERROR:g}. Line: predicted from exact moments."
            + (" Dashed: the proved bound." if curve.bound else ""),
            *curve.notes,
            _NO_VERDICT,
        ]
        yield (
            f"failures.{number}",
            Sheet(
                "Probability that some fact is lost",
                curve.title,
                _TEMPLATE,
                "curve",
                curve,
                words,
            ),
        )
    found = stored_panels(pictures.stored) if pictures.stored else []
    for number, panel in enumerate(found, start=1):
        words = [
            "Discs: W is trained, then rounded. Squares: W is the sum of outer products, rounded. Line: "
            "as many bits stored as used. Numbers: percent of the bits used that are stored.",
            *panel.notes,
            _NO_VERDICT,
        ]
        yield (
            f"stored-bits.{number}",
            Sheet(
                "Bits stored and bits used by linear memories",
                panel.title,
                _TEMPLATE,
                "stored",
                panel,
                words,
            ),
        )
    if pictures.trade_off:
        shown = heat(pictures.trade_off)
        yield (
            "trade-off",
            Sheet(
                "Attention parameters for MLP parameters",
                shown.title,
                _TEMPLATE,
                "heat",
                shown,
                [*shown.notes, _NO_VERDICT],
            ),
        )
