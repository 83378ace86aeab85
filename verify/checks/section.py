"""A section of a paper: the checks of its claims, written at the top level of a module.

``section = Section()`` collects; the catalogue calls ``section.register(registry)`` once the statements
are read. The function of a check is given what its parameters name: ``printed``, ``context``, or printed
formulas (``parameters.given``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeVar

from proofs.argument import Witness
from verify.checks.argument import Decide, argued
from verify.checks.computed import Slack, within
from verify.checks.parameters import given
from verify.checks.trajectory import with_trajectories
from verify.checks.trial import measured
from verify.claim import Cases, Evidence, Printed, Registry
from verify.measuring.case import Case
from verify.measuring.context import Context


def corrected(claim: str) -> tuple[str, str]:
    """The ids of a claim that is false as printed, and of its correction."""
    return claim, f"{claim}.corrected"


#: The function of a check; what it computes, to be compared, and what it measures.
Function = TypeVar("Function", bound=Callable[..., Any])
Values: TypeAlias = Callable[..., Iterable[Any]]
Measured: TypeAlias = Callable[..., Iterable[Case] | Evidence]


class Section:
    """Checks waiting for a registry."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[Registry, str], object]]] = []

    def check(
        self, claim: str | tuple[str, ...], road: str, **options: Any
    ) -> Callable[[Function], Function]:
        """Decorator: the function gives the evidence of a check of *claim*; as ``Registry.check``."""

        def collect(function: Function) -> Function:
            @wraps(function)
            def run(printed: Printed, context: Context) -> Evidence:
                found: Evidence = function(**given(function, printed, context))
                return found

            self._add(claim, lambda registry, each: registry.check(each, road, **options)(run))
            return function

        return collect

    def measured(
        self, claim: str | tuple[str, ...], **options: Any
    ) -> Callable[[Measured], Measured]:
        """Decorator: the function gives the cases to measure; as ``measured``."""

        def collect(function: Measured) -> Measured:
            def cases(printed: Printed, context: Context) -> Cases:
                found = function(**given(function, printed, context))
                return found if isinstance(found, Evidence) else list(found)

            self.pattern(measured, claim, cases, **options)
            return function

        return collect

    def drawn(
        self, claim: str | tuple[str, ...], method: str = "full recall"
    ) -> Callable[[Function], Function]:
        """Decorator: the function looks for a drawn memory that breaks *claim*; as ``check``."""
        return self.check(claim, "properties", method=method, seconds=240.0, builds=True)

    def argued(
        self,
        claim: str | tuple[str, ...],
        decide: Decide,
        **options: Any,
    ) -> None:
        """The proofs check of *claim* that *decide* argues for or refutes; as ``argued``."""
        self.pattern(argued, claim, decide, **options)

    def values(
        self,
        claim: str | tuple[str, ...],
        *,
        scope: str,
        judge: Callable[..., Evidence] = within,
        slack: Slack | None = None,
        **options: Any,
    ) -> Callable[[Values], Values]:
        """Decorator: the function gives what *judge* of ``computed`` compares.

        For the numerics check of *claim*; trajectories among the values are recorded beside. *slack*:
        what is allowed, where the comparisons do not say it themselves.
        """
        allowed = {} if slack is None else {"slack": slack}

        def collect(function: Values) -> Values:
            def run(printed: Printed, context: Context) -> Evidence:
                pictures: list[Mapping[str, Any]] = []

                def values() -> Iterator[Any]:
                    for it in function(**given(function, printed, context)):
                        if isinstance(it, Mapping):
                            pictures.append(it)
                        else:
                            yield it

                return with_trajectories(judge(values(), scope, **allowed), pictures)

            self.check(claim, "numerics", **options)(run)
            return function

        return collect

    def both(
        self,
        claim: str | tuple[str, ...],
        decide: Decide,
        *,
        method: str,
        scope: str,
        summary: str,
        measured: str,
        looked: str,
        fails: Callable[..., Witness | None] | None = None,
        **values: Any,
    ) -> Callable[[Values], Values]:
        """Decorator: both checks of *claim*, ``argued`` by *decide* and by the function's ``values``.

        *measured* and *looked* are the method and the scope of these.
        """
        self.argued(claim, decide, method=method, scope=scope, summary=summary, fails=fails)
        return self.values(claim, method=measured, scope=looked, **values)

    def pattern(
        self,
        register: Callable[..., None],
        claim: str | tuple[str, ...],
        *args: Any,
        **options: Any,
    ) -> None:
        """Checks of *claim* that follow a pattern of ``verify.checks``, such as ``identity``."""
        self._add(claim, lambda registry, each: register(registry, each, *args, **options))

    def register(self, registry: Registry) -> None:
        """Add everything collected. Raises CatalogueError for a claim that is not there."""
        for claim, step in self._steps:
            step(registry, claim)

    def _add(self, claim: str | tuple[str, ...], step: Callable[[Registry, str], object]) -> None:
        self._steps += [(each, step) for each in ([claim] if isinstance(claim, str) else claim)]
