"""The whole catalogue: the papers with their claims and checks, and those of installed packages.

from verify.catalogue import Paper, read_paper

def paper() -> Paper:  # what an entry point in the group ``verify.claims`` names
    return read_paper(__package__)
"""

from __future__ import annotations

import warnings
from functools import partial
from importlib.metadata import entry_points

from verify.catalogue.folder import folder, read_paper
from verify.catalogue.guests import Left, Old, fitting, offered
from verify.catalogue.sections import sections
from verify.claim import Origin, Registry
from verify.left_out import FaultyPaper, GoingOn, Guest, LeftOut, found_late, tell
from verify.printed.paper import Numbered, Paper, papers_in_order

__all__ = [
    "ENTRY_POINT_GROUP",
    "LeftOut",
    "Numbered",
    "Paper",
    "add_paper",
    "catalogue",
    "quietly",
    "read_paper",
]

#: Other packages add papers through this group: an entry point is a function that returns a Paper.
ENTRY_POINT_GROUP = "verify.claims"
#: Where the papers that come with the program lie, a folder each.
_OWN = "verify.papers"


def catalogue() -> Registry:
    """A new registry with everything in it; statements are read and checks imported when asked for.

    A paper of another package that is not sound is left out, with a warning (LeftOut) that names it.
    Raises CatalogueError for a paper of the program that cannot be read, and later on, as FaultyPaper,
    for one of another package in which something is found only when it is read.
    """
    left: Left = {fault.guest: fault for fault in found_late()}
    while True:
        try:
            registry = _filled(left)
        except FaultyPaper as fault:  # one that another one has looked into
            if fault.guest in left:
                raise
            left[fault.guest] = fault
        else:
            break
    registry.left_out = tuple(left.values())
    registry.again = partial(quietly, registry.left_out)
    tell(registry.left_out)
    return registry


def _filled(left: Left) -> Registry:
    """The papers of the program, and those of guests that are sound; the others are put into *left*."""
    registry = Registry()
    own = [read_paper(f"{_OWN}.{name}") for name in _own_names()]
    own.sort(key=lambda paper: (paper.place, paper.name))
    own = papers_in_order(own)
    papers, old = offered(entry_points(group=ENTRY_POINT_GROUP), left)
    guests = fitting(own, papers, left)
    of = {paper.name: guest for guest, paper in guests.items()}
    for paper in papers_in_order([*own, *guests.values()]):
        add_paper(registry, paper, of.get(paper.name))
    for guest, register in old.items():
        warnings.warn(
            f"{guest.value} takes the registry, which is the form of before; write a paper.toml and let "
            "the entry point return verify.catalogue.read_paper(__package__)",
            FutureWarning,
            stacklevel=3,
        )
        try:
            with guest.blamed(), registry.filled_by(guest):
                _add_old(registry, register)
        except FaultyPaper as fault:
            if fault.guest != guest:
                raise
            left[guest] = fault
    return registry


def quietly(without: tuple[FaultyPaper, ...] = ()) -> Registry:
    """The same catalogue in another process, which does not say again what is left out."""
    return GoingOn(lambda fault: None, without).do(catalogue)


def add_paper(registry: Registry, paper: Paper, guest: Guest | None = None) -> None:
    """Add a paper that lies in a folder, of a *guest* or ours; CatalogueError if its name is taken."""
    registry.add_paper(paper, partial(sections, paper), guest)


def _own_names() -> list[str]:
    return sorted(paper.parent.name for paper in folder(_OWN).glob("*/paper.toml"))


def _add_old(registry: Registry, register: Old) -> None:
    """A function that adds claims to the registry by itself: what a correction is, only ids tell."""
    before = {entry.id for entry in registry.entries()}
    register(registry)
    added = [entry for entry in registry.entries() if entry.id not in before]
    corrections = {entry.correction for entry in added}
    for item in added:
        if item.origin is Origin.PRINTED and "explicit" in item.id.split("."):
            registry.set_origin(item.id, Origin.OURS)
        elif item.origin is Origin.PRINTED and item.id in corrections:
            registry.set_origin(item.id, Origin.CORRECTED)
