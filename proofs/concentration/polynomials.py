"""Test polynomials whose mean, variance and probability of not being positive are known.

They serve to contradict wrong tail bounds (Nichani et al., App. F, Lemma 14).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra.balls import ball


@dataclass(frozen=True)
class Polynomial:
    """A polynomial on a product of copies of S^0 and R: its degree, mean and variance.

    P(f <= 0) is *nonpositive* or, where that is None, P(g >= mean) for a standard Gaussian g.
    """

    text: str
    degree: int
    mean: Fraction
    variance: Fraction
    nonpositive: Fraction | None

    @property
    def relative_variance(self) -> Fraction:
        return self.variance / self.mean**2

    def probability(self) -> arb:
        """P(f <= 0), as a ball at the current precision."""
        if self.nonpositive is not None:
            return ball(self.nonpositive)
        return (ball(self.mean) / arb(2).sqrt()).erfc() / 2


def parity(p: int) -> Polynomial:
    """1 + s_1 ... s_p for independent signs: 0 or 2, each with probability one half."""
    text = "1 + u_1" if p == 1 else f"1 + u_1 ... u_{p}"
    return Polynomial(f"{text}, u_i on S^0", p, Fraction(1), Fraction(1), Fraction(1, 2))


def conjunction(p: int) -> Polynomial:
    """(1 + s_1) ... (1 + s_p) for independent signs: 2^p if all are 1, otherwise 0."""
    text = "".join(f"(1 + u_{i + 1})" for i in range(p))
    variance = Fraction(2**p - 1)
    return Polynomial(f"{text}, u_i on S^0", p, Fraction(1), variance, 1 - Fraction(1, 2**p))


def negation(p: int) -> Polynomial:
    """2^p - (1 + s_1) ... (1 + s_p) for independent signs: 0 if all are 1, otherwise 2^p."""
    product = "".join(f"(1 + u_{i + 1})" for i in range(p))
    size = Fraction(2**p - 1)
    return Polynomial(f"{2**p} - {product}, u_i on S^0", p, size, size, Fraction(1, 2**p))


def shifted_gaussian(mean: Fraction) -> Polynomial:
    """mean + g for a standard Gaussian g; ValueError unless the mean is positive."""
    if mean <= 0:
        raise ValueError(f"mean: {mean} is not positive; P(g >= mean) would not be a tail")
    return Polynomial(f"{mean} + g, g standard Gaussian", 1, mean, Fraction(1), None)
