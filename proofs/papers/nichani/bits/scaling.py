"""Corollary 1: loss against bits under a power law, with explicit constants.

In formulas alpha is above 1, h is 2^-alpha, s the sum of x^-alpha over [N], L = log2 M, k = floor(B/L),
K = ceil(B/L). Every function takes the stated formulas and gives an argument, or sizes where they fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument, searching
from proofs.information.budgets import checked_sizes, touched_tokens, whole_tokens
from proofs.information.entropy import log
from proofs.information.power_laws import power_law, power_sum, tail_mass

_alpha, _h, _K, _k = symbols("alpha h K k")
#: What the two sides of the tail give, the lower one 2^-alpha (alpha - 1)/alpha.
LOWER, UPPER = _h * (_alpha - 1) / _alpha, ONE
#: Exponents and lengths at which a false formula is looked for.
_ALPHAS, _STARTS = (2, 3, 4, 5), (1, 2, 3, 5, 10, 30, 100)
_DOMAIN = {"alpha": 1, "h": 0}


def _at(form: RationalFunction, **sizes: int | Fraction) -> Fraction:
    return form(**sizes).as_fraction()


def normaliser(Z: RationalFunction) -> Argument:
    """Z x^-alpha adds up to one on [N] for Z = *Z*, in s and N."""
    argument = Argument()
    for N in (1, 2, 3):
        for alpha in (2, 3):
            s = power_sum(1, N, alpha)
            total = _at(Z, s=s, N=N) * s
            if searching() and total != 1:
                return argument.refute({"N": N, "alpha": alpha, "s": s, "sum of p": total})
    argument.infer("sum_x Z x^-alpha = Z s", "Z does not depend on x")
    argument.equal("Z s is one", Z * RationalFunction.symbol("s"), ONE)
    return argument


# -- the tail -------------------------------------------------------------------------------------


def tail(lower: RationalFunction, upper: RationalFunction, reach: RationalFunction) -> Argument:
    """lower k^(1-alpha) <= sum_{x=k}^n p(x) for n >= reach(k), and the sum <= upper k^(1-alpha)."""
    for alpha, k, n in _tails(reach):
        scaled = power_sum(k, n, alpha) / power_sum(1, n, alpha) * k ** (alpha - 1)
        low, high = (_at(f, alpha=alpha, h=Fraction(1, 2**alpha)) for f in (lower, upper))
        holds = scaled <= high and (scaled >= low or n < _at(reach, k=k))
        if searching() and not holds:
            witness = {"alpha": alpha, "k": k, "n": n, "tail times k^(alpha-1)": scaled}
            return Argument().refute(witness | {"stated": f"from {low} to {high}"})
    argument = tail_above()
    argument.nonnegative("so that it is at most what is stated", upper - 1, _DOMAIN)
    argument.infer(
        "for n >= 2k - 1 the sum of x^-alpha from k on is at least k (2k)^-alpha = 2^-alpha k^(1-alpha)",
        "the k terms x = k, ..., 2k - 1 are at least (2k)^-alpha",
    )
    argument.include(_zeta())
    argument.nonnegative(
        "2^-alpha (alpha-1)/alpha is at least what is stated", LOWER - lower, _DOMAIN
    )
    argument.nonnegative("reach is at least 2k - 1", reach - (2 * _k - 1), {"k": 1})
    return argument


def tail_above() -> Argument:
    """sum_{x=k}^n p(x) <= k^(1-alpha) for all 1 <= k <= n, alpha > 1."""
    argument = Argument()
    argument.infer(
        "the x from k to n fall into blocks jk <= x < (j+1)k, j = 1, ..., floor(n/k), in which the sum "
        "of x^-alpha is at most k (jk)^-alpha = k^(1-alpha) j^-alpha",
        "k terms, the first the largest",
    )
    argument.infer(
        "the sum of x^-alpha from k to n is at most k^(1-alpha) times that from 1 to n",
        "floor(n/k) <= n",
    )
    return argument


def _zeta() -> Argument:
    """The sum of x^-alpha over [n] is at most alpha/(alpha-1)."""
    argument = Argument()
    argument.infer(
        "the sum of x^-alpha over [n] is at most 1 + 1/(alpha-1)",
        "x^-alpha is at most its integral from x - 1 to x, x >= 2",
    )
    argument.equal(
        "2^-alpha over that is 2^-alpha (alpha-1)/alpha", _h / (1 + 1 / (_alpha - 1)), LOWER
    )
    return argument


def _tails(reach: RationalFunction) -> Iterator[tuple[int, int, int]]:
    """(alpha, k, n): the shortest tail that is stated, a little more, and a long one."""
    for alpha in _ALPHAS:
        for k in _STARTS:
            edge = max(k, ceil(_at(reach, k=k)))
            for n in sorted({k, edge, edge + 1, 12 * k}):
                if n >= k:
                    yield alpha, k, n


def short_tails(reach: RationalFunction) -> Argument:
    """No c > 0 has c k^(1-alpha) <= sum_{x=k}^n p(x) for all n >= reach(k): look at k = n.

    It breaks where reach does not allow k = n for every k.
    """
    argument = Argument()
    argument.nonnegative("k = n is allowed for every k: k less the reach", _k - reach, {"k": 1})
    argument.infer(
        "at k = n the tail times n^(alpha-1) is 1/(n s), s >= 1 the sum of x^-alpha over [n]",
        "the tail is the one term p(n)",
    )
    for alpha in _ALPHAS:
        for n in (2, 10, 100):
            ratio = power_law(n, alpha)[-1] * n ** (alpha - 1)
            argument.true(
                f"alpha = {alpha}, k = n = {n}: at most 1/{n}", ratio <= Fraction(1, n), "exact"
            )
    argument.infer("it tends to 0", "it is at most 1/n")
    return argument


# -- the scaling law ------------------------------------------------------------------------------


def scaling_law(
    constant: RationalFunction, exponent: RationalFunction, tokens: RationalFunction
) -> Argument:
    """E loss >= constant log M B^exponent for every N >= tokens(K), B >= 1, M >= 2, every learner."""
    argument = Argument()
    for alpha in _ALPHAS:
        power = _at(exponent, alpha=alpha)
        for M, B in ((2, b) for b in (1, 2, 3, 5, 8, 20, 60)):
            K = touched_tokens(M, B)
            N = max(1, ceil(_at(tokens, K=K)))
            loss = sum(power_law(N, alpha)[whole_tokens(M, B) :], Fraction(0))
            c = _at(constant, alpha=alpha, h=Fraction(1, 2**alpha))
            if searching() and power.denominator == 1 and loss < c * Fraction(B) ** int(power):
                argument.witness = {
                    "alpha": alpha,
                    "M": M,
                    "N": N,
                    "B": B,
                    "learner": "stores the first B values, one bit each",
                    "loss in bits": loss,
                    "stated": c * Fraction(B) ** int(power),
                }
                return argument
    argument.infer("E loss >= log M sum_{x > K} p(x)", "Theorem 7 as its proof derives it")
    argument.infer(
        "for N >= 2K the sum of x^-alpha over K < x <= 2K is at least "
        "K (2K)^-alpha = 2^-alpha K^(1-alpha)",
        "K terms, the last the smallest",
    )
    argument.include(_zeta())
    argument.infer("K <= B", "L >= 1, so B/L <= B, and B >= 1 is an integer")
    argument.infer("K^(1-alpha) >= B^(1-alpha)", "alpha > 1")
    argument.infer(
        "the same for N infinite",
        "the loss of the first n tokens alone is bounded so, n to infinity",
    )
    argument.nonnegative(
        "2^-alpha (alpha-1)/alpha is at least the constant", LOWER - constant, _DOMAIN
    )
    argument.nonnegative("1 - alpha is at least the exponent", 1 - _alpha - exponent, {"alpha": 1})
    argument.nonnegative("N is at least 2K", tokens - 2 * _K, {"K": 1})
    argument.include(_examples(constant))
    return argument


def exact_bound(N: int, M: int, B: int, alpha: Fraction) -> arb:
    """log2 M sum_{x > ceil(B/log2 M)} p(x), in bits, for p(x) proportional to x^-alpha on [N]; a ball.

    It is 0 where all N values fit. Raises ValueError for sizes that make no world.
    """
    checked_sizes(N, M, B)
    first = touched_tokens(M, B) + 1
    return tail_mass(first, N, alpha) * log(M).bits() if first <= N else arb(0)


def _examples(constant: RationalFunction) -> Argument:
    """How far the stated bound is below the exact one, at exponents that are not integers too."""
    argument = Argument()
    for alpha in (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(7, 2)):
        for M, B in ((2, 1), (2, 100), (3, 10), (1000, 5)):
            N = 2 * touched_tokens(M, B)
            with precision():
                power = (ball(1 - alpha) * arb(B).log()).exp() * log(M).bits()
                half = (-ball(alpha) * arb(2).log()).exp()
                stated = evaluate(constant, alpha=ball(alpha), h=half) * power
                argument.at_most(
                    f"alpha = {alpha}, M = {M}, B = {B}, N = {N}: stated and exact bound in bits",
                    stated,
                    exact_bound(N, M, B, alpha),
                )
    return argument


def nothing_left(tokens: RationalFunction) -> Argument:
    """With M = 2^m and B = N m every table can be written down: the loss is 0, and no c > 0 is below it.

    It breaks where N >= tokens(K) does not allow N = K for every K.
    """
    argument = Argument()
    argument.nonnegative("N = K is allowed for every K: K less the tokens", _K - tokens, {"K": 1})
    for N, m in ((1, 1), (2, 1), (3, 2), (10, 3)):
        M, B = 2**m, N * m
        argument.true(
            f"N = {N}, M = {M}, B = {B}: K = N, and the tables fit into the messages",
            touched_tokens(M, B) == N and M**N <= 2**B,
            f"{M**N} tables, {2**B} messages",
        )
    argument.infer("the loss is 0 for every N and M = 2^m, at B = N m", "h(x) is sure of f*(x)")
    argument.infer("c times any power of B is above 0 for every c > 0", "B >= 1")
    return argument


def final_step(power: RationalFunction, base: Fraction) -> Argument:
    """log M (B/log M)^(1-alpha) = (log M)^power B^(1-alpha) >= (log base)^power B^(1-alpha), M >= 2."""
    argument = Argument()
    for alpha in _ALPHAS:
        stated = _at(power, alpha=alpha)
        if searching() and stated != alpha:
            argument.witness = {
                "alpha": alpha,
                "M": 4,
                "B": 1,
                "log2 M (B/log2 M)^(1-alpha)": Fraction(2) ** alpha,
                "stated": f"2^({stated})",
            }
            return argument
    argument.infer(
        "log M (B/log M)^(1-alpha) = (log M)^alpha B^(1-alpha)", "1 - (1 - alpha) = alpha"
    )
    argument.equal("the power of log M", power, _alpha)
    if base > 2 or base <= 1:
        with precision():
            shown = ball(base).log().str(6)
        why = "it must be above 0" if base <= 1 else "that is more than log M"
        return argument.refute({"M": 2, "log base": shown, "why": why})
    argument.infer("0 < log base <= log 2 <= log M", f"1 < {base} <= 2 <= M")
    argument.infer(
        "(log M)^alpha >= (log base)^alpha", "alpha > 0; the unit of the logarithm is free"
    )
    return argument


def store_top(factor: Fraction, power: RationalFunction, stored: RationalFunction) -> Argument:
    """Storing the first *stored* values, a formula in k and K, fits into B bits and has expected loss at
    most factor (log2 M)^power B^(1-alpha) bits."""
    for alpha in _ALPHAS:
        exponent = _at(power, alpha=alpha)
        for m, B, N in _stores():
            sizes = {"k": whole_tokens(2**m, B), "K": touched_tokens(2**m, B)}
            count = int(_at(stored, **sizes))
            if searching() and count * m > B:
                return Argument().refute({"M": 2**m, "B": B, "stored": count, "bits": count * m})
            loss = m * sum(power_law(N, alpha)[max(count, 0) :], Fraction(0))
            whole = exponent.denominator == 1
            bound = factor * Fraction(m) ** int(exponent) / B ** (alpha - 1)
            if searching() and whole and loss > bound:
                witness = {"alpha": alpha, "M": 2**m, "B": B, "N": N, "loss in bits": loss}
                return Argument().refute(witness | {"stated": bound})
    argument = tail_above()
    argument.equal("floor(B/L) values are stored", stored, _k)
    argument.infer("they take k L <= B bits", "k <= B/L; M^k <= 2^B tables of k values")
    argument.infer("the loss is L sum_{x > k} p(x)", "0 where stored, log M under the uniform law")
    argument.infer(
        "the sum is at most (k + 1)^(1-alpha) <= (B/L)^(1-alpha); it is 0 for k >= N",
        "the tail from k + 1 on, and k + 1 > B/L",
    )
    argument.infer("L (B/L)^(1-alpha) = L^alpha B^(1-alpha)", "1 - (1 - alpha) = alpha")
    argument.nonnegative("the power is at least alpha, and L >= 1", power - _alpha, {"alpha": 1})
    argument.true("the factor is at least 1", factor >= 1, str(factor))
    return argument


def _stores() -> Iterator[tuple[int, int, int]]:
    """(log2 M, B, N): few bits for large values, and many bits for one-bit values."""
    for m in (1, 2, 3, 12, 30):
        for B in sorted({1, 2, max(1, m - 1), m, 20 * m}):
            for N in sorted({1, B // m + 1, 400}):
                yield m, B, N
