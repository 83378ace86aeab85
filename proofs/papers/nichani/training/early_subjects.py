"""Balanced tables whose subjects grow too early for Theorem 6 with other constants, for every alpha.

Serves Theorem 6 of Nichani et al.: what happens where its condition on S is weakened, or where the
bound on the weights of subjects is sharpened too far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

from flint import arb

from proofs.algebra.balls import ball, precision
from proofs.gradient_flow.symmetric import lengths, rate_ratio

#: Sizes that are tried.
_RELATIONS, _ANSWERS = range(2, 13), range(2, 7)


def _worlds(
    subjects: Fraction, close: Fraction
) -> Iterator[tuple[tuple[int, int, int], tuple[arb, arb]]]:
    """(S, R, D) with the least multiple S of D that is at least *subjects* R sqrt(2 D), and the
    logits of `_ends`, where there are any."""
    for R, D in product(_RELATIONS, _ANSWERS):
        bound = (subjects * R) ** 2 * 2 * D
        copies = isqrt(int(bound / D**2))
        while copies**2 * D**2 < bound or copies == 0:
            copies += 1
        if ends := _ends(R, D, close):
            yield (copies * D, R, D), ends


def _ends(R: int, D: int, close: Fraction) -> tuple[arb, arb] | None:
    """Logits (x at least, y at most) where (16) holds with epsilon = *close*.

    Of the 1/D on each answer of A_r p-hat differs by epsilon at most: it puts at least 1 - D
    epsilon on A_r, and at most 1/D + epsilon on a*. None where epsilon is too large to say so.
    """
    mass = 1 - D * close
    share = (Fraction(1, D) + close) / mass
    if mass <= 0 or share >= 1:
        return None
    return ball(mass * (R - 1) / (1 - mass)).log(), ball(share * (D - 1) / (1 - share)).log()


def _growth(S: int, R: int, D: int, y: arb) -> arb:
    """phi_s/phi_r is at least this part of its start while the logit of the subject is at most y:
    the quotient of the rates times D/(D - 1 + e^y).
    """
    ratio = ball(rate_ratio()(S=S, R=R, D=D).as_fraction()).sqrt()
    return D / (D - 1 + y.exp()) / ratio


def unreached(subjects: Fraction, close: Fraction) -> Mapping[str, Any] | None:
    """A balanced table with S >= *subjects* R sqrt(2D) where (16) never holds with epsilon = *close*.

    At x >= X and y <= Y the angle of the relation is the larger one, |v_s| X >= |v_r| Y, but it has
    grown no faster. For every alpha and T = 3; None if no table that is tried does it.
    """
    with precision():
        for (S, R, D), (x, y) in _worlds(subjects, close):
            relation, subject = lengths(R, D)
            if _growth(S, R, D, y) > 1 and subject * x > relation * y:
                return {"S": S, "R": R, "D": D, "T": 3, "epsilon": close, "alpha": "any"}
    return None


def too_large(subjects: Fraction, power: Fraction, close: Fraction) -> Mapping[str, Any] | None:
    """A balanced table with S >= *subjects* R sqrt(2D) where W_KQ(s) exceeds alpha^*power* whenever
    (16) holds with epsilon = *close*, for every alpha < 1.

    There W_KQ(s) >= (1/2) alpha sqrt(A + 1) e^(theta phi_r) with e^(2 phi_r) >= 4 X/(alpha^2 (A +
    1) |v_r|) and theta from `_growth`; that is c alpha^(1 - theta). None if no table that is tried
    does it.
    """
    with precision():
        for (S, R, D), (x, y) in _worlds(subjects, close):
            theta, count = _growth(S, R, D, y), arb(R * D + 1)
            relation, _ = lengths(R, D)
            factor = count.sqrt() / 2 * (4 * x / (count * relation)) ** (theta / 2)
            if 1 - theta < ball(power) and factor > 1:
                return {"S": S, "R": R, "D": D, "T": 3, "epsilon": close, "alpha": "any below 1"}
    return None
