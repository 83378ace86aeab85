"""A paper as data: what it is called, how it is ordered, what becomes of its results, what it may err.

An entry point in the group ``verify.claims`` returns one; ``verify.catalogue.read_paper`` reads it from
a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import msgspec

from verify.errors import CatalogueError
from verify.printed.ids import require_name, require_shallow

#: What a paper may err altogether, and into how many shares that is cut, unless it says otherwise.
ERROR_BUDGET, SHARES = 1e-6, 2000


class Numbered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A numbered result: the claims that state it; what is right in a line where one of them is false,
    and how it is proved that holds, if not in the paper's way."""

    name: str
    statements: tuple[str, ...]
    holds: str = ""
    proof: str = ""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of claims.

    *name* is the first part of its claims' ids, *package* the importable folder of its files. *where* it
    is to be found, the *year* only if that does not tell. *sections* are in the order of the catalogue;
    *order* says from which other parts (lemmas, theorems) the text draws a part, right or wrong.
    *results* are its numbered results, *message* says what becomes of the whole where all of these fare
    as recorded. *figures* have a module and a function each, ``{"5": "figures.figure5:measure"}``.
    *builds_on* are the papers whose code and claims it may use. All its statistical verdicts together
    may be wrong with probability *error_budget*, cut into *shares*; a check has a fixed number of them.
    *place* orders the papers that come with the program.
    """

    name: str
    title: str
    authors: str = ""
    where: str = ""
    year: str = ""
    package: str = ""
    sections: tuple[str, ...] = ()
    order: Mapping[str, tuple[str, ...]] = {}
    results: tuple[Numbered, ...] = ()
    message: str = ""
    figures: Mapping[str, str] = {}
    builds_on: tuple[str, ...] = ()
    error_budget: float = ERROR_BUDGET
    shares: int = SHARES
    place: int = 1000

    def __post_init__(self) -> None:
        require_name("name", self.name)
        for section in self.sections:
            require_name("sections", section)
        require_shallow((self.title, self.authors, self.where, self.message))
        require_shallow(text for result in self.results for text in (result.holds, result.proof))
        if not 0 < self.error_budget < 1:
            raise CatalogueError(
                f"error_budget: {self.error_budget:g} of {self.name} is no error probability; take one "
                f"in (0, 1), such as {ERROR_BUDGET:g}"
            )
        if self.shares < 1:
            raise CatalogueError(
                f"shares: {self.shares} of {self.name} leave nothing to a check; take at least 1"
            )

    @property
    def printed_order(self) -> dict[str, tuple[str, ...]]:
        """The order by what ids share: 'nichani.thm6' from 'nichani.lem5' and 'nichani.lem6'."""
        return {
            f"{self.name}.{part}": tuple(f"{self.name}.{other}" for other in others)
            for part, others in self.order.items()
        }

    def require_order(self, ids: Iterable[str]) -> None:
        """Raise CatalogueError if a part holds none of *ids*, names a part twice or rests on itself."""
        known = {part_of(id_) for id_ in ids}
        for part, others in self.printed_order.items():
            for name in (part, *others):
                if name not in known:
                    raise CatalogueError(
                        f"{self.name}: the order of {part} names {name}, of which there is no claim"
                    )
            if len(set(others)) < len(others):
                raise CatalogueError(f"{self.name}: the order of {part} names a part twice")
        try:
            TopologicalSorter(self.printed_order).prepare()
        except CycleError as error:
            raise CatalogueError(
                f"{self.name}: parts rest on each other: {error.args[1]}"
            ) from None

    def require_affordable(self, spent: int) -> None:
        """Raise CatalogueError if checks with *spent* shares together exceed the error budget.

        The remedy leaves every share, and so every interval, as it was, if the budget can be raised.
        """
        if spent <= self.shares:
            return
        factor = 2 ** ((spent - 1) // self.shares).bit_length()
        budget, kept = factor * self.error_budget, "leaves each share as it is"
        if budget >= 1:
            budget, kept = self.error_budget, "makes each share smaller"
        raise CatalogueError(
            f"{self.name}: its checks ask for {spent} shares of an error budget of {self.shares}; "
            f"write error_budget = {budget!r} and shares = {factor * self.shares} into its "
            f"paper.toml, which {kept}"
        )


def part_of(id_: str) -> str:
    """What the ids of a theorem with its proof share: 'nichani.thm1' of 'nichani.thm1.mean'."""
    return ".".join(id_.split(".")[:2])


def papers_in_order(papers: Sequence[Paper]) -> list[Paper]:
    """The papers as they come, each after those on which it builds.

    Raises CatalogueError for a name that two have, and for a paper that builds on one that is not there,
    or in a circle.
    """
    names = {paper.name: paper for paper in papers}
    for paper in papers:
        if names[paper.name] is not paper:
            raise CatalogueError(
                f"{paper.name}: two papers have this name, {paper.title!r} and "
                f"{names[paper.name].title!r}; give one another in its paper.toml"
            )
        for other in paper.builds_on:
            if other not in names:
                raise CatalogueError(f"{paper.name}: builds on {other!r}, which is not installed")
    try:
        TopologicalSorter({paper.name: paper.builds_on for paper in papers}).prepare()
    except CycleError as error:
        raise CatalogueError(f"papers build on each other: {error.args[1]}") from None
    ordered: dict[str, Paper] = {}

    def put(paper: Paper) -> None:
        for other in paper.builds_on:
            put(names[other])
        ordered.setdefault(paper.name, paper)

    for paper in papers:
        put(paper)
    return list(ordered.values())
