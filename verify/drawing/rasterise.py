"""SVG to PNG, at twice its size on white.

The package that draws needs no library of the system. Letters come from the system's fonts, and where
there are none it leaves them out without a word, so that is tried first.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache

from verify.drawing.palette import LIGHT
from verify.errors import UsageError

#: An SVG has 96 pixels an inch.
_SCALE, _DPI = 2.0, 192
#: Fonts that have the signs of mathematics, tried in this order where a picture asks for any sans-serif.
_FAMILIES = ("DejaVu Sans", "Noto Sans", "Liberation Sans", "Arial", "Helvetica", "Segoe UI")
_TRIAL = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">{}</svg>'
_LETTERS = '<text y="15" font-family="{}" font-size="14">draws</text>'


def require_png(option: str) -> None:
    """UsageError, in the name of *option*, if this machine cannot draw a PNG."""
    try:
        import resvg_py  # noqa: F401  (whether it is there)
    except ImportError:
        raise UsageError(
            f"{option}: png needs the package resvg_py; pip install 'recallproof[png]'"
        ) from None
    if not _family():
        raise UsageError(
            f"{option}: no fonts on this machine; install a font such as DejaVu Sans"
            " (Debian: fonts-dejavu-core)"
        )


def png(svg: bytes) -> bytes:
    """An SVG in UTF-8, drawn; require_png says whether that is possible on this machine."""
    return _with_resolution(_rendered(svg.decode("utf-8"), scale=_SCALE, family=_family()))


@cache
def _family() -> str:
    """A family of fonts that is there; empty if there is none."""
    blank = _rendered(_TRIAL.format(""))
    for family in _FAMILIES:
        if _rendered(_TRIAL.format(_LETTERS.format(family))) != blank:
            return family
    return ""


def _rendered(svg: str, *, scale: float = 1.0, family: str = "") -> bytes:
    import resvg_py

    return resvg_py.svg_to_bytes(
        svg_string=svg, zoom=scale, background=LIGHT["paper"], sans_serif_family=family or None
    )


def _with_resolution(image: bytes) -> bytes:
    """The PNG with its pixels a metre, so that it is printed at the size of the SVG."""
    per_metre = round(_DPI / 0.0254)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    # The signature and the header, the first chunk of every PNG, are 33 bytes.
    return image[:33] + chunk + image[33:]
