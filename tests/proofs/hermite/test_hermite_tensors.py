"""Hermite tensors against repeated differentiation, contractions and moments."""

from itertools import product
from math import comb, factorial

import pytest
import sympy

from proofs.algebra import ExactnessError
from proofs.hermite import contraction, gaussian_moment, hermite, hermite_tensor


def mean(expression, symbols):
    """E of a polynomial in independent standard Gaussians."""
    total = sympy.Integer(0)
    for powers, c in sympy.Poly(expression, *symbols).terms():
        term = c
        for power in powers:
            term *= gaussian_moment(power)
        total += term
    return sympy.expand(total)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 2), (2, 2), (3, 2), (4, 1), (3, 3)])
def test_every_entry_against_the_definition(k, n):
    tensor = hermite_tensor(k, n)
    mu = sympy.exp(-sum(x**2 for x in tensor.symbols) / 2)
    for indices in product(range(n), repeat=k):
        along = [tensor.symbols[i] for i in indices]
        derived = sympy.diff(mu, *along) if along else mu
        assert sympy.expand((-1) ** k * derived / mu - tensor[indices]) == 0


@pytest.mark.parametrize(("k", "n"), [(k, n) for k in range(7) for n in (1, 2, 3)])
def test_contraction_in_symbolic_dimension(k, n):
    tensor = hermite_tensor(k, n)
    w = sympy.symbols(f"w1:{n + 1}")
    t = sympy.Add(*(a * x for a, x in zip(w, tensor.symbols, strict=True)))
    r = sympy.Add(*(a**2 for a in w))
    assert sympy.expand(tensor.contract(*[w] * k) - contraction(k, t, r)) == 0


def test_contraction_with_different_vectors_is_the_full_sum():
    tensor = hermite_tensor(3, 2)
    vectors = [(1, 2), (sympy.Rational(1, 3), -1), (0, sympy.Symbol("b"))]
    expected = sum(
        tensor[i] * vectors[0][i[0]] * vectors[1][i[1]] * vectors[2][i[2]]
        for i in product(range(2), repeat=3)
    )
    assert sympy.expand(tensor.contract(*vectors) - expected) == 0


def test_the_two_conventions_clash():
    """<He_k(x), w^(x)k> is sqrt(k!) h_k(<w, x>) for a unit vector w, and not h_k(<w, x>) for k >= 2."""
    w = (sympy.Rational(3, 5), sympy.Rational(4, 5))
    for k in range(6):
        tensor = hermite_tensor(k, 2)
        t = w[0] * tensor.symbols[0] + w[1] * tensor.symbols[1]
        contracted = tensor.contract(*[w] * k)
        assert sympy.expand(contracted - hermite(k, t, normalized=False)) == 0
        assert sympy.expand(contracted - sympy.sqrt(factorial(k)) * hermite(k, t)) == 0
        assert (sympy.expand(contracted - hermite(k, t)) == 0) == (k < 2)


def test_stein_for_tensors_against_moments():
    tensor = hermite_tensor(3, 2)
    x, y = tensor.symbols
    f = x**4 * y**3 + 5 * x**2 * y - x**3 + 2 * x * y**4
    for indices, entry in tensor.entries().items():
        derived = sympy.diff(f, *(tensor.symbols[i] for i in indices))
        assert mean(sympy.expand(f * entry), (x, y)) == mean(derived, (x, y))


@pytest.mark.parametrize("k", range(6))
def test_lemma_15_against_moments(k):
    x, y = sympy.symbols("x y")
    unit = x * sympy.Rational(3, 5) + y * sympy.Rational(4, 5)
    for j in range(6):
        value = mean(sympy.expand(hermite(j, x) * hermite(k, unit)), (x, y))
        assert value == (sympy.Rational(3, 5) ** k if j == k else 0)


def test_one_entry_a_multi_index_is_stored():
    tensor = hermite_tensor(4, 3)
    assert len(tensor.entries()) == comb(3 + 4 - 1, 4)
    assert tensor[0, 2, 1, 0] == tensor[2, 0, 0, 1] == tensor.entries()[0, 0, 1, 2]
    assert repr(tensor) == "HermiteTensor(k=4, n=3, 15 distinct entries)"


def test_small_orders():
    assert hermite_tensor(0, 3)[()] == 1
    vector = hermite_tensor(1, 3)
    assert [vector[i] for i in range(3)] == list(vector.symbols)
    matrix = hermite_tensor(2, 2)
    x, y = matrix.symbols
    assert (matrix[0, 0], matrix[0, 1], matrix[1, 1]) == (x**2 - 1, x * y, y**2 - 1)


def test_a_tensor_too_large_is_refused():
    with pytest.raises(ValueError, match=r"20030010 distinct entries.*use contraction"):
        hermite_tensor(10, 20)


@pytest.mark.parametrize(
    ("k", "n", "error", "message"),
    [
        (2, 0, ValueError, "n: a dimension of 0"),
        (-1, 2, ValueError, "k: -1 is negative"),
        (True, 2, TypeError, "k: True is not an int"),
        (2, 2.0, TypeError, "n: 2.0 is not an int"),
    ],
)
def test_bad_sizes_are_refused(k, n, error, message):
    with pytest.raises(error, match=message):
        hermite_tensor(k, n)


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ((0,), "the tensor takes 2"),
        ((0, 2), r"2 is not in range\(2\)"),
        ((0, -1), r"-1 is not in range\(2\); count from 0"),
    ],
)
def test_bad_indices_are_refused(indices, message):
    with pytest.raises(IndexError, match=message):
        hermite_tensor(2, 2)[indices]


def test_bad_vectors_are_refused():
    tensor = hermite_tensor(2, 2)
    with pytest.raises(ValueError, match="vectors: 1 were given, the tensor takes 2"):
        tensor.contract((1, 2))
    with pytest.raises(ValueError, match="has 1 entries; give 2"):
        tensor.contract((1, 2), (1,))
    with pytest.raises(ExactnessError, match=r"vectors: the float 0\.5"):
        tensor.contract((1, 2), (0.5, 1))
