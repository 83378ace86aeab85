"""What follows from Markov's inequality: tails of sub-Gaussian variables, Cantelli's inequality, and a
sum of binomial coefficients. Each writes the lines of its proof into an argument."""

from __future__ import annotations

from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.citations import BOOLE, MARKOV, SPHERE_ROTATION


def subgaussian_tail(argument: Argument, *, both: bool = False) -> None:
    """P(X >= x) <= exp(-x^2/(2 s)) for x > 0 and X with E exp(r X) <= exp(r^2 s/2) for all real r.

    *both*: P(|X| >= x) is at most twice that.
    """
    x, s, r = symbols("x s r")
    argument.cite("P(X >= x) <= E exp(r X)/exp(r x), r >= 0", MARKOV)
    argument.equal(
        "E exp(r X) <= exp(r^2 s/2), at r = x/s: P(X >= x) <= exp(-x^2/(2 s))",
        (r**2 * s / 2 - r * x)(r=x / s, s=s, x=x),
        -(x**2) / (2 * s),
    )
    if both:
        argument.cite("|X| >= x is X >= x or -X >= x, of which each has that bound", BOOLE)


def overlap_tail(argument: Argument, mgf: str, *, both: bool = False) -> None:
    """P(<u, phi> >= x) <= exp(-d x^2/(2 |u|^2)) for phi uniform on the sphere and u independent of it.

    *mgf*: the claim that E exp(r g) <= exp(r^2/(2 d)) for a coordinate g of phi. *both*: of |<u, phi>|.
    """
    argument.cite(
        "<u, phi>/|u| has the law of a coordinate g of phi, uniform on the sphere, for u independent of "
        "phi, not 0",
        SPHERE_ROTATION,
    )
    argument.use("E exp(r <u, phi>) <= exp(r^2 |u|^2/(2 d)), so X = <u, phi> with s = |u|^2/d", mgf)
    subgaussian_tail(argument, both=both)


def cantelli(argument: Argument, text: str) -> None:
    """P(X <= E X - x) <= Var X/(Var X + x^2) for x > 0; *text* says of which X and x."""
    v, x, u = symbols("v x u")
    argument.cite(
        f"{text}: where X <= E X - x, (E X - X + u)^2 >= (x + u)^2 for u >= 0, and the mean of the "
        "left side is Var X + u^2",
        MARKOV,
    )
    argument.equal(
        "at u = Var X/x the quotient is Var X/(Var X + x^2)",
        ((v + u**2) / (x + u) ** 2)(u=v / x, v=v, x=x),
        v / (v + x**2),
    )


def binomial_sum(argument: Argument) -> None:
    """sum_{j<d} binom(n-1, j) <= (e n/d)^d for n >= d >= 1."""
    argument.cite(
        "sum_{j<d} binom(n-1, j) = 2^(n-1) P(B < d) <= 2^(n-1) E y^(B - d) = y^(-d) (1 + y)^(n-1), B "
        "the heads of n - 1 fair tosses, y = d/n <= 1",
        MARKOV,
    )
    argument.infer("(1 + d/n)^(n-1) <= e^d, so the sum is at most (e n/d)^d", "1 + y <= e^y")
