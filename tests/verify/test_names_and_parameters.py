"""Formulas that call a fixed degree or a coefficient by a name: exactly, measured, bounded, refused."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
import torch

from numerics.observables import Bounded
from proofs.algebra import RationalFunction
from proofs.algebra.balls import enclosure, evaluate, precision
from proofs.derived import Derived
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.claim import Claim, Mutant, Registry, Road
from verify.measuring.measure import Experiment
from verify.measuring.quantities import Measured, Quantity
from verify.printed.formula import Formula
from verify.running.checking import run_check
from verify.running.settings import Settings
from verify.statistics import Interval, product
from verify.verdict import Verdict

F = Fraction
d, a = RationalFunction.symbol("d"), RationalFunction.symbol("a")
root = RationalFunction.root(3)
VALUE = root * a / d  # what the quantity is: sqrt(3) a/d


def draw(truth, *, replicates, seed, start, d):
    generator = torch.Generator().manual_seed(1000 * seed + start)
    noise = 2 * torch.rand(replicates, generator=generator, dtype=torch.float64) - 1
    return {"value": Bounded(truth / d + 0.1 * noise, -5.0, 5.0)}


def quantity(exact=VALUE, *, truth=3**0.5 * 5 / 2, enumerated=None, tiny=({"d": 2},)):
    """sqrt(3) a/d, measured at a = 5/2; formulas call a by c, sqrt(3) by r, and k is 2."""
    return Quantity(
        "toy",
        "toy",
        lambda: Derived(exact, "all d", (), ("d",)),
        {"d": 1},
        enumerated or (lambda sizes: exact(a=F(5, 2), **sizes)),
        tiny,
        Measured(Experiment("toy", partial(draw, truth)), ("value",), ({"d": 2}, {"d": 3})),
        names={"r": root, "k": RationalFunction.constant(2), "c": a},
        parameters={"a": F(5, 2)},
    )


def checked(formula, *mutants, toy=None, pattern=identity, **more):
    """The claim that the toy is *formula*, with its checks."""
    registry = Registry()
    wrong = tuple(Mutant(text, {"value": Formula.parse(text)}) for text in mutants)
    registry.add(
        Claim("toy", "toy", "toy", formulas={"value": Formula.parse(formula)}, wrong=wrong)
    )
    if pattern is identity:
        identity(registry, "toy", {"value": [toy or quantity()]}, **more)
    else:
        pattern(
            registry, "toy", "value", [toy or quantity()], scope="all d", summary="below", **more
        )
    return registry


def verdicts(registry, mutant=None):
    context = Settings(seed=3).context(registry)
    return {
        check.road: run_check(check, registry["toy"], context, mutant)
        for check in registry.checks("toy", (Road.PROOFS, Road.NUMERICS))
    }


# -- identities -----------------------------------------------------------------------------------


def test_a_name_stands_for_what_is_fixed_and_a_parameter_for_itself():
    found = verdicts(checked("r*c/d", "2*c/d", "r*c/d**2"))
    assert found[Road.PROOFS].verdict is Verdict.PROVED
    assert found[Road.NUMERICS].verdict is Verdict.SUPPORTED
    assert "d = 2" in found[Road.NUMERICS].scope


@pytest.mark.parametrize("wrong", ["2*c/d", "r*c/d**2", "k*c/d", "r*c*k/(2*d) + c/d", "c/d", "r/d"])
def test_a_wrong_formula_with_names_is_refuted_on_each_road(wrong):
    registry = checked("r*c/d", wrong)
    (mutant,) = registry.mutants("toy")
    found = verdicts(registry, mutant)
    assert found[Road.PROOFS].verdict is Verdict.REFUTED
    assert found[Road.NUMERICS].verdict is Verdict.REFUTED


def test_a_formula_that_is_the_same_through_a_name_is_no_mutant():
    registry = checked("r*c/d", "r*c*k/(2*d)", "3*c/(r*d)")
    assert registry.mutants("toy") == []
    assert len(registry.sifted("toy").set_aside) == 2


def test_the_counterexample_shows_roots_in_words_and_every_value_it_was_taken_at():
    evidence = verdicts(checked("2*c/d"))[Road.PROOFS]
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.counterexample["at"] == {"d": 1, "a": F(5, 2)}
    assert "sqrt(3)" in evidence.counterexample["exact"]
    # Both sides at a = 5/2: (5/2) sqrt(3) and 5.
    assert evidence.counterexample["printed"] == 5


def test_an_unknown_name_is_an_error_and_not_a_difference():
    found = verdicts(checked("r*b/d"))[Road.PROOFS]
    assert found.verdict is Verdict.ERROR
    assert "b" in found.summary
    assert "d" in found.summary


def test_an_enumeration_that_disagrees_is_a_conflict():
    """Compared at the parameters: an enumeration without them would not be the same."""
    toy = quantity(enumerated=lambda sizes: VALUE(a=1, **sizes))
    found = verdicts(checked("r*c/d", toy=toy))[Road.PROOFS]
    assert found.verdict is Verdict.CONFLICT
    beyond = replace(toy, domain={"d": 3})  # tiny sizes below the domain are not asked
    assert verdicts(checked("r*c/d", toy=beyond))[Road.PROOFS].verdict is Verdict.PROVED


def test_a_measurement_of_another_value_refutes():
    found = verdicts(checked("r*c/d", toy=quantity(truth=4.0)))[Road.NUMERICS]
    assert found.verdict is Verdict.REFUTED


def test_a_root_is_as_wide_as_its_enclosure_and_no_wider():
    """Between 1.7320508 and 1.7320509 times 5/4."""
    evidence = verdicts(checked("r*c/d", "2*c/d"))[Road.NUMERICS]
    (first, _) = evidence.detail["cases"]
    assert first["printed"] == pytest.approx(3**0.5 * 5 / 4, rel=1e-14)
    # Three quarters of the way to the nearest mutant.
    assert first["tolerance"] == pytest.approx(0.75 * (2 - 3**0.5) * 5 / 4)


def test_which_quantities_a_formula_is_for_may_depend_on_what_is_printed():
    """Parity of a degree: another quantity, by which the same formula is wrong."""
    registry = Registry()
    given = {"value": Formula.parse("r*c/d"), "parity": Formula.parse("0")}
    odd = {**given, "parity": Formula.parse("1")}
    registry.add(Claim("toy", "toy", "toy", formulas=given, wrong=(Mutant("odd", odd),)))
    other = quantity(exact=2 * a / d, truth=5.0)

    def pairs(printed):
        return {"value": [other if printed["parity"].number() else quantity()]}

    identity(registry, "toy", pairs)
    assert [m.name for m in registry.mutants("toy")] == ["odd"]
    assert verdicts(registry)[Road.PROOFS].verdict is Verdict.PROVED
    assert verdicts(registry, registry.mutants("toy")[0])[Road.PROOFS].verdict is Verdict.REFUTED


# -- bounds ---------------------------------------------------------------------------------------

EVEN = quantity(exact=3 * a**2 / d, truth=3 * 25 / 4, tiny=())


def wide(**arguments):
    drawn = draw(3 * 25 / 4, **arguments)["value"]
    return {"value": Bounded(drawn.values, -50.0, 50.0)}


EVEN = replace(EVEN, measured=replace(EVEN.measured, experiment=Experiment("toy squares", wide)))
EDGE = [(EVEN, {"d": 2})]


def test_a_bound_may_use_names_and_parameters():
    registry = checked("(k + 2)*c**2/d", "k*c**2/d", toy=EVEN, pattern=bounded_above, edge=EDGE)
    found = verdicts(registry)
    assert found[Road.PROOFS].verdict is Verdict.PROVED
    assert found[Road.NUMERICS].verdict is Verdict.SUPPORTED
    (mutant,) = registry.mutants("toy")
    found = verdicts(registry, mutant)
    assert found[Road.PROOFS].verdict is Verdict.REFUTED
    assert found[Road.PROOFS].counterexample["exact"] > found[Road.PROOFS].counterexample["printed"]
    assert found[Road.NUMERICS].verdict is Verdict.REFUTED


def test_a_larger_bound_is_set_aside_whatever_it_is_called():
    registry = checked(
        "(k + 2)*c**2/d", "5*c**2/d", "k*k*c**2/d", toy=EVEN, pattern=bounded_above, edge=EDGE
    )
    assert registry.mutants("toy") == []


def test_a_parameter_whose_sign_matters_is_refused():
    """Bounds are decided for a >= 0, which says nothing of a < 0 unless the value is even in a."""
    odd = quantity(exact=a / d, truth=2.5, tiny=())
    registry = checked("2*c/d", toy=odd, pattern=bounded_above, edge=[(odd, {"d": 2})])
    found = verdicts(registry)[Road.PROOFS]
    assert found.verdict is Verdict.ERROR
    assert "parameters" in found.summary
    assert "the sign of a" in found.summary


# -- what they rest on ----------------------------------------------------------------------------


def interval(low, high):
    return Interval(low, high, (low + high) / 2, 100, 0.01)


@pytest.mark.parametrize(
    ("left", "right", "low", "high"),
    [((2, 3), (4, 5), 8, 15), ((-1, 3), (4, 5), 0, 15), ((0.5, 1), (-2, 2), 0, 2)],
)
def test_the_product_of_two_intervals_holds_all_products(left, right, low, high):
    found = product(interval(*left), interval(*right))
    assert (found.low, found.high) == (low, high)
    assert found.error == pytest.approx(0.02)
    assert found.estimate == pytest.approx(sum(left) / 2 * sum(right) / 2)
    for p, q in ((s, t) for s in left for t in right if s >= 0 and t >= 0):
        assert found.low <= p * q <= found.high


def test_an_enclosure_is_exact_where_it_can_be_and_narrow_where_not():
    assert enclosure(RationalFunction.constant(F(2, 7))) == (F(2, 7), F(2, 7))
    low, high = enclosure(root / 2)
    assert low**2 < F(3, 4) < high**2
    assert 0 < high - low < F(1, 10**30)
    with pytest.raises(KeyError):
        enclosure(d)


def test_a_function_of_balls_holds_its_values():
    with precision():
        third = evaluate(RationalFunction.constant(F(1, 3)))
        found = evaluate((root * d + 1) / a, d=third, a=third)
    assert float(found.lower()) <= 3 * (3**0.5 / 3 + 1) <= float(found.upper())
