"""An explicit condition for attention heads that must pick their own tokens out of a context.

A head with keys V(h), n of them, has v = sum_{z in V(h)} phi(z) + phi(EOS)/2. With A = 1 -
<phi(z), phi(EOS)> and independent first coordinates t of uniform unit vectors, <v, phi(z) -
phi(EOS)> for a key z has the law of A/2 + sqrt(2A) sum_{j<n} t_j, and <v, phi(EOS) - phi(z')> for
another token z' that of A/2 + sqrt(2A) sum_{j<=n} t_j. Serves Nichani et al., App. C, Lemma 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from proofs.algebra.balls import ball, precision, upper
from proofs.capacity.conditions import read_size

#: P(gap <= 0 | A) <= exp(-A d/(16 n)): half the mean, squared, over four times the noise.
GAP = Fraction(16)


def gap_failure(d: int, terms: int, *, gap: Fraction = GAP) -> Fraction:
    """An upper bound on P(A/2 + sqrt(2A) sum of so many *terms* t <= 0), at most 1, rounded up.

    E exp(-k A) <= exp(-k + k^2/(2d)) at k = min(d, d/(*gap* terms)); without terms the gap is
    A/2, which is positive for d >= 2. *gap* is 16; other values serve to show that a wrong one is
    found out.
    """
    if d == 1:
        return Fraction(1)
    if terms == 0:
        return Fraction(0)
    k = min(Fraction(d), d / (gap * terms))
    with precision():
        return min(upper(ball(-k + k**2 / (2 * d)).exp()), Fraction(1))


def key_failure(d: int, heads: Iterable[int], tokens: int, *, gap: Fraction = GAP) -> Fraction:
    """An upper bound on P(some head does not pick its token in some context), at most 1, rounded up.

    *heads*: how many keys each head has, or how many heads there are of each number of keys, as
    ``partition`` has it; *tokens*: how many tokens beside EOS a context may hold, all keys among
    them. A head picks its token if every key has a greater score than EOS and every other token a
    smaller one. Raises ValueError for sizes out of range.
    """
    read_size("d", d)
    read_size("tokens", tokens)
    total = Fraction(0)
    for n, many in Counter(heads).items():
        read_size("heads", n)
        if n > tokens:
            raise ValueError(f"heads: a head of {n} keys needs as many of the {tokens} tokens")
        total += many * n * gap_failure(d, n - 1, gap=gap)
        total += many * (tokens - n) * gap_failure(d, n, gap=gap)
    return min(total, Fraction(1))


def partition(count: int, M: int) -> Counter[int]:
    """How many there are of each size of ceil(count/M) sets that have at most *M* of *count* tokens
    each, as equal as can be."""
    heads = -(-count // M)
    size, larger = divmod(count, heads)
    return +Counter({size + 1: larger, size: heads - larger})
