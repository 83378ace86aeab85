"""The proof of Lemma 3, line by line: what its steps give, and what they need (App. C.2).

h = (d - 1)/2 is the dimension of P and of Q, A = |P phi(s)|^2, B = |Q phi(r)|^2. Each function decides
one step for given constants, so that wrong constants break it, and returns what refutes it, or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, factorial, floor, prod

from proofs.algebra import RationalFunction, Violation, decide_nonnegative, leading
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import BETA_PROXY, BOOLE, COORDINATE_LAW, SPHERE_ROTATION, WARREN
from proofs.concentration import overlap_moment
from proofs.hermite import (
    derivative_rule,
    gaussian_moment,
    hermite_coefficients,
    tensor_stein,
)
from proofs.papers.nichani.mlp import one_neuron_tells_two_outputs_apart

#: epsilon at which steps that hold for every epsilon are tried.
_EPSILONS = tuple(
    Fraction(*pair)
    for pair in ((51, 100), (99, 100), (9, 10), (2, 3), (1, 2), (1, 3), (1, 4), (1, 10))
)
#: Orders of moments that are compared with the engine's, elsewhere, and searched for counterexamples.
ORDERS = range(1, 5)
#: Odd dimensions at which bounds are tried.
_DIMENSIONS = (3, 5, 7, 9, 15, 31, 101, 1001, 10001)

_d, _h, _i, _n, _p = symbols("d h i n p")


# -- degrees --------------------------------------------------------------------------------------


def degrees_fit(least: Fraction, slope: int, more: int) -> Argument:
    """An integer q = C_2/eps with C_2 >= *least* or C_2 > *least* (which makes no difference) is at
    least slope ceil(1/eps) + more, for every eps in (0, 1)."""
    argument = Argument()
    argument.define("n = ceil(1/eps) >= 2, since eps < 1; eps < 1/(n - 1)")
    for n in range(2, 8):
        # The smallest integer q that C_2 and some eps with ceil(1/eps) = n allow: q > least (n - 1).
        q = floor(least * (n - 1)) + 1
        if searching() and q < slope * n + more:
            eps = (max(Fraction(1, n), least / q) + Fraction(1, n - 1)) / 2
            witness = {"epsilon": eps, "q": q, "C_2": q * eps, "p + k": slope * n + more}
            return argument.refute(witness)
    argument.infer("q > least (n - 1)", "q = C_2/eps and 1/eps > n - 1")
    argument.nonnegative(
        "least (n - 1) - (slope n + more - 1) >= 0, so that the integer q is large enough",
        least * (_n - 1) - (slope * _n + more - 1),
        {"n": 2},
    )
    return argument


def room(count: RationalFunction, dimension: RationalFunction) -> Argument:
    """*count* orthogonal subspaces of *dimension* (in d) in R^d, for all odd d >= 3."""
    argument = Argument()
    for d in range(3, 30, 2):
        size, number = dimension(d=d).as_fraction(), count.as_fraction()
        if searching() and (size * number > d or size.denominator != 1):
            return argument.refute({"d": d, "dimension": size, "subspaces": number, "room": d})
    argument.nonnegative(
        "d = 2h + 1: the dimensions add up to at most d",
        2 * _h + 1 - count * dimension(d=2 * _h + 1),
        {"h": 1},
    )
    argument.true("there are two of them", count == 2, str(count))
    argument.equal("each has the dimension floor(d/2) = h", dimension(d=2 * _h + 1), _h)
    argument.infer("P and Q: the spans of the first h and the next h unit vectors", "2h < d")
    return argument


def derivative_coefficient(start: RationalFunction, ratio: RationalFunction) -> Argument:
    """E sigma^(n)(Z) = f_n c_n with f_0^2 = start and f_{n+1}^2 = ratio f_n^2, ratio in n."""
    argument = Argument()
    for n in range(8):
        square = start.as_fraction()
        for j in range(n):
            square *= ratio(**dict.fromkeys(ratio.names, j)).as_fraction()
        if searching() and square != factorial(n):
            argument.witness = {
                "n": n,
                "sigma": f"h_{n}, so c_{n} = 1",
                f"(E sigma^({n})(Z))^2": factorial(n),
                "stated": square,
            }
            return argument
    argument.include(derivative_rule())
    argument.infer(
        "h_j^(n) = sqrt(j!/(j-n)!) h_{j-n}, and 0 for n > j", "h_j' = sqrt(j) h_{j-1}, n times"
    )
    argument.infer(
        "E sigma^(n)(Z) = sqrt(n!) c_n for sigma = sum_j c_j h_j",
        "E h_j(Z) = 0 for j >= 1, h_0 = 1",
    )
    argument.equal("f_0^2 = 0! = 1", start, ONE)
    argument.equal("f_{n+1}^2/f_n^2 = (n+1)!/n! = n + 1", ratio, _n + 1)
    return argument


def stein_step(
    sign: Fraction, factor: RationalFunction, derivative: RationalFunction, power: RationalFunction
) -> Argument:
    """E[sigma(<w,x>) <He_n(w), T>] = sign^n factor E[sigma^(derivative)(<w,x>)] <x^power, T>, in n."""
    argument = Argument()
    for n, j in product(range(1, 5), range(7)):
        scale, order, length = (
            f(**dict.fromkeys(f.names, n)).as_fraction() for f in (factor, derivative, power)
        )
        left = (
            sum(
                (
                    Fraction(c) * gaussian_moment(i + j)
                    for i, c in enumerate(hermite_coefficients(n))
                ),
                Fraction(0),
            )
            * Fraction(2) ** j
        )
        right = Fraction(0)
        if j >= order >= 0:
            slope = Fraction(factorial(j), factorial(j - int(order))) * gaussian_moment(
                j - int(order)
            )
            right = sign**n * scale * slope * Fraction(2) ** int(j - order + length)
        if searching() and left != right:
            witness = {"d": 1, "n": n, "sigma(t)": f"t^{j}", "x": 2, "T": 1, "left": left}
            return argument.refute(witness | {"stated": right})
    argument.include(tensor_stein(sign))
    argument.infer(
        "grad^n sigma(<w,x>) = sigma^(n)(<w,x>) x^n", "the chain rule, n times; contract with T"
    )
    argument.equal("there is no other factor", factor, ONE)
    argument.equal("the order of the derivative is n", derivative, _n)
    argument.equal("so is the power of x", power, _n)
    return argument


def power_of_epsilon(
    multiple: int, up: bool, more: int, power: Fraction, left: Fraction, right: Fraction
) -> Argument:
    """log^(4q+left) S (4p)^p/d^p <= C log^(4q+right) (8/eps)^(2/eps)/d^(power/eps), d >= S^eps, for
    p = multiple ceil(1/eps) + more (floor, unless *up*), the logarithm and d unbounded."""
    argument = Argument()
    argument.infer("S <= d^(1/eps), so the left side has d^(1/eps - p)", "d >= S^eps")
    for eps in _EPSILONS:
        p = multiple * (ceil(1 / eps) if up else floor(1 / eps)) + more
        surplus = p - (1 + power) / eps
        argument.true(
            f"eps = {eps}, p = {p}: p - 1/eps is at least {power}/eps", surplus >= 0, f"{surplus}"
        )
        if searching() and surplus < 0:
            argument.witness = {
                "epsilon": eps,
                "p": p,
                "S": "d^(1/epsilon)",
                "left over right": f"d^({-surplus}), up to a constant, as d grows",
            }
            return argument
    if searching() and left > right:
        witness = {"left over right": f"log^({left - right})(1/delta'), as delta' falls"}
        return argument.refute(witness)
    argument.true("the powers of the logarithm", left == right, f"4q + {left}, 4q + {right}")
    argument.true(
        "p is at least 2/eps + 1 for every eps", multiple >= 2 and up and more >= 1, "ceil(1/eps)"
    )
    argument.true("2/eps is at least (1 + power)/eps", power <= 1, str(power))
    argument.infer("C = (4p)^p/(8/eps)^(2/eps) serves, d >= 1", "it depends on eps only")
    return argument


# -- projected norms ------------------------------------------------------------------------------


def norm_moment(j: int) -> RationalFunction:
    """E A^j = prod_{i<j} (h + 2i)/(d + 2i), in d."""
    return prod((((_d - 1) / 2 + 2 * i) / (_d + 2 * i) for i in range(j)), start=ONE)


def projected_overlap(j: int) -> RationalFunction:
    """E<P s, P s'>^(2j), two independent unit vectors: prod_{i<j} (2i + 1)(h + 2i)/(d + 2i)^2."""
    return norm_moment(j) ** 2 * overlap_moment(j)(d=(_d - 1) / 2)


def beta_law() -> Argument:
    """A ~ Beta(h/2, (d-h)/2), its direction uniform and independent."""
    argument = Argument()
    argument.cite(
        "A = |P phi|^2 has the law Beta(h/2, (d-h)/2), independently of P phi/|P phi|, which is uniform "
        "on the unit sphere of P",
        COORDINATE_LAW,
    )
    argument.infer(
        "E A^(j+1) = (h + 2j)/(d + 2j) E A^j, and E<u,u'>^(2j+2) = (2j+1)/(h+2j) E<u,u'>^(2j) for "
        "directions u, u'",
        "moments of Beta laws",
    )
    return argument


def moments_converge(polynomial: str) -> Argument:
    """|E f(A, B) - f(1/2, 1/2)| <= C_f/d for every polynomial f."""
    argument = beta_law()
    half = RationalFunction.constant(Fraction(1, 2))
    factor = (_h + 2 * _i) / (2 * _h + 1 + 2 * _i)
    argument.equal(
        "each factor (h + 2i)/(d + 2i) is 1/2 + (2i - 1)/(2(d + 2i))",
        factor - half,
        (2 * _i - 1) / (2 * (2 * _h + 1 + 2 * _i)),
    )
    for sign in (1, -1):
        argument.nonnegative(
            f"{'+' if sign > 0 else '-'}(factor - 1/2) is at most (2i + 1)/(2d)",
            (2 * _i + 1) / (2 * (2 * _h + 1)) - sign * (factor - half),
            {"h": 1, "i": 0},
        )
    argument.infer(
        "|E A^j - 2^(-j)| <= j^2/(2d) for every j",
        "all factors lie in [0, 1], and replacing one after the other costs (2i+1)/(2d) each",
    )
    argument.infer(
        f"E f(A, B) is within C_f/d of f(1/2, 1/2) for f = {polynomial}",
        "A and B are independent, and f is a finite sum of monomials",
    )
    return argument


@search
def beyond_the_order(difference: RationalFunction, order: Fraction, what: str) -> Witness | None:
    """Where |difference| <= C/d^order fails as d grows; the other symbols at 1."""
    at_one = difference(**{name: 1 for name in difference.names if name != "d"})
    if at_one == 0:
        return None
    found = leading(at_one, {"d": 1})
    if found.exponent > -order:
        return {
            what: f"{found.term.factored()} ~ d^({found.exponent})",
            "stated order": f"d^({-order})",
            "coefficients": "1",
        }
    return None


def orlicz(power: Fraction) -> Argument:
    """The Orlicz norm (psi_1) of A - 1/2 is at most C/d^power with an absolute constant C."""
    argument = beta_law()
    half = Fraction(1, 2)
    second = norm_moment(2) - norm_moment(1) + half**2
    argument.infer(
        "K >= ||X||_psi1 with E exp(|X|/K) <= 2 gives E X^2 <= 2 K^2", "exp(x) >= 1 + x^2/2, x >= 0"
    )
    found = leading(second, {"d": 1})
    if searching() and found.exponent / 2 > -power:
        argument.witness = {
            "E(A - 1/2)^2": f"{second.factored()} ~ {found.term.factored()}",
            "so K^2": "at least half of it",
            "stated": f"(C/d^({power}))^2",
        }
        return argument
    argument.true(f"d^-{power} is no less than d^(-1/2)", power <= half, str(power))
    argument.cite(
        "E exp(t (A - E A)) <= exp(t^2/(8 (a + b + 1))) for A ~ Beta(a, b), here a + b = d/2",
        BETA_PROXY,
    )
    argument.infer(
        "P(|A - E A| > u) <= 2 exp(-u^2 (d + 2)), so ||A - E A||_psi1 <= C/sqrt(d)",
        "Chernoff's bound; the psi_1 norm is at most a constant times the psi_2 norm",
    )
    shift = norm_moment(1) - half
    argument.nonnegative("|E A - 1/2| = 1/(2d) adds at most 1/d", 1 / _d + shift, {"d": 1})
    return argument


# -- features -------------------------------------------------------------------------------------


def odd_features(odd_p: bool, odd_k: bool) -> Argument:
    """What is odd in the embedding of a subject or a relation other than s, r has mean 0."""
    argument = Argument()
    argument.infer(
        "given all other embeddings and w, :<w, P phi(s')>^p: changes its sign with phi(s') for odd p, "
        "likewise :<w, Q phi(r')>^k: for odd k",
        "a Wick power has powers of one parity only",
    )
    argument.true("p is odd", odd_p, "parity of p")
    argument.true("k is odd", odd_k, "parity of k")
    argument.cite(
        "phi and -phi have the same law, independently of all else",
        SPHERE_ROTATION,
    )
    argument.infer(
        "the factor <a', a - b> does not see subjects and relations; where b is one of them, its mean "
        "and its products given phi(b) do not depend on phi(b)",
        "answers are other tokens, with embeddings of their own signs",
    )
    return argument


def overlap_bounds(base: RationalFunction, power: RationalFunction) -> Argument:
    """E<P s, P s'>^(2p) <= base^p d^(-power) for all p >= 1 and odd d >= 3, base and power in p."""
    argument = beta_law()
    for p, d in product(ORDERS, _DIMENSIONS):
        left = projected_overlap(p)(d=d).as_fraction()
        size, exponent = (f(**dict.fromkeys(f.names, p)).as_fraction() for f in (base, power))
        right = size**p / Fraction(d) ** int(exponent)
        if searching() and left > right:
            return argument.refute({"p": p, "d": d, "E<P s, P s'>^(2p)": left, "stated": right})
    argument.nonnegative(
        "E<P s, P s'>^(2p) = prod_{i<p} (2i+1)(h+2i)/(d+2i)^2, and each factor is at most (2i+1)/d",
        (2 * _i + 1) / (2 * _h + 1) - (2 * _i + 1) * (_h + 2 * _i) / (2 * _h + 1 + 2 * _i) ** 2,
        {"h": 1, "i": 0},
    )
    argument.infer("1 3 ... (2p-1) <= p^p", "shown for Lemma 12")
    argument.nonnegative("p is at most the base", base(**_in(base, "p")) - _p, {"p": 1})
    argument.nonnegative("the power of d is at most p", _p - power(**_in(power, "p")), {"p": 1})
    return argument


def _in(function: RationalFunction, name: str) -> dict[str, RationalFunction]:
    """The one symbol of a function, renamed."""
    return dict.fromkeys(function.names, RationalFunction.symbol(name))


def first_sum(p: int, k: int) -> RationalFunction:
    """sum over (s', r') != (s, r) of rho_ss' rho_rr', in S, R and d."""
    S, R = RationalFunction.symbol("S"), RationalFunction.symbol("R")
    subject, relation = projected_overlap(p), projected_overlap(k)
    return (
        (S - 1) * (R - 1) * subject * relation
        + (S - 1) * subject * norm_moment(2 * k)
        + (R - 1) * norm_moment(2 * p) * relation
    )


def first_sum_counted(
    bounds: Mapping[tuple[int, int], RationalFunction],
) -> Argument:
    """The sum is at most the bound, given for degrees (p, k); d = 2h + 1 >= 3, S, R >= 1."""
    argument = beta_law()
    for (p, k), bound in bounds.items():
        excess = (bound - first_sum(p, k))(d=2 * _h + 1)
        ends = {"h": 1, "S": 1, "R": 1}
        if argument.nonnegative(f"p = {p}, k = {k}: bound less sum", excess, ends):
            continue
        decided = decide_nonnegative(excess, ends) if searching() else None
        if isinstance(decided, Violation):
            at = dict(decided.at)
            d = 2 * at.pop("h") + 1
            return argument.refute({"p": p, "k": k, "d": d, **at, "sum less bound": -decided.value})
    argument.infer(
        "for all p and k: rho_ss' <= (4p)^p d^-p or 1, rho_rr' <= (4k)^k d^-k or 1, and there are at "
        "most S, R and SR terms of each kind",
        "the bounds on rho",
    )
    return argument


# -- variance -------------------------------------------------------------------------------------

#: Sizes as powers of t, n facts having the answer of the margin: with so many neurons that these add
#: nothing, and p = k = 1 with few neurons.
WIDE_PATHS: tuple[Mapping[str, int], ...] = (
    {"d": 1, "S": 0, "R": 0, "n": 0, "m": 9},
    {"d": 1, "S": 3, "R": 0, "n": 3, "m": 9},
    {"d": 1, "S": 0, "R": 3, "n": 0, "m": 9},
    {"d": 1, "S": 3, "R": 3, "n": 0, "m": 9},
)
PATHS: tuple[Mapping[str, int], ...] = (
    {"d": 9, "S": 4, "R": 0, "m": 1, "n": 4},
    {"d": 1, "S": 3, "R": 3, "m": 0, "n": 0},
    {"d": 9, "S": 0, "R": 0, "m": 1, "n": 0},
)


def noise_without_neurons(p: int, k: int) -> RationalFunction:
    """Var(gamma)/(E gamma)^2 as m tends to infinity, sigma^(p+k) being constant: n facts have the answer
    a, all others different ones, and b has none."""
    S, R, n = symbols("S R n")
    subject, relation = projected_overlap(p), projected_overlap(k)
    own = (1 + 1 / _d) * norm_moment(2 * p) * norm_moment(2 * k)
    same = ((n - 1) * (1 + 1 / _d) + (S - n) * 2 / _d) * subject * norm_moment(2 * k)
    other = (R - 1) * 2 / _d * relation * (norm_moment(2 * p) + (S - 1) * subject)
    return (own + same + other) / (norm_moment(p) * norm_moment(k)) ** 2 - 1


@search
def outgrown_on(
    paths: Sequence[Mapping[str, int]], value: RationalFunction, bound: RationalFunction
) -> Witness | None:
    """The first of *paths* on which *value* outgrows *bound*."""
    for path in paths:
        above = leading(value, path)
        below = None if bound == 0 else leading(bound, path)
        if below is None or above.exponent > below.exponent:
            return {
                "sizes": ", ".join(f"{n} ~ t^{e}" if e else f"{n} fixed" for n, e in path.items()),
                "Var/(E gamma)^2": f"{above.term.factored()} ~ t^({above.exponent})",
                "bound": "0" if below is None else f"t^({below.exponent})",
            }
    return None


def variance_bound(terms: RationalFunction) -> Argument:
    """Var(gamma)/(E gamma)^2 <= C (terms) for d >= d_0, with C and d_0 depending on sigma, p and k.

    *terms* are in d, n, m, S, R, x, y: x stands for S/d^p, y for R/d^k, n for C(a) + C(b).
    """
    d, n, m, S, R, x, y = symbols("d n m S R x y")
    constant = RationalFunction.constant
    argument = beta_law()
    argument.include(odd_features(True, True))
    argument.infer(
        "Var(gamma) <= V_0 + sum_((s',r') != (s,r)) E[omega_i omega_j] + (1/m) sum E[omega_i^2] with "
        "V_0 = E[omega_isr omega_jsr] - (E gamma)^2",
        "the omegas of different facts are uncorrelated",
    )
    argument.define("X = E_Z[sigma^(p+k)(Z sqrt(A+B))] A^p B^k, a polynomial in A and B in [0, 1]")
    argument.infer(
        "V_0 = Var(X) + E X^2/d, and Var(X) <= L^2 (Var A + Var B), L a Lipschitz constant of X",
        "Var f(A,B) is half the mean of the squared difference of two independent copies",
    )
    variance = norm_moment(2) - norm_moment(1) ** 2
    argument.nonnegative("Var A + Var B <= 1/d", 1 / d - 2 * variance, {"d": 1})
    argument.infer(
        "V_0 <= G/d, E[omega_i omega_j] <= G rho_ss' rho_rr' (1 + 1/d) and E[omega_i^2] <= K times "
        "E<a', a - b>^2, with constants G, K",
        "X is bounded; A + B <= 2, and moments of w given the embeddings are bounded there",
    )
    argument.infer(
        "the sums are at most G (x + y + x y) and K (n + 2SR/d), up to constants in p and k",
        "the bounds on the first and the second sum",
    )
    for text, rest, part in (
        ("1/d", {"n": 0, "S": 0, "x": 0, "y": 0}, constant(0)),
        ("n/m", {"S": 0, "x": 0, "y": 0}, n / m),
        ("SR/(md)", {"n": 0, "x": 0, "y": 0}, S * R / (m * d)),
        ("x + y + xy", {"n": 0, "S": 0}, x + y + x * y),
    ):
        lower = {**dict.fromkeys("nSRxy", 0), "d": 1, "m": 1}
        argument.nonnegative(f"the bound contains {text}", terms(**rest) - 1 / d - part, lower)
    argument.infer(
        "2 (G + K) times the bound is at least 2 G (1/d + x + y + xy) + K (n/m + 2SR/(md))",
        "it is the sum of such terms",
    )
    argument.include(moments_converge("X"))
    argument.infer(
        "(E gamma)^2 >= c^2 4^(-p-k)/4 for d >= d_0", "E gamma tends to c 2^(-p-k), and c is not 0"
    )
    return argument


# -- the lemma ------------------------------------------------------------------------------------


def split_degree(least: Fraction) -> Argument:
    """p = ceil(q/2), k = floor(q/2) for an integer q = C_2/eps, C_2 > least: noise d^(1/eps - p)."""
    C, e = symbols("C e")
    argument = Argument()
    argument.define(
        "p = ceil(q/2), k = floor(q/2), so p + k = q; C_2 = 2 + 2C, C > 0; 1/eps = 1 + e"
    )
    argument.true("C_2 is above 2", least >= 2, f"C_2 > {least}")
    argument.equal(
        "q/2 - 1/eps = C/eps, which is (C_2 - 2)/(2 eps)",
        (2 + 2 * C) * (1 + e) / 2 - (1 + e),
        C * (1 + e),
    )
    argument.infer("p >= q/2 and k + 1 >= q/2", "floor(q/2) >= (q - 1)/2")
    argument.infer("k >= 1 and q >= 3", "q > 2/eps > 2 is an integer")
    argument.infer(
        "S d^(-p) <= d^(-eta) and R d^(-k-1) <= d^(-eta) with eta = (C_2 - 2)/(2 eps) > 0",
        "S, R <= d^(1/eps), and p, k + 1 >= 1/eps + eta",
    )
    return argument


def centred_features() -> Argument:
    """The memory whose features are centred over directions: exact mean, uncorrelated terms."""
    d = RationalFunction.symbol("d")
    argument = beta_law()
    argument.define(
        "X_s = (P phi(s))^p - |P phi(s)|^p T_p with T_p = E u^p, u uniform on the unit sphere of P, "
        "likewise Y_r in Q; v_i = (1/m) sum <He_q(w_i), X_s x Y_r> phi(a*(s,r))"
    )
    argument.infer(
        "T_p = 0 for odd p, and |P phi(s)|^p is a polynomial for even p: v_i is one in phi and w",
        "u and -u have the same law",
    )
    argument.infer(
        "<He_q(w), X x Y> = <He_p(w), X> <He_k(w), Y> for X over P and Y over Q",
        "P and Q are orthogonal: coordinates of P w and Q w are independent, He is their product",
    )
    argument.infer(
        "E_w[sigma(<w, P s + Q r>) <He_q(w), X x Y>] = c <(P s)^p, X> <(Q r)^k, Y> with "
        "c = E sigma^(q)(Z) = sqrt(q!) c_q",
        "Stein's identity for tensors; sigma^(q) is a constant",
    )
    argument.infer(
        "given everything but the direction of P phi(s'), s' != s, a term of s' has mean 0; likewise "
        "for r' != r: terms of different facts are uncorrelated, for two neurons and for one",
        "E X_s' = 0 given |P phi(s')|; of two different facts one has such a subject or relation, which "
        "the other has not, and whose direction occurs nowhere else",
    )
    argument.infer(
        "this is so for every token b != a*(s,r), also a subject or a relation",
        "then phi(b) occurs in <a', a - b> alone, and the means over the answers, of one such factor "
        "and of two, are 0 or numbers that do not depend on phi(b): average over the answers first",
    )
    argument.define("tau_p = E<u,u'>^p for even p and 0 for odd p")
    argument.infer(
        "E gamma = c E[A^p] E[B^k] (1 - tau_p)(1 - tau_k)",
        "<(P s)^p, X_s> = A^p (1 - tau_p), and E<a, a - b> = 1",
    )
    argument.infer("tau_p <= E<u,u'>^2 = 1/h <= 1/2 for d >= 5", "|<u,u'>| <= 1")
    argument.nonnegative(
        "E A = (d-1)/(2d) is at least 1/3 for d >= 3", (d - 1) / (2 * d) - Fraction(1, 3), {"d": 3}
    )
    argument.infer("|E gamma| >= |c| 3^(-q)/4 > 0", "E A^p >= (E A)^p, Jensen; c_q is not 0")
    return argument


def centred_variance() -> Argument:
    """Var(gamma)/(E gamma)^2 <= C (d^-eta + 1/d + max C(a)/m + SR/(md)) for the centred memory."""
    h, p, i, d, x, y, n, m, S, R, z = symbols("h p i d x y n m S R z")
    argument = Argument()
    argument.infer(
        "the own fact adds V_0 = (c (1-tau_p)(1-tau_k))^2 ((1 + 1/d) E A^2p E B^2k - (E A^p E B^k)^2)",
        "E<a, a - b>^2 = 1 + 1/d",
    )
    ratio = (h + 2 * p + 2 * i) * (2 * h + 1 + 2 * i) / ((2 * h + 1 + 2 * p + 2 * i) * (h + 2 * i))
    argument.nonnegative(
        "E A^2p/(E A^p)^2 is a product of p factors, each at most 1 + 6p/d",
        1 + 6 * p / (2 * h + 1) - ratio,
        {"h": 1, "p": 1, "i": 0},
    )
    argument.infer(
        "V_0/(E gamma)^2 <= (1 + 6p/d)^p (1 + 6k/d)^k (1 + 1/d) - 1 <= (1 + 6q)^(q+1)/d",
        "the left side is a convex function of 1/d in [0, 1], and 0 at 0",
    )
    argument.infer(
        "rho_p = E<(P s)^p, X_s'>^2 <= E<P s, P s'>^2p <= (4p)^p d^-p, likewise rho_k",
        "centring over a direction lowers second moments; the bounds on rho",
    )
    argument.infer(
        "E<a', a - b>^2 is 1 + 1/d where a' is a or b, and 2/d elsewhere", "the values of rho-sum"
    )
    argument.infer(
        "s' != s, r' = r: at most S facts, together at most C S d^-p = C d^(1/eps - p)",
        "the factor of the answers is at most 2",
    )
    argument.infer(
        "s' = s, r' != r: a*(s,r') is never a and is b for one r' at most: C (R d^-k 2/d + d^-k 2)",
        "answers of different relations are disjoint",
    )
    argument.infer(
        "s' != s, r' != r: C d^(-p-k) (SR 2/d + 2 (C(a) + C(b)))", "all but C(a) + C(b) are generic"
    )
    argument.define("x = S d^-p, y = R d^(-k-1), z = d^-k <= 1/d, with x, y <= d^-eta; C(a) <= S")
    argument.nonnegative(
        "the three sums over C: 2x, 2y + 2z, 2xy + 4xz are at most 8 (x + y + z) for x <= 1",
        8 * (x / (1 + x) + y + z)
        - (2 * x / (1 + x) + 2 * y + 2 * z + 2 * y * x / (1 + x) + 4 * z * x / (1 + x)),
        {"x": 0, "y": 0, "z": 0},
    )
    argument.infer(
        "C(a) <= S", "a is an answer of one relation, and a subject has one answer there"
    )
    argument.infer(
        "E[omega_i^2] <= K E<a', a - b>^2, K = 3^(2q) p! k! max_{t <= 2} E sigma(Z sqrt(t))^2",
        "given the embeddings sigma and the features are polynomials of degree q in w, each with "
        "||f||_4^2 <= 3^q ||f||_2^2 (Lemma 13 at 4), and |X_s|, |Y_r| <= 1",
    )
    argument.nonnegative(
        "(1/m) sum E[omega_i^2]/K = (1/m)((C(a)+C(b))(1 - 1/d) + 2SR/d) <= 2n/m + 2SR/(md), "
        "n = max C(a)",
        2 * n / m + 2 * S * R / (m * d) - (2 * n * (1 - 1 / d) + 2 * S * R / d) / m,
        {"n": 0, "S": 0, "R": 0, "m": 1, "d": 1},
    )
    return argument


def recall(keep_d: bool, keep_m: bool, keep_md: bool) -> Argument:
    """From the variance to a network that recalls all facts, L = log(|V|/delta)."""
    C, e = symbols("C e")
    argument = Argument()
    argument.define("D = 2q + 2(p + k) + 2 = 4q + 2, the degree of gamma; delta' = delta/(SR|V|)")
    argument.infer(
        "log(1/delta') <= 3 L, and delta' <= 1/2 <= e^(-1/2)",
        "S, R <= |V| and |V| >= 3: subjects, relations and answers are tokens",
    )
    for kept, text in (
        (keep_d, "d >= C L^(C_4/eps)"),
        (keep_m, "m >= C L^(C_4/eps) max C(a)"),
        (keep_md, "m d >= C L^(C_4/eps) SR"),
    ):
        argument.true(f"the hypothesis {text} is there", kept, "it bounds its term")
    argument.define(
        "C_2 = 2 + 2C, 1/eps = 1 + e; C_4 = 4 C_2 + 2 + (4 C_2 + 2)/C, a function of C_2"
    )
    exponent = 4 * (2 + 2 * C) * (1 + e) + 2
    four = 4 * (2 + 2 * C) + 2 + (4 * (2 + 2 * C) + 2) / C
    argument.nonnegative(
        "C_4/eps is at least D = 4 C_2/eps + 2",
        four * (1 + e) - exponent,
        {"C": 0, "e": 0},
        interior=True,
    )
    argument.nonnegative(
        "and eta C_4/eps is at least D, eta = C/eps: so d^-eta log^D is at most a constant over C",
        four * (1 + e) * C * (1 + e) - exponent,
        {"C": 0, "e": 0},
        interior=True,
    )
    argument.infer(
        "each of d^-eta, 1/d, max C(a)/m and SR/(md), times log^D(1/delta'), is at most any given "
        "constant",
        "the three conditions, with a large constant C",
    )
    argument.infer(
        "2^D e log^D(1/delta') Var(gamma)/(E gamma)^2 <= 1 for a constant that depends on sigma and eps",
        "Var/(E gamma)^2 is at most a constant times d^-eta + 1/d + max C(a)/m + SR/(md)",
    )
    argument.infer(
        "P(gamma_srb <= 0) <= delta'",
        "gamma is a polynomial of degree D on spheres and Gaussian space with a positive mean (negate "
        "the v_i if c_q < 0): Lemma 14 corrected",
    )
    argument.cite("SR|V| delta' <= delta bounds the probability of some gamma <= 0", BOOLE)
    argument.infer(
        "with probability 1 - delta over the embeddings some w_i make all margins positive",
        "embeddings for which no w_i do have probability at most delta",
    )
    return argument


# -- where the lemma would fail -------------------------------------------------------------------


def too_small_a_degree(least: Fraction) -> Argument | None:
    """An eps = 1/n and an integer q > least n with q + 1 < 2n, if there are any: no network whatever
    its width recalls S = R = d^n subjects and relations."""
    for n in range(1, 400):
        q = floor(least * n) + 1
        if q + 1 < 2 * n:
            argument = Argument()
            argument.define(
                "S = R = floor(d^(1/eps)), |A_r| = S: each relation is a bijection S -> A_r"
            )
            argument.infer(
                "F ranges over polynomial maps of degree q from R^(d-1) to R^d, a space of dimension "
                "K = d binom(d - 1 + q, q) <= C d^(q+1), whatever the width",
                "sigma has degree q",
            )
            argument.true("q + 1 is below 2/eps", q + 1 < 2 * n, f"{q + 1} against {2 * n}")
            argument.include(few_patterns("K", "d^(q+1) log d", "d^(2/eps) log d"))
            if argument.holds:
                argument.witness = {
                    "epsilon": Fraction(1, n),
                    "q": q,
                    "C_2": Fraction(q, n),
                    "S = R": "floor(d^(1/epsilon)), all answers different",
                    "P(some network recalls)": "tends to 0 as d grows, for every width",
                }
            return argument
    return None


def few_patterns(parameters: str, above: str, below: str) -> Argument:
    """The networks separate too few tables: the pattern count against the number of tables."""
    argument = Argument()
    argument.cite(
        "n polynomials of bounded degree in K variables have at most (C n/K)^K patterns of signs",
        WARREN,
    )
    argument.infer(
        f"at most exp(K log(C n/K)), of the order exp({above}), of the (S!)^R tables are recalled at "
        f"given embeddings, K = {parameters} and n <= SR |V|",
        "which answer wins is decided by the signs of differences of scores, and no two tables share a "
        "pattern",
    )
    argument.infer(
        f"P(a given table is recalled) is at most that number over (S!)^R = exp({below}), tending to 0",
        "the answers of a relation are exchangeable",
    )
    return argument


def narrow() -> Argument:
    """Without a condition on m: one neuron, three facts of one relation with three answers."""
    argument = one_neuron_tells_two_outputs_apart()
    argument.infer(
        "with R = 1, S = 3, three answers and m = 1 the conditions on d and on m d hold for large d",
        "they bound d from below only",
    )
    if argument.holds:
        argument.witness = {
            "m": 1,
            "S": 3,
            "R": 1,
            "d": "any, as large as the other conditions ask",
            "why": "the scores of (s, r) are a multiple of <phi(b), v>: at most two answers win",
        }
    return argument


def bounded_dimension() -> Argument:
    """Without a condition on d: d = 3, where F is a polynomial in two variables."""
    argument = Argument()
    q, n = 41, 20
    argument.define(
        "d = 3, epsilon = 1/20, q = 41 (C_2 = 41/20), S = R = 3^20, m as large as asked"
    )
    unknowns = 3 * (q + 1) * (q + 2) // 2
    argument.true(
        "F has 3 binom(q + 2, 2) coefficients, fewer than 3^n",
        unknowns < 3**n,
        f"{unknowns} against {3**n}",
    )
    # (e n_forms)^K against (S!)^R >= (S/e)^(SR), in logarithms to base 2, generously.
    forms = 3 ** (5 * n)
    argument.true(
        "K log2(4 n_forms) is below R S",
        unknowns * (forms.bit_length() + 2) < 3 ** (2 * n),
        f"{unknowns * (forms.bit_length() + 2)} against 3^{2 * n}",
    )
    argument.include(few_patterns("3 binom(q+2, 2)", "K log(SR|V|)", "SR log S"))
    if argument.holds:
        argument.witness = {
            "d": 3,
            "epsilon": Fraction(1, 20),
            "q": q,
            "S = R": "3^20, all answers different",
            "P(some network recalls)": "below 2^(-SR/2), for every width",
        }
    return argument


def narrow_and_full() -> Argument:
    """Without a condition on md: S = R, d a small power of S, m a power of log S."""
    argument = Argument()
    argument.define(
        "S = R, all answers different, d = ceil(S^epsilon), m = C log^c(S): 2md weights"
    )
    argument.include(few_patterns("2md", "S^eps polylog(S)", "S^2 log S"))
    if argument.holds:
        argument.witness = {
            "sizes": "S = R to infinity, d = ceil(S^epsilon), m a power of log S, epsilon = 1/2",
            "P(some network recalls)": "tends to 0: the weights separate too few tables",
        }
    return argument
