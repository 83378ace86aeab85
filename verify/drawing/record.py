"""A figure as JSON: every point that the picture shows, its levels, stages and table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from verify.drawing.palette import Role
from verify.drawing.picture import Dots, Panel, Picture
from verify.typeset.encoding import SCHEMA, encode


def picture_json(picture: Picture) -> bytes:
    """{"schema", "figure", "title", "scale", "seed", "device", "whole", "panels", "notes", "table"}."""
    return encode(
        {
            "schema": SCHEMA,
            "figure": picture.name,
            "title": picture.title,
            "scale": picture.scale,
            "seed": picture.seed,
            "device": picture.device,
            "whole": picture.whole,
            "panels": [_panel(panel) for panel in picture.panels],
            "notes": list(picture.notes),
            "table": {
                "header": list(picture.header),
                "rows": [list(row) for row in picture.rows],
            },
        }
    )


def _panel(panel: Panel) -> dict[str, Any]:
    """All that it holds; its axes by their names."""
    lines = [asdict(m) | {"dots": isinstance(m, Dots)} for m in (*panel.lines, *panel.dots)]
    levels = [asdict(at) | {"printed": at.role is Role.PRINTED} for at in panel.levels]
    axes = {"x": panel.x.name, "y": panel.y.name}
    return asdict(panel) | axes | {"lines": lines, "levels": levels}
