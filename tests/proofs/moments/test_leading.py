"""The leading order of moments as sizes grow: closed forms, limit theorems and exact ratios.

The limit is checked against the formula itself at growing sizes, without rounding.
"""

from fractions import Fraction
from math import prod

import pytest
import sympy

from proofs import attention
from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories import linear, low_rank, mlp, two_input_mlp
from proofs.moments import (
    Gaussian,
    Range,
    Sphere,
    central_moment,
    covariance,
    dot,
    indicator,
    mean,
    sum_over,
    variance,
)

d, N, m, S, R, h = (RationalFunction.symbol(name) for name in ("d", "N", "m", "S", "R", "h"))
inputs = Range(N, "[N]")
x, y, z, z2 = (inputs.index(name) for name in ("x", "y", "z", "z2"))
e, g = Sphere("e", d), Gaussian("g", d)


def odd(p):
    """(2p - 1)!!, the moment of order 2p of a standard normal."""
    return prod(range(1, 2 * p, 2))


# -- closed forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("p", range(1, 6))
def test_an_overlap_of_unit_vectors_is_a_normal_of_variance_one_over_d(p):
    # E t^2p = (2p-1)!! / (d (d+2) ... (d+2p-2)).
    found = mean(dot(e[x], e[y]) ** (2 * p), [x != y]).leading(d=1)
    assert (found.exponent, found.term) == (-p, odd(p) / d**p)


@pytest.mark.parametrize("p", range(1, 6))
def test_the_norm_of_a_gaussian_concentrates(p):
    # E |g|^2p = d (d+2) ... (d+2p-2), and |g|^2 has the cumulants 2^(k-1) (k-1)! d.
    found = mean(dot(g[x], g[x]) ** p).leading(d=1)
    assert (found.exponent, found.term) == (p, d**p)
    spread = central_moment(2, dot(g[x], g[x])).leading(d=1)
    assert (spread.exponent, spread.term) == (1, 2 * d)


@pytest.mark.parametrize(("order", "exponent", "coefficient"), [(3, 1, 8), (4, 2, 12), (5, 2, 160)])
def test_central_moments_of_a_chi_squared_variable(order, exponent, coefficient):
    # kappa_3 = 8 d; mu_4 ~ 3 (2 d)^2; mu_5 ~ 10 kappa_2 kappa_3.
    found = central_moment(order, dot(g[x], g[x])).leading(d=1)
    assert (found.exponent, found.term) == (exponent, coefficient * d**exponent)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_sums_of_many_overlaps_obey_the_central_limit_theorem(p):
    # Given e_x the overlaps are independent, of variance 1/d; the one with itself is a shift.
    total = sum_over(z, dot(e[z], e[x]))
    found = central_moment(2 * p, total).leading(N=1)
    assert (found.exponent, found.term) == (p, odd(p) * N**p / d**p)


def test_a_covariance_of_two_sums_counts_what_they_share():
    first = sum_over(z, dot(e[z], e[x]) ** 2)
    second = sum_over(z2, dot(e[z2], e[y]) ** 2)
    found = covariance(first, second, [x != y]).leading(d=1, N=1)
    # Common z differ from x and y: E t_x^2 t_y^2 = 1/d^2 exactly. What is left is <e_x, e_y>^2 in
    # both sums, of variance 3/(d (d+2)) - 1/d^2 ~ 2/d^2.
    assert (found.exponent, found.term) == (-2, 2 / d**2)


# -- limit theorems for memories --------------------------------------------------------------------

#: Central moments of a given order of every memory, in the sizes that grow.
MEMORIES = {
    "linear": (lambda order: linear.margin_central_moment(order, d, N), {"d": 1, "N": 2}),
    "linear, wide": (lambda order: linear.margin_central_moment(order, d, N), {"d": 2, "N": 3}),
    "low rank": (
        lambda order: low_rank.margin_central_moment(order, d, N, m),
        {"d": 1, "N": 2, "m": 1},
    ),
    "MLP": (
        lambda order: mlp.margin_central_moment(order, d, N, m, k=0, sigma=[0, 1]),
        {"d": 1, "N": 2, "m": 1},
    ),
}


@pytest.mark.parametrize("case", MEMORIES)
def test_margins_of_many_facts_are_normal_to_fourth_order(case):
    moment, exponents = MEMORIES[case]
    spread, fourth = moment(2).leading(**exponents), moment(4).leading(**exponents)
    assert fourth.exponent == 2 * spread.exponent
    assert fourth.term == 3 * spread.term**2


@pytest.mark.parametrize("case", MEMORIES)
def test_the_skewness_of_margins_of_many_facts_vanishes(case):
    moment, exponents = MEMORIES[case]
    spread, third = moment(2).leading(**exponents), moment(3).leading(**exponents)
    assert 2 * third.exponent < 3 * spread.exponent


def test_margins_of_a_memory_of_small_rank_are_not_normal():
    # W e_x = sum_z u_f(z) <e_z, G e_x>: given G e_x normal, of variance |G e_x|^2 times 2N/d^2, and
    # at d = infinity |G e_x|^2 / d is chi-squared with m degrees: the ratio is 3 (m + 2) / m.
    spread, fourth = (
        low_rank.margin_central_moment(order, d, N, m).leading(d=1, N=2) for order in (2, 4)
    )
    assert fourth.term / spread.term**2 == 3 * (m + 2) / m


# -- the formula over its leading term --------------------------------------------------------------

FORMULAS = {
    "linear": (lambda: linear.margin_central_moment(4, d, N), {"d": 1, "N": 2}),
    "low rank": (lambda: low_rank.margin_central_moment(3, d, N, m), {"d": 2, "N": 3, "m": 1}),
    "MLP": (
        lambda: mlp.margin_variance(d, N, m, k=3, sigma=[0, 1, 0, 0, 1]),
        {"d": 1, "N": 4, "m": 3},
    ),
    "two inputs": (
        lambda: two_input_mlp.margin_variance(
            two_input_mlp.Shape(d, S, R, m, 1, 1, [0, 0, 1]), two_input_mlp.Table(2, 3)
        ),
        {"d": 1, "S": 1, "R": 2, "m": 2},
    ),
    "attention": (
        lambda: attention.margin_variance(d, h, attention.Store(3, N), attention.Store(2, 5, 2)),
        {"d": 1, "h": 1, "N": 2},
    ),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_the_ratio_to_the_leading_term_tends_to_one(case):
    formula, exponents = FORMULAS[case][0](), FORMULAS[case][1]
    found = formula.leading(**exponents)
    off = []
    for t in (10**3, 10**4, 10**5):
        # Odd sizes, for dimensions that are halved, and no powers of one number.
        sizes = {
            name: t**exponent + 7 * i + 1 for i, (name, exponent) in enumerate(exponents.items())
        }
        ratio = (formula(**sizes) / found.term(**sizes)).as_fraction()
        off.append(abs(ratio - 1))
    assert 5 < off[0] / off[1] < 20
    assert 5 < off[1] / off[2] < 20
    assert off[2] < Fraction(1, 500)


@pytest.mark.parametrize("case", FORMULAS)
@pytest.mark.parametrize("wrong", [2, Fraction(99, 100), -1])
def test_a_wrong_coefficient_is_rejected_by_the_ratio(wrong, case):
    formula, exponents = FORMULAS[case][0](), FORMULAS[case][1]
    term = formula.leading(**exponents).term * wrong
    sizes = {name: (10**5) ** exponent for name, exponent in exponents.items()}
    sizes["d"] += 1
    assert abs((formula(**sizes) / term(**sizes)).as_fraction() - 1) > Fraction(1, 200)


@pytest.mark.parametrize("case", FORMULAS)
def test_the_exponent_is_the_growth_of_the_term(case):
    formula, exponents = FORMULAS[case][0](), FORMULAS[case][1]
    found = formula.leading(**exponents)
    t = RationalFunction.symbol("t")
    grown = found.term(**{name: t**exponent for name, exponent in exponents.items()})
    constant = grown / t ** int(found.exponent)
    assert not constant.names
    assert constant != 0


@pytest.mark.parametrize("case", FORMULAS)
def test_the_leading_term_is_its_own(case):
    formula, exponents = FORMULAS[case][0](), FORMULAS[case][1]
    found = formula.leading(**exponents)
    again = Derived(found.term, "", (), {}).leading(**exponents)
    assert (again.exponent, again.term) == (found.exponent, found.term)


@pytest.mark.parametrize("case", FORMULAS)
def test_a_common_factor_of_the_exponents_scales_the_order(case):
    formula, exponents = FORMULAS[case][0](), FORMULAS[case][1]
    found = formula.leading(**exponents)
    scaled = formula.leading(**{name: Fraction(e, 3) for name, e in exponents.items()})
    assert scaled.term == found.term
    assert scaled.exponent == found.exponent / 3


# -- symbols, roots and errors ----------------------------------------------------------------------


def test_sizes_that_do_not_grow_are_constants():
    formula = linear.margin_variance(d, N)
    assert formula.leading(d=1).term == 2 / d
    assert formula.leading(N=1).term == 2 * N / d**2
    everything = formula.leading()
    assert (everything.exponent, everything.term) == (0, formula.value)


def test_sizes_of_comparable_order_are_all_in_the_term():
    found = linear.margin_variance(d, N).leading(d=1, N=1)
    assert (found.exponent, found.term) == (-1, 2 / d + 2 * N / d**2)


@pytest.mark.parametrize("k", [0, 2, 4])
def test_roots_of_hermite_coefficients_stay_exact(k):
    sigma = [0] * (k + 1) + [1]
    found = mlp.margin_mean(d, N, m, k=k, sigma=sigma).leading(d=1)
    assert (found.exponent, found.term) == (0, RationalFunction.root(k + 1))


def test_the_names_are_those_of_the_caller():
    width, facts = sympy.symbols("width facts", positive=True)
    found = linear.margin_variance(width, facts).leading(width=1, facts=2)
    assert str(found) == "2*facts/width^2 ~ 1"


def test_a_restricted_sum_has_the_order_of_what_is_left():
    # Without z = x the sum of squares of overlaps is (N - 1)/d.
    total = sum_over(z, dot(e[z], e[x]) ** 2 * indicator(z != x))
    found = mean(total).leading(d=1, N=2)
    assert (found.exponent, found.term) == (1, N / d)
    spread = variance(total).leading(d=1, N=2)
    # Given e_x independent, each of variance 3/(d (d+2)) - 1/d^2.
    assert (spread.exponent, spread.term) == (0, 2 * N / d**2)


@pytest.mark.parametrize("formula", [mean(dot(e[x], e[y]), [x != y]), variance(dot(e[x], e[x]))])
def test_what_vanishes_has_no_leading_term(formula):
    with pytest.raises(ValueError, match="0 has no leading term"):
        formula.leading(d=1)


@pytest.mark.parametrize("exponent", [-1, 0.5, "1", True, None])
def test_exponents_are_fractions_that_are_not_negative(exponent):
    with pytest.raises(ValueError, match="exponents: d ~ t"):
        linear.margin_variance(d, N).leading(d=exponent)


def test_a_name_that_is_no_size_is_refused():
    formula = linear.margin_variance(d, N)
    with pytest.raises(ValueError, match="q: no such size; there are N, d"):
        formula.leading(d=1, q=5)
    with pytest.raises(ValueError, match="n: no such size"):
        formula.regimes("d", "n")
    assert formula.regimes(d, N) == formula.regimes("d", "N")
