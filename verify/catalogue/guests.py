"""The papers of other packages: asked for at their entry points, kept as far as they fit together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint

from verify.claim import Registry
from verify.errors import CatalogueError
from verify.left_out import FaultyPaper, Guest
from verify.printed.paper import Paper

#: A function that adds claims to the registry, as was done before there were papers in folders.
Old = Callable[[Registry], object]
Left = dict[Guest, FaultyPaper]


def offered(
    entries: Iterable[EntryPoint], left: Left
) -> tuple[dict[Guest, Paper], dict[Guest, Old]]:
    """What installed packages offer, papers and old functions; what breaks is put into *left*, and what
    stands there already is not asked again."""
    papers: dict[Guest, Paper] = {}
    old: dict[Guest, Old] = {}
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        guest = Guest.of(entry)
        if guest in left:
            continue
        try:
            with guest.blamed():
                found = _loaded(entry)
        except FaultyPaper as fault:
            left[guest] = fault
            continue
        if isinstance(found, Paper):
            papers[guest] = found
        else:
            old[guest] = found
    return papers, old


def _loaded(entry: EntryPoint) -> Paper | Old:
    found: object = entry.load()
    if callable(found):
        if inspect.signature(found).parameters:
            return found
        found = found()
    if not isinstance(found, Paper):
        raise CatalogueError(
            f"it leads to {found!r}; let it name a function that returns a Paper, such as "
            "read_paper(__package__)"
        )
    return found


def fitting(own: Sequence[Paper], guests: dict[Guest, Paper], left: Left) -> dict[Guest, Paper]:
    """The papers of guests that go together with *own* and among each other; the others are put into
    *left*: those whose name is taken, and those that build on what is not there, or in a circle."""
    kept: dict[str, tuple[Guest, Paper]] = {}
    titles = {paper.name: paper.title for paper in own}

    def leave(guest: Guest, paper: Paper, why: str) -> None:
        left[guest] = FaultyPaper(guest, why, paper.name)
        kept.pop(paper.name, None)

    for guest, paper in guests.items():
        if paper.name in titles:
            left[guest] = FaultyPaper(
                guest,
                f"{paper.name}: two papers have this name, {titles[paper.name]!r} and "
                f"{paper.title!r}; give one another in its paper.toml",
            )
            continue
        titles[paper.name] = paper.title
        kept[paper.name] = guest, paper
    theirs = {paper.name for paper in own}
    while True:
        without = [
            (guest, paper, other)
            for guest, paper in kept.values()
            for other in paper.builds_on
            if other not in kept and other not in theirs
        ]
        for guest, paper, other in without:
            gone = any(fault.paper == other for fault in left.values())
            what = "is left out" if gone else "is not installed"
            leave(guest, paper, f"{paper.name}: builds on {other!r}, which {what}")
        if without:
            continue
        try:
            TopologicalSorter(
                {name: paper.builds_on for name, (_, paper) in kept.items()}
            ).prepare()
        except CycleError as error:
            for name in dict.fromkeys(error.args[1]):
                leave(*kept[name], f"papers build on each other: {error.args[1]}")
        else:
            return {guest: paper for guest, paper in kept.values()}
