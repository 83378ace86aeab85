"""The environment in which all templates are rendered: it escapes everything, and has no silent gaps."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment() -> Environment:
    """A new one, for a report to add its filters to."""
    return Environment(
        loader=PackageLoader("verify.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
