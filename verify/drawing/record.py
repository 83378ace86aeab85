"""A figure as JSON: every point that the picture shows, its levels, stages and table."""

from __future__ import annotations

from dataclasses import asdict

from verify.drawing.picture import Picture
from verify.typeset.encoding import SCHEMA, encode


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
            "panels": [asdict(panel) for panel in picture.panels],
            "notes": list(picture.notes),
            "table": {
                "header": list(picture.header),
                "rows": [list(row) for row in picture.rows],
            },
        }
    )
