"""A second opinion on signs: what the kernel decides, an SMT solver finds no place against.

z3 is given the terms as they were built, and knows of an exponential that it is above 0, of a root that
it is not negative and what its square is, of a logarithm nothing.
"""

import sys

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.kernel.normal import normal
from proofs.kernel.regions import Refused, Region, at_least, between, decided_sign, require_sign
from proofs.kernel.terms import ARITHMETIC, symbols, term
from proofs.papers.nichani import linear_integral, linear_recall, overlap_moments

MILLISECONDS = 20_000


class Reading:
    """Terms as z3 has them, what is opaque by its normal form, and what is known of it."""

    def __init__(self):
        self.known, self._opaque = [], {}

    def __call__(self, one):
        if one.head == "number":
            return z3.RealVal(str(one.value))
        if one.head == "symbol":
            return z3.Real(one.name)
        if one.head in ARITHMETIC:
            left, right = map(self, one.arguments)
            if one.head == "/":
                self.known.append(right != 0)
            return ARITHMETIC[one.head](left, right)
        if one.head == "^":
            return self._power(self(one.arguments[0]), int(one.arguments[1].value))
        return self._function(one)

    def _power(self, base, exponent):
        product = z3.RealVal(1)
        for _ in range(abs(exponent)):
            product = product * base
        if exponent < 0:
            self.known.append(base != 0)
            return 1 / product
        return product

    def _function(self, one):
        key = normal(one)
        if key not in self._opaque:
            self._opaque[key] = value = z3.Real(f"value {len(self._opaque)}")
            if one.head == "exp":
                self.known.append(value > 0)
            if one.head == "sqrt":
                self.known += [value >= 0, value * value == self(one.arguments[0])]
        return self._opaque[key]


def opinion(what, region, *, strict):
    """unsat: there is no place in the region at which the sign is wrong."""
    read = Reading()
    value = read(what)
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    for one in region.ranges:
        own = z3.Real(one.name)
        if one.lower is not None:
            low = read(one.lower)
            solver.add(own > low if one.open_below else own >= low)
        if one.upper is not None:
            high = read(one.upper)
            solver.add(own < high if one.open_above else own <= high)
    solver.add(*read.known, value <= 0 if strict else value < 0)
    return str(solver.check())


@pytest.fixture
def signs(monkeypatch):
    """All signs that rules ask for, and whether they are decided."""
    asked = {}

    def recorded(what, region, *, strict=False, said=""):
        asked[what, region, strict] = False
        require_sign(what, region, strict=strict, said=said)
        asked[what, region, strict] = True

    for name, module in list(sys.modules.items()):
        if name.startswith("proofs.kernel.") and vars(module).get("require_sign") is require_sign:
            monkeypatch.setattr(module, "require_sign", recorded)
    for script in (linear_integral, linear_recall, overlap_moments):
        for it in vars(script).values():
            if hasattr(it, "cache_clear"):
                it.cache_clear()
    return asked


@pytest.mark.parametrize(
    "prove",
    [
        linear_recall.closed_form,
        linear_integral.average_over_pairs,
        overlap_moments.even_moments,
    ],
    ids=["thm1", "thm1, averaged", "lem12"],
)
def test_no_sign_that_a_proof_decides_is_wrong(prove, signs):
    prove()
    decided = [key for key, holds in signs.items() if holds]
    assert len(decided) > 10
    opinions = {
        (str(what), str(where)): opinion(what, where, strict=s) for what, where, s in decided
    }
    assert {key: it for key, it in opinions.items() if it != "unsat"} == {}


a, b = symbols("a b")
REGIONS = (
    Region((at_least("a", 1), at_least("b", a))),
    Region((between("a", -1, 2, "(]"), at_least("b", 0, above=True))),
    Region((at_least("a", 0), between("b", a, a + 1, "[)"))),
)
numbers = st.integers(-4, 4).map(term)
expressions = st.recursive(
    st.sampled_from([a, b]) | numbers,
    lambda inner: st.builds(
        lambda head, x, y: ARITHMETIC[head](x, y), st.sampled_from("+-*"), inner, inner
    ),
    max_leaves=8,
)


def test_the_second_opinion_finds_what_is_false():
    assert opinion(a - 2, REGIONS[0], strict=False) == "sat"
    assert opinion(a - 1, REGIONS[0], strict=True) == "sat"


@settings(max_examples=150)
@given(expressions, st.sampled_from(REGIONS), st.booleans())
def test_no_sign_that_is_decided_is_wrong(what, region, strict):
    if decided_sign(what, region, strict=strict):
        assert opinion(what, region, strict=strict) in ("unsat", "unknown")


@settings(max_examples=60)
@given(expressions, st.sampled_from(REGIONS), st.booleans())
def test_where_a_sign_is_said_to_be_false_there_is_such_a_place(what, region, strict):
    try:
        require_sign(what, region, strict=strict)
    except Refused as refused:
        if "it is false at" in str(refused):
            assert opinion(what, region, strict=strict) in ("sat", "unknown")
