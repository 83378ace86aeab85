"""Section 3 and the summary: what decides the claims, worked out again."""

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import torch
from numpy.polynomial import hermite_e

from proofs.algebra import RationalFunction
from proofs.hermite import coefficients, enclosures
from proofs.memories import mlp
from verify.verdict import Verdict

F = Fraction


@pytest.fixture
def proofs(judge):
    """The verdicts of the exact checks with some formulas changed."""
    return lambda id_, **formulas: [found.verdict for found in judge.all(id_, **formulas)]


def gauss(function):
    """E function(g), by quadrature on the two halves of the line."""
    points, weights = np.polynomial.legendre.leggauss(400)
    total = 0.0
    for low, high in ((-14.0, 0.0), (0.0, 14.0)):
        at = (high - low) / 2 * points + (high + low) / 2
        density = np.exp(-(at**2) / 2) / math.sqrt(2 * math.pi)
        total += (high - low) / 2 * float((function(at) * density * weights).sum())
    return total


def h(k, t):
    return hermite_e.hermeval(t, [0.0] * k + [1.0]) / math.sqrt(math.factorial(k))


# -- two outputs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("power", ["1/2", "3/4", "5/4", "3/2", "2"])
def test_an_order_other_than_the_dimension_is_refuted(proofs, power):
    assert proofs("nichani.s3.noninjective", power=power) == [Verdict.REFUTED]


def test_the_probability_of_the_statement_in_the_plane():
    """N directions in the plane are cut as alternating labels say with probability N/2^(N-1)."""
    rng = np.random.default_rng(4)
    for N in (3, 4, 6):
        stated = F(2) ** (1 - N) * sum(math.comb(N - 1, k) for k in range(2))
        assert stated == F(N, 2 ** (N - 1))
        angles = rng.uniform(0, 2 * np.pi, (20_000, N)) + np.pi * (np.arange(N) % 2)
        turned = np.sort(angles % (2 * np.pi), axis=1)
        gaps = np.diff(np.concatenate([turned, turned[:, :1] + 2 * np.pi], axis=1), axis=1)
        cut = float((gaps.max(axis=1) > np.pi).mean())
        error = 5 * math.sqrt(float(stated * (1 - stated)) / 20_000)
        assert abs(cut - float(stated)) < error


# -- eq. (3) --------------------------------------------------------------------------------------


def test_the_limit_of_the_reading_note(judge):
    """k = 1 and sigma = 1 + 2 z on one fact: E[w (1 + 2 w)] = 2."""
    assert gauss(lambda w: w * (1 + 2 * w)) == pytest.approx(2)
    found = judge.counterexample("nichani.s3.eq3")
    assert found["exact"] != found["printed"] == 1


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("key", [1.0, 0.6, -0.3])
def test_the_limit_has_the_coefficient_and_the_power(k, key):
    c = [0.5, -1.0, 2.0, 0.7]
    points, weights = hermite_e.hermegauss(14)
    s, t = np.meshgrid(points, points)
    mass = np.outer(weights, weights) / weights.sum() ** 2
    sigma = sum(x * h(j, s) for j, x in enumerate(c))
    limit = float((h(k, key * s + math.sqrt(1 - key**2) * t) * sigma * mass).sum())
    assert limit == pytest.approx(c[k] * key**k)


@pytest.mark.parametrize(
    "formulas",
    [
        {"own": "c", "other": "c"},
        {"own": "c", "other": "K"},
        {"own": "c", "other": "c*K**2"},
        {"own": "c + 1", "other": "c*K"},
        {"own": "k*c/2 + c/2", "other": "c*K"},
    ],
    ids=str,
)
def test_another_limit_is_refuted(proofs, formulas):
    assert Verdict.REFUTED in proofs("nichani.s3.eq3.corrected", **formulas)


# -- the polynomial memory ------------------------------------------------------------------------


def test_recall_of_the_polynomial_memory_turns_at_the_order():
    """k = 2, d = 12: most memories of d^3/100 facts recall all, of d^3/4 few do."""
    from numerics.papers.nichani.feature_memory import failures

    few, many = (
        float(failures(12, N, N, 2, 12, seed=2).values.mean()) for N in (12**3 // 100, 12**3 // 4)
    )
    assert few < 0.5 < many


def test_half_orders_are_no_orders(proofs):
    for power in ("k + 3/2", "k + 1/2", "2*k + 2", "k/2"):
        (found,) = proofs("nichani.s3.k-log", power=power)
        assert found is Verdict.REFUTED, power


# -- the ReLU -------------------------------------------------------------------------------------


def test_the_coefficients_of_the_relu_by_quadrature():
    exact = coefficients("relu", 9)
    for k in range(10):
        wanted = gauss(lambda g, k=k: np.maximum(g, 0) * h(k, g))
        if k > 1 and k % 2:
            assert exact[k] == 0
            assert wanted == pytest.approx(0, abs=1e-10)
        else:
            assert exact[k] != 0
            assert abs(wanted) > 1e-3


def test_by_hand_the_third_coefficient_of_the_relu_is_zero(judge):
    """E[max(0, g) (g^3 - 3 g)] is half of E[g^4 - 3 g^2] = 3 - 3."""
    assert gauss(lambda g: np.maximum(g, 0) * g**3) == pytest.approx(3 / 2)
    assert gauss(lambda g: np.maximum(g, 0) * 3 * g) == pytest.approx(3 / 2)
    found = judge.counterexample("nichani.s3.relu-ntk")
    assert found["k"] == 2
    assert found["mean margin"] == 0


@pytest.mark.parametrize("k", [1, 3])
def test_the_mean_for_odd_degrees_by_hand_and_its_need_of_an_injective_map(k):
    """sqrt(k+1) c_{k+1} (1 + (a - b) E t^(k+1)), a inputs more of x's output and b of y's."""
    d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")
    whole = RationalFunction.root(k + 1) * RationalFunction.symbol(f"c{k + 1}")
    power = math.prod(((2 * j + 1) / (d + 2 * j) for j in range((k + 1) // 2)), start=1 + 0 * d)
    for same, other in ((0, 0), (0, 1), (2, 0), (0, 3), (2, 5)):
        found = mlp.margin_mean(
            d, N, 1, k=k, sigma=k + 1, same=same, other=other, y_in_image=other > 0
        ).value
        assert found == whole * (1 + (same - other) * power)
    # With d inputs of the output y at k = 1 it is 0, with more it is negative.
    assert mlp.margin_mean(4, 9, 1, k=1, sigma=2, other=4).value == 0


def test_the_relu_at_degree_two_stores_nothing():
    """Drawn: the margins of k = 2 have no mean to speak of, those of k = 1 do."""
    from numerics.draws.mlp_margin import margin_replicates

    means = {}
    for k in (1, 2):
        gamma = margin_replicates(12, 2, 3, 200, 512, k=k, sigma="relu", seed=3)[:, 0, 2]
        means[k] = float(gamma.mean()), float(gamma.std()) / math.sqrt(512)
    assert abs(means[2][0]) < 5 * means[2][1]
    wanted = math.sqrt(2) * gauss(lambda g: np.maximum(g, 0) * h(2, g))
    assert abs(means[1][0] - wanted) < 5 * means[1][1]
    assert means[1][0] > 5 * means[1][1]


# -- the summary ----------------------------------------------------------------------------------


def test_bits_do_not_suffice_at_the_size_named(judge):
    found = judge.counterexample("summary.mlp-capacity")
    s = int(re.fullmatch(r"2\^(\d+)", found["d"])[1])
    d = 2**s
    assert found["bits of a parameter"] == "log2(d)^4"
    maps = math.lgamma(float(d**3) + 1) / math.log(2)
    assert maps > s**4 * float(d**2)


@pytest.mark.parametrize(
    ("facts", "parameters"), [("3", "2"), ("3", "11/4"), ("10/3", "3"), ("4", "3")]
)
def test_more_facts_than_parameters_are_refuted(proofs, facts, parameters):
    found = proofs("summary.mlp-capacity.corrected", facts=facts, parameters=parameters)
    assert found == [Verdict.REFUTED]


@pytest.mark.parametrize("power", ["1", "3/2", "19/10", "21/10", "5/2", "3"])
def test_another_order_of_the_linear_memory_is_refuted(proofs, power):
    assert proofs("summary.linear-capacity", power=power) == [Verdict.REFUTED]


@pytest.mark.parametrize("id_", ["summary.orthogonal", "nichani.s3.one-hot"])
@pytest.mark.parametrize("most", ["d - 1", "d/2", "2*d - 3", "1"])
def test_fewer_orthonormal_inputs_are_refuted(proofs, id_, most):
    assert proofs(id_, most=most) == [Verdict.REFUTED]


def test_the_third_coefficients_decide(judge):
    sine = gauss(lambda g: np.sin(g) * h(3, g))
    assert sine == pytest.approx(-math.exp(-1 / 2) / math.sqrt(6))
    assert float(enclosures.coefficient("sin", 3).mid()) == pytest.approx(sine)
    tanh = gauss(lambda g: np.tanh(g) * h(3, g))
    assert float(enclosures.coefficient("tanh", 3).mid()) == pytest.approx(tanh, abs=1e-8)
    found = judge.counterexample("summary.activation")
    assert found["sigma"] == "tanh"
    assert found["k"] == 2


@pytest.mark.parametrize(("tanh", "sin", "relu"), list(product("01", repeat=3)))
def test_which_activations_fail(proofs, tanh, sin, relu):
    found = proofs("summary.activation.corrected", tanh=tanh, sin=sin, relu=relu)
    right = (tanh, sin, relu) == ("0", "0", "1")
    assert found == [Verdict.CERTIFIED if right else Verdict.REFUTED]


@pytest.mark.parametrize(("sigma", "recalls"), [("tanh", True), ("sin", True), ("relu", False)])
def test_memories_at_the_sizes_named(sigma, recalls):
    """All 128 facts at d = 32, m = 4096, draw after draw; the ReLU loses some in each."""
    from numerics.draws.mlp_margin import failures

    lost = failures(32, 128, 128, 4096, 4, k=2, sigma=sigma, seed=11).values
    assert torch.equal(lost, torch.zeros(4).double() if recalls else torch.ones(4).double())


def test_the_mean_margin_of_the_sine_is_the_one_stated():
    """sqrt(3) c_3 for k = 2 up to the sign, within five standard errors."""
    from numerics.draws.mlp_margin import margin_replicates

    gamma = margin_replicates(6, 2, 3, 64, 2048, k=2, sigma="sin", seed=5)
    wanted = math.sqrt(3) * math.exp(-1 / 2) / math.sqrt(6)
    for y in (1, 2):
        margin = gamma[:, 0, y]
        assert abs(float(margin.mean()) - wanted) < 5 * float(margin.std()) / math.sqrt(2048)


def test_the_signs_of_the_differences_of_scores_decide_one_map():
    """Two maps that one weight recalls are one map: each fact has one strict winner."""
    rng = np.random.default_rng(9)
    for _ in range(50):
        scores = rng.standard_normal((3, 3))
        recalled = [
            f
            for f in product(range(3), repeat=3)
            if all(scores[x, f[x]] > max(np.delete(scores[x], f[x])) for x in range(3))
        ]
        assert len(recalled) == 1
