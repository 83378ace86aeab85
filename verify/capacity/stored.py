"""The bits that a memory stores against those it uses (Nichani et al., Theorem 7 at zero loss).

Telling all injective maps [N] -> [M] apart takes log2 M!/(M-N)! bits; a memory that recalls each of them
uses at least so many. The page of a run counts all maps instead, N log2 M, see ``stored_bits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb

from proofs.algebra.balls import precision
from verify.capacity.stored_bits import percent


@dataclass(frozen=True)
class InjectiveBits:
    """N facts with M outputs, different ones, in a memory that uses so many bits."""

    N: int
    M: int
    used: int

    @property
    def stored(self) -> float:
        """log2 M!/(M-N)!, to the nearest float or so."""
        with precision(128 + 2 * self.M.bit_length()):
            maps = arb(self.M + 1).lgamma() - arb(self.M - self.N + 1).lgamma()
            return float((maps / arb.const_log2()).mid())

    @property
    def share(self) -> float:
        """What is stored of what is used; at most 1 where every map is recalled."""
        return self.stored / self.used

    def words(self, name: str) -> str:
        """One line, for the number N called so: "predicted", say."""
        stored = f"{self.stored:.4g}"
        unit = "bit" if stored == "1" else "bits"
        return (
            f"{stored} {unit} at N = {self.N} ({name}), of {self.used} used: {percent(self.share)}"
        )

    def as_json(self) -> dict[str, Any]:
        """The fields of ``verify capacity --json``."""
        return {
            "N": self.N,
            "M": self.M,
            "used": self.used,
            "stored": self.stored,
            "share": self.share,
        }
