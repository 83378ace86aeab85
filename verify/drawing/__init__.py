"""One grammar of drawing: a picture as data, its axes, SVG and PNG."""
