"""How large an attention-only layer has to be to recall every fact: Theorem 10, line by line.

Serves Nichani et al., Theorems 3 and 10 (App. C.1). The construction is not the printed one: heads that
share their keys make a group, keys interpolate, and one group may hold subjects and relations together.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.argument import Argument
from proofs.attention import Store, Token, score_mean, score_variance
from proofs.theorems.fact_tables import Witness


def _symbols(names: str) -> list[RationalFunction]:
    return [RationalFunction.symbol(name) for name in names.split()]


#: A group of heads has at most d/(KAPPA L^6) subjects.
KAPPA = 2 * 10**6
#: Var <= SHARE (A/d + h/rho + h/d + F/(d rho) + F/d^2).
SHARE = 2
#: Var L^6 <= 1/VARIANCE is enough for a score.
VARIANCE = 135_000


@dataclass(frozen=True)
class Sizes:
    """d >= width_constant max(width_of_r, width_of_d) L^width_power and H d_h >= heads_constant heads
    L^heads_power, L = log(|V|SR/delta); the widths in R and D, the heads in S and R."""

    width_constant: Fraction
    width_of_r: RationalFunction
    width_of_d: RationalFunction
    width_power: Fraction
    heads_constant: Fraction
    heads: RationalFunction
    heads_power: Fraction


def too_small(sizes: Sizes) -> Witness | None:
    """Where the conditions allow d = 1, or one head with d_h = 1 that has to name three answers."""
    width = max(
        f(R=1, D=1).as_fraction() * sizes.width_constant
        for f in (sizes.width_of_r, sizes.width_of_d)
    )
    if width <= 0 or (sizes.width_power == 0 and width <= 1):
        return {
            **one_dimension(),
            "allowed": "d = 1 with S = R = D = 1, whatever H and d_h",
        }
    heads = sizes.heads(S=1, R=3).as_fraction() * sizes.heads_constant
    if heads <= 0 or (sizes.heads_power == 0 and heads <= 1):
        return {
            "S": 1,
            "R": 3,
            "D": 1,
            "H": 1,
            "d_h": 1,
            "d": "any",
            "why": "all outputs are multiples of one vector, so two tokens at most are ever named",
        }
    return None


def one_dimension() -> Witness:
    """Why d = 1 is too little."""
    return {
        "d": 1,
        "embeddings": "+-1, so the answer shares its own with another of |V| >= 4 tokens with "
        "probability 7/8 at least",
        "then": "both have the same score, and argmax does not name the answer",
    }


def recalls_all(
    sizes: Sizes, base: RationalFunction, power: RationalFunction
) -> tuple[Argument, Witness | None]:
    """Under *sizes* and d_h <= d some layer recalls every fact with probability 1 - delta.

    |f|_q <= *base*^*power* |f|_2 for polynomials of degree p, in q and p, is what scores rest on. Keys
    interpolate, in groups of heads that share them; values are the printed ones, of a group's rank.
    """
    argument = Argument()
    witness = too_small(sizes)
    if witness is not None:
        return argument, witness
    C = min(sizes.width_constant, sizes.heads_constant)
    R, D, S = _symbols("R D S")
    ones = {"S": 1, "R": 1, "D": 1}
    argument.define(
        "L = log(|V|SR/delta); a group of heads has n keys, rank rho = d_h times its heads"
    )
    argument.nonnegative("d >= C R L^6", sizes.width_of_r - R, ones)
    argument.nonnegative("d >= C D L^6", sizes.width_of_d - D, ones)
    argument.nonnegative("H d_h >= C S L^6", sizes.heads - S, ones)
    powers = (sizes.width_power, sizes.heads_power)
    argument.true("the powers of L", min(powers) >= 6, f"{powers[0]}, {powers[1]}; L > 1")
    argument.include(_groups(C), _keys(C), _variances(C), _scores(base, power))
    argument.infer(
        "attention at beta = infinity: a group without key in the context takes EOS, any other its key; "
        "one group with both takes each with weight 1/2, at every beta with equal weights",
        "keys have the score 1 exactly, EOS 1/2, all others less than 1/4",
    )
    argument.infer(
        "the logits are 1(a in A_s) + 1(a in A_r), or half of it, up to 2/5 or half of it",
        "W phi(EOS) = 0, scores are within 1/5",
    )
    argument.infer(
        "a*(s, r) wins with margin 1/10 or more, and does so at some finite beta",
        "nichani.thm10.argmax and nichani.thm10.finite-beta, a group with both keys having the mean of "
        "the two in the place of the target",
    )
    argument.infer(
        "the three failure probabilities are delta/3 each, and with probability 1 - delta over the "
        "embeddings some w serve",
        "the probability over embeddings and w together",
    )
    return argument, None


def _groups(C: Fraction) -> Argument:
    """Into which groups heads and keys are put, and the rank each group has."""
    argument = Argument()
    argument.define(f"n0 = floor(d/({KAPPA} L^6)); Case A: S <= n0, Case B: S > n0")
    argument.true("n0 >= 1, so n0 >= d/(2 kappa L^6)", C >= KAPPA, f"{C} >= {KAPPA}")
    argument.infer(
        "Case A: one group of all S + R keys, of rank rho = H d_h >= C S L^6", "all heads"
    )
    argument.infer(
        "Case B: ceil(S/n0) groups of at most n0 subjects, one of all relations: at most "
        "3 S/n0 <= 6 kappa S L^6/d groups, with floor(H/groups) heads each",
        "S/n0 > 1",
    )
    ratio = C / (6 * KAPPA)
    argument.infer("H/groups >= C/(6 kappa)", "H >= C S L^6/d_h and d_h <= d")
    argument.true("so floor(H/groups) >= (2/3) H/groups", ratio >= 2, f"{ratio} >= 2")
    argument.infer(
        "rho >= (2/3) d_h H/groups >= C d/(9 kappa) in Case B", "H d_h >= C S L^6, groups as above"
    )
    return argument


def _keys(C: Fraction) -> Argument:
    """All tokens outside a group have scores below 1/4, with probability 1 - 2 delta/3."""
    argument = Argument()
    argument.define(
        "v: the shortest vector with <v, phi(z)> = 1 for the n keys and <v, phi(EOS)> = 1/2; "
        "W_K^T W_Q = beta v phi(EOS)^T"
    )
    argument.true(
        "n + 1 <= 2n <= 4 d/(kappa L^6) <= d/(170 L)",
        C >= KAPPA and Fraction(4, KAPPA) <= Fraction(1, 170),
        "n <= S + R in Case A, n0 or R in Case B; L >= 1",
    )
    argument.cite(
        "a Gaussian d x k matrix has no singular value below sqrt d - sqrt k - t, but with probability "
        "exp(-t^2/2); a Gaussian vector is no longer than sqrt d + t, but with the same",
        "Davidson and Szarek; concentration of Lipschitz functions",
    )
    smallest = ((1 - Fraction(1, 8) - Fraction(1, 8)) / (1 + Fraction(1, 8))) ** 2
    argument.true(
        "k = n + 1 <= d/64, t = sqrt(d)/8: the least eigenvalue of the Gram matrix is at least 4/9",
        smallest == Fraction(4, 9),
        "(1 - 1/8 - 1/8)^2/(1 + 1/8)^2; embeddings are Gaussian vectors over their lengths",
    )
    argument.infer("|v|^2 <= (9/4)(n + 1)", "v^T v = b^T Gram^-1 b for the prescribed values b")
    argument.cite(
        "P(<u, phi> >= t) <= exp(-d t^2/(2 |u|^2)) for phi uniform on the sphere",
        "nichani.thm1.explicit.mgf",
    )
    argument.infer(
        "P(<v, phi(z')> >= 1/4) <= exp(-d/(72 (n + 1))) <= exp(-(170/72) L) for z' outside",
        "phi(z') is independent of v",
    )
    with precision():
        four, six = ball(Fraction(4)).log(), ball(Fraction(6)).log()
        argument.infer("L >= log 4", "|V| >= 4 (s, r, a, EOS), and S, R >= 1 > delta")
        argument.at_most("(170/72 - 1) L >= log 6", six, ball(Fraction(98, 72)) * four)
        argument.at_most("(C/128 - 1) L >= log 6", six, ball(C / 128 - 1) * four)
    argument.infer(
        "at most S + 1 <= 2S groups, |V| tokens each: failures below 2 S |V| exp(-L)/6 <= delta/3",
        "the same count, n + 2 <= |V|, for lengths and eigenvalues at exp(-d/128)",
    )
    return argument


def _variances(C: Fraction) -> Argument:
    """The variance of every score is at most 1/(VARIANCE L^6)."""
    argument = Argument()
    d, rho, A, F, h = _symbols("d rho A F h")
    share = SHARE * (A / d + h / rho + h / d + F / (d * rho) + F / d**2)
    argument.define(
        "|A_z| = A, F pairs (key, answer) in the group, h of its keys with the answer a"
    )
    lower = {"d": 2, "rho": 1, "A": 1, "F": 1, "h": 0}
    for text, variance, mean_, expected, h0 in (
        ("an answer of z", *_score(d, rho, Store(A, F, h)), 1, 1),
        ("another answer", *_score(d, rho, Store(A, F, h, stored=False)), 0, 0),
        ("z itself", *_score(d, rho, Store(A, F, h), "self"), 0, 0),
        ("another key", *_score(d, rho, Store(A, F, h), "key"), 0, 0),
    ):
        argument.equal(f"{text}: the mean", mean_, RationalFunction.constant(expected))
        # Each key has A answers at least once: F = A + more.
        argument.nonnegative(
            f"{text}: Var <= {SHARE} (A/d + h/rho + h/d + F/(d rho) + F/d^2)",
            share - variance,
            {**lower, "h": h0},
        )
    argument.infer(
        "any other token, EOS too: the second moment of the answers that are not a",
        "<phi, phi(a')> has the mean 0 and the covariance I/d for every unit vector phi",
    )
    x = RationalFunction.symbol("x")
    k, c = Fraction(KAPPA), C
    argument.define("x = 1/L^6 <= 1")
    cases = {
        "Case A: A/d <= x/C, h <= 2S, F <= 2 S R": (1 / c + 2 / c + 2 / k, 2 / c**2 + 2 / (k * c)),
        "Case B, subjects: A/d <= x/C, h <= n0, F <= n0 R": (
            1 / c + 9 / c + 1 / k,
            9 / c**2 + 1 / (k * c),
        ),
        "Case B, relations: A/d <= x/C, h <= 1, F <= R D": (
            1 / c + 9 * k / c**2 + 1 / c,
            9 * k / c**3 + 1 / c**2,
        ),
    }
    argument.infer(
        "h <= 2S in Case A, 1 among relations",
        "no two relations share an answer: S subjects and one more",
    )
    for text, (first, second) in cases.items():
        # Nonnegative on 0 <= x <= 1: x = 1/(1 + v).
        v = RationalFunction.symbol("v")
        spare = x / VARIANCE - SHARE * (first * x + second * x**2)
        argument.nonnegative(f"{text}: Var <= x/{VARIANCE}", spare(x=1 / (1 + v)), {"v": 0})
    return argument


def _score(
    d: RationalFunction, rho: RationalFunction, store: Store, token: Token = "answer"
) -> tuple[RationalFunction, RationalFunction]:
    """Variance and mean of a score, from the engine."""
    return (
        score_variance(d, rho, store, token=token).value,
        score_mean(d, rho, store, token=token).value,
    )


def _scores(base: RationalFunction, power: RationalFunction) -> Argument:
    """All scores are within 1/5 of their means, with probability 1 - delta/3."""
    argument = Argument()
    argument.infer(
        "given phi(EOS) a score is a polynomial of degree 6 in independent points of spheres",
        "<phi(a), phi(a')> <phi(z'), w> <w, phi(z)>; w on the sphere across phi(EOS)",
    )
    argument.infer(
        "|f|_q <= (q - 1)^3 |f|_2 for f = score less its mean",
        "nichani.lem13.corrected, whose proof treats the factors one by one, whatever their dimension",
    )
    q, L = _symbols("q L")
    argument.equal("its base is q - 1", base, q - 1)
    argument.equal("its power at degree 6 is 3", power(p=6), RationalFunction.constant(3))
    argument.define("q = 3L")
    argument.nonnegative("(q - 1)^3 <= 27 L^3", (27 * L**3 - (3 * L - 1) ** 3), {"L": 1})
    with precision():
        e2 = arb(2).exp()
        argument.at_most(
            "5 (3L)^3 sqrt(Var) <= 1/e, squared", (5 * arb(27)) ** 2 / VARIANCE * e2, arb(1)
        )
        four, six = ball(Fraction(4)).log(), ball(Fraction(6)).log()
        argument.at_most("2 L >= log 6 and q >= 2", six, 2 * four)
    argument.infer("P(|f| > 1/5) <= (5 |f|_q)^q <= exp(-3L)", "Markov's inequality for |f|^q")
    argument.infer(
        "|V|(S + R) <= 2 |V| S R scores: all within 1/5 but with probability delta/3",
        "2 exp(-2L) <= 1/3",
    )
    return argument


def smallest_product(
    sizes: Sizes, product: RationalFunction, slack: Fraction
) -> tuple[Argument, Witness | None]:
    """R >= D: the conditions imply H d d_h >= C^2 *product* L^12, in S and R, and are met with at most
    *slack* times it."""
    argument = Argument()
    for S, R in itertools.product((1, 2, 3), repeat=2):
        least = (sizes.width_of_r * sizes.heads)(S=S, R=R).as_fraction()
        stated = product(S=S, R=R).as_fraction()
        if least < stated:
            return argument, {
                "S": S,
                "R": R,
                "least H d d_h over C^2 L^12": least,
                "stated at least": stated,
            }
    S_, R_ = _symbols("S R")
    ones = {"S": 1, "R": 1}
    argument.nonnegative(
        "d (H d_h) >= C^2 product L^12", sizes.width_of_r * sizes.heads - product, ones
    )
    if slack < 1:
        return argument, {
            "S": 1,
            "R": 1,
            "least H d d_h over C^2 L^12": 1,
            "stated to be possible": slack,
        }
    argument.infer(
        "d = ceil(C R L^6) <= 2 C R L^6, d_h = min(d, ceil(C S L^6)), H = ceil(C S L^6/d_h): "
        "H d_h <= 2 C S L^6",
        "one head if d_h = ceil(C S L^6), else H d_h <= C S L^6 + d_h and d_h <= C S L^6",
    )
    argument.nonnegative(
        "the product is at most the stated multiple", slack * product - 4 * S_ * R_, ones
    )
    return argument, None
