"""What the polynomial tail bound asks of an MLP memory: why no condition for it is of use at real sizes.

Serves Nichani et al., App. B, Theorem 9, whose proof rests on the tail bound of App. F, Lemma 14.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, lower, precision
from proofs.capacity.conditions import read_sizes
from proofs.concentration.tails import TailHypothesis

#: Lemma 14 corrected: 2^p e log^p(1/delta) Var(f)/(E f)^2 <= 1 implies P(f <= 0) <= delta.
_TAIL = TailHypothesis(Fraction(2), Fraction(1), RationalFunction.symbol("p"), Fraction(1, 2))


def degree(k: int) -> int:
    """2q + 2k + 4, the degree of the margin with h_k in the features and sigma of degree q = k + 1."""
    return 2 * (k + 1) + 2 * k + 4


def least_dimension(k: int, N: int, M: int, delta: Fraction) -> int:
    """A d below which that bound cannot give full recall with probability 1 - *delta*, for any width.

    *k* even, N <= M facts, M >= 2. Given u_f(x) and u_y the margin has the mean E gamma times
    1 - <u_f(x), u_y>, so Var(gamma)/(E gamma)^2 >= 1/d, and each of the N (M-1) margins may fail
    with probability delta/(N (M-1)). Raises ValueError for sizes out of range.
    """
    _, N, M = read_sizes(1, N, M)
    if k % 2 or M < 2:
        raise ValueError(f"k, M: {k}, {M} are out of range; take an even k and M >= 2")
    with precision():
        log = ball(N * (M - 1) / delta).log()
        return int(lower(_TAIL.factor(degree(k), log)))
