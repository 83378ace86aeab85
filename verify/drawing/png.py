"""A figure as PNG: its light SVG, drawn at twice its size."""

from __future__ import annotations

from verify.drawing.picture import Picture
from verify.drawing.rasterise import png
from verify.drawing.svg import picture_svg


def picture_png(picture: Picture) -> bytes:
    """The file."""
    return png(picture_svg(picture, dark=False))
