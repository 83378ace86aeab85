"""What every memory offers to ``verify capacity``, the failure curves and ``verify recall``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import BitBound
from proofs.capacity.predictions import Prediction

if TYPE_CHECKING:
    import torch

    from numerics import Memory
    from numerics.observables import Event

#: Bits of one parameter, for the bit bound.
PARAMETER_BITS = 32


class Construction(ABC):
    """A memory at all its sizes but the numbers N of facts and M of outputs.

    Subclasses take these sizes as keywords and raise ValueError, which begins with the name of the
    size, where one is out of range.
    """

    #: As on the command line.
    name: ClassVar[str]
    #: The sizes that must be given, each with an example in words; those that may be given.
    needs: ClassVar[dict[str, str]]
    takes: ClassVar[tuple[str, ...]] = ()
    #: Sizes beyond this would take minutes of exact arithmetic.
    largest_size: ClassVar[int] = 10**7

    #: All sizes, with defaults filled in.
    sizes: dict[str, Any]
    prediction: Prediction

    @property
    def text(self) -> str:
        """The memory and its sizes in words."""
        return f"{self.name} memory, {sizes_in_words(self.sizes)}"

    # -- how much fits --------------------------------------------------------------------------

    @abstractmethod
    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        """A rigorous upper bound on P(some fact is lost); None where none is known."""

    @abstractmethod
    def provable(self, delta: Fraction, M: int | None) -> int | None:
        """The largest N that provably fits, 0 if none does; None where no condition is known."""

    @abstractmethod
    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        """Where the provable number comes from, or why there is none for N facts."""

    @property
    def predicted_from(self) -> str:
        """Where the predicted number comes from."""
        return "exact moments of the margins up to order three"

    @property
    @abstractmethod
    def parameters(self) -> tuple[int, str]:
        """Their number, and in words."""

    def used_bits(self, N: int) -> int:
        """The bits of all parameters of a memory of N facts."""
        return PARAMETER_BITS * self.parameters[0]

    def bit_bound(self, M: int | None) -> int:
        """The largest N that the bits of the parameters do not rule out."""
        return BitBound(PARAMETER_BITS * self.parameters[0]).largest(M)

    @property
    def bits(self) -> str:
        """Which bits are counted."""
        return f"{PARAMETER_BITS} bits for each of {self.parameters[1]} parameters"

    # -- measured -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def load_unit(self) -> tuple[int, str]:
        """What N is compared with in a picture, and in words."""

    @abstractmethod
    def products(self, N: int, M: int) -> float:
        """Multiply-adds of building a memory of N facts and recalling them, roughly."""

    @abstractmethod
    def failures(self, N: int, M: int, draws: int, *, seed: int, name: str) -> Event:
        """Whether some fact is lost, for so many drawn memories."""

    @abstractmethod
    def sample(self, N: int, M: int, *, seed: int, dtype: torch.dtype, device: str) -> Memory:
        """One drawn memory."""


def sizes_in_words(sizes: dict[str, Any]) -> str:
    """d = 64, m = 16."""
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
