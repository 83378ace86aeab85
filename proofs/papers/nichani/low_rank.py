"""The proof of the explicit conditions for the low-rank memory, line by line, each line decided.

W = sum_z u_{f(z)} e_z^T G with G = sum_{i<=m} v_i v_i^T: from the law of the alignment
r = <e_x, G e_x>/|G e_x| to the law of one margin, and from a tail at given r to full recall. And
why rank one is too little, whatever d. Serves Theorem 1 of Nichani et al., last sentence.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, prod
from operator import mul

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, ZERO, symbols, total
from proofs.argument import Argument
from proofs.citations import (
    BETA_GAMMA,
    BOOLE,
    CHI_SQUARED_MGF,
    GAUSSIAN_ROTATION,
    MARKOV,
    SPHERE_ROTATION,
)
from proofs.concentration.sphere import coordinate_moment
from proofs.memories.low_rank import definition
from proofs.memories.setting import raw_margin_moments
from proofs.moments import Gaussian, Range, Sphere, Splitting, dot, mean, sum_over
from proofs.papers.nichani.linear import (
    KAPPA,
    at_log_2,
    condition,
    exponent_suffices,
    law_moments,
    power_of_l,
)

#: Orders up to which the law of the margin is compared with the engine, as a second road.
LAW_ORDERS = 4
#: Powers of <e_x, G e_x> and of |G e_x|^2 whose joint moments are compared with the engine.
_POWERS, _LENGTHS = 3, 2


# -- the law of one margin ------------------------------------------------------------------------


@lru_cache(maxsize=64)
def joint_moment(p: int, k: int) -> RationalFunction:
    """E <e_x, G e_x>^p |G e_x|^(2k) for Gaussian factors, in d and m, from the engine."""
    d, m = symbols("d m")
    e, v, factors = Sphere("e", d), Gaussian("v", d), Range(m)
    x = Range(ONE).index("x")
    powers = []
    for number in range(p + k):
        i, j = factors.index(f"i{number}"), factors.index(f"j{number}")
        if number < p:
            powers.append(sum_over(i, dot(v[i], e[x]) ** 2))
        else:
            pair = dot(v[i], e[x]) * dot(v[j], e[x]) * dot(v[i], v[j])
            powers.append(sum_over(i, sum_over(j, pair)))
    return mean(reduce(mul, powers), []).value if powers else ONE


@lru_cache(maxsize=16)
def _projected_moment(k: int) -> RationalFunction:
    """E <e_x, P e_x>^k for the projection P on m dimensions, from the engine."""
    d, m = symbols("d m")
    e, P = Sphere("e", d), Splitting(d, P=m)["P"]
    x = Range(ONE).index("x")
    return mean(dot(e[x], P @ e[x]) ** k, []).value


def _rising(a: RationalFunction, k: int) -> RationalFunction:
    """a (a + 1) ... (a + k - 1)."""
    return prod((a + i for i in range(k)), start=ONE)


def alignment_law(
    shape: RationalFunction, rest: RationalFunction, orthonormal_rest: RationalFunction
) -> Argument:
    """r^2 ~ Beta(shape, rest) for Gaussian factors, Beta(shape, orthonormal_rest) for a uniform
    orthonormal frame, m < d.

    The law from the decomposition of the factors along e_x; joint moments of <e_x, G e_x> and
    |G e_x|^2, computed from the stated law, must be the engine's.
    """
    argument = Argument()
    argument.define("a_i = <v_i, e_x>, so that <e_x, G e_x> = |a|^2 and G e_x = sum a_i v_i")
    argument.cite(
        "given e_x the a_i and the parts of the v_i across e_x are independent standard Gaussians",
        GAUSSIAN_ROTATION,
    )
    argument.infer(
        "X = |a|^2 ~ chi^2_m and Y = |sum a_i v_i across e_x|^2/|a|^2 ~ chi^2_(d-1) are "
        "independent, <e_x, G e_x> = X, |G e_x|^2 = X (X + Y) and r^2 = X/(X + Y)",
        "given a, the sum across e_x is |a| times a standard Gaussian in R^(d-1)",
    )
    argument.cite(
        "X/(X + Y) has a Beta law with half the degrees of freedom, and is independent of "
        "S = X + Y ~ chi^2_(m+d-1)",
        BETA_GAMMA,
    )
    whole = shape + rest
    for p, k in itertools.product(range(_POWERS + 1), range(_LENGTHS + 1)):
        # <e_x, G e_x> = r^2 S and |G e_x|^2 = r^2 S^2.
        aligned = _rising(shape, p + k) / _rising(whole, p + k)
        scaled = 2 ** (p + 2 * k) * _rising(whole, p + 2 * k)
        argument.equal(
            f"E <e_x, G e_x>^{p} |G e_x|^{2 * k} of the law is the engine's",
            aligned * scaled,
            joint_moment(p, k),
        )
    argument.infer(
        "an orthonormal frame makes G a projection on m dimensions, and r^2 = <e_x, G e_x>",
        "|G e_x|^2 = <e_x, G e_x>; by rotation the subspace may be taken fixed",
    )
    for k in range(1, _POWERS + 1):
        argument.equal(
            f"E r^{2 * k} of the law is the engine's <e_x, G e_x>^{k}, G a projection",
            _rising(shape, k) / _rising(shape + orthonormal_rest, k),
            _projected_moment(k),
        )
    return argument


def margin_law(
    beta: Fraction, spread: Fraction, inside: RationalFunction, outside: RationalFunction
) -> Argument:
    """gamma/|G e_x| has the law of A (r - beta g) + sqrt(spread A) sum_{j<=n} t_j g'_j, n = inside
    or outside: the linear memory's with r A in place of A, r and |G e_x| independent of the rest.

    Moments of gamma up to LAW_ORDERS, from the right-hand side alone, must be the engine's.
    """
    argument = Argument()
    argument.cite(
        "given e_x and the factors, <e_z, G e_x> = |G e_x| t_z, z != x, with independent first "
        "coordinates t_z of uniform unit vectors",
        SPHERE_ROTATION,
    )
    argument.infer(
        "gamma/|G e_x| is the linear memory's margin with r for the overlap of e_x with itself",
        "W e_x = sum_z u_f(z) <e_z, G e_x>, and the summand z = x is A r |G e_x|",
    )
    for case, n, other in (("in the image", inside, 1), ("outside the image", outside, 0)):
        slope = beta if other else Fraction(0)

        def key(power: int, k: int, slope: Fraction = slope) -> RationalFunction:
            """E (r - slope g)^power |G e_x|^k; only even powers of g count."""
            terms = (
                comb(power, 2 * j)
                * slope ** (2 * j)
                * coordinate_moment(j)
                * joint_moment(power - 2 * j, (k - power) // 2 + j)
                for j in range(power // 2 + 1)
            )
            return total(terms)

        for order, stated in enumerate(law_moments(LAW_ORDERS, spread, n, key), start=1):
            exact = raw_margin_moments(definition(), LAW_ORDERS)[order - 1].value(
                same=0, other=other
            )
            argument.equal(f"y {case}: moment {order} of the law is the engine's", stated, exact)
    return argument


def less_signal() -> RationalFunction:
    """(1 - r) A: what gamma/|G e_x| has less than the linear memory's margin."""
    r, A = symbols("r A")
    return (1 - r) * A


# -- full recall ----------------------------------------------------------------------------------


def average_over_alignment() -> Argument:
    """P(failure) <= N E_r min(1, sum over y of the bound at r), with r at lower ends of cells."""
    argument = Argument()
    argument.infer(
        "P(x is lost) = E_r P(x is lost | r) <= E_r min(1, sum over y of P(gamma <= 0 | r))",
        "r is one for all y and independent of what else makes gamma; union bound at given r",
    )
    argument.infer(
        "the bound at r is at most the bound at any smaller r",
        "more alignment only adds to gamma/|G e_x|, as A >= 0",
    )
    argument.cite("P(some x is lost) <= N times that, the same for every x", BOOLE)
    return argument


def alignment_tail(kept: RationalFunction) -> tuple[Argument, arb]:
    """P(r^2 <= q) <= exp(-rate min(m, d)) for q = *kept* of the form m/(m + c d), c > 1, by
    Chernoff; returns the rate as a ball too, 0 where nothing is proved.
    """
    d, m = symbols("d m")
    argument = Argument()
    c = (1 / kept - 1) * m / d
    if not argument.true("q = m/(m + c d) with a constant c", not c.names, f"c = {c}"):
        return argument, arb(0)
    number = c.as_fraction()
    if not argument.true("c > 1", number > 1, f"c = {number}"):
        return argument, arb(0)
    s = (number - 1) / (2 * number * (m + d))
    argument.define(f"s = (c - 1)/(2 c (m + d)); r^2 <= q means {number} d X <= m Y")
    argument.cite(
        "P(r^2 <= q) = P(c d X - m Y <= 0) <= E exp(-s (c d X - m Y))",
        MARKOV,
    )
    argument.cite(
        "E exp(-s (c d X - m Y)) = (1 + 2 s c d)^(-m/2) (1 - 2 s m)^(-(d-1)/2), as 2 s m < 1",
        CHI_SQUARED_MGF,
    )
    argument.equal(
        "1 + 2 s c d = (m + c d)/(m + d)", 1 + 2 * s * number * d, (m + number * d) / (m + d)
    )
    argument.equal(
        "1 - 2 s m = (m + c d)/(c (m + d))",
        1 - 2 * s * m,
        (m + number * d) / (number * (m + d)),
    )
    argument.infer(
        "with p = m/(m + d) the bound is at most exp(-(m + d) h(p)/2), "
        "h(p) = log(c - (c - 1) p) - (1 - p) log c",
        "the exponent (d-1)/2 of a number below 1, inverted, may be d/2",
    )
    argument.infer(
        "h(p) >= 2 h(1/2) min(p, 1 - p), so the bound is at most exp(-h(1/2) min(m, d))",
        "h is concave, and 0 at p = 0 and at p = 1",
    )
    with precision():
        return argument, (ball(number + 1) / 2).log() - ball(number).log() / 2


def closed_form(
    lead: Fraction,
    noise: RationalFunction,
    pairs: RationalFunction,
    kept: RationalFunction,
    kappa: RationalFunction = KAPPA,
) -> Argument:
    """8 l <= d and q d^2 >= lead l (d + noise/(1 - t)), t = (lead l/d)^2/q < 1, imply recall,
    l = L (1 + L/d), q = *kept*.
    """
    d, m, N, M, v, ell, tau = symbols("d m N M v l tau")
    argument, rate = alignment_tail(kept)
    if not argument.holds:
        return argument
    argument.infer(
        "a single fact is recalled: its margin is A <e_x, G e_x> > 0; from here on N >= 2",
        "A > 0 and G e_x is not 0, almost surely for d >= 2",
    )
    argument.define(
        "r0^2 = q and tau = lead l/(r0 d), so that t = tau^2 and q d^2 = (lead l/tau)^2"
    )
    q = (lead * ell / (tau * d)) ** 2
    # The tail at r = r0 has the signal tau d r0/2 = lead l/2 in place of tau d/2.
    inside, outside = (
        kappa(beta=beta, n=n) - tau * d / 2 + lead * ell / 2 for beta, n in ((1, N - 2), (0, N - 1))
    )
    margin = ell / (q * d**2) * (q * d**2 - condition(lead, ell, d, noise, q))
    argument.nonnegative(
        "y in the image: kappa - l >= (l/(q d^2)) (q d^2 - right-hand side of the condition), "
        "tau = 1/(1+v)",
        (inside - ell - margin)(tau=1 / (1 + v)),
        {"d": 0, "N": 1, "v": 0, "l": 0},
        interior=True,
    )
    argument.nonnegative("the noise is not negative", noise, {"N": 2})
    argument.infer(
        f"q d^2 >= {lead} l d, so tau^2 <= {lead} l/d <= {lead / 8}",
        "that is part of the condition",
    )
    argument.true("tau <= 5/7", lead / 8 <= Fraction(25, 49), f"{lead / 8} <= 25/49")
    with precision():
        argument.at_most("d >= 8 l >= 8 log(N M) >= 8 log 4 >= 3", arb(3), 8 * ball(4).log())
    argument.nonnegative(
        "y outside the image: kappa is not smaller (tau = 5/(7(1+v)))",
        (outside - inside)(tau=5 / (7 * (1 + v))),
        {"d": 3, "v": 0},
    )
    argument.infer(
        "P(gamma <= 0 | r) <= E exp(-kappa A) <= E exp(-l A) <= exp(-l + l^2/(2d)) where r >= r0",
        "A >= 0, kappa grows with r and is at least l at r0",
    )
    exponent_suffices(argument)
    argument.nonnegative(
        "q <= m/(c d), so q d^2 >= lead l d gives m >= lead c l",
        m / d - kept * (1 / kept - 1) * m / d,
        {"d": 1, "m": 1},
    )
    with precision():
        c = ((1 / kept - 1) * m / d).as_fraction()
        least = min(lead * c, Fraction(8))
        argument.at_most(
            f"P(r^2 <= q) <= e^(-L): min(m, d) >= {least} l and the rate times that is at least l",
            arb(1),
            rate * ball(least),
        )
    argument.nonnegative(
        "union bound over N inputs and N (M-1) pairs: (N + N (M-1)) e^(-L) <= delta",
        pairs - N - N * (M - 1),
        {"N": 1, "M": 1},
    )
    return argument


def logarithmic_form(
    rank: Fraction,
    product: Fraction,
    rank_power: Fraction,
    power: Fraction,
    rate: Fraction,
    lead: Fraction = Fraction(4),
    kept: RationalFunction | None = None,
) -> Argument:
    """rank l^rank_power <= m <= d and m d >= product N l^power, l = log(N M), imply the closed form
    at delta = (N M)^(-rate), whose *kept* is q. N >= 1, M >= 2, so that l >= log 2.
    """
    d, m, w = symbols("d m w")
    kept = m / (m + 3 * d) if kept is None else kept
    growth = 1 + rate
    argument = Argument()
    argument.define(
        f"l = log(N M), delta = (N M)^(-{rate}); L = log(N M/delta) = {growth} l; p = l/m, r = N l/(m d)"
    )
    if not argument.true(
        "p and r stay bounded as l grows",
        rank_power >= 1 and power >= 1,
        f"they are at most {power_of_l(1 - rank_power, rank)} and {power_of_l(1 - power, product)}",
    ):
        return argument
    argument.nonnegative(
        "q d^2 >= m d/4 for m <= d = m + w",
        (kept * d**2 - m * d / 4)(d=m + w),
        {"m": 1, "w": 0},
    )
    with precision():
        largest = {"p": at_log_2(1 - rank_power, rank), "r": at_log_2(1 - power, product)}
        # l' = L (1 + L/d) is at most this times l, as d >= m.
        stretch = ball(growth) * (1 + ball(growth) * largest["p"])
        if not argument.at_most(
            "8 l' <= d for l' = L (1 + L/d)", 8 * stretch * largest["p"], arb(1)
        ):
            return argument
        share = (2 * ball(lead) * stretch * largest["p"]) ** 2
        if not argument.at_most(
            "(lead l'/d)^2/q <= (2 lead l')^2/(m d) is at most 1/2", share, ball(Fraction(1, 2))
        ):
            return argument
        argument.infer(
            "the right-hand side of the closed form over q d^2 grows with p and r",
            "every term does, while that share is below 1",
        )
        argument.at_most(
            "at the largest p and r, with q d^2 = m d/4, it is at most 1",
            4 * ball(lead) * stretch * (largest["p"] + largest["r"] / (1 - share)),
            arb(1),
        )
    return argument


# -- rank one -------------------------------------------------------------------------------------


def rank_one_fails(rank_power: int) -> Argument:
    """No W = a b^T recalls three facts, whatever d, so m must enter the condition by itself.

    *rank_power* says whether m >= C log(N M)^rank_power is in the condition, 0 that it is not.
    Where it is, m = 1 is excluded at large N, and the argument must break.
    """
    one, two, s, t = symbols("one two s t")
    argument = Argument()
    argument.true(
        "m = 1 is allowed for every N if d is large",
        rank_power == 0,
        "the condition is met by large d alone" if rank_power == 0 else "m must exceed a logarithm",
    )
    argument.define("W = a b^T, s_x = <b, e_x>: the margin of (x, y) is <u_f(x) - u_y, a> s_x")
    argument.equal(
        "for two facts x, z: s_z gamma_(x, f(z)) + s_x gamma_(z, f(x)) = 0",
        t * ((one - two) * s) + s * ((two - one) * t),
        ZERO,
    )
    signs = itertools.product((-1, 0, 1), repeat=3)
    argument.true(
        "of three numbers s_x one is 0 or two have the same sign",
        all(0 in three or len({*three}) < 3 for three in signs),
        "all 27 patterns",
    )
    argument.infer(
        "no W = a b^T makes all margins of three facts positive",
        "where s_x = 0 the margin is 0; where s_x and s_z have one sign, the two margins do not",
    )
    return argument
