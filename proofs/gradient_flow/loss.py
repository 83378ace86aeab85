"""The loss of the linear attention model as a function of the logits: convex, and small only where the
predictions are right.

Serves Sec. 5, App. D.1 and the last steps of App. D.2 of Nichani et al.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision
from proofs.algebra.symbols import ZERO, symbols, total
from proofs.argument import Argument, searching
from proofs.gradient_flow.model import derivative

#: How near to a probability of 0 or 1 predictions are tried.
_PARTS = tuple(Fraction(1, n) for n in (2, 3, 5, 10, 100, 1000))
#: Probabilities of a relation that are tried.
_CHANCES = tuple(Fraction(*pair) for pair in ((1, 2), (1, 10), (9, 10)))


# -- convexity ------------------------------------------------------------------------------------


def convex(modulus: Fraction, sign: Fraction, product: Fraction) -> Argument:
    """sign L - modulus |Theta|^2/2 is convex in Theta; with *product* 0 in the weights instead.

    What is false fails along a line through 0, for one fact, T = 3 and two answers.
    """
    argument = Argument()
    u = RationalFunction.symbol("u")
    lines = {
        "Theta(a*, s) = u": ([u, ZERO], 1),
        "Theta(a, s) = u for both answers": ([u, u], 2),
        "Theta(a, s) = -u for the wrong answer": ([ZERO, -u], 1),
    }
    if product == 0:
        lines = {"W_KQ(s) = W_OV(a*, s) = u": ([u * u, ZERO], 2)}
    for words, (logits, length) in lines.items():
        bend = sign * curvature(logits) - modulus * length
        if bend < 0:
            witness = {"world": "one fact, T = 3, |A| = 2, all other weights 0", "line": words}
            words = "the second derivative at u = 0 is no less"
            return argument.fails(words, witness | {"second derivative at u = 0": bend})
    argument.infer(
        "L is a mean of log sum_a exp F_a - F_a* over sequences, F linear in Theta",
        "F_a = sum_t Theta(a, z_t)",
    )
    for answers in (2, 3, 4):
        e = symbols(" ".join(f"e{a}" for a in range(answers)))
        x = symbols(" ".join(f"x{a}" for a in range(answers)))
        p = [value / total(e) for value in e]
        # d p_a = p_a (x_a - sum_b p_b x_b) along x, so this is the second derivative along x.
        mean = total(q * y for q, y in zip(p, x, strict=True))
        second = total(q * (y - mean) * y for q, y in zip(p, x, strict=True))
        squares = total(
            p[a] * p[b] * (x[a] - x[b]) ** 2 for a, b in itertools.combinations(range(answers), 2)
        )
        argument.equal(
            f"|A| = {answers}: the second derivative is sum_(a<b) p_a p_b (x_a - x_b)^2 >= 0",
            second,
            squares,
        )
    argument.infer("the same for every |A|", "the variance of x under p, written by pairs")
    return argument


def curvature(logits: Sequence[RationalFunction]) -> Fraction:
    """The second derivative of log sum_a exp F_a - F_0 at u = 0, where all *logits* F_a(u) are 0."""
    first = [derivative(F, "u") for F in logits]
    slopes, bends = (
        [f(u=0).as_fraction() if f.names else f.as_fraction() for f in functions]
        for functions in (first, [derivative(f, "u") for f in first])
    )
    count = len(logits)
    mean = sum(slopes, Fraction(0)) / count
    spread = sum(((slope - mean) ** 2 for slope in slopes), Fraction(0)) / count
    return spread + sum(bends, Fraction(0)) / count - bends[0]


# -- a small loss ---------------------------------------------------------------------------------


def wrong_mass(bound: RationalFunction, *, unlikely: bool) -> Argument:
    """1 - p-hat(a* | z_{1:T}) <= bound(L, P, A), P > 0 the probability of the sequence; L and P balls.

    *unlikely*: said of sequences of probability 0 as well. In the worlds that are tried the sequences
    with the relation 1 have a wrong mass x, all others almost none.
    """
    argument = Argument()
    if unlikely:
        argument.witness = {
            "world": "S = 1, R = 2, D = 1, T = 3, p(1, 1) = 1, p(1, 2) = 0",
            "weights": "p-hat(a_1) tends to 1 on every sequence",
            "L": "tends to 0",
            "p-hat(a_2) where r = 2": "tends to 0",
        }
        return argument
    with precision():
        for chance, x in itertools.product(_CHANCES, _PARTS):
            # Two orders of (s, r) before EOS; what is lost at relation 2 is below 10^-12.
            loss = ball(chance) * -ball(1 - x).log() + ball(Fraction(1, 10**12))
            values = {"L": loss, "P": ball(chance / 2), "A": arb(2)}
            stated = evaluate(bound, **{name: values[name] for name in bound.names})
            if searching() and stated < ball(x):
                argument.witness = {
                    "world": f"S = 1, R = 2, D = 1, T = 3, p(1, 1) = {chance}",
                    "1 - p-hat(a_1) where r = 1": x,
                    "1 - p-hat(a_2) where r = 2": "below 10^-12",
                    "stated to be at least": stated.str(6),
                }
                return argument
    L, P = symbols("L P")
    argument.infer(
        "P (1 - p-hat(a*)) <= -P log p-hat(a*) <= L",
        "1 - x <= -log x, and L is a sum of such terms, none negative",
    )
    argument.equal("so the bound is L/P", bound, L / P)
    argument.infer("p-hat(a*) tends to 1, the others to 0", "L tends to 0 and P stays")
    return argument


def logarithm(slope: Fraction, end: Fraction) -> Argument:
    """-log(1 - z) <= slope z for z in [0, end], 0 < end < 1: a convex function below its chord."""
    argument = Argument()
    with precision():
        for z in (end, *(end * part for part in _PARTS)):
            value = -ball(1 - z).log()
            if searching() and value > ball(slope * z):
                return argument.refute({"z": z, "-log(1 - z)": value.str(8), "stated": slope * z})
        argument.infer(
            "-log(1 - z) lies below its chord on [0, end]",
            "its second derivative is (1 - z)^-2 > 0",
        )
        argument.at_most("the chord ends below slope z", -ball(1 - end).log(), ball(slope * end))
    return argument


def right_mass(lowest: RationalFunction) -> Argument:
    """If p-hat(a) <= e for the |A| - 1 wrong answers, p-hat(a*) >= lowest(A, e)."""
    argument = Argument()
    A, e = symbols("A e")
    for answers, small in itertools.product(range(1, 7), _PARTS):
        least = max(1 - (answers - 1) * small, Fraction(0))
        values: dict[str, int | Fraction] = {"A": answers, "e": small}
        stated = lowest(**values).as_fraction()
        if searching() and least < stated and (answers - 1) * small <= 1:
            witness = {"|A|": answers, "p-hat of each wrong answer": small, "p-hat(a*)": least}
            return argument.refute(witness | {"stated to be at least": stated})
    argument.infer(
        "p-hat(a*) = 1 - the sum over |A| - 1 wrong answers >= 1 - (|A| - 1) e",
        "p-hat sums to one",
    )
    argument.nonnegative(
        "which is at least what is stated", 1 - (A - 1) * e - lowest, {"A": 1, "e": 0}
    )
    return argument
