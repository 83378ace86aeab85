"""What is false is refused by its rule wherever something is proved."""

import pytest

from proofs.kernel import attacks
from proofs.kernel import theorem as kernel_theorem
from proofs.kernel.algebra import sign
from proofs.kernel.attacks import FALSE as FALSE_DERIVATIONS
from proofs.kernel.attacks import SEVERAL, require_refusals
from proofs.kernel.regions import Refused, Region
from proofs.kernel.terms import term
from proofs.kernel.theorem import Compare


def test_every_rule_that_looks_at_something_has_a_false_derivation():
    without = {"coordinate_mgf", "product_mgf", "log_series", "coordinate_moment"}
    without |= {"nearest_multiple", "bilinear_form"}
    assert set(FALSE_DERIVATIONS) == set(kernel_theorem.RULES) - without
    require_refusals.__wrapped__()


@pytest.mark.parametrize("name", FALSE_DERIVATIONS)
def test_what_is_false_is_refused_by_its_rule(name):
    with pytest.raises(Refused, match=f"^{name}: "):
        FALSE_DERIVATIONS[name]()


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(("name", "derive"), SEVERAL)
def test_of_three_none_is_forgotten(name, derive, place):
    with pytest.raises(Refused, match=f"^{name}: "):
        derive(place)


def test_a_rule_that_looks_at_the_first_alone_is_named(monkeypatch):
    def first_alone(place):
        if place:
            return sign(Compare(term(0), "<=", term(1)), Region())
        raise Refused("weaken: the first one")

    monkeypatch.setattr(attacks, "SEVERAL", (("weaken", first_alone),))
    with pytest.raises(ArithmeticError, match="rule weaken lost a side condition: it concluded"):
        require_refusals.__wrapped__()


def test_a_rule_that_lost_a_side_condition_is_named(monkeypatch):
    monkeypatch.setitem(
        FALSE_DERIVATIONS, "identity", lambda: sign(Compare(term(0), "<=", term(1)), Region())
    )
    with pytest.raises(ArithmeticError, match="rule identity lost a side condition: it concluded"):
        require_refusals.__wrapped__()
    monkeypatch.setitem(FALSE_DERIVATIONS, "identity", FALSE_DERIVATIONS["sign"])
    with pytest.raises(ArithmeticError, match="identity: what is false is refused elsewhere: sign"):
        require_refusals.__wrapped__()
