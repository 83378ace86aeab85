"""What the checks of the catalogue find, of the printed formulas and of others."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Mutant, Road
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.settings import Settings


class Judge:
    """Runs checks; measurements are shared by all tests of a process, as in a run."""

    def __init__(self):
        self.registry = catalogue()
        self.context = Settings().context(self.registry)

    def __call__(self, id_, road=Road.PROOFS, **options):
        """The evidence of the first check on a road."""
        return self.all(id_, (road,), **options)[0]

    def all(self, id_, roads=(Road.PROOFS,), *, context=None, fault="", **formulas):
        """The evidence of each check, with *formulas* in place of the printed ones."""
        claim = self.registry[id_]
        mutant = Mutant("other", _changed(claim.formulas, formulas), fault)
        checks = self.registry.checks(id_, roads)
        assert checks, f"{id_} has no check on {roads}"
        return [run_check(check, claim, context or self.context, mutant) for check in checks]

    def fresh(self, **changed):
        """A context of nothing measured, where claims have other formulas: {id: {name: text}}."""
        return Context(
            formulas=lambda id_: _changed(self.registry[id_].formulas, changed.get(id_, {}))
        )

    def counterexample(self, id_):
        return self(id_).counterexample


def _changed(printed, texts):
    return {**printed, **{name: Formula.parse(text) for name, text in texts.items()}}


@pytest.fixture(scope="session")
def judge():
    return Judge()


@pytest.fixture(scope="session")
def registry(judge):
    return judge.registry
