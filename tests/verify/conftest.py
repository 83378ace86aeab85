"""Papers in memory, as a catalogue has them in folders."""

from collections.abc import Callable

import pytest

from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.printed.paper import Paper
from verify.verdict import Verdict


class Section:
    """Claims of a paper with the *checks* of each; one that finds what is recorded for None."""

    def __init__(self, paper: Paper, claims: list[Claim], checks: list[Check] | None) -> None:
        self.name = f"{paper.name}.section"
        self.entries = [claim.entry for claim in claims]
        self._claims, self._checks = claims, checks

    def claims(self) -> list[Claim]:
        return self._claims

    def register(self, registry: Registry) -> None:
        recorded = [c for c in self._claims if c.recorded] if self._checks is None else []
        for check in self._checks or [_as_recorded(c.id, c.recorded) for c in recorded]:
            registry.add_check(check)


def _as_recorded(id_: str, recorded: Verdict | None) -> Check:
    found = Evidence(recorded or Verdict.INCONCLUSIVE, "m", "as recorded")
    return Check(id_, Road.PROOFS, lambda printed, context: found, "m")


@pytest.fixture
def shelve() -> Callable[..., Registry]:
    """Put a paper with one section of *claims* into a registry, a new one unless it is given."""

    def put(
        paper: Paper,
        *claims: Claim,
        registry: Registry | None = None,
        checks: list[Check] | None = None,
    ) -> Registry:
        registry = Registry() if registry is None else registry
        registry.add_paper(paper, lambda: [Section(paper, list(claims), checks)])
        return registry

    return put
