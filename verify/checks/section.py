"""A section of a paper: the checks of its claims, written at the top level of a module.

``section = Section()`` collects; the catalogue calls ``section.register(registry)`` once the statements
are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proofs.argument import Argument
from verify.checks.argument import argued
from verify.checks.trial import measured
from verify.claim import Cases, CheckFunction, Printed, Registry
from verify.measuring.context import Context


class Section:
    """Checks waiting for a registry."""

    def __init__(self) -> None:
        self._steps: list[Callable[[Registry], object]] = []

    def check(
        self, claim: str, road: str, **options: Any
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator: the function (printed, context) is a check of *claim*; as ``Registry.check``."""

        def collect(run: CheckFunction) -> CheckFunction:
            self._steps.append(lambda registry: registry.check(claim, road, **options)(run))
            return run

        return collect

    def measured(
        self, claim: str, **options: Any
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
        *claims: str,
        decide: Callable[..., Argument],
        method: str,
        scope: str,
        summary: str,
    ) -> None:
        """The proofs check of *claims* that *decide* argues for or refutes; as ``argued``."""
        for claim in claims:
            self.pattern(argued, claim, decide, method=method, scope=scope, summary=summary)

    def pattern(
        self, register: Callable[..., None], claim: str, *args: Any, **options: Any
    ) -> None:
        """Checks of *claim* that follow a pattern of ``verify.checks``, such as ``identity``."""
        self._steps.append(lambda registry: register(registry, claim, *args, **options))

    def register(self, registry: Registry) -> None:
        """Add everything collected. Raises CatalogueError for a claim that is not there."""
        for step in self._steps:
            step(registry)
