"""The bit bound: no memory of B bits recalls every injective map, if there are more than 2^B.

With the embeddings fixed, what a memory recalls is a function of its bits; if it can be set up for
every injective f : [N] -> [M], then M!/(M-N)! <= 2^B.
"""

from __future__ import annotations

from math import perm

from flint import arb

from proofs.algebra.balls import lower, precision, upper
from proofs.capacity.conditions import largest_where, read_integer, read_size

#: Up to this N the number of maps is computed as an integer, ties included.
_BY_INTEGERS = 64


class BitBound:
    """The largest N for which *bits* can tell all injective maps [N] -> [M] apart."""

    def __init__(self, bits: int) -> None:
        self.bits = read_size("bits", bits)

    def largest(self, M: int | None = None) -> int:
        """The largest N that is not excluded; M = N where M is None."""
        M = None if M is None else read_integer("M", M)
        return largest_where(lambda N: (M is None or N <= M) and self._allows(N, M))

    def _allows(self, N: int, M: int | None) -> bool:
        outputs = N if M is None else M
        if N <= _BY_INTEGERS:
            return (perm(outputs, N) - 1).bit_length() <= self.bits
        # More than two consecutive factors never make a power of 2, so some precision decides.
        bits = 128 + 2 * outputs.bit_length()
        while True:
            with precision(bits):
                maps = (
                    arb(outputs + 1).lgamma() - arb(outputs - N + 1).lgamma()
                ) / arb.const_log2()
                if upper(maps) <= self.bits:
                    return True
                if lower(maps) > self.bits:
                    return False
            bits *= 2
