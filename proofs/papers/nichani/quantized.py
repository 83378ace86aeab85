"""The proof of the explicit conditions for quantised weights, line by line, each line decided.

W~ is W with each entry rounded to the nearest multiple of e. What a margin loses by it, the tail
that is left, full recall, and the bits of a weight. Serves Corollary 2 of Nichani et al.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import symbols, total
from proofs.argument import Argument
from proofs.citations import CAUCHY_SCHWARZ
from proofs.papers.nichani.linear import KAPPA, condition, exponent_suffices

#: sqrt(A/2) <= slope (1 + A).
_SLOPE = Fraction(3, 8)


# -- the lemmas of the proof ----------------------------------------------------------------------


def entries(bound: RationalFunction) -> Argument:
    """|W_ij| <= *bound*, in d and N, for W = sum_z u_f(z) e_z^T of N unit vectors on each side."""
    argument = Argument()
    argument.infer(
        "|W_ij| <= sum over z of |u_f(z),i| |e_z,j| <= N",
        "N summands, and no entry of a unit vector exceeds 1",
    )
    argument.nonnegative(
        "the bound is at least N", bound - RationalFunction.symbol("N"), {"d": 1, "N": 1}
    )
    return argument


def rounding(bound: RationalFunction) -> Argument:
    """|w - w~| <= *bound*, in e, for w~ the multiple of e > 0 nearest to w."""
    e, f, v = symbols("e f v")
    argument = Argument()
    argument.define("k = floor(w/e + 1/2), so that w = (k - 1/2 + f) e with 0 <= f < 1")
    moved = (f - Fraction(1, 2)) * e
    argument.equal("(w - k e)^2 = e^2/4 - f (1 - f) e^2", moved**2, e**2 / 4 - f * (1 - f) * e**2)
    argument.nonnegative("f (1 - f) >= 0 (f = 1/(1+v))", (f * (1 - f))(f=1 / (1 + v)), {"v": 0})
    argument.infer("|w - w~| <= e/2", "k e is a multiple of e, and w~ is a nearest one")
    argument.nonnegative(
        "the bound is at least e/2", bound - e / 2, {"d": 1, "e": 0}, interior=True
    )
    return argument


def moved_score(bound: RationalFunction) -> Argument:
    """|u^T D v| <= *bound*, in d and e, for unit vectors u, v in R^d and |D_ij| <= e."""
    d, e = symbols("d e")
    argument = Argument()
    argument.infer(
        "|u^T D v| <= sum |u_i| |D_ij| |v_j| <= e |u|_1 |v|_1", "the triangle inequality"
    )
    for size in (1, 2, 3, 4):
        x = symbols(" ".join(f"x{i}" for i in range(size)))
        squares, whole = total(a**2 for a in x), total(x)
        pairs = ((a - b) ** 2 for i, a in enumerate(x) for b in x[:i])
        argument.equal(
            f"d = {size}: d sum x_i^2 - (sum x_i)^2 is the sum of (x_i - x_j)^2, i < j",
            size * squares - whole**2,
            total(pairs),
        )
    argument.cite("|u|_1 <= sqrt(d) |u| in every dimension", CAUCHY_SCHWARZ)
    argument.nonnegative("the bound is at least d e", bound - d * e, {"d": 1, "e": 0})
    return argument


def margin_after_rounding(lowest: RationalFunction, coarsest: RationalFunction) -> Argument:
    """gamma >= 1/2 implies gamma~ >= *lowest*, and that is positive for e < *coarsest*."""
    d, e, v = symbols("d e v")
    argument = Argument()
    argument.infer(
        "gamma~ >= gamma - |u_f(x)^T (W - W~) e_x| - |u_y^T (W - W~) e_x|",
        "the triangle inequality",
    )
    argument.infer("each of the two is at most d e/2", "each entry moves by at most e/2")
    argument.nonnegative(
        "gamma~ >= 1/2 - d e is at least what is stated",
        Fraction(1, 2) - d * e - lowest,
        {"d": 1, "e": 0},
    )
    argument.nonnegative(
        "what is stated is positive at every e < the limit, e = limit/(1+v)",
        lowest(d=d, e=coarsest / (1 + v)),
        {"d": 1, "v": 0},
        interior=True,
    )
    return argument


def multiples(N: int, d: int) -> int:
    """How many multiples of 1/(8 d) there are in [-N, N], counted one by one."""
    step, found, k = Fraction(1, 8 * d), 1, 1
    while k * step <= N:
        found, k = found + 2, k + 1
    return found


def storage(values: RationalFunction) -> Argument:
    """*values*, in d and N, is the number of multiples of 1/(8d) in [-N, N]; under d^2 >= N the
    bits that tell them apart are at most 3 log2 d + 6.
    """
    d, N = symbols("d N")
    argument = Argument()
    counted = {(n, k): multiples(n, k) for n in range(1, 5) for k in range(1, 5)}
    argument.true(
        "the number of multiples",
        all(values(N=n, d=k) == number for (n, k), number in counted.items()),
        "counted for N, d <= 4",
    )
    argument.equal("0 and k e, -k e for k = 1, ..., 8 N d", values, 2 * (8 * N * d) + 1)
    argument.nonnegative(
        "at N <= d^2 the number is at most 17 d^3", 17 * d**3 - values(N=d**2), {"d": 1}
    )
    with precision():
        argument.at_most(
            "ceil(log2 of it) <= 3 log2 d + log2 17 + 1 <= 3 log2 d + 6",
            ball(17).log() / arb.const_log2() + 1,
            arb(6),
        )
    return argument


def cubic_storage(linear: Fraction, quadratic: Fraction, cube: Fraction) -> Argument:
    """d >= linear l and d^2 >= quadratic N l, l = log(N M) >= log 2, imply that the 16 N d + 1
    multiples of 1/(8d) in [-N, N] take at most ceil(cube log2 d) bits.
    """
    argument = Argument()
    argument.infer(
        "16 N d + 1 <= d^3 (16/(quadratic l) + 1/(linear l)^3)", "the conditions on N and on d"
    )
    with precision():
        log2 = arb.const_log2()
        argument.at_most(
            "16/(quadratic l) + 1/(linear l)^3 <= 1 at l = log 2, where it is largest",
            16 / (ball(quadratic) * log2) + 1 / (ball(linear) * log2) ** 3,
            arb(1),
        )
    argument.true("d^3 values take ceil(3 log2 d) bits", cube >= 3, f"{cube} >= 3")
    return argument


# -- full recall ----------------------------------------------------------------------------------


def less_margin() -> RationalFunction:
    """e d sqrt(A/2): what the margin of W~ has at most less than that of W, q = sqrt(A/2)."""
    e, d, q = symbols("e d q")
    return e * d * q


def loss() -> Argument:
    """gamma~ >= gamma - e d sqrt(A/2), A = 1 - <u_f(x), u_y>."""
    argument = Argument()
    argument.infer("|W - W~| <= e/2 in each entry", "W~ is W rounded to the nearest multiple of e")
    argument.cite("|w|_1 |e_x|_1 <= d |w| |e_x|, w = u_f(x) - u_y", CAUCHY_SCHWARZ)
    q, e, d = symbols("q e d")
    argument.equal(
        "|w|^2 = 2A = (2q)^2 with q = sqrt(A/2): the loss (e/2) d |w| is e d q",
        e / 2 * d * 2 * q,
        less_margin(),
    )
    return argument


def closed_form(
    lead: Fraction,
    noise: RationalFunction,
    pairs: RationalFunction,
    kept: RationalFunction,
    coarsest: Fraction,
    kappa: RationalFunction = KAPPA,
) -> Argument:
    """8 l <= d, e d <= coarsest and q d^2 >= lead l (d + noise/(1 - (lead l/d)^2/q)) imply recall
    by W~, l = L (1 + L/d), q = *kept*, in d and e.
    """
    d, N, M, A, v, w = symbols("d N M A v w")
    argument = loss()
    argument.equal(
        f"({_SLOPE} (1 + A))^2 - A/2 is a sum of squares: sqrt(A/2) <= {_SLOPE} (1 + A)",
        (_SLOPE * (1 + A)) ** 2 - A / 2,
        (9 * (1 - A) ** 2 + 4 * A) / 64,
    )
    argument.infer(
        "E[exp(-lambda gamma~) | A] <= exp(c (1 + A) - kappa A), lambda = tau d/2 and "
        f"c = {_SLOPE} lambda e d",
        "the tail of one margin bounds E[exp(-lambda gamma) | A] by exp(-kappa A)",
    )
    argument.define(
        f"l = L (1 + L/d) and L = log(pairs/delta) as stated; 8 l <= d and e d <= {coarsest}, so "
        f"l = d/(8(1+v)) and e d = ({coarsest})/(1+w) with v, w >= 0; tau = {lead} l/d"
    )
    ell, step = d / (8 * (1 + v)), coarsest / (d * (1 + w))
    tau = lead * ell / d
    argument.true("0 < tau < 1", 0 < lead < 8, f"tau <= {lead / 8}")
    c = _SLOPE * tau * d / 2 * step * d
    q = kept(d=d, e=step)
    inside, outside = kappa(tau=tau, beta=1, n=N - 2), kappa(tau=tau, beta=0, n=N - 1)
    domain = {"d": 2, "N": 2, "v": 0, "w": 0}
    argument.nonnegative(
        "y in the image: kappa - 2c - l >= (l/d^2) (q d^2 - right-hand side of the condition)",
        inside - 2 * c - ell - ell / d**2 * (q * d**2 - condition(lead, ell, d, noise, q)),
        domain,
    )
    argument.nonnegative("y outside the image: kappa is not smaller", outside - inside, domain)
    argument.nonnegative(
        "a single fact: kappa - 2c - l >= 0", outside(N=1) - 2 * c - ell, {"d": 2, "v": 0, "w": 0}
    )
    argument.infer(
        "P(gamma~ <= 0) <= e^c E exp(-(kappa - c) A) <= e^c E exp(-(l + c) A) "
        "<= exp(-l + (l + c)^2/(2d))",
        "A >= 0, and A = 1 - rho has the generating function of a coordinate",
    )
    largest = _SLOPE * lead / 2 * coarsest
    argument.nonnegative(f"c <= {largest} l", largest * ell - c, {"d": 2, "v": 0, "w": 0})
    exponent_suffices(argument, (1 + largest) ** 2)
    argument.nonnegative(
        "union bound over N (M-1) pairs: N (M-1) e^(-L) <= delta",
        pairs - N * (M - 1),
        {"N": 1, "M": 1},
    )
    return argument
