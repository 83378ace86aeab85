"""What every memory offers to ``verify capacity``, the failure curves and ``verify recall``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import BitBound
from proofs.capacity.predictions import Prediction

if TYPE_CHECKING:
    from torch import Tensor

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
    #: Sizes to draw it at in a moment, for tests and strategies.
    examples: ClassVar[Sequence[Mapping[str, Any]]]
    #: The failure curves of the page: sizes, and how often it is drawn at each N.
    curves: ClassVar[Sequence[tuple[Mapping[str, Any], int]]] = ()
    #: The sizes that must be given, each with an example in words; those that may be given.
    needs: ClassVar[dict[str, str]]
    takes: ClassVar[tuple[str, ...]] = ()
    #: Sizes beyond this would take minutes of exact arithmetic.
    largest_size: ClassVar[int] = 10**7

    #: All sizes, with defaults filled in.
    sizes: dict[str, Any]
    prediction: Prediction

    @classmethod
    def called(cls) -> str:
        """With its article."""
        return f"a {cls.name} memory"

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

    def failures(
        self,
        N: int,
        M: int,
        draws: int,
        *,
        seed: int,
        name: str,
        device: str = "cpu",
        start: int = 0,
    ) -> Event:
        """Whether some fact is lost, for so many drawn memories, from number *start* on: the same on
        every device."""
        from numerics.draws.counting import failing
        from numerics.random import Stream

        draw = partial(self.sample, N, M)
        return failing(draw, draws, stream=Stream(seed, name), start=start, device=device)

    @abstractmethod
    def sample(self, N: int, M: int, **more: Any) -> Memory:
        """One drawn memory, or many at once; *more*: seed and, where others are wanted, replicates,
        dtype, device and fault."""

    def rebuilt(self, memory: Any, *facts: Tensor) -> Memory:
        """A memory of other facts (inputs, outputs, association) with the other parts of *memory*."""
        from numerics.contracts import MemoryContract

        return MemoryContract().rebuilt(memory, *facts)

    @abstractmethod
    def images(self, memory: Any, vectors: Tensor) -> Tensor:
        """F(v) for each row v of float64 *vectors* by the definition, fact by fact: what a drawn
        *memory* of this kind is compared with."""


def summed_outer_products(memory: Memory) -> Tensor:
    """sum_z u_f(z) e_z^T (d, d), float64, one fact after another."""
    outputs = memory.outputs.double()
    terms = (
        outputs[y].outer(e)
        for e, y in zip(memory.inputs.double(), memory.association.tolist(), strict=True)
    )
    return sum(terms, start=0 * outputs[0].outer(outputs[0]))


def sizes_in_words(sizes: dict[str, Any]) -> str:
    """d = 64, m = 16."""
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
