"""What a budget of B bits pays for, N values of log M each: exact counts and bounds on the loss.

B / log2 M is irrational as a rule; what is needed of it is decided by comparing 2^B with powers of M.
Serves Theorem 7.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.information.entropy import ZERO, Information, Rational, bits, checked_law, log
from proofs.information.forms import linear_form


def checked_sizes(N: int, M: int, B: int) -> None:
    """Raise ValueError unless N >= 1, M >= 2, B >= 0."""
    if N < 1:
        raise ValueError(f"N = {N}: there must be something to store, N >= 1")
    if M < 2:
        raise ValueError(
            f"M = {M}: with one value nothing has to be stored, log M = 0; take M >= 2"
        )
    if B < 0:
        raise ValueError(f"B = {B}: a message has B >= 0 bits")


def checked_prior(prior: Sequence[Rational]) -> tuple[Fraction, ...]:
    """The prior as fractions. Raises ValueError unless it is a law that does not increase."""
    found = checked_law(prior)
    for x, (before, after) in enumerate(itertools.pairwise(found), start=1):
        if after > before:
            raise ValueError(f"prior: p({x + 1}) = {after} > p({x}) = {before}; sort it downwards")
    return found


def whole_tokens(M: int, B: int) -> int:
    """floor(B / log2 M): the values of M that fit into B bits."""
    checked_sizes(1, M, B)
    return next(k for k in range(B + 1) if M ** (k + 1) > 2**B)


def touched_tokens(M: int, B: int) -> int:
    """ceil(B / log2 M)."""
    k = whole_tokens(M, B)
    return k if M**k == 2**B else k + 1


@dataclass(frozen=True)
class TailBound:
    """E loss >= factor (log M * sum_{x >= first} p(x) + rest * p(first - 1)).

    ``first`` in k = floor(B/L) and K = ceil(B/L), L = log2 M; ``rest``, in bits, in k, K, B and, at most
    linearly, L; ``factor`` a number.
    """

    first: RationalFunction
    rest: RationalFunction
    factor: Fraction = Fraction(1)

    def value(self, prior: Sequence[Rational], M: int, B: int) -> Information:
        """The bound at a prior; p(x) counts as 0 for x > N."""
        p = checked_prior(prior)
        counts = {"k": whole_tokens(M, B), "K": touched_tokens(M, B)}
        first = self.first(**counts).as_fraction()
        if first.denominator != 1:
            raise ValueError(f"first = {first}: not a position; it must be an integer")
        start = int(first)
        total = log(M) * sum(p[max(start - 1, 0) :], Fraction(0))
        if 1 <= start - 1 <= len(p):
            total += p[start - 2] * linear_form(self.rest, {"L": log(M)}, **counts, B=B)
        return total * self.factor


def _bound(first: str, shift: int, rest: RationalFunction) -> TailBound:
    return TailBound(RationalFunction.symbol(first) + shift, rest)


_K, _L, _B = symbols("k L B")
_NONE = RationalFunction.constant(0)
#: log M sum_{x > ceil(B/L)} p(x), which the proof of Theorem 7 derives.
DERIVED = _bound("K", 1, _NONE)
#: The least value of sum_x p(x) (log M - I_x) over 0 <= I_x <= log M, sum_x I_x <= B.
SHARP = _bound("k", 2, (_K + 1) * _L - _B)


def fractional_loss(prior: Sequence[Rational], M: int, B: int) -> Information:
    """sum_x p(x) (log M - I_x) where the most frequent tokens are paid in full and the next in part."""
    p, rest, total = checked_prior(prior), bits(B), ZERO
    for probability in p:
        paid = min(rest, log(M))
        rest -= paid
        total += probability * (log(M) - paid)
    return total
