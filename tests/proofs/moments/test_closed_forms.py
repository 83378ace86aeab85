"""Moments and multiplicities whose closed form is known from elsewhere."""

import itertools
from fractions import Fraction
from math import perm, prod

import pytest

from proofs.algebra import RationalFunction
from proofs.hermite import hermite
from proofs.moments import (
    Association,
    Gaussian,
    Range,
    Sphere,
    Splitting,
    central_moment,
    covariance,
    dot,
    fibre,
    mean,
    outer,
    raw_moments,
    sum_over,
    variance,
    wick_power,
)
from proofs.moments.counting import (
    falling,
    falling_coefficients,
    over_distinct_outputs,
    set_partitions,
)
from proofs.moments.pairings import pairings

d, N, M = (RationalFunction.symbol(name) for name in "dNM")
ONE = RationalFunction.constant(1)
inputs, outputs = Range(N, "[N]"), Range(M, "[M]")
x, x2, z = (inputs.index(name) for name in ("x", "x2", "z"))


@pytest.mark.parametrize("p", range(13))
def test_even_moments_of_the_overlap_of_two_unit_vectors(p):
    e = Sphere("e", d)
    expected = prod(
        (RationalFunction.constant(2 * i + 1) / (d + 2 * i) for i in range(p)), start=ONE
    )
    assert mean(dot(e[x], e[x2]) ** (2 * p), [x != x2]) == expected


@pytest.mark.parametrize("p", range(1, 8))
def test_even_moments_of_the_overlap_at_d_three_are_those_of_a_uniform_variable(p):
    e = Sphere("e", 3)  # Archimedes: a coordinate is uniform on [-1, 1]
    assert mean(dot(e[x], e[x2]) ** (2 * p), [x != x2]) == Fraction(1, 2 * p + 1)


@pytest.mark.parametrize("p", range(6))
def test_odd_moments_of_the_overlap_vanish(p):
    e = Sphere("e", d)
    assert mean(dot(e[x], e[x2]) ** (2 * p + 1), [x != x2]) == 0


@pytest.mark.parametrize("k", range(1, 6))
def test_a_wick_power_beside_the_squared_norm_is_no_homogeneous_polynomial(k):
    # E |g|^2 He_2k(<g,e>): integrating |g|^2 by parts leaves E Laplacian = E He_2k'' = 0 for k > 1.
    g, e = Gaussian("g", d), Sphere("e", d)
    found = mean(dot(g[x], g[x]) * hermite(2 * k, dot(g[x], e[x2]), normalized=False), [x != x2])
    assert found == (2 if k == 1 else 0)


@pytest.mark.parametrize("part", ["block", "whole"])
def test_a_second_unit_vector_beside_a_wick_power_leaves_its_overlap(part):
    # E <g,e'>^2 He_2(<g,e>) = 2 E <e',e>^2, on a block of dimension p: 2 E <P e', P e>^2.
    g, e, e2 = Gaussian("g", d), Sphere("e", d), Sphere("e'", d)
    p = RationalFunction.symbol("p")
    P = Splitting(d, P=p)["P"]
    if part == "whole":
        square = dot(g[x], e2[x]) ** 2
        assert mean(square * hermite(2, dot(g[x], e[x]), normalized=False)) == 2 / d
    else:
        square = dot(P @ g[x], e2[x]) ** 2
        assert mean(square * wick_power(P @ g[x], e[x], 2)) == 2 * p / d**2


@pytest.mark.parametrize("k", range(9))
def test_the_squared_norm_of_a_gaussian_has_chi_squared_moments(k):
    s = RationalFunction.symbol("s")
    g = Gaussian("g", d, s)
    expected = prod(((d + 2 * i) * s for i in range(k)), start=ONE)
    assert mean(dot(g[x], g[x]) ** k) == expected


@pytest.mark.parametrize("k", range(1, 6))
def test_the_overlap_of_two_gaussians_given_one_is_its_norm_times_a_normal(k):
    g = Gaussian("g", d)
    normal = prod(range(1, 2 * k, 2))
    chi = prod((d + 2 * i for i in range(k)), start=ONE)
    assert mean(dot(g[x], g[x2]) ** (2 * k), [x != x2]) == chi * normal


@pytest.mark.parametrize("order", range(1, 7))
def test_multiplicities_of_all_patterns_add_up(order):
    e = Sphere("e", d)
    ones = sum_over(z, dot(e[z], e[z]))
    assert raw_moments([ones] * order)[-1].value == N**order


@pytest.mark.parametrize("order", range(1, 5))
@pytest.mark.parametrize("powers", [None, "p"])
def test_multiplicities_add_up_under_a_map_with_named_elements(order, powers):
    e, u = Sphere("e", d), Sphere("u", d)
    f = Association(inputs, outputs, fibre_powers=powers)
    y = outputs.index("y")
    named = dot(e[x], e[x]) * dot(u[f(x)], u[f(x)]) * dot(u[y], u[y])
    ones = named * sum_over(z, dot(e[z], e[z]) * dot(u[f(z)], u[f(z)]))
    given = [y != f(x), fibre(f(x), RationalFunction.symbol("a")), fibre(y, 2)]
    assert raw_moments([ones] * order, given)[-1].value == N**order


@pytest.mark.parametrize("order", range(1, 5))
def test_coincidences_of_outputs_are_counted_by_power_sums(order):
    # E (sum_z <u_f(z), u_y>)^2 = |f^-1(y)|^2 + (sum over other outputs of n^2)/d; here y is empty.
    u = Sphere("u", d)
    f = Association(inputs, outputs, fibre_powers="p")
    y = outputs.index("y")
    expression = sum_over(z, dot(u[f(z)], u[y]))
    assert variance(expression, [fibre(y, order)]) == RationalFunction.symbol("p2") / d


@pytest.mark.parametrize(
    "sizes", [[], [1], [1, 1, 1], [0, 1, 2], [3, 2, 2, 0], [4, 1, 0, 0, 1]], ids=str
)
@pytest.mark.parametrize("wanted", [[], [0], [1], [2], [1, 1], [2, 1], [0, 0], [1, 0, 2]], ids=str)
def test_sums_over_distinct_outputs_by_brute_force(sizes, wanted):
    expected = sum(
        prod(perm(sizes[o], k) for o, k in zip(chosen, wanted, strict=True))
        for chosen in itertools.permutations(range(len(sizes)), len(wanted))
    )
    found = over_distinct_outputs(
        wanted, lambda j: RationalFunction.constant(sum(n**j for n in sizes))
    )
    assert found == expected


@pytest.mark.parametrize("count", range(6))
def test_falling_factorials_have_their_coefficients(count):
    by_powers = sum((N**j * c for j, c in enumerate(falling_coefficients(count))), N - N)
    assert by_powers == falling(N, count)


@pytest.mark.parametrize(("items", "bell"), list(enumerate([1, 1, 2, 5, 15, 52])))
def test_set_partitions_are_counted_by_bell_numbers(items, bell):
    found = {tuple(sorted(tuple(sorted(b)) for b in p)) for p in set_partitions(range(items))}
    assert len(found) == bell


@pytest.mark.parametrize(
    "degrees",
    [(), (2,), (1, 1), (3, 1), (2, 2), (4, 2, 2), (3, 3, 2), (1, 1, 1, 1), (5, 3)],
    ids=str,
)
def test_the_pairings_of_k_half_edges_are_counted_by_the_double_factorial(degrees):
    assert sum(count for _, count in pairings(degrees)) == prod(range(1, sum(degrees), 2))


@pytest.mark.parametrize("degrees", [(2, 2), (3, 1), (4, 2), (2, 2, 2), (3, 2, 1)], ids=str)
def test_pairings_by_brute_force(degrees):
    owners = [v for v, k in enumerate(degrees) for _ in range(k)]

    def match(left):
        if not left:
            return [[]]
        first, rest = left[0], left[1:]
        return [
            [(first, other), *tail]
            for other in rest
            for tail in match([h for h in rest if h != other])
        ]

    counted = {}
    for matching in match(list(range(len(owners)))):
        pairs = [tuple(sorted((owners[a], owners[b]))) for a, b in matching]
        graph = tuple(sorted((a, b, pairs.count((a, b))) for a, b in set(pairs)))
        counted[graph] = counted.get(graph, 0) + 1
    assert dict(pairings(degrees)) == counted


def test_a_central_moment_does_not_see_a_shift():
    e = Sphere("e", d)
    overlap = dot(e[x], e[x2])
    assert central_moment(4, overlap + 7, [x != x2]) == mean(overlap**4, [x != x2])


def test_the_first_central_moment_vanishes():
    e = Sphere("e", d)
    assert central_moment(1, dot(e[x], e[x2]) ** 2, [x != x2]) == 0


def test_the_covariance_of_an_expression_with_itself_is_its_variance():
    e = Sphere("e", d)
    square = sum_over(z, dot(e[z], e[x]) ** 2)
    assert covariance(square, square) == variance(square)


def test_contributions_add_up_to_the_moment():
    e = Sphere("e", d)
    moment = raw_moments([sum_over(z, dot(e[z], e[x]))] * 4)[-1]
    assert sum((c.value for c in moment.contributions), N - N) == moment.value


def test_the_trace_of_the_weight_against_its_transpose():
    # |W|_F^2 = sum over pairs <u_f(z), u_f(v)> <e_z, e_v>: only z = v has a mean.
    e, u = Sphere("e", d), Sphere("u", d)
    f = Association(inputs, outputs)
    weight = sum_over(z, outer(u[f(z)], e[z]))
    assert mean(dot(weight.T @ u[f(x)], e[x])) == 1
