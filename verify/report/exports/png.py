"""A claim's plots as PNG: the light SVG of each, drawn."""

from __future__ import annotations

from collections.abc import Mapping

from verify.drawing.rasterise import png, require_png
from verify.report.exports.svg import plots_svg
from verify.running.runner import ClaimResult


def plots_png(result: ClaimResult, *, bare: bool = False) -> dict[str, bytes]:
    """File names and files of a claim's plots; UsageError as of require_png."""
    return drawn(plots_svg(result, dark=False, bare=bare))


def drawn(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Each SVG, by its name, as PNG, and other files as they are; UsageError as of require_png."""
    require_png("--format")
    return dict(map(_drawn, files, files.values()))


def _drawn(name: str, content: bytes) -> tuple[str, bytes]:
    if not name.endswith(".svg"):
        return name, content
    return name.removesuffix(".svg") + ".png", png(content)
