"""Norms of polynomials on products of spheres and Gaussian space against the second one.

Nichani et al., App. F, Lemma 13 and the moment bound in the proof of Lemma 14.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.citations import BECKNER, BONAMI, JENSEN, NELSON
from proofs.concentration.overlaps import overlap_moment
from proofs.concentration.powers import at_most_product, number
from proofs.hermite import linearise

#: Degrees of the Hermite polynomials whose fourth moments are compared with a bound.
_DEGREES = range(1, 25)
#: Orders and dimensions of the overlaps whose fourth moments are compared with a bound.
_ORDERS, _DIMENSIONS = range(1, 9), range(1, 9)
#: Steps above the least q at which a polynomial of modulus one is tried.
_STEPS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 16))

_p, _q, _t = symbols("p q t")


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


def hypercontractivity(bound: NormBound) -> Argument:
    """The bound for f of degree at most p on a product of spheres and Gaussian space, q >= least."""
    argument = Argument()
    argument.define(
        "f = sum_j f_j, f_j the part of total degree j in spherical harmonics and Hermite "
        "polynomials; T f = sum_j r^j f_j with r = (q-1)^(-1/2)"
    )
    argument.cite("||T f||_q <= ||f||_2 on R, q >= 2", NELSON)
    argument.cite("the same on S^0, a sign", BONAMI)
    argument.cite("the same on S^(d-1), d >= 2, r^j on harmonics of degree j", BECKNER)
    argument.infer(
        "the same on a product of these",
        "one factor after the other, by Minkowski's inequality for q >= 2",
    )
    argument.infer(
        "f = T g with g = sum_{j<=p} (q-1)^(j/2) f_j, so ||f||_q <= ||g||_2",
        "a polynomial of degree n on a sphere is a sum of harmonics of degree at most n",
    )
    beyond = {"t": 0}
    q = bound.least + _t
    argument.nonnegative("q >= 2 throughout, so (q-1)^j <= (q-1)^p for j <= p", q - 2, beyond)
    argument.infer("||g||_2 <= (q-1)^(p/2) ||f||_2", "the f_j are orthogonal")
    argument.nonnegative("q - 1 is at most the base", bound.base(q=q) - (q - 1), beyond)
    argument.nonnegative("p/2 is at most the power", bound.power - _p / 2, {"p": 0})
    _spot_checks(argument, bound)
    return argument


def central_moments(bound: NormBound, known: NormBound) -> Argument:
    """The bound for f - E f in place of f and q >= least, from the *known* one for q >= 2."""
    argument = Argument()
    argument.define("f - E f has degree at most p, and ||f - E f||_2^2 = Var(f)")
    argument.true(
        "the known bound holds from q = 2 on", known.least <= 2, f"from q = {known.least} on"
    )
    argument.nonnegative(
        "q >= 2: the known base is at most the base",
        (bound.base - known.base)(q=2 + _t),
        {"t": 0},
    )
    argument.nonnegative(
        "the known power is at most the power", bound.power - known.power, {"p": 0}
    )
    argument.cite("q < 2: ||f - E f||_q <= ||f - E f||_2", JENSEN)
    argument.nonnegative(
        "q >= least: the base is at least 1", bound.base(q=bound.least + _t) - 1, {"t": 0}
    )
    argument.nonnegative("the power is not negative", bound.power, {"p": 0})
    _spot_checks(argument, bound)
    return argument


def _spot_checks(argument: Argument, bound: NormBound) -> None:
    """Fourth moments of single polynomials, exactly: a second road to q = 4."""
    four = Fraction(4)
    hermite = [k for k in _DEGREES if not bound.admits(fourth_moment(k), k, four, 4)]
    argument.true(
        f"E h_k(g)^4 is within the bound, k <= {_DEGREES[-1]}",
        not hermite,
        f"exceeded at k = {hermite[0]}" if hermite else "exact integers",
    )
    overlaps = [
        (j, d)
        for j in _ORDERS
        for d in _DIMENSIONS
        if not bound.admits(
            number(overlap_moment(2 * j), d=d) / number(overlap_moment(j), d=d) ** 2, j, four, 4
        )
    ]
    argument.true(
        f"E <u,v>^(4j) is within the bound, j <= {_ORDERS[-1]}, d <= {_DIMENSIONS[-1]}",
        not overlaps,
        f"exceeded at (j, d) = {overlaps[0]}" if overlaps else "exact fractions",
    )


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
