"""Leading orders: exact cases, the regimes of d against N, and limits at explicit sizes."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proofs.algebra import Leading, RationalFunction, Regime, leading, regimes

d, N, a = (RationalFunction.symbol(name) for name in ("d", "N", "a"))
ROOT2 = RationalFunction.root(2)
HALF = Fraction(1, 2)

EXAMPLE = (2 * N + 2 * d - 3) / d**2


@st.composite
def functions(draw):
    """Quotients of polynomials in d and N with few terms and nonnegative coefficients."""

    def polynomial():
        monomials = draw(
            st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1)
        )
        return sum((c * d**i * N**j for c, i, j in monomials), RationalFunction.constant(0))

    return polynomial() / polynomial()


def tends_to_one(f, term, e):
    """Whether f/term is within 100/t of 1 at sizes t^e, t = 10^k: exact, and no limit is taken.

    A term that is missing or wrong leaves a distance that does not shrink.
    """

    def distance(k):
        sizes = {name: 10 ** (k * power) for name, power in e.items()}
        return abs((f / term)(**sizes).as_fraction() - 1)

    return all(distance(k) * 10**k <= 100 for k in (4, 8, 12))


@pytest.mark.parametrize(
    ("function", "exponents", "exponent", "term"),
    [
        (EXAMPLE, {"d": 2, "N": 1}, -2, 2 / d),
        (EXAMPLE, {"d": HALF, "N": 1}, 0, 2 * N / d**2),
        (EXAMPLE, {"d": Fraction(1, 3), "N": 1}, Fraction(1, 3), 2 * N / d**2),
        (EXAMPLE, {"d": 1, "N": 1}, -1, (2 * N + 2 * d) / d**2),
        (EXAMPLE, {"d": 1}, -1, 2 / d),
        (EXAMPLE, {"N": 1}, 1, 2 * N / d**2),
        (EXAMPLE, {}, 0, EXAMPLE),
        ((a - 1) * N + 5, {"N": 1, "d": 7}, 1, (a - 1) * N),
        (d * N / (d + N), {"d": 2, "N": 1}, 1, N),
        (ROOT2 * d + d + N, {"d": 1}, 1, ROOT2 * d + d),
        (1 / (ROOT2 * d + N), {"d": 1}, -1, 1 / (ROOT2 * d)),
        (RationalFunction.constant(3), {"d": 1}, 0, RationalFunction.constant(3)),
    ],
    ids=str,
)
def test_leading_terms(function, exponents, exponent, term):
    assert leading(function, exponents) == Leading(Fraction(exponent), term)


@given(functions(), st.integers(0, 3), st.integers(0, 3))
def test_the_ratio_to_the_leading_term_tends_to_one(f, p, q):
    found = leading(f, {"d": p, "N": q})
    sizes = {"d": p, "N": q}
    assert tends_to_one(f, found.term, sizes)
    t = RationalFunction.symbol("t")
    assert leading(found.term(d=t**p, N=t**q), {"t": 1}).exponent == found.exponent


@pytest.mark.parametrize("wrong", [2 / d, N / d**2, (2 * N + 2 * d) / d, 2 * N / d, 3 * N / d**2])
def test_a_wrong_term_is_rejected_by_the_limit(wrong):
    sizes = {"d": 1, "N": 2}
    assert tends_to_one(EXAMPLE, leading(EXAMPLE, {"d": 1, "N": 2}).term, sizes)
    assert not tends_to_one(EXAMPLE, wrong, sizes)


@given(functions(), functions(), st.integers(0, 3), st.integers(0, 3))
def test_leading_terms_of_products_multiply(f, g, p, q):
    sizes = {"d": p, "N": q}
    assert leading(f * g, sizes).term == leading(f, sizes).term * leading(g, sizes).term


def test_regimes_of_the_example():
    below, at, above = regimes(EXAMPLE)
    zero, one = Fraction(0), Fraction(1)
    assert below == Regime(zero, one, 2 * N / d**2, (-2 * one, one))
    assert at == Regime(one, one, (2 * N + 2 * d) / d**2, (zero, -one))
    assert above == Regime(one, None, 2 / d, (-one, zero))
    assert [str(r) for r in (below, at, above)] == [
        "1 << d << N: 2*N/d^2",
        "d ~ N: 2*(N + d)/d^2",
        "N << d: 2/d",
    ]


def test_regimes_with_fractional_ends():
    f = (N + d**2) / (d**3 + N**2)
    assert [str(r) for r in regimes(f)] == [
        "1 << d << N^(1/2): 1/N",
        "d ~ N^(1/2): (d^2 + N)/N^2",
        "N^(1/2) << d << N^(2/3): d^2/N^2",
        "d ~ N^(2/3): d^2/(d^3 + N^2)",
        "N^(2/3) << d: 1/d",
    ]


def test_three_terms_that_meet_in_one_point():
    assert [str(r) for r in regimes(d**2 + d * N + N**2)] == [
        "1 << d << N: N^2",
        "d ~ N: N^2 + N*d + d^2",
        "N << d: d^2",
    ]


def test_a_term_that_never_dominates_makes_no_regime():
    assert [r.term for r in regimes(d**2 + d + N**2)] == [N**2, d**2 + N**2, d**2]


@pytest.mark.parametrize(
    ("function", "text"),
    [
        ((N + d + 1) / (N + d + 2), "1 << d: 1"),
        (a / d, "1 << d: a/d"),
        (ROOT2 * N, "1 << d: sqrt(2)*N"),
    ],
)
def test_points_at_which_nothing_changes_are_left_out(function, text):
    assert [str(r) for r in regimes(function)] == [text]


def test_a_change_at_a_point_only_is_kept():
    terms = [r.term for r in regimes((N**2 + N * d + d**2) / (N**2 + d**2))]
    assert terms == [1, (N**2 + N * d + d**2) / (N**2 + d**2), 1]


def test_regimes_with_roots_and_other_names():
    n, m = RationalFunction.symbol("n"), RationalFunction.symbol("m")
    found = regimes(ROOT2 * n + m**3 + ROOT2, size="m", against="n")
    assert [str(r) for r in found] == [
        "1 << m << n^(1/3): sqrt(2)*n",
        "m ~ n^(1/3): m^3 + sqrt(2)*n",
        "n^(1/3) << m: m^3",
    ]


@given(functions())
def test_regimes_cover_all_exponents_and_give_the_leading_terms(f):
    found = regimes(f)
    assert found[0].low == 0
    assert found[-1].high is None
    assert all(left.high == right.low for left, right in pairwise(found))
    for regime in found:
        inside = regime.low + 1 if regime.high is None else (regime.low + regime.high) / 2
        expected = leading(f, {"d": inside, "N": 1})
        slope, intercept = regime.exponent
        assert (regime.term, slope * inside + intercept) == (expected.term, expected.exponent)


@given(functions(), st.fractions(Fraction(1, 4), 5, max_denominator=8))
def test_every_exponent_lies_in_the_regime_of_its_term(f, at):
    expected = leading(f, {"d": at, "N": 1}).term
    [term] = [
        r.term
        for r in regimes(f)
        if r.low == at == r.high or (r.low < at and (r.high is None or at < r.high))
    ]
    assert term == expected


def test_exponents_agree_at_the_ends_of_regimes():
    for left, right in pairwise(regimes((N**3 + d**2 * N + d**4) / (N + d) ** 2)):
        at = right.low
        value = [slope * at + intercept for slope, intercept in (left.exponent, right.exponent)]
        assert value[0] == value[1]


def test_the_documented_trap():
    # The dominating part vanishes on the line d = N, where the function is 1 and not of order t.
    f = N - d + 1
    assert leading(f, {"d": 1, "N": 1}).term == N - d
    assert f(d=N) == 1


@pytest.mark.parametrize("exponent", [-1, Fraction(-1, 2), 0.5, True, "1"])
def test_exponents_are_fractions_that_are_not_negative(exponent):
    with pytest.raises(ValueError, match="exponents: d ~"):
        leading(EXAMPLE, {"N": 1, "d": exponent})


def test_zero_has_no_order():
    with pytest.raises(ValueError, match="function: 0"):
        leading(d - d, {"d": 1})
    with pytest.raises(ValueError, match="function: 0"):
        regimes(N - N)


def test_a_size_is_not_compared_with_itself():
    with pytest.raises(ValueError, match="against: 'd'"):
        regimes(EXAMPLE, size="d", against="d")


def test_the_leading_term_is_shown_with_its_order():
    assert str(leading(EXAMPLE, {"d": 1, "N": 1})) == "2*(N + d)/d^2 ~ t^(-1)"


@given(functions())
def test_a_constant_factor_keeps_the_regimes(f):
    assume(f != 0)
    doubled = regimes(2 * f)
    assert [(r.where, r.exponent) for r in doubled] == [(r.where, r.exponent) for r in regimes(f)]
