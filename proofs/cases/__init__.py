"""What the engine under the proofs must come to, case by case, as it is printed, and what it refuses.

Proofs run many lines of the engine of which their theorems hold little: a sign may be decided rightly by
a wrong formula. A module of this package has some cases: *HOLDS*, pairs of what is tried and of the text
of what it comes to, all of it; *REFUSED*, pairs of a part of what is said and of what is tried. The work
that is done counts as well: which states an expansion has, how many graphs are integrated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

Tried: TypeAlias = Callable[[], object]
#: (what is tried, the text of what it comes to).
Results: TypeAlias = list[tuple[Tried, str]]
#: (a part of what is said, what is tried).
Refusals: TypeAlias = list[tuple[str, Tried]]


def results() -> Iterator[tuple[Tried, str]]:
    """All that must follow."""
    for name in _modules():
        yield from getattr(_module(name), "HOLDS", [])


def refusals() -> Iterator[tuple[str, Tried]]:
    """All that must be refused."""
    for name in _modules():
        yield from getattr(_module(name), "REFUSED", [])


def require_result(tried: Tried, text: str) -> None:
    """ArithmeticError unless what is tried comes to that text."""
    found = str(tried())
    if found != text:
        raise ArithmeticError(f"{text!r} was expected, not {found!r}")


def require_refusal(said: str, tried: Tried) -> None:
    """ArithmeticError unless what is tried is refused in such words."""
    try:
        found = tried()
    except (TypeError, ValueError, KeyError, ArithmeticError) as refused:
        if said not in str(refused):
            raise ArithmeticError(f"not {said!r} is said, but: {refused}") from None
    else:
        raise ArithmeticError(f"{said!r} is not refused; it comes to {found}")


def require_cases(first: str = "") -> None:
    """ArithmeticError if a case comes to something else; those of the module *first* are tried first."""
    for name in sorted(_modules(), key=lambda name: name != first):
        for tried, text in getattr(_module(name), "HOLDS", []):
            require_result(tried, text)
        for said, tried in getattr(_module(name), "REFUSED", []):
            require_refusal(said, tried)


def _modules() -> list[str]:
    return [found.name for found in iter_modules(__path__)]


def _module(name: str) -> object:
    return import_module(f"{__name__}.{name}")
