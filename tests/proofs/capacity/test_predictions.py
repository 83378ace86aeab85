"""Predictions: the moments they rest on, the sums that stand for integrals, and their limits."""

import math
from fractions import Fraction

import pytest
from flint import arb

from proofs.algebra.balls import precision
from proofs.capacity.predictions import (
    LinearPrediction,
    LowRankPrediction,
    MLPPrediction,
    QuantizedPrediction,
    _gamma_nodes,
    _gaussian_nodes,
    _Scores,
)
from proofs.capacity.rounding_noise import level_noise, step_noise
from proofs.capacity.score_moments import linear_scores, mlp_scores
from proofs.memories import linear, mlp


def gaussian_tail(x):
    """P(Z <= -x)."""
    return math.erfc(x / math.sqrt(2)) / 2


# -- moments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("inside", [True, False])
def test_at_alignment_one_the_moments_are_those_of_the_linear_memory(inside):
    d, N = 7, 11
    found = linear_scores(inside)
    variance = linear.margin_variance(d, N, y_in_image=inside).value
    assert found.mean(r=1) == 1
    assert found.variance(d=d, N=N, r=1) == variance
    # What is shared is the own score: unit weight on <e_x, e_x> and N - 1 products.
    assert found.covariance(d=d, N=N, r=1) == Fraction(N - 1, d**2)
    # Given the own score the competitors are symmetric about it: no skewness is shared.
    assert found.joint == 0
    assert found.mixed != 0


def test_the_moments_of_the_mlp_memory_are_those_of_its_margin():
    sizes = {"d": 5, "N": 6, "m": 8}
    sigma = (0, 0, 0, 1)
    found = mlp_scores(2, True)
    assert found.mean(**sizes) == mlp.margin_mean(*sizes.values(), k=2, sigma=sigma).value
    assert found.variance(**sizes) == mlp.margin_variance(*sizes.values(), k=2, sigma=sigma).value


# -- sums that stand for integrals -----------------------------------------------------------------


def law_moments(nodes, orders):
    nodes = [(float(w), float(x)) for w, x in nodes]
    return [sum(w * x**k for w, x in nodes) for k in orders]


@pytest.mark.parametrize("mean", [0, 3, 50])
def test_the_gaussian_nodes_have_its_moments(mean):
    with precision():
        found = law_moments(_gaussian_nodes(arb(mean)), range(7))
    assert found == pytest.approx([1, 0, 1, 0, 3, 0, 15], abs=1e-9)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("skewness", [0.02, 0.3, 1.0, 2.5, 4.0])
def test_the_gamma_nodes_have_the_mean_the_variance_and_the_skewness(skewness, side):
    with precision():
        found = law_moments(_gamma_nodes(4 / arb(skewness) ** 2, side), range(4))
    assert found == pytest.approx([1, 0, 1, side * skewness], abs=2e-3 * max(1, skewness))


@pytest.mark.parametrize(("shared", "noise"), [(0.0, 0.25), (0.04, 0.04), (1.0, 0.04)])
def test_one_competitor_of_a_gaussian_score_is_a_gaussian_margin(shared, noise):
    with precision():
        scores = _Scores(arb(1), arb(shared), arb(0), arb(noise), arb(0))
        found = float(scores.lost(1))
    assert found == pytest.approx(gaussian_tail(1 / math.sqrt(shared + noise)), rel=1e-6)


def test_competitors_are_independent_given_the_own_score():
    with precision():
        scores = _Scores(arb(1), arb(0), arb(0), arb(0.25), arb(0))
        assert float(scores.lost(7)) == pytest.approx(1 - (1 - gaussian_tail(2)) ** 7)


def test_a_better_own_score_does_not_make_a_loss_likelier():
    """Noise that grows faster than the score it comes with would."""
    with precision():
        steep = _Scores(arb(1), arb(0.01), arb(0), arb(0.04), arb(10))
        assert float(steep.lost(1)) < gaussian_tail(5)


def test_noise_that_comes_with_the_score_makes_losses_rarer():
    with precision():
        flat, tied = (
            float(_Scores(arb(1), arb(0.04), arb(0), arb(0.04), arb(slope)).lost(50))
            for slope in (0, 0.1)
        )
    assert tied < flat / 2


def test_a_score_without_noise_is_lost_where_it_is_negative():
    with precision():
        scores = _Scores(arb(1), arb(1), arb(0), arb(0), arb(0))
        assert float(scores.lost(3)) == pytest.approx(gaussian_tail(1), abs=0.1)


@pytest.mark.parametrize(("d", "m", "factors"), [(9, 4, "gaussian"), (9, 4, "orthonormal")])
def test_the_alignments_have_the_beta_law(d, m, factors):
    rest = d - 1 if factors == "gaussian" else d - m
    a, b = m / 2, rest / 2
    with precision():
        found = law_moments(LowRankPrediction(d, m, factors)._alignments(), (0, 2, 4))
    assert found == pytest.approx([1, a / (a + b), a * (a + 1) / ((a + b) * (a + b + 1))], rel=1e-3)


# -- rounding --------------------------------------------------------------------------------------


def noise_by_summation(quantise):
    """E Q(g)^2/(E g Q(g))^2 - 1 from a fine grid of g."""
    h = 1e-3
    grid = [(i + 0.5) * h for i in range(-9000, 9000)]
    weights = [h * math.exp(-(g**2) / 2) / math.sqrt(2 * math.pi) for g in grid]
    square = sum(w * quantise(g) ** 2 for w, g in zip(weights, grid, strict=True))
    product = sum(w * g * quantise(g) for w, g in zip(weights, grid, strict=True))
    return square / product**2 - 1


@pytest.mark.parametrize("step", [0.3, 0.5, 0.50001, 1.0, 2.0])
def test_the_noise_of_a_step_is_that_of_rounding(step):
    with precision():
        found = float(step_noise(arb(step)))
    assert found == pytest.approx(noise_by_summation(lambda g: step * round(g / step)), rel=5e-3)


def test_signs_keep_two_over_pi_of_the_variance():
    with precision():
        assert float(level_noise(1, 100)) == pytest.approx(math.pi / 2 - 1, rel=1e-12)


def test_few_levels_reach_to_the_largest_weight():
    with precision():
        found = float(level_noise(2, 4096))
    # The median of the largest of 4096: 2 * 4096 P(Z <= -x) = log 2.
    largest = next(x / 1e4 for x in range(60000) if 2 * 4096 * gaussian_tail(x / 1e4) < math.log(2))
    s = 2 * largest / 3

    def quantise(g):
        return math.copysign(s / 2 if abs(g) < s else 3 * s / 2, g)

    assert found == pytest.approx(noise_by_summation(quantise), rel=5e-3)


# -- the predictions -------------------------------------------------------------------------------

PREDICTIONS = [
    LinearPrediction(64),
    LowRankPrediction(32, 16),
    QuantizedPrediction(32, bits=1),
    MLPPrediction(16, 256),
]


@pytest.mark.parametrize("prediction", PREDICTIONS, ids=lambda p: type(p).__name__)
def test_predictions_are_probabilities_that_grow_with_the_load(prediction):
    found = [prediction.failure(N) for N in (1, 2, 4, 8, 32, 128, 512)]
    assert found == sorted(found)
    assert found[0] == 0
    assert found[-1] > Fraction(9, 10)
    assert all(0 <= value <= 1 for value in found)
    assert prediction.failure(4, 40) > prediction.failure(4)


@pytest.mark.parametrize("prediction", PREDICTIONS, ids=lambda p: type(p).__name__)
def test_the_largest_number_is_where_delta_is_passed(prediction):
    N = prediction.largest(delta="0.1")
    assert prediction.failure(N) <= Fraction(1, 10) < prediction.failure(N + 1)
    assert prediction.largest(delta="0.1", M=N - 1) <= N - 1


def test_a_single_pair_is_a_gaussian_margin():
    # N = 1, M = 2, d = 100: gamma = 1 - <u_f(x), u_y>, mean 1 and variance 1/100.
    assert float(LinearPrediction(100).failure(1, 2)) == pytest.approx(gaussian_tail(10), rel=1e-6)


def test_all_orthonormal_factors_are_the_linear_memory():
    assert LowRankPrediction(32, 32, "orthonormal").failure(20) == LinearPrediction(32).failure(20)


def test_coarser_weights_are_worse():
    kept = [
        LinearPrediction(64),
        QuantizedPrediction(64),
        QuantizedPrediction(64, bits=4),
        QuantizedPrediction(64, Fraction(1, 10)),
        QuantizedPrediction(64, bits=1),
    ]
    found = [prediction.failure(60) for prediction in kept]
    assert found == sorted(found)


def test_a_tiny_delta_is_reached_far_in_the_tail():
    N = LinearPrediction(4096).largest(delta="1e-300")
    assert 0 < N < LinearPrediction(4096).largest(delta="1e-30")


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: LinearPrediction(0), "d: 0"),
        (lambda: LowRankPrediction(4, 5, "orthonormal"), "m: 5"),
        (lambda: LinearPrediction(4).failure(3, 2), "N: 3"),
        (lambda: LinearPrediction(4).largest(delta=0), "delta: 0"),
    ],
)
def test_errors_name_the_size(make, named):
    with pytest.raises(ValueError, match=named):
        make()
