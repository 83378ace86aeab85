"""Papers of other packages that are not sound: each is named and left out, and the work goes on.

What is wrong shows when an entry point is asked, or later, when a section is read or its checks are
imported. In the second case the work is done anew, without the paper.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.metadata import EntryPoint
from typing import TypeVar

from verify.errors import CatalogueError, Ended
from verify.typeset.words import shortened

T = TypeVar("T")
#: What an error repeats of a fault is no longer.
_REPEATED = 500


class LeftOut(UserWarning):
    """A paper of another package is left out; the message names its entry point and the fault."""


@dataclass(frozen=True)
class Guest:
    """An entry point of another package: its *name*, what it leads to, the *package* that has it."""

    name: str
    value: str
    package: str

    @classmethod
    def of(cls, entry: EntryPoint) -> Guest:
        """The guest behind an entry point; without a distribution the package is what is imported."""
        package = entry.dist.name if entry.dist is not None else None
        return cls(entry.name, entry.value, package or entry.value.partition(":")[0].split(".")[0])

    @contextmanager
    def blamed(self, paper: str = "") -> Iterator[None]:
        """What is raised within, or that the program is ended, is a fault of this guest's *paper*."""
        try:
            yield
        except (FaultyPaper, KeyboardInterrupt, GeneratorExit, Ended):
            raise
        except BaseException as error:
            raise FaultyPaper(self, _said(error), paper) from error


class FaultyPaper(CatalogueError):  # noqa: N818  (it says what is wrong)
    """A paper of another package is not sound: whose, *why*, and its name as far as that is known."""

    def __init__(self, guest: Guest, why: str, paper: str = "") -> None:
        super().__init__(guest, why, paper)
        self.guest, self.why, self.paper = guest, why, paper

    def __str__(self) -> str:
        name, value, package = map(ascii, (self.guest.name, self.guest.value, self.guest.package))
        return (
            f"{value[1:-1]}: the entry point {name} of verify.claims, package {package[1:-1]}, is not "
            f"sound: {self.why}; mend that, or uninstall the package"
        )

    def may_have(self, id_: str) -> bool:
        """Whether a claim of that id, or what a glob means, would be of this paper."""
        guest = self.guest
        names = {self.paper, guest.name, guest.package, guest.value.partition(":")[0].split(".")[0]}
        return any(fnmatchcase(name, id_.partition(".")[0]) for name in names if name)


def _said(error: BaseException) -> str:
    """The fault in a line; what is no complaint of ours is called by its name."""
    try:
        text = str(error)
    except Exception:
        text = "an error that cannot be shown"
    if not isinstance(error, CatalogueError):
        text = f"it breaks: {type(error).__name__}: {text}"
    return shortened(text, _REPEATED)


@dataclass
class GoingOn:
    """Work that goes on without faulty papers; *say* is given each fault once."""

    say: Callable[[FaultyPaper], object]
    #: Faults that showed after the catalogue was filled.
    late: tuple[FaultyPaper, ...] = ()
    said: dict[Guest, FaultyPaper] = field(default_factory=dict)

    def do(self, work: Callable[[], T]) -> T:
        """Do the work, and anew without a paper that turns out to be faulty on the way."""
        while True:
            token = _going_on.set(self)
            try:
                return work()
            except FaultyPaper as fault:
                if fault.guest in {known.guest for known in self.late}:
                    raise
                self.late += (fault,)
            finally:
                _going_on.reset(token)


_going_on: ContextVar[GoingOn | None] = ContextVar("going_on", default=None)


def found_late() -> tuple[FaultyPaper, ...]:
    """The faults for which the work at hand is done anew."""
    at_work = _going_on.get()
    return () if at_work is None else at_work.late


def tell(faults: Iterable[FaultyPaper]) -> None:
    """Say what is left out: to who goes on without it, or as a warning where nobody has asked."""
    at_work = _going_on.get()
    for fault in faults:
        if at_work is None:
            warnings.warn(f"left out: {fault}", LeftOut, stacklevel=3)
        elif fault.guest not in at_work.said:
            at_work.said[fault.guest] = fault
            at_work.say(fault)
