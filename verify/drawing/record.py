"""A figure as JSON: every point that the picture shows, its levels, stages and table."""

from __future__ import annotations

from typing import Any

from verify.drawing.palette import Role
from verify.drawing.picture import Dots, Panel, Picture
from verify.files import SCHEMA, encode


def picture_json(picture: Picture) -> bytes:
    """{"schema", "figure", "title", "scale", "seed", "whole", "panels", "notes", "table"}."""
    return encode(
        {
            "schema": SCHEMA,
            "figure": picture.name,
            "title": picture.title,
            "scale": picture.scale,
            "seed": picture.seed,
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
    return {
        "title": panel.title,
        "about": panel.about,
        "x": panel.x.name,
        "y": panel.y.name,
        "lines": [
            {
                "name": line.name,
                "role": line.role,
                "x": list(line.x),
                "y": list(line.y),
                "dots": isinstance(line, Dots),
            }
            for line in (*panel.lines, *panel.dots)
        ],
        "levels": [
            {"name": level.name, "value": level.value, "printed": level.role is Role.PRINTED}
            for level in panel.levels
        ],
        "stages": [
            {"name": stage.name, "start": stage.start, "stop": stage.stop} for stage in panel.stages
        ],
        "numbers": panel.numbers,
    }
