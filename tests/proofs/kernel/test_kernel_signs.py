"""Regions and signs: what is decided holds at points of the region, what is false is refused."""

import math
import re
from fractions import Fraction

import pytest
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
    whole,
)
from proofs.kernel.terms import (
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    log,
    modulus,
    random,
    sqrt,
    symbols,
    term,
)

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


@pytest.mark.parametrize(
    ("what", "region", "strict"),
    [
        (a - 2, Region((at_least("a", 2),)), False),
        (a - 2, Region((at_least("a", 2, above=True),)), True),
        (1 - a, Region((between("a", 0, 1),)), False),
        (1 - a, Region((between("a", 0, 1, "[)"),)), True),
        (a, Region((between("a", 0, 1, "(]"),)), True),
        (a * (1 - a), Region((between("a", 0, 1, "()"),)), True),
        (1 / (1 - a), Region((between("a", 0, 1, "[)"),)), True),
        (-1 / (a - 1), Region((between("a", 0, 1, "[)"),)), True),
        (a**2, Region((real("a"),)), False),
        (a**2 + 1, Region((real("a"),)), True),
        (b - a, Region((real("a"), at_least("b", a))), False),
        (b, Region((at_least("a", 1), between("b", a, 2 * a))), True),
        (c - a, Region((real("a"), at_least("b", a, above=True), at_least("c", b))), True),
        (1 - a, Region((Range("a", None, term(1)),)), False),
        (1 - a, Region((Range("a", None, term(1), open_above=True),)), True),
        (exp(a), Region((real("a"),)), True),
        (sqrt(a), Region((at_least("a", 0),)), False),
        (at_most_zero(g), Region(), False),
        (exp(g) + g**2, Region(), True),
        (log(a) ** 2, Region((at_least("a", 1),)), False),
        (term(0), Region(), False),
        (term(1), Region(), True),
        (log(a), Region((at_least("a", 1, above=True),)), True),
        (-log(a), Region((between("a", 0, 1, "()"),)), True),
        (log(1 + log(a)), Region((at_least("a", 1, above=True),)), True),
        (exp(a) - 1, Region((at_least("a", 0, above=True),)), True),
        (1 - exp(-log(a)), Region((at_least("a", 1, above=True),)), True),
        (log(1 / b), Region((between("b", 0, exp(term(-1)), "(]"),)), True),
        (exp(term(-1)) - b, Region((between("b", 0, exp(term(-1))),)), False),
        (modulus(a, b), Region((real("a"), at_least("b", 1))), False),
        (modulus(1 + a**2, b), Region((real("a"), at_least("b", 1))), True),
    ],
    ids=str,
)
def test_what_is_decided(what, region, strict):
    require_sign(what, region, strict=strict)


@pytest.mark.parametrize(
    ("what", "region", "strict", "said"),
    [
        (a - 2, Region((at_least("a", 1),)), False, "false at a = 1"),
        (a - 2, Region((at_least("a", 2),)), True, "false at a = 2"),
        (1 - a, Region((between("a", 0, 1),)), True, "false at a = 1"),
        (1 - a, Region((between("a", 0, 2, "[)"),)), False, "false at a = "),
        (a, Region((between("a", 0, 1),)), True, "false at a = 0"),
        (a - b, Region((real("a"), at_least("b", a))), False, "false at a = 1, b = 17/16"),
        (a, Region((real("a"),)), False, "false at a = -"),
        (a**2, Region((real("a"),)), True, "false at a = 0"),
        (1 - a, Region((at_least("a", 0),)), False, "false at a = 3"),
        (a, Region((Range("a", None, term(1)),)), False, "false at a = -"),
        (a, Region((Range("a", None, term(0), open_above=True),)), False, "false at a = -"),
        (1 - a, Region((Range("a", None, term(1)),)), True, "false at a = 1"),
        (term(-1), Region(), False, "false at every place"),
        (term(0), Region(), True, "false at every place"),
        (1 / a, Region((real("a"),)), False, "false at a = -"),
        (1 / a, Region((at_least("a", 0),)), False, "not decided"),
        (1 / (1 - a) ** 2, Region((at_least("a", 0),)), True, "not decided"),
        (log(a), Region((at_least("a", 1),)), False, "not decided"),
        (sqrt(a), Region((at_least("a", 0),)), True, "not decided"),
        (log(a), Region((at_least("a", 0, above=True),)), False, "not decided"),
        (log(2 - a), Region((between("a", 0, 1, "(]"),)), False, "not decided"),
        (-log(a), Region((between("a", 0, 1, "(]"),)), True, "not decided"),
        (1 - exp(a), Region((Range("a", None, term(1)),)), False, "not decided"),
        (exp(-a) - 1, Region((at_least("a", 0, above=True),)), False, "not decided"),
        (exp(-log(a)) - 1, Region((at_least("a", 1, above=True),)), False, "not decided"),
        (modulus(a), Region((real("a"),)), True, "not decided"),
        (modulus(a, 3), Region((at_least("a", 0),)), True, "not decided"),
        (exp(-1 - a) - b, Region((at_least("a", 0), between("b", 0, 1))), False, "not decided"),
        (exp(term(-1)) - b, Region((between("b", 0, exp(term(-1)) + 1),)), False, "not decided"),
        (-log(g + 2), Region(), False, "not decided"),
        (g, Region(), False, "not decided"),
        (-g, Region(), False, "not decided"),
        (1 - g, Region(), False, "not decided"),
        (expectation(g), Region(), False, "not decided"),
        (random("X"), Region(), False, "not decided"),
        (copies("S", 2, g), Region(), False, "not decided"),
        (at_most_zero(g), Region(), True, "not decided"),
        (1 - at_most_zero(g), Region(), False, "not decided"),
        (exp(a) - 1, Region((real("a"),)), False, "not decided"),
        ((a - 2) ** 2, Region((at_least("a", 0),)), False, "not decided; it is from a >= 2 on"),
        (a, Region(), False, "a in a has no range"),
        (a - a, Region(), False, "a in a - a has no range"),
    ],
    ids=str,
)
def test_what_is_refused(what, region, strict, said):
    with pytest.raises(Refused, match=re.escape(said)):
        require_sign(what, region, strict=strict)
    assert not decided_sign(what, region, strict=strict)


def test_a_refusal_says_what_depends_on_it():
    with pytest.raises(Refused, match=r"^the rate: a >= 0 for a real: it is false at a = -"):
        require_sign(a, Region((real("a"),)), said="the rate")
    with pytest.raises(Refused, match=r"^a > 0 for a >= 0: it is false at a = 0$"):
        require_sign(a, Region((at_least("a", 0),)), strict=True)


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


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ((real("a"), real("a")), "a: has a range already"),
        ((at_least("b", a), real("a")), "a has no range before it"),
        ((at_least("a", a),), "a has no range before it"),
        ((between("a", 0, b),), "b has no range before it"),
        ((real("b"), between("a", expectation(coordinate("g", c)), b)), "c has no range before it"),
    ],
)
def test_regions_that_are_none(ranges, said):
    with pytest.raises(ValueError, match=said):
        Region(ranges)


@pytest.mark.parametrize("wrong", ["", "[", "[[]", "]]", "[[", "<>"])
def test_ends_that_are_none(wrong):
    with pytest.raises(ValueError, match="ends"):
        between("a", 0, 1, wrong)


@pytest.mark.parametrize(
    ("own", "text"),
    [
        (real("a"), "a real"),
        (whole("a", 1), "whole a >= 1"),
        (whole("a", 1, b), "whole 1 <= a <= b"),
        (at_least("a", 1, above=True), "a > 1"),
        (between("a", 0, b + 1, "(]"), "0 < a <= b + 1"),
        (between("a", 0, 1, "[)"), "0 <= a < 1"),
    ],
)
def test_the_text_of_a_range(own, text):
    assert str(own) == text


def test_other_ends_belong_to_the_range():
    region = Region((real("b"), between("a", 0, b, "()"), at_least("c", a)))
    assert str(region.ending("a", lower=term(1))) == "b real, 1 <= a < b, c >= a"
    assert str(region.ending("a", upper=b + 1)) == "b real, 0 < a <= b + 1, c >= a"
    with pytest.raises(Refused, match="q has no range"):
        region.ending("q", lower=term(1))
    with pytest.raises(ValueError, match="c has no range before it"):
        region.ending("a", upper=c)


def test_a_symbol_on_which_an_end_depends_stays():
    region = Region((real("a"), at_least("b", a)))
    assert region.without("b").names == {"a"}
    with pytest.raises(ValueError, match="a has no range before it"):
        region.without("a")


def test_more_symbols():
    region = Region((real("a"),)).also(at_least("b", a))
    assert region.names == {"a", "b"}
    assert region.range("b") == at_least("b", a)
    assert region.range("c") is None
    with pytest.raises(ValueError, match="has a range already"):
        region.also(real("a"))


def test_a_pole_on_the_edge_is_told():
    with pytest.raises(Refused, match=r"it has a pole there$"):
        require_sign(1 / (1 - a), Region((between("a", 0, 1),)))


def test_a_place_of_whole_symbols_is_whole():
    with pytest.raises(Refused, match=r"false at a = 1$"):
        require_sign(a - Fraction(3, 2), Region((whole("a", 1),)))


def test_where_an_end_has_no_value_there_is_no_place():
    region = Region((at_least("a", 0), between("b", 0, 1 / a)))
    with pytest.raises(Refused, match=r"false at a = 1/16, b = 8$"):
        require_sign(a - 1, region)
