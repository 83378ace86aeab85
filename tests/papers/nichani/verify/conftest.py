"""What the checks of the catalogue find, of the printed formulas and of others."""

from collections.abc import Mapping, Sequence

import pytest

from verify.catalogue import catalogue
from verify.claim import Evidence, Mutant, Road
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.settings import Settings


class Judge:
    """Runs checks; measurements are shared by all tests of a process, as in a run."""

    def __init__(self):
        self.registry = catalogue()
        self.context = Settings().context(self.registry)

    def __call__(self, id_: str, road: Road = Road.PROOFS, **options) -> Evidence:
        """The evidence of the first check on a road."""
        return self.all(id_, (road,), **options)[0]

    def all(
        self,
        id_: str,
        roads: Sequence[Road] = (Road.PROOFS,),
        *,
        context: Context | None = None,
        fault: str = "",
        **formulas: str,
    ) -> list[Evidence]:
        """The evidence of each check, with *formulas* in place of the printed ones."""
        claim = self.registry[id_]
        mutant = Mutant("other", _changed(claim.formulas, formulas), fault)
        checks = self.registry.checks(id_, roads)
        assert checks, f"{id_} has no check on {roads}"
        return [run_check(check, claim, context or self.context, mutant) for check in checks]

    def fresh(self, **changed: Mapping[str, str]) -> Context:
        """A context of nothing measured, where claims have other formulas: {id: {name: text}}."""
        return Context(
            formulas=lambda id_: _changed(self.registry[id_].formulas, changed.get(id_, {}))
        )

    def counterexample(self, id_: str) -> Mapping[str, object]:
        return self(id_).counterexample


def _changed(printed: Mapping[str, Formula], texts: Mapping[str, str]) -> dict[str, Formula]:
    return {**printed, **{name: Formula.parse(text) for name, text in texts.items()}}


@pytest.fixture(scope="session")
def judge():
    return Judge()


@pytest.fixture(scope="session")
def registry(judge):
    return judge.registry
