"""How large an attention-only layer has to be to recall every fact: Theorem 10, line by line.

Serves Nichani et al., Theorems 3 and 10 (App. C.1). The construction is not the printed one: heads that
share their keys make a group, keys interpolate, and one group may hold subjects and relations together.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.attention import Store, Token, score_mean, score_variance
from proofs.citations import MARKOV, SINGULAR_VALUES
from proofs.concentration.chernoff import overlap_tail
from proofs.papers.nichani.attention_only import LEMMA_2
from proofs.papers.nichani.fact_tables import answer_sets, block_and_shared_answer, most_holders
from proofs.papers.nichani.head_scores import KURTOSIS, every_token

#: A group of heads has at most d/(KAPPA L^6) subjects.
KAPPA = 2 * 10**6
#: There are at most so many times S/n0 groups of at most n0 subjects, with one of all relations.
GROUPS = 3
#: A group gets at least this part of its share of the heads, after rounding down.
KEPT = Fraction(2, 3)
#: Singular values and lengths deviate by this part of sqrt(d), and keys are at most its square times d.
ROOT = Fraction(1, 8)
#: Scores of keys and of EOS, and what other tokens stay below.
KEY, END, BELOW = Fraction(1), Fraction(1, 2), Fraction(1, 4)
#: Var <= SHARE (A/d + h/rho + h/d + F/(d rho) + F/d^2).
SHARE = 2
#: Var L^6 <= 1/VARIANCE is enough for a score.
VARIANCE = 135_000
#: Moments of the order MULTIPLE L are taken.
MULTIPLE = 3
#: The failure probability of each of three kinds of events, over delta.
FAILURE = Fraction(1, 3)
#: |V| is at least this: s, r, a and EOS.
TOKENS = 4


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


@search
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


def recalls_all(sizes: Sizes, base: RationalFunction, power: RationalFunction) -> Argument:
    """Under *sizes* and d_h <= d some layer recalls every fact with probability 1 - delta.

    |f|_q <= *base*^*power* |f|_2 for polynomials of degree p, in q and p, is what scores rest on. Keys
    interpolate, in groups of heads that share them; values are the printed ones, of a group's rank.
    """
    argument = Argument()
    witness = too_small(sizes)
    if witness is not None:
        return argument.refute(witness)
    C = min(sizes.width_constant, sizes.heads_constant)
    if not argument.true("d and H d_h grow with the sizes", C > 0, f"C = {C}"):
        return argument
    R, D, S = symbols("R D S")
    ones = {"S": 1, "R": 1, "D": 1}
    argument.define(
        "L = log(|V|SR/delta); a group of heads has n keys, rank rho = d_h times its heads"
    )
    argument.nonnegative("d >= C R L^6", sizes.width_of_r - R, ones)
    argument.nonnegative("d >= C D L^6", sizes.width_of_d - D, ones)
    argument.nonnegative("H d_h >= C S L^6", sizes.heads - S, ones)
    powers = (sizes.width_power, sizes.heads_power)
    argument.true("the powers of L", min(powers) >= 6, f"{powers[0]}, {powers[1]}; L > 1")
    groups, ratio = _groups(C)
    argument.include(groups, _keys(C), _variances(C, ratio), _scores(base, power))
    argument.infer(
        "attention at beta = infinity: a group without key in the context takes EOS, any other its key; "
        "one group with both takes each with weight 1/2, at every beta with equal weights",
        "keys have the score 1 exactly, EOS 1/2, all others less than 1/4",
    )
    argument.infer(
        "the logits are 1(a in A_s) + 1(a in A_r), or half of it, up to 2/5 or half of it",
        f"W phi(EOS) = 0, scores are within {LEMMA_2}",
    )
    margin = ((2 - 2 * LEMMA_2) - (1 + 2 * LEMMA_2)) / 2
    argument.true("half of the margin is positive", margin > 0, f"(8/5 - 7/5)/2 = {margin}")
    argument.infer(
        f"a*(s, r) wins with margin {margin} or more, and does so at some finite beta",
        "nichani.thm10.argmax and nichani.thm10.finite-beta, a group with both keys having the mean of "
        "the two in the place of the target",
    )
    argument.true("three kinds of failures", 3 * FAILURE <= 1, f"delta times {FAILURE} each")
    argument.infer(
        "with probability 1 - delta over the embeddings some w serve",
        "the probability over embeddings and w together",
    )
    return argument


def _groups(C: Fraction) -> tuple[Argument, Fraction]:
    """Into which groups heads and keys are put; and what rho/d is at least, in Case B."""
    argument = Argument()
    argument.define(f"n0 = floor(d/({KAPPA} L^6)); Case A: S <= n0, Case B: S > n0")
    argument.true("n0 >= 1", C >= KAPPA, f"d >= C L^6, {C} >= {KAPPA}")
    n, y, d, d_h, S, L6 = symbols("n y d d_h S L6")
    half = Fraction(1, 2)
    argument.nonnegative("so n0 >= d/(2 kappa L^6): n >= (n + 1)/2", n - half * (n + 1), {"n": 1})
    argument.infer(
        "Case A: one group of all S + R keys, of rank rho = H d_h >= C S L^6", "all heads"
    )
    argument.infer(
        "Case B: ceil(S/n0) groups of at most n0 subjects, one of all relations, with "
        "floor(H/groups) heads each: at most y + 2 groups, y = S/n0 > 1",
        "ceil(y) <= y + 1",
    )
    argument.nonnegative(f"y + 2 <= {GROUPS} y", GROUPS * y - y - 2, {"y": 1})
    least_n0 = half * d / (KAPPA * L6)
    groups = GROUPS * S / least_n0
    share = C * S * L6 / d_h / groups
    least = share(d_h=d).as_fraction()
    argument.infer(
        f"H/groups >= {share.factored()} >= {least}",
        "H >= C S L^6/d_h, at most GROUPS S/n0 groups, d_h <= d",
    )
    whole = floor(least)
    argument.true(
        f"so floor(H/groups) >= {KEPT} H/groups",
        whole >= 1 and Fraction(whole, whole + 1) >= KEPT,
        f"floor(y) >= (q/(q + 1)) y for y >= q = {whole}",
    )
    ratio = (KEPT * share * d_h / d).as_fraction()
    argument.infer(f"rho >= {ratio} d in Case B", "rho = d_h floor(H/groups)")
    return argument, ratio


def _keys(C: Fraction) -> Argument:
    """All tokens outside a group have scores below 1/4, with probability 1 - 2 delta/3."""
    argument = Argument()
    argument.define(
        "v: the shortest vector with <v, phi(z)> = 1 for the n keys and <v, phi(EOS)> = 1/2; "
        "W_K^T W_Q = beta v phi(EOS)^T"
    )
    # n <= S + R in Case A, n0 or R in Case B: S, n0 <= d/(kappa L^6), R <= d/(C L^6).
    crowd = 2 * (Fraction(1, KAPPA) + 1 / C)
    argument.infer(f"n + 1 <= 2n <= {crowd} d/L^6", "n <= S + R in Case A, n0 or R in Case B")
    argument.cite(
        "a Gaussian d x k matrix has no singular value below sqrt d - sqrt k - t, but with probability "
        "exp(-t^2/2); a Gaussian vector is no longer than sqrt d + 1 + t, but with the same",
        SINGULAR_VALUES,
    )
    argument.true(f"k = n + 1 <= {ROOT**2} d, L >= 1", crowd <= ROOT**2, f"{crowd} <= {ROOT**2}")
    argument.true("sqrt d - sqrt k - t is positive, t = ROOT sqrt d", 2 * ROOT < 1, f"{ROOT}")
    smallest = ((1 - ROOT - ROOT) / (1 + ROOT + ROOT)) ** 2
    argument.infer(
        f"the least eigenvalue of the Gram matrix is at least {smallest}",
        "((1 - 2 ROOT)/(1 + 2 ROOT))^2, as 1 <= sqrt k <= ROOT sqrt d; embeddings are Gaussian vectors "
        "over their lengths",
    )
    argument.true("prescribed values are at most 1", max(KEY, END) <= 1, f"{KEY} and {END}")
    argument.infer(
        f"|v|^2 <= (n + 1)/{smallest}", "v^T v = b^T Gram^-1 b for the prescribed values b"
    )
    overlap_tail(argument, "nichani.thm1.explicit.mgf")
    # d BELOW^2/(2 (n + 1)/smallest) at n + 1 = crowd d/L^6, and L^6 >= L.
    rate = BELOW**2 * smallest / (2 * crowd)
    argument.true("keys, EOS and others are apart", BELOW < END < KEY, f"{BELOW} < {END} < {KEY}")
    argument.infer(
        f"P(<v, phi(z')> >= {BELOW}) <= exp(-{rate} L) for z' outside",
        "phi(z') is independent of v",
    )
    argument.infer("exp(-L) = delta/(|V|SR)", "by definition")
    lengths = C * ROOT**2 / 2
    S, V, R = symbols("S V R")
    argument.nonnegative("at most S + 1 <= 2S groups", 2 * S - S - 1, {"S": 1})
    failing = 2 * S * V / (V * S * R)
    events = failing(R=1).as_fraction()
    argument.nonnegative("|V| tokens each, over |V|SR: at most 2", events - failing, {"R": 1})
    with precision():
        spare, log = ball(events / FAILURE).log(), ball(TOKENS).log()
        argument.infer("L >= log 4", "|V| >= 4 (s, r, a, EOS), and S, R >= 1 > delta")
        argument.at_most("scores: 2 exp(-(rate - 1) L) <= 1/3", spare, ball(rate - 1) * log)
        argument.at_most(
            "lengths and eigenvalues: 2 exp(-(C ROOT^2/2 - 1) L) <= 1/3",
            spare,
            ball(lengths - 1) * log,
        )
    argument.infer(
        "the union of all groups: both kinds of failures have probability at most delta/3",
        "n + 2 <= |V| lengths and eigenvalues a group, t^2/2 = ROOT^2 d/2 >= (C ROOT^2/2) L",
    )
    return argument


@dataclass(frozen=True)
class _Load:
    """Bounds of one kind of group, x = 1/L^6: h/rho and h/d over x, F/(d rho) and F/d^2 over x^2."""

    holders_rank: Fraction
    holders_width: Fraction
    facts_rank: Fraction
    facts_width: Fraction


def _loads(C: Fraction, ratio: Fraction) -> dict[str, _Load]:
    """The three kinds of groups: max(R, D)/d <= x/C; S/d and S/rho at most x/kappa and x/C in Case A,
    n0/d at most x/kappa and rho >= *ratio* d in Case B."""
    one, few = 1 / C, Fraction(1, KAPPA)
    return {
        "Case A: h <= 2S, F <= 2 S R": _Load(2 * one, 2 * few, 2 * one * one, 2 * few * one),
        "Case B, subjects: h <= n0, F <= n0 R": _Load(
            few / ratio, few, few * one / ratio, few * one
        ),
        "Case B, relations: h <= 1, F <= R D": _Load(
            one / ratio, one, one * one / ratio, one * one
        ),
    }


def _variances(C: Fraction, ratio: Fraction) -> Argument:
    """The variance of every score is at most 1/(VARIANCE L^6)."""
    argument = Argument()
    d, rho, A, F, h = symbols("d rho A F h")
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
    S = RationalFunction.symbol("S")
    argument.infer(
        "h <= S + 1 in Case A, 1 among relations; F <= S R + R min(S, D) in Case A",
        "no two relations share an answer: S subjects and one more",
    )
    argument.nonnegative("S + 1 <= 2S", 2 * S - S - 1, {"S": 1})
    x, v = symbols("x v")
    argument.define("x = 1/L^6 <= 1")
    for text, load in _loads(C, ratio).items():
        first = 1 / C + load.holders_rank + load.holders_width
        second = load.facts_rank + load.facts_width
        # Nonnegative on 0 <= x <= 1: x = 1/(1 + v).
        spare = x / VARIANCE - SHARE * (first * x + second * x**2)
        argument.nonnegative(
            f"{text}, A/d <= x/C: Var <= x/{VARIANCE}", spare(x=1 / (1 + v)), {"v": 0}
        )
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
    q, L = symbols("q L")
    argument.equal("its base is q - 1", base, q - 1)
    argument.equal("its power at degree 6 is 3", power(p=6), RationalFunction.constant(3))
    argument.define(f"q = {MULTIPLE} L")
    moment = (MULTIPLE * L) ** 3
    argument.nonnegative("(q - 1)^3 <= q^3", moment - base(q=MULTIPLE * L) ** 3, {"L": 1})
    # (q^3 sqrt(Var)/accuracy)^2 <= 1/e^2, at Var = 1/(VARIANCE L^6).
    squared = (moment**2 / LEMMA_2**2 / (VARIANCE * L**6)).as_fraction()
    with precision():
        argument.at_most(
            f"q^3 sqrt(Var)/({LEMMA_2}) <= 1/e, squared", ball(squared) * arb(2).exp(), arb(1)
        )
        log = ball(TOKENS).log()
        argument.at_most("q >= 2", arb(2), MULTIPLE * log)
        argument.at_most(
            f"2 exp(-({MULTIPLE} - 1) L) <= {FAILURE}",
            ball(2 / FAILURE).log(),
            (MULTIPLE - 1) * log,
        )
    argument.cite(f"P(|f|^q >= ({LEMMA_2})^q) <= (|f|_q/({LEMMA_2}))^q <= exp(-q)", MARKOV)
    S, R = symbols("S R")
    argument.nonnegative("S + R <= 2 S R", 2 * S * R - S - R, {"S": 1, "R": 1})
    argument.infer(
        f"the union of |V|(S + R) scores: all within {LEMMA_2} but with probability delta/3",
        "|V|SR = delta exp(L)",
    )
    return argument


def needs() -> tuple[Argument, Fraction]:
    """What scores within 1/5 of their targets ask of groups with the printed W, of rank rho each.

    Returns the argument and a constant c: d >= c max |A_z|, H d_h >= c h for h keys with one answer,
    and d H d_h >= c F for F pairs (key, answer). W has random w_i, of any number of heads a group.
    """
    argument = every_token()
    allowed = 2 * LEMMA_2**2
    argument.infer(
        f"Var > {allowed}: |gamma - E gamma| > {LEMMA_2} with probability 1/(4 {KURTOSIS}) at least",
        "Paley-Zygmund, and hypercontractivity at q = 4",
    )
    argument.true("that is above 10^-7", 4 * KURTOSIS < 10**7, f"4 {KURTOSIS} < 10^7")
    d, rho, A, F, h, more = symbols("d rho A F h more")
    fresh = _score(d, rho, Store(A, F, 0, stored=False))[0](F=A + more)
    held = _score(d, rho, Store(A, F, h))[0](F=A + h - 1 + more)
    lower = {"d": 2, "rho": 1, "A": 0, "more": 0}
    argument.nonnegative("EOS, A = |A_z|: Var >= A/d", fresh - A / d, lower)
    argument.nonnegative("EOS: Var >= F/(d rho)", fresh - (A + more) / (d * rho), lower)
    argument.nonnegative(
        "an answer of z that h keys hold, d >= 4: Var >= h/rho",
        held - h / rho,
        {**lower, "d": 4, "A": 1, "h": 1},
    )
    argument.infer(
        "the ranks of all groups add up to H d_h at most, their h to h or more, their F to F; d >= 4 by "
        "the first of these lines",
        "each key is in a group, each head in one",
    )
    return argument, 1 / allowed


def subset_needs(k: int) -> Argument:
    """What a k x k block with k^2 subjects that share an answer asks of H d d_h: the order M^(3/2).

    k >= 2.
    """
    argument, constant = needs()
    for size in range(1, k + 1):
        table = block_and_shared_answer(size)
        largest = max(len(found) for sets in answer_sets(table) for found in sets.values())
        found = (len(table), largest, most_holders(table))
        argument.true(
            f"k = {size}: M = 2 k^2, max |A_z| = k, k^2 + 1 keys hold one answer",
            found == (2 * size**2, size, size**2 + 1),
            f"counted: {found}",
        )
    d, rho, n = symbols("d rho n")
    exact, _ = _score(d, rho, Store(1, n, n))
    factor = constant**2
    if argument.holds:
        argument.witness = {
            "family": "a k x k block of facts, all answers different, and one relation with one answer "
            "that k^2 further subjects share: M = 2 k^2",
            "the construction": "W with random w_i, its keys in groups of any sizes, scores within 1/5",
            "variance of a score, n keys of a group holding a alone": str(exact.factored()),
            "so": f"rank of each group at least {constant} n, H d_h at least {constant} (k^2 + 1)",
            "and": f"d at least {constant} k, k answers of each key of the block",
            f"k = {k}": {
                "M": 2 * k**2,
                "H d d_h at least": factor * k * (k**2 + 1),
                "variance at d = rho = n = k^2": exact(d=k**2, rho=k**2, n=k**2).as_fraction(),
            },
            "H d d_h at least, all k": f"{factor} (M/2)^(3/2)",
        }
    return argument


def smallest_product(sizes: Sizes, product: RationalFunction, slack: Fraction) -> Argument:
    """R >= D: the conditions imply H d d_h >= C^2 *product* L^12, in S and R, and are met with at most
    *slack* times it."""
    argument = Argument()
    for S, R in itertools.product((1, 2, 3), repeat=2):
        least = (sizes.width_of_r * sizes.heads)(S=S, R=R).as_fraction()
        stated = product(S=S, R=R).as_fraction()
        if searching() and least < stated:
            witness = {"S": S, "R": R, "least H d d_h over C^2 L^12": least}
            return argument.refute(witness | {"stated at least": stated})
    S_, R_ = symbols("S R")
    ones = {"S": 1, "R": 1}
    argument.nonnegative(
        "d (H d_h) >= C^2 product L^12", sizes.width_of_r * sizes.heads - product, ones
    )
    if searching() and slack < 1:
        witness = {"S": 1, "R": 1, "least H d d_h over C^2 L^12": 1, "stated to be possible": slack}
        return argument.refute(witness)
    argument.infer(
        "d = ceil(C R L^6) <= 2 C R L^6, d_h = min(d, ceil(C S L^6)), H = ceil(C S L^6/d_h): "
        "H d_h <= 2 C S L^6",
        "one head if d_h = ceil(C S L^6), else H d_h <= C S L^6 + d_h and d_h <= C S L^6",
    )
    argument.nonnegative(
        "the product is at most the stated multiple", slack * product - 4 * S_ * R_, ones
    )
    return argument
