"""Arguments about the linear memory that are not carried over to the kernel, line by line.

Its law by moments, tails for memories that keep less of the signal, the average over the overlap, forms
in logarithms. The constants of each statement are arguments, so the same proof is tried on wrong
constants, and must break there. The explicit closed form itself: ``linear_recall``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, lower, precision, upper
from proofs.algebra.symbols import ONE, ZERO, symbols, total
from proofs.argument import Argument
from proofs.citations import MARKOV, SPHERE_ROTATION
from proofs.concentration.sphere import coordinate_moment
from proofs.memories.linear import definition
from proofs.memories.setting import raw_margin_moments
from proofs.moments import dot, mean, not_in_image

#: Orders up to which the law of the margin is compared with the engine, as a second road.
LAW_ORDERS = 6

#: sqrt(A/2), as it is called where it need not be computed.
_ROOT = RationalFunction.symbol("q")


# -- moment generating functions ------------------------------------------------------------------


def generating_function_counterexample(scale: Fraction, product: Fraction) -> dict[str, str] | None:
    """If a second-order coefficient contradicts the bounds (any d), how; otherwise None.

    For small l, E exp(l g) = 1 + l^2/(2d) + ... exceeds 1 + l^2/(scale d) + ... if scale > 2;
    likewise for the product.
    """
    if scale > 2:
        return {"coefficient": "l^2", "exact": "1/(2 d)", "stated": f"1/({scale} d)"}
    if product > 1:
        return {"coefficient": "s^2", "exact": "1/(2 d^2)", "stated": f"1/({2 * product} d^2)"}
    return None


# -- the law of one margin ------------------------------------------------------------------------


def margin_law(
    beta: Fraction, spread: Fraction, inside: RationalFunction, outside: RationalFunction
) -> Argument:
    """gamma has the law of A (1 - beta g) + sqrt(spread A) sum_{j<=n} t_j g'_j, n = inside or outside.

    The structure of the margin gives the law; its moments up to LAW_ORDERS, computed from the
    right-hand side alone, must be the engine's.
    """
    m = definition()
    f, x, y = m.association, m.x, m.y
    fx = f(x)
    w = m.u[fx] - m.u[y]
    A = 1 - dot(m.u[fx], m.u[y])
    apart = [y != fx, not_in_image(y)]
    argument = Argument()
    argument.define("w = u_f(x) - u_y and A = 1 - <u_f(x), u_y>; A = 1 - rho by definition")
    for text, difference in (
        ("<w, w> = 2A", dot(w, w) - 2 * A),
        ("<w, u_f(x)> = A: the summand z = x is A", dot(w, m.u[fx]) - A),
        ("<w, u_y> = -A: the summand with f(z) = y is -A <e_z, e_x>", dot(w, m.u[y]) + A),
    ):
        argument.equal(
            f"{text} (E of the squared difference is 0)", mean(difference**2, apart).value, ZERO
        )
    private = all(
        term.bound and {*term.slots()} <= {*term.bound, x, y, fx, f(term.bound[0])}
        for term in m.margin.terms
    )
    argument.true(
        "every other summand is <w, u_f(z)> <e_z, e_x> with vectors of its own",
        private,
        "read off the definition of W; f is injective",
    )
    argument.cite(
        "given w and e_x, <w/|w|, u_f(z)> and <e_z, e_x> are independent first coordinates",
        SPHERE_ROTATION,
    )
    for case, n, other in (("in the image", inside, 1), ("outside the image", outside, 0)):
        slope = beta if other else Fraction(0)
        for order, stated in enumerate(_law_moments(slope, spread, n), start=1):
            exact = raw_margin_moments(definition(), LAW_ORDERS)[order - 1].value(
                same=0, other=other
            )
            argument.equal(f"y {case}: moment {order} of the law is the engine's", stated, exact)
    return argument


def _law_moments(beta: Fraction, spread: Fraction, n: RationalFunction) -> list[RationalFunction]:
    """E (A (1 - beta g) + sqrt(spread A) S)^k, k = 1, ..., LAW_ORDERS, S a sum of n products t g'."""
    return law_moments(LAW_ORDERS, spread, n, lambda power, k: _shifted(power, beta))


def _shifted(power: int, slope: Fraction) -> RationalFunction:
    """E (1 - slope g)^power."""
    terms = (comb(power, j) * (-slope) ** j * _coordinate(j) for j in range(power + 1))
    return total(terms)


def law_moments(
    top: int,
    spread: Fraction,
    n: RationalFunction,
    key: Callable[[int, int], RationalFunction],
) -> list[RationalFunction]:
    """E (A K + sqrt(spread A) R S)^k, k = 1, ..., top, where *key*(p, k) = E K^p R^(k-p).

    S is a sum of n products t g', independent of K, R and A = 1 - rho.
    """
    products = cumulants([coordinate_moment(p) ** 2 for p in range(top // 2 + 1)])
    noise = moments([n * part for part in products])

    def term(k: int, half: int) -> RationalFunction:
        A = _shifted(k - half, Fraction(1))
        return comb(k, 2 * half) * spread**half * A * key(k - 2 * half, k) * noise[half]

    return [total(term(k, half) for half in range(k // 2 + 1)) for k in range(1, top + 1)]


def cumulants(even: list[RationalFunction]) -> list[RationalFunction]:
    """Coefficients at s^(2p) of log E exp(s X), X symmetric with E X^(2p) = even[p]."""
    a = [value / factorial(2 * p) for p, value in enumerate(even)]
    log = [ZERO]
    for p in range(1, len(a)):
        known = total(Fraction(j, p) * log[j] * a[p - j] for j in range(1, p))
        log.append(a[p] - known)
    return log


def moments(log: list[RationalFunction]) -> list[RationalFunction]:
    """E X^(2p) of a symmetric X with these coefficients of log E exp(s X)."""
    a = [ONE]
    for p in range(1, len(log)):
        a.append(total(Fraction(j, p) * log[j] * a[p - j] for j in range(1, p + 1)))
    return [value * factorial(2 * p) for p, value in enumerate(a)]


# -- the tail of one margin -----------------------------------------------------------------------


#: (A, lambda) at which the Chernoff step is compared with exact generating functions.
_SPOTS = (
    (Fraction(1, 2), Fraction(1)),
    (Fraction(1), Fraction(1, 2)),
    (Fraction(2), Fraction(1)),
)


@dataclass(frozen=True)
class Constants:
    """What the statements on generating functions and on the law say, for the steps that use them.

    E exp(l g) <= exp(l^2/(scale d)), E exp(s t g) <= (1 - s^2/(product d^2))^(-1/2), and the margin
    has the law of A (1 - coincident g) + sqrt(spread A) sum t_j g'_j.
    """

    scale: Fraction = Fraction(2)
    product: Fraction = Fraction(1)
    coincident: Fraction = Fraction(1)
    spread: Fraction = Fraction(2)


def _conditional_exponent(
    argument: Argument, use: Constants
) -> tuple[RationalFunction, RationalFunction]:
    """The Chernoff step at a given A: P(gamma <= 0 | A) <= exp(-E) (1 - x)^(-n/2); returns (E, x).

    E and x are in the symbols lam (lambda), A, d and beta, which is 0 or 1. As a second road the
    exact generating functions at d = 3, where a coordinate is uniform on [-1, 1], must lie below.
    """
    d, beta, A, lam = symbols("d beta A lam")
    exponent = lam * A - (use.coincident * lam * A) ** 2 * beta / (use.scale * d)
    x = use.spread * A * lam**2 / (use.product * d**2)
    argument.cite("P(gamma <= 0 | A) <= E[exp(-lambda gamma) | A]", MARKOV)
    argument.infer(
        "given A the expectation is at most exp(-E) (1 - x)^(-n/2)",
        "given A the summands of the law are independent, and each has its generating function",
    )
    with precision():
        for a, r in _SPOTS:
            E, share = exponent(d=3, A=a, lam=r), x(d=3, A=a, lam=r).as_fraction()
            for b in (0, 1):
                argument.at_most(
                    f"d = 3, A = {a}, lambda = {r}, beta = {b}: log E exp(-lambda A (1 - beta g))",
                    _exact_exponent(a, r, b, 0),
                    ball(-E(beta=b).as_fraction()),
                )
            argument.at_most(
                f"d = 3, A = {a}, lambda = {r}: log E exp(lambda sqrt(2A) t g')",
                _exact_exponent(a, r, 0, 1) - _exact_exponent(a, r, 0, 0),
                -ball(1 - share).log() / 2,
            )
    return exponent, x


def _exact_exponent(A: Fraction, lam: Fraction, beta: int, n: int) -> arb:
    """log E[exp(-lambda gamma) | A] at d = 3, in closed form: coordinates are uniform on [-1, 1]."""
    u, w = ball(lam * A), ball(2 * A).sqrt() * ball(lam)
    return -u + beta * (u.sinh() / u).log() + n * (w.shi() / w).log()


def single_margin_tail(
    kappa: RationalFunction,
    use: Constants | None = None,
    *,
    lost: RationalFunction = ZERO,
) -> Argument:
    """P(gamma <= 0) <= exp(-kappa + kappa^2/(2d)), kappa in the symbols tau, d, beta, n.

    *lost*, in A and symbols of its own: what the margin has less than that of the linear memory.
    """
    use = use or Constants()
    tau, d, n, A, k, a, v = symbols("tau d n A k a v")
    argument = Argument()
    argument.define("lambda = tau d/2, 0 < tau < 1")
    general, x = _conditional_exponent(argument, use)
    exponent, x = general(lam=tau * d / 2), x(lam=tau * d / 2)
    argument.nonnegative(
        "x <= A tau^2/2, below 1 since A <= 2 and tau < 1",
        (A * tau**2 / 2 - x)(A=2 / (1 + a)),
        {"a": 0, "tau": 0},
    )
    argument.nonnegative("-log(1-x) <= x/(1-x): coefficients 1/k against 1", 1 - 1 / k, {"k": 1})
    linear = exponent - n / 2 * x / (1 - x)
    whole = linear - tau * d / 2 * lost
    for beta in (0, 1):
        argument.nonnegative(
            f"E - (n/2) x/(1-x) >= kappa A, beta = {beta} (A = 2/(1+a), tau = 1/(1+v), a, v > 0)",
            (whole - kappa * A)(beta=beta)(A=2 / (1 + a))(tau=1 / (1 + v)),
            {"a": 0, "v": 0, "d": 0, "n": 0, **dict.fromkeys(set(lost.names) - {"A"}, 0)},
            interior=True,
        )
        with precision():
            for at in (Fraction(1, 2), Fraction(2)):
                argument.at_most(
                    f"d = 3, A = {at}, tau = 1/3, n = 20, beta = {beta}: log E[exp(-lambda gamma) | A]",
                    _exact_exponent(at, Fraction(1, 2), beta, 20),
                    ball(-linear(d=3, A=at, n=20, beta=beta, tau=Fraction(1, 3)).as_fraction()),
                )
    argument.infer(
        "P(gamma <= 0) <= E exp(-kappa A) = e^(-kappa) E exp(kappa rho) <= exp(-kappa + kappa^2/(2d))",
        "A = 1 - rho, and rho has the generating function of a coordinate",
    )
    argument.true("that generating function has the exponent kappa^2/(2d)", use.scale >= 2, "scale")
    return argument


def integral_bound(
    noise: Fraction,
    coincident: Fraction,
    use: Constants | None = None,
    *,
    signal: Fraction = Fraction(1),
    kept: RationalFunction = _ROOT,
    lost: RationalFunction = ZERO,
) -> Argument:
    """P(gamma <= 0) <= E_A inf_{0<s<1} exp(-signal s d kept + coincident beta s^2 d A
    - noise n log(1 - s^2)), A = 1 - <u_f(x), u_y>, A/2 ~ Beta((d-1)/2, (d-1)/2).

    *kept* is sqrt(A/2) for the linear memory. *lost*: what the margin has less than the linear
    one's. Both in q = sqrt(A/2) and symbols of their own, all positive.
    """
    use = use or Constants()
    s, d, q, beta = symbols("s d q beta")
    argument = Argument()
    argument.define("q = sqrt(A/2) and lambda = s d/(2q), a choice that may depend on A")
    general, x = _conditional_exponent(argument, use)
    exponent, x = (f(A=2 * q**2)(lam=s * d / (2 * q)) for f in (general, x))
    whole = exponent - s * d / (2 * q) * lost
    own = {*kept.names, *lost.names}
    argument.nonnegative(
        f"E - lambda ({lost}) >= signal s d ({kept}) - coincident beta s^2 d A",
        whole - signal * s * d * kept + coincident * beta * s**2 * d * 2 * q**2,
        {"beta": 0, "s": 0, "d": 0, "q": 0, **dict.fromkeys(own, 0)},
        interior=True,
    )
    argument.nonnegative("x <= s^2", s**2 - x, {"s": 0})
    argument.true("the exponent n/2 of 1/(1-x) is at most noise n", noise >= Fraction(1, 2), "1/2")
    shape = (d - 1) / 2
    stated, rho = ONE, [_coordinate(k) for k in range(LAW_ORDERS + 1)]
    for order in range(1, LAW_ORDERS + 1):
        stated = stated * (shape + order - 1) / (2 * shape + order - 1)
        exact = total(comb(order, j) * (-1) ** j * rho[j] for j in range(order + 1))
        argument.equal(
            f"moment {order} of Beta((d-1)/2, (d-1)/2) is that of A/2", stated, exact / 2**order
        )
    argument.infer(
        "the expectation over A is at most the sum over cells of P(cell) times the bound with sqrt(A) "
        "at the lower and A at the upper end, for any s in each cell",
        "the exponent falls with sqrt(A) and grows with A",
    )
    return argument


def _coordinate(k: int) -> RationalFunction:
    """E g^k for the first coordinate g of a uniform unit vector."""
    return ZERO if k % 2 else coordinate_moment(k // 2)


def _kappa() -> RationalFunction:
    tau, d, beta, n = symbols("tau d beta n")
    return tau * d / 2 - beta * tau**2 * d / 4 - n * tau**2 / (4 * (1 - tau**2))


#: kappa as the tail of one margin states it.
KAPPA = _kappa()


# -- full recall ----------------------------------------------------------------------------------


def condition(
    lead: Fraction,
    ell: RationalFunction,
    d: RationalFunction,
    noise: RationalFunction,
    kept: RationalFunction = ONE,
) -> RationalFunction:
    """The right-hand side lead l (d + noise/(1 - (lead l/d)^2/kept)) of the closed form, for
    memories that keep the part *kept* of d^2 on the left."""
    return lead * ell * (d + noise / (1 - (lead * ell / d) ** 2 / kept))


def power_of_l(power: Fraction, divisor: Fraction) -> str:
    """l^power/divisor, as one writes it."""
    if power == 0:
        return str(1 / divisor)
    return f"l/{divisor}" if power == 1 else f"l^({power})/{divisor}"


def at_log_2(power: Fraction, divisor: Fraction) -> arb:
    """l^power/divisor at l = log 2."""
    return arb.const_log2() ** ball(power) / ball(divisor)


def exponent_suffices(argument: Argument, factor: Fraction = Fraction(1)) -> None:
    """Add the line l - factor l^2/(2d) >= L for l = L (1 + L/d) and 8l <= d."""
    v, L = symbols("v L")
    r = 1 / (8 * (1 + v))
    whole = L * (1 + r)
    lost = "l^2/(2d)" if factor == 1 else f"{factor} l^2/(2d)"
    argument.nonnegative(
        f"l - {lost} >= L for l = L (1 + r), r = L/d = 1/(8(1+v)) (since 8L <= 8l <= d)",
        whole - factor * whole**2 * r / (2 * L) - L,
        {"L": 0, "v": 0},
    )


def logarithmic_form(
    linear: Fraction,
    quadratic: Fraction,
    power: Fraction,
    rate: Fraction,
    lead: Fraction = Fraction(4),
    kept: Fraction = Fraction(1),
) -> Argument:
    """d >= linear l and d^2 >= quadratic N l^power, l = log(N M), imply the closed form at
    delta = (N M)^(-rate). N >= 1, M >= 2, so that l >= log 2. *kept*: the part of d^2 on its left.
    """
    N, M, l0, v, p, r, d = symbols("N M l v p r d")
    argument = Argument()
    growth = 1 + rate
    argument.define(
        f"l = log(N M), delta = (N M)^(-{rate}); L = log(N (M-1)/delta), and l' = L (1 + L/d) is what "
        f"the closed form calls l; d = {linear} l (1+v) with v >= 0; p = l/d and r = N l/d^2"
    )
    argument.nonnegative(
        f"L = log(N (M-1)/delta) <= {growth} l: N (M-1) <= N M",
        N * M - N * (M - 1),
        {"N": 1, "M": 1},
    )
    with precision():
        for n, m in ((1, 2), (3, 5), (100, 1000)):
            inputs, outputs = ball(n), ball(m)
            whole = (inputs * (outputs - 1)).log() + ball(rate) * (inputs * outputs).log()
            argument.at_most(
                f"L <= {growth} l at N = {n}, M = {m}",
                whole,
                ball(growth) * (inputs * outputs).log(),
            )
    stretch = growth * (1 + growth / linear)
    argument.nonnegative(
        f"l' = L (1 + L/d) <= {stretch} l at d = {linear} l (1+v)",
        stretch * l0 - growth * l0 * (1 + growth * l0 / (linear * l0 * (1 + v))),
        {"l": 0, "v": 0},
    )
    argument.true("8 l' <= d", 8 * stretch <= linear, f"{8 * stretch} <= {linear}")
    share = (lead * stretch / linear) ** 2 / kept
    if not argument.true(
        "the denominator of the closed form is positive", share < 1, f"{share} < 1"
    ):
        return argument
    if not argument.true(
        "N l/d^2 stays bounded as l grows",
        power >= 1,
        f"it is at most {power_of_l(1 - power, quadratic)}",
    ):
        return argument
    whole_side = condition(lead, stretch * l0, d, N, RationalFunction.constant(kept))
    relative = (whole_side / d**2)(d=l0 / p)(N=r * l0 / p**2)
    argument.infer(
        "the right-hand side of the closed form over d^2 grows with p = l/d and r = N l/d^2",
        "every term does, while the denominator is positive",
    )
    with precision():
        argument.at_most(
            f"at the largest p and r it is at most {kept}",
            evaluate(relative, p=ball(1 / linear), r=at_log_2(1 - power, quadratic)),
            ball(kept),
        )
    return argument


def logarithm_to_the_fourth(
    C: Fraction,
    first: Fraction,
    second: Fraction,
    *,
    inputs_counted: bool,
    kappa: RationalFunction = KAPPA,
    threshold: Fraction = Fraction(0),
) -> Argument:
    """d >= C l^first and d^2 >= C N l^second imply P(gamma <= threshold) <= delta', l = log(1/delta').

    M >= 2, so that l >= log 2; tau = t l/d in the tail of one margin, t = 4/(1 - threshold), so
    that the signal beyond the threshold is 2 l.
    """
    ell, d, p, r = symbols("l d p r")
    argument = Argument()
    if not argument.true("the threshold is below the mean", threshold < 1, f"{threshold} < 1"):
        return argument
    t = 4 / (1 - threshold)
    argument.define(f"l = log(1/delta'), tau = {t} l/d, p = l/d, r = N l/d^2, n <= N")
    beyond = kappa(beta=1) - threshold * RationalFunction.symbol("tau") * d / 2
    relative = (beyond(tau=t * ell / d) / ell)(d=ell / p)(n=r * ell / p**2)
    less = f"(kappa - {threshold} tau d/2)" if threshold else "kappa"
    argument.equal(
        f"{less}/l = 2 - {t**2 / 4} p - {t**2 / 4} r/(1 - {t**2} p^2) at n = N, beta = 1",
        relative,
        2 - t**2 * p / 4 - t**2 * r / (4 * (1 - t**2 * p**2)),
    )
    if not argument.true(
        "r is bounded by the hypothesis on d^2",
        inputs_counted,
        f"it is at most {power_of_l(1 - second, C)}"
        if inputs_counted
        else "no hypothesis bounds N",
    ):
        return argument
    if not argument.true(
        "p and r do not grow with l",
        first >= 1 and second >= 1,
        f"they are at most {power_of_l(1 - first, C)} and {power_of_l(1 - second, C)}",
    ):
        return argument
    with precision():
        largest = {"p": at_log_2(1 - first, C), "r": at_log_2(1 - second, C)}
        if not argument.at_most(
            f"tau = {t} p <= 1/2", ball(t) * largest["p"], ball(Fraction(1, 2))
        ):
            return argument
        argument.infer(
            f"kappa^2/(2 d l) <= {t**2 / 8} p, and what is left falls with p and r",
            f"kappa <= tau d/2 = {t / 2} l, and both error terms grow",
        )
        argument.at_most(
            f"1 + {t**2 / 8} p less the above is at most 0 at l = log 2, where p and r are largest",
            evaluate(1 + t**2 / 8 * p - relative, **largest),
            arb(0),
        )
    argument.infer(
        f"P(gamma <= {threshold}) <= exp(-{less} + kappa^2/(2d)) <= e^(-l) = delta'",
        "the tail of one margin, from E exp(-lambda gamma) with lambda = tau d/2",
    )
    return argument


def variance_condition(
    C: Fraction,
    first: Fraction,
    second: Fraction,
    *,
    both_kept: bool,
    bound: RationalFunction | None = None,
) -> Argument:
    """d >= C l^first, d^2 >= C N l^second imply 16/e log(1/delta)^4 Var <= 1, log(1/delta) <= l.

    *bound*: what the variance is at most, in d and N; by default 2 (1/d + N/d^2).
    """
    d, N, p, r = symbols("d N p r")
    bound = 2 * (1 / d + N / d**2) if bound is None else bound
    argument = Argument()
    argument.define(
        f"l = log(1/delta') >= log(1/delta), p = 1/d, r = N/d^2; the variance is at most {bound}"
    )
    if argument.true(
        "l^4 p and l^4 r are bounded",
        both_kept and first >= 4 and second >= 4,
        f"by {power_of_l(4 - first, C)} and {power_of_l(4 - second, C)}",
    ):
        with precision():
            largest = {"p": at_log_2(4 - first, C), "r": at_log_2(4 - second, C)}
            argument.at_most(
                "16 l^4 times the bound <= e at l = log 2, where it is largest",
                16 * evaluate(bound(d=1 / p)(N=r / p**2), **largest),
                arb(1).exp(),
            )
    return argument


def variance_condition_witness(
    C: int, first: int, second: int, inputs: int, *, keep_first: bool, keep_second: bool
) -> dict[str, str] | None:
    """Sizes that satisfy the hypotheses while 16/e log(1/delta)^4 Var > 1, decided by balls.

    delta = e^(-s); M = N with y in the image if N >= 2, otherwise N = 1 and M = 2.
    """
    with precision(256):
        for s in (10, 100, 10**4, 10**8):
            for N in (1, 10**4, C * s**4, C * s**6, s**10):
                ell = arb(s) + arb(N * max(N, 2)).log()
                least = arb(2)
                if keep_first:
                    least = least.max(C * ell**first)
                if keep_second:
                    least = least.max((C * arb(N) ** inputs * ell**second).sqrt())
                d = math.ceil(upper(least))
                variance = Fraction(1, d) if N == 1 else Fraction(2, d) + Fraction(2 * N - 3, d**2)
                value = 16 * ball(variance) * arb(s) ** 4 / arb(1).exp()
                if lower(value) > 1:
                    return {
                        "N": str(N),
                        "M": str(max(N, 2)),
                        "d": str(d),
                        "delta": f"exp(-{s})",
                        "16/e log(1/delta)^4 Var": f"at least {float(lower(value)):.4g}",
                    }
    return None
