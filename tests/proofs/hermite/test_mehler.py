"""Mehler's formula, and Hermite tensors contracted in symbolic dimension."""

from math import exp, factorial, sqrt

import pytest

from proofs.algebra import RationalFunction
from proofs.hermite import mehler
from proofs.moments import Gaussian, Range, Sphere, dot, mean, wick_power

rho, d = RationalFunction.symbol("rho"), RationalFunction.symbol("d")


def test_mehler_holds_line_by_line():
    assert mehler().holds


@pytest.mark.parametrize(
    ("cross", "square"),
    [(rho, None), (2 * rho**2, None), (-2 * rho, None), (None, rho), (None, rho**2 / 2), (0, 0)],
    ids=str,
)
def test_another_kernel_breaks_it(cross, square):
    assert mehler(cross, square).broken is not None


@pytest.mark.parametrize(("r", "x", "y"), [(0.3, 0.5, -1.2), (-0.6, 1.1, 0.7), (0.8, -0.4, 0.9)])
def test_the_series_sums_to_the_kernel(r, x, y):
    def hermite(at):
        values = [1.0, at]
        for k in range(1, 150):
            values.append((at * values[-1] - sqrt(k) * values[-2]) / sqrt(k + 1))
        return values

    total = sum(r**k * p * q for k, (p, q) in enumerate(zip(hermite(x), hermite(y), strict=True)))
    kernel = exp((2 * r * x * y - r**2 * (x**2 + y**2)) / (2 * (1 - r**2))) / sqrt(1 - r**2)
    assert total == pytest.approx(kernel, rel=1e-9)


@pytest.mark.parametrize("k", range(7))
def test_contracted_tensors_have_the_moments_of_lemma_15_in_symbolic_dimension(k):
    """E <He_k(w), a^k> <He_k(w), b^k> over Gaussian w is k! <a, b>^k; a, b uniform, every d."""
    vectors = Range(2)
    e, w = Sphere("e", d), Gaussian("w", d)
    a, b, i = vectors.index("a"), vectors.index("b"), Range(1, "neurons").index("i")
    products = wick_power(w[i], e[a], k) * wick_power(w[i], e[b], k)
    overlap = dot(e[a], e[b]) ** k
    found = mean(products * overlap, [a != b]).value
    assert found == factorial(k) * mean(overlap**2, [a != b]).value
