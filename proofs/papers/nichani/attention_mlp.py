"""The proof of Theorem 11, line by line, and a construction that has the printed number of heads
(Nichani et al., App. C.2).

Each function decides one step for given constants, so that wrong constants break it; a function that
returns a witness as well returns what refutes the step, or None.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.capacity.attention_mlp import weights
from proofs.citations import BOOLE, MARKOV
from proofs.concentration.chernoff import cantelli, overlap_tail, subgaussian_tail

#: The claim that a coordinate g of a uniform unit vector has E exp(r g) <= exp(r^2/(2 d)).
_MGF = "nichani.thm1.explicit.mgf"
#: A head has at most d/(KEYS log(|V|/delta)) keys, and HEADS is the constant C in
#: H d_h >= C (S + R) log(|V|/delta).
KEYS, HEADS = 832, 4992
#: Dimensions and sizes among which the smallest counterexample is looked for.
_DIMENSIONS, _SIZES = range(1, 13), range(1, 9)


# -- two subspaces and phi(EOS) -------------------------------------------------------------------


def _half(d: int, less: int, up: bool) -> int:
    """(d - less)/2, rounded up or down."""
    return (d - less + int(up)) // 2


def subspaces(up: bool, less: int, *, largest: bool) -> Argument:
    """Two orthogonal subspaces of R^d, both of dimension (d - less)/2 rounded up or down, fit beside a
    unit vector, for every d; if *largest*, no larger ones do."""
    argument = Argument()
    argument.infer(
        "orthogonal subspaces of dimensions n, n and 1 exist in R^d iff n >= 0 and 2n + 1 <= d",
        "their bases together are orthonormal; an orthonormal basis that begins with the vector gives "
        "such subspaces",
    )
    for d in _DIMENSIONS:
        n = _half(d, less, up)
        if searching() and (n < 0 or 2 * n + 1 > d):
            return argument.refute({"d": d, "dimension of P and Q": n, "2n + 1": 2 * n + 1})
        if searching() and largest and 2 * (n + 1) + 1 <= d:
            return argument.refute({"d": d, "dimension stated": n, "but there is room for": n + 1})
    (j,) = symbols("j")
    for parity in (1, 2):
        # On each parity the dimension is j and a constant, which d = parity tells.
        size, stated = 2 * j + parity, j + _half(parity, less, up)
        argument.nonnegative(f"d = 2j + {parity}: n >= 0", stated, {"j": 0})
        argument.nonnegative(f"d = 2j + {parity}: 2n + 1 <= d", size - 2 * stated - 1, {"j": 0})
        if largest:
            argument.nonnegative(
                f"d = 2j + {parity}: 2 (n + 1) + 1 >= d + 1", 2 * stated + 2 - size, {"j": 0}
            )
    return argument


# -- the number of heads --------------------------------------------------------------------------


def head_total(facts: Fraction, rest: Fraction, total: RationalFunction) -> Argument:
    """ceil(d/d_h) (ceil(S/M) + ceil(R/M)) <= facts d (S + R)/(M d_h) + rest d/d_h for all sizes with
    d_h <= d, hence <= total (S + R) L/d_h where d <= C M L and S + R >= M; *total* in C."""
    argument = Argument()
    if rest == 0:
        # Whatever the constant: one subject and one relation in sets of more than that many tokens.
        M = int(facts) + 1
        witness = {"S = R = N_S = N_R": 1, "M": M, "d_h": "d", "heads": 2, "bound": 2 * facts / M}
        return argument.refute(witness | {"for a constant C": "M > C"})
    for S, M, d_h in itertools.product(_SIZES, (*_SIZES, 40), (*_SIZES, 16)):
        d = d_h + 1
        heads = 2 * ceil(Fraction(d, d_h)) * ceil(Fraction(S, M))
        bound = facts * Fraction(d * 2 * S, M * d_h) + rest * Fraction(d, d_h)
        if searching() and heads > bound:
            witness = {"S = R": S, "M": M, "d": d, "d_h": d_h, "heads": heads, "bound": bound}
            return argument.refute(witness)
    wrong = _heads_at_one_place(total)
    if wrong is not None:
        return argument.refute(wrong)
    S_, R, M_, h, w = symbols("S R M h w")
    argument.infer(
        "ceil(x/y) <= (x + y - 1)/y for integers", "the remainder of x by y is at most y - 1"
    )
    d_ = h + w
    most = (d_ + h - 1) / h * ((S_ + M_ - 1) / M_ + (R + M_ - 1) / M_)
    argument.nonnegative(
        "the bound less (d + d_h - 1)/d_h ((S + M - 1)/M + (R + M - 1)/M), d = d_h + w",
        facts * d_ * (S_ + R) / (M_ * h) + rest * d_ / h - most,
        {"S": 1, "R": 1, "M": 1, "h": 1, "w": 0},
    )
    C, L, n = *symbols("C L"), M_ + w
    argument.nonnegative(
        "d <= C M L and S + R = M + w: the stated total less that bound, for all C, L > 0",
        (total * n * L - facts * C * n * L - rest * C * M_ * L) / h,
        {"C": 0, "L": 0, "M": 1, "h": 1, "w": 0},
    )
    return argument


@search
def _heads_at_one_place(total: RationalFunction) -> Witness | None:
    """Where S is just above M and d_h just below d = C M L there are six heads for 102 tokens."""
    S, R, M, C, L = 101, 1, 100, 10, 5
    d = C * M * L
    heads = ceil(Fraction(d, d - 1)) * (ceil(Fraction(S, M)) + ceil(Fraction(R, M)))
    stated = total(C=C).as_fraction() * (S + R) * L / (d - 1)
    if heads <= stated:
        return None
    return {
        "S": S,
        "R": R,
        "M": M,
        "C": C,
        "log(|V|/delta')": L,
        "d": d,
        "d_h": d - 1,
        "heads": heads,
        "stated": stated,
    }


# -- heads that add up to a projection ------------------------------------------------------------


def projection(needed: RationalFunction, *, orthogonal: bool) -> Argument:
    """H' heads of dimension d_h with H' d_h >= needed make the projection on any subspace P of R^d, and
    so give 0 for phi(EOS), P being orthogonal to it or, if not *orthogonal*, any subspace."""
    argument = Argument()
    if not orthogonal:
        argument.witness = {
            "P": "the line of phi(EOS)",
            "all heads attend to EOS": "the output is Pi_P phi(EOS) = phi(EOS), not 0",
        }
        return argument
    for d in _DIMENSIONS:
        heads = max(1, ceil(needed(d=d).as_fraction()))
        if searching() and heads < d - 1:
            argument.witness = {
                "d": d,
                "d_h": 1,
                "H'": heads,
                "dim P": d - 1,
                "why": f"the sum of {heads} matrices of rank one has no rank {d - 1}",
            }
            return argument
    argument.infer(
        "an orthonormal basis b_1, ..., b_n of P, d_h vectors a head, as the rows of W_O = W_V: the "
        "sum over the heads is sum_i b_i b_i^T = Pi_P",
        "further rows are zero",
    )
    argument.infer("n <= d - 1", "P is orthogonal to phi(EOS)")
    argument.nonnegative(
        "H' d_h >= needed >= d - 1", needed - RationalFunction.symbol("d") + 1, {"d": 1}
    )
    argument.infer(
        "the group's output is Pi_P phi(s), or Pi_P phi(EOS) = 0",
        "all its heads attend to one token",
    )
    return argument


# -- the scale of the MLP -------------------------------------------------------------------------


def scaling(
    square: Fraction, *, unique: bool, of_output: bool, large: bool, finite: bool
) -> Argument:
    """lambda V with lambda^2 g^2 > square makes F_TF name what F names, g the least margin of F.

    The neighbours: F names it in a tie (not *unique*), W is scaled in place of V (not *of_output*), a
    small factor serves (not *large*), infinitely many tokens (not *finite*).
    """
    argument = Argument()
    place = {"d": 3, "phi(s), phi(r), phi(EOS)": "e_1, e_2, e_3", "P, Q": "the lines of e_1, e_2"}
    if not unique:
        return argument.refute(
            place
            | {
                "phi(a), phi(z)": "-e_1, e_1",
                "V": 0,
                "phi(a) - phi(z), read at F_MHSA + lambda F": "-2, for every lambda",
            }
        )
    if not of_output:
        return argument.refute(
            place
            | {
                "phi(a), phi(z)": "-e_1, e_1",
                "sigma(t)": "3t - t^2",
                "w, v": "e_1, -e_1/2",
                "margin of F": 2,
                "with lambda w": "-2 + 3 lambda - lambda^2, negative from lambda = 3 on",
            }
        )
    if not large:
        return argument.refute(
            place
            | {
                "phi(a), phi(z)": "-e_1, e_1",
                "F": "-e_1/2, margin 1",
                "lambda = 1": "the margin of F_TF is -2 + 1 = -1",
            }
        )
    if not finite:
        return argument.refute(
            place
            | {
                "F": "e_3",
                "phi(a)": "(-3/5, 0, 4/5)",
                "phi(z_n)": "(x_n, 0, 4/5 - 1/n) with x_n > 3/5, of length 1",
                "margin over z_n": "at most -6/5 + lambda/n, negative for n > lambda",
            }
        )
    near = 2 * Fraction(20 + 21, 29)
    if square < near**2:
        return argument.refute(
            place
            | {
                "phi(z) = -phi(a)": "(20/29, 21/29, 0)",
                "margin of F_MHSA": -near,
                "(lambda g)^2": (square + near**2) / 2,
                "so": "the margin of F_TF is negative",
            }
        )
    argument.infer(
        "the least margin g of F over all (s, r) and z is positive",
        "the maximum is unique, and there are finitely many of them",
    )
    argument.infer(
        "<phi(a) - phi(z), F_MHSA + lambda F> >= lambda g - |phi(a) - phi(z)| |F_MHSA|",
        "Cauchy-Schwarz; F is linear in V, and F_MHSA does not depend on V",
    )
    argument.infer(
        "|phi(a) - phi(z)|^2 <= 4 and |F_MHSA|^2 = |Pi_P phi(s)|^2 + |Pi_Q phi(r)|^2 <= 2",
        "unit vectors, orthogonal subspaces",
    )
    argument.true("4 times 2 is at most the square", square >= 8, str(square))
    argument.infer(
        "the same factor serves every context", "F_MHSA depends on a context by s and r alone"
    )
    return argument


# -- the failure probability ----------------------------------------------------------------------


def failure_share(share: RationalFunction) -> Argument:
    """delta' = share delta makes n delta' + delta' <= delta for every n = N_S + N_R >= 2."""
    n = RationalFunction.symbol("n")
    argument = Argument()
    argument.cite("n delta' + delta' bounds the probability of a failure", BOOLE)
    total = (n + 1) * share
    for count in range(2, 9):
        found = total(n=count).as_fraction()
        if searching() and found > 1:
            witness = {"N_S + N_R": count, "delta'": f"{share(n=count).as_fraction()} delta"}
            return argument.refute(witness | {"bound": f"{count + 1} delta' = {found} delta"})
    argument.nonnegative("delta - (n + 1) delta' over delta", 1 - total, {"n": 2})
    return argument


# -- how often an answer occurs -------------------------------------------------------------------


def columns(S: int) -> Iterator[tuple[int, ...]]:
    """The answers of S subjects for one relation, up to their names: 0, and then old ones or a new."""

    def grown(column: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(column) == S:
            yield column
            return
        for answer in range(max(column, default=-1) + 2):
            yield from grown((*column, answer))

    return grown(())


def _counts(column: Sequence[int]) -> list[int]:
    return [column.count(answer) for answer in range(max(column) + 1)]


def most_collisions(bound: RationalFunction, *, disjoint: bool) -> Argument:
    """C(a) <= bound, in S, R and D, for every answer of every table; with answers that relations may
    share, if not *disjoint*."""
    argument = Argument()
    for S, R in sorted(itertools.product(range(1, 5), repeat=2), key=sum):
        for column in columns(S):
            # One relation has this column, the others have one answer each, or the same column.
            D, most = max(column) + 1, max(_counts(column)) * (1 if disjoint else R)
            stated = bound(S=S, R=R, D=D).as_fraction()
            if searching() and most > stated:
                witness = {"S": S, "R": R, "D": D, "answers of one relation": column}
                return argument.refute(witness | {"largest C(a)": most, "stated": stated})
    argument.true("answers of different relations differ", disjoint, "Assumption 1")
    argument.infer(
        "an answer has one relation, and a*(s, r) is one answer, so each subject counts once at most",
        "Assumption 1, and a* is a function",
    )
    argument.nonnegative(
        "the bound is at least S", bound - RationalFunction.symbol("S"), dict.fromkeys("SRD", 1)
    )
    argument.infer("m >= S C polylog gives m >= max C(a) C polylog", "max C(a) <= S")
    return argument


def mean_collisions(mean: RationalFunction) -> Argument:
    """E C(a) = mean, in S, R and D, where each a*(s, r) is uniform on the D answers of r."""
    S, D = symbols("S D")
    argument = Argument()
    argument.infer(
        "C(a) is a sum over s of independent indicators with mean 1/D",
        "only the relation of a has that answer, one of D",
    )
    for s, r, answers in itertools.product(range(1, 4), repeat=3):
        tables = itertools.product(range(answers), repeat=s)
        total = Fraction(sum(column.count(0) for column in tables), answers**s)
        try:
            stated: Fraction | str = mean(S=s, R=r, D=answers).as_fraction()
        except ZeroDivisionError:
            stated = "undefined"
        same = argument.true(
            f"S = {s}, R = {r}, D = {answers}: the mean of C(a) over all tables",
            total == stated,
            f"{total}, stated {stated}",
        )
        if not same:
            argument.refute({"S": s, "R": r, "D": answers, "E C(a)": total, "stated": stated})
    argument.equal("no subject, no answer", mean(S=0), ZERO)
    argument.equal("a further subject adds 1/D", mean(S=S + 1) - mean, 1 / D)
    return argument


def equal_collisions(count: RationalFunction) -> Argument:
    """For all S and R some table gives every answer in the image *count*, in S and R, facts."""
    argument = Argument()
    for S, R in sorted(itertools.product(range(1, 5), repeat=2), key=sum):
        wanted = count(S=S, R=R).as_fraction()
        if not any(set(_counts(column)) == {wanted} for column in columns(S)):
            argument.witness = {
                "S": S,
                "R": R,
                "C(a)": wanted,
                "why": "no column of S answers has every answer so often; all of them tried",
            }
            return argument
    argument.infer(
        "a*(s, r) = (s, r) satisfies Assumption 1 and has C(a) = 1",
        "answers of different facts differ",
    )
    argument.equal("C(a) = 1", count, ONE)
    return argument


# -- the theorem ----------------------------------------------------------------------------------


def interpolating_keys() -> Argument:
    """With probability 1 - delta/2 every group of at most d/(KEYS L) tokens, of at most |V| groups, has
    a vector v with <v, phi(z)> = 1 on the group, 1/2 at EOS and at most 1/4 elsewhere, L =
    log(|V|/delta)."""
    n, x = symbols("n x")
    argument = Argument()
    argument.define(
        "v_0 = phi(EOS)/2 and v_k = v_(k-1) + (1 - x_k) y_k/|y_k|^2, with x_k = <v_(k-1), phi(z_k)> and "
        "y_k the part of phi(z_k) orthogonal to phi(EOS), phi(z_1), ..., phi(z_(k-1)); v = v_n"
    )
    argument.infer(
        "<v_k, phi(z_j)> = 1 for j <= k, <v_k, phi(EOS)> = 1/2, |v_k|^2 = |v_(k-1)|^2 + (1 - x_k)^2/"
        "|y_k|^2",
        "y_k is orthogonal to what came before, v_(k-1) among it, and <y_k, phi(z_k)> = |y_k|^2",
    )
    argument.nonnegative(
        "|x_k| <= 1/4 gives (1 - x_k)^2 <= 25/16 (x_k = x - 1/4, x <= 1/2)",
        (Fraction(25, 16) - (Fraction(5, 4) - x) ** 2)(x=1 / (2 * (1 + n))),
        {"n": 0},
    )
    argument.nonnegative(
        "with |y_k|^2 >= 1/4 as well: |v|^2 <= 1/4 + 25 n/4 <= 13 n/2",
        Fraction(13, 2) * n - Fraction(1, 4) - Fraction(25, 4) * n,
        {"n": 1},
    )
    overlap_tail(argument, _MGF, both=True)
    with precision():
        argument.at_most(
            f"2 exp(-d/(32 |v|^2)) <= 2 exp(-4 L) for n <= d/({KEYS} L)",
            ball(4),
            ball(Fraction(KEYS, 16 * 13)),
        )
        argument.infer(
            "P(|y_k|^2 <= 1/4) <= 2^(k/2) (5/2)^(-(d - k)/2)",
            "1 - |y_k|^2 = X/(X + Y), X ~ chi^2_k and Y ~ chi^2_(d-k): E exp((X - 3Y)/4), by Markov",
        )
        few = ball(Fraction(1, KEYS))
        rate = ((1 - few) * ball(Fraction(5, 2)).log() - few * ball(2).log()) / 2
        argument.at_most(
            f"that is at most exp(-4 L), as k <= n <= d/{KEYS} and d >= {KEYS} L",
            arb(4),
            rate * KEYS,
        )
        argument.infer(
            "all groups and tokens together fail with probability at most 3 |V|^2 exp(-4 L)",
            "at most |V| groups; 3 exp(-4 L) covers each token, key of the group or not",
        )
        argument.at_most(
            "3 |V|^2 exp(-4 L) = 3 delta^4/|V|^2 <= delta/2, since |V| >= 4",
            ball(Fraction(3, 16)),
            ball(Fraction(1, 2)),
        )
    return argument


def small_groups() -> Argument:
    """Groups of keys, a head each, cover all subjects and relations with at most H heads."""
    S, R, n, w, L, h, d = symbols("S R n w L h d")
    argument = Argument()
    argument.define(
        f"n = min(d_h, floor(d/({KEYS} L))), at least 1 as d >= {KEYS} L (the condition on d, its "
        "constants being large); L >= log 4 > 1; d_h <= d"
    )
    argument.infer(
        f"H = 1: d >= d_h >= {HEADS} (S + R) L, so all S + R tokens make one group of at most d_h "
        f"and at most d/({KEYS} L)",
        f"H d_h >= {HEADS} (S + R) L",
    )
    argument.true(
        "the constant of the heads is at least that of the keys",
        HEADS >= KEYS,
        f"{HEADS} against {KEYS}",
    )
    argument.infer(
        "H >= 2, S <= n and R <= n: two groups", "one of the subjects, one of the relations"
    )
    argument.define("H >= 2 otherwise: S + R = n + w + 1, groups of n subjects or n relations each")
    argument.nonnegative(
        "at most (S - 1)/n + 1 + (R - 1)/n + 1 <= 3 (S + R)/n groups (R = n + w + 1 - S)",
        3 * (n + w + 1) / n - ((n + w + 1 - 2) / n + 2),
        {"n": 1, "w": 0},
    )
    argument.nonnegative(
        f"n = d_h: 3 (S + R)/d_h <= {HEADS} (S + R) L/d_h <= H",
        HEADS * (S + R) * L / h - 3 * (S + R) / h,
        {"S": 1, "R": 1, "L": 1, "h": 1},
    )
    argument.infer("floor(x) >= x/2 for x >= 1", "floor(x) > x - 1, and floor(x) >= 1")
    argument.nonnegative(
        f"n = floor(d/({KEYS} L)): 3 (S + R) 2 {KEYS} L/d <= {HEADS} (S + R) L/d_h <= H, d = d_h + w",
        (HEADS * (S + R) * L / h - 6 * KEYS * (S + R) * L / d)(d=h + w),
        {"S": 1, "R": 1, "L": 1, "h": 1, "w": 0},
    )
    argument.infer("further heads are zero", "W_O = 0")
    return argument


def heads_of_small_rank() -> Argument:
    """From the keys to F_MHSA = Pi_P phi(s) + Pi_Q phi(r) for fixed orthogonal P and Q."""
    argument = Argument()
    argument.define(
        "P, Q fixed orthogonal subspaces of dimension floor((d - 1)/2); target Pi_P phi(z) for a "
        "subject z, Pi_Q phi(z) for a relation"
    )
    argument.infer(
        "a head of n <= d_h keys has W_O^T W_V phi(z) = target of z for its keys and 0 for EOS",
        "phi(EOS) and the keys are linearly independent (all |y_k| > 0), so the map exists, and has "
        "rank at most n: W_V has the dual vectors as rows, W_O the targets",
    )
    argument.infer(
        "W_K^T W_Q = beta v phi(EOS)^T, of rank one: as beta grows a head of subjects alone, or of "
        "relations alone, attends to its key in the context, or else to EOS",
        "the scores beta <v, phi(z_t)> differ by beta/4 at least, and at most one key of such a head is "
        "in the context",
    )
    argument.infer(
        "one head of all tokens attends to s and to r with weight 1/2 each, and twice the targets make "
        "the same output",
        "their scores are exactly equal, and larger than all others",
    )
    argument.infer(
        "for beta large enough the margins of F_TF keep their sign",
        "finitely many contexts; F_TF is continuous in F_MHSA, which converges as beta grows",
    )
    return argument


def from_lemma_3(degree: Fraction, least: Fraction, square: Fraction) -> Argument:
    """Lemma 3 at delta/2 and a large factor give recall; d odd as there, and d even.

    q > *degree*/eps here and q > *least*/eps in Lemma 3; *square* as in ``scaling``.
    """
    argument = Argument()
    argument.true(
        "the degrees of sigma are among those of Lemma 3",
        degree >= least,
        f"q > {degree}/epsilon, and there q > {least}/epsilon",
    )
    argument.infer(
        "for odd d, with probability 1 - delta/2 some V, W of width m make F name a*(s, r) at "
        "Pi_P phi(s) + Pi_Q phi(r)",
        "Lemma 3: P and Q do not depend on the embeddings, and C_2 log(2|V|/delta) <= 2 C_2 "
        "log(|V|/delta) changes the constants alone",
    )
    argument.infer(
        "for even d its proof holds word by word with h = dim P = dim Q = (d - 2)/2",
        "of the laws of |Pi_P phi(s)|^2 and <Pi_P phi(s), Pi_P phi(s')> it uses the four bounds that "
        "follow, and no others; d >= 6",
    )
    _even_dimensions(argument)
    scaled = scaling(square, unique=True, of_output=True, large=True, finite=True)
    argument.include(scaled)
    argument.true("such a factor suffices", scaled.witness is None, f"(lambda g)^2 > {square}")
    argument.infer(
        "a large multiple of V makes F_TF name a*(s, r)",
        "lambda g is above the root of that square for lambda large",
    )
    argument.cite("delta/2 + delta/2 bounds the failures", BOOLE)
    return argument


def _even_dimensions(argument: Argument) -> None:
    """What the proof of Lemma 3 needs of projections, for d = 2h + 2 in place of 2h + 1."""
    h, p, i = symbols("h p i")
    d = 2 * h + 2
    argument.infer(
        "E |Pi_P phi(s)|^(2j) is the product of (h + 2i)/(d + 2i) over i < j, and "
        "E<Pi_P phi(s), Pi_P phi(s')>^(2j) that of (1 + 2i)(h + 2i)/(d + 2i)^2",
        "|Pi_P phi(s)|^2 ~ Beta(h/2, (d - h)/2), and its direction is uniform in P",
    )
    ratio = (h + 2 * p + 2 * i) * (d + 2 * i) / ((d + 2 * p + 2 * i) * (h + 2 * i))
    argument.nonnegative(
        "even d: E A^2p/(E A^p)^2 is a product of p factors, each at most 1 + 6p/d",
        1 + 6 * p / d - ratio,
        {"h": 1, "p": 1, "i": 0},
    )
    overlap = (2 * i + 1) * (h + 2 * i) / (d + 2 * i) ** 2
    argument.nonnegative(
        "even d: the factors of the overlap are at most (2i + 1)/d, so rho_p <= (4p)^p d^-p",
        (2 * i + 1) / d - overlap,
        {"h": 1, "i": 0},
    )
    argument.nonnegative("even d: E A = h/d is at least 1/3", h / d - Fraction(1, 3), {"h": 2})
    argument.nonnegative("even d: tau_p <= 1/h <= 1/2", Fraction(1, 2) - 1 / h, {"h": 2})


# -- an explicit condition ------------------------------------------------------------------------


def explicit_condition(spread: Fraction, half: Fraction) -> Argument:
    """P((s, r) is lost) <= P(G_a < g) + P(noise > v) + |V| exp(-k + half k^2/d), v = g^2/(1 +
    spread k/d), for every 0 <= k <= d and table; the first two by Cantelli and Markov."""
    g, x, v, k, d = symbols("g x v k d")
    argument = Argument()
    argument.infer(
        "given all but the answers, F = sum_a' G_a' phi(a'), and with A = 1 - <phi(a), phi(b)> the "
        "margin over b is A (G_a - G_b) + sqrt(2A) sum G_a' t_a' over a' != a, b, t independent of A",
        "the parts of a' along phi(a) - phi(b), of length sqrt(2A), are first coordinates of uniform "
        "unit vectors; a token b that is no answer has G_b = 0 and the law of one more answer, as only "
        "its angles with the answers count",
    )
    argument.use(
        "E exp(r sum G t) = prod E exp(r G t) <= exp(r^2 sum G^2/(2 d)), so X = -sum G t with "
        "s = sum G^2/d",
        _MGF,
    )
    subgaussian_tail(argument)
    argument.define("G_a >= g, x = G_b, and the squares of all G but G_a add up to v at most")
    argument.equal(
        "v (g - x)^2 - (g^2 - v)(v - x^2) = (g x - v)^2, so (g - x)^2/(v - x^2) >= g^2/v - 1",
        v * (g - x) ** 2 - (g**2 - v) * (v - x**2),
        (g * x - v) ** 2,
    )
    argument.infer(
        "P(margin <= 0 | A) <= exp(-A d (g^2/v - 1)/4)", "y = sqrt(A/2) (g - x), the sum is v - x^2"
    )
    argument.nonnegative(
        "v = g^2/(1 + spread k/d) makes d (g^2/v - 1)/4 at least k",
        d * (1 + spread * k / d - 1) / 4 - k,
        {"d": 1, "k": 0},
    )
    argument.use("E exp(-k A) = exp(-k) E exp(k <phi(a), phi(b)>) <= exp(-k + k^2/(2d))", _MGF)
    argument.true("the coefficient of k^2/d is at least 1/2", half >= Fraction(1, 2), str(half))
    argument.cite("P(some b wins) <= sum over at most |V| tokens b", BOOLE)
    cantelli(argument, "P(G_a < g) <= Var/(Var + (E G_a - g)^2)")
    argument.cite("P(noise > v) <= E noise/v", MARKOV)
    _worst_table(argument)
    return argument


def _worst_table(argument: Argument) -> None:
    """Var G_a grows with C(a), and the noise falls with it, for both parities of d."""
    C, S, R = symbols("C S R")
    exact = weights()
    argument.infer(
        "E gamma^2 = (1 + 1/d) E G_a^2 + (2/d) E noise over a token that is no answer, and there is no "
        "noise for S = C(a), R = 1: mean and variance of G_a and the mean of the noise, from the engine",
        "E A = 1, E A^2 = 1 + 1/d, E t^2 = 1/d",
    )
    argument.true(
        "E G_a and Var G_a do not depend on S and R, nor the noise on C(a) (taken at C(a) = 1)",
        not {"S", "R"} & {*exact.mean.names, *exact.variance.names}
        and "C" not in exact.noise.names,
        "exact",
    )
    for parity in (1, 2):
        place = {"d": symbols("d")[0], "h": (symbols("d")[0] - parity) / 2}
        growth = (exact.variance(C=C + 1) - exact.variance)(**place)
        argument.nonnegative(
            f"dim P = (d - {parity})/2: Var G_a grows with C(a)",
            growth,
            {"d": 2 + parity, "m": 1, "C": 1},
        )
        fact = (exact.noise(S=S, R=R) - exact.noise(S=1, R=1))(**place)
        argument.nonnegative(
            f"dim P = (d - {parity})/2: the noise is not negative",
            fact,
            {"d": 2 + parity, "m": 1, "S": 1, "R": 1},
        )
    argument.infer(
        "the noise of a table is at most that of C(a) = 1",
        "it adds E G^2 of the facts without the answer a",
    )
