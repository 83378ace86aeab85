"""The definition of a drawn value: from an address to a word, from a word to a normal value.

Serves every program that draws; each is a translation of what is said here, bit for bit.

Word j of row i of replicate r is word j mod 4 of Philox 4x64-10 at the counter (i, j div 4, r, 1),
under the stream's key. Of a word's 64 bits the upper 52 give an odd multiple f of 2^-53 in (0, 1), and
the lowest gives the sign. The normal value is sign * z(f), where |Z| exceeds z(f) with chance f for a
standard normal Z. z is looked up: for f in [a, a + w), a piece of the table, it is Horner's rule in
t = f - a, in float64, every product and every sum rounded. A unit vector is a row of such values, each
divided by the root of the sum of their squares, which is added up as a tree: zeros fill the squares up
to a power of two, then the upper half is added to the lower half until one number is left. These
operations round alike on every device that follows IEEE 754; no two of them may be fused.

The law: a value is within 1.9e-15 of z at its own f (proved of the table's numbers: see
`proofs.quantiles`), and f takes 2^52 equally likely values. No value is 0 or beyond 8.3.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

#: Each factor of two of f is cut into 2^BITS pieces of this degree.
BITS, DEGREE = 6, 5
#: A float64 holds its fraction in so many bits; f as a number in [1, 2) has this exponent in front.
FRACTION, ONE = 52, 0x3FF0000000000000
#: Taken from the number in [1, 2), this leaves f; exact.
OFFSET = 1 - 2.0**-53
#: Bits of f below those that choose the piece; what those that choose it start from.
BELOW = FRACTION - BITS
FIRST = (1023 - 53) << BITS

#: Philox 4x64: the two factors of a round, and what the two words of the key grow by.
FACTORS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
ROUNDS = 10
#: No value is beyond it.
LARGEST = 8.3
#: The highest word of the counter of every value.
PURPOSE = 1

_TABLE = Path(__file__).with_name("pieces.npy")
#: BLAKE2b of the numbers of the table, little-endian.
DIGEST = "b82f81e2aa62f93f597e1fadfaa4362c"


@dataclass(frozen=True)
class Box:
    """The addresses of values: replicates from `start`, rows from `first`, d coordinates of each.

    The values of a box are a contiguous array (replicates, rows, d).
    """

    key: int
    start: int
    replicates: int
    first: int
    rows: int
    d: int

    @property
    def panels(self) -> int:
        """How many blocks of four words a row takes."""
        return -(-self.d // 4)

    def round_keys(self) -> list[tuple[int, int]]:
        """The two words of the key in each round, 0 <= word < 2**64."""
        words = self.key & (2**64 - 1), self.key >> 64
        return [
            (
                (words[0] + number * WEYL[0]) & (2**64 - 1),
                (words[1] + number * WEYL[1]) & (2**64 - 1),
            )
            for number in range(ROUNDS)
        ]


def power_of_two(d: int) -> int:
    """The least power of two that is at least d >= 1: how many squares the tree adds up."""
    return 1 << (d - 1).bit_length()


@cache
def pieces() -> NDArray[np.float64]:
    """The table: float64 (53 * 2**BITS, DEGREE + 1), row by row the coefficients of 1, t, t^2, ...

    Raises ValueError where the file is not the one this version was written with.
    """
    table: NDArray[np.float64] = np.load(_TABLE)
    found = hashlib.blake2b(table.astype("<f8").tobytes(), digest_size=16).hexdigest()
    if found != DIGEST:
        raise ValueError(f"{_TABLE} has the digest {found}, not {DIGEST}: install again")
    table.setflags(write=False)
    return table
