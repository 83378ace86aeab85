"""Norms of polynomials on products of spheres and Gaussian space against the second one.

Nichani et al., App. F, Lemma 13 and the moment bound in the proof of Lemma 14.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from proofs.algebra import RationalFunction
from proofs.concentration.powers import at_most_product, number
from proofs.hermite import linearise

#: Degrees of the Hermite polynomials whose fourth moments are compared with a bound.
_DEGREES = range(1, 25)
#: Steps above the least q at which a polynomial of modulus one is tried.
_STEPS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 16))


@dataclass(frozen=True)
class NormBound:
    """||f||_q <= base^power ||f||_2 for f of degree at most p and every q > least.

    *base* is in the symbol q, *power* in p.
    """

    base: RationalFunction
    power: RationalFunction
    least: Fraction

    def admits(self, ratio: Fraction, p: int, q: Fraction, root: int) -> bool:
        """Whether (||f||_q/||f||_2)^root = *ratio* is allowed for f of degree p; base(q) > 0."""
        return at_most_product(ratio, (number(self.base, q=q), root * number(self.power, p=p)))


def fourth_moment(k: int) -> Fraction:
    """E h_k(g)^4 for a standard Gaussian g: from He_k^2 in the basis of Hermite polynomials."""
    square = linearise(k, k)
    return Fraction(sum(c**2 * factorial(n) for n, c in square.items()), factorial(k) ** 2)


def norm_counterexample(bound: NormBound) -> dict[str, str] | None:
    """A polynomial with mean 0 and variance 1 that exceeds the bound, decided exactly; or None.

    A sign, of modulus one, wherever the right-hand side is below one; else a Hermite polynomial
    of a standard Gaussian at q = 4.
    """
    for step in _STEPS:
        q, p = bound.least + step, 1
        base, power = number(bound.base, q=q), number(bound.power, p=p)
        if base > 0 and not at_most_product(Fraction(1), (base, power)):
            return _found("u on S^0, a sign", p, q, "1", base, power)
    q = Fraction(4)
    for k in _DEGREES:
        moment = fourth_moment(k)
        if bound.least < q and not bound.admits(moment, k, q, 4):
            base, power = number(bound.base, q=q), number(bound.power, p=k)
            return _found(f"h_{k}(g), g standard Gaussian", k, q, f"({moment})^(1/4)", base, power)
    return None


def _found(
    f: str, p: int, q: Fraction, norm: str, base: Fraction, power: Fraction
) -> dict[str, str]:
    return {
        "f": f,
        "p": str(p),
        "q": str(q),
        "||f||_q": norm,
        "||f||_2": "1",
        "stated factor": f"({base})^({power})",
    }
