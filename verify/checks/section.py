"""A section of a paper: the checks of its claims, written at the top level of a module.

``section = Section()`` collects; the catalogue calls ``section.register(registry)`` once the statements
are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from proofs.argument import Argument
from verify.checks.argument import argued
from verify.checks.computed import Slack, within
from verify.checks.trajectory import with_trajectories
from verify.checks.trial import measured
from verify.claim import Cases, CheckFunction, Evidence, Printed, Registry
from verify.measuring.context import Context


def corrected(claim: str) -> tuple[str, str]:
    """The ids of a claim that is false as printed, and of its correction."""
    return claim, f"{claim}.corrected"


#: What a function of (printed formulas, context) computes, to be compared.
Values: TypeAlias = Callable[[Printed, Context], Iterable[Any]]


class Section:
    """Checks waiting for a registry."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[Registry, str], object]]] = []

    def check(
        self, claim: str | tuple[str, ...], road: str, **options: Any
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator: the function (printed, context) is a check of *claim*; as ``Registry.check``."""

        def collect(run: CheckFunction) -> CheckFunction:
            self._add(claim, lambda registry, each: registry.check(each, road, **options)(run))
            return run

        return collect

    def measured(
        self, claim: str | tuple[str, ...], **options: Any
    ) -> Callable[[Callable[[Printed, Context], Cases]], Callable[[Printed, Context], Cases]]:
        """Decorator: the function (printed, context) gives the cases to measure; as ``measured``."""

        def collect(
            cases: Callable[[Printed, Context], Cases],
        ) -> Callable[[Printed, Context], Cases]:
            self.pattern(measured, claim, cases, **options)
            return cases

        return collect

    def argued(
        self,
        claim: str | tuple[str, ...],
        decide: Callable[..., Argument],
        *,
        method: str,
        scope: str,
        summary: str,
    ) -> None:
        """The proofs check of *claim* that *decide* argues for or refutes; as ``argued``."""
        self.pattern(argued, claim, decide, method=method, scope=scope, summary=summary)

    def values(
        self,
        claim: str | tuple[str, ...],
        *,
        scope: str,
        judge: Callable[..., Evidence] = within,
        slack: Slack | None = None,
        **options: Any,
    ) -> Callable[[Values], Values]:
        """Decorator: the function (printed, context) gives what *judge* of ``computed`` compares.

        For the numerics check of *claim*; trajectories among the values are recorded beside. *slack*:
        what is allowed, where the comparisons do not say it themselves.
        """
        allowed = {} if slack is None else {"slack": slack}

        def collect(found: Values) -> Values:
            def run(printed: Printed, context: Context) -> Evidence:
                pictures: list[Mapping[str, Any]] = []

                def values() -> Iterator[Any]:
                    for it in found(printed, context):
                        if isinstance(it, Mapping):
                            pictures.append(it)
                        else:
                            yield it

                return with_trajectories(judge(values(), scope, **allowed), pictures)

            self.check(claim, "numerics", **options)(run)
            return found

        return collect

    def both(
        self,
        claim: str | tuple[str, ...],
        decide: Callable[..., Argument],
        *,
        method: str,
        scope: str,
        summary: str,
        measured: str,
        looked: str,
        **values: Any,
    ) -> Callable[[Values], Values]:
        """Decorator: both checks of *claim*, ``argued`` by *decide* and by the function's ``values``.

        *measured* and *looked* are the method and the scope of these.
        """
        self.argued(claim, decide, method=method, scope=scope, summary=summary)
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
