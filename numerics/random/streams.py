"""Named random streams: what keys the words that all values are made of.

Serves all draws: a stream is a seed, a name and the number of a replicate.
"""

import hashlib

import numpy as np

from numerics.checks import check_integer
from numerics.errors import InputError

#: The largest seed, and the largest number of a replicate, a row or a coordinate.
WORD_MAX = 2**64 - 1


def _encode(part: str | int) -> bytes:
    # The tag and the length make the concatenation of parts uniquely decodable, so no two
    # different names share a key: ("a", "b") and ("ab",), or 1 and "1", stay apart.
    tag = b"s" if isinstance(part, str) else b"i"
    payload = str(part).encode("utf-8")
    return tag + len(payload).to_bytes(8, "little") + payload


class Stream:
    """A named random stream, and the replicate of it that is drawn.

    Attributes: seed, name, number (of the replicate, 0 unless `replicate` was called), key: the 128-bit
    BLAKE2b hash of (seed, *name), with which Philox makes all words of all replicates.

    Raises InputError unless 0 <= seed <= 2**64 - 1 and every name part is a str or an int.
    Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Philox).
    """

    def __init__(self, seed: int, *name: str | int) -> None:
        check_integer("seed", seed, minimum=0, maximum=WORD_MAX)
        for part in name:
            if isinstance(part, bool) or not isinstance(part, str | int):
                raise InputError(f"stream name part {part!r} is neither str nor int: pass one")
        self.seed = seed
        self.name = name
        self.number = 0
        encoding = b"".join(_encode(part) for part in (seed, *name))
        digest = hashlib.blake2b(encoding, digest_size=16, person=b"recallproof").digest()
        self.key = int.from_bytes(digest, "little")

    @classmethod
    def of(cls, seed: "int | Stream") -> "Stream":
        """The stream of a seed, or the stream itself."""
        return seed if isinstance(seed, Stream) else cls(seed)

    def __repr__(self) -> str:
        stream = f"Stream{(self.seed, *self.name)!r}"
        return f"{stream}.replicate({self.number})" if self.number else stream

    def child(self, *name: str | int) -> "Stream":
        """The stream whose name is this one's followed by `name`, at the same replicate."""
        child = Stream(self.seed, *self.name, *name)
        child.number = self.number
        return child

    def replicate(self, number: int) -> "Stream":
        """The same stream at replicate `number`, 0 <= number <= 2**64 - 1; InputError otherwise."""
        check_integer("replicate", number, minimum=0, maximum=WORD_MAX)
        other = Stream(self.seed, *self.name)
        other.number = number
        return other

    def generator(self) -> np.random.Generator:
        """A fresh numpy generator for this replicate, for choices that are made one by one.

        Its words are not those of any value by address; what it draws is up to numpy's algorithms.
        """
        # Philox counts upwards from the low words, so the high words never change: values by address
        # have a 1 in the highest, this generator a 0.
        return np.random.Generator(np.random.Philox(key=self.key, counter=self.number << 128))
