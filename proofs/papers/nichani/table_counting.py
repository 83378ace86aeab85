"""Counting fact tables: what too few bits, or too few parameters, cannot recall.

Serves Nichani et al., Theorems 4 and 11, as the limits of their hypotheses, and the summary of the
paper: parameters necessary and sufficient.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from proofs.algebra import RationalFunction, leading
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.citations import WARREN

#: 1/epsilon at which a degree that is too small is looked for.
_MOST = 64


class _Order(NamedTuple):
    """n^power log(n)^logs; orders are compared first by the power."""

    power: Fraction
    logs: Fraction

    def times(self, other: _Order, exponent: int = 1) -> _Order:
        return _Order(self.power + exponent * other.power, self.logs + exponent * other.logs)

    def __str__(self) -> str:
        return f"n^({self.power}) log(n)^({self.logs})"


def _order(power: int | Fraction, logs: int | Fraction = 0) -> _Order:
    return _Order(Fraction(power), Fraction(logs))


_LOG, _ONE, _TABLE = _order(0, 1), _order(0), _order(2)


@dataclass(frozen=True)
class Hypotheses:
    """Which of the hypotheses of Theorem 11 are kept: d >= polylog (*dimension*), d >= S^eps, R^eps
    (*power*), H d_h >= (S + R) log (*heads*), m d >= S R polylog (*product*); and q > *degree*/eps.

    m >= max C(a) polylog is kept always: at m d >= S R and small m, d is large, and attention alone
    may do.
    """

    dimension: bool
    power: bool
    heads: bool
    product: bool
    degree: Fraction

    @property
    def complete(self) -> bool:
        """Whether the theorem is proved from them."""
        kept = self.dimension and self.power and self.heads and self.product
        return kept and self.degree >= 2


def recall_fails(kept: Hypotheses) -> Argument:
    """Sizes within the hypotheses *kept* at which recall fails for some table, if there are any."""
    if not kept.dimension:
        return _one_dimension().refute(
            {
                "d = S = R": 1,
                "tokens": "s, r, a, EOS, embedded as 1 or -1",
                "P(the answer shares its embedding with another token)": Fraction(7, 8),
                "so": "their scores are equal, and a tie counts as a failure; false for delta < 7/8",
            }
        )
    for inverse in range(2, _MOST + 1):
        q = floor(kept.degree * inverse) + 1
        argument, parameters = _parameters(kept, inverse, q)
        if parameters.times(_LOG) < _TABLE:
            argument.witness = {
                "S = R": "n",
                "D": 2,
                "epsilon": Fraction(1, inverse),
                "q": q,
                "real parameters": str(parameters),
                "tables": "2^(n^2)",
                "so": "as n grows they tell a vanishing part of the tables apart",
            }
            return argument
    return argument


def _one_dimension() -> Argument:
    argument = Argument()
    argument.infer(
        "at d = 1 the tokens with the embedding of the answer have its score",
        "a unit vector of R is 1 or -1; d >= 1 = S^eps = R^eps, and the conditions on H, d_h and m "
        "bound them from below only",
    )
    argument.true(
        "three other tokens all have the other sign with probability 1/8",
        Fraction(1, 2) ** 3 == Fraction(1, 8),
        "independent signs",
    )
    return argument


def _parameters(kept: Hypotheses, inverse: int, q: int) -> tuple[Argument, _Order]:
    """The order of the number of real parameters of a transformer of the least sizes allowed, S = R =
    n, and why so many are not enough."""
    many = 3  # any power of log(n) from 3 on, as the constants ask
    d = _order(Fraction(1, inverse)) if kept.power else _order(0, many)
    reach = _order(1, 1) if kept.heads else _ONE  # H d_h
    heads = reach.times(d, -1) if kept.heads else _ONE
    width = _order(1, many)
    if kept.product:
        width = max(width, _order(2, many).times(d, -1))
    argument = Argument()
    argument.define(
        f"S = R = n, T = 3, each relation with two answers of its own, epsilon = 1/{inverse}, q = {q}; "
        f"d ~ {d}, H d_h ~ {reach}, d_h = min(d, H d_h), m ~ {width}"
    )
    argument.infer(
        "F_TF(s, r) is a polynomial, of a degree that is a power of n, over positive denominators, in "
        "the H (S + R + 1) exponentials of the scores, in W_V, W_O and the MLP",
        "attention weights are exponentials over their sum, and sigma is a polynomial",
    )
    span = min(d, reach)
    collapsed = d.times(span, q)
    argument.infer(
        f"the MLP counts for at most {min(collapsed, width.times(d))} parameters",
        "2 m d weights, or the coefficients of d polynomials of degree q on the range of W_O^T",
    )
    total = max(heads.times(_order(1)), reach.times(d), min(collapsed, width.times(d)))
    argument.cite(
        "n >= P polynomials of degree D in P variables have at most (8 e D n/P)^P sign patterns",
        WARREN,
    )
    argument.infer(
        "which of the 2^(n^2) tables is recalled is decided by the signs of n^2 differences of scores, "
        f"so at most 2^(C P log n) are, P ~ {total}",
        "a* (s, r) is the winner of its two answers",
    )
    argument.true(
        "P log n is of a smaller order than n^2",
        total.times(_LOG) < _TABLE,
        f"{total.times(_LOG)} against {_TABLE}",
    )
    argument.infer(
        "for some table the probability that a transformer recalls it tends to 0",
        "it is at most the mean over all tables",
    )
    return argument, total


class Sufficient(NamedTuple):
    """Theorem 10: d >= C max(width_of_r, width_of_d) log^width_power and H d_h >= C heads
    log^heads_power are enough; in S, R and D."""

    width_of_r: RationalFunction
    width_of_d: RationalFunction
    width_power: int
    heads: RationalFunction
    heads_power: int


def parameters_of_order(order: RationalFunction, theorem: Sufficient) -> Argument:
    """On the order of *order*, in S and R, parameters are necessary in bits, for D >= 2, and sufficient
    by *theorem*, for D <= R, up to logarithms."""
    S, R, D, w = symbols("S R D w")
    argument = Argument()
    for s, r, answers in ((1, 1, 2), (2, 1, 2), (2, 2, 2), (1, 2, 3), (2, 2, 3), (3, 2, 2)):
        columns = set(itertools.product(range(answers), repeat=s))
        argument.true(
            f"S = {s}, R = {r}, D = {answers}: D^(S R) tables",
            len(columns) ** r == answers ** (s * r),
            f"{len(columns)} for each relation",
        )
    argument.infer(
        "a memory of B bits that recalls each of the D^(S R) tables has B >= S R log2(D)",
        "the embeddings fixed, what it recalls is a function of its bits, and the same bits recall one "
        "table at most",
    )
    argument.infer(
        "B >= S R for D >= 2; with D = 1 the relation gives the answer, and no bits are needed",
        "log2(D) >= 1",
    )
    argument.define(
        f"R >= D: d = C {theorem.width_of_r} log^{theorem.width_power} and H d_h = C {theorem.heads} "
        f"log^{theorem.heads_power} satisfy Theorem 10, log = log(|V| S R/delta)"
    )
    argument.nonnegative(
        "R = D + w: the width asked for R is at least the one asked for D",
        (theorem.width_of_r - theorem.width_of_d)(R=D + w),
        {"S": 1, "D": 2, "w": 0},
    )
    product = theorem.width_of_r * theorem.heads
    powers_of_log = theorem.width_power + theorem.heads_power
    argument.equal(f"H d d_h = C^2 S R log^{powers_of_log}", product, S * R)
    for powers in ((1, 1), (1, 2), (2, 1), (3, 1), (1, 3)):
        path = dict(zip("SR", powers, strict=True))
        stated, true = leading(order, path).exponent, leading(S * R, path).exponent
        enough = leading(product, path).exponent
        sizes = f"S = t^{powers[0]}, R = t^{powers[1]}, D = 2"
        if stated < true:
            witness = {"sizes": sizes, "parameters": f"t^{stated}, of polylog(t) bits"}
            return argument.refute(witness | {"bits needed": f"S R log2(D) = t^{true}"})
        if stated > enough:
            argument.witness = {
                "sizes": sizes,
                "said to be necessary": f"t^{stated}",
                "sufficient": f"4 H d d_h = t^{enough} polylog(t), Theorem 10",
            }
            return argument
    ratio = order / (S * R)
    argument.true("the order is S R times a constant", not ratio.names, str(ratio))
    return argument
