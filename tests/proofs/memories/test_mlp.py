"""The NTK memory against enumeration, simulation and moments derived by hand.

What it must become: the memory of power k + 1, where the network is wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import comb, factorial, prod, sqrt
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.polynomial import hermite_e

from proofs.algebra import ExactnessError, RationalFunction
from proofs.memories import mlp
from proofs.memories.contract import FAR, MarginContract, Place, deviations
from proofs.memories.mlp import (
    activation,
    definition,
    margin_central_moment,
    margin_mean,
    margin_variance,
)
from proofs.memories.setting import Memory
from proofs.moments import (
    Expression,
    Gaussian,
    Range,
    cross_check,
    dot,
    hermite_sum,
    mean,
    sum_over,
    variance,
)

d, N, m = sympy.symbols("d N m", positive=True, integer=True)
ONE = RationalFunction.constant(1)
root = RationalFunction.root


def h(j: int) -> list[Any]:
    """The coefficients of the activation h_j."""
    return [0] * j + [1]


def orthonormal(coefficients: Sequence[float]) -> list[float]:
    """Coefficients in He_j of sum_j c_j h_j, h_j = He_j / sqrt(j!)."""
    return [float(c) / sqrt(factorial(j)) for j, c in enumerate(coefficients)]


def place(d: int, m: int, k: int, sigma: Sequence[Any], **more: Any) -> Place:
    return Place({"d": d, "m": m}, {"k": k, "sigma": tuple(sigma)}, **more)


NEXT = {"inputs": 2, "maps": ("y of one input", "y outside")}
GAUSSIAN = {
    "law": "gaussian",
    "maps": ("y of one input", "y outside", "x shares its output"),
}


class TestMargin(MarginContract):
    """F(e_x) = sum_i v_i sigma'(<w_i, e_x>) <q_i, e_x>.

    q_i = (1/m) sum_z h_k(<e_z, w_i>) <v_i, u_f(z)> e_z; sigma' as the derivative of a polynomial.
    """

    module = mlp
    own: Mapping[str, Any] = {"k": 0, "sigma": (0, 1)}
    sizes: Mapping[str, int] = {"d": 5, "N": 7, "m": 3}
    least: Mapping[str, int] = {"d": 1, "m": 1}
    inner = ("same", "other", "M")
    definition_text = "sigma'(<w_i, e_x>) h_0(<w_i, e_z>)"
    enumerated = (
        place(1, 3, 0, [0, 1]),
        place(1, 2, 1, [1, Fraction(1, 2), 0, 2]),
        place(1, 2, 2, [0, 1, 0, 1]),
        place(1, 1, 3, [0, 0, 1, 0, 1]),
        place(2, 2, 0, [0, 1]),
        place(2, 1, 0, [2, 1, -1]),
        place(2, 2, 1, [0, 0, 1]),
        place(1, 2, 0, [0, 1], **GAUSSIAN),
        place(1, 1, 1, [0, 1, 2], **GAUSSIAN),
        place(1, 1, 2, [0, 1, 0, 1], **GAUSSIAN),
        place(2, 1, 0, [0, 1, 1], **GAUSSIAN),
        place(1, 2, 0, [0, 1], orders=(3, 4), **NEXT),
        place(2, 1, 0, [0, 1], orders=(3, 4), **NEXT),
        place(1, 2, 1, [0, 1, 1], orders=(3,), **NEXT),
        place(2, 1, 1, [0, 0, 1], orders=(3,), **NEXT),
        place(1, 2, 2, [0, 1, 0, 1], orders=(3,), **NEXT),
    )
    simulated = (
        (place(3, 2, 0, [1, 1, 1]), [0, 1, 2], 1),
        (place(5, 4, 0, [0, 1, 0, 1]), [0, 1, 0, 2], 3),
        (place(4, 8, 1, [0, 1, 1]), [0, 1, 2, 1], 1),
        (place(6, 12, 1, [1, -1, 1]), [0, 0, 1, 1, 2], 1),
    )
    visible = (1 / 10, 1 / 3)
    out_of_range = (
        (partial(margin_mean, 2, 3, 4, k=-1, sigma=1), "k: -1 is negative"),
        (partial(margin_mean, 2, 3, 4, k=0, sigma=()), "sigma: no coefficients"),
        (partial(margin_mean, 2, 3, 4, k=0, sigma=-1), "sigma: -1"),
    )
    inexact = (
        (partial(margin_mean, 2, 3, 4, k=0, sigma=(0, 0.5)), "sigma[1]: the float 0.5"),
        (partial(margin_mean, 2, 3, 4, k=0, sigma="relu"), "sigma[0]: 'r'"),
    )

    def drawn(self, place: Place, table: Sequence[int], y: int) -> Sequence[float]:
        rng, (d, width) = np.random.default_rng(20240612), place.sizes.values()
        k, sigma = place.own.values()
        slope, feature = hermite_e.hermeder(orthonormal(sigma)), orthonormal(h(k))
        margins = []
        for _ in range(10 if width < 40 else 5):
            e, u = (rng.standard_normal((20_000, n, d)) for n in (len(table), 4))
            e, u = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True) for vectors in (e, u))
            v, w = (rng.standard_normal((20_000, width, d)) for _ in "vw")
            gates = hermite_e.hermeval(np.einsum("bid,bzd->biz", w, e), feature)
            values = np.einsum("bid,bzd->biz", v, u[:, table])
            q = np.einsum("biz,biz,bzd->bid", gates, values, e) / width
            read = hermite_e.hermeval(np.einsum("bid,bd->bi", w, e[:, 0]), slope)
            output = np.einsum("bid,bi,bi->bd", v, read, np.einsum("bid,bd->bi", q, e[:, 0]))
            margins.append(np.einsum("bd,bd->b", u[:, table[0]] - u[:, y], output))
        return np.concatenate(margins).tolist()


MARGIN = TestMargin()


@pytest.mark.slow
@pytest.mark.parametrize(
    "at",
    [
        place(2, 2, 1, [1, Fraction(1, 2), 0, 2]),
        place(2, 1, 2, [0, 1, 0, 1]),
        place(2, 1, 3, [0, 0, 1, 0, 1], **NEXT),
        place(1, 2, 1, [0, 1, 1], orders=(4,), **NEXT),
        place(2, 1, 1, [0, 0, 1], orders=(4,), **NEXT),
        place(1, 2, 2, [0, 1, 0, 1], orders=(4,), **NEXT),
    ],
    ids=str,
)
def test_moments_of_higher_features_agree_with_enumeration(at: Place) -> None:
    MARGIN.agrees(at)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "table", "y"),
    [
        (place(3, 40, 2, [0, 1, 0, 1]), [0, 1, 2], 1),
        (place(4, 40, 2, [0, 0, 1, 1]), [0, 1, 1], 3),
    ],
    ids=str,
)
def test_moments_of_higher_features_agree_with_what_is_drawn(
    at: Place, table: list[int], y: int
) -> None:
    MARGIN.comes_near(at, table, y)


def test_large_gaussian_embeddings_are_nearly_on_the_sphere() -> None:
    for k, sigma in ((0, [0, 1]), (2, [0, 0, 0, 1])):
        for moment in (margin_mean, margin_variance):
            sphere, gaussian = (
                float(moment(10**9, 5, 3, k=k, sigma=sigma, embeddings=law).expr)
                for law in ("sphere", "gaussian")
            )
            assert gaussian == pytest.approx(sphere, rel=1e-6)


@pytest.mark.parametrize(("k", "q"), [(0, 1), (1, 2), (0, 3)])
@pytest.mark.parametrize(("same", "other"), [(0, 0), (0, 1), (1, 2)])
def test_symbols_as_coefficients_agree_with_enumeration(
    same: int, other: int, k: int, q: int
) -> None:
    it = definition(k, q)
    for order in (1, 2):
        found = cross_check([it.margin] * order, it.given(same, other), trials=1)
        assert found.agree, str(found)


# -- by hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(7))
def test_the_mean_is_the_coefficient_of_the_next_degree(k: int) -> None:
    # E v v^T = I. sigma' = sum_j sqrt(j) c_j h_(j-1), and E h_i(<w, e>) h_k(<w, e'>) is
    # <e, e'>^k where i = k, else 0. So the mean is sqrt(k+1) c_(k+1) times
    # sum_z E <u_f(x) - u_y, u_f(z)> E <e_x, e_z>^(k+1) = 1 + (same - other) E t^(k+1):
    # one for even k, and for odd k with E t^(k+1) = k!! / (d (d+2) ... (d+k-1)).
    p, q = sympy.symbols("p q")
    found = margin_mean(d, N, m, k=k, sigma=k + 2, same=p, other=q)
    overlap: Any = 0
    if k % 2:
        dimension = RationalFunction.of(d)
        odd = prod(range(1, k + 1, 2))
        overlap = odd / prod((dimension + i for i in range(0, k, 2)), start=ONE)
    coefficient = root(k + 1) * RationalFunction.symbol(f"c{k + 1}")
    assert found == coefficient * (1 + (RationalFunction.of(p) - RationalFunction.of(q)) * overlap)


@pytest.mark.parametrize("k", [0, 2, 4])
def test_without_the_next_degree_the_mean_vanishes(k: int) -> None:
    sigma = [1] * (k + 1) + [0, 1]
    assert margin_mean(d, N, m, k=k, sigma=sigma) == 0


def test_a_linear_network_has_the_variance_of_a_random_projection_of_the_outputs() -> None:
    # k = 0, sigma = h_1: gamma = (1/m) sum_z b_z <e_x, e_z>, b_z = <c, G u_f(z)>, c = u_f(x) - u_y,
    # G = sum_i v_i v_i^T. Summands are uncorrelated by the sign of e_z. With E <u, G u>^2 = m (m+2)
    # and E <u, G u'>^2 = E |G u|^2 / d = m (m+d+1)/d =: m g, E b_z^2 is m (m+2) + m g over f(x) and
    # over y, the mixed term vanishing by the sign of the other, and 2 m g elsewhere.
    p, q = sympy.symbols("p q")
    g = (m + d + 1) / d
    expected = (m + 2 + g) / m - 1
    expected += ((p + q) * (m + 2 + g) + (N - 1 - p - q) * 2 * g) / (d * m)
    assert margin_variance(d, N, m, k=0, sigma=h(1), same=p, other=q) == expected


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("order", [2, 3])
def test_in_dimension_one_with_one_fact_the_margin_is_a_mean_of_products(
    order: int, k: int
) -> None:
    # d = 1, y outside: gamma = (1 - s) A, s a fair sign, A = (1/m) sum_i v_i^2 H_i with
    # H = sigma'(w e) h_k(w e), sigma = h_(k+1): sigma' h_k = sqrt(k+1) h_k^2. At m = 1
    # E A^n = (2n-1)!! (k+1)^(n/2) E h_k^2n.
    def power_of_h(n: int) -> Fraction:
        """E h_k(g)^2n by Gauss-Hermite quadrature without rounding: expand and integrate."""
        x = sympy.Symbol("x")
        poly = sympy.Poly(_he(k, x) ** (2 * n), x)
        total = sum(
            c * (sympy.factorial2(p - 1) if p else 1) for (p,), c in poly.terms() if p % 2 == 0
        )
        return Fraction(int(total), factorial(k) ** n)

    def raw(n: int) -> RationalFunction:
        return root(k + 1) ** n * power_of_h(n) * prod(range(1, 2 * n, 2)) * Fraction(2**n, 2)

    moments = [ONE, *(raw(n) for n in range(1, order + 1))]
    expected = sum(
        (moments[n] * (-moments[1]) ** (order - n) * comb(order, n) for n in range(order + 1)),
        RationalFunction.constant(0),
    )
    found = margin_central_moment(order, 1, 1, 1, k=k, sigma=h(k + 1), y_in_image=False)
    assert found == expected


def _he(k: int, x: sympy.Symbol) -> sympy.Expr:
    previous, current = sympy.Integer(1), x
    for j in range(1, k):
        previous, current = current, sympy.expand(x * current - j * previous)
    return current if k else previous


# -- limits -----------------------------------------------------------------------------------------


def of_power(k: int, same: Any, other: Any) -> RationalFunction:
    """The variance of <u_f(x) - u_y, sum_z u_f(z) <e_x, e_z>^(k+1)>."""
    s = Memory()
    z = s.inputs.index("z")
    memory = sum_over(z, s.u[s.association(z)] * dot(s.e[z], s.e[s.x]) ** (k + 1))
    margin = dot(s.contrast(), memory)
    return variance(margin, s.given(same, other)).value


@pytest.mark.parametrize("k", range(5))
@pytest.mark.parametrize(("same", "other"), [(0, 0), (0, 1), (2, 1)])
def test_a_wide_network_is_the_memory_of_power_k_plus_one(k: int, same: int, other: int) -> None:
    sigma = k + 1
    known = {"k": k, "sigma": sigma, "y_in_image": other > 0, "same": same, "other": other}
    value = margin_variance(d, N, m, **known).value
    # The margin is a mean over m neurons, so the variance is A + B/m.
    width = RationalFunction.symbol("m")
    at_one, at_two = value(m=1), value(m=2)
    limit = 2 * at_two - at_one
    assert value == limit + (at_one - limit) / width
    coefficient = (k + 1) * RationalFunction.symbol(f"c{k + 1}") ** 2
    assert limit == coefficient * of_power(k, same, other)
    found = margin_variance(d, N, m, **known).leading(m=1)
    assert (found.exponent, found.term) == (0, limit)


@pytest.mark.parametrize(
    ("exponents", "exponent", "term"),
    [
        # sigma = h_3, k = 2, in the order of the terms 3 d^4, 177 d^4 / m and 6 N d^3 / m.
        ({"d": 1}, 0, 3 * 59 / m),
        ({"d": 1, "N": 1, "m": 2}, -1, 3 / d),
        ({"d": 1, "N": 1, "m": 1}, -1, 3 / d + 177 / m + 6 * N / (d * m)),
        ({"d": 1, "N": 2, "m": 1}, 0, 6 * N / (d * m)),
        ({"d": 1, "N": 4, "m": 5}, 0, 90 * N / d**4),
    ],
    ids=["d", "wide", "proportional", "many", "many and wide"],
)
def test_the_leading_order_of_the_variance(
    exponents: Mapping[str, Any], exponent: Any, term: Any
) -> None:
    found = margin_variance(d, N, m, k=2, sigma=h(3)).leading(**exponents)
    assert (found.exponent, found.term) == (exponent, RationalFunction.of(term))


# -- it can fail ------------------------------------------------------------------------------------


def mutant(which: str, k: int = 2, j: int = 3) -> tuple[Expression, list[Any]]:
    """The memory with sigma = h_j and one mistake."""
    s = Memory()
    width = RationalFunction.symbol("m")
    of_w = 1 / s.e.dimension if which == "w of norm one" else 1
    v, w = Gaussian("v", s.e.dimension), Gaussian("w", s.e.dimension, of_w)
    z, neurons = s.inputs.index("z"), Range(width, "[m]")
    i, i2 = neurons.index("i"), neurons.index("i2")
    slope = [root(n) * c for n, c in enumerate(h(j))][1:]
    if which == "slope without its factor":
        slope = h(j)[1:]
    if which == "sigma for its slope":
        slope = h(j)
    degree = {"degree less one": k - 1, "degree more one": k + 1}.get(which, k)
    other = w[i2] if which == "independent features" else w[i]
    feature = hermite_sum(h(degree), dot(other, s.e[z]), normalized=which != "He_k for h_k")
    if which != "no inner product":
        feature = feature * dot(s.e[s.x], s.e[z])
    reading = dot(v[i], s.contrast()) * dot(v[i], s.u[s.association(z)])
    neuron = reading * hermite_sum(slope, dot(w[i], s.e[s.x])) * feature
    bound = [i, z, i2] if which == "independent features" else [i, z]
    margin = sum_over(bound, neuron)
    if which != "forgotten 1/m":
        margin = margin / width
    return margin, s.given(0, 1)


MUTANTS = [
    "forgotten 1/m",
    "He_k for h_k",
    "degree less one",
    "degree more one",
    "slope without its factor",
    "sigma for its slope",
    "no inner product",
    "w of norm one",
    "independent features",
]


def test_the_definition_rebuilt_without_a_mistake_is_the_same() -> None:
    margin, given = mutant("none")
    assert mean(margin, given) == margin_mean(d, N, m, k=2, sigma=h(3))
    assert variance(margin, given) == margin_variance(d, N, m, k=2, sigma=h(3))


@pytest.mark.parametrize("which", MUTANTS)
def test_a_wrong_definition_has_other_moments(which: str) -> None:
    margin, given = mutant(which)
    assert variance(margin, given) != margin_variance(d, N, m, k=2, sigma=h(3))
    same_mean = mean(margin, given) == margin_mean(d, N, m, k=2, sigma=h(3))
    # Features of other neurons than the one that reads them have no part in the mean.
    assert same_mean == (which == "independent features")


@pytest.mark.parametrize("which", ["forgotten 1/m", "He_k for h_k", "w of norm one"])
def test_a_wrong_definition_is_rejected_by_enumeration(which: str) -> None:
    margin, given = mutant(which)
    right = margin_mean(d, N, m, k=2, sigma=h(3)).value
    found = cross_check(margin, given, trials=2)
    assert found.agree
    assert any(
        one.enumeration != right(**{n: v for n, v in one.sizes.items() if n in "dNm"})
        for one in found.comparisons
    )


def test_a_mean_without_the_root_is_rejected_by_simulation() -> None:
    """The printed mean c_(k+1) belongs to a sigma' without the factors sqrt(j)."""
    found = MARGIN.drawn(place(4, 40, 2, [0, 0, 1, 1]), [0, 1, 1], 3)
    assert abs(deviations(found, 1, 1)[0]) > FAR


# -- the activation ----------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [margin_mean, margin_variance])
def test_coefficients_are_the_symbols_of_the_caller(function: Callable[..., Any]) -> None:
    a, b = sympy.symbols("a b", positive=True)
    assert function(d, N, m, k=0, sigma=[a, b]).expr.free_symbols <= {d, N, m, a, b}


@pytest.mark.parametrize("name", ["d", "N", "m", "same", "other", "M"])
def test_coefficients_may_be_called_like_the_symbols_inside(name: str) -> None:
    coefficient = sympy.Symbol(name)
    sizes = sympy.symbols("D E F")
    found = margin_variance(*sizes, k=0, sigma=[0, coefficient])
    plain = margin_variance(*sizes, k=0, sigma=[0, sympy.Symbol("c")])
    assert found == plain.value(c=RationalFunction.symbol(name))


def test_a_coefficient_is_not_a_size_of_another_kind() -> None:
    with pytest.raises(ExactnessError, match="two symbols are called 'd'"):
        margin_mean(d, N, m, k=0, sigma=[0, sympy.Symbol("d")])


def test_a_degree_stands_for_symbols_of_the_coefficients() -> None:
    symbols = sympy.symbols("c0 c1 c2")
    assert margin_variance(d, N, m, k=1, sigma=2) == margin_variance(d, N, m, k=1, sigma=symbols)
    assert activation(2) == activation(symbols)


def test_symbols_of_the_coefficients_specialise_to_numbers() -> None:
    formula = margin_variance(d, N, m, k=2, sigma=3)
    assert formula(c0=5, c1=2, c2=0, c3=-1) == margin_variance(d, N, m, k=2, sigma=[5, 2, 0, -1])


@pytest.mark.parametrize("constant", [0, 7])
def test_the_constant_of_the_activation_does_not_matter(constant: int) -> None:
    assert margin_variance(d, N, m, k=1, sigma=[constant, 1, 2]) == margin_variance(
        d, N, m, k=1, sigma=[1, 1, 2]
    )


def test_the_variance_is_a_quadratic_form_in_the_activation() -> None:
    value = margin_variance(d, N, m, k=1, sigma=[0, 1, 2]).value
    assert margin_variance(d, N, m, k=1, sigma=[0, 3, 6]) == 9 * value
    opposite = margin_variance(d, N, m, k=1, sigma=[0, -1, -2])
    assert opposite == value


def test_latex_is_for_a_paper() -> None:
    text = margin_variance(d, N, m, k=2, sigma=h(3)).latex()
    assert text.startswith(r"\frac{")
    assert r"\sqrt{3} c_{3}" in margin_mean(d, N, m, k=2, sigma=3).latex()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"k": 2.0}, r"k: 2\.0 is not an int"),
        ({"k": True}, "k: True is not an int"),
        ({"sigma": True}, "sigma: True"),
        ({"sigma": 2.0}, r"sigma: .*2\.0"),
    ],
)
def test_degrees_of_another_type_are_refused_by_name(options: dict[str, Any], named: str) -> None:
    with pytest.raises((TypeError, ValueError), match=named):
        margin_mean(d, N, m, **{"k": 0, "sigma": 1, **options})
