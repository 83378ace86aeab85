"""A goal is reached by a theorem from which it follows at once, and by no other."""

import pytest

from proofs.kernel import regions
from proofs.kernel.algebra import sign
from proofs.kernel.cases.goals import x
from proofs.kernel.goals import require_kept
from proofs.kernel.regions import Region, at_least
from proofs.kernel.terms import term
from proofs.kernel.theorem import Compare


def test_signs_that_are_decided_on_another_region_are_noticed(monkeypatch):
    theorem = sign(Compare(term(0), "<=", x), Region((at_least("x", 1),)))
    images = regions._images

    def moved(one):
        return [(image + 100, above) for image, above in images(one)]

    monkeypatch.setattr(regions, "_images", moved)
    with pytest.raises(ArithmeticError, match=r"signs are decided wrongly: .*x >= 1 - 1"):
        require_kept(theorem)
