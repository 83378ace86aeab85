"""Orders of capacities: the right power is accepted, others are found out at checked witnesses."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations, product
from math import comb, e, exp, lgamma, log, log2

import numpy as np
import pytest
from scipy.optimize import linprog

from proofs.algebra import RationalFunction
from proofs.memories import polynomial
from proofs.papers.nichani import orders

F = Fraction
d, N, m = map(RationalFunction.symbol, "dNm")
ONE = RationalFunction.constant(1)


# -- one gradient step ----------------------------------------------------------------------------


@pytest.mark.parametrize("factored", [False, True])
def test_one_gradient_step_is_the_sum_of_outer_products(factored: bool) -> None:
    assert orders.gradient_step(ONE, factored=factored).holds
    # The same by finite differences, at other sizes, f not injective.
    rng = np.random.default_rng(2)
    dim, rank, table = 3, 2, [0, 1, 1, 2]
    inputs, outputs = rng.standard_normal((4, dim)), rng.standard_normal((3, dim))
    factors = rng.standard_normal((dim, rank)) if factored else np.eye(dim)

    def loss(trained: np.ndarray) -> float:
        images = inputs @ (trained @ factors.T).T
        return -float((outputs[table] * images).sum())

    start = np.zeros((dim, factors.shape[1]))
    gradient = np.zeros_like(start)
    for at in np.ndindex(*start.shape):
        moved = start.copy()
        moved[at] = 1e-3
        gradient[at] = (loss(moved) - loss(start)) / 1e-3
    step = -gradient @ factors.T
    assert np.allclose(step, outputs[table].T @ inputs @ (factors @ factors.T))


@pytest.mark.parametrize("factored", [False, True])
@pytest.mark.parametrize("factor", [-ONE, 2 * ONE, 1 / N, 0 * ONE, 1 / m, ONE / 2], ids=str)
def test_another_factor_fails_at_an_entry(factor: RationalFunction, factored: bool) -> None:
    argument = orders.gradient_step(factor, factored=factored)
    assert argument.witness is not None
    assert not argument.holds or "entry" in argument.witness
    assert argument.witness["step over eta"] != argument.witness["stated"]


# -- distinct embeddings --------------------------------------------------------------------------


@pytest.mark.parametrize("attained", [False, True])
def test_as_many_orthonormal_inputs_as_dimensions(attained: bool) -> None:
    assert orders.orthogonal_inputs(d, attained=attained).holds
    rng = np.random.default_rng(1)
    for dim in (1, 4, 9):
        keys = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
        values = rng.standard_normal((dim, max(dim, 2)))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        scores = keys @ keys.T @ values @ values.T  # of x, for each y, by W = sum_x u_x e_x^T
        assert (scores.argmax(axis=1) == np.arange(dim)).all()


@pytest.mark.parametrize("most", [d - 1, d / 2, ONE, 2 * d / 3], ids=str)
@pytest.mark.parametrize("attained", [False, True])
def test_fewer_inputs_are_exceeded(most: RationalFunction, attained: bool) -> None:
    witness = orders.orthogonal_inputs(most, attained=attained).witness
    assert witness is not None
    stated, dim = witness["stated"], witness["d"]
    assert isinstance(stated, Fraction)
    assert isinstance(dim, int)
    assert stated < dim


def test_more_inputs_are_no_number_that_is_attained() -> None:
    for most in (2 * d, d + 1, d**2):
        witness = orders.orthogonal_inputs(most, attained=True).witness
        assert witness is not None
        argument = orders.orthogonal_inputs(most, attained=False)
        # A larger bound is true, but not what is derived.
        assert argument.witness is None
        assert not argument.holds


# -- two outputs ----------------------------------------------------------------------------------


def is_cut(vectors: np.ndarray, signs: np.ndarray) -> bool:
    rows = -signs[:, None] * vectors
    found = linprog(
        np.zeros(vectors.shape[1]),
        A_ub=rows,
        b_ub=-np.ones(len(rows)),
        bounds=[(None, None)] * vectors.shape[1],
    )
    return bool(found.status == 0)


@pytest.mark.parametrize(("dim", "inputs"), [(1, 1), (1, 3), (2, 4), (2, 5), (3, 5), (4, 6)])
def test_how_many_labellings_a_plane_cuts_by_trying_all(dim: int, inputs: int) -> None:
    vectors = np.random.default_rng(dim).standard_normal((inputs, dim))
    count = sum(is_cut(vectors, np.array(s)) for s in product((-1.0, 1.0), repeat=inputs))
    assert orders.separable(inputs, dim) == F(count, 2**inputs)


def test_recall_of_two_outputs_is_certain_then_even_then_rare() -> None:
    for dim in (1, 2, 7, 40):
        assert orders.separable(dim, dim) == 1
        assert orders.separable(2 * dim, dim) == F(1, 2)
        # Exactly the chance of fewer than d heads in 3d tosses.
        heads = F(sum(comb(3 * dim, k) for k in range(dim)), 2 ** (3 * dim))
        assert orders.separable(3 * dim + 1, dim) == heads
        assert float(heads) <= exp(-dim / 6)


def test_the_dichotomy_of_two_outputs_needs_two_outputs() -> None:
    """W^T (u_1 - u_2) is any vector where u_1 and u_2 differ: on S^0 they are equal half of the time."""
    for u, v in product((-1, 1), repeat=2):
        reached = {w * (u - v) for w in (-2, -1, 0, 1, 2)}
        assert (len(reached) == 5) == (u != v)


@pytest.mark.parametrize("power", [F(0), F(1, 2), F(9, 10), F(11, 10), F(3, 2), F(2), F(3)])
def test_no_other_order_of_two_outputs(power: Fraction) -> None:
    argument = orders.two_outputs(power)
    assert argument.witness is not None
    assert argument.witness["N"] == ("d" if power < 1 else "3d + 1")


# -- linear memories ------------------------------------------------------------------------------


def test_the_order_of_a_linear_memory_is_the_square() -> None:
    assert orders.linear_order(F(2)).holds
    for power in (F(1), F(3, 2), F(5, 2), F(3)):
        assert orders.linear_order(power).witness is not None


def test_sign_patterns_are_fewer_than_maps_at_four_times_the_square() -> None:
    """log of the bound on patterns against log N!, worked out again; the gap grows like 4 d^2 log d."""
    lines = orders.linear_order(F(2)).lines
    gaps = []
    for dim in (3, 10, 100, 10**4, 10**6):
        D, inputs = dim**2, 4 * dim**2
        forms = inputs * inputs * (inputs - 1) / 2
        patterns = log(2) + D * log(e * forms / D)
        assert patterns < lgamma(inputs + 1)
        gaps.append((lgamma(inputs + 1) - patterns) / (D * log(dim)))
        for line in (line for line in lines if line.text.startswith(f"d = {dim},")):
            left, right = (
                float(re.findall(r"-?\d[\d.]*(?:e[+-]?\d+)?", part)[0])
                for part in line.reason.split(" against ")
            )
            assert left == pytest.approx(patterns, rel=1e-4)
            assert right == pytest.approx(inputs * log(inputs / e), rel=1e-4)
    assert sum("N = 4 d^2" in line.text for line in lines) == 4
    assert gaps[-1] == pytest.approx(4, abs=0.3)


def test_few_maps_are_recalled_by_a_linear_memory_in_the_plane() -> None:
    """d = 1 and N = M = 3: the scores are +-W u_y e_x, so of the 6 maps none has three winners."""
    found = set()
    for w, u, inputs in product((-1, 1), product((-1, 1), repeat=3), product((-1, 1), repeat=3)):
        for f in permutations(range(3)):
            scores = [[u[y] * w * inputs[x] for y in range(3)] for x in range(3)]
            if all(
                s[f[x]] > max(s[y] for y in range(3) if y != f[x]) for x, s in enumerate(scores)
            ):
                found.add(f)
    assert not found


# -- facts against parameters ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "parameters"),
    [(F(3), F(2)), (F(3), F(5, 2)), (F(4), F(3)), (F(7, 2), F(3)), (F(5), F(3))],
    ids=str,
)
def test_more_facts_than_the_bits_of_the_parameters_tell_apart(
    facts: Fraction, parameters: Fraction
) -> None:
    argument = orders.parameters_needed(facts, parameters)
    assert argument.witness is not None
    power = re.fullmatch(r"2\^(\d+)", str(argument.witness["d"]))
    assert power is not None
    s = int(power[1])  # d = 2^s, log2 d = s
    assert argument.witness["bits of a parameter"] == "log2(d)^4"
    # log2 N! >= N (log2 N - log2 e), both sides over d^parameters.
    maps = 2.0 ** (float(facts - parameters) * s) * (float(facts) * s - log2(e))
    assert maps > s**4
    assert maps < 2 ** (4 * float(facts - parameters) + 3) * (s + 4) ** 4  # not far beyond the edge


def test_the_bits_of_a_parameter_by_hand() -> None:
    """Half of the maps of N = d^3 facts in d^2 parameters need d (3 log2 d - 3/2) bits each, N >= 18."""
    for dim in (3, 4, 16, 100, 1000, 2**11):
        inputs = dim**3
        needed = (lgamma(inputs + 1) / log(2) - 1) / dim**2
        assert needed > dim * (3 * log2(dim) - 1.5)


def test_fewer_facts_are_not_the_construction() -> None:
    argument = orders.parameters_needed(F(2), F(3))
    assert argument.witness is None
    assert not argument.holds


# -- the polynomial memory ------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_order_of_the_polynomial_memory_is_the_next_power(k: int) -> None:
    assert orders.polynomial_order(k, F(k + 1)).holds
    # Var is 2N/d times E t^(2k) to leading order, so of order one at N = d^(k+1).
    for dim in (10**4, 10**5):
        at = polynomial.margin_variance(dim, dim ** (k + 1), k=k, y_in_image=False).value
        odd = np.prod([2 * j - 1 for j in range(1, k + 1)])
        assert float(at.as_fraction()) == pytest.approx(2 * odd, rel=1e-2)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_no_other_order_of_the_polynomial_memory(k: int) -> None:
    for power in {F(k), F(k + 2), F(2 * k), F(2 * k + 1), F(4 * k + 3, 4), F(2 * k + 3, 2)} - {
        F(k + 1)
    }:
        argument = orders.polynomial_order(k, power)
        assert not argument.holds or argument.witness is not None
        assert argument.witness is not None
        assert ("fails" in str(argument.witness["so"])) == (power > k + 1)
