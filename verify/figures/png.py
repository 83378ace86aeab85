"""A figure as PNG: its light SVG, drawn at twice its size."""

from __future__ import annotations

from verify.figures.picture import Picture
from verify.figures.svg import picture_svg
from verify.report.exports.png import png


def picture_png(picture: Picture) -> bytes:
    """The file."""
    return png(picture_svg(picture, dark=False))
