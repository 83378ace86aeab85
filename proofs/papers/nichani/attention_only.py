"""The attention-only construction, line by line: keys, scores, logits, numbers of heads.

Serves Nichani et al., the proof of Theorem 10 (App. C.1), and what the sketch of Sec. 4.3 says of heads.
A step that fails comes with a witness that can be checked by hand.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, comb

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, ZERO, inner, symbols, total
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import COVER
from proofs.concentration.chernoff import binomial_sum, overlap_tail
from proofs.moments import OrthogonalSphere, Range, Sphere, dot, mean, sum_over

#: What Lemma 1 gives: a key of the head lies so far above EOS, and EOS above any other token.
LEMMA_1 = Fraction(1, 4)
#: What Lemma 2 gives: a score is so near to 1 for an answer of the key, and to 0 otherwise.
LEMMA_2 = Fraction(1, 5)


# -- numbers of heads -----------------------------------------------------------------------------


def heads_needed(lower: RationalFunction) -> Argument:
    """d_h >= c M L, L = log^6(|V|/delta), imply ceil(S/M) + ceil(R/M) >= *lower*, in c, S, R, L, d_h."""
    argument = Argument()
    for M, S, R in itertools.product((1, 2), (1, 2, 3, 100), (1, 3)):
        at = {"c": 1, "S": S, "R": R, "L": 8, "d_h": 8 * M}
        stated, heads = lower(**at).as_fraction(), -(-S // M) - (-R // M)
        if searching() and heads < stated:
            return argument.refute({**at, "M": M, "heads": heads, "stated at least": stated})
    subjects, relations, M_, c, L, w = symbols("S R M c L w")
    argument.infer("H >= S/M + R/M", "no term falls when it is rounded up")
    argument.nonnegative(
        "(S + R)/M is at least the stated number at d_h = c M L + w",
        ((subjects + relations) / M_ - lower)(d_h=c * M_ * L + w),
        {"S": 1, "R": 1, "M": 1, "L": 1, "c": 0, "w": 0},
        interior=True,
    )
    return argument


def budget(factor: Fraction | None, tokens: RationalFunction, heads: Fraction) -> Argument:
    """H >= *heads* and H d_h >= *factor* c *tokens* log^6(|V|SR/delta) allow ceil(S/M) + ceil(R/M) heads
    at M = floor(d_h/(c log^6(|V|/delta))) >= 1. *tokens* in S and R; no factor: is there any?"""
    argument = Argument()
    if factor is None:
        return argument.refute(_no_factor(tokens))
    sizes = (1, 2, 3, 4, 5, 6, 7, 100)
    steps = (Fraction(0), Fraction(1, 2), Fraction(15, 16))
    parts = [M + step for M in (1, 2, 3, 8) for step in steps]
    for x, S, R in itertools.product(parts, sizes, sizes):
        # x = d_h/(c log^6(|V|/delta)); as delta tends to 0 the two logarithms agree.
        M = int(x)
        have = max(ceil(heads), ceil(factor * tokens(S=S, R=R).as_fraction() / x))
        need = -(-S // M) - (-R // M)
        if searching() and have < need:
            witness = {"S": S, "R": R, "d_h": f"{x} c log^6(|V|/delta), delta small", "M": M}
            return argument.refute(witness | {"H": have, "heads of the construction": need})
    argument.define(
        "S = a M + i, R = b M + j with 1 <= i, j <= M, s = a + b: s + 2 heads are needed"
    )
    argument.nonnegative(
        "the hypothesis counts S + R", tokens - total(symbols("S R")), {"S": 1, "R": 1}
    )
    s, M_, i, j = symbols("s M i j")
    argument.nonnegative(
        "S + R = s M + i + j >= s M + 2", s * M_ + i + j - (s * M_ + 2), {"s": 0, "i": 1, "j": 1}
    )
    argument.infer("H > factor (S + R)/(M + 1)", "d_h < (M + 1) c log^6(|V|/delta)")
    bound, wanted = factor * (s * M_ + 2) / (M_ + 1), s + 2
    argument.nonnegative(
        "s >= 2: factor (s M + 2)/(M + 1) >= s + 2, so H > s + 2", bound - wanted, {"s": 2, "M": 1}
    )
    argument.nonnegative(
        "s = 1: factor (M + 2)/(M + 1) >= s + 1, so H > s + 1, and H >= s + 2 as a whole number",
        (bound - (wanted - 1))(s=1),
        {"M": 1},
    )
    least = wanted(s=0).as_fraction()
    argument.true("s = 0: H >= s + 2", heads >= least, f"{heads} >= {least}")
    return argument


@search
def _no_factor(tokens: RationalFunction) -> Witness | None:
    """What refutes every factor C, where *tokens* does not grow with R."""
    if "R" in tokens.names:
        return None
    return {
        "family": "S = 1, d_h = c log^6(|V|/delta), so that M = 1; H = ceil(64 C/c); R >= H",
        "hypothesis": "log(|V|SR/delta) <= 2 log(|V|/delta), so H d_h >= C S log^6(|V|SR/delta)",
        "heads of the construction": "1 + R > H",
        "smallest, C = c": {"S": 1, "R": 64, "H": 64, "heads needed": 65},
    }


def failing_heads(total: RationalFunction) -> Argument:
    """Heads that fail with probability 2 delta each all succeed with probability 1 - *total* delta at
    least; in S and R, for every M >= 1."""
    argument = Argument()
    for S, R in sorted(itertools.product(range(1, 6), repeat=2), key=sum):
        stated = total(S=S, R=R).as_fraction()
        if searching() and stated < 2 * (S + R):
            argument.witness = {
                "S": S,
                "R": R,
                "M": 1,
                "heads": S + R,
                "sum of the failure probabilities": f"{2 * (S + R)} delta",
                "stated": f"{stated} delta",
                "attained": "if the events on which heads fail are disjoint",
            }
            return argument
    argument.infer("there are at most S + R heads", "ceil(S/M) <= S and ceil(R/M) <= R")
    argument.nonnegative(
        "2 (S + R) delta is covered", total - 2 * sum(symbols("S R"), ZERO), {"S": 1, "R": 1}
    )
    return argument


# -- the aggregate output-value matrix of the sketch ----------------------------------------------


def group_outputs(
    subject: RationalFunction,
    relation: RationalFunction,
    end: RationalFunction,
    projected: RationalFunction,
) -> Argument:
    """The output of G groups, s and r in different ones, is *subject* phi(s) + *relation* phi(r) +
    *end* phi(EOS) for identities, and has *projected* phi(EOS) for projections across phi(EOS)."""
    argument = Argument()
    stated = {"s": subject, "r": relation, "EOS": end}
    for G in range(2, 7):
        for first, second in itertools.permutations(range(G), 2):
            attended = ["s" if g == first else "r" if g == second else "EOS" for g in range(G)]
            found = {token: attended.count(token) for token in stated}
            if any(value(G=G).as_fraction() != found[token] for token, value in stated.items()):
                printed = {token: str(value(G=G)) for token, value in stated.items()}
                return argument.fails("the output", {"G": G, "output": found, "stated": printed})
            if projected(G=G).as_fraction() != 0:
                witness = {"G": G, "EOS after projection": 0, "stated": str(projected(G=G))}
                return argument.fails("the output", witness)
        argument.true(f"G = {G}", True, "every place of s and r among the groups")
    G_ = RationalFunction.symbol("G")
    argument.infer(
        "the groups of s and of r give phi(s) and phi(r), the other G - 2 give phi(EOS)",
        "each group attends to one token, and its matrix is the identity",
    )
    for token, value, counted in (("s", subject, ONE), ("r", relation, ONE), ("EOS", end, G_ - 2)):
        argument.equal(f"the coefficient of phi({token})", value, counted)
    argument.equal("a projection across phi(EOS) leaves none of it", projected, ZERO)
    return argument


# -- how many tokens a head can attend to ---------------------------------------------------------


def unbounded_superposition() -> Argument:
    """One head attends to exp(d/40) tokens against EOS and one token that it must not attend to."""
    argument = Argument()
    argument.define(
        "v = -phi(EOS) - 2 phi(a), g = <phi(a), phi(EOS)>; S(h) all tokens but a and EOS"
    )
    g = RationalFunction.symbol("g")
    argument.equal("<v, phi(EOS)> - <v, phi(a)> = 1 - g > 0", -1 - 2 * g - (-g - 2), 1 - g)
    argument.equal("|phi(EOS) + 2 phi(a)|^2 = 5 + 4 g", 1 + 4 * g + 4, 5 + 4 * g)
    argument.infer(
        "z in S(h) fails only if <phi(EOS) + 2 phi(a), phi(z)> >= 1 + 2 g", "the scores compared"
    )
    overlap_tail(argument, "nichani.thm1.explicit.mgf")
    argument.true(
        "|g| <= 1/8: (1 + 2g)^2/(2 (5 + 4g)) >= 1/20",
        Fraction(3, 4) ** 2 / (2 * Fraction(11, 2)) >= Fraction(1, 20),
        "3/4 against 11/2",
    )
    with precision():
        d = 1000
        failure = (ball(Fraction(d, 40)) - ball(Fraction(d, 20))).exp() + 2 * (
            -ball(Fraction(d, 128))
        ).exp()
        argument.at_most("d = 1000, |S(h)| = exp(25): P(failure)", failure, ball(Fraction(1, 1000)))
    argument.infer("the bound exp(-d/40) + 2 exp(-d/128) tends to 0", "both exponents do")
    if argument.holds:
        argument.witness = {
            "family": "R = D = 1, no noise tokens (T = 3), S + 1 = |S(h)| = exp(d/40), all but a and "
            "EOS",
            "v": "-phi(EOS) - 2 phi(a)",
            "P(v fails)": "at most exp(-d/40) + 2 exp(-d/128)",
            "at d = 1000": "|S(h)| = 7 10^10 with probability 0.999",
            "with certainty, any d": "|V| <= d + 1: v exists for every S(h), up to |V| - 2 = d - 1 "
            "tokens",
        }
    return argument


#: Tokens inside and outside, over d, from which cuts are counted.
_CUT = 8


def separable_sets(least: Fraction, rest: Fraction, factor: Fraction, base: Fraction) -> Argument:
    """k >= *least* d of n >= k + *rest* d tokens: P(some v has scores above that of EOS on these alone)
    <= *factor* *base*^d."""
    argument = Argument()
    for k, q in ((ceil(2 * least), ceil(2 * rest)),):
        n, stated = k + q, factor * base**2
        exact = Fraction(2, comb(n, k)) if 0 < k < n else Fraction(1)
        if searching() and n and exact > stated:
            argument.witness = {
                "d": 2,
                "k": k,
                "n": n,
                "P(some v)": exact,
                "stated": stated,
                "why": "chords from EOS lie in a half-plane: v cuts off the first or the last k of them",
            }
            return argument
    argument.infer(
        "given phi(EOS), v must cut the k differences phi(z) - phi(EOS) from the other n - k by a plane "
        "through 0",
        "the two inequalities, less <v, phi(EOS)>",
    )
    argument.cite(
        "n vectors of R^d are cut in at most 2 sum_{j<d} binom(n-1, j) ways",
        COVER,
    )
    for n in range(1, 7):
        found = len(set(_cuts_of_chords(n)))
        argument.true(f"d = 2, n = {n}: enumerated", found <= 2 * n, f"{found} <= {2 * n}")
    argument.infer(
        "P <= 2 sum_{j<d} binom(n-1, j)/binom(n, k)", "the n tokens are exchangeable given phi(EOS)"
    )
    binomial_sum(argument)
    argument.infer(
        f"binom(n, k) >= binom(n, l) >= (n/l)^l, l = {_CUT} d",
        "l <= k <= n - l, and n - i over l - i grows",
    )
    argument.true(
        f"k and n - k are at least {_CUT} d", min(least, rest) >= _CUT, f"{least}, {rest}"
    )
    x, v = symbols("x v")
    growth = x * (_CUT / x) ** _CUT
    argument.infer(
        f"P <= 2 (e {growth.factored()})^d, x = n/d >= {2 * _CUT}", "the two counts of sets"
    )
    argument.nonnegative("it falls with x", growth - growth(x=x + v), {"x": 2 * _CUT, "v": 0})
    largest = growth(x=2 * _CUT).as_fraction()
    with precision():
        argument.at_most(
            f"e times {largest} is at most the base", arb(1).exp() * ball(largest), ball(base)
        )
    argument.true("the factor", factor >= 2, f"{factor} >= 2")
    return argument


def _cuts_of_chords(n: int) -> Iterator[tuple[bool, ...]]:
    """The ways in which lines through 0 cut n vectors of a half-plane, in the order of their angles."""
    for first in range(n + 1):
        yield tuple(i < first for i in range(n))
        yield tuple(i >= first for i in range(n))


# -- keys and queries -----------------------------------------------------------------------------


def key_query(
    own: RationalFunction,
    end: RationalFunction,
    scale: RationalFunction,
    value_scale: RationalFunction,
    least: Fraction,
) -> Argument:
    """z has the score *scale* (*own* sum <phi(z'), phi(z)> + *end* <phi(EOS), phi(z)>); both matrices
    have factors of d_h rows for every d_h >= *least*, those of W_O times *value_scale*, in d and d_h."""
    argument = Argument()
    beta, a, e = symbols("beta a e")
    score = beta * (a + e / 2)
    stated = scale * (own * a + end * e)
    if searching() and score != stated:
        at = {"beta": 1, "a": 1, "e": 1}
        argument.witness = {
            "a = sum of <phi(z'), phi(z)>, e = <phi(EOS), phi(z)>": "1 and 1, beta = 1",
            "score": score(**at).as_fraction(),
            "stated": stated(**at).as_fraction(),
        }
        return argument
    argument.equal("phi(z)^T W_K^T W_Q phi(EOS), as |phi(EOS)| = 1", score, stated)
    if least < 1:
        return argument.refute({"d_h": 0, "why": "no rows give the zero matrix only"})
    d, d_h = symbols("d d_h")
    if value_scale != d / d_h:
        at = {"d": 3, "d_h": 2}
        witness = {**at, "factor of W_O^T W_V": Fraction(3, 2)}
        stated_scale = {**witness, "stated": value_scale(**at).as_fraction()}
        return argument.fails("the factor is d/d_h", stated_scale)
    for rows in (1, 2, 3):
        argument.true(
            f"W_K^T W_Q at d = 2, d_h = {rows}", _rank_one(rows), "entry by entry, symbolic"
        )
        argument.true(
            f"W_O^T W_V at d = 2, d_h = {rows}", _value_factors(rows), "entry by entry, symbolic"
        )
    argument.infer(
        "for all d, d_h >= 1: W_K has the row beta v and zeros, W_Q the row phi(EOS) and zeros; W_V has "
        "the rows w_i, W_O the rows (d/d_h) sum <phi(z), w_i> phi(a)",
        "a product of matrices with d_h rows is the sum of its rows' products",
    )
    return argument


_Rows = Sequence[Sequence[RationalFunction]]


def _vector(name: str) -> list[RationalFunction]:
    return symbols(f"{name}1 {name}2")


def _transposed_product(left: _Rows, right: _Rows) -> list[list[RationalFunction]]:
    """left^T right, both with columns of the plane."""
    return [
        [total(x[i] * y[j] for x, y in zip(left, right, strict=True)) for j in range(2)]
        for i in range(2)
    ]


def _rank_one(rows: int) -> bool:
    """Whether the two rows give beta (sum of two keys + EOS/2) EOS^T."""
    beta, first, second, end = RationalFunction.symbol("beta"), *map(_vector, ("x", "y", "e"))
    v = [beta * (x + y + e / 2) for x, y, e in zip(first, second, end, strict=True)]
    zeros = [[ZERO] * 2] * (rows - 1)
    product = _transposed_product([v, *zeros], [end, *zeros])
    wanted = [
        [beta * (first[i] + second[i]) * end[j] + beta / 2 * end[i] * end[j] for j in range(2)]
        for i in range(2)
    ]
    return product == wanted


def _value_factors(rows: int) -> bool:
    """Whether the rows w_i and those of W_O give (d/d_h) sum phi(a) phi(z)^T w_i w_i^T, two keys with an
    answer each."""
    scale = 2 * ONE / rows
    pairs = [(_vector("a"), _vector("z")), (_vector("b"), _vector("y"))]
    factors = [_vector(f"w{i}_") for i in range(rows)]

    outputs = [
        [scale * total(inner(z, w) * a[i] for a, z in pairs) for i in range(2)] for w in factors
    ]
    wanted = [
        [
            scale * total(a[i] * inner(z, w) * w[j] for w in factors for a, z in pairs)
            for j in range(2)
        ]
        for i in range(2)
    ]
    return _transposed_product(outputs, factors) == wanted


# -- gaps between scores --------------------------------------------------------------------------

#: Numbers of steps in which rational points of the circle are tried, coarse ones first.
_STEPS = (5, 10, 20, 400)


@cache
def _slopes(steps: int) -> tuple[tuple[Fraction, Fraction], ...]:
    """Rational points (x, y) of the unit circle, x rising from 0 to 1."""
    slopes = (Fraction(k, steps) for k in range(steps + 1))
    return tuple((2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)) for t in slopes)


def gap_to_end(gap: Fraction) -> Argument:
    """No key of the head in the context: each score lies more than *gap* beta below that of EOS."""
    argument = Argument()
    half = Fraction(1, 2)
    # phi(key) = (1, 0, 0), phi(EOS) = (0, 1, 0), phi(s) = (x, 0, y): <v, phi(s)> = x.
    for x, y in ((x, y) for steps in _STEPS for x, y in _slopes(steps) if x < LEMMA_1):
        if searching() and half - x < gap:
            argument.witness = {
                "phi(z), the key of the head": "(1, 0, 0)",
                "phi(EOS)": "(0, 1, 0)",
                "phi(s)": f"({x}, 0, {y})",
                "Lemma 1": f"<v, phi(EOS)> + 1/4 = 3/4 > <v, phi(s)> + 1/2 = {x + half}",
                "gap over beta": half - x,
                "stated more than": gap,
            }
            return argument
    argument.infer(
        "<v, phi(z_t)> < <v, phi(EOS)> - 1/4 for t < T", "Lemma 1: no token before EOS is a key"
    )
    argument.true("the stated gap", gap <= LEMMA_1, f"{gap} <= {LEMMA_1}")
    return argument


def gap_to_key(end: Fraction, others: Fraction) -> Argument:
    """s a key of the head: the score of EOS lies more than *end* beta below that of s, all others more
    than *others* beta."""
    argument = Argument()
    half = Fraction(1, 2)
    # phi(EOS) = (0, 1, 0), phi(s) = (u, c, 0), phi(z) = (x, 0, y): <v, .> = c + 1/2, 1 + c/2, u x.
    points = [(steps, c, u) for steps in _STEPS for c, u in _slopes(steps) if 0 < c < half]
    for steps, c, u in points:
        slopes = _slopes(steps)
        x, y = slopes[bisect_left(slopes, ((c + LEMMA_1) / u,)) - 1]
        found = {"EOS": (1 - c) / 2, "z": 1 + c / 2 - u * x}
        if searching() and (found["EOS"] < end or found["z"] < others):
            argument.witness = {
                "phi(s)": f"({u}, {c}, 0)",
                "phi(EOS)": "(0, 1, 0)",
                "phi(z), a noise token": f"({x}, 0, {y})",
                "Lemma 1": f"<v, phi(s)> = {1 + c / 2} > <v, phi(EOS)> + 1/4 = {c + 3 * LEMMA_1} > "
                f"<v, phi(z)> + 1/2 = {u * x + half}",
                "gaps over beta to EOS and to z": f"{found['EOS']} and {found['z']}",
                "stated more than": f"{end} and {others}",
            }
            return argument
    argument.infer(
        "<v, phi(s)> > <v, phi(EOS)> + 1/4 > <v, phi(z_t)> + 1/2", "Lemma 1, z_t neither s nor EOS"
    )
    argument.true("the gap to EOS", end <= LEMMA_1, f"{end} <= {LEMMA_1}")
    argument.true("the gap to the others", others <= 2 * LEMMA_1, f"{others} <= {2 * LEMMA_1}")
    return argument


# -- attention ------------------------------------------------------------------------------------


def hard_limit(
    key: RationalFunction, other: RationalFunction, end: RationalFunction, rest: RationalFunction
) -> Argument:
    """The limits of the attention: *key* to s and *other* to each other token if s is a key of the head,
    else *end* to EOS and *rest* to each other token; in T."""
    argument = Argument()
    # Q: the sum of the weights of the others over that of the target, at most (T - 1) q.
    Q, v = symbols("Q v")
    target = 1 / (1 + Q)
    limits = target(Q=0), (1 - target)(Q=0)
    for name, stated, limit in (
        ("s, a key", key, limits[0]),
        ("another token, s being a key", other, limits[1]),
        ("EOS, s no key", end, limits[0]),
        ("another token, s no key", rest, limits[1]),
    ):
        if searching() and stated(T=3) != limit:
            witness = {"T": 3, "attention to": name, "limit": limit, "stated": stated(T=3)}
            return argument.refute(witness)
        argument.equal(f"the limit for {name}", stated, limit)
    argument.infer(
        "each of the T - 1 other tokens has a weight of at most q = exp(-beta/4) times the target's",
        "the gaps to EOS and to the key, both corrected",
    )
    argument.equal("the target has the weight 1/(1 + Q): all add up to 1", target * (1 + Q), ONE)
    argument.nonnegative(
        "its weight falls with Q: at least that at Q = (T - 1) q",
        target - target(Q=Q + v),
        {"Q": 0, "v": 0},
    )
    argument.nonnegative(
        "each other weight is at most 1 less that, and at most Q", Q - (1 - target), {"Q": 0}
    )
    argument.infer(
        "(T - 1) q tends to 0 as beta grows, and both weights to their values at Q = 0",
        "the gaps do not depend on beta",
    )
    return argument


def finite_temperature(
    factor: Fraction, heads: RationalFunction, others: RationalFunction
) -> Argument:
    """*factor* *heads* *others* B exp(-beta g) < mu, in H and T, makes every margin at beta positive.

    mu: the least margin in the limit; g: the least gap; B: the largest |phi(b)^T W phi(z)|.
    """
    argument = Argument()
    q = Fraction(1, 1000)
    for H, T in itertools.product((1, 2, 3), (3, 4, 6)):
        threshold = factor * heads(H=H).as_fraction() * others(T=T).as_fraction() * q
        mu = threshold + q / 100
        if searching() and mu <= 2 * H * (T - 1) * q:
            argument.witness = {
                "H": H,
                "T": T,
                "B": 1,
                "exp(-beta g)": q,
                "mu": mu,
                "margin of each head": f"{mu / H} at its target, -2 at each of the {T - 1} other tokens",
                "sign of the margin at beta": f"that of {mu - 2 * H * (T - 1) * q}",
            }
            return argument
    B, y, w, v, Q = symbols("B y w v Q")
    argument.define(
        "y_h >= -2B: the margin of head h at its target; Q_h <= Q = (T - 1) exp(-beta g): the "
        "weights of the other tokens over that of the target"
    )
    argument.infer("the margin of head h is at least (y_h - 2 B Q_h)/(1 + Q_h)", "a weighted mean")
    at_most = (y - 2 * B * Q) / (1 + Q)
    argument.nonnegative(
        "it falls in Q_h: Q_h and Q_h + v, y_h = -2B + w",
        (at_most - at_most(Q=Q + v))(y=w - 2 * B),
        {"B": 0, "w": 0, "v": 0, "Q": 0},
    )
    argument.infer("the sum is at least (mu - 2 B H Q)/(1 + Q)", "the y_h add up to mu or more")
    H_, T_ = symbols("H T")
    argument.nonnegative(
        "the condition covers 2 H (T - 1)",
        factor * heads * others - 2 * H_ * (T_ - 1),
        {"H": 1, "T": 3},
    )
    argument.infer(
        "some beta satisfies the condition",
        "contexts of length T are finite in number, mu > 0 and g > 0",
    )
    return argument


# -- outputs --------------------------------------------------------------------------------------


def end_output(output: RationalFunction, *, free: bool, end: bool) -> Argument:
    """phi(a)^T W phi(EOS) is *output* for certain, by the engine's second moment.

    *free*: w_i on the whole sphere. Not *end*: for another token that is no key.
    """
    argument = Argument()
    d, d_h, facts = symbols("d d_h F")
    eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]
    stranger = Sphere("x", d)[Range(1, "x").index("x")]
    w = Sphere("w", d) if free else OrthogonalSphere("w", d, to=eos)
    pairs, key, answer = Range(facts), Sphere("z", d), Sphere("a", d)
    z, i = pairs.index("z"), Range(d_h).index("i")
    scored = Sphere("b", d)[Range(1, "b").index("b")]
    target = eos if end else stranger
    reading = dot(scored, answer[z]) * dot(key[z], w[i]) * dot(w[i], target)
    score = sum_over([z, i], reading) * (d / d_h)
    moment = mean((score - output) ** 2, []).value
    if not argument.equal("E(phi(a)^T W phi(EOS) - output)^2", moment, ZERO):
        at = {"d": 3, "d_h": 2, "F": 1}
        return argument.refute({**at, "E of the squared difference": moment(**at), "stated": 0})
    argument.infer("W phi(EOS) = 0", "each w_i^T phi(EOS) is 0, and so is what W adds up of them")
    return argument


def score_accuracy(bound: Fraction) -> Argument:
    """On the event of Lemma 2 scores are within *bound* of 1(a in A_s)."""
    argument = Argument()
    # d = 3, d_h = 2, w the first and the last axis, phi(EOS) the second, phi(a) the last:
    # phi(s) = (x, y, 0) has the score (3/2) x^2.
    for x, y in (point for steps in _STEPS for point in _slopes(steps)):
        gamma = Fraction(3, 2) * x * x
        if searching() and bound < gamma - 1 <= LEMMA_2:
            argument.witness = {
                "phi(EOS)": "(0, 1, 0)",
                "phi(s)": f"({x}, {y}, 0)",
                "phi(a), A_s = {a}": "(0, 0, 1)",
                "w_1, w_2": "(1, 0, 0) and (0, 0, 1), d_h = 2",
                "phi(a)^T W phi(s)": gamma,
                "less 1": gamma - 1,
                "Lemma 2 allows": LEMMA_2,
                "stated": bound,
            }
            return argument
    argument.infer("|phi(a)^T W phi(s) - 1(a in A_s)| <= 1/5", "Lemma 2, s a key of the head")
    argument.true("the stated bound", bound >= LEMMA_2, f"{bound} >= {LEMMA_2}")
    return argument


@dataclass(frozen=True)
class Ranges:
    """Where the contribution of a head lies: [low, high] for an answer of its key, else [-off, off].

    A line that does not name an end does not use it.
    """

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    off: Fraction = Fraction(0)


def top_logit(ranges: Ranges, bound: Fraction) -> Argument:
    """The logit of a*(s, r) is at least *bound*."""
    argument = Argument()
    least = 2 * ranges.low
    if searching() and least < bound:
        return argument.refute({"both contributions": ranges.low, "logit": least, "stated": bound})
    argument.infer("two heads contribute, all others 0", "s and r are keys of one head each")
    argument.true("a*(s, r) is in both sets", least >= bound, f"{least} >= {bound}")
    return argument


def other_logit(ranges: Ranges, bound: Fraction, *, above: bool) -> Argument:
    """The logit of any other token is at most *bound*; *above*: at least, as printed."""
    argument = Argument()
    least, most = -2 * ranges.off, ranges.high + ranges.off
    if above and least < bound:
        witness = {"both contributions": 0, "logit": 0, "stated at least": bound}
        return argument.refute(witness | {"a token": "that is in neither A_s nor A_r"})
    if not above and most > bound:
        witness = {"contributions": f"{ranges.high} and {ranges.off}", "logit": most}
        return argument.refute(witness | {"stated at most": bound})
    argument.infer("a is not in both A_s and A_r", "they have a*(s, r) alone in common")
    argument.true("at most one contribution is large", above or most <= bound, f"{most} <= {bound}")
    return argument


def argmax_of_ranges(ranges: Ranges, *, disjoint: bool) -> Argument:
    """a*(s, r) has the one largest logit; *disjoint*: no two relations share an answer."""
    argument = Argument()
    best, rival = 2 * ranges.low, ranges.high + ranges.off
    if not disjoint:
        argument.witness = {
            "a*": "(s, r) -> a, (s, r') -> b, (s', r) -> b",
            "A_s = A_r": "{a, b}",
            "logit of a, at least": best,
            "logit of b, up to": 2 * ranges.high,
        }
        return argument
    if searching() and rival >= best:
        argument.witness = {
            "a": "the answer, with both contributions at their least",
            "b": "in A_s, not in A_r, with both at their largest",
            "logit of a": best,
            "logit of b": rival,
        }
        return argument
    argument.infer("A_s and A_r have a*(s, r) alone in common", "no two relations share an answer")
    argument.true("the least logit of a*(s, r) wins", rival < best, f"{best} > {rival}")
    argument.true(
        "over tokens in neither set too", 2 * ranges.off < best, f"{best} > {2 * ranges.off}"
    )
    return argument
