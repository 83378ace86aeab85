"""Of which order in d a memory's capacity is: arguments from below and from above (Sec. 3).

Each function takes the order that is stated and decides whether it is the right one; a witness says
which side fails otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import comb

from proofs.algebra import RationalFunction, leading
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ZERO, image, inner, total
from proofs.argument import Argument, Witness, searching
from proofs.citations import COVER
from proofs.concentration.chernoff import binomial_sum
from proofs.memories import polynomial

# -- one gradient step ----------------------------------------------------------------------------


def gradient_step(factor: RationalFunction, *, factored: bool) -> Argument:
    """One step on L = -sum u_f(x)^T W e_x from 0 gives factor eta sum u_f(x) e_x^T (times V V^T).

    *factored*: W = U V^T, and the step is made on U. L is linear in the weights, so its derivative by
    an entry is its value where that entry is one and the others are zero. Decided entry by entry at
    d = N = m = 2 with symbolic vectors.
    """
    size = range(2)
    e, u, v = (_vectors(name) for name in "euv")
    # V^T e_x, where the weights are factored, and else e_x: what the trained matrix is applied to.
    keys = [image(v, key) for key in e] if factored else e
    argument = Argument()
    argument.infer("the derivative of L by an entry is L at its unit matrix", "L is linear")
    step = [[-_loss(_unit(a, b), u, keys) for b in size] for a in size]
    moved = [image(list(zip(*v, strict=True)), row) for row in step] if factored else step
    wanted = [[ZERO for _ in size] for _ in size]
    for x, a, b in itertools.product(size, repeat=3):
        gram = [total(v[i][b] * v[i][c] for i in size) for c in size]
        key = inner(gram, e[x]) if factored else e[x][b]
        wanted[a][b] += factor(N=2, m=2) * u[x][a] * key
    for a, b in itertools.product(size, repeat=2):
        if not argument.equal(
            f"entry ({a + 1}, {b + 1}) of the step over eta", moved[a][b], wanted[a][b]
        ):
            witness: Witness = {
                "d = N = m": 2,
                "entry": f"({a + 1}, {b + 1})",
                "step over eta": str(moved[a][b]),
                "stated": str(wanted[a][b]),
            }
            return argument.refute(witness)
    argument.infer(
        "the same for every d, N and m", "entries of further facts and factors only add up"
    )
    return argument


def _vectors(name: str) -> list[list[RationalFunction]]:
    """Two vectors with two coordinates each, as rows."""
    return [[RationalFunction.symbol(f"{name}{i}{j}") for j in range(2)] for i in range(2)]


def _unit(a: int, b: int) -> list[list[RationalFunction]]:
    return [[RationalFunction.constant(int((i, j) == (a, b))) for j in range(2)] for i in range(2)]


def _loss(
    weight: list[list[RationalFunction]],
    values: list[list[RationalFunction]],
    keys: list[list[RationalFunction]],
) -> RationalFunction:
    """-sum_x <value_x, weight key_x>."""
    return -total(inner(v, image(weight, key)) for v, key in zip(values, keys, strict=True))


# -- distinct embeddings --------------------------------------------------------------------------


def orthogonal_inputs(most: RationalFunction, *, attained: bool) -> Argument:
    """At most *most* inputs with orthonormal embeddings; if *attained*, as many as that are stored."""
    argument = Argument()
    for d in range(1, 13):
        stated = most(d=d).as_fraction()
        if searching() and stated < d:
            witness = {"d": d, "stated": stated, "stored": f"{d}, by W = sum_x u_f(x) e_x^T"}
            return argument.refute(witness)
        if searching() and attained and stated > d:
            argument.witness = {
                "d": d,
                "stated": stated,
                "why": f"there are {d} different one-hot vectors; a repeated one has one output",
            }
            return argument
    argument.infer("orthonormal vectors of R^d are at most d", "they are linearly independent")
    argument.equal("the bound is d", most, RationalFunction.symbol("d"))
    argument.infer(
        "d facts are stored: W = sum_x u_f(x) e_x^T has W e_x = u_f(x)", "the keys are orthonormal"
    )
    argument.infer(
        "<u_y, u_f(x)> < 1 = <u_f(x), u_f(x)> for y != f(x)",
        "different unit vectors, Cauchy-Schwarz",
    )
    return argument


# -- two outputs ----------------------------------------------------------------------------------


def separable(N: int, d: int) -> Fraction:
    """The probability that N random inputs in R^d with any labels are cut by a plane through 0.

    2^(1-N) sum_{k < d} binom(N-1, k) (Cover's count of separable labellings, over all 2^N).
    """
    return Fraction(sum(comb(N - 1, k) for k in range(d)), 2 ** (N - 1))


def two_outputs(power: Fraction) -> Argument:
    """With two outputs some W recalls N facts with a probability that is 1 for N <= d and tends to 0
    for N >= 3d + 1: the capacity is of the order d^power for power = 1 alone."""
    argument = Argument()
    argument.infer(
        "u_1 and u_2 differ (d >= 2), so W^T (u_1 - u_2) is any vector: W recalls iff a plane "
        "through 0 cuts the inputs as f says",
        "f(x) = 1 needs <W^T (u_1 - u_2), e_x> > 0, f(x) = 2 needs < 0",
    )
    argument.cite(
        "of the 2^N labellings of N vectors in general position 2 sum_{k<d} binom(N-1, k) can be cut",
        COVER,
    )
    argument.infer("every f has the same probability", "e_x -> -e_x exchanges the labels of x")
    for d, N in ((1, 2), (1, 3), (2, 3), (2, 4), (2, 5)):
        cut, total = _cut_in_the_plane(N) if d == 2 else (2, 2**N)
        argument.true(
            f"d = {d}, N = {N}: enumerated for vectors in general position",
            Fraction(cut, total) == separable(N, d),
            f"{cut} of {total}",
        )
    for d in (1, 2, 4, 8, 16, 32):
        argument.true(f"d = {d}: one for N = d", separable(d, d) == 1, "exact")
        argument.true(
            f"d = {d}: one half for N = 2d", separable(2 * d, d) == Fraction(1, 2), "exact"
        )
    argument.infer(
        "at N = 3d + 1 the probability is at most exp(-d/6)",
        "it is the chance of fewer than d heads in 3d tosses; Hoeffding's inequality",
    )
    with precision():
        for d in (1, 4, 16, 64):
            argument.at_most(
                f"d = {d}", ball(separable(3 * d + 1, d)), (-ball(Fraction(d, 6))).exp()
            )
    argument.true("the order is d", power == 1, f"d^({power})")
    if power == 1:
        return argument
    if searching() and power < 1:
        witness = {"N": "d", "P(some W recalls)": "1, for every f", "stated": f"d^({power})"}
        return argument.refute(witness)
    witness = {"N": "3d + 1", "P(some W recalls)": "at most exp(-d/6)", "stated": f"d^({power})"}
    return argument.unless(witness)


def _cut_in_the_plane(N: int) -> tuple[int, int]:
    """How many labellings of N vectors in the plane are cut by a line through 0, by trying all lines."""
    vectors = [(1, j) for j in range(N)]
    # Between two neighbouring normals of the vectors the labels do not change; (-y, x) are the normals.
    normals = [(-y, x) for x, y in vectors]
    directions = [*normals, *((-a, -b) for a, b in normals)]
    found = set()
    for (a, b), (c, e) in itertools.product(directions, repeat=2):
        line = (a + c, b + e)
        labels = tuple(line[0] * x + line[1] * y for x, y in vectors)
        if all(labels):
            found.add(tuple(label > 0 for label in labels))
    return len(found), 2**N


# -- linear memories ------------------------------------------------------------------------------


def linear_order(power: Fraction) -> Argument:
    """A linear memory with M = N stores d^power facts up to logarithms for power = 2 alone."""
    argument = Argument()
    argument.infer(
        "N = d^2/(C log d) facts are stored with high probability",
        "the explicit closed form of Theorem 1, d^2 >= 4 l (d + N/(1 - (4 l/d)^2)) with l like log N",
    )
    argument.infer(
        "which f some W recalls is decided by the signs of the N binom(N, 2) linear forms "
        "(u_y - u_y')^T W e_x in the d^2 entries of W, and no two f share a sign pattern",
        "f(x) is the y that wins all its comparisons",
    )
    argument.cite(
        "n linear forms in D variables have at most 2 sum_{j<D} binom(n-1, j) patterns of nonzero signs",
        COVER,
    )
    binomial_sum(argument)
    argument.infer(
        "the probability that a given f is recalled is the expected number of recalled f over N!",
        "the outputs are exchangeable",
    )
    with precision():
        for d in (3, 10, 100, 10**4):
            D = d * d
            N = 4 * D
            maps = (ball(N) / ball(1).exp()).log() * N
            patterns = D * (ball(Fraction(N**2 * (N - 1), 2 * D)).log() + 1) + ball(2).log()
            argument.at_most(
                f"d = {d}, N = 4 d^2: log of the patterns against log N! >= N log(N/e)",
                patterns,
                maps,
            )
    argument.infer("the difference grows like 4 d^2 log d", "4 D log N against 3 D log N - D log D")
    argument.true("the order is d^2", power == 2, f"d^({power})")
    if power == 2:
        return argument
    if searching() and power < 2:
        witness = {"N": "d^2/(C log d)", "recalled": "with high probability"}
        return argument.refute(witness | {"stated": f"d^({power})"})
    witness = {"N": "4 d^2", "P(some W recalls)": "tends to 0", "stated": f"d^({power})"}
    return argument.unless(witness)


# -- facts against parameters ---------------------------------------------------------------------


def parameters_needed(facts: Fraction, parameters: Fraction) -> Argument:
    """d^facts facts in d^parameters parameters of polylog(d) bits: possible up to logarithms only if
    facts <= parameters, and attained by d^3 with d^3."""
    argument = Argument()
    argument.infer(
        "B bits tell at most 2^B of the N! injective maps apart, and N log2(N/e) <= log2 N!",
        "the embeddings being fixed, what is recalled is a function of the bits",
    )
    argument.true(
        "the number of facts has no larger power of d than the number of parameters",
        facts <= parameters,
        f"{facts} against {parameters}",
    )
    argument.true("the construction: d^2 neurons, m d = d^3", facts == parameters == 3, "d^3 each")
    argument.infer(
        "with d^2 neurons some d^3/polylog(d) facts are recalled, for every accuracy 1 - delta",
        "Theorem 9 corrected at m = d^2, epsilon below 1/3",
    )
    if facts <= parameters:
        return argument
    # The bits of a parameter may be any power of log2 d: sizes for the first few of them.
    example = next(_beyond_bits(facts, parameters, 4))
    argument.witness = {
        "bits of a parameter": "log2(d)^4",
        "d": example,
        "parameters": f"d^({parameters})",
        "facts asked for": f"d^({facts})",
        "why": "N! is above 2^(bits), and so for every power of log2 d once d is large",
    }
    return argument


def _beyond_bits(facts: Fraction, parameters: Fraction, power: int) -> Iterator[str]:
    """d = 2^s at which d^facts facts exceed what d^parameters parameters of s^power bits allow."""
    for s in range(2, 400):
        # log2 N! >= N (log2 N - 3/2), compared in exponents of 2.
        left = facts * s
        if s * facts - Fraction(3, 2) <= 0:
            continue
        needed = Fraction(s**power) / (s * facts - Fraction(3, 2))
        gap = left - parameters * s
        if gap > needed.numerator.bit_length() - needed.denominator.bit_length() + 1:
            yield f"2^{s}"


# -- the polynomial memory ------------------------------------------------------------------------


def polynomial_order(k: int, power: Fraction) -> Argument:
    """At N = d^power the variance of the margin, of mean one, stays of order one: power is k + 1."""
    argument = Argument()
    d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")
    variance = polynomial.margin_variance(d, N, k=k).value
    fourth = polynomial.margin_central_moment(4, d, N, k=k).value
    signal = leading(polynomial.margin_mean(d, N, k=k).value, {"d": 1, "N": power})
    argument.true(
        f"k = {k}: E gamma tends to 1, y in the image", str(signal.term) == "1", str(signal)
    )
    here = leading(variance, {"d": 1, "N": power})
    below = leading(variance, {"d": 1, "N": max(power - Fraction(1, 4), Fraction(0))})
    above = leading(variance, {"d": 1, "N": power + Fraction(1, 4)})
    if searching() and here.exponent > 0:
        witness = {"k": k, "N": f"d^({power})", "Var(gamma)": f"grows like d^({here.exponent})"}
        return argument.refute(witness | {"so": "recall fails"})
    if searching() and above.exponent <= 0:
        argument.witness = {
            "k": k,
            "N": f"d^({power} + 1/4)",
            "Var(gamma)": f"falls like d^({above.exponent})" if above.exponent else "stays bounded",
            "so": "recall succeeds by Lemma 14 corrected",
        }
        return argument
    argument.true(
        f"k = {k}: Var(gamma) at N = d^({power}) is of order 1", here.exponent == 0, str(here)
    )
    argument.true("a power less makes it vanish", below.exponent < 0, str(below))
    argument.infer(
        "N = d^power/polylog(d) facts are recalled with high probability",
        "Var falls below any power of log, and gamma has degree 2k + 2: Lemma 14 corrected, union bound",
    )
    ratio = leading(fourth / variance**2, {"d": 1, "N": power + Fraction(1, 4)})
    argument.true(
        "a power more: E(gamma - 1)^4/Var^2 stays bounded", ratio.exponent == 0, str(ratio)
    )
    argument.infer(
        "then P(gamma <= 0) stays away from 0, and recall fails with a probability that does",
        "gamma - 1 has a part symmetric under the signs of the u_f(z); Paley-Zygmund inequality",
    )
    return argument
