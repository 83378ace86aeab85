"""The proof of Theorem 9, line by line: what its steps give, and what they need (App. B).

Each function decides one step for given constants, so that wrong constants break it; a function named
``*_fails`` returns what refutes the step, or None.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from flint import arb, fmpq, fmpq_poly

from proofs.algebra import RationalFunction, leading
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import BOOLE, SPHERE_ROTATION, WARREN
from proofs.hermite import hermite_coefficients

#: epsilon at which steps that hold for every epsilon are tried.
_EPSILONS = tuple(
    Fraction(*pair) for pair in ((9, 10), (7, 8), (2, 3), (1, 2), (2, 5), (1, 3), (1, 4))
)


# -- from the linearised memory to a network ------------------------------------------------------


def paired_network(weights: Sequence[Fraction], shifts: Sequence[Fraction], order: int) -> Argument:
    """(1/eps) sum_s weight_s V^T sigma((W + shift_s eps Q) z) is F_NTK(z) + O(eps^order).

    One neuron, sigma(t) = t^n: the coefficient of eps^(j-1) is (sum_s weight_s shift_s^j) times
    binom(n, j) <w, z>^(n-j) <q, z>^j. So the sums for j = 0, ..., order decide.
    """
    e, a, b = symbols("eps a b")
    argument = Argument()
    argument.define(
        "a = <w, z>, b = <q, z> for one neuron; F is linear in sigma, so sigma(t) = t^n"
    )
    argument.infer(
        "the coefficient of eps^(j-1) is (sum weight shift^j) binom(n, j) a^(n-j) b^j",
        "the binomial theorem",
    )
    for j in range(order + 1):
        total = sum((w * s**j for w, s in zip(weights, shifts, strict=True)), Fraction(0))
        wanted = Fraction(int(j == 1))
        what = "to the initial output" if j == 0 else "to F_NTK" if j == 1 else f"at order {j - 1}"
        holds = argument.true(
            f"sum weight shift^{j} = {wanted}, {what}", total == wanted, f"{total}"
        )
        if not holds:
            argument.refute(
                {
                    "d = m = V = w = q = z": 1,
                    "sigma(t)": "1" if j == 0 else "t" if j == 1 else f"t^{j}",
                    f"coefficient of eps^{j - 1}": str(total),
                    "needed": str(wanted),
                }
            )
    for n in range(7):
        network = ZERO
        for w, s in zip(weights, shifts, strict=True):
            network += w * (a + s * e * b) ** n / e
        deviation = network - (n * a ** (n - 1) * b if n else ZERO)
        least = min((_power_of(deviation * e, "eps")), default=order + 1)
        argument.true(
            f"sigma(t) = t^{n}: eps times the deviation starts at eps^{order + 1} or later",
            least > order,
            f"it starts at eps^{least}" if deviation != 0 else "it is 0",
        )
    return argument


def _power_of(polynomial: RationalFunction, name: str) -> list[int]:
    """The powers of a symbol in the terms of a polynomial; none for 0."""
    if polynomial == 0:
        return []
    if name not in polynomial.names:
        return [0]
    where = polynomial.names.index(name)
    return [powers[where] for powers in polynomial.coefficients()]


def one_neuron_tells_two_outputs_apart() -> Argument:
    """With one neuron no three facts with three outputs are recalled, whatever d and the activation."""
    argument = Argument()
    argument.define("m = 1: F(e_x) = s_x v with one vector v, so the score of y is s_x <u_y, v>")
    worst = 0
    for ranks in itertools.product(range(3), repeat=3):
        for signs in itertools.product((-1, 0, 1), repeat=3):
            winners = set()
            for s in signs:
                scores = [s * rank for rank in ranks]
                if scores.count(max(scores)) == 1:
                    winners.add(scores.index(max(scores)))
            worst = max(worst, len(winners))
    argument.true(
        "three outputs in any order of <u_y, v> and any signs of s_x: at most two strict winners",
        worst == 2,
        "enumerated, ties included; more outputs do not make more winners among three",
    )
    argument.infer(
        "N = M = 3 facts with different outputs are not all recalled, for every V, W and d",
        "x is recalled only if y = f(x) wins strictly for s_x",
    )
    argument.infer(
        "md >= C N (C_3 log(MN/delta))^(C_4/eps) and d >= N^eps hold at m = 1 once d is large, and "
        "likewise for every N >= 3",
        "the right-hand sides do not contain d",
    )
    return argument


# -- moments of Hermite polynomials ---------------------------------------------------------------


@lru_cache(maxsize=256)
def hermite_power_mean(k: int, power: int, weight: int = 0) -> Fraction:
    """E[h_k(g)^power h_weight(g)^2] for even *power*, exactly (h_0 = 1)."""
    k_poly, other = (fmpq_poly(list(hermite_coefficients(n))) for n in (k, weight))
    product = k_poly**power * other**2
    total, moment = fmpq(0), fmpq(1)
    for n in range(0, product.degree() + 1, 2):
        total += product[n] * moment
        moment *= n + 1
    for n, times in ((k, power // 2), (weight, 1)):
        for j in range(1, n + 1):
            total /= fmpq(j) ** times
    return Fraction(int(total.p), int(total.q))


#: The largest degree at which eighth moments are computed.
_LARGEST_DEGREE = 28


@search
def eighth_moment_fails(base: Fraction, less: int, *, derivative: bool) -> Witness | None:
    """The smallest n with E[h_n^8]^(1/4) > base^(n - less), or base^(n + 1 - less) where h_n is the
    derivative of an activation of degree n + 1 (up to its norm)."""
    for n in range(_LARGEST_DEGREE + 1):
        exponent = n + int(derivative) - less
        if hermite_power_mean(n, 8) > base ** (4 * exponent):
            what = "sigma' = h_n" if derivative else "h_n"
            ratio = float(hermite_power_mean(n, 8) / base ** (4 * exponent))
            return {
                "function": what,
                "n": n,
                "E h_n^8 over the bound to the fourth": f"{ratio:.6g}",
            }
    return None


def eighth_moment(base: Fraction, less: int, *, derivative: bool) -> Argument:
    """||p||_8^2 <= base^(n - less) ||p||_2^2 for polynomials p of degree n, from hypercontractivity."""
    argument = Argument()
    argument.use(
        "||p||_8^2 <= 7^n ||p||_2^2 for p of degree n, (q - 1)^n at q = 8",
        "nichani.lem13.corrected",
    )
    argument.true(
        f"7^n is at most {base}^(n{' + 1' if derivative else ''} - {less}) for all n >= 0",
        base >= 7 and int(derivative) >= less,
        "base at least 7 and exponent at least n",
    )
    with precision():
        exact = [hermite_power_mean(n, 8) for n in range(_LARGEST_DEGREE + 1)]
        argument.true(
            f"second road: E h_n^8 <= 7^(4n) for n = 0, ..., {_LARGEST_DEGREE}",
            all(value <= 7 ** (4 * n) for n, value in enumerate(exact)),
            "exact",
        )
        ratio = ball(exact[-1]).root(4) / ball(7**_LARGEST_DEGREE)
        argument.true("and 7 is near the truth", bool(ratio > ball(Fraction(1, 100))), ratio.str(4))
    return argument


@search
def mixed_moment_exceeds(rate: Fraction, constant: Fraction, most: int = 40) -> Witness | None:
    """The smallest n with 4 E[h_n(g)^4] > constant * 2^rate(n): sigma' = h_n, k = n, z = x, d large.

    *rate* is the growth a q + b k per degree with q = n + 1 and k = n even: (a + b) n + a.
    """
    for n in range(0, most + 1, 2):
        if 4 * hermite_power_mean(n, 4) > constant * Fraction(2) ** int(rate * n):
            return {
                "sigma'": "h_n",
                "k = n": n,
                "E[omega_ix^2] is at least": f"4 E h_n^4 = {float(4 * hermite_power_mean(n, 4)):.6g}",
            }
    return None


# -- the degree of the features -------------------------------------------------------------------


def degree_choice(multiple: int, up: bool, base: Fraction, power: Fraction) -> Argument:
    """d^k/((2k)^(k+1) N) >= N^power/(base/eps)^(1+2/eps) >= 1 for N >= C_1(eps), d >= N^eps.

    At d = N^eps, where the left side is smallest, it is N^(eps k - 1)/(2k)^(k+1).
    """
    argument = Argument()
    argument.infer(
        "d = N^eps is the worst case, where the left side is N^(eps k - 1)/(2k)^(k+1)",
        "it grows with d",
    )
    for eps in _EPSILONS:
        k = multiple * (ceil(1 / eps) if up else floor(1 / eps))
        surplus = eps * k - 1 - power
        # Equal powers of N: then the constants decide, (2k)^(k+1) <= (base/eps)^(1+2/eps).
        with precision():
            left = ball(2 * k) ** (k + 1)
            right = (ball(base / eps).log() * ball(1 + 2 / eps)).exp()
            constants = bool(left <= right) or (2 * k == base / eps and k + 1 == 1 + 2 / eps)
        holds = surplus > 0 or (surplus == 0 and constants)
        argument.true(
            f"eps = {eps}, k = {k}: N^({eps * k - 1}) against N^({power})",
            holds,
            "a larger power of N" if surplus > 0 else "equal powers, constants compared",
        )
        if not holds:
            argument.refute(
                {
                    "epsilon": eps,
                    "k": k,
                    "d": "N^epsilon",
                    "left": f"N^({eps * k - 1})/(2k)^(k+1)",
                    "right": f"N^({power})/({base}/epsilon)^(1 + 2/epsilon)",
                    "as": "N grows",
                }
            )
    if argument.witness is None:
        argument.true("k = 2 ceil(1/eps)", multiple == 2 and up, "the choice that the proof makes")
        argument.true("the right side has N to the first power", power == 1, str(power))
        argument.true("the base is at least 4", base >= 4, str(base))
        argument.infer(
            "1/eps = n an integer: k = 2n, and both sides are N/(4n)^(2n+1)",
            "eps k = 2 and 2k = 4/eps",
        )
        argument.infer(
            "1/eps not an integer: eps k > 2, so N^(eps k - 2) outgrows (2k)^(k+1)/(4/eps)^(1+2/eps)",
            "k = 2 ceil(1/eps) > 2/eps",
        )
        argument.infer(
            "N/(4/eps)^(1+2/eps) >= 1 for N >= (4/eps)^(1+2/eps)", "C_1(eps) may be that large"
        )
    return argument


def degree_suffices(least: Fraction, strict: bool, more: int) -> Argument:
    """An integer q = C_2/eps with C_2 >= *least* (above it, if *strict*) is at least k + *more*,
    k = 2 ceil(1/eps), for every eps in (0, 1)."""
    argument = Argument()
    argument.define("n = ceil(1/eps) >= 2, since eps < 1; eps < 1/(n - 1) and k = 2n")
    for n in range(2, 8):
        # The smallest integer q that C_2 and some eps with ceil(1/eps) = n allow: q > least (n - 1).
        q = floor(least * (n - 1)) + 1
        if searching() and q < 2 * n + more:
            # eps just below 1/(n-1) with C_2 = q eps still large enough.
            eps = max(Fraction(1, n), least / q)
            eps = (eps + Fraction(1, n - 1)) / 2
            witness = {"epsilon": eps, "q": q, "C_2": q * eps, "k": 2 * n}
            return argument.refute(witness | {"needed": f"q >= {2 * n + more}"})
    size = RationalFunction.symbol("n")
    argument.infer("q > least (n - 1)", "q = C_2/eps and 1/eps > n - 1")
    argument.true(
        "least is at least 2", least >= 2, "so that the difference below does not fall with n"
    )
    argument.nonnegative(
        "least (n - 1) - (2n + more - 1) >= 0, so that the integer q is at least 2n + more",
        least * (size - 1) - (2 * size + more - 1),
        {"n": 2},
    )
    return argument


# -- variance and tail ----------------------------------------------------------------------------


@search
def outgrown(
    variance: RationalFunction,
    bound: RationalFunction,
    names: Sequence[str] = ("d", "N", "m"),
    most: int = 4,
) -> Witness | None:
    """Powers of one parameter t, sizes = t^power, along which the variance outgrows the bound."""
    for powers in itertools.product(range(most + 1), repeat=len(names)):
        if not any(powers):
            continue
        path = dict(zip(names, powers, strict=True))
        above = leading(variance, path)
        if bound == 0:
            return {"path": "any", "bound": "0"}
        below = leading(bound, path)
        if above.exponent > below.exponent:
            return {
                "sizes": _in_words(path),
                "Var(gamma)": f"{above.term.factored()} ~ t^{above.exponent}",
                "bound": f"{below.term.factored()} ~ t^{below.exponent}",
            }
    return None


def _in_words(path: Mapping[str, int]) -> str:
    """Sizes that are powers of t."""
    sizes = (
        f"{name} = t" if p == 1 else f"{name} = t^{p}" if p else f"{name} fixed"
        for name, p in path.items()
    )
    return f"({', '.join(sizes)}), t to infinity"


def variance_from_sums(terms: RationalFunction) -> Argument:
    """Var(gamma) <= C (terms), from E[gamma^2] = (1 - 1/m) S_1 + S_2/m and the mean sqrt(k+1) c.

    C is the sum of (k+1) c^2 (1 + 2 (2k+2)^(k+1)) and 24 |sigma'|^2 2^(3q+3k). *terms* are in the
    symbols d, N, m and x, which stands for N/d^(k+1).
    """
    d, N, m, A, B, P = symbols("d N m A B P")
    argument = Argument()
    argument.define("A = (k+1) c^2 = (E gamma)^2, B = 24 |sigma'|^2 2^(3q+3k), P = (2k+2)^(k+1)")
    argument.infer(
        "S_1 <= A (1 + 1/d + 2 N P/d^(k+1)), S_2 <= B (1 + N/d), E[gamma^2] <= S_1 + S_2/m",
        "the corrected bounds on the two sums, and the decomposition",
    )
    x = RationalFunction.symbol("x")
    whole = A * (1 + 1 / d + 2 * P * x) + B / m * (1 + N / d) - A
    argument.nonnegative(
        "A (1 + 2P) (terms) + B (terms) - (bound on the variance) >= 0",
        (A * (1 + 2 * P) + B) * terms - whole,
        {**dict.fromkeys("ABPNx", 0), "d": 1, "m": 1},
    )
    return argument


def tail_from_variance(keep_d: bool, keep_m: bool, keep_md: bool, rate: Fraction) -> Argument:
    """d, m >= C L and m d >= C N L make 2^p e^rate L Var/(E gamma)^2 <= 1, L = log^p(1/delta'),
    for a C that depends on sigma and epsilon."""
    n = RationalFunction.symbol("n")
    argument = Argument()
    argument.define("Var/(E gamma)^2 <= K (1/d + 1/m + N/d^(k+1) + N/(md)), K = K(sigma, epsilon)")
    argument.infer(
        "N/d^(k+1) <= 1/d for k = 2 ceil(1/(2 epsilon))",
        "epsilon k >= 1, so d^k >= N^(epsilon k) >= N",
    )
    argument.infer(
        "with n = k/2 an integer q > 2/epsilon is at least 4n - 3, and at least 3",
        "1/(2 epsilon) > n - 1, and epsilon < 1",
    )
    argument.nonnegative(
        "so q >= k + 1: for n = 1 it is 3 = k + 1, and from n = 2 on 4n - 3 >= 2n + 1",
        4 * n - 3 - (2 * n + 1),
        {"n": 2},
    )
    argument.infer("c_{k+1} is not 0", "Assumption 3")
    s, t, u = symbols("s t u")
    argument.define("1/d = s/(C L), 1/m = t/(C L), N/(md) = u/(C L) with 0 <= s, t, u <= 1")
    for kept, text in ((keep_d, "d >= C L"), (keep_m, "m >= C L"), (keep_md, "m d >= C N L")):
        argument.true(f"the hypothesis {text} is there", kept, "it bounds its term")
    argument.nonnegative(
        "2s + t + u <= 4: with C = 4 K 2^p e^rate the product is at most 1 (s = 1/(1+s'), ...)",
        4 - (2 / (1 + s) + 1 / (1 + t) + 1 / (1 + u)),
        {"s": 0, "t": 0, "u": 0},
    )
    argument.true(
        "the exponent of e is the one that the tail bound needs", rate >= 1, f"{rate} >= 1"
    )
    argument.infer(
        "P(gamma <= 0) <= delta'",
        "gamma is a polynomial of degree p = 2q + 2k + 4 in Gaussian and spherical variables, with a "
        "positive mean, and delta' <= e^(-1/2): Lemma 14 corrected",
    )
    return argument


def width_one_tail() -> Argument:
    """At m = 1 and d growing P(gamma <= 0) tends to at least 1/4, and the variance stays positive."""
    argument = Argument()
    argument.define("N fixed, m = 1: as d grows, omega_1z of z != x tends to 0 in L^2")
    argument.infer(
        "gamma tends in law to (a - b) a s, a, b independent standard Gaussians, s = sigma'(g) h_k(g)",
        "given the embeddings <v, u_f(x)> and <v, u_y> are Gaussian with the overlap <u_f(x), u_y> -> 0",
    )
    argument.infer(
        "P((a - b) a < 0) = 1/4",
        "the plane is cut at the angles of a = 0 and a = b, an eighth of the circle apart",
    )
    argument.infer(
        "P((a - b) a s <= 0) = P(s < 0) 3/4 + P(s > 0) 1/4 >= 1/4",
        "s is independent of a, b and different from 0 almost surely",
    )
    argument.infer(
        "for delta' < 1/4 the conclusion fails at m = 1, N >= C_1(epsilon) and d large enough, while "
        "m d >= C N C_3^q log^(4q+4)(1/delta') and d >= N^epsilon hold",
        "the conditions bound d from below only",
    )
    return argument


def same_sign_argument(even: bool) -> Argument:
    """Terms with an odd power of a key vanish: e_z -> -e_z for one z != x changes the sign."""
    argument = Argument()
    argument.infer("h_k(-t) = (-1)^k h_k(t)", "h_k has powers of one parity only (explicit_form)")
    argument.true(
        "k is even, so h_k(<w, e_z>) does not change under e_z -> -e_z", even, "parity of k"
    )
    argument.cite("e_z and -e_z have the same law, independently of all else", SPHERE_ROTATION)
    argument.infer("an expectation that is odd in some e_z, z != x, is 0", "it equals its negative")
    return argument


# -- three factors --------------------------------------------------------------------------------


@search
def three_norms_fail(inner: Sequence[int], outer: Sequence[Fraction]) -> Witness | None:
    """An instance of E[A^2 B^2 C^2] above the product of E[A^inner]^outer and so on, if one is found.

    A = t h_n(<w, e_x>), B = h_k(<w, e_z>), C = <e_x, e_z>, with z = x, or with n = k = 0.
    """
    with precision():
        scales = (Fraction(1), Fraction(16), Fraction(1, 16))
        for n, k, t in itertools.product(range(0, 13, 2), (0, 2, 12), scales):
            left = t**2 * hermite_power_mean(n, 2, k)
            means = (
                t ** inner[0] * hermite_power_mean(n, inner[0]),
                hermite_power_mean(k, inner[1]),
            )
            right = _powers((*means, Fraction(1)), outer)
            if ball(left) > right:
                return {
                    "sigma'": f"{t} h_{n}",
                    "k": k,
                    "z": "x",
                    "left": left,
                    "right": right.str(6),
                }
        for d in range(2, 6):
            right = _powers((Fraction(1), Fraction(1), _overlap_moment(d, inner[2])), outer)
            if ball(Fraction(1, d)) > right:
                return {
                    "sigma'": "1",
                    "k": 0,
                    "d": d,
                    "left": Fraction(1, d),
                    "right": right.str(6),
                }
    return None


def _powers(values: Sequence[Fraction], exponents: Sequence[Fraction]) -> arb:
    total = arb(1)
    for value, exponent in zip(values, exponents, strict=True):
        total *= (ball(value).log() * ball(exponent)).exp()
    return total


def _overlap_moment(d: int, order: int) -> Fraction:
    """E <e, e'>^order of independent uniform unit vectors, order even."""
    value = Fraction(1)
    for j in range(0, order, 2):
        value *= Fraction(j + 1, d + j)
    return value


# -- the degree of the margin ---------------------------------------------------------------------


def degree_on_a_line(k: int, q: int) -> int:
    """The degree in t of the margin at d = 1, N = 2, m = 1 where every variable is a + b t.

    With the monic polynomials of the highest degrees in place of sigma' and h_k.
    """
    e_x, e_z, u_x, u_z, u_y, v, w = (fmpq_poly([a, a + 1]) for a in (1, 2, 3, 5, 7, 11, 13))

    def monic(n: int, at: fmpq_poly) -> fmpq_poly:
        total = fmpq_poly([0])
        for coefficient in reversed(hermite_coefficients(n)):
            total = total * at + fmpq_poly([coefficient])
        return total

    margin = fmpq_poly([0])
    for e, u in ((e_x, u_x), (e_z, u_z)):
        reading = v * (u_x - u_y) * v * u
        margin += reading * monic(q - 1, w * e_x) * monic(k, w * e) * e_x * e
    return int(margin.degree())


# -- full recall ----------------------------------------------------------------------------------


@search
def variance_stays(
    variance: RationalFunction, keep_d: bool, keep_m: bool, keep_md: bool
) -> Witness | None:
    """Powers of t for the sizes that obey the hypotheses kept, epsilon = 1/2, along which the variance
    does not tend to 0."""
    for d, N, m in itertools.product(range(4), repeat=3):
        obeys = 2 * d >= N and d >= int(keep_d) and m >= int(keep_m) and (m + d > N or not keep_md)
        if not obeys or not any((d, m)):
            continue
        path = {"d": d, "N": N, "m": m}
        found = leading(variance, path)
        if found.exponent >= 0:
            return {
                "sizes": _in_words(path),
                "Var(gamma)": f"{found.term.factored()} ~ t^{found.exponent}",
            }
    return None


def too_few_weights() -> Argument:
    """At d = ceil(N^eps) and m a power of log N no network recalls most maps [N] -> [N]."""
    argument = Argument()
    argument.cite(
        "n >= P polynomials of degree D in P variables have at most (8 e D n/P)^P sign patterns",
        WARREN,
    )
    argument.infer(
        "which f is recalled is decided by the signs of the N binom(N, 2) differences of scores, "
        "polynomials of degree q + 1 in the 4md weights: at most (4 e (q+1) N^3/(4md))^(4md) maps are",
        "no two f share a sign pattern",
    )
    argument.infer(
        "the probability that a given f is recalled is at most that number over N!, which tends to 0",
        "its logarithm is at most 4md log(C N^3) = N^eps times a power of log N, and log N! is at least "
        "N log(N/e); the outputs are exchangeable",
    )
    return argument


def recall_from_tail() -> Argument:
    """From the tail of one margin at delta' = delta/(NM) to a network that recalls all facts."""
    argument = Argument()
    with precision():
        argument.at_most(
            "delta' = delta/(NM) <= 1/2 is below e^(-1/2), since M >= 2",
            ball(Fraction(1, 2)),
            (-ball(Fraction(1, 2))).exp(),
        )
    argument.cite("N (M-1) delta' <= delta bounds the probability of some gamma <= 0", BOOLE)
    argument.infer(
        "with probability 1 - delta over the embeddings some V, W make all margins of F_NTK positive",
        "if they do with probability 1 - delta over embeddings and weights together, the embeddings for "
        "which no weights do have probability at most delta",
    )
    argument.infer(
        "for epsilon small enough the network of paired neurons has all margins positive too",
        "there are finitely many margins, and each converges",
    )
    argument.infer("it has 2m neurons", "every neuron is there twice")
    return argument
