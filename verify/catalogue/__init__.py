"""The whole catalogue: the papers' claims with their checks, and those of installed packages."""

from __future__ import annotations

from importlib.metadata import entry_points

from verify.catalogue.statements import register
from verify.claim import Registry

#: Other packages add claims through this group: an entry point is a function that takes the Registry.
ENTRY_POINT_GROUP = "verify.claims"


def catalogue() -> Registry:
    """A new registry with everything in it. Raises CatalogueError if a claim contradicts itself."""
    registry = Registry()
    register(registry)
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda e: e.name):
        entry.load()(registry)
    registry.validate()
    return registry
