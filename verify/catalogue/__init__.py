"""The whole catalogue: the papers with their claims and checks, and those of installed packages.

from verify.catalogue import Paper, read_paper

def paper() -> Paper:  # what an entry point in the group ``verify.claims`` names
    return read_paper(__package__)
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from verify.catalogue.folder import folder, read_paper
from verify.catalogue.sections import sections
from verify.claim import Origin, Registry
from verify.errors import CatalogueError
from verify.printed.paper import Numbered, Paper, papers_in_order

__all__ = ["ENTRY_POINT_GROUP", "Numbered", "Paper", "add_paper", "catalogue", "read_paper"]

#: Other packages add papers through this group: an entry point is a function that returns a Paper.
ENTRY_POINT_GROUP = "verify.claims"
#: Where the papers that come with the program lie, a folder each.
_OWN = "verify.papers"


def catalogue() -> Registry:
    """A new registry with everything in it; statements are read and checks imported when asked for.

    Raises CatalogueError for a paper that cannot be read or that contradicts another one.
    """
    registry = Registry(again=catalogue)
    own = [read_paper(f"{_OWN}.{name}") for name in _own_names()]
    own.sort(key=lambda paper: (paper.place, paper.name))
    entries = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)
    offered = [(entry, _offered(entry)) for entry in entries]
    installed = [found for _, found in offered if isinstance(found, Paper)]
    for paper in papers_in_order([*own, *installed]):
        add_paper(registry, paper)
    for entry, found in offered:
        if not isinstance(found, Paper):
            _add_old(registry, entry, found)
    return registry


def add_paper(registry: Registry, paper: Paper) -> None:
    """Add a paper that lies in a folder; CatalogueError if its name is taken."""
    registry.add_paper(paper, partial(sections, paper))


def _own_names() -> list[str]:
    return sorted(paper.parent.name for paper in folder(_OWN).glob("*/paper.toml"))


def _offered(entry: EntryPoint) -> Paper | Callable[[Registry], object]:
    """What an installed package offers: a paper, or a function that adds claims, as was done before."""
    with _named(entry):
        found: object = entry.load()
        if callable(found):
            if inspect.signature(found).parameters:
                return found
            found = found()
    if not isinstance(found, Paper):
        raise CatalogueError(
            f"{entry.value}: the entry point {entry.name!r} of {ENTRY_POINT_GROUP} leads to {found!r}; "
            "let it name a function that returns a Paper, such as read_paper(__package__)"
        )
    return found


@contextmanager
def _named(entry: EntryPoint) -> Iterator[None]:
    """What a package of somebody else raises, or that it ends the program, is a fault of its own."""
    try:
        yield
    except CatalogueError:
        raise
    except (Exception, SystemExit) as error:
        raise CatalogueError(
            f"{entry.value}: the entry point {entry.name!r} of {ENTRY_POINT_GROUP} breaks: "
            f"{type(error).__name__}: {error}"
        ) from error


def _add_old(registry: Registry, entry: EntryPoint, register: Callable[[Registry], object]) -> None:
    """A function that adds claims to the registry by itself: what a correction is, only ids tell."""
    warnings.warn(
        f"{entry.value} takes the registry, which is the form of before; write a paper.toml and let the "
        "entry point return verify.catalogue.read_paper(__package__)",
        FutureWarning,
        stacklevel=2,
    )
    before = {entry.id for entry in registry.entries()}
    with _named(entry):
        register(registry)
    added = [entry for entry in registry.entries() if entry.id not in before]
    corrections = {entry.correction for entry in added}
    for item in added:
        if item.origin is Origin.PRINTED and "explicit" in item.id.split("."):
            registry.set_origin(item.id, Origin.OURS)
        elif item.origin is Origin.PRINTED and item.id in corrections:
            registry.set_origin(item.id, Origin.CORRECTED)
