"""How empty the emptiest of D cells gets after S uniform draws: a step of Lemma 9 (App. E.3).

Logarithms are natural.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from flint import arb

from proofs.algebra.balls import ball, evaluate, lower, precision
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, first_witness, search
from proofs.papers.nichani.bits.answer_sets import Stated

_S, _D, _k = symbols("S D k")

#: (S, D, delta) with S >= D log(D/delta) at which wrong constants are looked for.
_PLACES = (
    (100, 2, Fraction(1, 100)),
    (2 * 10**4, 100, Fraction(1, 10)),
    (10**5, 100, Fraction(1, 10)),
    (10**6, 1000, Fraction(1, 10)),
)


def lower_tail(stated: Stated) -> Argument:
    """With probability >= 1 - delta every cell count is at least M.

    M = mean - sqrt(square * scale * log(cells/delta)), for 0 < delta < 1.
    """
    square, scale = stated["square"], stated["scale"]
    positive = {"S": 1, "D": 1}
    argument = Argument()
    argument.define(
        "mu = S/D, M = (1 - x) mu; N is one cell count. For x >= 1 there is nothing to show"
    )
    argument.equal("M is measured from the mean S/D", stated["mean"], _S / _D)
    argument.infer(
        "E exp(-tN) = (1 + (exp(-t) - 1)/D)^S <= exp(mu (exp(-t) - 1))",
        "N is a sum of S independent indicators, and 1 + y <= exp(y)",
    )
    argument.infer(
        "P(N < (1-x) mu) <= exp(-mu (x + (1-x) log(1-x)))", "Markov's inequality at exp(-t) = 1 - x"
    )
    argument.equal(
        "x + (1-x) log(1-x) = sum_{k >= 2} x^k/(k (k-1)), coefficient by coefficient",
        1 / (_k - 1) - 1 / _k,
        1 / (_k * (_k - 1)),
    )
    argument.infer("it is at least x^2/2", "no coefficient is negative and the first is 1/2")
    argument.nonnegative(
        "mu x^2/2 >= log(cells/delta)", square * scale / (2 * _S / _D) - 1, positive
    )
    argument.nonnegative(
        "D cells at delta/cells each make at most delta", stated["cells"] - _D, positive
    )
    return argument.unless(first_witness(_fails(stated, *place) for place in _PLACES))


@search
def _fails(stated: Stated, S: int, D: int, delta: Fraction) -> Witness | None:
    """A failure probability above delta, from below by two terms of inclusion and exclusion.

    Two cells are both low with probability at most p^2, as one low count makes the others larger.
    """
    with precision():
        at = {"S": arb(S), "D": arb(D)}
        square, scale, cells, mean = (
            evaluate(stated[name], **at) for name in ("square", "scale", "cells", "mean")
        )
        threshold = mean - (square * scale * (cells / ball(delta)).log()).sqrt()
        least = ceil(lower(threshold))
        p = binomial_below(S, Fraction(1, D), least)
        failing = D * p - arb(D * (D - 1)) / 2 * p**2
        if not failing > ball(delta):
            return None
        shown: Witness = {"S": S, "D": D, "delta": str(delta), "M": threshold.str(8)}
        return {**shown, "P(some count < M) is at least": failing.str(6)}


def binomial_below(S: int, p: Fraction, least: int) -> arb:
    """A ball around P(N < least) for N binomial(S, p), 0 < p < 1; summed down from the largest term."""
    k = min(least - 1, S)
    if k < 0:
        return arb(0)
    with precision():
        odds = ball((1 - p) / p)
        log_term = arb(S + 1).lgamma() - arb(k + 1).lgamma() - arb(S - k + 1).lgamma()
        term = (log_term + k * ball(p).log() + (S - k) * ball(1 - p).log()).exp()
        total = arb(0)
        while k >= 0:
            total += term
            ratio = odds * k / (S - k + 1)
            if term < total * arb(2) ** -60 and ratio < arb(1) / 2:
                return total + term * arb(0.5, 0.5)  # the terms left out add up to less than this
            term, k = term * ratio, k - 1
        return total
