"""What the language means, against values worked out by hand: the roads meet only after it.

Inner products, projections, transposes and Hermite functions are expanded before the engine and the
enumeration part, so an error there would be seen by neither.
"""

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.hermite import hermite
from proofs.memories import mlp
from proofs.moments import (
    Association,
    Expression,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Relation,
    Signs,
    Sphere,
    Splitting,
    count,
    covariance,
    cross_check,
    dot,
    equal,
    fails,
    fibre,
    hermite_sum,
    holds,
    indicator,
    mean,
    outer,
    sum_over,
    wick_power,
)

S = RationalFunction.symbol
d, N, M, p, k, s, t = map(S, ("d", "N", "M", "p", "k", "s", "t"))
inputs, outputs, one = Range(N, "[N]"), Range(M, "[M]"), Range(1, "one")
x, x2, z, w, v = (inputs.index(name) for name in ("x", "x2", "z", "w", "v"))
y, i, j = (outputs.index(name) for name in ("y", "i", "j"))
o = one.index("o")
g, e, h = Gaussian("g", d), Sphere("e", d), Sphere("h", d)
ones = Expression.scalar(1)
parts = Splitting(d, P=p)
P, rest = parts["P"], parts["rest"]


def test_a_covariance_takes_off_both_means():
    # |g|^2 is chi squared: E = d, E^2 = d(d+2), E^3 = d(d+2)(d+4).
    square = dot(g[o], g[o])
    assert covariance(square, square**2) == 4 * d * (d + 2)


def test_a_constant_has_no_covariance():
    f = Association(inputs, outputs, "f", fibre_powers="n")
    pairs = sum_over([z, w], ones, where=equal(f(z), f(w)))
    u = Sphere("u", d)
    assert covariance(dot(u[f(x)], Gaussian("q", d)[x]) ** 2, pairs) == 0


def test_two_relations_in_one_sum_are_counted_apart():
    A, B = Relation("A", inputs, outputs), Relation("B", inputs, outputs)
    both = sum_over(i, ones, where=A(x, i)) + sum_over(i, ones, where=B(x, i))
    assert mean(both, [count(A(x, i), s, over=i), count(B(x, i), t, over=i)]) == s + t


def test_relations_of_different_length_stand_side_by_side():
    R, A = Relation("R", inputs, outputs), Relation("A", inputs, inputs, outputs)
    given = [holds(R(x, y)), fails(A(x, x, y)), count(A(x, x, i), 2, over=i)]
    assert mean(sum_over(i, ones, where=A(x, x, i)), given) == 2


def test_triples_within_blocks():
    f = Association(inputs, outputs, "f", fibre_size=k)
    together = [equal(f(z), f(w)), equal(f(w), f(v))]
    assert mean(sum_over([z, w, v], ones, where=together)) == N * k**2


def test_a_wick_power_scales_with_its_vector():
    # E :<g,2e>^2: <g,e>^2 = 4 E (t^2 - 1) t^2.
    assert mean(wick_power(g[o], e[x] * 2, 2) * dot(g[o], e[x]) ** 2) == 8


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        pytest.param(lambda: dot(g[o], P @ e[x]), (p - d) / d, id="projected"),
        pytest.param(lambda: dot(g[o], e[x]) * 2, 3, id="scaled"),
        pytest.param(lambda: dot(g[o], g[o]), d**2 + 2 * d - 1, id="square"),
        pytest.param(lambda: dot(e[x], g[o]), 0, id="the other way round"),
    ],
)
def test_hermite_polynomials_of_any_argument(argument, value):
    assert mean(hermite(2, argument(), normalized=False)) == value


@pytest.mark.parametrize("degree", range(6))
@pytest.mark.parametrize("sign", [1, -1])
def test_normalized_series_have_the_length_of_their_coefficients(degree, sign):
    c = [0] * degree + [sign * Fraction(2, 3)]
    standard, scaled = dot(g[o], e[x]), dot(g[o], e[x]) * 1 + 0
    assert mean(hermite_sum(c, standard) ** 2) == Fraction(4, 9)
    assert mean(hermite_sum(c, standard) * hermite_sum(c, scaled)) == Fraction(4, 9)
    assert mean(hermite_sum(c, scaled) * hermite(degree, standard)) == c[degree]


def test_a_projection_acts_on_the_side_it_stands_on():
    # <P' a, W P b> with W = a b^T: |P' a|^2 |P b|^2.
    a, b = e[x], h[x]
    W = outer(a, b)
    assert mean(dot(rest @ a, (W @ P) @ b)) == (d - p) * p / d**2
    assert mean(dot(rest @ a, (P @ W) @ b)) == 0
    assert mean(dot(b, W.T @ a)) == mean(dot(a, W @ b)) == 1


def test_a_pair_of_legs_keeps_its_parts():
    # w is orthogonal to c: E <w, Pa><w, b> = (<Pa, b> - <Pa, c><c, b>)/(d - 1).
    c, a, b = Sphere("c", d), Sphere("a", d), Sphere("b", d)
    drawn = OrthogonalSphere("w", d, to=c[o])
    product = dot(drawn[x], P @ a[x]) * dot(drawn[x], b[x])
    reference = dot(P @ a[x], b[x]) - dot(P @ a[x], c[o]) * dot(c[o], b[x])
    test = dot(a[x], c[o]) * dot(b[x], P @ c[o])
    assert mean(product * test) == mean(reference * test).value / (d - 1)
    assert mean(reference * test) != 0


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("query", ["free", "closed", "fixed"])
def test_sums_over_many_indices_lose_no_pattern(query, order):
    # Choices of three and more indices are given up as soon as they leave too many odd vectors.
    c = Fixed("c", d)
    ends = {"free": (e[x], e[x2]), "closed": (e[x], e[x]), "fixed": (c[o], e[x])}[query]
    chain = dot(ends[0], e[z]) * dot(e[z], e[w]) * dot(e[w], e[v]) * dot(e[v], ends[1])
    given = [x != x2] if query == "free" else []
    assert cross_check([sum_over([z, w, v], chain)] * order, given, trials=2).agree


def test_every_edge_may_mend_two_odd_vectors():
    # Each summand leaves six odd vectors, which three edges of the second copy mend.
    pairs = dot(e[z], h[z]) * dot(e[w], h[w]) * dot(e[v], h[v])
    apart = sum_over([z, w, v], pairs, where=[z != w, w != v, z != v])
    assert mean(apart**2) == 6 * N * (N - 1) * (N - 2) / d**3


def test_two_families_of_signs_stand_side_by_side():
    first, second = Signs("a"), Signs("b")
    assert mean(first[x] * second[x]) == 0
    assert mean((first[x] * second[x] + 1) ** 2) == 2


# -- what is refused ------------------------------------------------------------------------------


def test_splittings_of_one_space_do_not_meet():
    other = Splitting(d, Q=S("q"))["Q"]
    with pytest.raises(ValueError, match="different splittings of one space"):
        mean(dot(P @ e[x], h[x]) * dot(other @ e[x], h[x]))


@pytest.mark.parametrize("size", [s, 5])
def test_a_fact_on_named_elements_is_true_or_false(size):
    A = Relation("A", inputs, outputs)
    with pytest.raises(ValueError, match="holds"):
        count(A(x, y), size, over=())


def test_power_sums_have_names_of_their_own():
    f = Association(inputs, outputs, "f", fibre_powers="n")
    with pytest.raises(ValueError, match="fibre_powers"):
        mean(sum_over([z, w], ones, where=equal(f(z), f(w))), [fibre(y, S("n2"))])


def test_two_maps_do_not_share_the_names_of_their_power_sums():
    other = Range(S("K"), "[K]")
    f = Association(inputs, outputs, "f", fibre_powers="n")
    q = Association(other, Range(S("L"), "[L]"), "q", fibre_powers="n")
    a, b = other.index("a"), other.index("b")
    both = sum_over([z, w], ones, where=equal(f(z), f(w)))
    both = both - sum_over([a, b], ones, where=equal(q(a), q(b)))
    with pytest.raises(ValueError, match="two maps call their power sums"):
        mean(both)


def test_an_index_is_not_listed_twice():
    with pytest.raises(ValueError, match="summed over twice"):
        sum_over([z, z], ones)


def test_a_condition_on_a_summed_index_is_refused():
    with pytest.raises(ValueError, match="z, which is summed over"):
        mean(sum_over(z, ones), [z != x])


@pytest.mark.parametrize("given", [[True], ["y != x"], [indicator(equal(x, z))]])
def test_what_is_no_condition_is_refused(given):
    with pytest.raises(TypeError, match="is no condition"):
        mean(dot(e[x], e[x]), given)


def test_more_orthonormal_vectors_than_dimensions_are_refused():
    result = mean(sum_over(z, dot(Fixed("a", d)[z], e[x]) ** 2))
    assert result(d=3, N=3) == 1
    with pytest.raises(ValueError, match="N"):
        result(d=1, N=3)


def test_an_injective_map_needs_as_many_outputs():
    f, u = Association(inputs, outputs), Sphere("u", d)
    result = mean(sum_over(z, dot(u[f(z)], u[f(x)]) ** 2))
    with pytest.raises(ValueError, match="M - N"):
        result(d=3, N=5, M=2)


def test_a_negative_variance_is_refused():
    with pytest.raises(ValueError, match="variance of g: -1 is negative"):
        Gaussian("g", d, -1)


@pytest.mark.parametrize("name", ["d", "N", "m", "same", "other", "a"])
def test_coefficients_of_an_activation_keep_their_names(name):
    found = mlp.margin_mean(S("D"), S("K"), S("H"), k=0, sigma=[0, S(name)])
    assert found == S(name)


def test_for_odd_degrees_the_variance_of_the_ntk_margin_speaks_of_injective_maps():
    assert "at most one input" in mlp.margin_variance(d, N, S("m"), k=1, sigma=1).scope
    assert "at most one input" not in mlp.margin_variance(d, N, S("m"), k=2, sigma=1).scope


def test_a_condition_that_stands_alone_is_refused():
    with pytest.raises(TypeError, match=r"pass a list of conditions, \[x != x2\]"):
        mean(dot(e[x], e[x2]), x != x2)


@pytest.mark.parametrize(
    "condition", [fibre(x, 1), fibre(one.index("b"), 0)], ids=["an input", "a range without a map"]
)
def test_only_outputs_have_fibres(condition):
    f, u = Association(inputs, outputs), Sphere("u", d)
    with pytest.raises(ValueError, match="no map enters"):
        mean(dot(u[f(x)], u[f(x)]), [condition])


@pytest.mark.parametrize("k", [1.5, True, "2"])
def test_a_wick_power_has_a_whole_degree(k):
    with pytest.raises(TypeError, match=r"k: .* is not an int"):
        wick_power(g[o], e[x], k)


@pytest.mark.parametrize(
    "build",
    [
        lambda: Relation("A", inputs, "answers"),
        lambda: Association(inputs, M),
        lambda: sum_over(Association(inputs, outputs)(x), ones),
        lambda: P @ 3,
    ],
    ids=["relation", "association", "sum over an image", "projection of a number"],
)
def test_what_is_no_range_index_or_vector_is_refused(build):
    with pytest.raises(TypeError, match=r"is no range|is no index|acts on vectors"):
        build()
