"""The proof of the explicit condition for general maps, line by line, each line decided.

From the law of one margin of the linear memory, whose outputs may share inputs, to the generating
function of one output with n inputs, to the tail at every value of <u_f(x), u_y>. The constants are
arguments, so that the proof is tried on wrong ones. Serves Theorem 1 of Nichani et al. without
"injective".
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from math import comb, factorial

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, symbols, total
from proofs.argument import Argument
from proofs.citations import BOOLE, MARKOV, SPHERE_ROTATION
from proofs.concentration.sphere import coordinate_moment
from proofs.memories.setting import Memory, raw_margin_moments
from proofs.moments import Association, dot, mean, outer, sum_over
from proofs.papers.nichani.linear import Constants, cumulants, moments

#: Orders up to which the law of the margin is compared with the engine, as a second road.
LAW_ORDERS = 6
#: Powers mu^2, mu^4, ... at which the generating function of an output is compared with the engine.
_POWERS = 4


# -- the law of one margin ------------------------------------------------------------------------


class GeneralMemory(Memory):
    """W = sum_z u_{f(z)} e_z^T for any map f: p2, p3, ... are the power sums of the sizes of the
    outputs other than f(x) and y."""

    text = "W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>,  f any map"

    def __init__(self) -> None:
        super().__init__()
        self.association = Association(self.inputs, self.outputs, fibre_powers="p")
        z = self.inputs.index("z")
        self.weight = sum_over(z, outer(self.u[self.association(z)], self.e[z]))
        self.margin = dot(self.contrast(), self.weight @ self.e[self.x])


definition = cache(GeneralMemory)


def margin_law(use: Constants | None = None) -> Argument:
    """gamma has the law of A (1 + coincident (sum_a t - sum_b t)) + sqrt(spread A) sum_y' g'_y'
    T_y', T_y' the sum of the keys t of the output y'; a, b the other inputs of f(x), those of y.

    The structure of the margin gives the law; its moments up to LAW_ORDERS, computed from the
    right-hand side alone, must be the engine's, for any sizes of the fibres.
    """
    use = use or Constants()
    m = definition()
    f, x, y, z = m.association, m.x, m.y, m.inputs.index("z")
    w = m.contrast()
    A = 1 - dot(m.u[f(x)], m.u[y])
    same, other = symbols("same other")
    given = m.given(same, other)
    by_input = sum_over(z, dot(w, m.u[f(z)]) * dot(m.e[z], m.e[x]))
    argument = Argument()
    argument.define("w = u_f(x) - u_y, A = 1 - <u_f(x), u_y> and t_z = <e_z, e_x>, so that t_x = 1")
    for text, difference in (
        ("gamma = sum_z <w, u_f(z)> t_z", m.margin - by_input),
        ("<w, w> = 2A", dot(w, w) - 2 * A),
        ("<w, u_f(x)> = A, for all inputs with the output f(x)", dot(w, m.u[f(x)]) - A),
        ("<w, u_y> = -A, for all inputs with the output y", dot(w, m.u[y]) + A),
    ):
        argument.equal(
            f"{text} (E of the squared difference is 0)",
            mean(difference**2, given).value,
            ZERO,
        )
    argument.cite(
        "given w and e_x, the t_z of z != x and <w/|w|, u_y'> of the further outputs y' are "
        "independent first coordinates",
        SPHERE_ROTATION,
    )
    for order, stated in enumerate(_law_moments(use, same + other), start=1):
        exact = raw_margin_moments(m, LAW_ORDERS)[order - 1].value
        argument.equal(f"moment {order} of the law is the engine's", stated, exact)
    return argument


def _law_moments(use: Constants, own: RationalFunction) -> list[RationalFunction]:
    """E (A (1 + coincident sum_own t) + sqrt(spread A) S)^k, k = 1, ..., LAW_ORDERS.

    S is the sum over the further outputs of g' T, in their power sums.
    """
    half = LAW_ORDERS // 2
    coordinate = [coordinate_moment(p) for p in range(LAW_ORDERS + 1)]
    keys = moments([own * part for part in cumulants(coordinate[: half + 1])])
    noise = moments([_over_fibres(part) for part in cumulants(_output_moments(half))])

    def coincident(power: int) -> RationalFunction:
        return total(
            comb(power, 2 * j) * use.coincident ** (2 * j) * keys[j] for j in range(power // 2 + 1)
        )

    def signal(power: int) -> RationalFunction:
        """E (1 - rho)^power; odd powers of rho do not count."""
        return total(comb(power, 2 * j) * coordinate[j] for j in range(power // 2 + 1))

    return [
        total(
            comb(k, 2 * j) * use.spread**j * signal(k - j) * coincident(k - 2 * j) * noise[j]
            for j in range(k // 2 + 1)
        )
        for k in range(1, LAW_ORDERS + 1)
    ]


@lru_cache(maxsize=4)
def _key_sums(top: int) -> tuple[RationalFunction, ...]:
    """E T^(2p), p = 0, ..., top, T a sum of n coordinates."""
    n = RationalFunction.symbol("n")
    single = cumulants([coordinate_moment(p) for p in range(top + 1)])
    return tuple(moments([n * part for part in single]))


def _output_moments(top: int) -> list[RationalFunction]:
    """E (g' T)^(2p), p = 0, ..., top, for an output of n inputs."""
    return [coordinate_moment(p) * whole for p, whole in enumerate(_key_sums(top))]


def _over_fibres(term: RationalFunction) -> RationalFunction:
    """The sum over the further outputs of a polynomial in their size n without constant term."""
    N, same, other = symbols("N same other")
    numerator = term.numerator()
    total = ZERO
    for exponents, coefficient in numerator.coefficients().items():
        part = RationalFunction.constant(coefficient)
        for name, exponent in zip(numerator.names, exponents, strict=True):
            if name != "n":
                part *= RationalFunction.symbol(name) ** exponent
            elif exponent == 1:
                part *= N - 1 - same - other
            else:
                part *= RationalFunction.symbol(f"p{exponent}")
        total += part
    return total / term.denominator()


# -- the tail of one margin -----------------------------------------------------------------------


def output_function(fibre: RationalFunction, use: Constants | None = None) -> Argument:
    """E exp(mu g' T) <= (1 - fibre mu^2/d^2)^(-1/2) for an output of n inputs, *fibre* in n.

    Coefficient by coefficient; the first _POWERS of them, from the engine, must lie below.
    """
    use = use or Constants()
    d, n, p = symbols("d n p")
    argument = Argument()
    argument.define("T is the sum of the n keys t of one output, g' its coordinate along w")
    argument.infer(
        f"E T^(2p) <= (2p)!/p! (n/({use.scale} d))^p: E exp(l T) <= exp(n l^2/({use.scale} d)) "
        "coefficient by coefficient",
        "so it is for one key, keys are independent given e_x and all coefficients are positive",
    )
    argument.infer(
        f"coefficients of mu^(2p) in E exp(mu g' T) are at most (2p)!/p!^2 (n/({use.scale} d)^2)^p",
        "g' is a coordinate too, independent of T",
    )
    growth = (2 * p + 1) * (2 * p + 2) / (p + 1) ** 2
    product, agree = ONE, True
    for power in range(9):
        agree = agree and product == comb(2 * power, power)
        product *= growth(p=power)
    argument.true("(2p)!/p!^2 has the ratios (2p+1)(2p+2)/(p+1)^2, p = 0, ..., 8", agree, "exact")
    argument.nonnegative(
        f"coefficients of mu^(2p): ratio of (1 - ({fibre}) mu^2/d^2)^(-1/2) less that of the bounds",
        (2 * p + 1) / (2 * p + 2) * fibre / d**2 - growth * n / (use.scale * d) ** 2,
        {"d": 1, "n": 1, "p": 0},
    )
    for power, exact in enumerate(_output_moments(_POWERS)):
        stated = comb(2 * power, power) * (fibre / (4 * d**2)) ** power
        argument.nonnegative(
            f"coefficient {power} of (1 - ({fibre}) mu^2/d^2)^(-1/2) less the engine's",
            stated - exact / factorial(2 * power),
            {"d": 1, "n": 1},
        )
    return argument


def tail(
    noise: Fraction,
    coincident: Fraction,
    fibre: RationalFunction,
    use: Constants | None = None,
    *,
    signal: Fraction = Fraction(1),
) -> Argument:
    """P(gamma <= 0 | A) <= exp(-signal s d sqrt(A/2) + coincident k s^2 d A
    - noise sum_y' log(1 - fibre s^2)), k = a + b, for every s > 0 with fibre s^2 < 1 for all y'.
    """
    use = use or Constants()
    s, d, q, k, n = symbols("s d q k n")
    lam, A = s * d / (2 * q), 2 * q**2
    argument = Argument()
    argument.define("q = sqrt(A/2), lambda = s d/(2q) and k = a + b; s may depend on A")
    argument.cite("P(gamma <= 0 | A) <= E[exp(-lambda gamma) | A]", MARKOV)
    argument.infer(
        f"that is at most exp(-lambda A + k (lambda A)^2/({use.scale} d)) times one factor "
        "E exp(mu g' T) for each further output, mu = lambda sqrt(2A)",
        "given A the summands of the law are independent, and t and -t have one law",
    )
    argument.nonnegative(
        "lambda A - k (lambda A)^2/(scale d) >= signal s d q - coincident k s^2 d A",
        lam * A
        - k * (use.coincident * lam * A) ** 2 / (use.scale * d)
        - signal * s * d * q
        + coincident * k * s**2 * d * A,
        {"s": 0, "d": 0, "q": 0, "k": 0},
        interior=True,
    )
    argument.nonnegative(
        f"mu^2 n/d^2 <= ({fibre}) s^2",
        fibre * s**2 - use.spread * A * lam**2 * n / d**2,
        {"s": 0, "n": 1},
    )
    argument.true(
        "the exponent 1/2 of 1/(1 - n s^2) is at most noise", noise >= Fraction(1, 2), f"{noise}"
    )
    argument.cite("P(some fact is lost) is at most the sum over x and y != f(x)", BOOLE)
    return argument
