"""What the kernel must refuse and what it must conclude, case by case.

For every side condition of a rule something false that would follow without it; and what follows, as it
is printed.

A module of this package has some of them: *REFUSED*, pairs of a pattern of what is said and of what is
tried; *HOLDS*, pairs of what is tried and of a text in what it comes to. All modules are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

from proofs.kernel.regions import Refused
from proofs.kernel.theorem import Theorem

Tried: TypeAlias = Callable[[], object]
#: (a pattern with which what is said begins, what is tried).
Refusals: TypeAlias = list[tuple[str, Tried]]
#: (what is tried, a text in what it comes to).
Conclusions: TypeAlias = list[tuple[Tried, str]]


def refusals() -> Iterator[tuple[str, Tried]]:
    """All that must be refused."""
    for module in _modules():
        yield from _refused(module)


def conclusions() -> Iterator[tuple[Tried, str]]:
    """All that must follow."""
    for module in _modules():
        yield from _concluded(module)


def _refused(module: str) -> Refusals:
    found: Refusals = getattr(import_module(f"{__name__}.{module}"), "REFUSED", [])
    return found


def _concluded(module: str) -> Conclusions:
    found: Conclusions = getattr(import_module(f"{__name__}.{module}"), "HOLDS", [])
    return found


def _modules() -> list[str]:
    return [found.name for found in iter_modules(__path__)]


def told(theorem: Theorem) -> str:
    """All that a theorem says, on how many others it rests, and which results it cites."""
    cited = ", ".join(sorted(one.name for one in theorem.trust)) or "nothing"
    return f"{theorem}. From {len(theorem.uses)}, by {cited}."


def require_refused(said: str, tried: Tried) -> None:
    """ArithmeticError unless what is tried is refused, and what is said of it begins so."""
    try:
        found = tried()
    except (Refused, TypeError, ValueError) as refused:
        if not re.match(said, str(refused)):
            raise ArithmeticError(f"not {said!r} is said, but: {refused}") from None
    else:
        raise ArithmeticError(f"{said!r} is not refused; it concluded {found}")


def require_concluded(tried: Tried, text: str) -> None:
    """ArithmeticError unless what is tried comes to something in whose text that text is."""
    found = str(tried())
    if text not in found:
        raise ArithmeticError(f"{text!r} is not in what was concluded: {found}")


def require_cases(first: str = "") -> None:
    """ArithmeticError if what must be refused is not, or what must follow is something else.

    The cases of the module *first* are tried first.
    """
    for module in sorted(_modules(), key=lambda name: name != first):
        for said, tried in _refused(module):
            require_refused(said, tried)
        for tried, text in _concluded(module):
            require_concluded(tried, text)


def rules_without(names: set[str]) -> list[str]:
    """The rules among those names of which nothing false is tried."""
    tried = {said.partition(":")[0] for said, _ in refusals()}
    return sorted(set(names) - tried)
