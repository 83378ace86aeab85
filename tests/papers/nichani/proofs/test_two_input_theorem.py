"""The steps of the proof of Lemma 3: what they give, and that wrong constants break them."""

from fractions import Fraction
from math import ceil, factorial, floor, sqrt

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from proofs.algebra import RationalFunction
from proofs.memories.two_input_mlp import Shape, Table, margin_mean, margin_variance
from proofs.papers.nichani import two_input_mlp as lemma

F = Fraction
d, n, p, q = (RationalFunction.symbol(name) for name in "dnpq")
constant = RationalFunction.constant


# -- degrees --------------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [F(9), F(10), F(19, 2)])
def test_printed_degrees_fit_from_nine_on(least):
    assert lemma.degrees_fit(least, 4, 2).holds


@pytest.mark.parametrize("least", [F(2), F(3), F(4), F(8), F(89, 10)])
def test_a_witness_is_an_epsilon_for_which_the_degrees_do_not_fit(least):
    witness = lemma.degrees_fit(least, 4, 2).witness
    epsilon, degree = witness["epsilon"], witness["q"]
    assert witness["C_2"] == degree * epsilon >= least
    assert 0 < epsilon < 1
    assert 4 * ceil(1 / epsilon) + 2 == witness["p + k"] > degree


def test_halves_of_the_degree_serve_every_constant_above_two():
    """p = ceil(q/2) and k + 1 exceed 1/eps by at least (C_2 - 2)/(2 eps)."""
    assert lemma.split_degree(F(2)).holds
    assert not lemma.split_degree(F(19, 10)).holds
    for degree in range(3, 40):
        for over in (F(21, 10), F(5, 2), F(3), F(7)):
            epsilon = over / degree
            if epsilon < 1:
                eta = (over - 2) / (2 * epsilon)
                assert min(ceil(F(degree, 2)), floor(F(degree, 2)) + 1) >= 1 / epsilon + eta > 0


def test_two_subspaces_fit_and_three_do_not():
    half = (d - 1) / 2
    assert lemma.room(constant(2), half).holds
    assert lemma.room(constant(3), half).witness["d"] == 5
    assert lemma.room(constant(2), half + 1).witness["d"] == 3


def test_the_derivative_of_the_second_polynomial():
    witness = lemma.derivative_coefficient(constant(1), constant(1)).witness
    assert witness["n"] == 2
    assert witness["(E sigma^(2)(Z))^2"] == 2
    assert lemma.derivative_coefficient(constant(1), n + 1).holds


def test_steins_step_and_its_neighbours():
    right = (F(1), constant(1), n, n)
    assert lemma.stein_step(*right).holds
    for wrong in ((F(-1), *right[1:]), (F(1), n, n, n), (F(1), constant(1), n - 1, n)):
        witness = lemma.stein_step(*wrong).witness
        assert witness["left"] != witness["stated"]


# -- projected norms ------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [3, 7, 21])
def test_moments_of_projections_agree_with_a_simulation(dimension):
    rng = np.random.default_rng(3)
    half = (dimension - 1) // 2
    phi = rng.standard_normal((2, 200_000, dimension))
    phi /= np.linalg.norm(phi, axis=2, keepdims=True)
    s, s2 = phi[:, :, :half]
    for j in (1, 2, 3):
        for values, exact in (
            ((s**2).sum(axis=1) ** j, lemma.norm_moment(j)),
            ((s * s2).sum(axis=1) ** (2 * j), lemma.projected_overlap(j)),
        ):
            found = float(exact(d=dimension).as_fraction())
            error = values.std() / sqrt(len(values))
            assert abs(values.mean() - found) < 5 * error


def test_means_converge_at_the_rate_stated():
    assert lemma.moments_converge("X").holds
    for j in range(1, 7):
        for dimension in (3, 5, 9, 101):
            moment = lemma.norm_moment(j)(d=dimension).as_fraction()
            assert abs(moment - F(1, 2**j)) <= F(j * j, 2 * dimension)


def test_an_order_too_high_has_a_witness():
    off = lemma.norm_moment(1) - F(1, 2)
    assert lemma.beyond_the_order(off, F(1), "off") is None
    assert lemma.beyond_the_order(off, F(2), "off") is not None


def test_the_orlicz_norm_is_of_the_order_of_one_over_the_root():
    assert lemma.orlicz(F(1, 2)).holds
    assert lemma.orlicz(F(1)).witness is not None
    assert lemma.orlicz(F(51, 100)).witness is not None


def test_overlaps_are_bounded_for_every_order():
    assert lemma.overlap_bounds(4 * p, p).holds
    witness = lemma.overlap_bounds(p / 3, p).witness
    assert (witness["p"], witness["d"]) == (1, 5)
    assert witness["E<P s, P s'>^(2p)"] == F(2, 25)


# -- the variance ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "k"), [(1, 1), (1, 3)])
def test_the_noise_without_neurons_is_the_limit_of_the_engines_variance(order, k):
    """sigma^(p+k) constant, m to infinity: the coefficient of 1/m drops out."""
    S, R, m = (RationalFunction.symbol(name) for name in "SRm")
    sigma = [0] * (order + k) + [1]
    for collisions in (1, 2):
        shape, table = Shape(d, S, R, m, order, k, sigma), Table(collisions, 0)
        value = margin_variance(shape, table).value
        # Var = U + V/m: from two widths.
        limit = 2 * value(m=2) - value(m=1)
        ratio = limit / margin_mean(shape, table).value ** 2
        assert ratio == lemma.noise_without_neurons(order, k)(n=collisions)


def test_the_variance_bound_needs_each_of_its_terms():
    x, y, S, R, m = (RationalFunction.symbol(name) for name in ("x", "y", "S", "R", "m"))
    terms = [1 / d, x, y, x * y, n / m, S * R / (m * d)]
    total = sum(terms, constant(0))
    assert lemma.variance_bound(total).holds
    for term in terms:
        assert not lemma.variance_bound(total - term).holds


# -- the lemma ------------------------------------------------------------------------------------


def test_the_lemma_follows_from_all_three_conditions():
    for argument in (
        lemma.split_degree(F(2)),
        lemma.centred_features(),
        lemma.centred_variance(),
        lemma.recall(True, True, True),
    ):
        assert argument.holds, argument.broken
    for kept in ((False, True, True), (True, False, True), (True, True, False)):
        assert not lemma.recall(*kept).holds


@pytest.mark.parametrize("least", [F(1), F(3, 2), F(19, 10)])
def test_a_smaller_degree_has_too_few_coefficients(least):
    argument = lemma.too_small_a_degree(least)
    assert argument.broken is None
    assert argument.witness["C_2"] > least
    assert argument.witness["q"] + 1 < 2 / argument.witness["epsilon"]


def test_from_two_on_the_degree_is_large_enough():
    assert lemma.too_small_a_degree(F(2)) is None


def wick(t, square, order):
    return hermite_e.hermeval(t / np.sqrt(square), [0] * order + [1]) * np.sqrt(square) ** order


@pytest.fixture(scope="module")
def centred():
    """h = 2, p = 2, k = 1, sigma = h_0 + h_1 + h_2 + 2 h_3: E_w of a term of s' and r', by quadrature,
    with the feature of the subject less its mean over directions."""
    nodes, weights = hermite_e.hermegauss(8)
    w = np.stack(np.meshgrid(*[nodes] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    weight = np.prod(np.stack(np.meshgrid(*[weights] * 4, indexing="ij"), -1), -1).reshape(-1)
    weight /= weight.sum()
    sigma = [1, 1, 1 / sqrt(2), 2 / sqrt(6)]

    def mean(s, r, s2, r2):
        inner = w[:, :2] @ s + w[:, 2:] @ r
        square = s2 @ s2
        # <He_2(w), I/h> = (|P w|^2 - h)/h, and T_2 = I/h.
        feature = wick(w[:, :2] @ s2, square, 2) - square * ((w[:, :2] ** 2).sum(axis=1) - 2) / 2
        return (weight * hermite_e.hermeval(inner, sigma) * feature * (w[:, 2:] @ r2)).sum()

    return mean


def test_centred_features_have_mean_zero_over_directions(centred):
    rng = np.random.default_rng(0)
    s, r, r2 = rng.standard_normal((3, 2))
    angles = np.arange(8) * np.pi / 4 + 0.3
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    values = [centred(s, r, 0.7 * u, r2) for u in directions]
    assert abs(np.mean(values)) < 1e-12 < np.max(np.abs(values))


def test_the_own_term_of_centred_features_is_the_mean_stated(centred):
    """c A^p B^k (1 - tau_p) with c = sqrt(3!) c_3 and tau_2 = 1/h."""
    rng = np.random.default_rng(1)
    s, r = rng.standard_normal((2, 2))
    stated = sqrt(factorial(3)) * 2 * (s @ s) ** 2 * (r @ r) * (1 - 1 / 2)
    assert centred(s, r, s, r) == pytest.approx(stated)


def test_the_degree_of_the_margin_is_that_of_the_tail_bound():
    for degree in range(3, 12):
        first, second = ceil(F(degree, 2)), degree // 2
        assert 2 * degree + 2 * (first + second) + 2 == 4 * degree + 2
