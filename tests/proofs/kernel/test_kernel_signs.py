"""Regions and signs: what is decided holds at points of the region, what is false is refused."""

import math
import re
from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from proofs.kernel.normal import normal
from proofs.kernel.regions import (
    Range,
    Refused,
    Region,
    at_least,
    between,
    decided_sign,
    real,
    require_sign,
)
from proofs.kernel.terms import coordinate, exp, log, symbols, term

a, b, c, q = symbols("a b c q")
g = coordinate("g", 3)

numbers = st.fractions(-3, 3, max_denominator=3)
shares = st.fractions(0, 1, max_denominator=6)
ends = st.sampled_from(["[]", "[)", "(]", "()"])


@st.composite
def regions(draw):
    """A region of a and b whose ends depend on earlier symbols."""
    ranges = []
    known = [draw(numbers.map(term))]
    for name, own in (("a", a), ("b", b)):
        low = draw(st.sampled_from(known))
        kind = draw(st.sampled_from(["lower", "above", "between", "real", "upper", "none"]))
        width = draw(st.sampled_from([term(1), *(it**2 for it in known)]))
        if kind in ("lower", "above"):
            ranges.append(at_least(name, low, above=kind == "above"))
        elif kind == "between":
            ranges.append(between(name, low, low + width, draw(ends)))
        elif kind == "real":
            ranges.append(real(name))
        elif kind == "upper":
            ranges.append(Range(name, None, low, open_above=draw(st.booleans())))
        else:
            continue
        known.append(own)
    return Region(tuple(ranges))


def _at(one, point):
    function = normal(one)
    values = {name: point[name] for name in function.names}
    assume(function.denominator(**values) != 0)
    return function(**values).as_fraction()


def _point(region, draw):
    point = {}
    for one in region.ranges:
        low = None if one.lower is None else _at(one.lower, point)
        high = None if one.upper is None else _at(one.upper, point)
        share = draw(shares)
        if low is not None and high is not None:
            value = low + share * (high - low)
        elif low is not None:
            value = low + draw(shares) * 20 ** draw(st.integers(0, 2))
        elif high is not None:
            value = high - draw(shares) * 20 ** draw(st.integers(0, 2))
        else:
            value = draw(numbers) * 9
        assume(not (one.open_below and value == low))
        assume(not (one.open_above and value == high))
        point[one.name] = value
    return point


@st.composite
def expressions(draw, region):
    """Sums of products of what has a sign on a region and of what has none, over such a sum."""
    factors = [term(1)]
    for one in region.ranges:
        own = next(s for s in (a, b, c) if s.name == one.name)
        factors += [own**2] if one.lower is None else [own - one.lower]
        factors += [] if one.upper is None else [one.upper - own]
        factors += [own] if draw(st.integers(0, 3)) == 0 else []

    def total():
        result = term(0)
        for _ in range(draw(st.integers(1, 2))):
            weight = draw(st.fractions(-1, 4, max_denominator=2))
            product = draw(st.sampled_from(factors)) * draw(st.sampled_from(factors))
            result = result + weight * product
        return result

    top = total()
    if draw(st.booleans()):
        return top
    bottom = draw(st.integers(0, 1)) + total()
    assume(normal(bottom) != 0)
    return top / bottom


few = settings(
    max_examples=30, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@few
@given(st.data(), st.booleans())
def test_a_decided_sign_holds(data, strict):
    region = data.draw(regions())
    what = data.draw(expressions(region))
    try:
        decided = decided_sign(what, region, strict=strict)
    except ZeroDivisionError:
        decided = False
    assume(decided)
    for _ in range(4):
        point = _point(region, data.draw)
        value = _at(what, point)
        assert value > 0 if strict else value >= 0


@few
@given(st.data())
def test_where_a_sign_is_said_to_be_false_it_is(data):
    shape = data.draw(st.sampled_from(["ray", "interval", "line"]))
    low = data.draw(numbers)
    own = {
        "ray": at_least("a", low),
        "interval": between("a", low, low + 1),
        "line": real("a"),
    }[shape]
    region = Region((own, between("b", a, a + 1)))
    what = data.draw(expressions(region))
    try:
        require_sign(what, region)
    except ZeroDivisionError:
        assume(False)
    except Refused as refused:
        found = re.search("it is false at (.*)$", str(refused))
        assume(found)
        pairs = [one.split(" = ") for one in found[1].split(", ")] if "=" in found[1] else []
        point = {name: Fraction(value) for name, value in pairs}
        assert _at(what, point) < 0
        assert own.lower is None or point["a"] >= low
        assert own.upper is None or point["a"] <= low + 1
        assert point["a"] <= point["b"] <= point["a"] + 1


@few
@given(
    st.fractions(-3, 3, max_denominator=4), st.fractions(-3, 3, max_denominator=4), numbers, numbers
)
def test_signs_of_exponentials_and_logarithms_are_right(low, width, rate, shift):
    """Where a sign is decided for a between two numbers, it is that at both and between them."""
    assume(low > 0 and width > 0)
    region = Region((between("a", low, low + width),))
    for what, value in (
        (log(a) + shift, lambda x: math.log(x) + shift),
        (exp(rate * a) + shift, lambda x: math.exp(rate * x) + shift),
        (shift * log(a) - exp(rate * log(a)), lambda x: shift * math.log(x) - x**rate),
        (1 - exp(rate * log(a)), lambda x: 1 - x**rate),
    ):
        if decided_sign(what, region):
            assert all(value(low + width * t / 4) > -1e-12 for t in range(5))
